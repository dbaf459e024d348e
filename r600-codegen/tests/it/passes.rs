//! What single passes make of small shaders: `tests/passes/NAME.tgsi` says in its first line after which
//! pass to look, `NAME.ssa` beside it what is to be seen. `UPDATE_GOLDEN=1` rewrites the expectations.

use std::fs;
use std::path::{Path, PathBuf};

use pass_manager::{Observer, PassId, PassSet};
use r600_codegen::{Compilation, Compiler, Options, Snapshot};
use r600_isa::Chip;

#[derive(Default)]
struct Dump(String);

impl Observer<Compilation> for Dump {
    fn dump(&mut self, _: PassId, form: Snapshot<'_>) {
        if let Some(function) = form.function() {
            self.0 = function.to_string();
        }
    }
}

/// The SSA of the shader at `path` after the pass that it names.
fn ssa(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let pass = text
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("; after: "))
        .unwrap_or_else(|| panic!("{}: no pass in the first line", path.display()));
    let parsed = tgsi_text::parse(&text);
    assert_eq!(parsed.diagnostics, [], "{}", path.display());
    let mut options = Options::default();
    options.passes.print_after = PassSet::Named(vec![pass.to_owned()]);
    let mut dump = Dump::default();
    let compiler = Compiler::new(options).unwrap();
    compiler.compile_observed(&parsed.shader, Chip::Rv770, &mut dump).unwrap();
    dump.0
}

#[test]
fn passes_make_what_is_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes");
    let update = test_support::is_update();
    let mut count = 0;
    let mut wrong = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "tgsi") {
            continue;
        }
        count += 1;
        let got = ssa(&path);
        let golden = path.with_extension("ssa");
        if update {
            fs::write(&golden, &got).unwrap();
        }
        let want = fs::read_to_string(&golden).unwrap_or_default();
        if got != want {
            wrong.push(format!("{}:\n--- want\n{want}--- got\n{got}", golden.display()));
        }
    }
    println!("{count} shaders");
    assert!(count >= 6);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
