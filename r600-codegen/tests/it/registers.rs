//! How many registers code takes.

use r600_codegen::abi::{RingLayout, ShaderKey, VertexAs, copy_shader};
use r600_codegen::{Options, compile};
use r600_isa::Chip;

fn num_gprs(text: &str, chip: Chip) -> u8 {
    let shader = tgsi_text::parse(text).shader;
    compile(&shader, chip, &Options::default()).expect("the shader compiles").num_gprs
}

/// Each operation reads a channel of the texel for the last time: its result may take that place, though two groups are
/// needed and what the second reads is still there.
#[test]
fn results_take_the_places_of_operands_that_end() {
    let text = "FRAG\n\
                DCL IN[0], GENERIC[0], PERSPECTIVE\n\
                DCL OUT[0], COLOR\n\
                DCL SAMP[0]\n\
                DCL SVIEW[0], 2D, FLOAT\n\
                DCL CONST[0][0..1]\n\
                DCL TEMP[0]\n\
                TEX TEMP[0], IN[0], SAMP[0], 2D\n\
                MAD OUT[0], TEMP[0], CONST[0][0], CONST[0][1]\n\
                END\n";
    for chip in [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman] {
        assert_eq!(num_gprs(text, chip), 1, "{}", chip.name());
    }
}

/// Inputs are in registers before the program begins; an array that finds no room beside them goes to memory.
#[test]
fn arrays_leave_inputs_their_registers() {
    let text = |num_inputs: usize, len: usize| {
        let fill: String = (0..len)
            .step_by(3)
            .map(|n| format!("MOV TEMP[{n}], IN[{}]\n", n % num_inputs))
            .collect();
        let sum: String =
            (0..num_inputs).map(|n| format!("ADD TEMP[{len}], TEMP[{len}], IN[{n}]\n")).collect();
        format!(
            "VERT\nDCL IN[0..{}]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n\
             DCL TEMP[0..{}], ARRAY(1)\nDCL TEMP[{len}]\nDCL ADDR[0]\nUARL ADDR[0].x, IN[0].xxxx\n\
             {fill}MOV TEMP[ADDR[0].x](1), IN[1]\nMOV TEMP[{len}], IN[0]\n{sum}\
             MOV OUT[0], TEMP[{len}]\nMOV OUT[1], TEMP[ADDR[0].x+2](1)\nEND\n",
            num_inputs - 1,
            len - 1
        )
    };
    for chip in [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman] {
        for (num_inputs, len) in [(31, 96), (31, 81), (31, 82), (16, 96), (16, 97)] {
            assert!(num_gprs(&text(num_inputs, len), chip) <= 124, "{} {len}", chip.name());
        }
    }
}

/// Attributes lie in registers of their numbers: what is between them is too short for the array.
#[test]
fn arrays_find_room_beside_attributes_far_apart() {
    for len in [20, 50, 64, 96] {
        let text = format!(
            "VERT\nDCL IN[0]\nDCL IN[60]\nDCL OUT[0], POSITION\nDCL TEMP[0..{}], ARRAY(1)\nDCL ADDR[0]\n\
             UARL ADDR[0].x, IN[0].xxxx\nMOV TEMP[ADDR[0].x](1), IN[60]\nMOV TEMP[3], IN[0]\n\
             MOV OUT[0], TEMP[ADDR[0].x+2](1)\nEND\n",
            len - 1
        );
        for chip in [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman] {
            assert!(num_gprs(&text, chip) <= 124, "{} {len}", chip.name());
        }
    }
}

/// No lane comes to it, and what it reads is known to lie outside of its array.
#[test]
fn elements_outside_of_arrays_compile() {
    let text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0..3], ARRAY(1)\nDCL TEMP[4]\nDCL ADDR[0]\n\
                IMM[0] UINT32 {7, 4, 1, 0}\nUARL ADDR[0].x, IMM[0].xxxx\nMOV TEMP[1], IN[0]\n\
                USLT TEMP[4].x, IMM[0].xxxx, IMM[0].yyyy\nMOV OUT[0], IN[0].wzyx\nUIF TEMP[4].xxxx\n\
                MOV OUT[0], TEMP[ADDR[0].x](1)\nMOV TEMP[ADDR[0].x](1), IN[0]\nENDIF\n\
                UARL ADDR[0].x, IN[0].xxxx\nMOV TEMP[ADDR[0].x](1), IN[0]\nEND\n";
    for chip in [Chip::Rv610, Chip::Cayman] {
        num_gprs(text, chip);
    }
}

/// Whatever their numbers, outputs are exported, and emitted ones taken over.
#[test]
fn outputs_have_any_number() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[300], COLOR\nDCL OUT[4095], POSITION\n\
                MOV OUT[300], IN[0]\nMOV OUT[4095].z, IN[0]\nEND\n";
    let shader = tgsi_text::parse(text).shader;
    for chip in [Chip::Rv770, Chip::Cedar] {
        let compiled = compile(&shader, chip, &Options::default()).expect("the shader compiles");
        let registers: Vec<u16> = compiled.outputs.iter().map(|slot| slot.register).collect();
        assert_eq!(registers, [300, 4095]);
        assert!(compiled.outputs.iter().all(|slot| slot.export.is_some()), "{}", chip.name());
    }
    let text = "GEOM\nDCL OUT[300..301], GENERIC[0]\nEND\n";
    let copy = copy_shader(&tgsi_text::parse(text).shader);
    assert_eq!(copy.instructions.len(), 3);
}

/// Two inputs of a geometry shader that mean the same both find it in their ring.
#[test]
fn an_output_is_written_for_every_input_with_its_semantic() {
    let geometry = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[3]\n\
                    DCL IN[][2], GENERIC[3]\nEND\n";
    let layout = RingLayout::of_inputs(&tgsi_text::parse(geometry).shader);
    let vertex = "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[3]\nMOV OUT[0], IN[0]\nEND\n";
    let shader = tgsi_text::parse(vertex).shader;
    let key = ShaderKey::default().vertex_as(VertexAs::Export(layout));
    for chip in [Chip::Rv770, Chip::Cedar] {
        let options = Options::default().key(key.clone());
        let compiled = compile(&shader, chip, &options).expect("the shader compiles");
        let listing = compiled.program.to_string();
        for place in ["WRITE 4,", "WRITE 8,"] {
            assert!(listing.contains(place), "{}: {listing}", chip.name());
        }
    }
}

/// The constants fill the first group, where they are ready; they are wanted after the last read of the position.
#[test]
fn constants_take_no_registers_before_they_are_used() {
    let text = "FRAG\n\
                DCL IN[0], POSITION, LINEAR\n\
                DCL OUT[0], COLOR\n\
                DCL SAMP[0]\n\
                DCL SVIEW[0], 2D, FLOAT\n\
                DCL CONST[0][0]\n\
                DCL TEMP[0]\n\
                IMM[0] FLT32 {4.0, 5.0, 0.0, 0.0}\n\
                MUL TEMP[0].xy, IN[0], CONST[0][0]\n\
                TEX TEMP[0].x, TEMP[0], SAMP[0], 2D\n\
                MUL OUT[0].x, TEMP[0].xxxx, CONST[0][0].zzzz\n\
                MOV OUT[0].yz, IMM[0].xxyy\n\
                MOV OUT[0].w, TEMP[0].xxxx\n\
                END\n";
    for chip in [Chip::Rv610, Chip::Rv770] {
        assert_eq!(num_gprs(text, chip), 1, "{}", chip.name());
    }
}

/// Each fetch gives one channel: all results lie beside each other.
#[test]
fn results_of_several_fetches_share_a_register() {
    let text = "FRAG\n\
                DCL IN[0], GENERIC[0], PERSPECTIVE\n\
                DCL OUT[0], COLOR\n\
                DCL SAMP[0..2]\n\
                DCL SVIEW[0..2], 2D, FLOAT\n\
                DCL TEMP[0..2]\n\
                TEX TEMP[0].x, IN[0], SAMP[0], 2D\n\
                TEX TEMP[1].x, IN[0], SAMP[1], 2D\n\
                TEX TEMP[2].x, IN[0], SAMP[2], 2D\n\
                MUL TEMP[0].x, TEMP[0].xxxx, TEMP[1].xxxx\n\
                ADD OUT[0], TEMP[0].xxxx, TEMP[2].xxxx\n\
                END\n";
    for chip in [Chip::Rv610, Chip::Rv770] {
        assert_eq!(num_gprs(text, chip), 2, "{}", chip.name());
    }
}
