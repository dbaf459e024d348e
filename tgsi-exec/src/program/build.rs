//! Builds the flat form.

use tgsi_ir::flow::FlowTree;
use tgsi_ir::{
    Dst, File, FlowRole, Indirect, Instruction, InstructionId, Opcode, OpcodeType, Register,
    Saturate, Shader, Src, TextureTarget,
};

use super::{
    Action, Destination, IndexSource, LodOperand, NUM_FILES, Origin, Place, Program, RegisterFile,
    Result, Source, Step, TextureStep,
};
use crate::error::ExecError;
use crate::functions;
use crate::perturb::Error;
use crate::resources::TextureQuery;

/// Registers that one declaration may ask for.
const MAX_REGISTERS: usize = 65_536;

/// Builds the flat form of `shader`.
pub(crate) fn build(shader: &Shader) -> Result<Program> {
    let tree = FlowTree::new(&shader.instructions).map_err(ExecError::Flow)?;
    let builder = Builder { shader, tree };
    let steps = shader
        .instructions
        .iter()
        .enumerate()
        .map(|(index, inst)| builder.step(InstructionId::from_index(index), inst));
    Ok(Program { steps: steps.collect::<Result<_>>()?, sizes: sizes(shader) })
}

/// The files are as large as their declarations say.
fn sizes(shader: &Shader) -> [usize; NUM_FILES] {
    let mut sizes = [0; NUM_FILES];
    for declaration in &shader.declarations {
        if let Some(file) = register_file(declaration.file) {
            let size = &mut sizes[file as usize];
            *size = (*size).max(usize::from(declaration.range.last) + 1).min(MAX_REGISTERS);
        }
    }
    sizes
}

fn register_file(file: File) -> Option<RegisterFile> {
    Some(match file {
        File::Temporary => RegisterFile::Temporary,
        File::Input => RegisterFile::Input,
        File::Output => RegisterFile::Output,
        File::Address => RegisterFile::Address,
        File::SystemValue => RegisterFile::SystemValue,
        _ => return None,
    })
}

struct Builder<'a> {
    shader: &'a Shader,
    tree: FlowTree,
}

impl Builder<'_> {
    fn step(&self, at: InstructionId, inst: &Instruction) -> Result<Step> {
        let action = self.action(at, inst)?;
        let is_texture = matches!(action, Action::Texture(_));
        let sources = inst
            .src
            .iter()
            .enumerate()
            .filter(|(_, src)| !(is_texture && is_unit(src)))
            .map(|(number, src)| self.source(at, src, reads_float(inst.opcode, number)))
            .collect::<Result<_>>()?;
        let destination = inst.dst.first().map(|dst| self.destination(at, dst)).transpose()?;
        let clamp = match inst.saturate {
            Saturate::ZeroOne => Some((0.0, 1.0)),
            Saturate::MinusPlusOne => Some((-1.0, 1.0)),
            Saturate::None | Saturate::Reserved => None,
        };
        Ok(Step {
            at,
            action,
            destination: destination.flatten(),
            sources,
            clamp,
            writes_float: writes_float(inst.opcode),
            error: Error::of(inst.opcode),
        })
    }

    fn action(&self, at: InstructionId, inst: &Instruction) -> Result<Action> {
        if let Some(function) = functions::find(inst.opcode) {
            return Ok(Action::Compute(function));
        }
        if inst.opcode.info().is_tex {
            return self.texture(at, inst).map(Action::Texture);
        }
        let unknown = ExecError::Opcode { at, name: inst.opcode.name() };
        match inst.opcode {
            Opcode::Ddx => Ok(Action::Derivative { vertical: false }),
            Opcode::Ddy => Ok(Action::Derivative { vertical: true }),
            Opcode::Nop => Ok(Action::Nothing),
            _ => self.flow(at, inst).ok_or(unknown),
        }
    }

    fn flow(&self, at: InstructionId, inst: &Instruction) -> Option<Action> {
        let partner = || self.tree.partner(at).map(InstructionId::index);
        Some(match inst.opcode.info().flow {
            FlowRole::If => {
                Action::If { is_float: inst.opcode == Opcode::If, otherwise: partner()? }
            }
            FlowRole::Else => Action::Else { end: partner()? },
            FlowRole::EndIf => Action::EndIf,
            FlowRole::LoopBegin => Action::LoopBegin { end: partner()? },
            FlowRole::LoopEnd => Action::LoopEnd { begin: partner()? },
            FlowRole::Break if inst.src.is_empty() => Action::Break,
            FlowRole::Continue => Action::Continue,
            FlowRole::Call if inst.src.is_empty() => Action::Call { target: inst.label? as usize },
            FlowRole::SubBegin => Action::Nothing,
            FlowRole::SubEnd => Action::SubEnd,
            FlowRole::Return => Action::Return,
            FlowRole::End => Action::End,
            FlowRole::Kill => Action::Kill,
            FlowRole::KillIf => Action::KillIf,
            _ => return None,
        })
    }

    fn texture(&self, at: InstructionId, inst: &Instruction) -> Result<TextureStep> {
        let unknown = || ExecError::Opcode { at, name: inst.opcode.name() };
        let w_of_first = Some(LodOperand { source: 0, channel: 3 });
        let (query, lod) = match inst.opcode {
            Opcode::Tex | Opcode::Txp | Opcode::Tex2 => (TextureQuery::Sample, None),
            Opcode::Txb => (TextureQuery::SampleBias, w_of_first),
            Opcode::Txl => (TextureQuery::SampleLevel, w_of_first),
            Opcode::TexLz => (TextureQuery::SampleLevel, None),
            Opcode::Txd => (TextureQuery::SampleGradients, None),
            Opcode::Txf => (TextureQuery::Fetch, w_of_first),
            Opcode::Txq => (TextureQuery::Size, Some(LodOperand { source: 0, channel: 0 })),
            _ => return Err(unknown()),
        };
        let texture = inst.texture.as_deref();
        let unit = inst.src.iter().find(|src| is_unit(src)).ok_or_else(unknown)?;
        let offset = texture.and_then(|texture| texture.offsets.first()).map(|offset| {
            let reg = Register::new(offset.file, offset.index);
            let src = Src { swizzle: offset.swizzle, ..Src::new(reg) };
            self.source(at, &src, false)
        });
        Ok(TextureStep {
            query,
            target: texture.map_or(TextureTarget::Unknown, |texture| texture.target),
            unit: u32::from(unit.reg.index.cast_unsigned()),
            projects: inst.opcode == Opcode::Txp,
            lod,
            offset: offset.transpose()?,
        })
    }

    fn destination(&self, at: InstructionId, dst: &Dst) -> Result<Option<Destination>> {
        if dst.reg.file == File::Null {
            return Ok(None);
        }
        let place = self.place(at, &dst.reg)?;
        Ok(Some(Destination { place, mask: dst.mask.bits() }))
    }

    fn source(&self, at: InstructionId, src: &Src, is_float: bool) -> Result<Source> {
        Ok(Source {
            origin: self.origin(at, &src.reg)?,
            swizzle: src.swizzle.components().map(|component| component.index()),
            absolute: src.absolute,
            negate: src.negate,
            is_float,
        })
    }

    fn origin(&self, at: InstructionId, reg: &Register) -> Result<Origin> {
        let operand = ExecError::Operand { at };
        Ok(match reg.file {
            File::Immediate => {
                let index = usize::try_from(reg.index).map_err(|_| operand.clone())?;
                let immediate = self.shader.immediates.get(index).ok_or(operand)?;
                Origin::Value([0, 1, 2, 3].map(|channel| immediate.word(channel)))
            }
            File::Constant => {
                let dimension = reg.dimension;
                let buffer_indirect = dimension.and_then(|dimension| dimension.indirect);
                Origin::Constant {
                    buffer: dimension.map_or(0, |dimension| i64::from(dimension.index)),
                    buffer_index: self.index_source(at, buffer_indirect)?,
                    vector: i64::from(reg.index),
                    vector_index: self.index_source(at, reg.indirect)?,
                }
            }
            _ => Origin::Register(self.place(at, reg)?),
        })
    }

    fn place(&self, at: InstructionId, reg: &Register) -> Result<Place> {
        if reg.dimension.is_some() {
            return Err(ExecError::Operand { at });
        }
        Ok(Place {
            file: register_file(reg.file).ok_or(ExecError::Operand { at })?,
            index: i64::from(reg.index),
            indirect: self.index_source(at, reg.indirect)?,
        })
    }

    fn index_source(
        &self,
        at: InstructionId,
        indirect: Option<Indirect>,
    ) -> Result<Option<IndexSource>> {
        let Some(indirect) = indirect else { return Ok(None) };
        let operand = ExecError::Operand { at };
        let file = register_file(indirect.file).ok_or(operand.clone())?;
        let index = usize::try_from(indirect.index).map_err(|_| operand)?;
        let mut declarations = self.shader.declarations.iter();
        let array = (indirect.array_id != 0)
            .then(|| declarations.find(|d| d.array_id == Some(indirect.array_id)))
            .flatten()
            .map(|array| (i64::from(array.range.first), i64::from(array.range.last)));
        Ok(Some(IndexSource { file, index, channel: indirect.component.index(), array }))
    }
}

fn is_unit(src: &Src) -> bool {
    matches!(src.reg.file, File::Sampler | File::SamplerView)
}

/// Whether results are floats; those of moves may be.
fn writes_float(opcode: Opcode) -> bool {
    opcode.info().dst_types.first() == Some(&OpcodeType::Float)
}

/// Modifiers of untyped sources act on floats; the condition of `UCMP` is an integer all the same.
fn reads_float(opcode: Opcode, number: usize) -> bool {
    let is_condition = opcode == Opcode::Ucmp && number == 0;
    let types = opcode.info().src_types;
    let kind = types.get(number).copied().unwrap_or(OpcodeType::Untyped);
    matches!(kind, OpcodeType::Float | OpcodeType::Untyped) && !is_condition
}
