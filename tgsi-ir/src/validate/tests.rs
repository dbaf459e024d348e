//! Each rule with the smallest shader that breaks it, and a shader that breaks none.

use super::*;
use crate::{
    Component, Declaration, Dimension, Dst, File, FileAttributes, Format, ImageAttributes,
    Immediate, ImmediateType, Indirect, Instruction, InstructionId, Interp, Interpolation,
    ItemKind, Location, Opcode, Processor, Property, PropertyName, Register, ReturnType,
    SamplerViewAttributes, Saturate, Semantic, SemanticName, Src, Streams, Swizzle, Texture,
    TextureOffset, TextureTarget, WriteMask,
};

use broken::{broken, broken_document};

fn reg(file: File, index: i16) -> Register {
    Register::new(file, index)
}

fn op(opcode: Opcode, dst: &[Dst], src: &[Src]) -> Instruction {
    let mut one = Instruction::new(opcode);
    one.dst.extend(dst.iter().copied());
    one.src.extend(src.iter().copied());
    one
}

fn dst(file: File, index: i16) -> Dst {
    Dst::new(reg(file, index))
}

fn src(file: File, index: i16) -> Src {
    Src::new(reg(file, index))
}

fn with_semantic(file: File, index: u16, name: Semantic) -> Declaration {
    let mut declaration = Declaration::new(file, index, index);
    declaration.semantic = Some(SemanticName { name, index: 0, streams: Streams::default() });
    declaration
}

fn textured(opcode: Opcode, target: TextureTarget) -> Instruction {
    let count = usize::from(opcode.info().num_src);
    let mut sources = vec![src(File::Immediate, 0); count - 1];
    sources.push(src(File::Sampler, 0));
    let mut one = op(opcode, &[dst(File::Temporary, 0)], &sources);
    one.texture = Some(Box::new(Texture {
        target,
        return_type: ReturnType::Unknown,
        offsets: Default::default(),
    }));
    one
}

/// A good fragment shader: an immediate, two temporaries, a sampler with its view, an output.
fn good() -> Shader {
    let mut shader = Shader::new(Processor::Fragment);
    shader.immediates.push(Immediate { kind: ImmediateType::Float32, words: [0; 4].into() });
    shader.declarations.push(with_semantic(File::Output, 0, Semantic::Color));
    shader.declarations.push(Declaration::new(File::Temporary, 0, 1));
    shader.declarations.push(Declaration::new(File::Sampler, 0, 0));
    let mut view = Declaration::new(File::SamplerView, 0, 0);
    view.attributes = FileAttributes::SamplerView(SamplerViewAttributes {
        target: TextureTarget::D2,
        return_types: [ReturnType::Float; 4],
    });
    shader.declarations.push(view);
    shader.instructions.push(textured(Opcode::Tex, TextureTarget::D2));
    let temp = src(File::Temporary, 0);
    shader.instructions.push(op(Opcode::Mov, &[dst(File::Output, 0)], &[temp]));
    shader.instructions.push(op(Opcode::End, &[], &[]));
    shader
}

/// The good shader with these instructions in front.
fn with(instructions: impl IntoIterator<Item = Instruction>) -> Shader {
    let mut shader = good();
    shader.instructions.splice(0..0, instructions);
    shader
}

fn with_declaration(declaration: Declaration) -> Shader {
    let mut shader = good();
    shader.declarations.push(declaration);
    shader
}

fn with_property(processor: Processor, name: PropertyName, value: u32) -> Shader {
    let mut shader = good();
    shader.processor = processor;
    shader.properties.push(Property { name, values: [value].into_iter().collect() });
    shader
}

fn bare(opcode: Opcode) -> Instruction {
    op(opcode, &[], &vec![src(File::Immediate, 0); opcode.info().num_src.into()])
}

fn mov(to: Dst, from: Src) -> Instruction {
    op(Opcode::Mov, &[to], &[from])
}

fn temp0() -> Dst {
    dst(File::Temporary, 0)
}

fn imm0() -> Src {
    src(File::Immediate, 0)
}

fn indirect(mut register: Register, array_id: u16) -> Register {
    register.indirect =
        Some(Indirect { file: File::Address, index: 0, component: Component::X, array_id });
    register
}

fn labelled(mut one: Instruction, label: u32) -> Instruction {
    one.label = Some(label);
    one
}

/// A declared array and an access to it by way of `ADDR[0].x`.
fn array(index: i16, array_id: u16) -> Shader {
    let mut shader = with([
        op(Opcode::Arl, &[dst(File::Address, 0)], &[imm0()]),
        mov(Dst::new(indirect(reg(File::Temporary, index), array_id)), imm0()),
    ]);
    shader.declarations.push(Declaration::new(File::Address, 0, 0));
    let mut declaration = Declaration::new(File::Temporary, 8, 11);
    declaration.array_id = Some(1);
    shader.declarations.push(declaration);
    shader
}

#[test]
fn a_good_shader_has_no_findings() {
    for profile in [Profile::Mesa, Profile::Full] {
        let findings: Vec<String> = validate(&good(), profile)
            .iter()
            .filter(|finding| finding.severity() == Severity::Error)
            .map(ToString::to_string)
            .collect();
        assert_eq!(findings, [""; 0], "{profile:?}");
    }
    assert_eq!(validate(&good(), Profile::Full), []);
}

#[test]
fn every_rule_can_be_broken() {
    let mut checked = 0;
    for &code in Code::ALL {
        // Only Mesa thinks so.
        if code == Code::ImmediateType {
            continue;
        }
        let today = || broken(code).map(|shader| (shader, Dialect::default()));
        let (shader, dialect) =
            broken_document(code).or_else(today).unwrap_or_else(|| panic!("no example for {code}"));
        let findings = validate_in(&shader, Profile::Full, dialect);
        let found = findings.iter().find(|finding| finding.code == code);
        let found = found.unwrap_or_else(|| panic!("{code} not among {findings:#?}"));
        assert!(!found.message.ends_with('.') && !found.message.is_empty(), "{found}");
        // Only where the number came from can be guessed at, and that is not in the shader.
        let has_remedy = code != Code::UnknownNumber;
        assert!(found.help.is_some() || !has_remedy, "no remedy: {found}");
        checked += 1;
    }
    assert_eq!(checked, Code::ALL.len() - 1);
}

#[test]
fn codes_are_unique_and_stable() {
    let numbers: std::collections::BTreeSet<_> =
        Code::ALL.iter().map(|code| code.number()).collect();
    let names: std::collections::BTreeSet<_> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!((numbers.len(), names.len()), (Code::ALL.len(), Code::ALL.len()));
    assert_eq!(Code::MissingEnd.number(), "V001");
    assert_eq!(Code::UnknownNumber.number(), "V507");
    for &code in Code::ALL {
        assert_eq!(Code::find(code.name()), Some(code));
        assert_eq!(Code::find(&code.number().to_lowercase()), Some(code));
    }
    assert_eq!(Code::find("V000"), None);
}

#[test]
fn findings_point_at_declarations() {
    let findings =
        validate(&with_declaration(Declaration::new(File::Temporary, 1, 5)), Profile::Full);
    let found = findings.iter().find(|one| one.code == Code::DeclaredTwice).expect("a finding");
    assert_eq!(found.message, "`TEMP[1]` is declared already");
    assert_eq!(found.related[0].message, "declared here");
    assert_eq!(found.related[0].place.to_string(), "declaration 1");
    assert_eq!(found.to_string(), "error[V012]: `TEMP[1]` is declared already (declaration 4)");
}

#[test]
fn a_write_later_in_the_loop_may_come_earlier() {
    let read = mov(temp0(), src(File::Temporary, 1));
    let write = mov(dst(File::Temporary, 1), imm0());
    let looped = with([bare(Opcode::Bgnloop), read.clone(), write.clone(), bare(Opcode::Endloop)]);
    assert_eq!(validate(&looped, Profile::Full), []);
    let straight = validate(&with([read, write]), Profile::Full);
    assert_eq!(straight.len(), 1);
    assert_eq!(straight[0].message, "`TEMP[1].xyzw` is read before anything is written to it");
    assert_eq!(straight[0].place, Place::Src(InstructionId(0), 0));
}

#[test]
fn per_vertex_registers_have_two_subscripts() {
    let mut shader = Shader::new(Processor::TessCtrl);
    shader
        .properties
        .push(Property { name: PropertyName::TcsVerticesOut, values: [3].into_iter().collect() });
    shader.declarations.push(with_semantic(File::Output, 0, Semantic::Position));
    let write = |vertex| {
        let mut to = dst(File::Output, 0);
        to.reg.dimension = Some(Dimension { index: vertex, indirect: None });
        mov(to, imm0())
    };
    shader.immediates.push(Immediate { kind: ImmediateType::Float32, words: [0; 4].into() });
    shader.instructions.extend([write(2), bare(Opcode::End)]);
    assert_eq!(validate(&shader, Profile::Full), []);
    shader.instructions[0] = write(3);
    for profile in [Profile::Full, Profile::Mesa] {
        let codes: Vec<Code> = validate(&shader, profile).iter().map(|one| one.code).collect();
        assert_eq!(codes[0], Code::UndeclaredDst, "{profile:?}");
    }
}

#[test]
fn constant_buffers_are_declared_by_their_constants() {
    let load = |index| op(Opcode::Load, &[temp0()], &[src(File::Constant, index), imm0()]);
    let mut shader = with([load(1)]);
    let mut declaration = Declaration::new(File::Constant, 0, 3);
    declaration.dimension = Some(1);
    shader.declarations.push(declaration);
    assert_eq!(validate(&shader, Profile::Full), []);
    shader.instructions[0] = load(2);
    let findings = validate(&shader, Profile::Full);
    assert_eq!(findings[0].message, "constant buffer `CONST[2]` is not declared");
}

fn mesa(shader: &Shader) -> Vec<String> {
    validate(shader, Profile::Mesa).iter().map(|one| one.message.clone()).collect()
}

#[test]
fn mesa_speaks_in_its_own_words() {
    let mut shader = Shader::new(Processor::Vertex);
    shader.declarations.push(Declaration::new(File::Temporary, 0, 3));
    shader.declarations.push(Declaration::new(File::Temporary, 3, 4));
    shader.immediates.push(Immediate { kind: ImmediateType::Float64, words: [0; 4].into() });
    let use_all = [0, 1, 2, 4].map(|index| mov(dst(File::Temporary, index), imm0()));
    shader.instructions.extend(use_all);
    shader.instructions.push(mov(dst(File::Output, 1), src(File::Image, 2)));
    shader
        .instructions
        .push(mov(dst(File::Null, 0), Src::new(Register::new_2d(File::Constant, 2, 7))));
    assert_eq!(
        mesa(&shader),
        [
            "TEMP[3]: The same register declared more than once",
            "(3): Invalid immediate data type",
            "OUT[1]: Undeclared destination register",
            "RES[2]: Undeclared source register",
            "(0): Invalid register file name",
            "CONST[7][2]: Undeclared source register",
            "Missing END instruction",
            "TEMP[3]: Register never used",
            "TEMP[3]: Register never used",
        ]
    );
}

#[test]
fn hostile_ranges_are_no_trouble() {
    let mut shader = Shader::new(Processor::TessCtrl);
    for _ in 0..200 {
        shader.declarations.push(Declaration::new(File::Input, 0, u16::MAX));
        shader.declarations.push(Declaration::new(File::Output, 0, u16::MAX));
    }
    for profile in [Profile::Mesa, Profile::Full] {
        assert!(validate(&shader, profile).len() <= MAX_DIAGNOSTICS);
    }
}

/// What the full profile says, each finding as its code and message.
fn full(shader: &Shader) -> Vec<String> {
    validate(shader, Profile::Full)
        .iter()
        .map(|finding| format!("{} {}", finding.code, finding.message))
        .collect()
}

/// What the full profile says of these instructions, put in front of the good shader.
fn full_of(instructions: impl IntoIterator<Item = Instruction>) -> Vec<String> {
    full(&with(instructions))
}

mod broken;
mod declarations;
mod flow;
mod operands;
mod reads;
mod sanity;
mod stage;
mod textures;
mod types;
