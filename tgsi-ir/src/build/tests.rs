//! Whole shaders, which the validator must accept.

use super::*;
use crate::TextureTarget;
use crate::validate::{Profile, validate};

fn names(shader: &Shader) -> String {
    let names: Vec<&str> = shader.instructions.iter().map(|one| one.opcode.name()).collect();
    names.join(" ")
}

fn check(builder: ShaderBuilder, want: &str) -> Shader {
    let shader = builder.finish().expect("few registers");
    assert_eq!(names(&shader), want);
    for profile in [Profile::Full, Profile::Mesa] {
        let findings = validate(&shader, profile);
        let errors: Vec<String> = findings
            .iter()
            .filter(|finding| finding.severity() == crate::validate::Severity::Error)
            .map(ToString::to_string)
            .collect();
        assert_eq!(errors, [""; 0]);
    }
    shader
}

#[test]
fn blocks_close_themselves_and_have_labels() {
    let mut b = ShaderBuilder::new(Processor::Fragment);
    let out = b.output(Semantic::Color, 0);
    let (counter, done) = (b.temp(), b.temp());
    let zero = b.i32(0);
    let one = b.i32(1);
    let ten = b.i32(10);
    b.mov(counter.x(), zero);
    b.repeat(|b| {
        b.isge(done.x(), counter.src().x(), ten);
        b.if_int_else(
            done.src().x(),
            |b| b.break_loop(),
            |b| {
                b.uadd(counter.x(), counter.src().x(), one);
            },
        );
    });
    b.i2f(out, counter.src().x());
    let shader = check(b, "MOV BGNLOOP ISGE UIF BRK ELSE UADD ENDIF ENDLOOP I2F END");
    let labels: Vec<Option<u32>> = shader.instructions.iter().map(|one| one.label).collect();
    assert_eq!(labels[1], Some(8));
    assert_eq!(labels[3], Some(5));
    assert_eq!(labels[5], Some(7));
    // The three scalars share one immediate.
    assert_eq!(shader.immediates.len(), 1);
}

#[test]
fn subroutines_follow_the_main_program() {
    let mut b = ShaderBuilder::new(Processor::Vertex);
    let position = b.output(Semantic::Position, 0);
    let input = b.vertex_input();
    let double = b.subroutine(|b| {
        b.if_float(input.src().x(), |b| {
            b.add(position, input, input);
        });
        b.ret();
    });
    b.call(double);
    let shader = check(b, "CAL END BGNSUB IF ADD ENDIF RET ENDSUB");
    assert_eq!(shader.instructions[0].label, Some(2));
    assert_eq!(shader.instructions[3].label, Some(5));
}

#[test]
fn temporaries_are_reused_after_release() {
    let mut b = ShaderBuilder::new(Processor::Vertex);
    let first = b.with_temp(|_, temp| temp);
    let second = b.temp();
    assert_eq!(first, second);
    assert_ne!(b.temp(), second);
}

#[test]
fn arrays_are_declared_apart() {
    let mut b = ShaderBuilder::new(Processor::Vertex);
    let position = b.output(Semantic::Position, 0);
    let index = b.vertex_input();
    let plain = b.temp();
    let array = b.temp_array(4);
    let address = b.address();
    let zero = b.f32(0.0);
    for n in 0..4 {
        b.mov(array.at(n).expect("within the array"), zero);
    }
    b.arl(address.x(), index);
    b.mov(plain, Src::new(array.indexed(address, crate::Component::X)));
    b.mov(position, plain);
    let shader = check(b, "MOV MOV MOV MOV ARL MOV MOV END");
    let temps: Vec<_> = shader
        .declarations
        .iter()
        .filter(|one| one.file == File::Temporary)
        .map(|one| (one.range.first, one.range.last, one.array_id))
        .collect();
    assert_eq!(temps, [(0, 0, None), (1, 4, Some(1))]);
}

#[test]
fn switches_and_textures() {
    let mut b = ShaderBuilder::new(Processor::Fragment);
    let uv = b.interpolated_input(Semantic::Generic, 0, Interpolation::Perspective);
    let out = b.output(Semantic::Color, 0);
    let sampler = b.sampler(0, TextureTarget::D2);
    let kind = b.constant(0, 3);
    let (one, two) = (b.u32(1), b.u32(2));
    b.switch(kind.x(), |s| {
        s.case(one, |b| {
            b.tex(out, uv, sampler);
        });
        s.case(two, |b| b.kill());
        s.default(|b| {
            b.mov(out, uv);
        });
    });
    check(b, "SWITCH CASE TEX BRK CASE KILL BRK DEFAULT MOV BRK ENDSWITCH END");
}

#[test]
fn too_many_registers_are_an_error() {
    let mut b = ShaderBuilder::new(Processor::Vertex);
    b.temp_array(u16::MAX);
    b.temp();
    assert_eq!(
        b.finish().map_err(|error| error.to_string()),
        Err("more registers of `TEMP` than operands can address".to_owned())
    );
}
