//! Changes of fetch clauses: textures, buffers and rings, the global data share.

use r600_isa::{Cf, CfOp, ComponentSel, FetchInst, FetchOp};

use super::Kind;
use super::places::{cf, fetch, fetches, share, vertex_fetch};

/// All of them.
pub(super) const KINDS: &[Kind] = &[
    ("fetched channel", |w, r| {
        fetch(w, r, has_result, |fetch| match fetch {
            FetchInst::Tex(tex) => tex.dst_sel.swap(0, 1),
            FetchInst::Vtx(vtx) => vtx.dst_sel = [ComponentSel::Mask; 4],
            FetchInst::Gds(gds) => gds.dst_sel.swap(0, 1),
            _ => {}
        })
    }),
    ("fetched register", |w, r| {
        fetch(w, r, has_result, |fetch| match fetch {
            FetchInst::Tex(tex) => tex.dst_gpr ^= 1,
            FetchInst::Vtx(vtx) => vtx.dst_gpr ^= 1,
            FetchInst::Gds(gds) => gds.dst_gpr ^= 1,
            _ => {}
        })
    }),
    ("fetch address", |w, r| {
        fetch(w, r, has_address, |fetch| match fetch {
            FetchInst::Tex(tex) => tex.src_gpr ^= 1,
            FetchInst::Vtx(vtx) => vtx.src_gpr ^= 1,
            _ => {}
        })
    }),
    ("channel of a fetch address", |w, r| {
        fetch(w, r, has_address, |fetch| match fetch {
            FetchInst::Tex(tex) => tex.src_sel.swap(0, 1),
            FetchInst::Vtx(vtx) => vtx.src_sel = other(vtx.src_sel),
            _ => {}
        })
    }),
    ("lost fetch", |w, r| fetches(w, r, |list, at| _ = list.remove(at))),
    ("doubled fetch", |w, r| fetches(w, r, |list, at| list.insert(at, list[at].clone()))),
    ("swapped fetches", |w, r| fetches(w, r, |list, at| list.swap(at, at + 1))),
    ("resource of a fetch", |w, r| vertex_fetch(w, r, |v| v.buffer_id ^= 1)),
    ("offset of a fetch", |w, r| vertex_fetch(w, r, |v| v.offset ^= 16)),
    ("format of a fetch", |w, r| vertex_fetch(w, r, |v| v.num_format ^= 1)),
    ("index of a fetch", |w, r| vertex_fetch(w, r, |v| v.fetch_type ^= 2)),
    ("cache of a fetch", |w, r| {
        let is_it = |cf: &Cf| matches!(cf, Cf::Fetch(_));
        cf(w, r, is_it, |cf| {
            if let Cf::Fetch(fetch) = cf {
                fetch.op = if fetch.op == CfOp::Tex { CfOp::Vtx } else { CfOp::Tex };
            }
        })
    }),
    ("operand of the global share", |w, r| share(w, r, |_| true, |g| g.src_gpr ^= 1)),
    ("channel of the global share", |w, r| share(w, r, |_| true, |g| g.src_sel.swap(0, 1))),
    ("operation of the global share", |w, r| {
        share(
            w,
            r,
            |_| true,
            |g| {
                let is_add = g.op == FetchOp::GdsAddRet;
                g.op = if is_add { FetchOp::GdsSubRet } else { FetchOp::GdsAddRet };
            },
        )
    }),
    ("counter of the global share", |w, r| share(w, r, |_| true, |g| g.uav_id ^= 1)),
    ("register of a tessellation factor", |w, r| {
        share(w, r, |g| g.op == FetchOp::TfWrite, |g| g.src_gpr ^= 1)
    }),
    ("address of a tessellation factor", |w, r| {
        share(w, r, |g| g.op == FetchOp::TfWrite, |g| g.src_sel[0] = other(g.src_sel[0]))
    }),
    ("value of a tessellation factor", |w, r| {
        share(w, r, |g| g.op == FetchOp::TfWrite, |g| g.src_sel[1] = other(g.src_sel[1]))
    }),
    ("write for a tessellation factor", |w, r| {
        share(w, r, |g| g.op == FetchOp::TfWrite, |g| g.op = FetchOp::GdsWrite)
    }),
];

/// Whether it writes a register.
fn has_result(fetch: &FetchInst) -> bool {
    fetch.accesses().is_some_and(|accesses| accesses.written.is_some())
}

/// Whether it reads a texture or a buffer.
fn has_address(fetch: &FetchInst) -> bool {
    matches!(fetch, FetchInst::Tex(_) | FetchInst::Vtx(_))
}

fn other(select: ComponentSel) -> ComponentSel {
    if select == ComponentSel::X { ComponentSel::Y } else { ComponentSel::X }
}
