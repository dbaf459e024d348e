//! What chips get wrong is avoided on every level, and the verifier notices where a remedy is switched off.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use r600_codegen::{Compiled, Compiler, OptLevel, Options};
use r600_isa::verify::{Setting, Stage};
use r600_isa::{Cf, CfOp, Chip, Hazard, HazardSet, Program};

/// A work group whose lanes compute what only the trans slot does while local memory is read.
const LOCAL_MEMORY: &str = "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 64
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL MEMORY[0], SHARED
DCL BUFFER[0]
DCL CONST[0]
DCL TEMP[0..3]
IMM[0] UINT32 {4, 0, 0, 0}
UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
SQRT TEMP[1].x, CONST[0].xxxx
LOAD TEMP[2].x, MEMORY[0], TEMP[0].xxxx
RCP TEMP[1].x, TEMP[1].xxxx
LOAD TEMP[2].y, MEMORY[0], CONST[0].yyyy
EX2 TEMP[1].x, TEMP[1].xxxx
LOAD TEMP[2].z, MEMORY[0], CONST[0].zzzz
LG2 TEMP[1].x, TEMP[1].xxxx
LOAD TEMP[2].w, MEMORY[0], CONST[0].wwww
ADD TEMP[3], TEMP[1].xxxx, TEMP[2]
STORE BUFFER[0], TEMP[0].xxxx, TEMP[3]
END
";

/// A barrier beside an address and other operations.
const BARRIER: &str = "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 64
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL MEMORY[0], SHARED
DCL BUFFER[0]
DCL TEMP[0]
DCL TEMP[1..4], ARRAY(1)
DCL ADDR[0]
IMM[0] UINT32 {4, 3, 0, 0}
UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
AND TEMP[0].y, SV[0].xxxx, IMM[0].yyyy
UARL ADDR[0].x, TEMP[0].yyyy
MOV TEMP[1](1).x, TEMP[0].xxxx
MOV TEMP[2](1).x, TEMP[0].yyyy
MOV TEMP[3](1).x, SV[0].xxxx
MOV TEMP[4](1).x, IMM[0].yyyy
MOV TEMP[ADDR[0].x+1](1).x, TEMP[0].xxxx
STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[ADDR[0].x+1](1).xxxx
BARRIER
LOAD TEMP[0].z, MEMORY[0], TEMP[0].yyyy
UADD TEMP[0].z, TEMP[0].zzzz, TEMP[0].xxxx
STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[0].zzzz
END
";

/// A kill before the rest of the shader.
const KILL: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0]
DCL TEMP[0]
KILL_IF IN[0]
MUL TEMP[0], IN[0], CONST[0]
MAD TEMP[0], TEMP[0], TEMP[0], CONST[0]
MAD OUT[0], TEMP[0], TEMP[0].yzwx, CONST[0].wzyx
END
";

/// A buffer that is read before and after a write of it, and its size.
const BUFFER: &str = "FRAG
DCL IN[0], GENERIC[0], CONSTANT
DCL OUT[0], COLOR
DCL BUFFER[0]
DCL TEMP[0]
IMM[0] UINT32 {0, 4, 0, 0}
LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx
STORE BUFFER[0].x, IMM[0].xxxx, IN[0].xxxx
LOAD TEMP[0].y, BUFFER[0], IMM[0].xxxx
RESQ TEMP[0].z, BUFFER[0]
MOV OUT[0], TEMP[0].xyzx
END
";

/// A vertex shader that hands its attribute on.
const COPY: &str = "VERT
DCL IN[0]
DCL OUT[0], POSITION
MOV OUT[0], IN[0]
END
";

/// An array that is written and read by an index in turn.
const ARRAY: &str = "FRAG
DCL IN[0], GENERIC[0], CONSTANT
DCL OUT[0], COLOR
DCL TEMP[0..1]
DCL TEMP[2..5], ARRAY(1)
DCL ADDR[0]
IMM[0] UINT32 {3, 0, 1, 2}
AND TEMP[0], IN[0], IMM[0].xxxx
UARL ADDR[0].x, TEMP[0].xxxx
MOV TEMP[2](1), IN[0]
MOV TEMP[3](1), IN[0].yzwx
MOV TEMP[4](1), IN[0].zwxy
MOV TEMP[5](1), IN[0].wxyz
MOV TEMP[ADDR[0].x+2](1).x, TEMP[0].yyyy
MOV TEMP[1], TEMP[ADDR[0].x+2](1)
MOV OUT[0], TEMP[1]
END
";

/// A branch four deep.
const BRANCHES: &str = "FRAG
DCL IN[0], GENERIC[0], CONSTANT
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
MOV TEMP[0], IN[0]
UIF IN[0].xxxx
TEX TEMP[0], TEMP[0], SAMP[0], 2D
UIF IN[0].yyyy
TEX TEMP[0], TEMP[0], SAMP[0], 2D
UIF IN[0].zzzz
TEX TEMP[0], TEMP[0], SAMP[0], 2D
UIF IN[0].wwww
TEX TEMP[0], TEMP[0], SAMP[0], 2D
ENDIF
ENDIF
ENDIF
ENDIF
MOV OUT[0], TEMP[0]
END
";

fn compiled(text: &str, chip: Chip, level: OptLevel, ignored: &[Hazard]) -> Compiled {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    let ignored_hazards = ignored.iter().fold(HazardSet::NONE, |set, one| set.with(*one));
    let mut options = Options { level, ignored_hazards, ..Options::default() };
    options.passes.verify_each = true;
    let compiled = Compiler::new(options).unwrap().compile(&parsed.shader, chip);
    compiled.unwrap_or_else(|error| panic!("{chip:?} {level:?}: {error}"))
}

/// Codes of the rules that a program breaks on its chip, of those that find `hazard`.
fn broken(program: &Program, chip: Chip, stage: Stage, hazard: Hazard) -> Vec<&'static str> {
    let setting = Setting { chip: Some(chip), stage: Some(stage), ..Setting::default() };
    let codes = program.verify_as(setting).into_iter().map(|finding| finding.rule.code());
    codes.filter(|code| hazard.info().checked_by.contains(code)).collect()
}

/// The remedy is in the code of each level, and a rule notices when it is not.
fn is_avoided(text: &str, chip: Chip, stage: Stage, hazards: &[Hazard]) {
    for level in [OptLevel::O0, OptLevel::O1, OptLevel::O2] {
        let good = compiled(text, chip, level, &[]);
        for &hazard in hazards {
            let found = broken(&good.program, chip, stage, hazard);
            assert_eq!(found, [""; 0], "{chip:?} {level:?}\n{}", good.program);
        }
    }
    let bad = compiled(text, chip, OptLevel::O2, hazards);
    for &hazard in hazards {
        let found = broken(&bad.program, chip, stage, hazard);
        assert!(!found.is_empty(), "{chip:?} {hazard:?} goes unnoticed\n{}", bad.program);
    }
}

#[test]
fn the_trans_slot_is_empty_beside_local_memory() {
    is_avoided(LOCAL_MEMORY, Chip::Cedar, Stage::Compute, &[Hazard::LdsBesideTrans]);
}

#[test]
fn a_barrier_ends_a_clause_of_plain_operations() {
    for chip in [Chip::Cedar, Chip::Cayman] {
        is_avoided(BARRIER, chip, Stage::Compute, &[Hazard::BarrierInClause]);
    }
}

#[test]
fn a_kill_ends_its_clause() {
    for chip in [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman] {
        is_avoided(KILL, chip, Stage::Pixel, &[Hazard::KillInClause]);
    }
}

#[test]
fn what_programs_write_goes_past_the_vertex_cache() {
    is_avoided(BUFFER, Chip::Juniper, Stage::Pixel, &[Hazard::StaleVertexCache]);
    let clauses = |chip, ignored: &[Hazard]| {
        let program = compiled(BUFFER, chip, OptLevel::O2, ignored).program;
        let is_vertex = |cf: &&Cf| matches!(cf, Cf::Fetch(run) if run.op == CfOp::Vtx);
        program.cf.iter().filter(is_vertex).count()
    };
    assert_eq!(clauses(Chip::Juniper, &[]), 0);
    assert!(clauses(Chip::Juniper, &[Hazard::StaleVertexCache]) > 0);
    assert!(clauses(Chip::Cedar, &[]) > 0, "it has no such cache");
}

#[test]
fn a_vertex_shader_has_an_alu_clause() {
    for chip in [Chip::Rv610, Chip::Rv770, Chip::Latte] {
        is_avoided(COPY, chip, Stage::Vertex, &[Hazard::VertexWithoutAlu]);
    }
    let groups = |chip| compiled(COPY, chip, OptLevel::O2, &[]).program.stats().groups;
    assert_eq!((groups(Chip::Rv770), groups(Chip::Cedar)), (1, 0));
}

#[test]
fn an_indexed_write_is_read_a_group_later() {
    let (chips, siblings) = ([Chip::Rv610, Chip::Rv770], [Chip::Rv670, Chip::Rv730, Chip::Latte]);
    for chip in chips {
        is_avoided(ARRAY, chip, Stage::Pixel, &[Hazard::RelativeWrite]);
    }
    for chip in siblings {
        is_avoided(ARRAY, chip, Stage::Pixel, &[Hazard::RelativeWriteSiblings]);
    }
}

#[test]
fn registers_are_indexed_by_what_their_chip_takes() {
    is_avoided(ARRAY, Chip::Rv630, Stage::Pixel, &[Hazard::MovaGpr]);
}

#[test]
fn masks_are_pushed_by_what_their_chip_takes() {
    is_avoided(BRANCHES, Chip::Redwood, Stage::Pixel, &[Hazard::PushAtBorder]);
}
