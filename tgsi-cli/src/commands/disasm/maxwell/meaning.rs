//! The registers that a Maxwell texture instruction reads and writes, and the state of the quad that the texture unit
//! gets.

use maxwell_tex::{
    D3dOp, Instruction, Quad, QuadMask, Read, Reg, ThreadType, Write, Written, reads,
    tlds_overrides, writes,
};
use schemars::JsonSchema;
use serde::Serialize;

/// The description as comments, one per line.
pub(super) fn lines(instruction: &Instruction) -> Vec<String> {
    let mut lines = vec![
        listed("reads", reads(instruction).iter().map(read)),
        listed("writes", writes(instruction).iter().map(write)),
        format!("quad: active {}; divergent {}", active(instruction), divergent(instruction)),
    ];
    lines.push(match D3dOp::of(instruction) {
        Some(op) => format!("Direct3D: {}", op.text()),
        None => "Direct3D has no such instruction".to_owned(),
    });
    if matches!(instruction, Instruction::Tlds(_)) {
        lines.push(listed(
            "takes as given",
            tlds_overrides().iter().map(|one| format!("{} = {}", one.field, one.value)),
        ));
    }
    lines
}

/// What a texture instruction does to registers, and what the texture unit is told.
#[derive(Serialize, JsonSchema)]
pub(super) struct MeaningJson {
    /// The instruction of Direct3D 11 that does the same; `null` where there is none.
    direct3d: Option<String>,
    /// Which pixels of the quad count.
    quad: QuadJson,
    /// The registers that are read.
    reads: Vec<HeldJson>,
    /// The registers that are written.
    writes: Vec<HeldJson>,
}

/// A register of an instruction, and what it holds.
#[derive(Serialize, JsonSchema)]
struct HeldJson {
    /// The value or component that it holds.
    holds: String,
    /// The register.
    register: String,
}

/// The quad of an instruction.
#[derive(Serialize, JsonSchema)]
struct QuadJson {
    /// The pixels whose result is wanted, by the masks of the document.
    active: &'static str,
    /// When the quad counts as divergent.
    divergent: &'static str,
    /// A quad of other threads than pixels.
    other_threads: StatusJson,
    /// A quad of pixels that all run.
    whole_quad_of_pixels: StatusJson,
}

/// What the texture unit is told of a quad.
#[derive(Serialize, JsonSchema)]
struct StatusJson {
    /// The active pixels, a bit each.
    active: u8,
    /// Whether the quad counts as divergent.
    divergent: bool,
}

impl MeaningJson {
    pub(super) fn new(instruction: &Instruction) -> Self {
        let pixels = Quad::launch(QuadMask::ALL);
        let other = Quad { threads: ThreadType::Other, ..pixels };
        let status = |quad: Quad| {
            let status = quad.status(instruction, QuadMask::ALL);
            StatusJson { active: status.active.bits(), divergent: status.divergent }
        };
        let register =
            |register: Reg, holds: String| HeldJson { holds, register: register.to_string() };
        Self {
            direct3d: D3dOp::of(instruction).map(|op| op.text().to_string()),
            quad: QuadJson {
                active: active(instruction),
                divergent: divergent(instruction),
                other_threads: status(other),
                whole_quad_of_pixels: status(pixels),
            },
            reads: reads(instruction)
                .iter()
                .map(|read| register(read.reg, read.value.text().to_string()))
                .collect(),
            writes: writes(instruction)
                .iter()
                .map(|write| register(write.reg, held(write)))
                .collect(),
        }
    }
}

fn listed(what: &str, items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    if items.is_empty() {
        format!("{what} nothing")
    } else {
        format!("{what} {}", items.join(", "))
    }
}

fn read(read: &Read) -> String {
    format!("{} ({})", read.reg, read.value.text())
}

fn write(write: &Write) -> String {
    format!("{} ({})", write.reg, held(write))
}

/// What a register holds after the instruction.
fn held(write: &Write) -> String {
    match write.result {
        Written::Word(component) => format!("{component:?}"),
        Written::Halves(low, Some(high)) => format!("{low:?} and {high:?} as halves"),
        Written::Halves(low, None) => format!("{low:?} as a half, 0 above"),
    }
}

/// The pixels that need a result, by the masks of the document.
fn active(instruction: &Instruction) -> &'static str {
    let rests = match instruction {
        Instruction::Tex(tex) => tex.nodep,
        Instruction::Tlds(tlds) => tlds.nodep,
    };
    if rests { "~KTM & IPM & CTM" } else { "IPM & CTM" }
}

/// When the quad counts as divergent.
fn divergent(instruction: &Instruction) -> &'static str {
    match instruction {
        Instruction::Tex(tex) if tex.ndv => "never",
        Instruction::Tex(_) => "unless all four pixels run",
        Instruction::Tlds(_) => "without effect: no derivatives",
    }
}
