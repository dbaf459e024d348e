//! The two programs of a 2D driver's copy operation, built by hand and compared word for word with the
//! words that driver is known to load.

use r600_isa::{
    Cf, CfExport, CfFetch, CfOp, Clause, CoordType, ExportSel, FetchInst, FetchOp, FetchSel,
    Generation, Program, TexInst, VtxInst,
};

fn export(kind: u8, array_base: u16, gpr: u8) -> CfExport {
    CfExport { elem_size: 0, ..CfExport::new(CfOp::ExportDone, kind, array_base, gpr) }
}

/// Reads two floats of a vertex at byte `offset` to `gpr`; `bytes` is the size of the read that it starts
/// or takes part in.
fn attribute(gpr: u8, offset: u16, bytes: u8, mega_fetch: bool) -> FetchInst {
    FetchInst::Vtx(VtxInst {
        op: FetchOp::Vfetch,
        buffer_id: 0,
        use_const_fields: false,
        fetch_type: 0,
        mega_fetch_count: bytes - 1,
        mega_fetch,
        offset,
        data_format: 0x1E,
        num_format: 2,
        signed: true,
        no_zero: false,
        src_gpr: 0,
        src_sel: FetchSel::X,
        dst_gpr: gpr,
        dst_sel: [FetchSel::X, FetchSel::Y, FetchSel::Zero, FetchSel::One],
        ..VtxInst::buffer_fetch(0)
    })
}

#[test]
fn the_copy_vertex_program() {
    let mut program = Program::new(Generation::R600);
    let fetches = vec![attribute(1, 0, 16, true), attribute(0, 8, 8, false)];
    let clause = program.add_clause(Clause::Fetch(fetches));
    program.cf.push(Cf::Fetch(CfFetch::new(CfOp::Vtx, clause)));
    program.cf.push(Cf::Export(export(1, 60, 1)));
    program.cf.push(Cf::Export(CfExport {
        end_of_program: true,
        barrier: false,
        ..export(2, 0, 0)
    }));
    assert_eq!(program.encode().unwrap(), COPY_VERTEX);
}

#[test]
fn the_copy_pixel_program() {
    let mut program = Program::new(Generation::R600);
    let tex = TexInst {
        coord_type: [CoordType::Unnormalized; 4],
        src_sel: [FetchSel::X, FetchSel::Y, FetchSel::Zero, FetchSel::One],
        dst_sel: [FetchSel::X, FetchSel::Y, FetchSel::Z, FetchSel::W],
        ..TexInst::sample(FetchOp::Sample, 0, 0)
    };
    let clause = program.add_clause(Clause::Fetch(vec![FetchInst::Tex(tex)]));
    program.cf.push(Cf::Fetch(CfFetch::new(CfOp::Tex, clause)));
    program.cf.push(Cf::Export(CfExport { end_of_program: true, ..export(0, 0, 0) }));
    assert_eq!(program.encode().unwrap(), COPY_PIXEL);
}

/// Control flow, a padding pair, and a clause of two fetches.
const COPY_VERTEX: [u32; 16] = [
    0x0000_0004,
    0x8100_0400,
    0x0000_A03C,
    0x9400_0688,
    0x0000_4000,
    0x1420_0688,
    0,
    0,
    0x3C00_0000,
    0x6796_1001,
    0x0008_0000,
    0,
    0x1C00_0000,
    0x6796_1000,
    0x0000_0008,
    0,
];

/// Control flow and a clause of one fetch.
const COPY_PIXEL: [u32; 8] =
    [0x0000_0002, 0x8080_0000, 0, 0x9420_0688, 0x0000_0010, 0x000D_1000, 0xB080_0000, 0];

#[test]
fn both_programs_decode_to_what_they_were_built_from() {
    for words in [&COPY_VERTEX[..], &COPY_PIXEL[..]] {
        let program = Program::decode(words, Generation::R600);
        assert_eq!(program.encode().unwrap(), words);
        assert!(!program.to_string().contains(".word"), "{program}");
    }
}
