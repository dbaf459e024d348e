//! Rules of clause temporaries: registers 124 to 127, which do not survive their clause.

use crate::{AluGroup, AluSel};

use super::placed::sources;
use super::{FIRST_TEMPORARY, Rule, Verifier};

/// Channels of the temporaries that the clause has written so far.
#[derive(Default)]
pub(super) struct Temporaries {
    written: [u8; 4],
}

impl Temporaries {
    pub(super) fn step(&mut self, cx: &mut Verifier<'_>, group: &AluGroup) {
        for src in group.insts.iter().flat_map(sources).filter(|src| !src.rel) {
            let AluSel::Gpr(gpr) = src.sel else { continue };
            let Some(at) = gpr.checked_sub(FIRST_TEMPORARY) else { continue };
            if self.written[usize::from(at & 3)] >> src.chan as u8 & 1 == 0 {
                let chan = src.chan.letter();
                let message = format!("T{at}.{chan} is read before the clause writes it");
                cx.report(Rule::TemporaryUnset, message);
            }
        }
        for inst in group.insts.iter().filter(|inst| inst.writes_gpr()) {
            if let Some(at) = inst.dst.gpr.checked_sub(FIRST_TEMPORARY) {
                self.written[usize::from(at & 3)] |= 1 << inst.dst.chan as u8;
            }
        }
    }
}
