//! Boundary cases of the rules of words that no type represents.

use super::*;

/// The end of a program of R700.
const END: [u32; 2] = [0, 0x8020_0000];

fn decoded(words: &[u32]) -> Program {
    Program::decode(words, R700)
}

#[test]
fn a_clause_lies_within_the_program() {
    // A clause of one group of one slot at the end of the program; then the same with a slot more than exists.
    let mov = [0x8000_0000, 0x0020_0C90];
    let clause = |count: u32| {
        let run = [2, 0xA000_0000 | (count - 1) << 18];
        decoded(&[&run[..], &END, &mov].concat())
    };
    obeys(&clause(1));
    breaks(Rule::NoClause, &clause(2));
    // The clause may share words with the list, which do exist.
    let shared = [0, 0xA000_0000 | 1 << 18];
    breaks(Rule::Unchecked, &decoded(&[&shared[..], &END].concat()));
}

#[test]
fn problems_in_words_of_groups_are_distinguished() {
    let program = |words: &[u32]| {
        let mut program = Program::new(R700);
        let clause = program.add_clause(Clause::Mixed(vec![AluPart::Raw(words.to_vec())]));
        program.cf.push(Cf::Alu(CfAlu::new(CfOp::Alu, clause)));
        finish(&mut program);
        program
    };
    // An operation without the mark of the last slot; an operation with a reserved predicate.
    breaks(Rule::SlotConflict, &program(&[0, 0x0020_0C90]));
    breaks(Rule::Reserved, &program(&[0x8000_0000 | 1 << 29, 0x0020_0C90]));
    breaks(Rule::UnsupportedAlu, &program(&[0x8000_0000, 0x0000_3F90]));
}

#[test]
fn problems_in_raw_fetches_are_distinguished() {
    let program = |words: [u32; 4]| fetch_program(R600, CfOp::Tex, vec![FetchInst::Raw(words)]);
    breaks(Rule::UnsupportedFetch, &program([0x0A, 0, 0, 0]));
    breaks(Rule::Reserved, &program([0x10, 0, 0, 1]));
}

#[test]
fn problems_in_raw_instructions_of_the_list_are_distinguished() {
    breaks(Rule::Reserved, &flow_program(R700, &[Cf::Raw([0, 0x9420_0606])]));
    breaks(Rule::FlowTarget, &flow_program(R700, &[Cf::Raw([9, 0x8500_0000])]));
    breaks(Rule::UnsupportedFlow, &flow_program(R700, &[Cf::Raw([0, 0x0F80_0000])]));
}

/// Groups of a clause are checked even if other words of it form no groups.
#[test]
fn groups_beside_unknown_words_are_judged() {
    let mut program = Program::new(R700);
    let clash = group(&[mov(1, Y, gpr(0, X)), mov(1, X, gpr(0, X))]);
    let parts = vec![AluPart::Raw(vec![0, 0x0020_0C90]), AluPart::Group(clash)];
    let clause = program.add_clause(Clause::Mixed(parts));
    program.cf.push(Cf::Alu(CfAlu::new(CfOp::Alu, clause)));
    finish(&mut program);
    finds(&[Rule::SlotConflict, Rule::SlotOrder], &program);
    let bodies: Vec<_> = program.verify().iter().map(|finding| finding.place.body).collect();
    assert_eq!(bodies, [Some(0), Some(1)]);
}

#[test]
fn an_extension_that_stays_raw_takes_what_it_extends_along() {
    // ALU_EXTENDED with a reserved index mode, then the clause that it extends.
    let (extension, run) = ([3 << 4, 0xB000_0000], [3, 0xA000_0000]);
    let mov = [0x8000_0000, 0x0020_0C90];
    let words = [&extension[..], &run, &END, &mov].concat();
    let program = Program::decode(&words, Evergreen);
    assert!(program.cf[..2].iter().all(|cf| matches!(cf, Cf::Raw(_))), "{:?}", program.cf);
    finds(&[Rule::Unchecked, Rule::Unchecked], &program);
    let messages: Vec<_> = program.verify().into_iter().map(|one| one.message).collect();
    assert!(messages[0].ends_with("the instruction that it extends"), "{messages:?}");
    assert!(messages[1].ends_with("its extension"), "{messages:?}");
    // After raw words that are no extension, nothing is excused.
    let two = [Cf::Raw([0, 0x9420_0606]), Cf::Raw([0, 0x9420_0606])];
    finds(&[Rule::Reserved, Rule::Reserved], &flow_program(R700, &two));
}

/// Two branches whose tests share words. The clause of the second one stays raw, but still pushes.
#[test]
fn raw_words_push_and_pop_as_their_operation_does() {
    let first = [7, 0xA404_0000, 3, 0x8500_0001, 9, 0xA800_0000];
    let second = [8, 0xA400_0000, 6, 0x8500_0001, 10, 0xA800_0000];
    let last = [0xC000_8000, 0x9420_0000];
    let (copy, test) = ([0x8000_0400, 0x0020_0C90], [0x801F_0000, 0x0000_108C]);
    let words = [&first[..], &second, &last, &copy, &test, &copy, &copy].concat();
    let program = decoded(&words);
    assert!(matches!(program.cf[3], Cf::Raw(_)), "{:?}", program.cf);
    breaks(Rule::Unchecked, &program);
    // The same holds for an instruction with an invalid target: here a pop of two.
    let pop = Cf::Raw([0x100, 0x8700_0002]);
    breaks(Rule::FlowTarget, &flow_program(R700, &[flow(CfOp::Push), flow(CfOp::Push), pop]));
}
