//! The sanity checker of Mesa 21.2: the same checks in the same order, with the same messages.

use std::collections::{BTreeSet, HashSet};

use super::registers::{DeclaredRegisters, Subscript, VertexCounts, subscript_of};
use super::{Code, Diagnostic, MAX_DIAGNOSTICS, Place};
use crate::{
    Declaration, DeclarationId, Dst, File, Immediate, ImmediateId, ImmediateType, Indirect,
    Instruction, InstructionId, ItemKind, Primitive, Processor, Property, PropertyName, Register,
    Shader, Src,
};

/// The names that the checker prints, by file number; it does not know those after them.
const FILE_NAMES: [&str; 10] =
    ["NULL", "CONST", "IN", "OUT", "TEMP", "SAMP", "ADDR", "IMM", "SV", "RES"];

/// Vertices of a patch, unless a property says less.
const PATCH_VERTICES: u32 = 32;

pub(super) fn validate(shader: &Shader) -> Vec<Diagnostic> {
    let mut checker = Checker::new(shader.processor);
    let mut next = [0usize; 4];
    for run in shader.runs() {
        for _ in 0..run.len {
            let index = next[run.kind as usize];
            next[run.kind as usize] += 1;
            checker.visit(shader, run.kind, index);
        }
    }
    checker.finish()
}

/// A register as the checker tells them apart.
type Key = (File, Option<i32>, i32);

/// Registers that an item of the stream declares.
struct Declared {
    file: File,
    subscript: Subscript,
    range: (u16, u16),
    /// Number of vertices they stand for.
    vertices: u32,
    place: Place,
}

struct Checker {
    processor: Processor,
    declared: DeclaredRegisters,
    vertices: VertexCounts,
    /// What was declared, in order.
    declarations: Vec<Declared>,
    used: HashSet<Key>,
    used_files: BTreeSet<File>,
    seen_end: bool,
    seen_instruction: bool,
    num_immediates: u16,
    findings: Vec<Diagnostic>,
}

impl Checker {
    fn new(processor: Processor) -> Self {
        let inputs = match processor {
            Processor::TessCtrl | Processor::TessEval => PATCH_VERTICES,
            _ => 0,
        };
        let mut checker = Self {
            processor,
            declared: DeclaredRegisters::default(),
            vertices: VertexCounts { inputs, outputs: PATCH_VERTICES },
            declarations: Vec::new(),
            used: HashSet::new(),
            used_files: BTreeSet::new(),
            seen_end: false,
            seen_instruction: false,
            num_immediates: 0,
            findings: Vec::new(),
        };
        checker.declared.set_vertices(checker.vertices);
        checker
    }

    fn report(&mut self, code: Code, place: Place, message: String) {
        if self.findings.len() < MAX_DIAGNOSTICS {
            self.findings.push(Diagnostic::new(code, place, message));
        }
    }

    fn visit(&mut self, shader: &Shader, kind: ItemKind, index: usize) {
        match kind {
            ItemKind::Property => self.visit_property(&shader.properties[index]),
            ItemKind::Declaration => {
                let place = Place::Declaration(DeclarationId::from_index(index));
                self.visit_declaration(&shader.declarations[index], place);
            }
            ItemKind::Immediate => {
                let place = Place::Immediate(ImmediateId::from_index(index));
                self.visit_immediate(&shader.immediates[index], place);
            }
            ItemKind::Instruction => {
                let id = InstructionId::from_index(index);
                self.visit_instruction(&shader.instructions[index], id);
            }
        }
    }

    fn visit_property(&mut self, property: &Property) {
        let Some(&value) = property.values.first() else { return };
        match (property.name, self.processor) {
            (PropertyName::GsInputPrim, Processor::Geometry) => {
                self.vertices.inputs = vertices_of(value);
            }
            (PropertyName::TcsVerticesOut, Processor::TessCtrl) => self.vertices.outputs = value,
            _ => return,
        }
        self.declared.set_vertices(self.vertices);
    }

    fn visit_declaration(&mut self, declaration: &Declaration, place: Place) {
        self.check_late(Code::LateDeclaration, place, "declaration");
        let file = declaration.file;
        if !self.check_file(file, place) {
            return;
        }
        let subscript = subscript_of(self.processor, declaration);
        let range = (declaration.range.first, declaration.range.last);
        self.declare(file, subscript, range, place);
    }

    fn visit_immediate(&mut self, immediate: &Immediate, place: Place) {
        self.check_late(Code::LateImmediate, place, "immediate");
        let index = self.num_immediates;
        self.num_immediates = index.saturating_add(1);
        let range = (index, index);
        self.declared.declare(File::Immediate, Subscript::None, range, place);
        let (file, subscript) = (File::Immediate, Subscript::None);
        self.declarations.push(Declared { file, subscript, range, vertices: 1, place });
        if !matches!(
            immediate.kind,
            ImmediateType::Float32 | ImmediateType::Uint32 | ImmediateType::Int32
        ) {
            let message = format!("({}): Invalid immediate data type", immediate.kind.number());
            self.report(Code::ImmediateType, place, message);
        }
    }

    fn check_late(&mut self, code: Code, place: Place, what: &str) {
        if self.seen_instruction {
            self.report(code, place, format!("Instruction expected but {what} found"));
        }
    }

    fn declare(&mut self, file: File, subscript: Subscript, range: (u16, u16), place: Place) {
        let vertices = match subscript {
            Subscript::Vertices => self.declared.num_vertices(file),
            Subscript::None | Subscript::Exact(_) => 1,
        };
        let name = file_name(file);
        for (first, last, _) in self.declared.declare(file, subscript, range, place) {
            for index in first..=last {
                for _ in 0..vertices {
                    if self.findings.len() >= MAX_DIAGNOSTICS {
                        return;
                    }
                    let message =
                        format!("{name}[{index}]: The same register declared more than once");
                    self.report(Code::DeclaredTwice, place, message);
                }
            }
        }
        self.declarations.push(Declared { file, subscript, range, vertices, place });
    }

    fn visit_instruction(&mut self, instruction: &Instruction, id: InstructionId) {
        self.check_end(instruction, id);
        self.check_counts(instruction, id);
        for (operand, dst) in (0u8..).zip(&instruction.dst) {
            self.visit_dst(dst, Place::Dst(id, operand));
        }
        for (operand, src) in (0u8..).zip(&instruction.src) {
            self.visit_src(src, Place::Src(id, operand));
        }
        self.seen_instruction = true;
    }

    fn check_end(&mut self, instruction: &Instruction, id: InstructionId) {
        if instruction.opcode != crate::Opcode::End {
            return;
        }
        if self.seen_end {
            let message = "Too many END instructions".to_owned();
            self.report(Code::TooManyEnds, Place::Instruction(id), message);
        }
        self.seen_end = true;
    }

    fn check_counts(&mut self, instruction: &Instruction, id: InstructionId) {
        let info = instruction.opcode.info();
        let place = Place::Instruction(id);
        let name = info.name;
        if instruction.dst.len() != usize::from(info.num_dst) {
            let want = info.num_dst;
            let message =
                format!("{name}: Invalid number of destination operands, should be {want}");
            self.report(Code::NumDst, place, message);
        }
        if instruction.src.len() != usize::from(info.num_src) {
            let want = info.num_src;
            let message = format!("{name}: Invalid number of source operands, should be {want}");
            self.report(Code::NumSrc, place, message);
        }
    }

    /// Indirect destinations are looked up as if direct; the registers added to them are ignored.
    fn visit_dst(&mut self, dst: &Dst, place: Place) {
        self.check_register(&dst.reg, place, "destination");
        if dst.mask.is_empty() {
            let message = "Destination register has empty writemask".to_owned();
            self.report(Code::EmptyWriteMask, place, message);
        }
    }

    fn visit_src(&mut self, src: &Src, place: Place) {
        match &src.reg.indirect {
            None => self.check_register(&src.reg, place, "source"),
            Some(indirect) => {
                self.check_indirect_file(src.reg.file, place);
                self.check_index_register(indirect, place);
            }
        }
    }

    fn check_register(&mut self, reg: &Register, place: Place, role: &str) {
        if !self.check_file(reg.file, place) {
            return;
        }
        let dimension = reg.dimension.map(|dimension| dimension.index);
        if self.declared.find(reg.file, dimension, reg.index.into()).is_none() {
            let code = match role {
                "destination" => Code::UndeclaredDst,
                "source" => Code::UndeclaredSrc,
                _ => Code::UndeclaredIndirect,
            };
            let dimension = dimension.map(|index| format!("[{index}]")).unwrap_or_default();
            let name = file_name(reg.file);
            let index = reg.index;
            let message = format!("{name}[{index}]{dimension}: Undeclared {role} register");
            self.report(code, place, message);
        }
        self.used.insert((reg.file, dimension.map(i32::from), reg.index.into()));
    }

    fn check_indirect_file(&mut self, file: File, place: Place) {
        if !self.check_file(file, place) {
            return;
        }
        if !self.declared.has_file(file) {
            let message = format!("{}: Undeclared source register", file_name(file));
            self.report(Code::UndeclaredSrc, place, message);
        }
        self.used_files.insert(file);
    }

    fn check_index_register(&mut self, indirect: &Indirect, place: Place) {
        let reg = Register::new(indirect.file, indirect.index);
        self.check_register(&reg, place, "indirect");
    }

    fn check_file(&mut self, file: File, place: Place) -> bool {
        match file.number() {
            Some(number @ 1..=14) => {
                debug_assert!(File::from_number(number) == file);
                true
            }
            number => {
                let number = number.map_or_else(|| "-1".to_owned(), |number| number.to_string());
                let message = format!("({number}): Invalid register file name");
                self.report(Code::InvalidFile, place, message);
                false
            }
        }
    }

    fn finish(mut self) -> Vec<Diagnostic> {
        if !self.seen_end {
            let message = "Missing END instruction".to_owned();
            self.report(Code::MissingEnd, Place::Shader, message);
        }
        self.warn_of_unused();
        self.findings
    }

    fn warn_of_unused(&mut self) {
        for declared in std::mem::take(&mut self.declarations) {
            let Declared { file, subscript, range: (first, last), vertices, place } = declared;
            if self.used_files.contains(&file) {
                continue;
            }
            let subscripts = match subscript {
                Subscript::None => None..=None,
                Subscript::Exact(number) => Some(number.into())..=Some(number.into()),
                Subscript::Vertices => {
                    Some(0)..=Some(i32::try_from(vertices).unwrap_or(i32::MAX) - 1)
                }
            };
            for index in first..=last {
                for subscript in expand(&subscripts) {
                    if self.findings.len() >= MAX_DIAGNOSTICS {
                        return;
                    }
                    if !self.used.contains(&(file, subscript, index.into())) {
                        let message = format!("{}[{index}]: Register never used", file_name(file));
                        self.report(Code::NeverUsed, place, message);
                    }
                }
            }
        }
    }
}

/// The subscripts between two ends, or none at all.
fn expand(
    range: &std::ops::RangeInclusive<Option<i32>>,
) -> impl Iterator<Item = Option<i32>> + use<> {
    let (none, numbers) = match (*range.start(), *range.end()) {
        (Some(first), Some(last)) => (None, first..last.saturating_add(1)),
        _ => (Some(None), 0..0),
    };
    none.into_iter().chain(numbers.map(Some))
}

fn file_name(file: File) -> &'static str {
    file.number().and_then(|number| FILE_NAMES.get(usize::from(number))).unwrap_or(&"(null)")
}

/// Vertices that the checker declares a geometry shader's inputs for.
fn vertices_of(primitive: u32) -> u32 {
    /// What it falls back to for primitives that no geometry shader takes.
    const FALLBACK: u8 = 3;
    let known = u8::try_from(primitive).ok().and_then(Primitive::from_number);
    known.and_then(Primitive::vertices).unwrap_or(FALLBACK).into()
}
