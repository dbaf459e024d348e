//! Compares what was asked of textures and images with what Mesa's stub noted.

use serde_json::Value;
use tgsi_exec::{AtomicOp, ImageAccess, ImageOperation, Quad, TextureAccess, TextureQuery};
use tgsi_ir::TextureTarget;

use super::compare::Comparison;
use super::stub::Call;
use super::words;

pub(crate) fn compare(comparison: &mut Comparison, got: &[Call], want: &[Value]) {
    comparison.same("number of calls", &got.len(), &want.len());
    for (got, want) in got.iter().zip(want) {
        match got {
            Call::Texture(access) => texture(comparison, access, want),
            Call::Image(access) => image(comparison, access, want),
        }
    }
}

fn column(quad: &Quad, channel: usize) -> Vec<u32> {
    quad.iter().map(|lane| lane[channel]).collect()
}

fn function(query: TextureQuery) -> &'static str {
    match query {
        TextureQuery::Fetch | TextureQuery::FetchSample => "get_texel",
        TextureQuery::Size => "get_dims",
        TextureQuery::LevelOfDetail => "query_lod",
        _ => "get_samples",
    }
}

/// Coordinates in the order of Mesa's names, the layer among them.
fn num_coordinates(target: TextureTarget) -> usize {
    usize::from(target.coordinates().unwrap())
}

fn texture(comparison: &mut Comparison, access: &TextureAccess, want: &Value) {
    let name = function(access.query);
    comparison.same("function", &name, &want["fn"].as_str().unwrap());
    comparison.same("view", &u64::from(access.unit), &want["sview"].as_u64().unwrap());
    if let Some(sampler) = want["sampler"].as_u64() {
        comparison.same("sampler", &u64::from(access.sampler), &sampler);
    }
    match name {
        "get_dims" => {
            let level = want["level"].as_u64().unwrap();
            comparison.same("level", &u64::from(access.lod[0]), &level);
        }
        "get_texel" => coordinates(comparison, access, want, &["i", "j", "k"]),
        _ => {
            coordinates(comparison, access, want, &["s", "t", "p", "c0"]);
            sample(comparison, access, want);
        }
    }
    if let Some(offset) = want["offset"].as_array() {
        let offset: Vec<u32> = offset.iter().map(|n| n.as_i64().unwrap() as u32).collect();
        comparison.same("offset", &access.offsets[0][..3].to_vec(), &offset);
    }
    if name == "get_texel" && access.query == TextureQuery::Fetch {
        comparison.same("level", &access.lod.to_vec(), &words(&want["lod"]));
    }
}

fn coordinates(comparison: &mut Comparison, access: &TextureAccess, want: &Value, names: &[&str]) {
    for (channel, name) in names.iter().enumerate().take(num_coordinates(access.target)) {
        comparison.same(name, &column(&access.coordinates, channel), &words(&want[*name]));
    }
}

fn sample(comparison: &mut Comparison, access: &TextureAccess, want: &Value) {
    if let Some(reference) = access.reference {
        // After the coordinates, but never before the third place.
        let place = num_coordinates(access.target).max(2);
        let name = ["s", "t", "p", "c0", "c1"][place];
        comparison.same("reference", &reference.to_vec(), &words(&want[name]));
    }
    let control = match access.query {
        TextureQuery::SampleBias => 1,
        TextureQuery::SampleGradients => 4,
        TextureQuery::Gather => 5,
        // Level 0 by name, or a level.
        TextureQuery::SampleLevel if want["control"] == 3 => 3,
        TextureQuery::SampleLevel => 2,
        _ => 0,
    };
    comparison.same("control", &Some(control), &want["control"].as_u64());
    if matches!(control, 1 | 2 | 5) {
        comparison.same("level", &access.lod.to_vec(), &words(&want["c1"]));
    }
    for (direction, prefix) in ["dx", "dy"].into_iter().enumerate() {
        for n in 0..3 {
            let name = format!("{prefix}{n}");
            if want[&name].is_array() {
                let got = access.derivatives.map(|quads| column(&quads[direction], n));
                comparison.same(&name, &got, &Some(words(&want[&name])));
            }
        }
    }
}

fn image(comparison: &mut Comparison, access: &ImageAccess, want: &Value) {
    let (name, opcode) = match access.operation {
        ImageOperation::Load => ("image_load", None),
        ImageOperation::Store => ("image_store", None),
        ImageOperation::Atomic(AtomicOp::Add) => ("image_op", Some(167)),
        ImageOperation::Atomic(AtomicOp::Compare) => ("image_op", Some(169)),
        ImageOperation::Atomic(_) => ("image_op", Some(0)),
        ImageOperation::Size => ("image_get_dims", None),
    };
    comparison.same("function", &name, &want["fn"].as_str().unwrap());
    comparison.same("operation", &opcode, &want["opcode"].as_u64());
    comparison.same("unit", &Some(u64::from(access.unit)), &want["unit"].as_u64());
    comparison.same("target", &Some(u64::from(access.target.number())), &want["target"].as_u64());
    let format = u64::from(access.format.number());
    comparison.same("format", &Some(format), &want["format"].as_u64());
    comparison.same("lanes", &access.active, &[true; 4]);
    for (channel, name) in ["s", "t", "r"].into_iter().enumerate() {
        if want[name].is_array() {
            comparison.same(name, &column(&access.coordinates, channel), &words(&want[name]));
        }
    }
    let is_exchange = access.operation == ImageOperation::Atomic(AtomicOp::Compare);
    let (values, others) = match is_exchange {
        true => (&access.comparands, &access.values),
        false => (&access.values, &access.comparands),
    };
    for (channel, name) in ["vx", "vy", "vz", "vw"].into_iter().enumerate() {
        if want[name].is_array() {
            comparison.same(name, &column(values, channel), &words(&want[name]));
        }
    }
    if want["wx"].is_array() {
        comparison.same("wx", &column(others, 0), &words(&want["wx"]));
    }
}
