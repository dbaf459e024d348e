//! Builds and runs small programs around single ALU groups.

use r600_isa::{
    AluDst, AluGroup, AluInst, AluOp, AluSel, AluSrc, Cf, CfAlu, CfExport, CfFlow, CfOp, Chan,
    Chip, Clause, Generation, IndexMode, PredSel, Program, Slots, asm,
};
use r600_sim::{
    Declaration, Entry, ExportKind, Kernel, NoResources, Options, Outcome, SimError, Stage,
};

/// One chip of each generation.
pub(crate) const CHIPS: [Chip; 4] = [Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman];
/// The register that groups under test write, and that is exported.
pub(crate) const RESULT: u8 = 4;
/// Registers that the programs declare.
pub(crate) const NUM_GPRS: u32 = 8;

/// Channel `chan` of register `gpr`.
pub(crate) fn gpr(gpr: u8, chan: Chan) -> AluSrc {
    AluSrc::new(AluSel::Gpr(gpr), chan)
}

/// `op` in channel `chan`, writing the result register.
pub(crate) fn inst(op: AluOp, chan: Chan, sources: &[AluSrc]) -> AluInst {
    let mut src = [gpr(0, Chan::X); 3];
    src[..sources.len()].copy_from_slice(sources);
    AluInst {
        op,
        dst: AluDst { gpr: RESULT, chan, write: true, ..AluDst::default() },
        src,
        index_mode: IndexMode::ArX,
        pred_sel: PredSel::Off,
        bank_swizzle: 0,
        update_exec_mask: false,
        update_pred: false,
    }
}

/// A group of these instructions.
pub(crate) fn group(insts: &[AluInst]) -> AluGroup {
    AluGroup { insts: insts.iter().copied().collect(), ..AluGroup::default() }
}

/// The channels in which `op` has to be issued for a result in x.
pub(crate) fn channels(op: AluOp, generation: Generation) -> &'static [Chan] {
    match op.slots(generation) {
        Some(Slots::Reduction | Slots::Quad | Slots::Replicated4) => &Chan::ALL,
        Some(Slots::Replicated3) => &Chan::ALL[..3],
        Some(Slots::Pair | Slots::Half) => &Chan::ALL[..2],
        _ => &Chan::ALL[..1],
    }
}

/// `op` in every slot that it needs; each slot takes x of R1, R2 and R3.
pub(crate) fn issue(op: AluOp, generation: Generation) -> AluGroup {
    let sources = [1, 2, 3].map(|number| gpr(number, Chan::X));
    let of = |&chan| inst(op, chan, &sources[..op.num_src()]);
    group(&channels(op, generation).iter().map(of).collect::<Vec<_>>())
}

/// A control flow instruction for ALU groups.
pub(crate) fn alu(program: &mut Program, op: CfOp, groups: Vec<AluGroup>) {
    let clause = program.add_clause(Clause::Alu(groups));
    program.cf.push(Cf::Alu(CfAlu::new(op, clause)));
}

/// Exports `gpr` as color 0, marked as done.
pub(crate) fn export(program: &mut Program, gpr: u8) {
    program.cf.push(Cf::Export(CfExport::new(
        CfOp::ExportDone,
        r600_isa::ExportKind::Pixel,
        0,
        gpr,
    )));
}

/// Ends the program in its generation's way.
pub(crate) fn end(program: &mut Program) {
    let is_cayman = program.generation == Generation::Cayman;
    let op = if is_cayman { CfOp::CfEnd } else { CfOp::Nop };
    program.cf.push(Cf::Flow(CfFlow { end_of_program: !is_cayman, ..CfFlow::new(op) }));
}

/// A pixel program of one clause that exports the result register.
pub(crate) fn program(generation: Generation, groups: Vec<AluGroup>) -> Program {
    let mut program = Program::new(generation);
    alu(&mut program, CfOp::Alu, groups);
    export(&mut program, RESULT);
    end(&mut program);
    program
}

/// The program's kernel on `chip`, with room for `stack_entries` on its stack.
pub(crate) fn kernel(
    program: &Program,
    chip: Chip,
    stack_entries: u32,
) -> Result<Kernel, SimError> {
    let words = program.encode().unwrap();
    let declaration = Declaration { chip, stage: Stage::Pixel, num_gprs: NUM_GPRS, stack_entries };
    Kernel::from_words(&words, declaration)
}

/// An entry of one quad, whose lanes all hold `values` in x of R1, R2 and so on.
pub(crate) fn entry(values: &[u32]) -> Entry<'static> {
    let mut entry = Entry::new(1);
    for (number, &value) in values.iter().enumerate() {
        (0..4).for_each(|lane| entry.set_gpr(number as u32 + 1, 0, lane, value));
    }
    entry
}

/// Runs `groups` on `chip`.
pub(crate) fn run(
    chip: Chip,
    groups: Vec<AluGroup>,
    entry: &Entry<'_>,
) -> Result<Outcome, SimError> {
    let program = program(chip.generation(), groups);
    kernel(&program, chip, 4)?.run(entry, &Options::default(), &mut NoResources)
}

/// Runs the body of a listing that leaves its result in R4.
pub(crate) fn run_text(chip: Chip, body: &str, entry: &Entry<'_>) -> Result<Outcome, SimError> {
    let text = format!("{body}EXP_DONE: PIX0, R4.xyzw\nEND_OF_PROGRAM\n");
    let words = asm::assemble(&text, chip.generation());
    let words = words.map_err(|found| format!("{body}: {found:#?}")).unwrap();
    let declaration =
        Declaration { chip, stage: Stage::Pixel, num_gprs: NUM_GPRS, stack_entries: 4 };
    Kernel::from_words(&words, declaration)?.run(entry, &Options::default(), &mut NoResources)
}

/// What lane 0 exports as color 0.
pub(crate) fn result(outcome: &Outcome) -> [u32; 4] {
    outcome.export(ExportKind::Pixel, 0).unwrap().lanes[0].map(|bits| bits.unwrap())
}
