//! Fetch shaders, and vertex shaders that fetch for themselves, load what vertex shaders read: each format, stride,
//! offset and divisor, on every generation.

use r600_codegen::abi::{
    AttributeFormat, ChannelNumber, ChannelWidth, ShaderKey, Step, VertexElement, VertexFetch,
    fetch_shader_buffer_resource, inlined_buffer_resource,
};
use r600_codegen::fetch_shader::{FetchShaderError, compile_fetch_shader};
use r600_codegen::{Compiled, Options as CompilerOptions};
use r600_isa::Chip;
use r600_sim::{
    Buffer, BufferFormat, Declaration, Entry, ExportKind, Kernel, Options, Resources, Stage,
};

const CHIPS: [Chip; 4] = [Chip::Rv670, Chip::Rv770, Chip::Cedar, Chip::Cayman];

/// Bytes from one element of a buffer to the next.
const STRIDE: u32 = 24;

/// Two buffers whose bytes count up.
struct Buffers {
    words: Vec<u32>,
    first: u32,
}

impl Resources for Buffers {
    fn buffer(&self, resource: u32) -> Option<Buffer<'_>> {
        let format = BufferFormat { data: 0, number: 0, is_signed: false };
        let number = resource.checked_sub(self.first)?;
        (number < 2).then_some(Buffer::new(&self.words[number as usize..], STRIDE, format))
    }
}

fn words() -> Vec<u32> {
    (0..200_u32).map(|n| 0x3F80_0000 + 0x0001_2345 * n).collect()
}

const SHADER: &str = "VERT\nDCL IN[0..2]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n\
                      MOV OUT[0], IN[0]\nMOV OUT[1], IN[2]\nEND\n";

/// The whole layout: attributes 0 and 1 are plain.
fn layout(element: VertexElement) -> [VertexElement; 3] {
    let plain = VertexElement {
        attribute: 0,
        buffer: 0,
        offset: 0,
        format: format(ChannelWidth::Bits32, 4, ChannelNumber::Float),
        step: Step::Vertex,
    };
    [plain, VertexElement { attribute: 1, ..plain }, element]
}

fn compile(chip: Chip, vertex_fetch: VertexFetch) -> Compiled {
    let parsed = tgsi_text::parse(SHADER);
    let key = ShaderKey::default().vertex_fetch(vertex_fetch);
    let options = CompilerOptions::default().key(key);
    r600_codegen::compile(&parsed.shader, chip, &options).unwrap()
}

fn kernel(words: &[u32], chip: Chip, num_gprs: u8) -> Kernel {
    let num_gprs = u32::from(num_gprs);
    let declaration = Declaration { chip, stage: Stage::Vertex, num_gprs, stack_entries: 4 };
    Kernel::from_words(words, declaration).unwrap()
}

/// Lanes that are vertices 0 to 3 of four instances from `first_instance` on.
fn entry<'k>(first_instance: u32) -> Entry<'k> {
    let mut entry = Entry::new(1);
    for lane in 0..4 {
        entry.set_gpr(0, 0, lane, lane as u32);
        entry.set_gpr(0, 3, lane, first_instance + lane as u32);
    }
    entry
}

/// What the program exports as its parameter with the vertex buffers from `first` on.
fn exported(main: &Kernel, entry: &Entry<'_>, first: u8) -> [[u32; 4]; 4] {
    let mut buffers = Buffers { words: words(), first: u32::from(first) };
    let outcome = main.run(entry, &Options::default(), &mut buffers).unwrap();
    let exported = outcome.export(ExportKind::Parameter, 0).unwrap();
    [0, 1, 2, 3].map(|lane| exported.lanes[lane].map(|bits| bits.unwrap()))
}

/// What attribute 2 is for each lane, by way of a fetch shader.
fn called(element: VertexElement, first_instance: u32, chip: Chip) -> [[u32; 4]; 4] {
    let compiled = compile(chip, VertexFetch::FetchShader);
    let fetch_shader = compile_fetch_shader(&layout(element), chip).unwrap();
    let num_gprs = compiled.num_gprs.max(fetch_shader.num_gprs);
    let fetch = kernel(&fetch_shader.words, chip, num_gprs);
    let mut entry = entry(first_instance);
    entry.set_fetch_shader(&fetch);
    let first = fetch_shader_buffer_resource(0, chip.generation());
    exported(&kernel(&compiled.words, chip, num_gprs), &entry, first)
}

/// The same where the program fetches it itself.
fn inlined(element: VertexElement, first_instance: u32, chip: Chip) -> [[u32; 4]; 4] {
    let compiled = compile(chip, VertexFetch::Inlined(layout(element).to_vec()));
    let first = inlined_buffer_resource(0, chip.generation());
    exported(&kernel(&compiled.words, chip, compiled.num_gprs), &entry(first_instance), first)
}

fn format(width: ChannelWidth, channels: u8, number: ChannelNumber) -> AttributeFormat {
    AttributeFormat { width, channels, number, is_reversed: false }
}

/// The bytes of an element, counted from the start of buffer `buffer`.
fn bytes(buffer: usize, element: u32, offset: u16) -> Vec<u8> {
    let all: Vec<u8> = words()[buffer..].iter().flat_map(|word| word.to_le_bytes()).collect();
    all[(element * STRIDE) as usize + usize::from(offset)..].to_vec()
}

fn check(element: VertexElement, want: impl Fn(&[u8]) -> [u32; 4]) {
    check_from(5, element, want);
}

fn check_from(first_instance: u32, element: VertexElement, want: impl Fn(&[u8]) -> [u32; 4]) {
    for chip in CHIPS {
        let got = called(element, first_instance, chip);
        assert_eq!(got, inlined(element, first_instance, chip), "{chip:?}, {element:?}");
        for (lane, got) in (0..).zip(got) {
            let number = match element.step {
                Step::Vertex => lane,
                Step::Instances(divisor) => (first_instance + lane) / divisor,
            };
            let bytes = bytes(usize::from(element.buffer), number, element.offset);
            assert_eq!(got, want(&bytes), "{chip:?}, lane {lane}, {element:?}");
        }
    }
}

fn element(format: AttributeFormat, step: Step) -> VertexElement {
    VertexElement { attribute: 2, buffer: 1, offset: 4, format, step }
}

fn word(bytes: &[u8], n: usize) -> u32 {
    u32::from_le_bytes([bytes[4 * n], bytes[4 * n + 1], bytes[4 * n + 2], bytes[4 * n + 3]])
}

#[test]
fn floats_of_each_number_of_channels() {
    for channels in 1..=4 {
        let float = format(ChannelWidth::Bits32, channels, ChannelNumber::Float);
        check(element(float, Step::Vertex), |bytes| {
            let missing = [0, 0, 0, 1.0_f32.to_bits()];
            [0, 1, 2, 3]
                .map(|n| if n < usize::from(channels) { word(bytes, n) } else { missing[n] })
        });
    }
}

#[test]
fn bytes_and_halves_of_each_kind() {
    let unsigned = format(ChannelWidth::Bits8, 4, ChannelNumber::Normalized { signed: false });
    let colour =
        |bytes: &[u8]| [0, 1, 2, 3].map(|n| ((f64::from(bytes[n]) / 255.0) as f32).to_bits());
    check(element(unsigned, Step::Vertex), colour);
    let reversed = AttributeFormat { is_reversed: true, ..unsigned };
    check(element(reversed, Step::Vertex), |bytes| {
        let [b, g, r, a] = colour(bytes);
        [r, g, b, a]
    });
    let integers = format(ChannelWidth::Bits8, 4, ChannelNumber::Integer { signed: true });
    check(element(integers, Step::Vertex), |bytes| {
        [0, 1, 2, 3].map(|n| i32::from(bytes[n].cast_signed()).cast_unsigned())
    });
    let scaled = format(ChannelWidth::Bits16, 2, ChannelNumber::Scaled { signed: false });
    check(element(scaled, Step::Vertex), |bytes| {
        let half = |n: usize| f32::from(u16::from_le_bytes([bytes[2 * n], bytes[2 * n + 1]]));
        [half(0).to_bits(), half(1).to_bits(), 0, 1.0_f32.to_bits()]
    });
    let packed = format(ChannelWidth::Packed10, 4, ChannelNumber::Integer { signed: false });
    check(element(packed, Step::Vertex), |bytes| {
        let bits = word(bytes, 0);
        [bits & 1023, bits >> 10 & 1023, bits >> 20 & 1023, bits >> 30]
    });
}

/// A channel that integers lack is an integer, too.
#[test]
fn integers_of_each_number_of_channels() {
    for (channels, signed) in [(1, false), (2, true), (3, false), (4, true)] {
        let integers = format(ChannelWidth::Bits32, channels, ChannelNumber::Integer { signed });
        check(element(integers, Step::Vertex), |bytes| {
            [0, 1, 2, 3].map(|n| match n < usize::from(channels) {
                true => word(bytes, n),
                false => u32::from(n == 3),
            })
        });
    }
}

/// A fetch shader, or whatever fills attributes without one, writes those that nobody reads, too.
#[test]
fn registers_of_attributes_are_the_programs_own() {
    let text = "VERT\nDCL IN[0..4]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
    let parsed = tgsi_text::parse(text);
    for vertex_fetch in [VertexFetch::FetchShader, VertexFetch::Preloaded] {
        let options =
            CompilerOptions::default().key(ShaderKey::default().vertex_fetch(vertex_fetch));
        for chip in CHIPS {
            let compiled = r600_codegen::compile(&parsed.shader, chip, &options).unwrap();
            assert_eq!(compiled.num_gprs, 6, "{chip:?}");
        }
    }
}

#[test]
fn instances_and_their_divisors() {
    let float = format(ChannelWidth::Bits32, 4, ChannelNumber::Float);
    for divisor in [1, 2, 3, 4, 5, 7] {
        check(element(float, Step::Instances(divisor)), |bytes| {
            [0, 1, 2, 3].map(|n| word(bytes, n))
        });
    }
}

/// The upper half of one product is a quotient only of small instances.
#[test]
fn late_instances_and_large_divisors() {
    let float = format(ChannelWidth::Bits32, 4, ChannelNumber::Float);
    for (first, divisor) in [
        (131_067, 65_535),
        (65_534, 65_537),
        (1 << 31, 1 << 31),
        (u32::MAX - 3, u32::MAX),
        (u32::MAX - 3, 0x8000_0001),
        (0xb504_f332, 0xb504_f333),
    ] {
        check_from(first, element(float, Step::Instances(divisor)), |bytes| {
            [0, 1, 2, 3].map(|n| word(bytes, n))
        });
    }
}

/// As many as there can be: their divisions do not fit in one clause.
#[test]
fn every_attribute_may_have_a_divisor() {
    let float = format(ChannelWidth::Bits32, 4, ChannelNumber::Float);
    let step = Step::Instances(7);
    let layout: Vec<VertexElement> =
        (0..32).map(|attribute| VertexElement { attribute, ..element(float, step) }).collect();
    for chip in CHIPS {
        let program = compile_fetch_shader(&layout, chip).unwrap().program;
        let findings = program.verify();
        assert_eq!(findings, [], "{}", chip.name());
    }
}

#[test]
fn layouts_that_are_refused() {
    let float = format(ChannelWidth::Bits32, 4, ChannelNumber::Float);
    let good = element(float, Step::Vertex);
    let refusal = |element| compile_fetch_shader(&[element], Chip::Rv770).unwrap_err();
    let bytes = format(ChannelWidth::Bits8, 4, ChannelNumber::Float);
    assert!(matches!(
        refusal(VertexElement { format: bytes, ..good }),
        FetchShaderError::Format(2)
    ));
    assert_eq!(
        refusal(VertexElement { buffer: 16, ..good }).to_string(),
        "attribute 2: vertex buffers are numbered 0 to 15"
    );
    assert_eq!(
        refusal(VertexElement { attribute: 123, ..good }).to_string(),
        "attribute 123: there is no register for it"
    );
    assert_eq!(
        refusal(VertexElement { step: Step::Instances(0), ..good }).to_string(),
        "attribute 2: an instance divisor is at least 1"
    );
    let five = AttributeFormat { channels: 5, ..float };
    assert_eq!(
        refusal(VertexElement { format: five, ..good }).to_string(),
        "attribute 2: no vertex format has these channels"
    );
}
