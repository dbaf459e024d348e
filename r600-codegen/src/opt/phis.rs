//! Removes phis whose sources are all equal; loop parameters and results count as phis.

use std::collections::VecDeque;

use cranelift_entity::SecondaryMap;
use pass_manager::{Analysis as _, Declaration, Done, Fuel, Pass, PassCx};

use crate::analyses::PhiSources;
use crate::error::Stop;
use crate::forms::Ssa;
use crate::hash::FastMap;
use crate::names;
use crate::ssa::{Event, Function, Operand, Replacements, Sources, Value, ValueDef};

use super::dce::eliminate_dead_code;

/// The pass.
///
/// A phi is trivial if all its sources other than itself are one operand. The replacement of a loop result must be
/// visible after the loop, which values from inside are not. So results are replaced only by operands that are visible
/// on entry to their loop.
pub(crate) struct RemoveTrivialPhis;

impl Pass<Ssa> for RemoveTrivialPhis {
    fn declaration(&self) -> Declaration {
        Declaration::optional(names::PHIS).uses(&[PhiSources::ID])
    }

    fn run(&self, ssa: &mut Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Done, Stop> {
        if ssa.function.body.is_straight() {
            return Ok(Done::Settled);
        }
        let sources = cx.analysis::<PhiSources>(ssa)?;
        let function = &mut ssa.function;
        let replacements = Phis::of(function).trivial(function, &sources, cx.fuel);
        if !replacements.is_empty() {
            function.apply(&replacements);
            eliminate_dead_code(function)?;
        }
        // Readers of a removed phi may simplify further.
        Ok(Done::unless(!replacements.is_empty()))
    }
}

/// A phi with the depth of the region in which it is defined.
struct Phi {
    value: Value,
    depth: usize,
}

/// All phis.
struct Phis {
    phis: Vec<Phi>,
    /// Region depth at which each value is visible.
    depth_of: SecondaryMap<Value, usize>,
}

impl Phis {
    fn of(function: &Function) -> Self {
        let mut depth_of = SecondaryMap::new();
        depth_of.resize(function.values.len());
        let mut all = Self { phis: Vec::new(), depth_of };
        let mut walk = function.body.walk();
        while let Some(event) = walk.next() {
            let depth = walk.depth();
            match event {
                Event::Inst(inst) => {
                    for &value in &function.insts[inst].results {
                        all.depth_of[value] = depth;
                    }
                }
                Event::Branch(branch) => {
                    branch.phis.iter().for_each(|phi| all.add(phi.value, depth, depth));
                }
                Event::Loop(body) => {
                    // A parameter is visible only in the loop, but its replacement must be visible before the loop.
                    body.params.iter().for_each(|param| all.add(param.value, depth, depth + 1));
                    body.results.iter().for_each(|&value| all.add(value, depth, depth));
                }
                _ => {}
            }
        }
        all
    }

    fn add(&mut self, value: Value, depth: usize, visible_at: usize) {
        self.phis.push(Phi { value, depth });
        self.depth_of[value] = visible_at;
    }

    /// The trivial phis with their replacements, including phis that become trivial once others are replaced. Chains
    /// are followed when replacements are applied.
    fn trivial(&self, function: &Function, sources: &Sources, fuel: &mut Fuel) -> Replacements {
        let mut replacements = Replacements::new();
        let mut left = Vec::new();
        for phi in &self.phis {
            match self.only_source(phi, sources, &replacements) {
                Some(operand) if fuel.burn() => replacements.insert(phi.value, operand),
                _ => left.push(phi),
            }
        }
        if replacements.is_empty() {
            return replacements;
        }
        let mut waiting = Waiting::of(&left, function, sources, &replacements);
        while let Some(at) = waiting.pop() {
            let phi = left[at];
            if let Some(operand) = self.only_source(phi, sources, &replacements)
                && fuel.burn()
            {
                replacements.insert(phi.value, operand);
                waiting.replaced(at, phi.value, operand);
            }
        }
        replacements
    }

    /// The operand that can replace `phi`, if the phi is trivial.
    fn only_source(
        &self,
        phi: &Phi,
        sources: &Sources,
        replacements: &Replacements,
    ) -> Option<Operand> {
        let operand = only_source(sources, phi.value, replacements)?;
        let visible = operand.as_value().is_none_or(|value| self.depth_of[value] <= phi.depth);
        (visible && !operand.has_modifier()).then_some(operand)
    }
}

/// A work list of phis, by their index among the remaining ones. A phi may become trivial once a phi that it reads is
/// replaced, so it is then tried again.
struct Waiting {
    queue: VecDeque<usize>,
    /// Whether each phi is in the queue or replaced. Such phis are not queued again.
    is_queued: Vec<bool>,
    /// The remaining phis that read each phi, directly or through phis that it has replaced.
    readers: FastMap<Value, Vec<usize>>,
}

impl Waiting {
    /// Queues all of `left`, in order.
    fn of(
        left: &[&Phi],
        function: &Function,
        sources: &Sources,
        replacements: &Replacements,
    ) -> Self {
        let mut readers: FastMap<Value, Vec<usize>> = FastMap::default();
        for (at, phi) in left.iter().enumerate() {
            for source in sources.of_value(phi.value) {
                if let Some(value) = replacements.resolve(source).as_value()
                    && value != phi.value
                    && function.values[value] == ValueDef::Phi
                {
                    readers.entry(value).or_default().push(at);
                }
            }
        }
        Self { queue: (0..left.len()).collect(), is_queued: vec![true; left.len()], readers }
    }

    /// The next one to try.
    fn pop(&mut self) -> Option<usize> {
        let at = self.queue.pop_front()?;
        self.is_queued[at] = false;
        Some(at)
    }

    /// Queues the readers of `phi`, whose index is `at` and which `operand` replaces.
    fn replaced(&mut self, at: usize, phi: Value, operand: Operand) {
        self.is_queued[at] = true;
        let Some(mut woken) = self.readers.remove(&phi) else { return };
        for &at in &woken {
            if !std::mem::replace(&mut self.is_queued[at], true) {
                self.queue.push_back(at);
            }
        }
        if let Some(value) = operand.as_value() {
            let readers = self.readers.entry(value).or_default();
            // The shorter list is appended to the longer one, so that long lists are not moved repeatedly.
            if readers.len() < woken.len() {
                std::mem::swap(readers, &mut woken);
            }
            readers.append(&mut woken);
        }
    }
}

/// The only source of `value` other than itself, with replacements applied.
fn only_source(sources: &Sources, value: Value, replacements: &Replacements) -> Option<Operand> {
    let own = Operand::value(value);
    let mut only = None;
    for source in sources.of_value(value) {
        let source = replacements.resolve(source);
        if source == own {
            continue;
        }
        if only.is_some_and(|known| known != source) {
            return None;
        }
        only = Some(source);
    }
    only
}
