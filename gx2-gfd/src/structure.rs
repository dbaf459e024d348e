//! One description of each structure, for reading, measuring and writing.
//!
//! A structure lists its words and tables once ([`Structure::describe`]). The [`StructureIo`] determines what a walk
//! does with them.

use crate::bytes::{Endian, overlay};
use crate::error::Error;
use crate::text::Text;

/// Pointer bits that hold an offset into the block; the bits above are a tag.
pub(crate) const OFFSET: u32 = 0x000F_FFFF;
/// The tag of pointers to data.
pub(crate) const DATA: u32 = 0xD060_0000;
/// The tag of pointers to names.
pub(crate) const TEXT: u32 = 0xCA70_0000;

/// The offset of a pointer.
pub(crate) fn offset(pointer: u32) -> usize {
    (pointer & OFFSET) as usize
}

/// A structure at the start of a block, with the tables it points to.
pub(crate) trait Structure: Default + PartialEq {
    /// Its name, for messages.
    const NAME: &'static str;

    /// Walks over every word and table, in order.
    fn describe(&mut self, io: &mut impl StructureIo) -> Result<(), Error>;
}

/// An element of a table.
pub(crate) trait Element: Default {
    /// What the table holds, for messages.
    const NAME: &'static str;
    /// Words per element.
    const WORDS: usize;

    /// Walks over every word, in order.
    fn describe(&mut self, io: &mut impl ElementIo) -> Result<(), Error>;
}

/// One direction of the walk over a structure.
pub(crate) trait StructureIo {
    /// A word.
    fn word(&mut self, value: &mut u32) -> Result<(), Error>;

    /// The pointer to a program, which is 0 in files.
    fn program(&mut self, value: &mut u32) -> Result<(), Error> {
        self.word(value)
    }

    /// The count and pointer of a table, and its elements.
    fn table<E: Element>(&mut self, items: &mut Vec<E>) -> Result<(), Error>;

    /// Final words that the oldest tools omit.
    fn optional<const N: usize>(&mut self, words: &mut Option<[u32; N]>) -> Result<(), Error>;

    /// Several words.
    fn words(&mut self, values: &mut [u32]) -> Result<(), Error> {
        values.iter_mut().try_for_each(|value| self.word(value))
    }
}

/// One direction of the walk over an element.
pub(crate) trait ElementIo {
    /// A word.
    fn word(&mut self, value: &mut u32) -> Result<(), Error>;

    /// A pointer to a name; without a name it is 0.
    fn name(&mut self, value: &mut Option<Text>) -> Result<(), Error>;
}

/// The places of a structure's tables and names: their pointers, in the order of the walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pointers {
    pub(crate) tables: Vec<u32>,
    pub(crate) names: Vec<u32>,
}

/// Reads a structure.
pub(crate) struct Reader<'b> {
    bytes: &'b [u8],
    endian: Endian,
    at: usize,
    /// The first byte known to belong to something else.
    limit: usize,
    name: &'static str,
    /// Remaining budget of name bytes.
    names_left: usize,
    pub(crate) pointers: Pointers,
}

/// How often names may share the same bytes. Without the limit, a small file could have huge tables.
const MAX_SHARED: usize = 4;

impl<'b> Reader<'b> {
    /// Starts at the beginning of a block's `bytes`; the structure ends before `limit`.
    pub(crate) fn new(bytes: &'b [u8], endian: Endian, limit: usize, name: &'static str) -> Self {
        let names_left = MAX_SHARED * bytes.len();
        Self { bytes, endian, at: 0, limit, name, names_left, pointers: Pointers::default() }
    }

    /// Where the structure ends.
    pub(crate) fn end(&self) -> usize {
        self.at
    }
}

impl StructureIo for Reader<'_> {
    fn word(&mut self, value: &mut u32) -> Result<(), Error> {
        let error = Error::Structure { what: self.name, size: self.bytes.len() };
        *value = self.endian.word(self.bytes, self.at).ok_or(error)?;
        self.at += 4;
        Ok(())
    }

    fn table<E: Element>(&mut self, items: &mut Vec<E>) -> Result<(), Error> {
        let (mut count, mut pointer) = (0, 0);
        self.word(&mut count)?;
        self.word(&mut pointer)?;
        self.pointers.tables.push(pointer);
        items.clear();
        if count == 0 {
            return Ok(());
        }
        if pointer == 0 {
            return Err(Error::NoTable(E::NAME));
        }
        let size = u64::from(count) * 4 * E::WORDS as u64;
        if offset(pointer) as u64 + size > self.bytes.len() as u64 {
            return Err(Error::Pointer { what: E::NAME, pointer, size: self.bytes.len() });
        }
        self.limit = self.limit.min(offset(pointer));
        let mut elements = ElementReader { structure: self, at: offset(pointer), what: E::NAME };
        for _ in 0..count {
            let mut item = E::default();
            item.describe(&mut elements)?;
            items.push(item);
        }
        Ok(())
    }

    fn optional<const N: usize>(&mut self, words: &mut Option<[u32; N]>) -> Result<(), Error> {
        *words = None;
        if self.at + 4 * N > self.limit {
            return Ok(());
        }
        let mut own = [0; N];
        self.words(&mut own)?;
        *words = Some(own);
        Ok(())
    }
}

struct ElementReader<'r, 'b> {
    structure: &'r mut Reader<'b>,
    at: usize,
    what: &'static str,
}

impl ElementIo for ElementReader<'_, '_> {
    fn word(&mut self, value: &mut u32) -> Result<(), Error> {
        let Reader { bytes, endian, .. } = self.structure;
        let error = Error::Structure { what: self.what, size: bytes.len() };
        *value = endian.word(bytes, self.at).ok_or(error)?;
        self.at += 4;
        Ok(())
    }

    fn name(&mut self, value: &mut Option<Text>) -> Result<(), Error> {
        let mut pointer = 0;
        self.word(&mut pointer)?;
        self.structure.pointers.names.push(pointer);
        *value = None;
        if pointer == 0 {
            return Ok(());
        }
        let bytes = self.structure.bytes;
        let size = bytes.len();
        let error = Error::Pointer { what: self.what, pointer, size };
        let text = bytes.get(offset(pointer)..).ok_or(error)?;
        let len = text.iter().position(|byte| *byte == 0);
        let len = len.ok_or(Error::Name(offset(pointer)))?;
        let left = self.structure.names_left.checked_sub(len);
        self.structure.names_left = left.ok_or(Error::Names)?;
        self.structure.limit = self.structure.limit.min(offset(pointer));
        *value = Some(Text::new(&text[..len]));
        Ok(())
    }
}

/// The parts of a structure, for placing them.
#[derive(Debug, Default)]
pub(crate) struct Measure {
    /// Bytes of the structure itself.
    pub(crate) size: usize,
    pub(crate) num_programs: usize,
    pub(crate) tables: Vec<MeasuredTable>,
    /// Bytes of each name, without the NUL.
    pub(crate) names: Vec<Option<usize>>,
}

/// A table to be placed.
#[derive(Debug)]
pub(crate) struct MeasuredTable {
    /// Offset of its pointer in the structure.
    pub(crate) pointer_at: usize,
    /// Bytes of its elements.
    pub(crate) size: usize,
    /// Offsets in the table of the pointers to names.
    pub(crate) names_at: Vec<usize>,
}

impl StructureIo for Measure {
    fn word(&mut self, _value: &mut u32) -> Result<(), Error> {
        self.size += 4;
        Ok(())
    }

    fn program(&mut self, value: &mut u32) -> Result<(), Error> {
        self.num_programs += 1;
        self.word(value)
    }

    fn table<E: Element>(&mut self, items: &mut Vec<E>) -> Result<(), Error> {
        let table = MeasuredTable { pointer_at: self.size + 4, size: 0, names_at: Vec::new() };
        self.size += 8;
        self.tables.push(table);
        items.iter_mut().try_for_each(|item| item.describe(&mut ElementMeasure(self)))
    }

    fn optional<const N: usize>(&mut self, words: &mut Option<[u32; N]>) -> Result<(), Error> {
        self.size += words.map_or(0, |_| 4 * N);
        Ok(())
    }
}

struct ElementMeasure<'m>(&'m mut Measure);

impl ElementIo for ElementMeasure<'_> {
    fn word(&mut self, _value: &mut u32) -> Result<(), Error> {
        if let Some(table) = self.0.tables.last_mut() {
            table.size += 4;
        }
        Ok(())
    }

    fn name(&mut self, value: &mut Option<Text>) -> Result<(), Error> {
        if let Some(table) = self.0.tables.last_mut() {
            table.names_at.push(table.size);
        }
        self.0.names.push(value.as_ref().map(|name| name.as_bytes().len()));
        self.word(&mut 0)
    }
}

/// Writes a structure over bytes, with tables and names at `pointers`.
pub(crate) struct Writer<'b> {
    pub(crate) bytes: &'b mut [u8],
    pub(crate) endian: Endian,
    tables: std::vec::IntoIter<u32>,
    names: std::vec::IntoIter<u32>,
    at: usize,
}

impl<'b> Writer<'b> {
    pub(crate) fn new(bytes: &'b mut [u8], endian: Endian, pointers: Pointers) -> Self {
        let Pointers { tables, names } = pointers;
        Self { bytes, endian, tables: tables.into_iter(), names: names.into_iter(), at: 0 }
    }
}

impl StructureIo for Writer<'_> {
    fn word(&mut self, value: &mut u32) -> Result<(), Error> {
        self.endian.put(self.bytes, self.at, &[*value]);
        self.at += 4;
        Ok(())
    }

    fn table<E: Element>(&mut self, items: &mut Vec<E>) -> Result<(), Error> {
        let mut count = u32::try_from(items.len()).map_err(|_| Error::TooLarge(items.len()))?;
        let mut pointer = self.tables.next().ok_or(Error::Layout)?;
        self.word(&mut count)?;
        self.word(&mut pointer)?;
        let mut elements = ElementWriter { at: offset(pointer), structure: self };
        items.iter_mut().try_for_each(|item| item.describe(&mut elements))
    }

    fn optional<const N: usize>(&mut self, words: &mut Option<[u32; N]>) -> Result<(), Error> {
        words.as_mut().map_or(Ok(()), |words| self.words(words))
    }
}

struct ElementWriter<'w, 'b> {
    structure: &'w mut Writer<'b>,
    at: usize,
}

impl ElementIo for ElementWriter<'_, '_> {
    fn word(&mut self, value: &mut u32) -> Result<(), Error> {
        let Writer { bytes, endian, .. } = self.structure;
        endian.put(bytes, self.at, &[*value]);
        self.at += 4;
        Ok(())
    }

    fn name(&mut self, value: &mut Option<Text>) -> Result<(), Error> {
        let mut pointer = self.structure.names.next().ok_or(Error::Layout)?;
        self.word(&mut pointer)?;
        if let Some(name) = value {
            overlay(self.structure.bytes, offset(pointer), name.as_bytes());
            overlay(self.structure.bytes, offset(pointer) + name.as_bytes().len(), &[0]);
        }
        Ok(())
    }
}
