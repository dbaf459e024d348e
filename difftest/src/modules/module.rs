//! Writes a module: ids, types, constants, and functions of blocks with phis.

use std::collections::BTreeMap;

use spirv::{Op, StorageClass};

use super::layout::{Laid, Member};
use super::stage::Stage;
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
    /// The import of GLSL.std.450, if a function of it is used.
    glsl: Option<Id>,
    interface: Vec<Id>,
    functions: Vec<u32>,
}

/// A phi and its sources.
#[derive(Clone, Debug)]
pub(super) struct Phi {
    pub(super) id: Id,
    pub(super) ty: Ty,
    /// The sources: value and predecessor.
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
    /// The blocks, in the order of the text.
    blocks: Vec<Block>,
    /// Phis by block, including blocks that have not begun.
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
            Ty::Long => self.declared(Op::TypeInt, &[64, 0]),
            Ty::Double => self.declared(Op::TypeFloat, &[64]),
            _ if ty.is_vector() => {
                let part = self.ty(ty.parts()[0]);
                self.declared(Op::TypeVector, &[part, ty.parts().len() as u32])
            }
            Ty::Matrix => {
                let column = self.ty(Ty::Floats);
                self.declared(Op::TypeMatrix, &[column, ty.parts().len() as u32])
            }
            _ if ty.is_struct() => {
                let members: Vec<u32> = ty.parts().iter().map(|&part| self.ty(part)).collect();
                self.declared(Op::TypeStruct, &members)
            }
            _ => {
                let part = self.ty(ty.parts()[0]);
                let len = self.constant(Ty::Int, ty.parts().len() as u32);
                self.declared(Op::TypeArray, &[part, len])
            }
        }
    }

    pub(super) fn pointer(&mut self, class: StorageClass, ty: Ty) -> Id {
        let to = self.ty(ty);
        self.pointer_to(class, to)
    }

    fn pointer_to(&mut self, class: StorageClass, to: Id) -> Id {
        self.declared(Op::TypePointer, &[class as u32, to])
    }

    /// A new type for a layout.
    fn laid(&mut self, laid: &Laid) -> Id {
        match laid {
            Laid::Leaf(ty) => self.ty(*ty),
            Laid::Array { of, len, stride } => {
                let (of, len) = (self.laid(of), self.constant(Ty::Int, *len));
                self.array((of, Some(len)), *stride)
            }
            Laid::Struct(members) => {
                let types: Vec<Id> = members.iter().map(|member| self.laid(&member.laid)).collect();
                let id = self.id();
                let mut operands = vec![id];
                operands.extend(types);
                instruction(&mut self.globals, Op::TypeStruct, &operands);
                for (n, member) in (0..).zip(members) {
                    self.place(id, n, member);
                }
                id
            }
        }
    }

    /// An array type, of fixed length or a runtime array.
    fn array(&mut self, (of, len): (Id, Option<Id>), stride: u32) -> Id {
        let id = self.id();
        let mut operands = vec![id, of];
        operands.extend(len);
        let op = if len.is_some() { Op::TypeArray } else { Op::TypeRuntimeArray };
        instruction(&mut self.globals, op, &operands);
        self.decorate(id, spirv::Decoration::ArrayStride, &[stride]);
        id
    }

    fn place(&mut self, of: Id, n: u32, member: &Member) {
        use spirv::Decoration as D;
        let mut say = |what: D, value: &[u32]| {
            let mut operands = vec![of, n, what as u32];
            operands.extend(value);
            instruction(&mut self.decorations, Op::MemberDecorate, &operands);
        };
        say(D::Offset, &[member.offset]);
        if member.laid.has_matrix() {
            say(if member.matrix.is_row_major { D::RowMajor } else { D::ColMajor }, &[]);
            say(D::MatrixStride, &[member.matrix.stride]);
        }
    }

    fn decorate(&mut self, id: Id, what: spirv::Decoration, values: &[u32]) {
        let mut operands = vec![id, what as u32];
        operands.extend(values);
        instruction(&mut self.decorations, Op::Decorate, &operands);
    }

    /// A uniform block.
    pub(super) fn uniforms(&mut self, block: &Laid, binding: u32) -> Id {
        let ty = self.laid(block);
        self.decorate(ty, spirv::Decoration::Block, &[]);
        self.bound(ty, binding)
    }

    /// A buffer of elements with the given stride in bytes.
    pub(super) fn storage(&mut self, element: &Laid, stride: u32, binding: u32) -> Id {
        let element = self.laid(element);
        let array = self.array((element, None), stride);
        let ty = self.id();
        instruction(&mut self.globals, Op::TypeStruct, &[ty, array]);
        let offset = [ty, 0, spirv::Decoration::Offset as u32, 0];
        instruction(&mut self.decorations, Op::MemberDecorate, &offset);
        self.decorate(ty, spirv::Decoration::BufferBlock, &[]);
        self.bound(ty, binding)
    }

    fn bound(&mut self, ty: Id, binding: u32) -> Id {
        let (pointer, id) = (self.pointer_to(StorageClass::Uniform, ty), self.id());
        let operands = [pointer, id, StorageClass::Uniform as u32];
        instruction(&mut self.globals, Op::Variable, &operands);
        self.decorate(id, spirv::Decoration::DescriptorSet, &[0]);
        self.decorate(id, spirv::Decoration::Binding, &[binding]);
        id
    }

    /// The import of GLSL.std.450.
    pub(super) fn glsl(&mut self) -> Id {
        let id = self.glsl.unwrap_or_else(|| self.id());
        self.glsl = Some(id);
        id
    }

    /// A constant. Every scalar in it is the number `bits`; booleans are true if it is odd.
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
            Ty::Int | Ty::Float | Ty::Long | Ty::Double => Op::Constant,
            _ => Op::ConstantComposite,
        };
        let mut operands = vec![of, id];
        operands.extend(parts);
        if op == Op::Constant {
            // Integers and floats of the same small number. A 64-bit integer has bits in both halves.
            let long = |bits: u64| [bits as u32, (bits >> 32) as u32];
            match ty {
                Ty::Float => operands.push((bits.cast_signed() as f32).to_bits()),
                Ty::Long => operands.extend(long(u64::from(bits) << 31 | u64::from(bits))),
                Ty::Double => operands.extend(long(f64::from(bits.cast_signed()).to_bits())),
                _ => operands.push(bits),
            }
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
        self.decorate(id, spirv::Decoration::Location, &[location]);
        self.interface.push(id);
        id
    }

    /// An input that is not interpolated.
    pub(super) fn flat_input(&mut self, ty: Ty, location: u32) -> Id {
        let id = self.interface(StorageClass::Input, ty, location);
        self.decorate(id, spirv::Decoration::Flat, &[]);
        id
    }

    /// A built-in input.
    pub(super) fn built_in(&mut self, ty: Ty, what: spirv::BuiltIn) -> Id {
        let id = self.variable(StorageClass::Input, ty, None);
        self.decorate(id, spirv::Decoration::BuiltIn, &[what as u32]);
        self.interface.push(id);
        id
    }

    /// Adds a function with this id, result and parameters.
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
    pub(super) fn finish(self, main: Id, stage: Stage) -> Vec<u32> {
        let mut words = vec![spirv::MAGIC_NUMBER, 0x0001_0000, 0, self.next + 1, 0];
        use spirv::Capability as C;
        for capability in [C::Shader, C::Tessellation, C::Int64, C::Float64] {
            instruction(&mut words, Op::Capability, &[capability as u32]);
        }
        if let Some(id) = self.glsl {
            let mut import = vec![id];
            import.extend(text("GLSL.std.450"));
            instruction(&mut words, Op::ExtInstImport, &import);
        }
        instruction(&mut words, Op::MemoryModel, &[0, spirv::MemoryModel::GLSL450 as u32]);
        let mut entry = vec![stage.model() as u32, main];
        entry.extend(text("main"));
        entry.extend(self.interface);
        instruction(&mut words, Op::EntryPoint, &entry);
        for &(mode, values) in stage.modes() {
            let operands = [&[main, mode as u32], values].concat();
            instruction(&mut words, Op::ExecutionMode, &operands);
        }
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

    /// Adds a phi to a block.
    pub(super) fn add_phi(&mut self, label: Id, id: Id, ty: Ty) {
        self.phis.entry(label).or_default().push(Phi { id, ty, from: Vec::new() });
    }

    /// The phis of a block.
    pub(super) fn phis(&self, label: Id) -> Vec<Phi> {
        self.phis.get(&label).cloned().unwrap_or_default()
    }

    /// Sets the value of a phi of `label` for the edge from the current block. Each edge sets it once.
    pub(super) fn flow(&mut self, label: Id, phi: Id, value: Id) {
        let from = self.current();
        let phis = self.phis.get_mut(&label).into_iter().flatten();
        for phi in
            phis.filter(|one| one.id == phi && !one.from.iter().any(|&(_, block)| block == from))
        {
            phi.from.push((value, from));
        }
    }

    /// Removes the phis of a block.
    pub(super) fn forget_phis(&mut self, label: Id) {
        self.phis.remove(&label);
    }
}
