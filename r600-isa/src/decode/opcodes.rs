//! Operations by opcode, as tables made once.

use std::sync::LazyLock;

use crate::{AluOp, CfKind, CfOp, FetchKind, FetchOp, Generation};

type Table<T> = [Vec<Option<T>>; 4];

fn table<T: Copy>(
    all: &[T],
    len: usize,
    opcode: impl Fn(T, Generation) -> Option<usize>,
) -> Table<T> {
    Generation::ALL.map(|generation| {
        let mut rows = vec![None; len];
        // The first row of an opcode wins: later ones are refined by other fields.
        for &op in all.iter().rev() {
            if let Some(at) = opcode(op, generation) {
                rows[at] = Some(op);
            }
        }
        rows
    })
}

static OP2: LazyLock<Table<AluOp>> = LazyLock::new(|| {
    table(&AluOp::ALL, 2048, |op, generation| {
        op.opcode(generation).filter(|_| !op.is_op3()).map(usize::from)
    })
});

static OP3: LazyLock<Table<AluOp>> = LazyLock::new(|| {
    table(&AluOp::ALL, 32, |op, generation| {
        op.opcode(generation).filter(|_| op.is_op3()).map(usize::from)
    })
});

static CF: LazyLock<Table<CfOp>> = LazyLock::new(|| {
    table(&CfOp::ALL, 256, |op, generation| {
        op.opcode(generation).filter(|_| !is_alu(op)).map(usize::from)
    })
});

static CF_ALU: LazyLock<Table<CfOp>> = LazyLock::new(|| {
    table(&CfOp::ALL, 16, |op, generation| {
        op.opcode(generation).filter(|_| is_alu(op)).map(usize::from)
    })
});

fn is_alu(op: CfOp) -> bool {
    matches!(op.info().kind, CfKind::Alu | CfKind::AluExtended)
}

fn find<T: Copy>(table: &Table<T>, generation: Generation, opcode: u32) -> Option<T> {
    table[generation as usize].get(opcode as usize).copied().flatten()
}

/// The two-source ALU operation with an opcode.
pub(super) fn op2(generation: Generation, opcode: u32) -> Option<AluOp> {
    find(&OP2, generation, opcode)
}

/// The three-source ALU operation with an opcode.
pub(super) fn op3(generation: Generation, opcode: u32) -> Option<AluOp> {
    find(&OP3, generation, opcode)
}

/// The control-flow operation with an opcode, ALU clauses aside.
pub(super) fn cf(generation: Generation, opcode: u32) -> Option<CfOp> {
    find(&CF, generation, opcode)
}

/// The ALU clause operation with an opcode.
pub(super) fn cf_alu(generation: Generation, opcode: u32) -> Option<CfOp> {
    find(&CF_ALU, generation, opcode)
}

/// The texture or vertex fetch with an opcode and modifier.
pub(super) fn fetch(generation: Generation, opcode: u32, inst_mod: u32) -> Option<FetchOp> {
    FetchOp::ALL.into_iter().find(|op| {
        let info = op.info();
        matches!(info.kind, FetchKind::Tex | FetchKind::Vtx)
            && info.opcode[generation as usize].map(u32::from) == Some(opcode)
            && info.inst_mod.is_none_or(|own| u32::from(own) == inst_mod)
    })
}
