//! Built-ins that take instructions to find.

use tgsi_exec::{Bindings, Inputs, Kernel, STEP_LIMIT};
use tgsi_spirv::{Options, Translation};

use super::run::{lanes, only};

#[test]
fn a_face_is_a_truth_value_in_a_block_too() {
    let Translation { shader, .. } = only("block_face.spvasm", &Options::default());
    let faces = [-1.0f32, -1.0, 1.0, 1.0].map(|face| [face.to_bits(); 4]);
    let want = [0.0f32, 0.0, 1.0, 1.0].map(|red| [red.to_bits(); 4]);
    assert_eq!(lanes(&shader, faces), [want]);
}

#[test]
fn lanes_know_when_they_have_become_helpers() {
    let Translation { shader, .. } = only("helpers.spvasm", &Options::default());
    let registers = vec![[[0; 4], [1; 4], [0; 4], [1; 4]]];
    let system_values = vec![[[0; 4], [0; 4], [0; 4], [u32::MAX; 4]]];
    let inputs = Inputs { registers, system_values, helpers: 0b1000, ..Inputs::default() };
    let kernel = Kernel::new(&shader).expect("the interpreter takes it");
    let outcome = kernel.run(&inputs, STEP_LIMIT, &mut Bindings::default()).expect("it ends");
    let want = [[1.0, 1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0], [1.0; 4]];
    assert_eq!(outcome.outputs, [want.map(|lane| lane.map(f32::to_bits))]);
}
