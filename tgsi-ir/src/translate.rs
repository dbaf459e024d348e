//! Carrying shaders between the generations of the language.
//!
//! [`translate`] rewrites what another dialect says differently, and refuses what it cannot say, place
//! by place. Opcodes that kept their name but changed their meaning are rewritten to give the old
//! results: `RSQ` took the absolute value until Mesa 9.1, `IF` tested bits rather than a float,
//! `ROUND` rounded halves up. Where a difference remains for unusual values only (a NaN, a shift by
//! more than 31), the [`Translation`] has a [`Note`] rather than slower code.

mod check;
mod older;
mod today;

use crate::modernise::Inexpressible;
use crate::validate::Place;
use crate::{Dialect, Shader};

pub use check::check_dialect;

/// A shader in another dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The shader.
    pub shader: Shader,
    /// Where results may differ for unusual values; places are those of the shader it comes from.
    pub notes: Vec<Note>,
}

/// A remaining difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where.
    pub place: Place,
    /// What differs.
    pub message: &'static str,
}

/// The shader `shader`, written for `from`, in the dialect `to`.
///
/// # Errors
/// Everything that `to` cannot say.
pub fn translate(
    shader: &Shader,
    from: Dialect,
    to: Dialect,
) -> Result<Translation, Vec<Inexpressible>> {
    if from == to {
        let problems = check_dialect(shader, to);
        let shader = shader.clone();
        return finish(Translation { shader, notes: Vec::new() }, problems);
    }
    let mut translation = today::to_today(shader, from)?;
    if to != Dialect::Y2021 {
        let older = older::from_today(&translation.shader)?;
        translation.shader = older.shader;
        translation.notes.extend(older.notes);
    }
    let problems = check_dialect(&translation.shader, to);
    finish(translation, problems)
}

fn finish(
    translation: Translation,
    problems: Vec<Inexpressible>,
) -> Result<Translation, Vec<Inexpressible>> {
    if problems.is_empty() { Ok(translation) } else { Err(problems) }
}

#[cfg(test)]
mod tests;
