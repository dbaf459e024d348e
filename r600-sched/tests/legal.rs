//! Random machine code is scheduled legally, and broken schedules are found out.

use proptest::prelude::*;
use r600_isa::{
    AluOp, CfMemory, CfOp, Chan, Chip, FetchOp, KcacheWindow, LdsAccess, LdsOp, MemInst, Omod,
    TexInst,
};
use r600_mir::{
    Alu, ArrayInfo, Component, Dst, Element, Export, ExportTarget, Fetch, FetchStep, FetchTemplate,
    Function, LDS_QUEUE_A_POP, Local, Memory, Node, Op, OpId, Reduction, Replicated, Src, SrcKind,
    Storage, VReg, VRegInfo, VectorInfo,
};
use r600_sched::{
    CheckError, Clause, Group, Options, Placed, PlacedDst, PlacedSel, SchedError, Schedule,
    Scheduler, Urgency, check,
};

const CHIPS: [Chip; 4] = [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman];

/// One random operation: what it is, and numbers from which its operands follow.
type Draw = (u8, u8, u8, u8);

/// Builds a function of one block, each operation reading values made before it.
struct Builder {
    function: Function,
    ops: Vec<Op>,
    values: Vec<VReg>,
}

impl Builder {
    fn build(chip: Chip, draws: &[Draw]) -> Function {
        let mut builder =
            Self { function: Function::new(chip), ops: Vec::new(), values: Vec::new() };
        builder.function.arrays.push(ArrayInfo { len: 4 });
        for _ in 0..3 {
            let value = builder.value();
            builder.function.live_in.push(value);
        }
        draws.iter().for_each(|draw| builder.op(*draw));
        builder.export_last();
        let ids: Vec<_> = builder.ops.into_iter().map(|op| builder.function.ops.push(op)).collect();
        let block = builder.function.blocks.push(ids);
        builder.function.body.nodes.push(Node::Block(block));
        builder.function
    }

    fn value(&mut self) -> VReg {
        let vreg = self.function.vregs.push(VRegInfo::default());
        self.values.push(vreg);
        vreg
    }

    fn register(&self, n: u8) -> VReg {
        self.values[self.values.len() - 1 - usize::from(n) % self.values.len()]
    }

    fn source(&self, n: u8) -> Src {
        Src::new(match n % 8 {
            0 => SrcKind::Const(0x4000_0000 + u32::from(n)),
            1 => SrcKind::Uniform { bank: n / 64, index: u16::from(n), chan: Chan::Y },
            _ => SrcKind::VReg(self.register(n / 8)),
        })
    }

    fn alu(&mut self, op: AluOp, dst: Dst, src: &[Src], index: Option<VReg>) {
        self.ops.push(Op::Alu(Alu {
            op,
            dst,
            src: src.iter().copied().collect(),
            omod: Omod::None,
            clamp: false,
            update_exec_mask: false,
            index,
        }));
    }

    fn op(&mut self, (kind, a, b, c): Draw) {
        let [x, y] = [a, b].map(|n| self.source(n));
        // A group can read two uniforms: selection moves a third to a register.
        let z = self.only_registers(self.source(c), c);
        let cayman = self.function.chip == Chip::Cayman;
        match kind % 12 {
            0 if !cayman => self.defining(AluOp::RecipIeee, &[x]),
            1 => {
                let pairs = [[x, y], [y, z], [x, z], [z, z]];
                let dst = self.value();
                self.ops.push(Op::Reduction(Box::new(Reduction {
                    op: AluOp::Dot4Ieee,
                    dst,
                    pairs: pairs.map(|pair| pair.map(|src| self.only_registers(src, a))),
                    omod: Omod::None,
                    clamp: false,
                })));
            }
            2 => self.fetch(a, b),
            3 => self.store(a, b, c),
            4 => self.load(a, b),
            5 => {
                // A second write of a register, as the arms of a branch make.
                let again = self.register(c);
                if self.function.vregs[again].vector.is_none() {
                    self.alu(AluOp::Mov, Dst::VReg(again), &[x], None);
                }
            }
            6 | 7 => self.defining(AluOp::MuladdIeee, &[x, y, z]),
            8 | 9 => self.defining(AluOp::Add, &[x, y]),
            _ => self.defining(AluOp::MulIeee, &[x, y]),
        }
    }

    /// Reductions here read three registers at most, which their ports can always reach.
    fn only_registers(&self, src: Src, n: u8) -> Src {
        match src.kind {
            SrcKind::VReg(_) => src,
            _ => Src::new(SrcKind::VReg(self.register(n))),
        }
    }

    fn defining(&mut self, op: AluOp, src: &[Src]) {
        let dst = self.value();
        self.alu(op, Dst::VReg(dst), src, None);
    }

    fn vector(&mut self, members: &[VReg]) {
        let info = VectorInfo { members: members.iter().copied().collect(), gpr: None };
        let vector = self.function.vectors.push(info);
        for &member in members {
            self.function.vregs[member].vector = Some(vector);
        }
    }

    fn fetch(&mut self, a: u8, b: u8) {
        let address = [a, b].map(|n| {
            let src = self.source(n);
            self.defining(AluOp::Mov, &[src]);
            self.register(0)
        });
        self.vector(&address);
        let results = [self.value(), self.value(), self.value()];
        self.vector(&results);
        let [x, y] = address.map(Component::VReg);
        let step = FetchStep {
            template: FetchTemplate::Tex(TexInst::sample(FetchOp::Sample, 0, 0)),
            src: [x, y, Component::Unused, Component::Unused],
            dst: [Some(results[0]), Some(results[1]), Some(results[2]), None],
        };
        let steps = [step].into_iter().collect();
        self.ops.push(Op::Fetch(Box::new(Fetch { steps, reads: None })));
    }

    fn element(a: u8, b: u8) -> Element {
        let array = cranelift_entity::EntityRef::new(0);
        let chan = Chan::ALL[usize::from(b % 2)];
        Element { array, offset: a % 4, chan, relative: b.is_multiple_of(3) }
    }

    fn index(&self, element: Element, n: u8) -> Option<VReg> {
        element.relative.then(|| self.register(n))
    }

    fn store(&mut self, a: u8, b: u8, c: u8) {
        let element = Self::element(a, b);
        let (src, index) = (self.source(c), self.index(element, c));
        self.alu(AluOp::Mov, Dst::Element(element), &[src], index);
    }

    fn load(&mut self, a: u8, b: u8) {
        let element = Self::element(a, b);
        let index = self.index(element, a);
        let dst = self.value();
        self.alu(AluOp::Mov, Dst::VReg(dst), &[Src::new(SrcKind::Element(element))], index);
    }

    fn export_last(&mut self) {
        let sources = [0, 1, 2, 3].map(|n| Src::new(SrcKind::VReg(self.register(n))));
        let members = sources.map(|src| {
            self.defining(AluOp::Mov, &[src]);
            self.register(0)
        });
        self.vector(&members);
        let src = members.map(Component::VReg);
        self.ops.push(Op::Export(Export { target: ExportTarget::Pixel(0), src }));
    }
}

fn schedule(function: &Function, options: Options) -> Schedule {
    Scheduler::new(function).run(&options).expect("every operation can be placed")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_code_is_scheduled_legally(
        draws in proptest::collection::vec(any::<Draw>(), 1..120),
        pressure in proptest::option::of(1..12u32),
        noise in any::<u32>(),
    ) {
        for chip in CHIPS {
            let function = Builder::build(chip, &draws);
            let ways = [
                Options::SHORT.pack(false),
                Options::SHORT,
                Options::SHORT.urgency(Urgency::ScarceFirst),
                Options::SHORT.noise(Some(noise)),
                Options::SHORT.urgency(Urgency::ScarceFirst).noise(Some(noise)),
            ];
            for way in ways {
                let options = way.pressure(pressure);
                let schedule = schedule(&function, options);
                prop_assert_eq!(check(&function, &schedule), Ok(()), "{:?}", chip);
                let bound = Scheduler::new(&function).lower_bound();
                prop_assert!(bound <= schedule.num_groups(), "{:?}", chip);
            }
        }
    }
}

/// A function with two registers that are read to its end, and those.
fn with_inputs(chip: Chip) -> (Function, [VReg; 2]) {
    let mut function = Function::new(chip);
    let vregs = [(); 2].map(|()| function.vregs.push(VRegInfo::default()));
    let vector =
        function.vectors.push(VectorInfo { members: vregs.into_iter().collect(), gpr: Some(0) });
    for (vreg, chan) in vregs.into_iter().zip(Chan::ALL) {
        function.vregs[vreg] = VRegInfo { vector: Some(vector), chan: Some(chan) };
        function.live_in.push(vreg);
    }
    (function, vregs)
}

/// Schedules `ops` where registers are short from the first value on.
fn schedule_short(mut function: Function, ops: Vec<Op>) -> Schedule {
    let ops = ops.into_iter().map(|op| function.ops.push(op)).collect();
    let block = function.blocks.push(ops);
    function.body.nodes.push(Node::Block(block));
    let schedule = schedule(&function, Options::SHORT.pressure(Some(1)));
    assert_eq!(check(&function, &schedule), Ok(()));
    schedule
}

#[test]
fn operations_of_three_slots_find_room_where_registers_are_short() {
    let (mut function, [a, _]) = with_inputs(Chip::Cayman);
    let src = |vregs: &[VReg]| vregs.iter().map(|&vreg| Src::new(SrcKind::VReg(vreg))).collect();
    let mut ops = Vec::new();
    for _ in 0..8 {
        let [sum, reciprocal] = [(); 2].map(|()| function.vregs.push(VRegInfo::default()));
        ops.push(Op::Alu(Alu {
            op: AluOp::Add,
            dst: Dst::VReg(sum),
            src: src(&[a, a]),
            omod: Omod::None,
            clamp: false,
            update_exec_mask: false,
            index: None,
        }));
        ops.push(Op::Replicated(Replicated {
            op: AluOp::RecipIeee,
            dst: reciprocal,
            src: src(&[a]),
            omod: Omod::None,
            clamp: false,
            all_slots: false,
        }));
    }
    // One of each fills a group; four sums would leave reciprocals groups of their own.
    assert_eq!(schedule_short(function, ops).num_groups(), 8);
}

#[test]
fn two_fetches_share_a_clause_where_registers_are_short() {
    let (mut function, address) = with_inputs(Chip::Rv770);
    let [x, y] = address.map(Component::VReg);
    let mut ops = Vec::new();
    for _ in 0..2 {
        let result = function.vregs.push(VRegInfo::default());
        let step = FetchStep {
            template: FetchTemplate::Tex(TexInst::sample(FetchOp::Sample, 0, 0)),
            src: [x, y, Component::Unused, Component::Unused],
            dst: [Some(result), None, None, None],
        };
        let steps = [step].into_iter().collect();
        ops.push(Op::Fetch(Box::new(Fetch { steps, reads: None })));
    }
    let schedule = schedule_short(function, ops);
    let clauses: Vec<_> = schedule.blocks.values().flatten().collect();
    assert!(matches!(clauses[..], [Clause::Fetch(ops)] if ops.len() == 2), "{clauses:?}");
}

/// A function in which everything depends on what is before it.
fn chain() -> Function {
    let draws: Vec<Draw> =
        (0..40).map(|n| if n % 10 == 9 { (2, 2, 10, 0) } else { (8, 2, 10, 0) }).collect();
    Builder::build(Chip::Rv770, &draws)
}

/// The first clause of ALU groups.
fn first_groups(schedule: &mut Schedule) -> &mut Vec<r600_sched::Group> {
    schedule
        .blocks
        .values_mut()
        .flatten()
        .find_map(|clause| match clause {
            Clause::Alu(alu) => Some(&mut alu.groups),
            Clause::Fetch(_) | Clause::Export(_) => None,
        })
        .expect("there is an ALU clause")
}

fn broken(change: impl FnOnce(&mut Schedule)) -> CheckError {
    let function = chain();
    let mut schedule = schedule(&function, SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    change(&mut schedule);
    check(&function, &schedule).expect_err("the broken schedule is found out")
}

#[test]
fn a_missing_group_is_found() {
    let error = broken(|schedule| drop(first_groups(schedule).pop()));
    assert!(matches!(error, CheckError::Missing(_)), "{error}");
}

#[test]
fn groups_out_of_order_are_found() {
    let error = broken(|schedule| first_groups(schedule).reverse());
    assert!(matches!(error, CheckError::Value(_) | CheckError::Forward(_)), "{error}");
}

#[test]
fn clauses_out_of_order_are_found() {
    let error = broken(|schedule| {
        for clauses in schedule.blocks.values_mut() {
            clauses.reverse();
        }
    });
    assert!(matches!(error, CheckError::Value(_) | CheckError::Forward(_)), "{error}");
}

#[test]
fn a_wrong_slot_is_found() {
    let error = broken(|schedule| {
        for group in first_groups(schedule) {
            group.slots.rotate_left(1);
        }
    });
    assert!(matches!(error, CheckError::Slot(_)), "{error}");
}

#[test]
fn a_stale_forward_is_found() {
    let error = broken(|schedule| {
        for placed in first_groups(schedule).iter_mut().flat_map(|g| &mut g.slots).flatten() {
            for src in &mut placed.src {
                if matches!(src.sel, PlacedSel::VReg(..)) {
                    src.sel = PlacedSel::Ps;
                }
            }
        }
    });
    assert!(matches!(error, CheckError::Forward(_)), "{error}");
}

#[test]
fn a_window_that_is_not_locked_is_found() {
    let function = Builder::build(Chip::Cedar, &[(8, 9, 16, 0)]);
    let mut schedule = schedule(&function, SHORT);
    for clause in schedule.blocks.values_mut().flatten() {
        if let Clause::Alu(alu) = clause {
            alu.kcache = Default::default();
        }
    }
    let error = check(&function, &schedule).expect_err("the constant has no window");
    assert!(matches!(error, CheckError::Window(_)), "{error}");
}

/// Changes every instruction of the first clause in turn, where `change` can; each has to be found.
fn each_instruction(change: impl Fn(&mut Placed) -> bool) -> usize {
    let function = chain();
    let good = schedule(&function, SHORT);
    let is_alu = |placed: &&mut Placed| {
        placed.node.is_some_and(|node| matches!(function.ops[node], Op::Alu(_)))
    };
    let mut count = 0;
    for at in 0.. {
        let mut broken = good.clone();
        let slots = first_groups(&mut broken).iter_mut().flat_map(|group| &mut group.slots);
        let Some(placed) = slots.flatten().filter(is_alu).nth(at) else { break };
        if change(placed) {
            count += 1;
            let error = check(&function, &broken).expect_err("the broken schedule is found out");
            let is_named = matches!(
                error,
                CheckError::Operation(_)
                    | CheckError::Slot(_)
                    | CheckError::Value(_)
                    | CheckError::Predicate(_)
            );
            assert!(is_named, "{error}");
        }
    }
    count
}

#[test]
fn an_instruction_that_is_not_its_operation_is_found() {
    type Change = fn(&mut Placed) -> bool;
    let changes: [(&str, Change); 9] = [
        ("another operation", |placed| {
            placed.op = if placed.op == AluOp::Add { AluOp::Max } else { AluOp::Add };
            true
        }),
        ("clamp", |placed| {
            placed.clamp ^= true;
            true
        }),
        ("output modifier", |placed| {
            placed.omod = if placed.omod == Omod::None { Omod::Times2 } else { Omod::None };
            true
        }),
        ("predicate", |placed| {
            placed.update_exec_mask ^= true;
            true
        }),
        ("sign", |placed| placed.src.first_mut().map(|src| src.neg ^= true).is_some()),
        ("magnitude", |placed| placed.src.first_mut().map(|src| src.abs ^= true).is_some()),
        ("lost source", |placed| placed.src.pop().is_some()),
        ("swapped sources", |placed| {
            let differ = placed.src.len() >= 2 && placed.src[0] != placed.src[1];
            if differ {
                placed.src.swap(0, 1);
            }
            // Both may be one register, of which one is forwarded.
            differ
                && placed.src.iter().all(|src| !matches!(src.sel, PlacedSel::Pv(_) | PlacedSel::Ps))
        }),
        ("constant for register", |placed| {
            let src = placed.src.iter_mut().find(|src| matches!(src.sel, PlacedSel::VReg(..)));
            src.map(|src| src.sel = PlacedSel::Const(7)).is_some()
        }),
    ];
    for (name, change) in changes {
        let count = each_instruction(change);
        println!("{name}: {count}");
        assert!(count > 0, "{name} has no place");
    }
}

#[test]
fn a_window_of_other_constants_is_found() {
    let function = Builder::build(Chip::Cedar, &[(8, 9, 16, 0)]);
    let good = schedule(&function, SHORT);
    for change in [(|window| window.line ^= 1) as fn(&mut KcacheWindow), |window| window.bank ^= 1]
    {
        let mut broken = good.clone();
        for clause in broken.blocks.values_mut().flatten() {
            if let Clause::Alu(alu) = clause {
                alu.kcache.iter_mut().for_each(change);
            }
        }
        let error = check(&function, &broken).expect_err("the constant is another");
        assert!(matches!(error, CheckError::Operation(_)), "{error}");
    }
}

/// A group that the scheduler itself could have added.
fn filler(group: &Group) -> Group {
    let mut placed = group.iter().next().expect("groups are not empty").1.clone();
    (placed.node, placed.dst, placed.op) = (None, PlacedDst::None, AluOp::AluNop);
    (placed.lds, placed.update_exec_mask, placed.clamp) = (None, false, false);
    placed.src.clear();
    Group { slots: [Some(placed), None, None, None, None] }
}

/// The error of a schedule of `draws` that was changed.
fn broken_code(
    chip: Chip,
    draws: &[Draw],
    change: impl FnOnce(&Function, &mut Schedule),
) -> CheckError {
    let function = Builder::build(chip, draws);
    let mut schedule = schedule(&function, SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    change(&function, &mut schedule);
    check(&function, &schedule).expect_err("the broken schedule is found out")
}

#[test]
fn a_clause_that_is_too_long_is_found() {
    let error = broken(|schedule| {
        let groups = first_groups(schedule);
        let filler = filler(&groups[0]);
        groups.extend(std::iter::repeat_n(filler, 130));
    });
    assert!(matches!(error, CheckError::Clause(_)), "{error}");
}

#[test]
fn too_many_fetches_in_a_clause_are_found() {
    let error = broken_code(Chip::Rv770, &[(2, 0, 8, 0); 20], |_, schedule| {
        for clauses in schedule.blocks.values_mut() {
            let is_fetch = |clause: &Clause| matches!(clause, Clause::Fetch(_));
            let mut all = Vec::new();
            for clause in clauses.iter_mut() {
                if let Clause::Fetch(fetches) = clause {
                    all.append(fetches);
                }
            }
            let last = clauses.iter().rposition(is_fetch).expect("there are fetches");
            clauses[last] = Clause::Fetch(all);
        }
    });
    assert!(matches!(error, CheckError::Clause(_)), "{error}");
}

#[test]
fn members_of_a_vector_in_one_channel_are_found() {
    let error = broken_code(Chip::Rv770, &[(8, 16, 16, 0); 4], |function, schedule| {
        let members = &function.vectors.values().last().expect("there is an export").members;
        schedule.chans[members[0]] = schedule.chans[members[1]];
    });
    assert!(matches!(error, CheckError::Channel(_)), "{error}");
}

#[test]
fn an_array_that_is_read_before_its_write_is_found() {
    let error = broken_code(Chip::Cedar, &[(3, 1, 1, 0), (4, 1, 1, 0)], |function, schedule| {
        unforward(function, schedule);
        first_groups(schedule).reverse();
    });
    assert!(matches!(error, CheckError::Value(_)), "{error}");
}

#[test]
fn an_index_that_is_not_loaded_is_found() {
    let error = broken_code(Chip::Rv770, &[(3, 0, 0, 0), (4, 0, 0, 0)], |_, schedule| {
        let mut count = 0;
        for slot in first_groups(schedule).iter_mut().flat_map(|group| &mut group.slots) {
            if slot.as_ref().is_some_and(|placed| placed.node.is_none() && !placed.src.is_empty()) {
                count += usize::from(slot.take().is_some());
            }
        }
        assert!(count > 0, "an index is loaded");
    });
    assert!(matches!(error, CheckError::Array(_)), "{error}");
}

#[test]
fn an_array_that_is_read_right_behind_its_write_is_found_on_old_chips() {
    let error = broken_code(Chip::Rv770, &[(3, 0, 0, 0), (4, 0, 0, 0)], |_, schedule| {
        let groups = first_groups(schedule);
        let is_write = |group: &Group| {
            group.iter().any(|(_, placed)| matches!(placed.dst, PlacedDst::Element(_)))
        };
        let is_read = |group: &Group| {
            let mut sources = group.iter().flat_map(|(_, placed)| &placed.src);
            sources.any(|src| matches!(src.sel, PlacedSel::Element(_)))
        };
        let write = groups.iter().position(is_write).expect("the array is written");
        let read = groups.iter().position(is_read).expect("the array is read");
        assert!(write + 1 < read, "they are kept apart");
        groups.drain(write + 1..read);
    });
    assert!(matches!(error, CheckError::Array(_)), "{error}");
}

/// A function of operations that `make` adds.
fn function_of(chip: Chip, make: impl FnOnce(&mut Builder)) -> Function {
    let mut builder =
        Builder { function: Function::new(chip), ops: Vec::new(), values: Vec::new() };
    for _ in 0..3 {
        let value = builder.value();
        builder.function.live_in.push(value);
    }
    make(&mut builder);
    builder.export_last();
    let ids: Vec<_> = builder.ops.into_iter().map(|op| builder.function.ops.push(op)).collect();
    let block = builder.function.blocks.push(ids);
    builder.function.body.nodes.push(Node::Block(block));
    builder.function
}

#[test]
fn a_vector_of_constants_just_behind_its_window_is_found() {
    let function = Builder::build(Chip::Cedar, &[(8, 9, 16, 0)]);
    let mut schedule = schedule(&function, SHORT);
    let mut count = 0;
    for clause in schedule.blocks.values_mut().flatten() {
        let Clause::Alu(alu) = clause else { continue };
        for placed in alu.groups.iter_mut().flat_map(|group| &mut group.slots).flatten() {
            for src in &mut placed.src {
                if let PlacedSel::Kcache { index, .. } = &mut src.sel {
                    (*index, count) = (16, count + 1);
                }
            }
        }
    }
    assert!(count > 0, "constants are read");
    let error = check(&function, &schedule).expect_err("the window has 16 vectors");
    assert!(matches!(error, CheckError::Window(_)), "{error}");
}

#[test]
fn a_queue_that_is_not_emptied_at_once_is_found() {
    let function = function_of(Chip::Cedar, |builder| {
        builder.ops.push(Op::Local(Local {
            access: LdsAccess { op: LdsOp::LdsReadRet, offset: 0 },
            src: [Src::new(SrcKind::VReg(builder.register(0)))].into_iter().collect(),
            returns: true,
        }));
        builder.defining(AluOp::Mov, &[Src::new(SrcKind::Special(LDS_QUEUE_A_POP, Chan::X))]);
    });
    let good = schedule(&function, SHORT);
    assert_eq!(check(&function, &good), Ok(()));
    let is_access = |group: &Group| group.iter().any(|(_, placed)| placed.lds.is_some());
    let mut late = good.clone();
    let groups = first_groups(&mut late);
    let at = groups.iter().position(is_access).expect("there is an access");
    groups.insert(at + 1, filler(&groups[at]));
    let error = check(&function, &late).expect_err("the queue is not emptied at once");
    assert!(matches!(error, CheckError::Queue(_)), "{error}");
}

#[test]
fn a_read_in_the_group_of_its_write_is_found() {
    let error = broken(|schedule| {
        let groups = first_groups(schedule);
        let moved = std::mem::take(&mut groups[1]).slots.into_iter().flatten();
        // Any result can go through the trans slot.
        let mut free = groups[0].slots.iter_mut().rev().filter(|slot| slot.is_none());
        for placed in moved {
            *free.next().expect("a chain leaves slots free") = Some(placed);
        }
    });
    assert!(matches!(error, CheckError::Value(_) | CheckError::Forward(_)), "{error}");
}

#[test]
fn an_operation_of_another_block_is_found() {
    let mut function = function_of(Chip::Rv770, |_| ());
    let again = Op::Alu(Alu {
        op: AluOp::Mov,
        dst: Dst::VReg(function.vregs.push(VRegInfo::default())),
        src: [Src::new(SrcKind::VReg(function.live_in[0]))].into_iter().collect(),
        omod: Omod::None,
        clamp: false,
        update_exec_mask: false,
        index: None,
    });
    let id = function.ops.push(again);
    let second = function.blocks.push(vec![id]);
    function.body.nodes.push(Node::Block(second));
    let mut schedule = schedule(&function, SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    let stray = schedule.blocks[second].clone();
    let first = function.blocks.keys().next().expect("there is a first block");
    schedule.blocks[first].extend(stray);
    let error = check(&function, &schedule).expect_err("it belongs to the second block");
    assert!(matches!(error, CheckError::Missing(_)), "{error}");
}

#[test]
fn a_slot_that_cannot_execute_its_operation_is_found() {
    let error = broken_code(Chip::Rv770, &[(0, 16, 0, 0)], |_, schedule| {
        let is_recip =
            |group: &Group| group.slots[4].as_ref().is_some_and(|p| p.op == AluOp::RecipIeee);
        let group = first_groups(schedule).iter_mut().find(|group| is_recip(group));
        let group = group.expect("the reciprocal takes the trans slot");
        let chan = group.slots[4].as_ref().map(|placed| placed.chan as usize);
        group.slots.swap(4, chan.expect("it is there"));
    });
    assert!(matches!(error, CheckError::Slot(_)), "{error}");
}

#[test]
fn a_slot_that_the_chip_lacks_is_found() {
    let error = broken_code(Chip::Cayman, &[(8, 16, 16, 0)], |_, schedule| {
        let group = &mut first_groups(schedule)[0];
        let at = group.slots.iter().position(Option::is_some).expect("groups are not empty");
        group.slots.swap(at, 4);
    });
    assert!(matches!(error, CheckError::Slot(_)), "{error}");
}

#[test]
fn a_result_in_another_channel_than_its_register_is_found() {
    let error = broken_code(Chip::Rv770, &[(8, 42, 50, 0); 12], |function, schedule| {
        let alone = |vreg: &VReg| function.vregs[*vreg].vector.is_none();
        let groups = first_groups(schedule).iter();
        let mut written =
            groups.flat_map(|group| group.slots.iter().flatten()).filter_map(|placed| match placed
                .dst
            {
                PlacedDst::VReg(vreg) => Some(vreg),
                PlacedDst::None | PlacedDst::Element(_) => None,
            });
        let vreg = written.find(alone).expect("a register is written");
        let chan = schedule.chans[vreg];
        schedule.chans[vreg] = Chan::ALL[(chan as usize + 1) % 4];
    });
    assert!(matches!(error, CheckError::Slot(_)), "{error}");
}

#[test]
fn a_constant_without_a_window_is_found() {
    let function = Builder::build(Chip::Cedar, &[(8, 9, 16, 0)]);
    let mut schedule = schedule(&function, SHORT);
    let slots = first_groups(&mut schedule).iter_mut().flat_map(|group| &mut group.slots);
    for src in slots.flatten().flat_map(|placed| &mut placed.src) {
        if let PlacedSel::Kcache { chan, .. } = src.sel {
            src.sel = PlacedSel::Uniform { bank: 0, index: 9, chan };
        }
    }
    let error = check(&function, &schedule).expect_err("the constant has no window");
    assert!(matches!(error, CheckError::Window(_)), "{error}");
}

/// The number of an operation by its place in a function of one block.
fn op_at(function: &Function, at: usize) -> OpId {
    function.blocks.values().next().expect("there is a block")[at]
}

/// Has every instruction of one slot read and write registers, whatever it could forward.
fn unforward(function: &Function, schedule: &mut Schedule) {
    let Schedule { blocks, chans, .. } = schedule;
    for clause in blocks.values_mut().flatten() {
        let Clause::Alu(alu) = clause else { continue };
        for placed in alu.groups.iter_mut().flat_map(|group| &mut group.slots).flatten() {
            let Some(Op::Alu(alu)) = placed.node.map(|node| &function.ops[node]) else { continue };
            for (src, want) in placed.src.iter_mut().zip(&alu.src) {
                if let SrcKind::VReg(vreg) = want.kind {
                    src.sel = PlacedSel::VReg(vreg, chans[vreg]);
                }
            }
            if let Dst::VReg(vreg) = alu.dst {
                placed.dst = PlacedDst::VReg(vreg);
            }
        }
    }
    assert_eq!(check(function, schedule), Ok(()));
}

/// Moves the instruction of `op` to a group of its own at the end of the first ALU clause.
fn move_to_the_end(schedule: &mut Schedule, op: OpId) {
    let groups = first_groups(schedule);
    let mut slots = groups.iter_mut().flat_map(|group| group.slots.iter_mut().enumerate());
    let is_it = |placed: &Placed| placed.node == Some(op);
    let found = slots.find(|(_, slot)| slot.as_ref().is_some_and(is_it));
    let (at, slot) = found.expect("the operation is in the first clause");
    let mut last = Group::default();
    last.slots[at] = slot.take();
    groups.push(last);
}

/// An access to an array: whether it writes, and whether it is indexed at run time.
type ArrayAccess = (bool, bool);

/// A function of these accesses to the array, of which any two may meet.
fn array_accesses(chip: Chip, accesses: &[ArrayAccess]) -> Function {
    function_of(chip, |builder| {
        builder.function.arrays.push(ArrayInfo { len: 4 });
        for &(writes, relative) in accesses {
            let array = cranelift_entity::EntityRef::new(0);
            let offset = if relative { 0 } else { 1 };
            let element = Element { array, offset, chan: Chan::Y, relative };
            let index = relative.then_some(builder.values[0]);
            let (dst, src) = match writes {
                true => (Dst::Element(element), SrcKind::VReg(builder.values[1])),
                // Nothing reads what is loaded: the order of accesses alone is at stake.
                false => {
                    let loaded = builder.function.vregs.push(VRegInfo::default());
                    (Dst::VReg(loaded), SrcKind::Element(element))
                }
            };
            builder.alu(AluOp::Mov, dst, &[Src::new(src)], index);
        }
    })
}

#[test]
fn what_fits_no_group_is_named_whatever_waits_beside_it() {
    let function = function_of(Chip::Cedar, |builder| {
        // Waits for its address, which is loaded for the most urgent operation.
        builder.function.arrays.push(ArrayInfo { len: 4 });
        let array = cranelift_entity::EntityRef::new(0);
        let element = Element { array, offset: 0, chan: Chan::Y, relative: true };
        let loaded = builder.function.vregs.push(VRegInfo::default());
        let index = Some(builder.values[0]);
        builder.alu(AluOp::Mov, Dst::VReg(loaded), &[Src::new(SrcKind::Element(element))], index);
        // More registers in one channel than a group reads.
        let in_x = VRegInfo { vector: None, chan: Some(Chan::X) };
        let factors = [(); 8].map(|()| {
            let vreg = builder.function.vregs.push(in_x);
            builder.function.live_in.push(vreg);
            Src::new(SrcKind::VReg(vreg))
        });
        let dst = builder.value();
        let pairs = std::array::from_fn(|n| [factors[2 * n], factors[2 * n + 1]]);
        let op = AluOp::Dot4Ieee;
        let sum = Reduction { op, dst, pairs, omod: Omod::None, clamp: false };
        builder.ops.push(Op::Reduction(Box::new(sum)));
        let last = builder.value();
        let read = Src::new(SrcKind::VReg(dst));
        builder.alu(AluOp::Mov, Dst::VReg(last), &[read], None);
    });
    let sum = op_at(&function, 1);
    let why = Scheduler::new(&function).run(&SHORT).expect_err("no group reads so much");
    assert_eq!(why, SchedError::Impossible(sum));
}

/// Every pair of accesses.
fn access_pairs() -> impl Iterator<Item = (ArrayAccess, ArrayAccess)> {
    let ways = [(false, false), (false, true), (true, false), (true, true)];
    ways.into_iter().flat_map(move |first| ways.map(|second| (first, second)))
}

#[test]
fn accesses_to_an_array_out_of_order_are_found() {
    let mut count = 0;
    for (chip, (first, second)) in
        CHIPS.iter().flat_map(|chip| access_pairs().map(move |pair| (*chip, pair)))
    {
        let function = array_accesses(chip, &[first, second]);
        let mut schedule = schedule(&function, SHORT);
        unforward(&function, &mut schedule);
        move_to_the_end(&mut schedule, op_at(&function, 0));
        let found = check(&function, &schedule);
        let is_found = matches!(found, Err(CheckError::Value(_) | CheckError::Contents(_)));
        assert_eq!(is_found, first.0 || second.0, "{first:?} {second:?}: {found:?}");
        count += usize::from(is_found);
    }
    assert_eq!(count, 48);
}

#[test]
fn an_array_that_is_written_before_all_have_read_it_is_found() {
    let function = array_accesses(Chip::Cedar, &[(false, true), (false, true), (true, false)]);
    let [first, second] = [0, 1].map(|at| op_at(&function, at));
    for late in [first, second] {
        let mut schedule = schedule(&function, SHORT);
        unforward(&function, &mut schedule);
        move_to_the_end(&mut schedule, late);
        assert_eq!(check(&function, &schedule), Err(CheckError::Value(late)));
    }
}

#[test]
fn only_a_read_shares_its_group_with_a_later_write_of_an_array() {
    for (first, second) in access_pairs() {
        let function = array_accesses(Chip::Rv770, &[first, second]);
        let mut schedule = schedule(&function, SHORT);
        unforward(&function, &mut schedule);
        let (earlier, later) = (op_at(&function, 0), op_at(&function, 1));
        move_to_the_end(&mut schedule, later);
        move_to_the_end(&mut schedule, earlier);
        // The second one's result could go through the trans slot, too.
        let groups = first_groups(&mut schedule);
        let own = groups.pop().expect("both are at the end").slots.into_iter().flatten().next();
        let slots = &mut groups.last_mut().expect("both are at the end").slots;
        let free = slots.iter_mut().rfind(|slot| slot.is_none());
        *free.expect("the group is of one") = own;
        let found = check(&function, &schedule);
        let is_found = matches!(found, Err(CheckError::Value(_) | CheckError::Conflict(_)));
        assert_eq!(is_found, first.0, "{first:?} {second:?}: {found:?}");
    }
}

#[test]
fn accesses_to_other_elements_may_change_places() {
    let function = function_of(Chip::Cedar, |builder| {
        builder.function.arrays.push(ArrayInfo { len: 4 });
        for (offset, chan) in [(0, Chan::X), (1, Chan::X), (1, Chan::Y)] {
            let array = cranelift_entity::EntityRef::new(0);
            let element = Element { array, offset, chan, relative: false };
            let src = [Src::new(SrcKind::VReg(builder.values[0]))];
            builder.alu(AluOp::Mov, Dst::Element(element), &src, None);
        }
    });
    let good = schedule(&function, SHORT);
    for at in 0..3 {
        let mut changed = good.clone();
        move_to_the_end(&mut changed, op_at(&function, at));
        assert_eq!(check(&function, &changed), Ok(()), "{at}");
    }
}

impl Builder {
    /// A register in a vector of its own, in channel x, which holds a value.
    fn alone(&mut self) -> VReg {
        let vreg = self.value();
        self.vector(&[vreg]);
        self.function.vregs[vreg].chan = Some(Chan::X);
        let src = [Src::new(SrcKind::VReg(self.values[0]))];
        self.alu(AluOp::Mov, Dst::VReg(vreg), &src, None);
        vreg
    }

    /// Loads a register from or stores it to the first vec4 of scratch memory.
    fn scratch(&mut self, vreg: VReg, writes: bool) {
        let storage = Storage::Scratch(0);
        if writes {
            self.ops.push(Op::Memory(Box::new(Memory {
                template: CfMemory::new(CfOp::MemScratch, 0),
                storage,
                data: [Some(vreg), None, None, None],
                index: [None; 4],
                dst: [None; 4],
            })));
        } else {
            let step = FetchStep {
                template: FetchTemplate::Mem(MemInst::new(FetchOp::ReadScratch)),
                src: [Component::Unused; 4],
                dst: [Some(vreg), None, None, None],
            };
            let steps = [step].into_iter().collect();
            self.ops.push(Op::Fetch(Box::new(Fetch { steps, reads: Some(storage) })));
        }
    }
}

/// Exchanges the clauses of two operations that are alone in theirs.
fn swap_clauses(schedule: &mut Schedule, ops: [OpId; 2]) {
    let clauses = schedule.blocks.values_mut().next().expect("there is a block");
    let place = |op: OpId| {
        let is_it = |clause: &Clause| match clause {
            Clause::Export(other) => *other == op,
            Clause::Fetch(fetches) => fetches[..] == [op],
            Clause::Alu(_) => false,
        };
        clauses.iter().position(is_it).expect("it is alone in a clause")
    };
    let [a, b] = ops.map(place);
    clauses.swap(a, b);
}

#[test]
fn accesses_to_memory_out_of_order_are_found() {
    for (first, second) in [(true, true), (true, false), (false, true)] {
        let function = function_of(Chip::Rv770, |builder| {
            let registers = [builder.alone(), builder.alone()];
            builder.scratch(registers[0], first);
            builder.scratch(registers[1], second);
        });
        let is_access = |op: &&OpId| matches!(function.ops[**op], Op::Memory(_) | Op::Fetch(_));
        let ops: Vec<OpId> =
            function.blocks.values().flatten().filter(is_access).copied().collect();
        let mut schedule = schedule(&function, SHORT);
        assert_eq!(check(&function, &schedule), Ok(()));
        swap_clauses(&mut schedule, [ops[0], ops[1]]);
        let found = check(&function, &schedule);
        assert!(matches!(found, Err(CheckError::Value(_))), "{first} {second}: {found:?}");
    }
}

#[test]
fn fetches_of_two_units_in_one_clause_are_found() {
    for (chip, shares) in [(Chip::Rv770, false), (Chip::Cedar, false), (Chip::Cayman, true)] {
        let function = function_of(chip, |builder| {
            builder.fetch(16, 24);
            let vreg = builder.alone();
            builder.scratch(vreg, false);
        });
        let mut schedule = schedule(&function, SHORT);
        assert_eq!(check(&function, &schedule), Ok(()));
        let clauses = schedule.blocks.values_mut().next().expect("there is a block");
        let mut all = Vec::new();
        for clause in clauses.iter_mut() {
            if let Clause::Fetch(fetches) = clause {
                all.append(fetches);
            }
        }
        assert_eq!(all.len(), 2);
        let is_fetch = |clause: &Clause| matches!(clause, Clause::Fetch(_));
        let last = clauses.iter().rposition(is_fetch).expect("there are fetches");
        clauses[last] = Clause::Fetch(all);
        let found = check(&function, &schedule);
        assert_eq!(matches!(found, Err(CheckError::Clause(_))), !shares, "{chip:?}: {found:?}");
    }
}

#[test]
fn a_result_in_another_register_is_found() {
    let error = broken_code(Chip::Rv770, &[(8, 42, 50, 0); 12], |_, schedule| {
        let slots = first_groups(schedule).iter_mut().flat_map(|group| &mut group.slots);
        let is_result = |placed: &&mut Placed| matches!(placed.dst, PlacedDst::VReg(_));
        let mut written: Vec<&mut Placed> = slots.flatten().filter(is_result).collect();
        let first = written.swap_remove(0);
        let other = written.into_iter().find(|placed| placed.chan == first.chan);
        std::mem::swap(&mut first.dst, &mut other.expect("a channel is used twice").dst);
    });
    assert!(matches!(error, CheckError::Operation(_)), "{error}");
}

#[test]
fn a_forwarded_result_for_the_other_is_found() {
    let function = function_of(Chip::Rv770, |builder| {
        let [a, b, c] = [0, 1, 2].map(|n| Src::new(SrcKind::VReg(builder.values[n])));
        builder.defining(AluOp::Add, &[a, b]);
        builder.defining(AluOp::Add, &[b, c]);
        let [first, second] = [1, 0].map(|n| Src::new(SrcKind::VReg(builder.register(n))));
        builder.defining(AluOp::Setgt, &[first, second]);
    });
    let mut schedule = schedule(&function, SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    let compare = op_at(&function, 2);
    let slots = first_groups(&mut schedule).iter_mut().flat_map(|group| &mut group.slots);
    let placed = slots.flatten().find(|placed| placed.node == Some(compare));
    let placed = placed.expect("the comparison is there");
    assert!(placed.src.iter().all(|src| matches!(src.sel, PlacedSel::Pv(_) | PlacedSel::Ps)));
    placed.src.swap(0, 1);
    assert_eq!(check(&function, &schedule), Err(CheckError::Value(compare)));
}

/// `a[i]; i = i + 1; a[i]`, with one register for the index.
fn index_that_is_rewritten(chip: Chip) -> Function {
    function_of(chip, |builder| {
        builder.function.arrays.push(ArrayInfo { len: 4 });
        let index = builder.values[0];
        let array = cranelift_entity::EntityRef::new(0);
        let element = Element { array, offset: 0, chan: Chan::X, relative: true };
        let read = [Src::new(SrcKind::Element(element))];
        for again in [true, false] {
            let dst = Dst::VReg(builder.value());
            builder.alu(AluOp::Mov, dst, &read, Some(index));
            if again {
                let step = [Src::new(SrcKind::VReg(index)), Src::new(SrcKind::Const(1))];
                builder.alu(AluOp::AddInt, Dst::VReg(index), &step, None);
            }
        }
    })
}

#[test]
fn an_index_that_is_rewritten_is_loaded_again() {
    for chip in CHIPS {
        let function = index_that_is_rewritten(chip);
        for pack in [false, true] {
            let mut schedule = schedule(&function, Options::SHORT.pack(pack));
            assert_eq!(check(&function, &schedule), Ok(()), "{chip:?}");
            let is_load = |slot: &Option<Placed>| {
                slot.as_ref().is_some_and(|placed| placed.node.is_none() && !placed.src.is_empty())
            };
            let slots = first_groups(&mut schedule).iter_mut().flat_map(|group| &mut group.slots);
            let mut loads: Vec<_> = slots.filter(|slot| is_load(slot)).collect();
            assert_eq!(loads.len(), 2, "{chip:?}");
            // The register has the same name, and another value.
            *loads[1] = None;
            let second = op_at(&function, 2);
            assert_eq!(check(&function, &schedule), Err(CheckError::Array(second)), "{chip:?}");
        }
    }
}

#[test]
fn an_index_that_is_loaded_before_its_last_write_is_found() {
    let function = index_that_is_rewritten(Chip::Cedar);
    let mut schedule = schedule(&function, SHORT);
    let groups = first_groups(&mut schedule);
    let loads = |group: &Group| {
        group.iter().any(|(_, placed)| placed.node.is_none() && !placed.src.is_empty())
    };
    let writes = |group: &Group| group.iter().any(|(_, placed)| placed.op == AluOp::AddInt);
    let (last, write) = (groups.iter().rposition(loads), groups.iter().position(writes));
    let (last, write) = (last.expect("it is loaded"), write.expect("it is written"));
    assert!(write < last);
    // The load reads the register, which still holds the value before.
    for placed in groups[last].slots.iter_mut().flatten().filter(|placed| placed.node.is_none()) {
        placed.src[0].sel = PlacedSel::VReg(function.live_in[0], Chan::X);
    }
    groups.swap(write, last);
    assert!(check(&function, &schedule).is_err());
}

#[test]
fn an_instruction_of_no_operation_is_found() {
    let error = broken(|schedule| {
        let groups = first_groups(schedule);
        let mut stray = groups[0].clone();
        stray.slots.iter_mut().flatten().for_each(|placed| placed.node = None);
        groups.push(stray);
    });
    assert!(matches!(error, CheckError::Stray(_)), "{error}");
}

#[test]
fn an_operation_that_is_done_twice_is_found() {
    let error = broken(|schedule| {
        let group = &mut first_groups(schedule)[0];
        let at = group.slots.iter().position(Option::is_some).expect("groups are not empty");
        group.slots[4] = group.slots[at].clone();
    });
    assert!(matches!(error, CheckError::Missing(_)), "{error}");
}

#[test]
fn a_slot_of_a_reduction_with_other_operands_is_found() {
    let function = Builder::build(Chip::Rv770, &[(8, 16, 24, 0), (1, 16, 24, 32)]);
    let good = schedule(&function, SHORT);
    for slot in 0..4 {
        let mut broken = good.clone();
        let groups = first_groups(&mut broken);
        let group = groups
            .iter_mut()
            .find(|group| group.iter().any(|(_, placed)| placed.op == AluOp::Dot4Ieee));
        let placed = group.expect("there is a sum").slots[slot].as_mut().expect("it takes four");
        placed.src[1].neg ^= true;
        let error = check(&function, &broken).expect_err("one product is another");
        assert!(matches!(error, CheckError::Operation(_)), "{error}");
    }
}

#[test]
fn a_value_that_does_not_reach_its_register_is_found() {
    let function = function_of(Chip::Rv770, |builder| {
        let [a, b] = [0, 1].map(|n| Src::new(SrcKind::VReg(builder.values[n])));
        builder.defining(AluOp::Add, &[a, b]);
        let sum = Src::new(SrcKind::VReg(builder.register(0)));
        builder.defining(AluOp::RecipIeee, &[sum]);
        let inverse = Src::new(SrcKind::VReg(builder.register(0)));
        builder.defining(AluOp::MulIeee, &[inverse, inverse]);
        let square = Src::new(SrcKind::VReg(builder.register(0)));
        builder.defining(AluOp::Add, &[square, sum]);
    });
    let mut schedule = schedule(&function, SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    let (writer, reader) = (op_at(&function, 0), op_at(&function, 3));
    let slots = first_groups(&mut schedule).iter_mut().flat_map(|group| &mut group.slots);
    let placed = slots.flatten().find(|placed| placed.node == Some(writer));
    placed.expect("the sum is there").dst = PlacedDst::None;
    assert_eq!(check(&function, &schedule), Err(CheckError::Value(reader)));
}

#[test]
fn a_fetch_that_reads_what_its_clause_fetches_is_found() {
    let function = function_of(Chip::Cedar, |builder| {
        builder.fetch(16, 24);
        let first = builder.register(0);
        let again = [builder.value()];
        builder.vector(&again);
        let step = FetchStep {
            template: FetchTemplate::Tex(TexInst::sample(FetchOp::Sample, 0, 0)),
            src: [Component::VReg(first), Component::Unused, Component::Unused, Component::Unused],
            dst: [Some(again[0]), None, None, None],
        };
        let steps = [step].into_iter().collect();
        builder.ops.push(Op::Fetch(Box::new(Fetch { steps, reads: None })));
    });
    let mut schedule = schedule(&function, SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    let clauses = schedule.blocks.values_mut().next().expect("there is a block");
    let is_fetch = |clause: &Clause| matches!(clause, Clause::Fetch(_));
    let last = clauses.iter().rposition(is_fetch).expect("there are fetches");
    let Clause::Fetch(second) = clauses.remove(last) else { panic!("it is a clause of fetches") };
    let first = clauses.iter_mut().find(|clause| is_fetch(clause));
    if let Some(Clause::Fetch(first)) = first {
        first.extend(&second);
    }
    assert_eq!(check(&function, &schedule), Err(CheckError::Fetch(second[0])));
}

#[test]
fn kills_and_exports_keep_their_order() {
    let function = function_of(Chip::Rv770, |builder| {
        let [a, b] = [0, 1].map(|n| Src::new(SrcKind::VReg(builder.values[n])));
        builder.alu(AluOp::Killgt, Dst::None, &[a, b], None);
    });
    let mut schedule = schedule(&function, SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    let kill = op_at(&function, 0);
    let clauses = schedule.blocks.values_mut().next().expect("there is a block");
    let mut late = Group::default();
    for clause in clauses.iter_mut() {
        let Clause::Alu(alu) = clause else { continue };
        for (to, slot) in late.slots.iter_mut().enumerate() {
            for group in &mut alu.groups {
                if group.slots[to].as_ref().is_some_and(|placed| placed.node == Some(kill)) {
                    *slot = group.slots[to].take();
                }
            }
        }
    }
    let groups = vec![late];
    clauses.push(Clause::Alu(r600_sched::AluClause { groups, kcache: Default::default() }));
    let found = check(&function, &schedule);
    assert!(
        matches!(found, Err(CheckError::Order { earlier, .. }) if earlier == kill),
        "{found:?}"
    );
}

/// Whether lanes are killed in a clause.
fn kills(clause: &Clause) -> bool {
    let Clause::Alu(alu) = clause else { return false };
    alu.groups.iter().flat_map(Group::iter).any(|(_, placed)| placed.op == AluOp::Killgt)
}

/// A lane that is killed may compute no coordinates any more; the lanes beside it take derivatives of them.
#[test]
fn lanes_are_killed_behind_derivatives_that_need_them() {
    for (op, waits) in
        [(FetchOp::Sample, true), (FetchOp::GetGradientsH, true), (FetchOp::SampleL, false)]
    {
        let function = function_of(Chip::Rv770, |builder| {
            let killed = Src::new(SrcKind::VReg(builder.values[0]));
            builder.fetch(16, 24);
            let Some(Op::Fetch(fetch)) = builder.ops.last_mut() else { panic!("a fetch was made") };
            fetch.steps[0].template = FetchTemplate::Tex(TexInst::sample(op, 0, 0));
            builder.alu(AluOp::Killgt, Dst::None, &[killed, killed], None);
        });
        let schedule = schedule(&function, SHORT);
        assert_eq!(check(&function, &schedule), Ok(()));
        let is_fetch = |clause: &Clause| matches!(clause, Clause::Fetch(_));
        let clauses = schedule.blocks.values().next().expect("there is a block");
        let at = |wanted: fn(&Clause) -> bool| clauses.iter().position(wanted);
        assert_eq!(at(is_fetch) < at(kills), waits, "{op:?}");
    }
}

#[test]
fn a_kill_before_derivatives_is_found() {
    let function = function_of(Chip::Rv770, |builder| {
        let killed = Src::new(SrcKind::VReg(builder.values[0]));
        builder.fetch(16, 24);
        builder.alu(AluOp::Killgt, Dst::None, &[killed, killed], None);
    });
    let mut schedule = schedule(&function, SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    let clauses = schedule.blocks.values_mut().next().expect("there is a block");
    let at = clauses.iter().position(kills).expect("it kills");
    let clause = clauses.remove(at);
    clauses.insert(0, clause);
    let found = check(&function, &schedule);
    let is_kill = |op| matches!(&function.ops[op], Op::Alu(alu) if alu.op == AluOp::Killgt);
    assert!(matches!(found, Err(CheckError::Order { later, .. }) if is_kill(later)), "{found:?}");
}
