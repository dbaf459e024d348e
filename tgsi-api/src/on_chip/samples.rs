//! Multisampling: the sample number of each lane, and the driver's table of sample positions.

use tgsi_exec::{Inputs, Quad};
use tgsi_ir::{File, Location, Semantic, Shader};

use super::find;

const MAX_SAMPLES: usize = 16;

/// The value of a system value in each lane, zero if not given; `None` if the shader does not declare it.
fn declared(shader: &Shader, inputs: &Inputs, name: Semantic) -> Option<Quad> {
    let register = find(shader, File::SystemValue, name)?;
    Some(inputs.system_values.get(register).copied().unwrap_or_default())
}

/// The sample of each lane. A shader that reads only sample positions gets one sample per lane, so that each has its
/// own position.
pub(super) fn numbers(shader: &Shader, inputs: &Inputs) -> [u32; 4] {
    match declared(shader, inputs, Semantic::Sampleid) {
        Some(said) => said.map(|[number, ..]| number),
        None if find(shader, File::SystemValue, Semantic::Samplepos).is_some() => [0, 1, 2, 3],
        None => [0; 4],
    }
}

/// The coverage that each lane sees in a shader that runs per sample: at most its own sample.
pub(super) fn coverage(shader: &Shader, inputs: &Inputs) -> Option<[u32; 4]> {
    let said = declared(shader, inputs, Semantic::Samplemask)?;
    let is_asked = [Semantic::Sampleid, Semantic::Samplepos]
        .map(|name| find(shader, File::SystemValue, name).is_some());
    let mut interpolations = shader.declarations.iter().filter_map(|one| one.interp);
    let is_run_for_each = is_asked.contains(&true)
        || interpolations.any(|interp| interp.location == Location::Sample);
    let numbers = numbers(shader, inputs);
    Some(std::array::from_fn(|lane| match is_run_for_each {
        true => said[lane][0] & 1_u32.wrapping_shl(numbers[lane]),
        false => said[lane][0],
    }))
}

/// The sample position of each lane, if the shader reads it. Lanes of the same sample agree; the first one determines
/// it.
pub(super) fn places(shader: &Shader, inputs: &Inputs) -> Option<[[u32; 2]; 4]> {
    let said = declared(shader, inputs, Semantic::Samplepos)?;
    let numbers = numbers(shader, inputs);
    Some(numbers.map(|number| {
        let first = numbers.iter().position(|&other| other == number);
        let is_known = (number as usize) < MAX_SAMPLES;
        let [x, y, ..] = first.filter(|_| is_known).map_or([0; 4], |lane| said[lane]);
        [x, y]
    }))
}

/// The driver's table: positions relative to the pixel corner, then offsets from the centre. The offsets are zero, so
/// that inputs stay as given.
pub(super) fn table(shader: &Shader, inputs: &Inputs) -> Vec<u32> {
    let centre = [0.5_f32, 0.5, 0.0, 0.0].map(f32::to_bits);
    let mut table = [centre; MAX_SAMPLES];
    let places = places(shader, inputs).into_iter().flatten();
    for (number, [x, y]) in numbers(shader, inputs).into_iter().zip(places) {
        if let Some(own) = table.get_mut(number as usize) {
            *own = [x, y, 0, 0];
        }
    }
    table.as_flattened().to_vec()
}
