//! Settings of sources: read, refused, and listed so that they make the same shader.

use gx2_gfd::{
    GeometryShader, PixelShader, Setting, SettingError, ShaderMode, VarType, VertexShader, vertex,
};

use crate::support::{name, tables, vertex_shader};

fn setting(line: &str) -> Result<Setting, SettingError> {
    let (name, value) = line.split_once(" = ").unwrap();
    Setting::new(name.trim_start_matches('$'), value.trim_matches('"'))
}

fn vertex_of(lines: &[&str]) -> Result<VertexShader, SettingError> {
    let mut shader = VertexShader { buffer: Some([0; 4]), ..VertexShader::default() };
    lines.iter().try_for_each(|line| shader.apply(&setting(line)?))?;
    Ok(shader)
}

#[test]
fn settings_are_read_in_any_case() {
    let shader = vertex_of(&[
        "$MODE = \"UniformBlock\"",
        "$Sq_Pgm_Resources_VS.num_gprs = 0x1F",
        "$SPI_VS_OUT_ID[1].SEMANTIC_2 = 7",
        "$NUM_SPI_VS_OUT_ID = 2",
        "$PA_CL_VS_OUT_CNTL.USE_VTX_POINT_SIZE = TRUE",
        "$UNIFORM_VARS[1].name = \"m\"",
        "$UNIFORM_VARS[1].type = \"mat4\"",
        "$UNIFORM_VARS[1].block = -1",
        "$ATTRIB_VARS[0].type = \"vec2\"",
        "$STREAM_OUT_STRIDE[3] = 16",
    ])
    .unwrap();
    assert_eq!(shader.mode, ShaderMode::UNIFORM_BLOCK);
    assert_eq!(shader.registers.get(vertex::SQ_PGM_RESOURCES_VS, 0), 0x1F);
    assert_eq!(shader.registers.get(vertex::SPI_VS_OUT_ID, 1), 7 << 16);
    assert_eq!(shader.registers.get(vertex::NUM_SPI_VS_OUT_ID, 0), 2);
    assert_eq!(shader.registers.get(vertex::PA_CL_VS_OUT_CNTL, 0), 1 << 16);
    let [first, second] = &shader.tables.uniform_vars[..] else { panic!("two uniforms") };
    assert_eq!((first.kind, first.count, first.block), (VarType::FLOAT4, 1, 0));
    assert_eq!((second.kind, second.block, &second.name), (VarType::FLOAT4X4, -1, &name("m")));
    assert_eq!(shader.attrib_vars[0].kind, VarType::FLOAT2);
    assert_eq!(shader.ring.stream_out_stride, [0, 0, 0, 16]);
}

#[test]
fn wrong_settings_say_what_is_wrong() {
    for (line, message) in [
        ("$SQ_PGM[ = 1", "`SQ_PGM[` is not the name of a setting"),
        ("$A[x] = 1", "`A[x]` is not the name of a setting"),
        ("$A[0]B = 1", "`A[0]B` is not the name of a setting"),
        ("$SPI_INPUT_Z = 1", "shaders of this stage have no `SPI_INPUT_Z`"),
        ("$SQ_PGM_RESOURCES_VS.GPRS = 1", "`SQ_PGM_RESOURCES_VS` has no `GPRS`"),
        ("$SQ_PGM_RESOURCES_VS.NUM_GPRS = 256", "`NUM_GPRS` is at most 255"),
        ("$SQ_PGM_RESOURCES_VS.NUM_GPRS = many", "`many` is not a number"),
        ("$SPI_VS_OUT_ID[10].SEMANTIC_0 = 1", "`SPI_VS_OUT_ID` has elements 0 to 9"),
        ("$SPI_VS_OUT_ID.SEMANTIC_0 = 1", "`SPI_VS_OUT_ID` has elements 0 to 9"),
        ("$UNIFORM_VARS[256].NAME = \"a\"", "`UNIFORM_VARS` has elements 0 to 255"),
        ("$UNIFORM_VARS[0] = \"a\"", "`UNIFORM_VARS` is set member by member"),
        ("$UNIFORM_VARS[0].TYPE = \"vec9\"", "`vec9` is not a type"),
        ("$SAMPLER_VARS[0].KIND = 1", "`SAMPLER_VARS` has no `KIND`"),
        ("$INITIAL_VALUES[0].VALUE[4] = 1.0", "`INITIAL_VALUES` has no `VALUE[4]`"),
        ("$MODE = \"Fast\"", "`Fast` is not a mode"),
        ("$MODE[1] = 0", "`MODE` has elements 0 to 0"),
        ("$MODE.FAST = 0", "`MODE` has no `FAST`"),
        ("$RING_ITEM_SIZE[7] = 4", "`RING_ITEM_SIZE` has elements 0 to 0"),
        ("$HAS_STREAM_OUT.BUFFER_0 = 1", "`HAS_STREAM_OUT` has no `BUFFER_0`"),
        ("$STREAM_OUT_STRIDE[0].X = 4", "`STREAM_OUT_STRIDE` has no `X`"),
    ] {
        assert_eq!(vertex_of(&[line]).unwrap_err().to_string(), message, "{line}");
    }
}

#[test]
fn listed_settings_make_the_same_shader() {
    let mut wanted = vertex_shader();
    wanted.attrib_vars[1].name = name("color");
    wanted.registers.set(vertex::SPI_VS_OUT_CONFIG, 0, 0xFFFF_FFFF);
    wanted.registers.set(vertex::VGT_STRMOUT_BUFFER_EN, 0, 5);
    (wanted.ring.item_size, wanted.ring.has_stream_out) = (12, 1);
    let base = VertexShader { buffer: Some([0; 4]), ..VertexShader::default() };
    let lines = wanted.settings(&base);
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    assert_eq!(vertex_of(&lines), Ok(wanted));

    let wanted = PixelShader { tables: tables(), ..PixelShader::default() };
    let mut shader = PixelShader::default();
    for line in wanted.settings(&shader) {
        shader.apply(&setting(&line).unwrap()).unwrap();
    }
    assert_eq!(shader, wanted);

    let wanted = GeometryShader {
        ring: gx2_gfd::Ring { item_size: 9, ..Default::default() },
        tables: tables(),
        ..Default::default()
    };
    let mut shader = GeometryShader::default();
    for line in wanted.settings(&shader) {
        shader.apply(&setting(&line).unwrap()).unwrap();
    }
    assert_eq!(shader, wanted);
}
