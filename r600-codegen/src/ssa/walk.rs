//! The one walk over a region tree, as a flat sequence of events in program order.

use super::{If, InstId, Loop, Node, Operand, Region, Value};
use crate::internal::Broken;

/// An event of a walk over a region tree, in program order.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// An instruction.
    Inst(InstId),
    /// A branch, before it reads its condition.
    Branch(&'a If),
    /// The condition of a branch.
    Condition(&'a If),
    /// The start of an arm.
    Arm(&'a If, Arm),
    /// The end of an arm, even if control never reaches it.
    ArmEnd(&'a If, Arm),
    /// The point after both arms, where phis are defined.
    Join(&'a If),
    /// A loop, before its first iteration.
    Loop(&'a Loop),
    /// The point after a loop, where its results are defined.
    LoopEnd(&'a Loop),
    /// An exit.
    Exit(Exit<'a>),
}

/// An arm of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    /// Runs if the condition holds.
    Then,
    /// Runs if the condition fails.
    Otherwise,
}

impl Arm {
    /// The other arm.
    pub fn other(self) -> Self {
        match self {
            Self::Then => Self::Otherwise,
            Self::Otherwise => Self::Then,
        }
    }
}

/// The target of an exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitKind {
    /// Out of the loop.
    Break,
    /// To the next iteration.
    Continue,
}

/// An exit of a loop.
#[derive(Clone, Copy, Debug)]
pub struct Exit<'a> {
    /// The target.
    pub kind: ExitKind,
    /// The operands that it passes.
    pub args: &'a [Operand],
    /// The innermost loop; `None` if the exit is outside any loop, which is an error.
    pub innermost: Option<&'a Loop>,
}

impl<'a> Exit<'a> {
    /// The loop that it belongs to.
    ///
    /// # Errors
    /// If it is outside any loop.
    pub(crate) fn of(&self) -> Result<&'a Loop, Broken> {
        self.innermost.ok_or_else(|| Broken::new("an exit", "it stands outside any loop"))
    }

    /// The values that the exit assigns, each with its source.
    ///
    /// # Errors
    /// If it is outside any loop.
    pub(crate) fn flows(&self) -> Result<impl Iterator<Item = (Value, Operand)> + use<'a>, Broken> {
        let body = self.of()?;
        let (params, results) = match self.kind {
            ExitKind::Break => (&[][..], body.results.as_slice()),
            ExitKind::Continue => (body.params.as_slice(), &[][..]),
        };
        let values = params.iter().map(|param| param.value).chain(results.iter().copied());
        Ok(values.zip(self.args.iter().copied()))
    }
}

impl If {
    /// The region of `arm`.
    pub fn arm(&self, arm: Arm) -> &Region {
        match arm {
            Arm::Then => &self.then,
            Arm::Otherwise => &self.otherwise,
        }
    }

    /// The phis, each with its source from `arm`.
    pub fn flows(&self, arm: Arm) -> impl Iterator<Item = (Value, Operand)> {
        let source = move |phi: &super::Phi| match arm {
            Arm::Then => phi.then,
            Arm::Otherwise => phi.otherwise,
        };
        self.phis.iter().map(move |phi| (phi.value, source(phi)))
    }
}

impl Loop {
    /// The parameters, each with its source on the first iteration.
    pub fn entry_flows(&self) -> impl Iterator<Item = (Value, Operand)> {
        self.params.iter().map(|param| (param.value, param.init))
    }
}

impl Event<'_> {
    /// Calls `visit` for each operand that a node itself holds at this point: conditions, sources of phis at the end of
    /// their arm, initial values of parameters, operands of exits.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        match self {
            Self::Condition(branch) => branch.condition.src.iter().copied().for_each(visit),
            Self::ArmEnd(branch, arm) => branch.flows(*arm).for_each(|(_, from)| visit(from)),
            Self::Loop(body) => body.entry_flows().for_each(|(_, from)| visit(from)),
            Self::Exit(exit) => exit.args.iter().copied().for_each(visit),
            Self::Inst(_) | Self::Branch(_) | Self::Arm(..) | Self::Join(_) | Self::LoopEnd(_) => {}
        }
    }

    /// Calls `visit` for each value that a node itself defines at this point: phis, loop parameters, loop results.
    pub fn for_each_definition(&self, visit: impl FnMut(Value)) {
        match self {
            Self::Join(branch) => branch.phis.iter().map(|phi| phi.value).for_each(visit),
            Self::Loop(body) => body.params.iter().map(|param| param.value).for_each(visit),
            Self::LoopEnd(body) => body.results.iter().copied().for_each(visit),
            Self::Inst(_)
            | Self::Branch(_)
            | Self::Condition(_)
            | Self::Arm(..)
            | Self::ArmEnd(..)
            | Self::Exit(_) => {}
        }
    }

    /// Calls `visit` for each phi, loop parameter or loop result that is assigned at this point, with its source.
    ///
    /// # Errors
    /// If an exit is outside any loop.
    pub(crate) fn for_each_flow(
        &self,
        mut visit: impl FnMut(Value, Operand),
    ) -> Result<(), Broken> {
        match self {
            Self::ArmEnd(branch, arm) => branch.flows(*arm).for_each(|(to, from)| visit(to, from)),
            Self::Loop(body) => body.entry_flows().for_each(|(to, from)| visit(to, from)),
            Self::Exit(exit) => exit.flows()?.for_each(|(to, from)| visit(to, from)),
            Self::Inst(_)
            | Self::Branch(_)
            | Self::Condition(_)
            | Self::Arm(..)
            | Self::Join(_)
            | Self::LoopEnd(_) => {}
        }
        Ok(())
    }
}

/// The walk. It has an explicit stack, so deep nesting does not recurse.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    /// The region that is being walked.
    inner: Frame<'a>,
    /// The enclosing regions, outermost first.
    outer: Vec<Frame<'a>>,
    /// An event to produce before the next node, if there is one.
    next: Option<Next<'a>>,
    loops: Vec<&'a Loop>,
}

/// A region and the position of the walk in it.
#[derive(Clone, Copy, Debug)]
struct Frame<'a> {
    nodes: &'a [Node],
    /// Position of the next node.
    next: usize,
    around: Around<'a>,
}

impl<'a> Frame<'a> {
    fn new(region: &'a Region, around: Around<'a>) -> Self {
        Self { nodes: &region.nodes, next: 0, around }
    }
}

/// What a region belongs to.
#[derive(Clone, Copy, Debug)]
enum Around<'a> {
    Nothing,
    Arm(&'a If, Arm),
    Loop(&'a Loop),
}

/// An event that comes before the next node.
#[derive(Clone, Copy, Debug)]
enum Next<'a> {
    Condition(&'a If),
    Arm(&'a If, Arm),
    Join(&'a If),
    Body(&'a Loop),
}

impl<'a> Walk<'a> {
    /// The walk over `region`.
    pub fn over(region: &'a Region) -> Self {
        let inner = Frame::new(region, Around::Nothing);
        Self { inner, outer: Vec::new(), next: None, loops: Vec::new() }
    }

    /// Number of loops around the last event; a loop does not enclose its own events.
    pub fn loop_depth(&self) -> usize {
        self.loops.len()
    }

    /// Number of regions around the last event, except for the one that is walked. The start of an arm counts as
    /// inside it, its end as outside.
    pub fn depth(&self) -> usize {
        self.outer.len()
    }

    /// If the last event is an instruction: it and the nodes after it in its region.
    pub fn run(&self) -> &'a [Node] {
        let current = self.inner.next.checked_sub(1);
        current.and_then(|current| self.inner.nodes.get(current..)).unwrap_or_default()
    }

    /// Skips the next `count` nodes of the region.
    pub fn skip_nodes(&mut self, count: usize) {
        self.inner.next += count;
    }

    fn enter(&mut self, region: &'a Region, around: Around<'a>) {
        let outer = std::mem::replace(&mut self.inner, Frame::new(region, around));
        self.outer.push(outer);
    }

    fn node(&mut self, node: &'a Node) -> Event<'a> {
        match node {
            Node::Inst(id) => Event::Inst(*id),
            Node::If(branch) => {
                self.next = Some(Next::Condition(branch));
                Event::Branch(branch)
            }
            Node::Loop(body) => {
                self.next = Some(Next::Body(body));
                Event::Loop(body)
            }
            Node::Break(args) => self.exit(ExitKind::Break, args),
            Node::Continue(args) => self.exit(ExitKind::Continue, args),
        }
    }

    fn exit(&self, kind: ExitKind, args: &'a [Operand]) -> Event<'a> {
        Event::Exit(Exit { kind, args, innermost: self.loops.last().copied() })
    }

    /// Leaves the innermost region, all of whose nodes were visited. `None` at the end of the walk.
    fn leave(&mut self) -> Option<Event<'a>> {
        let around = self.inner.around;
        self.inner = self.outer.pop()?;
        match around {
            Around::Nothing => None,
            Around::Arm(branch, arm) => {
                self.next = Some(match arm {
                    Arm::Then => Next::Arm(branch, Arm::Otherwise),
                    Arm::Otherwise => Next::Join(branch),
                });
                Some(Event::ArmEnd(branch, arm))
            }
            Around::Loop(body) => {
                self.loops.pop();
                Some(Event::LoopEnd(body))
            }
        }
    }

    /// The next event. `next` handles the most frequent case before it calls this: an instruction that no other event
    /// precedes.
    fn control(&mut self) -> Option<Event<'a>> {
        match self.next.take() {
            Some(Next::Condition(branch)) => {
                self.next = Some(Next::Arm(branch, Arm::Then));
                return Some(Event::Condition(branch));
            }
            Some(Next::Arm(branch, arm)) => {
                self.enter(branch.arm(arm), Around::Arm(branch, arm));
                return Some(Event::Arm(branch, arm));
            }
            Some(Next::Join(branch)) => return Some(Event::Join(branch)),
            Some(Next::Body(body)) => {
                self.loops.push(body);
                self.enter(&body.body, Around::Loop(body));
            }
            None => {}
        }
        match self.inner.nodes.get(self.inner.next) {
            Some(node) => {
                self.inner.next += 1;
                Some(self.node(node))
            }
            None => self.leave(),
        }
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = Event<'a>;

    // Most events are instructions, and walks are frequent, so instructions take an inlined path.
    #[inline]
    fn next(&mut self) -> Option<Event<'a>> {
        if self.next.is_none()
            && let Some(Node::Inst(id)) = self.inner.nodes.get(self.inner.next)
        {
            self.inner.next += 1;
            return Some(Event::Inst(*id));
        }
        self.control()
    }
}

impl Region {
    /// The events of the region in program order, including inner regions.
    pub fn walk(&self) -> Walk<'_> {
        Walk::over(self)
    }
}

#[cfg(test)]
mod tests {
    use cranelift_entity::EntityRef as _;
    use r600_isa::AluOp;

    use super::super::{Condition, LoopParam, Phi};
    use super::{Event, ExitKind, If, InstId, Loop, Node, Operand, Region, Value};

    fn inst(number: usize) -> Node {
        Node::Inst(InstId::new(number))
    }

    /// A loop whose branch leaves it in one arm.
    fn region() -> Region {
        let [x, y, z] = [0, 1, 2].map(Value::new);
        let leave = Region { nodes: vec![inst(1), Node::Break(vec![Operand::value(y)])] };
        let condition = Condition { op: AluOp::PredSetneInt, src: [Operand::value(x); 2] };
        let (then, otherwise) = (leave, Region::default());
        let phis = vec![Phi { value: y, then: Operand::ZERO, otherwise: Operand::value(x) }];
        let branch = Node::If(Box::new(If { condition, then, otherwise, phis }));
        let again = Node::Continue(vec![Operand::value(x)]);
        let body = Region { nodes: vec![branch, inst(2), inst(3), again] };
        let params = vec![LoopParam { value: x, init: Operand::ZERO }];
        let whole = Node::Loop(Box::new(Loop { params, body, results: vec![z] }));
        Region { nodes: vec![inst(0), whole] }
    }

    #[test]
    fn events_come_in_program_order_with_their_depth() {
        let region = region();
        let mut walk = region.walk();
        let mut seen = Vec::new();
        while let Some(event) = walk.next() {
            let what = match event {
                Event::Inst(inst) => inst.to_string(),
                Event::Branch(_) => "branch".to_owned(),
                Event::Condition(_) => "condition".to_owned(),
                Event::Arm(_, arm) => format!("{arm:?}"),
                Event::ArmEnd(_, arm) => format!("end of {arm:?}"),
                Event::Join(_) => "join".to_owned(),
                Event::Loop(_) => "loop".to_owned(),
                Event::LoopEnd(_) => "end of loop".to_owned(),
                Event::Exit(exit) => format!("{:?}", exit.kind),
            };
            seen.push(format!("{what} {}/{}", walk.depth(), walk.loop_depth()));
        }
        assert_eq!(
            seen,
            [
                "inst0 0/0",
                "loop 0/0",
                "branch 1/1",
                "condition 1/1",
                "Then 2/1",
                "inst1 2/1",
                "Break 2/1",
                "end of Then 1/1",
                "Otherwise 2/1",
                "end of Otherwise 1/1",
                "join 1/1",
                "inst2 1/1",
                "inst3 1/1",
                "Continue 1/1",
                "end of loop 0/0",
            ]
        );
    }

    #[test]
    fn flows_name_the_value_and_its_source() {
        let region = region();
        let mut flows = Vec::new();
        for event in region.walk() {
            event
                .for_each_flow(|to, from| flows.push(format!("{to} = {from}")))
                .expect("the exits match");
        }
        assert_eq!(flows, ["%0 = 0x0", "%2 = %1", "%1 = 0x0", "%1 = %0", "%0 = %0"]);
        let alone = Region { nodes: vec![Node::Break(Vec::new())] };
        let event = alone.walk().next().expect("there is an exit");
        assert!(event.for_each_flow(|_, _| {}).is_err());
        assert!(matches!(event, Event::Exit(exit) if exit.kind == ExitKind::Break));
    }

    #[test]
    fn nodes_that_are_done_together_are_skipped() {
        let region = region();
        let mut walk = region.walk();
        let third = walk.find(|event| matches!(event, Event::Inst(inst) if inst.as_u32() == 2));
        assert!(third.is_some());
        assert_eq!(walk.run().len(), 3);
        walk.skip_nodes(1);
        assert!(matches!(walk.next(), Some(Event::Exit(_))));
    }
}
