//! How an instruction runs its clause.

use crate::{Cf, CfOp, KcacheMode};

/// What rules about a clause ask of the instruction that runs it. Where two instructions agree in that, whatever is wrong
/// with the clause is wrong for both.
#[derive(PartialEq, Eq)]
pub(super) struct Run {
    op: Option<CfOp>,
    windows: [KcacheMode; 4],
    uses_waterfall: bool,
    is_in_loop: bool,
}

impl Run {
    /// That of `cf`, which runs its clause inside a loop or outside.
    pub(super) fn of(cf: &Cf, is_in_loop: bool) -> Self {
        let plain =
            Self { op: None, windows: [KcacheMode::None; 4], uses_waterfall: false, is_in_loop };
        match cf {
            Cf::Alu(alu) => Self {
                op: Some(alu.op),
                windows: alu.kcache.map(|window| window.mode),
                uses_waterfall: alu.uses_waterfall,
                ..plain
            },
            Cf::Fetch(fetch) => Self { op: Some(fetch.op), ..plain },
            Cf::Flow(_) | Cf::Export(_) | Cf::Memory(_) | Cf::Sync(_) | Cf::Raw(_) => plain,
        }
    }
}
