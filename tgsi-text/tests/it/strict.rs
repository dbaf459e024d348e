//! Compares the strict mode with what Mesa's own reader said to the same texts.

use serde_json::Value;
use test_support::{files, read, shared, shared_text};
use tgsi_text::mesa::{judge, mesa_position};

fn lines(file: &str) -> Vec<Value> {
    let text = shared_text(file).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Messages with their places, as Mesa counts.
fn errors(text: &str) -> Vec<(String, Option<(u64, u64)>)> {
    let place = |message: &str, offset| {
        // This one message comes without a place.
        let (line, column) = mesa_position(text, offset);
        (!message.starts_with("Unknown property :")).then_some((line as u64, column as u64))
    };
    let errors = judge(text).errors.into_iter();
    errors.map(|error| (error.message.clone(), place(&error.message, error.offset))).collect()
}

#[test]
fn errors_are_mesas_to_the_letter() {
    let lines = lines("vectors/tgsi-text-errors.jsonl");
    let mut faults = Vec::new();
    let (mut refused, mut crashes) = (0, 0);
    for line in &lines {
        let text = line["text"].as_str().unwrap();
        let accepted = judge(text).is_accepted;
        let Some(want) = line["accepted"].as_bool() else {
            // Mesa crashes: an error it is.
            crashes += 1;
            faults.extend(accepted.then(|| format!("{}: accepted", line["name"])));
            continue;
        };
        let recorded: Vec<(String, Option<(u64, u64)>)> = line["errors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|error| {
                let place = error["line"].as_u64().zip(error["column"].as_u64());
                (error["message"].as_str().unwrap().to_owned(), place)
            })
            .collect();
        if accepted != want || errors(text) != recorded {
            faults.push(format!(
                "{}: {accepted} {:?}, not {recorded:?}",
                line["name"],
                errors(text)
            ));
        }
        refused += usize::from(!want);
    }
    println!(
        "{} texts: {refused} refused, {crashes} crash Mesa; {} faults",
        lines.len(),
        faults.len()
    );
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_mesa_reads_is_accepted() {
    let mut count = 0;
    for file in ["vectors/tgsi-tokens.jsonl", "vectors/tgsi-sanity.jsonl"] {
        for line in lines(file) {
            let verdict = judge(line["text"].as_str().unwrap());
            assert!(verdict.is_accepted, "{}: {:?}", line["name"], verdict.errors);
            count += 1;
        }
    }
    let mut unreadable = 0;
    if let Some(folder) = shared("corpus/tgsi") {
        for path in files(&folder, "tgsi") {
            let text = read(&path);
            let verdict = judge(&text);
            // Mesa prints infinities and NaNs that it cannot read back.
            let is_own_fault =
                text.contains("   inf") || text.contains("  -inf") || text.contains("nan");
            assert_eq!(
                verdict.is_accepted,
                !is_own_fault,
                "{}: {:?}",
                path.display(),
                verdict.errors
            );
            count += usize::from(verdict.is_accepted);
            unreadable += usize::from(!verdict.is_accepted);
        }
    }
    println!("{count} texts accepted, {unreadable} that Mesa printed and cannot read");
}
