//! Compares fetches with the schedule.

use r600_isa::{Cf, CfOp, Chan, Clause, ComponentSel, FetchInst, Hazard, VtxInst};
use r600_mir::{Component, Fetch, FetchStep, Op, OpId, Storage};

use super::super::CodeFault;
use super::{Access, CodeStep, Walk, place};

impl<'a> Walk<'a> {
    pub(super) fn fetch_clause(&mut self, ops: &[OpId]) -> Result<(), CodeFault> {
        let mut words = self.fetches()?.iter();
        for &op in ops {
            let Op::Fetch(fetch) = &self.code.machine.ops[op] else {
                return Err(CodeFault::Clauses(self.cf));
            };
            // A scheduled clause may be emitted as several, but never split within an operation.
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

    /// Checks that memory which programs write is not fetched through the vertex cache, which may keep stale lines.
    fn cache(&self, fetch: &Fetch) -> Result<(), CodeFault> {
        let goes_past =
            fetch.reads_what_programs_write() && self.code.machine.avoids(Hazard::StaleVertexCache);
        let is_vertex =
            matches!(self.program.cf.get(self.cf), Some(Cf::Fetch(run)) if run.op != CfOp::Tex);
        self.demand(!goes_past || !is_vertex, "the cache of a fetch")
    }

    /// Notes the memory that the last step reads. The global data share needs no waits: it serves requests in order.
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
                // Helper lanes must not change the global data share.
                let is_meant = self.helpers_rest() == self.code.has_helper_lanes;
                self.demand(is_meant, "helper lanes")?;
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

    /// Whether helper lanes skip the clause.
    fn helpers_rest(&self) -> bool {
        match self.program.cf.get(self.cf) {
            Some(Cf::Fetch(run)) => run.modes.valid_pixel_mode,
            _ => false,
        }
    }

    /// The destination of a fetch that helper lanes skip. They keep the value that the register already has, so the
    /// fetch reads its own destination. Its words select 0, which is returned as the first component, as in the
    /// template.
    fn kept_register(&self, vtx: &VtxInst) -> Result<(u8, [ComponentSel; 4]), CodeFault> {
        let mut selects = [ComponentSel::Mask; 4];
        if let Some(chan) = vtx.src_sel.chan() {
            selects[chan as usize] = ComponentSel::Zero;
        }
        let is_kept = vtx.src_gpr == vtx.dst_gpr && selects == vtx.dst_sel;
        self.demand(self.helpers_rest() && is_kept, "helper lanes")?;
        let first = |select| if select == ComponentSel::Zero { ComponentSel::X } else { select };
        Ok((vtx.dst_gpr, selects.map(first)))
    }

    /// Compares encoded words, because not every generation has every field.
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
}
