//! How many registers there are.

use std::collections::BTreeMap;

use tgsi_ir::{File, Indirect, Instruction, Processor, Register, Shader};

use crate::program::RegisterFile;
use crate::program::layout::NUM_FILES;

/// Registers of each file: as many as are declared or named. Constants are not known yet.
pub(super) fn lens(shader: &Shader) -> [u32; NUM_FILES] {
    let mut lens = [0; NUM_FILES];
    for declaration in &shader.declarations {
        if let Some(file) = RegisterFile::of(declaration.file) {
            cover(&mut lens, file, i64::from(declaration.range.last));
        }
    }
    for reg in shader.instructions.iter().flat_map(registers) {
        note_register(&mut lens, &reg);
    }
    lens[RegisterFile::Immediate as usize] = shader.immediates.len() as u32;
    if shader.processor == Processor::TessCtrl {
        lens[RegisterFile::Output as usize] = 0;
    }
    lens
}

fn cover(lens: &mut [u32; NUM_FILES], file: RegisterFile, last: i64) {
    let len = &mut lens[file as usize];
    *len = (*len).max(u32::try_from(last + 1).unwrap_or(0));
}

fn note_register(lens: &mut [u32; NUM_FILES], reg: &Register) {
    let is_vertex = reg.file == File::Input && reg.dimension.is_some();
    if let Some(file) = RegisterFile::of(reg.file).filter(|_| !is_vertex) {
        cover(lens, file, i64::from(reg.index));
    }
    let dimension = reg.dimension.and_then(|dimension| dimension.indirect);
    for Indirect { file, index, .. } in reg.indirect.iter().chain(&dimension) {
        if let Some(file) = RegisterFile::of(*file) {
            cover(lens, file, i64::from(*index));
        }
    }
}

fn registers(inst: &Instruction) -> impl Iterator<Item = Register> + '_ {
    let texture = inst.texture.as_deref();
    let offsets = texture.into_iter().flat_map(|texture| &texture.offsets);
    let operands = inst.dst.iter().map(|dst| dst.reg).chain(inst.src.iter().map(|src| src.reg));
    operands.chain(offsets.map(|offset| Register::new(offset.file, offset.index)))
}

/// The constants in the order of their numbers.
pub(super) fn in_order(constants: &BTreeMap<(u32, u32), u32>) -> Vec<(u32, u32)> {
    let mut list = vec![(0, 0); constants.len()];
    for (&constant, &number) in constants {
        if let Some(entry) = list.get_mut(number as usize) {
            *entry = constant;
        }
    }
    list
}

/// A word of an immediate.
pub(super) fn word(shader: &Shader, immediate: usize, channel: usize) -> u32 {
    shader.immediates.get(immediate).map_or(0, |immediate| immediate.word(channel))
}

/// The declared registers of a file, in order.
pub(super) fn declared(shader: &Shader, file: File) -> Vec<usize> {
    let declared = shader.declarations.iter().filter(|declared| declared.file == file);
    let ranges = declared.map(|declared| declared.range);
    let mut numbers: Vec<usize> =
        ranges.flat_map(|range| usize::from(range.first)..=usize::from(range.last)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
