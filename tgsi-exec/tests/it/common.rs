//! Runs texts.

use tgsi_exec::{Inputs, Kernel, NoResources, Outcome, Quad, Resources, STEP_LIMIT};
use tgsi_ir::Shader;

/// The shader of a text that has no fault.
pub(crate) fn parse(text: &str) -> Shader {
    let parsed = tgsi_text::parse(text);
    let messages: Vec<_> = parsed.diagnostics.iter().map(|fault| &fault.message).collect();
    assert!(messages.is_empty(), "{messages:?}\n{text}");
    parsed.shader
}

/// A fragment shader with inputs 0…3, outputs 0 and 1, temporaries and immediates 0…3 as integers.
pub(crate) fn fragment(body: &str) -> String {
    format!(
        "FRAG\nDCL IN[0..3], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\n\
         DCL TEMP[0..3]\nIMM[0] UINT32 {{0, 1, 2, 3}}\nIMM[1] FLT32 {{0.0, 1.0, 0.5, -1.0}}\n\
         {body}\nEND\n"
    )
}

pub(crate) fn run_with(text: &str, registers: Vec<Quad>, resources: &mut dyn Resources) -> Outcome {
    let kernel = Kernel::new(&parse(text)).unwrap();
    let inputs = Inputs { registers, ..Inputs::default() };
    kernel.run(&inputs, STEP_LIMIT, resources).unwrap()
}

pub(crate) fn run(text: &str, registers: Vec<Quad>) -> Outcome {
    run_with(text, registers, &mut NoResources)
}

/// The same vector in every lane.
pub(crate) fn all(vector: [u32; 4]) -> Quad {
    [vector; 4]
}

pub(crate) fn floats(vector: [f32; 4]) -> [u32; 4] {
    vector.map(f32::to_bits)
}

/// Two doubles in a vector.
pub(crate) fn doubles(pair: [f64; 2]) -> [u32; 4] {
    let [a, b] = pair.map(f64::to_bits);
    [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]
}
