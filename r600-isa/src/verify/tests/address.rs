//! Boundary cases of the rules of the address register.

use super::*;

/// `inst` with an indexed destination.
fn placed(mut inst: AluInst) -> AluInst {
    inst.dst.rel = true;
    inst
}

fn indexed(number: u8) -> AluSrc {
    AluSrc { rel: true, ..gpr(number, X) }
}

#[test]
fn a_load_lasts_until_the_end_of_its_clause() {
    let other = mov(1, X, gpr(0, X));
    groups_obey(&[&[load_address()], &[other], &[relative()]]);
    groups_obey(&[&[load_address(), mov(1, Y, gpr(0, X))], &[relative()]]);
}

#[test]
fn destinations_are_indexed_as_sources_are() {
    let store = placed(mov(1, X, gpr(0, X)));
    groups_break(Rule::AddressUnset, &[&[store]]);
    groups_break(Rule::AddressSameGroup, &[&[load_address(), placed(mov(1, Y, gpr(0, X)))]]);
    groups_obey(&[&[load_address()], &[store]]);
}

#[test]
fn other_indices_need_no_load() {
    let by = |index_mode| AluInst { index_mode, ..relative() };
    groups_obey(&[&[by(IndexMode::Loop)]]);
    groups_obey(&[&[by(IndexMode::Global)]]);
    groups_break(Rule::AddressUnset, &[&[by(IndexMode::GlobalArX)]]);
    // An access to local memory keeps its offset in the bit that marks an indexed destination elsewhere.
    let mut access = inst(AluOp::LdsIdxOp, 0, X, &[gpr(0, X), gpr(0, X)]);
    access.set_lds(LdsAccess { op: LdsOp::LdsWrite, offset: 63 });
    obeys(&clause_of(Evergreen, &[&[access]]));
}

#[test]
fn index_registers_of_control_flow_come_from_the_address() {
    for op in [AluOp::SetCfIdx0, AluOp::SetCfIdx1] {
        let mut set = inst(op, 0, X, &[]);
        set.dst.write = false;
        breaks(Rule::AddressUnset, &clause_of(Evergreen, &[&[set]]));
        obeys(&clause_of(Evergreen, &[&[load_address()], &[set]]));
    }
}

#[test]
fn on_cayman_another_destination_is_another_register() {
    let load = |gpr| AluInst { dst: AluDst { gpr, ..load_address().dst }, ..load_address() };
    breaks(Rule::AddressUnset, &clause_of(Cayman, &[&[load(2)], &[relative()]]));
    obeys(&clause_of(Cayman, &[&[load(0)], &[relative()]]));
    obeys(&clause_of(Evergreen, &[&[load(2)], &[relative()]]));
    let both = [load(2), relative()];
    obeys(&clause_of(Cayman, &[&[load(0)], &both]));
}

fn on(chip: Chip) -> Setting {
    Setting { chip: Some(chip), ..Setting::default() }
}

/// A load of the address with which the first chips index registers.
fn load_for_registers() -> AluInst {
    AluInst { op: AluOp::MovaGprInt, ..load_address() }
}

#[test]
fn the_first_chips_load_the_index_of_registers_by_an_operation_of_its_own() {
    let program = |insts: &[AluInst]| clause_of(R600, &[&[load_address()], insts]);
    let rule = Rule::AddressFlavour;
    breaks_as(rule, &program(&[placed(mov(1, X, gpr(0, X)))]), on(Chip::R600));
    breaks_as(rule, &program(&[mov(1, X, gpr(0, X)), relative()]), on(Chip::R600));
    let by_loop = AluInst { index_mode: IndexMode::Loop, ..relative() };
    assert_eq!(program(&[by_loop]).verify_as(on(Chip::R600)), []);
    let good = clause_of(R600, &[&[load_for_registers()], &[relative()]]);
    assert_eq!(good.verify_as(on(Chip::R600)), []);
    // Only the last load counts.
    let later = clause_of(R600, &[&[load_address()], &[load_for_registers()], &[relative()]]);
    assert_eq!(later.verify_as(on(Chip::R600)), []);
    // A group may use the address register and the loop index.
    let file = AluSrc { rel: true, ..sel(AluSel::ConstFile(0)) };
    let mut both = program(&[mov(1, X, file), by_loop]);
    // The clause is inside a loop.
    if let Cf::Alu(alu) = &mut both.cf[1] {
        alu.uses_waterfall = true;
    }
    assert_eq!(both.verify_as(on(Chip::R600)), []);
    let mut constant = program(&[mov(1, X, AluSrc { rel: true, ..sel(AluSel::ConstFile(0)) })]);
    if let Cf::Alu(alu) = &mut constant.cf[0] {
        alu.uses_waterfall = true;
    }
    assert_eq!(constant.verify_as(on(Chip::R600)), []);
}

#[test]
fn a_group_is_between_an_indexed_write_and_its_read() {
    let store = placed(mov(1, X, gpr(0, X)));
    let read = mov(2, X, gpr(1, X));
    groups_obey(&[&[load_address()], &[store], &[mov(3, X, gpr(0, X))], &[read]]);
    groups_obey(&[&[load_address()], &[store], &[mov(2, X, gpr(3, X))]]);
    groups_obey(&[&[mov(1, X, gpr(0, X))], &[read]]);
    // The read may be the indexed access instead.
    let write = mov(4, X, gpr(0, X));
    groups_break(Rule::IndexedDistance, &[&[load_address()], &[write], &[mov(2, X, indexed(4))]]);
    groups_obey(&[&[load_address()], &[write], &[mov(2, X, indexed(5))]]);
    let mut unwritten = write;
    unwritten.dst.write = false;
    groups_obey(&[&[load_address()], &[unwritten], &[mov(2, X, indexed(4))]]);
    // A group gives only one finding.
    let twice = [mov(2, X, gpr(1, X)), mov(2, Y, gpr(1, X))];
    groups_break(Rule::IndexedDistance, &[&[load_address()], &[store], &twice]);
}

#[test]
fn some_chips_are_late_with_every_indexed_write() {
    let program =
        |store: AluInst, src| clause_of(R700, &[&[load_address()], &[store], &[mov(2, X, src)]]);
    let store = placed(mov(1, X, gpr(0, X)));
    let rule = Rule::IndexedDistance;
    breaks_as(rule, &program(store, indexed(5)), on(Chip::Rv770));
    for obeying in [program(store, gpr(5, X)), program(mov(1, X, gpr(0, X)), indexed(5))] {
        assert_eq!(obeying.verify_as(on(Chip::Rv770)), []);
    }
    assert_eq!(program(store, indexed(5)).verify_as(on(Chip::Rv730)), []);
}

#[test]
fn lanes_that_index_constants_by_themselves_need_the_waterfall() {
    let file = |rel| AluSrc { rel, ..sel(AluSel::ConstFile(0)) };
    let program = |generation, src| {
        clause_of(generation, &[&[load_address()], &[mov(1, X, src), mov(1, Y, gpr(0, Y))]])
    };
    breaks(Rule::Waterfall, &program(R600, file(true)));
    obeys(&program(R700, file(true)));
    obeys(&program(R600, file(false)));
    obeys(&program(R600, indexed(4)));
    let by_loop = AluInst { index_mode: IndexMode::Loop, ..mov(1, X, file(true)) };
    obeys(&clause_of(R600, &[&[by_loop]]));
    // One instruction indexes a register, and another reads a constant.
    let apart = [mov(1, X, indexed(4)), mov(1, Y, file(false))];
    obeys(&clause_of(R600, &[&[load_address()], &apart]));
}
