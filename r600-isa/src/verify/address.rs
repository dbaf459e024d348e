//! Rules of the address register, which each clause must load.

use crate::{
    AluFlags, AluGroup, AluInst, AluOp, AluSel, AluSrc, CfAlu, Chip, Generation, Hazard, IndexMode,
};

use super::placed::sources;
use super::{Rule, Verifier};

/// Index state left by earlier groups of a clause.
#[derive(Default)]
pub(super) struct Address {
    /// The operation that loaded the address register last.
    loaded: Option<AluOp>,
    /// Registers written by the previous group, and whether the write was indexed.
    written: Vec<(u8, bool)>,
}

impl Address {
    pub(super) fn step(&mut self, cx: &mut Verifier<'_>, alu: &CfAlu, group: &AluGroup) {
        self.use_of_address(cx, group);
        self.distance(cx, group);
        waterfall(cx, alu, group);
        let load = group.insts.iter().find(|inst| loads_address(cx.generation(), inst));
        self.loaded = load.map(|inst| inst.op).or(self.loaded);
        let writers = group.insts.iter().filter(|inst| inst.writes_gpr());
        self.written = writers.map(|inst| (inst.dst.gpr, inst.dst.rel)).collect();
    }

    fn use_of_address(&self, cx: &mut Verifier<'_>, group: &AluGroup) {
        if !group.insts.iter().any(uses_address) {
            return;
        }
        let generation = cx.generation();
        if group.insts.iter().any(|inst| loads_address(generation, inst)) {
            let message = "the address register is loaded and used in one group";
            cx.report(Rule::AddressSameGroup, message);
        } else if self.loaded.is_none() {
            let message = "no earlier group of the clause loads the address register";
            cx.report(Rule::AddressUnset, message);
        }
        self.flavour(cx, group);
    }

    /// On the first chips, only an address loaded in the trans slot indexes registers.
    fn flavour(&self, cx: &mut Verifier<'_>, group: &AluGroup) {
        let needs_own = cx.setting.chip.is_some_and(|chip| chip.has(Hazard::MovaGpr));
        let Some(loaded) = self.loaded.filter(|op| needs_own && *op != AluOp::MovaGprInt) else {
            return;
        };
        let is_register = |src: &AluSrc| src.rel && matches!(src.sel, AluSel::Gpr(_));
        let indexed = |inst: &AluInst| {
            uses_address(inst) && (inst.has_indexed_dst() || sources(inst).iter().any(is_register))
        };
        if group.insts.iter().any(indexed) {
            let message =
                format!("the chip cannot index registers by what {} loads", loaded.name());
            cx.report(Rule::AddressFlavour, message);
        }
    }

    /// If either access is indexed, a write becomes visible one group later.
    fn distance(&self, cx: &mut Verifier<'_>, group: &AluGroup) {
        let is_suspected =
            |chip: Chip| chip.has(Hazard::RelativeWrite) || chip.has(Hazard::RelativeWriteSiblings);
        // Every chip of the first two generations has one hazard or the other.
        if !cx.setting.chip.map_or(cx.generation() <= Generation::R700, is_suspected) {
            return;
        }
        let late = cx.setting.chip.is_some_and(|chip| chip.has(Hazard::RelativeWrite));
        let reads = group.insts.iter().flat_map(sources).filter_map(|src| match src.sel {
            AluSel::Gpr(gpr) => Some((gpr, src.rel)),
            _ => None,
        });
        for (read, is_indexed) in reads {
            let meets = |&(written, by_index): &(u8, bool)| {
                let same = read == written && (is_indexed || by_index);
                same || late && is_indexed && by_index
            };
            if self.written.iter().any(meets) {
                let message = format!(
                    "R{read} is read in the group after an indexed write that may reach it"
                );
                cx.report(Rule::IndexedDistance, message);
                return;
            }
        }
    }
}

/// Whether an instruction loads the address register that indexes registers.
pub(super) fn loads_address(generation: Generation, inst: &AluInst) -> bool {
    // On Cayman a nonzero destination selects another register.
    let is_other = generation == Generation::Cayman && inst.dst.gpr != 0;
    inst.op.has(AluFlags::MOVE_TO_ADDRESS) && !is_other
}

/// Whether an instruction uses the address register, as an index or to copy it.
pub(super) fn uses_address(inst: &AluInst) -> bool {
    let relative = (inst.has_indexed_dst() || sources(inst).iter().any(|src| src.rel))
        && !matches!(inst.index_mode, IndexMode::Loop | IndexMode::Global);
    relative || matches!(inst.op, AluOp::SetCfIdx0 | AluOp::SetCfIdx1)
}

fn waterfall(cx: &mut Verifier<'_>, alu: &CfAlu, group: &AluGroup) {
    let indexed = |src: &AluSrc| src.rel && matches!(src.sel, AluSel::ConstFile(_));
    let by_lane =
        group.insts.iter().any(|inst| uses_address(inst) && sources(inst).iter().any(indexed));
    if by_lane && cx.generation() == Generation::R600 && !alu.uses_waterfall {
        let message = "lanes may read different constants, and USES_WATERFALL is not set";
        cx.report(Rule::Waterfall, message);
    }
}
