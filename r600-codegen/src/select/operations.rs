//! Instructions in the form that the chip requires.

use arrayvec::ArrayVec;
use r600_isa::{AluOp, Chan, FetchOp, GdsInst, Omod, Slots, VtxInst};
use r600_mir::{
    Alu, Component, Dst, Element, Export, Fetch, FetchStep, FetchTemplate, FixedSlots, Op, Region,
    Replicated, Src, SrcKind, VReg,
};

use crate::ssa::{
    AluInst, ArrayAccess, CubeInst, ExportInst, FetchInst, FetchKind, Inst, InstData, InstId,
    InterpInst, InterpPart, Operand, Value,
};

use crate::internal::Broken;

use super::Selection;

/// Moves to make after an operation: destination and source.
pub(super) type Copies = ArrayVec<(VReg, VReg), 4>;

impl Selection<'_> {
    /// Selects one instruction.
    pub(super) fn inst(&mut self, id: InstId, out: &mut Region) -> Result<(), Broken> {
        let function = self.function;
        let inst = &function.insts[id];
        self.origin = function.origins[id].map(super::origin);
        match &inst.data {
            InstData::Alu(alu) => self.alu(alu, inst, out),
            InstData::Dot(_) => return Err(Broken::new(id, "a dot product was not expanded")),
            InstData::Cube(cube) => self.cube(cube, inst, out),
            InstData::Double(double) => self.double(double, inst, out),
            InstData::Interp(interp) => self.interp(interp, inst, out),
            InstData::Fetch(fetch) => self.fetch(fetch, inst, out),
            InstData::Export(export) => self.export(export, out),
            InstData::Load(access) => self.load(access, inst, out)?,
            InstData::Store(access, value) => self.store(access, *value, out)?,
            InstData::Memory(memory) => self.memory(memory, out),
            InstData::Event(flow) => {
                self.push(out, Op::Event(*flow));
            }
            InstData::Local(local) => self.local(local, inst, out),
            InstData::Counter(counter) => self.counter(*counter, inst, out),
            InstData::Barrier => {
                self.push(out, Op::Barrier);
            }
        }
        Ok(())
    }

    /// The register of a result; `None` if nothing reads it.
    pub(super) fn result(&mut self, value: Value) -> Option<VReg> {
        if self.uses[value] == 0 { None } else { Some(self.vreg(value)) }
    }

    fn alu(&mut self, alu: &AluInst, inst: &Inst, out: &mut Region) {
        let dst = self.result(inst.results[0]);
        if dst.is_none() && !inst.data.has_effect() {
            return;
        }
        let src = self.alu_sources(&alu.src, out);
        let op = match (alu.op.slots(self.machine.chip.generation()), dst) {
            (Some(Slots::Replicated3 | Slots::Replicated4), None) => return,
            (Some(Slots::Replicated3), Some(dst)) => self.replicated(alu, dst, src, false),
            (Some(Slots::Replicated4), Some(dst)) => self.replicated(alu, dst, src, true),
            _ => Op::Alu(Alu {
                op: alu.op,
                dst: dst.map_or(Dst::None, Dst::VReg),
                src,
                omod: alu.omod,
                clamp: alu.clamp,
                update_exec_mask: false,
                index: None,
            }),
        };
        self.push(out, op);
    }

    fn replicated(&self, alu: &AluInst, dst: VReg, src: ArrayVec<Src, 3>, all_slots: bool) -> Op {
        Op::Replicated(Replicated {
            op: alu.op,
            dst,
            src,
            omod: alu.omod,
            clamp: alu.clamp,
            all_slots,
        })
    }

    /// The operands of one operation.
    fn alu_sources(&mut self, operands: &[Operand], out: &mut Region) -> ArrayVec<Src, 3> {
        let sources = operands.iter().map(|&operand| self.source(operand)).collect();
        self.readable_together(sources, out)
    }

    /// The sources of one operation in a form that one group can read. A group reads at most two pairs of constant
    /// channels; a third is moved to a register.
    pub(super) fn readable_together(
        &mut self,
        mut sources: ArrayVec<Src, 3>,
        out: &mut Region,
    ) -> ArrayVec<Src, 3> {
        let mut pairs: ArrayVec<(u8, u16, bool), 2> = ArrayVec::new();
        for src in &mut sources {
            let pair = src.kind.constant_pair().filter(|pair| !pairs.contains(pair));
            if pair.is_some_and(|pair| pairs.try_push(pair).is_err()) {
                src.kind = SrcKind::VReg(self.moved(src.kind, out));
            }
        }
        sources
    }

    fn moved(&mut self, kind: SrcKind, out: &mut Region) -> VReg {
        let copy = self.new_vreg();
        self.mov(out, copy, Src::new(kind));
        copy
    }

    /// `CUBE` takes z, z, x, y against y, x, z, z and gives t, s, twice the major axis and the face.
    fn cube(&mut self, cube: &CubeInst, inst: &Inst, out: &mut Region) {
        const ORDER: [[usize; 2]; 4] = [[2, 1], [2, 0], [0, 2], [1, 2]];
        // Several slots read the same operand, so constants and operands with modifiers go through registers.
        let src = cube.src.map(|operand| match operand.as_plain_value() {
            Some(value) => Src::new(SrcKind::VReg(self.vreg(value))),
            None => {
                let src = self.source(operand);
                let copy = self.new_vreg();
                self.mov(out, copy, src);
                Src::new(SrcKind::VReg(copy))
            }
        });
        let mut slots = ArrayVec::new();
        let mut copies = Copies::new();
        for (n, pair) in ORDER.into_iter().enumerate() {
            let chan = Chan::ALL[n];
            let dst = self.result(inst.results[n]).map(|v| self.fixed_result(v, chan, &mut copies));
            slots.push(self.fixed(AluOp::Cube, chan, dst, pair.map(|at| src[at])));
        }
        self.push(out, Op::FixedSlots(Box::new(FixedSlots { slots, vec_210: false })));
        self.copy_fixed_results(copies, out);
    }

    /// The register that slot `chan` writes for `wanted`: `wanted` itself if it can have the channel of the slot, else
    /// a new register that is then moved to it.
    pub(super) fn fixed_result(&mut self, wanted: VReg, chan: Chan, copies: &mut Copies) -> VReg {
        let info = self.machine.vregs[wanted];
        if info.chan == Some(chan) {
            return wanted;
        }
        if info.chan.is_none() && info.vector.is_none() {
            self.machine.vregs[wanted].chan = Some(chan);
            return wanted;
        }
        self.moved_result(wanted, chan, copies)
    }

    /// A new register in `chan`, which is moved to `wanted` after the operation.
    pub(super) fn moved_result(&mut self, wanted: VReg, chan: Chan, copies: &mut Copies) -> VReg {
        let fresh = self.new_vreg();
        self.machine.vregs[fresh].chan = Some(chan);
        copies.push((wanted, fresh));
        fresh
    }

    pub(super) fn copy_fixed_results(&mut self, copies: Copies, out: &mut Region) {
        for (wanted, fresh) in copies {
            self.mov(out, wanted, Src::new(SrcKind::VReg(fresh)));
        }
    }

    pub(super) fn fixed(
        &mut self,
        op: AluOp,
        chan: Chan,
        dst: Option<VReg>,
        src: [Src; 2],
    ) -> (Chan, Alu) {
        let num_src = op.num_src();
        let alu = Alu {
            op,
            dst: dst.map_or(Dst::None, Dst::VReg),
            src: src.into_iter().take(num_src).collect(),
            omod: Omod::default(),
            clamp: false,
            update_exec_mask: false,
            index: None,
        };
        (chan, alu)
    }

    /// Interpolation takes four slots, of which two write. For the first component alone it takes two slots. Slots x
    /// and z read j, y and w read i. A flat input takes one slot per channel that is read.
    fn interp(&mut self, interp: &InterpInst, inst: &Inst, out: &mut Region) {
        let wanted: ArrayVec<Option<VReg>, 4> =
            inst.results.iter().map(|value| self.result(*value)).collect();
        let is_first_only = wanted.get(1) == Some(&None);
        let (op, first, taken) = match interp.part {
            InterpPart::Xy if is_first_only => (AluOp::InterpX, 0, 0..2),
            InterpPart::Xy => (AluOp::InterpXy, 0, 0..4),
            InterpPart::Zw if is_first_only => (AluOp::InterpZ, 2, 2..4),
            InterpPart::Zw => (AluOp::InterpZw, 2, 0..4),
            InterpPart::Flat => (AluOp::InterpLoadP0, 0, 0..4),
        };
        let flat = interp.part == InterpPart::Flat;
        let ij = if flat { [Src::new(SrcKind::Const(0)); 2] } else { self.pair(interp.ij, out) };
        let mut slots = ArrayVec::new();
        let mut copies = Copies::new();
        for n in taken {
            let chan = Chan::ALL[n];
            let dst = n.checked_sub(first).and_then(|at| wanted.get(at).copied().flatten());
            if flat && dst.is_none() {
                continue;
            }
            let dst = dst.map(|vreg| self.fixed_result(vreg, chan, &mut copies));
            let param_chan = if flat { chan } else { Chan::X };
            let param =
                Src::new(SrcKind::Special(r600_isa::AluSel::Param(interp.param), param_chan));
            let src = if flat { [param; 2] } else { [ij[1 - n % 2], param] };
            slots.push(self.fixed(op, chan, dst, src));
        }
        if !slots.is_empty() {
            self.push(out, Op::FixedSlots(Box::new(FixedSlots { slots, vec_210: !flat })));
        }
        self.copy_fixed_results(copies, out);
    }

    /// A barycentric pair: in the register that the hardware filled, or moved to x and y of a new one.
    fn pair(&mut self, ij: [Operand; 2], out: &mut Region) -> [Src; 2] {
        let src = ij.map(|operand| self.source(operand));
        let is_placed = |src: &Src| match src.kind {
            SrcKind::VReg(vreg) => {
                let vector = self.machine.vregs[vreg].vector;
                vector.is_some_and(|vector| self.machine.vectors[vector].gpr.is_some())
            }
            _ => false,
        };
        if src.iter().all(is_placed) {
            return src;
        }
        let mut vector = None;
        [(src[0], Chan::X), (src[1], Chan::Y)].map(|(src, chan)| {
            let copy = self.new_vreg();
            self.machine.vregs[copy].chan = Some(chan);
            let target = *vector.get_or_insert_with(|| self.new_vector(copy));
            if self.machine.vregs[copy].vector.is_none() {
                self.add_member(target, copy);
            }
            self.mov(out, copy, src);
            Src::new(SrcKind::VReg(copy))
        })
    }

    fn fetch(&mut self, fetch: &FetchInst, inst: &Inst, out: &mut Region) {
        let dst: [Option<VReg>; 4] = std::array::from_fn(|n| self.result(inst.results[n]));
        if dst.iter().all(Option::is_none) && !inst.data.has_effect() {
            return;
        }
        if let FetchKind::Covering(vtx) = &fetch.steps[0].kind {
            self.helper_test(vtx, dst[0], out);
            return;
        }
        let mut vector = None;
        let dst = dst.map(|vreg| vreg.map(|vreg| self.fetch_result(&mut vector, vreg)));
        let last = fetch.steps.len() - 1;
        let mut steps = ArrayVec::new();
        for (n, step) in fetch.steps.iter().enumerate() {
            let template = match &step.kind {
                FetchKind::Tex(tex) => FetchTemplate::Tex(tex.clone()),
                FetchKind::Vtx(vtx) => FetchTemplate::Vtx(vtx.clone()),
                FetchKind::Gds(gds) if dst.iter().all(Option::is_none) => {
                    FetchTemplate::Gds(GdsInst { op: silent(gds.op), ..gds.clone() })
                }
                FetchKind::Gds(gds) => FetchTemplate::Gds(gds.clone()),
                FetchKind::Covering(vtx) => FetchTemplate::Covering(vtx.clone()),
            };
            let src = match step.kind {
                FetchKind::Vtx(_) | FetchKind::Covering(_) => self.index_use(step.address[0], out),
                FetchKind::Tex(_) | FetchKind::Gds(_) => self.vector_use(&step.address, out),
            };
            let dst = if n == last { dst.map(|d| d.map(|(vreg, _)| vreg)) } else { [None; 4] };
            steps.push(FetchStep { template, src, dst });
        }
        self.push(out, Op::Fetch(Box::new(Fetch { steps, reads: fetch.reads })));
        for (vreg, copy_of) in dst.into_iter().flatten() {
            if let Some(wanted) = copy_of {
                self.mov(out, wanted, Src::new(SrcKind::VReg(vreg)));
            }
        }
    }

    /// Tests whether lanes are helpers. A register holds -1, and lanes that cover a pixel fetch 0 into it. The three
    /// operations are adjacent, so the register lives too briefly to be spilled; spilling would split it in two.
    fn helper_test(&mut self, vtx: &VtxInst, wanted: Option<VReg>, out: &mut Region) {
        let Some(wanted) = wanted else { return };
        let kept = self.new_vreg();
        self.new_vector(kept);
        self.mov(out, kept, Src::new(SrcKind::Const(u32::MAX)));
        let mut src = [Component::Unused; 4];
        src[0] = Component::VReg(kept);
        let dst = [Some(kept), None, None, None];
        let template = FetchTemplate::Covering(vtx.clone());
        let steps = [FetchStep { template, src, dst }].into_iter().collect();
        self.push(out, Op::Fetch(Box::new(Fetch { steps, reads: None })));
        self.mov(out, wanted, Src::new(SrcKind::VReg(kept)));
    }

    /// The register that a fetch writes for a result, and the register to which it must then be moved, if any. All
    /// results of a fetch belong to one vector; a register that cannot join it is written by a move.
    fn fetch_result(
        &mut self,
        vector: &mut Option<r600_mir::Vector>,
        vreg: VReg,
    ) -> (VReg, Option<VReg>) {
        let own = self.machine.vregs[vreg].vector;
        match (*vector, own) {
            (Some(target), None) if self.chan_is_free(target, vreg) => {
                self.add_member(target, vreg);
                (vreg, None)
            }
            (None, Some(_)) | (Some(_), _) => {
                let target = *vector.get_or_insert_with(|| {
                    self.machine.vectors.push(r600_mir::VectorInfo::default())
                });
                if own == Some(target) {
                    return (vreg, None);
                }
                let fresh = self.new_vreg();
                self.add_member(target, fresh);
                (fresh, Some(vreg))
            }
            (None, None) => {
                *vector = Some(self.new_vector(vreg));
                (vreg, None)
            }
        }
    }

    fn export(&mut self, export: &ExportInst, out: &mut Region) {
        let src = self.vector_use(&export.src, out);
        self.push(out, Op::Export(Export { target: export.target, src }));
    }

    /// The element of an access, and the register that holds its index.
    fn element(
        &mut self,
        access: &ArrayAccess,
        out: &mut Region,
    ) -> Result<(Element, Option<VReg>), Broken> {
        let array = self.arrays[access.array]
            .ok_or_else(|| Broken::new(access.array, "an array in memory is not in registers"))?;
        let index = access.index.map(|operand| self.index_register(operand, out));
        let element = Element {
            array,
            offset: u8::try_from(access.offset)
                .map_err(|_| Broken::new(access.array, "an offset is beyond all registers"))?,
            chan: access.chan,
            relative: index.is_some(),
        };
        Ok((element, index))
    }

    /// The register of an index: the operand's own, or a copy that all accesses of a block share. Sharing helps because
    /// the address register is loaded again for each different register.
    fn index_register(&mut self, index: Operand, out: &mut Region) -> VReg {
        if let Some(value) = index.as_plain_value() {
            return self.vreg(value);
        }
        if let Some(&known) = self.made().indices.get(&index) {
            return known;
        }
        let src = self.source(index);
        let copy = self.new_vreg();
        self.mov(out, copy, src);
        self.made().indices.insert(index, copy);
        copy
    }

    fn load(&mut self, access: &ArrayAccess, inst: &Inst, out: &mut Region) -> Result<(), Broken> {
        // A load with an unread result has no effect.
        let Some(dst) = self.result(inst.results[0]) else { return Ok(()) };
        let (element, index) = self.element(access, out)?;
        let src = Src::new(SrcKind::Element(element));
        self.move_element(Dst::VReg(dst), src, index, out);
        Ok(())
    }

    fn store(
        &mut self,
        access: &ArrayAccess,
        value: Operand,
        out: &mut Region,
    ) -> Result<(), Broken> {
        let (element, index) = self.element(access, out)?;
        let src = self.source(value);
        self.move_element(Dst::Element(element), src, index, out);
        Ok(())
    }

    fn move_element(&mut self, dst: Dst, src: Src, index: Option<VReg>, out: &mut Region) {
        let alu = Alu {
            op: AluOp::Mov,
            dst,
            src: [src].into_iter().collect(),
            omod: Omod::default(),
            clamp: false,
            update_exec_mask: false,
            index,
        };
        self.push(out, Op::Alu(alu));
    }
}

/// The same operation of the global data share without a result; `op` itself if drivers use no such operation.
fn silent(op: FetchOp) -> FetchOp {
    match op {
        FetchOp::GdsAddRet => FetchOp::GdsAdd,
        FetchOp::GdsAndRet => FetchOp::GdsAnd,
        FetchOp::GdsOrRet => FetchOp::GdsOr,
        FetchOp::GdsXorRet => FetchOp::GdsXor,
        FetchOp::GdsMinUintRet => FetchOp::GdsMinUint,
        FetchOp::GdsMaxUintRet => FetchOp::GdsMaxUint,
        FetchOp::GdsMinIntRet => FetchOp::GdsMinInt,
        FetchOp::GdsMaxIntRet => FetchOp::GdsMaxInt,
        FetchOp::GdsIncRet => FetchOp::GdsInc,
        FetchOp::GdsDecRet => FetchOp::GdsDec,
        other => other,
    }
}
