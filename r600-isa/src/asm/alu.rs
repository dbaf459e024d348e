//! Instructions of ALU groups.

use std::collections::HashMap;
use std::ops::Range;

use crate::listing::{ADDRESS_DESTINATIONS, Number, SWIZZLE_NAMES};
use crate::names::EXEC_MASK_OPS;
use crate::{
    AluDst, AluInst, AluOp, AluSel, AluSrc, Chan, Generation, IndexMode, LdsAccess, LdsOp, Omod,
    PredSel, Slot,
};

use super::cursor::Cursor;
use super::mnemonic::Mnemonic;
use super::names;
use super::number::source_number;
use super::operand::{Literal, OperandContext, Source};
use super::property::Property;
use super::{Code, Diagnostic, Dialect, Parsed};

/// An instruction whose group is not complete yet.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) inst: AluInst,
    /// The slot that the listing names; `None` for `?`.
    pub(super) slot: Option<Slot>,
    pub(super) literals: [Option<Literal>; 3],
    /// The bank swizzle, if the listing names one.
    pub(super) swizzle: Option<u8>,
    pub(super) span: Range<usize>,
}

/// Context for reading instructions.
#[derive(Clone, Copy)]
pub(super) struct AluContext<'a, 't> {
    pub(super) text: &'t str,
    pub(super) generation: Generation,
    pub(super) dialect: Dialect,
    pub(super) defines: &'a HashMap<&'t str, &'t str>,
}

/// The instruction under construction.
struct Builder<'a, 't> {
    cx: AluContext<'a, 't>,
    pending: Pending,
    lds: Option<LdsOp>,
    offset: u8,
    index: Option<(IndexMode, Range<usize>)>,
}

/// Reads an instruction after `x:`.
pub(super) fn read<'t>(
    cx: AluContext<'_, 't>,
    cursor: &mut Cursor<'t>,
    slot: Option<Slot>,
    start: usize,
) -> Parsed<Pending> {
    let mnemonic = Mnemonic::read(cx.generation, cursor)?;
    let chan = slot.and_then(channel_of).unwrap_or_default();
    let inst = AluInst {
        op: mnemonic.op,
        dst: AluDst { chan, omod: mnemonic.omod, clamp: mnemonic.clamp, ..AluDst::default() },
        src: [AluSrc::new(AluSel::Gpr(0), Chan::X); 3],
        index_mode: IndexMode::ArX,
        pred_sel: PredSel::Off,
        bank_swizzle: 0,
        update_exec_mask: false,
        update_pred: false,
    };
    let pending = Pending { inst, slot, literals: [None; 3], swizzle: None, span: 0..0 };
    let mut builder = Builder { cx, pending, lds: mnemonic.lds, offset: 0, index: None };
    builder.operands(cursor)?;
    let mut seen = Vec::new();
    while let Some(property) = Property::read_new(cursor, cx.text, &mut seen)? {
        builder.property(&property)?;
    }
    builder.finish(cursor.span_from(start))
}

/// The channel of a vector slot.
fn channel_of(slot: Slot) -> Option<Chan> {
    Chan::ALL.into_iter().find(|chan| Slot::vector(*chan) == slot)
}

impl<'t> Builder<'_, 't> {
    /// The context in which source `at` is read. For destinations and indices, `at` makes no difference.
    fn operand_context(&self, at: usize) -> OperandContext<'_, 't> {
        let AluContext { generation, dialect, defines, .. } = self.cx;
        let op = self.pending.inst.op;
        let is_address = at == 0 && self.lds.is_some();
        let number = if is_address { Number::Integer } else { source_number(op, at) };
        OperandContext { generation, dialect, op, number, defines }
    }

    /// Number of sources that the operation reads.
    fn num_src(&self) -> usize {
        self.lds.map_or(self.pending.inst.op.num_src(), |lds| usize::from(lds.info().num_src))
    }

    fn operands(&mut self, cursor: &mut Cursor<'t>) -> Parsed<()> {
        let num_src = self.num_src();
        let name = self.lds.map_or(self.pending.inst.op.name(), LdsOp::name);
        if self.lds.is_none() {
            self.destination(cursor)?;
        }
        for at in 0..num_src {
            let is_first = at == 0 && self.lds.is_some();
            if !is_first && !cursor.eat(",") {
                return Err(operand_count(cursor, name, num_src));
            }
            let source = self.operand_context(at).source(cursor)?;
            self.set_source(at, &source)?;
        }
        if cursor.peek() == Some(',') {
            return Err(operand_count(cursor, name, num_src));
        }
        Ok(())
    }

    fn destination(&mut self, cursor: &mut Cursor<'t>) -> Parsed<()> {
        let start = cursor.at();
        let mut ahead = cursor.clone();
        let name = ahead.name().unwrap_or("");
        if !name.is_empty() && name.bytes().all(|c| c == b'_') {
            *cursor = ahead;
            if let Some(chan) = cursor.channel()? {
                self.check_channel(chan, cursor.span_from(start))?;
                self.pending.inst.dst.chan = chan;
            }
            return self.check_discard(cursor.span_from(start));
        }
        let is_address =
            self.pending.inst.op == AluOp::MovaInt && self.cx.generation == Generation::Cayman;
        let special = ADDRESS_DESTINATIONS.iter().position(|own| *own == name);
        if let Some(number) = special.filter(|_| is_address) {
            *cursor = ahead;
            self.pending.inst.dst.gpr = number as u8;
            return Ok(());
        }
        self.register(cursor, start)?;
        self.pending.inst.dst.write = !self.pending.inst.op.is_op3();
        Ok(())
    }

    /// Refuses a discarded result of a three-source operation, which always writes.
    fn check_discard(&self, span: Range<usize>) -> Parsed<()> {
        if !self.pending.inst.op.is_op3() {
            return Ok(());
        }
        let message = format!("{} always writes", self.pending.inst.op.name());
        let help = "name a register that nothing reads";
        Err(Diagnostic::new(Code::Destination, span, message).help(help))
    }

    /// Reads the register of the destination. If it has no channel, the slot's applies.
    fn register(&mut self, cursor: &mut Cursor<'t>, start: usize) -> Parsed<()> {
        let destination = self.operand_context(0).destination(cursor)?;
        let span = cursor.span_from(start);
        let dst = &mut self.pending.inst.dst;
        (dst.gpr, dst.rel) = (destination.dst.gpr, destination.dst.rel);
        if destination.has_chan {
            dst.chan = destination.dst.chan;
            self.check_channel(destination.dst.chan, span.clone())?;
        }
        self.set_index(destination.index, span)
    }

    /// Checks that a vector slot writes its own channel.
    fn check_channel(&self, chan: Chan, span: Range<usize>) -> Parsed<()> {
        match self.pending.slot.and_then(channel_of) {
            Some(own) if own != chan => {
                let (own, other) = (own.letter(), chan.letter());
                let message = format!("slot {own} writes channel {own}, not {other}");
                let help = format!("write `{other}:` before the operation, or `.{own}` here");
                Err(Diagnostic::new(Code::Destination, span, message).help(help))
            }
            _ => Ok(()),
        }
    }

    fn set_index(&mut self, index: Option<IndexMode>, span: Range<usize>) -> Parsed<()> {
        let Some(index) = index else { return Ok(()) };
        match &self.index {
            Some((other, _)) if *other != index => {
                let message = "the operands of one instruction add the same index";
                Err(Diagnostic::new(Code::MixedIndices, span, message))
            }
            _ => {
                self.pending.inst.index_mode = index;
                self.index = Some((index, span));
                Ok(())
            }
        }
    }

    fn set_source(&mut self, at: usize, source: &Source) -> Parsed<()> {
        let is_op3 = self.pending.inst.op.is_op3();
        if source.src.abs && (is_op3 || at == 2) {
            let message = "only the sources of two-source operations have absolute values";
            let help = "take the absolute value with a MOV before";
            return Err(Diagnostic::new(Code::Modifier, source.span.clone(), message).help(help));
        }
        if source.src.neg && self.lds.is_some() {
            let message = "operations of local memory negate nothing";
            return Err(Diagnostic::new(Code::Modifier, source.span.clone(), message));
        }
        let is_read = at < self.num_src();
        let is_literal = source.src.sel == AluSel::Literal;
        if is_read && is_literal && source.literal.is_none() {
            let message = "LITERAL has no value";
            let help = "write the value itself: the assembler places it";
            let span = source.span.clone();
            return Err(Diagnostic::new(Code::UnknownOperand, span, message).help(help));
        }
        if !is_read && source.literal.is_some() {
            let message = "a source that is not read has no literal of its own";
            let help = "write LITERAL.x, or y, z or w";
            let span = source.span.clone();
            return Err(Diagnostic::new(Code::UnusedLiteral, span, message).help(help));
        }
        self.pending.inst.src[at] = source.src;
        self.pending.literals[at] = source.literal;
        self.set_index(source.index, source.span.clone())
    }

    fn property(&mut self, property: &Property<'t>) -> Parsed<()> {
        if let Some(swizzle) = self.swizzle(property)? {
            return match self.pending.swizzle.replace(swizzle) {
                None => Ok(()),
                Some(_) => Err(second(property, "bank swizzle")),
            };
        }
        if FLAGS.contains(&property.name) {
            property.without_argument()?;
        }
        let is_op3 = self.pending.inst.op.is_op3();
        let inst = &mut self.pending.inst;
        match property.name {
            "CLAMP" => inst.dst.clamp = true,
            name if name.starts_with("PRED_SEL") && inst.pred_sel != PredSel::Off => {
                return Err(second(property, "predicate select"));
            }
            "PRED_SEL_OFF" => inst.pred_sel = PredSel::Off,
            "PRED_SEL_ZERO" => inst.pred_sel = PredSel::Zero,
            "PRED_SEL_ONE" => inst.pred_sel = PredSel::One,
            "UPDATE_PRED" if !is_op3 => inst.update_pred = true,
            "UPDATE_EXEC_MASK" if !is_op3 => {
                inst.update_exec_mask = true;
                self.exec_mask(property)?;
            }
            "FOG_MERGE" if self.cx.generation == Generation::R600 && !is_op3 => {
                inst.dst.fog_merge = true;
            }
            "INDEX" | "DST" | "SRC0" | "SRC1" | "SRC2" => return self.hidden(property),
            "OFFSET" if self.lds.is_some() => {
                let offset = property.number()?;
                self.offset =
                    u8::try_from(offset).ok().filter(|offset| *offset < 64).ok_or_else(|| {
                        let span = property.span.clone();
                        Diagnostic::new(Code::OutOfRange, span, "the offset is at most 63")
                    })?;
            }
            _ => return Err(self.unknown_property(property)),
        }
        Ok(())
    }

    fn unknown_property(&self, property: &Property<'t>) -> Diagnostic {
        const KNOWN: &[&str] = &[
            "CLAMP",
            "UPDATE_EXEC_MASK",
            "UPDATE_PRED",
            "PRED_SEL_ZERO",
            "PRED_SEL_ONE",
            "BANK_SWIZZLE",
            "FOG_MERGE",
            "INDEX",
            "OFFSET",
        ];
        let swizzles = SWIZZLE_NAMES.iter().flat_map(|names| names.iter());
        let near = names::nearest(property.name, KNOWN.iter().chain(swizzles).copied());
        let name = property.name;
        let message = format!("{} has no property `{name}`", self.pending.inst.op.name());
        let help = near.filter(|near| *near != name).map(|near| format!("did you mean `{near}`?"));
        Diagnostic::new(Code::UnknownProperty, property.span.clone(), message).help_if(help)
    }

    /// Reads what happens to lanes that fail the predicate. Cayman encodes it in place of the multiplier.
    fn exec_mask(&mut self, property: &Property<'t>) -> Parsed<()> {
        let is_in_multiplier = self.cx.generation == Generation::Cayman;
        if is_in_multiplier && self.pending.inst.dst.omod != Omod::None {
            let message = "these bits of the multiplier select what the lanes do";
            let help = "write UPDATE_EXEC_MASK(BREAK), CONTINUE or KILL in place of the multiplier";
            let span = property.span.clone();
            return Err(Diagnostic::new(Code::Modifier, span, message).help(help));
        }
        let Some(argument) = &property.argument else { return Ok(()) };
        let omods = [Omod::None, Omod::Times2, Omod::Times4, Omod::Half];
        let name = argument.rest().trim();
        let found = EXEC_MASK_OPS.iter().position(|own| *own == name);
        match found {
            Some(at) if is_in_multiplier => {
                self.pending.inst.dst.omod = omods[at];
                Ok(())
            }
            Some(0) => Ok(()),
            Some(_) => {
                let message = format!("{} only deactivates lanes", self.cx.generation.name());
                Err(Diagnostic::new(Code::NotOnGeneration, property.span.clone(), message))
            }
            None => {
                let message = format!("UPDATE_EXEC_MASK is one of {}", EXEC_MASK_OPS.join(", "));
                Err(Diagnostic::new(Code::UnknownProperty, property.span.clone(), message))
            }
        }
    }

    fn swizzle(&self, property: &Property<'t>) -> Parsed<Option<u8>> {
        // If slots collide, the slot is unknown, so the names of both tables are accepted.
        let tables = match self.pending.slot {
            None => &SWIZZLE_NAMES[..],
            Some(Slot::T) => &SWIZZLE_NAMES[1..],
            Some(_) => &SWIZZLE_NAMES[..1],
        };
        let mut found =
            tables.iter().filter_map(|names| names.iter().position(|own| property.is_flag(own)));
        if let Some(swizzle) = found.next() {
            return Ok(Some(swizzle as u8));
        }
        if property.name != "BANK_SWIZZLE" {
            return Ok(None);
        }
        match property.number()? {
            number @ 0..=7 => Ok(Some(number as u8)),
            _ => {
                let message = "bank swizzles are at most 7";
                Err(Diagnostic::new(Code::OutOfRange, property.span.clone(), message))
            }
        }
    }

    /// Reads a field that has no effect in this instruction but is not 0.
    fn hidden(&mut self, property: &Property<'t>) -> Parsed<()> {
        let Some(mut argument) = property.argument.clone() else {
            let message = format!("{} needs an operand in parentheses", property.name);
            return Err(Diagnostic::new(Code::Unexpected, property.span.clone(), message));
        };
        let start = argument.at();
        match property.name {
            "INDEX" => {
                let index = self.operand_context(0).index_register(&mut argument)?;
                self.set_index(Some(index), property.span.clone())?;
            }
            "DST"
                if self.pending.inst.dst.write
                    || self.pending.inst.dst.gpr != 0
                    || self.pending.inst.op.is_op3() && self.lds.is_none() =>
            {
                return Err(self.has_effect(property));
            }
            "DST" => self.register(&mut argument, start)?,
            name => {
                let at = usize::from(name.as_bytes()[name.len() - 1] - b'0');
                let source = self.operand_context(at).source(&mut argument)?;
                if at < self.num_src() {
                    return Err(self.has_effect(property));
                }
                if at == 2 && !self.pending.inst.op.is_op3() {
                    let message = "two-source operations have no third source";
                    return Err(Diagnostic::new(
                        Code::OperandCount,
                        property.span.clone(),
                        message,
                    ));
                }
                self.set_source(at, &source)?;
            }
        }
        argument.finish()
    }

    /// The error for a field that the operands already set.
    fn has_effect(&self, property: &Property<'t>) -> Diagnostic {
        let message = format!("{} names a field that is written as an operand here", property.name);
        Diagnostic::new(Code::Unexpected, property.span.clone(), message)
    }

    fn finish(mut self, span: Range<usize>) -> Parsed<Pending> {
        let dst = self.pending.inst.dst;
        if self.pending.inst.op.is_op3() && dst.omod != Omod::None {
            let message = format!("{} has no multiplier", self.pending.inst.op.name());
            let help = "use the form that multiplies, such as MULADD_M2";
            return Err(Diagnostic::new(Code::Modifier, span, message).help(help));
        }
        if self.lds.is_some() && dst.clamp {
            let message = "operations of local memory clamp nothing";
            return Err(Diagnostic::new(Code::Modifier, span, message));
        }
        if let Some(op) = self.lds {
            self.pending.inst.set_lds(LdsAccess { op, offset: self.offset });
        }
        self.pending.span = span;
        Ok(self.pending)
    }
}

/// Properties without an argument.
const FLAGS: [&str; 6] =
    ["CLAMP", "PRED_SEL_OFF", "PRED_SEL_ZERO", "PRED_SEL_ONE", "UPDATE_PRED", "FOG_MERGE"];

fn second(property: &Property<'_>, what: &str) -> Diagnostic {
    let message = format!("this is the second {what}");
    Diagnostic::new(Code::Unexpected, property.span.clone(), message)
}

fn operand_count(cursor: &Cursor<'_>, name: &str, num_src: usize) -> Diagnostic {
    let sources = match num_src {
        0 => "no sources".to_owned(),
        1 => "one source".to_owned(),
        _ => format!("{num_src} sources"),
    };
    let message = format!("{name} has {sources}");
    Diagnostic::new(Code::OperandCount, cursor.next_span(), message)
}
