//! Small shaders carried from dialect to dialect.

use super::*;
use crate::{
    Declaration, Dst, File, Instruction, Opcode, Processor, Register, Saturate, Semantic,
    SemanticName, Src, Streams,
};

fn shader(opcodes: &[Opcode]) -> Shader {
    let mut shader = Shader::new(Processor::Fragment);
    for &opcode in opcodes {
        let info = opcode.info();
        let mut one = Instruction::new(opcode);
        let temp = Register::new(File::Temporary, 0);
        one.dst.extend((0..info.num_dst).map(|_| Dst::new(temp)));
        one.src.extend((0..info.num_src).map(|_| Src::new(temp)));
        shader.instructions.push(one);
    }
    shader.declarations.push(Declaration::new(File::Temporary, 0, 0));
    shader
}

fn opcodes(shader: &Shader) -> String {
    let names: Vec<&str> = shader.instructions.iter().map(|one| one.opcode.name()).collect();
    names.join(" ")
}

fn check(from: Dialect, to: Dialect, before: &[Opcode], after: &str) -> Translation {
    let translation = translate(&shader(before), from, to).expect("it can be said");
    assert_eq!(opcodes(&translation.shader), after);
    assert_eq!(check_dialect(&translation.shader, to), []);
    translation
}

#[test]
fn changed_meanings_are_kept_on_the_way_to_today() {
    use Opcode as O;
    let (old, new) = (Dialect::Y2010, Dialect::Y2021);
    let rsq = check(old, new, &[O::Rsq, O::End], "RSQ END");
    assert!(rsq.shader.instructions[0].src[0].absolute);
    check(old, new, &[O::If, O::Kilp, O::Endif, O::End], "UIF KILL ENDIF END");
    check(old, new, &[O::Round], "ADD FLR");
    let min = check(Dialect::Y2012, new, &[O::Min], "MIN");
    assert_eq!(min.notes[0].place.to_string(), "instruction 0");
    check(Dialect::Y2012, new, &[O::Sub, O::Kil], "ADD KILL_IF");
}

#[test]
fn old_names_are_used_on_the_way_back() {
    use Opcode as O;
    let (old, new) = (Dialect::Y2012, Dialect::Y2021);
    check(new, old, &[O::Uif, O::Kill, O::Endif, O::KillIf, O::End], "IF KILP ENDIF KIL END");
    check(new, old, &[O::If, O::Endif], "SNE IF ENDIF");
    let rsq = check(new, old, &[O::Rsq], "RSQ");
    assert_eq!(rsq.notes.len(), 1);
    check(old, Dialect::Y2010, &[O::Sub, O::Add], "ADD ADD");
}

/// The document has one count for all channels.
#[test]
fn counts_of_shifts_stay_those_of_their_channels() {
    use crate::{Authority, Swizzle, WriteMask};
    let (old, new) = (Dialect::Y2012, Dialect::Y2021);
    check(new, old, &[Opcode::Shl], "SHL SHL SHL SHL MOV");
    let of = |authority, mask: WriteMask, swizzle: Swizzle| {
        let mut shader = shader(&[Opcode::Shl]);
        shader.instructions[0].dst[0].mask = mask;
        shader.instructions[0].src[1].swizzle = swizzle;
        translate_by(&shader, (new, authority), old).expect("it can be said").shader
    };
    use crate::Component::{W, X, Y, Z};
    let pairs = of(Authority::Document, WriteMask::XYZ, Swizzle::new([Y, W, Y, X]));
    assert_eq!(opcodes(&pairs), "SHL SHL MOV");
    let first = &pairs.instructions[0];
    assert_eq!(first.dst[0].mask.bits(), 0b101);
    assert_eq!(first.src[1].swizzle, Swizzle::splat(Y));
    assert_ne!(first.dst[0].reg, pairs.instructions[2].dst[0].reg);
    let single = of(Authority::Document, WriteMask::ZW, Swizzle::new([X, Y, Z, Z]));
    assert_eq!(opcodes(&single), "SHL");
    assert_eq!(single.instructions[0].src[1].swizzle, Swizzle::splat(Z));
    assert_eq!(opcodes(&of(Authority::Mesa, WriteMask::XYZW, Swizzle::XYZW)), "SHL");
}

/// What the document has no words for is told.
#[test]
fn queries_of_textures_without_samples_have_notes() {
    use crate::{FileAttributes, ReturnType, SamplerViewAttributes, TextureTarget};
    let notes = |opcode, target| {
        let mut shader = shader(&[opcode]);
        let mut view = Declaration::new(File::SamplerView, 0, 0);
        let return_types = [ReturnType::Float; 4];
        view.attributes =
            FileAttributes::SamplerView(SamplerViewAttributes { target, return_types });
        shader.declarations.push(view);
        for (src, role) in shader.instructions[0].src.iter_mut().zip(opcode.info().src_roles) {
            if *role == crate::SrcRole::View {
                src.reg = Register::new(File::SamplerView, 0);
            }
        }
        let old = translate(&shader, Dialect::Y2021, Dialect::Y2012).expect("it can be said");
        old.notes.iter().filter(|note| note.is_of_document).count()
    };
    assert_eq!(notes(Opcode::SampleInfo, TextureTarget::D2), 1);
    assert_eq!(notes(Opcode::SamplePos, TextureTarget::D2Msaa), 0);
    assert_eq!(notes(Opcode::Sviewinfo, TextureTarget::D1Array), 1);
    assert_eq!(notes(Opcode::Sviewinfo, TextureTarget::D2), 0);
}

fn problems(shader: &Shader, from: Dialect, to: Dialect) -> Vec<String> {
    translate(shader, from, to).expect_err("no words").iter().map(ToString::to_string).collect()
}

#[test]
fn what_a_dialect_lacks_is_named() {
    let mut new = shader(&[Opcode::Dadd, Opcode::Add]);
    new.instructions[1].precise = true;
    let mut declaration = Declaration::new(File::SystemValue, 0, 0);
    declaration.semantic =
        Some(SemanticName { name: Semantic::Tesscoord, index: 0, streams: Streams::default() });
    new.declarations.push(declaration);
    assert_eq!(
        problems(&new, Dialect::Y2021, Dialect::Y2012),
        [
            "declaration 1: dialect 2012 has no semantic TESSCOORD",
            "instruction 0: dialect 2012 has no opcode DADD",
            "instruction 1: dialect 2012 has no _PRECISE",
        ]
    );
}

#[test]
fn a_dialect_is_checked_against_itself() {
    let mut old = shader(&[Opcode::Sub]);
    old.instructions[0].saturate = Saturate::MinusPlusOne;
    assert_eq!(check_dialect(&old, Dialect::Y2010), []);
    let missing: Vec<String> =
        check_dialect(&old, Dialect::Y2021).iter().map(ToString::to_string).collect();
    assert_eq!(
        missing,
        [
            "instruction 0: dialect 21.2 has no opcode SUB",
            "instruction 0: dialect 21.2 has no saturation to −1…1",
        ]
    );
    assert!(translate(&old, Dialect::Y2010, Dialect::Y2021).is_ok());
    assert!(translate(&old, Dialect::Y2021, Dialect::Y2021).is_err());
}

#[test]
fn streams_appear_and_vanish() {
    let mut old = shader(&[Opcode::Emit]);
    old.processor = Processor::Geometry;
    old.instructions[0].src.clear();
    let new = translate(&old, Dialect::Y2012, Dialect::Y2021).expect("it can be said").shader;
    assert_eq!(new.instructions[0].src.len(), 1);
    let back = translate(&new, Dialect::Y2021, Dialect::Y2012).expect("it can be said").shader;
    assert_eq!(back.instructions[0].src.len(), 0);
}
