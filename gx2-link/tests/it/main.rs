//! What structures say of shaders.

mod names;

use gx2_gfd::{NewShader, PixelShader, VarType, VertexShader, pixel, vertex};
use gx2_link::{LinkError, Options, Stage, StageError, Uniforms, link};
use r600_isa::{Clause, FetchInst, Generation, Program};
use tgsi_spirv::interface::{Interface, Resource, Scalar, Texture, ValueType, Varying};

/// The structures of a vertex and a pixel shader.
fn linked(texts: [&str; 2], options: &Options) -> (VertexShader, PixelShader) {
    let mut shaders = link(&texts.map(stage), options).expect("the shaders match").into_iter();
    let pair = match (shaders.next(), shaders.next()) {
        (Some(NewShader::Vertex { shader, .. }), Some(NewShader::Pixel { shader: pixel, .. })) => {
            Some((shader, pixel))
        }
        _ => None,
    };
    pair.expect("shaders come in the order of their stages")
}

fn stage(text: &str) -> Stage {
    let parsed = tgsi_text::parse(text);
    assert!(!parsed.has_errors(), "{text}");
    Stage::new(parsed.shader)
}

const VERTEX: &str = "VERT
DCL IN[0]
DCL IN[3]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], GENERIC[5]
DCL CONST[1][0..2]
MOV OUT[0], IN[0]
MUL OUT[1], IN[3], CONST[1][2]
MOV OUT[2], IN[3]
END
";
const PIXEL: &str = "FRAG
DCL IN[0], POSITION, LINEAR
DCL IN[1], GENERIC[5], PERSPECTIVE
DCL OUT[0], COLOR
DCL OUT[1], COLOR[1]
DCL SAMP[2]
DCL SVIEW[2], CUBE, FLOAT
TEX OUT[0], IN[1], SAMP[2], CUBE
MOV OUT[1], IN[0]
END
";

/// Why the shaders are not linked.
fn refusal(texts: &[&str]) -> String {
    let stages: Vec<Stage> = texts.iter().map(|text| stage(text)).collect();
    link(&stages, &Options::default()).expect_err("they do not match").to_string()
}

const PLAIN: &str = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";

#[test]
fn features_without_state_in_games_are_named() {
    let far = "VERT\nDCL IN[0]\nDCL IN[32]\nDCL OUT[0], POSITION\nADD OUT[0], IN[0], IN[32]\nEND\n";
    let place = "IN[32]: the fetches of this chip fill 32 registers; use attributes 0 to 31";
    assert_eq!(refusal(&[far]), place);
    let geometry = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
                    PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
                    IMM[0] UINT32 {0, 0, 0, 0}\nMOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n";
    assert_eq!(refusal(&[far, geometry]), place);
    let window = PLAIN.replace("VERT\n", "VERT\nPROPERTY VS_WINDOW_SPACE_POSITION 1\n");
    assert!(refusal(&[&window]).contains("positions are in window space"));
    let color = |declared: &str, value: &str| {
        format!("FRAG\n{declared}\nDCL OUT[0], COLOR\nMOV OUT[0], {value}\nEND\n")
    };
    let places = color("DCL SV[0], SAMPLEID\nDCL SV[1], SAMPLEPOS", "SV[1]");
    assert!(refusal(&[PLAIN, &places]).contains("the driver's constant sample_places"));
    let number = color("DCL IN[0], PRIM_ID, CONSTANT", "IN[0]");
    assert!(refusal(&[PLAIN, &number]).contains("PRIM_ID[0] is read"));
    // What goes to another stream is not rasterised.
    let writes = geometry
        .replace(
            "DCL OUT[0], POSITION",
            "DCL OUT[0], POSITION\nDCL OUT[1], PRIM_ID, STREAM(1, 1, 1, 1)",
        )
        .replace("EMIT", "MOV OUT[1], IMM[0]\nEMIT");
    assert!(refusal(&[PLAIN, &writes, &number]).contains("PRIM_ID[0] is read"));
}

#[test]
fn registers_are_as_a_loader_expects_them() {
    let (shader, fragment) = linked([VERTEX, PIXEL], &Options::default());
    let registers = &shader.registers;
    assert_eq!(registers.get(vertex::NUM_SPI_VS_OUT_ID, 0), 1);
    assert_eq!(registers.get(vertex::SPI_VS_OUT_ID, 0), 0xFFFF_0F0A);
    assert_eq!(registers.get(vertex::SPI_VS_OUT_ID, 1), u32::MAX);
    assert_eq!(registers.get(vertex::NUM_SQ_VTX_SEMANTIC, 0), 4);
    let semantics: Vec<u32> = registers.all(vertex::SQ_VTX_SEMANTIC)[..5].to_vec();
    assert_eq!(semantics, [0, 0xFF, 0xFF, 3, 0xFF]);
    assert_eq!(registers.get(vertex::SQ_VTX_SEMANTIC_CLEAR, 0), !0xF);
    let registers = &fragment.registers;
    assert_eq!(registers.get(pixel::NUM_SPI_PS_INPUT_CNTL, 0), 2);
    let ids: Vec<u32> = registers.all(pixel::SPI_PS_INPUT_CNTL)[..2].to_vec();
    assert!(ids.iter().any(|word| word & 0xFF == 15), "{ids:x?}");
    assert_eq!(registers.field(pixel::SPI_PS_IN_CONTROL_0, 0, "BARYC_SAMPLE_CNTL"), 1);
    assert_eq!(registers.field(pixel::SPI_PS_IN_CONTROL_0, 0, "POSITION_ENA"), 1);
    assert_eq!(registers.get(pixel::SQ_PGM_EXPORTS_PS, 0), 4);
    assert_eq!(registers.get(pixel::CB_SHADER_MASK, 0), 0xFF);
}

#[test]
fn tables_have_names_types_and_places() {
    let (shader, fragment) = linked([VERTEX, PIXEL], &Options::default());
    let attributes: Vec<_> =
        shader.attrib_vars.iter().map(|var| (var.name.clone(), var.location)).collect();
    assert_eq!(attributes, [(Some("IN[0]".into()), 0), (Some("IN[3]".into()), 3)]);
    let block = &shader.tables.uniform_blocks[0];
    assert_eq!((block.name.clone(), block.location, block.size), (Some("CONST[1]".into()), 1, 48));
    let var = &shader.tables.uniform_vars[0];
    assert_eq!((var.kind, var.count, var.offset, var.block), (VarType::FLOAT4, 3, 0, 0));
    let sampler = &fragment.tables.sampler_vars[0];
    assert_eq!((sampler.name.clone(), sampler.location), (Some("SAMP[2]".into()), 2));
    assert_eq!(sampler.kind, gx2_gfd::SamplerType::SAMPLER_CUBE);
}

#[test]
fn uniform_registers_take_the_place_of_block_0() {
    let vertex = VERTEX.replace("CONST[1]", "CONST[0]");
    let options = Options::default().uniforms(Uniforms::Registers);
    let (shader, fragment) = linked([&vertex, PIXEL], &options);
    assert_eq!(shader.mode, gx2_gfd::ShaderMode::UNIFORM_REGISTER);
    assert_eq!(fragment.mode, shader.mode);
    assert!(shader.tables.uniform_blocks.is_empty());
    assert_eq!(shader.tables.uniform_vars[0].block, -1);
}

#[test]
fn features_the_console_lacks_are_named() {
    let buffer = "FRAG
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], BUFFER, FLOAT
IMM[0] UINT32 {0, 0, 0, 0}
TXF OUT[0], IMM[0], SAMP[0], BUFFER
END
";
    let error = link(&[stage(buffer)], &Options::default()).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("the driver's constant view_"), "{message}");
    let compute = stage("COMP\nEND\n");
    let error = link(&[compute], &Options::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a draw has vertex, geometry and pixel shaders, but this is a compute shader"
    );
    let texture = PIXEL.replace("SAMP[2]", "SAMP[16]").replace("SVIEW[2]", "SVIEW[16]");
    let error = link(&[stage(&texture)], &Options::default()).unwrap_err();
    assert!(matches!(error, LinkError::Stage { error: StageError::Texture(16), .. }), "{error}");
}

/// What `dvec4` is under OpenGL.
#[test]
fn a_parameter_with_the_reserved_id_is_refused() {
    let texts = |semantic: &str, index: u32| {
        let parameter = format!("{semantic}[{index}]");
        let texts = [VERTEX, PIXEL].map(|text| text.replace("GENERIC[5]", &parameter));
        texts.map(|text| stage(&text))
    };
    for (semantic, last) in [("GENERIC", 244), ("TEXCOORD", 253)] {
        let [vertex, pixel] = texts(semantic, last);
        assert!(link(&[vertex, pixel], &Options::default()).is_ok(), "{semantic}");
        let [vertex, pixel] = texts(semantic, last + 1);
        let want = format!(
            "{semantic}[{}] has id 255, which means no parameter to GX2; use {semantic} up to {last}",
            last + 1
        );
        for stages in [&[vertex][..], &[pixel]] {
            let error = link(stages, &Options::default()).expect_err("it has no id");
            assert_eq!(error.to_string(), want);
        }
    }
}

#[test]
fn an_attribute_of_one_location_and_two_registers_is_refused() {
    let mut vertex = stage(VERTEX);
    vertex.names.attributes[1].location = vertex.names.attributes[0].location;
    let error = link(&[vertex, stage(PIXEL)], &Options::default()).unwrap_err();
    assert!(
        matches!(error, LinkError::Stage { error: StageError::WideAttribute(0), .. }),
        "{error}"
    );
}

/// The buffers that a program fetches from.
fn fetched(program: &[u8]) -> Vec<u8> {
    let words = gx2_gfd::program_words(program);
    let program = Program::decode(&words, Generation::R700);
    let clauses = program.clauses.iter().filter_map(|clause| match clause {
        Clause::Fetch(fetches) => Some(fetches),
        _ => None,
    });
    let buffers = clauses.flatten().filter_map(|fetch| match fetch {
        FetchInst::Vtx(fetch) => Some(fetch.buffer_id),
        _ => None,
    });
    buffers.collect::<std::collections::BTreeSet<u8>>().into_iter().collect()
}

#[test]
fn geometry_shaders_have_rings_and_a_mode() {
    let vertex = "VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
MOV OUT[0], IN[0]
MOV OUT[1], IN[0]
END
";
    let geometry = "GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 3
DCL IN[][0], POSITION
DCL IN[][1], GENERIC[0]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[5]
IMM[0] UINT32 {0, 0, 0, 0}
MOV OUT[0], IN[0][0]
MOV OUT[1], IN[1][1]
EMIT IMM[0].xxxx
END
";
    let stages = [vertex, geometry, PIXEL].map(stage);
    let shaders = link(&stages, &Options::default()).expect("the shaders match");
    let [NewShader::Vertex { shader: first, .. }, NewShader::Geometry { shader, program, copy }, _] =
        &shaders[..]
    else {
        panic!("{shaders:?}")
    };
    assert_eq!(first.mode, gx2_gfd::ShaderMode::GEOMETRY_SHADER);
    assert_eq!((first.ring.item_size, shader.ring.item_size), (8, 24));
    assert_eq!(shader.registers.get(gx2_gfd::geometry::NUM_SPI_VS_OUT_ID, 0), 1);
    assert_eq!(first.registers.get(vertex::VGT_VERTEX_REUSE_BLOCK_CNTL, 0), 14);
    assert_eq!((fetched(program), fetched(copy)), (vec![0x9F], vec![0x9F]));
    let registers = Options::default().uniforms(Uniforms::Registers);
    let error = link(&stages, &registers).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a geometry shader has no uniform registers, and a draw has one mode for all shaders"
    );
    let skipped = link(&[stage(vertex), stage(PIXEL)], &Options::default()).unwrap_err();
    assert_eq!(skipped.to_string(), "GENERIC[5] is read, but the previous stage does not write it");
}

/// What a module calls the registers of a vertex shader, where its matrix and its array are read in parts only.
fn interface_in_parts() -> Interface {
    let varying = |name: &str, [first, location]: [u32; 2], register, num_registers, ty| Varying {
        name: name.to_owned(),
        location: Some(location),
        first_location: Some(first),
        component: 0,
        built_in: None,
        is_patch: false,
        register,
        num_registers,
        is_system_value: false,
        num_components: 4,
        ty: Some(ty),
    };
    let vector = ValueType { scalar: Scalar::Float, rows: 4, columns: 1, elements: None };
    let matrix = ValueType { columns: 4, ..vector };
    let array = ValueType { elements: Some(3), ..vector };
    let inputs = vec![
        varying("plain", [0, 0], 0, 1, vector),
        varying("matrix", [2, 3], 1, 2, matrix),
        varying("array", [6, 6], 3, 1, array),
        varying("array", [6, 8], 4, 1, array),
    ];
    Interface { inputs, ..Interface::default() }
}

#[test]
fn attributes_are_listed_once_from_their_first_location() {
    let text = "VERT
DCL IN[0..4]
DCL OUT[0], POSITION
DCL TEMP[0]
ADD TEMP[0], IN[0], IN[1]
ADD TEMP[0], TEMP[0], IN[2]
ADD TEMP[0], TEMP[0], IN[3]
ADD OUT[0], TEMP[0], IN[4]
END
";
    let vertex = Stage::translated(stage(text).shader, &interface_in_parts());
    let pixel =
        stage("FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0, 0, 0, 1}\nMOV OUT[0], IMM[0]\nEND\n");
    let shaders = link(&[vertex, pixel], &Options::default()).expect("the shaders match");
    let Some(NewShader::Vertex { shader, .. }) = shaders.first() else {
        unreachable!("shaders come in the order of their stages")
    };
    let semantics: Vec<u32> = shader.registers.all(vertex::SQ_VTX_SEMANTIC)[..5].to_vec();
    assert_eq!(semantics, [0, 3, 4, 6, 8]);
    let var = |var: &gx2_gfd::AttribVar| {
        (var.name.as_ref().map(ToString::to_string), var.kind, var.count, var.locations())
    };
    let vars: Vec<_> = shader.attrib_vars.iter().map(var).collect();
    let name = |name: &str| Some(name.to_owned());
    assert_eq!(
        vars,
        [
            (name("plain"), VarType::FLOAT4, 0, 0..1),
            (name("matrix"), VarType::FLOAT4X4, 0, 2..6),
            (name("array"), VarType::FLOAT4, 3, 6..9),
        ]
    );
}

#[test]
fn textures_of_one_variable_have_names_of_their_own() {
    let text = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0..1]
DCL SVIEW[0..1], 2D, FLOAT
DCL TEMP[0..1]
TEX TEMP[0], IN[0], SAMP[0], 2D
TEX TEMP[1], IN[0], SAMP[1], 2D
ADD OUT[0], TEMP[0], TEMP[1]
END
";
    let texture = |unit: u16| Texture {
        unit,
        image: Resource {
            register: unit,
            name: "pages".to_owned(),
            set: None,
            binding: Some(0),
            location: None,
            element: unit.into(),
        },
        sampler: None,
    };
    let interface = Interface { textures: vec![texture(0), texture(1)], ..Interface::default() };
    let names = Stage::translated(stage(text).shader, &interface).names;
    let names: Vec<_> = names.samplers.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["pages", "pages[1]"]);
    let sampled = |unit: u16, sampler: &str| {
        let image = Resource { element: 0, ..texture(unit).image };
        let sampler = Some(Resource { name: sampler.to_owned(), ..image.clone() });
        Texture { image, sampler, ..texture(unit) }
    };
    let textures = vec![sampled(0, "smooth"), sampled(1, "sharp")];
    let interface = Interface { textures, ..Interface::default() };
    let names = Stage::translated(stage(text).shader, &interface).names;
    let names: Vec<_> = names.samplers.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["pages", "pages.sharp"]);
}

#[test]
fn primitives_are_numbered_for_an_input_and_for_a_system_value() {
    let vertex = "VERT
DCL IN[0]
DCL OUT[0], POSITION
MOV OUT[0], IN[0]
END
";
    let geometry = |declaration: &str, number: &str| {
        format!(
            "GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 3
DCL IN[][0], POSITION
{declaration}
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
IMM[0] UINT32 {{0, 0, 0, 0}}
MOV OUT[0], IN[0][0]
U2F OUT[1], {number}
EMIT IMM[0].xxxx
END
"
        )
    };
    for (declaration, number, wanted) in [
        ("DCL IN[1], PRIM_ID", "IN[1].xxxx", 1),
        ("DCL SV[0], PRIM_ID", "SV[0].xxxx", 1),
        ("", "IMM[0].xxxx", 0),
    ] {
        let stages = [stage(vertex), stage(&geometry(declaration, number))];
        let shaders = link(&stages, &Options::default()).expect("the shaders match");
        let Some(NewShader::Vertex { shader, .. }) = shaders.first() else { panic!("{shaders:?}") };
        assert_eq!(shader.registers.get(vertex::VGT_PRIMITIVEID_EN, 0), wanted, "{declaration}");
    }
}
