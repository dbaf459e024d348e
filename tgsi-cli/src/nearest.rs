//! The name that a misspelt one probably means.

/// The nearest of `names`, where it is near enough to be meant.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let name = name.to_ascii_lowercase();
    let scored = names.map(|own| (strsim::damerau_levenshtein(&name, own), own));
    let (distance, own) = scored.min()?;
    (distance <= name.len().div_ceil(3)).then_some(own)
}
