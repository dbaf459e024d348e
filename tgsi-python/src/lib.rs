//! What the package `tgsi` is made of: bytes, text and JSON in and out. What Python's users see is `python/tgsi/`.
//!
//! # Invariants
//! - No panic reaches Python: it becomes a `Problems` like every other error.
//! - Other threads run while a call works.

mod border;
mod program;
mod shader;

use pyo3::prelude::*;

/// The calls behind the package `tgsi`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::program::{Program, assemble, disassemble, simulate};
    #[pymodule_export]
    use super::shader::{Shader, link};
}
