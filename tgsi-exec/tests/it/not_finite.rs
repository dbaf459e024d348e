//! Which lanes an outcome says were infinite or NaN, so that nothing is known of them once code is rearranged.

use crate::common;

use common::{all, fragment, parse, run};
use tgsi_exec::{Errors, Inputs, Kernel, NoResources, Perturbation, STEP_LIMIT};

/// The lanes that are not finite, with a NaN in `IN[0]` of lane 2 and −1 in the others.
fn not_finite(body: &str) -> u8 {
    let lanes = [-1.0, -1.0, f32::NAN, -1.0].map(|x: f32| [x.to_bits(); 4]);
    run(&fragment(body), vec![lanes; 4]).not_finite
}

#[test]
fn only_the_lane_that_computes_with_a_nan() {
    assert_eq!(not_finite("ADD OUT[0], IN[0], IMM[1]"), 0b0100);
    assert_eq!(not_finite("MOV OUT[0], IMM[1]"), 0);
}

#[test]
fn a_result_is_looked_at_wherever_it_goes() {
    // The bits of the NaN, twice, are a double that is finite, but no float.
    for mask in ["x", "y", "z", "w"] {
        assert_eq!(not_finite(&format!("D2F OUT[0].{mask}, IN[0]")), 0b0100, "{mask}");
    }
}

#[test]
fn comparisons_look_at_a_nan_and_give_none() {
    for body in [
        "SLT OUT[0], IN[0], IMM[1]",
        "FSEQ OUT[0], IMM[1], IN[0]",
        "CMP OUT[0], IN[0], IMM[1], IMM[1].yyyy",
        "SSG OUT[0], IN[0]",
        "MIN OUT[0], IN[0], IMM[1]",
        "MAX OUT[0], IMM[1], IN[0]",
    ] {
        assert_eq!(not_finite(body), 0b0100, "{body}");
    }
    // Taken or not, but not compared.
    assert_eq!(not_finite("CMP_SAT OUT[0], IMM[1].wwww, IMM[1], IN[0]"), 0);
    assert_eq!(not_finite("USEQ OUT[0], IN[0], IMM[0]"), 0);
}

#[test]
fn lanes_that_read_a_nonfinite_lane_count_as_nonfinite() {
    for look in ["DDX OUT[0], IN[1]", "DDY OUT[0], IMM[1]"] {
        assert_eq!(
            not_finite(&format!("ADD_SAT TEMP[0], IN[0], IMM[1]\n{look}")),
            0b1111,
            "{look}"
        );
    }
    // A lane that turns so later, and a constant difference before it, tell the others nothing.
    assert_eq!(not_finite("DDX OUT[0], IMM[1]\nADD_SAT TEMP[0], IN[0], IMM[1]"), 0b0100);
}

#[test]
fn each_quad_of_a_group_has_its_own_lanes() {
    let quad = |x: f32| Inputs { registers: vec![all([x.to_bits(); 4]); 4], ..Inputs::default() };
    let kernel = Kernel::new(&parse(&fragment("ADD OUT[0], IN[0], IMM[1]"))).unwrap();
    let quads = [quad(1.0), quad(f32::NAN)];
    let outcomes = kernel.run_group(&quads, STEP_LIMIT, &mut NoResources).unwrap();
    let not_finite: Vec<u8> = outcomes.iter().map(|outcome| outcome.not_finite).collect();
    assert_eq!(not_finite, [0, 0b1111]);
}

/// Where every run filled them, no run would make the errors that follow where they hold nothing.
#[test]
fn every_other_run_with_errors_fills_what_nothing_has_written() {
    let text =
        fragment("UIF TEMP[3].xxxx\nMOV OUT[0], IMM[0].yyyy\nELSE\nRCP OUT[0], IN[0]\nENDIF");
    let kernel = Kernel::new(&parse(&text)).unwrap();
    let inputs = Inputs { registers: vec![all([3.0_f32.to_bits(); 4]); 4], ..Inputs::default() };
    let third = (1.0_f32 / 3.0).to_bits();
    let found: Vec<u32> = (0..16)
        .map(|seed| {
            let errors = Perturbation::new(seed, Errors::Approximations);
            let outcome = kernel.run_perturbed(&inputs, STEP_LIMIT, errors, &mut NoResources);
            outcome.unwrap().outputs[0][0][0]
        })
        .collect();
    let filled = found.iter().filter(|&&bits| bits == 1).count();
    assert_eq!(filled, 8, "{found:x?}");
    assert!(found.iter().any(|&bits| bits != 1 && bits != third), "{found:x?}");
}
