//! Compiles every shader of the corpus beside the repository, where it is, with the SSA verified after each
//! pass; and shaders of our own in any case.

use std::fs;
use std::path::{Path, PathBuf};

use pass_manager::{Observer, PassId};
use r600_codegen::{Compilation, Compiler, OptLevel, Options, Snapshot};
use r600_isa::{Chip, Program};
use tgsi_ir::Shader;

/// One chip of each generation.
const CHIPS: [Chip; 4] = [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman];

/// Verifies the SSA until machine IR takes over.
struct Verify;

impl Observer<Compilation> for Verify {
    fn verify(&mut self, _: PassId, form: Snapshot<'_>) -> Result<(), String> {
        let Some(function) = form.function() else { return Ok(()) };
        r600_codegen::internals::ssa::verify(function).map_err(|error| error.to_string())
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn compiler(level: OptLevel) -> Compiler {
    let mut options = Options::default().level(level);
    options.passes.verify_each = true;
    Compiler::new(options).unwrap()
}

fn read(path: &Path) -> Shader {
    let parsed = tgsi_text::parse(&fs::read_to_string(path).unwrap());
    assert_eq!(parsed.diagnostics, [], "{}", path.display());
    parsed.shader
}

/// Compiles `shader` for each chip; the words decode to a program that encodes to the same words.
fn check(compiler: &Compiler, shader: &Shader, path: &Path) {
    for chip in CHIPS {
        let compiled = compiler
            .compile_observed(shader, chip, &mut Verify)
            .unwrap_or_else(|error| panic!("{} for {}: {error}", path.display(), chip.name()));
        let decoded = Program::decode(&compiled.words, chip.generation());
        assert_eq!(decoded.encode().unwrap(), compiled.words, "{}", path.display());
        assert!(compiled.num_gprs <= r600_codegen::internals::alloc::MAX_GPRS);
    }
}

fn shaders_in(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "tgsi"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn examples_compile_at_every_level() {
    let paths = shaders_in(&root().join("examples"));
    assert!(paths.len() >= 6);
    for level in OptLevel::ALL {
        let compiler = compiler(level);
        paths.iter().for_each(|path| check(&compiler, &read(path), path));
    }
}

#[test]
fn the_corpus_compiles_for_every_generation() {
    let folder = root().parent().unwrap().join("shared/corpus/tgsi");
    if !folder.exists() {
        println!("not present: ../shared/corpus/tgsi, no shader compiled");
        return;
    }
    let compiler = compiler(OptLevel::O2);
    let paths = shaders_in(&folder);
    // Every fifth shader: the whole corpus takes minutes without optimisation, and is compiled by the
    // differential harness.
    let chosen: Vec<&PathBuf> = paths.iter().step_by(5).collect();
    chosen.iter().for_each(|path| check(&compiler, &read(path), path));
    println!("{} of {} shaders compiled for {} chips", chosen.len(), paths.len(), CHIPS.len());
}
