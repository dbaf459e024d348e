//! Every way to leave nested constructs, compared like any other shader.
//!
//! A case is two constructs, one in the other (loops with the exit in any place, switches whose labels are known or are
//! registers that change, calls), around branches two deep, with an exit or none in each arm: `BRK`, `CONT`, `RET` or
//! `KILL`. A checksum in each lane notes which points it passes and in which order.

mod text;

use tgsi_ir::Shader;

/// A construct around others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Construct {
    /// None.
    Plain,
    /// A loop whose counted exit is what its first branch does.
    LoopThen,
    /// The same in the other arm of the branch.
    LoopElse,
    /// The same, with another exit in the other arm.
    LoopBoth,
    /// A loop that ends at its end, too.
    LoopEnd,
    /// A switch with labels that are numbers, one that falls through, and the default between others.
    Switch,
    /// A switch with labels in registers, which change from one iteration to the next.
    Labels,
    /// A subroutine.
    Call,
    /// A subroutine that is called twice.
    Calls,
}

/// How an arm ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It does not leave anything.
    None,
    /// `BRK`.
    Break,
    /// `CONT`.
    Continue,
    /// `RET`.
    Return,
    /// `KILL`.
    Kill,
}

/// Arms with exits: three of branches, and one of the innermost loop's counted exit.
const NUM_ARMS: u32 = 4;

impl Construct {
    const ALL: [Self; 9] = [
        Self::Plain,
        Self::LoopThen,
        Self::LoopElse,
        Self::LoopBoth,
        Self::LoopEnd,
        Self::Switch,
        Self::Labels,
        Self::Call,
        Self::Calls,
    ];

    fn is_loop(self) -> bool {
        matches!(self, Self::LoopThen | Self::LoopElse | Self::LoopBoth | Self::LoopEnd)
    }

    fn is_switch(self) -> bool {
        matches!(self, Self::Switch | Self::Labels)
    }

    fn is_call(self) -> bool {
        matches!(self, Self::Call | Self::Calls)
    }
}

/// Two constructs and the exits inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The constructs, the outer one first.
    pub around: [Construct; 2],
    /// How arms end: the two of the inner branch, the other of the outer one, and that of a counted exit.
    pub exits: [Exit; NUM_ARMS as usize],
}

/// The exits that are possible within two constructs.
fn exits_within([outer, inner]: [Construct; 2]) -> Vec<Exit> {
    // What is around a call is out of reach.
    let reached: &[Construct] = if inner.is_call() { &[inner] } else { &[outer, inner] };
    let may_continue = reached.iter().any(|around| around.is_loop());
    let may_break = may_continue || reached.iter().any(|around| around.is_switch());
    let mut exits = vec![Exit::None, Exit::Return, Exit::Kill];
    exits.extend(may_break.then_some(Exit::Break));
    exits.extend(may_continue.then_some(Exit::Continue));
    exits
}

/// Cases of two constructs.
fn num_within(around: [Construct; 2]) -> u64 {
    let choices = exits_within(around).len() as u64;
    // Only this construct has the last arm.
    let arms = if around[1] == Construct::LoopBoth { NUM_ARMS } else { NUM_ARMS - 1 };
    choices.pow(arms)
}

fn pairs() -> impl Iterator<Item = [Construct; 2]> {
    let inner = |outer| Construct::ALL.into_iter().map(move |inner| [outer, inner]);
    Construct::ALL.into_iter().flat_map(inner)
}

/// How many cases there are.
#[must_use]
pub fn count() -> u64 {
    pairs().map(num_within).sum()
}

/// Numbers of `amount` cases, evenly spread.
pub fn spread(amount: u64) -> impl Iterator<Item = u64> {
    let amount = amount.min(count());
    (0..amount).map(move |n| n * count() / amount)
}

impl Flow {
    /// Case `number` of [`count`]; larger numbers start again.
    #[must_use]
    pub fn nth(number: u64) -> Self {
        let mut rest = number % count();
        let mut around = [Construct::Plain; 2];
        for pair in pairs() {
            around = pair;
            if rest < num_within(pair) {
                break;
            }
            rest -= num_within(pair);
        }
        let choices = exits_within(around);
        let exits = std::array::from_fn(|_| {
            let exit = choices[(rest % choices.len() as u64) as usize];
            rest /= choices.len() as u64;
            exit
        });
        Self { around, exits }
    }

    /// A fragment shader of the case.
    #[must_use]
    pub fn shader(&self) -> Shader {
        tgsi_text::parse(&text::of(self)).shader
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_valid_shaders() {
        for number in spread(1500) {
            let flow = Flow::nth(number);
            let text = text::of(&flow);
            let parsed = tgsi_text::parse(&text);
            assert!(parsed.diagnostics.is_empty(), "{flow:?}: {:?}\n{text}", parsed.diagnostics);
            assert!(tgsi_exec::Kernel::new(&parsed.shader).is_ok(), "{flow:?}\n{text}");
        }
    }

    #[test]
    fn numbers_name_each_case_once() {
        let mut texts: Vec<String> = (0..count()).map(|n| text::of(&Flow::nth(n))).collect();
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len() as u64, count());
    }
}
