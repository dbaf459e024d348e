//! A run that stops constrains nothing in the lanes that stopped it, and all others as before.

use tgsi_exec::{Angles, ExecError, Outcome, Perturbation};
use tgsi_ir::{InstructionId, Processor, Shader};

use crate::scene::{Flavor, Scene};
use crate::uncompared::Cause;

use super::*;

/// An interpreter that gives the same run every time, but stops in some of the runs with errors.
struct Stopping {
    scene: Scene,
    error: ExecError,
    /// One run in this many stops.
    every: usize,
    calls: std::cell::Cell<usize>,
}

impl Interpret for Stopping {
    fn run(&self, perturbation: Option<Perturbation>) -> Result<Run, ExecError> {
        self.calls.set(self.calls.get() + 1);
        if perturbation.is_some() && self.calls.get().is_multiple_of(self.every) {
            return Err(self.error.clone());
        }
        let outcome = Outcome { outputs: vec![[[7; 4]; 4]], ..Outcome::default() };
        Ok(Run { outcome, ..Run::default() })
    }

    fn scene(&self) -> &Scene {
        &self.scene
    }

    fn lanes_of(&self, error: &ExecError) -> u8 {
        error.lane().map_or(0xf, |lane| 1 << lane)
    }
}

const LEAVES: ExecError = ExecError::Register { at: InstructionId(0), lane: 2, index: 9 };
const ENDLESS: ExecError = ExecError::StepLimit { at: InstructionId(0), lane: 0, limit: 9 };

/// Judges a program whose results differ in `lane`.
fn judge(error: ExecError, every: usize, lane: usize) -> (Result<(), Mismatch>, Tally, bool) {
    let scene = Scene::new(&Shader::new(Processor::Vertex), 1, Flavor::Counts);
    let interpret = Stopping { scene, error, every, calls: Default::default() };
    let reference = Reference::new(interpret).expect("the plain run ends");
    let mut exported = [[Some(7); 4]; 4];
    exported[lane] = [Some(8); 4];
    let results = Results {
        killed: 0,
        outputs: vec![(0, exported)],
        counters: Vec::new(),
        changes: Default::default(),
    };
    let mut tally = Tally::default();
    let judged = reference.check(&results, (Strictness::Precise, Angles::Radians), &mut tally);
    (judged, tally, reference.may_not_end(Strictness::Precise))
}

#[test]
fn a_run_that_leaves_a_file_frees_its_own_lane_only() {
    let (judged, tally, may_not_end) = judge(LEAVES, 5, 2);
    assert_eq!(judged, Ok(()));
    assert_eq!((tally.exact, tally.open.count(Cause::Left), may_not_end), (12, 4, false));
    for lane in [0, 1, 3] {
        assert!(judge(LEAVES, 5, lane).0.is_err(), "lane {lane} is compared");
    }
}

#[test]
fn a_run_without_an_end_frees_nothing() {
    for lane in 0..4 {
        let (judged, _, may_not_end) = judge(ENDLESS, 5, lane);
        assert!(judged.is_err(), "lane {lane} is compared");
        assert!(may_not_end, "a program need not end, either");
    }
}

#[test]
fn results_are_open_if_most_runs_stop() {
    // The plain run comes first; every second run stops.
    for error in [LEAVES, ENDLESS] {
        let (judged, tally, _) = judge(error, 1, 0);
        assert_eq!(judged, Ok(()));
        assert_eq!(tally.open.count(Cause::Left), 4);
    }
}

/// Whether a program may not end if its loop exits by the sign of the zero or NaN in `TEMP[0].x`.
fn sign_may_not_end(number: &str) -> bool {
    let text = format!(
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM[0] UINT32 {{0, 2147483648, 31, 2139095040}}\n{number}\n\
         BGNLOOP\nUSHR TEMP[1].x, TEMP[0].xxxx, IMM[0].zzzz\nUIF TEMP[1].xxxx\nBRK\nENDIF\nENDLOOP\n\
         MOV OUT[0], IMM[0].xxxx\nEND\n"
    );
    let parsed = tgsi_text::parse(&text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    let kernel = Kernel::new(&parsed.shader).expect("the shader is valid");
    let scene = Scene::new(&parsed.shader, 1, Flavor::Counts);
    let run = OneQuad { kernel: &kernel, scene, limit: 1000 };
    let reference = Reference::new(run).expect("the plain run ends");
    reference.may_not_end(Strictness::Relaxed)
}

#[test]
fn rearranging_code_does_not_affect_whether_a_loop_ends() {
    assert!(!sign_may_not_end("ADD TEMP[0].x, IMM[0].yyyy, IMM[0].yyyy"));
    assert!(!sign_may_not_end("MUL TEMP[0].x, IMM[0].yyyy, |IMM[0].yyyy|"));
}

#[test]
fn the_sign_of_a_nan_is_unspecified() {
    assert!(sign_may_not_end("MAD TEMP[0].x, IMM[0].wwww, IMM[0].xxxx, IMM[0].xxxx"));
}
