//! Assigns registers to temporaries; temporaries with disjoint live ranges share one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tgsi_ir::{Declaration, File, Opcode};

use crate::error::{Fault, broken};

use super::{Base, Code, Index, Inst};

/// The registers of all temporaries.
#[derive(Debug)]
pub(super) struct Allocation {
    registers: Vec<Option<u32>>,
    /// Number of registers outside arrays. Arrays start at this register.
    num_plain: u32,
    /// The arrays: first temporary, first register, and number of registers.
    arrays: Vec<(u32, u32, u32)>,
}

impl Allocation {
    /// The register of a temporary.
    ///
    /// # Errors
    /// If an instruction names a temporary without a register.
    pub(super) fn register(&self, temp: u32) -> Result<u32, Fault> {
        let found = self.registers.get(temp as usize).copied().flatten();
        found.ok_or_else(|| broken(format!("temporary {temp} has no register")))
    }

    /// The array that holds a temporary, counted from 1; 0 if none does.
    pub(super) fn array(&self, temp: u32) -> u16 {
        let is_in = |&(first, _, len): &(u32, u32, u32)| (first..first + len).contains(&temp);
        self.arrays.iter().position(is_in).map_or(0, |n| n as u16 + 1)
    }

    /// Declarations of all temporaries.
    pub(super) fn declarations(&self) -> Vec<Declaration> {
        let mut list = Vec::new();
        if self.num_plain > 0 {
            list.push(Declaration::new(File::Temporary, 0, self.num_plain as u16 - 1));
        }
        for (n, &(_, first, len)) in self.arrays.iter().enumerate() {
            let last = first + len - 1;
            let mut declaration = Declaration::new(File::Temporary, first as u16, last as u16);
            declaration.array_id = Some(n as u16 + 1);
            list.push(declaration);
        }
        list
    }
}

/// The live range of a temporary, as instruction positions.
#[derive(Clone, Copy, Debug)]
struct Interval {
    first: u32,
    last: u32,
}

/// Assigns a register to each temporary of `code`.
pub(super) fn allocate(code: &Code) -> Result<Allocation, Fault> {
    let arrays = merged(code);
    let mut is_in_array = vec![false; code.created.len()];
    for &(first, len) in &arrays {
        is_in_array[first as usize..(first + len) as usize].fill(true);
    }
    let intervals = intervals(code);
    let mut order: Vec<usize> = (0..intervals.len())
        .filter(|&temp| intervals[temp].is_some() && !is_in_array[temp])
        .collect();
    order.sort_by_key(|&temp| intervals[temp].map(|interval| interval.first));
    let mut registers = vec![None; code.created.len()];
    let num_plain = color(&order, &intervals, &mut registers);
    let mut next = num_plain;
    let mut placed = Vec::new();
    for (first, len) in arrays {
        for n in 0..len {
            registers[(first + n) as usize] = Some(next + n);
        }
        placed.push((first, next, len));
        next += len;
    }
    if next > 32_767 || placed.len() > 1023 {
        return Err(crate::error::too_large("the shader needs more than 32767 temporaries"));
    }
    Ok(Allocation { registers, num_plain, arrays: placed })
}

/// The subscripted ranges, with overlapping ranges merged.
fn merged(code: &Code) -> Vec<(u32, u32)> {
    let mut ranges = code.arrays.clone();
    ranges.sort_unstable();
    let mut merged: Vec<(u32, u32)> = Vec::new();
    for (first, len) in ranges {
        match merged.last_mut() {
            Some(last) if first < last.0 + last.1 => last.1 = last.1.max(first + len - last.0),
            _ => merged.push((first, len)),
        }
    }
    merged
}

/// Gives each temporary the lowest free register, in the order in which the live ranges begin. Returns the number of
/// registers.
fn color(order: &[usize], intervals: &[Option<Interval>], registers: &mut [Option<u32>]) -> u32 {
    let mut free: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
    let mut busy: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
    let mut num = 0;
    for &temp in order {
        let Some(Interval { first, last }) = intervals[temp] else { continue };
        while let Some(&Reverse((end, register))) = busy.peek() {
            if end >= first {
                break;
            }
            busy.pop();
            free.push(Reverse(register));
        }
        let register = free.pop().map_or_else(
            || {
                num += 1;
                num - 1
            },
            |Reverse(register)| register,
        );
        registers[temp] = Some(register);
        busy.push(Reverse((last, register)));
    }
    num
}

/// Live ranges of temporaries. If a loop begins after a temporary was created and uses it, the temporary is live to the
/// end of the loop.
fn intervals(code: &Code) -> Vec<Option<Interval>> {
    let ends = loop_ends(code);
    let mut list: Vec<Option<Interval>> = vec![None; code.created.len()];
    // The loops around the current instruction: begin and end of each.
    let mut open: Vec<(u32, u32)> = Vec::new();
    for (at, inst) in code.insts.iter().enumerate() {
        let at = at as u32;
        match inst.opcode {
            Opcode::Bgnloop => open.push((at, ends[at as usize])),
            Opcode::Endloop => {
                open.pop();
            }
            _ => {}
        }
        for_each_temp(inst, |temp| {
            let created = code.created[temp as usize];
            let outermost = open.iter().find(|(begin, _)| *begin >= created);
            let (begin, end) = outermost.copied().unwrap_or((at, at));
            let interval = list[temp as usize].get_or_insert(Interval { first: begin, last: end });
            interval.last = interval.last.max(end);
        });
    }
    list
}

/// For each start of a loop, the position of its end.
fn loop_ends(code: &Code) -> Vec<u32> {
    let mut ends = vec![0; code.insts.len()];
    let mut open = Vec::new();
    for (at, inst) in code.insts.iter().enumerate() {
        match inst.opcode {
            Opcode::Bgnloop => open.push(at),
            Opcode::Endloop => {
                if let Some(begin) = open.pop() {
                    ends[begin] = at as u32;
                }
            }
            _ => {}
        }
    }
    ends
}

/// Calls `visit` with each temporary named by an instruction.
pub(super) fn for_each_temp(inst: &Inst, mut visit: impl FnMut(u32)) {
    let offsets = inst.texture.iter().flat_map(|words| &words.offsets);
    let sources = inst.src.iter().chain(offsets).map(|src| (src.base, src.index, src.outer));
    let targets = inst.dst.iter().map(|dst| (dst.base, dst.index, dst.outer));
    for (base, index, outer) in sources.chain(targets) {
        if let Base::Temp(temp) = base {
            visit(temp);
        }
        for Index { temp, .. } in [index, outer].into_iter().flatten() {
            visit(temp);
        }
    }
}
