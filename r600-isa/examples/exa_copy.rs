//! The two programs with which a 2D driver copies a rectangle on R600, built through the typed API:
//! `cargo run -p r600-isa --example exa_copy` prints their words and their listing.

#![allow(clippy::print_stdout, reason = "an example says what it made")]

use r600_isa::{
    Cf, CfExport, CfFetch, CfOp, Clause, ComponentSel, CoordType, EncodeError, ExportKind,
    FetchInst, FetchOp, Generation, Program, TexInst, VtxInst,
};

fn main() -> Result<(), EncodeError> {
    for (name, program) in [("vertex", copy_vertex()), ("pixel", copy_pixel())] {
        let words: Vec<String> =
            program.encode()?.iter().map(|word| format!("{word:08x}")).collect();
        println!("copy, {name} program: {}\n{program}", words.join(" "));
    }
    Ok(())
}

/// Fetches two positions of a vertex, and exports one as the place to draw at, one to read from.
pub(crate) fn copy_vertex() -> Program {
    let mut program = Program::new(Generation::R600);
    let fetches = vec![attribute(1, 0, 16, true), attribute(0, 8, 8, false)];
    let clause = program.add_clause(Clause::Fetch(fetches));
    program.cf.push(Cf::Fetch(CfFetch::new(CfOp::Vtx, clause)));
    program.cf.push(Cf::Export(export(ExportKind::Position, 60, 1)));
    program.cf.push(Cf::Export(CfExport {
        end_of_program: true,
        barrier: false,
        ..export(ExportKind::Parameter, 0, 0)
    }));
    program
}

/// Fetches one texel at the unnormalized coordinate that the vertex program exports.
pub(crate) fn copy_pixel() -> Program {
    let mut program = Program::new(Generation::R600);
    let tex = TexInst {
        coord_type: [CoordType::Unnormalized; 4],
        src_sel: [ComponentSel::X, ComponentSel::Y, ComponentSel::Zero, ComponentSel::One],
        dst_sel: [ComponentSel::X, ComponentSel::Y, ComponentSel::Z, ComponentSel::W],
        ..TexInst::sample(FetchOp::Sample, 0, 0)
    };
    let clause = program.add_clause(Clause::Fetch(vec![FetchInst::Tex(tex)]));
    program.cf.push(Cf::Fetch(CfFetch::new(CfOp::Tex, clause)));
    program
        .cf
        .push(Cf::Export(CfExport { end_of_program: true, ..export(ExportKind::Pixel, 0, 0) }));
    program
}

fn export(kind: ExportKind, array_base: u16, gpr: u8) -> CfExport {
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
        src_sel: ComponentSel::X,
        dst_gpr: gpr,
        dst_sel: [ComponentSel::X, ComponentSel::Y, ComponentSel::Zero, ComponentSel::One],
        ..VtxInst::buffer_fetch(0)
    })
}
