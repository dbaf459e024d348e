//! What is said of a text beside its mistakes: what holds for the rest, and nothing that follows from them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tgsi_text::parse;

/// The rules that a text breaks.
fn rules(text: &str) -> Vec<&'static str> {
    parse(text).findings(text).into_iter().map(|one| one.code).collect()
}

/// The number of mistakes of a text, and the rules of the validator that it breaks, with the messages.
fn judged(text: &str) -> (usize, BTreeSet<(&'static str, String)>) {
    let parsed = parse(text);
    let num_mistakes = parsed.mistakes().count();
    let findings = parsed.findings(text).into_iter().skip(num_mistakes);
    (num_mistakes, findings.map(|one| (one.code, one.message)).collect())
}

#[test]
fn statements_that_can_be_read_are_judged() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n\
                MOV OUT[0], TEMP[1]\nMUL OUT[0], IN[0], TMP[0]\nTEX OUT[0], IN[0], SAMP[0], UNKNOWN\nEND\n";
    assert_eq!(rules(text), ["unknown-file", "undeclared-source", "missing-target"]);
    // A broken declaration leaves registers of other files undeclared.
    let text = "FRAG\nDCL OUT[0], COLOUR\nDCL IN[0], GENERIC[0]\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[2]\nEND\n";
    assert_eq!(rules(text), ["unknown-attribute", "undeclared-source"]);
    // Broken arithmetic opens no block, whereas the block of a broken `UIF` is not missed.
    let text = "FRAG\nADD TMP[0]\nENDIF\nEND\n";
    assert_eq!(rules(text), ["unknown-file", "unopened-block"]);
    assert_eq!(rules("FRAG\nUIF TMP[0]\nENDIF\nEND\n"), ["unknown-file"]);
    assert_eq!(rules("FRAG\nUFI TEMP[0]\nENDIF\nEND\n"), ["unknown-statement"]);
}

#[test]
fn a_mistake_is_reported_once() {
    let text = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, x, 0, 0}\nIMM[1] FLT32 {1, 1, 1, 1}\n\
                MOV OUT[0], IMM[1]\nEND\n";
    assert_eq!(rules(text), ["expected-number"]);
    let text = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGEL\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
                PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
                IMM[0] INT32 {0, 0, 0, 0}\nMOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n";
    assert_eq!(rules(text), ["unknown-property-value"]);
    let text = "# dialect: 2031\nFRAG\nMOV OUT[0], IN[0]\n";
    assert_eq!(rules(text), ["unknown-dialect"]);
    let text = "DCL OUT[0], COLOR\nIMM[0] FLT32 {1, 1, 1, 1}\nMOV OUT[0], IMM[0]\nEND\n";
    assert_eq!(rules(text), ["unknown-header"]);
    let text = "FRAG\nDCL OUT[0], COLOR /* \nIMM[0] FLT32 {1, 1, 1, 1}\nMOV OUT[0], IMM[0]\nEND\n";
    assert_eq!(rules(text), ["unclosed-comment"]);
}

/// Ways to make a line a mistake.
fn broken(line: &str) -> Vec<String> {
    let word = line.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(0);
    let end = line[word..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let end = word + end.unwrap_or(line.len() - word);
    let mut broken = vec![
        "vec4 x;".to_owned(),
        format!("{}Q{}", &line[..end], &line[end..]),
        format!("{} @{}", &line[..end], &line[end..]),
        line.replacen(']', "", 1),
        line.replacen(',', " ?", 1),
    ];
    broken.retain(|one| one != line);
    broken
}

fn shaders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["examples", "difftest/tests/findings", "docs"].map(|folder| root.join(folder));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let files = files.map(|file| file.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|ext| ext == "tgsi")).collect()
}

/// Each line of each shader is broken in several ways, and nothing is found that was not there before.
#[test]
fn nothing_follows_from_a_mistake() {
    let mut tried = 0;
    for path in shaders() {
        let text = fs::read_to_string(&path).unwrap().replace('\r', "");
        if parse(&text).has_errors() {
            continue;
        }
        let (_, known) = judged(&text);
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            for broken in broken(line) {
                let mut lines = lines.clone();
                lines[number] = &broken;
                let text = lines.join("\n");
                let (num_mistakes, found) = judged(&text);
                let new = found.difference(&known).next().filter(|_| num_mistakes > 0);
                let place = format!("{}: {broken}\n{text}", path.display());
                assert_eq!((num_mistakes.saturating_sub(1), new), (0, None), "{place}");
                tried += 1;
            }
        }
    }
    assert!(tried > 1000, "{tried}");
}
