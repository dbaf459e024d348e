//! Options for the translation.

use std::collections::BTreeMap;

use tgsi_ir::Processor;

use crate::specialization::Specialization;

/// Options for the translation.
///
/// ```
/// use tgsi_spirv::Options;
///
/// let options = Options::default().max_instructions(4096);
/// assert!(options.specialization.is_empty());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Values of specialisation constants by `SpecId`. Unknown ids are ignored.
    pub specialization: BTreeMap<u32, Specialization>,
    /// The name of the entry points to translate; all by default. Entry points of different stages may share one.
    pub entry: Option<String>,
    /// The stage of the entry points to translate; all by default.
    pub stage: Option<Processor>,
    /// The environment that the module targets.
    pub environment: Environment,
    /// Register numbers of resources.
    pub mapping: Mapping,
    /// Maximum number of instructions of all translated entry points together. Inlining makes shaders grow.
    pub max_instructions: usize,
    /// Whether copies and dead code are removed. Tests compare both.
    #[doc(hidden)]
    pub is_tidy: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            specialization: BTreeMap::new(),
            entry: None,
            stage: None,
            environment: Environment::default(),
            mapping: Mapping::default(),
            max_instructions: 131_072,
            is_tidy: true,
        }
    }
}

impl Options {
    /// The same options with other values of specialisation constants.
    #[must_use]
    pub fn specialization(mut self, specialization: BTreeMap<u32, Specialization>) -> Self {
        self.specialization = specialization;
        self
    }

    /// The same options for entry points of this name only.
    #[must_use]
    pub fn entry(mut self, name: impl Into<String>) -> Self {
        self.entry = Some(name.into());
        self
    }

    /// The same options for entry points of this stage only.
    #[must_use]
    pub fn stage(mut self, stage: Processor) -> Self {
        self.stage = Some(stage);
        self
    }

    /// The same options for modules of another environment.
    #[must_use]
    pub fn environment(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }

    /// The same options with other register numbers for resources.
    #[must_use]
    pub fn mapping(mut self, mapping: Mapping) -> Self {
        self.mapping = mapping;
        self
    }

    /// The same options with another limit on instructions.
    #[must_use]
    pub fn max_instructions(mut self, max_instructions: usize) -> Self {
        self.max_instructions = max_instructions;
        self
    }

    /// The same options with copies removed or kept.
    #[doc(hidden)]
    #[must_use]
    pub fn tidy(mut self, is_tidy: bool) -> Self {
        self.is_tidy = is_tidy;
        self
    }
}

/// The environment that a module targets. It matters where the rules differ and the module does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Environment {
    /// Vulkan: an attribute of three or four 64-bit components takes two locations.
    #[default]
    Vulkan,
    /// OpenGL: an attribute takes one location, whatever its components. If it fills two registers, both belong to that
    /// location.
    OpenGl,
}

/// A descriptor set and a binding in it.
pub type SetBinding = (u32, u32);

/// Register numbers for resources by descriptor set and binding. A resource not listed gets the lowest free number, in
/// the order of sets and bindings.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    /// First subscripts of `CONST`. By default, buffer 0 holds uniforms outside blocks and push constants, and blocks
    /// follow from 1.
    pub constants: BTreeMap<SetBinding, u16>,
    /// Numbers of `SAMP` and `SVIEW`, for images with or without a sampler.
    pub textures: BTreeMap<SetBinding, u16>,
    /// Numbers of `BUFFER`.
    pub buffers: BTreeMap<SetBinding, u16>,
    /// Numbers of `IMAGE`.
    pub images: BTreeMap<SetBinding, u16>,
}
