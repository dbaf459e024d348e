//! Operations by opcode, in tables built once.

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

/// The fields that identify a fetch operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct FetchCode {
    pub(super) opcode: u32,
    pub(super) inst_mod: u32,
    pub(super) mem_op: u32,
    pub(super) gds_op: u32,
}

impl FetchCode {
    /// Whether this matches the table entry of `op`.
    fn is(&self, op: FetchOp, generation: Generation) -> bool {
        let info = op.info();
        let agrees = |own: Option<u8>, found: u32| own.is_none_or(|own| u32::from(own) == found);
        // `INST_MOD` is a field of texture fetches, from Evergreen on.
        let has_mod = matches!(generation, Generation::Evergreen | Generation::Cayman);
        info.opcode[generation as usize].map(u32::from) == Some(self.opcode)
            && (!has_mod || agrees(info.inst_mod, self.inst_mod))
            && agrees(info.mem_op, self.mem_op)
            && (info.kind != FetchKind::Gds || agrees(info.gds_op, self.gds_op))
    }
}

/// Fetch operations by opcode, those of one opcode together.
static FETCH: LazyLock<[Vec<Vec<FetchOp>>; 4]> = LazyLock::new(|| {
    Generation::ALL.map(|generation| {
        let mut rows = vec![Vec::new(); 32];
        for op in FetchOp::ALL {
            if let Some(opcode) = op.opcode(generation) {
                rows[usize::from(opcode)].push(op);
            }
        }
        rows
    })
});

/// The fetch operation with a code.
pub(super) fn fetch(generation: Generation, code: FetchCode) -> Option<FetchOp> {
    let rows = FETCH[generation as usize].get(code.opcode as usize)?;
    rows.iter().copied().find(|op| code.is(*op, generation))
}
