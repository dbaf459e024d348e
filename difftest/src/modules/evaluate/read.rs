//! Parses a module: its functions, types and decorations.

use std::collections::HashMap;

use spirv::{Decoration, Op};

use super::{Stop, unknown};

/// An instruction: its opcode and its operand words.
#[derive(Clone, Copy)]
pub(super) struct Inst<'m> {
    pub(super) op: Op,
    pub(super) words: &'m [u32],
}

#[derive(Default)]
pub(super) struct Function<'m> {
    pub(super) params: Vec<u32>,
    pub(super) entry: u32,
    pub(super) blocks: HashMap<u32, Vec<Inst<'m>>>,
}

/// The type of a result or of a part of memory.
#[derive(Clone, Debug)]
pub(super) enum Type {
    /// An integer or a float, with its number of bits.
    Number(u32),
    /// A vector or a matrix, with the type of its components or columns.
    Composite(u32),
    Array(u32),
    Struct(Vec<u32>),
    Pointer(u32),
}

#[derive(Default)]
pub(super) struct Module<'m> {
    /// The execution model of the entry point.
    pub(super) model: u32,
    pub(super) entry: u32,
    pub(super) functions: HashMap<u32, Function<'m>>,
    pub(super) globals: Vec<Inst<'m>>,
    pub(super) types: HashMap<u32, Type>,
    /// Lengths of vectors and matrices.
    pub(super) lens: HashMap<u32, u32>,
    /// Values of decorations of ids.
    pub(super) decorations: HashMap<(u32, Decoration), u32>,
    /// Values of decorations of members.
    pub(super) members: HashMap<(u32, u32, Decoration), u32>,
}

/// Parses a module.
pub(super) fn read(words: &[u32]) -> Result<Module<'_>, Stop> {
    let mut module = Module::default();
    let mut function: Option<(u32, Function<'_>)> = None;
    let mut label = 0;
    let mut rest = words.get(5..).unwrap_or_default();
    while let Some(&first) = rest.first() {
        let len = (first >> 16) as usize;
        let (Some(op), Some(operands)) = (Op::from_u32(first & 0xffff), rest.get(1..len)) else {
            return unknown("an instruction");
        };
        rest = &rest[len..];
        let inst = Inst { op, words: operands };
        match (op, &mut function) {
            (Op::EntryPoint, _) => (module.model, module.entry) = (operands[0], operands[1]),
            (Op::Decorate, _) => {
                let Some(what) = Decoration::from_u32(operands[1]) else {
                    return unknown("a decoration");
                };
                let value = operands.get(2).copied().unwrap_or(0);
                module.decorations.insert((operands[0], what), value);
            }
            (Op::MemberDecorate, _) => {
                let Some(what) = Decoration::from_u32(operands[2]) else {
                    return unknown("a decoration");
                };
                let value = operands.get(3).copied().unwrap_or(0);
                module.members.insert((operands[0], operands[1], what), value);
            }
            (Op::Function, _) => function = Some((operands[1], Function::default())),
            (Op::FunctionParameter, Some((_, open))) => open.params.push(operands[1]),
            (Op::Label, Some((_, open))) => {
                label = operands[0];
                if open.blocks.is_empty() {
                    open.entry = label;
                }
                open.blocks.insert(label, Vec::new());
            }
            (Op::FunctionEnd, _) => {
                let Some((id, open)) = function.take() else {
                    return unknown("the end of no function");
                };
                module.functions.insert(id, open);
            }
            (_, Some((_, open))) => open.blocks.entry(label).or_default().push(inst),
            (_, None) => {
                module.add_type(inst);
                module.globals.push(inst);
            }
        }
    }
    Ok(module)
}

impl Module<'_> {
    fn add_type(&mut self, inst: Inst<'_>) {
        let words = inst.words;
        let ty = match inst.op {
            Op::TypeInt | Op::TypeFloat => Type::Number(words[1]),
            Op::TypeVector | Op::TypeMatrix => {
                self.lens.insert(words[0], words[2]);
                Type::Composite(words[1])
            }
            Op::TypeArray | Op::TypeRuntimeArray => Type::Array(words[1]),
            Op::TypeStruct => Type::Struct(words[1..].to_vec()),
            Op::TypePointer => Type::Pointer(words[2]),
            _ => return,
        };
        self.types.insert(words[0], ty);
    }

    /// Number of bits of a number, or of each number in a vector.
    pub(super) fn width(&self, ty: u32) -> u32 {
        match self.types.get(&ty) {
            Some(Type::Number(bits)) => *bits,
            Some(Type::Composite(of)) => self.width(*of),
            _ => 32,
        }
    }
}
