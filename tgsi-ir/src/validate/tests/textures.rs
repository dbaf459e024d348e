//! Targets, sampler views and texel offsets.

use super::*;
use crate::SrcRole;

use TextureTarget as T;

fn view(first: u16, last: u16, target: TextureTarget) -> Declaration {
    let mut view = Declaration::new(File::SamplerView, first, last);
    view.attributes = FileAttributes::SamplerView(SamplerViewAttributes {
        target,
        return_types: [ReturnType::Float; 4],
    });
    view
}

#[test]
fn a_view_covers_its_range_and_no_more() {
    let of = |unit: i16, target| {
        let mut one = textured(Opcode::Tex, target);
        one.src[1] = src(File::Sampler, unit);
        let mut shader = with([one]);
        shader.declarations.push(Declaration::new(File::Sampler, 1, 9));
        shader.declarations.push(view(3, 5, T::D3));
        full(&shader)
    };
    let mismatch =
        |unit| [format!("V402 `TEX` reads `SAMP[{unit}]` as 2D, but `SVIEW[{unit}]` is 3D")];
    for unit in [3, 4, 5] {
        assert_eq!(of(unit, T::D3), [""; 0]);
        assert_eq!(of(unit, T::D2), mismatch(unit));
    }
    for unit in [2, 6] {
        assert_eq!(of(unit, T::D2), [""; 0]);
    }
    assert_eq!(of(9, T::D1), [""; 0]);
}

#[test]
fn a_sampler_that_only_the_running_shader_knows_has_no_view() {
    let mut one = textured(Opcode::Tex, T::D3);
    one.src[1].reg = indirect(reg(File::Sampler, 0), 0);
    let mut shader = with([op(Opcode::Arl, &[dst(File::Address, 0)], &[imm0()]), one]);
    shader.declarations.push(Declaration::new(File::Address, 0, 0));
    assert_eq!(full(&shader), [""; 0]);
    let mut handle = textured(Opcode::Tex, T::D3);
    handle.src[1] = imm0();
    assert_eq!(full_of([handle]), [""; 0]);
}

#[test]
fn targets_are_there_and_known() {
    let of = |target: Option<TextureTarget>| {
        let mut one = textured(Opcode::Tex, T::D2);
        match (target, one.texture.as_mut()) {
            (Some(target), Some(texture)) => texture.target = target,
            _ => one.texture = None,
        }
        let mut shader = with([one]);
        shader.declarations.remove(3);
        full(&shader)
    };
    assert_eq!(of(Some(T::D2)), [""; 0]);
    assert_eq!(of(None), ["V401 `TEX` has no texture target"]);
    assert_eq!(of(Some(T::Unknown)), ["V401 `TEX` reads a texture of unknown kind"]);
    assert_eq!(of(Some(T::Other(77))), ["V401 there is no texture target 77"]);
}

/// Whether `opcode` cannot read this kind of texture.
fn is_unsuitable(opcode: Opcode, target: TextureTarget) -> bool {
    let mut shader = with([textured(opcode, target)]);
    shader.declarations.remove(3);
    full(&shader).iter().any(|finding| finding.starts_with("V403"))
}

#[test]
fn opcodes_read_the_kinds_of_textures_that_suit_them() {
    const TARGETS: [TextureTarget; 18] = [
        T::Buffer,
        T::D1,
        T::D2,
        T::D3,
        T::Cube,
        T::Rect,
        T::Shadow1d,
        T::Shadow2d,
        T::Shadowrect,
        T::D1Array,
        T::D2Array,
        T::Shadow1dArray,
        T::Shadow2dArray,
        T::Shadowcube,
        T::D2Msaa,
        T::D2ArrayMsaa,
        T::CubeArray,
        T::ShadowcubeArray,
    ];
    let refused = |opcode| -> Vec<TextureTarget> {
        TARGETS.into_iter().filter(|&target| is_unsuitable(opcode, target)).collect()
    };
    let unfiltered = [T::Buffer, T::D2Msaa, T::D2ArrayMsaa];
    for opcode in [Opcode::Tex2, Opcode::Lodq] {
        assert_eq!(refused(opcode), unfiltered, "{opcode}");
    }
    // The second source of the others is a level, a bias or a derivative.
    let five = [T::Buffer, T::D2Msaa, T::D2ArrayMsaa, T::ShadowcubeArray];
    for opcode in [Opcode::Tex, Opcode::TexLz, Opcode::Txb2, Opcode::Txl2, Opcode::Txd] {
        assert_eq!(refused(opcode), five, "{opcode}");
    }
    // Their own operand is in w, which these kinds need.
    let with_w = [T::Shadow2dArray, T::Shadowcube, T::CubeArray, T::ShadowcubeArray];
    let four: Vec<_> = TARGETS
        .into_iter()
        .filter(|one| with_w.contains(one) || unfiltered.contains(one))
        .collect();
    for opcode in [Opcode::Txb, Opcode::Txl, Opcode::Txp] {
        assert_eq!(refused(opcode), four, "{opcode}");
    }
    assert_eq!(
        refused(Opcode::Tg4),
        [T::Buffer, T::D1, T::D3, T::D1Array, T::D2Msaa, T::D2ArrayMsaa]
    );
    let cubes = [T::Cube, T::Shadowcube, T::CubeArray, T::ShadowcubeArray];
    for opcode in [Opcode::Txf, Opcode::TxfLz] {
        assert_eq!(refused(opcode), cubes, "{opcode}");
    }
    // Views say what they are of.
    let through_view = |opcode: Opcode| {
        let sources = opcode.info().src_roles.iter().map(|role| match role {
            SrcRole::View => src(File::SamplerView, 0),
            SrcRole::Sampler => src(File::Sampler, 0),
            _ => imm0(),
        });
        let sources: Vec<_> = sources.collect();
        let mut shader = with([op(opcode, &[temp0()], &sources)]);
        let return_types = [ReturnType::Float; 4];
        let target = T::ShadowcubeArray;
        shader.declarations[3].attributes =
            FileAttributes::SamplerView(SamplerViewAttributes { target, return_types });
        full(&shader).iter().filter(|finding| finding.starts_with("V403")).count()
    };
    let views = [Opcode::Sample, Opcode::SampleB, Opcode::SampleL, Opcode::Gather4];
    assert_eq!(views.map(through_view), [1; 4]);
    assert_eq!([Opcode::SampleC, Opcode::SampleCLz].map(through_view), [0; 2]);
    let msaa = [T::D2Msaa, T::D2ArrayMsaa];
    let single: Vec<_> = TARGETS.into_iter().filter(|target| !msaa.contains(target)).collect();
    assert_eq!(refused(Opcode::Txqs), single);
    assert_eq!(refused(Opcode::Txq), []);
}

/// The findings about an instruction with so many texel offsets.
fn with_offsets(opcode: Opcode, target: TextureTarget, count: usize) -> Vec<String> {
    let mut one = textured(opcode, target);
    if let Some(texture) = &mut one.texture {
        let offset = TextureOffset { file: File::Immediate, index: 0, swizzle: Swizzle::XYZW };
        texture.offsets.extend(vec![offset; count]);
    }
    let mut shader = with([one]);
    shader.declarations.remove(3);
    full(&shader)
}

#[test]
fn gathers_alone_have_more_than_one_offset() {
    assert_eq!(with_offsets(Opcode::Tex, T::D2, 1), [""; 0]);
    assert_eq!(with_offsets(Opcode::Tex, T::D2, 2), ["V404 `TEX` takes one texel offset, not 2"]);
    for count in [0, 1, 4] {
        assert_eq!(with_offsets(Opcode::Tg4, T::D2, count), [""; 0]);
    }
}

#[test]
fn offsets_go_with_targets_that_have_texels_in_a_plane() {
    for (target, name) in [
        (T::Cube, "CUBE"),
        (T::CubeArray, "CUBEARRAY"),
        (T::Shadowcube, "SHADOWCUBE"),
        (T::ShadowcubeArray, "SHADOWCUBE_ARRAY"),
    ] {
        let findings = with_offsets(Opcode::Tex2, target, 1);
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert!(findings[0].starts_with("V404"), "{name}: {findings:?}");
        assert_eq!(with_offsets(Opcode::Tex2, target, 0), [""; 0]);
    }
    assert_eq!(with_offsets(Opcode::Txf, T::Buffer, 1), ["V404 BUFFER has no texel offsets"]);
    assert_eq!(with_offsets(Opcode::Txf, T::D2, 1), [""; 0]);
    for opcode in [Opcode::Txq, Opcode::Lodq] {
        let want = format!("V404 `{opcode}` has no texel offsets");
        assert_eq!(with_offsets(opcode, T::D2, 1), [want]);
    }
}

/// A query of an image's size may leave its format out, but not its kind.
#[test]
fn sizes_have_no_format() {
    let of = |target, opcode, format| {
        let mut shader = super::broken::with_image(target);
        let one = &mut shader.instructions[0];
        one.opcode = opcode;
        one.src.truncate(opcode.info().num_src.into());
        if let Some(memory) = &mut one.memory {
            memory.format = format;
        }
        full(&shader)
    };
    let other = crate::Format(9);
    assert_eq!(of(T::D2, Opcode::Resq, other), [""; 0]);
    assert!(of(T::D3, Opcode::Resq, other)[0].starts_with("V406"));
    assert!(of(T::D2, Opcode::Load, other)[0].starts_with("V406"));
}

#[test]
fn each_offset_is_declared() {
    let of = |index| {
        let mut one = textured(Opcode::Tg4, T::D2);
        if let Some(texture) = &mut one.texture {
            let offset =
                |index| TextureOffset { file: File::Immediate, index, swizzle: Swizzle::XYZW };
            texture.offsets.extend([offset(0), offset(index), offset(0), offset(0)]);
        }
        validate(&with([one]), Profile::Full)
    };
    assert_eq!(of(0), []);
    let findings = of(1);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].message, "the offset register `IMM[1]` is not declared");
    assert_eq!(findings[0].place, Place::Offset(InstructionId(0), 1));
}
