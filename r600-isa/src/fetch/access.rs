//! The registers that fetches read and write.

use crate::{ComponentSel, FetchInst, FetchOp};

use super::RelMode;

/// Consecutive registers and the channels of each that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchAccess {
    /// The first.
    pub gpr: u8,
    /// How many.
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

/// What a fetch reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchAccesses {
    /// Address and data.
    pub read: FetchAccess,
    /// The result, where there is one.
    pub written: Option<FetchAccess>,
}

impl FetchInst {
    /// The registers that it uses; `None` for raw words.
    pub fn accesses(&self) -> Option<FetchAccesses> {
        let (read, written) = match self {
            Self::Tex(tex) => (one(tex.src_gpr, &tex.src_sel), result(tex.dst_gpr, &tex.dst_sel)),
            Self::Vtx(vtx) => {
                // A semantic is no register.
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
