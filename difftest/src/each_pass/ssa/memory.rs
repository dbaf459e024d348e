//! Plain accesses to images and buffers. A write that is overwritten before any read is not observable. Writes become
//! visible when something else touches memory, and at the end, in the order of the last write to each element.
//!
//! Reads are not observable either: a read returns the last write, however often it is repeated.

use r600_codegen::internals::ssa::{InstId, Place};

use super::super::inputs::{Digest, mix};
use super::super::names::Name;
use super::super::outcome::End;
use super::super::word::Word;
use super::super::world::Memory;
use super::Machine;

/// The last write to an element.
pub(super) struct Written {
    place: Place,
    name: Name,
    words: Vec<Word>,
    /// How many of the words, counted from the last, are its index.
    num_index_words: usize,
    /// The value that reads return.
    content: Digest,
    is_seen: bool,
}

impl Written {
    fn index(&self) -> impl Iterator<Item = u32> {
        self.words[self.words.len() - self.num_index_words..].iter().map(|word| word.bits)
    }
}

/// The content of an element after a write of `words`. The last `num_index_words` are the index.
fn content(name: &Name, words: &[Word], num_index_words: usize) -> Digest {
    let (values, index) = words.split_at(words.len() - num_index_words);
    let place = index.iter().fold(name.number, |sum, word| mix(&[sum, word.bits.into()]));
    let mut content = Digest::new(place);
    content.open = index.iter().any(|word| word.open);
    for (n, word) in (0..).zip(values) {
        // Adding a zero changes nothing, but its position counts.
        content.number = mix(&[content.number, n]);
        content.add([place, 0, n], *word);
    }
    content
}

impl Machine<'_> {
    /// A write of `words`, which end with the index.
    pub(super) fn plain_write(
        &mut self,
        id: InstId,
        place: Place,
        (words, num_index_words): (Vec<Word>, usize),
    ) -> Result<(), End> {
        let name = self.name(id)?.clone();
        let content = content(&name, &words, num_index_words);
        let new = Written { place, name, words, num_index_words, content, is_seen: false };
        let is_same = |old: &Written| old.name.text == new.name.text && old.index().eq(new.index());
        if let Some(at) = self.written.iter().position(is_same) {
            self.written.remove(at);
        }
        self.written.push(new);
        Ok(())
    }

    /// Adds to `asked` what a read of `place` returns, or a read anywhere if it is `None`. Returns a number that
    /// distinguishes this content from earlier ones.
    pub(super) fn plain_read(&self, place: Option<Place>, asked: &mut Vec<Word>) -> u64 {
        let mut found = Digest::new(self.world.writes(Memory::Shared));
        let meets = |element: &Written| place.is_none_or(|place| element.place.may_meet(place));
        for element in self.written.iter().filter(|element| meets(element)) {
            found.number = found.number.wrapping_add(element.content.number);
            found.sum += element.content.sum;
            found.open |= element.content.open;
        }
        asked.push(Word { bits: found.sum.to_bits(), open: found.open, kind_is_open: false });
        found.number
    }

    /// Makes all writes visible.
    pub(super) fn show_writes(&mut self) {
        for element in self.written.iter_mut().filter(|element| !element.is_seen) {
            element.is_seen = true;
            self.world.write(Memory::Shared, &element.name, element.words.clone());
        }
    }
}
