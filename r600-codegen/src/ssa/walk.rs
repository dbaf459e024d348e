//! The one walk over a region tree, as a flat sequence of events in program order.

use super::{If, InstId, Loop, Node, Operand, Region, Value};
use crate::internal::Broken;

/// What a walk over a region tree comes to, in program order.
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
    /// The end of an arm, also of one that control never reaches.
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
    /// Where the condition holds.
    Then,
    /// Where it does not.
    Otherwise,
}

/// Where an exit leads.
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
    /// Where it leads.
    pub kind: ExitKind,
    /// What it passes.
    pub args: &'a [Operand],
    /// The loop around it; `None` where an exit stands outside any loop, which is a mistake.
    pub innermost: Option<&'a Loop>,
}

impl<'a> Exit<'a> {
    /// The loop that it belongs to.
    ///
    /// # Errors
    /// When it stands outside any loop.
    pub(crate) fn of(&self) -> Result<&'a Loop, Broken> {
        self.innermost.ok_or_else(|| Broken::new("an exit", "it stands outside any loop"))
    }

    /// What it passes, with the value that takes it.
    ///
    /// # Errors
    /// When it stands outside any loop.
    pub(crate) fn flows(&self) -> Result<impl Iterator<Item = (Value, Operand)>, Broken> {
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

    /// What its phis take from `arm`, with the phi.
    pub fn flows(&self, arm: Arm) -> impl Iterator<Item = (Value, Operand)> {
        let source = move |phi: &super::Phi| match arm {
            Arm::Then => phi.then,
            Arm::Otherwise => phi.otherwise,
        };
        self.phis.iter().map(move |phi| (phi.value, source(phi)))
    }
}

impl Loop {
    /// What its parameters take on the first iteration, with the parameter.
    pub fn entry_flows(&self) -> impl Iterator<Item = (Value, Operand)> {
        self.params.iter().map(|param| (param.value, param.init))
    }
}

impl Event<'_> {
    /// Calls `visit` for each operand that a node holds itself at this point: conditions, sources of phis at the end of
    /// their arm, first values of parameters, what exits pass.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        match self {
            Self::Condition(branch) => branch.condition.src.iter().copied().for_each(visit),
            Self::ArmEnd(branch, arm) => branch.flows(*arm).for_each(|(_, from)| visit(from)),
            Self::Loop(body) => body.entry_flows().for_each(|(_, from)| visit(from)),
            Self::Exit(exit) => exit.args.iter().copied().for_each(visit),
            Self::Inst(_) | Self::Branch(_) | Self::Arm(..) | Self::Join(_) | Self::LoopEnd(_) => {}
        }
    }

    /// Calls `visit` for each value that a node defines itself at this point: phis, parameters, results of loops.
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

    /// Calls `visit` for each value that takes another here, with what it takes.
    ///
    /// # Errors
    /// When an exit stands outside any loop.
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

/// The walk. It keeps its own stack: depth of nesting costs no call.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    /// Regions that are being walked, the innermost last.
    frames: Vec<Frame<'a>>,
    /// What comes before the next node.
    next: Option<Next<'a>>,
    loops: Vec<&'a Loop>,
}

/// A region and what is left of it.
#[derive(Clone, Debug)]
struct Frame<'a> {
    nodes: std::slice::Iter<'a, Node>,
    around: Around<'a>,
}

/// What a region belongs to.
#[derive(Clone, Copy, Debug)]
enum Around<'a> {
    Nothing,
    Arm(&'a If, Arm),
    Loop(&'a Loop),
}

/// What comes before the next node.
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
        let frame = Frame { nodes: region.nodes.iter(), around: Around::Nothing };
        Self { frames: vec![frame], next: None, loops: Vec::new() }
    }

    /// Number of loops around the event that came last; a loop is not around its own events.
    pub fn loop_depth(&self) -> usize {
        self.loops.len()
    }

    /// Number of regions around the event that came last, but for the one that is walked. The start of an arm counts as
    /// inside it, its end as outside.
    pub fn depth(&self) -> usize {
        self.frames.len() - 1
    }

    fn enter(&mut self, region: &'a Region, around: Around<'a>) {
        self.frames.push(Frame { nodes: region.nodes.iter(), around });
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

    /// The end of the innermost region, where all its nodes are behind the walk.
    fn leave(&mut self) -> Option<Event<'a>> {
        match self.frames.last()?.around {
            Around::Nothing => None,
            Around::Arm(branch, arm) => {
                self.frames.pop();
                self.next = Some(match arm {
                    Arm::Then => Next::Arm(branch, Arm::Otherwise),
                    Arm::Otherwise => Next::Join(branch),
                });
                Some(Event::ArmEnd(branch, arm))
            }
            Around::Loop(body) => {
                self.frames.pop();
                self.loops.pop();
                Some(Event::LoopEnd(body))
            }
        }
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
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
        match self.frames.last_mut()?.nodes.next() {
            Some(node) => Some(self.node(node)),
            None => self.leave(),
        }
    }
}

impl Region {
    /// What the region comes to, inner regions included, in program order.
    pub fn walk(&self) -> Walk<'_> {
        Walk::over(self)
    }
}
