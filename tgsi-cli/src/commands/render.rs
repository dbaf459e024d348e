//! `tgsi render`: draws a mesh with a Wii U shader file or with shaders.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, ValueHint};
use gx2_draw::mesh::{Channel, Mesh};
use gx2_draw::{Compiled, DrawError, Interpreted, Picture, Reference, Stage, Vertex};
use gx2_gfd::{AttribVar, File, Shader, Style};

use tgsi_ir::scan::scan;
use tgsi_ir::{Processor, TextureTarget};

use crate::commands::run::{image::Size, picture};
use crate::failure::{Failure, Outcome};
use crate::gfd::compile::{self, CompileFlags};
use crate::gfd::{self, given};
use crate::input::{Input, TextInput, has_extension};
use crate::output::{check_takes_png, write_file};
use crate::problem::Problems;
use crate::report::Reporter;
use crate::shader::ShaderInput;

/// Draws a picture of a mesh with the vertex and the pixel shader of a Wii U file
///
/// The programs run in the simulator, with a simple rasteriser between them that supports perspective and depth, but no
/// blending. Shaders of any kind are linked first, as by `tgsi link`; `--interpreter` runs them in the reference
/// interpreter instead.
///
/// Attributes get positions, texture coordinates, normals and colours by their names. Four-column matrices whose names
/// contain `mvp` or `proj` get a camera for cubes and models; other square matrices are identities. Textures that are
/// not given contain a pattern.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi render quad.gsh --mesh quad --texture picture=wood.png -o out.png
  tgsi render phong.vert phong.frag --mesh teapot.obj --uniform light=0,1,0 -o out.png
  tgsi render quad.vert quad.frag --interpreter -o wanted.png")]
pub(crate) struct Options {
    /// A shader file, or the shaders of a draw.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// What to draw: quad, cube, or an OBJ file.
    #[arg(long, value_name = "MESH", default_value = "quad", value_hint = ValueHint::FilePath)]
    mesh: String,
    /// Binds a PNG file to the sampler of this name.
    #[arg(
        long,
        value_name = "NAME=FILE.png",
        value_parser = named::<PathBuf>,
        value_hint = ValueHint::FilePath
    )]
    texture: Vec<(String, PathBuf)>,
    /// Sets a uniform by its components: vector by vector, column by column, or row by row if it is row-major.
    #[arg(long, value_name = "NAME=X,Y,…", value_parser = named::<Numbers>)]
    uniform: Vec<(String, Numbers)>,
    /// Source of an attribute's values: position, uv, normal or color.
    #[arg(long, value_name = "NAME=WHAT", value_parser = named::<What>)]
    attribute: Vec<(String, What)>,
    /// Width and height of the picture in pixels.
    #[arg(long, value_name = "WxH", default_value = "256x256")]
    size: Size,
    /// Runs the shaders in the reference interpreter, as TGSI.
    #[arg(long)]
    interpreter: bool,
    #[command(flatten)]
    compile: CompileFlags,
    /// The PNG file to write.
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,
}

/// Numbers separated by commas.
#[derive(Clone, Debug)]
struct Numbers(Vec<f64>);

impl FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |word: &str| word.parse().map_err(|_| format!("`{word}` is not a number"));
        text.split(',').map(str::trim).map(number).collect::<Result<_, _>>().map(Self)
    }
}

/// The channel of a mesh that an attribute reads.
#[derive(Clone, Copy, Debug)]
struct What(Channel);

impl FromStr for What {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "position" => Ok(Self(Channel::Position)),
            "uv" => Ok(Self(Channel::Uv)),
            "normal" => Ok(Self(Channel::Normal)),
            "color" => Ok(Self(Channel::Color)),
            _ => Err(format!("`{text}` is none of position, uv, normal and color")),
        }
    }
}

/// Parses a name and its value.
fn named<T: FromStr>(word: &str) -> Result<(String, T), String>
where
    T::Err: std::fmt::Display,
{
    let (name, value) = word.split_once('=').ok_or("write NAME=VALUE")?;
    let value = value.parse().map_err(|error: T::Err| error.to_string())?;
    Ok((name.to_owned(), value))
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    check_takes_png(&options.output)?;
    let name = options.files[0].display().to_string();
    let problem = |error: DrawError| Problems::whole(&name, error.to_string());
    let loaded = load(options, reporter)?;
    let mesh = mesh(&options.mesh)?;
    let mut draw = Compiled::new(&loaded.file).map_err(problem)?;
    if options.mesh != "quad" {
        set_camera(&mut draw, &row_major(loaded.shaders.iter().flatten()));
    }
    for input in loaded.shaders.iter().flatten() {
        set_arrays(&input.shader, &mut draw);
    }
    let textures = options.texture.iter().map(|(name, path)| (&**name, &**path));
    given::textures(&mut draw, textures).map_err(|error| error.named(&name))?;
    let uniforms = options.uniform.iter().map(|(name, list)| (&**name, &*list.0));
    given::uniforms(&mut draw, uniforms).map_err(problem)?;
    let vertices = mesh.vertices(&channels(&loaded.file, options)?);
    let picture = match (options.interpreter, &loaded.shaders) {
        (false, _) => gx2_draw::draw(&mut draw, &mesh, &vertices, options.size.0),
        (true, Some(shaders)) => interpret(shaders, &draw, (&mesh, &vertices), options.size.0),
        (true, None) => {
            let message = "`--interpreter` runs shaders, but a shader file has only programs";
            return Err(Failure::Usage(message.to_owned()));
        }
    };
    write(&options.output, &picture.map_err(problem)?)
}

/// A file, and the shaders that it was made from.
struct Loaded {
    file: File,
    shaders: Option<Vec<ShaderInput>>,
}

fn load(options: &Options, reporter: Reporter) -> Result<Loaded, Failure> {
    if let [path] = &options.files[..]
        && has_extension(path, "gsh")
    {
        if let Some(flag) = options.compile.given() {
            return Err(Failure::Usage(format!(
                "`{flag}` is for shaders and has no effect on the programs of a shader file"
            )));
        }
        let file = gfd::read(&Input::read(path)?)?;
        return Ok(Loaded { file, shaders: None });
    }
    let mut inputs = Vec::new();
    for path in &options.files {
        inputs.extend(options.compile.read(path)?);
    }
    if inputs.len() != 2 {
        let message = "give a shader file, or a vertex and a pixel shader";
        return Err(Failure::Usage(message.to_owned()));
    }
    for input in &mut inputs {
        input.take_warnings().iter().for_each(|warnings| reporter.show(warnings));
    }
    let name = inputs[0].input.name.clone();
    let linked = options.compile.link(inputs)?;
    let file = compile::build(&name, &Style::UNALIGNED, linked.shaders)?;
    Ok(Loaded { file, shaders: Some(linked.inputs) })
}

fn mesh(name: &str) -> Result<Mesh, Failure> {
    match name {
        "quad" => Ok(Mesh::quad()),
        "cube" => Ok(Mesh::cube()),
        path if has_extension(Path::new(path), "obj") => {
            let input = TextInput::read(Path::new(path))?;
            let mesh = Mesh::obj(&input.text);
            Ok(mesh.map_err(|error| Problems::whole(&input.name, error.to_string()))?)
        }
        other => {
            let message =
                format!("`{other}` is not a mesh: give quad, cube or a file that ends in `.obj`");
            Err(Failure::Usage(message))
        }
    }
}

/// Names of row-major matrices, without those of their blocks. The tables of a file do not contain this information.
fn row_major<'a>(inputs: impl Iterator<Item = &'a ShaderInput>) -> BTreeSet<String> {
    let buffers =
        inputs.filter_map(|input| input.interface.as_deref()).flat_map(|it| &it.constants);
    let members = buffers.flat_map(|buffer| &buffer.members).filter(|member| member.is_row_major);
    members.map(|member| member.name.clone()).collect()
}

/// Sets each matrix that is named like one to the camera for the mesh.
fn set_camera(draw: &mut Compiled, row_major: &BTreeSet<String>) {
    let columns = Mesh::view().map(f32::to_bits);
    let rows: [u32; 16] = std::array::from_fn(|at| columns[at % 4 * 4 + at / 4]);
    for stage in [&mut draw.vertex_stage, &mut draw.pixel_stage] {
        for name in stage.uniform_names() {
            let lower = name.to_ascii_lowercase();
            if lower.contains("mvp") || lower.contains("proj") {
                let is_row_major = row_major.iter().any(|member| is_member(&name, member));
                let view = if is_row_major { rows } else { columns };
                // A uniform that is not a 4×4 matrix keeps its value.
                let _ = stage.set_uniform(&name, &view);
            }
        }
    }
}

/// Whether a uniform's name is that of a member, with or without the name of its block.
fn is_member(name: &str, member: &str) -> bool {
    name.strip_suffix(member).is_some_and(|block| block.is_empty() || block.ends_with('.'))
}

/// Sets which textures are arrays, from the shader. The tables of a file do not contain this information.
fn set_arrays(shader: &tgsi_ir::Shader, draw: &mut Compiled) {
    use TextureTarget as T;
    let is_array = |target: &T| {
        matches!(target, T::D1Array | T::Shadow1dArray | T::D2Array | T::Shadow2dArray)
    };
    let stage = match shader.processor {
        Processor::Vertex => &mut draw.vertex_stage,
        _ => &mut draw.pixel_stage,
    };
    let textures = scan(shader).textures.into_iter();
    let arrays = textures.filter(|(_, texture)| texture.targets.first().is_some_and(is_array));
    stage.memory.arrays.extend(arrays.filter_map(|(unit, _)| u32::try_from(unit).ok()));
}

/// The mesh channel for the attribute at each location: by the command line, by its name, or by its position.
fn channels(file: &File, options: &Options) -> Result<Vec<(u32, Channel)>, Failure> {
    let shaders = file.shaders();
    let vars: &[AttribVar] = shaders
        .iter()
        .find_map(|shader| match shader {
            Shader::Vertex { header, .. } => Some(&header.shader.attrib_vars[..]),
            _ => None,
        })
        .unwrap_or(&[]);
    let order = [Channel::Position, Channel::Uv, Channel::Normal, Channel::Color];
    let name = |var: &AttribVar| var.name.as_ref().map_or_else(String::new, ToString::to_string);
    if let Some((wrong, _)) =
        options.attribute.iter().find(|(given, _)| !vars.iter().any(|var| name(var) == *given))
    {
        let known: Vec<String> = vars.iter().map(|var| format!("`{}`", name(var))).collect();
        let message = format!("there is no attribute `{wrong}`, only {}", known.join(", "));
        return Err(Failure::Usage(message));
    }
    let channel = |(number, var): (usize, &AttribVar)| {
        let name = name(var);
        let said = options.attribute.iter().find(|(given, _)| *given == name);
        let by_place = order[number.min(order.len() - 1)];
        let channel = said.map(|(_, what)| what.0).or_else(|| Channel::guess(&name));
        (var.location, channel.unwrap_or(by_place))
    };
    Ok(vars.iter().enumerate().map(channel).collect())
}

/// Runs the same draw in the interpreter.
fn interpret(
    shaders: &[ShaderInput],
    draw: &Compiled,
    (mesh, vertices): (&Mesh, &[Vertex]),
    size: [u32; 2],
) -> Result<Picture, DrawError> {
    let reference =
        |input: &ShaderInput, stage: &Stage| Reference::new(&input.shader, stage.clone());
    let find = |stage: Processor| shaders.iter().find(|input| input.shader.processor == stage);
    let vertex = find(Processor::Vertex).ok_or(DrawError::NoShader("vertex"))?;
    let pixel = find(Processor::Fragment).ok_or(DrawError::NoShader("pixel"))?;
    let locations = compile::stage(vertex).names.locations();
    let vertex = reference(vertex, &draw.vertex_stage)?;
    let pixel = reference(pixel, &draw.pixel_stage)?;
    gx2_draw::draw(&mut Interpreted::new(vertex, pixel, locations), mesh, vertices, size)
}

fn write(path: &Path, picture: &Picture) -> Result<Outcome, Failure> {
    let bytes = picture::encode(&picture.bytes(), picture.size).map_err(Failure::Usage)?;
    write_file(path, &bytes)?;
    Ok(Outcome::Good)
}
