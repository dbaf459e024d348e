//! Builds the structure of each stage from the compiler's state and the interface names.

use std::collections::BTreeSet;

use gx2_gfd::{
    AttribVar, GeometryShader, NewShader, PixelShader, Register, RegisterFile, Ring, ShaderMode,
    VertexShader, geometry, pixel, program_bytes, vertex,
};
use r600_codegen::abi::{InputSlot, RingLayout, ShaderKey, VertexAs, copy_shader};
use r600_codegen::{Compiled, Compiler};
use r600_isa::Chip;
use tgsi_ir::scan::scan;
use tgsi_ir::{Semantic, Shader};

use crate::error::StageError;
use crate::fill::{count, fill, find};
use crate::names::split_units;
use crate::{Options, Stage};

/// Value of unused entries in id and location words.
const NO_IDS: u32 = u32::MAX;
const NO_ID: u8 = u8::MAX;
const NO_LOCATION: u32 = 0xFF;
/// Ids in a word of `SPI_VS_OUT_ID`.
const IDS_PER_WORD: u32 = 4;
/// `BARYC_SAMPLE_CNTL`: where parameters are interpolated.
const AT_CENTROIDS: u32 = 0;
const AT_CENTERS: u32 = 1;
const AT_BOTH: u32 = 2;

/// A stage under construction.
pub(crate) struct Build<'a> {
    pub(crate) stage: &'a Stage,
    pub(crate) options: &'a Options,
    pub(crate) mode: ShaderMode,
}

impl Build<'_> {
    /// The vertex shader of a draw, before `geometry` if there is one.
    pub(crate) fn vertex(&self, geometry: Option<&Shader>) -> Result<NewShader, StageError> {
        let before = geometry.map(RingLayout::of_inputs);
        let item_size = before.as_ref().map_or(0, RingLayout::num_dwords);
        let vertex_as = before.map_or(VertexAs::Vertex, VertexAs::Export);
        let key = self.key().vertex_as(vertex_as);
        let names = &self.stage.names;
        // First, since its errors name what the compiler may refuse.
        let tables = names.tables(self.options.uniforms)?;
        let compiled = self.compile(&self.stage.shader, key)?;
        let mut shader = VertexShader {
            mode: self.mode,
            tables,
            attrib_vars: names.attrib_vars(),
            ring: Ring { item_size, ..Ring::default() },
            buffer: Some([0; 4]),
            ..VertexShader::default()
        };
        fill(&compiled.state, &mut shader.registers)?;
        let ids = [vertex::NUM_SPI_VS_OUT_ID, vertex::SPI_VS_OUT_ID];
        set_ids(&compiled, ids, &mut shader.registers)?;
        if let Some(geometry) = geometry {
            self.set_for_geometry(geometry, &mut shader)?;
        }
        self.set_semantics(&compiled, &mut shader)?;
        Ok(NewShader::Vertex { shader, program: program_bytes(&compiled.words) })
    }

    pub(crate) fn pixel(&self) -> Result<NewShader, StageError> {
        let tables = self.stage.names.tables(self.options.uniforms)?;
        let compiled = self.compile(&self.stage.shader, self.key())?;
        let inputs = compiled.inputs.iter();
        check_ids(inputs.filter_map(|slot| Some((slot.semantic?, slot.spi_id))))?;
        let mut shader =
            PixelShader { mode: self.mode, tables, buffer: Some([0; 4]), ..PixelShader::default() };
        let registers = &mut shader.registers;
        fill(&compiled.state, registers)?;
        let listed = count(&compiled.state, pixel::SPI_PS_INPUT_CNTL.name);
        registers.set(pixel::NUM_SPI_PS_INPUT_CNTL, 0, listed);
        let inputs =
            (0..listed as usize).map(|index| registers.get(pixel::SPI_PS_INPUT_CNTL, index));
        let at = interpolated_at(inputs.collect());
        set(registers, (pixel::SPI_PS_IN_CONTROL_0, "BARYC_SAMPLE_CNTL"), at)?;
        Ok(NewShader::Pixel { shader, program: program_bytes(&compiled.words) })
    }

    pub(crate) fn geometry(&self) -> Result<NewShader, StageError> {
        let compiled = self.compile(&self.stage.shader, self.key())?;
        let copied = self.compile_copy(&self.stage.shader)?;
        let item_size = find(&compiled.state, "SQ_GSVS_RING_ITEMSIZE").unwrap_or(0);
        let mut shader = GeometryShader {
            mode: self.mode,
            tables: self.stage.names.tables(self.options.uniforms)?,
            ring: Ring { item_size, ..Ring::default() },
            buffer: Some([0; 4]),
            ..GeometryShader::default()
        };
        // Fields of both come from the copy shader, which precedes the rasteriser.
        fill(&compiled.state, &mut shader.registers)?;
        fill(&copied.state, &mut shader.registers)?;
        let ids = [geometry::NUM_SPI_VS_OUT_ID, geometry::SPI_VS_OUT_ID];
        set_ids(&copied, ids, &mut shader.registers)?;
        let (program, copy) = (program_bytes(&compiled.words), program_bytes(&copied.words));
        Ok(NewShader::Geometry { shader, program, copy })
    }

    /// Fields of the vertex shader's structure that describe later stages: no later structure has a place for them.
    fn set_for_geometry(
        &self,
        geometry: &Shader,
        shader: &mut VertexShader,
    ) -> Result<(), StageError> {
        let copied = self.compile_copy(geometry)?;
        for register in [vertex::VGT_VERTEX_REUSE_BLOCK_CNTL, vertex::VGT_HOS_REUSE_DEPTH] {
            shader.registers.set(register, 0, find(&copied.state, register.name).unwrap_or(0));
        }
        let is_read = u32::from(reads_primitive_id(geometry));
        shader.registers.set(vertex::VGT_PRIMITIVEID_EN, 0, is_read);
        Ok(())
    }

    /// The program that copies a geometry shader's output to the rasteriser.
    fn compile_copy(&self, geometry: &Shader) -> Result<Compiled, StageError> {
        let key = self.key().vertex_as(VertexAs::Copy);
        self.compile(&copy_shader(geometry), key)
    }

    /// The console's state: as many colours as the shader writes, and clip planes as distances only.
    fn key(&self) -> ShaderKey {
        let outputs = scan(&self.stage.shader).outputs.into_iter();
        let color = |io: tgsi_ir::scan::Io| {
            let semantic = io.semantic.filter(|semantic| semantic.name == Semantic::Color)?;
            u8::try_from(semantic.index + 1).ok()
        };
        let num_color_buffers = outputs.filter_map(color).max().unwrap_or(1);
        let uniforms = self.options.uniforms;
        ShaderKey::default().num_color_buffers(num_color_buffers).clip_planes(0).uniforms(uniforms)
    }

    fn compile(&self, shader: &Shader, key: ShaderKey) -> Result<Compiled, StageError> {
        if let Some([view, sampler]) = split_units(shader) {
            return Err(StageError::SplitUnit { view, sampler });
        }
        let Options { level, precise, .. } = *self.options;
        let options = r600_codegen::Options::default().level(level).precise(precise).key(key);
        let compiled = Compiler::new(options)?.compile(shader, Chip::Latte)?;
        if compiled.scratch_size > 0 {
            return Err(StageError::Scratch(compiled.scratch_size));
        }
        if let Some(constant) = compiled.driver_constants.first() {
            return Err(StageError::DriverConstant(constant.name().0));
        }
        Ok(compiled)
    }

    /// Input register n is R(n + 1), and semantic n the location of the attribute that goes there.
    fn set_semantics(
        &self,
        compiled: &Compiled,
        shader: &mut VertexShader,
    ) -> Result<(), StageError> {
        let num = count(&compiled.state, vertex::SQ_VTX_SEMANTIC.name);
        let is_beyond =
            |slot: &&InputSlot| usize::from(slot.register) >= vertex::SQ_VTX_SEMANTIC.count;
        if let Some(slot) = compiled.inputs.iter().find(is_beyond) {
            return Err(StageError::Attribute(slot.register));
        }
        let is_read =
            |register: u32| compiled.inputs.iter().any(|slot| u32::from(slot.register) == register);
        self.check_locations()?;
        let mut seen = BTreeSet::new();
        for index in 0..vertex::SQ_VTX_SEMANTIC.count as u32 {
            let location = match index < num && is_read(index) {
                true => self.stage.names.location(index as u16).unwrap_or(index),
                false => NO_LOCATION,
            };
            // A fetch goes by the location, which two registers cannot share.
            if location != NO_LOCATION && !seen.insert(location) {
                return Err(StageError::WideAttribute(location));
            }
            shader.registers.set(vertex::SQ_VTX_SEMANTIC, index as usize, location);
        }
        shader.registers.set(vertex::NUM_SQ_VTX_SEMANTIC, 0, num);
        let clear = u32::MAX.checked_shl(num).unwrap_or(0);
        shader.registers.set(vertex::SQ_VTX_SEMANTIC_CLEAR, 0, clear);
        Ok(())
    }

    /// Refuses attributes that streams cannot name or distinguish. Unread attributes count as well: a stream for one
    /// would fill another.
    fn check_locations(&self) -> Result<(), StageError> {
        let mut vars = self.stage.names.attrib_vars();
        let name = |var: &AttribVar| var.name.as_ref().map(ToString::to_string).unwrap_or_default();
        if let Some(var) = vars.iter().find(|var| var.locations().end > NO_LOCATION) {
            let location = var.locations().end - 1;
            return Err(StageError::AttributeLocation { name: name(var), location });
        }
        // Fetching a second one would overwrite the register: a fetch cannot preserve channels.
        vars.sort_by_key(|var| var.location);
        let overlaps = |pair: &&[AttribVar]| pair[0].locations().contains(&pair[1].location);
        match vars.windows(2).find(overlaps) {
            Some(pair) => Err(StageError::SharedLocation {
                first: name(&pair[0]),
                second: name(&pair[1]),
                location: pair[1].location,
            }),
            None => Ok(()),
        }
    }
}

/// Whether the hardware must number primitives for a geometry shader.
fn reads_primitive_id(geometry: &Shader) -> bool {
    let info = scan(geometry);
    // The number is an input or a system value.
    let mut all = info.inputs.into_iter().chain(info.system_values);
    all.any(|io| io.semantic.is_some_and(|semantic| semantic.name == Semantic::Primid))
}

/// Pads the parameter ids with unused ones and counts the words.
fn set_ids(
    compiled: &Compiled,
    [number, ids]: [Register; 2],
    registers: &mut dyn RegisterFile,
) -> Result<(), StageError> {
    let words = count(&compiled.state, ids.name);
    if words > 0 {
        check_ids(compiled.outputs.iter().map(|slot| (slot.semantic, slot.spi_id)))?;
    }
    let exports =
        find(&compiled.state, "SPI_VS_OUT_CONFIG").map_or(0, |word| (word >> 1 & 0x1F) + 1);
    let parameters = if words == 0 { 0 } else { exports };
    for index in 0..ids.count as u32 {
        let own = registers.word(ids, index as usize);
        let used = parameters.saturating_sub(IDS_PER_WORD * index).min(IDS_PER_WORD);
        let unused = NO_IDS.checked_shl(8 * used).unwrap_or(0);
        registers.set_word(ids, index as usize, if used == 0 { NO_IDS } else { own | unused });
    }
    registers.set_word(number, 0, words);
    Ok(())
}

/// Refuses a parameter whose id means none.
fn check_ids(parameters: impl Iterator<Item = ((Semantic, u16), u8)>) -> Result<(), StageError> {
    match { parameters }.find(|(_, id)| *id == NO_ID) {
        Some(((name, index), _)) => {
            let name = name.name().unwrap_or("a parameter");
            // Ids of a name are those of its indices in order.
            Err(StageError::ParameterId { name, index, last: index.saturating_sub(1) })
        }
        None => Ok(()),
    }
}

/// The interpolation location of inputs with these words, as encoded in `BARYC_SAMPLE_CNTL`.
fn interpolated_at(inputs: Vec<u32>) -> u32 {
    let field = pixel::SPI_PS_INPUT_CNTL.field("SEL_CENTROID");
    let is_centroid = |word: &u32| field.is_some_and(|field| field.get(*word) == 1);
    match inputs.iter().filter(|word| is_centroid(word)).count() {
        0 => AT_CENTERS,
        all if all == inputs.len() => AT_CENTROIDS,
        _ => AT_BOTH,
    }
}

fn set(
    registers: &mut dyn RegisterFile,
    (register, name): (Register, &'static str),
    value: u32,
) -> Result<(), StageError> {
    let put = register.field(name).and_then(|field| field.put(registers.word(register, 0), value));
    let word = put.ok_or(StageError::NoPlace { register: name, index: 0, value })?;
    registers.set_word(register, 0, word);
    Ok(())
}
