//! Random machine code is scheduled legally, and broken schedules are found out.

use proptest::prelude::*;
use r600_isa::{AluOp, Chan, Chip, FetchOp, Omod, TexInst};
use r600_sched::machine::{
    Alu, ArrayInfo, Component, Dst, Element, Export, ExportTarget, Fetch, FetchStep, FetchTemplate,
    Function, Node, Op, Reduction, Src, SrcKind, VReg, VRegInfo, VectorInfo,
};
use r600_sched::{CheckError, Clause, Options, PlacedSel, Schedule, Scheduler, Urgency, check};

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
                self.ops.push(Op::Reduction(Reduction {
                    op: AluOp::Dot4Ieee,
                    dst,
                    pairs: pairs.map(|pair| pair.map(|src| self.only_registers(src, a))),
                    omod: Omod::None,
                    clamp: false,
                }));
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
        self.ops.push(Op::Fetch(Fetch { steps: [step].into_iter().collect(), reads: None }));
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

/// As short as it gets, whatever registers it takes.
const SHORT: Options =
    Options { pack: true, pressure: None, window: None, urgency: Urgency::Height };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_code_is_scheduled_legally(
        draws in proptest::collection::vec(any::<Draw>(), 1..120),
        pressure in proptest::option::of(1..12u32),
    ) {
        for chip in CHIPS {
            let function = Builder::build(chip, &draws);
            let urgencies = [Urgency::Height, Urgency::Height, Urgency::ScarceFirst];
            for (pack, urgency) in [false, true, true].into_iter().zip(urgencies) {
                let options = Options { pack, pressure, urgency, ..SHORT };
                let schedule = schedule(&function, options);
                prop_assert_eq!(check(&function, &schedule), Ok(()), "{:?}", chip);
                let bound = Scheduler::new(&function).lower_bound();
                prop_assert!(bound <= schedule.num_groups(), "{:?}", chip);
            }
        }
    }
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
    assert!(matches!(error, CheckError::Order { .. }), "{error}");
}

#[test]
fn clauses_out_of_order_are_found() {
    let error = broken(|schedule| {
        for clauses in schedule.blocks.values_mut() {
            clauses.reverse();
        }
    });
    assert!(matches!(error, CheckError::Order { .. }), "{error}");
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
