//! Boundary cases of the rules of one ALU instruction.

use super::*;

fn one(generation: Generation, inst: AluInst) -> Program {
    clause_of(generation, &[&[inst]])
}

fn neg(src: AluSrc) -> AluSrc {
    AluSrc { neg: true, ..src }
}

#[test]
fn only_floats_have_signs() {
    let abs = AluSrc { abs: true, ..gpr(0, X) };
    breaks(Rule::SourceModifier, &one(R700, inst(AluOp::NotInt, 1, X, &[abs])));
    let second = inst(AluOp::AddInt, 1, X, &[gpr(0, X), neg(gpr(0, X))]);
    breaks(Rule::SourceModifier, &one(R700, second));
    obeys(&one(R700, inst(AluOp::Add, 1, X, &[abs, neg(gpr(0, X))])));
    // Modifiers of a source that is not read do not count.
    obeys(&one(R700, inst(AluOp::NotInt, 1, X, &[gpr(0, X), neg(gpr(0, X))])));
}

#[test]
fn a_selection_tests_its_first_source() {
    let test = inst(AluOp::CndeInt, 1, X, &[neg(gpr(0, X)), gpr(0, X), gpr(0, X)]);
    breaks(Rule::SourceModifier, &one(R700, test));
    let last = inst(AluOp::CndeInt, 1, X, &[gpr(0, X), gpr(0, X), neg(gpr(0, X))]);
    obeys(&one(R700, last));
    let sum = inst(AluOp::MuladdUint24, 1, X, &[gpr(0, X), gpr(0, X), neg(gpr(0, X))]);
    breaks(Rule::SourceModifier, &one(Evergreen, sum));
}

/// `inst` with its result multiplied by 2.
fn doubled(mut inst: AluInst) -> AluInst {
    inst.dst.omod = Omod::Times2;
    inst
}

fn clamped(mut inst: AluInst) -> AluInst {
    inst.dst.clamp = true;
    inst
}

#[test]
fn only_floats_are_multiplied_and_clamped() {
    let two = [gpr(0, X), gpr(0, X)];
    for op in [AluOp::Mov, AluOp::Add] {
        obeys(&one(R700, doubled(inst(op, 1, X, &two))));
        obeys(&one(R700, clamped(inst(op, 1, X, &two))));
    }
    let double = [X, Y].map(|chan| clamped(inst(AluOp::Add64, 1, chan, &two)));
    obeys(&clause_of(R700, &[&double]));
    let unwritten = |op| {
        let mut inst = inst(op, 0, X, &two);
        inst.dst.write = false;
        inst
    };
    let others = [
        inst(AluOp::AddInt, 1, X, &two),
        inst(AluOp::MulloUint, 1, X, &two),
        unwritten(AluOp::MovaInt),
        unwritten(AluOp::Lds1a),
        unwritten(AluOp::AluNop),
    ];
    for other in others {
        breaks(Rule::ResultModifier, &one(Evergreen, doubled(other)));
        breaks(Rule::ResultModifier, &one(Evergreen, clamped(other)));
    }
}

#[test]
fn on_cayman_a_mask_operation_has_no_multiplier() {
    let masks = AluInst { update_exec_mask: true, ..inst(AluOp::NotInt, 1, X, &[gpr(0, X)]) };
    let kills = |inst: AluInst| AluInst { dst: AluDst { omod: Omod::Half, ..inst.dst }, ..inst };
    finds(&[Rule::PredicateUpdate], &one(Cayman, kills(masks)));
    finds(&[Rule::ResultModifier, Rule::PredicateUpdate], &one(Evergreen, kills(masks)));
    finds(&[Rule::ResultModifier, Rule::PredicateUpdate], &one(Cayman, clamped(masks)));
    let plain = AluInst { update_exec_mask: false, ..masks };
    finds(&[Rule::ResultModifier], &one(Cayman, kills(plain)));
}

#[test]
fn an_access_to_local_memory_has_an_offset_in_place_of_modifiers() {
    let mut read = inst(AluOp::LdsIdxOp, 0, X, &[gpr(0, X)]);
    read.set_lds(LdsAccess { op: LdsOp::LdsReadRelRet, offset: 63 });
    let pops = [mov(1, X, other("LDS_OQ_A_POP")), mov(1, Y, other("LDS_OQ_B_POP"))];
    let by_y = AluInst { index_mode: IndexMode::ArY, ..read };
    for read in [read, by_y] {
        obeys(&clause_of(Evergreen, &[&[read], &pops]));
    }
    let unknown = AluInst { src: [sel(AluSel::Other(200)); 3], ..read };
    breaks(Rule::SourceSelector, &clause_of(Evergreen, &[&[unknown], &pops]));
}

/// A copy to R1 of a source that `mode` indexes, after a load of the address register.
fn indexed(generation: Generation, mode: IndexMode, src: AluSrc) -> Program {
    let copy = AluInst { index_mode: mode, ..mov(1, X, src) };
    clause_of(generation, &[&[load_address()], &[copy]])
}

#[test]
fn the_first_chips_index_constants_by_each_channel() {
    let file = AluSrc { rel: true, ..sel(AluSel::ConstFile(0)) };
    let register = AluSrc { rel: true, ..gpr(4, X) };
    for mode in [IndexMode::ArY, IndexMode::ArZ, IndexMode::ArW] {
        obeys(&indexed(R700, mode, file));
        breaks(Rule::IndexMode, &indexed(Evergreen, mode, file));
        breaks(Rule::IndexMode, &indexed(R700, mode, register));
    }
    let mut placed = AluInst { index_mode: IndexMode::ArY, ..mov(1, X, file) };
    placed.dst.rel = true;
    groups_break(Rule::IndexMode, &[&[load_address()], &[placed]]);
    let mixed = inst(AluOp::Add, 1, X, &[file, register]);
    let mixed = AluInst { index_mode: IndexMode::ArY, ..mixed };
    groups_break(Rule::IndexMode, &[&[load_address()], &[mixed]]);
    groups_obey(&[&[AluInst { index_mode: IndexMode::ArY, ..mov(1, X, gpr(4, X)) }]]);
    let mut placed = AluInst { index_mode: IndexMode::ArY, ..mov(1, X, gpr(0, X)) };
    placed.dst.rel = true;
    groups_break(Rule::IndexMode, &[&[load_address()], &[placed]]);
}

#[test]
fn loop_index_and_global_index_depend_on_the_generation() {
    let register = AluSrc { rel: true, ..gpr(4, X) };
    for mode in [IndexMode::ArX, IndexMode::Loop] {
        obeys(&indexed(R600, mode, register));
        obeys(&indexed(Cayman, mode, register));
    }
    for mode in [IndexMode::Global, IndexMode::GlobalArX] {
        breaks(Rule::IndexMode, &indexed(R600, mode, register));
        obeys(&indexed(R700, mode, register));
    }
}

#[test]
fn without_an_index_its_mode_says_nothing() {
    let by = |mode| AluInst { index_mode: mode, ..mov(1, X, gpr(4, X)) };
    for mode in [IndexMode::ArY, IndexMode::ArZ, IndexMode::ArW] {
        obeys(&one(Evergreen, by(mode)));
    }
    for mode in [IndexMode::Global, IndexMode::GlobalArX] {
        obeys(&one(R600, by(mode)));
    }
}

#[test]
fn predicate_and_mask_are_updated_by_comparisons_and_kills() {
    let masks = |inst: AluInst| AluInst { update_exec_mask: true, ..inst };
    breaks(Rule::PredicateUpdate, &one(R700, masks(mov(1, X, gpr(0, X)))));
    let two = [gpr(0, X), gpr(0, X)];
    obeys(&one(R700, masks(inst(AluOp::PredSete, 1, X, &two))));
    obeys(&one(R700, masks(inst(AluOp::Kille, 1, X, &two))));
}

#[test]
fn a_multiplier_of_a_mask_leaves_a_loop() {
    let two = [gpr(0, X), gpr(0, X)];
    let leaves = |omod, update_exec_mask| {
        let mut set = inst(AluOp::PredSete, 0, X, &two);
        set.dst.omod = omod;
        AluInst { update_exec_mask, ..set }
    };
    breaks(Rule::MaskOutsideLoop, &one(Cayman, leaves(Omod::Times4, true)));
    obeys(&one(Cayman, leaves(Omod::Half, true)));
    obeys(&one(Cayman, leaves(Omod::None, true)));
    obeys(&one(Cayman, leaves(Omod::Times4, false)));
    obeys(&one(Evergreen, leaves(Omod::Times4, true)));
}

#[test]
fn a_load_of_the_address_may_write_nothing() {
    obeys(&one(R700, load_address()));
    obeys(&one(R700, mov(1, X, gpr(0, X))));
}

#[test]
fn constants_of_a_group_have_one_index() {
    let file = |rel, index| AluSrc { rel, ..sel(AluSel::ConstFile(index)) };
    let copy = |chan, index_mode, src| AluInst { index_mode, ..mov(1, chan, src) };
    let both = |first, second| clause_of(R700, &[&[load_address()], &[first, second]]);
    let by_x = copy(X, IndexMode::ArX, file(true, 0));
    obeys(&both(by_x, copy(Y, IndexMode::ArX, file(true, 1))));
    obeys(&both(by_x, copy(Y, IndexMode::ArY, file(false, 1))));
    obeys(&both(copy(X, IndexMode::ArY, file(false, 1)), copy(Y, IndexMode::ArX, file(true, 0))));
    let by_loop = copy(Y, IndexMode::Loop, AluSrc { rel: true, ..gpr(4, X) });
    obeys(&both(by_x, by_loop));
    breaks(Rule::IndexKinds, &both(by_x, copy(Y, IndexMode::Loop, file(true, 1))));
}

#[test]
fn a_register_is_read_with_one_index() {
    let register = |number, rel, chan| AluSrc { rel, ..gpr(number, chan) };
    let copy = |chan, index_mode, src| AluInst { index_mode, ..mov(1, chan, src) };
    let both = |first, second| clause_of(R700, &[&[load_address()], &[first, second]]);
    let by_x = copy(X, IndexMode::ArX, register(4, true, X));
    obeys(&both(by_x, copy(Y, IndexMode::ArX, register(4, true, Y))));
    obeys(&both(by_x, copy(Y, IndexMode::ArX, register(5, false, Y))));
    obeys(&both(by_x, copy(Y, IndexMode::Loop, register(5, true, Y))));
    breaks(Rule::IndexKinds, &both(by_x, copy(Y, IndexMode::Loop, register(4, true, Y))));
}
