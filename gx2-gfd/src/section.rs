//! A structure with its tables, names and relocation table: the contents of a header block.

use crate::bytes::{Endian, overlay};
use crate::error::Error;
use crate::relocation::{self, Relocation};
use crate::structure::{DATA, Measure, OFFSET, Pointers, Reader, Structure, TEXT, Writer, offset};

/// A structure, and how it lies in its block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "{T}Section"))]
pub struct Section<T> {
    /// The structure.
    pub shader: T,
    /// Where its parts lie.
    pub layout: Layout,
}

/// Where the parts of a header block lie.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Layout {
    /// As a known tool places them: structure, tables, names, relocation table.
    Usual(Habits),
    /// Where they were found. Tables that are changed may not fit; then set one of the usual layouts.
    Kept(Box<Places>),
}

impl Default for Layout {
    fn default() -> Self {
        Self::Usual(Habits::default())
    }
}

/// How a tool lays out header blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Habits {
    /// Whether names lie next to each other, rather than at multiples of four bytes.
    pub packs_names: bool,
    /// What the relocation table lists.
    pub patches: Patches,
}

impl Habits {
    /// The combinations that known tools use.
    pub const ALL: [Self; 3] = [
        Self { packs_names: false, patches: Patches::Present },
        Self { packs_names: true, patches: Patches::Present },
        Self { packs_names: false, patches: Patches::All },
    ];
}

/// What a relocation table lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Patches {
    /// Pointers that lead somewhere; those to names with their own tag.
    #[default]
    Present,
    /// Every pointer of the structure, 0 for those that lead nowhere, and room after the table.
    All,
}

/// Where the parts of a block were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Places {
    /// Bytes of the block.
    pub size: usize,
    /// The pointer to each table, in the order of the structure.
    pub tables: Vec<u32>,
    /// The pointer to each name, in the order of the tables.
    pub names: Vec<u32>,
    /// The words of the relocation table.
    pub patches: Vec<u32>,
    /// The header after that table; a block without one has no table either.
    pub relocation: Option<Relocation>,
    /// Bytes that none of these explain.
    pub overrides: Vec<Override>,
}

/// Bytes somewhere in a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Override {
    /// The first of them.
    pub at: usize,
    /// The bytes.
    #[cfg_attr(feature = "serde", serde(with = "crate::bytes::hex"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub bytes: Vec<u8>,
}

#[expect(private_bounds, reason = "only the structures of this crate lie in files")]
impl<T: Structure + Clone> Section<T> {
    /// A structure in the usual layout.
    pub fn new(shader: T) -> Self {
        Self { shader, layout: Layout::default() }
    }

    /// Reads the contents of a header block.
    pub(crate) fn read(bytes: &[u8], endian: Endian) -> Result<Self, Error> {
        let relocation = Relocation::read(bytes, endian);
        let body = match relocation {
            Some(_) => &bytes[..bytes.len() - relocation::SIZE],
            None => bytes,
        };
        let limit = relocation.map_or(body.len(), |own| own.limit().min(body.len()));
        let mut shader = T::default();
        let mut reader = Reader::new(body, endian, limit, T::NAME);
        shader.describe(&mut reader)?;
        debug_assert!(reader.end() <= body.len());
        let Pointers { tables, names } = reader.pointers;
        let patches = relocation.map(|own| patches(&own, body, endian)).transpose()?;
        let usual = Habits::ALL.into_iter().find(|habits| {
            let written = Self::write_usual(&mut shader.clone(), *habits, endian);
            written.is_ok_and(|written| written == bytes)
        });
        if let Some(habits) = usual {
            return Ok(Self { shader, layout: Layout::Usual(habits) });
        }
        let mut places = Places {
            size: bytes.len(),
            tables,
            names,
            patches: patches.unwrap_or_default(),
            relocation,
            overrides: Vec::new(),
        };
        let written = Self::write_kept(&mut shader.clone(), &places, endian)?;
        places.overrides = overrides(&written, bytes);
        Ok(Self { shader, layout: Layout::Kept(Box::new(places)) })
    }

    /// The contents of the header block.
    pub(crate) fn write(&self, endian: Endian) -> Result<Vec<u8>, Error> {
        let mut shader = self.shader.clone();
        let written = match &self.layout {
            Layout::Usual(habits) => Self::write_usual(&mut shader, *habits, endian)?,
            Layout::Kept(places) => Self::write_kept(&mut shader, places, endian)?,
        };
        let again = Self::read_structure(&written, endian)?;
        if again == self.shader { Ok(written) } else { Err(Error::Layout) }
    }

    fn read_structure(bytes: &[u8], endian: Endian) -> Result<T, Error> {
        let relocation = Relocation::read(bytes, endian);
        let body = bytes.len() - relocation.map_or(0, |_| relocation::SIZE);
        let limit = relocation.map_or(body, |own| own.limit().min(body));
        let mut shader = T::default();
        shader.describe(&mut Reader::new(&bytes[..body], endian, limit, T::NAME))?;
        Ok(shader)
    }

    fn write_kept(shader: &mut T, places: &Places, endian: Endian) -> Result<Vec<u8>, Error> {
        if places.size > OFFSET as usize + relocation::SIZE {
            return Err(Error::TooLarge(places.size));
        }
        let mut bytes = vec![0; places.size];
        let pointers = Pointers { tables: places.tables.clone(), names: places.names.clone() };
        shader.describe(&mut Writer::new(&mut bytes, endian, pointers))?;
        if let Some(relocation) = &places.relocation {
            endian.put(&mut bytes, offset(relocation.patch_offset), &places.patches);
            let start = places.size.checked_sub(relocation::SIZE).ok_or(Error::Layout)?;
            endian.put(&mut bytes, start, &relocation.words());
        }
        for Override { at, bytes: own } in &places.overrides {
            overlay(&mut bytes, *at, own);
        }
        Ok(bytes)
    }

    fn write_usual(shader: &mut T, habits: Habits, endian: Endian) -> Result<Vec<u8>, Error> {
        let mut measure = Measure::default();
        shader.describe(&mut measure)?;
        let placed = Placed::of(&measure, habits);
        let start = placed.data_size + 4 * placed.patches.len() + placed.room;
        let size = start + relocation::SIZE;
        if size > OFFSET as usize {
            return Err(Error::TooLarge(size));
        }
        let mut bytes = vec![0; size];
        let pointers = placed.pointers.clone();
        shader.describe(&mut Writer::new(&mut bytes, endian, pointers))?;
        endian.put(&mut bytes, placed.data_size, &placed.patches);
        let relocation = Relocation::usual(
            placed.data_size as u32,
            (placed.text_offset as u32, (placed.data_size - placed.text_offset) as u32),
            placed.patches.len() as u32,
        );
        endian.put(&mut bytes, start, &relocation.words());
        Ok(bytes)
    }
}

/// The words of the table that `relocation` points to.
fn patches(relocation: &Relocation, body: &[u8], endian: Endian) -> Result<Vec<u32>, Error> {
    let start = offset(relocation.patch_offset);
    let count = relocation.num_patches as usize;
    if start as u64 + 4 * count as u64 > body.len() as u64 {
        let pointer = relocation.patch_offset;
        return Err(Error::Pointer { what: "the relocation table", pointer, size: body.len() });
    }
    Ok((0..count).filter_map(|number| endian.word(body, start + 4 * number)).collect())
}

/// The differences of `wanted` from `written`, as runs of bytes.
fn overrides(written: &[u8], wanted: &[u8]) -> Vec<Override> {
    let mut runs: Vec<Override> = Vec::new();
    let differ = written.iter().zip(wanted).enumerate().filter(|(_, (own, want))| own != want);
    for (at, (_, want)) in differ {
        match runs.last_mut() {
            Some(run) if run.at + run.bytes.len() == at => run.bytes.push(*want),
            _ => runs.push(Override { at, bytes: vec![*want] }),
        }
    }
    runs
}

/// The places that a tool gives to tables, names and the relocation table.
struct Placed {
    pointers: Pointers,
    text_offset: usize,
    /// Bytes of structure, tables and names.
    data_size: usize,
    patches: Vec<u32>,
    /// Bytes after the relocation table.
    room: usize,
}

/// Unused space after the table of [`Patches::All`], and the buffer pointers that the table lists.
const ROOM: usize = 8;
const NUM_BUFFER_POINTERS: usize = 2;

impl Placed {
    fn of(measure: &Measure, habits: Habits) -> Self {
        let mut next = measure.size;
        let mut pointers = Pointers::default();
        let (mut table_patches, mut names_at) = (Vec::new(), Vec::new());
        for table in &measure.tables {
            let is_present = table.size > 0;
            pointers.tables.push(if is_present { DATA | next as u32 } else { 0 });
            table_patches.push(is_present.then_some(table.pointer_at as u32));
            names_at.extend(table.names_at.iter().map(|at| (next + at) as u32));
            next += table.size;
        }
        let text_offset = next;
        for len in &measure.names {
            pointers.names.push(len.map_or(0, |_| TEXT | next as u32));
            let end = next + len.map_or(0, |len| len + 1);
            next = if habits.packs_names { end } else { end.next_multiple_of(4) };
        }
        let names = names_at.into_iter().zip(&measure.names);
        let names = names.map(|(at, len)| len.map(|_| at));
        let (patches, room) = match habits.patches {
            Patches::Present => {
                let tables = table_patches.into_iter().flatten().map(|at| DATA | at);
                (tables.chain(names.flatten().map(|at| TEXT | at)).collect(), 0)
            }
            Patches::All => {
                let nowhere = |count| std::iter::repeat_n(None, count);
                let all = nowhere(measure.num_programs).chain(table_patches).chain(names);
                let all = all.chain(nowhere(NUM_BUFFER_POINTERS));
                (all.map(|at| at.map_or(0, |at| DATA | at)).collect(), ROOM)
            }
        };
        Self { pointers, text_offset, data_size: next, patches, room }
    }
}
