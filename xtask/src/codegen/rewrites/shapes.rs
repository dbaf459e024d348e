//! Rows as shapes, from which the comparison with the interpreter builds matching shaders.

use proc_macro2::TokenStream;
use quote::quote;

use super::book::{Book, Fact, Row, Under};
use super::terms::{Any, Inst, Term};
use crate::codegen::rust::{array, docs, hex, length, number, table, token, variant_of, variants};
use crate::prove;

/// Constants to try for a compile-time constant.
const NUM_CONSTANTS: usize = 4;

/// The module with the shapes.
pub(super) fn tokens(book: &Book) -> Result<TokenStream, String> {
    let facts = book.facts.iter().map(fact);
    let row = |row: &Row| {
        let shape = Shape { book, row, names: row.pattern().names() };
        let (name, pattern) = (&row.name, shape.inst(&row.from)?);
        let (exact, clamped) = (row.takes.is_empty(), row.under == Some(Under::Clamp));
        Ok(quote! {
            RowShape { name: #name, is_exact: #exact, is_clamped: #clamped, pattern: #pattern }
        })
    };
    let rows = book.rows.iter().map(row).collect::<Result<Vec<_>, String>>()?;
    let rows = table("ROWS", quote!(RowShape), &rows);
    Ok(quote! {
        use r600_isa::AluOp;
        use crate::rows::{Fact, RowShape, Term};
        #(#facts)*
        /// Every row.
        #rows
    })
}

fn fact(fact: &Fact) -> TokenStream {
    let (about, name) = (docs(&fact.doc), token(&fact.name.to_uppercase()));
    let [given_by, through] =
        [&fact.given_by, &fact.through].map(|names| array(variants("AluOp", names)));
    quote! {
        #about
        pub(crate) static #name: Fact = Fact { given_by: &#given_by, through: &#through };
    }
}

/// A row while its shape is built.
struct Shape<'a> {
    book: &'a Book,
    row: &'a Row,
    names: Vec<(String, usize)>,
}

impl Shape<'_> {
    fn number(&self, name: &str) -> Result<usize, String> {
        let found = self.names.iter().position(|(known, _)| known == name);
        found.ok_or_else(|| format!("the pattern has no `{name}`"))
    }

    /// The conditions on a name, whether for correctness or for profit.
    fn asked<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'b str> {
        let guards = self.row.when.iter().chain(&self.row.worth);
        guards.filter(move |guard| guard.of == name).map(|guard| guard.name.as_str())
    }

    fn term(&self, term: &Term) -> Result<TokenStream, String> {
        Ok(match term {
            Term::Var(name) => {
                let number = length(self.number(name)?);
                let is_fact = |asked: &&str| self.book.facts.iter().any(|fact| fact.name == *asked);
                match self.asked(name).find(is_fact).map(|fact| token(&fact.to_uppercase())) {
                    Some(fact) => quote!(Term::Known(#number, &#fact)),
                    None => quote!(Term::Value(#number)),
                }
            }
            Term::Constant(name) => {
                let tests = self.asked(name).map(|asked| self.book.holds(asked));
                let tests = tests.collect::<Result<Vec<_>, _>>()?;
                let constants = prove::constants_with(self.book, &tests, NUM_CONSTANTS)?;
                let (name, constants) =
                    (length(self.number(name)?), constants.into_iter().map(number));
                quote!(Term::Constant(#name, &[#(#constants),*]))
            }
            Term::Number(number) => {
                let bits = hex(number.bits(), 1);
                quote!(Term::Bits(#bits))
            }
            Term::Neg(negated) => {
                let negated = self.term(negated)?;
                quote!(Term::Negated(&#negated))
            }
            Term::Any(Any { name, is_signed, .. }) => {
                let name = length(self.number(name)?);
                quote!(Term::Any(#name, #is_signed))
            }
            Term::Inst(inst) => self.inst(inst)?,
            Term::Abs(_) | Term::Call { .. } => return Err("this is not a pattern".to_owned()),
        })
    }

    fn inst(&self, inst: &Inst) -> Result<TokenStream, String> {
        let args = inst.args.iter().map(|arg| self.term(arg)).collect::<Result<Vec<_>, _>>()?;
        let op = variant_of("AluOp", &inst.op);
        Ok(quote!(Term::Inst(#op, &[#(#args),*])))
    }
}
