//! Shaders of any opcodes and operands, blocks nested properly.

use tgsi_ir::{
    Component, Declaration, Dimension, Dst, File, FlowRole, Format, Immediate, ImmediateType,
    Indirect, Instruction, Memory, MemoryQualifiers, Opcode, Processor, Property, PropertyName,
    Register, ReturnType, Saturate, Shader, Src, Swizzle, Texture, TextureOffset, TextureTarget,
    WriteMask,
};

/// A source of numbers that looks like chance.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def0)
    }

    pub(crate) fn word(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let bits = (self.0 >> 32) as u32;
        // Small integers and floats of moderate size are more telling than noise.
        match bits % 4 {
            0 => bits >> 28,
            1 => ((bits >> 16) as f32 / 8192.0 - 4.0).to_bits(),
            _ => bits,
        }
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit
    }

    fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

const STAGES: [Processor; 6] = [
    Processor::Vertex,
    Processor::Fragment,
    Processor::Geometry,
    Processor::TessCtrl,
    Processor::TessEval,
    Processor::Compute,
];

/// Files of values, with how many registers each has.
const VALUES: [(File, u16); 6] = [
    (File::Temporary, 4),
    (File::Input, 2),
    (File::Constant, 3),
    (File::Immediate, 2),
    (File::SystemValue, 2),
    (File::Address, 1),
];

const TARGETS: [TextureTarget; 8] = [
    TextureTarget::D2,
    TextureTarget::D1,
    TextureTarget::D3,
    TextureTarget::Cube,
    TextureTarget::Rect,
    TextureTarget::Shadow2dArray,
    TextureTarget::CubeArray,
    TextureTarget::D2Msaa,
];

/// A shader whose blocks nest.
pub(crate) fn shader(random: &mut Random) -> Shader {
    let mut shader = Shader::new(random.pick(&STAGES));
    for name in [PropertyName::TcsVerticesOut, PropertyName::GsMaxOutputVertices] {
        shader.properties.push(Property { name, values: [3].into_iter().collect() });
    }
    for (file, len) in VALUES.into_iter().chain([(File::Output, 2)]) {
        if file != File::Immediate {
            shader.declarations.push(Declaration::new(file, 0, len - 1));
        }
    }
    for _ in 0..2 {
        let words = [(); 4].map(|()| random.word());
        shader.immediates.push(Immediate { kind: ImmediateType::Uint32, words: words.into() });
    }
    let mut writer = Writer { random, code: Vec::new(), depth: 0 };
    let count = 1 + writer.random.below(12);
    writer.statements(count, Inside::Main);
    writer.plain(Opcode::End);
    if writer.random.once_in(3) {
        writer.subroutine();
    }
    shader.instructions = writer.code;
    shader
}

/// What jumps may leave here.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Main,
    Loop,
    Switch,
}

struct Writer<'a> {
    random: &'a mut Random,
    code: Vec<Instruction>,
    depth: usize,
}

impl Writer<'_> {
    fn plain(&mut self, opcode: Opcode) {
        self.code.push(Instruction::new(opcode));
    }

    fn statements(&mut self, count: usize, inside: Inside) {
        for _ in 0..count {
            self.statement(inside);
        }
    }

    fn statement(&mut self, inside: Inside) {
        let choice = if self.depth < 4 { self.random.below(12) } else { 0 };
        self.depth += 1;
        match choice {
            8 => self.conditional(inside),
            9 => self.repeat(),
            10 => self.switch(),
            11 if inside != Inside::Main => self.plain(Opcode::Brk),
            11 => self.conditional_return(),
            _ => self.operation(),
        }
        self.depth -= 1;
    }

    fn conditional(&mut self, inside: Inside) {
        let opcode = self.random.pick(&[Opcode::If, Opcode::Uif]);
        self.with_operands(opcode);
        self.statements(2, inside);
        if self.random.once_in(2) {
            self.plain(Opcode::Else);
            self.statements(2, inside);
        }
        self.plain(Opcode::Endif);
    }

    fn conditional_return(&mut self) {
        self.with_operands(Opcode::Uif);
        self.plain(Opcode::Ret);
        self.plain(Opcode::Endif);
    }

    fn repeat(&mut self) {
        self.plain(Opcode::Bgnloop);
        self.statements(2, Inside::Loop);
        self.with_operands(Opcode::Uif);
        let jump = self.random.pick(&[Opcode::Brk, Opcode::Cont]);
        self.plain(jump);
        self.plain(Opcode::Endif);
        if !self.random.once_in(8) {
            self.plain(Opcode::Brk);
        }
        self.plain(Opcode::Endloop);
    }

    fn switch(&mut self) {
        self.with_operands(Opcode::Switch);
        let default = self.random.below(4);
        for label in 0..3 {
            if label == default {
                self.plain(Opcode::Default);
            } else {
                self.with_operands(Opcode::Case);
            }
            self.statements(2, Inside::Switch);
            if self.random.once_in(2) {
                self.plain(Opcode::Brk);
            }
        }
        self.plain(Opcode::Endswitch);
    }

    /// A subroutine after the end, and a call of it in place of the first instruction.
    fn subroutine(&mut self) {
        let label = self.code.len() as u32 + 1;
        let mut call = Instruction::new(Opcode::Cal);
        call.label = Some(label);
        self.code.insert(0, call);
        self.plain(Opcode::Bgnsub);
        self.statements(3, Inside::Main);
        self.plain(Opcode::Ret);
        self.plain(Opcode::Endsub);
    }

    fn operation(&mut self) {
        let opcode = loop {
            let opcode = self.random.pick(&Opcode::ALL);
            let is_block = !matches!(
                opcode.info().flow,
                FlowRole::None
                    | FlowRole::Kill
                    | FlowRole::KillIf
                    | FlowRole::Demote
                    | FlowRole::Emit
                    | FlowRole::Barrier
            );
            // Barriers in blocks would make half of all runs stop.
            let is_awkward = opcode == Opcode::Barrier && self.depth > 1;
            if !is_block && !is_awkward && !opcode.is_legacy() && !opcode.name().starts_with("UNK")
            {
                break opcode;
            }
        };
        self.with_operands(opcode);
    }

    fn with_operands(&mut self, opcode: Opcode) {
        let info = opcode.info();
        let mut inst = Instruction::new(opcode);
        for _ in 0..info.num_dst {
            inst.dst.push(self.destination(opcode));
        }
        for role in info.src_roles.iter().take(usize::from(info.num_src)) {
            inst.src.push(self.source(*role));
        }
        if self.random.once_in(6) {
            inst.saturate = Saturate::ZeroOne;
        }
        if info.has_texture_word() {
            inst.texture = Some(Box::new(self.texture()));
        }
        if info.has_memory_word {
            inst.memory = Some(Memory {
                qualifiers: MemoryQualifiers::default(),
                target: self.random.pick(&TARGETS),
                format: Format::NONE,
            });
        }
        self.code.push(inst);
    }

    fn texture(&mut self) -> Texture {
        let offset = TextureOffset { file: File::Immediate, index: 0, swizzle: Swizzle::XYZW };
        let count = self.random.pick(&[0, 0, 0, 1, 4]);
        Texture {
            target: self.random.pick(&TARGETS),
            return_type: ReturnType::Unknown,
            offsets: (0..count).map(|_| offset).collect(),
        }
    }

    fn destination(&mut self, opcode: Opcode) -> Dst {
        let files: &[File] = match opcode {
            Opcode::Store => &[File::Buffer, File::Memory, File::Image],
            _ => &[File::Temporary, File::Temporary, File::Output, File::Address],
        };
        let file = self.random.pick(files);
        let mut reg = Register::new(file, if file == File::Address { 0 } else { 1 });
        if file == File::Temporary && self.random.once_in(24) {
            reg.indirect = Some(self.indirect());
        }
        Dst { mask: WriteMask::from_bits(1 + self.random.below(15) as u8), ..Dst::new(reg) }
    }

    fn source(&mut self, role: tgsi_ir::SrcRole) -> Src {
        use tgsi_ir::SrcRole;
        let reg = match role {
            SrcRole::Sampler => self.unit(&[File::Sampler]),
            SrcRole::View => self.unit(&[File::SamplerView]),
            SrcRole::Resource => {
                self.unit(&[File::Buffer, File::Memory, File::Image, File::Constbuf])
            }
            SrcRole::Output => Register::new(File::Output, 0),
            _ => self.value(),
        };
        let swizzle = Swizzle::from_bits(self.random.below(256) as u8);
        let (negate, absolute) = (self.random.once_in(4), self.random.once_in(6));
        Src { swizzle, negate, absolute, ..Src::new(reg) }
    }

    fn unit(&mut self, files: &[File]) -> Register {
        let mut reg = Register::new(self.random.pick(files), self.random.below(4) as i16);
        if self.random.once_in(40) {
            reg.indirect = Some(self.indirect());
        }
        reg
    }

    fn value(&mut self) -> Register {
        let (file, len) = self.random.pick(&VALUES);
        let mut reg = Register::new(file, self.random.below(usize::from(len)) as i16);
        match file {
            File::Constant if self.random.once_in(3) => reg.indirect = Some(self.indirect()),
            File::Temporary if self.random.once_in(24) => reg.indirect = Some(self.indirect()),
            File::Input if self.random.once_in(12) => {
                reg.dimension = Some(Dimension { index: 1, indirect: None });
            }
            _ => {}
        }
        reg
    }

    fn indirect(&mut self) -> Indirect {
        let component = Component::from_bits(self.random.below(4) as u8);
        Indirect { file: File::Address, index: 0, component, array_id: 0 }
    }
}
