//! Whether the outputs of one stage are what the next one reads.
//!
//! ```
//! use tgsi_ir::build::ShaderBuilder;
//! use tgsi_ir::fit::misfits;
//! use tgsi_ir::{Interpolation, Processor, Semantic};
//!
//! let mut b = ShaderBuilder::new(Processor::Vertex);
//! let (position, attribute) = (b.output(Semantic::Position, 0), b.vertex_input());
//! b.mov(position, attribute);
//! let vertex = b.finish()?;
//! let mut b = ShaderBuilder::new(Processor::Fragment);
//! let read = b.interpolated_input(Semantic::Generic, 3, Interpolation::Perspective);
//! let color = b.output(Semantic::Color, 0);
//! b.mov(color, read);
//! let found = misfits(&vertex, &b.finish()?);
//! assert_eq!(found[0].to_string(), "GENERIC[3] is read, but the previous stage does not write it");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;
use std::fmt;

use crate::scan::{Io, scan};
use crate::{Processor, Semantic, Shader, WriteMask};

/// An input that the stage before leaves undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// What the input means.
    pub semantic: (Semantic, u16),
    /// Channels that are read and not written: all that are read where nothing is written.
    pub channels: WriteMask,
    /// Whether the stage before writes others.
    pub is_partial: bool,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.semantic.0.name().unwrap_or("an input");
        write!(f, "{name}[{}]", self.semantic.1)?;
        if self.is_partial {
            let letters = ['x', 'y', 'z', 'w'].into_iter().enumerate();
            let own = letters.filter(|(n, _)| self.channels.bits() >> n & 1 == 1);
            write!(f, ".{}", own.map(|(_, letter)| letter).collect::<String>())?;
        }
        write!(f, " is read, but the previous stage does not write it")
    }
}

/// The inputs of `consumer` that `producer` leaves undefined, in the order of their meanings. What the hardware
/// supplies is no input of this kind.
#[must_use]
pub fn misfits(producer: &Shader, consumer: &Shader) -> Vec<Misfit> {
    let written = by_meaning(&scan(producer).outputs);
    let read = by_meaning(&scan(consumer).inputs);
    let misfit = |(&semantic, &channels): (&(Semantic, u16), &WriteMask)| {
        let own = written.get(&semantic).copied();
        let missing =
            WriteMask::from_bits(channels.bits() & !own.unwrap_or(WriteMask::NONE).bits());
        let is_misfit = missing != WriteMask::NONE && !is_supplied(consumer.processor, semantic.0);
        is_misfit.then_some(Misfit { semantic, channels: missing, is_partial: own.is_some() })
    };
    read.iter().filter_map(misfit).collect()
}

/// Channels in use by meaning; two registers of one meaning add up.
fn by_meaning(registers: &[Io]) -> BTreeMap<(Semantic, u16), WriteMask> {
    let mut all = BTreeMap::new();
    for io in registers.iter().filter(|io| io.used != WriteMask::NONE) {
        let Some(semantic) = io.semantic else { continue };
        let mask = all.entry((semantic.name, semantic.index)).or_insert(WriteMask::NONE);
        *mask = WriteMask::from_bits(mask.bits() | io.used.bits());
    }
    all
}

/// Whether something else than the stage before provides an input.
fn is_supplied(consumer: Processor, semantic: Semantic) -> bool {
    let of_rasteriser = matches!(
        semantic,
        Semantic::Position
            | Semantic::Face
            | Semantic::Pcoord
            | Semantic::Samplemask
            | Semantic::Layer
            | Semantic::ViewportIndex
    );
    semantic == Semantic::Primid || consumer == Processor::Fragment && of_rasteriser
}

#[cfg(test)]
mod tests {
    use super::misfits;
    use crate::build::ShaderBuilder;
    use crate::{Interpolation, Processor, Semantic, Shader, WriteMask};

    fn vertex(mask: WriteMask) -> Shader {
        let mut b = ShaderBuilder::new(Processor::Vertex);
        let (out, attribute) = (b.output(Semantic::Generic, 1), b.vertex_input());
        b.mov(out.mask(mask), attribute);
        b.finish().expect("the shader is good")
    }

    fn fragment(index: u16) -> Shader {
        let mut b = ShaderBuilder::new(Processor::Fragment);
        let read = b.interpolated_input(Semantic::Generic, index, Interpolation::Perspective);
        let place = b.interpolated_input(Semantic::Position, 0, Interpolation::Linear);
        let color = b.output(Semantic::Color, 0);
        b.add(color, read, place);
        b.finish().expect("the shader is good")
    }

    #[test]
    fn channels_that_nothing_writes_are_named() {
        let texts = |vertex: &Shader, fragment: &Shader| -> Vec<String> {
            misfits(vertex, fragment).iter().map(ToString::to_string).collect()
        };
        assert_eq!(texts(&vertex(WriteMask::XYZW), &fragment(1)), [""; 0]);
        let partial = "GENERIC[1].zw is read, but the previous stage does not write it";
        assert_eq!(texts(&vertex(WriteMask::XY), &fragment(1)), [partial]);
        let missing = "GENERIC[2] is read, but the previous stage does not write it";
        assert_eq!(texts(&vertex(WriteMask::XYZW), &fragment(2)), [missing]);
    }
}
