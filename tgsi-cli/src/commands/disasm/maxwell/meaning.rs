//! What a texture instruction of Maxwell does to registers, and what the texture unit is told.

use maxwell_tex::{
    D3dOp, Instruction, Quad, QuadMask, Read, ThreadType, Write, Written, reads, tlds_overrides,
    writes,
};
use serde_json::{Value, json};

/// The meaning in comments, a line each.
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

/// The meaning as an object.
pub(super) fn object(instruction: &Instruction) -> Value {
    let whole = Quad::launch(QuadMask::ALL).status(instruction, QuadMask::ALL);
    let other = Quad { threads: ThreadType::Other, current: QuadMask::ALL, killed: QuadMask::NONE };
    let reads: Vec<Value> = reads(instruction)
        .iter()
        .map(|read| json!({ "register": read.reg.to_string(), "holds": read.value.text() }))
        .collect();
    let writes: Vec<Value> = writes(instruction)
        .iter()
        .map(|write| json!({ "register": write.reg.to_string(), "holds": held(write) }))
        .collect();
    json!({
        "reads": reads,
        "writes": writes,
        "direct3d": D3dOp::of(instruction).map(D3dOp::text),
        "quad": {
            "active": active(instruction),
            "divergent": divergent(instruction),
            "whole_quad_of_pixels": { "active": whole.active.bits(), "divergent": whole.divergent },
            "other_threads": {
                "active": other.status(instruction, QuadMask::ALL).active.bits(),
                "divergent": other.status(instruction, QuadMask::ALL).divergent,
            },
        },
    })
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

/// What a register holds afterwards.
fn held(write: &Write) -> String {
    match write.result {
        Written::Word(component) => format!("{component:?}"),
        Written::Halves(low, Some(high)) => format!("{low:?} and {high:?} as halves"),
        Written::Halves(low, None) => format!("{low:?} as a half, 0 above"),
    }
}

/// The pixels whose result is wanted, by the masks of the document.
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
