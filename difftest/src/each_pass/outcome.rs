//! The outcome of a run, and its comparison with another one.
//!
//! A word agrees with the word before a pass if it is the same, or if the perturbed runs allow it: it is one of their
//! words, or a float not much farther away than theirs. Once those runs diverge, the rest is open.

use std::rc::Rc;

use super::inputs::Freedom;
use super::word::Word;

/// How many times the spread of the perturbed runs a float may be off.
const SLACK: f64 = 64.0;
/// Relative error that is always allowed where freedom was taken.
const LEAST: f64 = 1e-6;
/// A run of at most this many steps is short: the transformed code has room for many times as many.
const FEW_STEPS: u32 = 1000;

/// An effect that is visible from outside.
#[derive(Clone, Debug)]
pub(super) struct Effect {
    /// The kind of effect, and its destination.
    pub(super) label: Rc<str>,
    /// The words that are written.
    pub(super) words: Vec<Word>,
    /// The effects that it is ordered with.
    pub(super) scope: Scope,
}

/// Ordering of effects. Accesses to the local data share are ordered among themselves, and so is everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Everything except accesses to the local data share.
    Outside,
    /// Accesses to the local data share.
    Local,
    /// Ordered with both.
    Both,
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// At the end of the function.
    Done,
    /// The lane is killed.
    Killed,
    /// Control depends on an undefined value.
    Open,
    /// The step limit is exceeded.
    Steps,
    /// The function cannot be run.
    Broken(String),
}

/// The outcome of a run.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) effects: Vec<Effect>,
    pub(super) end: End,
    /// Number of steps.
    pub(super) steps: u32,
}

impl Outcome {
    /// The effects that are ordered with each other in `scope`.
    fn within(&self, scope: Scope) -> Vec<&Effect> {
        let is_within = |effect: &&Effect| effect.scope == scope || effect.scope == Scope::Both;
        self.effects.iter().filter(is_within).collect()
    }
}

/// Result of a comparison.
pub(super) enum Verdict {
    /// It agrees to its end.
    Whole,
    /// It agrees up to undefined behaviour.
    Partial,
    /// It does not agree.
    Differs(String),
}

/// Runs before a pass.
pub(super) struct Reference {
    freedom: Freedom,
    exact: Outcome,
    near: Vec<Outcome>,
}

impl Reference {
    /// An `exact` run, and slightly perturbed runs.
    pub(super) fn new(freedom: Freedom, exact: Outcome, near: Vec<Outcome>) -> Self {
        Self { freedom, exact, near }
    }

    /// Number of leading effects with the same label and size in all runs.
    fn num_stable(&self) -> usize {
        let is_stable = |at: usize| {
            let effect = &self.exact.effects[at];
            self.near.iter().all(|run| {
                let other = run.effects.get(at);
                other.is_some_and(|other| {
                    other.label == effect.label && other.words.len() == effect.words.len()
                })
            })
        };
        let effects = &self.exact.effects;
        (0..effects.len()).find(|&at| !is_stable(at)).unwrap_or(effects.len())
    }

    /// Compares a run after the pass.
    pub(super) fn judge(&self, got: &Outcome) -> Verdict {
        for run in [&self.exact, got] {
            if let End::Broken(why) = &run.end {
                return Verdict::Differs(why.clone());
            }
        }
        let stable = self.num_stable();
        for (at, effect) in self.exact.effects[..stable].iter().enumerate() {
            let Some(other) = got.effects.get(at) else {
                return self.missing(effect, got);
            };
            if other.label != effect.label || other.words.len() != effect.words.len() {
                return Verdict::Differs(format!("{} became {}", effect.label, other.label));
            }
            for n in 0..effect.words.len() {
                if !self.agrees(at, n, other.words[n].bits) {
                    return Verdict::Differs(self.text(at, n, other.words[n].bits));
                }
            }
        }
        let is_certain = |run: &Outcome| matches!(run.end, End::Done | End::Killed);
        let ends_alike = self
            .near
            .iter()
            .all(|run| run.end == self.exact.end && run.effects.len() == self.exact.effects.len());
        if !ends_alike || !is_certain(&self.exact) || !is_certain(got) {
            return Verdict::Partial;
        }
        if got.end != self.exact.end || got.effects.len() != self.exact.effects.len() {
            let ways = [&self.exact, got].map(|run| (run.end.clone(), run.effects.len()));
            return Verdict::Differs(format!("{:?} effects became {:?}", ways[0], ways[1]));
        }
        Verdict::Whole
    }

    /// An effect is missing: either the run ended too early or the effect is gone.
    fn missing(&self, effect: &Effect, got: &Outcome) -> Verdict {
        match got.end {
            End::Open | End::Steps => Verdict::Partial,
            _ => Verdict::Differs(format!("{} is missing", effect.label)),
        }
    }

    fn text(&self, at: usize, n: usize, got: u32) -> String {
        difference(&self.exact.effects[at], n, got)
    }

    /// Whether word `n` of effect `at` may be `got`.
    fn agrees(&self, at: usize, n: usize, got: u32) -> bool {
        let exact = self.exact.effects[at].words[n];
        let near: Vec<Word> = self.near.iter().map(|run| run.effects[at].words[n]).collect();
        let is_open = exact.open || near.iter().any(|word| word.open);
        if is_open || exact.bits == got || near.iter().any(|word| word.bits == got) {
            return true;
        }
        let is_nan = |bits: u32| f32::from_bits(bits).is_nan();
        if exact.kind_is_open && is_nan(exact.bits) && is_nan(got) {
            return true;
        }
        let is_zero = |bits: u32| bits & 0x7fff_ffff == 0;
        if self.freedom == Freedom::Fast && is_zero(exact.bits) && is_zero(got) {
            return true;
        }
        near.iter().any(|word| word.bits != exact.bits) && is_near(exact.bits, &near, got)
    }
}

/// Describes the change in word `n` of an effect.
fn difference(before: &Effect, n: usize, got: u32) -> String {
    let want = before.words[n].bits;
    let [a, b] = [got, want].map(f32::from_bits);
    format!("word {n} of {} is {got:#x} ({a}), before it was {want:#x} ({b})", before.label)
}

/// Compares a run with one before a step that must not change a bit.
pub(super) fn judge_exactly(before: &Outcome, got: &Outcome) -> Verdict {
    for run in [before, got] {
        if let End::Broken(why) = &run.end {
            return Verdict::Differs(why.clone());
        }
    }
    let is_certain = [before, got].iter().all(|run| matches!(run.end, End::Done | End::Killed));
    if is_certain && before.end != got.end {
        return Verdict::Differs(format!("{:?} became {:?}", before.end, got.end));
    }
    for scope in [Scope::Outside, Scope::Local] {
        if let Err(why) = agree_exactly([before, got].map(|run| run.within(scope)), is_certain) {
            return Verdict::Differs(why);
        }
    }
    match why_lost(before, got) {
        Some(why) => Verdict::Differs(why.to_owned()),
        None if is_certain => Verdict::Whole,
        None => Verdict::Partial,
    }
}

/// Why `got` does not reach the end that `before` reaches, unless it lacks steps. If `before` kills the lane, `got` may
/// first perform effects that come after the kill in program order.
fn why_lost(before: &Outcome, got: &Outcome) -> Option<&'static str> {
    let is_short = before.steps <= FEW_STEPS;
    match (&before.end, &got.end) {
        (End::Done, End::Open) => Some("control or a write depends on nothing that was written"),
        (End::Done | End::Killed, End::Steps) if is_short => Some("it does not end any more"),
        _ => None,
    }
}

/// Whether effects are the same, as far as both runs go if they do not end.
fn agree_exactly([before, got]: [Vec<&Effect>; 2], to_the_end: bool) -> Result<(), String> {
    for (want, other) in before.iter().zip(&got) {
        if other.label != want.label || other.words.len() != want.words.len() {
            return Err(format!("{} became {}", want.label, other.label));
        }
        for (n, (a, b)) in want.words.iter().zip(&other.words).enumerate() {
            if !a.open && b.open {
                return Err(format!("word {n} of {} is nothing that was written", want.label));
            }
            if !a.open && a.bits != b.bits {
                return Err(difference(want, n, b.bits));
            }
        }
    }
    match (before.get(got.len()), got.get(before.len())) {
        (Some(missing), _) if to_the_end => Err(format!("{} is missing", missing.label)),
        (_, Some(new)) if to_the_end => Err(format!("{} is new", new.label)),
        _ => Ok(()),
    }
}

/// Whether `got` is not much farther from `exact` than `near` are. A word that is no float may be anything once it
/// varies.
fn is_near(exact: u32, near: &[Word], got: u32) -> bool {
    let is_float = |bits: u32| {
        let value = f32::from_bits(bits);
        value == 0.0 || (value.is_normal() && (1e-20..1e20).contains(&value.abs()))
    };
    if !is_float(exact) || !near.iter().all(|word| is_float(word.bits)) {
        return true;
    }
    if !f32::from_bits(got).is_finite() {
        return false;
    }
    let value = |bits: u32| f64::from(f32::from_bits(bits));
    let distance = |bits: u32| (value(bits) - value(exact)).abs();
    let spread = near.iter().map(|word| distance(word.bits)).fold(0.0, f64::max);
    distance(got) <= SLACK * spread + LEAST * value(exact).abs()
}
