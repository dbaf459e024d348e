//! What single passes make of small functions.
//!
//! A pass test is one file, `tests/passes/NAME.pass`: in comments the chip, the passes to run in order and, where no
//! float may change, `precise`; then the input, and after `;; after` what the passes leave. The input is SSA; where the
//! first pass is `lower`, it is a shader, and with `machine` among the comments machine IR. `UPDATE_GOLDEN=1` rewrites
//! the expectation.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use r600_codegen::abi::ShaderKey;
use r600_codegen::internals::lower::lower;
use r600_codegen::internals::opt::Goals;
use r600_codegen::internals::ssa::{Function, parse, verify};
use r600_codegen::internals::{Code, run_pass};
use r600_codegen::{Compiler, Limits, OptLevel, Options};
use r600_isa::{Chip, HazardSet};
use test_support::{is_update, read};

const AFTER: &str = ";; after\n";

/// A test as its file has it.
struct PassTest {
    chip: Chip,
    passes: Vec<String>,
    precise: bool,
    is_machine: bool,
    input: String,
    want: String,
}

impl PassTest {
    fn read(text: &str) -> Result<Self, String> {
        let (input, want) = text.split_once(AFTER).unwrap_or((text, ""));
        let (mut chip, mut passes) = (None, Vec::new());
        let (mut precise, mut is_machine) = (false, false);
        for line in input.lines().filter_map(|line| line.strip_prefix("; ")) {
            match line.split_once(": ") {
                Some(("chip", name)) => chip = Chip::from_name(name),
                Some(("run", names)) => passes.extend(names.split(' ').map(str::to_owned)),
                None if line == "precise" => precise = true,
                None if line == "machine" => is_machine = true,
                Some((word, _)) if !word.contains(' ') => {
                    return Err(format!("there is no directive `{word}`"));
                }
                // The first comment says what the test is about.
                _ => {}
            }
        }
        let chip = chip.ok_or("no chip is named")?;
        if passes.is_empty() {
            return Err("no pass is named".to_owned());
        }
        let (input, want) = (input.to_owned(), want.to_owned());
        Ok(Self { chip, passes, precise, is_machine, input, want })
    }

    fn run(&self) -> Result<String, String> {
        let (mut code, passes) = match self.passes.split_first() {
            Some((first, rest)) if first == "lower" => (Code::Ssa(self.lowered()?), rest),
            _ => (self.code()?, &*self.passes),
        };
        for pass in passes {
            let goals = Goals { precise: self.precise };
            code = run_pass(pass, code, goals).map_err(|error| format!("{pass}: {error}"))?;
        }
        Ok(code.to_string())
    }

    fn code(&self) -> Result<Code, String> {
        if self.is_machine {
            let machine = r600_mir::parse(&self.input, self.chip);
            return machine.map(Code::Machine).map_err(|error| error.to_string());
        }
        let function = parse(&self.input, self.chip).map_err(|error| error.to_string())?;
        verify(&function).map_err(|error| error.to_string())?;
        Ok(Code::Ssa(function))
    }

    fn lowered(&self) -> Result<Function, String> {
        let parsed = tgsi_text::parse(&self.input);
        assert_eq!(parsed.diagnostics, []);
        let (key, limits) = (ShaderKey::default(), Limits::DEFAULT);
        let ssa = lower(&parsed.shader, self.chip, &key, limits, HazardSet::NONE);
        ssa.map(|ssa| ssa.function).map_err(|error| error.to_string())
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes")
}

/// The pass tests.
pub(crate) fn files() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| !path.ends_with("order.txt")).collect();
    files.sort();
    let is_test = |path: &PathBuf| path.extension().is_some_and(|end| end == "pass");
    assert!(files.iter().all(is_test), "some of {files:?} are never run");
    files
}

#[test]
fn passes_turn_texts_into_the_expected_output() {
    let files = files();
    assert!(files.len() >= 20);
    let mut wrong = Vec::new();
    for path in files {
        let text = read(&path);
        let name = path.display();
        let test = PassTest::read(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
        let got = test.run().unwrap_or_else(|why| panic!("{name}: {why}"));
        if is_update() {
            fs::write(&path, format!("{}{AFTER}{got}", test.input)).unwrap();
        } else if got != test.want {
            wrong.push(format!("{name}:\n--- want\n{}--- got\n{got}", test.want));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Except for the last: words are compared elsewhere. `spill` is run as `spill=N`.
#[test]
fn every_pass_has_a_test() {
    let tests = files().into_iter().map(|path| PassTest::read(&read(&path)).unwrap());
    let passes = tests.flat_map(|test| test.passes);
    let tested: BTreeSet<String> =
        passes.filter_map(|pass| pass.split('=').next().map(str::to_owned)).collect();
    let compiler = Compiler::new(Options::default().level(OptLevel::O3)).unwrap();
    let names = compiler.passes().map(|pass| pass.name());
    let without: Vec<&str> =
        names.filter(|name| *name != "emit" && !tested.contains(*name)).collect();
    assert_eq!(without, [""; 0], "no `; run:` line has these passes");
}
