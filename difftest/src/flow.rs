//! Every way to leave nested constructs, compared like any other shader.
//!
//! A case consists of two nested constructs and two nested branches inside them. The constructs are loops with the exit
//! in any place, switches with constant labels or with labels in changing registers, and calls. Each arm of a branch
//! may have an exit: `BRK`, `CONT`, `RET` or `KILL`. A checksum in each lane records the points that the lane passes,
//! in order.

mod text;

use tgsi_ir::Shader;

/// A construct around the branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Construct {
    /// None.
    Plain,
    /// A loop that starts with a branch. Its counted exit is in the first arm.
    LoopThen,
    /// The same, with the counted exit in the other arm.
    LoopElse,
    /// As the first, with another exit in the other arm.
    LoopBoth,
    /// As the first, with a second counted exit at the end.
    LoopEnd,
    /// A switch with constant labels. A case falls through, and the default is between other cases.
    Switch,
    /// A switch with labels in registers that change in each iteration.
    Labels,
    /// A subroutine.
    Call,
    /// A subroutine that is called twice.
    Calls,
}

/// How an arm ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// No exit.
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

/// Arms with exits: three arms of branches, and the other arm of the innermost loop's counted exit.
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

/// Two constructs, with the exits inside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The constructs; the outer one comes first.
    pub around: [Construct; 2],
    /// The exits of the arms: the two arms of the inner branch, the other arm of the outer branch, and the other arm of
    /// the counted exit.
    pub exits: [Exit; NUM_ARMS as usize],
}

/// The possible exits inside two constructs.
fn exits_within([outer, inner]: [Construct; 2]) -> Vec<Exit> {
    // An exit cannot leave the constructs around a call.
    let reached: &[Construct] = if inner.is_call() { &[inner] } else { &[outer, inner] };
    let may_continue = reached.iter().any(|around| around.is_loop());
    let may_break = may_continue || reached.iter().any(|around| around.is_switch());
    let mut exits = vec![Exit::None, Exit::Return, Exit::Kill];
    exits.extend(may_break.then_some(Exit::Break));
    exits.extend(may_continue.then_some(Exit::Continue));
    exits
}

/// Number of cases with these constructs.
fn num_within(around: [Construct; 2]) -> u64 {
    let choices = exits_within(around).len() as u64;
    // Only an inner construct of this kind has the last arm.
    let arms = if around[1] == Construct::LoopBoth { NUM_ARMS } else { NUM_ARMS - 1 };
    choices.pow(arms)
}

fn pairs() -> impl Iterator<Item = [Construct; 2]> {
    let inner = |outer| Construct::ALL.into_iter().map(move |inner| [outer, inner]);
    Construct::ALL.into_iter().flat_map(inner)
}

/// Total number of cases.
#[must_use]
pub fn count() -> u64 {
    pairs().map(num_within).sum()
}

/// The numbers of `amount` cases, evenly spread.
pub fn spread(amount: u64) -> impl Iterator<Item = u64> {
    let amount = amount.min(count());
    (0..amount).map(move |n| n * count() / amount)
}

impl Flow {
    /// Case `number` of [`count`]. Larger numbers wrap around.
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
