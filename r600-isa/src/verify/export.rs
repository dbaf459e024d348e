//! Rules of exports.

use crate::{Cf, CfExport, CfOp, ExportKind, Generation};

use super::{FIRST_TEMPORARY, Place, Rule, Verifier};

/// The targets of colours, of colours with fog on the first chips, and of depth.
const COLORS: std::ops::RangeInclusive<u16> = 0..=7;
const FOG_COLORS: std::ops::RangeInclusive<u16> = 16..=23;
const DEPTH: u16 = 61;
/// The targets of positions.
const POSITIONS: std::ops::RangeInclusive<u16> = 60..=63;
/// The targets of parameters.
const PARAMETERS: std::ops::RangeInclusive<u16> = 0..=31;

/// Rules of one export.
pub(super) fn check(cx: &mut Verifier<'_>, export: &CfExport) {
    let last = u32::from(export.gpr) + u32::from(export.burst.max(1)) - 1;
    if last >= u32::from(FIRST_TEMPORARY) {
        cx.report(Rule::GprLimit, format!("R{last} is exported, a temporary of ALU clauses"));
    }
    let generation = cx.generation();
    if let Some(target) =
        targets(export).find(|target| !is_target(generation, export.kind, *target))
    {
        let kind = export.kind;
        cx.report(Rule::ExportTarget, format!("there is no {kind:?} target {target}"));
    }
}

/// The targets that an export writes.
pub(super) fn targets(export: &CfExport) -> impl Iterator<Item = u16> {
    export.array_base..export.array_base.saturating_add(u16::from(export.burst.max(1)))
}

fn is_target(generation: Generation, kind: ExportKind, target: u16) -> bool {
    match kind {
        ExportKind::Pixel => {
            let fog = generation <= Generation::R700 && FOG_COLORS.contains(&target);
            COLORS.contains(&target) || target == DEPTH || fog
        }
        ExportKind::Position => POSITIONS.contains(&target),
        ExportKind::Parameter => PARAMETERS.contains(&target),
        ExportKind::Reserved => false,
    }
}

/// Rules of all exports together.
pub(super) fn check_all(cx: &mut Verifier<'_>) {
    for kind in ExportKind::ALL {
        let exports = of_kind(cx, kind);
        done(cx, &exports);
        holes(cx, kind, &exports);
    }
    cx.place = Place::default();
}

fn of_kind<'p>(cx: &Verifier<'p>, kind: ExportKind) -> Vec<(usize, &'p CfExport)> {
    let exports = cx.program.cf.iter().enumerate().filter_map(|(at, cf)| match cf {
        Cf::Export(export) if export.kind == kind => Some((at, export)),
        _ => None,
    });
    exports.collect()
}

/// The hardware treats outputs as complete after the last export of each kind.
fn done(cx: &mut Verifier<'_>, exports: &[(usize, &CfExport)]) {
    let Some(((last, export), earlier)) = exports.split_last() else { return };
    if export.op == CfOp::Export {
        cx.place = Place { cf: Some(*last), ..Place::default() };
        cx.report(Rule::LastExport, "the last export of its kind is not an EXPORT_DONE");
    }
    if let Some((at, _)) = earlier.iter().find(|(_, export)| export.op != CfOp::Export) {
        cx.place = Place { cf: Some(*at), ..Place::default() };
        cx.report(Rule::ExportAfterDone, format!("the export at {last} follows"));
    }
}

/// Parameters, and colours on the first chips, are identified by count rather than by name.
fn holes(cx: &mut Verifier<'_>, kind: ExportKind, exports: &[(usize, &CfExport)]) {
    let counted = match kind {
        ExportKind::Parameter => PARAMETERS,
        ExportKind::Pixel if cx.generation() <= Generation::R700 => COLORS,
        _ => return,
    };
    let mut written: Vec<u16> = exports.iter().flat_map(|(_, export)| targets(export)).collect();
    written.retain(|target| counted.contains(target));
    written.sort_unstable();
    written.dedup();
    let hole = written.iter().zip(0..).find(|(target, n)| *target != n);
    if let (Some((_, missing)), Some((at, _))) = (hole, exports.last()) {
        cx.place = Place { cf: Some(*at), ..Place::default() };
        cx.report(Rule::ExportHoles, format!("{kind:?} target {missing} is left out"));
    }
}
