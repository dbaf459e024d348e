#![doc = include_str!("../README.md")]
//!
//! [`translate`] takes a binary module and returns a [`Translation`] for each entry point: a [`tgsi_ir::Shader`] and
//! its [`interface::Interface`].
//!
//! ```
//! let list = tgsi_spirv::translate_words(tgsi_spirv::testing::RED, &Default::default())?;
//! assert_eq!(list[0].name, "main");
//! assert_eq!(list[0].interface.outputs[0].location, Some(0));
//! # Ok::<(), tgsi_spirv::Error>(())
//! ```
//!
//! # Invariants
//! - Any bytes give a result or an error. The error says whether the module is invalid or needs something that TGSI
//!   lacks. Memory stays in proportion to the module and the limits.
//! - This crate knows no chip. What only some chips lack is rejected by the compiler.

mod binary;
mod code;
mod constant;
mod debug;
mod decoration;
mod error;
mod fold;
pub mod interface;
mod module;
mod options;
mod specialization;
#[doc(hidden)]
pub mod testing;
mod translate;
mod types;

use tgsi_ir::validate::{Profile, Severity, validate};
use tgsi_ir::{Processor, Shader};

pub use binary::{MAGIC, is_spirv};
pub use error::{Error, ErrorKind, Place, SourceLine};
pub use options::{Environment, Mapping, Options, SetBinding};
pub use specialization::Specialization;

use binary::Inst;
use code::Spent;
use error::{Fault, broken, invalid};
use interface::Interface;
use module::{EntryPoint, Module, read};
use translate::{Failure, processor};

/// An entry point translated to a shader.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The entry point's name.
    pub name: String,
    /// The shader.
    pub shader: Shader,
    /// Its interface.
    pub interface: Interface,
    /// The origin of each instruction; `None` for the final `END`.
    pub origins: Vec<Option<Origin>>,
}

/// The origin of a shader's instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The first word of the module's instruction, counted from 0.
    pub word: usize,
    /// The source line, from `OpLine`.
    pub line: Option<SourceLine>,
}

/// Translates every entry point selected by the options.
///
/// # Errors
/// If the module breaks a rule of SPIR-V, needs something that TGSI or the hardware lacks, or exceeds the limits.
pub fn translate(bytes: &[u8], options: &Options) -> Result<Vec<Translation>, Error> {
    let words = binary::words(bytes).map_err(|fault| error(fault, Place::default()))?;
    translate_words(&words, options)
}

/// The names of the entry points selected by the options, in order. Nothing is translated.
///
/// # Errors
/// If code outside functions breaks a rule of SPIR-V or needs something that TGSI lacks, or if no entry point has the
/// given name and stage.
pub fn entry_points(bytes: &[u8], options: &Options) -> Result<Vec<String>, Error> {
    let words = binary::words(bytes).map_err(|fault| error(fault, Place::default()))?;
    let module = read_module(&words, options)?;
    Ok(wanted(&module, options)?.into_iter().map(|entry| entry.name.clone()).collect())
}

/// Translates every entry point selected by the options. The module is given as words in native byte order.
///
/// # Errors
/// As [`translate`].
pub fn translate_words(words: &[u32], options: &Options) -> Result<Vec<Translation>, Error> {
    let module = read_module(words, options)?;
    let mut spent = Spent::default();
    let mut list = Vec::new();
    for entry in wanted(&module, options)? {
        let translated = translate::translate(&module, entry, options, spent);
        let translated = translated.map_err(|failure| {
            let Failure { fault, place: at, function } = failure;
            error(fault, place(&module, at, function))
        })?;
        let translate::Translated { shader, interface, words, spent: so_far } = translated;
        spent = so_far;
        check(&shader).map_err(|fault| error(fault, Place::default()))?;
        let origin = |word: usize| Origin { word, line: module.debug.line(word) };
        let origins = words.into_iter().map(|word| word.map(origin)).collect();
        list.push(Translation { name: entry.name.clone(), shader, interface, origins });
    }
    Ok(list)
}

/// A module with at least one entry point.
fn read_module<'m>(words: &'m [u32], options: &Options) -> Result<Module<'m>, Error> {
    let mut module = Module::default();
    let mut at = None;
    read(words, options, &mut module, &mut at)
        .map_err(|fault| error(fault, place(&module, at, None)))?;
    if module.entry_points.is_empty() {
        return Err(error(invalid("the module has no entry point"), Place::default()));
    }
    Ok(module)
}

/// The entry points selected by the options.
fn wanted<'a>(module: &'a Module<'_>, options: &Options) -> Result<Vec<&'a EntryPoint>, Error> {
    let is_wanted = |entry: &&EntryPoint| {
        let has_stage = |stage: &Processor| processor(entry.model).is_ok_and(|own| own == *stage);
        options.entry.as_ref().is_none_or(|name| entry.name == *name)
            && options.stage.as_ref().is_none_or(has_stage)
    };
    let wanted: Vec<&EntryPoint> = module.entry_points.iter().filter(is_wanted).collect();
    if wanted.is_empty() {
        let names = module.entry_points.iter().map(|entry| format!("`{}`", entry.name));
        let names: Vec<String> = names.collect();
        let message = format!("the module's entry points are {}", names.join(", "));
        return Err(error(Fault { kind: ErrorKind::EntryPoint, message }, Place::default()));
    }
    Ok(wanted)
}

/// Rejects an invalid shader, in case no check of the module caught the error.
fn check(shader: &Shader) -> Result<(), Fault> {
    let findings = validate(shader, Profile::Full);
    match findings.iter().find(|finding| finding.code.severity() == Severity::Error) {
        Some(finding) => Err(broken(format!(
            "the translation breaks a rule: {}; check the module with `spirv-val`, and report it if it is valid",
            finding.message
        ))),
        None => Ok(()),
    }
}

fn error(fault: Fault, place: Place) -> Error {
    Error { kind: fault.kind, message: fault.message, place: place.into() }
}

/// The known parts of an instruction's place.
fn place(module: &Module<'_>, inst: Option<Inst<'_>>, function: Option<binary::Id>) -> Place {
    let name = function.map(|id| module.debug.name(id).to_owned()).filter(|name| !name.is_empty());
    let Some(inst) = inst else { return Place { function: name, ..Place::default() } };
    let has_result = inst.id(0).is_ok_and(|id| module.types.contains_key(&id));
    Place {
        word: Some(inst.at),
        instruction: Some(inst.name()),
        id: if has_result { inst.word(1).ok() } else { None },
        function: name,
        line: module.debug.line(inst.at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_know_their_origin() {
        let list = translate_words(testing::RED, &Options::default()).unwrap();
        let Translation { shader, origins, .. } = &list[0];
        assert_eq!(origins.len(), shader.instructions.len());
        assert_eq!(origins.last(), Some(&None));
        let word = origins[0].as_ref().unwrap().word;
        // Outputs are written at the function's return.
        assert_eq!(testing::RED[word] & 0xffff, 253);
    }
}
