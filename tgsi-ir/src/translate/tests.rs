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
