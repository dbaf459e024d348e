//! Arithmetic: a table from opcode to form, and one function per form.

use r600_isa::AluOp;
use tgsi_ir::{Component, Instruction, Opcode, WriteMask};

use crate::ssa::Operand;

use super::pairs::PairFn;
use super::{LowerError, Lowering};

/// A function of one channel, from its sources to its result.
pub(super) type ChannelFn<'a> = fn(&mut Lowering<'a>, &[Operand]) -> Operand;

/// A function of a whole instruction.
pub(super) type WholeFn<'a> =
    fn(&mut Lowering<'a>, &Instruction) -> Result<[Option<Operand>; 4], LowerError>;

/// How an opcode is lowered.
#[derive(Clone, Copy)]
pub(super) enum Form<'a> {
    /// One operation per channel, sources in order.
    PerChannel(AluOp),
    /// One operation per channel, with its two sources swapped.
    Swapped(AluOp),
    /// A sequence per channel.
    Sequence(ChannelFn<'a>),
    /// A sequence on channel x, its result in every channel.
    Replicated(ChannelFn<'a>),
    /// A function of each pair of channels.
    Pairs(PairFn<'a>),
    /// A function of the whole instruction.
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
        .or_else(|| super::wide::function(opcode).map(|f| Form::Pairs(f)))
}

fn move_form<'a>(opcode: Opcode) -> Option<Form<'a>> {
    Some(match opcode {
        Opcode::Mov => Form::Sequence(|_, src| src[0]),
        Opcode::Uarl => Form::Sequence(|_, src| src[0]),
        Opcode::Arl => Form::Sequence(Lowering::floor_to_int),
        Opcode::Arr => Form::Sequence(Lowering::round_to_int),
        Opcode::Cmp => Form::Sequence(Lowering::compare_select),
        Opcode::Ucmp => Form::Sequence(|cx, src| cx.select_bits(src[0], src[1], src[2])),
        _ => return None,
    })
}

fn float_form<'a>(opcode: Opcode) -> Option<Form<'a>> {
    use Form::{PerChannel, Sequence};
    Some(match opcode {
        Opcode::Add => PerChannel(AluOp::Add),
        Opcode::Mul => Sequence(|cx, src| cx.alu(cx.mul_op(), src)),
        Opcode::Mad => Sequence(|cx, src| cx.alu(cx.muladd_op(), src)),
        Opcode::Min => PerChannel(AluOp::MinDx10),
        Opcode::Max => PerChannel(AluOp::MaxDx10),
        Opcode::Frc => PerChannel(AluOp::Fract),
        Opcode::Flr => PerChannel(AluOp::Floor),
        Opcode::Ceil => PerChannel(AluOp::Ceil),
        Opcode::Trunc => PerChannel(AluOp::Trunc),
        Opcode::Round => PerChannel(AluOp::Rndne),
        Opcode::Lrp => Sequence(Lowering::interpolate),
        Opcode::Ssg => Sequence(Lowering::float_sign),
        Opcode::Div => Sequence(Lowering::float_divide),
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
    Some(match opcode {
        Opcode::Slt => Swapped(AluOp::Setgt),
        Opcode::Sge => PerChannel(AluOp::Setge),
        Opcode::Seq => PerChannel(AluOp::Sete),
        Opcode::Sne => PerChannel(AluOp::Setne),
        Opcode::Sgt => PerChannel(AluOp::Setgt),
        Opcode::Sle => Swapped(AluOp::Setge),
        Opcode::Fslt => Swapped(AluOp::SetgtDx10),
        Opcode::Fsge => PerChannel(AluOp::SetgeDx10),
        Opcode::Fseq => PerChannel(AluOp::SeteDx10),
        Opcode::Fsne => PerChannel(AluOp::SetneDx10),
        Opcode::Islt => Swapped(AluOp::SetgtInt),
        Opcode::Isge => PerChannel(AluOp::SetgeInt),
        Opcode::Uslt => Swapped(AluOp::SetgtUint),
        Opcode::Usge => PerChannel(AluOp::SetgeUint),
        Opcode::Useq => PerChannel(AluOp::SeteInt),
        Opcode::Usne => PerChannel(AluOp::SetneInt),
        _ => return None,
    })
}

fn scalar_form<'a>(opcode: Opcode) -> Option<Form<'a>> {
    use Form::Replicated;
    Some(match opcode {
        Opcode::Rcp => Replicated(|cx, src| cx.alu(AluOp::RecipIeee, src)),
        Opcode::Rsq => Replicated(|cx, src| cx.alu(AluOp::RecipsqrtIeee, src)),
        Opcode::Sqrt => Replicated(|cx, src| cx.alu(AluOp::SqrtIeee, src)),
        Opcode::Ex2 => Replicated(|cx, src| cx.alu(AluOp::ExpIeee, src)),
        Opcode::Lg2 => Replicated(|cx, src| cx.alu(AluOp::LogIeee, src)),
        Opcode::Pow => Replicated(Lowering::power),
        Opcode::Sin => Replicated(|cx, src| cx.trigonometric(AluOp::Sin, src[0])),
        Opcode::Cos => Replicated(|cx, src| cx.trigonometric(AluOp::Cos, src[0])),
        _ => return None,
    })
}

fn integer_form<'a>(opcode: Opcode) -> Option<Form<'a>> {
    use Form::{PerChannel, Sequence};
    Some(match opcode {
        Opcode::Uadd => PerChannel(AluOp::AddInt),
        Opcode::And => PerChannel(AluOp::AndInt),
        Opcode::Or => PerChannel(AluOp::OrInt),
        Opcode::Xor => PerChannel(AluOp::XorInt),
        Opcode::Not => PerChannel(AluOp::NotInt),
        Opcode::Imax => PerChannel(AluOp::MaxInt),
        Opcode::Imin => PerChannel(AluOp::MinInt),
        Opcode::Umax => PerChannel(AluOp::MaxUint),
        Opcode::Umin => PerChannel(AluOp::MinUint),
        Opcode::Shl => PerChannel(AluOp::LshlInt),
        Opcode::Ishr => PerChannel(AluOp::AshrInt),
        Opcode::Ushr => PerChannel(AluOp::LshrInt),
        Opcode::I2f => PerChannel(AluOp::IntToFlt),
        Opcode::U2f => PerChannel(AluOp::UintToFlt),
        Opcode::F2i => Sequence(Lowering::float_to_int),
        Opcode::F2u => Sequence(Lowering::float_to_uint),
        Opcode::Umul => Sequence(|cx, src| cx.alu(AluOp::MulloUint, src)),
        Opcode::UmulHi => Sequence(|cx, src| cx.alu(AluOp::MulhiUint, src)),
        Opcode::ImulHi => Sequence(|cx, src| cx.alu(AluOp::MulhiInt, src)),
        Opcode::Umad => Sequence(Lowering::integer_multiply_add),
        Opcode::Ineg => Sequence(|cx, src| cx.alu(AluOp::SubInt, &[Operand::ZERO, src[0]])),
        Opcode::Iabs => Sequence(Lowering::integer_absolute),
        Opcode::Issg => Sequence(Lowering::integer_sign),
        Opcode::Udiv => Sequence(Lowering::unsigned_quotient),
        Opcode::Umod => Sequence(Lowering::unsigned_remainder),
        Opcode::Idiv => Sequence(Lowering::signed_quotient),
        Opcode::Mod => Sequence(Lowering::signed_remainder),
        _ => return None,
    })
}

fn bits_form<'a>(opcode: Opcode) -> Option<Form<'a>> {
    use Form::Sequence;
    Some(match opcode {
        Opcode::Ubfe => Sequence(Lowering::unsigned_field),
        Opcode::Ibfe => Sequence(Lowering::signed_field),
        Opcode::Bfi => Sequence(Lowering::insert_field),
        Opcode::Brev => Sequence(Lowering::reversed_bits),
        Opcode::Popc => Sequence(Lowering::count_bits),
        Opcode::Lsb => Sequence(Lowering::lowest_bit),
        Opcode::Umsb => Sequence(Lowering::highest_bit),
        Opcode::Imsb => Sequence(Lowering::highest_signed_bit),
        Opcode::Ldexp => Sequence(Lowering::scaled),
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
            Form::PerChannel(op) => self.per_channel(inst, |cx, src| cx.alu(op, src))?,
            Form::Swapped(op) => self.per_channel(inst, |cx, src| cx.alu(op, &[src[1], src[0]]))?,
            Form::Sequence(function) => self.per_channel(inst, function)?,
            Form::Replicated(function) => {
                let src = self.sources(inst, Component::X)?;
                [Some(function(self, &src)); 4]
            }
            Form::Pairs(function) => return self.on_pairs(inst, function),
            Form::Whole(function) => function(self, inst)?,
        };
        self.write(inst, 0, values)
    }

    /// `function` of each channel that is written.
    fn per_channel(
        &mut self,
        inst: &Instruction,
        function: impl Fn(&mut Self, &[Operand]) -> Operand,
    ) -> Result<[Option<Operand>; 4], LowerError> {
        let mut values = [None; 4];
        for component in mask(inst).iter() {
            let src = self.sources(inst, component)?;
            values[component.index()] = Some(function(self, &src));
        }
        Ok(values)
    }

    /// All sources of one channel.
    pub(super) fn sources(
        &mut self,
        inst: &Instruction,
        component: Component,
    ) -> Result<arrayvec::ArrayVec<Operand, 5>, LowerError> {
        let mut out = arrayvec::ArrayVec::new();
        for n in 0..usize::from(inst.opcode.info().num_src) {
            out.push(self.source(inst, n, component)?);
        }
        Ok(out)
    }
}

/// The channels that the first destination writes.
pub(super) fn mask(inst: &Instruction) -> WriteMask {
    inst.dst.first().map_or(WriteMask::NONE, |dst| dst.mask)
}
