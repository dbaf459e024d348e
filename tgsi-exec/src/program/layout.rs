//! Where registers lie in the list of channels.

use tgsi_ir::File;

/// A channel of a register: a place in the list of channels.
pub(crate) type Slot = u32;

/// The files that have slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegisterFile {
    Temporary,
    Output,
    Address,
    Input,
    SystemValue,
    Immediate,
    Constant,
}

/// How many files have slots.
pub(crate) const NUM_FILES: usize = 7;

impl RegisterFile {
    /// The file of registers that operands name.
    pub(crate) fn of(file: File) -> Option<Self> {
        Some(match file {
            File::Temporary => Self::Temporary,
            File::Input => Self::Input,
            File::Output => Self::Output,
            File::Address => Self::Address,
            File::SystemValue => Self::SystemValue,
            File::Immediate => Self::Immediate,
            _ => return None,
        })
    }
}

/// The slots of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileRange {
    pub(crate) first: Slot,
    /// Registers, of four slots each.
    pub(crate) len: u32,
}

impl FileRange {
    /// The first of the four slots of a register, where there is such a register.
    pub(crate) fn slot(self, index: i64) -> Option<Slot> {
        let index = u32::try_from(index).ok().filter(|&index| index < self.len)?;
        Some(self.first + 4 * index)
    }

    /// All slots.
    pub(crate) fn slots(self) -> std::ops::Range<usize> {
        let first = self.first as usize;
        first..first + 4 * self.len as usize
    }
}

/// The slots of all files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    files: [FileRange; NUM_FILES],
}

impl Layout {
    /// One file after the other, with so many registers each.
    pub(crate) fn new(lens: [u32; NUM_FILES]) -> Self {
        let mut first = 0;
        let files = lens.map(|len| {
            let file = FileRange { first, len };
            first += 4 * len;
            file
        });
        Self { files }
    }

    pub(crate) fn file(&self, file: RegisterFile) -> FileRange {
        self.files[file as usize]
    }

    /// Sets the number of registers of the last file, that of constants.
    pub(crate) fn set_last_len(&mut self, len: u32) {
        self.files[NUM_FILES - 1].len = len;
    }

    pub(crate) fn num_slots(&self) -> usize {
        self.files.iter().map(|file| 4 * file.len as usize).sum()
    }
}
