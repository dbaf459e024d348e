//! Real modules, drawn by Vulkan and by the interpreter of their translation: the pixels agree.
//!
//! Says how many it drew; it draws none, and says why, where Vulkan, glslang or the modules are missing.

mod exact;
mod scene;
mod vertex;

use std::fmt;

use gx2_draw::{Interpreted, Mesh, Picture, Reference, Stage, Vertex, draw};
use tgsi_spirv::{Translation, translate_words};
use vulkan_compare::{Draw, Gpu};

use exact::{Inexact, as_written, without};
use scene::Scene;

const SIZE: [u32; 2] = [16, 16];
/// Modules of which one is drawn, unless `ALL_MODULES` is set.
const STEP: usize = 4;
/// Steps of a byte by which a channel may differ.
const STEPS: u8 = 1;
/// One channel of a picture in so many may lie further off: the bar of the comparison.
const FAR: usize = 1000;

/// What two pictures came to.
#[derive(Clone, Copy, Debug)]
struct Compared {
    /// Channels that lie apart.
    apart: usize,
    /// All channels.
    channels: usize,
    /// Whether the picture is of one colour: such a module may have gone wrong unseen.
    is_plain: bool,
}

impl Compared {
    fn agrees(self) -> bool {
        self.apart * FAR <= self.channels
    }
}

/// What is to blame for a picture that differs.
enum Blame {
    /// It is near enough.
    Nothing,
    /// The pictures agree when these are exact in both.
    Inexact(Vec<Inexact>),
    /// They do not agree then either: someone is wrong.
    Somebody(Compared),
}

/// A module's comparison, and why it differs.
struct Judged {
    own: Compared,
    blame: Blame,
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} channels apart", self.own.apart, self.own.channels)?;
        match &self.blame {
            Blame::Nothing => Ok(()),
            Blame::Inexact(kinds) => write!(f, ", and agrees with exact {kinds:?}"),
            Blame::Somebody(exact) => write!(f, ", {} with all of it exact", exact.apart),
        }
    }
}

/// What drawing a list of modules came to.
#[derive(Debug, Default)]
struct Summary {
    drawn: usize,
    channels: usize,
    apart: usize,
    plain: usize,
    /// Modules of which a few channels lie apart.
    near: Vec<String>,
    /// Those that agree where something is exact.
    explained: Vec<String>,
    /// Those that do not.
    wrong: Vec<String>,
    left_out: Vec<String>,
}

impl Summary {
    fn add(&mut self, name: &str, judged: Result<Judged, String>) {
        let judged = match judged {
            Ok(judged) => judged,
            Err(why) => return self.left_out.push(format!("{name}: {why}")),
        };
        self.drawn += 1;
        self.channels += judged.own.channels;
        self.apart += judged.own.apart;
        self.plain += usize::from(judged.own.is_plain);
        match judged.blame {
            Blame::Nothing if judged.own.apart == 0 => {}
            Blame::Nothing => self.near.push(format!("{name}: {judged}")),
            Blame::Inexact(_) => self.explained.push(format!("{name}: {judged}")),
            Blame::Somebody(_) => self.wrong.push(format!("{name}: {judged}")),
        }
    }
}

#[test]
fn modules_draw_what_vulkan_draws() {
    let Some(folder) = test_support::shared("spirv/modules") else { return };
    let gpu = match Gpu::open() {
        Ok(gpu) if vertex::has_compiler() => gpu,
        Ok(_) => return eprintln!("nothing drawn: there is no glslang"),
        Err(error) => return eprintln!("nothing drawn: {error}"),
    };
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder can be read")
        .filter_map(|file| file.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("slang-frag") || name.starts_with("cemuvk-frag"))
        .collect();
    names.sort();
    let step = if std::env::var_os("ALL_MODULES").is_some() { 1 } else { STEP };
    let mut summary = Summary::default();
    for name in names.iter().step_by(step) {
        let bytes = std::fs::read(folder.join(name)).expect("a module can be read");
        let words: Vec<u32> =
            bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        summary.add(name, judge(&gpu, &words));
    }
    let Summary { drawn, channels, apart, plain, near, explained, wrong, left_out } = &summary;
    eprintln!(
        "{}: {drawn} modules drawn, {apart} of {channels} channels apart; {plain} pictures of one colour; {} differ \
         by what is inexact; {} left out",
        gpu.name(),
        explained.len(),
        left_out.len()
    );
    near.iter().chain(explained).chain(left_out).for_each(|line| eprintln!("  {line}"));
    assert!(*drawn > 0, "{left_out:#?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(plain * 4 <= *drawn, "{plain} of {drawn} pictures have one colour");
}

/// Draws a module in both ways; else says why not.
fn judge(gpu: &Gpu, words: &[u32]) -> Result<Judged, String> {
    let own = compare(gpu, words)?;
    let blame = if own.agrees() { Blame::Nothing } else { blame(gpu, words)? };
    Ok(Judged { own, blame })
}

/// The one kind that makes pictures differ, or all of them.
fn blame(gpu: &Gpu, words: &[u32]) -> Result<Blame, String> {
    for kind in Inexact::ALL {
        if compare(gpu, &without(&[kind], words))?.agrees() {
            return Ok(Blame::Inexact(vec![kind]));
        }
    }
    let exact = compare(gpu, &without(&Inexact::ALL, words))?;
    Ok(match exact.agrees() {
        true => Blame::Inexact(Inexact::ALL.to_vec()),
        false => Blame::Somebody(exact),
    })
}

fn compare(gpu: &Gpu, words: &[u32]) -> Result<Compared, String> {
    let list = translate_words(words, &tgsi_spirv::Options::default());
    let list = list.map_err(|error| error.to_string())?;
    let [one] = &list[..] else { return Err("has several entry points".to_owned()) };
    let scene = Scene::of(one)?;
    let vertex = vertex::compile(&vertex::source(&one.interface)?)?;
    let call = Draw {
        vertex: &vertex,
        fragment: &as_written(words),
        size: SIZE,
        blocks: scene.blocks.clone(),
        push_constants: scene.push_constants.clone(),
        textures: scene.textures.clone(),
    };
    let theirs = gpu.draw(&call).map_err(|error| error.to_string())?;
    let theirs = Picture::of_pixels(SIZE, theirs.pixels.into_iter().map(Some).collect()).bytes();
    let ours = interpreted(one, &scene, &vertex)?.bytes();
    let channels = ours.as_flattened().iter().zip(theirs.as_flattened());
    let is_apart = |(own, other): &(&u8, &u8)| own.abs_diff(**other) > STEPS;
    Ok(Compared {
        apart: channels.filter(is_apart).count(),
        channels: ours.as_flattened().len(),
        is_plain: ours.iter().all(|pixel| *pixel == ours[0]),
    })
}

/// The picture that the interpreter draws.
fn interpreted(one: &Translation, scene: &Scene, vertex: &[u32]) -> Result<Picture, String> {
    let text = |error: &dyn fmt::Display| error.to_string();
    let list = translate_words(vertex, &tgsi_spirv::Options::default());
    let list = list.map_err(|error| text(&error))?;
    let first = list.first().ok_or("the vertex shader is missing")?;
    let reference = |shader, stage| Reference::new(shader, stage).map_err(|error| text(&error));
    let vertex = reference(&first.shader, Stage::default())?;
    let pixel = reference(&one.shader, scene.stage.clone())?;
    let mesh = Mesh { triangles: vec![[0, 1, 2], [3, 4, 5]], ..Mesh::default() };
    let vertices: Vec<Vertex> = (0..6).map(|index| Vertex { index, ..Vertex::default() }).collect();
    let mut shading = Interpreted::new(vertex, pixel, Vec::new());
    draw(&mut shading, &mesh, &vertices, SIZE).map_err(|error| text(&error))
}
