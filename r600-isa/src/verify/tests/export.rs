//! Boundary cases of the rules of exports.

use super::*;

fn export_of(op: CfOp, kind: ExportKind, target: u16, burst: u8) -> Cf {
    Cf::Export(CfExport { burst, ..CfExport::new(op, kind, target, 0) })
}

fn done(kind: ExportKind, target: u16) -> Cf {
    export_of(CfOp::ExportDone, kind, target, 1)
}

#[test]
fn registers_of_a_burst_are_not_clause_temporaries() {
    let burst = |gpr, burst| {
        let export = CfExport::new(CfOp::ExportDone, ExportKind::Parameter, 0, gpr);
        flow_program(R700, &[Cf::Export(CfExport { burst, ..export })])
    };
    obeys(&burst(123, 1));
    obeys(&burst(123, 0));
    obeys(&burst(122, 2));
    breaks(Rule::GprLimit, &burst(122, 3));
    breaks(Rule::GprLimit, &burst(124, 0));
}

#[test]
fn targets_are_those_of_the_kind() {
    let (pixel, position, parameter) =
        (ExportKind::Pixel, ExportKind::Position, ExportKind::Parameter);
    let good = [(pixel, 0), (pixel, 7), (pixel, 61), (position, 60), (position, 63)];
    for (kind, target) in good {
        obeys(&flow_program(Evergreen, &[done(kind, target)]));
    }
    let bad = [
        (pixel, 8),
        (pixel, 15),
        (pixel, 16),
        (pixel, 24),
        (pixel, 60),
        (pixel, 62),
        (position, 59),
        (position, 64),
        (parameter, 32),
    ];
    for (kind, target) in bad {
        breaks(Rule::ExportTarget, &flow_program(Evergreen, &[done(kind, target)]));
    }
}

#[test]
fn the_first_chips_have_targets_of_colours_with_fog() {
    for generation in [R600, R700] {
        for target in [16, 23] {
            obeys(&flow_program(generation, &[done(ExportKind::Pixel, target)]));
        }
        for target in [15, 24] {
            breaks(
                Rule::ExportTarget,
                &flow_program(generation, &[done(ExportKind::Pixel, target)]),
            );
        }
    }
}

#[test]
fn every_target_of_a_burst_exists() {
    let burst = |target, burst| {
        flow_program(Evergreen, &[export_of(CfOp::ExportDone, ExportKind::Position, target, burst)])
    };
    obeys(&burst(60, 4));
    breaks(Rule::ExportTarget, &burst(60, 5));
    breaks(Rule::ExportTarget, &burst(61, 4));
    breaks(Rule::ExportTarget, &burst(59, 0));
}

#[test]
fn each_kind_is_done_by_itself() {
    let more = |kind, target| export_of(CfOp::Export, kind, target, 1);
    let (position, parameter) = (ExportKind::Position, ExportKind::Parameter);
    let good = [more(parameter, 0), more(position, 60), done(parameter, 1), done(position, 61)];
    obeys(&flow_program(R700, &good));
    let neither = [more(parameter, 0), more(position, 60)];
    finds(&[Rule::LastExport, Rule::LastExport], &flow_program(R700, &neither));
    let early = [done(parameter, 0), more(parameter, 1), done(parameter, 2)];
    breaks(Rule::ExportAfterDone, &flow_program(R700, &early));
    let both = [done(parameter, 0), more(parameter, 1)];
    finds(&[Rule::LastExport, Rule::ExportAfterDone], &flow_program(R700, &both));
}

#[test]
fn parameters_are_counted_on_every_generation() {
    let list = |targets: &[u16]| {
        let (last, others) = targets.split_last().expect("a target");
        let mut list: Vec<Cf> = others
            .iter()
            .map(|target| export_of(CfOp::Export, ExportKind::Parameter, *target, 1))
            .collect();
        list.push(done(ExportKind::Parameter, *last));
        list
    };
    for generation in [R600, R700, Evergreen, Cayman] {
        // The order is free, and a target may repeat.
        for good in [&[0][..], &[0, 1, 2], &[2, 0, 1], &[0, 1, 0, 2], &[1, 1, 0]] {
            obeys(&flow_program(generation, &list(good)));
        }
        for bad in [&[1][..], &[0, 2], &[2, 0], &[0, 1, 3]] {
            breaks(Rule::ExportHoles, &flow_program(generation, &list(bad)));
        }
    }
    let all = export_of(CfOp::ExportDone, ExportKind::Parameter, 0, 32);
    obeys(&flow_program(R700, &[all]));
}

#[test]
fn colours_are_counted_on_the_first_chips() {
    for generation in [R600, R700] {
        breaks(Rule::ExportHoles, &flow_program(generation, &[done(ExportKind::Pixel, 1)]));
        // Depth is no colour.
        obeys(&flow_program(generation, &[done(ExportKind::Pixel, 61)]));
        let both = [export_of(CfOp::Export, ExportKind::Pixel, 0, 8), done(ExportKind::Pixel, 61)];
        obeys(&flow_program(generation, &both));
    }
    for generation in [Evergreen, Cayman] {
        obeys(&flow_program(generation, &[done(ExportKind::Pixel, 1)]));
    }
    obeys(&flow_program(R700, &[done(ExportKind::Position, 61)]));
}
