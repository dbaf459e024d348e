//! Every rule that the simulator checks has a program that breaks it.

mod programs;

use crate::support;

use r600_isa::{
    AluGroup, AluInst, AluOp, AluSel, AluSrc, Cf, CfAlu, CfExport, CfFlow, CfMemory, CfOp, Chan,
    Chip, Clause, ComponentSel, ExportKind, FetchInst, FetchOp, Generation, IndexMode, InlineConst,
    KcacheMode, KcacheWindow, LdsAccess, LdsOp, MemInst, MemoryType, Omod, PredSel, Program,
    TexInst, VtxInst, fields::tex_word0::RESOURCE_INDEX_MODE,
};
use r600_sim::{
    Buffer, BufferFormat, Declaration, Entry, Fault, GroupRule, Kernel, NoResources, Options,
    Resources, Stage,
};
use support::{CHIPS, NUM_GPRS, alu, end, entry, export, gpr, group, inst, issue, kernel, run};

const CHIP: Chip = Chip::Rv770;
const GENERATION: Generation = Generation::R700;

fn mov(chan: Chan, source: AluSrc) -> AluInst {
    inst(AluOp::Mov, chan, &[source])
}

fn inline(constant: InlineConst) -> AluSrc {
    AluSrc::new(AluSel::Inline(constant), Chan::X)
}

/// The fault of these groups.
fn fault_of(groups: Vec<AluGroup>) -> Fault {
    run(CHIP, groups, &entry(&[])).unwrap_err().fault
}

/// The fault of a single group of these instructions.
fn group_fault(insts: &[AluInst]) -> Fault {
    fault_of(vec![group(insts)])
}

fn check_rule(insts: &[AluInst], rule: GroupRule) {
    assert_eq!(group_fault(insts), Fault::IllegalGroup(rule));
}

/// The fault of a program that `build` fills before its exports.
fn program_fault(build: impl FnOnce(&mut Program)) -> Fault {
    program_fault_with(1, build)
}

/// The fault of a program with `stack` units of the branch stack.
fn program_fault_with(stack: u32, build: impl FnOnce(&mut Program)) -> Fault {
    let mut program = Program::new(GENERATION);
    build(&mut program);
    export(&mut program, support::RESULT);
    end(&mut program);
    fault_with(&program, stack, &mut NoResources)
}

fn fault_of_program(program: &Program, resources: &mut dyn Resources) -> Fault {
    fault_with(program, 1, resources)
}

fn fault_with(program: &Program, stack: u32, resources: &mut dyn Resources) -> Fault {
    let options = Options::default().step_limit(1000);
    kernel(program, CHIP, stack)
        .and_then(|kernel| kernel.run(&entry(&[]), &options, resources))
        .unwrap_err()
        .fault
}

fn flow(op: CfOp, target: u32, pop_count: u8) -> Cf {
    Cf::Flow(CfFlow { target, pop_count, ..CfFlow::new(op) })
}

#[test]
fn registers_lie_below_the_declared_count() {
    let outside = Fault::GprOutOfRange { gpr: 8, declared: NUM_GPRS };
    assert_eq!(group_fault(&[mov(Chan::X, gpr(8, Chan::X))]), outside);
    let mut write = mov(Chan::X, gpr(0, Chan::X));
    write.dst.gpr = 8;
    assert_eq!(group_fault(&[write]), outside);
}

#[test]
fn a_relative_register_stays_inside() {
    let load = group(&[AluInst {
        dst: Default::default(),
        ..inst(AluOp::MovaInt, Chan::X, &[gpr(1, Chan::X)])
    }]);
    let mut use_it = mov(Chan::X, gpr(1, Chan::X));
    use_it.src[0].rel = true;
    let groups = vec![load, group(&[use_it])];
    for (index, register) in [(7, 8), (-2_i32, -1)] {
        let error = run(CHIP, groups.clone(), &entry(&[index as u32])).unwrap_err();
        assert_eq!(error.fault, Fault::GprOutOfRange { gpr: register, declared: NUM_GPRS });
    }
    assert!(run(CHIP, groups, &entry(&[3])).is_ok());
}

#[test]
fn an_index_is_one_that_exists() {
    let mut use_it = mov(Chan::X, gpr(1, Chan::X));
    use_it.index_mode = IndexMode::Global;
    assert!(run(CHIP, vec![group(&[use_it])], &entry(&[])).is_ok());
    use_it.src[0].rel = true;
    assert_eq!(group_fault(&[use_it]), Fault::UnknownIndexMode(5));
    use_it.src[0].rel = false;
    use_it.dst.rel = true;
    use_it.index_mode = IndexMode::GlobalArX;
    assert_eq!(group_fault(&[use_it]), Fault::UnknownIndexMode(6));
}

#[test]
fn an_address_is_loaded_in_the_clause_that_uses_it() {
    let mut use_it = mov(Chan::X, gpr(1, Chan::X));
    use_it.src[0].rel = true;
    assert_eq!(group_fault(&[use_it]), Fault::NoAddress);
    use_it.index_mode = r600_isa::IndexMode::Loop;
    assert_eq!(group_fault(&[use_it]), Fault::NoLoopIndex);
}

#[test]
fn a_clause_temporary_is_written_in_the_clause_that_reads_it() {
    let read = group(&[mov(Chan::Y, gpr(124, Chan::Y))]);
    assert_eq!(fault_of(vec![read.clone()]), Fault::TemporaryNotSet { gpr: 124, channel: 1 });
    let mut write = mov(Chan::Y, gpr(0, Chan::X));
    write.dst.gpr = 124;
    assert!(run(CHIP, vec![group(&[write]), read], &entry(&[])).is_ok());
}

#[test]
fn previous_results_exist() {
    let pv = AluSrc::new(AluSel::Pv, Chan::Y);
    let ps = AluSrc::new(AluSel::Ps, Chan::X);
    let before = group(&[mov(Chan::X, gpr(0, Chan::X))]);
    assert_eq!(group_fault(&[mov(Chan::X, pv)]), Fault::NoPreviousVector(1));
    let after_x = vec![before.clone(), group(&[mov(Chan::X, pv)])];
    assert_eq!(fault_of(after_x), Fault::NoPreviousVector(1));
    let after_vector = vec![before, group(&[mov(Chan::X, ps)])];
    assert_eq!(fault_of(after_vector), Fault::NoPreviousScalar);
}

#[test]
fn previous_results_do_not_cross_clauses() {
    let fault = program_fault(|program| {
        alu(program, CfOp::Alu, vec![group(&[mov(Chan::X, gpr(0, Chan::X))])]);
        let pv = AluSrc::new(AluSel::Pv, Chan::X);
        alu(program, CfOp::Alu, vec![group(&[mov(Chan::X, pv)])]);
    });
    assert_eq!(fault, Fault::NoPreviousVector(0));
}

#[test]
fn constants_lie_in_locked_lines_and_exist() {
    let constant = AluSrc::new(AluSel::Kcache { set: 0, index: 16 }, Chan::X);
    let read = vec![group(&[mov(Chan::X, constant)])];
    assert_eq!(fault_of(read.clone()), Fault::ConstantNotLocked(144));
    let with_lock = |mode| {
        program_fault(|program| {
            let clause = program.add_clause(Clause::Alu(read.clone()));
            let mut kcache = [KcacheWindow::default(); 4];
            kcache[0] = KcacheWindow { mode, bank: 3, line: 2, ..KcacheWindow::default() };
            program.cf.push(Cf::Alu(CfAlu { kcache, ..CfAlu::new(CfOp::Alu, clause) }));
        })
    };
    assert_eq!(with_lock(KcacheMode::Lock1), Fault::ConstantNotLocked(144));
    assert_eq!(with_lock(KcacheMode::Lock2), Fault::NoConstant { bank: 3, index: 48 });
}

#[test]
fn sources_have_a_meaning() {
    let queue = AluSrc::new(AluSel::Other(221), Chan::X);
    assert_eq!(group_fault(&[mov(Chan::X, queue)]), Fault::UnknownSource(221));
    let on_evergreen = run(Chip::Cypress, vec![group(&[mov(Chan::X, queue)])], &entry(&[]));
    assert_eq!(on_evergreen.unwrap_err().fault, Fault::QueueEmpty('A'));
}

#[test]
fn a_predicate_is_set_in_the_clause_that_tests_it() {
    let tested = AluInst { pred_sel: PredSel::One, ..mov(Chan::X, gpr(0, Chan::X)) };
    assert_eq!(group_fault(&[tested]), Fault::NoPredicate);
}

#[test]
fn no_two_instructions_share_a_slot() {
    let dot = inst(AluOp::Dot4, Chan::X, &[gpr(0, Chan::X), gpr(0, Chan::X)]);
    check_rule(&[dot, dot], GroupRule::SlotTaken("x"));
}

#[test]
fn operands_find_their_read_ports() {
    let add = |chan, a, b| inst(AluOp::Add, chan, &[gpr(a, Chan::X), gpr(b, Chan::X)]);
    check_rule(&[add(Chan::X, 1, 2), add(Chan::Y, 3, 4)], GroupRule::ReadPort("y"));
    // In other cycles two of the four still meet.
    let moved = AluInst { bank_swizzle: 4, ..add(Chan::Y, 3, 4) };
    check_rule(&[add(Chan::X, 1, 2), moved], GroupRule::ReadPort("y"));
    let fits = AluInst { bank_swizzle: 2, ..add(Chan::Y, 2, 4) };
    assert!(run(CHIP, vec![group(&[add(Chan::X, 1, 2), fits])], &entry(&[])).is_ok());
}

#[test]
fn registers_of_the_trans_slot_wait_for_its_constants() {
    let sources = [gpr(1, Chan::X), inline(InlineConst::One), gpr(2, Chan::X)];
    let blocked = inst(AluOp::MulLit, Chan::X, &sources);
    check_rule(&[blocked], GroupRule::TransCycle);
    let swizzled = AluInst { bank_swizzle: 1, ..blocked };
    assert!(run(CHIP, vec![group(&[swizzled])], &entry(&[])).is_ok());
    let one = inline(InlineConst::One);
    check_rule(&[inst(AluOp::MulLit, Chan::X, &[one, one, one])], GroupRule::ConstantPort);
}

#[test]
fn constants_find_their_ports() {
    let constant = |index, chan| AluSrc::new(AluSel::Kcache { set: 0, index }, chan);
    let reads = [
        mov(Chan::X, constant(0, Chan::X)),
        mov(Chan::Y, constant(0, Chan::Z)),
        mov(Chan::Z, constant(1, Chan::X)),
    ];
    check_rule(&reads, GroupRule::ConstantPort);
    // The first generation counts channels rather than pairs, and reads four.
    let on_r600 = run(Chip::Rv670, vec![group(&reads)], &entry(&[])).unwrap_err();
    assert_eq!(on_r600.fault, Fault::ConstantNotLocked(128));
}

#[test]
fn no_two_slots_write_one_channel() {
    let vector = mov(Chan::X, gpr(1, Chan::X));
    let trans = inst(AluOp::RecipIeee, Chan::X, &[gpr(1, Chan::X)]);
    let trans = AluInst { bank_swizzle: 1, ..trans };
    check_rule(&[vector, trans], GroupRule::WriteConflict(u32::from(support::RESULT)));
}

/// An access to local memory has its operation where others have the destination.
#[test]
fn an_access_to_local_memory_writes_no_register() {
    let mut access = inst(AluOp::LdsIdxOp, Chan::X, &[gpr(1, Chan::X); 3]);
    access.set_lds(LdsAccess { op: LdsOp::LdsAdd, offset: 0 });
    let trans = inst(AluOp::RecipIeee, Chan::X, &[gpr(1, Chan::X)]);
    let mut trans = AluInst { bank_swizzle: 1, ..trans };
    trans.dst.gpr = access.dst.gpr;
    assert!(run(Chip::Cypress, vec![group(&[access, trans])], &entry(&[0])).is_ok());
}

/// A relative destination meets the trans slot's only where the address says so.
#[test]
fn no_two_slots_write_one_relative_channel() {
    let load =
        AluInst { dst: Default::default(), ..inst(AluOp::MovaInt, Chan::X, &[gpr(1, Chan::X)]) };
    let mut relative = mov(Chan::X, gpr(1, Chan::X));
    (relative.dst.gpr, relative.dst.rel) = (support::RESULT - 1, true);
    let trans = inst(AluOp::RecipIeee, Chan::X, &[gpr(1, Chan::X)]);
    let trans = AluInst { bank_swizzle: 1, ..trans };
    let groups = vec![group(&[load]), group(&[relative, trans])];
    let conflict = GroupRule::WriteConflict(u32::from(support::RESULT));
    let meets = run(CHIP, groups.clone(), &entry(&[1])).unwrap_err().fault;
    assert_eq!(meets, Fault::IllegalGroup(conflict));
    assert!(run(CHIP, groups, &entry(&[2])).is_ok());
}

#[test]
fn one_slot_sets_the_predicate() {
    let sources = [gpr(1, Chan::X); 2];
    let set = |chan| inst(AluOp::PredSete, chan, &sources);
    check_rule(&[set(Chan::X), set(Chan::Y)], GroupRule::TwoPredicates);
    let kill = inst(AluOp::Kille, Chan::Y, &sources);
    check_rule(&[set(Chan::X), kill], GroupRule::TwoPredicates);
}

#[test]
fn multi_slot_instructions_fill_their_slots() {
    let dot = inst(AluOp::Dot4, Chan::X, &[gpr(1, Chan::X), gpr(1, Chan::X)]);
    check_rule(&[dot], GroupRule::Incomplete("DOT4"));
    let recip = group(&[inst(AluOp::RecipIeee, Chan::X, &[gpr(1, Chan::X)])]);
    let fault = run(Chip::Cayman, vec![recip], &entry(&[])).unwrap_err().fault;
    assert_eq!(fault, Fault::IllegalGroup(GroupRule::Incomplete("RECIP_IEEE")));
}

#[test]
fn the_bank_swizzle_exists_in_the_slot() {
    let trans = inst(AluOp::RecipIeee, Chan::X, &[gpr(1, Chan::X)]);
    check_rule(&[AluInst { bank_swizzle: 4, ..trans }], GroupRule::BankSwizzle(4));
    check_rule(
        &[AluInst { bank_swizzle: 6, ..mov(Chan::X, gpr(1, Chan::X)) }],
        GroupRule::BankSwizzle(6),
    );
    // It says nothing of constants, but something of a forwarded result in the trans slot.
    let one = inline(InlineConst::One);
    for (op, bank_swizzle) in [(AluOp::Mov, 6), (AluOp::RecipIeee, 7)] {
        let constant = AluInst { bank_swizzle, ..inst(op, Chan::X, &[one]) };
        let outcome = run(CHIP, vec![group(&[constant])], &entry(&[]));
        assert_eq!(support::result(&outcome.unwrap())[0], 1.0_f32.to_bits(), "{op:?}");
    }
    let time_lo = AluSrc::new(AluSel::Other(228), Chan::X);
    let time = AluInst { bank_swizzle: 6, ..mov(Chan::X, time_lo) };
    assert!(run(Chip::Cypress, vec![group(&[time])], &entry(&[])).is_ok());
    let pv = AluSrc::new(AluSel::Pv, Chan::X);
    let forwarded = AluInst { bank_swizzle: 4, ..inst(AluOp::RecipIeee, Chan::X, &[pv]) };
    let fault = fault_of(vec![group(&[mov(Chan::X, one)]), group(&[forwarded])]);
    assert_eq!(fault, Fault::IllegalGroup(GroupRule::BankSwizzle(4)));
    let interpolation = issue(AluOp::InterpXy, Generation::Evergreen);
    let fault = run(Chip::Cypress, vec![interpolation], &entry(&[])).unwrap_err().fault;
    assert_eq!(fault, Fault::IllegalGroup(GroupRule::BankSwizzle(0)));
}

#[test]
fn an_address_is_not_used_where_it_is_loaded() {
    let mut relative = mov(Chan::Y, gpr(1, Chan::Y));
    relative.src[0].rel = true;
    let load = inst(AluOp::MovaInt, Chan::X, &[gpr(1, Chan::X)]);
    check_rule(&[load, relative], GroupRule::AddressRace);
}

#[test]
fn index_loads_stand_alone() {
    let copy = AluInst { dst: Default::default(), ..inst(AluOp::SetCfIdx0, Chan::X, &[]) };
    let insts = [copy, mov(Chan::Y, gpr(1, Chan::X))];
    let fault = run(Chip::Cypress, vec![group(&insts)], &entry(&[])).unwrap_err().fault;
    assert_eq!(fault, Fault::IllegalGroup(GroupRule::NotAlone("SET_CF_IDX0")));
}

/// The variants of an enumeration in the source that defines them.
fn variants<'a>(source: &'a str, name: &str) -> Vec<&'a str> {
    let body = source.split(&format!("pub enum {name} {{")).nth(1).unwrap();
    let body = body.split("\n}").next().unwrap();
    let lines = body.lines().filter(|line| line.starts_with("    ") && !line.starts_with("     "));
    lines
        .map(str::trim)
        .filter(|line| line.starts_with(char::is_uppercase))
        .map(|line| line.split(|c: char| !c.is_alphanumeric()).next().unwrap())
        .collect()
}

#[test]
fn every_rule_is_broken_by_a_test() {
    let rules = include_str!("../../src/error.rs");
    let tests = [
        include_str!("strictness.rs"),
        include_str!("strictness/programs.rs"),
        include_str!("effects.rs"),
        include_str!("hazards.rs"),
        include_str!("listings.rs"),
    ]
    .concat();
    let mut count = 0;
    for name in ["Fault", "GroupRule"] {
        for variant in variants(rules, name) {
            count += 1;
            let rule = format!("{name}::{variant}");
            assert!(tests.contains(&rule), "no test triggers {rule}");
        }
    }
    println!("{count} rules");
    assert!(count > 40);
}

#[test]
fn a_quiet_program_breaks_no_rule_on_any_chip() {
    for chip in CHIPS {
        let mut half = mov(Chan::X, inline(InlineConst::One));
        half.dst.omod = Omod::Half;
        let outcome = run(chip, vec![group(&[half])], &entry(&[])).unwrap();
        assert_eq!(support::result(&outcome)[0], 0.5_f32.to_bits());
    }
}
