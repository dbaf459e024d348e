//! Rows on a lattice of edge-case values: for rows that no solver decides, and to show that each condition is needed.

use crate::codegen::rewrites::book::Book;
use crate::codegen::rewrites::terms::Term;

use super::claim::Claim;
use super::concrete::{Names, Trial, holds};
use super::domain::Outputs;

/// Edge cases of floats and integers, the most useful first.
const EDGES: [u32; 32] = [
    0x0000_0000, // 0
    0x8000_0000, // -0, the least integer
    0x3f80_0000, // 1
    0x7fc0_0000, // NaN
    0x7f80_0000, // infinity
    0xffff_ffff, // -1, a NaN
    0x7f4c_cccd, // 2.7e38
    0x0000_0001, // the least denormal, 1
    0xbfc0_0000, // -1.5
    0x4040_0000, // 3
    0xff80_0000, // -infinity
    0xbf80_0000, // -1
    0x3f00_0000, // 0.5
    0x7eff_ffff, // 1.7e38
    0x7f7f_ffff, // the greatest float
    0x0080_0000, // the least normal
    0x0000_0003, // 3
    0x8000_0001, // the greatest negative denormal
    0x7fff_ffff, // the greatest integer
    0x4000_0000, // 2
    0x3e80_0000, // 0.25
    0x007f_ffff, // the greatest denormal
    0xff7f_ffff, // the least float
    0x3f7f_ffff, // below 1
    0x3f80_0001, // above 1
    0x4b80_0001, // above 2^24
    0x0000_0020, // 32
    0xffff_fffe, // -2
    0x4f00_0000, // 2^31
    0xc020_0000, // -2.5
    0x0100_0001, // above twice the least normal
    0x3eaa_aaab, // a third
];

/// A point where a row is wrong.
pub(super) struct Counterexample {
    pub(super) outputs: Outputs,
    pub(super) names: Names,
    /// The results of pattern and replacement.
    pub(super) results: [u32; 2],
}

/// The first point of the lattice where `claim` is wrong.
pub(super) fn search(book: &Book, claim: &Claim<'_>) -> Result<Option<Counterexample>, String> {
    let names: Vec<String> =
        claim.row.pattern().names().into_iter().map(|(name, _)| name).collect();
    let values = values(names.len());
    for outputs in claim.outputs(book) {
        let trial = Trial { book, claim, outputs: &outputs };
        let mut places = vec![0; names.len()];
        loop {
            let at: Names =
                names.iter().cloned().zip(places.iter().map(|&place| values[place])).collect();
            if let Some(results) = trial.difference(&at)? {
                return Ok(Some(Counterexample { outputs, names: at, results }));
            }
            if !advance(&mut places, values.len()) {
                break;
            }
        }
    }
    Ok(None)
}

/// The first `count` edge-case values for which all of `tests` hold.
pub(crate) fn constants_with(
    book: &Book,
    tests: &[&Term],
    count: usize,
) -> Result<Vec<u32>, String> {
    let mut found = Vec::new();
    for &bits in &EDGES {
        let mut is_one = true;
        for test in tests {
            is_one &= holds(book, test, bits)?;
        }
        if is_one && found.len() < count {
            found.push(bits);
        }
    }
    if found.is_empty() { Err("no value passes all tests".to_owned()) } else { Ok(found) }
}

/// Advances to the next point; false after the last.
fn advance(places: &mut [usize], end: usize) -> bool {
    for place in places {
        *place += 1;
        if *place < end {
            return true;
        }
        *place = 0;
    }
    false
}

/// The values of each name, for this many names.
fn values(num_names: usize) -> Vec<u32> {
    match num_names {
        0 | 1 => dense(),
        2 => EDGES.to_vec(),
        3 => EDGES[..16].to_vec(),
        _ => EDGES[..8].to_vec(),
    }
}

/// The edge cases, and three floats of each sign and exponent.
fn dense() -> Vec<u32> {
    let mut all = EDGES.to_vec();
    for top in 0..512_u32 {
        all.extend([0, 1, 0x0035_04f3, 0x007f_ffff].map(|fraction| top << 23 | fraction));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book() -> Book {
        Book::read(&crate::workspace::root()).unwrap()
    }

    #[test]
    fn every_row_holds_at_the_edges() {
        let book = book();
        let mut wrong = Vec::new();
        for row in &book.rows {
            if let Some(at) = search(&book, &Claim::of(row)).unwrap() {
                let (names, results) = (at.names, at.results);
                wrong
                    .push(format!("{}: {names:x?} gives {results:x?}, {:?}", row.name, at.outputs));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn every_condition_of_a_row_is_needed() {
        let book = book();
        let claims = book.rows.iter().flat_map(|row| Claim::of(row).weakened());
        let needless: Vec<String> = (claims)
            .filter(|claim| search(&book, claim).unwrap().is_none())
            .map(|claim| claim.name())
            .collect();
        assert_eq!(needless, [""; 0]);
    }
}
