//! Sources of the usual assembler: a listing, and settings in comments such as `; $NUM_SPI_VS_OUT_ID = 1`.

use gx2_draw::Uses;
use gx2_gfd::{
    AttribVar, NewShader, PixelShader, Setting, SettingError, ShaderMode, VertexShader, pixel,
    program_bytes, vertex,
};
use r600_isa::asm::{self, Assembly, Dialect, StateVariable};
use r600_isa::{Cf, KcacheMode, Program};

use crate::commands::asm::r600::problems;
use crate::input::TextInput;
use crate::problem::{Finding, Place, Problems};

use super::{GENERATION, decode};

/// The stage of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Vertex,
    Pixel,
}

impl Stage {
    /// The extension of its sources.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Vertex => "vsh",
            Self::Pixel => "psh",
        }
    }

    /// The stage of a file's extension.
    pub(crate) fn of_extension(extension: &str) -> Option<Self> {
        let all = [Self::Vertex, Self::Pixel];
        all.into_iter().find(|stage| stage.extension().eq_ignore_ascii_case(extension))
    }
}

/// The assembler's defaults for settings that a source leaves out. They changed over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Defaults {
    /// The contents of SQ_VTX_SEMANTIC words that no attribute uses.
    pub(crate) unused_semantic: u32,
}

/// Reads a source.
pub(crate) fn read(
    input: TextInput,
    stage: Stage,
    defaults: Defaults,
) -> Result<NewShader, Problems> {
    let assembly = asm::parse_as(&input.text, GENERATION, Dialect::Latte);
    let words = match assembly.words() {
        Ok(words) => words,
        Err(mistakes) => return Err(problems(input, &mistakes)),
    };
    let program = program_bytes(&words);
    let made = match stage {
        Stage::Vertex => {
            vertex_shader(&assembly, defaults).map(|shader| NewShader::Vertex { shader, program })
        }
        Stage::Pixel => pixel_shader(&assembly).map(|shader| NewShader::Pixel { shader, program }),
    };
    made.map_err(|findings| Problems { name: input.name, text: Some(input.text), findings })
}

fn vertex_shader(assembly: &Assembly, defaults: Defaults) -> Result<VertexShader, Vec<Finding>> {
    // Attributes determine the initial values of registers, so they are read first.
    let mut first = VertexShader::default();
    let attribs = assembly.state.iter().filter(|state| is_of(state, "ATTRIB_VARS"));
    let _ = apply(attribs, |setting| first.apply(setting));
    let mut shader = new_vertex(&assembly.program, &first.attrib_vars, defaults);
    shader.attrib_vars.clear();
    apply(assembly.state.iter(), |setting| shader.apply(setting))?;
    if !is_set(assembly, "SQ_VTX_SEMANTIC_CLEAR") {
        let count = shader.registers.get(vertex::NUM_SQ_VTX_SEMANTIC, 0);
        shader.registers.set(vertex::SQ_VTX_SEMANTIC_CLEAR, 0, clear(count));
    }
    let num_gprs = shader.registers.field(vertex::SQ_PGM_RESOURCES_VS, 0, "NUM_GPRS");
    check_gprs(assembly, num_gprs)?;
    Ok(shader)
}

fn pixel_shader(assembly: &Assembly) -> Result<PixelShader, Vec<Finding>> {
    let mut shader = new_pixel(&assembly.program);
    apply(assembly.state.iter(), |setting| shader.apply(setting))?;
    if !is_set(assembly, "SPI_PS_IN_CONTROL_0.NUM_INTERP") {
        set_num_interp(&mut shader);
    }
    let num_gprs = shader.registers.field(pixel::SQ_PGM_RESOURCES_PS, 0, "NUM_GPRS");
    check_gprs(assembly, num_gprs)?;
    Ok(shader)
}

/// A vertex shader with the defaults for a source that only declares attributes.
fn new_vertex(program: &Program, attribs: &[AttribVar], defaults: Defaults) -> VertexShader {
    const REUSE: [u32; 2] = [14, 16];
    let mut shader = VertexShader {
        mode: mode_of(program),
        attrib_vars: attribs.to_vec(),
        buffer: Some([0; 4]),
        ..VertexShader::default()
    };
    let registers = &mut shader.registers;
    registers.set(vertex::SQ_PGM_RESOURCES_VS, 0, resources(program, 1));
    for index in 0..vertex::SPI_VS_OUT_ID.count {
        registers.set(vertex::SPI_VS_OUT_ID, index, u32::MAX);
    }
    for index in 0..vertex::SQ_VTX_SEMANTIC.count {
        let location = attribs.get(index).map(|attrib| attrib.location & 0xFF);
        let word = location.unwrap_or(defaults.unused_semantic);
        registers.set(vertex::SQ_VTX_SEMANTIC, index, word);
    }
    let count = attribs.len() as u32;
    registers.set(vertex::NUM_SQ_VTX_SEMANTIC, 0, count);
    registers.set(vertex::SQ_VTX_SEMANTIC_CLEAR, 0, clear(count));
    registers.set(vertex::VGT_VERTEX_REUSE_BLOCK_CNTL, 0, REUSE[0]);
    registers.set(vertex::VGT_HOS_REUSE_DEPTH, 0, REUSE[1]);
    shader
}

/// A pixel shader with the defaults for an empty source: one colour, early and late depth tests.
fn new_pixel(program: &Program) -> PixelShader {
    let mut shader =
        PixelShader { mode: mode_of(program), buffer: Some([0; 4]), ..PixelShader::default() };
    let registers = &mut shader.registers;
    registers.set(pixel::SQ_PGM_RESOURCES_PS, 0, resources(program, 0));
    registers.set(pixel::SQ_PGM_EXPORTS_PS, 0, 2);
    registers.set(pixel::SPI_PS_IN_CONTROL_0, 0, 1 << 26 | 1 << 28);
    registers.set(pixel::CB_SHADER_MASK, 0, 0xF);
    registers.set(pixel::CB_SHADER_CONTROL, 0, 1);
    registers.set(pixel::DB_SHADER_CONTROL, 0, 1 << 4);
    shader
}

fn set_num_interp(shader: &mut PixelShader) {
    let count = shader.registers.get(pixel::NUM_SPI_PS_INPUT_CNTL, 0);
    // A count that does not fit in the field is rejected by the loader.
    let _ = shader.registers.set_field(pixel::SPI_PS_IN_CONTROL_0, 0, "NUM_INTERP", count);
}

/// Number of registers and stack size of a program, as in its resource register.
fn resources(program: &Program, stack_size: u32) -> u32 {
    num_gprs(program) | stack_size << 8
}

fn num_gprs(program: &Program) -> u32 {
    Uses::of(program).num_gprs.max(1)
}

/// The bits of the semantics that `count` attributes leave unused.
fn clear(count: u32) -> u32 {
    u32::MAX.checked_shl(count).unwrap_or(0)
}

/// The uniform mode of a program, from the uniforms that it reads.
fn mode_of(program: &Program) -> ShaderMode {
    let locks = |cf: &Cf| match cf {
        Cf::Alu(alu) => alu.kcache.iter().any(|window| window.mode != KcacheMode::None),
        _ => false,
    };
    match program.cf.iter().any(locks) {
        true => ShaderMode::UNIFORM_BLOCK,
        false => ShaderMode::UNIFORM_REGISTER,
    }
}

fn is_of(state: &StateVariable, name: &str) -> bool {
    let own = state.name.split(['[', '.']).next().unwrap_or("");
    own.eq_ignore_ascii_case(name)
}

/// Whether a register, or one of its fields, is set.
fn is_set(assembly: &Assembly, name: &str) -> bool {
    let register = name.split('.').next().unwrap_or("");
    assembly.state.iter().any(|state| {
        state.name.eq_ignore_ascii_case(name)
            || state.name.eq_ignore_ascii_case(register)
            || name == register && is_of(state, register)
    })
}

/// Applies every setting. Reports errors at the places of the settings.
fn apply<'s>(
    states: impl Iterator<Item = &'s StateVariable>,
    mut apply: impl FnMut(&Setting) -> Result<(), SettingError>,
) -> Result<(), Vec<Finding>> {
    let mut findings = Vec::new();
    for state in states {
        let result = Setting::new(&state.name, &state.value).and_then(|setting| apply(&setting));
        if let Err(error) = result {
            let place = Place::Span(state.span.clone());
            findings.push(Finding::error(error.to_string(), place));
        }
    }
    if findings.is_empty() { Ok(()) } else { Err(findings) }
}

/// Rejects a source that declares fewer registers than its code uses.
fn check_gprs(assembly: &Assembly, said: u32) -> Result<(), Vec<Finding>> {
    let needed = num_gprs(&assembly.program);
    if said >= needed {
        return Ok(());
    }
    let is_count = |state: &&StateVariable| state.name.to_ascii_uppercase().contains("RESOURCES");
    let span = assembly.state.iter().rfind(is_count).map(|state| state.span.clone());
    let place = span.map_or(Place::Whole, Place::Span);
    let message = format!("NUM_GPRS is {said}, but the code uses {needed} registers");
    Err(vec![Finding::error(message, place).with_help("leave it out: the assembler counts")])
}

/// The source of a vertex shader.
pub(crate) fn write_vertex(shader: &VertexShader, program: &[u8], defaults: Defaults) -> String {
    let code = decode(program);
    let base = new_vertex(&code, &shader.attrib_vars, defaults);
    let mut settings = shader.settings(&base);
    let count = |shader: &VertexShader| shader.registers.get(vertex::NUM_SQ_VTX_SEMANTIC, 0);
    if count(shader) != count(&base) {
        // By default, the assembler derives this value from the count.
        let word = shader.registers.get(vertex::SQ_VTX_SEMANTIC_CLEAR, 0);
        settings.push(format!("$SQ_VTX_SEMANTIC_CLEAR.CLEAR = {word:#x}"));
    }
    with_settings(&settings, &code)
}

/// The source of a pixel shader.
pub(crate) fn write_pixel(shader: &PixelShader, program: &[u8]) -> String {
    let code = decode(program);
    let mut base = new_pixel(&code);
    let count = shader.registers.get(pixel::NUM_SPI_PS_INPUT_CNTL, 0);
    base.registers.set(pixel::NUM_SPI_PS_INPUT_CNTL, 0, count);
    set_num_interp(&mut base);
    base.registers.set(pixel::NUM_SPI_PS_INPUT_CNTL, 0, 0);
    with_settings(&shader.settings(&base), &code)
}

fn with_settings(settings: &[String], code: &Program) -> String {
    let lines: String = settings.iter().map(|setting| format!("; {setting}\n")).collect();
    format!("{lines}.syntax canonical\n\n{code}")
}
