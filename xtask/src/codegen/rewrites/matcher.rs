//! Rows as tables for the matcher, by the operation that they replace.

use std::collections::BTreeMap;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::book::{Book, Fact, Freedom, Guard, Row, Test, Under};
use super::evaluator::expression;
use super::terms::{Any, Inst, Output, Scale, Term};
use crate::codegen::rust::{array, docs, hex, length, table, token, variant_of, variants};
use crate::codegen::spec::SpecError;

/// The module with the tables.
pub(super) fn tokens(book: &Book) -> Result<TokenStream, SpecError> {
    let facts =
        book.facts.iter().map(|own| fact(own).map_err(|message| book.error(&own.name, message)));
    let facts = facts.collect::<Result<Vec<_>, _>>()?;
    let tests =
        book.tests.iter().map(|own| test(own).map_err(|message| book.error(&own.name, message)));
    let tests = tests.collect::<Result<Vec<_>, _>>()?;
    let rows = book
        .rows
        .iter()
        .map(|own| row(book, own).map_err(|message| book.error(&own.family, message)));
    let rows = table("ROWS", quote!(Row), &rows.collect::<Result<Vec<_>, _>>()?);
    let lines = book.rows.iter().enumerate().map(|(number, row)| {
        let [from, to] = &row.texts;
        format!("{number}. `{from}` becomes `{to}`\n")
    });
    let about = docs(&format!("Every row.\n\n{}", lines.collect::<String>()));
    let doc = "The ways in which rows match an operation, in the order in which they are tried.";
    let variants = index(book, ("variants", doc), |row| !row.is_fusion())?;
    let doc = "The same, of rows that join operations where one alone reads the other.";
    let fusions = index(book, ("fusions", doc), Row::is_fusion)?;
    Ok(quote! {
        use r600_isa::{AluOp, Omod};
        use crate::opt::rewrite::{
            Fact, Freedom, Guard, Made, Output, Pattern, Row, Variant,
        };
        use crate::semantics::functions::*;
        #(#facts)*
        #(#tests)*
        #about
        #rows
        #variants
        #fusions
    })
}

fn fact(fact: &Fact) -> Result<TokenStream, String> {
    let (about, name) = (docs(&fact.doc), token(&fact.name.to_uppercase()));
    let (holds, keeps_signs) = (expression(&fact.holds)?, fact.keeps_signs);
    let [given_by, through] =
        [&fact.given_by, &fact.through].map(|names| array(variants("AluOp", names)));
    Ok(quote! {
        #about
        pub(crate) static #name: Fact = Fact {
            holds: |a| #holds, given_by: &#given_by, through: &#through,
            keeps_signs: #keeps_signs,
        };
    })
}

fn test(test: &Test) -> Result<TokenStream, String> {
    let (about, name, holds) = (docs(&test.doc), token(&test.name), expression(&test.holds)?);
    Ok(quote!(#about fn #name(a: u32) -> bool { #holds }))
}

fn op(name: &str) -> TokenStream {
    variant_of("AluOp", name)
}

fn output(output: Output) -> TokenStream {
    let scale = match output.scale {
        Scale::None => quote!(None),
        Scale::Times2 => quote!(Times2),
        Scale::Times4 => quote!(Times4),
        Scale::Half => quote!(Half),
    };
    let clamp = output.clamp;
    quote!(Output { omod: Omod::#scale, clamp: #clamp })
}

fn row(book: &Book, row: &Row) -> Result<TokenStream, String> {
    let numbers = Numbers::of(row);
    let guard = |guard: &Guard| {
        let of = numbers.of_name(&guard.of)?;
        let is_fact = book.facts.iter().any(|fact| fact.name == guard.name);
        Ok(if is_fact {
            let fact = token(&guard.name.to_uppercase());
            quote!(Guard::Fact(&#fact, #of))
        } else {
            let test = token(&guard.name);
            quote!(Guard::Test(#test, #of))
        })
    };
    let guards = row.when.iter().chain(&row.worth).map(guard);
    let guards = guards.collect::<Result<Vec<_>, String>>()?;
    let (name, takes, made) = (&row.name, token(freedom(row)), numbers.made(&row.to)?);
    let is_clamped = row.under == Some(Under::Clamp);
    Ok(quote! {
        Row {
            name: #name, takes: Freedom::#takes, is_clamped: #is_clamped, guards: &[#(#guards),*],
            made: #made,
        }
    })
}

/// The least freedom that includes all those that a row needs.
fn freedom(row: &Row) -> &'static str {
    let takes = |wanted: &[Freedom]| row.takes.iter().any(|own| wanted.contains(own));
    if row.takes.is_empty() {
        "None"
    } else if takes(&[Freedom::NoNan, Freedom::NoInfinity]) {
        "Finite"
    } else if takes(&[Freedom::ZeroSign]) {
        "ZeroSigns"
    } else {
        "Digits"
    }
}

fn index(
    book: &Book,
    (name, doc): (&str, &str),
    wanted: impl Fn(&Row) -> bool,
) -> Result<TokenStream, SpecError> {
    let mut by_op: BTreeMap<&str, Vec<(usize, TokenStream)>> = BTreeMap::new();
    for (number, row) in book.rows.iter().enumerate().filter(|(_, row)| wanted(row)) {
        let (numbers, number) = (Numbers::of(row), length(number));
        let lines = by_op.entry(&row.from.op).or_default();
        for (place, order) in orders(book, row, &row.from).into_iter().enumerate() {
            let args = numbers.patterns(&order.args, &mut Vec::new());
            let args = args.map_err(|message| book.error(&row.family, message))?;
            lines.push((place, quote!(Variant::new(#number, #args))));
        }
    }
    let arms = by_op.into_iter().map(|(name, mut lines)| {
        // The variants with operands in the written order come first, for all rows.
        lines.sort_by_key(|(place, _)| *place);
        let (op, lines) = (op(name), lines.into_iter().map(|(_, line)| line));
        quote!(#op => const { &[#(#lines),*] },)
    });
    let (name, about) = (token(name), docs(doc));
    Ok(quote! {
        #about
        pub(crate) fn #name(op: AluOp) -> &'static [Variant] {
            match op { #(#arms)* _ => &[] }
        }
    })
}

/// An instruction with every distinguishable order of its commutative operands, the written order first.
fn orders(book: &Book, row: &Row, inst: &Inst) -> Vec<Inst> {
    let mut all = vec![Inst { args: Vec::new(), ..inst.clone() }];
    for arg in &inst.args {
        let choices = match arg {
            Term::Inst(inner) => orders(book, row, inner).into_iter().map(Term::Inst).collect(),
            Term::Neg(negated) => match negated.as_ref() {
                Term::Inst(inner) => orders(book, row, inner)
                    .into_iter()
                    .map(|inst| Term::Neg(Box::new(Term::Inst(inst))))
                    .collect(),
                _ => vec![arg.clone()],
            },
            _ => vec![arg.clone()],
        };
        all = all
            .iter()
            .flat_map(|before| {
                choices.iter().map(|choice| {
                    let mut after = before.clone();
                    after.args.push(choice.clone());
                    after
                })
            })
            .collect();
    }
    let commutes = book.operations.get(&inst.op).is_some_and(|op| op.commutes);
    if commutes && !is_symmetric(row, &inst.args) {
        let swapped = all.clone().into_iter().map(|mut inst| {
            inst.args.swap(0, 1);
            inst
        });
        all.extend(swapped.collect::<Vec<_>>());
    }
    all
}

/// Whether swapping the first two operands matches the same instructions.
fn is_symmetric(row: &Row, args: &[Term]) -> bool {
    let names = row.pattern().names();
    let is_free = |term: &Term| match term {
        Term::Var(name) | Term::Any(Any { name, .. }) => names.contains(&(name.clone(), 1)),
        _ => false,
    };
    let (a, b) = (&args[0], &args[1]);
    a == b || *b == Term::Neg(Box::new(a.clone())) || is_free(a) && is_free(b)
}

/// The numbers of a row's names.
struct Numbers(Vec<String>);

impl Numbers {
    fn of(row: &Row) -> Self {
        Self(row.pattern().names().into_iter().map(|(name, _)| name).collect())
    }

    fn of_name(&self, name: &str) -> Result<Literal, String> {
        let found = self.0.iter().position(|known| known == name);
        found.map(length).ok_or_else(|| format!("the pattern has no `{name}`"))
    }

    fn patterns(&self, terms: &[Term], seen: &mut Vec<String>) -> Result<TokenStream, String> {
        let all = terms.iter().map(|term| self.pattern(term, seen));
        let all = all.collect::<Result<Vec<_>, _>>()?;
        Ok(quote!(&[#(#all),*]))
    }

    fn pattern(&self, term: &Term, seen: &mut Vec<String>) -> Result<TokenStream, String> {
        Ok(match term {
            Term::Var(name) if !seen.contains(name) => {
                seen.push(name.clone());
                let of = self.of_name(name)?;
                quote!(Pattern::Bind(#of))
            }
            Term::Var(name) => self.again(name, false)?,
            Term::Constant(name) if seen.contains(name) => self.again(name, false)?,
            Term::Constant(name) => {
                seen.push(name.clone());
                let of = self.of_name(name)?;
                quote!(Pattern::Constant(#of))
            }
            Term::Number(number) => {
                let bits = hex(number.bits(), 1);
                quote!(Pattern::Bits(#bits))
            }
            Term::Any(any) => {
                let (of, is_signed) = (self.of_name(&any.name)?, any.is_signed);
                quote!(Pattern::Any(#of, #is_signed))
            }
            Term::Inst(inst) => self.inner(inst, false, seen)?,
            Term::Neg(negated) => match negated.as_ref() {
                Term::Inst(inst) => self.inner(inst, true, seen)?,
                Term::Var(name) if seen.contains(name) => self.again(name, true)?,
                _ => {
                    let text = "in a pattern, a sign stands before an operation or what is known";
                    return Err(text.to_owned());
                }
            },
            Term::Abs(_) | Term::Call { .. } => return Err("this is not a pattern".to_owned()),
        })
    }

    /// A value that is already bound.
    fn again(&self, name: &str, is_negated: bool) -> Result<TokenStream, String> {
        let of = self.of_name(name)?;
        Ok(quote!(Pattern::Again(#of, #is_negated)))
    }

    fn inner(
        &self,
        inst: &Inst,
        is_negated: bool,
        seen: &mut Vec<String>,
    ) -> Result<TokenStream, String> {
        let (op, is_alone, args) = (op(&inst.op), inst.alone, self.patterns(&inst.args, seen)?);
        Ok(quote! {
            Pattern::Inst {
                op: #op, is_negated: #is_negated, is_alone: #is_alone, args: #args,
            }
        })
    }

    /// A term of the result.
    fn made(&self, term: &Term) -> Result<TokenStream, String> {
        Ok(match term {
            Term::Var(name) | Term::Constant(name) => self.operand(name, false, false)?,
            Term::Number(number) => {
                let bits = hex(number.bits(), 1);
                quote!(Made::Bits(#bits))
            }
            Term::Neg(negated) => match negated.as_ref() {
                Term::Var(name) => self.operand(name, true, false)?,
                Term::Abs(positive) => self.absolute(positive, true)?,
                _ => return Err("in a result, a sign stands before a value".to_owned()),
            },
            Term::Abs(positive) => self.absolute(positive, false)?,
            Term::Any(any) => {
                let (of, output) = (self.of_name(&any.name)?, output(any.output));
                quote!(Made::Same { of: #of, output: #output })
            }
            Term::Inst(inst) => {
                let args = inst.args.iter().map(|arg| self.made(arg));
                let args = args.collect::<Result<Vec<_>, _>>()?;
                let (op, output) = (op(&inst.op), output(inst.output));
                quote!(Made::Inst { op: #op, output: #output, args: &[#(#args),*] })
            }
            Term::Call { name: function, args } => match args.as_slice() {
                [Term::Constant(name)] => {
                    let (function, of) = (token(function), self.of_name(name)?);
                    quote!(Made::Computed(#function, #of))
                }
                _ => return Err("a function of one constant is computed".to_owned()),
            },
        })
    }

    fn absolute(&self, positive: &Term, is_negated: bool) -> Result<TokenStream, String> {
        match positive {
            Term::Var(name) => self.operand(name, is_negated, true),
            _ => Err("the absolute value is that of a value".to_owned()),
        }
    }

    fn operand(&self, name: &str, neg: bool, abs: bool) -> Result<TokenStream, String> {
        let of = self.of_name(name)?;
        Ok(quote!(Made::Operand { of: #of, neg: #neg, abs: #abs }))
    }
}
