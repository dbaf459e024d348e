//! Arithmetic: a table from opcode to form, and one function for each form.

use r600_isa::AluOp;
use tgsi_ir::{Component, Instruction, Opcode, WriteMask};

use crate::ssa::Operand;

use super::pairs::{PairFn, PairKind};
use super::{LowerError, Lowering};

/// How the sources of an instruction are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// As floats.
    Float,
    /// As integers.
    Int,
}

/// A function of one channel: sources of that channel in, its result out.
pub(super) type ChannelFn<'a> = fn(&mut Lowering<'a>, &[Operand]) -> Operand;

/// A function of a whole instruction.
pub(super) type WholeFn<'a> =
    fn(&mut Lowering<'a>, &Instruction) -> Result<[Option<Operand>; 4], LowerError>;

/// How an opcode is lowered.
#[derive(Clone, Copy)]
pub(super) enum Form<'a> {
    /// One operation per channel, sources in order.
    PerChannel(Kind, AluOp),
    /// One operation per channel, two sources exchanged.
    Swapped(Kind, AluOp),
    /// A sequence per channel.
    Sequence(Kind, ChannelFn<'a>),
    /// A sequence on channel x, its result in every channel.
    Replicated(Kind, ChannelFn<'a>),
    /// A function of each pair of channels.
    Pairs(PairKind, PairFn<'a>),
    /// Everything about the instruction is its own.
    Whole(WholeFn<'a>),
}

/// The form of `opcode`; `None` for opcodes that are not plain arithmetic.
pub(super) fn form<'a>(opcode: Opcode) -> Option<Form<'a>> {
    move_form(opcode)
        .or_else(|| float_form(opcode))
        .or_else(|| compare_form(opcode))
        .or_else(|| scalar_form(opcode))
        .or_else(|| integer_form(opcode))
        .or_else(|| bits_form(opcode))
        .or_else(|| packing_form(opcode))
        .or_else(|| super::wide::function(opcode).map(|f| Form::Pairs(PairKind::Int, f)))
}

fn move_form<'a>(opcode: Opcode) -> Option<Form<'a>> {
    Some(match opcode {
        Opcode::Mov => Form::Sequence(Kind::Float, |_, src| src[0]),
        Opcode::Uarl => Form::Sequence(Kind::Int, |_, src| src[0]),
        Opcode::Arl => Form::Sequence(Kind::Float, Lowering::floor_to_int),
        Opcode::Arr => Form::Sequence(Kind::Float, Lowering::round_to_int),
        Opcode::Cmp => Form::Sequence(Kind::Float, Lowering::compare_select),
        Opcode::Ucmp => Form::Whole(Lowering::integer_select),
        _ => return None,
    })
}

fn float_form<'a>(opcode: Opcode) -> Option<Form<'a>> {
    use Form::{PerChannel, Sequence};
    use Kind::Float;
    Some(match opcode {
        Opcode::Add => PerChannel(Float, AluOp::Add),
        Opcode::Mul => Sequence(Float, |cx, src| cx.alu(cx.mul_op(), src)),
        Opcode::Mad => Sequence(Float, |cx, src| cx.alu(cx.muladd_op(), src)),
        Opcode::Min => PerChannel(Float, AluOp::MinDx10),
        Opcode::Max => PerChannel(Float, AluOp::MaxDx10),
        Opcode::Frc => PerChannel(Float, AluOp::Fract),
        Opcode::Flr => PerChannel(Float, AluOp::Floor),
        Opcode::Ceil => PerChannel(Float, AluOp::Ceil),
        Opcode::Trunc => PerChannel(Float, AluOp::Trunc),
        Opcode::Round => PerChannel(Float, AluOp::Rndne),
        Opcode::Lrp => Sequence(Float, Lowering::interpolate),
        Opcode::Ssg => Sequence(Float, Lowering::float_sign),
        Opcode::Div => Sequence(Float, Lowering::float_divide),
        Opcode::Dp2 => Form::Whole(|cx, inst| cx.dot_product(inst, 2)),
        Opcode::Dp3 => Form::Whole(|cx, inst| cx.dot_product(inst, 3)),
        Opcode::Dp4 => Form::Whole(|cx, inst| cx.dot_product(inst, 4)),
        Opcode::Dst => Form::Whole(Lowering::distance),
        Opcode::Lit => Form::Whole(Lowering::lighting),
        Opcode::Exp => Form::Whole(Lowering::partial_exponential),
        Opcode::Log => Form::Whole(Lowering::partial_logarithm),
        _ => return None,
    })
}

fn compare_form<'a>(opcode: Opcode) -> Option<Form<'a>> {
    use Form::{PerChannel, Swapped};
    use Kind::{Float, Int};
    Some(match opcode {
        Opcode::Slt => Swapped(Float, AluOp::Setgt),
        Opcode::Sge => PerChannel(Float, AluOp::Setge),
        Opcode::Seq => PerChannel(Float, AluOp::Sete),
        Opcode::Sne => PerChannel(Float, AluOp::Setne),
        Opcode::Sgt => PerChannel(Float, AluOp::Setgt),
        Opcode::Sle => Swapped(Float, AluOp::Setge),
        Opcode::Fslt => Swapped(Float, AluOp::SetgtDx10),
        Opcode::Fsge => PerChannel(Float, AluOp::SetgeDx10),
        Opcode::Fseq => PerChannel(Float, AluOp::SeteDx10),
        Opcode::Fsne => PerChannel(Float, AluOp::SetneDx10),
        Opcode::Islt => Swapped(Int, AluOp::SetgtInt),
        Opcode::Isge => PerChannel(Int, AluOp::SetgeInt),
        Opcode::Uslt => Swapped(Int, AluOp::SetgtUint),
        Opcode::Usge => PerChannel(Int, AluOp::SetgeUint),
        Opcode::Useq => PerChannel(Int, AluOp::SeteInt),
        Opcode::Usne => PerChannel(Int, AluOp::SetneInt),
        _ => return None,
    })
}

fn scalar_form<'a>(opcode: Opcode) -> Option<Form<'a>> {
    use Form::Replicated;
    use Kind::Float;
    Some(match opcode {
        Opcode::Rcp => Replicated(Float, |cx, src| cx.alu(AluOp::RecipIeee, src)),
        Opcode::Rsq => Replicated(Float, |cx, src| cx.alu(AluOp::RecipsqrtIeee, src)),
        Opcode::Sqrt => Replicated(Float, |cx, src| cx.alu(AluOp::SqrtIeee, src)),
        Opcode::Ex2 => Replicated(Float, |cx, src| cx.alu(AluOp::ExpIeee, src)),
        Opcode::Lg2 => Replicated(Float, |cx, src| cx.alu(AluOp::LogIeee, src)),
        Opcode::Pow => Replicated(Float, Lowering::power),
        Opcode::Sin => Replicated(Float, |cx, src| cx.trigonometric(AluOp::Sin, src[0])),
        Opcode::Cos => Replicated(Float, |cx, src| cx.trigonometric(AluOp::Cos, src[0])),
        _ => return None,
    })
}

fn integer_form<'a>(opcode: Opcode) -> Option<Form<'a>> {
    use Form::{PerChannel, Sequence};
    use Kind::{Float, Int};
    Some(match opcode {
        Opcode::Uadd => PerChannel(Int, AluOp::AddInt),
        Opcode::And => PerChannel(Int, AluOp::AndInt),
        Opcode::Or => PerChannel(Int, AluOp::OrInt),
        Opcode::Xor => PerChannel(Int, AluOp::XorInt),
        Opcode::Not => PerChannel(Int, AluOp::NotInt),
        Opcode::Imax => PerChannel(Int, AluOp::MaxInt),
        Opcode::Imin => PerChannel(Int, AluOp::MinInt),
        Opcode::Umax => PerChannel(Int, AluOp::MaxUint),
        Opcode::Umin => PerChannel(Int, AluOp::MinUint),
        Opcode::Shl => PerChannel(Int, AluOp::LshlInt),
        Opcode::Ishr => PerChannel(Int, AluOp::AshrInt),
        Opcode::Ushr => PerChannel(Int, AluOp::LshrInt),
        Opcode::I2f => PerChannel(Int, AluOp::IntToFlt),
        Opcode::U2f => PerChannel(Int, AluOp::UintToFlt),
        Opcode::F2i => Sequence(Float, Lowering::float_to_int),
        Opcode::F2u => Sequence(Float, Lowering::float_to_uint),
        Opcode::Umul => Sequence(Int, |cx, src| cx.alu(AluOp::MulloUint, src)),
        Opcode::UmulHi => Sequence(Int, |cx, src| cx.alu(AluOp::MulhiUint, src)),
        Opcode::ImulHi => Sequence(Int, |cx, src| cx.alu(AluOp::MulhiInt, src)),
        Opcode::Umad => Sequence(Int, Lowering::integer_multiply_add),
        Opcode::Ineg => Sequence(Int, |cx, src| cx.alu(AluOp::SubInt, &[Operand::ZERO, src[0]])),
        Opcode::Iabs => Sequence(Int, Lowering::integer_absolute),
        Opcode::Issg => Sequence(Int, Lowering::integer_sign),
        Opcode::Udiv => Sequence(Int, Lowering::unsigned_quotient),
        Opcode::Umod => Sequence(Int, Lowering::unsigned_remainder),
        Opcode::Idiv => Sequence(Int, Lowering::signed_quotient),
        Opcode::Mod => Sequence(Int, Lowering::signed_remainder),
        _ => return None,
    })
}

fn bits_form<'a>(opcode: Opcode) -> Option<Form<'a>> {
    use Form::Sequence;
    use Kind::{Float, Int};
    Some(match opcode {
        Opcode::Ubfe => Sequence(Int, Lowering::unsigned_field),
        Opcode::Ibfe => Sequence(Int, Lowering::signed_field),
        Opcode::Bfi => Sequence(Int, Lowering::insert_field),
        Opcode::Brev => Sequence(Int, Lowering::reversed_bits),
        Opcode::Popc => Sequence(Int, Lowering::count_bits),
        Opcode::Lsb => Sequence(Int, Lowering::lowest_bit),
        Opcode::Umsb => Sequence(Int, Lowering::highest_bit),
        Opcode::Imsb => Sequence(Int, Lowering::highest_signed_bit),
        Opcode::Ldexp => Sequence(Float, Lowering::scaled),
        _ => return None,
    })
}

fn packing_form<'a>(opcode: Opcode) -> Option<Form<'a>> {
    Some(match opcode {
        Opcode::Pk2h => Form::Whole(Lowering::pack_halves),
        Opcode::Up2h => Form::Whole(Lowering::unpack_halves),
        Opcode::Pk2us => Form::Whole(Lowering::pack_unorm16),
        Opcode::Up2us => Form::Whole(Lowering::unpack_unorm16),
        Opcode::Pk4ub => Form::Whole(Lowering::pack_unorm8),
        Opcode::Up4ub => Form::Whole(Lowering::unpack_unorm8),
        Opcode::Pk4b => Form::Whole(Lowering::pack_snorm8),
        Opcode::Up4b => Form::Whole(Lowering::unpack_snorm8),
        _ => return None,
    })
}

impl<'a> Lowering<'a> {
    /// Lowers an arithmetic instruction.
    pub(super) fn arithmetic(
        &mut self,
        inst: &Instruction,
        form: Form<'a>,
    ) -> Result<(), LowerError> {
        let values = match form {
            Form::PerChannel(kind, op) => {
                self.per_channel(inst, kind, |cx, src| cx.alu(op, src))?
            }
            Form::Swapped(kind, op) => {
                self.per_channel(inst, kind, |cx, src| cx.alu(op, &[src[1], src[0]]))?
            }
            Form::Sequence(kind, function) => self.per_channel(inst, kind, function)?,
            Form::Replicated(kind, function) => {
                let src = self.sources(inst, kind, Component::X)?;
                [Some(function(self, &src)); 4]
            }
            Form::Pairs(kind, function) => return self.on_pairs(inst, kind, function),
            Form::Whole(function) => function(self, inst)?,
        };
        self.write(inst, 0, values)
    }

    /// `function` of each channel that is written.
    fn per_channel(
        &mut self,
        inst: &Instruction,
        kind: Kind,
        function: impl Fn(&mut Self, &[Operand]) -> Operand,
    ) -> Result<[Option<Operand>; 4], LowerError> {
        let mut values = [None; 4];
        for component in mask(inst).iter() {
            let src = self.sources(inst, kind, component)?;
            values[component.index()] = Some(function(self, &src));
        }
        Ok(values)
    }

    /// All sources of one channel.
    pub(super) fn sources(
        &mut self,
        inst: &Instruction,
        kind: Kind,
        component: Component,
    ) -> Result<arrayvec::ArrayVec<Operand, 5>, LowerError> {
        let mut out = arrayvec::ArrayVec::new();
        for n in 0..usize::from(inst.opcode.info().num_src) {
            out.push(match kind {
                Kind::Float => self.float_source(inst, n, component)?,
                Kind::Int => self.int_source(inst, n, component)?,
            });
        }
        Ok(out)
    }
}

/// The channels that the first destination writes.
pub(super) fn mask(inst: &Instruction) -> WriteMask {
    inst.dst.first().map_or(WriteMask::NONE, |dst| dst.mask)
}
