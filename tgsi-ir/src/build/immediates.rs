//! Immediates: vectors are stored once, scalars share vectors.

use std::collections::HashMap;

use crate::{Component, File, Immediate, ImmediateType, Register, Src, Swizzle};

use super::{BuildError, ShaderBuilder};

/// The immediates so far.
#[derive(Debug, Default)]
pub(super) struct Immediates {
    list: Vec<Immediate>,
    vectors: HashMap<(ImmediateType, [u32; 4]), usize>,
    scalars: HashMap<(ImmediateType, u32), (usize, Component)>,
    /// The immediate of each type that still has room for scalars.
    open: HashMap<ImmediateType, usize>,
}

impl Immediates {
    pub(super) fn into_list(self) -> Vec<Immediate> {
        let mut list = self.list;
        for immediate in &mut list {
            while immediate.words.try_push(0).is_ok() {}
        }
        list
    }

    fn vector(&mut self, kind: ImmediateType, words: [u32; 4]) -> usize {
        let list = &mut self.list;
        *self.vectors.entry((kind, words)).or_insert_with(|| {
            list.push(Immediate { kind, words: words.into() });
            list.len() - 1
        })
    }

    fn scalar(&mut self, kind: ImmediateType, word: u32) -> (usize, Component) {
        if let Some(&found) = self.scalars.get(&(kind, word)) {
            return found;
        }
        let open = self.open.get(&kind).copied().filter(|&index| !self.list[index].words.is_full());
        let index = open.unwrap_or_else(|| {
            self.list.push(Immediate { kind, words: Default::default() });
            self.list.len() - 1
        });
        self.open.insert(kind, index);
        let component = Component::from_bits(self.list[index].words.len() as u8);
        self.list[index].words.push(word);
        self.scalars.insert((kind, word), (index, component));
        (index, component)
    }
}

impl ShaderBuilder {
    /// Four words of a type.
    pub fn immediate(&mut self, kind: ImmediateType, words: [u32; 4]) -> Src {
        let index = self.immediates.vector(kind, words);
        self.immediate_src(index)
    }

    /// Four floats.
    pub fn vec4(&mut self, values: [f32; 4]) -> Src {
        self.immediate(ImmediateType::Float32, values.map(f32::to_bits))
    }

    /// A float in every channel.
    pub fn f32(&mut self, value: f32) -> Src {
        self.scalar(ImmediateType::Float32, value.to_bits())
    }

    /// A signed integer in every channel.
    pub fn i32(&mut self, value: i32) -> Src {
        self.scalar(ImmediateType::Int32, value.cast_unsigned())
    }

    /// An unsigned integer in every channel.
    pub fn u32(&mut self, value: u32) -> Src {
        self.scalar(ImmediateType::Uint32, value)
    }

    /// A double in xy and in zw.
    pub fn f64(&mut self, value: f64) -> Src {
        let bits = value.to_bits();
        let (low, high) = (bits as u32, (bits >> 32) as u32);
        self.immediate(ImmediateType::Float64, [low, high, low, high])
    }

    fn scalar(&mut self, kind: ImmediateType, word: u32) -> Src {
        let (index, component) = self.immediates.scalar(kind, word);
        let mut src = self.immediate_src(index);
        src.swizzle = Swizzle::splat(component);
        src
    }

    fn immediate_src(&mut self, index: usize) -> Src {
        let index = i16::try_from(index).unwrap_or_else(|_| {
            self.error.get_or_insert(BuildError::TooManyRegisters { file: File::Immediate });
            0
        });
        Src::new(Register::new(File::Immediate, index))
    }
}
