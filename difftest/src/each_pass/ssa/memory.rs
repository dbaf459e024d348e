//! Plain accesses to images and buffers. Nobody can tell a write from none that is written again before anything reads
//! it: writes are seen where something else touches memory, and at the end, in the order of the last to each element.
//!
//! Nor can anybody tell whether a read was: it finds what is written, as often as it is read.

use r600_codegen::internals::ssa::{InstId, Place};

use super::super::inputs::{Digest, mix};
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
    /// What those who read it find.
    content: Digest,
    is_seen: bool,
}

impl Written {
    fn index(&self) -> impl Iterator<Item = u32> {
        self.words[self.words.len() - self.num_index_words..].iter().map(|word| word.bits)
    }
}

/// What `words` leave in an element; the last so many of them say where it is.
fn content(name: &Name, words: &[Word], num_index_words: usize) -> Digest {
    let (values, index) = words.split_at(words.len() - num_index_words);
    let place = index.iter().fold(name.number, |sum, word| mix(&[sum, word.bits.into()]));
    let mut content = Digest::new(place);
    content.open = index.iter().any(|word| word.open);
    for (n, word) in (0..).zip(values) {
        // A zero adds nothing, and yet is somewhere.
        content.number = mix(&[content.number, n]);
        content.add([place, 0, n], *word);
    }
    content
}

impl Machine<'_> {
    /// A write of `words`, the last of which say where.
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

    /// Adds to `asked` what a read of `place` finds written, or of any where it says none, and gives a number that
    /// tells it from what else may have been there.
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

    /// Lets others see what is written.
    pub(super) fn show_writes(&mut self) {
        for element in self.written.iter_mut().filter(|element| !element.is_seen) {
            element.is_seen = true;
            self.world.write(Memory::Shared, &element.name, element.words.clone());
        }
    }
}
