//! The format of dumps of Mesa's optimiser: addresses and words first, flags in columns before the slot.

use crate::codec::{Form, TextValue};
use crate::listing::{Text, inline_name, omod_name};
use crate::{
    AluGroup, AluInst, AluPart, AluSel, AluSrc, Cf, CfAlu, CfCondition, CfExport, CfFlow, CfMemory,
    Clause, ComponentSel, CoordType, FetchInst, IndexMode, MemoryAccess, MemoryType, PredSel,
    Program, Slot,
};

use super::{Addresses, fill_to};

/// A clause that several instructions run is printed after the first of them.
pub(super) fn list(program: &Program) -> String {
    let words = program.encode().unwrap_or_default();
    let addresses = Addresses::of(program);
    let mut lister = Lister { program, words, addresses, text: Text::default(), group: 0 };
    let mut shown = vec![false; program.clauses.len()];
    let mut unit = 0;
    for cf in &program.cf {
        lister.control_flow(cf, unit);
        unit += cf.num_units();
        let Some(id) = cf.clause() else { continue };
        if let (Some(body), Some(address)) =
            (program.clauses.get(id.0 as usize), lister.addresses.clause(id))
            && !std::mem::replace(&mut shown[id.0 as usize], true)
        {
            lister.clause(body, 2 * address);
        }
    }
    lister.text.into_string()
}

struct Lister<'p> {
    program: &'p Program,
    words: Vec<u32>,
    addresses: Addresses,
    text: Text,
    group: u32,
}

impl Lister<'_> {
    /// Writes an address and the words there.
    fn dump(&mut self, word: u32, count: u32) {
        self.text.padded_zero(word, 4);
        self.text.str("  ");
        for at in word..word + count {
            self.text.hex(self.words.get(at as usize).copied().unwrap_or(0), 8);
            self.text.char(' ');
        }
    }

    fn control_flow(&mut self, cf: &Cf, unit: u32) {
        let mut word = 2 * unit;
        if cf.num_units() == 2 {
            self.dump(word, 2);
            self.text.char('\n');
            word += 2;
        }
        self.dump(word, 2);
        let start = self.text.len();
        let place = cf.clause().and_then(|id| self.addresses.clause(id)).unwrap_or(0);
        match cf {
            Cf::Alu(alu) => self.alu(alu, 2 * place),
            Cf::Fetch(fetch) => {
                let count = self.count(fetch.clause.0);
                self.text.str(fetch.op.name());
                self.text.char(' ');
                self.text.u32(count);
                self.text.str(" @");
                self.text.u32(2 * place);
            }
            Cf::Flow(flow) => self.flow(flow),
            Cf::Export(export) => self.export(export, start),
            Cf::Memory(memory) => self.memory(memory, start),
            Cf::Sync(_) => self.text.str("WAVE_SYNC"),
            Cf::Raw(_) => self.text.str("??"),
        }
        if !cf.has_barrier() {
            self.text.str("  NO_BARRIER");
        }
        if cf.ends_program() {
            self.text.str("  EOP");
        }
        self.text.char('\n');
    }

    fn count(&self, clause: u32) -> u32 {
        self.program.clauses.get(clause as usize).map_or(0, Clause::count)
    }

    fn alu(&mut self, alu: &CfAlu, address: u32) {
        let count = self.count(alu.clause.0);
        self.text.str(alu.op.name());
        self.text.char(' ');
        self.text.u32(count);
        self.text.str(" @");
        self.text.u32(address);
        for (set, window) in alu.kcache.iter().enumerate().filter(|(_, w)| w.mode as u8 != 0) {
            let first = 16 * u32::from(window.line);
            // Mesa counts lines by the number of the mode, even for a window moved by the loop index, which has two
            // lines.
            let last = first + 16 * u32::from(window.mode as u8) - 1;
            self.text.str(&format!(" KC{set}[CB{}:{first}-{last}", window.bank));
            self.text.str(["", " CF_INDEX_0", " CF_INDEX_1"][window.index as usize]);
            self.text.char(']');
        }
    }

    fn flow(&mut self, flow: &CfFlow) {
        let address = match flow.op.has_target() {
            true => self.addresses.target(flow.target),
            false => flow.target,
        };
        self.text.str(flow.op.name());
        self.text.str(" @");
        self.text.u32(address.wrapping_mul(2));
        if flow.modes.condition != CfCondition::Active {
            self.text.str(&format!(" CND:{}", flow.modes.condition as u8));
        }
        if flow.pop_count != 0 {
            self.text.str(&format!(" POP:{}", flow.pop_count));
        }
        if flow.count != 0 {
            self.text.str(&format!(" STREAM{}", flow.count));
        }
    }

    fn export(&mut self, export: &CfExport, start: usize) {
        self.text.str(export.op.name());
        fill_to(&mut self.text, start, 18);
        let kind = ["PIXEL", "POS  ", "PARAM", "?    "][export.kind as usize];
        let (base, gpr, more) = (export.array_base, export.gpr, export.burst.max(1) - 1);
        let base_text = match more {
            0 => base.to_string(),
            _ => format!("{base}-{}", base + u16::from(more)),
        };
        self.text.str(&format!(" {kind} {base_text:<5} R{gpr}"));
        if more != 0 {
            self.text.str(&format!("-{}", gpr + more));
        }
        self.text.char('.');
        for sel in export.sel {
            self.text.char(sel.letter());
        }
    }

    fn memory(&mut self, memory: &CfMemory, start: usize) {
        self.text.str(memory.op.name());
        fill_to(&mut self.text, start, 18);
        if let Form::Words(words) = MemoryType::FORM {
            self.text.str(&format!(" {} ", words[memory.kind as usize]));
        }
        let base = match memory.access {
            MemoryAccess::Base(base) => u32::from(base),
            MemoryAccess::Rat(rat) => u32::from(rat.id) | u32::from(rat.op) << 4,
        };
        self.text.str(&format!("{base:<5} R{}.", memory.gpr));
        for (bit, letter) in ['x', 'y', 'z', 'w'].into_iter().enumerate() {
            self.text.char(if memory.comp_mask >> bit & 1 != 0 { letter } else { '_' });
        }
        if memory.kind.is_indexed() {
            let is_rat = matches!(memory.access, MemoryAccess::Rat(_));
            self.text.str(&format!(", @R{}.x{}", memory.index_gpr, if is_rat { "yz" } else { "" }));
        }
        self.text.str(&format!("  ES:{}", memory.elem_size));
    }

    fn clause(&mut self, clause: &Clause, word: u32) {
        let mut word = word;
        match clause {
            Clause::Alu(groups) => {
                for group in groups {
                    self.groups_lines(group, word);
                    word += 2 * group.num_slots() as u32;
                }
            }
            Clause::Fetch(fetches) => {
                for fetch in fetches {
                    self.text.char(' ');
                    self.dump(word, 3);
                    self.fetch(fetch);
                    self.text.char('\n');
                    word += 4;
                }
            }
            Clause::Mixed(parts) => {
                for part in parts {
                    match part {
                        AluPart::Group(group) => self.groups_lines(group, word),
                        AluPart::Raw(words) => self.raw_lines(words.len(), word),
                    }
                    word += 2 * part.num_slots() as u32;
                }
            }
        }
    }

    fn raw_lines(&mut self, num_words: usize, word: u32) {
        for at in 0..num_words as u32 / 2 {
            self.text.char(' ');
            self.dump(word + 2 * at, 2);
            self.text.str("??\n");
        }
    }

    fn groups_lines(&mut self, group: &AluGroup, word: u32) {
        self.group += 1;
        let slots = group.slots(self.program.generation);
        let mut word = word;
        for (at, inst) in group.insts.iter().enumerate() {
            self.text.char(' ');
            self.dump(word, 2);
            if at == 0 {
                self.text.padded(self.group, 5);
                self.text.char(' ');
            } else {
                self.text.str("      ");
            }
            let slot = slots.as_ref().map_or(Slot::vector(inst.dst.chan), |slots| slots[at]);
            slot_line(&mut self.text, inst, slot, group);
            word += 2;
        }
        for _ in &group.literals {
            self.text.char(' ');
            self.dump(word, 1);
            self.text.char('\n');
            word += 1;
        }
    }

    fn fetch(&mut self, fetch: &FetchInst) {
        let start = self.text.len();
        self.text.str(fetch.op().map_or("??", |op| op.name()));
        fill_to(&mut self.text, start, 20);
        match fetch {
            FetchInst::Tex(tex) => {
                vector(&mut self.text, tex.dst_gpr, &tex.dst_sel);
                self.text.str(", ");
                vector(&mut self.text, tex.src_gpr, &tex.src_sel);
                self.text.str(&format!(",   RID:{}, SID:{} CT:", tex.resource_id, tex.sampler_id));
                for kind in tex.coord_type {
                    self.text.char(if kind == CoordType::Normalized { 'N' } else { 'U' });
                }
                for (offset, letter) in tex.offset.iter().zip(['x', 'y', 'z']) {
                    if *offset != 0 {
                        self.text.str(&format!(" O{letter}:{}", offset.cast_unsigned() & 31));
                    }
                }
            }
            FetchInst::Vtx(vtx) => {
                vector(&mut self.text, vtx.dst_gpr, &vtx.dst_sel);
                self.text.str(", ");
                vector(&mut self.text, vtx.src_gpr, &[vtx.src_sel]);
                if vtx.offset != 0 {
                    self.text.str(&format!(" + {}b ", vtx.offset));
                }
                let kinds = ["VERTEX", "INSTANCE", "", ""];
                let kind = kinds[usize::from(vtx.fetch_type & 3)];
                self.text.str(&format!(",   RID:{}  {kind}", vtx.buffer_id));
                if vtx.mega_fetch_count != 0 {
                    self.text.str(&format!(" MFC:{}", vtx.mega_fetch_count));
                }
                self.text.str(&format!(
                    " UCF:{} FMT(DTA:{} NUM:{} COMP:{} MODE:{})",
                    u8::from(vtx.use_const_fields),
                    vtx.data_format,
                    vtx.num_format,
                    u8::from(vtx.signed),
                    u8::from(vtx.no_zero)
                ));
            }
            FetchInst::Mem(_)
            | FetchInst::Gds(_)
            | FetchInst::LocalWrite(_)
            | FetchInst::LocalRead(_)
            | FetchInst::Raw(_) => {}
        }
    }
}

fn vector(text: &mut Text, gpr: u8, sels: &[ComponentSel]) {
    text.char('R');
    text.u32(u32::from(gpr));
    text.char('.');
    for sel in sels {
        text.char(sel.letter());
    }
}

fn slot_line(text: &mut Text, inst: &AluInst, slot: Slot, group: &AluGroup) {
    let start = text.len();
    text.char(if inst.update_exec_mask { 'M' } else { ' ' });
    text.char(if inst.update_pred { 'P' } else { ' ' });
    text.char(' ');
    text.char(match inst.pred_sel {
        PredSel::Off => ' ',
        PredSel::Zero => '0',
        PredSel::One => '1',
    });
    text.char(' ');
    text.char(slot.letter());
    text.str(": ");
    text.str(inst.op.name());
    text.str(omod_name(inst.dst.omod));
    text.str(if inst.dst.clamp { "_sat" } else { "" });
    fill_to(text, start, 26);
    text.char(' ');
    if inst.dst.write || inst.op.is_op3() {
        register(text, inst.dst.gpr, inst.dst.rel.then_some(inst.index_mode));
    } else {
        text.str("__");
    }
    text.char('.');
    text.char(inst.dst.chan.letter());
    for (at, src) in inst.src.iter().take(inst.op.num_src()).enumerate() {
        text.str(if at == 0 { ",  " } else { ", " });
        source(text, inst, src, group);
    }
    if inst.bank_swizzle != 0 {
        fill_to(text, start, 55);
        text.str("  ");
        let names = crate::listing::SWIZZLE_NAMES[usize::from(slot == Slot::T)];
        text.str(names.get(usize::from(inst.bank_swizzle)).copied().unwrap_or("??"));
    }
    text.char('\n');
}

fn register(text: &mut Text, gpr: u8, index: Option<IndexMode>) {
    let first = crate::alu::FIRST_TEMPORARY;
    let (letter, number) = if gpr >= first { ('T', gpr - first) } else { ('R', gpr) };
    text.char(letter);
    bracketed(text, u32::from(number), index, false);
}

fn bracketed(text: &mut Text, number: u32, index: Option<IndexMode>, always: bool) {
    let has_brackets = always || index.is_some();
    if has_brackets {
        text.char('[');
    }
    text.u32(number);
    match index {
        Some(IndexMode::Loop) => text.str("+AL"),
        Some(IndexMode::Global) | None => {}
        Some(_) => text.str("+AR"),
    }
    if has_brackets {
        text.char(']');
    }
}

fn source(text: &mut Text, inst: &AluInst, src: &AluSrc, group: &AluGroup) {
    text.str(if src.neg { "-" } else { "" });
    text.str(if src.abs { "|" } else { "" });
    let index = src.rel.then_some(inst.index_mode);
    let mut has_chan = true;
    match src.sel {
        AluSel::Gpr(gpr) => register(text, gpr, index),
        AluSel::Kcache { set, index: vec4 } => {
            text.str("KC");
            text.u32(u32::from(set));
            bracketed(text, u32::from(vec4), index, true);
        }
        AluSel::ConstFile(number) => {
            text.char('C');
            bracketed(text, u32::from(number), index, index.is_some());
        }
        AluSel::Param(number) => {
            text.str("Param");
            text.u32(u32::from(number));
        }
        AluSel::Pv => text.str("PV"),
        AluSel::Literal => {
            let bits = group.literals.get(src.chan as usize).copied().unwrap_or(0);
            text.str("[0x");
            text.hex(bits, 8);
            text.str(&format!(" {:.6}]", f32::from_bits(bits)));
        }
        AluSel::Ps | AluSel::Inline(_) | AluSel::Other(_) => {
            has_chan = false;
            match src.sel {
                AluSel::Inline(constant) => text.str(inline_name(constant)),
                AluSel::Other(number) => text.str(&format!("??IMM_{number}")),
                _ => text.str("PS"),
            }
        }
    }
    if has_chan {
        text.char('.');
        text.char(src.chan.letter());
    }
    text.str(if src.abs { "|" } else { "" });
}
