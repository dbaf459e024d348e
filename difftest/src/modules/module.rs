//! Writing a module: ids, types, constants, functions of blocks with phis.

use std::collections::BTreeMap;

use spirv::{Op, StorageClass};

use super::types::Ty;

/// The number of an id.
pub(super) type Id = u32;

/// A module under construction.
#[derive(Default)]
pub(super) struct Module {
    next: Id,
    /// Types, constants and variables, in order.
    globals: Vec<u32>,
    types: BTreeMap<Vec<u32>, Id>,
    constants: BTreeMap<(Ty, u32), Id>,
    decorations: Vec<u32>,
    interface: Vec<Id>,
    functions: Vec<u32>,
}

/// A phi and what it comes from.
#[derive(Clone, Debug)]
pub(super) struct Phi {
    pub(super) id: Id,
    pub(super) ty: Ty,
    /// Value and block.
    from: Vec<(Id, Id)>,
}

/// A block.
struct Block {
    label: Id,
    words: Vec<u32>,
}

/// A function under construction.
#[derive(Default)]
pub(super) struct Function {
    /// Blocks in the order of their text.
    blocks: Vec<Block>,
    /// Phis by block, also of blocks that are not begun.
    phis: BTreeMap<Id, Vec<Phi>>,
    /// Variables.
    variables: Vec<u32>,
}

fn instruction(words: &mut Vec<u32>, op: Op, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | op as u32);
    words.extend(operands);
}

fn text(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
        .chunks_exact(4)
        .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
        .collect()
}

impl Module {
    pub(super) fn id(&mut self) -> Id {
        self.next += 1;
        self.next
    }

    fn declared(&mut self, op: Op, operands: &[u32]) -> Id {
        let mut key = vec![op as u32];
        key.extend(operands);
        if let Some(&id) = self.types.get(&key) {
            return id;
        }
        let id = self.id();
        let mut all = vec![id];
        all.extend(operands);
        instruction(&mut self.globals, op, &all);
        self.types.insert(key, id);
        id
    }

    pub(super) fn ty(&mut self, ty: Ty) -> Id {
        match ty {
            Ty::Bool => self.declared(Op::TypeBool, &[]),
            Ty::Int => self.declared(Op::TypeInt, &[32, 0]),
            Ty::Float => self.declared(Op::TypeFloat, &[32]),
            Ty::Ints | Ty::Floats => {
                let part = self.ty(ty.parts()[0]);
                self.declared(Op::TypeVector, &[part, ty.parts().len() as u32])
            }
            Ty::Matrix => {
                let column = self.ty(Ty::Floats);
                self.declared(Op::TypeMatrix, &[column, ty.parts().len() as u32])
            }
            Ty::Struct => {
                let members: Vec<u32> = ty.parts().iter().map(|&part| self.ty(part)).collect();
                self.declared(Op::TypeStruct, &members)
            }
            Ty::Array | Ty::Vectors => {
                let part = self.ty(ty.parts()[0]);
                let len = self.constant(Ty::Int, ty.parts().len() as u32);
                self.declared(Op::TypeArray, &[part, len])
            }
        }
    }

    pub(super) fn pointer(&mut self, class: StorageClass, ty: Ty) -> Id {
        let to = self.ty(ty);
        self.declared(Op::TypePointer, &[class as u32, to])
    }

    /// A constant: every scalar in it has these bits, or is true where they are odd.
    pub(super) fn constant(&mut self, ty: Ty, bits: u32) -> Id {
        if let Some(&id) = self.constants.get(&(ty, bits)) {
            return id;
        }
        let of = self.ty(ty);
        let parts: Vec<u32> =
            (0..).zip(ty.parts()).map(|(_, &part)| self.constant(part, bits)).collect();
        let id = self.id();
        let op = match ty {
            Ty::Bool if bits & 1 == 1 => Op::ConstantTrue,
            Ty::Bool => Op::ConstantFalse,
            Ty::Int | Ty::Float => Op::Constant,
            _ => Op::ConstantComposite,
        };
        let mut operands = vec![of, id];
        operands.extend(parts);
        if op == Op::Constant {
            // Integers and floats of small numbers alike.
            operands.push(if ty == Ty::Float {
                (bits.cast_signed() as f32).to_bits()
            } else {
                bits
            });
        }
        instruction(&mut self.globals, op, &operands);
        self.constants.insert((ty, bits), id);
        id
    }

    /// A variable outside functions.
    pub(super) fn variable(&mut self, class: StorageClass, ty: Ty, initializer: Option<Id>) -> Id {
        let pointer = self.pointer(class, ty);
        let id = self.id();
        let mut operands = vec![pointer, id, class as u32];
        operands.extend(initializer);
        instruction(&mut self.globals, Op::Variable, &operands);
        id
    }

    /// A variable of the interface.
    pub(super) fn interface(&mut self, class: StorageClass, ty: Ty, location: u32) -> Id {
        let id = self.variable(class, ty, None);
        let location_of = [id, spirv::Decoration::Location as u32, location];
        instruction(&mut self.decorations, Op::Decorate, &location_of);
        if class == StorageClass::Input {
            let flat = [id, spirv::Decoration::Flat as u32];
            instruction(&mut self.decorations, Op::Decorate, &flat);
        }
        self.interface.push(id);
        id
    }

    /// Adds a function: its id, result and parameters.
    pub(super) fn function(
        &mut self,
        id: Id,
        result: Option<Ty>,
        params: &[(Id, Id)],
        body: Function,
    ) {
        let result = match result {
            Some(ty) => self.ty(ty),
            None => self.declared(Op::TypeVoid, &[]),
        };
        let mut operands = vec![result];
        operands.extend(params.iter().map(|&(ty, _)| ty));
        let ty = self.declared(Op::TypeFunction, &operands);
        let words = &mut self.functions;
        instruction(words, Op::Function, &[result, id, 0, ty]);
        for &(ty, param) in params {
            instruction(words, Op::FunctionParameter, &[ty, param]);
        }
        for (n, block) in body.blocks.iter().enumerate() {
            instruction(&mut self.functions, Op::Label, &[block.label]);
            for phi in body.phis.get(&block.label).into_iter().flatten() {
                let mut operands = vec![self.ty(phi.ty), phi.id];
                operands.extend(phi.from.iter().flat_map(|&(value, from)| [value, from]));
                instruction(&mut self.functions, Op::Phi, &operands);
            }
            if n == 0 {
                self.functions.extend(&body.variables);
            }
            self.functions.extend(&block.words);
        }
        instruction(&mut self.functions, Op::FunctionEnd, &[]);
    }

    /// The words of the module whose entry point is `main`.
    pub(super) fn finish(self, main: Id) -> Vec<u32> {
        let mut words = vec![spirv::MAGIC_NUMBER, 0x0001_0000, 0, self.next + 1, 0];
        instruction(&mut words, Op::Capability, &[spirv::Capability::Shader as u32]);
        instruction(&mut words, Op::MemoryModel, &[0, spirv::MemoryModel::GLSL450 as u32]);
        let mut entry = vec![spirv::ExecutionModel::Fragment as u32, main];
        entry.extend(text("main"));
        entry.extend(self.interface);
        instruction(&mut words, Op::EntryPoint, &entry);
        let mode = [main, spirv::ExecutionMode::OriginUpperLeft as u32];
        instruction(&mut words, Op::ExecutionMode, &mode);
        words.extend(self.decorations);
        words.extend(self.globals);
        words.extend(self.functions);
        words
    }
}

impl Function {
    /// Begins a block.
    pub(super) fn begin(&mut self, label: Id) {
        self.blocks.push(Block { label, words: Vec::new() });
    }

    /// The block being written.
    pub(super) fn current(&self) -> Id {
        self.blocks.last().map_or(0, |block| block.label)
    }

    /// Adds an instruction to the block.
    pub(super) fn push(&mut self, op: Op, operands: &[u32]) {
        if let Some(block) = self.blocks.last_mut() {
            instruction(&mut block.words, op, operands);
        }
    }

    /// Adds a variable.
    pub(super) fn variable(&mut self, pointer: Id, id: Id) {
        instruction(
            &mut self.variables,
            Op::Variable,
            &[pointer, id, StorageClass::Function as u32],
        );
    }

    /// Gives a block a phi.
    pub(super) fn add_phi(&mut self, label: Id, id: Id, ty: Ty) {
        self.phis.entry(label).or_default().push(Phi { id, ty, from: Vec::new() });
    }

    /// The phis of a block.
    pub(super) fn phis(&self, label: Id) -> Vec<Phi> {
        self.phis.get(&label).cloned().unwrap_or_default()
    }

    /// Says what a phi of `label` is when control comes from the current block; once for each block.
    pub(super) fn flow(&mut self, label: Id, phi: Id, value: Id) {
        let from = self.current();
        let phis = self.phis.get_mut(&label).into_iter().flatten();
        for phi in
            phis.filter(|one| one.id == phi && !one.from.iter().any(|&(_, block)| block == from))
        {
            phi.from.push((value, from));
        }
    }

    /// Takes the phis from a block.
    pub(super) fn forget_phis(&mut self, label: Id) {
        self.phis.remove(&label);
    }
}
