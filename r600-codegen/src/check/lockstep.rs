//! Walks the words and the schedule side by side: which register each operand turned out to be.

use r600_isa::{
    AluDst, AluGroup, AluInst, AluOp, AluSel, AluSrc, Cf, CfExport, CfFlow, CfMemory, CfOp, Chan,
    Clause, ComponentSel, ExportKind, FetchInst, Hazard, KcacheWindow, MemoryType, Program,
    VtxInst,
};
use r600_mir::{
    Array, Block, Component, Element, Export, Fetch, FetchStep, Memory, Node, Op, OpId, Region,
    Storage, VReg,
};
use r600_sched::{AluClause, Group, Placed, PlacedDst, PlacedSel, PlacedSrc};

use super::{Code, CodeFault};

/// Vec4 in a line of the constant cache.
const VECTORS_PER_LINE: u16 = 16;

/// A channel of a register, counted through.
pub(super) type Place = usize;

/// What one step reads and writes, in places that the words name.
#[derive(Clone, Debug, Default)]
pub(super) struct CodeStep {
    /// Values with the places that are read for them.
    pub(super) reads: Vec<(VReg, Place)>,
    /// Values with the places that they are written to; none for what no value is.
    pub(super) writes: Vec<(Option<VReg>, Place)>,
    /// The control flow instruction it belongs to.
    pub(super) cf: usize,
    /// What it does with memory whose writes can be waited for.
    pub(super) memory: Option<Access>,
}

/// An access to memory whose writes can be waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// A fetch, which goes past the way of writes.
    Read,
    /// A write that is acknowledged.
    Write,
}

/// The steps of a program in order.
#[derive(Clone, Debug, Default)]
pub(super) struct CodeSteps {
    pub(super) steps: Vec<CodeStep>,
}

fn place(gpr: u8, chan: Chan) -> Place {
    4 * usize::from(gpr) + chan as usize
}

/// The steps of `program`, which has to be the schedule's but for places.
pub(super) fn walk(code: &Code<'_>, program: &Program) -> Result<CodeSteps, CodeFault> {
    let mut walk = Walk { code, program, cf: 0, in_burst: 0, out: CodeSteps::default() };
    walk.region(&code.machine.body)?;
    walk.skip_flow();
    walk.skip_nothing();
    if walk.in_burst == 0 && walk.cf == program.cf.len() {
        Ok(walk.out)
    } else {
        Err(CodeFault::Clauses(walk.cf))
    }
}

struct Walk<'a> {
    code: &'a Code<'a>,
    program: &'a Program,
    /// The control flow instruction that comes next.
    cf: usize,
    /// Exports of it that have been seen.
    in_burst: u8,
    out: CodeSteps,
}

impl<'a> Walk<'a> {
    fn fault(&self, what: &'static str) -> CodeFault {
        CodeFault::Instruction(self.out.steps.len(), what)
    }

    fn demand(&self, holds: bool, what: &'static str) -> Result<(), CodeFault> {
        if holds { Ok(()) } else { Err(self.fault(what)) }
    }

    fn region(&mut self, region: &Region) -> Result<(), CodeFault> {
        for node in &region.nodes {
            match node {
                Node::Block(block) => self.block(*block)?,
                Node::If { then, otherwise } => {
                    self.region(then)?;
                    self.region(otherwise)?;
                }
                Node::Loop { body } => self.region(body)?,
                Node::Break | Node::Continue => {}
            }
        }
        Ok(())
    }

    fn block(&mut self, block: Block) -> Result<(), CodeFault> {
        for clause in &self.code.schedule.blocks[block] {
            self.skip_flow();
            match clause {
                r600_sched::Clause::Alu(alu) => self.alu_clause(alu)?,
                r600_sched::Clause::Fetch(ops) => self.fetch_clause(ops)?,
                r600_sched::Clause::Export(op) => self.output(*op)?,
            }
        }
        Ok(())
    }

    /// Control flow that runs nothing.
    fn skip_flow(&mut self) {
        while matches!(self.program.cf.get(self.cf), Some(Cf::Flow(flow)) if !is_event(flow.op)) {
            self.cf += 1;
        }
    }

    /// A clause of nothing, which some chips want at the end.
    fn skip_nothing(&mut self) {
        if let Some(Clause::Alu(groups)) = self.clause()
            && does_nothing(groups)
        {
            self.cf += 1;
            self.skip_flow();
        }
    }

    fn clause(&self) -> Option<&'a Clause> {
        let id = match self.program.cf.get(self.cf)? {
            Cf::Alu(alu) => alu.clause,
            Cf::Fetch(fetch) => fetch.clause,
            Cf::Flow(_) | Cf::Export(_) | Cf::Memory(_) | Cf::Sync(_) | Cf::Raw(_) => return None,
        };
        self.program.clauses.get(id.0 as usize)
    }

    fn alu_clause(&mut self, clause: &AluClause) -> Result<(), CodeFault> {
        let Some(Clause::Alu(words)) = self.clause() else {
            return Err(CodeFault::Clauses(self.cf));
        };
        if words.len() != clause.groups.len() {
            return Err(CodeFault::Clauses(self.cf));
        }
        for (at, (group, words)) in clause.groups.iter().zip(words).enumerate() {
            self.group((clause, at), group, words)?;
        }
        self.cf += 1;
        Ok(())
    }

    fn group(
        &mut self,
        place: (&AluClause, usize),
        group: &Group,
        words: &AluGroup,
    ) -> Result<(), CodeFault> {
        self.demand(group.iter().count() == words.insts.len(), "the slots")?;
        let mut step = CodeStep { cf: self.cf, ..CodeStep::default() };
        for ((_, placed), inst) in group.iter().zip(&words.insts) {
            let inst = self.without_access(placed, inst)?;
            self.operation(placed, &inst)?;
            for (want, src) in placed.src.iter().zip(&inst.src) {
                self.source(place, (placed, *want), (*src, words), &mut step)?;
            }
            let always_writes = inst.op.is_op3() && placed.lds.is_none();
            self.destination(placed, &inst.dst, &mut step, always_writes)?;
        }
        self.out.steps.push(step);
        Ok(())
    }

    /// The instruction without the bits that say which access to the local data share it is.
    fn without_access(&self, placed: &Placed, inst: &AluInst) -> Result<AluInst, CodeFault> {
        self.demand(inst.lds() == placed.lds, "an access to the local data share")?;
        let mut plain = *inst;
        if placed.lds.is_some() {
            (plain.dst.gpr, plain.dst.rel, plain.dst.clamp) = (0, false, false);
            plain.src.iter_mut().for_each(|src| src.neg = false);
        }
        Ok(plain)
    }

    fn operation(&self, placed: &Placed, inst: &AluInst) -> Result<(), CodeFault> {
        let is_same = inst.op == placed.op
            && inst.dst.omod == placed.omod
            && inst.dst.clamp == placed.clamp
            && !inst.dst.fog_merge
            && inst.update_exec_mask == placed.update_exec_mask
            && inst.update_pred == placed.update_exec_mask
            && inst.pred_sel == r600_isa::PredSel::Off
            && inst.index_mode == r600_isa::IndexMode::ArX;
        self.demand(is_same, "the operation")
    }

    fn source(
        &self,
        (clause, at): (&AluClause, usize),
        (placed, want): (&Placed, PlacedSrc),
        (src, words): (AluSrc, &AluGroup),
        step: &mut CodeStep,
    ) -> Result<(), CodeFault> {
        let before = at.checked_sub(1).and_then(|before| clause.groups.get(before));
        let is_plain = (src.neg, src.abs, src.rel) == (want.neg, want.abs, false);
        match (want.sel, src.sel) {
            (PlacedSel::VReg(vreg, _), AluSel::Gpr(gpr)) => {
                step.reads.push((vreg, place(gpr, src.chan)));
                self.demand(is_plain, "a source")
            }
            (PlacedSel::Pv(chan), AluSel::Pv) => {
                self.demand(is_plain && src.chan == chan, "a source")?;
                self.forwarded(placed, before.and_then(|g| g.slots[chan as usize].as_ref()))
            }
            (PlacedSel::Ps, AluSel::Ps) => {
                self.demand(is_plain, "a source")?;
                self.forwarded(placed, before.and_then(|group| group.slots[4].as_ref()))
            }
            (
                PlacedSel::Kcache { set, index, chan },
                AluSel::Kcache { set: own, index: within },
            ) => {
                let wanted = vector(&clause.kcache, (set, index));
                let is_it = wanted.is_some() && wanted == self.vector((own, within));
                self.demand(is_plain && is_it && chan == src.chan, "a constant")
            }
            (PlacedSel::Const(bits), sel) => {
                self.demand(self.is_constant(placed, (want, bits), (src, sel, words)), "a constant")
            }
            (PlacedSel::Element(element), AluSel::Gpr(gpr)) => {
                let modified = (src.neg, src.abs) == (want.neg, want.abs);
                self.demand(modified && src.rel == element.relative, "an element")?;
                self.element(element, gpr, src.chan)
            }
            (PlacedSel::Special(sel, chan), found) => {
                self.demand(is_plain && (sel, chan) == (found, src.chan), "a source")
            }
            _ => Err(self.fault("a source")),
        }
    }

    /// The vec4 of constants at a place in a window of this clause.
    fn vector(&self, place: (u8, u8)) -> Option<(u8, u16)> {
        match self.program.cf.get(self.cf) {
            Some(Cf::Alu(alu)) => vector(&alu.kcache, place),
            _ => None,
        }
    }

    /// A constant is a literal of the group with its bits, or the inline one that stands for it.
    fn is_constant(
        &self,
        placed: &Placed,
        (want, bits): (PlacedSrc, u32),
        (src, sel, words): (AluSrc, AluSel, &AluGroup),
    ) -> bool {
        match sel {
            _ if src.rel => false,
            AluSel::Literal => {
                (src.neg, src.abs) == (want.neg, want.abs)
                    && words.literals.get(src.chan as usize) == Some(&bits)
            }
            AluSel::Inline(found) => {
                r600_sched::inline_constant(placed, want, bits).is_some_and(|(constant, flips)| {
                    constant == found && (src.neg, src.abs) == (want.neg ^ flips, want.abs)
                })
            }
            _ => false,
        }
    }

    /// What the group before left has to be an operand of the operation.
    fn forwarded(&self, reader: &Placed, writer: Option<&Placed>) -> Result<(), CodeFault> {
        let fault = CodeFault::Forwarded(self.out.steps.len());
        let ops = &self.code.machine.ops;
        let value = writer.and_then(|writer| result_of(&ops[writer.node?], writer));
        let Some(value) = value else { return Err(fault) };
        let reads = match reader.node {
            Some(node) => reads_of(&ops[node], value),
            // What the scheduler adds loads the address register.
            None => true,
        };
        if reads { Ok(()) } else { Err(fault) }
    }

    fn destination(
        &self,
        placed: &Placed,
        dst: &AluDst,
        step: &mut CodeStep,
        always_writes: bool,
    ) -> Result<(), CodeFault> {
        self.demand(dst.chan == placed.chan, "a destination")?;
        let writes = dst.write || always_writes;
        match placed.dst {
            // Moves to the address register tell by the number of their destination which register they load.
            PlacedDst::None => self.demand(!writes && !dst.rel && dst.gpr == 0, "a destination"),
            PlacedDst::VReg(vreg) => {
                self.demand(writes && !dst.rel, "a destination")?;
                step.writes.push((Some(vreg), place(dst.gpr, dst.chan)));
                Ok(())
            }
            PlacedDst::Element(element) => {
                self.demand(writes && dst.rel == element.relative, "a destination")?;
                self.element(element, dst.gpr, dst.chan)
            }
        }
    }

    fn element(&self, element: Element, gpr: u8, chan: Chan) -> Result<(), CodeFault> {
        let base = self.code.allocation.arrays[element.array];
        let is_it = base + element.offset == gpr && element.chan == chan;
        if is_it { Ok(()) } else { Err(CodeFault::Array(self.out.steps.len())) }
    }

    fn fetch_clause(&mut self, ops: &[OpId]) -> Result<(), CodeFault> {
        let mut words = self.fetches()?.iter();
        for &op in ops {
            let Op::Fetch(fetch) = &self.code.machine.ops[op] else {
                return Err(CodeFault::Clauses(self.cf));
            };
            // A clause may be several, but never within the steps of one operation.
            if words.len() == 0 {
                self.cf += 1;
                words = self.fetches()?.iter();
            }
            self.cache(fetch)?;
            for step in &fetch.steps {
                let word = words.next().ok_or(CodeFault::Clauses(self.cf))?;
                self.fetch(step, word)?;
                self.note_read(fetch.reads);
            }
        }
        if words.next().is_some() {
            return Err(CodeFault::Clauses(self.cf));
        }
        self.cf += 1;
        Ok(())
    }

    fn fetches(&self) -> Result<&'a [FetchInst], CodeFault> {
        match self.clause() {
            Some(Clause::Fetch(words)) => Ok(words),
            _ => Err(CodeFault::Clauses(self.cf)),
        }
    }

    /// What programs write is not fetched through a cache that keeps old lines.
    fn cache(&self, fetch: &Fetch) -> Result<(), CodeFault> {
        let goes_past =
            fetch.reads_what_programs_write() && self.code.machine.avoids(Hazard::StaleVertexCache);
        let is_vertex =
            matches!(self.program.cf.get(self.cf), Some(Cf::Fetch(run)) if run.op != CfOp::Tex);
        self.demand(!goes_past || !is_vertex, "the cache of a fetch")
    }

    /// The global data share is no memory: what it is asked for comes in order.
    fn note_read(&mut self, storage: Option<Storage>) {
        if let (Some(step), Some(storage)) = (self.out.steps.last_mut(), storage) {
            step.memory = (storage != Storage::Counters).then_some(Access::Read);
        }
    }

    fn fetch(&mut self, want: &FetchStep, inst: &FetchInst) -> Result<(), CodeFault> {
        use r600_mir::FetchTemplate::{Covering, Gds, Mem, Tex, Vtx};
        let (source, destination, is_same) = match (inst, &want.template) {
            (FetchInst::Tex(tex), Tex(template)) => {
                let mut plain = tex.clone();
                (plain.src_gpr, plain.src_sel) = (template.src_gpr, template.src_sel);
                (plain.dst_gpr, plain.dst_sel) = (template.dst_gpr, template.dst_sel);
                let source = (tex.src_gpr, tex.src_sel);
                let is_same =
                    self.is_encoded_alike(FetchInst::Tex(plain), FetchInst::Tex(template.clone()));
                (source, (tex.dst_gpr, tex.dst_sel), is_same)
            }
            (FetchInst::Mem(mem), Mem(template)) => {
                let mut plain = mem.clone();
                (plain.src_gpr, plain.src_sel) = (template.src_gpr, template.src_sel);
                (plain.dst_gpr, plain.dst_sel) = (template.dst_gpr, template.dst_sel);
                let mask = ComponentSel::Mask;
                let source = (mem.src_gpr, [mem.src_sel, mask, mask, mask]);
                let is_same =
                    self.is_encoded_alike(FetchInst::Mem(plain), FetchInst::Mem(template.clone()));
                (source, (mem.dst_gpr, mem.dst_sel), is_same)
            }
            (FetchInst::Vtx(vtx), Vtx(template) | Covering(template)) => {
                let mut plain = vtx.clone();
                (plain.src_gpr, plain.src_sel) = (template.src_gpr, template.src_sel);
                (plain.dst_gpr, plain.dst_sel) = (template.dst_gpr, template.dst_sel);
                let mask = ComponentSel::Mask;
                let source = (vtx.src_gpr, [vtx.src_sel, mask, mask, mask]);
                let is_same =
                    self.is_encoded_alike(FetchInst::Vtx(plain), FetchInst::Vtx(template.clone()));
                let destination = match &want.template {
                    Covering(_) => self.kept_register(vtx)?,
                    _ => (vtx.dst_gpr, vtx.dst_sel),
                };
                (source, destination, is_same)
            }
            (FetchInst::Gds(gds), Gds(template)) => {
                let mut plain = gds.clone();
                (plain.src_gpr, plain.src_sel) = (template.src_gpr, template.src_sel);
                (plain.dst_gpr, plain.dst_sel) = (template.dst_gpr, template.dst_sel);
                let [x, y, z] = gds.src_sel;
                let source = (gds.src_gpr, [x, y, z, ComponentSel::Mask]);
                let is_same =
                    self.is_encoded_alike(FetchInst::Gds(plain), FetchInst::Gds(template.clone()));
                (source, (gds.dst_gpr, gds.dst_sel), is_same)
            }
            _ => return Err(self.fault("a fetch")),
        };
        self.demand(is_same, "a fetch")?;
        let mut step = CodeStep { cf: self.cf, ..CodeStep::default() };
        self.fetch_source(want, source, &mut step)?;
        self.fetch_destination(want, destination, &mut step)?;
        self.out.steps.push(step);
        Ok(())
    }

    /// The destination of a fetch that helper lanes sit out: where they have their own value, which the fetch reads.
    /// What it writes is 0 rather than its first component.
    fn kept_register(&self, vtx: &VtxInst) -> Result<(u8, [ComponentSel; 4]), CodeFault> {
        let rests = matches!(self.program.cf.get(self.cf), Some(Cf::Fetch(run)) if run.modes.valid_pixel_mode);
        let mut selects = [ComponentSel::Mask; 4];
        if let Some(chan) = vtx.src_sel.chan() {
            selects[chan as usize] = ComponentSel::Zero;
        }
        let is_kept = vtx.src_gpr == vtx.dst_gpr && selects == vtx.dst_sel;
        self.demand(rests && is_kept, "helper lanes")?;
        let first = |select| if select == ComponentSel::Zero { ComponentSel::X } else { select };
        Ok((vtx.dst_gpr, selects.map(first)))
    }

    /// Not every generation has every field, so that words are compared.
    fn is_encoded_alike(&self, a: FetchInst, b: FetchInst) -> bool {
        let generation = self.program.generation;
        matches!((a.encode(generation), b.encode(generation)), (Ok(a), Ok(b)) if a == b)
    }

    fn fetch_source(
        &self,
        want: &FetchStep,
        (gpr, selects): (u8, [ComponentSel; 4]),
        step: &mut CodeStep,
    ) -> Result<(), CodeFault> {
        for (component, select) in want.src.iter().zip(selects) {
            match (component, select.chan()) {
                (Component::VReg(vreg), Some(chan)) => step.reads.push((*vreg, place(gpr, chan))),
                (Component::Zero, _) => {
                    self.demand(select == ComponentSel::Zero, "a coordinate")?
                }
                (Component::One, _) => self.demand(select == ComponentSel::One, "a coordinate")?,
                (Component::Unused, _) => {}
                (Component::VReg(_), None) => return Err(self.fault("a coordinate")),
            }
        }
        Ok(())
    }

    fn fetch_destination(
        &self,
        want: &FetchStep,
        (gpr, selects): (u8, [ComponentSel; 4]),
        step: &mut CodeStep,
    ) -> Result<(), CodeFault> {
        for (chan, select) in Chan::ALL.into_iter().zip(selects) {
            let from = select.chan();
            let vreg = from.and_then(|from| want.dst[from as usize]);
            if select != ComponentSel::Mask {
                step.writes.push((vreg, place(gpr, chan)));
            }
        }
        let wanted = want.dst.iter().flatten().count();
        let found = step.writes.iter().filter(|(vreg, _)| vreg.is_some()).count();
        self.demand(wanted == found, "a fetched channel")
    }

    fn output(&mut self, op: OpId) -> Result<(), CodeFault> {
        match (&self.code.machine.ops[op], self.program.cf.get(self.cf)) {
            (Op::Export(want), Some(Cf::Export(export))) => self.export(want, export),
            (Op::Memory(want), Some(Cf::Memory(memory))) => self.memory(want, memory),
            (Op::Event(want), _) if !is_event(want.op) => self.skipped(want),
            (Op::Event(want), Some(Cf::Flow(flow))) => self.event(want, flow),
            _ => Err(CodeFault::Clauses(self.cf)),
        }
    }

    /// What only waits is no step: it was skipped just before.
    fn skipped(&self, want: &CfFlow) -> Result<(), CodeFault> {
        let before = self.cf.checked_sub(1).and_then(|cf| self.program.cf.get(cf));
        self.demand(matches!(before, Some(Cf::Flow(flow)) if flow == want), "a wait")
    }

    fn event(&mut self, want: &CfFlow, found: &CfFlow) -> Result<(), CodeFault> {
        self.demand(want == found, "an event")?;
        self.out.steps.push(CodeStep { cf: self.cf, ..CodeStep::default() });
        self.cf += 1;
        Ok(())
    }

    /// A memory instruction is its template but for registers and channels.
    fn memory(&mut self, want: &Memory, inst: &CfMemory) -> Result<(), CodeFault> {
        let template = CfMemory {
            gpr: inst.gpr,
            index_gpr: inst.index_gpr,
            comp_mask: inst.comp_mask,
            ..want.template
        };
        let channels = (0..4).filter(|&n| want.data[n].is_some()).fold(0, |mask, n| mask | 1 << n);
        let masks = want.is_read() || inst.comp_mask == want.template.comp_mask & channels;
        self.demand(template == *inst && masks, "a memory instruction")?;
        let at = |gpr: u8, vregs: [Option<VReg>; 4]| {
            let named = Chan::ALL.into_iter().zip(vregs);
            named.filter_map(move |(chan, vreg)| Some((vreg?, place(gpr, chan))))
        };
        let mut step = CodeStep { cf: self.cf, ..CodeStep::default() };
        step.reads.extend(at(inst.gpr, want.data).chain(at(inst.index_gpr, want.index)));
        step.writes.extend(at(inst.gpr, want.dst).map(|(vreg, place)| (Some(vreg), place)));
        let is_acknowledged =
            matches!(inst.kind, MemoryType::WriteAck | MemoryType::WriteIndexedAck);
        step.memory = (is_acknowledged && !want.is_read()).then_some(Access::Write);
        self.out.steps.push(step);
        self.cf += 1;
        Ok(())
    }

    fn export(&mut self, want: &Export, export: &CfExport) -> Result<(), CodeFault> {
        use r600_mir::ExportTarget;
        let (kind, base) = match want.target {
            ExportTarget::Pixel(base) => (ExportKind::Pixel, base),
            ExportTarget::Position(base) => (ExportKind::Position, base),
            ExportTarget::Parameter(base) => (ExportKind::Parameter, base),
        };
        let at = export.array_base + u16::from(self.in_burst);
        self.demand((export.kind, at) == (kind, u16::from(base)), "an export")?;
        let mut step = CodeStep { cf: self.cf, ..CodeStep::default() };
        self.exported(&want.src, export, &mut step)?;
        self.out.steps.push(step);
        self.in_burst += 1;
        if self.in_burst == export.burst {
            self.in_burst = 0;
            self.cf += 1;
        }
        Ok(())
    }

    fn exported(
        &self,
        components: &[Component; 4],
        export: &CfExport,
        step: &mut CodeStep,
    ) -> Result<(), CodeFault> {
        let gpr = export.gpr + self.in_burst;
        for (component, select) in components.iter().zip(export.sel) {
            match (component, select.chan()) {
                (Component::VReg(vreg), Some(chan)) => step.reads.push((*vreg, place(gpr, chan))),
                (Component::Zero, _) => self.demand(select == ComponentSel::Zero, "an export")?,
                (Component::One, _) => self.demand(select == ComponentSel::One, "an export")?,
                (Component::Unused, _) => self.demand(select == ComponentSel::Mask, "an export")?,
                (Component::VReg(_), None) => return Err(self.fault("an export")),
            }
        }
        Ok(())
    }
}

/// Whether a clause has nothing but instructions that do nothing.
pub(super) fn does_nothing(groups: &[AluGroup]) -> bool {
    groups.iter().flat_map(|group| &group.insts).all(|inst| inst.op == AluOp::AluNop)
}

/// Whether an instruction of control flow tells the hardware something, rather than where to go.
pub(super) fn is_event(op: CfOp) -> bool {
    matches!(op, CfOp::EmitVertex | CfOp::CutVertex | CfOp::EmitCutVertex)
}

/// The value that a slot of an operation leaves.
fn result_of(op: &Op, placed: &Placed) -> Option<VReg> {
    use r600_mir::Dst;
    let of = |dst: Dst| match dst {
        Dst::VReg(vreg) => Some(vreg),
        Dst::None | Dst::Element(_) => None,
    };
    match op {
        Op::Alu(alu) => of(alu.dst),
        Op::Reduction(reduction) => Some(reduction.dst),
        Op::Replicated(replicated) => Some(replicated.dst),
        Op::FixedSlots(fixed) => {
            let slot = fixed.slots.iter().find(|(chan, _)| *chan == placed.chan)?;
            of(slot.1.dst)
        }
        Op::Fetch(_)
        | Op::Export(_)
        | Op::Memory(_)
        | Op::Event(_)
        | Op::Local(_)
        | Op::Barrier => None,
    }
}

/// The bank and the number in it of a vec4 at a place in a window.
fn vector(windows: &[KcacheWindow; 4], (set, within): (u8, u8)) -> Option<(u8, u16)> {
    let window = windows.get(usize::from(set))?;
    Some((window.bank, u16::from(window.line) * VECTORS_PER_LINE + u16::from(within)))
}

/// Whether an operation reads a value.
fn reads_of(op: &Op, value: VReg) -> bool {
    let mut found = false;
    r600_mir::for_each_read(op, |vreg| found |= vreg == value);
    found
}

/// The channels that arrays take.
pub(super) fn array_places(code: &Code<'_>) -> Vec<std::ops::Range<Place>> {
    let of = |(array, info): (Array, &r600_mir::ArrayInfo)| {
        let base = usize::from(code.allocation.arrays[array]);
        4 * base..4 * (base + usize::from(info.len))
    };
    code.machine.arrays.iter().map(of).collect()
}
