//! Prints structures as settings.

use crate::generated::enums::ShaderMode;
use crate::registers::{Field, Register, RegisterFile};
use crate::shader::{GeometryShader, PixelShader, Ring, VertexShader};
use crate::tables::{AttribVar, Tables};
use crate::text::Text;

/// Collects the settings that turn one structure into another.
struct Lister {
    lines: Vec<String>,
}

impl Lister {
    /// Starts with the mode, and with the registers that differ from those of a base.
    fn new(mode: ShaderMode, (own, base): (&dyn RegisterFile, &dyn RegisterFile)) -> Self {
        let mut lister = Self { lines: Vec::new() };
        lister.text("MODE", mode);
        lister.registers(own, base);
        lister
    }

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

    /// The fields that differ, or the whole word if bits outside of fields differ.
    fn register(&mut self, register: &Register, index: usize, (word, old): (u32, u32)) {
        let name = match register.count {
            1 => register.name.to_owned(),
            _ => format!("{}[{index}]", register.name),
        };
        let differs = |field: &&Field| field.get(word) != field.get(old);
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

    fn ring(&mut self, ring: &Ring) {
        let words = [("RING_ITEM_SIZE", ring.item_size), ("HAS_STREAM_OUT", ring.has_stream_out)];
        for (name, word) in words.into_iter().filter(|(_, word)| *word != 0) {
            self.number(name, word);
        }
        for (at, stride) in
            ring.stream_out_stride.into_iter().enumerate().filter(|(_, stride)| *stride != 0)
        {
            self.number(&format!("STREAM_OUT_STRIDE[{at}]"), stride);
        }
    }
}

impl VertexShader {
    /// The settings that turn `base` into it, as `$NAME = value`; the tables of `base` are empty.
    #[must_use]
    pub fn settings(&self, base: &Self) -> Vec<String> {
        let mut lister = Lister::new(self.mode, (&self.registers, &base.registers));
        lister.ring(&self.ring);
        lister.tables(&self.tables);
        lister.attribs(&self.attrib_vars);
        lister.lines
    }
}

impl PixelShader {
    /// The settings that turn `base` into it, as `$NAME = value`; the tables of `base` are empty.
    #[must_use]
    pub fn settings(&self, base: &Self) -> Vec<String> {
        let mut lister = Lister::new(self.mode, (&self.registers, &base.registers));
        lister.tables(&self.tables);
        lister.lines
    }
}

impl GeometryShader {
    /// The settings that turn `base` into it, as `$NAME = value`; the tables of `base` are empty.
    #[must_use]
    pub fn settings(&self, base: &Self) -> Vec<String> {
        let mut lister = Lister::new(self.mode, (&self.registers, &base.registers));
        lister.ring(&self.ring);
        lister.tables(&self.tables);
        lister.lines
    }
}
