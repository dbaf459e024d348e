//! Built-ins that take instructions to find.

use tgsi_exec::{Bindings, Inputs, Kernel, STEP_LIMIT};
use tgsi_spirv::{Environment, Options, Translation};

use super::run::{lanes, only};

#[test]
fn a_face_is_a_truth_value_in_a_block_too() {
    let Translation { shader, .. } = only("block_face.spvasm", &Options::default());
    let faces = [-1.0f32, -1.0, 1.0, 1.0].map(|face| [face.to_bits(); 4]);
    let want = [0.0f32, 0.0, 1.0, 1.0].map(|red| [red.to_bits(); 4]);
    assert_eq!(lanes(&shader, faces), [want]);
}

/// The window has 100 rows, of which the transform counts the centres: those of the first and the last from above are 0 and 99.
#[test]
fn rows_from_below_count_from_zero_where_centres_are_whole_numbers() {
    let options = Options::default().environment(Environment::OpenGl);
    let Translation { shader, .. } = only("whole.frag", &options);
    let rows = [0.0f32, 1.0, 98.0, 99.0];
    let inputs = Inputs {
        registers: vec![rows.map(|row| [7.0, row, 0.5, 1.0].map(f32::to_bits))],
        ..Inputs::default()
    };
    let kernel = Kernel::new(&shader).expect("the interpreter supports it");
    for (transform, flipped) in [([1.0f32, 0.0], false), ([-1.0, 100.0], true)] {
        let mut bindings = Bindings::default();
        let [factor, summand] = transform.map(f32::to_bits);
        bindings.constants.insert(0, vec![[factor, summand, 0, 0]]);
        let outcome = kernel.run(&inputs, STEP_LIMIT, &mut bindings).expect("it terminates");
        let found = outcome.outputs[0].map(|lane| f32::from_bits(lane[1]));
        assert_eq!(found, rows.map(|row| if flipped { 99.0 - row } else { row }));
        assert_eq!(f32::from_bits(outcome.outputs[0][0][0]), 7.0);
    }
}

#[test]
fn lanes_know_when_they_have_become_helpers() {
    let Translation { shader, .. } = only("helpers.spvasm", &Options::default());
    let registers = vec![[[0; 4], [1; 4], [0; 4], [1; 4]]];
    let system_values = vec![[[0; 4], [0; 4], [0; 4], [u32::MAX; 4]]];
    let inputs = Inputs { registers, system_values, helpers: 0b1000, ..Inputs::default() };
    let kernel = Kernel::new(&shader).expect("the interpreter supports it");
    let outcome = kernel.run(&inputs, STEP_LIMIT, &mut Bindings::default()).expect("it terminates");
    let want = [[1.0, 1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0], [1.0; 4]];
    assert_eq!(outcome.outputs, [want.map(|lane| lane.map(f32::to_bits))]);
}
