//! Building the tree, in one walk over the instructions with an explicit stack.

use std::mem;

use super::{Case, FlowError, FlowTree, If, Loop, MAX_NESTING, Node, NodeId, Subroutine, Switch};
use crate::{FlowRole, Instruction, InstructionId, Opcode};

/// The kind of an open block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    If,
    Loop,
    Switch,
    Subroutine,
}

/// A block that is still open.
struct Open {
    kind: Kind,
    begin: InstructionId,
    opcode: Opcode,
    /// `ELSE`, or `DEFAULT`.
    middle: Option<InstructionId>,
    /// The nodes before `ELSE`, or before the first label.
    first: Vec<NodeId>,
    /// The labels of a switch before the current one, with their nodes.
    cases: Vec<Case>,
    /// The nodes since the last dividing instruction.
    body: Vec<NodeId>,
}

pub(super) struct Builder<'a> {
    instructions: &'a [Instruction],
    tree: FlowTree,
    errors: Vec<FlowError>,
    stack: Vec<Open>,
    /// Start of the current block of plain instructions.
    block_start: usize,
    /// Levels beyond the limit; their instructions are treated as plain ones.
    too_deep: usize,
    calls: Vec<InstructionId>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(instructions: &'a [Instruction]) -> Self {
        let tree = FlowTree { partner: vec![None; instructions.len()], ..FlowTree::default() };
        Self {
            instructions,
            tree,
            errors: Vec::new(),
            stack: Vec::new(),
            block_start: 0,
            too_deep: 0,
            calls: Vec::new(),
        }
    }

    pub(super) fn run(mut self) -> (FlowTree, Vec<FlowError>) {
        for (index, instruction) in self.instructions.iter().enumerate() {
            let role = instruction.opcode.info().flow;
            self.visit(InstructionId::from_index(index), instruction.opcode, role);
        }
        let end = self.instructions.len();
        self.flush_block(end);
        while let Some(open) = self.stack.pop() {
            self.report_unclosed(&open, None);
            self.close(open, InstructionId::from_index(end.saturating_sub(1)));
        }
        self.check_calls();
        self.errors.sort_by_key(FlowError::at);
        (self.tree, self.errors)
    }

    fn visit(&mut self, at: InstructionId, opcode: Opcode, role: FlowRole) {
        match role {
            FlowRole::If => self.open(Kind::If, at, opcode),
            FlowRole::LoopBegin => self.open(Kind::Loop, at, opcode),
            FlowRole::SwitchBegin => self.open(Kind::Switch, at, opcode),
            FlowRole::SubBegin => self.open_subroutine(at, opcode),
            FlowRole::Else => self.visit_else(at, opcode),
            FlowRole::Case => self.visit_case(at, opcode),
            FlowRole::Default => self.visit_default(at, opcode),
            FlowRole::EndIf => self.visit_close(Kind::If, at, opcode),
            FlowRole::LoopEnd => self.visit_close(Kind::Loop, at, opcode),
            FlowRole::SwitchEnd => self.visit_close(Kind::Switch, at, opcode),
            FlowRole::SubEnd => self.visit_close(Kind::Subroutine, at, opcode),
            FlowRole::Break => self.visit_jump(at, opcode, &[Kind::Loop, Kind::Switch]),
            FlowRole::Continue => self.visit_jump(at, opcode, &[Kind::Loop]),
            FlowRole::Call => self.calls.push(at),
            FlowRole::Branch => self.errors.push(FlowError::Branch { at }),
            FlowRole::None
            | FlowRole::Return
            | FlowRole::End
            | FlowRole::Kill
            | FlowRole::KillIf
            | FlowRole::Demote
            | FlowRole::Emit
            | FlowRole::Barrier => {}
        }
    }

    /// Ends the run of plain instructions before `at`; the next one starts after it.
    fn flush_block(&mut self, at: usize) {
        if self.block_start < at {
            let id = self.add(Node::Block(self.block_start..at));
            self.push_node(id);
        }
        self.block_start = at + 1;
    }

    fn add(&mut self, node: Node) -> NodeId {
        self.tree.nodes.push(node);
        NodeId(self.tree.nodes.len() as u32 - 1)
    }

    fn push_node(&mut self, id: NodeId) {
        match self.stack.last_mut() {
            Some(open) => open.body.push(id),
            None => self.tree.main.push(id),
        }
    }

    fn open(&mut self, kind: Kind, at: InstructionId, opcode: Opcode) {
        if self.stack.len() >= MAX_NESTING {
            if self.too_deep == 0 {
                self.errors.push(FlowError::TooDeep { at });
            }
            self.too_deep += 1;
            return;
        }
        self.flush_block(at.index());
        self.stack.push(Open {
            kind,
            begin: at,
            opcode,
            middle: None,
            first: Vec::new(),
            cases: Vec::new(),
            body: Vec::new(),
        });
        self.tree.depth = self.tree.depth.max(self.stack.len());
        let loops = self.stack.iter().filter(|open| open.kind == Kind::Loop).count();
        self.tree.loop_depth = self.tree.loop_depth.max(loops);
    }

    fn open_subroutine(&mut self, at: InstructionId, opcode: Opcode) {
        if let Some(outer) = self.stack.last() {
            self.errors.push(FlowError::NestedSubroutine { at, outer: outer.begin });
        }
        self.open(Kind::Subroutine, at, opcode);
    }

    /// The innermost open block of `kind`, after abandoning the blocks within it.
    fn innermost(&mut self, kind: Kind, at: InstructionId, opcode: Opcode) -> bool {
        let found = self.stack.iter().rposition(|open| open.kind == kind);
        let Some(position) = found else {
            self.errors.push(FlowError::Unopened { at, opcode });
            return false;
        };
        self.flush_block(at.index());
        while self.stack.len() > position + 1 {
            if let Some(open) = self.stack.pop() {
                self.report_unclosed(&open, Some(at));
                self.close(open, at);
            }
        }
        true
    }

    fn report_unclosed(&mut self, open: &Open, ended_by: Option<InstructionId>) {
        let Open { begin, opcode, .. } = *open;
        self.errors.push(FlowError::Unclosed { begin, opcode, ended_by });
    }

    fn visit_else(&mut self, at: InstructionId, opcode: Opcode) {
        if self.too_deep > 0 || !self.innermost(Kind::If, at, opcode) {
            return;
        }
        let Some(open) = self.stack.last_mut() else { return };
        if let Some(first) = open.middle {
            self.errors.push(FlowError::Repeated { at, opcode, first });
            return;
        }
        open.middle = Some(at);
        open.first = mem::take(&mut open.body);
    }

    fn visit_case(&mut self, at: InstructionId, opcode: Opcode) {
        if self.too_deep > 0 || !self.innermost(Kind::Switch, at, opcode) {
            return;
        }
        let Some(open) = self.stack.last_mut() else { return };
        let before = mem::take(&mut open.body);
        match open.cases.last_mut() {
            Some(case) => case.body = before,
            None => open.first = before,
        }
        open.cases.push(Case { label: at, body: Vec::new() });
    }

    fn visit_default(&mut self, at: InstructionId, opcode: Opcode) {
        self.visit_case(at, opcode);
        let Some(open) = self.stack.last_mut().filter(|open| open.kind == Kind::Switch) else {
            return;
        };
        match open.middle {
            Some(first) => self.errors.push(FlowError::Repeated { at, opcode, first }),
            None => open.middle = Some(at),
        }
    }

    fn visit_close(&mut self, kind: Kind, at: InstructionId, opcode: Opcode) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
        } else if self.innermost(kind, at, opcode)
            && let Some(open) = self.stack.pop()
        {
            self.close(open, at);
        }
    }

    fn visit_jump(&mut self, at: InstructionId, opcode: Opcode, allowed: &[Kind]) {
        let inside = self.stack.iter().rev().take_while(|open| open.kind != Kind::Subroutine);
        if !inside.into_iter().any(|open| allowed.contains(&open.kind)) {
            self.errors.push(FlowError::JumpOutside { at, opcode });
        }
    }

    /// Turns an open block into a node, or a subroutine, that ends at `end`.
    fn close(&mut self, open: Open, end: InstructionId) {
        self.link(&open, end);
        let Open { kind, begin, middle, first, mut cases, body, .. } = open;
        let node = match kind {
            Kind::If => {
                let (then, otherwise) =
                    if middle.is_some() { (first, body) } else { (body, Vec::new()) };
                Node::If(If { begin, middle, end, then, otherwise })
            }
            Kind::Loop => Node::Loop(Loop { begin, end, body }),
            Kind::Switch => {
                let prologue = match cases.last_mut() {
                    Some(case) => {
                        case.body = body;
                        first
                    }
                    None => body,
                };
                Node::Switch(Switch { begin, end, prologue, cases })
            }
            Kind::Subroutine => {
                self.tree.subroutines.push(Subroutine { begin, end, body });
                return;
            }
        };
        let id = self.add(node);
        self.push_node(id);
    }

    fn link(&mut self, open: &Open, end: InstructionId) {
        let mut link = |from: InstructionId, to| {
            if let Some(slot) = self.tree.partner.get_mut(from.index()) {
                *slot = Some(to);
            }
        };
        link(end, open.begin);
        match open.middle.filter(|_| open.kind == Kind::If) {
            Some(middle) => {
                link(open.begin, middle);
                link(middle, end);
            }
            None => link(open.begin, end),
        }
    }

    /// Calls must name subroutines, and no subroutine may call itself, directly or indirectly.
    fn check_calls(&mut self) {
        self.tree.subroutines.sort_by_key(|sub| sub.begin);
        let mut edges = vec![Vec::new(); self.tree.subroutines.len()];
        for &at in &self.calls {
            let label = self.instructions[at.index()].label;
            let target = label.and_then(|label| self.tree.subroutine_index(InstructionId(label)));
            let Some(target) = target else {
                self.errors.push(FlowError::BadCall { at, label });
                continue;
            };
            let before = self.tree.subroutines.partition_point(|sub| sub.begin < at);
            let caller = before.checked_sub(1);
            if let Some(caller) = caller.filter(|&index| at < self.tree.subroutines[index].end) {
                edges[caller].push((target, at));
            }
        }
        for (at, target) in find_back_calls(&edges) {
            let subroutine = self.tree.subroutines[target].begin;
            self.errors.push(FlowError::Recursion { at, subroutine });
        }
    }
}

/// The calls that close a cycle, each with the subroutine that it re-enters.
fn find_back_calls(edges: &[Vec<(usize, InstructionId)>]) -> Vec<(InstructionId, usize)> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Active,
        Done,
    }
    let mut state = vec![State::New; edges.len()];
    let mut found = Vec::new();
    for root in 0..edges.len() {
        if state[root] != State::New {
            continue;
        }
        state[root] = State::Active;
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            let Some(&(target, at)) = edges[node].get(*next) else {
                state[node] = State::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            match state[target] {
                State::Active => found.push((at, target)),
                State::New => {
                    state[target] = State::Active;
                    stack.push((target, 0));
                }
                State::Done => {}
            }
        }
    }
    found
}
