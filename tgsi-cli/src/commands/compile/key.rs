//! Flags for the state that shaders are compiled for.

mod attribute;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use r600_codegen::abi::{
    Bindings, RingLayout, ShaderKey, StreamOutput, TessDomain, Uniforms, VertexAs, VertexElement,
    VertexFetch,
};
use tgsi_ir::Processor;

use crate::problem::{Finding, Place, Problems};
use crate::reading::Reading;
use crate::shader::ShaderInput;

/// The flags of a shader's key.
#[derive(Args, Debug)]
#[command(next_help_heading = "State")]
pub(crate) struct KeyFlags {
    /// Colour buffers bound; colours beyond them are not exported.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u8).range(0..=8))]
    color_buffers: u8,
    /// Assumes that colour buffers have at most 16 bits per channel.
    #[arg(long)]
    narrow_color_buffers: bool,
    /// Exports 1 for alpha.
    #[arg(long)]
    alpha_to_one: bool,
    /// Exports colour 1 as the second source of blending.
    #[arg(long)]
    dual_source: bool,
    /// Uses BCOLOR instead of COLOR on back faces.
    #[arg(long)]
    two_sided: bool,
    /// Uses the colours of the provoking vertex where the shader declares no interpolation.
    #[arg(long)]
    flat_shade: bool,
    /// Runs fragment shaders for each sample.
    #[arg(long)]
    sample_shading: bool,
    /// Library that binds textures and constant buffers; default: the usual one for the chip, which is GX2 for Latte.
    #[arg(long, value_enum, value_name = "LIBRARY")]
    bindings: Option<Library>,
    /// Place of `CONST[0]` on R600 and R700: a buffer, or the registers of the constant file.
    #[arg(long, value_enum, value_name = "WHERE", default_value = "blocks")]
    uniforms: UniformPlace,
    /// Expects attributes in registers and calls no fetch shader.
    #[arg(long)]
    no_fetch_shader: bool,
    /// Fetches an attribute in the program itself instead of in a fetch shader. `0:1:12:r32g32b32_float` fetches
    /// `IN[0]` from byte 12 of each element of buffer 1; an instance divisor may follow.
    #[arg(
        long,
        value_name = "ATTRIBUTE:BUFFER:BYTE:FORMAT[:INSTANCES]",
        conflicts_with = "no_fetch_shader",
        value_parser = attribute::parse
    )]
    attribute: Vec<VertexElement>,
    /// User clip planes in use, one bit each.
    #[arg(long, value_name = "BITS", default_value = "255")]
    clip_planes: u8,
    /// Exports the distances from POSITION to the clip planes if the shader exports no distances itself.
    #[arg(long)]
    clip_position: bool,
    /// Hardware stage that a vertex or evaluation shader runs as.
    #[arg(long, value_name = "STAGE", default_value = "vertex")]
    vertex_as: Role,
    /// Compiles a vertex or evaluation shader to run before this geometry shader.
    #[arg(long, value_name = "FILE", conflicts_with = "vertex_as")]
    before_geometry: Option<PathBuf>,
    /// Domain of the patches after a control shader.
    #[arg(long, value_name = "DOMAIN", default_value = "triangles")]
    tess_domain: Domain,
    /// Chip counter to use for the shader's first counter.
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u8).range(0..12))]
    first_counter: u8,
    /// Writes components of an output to a buffer: `1.xyz:0:4` writes `OUT[1].xyz` to buffer 0, from dword 4 on; a
    /// stream may follow.
    #[arg(long, value_name = "OUTPUT:BUFFER:DWORD[:STREAM]", value_parser = parse_stream_output)]
    stream_output: Vec<StreamOutput>,
}

/// The hardware stage of a shader that produces vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Role {
    /// The last stage before the rasteriser.
    Vertex,
    /// The stage before tessellation.
    Local,
    /// The copy shader, which runs after a geometry shader.
    Copy,
}

/// The library that binds resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Library {
    /// The Wii U's: texture n is t(n), uniform block n is fetched from b(128 + n).
    Gx2,
    /// The open driver: texture n is t(18 + n), constant buffer n is fetched from b(n).
    Mesa,
}

/// The shaders that a flag affects.
#[derive(Clone, Copy, Debug)]
enum Scope {
    /// Fragment shaders.
    Pixels,
    /// Inputs of vertex shaders.
    Attributes,
    /// Stages that produce vertices.
    Vertices,
    /// The same, as the last stage before the rasteriser.
    LastVertices,
    /// Control shaders.
    Patches,
}

impl Scope {
    fn has(self, stage: Processor) -> bool {
        match self {
            Self::Pixels => stage == Processor::Fragment,
            Self::Attributes => stage == Processor::Vertex,
            Self::Vertices | Self::LastVertices => makes_vertices(stage),
            Self::Patches => stage == Processor::TessCtrl,
        }
    }

    /// Whether it affects shaders with this role; `None` is the default role.
    fn has_role(self, role: Option<Role>) -> bool {
        match self {
            Self::Attributes => role != Some(Role::Copy),
            Self::LastVertices => role != Some(Role::Local),
            Self::Pixels | Self::Vertices | Self::Patches => true,
        }
    }
}

fn makes_vertices(stage: Processor) -> bool {
    matches!(stage, Processor::Vertex | Processor::TessEval)
}

impl From<Library> for Bindings {
    fn from(library: Library) -> Self {
        match library {
            Library::Gx2 => Self::Console,
            Library::Mesa => Self::Driver,
        }
    }
}

/// Where constants are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum UniformPlace {
    /// In constant buffers, read through the constant cache: the Wii U's uniform blocks.
    Blocks,
    /// In the constant file: the Wii U's uniform registers.
    Registers,
}

impl From<UniformPlace> for Uniforms {
    fn from(place: UniformPlace) -> Self {
        match place {
            UniformPlace::Blocks => Self::Blocks,
            UniformPlace::Registers => Self::Registers,
        }
    }
}

/// The domain of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Domain {
    Triangles,
    Quads,
    Isolines,
}

impl KeyFlags {
    /// The key, and warnings about the meaning of the geometry shader, which is read like the other shaders.
    ///
    /// # Errors
    /// If the geometry shader cannot be read.
    pub(crate) fn shader_key(
        &self,
        reading: Reading,
    ) -> Result<(ShaderKey, Option<Problems>), Problems> {
        let (vertex_as, warnings) = self.vertex_as(reading)?;
        let key = ShaderKey::default()
            .num_color_buffers(self.color_buffers)
            .narrow_color_buffers(self.narrow_color_buffers)
            .alpha_to_one(self.alpha_to_one)
            .dual_source(self.dual_source)
            .two_sided_color(self.two_sided)
            .flat_shade(self.flat_shade)
            .sample_shading(self.sample_shading)
            .vertex_fetch(self.vertex_fetch())
            .clip_planes(self.clip_planes)
            .clip_position(self.clip_position)
            .bindings(self.bindings.map_or(Bindings::OfChip, Into::into))
            .uniforms(self.uniforms.into())
            .vertex_as(vertex_as)
            .tess_domain(self.tess_domain.into())
            .first_counter(self.first_counter)
            .stream_outputs(self.stream_output.clone());
        Ok((key, warnings))
    }

    /// Messages about flags that were given, but have no effect on shaders of this stage or role.
    pub(crate) fn misplaced(&self, stage: Processor) -> Vec<String> {
        let name = stage.name().unwrap_or("unknown");
        let role = self.role().filter(|_| makes_vertices(stage));
        let run = role.map_or("", |(_, words)| words);
        let flags = self.given().into_iter().filter_map(|(flag, scope)| {
            let is_meant = scope.has(stage);
            if is_meant && scope.has_role(role.map(|(role, _)| role)) {
                return None;
            }
            let run = if is_meant { run } else { "" };
            Some(format!("`{flag}` has no effect on {name} shaders{run}"))
        });
        flags.collect()
    }

    /// The role of a shader whose vertices do not go to the rasteriser.
    fn role(&self) -> Option<(Role, &'static str)> {
        match (self.vertex_as, &self.before_geometry) {
            (_, Some(_)) => Some((Role::Local, " before a geometry shader")),
            (Role::Local, _) => Some((Role::Local, " before tessellation")),
            (Role::Copy, _) => Some((Role::Copy, " that copy vertices")),
            (Role::Vertex, None) => None,
        }
    }

    /// The flags that were given and do not affect all shaders.
    fn given(&self) -> Vec<(&'static str, Scope)> {
        let flags = [
            ("--color-buffers", Scope::Pixels, self.color_buffers != 1),
            ("--narrow-color-buffers", Scope::Pixels, self.narrow_color_buffers),
            ("--alpha-to-one", Scope::Pixels, self.alpha_to_one),
            ("--dual-source", Scope::Pixels, self.dual_source),
            ("--two-sided", Scope::Pixels, self.two_sided),
            ("--flat-shade", Scope::Pixels, self.flat_shade),
            ("--sample-shading", Scope::Pixels, self.sample_shading),
            ("--attribute", Scope::Attributes, !self.attribute.is_empty()),
            ("--no-fetch-shader", Scope::Attributes, self.no_fetch_shader),
            ("--clip-planes", Scope::LastVertices, self.clip_planes != u8::MAX),
            ("--clip-position", Scope::LastVertices, self.clip_position),
            ("--vertex-as", Scope::Vertices, self.vertex_as != Role::Vertex),
            ("--tess-domain", Scope::Patches, self.tess_domain != Domain::Triangles),
            ("--before-geometry", Scope::Vertices, self.before_geometry.is_some()),
            ("--stream-output", Scope::LastVertices, !self.stream_output.is_empty()),
        ];
        let given = flags.into_iter().filter(|(.., is_given)| *is_given);
        given.map(|(flag, scope, _)| (flag, scope)).collect()
    }

    /// The files that the key depends on.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.before_geometry.iter().map(PathBuf::as_path)
    }

    fn vertex_fetch(&self) -> VertexFetch {
        match (&*self.attribute, self.no_fetch_shader) {
            ([], false) => VertexFetch::FetchShader,
            ([], true) => VertexFetch::Preloaded,
            (layout, _) => VertexFetch::Inlined(layout.to_vec()),
        }
    }

    fn vertex_as(&self, reading: Reading) -> Result<(VertexAs, Option<Problems>), Problems> {
        if let Some(path) = &self.before_geometry {
            let mut geometry = ShaderInput::read_valid(path, reading)?;
            if geometry.shader.processor != Processor::Geometry {
                let stage = geometry.shader.processor.name().unwrap_or("unknown");
                let message = format!("`--before-geometry` names a {stage} shader");
                let finding = Finding::error(message, Place::Whole)
                    .with_help("name the GEOM shader that runs after this one");
                return Err(Problems::one(&geometry.input.name, None, finding));
            }
            let warnings = geometry.take_warnings();
            return Ok((VertexAs::Export(RingLayout::of_inputs(&geometry.shader)), warnings));
        }
        let vertex_as = match self.vertex_as {
            Role::Vertex => VertexAs::Vertex,
            Role::Local => VertexAs::Local,
            Role::Copy => VertexAs::Copy,
        };
        Ok((vertex_as, None))
    }
}

impl From<Domain> for TessDomain {
    fn from(domain: Domain) -> Self {
        match domain {
            Domain::Triangles => Self::Triangles,
            Domain::Quads => Self::Quads,
            Domain::Isolines => Self::Isolines,
        }
    }
}

fn parse_stream_output(text: &str) -> Result<StreamOutput, String> {
    find_stream_output(text)
        .filter(StreamOutput::is_valid)
        .ok_or_else(|| "write OUTPUT.COMPONENTS:BUFFER:DWORD, such as 1.xyz:0:4".to_owned())
}

fn find_stream_output(text: &str) -> Option<StreamOutput> {
    let mut parts = text.split(':');
    let (register, components) = parts.next()?.split_once('.')?;
    let buffer = parts.next()?.parse().ok()?;
    let offset = parts.next()?.parse().ok()?;
    let stream = parts.next().map_or(Some(0), |stream| stream.parse().ok())?;
    let first = "xyzw".find(components)?;
    Some(StreamOutput {
        register: register.parse().ok()?,
        first_component: first as u8,
        num_components: components.len() as u8,
        buffer,
        offset,
        stream,
    })
    .filter(|_| parts.next().is_none())
}
