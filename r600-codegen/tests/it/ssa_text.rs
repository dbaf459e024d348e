//! SSA as text: what is printed is read back, and what single passes make of texts.
//!
//! A pass test is one file, `tests/passes/NAME.pass`: in comments the chip, the passes to run in order and, where no
//! float may change, `precise`; then the input, and after `;; after` what the passes leave. `UPDATE_GOLDEN=1` rewrites
//! the expectation.

use std::fs;
use std::path::{Path, PathBuf};

use r600_codegen::internals::opt::Goals;
use r600_codegen::internals::run_pass;
use r600_codegen::internals::ssa::{Function, parse, verify};
use r600_codegen::{Compilation, Compiler, Options, Snapshot};
use r600_isa::Chip;

const AFTER: &str = ";; after\n";

/// A test as its file has it.
struct PassTest {
    chip: Chip,
    passes: Vec<String>,
    precise: bool,
    input: String,
    want: String,
}

impl PassTest {
    fn read(text: &str) -> Result<Self, String> {
        let (input, want) = text.split_once(AFTER).unwrap_or((text, ""));
        let (mut chip, mut passes, mut precise) = (None, Vec::new(), false);
        for line in input.lines().filter_map(|line| line.strip_prefix("; ")) {
            match line.split_once(": ") {
                Some(("chip", name)) => chip = Chip::from_name(name),
                Some(("run", names)) => passes.extend(names.split(' ').map(str::to_owned)),
                None if line == "precise" => precise = true,
                // The first comment says what the test is about.
                _ => {}
            }
        }
        let chip = chip.ok_or("no chip is named")?;
        if passes.is_empty() {
            return Err("no pass is named".to_owned());
        }
        Ok(Self { chip, passes, precise, input: input.to_owned(), want: want.to_owned() })
    }

    fn run(&self) -> Result<String, String> {
        let mut function = parse(&self.input, self.chip).map_err(|error| error.to_string())?;
        verify(&function).map_err(|error| error.to_string())?;
        for pass in &self.passes {
            let goals = Goals { precise: self.precise };
            function = run_pass(pass, function, goals).map_err(|error| error.to_string())?;
            verify(&function).map_err(|error| format!("after {pass}: {error}"))?;
        }
        Ok(function.to_string())
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes")
}

fn files(extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == extension)).collect();
    files.sort();
    files
}

#[test]
fn passes_make_of_texts_what_is_expected() {
    let update = test_support::is_update();
    let files = files("pass");
    assert!(files.len() >= 5);
    let mut wrong = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.display();
        let test = PassTest::read(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
        let got = test.run().unwrap_or_else(|why| panic!("{name}: {why}"));
        if update {
            fs::write(&path, format!("{}{AFTER}{got}", test.input)).unwrap();
        } else if got != test.want {
            wrong.push(format!("{name}:\n--- want\n{}--- got\n{got}", test.want));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The functions after each pass, of shaders without fetches.
#[derive(Default)]
struct Functions(Vec<Function>);

impl pass_manager::Observer<Compilation> for Functions {
    fn verify(&mut self, _: pass_manager::PassId, form: Snapshot<'_>) -> Result<(), String> {
        self.0.extend(form.function().cloned());
        Ok(())
    }
}

#[test]
fn what_is_printed_is_read_back() {
    let (mut read, mut refused) = (0, 0);
    for path in files("tgsi") {
        let shader = tgsi_text::parse(&fs::read_to_string(&path).unwrap()).shader;
        for chip in [Chip::Rv770, Chip::Cypress] {
            let mut options = Options::default();
            options.passes.verify_each = true;
            let mut functions = Functions::default();
            let compiler = Compiler::new(options).unwrap();
            compiler.compile_observed(&shader, chip, &mut functions).unwrap();
            for function in functions.0 {
                let text = function.to_string();
                match parse(&text, chip) {
                    Ok(again) => {
                        assert_eq!(again.to_string(), text, "{}", path.display());
                        assert_eq!(verify(&again), Ok(()), "{}\n{text}", path.display());
                        read += 1;
                    }
                    Err(error) => {
                        assert!(error.message.ends_with("is not read back"), "{error}\n{text}");
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(read > 4 * refused, "{read} are read, {refused} are not");
}

#[test]
fn texts_that_say_nothing_are_refused_with_their_line() {
    for (text, message) in [
        ("%0 = MOV", "line 1: MOV has 1 operands"),
        ("\n%0 = NONSENSE 0x0", "line 2: `NONSENSE` is no operation, or is not read back"),
        ("if PRED_SETE 0x0, 0x0 {", "line 1: a `}` is missing"),
        ("}", "line 1: nothing is open"),
        ("%0, %1 = MOV 0x0", "line 1: it has 1 results"),
        ("%0 = MOV %x", "line 1: `%x` is no value"),
        ("%0 = MOV c0[99999].x", "line 1: `99999` is no number that fits"),
        ("export Pixel(0) 0x0, _", "line 1: an export has four components"),
    ] {
        let error = parse(text, Chip::Rv770).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}
