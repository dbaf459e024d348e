//! One forward walk that folds, simplifies and numbers values.
//!
//! Instructions are visited in an order in which definitions come before uses. Each has its operands looked
//! up, moves seen through and algebra applied ([`super::algebra`]); if an equal one was seen on the way
//! from the start of the program, its results are those.

use arrayvec::ArrayVec;
use r600_isa::{AluOp, Omod};

use crate::legal;
use crate::ssa::{
    AluInst, CubeInst, DotInst, Function, If, InstData, InstId, InterpInst, Loop, Node, Operand,
    Phi, Region, Replacements, Value,
};

use super::Goals;
use super::algebra::{self, Rewrite};
use super::fold;
use super::hash::FastMap;

/// Simplifies `function`; true when anything changed.
pub fn simplify(function: &mut Function, goals: &Goals) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let mut cx = Simplifier {
        function,
        goals,
        replacements: Replacements::new(),
        numbered: FastMap::default(),
        log: Vec::new(),
        changed: false,
    };
    cx.region(&mut body);
    let Simplifier { replacements, changed, .. } = cx;
    function.body = body;
    function.apply(&replacements);
    changed
}

/// What makes two instructions equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Alu(AluInst),
    Dot(DotInst),
    Cube(CubeInst),
    Interp(InterpInst),
}

impl Key {
    fn of(data: &InstData) -> Option<Self> {
        match data {
            InstData::Alu(alu) if !alu.op.is_kill() => Some(Self::Alu(alu.clone())),
            InstData::Dot(dot) => Some(Self::Dot(dot.clone())),
            InstData::Cube(cube) => Some(Self::Cube(cube.clone())),
            InstData::Interp(interp) => Some(Self::Interp(interp.clone())),
            _ => None,
        }
    }
}

struct Simplifier<'a> {
    function: &'a mut Function,
    goals: &'a Goals,
    replacements: Replacements,
    numbered: FastMap<Key, ArrayVec<Value, 4>>,
    /// Keys entered, to forget those of a region when it ends.
    log: Vec<Key>,
    changed: bool,
}

impl Simplifier<'_> {
    fn region(&mut self, region: &mut Region) {
        let nodes = std::mem::take(&mut region.nodes);
        let mut out = Vec::with_capacity(nodes.len());
        for node in nodes {
            self.node(node, &mut out);
            if out.last().is_some_and(Node::diverges) {
                break;
            }
        }
        region.nodes = out;
    }

    /// A region whose values are not visible behind it.
    fn scoped(&mut self, region: &mut Region) {
        let mark = self.log.len();
        self.region(region);
        for key in self.log.drain(mark..) {
            self.numbered.remove(&key);
        }
    }

    fn node(&mut self, node: Node, out: &mut Vec<Node>) {
        match node {
            Node::Inst(inst) => self.inst(inst, out),
            Node::If(branch) => self.branch(*branch, out),
            Node::Loop(body) => self.loop_node(*body, out),
            Node::Break(mut args) => {
                self.resolve_all(&mut args);
                out.push(Node::Break(args));
            }
            Node::Continue(mut args) => {
                self.resolve_all(&mut args);
                out.push(Node::Continue(args));
            }
        }
    }

    fn resolve_all(&self, operands: &mut [Operand]) {
        for operand in operands {
            *operand = self.replacements.resolve(*operand);
        }
    }

    fn inst(&mut self, id: InstId, out: &mut Vec<Node>) {
        self.function.origin = self.function.origins[id];
        let mut data = std::mem::replace(
            &mut self.function.insts[id].data,
            InstData::Export(Box::new(crate::ssa::ExportInst {
                target: r600_sched::machine::ExportTarget::Pixel(0),
                src: [None; 4],
            })),
        );
        data.for_each_operand_mut(|operand| *operand = self.replacements.resolve(*operand));
        if let InstData::Alu(alu) = &mut data
            && let Some(operand) = self.alu(alu, out)
        {
            self.replacements.insert(self.function.insts[id].results[0], operand);
            self.changed = true;
            self.function.insts[id].data = data;
            return;
        }
        if let InstData::Dot(dot) = &mut data {
            self.dot(dot);
        }
        self.fetch_and_export_operands(&mut data);
        if let Some(known) = self.number(&data, id) {
            let results = self.function.insts[id].results.clone();
            for (value, known) in results.into_iter().zip(known) {
                self.replacements.insert(value, Operand::value(known));
            }
            self.changed = true;
            self.function.insts[id].data = data;
            return;
        }
        self.function.insts[id].data = data;
        out.push(Node::Inst(id));
    }

    /// The results of an equal instruction seen before; notes this one when there is none.
    fn number(&mut self, data: &InstData, id: InstId) -> Option<ArrayVec<Value, 4>> {
        let key = Key::of(data)?;
        if let Some(known) = self.numbered.get(&key) {
            return Some(known.clone());
        }
        self.numbered.insert(key.clone(), self.function.insts[id].results.clone());
        self.log.push(key);
        None
    }

    /// Simplifies an ALU operation in place, or gives the operand that its result equals.
    fn alu(&mut self, alu: &mut AluInst, out: &mut Vec<Node>) -> Option<Operand> {
        for _ in 0..8 {
            self.see_through_moves(alu);
            if let Some(bits) = self.constant_result(alu) {
                return Some(Operand::constant(bits));
            }
            match algebra::rewrite(self.function, self.goals, alu) {
                Rewrite::None => break,
                Rewrite::Operand(operand) => {
                    self.changed = true;
                    if let Some(result) = self.as_replacement(alu, operand) {
                        return Some(result);
                    }
                    break;
                }
                Rewrite::Inst(better) => {
                    self.changed = true;
                    *alu = better;
                }
                Rewrite::Two(first, second) => {
                    self.changed = true;
                    *alu = self.insert_before(first, second, out);
                }
            }
        }
        canonicalise(alu);
        self.plain_move(alu)
    }

    /// An operation that needs another before it: `second` reads the result of `first` as the operand that
    /// [`algebra::FIRST`] stands for.
    fn insert_before(&mut self, first: AluInst, second: AluInst, out: &mut Vec<Node>) -> AluInst {
        let mut first = first;
        canonicalise(&mut first);
        let data = InstData::Alu(first);
        let value = match Key::of(&data).and_then(|key| self.numbered.get(&key).cloned()) {
            Some(known) => known[0],
            None => {
                let id = self.function.make_inst(data);
                let data = self.function.insts[id].data.clone();
                self.number(&data, id);
                out.push(Node::Inst(id));
                self.function.insts[id].results[0]
            }
        };
        let mut second = second;
        for operand in &mut second.src {
            if operand.as_value() == Some(algebra::first()) {
                *operand = Operand::value(value).modified(operand.neg, operand.abs);
            }
        }
        second
    }

    /// Reads the sources of moves in place of their results, where the operation takes the modifiers.
    fn see_through_moves(&self, alu: &mut AluInst) {
        let op = alu.op;
        for operand in &mut alu.src {
            if let Some(through) = self.through_move(*operand)
                && legal::accepts(op, through)
            {
                *operand = through;
            }
        }
    }

    /// What a move without clamp or multiplier reads, under the operand's own modifiers.
    fn through_move(&self, operand: Operand) -> Option<Operand> {
        let mov = self.function.def_alu(operand)?;
        (mov.op == AluOp::Mov && !mov.clamp && mov.omod == Omod::None)
            .then(|| mov.src[0].modified(operand.neg, operand.abs))
    }

    fn constant_result(&self, alu: &AluInst) -> Option<u32> {
        let known: Option<ArrayVec<u32, 3>> = alu.src.iter().map(|src| src.as_const()).collect();
        let bits = fold::fold(alu.op, &known?)?;
        Some(algebra::modify_output(bits, alu))
    }

    /// `operand` as what replaces the result of `alu`: not with a clamp or multiplier still to apply, which
    /// makes the operation a move.
    fn as_replacement(&self, alu: &mut AluInst, operand: Operand) -> Option<Operand> {
        let output = (alu.omod, alu.clamp);
        *alu = AluInst::new(AluOp::Mov, &[operand]);
        (alu.omod, alu.clamp) = output;
        self.plain_move(alu)
    }

    /// What a move that changes nothing reads.
    fn plain_move(&self, alu: &AluInst) -> Option<Operand> {
        let plain = alu.op == AluOp::Mov && !alu.clamp && alu.omod == Omod::None;
        (plain && !alu.src[0].has_modifier()).then(|| alu.src[0])
    }

    /// Exports and addresses take values of moves only where nothing is modified.
    fn fetch_and_export_operands(&self, data: &mut InstData) {
        if matches!(data, InstData::Alu(_) | InstData::Dot(_)) {
            return;
        }
        data.for_each_operand_mut(|operand| {
            if let Some(through) = self.through_move(*operand)
                && !through.has_modifier()
            {
                *operand = through;
            }
        });
    }

    fn dot(&mut self, dot: &mut DotInst) {
        for operand in dot.pairs.iter_mut().flatten() {
            if let Some(through) = self.through_move(*operand) {
                *operand = through;
            }
        }
        if self.goals.precise {
            return;
        }
        let before = dot.pairs.len();
        dot.pairs.retain(|[a, b]| !algebra::is_zero(*a) && !algebra::is_zero(*b));
        self.changed |= dot.pairs.len() != before;
    }

    fn branch(&mut self, mut branch: If, out: &mut Vec<Node>) {
        self.resolve_all(&mut branch.condition.src);
        algebra::rewrite_condition(self.function, self.goals, &mut branch);
        let [a, b] = branch.condition.src.map(Operand::as_const);
        if let (Some(a), Some(b)) = (a, b)
            && let Some(holds) = fold::predicate_test(branch.condition.op, a, b)
        {
            self.changed = true;
            self.known_branch(branch, holds, out);
            return;
        }
        self.arm(&mut branch, true);
        self.arm(&mut branch, false);
        let phis = match [&branch.then, &branch.otherwise].map(Region::diverges) {
            [false, false] => Vec::new(),
            _ => std::mem::take(&mut branch.phis),
        };
        let is_then_left = branch.then.diverges();
        out.push(Node::If(Box::new(branch)));
        for phi in phis {
            self.arrived(&phi, is_then_left, out);
        }
    }

    /// Behind a branch of which one arm turns out never to reach its end, a value is what the other arm made.
    fn arrived(&mut self, phi: &Phi, is_then_left: bool, out: &mut Vec<Node>) {
        let operand = if is_then_left { phi.otherwise } else { phi.then };
        let operand = self.unmodified(operand, out);
        self.replacements.insert(phi.value, operand);
        self.changed = true;
    }

    fn arm(&mut self, branch: &mut If, then: bool) {
        if then {
            self.scoped(&mut branch.then);
            for phi in &mut branch.phis {
                phi.then = self.replacements.resolve(phi.then);
            }
        } else {
            self.scoped(&mut branch.otherwise);
            for phi in &mut branch.phis {
                phi.otherwise = self.replacements.resolve(phi.otherwise);
            }
        }
    }

    /// Takes the arm that is always taken into the region around the branch.
    fn known_branch(&mut self, branch: If, holds: bool, out: &mut Vec<Node>) {
        let arm = if holds { branch.then } else { branch.otherwise };
        for node in arm.nodes {
            self.node(node, out);
        }
        for phi in branch.phis {
            let taken = self.replacements.resolve(if holds { phi.then } else { phi.otherwise });
            let taken = self.unmodified(taken, out);
            self.replacements.insert(phi.value, taken);
        }
    }

    /// `operand` as something that can stand for a value anywhere.
    fn unmodified(&mut self, operand: Operand, out: &mut Vec<Node>) -> Operand {
        if !operand.has_modifier() {
            return operand;
        }
        let mov = InstData::Alu(AluInst::new(AluOp::Mov, &[operand]));
        let id = self.function.make_inst(mov);
        out.push(Node::Inst(id));
        Operand::value(self.function.insts[id].results[0])
    }

    fn loop_node(&mut self, mut node: Loop, out: &mut Vec<Node>) {
        for param in &mut node.params {
            param.init = self.replacements.resolve(param.init);
        }
        self.scoped(&mut node.body);
        out.push(Node::Loop(Box::new(node)));
    }
}

/// Orders the sources of commutative operations, so that equal ones look equal.
fn canonicalise(alu: &mut AluInst) {
    if alu.op.is_commutative() && alu.src.len() >= 2 && alu.src[0] > alu.src[1] {
        alu.src.swap(0, 1);
    }
}
