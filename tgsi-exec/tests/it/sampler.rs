//! The software sampler, behind the texture units.

use crate::common;

use std::sync::Arc;

use common::{all, floats, fragment, run_with};
use tgsi_exec::sampler::{
    Compare, Filter, MipFilter, Sampler, Texture, TextureError, TextureShape, Wrap,
};
use tgsi_exec::{Bindings, Quad};

/// A ramp: texel n has n + 1 in every channel.
fn ramp(shape: TextureShape, size: [u32; 3], layers: u32) -> Texture {
    let faces = if shape == TextureShape::Cube { 6 } else { 1 };
    let count = size.iter().product::<u32>() * layers * faces;
    let texels = (0..count).map(|n| [n as f32 + 1.0; 4]).collect();
    Texture::from_floats(shape, size, layers, texels).unwrap()
}

fn bindings(texture: Texture, sampler: Sampler) -> Bindings {
    let mut bindings = Bindings::default();
    bindings.textures.insert(0, Arc::new(texture));
    bindings.samplers.insert(0, sampler);
    bindings
}

/// What `OUT[0]` holds after a texture instruction; `{}` in `text` stands for destination and source.
fn texels(text: &str, registers: Vec<Quad>, bindings: &mut Bindings) -> Quad {
    let text = fragment(text).replace("DCL TEMP", "DCL SAMP[0]\nDCL TEMP");
    run_with(&text, registers, bindings).outputs[0]
}

/// The x of a sample at the same place in every lane.
fn sample(target: &str, at: [f32; 4], bindings: &mut Bindings) -> f32 {
    let text = format!("TXL OUT[0], IN[0], SAMP[0], {target}");
    f32::from_bits(texels(&text, vec![all(floats(at))], bindings)[0][0])
}

const LINEAR: Sampler = Sampler {
    wrap: [Wrap::ClampToEdge; 3],
    min: Filter::Linear,
    mag: Filter::Linear,
    mip: MipFilter::None,
    lod_bias: 0.0,
    min_lod: -1000.0,
    max_lod: 1000.0,
    border: [0; 4],
    is_normalized: true,
    compare: Compare::LessOrEqual,
};

#[test]
fn nearest_texels_are_those_below_the_place() {
    let mut b = bindings(ramp(TextureShape::D2, [4, 2, 1], 1), Sampler::default());
    assert_eq!(sample("2D", [0.0, 0.0, 0.0, 0.0], &mut b), 1.0);
    assert_eq!(sample("2D", [0.99, 0.6, 0.0, 0.0], &mut b), 8.0);
    assert_eq!(sample("2D", [1.25, -0.25, 0.0, 0.0], &mut b), 6.0);
}

#[test]
fn linear_filters_weigh_by_distance() {
    let mut b = bindings(ramp(TextureShape::D1, [4, 1, 1], 1), LINEAR);
    assert_eq!(sample("1D", [0.5, 0.0, 0.0, 0.0], &mut b), 2.5);
    let mut b = bindings(ramp(TextureShape::D2, [2, 2, 1], 1), LINEAR);
    assert_eq!(sample("2D", [0.5, 0.5, 0.0, 0.0], &mut b), 2.5);
    let mut b = bindings(ramp(TextureShape::D3, [2, 2, 2], 1), LINEAR);
    assert_eq!(sample("3D", [0.5, 0.5, 0.375, 0.0], &mut b), 3.5);
}

#[test]
fn borders_are_mixed_in() {
    let border = floats([9.0; 4]);
    let wrap = |wrap| Sampler { wrap: [wrap; 3], border, ..LINEAR };
    let texture = || ramp(TextureShape::D1, [2, 1, 1], 1);
    let at = [0.0, 0.0, 0.0, 0.0];
    assert_eq!(sample("1D", at, &mut bindings(texture(), wrap(Wrap::ClampToBorder))), 5.0);
    assert_eq!(sample("1D", at, &mut bindings(texture(), wrap(Wrap::Clamp))), 5.0);
    assert_eq!(sample("1D", at, &mut bindings(texture(), wrap(Wrap::Repeat))), 1.5);
    let far = [-7.0, 0.0, 0.0, 0.0];
    assert_eq!(sample("1D", far, &mut bindings(texture(), wrap(Wrap::ClampToBorder))), 9.0);
    assert_eq!(sample("1D", far, &mut bindings(texture(), wrap(Wrap::Clamp))), 5.0);
}

#[test]
fn layers_and_rectangles_count() {
    let mut b = bindings(ramp(TextureShape::D2, [2, 1, 1], 3), Sampler::default());
    assert_eq!(sample("2D_ARRAY", [0.75, 0.5, 1.4, 0.0], &mut b), 4.0);
    assert_eq!(sample("2D_ARRAY", [0.75, 0.5, 9.0, 0.0], &mut b), 6.0);
    let mut b = bindings(ramp(TextureShape::D1, [2, 1, 1], 3), Sampler::default());
    assert_eq!(sample("1D_ARRAY", [0.25, 2.0, 0.0, 0.0], &mut b), 5.0);
    let mut b = bindings(ramp(TextureShape::D2, [4, 2, 1], 1), Sampler::default());
    assert_eq!(sample("RECT", [2.5, 1.5, 0.0, 0.0], &mut b), 7.0);
}

#[test]
fn cubes_have_six_faces_without_seams() {
    let mut b = bindings(ramp(TextureShape::Cube, [1, 1, 1], 1), LINEAR);
    let directions = [
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    for (face, [x, y, z]) in directions.into_iter().enumerate() {
        assert_eq!(sample("CUBE", [x, y, z, 0.0], &mut b), face as f32 + 1.0);
    }
    // On the edge between +x (1) and +z (5), both count alike.
    assert_eq!(sample("CUBE", [1.0, 0.0, 1.0, 0.0], &mut b), 3.0);
    let mut b = bindings(ramp(TextureShape::Cube, [1, 1, 1], 2), LINEAR);
    let text = "TXL2 OUT[0], IN[0], IMM[1].xxxx, SAMP[0], CUBEARRAY";
    let answer = texels(text, vec![all(floats([0.0, -2.0, 0.0, 1.0]))], &mut b);
    assert_eq!(f32::from_bits(answer[0][0]), 10.0);
}

#[test]
fn levels_follow_from_the_quad() {
    // Four texels with mean 2.5, then one level of two texels (1.5, 3.5), then one of one.
    let texture = ramp(TextureShape::D1, [4, 1, 1], 1).with_levels();
    assert_eq!(texture.num_levels(), 3);
    let mip = |mip| Sampler { mip, ..LINEAR };
    // A step of 1 over four texels is level 2; one of a half is level 1.
    let at = |step: f32| vec![[0.0, step, 0.0, step].map(|x| floats([0.25 + x, 0.0, 0.0, 0.0]))];
    let text = "TEX OUT[0], IN[0], SAMP[0], 1D";
    let x = |sampler, step| {
        let mut b = bindings(texture.clone(), sampler);
        f32::from_bits(texels(text, at(step), &mut b)[0][0])
    };
    assert_eq!(x(mip(MipFilter::Nearest), 1.0), 2.5);
    assert_eq!(x(mip(MipFilter::Nearest), 0.5), 1.5);
    assert_eq!(x(mip(MipFilter::None), 1.0), 1.5);
    // Half-way between the levels 1 (1.5) and 2 (2.5).
    let middle = 0.5 * 2.0_f32.sqrt();
    assert!((x(mip(MipFilter::Linear), middle) - 2.0).abs() < 1e-6);
    let clamped = Sampler { max_lod: 1.0, ..mip(MipFilter::Linear) };
    assert_eq!(x(clamped, 1.0), 1.5);
}

#[test]
fn given_levels_biases_and_derivatives_are_obeyed() {
    let texture = ramp(TextureShape::D1, [4, 1, 1], 1).with_levels();
    let mut b = bindings(texture, Sampler { mip: MipFilter::Nearest, ..LINEAR });
    let x = |text: &str, registers: Vec<Quad>, b: &mut Bindings| {
        f32::from_bits(texels(text, registers, b)[0][0])
    };
    let at = |w: f32| all(floats([0.25, 0.0, 0.0, w]));
    assert_eq!(x("TXL OUT[0], IN[0], SAMP[0], 1D", vec![at(2.0)], &mut b), 2.5);
    let quad = [0.0, 0.5, 0.0, 0.5].map(|x| floats([0.25 + x, 0.0, 0.0, 1.0]));
    assert_eq!(x("TXB OUT[0], IN[0], SAMP[0], 1D", vec![quad], &mut b), 2.5);
    let change = |x: f32| all(floats([x, 0.0, 0.0, 0.0]));
    let text = "TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], 1D";
    assert_eq!(x(text, vec![at(0.0), change(0.5), change(0.0)], &mut b), 1.5);
    assert_eq!(x(text, vec![at(0.0), change(0.0), change(1.0)], &mut b), 2.5);
}

#[test]
fn levels_of_detail_and_sizes_are_returned() {
    let texture = ramp(TextureShape::D2, [4, 2, 1], 3).with_levels();
    let mut b = bindings(texture, Sampler { mip: MipFilter::Linear, ..LINEAR });
    let quad = [0.0, 8.0, 0.0, 8.0].map(|x| floats([x, 0.0, 0.0, 0.0]));
    let lod = texels("LODQ OUT[0], IN[0], SAMP[0], 2D_ARRAY", vec![quad], &mut b)[0];
    assert_eq!([lod[0], lod[1]].map(f32::from_bits), [2.0, 5.0]);
    let size = |level: u32, b: &mut Bindings| {
        texels("TXQ OUT[0], IN[0], SAMP[0], 2D_ARRAY", vec![all([level; 4])], b)[0]
    };
    assert_eq!(size(0, &mut b), [4, 2, 3, 3]);
    assert_eq!(size(1, &mut b), [2, 1, 3, 3]);
    assert_eq!(size(7, &mut b), [0, 0, 0, 3]);
}

#[test]
fn comparisons_are_filtered() {
    let mut b = bindings(ramp(TextureShape::D2, [2, 2, 1], 1), LINEAR);
    // Texels 1 to 4 against 2.5: the lower row fails, the upper one passes.
    let text = "TEX OUT[0], IN[0], SAMP[0], SHADOW2D";
    let at = |t: f32| vec![all(floats([0.5, t, 2.5, 0.0]))];
    assert_eq!(texels(text, at(0.5), &mut b)[0], floats([0.5, 0.5, 0.5, 1.0]));
    assert_eq!(texels(text, at(0.9), &mut b)[0], floats([1.0; 4]));
    let sampler = Sampler { compare: Compare::Greater, ..LINEAR };
    let mut b = bindings(ramp(TextureShape::D2, [2, 2, 1], 1), sampler);
    assert_eq!(texels(text, at(0.9), &mut b)[0], floats([0.0, 0.0, 0.0, 1.0]));
}

#[test]
fn four_texels_are_gathered_in_their_order() {
    let mut b = bindings(ramp(TextureShape::D2, [2, 2, 1], 1), LINEAR);
    let text = "TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D";
    let got = texels(text, vec![all(floats([0.5, 0.5, 0.0, 0.0]))], &mut b);
    assert_eq!(got[0], floats([3.0, 4.0, 2.0, 1.0]));
}

#[test]
fn gathered_comparisons_have_one_channel() {
    let mut b = bindings(ramp(TextureShape::Cube, [2, 2, 1], 2), LINEAR);
    // The second source of a cube array is the reference: the first face of the second layer has 25 to 28.
    let text = "TG4 OUT[0], IN[0], IN[1].xxxx, SAMP[0], SHADOWCUBEARRAY";
    for (reference, want) in [(28.5, 0.0), (25.0, 1.0)] {
        let at = vec![all(floats([1.0, 0.0, 0.0, 1.0])), all(floats([reference; 4]))];
        assert_eq!(texels(text, at, &mut b)[0], floats([want; 4]), "{reference}");
    }
    let mut b = bindings(ramp(TextureShape::D2, [2, 2, 1], 1), LINEAR);
    let text = "TG4 OUT[0], IN[0], IMM[0].wwww, SAMP[0], SHADOW2D";
    let got = texels(text, vec![all(floats([0.5, 0.5, 2.5, 0.0]))], &mut b);
    assert_eq!(got[0], floats([1.0, 1.0, 0.0, 0.0]));
}

#[test]
fn projection_divides_three_channels() {
    let mut b = bindings(ramp(TextureShape::D2, [2, 1, 1], 3), Sampler::default());
    let text = "TXP OUT[0], IN[0], SAMP[0], 2D_ARRAY";
    // Place (0.75, 0.5), layer 1.
    let got = texels(text, vec![all(floats([1.5, 1.0, 2.0, 2.0]))], &mut b);
    assert_eq!(f32::from_bits(got[0][0]), 4.0);
}

#[test]
fn textures_of_one_level_have_no_level_in_w() {
    let fetch = |target: &str, shape, b: [u32; 3]| {
        let text = format!("TXF OUT[0], IN[0], SAMP[0], {target}");
        let got = texels(&text, vec![all([1, 0, 0, 5])], &mut bindings(ramp(shape, b, 1), LINEAR));
        f32::from_bits(got[0][0])
    };
    assert_eq!(fetch("RECT", TextureShape::D2, [4, 2, 1]), 2.0);
    assert_eq!(fetch("BUFFER", TextureShape::D1, [4, 1, 1]), 2.0);
    assert_eq!(fetch("2D", TextureShape::D2, [4, 2, 1]), 0.0);
}

#[test]
fn images_of_cubes_count_faces_and_sizes_are_those_of_textures() {
    let mut b = Bindings::default();
    b.images.insert(0, ramp(TextureShape::Cube, [1, 1, 1], 2));
    b.images.insert(1, ramp(TextureShape::D1, [4, 1, 1], 3));
    let text = "COMP
        DCL IMAGE[0], CUBEARRAY, PIPE_FORMAT_R32_UINT
        DCL IMAGE[1], 1D_ARRAY, PIPE_FORMAT_R32_UINT
        DCL IN[0]
        DCL OUT[0..2]
        LOAD OUT[0], IMAGE[0], IN[0], CUBEARRAY, PIPE_FORMAT_R32_UINT
        RESQ OUT[1], IMAGE[0], CUBEARRAY, PIPE_FORMAT_R32_UINT
        RESQ OUT[2], IMAGE[1], 1D_ARRAY, PIPE_FORMAT_R32_UINT
        END";
    // The ninth face; w is no layer.
    let outcome = run_with(text, vec![all([0, 0, 8, 1])], &mut b);
    assert_eq!(f32::from_bits(outcome.outputs[0][0][0]), 9.0);
    assert_eq!(outcome.outputs[1][0], [1, 1, 2, 1]);
    assert_eq!(outcome.outputs[2][0], [4, 3, 0, 1]);
}

#[test]
fn texels_are_fetched_and_moved() {
    let mut b = bindings(ramp(TextureShape::D2, [4, 2, 1], 1).with_levels(), LINEAR);
    let fetch = |text: &str, at: [u32; 4], b: &mut Bindings| {
        f32::from_bits(texels(text, vec![all(at)], b)[0][0])
    };
    let text = "TXF OUT[0], IN[0], SAMP[0], 2D";
    assert_eq!(fetch(text, [3, 1, 0, 0], &mut b), 8.0);
    assert_eq!(fetch(text, [0, 0, 0, 1], &mut b), 3.5);
    assert_eq!(fetch(text, [4, 0, 0, 0], &mut b), 0.0);
    let moved = "TXF OUT[0], IN[0], SAMP[0], 2D, IMM[0].zyx";
    assert_eq!(fetch(moved, [1, 0, 0, 0], &mut b), 8.0);
    let text = "TXL OUT[0], IN[0], SAMP[0], 2D, IMM[0].yxx";
    let nearest = &mut bindings(ramp(TextureShape::D2, [4, 2, 1], 1), Sampler::default());
    let at = vec![all(floats([0.1, 0.1, 0.0, 0.0]))];
    assert_eq!(f32::from_bits(texels(text, at, nearest)[0][0]), 2.0);
}

#[test]
fn impossible_sizes_are_refused() {
    let check = |shape, size, texels: usize| {
        Texture::new(shape, size, 1, vec![[0; 4]; texels]).unwrap_err().to_string()
    };
    assert_eq!(check(TextureShape::D2, [2, 2, 1], 3), "3 texels are given, but the size needs 4");
    assert_eq!(
        check(TextureShape::Cube, [2, 1, 1], 12),
        "no texture has the size [2, 1, 1] and 1 layers"
    );
    let huge = Texture::pattern(TextureShape::D3, [u32::MAX; 3], u32::MAX, 0);
    assert!(matches!(huge, Err(TextureError::Size { .. })));
}

#[test]
fn images_are_read_written_and_changed() {
    let mut b = Bindings::default();
    b.images.insert(0, Texture::new(TextureShape::D2, [4, 1, 1], 1, vec![[5; 4]; 4]).unwrap());
    let text = "COMP
        DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR
        DCL IN[0..1]
        DCL OUT[0..3]
        ATOMUADD OUT[0], IMAGE[0], IN[0], IN[1], 2D, PIPE_FORMAT_R32_UINT
        STORE IMAGE[0], IN[0].yxxx, IN[1], 2D, PIPE_FORMAT_R32_UINT
        LOAD OUT[1], IMAGE[0], IN[0], 2D, PIPE_FORMAT_R32_UINT
        RESQ OUT[2], IMAGE[0], 2D, PIPE_FORMAT_R32_UINT
        ATOMDEC_WRAP OUT[3], IMAGE[0], IN[0].xzzz, IN[1].wwww
        END";
    let places = [0, 0, 1, 9].map(|x| [x, 3, 0, 0]).map(|[x, ..]| [x, 0, 0, 0]);
    let outcome = run_with(text, vec![places, all([2, 3, 4, 6])], &mut b);
    // The old word goes to all channels.
    assert_eq!(outcome.outputs[0], [5, 7, 5, 0].map(|old| [old; 4]));
    assert_eq!(outcome.outputs[1], [[2, 3, 4, 6], [2, 3, 4, 6], [7, 5, 5, 5], [0; 4]]);
    assert_eq!(outcome.outputs[2][0], [4, 1, 0, 1]);
    // The declaration says what the image is, where the instruction does not.
    assert_eq!(outcome.outputs[3], [2, 1, 7, 0].map(|old| [old; 4]));
}
