//! Models one thread's TEX or TLDS: its reads, its lookup, and its writes.
//!
//! The caller supplies the texture unit: [`TextureUnit`] gets a [`Lookup`] with every operand unpacked and returns a
//! [`Texel`]. [`Quad`](crate::Quad) determines which threads take part, and whether they diverge.

use crate::effects::{Written, reads, writes};
use crate::generated::enums::{Lod, ParamA};
use crate::generated::packing::Value;
use crate::half::{Rounding, half_bits};
use crate::index::TexIndex;
use crate::instruction::Instruction;
use crate::register::{Pred, Reg};
use crate::tex::Texture;
use crate::word::{ArrayClamp, Handle, LodClamp, Offsets};

/// The registers of one thread. RZ and PT never reach it.
pub trait Registers {
    /// The content of a register.
    fn read(&self, reg: Reg) -> u32;
    /// Replaces the content of a register.
    fn write(&mut self, reg: Reg, bits: u32);
    /// The content of a predicate.
    fn read_pred(&self, pred: Pred) -> bool;
    /// Replaces the content of a predicate.
    fn write_pred(&mut self, pred: Pred, value: bool);
}

/// Looks up texels.
pub trait TextureUnit {
    /// Performs one lookup.
    fn look_up(&mut self, lookup: &Lookup) -> Texel;

    /// How results of `.F16` are rounded.
    fn rounding(&self) -> Rounding {
        Rounding::Nearest
    }
}

/// An access with its operands unpacked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lookup {
    /// Header and sampler.
    pub texture: TextureRef,
    /// The shape.
    pub shape: ParamA,
    /// Coordinates and level of detail.
    pub access: LookupAccess,
    /// The layer, for shapes with layers.
    pub array: Option<u16>,
    /// Texel offsets.
    pub offsets: Option<Offsets>,
}

/// Header and sampler of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureRef {
    /// A word of the constant bank holds them.
    Indexed(TexIndex),
    /// A register held them.
    Bindless(Handle),
}

/// The operands that differ between the two instructions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LookupAccess {
    /// TEX.
    Sample {
        /// Coordinates; those that the shape lacks are 0.
        coords: [f32; 3],
        /// How the level of detail is chosen.
        lod: Lod,
        /// The level or bias, 0 without one.
        level: f32,
        /// The least level of detail.
        clamp: Option<LodClamp>,
        /// The value to compare depth with (`.DC`). In a mode with a level or a bias, it counts only if the sampler
        /// enables comparison.
        reference: Option<f32>,
    },
    /// TLDS.
    Load {
        /// Coordinates in texels; those that the shape lacks are 0.
        coords: [i32; 3],
        /// The level.
        level: u32,
        /// The sample (`.MS`).
        sample: Option<u32>,
    },
}

/// The result of a lookup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Texel {
    /// The bits of R, G, B and A: floats or integers, as the texture has them.
    pub components: [u32; 4],
    /// Whether a page was touched that is valid but not mapped.
    pub sparse: bool,
}

/// Executes an instruction for one thread. Returns the lookup, or `None` if the guard is false.
///
/// Vectors that pass R254, which the rules forbid, read 0 and drop writes there.
pub fn execute(
    instruction: &Instruction,
    registers: &mut impl Registers,
    unit: &mut impl TextureUnit,
) -> Option<Lookup> {
    let guard = instruction.guard();
    if !guard.passes(guard.pred.is_pt() || registers.read_pred(guard.pred)) {
        return None;
    }
    let lookup = unpack(instruction, registers);
    let texel = unit.look_up(&lookup);
    for write in writes(instruction).iter().filter(|write| !write.reg.is_rz()) {
        registers.write(write.reg, result_bits(write.result, &texel, unit.rounding()));
    }
    if let Instruction::Tex(tex) = instruction
        && !tex.ps.is_pt()
    {
        registers.write_pred(tex.ps, texel.sparse);
    }
    Some(lookup)
}

fn result_bits(result: Written, texel: &Texel, rounding: Rounding) -> u32 {
    let component = |component| texel.components[component as usize];
    let half = |which| u32::from(half_bits(component(which), rounding));
    match result {
        Written::Word(which) => component(which),
        Written::Halves(low, None) => half(low),
        Written::Halves(low, Some(high)) => half(low) | half(high) << 16,
    }
}

/// Unpacks the operands of an instruction from registers.
pub fn unpack(instruction: &Instruction, registers: &impl Registers) -> Lookup {
    let words = Words::read(instruction, registers);
    match instruction {
        Instruction::Tex(tex) => Lookup {
            texture: match tex.texture {
                Texture::Indexed(index) => TextureRef::Indexed(index),
                Texture::Bindless { .. } => {
                    TextureRef::Bindless(Handle::from_word(words.get(Value::Handle)))
                }
            },
            shape: tex.param,
            access: LookupAccess::Sample {
                coords: words.coords().map(f32::from_bits),
                lod: tex.lod,
                level: f32::from_bits(words.get(Value::Lod)),
                clamp: tex.lc.then(|| words.array_clamp().clamp),
                reference: tex.dc.then(|| f32::from_bits(words.get(Value::Reference))),
            },
            array: tex.param.is_array().then(|| words.array_clamp().array),
            offsets: tex.aoffi.then(|| words.offsets()),
        },
        Instruction::Tlds(tlds) => {
            let has = |value| words.find(value).is_some();
            Lookup {
                texture: TextureRef::Indexed(tlds.index),
                shape: tlds.form.modes().map_or(ParamA::D1, |modes| modes.param),
                access: LookupAccess::Load {
                    coords: words.coords().map(u32::cast_signed),
                    level: words.get(Value::Lod),
                    sample: words.find(Value::Sample),
                },
                array: has(Value::Array).then(|| words.array_clamp().array),
                offsets: has(Value::Offsets).then(|| words.offsets()),
            }
        }
    }
}

/// The values that an instruction read; no instruction reads more than eight.
struct Words {
    list: [Option<(Value, u32)>; 8],
}

impl Words {
    fn read(instruction: &Instruction, registers: &impl Registers) -> Self {
        let mut list = [None; 8];
        for (place, read) in list.iter_mut().zip(reads(instruction)) {
            let bits = if read.reg.is_rz() { 0 } else { registers.read(read.reg) };
            *place = Some((read.value, bits));
        }
        Self { list }
    }

    fn find(&self, value: Value) -> Option<u32> {
        self.list.iter().flatten().find(|(other, _)| *other == value).map(|(_, bits)| *bits)
    }

    /// The value, or 0 if the instruction has none.
    fn get(&self, value: Value) -> u32 {
        self.find(value).unwrap_or(0)
    }

    fn coords(&self) -> [u32; 3] {
        [Value::S, Value::T, Value::R].map(|value| self.get(value))
    }

    fn offsets(&self) -> Offsets {
        Offsets::from_word(self.get(Value::Offsets))
    }

    /// The layer, the clamp, or both: whatever the instruction has in that register.
    fn array_clamp(&self) -> ArrayClamp {
        let holders = [Value::Array, Value::ArrayClamp, Value::Clamp];
        let bits = holders.iter().find_map(|&value| self.find(value)).unwrap_or(0);
        ArrayClamp::from_word(bits)
    }
}
