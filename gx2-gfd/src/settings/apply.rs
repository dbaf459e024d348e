//! Applies settings to structures.

use crate::generated::enums::{SamplerType, ShaderMode, VarType};
use crate::registers::RegisterFile;
use crate::shader::{GeometryShader, PixelShader, Ring, VertexShader};
use crate::tables::{
    AttribVar, InitialValue, LoopVar, SamplerVar, Tables, UniformBlock, UniformVar,
};
use crate::text::Text;

use super::{Setting, SettingError};

/// Maximum table lengths of the console's libraries.
const MAX_BLOCKS: usize = 16;
const MAX_UNIFORMS: usize = 256;
const MAX_LOOPS: usize = 32;
const MAX_SAMPLERS: usize = 18;
const MAX_ATTRIBS: usize = 32;
const NUM_STRIDES: usize = 4;

/// The parts of a structure that can be set.
struct Parts<'s> {
    registers: &'s mut dyn RegisterFile,
    mode: &'s mut ShaderMode,
    tables: &'s mut Tables,
    attribs: Option<&'s mut Vec<AttribVar>>,
    ring: Option<&'s mut Ring>,
}

impl Parts<'_> {
    fn apply(mut self, setting: &Setting) -> Result<(), SettingError> {
        match setting.name.as_str() {
            "MODE" => {
                setting.single()?;
                *self.mode = setting.named(ShaderMode::from_name, ShaderMode, "mode")?;
                Ok(())
            }
            "UNIFORM_BLOCKS" => uniform_block(&mut self.tables.uniform_blocks, setting),
            "UNIFORM_VARS" => uniform_var(&mut self.tables.uniform_vars, setting),
            "INITIAL_VALUES" => initial_value(&mut self.tables.initial_values, setting),
            "LOOP_VARS" => loop_var(&mut self.tables.loop_vars, setting),
            "SAMPLER_VARS" => sampler_var(&mut self.tables.sampler_vars, setting),
            name => match (name, &mut self.attribs, &mut self.ring) {
                ("ATTRIB_VARS", Some(attribs), _) => attrib_var(attribs, setting),
                ("RING_ITEM_SIZE", _, Some(ring)) => {
                    setting.single()?;
                    ring.item_size = setting.number()?;
                    Ok(())
                }
                ("HAS_STREAM_OUT", _, Some(ring)) => {
                    setting.single()?;
                    ring.has_stream_out = setting.number()?;
                    Ok(())
                }
                ("STREAM_OUT_STRIDE", _, Some(ring)) => {
                    setting.without_member()?;
                    let last = NUM_STRIDES - 1;
                    let error = SettingError::Index { name: setting.name.clone(), last };
                    let stride =
                        setting.index.and_then(|index| ring.stream_out_stride.get_mut(index));
                    *stride.ok_or(error)? = setting.number()?;
                    Ok(())
                }
                _ => setting.register(self.registers),
            },
        }
    }
}

fn uniform_block(blocks: &mut Vec<UniformBlock>, setting: &Setting) -> Result<(), SettingError> {
    let new = |at: usize| UniformBlock { name: no_name(), location: at as u32 + 1, size: 16 };
    let block = setting.element(blocks, MAX_BLOCKS, new)?;
    match setting.member()? {
        "NAME" => block.name = Some(Text::new(&setting.value)),
        "OFFSET" => block.location = setting.number()?,
        "SIZE" => block.size = setting.number()?,
        member => return Err(setting.no_member(member)),
    }
    Ok(())
}

fn uniform_var(vars: &mut Vec<UniformVar>, setting: &Setting) -> Result<(), SettingError> {
    let new = |_| UniformVar {
        name: no_name(),
        kind: VarType::FLOAT4,
        count: 1,
        ..UniformVar::default()
    };
    let var = setting.element(vars, MAX_UNIFORMS, new)?;
    match setting.member()? {
        "NAME" => var.name = Some(Text::new(&setting.value)),
        "TYPE" => var.kind = setting.named(VarType::from_name, VarType, "type")?,
        "COUNT" => var.count = setting.number()?,
        "OFFSET" => var.offset = setting.number()?,
        "BLOCK" => var.block = setting.number()?.cast_signed(),
        member => return Err(setting.no_member(member)),
    }
    Ok(())
}

fn initial_value(values: &mut Vec<InitialValue>, setting: &Setting) -> Result<(), SettingError> {
    let initial = setting.element(values, MAX_UNIFORMS, |_| InitialValue::default())?;
    let member = setting.member()?;
    if member == "OFFSET" {
        initial.offset = setting.number()?;
        return Ok(());
    }
    let channel = ["VALUE[0]", "VALUE[1]", "VALUE[2]", "VALUE[3]"];
    let channel = channel.iter().position(|own| *own == member);
    let channel = channel.ok_or_else(|| setting.no_member(member))?;
    let text = setting.value.as_str();
    let bits = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse::<f32>().ok().map(f32::to_bits),
    };
    initial.value[channel] = bits.ok_or_else(|| setting.bad("float"))?;
    Ok(())
}

fn loop_var(vars: &mut Vec<LoopVar>, setting: &Setting) -> Result<(), SettingError> {
    let new = |at: usize| LoopVar { offset: at as u32, value: 0 };
    let var = setting.element(vars, MAX_LOOPS, new)?;
    match setting.member()? {
        "OFFSET" => var.offset = setting.number()?,
        "VALUE" => var.value = setting.number()?,
        member => return Err(setting.no_member(member)),
    }
    Ok(())
}

fn sampler_var(vars: &mut Vec<SamplerVar>, setting: &Setting) -> Result<(), SettingError> {
    let new = |at: usize| SamplerVar {
        name: no_name(),
        kind: SamplerType::SAMPLER_2D,
        location: at as u32,
    };
    let var = setting.element(vars, MAX_SAMPLERS, new)?;
    match setting.member()? {
        "NAME" => var.name = Some(Text::new(&setting.value)),
        "TYPE" => var.kind = setting.named(SamplerType::from_name, SamplerType, "type")?,
        "LOCATION" => var.location = setting.number()?,
        member => return Err(setting.no_member(member)),
    }
    Ok(())
}

fn attrib_var(vars: &mut Vec<AttribVar>, setting: &Setting) -> Result<(), SettingError> {
    let new = |at: usize| AttribVar {
        name: no_name(),
        kind: VarType::FLOAT4,
        count: 0,
        location: at as u32,
    };
    let var = setting.element(vars, MAX_ATTRIBS, new)?;
    match setting.member()? {
        "NAME" => var.name = Some(Text::new(&setting.value)),
        "TYPE" => var.kind = setting.named(VarType::from_name, VarType, "type")?,
        "COUNT" => var.count = setting.number()?,
        "LOCATION" => var.location = setting.number()?,
        member => return Err(setting.no_member(member)),
    }
    Ok(())
}

fn no_name() -> Option<Text> {
    Some(Text::default())
}

impl VertexShader {
    /// Applies a setting.
    ///
    /// # Errors
    /// If vertex shaders have no such name, or it cannot hold the value.
    pub fn apply(&mut self, setting: &Setting) -> Result<(), SettingError> {
        let parts = Parts {
            registers: &mut self.registers,
            mode: &mut self.mode,
            tables: &mut self.tables,
            attribs: Some(&mut self.attrib_vars),
            ring: Some(&mut self.ring),
        };
        parts.apply(setting)
    }
}

impl PixelShader {
    /// Applies a setting.
    ///
    /// # Errors
    /// If pixel shaders have no such name, or it cannot hold the value.
    pub fn apply(&mut self, setting: &Setting) -> Result<(), SettingError> {
        let Self { registers, mode, tables, .. } = self;
        Parts { registers, mode, tables, attribs: None, ring: None }.apply(setting)
    }
}

impl GeometryShader {
    /// Applies a setting.
    ///
    /// # Errors
    /// If geometry shaders have no such name, or it cannot hold the value.
    pub fn apply(&mut self, setting: &Setting) -> Result<(), SettingError> {
        let Self { registers, mode, tables, ring, .. } = self;
        Parts { registers, mode, tables, attribs: None, ring: Some(ring) }.apply(setting)
    }
}
