//! What the compiler takes an operation to compute is what the simulator computes: on values at the edges, and
//! for every multiplier and clamp that the operation can have.

use r600_codegen::internals::semantics;
use r600_isa::{AluFlags, AluOp, Chip, Generation, Omod, ResultType, Slots, asm};
use r600_sim::{Declaration, Entry, ExportKind, Kernel, NoResources, Options, Stage};

/// Zeros, denormals, small and large numbers, infinities, NaN of both kinds and signs, integers.
const EDGES: [u32; 32] = [
    0x0000_0000,
    0x8000_0000,
    0x0000_0001,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x8080_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0xbf00_0000,
    0x3fc0_0000,
    0xc020_0000,
    0x4000_0000,
    0x4040_0000,
    0x3eaa_aaab,
    0x3f7f_ffff,
    0x3f80_0001,
    0x4b80_0001,
    0x4f00_0000,
    0xcf00_0001,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_0000,
    0x7f80_0001,
    0xffff_ffff,
    0x0000_0003,
    0x7fff_ffff,
    0x0000_0020,
];
const CHIP: Chip = Chip::Cypress;
const LANES: usize = 64;

/// A program that exports what `op` makes of three registers.
fn kernel(op: AluOp, omod: Omod, clamp: bool) -> Kernel {
    let slots = op.slots(CHIP.generation()).expect("the chip has the operation");
    let slot = if slots == Slots::Trans { 't' } else { 'x' };
    let multiplier = match omod {
        Omod::None => "",
        Omod::Times2 => "*2",
        Omod::Times4 => "*4",
        Omod::Half => "/2",
    };
    let sources = ["R1.x", "R1.y", "R1.z"][..op.num_src()].join(", ");
    let clamp = if clamp { " CLAMP" } else { "" };
    let text = format!(
        "00 ALU:\n0 {slot}: {}{multiplier} R0.x, {sources}{clamp}\n01 EXP_DONE: PIX0, R0.xxxx\nEND_OF_PROGRAM\n",
        op.name()
    );
    let words = asm::assemble(&text, Generation::Evergreen)
        .unwrap_or_else(|found| panic!("{found:#?}\n{text}"));
    let declaration =
        Declaration { chip: CHIP, stage: Stage::Pixel, num_gprs: 2, stack_entries: 0 };
    Kernel::from_words(&words, declaration).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Results of the simulator, a lane for each set of sources.
fn simulated(kernel: &Kernel, sources: &[[u32; 3]]) -> Vec<u32> {
    let mut entry = Entry::new(sources.len());
    for (lane, source) in sources.iter().enumerate() {
        for (chan, &bits) in source.iter().enumerate() {
            entry.set_gpr(1, chan as u8, lane, bits);
        }
    }
    let outcome = kernel.run(&entry, &Options::default(), &mut NoResources).unwrap();
    let color = outcome.export(ExportKind::Pixel, 0).expect("the program exports color 0");
    color.lanes.iter().take(sources.len()).map(|lane| lane[0].unwrap()).collect()
}

/// Every set of sources at the edges; of the third only some.
fn sources(op: AluOp) -> Vec<[u32; 3]> {
    let few = &EDGES[..1];
    let second: &[u32] = if op.num_src() > 1 { &EDGES } else { few };
    let third: &[u32] =
        if op.num_src() > 2 { &[0, 0x8000_0000, 0x3f80_0001, 0xff80_0000] } else { few };
    let pairs = EDGES.iter().flat_map(|&a| second.iter().map(move |&b| [a, b]));
    pairs.flat_map(|[a, b]| third.iter().map(move |&c| [a, b, c])).collect()
}

/// Whether results agree: one NaN is as good as another where a float is given, and what the hardware
/// approximates may be a step off.
fn agrees(op: AluOp, ours: u32, theirs: u32) -> bool {
    let gives_float = op.info().result == ResultType::Float;
    let is_nan = |bits| gives_float && f32::from_bits(bits).is_nan();
    let is_approximate = matches!(
        op,
        AluOp::RecipIeee | AluOp::RecipsqrtIeee | AluOp::SqrtIeee | AluOp::ExpIeee | AluOp::LogIeee
    );
    ours == theirs || is_nan(ours) && is_nan(theirs) || is_approximate && ours.abs_diff(theirs) <= 1
}

fn check(op: AluOp, omod: Omod, clamp: bool) {
    let kernel = kernel(op, omod, clamp);
    let sources = sources(op);
    for sources in sources.chunks(LANES) {
        for (source, theirs) in sources.iter().zip(simulated(&kernel, sources)) {
            let ours = semantics::evaluate(op, &source[..op.num_src()]).unwrap();
            let ours = semantics::modify_output(ours, omod, clamp);
            assert!(
                agrees(op, ours, theirs),
                "{} {omod:?} {clamp} of {source:x?}: {ours:#x}, the simulator has {theirs:#x}",
                op.name()
            );
        }
    }
}

/// Whether the semantics of an operation are known; those that set the predicate have no result of their own.
fn is_known(op: AluOp) -> bool {
    let zeros = [0; 3];
    semantics::evaluate(op, &zeros[..op.num_src().min(3)]).is_some()
}

#[test]
fn operations_compute_what_the_simulator_computes() {
    let gives_result = |op: &AluOp| is_known(*op) && !op.has(AluFlags::PREDICATE);
    let mut count = 0;
    for op in AluOp::ALL.into_iter().filter(gives_result) {
        count += 1;
        check(op, Omod::None, false);
        let is_scaled = op.takes_clamp() && !op.is_op3();
        if op.takes_clamp() {
            check(op, Omod::None, true);
        }
        if is_scaled {
            for omod in [Omod::Times2, Omod::Times4, Omod::Half] {
                check(op, omod, false);
                check(op, omod, true);
            }
        }
    }
    assert!(count > 50, "{count} operations");
}

#[test]
fn predicates_ask_what_comparisons_ask() {
    let condition = |op: AluOp| op.info().compare;
    let masks = AluOp::ALL
        .into_iter()
        .filter(|op| op.has(AluFlags::SET) && op.info().result == ResultType::Int && is_known(*op));
    for mask in masks {
        let asks_the_same = |op: &AluOp| {
            op.has(AluFlags::PREDICATE) && is_known(*op) && condition(*op) == condition(mask)
        };
        let predicate = AluOp::ALL.into_iter().find(asks_the_same);
        let predicate = predicate.unwrap_or_else(|| panic!("no predicate like {}", mask.name()));
        for [a, b, _] in sources(mask) {
            let results = [predicate, mask].map(|op| semantics::evaluate(op, &[a, b]));
            assert_eq!(results[0], results[1], "{} of {a:#x}, {b:#x}", predicate.name());
        }
    }
}
