//! Random accesses to buffers and images. What a lane finds depends on what others left there, so that only stages
//! have them whose lanes the interpreter runs together, as the simulator does.

use tgsi_ir::build::{ShaderBuilder, Temp};
use tgsi_ir::{
    Declaration, Dst, File, FileAttributes, Format, ImageAttributes, Instruction, Memory,
    MemoryQualifiers, Opcode, Processor, Register, Src, TextureTarget, WriteMask,
};

use super::Generator;
use crate::random::Random;

/// Buffers; addresses in them, and some behind their ends. Those of vectors, for what several lanes store in
/// overlapping ones has no order.
const NUM_BUFFERS: usize = 2;
const ADDRESSES: u32 = 0x130;
/// Words of each buffer that are added to the result.
const SHOWN: [u32; 4] = [0, 0x10, 0x38, 0x80];

/// Images: their shape, their format, and the places in them.
const IMAGES: [(TextureTarget, &str, [u32; 4]); 2] = [
    (TextureTarget::D2, "PIPE_FORMAT_R32G32B32A32_UINT", [15, 15, 0, 0]),
    (TextureTarget::D1Array, "PIPE_FORMAT_R32_UINT", [31, 7, 0, 0]),
];

/// Operations that images have, too.
const OPERATIONS: [Opcode; 10] = [
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
];
/// Operations on buffers alone.
const OF_BUFFERS: [Opcode; 2] = [Opcode::AtomincWrap, Opcode::AtomdecWrap];

/// Declares buffers and images in some shaders of some stages; false where there are none.
pub(super) fn declare(b: &mut ShaderBuilder, random: &mut Random, stage: Processor) -> bool {
    let has_memory = matches!(stage, Processor::Fragment | Processor::Compute) && random.once_in(2);
    if has_memory {
        for buffer in 0..NUM_BUFFERS as u16 {
            b.declare(Declaration::new(File::Buffer, buffer, buffer));
        }
        for (image, (target, format, _)) in (0..).zip(IMAGES) {
            let format = Format::from_name(format).unwrap_or(Format::NONE);
            let image_of = ImageAttributes { target, format, raw: false, writable: true };
            let attributes = FileAttributes::Image(image_of);
            b.declare(Declaration { attributes, ..Declaration::new(File::Image, image, image) });
        }
    }
    has_memory
}

/// Where an access goes.
struct Place {
    register: Register,
    address: Src,
    /// Holds the address.
    temp: Temp,
    memory: Option<Memory>,
}

impl Generator<'_> {
    /// Loads, stores or changes words of a buffer or a texel of an image.
    pub(super) fn memory_access(&mut self) {
        let is_image = self.random.once_in(3);
        let place = if is_image { self.texel() } else { self.words() };
        match self.random.below(5) {
            0 | 1 => self.load_memory(&place),
            2 | 3 => self.store_memory(&place, is_image),
            _ => self.change_memory(&place, is_image),
        }
        self.release(place.temp);
    }

    /// Adds some words of buffers to a temporary, so that what was stored is seen.
    pub(super) fn show_memory(&mut self) {
        let shown = self.values.integers[0];
        for buffer in 0..NUM_BUFFERS as i16 {
            for address in SHOWN {
                let word = self.scratch();
                let address = self.builder.u32(address);
                let mut load = Instruction::new(Opcode::Load);
                load.dst.push(word.into());
                load.src.extend([Src::new(Register::new(File::Buffer, buffer)), address]);
                self.builder.push(load);
                self.builder.emit(Opcode::Uadd, shown, [shown.into(), word.into()]);
                self.release(word);
            }
        }
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
        let mask = self.builder.immediate(tgsi_ir::ImmediateType::Uint32, edges);
        self.builder.emit(Opcode::And, temp, [index, mask]);
        let format = Format::from_name(format).unwrap_or(Format::NONE);
        let memory = Memory { qualifiers: MemoryQualifiers::default(), target, format };
        let register = Register::new(File::Image, number as i16);
        Place { register, address: temp.into(), temp, memory: Some(memory) }
    }

    fn load_memory(&mut self, place: &Place) {
        let mut load = Instruction::new(Opcode::Load);
        load.dst.push(self.integer_destination());
        load.src.extend([Src::new(place.register), place.address]);
        load.memory = place.memory;
        self.builder.push(load);
    }

    fn store_memory(&mut self, place: &Place, is_image: bool) {
        // Whole texels are stored.
        let mask = if is_image { WriteMask::XYZW } else { self.mask() };
        let mut store = Instruction::new(Opcode::Store);
        store.dst.push(Dst { reg: place.register, mask });
        let value = self.integer_source();
        store.src.extend([place.address, value]);
        store.memory = place.memory;
        self.builder.push(store);
    }

    fn change_memory(&mut self, place: &Place, is_image: bool) {
        let is_of_buffers = !is_image && self.random.once_in(5);
        let opcode = match is_of_buffers {
            true => self.random.pick(&OF_BUFFERS),
            false => self.random.pick(&OPERATIONS),
        };
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
