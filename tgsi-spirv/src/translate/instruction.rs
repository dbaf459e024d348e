//! One instruction.

use spirv::{Decoration, GlslStd450Op, MemorySemantics, Op, Scope};
use tgsi_ir::{Opcode, WriteMask};

use crate::binary::{Id, Inst};
use crate::code::{Operand, Target};
use crate::error::{Fault, invalid};
use crate::module::ExtendedSet;

use super::Translator;
use super::value::Value;
use super::wide::component;

impl<'m> Translator<'m> {
    /// Translates one instruction of a block.
    pub(super) fn instruction(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let op = inst.op.ok_or_else(|| invalid("unknown instruction"))?;
        self.code.add_work(1);
        self.is_precise = inst.operands.get(1).is_some_and(|&id| {
            self.module.decorations.has(crate::binary::Id(id), Decoration::NoContraction)
        });
        let done = self.dispatch(op, inst);
        self.is_precise = false;
        done
    }

    fn dispatch(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        match op {
            Op::Variable => self.local(inst),
            Op::Load => self.load(inst),
            Op::Store => self.store(inst),
            Op::CopyMemory => self.copy_memory(inst),
            Op::AccessChain | Op::InBoundsAccessChain => self.access_chain(inst),
            Op::ArrayLength => self.array_length(inst),
            Op::FunctionCall => self.call(inst),
            Op::ExtInst => self.extended(inst),
            Op::Undef => {
                let value = self.constant_value(inst.id(0)?, &crate::constant::Const::Null)?;
                self.define(inst, value)
            }
            Op::CopyObject | Op::CopyLogical => self.copy_object(inst),
            Op::EmitVertex | Op::EndPrimitive | Op::EmitStreamVertex | Op::EndStreamPrimitive => {
                self.vertex(op, inst)
            }
            Op::ControlBarrier => {
                // Lanes of a wave run in lockstep, so only a barrier for the whole group has to wait.
                let scope = self.source(inst, 0)?.constant_word();
                let is_wave = [Scope::Subgroup, Scope::Invocation].map(|one| Some(one as u32));
                // A barrier orders accesses to shared memory. Other memory needs a barrier of its own.
                let semantics = self.source(inst, 2)?.constant_word().unwrap_or(u32::MAX);
                let elsewhere = MemorySemantics::UNIFORM_MEMORY
                    | MemorySemantics::ATOMIC_COUNTER_MEMORY
                    | MemorySemantics::IMAGE_MEMORY;
                if MemorySemantics::from_bits_truncate(semantics).intersects(elsewhere) {
                    self.memory_barrier();
                }
                if !is_wave.contains(&scope) {
                    self.code.bare(Opcode::Barrier, &[]);
                }
                Ok(())
            }
            Op::MemoryBarrier => {
                self.memory_barrier();
                Ok(())
            }
            Op::DemoteToHelperInvocation => {
                self.code.bare(Opcode::Demote, &[]);
                Ok(())
            }
            Op::IsHelperInvocationEXT => {
                let is_helper = self.is_helper_now()?;
                self.define_operand(inst, is_helper)
            }
            Op::NoLine | Op::Line | Op::LifetimeStart | Op::LifetimeStop => Ok(()),
            _ => self.dispatch_value(op, inst),
        }
    }

    fn dispatch_value(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        match op {
            Op::CompositeConstruct => self.construct(inst),
            Op::CompositeExtract => self.extract(inst),
            Op::CompositeInsert => self.insert(inst),
            Op::VectorShuffle => self.shuffle(inst),
            Op::VectorExtractDynamic => self.extract_dynamic(inst),
            Op::VectorInsertDynamic => self.insert_dynamic(inst),
            Op::Transpose
            | Op::MatrixTimesScalar
            | Op::VectorTimesMatrix
            | Op::MatrixTimesVector
            | Op::MatrixTimesMatrix
            | Op::OuterProduct => self.matrix(op, inst),
            Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended => {
                self.double_result(op, inst)
            }
            Op::Bitcast => self.bitcast(inst),
            Op::UDot | Op::SDot | Op::SUDot => self.packed_dot(op, inst),
            Op::UDotAccSat | Op::SDotAccSat | Op::SUDotAccSat => {
                self.refuse("sums of dot products that saturate: add without, and clamp the sum")
            }
            Op::SampledImage | Op::Image => self.combine(op, inst),
            Op::ImageTexelPointer => self.texel_pointer(inst),
            Op::BeginInvocationInterlockEXT | Op::EndInvocationInterlockEXT => {
                self.refuse("the hardware does not order the fragments of a pixel")
            }
            _ if is_atomic(op) => self.atomic(op, inst),
            _ if format!("{op:?}").starts_with("Image") => self.image(op, inst),
            _ if format!("{op:?}").contains("roup") => self.group(op, inst),
            _ => self.arithmetic(op, inst),
        }
    }

    /// Waits for shared memory, images, buffers and counters.
    fn memory_barrier(&mut self) {
        self.code.bare(Opcode::Membar, &[Operand::word(0x1f)]);
    }

    fn extended(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        match self.module.extended_sets.get(&inst.id(2)?) {
            Some(ExtendedSet::Glsl) => {
                let op = GlslStd450Op::from_u32(inst.word(3)?);
                let op = op.ok_or_else(|| invalid("unknown instruction of GLSL.std.450"))?;
                self.glsl(op, inst)
            }
            Some(ExtendedSet::NonSemantic) => Ok(()),
            Some(ExtendedSet::Other) => self.refuse("extended instructions of this set"),
            None => Err(invalid("an instruction set that is not imported")),
        }
    }

    /// Emission of vertices and primitives in geometry shaders.
    fn vertex(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        let stream = match op {
            Op::EmitStreamVertex | Op::EndStreamPrimitive => self.source(inst, 0)?,
            _ => Operand::word(0),
        };
        if matches!(op, Op::EmitVertex | Op::EmitStreamVertex) {
            self.write_outputs();
            self.code.bare(Opcode::Emit, &[stream.channel(0)]);
        } else {
            self.code.bare(Opcode::Endprim, &[stream.channel(0)]);
        }
        Ok(())
    }

    /// Subgroup operations, which exchange values between the lanes of a wave.
    fn group(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        match op {
            Op::SubgroupBallotKHR => {
                let value = self.source(inst, 2)?;
                // The opcode writes bits of 64 lanes; the result has room for 128.
                let temp = self.code.temp();
                self.emit(Opcode::Ballot, Target::temp(temp, WriteMask::XY), &[value]);
                let rest = WriteMask::from_bits(0b1100);
                self.emit(Opcode::Mov, Target::temp(temp, rest), &[Operand::word(0)]);
                self.define_operand(inst, Operand::temp(temp))
            }
            Op::SubgroupFirstInvocationKHR => {
                let value = self.lanes_value(Opcode::ReadFirst, inst.id(2)?, None)?;
                self.define(inst, value)
            }
            Op::SubgroupReadInvocationKHR => {
                let lane = self.source(inst, 3)?.channel(0);
                let value = self.lanes_value(Opcode::ReadInvoc, inst.id(2)?, Some(lane))?;
                self.define(inst, value)
            }
            Op::SubgroupAnyKHR | Op::SubgroupAllKHR | Op::SubgroupAllEqualKHR => {
                let value = self.source(inst, 2)?;
                let opcode = match op {
                    Op::SubgroupAnyKHR => Opcode::VoteAny,
                    Op::SubgroupAllKHR => Opcode::VoteAll,
                    _ => Opcode::VoteEq,
                };
                let result = self.compute(opcode, 1, &[value]);
                self.define_operand(inst, result)
            }
            _ => self.refuse("the hardware has no subgroup operations"),
        }
    }

    /// Applies `opcode` to the value that another lane has for `id`. A 64-bit value is read in halves.
    fn lanes_value(
        &mut self,
        opcode: Opcode,
        id: Id,
        lane: Option<Operand>,
    ) -> Result<Value, Fault> {
        let (ty, value) = self.typed_value(id)?;
        let shape = self.module.shape(ty)?;
        let sources =
            |value: Operand| -> Vec<Operand> { [value].into_iter().chain(lane).collect() };
        if !shape.is_wide() {
            let (value, _) = self.operand(id)?;
            return Ok(Value::Vector(self.compute(opcode, shape.len, &sources(value))));
        }
        let mut parts = Vec::new();
        for n in 0..usize::from(shape.len) {
            parts.push(self.pair(opcode, &sources(component(&value, n)?)));
        }
        self.vector_of(shape, parts)
    }
}

fn is_atomic(op: Op) -> bool {
    format!("{op:?}").starts_with("Atomic")
}
