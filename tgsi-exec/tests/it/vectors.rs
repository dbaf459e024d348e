//! Programs with the results that Mesa 21.2 has of them, beside the repository where they are.

mod calls;
mod compare;
mod stub;

use std::collections::BTreeMap;

use serde_json::Value;
use tgsi_exec::{Inputs, Kernel, Outcome, STEP_LIMIT};

use compare::Comparison;
use stub::Stub;

/// What a comparison came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Every bit agrees.
    Exact,
    /// Agrees within what its tags allow.
    WithinTolerance,
    /// Differs, and is tagged as an oddity or as undefined.
    Excused,
    Failed,
}

#[test]
fn recorded_programs_agree() {
    let Some(text) = test_support::shared_text("vectors/tgsi-exec.jsonl") else { return };
    let mut verdicts: BTreeMap<Verdict, Vec<String>> = BTreeMap::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let name = case["name"].as_str().unwrap();
        let (verdict, why) = judge(&case);
        verdicts.entry(verdict).or_default().push(format!("{name}: {why}"));
    }
    let count = |verdict| verdicts.get(&verdict).map_or(0, Vec::len);
    println!(
        "{} programs: {} exact, {} within tolerance, {} excused by tag, {} failed",
        text.lines().count(),
        count(Verdict::Exact),
        count(Verdict::WithinTolerance),
        count(Verdict::Excused),
        count(Verdict::Failed),
    );
    for excused in verdicts.get(&Verdict::Excused).into_iter().flatten() {
        println!("  excused: {excused}");
    }
    let failed = verdicts.remove(&Verdict::Failed).unwrap_or_default();
    assert!(failed.is_empty(), "{} failed\n{}", failed.len(), failed.join("\n"));
}

fn judge(case: &Value) -> (Verdict, String) {
    let tags: Vec<&str> =
        case["tags"].as_array().unwrap().iter().map(|tag| tag.as_str().unwrap()).collect();
    let comparison = match run(case) {
        Ok((outcome, stub)) => compare(case, &outcome, &stub, &tags),
        Err(error) => Comparison::differs(error),
    };
    let is_excused = tags.contains(&"quirk") || tags.contains(&"ub");
    match comparison.fault {
        None if comparison.is_exact => (Verdict::Exact, String::new()),
        None => (Verdict::WithinTolerance, String::new()),
        Some(fault) if is_excused => (Verdict::Excused, fault),
        Some(fault) => (Verdict::Failed, fault),
    }
}

fn run(case: &Value) -> Result<(Outcome, Stub), String> {
    let parsed = tgsi_text::parse(case["text"].as_str().unwrap());
    if let Some(first) = parsed.diagnostics.first() {
        return Err(first.message.clone());
    }
    let kernel = Kernel::new(&parsed.shader).map_err(|error| error.to_string())?;
    let inputs = Inputs {
        registers: registers(&case["inputs"]),
        system_values: registers(&case["sysvals"]),
        vertices: vertices(&case["gs_inputs"]),
        ..Inputs::default()
    };
    let mut stub = Stub::new(case);
    let outcome = kernel.run(&inputs, STEP_LIMIT, &mut stub).map_err(|error| error.to_string())?;
    Ok((outcome, stub))
}

fn word(value: &Value) -> u32 {
    u32::from_str_radix(value.as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
}

fn words(value: &Value) -> Vec<u32> {
    value.as_array().into_iter().flatten().map(word).collect()
}

fn vector(value: &Value) -> [u32; 4] {
    words(value).try_into().unwrap()
}

fn registers(value: &Value) -> Vec<[[u32; 4]; 4]> {
    let lanes = |register: &Value| {
        let lanes: Vec<_> = register.as_array().unwrap().iter().map(vector).collect();
        lanes.try_into().unwrap()
    };
    value.as_array().into_iter().flatten().map(lanes).collect()
}

/// `IN[vertex][register]`.
fn vertices(value: &Value) -> Vec<Vec<[u32; 4]>> {
    let mut vertices: Vec<Vec<[u32; 4]>> = Vec::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        let numbers = name.trim_start_matches("IN[").trim_end_matches(']').split_once("][");
        let (vertex, register) = numbers.unwrap();
        let (vertex, register): (usize, usize) =
            (vertex.parse().unwrap(), register.parse().unwrap());
        if vertices.len() <= vertex {
            vertices.resize(vertex + 1, Vec::new());
        }
        if vertices[vertex].len() <= register {
            vertices[vertex].resize(register + 1, [0; 4]);
        }
        vertices[vertex][register] = vector(value);
    }
    vertices
}

fn compare(case: &Value, outcome: &Outcome, stub: &Stub, tags: &[&str]) -> Comparison {
    let mut comparison = Comparison::new(tags);
    let number = |name: &str| -> usize {
        name.trim_start_matches("OUT[").trim_end_matches(']').parse().unwrap()
    };
    for (name, lanes) in case["outputs"].as_object().unwrap() {
        for (lane, want) in lanes.as_array().unwrap().iter().enumerate() {
            // Mesa's run has outputs, all zero, that the program never names.
            let got = outcome.outputs.get(number(name)).map_or([0; 4], |quad| quad[lane]);
            comparison.vector(&format!("{name} lane {lane}"), Some(got), vector(want));
        }
    }
    let killed = word(&case["kill_mask"]);
    comparison.same("kill mask", &u32::from(outcome.killed), &killed);
    comparison.bytes("buffers", &stub.buffers, &case["buffers_after"]);
    if case["memory_after"].is_array() {
        comparison.same("memory", &stub::to_words(&stub.memory), &words(&case["memory_after"]));
    }
    for (stream, primitives) in case["streams"].as_object().into_iter().flatten() {
        let got = &outcome.streams[stream.parse::<usize>().unwrap()];
        let primitives = primitives.as_array().unwrap();
        comparison.same("number of primitives", &got.len(), &primitives.len());
        for (got, want) in got.iter().zip(primitives) {
            let want = want.as_array().unwrap();
            comparison.same("number of vertices", &got.len(), &want.len());
            for (got, want) in got.iter().zip(want) {
                for (name, value) in want.as_object().unwrap() {
                    let got = got.get(number(name)).copied();
                    comparison.vector(&format!("vertex {name}"), got, vector(value));
                }
            }
        }
    }
    if case["calls"].is_array() {
        calls::compare(&mut comparison, &stub.calls, case["calls"].as_array().unwrap());
    }
    comparison
}
