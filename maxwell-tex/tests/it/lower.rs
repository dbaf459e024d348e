//! TGSI's texture instructions, and what becomes of each.

#![cfg(feature = "tgsi")]

use std::collections::BTreeMap;

use maxwell_tex::lower::{Lowering, Options, lower};
use maxwell_tex::{Severity, Sm, asm, check};
use tgsi_ir::{File, Shader};

const OPTIONS: Options = Options { sm: Sm::Sm52, first_index: 0x50 };

const DECLARATIONS: &str = "\
DCL IN[0..1], GENERIC, LINEAR
DCL OUT[0], COLOR
DCL SAMP[0..40]
DCL SVIEW[0], 2D, FLOAT
DCL SVIEW[1], SHADOW2D, FLOAT
DCL SVIEW[2], 2D_ARRAY, FLOAT
DCL SVIEW[3], 2D_MSAA, FLOAT
DCL TEMP[0..3]
DCL ADDR[0]
IMM[0] INT32 { 1, -8, 7, 0 }
IMM[1] INT32 { 8, 0, 0, 0 }
";

fn shader(stage: &str, instruction: &str) -> Shader {
    let text = format!("{stage}\n{DECLARATIONS}  0: {instruction}\n  1: END\n");
    let parsed = tgsi_text::parse(&text);
    assert!(parsed.diagnostics.is_empty(), "{text}{:?}", parsed.diagnostics);
    parsed.shader
}

/// The computations, the instruction and the results, on a line each except for the results.
fn listed(lowering: &Lowering) -> Vec<String> {
    let steps = lowering.steps();
    let mut lines: Vec<_> = steps
        .iter()
        .map(|step| format!("{} = {} ({})", step.to, step.compute, step.value.text()))
        .collect();
    lines.push(lowering.instruction().to_string());
    let results = lowering.results.iter();
    let results: Vec<_> =
        results.map(|(channel, reg)| format!("{} = {reg}", channel.letter())).collect();
    lines.push(results.join(", "));
    lines.extend(lowering.notes.iter().map(|note| note.text().to_owned()));
    lines
}

fn outcome(stage: &str, instruction: &str) -> Result<Vec<String>, String> {
    let mut lowered = lower(&shader(stage, instruction), &OPTIONS);
    assert_eq!(lowered.len(), 1, "{instruction}");
    let outcome = lowered.remove(0).outcome;
    outcome.map(|lowering| listed(&lowering)).map_err(|error| error.to_string())
}

fn assert_lowers(instruction: &str, want: &[&str]) {
    assert_eq!(
        outcome("FRAG", instruction).as_deref(),
        Ok(&want.map_to_strings()[..]),
        "{instruction}"
    );
}

trait MapToStrings {
    fn map_to_strings(&self) -> Vec<String>;
}

impl MapToStrings for [&str] {
    fn map_to_strings(&self) -> Vec<String> {
        self.iter().map(|&line| line.to_owned()).collect()
    }
}

#[test]
fn plain_lookups() {
    assert_lowers(
        "TEX TEMP[0], IN[0], SAMP[2], 2D",
        &[
            "R4 = IN[0].x (s)",
            "R5 = IN[0].y (t)",
            "TEX R0, R4, 0x52, 2D, 0xf;",
            "x = R0, y = R1, z = R2, w = R3",
        ],
    );
    assert_lowers(
        "TEX TEMP[0].yw, -|IN[0].wzyx|, SAMP[0], CUBE",
        &[
            "R4 = -|IN[0].w| (s)",
            "R5 = -|IN[0].z| (t)",
            "R6 = -|IN[0].y| (r)",
            "TEX R0, R4, 0x50, CUBE, 0xa;",
            "y = R0, w = R1",
        ],
    );
    assert_lowers(
        "TEX TEMP[0].x, IN[0], SAMP[0], RECT",
        &[
            "R2 = IN[0].x (s)",
            "R3 = IN[0].y (t)",
            "TEX R0, R2, 0x50, 2D, 0x1;",
            "x = R0",
            "coordinates are in texels: the header must not normalise them",
        ],
    );
}

#[test]
fn levels_and_biases() {
    assert_lowers(
        "TXB TEMP[0].x, IN[0], SAMP[0], 2D",
        &[
            "R2 = IN[0].x (s)",
            "R3 = IN[0].y (t)",
            "R4 = IN[0].w (lod)",
            "TEX.LB R0, R2, R4, 0x50, 2D, 0x1;",
            "x = R0",
        ],
    );
    assert_lowers(
        "TXL2 TEMP[0].x, IN[0], IN[1].yyyy, SAMP[0], CUBEARRAY",
        &[
            "R4 = u16(round(IN[0].w)) (array)",
            "R5 = IN[0].x (s)",
            "R6 = IN[0].y (t)",
            "R7 = IN[0].z (r)",
            "R8 = IN[1].y (lod)",
            "TEX.LL R0, R4, R8, 0x50, ARRAY_CUBE, 0x1;",
            "x = R0",
        ],
    );
    assert_lowers(
        "TEX_LZ TEMP[0].x, IN[0], SAMP[0], 1D",
        &["R1 = IN[0].x (s)", "TEX.LZ R0, R1, 0x50, 1D, 0x1;", "x = R0"],
    );
}

#[test]
fn arrays_and_shadows() {
    assert_lowers(
        "TEX TEMP[0].x, IN[0], SAMP[0], SHADOW2D_ARRAY",
        &[
            "R4 = u16(round(IN[0].z)) (array)",
            "R5 = IN[0].x (s)",
            "R6 = IN[0].y (t)",
            "R7 = IN[0].w (ref)",
            "TEX.DC R0, R4, R7, 0x50, ARRAY_2D, 0x1;",
            "x = R0",
        ],
    );
    assert_lowers(
        "TEX2 TEMP[0].x, IN[0], IN[1], SAMP[0], SHADOWCUBEARRAY",
        &[
            "R4 = u16(round(IN[0].w)) (array)",
            "R5 = IN[0].x (s)",
            "R6 = IN[0].y (t)",
            "R7 = IN[0].z (r)",
            "R8 = IN[1].x (ref)",
            "TEX.DC R0, R4, R8, 0x50, ARRAY_CUBE, 0x1;",
            "x = R0",
        ],
    );
    // The second source has the reference only where the first has no channel left.
    assert_lowers(
        "TEX2 TEMP[0].x, IN[0], IN[1], SAMP[0], SHADOW2D",
        &[
            "R2 = IN[0].x (s)",
            "R3 = IN[0].y (t)",
            "R4 = IN[0].z (ref)",
            "TEX.DC R0, R2, R4, 0x50, 2D, 0x1;",
            "x = R0",
        ],
    );
    assert_lowers(
        "TXL TEMP[0].x, IN[0], SAMP[0], SHADOW1D",
        &[
            "R1 = IN[0].x (s)",
            "R2 = IN[0].w (lod)",
            "R3 = IN[0].z (ref)",
            "TEX.LL.DC R0, R1, R2, 0x50, 1D, 0x1;",
            "x = R0",
            "depth is compared only when the sampler enables it",
        ],
    );
}

#[test]
fn projection_divides_layer_and_reference_too() {
    assert_lowers(
        "TXP TEMP[0].x, IN[0], SAMP[0], SHADOW1D_ARRAY",
        &[
            "R2 = u16(round(IN[0].y / IN[0].w)) (array)",
            "R3 = IN[0].x / IN[0].w (s)",
            "R4 = IN[0].z / IN[0].w (ref)",
            "TEX.DC R0, R2, R4, 0x50, ARRAY_1D, 0x1;",
            "x = R0",
            "coordinates are divided by w: a reciprocal and multiplications",
        ],
    );
}

#[test]
fn fetches() {
    assert_lowers(
        "TXF TEMP[0].xyz, TEMP[1], SAMP[0], 2D",
        &[
            "R4 = TEMP[1].x (s)",
            "R5 = TEMP[1].y (t)",
            "R6 = TEMP[1].w (lod)",
            "TLDS.LL R2, R0, R4, R6, 0x50, 2D, RGB;",
            "x = R0, y = R1, z = R2",
        ],
    );
    assert_lowers(
        "TXF_LZ TEMP[0], TEMP[1], SAMP[0], 2D_ARRAY",
        &[
            "R4 = u16(TEMP[1].z) (array)",
            "R6 = TEMP[1].x (s)",
            "R7 = TEMP[1].y (t)",
            "TLDS.LZ R2, R0, R4, R6, 0x50, ARRAY_2D, RGBA;",
            "x = R0, y = R1, z = R2, w = R3",
        ],
    );
    // The level is known to be 0.
    assert_lowers(
        "TXF TEMP[0].x, IMM[0].xyzw, SAMP[0], 3D",
        &[
            "R2 = IMM[0].x (s)",
            "R3 = IMM[0].y (t)",
            "R4 = IMM[0].z (r)",
            "TLDS.LZ RZ, R0, R2, R4, 0x50, 3D, R;",
            "x = R0",
        ],
    );
    assert_lowers(
        "TXF TEMP[0].x, TEMP[1], SAMP[0], 2D_MSAA",
        &[
            "R2 = TEMP[1].x (s)",
            "R3 = TEMP[1].y (t)",
            "R4 = TEMP[1].w (sample)",
            "TLDS.LZ.MS RZ, R0, R2, R4, 0x50, 2D, R;",
            "x = R0",
        ],
    );
}

#[test]
fn offsets() {
    assert_lowers(
        "TEX TEMP[0].x, IN[0], SAMP[0], 2D, IMM[0].yzz",
        &[
            "R2 = IN[0].x (s)",
            "R3 = IN[0].y (t)",
            "R4 = 0x78 (offsets)",
            "TEX.AOFFI R0, R2, R4, 0x50, 2D, 0x1;",
            "x = R0",
        ],
    );
    assert_lowers(
        "TXF_LZ TEMP[0].x, TEMP[1], SAMP[0], 2D, TEMP[2].xyy",
        &[
            "R2 = TEMP[1].x (s)",
            "R3 = TEMP[1].y (t)",
            "R4 = offsets(TEMP[2].x, TEMP[2].y) (offsets)",
            "TLDS.LZ.AOFFI RZ, R0, R2, R4, 0x50, 2D, R;",
            "x = R0",
        ],
    );
}

#[test]
fn views() {
    assert_lowers(
        "SAMPLE TEMP[0].xy, IN[0], SVIEW[0].wwww, SAMP[3]",
        &["R2 = IN[0].x (s)", "R3 = IN[0].y (t)", "TEX R0, R2, 0x300, 2D, 0x8;", "x = R0, y = R0"],
    );
    assert_lowers(
        "SAMPLE_C_LZ TEMP[0].x, IN[0], SVIEW[1], SAMP[0], IN[1].zzzz",
        &[
            "R2 = IN[0].x (s)",
            "R3 = IN[0].y (t)",
            "R4 = IN[1].z (ref)",
            "TEX.LZ.DC R0, R2, R4, 0x1, 2D, 0x1;",
            "x = R0",
        ],
    );
    assert_lowers(
        "SAMPLE_L TEMP[0].x, IN[0], SVIEW[2], SAMP[0], IN[1]",
        &[
            "R4 = u16(round(IN[0].z)) (array)",
            "R5 = IN[0].x (s)",
            "R6 = IN[0].y (t)",
            "R7 = IN[1].x (lod)",
            "TEX.LL R0, R4, R7, 0x2, ARRAY_2D, 0x1;",
            "x = R0",
        ],
    );
    assert_lowers(
        "SAMPLE_I_MS TEMP[0].x, TEMP[1], SVIEW[3], TEMP[2]",
        &[
            "R2 = TEMP[1].x (s)",
            "R3 = TEMP[1].y (t)",
            "R4 = TEMP[2].x (sample)",
            "TLDS.LZ.MS RZ, R0, R2, R4, 0x3, 2D, R;",
            "x = R0",
        ],
    );
}

#[test]
fn samplers_chosen_while_running_are_bindless() {
    assert_lowers(
        "TEX TEMP[0].x, IN[0], SAMP[ADDR[0].x+2], 2D",
        &[
            "R2 = IN[0].x (s)",
            "R3 = IN[0].y (t)",
            "R4 = bank[0x52 + ADDR[0].x] (handle)",
            "TEX.B R0, R2, R4, 0x0, 2D, 0x1;",
            "x = R0",
        ],
    );
}

#[test]
fn what_is_added_to_an_index_may_be_negative() {
    assert_lowers(
        "TEX TEMP[0].x, IN[0], SAMP[ADDR[0].x-2], 2D",
        &[
            "R2 = IN[0].x (s)",
            "R3 = IN[0].y (t)",
            "R4 = bank[0x4e + ADDR[0].x] (handle)",
            "TEX.B R0, R2, R4, 0x0, 2D, 0x1;",
            "x = R0",
        ],
    );
}

#[test]
fn vertex_shaders_have_no_derivatives() {
    let lines = outcome("VERT", "TEX TEMP[0].x, TEMP[1], SAMP[0], 1D").expect("it is lowered");
    assert_eq!(
        lines,
        [
            "R1 = TEMP[1].x (s)",
            "TEX.LZ R0, R1, 0x50, 1D, 0x1;",
            "x = R0",
            "no derivatives outside of fragment shaders: level 0"
        ]
    );
    assert_eq!(
        outcome("VERT", "TXB TEMP[0].x, TEMP[1], SAMP[0], 1D"),
        Err("TXB: a bias needs derivatives, which only fragment shaders have".to_owned())
    );
}

#[test]
fn what_does_not_map_says_why() {
    for (instruction, reason) in [
        (
            "TXD TEMP[0], IN[0], IN[0], IN[1], SAMP[0], 2D",
            "TXD: needs TXD, which is neither TEX nor TLDS",
        ),
        ("TXQ TEMP[0], IMM[0].wwww, SAMP[0], 2D", "TXQ: needs TXQ, which is neither TEX nor TLDS"),
        ("TXF TEMP[0], TEMP[1], SAMP[0], BUFFER", "TXF: no shape fits the target BUFFER"),
        (
            "TEX TEMP[0], IN[0], SAMP[0], 2D_MSAA",
            "TEX: multisampled textures are fetched, not sampled",
        ),
        (
            "TXL TEMP[0], IN[0], SAMP[0], SHADOWCUBE",
            "TXL: w is a coordinate of this target: use the form with two sources",
        ),
        (
            "TXP TEMP[0], IN[0], SAMP[0], CUBEARRAY",
            "TXP: w is a coordinate of this target, so it cannot divide",
        ),
        (
            "TXB2 TEMP[0], IN[0], IN[1], SAMP[0], SHADOWCUBEARRAY",
            "TXB2: there is no place for the reference value",
        ),
        ("SAMPLE TEMP[0], IN[0], SVIEW[9], SAMP[0]", "SAMPLE: the sampler view is not declared"),
        (
            "SAMPLE TEMP[0], IN[0], SVIEW[0], SAMP[40]",
            "SAMPLE: the sampler or view number does not fit an index",
        ),
        (
            "TXF TEMP[0], TEMP[1], SAMP[0], 3D",
            "TXF: 3D with .LL: the table has no row for this shape, level of detail and modifier \
             (TLDS, table of modifiers)",
        ),
        (
            "TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[1].xyy",
            "TEX: offset 8: an offset is from -8 to 7 (TEX and TLDS, .AOFFI)",
        ),
        (
            "TEX TEMP[0], IN[0], SAMP[0], CUBE, IMM[0].xxx",
            "TEX: .AOFFI with CUBE: cubes take no texel offsets (TEX, .AOFFI)",
        ),
    ] {
        assert_eq!(outcome("FRAG", instruction), Err(reason.to_owned()), "{instruction}");
    }
}

/// Every texture instruction of the corpus is lowered or refused, and what is lowered breaks no rule.
#[test]
fn the_corpus_is_lowered() {
    let Some(folder) = test_support::shared("corpus/tgsi") else { return };
    let (mut lowered, mut refused) = (0, BTreeMap::<String, usize>::new());
    for path in test_support::files(&folder, "tgsi") {
        let text = test_support::read(&path);
        for one in lower(&tgsi_text::parse(&text).shader, &OPTIONS) {
            match one.outcome {
                Ok(lowering) => {
                    let broken = check(lowering.instruction(), Sm::Sm52);
                    assert!(
                        broken.iter().all(|finding| finding.rule.severity() != Severity::Error)
                    );
                    let text = lowering.instruction().to_string();
                    assert_eq!(asm::parse(&text).errors, [], "{text}");
                    lowered += 1;
                }
                Err(error) => *refused.entry(error.to_string()).or_default() += 1,
            }
        }
    }
    println!("{lowered} texture instructions lowered, refused: {refused:?}");
    assert!(lowered > 0);
}

/// Searched for each instruction, so many declarations took seconds.
#[test]
fn many_instructions_find_their_views_at_once() {
    let mut shader = shader("FRAG", "SAMPLE TEMP[0].xy, IN[0], SVIEW[0], SAMP[3]");
    let temporary = shader.declarations.iter().find(|d| d.file == File::Temporary).cloned();
    shader.declarations.splice(0..0, vec![temporary.unwrap(); 60_000]);
    let sample = shader.instructions[0].clone();
    shader.instructions.splice(0..0, vec![sample; 5_000]);
    let lowered = lower(&shader, &OPTIONS);
    assert_eq!(lowered.len(), 5_001);
    assert!(lowered.iter().all(|one| one.outcome.is_ok()));
}
