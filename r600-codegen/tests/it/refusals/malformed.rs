//! Shaders that no reader makes: built by hand, or broken after they were read.

use r600_codegen::Limits;
use r600_codegen::abi::ShaderKey;
use r600_codegen::internals::lower::lower;
use r600_codegen::{CompileError, Compiler, Options};
use r600_isa::{Chip, HazardSet};
use tgsi_ir::{
    Dst, File, Instruction, Opcode, Processor, Register, Saturate, Shader, Src, TextureTarget,
};

use super::{ALL, Met, in_fragment_shader};

/// The fragment shader of `body`, whose first instruction `break_it` changes.
fn broken(body: &str, break_it: impl FnOnce(&mut Instruction)) -> Shader {
    let mut shader = tgsi_text::parse(&in_fragment_shader(body)).shader;
    break_it(&mut shader.instructions[0]);
    shader
}

pub(crate) fn operands_that_are_missing(met: &mut Met) {
    let chip = Chip::Cedar;
    let add = "ADD OUT[0], IN[0], IN[0]";
    let shader = broken(add, |inst| inst.dst.clear());
    met.refuses_shader(chip, &shader, "instruction 0: ADD: the destination is missing");
    let shader = broken(add, |inst| inst.src.truncate(1));
    met.refuses_shader(chip, &shader, "instruction 0: ADD: a source operand is missing");
    let tex = "TEX OUT[0], IN[0], SAMP[0], 2D";
    let shader = broken(tex, |inst| inst.src.truncate(1));
    met.refuses_shader(chip, &shader, "instruction 0: TEX: the sampler operand is missing");
    let shader = broken(tex, |inst| inst.texture = None);
    met.refuses_shader(chip, &shader, "instruction 0: TEX: the texture target is missing");
    let shader = broken("LOAD TEMP[0], BUFFER[0], IMM[1].xxxx", |inst| inst.src.clear());
    met.refuses_shader(chip, &shader, "instruction 0: LOAD: a source operand is missing");
}

#[test]
fn no_opcode_panics_where_operands_are_missing() {
    let compiler = Compiler::new(Options::default()).unwrap();
    for opcode in Opcode::ALL {
        let info = opcode.info();
        let (num_src, num_dst) = (usize::from(info.num_src), usize::from(info.num_dst));
        for (sources, destinations) in (0..num_src).map(|n| (n, num_dst)).chain([(num_src, 0)]) {
            let shader = broken("TEX TEMP[0], IN[0], SAMP[0], 2D", |inst| {
                let src = Src::new(Register::new(File::Input, 0));
                let dst = Dst::new(Register::new(File::Temporary, 0));
                inst.opcode = opcode;
                inst.src = std::iter::repeat_n(src, sources).collect();
                inst.dst = std::iter::repeat_n(dst, destinations).collect();
            });
            for chip in ALL {
                let result = compiler.compile(&shader, chip);
                if let Err(error) = result {
                    assert!(error.is_refusal(), "{opcode}: {error}");
                }
            }
        }
    }
}

pub(crate) fn numbers_without_a_meaning(met: &mut Met) {
    let chip = Chip::Cedar;
    let shader = broken("TEX OUT[0], IN[0], SAMP[0], 2D", |inst| {
        if let Some(texture) = &mut inst.texture {
            texture.target = TextureTarget::Unknown;
        }
    });
    met.refuses_shader(chip, &shader, "instruction 0: UNKNOWN: unknown texture target");
    let shader = Shader::new(Processor::Unknown(9));
    met.refuses_shader(chip, &shader, "unknown stage: unsupported shader stage");
    let shader = broken("MOV OUT[0], TEMP[0]", |inst| inst.src[0].reg.index = -1);
    met.refuses_shader(chip, &shader, "negative register number: name a declared register");
    let text = "FRAG\nDCL OUT[5000], COLOR\nMOV OUT[5000], OUT[5000]\nEND\n";
    met.refuses_text(chip, text, "OUT[5000]: the register is out of range");
    let shader = broken("MOV OUT[0], IN[ADDR[0].x]", |inst| {
        if let Some(indirect) = &mut inst.src[0].reg.indirect {
            indirect.index = -1;
        }
    });
    met.refuses_shader(
        chip,
        &shader,
        "instruction 0: register number: the register is out of range",
    );
    let shader = broken("NOP", |inst| inst.opcode = Opcode::Unk67);
    let want = "instruction 0: UNK67: unsupported opcode on this chip and stage";
    met.refuses_shader(chip, &shader, want);
    let mut shader = broken("NOP", |_| {});
    shader.instructions.pop();
    let want = "END: the program has no END at its outermost level";
    met.refuses_shader(chip, &shader, want);
}

pub(crate) fn what_is_old(met: &mut Met) {
    let chip = Chip::Rv770;
    let shader = broken("MOV OUT[0], IN[0]", |inst| inst.saturate = Saturate::Reserved);
    let want = "instruction 0: the saturation mode 3 has no meaning";
    met.refuses_shader(chip, &shader, want);
    // Passes see to it that lowering never meets these.
    let shader = broken("MOV OUT[0], IN[0]", |inst| inst.saturate = Saturate::MinusPlusOne);
    let lowered = lower(&shader, chip, &ShaderKey::default(), Limits::DEFAULT, HazardSet::NONE);
    let Err(CompileError::Lower(error)) = lowered else { panic!("lowering does not refuse it") };
    assert_eq!(error.to_string(), "instruction 0: _SATNV: modernise the shader first");
    met.0.insert(error.reason);
}
