//! Fragment shader inputs and their registers.

use r600_isa::Chip;

use super::{CHIPS, NEW, OLD, value, value_with};
use crate::abi::{InputSlot, ShaderKey, VertexAs};
use crate::{Compiler, Options};

fn slots(text: &str, chip: Chip) -> Vec<InputSlot> {
    let shader = tgsi_text::parse(text).shader;
    let compiler = Compiler::new(Options::default()).expect("the options are good");
    compiler.compile(&shader, chip).expect("the shader compiles").inputs
}

/// The registers of position and face, and the number of inputs, from `SPI_PS_IN_CONTROL_0` and `_1`.
fn places(text: &str, chip: Chip) -> [u32; 3] {
    let [first, second] = ["SPI_PS_IN_CONTROL_0", "SPI_PS_IN_CONTROL_1"]
        .map(|name| value(text, chip, name, 0).expect("fragment shaders have it"));
    [first >> 10 & 31, second >> 12 & 31, first & 63]
}

#[test]
fn position_and_face_have_one_register_each() {
    let both = "FRAG\nDCL SV[0], POSITION\nDCL SV[1], FACE\nDCL IN[0], POSITION, LINEAR\nDCL IN[1], FACE, CONSTANT\n\
                DCL IN[2], GENERIC[3], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nMOV TEMP[0], IN[2]\n\
                ADD TEMP[0].x, IN[0].xxxx, SV[0].yyyy\nAND TEMP[0].y, SV[1].xxxx, IN[1].xxxx\n\
                MOV OUT[0], TEMP[0]\nEND\n";
    for chip in OLD {
        let gprs: Vec<u8> = slots(both, chip).iter().map(|slot| slot.gpr).collect();
        assert_eq!((gprs, places(both, chip)), (vec![0, 1, 2], [0, 1, 3]), "{chip:?}");
        assert_eq!(value(both, chip, "SPI_PS_INPUT_CNTL", 2), Some(13), "{chip:?}");
    }
    // Coverage comes with the face.
    let mask = "FRAG\nDCL SV[0], SAMPLEMASK\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], FACE, CONSTANT\n\
                DCL OUT[0], COLOR\nDCL TEMP[0]\nMOV TEMP[0], IN[0]\nADD TEMP[0].x, TEMP[0].xxxx, IN[1].xxxx\n\
                AND TEMP[0].y, SV[0].xxxx, TEMP[0].yyyy\nMOV OUT[0], TEMP[0]\nEND\n";
    for chip in OLD {
        let gprs: Vec<u8> = slots(mask, chip).iter().map(|slot| slot.gpr).collect();
        assert_eq!((gprs, places(mask, chip)), (vec![1, 0], [0, 0, 2]), "{chip:?}");
        assert_eq!(value(mask, chip, "SPI_PS_INPUT_CNTL", 1), Some(10), "{chip:?}");
        assert_eq!(value(mask, chip, "SPI_PS_INPUT_CNTL", 0), Some(1 << 10), "{chip:?}");
    }
}

#[test]
fn inputs_declared_without_interpolation_are_flat() {
    let text = "FRAG\nDCL IN[0], GENERIC[0]\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    for chip in CHIPS {
        assert_eq!(value(text, chip, "SPI_PS_INPUT_CNTL", 0), Some(10 | 1 << 10), "{chip:?}");
    }
}

#[test]
fn the_sample_number_is_requested_if_inputs_are_per_sample() {
    let text = |place: &str| {
        format!(
            "FRAG\nDCL SV[0], SAMPLEMASK\nDCL IN[0], GENERIC[0], PERSPECTIVE{place}\nDCL OUT[0], COLOR\nDCL TEMP[0]\n\
             U2F TEMP[0], SV[0].xxxx\nADD OUT[0], TEMP[0], IN[0]\nEND\n"
        )
    };
    let is_enabled = |key, text: &str, chip| {
        value_with(key, text, chip, "SPI_PS_IN_CONTROL_1", 0).map(|bits| bits >> 24 & 1 == 1)
    };
    for chip in CHIPS {
        let shaded = || ShaderKey::default().sample_shading(true);
        assert_eq!(
            is_enabled(ShaderKey::default(), &text(", SAMPLE"), chip),
            Some(true),
            "{chip:?}"
        );
        assert_eq!(is_enabled(ShaderKey::default(), &text(""), chip), Some(false), "{chip:?}");
        assert_eq!(is_enabled(shaded(), &text(""), chip), Some(true), "{chip:?}");
    }
}

#[test]
fn the_position_is_per_sample_if_the_shader_runs_per_sample() {
    let text = |declarations: &str| {
        format!(
            "FRAG\n{declarations}DCL OUT[0], COLOR\nMOV OUT[0], {}\nEND\n",
            if declarations.contains("IN[0]") { "IN[0]" } else { "SV[0]" }
        )
    };
    let is_of_sample = |key, text: &str, chip| {
        value_with(key, text, chip, "SPI_PS_IN_CONTROL_0", 0).map(|bits| bits >> 30 & 1 == 1)
    };
    let of_samples = "DCL IN[1], GENERIC[0], PERSPECTIVE, SAMPLE\n";
    for chip in CHIPS {
        for position in
            ["DCL IN[0], POSITION, LINEAR\n", "DCL IN[0], POSITION\n", "DCL SV[0], POSITION\n"]
        {
            let shaded = ShaderKey::default().sample_shading(true);
            let plain = ShaderKey::default;
            assert_eq!(is_of_sample(shaded, &text(position), chip), Some(true), "{position}");
            assert_eq!(is_of_sample(plain(), &text(position), chip), Some(false), "{position}");
            // This holds whether they are read or not.
            let number = "DCL SV[1], SAMPLEID\n";
            let place = "DCL SV[1], SAMPLEPOS\n";
            for other in [of_samples, number, place] {
                let mixed = text(&format!("{position}{other}"));
                assert_eq!(is_of_sample(plain(), &mixed, chip), Some(true), "{position}{other}");
            }
        }
    }
}

#[test]
fn parameters_leave_room_for_the_position() {
    let inputs = "DCL IN[0..31], GENERIC[0], PERSPECTIVE\nDCL IN[32], POSITION, LINEAR\n";
    let sums: String = (0..32).map(|n| format!("ADD TEMP[0], TEMP[0], IN[{n}]\n")).collect();
    let text = format!(
        "FRAG\n{inputs}DCL OUT[0], COLOR\nDCL TEMP[0]\n{sums}ADD OUT[0], TEMP[0], IN[32]\nEND\n"
    );
    for chip in NEW {
        assert_eq!(places(&text, chip), [1, 0, 32], "{chip:?}");
    }
}

#[test]
fn a_copy_shader_leaves_attributes_to_the_vertex_shader() {
    let text = "VERT\nDCL IN[0], POSITION\nDCL IN[1], GENERIC[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n\
                MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n";
    for chip in OLD {
        let key = ShaderKey::default().vertex_as(VertexAs::Copy);
        assert_eq!(value_with(key.clone(), text, chip, "SQ_VTX_SEMANTIC_CLEAR", 0), None);
        assert_eq!(value_with(key, text, chip, "SQ_VTX_SEMANTIC", 0), None);
        assert_eq!(value(text, chip, "SQ_VTX_SEMANTIC_CLEAR", 0), Some(0xFFFF_FFFC));
    }
}

/// Attributes and barycentric pairs that nobody reads are still filled. Their registers must belong to the program, or
/// another wavefront's would be overwritten.
#[test]
fn registers_that_are_filled_belong_to_the_program() {
    let gprs = |text: &str, chip: Chip, name: &str| {
        value(text, chip, name, 0).expect("every shader has resources") & 0xFF
    };
    let fragment = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1..3], GENERIC[1], PERSPECTIVE\n\
                    DCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    let pairs = "FRAG\nDCL SV[0], FACE\nDCL IN[0], GENERIC[0], LINEAR\nDCL IN[1], GENERIC[1], PERSPECTIVE\n\
                 DCL IN[2], GENERIC[2], LINEAR, CENTROID\nDCL OUT[0], COLOR\nMOV OUT[0].x, IN[0].xxxx\nEND\n";
    let vertex = "VERT\nDCL IN[0..4]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
    for chip in OLD {
        // The others are not requested.
        assert_eq!(gprs(fragment, chip, "SQ_PGM_RESOURCES_PS"), 1, "{chip:?}");
    }
    for chip in NEW {
        // Three pairs fill two registers. The face is not requested.
        assert_eq!(gprs(pairs, chip, "SQ_PGM_RESOURCES_PS"), 2, "{chip:?}");
    }
    for chip in CHIPS {
        // R0 holds the numbers of vertex and instance.
        assert_eq!(gprs(vertex, chip, "SQ_PGM_RESOURCES_VS"), 6, "{chip:?}");
    }
}

#[test]
fn components_that_wrap_around_are_stated() {
    let text = "FRAG\nDCL IN[0], GENERIC[3], PERSPECTIVE\nDCL IN[1], GENERIC[4], LINEAR, CYLWRAP_XW\nDCL OUT[0], COLOR\n\
                ADD OUT[0], IN[0], IN[1]\nEND\n";
    for chip in CHIPS {
        let wraps = [0, 1].map(|index| {
            let word = value(text, chip, "SPI_PS_INPUT_CNTL", index).expect("both are listed");
            word >> 13 & 15
        });
        assert_eq!(wraps, [0, 0b1001], "{chip:?}");
    }
}

#[test]
fn unread_inputs_are_not_delivered() {
    let text = "FRAG\nDCL SV[0], FACE\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], POSITION, LINEAR\n\
                DCL IN[2], GENERIC[3], LINEAR\nDCL IN[3], GENERIC[5], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\n\
                IMM[0] FLT32 {0.0, 0.0, 0.0, 0.0}\nMUL TEMP[0], IN[0], IMM[0]\nADD TEMP[0].x, SV[0].xxxx, IN[1].xxxx\n\
                MOV OUT[0], IN[3]\nEND\n";
    for chip in CHIPS {
        let registers: Vec<u16> = slots(text, chip).iter().map(|slot| slot.register).collect();
        assert_eq!(registers, [3], "{chip:?}");
        assert_eq!(value(text, chip, "SPI_PS_INPUT_CNTL", 0).map(|word| word & 0xFF), Some(15));
        assert_eq!(value(text, chip, "SPI_PS_INPUT_CNTL", 1), None, "{chip:?}");
        let controls =
            ["SPI_PS_IN_CONTROL_0", "SPI_PS_IN_CONTROL_1"].map(|name| value(text, chip, name, 0));
        let [first, second] = controls.map(|word| word.expect("fragment shaders have it"));
        assert_eq!((first & 63, first >> 8 & 1, second >> 8 & 1), (1, 0, 0), "{chip:?}");
    }
    for chip in OLD {
        assert_eq!(slots(text, chip)[0].gpr, 0, "{chip:?}");
    }
}

#[test]
fn an_input_of_samples_stays_though_nothing_reads_it() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE, SAMPLE\nDCL IN[1], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\n\
                MOV OUT[0], IN[1]\nEND\n";
    for chip in CHIPS {
        assert_eq!(slots(text, chip).len(), 2, "{chip:?}");
    }
}

#[test]
fn attributes_stay_where_they_are_whether_they_are_read_or_not() {
    let text = "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[1]\nEND\n";
    for chip in CHIPS {
        let gprs: Vec<u8> = slots(text, chip).iter().map(|slot| slot.gpr).collect();
        assert_eq!(gprs, [1, 2], "{chip:?}");
    }
}

#[test]
fn back_colors_wrap_around_like_colors() {
    let text = "FRAG\nDCL IN[0], COLOR, PERSPECTIVE, CYLWRAP_XY\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    let key = ShaderKey::default().two_sided_color(true);
    for chip in CHIPS {
        // On old chips the face is also an input.
        let words =
            (0..3).filter_map(|n| value_with(key.clone(), text, chip, "SPI_PS_INPUT_CNTL", n));
        let wrapped = words.filter(|word| word >> 13 & 15 == 3).count();
        assert_eq!(wrapped, 2, "{chip:?}");
    }
}
