//! Code that does not avoid what its chip gets wrong differs where the simulator models that.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use difftest::case::{Companions, Compile, Failure, NoProgram, Program, Target, key_of};
use difftest::harness::Harness;
use difftest::link;
use difftest::placement::Placement;
use r600_codegen::{Compiler, OptLevel, Options};
use r600_isa::{Chip, Hazard, HazardSet};
use r600_sim::pipeline::HardwareStage;
use tgsi_ir::Shader;

/// The compiler without the remedies for these hazards.
struct Careless(HazardSet);

fn refused(why: &dyn std::fmt::Display) -> NoProgram {
    NoProgram::Refused(why.to_string())
}

impl Compile for Careless {
    fn compile(&self, shader: &Shader, target: Target) -> Result<Program, NoProgram> {
        let options = Options {
            level: target.level,
            precise: target.precise,
            key: key_of(shader),
            ignored_hazards: self.0,
            ..Options::default()
        };
        let compiler = Compiler::new(options).map_err(|error| refused(&error))?;
        let compiled = compiler.compile(shader, target.chip).map_err(|error| refused(&error))?;
        Ok(Program {
            words: compiled.program.encode().map_err(|error| refused(&error))?,
            stage: HardwareStage::Pixel,
            state: link::registers(&compiled, target.chip),
            placement: Placement::of(&compiled, shader, target.chip),
            counters: compiled.counters,
            companions: Companions::None,
        })
    }
}

/// A word of a buffer is read, written, and read again.
const READ_AGAIN: &str = "FRAG
DCL IN[0], GENERIC[0], CONSTANT
DCL OUT[0], COLOR
DCL BUFFER[0]
DCL TEMP[0..1]
IMM[0] UINT32 {0, 4, 0x40400000, 0}
LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx
STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].zzzz
LOAD TEMP[1].x, BUFFER[0], IMM[0].xxxx
MOV OUT[0].xy, TEMP[0].xxxx
MOV OUT[0].zw, TEMP[1].xxxx
END
";

#[test]
fn a_vertex_cache_that_keeps_old_lines_shows() {
    let parsed = tgsi_text::parse(READ_AGAIN);
    assert_eq!(parsed.diagnostics, []);
    let check = |chip, ignored| {
        let target = Target { chip, level: OptLevel::O2, precise: true };
        let compiler = Careless(ignored);
        let harness =
            Harness { compiler: &compiler, targets: vec![target], seed: 1, must_compile: true };
        harness.check(&parsed.shader).map_err(|report| report.failure.clone())
    };
    let careless = HazardSet::NONE.with(Hazard::StaleVertexCache);
    assert!(check(Chip::Cypress, HazardSet::NONE).is_ok());
    let found = check(Chip::Cypress, careless);
    assert!(matches!(found, Err(Failure::Differs(_))), "{found:?}");
    // No cache, no harm.
    assert!(check(Chip::Cedar, careless).is_ok());
}
