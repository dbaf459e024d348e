//! Shaders.

use pyo3::prelude::*;
use tgsi_api::{CompileSettings, LinkSettings};

use crate::border::{call, to_bytes, to_words};
use crate::program::Program;

/// A shader that was read and found good.
#[pyclass(frozen)]
pub(crate) struct Shader(tgsi_api::Shader);

#[pymethods]
impl Shader {
    #[staticmethod]
    fn read(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        call(py, || tgsi_api::Shader::read(data).map(Self))
    }

    #[staticmethod]
    fn from_spirv(py: Python<'_>, data: &[u8], entry: &str) -> PyResult<Self> {
        call(py, || tgsi_api::Shader::from_spirv(data, Some(entry)).map(Self))
    }

    #[staticmethod]
    fn from_tokens(py: Python<'_>, words: &[u8]) -> PyResult<Self> {
        call(py, || tgsi_api::Shader::from_tokens(&to_words(words)?).map(Self))
    }

    fn text(&self, py: Python<'_>) -> PyResult<String> {
        call(py, || Ok(self.0.text()))
    }

    fn tokens(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        call(py, || self.0.tokens().map(|words| to_bytes(&words)))
    }

    fn warnings(&self, py: Python<'_>) -> PyResult<String> {
        call(py, || Ok(self.0.warnings().to_json()))
    }

    fn run(&self, py: Python<'_>, inputs: &str) -> PyResult<String> {
        call(py, || self.0.run(inputs))
    }

    fn compile(&self, py: Python<'_>, chip: &str, level: u32, precise: bool) -> PyResult<Program> {
        let settings = CompileSettings { level, precise };
        call(py, || self.0.compile(chip, &settings).map(Program))
    }
}

#[pyfunction]
pub(crate) fn link(
    py: Python<'_>,
    shaders: Vec<Py<Shader>>,
    level: u32,
    precise: bool,
    uniform_registers: bool,
) -> PyResult<Vec<u8>> {
    let settings = LinkSettings { compile: CompileSettings { level, precise }, uniform_registers };
    let shaders: Vec<_> = shaders.iter().map(|shader| &shader.get().0).collect();
    call(py, || tgsi_api::link(&shaders, &settings))
}
