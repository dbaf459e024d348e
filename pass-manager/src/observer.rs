//! How a caller sees a unit between passes.

use crate::{PassId, Unit};

/// Receives dumps and judges units; `()` does neither.
pub trait Observer<U: Unit> {
    /// Called after `pass` when [`Options::print_after`](crate::Options::print_after) names it.
    fn dump(&mut self, pass: PassId, unit: &U) {
        let _ = (pass, unit);
    }

    /// Judges `unit` after `pass` changed it, when
    /// [`Options::verify_each`](crate::Options::verify_each) is set.
    ///
    /// # Errors
    /// What is wrong with the unit, in words.
    fn verify(&mut self, pass: PassId, unit: &U) -> Result<(), String> {
        let _ = (pass, unit);
        Ok(())
    }
}

impl<U: Unit> Observer<U> for () {}
