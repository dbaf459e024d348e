//! Clauses and exports: encodes placed instructions.

use arrayvec::ArrayVec;
use r600_isa::{
    AluDst, AluGroup, AluInst, AluOp, AluSel, AluSrc, Cf, CfAlu, CfExport, CfFetch, CfFlow, CfOp,
    Chan, Clause, ComponentSel, ExportKind, FetchAccess, FetchInst, Generation, Hazard, IndexMode,
    Operand, PredSel, solve_bank_swizzles, solve_interpolating,
};
use r600_mir::{
    Block, Component, Element, Export, ExportTarget, FetchStep, FetchTemplate, Op, OpId, VReg,
};
use r600_sched::{FetchUnit, Group, Placed, PlacedDst, PlacedSel, PlacedSrc};

use super::origins::{Row, group_row, origin};
use super::{EmitError, Emitter, Places};

/// GPRs that an instruction can name.
const NUM_GPRS: u8 = 128;

/// Exports that one instruction can make.
const MAX_BURST: u8 = 16;

/// Whether a clause loads the address register with `MOVA_INT`. On R600 the open driver sets `USES_WATERFALL` on all
/// such clauses, even if no lane indexes a constant, and on none that loads it with `MOVA_GPR_INT`.
fn loads_address(groups: &[AluGroup]) -> bool {
    groups.iter().flat_map(|group| &group.insts).any(|inst| inst.op == AluOp::MovaInt)
}

impl Emitter<'_> {
    /// Emits the clauses of a block.
    pub(super) fn block(&mut self, block: Block) -> Result<(), EmitError> {
        let schedule = self.schedule;
        for clause in &schedule.blocks[block] {
            match clause {
                r600_sched::Clause::Alu(alu) => self.alu_clause(alu)?,
                r600_sched::Clause::Fetch(ops) => self.fetch_clause(ops)?,
                r600_sched::Clause::Export(op) => self.export(*op)?,
            }
        }
        Ok(())
    }

    fn alu_clause(&mut self, clause: &r600_sched::AluClause) -> Result<(), EmitError> {
        let groups = clause.groups.iter().map(|group| emit_group(group, self.places));
        let groups = groups.collect::<Result<Vec<AluGroup>, EmitError>>()?;
        let uses_waterfall = self.program.generation == Generation::R600 && loads_address(&groups);
        let id = self.program.add_clause(Clause::Alu(groups));
        let rows = clause.groups.iter().map(|group| group_row(self.function, group));
        self.origins.push_clause(rows.collect());
        let alu = CfAlu { kcache: clause.kcache, uses_waterfall, ..CfAlu::new(CfOp::Alu, id) };
        self.program.cf.push(Cf::Alu(alu));
        Ok(())
    }

    /// Emits a clause of fetches. It is split where a fetch reads a register of which an earlier fetch of the clause
    /// wrote any channel, if the chip may miss that write.
    fn fetch_clause(&mut self, ops: &[OpId]) -> Result<(), EmitError> {
        self.wait_for_writes(ops);
        let function = self.function;
        let mut part = FetchPart::default();
        for &op in ops {
            let Op::Fetch(fetch) = &function.ops[op] else { return Err(EmitError::Clause(op)) };
            let insts: Result<Vec<_>, _> =
                fetch.steps.iter().map(|step| emit_fetch(step, self.places)).collect();
            let insts = insts?;
            if function.avoids(Hazard::FetchOfFetched) && part.is_read_by(&insts) {
                self.fetch_part(std::mem::take(&mut part));
            }
            part.unit = Some(FetchUnit::of(fetch, function));
            let row = origin(function, op);
            part.rows.extend(insts.iter().map(|_| [row].into_iter().collect()));
            part.fetches.extend(insts);
        }
        self.fetch_part(part);
        Ok(())
    }

    fn fetch_part(&mut self, part: FetchPart) {
        let op = match part.unit {
            Some(FetchUnit::Texture | FetchUnit::Covering) => CfOp::Tex,
            Some(FetchUnit::Vertex) => CfOp::Vtx,
            Some(FetchUnit::Share) => CfOp::Gds,
            None => return,
        };
        let clause = self.program.add_clause(Clause::Fetch(part.fetches));
        self.origins.push_clause(part.rows);
        let mut fetch = CfFetch::new(op, clause);
        fetch.modes.valid_pixel_mode =
            part.unit == Some(FetchUnit::Covering) || op == CfOp::Gds && self.has_helper_lanes;
        self.program.cf.push(Cf::Fetch(fetch));
    }

    fn export(&mut self, op: OpId) -> Result<(), EmitError> {
        let function = self.function;
        let export = match &function.ops[op] {
            Op::Export(export) => export,
            Op::Memory(memory) => return self.memory(op, memory),
            Op::Event(flow) => {
                self.event(op, *flow);
                return Ok(());
            }
            _ => return Err(EmitError::Clause(op)),
        };
        let next = emit_export(export, self.places)?;
        if let Some(Cf::Export(last)) = self.program.cf.last_mut()
            && continues(last, &next, self.num_gprs)
        {
            last.burst += 1;
        } else {
            self.program.cf.push(Cf::Export(next));
        }
        let cf = self.program.cf.len() - 1;
        self.origins.push_export(cf, origin(function, op));
        Ok(())
    }

    fn event(&mut self, op: OpId, flow: CfFlow) {
        self.program.cf.push(Cf::Flow(flow));
        let cf = self.program.cf.len() - 1;
        self.origins.push_export(cf, origin(self.function, op));
    }
}

/// Fetches that become one clause.
#[derive(Default)]
struct FetchPart {
    unit: Option<FetchUnit>,
    fetches: Vec<FetchInst>,
    rows: Vec<Row>,
}

impl FetchPart {
    /// Whether one of `insts` reads a register that a fetch of this clause writes.
    fn is_read_by(&self, insts: &[FetchInst]) -> bool {
        let accesses = |fetch: &FetchInst| fetch.accesses();
        let written: Vec<FetchAccess> =
            self.fetches.iter().filter_map(accesses).filter_map(|access| access.written).collect();
        let mut reads = insts.iter().filter_map(accesses).map(|access| access.read);
        reads.any(|read| {
            read.channels != 0
                && written.iter().any(|write| {
                    write.channels != 0 && write.gpr <= read.last() && read.gpr <= write.last()
                })
        })
    }
}

/// Whether `next` can join the burst of `last`: it exports the next GPR to the next target. An export of constants
/// reads no GPR, so any GPR below `num_gprs` will do.
fn continues(last: &CfExport, next: &CfExport, num_gprs: u8) -> bool {
    let gpr = last.gpr + last.burst;
    let reads_none = next.sel.iter().all(|sel| sel.chan().is_none());
    last.kind == next.kind
        && last.sel == next.sel
        && last.burst < MAX_BURST
        && last.array_base + u16::from(last.burst) == next.array_base
        && (gpr == next.gpr || reads_none && gpr < num_gprs)
}

fn emit_group(group: &Group, places: Places<'_>) -> Result<AluGroup, EmitError> {
    let mut out = AluGroup::default();
    let mut uses = ArrayVec::<_, 5>::new();
    let mut forced = false;
    for (slot, placed) in group.iter() {
        let inst = emit_inst(placed, places, &mut out.literals)?;
        let operands = inst.src[..placed.src.len()].iter().map(|src| port_operand(*src)).collect();
        uses.push((slot, operands));
        forced |= placed.vec_210;
        out.insts.push(inst);
    }
    let solved = if forced { solve_interpolating(&uses) } else { solve_bank_swizzles(&uses) };
    let swizzles = solved.map_err(|_| EmitError::BankSwizzle)?;
    for (inst, swizzle) in out.insts.iter_mut().zip(swizzles) {
        inst.bank_swizzle = swizzle;
    }
    Ok(out)
}

fn port_operand(src: AluSrc) -> Operand<(u8, bool)> {
    match src.sel {
        AluSel::Gpr(gpr) => Operand::Register((gpr, src.rel), src.chan),
        AluSel::Pv | AluSel::Ps => Operand::Forwarded,
        _ => Operand::Constant,
    }
}

fn emit_inst(
    placed: &Placed,
    places: Places<'_>,
    literals: &mut ArrayVec<u32, 4>,
) -> Result<AluInst, EmitError> {
    // It is unknown whether the hardware reads sources that the form has but the access does not use. They name a
    // constant, so no register is read.
    let unused = match placed.lds {
        Some(_) => AluSel::Inline(r600_isa::InlineConst::Zero),
        None => AluSel::Gpr(0),
    };
    let mut src = [AluSrc::new(unused, Chan::X); 3];
    for (slot, operand) in src.iter_mut().zip(&placed.src) {
        *slot = emit_source(placed, *operand, places, literals)?;
    }
    let mut inst = AluInst {
        op: placed.op,
        dst: emit_destination(placed, places)?,
        src,
        index_mode: IndexMode::ArX,
        pred_sel: PredSel::Off,
        bank_swizzle: 0,
        update_exec_mask: placed.update_exec_mask,
        update_pred: placed.update_exec_mask,
    };
    if let Some(access) = placed.lds {
        inst.set_lds(access);
    }
    Ok(inst)
}

fn emit_destination(placed: &Placed, places: Places<'_>) -> Result<AluDst, EmitError> {
    let (gpr, rel, write) = match placed.dst {
        PlacedDst::None => (0, false, false),
        PlacedDst::VReg(vreg) => (places.gpr(vreg)?, false, true),
        PlacedDst::Element(element) => (element_gpr(element, places)?, element.relative, true),
    };
    Ok(AluDst {
        gpr,
        chan: placed.chan,
        rel,
        // The three-source form has no mask bit: it always writes.
        write: write && !placed.op.is_op3(),
        clamp: placed.clamp,
        omod: placed.omod,
        fog_merge: false,
    })
}

fn element_gpr(element: Element, places: Places<'_>) -> Result<u8, EmitError> {
    let gpr = places.allocation.arrays[element.array].checked_add(element.offset);
    gpr.filter(|gpr| *gpr < NUM_GPRS).ok_or(EmitError::Element(element.offset))
}

fn emit_source(
    placed: &Placed,
    src: PlacedSrc,
    places: Places<'_>,
    literals: &mut ArrayVec<u32, 4>,
) -> Result<AluSrc, EmitError> {
    let mut neg = src.neg;
    let (sel, chan, rel) = match src.sel {
        PlacedSel::VReg(vreg, chan) => (AluSel::Gpr(places.gpr(vreg)?), chan, false),
        PlacedSel::Pv(chan) => (AluSel::Pv, chan, false),
        PlacedSel::Ps => (AluSel::Ps, Chan::X, false),
        PlacedSel::Kcache { set, index, chan } => (AluSel::Kcache { set, index }, chan, false),
        // The scheduler numbers windows when it closes a clause. A constant without a window is a bug in the scheduler.
        PlacedSel::Uniform { bank, index, .. } => return Err(EmitError::NoWindow { bank, index }),
        PlacedSel::Element(element) => {
            (AluSel::Gpr(element_gpr(element, places)?), element.chan, element.relative)
        }
        PlacedSel::Special(sel, chan) => (sel, chan, false),
        PlacedSel::Const(bits) => match r600_sched::inline_constant(placed, src, bits) {
            Some((constant, flips)) => {
                neg ^= flips;
                (AluSel::Inline(constant), Chan::X, false)
            }
            None => (AluSel::Literal, literal_channel(bits, literals)?, false),
        },
    };
    Ok(AluSrc { sel, chan, rel, neg, abs: src.abs })
}

fn literal_channel(bits: u32, literals: &mut ArrayVec<u32, 4>) -> Result<Chan, EmitError> {
    let at = match literals.iter().position(|&literal| literal == bits) {
        Some(at) => at,
        None => {
            literals.try_push(bits).map_err(|_| EmitError::Literals)?;
            literals.len() - 1
        }
    };
    Ok(Chan::ALL[at])
}

/// The GPR and selects of components that share one.
fn component_selects(
    components: &[Component; 4],
    places: Places<'_>,
) -> Result<(u8, [ComponentSel; 4]), EmitError> {
    let registers = components.iter().filter_map(|component| match component {
        Component::VReg(vreg) => Some(*vreg),
        Component::Unused | Component::Zero | Component::One => None,
    });
    let gpr = places.shared_gpr(registers)?;
    let chan_of = |component: Component| match component {
        Component::VReg(vreg) => Some(places.chan(vreg)),
        Component::Unused | Component::Zero | Component::One => None,
    };
    Ok((gpr, components.map(|component| component_select(component, chan_of(component)))))
}

fn component_select(component: Component, chan: Option<Chan>) -> ComponentSel {
    match component {
        Component::Zero => ComponentSel::Zero,
        Component::One => ComponentSel::One,
        Component::VReg(_) | Component::Unused => chan.map_or(ComponentSel::Mask, Into::into),
    }
}

fn emit_export(export: &Export, places: Places<'_>) -> Result<CfExport, EmitError> {
    let (gpr, sel) = component_selects(&export.src, places)?;
    let (kind, array_base) = match export.target {
        ExportTarget::Pixel(base) => (ExportKind::Pixel, base),
        ExportTarget::Position(base) => (ExportKind::Position, base),
        ExportTarget::Parameter(base) => (ExportKind::Parameter, base),
    };
    Ok(CfExport { sel, ..CfExport::new(CfOp::Export, kind, u16::from(array_base), gpr) })
}

fn emit_fetch(step: &FetchStep, places: Places<'_>) -> Result<FetchInst, EmitError> {
    let (src_gpr, src_sel) = component_selects(&step.src, places)?;
    let (dst_gpr, dst_sel) = fetch_destination(&step.dst, places)?;
    Ok(match &step.template {
        FetchTemplate::Tex(template) => {
            let mut tex = template.clone();
            (tex.src_gpr, tex.src_sel, tex.dst_gpr, tex.dst_sel) =
                (src_gpr, src_sel, dst_gpr, dst_sel);
            FetchInst::Tex(tex)
        }
        FetchTemplate::Mem(template) => {
            let mut mem = template.clone();
            if mem.indexed {
                (mem.src_gpr, mem.src_sel) = (src_gpr, src_sel[0]);
            }
            (mem.dst_gpr, mem.dst_sel) = (dst_gpr, dst_sel);
            FetchInst::Mem(mem)
        }
        FetchTemplate::Vtx(template) => {
            let mut vtx = template.clone();
            (vtx.src_gpr, vtx.src_sel, vtx.dst_gpr, vtx.dst_sel) =
                (src_gpr, src_sel[0], dst_gpr, dst_sel);
            FetchInst::Vtx(vtx)
        }
        FetchTemplate::Covering(template) => {
            let mut vtx = template.clone();
            (vtx.src_gpr, vtx.src_sel, vtx.dst_gpr) = (src_gpr, src_sel[0], dst_gpr);
            vtx.dst_sel = dst_sel.map(|select| match select {
                ComponentSel::Mask => ComponentSel::Mask,
                _ => ComponentSel::Zero,
            });
            FetchInst::Vtx(vtx)
        }
        FetchTemplate::Gds(template) => {
            let mut gds = template.clone();
            gds.src_sel.copy_from_slice(&src_sel[..3]);
            (gds.src_gpr, gds.dst_gpr, gds.dst_sel) = (src_gpr, dst_gpr, dst_sel);
            FetchInst::Gds(gds)
        }
    })
}

/// For each channel of the result's GPR, the component that goes there.
fn fetch_destination(
    dst: &[Option<VReg>; 4],
    places: Places<'_>,
) -> Result<(u8, [ComponentSel; 4]), EmitError> {
    let mut selects = [ComponentSel::Mask; 4];
    for (component, vreg) in Chan::ALL.map(ComponentSel::from).into_iter().zip(dst) {
        let Some(vreg) = *vreg else { continue };
        let select = &mut selects[places.chan(vreg) as usize];
        if std::mem::replace(select, component) != ComponentSel::Mask {
            return Err(EmitError::Torn(vreg));
        }
    }
    Ok((places.shared_gpr(dst.iter().flatten().copied())?, selects))
}
