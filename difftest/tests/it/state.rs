//! Mistakes planted in state registers are noticed: every bit of every register of shaders that use what there is.

use std::collections::BTreeSet;

use difftest::case::{Case, Compile, OurCompiler, Program, Target};
use difftest::compare::Tally;
use difftest::scene::{Flavor, Scene};
use r600_codegen::{Compiler, OptLevel, Options};
use r600_isa::Chip;
use tgsi_ir::Shader;

const CHIPS: [Chip; 4] = [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman];

/// Every way in which a parameter is interpolated, position, face, and all that goes to the depth buffer.
const FRAGMENT: &str = "FRAG
DCL IN[0], COLOR, PERSPECTIVE, CENTROID
DCL IN[1], GENERIC[3], LINEAR
DCL IN[2], POSITION, LINEAR
DCL IN[3], GENERIC[4], CONSTANT
DCL IN[4], FACE, CONSTANT
DCL IN[5], GENERIC[5], PERSPECTIVE
DCL IN[6], PCOORD, PERSPECTIVE
DCL OUT[0], COLOR
DCL OUT[1], COLOR[1]
DCL OUT[2], POSITION
DCL OUT[3], STENCIL
DCL TEMP[0..1]
KILL_IF IN[5].xxxx
ADD TEMP[0], IN[0], IN[1]
ADD TEMP[0], TEMP[0], IN[3]
ADD TEMP[0], TEMP[0], IN[6]
MAD TEMP[1], IN[2], IN[4].xxxx, IN[5]
MOV OUT[0], TEMP[0]
MOV OUT[1], TEMP[1]
MOV OUT[2].z, IN[2].zzzz
MOV OUT[3].y, IN[3].xxxx
END
";

/// A shader that runs for each sample, and a colour for all buffers.
const SAMPLES: &str = "FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], GENERIC[0], PERSPECTIVE, SAMPLE
DCL IN[1], GENERIC[1], LINEAR, SAMPLE
DCL IN[2], GENERIC[2], CONSTANT
DCL SV[0], SAMPLEID
DCL SV[1], SAMPLEMASK
DCL SV[2], POSITION
DCL OUT[0], COLOR
DCL OUT[1], SAMPLEMASK
DCL TEMP[0]
U2F TEMP[0].x, SV[0].xxxx
ADD TEMP[0], TEMP[0].xxxx, IN[0]
ADD TEMP[0], TEMP[0], IN[1]
ADD TEMP[0], TEMP[0], IN[2]
ADD OUT[0], TEMP[0], SV[2]
MOV OUT[1].x, SV[1].xxxx
END
";

const VERTEX: &str = "VERT
PROPERTY NUM_CLIPDIST_ENABLED 3
PROPERTY NUM_CULLDIST_ENABLED 3
DCL IN[0]
DCL IN[1]
DCL IN[2]
DCL OUT[0], POSITION
DCL OUT[1], PSIZE
DCL OUT[2], COLOR
DCL OUT[3..6], GENERIC[1]
DCL OUT[7..8], CLIPDIST[0]
DCL OUT[9], LAYER
MOV OUT[0], IN[0]
MOV OUT[1].x, IN[1].wwww
MOV OUT[2], IN[1]
MOV OUT[3], IN[2]
ADD OUT[4], IN[2], IN[0]
MOV OUT[5], IN[0]
MOV OUT[6], IN[1]
MOV OUT[7], IN[1]
MOV OUT[8], IN[2]
MOV OUT[9].x, IN[0].xxxx
END
";

const GEOMETRY: &str = "GEOM
PROPERTY GS_INPUT_PRIMITIVE LINES
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 4
PROPERTY GS_INVOCATIONS 3
DCL IN[][0], POSITION
DCL IN[][1], GENERIC[0]
DCL SV[0], PRIM_ID
DCL SV[1], INVOCATIONID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
IMM[0] UINT32 {0, 1, 2, 3}
MOV OUT[0], IN[0][0]
MOV OUT[1], IN[1][1]
EMIT IMM[0].yyyy
MOV OUT[0], IN[1][0]
U2F OUT[1], SV[0].xxxx
EMIT IMM[0].xxxx
U2F OUT[0], SV[1].xxxx
MOV OUT[1], IN[0][1]
EMIT IMM[0].zzzz
ENDPRIM IMM[0].xxxx
MOV OUT[0], IN[0][0]
EMIT IMM[0].wwww
END
";

const CONTROL: &str = "TESS_CTRL
PROPERTY TCS_VERTICES_OUT 3
DCL IN[][0], POSITION
DCL SV[0], INVOCATIONID
DCL OUT[][0], POSITION
DCL OUT[1], TESSOUTER
DCL OUT[2], TESSINNER
DCL ADDR[0]
IMM[0] FLT32 {1.0, 2.0, 3.0, 4.0}
UARL ADDR[0].x, SV[0].xxxx
MOV OUT[ADDR[0].x][0], IN[0][0]
MOV OUT[1], IMM[0]
MOV OUT[2], IMM[0]
END
";

const EVALUATION: &str = "TESS_EVAL
PROPERTY TES_PRIM_MODE 7
PROPERTY TES_SPACING 0
PROPERTY TES_VERTEX_ORDER_CW 1
DCL IN[][0], POSITION
DCL SV[0], TESSCOORD
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
MOV OUT[0], IN[0][0]
MOV OUT[1], SV[0]
END
";

const COMPUTE: &str = "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 4
PROPERTY CS_FIXED_BLOCK_HEIGHT 2
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL SV[1], BLOCK_ID
DCL MEMORY[0], SHARED
DCL TEMP[0..1]
IMM[0] UINT32 {4, 8, 5, 0}
UMAD TEMP[0].x, SV[0].yyyy, IMM[0].xxxx, SV[0].xxxx
UMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx
ADD TEMP[1].x, SV[1].xxxx, SV[1].yyyy
UADD TEMP[1].x, SV[1].xxxx, SV[0].yyyy
STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[1].xxxx
END
";

/// A shader that writes memory, also for fragments that nobody sees.
const STORES: &str = "FRAG
DCL IN[0], GENERIC[0], CONSTANT
DCL OUT[0], COLOR
DCL BUFFER[0]
DCL BUFFER[1]
DCL TEMP[0]
IMM[0] UINT32 {4, 8, 0, 0}
LOAD TEMP[0], BUFFER[1], IMM[0].yyyy
STORE BUFFER[0].x, IMM[0].xxxx, IN[0].xxxx
MOV OUT[0], TEMP[0]
END
";

/// Bits that decide nothing but speed and order, or what these shaders do not show: clamps of NaN, colours that no
/// stage before provides, the entry that a call of the fetch shader takes; see `r600_sim::pipeline`.
const SILENT: [(&str, u32); 13] = [
    ("SQ_PGM_RESOURCES_PS", 1 << 21 | 1 << 23 | 1 << 28),
    ("SQ_PGM_RESOURCES_VS", 1 << 8 | 1 << 21),
    ("SQ_PGM_RESOURCES_GS", 1 << 21),
    ("SQ_PGM_RESOURCES_HS", 1 << 21),
    ("SQ_PGM_RESOURCES_LS", 1 << 21),
    ("SPI_PS_IN_CONTROL_0", 3 << 26),
    ("SPI_PS_INPUT_CNTL", 3 << 8),
    ("DB_SHADER_CONTROL", 3 << 4),
    ("VGT_GS_MODE", 3 << 3),
    ("VGT_VERTEX_REUSE_BLOCK_CNTL", !0),
    ("VGT_HOS_REUSE_DEPTH", !0),
    ("SQ_VTX_SEMANTIC_CLEAR", !7),
    ("PA_CL_VS_OUT_CNTL", 1 << 24),
];

fn parse(text: &str) -> Shader {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    parsed.shader
}

/// Whether a program gives what the interpreter says on every kind of scene.
fn is_right(shader: &Shader, program: &Program, target: Target) -> bool {
    let kernel = tgsi_exec::Kernel::new(shader).unwrap();
    let flavors = [Flavor::Ordinary, Flavor::Integers];
    flavors.into_iter().zip(3..).all(|(flavor, seed)| {
        let case = Case::new(shader, &kernel, Scene::new(shader, seed, flavor)).unwrap();
        case.check(program, target, &mut Tally::default()).is_ok()
    })
}

/// The bits of a register that show. Of an input that is no parameter none do, of one that is replaced only this.
fn heeded(name: &str, value: u32) -> u32 {
    let replaced = 1 << 17;
    match name {
        "SPI_PS_INPUT_CNTL" if value & replaced != 0 => replaced,
        "SPI_PS_INPUT_CNTL" if value & 0xFF == 0 => 0,
        _ => {
            let silent = SILENT.iter().filter(|(own, _)| *own == name);
            silent.fold(value, |heeded, (_, bits)| heeded & !bits)
        }
    }
}

/// Clears each bit that is set in a register of the shader's own program.
fn mistakes(text: &str, chip: Chip) -> BTreeSet<String> {
    let shader = parse(text);
    let target = Target { chip, level: OptLevel::O2, precise: true };
    let program = OurCompiler.compile(&shader, target).unwrap();
    assert!(is_right(&shader, &program, target), "{chip:?}\n{text}");
    let key = difftest::case::key_of(&shader);
    let options = Options::default().precise(true).key(key);
    let compiled = Compiler::new(options).unwrap().compile(&shader, chip).unwrap();
    let mut unseen = BTreeSet::new();
    for register in &compiled.state {
        let heeded = heeded(register.name, register.value);
        let bits = (0..32).filter(|bit| heeded >> bit & 1 == 1);
        for bit in bits {
            let mut broken = program.clone();
            broken.state.set(register.address, register.value & !(1 << bit));
            if is_right(&shader, &broken, target) {
                unseen.insert(format!("{chip:?} {}_{} bit {bit}", register.name, register.index));
            }
        }
    }
    unseen
}

fn check(text: &str, chips: &[Chip]) {
    let unseen: BTreeSet<String> = chips.iter().flat_map(|&chip| mistakes(text, chip)).collect();
    assert_eq!(unseen, BTreeSet::new());
}

#[test]
fn wrong_inputs_of_fragments_are_noticed() {
    check(FRAGMENT, &CHIPS);
    check(SAMPLES, &CHIPS);
}

#[test]
fn fragments_that_write_memory_must_run() {
    const EARLY_THEN_LATE: u32 = 1 << 4;
    check(STORES, &CHIPS[2..]);
    let shader = parse(STORES);
    for &chip in &CHIPS[2..] {
        let target = Target { chip, level: OptLevel::O2, precise: true };
        let mut program = OurCompiler.compile(&shader, target).unwrap();
        let key = difftest::case::key_of(&shader);
        let compiler = Compiler::new(Options::default().precise(true).key(key)).unwrap();
        let state = compiler.compile(&shader, chip).unwrap().state;
        let depth = state.iter().find(|register| register.name == "DB_SHADER_CONTROL").unwrap();
        program.state.set(depth.address, depth.value | EARLY_THEN_LATE);
        assert!(!is_right(&shader, &program, target), "{chip:?}");
    }
}

#[test]
fn wrong_exports_of_vertices_are_noticed() {
    check(VERTEX, &CHIPS);
}

#[test]
fn wrong_rings_are_noticed() {
    check(GEOMETRY, &CHIPS[2..]);
    let early = GEOMETRY.replace("PROPERTY GS_INVOCATIONS 3\n", "");
    let early = ["yyyy", "zzzz", "wwww"].iter().fold(early, |text, stream| {
        text.replace(&format!("EMIT IMM[0].{stream}"), "EMIT IMM[0].xxxx")
    });
    let early = early.replace("DCL SV[1], INVOCATIONID\n", "").replace("SV[1]", "SV[0]");
    check(&early, &CHIPS[..2]);
}

#[test]
fn wrong_groups_and_patches_are_noticed() {
    for text in [CONTROL, EVALUATION, COMPUTE] {
        check(text, &CHIPS[2..]);
    }
}
