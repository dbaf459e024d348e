//! Operations outside the ALU, and those of the local data share.

use arrayvec::ArrayVec;
use r600_isa::{
    CfFlow, CfMemory, CfOp, FetchOp, GdsInst, LdsAccess, LdsOp, MemInst, TexInst, VtxInst,
};

use crate::template::{Setting, Template, set};
use crate::{
    Dst, Export, ExportTarget, Fetch, FetchStep, FetchTemplate, Local, Memory, Op, Storage, VReg,
};

use super::cursor::{Cursor, Reading};
use super::error::ParseFault;
use super::operand::{Destinations, channels, components, count, destinations, sources};

/// Reads `PIX0 (r1 r2 _ 1)`.
pub(super) fn export(at: &mut Cursor<'_>) -> Reading<Op> {
    let start = *at;
    let target = if at.eat("PIX") {
        ExportTarget::Pixel(at.number()?)
    } else if at.eat("POS") {
        ExportTarget::Position(at.number::<u8>()?.wrapping_add(60))
    } else if at.eat("PARAM") {
        ExportTarget::Parameter(at.number()?)
    } else {
        return start.expected("a target: `PIXn`, `POSn` or `PARAMn`");
    };
    at.expect(" ")?;
    Ok(Op::Export(Export { target, src: components(at)? }))
}

/// Reads the fields at the end of an instruction.
fn properties(at: &mut Cursor<'_>, template: &mut impl Template) -> Reading<()> {
    loop {
        let mut ahead = *at;
        ahead.eat(" ");
        let start = ahead;
        let name = ahead.name();
        if name.is_empty() || !ahead.eat(":") {
            return Ok(());
        }
        let value = ahead.word();
        if set(template, name, value) != Setting::Done {
            return Err(start.fault(ParseFault::Field(format!("{name}:{value}"))));
        }
        *at = ahead;
    }
}

/// Reads fetches. The first one has operation `op` and writes `dst`.
pub(super) fn fetch(at: &mut Cursor<'_>, op: FetchOp, dst: Destinations) -> Reading<Op> {
    let mut steps = ArrayVec::new();
    let (mut op, mut dst) = (op, dst);
    loop {
        let start = *at;
        let step = fetch_step(at, op, &dst)?;
        if steps.try_push(step).is_err() {
            return start.expected("at most four fetches");
        }
        if !at.eat(" then ") {
            break;
        }
        dst = destinations(at)?;
        let start = *at;
        let name = at.name();
        let found = FetchOp::ALL.into_iter().find(|op| op.name() == name);
        op = found.ok_or_else(|| start.fault(ParseFault::Expected("a fetch")))?;
    }
    let reads = if at.eat(" reads ") { Some(storage(at)?) } else { None };
    Ok(Op::Fetch(Box::new(Fetch { steps, reads })))
}

fn fetch_step(at: &mut Cursor<'_>, op: FetchOp, dst: &Destinations) -> Reading<FetchStep> {
    let results = registers(at, dst)?;
    at.expect(" ")?;
    let mut template = template(at, op)?;
    let src = components(at)?;
    match &mut template {
        FetchTemplate::Tex(tex) => properties(at, tex)?,
        FetchTemplate::Vtx(vtx) | FetchTemplate::Covering(vtx) => properties(at, vtx)?,
        FetchTemplate::Mem(mem) => properties(at, mem)?,
        FetchTemplate::Gds(gds) => properties(at, gds)?,
    }
    Ok(FetchStep { template, src, dst: results })
}

/// The destinations as registers. None may be an array element.
fn registers(at: &Cursor<'_>, dst: &Destinations) -> Reading<[Option<VReg>; 4]> {
    let mut all = [None; 4];
    for (vreg, dst) in all.iter_mut().zip(dst) {
        *vreg = match *dst {
            Dst::None => None,
            Dst::VReg(vreg) => Some(vreg),
            Dst::Element(_) => return at.expected("an operation whose results are elements"),
        };
    }
    Ok(all)
}

/// Reads `t0 s1 `, `b3 `, `b3 (covering) `, `[4] ` or nothing.
fn template(at: &mut Cursor<'_>, op: FetchOp) -> Reading<FetchTemplate> {
    if at.eat("t") {
        let resource = at.number()?;
        at.expect(" s")?;
        let sampler = at.number()?;
        at.expect(" ")?;
        return Ok(FetchTemplate::Tex(TexInst::sample(op, resource, sampler)));
    }
    if at.eat("b") {
        let vtx = VtxInst { op, ..VtxInst::buffer_fetch(at.number()?) };
        at.expect(" ")?;
        let is_covering = at.eat("(covering) ");
        return Ok(match is_covering {
            true => FetchTemplate::Covering(vtx),
            false => FetchTemplate::Vtx(vtx),
        });
    }
    if at.eat("[") {
        let array_base = at.number()?;
        at.expect("] ")?;
        return Ok(FetchTemplate::Mem(MemInst { array_base, ..MemInst::new(op) }));
    }
    Ok(FetchTemplate::Gds(GdsInst::new(op)))
}

fn find_storage(at: &mut Cursor<'_>) -> Reading<Option<Storage>> {
    if at.eat("[") {
        let first = at.number()?;
        at.expect("]")?;
        return Ok(Some(Storage::Scratch(first)));
    }
    let words =
        [("shared", Storage::Shared), ("stream", Storage::Stream), ("counters", Storage::Counters)];
    Ok(words.into_iter().find_map(|(word, storage)| at.eat(word).then_some(storage)))
}

fn storage(at: &mut Cursor<'_>) -> Reading<Storage> {
    match find_storage(at)? {
        Some(storage) => Ok(storage),
        None => at.expected("a memory: `[N]`, `shared`, `stream` or `counters`"),
    }
}

/// Reads `(r1 r2 _ _) = MEM_SCRATCH [2]`.
pub(super) fn memory_read(at: &mut Cursor<'_>) -> Reading<Op> {
    let dst = channels(at)?;
    at.expect(" = ")?;
    let start = *at;
    let name = at.name();
    let Some(op) = CfOp::ALL.into_iter().find(|op| op.name() == name) else {
        return start.expected("an instruction of control flow that reads memory");
    };
    at.expect(" ")?;
    let storage = storage(at)?;
    memory(at, op, storage, dst)
}

/// Reads a write to memory, or an event.
pub(super) fn control_flow(at: &mut Cursor<'_>, op: CfOp) -> Reading<Op> {
    let mut ahead = *at;
    if ahead.eat(" ")
        && let Some(storage) = find_storage(&mut ahead)?
    {
        *at = ahead;
        return memory(at, op, storage, [None; 4]);
    }
    let mut flow = CfFlow::new(op);
    properties(at, &mut flow)?;
    Ok(Op::Event(flow))
}

fn memory(at: &mut Cursor<'_>, op: CfOp, storage: Storage, dst: [Option<VReg>; 4]) -> Reading<Op> {
    let index = if at.eat(" at ") { channels(at)? } else { [None; 4] };
    let data = if at.rest().starts_with(" (") {
        at.eat(" ");
        channels(at)?
    } else {
        [None; 4]
    };
    let mut template = CfMemory::new(op, 0);
    properties(at, &mut template)?;
    Ok(Op::Memory(Box::new(Memory { template, storage, data, index, dst })))
}

/// Reads an access to the local data share.
pub(super) fn local(at: &mut Cursor<'_>, op: LdsOp) -> Reading<Op> {
    let start = *at;
    let src = count(&start, (op.name(), op.info().num_src.into()), sources(at)?)?;
    let returns = at.eat(" returns");
    let mut access = LdsAccess { op, offset: 0 };
    properties(at, &mut access)?;
    Ok(Op::Local(Local { access, src, returns }))
}
