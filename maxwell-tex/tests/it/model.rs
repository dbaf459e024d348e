//! What instructions read and write, on a thread whose registers hold their own numbers.

#![expect(clippy::panic, reason = "a text that does not assemble fails the test")]

use maxwell_tex::model::{
    Lookup, LookupAccess, Registers, Texel, TextureRef, TextureUnit, execute,
};
use maxwell_tex::{
    Handle, Instruction, Lod, LodClamp, Offsets, Op, ParamA, Pred, Reg, Rounding, asm,
};

/// Registers that hold floats of their own numbers, unless a test sets them.
struct Thread {
    registers: [u32; 256],
    predicates: [bool; 8],
}

impl Thread {
    fn new() -> Self {
        let registers = std::array::from_fn(|number| (number as f32).to_bits());
        Self { registers, predicates: [false; 8] }
    }

    fn set(mut self, number: usize, bits: u32) -> Self {
        self.registers[number] = bits;
        self
    }

    /// The registers that no longer hold their number, with what they hold.
    fn changed(&self, before: &Self) -> Vec<(usize, u32)> {
        let pairs = self.registers.iter().zip(&before.registers).enumerate();
        pairs
            .filter(|(_, (now, then))| now != then)
            .map(|(number, (now, _))| (number, *now))
            .collect()
    }
}

impl Registers for Thread {
    fn read(&self, reg: Reg) -> u32 {
        assert!(!reg.is_rz(), "RZ is not a register");
        self.registers[usize::from(reg.code())]
    }

    fn write(&mut self, reg: Reg, bits: u32) {
        assert!(!reg.is_rz(), "RZ is not a register");
        self.registers[usize::from(reg.code())] = bits;
    }

    fn read_pred(&self, pred: Pred) -> bool {
        self.predicates[usize::from(pred.code())]
    }

    fn write_pred(&mut self, pred: Pred, value: bool) {
        self.predicates[usize::from(pred.code())] = value;
    }
}

/// A unit that answers 1, 2, 3, 4, all of it sparse.
struct Unit(Rounding);

impl TextureUnit for Unit {
    fn look_up(&mut self, _: &Lookup) -> Texel {
        Texel { components: [1.0f32, 2.0, 3.0, 4.0].map(f32::to_bits), sparse: true }
    }

    fn rounding(&self) -> Rounding {
        self.0
    }
}

fn instruction(text: &str) -> Instruction {
    let assembly = asm::parse(text);
    assert_eq!(assembly.errors, [], "{text}");
    match assembly.statements[0].slot.op {
        Op::Texture(instruction) => instruction,
        Op::Other(word) => panic!("{word:#x} is no texture instruction"),
    }
}

fn run(text: &str, mut thread: Thread) -> (Option<Lookup>, Thread) {
    let lookup = execute(&instruction(text), &mut thread, &mut Unit(Rounding::Nearest));
    (lookup, thread)
}

fn floats(changed: Vec<(usize, u32)>) -> Vec<(usize, f32)> {
    changed.into_iter().map(|(number, bits)| (number, f32::from_bits(bits))).collect()
}

#[test]
fn a_full_tex_reads_every_operand() {
    let thread = Thread::new().set(4, 0x0180_0007).set(8, 0x0050_0003).set(10, 0xf5e);
    let before = Thread::new().set(4, 0x0180_0007).set(8, 0x0050_0003).set(10, 0xf5e);
    let text = "TEX.B.LL.LC.AOFFI.DC P2, R0, R4, R8, 0x0, ARRAY_2D, 0xa;";
    let (lookup, after) = run(text, thread);
    let want = Lookup {
        texture: TextureRef::Bindless(Handle::new(3, 5).expect("both numbers fit")),
        shape: ParamA::Array2d,
        access: LookupAccess::Sample {
            coords: [5.0, 6.0, 0.0],
            lod: Lod::Ll,
            level: 9.0,
            clamp: Some(LodClamp::from_f32(1.5)),
            reference: Some(11.0),
        },
        array: Some(7),
        offsets: Offsets::new(-2, 5, -1).ok(),
    };
    assert_eq!(lookup, Some(want));
    // Green and alpha follow each other without a gap; R0 is written first.
    assert_eq!(floats(after.changed(&before)), [(0, 2.0), (1, 4.0)]);
    assert!(after.predicates[2]);
}

#[test]
fn a_guard_keeps_registers_as_they_are() {
    for (text, is_executed) in [
        ("@P0 TEX R0, R4, 0x0, 2D, 0xf;", false),
        ("@!P0 TEX R0, R4, 0x0, 2D, 0xf;", true),
        ("@!PT TEX R0, R4, 0x0, 2D, 0xf;", false),
    ] {
        let (lookup, after) = run(text, Thread::new());
        assert_eq!(lookup.is_some(), is_executed, "{text}");
        assert_eq!(after.changed(&Thread::new()).is_empty(), !is_executed, "{text}");
    }
}

/// The example of the document: reads R9 and R11, writes R0, R1, R4 and R5.
#[test]
fn a_load_splits_what_it_reads_and_writes() {
    let thread = || Thread::new().set(9, 7).set(11, u32::MAX);
    let (lookup, after) = run("TLDS.LZ R0, R4, R9, R11, 0x7, 2D, RGBA;", thread());
    let access = lookup.expect("the instruction has no guard").access;
    assert_eq!(access, LookupAccess::Load { coords: [7, -1, 0], level: 0, sample: None });
    assert_eq!(floats(after.changed(&thread())), [(0, 3.0), (1, 4.0), (4, 1.0), (5, 2.0)]);
}

/// The other example: reads R6, R7 and R11, writes R9.
#[test]
fn a_sample_is_chosen_by_rb() {
    let thread = || Thread::new().set(6, 1).set(7, 2).set(11, 3);
    let (lookup, after) = run("TLDS.LZ.MS RZ, R9, R6, R11, 0x0, 2D, R;", thread());
    let access = lookup.expect("the instruction has no guard").access;
    assert_eq!(access, LookupAccess::Load { coords: [1, 2, 0], level: 0, sample: Some(3) });
    assert_eq!(floats(after.changed(&thread())), [(9, 1.0)]);
}

#[test]
fn layers_of_loads_are_in_ra() {
    let thread = Thread::new().set(9, 0x5_0003).set(10, 1).set(11, 2);
    let (lookup, _) = run("TLDS.LZ RZ, R0, R9, R10, 0x7, ARRAY_2D, R;", thread);
    let lookup = lookup.expect("the instruction has no guard");
    assert_eq!((lookup.array, lookup.shape), (Some(3), ParamA::Array2d));
    let LookupAccess::Load { coords, .. } = lookup.access else { panic!("a load") };
    assert_eq!(coords, [1, 2, 0]);
}

#[test]
fn halves_share_registers() {
    for (mask, rd1, want) in [
        ("R", "RZ", vec![(4, 0x3c00)]),
        ("BA", "RZ", vec![(4, 0x4400_4200)]),
        ("GBA", "R0", vec![(0, 0x4400), (4, 0x4200_4000)]),
        ("RGBA", "R0", vec![(0, 0x4400_4200), (4, 0x4000_3c00)]),
    ] {
        let text = format!("TLDS.F16.LZ {rd1}, R4, R9, R11, 0x7, 2D, {mask};");
        assert_eq!(run(&text, Thread::new()).1.changed(&Thread::new()), want, "{text}");
    }
}

#[test]
fn results_written_to_rz_are_discarded() {
    let (lookup, after) = run("TEX RZ, R4, 0x0, 2D, 0xf;", Thread::new());
    assert!(lookup.is_some());
    assert_eq!(after.changed(&Thread::new()), []);
}

/// No rule allows it, but a word can say it.
#[test]
fn vectors_past_the_last_register_end_there() {
    let (lookup, after) = run("TEX R254, R254, 0x0, 3D, 0xf;", Thread::new());
    let LookupAccess::Sample { coords, .. } = lookup.expect("the instruction has no guard").access
    else {
        panic!("TEX")
    };
    assert_eq!(coords, [254.0, 0.0, 0.0]);
    assert_eq!(floats(after.changed(&Thread::new())), [(254, 1.0)]);
}
