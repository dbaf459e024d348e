//! The documents on the shader languages, statement by statement.
//!
//! `tests/documents/*.ron` list what each document states, by its sections, with an input that shows it and what
//! must come of it; a statement that is not followed says why. The columns of a row depend on the subject: see the
//! modules.

mod maxwell;
mod r600;
mod tgsi;

use std::fmt::Debug;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::common::root;

/// What a document states.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List<R> {
    document: String,
    /// That of its shaders.
    dialect: Option<String>,
    sections: Vec<Section<R>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section<R> {
    name: String,
    rows: Vec<R>,
}

fn read_list<R: DeserializeOwned>(name: &str) -> List<R> {
    read_ron(&format!("tgsi-cli/tests/documents/{name}"))
}

/// A file by its path from the root.
fn read_ron<T: DeserializeOwned>(path: &str) -> T {
    let text = std::fs::read_to_string(root().join(path)).expect("the list can be read");
    let options =
        ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    options.from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

impl<R> List<R> {
    fn rows(&self) -> impl Iterator<Item = &R> {
        self.sections.iter().flat_map(|section| &section.rows)
    }

    /// Fails with every row that is not as it says. `judge` gives what a row says, whether it departs, and its
    /// fault.
    fn judge<'r>(&'r self, judge: impl Fn(&'r R) -> (&'r str, bool, Result<(), String>)) {
        let (mut count, mut departures) = (0, 0);
        let mut faults = Vec::new();
        for section in &self.sections {
            for row in &section.rows {
                let (says, departs, fault) = judge(row);
                count += 1;
                departures += usize::from(departs);
                let place = || format!("{}, {}: {says}", self.document, section.name);
                faults.extend(fault.err().map(|fault| format!("{}: {fault}", place())));
            }
        }
        println!("{}: {count} statements, {departures} of them not followed", self.document);
        assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    }
}

fn equal<T: PartialEq + Debug>(what: &str, want: T, got: T) -> Result<(), String> {
    if want == got { Ok(()) } else { Err(format!("{what}: want {want:?}, got {got:?}")) }
}

/// The bits that a word of the notation stands for.
fn bits(word: &str) -> Vec<u32> {
    if let Some(double) = word.strip_prefix('d') {
        let bits = double.parse::<f64>().expect("a double").to_bits();
        return vec![bits as u32, (bits >> 32) as u32];
    }
    let plain = word.trim_start_matches('~');
    if let Some(digits) = plain.strip_prefix("0x") {
        return vec![u32::from_str_radix(digits, 16).expect("hexadecimal digits")];
    }
    let is_float = plain.contains(['.', 'n']);
    vec![match is_float {
        true => plain.parse::<f32>().expect("a float").to_bits(),
        false => plain.parse::<i64>().expect("an integer") as u32,
    }]
}

/// Whether each word is what the notation says.
fn agree(want: &str, got: &[u32]) -> Result<(), String> {
    let mut rest = got;
    for word in want.split_whitespace() {
        let len = if word.starts_with('d') { 2 } else { 1 };
        let (words, more) = rest.split_at_checked(len).ok_or("too few words")?;
        rest = more;
        let is_equal = match word {
            "?" => true,
            _ if word.starts_with('~') => {
                let (a, b) = (f32::from_bits(bits(word)[0]), f32::from_bits(words[0]));
                (a - b).abs() <= 1e-6 * a.abs().max(1.0)
            }
            "nan" => f32::from_bits(words[0]).is_nan(),
            _ => bits(word) == words,
        };
        if !is_equal {
            let floats: Vec<f32> = got.iter().take(8).map(|bits| f32::from_bits(*bits)).collect();
            return Err(format!("want {want}, got {:x?} = {floats:?}", &got[..got.len().min(8)]));
        }
    }
    Ok(())
}
