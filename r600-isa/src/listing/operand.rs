//! Operands of slots.

use crate::alu::FIRST_TEMPORARY;
use crate::{AluInst, AluSel, AluSrc, Chan, IndexMode, InlineConst, LdsAccess};

use super::Text;
use super::group::{GroupForm, GroupText, index_name};
use super::literals::{self, Number};

impl GroupText<'_> {
    pub(super) fn write_src(
        &self,
        text: &mut Text,
        inst: &AluInst,
        at: usize,
        lds: Option<LdsAccess>,
    ) {
        let src = &inst.src[at];
        let neg = src.neg && lds.is_none();
        if src.abs {
            text.str(if neg { "-|" } else { "|" });
            self.write_sel(text, inst, src);
            text.char('|');
        } else if !neg {
            self.write_sel(text, inst, src);
        } else if let Some(name) = self.negated_constant(inst, src) {
            text.str(name);
            text.str(if self.is_vendors() { "f" } else { "" });
        } else if matches!(src.sel, AluSel::Inline(_) | AluSel::Literal) {
            // Parentheses are needed, since a sign would be part of the number.
            let has_parentheses = src.sel == AluSel::Literal && !self.usual_literals;
            text.str(if has_parentheses { "-" } else { "-(" });
            self.write_sel(text, inst, src);
            text.str(if has_parentheses { "" } else { ")" });
        } else {
            text.char('-');
            self.write_sel(text, inst, src);
        }
    }

    /// The negated constant, if the assembler would read it from a negative number.
    fn negated_constant(&self, inst: &AluInst, src: &AluSrc) -> Option<&'static str> {
        if Number::of(inst.op) != Number::Float || src.chan != Chan::X || src.rel {
            return None;
        }
        match src.sel {
            AluSel::Inline(InlineConst::Zero) => Some("-0.0"),
            AluSel::Inline(InlineConst::One) => Some("-1.0"),
            AluSel::Inline(InlineConst::Half) => Some("-0.5"),
            _ => None,
        }
    }

    fn write_sel(&self, text: &mut Text, inst: &AluInst, src: &AluSrc) {
        let index = src.rel.then_some(inst.index_mode);
        let chan = src.chan.letter();
        match src.sel {
            AluSel::Gpr(gpr) => self.write_register(text, gpr, index),
            AluSel::Kcache { set, index: vec4 } => {
                text.str("KC");
                text.u32(u32::from(set));
                self.write_place(text, u32::from(vec4), index);
            }
            AluSel::ConstFile(number) if index.is_some() && !self.is_vendors() => {
                text.char('C');
                write_indexed(text, u32::from(number), index);
            }
            AluSel::ConstFile(number) => {
                text.char('C');
                text.u32(u32::from(number));
                write_marked(text, "", index);
            }
            AluSel::Literal => return self.write_literal(text, inst, src),
            AluSel::Inline(constant) => {
                return write_bare(text, self.constant_name(constant), src, index);
            }
            AluSel::Ps => {
                text.str("PS");
                self.write_group_before(text);
                return write_bare(text, "", src, index);
            }
            AluSel::Pv => {
                text.str("PV");
                self.write_group_before(text);
                write_marked(text, "", index);
            }
            AluSel::Param(param) => {
                text.str("PARAM");
                text.u32(u32::from(param));
                write_marked(text, "", index);
            }
            AluSel::Other(number) => {
                if let Some(name) = crate::names::alu_source_name(self.generation, number) {
                    return write_bare(text, name, src, index);
                }
                text.str("SEL");
                text.u32(u32::from(number));
                write_marked(text, "", index);
            }
        }
        text.char('.');
        text.char(chan);
    }

    fn write_literal(&self, text: &mut Text, inst: &AluInst, src: &AluSrc) {
        let bits = self.group.literals.get(src.chan as usize).copied().unwrap_or(0);
        if self.usual_literals {
            literals::write_value(text, Number::of(inst.op), bits);
            return;
        }
        let value = f32::from_bits(bits);
        text.str("(0x");
        if self.is_vendors() {
            text.hex_upper(bits);
        } else {
            text.hex(bits, 8);
        }
        text.str(", ");
        literals::write_float(text, value);
        text.str(if self.is_vendors() && value.is_finite() { "f" } else { "" });
        text.str(").");
        text.char(src.chan.letter());
        write_marked(text, "", src.rel.then_some(inst.index_mode));
    }

    fn is_vendors(&self) -> bool {
        self.form != GroupForm::Canonical
    }

    /// Writes the number of the group that computed PV or PS, in the vendor's form.
    fn write_group_before(&self, text: &mut Text) {
        if let GroupForm::Vendor(number) = self.form {
            text.u32(number.saturating_sub(1));
        }
    }

    fn constant_name(&self, constant: InlineConst) -> &'static str {
        match constant {
            InlineConst::Zero if self.is_vendors() => "0.0f",
            InlineConst::One if self.is_vendors() => "1.0f",
            InlineConst::Half if self.is_vendors() => "0.5f",
            constant => inline_name(constant),
        }
    }

    pub(super) fn write_destination(&self, text: &mut Text, inst: &AluInst) {
        self.write_register(text, inst.dst.gpr, inst.dst.rel.then_some(inst.index_mode));
        text.char('.');
        text.char(inst.dst.chan.letter());
    }

    fn write_register(&self, text: &mut Text, gpr: u8, index: Option<IndexMode>) {
        match index {
            Some(_) if !self.is_vendors() => {
                text.char('R');
                write_indexed(text, u32::from(gpr), index);
            }
            None if gpr >= FIRST_TEMPORARY && !self.is_vendors() => {
                text.char('T');
                text.u32(u32::from(gpr - FIRST_TEMPORARY));
            }
            _ => {
                text.char('R');
                text.u32(u32::from(gpr));
                write_marked(text, "", index);
            }
        }
    }

    /// Writes `[3]`, or with an index `[AR.x+3]` or the vendor's `[3][AR.x]`.
    fn write_place(&self, text: &mut Text, number: u32, index: Option<IndexMode>) {
        if self.is_vendors() {
            write_indexed(text, number, None);
            write_marked(text, "", index);
        } else {
            write_indexed(text, number, index);
        }
    }
}

/// Writes a literal that is selected but not read, and so has no value.
pub(super) fn write_unused_literal(text: &mut Text, inst: &AluInst, src: &AluSrc) {
    let (before, after) = match (src.neg, src.abs) {
        (false, false) => ("", ""),
        (true, false) => ("-", ""),
        (false, true) => ("|", "|"),
        (true, true) => ("-|", "|"),
    };
    text.str(before);
    write_marked(text, "LITERAL", src.rel.then_some(inst.index_mode));
    text.char('.');
    text.char(src.chan.letter());
    text.str(after);
}

/// Writes `[3]` or `[AR.x+3]`.
fn write_indexed(text: &mut Text, number: u32, index: Option<IndexMode>) {
    text.char('[');
    if let Some(index) = index {
        text.str(index_name(index));
        text.char('+');
    }
    text.u32(number);
    text.char(']');
}

/// Writes a name, and the index if the bit for it is set although the operand cannot be indexed.
fn write_marked(text: &mut Text, name: &str, index: Option<IndexMode>) {
    text.str(name);
    if let Some(index) = index {
        text.char('[');
        text.str(index_name(index));
        text.char(']');
    }
}

/// Writes an operand without channels. Its channel field may still not be 0.
fn write_bare(text: &mut Text, name: &str, src: &AluSrc, index: Option<IndexMode>) {
    write_marked(text, name, index);
    if src.chan != Chan::X {
        text.char('@');
        text.char(src.chan.letter());
    }
}

pub(crate) fn inline_name(constant: InlineConst) -> &'static str {
    match constant {
        InlineConst::Zero => "0",
        InlineConst::One => "1.0",
        InlineConst::IntOne => "1",
        InlineConst::IntMinusOne => "-1",
        InlineConst::Half => "0.5",
    }
}
