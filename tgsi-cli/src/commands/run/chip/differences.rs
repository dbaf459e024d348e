//! Differences between code and interpreter, by channel and lane, with the lines of TGSI and of the listing that cause
//! them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use r600_codegen::Compiled;
use r600_isa::{Chip, ListingOptions};
use schemars::JsonSchema;
use serde::Serialize;
use tgsi_api::agreement::{Agreement, Difference};
use tgsi_ir::{File, InstructionId};

use crate::problem::Place;
use crate::shader::ShaderInput;

/// What is needed to explain differences.
pub(super) struct Report<'a> {
    pub(super) input: &'a ShaderInput,
    pub(super) chip: Chip,
    pub(super) compiled: &'a Compiled,
}

/// Maximum number of memory differences to show.
const SHOWN: usize = 16;
const CHANNELS: [char; 4] = ['x', 'y', 'z', 'w'];

impl Report<'_> {
    /// The differences, and how much was compared.
    pub(super) fn to_text(&self, agreement: &Agreement) -> String {
        let mut text = String::new();
        let mut by_channel: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
        let mut others = Vec::new();
        for difference in &agreement.differences {
            match *difference {
                Difference::Output { register, channel, lane, interpreter, chip } => {
                    let values = self.values(interpreter, chip);
                    by_channel
                        .entry((register, channel))
                        .or_default()
                        .push(format!("  lane {lane}: {values}"));
                }
                Difference::Missing { register, channel, lane, interpreter } => {
                    let chip = self.chip.name();
                    let value = shown(interpreter);
                    by_channel.entry((register, channel)).or_default().push(format!(
                        "  lane {lane}: nothing arrives on {chip}, {value} in the interpreter"
                    ));
                }
                Difference::Killed { lane, by_chip } => {
                    let chip = self.chip.name();
                    let who = if by_chip { chip } else { "the interpreter" };
                    others.push(format!("lane {lane} is killed by {who} alone"));
                }
                Difference::Buffer { buffer, word, interpreter, chip } => {
                    let values = self.values(interpreter, chip);
                    others.push(format!("word {word} of BUFFER[{buffer}]: {values}"));
                }
                Difference::Image { image, word, interpreter, chip } => {
                    let values = self.values(interpreter, chip);
                    others.push(format!("word {word} of IMAGE[{image}]: {values}"));
                }
                Difference::Counter { buffer, word, interpreter, chip } => {
                    let values = self.values(interpreter, chip);
                    others.push(format!("HWATOMIC[{buffer}][{word}]: {values}"));
                }
                Difference::Memory { word, interpreter, chip } => {
                    let values = self.values(interpreter, chip);
                    others.push(format!("word {word} of shared memory: {values}"));
                }
            }
        }
        // Writing to a string cannot fail.
        for line in others.iter().take(SHOWN) {
            let _ = writeln!(text, "{line}");
        }
        if others.len() > SHOWN {
            let _ = writeln!(text, "and {} more", others.len() - SHOWN);
        }
        for ((register, channel), lanes) in by_channel {
            let _ = writeln!(text, "OUT[{register}].{} differs:", CHANNELS[channel % 4]);
            let writers = self.writers(register, channel);
            for line in lanes.iter().chain(&self.sources(&writers)).chain(&self.listed(&writers)) {
                let _ = writeln!(text, "{line}");
            }
        }
        text + &self.summary(agreement)
    }

    fn summary(&self, agreement: &Agreement) -> String {
        let Agreement { differences, exact, near, open } = agreement;
        let (chip, total) = (self.chip.name(), agreement.total());
        if total == 0 {
            return format!("{chip} and the interpreter have no value that can be compared\n");
        }
        let open = match open {
            0 => String::new(),
            open => format!(", {open} left open by infinities, NaN or errors"),
        };
        let verdict = match differences.len() {
            0 => format!("{chip} agrees with the interpreter"),
            count => format!("{chip} differs from the interpreter in {count} of {total} values"),
        };
        format!("{verdict}: {exact} exact, {near} within the tolerances of their opcodes{open}\n")
    }

    fn values(&self, interpreter: u32, chip: u32) -> String {
        format!(
            "{} on {}, {} in the interpreter",
            shown(chip),
            self.chip.name(),
            shown(interpreter)
        )
    }

    /// The instructions that write a channel of an output.
    fn writers(&self, register: usize, channel: usize) -> Vec<InstructionId> {
        let writes = |dst: &tgsi_ir::Dst| {
            let is_it =
                dst.reg.indirect.is_some() || usize::try_from(dst.reg.index) == Ok(register);
            dst.reg.file == File::Output && is_it && dst.mask.bits() >> channel & 1 == 1
        };
        let instructions = (0..).zip(&self.input.shader.instructions);
        let writers = instructions.filter(|(_, inst)| inst.dst.iter().any(writes));
        writers.map(|(number, _)| InstructionId(number)).collect()
    }

    /// The line number and the text of an instruction.
    fn source(&self, id: InstructionId) -> Option<(usize, &str)> {
        let Place::Span(span) = self.input.instruction_place(id) else { return None };
        let text = &self.input.input.text;
        let (line, _) = tgsi_text::line_and_column(text, span.start);
        Some((line, text.get(span)?))
    }

    fn sources(&self, writers: &[InstructionId]) -> Vec<String> {
        let sources = writers.iter().filter_map(|&id| self.source(id));
        let name = &self.input.input.name;
        sources.map(|(line, text)| format!("  {name}:{line}: {text}")).collect()
    }

    /// The lines of the listing that come from one of the instructions.
    fn listing(&self, writers: &[InstructionId]) -> Vec<String> {
        let program = &self.compiled.program;
        let (listing, places) = program.listing_with_places(ListingOptions::default());
        let is_theirs = |place: r600_isa::ListingPlace| {
            let is_clause = matches!(place, r600_isa::ListingPlace::Cf { clause: Some(_), .. });
            let origins = self.compiled.origins.at(place);
            !is_clause && origins.iter().any(|origin| writers.contains(origin))
        };
        let lines = listing.lines().zip(places).filter(|(_, place)| is_theirs(*place));
        lines.map(|(line, _)| line.trim().to_owned()).collect()
    }

    fn listed(&self, writers: &[InstructionId]) -> Vec<String> {
        let lines = self.listing(writers).into_iter();
        lines.map(|line| format!("  {}: {line}", self.chip.name())).collect()
    }

    /// The differences as JSON, with the same explanations.
    pub(super) fn to_json(&self, agreement: &Agreement) -> Vec<DifferenceJson> {
        agreement.differences.iter().map(|difference| self.difference_json(difference)).collect()
    }

    fn difference_json(&self, difference: &Difference) -> DifferenceJson {
        let none = DifferenceJson::default();
        let values = |interpreter: u32, chip: u32| {
            let [interpreter, chip] = [interpreter, chip].map(|bits| Some(format!("{bits:#010x}")));
            DifferenceJson { interpreter, chip, ..DifferenceJson::default() }
        };
        match *difference {
            Difference::Output { register, channel, lane, interpreter, chip } => {
                let writers = self.writers(register, channel);
                let lines = writers.iter().filter_map(|&id| self.source(id));
                DifferenceJson {
                    output: Some(format!("OUT[{register}]")),
                    channel: Some(CHANNELS[channel % 4]),
                    lane: Some(lane),
                    lines: Some(lines.map(|(line, _)| line).collect()),
                    listing: Some(self.listing(&writers)),
                    ..values(interpreter, chip)
                }
            }
            Difference::Missing { register, channel, lane, interpreter } => {
                let there = Difference::Output { register, channel, lane, interpreter, chip: 0 };
                DifferenceJson { chip: None, ..self.difference_json(&there) }
            }
            Difference::Killed { lane, by_chip } => {
                DifferenceJson { lane: Some(lane), killed_by_chip: Some(by_chip), ..none }
            }
            Difference::Buffer { buffer, word, interpreter, chip } => DifferenceJson {
                buffer: Some(buffer),
                word: Some(word),
                ..values(interpreter, chip)
            },
            Difference::Image { image, word, interpreter, chip } => {
                DifferenceJson { image: Some(image), word: Some(word), ..values(interpreter, chip) }
            }
            Difference::Counter { buffer, word, interpreter, chip } => DifferenceJson {
                counters: Some(buffer),
                word: Some(word),
                ..values(interpreter, chip)
            },
            Difference::Memory { word, interpreter, chip } => {
                DifferenceJson { memory_word: Some(word), ..values(interpreter, chip) }
            }
        }
    }
}

/// A float, with its bits.
fn shown(bits: u32) -> String {
    format!("{:?} ({bits:08x})", f32::from_bits(bits))
}

/// A value that differs: a channel of an output, or a word of memory, or whether a lane is killed.
#[derive(Default, Serialize, JsonSchema)]
pub(crate) struct DifferenceJson {
    /// The buffer that the word is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    buffer: Option<u32>,
    /// The channel of the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<char>,
    /// The buffer of counters (`HWATOMIC`) that the word is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    counters: Option<u32>,
    /// The bits that the code leaves; left out where nothing arrives.
    #[serde(skip_serializing_if = "Option::is_none")]
    chip: Option<String>,
    /// The image that the word is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<u32>,
    /// The bits that the interpreter leaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    interpreter: Option<String>,
    /// Whether the code kills the lane, and the interpreter does not, or the other way round.
    #[serde(skip_serializing_if = "Option::is_none")]
    killed_by_chip: Option<bool>,
    /// The lane.
    #[serde(skip_serializing_if = "Option::is_none")]
    lane: Option<usize>,
    /// Lines of the shader that write the channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<usize>>,
    /// Lines of the listing that come from them.
    #[serde(skip_serializing_if = "Option::is_none")]
    listing: Option<Vec<String>>,
    /// The number of a word of shared memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_word: Option<usize>,
    /// The output: `OUT[0]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    /// The number of the word in its buffer or image.
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<usize>,
}
