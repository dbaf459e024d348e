//! Compiles every shader of the corpus beside the repository, where it is, with the SSA verified after each
//! pass; and shaders of our own in any case.

use std::path::{Path, PathBuf};

use pass_manager::{Observer, PassId};
use r600_codegen::{Compilation, Compiler, OptLevel, Options, Snapshot};
use r600_isa::{Chip, Program};
use test_support::{files, root, shared};
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

fn compiler(level: OptLevel) -> Compiler {
    let mut options = Options::default().level(level);
    options.passes.verify_each = true;
    Compiler::new(options).unwrap()
}

fn read(path: &Path) -> Shader {
    let parsed = tgsi_text::parse(&test_support::read(path));
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

#[test]
fn examples_compile_at_every_level() {
    let paths = files(&root().join("examples"), "tgsi");
    assert!(paths.len() >= 6);
    for level in OptLevel::ALL {
        let compiler = compiler(level);
        paths.iter().for_each(|path| check(&compiler, &read(path), path));
    }
}

#[test]
fn the_corpus_compiles_for_every_generation() {
    let Some(folder) = shared("corpus/tgsi") else { return };
    let compiler = compiler(OptLevel::O2);
    let paths = files(&folder, "tgsi");
    // Every fifth shader: the whole corpus takes minutes without optimisation, and is compiled by the
    // differential harness.
    let chosen: Vec<&PathBuf> = paths.iter().step_by(5).collect();
    chosen.iter().for_each(|path| check(&compiler, &read(path), path));
    println!("{} of {} shaders compiled for {} chips", chosen.len(), paths.len(), CHIPS.len());
}
