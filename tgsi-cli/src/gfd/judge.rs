//! Errors that a loader or the console would find in a file: versions, sizes, alignment, and tables that do not fit the
//! code.

use gx2_draw::Uses;
use gx2_gfd::{
    Block, BlockKind, File, GeometryShader, PixelShader, Register, RegisterFile, SamplerVar,
    Shader, ShaderMode, Tables, UniformBlock, VertexShader, compute, geometry, pixel, vertex,
};
use r600_codegen::abi::spi_id;
use r600_isa::Chip;
use r600_isa::verify::{Rule, Setting, Stage};
use tgsi_ir::Semantic;

use crate::commands::disasm::r600::finding as broken_rule;
use crate::problem::{Finding, Place, Severity};

use super::decode;

/// All findings about a file.
pub(crate) fn findings(file: &File) -> Vec<Finding> {
    let mut judge = Judge { findings: Vec::new(), place: String::new() };
    judge.versions(file);
    judge.blocks(file);
    judge.alignment(file);
    let shaders = file.shaders();
    shaders.iter().enumerate().for_each(|(number, shader)| judge.shader(number, shader));
    judge.modes(&shaders);
    judge.parameters(&shaders);
    judge.findings
}

struct Judge {
    findings: Vec<Finding>,
    /// The part of the file under examination, for messages.
    place: String,
}

/// Alignment of programs in memory, and in files that claim to be aligned.
const PROGRAM_ALIGN: usize = 0x100;
const FILE_ALIGN: usize = 0x200;
/// Rules that published files break: a vertex shader without parameters, and unused bits that are set in words.
const HARMLESS: [Rule; 2] = [Rule::StageExports, Rule::Reserved];
/// Size of a header in bytes.
const HEADER: usize = 0x20;

impl Judge {
    fn error(&mut self, code: &str, message: impl std::fmt::Display, help: &str) {
        let message = format!("{}{message}", self.place);
        let code = Some(code.to_owned());
        let finding = Finding::error(message, Place::Whole).with_help(help);
        self.findings.push(Finding { code, ..finding });
    }

    fn warning(&mut self, code: &str, message: impl std::fmt::Display, help: &str) {
        self.error(code, message, help);
        if let Some(finding) = self.findings.last_mut() {
            finding.severity = Severity::Warning;
        }
    }

    fn versions(&mut self, file: &File) {
        let (major, minor) = (file.header.major, file.header.minor);
        if (major, minor) != (7, 1) {
            let message = format!("the file has version {major}.{minor}");
            self.error("version", message, "loaders take version 7.1 only");
        }
        if file.endian == gx2_gfd::Endian::Little {
            let help = "the console reads big-endian headers";
            self.error("endian", "the file's headers are little-endian", help);
        }
        let old = file.blocks.iter().position(|block| block.major != 1);
        if let Some(number) = old {
            let message = format!("block {number} has version {}", file.blocks[number].major);
            self.error("version", message, "loaders take blocks of version 1 only");
        }
    }

    fn blocks(&mut self, file: &File) {
        if file.blocks.last().is_none_or(|block| block.kind() != BlockKind::End) {
            let help = "loaders read on until they find it";
            self.error("end", "the file has no block that ends it", help);
        }
        if !file.trailing.is_empty() {
            let message =
                format!("{} bytes follow the block that ends the file", file.trailing.len());
            self.warning("trailing", message, "nothing reads them");
        }
        for (number, block) in file.blocks.iter().enumerate() {
            if let Some(fault) = block.fault(file.endian) {
                self.error("structure", format!("block {number}: {fault}"), "it cannot be loaded");
            }
        }
        let count = |kind| file.blocks.iter().filter(|block| block.kind() == kind).count();
        for (header, program, name) in [
            (BlockKind::VertexHeader, BlockKind::VertexProgram, "vertex"),
            (BlockKind::PixelHeader, BlockKind::PixelProgram, "pixel"),
            (BlockKind::GeometryHeader, BlockKind::GeometryProgram, "geometry"),
            (BlockKind::GeometryHeader, BlockKind::CopyProgram, "geometry"),
            (BlockKind::ComputeHeader, BlockKind::ComputeProgram, "compute"),
        ] {
            let (headers, programs) = (count(header), count(program));
            if headers != programs {
                let what = match program {
                    BlockKind::CopyProgram => "copy programs",
                    _ => "programs",
                };
                let message = format!("{headers} {name} shaders have {programs} {what}");
                self.error("pairs", message, "the loader pairs them by number");
            }
        }
    }

    fn alignment(&mut self, file: &File) {
        if file.header.align == 0 {
            return;
        }
        let mut at = HEADER + file.header.rest.len();
        for (number, block) in file.blocks.iter().enumerate() {
            let lone = File { endian: file.endian, blocks: vec![block.clone()], ..File::default() };
            let Ok(bytes) = lone.write() else { return };
            let data = at + HEADER + block.header_rest.len();
            if block.kind().is_aligned() && !data.is_multiple_of(FILE_ALIGN) {
                let message = format!("the data of block {number} begins at {data:#x}");
                let help = "the file claims to be aligned, which means multiples of 0x200";
                self.warning("alignment", message, help);
                return;
            }
            at += bytes.len() - HEADER;
        }
    }

    fn shader(&mut self, number: usize, shader: &Shader<'_>) {
        match shader {
            Shader::Vertex { header, program } => {
                self.place = format!("shader {number} (vertex): ");
                self.vertex(&header.shader, *program);
            }
            Shader::Pixel { header, program } => {
                let shader = &header.shader;
                self.place = format!("shader {number} (pixel): ");
                let resources = shader.registers.get(pixel::SQ_PGM_RESOURCES_PS, 0);
                let sizes = (shader.program_size, *program);
                let setting = (Stage::Pixel, resources);
                self.program(sizes, setting, (&shader.tables, Some(shader.mode)));
            }
            Shader::Geometry { header, program, copy } => {
                self.geometry(number, &header.shader, [*program, *copy]);
            }
            Shader::Compute { header, program } => {
                let shader = &header.shader;
                self.place = format!("shader {number} (compute): ");
                let resources = shader.registers.get(compute::SQ_PGM_RESOURCES, 0);
                let sizes = (shader.program_size, *program);
                self.program(sizes, (Stage::Compute, resources), (&shader.tables, None));
            }
        }
        self.place.clear();
    }

    fn vertex(&mut self, shader: &VertexShader, program: Option<&[u8]>) {
        let resources = shader.registers.get(vertex::SQ_PGM_RESOURCES_VS, 0);
        let sizes = (shader.program_size, program);
        // A geometry shader reads the vertices from memory.
        let stage = match shader.mode {
            ShaderMode::GEOMETRY_SHADER => Stage::VertexToMemory,
            _ => Stage::Vertex,
        };
        let setting = (stage, resources);
        if let Some(uses) = self.program(sizes, setting, (&shader.tables, Some(shader.mode))) {
            self.attributes(shader, &uses);
            self.exports((&shader.registers, vertex::SPI_VS_OUT_CONFIG, OF_VERTEX), &uses);
        }
    }

    /// A geometry shader, and the vertex shader that copies its output.
    fn geometry(
        &mut self,
        number: usize,
        shader: &GeometryShader,
        [program, copy]: [Option<&[u8]>; 2],
    ) {
        let interface = (&shader.tables, Some(shader.mode));
        self.place = format!("shader {number} (geometry): ");
        let resources = shader.registers.get(geometry::SQ_PGM_RESOURCES_GS, 0);
        self.program((shader.program_size, program), (Stage::Geometry, resources), interface);
        self.place = format!("shader {number} (copy): ");
        let resources = shader.registers.get(geometry::SQ_PGM_RESOURCES_VS, 0);
        let setting = (Stage::Vertex, resources);
        if let Some(uses) = self.program((shader.copy_program_size, copy), setting, interface) {
            self.exports((&shader.registers, geometry::SPI_VS_OUT_CONFIG, OF_GEOMETRY), &uses);
        }
    }

    /// The program must have the size in its structure, and consist of whole instructions.
    fn size(&mut self, said: u32, program: Option<&[u8]>) {
        let Some(program) = program else { return };
        if program.len() != said as usize {
            let message = format!(
                "its program takes {:#x} bytes, but its header says {said:#x}",
                program.len()
            );
            self.error("size", message, "loaders refuse that");
        }
        if !program.len().is_multiple_of(8) {
            let message = format!("its program takes {:#x} bytes", program.len());
            self.error("size", message, "instructions take eight bytes");
        } else if !program.len().is_multiple_of(PROGRAM_ALIGN) {
            let message = format!("its program takes {:#x} bytes", program.len());
            self.warning(
                "size",
                message,
                "the console's own tools pad programs to a multiple of 0x100 bytes",
            );
        }
    }

    /// Checks code against registers and tables. Returns the resources that it uses.
    fn program(
        &mut self,
        (said, program): (u32, Option<&[u8]>),
        (stage, resources): (Stage, u32),
        (tables, mode): (&Tables, Option<ShaderMode>),
    ) -> Option<Uses> {
        self.size(said, program);
        let code = decode(program?);
        let setting = Setting {
            stage: Some(stage),
            chip: Some(Chip::Latte),
            num_gprs: None,
            stack_size: Some(resources >> 8 & 0xFF),
        };
        for broken in code.verify_as(setting) {
            let finding = broken_rule(&broken);
            let message = format!("{}{}", self.place, finding.message);
            let is_harmless = HARMLESS.contains(&broken.rule);
            let severity = if is_harmless { Severity::Warning } else { finding.severity };
            self.findings.push(Finding { message, severity, ..finding });
        }
        let uses = Uses::of(&code);
        if uses.num_gprs > resources & 0xFF {
            let (used, allocated) = (uses.num_gprs, resources & 0xFF);
            let message = format!("its code uses {used} registers, but NUM_GPRS is {allocated}");
            self.error("gprs", message, "the state allocates the registers that code uses");
        }
        self.samplers(&tables.sampler_vars, &uses);
        self.uniforms(&tables.uniform_blocks, mode, &uses);
        Some(uses)
    }

    fn samplers(&mut self, vars: &[SamplerVar], uses: &Uses) {
        let is_known = |number: &u8| vars.iter().any(|var| var.location == u32::from(*number));
        for number in uses.textures.union(&uses.samplers).filter(|number| !is_known(number)) {
            let message = format!("it samples texture {number}, but no sampler has that location");
            self.error("sampler", message, "an application cannot find it by name");
        }
    }

    /// Checks the uniforms of a shader. A compute shader has no mode.
    fn uniforms(&mut self, blocks: &[UniformBlock], mode: Option<ShaderMode>, uses: &Uses) {
        if let Some(mode) = mode {
            let has_registers = mode == ShaderMode::UNIFORM_REGISTER;
            if uses.reads_constant_file && !has_registers {
                let message = format!("it reads uniform registers in mode {mode}");
                self.error("mode", message, "they read as zeros there");
            }
            if !uses.banks.is_empty() && has_registers {
                let message = format!("it reads uniform blocks in mode {mode}");
                self.error("mode", message, "they read as zeros there");
            }
        }
        for block in blocks.iter().filter(|block| block.size > UniformBlock::MAX_SIZE) {
            let message = format!("uniform block {} has {} bytes", block.location, block.size);
            let help = format!("the hardware reads {} of one at most", UniformBlock::MAX_SIZE);
            self.error("block", message, &help);
        }
        let is_known = |bank: &u8| blocks.iter().any(|own| own.location == u32::from(*bank));
        for bank in uses.banks.iter().filter(|bank| !is_known(bank)) {
            let message = format!("it reads uniform block {bank}, but no block has that location");
            self.error("block", message, "an application cannot find it by name");
        }
    }

    /// Checks that each attribute register that the code reads gets an attribute. Attribute k is in register k + 1.
    fn attributes(&mut self, shader: &VertexShader, uses: &Uses) {
        let count = shader.registers.get(vertex::NUM_SQ_VTX_SEMANTIC, 0) as usize;
        let semantics = shader.registers.all(vertex::SQ_VTX_SEMANTIC);
        let semantics = &semantics[..count.min(semantics.len())];
        if uses.calls_fetch_shader {
            for gpr in uses.inputs.iter().filter(|gpr| **gpr > 0) {
                let semantic = semantics.get(usize::from(*gpr) - 1).map(|word| word & 0xFF);
                if semantic.is_none_or(|semantic| semantic == 0xFF) {
                    let message =
                        format!("it reads R{gpr}, but no semantic puts an attribute there");
                    self.error("attribute", message, "SQ_VTX_SEMANTIC n fills R(n + 1)");
                }
            }
        }
        for attrib in &shader.attrib_vars {
            let locations = attrib.locations();
            if !semantics.iter().any(|word| locations.contains(&(word & 0xFF))) {
                let name =
                    attrib.name.as_ref().map_or_else(String::new, |name| format!("`{name}`"));
                let message = format!("attribute {name} reaches no register");
                self.warning("attribute", message, "no SQ_VTX_SEMANTIC has its location");
            }
        }
    }

    /// Checks that exported parameters are within the declared count and have ids.
    fn exports(
        &mut self,
        (registers, config, ids): (&dyn RegisterFile, Register, [Register; 2]),
        uses: &Uses,
    ) {
        let field = config.field("VS_EXPORT_COUNT");
        let config = field.map_or(0, |field| field.get(registers.word(config, 0)));
        let count = out_ids(registers, ids).len();
        for parameter in &uses.parameters {
            if u32::from(*parameter) > config {
                let message =
                    format!("it exports parameter {parameter}, but counts {}", config + 1);
                self.error(
                    "parameter",
                    message,
                    "VS_EXPORT_COUNT is the number of parameters minus one",
                );
            } else if usize::from(*parameter) >= count {
                let message = format!("it exports parameter {parameter}, which has no id");
                self.error("parameter", message, "SPI_VS_OUT_ID holds four ids a word");
            }
        }
    }

    /// All shaders of a draw must use the same uniform mode.
    fn modes(&mut self, shaders: &[Shader<'_>]) {
        let modes: Vec<ShaderMode> = shaders.iter().filter_map(mode).collect();
        if let [first, rest @ ..] = &modes[..]
            && let Some(other) = rest.iter().find(|mode| *mode != first)
        {
            let message = format!("one shader is for mode {first} and another for {other}");
            self.warning("mode", message, "a draw has one mode for all of its shaders");
        }
    }

    /// The ids of each pixel shader's inputs must be exported by the stage before: the vertex shader with the same
    /// number, or the geometry shader that follows it.
    fn parameters(&mut self, shaders: &[Shader<'_>]) {
        let vertex = shaders.iter().filter_map(|shader| match shader {
            Shader::Vertex { header, .. } => Some(&header.shader),
            _ => None,
        });
        let pixel = shaders.iter().filter_map(|shader| match shader {
            Shader::Pixel { header, .. } => Some(&header.shader),
            _ => None,
        });
        let geometry = shaders.iter().filter_map(|shader| match shader {
            Shader::Geometry { header, .. } => Some(&header.shader),
            _ => None,
        });
        let mut geometry = geometry.enumerate();
        for (number, (vertex, pixel)) in vertex.zip(pixel).enumerate() {
            let of_vertex =
                || (out_ids(&vertex.registers, OF_VERTEX), format!("vertex shader {number}"));
            let of_geometry = match vertex.mode {
                ShaderMode::GEOMETRY_SHADER => geometry.next(),
                _ => None,
            };
            let (ids, before) = of_geometry.map_or_else(of_vertex, |(place, shader)| {
                (out_ids(&shader.registers, OF_GEOMETRY), format!("geometry shader {place}"))
            });
            let count = pixel.registers.get(pixel::NUM_SPI_PS_INPUT_CNTL, 0) as usize;
            let inputs = pixel.registers.all(pixel::SPI_PS_INPUT_CNTL);
            let supplied = supplied(pixel);
            for (register, input) in (0..).zip(&inputs[..count.min(inputs.len())]) {
                let id = input & 0xFF;
                let is_place = pixel::SPI_PS_INPUT_CNTL
                    .field("PT_SPRITE_TEX")
                    .is_some_and(|field| field.get(*input) == 1);
                let has_value = is_place || is_zero_anyway(*input) || supplied.contains(&register);
                if !ids.contains(&id) && !has_value {
                    let message = format!(
                        "pixel shader {number} reads parameter id {id}, which {before} lacks"
                    );
                    self.error("parameter", message, "it gets its DEFAULT_VAL");
                }
            }
        }
    }
}

/// Whether an input has the default value 0, and means 0 if nothing writes it: the layer or the viewport of a
/// primitive.
fn is_zero_anyway(input: u32) -> bool {
    let ids = [Semantic::Layer, Semantic::ViewportIndex].map(|name| spi_id(name, 0));
    let default = pixel::SPI_PS_INPUT_CNTL.field("DEFAULT_VAL").map(|field| field.get(input));
    ids.iter().flatten().any(|id| u32::from(*id) == input & 0xFF) && default == Some(0)
}

/// The registers with the number of id words of a structure, and with the words.
const OF_VERTEX: [Register; 2] = [vertex::NUM_SPI_VS_OUT_ID, vertex::SPI_VS_OUT_ID];
const OF_GEOMETRY: [Register; 2] = [geometry::NUM_SPI_VS_OUT_ID, geometry::SPI_VS_OUT_ID];

/// The parameter ids of a stage, in order.
fn out_ids(registers: &dyn RegisterFile, [number, ids]: [Register; 2]) -> Vec<u32> {
    let count = (registers.word(number, 0) as usize).min(ids.count);
    let bytes = (0..count).flat_map(|index| registers.word(ids, index).to_le_bytes());
    bytes.map(u32::from).take_while(|id| *id != 0xFF).collect()
}

/// Registers of a pixel shader that hold the position, the face or the sample, regardless of their entry in the list.
fn supplied(shader: &PixelShader) -> Vec<u32> {
    let fields = [
        (pixel::SPI_PS_IN_CONTROL_0, "POSITION_ENA", "POSITION_ADDR"),
        (pixel::SPI_PS_IN_CONTROL_1, "FRONT_FACE_ENA", "FRONT_FACE_ADDR"),
        (pixel::SPI_PS_IN_CONTROL_1, "FIXED_PT_POSITION_ENA", "FIXED_PT_POSITION_ADDR"),
    ];
    let registers = &shader.registers;
    let enabled =
        fields.iter().filter(|(register, enable, _)| registers.field(*register, 0, enable) == 1);
    enabled.map(|(register, _, address)| registers.field(*register, 0, address)).collect()
}

fn mode(shader: &Shader<'_>) -> Option<ShaderMode> {
    match shader {
        Shader::Vertex { header, .. } => Some(header.shader.mode),
        Shader::Pixel { header, .. } => Some(header.shader.mode),
        Shader::Geometry { header, .. } => Some(header.shader.mode),
        Shader::Compute { .. } => None,
    }
}

/// The name of a block in listings.
pub(crate) fn block_name(block: &Block) -> String {
    match block.kind() {
        BlockKind::Other(number) => format!("block of unknown kind {number}"),
        kind => format!("{kind:?}"),
    }
}
