use r600_isa::Chip;

use crate::abi::{RingLayout, ShaderKey, StreamOutput, VertexAs, VertexFetch};
use crate::{Compiler, Options};

mod geometry;
mod inputs;
mod outputs;

/// The value of a register of `text` compiled for `chip`.
fn value(text: &str, chip: Chip, name: &str, index: u32) -> Option<u32> {
    value_with(ShaderKey::default(), text, chip, name, index)
}

/// The same with a key.
fn value_with(key: ShaderKey, text: &str, chip: Chip, name: &str, index: u32) -> Option<u32> {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    let options = Options::default().key(key);
    let compiler = Compiler::new(options).expect("the options are good");
    let compiled = compiler.compile(&parsed.shader, chip).expect("the shader compiles");
    compiled.state.iter().find(|r| r.name == name && r.index == index).map(|r| r.value)
}

const FRAGMENT: &str = "FRAG
DCL IN[0], COLOR, PERSPECTIVE
DCL IN[1], GENERIC[3], LINEAR
DCL IN[2], POSITION, LINEAR
DCL OUT[0], COLOR
DCL OUT[1], POSITION
IMM[0] FLT32 {0.5, 0.5, 0.5, 0.5}
KILL_IF IN[1]
ADD OUT[0], IN[0], IN[2]
MOV OUT[1].z, IMM[0].xxxx
END
";

const VERTEX: &str = "VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1], PSIZE
DCL OUT[2], COLOR
DCL OUT[3], GENERIC[1]
MOV OUT[0], IN[0]
MOV OUT[1].x, IN[0].wwww
MOV OUT[2], IN[0]
MOV OUT[3], IN[0]
END
";

#[test]
fn a_fragment_shader_of_r700_lists_its_inputs_by_gpr() {
    let get = |name: &str, index| value(FRAGMENT, Chip::Rv770, name, index);
    // Ones if no colour arrives; the linear input; the position, which is flat and linear.
    assert_eq!(get("SPI_PS_INPUT_CNTL", 0), Some(137 | 3 << 8));
    assert_eq!(get("SPI_PS_INPUT_CNTL", 1), Some(13 | 1 << 12));
    assert_eq!(get("SPI_PS_INPUT_CNTL", 2), Some(1 << 10 | 1 << 12));
    // Three inputs, the position in R2, both kinds of gradients.
    assert_eq!(get("SPI_PS_IN_CONTROL_0", 0), Some(3 | 1 << 8 | 2 << 10 | 1 << 26 | 3 << 28));
    assert_eq!(get("SPI_INPUT_Z", 0), Some(1));
    assert_eq!(get("SQ_PGM_EXPORTS_PS", 0), Some(3));
    assert_eq!(get("DB_SHADER_CONTROL", 0), Some(1 | 1 << 4 | 1 << 6));
    assert_eq!(get("CB_SHADER_MASK", 0), Some(0xF));
    assert_eq!(get("CB_SHADER_CONTROL", 0), Some(1));
    assert_eq!(get("SPI_BARYC_CNTL", 0), None);
}

#[test]
fn a_fragment_shader_of_evergreen_lists_parameters_and_pairs() {
    let get = |name: &str, index| value(FRAGMENT, Chip::Cypress, name, index);
    assert_eq!(get("SPI_PS_INPUT_CNTL", 1), Some(13));
    assert_eq!(get("SPI_PS_INPUT_CNTL", 2), None);
    // Perspective and linear at the centre.
    assert_eq!(get("SPI_BARYC_CNTL", 0), Some(1 | 1 << 16));
    // Two parameters, which take no register: the pairs are in R0, the position in R1.
    assert_eq!(get("SPI_PS_IN_CONTROL_0", 0), Some(2 | 1 << 8 | 1 << 10 | 3 << 28));
    assert_eq!(get("CB_SHADER_CONTROL", 0), None);
}

#[test]
fn a_vertex_shader_states_its_parameters() {
    for chip in [Chip::Rv610, Chip::Cayman] {
        let get = |name: &str, index| value(VERTEX, chip, name, index);
        assert_eq!(get("SPI_VS_OUT_ID", 0), Some(137 | 11 << 8));
        assert_eq!(get("SPI_VS_OUT_CONFIG", 0), Some(1 << 1));
        assert_eq!(get("PA_CL_VS_OUT_CNTL", 0), Some(1 << 16 | 1 << 21));
        // R0 holds the vertex id, R1 the attribute. The call of the fetch shader takes one stack entry.
        let resources = get("SQ_PGM_RESOURCES_VS", 0).expect("every shader has resources");
        assert_eq!(resources & 0xFF00, 1 << 8);
        assert_eq!(resources >> 21 & 1, 1);
    }
}

const GEOMETRY: &str = "GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 200
DCL IN[][0], POSITION
DCL IN[][1], GENERIC[0]
DCL SV[0], PRIM_ID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], LAYER
IMM[0] UINT32 {0, 0, 0, 0}
MOV OUT[0], IN[0][0]
MOV OUT[1], IN[1][1]
MOV OUT[2].x, SV[0].xxxx
EMIT IMM[0].xxxx
END
";

#[test]
fn a_geometry_shader_states_its_ring_sizes() {
    for chip in [Chip::Rv610, Chip::R600, Chip::Rv770, Chip::Cedar] {
        let get = |name: &str| value(GEOMETRY, chip, name, 0);
        // Two inputs. Three outputs, 200 times, rounded up as some chips require.
        assert_eq!(get("SQ_ESGS_RING_ITEMSIZE"), Some(8));
        assert_eq!(get("SQ_GS_VERT_ITEMSIZE"), Some(12));
        let item = if chip == Chip::Rv610 { 2400_u32.next_multiple_of(32) } else { 2400 };
        assert_eq!(get("SQ_GSVS_RING_ITEMSIZE"), Some(item), "{chip:?}");
        // A real geometry shader of at most 256 vertices, which makes triangles and reads the number.
        assert_eq!(get("VGT_GS_MODE"), Some(3 | 2 << 3));
        assert_eq!(get("VGT_GS_OUT_PRIM_TYPE"), Some(2));
        assert_eq!(get("VGT_PRIMITIVEID_EN"), Some(1));
        let limit = (chip.generation() > r600_isa::Generation::R600).then_some(200);
        assert_eq!(get("VGT_GS_MAX_VERT_OUT"), limit);
        assert!(get("SQ_PGM_RESOURCES_GS").is_some() && get("SQ_PGM_RESOURCES_VS").is_none());
    }
}

#[test]
fn a_compute_shader_states_its_group_size() {
    let text = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 4\nEND\n";
    let get = |name: &str, index| value(text, Chip::Cayman, name, index);
    assert_eq!(get("SPI_COMPUTE_NUM_THREAD", 0), Some(8));
    assert_eq!(get("SPI_COMPUTE_NUM_THREAD", 1), Some(4));
    assert_eq!(get("SPI_COMPUTE_NUM_THREAD", 2), None);
    assert_eq!(get("SPI_COMPUTE_INPUT_CNTL", 0), Some(7));
    assert!(get("SQ_PGM_RESOURCES_LS", 0).is_some());
}

#[test]
fn scratch_memory_is_given_in_dwords() {
    let text = |stage: &str, output: &str| {
        format!(
            "{stage}\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], {output}\nDCL TEMP[0..199], ARRAY(1)\n\
             DCL ADDR[0]\nARL ADDR[0].x, IN[0].xxxx\nMOV TEMP[ADDR[0].x](1), IN[0]\n\
             MOV OUT[0], TEMP[ADDR[0].x](1)\nEND\n"
        )
    };
    for chip in [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman] {
        let fragment = text("FRAG", "COLOR");
        assert_eq!(value(&fragment, chip, "SQ_PSTMP_RING_ITEMSIZE", 0), Some(800));
        let vertex = text("VERT", "POSITION").replace("IN[0], GENERIC[0], PERSPECTIVE", "IN[0]");
        assert_eq!(value(&vertex, chip, "SQ_VSTMP_RING_ITEMSIZE", 0), Some(800));
        assert_eq!(value(FRAGMENT, chip, "SQ_PSTMP_RING_ITEMSIZE", 0), None);
    }
}

const CHIPS: [Chip; 4] = [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman];
const OLD: [Chip; 3] = [Chip::Rv610, Chip::Rv770, Chip::Latte];
const NEW: [Chip; 2] = [Chip::Cedar, Chip::Cayman];

#[test]
fn one_colour_goes_to_all_buffers() {
    let one =
        "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0.0, 0.0, 0.0, 0.0}\nMOV OUT[0], IMM[0]\nEND\n";
    let all = one.replace("FRAG\n", "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\n");
    let key = |num_color_buffers| ShaderKey::default().num_color_buffers(num_color_buffers);
    for chip in OLD {
        let get = |text: &str, count| value_with(key(count), text, chip, "CB_COLOR_CONTROL", 0);
        assert_eq!([get(one, 3), get(&all, 1), get(&all, 3)], [Some(0), Some(0), Some(2)]);
        assert_eq!(value_with(key(3), &all, chip, "CB_SHADER_CONTROL", 0), Some(7));
        assert_eq!(value_with(key(3), &all, chip, "CB_SHADER_MASK", 0), Some(0xFFF));
    }
    for chip in NEW {
        assert_eq!(value_with(key(3), &all, chip, "CB_COLOR_CONTROL", 0), None);
        assert_eq!(value_with(key(3), &all, chip, "CB_SHADER_MASK", 0), Some(0xFFF));
    }
}

#[test]
fn buffers_below_the_last_colour_get_an_export_each_where_exports_are_counted() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR[1]\nDCL OUT[1], COLOR[3]\n\
                MOV OUT[0], IN[0]\nMOV OUT[1], IN[0]\nEND\n";
    let shader = tgsi_text::parse(text).shader;
    for chip in CHIPS {
        let key = || ShaderKey::default().num_color_buffers(4);
        let compiler = Compiler::new(Options::default().key(key())).expect("the options are good");
        let compiled = compiler.compile(&shader, chip).expect("the shader compiles");
        let exports = compiled.program.to_string();
        let is_counted = OLD.contains(&chip);
        assert_eq!(exports.matches("PIX0").count(), usize::from(is_counted), "{exports}");
        let findings = compiled.program.verify();
        assert!(findings.is_empty(), "{findings:?}");
        let get = |name| value_with(key(), text, chip, name, 0);
        assert_eq!(get("SQ_PGM_EXPORTS_PS"), Some(4 << 1));
        assert_eq!(get("CB_SHADER_MASK"), Some(if is_counted { 0xF1FF } else { 0xF1F1 }));
    }
}

#[test]
fn flags_are_on_unless_they_are_zero() {
    let vertex =
        |n| VERTEX.replace("VERT\n", &format!("VERT\nPROPERTY VS_WINDOW_SPACE_POSITION {n}\n"));
    let colour = |n| {
        let text =
            FRAGMENT.replace("FRAG\n", &format!("FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS {n}\n"));
        value_with(
            ShaderKey::default().num_color_buffers(2),
            &text,
            Chip::Rv770,
            "CB_SHADER_MASK",
            0,
        )
    };
    let early = |n| {
        let text =
            FRAGMENT.replace("FRAG\n", &format!("FRAG\nPROPERTY FS_EARLY_DEPTH_STENCIL {n}\n"));
        value(&text, Chip::Cedar, "DB_SHADER_CONTROL", 0).map(|bits| bits >> 15 & 1)
    };
    for n in [1, 7] {
        assert_eq!(value(&vertex(n), Chip::Cedar, "PA_CL_VTE_CNTL", 0), Some(3 << 8));
        assert_eq!(colour(n), Some(0xFF));
        assert_eq!(early(n), Some(1));
    }
    assert_eq!(value(&vertex(0), Chip::Cedar, "PA_CL_VTE_CNTL", 0), Some(0x3F | 1 << 10));
    assert_eq!((colour(0), early(0)), (Some(0xF), Some(0)));
}

#[test]
fn narrow_colours_are_exported_in_pairs_unless_depth_is_exported() {
    let colour = "FRAG\nDCL IN[0], COLOR, COLOR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    let key = || ShaderKey::default().narrow_color_buffers(true);
    for chip in CHIPS {
        let get = |key, text| value_with(key, text, chip, "DB_SHADER_CONTROL", 0).unwrap_or(0);
        let format = if NEW.contains(&chip) { 2 << 13 } else { 0 };
        assert_eq!(get(ShaderKey::default(), colour) & (1 << 9 | 3 << 13), 0);
        assert_eq!(get(key(), colour) & (1 << 9 | 3 << 13), 1 << 9 | format);
        assert_eq!(get(key(), FRAGMENT) & (1 << 9 | 3 << 13), 0);
    }
}

#[test]
fn the_depth_layout_is_stated() {
    for (number, want) in [(0, 0), (1, 0), (2, 2), (3, 1), (4, 0)] {
        let text =
            FRAGMENT.replace("FRAG\n", &format!("FRAG\nPROPERTY FS_DEPTH_LAYOUT {number}\n"));
        for chip in CHIPS {
            let get = |name| value(&text, chip, name, 0);
            let late = get("DB_SHADER_CONTROL").map(|bits| bits >> 16 & 3);
            let is_new = NEW.contains(&chip);
            assert_eq!(late, Some(if is_new { want } else { 0 }), "{chip:?}");
            let early = (chip == Chip::Rv770).then_some(want << 13);
            assert_eq!(get("DB_RENDER_CONTROL"), early, "{chip:?}");
        }
    }
}

#[test]
fn hidden_fragments_that_write_memory_run_unless_tested_early() {
    let text = "FRAG\nDCL BUFFER[0]\nDCL OUT[0], COLOR\nIMM[0] UINT32 {0, 0, 0, 0}\n\
                STORE BUFFER[0].x, IMM[0].xxxx, IMM[0]\nMOV OUT[0], IMM[0]\nEND\n";
    let early = text.replace("FRAG\n", "FRAG\nPROPERTY FS_EARLY_DEPTH_STENCIL 1\n");
    let fields = 3 << 4 | 3 << 10 | 1 << 15;
    for chip in NEW {
        let get = |text: &str| value(text, chip, "DB_SHADER_CONTROL", 0).unwrap_or(0) & fields;
        assert_eq!(get(text), 3 << 10);
        assert_eq!(get(&early), 1 << 4 | 1 << 11 | 1 << 15);
        assert_eq!(get(FRAGMENT), 1 << 4);
    }
}

#[test]
fn per_sample_and_flat_inputs_are_stated() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE, SAMPLE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    for chip in CHIPS {
        let control = value(text, chip, "SPI_PS_IN_CONTROL_0", 0).unwrap_or(0);
        assert_eq!(control >> 31, u32::from(OLD.contains(&chip)), "{chip:?}");
        assert_eq!(value(text, chip, "SPI_INTERP_CONTROL_0", 0), Some(1));
        let control = value(FRAGMENT, chip, "SPI_PS_IN_CONTROL_0", 0).unwrap_or(0);
        assert_eq!(control >> 31, 0);
    }
}

#[test]
fn positions_in_the_window_stay_as_they_are() {
    let window = VERTEX.replace("VERT\n", "VERT\nPROPERTY VS_WINDOW_SPACE_POSITION 1\n");
    for chip in CHIPS {
        assert_eq!(value(VERTEX, chip, "PA_CL_VTE_CNTL", 0), Some(0x3F | 1 << 10));
        assert_eq!(value(&window, chip, "PA_CL_VTE_CNTL", 0), Some(3 << 8));
    }
}

#[test]
fn latte_has_a_side_bus_and_attributes_by_number() {
    let get = |name, index| value(VERTEX, Chip::Latte, name, index);
    assert_eq!(get("PA_CL_VS_OUT_CNTL", 0), Some(1 << 16 | 1 << 21 | 1 << 24));
    assert_eq!(get("SQ_VTX_SEMANTIC", 0), Some(0));
    assert_eq!(get("SQ_VTX_SEMANTIC", 1), None);
    assert_eq!(get("SQ_VTX_SEMANTIC_CLEAR", 0), Some(0xFFFF_FFFE));
    assert_eq!(get("VGT_VERTEX_REUSE_BLOCK_CNTL", 0), Some(14));
    assert_eq!(get("VGT_HOS_REUSE_DEPTH", 0), Some(16));
    let preloaded = ShaderKey::default().vertex_fetch(VertexFetch::Preloaded);
    let name = "SQ_VTX_SEMANTIC_CLEAR";
    assert_eq!(value_with(preloaded, VERTEX, Chip::Latte, name, 0), None);
    assert_eq!(value(VERTEX, Chip::Cedar, name, 0), None);
    let mut many = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1..22], GENERIC[0]\n".to_owned();
    (0..=22).for_each(|n| many += &format!("MOV OUT[{n}], IN[0]\n"));
    many += "END\n";
    assert_eq!(value(&many, Chip::Latte, "VGT_VERTEX_REUSE_BLOCK_CNTL", 0), Some(2));
    assert_eq!(value(&many, Chip::Latte, "VGT_HOS_REUSE_DEPTH", 0), Some(4));
}

#[test]
fn stream_output_names_its_buffers() {
    let output = |buffer| StreamOutput {
        register: 0,
        first_component: 0,
        num_components: 4,
        buffer,
        offset: 0,
        stream: 0,
    };
    let key = || ShaderKey::default().stream_outputs(vec![output(0), output(2)]);
    for chip in CHIPS {
        let get = |name| value_with(key(), VERTEX, chip, name, 0);
        let (enable, buffers) = match NEW.contains(&chip) {
            true => ("VGT_STRMOUT_CONFIG", "VGT_STRMOUT_BUFFER_CONFIG"),
            false => ("VGT_STRMOUT_EN", "VGT_STRMOUT_BUFFER_EN"),
        };
        assert_eq!((get(enable), get(buffers)), (Some(1), Some(5)), "{chip:?}");
        let plain = value(VERTEX, chip, enable, 0);
        assert_eq!(plain, Some(0));
    }
}

#[test]
fn each_stage_has_its_own_resources() {
    let layout = RingLayout::of_inputs(&tgsi_text::parse(GEOMETRY).shader);
    let roles = [
        (VertexAs::Vertex, "SQ_PGM_RESOURCES_VS"),
        (VertexAs::Export(layout), "SQ_PGM_RESOURCES_ES"),
        (VertexAs::Local, "SQ_PGM_RESOURCES_LS"),
    ];
    let all = roles.iter().map(|(_, name)| *name).collect::<Vec<_>>();
    for (vertex_as, own) in roles {
        let key = ShaderKey::default().vertex_as(vertex_as);
        for name in &all {
            let value = value_with(key.clone(), VERTEX, Chip::Cedar, name, 0);
            assert_eq!(value.is_some(), *name == own, "{name} of what runs as {own}");
        }
        // Only the last stage exports.
        let exports = value_with(key.clone(), VERTEX, Chip::Cedar, "SPI_VS_OUT_CONFIG", 0);
        assert_eq!(exports.is_some(), own == "SQ_PGM_RESOURCES_VS");
    }
    let control = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL OUT[0], TESSOUTER\nIMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}\n\
                   MOV OUT[0], IMM[0]\nEND\n";
    assert!(value(control, Chip::Cedar, "SQ_PGM_RESOURCES_HS", 0).is_some());
}

#[test]
fn an_evaluation_shader_states_its_primitives() {
    let text = |lines: &str| {
        format!(
            "TESS_EVAL\n{lines}DCL SV[0], TESSCOORD\nDCL OUT[0], POSITION\nMOV OUT[0], SV[0]\nEND\n"
        )
    };
    for (lines, want) in [
        ("PROPERTY TES_PRIM_MODE 4\nPROPERTY TES_SPACING 2\n", 1 | 2 << 5),
        (
            "PROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 0\nPROPERTY TES_VERTEX_ORDER_CW 1\n",
            2 | 2 << 2 | 3 << 5,
        ),
        ("PROPERTY TES_PRIM_MODE 1\nPROPERTY TES_SPACING 1\n", 3 << 2 | 1 << 5),
        ("PROPERTY TES_PRIM_MODE 1\nPROPERTY TES_SPACING 2\nPROPERTY TES_POINT_MODE 1\n", 0),
    ] {
        assert_eq!(value(&text(lines), Chip::Cayman, "VGT_TF_PARAM", 0), Some(want), "{lines}");
    }
}

#[test]
fn a_geometry_shader_states_its_invocation_count() {
    let often = GEOMETRY.replace("GEOM\n", "GEOM\nPROPERTY GS_INVOCATIONS 5\n");
    assert_eq!(value(&often, Chip::Cedar, "VGT_GS_INSTANCE_CNT", 0), Some(1 | 5 << 2));
    assert_eq!(value(GEOMETRY, Chip::Cedar, "VGT_GS_INSTANCE_CNT", 0), Some(1 << 2));
    assert_eq!(value(GEOMETRY, Chip::Rv770, "VGT_GS_INSTANCE_CNT", 0), None);
}
