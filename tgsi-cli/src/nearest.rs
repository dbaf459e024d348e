//! Finds the name that a misspelt one was probably meant to be.

/// The nearest of `names`, if it is close enough.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let name = name.to_ascii_lowercase();
    let scored = names.map(|own| (strsim::damerau_levenshtein(&name, own), own));
    let (distance, own) = scored.min()?;
    (distance <= name.len().div_ceil(3)).then_some(own)
}
