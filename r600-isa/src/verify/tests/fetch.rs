//! Rules of a clause of fetches.

use super::*;

#[test]
fn v301_fetch_alignment() {
    let mut program = fetch_program(R700, CfOp::Tex, vec![tex(FetchOp::Sample, 0, 1)]);
    program.layout = Some(Layout { clauses: vec![3], ..Layout::default() });
    breaks(Rule::FetchAlignment, &program);
}

#[test]
fn v302_fetch_clause_length() {
    let nine: Vec<FetchInst> = (1..10).map(|dst| tex(FetchOp::Sample, 0, dst)).collect();
    breaks(Rule::FetchClauseLength, &fetch_program(R600, CfOp::Tex, nine.clone()));
    assert_eq!(fetch_program(R700, CfOp::Tex, nine).verify(), []);
}

#[test]
fn v303_unsupported_fetch() {
    let gather = vec![tex(FetchOp::Gather4, 0, 1)];
    breaks(Rule::UnsupportedFetch, &fetch_program(R700, CfOp::Tex, gather));
}

#[test]
fn v304_fetch_dependence() {
    let chain = vec![tex(FetchOp::Sample, 0, 1), tex(FetchOp::Sample, 1, 2)];
    breaks(Rule::FetchDependence, &fetch_program(R700, CfOp::Tex, chain));
}

#[test]
fn v305_unprepared() {
    let sample = vec![tex(FetchOp::SampleG, 0, 1)];
    breaks(Rule::Unprepared, &fetch_program(R700, CfOp::Tex, sample));
    let gather = vec![tex(FetchOp::Gather4O, 0, 1)];
    breaks(Rule::Unprepared, &fetch_program(Evergreen, CfOp::Tex, gather));
}

#[test]
fn v306_texture_in_vertex_clause() {
    let fetches = vec![tex(FetchOp::Sample, 0, 1)];
    breaks(Rule::TextureInVertexClause, &fetch_program(R700, CfOp::Vtx, fetches));
}

#[test]
fn v307_share_clause() {
    let share = || FetchInst::Gds(GdsInst::new(FetchOp::GdsAddRet));
    breaks(Rule::ShareClause, &fetch_program(Evergreen, CfOp::Tex, vec![share()]));
    let sample = vec![tex(FetchOp::Sample, 0, 1)];
    breaks(Rule::ShareClause, &fetch_program(Evergreen, CfOp::Gds, sample));
    assert_eq!(fetch_program(Evergreen, CfOp::Gds, vec![share()]).verify(), []);
}

#[test]
fn v308_stranded_setting() {
    let masked = |op| match tex(op, 0, 0) {
        FetchInst::Tex(tex) => FetchInst::Tex(TexInst { dst_sel: [ComponentSel::Mask; 4], ..tex }),
        other => other,
    };
    let set = [masked(FetchOp::SetGradientsH), masked(FetchOp::SetGradientsV)];
    let used = [&set[..], &[tex(FetchOp::SampleG, 0, 1)]].concat();
    assert_eq!(fetch_program(R700, CfOp::Tex, used).verify(), []);
    breaks(Rule::StrandedSetting, &fetch_program(R700, CfOp::Tex, set.to_vec()));
    let unused = [&set[..], &[tex(FetchOp::Sample, 0, 1)]].concat();
    breaks(Rule::StrandedSetting, &fetch_program(R700, CfOp::Tex, unused));
}

/// Vertex fetches obey the same rule as texture fetches.
#[test]
fn a_vertex_fetch_that_reads_a_result_is_found() {
    let vtx = |src_gpr, dst_gpr| {
        FetchInst::Vtx(VtxInst {
            src_gpr,
            dst_gpr,
            src_sel: ComponentSel::X,
            dst_sel: [ComponentSel::X; 4],
            ..VtxInst::buffer_fetch(0)
        })
    };
    let program = fetch_program(R700, CfOp::Vtx, vec![vtx(0, 1), vtx(1, 2)]);
    breaks(Rule::FetchDependence, &program);
}

#[test]
fn v310_gather_layer() {
    let gather = |op, z| match tex(op, 0, 1) {
        FetchInst::Tex(tex) => FetchInst::Tex(TexInst { offset: [2, -2, z], ..tex }),
        other => other,
    };
    let clause = |generation, op, z| fetch_program(generation, CfOp::Tex, vec![gather(op, z)]);
    breaks(Rule::GatherLayer, &clause(Evergreen, FetchOp::Gather4, 2));
    breaks(Rule::GatherLayer, &clause(Evergreen, FetchOp::Gather4C, -1));
    obeys(&clause(Evergreen, FetchOp::Gather4, 0));
    obeys(&clause(Cayman, FetchOp::Gather4, 2));
    obeys(&clause(Evergreen, FetchOp::Sample, 2));
}

#[test]
fn v309_fetch_register() {
    let part = |gpr: u8, first: usize| {
        let FetchInst::Tex(mut first_half) = tex(FetchOp::Sample, 0, gpr) else {
            unreachable!("it is a texture fetch")
        };
        for (n, select) in first_half.dst_sel.iter_mut().enumerate() {
            if n / 2 != first {
                *select = ComponentSel::Mask;
            }
        }
        FetchInst::Tex(first_half)
    };
    let FetchInst::Tex(mut reader) = tex(FetchOp::Sample, 1, 2) else {
        unreachable!("it is a texture fetch")
    };
    reader.src_sel = [ComponentSel::X, ComponentSel::Y, ComponentSel::X, ComponentSel::Y];
    let clause =
        |writer| fetch_program(R700, CfOp::Tex, vec![writer, FetchInst::Tex(reader.clone())]);
    breaks(Rule::FetchRegister, &clause(part(1, 1)));
    breaks(Rule::FetchDependence, &clause(part(1, 0)));
    obeys(&clause(part(3, 1)));
}

/// Whether a fetch that adds the loop index uses a register which another one names depends on the index. Two that add
/// it use the same register if they name the same.
#[test]
fn registers_of_fetches_may_depend_on_the_loop_index() {
    let program = |written: &str, read: &str| {
        listing(&format!(
            "LOOP_START L1 CF_CONST(0)\nL0:\nTEX:\nSAMPLE {written}, R0.xyzw, t0, s0\n\
             SAMPLE R9.xyzw, {read}, t0, s0\nLOOP_END L0\nL1:\nEXP_DONE: PIX0, R9.xyzw\n\
             END_OF_PROGRAM\n"
        ))
    };
    for (written, read) in [
        ("R[AL+1].xyzw", "R2.xyzw"),
        ("R[AL+1].xyzw", "R1.xyzw"),
        ("R1.xyzw", "R[AL+0].xyzw"),
        ("R1.xyzw", "R[AL+1].xyzw"),
    ] {
        breaks(Rule::FetchRegister, &program(written, read));
    }
    breaks(Rule::FetchDependence, &program("R[AL+1].xyzw", "R[AL+1].xyzw"));
    breaks(Rule::FetchDependence, &program("R2.xyzw", "R2.xyzw"));
    // The index only moves a register up, and other channels are another matter.
    obeys(&program("R[AL+2].xyzw", "R1.xyzw"));
    obeys(&program("R1.xyzw", "R[AL+2].xyzw"));
    obeys(&program("R[AL+1].xyzw", "R[AL+2].xyzw"));
}
