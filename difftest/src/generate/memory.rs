//! Random accesses to buffers and images. A lane reads what others have left there, so only stages whose lanes the
//! interpreter runs together, as the simulator does, have them.

use tgsi_ir::build::{ShaderBuilder, Temp};
use tgsi_ir::{
    Declaration, Dst, File, FileAttributes, Format, ImageAttributes, ImmediateType, Instruction,
    Memory, MemoryQualifiers, Opcode, Processor, Register, Src, TextureTarget, WriteMask,
};

use super::Generator;
use crate::random::Random;

/// Buffers.
const NUM_BUFFERS: usize = 2;
/// Mask of an address: four vectors in a buffer, and four after its end. Overlapping vectors that several lanes store
/// would have no order.
const ADDRESSES: u32 = 0x130;
/// Vectors of each buffer that are added to the result: all written ones.
const SHOWN: [u32; 4] = [0, 0x10, 0x20, 0x30];
/// Texels of each image that are added to the result.
const SHOWN_TEXELS: [[u32; 4]; 2] = [[0, 0, 0, 0], [1, 1, 0, 0]];

/// Images: their shape, their format, and the places in them.
const IMAGES: [(TextureTarget, &str, [u32; 4]); 2] = [
    (TextureTarget::D2, "PIPE_FORMAT_R32G32B32A32_UINT", [15, 15, 0, 0]),
    (TextureTarget::D1Array, "PIPE_FORMAT_R32_UINT", [31, 7, 0, 0]),
];

/// Operations that change a word: those that images also have, then those of buffers and counters only.
pub(super) const ATOMICS: [Opcode; 12] = [
    Opcode::Atomuadd,
    Opcode::Atomxchg,
    Opcode::Atomcas,
    Opcode::Atomand,
    Opcode::Atomor,
    Opcode::Atomxor,
    Opcode::Atomumin,
    Opcode::Atomumax,
    Opcode::Atomimin,
    Opcode::Atomimax,
    Opcode::AtomincWrap,
    Opcode::AtomdecWrap,
];
const NUM_OF_IMAGES: usize = 10;

/// Declares buffers and images in some shaders of some stages; false where there are none.
pub(super) fn declare(b: &mut ShaderBuilder, random: &mut Random, stage: Processor) -> bool {
    let has_memory = matches!(stage, Processor::Fragment | Processor::Compute) && random.once_in(2);
    if has_memory {
        for buffer in 0..NUM_BUFFERS as u16 {
            b.declare(Declaration::new(File::Buffer, buffer, buffer));
        }
        for (image, (target, format, _)) in (0..).zip(IMAGES) {
            let format = format_of(format);
            let image_of = ImageAttributes { target, format, raw: false, writable: true };
            let attributes = FileAttributes::Image(image_of);
            b.declare(Declaration { attributes, ..Declaration::new(File::Image, image, image) });
        }
    }
    has_memory
}

fn format_of(name: &str) -> Format {
    Format::from_name(name).expect("the format has a name")
}

fn image_memory(target: TextureTarget, format: &str) -> Memory {
    Memory { qualifiers: MemoryQualifiers::default(), target, format: format_of(format) }
}

/// Where an access goes.
struct Place {
    register: Register,
    address: Src,
    /// The register with the address.
    temp: Temp,
    /// Whether the target is an image.
    memory: Option<Memory>,
}

impl Generator<'_> {
    /// Loads, stores or changes words of a buffer or a texel of an image.
    pub(super) fn memory_access(&mut self) {
        let is_image = self.random.once_in(3);
        let place = if is_image { self.texel() } else { self.words() };
        match self.random.below(5) {
            0 | 1 => self.load_memory(&place),
            2 | 3 => self.store_memory(&place),
            _ => self.change_memory(&place),
        }
        self.release(place.temp);
    }

    /// Adds buffers and some texels of images to a temporary, so that stores are visible.
    pub(super) fn show_memory(&mut self) {
        for buffer in 0..NUM_BUFFERS as i16 {
            for address in SHOWN {
                let address = self.builder.u32(address);
                self.show(Register::new(File::Buffer, buffer), address, None);
            }
        }
        for (image, (target, format, _)) in (0..).zip(IMAGES) {
            for texel in SHOWN_TEXELS {
                let address = self.builder.immediate(ImmediateType::Uint32, texel);
                let memory = image_memory(target, format);
                self.show(Register::new(File::Image, image), address, Some(memory));
            }
        }
    }

    fn show(&mut self, register: Register, address: Src, memory: Option<Memory>) {
        let (shown, loaded) = (self.values.integers[0], self.scratch());
        let mut load = Instruction::new(Opcode::Load);
        load.dst.push(loaded.into());
        load.src.extend([Src::new(register), address]);
        load.memory = memory;
        self.builder.push(load);
        self.builder.emit(Opcode::Uadd, shown, [shown.into(), loaded.into()]);
        self.release(loaded);
    }

    fn words(&mut self) -> Place {
        let number = self.random.below(NUM_BUFFERS);
        let (temp, index) = (self.scratch(), self.integer_source());
        let (factor, mask) = (self.builder.u32(16), self.builder.u32(ADDRESSES));
        self.builder.emit(Opcode::Umul, temp, [index, factor]);
        self.builder.emit(Opcode::And, temp, [temp.into(), mask]);
        let register = Register::new(File::Buffer, number as i16);
        Place { register, address: Src::from(temp).x(), temp, memory: None }
    }

    fn texel(&mut self) -> Place {
        let number = self.random.below(IMAGES.len());
        let (target, format, edges) = IMAGES[number];
        let (temp, index) = (self.scratch(), self.integer_source());
        let mask = self.builder.immediate(ImmediateType::Uint32, edges);
        self.builder.emit(Opcode::And, temp, [index, mask]);
        let register = Register::new(File::Image, number as i16);
        let memory = Some(image_memory(target, format));
        Place { register, address: temp.into(), temp, memory }
    }

    fn load_memory(&mut self, place: &Place) {
        let mut load = Instruction::new(Opcode::Load);
        load.dst.push(self.integer_destination());
        load.src.extend([Src::new(place.register), place.address]);
        load.memory = place.memory;
        self.builder.push(load);
    }

    fn store_memory(&mut self, place: &Place) {
        // Whole texels are stored.
        let mask = if place.memory.is_some() { WriteMask::XYZW } else { self.mask() };
        let mut store = Instruction::new(Opcode::Store);
        store.dst.push(Dst { reg: place.register, mask });
        let value = self.integer_source();
        store.src.extend([place.address, value]);
        store.memory = place.memory;
        self.builder.push(store);
    }

    fn change_memory(&mut self, place: &Place) {
        let is_of_buffers = place.memory.is_none() && self.random.once_in(5);
        let (of_images, of_buffers) = ATOMICS.split_at(NUM_OF_IMAGES);
        let opcode = self.random.pick(if is_of_buffers { of_buffers } else { of_images });
        let mut change = Instruction::new(opcode);
        change.dst.push(self.integer_destination());
        change.src.extend([Src::new(place.register), place.address]);
        while change.src.len() < usize::from(opcode.info().num_src) {
            let operand = self.integer_source();
            change.src.push(operand);
        }
        change.memory = place.memory;
        self.builder.push(change);
    }
}
