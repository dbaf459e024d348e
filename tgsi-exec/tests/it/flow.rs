//! Lanes go their own ways and meet again.

use tgsi_exec::{ExecError, Inputs, Kernel, NoResources, STEP_LIMIT};
use tgsi_ir::build::ShaderBuilder;
use tgsi_ir::{Processor, Semantic, Shader};

/// What `OUT[0].x` holds in each lane, with `IN[0].x` being the lane's number.
fn run(shader: &Shader) -> Result<[f32; 4], ExecError> {
    let lanes = [0, 1, 2, 3].map(|lane| [(lane as f32).to_bits(); 4]);
    let inputs = Inputs { registers: vec![lanes], ..Inputs::default() };
    let outcome = Kernel::new(shader)?.run(&inputs, STEP_LIMIT, &mut NoResources)?;
    Ok(outcome.outputs[0].map(|vector| f32::from_bits(vector[0])))
}

#[test]
fn each_lane_takes_its_side() {
    let mut b = ShaderBuilder::new(Processor::Fragment);
    let lane = b.input(Semantic::Generic, 0);
    let out = b.output(Semantic::Color, 0);
    let (is_low, two, one, minus) = (b.temp(), b.f32(2.0), b.f32(1.0), b.f32(-1.0));
    b.fslt(is_low.x(), lane, two);
    b.mov(out, one);
    b.if_int(is_low.src().x(), |b| {
        b.mov(out, minus);
    });
    assert_eq!(run(&b.finish().unwrap()), Ok([-1.0, -1.0, 1.0, 1.0]));
}

#[test]
fn each_lane_leaves_a_loop_in_its_own_iteration() {
    let mut b = ShaderBuilder::new(Processor::Fragment);
    let lane = b.input(Semantic::Generic, 0);
    let out = b.output(Semantic::Color, 0);
    let (count, done, one, zero) = (b.temp(), b.temp(), b.f32(1.0), b.f32(0.0));
    b.mov(count, zero);
    b.repeat(|b| {
        b.fsge(done.x(), count, lane);
        b.if_int(done.src().x(), |b| b.break_loop());
        b.add(count, count, one);
    });
    b.mov(out, count);
    assert_eq!(run(&b.finish().unwrap()), Ok([0.0, 1.0, 2.0, 3.0]));
}

#[test]
fn an_endless_loop_meets_the_limit() {
    let mut b = ShaderBuilder::new(Processor::Fragment);
    b.output(Semantic::Color, 0);
    let temp = b.temp();
    let one = b.f32(1.0);
    b.repeat(|b| {
        b.add(temp, temp, one);
    });
    let error = run(&b.finish().unwrap()).unwrap_err();
    assert!(matches!(error, ExecError::StepLimit { limit: STEP_LIMIT, .. }), "{error}");
}
