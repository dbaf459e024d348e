//! Semantics as Rust.

use std::fmt::Write as _;

use super::book::Book;
use super::terms::Term;
use crate::codegen::names::camel_case;

/// The module with the evaluator.
pub(super) fn source(book: &Book) -> Result<String, String> {
    let mut out = String::from(
        "use r600_isa::AluOp;\n\nuse crate::semantics::functions::*;\n\n\
         /// The bits that `op` gives for its sources; `None` where nothing says what it computes.\n\
         pub(crate) fn evaluate(op: AluOp, [a, b, c]: [u32; 3]) -> Option<u32> {\n    Some(match op {\n",
    );
    for (name, operation) in &book.operations {
        let _ = writeln!(out, "AluOp::{} => {},", camel_case(name), rust(&operation.semantics)?);
    }
    out.push_str("_ => return None,\n})\n}\n");
    Ok(out)
}

/// A term as a statement: nothing is around it to be kept apart from.
pub(super) fn statement(term: &Term) -> Result<String, String> {
    rust(term).map(bare)
}

fn bare(text: String) -> String {
    match text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        Some(inner) => inner.to_owned(),
        None => text,
    }
}

/// A term of the semantics, with values as variables of the same names.
pub(super) fn rust(term: &Term) -> Result<String, String> {
    let (name, args) = match term {
        Term::Var(name) | Term::Constant(name) => return Ok(name.clone()),
        Term::Number(number) => return Ok(format!("{:#x}", number.bits())),
        Term::Call { name, args } => (name.as_str(), args),
        Term::Neg(_) | Term::Abs(_) | Term::Inst(_) | Term::Any(_) => {
            return Err("semantics are made of functions".to_owned());
        }
    };
    let args = args.iter().map(rust).collect::<Result<Vec<_>, _>>()?;
    Ok(match (name, args.as_slice()) {
        ("if", [test, yes, no]) => {
            format!("if {} {{ {yes} }} else {{ {no} }}", bare(test.clone()))
        }
        ("and", [a, b]) => format!("({a} && {b})"),
        ("or", [a, b]) => format!("({a} || {b})"),
        ("not", [a]) => format!("!{a}"),
        _ => format!("{name}({})", args.join(", ")),
    })
}
