//! Reads of what was never written.

use super::*;
use crate::{Dialect, Predicate, SrcRole};

fn temp(index: i16) -> Src {
    src(File::Temporary, index)
}

fn unwritten(what: &str) -> [String; 1] {
    [format!("V210 `{what}` is read before anything is written to it")]
}

#[test]
fn each_channel_is_written_by_itself() {
    let of = |written, read| {
        full_of([
            mov(dst(File::Temporary, 1).masked(written), imm0()),
            mov(temp0().masked(read), temp(1)),
        ])
    };
    assert_eq!(of(WriteMask::XY, WriteMask::XY), [""; 0]);
    assert_eq!(of(WriteMask::XY, WriteMask::XYZ), unwritten("TEMP[1].z"));
    assert_eq!(of(WriteMask::X, WriteMask::ZW), unwritten("TEMP[1].zw"));
    // An instruction reads before it writes.
    assert_eq!(full_of([mov(dst(File::Temporary, 1), temp(1))]), unwritten("TEMP[1].xyzw"));
}

/// A comparison of doubles writes a channel of each pair, by the documents the double itself.
#[test]
fn channels_without_a_result_are_not_written() {
    let of = |opcode, written, read| {
        let sources = vec![Src { swizzle: Swizzle::XYZW, ..imm0() }; opcode_sources(opcode)];
        let one = op(opcode, &[dst(File::Temporary, 1).masked(written)], &sources);
        with([one, mov(temp0().masked(read), temp(1))])
    };
    let compare = |read| of(Opcode::Dslt, WriteMask::XY, read);
    assert_eq!(full(&compare(WriteMask::X)), [""; 0]);
    assert_eq!(full(&compare(WriteMask::XY)), unwritten("TEMP[1].y"));
    assert_eq!(full(&of(Opcode::D2f, WriteMask::XYZ, WriteMask::XYZ)), unwritten("TEMP[1].z"));
    let of_2012 = validate_in(&compare(WriteMask::XY), Profile::Full, Dialect::Y2012);
    assert!(of_2012.iter().all(|finding| finding.code != Code::ReadBeforeWrite), "{of_2012:?}");
}

/// Counts of the documents are in x, and exponents are doubles.
#[test]
fn sources_are_read_as_the_document_says() {
    let of = |opcode: Opcode, channels: WriteMask| {
        let first = mov(dst(File::Temporary, 1).masked(channels), imm0());
        let sources = [Src { swizzle: Swizzle::XYZW, ..imm0() }, temp(1)];
        let sources = &sources[2 - opcode_sources(opcode)..];
        let results = vec![temp0(); opcode.info().num_dst.into()];
        let shader = with([first, op(opcode, &results, sources)]);
        let findings = validate_in(&shader, Profile::Full, Dialect::Y2012);
        let reads = findings.into_iter().filter(|finding| finding.code == Code::ReadBeforeWrite);
        reads.map(|finding| format!("V210 {}", finding.message)).collect::<Vec<_>>()
    };
    assert_eq!(of(Opcode::Shl, WriteMask::X), [""; 0]);
    assert_eq!(of(Opcode::Shl, WriteMask::Y), unwritten("TEMP[1].x"));
    assert_eq!(of(Opcode::Dldexp, WriteMask::XYZW), [""; 0]);
    assert_eq!(of(Opcode::Dldexp, WriteMask::from_bits(0b0101)), unwritten("TEMP[1].yw"));
    assert_eq!(of(Opcode::Dfracexp, WriteMask::XY), unwritten("TEMP[1].zw"));
}

/// What its view is of tells how many coordinates a sample has.
#[test]
fn samples_have_the_coordinates_of_their_view() {
    let of = |opcode: Opcode, target, written| {
        let sources = opcode.info().src_roles.iter().map(|role| match role {
            SrcRole::View => src(File::SamplerView, 0),
            SrcRole::Sampler => src(File::Sampler, 0),
            SrcRole::Channels(_) => imm0(),
            _ => temp(1),
        });
        let sources: Vec<Src> = sources.collect();
        let first = mov(dst(File::Temporary, 1).masked(written), imm0());
        let mut shader = with([first, op(opcode, &[temp0()], &sources)]);
        let view = shader.declarations.iter_mut().find(|one| one.file == File::SamplerView);
        let view = view.expect("the good shader has a view");
        let return_types = [ReturnType::Float; 4];
        view.attributes =
            FileAttributes::SamplerView(SamplerViewAttributes { target, return_types });
        let findings = full(&shader).into_iter();
        findings.filter(|finding| finding.starts_with("V210")).collect::<Vec<_>>()
    };
    let (xy, xyz) = (WriteMask::XY, WriteMask::XYZ);
    assert_eq!(of(Opcode::Sample, TextureTarget::D2, xy), [""; 0]);
    assert_eq!(of(Opcode::Sample, TextureTarget::D3, xy), unwritten("TEMP[1].z"));
    assert_eq!(of(Opcode::Sample, TextureTarget::Shadow2d, xy), unwritten("TEMP[1].z"));
    assert_eq!(of(Opcode::SampleC, TextureTarget::Shadow2d, xy), [""; 0]);
    assert_eq!(of(Opcode::SampleI, TextureTarget::D2, xyz), unwritten("TEMP[1].w"));
    assert_eq!(of(Opcode::Gather4, TextureTarget::CubeArray, xyz), unwritten("TEMP[1].w"));
    assert_eq!(of(Opcode::SampleD, TextureTarget::D2Array, xyz), [""; 0]);
    assert_eq!(of(Opcode::SampleIMs, TextureTarget::D2Msaa, xy), [""; 0]);
}

fn opcode_sources(opcode: Opcode) -> usize {
    opcode.info().num_src.into()
}

/// The good shader with an index register and these instructions in front.
fn addressed(instructions: impl IntoIterator<Item = Instruction>) -> Vec<String> {
    let mut shader = with(instructions);
    shader.declarations.push(Declaration::new(File::Address, 0, 0));
    shader
        .declarations
        .push(Declaration { dimension: Some(1), ..Declaration::new(File::Constant, 0, 3) });
    full(&shader)
}

#[test]
fn index_registers_are_written_too() {
    let arl = |mask| op(Opcode::Arl, &[dst(File::Address, 0).masked(mask)], &[imm0()]);
    let constant = || Register::new_2d(File::Constant, 1, 0);
    let read = || mov(temp0(), Src::new(indirect(constant(), 0)));
    assert_eq!(addressed([arl(WriteMask::X), read()]), [""; 0]);
    assert_eq!(addressed([arl(WriteMask::Y), read()]), unwritten("ADDR[0].x"));
    let mut vertex = constant();
    vertex.dimension = Some(Dimension { index: 1, indirect: indirect(constant(), 0).indirect });
    let read = || mov(temp0(), Src::new(vertex));
    assert_eq!(addressed([arl(WriteMask::X), read()]), [""; 0]);
    assert_eq!(addressed([arl(WriteMask::Y), read()]), unwritten("ADDR[0].x"));
}

#[test]
fn index_registers_of_destinations_are_written_too() {
    let arl = || op(Opcode::Arl, &[dst(File::Address, 0)], &[imm0()]);
    let written = |to| {
        let mut shader = Shader::new(Processor::TessCtrl);
        shader.properties.push(Property {
            name: PropertyName::TcsVerticesOut,
            values: [3].into_iter().collect(),
        });
        shader.immediates.push(Immediate { kind: ImmediateType::Float32, words: [0; 4].into() });
        shader.declarations.push(with_semantic(File::Output, 0, Semantic::Position));
        shader.declarations.push(Declaration::new(File::Temporary, 0, 1));
        shader.declarations.push(Declaration::new(File::Address, 0, 0));
        let touch = [mov(temp0(), imm0()), mov(Dst::new(to), imm0())];
        shader.instructions.extend(touch.into_iter().chain([bare(Opcode::End)]));
        let late = full(&shader);
        shader.instructions.insert(0, arl());
        assert_eq!(full(&shader), [""; 0]);
        late
    };
    let to_temp = indirect(reg(File::Temporary, 0), 0);
    assert_eq!(written(to_temp), unwritten("ADDR[0].x"));
    let mut to_vertex = Register::new_2d(File::Output, 0, 0);
    to_vertex.dimension = Some(Dimension { index: 0, indirect: to_temp.indirect });
    assert_eq!(written(to_vertex), unwritten("ADDR[0].x"));
}

#[test]
fn a_write_with_a_subscript_may_be_of_any_register() {
    let arl = || op(Opcode::Arl, &[dst(File::Address, 0)], &[imm0()]);
    let write = || mov(Dst::new(indirect(reg(File::Temporary, 0), 0)), imm0());
    let read = || mov(temp0(), temp(1));
    let mut early = with([arl(), write(), read()]);
    early.declarations.push(Declaration::new(File::Address, 0, 0));
    assert_eq!(full(&early), [""; 0]);
    // An instruction reads before it writes.
    let mut at_once = with([arl(), mov(write().dst[0], temp(1))]);
    at_once.declarations.push(Declaration::new(File::Address, 0, 0));
    assert_eq!(full(&at_once), unwritten("TEMP[1].xyzw"));
    let mut late = with([arl(), read(), write()]);
    late.declarations.push(Declaration::new(File::Address, 0, 0));
    assert_eq!(full(&late), unwritten("TEMP[1].xyzw"));
}

#[test]
fn only_files_that_start_empty_are_asked() {
    let mut shader = with([mov(temp0(), src(File::Input, 0))]);
    shader.declarations.push(with_semantic(File::Input, 0, Semantic::Generic));
    assert_eq!(full(&shader), [""; 0]);
    assert_eq!(full_of([mov(temp0(), src(File::Output, 0))]), unwritten("OUT[0].xyzw"));
}

#[test]
fn an_outer_loop_leads_back_to_its_start_only() {
    let write = || mov(dst(File::Temporary, 1), imm0());
    let read = || mov(temp0(), temp(1));
    let (begin, end) = (|| bare(Opcode::Bgnloop), || bare(Opcode::Endloop));
    let inner = [begin(), begin(), read(), end(), write(), end()];
    assert_eq!(full_of(inner), [""; 0]);
    assert_eq!(full_of([begin(), read(), end(), write()]), unwritten("TEMP[1].xyzw"));
    assert_eq!(full_of([read(), begin(), write(), end()]), unwritten("TEMP[1].xyzw"));
}

#[test]
fn subroutines_may_run_at_any_time() {
    let sub = |body: Instruction| [bare(Opcode::Bgnsub), body, bare(Opcode::Endsub)];
    let write = || mov(dst(File::Temporary, 1), imm0());
    let read = || mov(temp0(), temp(1));
    // The subroutine writes before the read, or reads after the write.
    let mut shader = with([labelled(bare(Opcode::Cal), 5), read()]);
    shader.instructions.extend(sub(write()));
    assert_eq!(full(&shader), [""; 0]);
    let mut shader = with([write(), labelled(bare(Opcode::Cal), 5)]);
    shader.instructions.extend(sub(read()));
    assert_eq!(full(&shader), [""; 0]);
    let mut shader = with([labelled(bare(Opcode::Cal), 4)]);
    shader.instructions.extend(sub(read()));
    assert_eq!(full(&shader), unwritten("TEMP[1].xyzw"));
}

#[test]
fn texel_offsets_are_written_before_they_are_read() {
    use TextureTarget as T;
    let of = |target, written| {
        let mut one = textured(Opcode::Txl2, target);
        if let Some(texture) = &mut one.texture {
            let swizzle = Swizzle::new([Component::W, Component::Z, Component::Y, Component::W]);
            texture.offsets.push(TextureOffset { file: File::Temporary, index: 1, swizzle });
        }
        let mut shader = with([mov(dst(File::Temporary, 1).masked(written), imm0()), one]);
        shader.declarations.remove(3);
        let findings = validate(&shader, Profile::Full);
        let is_here = |one: &Diagnostic| one.place == Place::Offset(InstructionId(1), 0);
        assert!(findings.iter().all(is_here), "{findings:?}");
        findings.into_iter().map(|one| format!("{} {}", one.code, one.message)).collect::<Vec<_>>()
    };
    for target in [T::D1, T::Shadow1d, T::D1Array, T::Shadow1dArray] {
        assert_eq!(of(target, WriteMask::W), [""; 0], "{target:?}");
        assert_eq!(of(target, WriteMask::XYZ), unwritten("TEMP[1].w"), "{target:?}");
    }
    for target in [T::D2, T::D2Array, T::Rect, T::Shadow2d, T::Shadow2dArray, T::Shadowrect] {
        assert_eq!(of(target, WriteMask::ZW), [""; 0], "{target:?}");
        assert_eq!(of(target, WriteMask::W), unwritten("TEMP[1].z"), "{target:?}");
    }
    assert_eq!(of(T::D3, WriteMask::X), unwritten("TEMP[1].yzw"));
    assert_eq!(of(T::D3, WriteMask::from_bits(14)), [""; 0]);
}

/// The good shader with a predicate register and these instructions in front.
fn predicated(instructions: impl IntoIterator<Item = Instruction>) -> Vec<String> {
    let mut shader = with(instructions);
    shader.declarations.push(Declaration::new(File::Predicate, 0, 0));
    full(&shader)
}

fn on_predicate(mut one: Instruction) -> Instruction {
    one.predicate = Some(Predicate { index: 0, swizzle: Swizzle::XYZW, negate: false });
    one
}

#[test]
fn predicates_are_written_before_they_are_asked() {
    let write = |mask| mov(dst(File::Predicate, 0).masked(mask), imm0());
    let read = || on_predicate(mov(temp0().masked(WriteMask::XY), imm0()));
    assert_eq!(predicated([write(WriteMask::XY), read()]), [""; 0]);
    assert_eq!(predicated([write(WriteMask::X), read()]), unwritten("PRED[0].y"));
    // What has no result asks x.
    let kill = || on_predicate(bare(Opcode::Kill));
    assert_eq!(predicated([write(WriteMask::X), kill()]), [""; 0]);
    assert_eq!(predicated([kill(), write(WriteMask::X)]), unwritten("PRED[0].x"));
}

#[test]
fn what_a_predicate_may_jump_over_is_reached() {
    let write = || mov(dst(File::Predicate, 0), imm0());
    let (begin, end) = (bare(Opcode::Bgnloop), bare(Opcode::Endloop));
    let leave = on_predicate(bare(Opcode::Brk));
    assert_eq!(predicated([write(), begin, leave, write(), end]), [""; 0]);
    assert_eq!(predicated([write(), on_predicate(bare(Opcode::Ret))]), [""; 0]);
}

#[test]
fn the_parts_of_a_block_exclude_each_other() {
    let write = || mov(dst(File::Temporary, 1), imm0());
    let read = || mov(temp0(), temp(1));
    let [begin, middle, end] = [Opcode::If, Opcode::Else, Opcode::Endif];
    let of = |body: [Instruction; 5]| full_of(body);
    let missing = unwritten("TEMP[1].xyzw");
    assert_eq!(of([bare(begin), write(), bare(middle), read(), bare(end)]), missing);
    assert_eq!(of([bare(begin), write(), bare(middle), bare(end), read()]), [""; 0]);
    assert_eq!(of([bare(begin), bare(middle), write(), bare(end), read()]), [""; 0]);
    // In a loop the other part may have run before.
    let mut looped = vec![bare(Opcode::Bgnloop)];
    looped.extend([bare(begin), write(), bare(middle), read(), bare(end), bare(Opcode::Endloop)]);
    assert_eq!(full_of(looped), [""; 0]);
}

#[test]
fn a_case_sees_only_those_that_run_on_into_it() {
    let write = || mov(dst(File::Temporary, 1), imm0());
    let read = || mov(temp0(), temp(1));
    let of = |first: Vec<Instruction>, second: Vec<Instruction>| {
        let mut body = vec![bare(Opcode::Switch), bare(Opcode::Case)];
        body.extend(first);
        body.push(bare(Opcode::Default));
        body.extend(second);
        body.push(bare(Opcode::Endswitch));
        full_of(body)
    };
    let missing = unwritten("TEMP[1].xyzw");
    assert_eq!(of(vec![write(), bare(Opcode::Brk)], vec![read()]), missing);
    assert_eq!(of(vec![write()], vec![read()]), [""; 0]);
    assert_eq!(of(vec![read()], vec![write()]), missing);
}

#[test]
fn what_is_under_the_fragment_was_there_before() {
    let mut shader = with([op(Opcode::Fbfetch, &[temp0()], &[src(File::Output, 0)])]);
    shader.processor = Processor::Fragment;
    let findings = full(&shader);
    assert!(findings.iter().all(|finding| !finding.starts_with("V210")), "{findings:?}");
}
