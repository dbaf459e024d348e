//! The documents on TEX and TLDS, statement by statement.
//!
//! | column | meaning |
//! |---|---|
//! | `says` | the statement in few words |
//! | `asm` | an instruction; every row that has one is read, encoded, decoded and listed as it was |
//! | `sm` | the generation, 53 unless told |
//! | `prints` | the listing, where it is not `asm` |
//! | `word` | the word in hexadecimal |
//! | `refused` | part of the reason why the text, or a word with the `form`, is refused |
//! | `breaks` | the rules that it breaks as errors; none unless told |
//! | `notes` | the rules that it breaks as warnings; none unless told |
//! | `reads`, `writes` | registers and what they hold |
//! | `given` | registers and predicates before; others hold 0 |
//! | `looks` | what the texture unit is asked, by the names in [`looked`] |
//! | `texel` | what it answers, 1 to 4 unless told; every texel is sparse |
//! | `gives` | all registers and predicates that changed |
//! | `rounds` | a register after halves were rounded to the nearest, and towards 0 |
//! | `compares` | whether depth is compared when the sampler does not say so, and when it does |
//! | `quad` | CTM, KTM, IPM, whether threads are pixels, and the status: active mask, divergence |
//! | `launch` | ORM, CTM and KTM of a quad as it starts |
//! | `form`, `mask` | codes in the word of a TLDS |
//! | `direct3d` | the instruction of Direct3D, `-` for none |
//! | `op` | an instruction of Direct3D that neither TEX nor TLDS is |
//! | `overrides` | state that TLDS overrides: whose, which and what with |
//! | `departs` | why the statement is not followed; the rest of the row shows what holds instead |

use std::collections::BTreeMap;

use maxwell_tex::model::{
    Lookup, LookupAccess, Registers, Texel, TextureRef, TextureUnit, execute,
};
use maxwell_tex::words::tlds as fields;
use maxwell_tex::{
    Component, D3dOp, Equivalent, Instruction, Op, Pred, Quad, QuadMask, Reg, Rounding, Severity,
    Slot, Sm, Syntax, ThreadType, Written, asm, check_slot, decode, encode, reads, tlds_overrides,
    writes,
};
use serde::Deserialize;

use super::{List, bits, equal, read_list};

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Row {
    says: String,
    asm: Option<String>,
    sm: Option<String>,
    prints: Option<String>,
    word: Option<String>,
    refused: Option<String>,
    breaks: Vec<String>,
    notes: Vec<String>,
    reads: Option<String>,
    writes: Option<String>,
    given: String,
    looks: Option<String>,
    texel: Option<String>,
    gives: Option<String>,
    rounds: Option<(String, String, String)>,
    compares: Option<(bool, bool)>,
    quad: Vec<(u8, u8, u8, bool, u8, bool)>,
    launch: Vec<(u8, u8, u8)>,
    form: Option<u8>,
    mask: Option<u8>,
    direct3d: Option<String>,
    op: Option<String>,
    overrides: Option<(String, String, String)>,
    departs: Option<String>,
}

#[test]
fn every_statement_on_tex_holds_or_departs_with_its_reason() {
    holds("maxwell-tex.ron");
}

#[test]
fn every_statement_on_tlds_holds_or_departs_with_its_reason() {
    holds("maxwell-tlds.ron");
}

fn holds(name: &str) {
    let list: List<Row> = read_list(name);
    list.judge(|row| (row.says.as_str(), row.departs.is_some(), check(row)));
}

fn check(row: &Row) -> Result<(), String> {
    if let Some((state, field, value)) = &row.overrides {
        let found = tlds_overrides().iter().find(|one| {
            format!("{:?}", one.state) == *state && one.field == field && one.value == value
        });
        return found.map(|_| ()).ok_or("it is not overridden so".to_owned());
    }
    if let Some(name) = &row.op {
        let op = D3dOp::ALL.into_iter().find(|op| op.text() == name).ok_or("no such operation")?;
        return equal("equivalent", Equivalent::None, op.equivalent());
    }
    let Some(text) = &row.asm else { return check_codes(row) };
    let assembly = asm::parse(text);
    if let Some(reason) = &row.refused {
        let error = assembly.errors.first().ok_or("it is not refused")?.to_string();
        return match error.contains(reason.as_str()) {
            true => Ok(()),
            false => Err(error),
        };
    }
    if let Some(error) = assembly.errors.first() {
        return Err(error.to_string());
    }
    let [statement] = &assembly.statements[..] else { return Err("not one statement".to_owned()) };
    let broken = assembly.check(row.sm()?).into_iter().map(|(_, finding)| finding.rule);
    row.agrees_with_rules(broken.collect())?;
    row.agrees(&statement.slot)
}

/// A row on a code of a word that no text stands for.
fn check_codes(row: &Row) -> Result<(), String> {
    let base = asm::parse("TLDS.LZ R6, R0, R4, 0x5, 1D, RGBA;").slots();
    let word = base[0].op.to_word().map_err(|error| error.to_string())?;
    let put = |word: u64, field: maxwell_tex::Field, code: Option<u8>| match code {
        Some(code) => word & !field.place(field.max()) | field.place(code.into()),
        None => word,
    };
    let word = put(put(word, fields::FORM, row.form), fields::WMSK, row.mask);
    if let Some(reason) = &row.refused {
        let error = decode(word, row.sm()?).err().ok_or("it is decoded")?.to_string();
        return if error.contains(reason.as_str()) { Ok(()) } else { Err(error) };
    }
    let op = Op::from_word(word);
    if row.form.is_none() && row.mask.is_none() || op.to_word() != Ok(word) {
        return Err(format!("{word:#x} shows nothing"));
    }
    let broken = check_slot(0, &Slot::plain(op), row.sm()?);
    row.agrees_with_rules(broken.iter().map(|finding| finding.rule).collect())
}

impl Row {
    fn sm(&self) -> Result<Sm, String> {
        let name = self.sm.as_deref().unwrap_or("53");
        let is_it = |sm: &Sm| sm.text().replace('.', "").ends_with(name);
        Sm::ALL.into_iter().find(is_it).ok_or(format!("there is no SM {name}"))
    }

    fn agrees_with_rules(&self, broken: Vec<maxwell_tex::Rule>) -> Result<(), String> {
        for (want, severity) in [(&self.breaks, Severity::Error), (&self.notes, Severity::Warning)]
        {
            let of_kind = broken.iter().filter(|rule| rule.severity() == severity);
            let got: Vec<&str> = of_kind.map(|rule| rule.text()).collect();
            equal("broken rules", want.iter().map(String::as_str).collect(), got)?;
        }
        Ok(())
    }

    fn agrees(&self, slot: &Slot) -> Result<(), String> {
        let Op::Texture(instruction) = &slot.op else {
            return Err("no texture instruction".into());
        };
        let listed = slot.listing(Syntax::Document).to_string();
        let prints = self.prints.as_ref().or(self.asm.as_ref());
        equal("listing", prints.map(String::as_str), Some(listed.as_str()))?;
        self.agrees_with_words(slot, instruction)?;
        if let Some(want) = &self.reads {
            let got = reads(instruction).into_iter();
            let got: Vec<_> =
                got.map(|read| format!("{} {}", read.reg, read.value.text())).collect();
            equal("reads", want.clone(), got.join(", "))?;
        }
        if let Some(want) = &self.writes {
            let got: Vec<_> = writes(instruction)
                .into_iter()
                .map(|write| format!("{} {}", write.reg, held(write.result)))
                .collect();
            equal("writes", want.clone(), got.join(", "))?;
        }
        if let Some(want) = &self.direct3d {
            let got = D3dOp::of(instruction).map_or("-", D3dOp::text);
            equal("Direct3D", want.as_str(), got)?;
        }
        if let Some(want) = self.compares {
            let Instruction::Tex(tex) = instruction else { return Err("no TEX".to_owned()) };
            equal("comparison", want, (tex.compares(false), tex.compares(true)))?;
        }
        self.agrees_with_quads(instruction)?;
        self.agrees_with_run(instruction)
    }

    /// The word is what the row says, and reads as what was written; a generation without the instruction has none.
    fn agrees_with_words(&self, slot: &Slot, instruction: &Instruction) -> Result<(), String> {
        let sm = self.sm()?;
        let word = encode(instruction, sm);
        let lacks = self.breaks.iter().any(|rule| rule == "spa52");
        equal("absence", lacks, word.is_err())?;
        let word = slot.op.to_word().map_err(|error| error.to_string())?;
        equal("words", &slot.op, &Op::from_word(word))?;
        let group = slot.control.to_group();
        equal("scheduling", slot.control, maxwell_tex::Control::from_group(group))?;
        if let Some(want) = &self.word {
            equal("word", want.clone(), format!("{word:016x}"))?;
        }
        for (want, field) in [(self.form, fields::FORM), (self.mask, fields::WMSK)] {
            let got = want.map(|_| field.get(word) as u8);
            equal(field.name, want, got)?;
        }
        Ok(())
    }

    fn agrees_with_quads(&self, instruction: &Instruction) -> Result<(), String> {
        for &(ctm, ktm, ipm, pixels, active, divergent) in &self.quad {
            let threads = if pixels { ThreadType::Pixel } else { ThreadType::Other };
            let [current, killed, passing] = [ctm, ktm, ipm].map(QuadMask::new);
            let status = Quad { threads, current, killed }.status(instruction, passing);
            equal("status", (active, divergent), (status.active.bits(), status.divergent))?;
        }
        for &(orm, ctm, ktm) in &self.launch {
            let quad = Quad::launch(QuadMask::new(orm));
            equal("launch", (ctm, ktm), (quad.current.bits(), quad.killed.bits()))?;
            equal("whether the quad is off", orm == 0, quad.is_off())?;
        }
        Ok(())
    }

    fn agrees_with_run(&self, instruction: &Instruction) -> Result<(), String> {
        let run = |rounding| {
            let mut thread = Thread::new(&self.given);
            let mut unit =
                Unit { texel: self.texel.as_deref().unwrap_or("1.0 2.0 3.0 4.0"), rounding };
            let lookup = execute(instruction, &mut thread, &mut unit);
            (lookup, thread.changed())
        };
        let (lookup, changed) = run(Rounding::Nearest);
        if let Some(want) = &self.looks {
            let all = lookup.map(|lookup| looked(&lookup)).unwrap_or_default();
            for (name, value) in want.split(' ').filter_map(|part| part.split_once('=')) {
                equal(name, Some(value), all.get(name).map(String::as_str))?;
            }
        }
        if let Some(want) = &self.gives {
            equal("registers", named(want), changed.clone())?;
        }
        if let Some((register, nearest, toward_zero)) = &self.rounds {
            let (_, other) = run(Rounding::TowardZero);
            let want = [nearest, toward_zero].map(|word| bits(word)[0]);
            let got = [&changed, &other].map(|all| all.get(register).copied().unwrap_or(0));
            equal("rounding", want, got)?;
        }
        Ok(())
    }
}

fn held(result: Written) -> String {
    let name = |component: Component| component.to_string();
    match result {
        Written::Word(component) => name(component),
        Written::Halves(low, Some(high)) => format!("{low} and {high}"),
        Written::Halves(low, None) => format!("{low} and 0"),
    }
}

/// What a texture unit is asked, in words.
fn looked(lookup: &Lookup) -> BTreeMap<&'static str, String> {
    let mut all = BTreeMap::from([("shape", lookup.shape.text().to_owned())]);
    let mut put = |name, value| drop(all.insert(name, value));
    match lookup.texture {
        TextureRef::Indexed(index) => put("index", index.word().to_string()),
        TextureRef::Bindless(handle) => {
            put("header", handle.header().to_string());
            put("sampler", handle.sampler().to_string());
        }
    }
    if let Some(array) = lookup.array {
        put("array", array.to_string());
    }
    if let Some(offsets) = lookup.offsets {
        put("offsets", offsets.uvw().map(|offset| offset.to_string()).join(","));
    }
    match lookup.access {
        LookupAccess::Sample { coords, lod, level, clamp, reference } => {
            for (name, coordinate) in ["s", "t", "r"].into_iter().zip(coords) {
                put(name, float(coordinate));
            }
            put("lod", lod.text().to_owned());
            put("level", float(level));
            clamp.into_iter().for_each(|clamp| put("clamp", float(clamp.to_f32())));
            reference.into_iter().for_each(|value| put("reference", float(value)));
        }
        LookupAccess::Load { coords, level, sample } => {
            for (name, coordinate) in ["s", "t", "r"].into_iter().zip(coords) {
                put(name, coordinate.to_string());
            }
            put("level", level.to_string());
            sample.into_iter().for_each(|sample| put("sample", sample.to_string()));
        }
    }
    all
}

fn float(value: f32) -> String {
    if value.is_nan() { "nan".to_owned() } else { format!("{value:?}") }
}

/// Registers and predicates by name, from `R4=1.5 P0=1`.
fn named(text: &str) -> BTreeMap<String, u32> {
    let pairs = text.split(' ').filter_map(|part| part.split_once('='));
    pairs.map(|(name, word)| (name.to_owned(), bits(word)[0])).collect()
}

/// A thread whose registers hold 0 unless told.
struct Thread {
    before: BTreeMap<String, u32>,
    now: BTreeMap<String, u32>,
}

impl Thread {
    fn new(given: &str) -> Self {
        let before = named(given);
        Self { now: before.clone(), before }
    }

    fn changed(self) -> BTreeMap<String, u32> {
        let differs = |(name, now): &(String, u32)| self.before.get(name) != Some(now);
        self.now.into_iter().filter(differs).collect()
    }
}

impl Registers for Thread {
    fn read(&self, reg: Reg) -> u32 {
        self.now.get(&reg.to_string()).copied().unwrap_or(0)
    }

    fn write(&mut self, reg: Reg, bits: u32) {
        self.now.insert(reg.to_string(), bits);
    }

    fn read_pred(&self, pred: Pred) -> bool {
        self.now.get(&pred.to_string()).is_some_and(|bits| *bits != 0)
    }

    fn write_pred(&mut self, pred: Pred, value: bool) {
        self.now.insert(pred.to_string(), value.into());
    }
}

/// A texture unit that answers the same everywhere.
struct Unit<'a> {
    texel: &'a str,
    rounding: Rounding,
}

impl TextureUnit for Unit<'_> {
    fn look_up(&mut self, _: &Lookup) -> Texel {
        let mut words = self.texel.split(' ').map(|word| bits(word)[0]);
        Texel { components: [(); 4].map(|()| words.next().unwrap_or(0)), sparse: true }
    }

    fn rounding(&self) -> Rounding {
        self.rounding
    }
}
