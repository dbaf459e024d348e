//! Reads fields of microcode words and looks up opcodes.

use r600_isa::{AluOp, CfKind, CfOp, FetchKind, FetchOp, FieldSet, Generation};

/// A microcode word of a generation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) bits: u32,
    pub(super) generation: Generation,
}

impl Word {
    /// The field's value; 0 where the generation lacks it.
    pub(super) fn get(self, field: &FieldSet) -> u32 {
        field.on(self.generation).map_or(0, |place| (self.bits >> place.lo) & place.max())
    }

    pub(super) fn flag(self, field: &FieldSet) -> bool {
        self.get(field) != 0
    }

    /// A field of at most eight bits.
    pub(super) fn byte(self, field: &FieldSet) -> u8 {
        self.get(field) as u8
    }

    /// A field read as two's complement.
    pub(super) fn signed(self, field: &FieldSet) -> i32 {
        let Some(place) = field.on(self.generation) else { return 0 };
        let unused = 31 - u32::from(place.hi - place.lo);
        (self.get(field) << unused) as i32 >> unused
    }
}

/// The ALU instruction of an opcode in the two- or three-source form.
pub(super) fn find_alu(generation: Generation, opcode: u32, is_op3: bool) -> Option<AluOp> {
    AluOp::ALL
        .iter()
        .copied()
        .find(|op| op.is_op3() == is_op3 && op.opcode(generation).map(u32::from) == Some(opcode))
}

/// The control flow instruction of an opcode in the plain or in the ALU form.
pub(super) fn find_cf(generation: Generation, opcode: u32, is_alu: bool) -> Option<CfOp> {
    CfOp::ALL.iter().copied().find(|op| {
        let has_alu_form = matches!(op.info().kind, CfKind::Alu | CfKind::AluExtended);
        has_alu_form == is_alu && op.opcode(generation).map(u32::from) == Some(opcode)
    })
}

/// The fields that distinguish fetch instructions with the same opcode.
#[derive(Clone, Copy, Debug)]
pub(super) struct FetchCode {
    pub(super) opcode: u32,
    pub(super) inst_mod: u8,
    pub(super) mem_op: u8,
    pub(super) gds_op: u8,
}

/// The fetch instruction with this code. The modifier of a gather is its component, not a variant.
pub(super) fn find_fetch(generation: Generation, code: FetchCode) -> Option<FetchOp> {
    let matches = |op: &FetchOp| {
        let info = op.info();
        let is_memory = matches!(info.kind, FetchKind::Mem | FetchKind::Gds);
        op.opcode(generation).map(u32::from) == Some(code.opcode)
            && info.mem_op.is_none_or(|mem_op| mem_op == code.mem_op)
            && info.gds_op.is_none_or(|gds_op| gds_op == code.gds_op)
            && (is_memory || info.inst_mod.is_none_or(|inst_mod| inst_mod == code.inst_mod))
    };
    FetchOp::ALL.iter().copied().find(matches)
}
