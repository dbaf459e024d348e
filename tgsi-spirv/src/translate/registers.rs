//! Registers of inputs, outputs and system values: allocation, grouping into arrays, and final numbering.

use std::collections::BTreeSet;

use tgsi_ir::{
    Declaration, File, Interp, Processor, Register, Semantic, SemanticName, Shader, Streams,
    WriteMask,
};

use crate::error::{Fault, broken};
use crate::interface::Varying;

use super::Translator;

/// Maximum number of arrays of a file that operands can encode.
const MAX_ARRAYS: usize = 1023;

/// Registers of inputs, outputs and system values.
#[derive(Debug, Default)]
pub(super) struct Registers {
    list: Vec<RegisterRange>,
    next: [u16; 3],
    /// Ranges of registers in which a dynamic subscript selects one.
    reaches: BTreeSet<Reach>,
}

/// The registers that a dynamic subscript may select, from first to last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reach {
    pub(super) file: File,
    pub(super) first: u16,
    pub(super) last: u16,
}

/// Registers of one declaration.
#[derive(Clone, Copy, Debug)]
pub(super) struct RegisterRange {
    file: File,
    first: u16,
    len: u16,
    /// The number of the array that they form; 0 if none.
    array: u16,
    pub(super) semantic: Option<(Semantic, u16)>,
    pub(super) interp: Option<Interp>,
    pub(super) is_invariant: bool,
    /// The vertex stream of each channel.
    pub(super) streams: Streams,
}

fn file_number(file: File) -> usize {
    match file {
        File::Input => 0,
        File::Output => 1,
        _ => 2,
    }
}

impl Registers {
    /// Adds a register. Returns its number, which changes when unused registers are removed.
    pub(super) fn add(&mut self, mut range: RegisterRange) -> u16 {
        let next = &mut self.next[file_number(range.file)];
        range.first = *next;
        *next = next.saturating_add(range.len);
        self.list.push(range);
        range.first
    }

    /// The register of a system value. Declares the system value on first use.
    pub(super) fn system_value(&mut self, semantic: Semantic) -> u16 {
        let wanted = Some((semantic, 0));
        let is_it =
            |range: &&RegisterRange| range.file == File::SystemValue && range.semantic == wanted;
        match self.list.iter().find(is_it) {
            Some(range) => range.first,
            None => self.add(RegisterRange::new(File::SystemValue, wanted)),
        }
    }

    /// The number of registers in the fullest file.
    pub(super) fn size_of_largest_file(&self) -> u16 {
        self.next.into_iter().max().unwrap_or(0)
    }

    fn within(&self, Reach { file, first, last }: Reach) -> impl Iterator<Item = &RegisterRange> {
        let is_in =
            move |one: &&RegisterRange| one.file == file && first <= one.first && one.first <= last;
        self.list.iter().filter(is_in)
    }

    /// Whether a single declaration can hold these registers.
    pub(super) fn can_be_array(&self, reach: Reach) -> bool {
        let all: Vec<&RegisterRange> = self.within(reach).collect();
        let num = usize::from(reach.last.saturating_sub(reach.first)) + 1;
        matches!(reach.file, File::Input | File::Output)
            && all.len() == num
            && all.windows(2).all(|pair| pair[0].goes_on_with(pair[1]))
    }

    /// Records that a dynamic subscript selects one of these registers.
    pub(super) fn add_array(&mut self, reach: Reach) {
        self.reaches.insert(reach);
    }

    /// Forms arrays of the registers that dynamic subscripts select, and sets the array numbers in operands.
    fn form_arrays(&mut self, shader: &mut Shader) {
        let arrays = merged(&self.reaches);
        let mut used: BTreeSet<Reach> = BTreeSet::new();
        for_each_register(shader, |reg| {
            if reg.indirect.is_some() {
                used.extend(array_around(&arrays, reg));
            }
        });
        for file in [File::Input, File::Output] {
            let used: Vec<Reach> =
                used.iter().filter(|one| one.file == file).take(MAX_ARRAYS).copied().collect();
            for (id, &array) in (1u16..).zip(&used) {
                self.join(array, id);
            }
            for_each_register(shader, |reg| {
                if reg.indirect.is_none() {
                    return;
                }
                let found = array_around(&used, reg);
                let id = (1u16..).zip(&used).find(|(_, one)| found.as_ref() == Some(one));
                if let (Some(indirect), Some((id, _))) = (&mut reg.indirect, id) {
                    indirect.array_id = id;
                }
            });
        }
    }

    /// Replaces the declarations of these registers by a single one.
    fn join(&mut self, array: Reach, id: u16) {
        let is_invariant = self.within(array).any(|one| one.is_invariant);
        let is_later = |one: &RegisterRange| {
            one.file == array.file && array.first < one.first && one.first <= array.last
        };
        self.list.retain(|one| !is_later(one));
        let is_first =
            |one: &&mut RegisterRange| one.file == array.file && one.first == array.first;
        if let Some(first) = self.list.iter_mut().find(is_first) {
            *first = RegisterRange {
                len: array.last - array.first + 1,
                array: id,
                is_invariant,
                ..*first
            };
        }
    }
}

/// The reaches, with overlapping ones merged.
fn merged(reaches: &BTreeSet<Reach>) -> Vec<Reach> {
    let mut merged: Vec<Reach> = Vec::new();
    for &reach in reaches {
        match merged.last_mut() {
            Some(one) if one.file == reach.file && reach.first <= one.last => {
                one.last = one.last.max(reach.last);
            }
            _ => merged.push(reach),
        }
    }
    merged
}

/// The array that contains the register of an operand.
fn array_around(arrays: &[Reach], reg: &Register) -> Option<Reach> {
    let index = u16::try_from(reg.index).ok()?;
    let is_in = |one: &&Reach| one.file == reg.file && (one.first..=one.last).contains(&index);
    arrays.iter().find(is_in).copied()
}

fn for_each_register(shader: &mut Shader, mut visit: impl FnMut(&mut Register)) {
    for inst in &mut shader.instructions {
        inst.dst.iter_mut().for_each(|dst| visit(&mut dst.reg));
        inst.src.iter_mut().for_each(|src| visit(&mut src.reg));
    }
}

impl RegisterRange {
    /// One register.
    pub(super) fn new(file: File, semantic: Option<(Semantic, u16)>) -> Self {
        Self {
            file,
            first: 0,
            len: 1,
            array: 0,
            semantic,
            interp: None,
            is_invariant: false,
            streams: Streams::default(),
        }
    }

    fn numbers(&self) -> std::ops::Range<usize> {
        usize::from(self.first)..usize::from(self.first) + usize::from(self.len)
    }

    /// Whether `next` can continue this range in a single declaration.
    fn goes_on_with(&self, next: &Self) -> bool {
        let semantic = self.semantic.map(|(name, index)| (name, index.saturating_add(self.len)));
        self.file == next.file
            && self.first + self.len == next.first
            && (semantic, self.interp, self.streams) == (next.semantic, next.interp, next.streams)
    }
}

impl Translator<'_> {
    /// Declares the registers that the code uses, and renumbers them.
    pub(super) fn declare_registers(&mut self, shader: &mut Shader) -> Result<(), Fault> {
        self.registers.form_arrays(shader);
        let used = UsedRegisters::of(shader, &self.registers)?;
        let mut next = [0; 3];
        let mut numbers = [vec![], vec![], vec![]];
        for range in &self.registers.list {
            let file = file_number(range.file);
            let mask = used.mask(range);
            for n in 0..range.len {
                let number = next[file] + n;
                numbers[file].push((!mask.is_empty()).then_some(number));
            }
            if mask.is_empty() {
                continue;
            }
            let last = next[file] + range.len - 1;
            let mut declaration = Declaration::new(range.file, next[file], last);
            let is_vertex = self.processor == Processor::Vertex && range.file == File::Input;
            if !is_vertex && range.file != File::SystemValue {
                declaration.usage_mask = mask;
            }
            declaration.semantic = range.semantic.map(|(name, index)| SemanticName {
                name,
                index,
                streams: range.streams,
            });
            declaration.array_id = Some(range.array).filter(|&array| array != 0);
            declaration.interp = range.interp;
            declaration.invariant = range.is_invariant;
            shader.declarations.push(declaration);
            next[file] += range.len;
        }
        renumber(shader, &numbers)?;
        self.renumber_interface(&numbers);
        Ok(())
    }

    fn renumber_interface(&mut self, numbers: &[Vec<Option<u16>>; 3]) {
        let interface = &mut self.interface;
        for (list, file) in [(&mut interface.inputs, 0), (&mut interface.outputs, 1)] {
            let old = std::mem::take(list);
            for varying in old {
                // A value that instructions compute has no register.
                if varying.num_registers == 0 {
                    list.push(varying);
                    continue;
                }
                let file = if varying.is_system_value { 2 } else { file };
                list.extend(runs(&varying, &numbers[file]));
            }
        }
    }
}

/// The runs of registers of a varying that remain in use, with their locations.
fn runs(varying: &Varying, numbers: &[Option<u16>]) -> Vec<Varying> {
    let mut runs: Vec<Varying> = Vec::new();
    let mut is_open = false;
    let first = usize::from(varying.register);
    for (offset, number) in (0u16..varying.num_registers).zip(&numbers[first..]) {
        let Some(register) = *number else {
            is_open = false;
            continue;
        };
        match runs.last_mut().filter(|_| is_open) {
            Some(run) => run.num_registers += 1,
            None => {
                let location = varying.location.map(|location| location + u32::from(offset));
                runs.push(Varying { location, register, num_registers: 1, ..varying.clone() });
            }
        }
        is_open = true;
    }
    runs
}

/// The channels of inputs, outputs and system values that instructions use.
struct UsedRegisters {
    masks: [Vec<WriteMask>; 3],
}

impl UsedRegisters {
    fn of(shader: &Shader, registers: &Registers) -> Result<Self, Fault> {
        let empty = |file: usize| vec![WriteMask::NONE; usize::from(registers.next[file])];
        let mut used = Self { masks: [empty(0), empty(1), empty(2)] };
        for inst in &shader.instructions {
            for dst in &inst.dst {
                used.note(registers, &dst.reg, dst.mask)?;
            }
            for (n, src) in inst.src.iter().enumerate() {
                used.note(registers, &src.reg, inst.src_read_mask(n))?;
            }
        }
        Ok(used)
    }

    fn note(
        &mut self,
        registers: &Registers,
        reg: &Register,
        mask: WriteMask,
    ) -> Result<(), Fault> {
        if !matches!(reg.file, File::Input | File::Output | File::SystemValue) {
            return Ok(());
        }
        let first = usize::try_from(reg.index).map_err(|_| undeclared(reg))?;
        let masks = &mut self.masks[file_number(reg.file)];
        let is_its = |one: &&RegisterRange, id: u16| one.file == reg.file && one.array == id;
        let range = match reg.indirect {
            None => first..first + 1,
            Some(indirect) => {
                let array = registers.list.iter().find(|one| is_its(one, indirect.array_id));
                array
                    .filter(|one| one.array != 0)
                    .map_or(first..masks.len(), RegisterRange::numbers)
            }
        };
        for slot in masks.get_mut(range).into_iter().flatten() {
            *slot = slot.union(mask);
        }
        Ok(())
    }

    fn mask(&self, range: &RegisterRange) -> WriteMask {
        let masks = &self.masks[file_number(range.file)];
        let own = masks.get(range.numbers()).unwrap_or_default();
        own.iter().fold(WriteMask::NONE, |all, one| all.union(*one))
    }
}

fn renumber(shader: &mut Shader, numbers: &[Vec<Option<u16>>; 3]) -> Result<(), Fault> {
    let change = |reg: &mut Register| {
        if matches!(reg.file, File::Input | File::Output | File::SystemValue) {
            let old = usize::try_from(reg.index).ok();
            let new = old.and_then(|old| *numbers[file_number(reg.file)].get(old)?);
            reg.index = new.ok_or_else(|| undeclared(reg))?.cast_signed();
        }
        Ok(())
    };
    for inst in &mut shader.instructions {
        inst.dst.iter_mut().try_for_each(|dst| change(&mut dst.reg))?;
        inst.src.iter_mut().try_for_each(|src| change(&mut src.reg))?;
    }
    Ok(())
}

/// The error for an instruction that names an undeclared register.
fn undeclared(reg: &Register) -> Fault {
    broken(format!("{:?} {} is used and not declared", reg.file, reg.index))
}
