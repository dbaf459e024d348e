//! Token streams of another implementation, beside the repository where they are; and hostile streams.

use serde_json::Value;
use test_support::{files, read, shared, shared_text};
use tgsi_binary::{decode, encode, fuzzing};
use tgsi_ir::Dialect::Y2021;
use tgsi_text::{Style, parse, print};

fn lines(file: &str) -> Vec<Value> {
    let text = shared_text(file).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn words_of(line: &Value) -> Vec<u32> {
    let word = |word: &Value| u32::from_str_radix(&word.as_str().unwrap()[2..], 16).unwrap();
    line["words"].as_array().unwrap().iter().map(word).collect()
}

#[test]
fn recorded_texts_and_words_agree() {
    let lines = lines("vectors/tgsi-tokens.jsonl");
    let mut faults = Vec::new();
    for line in &lines {
        let name = line["name"].as_str().unwrap();
        let words = words_of(line);
        let parsed = parse(line["text"].as_str().unwrap());
        if parsed.has_errors() {
            faults.push(format!("{name}: {}", parsed.diagnostics[0].message));
            continue;
        }
        if encode(&parsed.shader, Y2021).ok().as_ref() != Some(&words) {
            faults.push(format!("{name}: text gives other words"));
        }
        let decoded = decode(&words, Y2021).unwrap();
        if decoded.to_words().unwrap() != words {
            faults.push(format!("{name}: words do not come back"));
        }
        for (key, style) in [("dump", Style::Mesa), ("dump_hex", Style::MesaHex)] {
            if line[key].as_str().is_some_and(|dump| print(&decoded.shader, style) != dump) {
                faults.push(format!("{name}: {key} differs"));
            }
        }
    }
    println!("{} streams, {} faults", lines.len(), faults.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn recorded_dumps_of_unusual_streams_agree() {
    let lines = lines("vectors/tgsi-binary-dump.jsonl");
    let mut faults = Vec::new();
    for line in &lines {
        let words = words_of(line);
        let name = line["name"].as_str().unwrap();
        match decode(&words, Y2021) {
            Ok(decoded) => {
                if print(&decoded.shader, Style::Mesa) != line["dump"].as_str().unwrap() {
                    let got = print(&decoded.shader, Style::Mesa);
                    faults.push(format!("{name}: dump differs\n{got}--- want\n{}", line["dump"]));
                }
                assert_eq!(decoded.to_words().unwrap(), words, "{name}");
            }
            Err(error) => faults.push(format!("{name}: {error}")),
        }
    }
    println!("{} streams, {} faults", lines.len(), faults.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_corpus_goes_through_words_unchanged() {
    let Some(folder) = shared("corpus/tgsi") else { return };
    let mut count = 0;
    for path in files(&folder, "tgsi") {
        let text = read(&path);
        let words = encode(&parse(&text).shader, Y2021).unwrap();
        let decoded = decode(&words, Y2021).unwrap();
        assert!(print(&decoded.shader, Style::Mesa) == text);
        assert_eq!(decoded.to_words().unwrap(), words);
        count += 1;
    }
    println!("{count} shaders of the corpus");
    assert_eq!(count, 437);
}

#[test]
fn hostile_streams_are_errors_or_round_trip() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as u32
    };
    let mut read = 0;
    for _ in 0..10_000 {
        let len = next() % 24;
        let mut words = vec![2 | len << 8, next() & 7];
        // Token types are kept small, so that some streams can be read.
        words.extend((0..len).map(|_| next() & !0xC));
        assert_eq!(fuzzing::find_fault(&words), None, "{words:08x?}");
        read += usize::from(decode(&words, Y2021).is_ok());
    }
    println!("10000 random streams in 6 forms, {read} of them readable as 21.2");
    assert!(read > 100);
}
