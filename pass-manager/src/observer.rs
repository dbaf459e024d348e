//! How a caller sees forms between passes.

use crate::{Forms, PassId};

/// Receives dumps and judges forms; `()` does neither.
pub trait Observer<L: Forms> {
    /// Called after `pass` when [`Options::print_after`](crate::Options::print_after) names it.
    fn dump(&mut self, pass: PassId, form: L::View<'_>) {
        let _ = (pass, form);
    }

    /// Verifies the form that `pass` has changed or made, if [`Options::verify_each`](crate::Options::verify_each) is
    /// set.
    ///
    /// # Errors
    /// A description of the problem with the form.
    fn verify(&mut self, pass: PassId, form: L::View<'_>) -> Result<(), String> {
        let _ = (pass, form);
        Ok(())
    }
}

impl<L: Forms> Observer<L> for () {}
