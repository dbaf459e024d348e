//! Parses constants.

use std::rc::Rc;

use spirv::{Decoration, Op};

use crate::binary::{Id, Inst};
use crate::constant::{Const, Constant};
use crate::error::{ErrorKind, Fault, invalid, too_large, unsupported};
use crate::fold::{Scalar, fold};
use crate::options::Options;
use crate::specialization::Specialization;
use crate::types::Type;

use super::Module;

impl Module<'_> {
    /// The constant that an instruction defines.
    pub(super) fn read_constant(
        &mut self,
        op: Op,
        inst: Inst<'_>,
        options: &Options,
    ) -> Result<(Id, Constant), Fault> {
        let (ty, id) = (inst.id(0)?, inst.id(1)?);
        self.ty(ty)?;
        let value = match op {
            Op::ConstantTrue | Op::SpecConstantTrue => Const::Bits(1),
            Op::ConstantFalse | Op::SpecConstantFalse => Const::Bits(0),
            Op::Constant | Op::SpecConstant => Const::Bits(self.literal(ty, inst)?),
            Op::ConstantComposite | Op::SpecConstantComposite => self.parts(ty, inst)?,
            Op::ConstantNull => Const::Null,
            Op::SpecConstantOp => {
                let value = self.operation(ty, inst)?;
                self.check_parts(options)?;
                value
            }
            _ => return Err(unsupported("constants of this kind")),
        };
        let Some(number) = self.decorations.value(id, Decoration::SpecId) else {
            return Ok((id, Constant { ty, value }));
        };
        self.specialization.push((number, id));
        let value = match options.specialization.get(&number) {
            Some(&asked) => Const::Bits(self.specialized(number, ty, asked)?),
            None => value,
        };
        Ok((id, Constant { ty, value }))
    }

    /// Rejects operations that copy more parts than any shader may have.
    fn check_parts(&self, options: &Options) -> Result<(), Fault> {
        let most = options.max_instructions.saturating_mul(4);
        if self.constant_parts.get() > most {
            let text = format!("operations on constants copy more than {most} parts");
            return Err(too_large(text));
        }
        Ok(())
    }

    /// The bits that a value has as a constant of type `ty`.
    fn specialized(&self, number: u32, ty: Id, value: Specialization) -> Result<u64, Fault> {
        let ty = self.ty(ty)?;
        let kind = match *ty {
            Type::Bool => "a truth value".to_owned(),
            Type::Int { bits, signed: true } => format!("a signed integer of {bits} bits"),
            Type::Int { bits, signed: false } => format!("an unsigned integer of {bits} bits"),
            Type::Float { bits } => format!("a float of {bits} bits"),
            _ => return Err(invalid("a constant with a SpecId is not a scalar")),
        };
        value.of_type(ty).ok_or_else(|| Fault {
            kind: ErrorKind::Specialization,
            message: format!("specialisation constant {number} is {kind} and cannot be {value}"),
        })
    }

    fn literal(&self, ty: Id, inst: Inst<'_>) -> Result<u64, Fault> {
        let low = u64::from(inst.word(2)?);
        match *self.ty(ty)? {
            Type::Int { bits: 64, .. } | Type::Float { bits: 64 } => {
                Ok(low | u64::from(inst.word(3)?) << 32)
            }
            Type::Int { .. } | Type::Float { .. } => Ok(low),
            _ => Err(invalid("a constant is not a number")),
        }
    }

    fn parts(&self, ty: Id, inst: Inst<'_>) -> Result<Const, Fault> {
        let num = self
            .num_parts(ty)?
            .ok_or_else(|| invalid("a composite constant has a type without parts"))?;
        if num as usize != inst.ids(2).len() {
            return Err(invalid("a composite has more or fewer parts than its type"));
        }
        let part = |(n, id): (u32, Id)| {
            let value = self.known(id)?;
            self.check_type(self.part_type(ty, n)?, id)?;
            Ok(value)
        };
        let parts: Result<Rc<[Const]>, Fault> = (0..num).zip(inst.ids(2)).map(part).collect();
        parts.map(Const::Parts)
    }

    /// Rejects a constant of another type. Without this check, values could nest deeper than their types.
    fn check_type(&self, wanted: Id, id: Id) -> Result<(), Fault> {
        let ty = self.type_of_constant(id)?;
        if ty != wanted {
            let text = format!("the constant {id} is of type {ty}, not of type {wanted}");
            return Err(invalid(text));
        }
        Ok(())
    }

    fn known(&self, id: Id) -> Result<Const, Fault> {
        let constant = self.constants.get(&id).map(|constant| constant.value.clone());
        constant.ok_or_else(|| invalid(format!("the constant {id} is not defined yet")))
    }

    /// `OpSpecConstantOp`.
    fn operation(&self, ty: Id, inst: Inst<'_>) -> Result<Const, Fault> {
        let op = Op::from_u32(inst.word(2)?)
            .ok_or_else(|| invalid("unknown operation of a constant"))?;
        let missing = || invalid("an operand is missing");
        match op {
            Op::CompositeExtract => {
                let from = inst.id(3)?;
                let mut value = self.known(from)?;
                if self.part_within(self.type_of_constant(from)?, inst.rest(4))? != ty {
                    return Err(invalid("a constant is taken from a part of another type"));
                }
                for &index in inst.rest(4) {
                    value = value.part(index as usize).ok_or_else(missing)?;
                }
                Ok(value)
            }
            Op::CompositeInsert => {
                let (object, into) = (self.known(inst.id(3)?)?, self.known(inst.id(4)?)?);
                self.check_type(self.part_within(ty, inst.rest(5))?, inst.id(3)?)?;
                self.check_type(ty, inst.id(4)?)?;
                self.with_part(ty, &into, inst.rest(5), object)
            }
            Op::VectorShuffle => self.shuffle(ty, inst),
            _ => self.arithmetic(op, ty, inst),
        }
    }

    /// The type of the part that a path of indices leads to.
    fn part_within(&self, ty: Id, path: &[u32]) -> Result<Id, Fault> {
        path.iter().try_fold(ty, |ty, &index| self.part_type(ty, index))
    }

    fn shuffle(&self, ty: Id, inst: Inst<'_>) -> Result<Const, Fault> {
        let (a, b) = (inst.id(3)?, inst.id(4)?);
        let first = usize::from(self.shape(self.type_of_constant(a)?)?.len);
        let of = self.part_type(ty, 0)?;
        let is_one = self.num_parts(ty)? == Some(inst.rest(5).len() as u32)
            && self.part_type(self.type_of_constant(a)?, 0)? == of
            && self.part_type(self.type_of_constant(b)?, 0)? == of;
        if !is_one {
            return Err(invalid("a vector is shuffled from components of another type or number"));
        }
        let (a, b) = (self.known(a)?, self.known(b)?);
        let pick = |&index: &u32| {
            let index = index as usize;
            let part = if index < first { a.part(index) } else { b.part(index - first) };
            part.unwrap_or(Const::Null)
        };
        Ok(Const::Parts(inst.rest(5).iter().map(pick).collect()))
    }

    fn with_part(&self, ty: Id, into: &Const, path: &[u32], object: Const) -> Result<Const, Fault> {
        let Some((&index, rest)) = path.split_first() else { return Ok(object) };
        let part = self.part_type(ty, index)?;
        let num = self.num_parts(ty)?.filter(|&num| num <= 4096);
        let num = num.ok_or_else(|| unsupported("a specialised composite of this size"))?;
        self.constant_parts.set(self.constant_parts.get().saturating_add(num as usize));
        let mut parts = Vec::new();
        for n in 0..num {
            let old = into.part(n as usize).ok_or_else(|| invalid("an operand is missing"))?;
            let is_it = n == index;
            let new = if is_it { self.with_part(part, &old, rest, object.clone())? } else { old };
            parts.push(new);
        }
        Ok(Const::Parts(parts.into()))
    }

    fn type_of_constant(&self, id: Id) -> Result<Id, Fault> {
        let constant = self.constants.get(&id);
        constant.map(|c| c.ty).ok_or_else(|| invalid(format!("{id} is not a constant")))
    }

    /// An operation that works on each component.
    fn arithmetic(&self, op: Op, ty: Id, inst: Inst<'_>) -> Result<Const, Fault> {
        let to = self.shape(ty)?;
        let args: Vec<Id> = inst.ids(3).collect();
        // The last operand decides the type, also for `OpSelect`. For shifts it is the first, since a count has a type
        // of its own.
        let counts = match op {
            Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => args.first(),
            _ => args.last(),
        };
        let counts = counts.ok_or_else(|| invalid("an operand is missing"))?;
        let from = self.shape(self.type_of_constant(*counts)?)?;
        let values: Result<Vec<Const>, Fault> = args.iter().map(|&id| self.known(id)).collect();
        let values = values?;
        let scalar = Scalar { kind: from.kind, bits: from.bits };
        let result = Scalar { kind: to.kind, bits: to.bits };
        let component = |n: usize| {
            let bits = values.iter().map(|value| value.bits().or_else(|| value.part(n)?.bits()));
            bits.collect::<Option<Vec<u64>>>()
                .and_then(|bits| fold(op, scalar, result, &bits))
                .map(Const::Bits)
                .ok_or_else(|| unsupported(format!("Op{op:?} of specialisation constants")))
        };
        if to.len == 1 {
            return component(0);
        }
        let parts: Result<Rc<[Const]>, Fault> = (0..usize::from(to.len)).map(component).collect();
        parts.map(Const::Parts)
    }
}
