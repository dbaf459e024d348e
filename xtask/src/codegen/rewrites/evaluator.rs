//! Semantics as Rust.

use proc_macro2::TokenStream;
use quote::quote;

use super::book::Book;
use super::terms::Term;
use crate::codegen::rust::{hex, token, variant};

/// The module with the evaluator.
pub(super) fn tokens(book: &Book) -> Result<TokenStream, String> {
    let arms = book.operations.iter().map(|(name, operation)| {
        let (name, value) = (variant(name), expression(&operation.semantics)?);
        Ok(quote!(AluOp::#name => #value,))
    });
    let arms = arms.collect::<Result<Vec<_>, String>>()?;
    Ok(quote! {
        use r600_isa::AluOp;
        use crate::semantics::functions::*;
        /// The bits that `op` gives for its sources; `None` where nothing says what it computes.
        pub(crate) fn evaluate(op: AluOp, [a, b, c]: [u32; 3]) -> Option<u32> {
            Some(match op { #(#arms)* _ => return None })
        }
    })
}

/// A term of the semantics, with values as variables of the same names.
pub(super) fn expression(term: &Term) -> Result<TokenStream, String> {
    let (name, args) = match term {
        Term::Var(name) | Term::Constant(name) => return Ok(token(name)),
        Term::Number(number) => return Ok(hex(number.bits(), 1)),
        Term::Call { name, args } => (name.as_str(), args),
        Term::Neg(_) | Term::Abs(_) | Term::Inst(_) | Term::Any(_) => {
            return Err("semantics are made of functions".to_owned());
        }
    };
    let values = args.iter().map(expression).collect::<Result<Vec<_>, _>>()?;
    Ok(match (name, values.as_slice()) {
        ("if", [test, yes, no]) => quote!(if #test { #yes } else { #no }),
        ("and", _) => joined(args, quote!(&&))?,
        ("or", _) => joined(args, quote!(||))?,
        ("not", [_]) => {
            let value = operand(&args[0])?;
            quote!(!#value)
        }
        _ => {
            let name = token(name);
            quote!(#name(#(#values),*))
        }
    })
}

/// Joins two conditions by an operator.
fn joined(args: &[Term], operator: TokenStream) -> Result<TokenStream, String> {
    let [a, b] = args else { return Err("`and` and `or` join two conditions".to_owned()) };
    let (a, b) = (operand(a)?, operand(b)?);
    Ok(quote!(#a #operator #b))
}

/// A condition as an operand of an operator, in parentheses if it contains an operator itself.
fn operand(term: &Term) -> Result<TokenStream, String> {
    let value = expression(term)?;
    let is_joined = matches!(term, Term::Call { name, .. } if name == "and" || name == "or");
    Ok(if is_joined { quote!((#value)) } else { value })
}
