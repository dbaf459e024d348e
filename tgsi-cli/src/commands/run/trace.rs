//! `--trace`: every instruction with the values it writes.

use tgsi_exec::{Quad, Tracer};
use tgsi_ir::{InstructionId, Shader};
use tgsi_text::{Style, print};

use crate::report::line;

/// Prints executed instructions to standard error.
pub(super) struct Printer {
    /// The text of each instruction.
    lines: Vec<String>,
}

impl Printer {
    pub(super) fn new(shader: &Shader) -> Self {
        let text = print(shader, Style::Mesa);
        let is_numbered = |line: &&str| {
            line.split_once(':').is_some_and(|(n, _)| n.trim().parse::<u32>().is_ok())
        };
        Self { lines: text.lines().filter(is_numbered).map(str::to_owned).collect() }
    }
}

impl Tracer for Printer {
    fn step(&mut self, at: InstructionId, active: u8) {
        let text = self.lines.get(at.index()).map_or("", |line| line.as_str());
        match active {
            0b1111 => line(text),
            0 => line(&format!("{text}  (no lane)")),
            _ => line(&format!("{text}  (lanes {})", lanes(active))),
        }
    }

    fn wrote(&mut self, active: u8, mask: u8, values: &Quad) {
        for (lane, vector) in values.iter().enumerate().filter(|(lane, _)| active >> lane & 1 == 1)
        {
            let channels = ['x', 'y', 'z', 'w'].into_iter().zip(vector).enumerate();
            let written: Vec<String> = channels
                .filter(|(channel, _)| mask >> channel & 1 == 1)
                .map(|(_, (name, bits))| format!("{name} {:?} ({bits:08x})", f32::from_bits(*bits)))
                .collect();
            line(&format!("       lane {lane}: {}", written.join(", ")));
        }
    }
}

fn lanes(active: u8) -> String {
    let lanes = (0..4_u8).filter(|lane| active >> lane & 1 == 1);
    lanes.map(|lane| lane.to_string()).collect::<Vec<_>>().join(" ")
}
