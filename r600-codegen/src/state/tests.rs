use r600_isa::Chip;

use crate::{Compiler, Options};

/// The value of a register of `text` compiled for `chip`.
fn value(text: &str, chip: Chip, name: &str, index: u32) -> Option<u32> {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    let compiler = Compiler::new(Options::default()).expect("the default options are good");
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
    // Ones where no colour comes; the linear input; the position, which is flat and linear.
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
    // Two parameters; the pairs take R0, the inputs follow, of which the position is the third.
    assert_eq!(get("SPI_PS_IN_CONTROL_0", 0), Some(2 | 1 << 8 | 3 << 10 | 3 << 28));
    assert_eq!(get("CB_SHADER_CONTROL", 0), None);
}

#[test]
fn a_vertex_shader_tells_its_parameters() {
    for chip in [Chip::Rv610, Chip::Cayman] {
        let get = |name: &str, index| value(VERTEX, chip, name, index);
        assert_eq!(get("SPI_VS_OUT_ID", 0), Some(137 | 11 << 8));
        assert_eq!(get("SPI_VS_OUT_CONFIG", 0), Some(1 << 1));
        assert_eq!(get("PA_CL_VS_OUT_CNTL", 0), Some(1 << 16 | 1 << 21));
        // R0 is the vertex id's, R1 the attribute's; a call of the fetch shader takes an entry.
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
fn a_geometry_shader_tells_the_sizes_of_its_rings() {
    for chip in [Chip::Rv610, Chip::R600, Chip::Rv770, Chip::Cedar] {
        let get = |name: &str| value(GEOMETRY, chip, name, 0);
        // Two inputs; three outputs, 200 times, rounded up as some chips want it.
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
fn a_compute_shader_tells_the_size_of_its_group() {
    let text = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 4\nEND\n";
    let get = |name: &str, index| value(text, Chip::Cayman, name, index);
    assert_eq!(get("SPI_COMPUTE_NUM_THREAD", 0), Some(8));
    assert_eq!(get("SPI_COMPUTE_NUM_THREAD", 1), Some(4));
    assert_eq!(get("SPI_COMPUTE_NUM_THREAD", 2), None);
    assert_eq!(get("SPI_COMPUTE_INPUT_CNTL", 0), Some(7));
    assert!(get("SQ_PGM_RESOURCES_LS", 0).is_some());
}

#[test]
fn scratch_memory_is_told_in_dwords() {
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
