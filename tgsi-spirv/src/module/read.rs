//! Parses the sections of a module.

use std::collections::HashMap;
use std::rc::Rc;

use spirv::{
    AddressingModel, Capability, Decoration, Dim, ExecutionMode, ExecutionModel, ImageFormat, Op,
    StorageClass,
};

use crate::binary::{Id, Inst, check_header, instructions};
use crate::constant::{Const, Constant};
use crate::error::{Fault, invalid, too_large, unsupported};
use crate::options::Options;
use crate::types::{ImageType, Type};

use super::functions::FunctionReader;
use super::{EntryPoint, ExtendedSet, Mode, Module, Variable};

/// Maximum nesting depth of types.
const MAX_TYPE_DEPTH: u32 = 32;

/// Maximum number of members of a structure, including those of nested structures, since each size computation visits
/// all of them. An array counts the members of one element. An array of empty elements counts all elements, since no
/// memory limit applies to them.
const MAX_TYPE_MEMBERS: u32 = 1 << 14;

/// Parses a module with the specialisation values of the options. On an error, `place` names the instruction at fault.
pub(crate) fn read<'m>(
    words: &'m [u32],
    options: &Options,
    module: &mut Module<'m>,
    place: &mut Option<Inst<'m>>,
) -> Result<(), Fault> {
    check_header(words)?;
    let functions = FunctionReader::default();
    let (extents, modes) = (HashMap::new(), HashMap::new());
    let mut reader = Reader { module, options, functions, extents, modes };
    for inst in instructions(words) {
        let inst = inst?;
        *place = Some(inst);
        reader.instruction(inst)?;
    }
    reader.functions.finish()?;
    reader.give_modes();
    Ok(())
}

struct Reader<'a, 'm> {
    module: &'a mut Module<'m>,
    options: &'a Options,
    functions: FunctionReader<'m>,
    /// The extent of each type.
    extents: HashMap<Id, Extent>,
    /// Execution modes, by function.
    modes: HashMap<Id, Vec<Mode>>,
}

/// The cost of traversing a type.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    /// Nesting depth of types.
    depth: u32,
    /// Members of structures.
    members: u32,
    /// Whether a value of the type has any contents.
    is_full: bool,
}

impl<'m> Reader<'_, 'm> {
    fn instruction(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let Some(op) = inst.op else {
            return Err(unsupported("an instruction of a newer SPIR-V or of an extension"));
        };
        if self.line(op, inst)? {
            return Ok(());
        }
        if self.functions.is_open() || op == Op::Function {
            return self.functions.instruction(op, inst, self.module);
        }
        match op {
            Op::Capability => capability(inst),
            Op::MemoryModel => match AddressingModel::from_u32(inst.word(0)?) {
                Some(AddressingModel::Logical) => Ok(()),
                _ => Err(unsupported("pointers as numbers: the addressing model is not Logical")),
            },
            Op::ExtInstImport => self.extended_set(inst),
            Op::EntryPoint => self.entry_point(inst),
            Op::ExecutionMode | Op::ExecutionModeId => self.execution_mode(op, inst),
            Op::Variable => self.variable(inst),
            Op::Undef => {
                let constant = Constant { ty: inst.id(0)?, value: Const::Null };
                self.add_constant(inst.id(1)?, constant)
            }
            _ if format!("{op:?}").starts_with("Type") => self.ty(op, inst),
            _ if is_constant(op) => {
                let (id, constant) = self.module.read_constant(op, inst, self.options)?;
                self.add_constant(id, constant)
            }
            _ => self.annotation(op, inst),
        }
    }

    /// Records the line of `OpLine` and `OpNoLine`. Returns whether the instruction was one of them.
    fn line(&mut self, op: Op, inst: Inst<'m>) -> Result<bool, Fault> {
        let line = match op {
            Op::Line => Some((inst.id(0)?, inst.word(1)?, inst.word(2)?)),
            Op::NoLine => None,
            _ => return Ok(false),
        };
        self.module.debug.add_line(inst.at, line);
        Ok(true)
    }

    fn annotation(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        let Module { debug, decorations, extended_sets, .. } = &mut *self.module;
        match op {
            Op::String => debug.add_string(inst.id(0)?, inst.string(1)?.0),
            Op::Name => debug.add_name(inst.id(0)?, None, inst.string(1)?.0),
            Op::MemberName => debug.add_name(inst.id(0)?, Some(inst.word(1)?), inst.string(2)?.0),
            Op::Decorate | Op::DecorateId => {
                if let Some(what) = Decoration::from_u32(inst.word(1)?) {
                    decorations.add(inst.id(0)?, None, what, inst.rest(2));
                }
            }
            Op::MemberDecorate => {
                if let Some(what) = Decoration::from_u32(inst.word(2)?) {
                    decorations.add(inst.id(0)?, Some(inst.word(1)?), what, inst.rest(3));
                }
            }
            Op::GroupDecorate => {
                let group = inst.id(0)?;
                inst.ids(1).try_for_each(|target| decorations.add_group(group, target, None))?;
            }
            Op::GroupMemberDecorate => {
                for pair in inst.rest(1).chunks_exact(2) {
                    decorations.add_group(inst.id(0)?, Id(pair[0]), Some(pair[1]))?;
                }
            }
            Op::ExtInst if extended_sets.get(&inst.id(2)?) == Some(&ExtendedSet::NonSemantic) => {}
            Op::DecorationGroup => decorations.declare_group(inst.id(0)?),
            Op::DecorateString | Op::MemberDecorateString => {}
            Op::Source | Op::SourceContinued | Op::SourceExtension | Op::Extension => {}
            Op::ModuleProcessed | Op::Nop => {}
            _ => return Err(unsupported("this instruction outside of functions")),
        }
        Ok(())
    }

    fn extended_set(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let (name, _) = inst.string(1)?;
        let set = match name.as_str() {
            "GLSL.std.450" => ExtendedSet::Glsl,
            _ if name.starts_with("NonSemantic.") || name.contains("DebugInfo") => {
                ExtendedSet::NonSemantic
            }
            _ => ExtendedSet::Other,
        };
        self.module.extended_sets.insert(inst.id(0)?, set);
        Ok(())
    }

    fn entry_point(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let model = ExecutionModel::from_u32(inst.word(0)?)
            .ok_or_else(|| invalid("unknown execution model"))?;
        let (name, end) = inst.string(2)?;
        let (function, interface) = (inst.id(1)?, inst.ids(end).collect());
        let entry = EntryPoint { model, function, name, interface, modes: Rc::default() };
        self.module.entry_points.push(entry);
        Ok(())
    }

    fn execution_mode(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        let function = inst.id(0)?;
        let Some(name) = ExecutionMode::from_u32(inst.word(1)?) else { return Ok(()) };
        let mode = Mode { name, words: inst.rest(2).to_vec(), are_ids: op == Op::ExecutionModeId };
        self.modes.entry(function).or_default().push(mode);
        Ok(())
    }

    /// Copies the modes of functions to entry points: several entry points may share a function.
    fn give_modes(self) {
        let modes = self.modes.into_iter().map(|(id, list)| (id, Rc::from(list)));
        let modes: HashMap<Id, Rc<[Mode]>> = modes.collect();
        for entry in &mut self.module.entry_points {
            if let Some(list) = modes.get(&entry.function) {
                entry.modes = Rc::clone(list);
            }
        }
    }

    fn variable(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let Type::Pointer { class, to } = *self.module.ty(inst.id(0)?)? else {
            return Err(invalid("a variable's type is not a pointer"));
        };
        let initializer = inst.rest(3).first().map(|&word| Id(word));
        self.module.variables.push(Variable { id: inst.id(1)?, class, ty: to, initializer });
        Ok(())
    }

    fn add_constant(&mut self, id: Id, constant: Constant) -> Result<(), Fault> {
        match self.module.constants.insert(id, constant) {
            None => Ok(()),
            Some(_) => Err(invalid(format!("{id} is defined twice"))),
        }
    }

    fn ty(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        if op == Op::TypeForwardPointer {
            return Ok(());
        }
        let id = inst.id(0)?;
        let ty = self.parse_type(op, inst)?;
        let extent = self.extent(&ty)?;
        if extent.depth > MAX_TYPE_DEPTH {
            return Err(too_large("types nest too deeply"));
        }
        if extent.members > MAX_TYPE_MEMBERS {
            let text = format!("a type has more than {MAX_TYPE_MEMBERS} members within members");
            return Err(too_large(text));
        }
        self.extents.insert(id, extent);
        match self.module.types.insert(id, ty) {
            None => Ok(()),
            Some(_) => Err(invalid(format!("{id} is defined twice"))),
        }
    }

    fn extent(&self, ty: &Type) -> Result<Extent, Fault> {
        let of = |id: &Id| {
            let known = self.extents.get(id).copied();
            known.ok_or_else(|| invalid(format!("type {id} is not defined yet")))
        };
        let inner = match ty {
            Type::Vector { of: part, .. }
            | Type::Matrix { column: part, .. }
            | Type::RuntimeArray { of: part }
            | Type::SampledImage { image: part } => of(part)?,
            Type::Array { of: part, len } => {
                let one = of(part)?;
                let num = if one.is_full { 1 } else { *len };
                Extent { members: one.members.max(1).saturating_mul(num), ..one }
            }
            Type::Struct { members } => {
                let mut all = Extent::default();
                for member in members {
                    let one = of(member)?;
                    all.depth = all.depth.max(one.depth);
                    all.members = all.members.saturating_add(one.members).saturating_add(1);
                    all.is_full |= one.is_full;
                }
                all
            }
            _ => Extent { is_full: true, ..Extent::default() },
        };
        Ok(Extent { depth: inner.depth + 1, ..inner })
    }

    fn parse_type(&self, op: Op, inst: Inst<'m>) -> Result<Type, Fault> {
        Ok(match op {
            Op::TypeVoid => Type::Void,
            Op::TypeBool => Type::Bool,
            Op::TypeInt => Type::Int { bits: bits(inst)?, signed: inst.word(2)? != 0 },
            Op::TypeFloat => Type::Float { bits: bits(inst)? },
            Op::TypeVector => Type::Vector { of: inst.id(1)?, len: two_to_four(inst)? },
            Op::TypeMatrix => Type::Matrix { column: inst.id(1)?, len: two_to_four(inst)? },
            Op::TypeImage => Type::Image(image_type(inst)?),
            Op::TypeSampler => Type::Sampler,
            Op::TypeSampledImage => Type::SampledImage { image: inst.id(1)? },
            Op::TypeArray => {
                let len = self.module.find_constant_u32(inst.id(2)?);
                let len = len.ok_or_else(|| invalid("an array's length is not a constant"))?;
                Type::Array { of: inst.id(1)?, len }
            }
            Op::TypeRuntimeArray => Type::RuntimeArray { of: inst.id(1)? },
            Op::TypeStruct => Type::Struct { members: inst.ids(1).collect() },
            Op::TypePointer => Type::Pointer {
                class: StorageClass::from_u32(inst.word(1)?)
                    .ok_or_else(|| invalid("unknown storage class"))?,
                to: inst.id(2)?,
            },
            Op::TypeFunction => Type::Function,
            _ => return Err(unsupported("the hardware has nothing like this type")),
        })
    }
}

fn bits(inst: Inst<'_>) -> Result<u8, Fault> {
    match inst.word(1)? {
        bits @ (8 | 16 | 32 | 64) => Ok(bits as u8),
        bits => Err(unsupported(format!("numbers of {bits} bits"))),
    }
}

fn two_to_four(inst: Inst<'_>) -> Result<u8, Fault> {
    match inst.word(2)? {
        len @ 2..=4 => Ok(len as u8),
        len => Err(unsupported(format!("vectors and matrices of {len} components or columns"))),
    }
}

fn image_type(inst: Inst<'_>) -> Result<ImageType, Fault> {
    let dim = Dim::from_u32(inst.word(2)?).ok_or_else(|| invalid("unknown dimensionality"))?;
    let format = ImageFormat::from_u32(inst.word(7)?);
    Ok(ImageType {
        texel: inst.id(1)?,
        dim,
        is_array: inst.word(4)? != 0,
        is_multisampled: inst.word(5)? != 0,
        is_storage: inst.word(6)? == 2,
        format: format.ok_or_else(|| invalid("unknown image format"))?,
    })
}

fn is_constant(op: Op) -> bool {
    let name = format!("{op:?}");
    name.starts_with("Constant") || name.starts_with("SpecConstant")
}

/// Rejects capabilities that no graphics hardware of this family could have.
fn capability(inst: Inst<'_>) -> Result<(), Fault> {
    match Capability::from_u32(inst.word(0)?) {
        Some(Capability::Kernel | Capability::Addresses) => {
            Err(unsupported("kernels of OpenCL have pointers as numbers"))
        }
        Some(Capability::RayTracingKHR | Capability::RayQueryKHR) => {
            Err(unsupported("the hardware traces no rays"))
        }
        Some(Capability::MeshShadingEXT | Capability::MeshShadingNV) => {
            Err(unsupported("the hardware has no mesh shaders"))
        }
        _ => Ok(()),
    }
}
