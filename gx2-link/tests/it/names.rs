//! Names of what shaders read, and places that they have not.

use gx2_gfd::{NewShader, SamplerType};
use gx2_link::{Options, Stage, Uniforms, link};
use tgsi_spirv::interface::{
    ConstantBuffer, ConstantKind, Interface, Member, Resource, Scalar, Texture, ValueType, Varying,
};

use super::{PLAIN, linked, refusal, stage};

/// A pixel shader of these lines.
fn pixel(lines: &str) -> String {
    format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL ADDR[0]\n\
         IMM[0] UINT32 {{16, 0, 0, 0}}\n{lines}\nEND\n"
    )
}

const WITH_PARAMETER: &str = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n\
                              MOV OUT[0], IN[0]\nMOV OUT[1], IN[0]\nEND\n";

#[test]
fn buffers_that_are_read_by_addresses_have_names() {
    let check = |lines: &str, want: &[(&str, u32, u32)]| {
        let pixel = pixel(lines);
        let (_, pixel) = linked([WITH_PARAMETER, &pixel], &Options::default());
        let blocks = pixel.tables.uniform_blocks.iter();
        let name = |name: &Option<gx2_gfd::Text>| name.as_ref().map(ToString::to_string);
        let blocks: Vec<_> = blocks.map(|one| (name(&one.name), one.location, one.size)).collect();
        let want: Vec<_> =
            want.iter().map(|&(name, at, size)| (Some(name.to_owned()), at, size)).collect();
        assert_eq!(blocks, want, "{lines}");
        let vars: Vec<_> = pixel.tables.uniform_vars.iter().map(|var| name(&var.name)).collect();
        assert_eq!(vars, want.iter().map(|one| one.0.clone()).collect::<Vec<_>>(), "{lines}");
    };
    let load = "LOAD OUT[0], CONSTBUF[2], IMM[0].xxxx";
    check(&format!("DCL CONSTBUF[2]\n{load}"), &[("CONSTBUF[2]", 2, 0x10000)]);
    check(&format!("DCL CONST[2][0..4]\nDCL CONSTBUF[2]\n{load}"), &[("CONST[2]", 2, 80)]);
    let any = "UARL ADDR[0].x, IN[0].xxxx\nLOAD OUT[0], CONSTBUF[ADDR[0].x+1], IMM[0].xxxx";
    let all = [("CONSTBUF[1]", 1, 0x10000), ("CONSTBUF[2]", 2, 0x10000)];
    check(&format!("DCL CONSTBUF[1..2]\n{any}"), &all);
    let registers = Options::default().uniforms(Uniforms::Registers);
    let pixel = pixel("DCL CONSTBUF[0]\nLOAD OUT[0], CONSTBUF[0], IMM[0].xxxx");
    let error = link(&[stage(WITH_PARAMETER), stage(&pixel)], &registers).unwrap_err();
    let want = "`CONSTBUF[0]` is a uniform block, but uniform registers exclude blocks";
    assert_eq!(error.to_string(), want);
}

#[test]
fn textures_that_a_register_chooses_have_names() {
    let check = |lines: &str, want: &[(u32, SamplerType)]| {
        let pixel = pixel(lines);
        let (_, pixel) = linked([WITH_PARAMETER, &pixel], &Options::default());
        let vars = pixel.tables.sampler_vars.iter().map(|var| (var.location, var.kind));
        assert_eq!(vars.collect::<Vec<_>>(), want, "{lines}");
    };
    let flat = |unit| (unit, SamplerType::SAMPLER_2D);
    let chosen = "UARL ADDR[0].x, IN[0].xxxx\nTEX OUT[0], IN[0], SAMP[ADDR[0].x+1]";
    let units = "DCL SAMP[0..1]\nDCL SAMP[2..3], ARRAY(1)\nDCL SVIEW[0..3], 2D, FLOAT";
    check(&format!("{units}\n{chosen}, 2D"), &[flat(0), flat(1), flat(2), flat(3)]);
    check(&format!("{units}\n{chosen}(1), 2D").replace("+1", "+2"), &[flat(2), flat(3)]);
    let sample = "DCL SAMP[1]\nDCL SVIEW[1], CUBE, FLOAT\nSAMPLE OUT[0], IN[0], SVIEW[1], SAMP[1]";
    check(sample, &[(1, SamplerType::SAMPLER_CUBE)]);
    let load = "DCL SVIEW[3], 2D, FLOAT\nSAMPLE_I OUT[0], IMM[0], SVIEW[3]";
    check(load, &[flat(3)]);
}

#[test]
fn a_texture_and_its_sampler_have_one_location() {
    let refused = |lines: &str| refusal(&[WITH_PARAMETER, &pixel(lines)]);
    let units = "DCL SVIEW[0..3], 2D, FLOAT\nDCL SAMP[0..3]\nUARL ADDR[0].x, IN[0].xxxx\n";
    let want = |view: &str, sampler: &str| {
        format!(
            "{view} is sampled with {sampler}, but GX2 has one location for a texture and its sampler: \
             give both one number"
        )
    };
    for (view, sampler, shown) in [
        ("SVIEW[3]", "SAMP[0]", ["SVIEW[3]", "SAMP[0]"]),
        ("SVIEW[ADDR[0].x+1]", "SAMP[ADDR[0].x]", ["SVIEW[ADDR[0].x+1]", "SAMP[ADDR[0].x+0]"]),
        ("SVIEW[ADDR[0].x]", "SAMP[0]", ["SVIEW[ADDR[0].x+0]", "SAMP[0]"]),
    ] {
        let text = format!("{units}SAMPLE OUT[0], IN[0], {view}, {sampler}");
        assert_eq!(refused(&text), want(shown[0], shown[1]));
    }
}

#[test]
fn attributes_have_names_whatever_they_mean() {
    let vertex = "VERT\nDCL IN[0], POSITION\nDCL IN[2..3], GENERIC[5]\nDCL OUT[0], POSITION\n\
                  ADD OUT[0], IN[0], IN[3]\nEND\n";
    let pixel = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0, 0, 0, 1}\nMOV OUT[0], IMM[0]\nEND\n";
    let (vertex, _) = linked([vertex, pixel], &Options::default());
    let vars = vertex.attrib_vars.iter();
    let vars: Vec<_> =
        vars.map(|var| (var.name.as_ref().map(ToString::to_string), var.location)).collect();
    assert_eq!(vars, [0, 2, 3].map(|at| (Some(format!("IN[{at}]")), at)));
}

const VEC4: ValueType = ValueType { scalar: Scalar::Float, rows: 4, columns: 1, elements: None };

/// An attribute in the first register.
fn attribute(name: &str, location: u32, ty: ValueType) -> Varying {
    Varying {
        name: name.to_owned(),
        location: Some(location),
        first_location: Some(location),
        component: 0,
        built_in: None,
        is_patch: false,
        register: 0,
        num_registers: 1,
        is_system_value: false,
        num_components: 4,
        ty: Some(ty),
    }
}

/// Why a vertex shader with these inputs is not linked, if it is not.
fn refused_inputs(inputs: Vec<Varying>) -> Option<String> {
    let interface = Interface { inputs, ..Interface::default() };
    let stage = Stage::translated(stage(PLAIN).shader, &interface);
    link(&[stage], &Options::default()).err().map(|error| error.to_string())
}

/// A fetch fills a register as a whole, with numbers where the buffer has no more channels.
#[test]
fn attributes_that_share_a_location_are_refused() {
    let half = |name, location, component| {
        let ty = ValueType { rows: 2, ..VEC4 };
        Varying { component, num_components: 2, ..attribute(name, location, ty) }
    };
    let want = |[first, second]: [&str; 2], location| {
        Some(format!(
            "attributes `{first}` and `{second}` share location {location}, but GX2 fetches all of a register \
             at once: make them one, or give them locations of their own"
        ))
    };
    assert_eq!(refused_inputs(vec![half("a", 0, 0), half("b", 0, 2)]), want(["a", "b"], 0));
    assert_eq!(refused_inputs(vec![half("a", 0, 0), half("b", 1, 2)]), None);
    let matrix = || attribute("a", 0, ValueType { columns: 3, ..VEC4 });
    assert_eq!(refused_inputs(vec![matrix(), half("b", 2, 2)]), want(["a", "b"], 2));
    assert_eq!(refused_inputs(vec![matrix(), half("b", 3, 2)]), None);
    // A module may give two variables one name, or none.
    assert_eq!(refused_inputs(vec![half("a", 0, 0), half("a", 0, 2)]), want(["a", "a"], 0));
    assert_eq!(refused_inputs(vec![half("", 1, 0), half("", 1, 2)]), want(["IN[1]"; 2], 1));
    assert_eq!(refused_inputs(vec![half("", 1, 0), half("", 0, 2)]), None);
}

#[test]
fn blocks_that_hardware_does_not_read_to_their_end_are_refused() {
    let text = |last: u32| {
        format!("FRAG\nDCL OUT[0], COLOR\nDCL CONST[1][0..{last}]\nMOV OUT[0], CONST[1][5]\nEND\n")
    };
    let (_, pixel) = linked([PLAIN, &text(4095)], &Options::default());
    assert_eq!(pixel.tables.uniform_blocks[0].size, 0x1_0000);
    let want = "uniform block `CONST[1]` has 80000 bytes, but the hardware reads 65536 of one at most: \
                split it in two";
    assert_eq!(refusal(&[PLAIN, &text(4999)]), want);
}

#[test]
fn locations_beyond_a_fetch_are_refused() {
    let refused = |location, elements| {
        refused_inputs(vec![attribute("a", location, ValueType { elements, ..VEC4 })])
    };
    let want = |location| {
        format!(
            "attribute `a` has location {location}, but GX2 fetches to locations 0 to 254: give it a lower one"
        )
    };
    assert_eq!(refused(254, None), None);
    assert_eq!(refused(255, None), Some(want(255)));
    assert_eq!(refused(300, None), Some(want(300)));
    assert_eq!(refused(254, Some(2)), Some(want(255)));
    let far = "VERT\nDCL IN[0]\nDCL IN[65535]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
    assert_eq!(refusal(&[far]), "IN[65535]: the register is out of range");
}

/// Element n of an array of blocks, in the buffer after that of the one before.
fn block(element: u16) -> ConstantBuffer {
    let member =
        Member { name: "v".to_owned(), offset: 0, ty: VEC4, is_row_major: false, location: None };
    ConstantBuffer {
        buffer: 1 + element,
        name: "blk".to_owned(),
        block_name: "B".to_owned(),
        is_named_instance: true,
        kind: ConstantKind::Block,
        set: None,
        binding: Some(10),
        element: element.into(),
        num_registers: 1,
        size: 16,
        members: vec![member],
        initial_values: Vec::new(),
    }
}

#[test]
fn elements_of_an_array_of_blocks_have_names_of_their_own() {
    let interface = Interface { constants: (0..3).map(block).collect(), ..Interface::default() };
    let names = Stage::translated(stage(PLAIN).shader, &interface).names;
    let names = names.blocks.iter().map(|one| (one.name.as_deref(), one.uniforms[0].name.as_str()));
    let want = [("B", "B.v"), ("B[1]", "B[1].v"), ("B[2]", "B[2].v")];
    assert_eq!(names.collect::<Vec<_>>(), want.map(|(block, member)| (Some(block), member)));
}

/// The name of uniforms outside blocks is no other block's.
#[test]
fn blocks_without_names_go_by_their_numbers() {
    let nameless = |buffer: u16, kind: ConstantKind, element: u32| {
        let [name, block_name] = [(); 2].map(|()| String::new());
        let is_named_instance = false;
        let one = block(0);
        ConstantBuffer { buffer, name, block_name, is_named_instance, kind, element, ..one }
    };
    let constants = vec![
        nameless(0, ConstantKind::PushConstants, 0),
        nameless(1, ConstantKind::Block, 0),
        nameless(2, ConstantKind::Block, 0),
        nameless(3, ConstantKind::Block, 1),
    ];
    let vertex =
        Stage::translated(stage(PLAIN).shader, &Interface { constants, ..Interface::default() });
    let pixel =
        stage("FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0, 0, 0, 1}\nMOV OUT[0], IMM[0]\nEND\n");
    let shaders = link(&[vertex, pixel], &Options::default()).expect("the shaders match");
    let Some(NewShader::Vertex { shader, .. }) = shaders.first() else {
        unreachable!("shaders come in the order of their stages")
    };
    let blocks = shader.tables.uniform_blocks.iter();
    let names = blocks.map(|one| one.name.as_ref().map(ToString::to_string).unwrap_or_default());
    let want = ["__cafe_loose_uniforms", "CONST[1]", "CONST[2]", "CONST[3]"];
    assert_eq!(names.collect::<Vec<_>>(), want);
}

/// Elements of arrays and separate samplers give no name to what has none.
#[test]
fn textures_without_names_go_by_their_numbers() {
    let resource = |name: &str, element: u32| Resource {
        register: 0,
        name: name.to_owned(),
        set: None,
        binding: None,
        location: None,
        element,
    };
    let names = |all: [(Resource, Option<Resource>); 4]| {
        let textures =
            (0..).zip(all).map(|(unit, (image, sampler))| Texture { unit, image, sampler });
        let interface = Interface { textures: textures.collect(), ..Interface::default() };
        let text = pixel(
            "DCL SAMP[0..3]\nDCL SVIEW[0..3], 2D, FLOAT\nUARL ADDR[0].x, IN[0].xxxx\n\
             TEX OUT[0], IN[0], SAMP[ADDR[0].x], 2D",
        );
        let names = Stage::translated(stage(&text).shader, &interface).names.samplers;
        names.into_iter().map(|one| one.name).collect::<Vec<_>>()
    };
    let arrays = [0, 1, 0, 1].map(|element| (resource("", element), None));
    assert_eq!(names(arrays), ["SAMP[0]", "SAMP[1]", "SAMP[2]", "SAMP[3]"]);
    let [smooth, nameless] = ["smooth", ""].map(|name| Some(resource(name, 0)));
    let sampled = [
        (resource("", 0), smooth.clone()),
        (resource("", 0), smooth),
        (resource("pages", 0), nameless.clone()),
        (resource("pages", 0), nameless),
    ];
    assert_eq!(names(sampled), ["SAMP[0]", "SAMP[1]", "pages", "SAMP[3]"]);
}
