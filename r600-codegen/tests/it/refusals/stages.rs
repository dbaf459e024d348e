//! What stages cannot do or name.

use r600_codegen::abi::{
    AttributeFormat, ChannelNumber, ChannelWidth, RingLayout, ShaderKey, Step, StreamOutput,
    VertexAs, VertexElement, VertexFetch, copy_shader,
};
use r600_codegen::{Compiler, Options};
use r600_isa::Chip;
use tgsi_ir::Shader;

use super::Met;

pub(crate) fn stages_that_chips_lack(met: &mut Met) {
    let text = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\nEND\n";
    for chip in super::OLD {
        met.refuses_text(chip, text, "COMP: this chip has no compute shaders");
        for name in ["TESS_CTRL", "TESS_EVAL"] {
            let want = format!("{name}: this chip has no tessellation stages");
            met.refuses_text(chip, &format!("{name}\nEND\n"), &want);
        }
    }
}

pub(crate) fn stages_before_what_a_chip_lacks(met: &mut Met) {
    let key = ShaderKey::default().vertex_as(VertexAs::Local);
    let shader = tgsi_text::parse("VERT\nDCL OUT[0], POSITION\nEND\n").shader;
    let want = "VERT: this chip has no tessellation stages";
    met.refuses_with(key, Chip::Latte, &shader, want);
    let key = ShaderKey::default().vertex_as(VertexAs::Local);
    let shader = tgsi_text::parse("VERT\nDCL OUT[0], NORMAL\nEND\n").shader;
    let want = "NORMAL: this semantic has no slot in local memory; use GENERIC 0 to 31";
    met.refuses_with(key, Chip::Cedar, &shader, want);
    let want = "instruction 0: EMIT: only geometry shaders emit vertices";
    met.refuses(Chip::Cedar, "EMIT IMM[1].xxxx", want);
}

pub(crate) fn what_evaluation_shaders_do_not_run_as(met: &mut Met) {
    let text = "TESS_EVAL\nDCL SV[0], TESSCOORD\nDCL OUT[0], POSITION\nMOV OUT[0], SV[0]\nEND\n";
    let want = "TESS_EVAL: an evaluation shader runs last or before a geometry shader; only VERT runs before tessellation or copies";
    for role in [VertexAs::Local, VertexAs::Copy] {
        let key = ShaderKey::default().vertex_as(role);
        met.refuses_with(key, Chip::Cedar, &tgsi_text::parse(text).shader, want);
    }
}

pub(crate) fn state_that_chips_do_not_have(met: &mut Met) {
    let text = "FRAG\nDCL OUT[0], COLOR\nEND\n";
    for (chip, count) in [(Chip::Rv610, 9), (Chip::Latte, 32), (Chip::Cayman, u8::MAX)] {
        let key = ShaderKey::default().num_color_buffers(count);
        let want = "num_color_buffers: the chips have 8 colour buffers";
        met.refuses_with(key, chip, &tgsi_text::parse(text).shader, want);
    }
    let text = |number: u8| {
        format!("VERT\nDCL IN[{number}]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[{number}]\nEND\n")
    };
    let want = "IN[32]: the fetches of this chip fill 32 registers; use attributes 0 to 31";
    met.refuses_text(Chip::Latte, &text(32), want);
    met.takes(Chip::Latte, &text(31));
    met.takes(Chip::Rv770, &text(32));
}

/// Stages that find each other's values in memory ask for no ids, and what a copy shader takes is in no register.
pub(crate) fn numbers_that_only_parameters_need(met: &mut Met) {
    let (control, chip) = ("TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\n", Chip::Cedar);
    let body = "IMM[0] FLT32 {1.0, 2.0, 3.0, 4.0}\nMOV OUT[2], IMM[0]\nEND\n";
    let levels = "DCL OUT[0], TESSOUTER\nDCL OUT[1], TESSINNER\nDCL OUT[2], PATCH[300]\n";
    met.takes(chip, &format!("{control}{levels}{body}"));
    let takes = |key: ShaderKey, chip, shader: &Shader| {
        let compiler = Compiler::new(Options::default().key(key)).unwrap();
        let compiled = compiler.compile(shader, chip);
        assert!(compiled.is_ok(), "{:?}", compiled.map(|_| ()));
    };
    let geometry = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
                    PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[300]\n\
                    DCL OUT[0], POSITION\nDCL OUT[200], GENERIC[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n\
                    MOV OUT[0], IN[0][0]\nMOV OUT[200], IN[0][1]\nEMIT IMM[0].xxxx\nEND\n";
    let geometry = tgsi_text::parse(geometry).shader;
    let vertex = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[300]\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[0]\nEND\n";
    let vertex = tgsi_text::parse(vertex).shader;
    let export = VertexAs::Export(RingLayout::of_inputs(&geometry));
    for chip in super::ALL {
        takes(ShaderKey::default(), chip, &geometry);
        takes(ShaderKey::default().vertex_as(export.clone()), chip, &vertex);
        let copy = ShaderKey::default().vertex_as(VertexAs::Copy);
        for fetch in [VertexFetch::FetchShader, VertexFetch::Inlined(Vec::new())] {
            takes(copy.clone().vertex_fetch(fetch), chip, &copy_shader(&geometry));
        }
    }
}

/// A copy shader starts with a place in the ring where a vertex shader has the number of its vertex.
pub(crate) fn numbers_that_a_copy_shader_lacks(met: &mut Met) {
    for name in ["VERTEXID", "INSTANCEID"] {
        let text =
            format!("VERT\nDCL SV[0], {name}\nDCL OUT[0], POSITION\nMOV OUT[0], SV[0].xxxx\nEND\n");
        let shader = tgsi_text::parse(&text).shader;
        let key = ShaderKey::default().vertex_as(VertexAs::Copy);
        let want = format!("instruction 0: {name}: unsupported system value in this stage");
        met.refuses_with(key, Chip::Cedar, &shader, &want);
        met.takes(Chip::Cedar, &text);
    }
}

pub(crate) fn what_patches_have_no_place_for(met: &mut Met) {
    let text = |body: &str| {
        format!(
            "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], GENERIC[32]\nDCL IN[][1], POSITION\nDCL OUT[][0], POSITION\n\
             DCL OUT[1], PATCH[0]\nIMM[0] UINT32 {{0, 1, 2, 3}}\nDCL TEMP[0]\n{body}\nEND\n"
        )
    };
    let chip = Chip::Cayman;
    let want =
        "instruction 0: GENERIC: this semantic has no slot in local memory; use GENERIC 0 to 31";
    met.refuses_text(chip, &text("MOV OUT[1], IN[0][0]"), want);
    let want = "instruction 0: IN: a per-vertex variable needs a vertex subscript";
    met.refuses_text(chip, &text("MOV OUT[1], IN[1]"), want);
    let want =
        "instruction 0: PATCH: this semantic has no slot in local memory; use GENERIC 0 to 31";
    let patch = "TESS_EVAL\nDCL IN[0], PATCH[4094]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
    met.refuses_text(chip, patch, want);
    // What an index would write without a slot would be found as something else.
    let control = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\nDCL OUT[][0..3], GENERIC[30]\nDCL ADDR[0]\n\
                   DCL SV[0], INVOCATIONID\nUARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][ADDR[0].x], IN[0][0]\nEND\n";
    let want =
        "instruction 1: GENERIC: this semantic has no slot in local memory; use GENERIC 0 to 31";
    met.refuses_text(chip, control, want);
    let want = "instruction 0: IN: the register is not declared";
    met.refuses_text(chip, &text("MOV OUT[1], IN[0][7]"), want);
    let text = text("MOV OUT[1], IN[0][0]").replace("[0], GENERIC[32]", "[0]");
    let want = "instruction 0: IN: a patch variable needs a semantic";
    met.refuses_text(chip, &text, want);
    let text = "TESS_EVAL\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nBARRIER\nMOV OUT[0], IN[0][0]\nEND\n";
    let want = "instruction 0: BARRIER: this stage has no barriers";
    met.refuses_text(chip, text, want);
}

const GEOMETRY: &str = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
     PROPERTY GS_MAX_OUTPUT_VERTICES 4\nDCL IN[][0], POSITION\nDCL SV[0], INVOCATIONID\nDCL OUT[0], POSITION\n\
     IMM[0] UINT32 {0, 1, 4, 0}\n";

pub(crate) fn what_geometry_shaders_cannot_name(met: &mut Met) {
    let text = |body: &str| format!("{GEOMETRY}{body}\nEND\n");
    for chip in super::OLD {
        let want =
            "instruction 0: INVOCATIONID: this chip runs a geometry shader once per primitive";
        met.refuses_text(chip, &text("MOV OUT[0], SV[0]"), want);
        let want = "instruction 0: EMIT: this chip has a single vertex stream, number 0";
        met.refuses_text(chip, &text("EMIT IMM[0].yyyy"), want);
    }
    let want = "instruction 0: EMIT: vertex streams are numbered 0 to 3";
    met.refuses_text(Chip::Cedar, &text("EMIT IMM[0].zzzz"), want);
    let want = "instruction 0: ENDPRIM: the stream must be an immediate";
    met.refuses_text(Chip::Cedar, &text("ENDPRIM IN[0][0].xxxx"), want);
    let want = "instruction 0: IN[…][…]: the primitive has no such vertex";
    met.refuses_text(Chip::Rv770, &text("MOV OUT[0], IN[2][0]"), want);
    let want = "instruction 0: IN: the register is not declared";
    met.refuses_text(Chip::Rv770, &text("MOV OUT[0], IN[0][3]"), want);
    let want = "instruction 0: IN: a geometry shader input needs a vertex subscript";
    met.refuses_text(Chip::Rv770, &text("MOV OUT[0], IN[0]"), want);
    let text = text("EMIT IMM[0].xxxx").replace("INPUT_PRIMITIVE LINES", "INPUT_PRIMITIVE QUADS");
    let want = "GS_INPUT_PRIMITIVE: geometry shaders have no such primitive";
    met.refuses_text(Chip::Rv770, &text, want);
}

pub(crate) fn system_values_that_nothing_provides(met: &mut Met) {
    let text = |stage: &str, name: &str| {
        format!("{stage}\nDCL SV[0], {name}\nDCL OUT[0], POSITION\nMOV OUT[0], SV[0]\nEND\n")
    };
    let want = "instruction 0: BASEVERTEX: the hardware adds the base before the shader starts";
    met.refuses_text(Chip::Rv770, &text("VERT", "BASEVERTEX"), want);
    let want = "instruction 0: DRAWID: unsupported system value in this stage";
    met.refuses_text(Chip::Rv770, &text("VERT", "DRAWID"), want);
    let want = "instruction 0: HELPER_INVOCATION: this chip cannot tell helper lanes from others";
    met.refuses_text(Chip::Rv770, &text("FRAG", "HELPER_INVOCATION"), want);
}

pub(crate) fn inputs_and_outputs_that_a_stage_lacks(met: &mut Met) {
    let want = "FS_COORD_ORIGIN LOWER_LEFT: the hardware counts rows from the top and does not expose the window height; flip y in the shader";
    let text = "FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\n\
                MOV OUT[0], IN[0]\nEND\n";
    met.refuses_text(Chip::Cedar, text, want);
    let want = "FS_POST_DEPTH_COVERAGE: the hardware reports coverage before the depth test";
    let text = "FRAG\nPROPERTY FS_POST_DEPTH_COVERAGE 1\nDCL SV[0], SAMPLEMASK\nDCL OUT[0], COLOR\n\
                MOV OUT[0], SV[0].xxxx\nEND\n";
    met.refuses_text(Chip::Cedar, text, want);
    let want = "LAYER_VIEWPORT_RELATIVE: the hardware does not add the viewport to the layer; add it in the shader";
    let text = "VERT\nPROPERTY LAYER_VIEWPORT_RELATIVE 1\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1].x, LAYER\n\
                MOV OUT[0], IN[0]\nMOV OUT[1].x, IN[0].xxxx\nEND\n";
    met.refuses_text(Chip::Rv770, text, want);
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], GENERIC[0]\nMOV OUT[0], IN[0]\nEND\n";
    met.refuses_text(Chip::Rv770, text, "GENERIC: fragment shaders have no such output");
    let ninth = text.replace("OUT[0], GENERIC[0]", "OUT[0], COLOR[8]");
    met.refuses_text(Chip::Cypress, &ninth, "COLOR[8]: fragment shaders have no such output");
    let outputs: String = (0..33).map(|n| format!("DCL OUT[{n}], GENERIC[{n}]\n")).collect();
    let text = format!("VERT\nDCL IN[0]\n{outputs}MOV OUT[0], IN[0]\nEND\n");
    let geometry = "GEOM\nDCL IN[][0], GENERIC[40]\nDCL IN[][3000], GENERIC[0]\nEND\n";
    let layout = RingLayout::of_inputs(&tgsi_text::parse(geometry).shader);
    let key = ShaderKey::default().vertex_as(VertexAs::Export(layout));
    let want = "OUT: a vertex around a geometry shader has at most 2048 vec4";
    met.refuses_with(key, Chip::Cedar, &tgsi_text::parse(&text).shader, want);
    met.refuses_text(Chip::Rv770, &text, "OUT: a vertex shader exports at most 32 parameters");
    let text = "VERT\nDCL IN[0]\nDCL OUT[0]\nMOV OUT[0], IN[0]\nEND\n";
    let want = "DCL OUT: an output needs a semantic to be exported";
    met.refuses_unchecked(Chip::Rv770, text, want);
    let text = "VERT\nDCL IN[0..123]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
    met.refuses_text(Chip::Rv770, text, "IN: more inputs than there are registers");
    let want = "instruction 0: INTERP_CENTROID: an interpolated input cannot be indexed";
    met.refuses(Chip::Cedar, "INTERP_CENTROID TEMP[0], IN[ADDR[0].x]", want);
}

pub(crate) fn stream_output_that_there_is_not(met: &mut Met) {
    let shader =
        tgsi_text::parse("VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n").shader;
    let good = StreamOutput {
        register: 0,
        first_component: 0,
        num_components: 4,
        buffer: 0,
        offset: 0,
        stream: 0,
    };
    let range = "writes one to four components of an output to dwords 0 to 8191 of buffers 0 to 3 and streams 0 to 3";
    let missing = ShaderKey::default().stream_outputs(vec![StreamOutput { register: 1, ..good }]);
    let want = "stream output of OUT[1]: the register is not declared";
    met.refuses_with(missing, Chip::Rv770, &shader, want);
    let bad = [
        StreamOutput { first_component: 1, ..good },
        StreamOutput { num_components: 0, ..good },
        StreamOutput { buffer: 4, ..good },
        StreamOutput { offset: 8192, ..good },
        StreamOutput { stream: 4, ..good },
    ];
    for output in bad {
        let key = ShaderKey::default().stream_outputs(vec![output]);
        let want = format!("stream output of OUT[{}]: stream output {range}", output.register);
        met.refuses_with(key, Chip::Rv770, &shader, &want);
    }
    let other = StreamOutput { stream: 1, ..good };
    let key = ShaderKey::default().stream_outputs(vec![other]);
    let want = "stream output of OUT[0]: this stage has only stream 0";
    met.refuses_with(key, Chip::Cedar, &shader, want);
}

pub(crate) fn vertex_layouts_that_cannot_be_fetched(met: &mut Met) {
    let text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
    let shader = tgsi_text::parse(text).shader;
    let format = AttributeFormat {
        width: ChannelWidth::Bits32,
        channels: 4,
        number: ChannelNumber::Float,
        is_reversed: false,
    };
    let good = VertexElement { attribute: 0, buffer: 15, offset: 0, format, step: Step::Vertex };
    let bytes = AttributeFormat { width: ChannelWidth::Bits8, ..format };
    for (element, want) in [
        (VertexElement { attribute: 1, ..good }, "the vertex layout has no such attribute"),
        (VertexElement { format: bytes, ..good }, "no vertex format has these channels"),
        (VertexElement { buffer: 16, ..good }, "vertex buffers are numbered 0 to 15"),
        (VertexElement { step: Step::Instances(0), ..good }, "an instance divisor is at least 1"),
    ] {
        let vertex_fetch = VertexFetch::Inlined(vec![element]);
        let key = ShaderKey::default().vertex_fetch(vertex_fetch);
        met.refuses_with(key, Chip::Cedar, &shader, &format!("IN[0]: {want}"));
    }
}

pub(crate) fn what_a_ring_has_no_room_for(met: &mut Met) {
    let text = |properties: &str, outputs: u32| {
        format!(
            "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n{properties}\
             DCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL OUT[1..{outputs}], GENERIC[0]\n\
             IMM[0] UINT32 {{0, 0, 0, 0}}\nMOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n"
        )
    };
    let want = "GS_MAX_OUTPUT_VERTICES: the ring holds at most 32767 dwords per primitive; emit fewer vertices or outputs";
    for chip in crate::refusals::ALL {
        met.refuses_text(chip, &text("PROPERTY GS_MAX_OUTPUT_VERTICES 1024\n", 31), want);
        let want =
            "GS_MAX_OUTPUT_VERTICES: a geometry shader emits at most 1024 vertices per primitive";
        met.refuses_text(chip, &text("PROPERTY GS_MAX_OUTPUT_VERTICES 1025\n", 1), want);
    }
    let often = text("PROPERTY GS_MAX_OUTPUT_VERTICES 4\nPROPERTY GS_INVOCATIONS 200\n", 1);
    let want = "GS_INVOCATIONS: a geometry shader has at most 127 invocations";
    met.refuses_text(Chip::Cedar, &often, want);
    let want = "GS_INVOCATIONS: this chip runs a geometry shader once per primitive";
    met.refuses_text(Chip::Rv770, &often, want);
}

pub(crate) fn groups_that_cannot_be_counted(met: &mut Met) {
    let text = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\nPROPERTY CS_FIXED_BLOCK_HEIGHT 65536\nEND\n";
    let want = "CS_FIXED_BLOCK_HEIGHT: a work group has at most 65535 invocations along an axis";
    met.refuses_text(Chip::Cayman, text, want);
}

pub(crate) fn inputs_that_cannot_be_listed(met: &mut Met) {
    let text = "FRAG\nDCL IN[0..32], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[32]\nEND\n";
    let hidden = "FRAG\nDCL SV[0], FACE\nDCL IN[0..31], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n\
                  ADD OUT[0], IN[31], SV[0]\nEND\n";
    let want = "IN: the chip has at most 32 fragment shader inputs";
    for chip in crate::refusals::ALL {
        met.refuses_text(chip, text, want);
    }
    for chip in crate::refusals::OLD {
        met.refuses_text(chip, hidden, want);
    }
}

pub(crate) fn parameters_that_look_alike(met: &mut Met) {
    let want = "COLOR: another parameter has the same 8-bit id; use GENERIC 0 to 126";
    let inputs = "FRAG\nDCL IN[0], GENERIC[127], PERSPECTIVE\nDCL IN[1], COLOR, PERSPECTIVE\nDCL OUT[0], COLOR\n\
                  ADD OUT[0], IN[0], IN[1]\nEND\n";
    let outputs = "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[127]\nDCL OUT[1], COLOR\nMOV OUT[0], IN[0]\n\
                   MOV OUT[1], IN[0]\nEND\n";
    for chip in crate::refusals::ALL {
        met.refuses_text(chip, inputs, want);
        met.refuses_text(chip, outputs, want);
    }
}

pub(crate) fn parameters_without_an_id(met: &mut Met) {
    let reason =
        "no 8-bit id is left for this index; GENERIC goes up to 245, TEXCOORD to 254, others to 7";
    for (semantic, last) in [("GENERIC", 245), ("TEXCOORD", 254), ("COLOR", 7)] {
        let parameter = format!("{semantic}[{}]", last + 1);
        let input = format!(
            "FRAG\nDCL IN[0], {parameter}, PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n"
        );
        let output = format!("VERT\nDCL IN[0]\nDCL OUT[0], {parameter}\nMOV OUT[0], IN[0]\nEND\n");
        let want = format!("{parameter}: {reason}");
        for chip in crate::refusals::ALL {
            met.refuses_text(chip, &input, &want);
            met.refuses_text(chip, &output, &want);
        }
    }
    let both = "VERT\nDCL IN[0]\nDCL OUT[0], CLIPVERTEX\nDCL OUT[1], CLIPDIST\nDCL OUT[2], POSITION\nMOV OUT[0], IN[0]\n\
                MOV OUT[1], IN[0]\nMOV OUT[2], IN[0]\nEND\n";
    let want = "CLIPVERTEX: a shader writes CLIPVERTEX or CLIPDIST, not both";
    met.refuses_text(Chip::Cedar, both, want);
    let input = "FRAG\nDCL IN[0], CULLDIST, LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    let output = "VERT\nDCL IN[0]\nDCL OUT[0], CULLDIST\nMOV OUT[0], IN[0]\nEND\n";
    let want = "CULLDIST[0]: cull distances follow the clip distances as CLIPDIST; properties NUM_CLIPDIST_ENABLED and \
                NUM_CULLDIST_ENABLED count both";
    for chip in crate::refusals::ALL {
        met.refuses_text(chip, input, want);
        met.refuses_text(chip, output, want);
    }
}

pub(crate) fn inputs_without_semantics(met: &mut Met) {
    let text = "FRAG\nDCL IN[0], LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    for chip in crate::refusals::ALL {
        met.refuses_unchecked(chip, text, "IN[0]: an input of a fragment shader needs a semantic");
    }
}

/// Nothing delivers them, and nothing takes them.
pub(crate) fn parameters_that_are_none(met: &mut Met) {
    let reason = "no stage passes this semantic on; use GENERIC";
    for chip in crate::refusals::ALL {
        for name in ["PSIZE", "EDGEFLAG", "SAMPLEMASK", "PATCH", "TESSOUTER"] {
            let text = format!(
                "FRAG\nDCL IN[0], {name}, PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n"
            );
            met.refuses_text(chip, &text, &format!("{name}[0]: {reason}"));
        }
        for name in ["FACE", "SAMPLEMASK", "PATCH", "TESSINNER"] {
            let text = format!("VERT\nDCL IN[0]\nDCL OUT[0], {name}\nMOV OUT[0], IN[0]\nEND\n");
            met.refuses_text(chip, &text, &format!("{name}[0]: {reason}"));
        }
        met.takes(
            chip,
            "FRAG\nDCL IN[0], FACE, CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n",
        );
    }
}

pub(crate) fn outputs_of_one_semantic(met: &mut Met) {
    let halves = "MOV OUT[0].xy, IN[0]\nMOV OUT[1].zw, IN[0]\nEND\n";
    let want = "two outputs have this semantic; write its channels in one register";
    for chip in crate::refusals::ALL {
        for (name, semantic) in [("GENERIC", "GENERIC[3]"), ("POSITION", "POSITION")] {
            let outputs = format!("DCL OUT[0].xy, {semantic}\nDCL OUT[1].zw, {semantic}");
            let text = format!("VERT\nDCL IN[0]\n{outputs}\n{halves}");
            met.refuses_text(chip, &text, &format!("{name}: {want}"));
            // Vertices that are drawn at once have one stream, whatever a declaration says.
            let streams = text.replace(
                &format!("OUT[1].zw, {semantic}"),
                &format!("OUT[1].zw, {semantic}, STREAM(1, 1, 1, 1)"),
            );
            met.refuses_unchecked(chip, &streams, &format!("{name}: {want}"));
        }
        let outputs = "DCL OUT[0].xy, COLOR[1]\nDCL OUT[1].zw, COLOR[1]";
        let text = format!("FRAG\nDCL IN[0], GENERIC[0], LINEAR\n{outputs}\n{halves}");
        met.refuses_text(chip, &text, &format!("COLOR: {want}"));
        let text = format!("{GEOMETRY}IMM[1] UINT32 {{0, 0, 0, 0}}\nEMIT IMM[1].xxxx\nEND\n");
        let text = text.replace(
            "DCL OUT[0], POSITION",
            "DCL OUT[0], POSITION\nDCL OUT[1..2], GENERIC[3]\nDCL OUT[3], GENERIC[4]",
        );
        met.refuses_text(
            chip,
            &text.replace("DCL SV[0], INVOCATIONID\n", ""),
            &format!("GENERIC: {want}"),
        );
    }
}
