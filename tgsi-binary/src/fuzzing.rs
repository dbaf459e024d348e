//! Properties that must hold for any words: one function for fuzz targets, tests and campaigns.

use tgsi_ir::Dialect;

use crate::{Host, TokenFormat, decode, dump, encode};

/// Every stream format.
pub fn formats() -> impl Iterator<Item = TokenFormat> {
    Dialect::ALL.into_iter().flat_map(|dialect| {
        [Host::Little, Host::Big].into_iter().map(move |host| TokenFormat { dialect, host })
    })
}

/// The first property that fails for `words` in any stream format; `None` if all hold.
///
/// A readable stream round-trips bit for bit, its shader round-trips through its own words, and every stream can be
/// listed.
pub fn find_fault(words: &[u32]) -> Option<String> {
    formats().find_map(|format| {
        dump(words, format);
        fault_of(words, format).map(|fault| format!("{format:?}: {fault}"))
    })
}

fn fault_of(words: &[u32], format: TokenFormat) -> Option<String> {
    let Ok(decoded) = decode(words, format) else { return None };
    let back = match decoded.to_words() {
        Ok(back) => back,
        Err(error) => return Some(format!("what was read cannot be written: {error}")),
    };
    if !words.starts_with(&back) {
        return Some("the words do not come back".to_owned());
    }
    let own = encode(&decoded.shader, format).ok()?;
    let again = decode(&own, format);
    let is_same = again.is_ok_and(|again| again.shader == decoded.shader);
    (!is_same).then(|| "the shader does not come back".to_owned())
}
