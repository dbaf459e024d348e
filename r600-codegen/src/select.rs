//! Out of SSA: scalar SSA becomes machine IR.
//!
//! Phis become virtual registers that are written in several places (`webs`). Vec4 constraints of fetches and exports
//! become vectors (`vectors`). Operations take the form that the chip requires.

mod arrays;
mod counters;
mod doubles;
mod latch;
mod liveness;
mod memory;
mod operations;
mod vectors;
mod webs;

use arrayvec::ArrayVec;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use r600_isa::{AluOp, AluSel, Omod};
use r600_mir::{
    Alu, Array, ArrayInfo, Block, Dst, Function as Machine, Node as MachineNode, Op, OpId, Origin,
    Region as MachineRegion, Src, SrcKind, VReg, VRegInfo, VectorInfo,
};
use tgsi_ir::InstructionId;

use crate::abi::Uniforms;

use crate::internal::Broken;
use crate::ssa::{
    Arm, ArrayId, ArrayPlace, Event, ExitKind, ExitSlice, Function, If, Operand, Source, Stake,
    Uses, Value,
};

use self::latch::Latch;
use self::vectors::Made;
use self::webs::Webs;

/// Lowers `function` to machine IR. It must be verified, and `uses` must hold its use counts. Sums that decide whether
/// a loop ends keep the order of their terms.
///
/// # Errors
/// If an earlier pass left work undone.
pub(crate) fn select(
    function: &Function,
    uses: &Uses,
    exits: &ExitSlice,
) -> Result<Machine, Broken> {
    let webs = Webs::build(function)?;
    let num_values = function.values.len();
    let mut machine = Machine::new(function.chip);
    // Reserving slightly too much is faster than growing one by one.
    machine.ops = PrimaryMap::with_capacity(function.num_insts());
    machine.origins = SecondaryMap::with_capacity(function.num_insts());
    machine.vregs = PrimaryMap::with_capacity(num_values);
    let mut vreg_by_web = SecondaryMap::new();
    vreg_by_web.resize(num_values);
    let mut cx = Selection {
        function,
        machine,
        vreg_by_web,
        arrays: SecondaryMap::new(),
        uses,
        exits,
        webs,
        readers: SecondaryMap::new(),
        block: None,
        made: Made::default(),
        origin: None,
        latches: Vec::new(),
    };
    cx.arrays()?;
    cx.live_ins();
    cx.machine.body = cx.body()?;
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
    exits: &'a ExitSlice,
    webs: Webs,
    /// How many of the copies still to be ordered read each register.
    readers: SecondaryMap<VReg, u32>,
    /// The block being filled; `None` at the start of a region and after control flow.
    block: Option<Block>,
    /// The vectors and index copies of that block.
    made: Made,
    /// The origin of the operations that are pushed.
    origin: Option<Origin>,
    /// The last tests of the open loops, innermost last.
    latches: Vec<Option<Latch<'a>>>,
}

/// A TGSI instruction as the scheduler carries it.
fn origin(id: InstructionId) -> Origin {
    Origin::from_u32(id.0)
}

impl<'a> Selection<'a> {
    /// Assigns registers or a place in memory to each array.
    fn arrays(&mut self) -> Result<(), Broken> {
        for (array, info) in &self.function.arrays {
            match info.place {
                // An array that was turned into values needs no registers.
                ArrayPlace::Registers if info.len == 0 => {}
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

    /// Live-in values keep their registers.
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
        if self.exits.stake(value) != Stake::Nothing {
            self.machine.ordered.insert(vreg);
        }
        vreg
    }

    fn new_vreg(&mut self) -> VReg {
        self.machine.vregs.push(VRegInfo::default())
    }

    fn source(&mut self, operand: Operand) -> Src {
        let kind = match operand.source {
            Source::Value(value) => SrcKind::VReg(self.vreg(value)),
            Source::Const(bits) => SrcKind::Const(bits),
            Source::Uniform { bank, index, chan } => {
                match (self.function.uniforms, u8::try_from(index)) {
                    (Uniforms::Registers, Ok(index)) if bank == 0 => {
                        SrcKind::Special(AluSel::ConstFile(index), chan)
                    }
                    _ => SrcKind::Uniform { bank, index, chan },
                }
            }
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

    /// The regions of the function as machine regions.
    fn body(&mut self) -> Result<MachineRegion, Broken> {
        let mut walk = self.function.body.walk();
        let mut open = OpenRegions(vec![MachineRegion::default()]);
        while let Some(event) = walk.next() {
            match event {
                Event::Inst(inst) => match self.array_run(walk.run()) {
                    Some(run) => {
                        self.array_access(&run, open.innermost()?)?;
                        walk.skip_nodes(run.len() - 1);
                    }
                    None => self.inst(inst, open.innermost()?)?,
                },
                other => self.control(other, &mut open)?,
            }
        }
        open.close()
    }

    /// Emits copies, tests and exits where regions begin and end.
    fn control(&mut self, event: Event<'a>, open: &mut OpenRegions) -> Result<(), Broken> {
        match event {
            Event::Branch(branch) => {
                if branch.otherwise.nodes.is_empty() {
                    // Lanes that skip the branch need their copy in any case. Before the branch, it needs no extra arm.
                    self.phi_copies(branch.flows(Arm::Otherwise), open.innermost()?);
                }
                self.latch_copies(branch, open.innermost()?);
            }
            Event::Condition(branch) => self.condition(branch, open.innermost()?),
            Event::Arm(..) => open.open(),
            Event::ArmEnd(branch, arm)
                if arm == Arm::Then || !branch.otherwise.nodes.is_empty() =>
            {
                self.phi_copies(branch.flows(arm), open.innermost()?);
            }
            Event::Join(_) => {
                let [otherwise, then] = [open.close()?, open.close()?];
                open.innermost()?.nodes.push(MachineNode::If { then, otherwise });
            }
            Event::Loop(body) => {
                self.phi_copies(body.entry_flows(), open.innermost()?);
                self.latches.push(Latch::of(body));
                open.open();
            }
            Event::LoopEnd(_) => {
                self.latches.pop();
                let mut body = open.close()?;
                // The end of the body branches back by itself.
                body.nodes.pop_if(|last| *last == MachineNode::Continue);
                open.innermost()?.nodes.push(MachineNode::Loop { body });
            }
            Event::Exit(exit) => {
                let out = open.innermost()?;
                let written = self.written_by_test(&exit);
                let flows = exit.flows()?.filter(|(value, _)| !written.contains(value));
                self.phi_copies(flows, out);
                out.nodes.push(match exit.kind {
                    ExitKind::Break => MachineNode::Break,
                    ExitKind::Continue => MachineNode::Continue,
                });
            }
            Event::Inst(_) | Event::ArmEnd(..) => {}
        }
        // Control flow ends the block. Before a branch the block stays open for the test.
        if !matches!(event, Event::Branch(_)) {
            self.block = None;
        }
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

    /// Copies their sources to the registers of phis, all at once. Copies of a register to itself are dropped.
    fn phi_copies(
        &mut self,
        flows: impl Iterator<Item = (Value, Operand)>,
        out: &mut MachineRegion,
    ) {
        let mut copies: Vec<(VReg, Src)> = Vec::new();
        for (value, arg) in flows {
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

    /// Orders copies so that no source is overwritten before it is read. A cycle is broken with one extra register.
    fn parallel_copy(&mut self, mut copies: Vec<(VReg, Src)>, out: &mut MachineRegion) {
        for reg in copies.iter().filter_map(|(_, src)| read_by(src)) {
            self.readers[reg] += 1;
        }
        while !copies.is_empty() {
            let ready = copies.iter().position(|(dst, src)| {
                let own = u32::from(read_by(src) == Some(*dst));
                self.readers[*dst] == own
            });
            if let Some(at) = ready {
                let (dst, src) = copies.swap_remove(at);
                if let Some(reg) = read_by(&src) {
                    self.readers[reg] = self.readers[reg].saturating_sub(1);
                }
                self.mov(out, dst, src);
                continue;
            }
            let broken = copies[0].0;
            let saved = self.new_vreg();
            self.mov(out, saved, Src::new(SrcKind::VReg(broken)));
            self.readers[broken] = 0;
            for (_, src) in &mut copies {
                if src.kind == SrcKind::VReg(broken) {
                    src.kind = SrcKind::VReg(saved);
                }
            }
        }
    }
}

/// The register that a copy reads.
fn read_by(src: &Src) -> Option<VReg> {
    match src.kind {
        SrcKind::VReg(reg) => Some(reg),
        _ => None,
    }
}

/// Machine regions being filled, innermost last. The finished first arm of a branch stays below the second.
struct OpenRegions(Vec<MachineRegion>);

impl OpenRegions {
    fn open(&mut self) {
        self.0.push(MachineRegion::default());
    }

    fn innermost(&mut self) -> Result<&mut MachineRegion, Broken> {
        self.0.last_mut().ok_or_else(unbalanced)
    }

    fn close(&mut self) -> Result<MachineRegion, Broken> {
        self.0.pop().ok_or_else(unbalanced)
    }
}

fn unbalanced() -> Broken {
    Broken::new("a region", "it ends without having begun")
}
