//! What chips get wrong is avoided on every level, and switching a remedy off is noticed: `tests/hazards/NAME.tgsi`, one
//! shader for each hazard of the table. Its first line names chips, its second the rules of the verifier that notice, and
//! `simulator` where running the code does.

use std::path::Path;

use difftest::case::{
    Companions, Compile, Failure, NoProgram, OurCompiler, Program, Target, key_of, stage,
};
use difftest::fired::Fired;
use difftest::harness::Harness;
use difftest::link;
use difftest::placement::Placement;
use r600_codegen::{Compiled, Compiler, OptLevel, Options};
use r600_isa::verify::{Setting, Stage};
use r600_isa::{Cf, CfOp, Chip, Hazard, HazardSet};
use tgsi_ir::{Processor, Shader};

/// Hazards without a remedy to switch off, and why.
const WITHOUT_REMEDY: [(Hazard, &str); 3] = [
    (Hazard::MaskAtBorder, "compiled code has none of these operations"),
    (Hazard::PredicateInGroup, "programs of ten years run without a remedy"),
    (Hazard::DeeperStack, "programs of the open driver run with less"),
];

/// The compiler without the remedies for these hazards, and without its own check of them.
struct Careless(HazardSet);

fn refused(why: &dyn std::fmt::Display) -> NoProgram {
    NoProgram::Refused(why.to_string())
}

impl Careless {
    fn program(&self, shader: &Shader, target: Target) -> Result<Compiled, NoProgram> {
        let options = Options::default()
            .level(target.level)
            .precise(target.precise)
            .key(key_of(shader))
            .ignored_hazards(self.0);
        let compiler = Compiler::new(options).map_err(|error| refused(&error))?;
        compiler.compile(shader, target.chip).map_err(|error| refused(&error))
    }
}

impl Compile for Careless {
    fn compile(&self, shader: &Shader, target: Target) -> Result<Program, NoProgram> {
        let compiled = self.program(shader, target)?;
        let is_group = shader.processor == Processor::Compute;
        Ok(Program {
            stage: stage(shader.processor, &key_of(shader)),
            state: link::registers(&compiled, target.chip),
            placement: Placement::of(&compiled, shader, target.chip),
            fired: Fired::of(&compiled),
            words: compiled.words,
            counters: compiled.counters,
            companions: if is_group { Companions::Group } else { Companions::None },
        })
    }
}

/// How the comparison of a shader's code with the interpreter ends.
fn run(compiler: &dyn Compile, shader: &Shader, target: Target) -> Result<(), Failure> {
    let harness = Harness { compiler, targets: vec![target], seed: 1, must_compile: true };
    let summary = harness.check(shader).map_err(|report| report.failure.clone())?;
    assert!(summary.programs > 0 && summary.unfinished() == 0, "{target}");
    Ok(())
}

/// Codes of the rules about `hazard` that the code breaks.
fn broken(compiled: &Compiled, shader: &Shader, chip: Chip, hazard: Hazard) -> Vec<&'static str> {
    let stage = match shader.processor {
        Processor::Vertex => Stage::Vertex,
        Processor::Compute => Stage::Compute,
        _ => Stage::Pixel,
    };
    let setting = Setting { chip: Some(chip), stage: Some(stage), ..Setting::default() };
    let findings = compiled.program.verify_as(setting);
    let codes = findings.into_iter().map(|finding| finding.rule.code());
    let mut codes: Vec<_> = codes.filter(|code| hazard.info().checked_by.contains(code)).collect();
    codes.dedup();
    codes
}

/// What notices that the remedy for `hazard` is switched off: rules by code, and the simulator.
fn noticed(shader: &Shader, chip: Chip, hazard: Hazard) -> Vec<&'static str> {
    let target = Target { chip, level: OptLevel::O2, precise: true };
    let careless = Careless(HazardSet::NONE.with(hazard));
    let compiled = careless.program(shader, target).expect("it compiles");
    let mut found = broken(&compiled, shader, chip, hazard);
    match run(&careless, shader, target) {
        Ok(()) => {}
        Err(Failure::Differs(_) | Failure::Rule(_)) => found.push("simulator"),
        Err(failure) => panic!("{chip:?} {hazard:?}: {failure}"),
    }
    found
}

/// What the line that starts with `key` says.
fn header<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let line = text.lines().take(2).find_map(|line| line.strip_prefix("; ")?.strip_prefix(key));
    line.unwrap_or_else(|| panic!("no line says `{key}`")).split_whitespace().collect()
}

fn shader_of(hazard: Hazard) -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hazards");
    std::fs::read_to_string(folder.join(format!("{}.tgsi", hazard.name()))).ok()
}

#[test]
fn every_hazard_has_a_shader_that_shows_it_or_no_remedy() {
    for &hazard in Hazard::ALL {
        let has_none = WITHOUT_REMEDY.iter().any(|(own, _)| *own == hazard);
        assert_ne!(shader_of(hazard).is_some(), has_none, "{}", hazard.name());
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hazards");
    for file in std::fs::read_dir(folder).unwrap() {
        let file = file.unwrap().path();
        let name = file.file_stem().unwrap().to_str().unwrap();
        assert!(Hazard::from_name(name).is_some(), "{name} is not a hazard");
    }
}

#[test]
fn every_level_applies_the_remedies_and_their_absence_is_found() {
    for &hazard in Hazard::ALL {
        let Some(text) = shader_of(hazard) else { continue };
        let parsed = tgsi_text::parse(&text);
        assert_eq!(parsed.diagnostics, [], "{}", hazard.name());
        for name in header(&text, "chips:") {
            let chip = Chip::from_name(name).unwrap();
            assert!(chip.has(hazard), "{name} does not have hazard {}", hazard.name());
            for level in OptLevel::ALL {
                let target = Target { chip, level, precise: true };
                let good = Careless(HazardSet::NONE).program(&parsed.shader, target);
                let found = broken(&good.unwrap(), &parsed.shader, chip, hazard);
                assert_eq!(found, [""; 0], "{target} {}", hazard.name());
                let result = run(&OurCompiler, &parsed.shader, target);
                assert_eq!(result, Ok(()), "{target} {}", hazard.name());
            }
            let found = noticed(&parsed.shader, chip, hazard);
            assert_eq!(found, header(&text, "noticed:"), "{name} {}", hazard.name());
        }
    }
}

/// Who ignores a hazard is not told of it by the check after each pass.
#[test]
fn code_without_a_remedy_passes_the_checks_after_passes() {
    for &hazard in Hazard::ALL {
        let Some(text) = shader_of(hazard) else { continue };
        let shader = tgsi_text::parse(&text).shader;
        for name in header(&text, "chips:") {
            let mut options = Options::default()
                .key(key_of(&shader))
                .ignored_hazards(HazardSet::NONE.with(hazard));
            options.passes.verify_each = true;
            let compiler = Compiler::new(options).expect("passes have these names");
            let compiled = compiler.compile(&shader, Chip::from_name(name).unwrap());
            assert_eq!(compiled.err(), None, "{name} {}", hazard.name());
        }
    }
}

/// A remedy costs nothing on chips that do not need it.
#[test]
fn remedies_do_not_change_code_for_chips_without_the_hazard() {
    for &hazard in Hazard::ALL {
        let Some(text) = shader_of(hazard) else { continue };
        let shader = tgsi_text::parse(&text).shader;
        for chip in [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cypress, Chip::Cayman] {
            if chip.has(hazard) {
                continue;
            }
            let target = Target { chip, level: OptLevel::O2, precise: false };
            let words =
                |ignored| Careless(ignored).program(&shader, target).map(|compiled| compiled.words);
            let careless = words(HazardSet::NONE.with(hazard));
            assert_eq!(words(HazardSet::NONE), careless, "{target} {}", hazard.name());
        }
    }
}

#[test]
fn memory_that_programs_write_bypasses_the_vertex_cache() {
    let text = shader_of(Hazard::StaleVertexCache).unwrap();
    let shader = tgsi_text::parse(&text).shader;
    let clauses = |chip, ignored| {
        let target = Target { chip, level: OptLevel::O2, precise: false };
        let compiled = Careless(ignored).program(&shader, target).unwrap();
        let is_vertex = |cf: &&Cf| matches!(cf, Cf::Fetch(run) if run.op == CfOp::Vtx);
        compiled.program.cf.iter().filter(is_vertex).count()
    };
    assert_eq!(clauses(Chip::Juniper, HazardSet::NONE), 0);
    assert!(clauses(Chip::Juniper, HazardSet::NONE.with(Hazard::StaleVertexCache)) > 0);
    assert!(clauses(Chip::Cedar, HazardSet::NONE) > 0, "Cedar has no such cache");
}
