//! The validator: finds errors in a shader beyond those that a reader reports.
//!
//! [`Profile::Mesa`] checks exactly what the sanity checker of Mesa 21.2 checks, with the same messages in the same
//! order: acceptance, errors and warnings are the same. [`Profile::Full`] also checks what that checker leaves out; its
//! messages are our own. Every finding has a stable [`Code`], whose documentation lists the rules.
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

/// The rules to check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// The rules of Mesa's sanity checker, with its messages.
    Mesa,
    /// All rules.
    #[default]
    Full,
}

/// All findings about `shader` in today's dialect: in stream order for [`Profile::Mesa`], rule by rule otherwise.
pub fn validate(shader: &Shader, profile: Profile) -> Vec<Diagnostic> {
    validate_in(shader, profile, Dialect::default())
}

/// As [`validate`], for a shader of a dialect. An old dialect is checked by the rules of its document; constructs
/// removed since are no error. Mesa's rules are always today's.
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

/// As [`validate_in`] with all rules, for a shader from which its reader omitted statements. It leaves out findings
/// that the omission alone may cause.
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
