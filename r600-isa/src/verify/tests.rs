//! For each rule, a program that breaks only that rule.

mod address;
mod clause;
mod export;
mod fetch;
mod flow;
mod forward;
mod group;
mod loops;
mod modifier;
mod nesting;
mod order;
mod pending;
mod place;
mod prepared;
mod queue;
mod raw;
mod setting;
mod shared;
mod slots;
mod spread;
mod stage;
mod waits;

use arrayvec::ArrayVec;

use super::*;
use crate::{
    AluDst, AluGroup, AluInst, AluOp, AluPart, AluSel, AluSrc, CfAlu, CfExport, CfFetch, CfFlow,
    CfIndex, CfMemory, CfOp, CfSync, Chan, Chip, ComponentSel, ExportKind, FetchInst, FetchOp,
    GdsInst, IndexMode, InlineConst, KcacheMode, Layout, LdsAccess, LdsOp, MemInst, MemoryType,
    Omod, PredSel, TexInst, VtxInst,
};

use Chan::{W, X, Y, Z};
use Generation::{Cayman, Evergreen, R600, R700};

fn gpr(number: u8, chan: Chan) -> AluSrc {
    AluSrc::new(AluSel::Gpr(number), chan)
}

fn sel(sel: AluSel) -> AluSrc {
    AluSrc::new(sel, X)
}

/// `op R<dst>.<chan>, srcs…`, with a result.
fn inst(op: AluOp, dst: u8, chan: Chan, srcs: &[AluSrc]) -> AluInst {
    let mut src = [gpr(0, X); 3];
    src[..srcs.len()].copy_from_slice(srcs);
    AluInst {
        op,
        dst: AluDst { gpr: dst, chan, write: true, ..AluDst::default() },
        src,
        index_mode: IndexMode::ArX,
        pred_sel: PredSel::Off,
        bank_swizzle: 0,
        update_exec_mask: false,
        update_pred: false,
    }
}

fn mov(dst: u8, chan: Chan, src: AluSrc) -> AluInst {
    inst(AluOp::Mov, dst, chan, &[src])
}

fn group(insts: &[AluInst]) -> AluGroup {
    AluGroup { insts: insts.iter().copied().collect(), literals: ArrayVec::new() }
}

fn flow(op: CfOp) -> Cf {
    Cf::Flow(CfFlow::new(op))
}

fn finish(program: &mut Program) {
    program.cf.push(match program.generation {
        Cayman => flow(CfOp::CfEnd),
        _ => Cf::Flow(CfFlow { end_of_program: true, ..CfFlow::new(CfOp::Nop) }),
    });
}

fn alu_program(generation: Generation, op: CfOp, groups: Vec<AluGroup>) -> Program {
    let mut program = Program::new(generation);
    let clause = program.add_clause(Clause::Alu(groups));
    let mut alu = CfAlu::new(op, clause);
    if reads_window(&program) {
        alu.kcache[0].mode = KcacheMode::Lock1;
    }
    if adds_loop_index(&program) {
        let to = |op, target| Cf::Flow(CfFlow { target, ..CfFlow::new(op) });
        program.cf = vec![to(CfOp::LoopStart, 3), Cf::Alu(alu), to(CfOp::LoopEnd, 1)];
    } else {
        program.cf.push(Cf::Alu(alu));
    }
    finish(&mut program);
    program
}

/// Whether some instruction of the program may add the loop index.
fn adds_loop_index(program: &Program) -> bool {
    let Clause::Alu(groups) = &program.clauses[0] else { return false };
    let mut insts = groups.iter().flat_map(|group| &group.insts);
    insts.any(|inst| inst.index_mode == IndexMode::Loop)
}

/// Whether any source of the program reads the first window.
fn reads_window(program: &Program) -> bool {
    let Clause::Alu(groups) = &program.clauses[0] else { return false };
    let mut sources = groups.iter().flat_map(|group| &group.insts).flat_map(|inst| &inst.src);
    sources.any(|src| matches!(src.sel, AluSel::Kcache { set: 0, .. }))
}

fn fetch_program(generation: Generation, op: CfOp, fetches: Vec<FetchInst>) -> Program {
    let mut program = Program::new(generation);
    let clause = program.add_clause(Clause::Fetch(fetches));
    program.cf.push(Cf::Fetch(CfFetch::new(op, clause)));
    finish(&mut program);
    program
}

/// Checks that `program` breaks only `rule`.
fn breaks(rule: Rule, program: &Program) {
    let findings = program.verify();
    let found: Vec<Rule> = findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(found, [rule], "{findings:#?}");
    let shown = findings[0].to_string();
    assert!(shown.contains(rule.code()), "{shown}");
}

fn obeys(program: &Program) {
    assert_eq!(program.verify(), []);
}

/// Checks that `program` breaks `rules`, in the order of its findings.
fn finds(rules: &[Rule], program: &Program) {
    let findings = program.verify();
    let found: Vec<Rule> = findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(found, rules, "{findings:#?}");
}

/// A program of one clause of groups.
fn clause_of(generation: Generation, groups: &[&[AluInst]]) -> Program {
    let groups = groups.iter().map(|insts| group(insts)).collect();
    alu_program(generation, CfOp::Alu, groups)
}

fn groups_break(rule: Rule, groups: &[&[AluInst]]) {
    breaks(rule, &clause_of(R700, groups));
}

fn groups_obey(groups: &[&[AluInst]]) {
    obeys(&clause_of(R700, groups));
}

/// The program of a listing for R700.
fn listing(text: &str) -> Program {
    let words = crate::asm::assemble(text, R700).expect("a listing");
    Program::decode(&words, R700)
}

fn tex(op: FetchOp, src: u8, dst: u8) -> FetchInst {
    FetchInst::Tex(TexInst {
        src_gpr: src,
        src_sel: [ComponentSel::X, ComponentSel::Y, ComponentSel::Z, ComponentSel::W],
        dst_gpr: dst,
        dst_sel: [ComponentSel::X, ComponentSel::Y, ComponentSel::Z, ComponentSel::W],
        ..TexInst::sample(op, 0, 0)
    })
}

#[test]
fn codes_are_unique_and_ascend() {
    assert!(Rule::ALL.is_sorted_by(|a, b| a.code() < b.code()));
    assert!(Rule::ALL.iter().all(|rule| rule.demand().ends_with('.')));
}

#[test]
fn a_good_program_has_no_findings() {
    let program = alu_program(R700, CfOp::Alu, vec![group(&[mov(1, X, gpr(0, X))])]);
    assert_eq!(program.verify(), []);
    assert_eq!(fetch_program(R700, CfOp::Tex, vec![tex(FetchOp::Sample, 0, 1)]).verify(), []);
}

#[test]
fn v001_unchecked() {
    // Two clauses of two slots, the second of which begins in the middle of the first.
    let words = [3, 0xA004_0000, 4, 0xA004_0000, 0, 0x8020_0000];
    let mov = [0, 0x0020_0C90, 0x8000_0000, 0x0040_0C90];
    let words = [&words[..], &mov, &mov[2..]].concat();
    breaks(Rule::Unchecked, &Program::decode(&words, R700));
}

fn relative() -> AluInst {
    mov(1, Y, AluSrc { rel: true, ..gpr(4, Y) })
}

fn flow_program(generation: Generation, list: &[Cf]) -> Program {
    let mut program = Program::new(generation);
    program.cf.extend_from_slice(list);
    finish(&mut program);
    program
}

fn export(op: CfOp, gpr: u8) -> Cf {
    Cf::Export(CfExport::new(op, ExportKind::Pixel, 0, gpr))
}

fn other(name: &str) -> AluSrc {
    let number = crate::names::alu_source(Evergreen, name).expect("a known source");
    sel(AluSel::Other(number))
}

#[test]
fn v002_reserved() {
    let gated =
        Program::decode(&[2, 0xA000_0000, 0, 0x8020_0000, 0xA000_0000, 0x0000_0C90, 0, 0], R700);
    breaks(Rule::Reserved, &gated);
    // A fetch of type 3, and an export whose component selector is 6.
    let fetch = [4, 0x0080_0000 | 0x8000_0000, 0, 0x8020_0000, 0, 0, 0, 0, 0, 0x0000_0C00, 0, 0];
    breaks(Rule::Reserved, &Program::decode(&fetch, R700));
    breaks(Rule::Reserved, &Program::decode(&[0, 0x9420_0606], R700));
}

/// A read of local memory to queue A.
fn lds_read() -> AluInst {
    let mut read = inst(AluOp::LdsIdxOp, 0, X, &[gpr(0, X)]);
    read.set_lds(LdsAccess { op: LdsOp::LdsReadRet, offset: 0 });
    read
}

fn load_address() -> AluInst {
    let load = inst(AluOp::MovaInt, 0, X, &[gpr(0, X)]);
    AluInst { dst: AluDst { write: false, ..load.dst }, ..load }
}

fn export_to(kind: ExportKind, target: u16) -> Cf {
    Cf::Export(CfExport::new(CfOp::ExportDone, kind, target, 0))
}

/// Checks that `program` breaks only `rule` under `setting`, and nothing without it.
fn breaks_as(rule: Rule, program: &Program, setting: Setting) {
    let found: Vec<Rule> = program.verify_as(setting).iter().map(|finding| finding.rule).collect();
    assert_eq!(found, [rule]);
    assert_eq!(program.verify(), []);
}

/// Every rule must have a test named after its code.
#[test]
fn every_rule_has_a_test() {
    let tests = [
        include_str!("tests.rs"),
        include_str!("tests/group.rs"),
        include_str!("tests/clause.rs"),
        include_str!("tests/fetch.rs"),
        include_str!("tests/flow.rs"),
        include_str!("tests/loops.rs"),
        include_str!("tests/setting.rs"),
    ];
    for rule in Rule::ALL {
        let name = format!("fn {}_", rule.code().to_lowercase());
        assert!(tests.iter().any(|text| text.contains(&name)), "no test breaks {}", rule.code());
    }
}
