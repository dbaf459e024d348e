//! Boundary cases of the rules of fetch clauses: length, registers, order, fetches that set state.

use super::*;
use crate::LocalWriteInst;

const ALL: [ComponentSel; 4] = [ComponentSel::X, ComponentSel::Y, ComponentSel::Z, ComponentSel::W];

/// A texture fetch that reads R0 and writes nothing.
fn masked(op: FetchOp) -> FetchInst {
    FetchInst::Tex(TexInst { src_sel: ALL, ..TexInst::sample(op, 0, 0) })
}

fn clause(generation: Generation, fetches: &[FetchInst]) -> Program {
    fetch_program(generation, CfOp::Tex, fetches.to_vec())
}

#[test]
fn clauses_are_as_long_as_the_generation_allows() {
    let samples = |count: usize| vec![masked(FetchOp::Sample); count];
    for (generation, limit) in [(R600, 8), (R700, 16), (Evergreen, 16), (Cayman, 16)] {
        breaks(Rule::FetchClauseLength, &clause(generation, &[]));
        obeys(&clause(generation, &samples(1)));
        obeys(&clause(generation, &samples(limit)));
        breaks(Rule::FetchClauseLength, &clause(generation, &samples(limit + 1)));
    }
}

#[test]
fn clauses_lie_at_even_addresses() {
    let at = |addr| {
        let mut program = clause(R700, &[masked(FetchOp::Sample)]);
        program.layout = Some(Layout { clauses: vec![addr], ..Layout::default() });
        program
    };
    obeys(&at(2));
    obeys(&at(4));
    breaks(Rule::FetchAlignment, &at(1));
    breaks(Rule::FetchAlignment, &at(5));
    let mut unknown = at(1);
    unknown.layout = Some(Layout { clauses: vec![], ..Layout::default() });
    obeys(&unknown);
}

#[test]
fn registers_of_fetches_are_no_temporaries() {
    let fetch = |src_gpr, dst_gpr| {
        let tex = TexInst { src_gpr, dst_gpr, ..TexInst::sample(FetchOp::Sample, 0, 0) };
        TexInst { src_sel: ALL, dst_sel: ALL, ..tex }
    };
    let program = |tex| clause(R700, &[FetchInst::Tex(tex)]);
    obeys(&program(fetch(123, 123)));
    breaks(Rule::GprLimit, &program(fetch(124, 1)));
    breaks(Rule::GprLimit, &program(fetch(0, 124)));
    // Registers that are neither read nor written do not count.
    obeys(&program(TexInst { src_sel: [ComponentSel::Zero; 4], ..fetch(124, 1) }));
    obeys(&program(TexInst { dst_sel: [ComponentSel::Mask; 4], ..fetch(0, 124) }));
    let burst = |burst| {
        let mem = MemInst { dst_gpr: 122, dst_sel: ALL, burst, ..MemInst::new(FetchOp::ReadMem) };
        clause(R700, &[FetchInst::Mem(mem)])
    };
    obeys(&burst(2));
    breaks(Rule::GprLimit, &burst(3));
}

#[test]
fn clauses_hold_the_fetches_of_their_kind() {
    let vertex = [FetchInst::Vtx(VtxInst::buffer_fetch(0))];
    let texture = [masked(FetchOp::Sample)];
    for op in [CfOp::Vtx, CfOp::VtxTc, CfOp::VtxAck, CfOp::VtxTcAck] {
        obeys(&fetch_program(R700, op, vertex.to_vec()));
        breaks(Rule::TextureInVertexClause, &fetch_program(R700, op, texture.to_vec()));
    }
    for op in [CfOp::Tex, CfOp::TexAck] {
        obeys(&fetch_program(R700, op, vertex.to_vec()));
        obeys(&fetch_program(R700, op, texture.to_vec()));
    }
}

#[test]
fn each_channel_of_a_result_is_read_in_another_clause() {
    let only = |chan: usize| {
        let mut sel = [ComponentSel::Mask; 4];
        sel[chan] = ComponentSel::X;
        sel
    };
    let fetch = |src_gpr, src_sel, dst_gpr, dst_sel| {
        let tex = TexInst { src_gpr, dst_gpr, ..TexInst::sample(FetchOp::Sample, 0, 0) };
        FetchInst::Tex(TexInst { src_sel, dst_sel, ..tex })
    };
    let program = |src_gpr, src_sel| {
        let writes = [fetch(0, ALL, 1, only(1)), fetch(0, ALL, 1, only(2))];
        clause(R700, &[&writes[..], &[fetch(src_gpr, src_sel, 5, ALL)]].concat())
    };
    for (sel, is_written) in [
        (ComponentSel::X, false),
        (ComponentSel::Y, true),
        (ComponentSel::Z, true),
        (ComponentSel::W, false),
    ] {
        if is_written {
            breaks(Rule::FetchDependence, &program(1, [sel; 4]));
        } else {
            breaks(Rule::FetchRegister, &program(1, [sel; 4]));
        }
        obeys(&program(2, [sel; 4]));
    }
    // A fetch may overwrite its own operand, and that of an earlier fetch.
    obeys(&clause(R700, &[fetch(0, ALL, 0, ALL)]));
    obeys(&clause(R700, &[fetch(0, ALL, 5, ALL), fetch(1, ALL, 0, ALL)]));
}

#[test]
fn every_register_of_a_burst_is_written_and_read() {
    let read = |gpr| {
        let mem = MemInst { dst_gpr: 3, burst: 2, dst_sel: ALL, ..MemInst::new(FetchOp::ReadMem) };
        let tex = TexInst { src_gpr: gpr, ..TexInst::sample(FetchOp::Sample, 0, 0) };
        clause(R700, &[FetchInst::Mem(mem), FetchInst::Tex(TexInst { src_sel: ALL, ..tex })])
    };
    obeys(&read(2));
    breaks(Rule::FetchDependence, &read(3));
    breaks(Rule::FetchDependence, &read(4));
    obeys(&read(5));
    let store = |src_gpr| {
        let write = LocalWriteInst::new(FetchOp::DsLocalWrite);
        let write = LocalWriteInst { src_gpr, src_sel: ALL, burst: 2, ..write };
        clause(R700, &[tex(FetchOp::Sample, 0, 4), FetchInst::LocalWrite(write)])
    };
    obeys(&store(2));
    breaks(Rule::FetchDependence, &store(3));
    breaks(Rule::FetchDependence, &store(4));
    obeys(&store(5));
}

/// Samples that use gradients set in the clause.
const WITH_GRADIENTS: [FetchOp; 8] = [
    FetchOp::SampleG,
    FetchOp::SampleGL,
    FetchOp::SampleGLb,
    FetchOp::SampleGLz,
    FetchOp::SampleCG,
    FetchOp::SampleCGL,
    FetchOp::SampleCGLb,
    FetchOp::SampleCGLz,
];

#[test]
fn both_gradients_are_set_before_their_samples() {
    let (h, v) = (masked(FetchOp::SetGradientsH), masked(FetchOp::SetGradientsV));
    for op in WITH_GRADIENTS {
        let sample = masked(op);
        obeys(&clause(R700, &[h.clone(), v.clone(), sample.clone()]));
        obeys(&clause(R700, &[v.clone(), h.clone(), sample.clone()]));
        obeys(&clause(R700, &[masked(FetchOp::KeepGradients), sample.clone()]));
        breaks(Rule::Unprepared, &clause(R700, &[h.clone(), sample.clone()]));
        breaks(Rule::Unprepared, &clause(R700, &[v.clone(), sample.clone()]));
        breaks(Rule::Unprepared, &clause(R700, &[sample]));
    }
    obeys(&clause(R700, &[masked(FetchOp::SampleL), masked(FetchOp::SampleC)]));
}

#[test]
fn cayman_sets_gradients_in_more_ways() {
    let pairs = [
        (FetchOp::SetGradientsHCoarse, FetchOp::SetGradientsVCoarse),
        (FetchOp::SetGradientsHPackedFine, FetchOp::SetGradientsVPackedFine),
        (FetchOp::SetGradientsHPackedCoarse, FetchOp::SetGradientsVPackedCoarse),
    ];
    for (h, v) in pairs.map(|(h, v)| (masked(h), masked(v))) {
        let sample = masked(FetchOp::SampleG);
        obeys(&clause(Cayman, &[h.clone(), v.clone(), sample.clone()]));
        for only in [h, v] {
            breaks(Rule::Unprepared, &clause(Cayman, &[only.clone(), sample.clone()]));
            breaks(Rule::StrandedSetting, &clause(Cayman, &[only, masked(FetchOp::Sample)]));
        }
    }
}

#[test]
fn offsets_are_set_before_their_gathers() {
    let set = masked(FetchOp::SetTextureOffsets);
    for op in [FetchOp::Gather4O, FetchOp::Gather4CO] {
        obeys(&clause(Evergreen, &[set.clone(), masked(op)]));
        breaks(Rule::Unprepared, &clause(Evergreen, &[masked(op)]));
        let late = clause(Evergreen, &[masked(op), set.clone(), masked(op)]);
        breaks(Rule::Unprepared, &late);
    }
    obeys(&clause(Evergreen, &[masked(FetchOp::Gather4), masked(FetchOp::Gather4C)]));
}

#[test]
fn preparation_comes_right_before_its_use() {
    let (h, v) = (masked(FetchOp::SetGradientsH), masked(FetchOp::SetGradientsV));
    let sample = masked(FetchOp::SampleG);
    let between = [h.clone(), v.clone(), masked(FetchOp::Sample), sample.clone()];
    breaks(Rule::StrandedSetting, &clause(R700, &between));
    for only in [&h, &v] {
        breaks(Rule::StrandedSetting, &clause(R700, &[only.clone(), masked(FetchOp::Sample)]));
    }
    let offsets = masked(FetchOp::SetTextureOffsets);
    breaks(Rule::StrandedSetting, &clause(Evergreen, &[offsets.clone(), masked(FetchOp::Gather4)]));
    breaks(Rule::StrandedSetting, &clause(Evergreen, &[offsets]));
    let index = masked(FetchOp::SetCubemapIndex);
    obeys(&clause(R700, &[index.clone(), masked(FetchOp::Sample)]));
    obeys(&clause(R700, &[index.clone(), h, v, sample]));
    breaks(Rule::StrandedSetting, &clause(R700, &[masked(FetchOp::Sample), index]));
    // It is unknown what raw words use.
    let unknown = FetchInst::Raw([0x0D, 0, 0, 1]);
    breaks(Rule::Reserved, &clause(R700, &[masked(FetchOp::SetGradientsH), unknown]));
}
