//! Carrying shaders between the generations of the language.
//!
//! [`translate`] rewrites what another dialect says differently, and refuses what it cannot say, place
//! by place. Opcodes that kept their name but changed their meaning are rewritten to give the old
//! results: `RSQ` took the absolute value until Mesa 9.1, `IF` tested bits rather than a float,
//! `ROUND` rounded halves up. Where a difference remains for unusual values only (a NaN, a shift by
//! more than 31), the [`Translation`] has a [`Note`] rather than slower code.

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
    /// Where results may differ for unusual values; places are those of the shader it comes from.
    pub notes: Vec<Note>,
    /// What each part of the shader comes from.
    pub origins: Origins,
}

/// A remaining difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where.
    pub place: Place,
    /// What differs.
    pub message: &'static str,
    /// Whether the document is obeyed where Mesa did otherwise.
    pub is_of_document: bool,
}

/// The shader `shader`, written for `from`, in the dialect `to`. It means what the document of `from` says.
///
/// # Errors
/// Everything that `to` cannot say.
pub fn translate(
    shader: &Shader,
    from: Dialect,
    to: Dialect,
) -> Result<Translation, Vec<Inexpressible>> {
    translate_by(shader, (from, Authority::Document), to)
}

/// As [`translate`], where the shader means what `authority` says.
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
