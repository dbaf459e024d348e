//! Checks that control-flow modes which compiled code never uses are off: conditions by constants, indexed registers
//! and resources, constants of another stage, and changes to which helper lanes run.

use r600_isa::{
    AluOp, Cf, CfAlu, CfCondition, CfExport, CfFetch, CfFlow, CfIndex, CfModes, CfOp, Clause,
    ComponentSel, FetchInst, FetchOp, Generation, Program,
};

use super::CodeFault;
use super::lockstep::is_event;

/// Checks every control-flow instruction. Memory instructions and events are skipped: they are compared as a whole with
/// their templates.
pub(super) fn check(program: &Program) -> Result<(), CodeFault> {
    for (at, cf) in program.cf.iter().enumerate() {
        let found = match cf {
            Cf::Alu(alu) => of_alu(alu, program),
            Cf::Fetch(fetch) => of_fetch(fetch, program),
            Cf::Flow(flow) if !is_event(flow.op) => of_flow(flow),
            Cf::Export(export) => of_export(export),
            Cf::Flow(_) | Cf::Memory(_) | Cf::Sync(_) | Cf::Raw(_) => None,
        };
        if let Some(what) = found {
            return Err(CodeFault::Mode(at, what));
        }
    }
    Ok(())
}

/// On R600 a clause that loads the address register may index constants by lane, and must be marked `USES_WATERFALL`.
/// No other clause may be.
fn of_alu(alu: &CfAlu, program: &Program) -> Option<&'static str> {
    let loads = program.generation == Generation::R600 && moves_to_address(alu, program);
    let modes = [
        ("constants that are the same in all lanes", loads && !alu.uses_waterfall),
        ("an indexed buffer", alu.kcache.iter().any(|window| window.index != CfIndex::None)),
        ("constants of another stage", alu.alt_const),
        ("constants that differ between lanes", alu.uses_waterfall && !loads),
        ("whole quads", alu.whole_quad_mode),
    ];
    first_of(&modes)
}

fn moves_to_address(alu: &CfAlu, program: &Program) -> bool {
    match program.clauses.get(alu.clause.0 as usize) {
        Some(Clause::Alu(groups)) => {
            let mut insts = groups.iter().flat_map(|group| &group.insts);
            insts.any(|inst| inst.op == AluOp::MovaInt)
        }
        _ => false,
    }
}

/// Helper lanes may skip only two kinds of fetches: accesses to the global data share, which they must not change, and
/// the fetch that tells them from covered lanes. All others they must run, for derivatives. That they do skip these two
/// is checked against the schedule.
fn of_fetch(fetch: &CfFetch, program: &Program) -> Option<&'static str> {
    let modes = CfModes { valid_pixel_mode: false, ..fetch.modes };
    let may_rest = fetch.op == CfOp::Gds || finds_helpers(fetch, program);
    let rests = fetch.modes.valid_pixel_mode && !may_rest;
    of_modes(modes).or_else(|| first_of(&[("no helper lanes", rests)]))
}

/// Whether a clause only writes zeros. Lanes that skip it keep their old values, which tells them apart.
fn finds_helpers(fetch: &CfFetch, program: &Program) -> bool {
    let writes_zeros = |inst: &FetchInst| match inst {
        FetchInst::Vtx(vtx) => {
            let is_zero = |select| matches!(select, ComponentSel::Zero | ComponentSel::Mask);
            vtx.op == FetchOp::GetBufferResinfo && vtx.dst_sel.into_iter().all(is_zero)
        }
        _ => false,
    };
    match program.clauses.get(fetch.clause.0 as usize) {
        Some(Clause::Fetch(insts)) => insts.iter().all(writes_zeros),
        _ => false,
    }
}

fn of_flow(flow: &CfFlow) -> Option<&'static str> {
    let counts = (flow.count, flow.jump_table) != (0, 0);
    of_modes(flow.modes).or_else(|| first_of(&[("a count", counts)]))
}

fn of_modes(modes: CfModes) -> Option<&'static str> {
    let modes = [
        ("a condition", modes.condition != CfCondition::Active || modes.cf_const != 0),
        ("a call count", modes.call_count != 0),
        ("no helper lanes", modes.valid_pixel_mode),
        ("whole quads", modes.whole_quad_mode),
    ];
    first_of(&modes)
}

fn of_export(export: &CfExport) -> Option<&'static str> {
    let modes = [
        ("an indexed register", export.relative),
        ("a loop over elements", export.elem_loop),
        ("no helper lanes", export.valid_pixel_mode),
        ("whole quads", export.whole_quad_mode),
        ("an acknowledgement", export.mark),
    ];
    first_of(&modes)
}

fn first_of(modes: &[(&'static str, bool)]) -> Option<&'static str> {
    modes.iter().find(|(_, is_on)| *is_on).map(|(what, _)| *what)
}
