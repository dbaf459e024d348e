//! Steps of machine IR that change what a function does are found and named: selection, spilling, scheduling, allocation.

mod ends;
mod inputs;

use std::fmt::Write as _;

use difftest::each_pass::{EachPass, MachineForm};
use pass_manager::{Observer, PassId};
use r600_codegen::internals::FormRef;
use r600_codegen::internals::alloc::Allocation;
use r600_codegen::internals::ssa::Function;
use r600_codegen::{Compilation, Compiler, Options, Snapshot};
use r600_isa::{AluOp, Chan, Chip};
use r600_mir::{
    Alu, Block, Dst, FetchTemplate, Function as Machine, Op, OpId, SrcKind, VReg, for_each_read,
    for_each_write,
};
use r600_sched::{Clause, PlacedDst, PlacedSel, Schedule};

/// What a pass left.
#[derive(Clone)]
enum Stage {
    Ssa(Box<Function>),
    Machine(Box<Machine>, Option<Schedule>, Option<Allocation>),
}

/// What passes left, in order.
#[derive(Default)]
struct Stages(Vec<(PassId, Stage)>);

impl Observer<Compilation> for Stages {
    fn verify(&mut self, pass: PassId, form: Snapshot<'_>) -> Result<(), String> {
        let stage = match form.form() {
            FormRef::Ssa(ssa) => Stage::Ssa(Box::new(ssa.function.clone())),
            FormRef::Selected(form) => Stage::Machine(Box::new(form.machine.clone()), None, None),
            FormRef::Scheduled(form) => {
                Stage::Machine(Box::new(form.machine.clone()), Some(form.schedule.clone()), None)
            }
            FormRef::Allocated(form) => Stage::Machine(
                Box::new(form.machine.clone()),
                Some(form.schedule.clone()),
                Some(form.allocation.clone()),
            ),
            _ => return Ok(()),
        };
        self.0.push((pass, stage));
        Ok(())
    }
}

/// The stages of a shader from the last of SSA on.
fn stages(text: &str, chip: Chip) -> Vec<(PassId, Stage)> {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    let mut options = Options::default().precise(true);
    options.passes.verify_each = true;
    let mut stages = Stages::default();
    let compiler = Compiler::new(options).unwrap();
    compiler.compile_observed(&parsed.shader, chip, &mut stages).unwrap();
    let first = stages.0.iter().position(|(_, stage)| matches!(stage, Stage::Machine(..)));
    stages.0.split_off(first.unwrap() - 1)
}

fn check(passes: &mut EachPass, pass: PassId, stage: &Stage) -> Result<(), String> {
    match stage {
        Stage::Ssa(function) => passes.after(pass, function),
        Stage::Machine(machine, schedule, allocation) => {
            let (schedule, allocation) = (schedule.as_ref(), allocation.as_ref());
            passes.after_machine(pass, MachineForm { machine, schedule, allocation })
        }
    }
}

/// What the check says where the pass called `name` leaves what `change` makes of what it left.
fn verdict(
    stages: &[(PassId, Stage)],
    name: &str,
    change: &dyn Fn(&mut Stage),
) -> Result<(), String> {
    let mut passes = EachPass::new(true, 3);
    for (pass, stage) in stages {
        let mut stage = stage.clone();
        if pass.name() == name {
            change(&mut stage);
            return check(&mut passes, *pass, &stage);
        }
        check(&mut passes, *pass, &stage)?;
    }
    panic!("no pass is called {name}")
}

fn stage<'a>(stages: &'a [(PassId, Stage)], name: &str) -> &'a Stage {
    let found = stages.iter().find(|(pass, _)| pass.name() == name);
    &found.unwrap_or_else(|| panic!("no pass is called {name}")).1
}

fn machine(stage: &mut Stage) -> &mut Machine {
    let Stage::Machine(machine, ..) = stage else { panic!("machine IR") };
    machine
}

fn machine_of<'a>(stages: &'a [(PassId, Stage)], name: &str) -> &'a Machine {
    let Stage::Machine(machine, ..) = stage(stages, name) else { panic!("machine IR") };
    machine
}

/// A mistake, and where it is.
type Change = (String, Box<dyn Fn(&mut Stage)>);

/// Plants each of `changes` in what the pass called `name` leaves; nearly all have to be found, and blamed on it.
fn plant(stages: &[(PassId, Stage)], (name, what): (&str, &str), changes: Vec<Change>) {
    let (planted, mut found) = (changes.len(), 0);
    for (place, change) in changes {
        match verdict(stages, name, &*change) {
            Ok(()) => println!("{what}, not found: {place}"),
            Err(why) => {
                assert!(why.contains(&format!("`{name}`")), "{why}");
                found += 1;
            }
        }
    }
    println!("{what}: {found} of {planted}");
    // Some make no difference: operands that are equal, values that nothing reads again.
    assert!(planted > 0 && 4 * found >= 3 * planted, "{what}: {found} of {planted}");
}

const SHADER: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0..3]
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0..3]
DCL TEMP[4..7], ARRAY(1), LOCAL
DCL ADDR[0]
IMM[0] FLT32 {0.0, 1.0, 3.0, 0.5}
IMM[1] INT32 {0, 1, 3, 9}
DP4 TEMP[0].x, IN[0], CONST[0]
MAD TEMP[0].y, IN[0].xxxx, IN[1].yyyy, -CONST[1].zzzz
SLT TEMP[1].x, IN[0].xxxx, CONST[2].yyyy
IF TEMP[1].xxxx
  ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz
ELSE
  TEX TEMP[2], IN[1], SAMP[0], 2D
  ADD TEMP[0], TEMP[0].xyxy, TEMP[2]
ENDIF
MOV TEMP[4], TEMP[0]
MOV TEMP[5], IN[1]
MOV TEMP[3].x, IMM[1].xxxx
BGNLOOP
  USGE TEMP[1].x, TEMP[3].xxxx, CONST[3].xxxx
  UIF TEMP[1].xxxx
    BRK
  ENDIF
  USGE TEMP[1].x, TEMP[3].xxxx, IMM[1].wwww
  UIF TEMP[1].xxxx
    BRK
  ENDIF
  MAD TEMP[0].y, TEMP[0].yyyy, IMM[0].wwww, TEMP[0].xxxx
  UADD TEMP[3].x, TEMP[3].xxxx, IMM[1].yyyy
ENDLOOP
AND TEMP[3].y, CONST[3].xxxx, IMM[1].yyyy
UARL ADDR[0].x, TEMP[3].yyyy
ADD TEMP[0].z, TEMP[0].yyyy, TEMP[ADDR[0].x+4](1).wwww
MOV OUT[0], TEMP[0].xyzy
END
";

/// So many vectors of values that live until all are known.
fn many_values(count: usize) -> String {
    let mut text = String::from(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\n\
         DCL CONST[0..199]\nDCL TEMP[0..203]\n",
    );
    for n in 0..count {
        let _ = writeln!(text, "MAD TEMP[{}], IN[0], CONST[{n}], IN[1]", n + 4);
    }
    for n in 0..count {
        let _ = writeln!(text, "ADD TEMP[0], TEMP[0], TEMP[{}]", n + 4);
    }
    for n in (0..count).rev() {
        let _ = writeln!(text, "MAD TEMP[1], TEMP[{}].wzyx, TEMP[0], TEMP[1]", n + 4);
    }
    text + "MOV OUT[0], TEMP[1]\nEND\n"
}

#[test]
fn whole_pipelines_pass() {
    for chip in [Chip::Rv610, Chip::Rv770, Chip::Cypress, Chip::Cayman] {
        let stages = stages(SHADER, chip);
        assert_eq!(
            stages.len(),
            4,
            "the last form of each kind: SSA, selected, scheduled, allocated"
        );
        assert_eq!(verdict(&stages, "allocate", &|_| ()), Ok(()));
    }
}

#[test]
fn operands_that_selection_exchanges_are_found() {
    let stages = stages(SHADER, Chip::Cypress);
    let ops = &machine_of(&stages, "select").ops;
    let is_ordered = |op: &Op| {
        matches!(op, Op::Alu(alu) if alu.op == AluOp::Muladd || alu.op == AluOp::MuladdIeee
            || alu.src.len() == 2 && alu.op.name().contains("SETG"))
    };
    let swap = |id: OpId| -> Change {
        let change = move |stage: &mut Stage| {
            if let Op::Alu(alu) = &mut machine(stage).ops[id] {
                let last = alu.src.len() - 1;
                alu.src.swap(last - 1, last);
            }
        };
        (ops[id].to_string(), Box::new(change))
    };
    let changes = ops.iter().filter(|(_, op)| is_ordered(op)).map(|(id, _)| swap(id)).collect();
    plant(&stages, ("select", "operands are exchanged"), changes);
}

#[test]
fn copies_that_selection_omits_are_found() {
    let stages = stages(SHADER, Chip::Rv770);
    let before = machine_of(&stages, "select");
    // Elements of arrays that nothing reads may keep anything.
    let is_copy = |id: OpId| matches!(&before.ops[id], Op::Alu(alu) if alu.op == AluOp::Mov && matches!(alu.dst, Dst::VReg(_)));
    let copies = before.blocks.iter().flat_map(|(block, ops)| {
        ops.iter().copied().filter(|&id| is_copy(id)).map(move |id| (block, id))
    });
    let changes = copies.map(|(block, id)| without(before, (block, id))).collect();
    plant(&stages, ("select", "copies are forgotten"), changes);
}

/// Drops an operation, and the groups that it may have been in.
fn without(machine: &Machine, (block, id): (Block, OpId)) -> Change {
    let change = move |stage: &mut Stage| {
        let Stage::Machine(machine, schedule, _) = stage else { panic!("machine IR") };
        machine.blocks[block].retain(|&other| other != id);
        *schedule = None;
    };
    (format!("{block}: {}", machine.ops[id]), Box::new(change))
}

#[test]
fn stores_and_reloads_that_spilling_omits_are_found() {
    let text = many_values(140);
    for chip in [Chip::Rv670, Chip::Rv770, Chip::Cayman] {
        let stages = stages(&text, chip);
        assert_eq!(verdict(&stages, "allocate", &|_| ()), Ok(()));
        let machine = machine_of(&stages, "spill");
        let is_transfer = |id: OpId| match &machine.ops[id] {
            Op::Fetch(fetch) => matches!(fetch.steps[0].template, FetchTemplate::Mem(_)),
            Op::Memory(_) => true,
            _ => false,
        };
        let all = machine.blocks.iter().flat_map(|(block, ops)| {
            ops.iter().copied().filter(|&id| is_transfer(id)).map(move |id| (block, id))
        });
        // A few of many.
        let changes = all.step_by(7).map(|place| without(machine, place)).collect();
        plant(&stages, ("spill", "loads and stores are forgotten"), changes);
    }
}

#[test]
fn results_that_groups_forward_to_others_are_found() {
    let stages = stages(SHADER, Chip::Cypress);
    let Stage::Machine(_, Some(schedule), _) = stage(&stages, "schedule") else { panic!() };
    let mut changes: Vec<Change> = Vec::new();
    for block in schedule.blocks.keys() {
        for (n, clause) in schedule.blocks[block].iter().enumerate() {
            let Clause::Alu(clause) = clause else { continue };
            for group in 1..clause.groups.len() {
                let change = move |stage: &mut Stage| {
                    let Stage::Machine(_, Some(schedule), _) = stage else { panic!() };
                    let Clause::Alu(clause) = &mut schedule.blocks[block][n] else { panic!() };
                    clause.groups.swap(group - 1, group);
                };
                changes.push((format!("{block}, clause {n}, group {group}"), Box::new(change)));
            }
        }
    }
    plant(&stages, ("schedule", "groups are exchanged"), changes);
    let mut forwarded: Vec<Change> = Vec::new();
    for_each_forward(schedule, |at| {
        let change = move |stage: &mut Stage| {
            let Stage::Machine(_, Some(schedule), _) = stage else { panic!() };
            let (block, clause, group, slot, src) = at;
            let Clause::Alu(clause) = &mut schedule.blocks[block][clause] else { panic!() };
            let placed = clause.groups[group].slots[slot].as_mut().unwrap();
            placed.src[src].sel = PlacedSel::Pv(match placed.src[src].sel {
                PlacedSel::Pv(Chan::X) => Chan::Y,
                _ => Chan::X,
            });
        };
        forwarded.push((format!("{at:?}"), Box::new(change)));
    });
    plant(&stages, ("schedule", "another result is forwarded"), forwarded);
}

/// Block, clause, group, slot and source of what reads `PV` or `PS`.
type Forward = (Block, usize, usize, usize, usize);

fn for_each_forward(schedule: &Schedule, mut visit: impl FnMut(Forward)) {
    for block in schedule.blocks.keys() {
        for (c, clause) in schedule.blocks[block].iter().enumerate() {
            let Clause::Alu(clause) = clause else { continue };
            for (g, group) in clause.groups.iter().enumerate() {
                for (slot, placed) in group.iter() {
                    for (s, src) in placed.src.iter().enumerate() {
                        if matches!(src.sel, PlacedSel::Pv(_) | PlacedSel::Ps) {
                            visit((block, c, g, slot as usize, s));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn live_values_that_share_a_register_are_found() {
    for chip in [Chip::Rv770, Chip::Cypress, Chip::Cayman] {
        let stages = stages(&many_values(12), chip);
        let Stage::Machine(machine, Some(schedule), Some(allocation)) = stage(&stages, "allocate")
        else {
            panic!("an allocation")
        };
        let mut changes: Vec<Change> = Vec::new();
        for (a, b) in live_together(machine, schedule) {
            let has_registers = [a, b].iter().all(|&vreg| allocation.gprs[vreg].is_some());
            if has_registers && allocation.gprs[a] != allocation.gprs[b] {
                let change = move |stage: &mut Stage| {
                    let Stage::Machine(_, _, Some(allocation)) = stage else { panic!() };
                    allocation.gprs[b] = allocation.gprs[a];
                };
                changes.push((format!("{a} and {b}"), Box::new(change)));
            }
        }
        // A few of many.
        let changes = changes.into_iter().step_by(3).collect();
        plant(&stages, ("allocate", "two values share a register"), changes);
    }
}

/// Registers of one channel, of which one is read after the other is written, and was written before, in one block.
fn live_together(machine: &Machine, schedule: &Schedule) -> Vec<(VReg, VReg)> {
    let mut pairs = Vec::new();
    for ops in machine.blocks.values() {
        for (at, &id) in ops.iter().enumerate() {
            let mut read_later = Vec::new();
            ops[at + 1..].iter().for_each(|&op| {
                for_each_read(&machine.ops[op], |vreg| read_later.push(vreg));
            });
            let mut written_before = Vec::new();
            ops[..at].iter().for_each(|&op| {
                for_each_write(&machine.ops[op], |vreg| written_before.push(vreg));
            });
            for_each_write(&machine.ops[id], |b| {
                let is_live = |a: &&VReg| {
                    **a != b
                        && schedule.chans[**a] == schedule.chans[b]
                        && read_later.contains(a)
                        && reads_of_group(schedule, **a)
                        && reads_of_group(schedule, b)
                };
                if let Some(&a) = written_before.iter().find(is_live)
                    && read_later.contains(&b)
                {
                    pairs.push((a, b));
                }
            });
        }
    }
    pairs
}

/// Whether a group reads a register and writes it: what is only forwarded needs none.
fn reads_of_group(schedule: &Schedule, vreg: VReg) -> bool {
    let clauses = schedule.blocks.values().flatten();
    let groups = clauses.filter_map(|clause| match clause {
        Clause::Alu(clause) => Some(&clause.groups),
        Clause::Fetch(_) | Clause::Export(_) => None,
    });
    let (mut reads, mut writes) = (false, false);
    for (_, placed) in groups.flatten().flat_map(|group| group.iter()) {
        writes |= placed.dst == PlacedDst::VReg(vreg);
        reads |= placed.src.iter().any(|src| matches!(src.sel, PlacedSel::VReg(v, _) if v == vreg));
    }
    reads && writes
}

/// Whether something reads what is stored: channel w, and no value that is stored only to begin with.
fn is_read_store(alu: &Alu) -> bool {
    let is_w = matches!(alu.dst, Dst::Element(element) if element.chan == Chan::W);
    is_w && matches!(alu.src[0].kind, SrcKind::VReg(_))
}

#[test]
fn another_element_or_component_is_found() {
    let stages = stages(SHADER, Chip::Cayman);
    let before = machine_of(&stages, "select");
    let mut changes: Vec<Change> = Vec::new();
    for (id, op) in &before.ops {
        let change: Box<dyn Fn(&mut Stage)> = match op {
            Op::Alu(alu) if matches!(alu.src[0].kind, SrcKind::Element(_)) => {
                Box::new(move |stage| {
                    let Op::Alu(alu) = &mut machine(stage).ops[id] else { panic!() };
                    let SrcKind::Element(element) = &mut alu.src[0].kind else { panic!() };
                    (element.relative, alu.index) = (false, None);
                })
            }
            Op::Alu(alu) if is_read_store(alu) => Box::new(move |stage| {
                let Op::Alu(alu) = &mut machine(stage).ops[id] else { panic!() };
                let Dst::Element(element) = &mut alu.dst else { panic!() };
                element.offset ^= 1;
            }),
            Op::Export(_) => Box::new(move |stage| {
                let Op::Export(export) = &mut machine(stage).ops[id] else { panic!() };
                export.src.swap(0, 1);
            }),
            Op::Fetch(_) => Box::new(move |stage| {
                let Op::Fetch(fetch) = &mut machine(stage).ops[id] else { panic!() };
                fetch.steps[0].dst.swap(0, 1);
            }),
            _ => continue,
        };
        changes.push((op.to_string(), change));
    }
    plant(&stages, ("select", "another element or component is taken"), changes);
}
