//! What the key of a shader changes: each choice compiled for every generation, run, and compared with what
//! it has to give.

use r600_codegen::abi::{Bindings, InputSlot, ShaderKey, StreamOutput, VertexAs, copy_shader};
use r600_codegen::{Compiled, Compiler, OptLevel, Options};
use r600_isa::{Chip, Clause, FetchInst, Generation};
use r600_sim::{
    Buffer, BufferFormat, Declaration, Entry, Event, ExportKind, Kernel, MemoryTarget, MemoryWrite,
    Options as SimOptions, Outcome, Parameter, Resources, Stage,
};
use tgsi_ir::{Semantic, Shader};

const CHIPS: [Chip; 4] = [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman];
const LANES: usize = 4;

/// The user's clip planes, and a ring of four vec4 whose dwords count up from 1000.
struct Surroundings {
    ring: Vec<u32>,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self { ring: (1000..1064).collect() }
    }
}

impl Resources for Surroundings {
    fn constant(&self, bank: u32, index: u32) -> Option<[u32; 4]> {
        let plane = [index as f32, 0.5, 0.0, 1.0];
        (bank == 15 && index < 8).then_some(plane.map(f32::to_bits))
    }

    fn buffer(&self, resource: u32) -> Option<Buffer<'_>> {
        let format = BufferFormat { data: 0x22, number: 1, is_signed: false };
        (resource == 17).then_some(Buffer::new(&self.ring, 4, format))
    }
}

fn parse(text: &str) -> Shader {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    parsed.shader
}

/// Both ends of the range of levels.
fn compiled(shader: &Shader, key: &ShaderKey, chip: Chip) -> [Compiled; 2] {
    [OptLevel::O0, OptLevel::O2].map(|level| {
        let options = Options::default().level(level).key(key.clone());
        Compiler::new(options).unwrap().compile(shader, chip).unwrap()
    })
}

fn launch(compiled: &Compiled, (chip, stage): (Chip, Stage), entry: &Entry<'_>) -> Outcome {
    let declaration = Declaration {
        chip,
        stage,
        num_gprs: u32::from(compiled.num_gprs),
        stack_entries: compiled.stack_size,
    };
    let kernel = Kernel::from_words(&compiled.words, declaration).unwrap();
    kernel.run(entry, &SimOptions::default(), &mut Surroundings::default()).unwrap()
}

fn is_late(chip: Chip) -> bool {
    matches!(chip.generation(), Generation::Evergreen | Generation::Cayman)
}

fn set_vector(entry: &mut Entry<'_>, gpr: u8, value: [f32; 4]) {
    for lane in 0..LANES {
        for (channel, value) in (0..).zip(value) {
            entry.set_gpr(u32::from(gpr), channel, lane, value.to_bits());
        }
    }
}

/// What an input is where nothing is interpolated.
fn value_of(slot: &InputSlot) -> [f32; 4] {
    let first = match slot.semantic {
        Some((Semantic::Color, index)) => 10.0 + f32::from(index),
        Some((Semantic::Bcolor, index)) => 20.0 + f32::from(index),
        Some((Semantic::Generic, index)) => 30.0 + f32::from(index),
        _ => 40.0,
    };
    [first, first + 0.25, first + 0.5, first + 0.75]
}

/// What the pair at each place of the packing order adds to a parameter.
const OF_PAIR: [f32; 6] = [100.0, 200.0, 300.0, 400.0, 500.0, 600.0];
const AT_SAMPLE: f32 = OF_PAIR[0];
const AT_CENTER: f32 = OF_PAIR[1];

/// The state on entry of a fragment shader: the second and the fourth lane see a back face.
fn fragment_entry(compiled: &Compiled) -> Entry<'static> {
    let mut entry = Entry::new(1);
    let used = (0..6).filter(|&at| compiled.entry.pairs[at]);
    for (rank, at) in (0_u32..).zip(used) {
        for lane in 0..LANES {
            let channel = 2 * (rank % 2) as u8;
            entry.set_gpr(rank / 2, channel, lane, OF_PAIR[at].to_bits());
            entry.set_gpr(rank / 2, channel + 1, lane, 0);
        }
    }
    let constant = |value: [f32; 4]| value.map(|value| [value.to_bits(); 64]);
    for slot in &compiled.inputs {
        match slot.parameter {
            Some(_) => entry.push_parameter(Parameter {
                p0: constant(value_of(slot)),
                p10: constant([1.0; 4]),
                p20: constant([0.0; 4]),
            }),
            None => set_vector(&mut entry, slot.gpr, value_of(slot)),
        }
    }
    if let Some(face) = compiled.entry.face {
        for lane in 0..LANES {
            let sign: f32 = if lane % 2 == 0 { 1.0 } else { -1.0 };
            entry.set_gpr(u32::from(face), 0, lane, sign.to_bits());
        }
    }
    entry
}

/// What fragment shader `text` exports to a colour buffer, or a vertex shader to a position.
fn exported(outcome: &Outcome, kind: ExportKind, base: u32) -> Option<[[f32; 4]; LANES]> {
    let exported = outcome.export(kind, base)?;
    Some(std::array::from_fn(|lane| {
        exported.lanes[lane].map(|bits| f32::from_bits(bits.unwrap_or(f32::NAN.to_bits())))
    }))
}

fn pixel(compiled: &Compiled, chip: Chip, base: u32) -> Option<[[f32; 4]; LANES]> {
    let outcome = launch(compiled, (chip, Stage::Pixel), &fragment_entry(compiled));
    exported(&outcome, ExportKind::Pixel, base)
}

fn state(compiled: &Compiled, name: &str, index: u32) -> u32 {
    let found = compiled.state.iter().find(|value| value.name == name && value.index == index);
    found.unwrap_or_else(|| panic!("{name} is not in the state")).value
}

fn plus(value: [f32; 4], more: f32) -> [f32; 4] {
    value.map(|value| value + more)
}

const FRONT: [f32; 4] = [10.0, 10.25, 10.5, 10.75];
const BACK: [f32; 4] = [20.0, 20.25, 20.5, 20.75];

#[test]
fn back_faces_have_separate_colors() {
    let key = ShaderKey::default().two_sided_color(true);
    let plain = "FRAG\nDCL IN[0], COLOR, PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    let face = "FRAG\nDCL IN[0], FACE, CONSTANT\nDCL IN[1], COLOR, PERSPECTIVE\nDCL OUT[0], COLOR\n\
                MOV OUT[0], IN[1]\nEND\n";
    // The shader declares the first back colour itself.
    let range = "FRAG\nDCL IN[0..1], COLOR, PERSPECTIVE\nDCL IN[2], BCOLOR, PERSPECTIVE\nDCL OUT[0], COLOR\n\
                 MOV OUT[0], IN[1]\nEND\n";
    for (text, index) in [(plain, 0), (face, 0), (range, 1)] {
        for chip in CHIPS {
            let center = if is_late(chip) { AT_CENTER } else { 0.0 };
            let more = center + index as f32;
            let (front, back) = (plus(FRONT, more), plus(BACK, more));
            for compiled in compiled(&parse(text), &key, chip) {
                let got = pixel(&compiled, chip, 0).unwrap();
                assert_eq!(got, [front, back, front, back], "{chip:?}\n{text}");
                assert_eq!(state(&compiled, "SPI_PS_IN_CONTROL_1", 0) >> 8 & 1, 1);
            }
            for compiled in compiled(&parse(text), &ShaderKey::default(), chip) {
                assert_eq!(pixel(&compiled, chip, 0).unwrap(), [front; 4], "{chip:?}\n{text}");
            }
        }
    }
}

#[test]
fn reinterpolated_colors_also_follow_the_face() {
    let text = "FRAG\nDCL IN[0], COLOR, PERSPECTIVE\nDCL OUT[0], COLOR\nINTERP_CENTROID OUT[0], IN[0]\nEND\n";
    let key = ShaderKey::default().two_sided_color(true);
    for chip in [Chip::Cedar, Chip::Cayman] {
        let (front, back) = (plus(FRONT, OF_PAIR[2]), plus(BACK, OF_PAIR[2]));
        for compiled in compiled(&parse(text), &key, chip) {
            assert_eq!(pixel(&compiled, chip, 0).unwrap(), [front, back, front, back]);
        }
    }
}

const TWO_INPUTS: &str = "FRAG\nDCL IN[0], COLOR, COLOR\nDCL IN[1], GENERIC[0], PERSPECTIVE\n\
                          DCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n";

#[test]
fn flat_colors_are_those_of_the_provoking_vertex() {
    for (flat_shade, of_color) in [(false, AT_CENTER), (true, 0.0)] {
        let key = ShaderKey::default().flat_shade(flat_shade).num_color_buffers(2);
        for chip in CHIPS {
            for compiled in compiled(&parse(TWO_INPUTS), &key, chip) {
                let is_flat = |index| state(&compiled, "SPI_PS_INPUT_CNTL", index) >> 10 & 1 == 1;
                assert_eq!([is_flat(0), is_flat(1)], [flat_shade, false]);
                if is_late(chip) {
                    assert_eq!(pixel(&compiled, chip, 0).unwrap()[0], plus(FRONT, of_color));
                    assert_eq!(pixel(&compiled, chip, 1).unwrap()[0][0], 30.0 + AT_CENTER);
                }
            }
        }
    }
}

#[test]
fn inputs_of_samples_are_interpolated_there() {
    for (sample_shading, more) in [(false, AT_CENTER), (true, AT_SAMPLE)] {
        let key = ShaderKey::default().sample_shading(sample_shading).num_color_buffers(2);
        for chip in CHIPS {
            for compiled in compiled(&parse(TWO_INPUTS), &key, chip) {
                if is_late(chip) {
                    assert_eq!(pixel(&compiled, chip, 0).unwrap()[0], plus(FRONT, more));
                    assert_eq!(pixel(&compiled, chip, 1).unwrap()[0][0], 30.0 + more);
                } else {
                    let at_sample = |n| state(&compiled, "SPI_PS_INPUT_CNTL", n) >> 18 & 1 == 1;
                    assert_eq!([at_sample(0), at_sample(1)], [sample_shading; 2]);
                }
            }
        }
    }
}

#[test]
fn the_second_source_of_blending_needs_no_buffer() {
    for (dual_source, mask) in [(false, 0xF), (true, 0xFF)] {
        let key = ShaderKey::default().dual_source(dual_source);
        for chip in CHIPS {
            for compiled in compiled(&parse(TWO_INPUTS), &key, chip) {
                assert_eq!(pixel(&compiled, chip, 1).is_some(), dual_source);
                assert_eq!(state(&compiled, "CB_SHADER_MASK", 0), mask);
            }
        }
    }
}

#[test]
fn alpha_can_be_one() {
    for (alpha_to_one, more) in [(false, None), (true, Some(1.0))] {
        let key = ShaderKey::default().alpha_to_one(alpha_to_one);
        for chip in CHIPS {
            let center = if is_late(chip) { AT_CENTER } else { 0.0 };
            for compiled in compiled(&parse(TWO_INPUTS), &key, chip) {
                let mut want = plus(FRONT, center);
                want[3] = more.unwrap_or(want[3]);
                assert_eq!(pixel(&compiled, chip, 0).unwrap(), [want; 4]);
            }
        }
    }
}

#[test]
fn only_colors_of_bound_buffers_are_exported() {
    let text = "FRAG\nDCL OUT[0..7], COLOR\nIMM[0] FLT32 {1.0, 2.0, 3.0, 4.0}\n".to_owned()
        + &(0..8).map(|n| format!("MOV OUT[{n}], IMM[0]\n")).collect::<String>()
        + "END\n";
    for num_color_buffers in 0..=8_u8 {
        let key = ShaderKey::default().num_color_buffers(num_color_buffers);
        for chip in CHIPS {
            for compiled in compiled(&parse(&text), &key, chip) {
                let is_there = |base: &u32| pixel(&compiled, chip, *base).is_some();
                let count = (0..8).filter(is_there).count();
                assert_eq!(count, usize::from(num_color_buffers.max(1)));
            }
        }
    }
}

#[test]
fn distances_to_clip_planes_come_from_the_clip_vertex_or_the_position() {
    let vertex = |name: &str| {
        format!(
            "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], {name}\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[0]\nEND\n"
        )
    };
    let position = [2.0, 4.0, 8.0, 16.0];
    let distance = |plane: u32| 2.0 * plane as f32 + 0.5 * 4.0 + 16.0;
    for (name, clip_position) in [("CLIPVERTEX", false), ("GENERIC[0]", true)] {
        let key = ShaderKey::default().clip_planes(0b0010_0101).clip_position(clip_position);
        for chip in CHIPS {
            for compiled in compiled(&parse(&vertex(name)), &key, chip) {
                let mut entry = Entry::new(1);
                set_vector(&mut entry, 1, position);
                let outcome = launch(&compiled, (chip, Stage::Vertex), &entry);
                let low = exported(&outcome, ExportKind::Position, 61).unwrap()[3];
                let high = exported(&outcome, ExportKind::Position, 62).unwrap()[3];
                assert_eq!([low[0], low[2], high[1]], [0, 2, 5].map(distance), "{chip:?} {name}");
                assert_eq!(state(&compiled, "PA_CL_VS_OUT_CNTL", 0), 0x25 | 3 << 22);
            }
        }
    }
    // Nor do they clip a shader that forbids it.
    let shader = vertex("CLIPVERTEX").replacen("VERT\n", "VERT\nPROPERTY VS_PROHIBIT_UCPS 1\n", 1);
    let key = ShaderKey::default().clip_planes(0xff).clip_position(true);
    for compiled in compiled(&parse(&shader), &key, Chip::Rv770) {
        assert_eq!(state(&compiled, "PA_CL_VS_OUT_CNTL", 0), 0);
    }
    // Without the key the hardware clips positions itself.
    let shader = parse(&vertex("GENERIC[0]"));
    for compiled in compiled(&shader, &ShaderKey::default(), Chip::Rv770) {
        assert_eq!(state(&compiled, "PA_CL_VS_OUT_CNTL", 0), 0);
    }
}

const READS: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL SAMP[1]\nDCL SVIEW[1], 2D, FLOAT\n\
                     DCL CONST[2][0..7]\nDCL OUT[0], COLOR\nDCL ADDR[0]\nDCL TEMP[0]\nIMM[0] INT32 {3, 0, 0, 0}\n\
                     UARL ADDR[0].x, IMM[0].xxxx\nTEX TEMP[0], IN[0], SAMP[1], 2D\nMUL TEMP[0], TEMP[0], IN[0]\n\
                     ADD OUT[0], TEMP[0], CONST[2][ADDR[0].x]\nEND\n";

/// The resources that a program fetches from.
fn resources(compiled: &Compiled) -> Vec<u8> {
    let mut all = Vec::new();
    for clause in &compiled.program.clauses {
        let Clause::Fetch(fetches) = clause else { continue };
        for fetch in fetches {
            match fetch {
                FetchInst::Tex(tex) => all.push(tex.resource_id),
                FetchInst::Vtx(vtx) => all.push(vtx.buffer_id),
                _ => {}
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn latte_uses_the_bindings_of_its_console() {
    let shader = parse(&READS.replace("IMM[0].xxxx", "IN[0].xxxx").replace("UARL", "ARL"));
    for (bindings, chip, want) in [
        (Bindings::OfChip, Chip::Latte, [1, 130]),
        (Bindings::Driver, Chip::Latte, [2, 19]),
        (Bindings::OfChip, Chip::Rv770, [2, 19]),
    ] {
        let key = ShaderKey::default().bindings(bindings);
        for compiled in compiled(&shader, &key, chip) {
            assert_eq!(resources(&compiled), want, "{chip:?} {bindings:?}");
        }
    }
    // The scene answers under the numbers of the console alone.
    crate::support::agrees(READS, &[Chip::Latte]);
}

/// What lane 2 wrote to stream output: stream, buffer, dword and bits, in order.
fn streamed(outcome: &Outcome) -> Vec<(u8, u8, u32, u32)> {
    let mut all = Vec::new();
    for event in &outcome.events {
        let Event::Memory(MemoryWrite { target, lane: 2, address, values, mask }) = event else {
            continue;
        };
        let MemoryTarget::Stream { stream, buffer } = *target else { panic!("{target:?}") };
        for channel in (0..4).filter(|channel| mask >> channel & 1 == 1) {
            all.push((stream, buffer, address + channel, values[channel as usize]));
        }
    }
    all.sort_unstable();
    all
}

fn stream_output(register: u16, components: [u8; 2], to: (u8, u16), stream: u8) -> StreamOutput {
    let [first_component, num_components] = components;
    let (buffer, offset) = to;
    StreamOutput { register, first_component, num_components, buffer, offset, stream }
}

#[test]
fn outputs_of_vertices_go_to_buffers() {
    let text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nMOV OUT[0], IN[0]\n\
                ADD OUT[1], IN[0], IN[0]\nEND\n";
    let stream_outputs = vec![
        stream_output(0, [0, 4], (0, 0), 0),
        stream_output(1, [1, 3], (0, 4), 0),
        // A component that moves down, since nothing lies before the vertex.
        stream_output(1, [3, 1], (3, 0), 0),
        stream_output(0, [2, 2], (3, 1), 0),
    ];
    let key = ShaderKey::default().stream_outputs(stream_outputs);
    let bits = |value: f32| value.to_bits();
    let want = [
        (0, 0, 0, bits(1.0)),
        (0, 0, 1, bits(2.0)),
        (0, 0, 2, bits(4.0)),
        (0, 0, 3, bits(8.0)),
        (0, 0, 4, bits(4.0)),
        (0, 0, 5, bits(8.0)),
        (0, 0, 6, bits(16.0)),
        (0, 3, 0, bits(16.0)),
        (0, 3, 1, bits(4.0)),
        (0, 3, 2, bits(8.0)),
    ];
    for chip in CHIPS {
        for compiled in compiled(&parse(text), &key, chip) {
            let mut entry = Entry::new(1);
            set_vector(&mut entry, 1, [1.0, 2.0, 4.0, 8.0]);
            let outcome = launch(&compiled, (chip, Stage::Vertex), &entry);
            assert_eq!(streamed(&outcome), want, "{chip:?}");
            let position = exported(&outcome, ExportKind::Position, 60).unwrap();
            assert_eq!(position[2], [1.0, 2.0, 4.0, 8.0]);
        }
    }
}

#[test]
fn vertices_of_geometry_shaders_go_to_the_buffers_of_their_stream() {
    let geometry = parse(
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
         PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n\
         IMM[0] UINT32 {0, 0, 0, 0}\nMOV OUT[0], IN[0][0]\nMOV OUT[1], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n",
    );
    let copy = copy_shader(&geometry);
    for chip in CHIPS {
        let streams: &[u8] = if is_late(chip) { &[0, 2] } else { &[0] };
        let stream_outputs: Vec<StreamOutput> =
            streams.iter().map(|&stream| stream_output(1, [0, 2], (stream, 0), stream)).collect();
        let key = ShaderKey::default().vertex_as(VertexAs::Copy).stream_outputs(stream_outputs);
        for compiled in compiled(&copy, &key, chip) {
            for &stream in streams {
                let mut entry = Entry::new(1);
                for lane in 0..LANES {
                    let packed = (u32::from(stream) << 30) | (8 * lane as u32);
                    entry.set_gpr(0, 0, lane, packed);
                }
                let outcome = launch(&compiled, (chip, Stage::Vertex), &entry);
                // The second vec4 after dword 16 of the ring.
                let want = [(stream, stream, 0, 1020), (stream, stream, 1, 1021)];
                assert_eq!(streamed(&outcome), want, "{chip:?} stream {stream}");
            }
        }
    }
}
