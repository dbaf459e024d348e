//! Removes phis whose sources are all the same; parameters and results of loops count as phis.

use cranelift_entity::SecondaryMap;
use pass_manager::{Analysis as _, Declaration, Done, Fuel, Pass, PassCx};

use crate::analyses::PhiSources;
use crate::error::Stop;
use crate::forms::Ssa;
use crate::names;
use crate::ssa::{Event, Function, Operand, Replacements, Sources, Value};

use super::dce::eliminate_dead_code;

/// The pass.
///
/// A phi is trivial when every source is one operand or the phi itself. A loop's result may only be replaced by what
/// is visible after the loop, which a source from inside is not; so results are replaced only by what holds on entry
/// of their loop.
pub(crate) struct RemoveTrivialPhis;

impl Pass<Ssa> for RemoveTrivialPhis {
    fn declaration(&self) -> Declaration {
        Declaration::optional(names::PHIS).uses(&[PhiSources::ID])
    }

    fn run(&self, ssa: &mut Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Done, Stop> {
        if ssa.function.body.is_straight() {
            return Ok(Done::Settled);
        }
        let mut sources = cx.analysis::<PhiSources>(ssa)?;
        let function = &mut ssa.function;
        let mut is_first = true;
        loop {
            let replacements = Phis::of(function).trivial(&sources, cx.fuel);
            if replacements.is_empty() {
                // What read a phi may be simpler now.
                return Ok(Done::unless(!is_first));
            }
            is_first = false;
            function.apply(&replacements);
            eliminate_dead_code(function)?;
            sources = Sources::of(function)?.into();
        }
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
                    // A parameter is seen in the loop only, and replaced by what is seen before it.
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

    /// The trivial phis with what they equal. Chains are followed when replacements are applied, so
    /// two phis may name each other only through a third: such cycles are left to the next round.
    fn trivial(&self, sources: &Sources, fuel: &mut Fuel) -> Replacements {
        let mut replacements = Replacements::new();
        for phi in &self.phis {
            let Some(operand) = only_source(sources, phi.value, &replacements) else { continue };
            let visible = operand.as_value().is_none_or(|value| self.depth_of[value] <= phi.depth);
            let is_other = operand != Operand::value(phi.value);
            if visible && !operand.has_modifier() && is_other && fuel.burn() {
                replacements.insert(phi.value, operand);
            }
        }
        replacements
    }
}

/// The one source of `value` besides itself.
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
