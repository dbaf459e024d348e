//! Vertex and pixel shaders of RetroArch and of game replacements: linked to files, read back, and drawn to the pixels
//! that the interpreter gives. Runs where the modules lie beside the repository, and says how many pairs it drew.

use std::collections::BTreeMap;
use std::path::Path;

use gx2_draw::{Mesh, Stage, Vertex};
use gx2_link::Options;
use tgsi_ir::Processor;
use tgsi_ir::fit::misfits;
use tgsi_spirv::translate;

use crate::support::{bind_patterns, pictures};

/// Families of modules whose stages go together.
const FAMILIES: [&str; 4] = ["slang", "retroglsl", "cemuvk", "cemugl"];
/// Pairs that are drawn at least, and at most unless `ALL_MODULES` is set. They take some fifteen seconds, most of it to
/// compile: these are the only real shaders that go all the way.
const WANTED: usize = 50;
const SIZE: [u32; 2] = [16, 16];
/// Steps of a byte by which a channel may differ beyond what errors of the hardware's size explain: where a value lies
/// between two bytes, the last bit decides.
const STEPS: u8 = 1;
/// One channel in so many may differ at all: where the errors of approximations decide, as in noise that is made of the
/// last bits of a sine. All pairs count together.
const FAR: usize = 20;

/// A module.
struct Module {
    name: String,
    stage: gx2_link::Stage,
}

fn modules(folder: &Path, family: &str, stage: &str) -> Vec<Module> {
    let start = format!("{family}-{stage}-");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|file| file.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with(&start))
        .collect();
    names.sort();
    let module = |name: String| {
        let bytes = std::fs::read(folder.join(&name)).ok()?;
        let mut list = translate(&bytes, &tgsi_spirv::Options::default()).ok()?;
        let one = list.pop()?;
        let stage = gx2_link::Stage::translated(one.shader, &one.interface);
        Some(Module { name, stage })
    };
    names.into_iter().filter_map(module).collect()
}

/// Each pixel shader with a vertex shader of its family that writes what it reads, another one each time if possible.
fn pairs<'m>(vertex: &'m [Module], pixel: &'m [Module]) -> Vec<[&'m Module; 2]> {
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    let mut list = Vec::new();
    for pixel in pixel {
        let fits = |one: &&Module| misfits(&one.stage.shader, &pixel.stage.shader).is_empty();
        let least =
            vertex.iter().filter(fits).min_by_key(|one| uses.get(one.name.as_str()).copied());
        if let Some(vertex) = least {
            *uses.entry(&vertex.name).or_insert(0) += 1;
            list.push([vertex, pixel]);
        }
    }
    list
}

/// A number between 0 and 1 that depends on the key alone.
fn number(key: u32) -> f32 {
    let mixed = key.wrapping_mul(0x9e37_79b9).wrapping_add(0x7f4a_7c15);
    (((mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b) >> 8) as f32) / 16_777_216.0
}

/// Numbers in all uniforms, matrices that change nothing, and patterns for textures.
fn fill(_: Processor, stage: &mut Stage) {
    bind_patterns(stage);
    let vars = stage.tables.uniform_vars.clone();
    let identity = stage.memory.clone();
    for (location, words) in &mut stage.memory.blocks {
        for (n, word) in (0..).zip(words.iter_mut()) {
            *word = (0.25 + number(1000 * location + n)).to_bits();
        }
    }
    for var in vars.iter().filter(|var| (21..=29).contains(&var.kind.0)) {
        let block =
            usize::try_from(var.block).ok().and_then(|n| stage.tables.uniform_blocks.get(n));
        let Some(location) = block.map(|block| block.location) else { continue };
        let (from, to) = (var.offset as usize, var.offset as usize + 16);
        if let (Some(own), Some(old)) =
            (stage.memory.blocks.get_mut(&location), identity.blocks.get(&location))
            && to <= own.len()
        {
            own[from..to].copy_from_slice(&old[from..to]);
        }
    }
}

/// The corners of the window, with other attributes that vary between them.
fn vertices(stage: &gx2_link::Stage) -> (Mesh, Vec<Vertex>) {
    let mesh = Mesh::quad();
    let vertex = |(index, corner): (u32, &gx2_draw::mesh::Corner)| {
        let mut attributes = BTreeMap::new();
        let [x, y, _] = corner.position;
        for attribute in &stage.names.attributes {
            for n in 0..u32::from(attribute.num_registers) {
                let location = attribute.location + n;
                let value = match (location, attributes.is_empty()) {
                    (_, true) => [x, y, 0.0, 1.0],
                    (key, false) => [corner.uv[0], corner.uv[1], number(key), 1.0],
                };
                attributes.insert(location, value.map(f32::to_bits));
            }
        }
        Vertex { index, attributes }
    };
    let vertices = (0..).zip(&mesh.corners).map(vertex).collect();
    (mesh, vertices)
}

#[test]
fn pairs_of_real_shaders_draw_what_the_interpreter_draws() {
    let Some(folder) = test_support::shared("spirv/modules") else { return };
    let most = if std::env::var_os("ALL_MODULES").is_some() { usize::MAX } else { WANTED };
    let (mut drawn, mut covered, mut far, mut channels) = (0, 0, 0, 0);
    let (mut refused, mut wrong) = (Vec::new(), Vec::new());
    // Without rearranged operations, only approximations differ.
    let options = Options::default().precise(true);
    for family in FAMILIES {
        let (vertex, pixel) = (modules(&folder, family, "vert"), modules(&folder, family, "frag"));
        for [vertex, pixel] in pairs(&vertex, &pixel) {
            if drawn >= most {
                break;
            }
            let name = format!("{} {}", vertex.name, pixel.name);
            let (mesh, vertices) = vertices(&vertex.stage);
            let stages = [vertex.stage.clone(), pixel.stage.clone()];
            match pictures(&stages, &options, (&mesh, &vertices), SIZE, fill) {
                Ok(both) => {
                    drawn += 1;
                    covered += both.interpreted.pixels.iter().flatten().count();
                    let (own, all) = both.differing(STEPS);
                    (far, channels) = (far + own, channels + all);
                    let unexplained = both.num_wrong(STEPS);
                    if unexplained > 0 {
                        wrong.push(format!("{name}: {unexplained} of {all}"));
                    }
                }
                Err(error) => refused.push(format!("{name}: {error}")),
            }
        }
    }
    eprintln!(
        "{drawn} pairs drawn, {covered} pixels, {far} of {channels} channels differ by more than {STEPS}; {} not linked",
        refused.len()
    );
    refused.iter().for_each(|line| eprintln!("  {line}"));
    assert!(drawn >= WANTED, "{refused:#?}");
    assert!(covered > drawn * 64, "pictures are nearly empty");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(far * FAR <= channels, "{far} of {channels} channels differ");
}
