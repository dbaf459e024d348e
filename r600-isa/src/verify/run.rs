//! How an instruction runs its clause.

use crate::{Cf, CfOp, KcacheMode};

/// Properties of the running instruction that clause rules depend on. Instructions that agree in them get the same
/// findings for a clause.
#[derive(PartialEq, Eq)]
pub(super) struct Run {
    op: Option<CfOp>,
    windows: [KcacheMode; 4],
    uses_waterfall: bool,
    is_in_loop: bool,
}

impl Run {
    /// The run of `cf`, inside or outside a loop.
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
