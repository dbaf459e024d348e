//! Plain accesses to images and buffers. Nobody can tell a write from none that is written again before anything reads
//! it: writes are seen where something else touches memory, and at the end, in the order of the last to each element.

use r600_codegen::internals::ssa::{InstId, Place};

use super::super::inputs::mix;
use super::super::names::Name;
use super::super::outcome::End;
use super::super::word::Word;
use super::super::world::Memory;
use super::Machine;

/// What was last written to an element.
pub(super) struct Written {
    place: Place,
    name: Name,
    words: Vec<Word>,
    /// How many of the words, from the last on, say where it is.
    num_index_words: usize,
    /// Writes that something may have read, and whether that goes for the last of them.
    version: u64,
    is_read: bool,
    is_seen: bool,
}

impl Written {
    fn index(&self) -> impl Iterator<Item = u32> {
        self.words[self.words.len() - self.num_index_words..].iter().map(|word| word.bits)
    }
}

impl Machine<'_> {
    /// A write of `words`, the last of which say where.
    pub(super) fn plain_write(
        &mut self,
        id: InstId,
        place: Place,
        (words, num_index_words): (Vec<Word>, usize),
    ) -> Result<(), End> {
        let mut new = Written {
            place,
            name: self.name(id)?.clone(),
            words,
            num_index_words,
            version: 0,
            is_read: false,
            is_seen: false,
        };
        let is_same = |old: &Written| old.name.text == new.name.text && old.index().eq(new.index());
        if let Some(at) = self.written.iter().position(is_same) {
            let old = self.written.remove(at);
            new.version = old.version + u64::from(old.is_read || old.is_seen);
        }
        self.written.push(new);
        Ok(())
    }

    /// A number that tells what a read of `place`, or of any where it says none, may find from what it found before other
    /// writes.
    pub(super) fn plain_read(&mut self, place: Option<Place>) -> u64 {
        let mut sum = self.world.writes(Memory::Shared);
        let meets = |element: &Written| place.is_none_or(|place| element.place.may_meet(place));
        for element in self.written.iter_mut().filter(|element| meets(element)) {
            element.is_read = true;
            let index =
                element.index().fold(element.name.number, |sum, bits| mix(&[sum, bits.into()]));
            sum = sum.wrapping_add(mix(&[index, element.version]));
        }
        sum
    }

    /// Lets others see what is written.
    pub(super) fn show_writes(&mut self) {
        for element in self.written.iter_mut().filter(|element| !element.is_seen) {
            element.is_seen = true;
            self.world.write(Memory::Shared, &element.name, element.words.clone());
        }
    }
}
