//! The registers that fetches read and write.

use crate::{ComponentSel, FetchInst, FetchOp};

use super::RelMode;

/// Consecutive registers and their used channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchAccess {
    /// The first.
    pub gpr: u8,
    /// Number of registers.
    pub count: u8,
    /// Bit n for channel n.
    pub channels: u8,
}

impl FetchAccess {
    /// The last register.
    pub const fn last(self) -> u8 {
        self.gpr.saturating_add(self.count.saturating_sub(1))
    }
}

/// Registers that a fetch reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchAccesses {
    /// Address and data.
    pub read: FetchAccess,
    /// The result, if any.
    pub written: Option<FetchAccess>,
}

impl FetchInst {
    /// Whether the loop index is added to the registers it reads and to those it writes.
    pub(crate) fn adds_loop_index(&self) -> [bool; 2] {
        let looped = |modes: [RelMode; 2]| modes.map(|mode| mode == RelMode::Loop);
        match self {
            Self::Tex(tex) => [tex.src_rel, tex.dst_rel],
            Self::Vtx(vtx) => [vtx.src_rel, vtx.dst_rel],
            Self::Mem(mem) => [mem.src_rel, mem.dst_rel],
            Self::Gds(gds) => looped([gds.src_rel, gds.dst_rel]),
            Self::LocalWrite(local) => looped([local.src_rel, RelMode::None]),
            Self::LocalRead(local) => looped([local.src_rel, local.dst_rel]),
            Self::Raw(_) => [false; 2],
        }
    }

    /// The registers that it uses; `None` for raw words.
    pub fn accesses(&self) -> Option<FetchAccesses> {
        let (read, written) = match self {
            Self::Tex(tex) => (one(tex.src_gpr, &tex.src_sel), result(tex.dst_gpr, &tex.dst_sel)),
            Self::Vtx(vtx) => {
                // A semantic is not a register.
                let is_named = vtx.op != FetchOp::Semfetch;
                let written = result(vtx.dst_gpr, &vtx.dst_sel).filter(|_| is_named);
                (one(vtx.src_gpr, &[vtx.src_sel]), written)
            }
            Self::Mem(mem) => {
                let read = if mem.indexed { one(mem.src_gpr, &[mem.src_sel]) } else { NOTHING };
                let written = result(mem.dst_gpr, &mem.dst_sel);
                (read, written.map(|access| FetchAccess { count: mem.burst, ..access }))
            }
            Self::Gds(gds) => {
                let is_own = gds.dst_rel != RelMode::Global;
                let written = result(gds.dst_gpr, &gds.dst_sel).filter(|_| is_own);
                (one(gds.src_gpr, &gds.src_sel), written)
            }
            Self::LocalWrite(local) => {
                let read = one(local.src_gpr, &local.src_sel);
                (FetchAccess { count: local.burst, ..read }, None)
            }
            Self::LocalRead(local) => {
                let written = local.dst_write.iter().enumerate();
                let channels =
                    written.fold(0, |mask, (chan, write)| mask | u8::from(*write) << chan);
                let access = FetchAccess { gpr: local.dst_gpr, count: local.burst, channels };
                (one(local.src_gpr, &local.src_sel), (channels != 0).then_some(access))
            }
            Self::Raw(_) => return None,
        };
        Some(FetchAccesses { read, written })
    }
}

const NOTHING: FetchAccess = FetchAccess { gpr: 0, count: 1, channels: 0 };

fn one(gpr: u8, sels: &[ComponentSel]) -> FetchAccess {
    let read = sels.iter().filter(|sel| (**sel as u8) < 4);
    FetchAccess { gpr, count: 1, channels: read.fold(0, |mask, sel| mask | 1 << *sel as u8) }
}

fn result(gpr: u8, sels: &[ComponentSel; 4]) -> Option<FetchAccess> {
    let written = sels.iter().enumerate().filter(|(_, sel)| **sel != ComponentSel::Mask);
    let channels = written.fold(0, |mask, (chan, _)| mask | 1 << chan);
    (channels != 0).then_some(FetchAccess { gpr, count: 1, channels })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GdsInst, LocalReadInst, LocalWriteInst, MemInst, TexInst, VtxInst};

    const X: ComponentSel = ComponentSel::X;
    const Y: ComponentSel = ComponentSel::Y;
    const W: ComponentSel = ComponentSel::W;
    const ZERO: ComponentSel = ComponentSel::Zero;
    const MASK: ComponentSel = ComponentSel::Mask;

    /// First register, registers and channels.
    type Used = (u8, u8, u8);

    /// The registers read and the registers written.
    fn used(fetch: FetchInst) -> Option<(Used, Option<Used>)> {
        let plain = |access: FetchAccess| (access.gpr, access.count, access.channels);
        fetch.accesses().map(|used| (plain(used.read), used.written.map(plain)))
    }

    #[test]
    fn textures_read_an_address_and_write_what_is_not_masked() {
        let tex = TexInst {
            src_gpr: 3,
            src_sel: [W, ZERO, X, MASK],
            dst_gpr: 5,
            dst_sel: [MASK, ZERO, X, MASK],
            ..TexInst::sample(FetchOp::Sample, 0, 0)
        };
        assert_eq!(used(FetchInst::Tex(tex.clone())), Some(((3, 1, 0b1001), Some((5, 1, 0b0110)))));
        for (chan, channels) in [(0, 1), (1, 2), (2, 4), (3, 8)] {
            let mut one = TexInst { dst_sel: [MASK; 4], ..tex.clone() };
            one.dst_sel[chan] = Y;
            assert_eq!(used(FetchInst::Tex(one)), Some(((3, 1, 0b1001), Some((5, 1, channels)))));
        }
        let unused = TexInst { dst_sel: [MASK; 4], ..tex };
        assert_eq!(used(FetchInst::Tex(unused)), Some(((3, 1, 0b1001), None)));
    }

    #[test]
    fn semantics_are_no_registers() {
        let vtx = VtxInst {
            src_gpr: 2,
            src_sel: Y,
            dst_gpr: 7,
            dst_sel: [X, Y, MASK, W],
            ..VtxInst::buffer_fetch(0)
        };
        assert_eq!(used(FetchInst::Vtx(vtx.clone())), Some(((2, 1, 2), Some((7, 1, 0b1011)))));
        let by_semantic = VtxInst { op: FetchOp::Semfetch, ..vtx };
        assert_eq!(used(FetchInst::Vtx(by_semantic)), Some(((2, 1, 2), None)));
    }

    #[test]
    fn memory_reads_an_index_only_where_it_is_indexed() {
        let mem = MemInst {
            src_gpr: 4,
            src_sel: W,
            dst_gpr: 9,
            dst_sel: [X, Y, MASK, MASK],
            burst: 3,
            ..MemInst::new(FetchOp::ReadScratch)
        };
        let (_, written) = used(FetchInst::Mem(mem.clone())).unwrap();
        assert_eq!(written, Some((9, 3, 3)));
        assert_eq!(FetchInst::Mem(mem.clone()).accesses().unwrap().read.channels, 0);
        let indexed = MemInst { indexed: true, ..mem };
        assert_eq!(used(FetchInst::Mem(indexed)), Some(((4, 1, 8), Some((9, 3, 3)))));
    }

    #[test]
    fn shares_write_registers_that_are_not_of_all_waves() {
        let gds = GdsInst {
            src_gpr: 1,
            src_sel: [X, Y, MASK],
            dst_gpr: 6,
            dst_sel: [X, MASK, MASK, MASK],
            ..GdsInst::new(FetchOp::GdsAddRet)
        };
        assert_eq!(used(FetchInst::Gds(gds.clone())), Some(((1, 1, 3), Some((6, 1, 1)))));
        let global = GdsInst { dst_rel: RelMode::Global, ..gds };
        assert_eq!(used(FetchInst::Gds(global)), Some(((1, 1, 3), None)));
    }

    #[test]
    fn local_shares_take_and_give_several_registers() {
        let write = LocalWriteInst {
            src_gpr: 8,
            src_sel: [X, MASK, ZERO, W],
            burst: 4,
            ..LocalWriteInst::new(FetchOp::DsLocalWrite)
        };
        assert_eq!(used(FetchInst::LocalWrite(write)), Some(((8, 4, 0b1001), None)));
        let read = LocalReadInst {
            src_gpr: 2,
            src_sel: [Y, MASK],
            dst_gpr: 11,
            dst_write: [true, false, false, true],
            burst: 2,
            ..LocalReadInst::new(FetchOp::DsLocalRead)
        };
        let found = used(FetchInst::LocalRead(read.clone()));
        assert_eq!(found, Some(((2, 1, 2), Some((11, 2, 0b1001)))));
        let nothing = LocalReadInst { dst_write: [false; 4], ..read };
        assert_eq!(used(FetchInst::LocalRead(nothing)), Some(((2, 1, 2), None)));
    }

    #[test]
    fn raw_words_reveal_no_registers() {
        assert_eq!(used(FetchInst::Raw([0; 4])), None);
    }

    #[test]
    fn the_last_register_is_that_of_the_burst() {
        assert_eq!(FetchAccess { gpr: 5, count: 1, channels: 1 }.last(), 5);
        assert_eq!(FetchAccess { gpr: 5, count: 4, channels: 1 }.last(), 8);
    }
}
