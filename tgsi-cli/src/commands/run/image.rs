//! `--image`: draws a picture with a fragment shader, quad by quad, on all cores.

mod given;
mod meaning;

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use clap::{Args, ValueHint};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use tgsi_api::launch::{Bound, Launch, bits, texel_words};
use tgsi_api::on_chip::{OnChip, Surroundings};
use tgsi_exec::sampler::{Filter, MipFilter, Sampler, Texture, TextureShape};
use tgsi_exec::{Bindings, ExecError, Inputs, Kernel, Quad, Runner};
use tgsi_ir::scan::{Io, scan};
use tgsi_ir::{CoordOrigin, PixelCenter, PropertyName, Semantic, Shader, TextureTarget};

use self::given::{add_counters, clear_counters, unused_key};
use self::meaning::{Meaning, meanings};
use super::chip::{Code, failed};
use super::picture::{self, Pixel};
use super::{is_fragment, stopped};
use crate::failure::{Failure, Outcome};
use crate::output::{check_takes_png, write_file};
use crate::problem::{Finding, Place};
use crate::shader::ShaderInput;

/// The picture, and the inputs of the shader.
#[derive(Args)]
// The group needs a name, since the default one, that of the type, is also the name of the command's group.
#[group(id = "picture")]
pub(super) struct Options {
    /// Draws a picture to this PNG file.
    #[arg(long, value_name = "OUT.png", conflicts_with = "output")]
    image: Option<PathBuf>,
    /// Width and height of the picture in pixels.
    #[arg(long, value_name = "WxH", default_value = "256x256", requires = "image", conflicts_with_all = WITHOUT_IMAGE)]
    size: Size,
    /// Sets vector N of constant buffer B (default 0); the last of several wins.
    #[arg(long, value_name = "[B:]N=X,Y,Z,W", requires = "image", conflicts_with_all = WITHOUT_IMAGE)]
    constant: Vec<Constant>,
    /// Reads texture unit N from a PNG file; units that are not given have a pattern.
    #[arg(long, value_name = "N=FILE.png", requires = "image", conflicts_with_all = WITHOUT_IMAGE, value_hint = ValueHint::FilePath)]
    texture: Vec<Unit>,
}

/// Flags for other output than a picture. Clap does not enforce a required `--image` if that conflicts with another
/// argument, so the arguments conflict with these flags themselves.
const WITHOUT_IMAGE: [&str; 4] = ["output", "json", "trace", "compare"];

impl Options {
    pub(super) fn is_wanted(&self) -> bool {
        self.image.is_some()
    }
}

/// Width and height.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size(pub(crate) [u32; 2]);

/// Maximum number of pixels in a picture.
const MAX_PIXELS: u64 = 1 << 26;

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = || format!("`{text}` is not a width and a height such as 512x512");
        let (width, height) = text.split_once('x').ok_or_else(wanted)?;
        let number = |text: &str| text.parse::<u32>().map_err(|_| wanted());
        let size = [number(width)?, number(height)?];
        let pixels = u64::from(size[0]) * u64::from(size[1]);
        let is_possible = (1..=MAX_PIXELS).contains(&pixels);
        is_possible
            .then_some(Self(size))
            .ok_or_else(|| format!("a picture has 1 to {MAX_PIXELS} pixels, not {pixels}"))
    }
}

/// A vector of a constant buffer.
#[derive(Clone, Copy, Debug)]
struct Constant {
    buffer: u32,
    index: u32,
    value: [u32; 4],
}

/// The last vector that a constant buffer can have.
const LAST_CONSTANT: u32 = 4095;

impl FromStr for Constant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = || format!("`{text}` is not a constant such as 0=1,0.5,0,1");
        let (place, value) = text.split_once('=').ok_or_else(wanted)?;
        let (buffer, index) = place.split_once(':').unwrap_or(("0", place));
        let number = |text: &str| text.parse::<u32>().map_err(|_| wanted());
        let mut floats = value.split(',').map(|word| word.parse::<f32>().map_err(|_| wanted()));
        let mut next = || floats.next().unwrap_or_else(|| Err(wanted()));
        let value = [next()?, next()?, next()?, next()?].map(f32::to_bits);
        let constant = Self { buffer: number(buffer)?, index: number(index)?, value };
        let is_whole = floats.next().is_none() && constant.index <= LAST_CONSTANT;
        is_whole.then_some(constant).ok_or_else(wanted)
    }
}

/// A texture unit and its file.
#[derive(Clone, Debug)]
struct Unit {
    number: u32,
    path: PathBuf,
}

impl FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = || format!("`{text}` is not a unit and a file such as 0=wood.png");
        let (number, path) = text.split_once('=').ok_or_else(wanted)?;
        let number = number.parse().map_err(|_| wanted())?;
        Ok(Self { number, path: path.into() })
    }
}

/// Draws the picture with the interpreter or with compiled code.
pub(super) fn draw(
    options: &super::Options,
    input: ShaderInput,
    (launch, bound): (&Launch, Bound),
    kernel: &Kernel,
) -> Result<Outcome, Failure> {
    let Some(path) = options.picture.image.as_deref() else { return Ok(Outcome::Good) };
    check_takes_png(path)?;
    if let Some(key) = unused_key(launch) {
        return Err(Failure::Usage(format!("`--image` makes no use of `{key}` in the inputs")));
    }
    let scene = Scene::new(&input.shader, options);
    let (true, Some(scene)) = (is_fragment(&input), scene) else {
        let message = "only a fragment shader with an output COLOR draws a picture";
        return Err(input.problems(vec![Finding::error(message, Place::Whole)]).into());
    };
    let bindings = bindings(&input.shader, &options.picture, (launch, bound))?;
    if options.on_chip.is_wanted() {
        let (input, code) = options.on_chip.compile(input)?;
        let pixels = draw_on_chip(&scene, (&input, &code), &bindings)?;
        return write(path, &pixels, scene.size);
    }
    let lanes =
        || Interpreter { runner: kernel.runner(), bindings: bindings.clone(), scene: &scene };
    match scene.draw(lanes) {
        Ok(pixels) => write(path, &pixels, scene.size),
        Err(error) => Err(stopped(input, error).into()),
    }
}

fn draw_on_chip(
    scene: &Scene,
    (input, code): (&ShaderInput, &Code),
    bindings: &Bindings,
) -> Result<Vec<Pixel>, Failure> {
    let on_chip = code.load(input, scene.limit)?;
    let words = |vectors: &Vec<[u32; 4]>| vectors.as_flattened().to_vec();
    let constants = bindings.constants.iter().map(|(&number, own)| (number, words(own)));
    let constants: BTreeMap<u32, Vec<u32>> = constants.collect();
    let texel_buffers = texel_words(bindings);
    let lanes = || Simulator {
        on_chip: &on_chip,
        bindings: bindings.clone(),
        constants: &constants,
        texel_buffers: &texel_buffers,
        scene,
    };
    scene.draw(lanes).map_err(|problem| failed(input, problem).into())
}

/// Runs the quads of a picture.
trait Lanes {
    /// The error that stops a run.
    type Stop: Send;

    /// The colours of a quad, and a bit mask of the lanes that are visible.
    fn shade(&mut self, inputs: &Inputs) -> Result<(Quad, u8), Self::Stop>;
}

struct Interpreter<'a> {
    runner: Runner<'a>,
    bindings: Bindings,
    scene: &'a Scene,
}

impl Lanes for Interpreter<'_> {
    type Stop = ExecError;

    fn shade(&mut self, inputs: &Inputs) -> Result<(Quad, u8), ExecError> {
        clear_counters(&mut self.bindings);
        self.runner.run(inputs, self.scene.limit, &mut self.bindings)?;
        let colors = self.runner.output(self.scene.color).unwrap_or_default();
        Ok((colors, !self.runner.killed()))
    }
}

struct Simulator<'a> {
    on_chip: &'a OnChip<'a>,
    bindings: Bindings,
    constants: &'a BTreeMap<u32, Vec<u32>>,
    texel_buffers: &'a BTreeMap<u32, Vec<u32>>,
    scene: &'a Scene,
}

impl Lanes for Simulator<'_> {
    type Stop = tgsi_api::Problems;

    fn shade(&mut self, inputs: &Inputs) -> Result<(Quad, u8), tgsi_api::Problems> {
        let mut around = Surroundings {
            resources: &mut self.bindings,
            buffers: &mut BTreeMap::new(),
            memory: &mut Vec::new(),
            constants: self.constants,
            texel_buffers: self.texel_buffers,
        };
        let ran = self.on_chip.run(inputs, &mut around)?;
        let colors = ran.outputs.get(&self.scene.color).copied().unwrap_or_default();
        Ok((colors.map(|lane| lane.map(Option::unwrap_or_default)), !ran.killed))
    }
}

fn write(path: &Path, pixels: &[Pixel], size: [u32; 2]) -> Result<Outcome, Failure> {
    let bytes = picture::encode(pixels, size).map_err(Failure::Usage)?;
    write_file(path, &bytes)?;
    Ok(Outcome::Good)
}

/// Filtering for pictures.
const SMOOTH: (Filter, MipFilter) = (Filter::Linear, MipFilter::Linear);

fn bindings(
    shader: &Shader,
    options: &Options,
    (launch, bound): (&Launch, Bound),
) -> Result<Bindings, Failure> {
    let mut bindings = Bindings::default();
    let buffers = launch.const_buffers.iter().map(|(&number, vectors)| (number, vectors));
    for (number, vectors) in buffers.chain([(0, &launch.consts)]) {
        bindings.constants.insert(number, vectors.iter().map(bits).collect());
    }
    for constant in &options.constant {
        let buffer = bindings.constants.entry(constant.buffer).or_default();
        let index = constant.index as usize;
        buffer.resize(buffer.len().max(index + 1), [0; 4]);
        buffer[index] = constant.value;
    }
    bindings.textures = patterns(shader);
    bindings.textures.extend(bound.bindings.textures);
    bindings.images = bound.bindings.images;
    for Unit { number, path } in &options.texture {
        bindings.textures.insert(*number, Arc::new(picture::read_texture(path)?));
    }
    let (filter, mip) = SMOOTH;
    let sampler = Sampler { min: filter, mag: filter, mip, ..Sampler::default() };
    bindings.samplers = (0..NUM_SAMPLERS).map(|unit| (unit, sampler)).collect();
    bindings.samplers.extend(bound.bindings.samplers);
    add_counters(&mut bindings, shader);
    Ok(bindings)
}

/// Number of sampler units.
const NUM_SAMPLERS: u32 = 32;
/// Size of patterns along each axis.
const PATTERN: u32 = 64;
/// Number of layers of patterns.
const PATTERN_LAYERS: u32 = 4;

/// A pattern for each texture of the shader.
fn patterns(shader: &Shader) -> BTreeMap<u32, Arc<Texture>> {
    let textures = scan(shader).textures.into_iter().filter_map(|(unit, texture)| {
        let unit = u32::try_from(unit).ok()?;
        let target = texture.targets.first().copied().unwrap_or(TextureTarget::D2);
        let (shape, size) = match target {
            TextureTarget::D3 => (TextureShape::D3, [PATTERN; 3]),
            TextureTarget::Cube
            | TextureTarget::Shadowcube
            | TextureTarget::CubeArray
            | TextureTarget::ShadowcubeArray => (TextureShape::Cube, [PATTERN, PATTERN, 1]),
            TextureTarget::D1
            | TextureTarget::Shadow1d
            | TextureTarget::D1Array
            | TextureTarget::Shadow1dArray
            | TextureTarget::Buffer => (TextureShape::D1, [PATTERN, 1, 1]),
            _ => (TextureShape::D2, [PATTERN, PATTERN, 1]),
        };
        let pattern = Texture::pattern(shape, size, PATTERN_LAYERS, unit).ok()?;
        Some((unit, Arc::new(pattern.with_levels())))
    });
    textures.collect()
}

/// A picture to be drawn.
struct Scene {
    size: [u32; 2],
    limit: u64,
    /// The contents of each input register.
    inputs: Vec<Meaning>,
    /// The contents of each system value.
    system_values: Vec<Meaning>,
    /// The output that is drawn.
    color: usize,
    /// Offset from the corner of a pixel to its POSITION.
    center: f32,
    is_lower_left: bool,
}

impl Scene {
    /// The picture; `None` if the shader has no colour output.
    fn new(shader: &Shader, options: &super::Options) -> Option<Self> {
        let info = scan(shader);
        let has_meaning =
            |wanted| move |io: &&Io| io.semantic.is_some_and(|semantic| semantic.name == wanted);
        let colors = info.outputs.iter().filter(has_meaning(Semantic::Color));
        let color = colors.min_by_key(|io| io.semantic.map(|semantic| semantic.index))?.index;
        let integer = u32::from(PixelCenter::Integer.number());
        let lower = u32::from(CoordOrigin::LowerLeft.number());
        let is_integer = shader.property(PropertyName::FsCoordPixelCenter) == Some(integer);
        Some(Self {
            size: options.picture.size.0,
            limit: options.max_steps,
            inputs: meanings(&info.inputs, Meaning::of_input, Meaning::Coordinate),
            system_values: meanings(
                &info.system_values,
                Meaning::of_system_value,
                Meaning::Nothing,
            ),
            color: usize::from(color),
            center: if is_integer { 0.0 } else { 0.5 },
            is_lower_left: shader.property(PropertyName::FsCoordOrigin) == Some(lower),
        })
    }

    /// All pixels, row by row.
    fn draw<L: Lanes>(&self, lanes: impl Fn() -> L + Send + Sync) -> Result<Vec<Pixel>, L::Stop> {
        let [width, height] = self.size.map(|n| n as usize);
        let mut pixels = vec![Pixel::default(); width * height];
        let bar = progress_bar(height.div_ceil(2));
        // A row of quads covers two rows of pixels.
        let drawn = pixels.par_chunks_mut(2 * width).enumerate().try_for_each_init(
            lanes,
            |lanes, (number, rows)| {
                bar.inc(1);
                self.draw_rows(lanes, (2 * number as u32, rows))
            },
        );
        bar.finish_and_clear();
        drawn.map(|()| pixels)
    }

    fn draw_rows<L: Lanes>(
        &self,
        lanes: &mut L,
        (top, rows): (u32, &mut [Pixel]),
    ) -> Result<(), L::Stop> {
        let width = self.size[0] as usize;
        for left in (0..self.size[0]).step_by(2) {
            let inputs = self.quad([left, top]);
            let (colors, shown) = lanes.shade(&inputs)?;
            let shown = shown & !inputs.helpers;
            for (lane, color) in
                colors.iter().enumerate().filter(|(lane, _)| shown >> lane & 1 == 1)
            {
                let place = (lane / 2) * width + left as usize + lane % 2;
                if let Some(pixel) = rows.get_mut(place) {
                    *pixel = color.map(to_byte);
                }
            }
        }
        Ok(())
    }

    /// The inputs of the quad with this upper left pixel. Pixels outside the picture are helpers.
    fn quad(&self, [left, top]: [u32; 2]) -> Inputs {
        let pixels = [0, 1, 2, 3].map(|lane| [left + lane % 2, top + lane / 2]);
        let is_helper = |mask, &pixel| mask << 1 | u8::from(self.is_outside(pixel));
        let helpers = pixels.iter().rev().fold(0, is_helper);
        let values = |meanings: &[Meaning]| -> Vec<Quad> {
            let value = |&meaning: &Meaning| pixels.map(|pixel| self.value(meaning, pixel));
            meanings.iter().map(value).collect()
        };
        Inputs {
            registers: values(&self.inputs),
            system_values: values(&self.system_values),
            helpers,
            ..Inputs::default()
        }
    }

    fn is_outside(&self, [x, y]: [u32; 2]) -> bool {
        x >= self.size[0] || y >= self.size[1]
    }

    fn value(&self, meaning: Meaning, pixel @ [x, y]: [u32; 2]) -> [u32; 4] {
        let [width, height] = self.size.map(|n| n as f32);
        let [x, y] = [x as f32, y as f32];
        let floats = match meaning {
            Meaning::Position => {
                let y = if self.is_lower_left { height - 1.0 - y } else { y };
                [x + self.center, y + self.center, 0.0, 1.0]
            }
            Meaning::Facing => [1.0, 0.0, 0.0, 1.0],
            Meaning::Coordinate => [(x + 0.5) / width, (y + 0.5) / height, 0.0, 1.0],
            Meaning::SamplePlace => [0.5, 0.5, 0.0, 0.0],
            Meaning::IsFront => return [u32::MAX; 4],
            Meaning::IsHelper if self.is_outside(pixel) => return [u32::MAX; 4],
            Meaning::Coverage => return [1, 0, 0, 0],
            Meaning::IsHelper | Meaning::Nothing => return [0; 4],
        };
        floats.map(f32::to_bits)
    }
}

/// Converts 0…1 to a byte. A NaN becomes 0.
fn to_byte(bits: u32) -> u8 {
    (f32::from_bits(bits).clamp(0.0, 1.0) * 255.0).round_ties_even() as u8
}

/// A progress bar on standard error, if that is a terminal.
fn progress_bar(num_rows: usize) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {percent}% {eta} left");
    ProgressBar::new(num_rows as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
