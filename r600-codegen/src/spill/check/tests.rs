//! Breaks correct functions in every place; every fault must be found.

use r600_isa::Chip;
use r600_mir::{Function, Op, OpId, VReg, for_each_read};

use crate::Options;
use crate::lower::lower;
use crate::select::select;
use crate::spill::{Limits, Spilling, spill};
use crate::ssa::{ExitSlice, Uses};

use super::{SpillFault, check};

const CHIPS: [Chip; 4] = [Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman];

/// Inputs, results of fetches, values that live through a branch and in a loop: all go to memory.
const SHADER: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0..7]
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0..4]
IMM[0] FLT32 {0.0, 1.0, 3.0, 0.25}
MAD TEMP[0], IN[0], CONST[0], IN[1]
TEX TEMP[1], TEMP[0], SAMP[0], 2D
MAD TEMP[2], IN[0].wzyx, CONST[1], TEMP[0]
SLT TEMP[3].x, IN[0].xxxx, IN[1].yyyy
IF TEMP[3].xxxx
  ADD TEMP[2], TEMP[2], TEMP[1]
  MUL TEMP[0].xy, TEMP[1], IN[1]
ENDIF
MOV TEMP[4], IMM[0].xxxx
BGNLOOP
  SGE TEMP[3].x, TEMP[4].xxxx, IMM[0].zzzz
  IF TEMP[3].xxxx
    BRK
  ENDIF
  ADD TEMP[4].x, TEMP[4].xxxx, IMM[0].yyyy
  MAD TEMP[0], TEMP[2].yxwz, TEMP[4].xxxx, TEMP[0]
ENDLOOP
ADD TEMP[0], TEMP[0], TEMP[1]
ADD TEMP[0], TEMP[0], TEMP[2]
ADD OUT[0], TEMP[0], IN[0]
END
";

/// The shader, spilled down to very few registers.
fn spilled(chip: Chip) -> (Spilling, Function) {
    let parsed = tgsi_text::parse(SHADER);
    assert_eq!(parsed.diagnostics, []);
    let options = Options::default();
    let lowered =
        lower(&parsed.shader, chip, &options.key, options.limits, options.ignored_hazards)
            .expect("it is taken");
    let before = select(&lowered.function, &Uses::of(&lowered.function), &ExitSlice::default())
        .expect("it is complete");
    let spilled = spill(&before, Limits { gprs: 1, reuse: 3 }).expect("memory suffices");
    let spilled = spilled.expect("values are over the limit");
    (Spilling { before, places: spilled.places }, spilled.machine)
}

fn is_transfer(spilling: &Spilling, after: &Function, op: OpId) -> bool {
    let is_old = spilling.before.blocks.values().flatten().any(|&old| old == op);
    !is_old && matches!(after.ops[op], Op::Memory(_) | Op::Fetch(_))
}

/// The registers that a load or store moves.
fn moved(op: &mut Op) -> Vec<&mut Option<VReg>> {
    match op {
        Op::Memory(memory) => memory.data.iter_mut().chain(&mut memory.dst).collect(),
        Op::Fetch(fetch) => fetch.steps.iter_mut().flat_map(|step| &mut step.dst).collect(),
        _ => Vec::new(),
    }
}

/// Applies `change` to each load and store, and counts how often it applies. Every change must be found.
fn for_each_transfer(what: &str, mut change: impl FnMut(&Spilling, &mut Function, OpId) -> bool) {
    for chip in CHIPS {
        let mut count = 0;
        let (spilling, good) = spilled(chip);
        for op in good.ops.keys().filter(|&op| is_transfer(&spilling, &good, op)) {
            let mut broken = good.clone();
            if change(&spilling, &mut broken, op) {
                assert!(check(&spilling, &broken).is_err(), "{what}: {op} on {}", chip.name());
                count += 1;
            }
        }
        assert!(count > 0, "{what} is tried on {}", chip.name());
    }
}

fn take_out(function: &mut Function, op: OpId) {
    function.blocks.values_mut().for_each(|ops| ops.retain(|&other| other != op));
}

#[test]
fn spilled_code_passes_the_check() {
    for chip in CHIPS {
        let (spilling, after) = spilled(chip);
        assert_eq!(check(&spilling, &after), Ok(()), "{}", chip.name());
        let slots = spilling.before.vregs.keys().filter(|&v| spilling.places.slots[v].is_some());
        assert!(slots.count() > 10, "many values are in memory");
    }
}

#[test]
fn a_lost_transfer_is_found() {
    for_each_transfer("lost", |_, function, op| {
        take_out(function, op);
        true
    });
}

#[test]
fn a_transfer_of_another_place_is_found() {
    for_each_transfer("moved", |_, function, op| {
        match &mut function.ops[op] {
            Op::Memory(memory) => memory.template.access = r600_isa::MemoryAccess::Base(77),
            Op::Fetch(fetch) => match &mut fetch.steps[0].template {
                r600_mir::FetchTemplate::Mem(mem) => mem.array_base += 1,
                _ => return false,
            },
            _ => return false,
        }
        true
    });
}

#[test]
fn a_transfer_of_the_wrong_channel_is_found() {
    for_each_transfer("exchanged", |_, function, op| {
        let mut registers = moved(&mut function.ops[op]);
        let Some(from) = registers.iter().position(|register| register.is_some()) else {
            return false;
        };
        let Some(to) = registers.iter().position(|register| register.is_none()) else {
            return false;
        };
        *registers[to] = registers[from].take();
        true
    });
}

#[test]
fn a_transfer_into_a_register_in_use_is_found() {
    for_each_transfer("loaded over a value", |spilling, function, op| {
        let is_load = match &function.ops[op] {
            Op::Memory(memory) => memory.dst.iter().any(Option::is_some),
            _ => true,
        };
        let keeps = |&vreg: &VReg| spilling.places.slots[vreg].is_none();
        let other = spilling.before.vregs.keys().find(keeps);
        let Some(register) = moved(&mut function.ops[op]).into_iter().flatten().next() else {
            return false;
        };
        match other {
            Some(other) if is_load => *register = other,
            _ => return false,
        }
        true
    });
}

#[test]
fn a_transfer_in_another_order_is_found() {
    // A store before the write of its value, or a load after its reader.
    for_each_transfer("delayed", |spilling, function, op| {
        let stores =
            matches!(&function.ops[op], Op::Memory(m) if m.data.iter().any(Option::is_some));
        // The order of stores on entry does not matter.
        for block in spilling.before.blocks.keys() {
            let ops = &mut function.blocks[block];
            let Some(at) = ops.iter().position(|&other| other == op) else { continue };
            let id = ops.remove(at);
            ops.insert(if stores { 0 } else { ops.len() }, id);
            return true;
        }
        false
    });
}

#[test]
fn another_body_is_found() {
    for chip in CHIPS {
        let (spilling, good) = spilled(chip);
        let mut broken = good.clone();
        broken.body.nodes.pop();
        assert!(check(&spilling, &broken).is_err(), "a node less");
        let mut broken = good.clone();
        broken.body.nodes.remove(0);
        assert!(check(&spilling, &broken).is_err(), "without what is stored on entry");
        let mut broken = good.clone();
        broken.live_in.pop();
        assert!(check(&spilling, &broken).is_err(), "another value on entry");
        let mut broken = good;
        broken.scratch -= 1;
        assert!(check(&spilling, &broken).is_err(), "less memory than there are slots");
    }
}

#[test]
fn a_changed_operation_is_found() {
    for chip in CHIPS {
        let (spilling, good) = spilled(chip);
        for op in spilling.before.ops.keys() {
            let mut broken = good.clone();
            take_out(&mut broken, op);
            assert!(check(&spilling, &broken).is_err(), "{op} is lost");
            let mut broken = good.clone();
            let Op::Alu(alu) = &mut broken.ops[op] else { continue };
            alu.clamp ^= true;
            assert!(check(&spilling, &broken).is_err(), "{op} is another one");
        }
    }
}

#[test]
fn two_values_in_one_place_are_found() {
    let (mut spilling, after) = spilled(Chip::Cypress);
    let vregs = spilling.before.vregs.keys();
    let slots: Vec<_> = vregs.filter(|&vreg| spilling.places.slots[vreg].is_some()).collect();
    spilling.places.slots[slots[0]] = spilling.places.slots[slots[1]];
    let fault = check(&spilling, &after);
    assert!(matches!(fault, Err(SpillFault::Shared(..))), "{fault:?}");
}

#[test]
fn coordinates_in_two_registers_are_found() {
    for chip in [Chip::Cypress, Chip::Cayman] {
        let (spilling, mut after) = spilled(chip);
        let interpolates =
            |op: &OpId| matches!(&after.ops[*op], Op::FixedSlots(fixed) if fixed.vec_210);
        let op = after.blocks.values().flatten().copied().find(interpolates);
        let op = op.expect("it interpolates");
        let mut read = None;
        for_each_read(&after.ops[op], |vreg| read = Some(vreg));
        after.vregs[read.expect("it reads coordinates")].vector = None;
        assert_eq!(check(&spilling, &after), Err(SpillFault::Torn(op)));
    }
}
