//! How a caller sees forms between passes.

use crate::{Forms, PassId};

/// Receives dumps and judges forms; `()` does neither.
pub trait Observer<L: Forms> {
    /// Called after `pass` when [`Options::print_after`](crate::Options::print_after) names it.
    fn dump(&mut self, pass: PassId, form: L::View<'_>) {
        let _ = (pass, form);
    }

    /// Judges what `pass` has changed or made, when [`Options::verify_each`](crate::Options::verify_each) is set.
    ///
    /// # Errors
    /// What is wrong with the form, in words.
    fn verify(&mut self, pass: PassId, form: L::View<'_>) -> Result<(), String> {
        let _ = (pass, form);
        Ok(())
    }
}

impl<L: Forms> Observer<L> for () {}
