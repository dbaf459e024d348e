//! Random shaders that each focus on one topic which general random shaders seldom hit in the form that fails.
//!
//! - Indices that loops carry in ordinary registers, for every file that supports them, in sources, destinations and
//!   second dimensions, of arrays that fit in the registers and of some that do not.
//! - Sums of products of every shape, with edge-case constants: both zeros, denormals, the largest numbers, and the
//!   last constants of the last buffers.
//! - Floats and integers in the same registers, and 64-bit integers and doubles, shown bit by bit.
//! - Loops whose exit depends on the sign of a zero.
//! - Equal or nearly equal fetches, with distinguishable samplers and views, in branches and after them.

mod bits;
mod exits;
mod fetches;
mod indices;
mod products;

use std::fmt::Write as _;

use tgsi_ir::Shader;

use crate::random::Random;

const CHANNELS: [char; 4] = ['x', 'y', 'z', 'w'];
/// Inputs and outputs of each shader.
const NUM_REGISTERS: usize = 4;

/// The topic of a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Indices at run time.
    Indices,
    /// Sums of products, and edge-case constants.
    Products,
    /// Floats and integers in the same registers.
    Mixed,
    /// 64-bit integers.
    Wide,
    /// Doubles.
    Doubles,
    /// Equal fetches.
    Fetches,
    /// Loops whose exit depends on the sign of a zero.
    Exits,
}

impl Topic {
    /// All topics.
    pub const ALL: [Self; 7] = [
        Self::Indices,
        Self::Products,
        Self::Mixed,
        Self::Wide,
        Self::Doubles,
        Self::Fetches,
        Self::Exits,
    ];

    /// The topic of a seed.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        Self::ALL[(seed % Self::ALL.len() as u64) as usize]
    }
}

/// The shader of a seed, a fragment shader.
#[must_use]
pub fn shader(seed: u64) -> Shader {
    tgsi_text::parse(&text(seed)).shader
}

fn text(seed: u64) -> String {
    let mut writer = Writer { random: Random::new(seed), ..Writer::default() };
    match Topic::of(seed) {
        Topic::Indices => indices::write(&mut writer),
        Topic::Products => products::write(&mut writer),
        Topic::Mixed => bits::write_mixed(&mut writer),
        Topic::Wide => bits::write_wide(&mut writer),
        Topic::Doubles => bits::write_doubles(&mut writer),
        Topic::Fetches => fetches::write(&mut writer),
        Topic::Exits => exits::write(&mut writer),
    }
    writer.finish()
}

/// A shader under construction.
#[derive(Clone)]
struct Writer {
    random: Random,
    declarations: String,
    immediates: Vec<u32>,
    code: String,
}

impl Default for Writer {
    fn default() -> Self {
        let (declarations, immediates, code) = Default::default();
        Self { random: Random::new(0), declarations, immediates, code }
    }
}

impl Writer {
    fn declare(&mut self, line: &str) {
        let _ = writeln!(self.declarations, "DCL {line}");
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.code, "{line}");
    }

    /// A register with these bits in all channels.
    fn immediate(&mut self, bits: u32) -> String {
        let known = self.immediates.iter().position(|known| *known == bits);
        let at = known.unwrap_or_else(|| {
            self.immediates.push(bits);
            self.immediates.len() - 1
        });
        format!("IMM[{at}]")
    }

    fn channel(&mut self) -> char {
        self.random.pick(&CHANNELS)
    }

    /// A random swizzle of a register.
    fn swizzled(&mut self, register: &str) -> String {
        if self.random.once_in(3) {
            return register.to_owned();
        }
        let channels: String = CHANNELS.iter().map(|_| self.channel()).collect();
        format!("{register}.{channels}")
    }

    /// A random write mask after a register.
    fn masked(&mut self, register: &str) -> String {
        let bits = self.random.below(16);
        if bits == 0 {
            return register.to_owned();
        }
        let channels = CHANNELS.iter().enumerate().filter(|(n, _)| bits >> n & 1 == 1);
        format!("{register}.{}", channels.map(|(_, channel)| channel).collect::<String>())
    }

    /// A float operand with random signs.
    fn signed(&mut self, operand: &str) -> String {
        match self.random.below(6) {
            0 => format!("-{operand}"),
            1 => format!("|{operand}|"),
            2 => format!("-|{operand}|"),
            _ => operand.to_owned(),
        }
    }

    /// One of the operations, each with its number of sources, on channels of one of this many temporaries.
    fn operation(
        &mut self,
        operations: &[(&str, usize)],
        num_temps: usize,
        source: fn(&mut Self) -> String,
    ) {
        let (opcode, count) = self.random.pick(operations);
        let sources: Vec<String> = (0..count).map(|_| source(self)).collect();
        let temp = self.random.below(num_temps);
        let target = self.masked(&format!("TEMP[{temp}]"));
        let clamp = if self.random.once_in(5) { "_SAT" } else { "" };
        self.line(&format!("{opcode}{clamp} {target}, {}", sources.join(", ")));
    }

    /// Shows two registers bit by bit. Floats hold half-words exactly.
    fn show_bits(&mut self, registers: [&str; 2], scratch: &str) {
        let (mask, half) = (self.immediate(0xffff), self.immediate(16));
        for (number, register) in registers.into_iter().enumerate() {
            let [low, high] = [2 * number, 2 * number + 1];
            self.line(&format!("AND {scratch}, {register}, {mask}"));
            self.line(&format!("U2F OUT[{low}], {scratch}"));
            self.line(&format!("USHR {scratch}, {register}, {half}"));
            self.line(&format!("U2F OUT[{high}], {scratch}"));
        }
    }

    fn finish(self) -> String {
        let mut text = String::from("FRAG\n");
        for number in 0..NUM_REGISTERS {
            let _ = writeln!(text, "DCL IN[{number}], GENERIC[{number}], CONSTANT");
        }
        for number in 0..NUM_REGISTERS {
            let _ = writeln!(text, "DCL OUT[{number}], COLOR[{number}]");
        }
        text.push_str(&self.declarations);
        for bits in self.immediates {
            let _ = writeln!(text, "IMM UINT32 {{{bits}, {bits}, {bits}, {bits}}}");
        }
        text.push_str(&self.code);
        text.push_str("END\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shaders_are_valid() {
        for seed in 0..600 {
            let text = text(seed);
            let parsed = tgsi_text::parse(&text);
            assert!(parsed.diagnostics.is_empty(), "{seed}: {:?}\n{text}", parsed.diagnostics);
            assert!(tgsi_exec::Kernel::new(&parsed.shader).is_ok(), "{seed}\n{text}");
        }
    }
}
