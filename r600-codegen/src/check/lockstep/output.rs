//! Compares exports, memory and events with the schedule.

use r600_isa::{Cf, CfExport, CfFlow, CfMemory, Chan, ComponentSel, ExportKind, MemoryType};
use r600_mir::{Component, Export, Memory, Op, OpId, VReg};

use super::super::CodeFault;
use super::{Access, CodeStep, Walk, is_event, place};

impl Walk<'_> {
    pub(super) fn output(&mut self, op: OpId) -> Result<(), CodeFault> {
        match (&self.code.machine.ops[op], self.program.cf.get(self.cf)) {
            (Op::Export(want), Some(Cf::Export(export))) => self.export(want, export),
            (Op::Memory(want), Some(Cf::Memory(memory))) => self.memory(want, memory),
            (Op::Event(want), Some(Cf::Flow(flow))) => self.event(want, flow),
            _ => Err(CodeFault::Clauses(self.cf)),
        }
    }

    /// Checks a wait, which is no step. It stands among control-flow instructions that run no clause; those after it
    /// belong to the next clause.
    pub(super) fn wait(&mut self, want: &CfFlow) -> Result<(), CodeFault> {
        let rest = self.program.cf.get(self.cf..).unwrap_or_default();
        let mut flows = rest.iter().map_while(|cf| match cf {
            Cf::Flow(flow) if !is_event(flow.op) => Some(flow),
            _ => None,
        });
        let want = |found: &CfFlow| CfFlow { end_of_program: found.end_of_program, ..*want };
        let before = flows.position(|flow| want(flow) == *flow);
        let before = before.ok_or_else(|| self.fault("a wait"))?;
        self.cf += before + 1;
        Ok(())
    }

    fn event(&mut self, want: &CfFlow, found: &CfFlow) -> Result<(), CodeFault> {
        let want = CfFlow { end_of_program: found.end_of_program, ..*want };
        self.demand(want == *found, "an event")?;
        self.out.steps.push(CodeStep { cf: self.cf, ..CodeStep::default() });
        self.cf += 1;
        Ok(())
    }

    /// Compares a memory instruction with its template. Registers, channels and the end of the program may differ.
    fn memory(&mut self, want: &Memory, inst: &CfMemory) -> Result<(), CodeFault> {
        let template = CfMemory {
            gpr: inst.gpr,
            index_gpr: inst.index_gpr,
            comp_mask: inst.comp_mask,
            end_of_program: inst.end_of_program,
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
