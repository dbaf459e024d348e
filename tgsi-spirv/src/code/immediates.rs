//! Immediates: scalars share vectors, and equal vectors are reused.

use arrayvec::ArrayVec;
use std::collections::HashMap;
use tgsi_ir::{Component, Immediate, ImmediateType, Swizzle, WriteMask};

use crate::error::{Fault, broken};

/// The immediates so far. Words are untyped: an immediate may hold both floats and integers.
#[derive(Debug, Default)]
pub(super) struct Immediates {
    list: Vec<ArrayVec<u32, 4>>,
    words: HashMap<u32, Vec<(usize, Component)>>,
}

impl Immediates {
    /// The immediate, and the swizzle that reads `words` from it in the channels of `read`.
    ///
    /// # Errors
    /// If the immediate lacks a word, which is a bug.
    pub(super) fn place(
        &mut self,
        words: [u32; 4],
        read: WriteMask,
    ) -> Result<(usize, Swizzle), Fault> {
        let wanted: Vec<u32> = read.iter().map(|component| words[component.index()]).collect();
        let at = self.find(&wanted).unwrap_or_else(|| self.add(&wanted));
        let mut components = [Component::X; 4];
        let mut last = Component::X;
        for (n, component) in components.iter_mut().enumerate() {
            if read.contains(Component::ALL[n]) {
                last = self.position(at, words[n])?;
            }
            *component = last;
        }
        Ok((at, Swizzle::new(components)))
    }

    fn position(&self, at: usize, word: u32) -> Result<Component, Fault> {
        let found = self.list[at].iter().position(|&one| one == word);
        let found =
            found.ok_or_else(|| broken(format!("immediate {at} does not hold {word:#x}")))?;
        Ok(Component::from_bits(found as u8))
    }

    /// An immediate that holds all of the words.
    fn find(&self, wanted: &[u32]) -> Option<usize> {
        let places: Option<Vec<_>> = wanted.iter().map(|word| self.words.get(word)).collect();
        let rarest = places?.into_iter().min_by_key(|places| places.len())?;
        let has_all = |&&(at, _): &&(usize, Component)| {
            wanted.iter().all(|word| self.list[at].contains(word))
        };
        rarest.iter().find(has_all).map(|&(at, _)| at)
    }

    /// Adds words to an immediate that has room, or to a new one.
    fn add(&mut self, wanted: &[u32]) -> usize {
        let missing = |list: &ArrayVec<u32, 4>| {
            let mut new: ArrayVec<u32, 4> = ArrayVec::new();
            for &word in wanted {
                if !list.contains(&word) && !new.contains(&word) && !new.is_full() {
                    new.push(word);
                }
            }
            new
        };
        let recent = self.list.len().saturating_sub(8);
        let is_float = kind(wanted) == ImmediateType::Float32;
        let fits = |at: &usize| {
            let list = &self.list[*at];
            (kind(list) == ImmediateType::Float32) == is_float
                && missing(list).len() <= list.remaining_capacity()
        };
        let at = (recent..self.list.len()).find(fits).unwrap_or(self.list.len());
        if at == self.list.len() {
            self.list.push(ArrayVec::new());
        }
        for word in missing(&self.list[at]) {
            let component = Component::from_bits(self.list[at].len() as u8);
            self.list[at].push(word);
            self.words.entry(word).or_default().push((at, component));
        }
        at
    }

    /// The immediates of the shader.
    pub(super) fn into_list(self) -> Vec<Immediate> {
        let immediate = |words: ArrayVec<u32, 4>| {
            let kind = kind(&words);
            let mut all = words;
            while !all.is_full() {
                all.push(0);
            }
            Immediate { kind, words: all }
        };
        self.list.into_iter().map(immediate).collect()
    }
}

/// The type in which the words are most readable.
fn kind(words: &[u32]) -> ImmediateType {
    let looks_float = |&word: &u32| {
        let magnitude = f32::from_bits(word).abs();
        word == 0 || (1e-12..1e12).contains(&magnitude)
    };
    let looks_small = |&word: &u32| !(0x0080_0000..=0xff80_0000).contains(&word);
    if words.iter().all(looks_float) && !words.iter().all(|&word| word == 0) {
        ImmediateType::Float32
    } else if words.iter().all(looks_small) {
        ImmediateType::Int32
    } else {
        ImmediateType::Uint32
    }
}
