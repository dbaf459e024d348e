//! The forms of a row's pattern.

use r600_isa::{AluFlags, AluOp, ResultType, SourceType};

use super::{RowShape, Term};

/// Variations of the plain pattern that the row must match, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// A value, and the sign with which all its reads see it.
    pub sign: Option<(usize, &'static str)>,
    /// Whether the result is clamped.
    pub clamp: bool,
    /// The factor by which the result is multiplied.
    pub times: Option<&'static str>,
    /// Whether inner results have a second reader.
    pub second_reader: bool,
    /// Whether constants, and which operands are the same, become known only after a loop is unrolled.
    pub late: bool,
    /// Whether values come from computed registers instead of inputs.
    pub copied: bool,
    /// Whether an integer operation reads the result.
    pub as_bits: bool,
    /// Whether the condition guards the code after an early return.
    pub by_exit: bool,
    /// The choice between several operations or constants.
    pub choice: usize,
    /// The sign of the result of an arbitrary operation.
    pub any_sign: &'static str,
}

/// Operations that stand for any operation. Each `@` is a new input.
pub(super) const ANY: [&str; 7] = [
    "ADD $, @, @",
    "MUL $, @, @",
    "MAD $, @, @, @",
    "MAX $, @, @",
    "ADD_SAT $, @, @",
    "RCP $, @",
    "FRC $, @",
];

/// Signs of an operand.
const SIGNS: [(&str, &str); 3] = [("-", ""), ("|", "|"), ("-|", "|")];

impl Form {
    /// `operand` with a sign.
    pub(super) fn signed(sign: &str, operand: &str) -> String {
        let closing = SIGNS.iter().find(|(opening, _)| *opening == sign).map_or("", |(_, end)| end);
        format!("{sign}{operand}{closing}")
    }
}

/// All forms; the plain one comes first. Each has one variation, and is repeated with a clamp if the result supports
/// one.
pub(super) fn all(row: &RowShape) -> Vec<Form> {
    let facts = Facts::of(row);
    let mut all = vec![Form::default()];
    let with = |change: fn(&mut Form)| {
        let mut form = Form::default();
        change(&mut form);
        form
    };
    for &value in &facts.float_values {
        let sign =
            |&(sign, _): &(&'static str, _)| Form { sign: Some((value, sign)), ..Form::default() };
        all.extend(SIGNS.iter().map(sign));
    }
    let choices = 1..facts.num_choices;
    all.extend(choices.map(|choice| Form { choice, ..Form::default() }));
    if facts.has_signed_any {
        all.extend(SIGNS.iter().map(|&(any_sign, _)| Form { any_sign, ..Form::default() }));
    }
    if facts.has_inner {
        all.push(with(|form| form.second_reader = true));
    }
    if facts.exits {
        let by_exit = |choice| Form { by_exit: true, choice, ..Form::default() };
        all.extend((0..facts.num_choices).map(by_exit));
    }
    if facts.has_late {
        all.push(with(|form| form.late = true));
    }
    all.push(with(|form| form.copied = true));
    // As an integer, a float shows every bit, so the rewrite must be exact.
    if row.is_exact {
        all.push(with(|form| form.as_bits = true));
    }
    if facts.gives_float {
        let times = ["2.0", "4.0", "0.5"];
        all.extend(times.map(|times| Form { times: Some(times), ..Form::default() }));
        let clamped = all.iter().map(|form| Form { clamp: true, ..form.clone() });
        all.extend(clamped.collect::<Vec<_>>());
    }
    // The row does not match other forms.
    all.retain(|form| form.clamp || !row.is_clamped);
    all
}

/// Properties of a pattern.
struct Facts {
    /// Values that are read only by float operations.
    float_values: Vec<usize>,
    num_choices: usize,
    has_signed_any: bool,
    has_inner: bool,
    /// Whether constants or equal operands can become known late.
    has_late: bool,
    gives_float: bool,
    /// Whether it is a condition that guards code after early returns.
    exits: bool,
}

impl Facts {
    fn of(row: &RowShape) -> Self {
        let Term::Inst(root, args) = row.pattern else {
            return Self::none();
        };
        // A condition has no result to clamp, and neither has a kill instruction in TGSI.
        let is_result = !root.has(AluFlags::PREDICATE) && !root.is_kill();
        let gives_float =
            root == AluOp::Mov || root.info().result == ResultType::Float && is_result;
        let exits = root == AluOp::PredSeteInt;
        let mut facts = Self { gives_float, exits, ..Self::none() };
        let is_inner = |arg: &Term| matches!(arg, Term::Inst(..) | Term::Negated(Term::Inst(..)));
        facts.has_inner = args.iter().any(is_inner);
        let (mut read_as_bits, mut seen) = (Vec::new(), Vec::new());
        row.pattern.walk(&mut |term| match term {
            Term::Inst(op, args) => {
                let values = args.iter().filter_map(|arg| match arg {
                    Term::Value(number) => Some(*number),
                    Term::Negated(Term::Value(number)) => Some(*number),
                    _ => None,
                });
                let list =
                    if reads_floats(*op) { &mut facts.float_values } else { &mut read_as_bits };
                list.extend(values);
            }
            Term::Known(_, fact) => {
                facts.num_choices = facts.num_choices.max(fact.given_by.len() + fact.through.len());
            }
            Term::Constant(_, choices) => {
                facts.num_choices = facts.num_choices.max(choices.len());
                facts.has_late = true;
            }
            Term::Bits(_) => facts.has_late = true,
            Term::Any(_, is_signed) => {
                facts.num_choices = facts.num_choices.max(ANY.len());
                facts.has_signed_any |= is_signed;
            }
            Term::Value(value) => {
                facts.has_late |= seen.contains(value);
                seen.push(*value);
            }
            Term::Negated(_) => {}
        });
        facts.float_values.retain(|value| !read_as_bits.contains(value));
        facts.float_values.sort_unstable();
        facts.float_values.dedup();
        facts
    }

    fn none() -> Self {
        Self {
            float_values: Vec::new(),
            num_choices: 1,
            has_signed_any: false,
            has_inner: false,
            has_late: false,
            gives_float: false,
            exits: false,
        }
    }
}

/// Whether an operation's operands take float modifiers.
fn reads_floats(op: AluOp) -> bool {
    op.info().source == SourceType::Float
}
