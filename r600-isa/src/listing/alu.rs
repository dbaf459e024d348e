//! Groups, slot by slot.

use arrayvec::ArrayVec;

use crate::names::{EXEC_MASK_OPS, alu_source_name};
use crate::ports::{Operand, ReadPorts};
use crate::{
    AluFlags, AluGroup, AluInst, AluOp, AluSel, AluSrc, Chan, ClauseId, Generation, IndexMode,
    LdsAccess, ListingPlace, Omod, PredSel, Slot,
};

use super::group::{GroupForm, GroupText, index_name};
use super::literals;
use super::operand::write_unused_literal;
use super::{Lister, Operation, Text};

/// Names of the bank swizzles of vector slots and of the trans slot.
pub(crate) const SWIZZLE_NAMES: [&[&str]; 2] = [
    &["VEC_012", "VEC_021", "VEC_120", "VEC_102", "VEC_201", "VEC_210"],
    &["SCL_210", "SCL_122", "SCL_212", "SCL_221"],
];

/// Column of the first operand of a slot in the vendor's form, after the name.
const NAME_WIDTH: usize = 15;

/// Writes a slot in the vendor's form, from its letter on.
pub(crate) fn write_vendor_slot(
    text: &mut Text,
    (group, at): (&AluGroup, usize),
    generation: Generation,
    number: u32,
) {
    let slots = group.slots(generation);
    let form = GroupForm::Vendor(number);
    let cx = GroupText { group, generation, usual_literals: false, form };
    let says_zero =
        at == 0 && slots.as_ref().is_none_or(|slots| !zero_is_usual(group, slots, generation));
    let slot = slots.as_ref().map(|slots| slots[at]);
    cx.write_inst(text, &group.insts[at], slot, says_zero);
}

/// Writes a line for each slot, with the number of the group before the first.
pub(super) fn write_group(
    lister: &mut Lister<'_>,
    group: &AluGroup,
    (clause, number): (ClauseId, usize),
    word: u32,
) {
    let generation = lister.program.generation;
    let slots = group.slots(generation);
    let form = GroupForm::Canonical;
    let cx = GroupText { group, generation, usual_literals: literals::are_usual(group), form };
    let mut says_zero = slots.as_ref().is_none_or(|slots| !zero_is_usual(group, slots, generation));
    for (at, inst) in group.insts.iter().enumerate() {
        lister.note(ListingPlace::Slot { clause, group: number, inst: at });
        let slot = slots.as_ref().map(|slots| slots[at]);
        if at == 0 {
            lister.text.padded(lister.next_body, 7);
            lister.text.char(' ');
        } else {
            lister.text.str("        ");
        }
        cx.write_inst(&mut lister.text, inst, slot, says_zero);
        says_zero = false;
        lister.comment(word + 2 * at as u32, 2, Some(Operation::Alu(inst.op)));
    }
    cx.write_literals(lister);
}

/// Whether the assembler would choose bank swizzle 0 for every slot. Other bank swizzles are written anyway.
fn zero_is_usual(group: &AluGroup, slots: &[Slot], generation: Generation) -> bool {
    if group.insts.iter().any(|inst| inst.bank_swizzle != 0) {
        return true;
    }
    let mut ports = ReadPorts::<(u8, bool)>::new();
    group.insts.iter().zip(slots).all(|(inst, slot)| {
        let operands = port_operands(inst);
        let early = early_operands(inst, *slot, generation);
        // With bank swizzle 0, only the first operand of a vector slot is read in the first cycle.
        !inst.op.has(AluFlags::FORCES_VEC_210)
            && early & !1 == 0
            && ports.reserve(*slot, &operands, 0)
    })
}

/// The operands that must be read in the first cycle, one bit each: queues of local memory. The trans slot cannot read
/// them in time.
pub(crate) fn early_operands(inst: &AluInst, slot: Slot, generation: Generation) -> u8 {
    let is_queue = |src: &AluSrc| match src.sel {
        AluSel::Other(number) => alu_source_name(generation, number)
            .is_some_and(|name| slot != Slot::T && name.starts_with("LDS_OQ_")),
        _ => false,
    };
    let sources = inst.src.iter().take(inst.num_src()).enumerate();
    sources.filter(|(_, src)| is_queue(src)).fold(0, |early, (n, _)| early | 1 << n)
}

/// An instruction as the read ports see it: a relative access counts as a different register from the absolute one.
pub(crate) fn port_operands(inst: &AluInst) -> ArrayVec<Operand<(u8, bool)>, 3> {
    let sources = inst.src.iter().take(inst.num_src());
    sources
        .map(|src| match src.sel {
            AluSel::Gpr(gpr) => Operand::Register((gpr, src.rel), src.chan),
            AluSel::Pv | AluSel::Ps => Operand::Forwarded,
            _ => Operand::Constant,
        })
        .collect()
}

pub(crate) fn omod_name(omod: Omod) -> &'static str {
    match omod {
        Omod::None => "",
        Omod::Times2 => "*2",
        Omod::Times4 => "*4",
        Omod::Half => "/2",
    }
}

impl GroupText<'_> {
    /// Writes the instruction, without the end of its line.
    fn write_inst(&self, text: &mut Text, inst: &AluInst, slot: Option<Slot>, says_zero: bool) {
        text.char(slot.map_or('?', Slot::letter));
        text.str(": ");
        let lds = inst.lds();
        let start = text.len();
        let num_src = match lds {
            Some(access) => {
                text.str(access.op.name());
                usize::from(access.op.info().num_src)
            }
            None => {
                text.str(inst.op.name());
                inst.op.num_src()
            }
        };
        if !self.has_mask_op(inst) && lds.is_none() {
            text.str(omod_name(inst.dst.omod));
        }
        if self.form != GroupForm::Canonical {
            text.fill(start + NAME_WIDTH);
        }
        if lds.is_none() {
            self.write_result(text, inst);
        }
        for at in 0..num_src.min(inst.src.len()) {
            text.str(if at == 0 && lds.is_some() { " " } else { ", " });
            self.write_src(text, inst, at, lds);
        }
        self.write_flags(text, inst, slot, lds);
        for at in num_src..inst.src.len() {
            self.write_unused(text, inst, at, lds);
        }
        // The vendor always names the cycles of the trans slot.
        let says_zero = says_zero || self.form != GroupForm::Canonical && slot == Some(Slot::T);
        write_swizzle(text, inst.bank_swizzle, slot, says_zero);
    }

    fn write_result(&self, text: &mut Text, inst: &AluInst) {
        text.char(' ');
        if let Some(name) = address_destination(inst, self.generation) {
            text.str(name);
        } else if inst.dst.write || inst.op.is_op3() {
            self.write_destination(text, inst);
        } else {
            text.str("____");
        }
    }

    fn write_flags(
        &self,
        text: &mut Text,
        inst: &AluInst,
        slot: Option<Slot>,
        lds: Option<LdsAccess>,
    ) {
        if let Some(access) = lds {
            if access.offset != 0 {
                text.str(" OFFSET(");
                text.u32(u32::from(access.offset));
                text.char(')');
            }
            // The register field holds the operation, so only the channel is left to show.
            if !names_channel(slot) && inst.dst.chan != Chan::X {
                text.str(" DST(R0.");
                text.char(inst.dst.chan.letter());
                text.char(')');
            }
        } else {
            if inst.dst.clamp {
                text.str(" CLAMP");
            }
            self.write_hidden_destination(text, inst, slot);
        }
        if inst.update_exec_mask {
            text.str(" UPDATE_EXEC_MASK");
            let is_plain = inst.dst.omod == Omod::None;
            let says_all = self.form != GroupForm::Canonical && is_plain;
            if says_all || self.has_mask_op(inst) && !is_plain {
                text.char('(');
                text.str(EXEC_MASK_OPS[inst.dst.omod as usize]);
                text.char(')');
            }
        }
        if inst.update_pred {
            text.str(" UPDATE_PRED");
        }
        match inst.pred_sel {
            PredSel::Off => {}
            PredSel::Zero => text.str(" PRED_SEL_ZERO"),
            PredSel::One => text.str(" PRED_SEL_ONE"),
        }
        if inst.dst.fog_merge {
            text.str(" FOG_MERGE");
        }
        let relative = inst.src.iter().any(|src| src.rel) || inst.dst.rel && lds.is_none();
        if inst.index_mode != IndexMode::ArX && !relative {
            text.str(" INDEX(");
            text.str(index_name(inst.index_mode));
            text.char(')');
        }
    }

    /// Whether the multiplier field tells what happens to lanes, as on Cayman.
    fn has_mask_op(&self, inst: &AluInst) -> bool {
        inst.update_exec_mask && self.generation == Generation::Cayman
    }

    /// Writes the destination field of an instruction that writes nothing, if it is not 0.
    fn write_hidden_destination(&self, text: &mut Text, inst: &AluInst, slot: Option<Slot>) {
        let dst = &inst.dst;
        if dst.write || inst.op.is_op3() {
            return;
        }
        let is_named = address_destination(inst, self.generation).is_some();
        if (dst.gpr != 0 && !is_named) || dst.rel || (!names_channel(slot) && dst.chan != Chan::X) {
            text.str(" DST(");
            self.write_destination(text, inst);
            text.char(')');
        }
    }

    /// Writes a source that the operation does not read, if its field is not 0.
    fn write_unused(&self, text: &mut Text, inst: &AluInst, at: usize, lds: Option<LdsAccess>) {
        let src = &inst.src[at];
        let plain = AluSrc { neg: src.neg && lds.is_none(), ..*src };
        if plain == AluSrc::new(AluSel::Gpr(0), Chan::X) {
            return;
        }
        text.str(" SRC");
        text.u32(at as u32);
        text.char('(');
        if src.sel == AluSel::Literal {
            write_unused_literal(text, inst, &plain);
        } else {
            self.write_src(text, inst, at, lds);
        }
        text.char(')');
    }

    /// Writes the literals, if the operands do not show all of them.
    fn write_literals(&self, lister: &mut Lister<'_>) {
        let literals = &self.group.literals;
        let is_shown = |chan: usize| {
            self.group
                .insts
                .iter()
                .flat_map(|inst| inst.src.iter().take(inst.num_src()))
                .any(|src| src.sel == AluSel::Literal && src.chan as usize == chan)
        };
        if self.usual_literals || (0..literals.len()).all(is_shown) {
            return;
        }
        lister.note(ListingPlace::Words);
        lister.text.str("        .literal ");
        lister.text.words(literals);
        lister.text.char('\n');
    }
}

/// The target of Cayman's `MOVA_INT`, by the number in its destination field.
pub(crate) const ADDRESS_DESTINATIONS: [&str; 8] = [
    "____",
    "CF_PC",
    "CF_IDX0",
    "CF_IDX1",
    "CLAUSE_GLOBAL_0",
    "CLAUSE_GLOBAL_1",
    "CLAUSE_GLOBAL_2",
    "CLAUSE_GLOBAL_3",
];

fn address_destination(inst: &AluInst, generation: Generation) -> Option<&'static str> {
    let is_special = inst.op == AluOp::MovaInt
        && generation == Generation::Cayman
        && !inst.dst.write
        && !inst.dst.rel;
    ADDRESS_DESTINATIONS.get(usize::from(inst.dst.gpr)).copied().filter(|_| is_special)
}

/// Whether the slot determines the channel of the result, as all slots but the trans slot do.
const fn names_channel(slot: Option<Slot>) -> bool {
    matches!(slot, Some(Slot::X | Slot::Y | Slot::Z | Slot::W))
}

fn write_swizzle(text: &mut Text, swizzle: u8, slot: Option<Slot>, says_zero: bool) {
    if swizzle == 0 && !says_zero {
        return;
    }
    text.char(' ');
    let names = SWIZZLE_NAMES[usize::from(slot == Some(Slot::T))];
    match names.get(usize::from(swizzle)) {
        Some(name) => text.str(name),
        None => {
            text.str("BANK_SWIZZLE(");
            text.u32(u32::from(swizzle));
            text.char(')');
        }
    }
}
