//! Real modules, drawn by Vulkan and by the interpreter of their translation: the pixels agree.
//!
//! Says how many it drew; it draws none, and says why, where Vulkan, glslang or the modules are missing.

mod scene;
mod vertex;

use std::path::Path;

use gx2_draw::{Envelope, Interpreted, Mesh, Picture, Reference, Stage, Verdict, Vertex, draw};
use tgsi_exec::{Errors, Perturbation};
use tgsi_spirv::{Translation, translate};
use vulkan_compare::{Draw, Gpu};

use scene::Scene;

const SIZE: [u32; 2] = [16, 16];
/// Modules of which one is drawn, unless `ALL_MODULES` is set.
const STEP: usize = 8;
/// Steps of a byte by which a channel may differ where the errors that hardware may make change nothing.
const STEPS: u8 = 1;
/// Pictures with such errors: everything may err, since implementations rearrange what is not `precise`.
const RUNS: u64 = 6;
/// One channel in so many that may be open: noise that hashes the last bits
/// of a sine, and whatever comes after a division by zero or a power of a negative number.
const OPEN_PART: usize = 8;
/// One channel in so many may lie outside all the same: the bar of the comparison.
const FAR: usize = 1000;

/// What comparing a module came to.
struct Compared {
    verdict: Verdict,
    /// Whether its picture is of one colour: such a module may have gone wrong unseen.
    is_plain: bool,
}

#[test]
fn modules_draw_what_vulkan_draws() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/spirv/modules");
    let gpu = match Gpu::open() {
        Ok(gpu) if folder.is_dir() && vertex::has_compiler() => gpu,
        Ok(_) => {
            return eprintln!("nothing drawn: no modules beside the repository, or no glslang");
        }
        Err(error) => return eprintln!("nothing drawn: {error}"),
    };
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder can be read")
        .filter_map(|file| file.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("slang-frag") || name.starts_with("cemuvk-frag"))
        .collect();
    names.sort();
    let step = if std::env::var_os("ALL_MODULES").is_some() { 1 } else { STEP };
    let (mut drawn, mut outside, mut open, mut plain) = (0, 0, 0, 0);
    let all = 4 * (SIZE[0] * SIZE[1]) as usize;
    let (mut left, mut apart) = (Vec::new(), Vec::new());
    for name in names.iter().step_by(step) {
        let bytes = std::fs::read(folder.join(name)).expect("a module can be read");
        match compare(&gpu, &bytes) {
            Ok(own) => {
                (drawn, plain) = (drawn + 1, plain + usize::from(own.is_plain));
                let Verdict { outside: far, open: unsaid, .. } = own.verdict;
                (outside, open) = (outside + far, open + unsaid);
                if far + unsaid > 0 {
                    apart.push(format!("{name}: {far} of {all} apart, {unsaid} open"));
                }
            }
            Err(why) => left.push(format!("{name}: {why}")),
        }
    }
    let channels = drawn * all;
    eprintln!(
        "{}: {drawn} modules drawn, {outside} of {channels} channels apart, {open} open; {plain} pictures of one \
         colour; {} left out",
        gpu.name(),
        left.len()
    );
    apart.iter().chain(&left).for_each(|line| eprintln!("  {line}"));
    assert!(drawn > 0, "{left:#?}");
    assert!(outside * FAR <= channels, "{apart:#?}");
    assert!(open * OPEN_PART <= channels, "{open} of {channels} channels are open");
    assert!(plain * 4 <= drawn, "{plain} of {drawn} pictures have one colour");
}

/// Draws a module in both ways; else says why not.
fn compare(gpu: &Gpu, bytes: &[u8]) -> Result<Compared, String> {
    let words: Vec<u32> =
        bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let list = translate(bytes, &tgsi_spirv::Options::default());
    match &list.map_err(|error| error.to_string())?[..] {
        [one] => compared(gpu, (one, &words)),
        _ => Err("has several entry points".to_owned()),
    }
}

fn compared(gpu: &Gpu, (one, words): (&Translation, &[u32])) -> Result<Compared, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let scene = Scene::of(one)?;
    let source = vertex::source(&one.interface)?;
    let module = vertex::compile(&source)?;
    let call = Draw {
        vertex: &module,
        fragment: words,
        size: SIZE,
        blocks: scene.blocks.clone(),
        push_constants: scene.push_constants.clone(),
        textures: scene.textures.clone(),
    };
    let own = gpu.draw(&call).map_err(|error| text(&error))?;
    let own = Picture::of_pixels(SIZE, own.pixels.into_iter().map(Some).collect());

    let bytes: Vec<u8> = module.iter().flat_map(|word| word.to_le_bytes()).collect();
    let list = translate(&bytes, &tgsi_spirv::Options::default()).map_err(|error| text(&error))?;
    let first = list.first().ok_or("the vertex shader is missing")?;
    let reference = |shader, stage| Reference::new(shader, stage).map_err(|error| text(&error));
    let vertex = reference(&first.shader, Stage::default())?;
    let pixel = reference(&one.shader, scene.stage.clone())?;
    let mut interpreted = Interpreted::new(vertex, pixel, Vec::new());
    let triangles = vec![[0, 1, 2], [3, 4, 5]];
    let mesh = Mesh { triangles, ..Mesh::default() };
    let vertices: Vec<Vertex> = (0..6).map(|index| Vertex { index, ..Vertex::default() }).collect();
    let mut picture = |perturbation| {
        interpreted.perturb(perturbation);
        draw(&mut interpreted, &mesh, &vertices, SIZE).map_err(|error| text(&error))
    };
    let plain = picture(None)?;
    let perturbed: Result<Vec<Picture>, String> =
        (0..RUNS).map(|seed| picture(Some(Perturbation::new(seed, Errors::Everything)))).collect();
    let envelope = Envelope::new(&plain, &perturbed?);
    let bytes = plain.bytes();
    Ok(Compared {
        verdict: envelope.judge(&own, STEPS),
        is_plain: bytes.iter().all(|pixel| *pixel == bytes[0]),
    })
}
