//! The phases of the compiler and the forms between them, for tests and tools that inspect them.
//!
//! Nothing here is stable: any release may change it.

pub use crate::compiler::{Code, RunPassError, run_pass};
pub use crate::forms::{Allocated, Finished, FormRef, Interface, Scheduled, Selected, Source, Ssa};

/// Registers.
pub mod alloc {
    pub use crate::alloc::{Allocation, MAX_GPRS};
}

/// Checks of each form.
pub mod check {
    pub use crate::check::{Checks, Code, CodeFault, Declared};
}

/// From TGSI to SSA.
pub mod lower {
    pub use crate::lower::lower;
}

/// Passes over SSA.
pub mod opt {
    pub use crate::opt::Goals;
}

/// What operations compute.
pub mod semantics {
    pub use crate::semantics::{evaluate, modify_output};
}

/// The SSA form.
pub mod ssa {
    pub use crate::ssa::*;
}
