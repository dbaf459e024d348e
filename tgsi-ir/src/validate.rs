//! The validator: what is wrong with a shader, beyond what a reader notices.
//!
//! [`Profile::Mesa`] asks exactly what the sanity checker of Mesa 21.2 asks, in its words and order:
//! acceptance, errors and warnings are the same. [`Profile::Full`] also asks what that checker leaves
//! out and a user wants to know; its messages are our own. Every finding has a stable [`Code`], whose
//! documentation is the list of rules.
//!
//! ```
//! use tgsi_ir::validate::{Code, Profile, validate};
//! use tgsi_ir::{Instruction, Opcode, Processor, Shader};
//!
//! let mut shader = Shader::new(Processor::Vertex);
//! shader.instructions.push(Instruction::new(Opcode::Nop));
//! let findings = validate(&shader, Profile::Full);
//! assert_eq!(findings[0].code, Code::MissingEnd);
//! ```

mod code;
mod context;
mod diagnostic;
mod example;
mod full;
mod mesa;
mod omitted;
mod registers;

use crate::entry::{own_place, with_main};
use crate::{Dialect, Shader};

pub use crate::place::Place;
pub use code::{Code, Severity};
pub use diagnostic::{Diagnostic, MAX_DIAGNOSTICS, Related};
pub use omitted::{Omitted, Statement};

/// Which rules are asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// Those of Mesa's sanity checker, with its messages.
    Mesa,
    /// All of them.
    #[default]
    Full,
}

/// All findings about `shader` as one of today's: in stream order for [`Profile::Mesa`], rule by rule otherwise.
pub fn validate(shader: &Shader, profile: Profile) -> Vec<Diagnostic> {
    validate_in(shader, profile, Dialect::default())
}

/// As [`validate`], about a shader of a dialect: of an old one, the rules that its document states hold, and what
/// is gone since is no fault. Mesa's rules are those of today.
pub fn validate_in(shader: &Shader, profile: Profile, dialect: Dialect) -> Vec<Diagnostic> {
    match profile {
        Profile::Mesa => mesa::validate(shader),
        Profile::Full => match with_main(shader, dialect) {
            None => full::validate(shader, dialect),
            Some((shader, origins)) => {
                let mut findings = full::validate(&shader, dialect);
                findings
                    .iter_mut()
                    .for_each(|one| one.move_places(|place| own_place(place, &origins)));
                findings
            }
        },
    }
}

/// As [`validate_in`] with all rules, about a shader that its reader left statements out of: without the findings
/// that may follow from that alone.
pub fn validate_rest(shader: &Shader, dialect: Dialect, omitted: &Omitted) -> Vec<Diagnostic> {
    if omitted.is_everything() {
        return Vec::new();
    }
    let mut findings = validate_in(shader, Profile::Full, dialect);
    findings.retain(|finding| !omitted.explains(finding, shader));
    findings
}

/// Whether none of `findings` is an error.
pub fn is_valid(findings: &[Diagnostic]) -> bool {
    findings.iter().all(|finding| finding.code.severity() != Severity::Error)
}

#[cfg(test)]
mod tests;
