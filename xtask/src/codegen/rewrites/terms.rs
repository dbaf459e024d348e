//! The language of semantics, patterns and results.
//!
//! | form | meaning |
//! |---|---|
//! | `x` | a value: any operand with its modifiers |
//! | `#c` | a compile-time constant |
//! | `1.0`, `-0.0`, `3`, `~0` | these bits |
//! | `-t`, `\|t\|` | the term read with negation or absolute value |
//! | `OP(…)` | the result of an operation, not modified |
//! | `OP{sat}(…)`, `OP{/2}(…)` | the result of an operation, clamped or multiplied |
//! | `!OP(…)` | the same, if nothing else reads it |
//! | `?f` | the result of any operation that nothing else reads; in a replacement: that operation again |
//! | `±?f` | the same, read with any modifiers, which the replacement keeps |
//! | `f(…)` | a function of the semantics |

use std::iter::Peekable;
use std::str::Chars;

/// A number as written: its width as a float or integer may change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// A float.
    Float(f32),
    /// An integer; negative ones in two's complement.
    Int(i64),
}

impl Number {
    /// The bits in 32 bits.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Float(value) => value.to_bits(),
            Self::Int(value) => value as u32,
        }
    }
}

/// The output modifiers of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Output {
    /// The multiplier.
    pub(crate) scale: Scale,
    /// Whether it is clamped, after the multiplier.
    pub(crate) clamp: bool,
}

impl Output {
    /// Every possible output.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let scales = [Scale::None, Scale::Times2, Scale::Times4, Scale::Half];
        let with = |clamp| scales.map(|scale| Self { scale, clamp });
        with(false).into_iter().chain(with(true))
    }

    /// `outer` after `self` as one output, if the hardware can express that.
    pub(crate) fn then(self, outer: Self) -> Option<Self> {
        let scale = match (self.scale, outer.scale) {
            (scale, Scale::None) => scale,
            (Scale::None, scale) if !self.clamp => scale,
            _ => return None,
        };
        Some(Self { scale, clamp: self.clamp || outer.clamp })
    }

    /// The syntax after an operation.
    pub(crate) fn suffix(self) -> String {
        let mut words = Vec::new();
        words.extend(self.scale.sign());
        words.extend(self.clamp.then_some("sat"));
        if words.is_empty() { String::new() } else { format!("{{{}}}", words.join(" ")) }
    }
}

/// An output multiplier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Scale {
    /// None.
    #[default]
    None,
    /// Twice.
    Times2,
    /// Four times.
    Times4,
    /// Half.
    Half,
}

impl Scale {
    /// The factor.
    pub(crate) fn factor(self) -> f32 {
        match self {
            Self::None => 1.0,
            Self::Times2 => 2.0,
            Self::Times4 => 4.0,
            Self::Half => 0.5,
        }
    }

    fn sign(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Times2 => Some("*2"),
            Self::Times4 => Some("*4"),
            Self::Half => Some("/2"),
        }
    }
}

/// A term.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Term {
    /// A value.
    Var(String),
    /// A compile-time constant.
    Constant(String),
    /// A number.
    Number(Number),
    /// A negated term.
    Neg(Box<Term>),
    /// An absolute value.
    Abs(Box<Term>),
    /// An instruction.
    Inst(Inst),
    /// The result of any instruction, if nothing else reads it.
    Any(Any),
    /// A function of the semantics.
    Call { name: String, args: Vec<Term> },
}

/// A placeholder for any instruction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Any {
    /// Its name.
    pub(crate) name: String,
    /// Output modifiers in addition to its own.
    pub(crate) output: Output,
    /// Whether its result is read with source modifiers, which are kept.
    pub(crate) is_signed: bool,
}

/// An instruction in a term.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Inst {
    /// The operation.
    pub(crate) op: String,
    /// The output modifiers of its result.
    pub(crate) output: Output,
    /// Whether the result has no other use.
    pub(crate) alone: bool,
    /// Its operands.
    pub(crate) args: Vec<Term>,
}

impl Term {
    /// Parses a term from `text`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser { text: text.chars().peekable() };
        let term = parser.term()?;
        parser.blanks();
        match parser.text.peek() {
            None => Ok(term),
            Some(letter) => Err(format!("`{letter}` is left over in `{text}`")),
        }
    }

    /// As [`parse`](Self::parse), for semantics: values, numbers and functions of them.
    pub(crate) fn parse_function(text: &str) -> Result<Self, String> {
        let term = Self::parse(text)?;
        let mut is_function = true;
        term.walk(&mut |term| {
            is_function &=
                !matches!(term, Self::Neg(_) | Self::Abs(_) | Self::Inst(_) | Self::Any(_));
        });
        is_function
            .then_some(term)
            .ok_or_else(|| format!("`{text}` is not made of functions alone"))
    }

    /// The direct subterms.
    pub(crate) fn args(&self) -> &[Self] {
        match self {
            Self::Neg(term) | Self::Abs(term) => std::slice::from_ref(term),
            Self::Inst(inst) => &inst.args,
            Self::Call { args, .. } => args,
            Self::Var(_) | Self::Constant(_) | Self::Number(_) | Self::Any(_) => &[],
        }
    }

    /// Visits every subterm, from the outside in.
    pub(crate) fn walk<'a>(&'a self, seen: &mut impl FnMut(&'a Self)) {
        seen(self);
        for arg in self.args() {
            arg.walk(seen);
        }
    }

    /// The names in order of first occurrence, with the number of occurrences.
    pub(crate) fn names(&self) -> Vec<(String, usize)> {
        let mut names: Vec<(String, usize)> = Vec::new();
        self.walk(&mut |term| {
            let (Self::Var(name) | Self::Constant(name) | Self::Any(Any { name, .. })) = term
            else {
                return;
            };
            match names.iter_mut().find(|(known, _)| known == name) {
                Some((_, count)) => *count += 1,
                None => names.push((name.clone(), 1)),
            }
        });
        names
    }
}

struct Parser<'a> {
    text: Peekable<Chars<'a>>,
}

impl Parser<'_> {
    fn blanks(&mut self) {
        while self.text.next_if(|letter| letter.is_whitespace()).is_some() {}
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.blanks();
        self.text.next_if_eq(&wanted).is_some()
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.eat(wanted) { Ok(()) } else { Err(format!("`{wanted}` is missing")) }
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        let belongs = |letter: &char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
        while let Some(letter) = self.text.next_if(belongs) {
            word.push(letter);
        }
        word
    }

    fn term(&mut self) -> Result<Term, String> {
        self.blanks();
        match self.text.peek() {
            Some('-') => {
                self.text.next();
                Ok(match self.term()? {
                    Term::Number(Number::Float(value)) => Term::Number(Number::Float(-value)),
                    Term::Number(Number::Int(value)) => Term::Number(Number::Int(-value)),
                    term => Term::Neg(Box::new(term)),
                })
            }
            Some('|') => {
                self.text.next();
                let term = self.term()?;
                self.expect('|')?;
                Ok(Term::Abs(Box::new(term)))
            }
            Some('~') => {
                self.text.next();
                match self.term()? {
                    Term::Number(Number::Int(value)) => Ok(Term::Number(Number::Int(!value))),
                    _ => Err("`~` stands before an integer only".to_owned()),
                }
            }
            Some('#') => {
                self.text.next();
                Ok(Term::Constant(self.word()))
            }
            Some('?') => self.any(false),
            Some('±') => {
                self.text.next();
                self.any(true)
            }
            Some('!') => {
                self.text.next();
                match self.term()? {
                    Term::Inst(inst) => Ok(Term::Inst(Inst { alone: true, ..inst })),
                    _ => Err("`!` stands before an operation only".to_owned()),
                }
            }
            _ => self.named(),
        }
    }

    fn any(&mut self, is_signed: bool) -> Result<Term, String> {
        self.expect('?')?;
        let name = self.word();
        Ok(Term::Any(Any { name, output: self.output()?, is_signed }))
    }

    /// A number, a value, an operation or a function.
    fn named(&mut self) -> Result<Term, String> {
        let word = self.word();
        let Some(first) = word.chars().next() else {
            return Err("a term is missing".to_owned());
        };
        if first.is_ascii_digit() {
            return number(&word);
        }
        if first.is_lowercase() {
            let is_call = self.eat('(');
            let call = |name, args| Term::Call { name, args };
            return if is_call { Ok(call(word, self.args()?)) } else { Ok(Term::Var(word)) };
        }
        let output = self.output()?;
        self.expect('(')?;
        Ok(Term::Inst(Inst { op: word, output, alone: false, args: self.args()? }))
    }

    /// Terms up to the closing parenthesis.
    fn args(&mut self) -> Result<Vec<Term>, String> {
        let mut args = vec![self.term()?];
        while self.eat(',') {
            args.push(self.term()?);
        }
        self.expect(')')?;
        Ok(args)
    }

    /// `{sat}`, `{*2}`, `{/2 sat}` and so on, or nothing.
    fn output(&mut self) -> Result<Output, String> {
        let mut output = Output::default();
        if !self.eat('{') {
            return Ok(output);
        }
        while !self.eat('}') {
            let scale = match self.text.next() {
                Some('*') if self.eat('2') => Scale::Times2,
                Some('*') if self.eat('4') => Scale::Times4,
                Some('/') if self.eat('2') => Scale::Half,
                Some('s') if self.word() == "at" => {
                    output.clamp = true;
                    continue;
                }
                _ => return Err("modifiers are `*2`, `*4`, `/2` and `sat`".to_owned()),
            };
            output.scale = scale;
        }
        Ok(output)
    }
}

fn number(word: &str) -> Result<Term, String> {
    let value = if word.contains('.') {
        word.parse().map(Number::Float).ok()
    } else {
        word.parse().map(Number::Int).ok()
    };
    value.map(Term::Number).ok_or_else(|| format!("`{word}` is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_say_signs_modifiers_and_numbers() {
        let term = Term::parse("ADD{/2}(!MUL(x, -|y|), -0.0)").unwrap();
        let Term::Inst(add) = &term else { panic!("{term:?} is not an operation") };
        assert_eq!(add.output, Output { scale: Scale::Half, clamp: false });
        assert_eq!(add.args[1], Term::Number(Number::Float(-0.0)));
        assert_eq!(Number::Int(!0).bits(), u32::MAX);
        assert_eq!(term.names(), [("x".to_owned(), 1), ("y".to_owned(), 1)]);
        assert_eq!(Term::parse("~0"), Ok(Term::Number(Number::Int(-1))));
    }

    #[test]
    fn what_is_left_over_or_missing_is_refused() {
        for text in ["ADD(x, y", "x y", "ADD{*3}(x)", "!x", "~1.0", "", "1.0.0"] {
            assert!(Term::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn semantics_are_made_of_functions() {
        assert!(Term::parse_function("if(fgt(a, 0.0), 1, sub(0, a))").is_ok());
        for text in ["-a", "fadd(|a|, b)", "ADD(a, b)", "?a"] {
            assert!(Term::parse_function(text).is_err(), "{text}");
        }
    }

    #[test]
    fn modifiers_follow_each_other_where_the_order_is_theirs() {
        let [half, clamp] = ["x", "y"].map(|_| Output::default());
        let half = Output { scale: Scale::Half, ..half };
        let clamp = Output { clamp: true, ..clamp };
        assert_eq!(half.then(clamp), Some(Output { scale: Scale::Half, clamp: true }));
        assert_eq!(clamp.then(half), None);
        assert_eq!(half.then(half), None);
        assert_eq!(clamp.then(clamp), Some(clamp));
    }
}
