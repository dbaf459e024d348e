//! Rules that depend on the stage, the chip or the program's state.

use crate::{
    AluFlags, AluInst, Cf, CfFetch, CfKind, CfMemory, CfOp, Chip, Clause, ExportKind, Generation,
    Hazard, Omod,
};

use super::export::targets;
use super::{Place, Rule, Stage, Verifier, hazard};

/// The target of a vertex's position.
const FIRST_POSITION: u16 = 60;

pub(super) fn check(cx: &mut Verifier<'_>) {
    if let Some(stage) = cx.setting.stage {
        outputs(cx, stage);
        of_stage(cx, stage);
    }
    registers(cx);
    if let Some(chip) = cx.setting.chip {
        stack_size(cx, chip);
        hazard::check(cx, chip);
        alu_clause(cx, chip);
    }
}

/// Checks the exports that the next stage waits for.
fn outputs(cx: &mut Verifier<'_>, stage: Stage) {
    let exports = cx.program.cf.iter().filter_map(|cf| match cf {
        Cf::Export(export) => Some(export),
        _ => None,
    });
    let has = |kind, target: Option<u16>| {
        exports.clone().any(|export| {
            export.kind == kind && target.is_none_or(|want| targets(export).any(|own| own == want))
        })
    };
    let missing = match stage {
        Stage::Vertex if !has(ExportKind::Position, Some(FIRST_POSITION)) => "POS0",
        Stage::Vertex if !has(ExportKind::Parameter, None) => "a parameter",
        Stage::Pixel if !has(ExportKind::Pixel, None) => "a pixel",
        _ => return,
    };
    let message = format!("the program exports nothing to {missing}: export a masked one");
    cx.report(Rule::StageExports, message);
}

/// Reports vertex shaders that compute nothing, which may make some chips fail.
fn alu_clause(cx: &mut Verifier<'_>, chip: Chip) {
    let is_vertex = matches!(cx.setting.stage, Some(Stage::Vertex | Stage::VertexToMemory));
    let has_clause = cx.program.cf.iter().any(|cf| matches!(cf, Cf::Alu(_)));
    if is_vertex && !has_clause && chip.has(Hazard::VertexWithoutAlu) {
        cx.report(Rule::NoAluClause, "the program has no ALU clause: add one of a NOP");
    }
}

fn of_stage(cx: &mut Verifier<'_>, stage: Stage) {
    let program = cx.program;
    let mut judged = vec![false; program.clauses.len()];
    for (at, cf) in program.cf.iter().enumerate() {
        cx.place = Place { cf: Some(at), ..Place::default() };
        flow_of_stage(cx, stage, cf);
        let judged = cf.clause().and_then(|id| judged.get_mut(id.0 as usize));
        let is_new = judged.is_some_and(|judged| !std::mem::replace(judged, true));
        let Some(Clause::Alu(groups)) = cx.clause_of(cf).filter(|_| is_new) else { continue };
        for (body, group) in groups.iter().enumerate() {
            cx.place.body = Some(body);
            for inst in &group.insts {
                inst_of_stage(cx, stage, inst);
            }
        }
    }
    cx.place = Place::default();
}

fn flow_of_stage(cx: &mut Verifier<'_>, stage: Stage, cf: &Cf) {
    match cf {
        Cf::Flow(flow) if flow.op == CfOp::Kill && stage != Stage::Pixel => {
            cx.report(Rule::KillStage, "kills lanes outside of a pixel shader");
        }
        Cf::Flow(flow) if flow.op.info().kind == CfKind::Geom && stage != Stage::Geometry => {
            let name = flow.op.name();
            cx.report(Rule::GeometryOutput, format!("{name} stands outside of a geometry shader"));
        }
        Cf::Memory(memory) if stage == Stage::Pixel && writes_for_helpers(memory) => {
            cx.report(Rule::ValidPixel, "helper lanes write to memory");
        }
        Cf::Fetch(fetch) if stage == Stage::Pixel && shares_with_helpers(fetch) => {
            cx.report(Rule::ValidPixel, "helper lanes change the global data share");
        }
        _ => {}
    }
}

fn writes_for_helpers(memory: &CfMemory) -> bool {
    memory.op.info().kind == CfKind::Rat && !memory.valid_pixel_mode
}

fn shares_with_helpers(fetch: &CfFetch) -> bool {
    fetch.op == CfOp::Gds && !fetch.modes.valid_pixel_mode
}

fn inst_of_stage(cx: &mut Verifier<'_>, stage: Stage, inst: &AluInst) {
    if stage == Stage::Pixel {
        return;
    }
    let name = inst.op.name();
    let by_mask = cx.generation() == Generation::Cayman
        && inst.update_exec_mask
        && inst.dst.omod == Omod::Half;
    if inst.op.is_kill() || by_mask {
        cx.report(Rule::KillStage, format!("{name} kills lanes outside of a pixel shader"));
    }
    if inst.op.has(AluFlags::INTERPOLATION) {
        cx.report(
            Rule::InterpolationStage,
            format!("{name} interpolates outside of a pixel shader"),
        );
    }
}

fn registers(cx: &mut Verifier<'_>) {
    let Some(allocated) = cx.setting.num_gprs else { return };
    let used = cx.program.stats().gprs;
    if used > usize::from(allocated) {
        let message = format!("{used} registers are used, {allocated} allocated");
        cx.report(Rule::AllocatedRegisters, message);
    }
}

fn stack_size(cx: &mut Verifier<'_>, chip: Chip) {
    let Some(allocated) = cx.setting.stack_size else { return };
    let needed = cx.program.least_stack_size(chip);
    if needed > allocated {
        let message = format!("the branch stack needs {needed} units, {allocated} are allocated");
        cx.report(Rule::StackSize, message);
    }
}
