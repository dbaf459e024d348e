//! Machine code to schedule, and ways to break its schedule.

use cranelift_entity::SecondaryMap;
use r600_isa::{AluOp, CfMemory, CfOp, Chan, Chip, FetchOp, MemInst, Omod, TexInst};
use r600_mir::{
    Alu, ArrayInfo, Component, Dst, Element, Export, ExportTarget, Fetch, FetchStep, FetchTemplate,
    Function, Memory, Node, Op, OpId, Reduction, Src, SrcKind, Storage, VReg, VRegInfo, VectorInfo,
};
use r600_sched::{
    CheckError, Clause, Group, GroupLimit, Options, Placed, PlacedDst, PlacedSel, Schedule,
    Scheduler, check,
};

pub(crate) const CHIPS: [Chip; 4] = [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman];

/// One random operation: what it is, and numbers from which its operands follow.
pub(crate) type Draw = (u8, u8, u8, u8);

/// Builds a function of one block, each operation reading values made before it.
pub(crate) struct Builder {
    pub(crate) function: Function,
    pub(crate) ops: Vec<Op>,
    pub(crate) values: Vec<VReg>,
}

impl Builder {
    pub(crate) fn build(chip: Chip, draws: &[Draw]) -> Function {
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

    pub(crate) fn value(&mut self) -> VReg {
        let vreg = self.function.vregs.push(VRegInfo::default());
        self.values.push(vreg);
        vreg
    }

    pub(crate) fn register(&self, n: u8) -> VReg {
        self.values[self.values.len() - 1 - usize::from(n) % self.values.len()]
    }

    pub(crate) fn source(&self, n: u8) -> Src {
        Src::new(match n % 8 {
            0 => SrcKind::Const(0x4000_0000 + u32::from(n)),
            1 => SrcKind::Uniform { bank: n / 64, index: u16::from(n), chan: Chan::Y },
            _ => SrcKind::VReg(self.register(n / 8)),
        })
    }

    pub(crate) fn alu(&mut self, op: AluOp, dst: Dst, src: &[Src], index: Option<VReg>) {
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

    pub(crate) fn op(&mut self, (kind, a, b, c): Draw) {
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
    pub(crate) fn only_registers(&self, src: Src, n: u8) -> Src {
        match src.kind {
            SrcKind::VReg(_) => src,
            _ => Src::new(SrcKind::VReg(self.register(n))),
        }
    }

    pub(crate) fn defining(&mut self, op: AluOp, src: &[Src]) {
        let dst = self.value();
        self.alu(op, Dst::VReg(dst), src, None);
    }

    pub(crate) fn vector(&mut self, members: &[VReg]) {
        let info = VectorInfo { members: members.iter().copied().collect(), gpr: None };
        let vector = self.function.vectors.push(info);
        for &member in members {
            self.function.vregs[member].vector = Some(vector);
        }
    }

    pub(crate) fn fetch(&mut self, a: u8, b: u8) {
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

    pub(crate) fn element(a: u8, b: u8) -> Element {
        let array = cranelift_entity::EntityRef::new(0);
        let chan = Chan::ALL[usize::from(b % 2)];
        Element { array, offset: a % 4, chan, relative: b.is_multiple_of(3) }
    }

    pub(crate) fn index(&self, element: Element, n: u8) -> Option<VReg> {
        element.relative.then(|| self.register(n))
    }

    pub(crate) fn store(&mut self, a: u8, b: u8, c: u8) {
        let element = Self::element(a, b);
        let (src, index) = (self.source(c), self.index(element, c));
        self.alu(AluOp::Mov, Dst::Element(element), &[src], index);
    }

    pub(crate) fn load(&mut self, a: u8, b: u8) {
        let element = Self::element(a, b);
        let index = self.index(element, a);
        let dst = self.value();
        self.alu(AluOp::Mov, Dst::VReg(dst), &[Src::new(SrcKind::Element(element))], index);
    }

    pub(crate) fn export_last(&mut self) {
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

pub(crate) fn schedule(function: &Function, options: Options) -> Schedule {
    Scheduler::new(function).run(&options).expect("every operation can be placed")
}

/// `function` by the order that follows from `before`.
pub(crate) fn again(function: &Function, before: &Schedule) -> Schedule {
    let scheduler = Scheduler::new(function);
    let order = scheduler.order_after(before);
    let limit = GroupLimit { times: &SecondaryMap::new(), most: usize::MAX };
    let schedule = scheduler.run_within(limit, Some(&order), &Options::SHORT);
    schedule.expect("every operation can be placed")
}

/// A function with two registers that are read to its end, and those.
pub(crate) fn with_inputs(chip: Chip) -> (Function, [VReg; 2]) {
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

/// A function in which everything depends on what is before it.
pub(crate) fn chain() -> Function {
    let draws: Vec<Draw> =
        (0..40).map(|n| if n % 10 == 9 { (2, 2, 10, 0) } else { (8, 2, 10, 0) }).collect();
    Builder::build(Chip::Rv770, &draws)
}

/// The first clause of ALU groups.
pub(crate) fn first_groups(schedule: &mut Schedule) -> &mut Vec<r600_sched::Group> {
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

pub(crate) fn broken(change: impl FnOnce(&mut Schedule)) -> CheckError {
    let function = chain();
    let mut schedule = schedule(&function, Options::SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    change(&mut schedule);
    check(&function, &schedule).expect_err("the broken schedule is detected")
}

/// A group that the scheduler itself could have added.
pub(crate) fn filler(group: &Group) -> Group {
    let mut placed = group.iter().next().expect("groups are not empty").1.clone();
    (placed.node, placed.dst, placed.op) = (None, PlacedDst::None, AluOp::AluNop);
    (placed.lds, placed.update_exec_mask, placed.clamp) = (None, false, false);
    placed.src.clear();
    Group { slots: [Some(placed), None, None, None, None] }
}

/// The error of a schedule of `draws` that was changed.
pub(crate) fn broken_code(
    chip: Chip,
    draws: &[Draw],
    change: impl FnOnce(&Function, &mut Schedule),
) -> CheckError {
    let function = Builder::build(chip, draws);
    let mut schedule = schedule(&function, Options::SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    change(&function, &mut schedule);
    check(&function, &schedule).expect_err("the broken schedule is detected")
}

/// A function of operations that `make` adds.
pub(crate) fn function_of(chip: Chip, make: impl FnOnce(&mut Builder)) -> Function {
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

/// The number of an operation by its place in a function of one block.
pub(crate) fn op_at(function: &Function, at: usize) -> OpId {
    function.blocks.values().next().expect("there is a block")[at]
}

/// Has every instruction of one slot read and write registers, whatever it could forward.
pub(crate) fn unforward(function: &Function, schedule: &mut Schedule) {
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
pub(crate) fn move_to_end(schedule: &mut Schedule, op: OpId) {
    let groups = first_groups(schedule);
    let mut slots = groups.iter_mut().flat_map(|group| group.slots.iter_mut().enumerate());
    let is_it = |placed: &Placed| placed.node == Some(op);
    let found = slots.find(|(_, slot)| slot.as_ref().is_some_and(is_it));
    let (at, slot) = found.expect("the operation is in the first clause");
    let mut last = Group::default();
    last.slots[at] = slot.take();
    groups.push(last);
}

impl Builder {
    /// A register in a vector of its own, in channel x, which holds a value.
    pub(crate) fn alone(&mut self) -> VReg {
        let vreg = self.value();
        self.vector(&[vreg]);
        self.function.vregs[vreg].chan = Some(Chan::X);
        let src = [Src::new(SrcKind::VReg(self.values[0]))];
        self.alu(AluOp::Mov, Dst::VReg(vreg), &src, None);
        vreg
    }

    /// Loads a register from or stores it to the first vec4 of scratch memory.
    pub(crate) fn scratch(&mut self, vreg: VReg, writes: bool) {
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
pub(crate) fn swap_clauses(schedule: &mut Schedule, ops: [OpId; 2]) {
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
