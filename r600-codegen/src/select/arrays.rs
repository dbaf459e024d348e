//! Arrays in scratch memory: consecutive accesses to channels of one element are merged.

use arrayvec::ArrayVec;
use r600_isa::{AluOp, Omod};
use r600_mir::{Alu, Dst, Region, Src, SrcKind, VReg};

use crate::internal::Broken;
use crate::scratch::{self, Place};
use crate::ssa::{ArrayAccess, ArrayPlace, InstData, InstId, Node, Operand};

use super::Selection;

/// Accesses of one kind, all loads or all stores, to distinct channels of one element.
pub(super) type Run = ArrayVec<InstId, 4>;

impl Selection<'_> {
    /// The run of accesses to an array in memory at the start of `nodes`.
    pub(super) fn array_run(&self, nodes: &[Node]) -> Option<Run> {
        let mut run = Run::new();
        for node in nodes.iter().take(4) {
            let Node::Inst(inst) = node else { break };
            if !self.is_in_memory(*inst) || run.iter().any(|&other| !self.go_together(other, *inst))
            {
                break;
            }
            run.push(*inst);
        }
        (!run.is_empty()).then_some(run)
    }

    fn access(&self, inst: InstId) -> Option<(ArrayAccess, Option<Operand>)> {
        match &self.function.insts[inst].data {
            InstData::Load(access) => Some((*access, None)),
            InstData::Store(access, value) => Some((*access, Some(*value))),
            _ => None,
        }
    }

    fn is_in_memory(&self, inst: InstId) -> bool {
        let place = |access: ArrayAccess| self.function.arrays[access.array].place;
        self.access(inst).is_some_and(|(access, _)| place(access) != ArrayPlace::Registers)
    }

    fn go_together(&self, a: InstId, b: InstId) -> bool {
        let (Some((a, stored_a)), Some((b, stored_b))) = (self.access(a), self.access(b)) else {
            return false;
        };
        stored_a.is_some() == stored_b.is_some()
            && a.chan != b.chan
            && ArrayAccess { chan: b.chan, ..a } == b
    }

    /// Selects a run as one access.
    pub(super) fn array_access(&mut self, run: &Run, out: &mut Region) -> Result<(), Broken> {
        let function = self.function;
        self.origin = run.first().and_then(|&inst| function.origins[inst]).map(super::origin);
        let mut values = [None; 4];
        for (access, value) in run.iter().filter_map(|&inst| self.access(inst)) {
            values[access.chan as usize] = value;
        }
        let first = run.first().and_then(|&inst| self.access(inst));
        let (access, _) = first.ok_or_else(|| Broken::new("a run of accesses", "it is empty"))?;
        if values.iter().all(Option::is_none) {
            return self.load_from_memory(run, &access, out);
        }
        let place = self.place(&access, out)?;
        let data = self.in_order(&values, out);
        self.push(out, scratch::store(self.machine.chip, place, data));
        Ok(())
    }

    fn load_from_memory(
        &mut self,
        run: &Run,
        access: &ArrayAccess,
        out: &mut Region,
    ) -> Result<(), Broken> {
        let function = self.function;
        let mut wanted: ArrayVec<(VReg, ArrayAccess), 4> = ArrayVec::new();
        for &inst in run {
            let result = function.insts[inst].results[0];
            if let (Some(vreg), Some((access, _))) = (self.result(result), self.access(inst)) {
                wanted.push((vreg, access));
            }
        }
        if wanted.is_empty() {
            return Ok(());
        }
        let place = self.place(access, out)?;
        let vector = scratch::new_vector(&mut self.machine);
        let mut dst = [None; 4];
        let mut copies: ArrayVec<(VReg, VReg), 4> = ArrayVec::new();
        for (vreg, access) in wanted {
            let register = scratch::new_member(&mut self.machine, vector, access.chan);
            dst[access.chan as usize] = Some(register);
            copies.push((vreg, register));
        }
        let load = scratch::load(&mut self.machine, place, dst);
        self.push(out, load);
        self.copy_fixed_results(copies, out);
        Ok(())
    }

    /// The place of an element. The offset is added to the index first: only their sum is below the array's length.
    fn place(&mut self, access: &ArrayAccess, out: &mut Region) -> Result<Place, Broken> {
        let info = self.function.arrays[access.array];
        let ArrayPlace::Scratch(storage) = info.place else {
            return Err(Broken::new(access.array, "an array in registers is not in memory"));
        };
        let Some(index) = access.index else {
            return Ok(Place { storage, base: storage + access.offset, index: None });
        };
        let index = match access.offset {
            0 => self.in_order(&[Some(index), None, None, None], out)[0]
                .ok_or_else(|| Broken::new(access.array, "its index has no register"))?,
            offset => self.sum(index, offset, out),
        };
        Ok(Place { storage, base: storage, index: Some((info.len, index)) })
    }

    /// `index` plus `offset`, in channel x of a new register.
    fn sum(&mut self, index: Operand, offset: u16, out: &mut Region) -> VReg {
        let vector = scratch::new_vector(&mut self.machine);
        let sum = scratch::new_member(&mut self.machine, vector, r600_isa::Chan::X);
        let offset = Src::new(SrcKind::Const(offset.into()));
        let alu = Alu {
            op: AluOp::AddInt,
            dst: Dst::VReg(sum),
            src: [self.source(index), offset].into_iter().collect(),
            omod: Omod::default(),
            clamp: false,
            update_exec_mask: false,
            index: None,
        };
        self.push(out, r600_mir::Op::Alu(alu));
        sum
    }
}
