//! Out of SSA: scalar SSA becomes machine IR.
//!
//! Merges dissolve into virtual registers that several places write (`webs`); vec4 demands of fetches
//! and exports become vectors (`vectors`); operations take the shape that the chip wants.

mod arrays;
mod counters;
mod doubles;
mod liveness;
mod memory;
mod operations;
mod vectors;
mod webs;

use arrayvec::ArrayVec;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use r600_isa::{AluOp, Omod};
use r600_mir::{
    Alu, Array, ArrayInfo, Block, Dst, Function as Machine, Node as MachineNode, Op, OpId, Origin,
    Region as MachineRegion, Src, SrcKind, VReg, VRegInfo, VectorInfo,
};
use tgsi_ir::InstructionId;

use crate::internal::Broken;
use crate::ssa::{
    ArrayId, ArrayPlace, Function, If, Loop, Node, OpenLoops, Operand, Region, Source, Uses, Value,
};

use self::webs::Webs;

/// Lowers `function`, which must be verified and whose values are read as `uses` says, to machine IR.
///
/// # Errors
/// When a pass left something undone.
pub fn select(function: &Function, uses: &Uses) -> Result<Machine, Broken> {
    let webs = Webs::build(function)?;
    let num_values = function.values.len();
    let mut machine = Machine::new(function.chip);
    // Growing one by one takes longer than room for a few too many.
    machine.ops = PrimaryMap::with_capacity(function.num_insts());
    machine.origins = SecondaryMap::with_capacity(function.num_insts());
    let mut vreg_by_web = SecondaryMap::new();
    vreg_by_web.resize(num_values);
    let mut cx = Selection {
        function,
        machine,
        vreg_by_web,
        arrays: SecondaryMap::new(),
        uses,
        webs,
        block: None,
        loops: OpenLoops::default(),
        origin: None,
    };
    cx.arrays()?;
    cx.live_ins();
    let mut body = MachineRegion::default();
    cx.region(&function.body, &mut body)?;
    cx.machine.body = body;
    Ok(cx.machine)
}

/// The state of selection.
struct Selection<'a> {
    function: &'a Function,
    machine: Machine,
    vreg_by_web: SecondaryMap<Value, Option<VReg>>,
    /// Arrays in registers.
    arrays: SecondaryMap<ArrayId, Option<Array>>,
    /// How often each value is read.
    uses: &'a Uses,
    webs: Webs,
    /// The block being filled; `None` at the start of a region and behind control flow.
    block: Option<Block>,
    loops: OpenLoops,
    /// Where the operations come from that are pushed.
    origin: Option<Origin>,
}

/// A TGSI instruction as the scheduler carries it.
fn origin(id: InstructionId) -> Origin {
    Origin::from_u32(id.0)
}

impl Selection<'_> {
    /// Arrays get registers, or their place in memory.
    fn arrays(&mut self) -> Result<(), Broken> {
        for (array, info) in &self.function.arrays {
            match info.place {
                ArrayPlace::Registers => {
                    let len = u8::try_from(info.len)
                        .map_err(|_| Broken::new(array, "it is larger than all registers"))?;
                    self.arrays[array] = Some(self.machine.arrays.push(ArrayInfo { len }));
                }
                ArrayPlace::Scratch(first) => {
                    self.machine.scratch = self.machine.scratch.max(first + info.len);
                }
            }
        }
        Ok(())
    }

    /// Registers that are written before the program starts keep their places.
    fn live_ins(&mut self) {
        for live in &self.function.live_in {
            if self.uses[live.value] == 0 {
                continue;
            }
            let vreg = self.vreg(live.value);
            self.machine.vregs[vreg].chan = Some(live.chan);
            self.machine.live_in.push(vreg);
            let known = self.machine.vectors.iter().find(|(_, v)| v.gpr == Some(live.gpr));
            let vector = known.map(|(vector, _)| vector).unwrap_or_else(|| {
                self.machine
                    .vectors
                    .push(VectorInfo { members: ArrayVec::new(), gpr: Some(live.gpr) })
            });
            self.machine.vectors[vector].members.push(vreg);
            self.machine.vregs[vreg].vector = Some(vector);
        }
    }

    /// The virtual register of `value`.
    fn vreg(&mut self, value: Value) -> VReg {
        let web = self.webs.find(value);
        if let Some(vreg) = self.vreg_by_web[web] {
            return vreg;
        }
        let vreg = self.new_vreg();
        self.vreg_by_web[web] = Some(vreg);
        vreg
    }

    fn new_vreg(&mut self) -> VReg {
        self.machine.vregs.push(VRegInfo::default())
    }

    fn source(&mut self, operand: Operand) -> Src {
        let kind = match operand.source {
            Source::Value(value) => SrcKind::VReg(self.vreg(value)),
            Source::Const(bits) => SrcKind::Const(bits),
            Source::Uniform { bank, index, chan } => SrcKind::Uniform { bank, index, chan },
        };
        Src { kind, neg: operand.neg, abs: operand.abs }
    }

    /// Appends an operation to the current block.
    fn push(&mut self, region: &mut MachineRegion, op: Op) -> OpId {
        let block = *self.block.get_or_insert_with(|| {
            let block = self.machine.blocks.push(Vec::new());
            region.nodes.push(MachineNode::Block(block));
            block
        });
        let id = self.machine.ops.push(op);
        self.machine.origins[id] = self.origin;
        self.machine.blocks[block].push(id);
        id
    }

    fn mov(&mut self, region: &mut MachineRegion, dst: VReg, src: Src) {
        let alu = Alu {
            op: AluOp::Mov,
            dst: Dst::VReg(dst),
            src: [src].into_iter().collect(),
            omod: Omod::default(),
            clamp: false,
            update_exec_mask: false,
            index: None,
        };
        self.push(region, Op::Alu(alu));
    }

    fn region(&mut self, region: &Region, out: &mut MachineRegion) -> Result<(), Broken> {
        let mut done = 0;
        for (at, node) in region.nodes.iter().enumerate() {
            if at < done {
                continue;
            }
            match node {
                Node::Inst(inst) => match self.array_run(&region.nodes[at..]) {
                    Some(run) => {
                        self.array_access(&run, out)?;
                        done = at + run.len();
                    }
                    None => self.inst(*inst, out)?,
                },
                Node::If(branch) => self.branch(branch, out)?,
                Node::Loop(body) => self.loop_node(body, out)?,
                Node::Break(args) => {
                    let merges = self.loops.innermost()?;
                    self.merge_copies(&merges.results, args, out);
                    self.block = None;
                    out.nodes.push(MachineNode::Break);
                }
                Node::Continue(args) => {
                    let merges = self.loops.innermost()?;
                    self.merge_copies(&merges.params, args, out);
                    self.block = None;
                    out.nodes.push(MachineNode::Continue);
                }
            }
        }
        Ok(())
    }

    /// A region of its own, begun and ended with no block open.
    fn inner_region(
        &mut self,
        region: &Region,
        values: &[Value],
        args: &[Operand],
    ) -> Result<MachineRegion, Broken> {
        self.block = None;
        let mut out = MachineRegion::default();
        self.region(region, &mut out)?;
        self.merge_copies(values, args, &mut out);
        self.block = None;
        Ok(out)
    }

    fn branch(&mut self, branch: &If, out: &mut MachineRegion) -> Result<(), Broken> {
        let values: Vec<Value> = branch.phis.iter().map(|phi| phi.value).collect();
        let then: Vec<Operand> = branch.phis.iter().map(|phi| phi.then).collect();
        let otherwise: Vec<Operand> = branch.phis.iter().map(|phi| phi.otherwise).collect();
        let has_otherwise = !branch.otherwise.nodes.is_empty();
        if !has_otherwise {
            // Lanes that skip the branch need their copy in any case: made before it, it costs no arm.
            self.merge_copies(&values, &otherwise, out);
        }
        self.condition(branch, out);
        let then = self.inner_region(&branch.then, &values, &then)?;
        let otherwise = if has_otherwise {
            self.inner_region(&branch.otherwise, &values, &otherwise)?
        } else {
            MachineRegion::default()
        };
        out.nodes.push(MachineNode::If { then, otherwise });
        Ok(())
    }

    /// The predicate operation that ends the block before a branch.
    fn condition(&mut self, branch: &If, out: &mut MachineRegion) {
        let src: ArrayVec<Src, 3> =
            branch.condition.src.iter().map(|operand| self.source(*operand)).collect();
        let alu = Alu {
            op: branch.condition.op,
            dst: Dst::None,
            src,
            omod: Omod::default(),
            clamp: false,
            update_exec_mask: true,
            index: None,
        };
        self.origin = self.function.origin_of(branch.condition.src[0]).map(origin);
        self.push(out, Op::Alu(alu));
        self.block = None;
    }

    fn loop_node(&mut self, node: &Loop, out: &mut MachineRegion) -> Result<(), Broken> {
        let params: Vec<Value> = node.params.iter().map(|param| param.value).collect();
        let init: Vec<Operand> = node.params.iter().map(|param| param.init).collect();
        self.merge_copies(&params, &init, out);
        self.loops.open(node);
        let mut body = self.inner_region(&node.body, &[], &[])?;
        self.loops.close();
        // The end of the body leads back by itself.
        if body.nodes.last() == Some(&MachineNode::Continue) {
            body.nodes.pop();
        }
        out.nodes.push(MachineNode::Loop { body });
        Ok(())
    }

    /// Writes `args` to the registers of `values`, all at once; copies of a register to itself vanish.
    fn merge_copies(&mut self, values: &[Value], args: &[Operand], out: &mut MachineRegion) {
        let mut copies: Vec<(VReg, Src)> = Vec::new();
        for (&value, &arg) in values.iter().zip(args) {
            if self.uses[value] == 0 {
                continue;
            }
            let dst = self.vreg(value);
            let src = self.source(arg);
            if src != Src::new(SrcKind::VReg(dst)) {
                copies.push((dst, src));
            }
        }
        self.origin = None;
        self.parallel_copy(copies, out);
    }

    /// Orders copies so that no source is overwritten before it is read; a cycle goes through one more
    /// register.
    fn parallel_copy(&mut self, mut copies: Vec<(VReg, Src)>, out: &mut MachineRegion) {
        while !copies.is_empty() {
            let ready = copies.iter().position(|(dst, _)| {
                !copies.iter().any(|(other, src)| other != dst && src.kind == SrcKind::VReg(*dst))
            });
            if let Some(at) = ready {
                let (dst, src) = copies.swap_remove(at);
                self.mov(out, dst, src);
                continue;
            }
            let broken = copies[0].0;
            let saved = self.new_vreg();
            self.mov(out, saved, Src::new(SrcKind::VReg(broken)));
            for (_, src) in &mut copies {
                if src.kind == SrcKind::VReg(broken) {
                    src.kind = SrcKind::VReg(saved);
                }
            }
        }
    }
}
