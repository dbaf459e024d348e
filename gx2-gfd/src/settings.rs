//! Settings of a shader as the sources of `latte-assembler` have them: comments such as
//! `; $SPI_VS_OUT_ID[0].SEMANTIC_0 = 3`.

use thiserror::Error;

use crate::generated::enums::{SamplerType, ShaderMode, VarType};
use crate::registers::{Register, RegisterFile};
use crate::shader::{GeometryShader, PixelShader, VertexShader};
use crate::tables::{
    AttribVar, InitialValue, LoopVar, SamplerVar, Tables, UniformBlock, UniformVar,
};
use crate::text::Text;

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// What is set, in upper case: a register, a table, or `MODE`.
    pub name: String,
    /// Which of several.
    pub index: Option<usize>,
    /// The field or member, in upper case.
    pub member: Option<String>,
    /// The value, without quotes.
    pub value: String,
}

/// Why a setting cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SettingError {
    /// Something else than `NAME`, `NAME[0]` or `NAME[0].MEMBER` is set.
    #[error("`{0}` is no name of a setting")]
    Name(String),
    /// Nothing has this name.
    #[error("shaders of this stage have no `{0}`")]
    Unknown(String),
    /// What is set has no such field or member.
    #[error("`{name}` has no `{member}`")]
    Member {
        /// What is set.
        name: String,
        /// The member.
        member: String,
    },
    /// What is set has members, and none is named.
    #[error("`{0}` is set member by member")]
    NoMember(String),
    /// A list without the number of an element, or with one too large.
    #[error("`{name}` has elements 0 to {last}")]
    Index {
        /// What is set.
        name: String,
        /// The last one.
        last: usize,
    },
    /// A value that cannot be read.
    #[error("`{value}` is no {wanted}")]
    Value {
        /// The value.
        value: String,
        /// What is wanted.
        wanted: &'static str,
    },
    /// A value that its field cannot hold.
    #[error("`{name}` is at most {max}")]
    TooLarge {
        /// The field.
        name: String,
        /// The largest value.
        max: u32,
    },
}

impl Setting {
    /// Reads `name`, as in `SPI_VS_OUT_ID[0].SEMANTIC_0`.
    ///
    /// # Errors
    /// When it has another form.
    pub fn new(name: &str, value: &str) -> Result<Self, SettingError> {
        let error = || SettingError::Name(name.to_owned());
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
        };
        let len = name.find(['[', '.']).unwrap_or(name.len());
        let (own, mut rest) = name.split_at(len);
        let mut index = None;
        if let Some(inner) = rest.strip_prefix('[') {
            let (number, behind) = inner.split_once(']').ok_or_else(error)?;
            index = Some(number.trim().parse().map_err(|_| error())?);
            rest = behind;
        }
        let member = match rest.strip_prefix('.') {
            Some(member) => Some(member.to_ascii_uppercase()),
            None if rest.is_empty() => None,
            None => return Err(error()),
        };
        if !is_word(own) {
            return Err(error());
        }
        Ok(Self { name: own.to_ascii_uppercase(), index, member, value: value.to_owned() })
    }

    /// The value as a number: decimal, also negative, hexadecimal, or a truth value.
    fn number(&self) -> Result<u32, SettingError> {
        let text = self.value.as_str();
        let number = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None if text.eq_ignore_ascii_case("true") => Some(1),
            None if text.eq_ignore_ascii_case("false") => Some(0),
            None => {
                let signed = text.parse::<i32>().ok().map(i32::cast_unsigned);
                text.parse::<u32>().ok().or(signed)
            }
        };
        number.ok_or_else(|| self.bad("number"))
    }

    fn bad(&self, wanted: &'static str) -> SettingError {
        SettingError::Value { value: self.value.clone(), wanted }
    }

    fn named<T>(
        &self,
        by_name: fn(&str) -> Option<T>,
        by_number: fn(u32) -> T,
        wanted: &'static str,
    ) -> Result<T, SettingError> {
        let found = by_name(&self.value).or_else(|| self.number().ok().map(by_number));
        found.ok_or_else(|| self.bad(wanted))
    }

    fn member(&self) -> Result<&str, SettingError> {
        self.member.as_deref().ok_or_else(|| SettingError::NoMember(self.name.clone()))
    }

    /// What is set has no members.
    fn without_member(&self) -> Result<(), SettingError> {
        self.member.as_deref().map_or(Ok(()), |member| Err(self.no_member(member)))
    }

    /// What is set has no members, and is one value rather than a list.
    fn single(&self) -> Result<(), SettingError> {
        let is_other = self.index.is_some_and(|index| index > 0);
        if is_other {
            return Err(SettingError::Index { name: self.name.clone(), last: 0 });
        }
        self.without_member()
    }

    fn no_member(&self, member: &str) -> SettingError {
        SettingError::Member { name: self.name.clone(), member: member.to_owned() }
    }

    /// The element of a list of at most `max`, which grows to hold it.
    fn element<'l, T>(
        &self,
        list: &'l mut Vec<T>,
        max: usize,
        new: impl Fn(usize) -> T,
    ) -> Result<&'l mut T, SettingError> {
        let error = SettingError::Index { name: self.name.clone(), last: max - 1 };
        let index = self.index.filter(|index| *index < max).ok_or(error.clone())?;
        while list.len() <= index {
            list.push(new(list.len()));
        }
        list.get_mut(index).ok_or(error)
    }

    fn register(&self, registers: &mut dyn RegisterFile) -> Result<(), SettingError> {
        let Some(register) = registers.find_register(&self.name) else {
            return Err(SettingError::Unknown(self.name.clone()));
        };
        let last = register.count - 1;
        let index = match self.index {
            None if register.count == 1 => 0,
            Some(index) if index <= last => index,
            _ => return Err(SettingError::Index { name: self.name.clone(), last }),
        };
        let value = self.number()?;
        let Some(member) = &self.member else {
            registers.set_word(register, index, value);
            return Ok(());
        };
        let field = register.field(member).ok_or_else(|| self.no_member(member))?;
        let word = field.put(registers.word(register, index), value);
        let error = SettingError::TooLarge { name: member.clone(), max: field.max() };
        registers.set_word(register, index, word.ok_or(error)?);
        Ok(())
    }
}

/// Lengths of tables that the console's libraries allow.
const MAX_BLOCKS: usize = 16;
const MAX_UNIFORMS: usize = 256;
const MAX_LOOPS: usize = 32;
const MAX_SAMPLERS: usize = 18;
const MAX_ATTRIBS: usize = 32;
const NUM_STRIDES: usize = 4;

/// What of a structure can be set.
struct Parts<'s> {
    registers: &'s mut dyn RegisterFile,
    mode: &'s mut ShaderMode,
    tables: &'s mut Tables,
    attribs: Option<&'s mut Vec<AttribVar>>,
    ring: Option<Ring<'s>>,
}

/// Words of stages whose results go to rings and stream output.
struct Ring<'s> {
    item_size: &'s mut u32,
    has_stream_out: &'s mut u32,
    strides: &'s mut [u32; NUM_STRIDES],
}

impl Parts<'_> {
    fn apply(&mut self, setting: &Setting) -> Result<(), SettingError> {
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
                    *ring.item_size = setting.number()?;
                    Ok(())
                }
                ("HAS_STREAM_OUT", _, Some(ring)) => {
                    setting.single()?;
                    *ring.has_stream_out = setting.number()?;
                    Ok(())
                }
                ("STREAM_OUT_STRIDE", _, Some(ring)) => {
                    setting.without_member()?;
                    let last = NUM_STRIDES - 1;
                    let error = SettingError::Index { name: setting.name.clone(), last };
                    let stride = setting.index.and_then(|index| ring.strides.get_mut(index));
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

/// What makes a structure of another one, in the form of settings.
struct Lister {
    lines: Vec<String>,
}

impl Lister {
    fn number(&mut self, name: &str, value: u32) {
        self.lines.push(format!("${name} = {value}"));
    }

    fn hexadecimal(&mut self, name: &str, value: u32) {
        self.lines.push(format!("${name} = {value:#x}"));
    }

    fn text(&mut self, name: &str, value: impl std::fmt::Display) {
        self.lines.push(format!("${name} = \"{value}\""));
    }

    fn name(&mut self, place: &str, name: Option<&Text>) {
        if let Some(name) = name {
            self.text(&format!("{place}.NAME"), name);
        }
    }

    fn registers(&mut self, own: &dyn RegisterFile, base: &dyn RegisterFile) {
        for register in own.registers() {
            for index in 0..register.count {
                let (word, old) = (own.word(*register, index), base.word(*register, index));
                if word != old {
                    self.register(register, index, (word, old));
                }
            }
        }
    }

    /// Fields that differ; the whole word where something outside of fields does.
    fn register(&mut self, register: &Register, index: usize, (word, old): (u32, u32)) {
        let name = match register.count {
            1 => register.name.to_owned(),
            _ => format!("{}[{index}]", register.name),
        };
        let differs = |field: &&crate::registers::Field| field.get(word) != field.get(old);
        let known = register.fields.iter().fold(0, |known, field| known | field.max() << field.lo);
        if (word ^ old) & !known != 0 {
            return self.hexadecimal(&name, word);
        }
        for field in register.fields.iter().filter(differs) {
            self.number(&format!("{name}.{}", field.name), field.get(word));
        }
    }

    fn tables(&mut self, tables: &Tables) {
        for (at, block) in tables.uniform_blocks.iter().enumerate() {
            let place = format!("UNIFORM_BLOCKS[{at}]");
            self.name(&place, block.name.as_ref());
            self.number(&format!("{place}.OFFSET"), block.location);
            self.number(&format!("{place}.SIZE"), block.size);
        }
        for (at, var) in tables.uniform_vars.iter().enumerate() {
            let place = format!("UNIFORM_VARS[{at}]");
            self.name(&place, var.name.as_ref());
            self.text(&format!("{place}.TYPE"), var.kind);
            self.number(&format!("{place}.COUNT"), var.count);
            self.lines.push(format!("${place}.BLOCK = {}", var.block));
            self.number(&format!("{place}.OFFSET"), var.offset);
        }
        for (at, initial) in tables.initial_values.iter().enumerate() {
            let place = format!("INITIAL_VALUES[{at}]");
            self.number(&format!("{place}.OFFSET"), initial.offset);
            for (channel, bits) in initial.value.iter().enumerate() {
                self.hexadecimal(&format!("{place}.VALUE[{channel}]"), *bits);
            }
        }
        for (at, var) in tables.loop_vars.iter().enumerate() {
            self.number(&format!("LOOP_VARS[{at}].OFFSET"), var.offset);
            self.hexadecimal(&format!("LOOP_VARS[{at}].VALUE"), var.value);
        }
        for (at, var) in tables.sampler_vars.iter().enumerate() {
            let place = format!("SAMPLER_VARS[{at}]");
            self.name(&place, var.name.as_ref());
            self.text(&format!("{place}.TYPE"), var.kind);
            self.number(&format!("{place}.LOCATION"), var.location);
        }
    }

    fn attribs(&mut self, attribs: &[AttribVar]) {
        for (at, var) in attribs.iter().enumerate() {
            let place = format!("ATTRIB_VARS[{at}]");
            self.name(&place, var.name.as_ref());
            self.text(&format!("{place}.TYPE"), var.kind);
            self.number(&format!("{place}.COUNT"), var.count);
            self.number(&format!("{place}.LOCATION"), var.location);
        }
    }

    fn ring(&mut self, item_size: u32, has_stream_out: u32, strides: [u32; NUM_STRIDES]) {
        let words = [("RING_ITEM_SIZE", item_size), ("HAS_STREAM_OUT", has_stream_out)];
        for (name, word) in words.into_iter().filter(|(_, word)| *word != 0) {
            self.number(name, word);
        }
        for (at, stride) in strides.into_iter().enumerate().filter(|(_, stride)| *stride != 0) {
            self.number(&format!("STREAM_OUT_STRIDE[{at}]"), stride);
        }
    }
}

impl VertexShader {
    /// Takes a setting.
    ///
    /// # Errors
    /// When vertex shaders have nothing of that name, or it cannot hold the value.
    pub fn apply(&mut self, setting: &Setting) -> Result<(), SettingError> {
        let ring = Ring {
            item_size: &mut self.ring_item_size,
            has_stream_out: &mut self.has_stream_out,
            strides: &mut self.stream_out_stride,
        };
        let mut parts = Parts {
            registers: &mut self.registers,
            mode: &mut self.mode,
            tables: &mut self.tables,
            attribs: Some(&mut self.attrib_vars),
            ring: Some(ring),
        };
        parts.apply(setting)
    }

    /// The settings that make it of `base`, whose tables are empty, as `$NAME = value`.
    #[must_use]
    pub fn settings(&self, base: &Self) -> Vec<String> {
        let mut lister = Lister { lines: Vec::new() };
        lister.text("MODE", self.mode);
        lister.registers(&self.registers, &base.registers);
        lister.ring(self.ring_item_size, self.has_stream_out, self.stream_out_stride);
        lister.tables(&self.tables);
        lister.attribs(&self.attrib_vars);
        lister.lines
    }
}

impl PixelShader {
    /// Takes a setting.
    ///
    /// # Errors
    /// When pixel shaders have nothing of that name, or it cannot hold the value.
    pub fn apply(&mut self, setting: &Setting) -> Result<(), SettingError> {
        let mut parts = Parts {
            registers: &mut self.registers,
            mode: &mut self.mode,
            tables: &mut self.tables,
            attribs: None,
            ring: None,
        };
        parts.apply(setting)
    }

    /// The settings that make it of `base`, whose tables are empty, as `$NAME = value`.
    #[must_use]
    pub fn settings(&self, base: &Self) -> Vec<String> {
        let mut lister = Lister { lines: Vec::new() };
        lister.text("MODE", self.mode);
        lister.registers(&self.registers, &base.registers);
        lister.tables(&self.tables);
        lister.lines
    }
}

impl GeometryShader {
    /// Takes a setting.
    ///
    /// # Errors
    /// When geometry shaders have nothing of that name, or it cannot hold the value.
    pub fn apply(&mut self, setting: &Setting) -> Result<(), SettingError> {
        let ring = Ring {
            item_size: &mut self.ring_item_size,
            has_stream_out: &mut self.has_stream_out,
            strides: &mut self.stream_out_stride,
        };
        let mut parts = Parts {
            registers: &mut self.registers,
            mode: &mut self.mode,
            tables: &mut self.tables,
            attribs: None,
            ring: Some(ring),
        };
        parts.apply(setting)
    }

    /// The settings that make it of `base`, whose tables are empty, as `$NAME = value`.
    #[must_use]
    pub fn settings(&self, base: &Self) -> Vec<String> {
        let mut lister = Lister { lines: Vec::new() };
        lister.text("MODE", self.mode);
        lister.registers(&self.registers, &base.registers);
        lister.ring(self.ring_item_size, self.has_stream_out, self.stream_out_stride);
        lister.tables(&self.tables);
        lister.lines
    }
}
