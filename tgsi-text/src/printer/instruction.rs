//! Instructions.

use tgsi_ir::{
    Format, Instruction, LabelUse, Memory, MemoryQualifier, OpcodeInfo, Predicate, ReturnType,
    Saturate, Texture, TextureTarget,
};

use super::Printer;
use crate::parser::{NO_MEMORY, has_memory_word};

impl Printer {
    pub(super) fn instruction(&mut self, n: usize, inst: &Instruction) {
        let info = inst.opcode.info();
        self.indent -= i32::from(info.pre_dedent);
        self.number(n);
        self.out.push_str(": ");
        for _ in 0..self.indent.max(0) {
            self.out.push_str("  ");
        }
        self.indent += i32::from(info.post_indent);
        if let Some(predicate) = &inst.predicate {
            self.predicate(predicate);
        }
        self.out.push_str(info.name);
        self.suffixes(inst);
        self.counts(inst);
        self.operands(inst);
        let is_shown = |_: &u32| info.label != LabelUse::None || self.is_lossless();
        if let Some(label) = inst.label.filter(is_shown) {
            self.put(format_args!(" :{label}"));
        }
    }

    /// `(!PRED[0].xxxx) `, as Mesa printed it while predicates existed.
    fn predicate(&mut self, predicate: &Predicate) {
        self.out.push_str(if predicate.negate { "(!PRED[" } else { "(PRED[" });
        self.put(format_args!("{}]", predicate.index));
        self.swizzle(predicate.swizzle);
        self.out.push_str(") ");
    }

    fn suffixes(&mut self, inst: &Instruction) {
        self.out.push_str(match inst.saturate {
            Saturate::None => "",
            Saturate::ZeroOne => "_SAT",
            Saturate::MinusPlusOne => "_SATNV",
            Saturate::Reserved if self.is_lossless() => "_SAT3",
            Saturate::Reserved => "",
        });
        if inst.precise {
            self.out.push_str("_PRECISE");
        }
    }

    /// The numbers of destinations and sources, if they differ from the opcode's.
    fn counts(&mut self, inst: &Instruction) {
        let (num_dst, num_src) = (inst.dst.len(), inst.src.len());
        let (least, most) = inst.opcode.src_counts_in(self.options.dialect);
        // With fewer sources than usual, a texel offset would be parsed as a source.
        let has_offsets = inst.texture.as_ref().is_some_and(|texture| !texture.offsets.is_empty());
        let is_known = num_dst == usize::from(inst.opcode.info().num_dst)
            && (num_src == usize::from(most) || num_src == usize::from(least) && !has_offsets);
        if self.is_lossless() && !is_known {
            self.put(format_args!("({num_dst},{num_src})"));
        }
    }

    fn operands(&mut self, inst: &Instruction) {
        let info = inst.opcode.info();
        let mut separator = " ";
        for dst in &inst.dst {
            self.out.push_str(std::mem::replace(&mut separator, ", "));
            self.destination(dst);
        }
        for src in &inst.src {
            self.out.push_str(std::mem::replace(&mut separator, ", "));
            self.source(src);
        }
        match &inst.texture {
            None if info.has_texture_word() && self.is_lossless() => {
                self.out.push_str(" NO_TEXTURE");
            }
            None => {}
            Some(texture) if self.is_lossless() && !is_plain_texture(info, texture) => {
                self.whole_texture(texture);
            }
            Some(texture) => self.texture(info, texture),
        }
        let has_memory_word = has_memory_word(info, self.options.dialect);
        match &inst.memory {
            None if has_memory_word && self.is_lossless() => self.out.push_str(" NO_MEMORY"),
            None => {}
            Some(memory)
                if self.is_lossless() && !(has_memory_word && is_plain_memory(info, memory)) =>
            {
                self.whole_memory(memory);
            }
            Some(memory) => self.memory(memory, ", "),
        }
    }

    fn texture(&mut self, info: &OpcodeInfo, texture: &Texture) {
        if !info.has_view_word {
            self.out.push_str(", ");
            self.target(texture.target);
        }
        self.offsets(texture);
    }

    /// Texture and type, if the opcode does not determine them.
    fn whole_texture(&mut self, texture: &Texture) {
        self.out.push_str(" TEXTURE(");
        self.target(texture.target);
        self.out.push_str(", ");
        self.return_type(texture.return_type);
        self.offsets(texture);
        self.out.push(')');
    }

    fn offsets(&mut self, texture: &Texture) {
        for offset in &texture.offsets {
            self.out.push_str(", ");
            self.file(offset.file);
            self.put(format_args!("[{}].", offset.index));
            for component in &offset.swizzle.components()[..3] {
                self.out.push(component.letter());
            }
        }
    }

    /// A memory word, if the opcode has none.
    fn whole_memory(&mut self, memory: &Memory) {
        self.out.push_str(" MEMORY(");
        self.memory(memory, "");
        self.out.push(')');
    }

    /// The contents of a memory word. A separator precedes each item, except perhaps the first.
    fn memory(&mut self, memory: &Memory, first: &str) {
        let mut separator = first;
        for bit in (0..4).map(|n| 1 << n).filter(|bit| memory.qualifiers.bits() & bit != 0) {
            if let Some(name) = MemoryQualifier::from_number(bit).and_then(|q| q.name()) {
                self.out.push_str(std::mem::replace(&mut separator, ", "));
                self.out.push_str(name);
            }
        }
        if memory.target != TextureTarget::Buffer {
            self.out.push_str(std::mem::replace(&mut separator, ", "));
            self.target(memory.target);
        }
        if memory.format.number() != 0 {
            self.out.push_str(separator);
            self.format(memory.format);
        }
    }

    pub(super) fn format(&mut self, format: Format) {
        match format.name() {
            Some(name) => self.out.push_str(name),
            None if self.is_lossless() => self.put(format_args!("FORMAT({})", format.number())),
            None => self.put(format_args!("{}", format.number())),
        }
    }

    /// An instruction's number, padded to width 3.
    fn number(&mut self, n: usize) {
        self.put(format_args!("{n:3}"));
    }
}

/// Whether the parser infers this texture word from the opcode.
fn is_plain_texture(info: &OpcodeInfo, texture: &Texture) -> bool {
    info.has_texture_word()
        && texture.return_type == ReturnType::Unknown
        && (info.is_tex || texture.target == TextureTarget::Unknown)
}

/// Whether the parser infers this memory word from an opcode that has one. After a texture word, commas belong to texel
/// offsets.
fn is_plain_memory(info: &OpcodeInfo, memory: &Memory) -> bool {
    !info.has_texture_word() || *memory == NO_MEMORY
}
