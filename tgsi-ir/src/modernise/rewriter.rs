//! The shader under construction: instructions, new registers, immediates and labels.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::error::{Inexpressible, Reason};
use super::legacy::{LegacyFiles, array_number};
use crate::origins::Origins;
use crate::place::Place;
use crate::{
    Declaration, DeclarationId, Dst, File, FileAttributes, Immediate, ImmediateType, Instruction,
    InstructionId, MemoryType, Opcode, Register, Semantic, Shader, Src, Swizzle,
};

/// A bound on the scratch registers of one instruction.
const MAX_SCRATCH: u32 = 12;
/// A bound on the address registers of one instruction.
const MAX_ADDRESSES: u32 = 16;

/// A shader being rewritten, one instruction after the other.
pub(crate) struct Rewriter<'a> {
    pub(crate) shader: &'a Shader,
    /// The instruction being rewritten; `None` while instructions for the whole shader are put in front.
    current: Option<InstructionId>,
    out: Vec<Instruction>,
    /// The origin of each instruction.
    origins: Vec<Option<InstructionId>>,
    /// Where the rewriting of each instruction starts.
    starts: Vec<u32>,
    immediates: Vec<Immediate>,
    /// The immediate and channel of each scalar.
    scalars: HashMap<(ImmediateType, u32), (usize, u8)>,
    /// The immediates that were added whole, by their words.
    vectors: HashMap<[u32; 4], u32>,
    /// First temporary that the shader does not use.
    base: u32,
    scratch: u32,
    highest_scratch: u32,
    /// Temporaries that replace registers of removed files.
    temporaries: BTreeMap<(File, i16), u32>,
    num_temporaries: u32,
    /// First temporary of the arrays that were `TEMPX` or `IMMX`, which have declarations of their own.
    array_start: Option<u32>,
    /// Address registers that are new.
    first_address: u32,
    addresses: u32,
    num_addresses: u32,
    /// Memories that replace `RES` registers with special numbers.
    memories: BTreeMap<MemoryType, i16>,
    problems: Vec<Inexpressible>,
    declarations: Vec<Declaration>,
    /// All declarations, once one was added.
    known: HashSet<Declaration>,
    /// The declarations of removed files.
    pub(crate) legacy: LegacyFiles,
}

impl<'a> Rewriter<'a> {
    pub(crate) fn new(shader: &'a Shader) -> Self {
        Self {
            shader,
            current: None,
            out: Vec::with_capacity(shader.instructions.len()),
            origins: Vec::with_capacity(shader.instructions.len()),
            starts: Vec::with_capacity(shader.instructions.len()),
            immediates: shader.immediates.clone(),
            scalars: scalars_of(shader),
            vectors: HashMap::new(),
            base: first_free(shader, File::Temporary),
            scratch: 0,
            highest_scratch: 0,
            temporaries: BTreeMap::new(),
            num_temporaries: 0,
            array_start: None,
            first_address: first_free(shader, File::Address),
            addresses: 0,
            num_addresses: 0,
            memories: BTreeMap::new(),
            problems: Vec::new(),
            declarations: Vec::new(),
            known: HashSet::new(),
            legacy: LegacyFiles::new(shader),
        }
    }

    /// Starts the rewriting of instruction `id`.
    pub(crate) fn begin(&mut self, id: InstructionId) {
        self.current = Some(id);
        self.scratch = 0;
        self.addresses = 0;
        self.starts.push(self.out.len() as u32);
    }

    /// Records that the current instruction cannot be expressed.
    pub(crate) fn problem(&mut self, reason: Reason) {
        self.problem_at(self.current.map_or(Place::Shader, Place::Instruction), reason);
    }

    pub(crate) fn problem_at(&mut self, place: Place, reason: Reason) {
        let problem = Inexpressible { place, reason };
        if self.problems.last() != Some(&problem) {
            self.problems.push(problem);
        }
    }

    pub(crate) fn push(&mut self, instruction: Instruction) {
        self.out.push(instruction);
        self.origins.push(self.current);
    }

    /// Emits an instruction with the given operands and nothing else.
    pub(crate) fn op(&mut self, opcode: Opcode, dst: Option<Dst>, src: &[Src]) {
        self.push(make(opcode, dst, src));
    }

    /// Emits the last step of `original`: it has the same clamp and the same predicate.
    pub(crate) fn last(&mut self, original: &Instruction, opcode: Opcode, dst: Dst, src: &[Src]) {
        let mut instruction = make(opcode, Some(dst), src);
        instruction.saturate = original.saturate;
        instruction.precise = original.precise;
        instruction.predicate = original.predicate;
        self.push(instruction);
    }

    /// A temporary for the rewriting of the current instruction.
    pub(crate) fn scratch(&mut self) -> Register {
        let index = self.base + self.scratch;
        self.scratch = (self.scratch + 1).min(MAX_SCRATCH - 1);
        self.highest_scratch = self.scratch.max(self.highest_scratch);
        self.register(File::Temporary, index)
    }

    /// `TEMPX[array][index]`: the array becomes a range of temporaries, as do arrays of constants.
    pub(super) fn array_register(&mut self, reg: &Register) -> Register {
        let array =
            array_number(reg).and_then(|number| self.legacy.arrays.get(&(reg.file, number)));
        let Some(&(base, len)) = array else {
            self.problem(Reason::File { file: reg.file });
            return *reg;
        };
        let first = self.array_start().saturating_add(base);
        let last = first.saturating_add(len).saturating_sub(1);
        self.declare_once(Declaration::new(File::Temporary, first as u16, last as u16));
        let first = i16::try_from(first).unwrap_or(i16::MAX);
        let mut element = Register::new(File::Temporary, first.saturating_add(reg.index));
        element.indirect = reg.indirect;
        element
    }

    /// The temporary that replaces register `index` of a removed file.
    pub(crate) fn temporary_for(&mut self, file: File, index: i16) -> Register {
        let number = match self.temporaries.get(&(file, index)) {
            Some(&number) => number,
            None => {
                let number = self.reserve_temporaries(1);
                self.temporaries.insert((file, index), number);
                number
            }
        };
        self.register(File::Temporary, number)
    }

    /// A new temporary that keeps its value beyond the current instruction.
    pub(crate) fn persistent(&mut self) -> Register {
        let number = self.reserve_temporaries(1);
        self.register(File::Temporary, number)
    }

    /// The first of `len` new temporaries.
    pub(crate) fn reserve_temporaries(&mut self, len: u32) -> u32 {
        let first = (self.base + MAX_SCRATCH).saturating_add(self.num_temporaries);
        self.num_temporaries = self.num_temporaries.saturating_add(len);
        if first.saturating_add(len) > i16::MAX as u32 {
            self.problem(Reason::TooManyRegisters);
        }
        first
    }

    /// A new address register.
    pub(crate) fn address(&mut self) -> Register {
        let index = self.first_address + self.addresses;
        self.addresses = (self.addresses + 1).min(MAX_ADDRESSES - 1);
        self.num_addresses = self.addresses.max(self.num_addresses);
        self.register(File::Address, index)
    }

    /// Frees the new address registers, once everything that they subscript has been read.
    pub(crate) fn reuse_addresses(&mut self) {
        self.addresses = 0;
    }

    fn register(&mut self, file: File, index: u32) -> Register {
        match i16::try_from(index) {
            Ok(index) => Register::new(file, index),
            Err(_) => {
                self.problem(Reason::TooManyRegisters);
                Register::new(file, 0)
            }
        }
    }

    /// A memory of a type.
    pub(crate) fn memory(&mut self, kind: MemoryType) -> Register {
        let next = self.memories.len() as i16;
        let index = *self.memories.entry(kind).or_insert(next);
        Register::new(File::Memory, index)
    }

    /// Adds a declaration, unless the shader has it already.
    pub(crate) fn declare_once(&mut self, declaration: Declaration) {
        if self.known.is_empty() {
            self.known = self.shader.declarations.iter().cloned().collect();
        }
        if self.known.insert(declaration.clone()) {
            self.declarations.push(declaration);
        }
    }

    /// Where the temporaries of arrays start.
    pub(crate) fn array_start(&mut self) -> u32 {
        let total = self.legacy.num_array_temps;
        match self.array_start {
            Some(start) => start,
            None => {
                let start = self.reserve_temporaries(total);
                self.array_start = Some(start);
                start
            }
        }
    }

    /// A float in every channel.
    pub(crate) fn f32(&mut self, value: f32) -> Src {
        self.scalar(ImmediateType::Float32, value.to_bits())
    }

    /// An integer in every channel.
    pub(crate) fn u32(&mut self, value: u32) -> Src {
        self.scalar(ImmediateType::Uint32, value)
    }

    fn scalar(&mut self, kind: ImmediateType, word: u32) -> Src {
        let next = self.immediates.len();
        let (index, channel) = *self.scalars.entry((kind, word)).or_insert((next, 0));
        if index == next {
            self.immediates.push(Immediate { kind, words: [word; 4].into() });
        }
        let reg = self.register(File::Immediate, index as u32);
        let component = crate::Component::from_bits(channel);
        Src { swizzle: Swizzle::splat(component), ..Src::new(reg) }
    }

    /// Four floats.
    pub(crate) fn vec4(&mut self, values: [f32; 4]) -> Src {
        self.words(values.map(f32::to_bits))
    }

    /// Four words, which text shows as floats.
    pub(crate) fn words(&mut self, words: [u32; 4]) -> Src {
        let next = self.immediates.len() as u32;
        let index = *self.vectors.entry(words).or_insert(next);
        if index == next {
            self.immediates.push(Immediate { kind: ImmediateType::Float32, words: words.into() });
        }
        Src::new(self.register(File::Immediate, index))
    }

    /// Declarations of today's files stay; what the others say is told elsewhere.
    pub(crate) fn check_declarations(&mut self) {
        for (index, declaration) in self.shader.declarations.iter().enumerate() {
            let place = Place::Declaration(DeclarationId::from_index(index));
            // Today's words need counts in properties, which the shader may not have.
            let semantic = declaration.semantic.map(|semantic| semantic.name);
            if let Some(semantic @ Semantic::Culldist) = semantic {
                self.problem_at(place, Reason::Semantic { semantic });
            }
        }
    }

    /// The new shader without declarations of removed files, and the origins of its parts.
    pub(crate) fn finish(self) -> Result<(Shader, Origins), Vec<Inexpressible>> {
        let num_declarations = self.shader.declarations.len();
        let (mut shader, _, instructions) = self.finish_all()?;
        let mut origins = Vec::new();
        let is_current = |file: File| file.number().is_some() || matches!(file, File::Unknown(_));
        let all = std::mem::take(&mut shader.declarations).into_iter().enumerate();
        for (index, declaration) in all.filter(|(_, one)| is_current(one.file)) {
            shader.declarations.push(declaration);
            origins.push((index < num_declarations).then(|| DeclarationId::from_index(index)));
        }
        Ok((shader, Origins::new(instructions, origins)))
    }

    /// The new shader, and the origins of its parts.
    pub(crate) fn finish_keeping_files(self) -> Result<(Shader, Origins), Vec<Inexpressible>> {
        let (shader, declarations, instructions) = self.finish_all()?;
        Ok((shader, Origins::new(instructions, declarations)))
    }

    /// The new shader, with labels that follow the instructions, and the origins of declarations and instructions.
    #[expect(clippy::type_complexity, reason = "the parts of one answer, taken apart at once")]
    fn finish_all(
        mut self,
    ) -> Result<(Shader, Vec<Option<DeclarationId>>, Vec<Option<InstructionId>>), Vec<Inexpressible>>
    {
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        let (num_old, num_new) = (self.starts.len() as u32, self.out.len() as u32);
        for instruction in &mut self.out {
            if let Some(label) = instruction.label {
                let moved = self.starts.get(label as usize).copied();
                instruction.label =
                    Some(moved.unwrap_or(if label == num_old { num_new } else { label }));
            }
        }
        let mut shader = Shader::new(self.shader.processor);
        shader.properties.clone_from(&self.shader.properties);
        shader.declarations = self.kept_declarations();
        shader.immediates = self.immediates;
        shader.instructions = self.out;
        let num_declarations = self.shader.declarations.len();
        let declarations = (0..shader.declarations.len())
            .map(|n| (n < num_declarations).then(|| DeclarationId::from_index(n)))
            .collect();
        Ok((shader, declarations, self.origins))
    }

    fn kept_declarations(&self) -> Vec<Declaration> {
        let mut list: Vec<Declaration> =
            self.shader.declarations.iter().chain(&self.declarations).cloned().collect();
        let mut add = |file, first: u32, len: u32| {
            if len > 0 {
                list.push(Declaration::new(file, first as u16, (first + len - 1) as u16));
            }
        };
        add(File::Temporary, self.base, self.highest_scratch);
        for (first, len) in self.plain_temporaries() {
            add(File::Temporary, first, len);
        }
        add(File::Address, self.first_address, self.num_addresses);
        for (&kind, &index) in &self.memories {
            let mut declaration = Declaration::new(File::Memory, index as u16, index as u16);
            declaration.attributes = FileAttributes::Memory(kind);
            list.push(declaration);
        }
        list
    }

    /// The new temporaries before and after those of arrays.
    fn plain_temporaries(&self) -> [(u32, u32); 2] {
        let first = self.base + MAX_SCRATCH;
        let end = first + self.num_temporaries;
        let start = self.array_start.unwrap_or(end);
        let after = start.saturating_add(self.legacy.num_array_temps).min(end);
        [(first, start - first), (after, end - after)]
    }
}

pub(crate) fn make(opcode: Opcode, dst: Option<Dst>, src: &[Src]) -> Instruction {
    let mut instruction = Instruction::new(opcode);
    instruction.dst.extend(dst);
    instruction.src.extend(src.iter().copied());
    instruction
}

fn scalars_of(shader: &Shader) -> HashMap<(ImmediateType, u32), (usize, u8)> {
    let mut scalars = HashMap::new();
    for (index, immediate) in shader.immediates.iter().enumerate() {
        for (channel, &word) in (0..).zip(&immediate.words) {
            scalars.entry((immediate.kind, word)).or_insert((index, channel));
        }
    }
    scalars
}

/// The number after the highest that is declared or used.
fn first_free(shader: &Shader, file: File) -> u32 {
    let declared = shader
        .declarations
        .iter()
        .filter(|one| one.file == file)
        .map(|one| u32::from(one.range.last) + 1);
    let registers = shader
        .instructions
        .iter()
        .flat_map(|one| one.dst.iter().map(|dst| dst.reg).chain(one.src.iter().map(|src| src.reg)));
    let used = registers.flat_map(|reg| {
        let of_dimension = reg.dimension.and_then(|dimension| dimension.indirect);
        let subscripts = reg.indirect.into_iter().chain(of_dimension);
        let subscripts = subscripts.map(|indirect| (indirect.file, indirect.index));
        subscripts.chain([(reg.file, reg.index)])
    });
    let used = used
        .filter(|(used, _)| *used == file)
        .map(|(_, index)| u32::from(index.max(0).cast_unsigned()) + 1);
    declared.chain(used).max().unwrap_or(0)
}
