//! What the caller may say.

use std::collections::BTreeMap;

use tgsi_ir::Processor;

use crate::specialization::Specialization;

/// How modules are translated.
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
    /// Values of specialisation constants by `SpecId`. Those that the module does not have are ignored.
    pub specialization: BTreeMap<u32, Specialization>,
    /// The name of the entry points that are translated; all by default. Entry points of different stages may share one.
    pub entry: Option<String>,
    /// The stage of the entry points that are translated; all by default.
    pub stage: Option<Processor>,
    /// What the module is for.
    pub environment: Environment,
    /// Where resources go.
    pub mapping: Mapping,
    /// Instructions that the shaders may have, those of all entry points that are translated together; inlining makes
    /// shaders grow.
    pub max_instructions: usize,
    /// Whether copies and what nobody reads are taken out. Tests compare both.
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
    /// The same with other values of specialisation constants.
    #[must_use]
    pub fn specialization(mut self, specialization: BTreeMap<u32, Specialization>) -> Self {
        self.specialization = specialization;
        self
    }

    /// The same for entry points of this name only.
    #[must_use]
    pub fn entry(mut self, name: impl Into<String>) -> Self {
        self.entry = Some(name.into());
        self
    }

    /// The same for entry points of this stage only.
    #[must_use]
    pub fn stage(mut self, stage: Processor) -> Self {
        self.stage = Some(stage);
        self
    }

    /// The same for modules of another environment.
    #[must_use]
    pub fn environment(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }

    /// The same with resources elsewhere.
    #[must_use]
    pub fn mapping(mut self, mapping: Mapping) -> Self {
        self.mapping = mapping;
        self
    }

    /// The same with another limit of instructions.
    #[must_use]
    pub fn max_instructions(mut self, max_instructions: usize) -> Self {
        self.max_instructions = max_instructions;
        self
    }

    /// The same with copies taken out or left.
    #[doc(hidden)]
    #[must_use]
    pub fn tidy(mut self, is_tidy: bool) -> Self {
        self.is_tidy = is_tidy;
        self
    }
}

/// What a module is for, where the rules differ and the module does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Environment {
    /// Vulkan: an attribute of three or four 64-bit components takes two locations.
    #[default]
    Vulkan,
    /// OpenGL: an attribute takes one location, whatever its components. Where it fills two registers, both are of
    /// that location.
    OpenGl,
}

/// A descriptor set and a binding in it.
pub type SetBinding = (u32, u32);

/// Register numbers for resources by descriptor set and binding. What is not listed gets the lowest
/// number that is free, in the order of sets and bindings.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    /// First subscripts of `CONST`. By default, buffer 0 holds uniforms outside blocks and push
    /// constants, and blocks follow from 1 on.
    pub constants: BTreeMap<SetBinding, u16>,
    /// Numbers of `SAMP` and `SVIEW`, of images that come with a sampler or without.
    pub textures: BTreeMap<SetBinding, u16>,
    /// Numbers of `BUFFER`.
    pub buffers: BTreeMap<SetBinding, u16>,
    /// Numbers of `IMAGE`.
    pub images: BTreeMap<SetBinding, u16>,
}
