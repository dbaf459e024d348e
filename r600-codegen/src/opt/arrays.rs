//! Turns elements of arrays that are indexed only by constants into values.
//!
//! An index is often constant once loops are unrolled. Such an access needs no address register. An array whose
//! accesses are all constant, or that nothing reads, needs no registers of its own: its elements become ordinary
//! values, with phis at branches and parameters in loops. If few elements are read, all by constant index, a store with
//! a dynamic index becomes one select per element.

mod handed_on;
mod held;

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;
use pass_manager::{Declaration, Done, Fuel, Pass, PassCx};
use r600_isa::{AluOp, Chan};

use crate::error::Stop;
use crate::forms::Ssa;
use crate::internal::Broken;
use crate::names;
use crate::ssa::{
    AluInst, ArrayAccess, ArrayId, ArrayPlace, Function, If, InstData, InstId, Loop, LoopParam,
    Node, Operand, Phi, Rebuild, Region, Replacements,
};

use self::handed_on::handed_on;
use self::held::Held;
use super::elements;

/// The pass.
pub(crate) struct DissolveArrays;

impl Pass<Ssa> for DissolveArrays {
    fn declaration(&self) -> Declaration {
        // Indices are constant once loops are unrolled and constants folded.
        Declaration::optional(names::ARRAYS).after(&[names::UNROLL]).refreshes(&[names::SIMPLIFY])
    }

    fn run(&self, ssa: &mut Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Done, Stop> {
        let function = &mut ssa.function;
        if function.arrays.is_empty() {
            return Ok(Done::Settled);
        }
        name_elements(function, cx.fuel);
        let cells = Cells::choose(function, cx.fuel);
        if cells.count == 0 {
            return Ok(Done::Settled);
        }
        for array in cells.arrays() {
            function.arrays[array].len = 0;
        }
        let mut body = std::mem::take(&mut function.body);
        let mut dissolver = Dissolver {
            function,
            held: Held::new(cells.count),
            cells,
            loops: Vec::new(),
            replacements: Replacements::new(),
        };
        let result = body.rebuild(&mut dissolver);
        let Dissolver { replacements, .. } = dissolver;
        ssa.function.body = body;
        result?;
        ssa.function.apply(&replacements);
        Ok(Done::Settled)
    }
}

/// The array access of an instruction.
fn access_of(data: &InstData) -> Option<ArrayAccess> {
    match data {
        InstData::Load(access) | InstData::Store(access, _) => Some(*access),
        _ => None,
    }
}

/// Adds constant indices to element numbers. An index that leaves its array stays.
fn name_elements(function: &mut Function, fuel: &mut Fuel) {
    let (arrays, insts) = (&function.arrays, &mut function.insts);
    function.body.for_each_inst(&mut |inst| {
        let (InstData::Load(access) | InstData::Store(access, _)) = &mut insts[inst].data else {
            return;
        };
        if access.index.is_some()
            && let Some(offset) = elements::named(access, arrays[access.array].len)
            && fuel.burn()
        {
            (access.offset, access.index) = (offset, None);
        }
    });
}

/// The most selects that all stores with dynamic index to an array may become.
const MAX_SELECTS: usize = 16;

/// The most element channels that may be read of one array in memory: as values they take registers.
const MAX_READ_IN_MEMORY: usize = 64;

/// The same for all arrays in memory together.
const MAX_READ_IN_ALL_MEMORY: usize = 4096;

/// The most values that joins and loop exits may pass for all arrays together. Each join or exit passes all elements
/// that its branch or loop writes, so a short shader may need very many.
const MAX_HANDED_ON: usize = 1 << 18;

/// How a function uses an array.
#[derive(Clone, Debug, Default)]
struct Usage {
    is_load_indexed: bool,
    /// Elements and channels read by constant index.
    named_reads: BTreeSet<(u16, Chan)>,
    /// Number of stores with dynamic index to each channel.
    indexed_stores: [usize; 4],
}

impl Usage {
    /// The usage of every array.
    fn of_all(function: &Function) -> SecondaryMap<ArrayId, Self> {
        let mut all: SecondaryMap<ArrayId, Self> = SecondaryMap::new();
        function.body.for_each_inst(&mut |inst| {
            let data = &function.insts[inst].data;
            let Some(access) = access_of(data) else { return };
            let usage = &mut all[access.array];
            match (data, access.index) {
                (InstData::Load(_), Some(_)) => usage.is_load_indexed = true,
                (InstData::Load(_), None) => {
                    usage.named_reads.insert((access.offset, access.chan));
                }
                (_, Some(_)) => usage.indexed_stores[access.chan as usize] += 1,
                (_, None) => {}
            }
        });
        all
    }

    /// Number of selects that stores with dynamic index would become.
    fn num_selects(&self) -> usize {
        self.named_reads.iter().map(|(_, chan)| self.indexed_stores[*chan as usize]).sum()
    }

    /// Number of element channels read by constant index, if the array is in memory.
    fn num_reads_in_memory(&self, place: ArrayPlace) -> usize {
        match place {
            ArrayPlace::Registers => 0,
            ArrayPlace::Scratch(_) => self.named_reads.len(),
        }
    }

    /// Whether the array can become values.
    fn dissolves(&self, place: ArrayPlace) -> bool {
        let fits = self.num_reads_in_memory(place) <= MAX_READ_IN_MEMORY;
        fits && !self.is_load_indexed && self.num_selects() <= MAX_SELECTS
    }
}

/// The element channels of arrays that become values, numbered.
struct Cells {
    /// The first cell of each array that becomes values.
    first: SecondaryMap<ArrayId, Option<usize>>,
    count: usize,
    usage: SecondaryMap<ArrayId, Usage>,
}

impl Cells {
    /// Chooses arrays whose elements are only read by constant index.
    fn choose(function: &Function, fuel: &mut Fuel) -> Self {
        let usage = Usage::of_all(function);
        let handed_on = handed_on(function, &usage);
        let mut cells = Self { first: SecondaryMap::new(), count: 0, usage };
        let (mut all_handed_on, mut read_in_memory) = (0, 0);
        for (array, info) in &function.arrays {
            let usage = &cells.usage[array];
            if info.len == 0 || !usage.dissolves(info.place) {
                continue;
            }
            let handed_on = handed_on[array].saturating_add(all_handed_on);
            let read = read_in_memory + usage.num_reads_in_memory(info.place);
            let fits = handed_on <= MAX_HANDED_ON && read <= MAX_READ_IN_ALL_MEMORY;
            if fits && fuel.burn() {
                (all_handed_on, read_in_memory) = (handed_on, read);
                cells.first[array] = Some(cells.count);
                cells.count += 4 * usize::from(info.len);
            }
        }
        cells
    }

    /// The arrays that become values.
    fn arrays(&self) -> impl Iterator<Item = ArrayId> + '_ {
        self.first.iter().filter(|(_, first)| first.is_some()).map(|(array, _)| array)
    }

    /// The cell of an access, if its array becomes values.
    fn of(&self, access: &ArrayAccess) -> Option<usize> {
        Some(self.first[access.array]? + 4 * usize::from(access.offset) + access.chan as usize)
    }

    /// The cells that a store with dynamic index may write and that something reads, with their element numbers.
    fn within_reach(&self, access: &ArrayAccess) -> Vec<(usize, u16)> {
        let reads = &self.usage[access.array].named_reads;
        let elements = reads.iter().filter(|(_, chan)| *chan == access.chan);
        let named = elements.map(|&(offset, _)| ArrayAccess { offset, ..*access });
        named.filter_map(|place| Some((self.of(&place)?, place.offset))).collect()
    }
}

/// Replaces loads by the current values of cells.
struct Dissolver<'a> {
    function: &'a mut Function,
    cells: Cells,
    held: Held,
    /// The cells that each open loop writes.
    loops: Vec<Vec<usize>>,
    replacements: Replacements,
}

impl Rebuild for Dissolver<'_> {
    fn enter(&mut self, node: &mut Node) -> Result<(), Broken> {
        match node {
            Node::If(_) => self.held.enter_branch(),
            Node::Loop(body) => self.enter_loop(body),
            Node::Inst(_) | Node::Break(_) | Node::Continue(_) => {}
        }
        Ok(())
    }

    fn other_arm(&mut self, _branch: &mut If) -> Result<(), Broken> {
        self.held.enter_other_arm()
    }

    fn node(&mut self, mut node: Node, out: &mut Vec<Node>) -> Result<(), Broken> {
        match &mut node {
            Node::Inst(inst) => {
                if self.access(*inst, out) {
                    return Ok(());
                }
            }
            Node::If(branch) => self.join(branch)?,
            Node::Loop(body) => self.leave_loop(body)?,
            Node::Break(args) | Node::Continue(args) => {
                let written = self.loops.last().ok_or_else(outside)?;
                args.extend(written.iter().map(|&cell| self.held.of(cell)));
            }
        }
        out.push(node);
        Ok(())
    }
}

fn outside() -> Broken {
    Broken::new("an exit or an arm", "it stands outside of what it belongs to")
}

impl Dissolver<'_> {
    /// Handles an access to a cell; false if the instruction is not one.
    fn access(&mut self, inst: InstId, out: &mut Vec<Node>) -> bool {
        let data = &self.function.insts[inst];
        match &data.data {
            InstData::Load(access) => {
                let Some(cell) = self.cells.of(access) else { return false };
                self.replacements.insert(data.results[0], self.held.of(cell));
            }
            InstData::Store(access, value) => {
                let (access, value) = (*access, self.replacements.resolve(*value));
                let Some(cell) = self.cells.of(&access) else { return false };
                let value = self.unmodified(value, inst, out);
                match access.index {
                    None => self.held.set(cell, value),
                    Some(index) => self.select(&access, index, value, inst, out),
                }
            }
            _ => return false,
        }
        true
    }

    /// Stores with a dynamic index: each cell within reach selects `value` if the index is its own.
    fn select(
        &mut self,
        access: &ArrayAccess,
        index: Operand,
        value: Operand,
        store: InstId,
        out: &mut Vec<Node>,
    ) {
        let index = self.replacements.resolve(index);
        for (cell, element) in self.cells.within_reach(access) {
            let number = Operand::int(i32::from(element) - i32::from(access.offset));
            let is_it = self.push(AluOp::SeteInt, &[index, number], store, out);
            let src = [is_it, self.held.of(cell), value];
            let selected = self.push(AluOp::CndeInt, &src, store, out);
            self.held.set(cell, selected);
        }
    }

    /// The result of a new operation in the place of `store`.
    fn push(&mut self, op: AluOp, src: &[Operand], store: InstId, out: &mut Vec<Node>) -> Operand {
        let id = self.function.make_inst(InstData::Alu(AluInst::new(op, src)));
        self.function.origins[id] = self.function.origins[store];
        out.push(Node::Inst(id));
        Operand::value(self.function.insts[id].results[0])
    }

    /// `operand` in a form that can replace a value anywhere: some readers accept no modifiers.
    fn unmodified(&mut self, operand: Operand, store: InstId, out: &mut Vec<Node>) -> Operand {
        match operand.has_modifier() {
            true => self.push(AluOp::Mov, &[operand], store, out),
            false => operand,
        }
    }

    /// After a branch, cells hold phis of the arms' values.
    fn join(&mut self, branch: &mut If) -> Result<(), Broken> {
        let (then, otherwise) = (!branch.then.diverges(), !branch.otherwise.diverges());
        for arms in self.held.leave_branch(then, otherwise)? {
            let value = self.function.make_phi();
            branch.phis.push(Phi { value, then: arms.then, otherwise: arms.otherwise });
            self.held.set(arms.cell, Operand::value(value));
        }
        Ok(())
    }

    /// Cells that a loop writes become its parameters.
    fn enter_loop(&mut self, body: &mut Loop) {
        let written = self.written(&body.body);
        for &cell in &written {
            let value = self.function.make_phi();
            body.params.push(LoopParam { value, init: self.held.of(cell) });
            self.held.set(cell, Operand::value(value));
        }
        self.loops.push(written);
    }

    /// Cells that a loop writes become its results.
    fn leave_loop(&mut self, body: &mut Loop) -> Result<(), Broken> {
        for cell in self.loops.pop().ok_or_else(outside)? {
            let value = self.function.make_phi();
            body.results.push(value);
            self.held.set(cell, Operand::value(value));
        }
        Ok(())
    }

    /// The cells that a region writes, in order.
    fn written(&self, region: &Region) -> Vec<usize> {
        let mut written = Vec::new();
        region.for_each_inst(&mut |inst| {
            if let InstData::Store(access, _) = &self.function.insts[inst].data {
                match access.index {
                    None => written.extend(self.cells.of(access)),
                    Some(_) => {
                        written.extend(self.cells.within_reach(access).iter().map(|(cell, _)| cell))
                    }
                }
            }
        });
        written.sort_unstable();
        written.dedup();
        written
    }
}
