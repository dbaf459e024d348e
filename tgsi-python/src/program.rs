//! Programs.

use pyo3::prelude::*;
use tgsi_api::Simulation;

use crate::border::{call, to_bytes, to_words};

/// A compiled shader.
#[pyclass(frozen)]
pub(crate) struct Program(pub(crate) tgsi_api::Program);

#[pymethods]
impl Program {
    fn words(&self) -> Vec<u8> {
        to_bytes(self.0.words())
    }

    fn listing(&self, py: Python<'_>) -> PyResult<String> {
        call(py, || Ok(self.0.listing()))
    }

    fn json(&self, py: Python<'_>) -> PyResult<String> {
        call(py, || Ok(self.0.to_json()))
    }

    fn simulate(&self, py: Python<'_>, inputs: &str) -> PyResult<String> {
        call(py, || self.0.simulate(inputs))
    }
}

#[pyfunction]
pub(crate) fn assemble(py: Python<'_>, listing: &str, chip: &str) -> PyResult<Vec<u8>> {
    call(py, || tgsi_api::assemble(listing, chip).map(|words| to_bytes(&words)))
}

#[pyfunction]
pub(crate) fn disassemble(py: Python<'_>, words: &[u8], chip: &str) -> PyResult<String> {
    call(py, || tgsi_api::disassemble(&to_words(words)?, chip))
}

#[pyfunction]
pub(crate) fn simulate(
    py: Python<'_>,
    words: &[u8],
    chip: &str,
    stage: &str,
    inputs: &str,
) -> PyResult<String> {
    call(py, || Simulation::new(chip, stage).run(&to_words(words)?, inputs))
}
