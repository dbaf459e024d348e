//! Files that are gone, in every place where a register can stand.

use super::*;

/// `opcode TEMP[0], RES[index], TEMP[1]…` with a declared resource of a kind.
fn with_resource(
    opcode: Opcode,
    operand: usize,
    index: i16,
    (target, raw): (crate::TextureTarget, bool),
) -> Shader {
    let mut shader = legacy(opcode);
    shader.instructions[0].src[operand].reg = Register::new(File::Resource, index);
    let mut declaration = crate::Declaration::new(File::Resource, 0, 3);
    declaration.attributes = crate::FileAttributes::Resource(crate::ImageAttributes {
        target,
        format: crate::Format::NONE,
        raw,
        writable: true,
    });
    shader.declarations.push(declaration);
    shader
}

#[test]
fn resources_become_buffers_images_memories_and_views() {
    use crate::TextureTarget as T;
    let file_of = |opcode, operand: usize, index, target| {
        let modern =
            modernise(&with_resource(opcode, operand, index, target)).expect("it can be said");
        let reg = modern.instructions[0].src[operand].reg;
        assert!(
            modern
                .declarations
                .iter()
                .any(|one| { one.file == reg.file && one.range.contains(reg.index.into()) })
        );
        assert!(modern.declarations.iter().all(|one| one.file != File::Resource));
        reg.file
    };
    assert_eq!(file_of(Opcode::Load, 0, 2, (T::Buffer, true)), File::Buffer);
    // Without `RAW`, elements are addressed and converted.
    assert_eq!(file_of(Opcode::Load, 0, 2, (T::Buffer, false)), File::Image);
    assert_eq!(file_of(Opcode::Load, 0, 2, (T::D2, false)), File::Image);
    assert_eq!(file_of(Opcode::SampleI, 1, 1, (T::D3, false)), File::SamplerView);
    // 32766 is the memory that a thread group shares.
    assert_eq!(file_of(Opcode::Atomuadd, 0, 32766, (T::Buffer, false)), File::Memory);
    let undeclared = with_resource(Opcode::Load, 0, 9, (T::Buffer, true));
    assert_eq!(problems(&undeclared), ["instruction 0: `RES` has no counterpart here"]);
}

/// Declarations of today's file of resources, by an opcode that takes one from `RES[ADDR[0].x+index]`.
fn picked(
    (opcode, operand): (Opcode, usize),
    index: i16,
    kinds: &[(crate::TextureTarget, bool)],
) -> Vec<(u16, u16)> {
    let mut shader = legacy(opcode);
    let mut reg = Register::new(File::Resource, index);
    shader.instructions[0].src[operand].reg = reg;
    // The next one is named by its number.
    shader.instructions.insert(0, shader.instructions[0].clone());
    reg.indirect = Some(crate::Indirect {
        file: File::Address,
        index: 0,
        component: Component::X,
        array_id: 0,
    });
    shader.instructions[0].src[operand].reg = reg;
    for (first, &(target, raw)) in (0..).step_by(3).zip(kinds) {
        let mut declaration = crate::Declaration::new(File::Resource, first, first + 2);
        declaration.attributes = crate::FileAttributes::Resource(crate::ImageAttributes {
            target,
            format: crate::Format::NONE,
            raw,
            writable: true,
        });
        shader.declarations.push(declaration);
    }
    let modern = modernise(&shader).expect("it can be said");
    let file = modern.instructions[0].src[operand].reg.file;
    let of_file = modern.declarations.iter().filter(|one| one.file == file);
    of_file.map(|one| (one.range.first, one.range.last)).collect()
}

#[test]
fn all_resources_that_an_index_picks_are_declared() {
    use crate::TextureTarget as T;
    let raw = [(T::Buffer, true), (T::Buffer, false), (T::D2, false), (T::Buffer, true)];
    assert_eq!(picked((Opcode::Load, 0), 1, &raw), [(0, 2), (9, 11)]);
    assert_eq!(picked((Opcode::Load, 0), 4, &raw), [(3, 5)]);
    assert_eq!(picked((Opcode::Load, 0), 7, &raw), [(6, 8)]);
    assert_eq!(picked((Opcode::SampleI, 1), 7, &raw), [(6, 8)]);
    let lines = [(T::D2, false), (T::D1, false), (T::D2, false)];
    assert_eq!(picked((Opcode::SampleI, 1), 0, &lines), [(0, 2), (6, 8)]);
}

/// `TEX` with texel offsets in a register.
#[test]
fn texel_offsets_are_registers_as_well() {
    let offset_in = |file| {
        let mut shader = legacy(Opcode::Tex);
        let offset = crate::TextureOffset { file, index: 0, swizzle: Swizzle::XYZW };
        shader.instructions[0].texture = Some(Box::new(crate::Texture {
            target: crate::TextureTarget::D2,
            return_type: crate::ReturnType::Unknown,
            offsets: [offset].into_iter().collect(),
        }));
        shader
    };
    for file in [File::Predicate, File::Loop] {
        let modern = modernise(&offset_in(file)).expect("it can be said");
        let texture = modern.instructions[0].texture.as_ref().expect("it has a target");
        assert_eq!(texture.offsets[0].file, File::Temporary);
    }
    assert_eq!(
        problems(&offset_in(File::TemporaryArray)),
        ["instruction 0: `TEMPX` has no counterpart here"]
    );
}

/// Registers that subscript others count as used, declared or not.
#[test]
fn new_address_registers_are_none_of_the_old() {
    let mut shader = legacy(Opcode::Mov);
    let subscript = |file| crate::Indirect { file, index: 0, component: Component::X, array_id: 0 };
    shader.instructions[0].src[0].reg.indirect = Some(subscript(File::Loop));
    shader.instructions[0].dst[0].reg.indirect = Some(subscript(File::Address));
    let modern = modernise(&shader).expect("it can be said");
    assert_eq!(modern.instructions[0].dst[0].reg, Register::new(File::Address, 1));
}

#[test]
fn semantics_that_are_gone_are_named() {
    let mut shader = legacy(Opcode::Sub);
    let mut output = crate::Declaration::new(File::Output, 0, 0);
    output.semantic = Some(crate::SemanticName {
        name: crate::Semantic::Culldist,
        index: 0,
        streams: crate::Streams::default(),
    });
    shader.declarations.push(output);
    let found = modernise(&shader).expect_err("it cannot be said");
    assert_eq!(found[0].to_string(), "declaration 0: `CULLDIST` has no counterpart here");
    let help = found[0].reason.help().expect("it has a counterpart under another name");
    assert!(help.starts_with("write cull distances after the clip distances, as `CLIPDIST`"));
}
