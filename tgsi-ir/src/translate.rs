//! Translates shaders between the generations of the language.
//!
//! [`translate`] rewrites constructs that differ in the target dialect, and reports every construct that it cannot
//! express. Opcodes that kept their name but changed their meaning are rewritten to give the old results: `RSQ` took
//! the absolute value until Mesa 9.1, `IF` tested bits rather than a float, `ROUND` rounded halves up. If a difference
//! remains for unusual values only (a NaN, a shift by more than 31), the [`Translation`] has a [`Note`] rather than
//! slower code.

mod check;
mod meaning;
mod older;
mod today;

use crate::modernise::Inexpressible;
use crate::place::Place;
use crate::{Authority, Dialect, Shader};

pub use crate::origins::Origins;
pub use check::check_dialect;
pub(crate) use check::missing_words;

/// A shader in another dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The shader.
    pub shader: Shader,
    /// Where results may differ for unusual values; places refer to the original shader.
    pub notes: Vec<Note>,
    /// The origin of each part of the shader.
    pub origins: Origins,
}

/// A remaining difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The place.
    pub place: Place,
    /// The difference.
    pub message: &'static str,
    /// Whether the document is followed where Mesa behaved differently.
    pub is_of_document: bool,
}

/// Translates `shader` from the dialect `from` to the dialect `to`. Its meaning is that of the document of `from`.
///
/// # Errors
/// Every construct that `to` cannot express.
pub fn translate(
    shader: &Shader,
    from: Dialect,
    to: Dialect,
) -> Result<Translation, Vec<Inexpressible>> {
    translate_by(shader, (from, Authority::Document), to)
}

/// As [`translate`], with the meaning that `authority` defines.
///
/// # Errors
/// As [`translate`].
pub fn translate_by(
    shader: &Shader,
    (from, authority): (Dialect, Authority),
    to: Dialect,
) -> Result<Translation, Vec<Inexpressible>> {
    if from == to {
        let problems = check_dialect(shader, to);
        let (shader, origins) = (shader.clone(), Origins::same(shader));
        return finish(Translation { shader, notes: Vec::new(), origins }, problems);
    }
    let mut translation = today::to_today(shader, from, authority)?;
    if to != Dialect::Y2021 {
        let older = older::from_today(&translation.shader, to, authority)?;
        translation.notes.extend(older.notes.into_iter().filter_map(|note| {
            let place = translation.origins.place(note.place)?;
            Some(Note { place, ..note })
        }));
        translation.origins = translation.origins.then(&older.origins);
        translation.shader = older.shader;
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
