//! Compiles WGSL to SPIR-V modules with naga.

mod overrides;

use std::ops::Range;
use std::path::Path;

use naga::back::spv;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use tgsi_spirv::Specialization;

use crate::input::{Input, TextInput};
use crate::problem::{Finding, Place, Problems};

/// Compiles the source at `path`. Overrides get the values in `given`, or else their own.
pub(super) fn compile(path: &Path, given: &[(u32, Specialization)]) -> Result<Input, Problems> {
    let input = TextInput::read(path)?;
    match module(&input.text, None, given) {
        Ok(words) => {
            let bytes = words.into_iter().flat_map(u32::to_le_bytes).collect();
            Ok(Input { name: input.name, bytes })
        }
        Err(finding) => Err(input.problem(*finding)),
    }
}

/// Compiles a text. If the name of its file is given, the module contains line information.
pub(super) fn module(
    text: &str,
    file: Option<&str>,
    given: &[(u32, Specialization)],
) -> Result<Vec<u32>, Box<Finding>> {
    let module = naga::front::wgsl::parse_str(text).map_err(|error| {
        let labels = error.labels().map(|(span, said)| (span.to_range(), said.to_owned()));
        Box::new(finding(error.message().to_owned(), labels))
    })?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    let info = validator.validate(&module).map_err(|error| {
        let labels = error.spans().map(|(span, said)| (span.to_range(), said.clone()));
        Box::new(finding(causes(error.as_inner()), labels))
    })?;
    let (module, info) = overrides::settled(&module, &info, given)?;
    let trace = |file_name| spv::DebugInfo {
        source_code: text,
        file_name,
        language: spv::SourceLanguage::WGSL,
    };
    let options = spv::Options { debug_info: file.map(trace), ..options() };
    spv::write_vec(&module, &info, &options, None)
        .map_err(|error| Box::new(Finding::error(causes(&error), Place::Whole)))
}

/// The options for naga: it keeps the clip space as written, adds no bounds on loops, and clears shared memory with the
/// whole group.
fn options() -> spv::Options<'static> {
    spv::Options {
        lang_version: (1, 3),
        flags: spv::WriterFlags::DEBUG | spv::WriterFlags::LABEL_VARYINGS,
        force_loop_bounding: false,
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::Native,
        ..spv::Options::default()
    }
}

/// A finding at the first of its places. The others are related places.
fn finding(
    message: String,
    labels: impl Iterator<Item = (Option<Range<usize>>, String)>,
) -> Finding {
    let mut places = labels.filter_map(|(span, said)| Some((span?, said)));
    let Some((first, label)) = places.next() else {
        return Finding::error(message, Place::Whole);
    };
    let related = places.collect();
    Finding { label, related, ..Finding::error(message, Place::Span(first)) }
}

/// An error followed by its causes.
fn causes(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        message.push_str(": ");
        message.push_str(&next.to_string());
        cause = next.source();
    }
    message
}
