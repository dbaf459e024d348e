//! The document on R600's instructions, statement by statement.
//!
//! | column | meaning |
//! |---|---|
//! | `says` | the statement in few words |
//! | `of` | the program that the row is about: `vertex` or `pixel`, made of the rows with a `dword` |
//! | `dword`, `printed`, `word` | a word of a program as the document's macros make it, and in hexadecimal |
//! | `field` | a word of the program, a field in it, and its value |
//! | `absent` | a field that this generation lacks |
//! | `listing` | part of the listing |
//! | `outputs` | an export and its lanes, as floats, when the program runs on [`inputs`] |
//! | `ran` | a counter of that run |
//! | `shader`, `layout` | a shader of TGSI that compiles to what exports the same, and its attributes |
//! | `asm` | another program, for the columns below |
//! | `dwords` | how long it is |
//! | `refused` | part of the reason why it does not assemble |
//! | `breaks` | the rule of the verifier that it breaks |
//! | `ops` | control-flow instructions that exist |
//! | `departs` | why the statement is not followed; the rest of the row shows what holds instead |

use std::collections::BTreeMap;

use r600_isa::{CfOp, FetchOp, Generation, Program, asm};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::common::{Ran, tgsi_with};
use super::{List, agree, equal, read_list, read_ron};

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Row {
    says: String,
    of: Option<String>,
    dword: Option<usize>,
    printed: Option<String>,
    word: Option<String>,
    field: Option<(usize, String, u32)>,
    absent: Option<String>,
    listing: Option<String>,
    outputs: Option<(String, Vec<String>)>,
    ran: Option<(String, u32)>,
    shader: Option<String>,
    layout: Vec<String>,
    asm: Option<String>,
    dwords: Option<usize>,
    refused: Option<String>,
    breaks: Option<String>,
    ops: Vec<String>,
    departs: Option<String>,
}

/// The table of fields, read without the crate's own code.
#[derive(Deserialize)]
struct Spec {
    formats: Vec<Format>,
}

#[derive(Deserialize)]
struct Format {
    name: String,
    fields: Vec<Field>,
}

#[derive(PartialEq, Eq, Deserialize)]
enum Name {
    R600,
    R700,
    Evergreen,
    Cayman,
}

#[derive(Deserialize)]
struct Field {
    name: String,
    generations: Vec<Name>,
    lo: u32,
    hi: u32,
    #[serde(rename = "doc")]
    _doc: String,
}

impl Spec {
    /// The field of this name, `FORMAT.FIELD`, on R600.
    fn field(&self, name: &str) -> Option<&Field> {
        let (format, field) = name.split_once('.')?;
        let format = self.formats.iter().find(|one| one.name == format)?;
        let is_it = |one: &&Field| one.name == field && one.generations.contains(&Name::R600);
        format.fields.iter().find(is_it)
    }
}

#[test]
fn every_statement_holds_or_departs_with_its_reason() {
    let list: List<Row> = read_list("r600.ron");
    let spec: Spec = read_ron("r600-isa/spec/fields.ron");
    let mut programs: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for row in list.rows().filter(|row| row.dword.is_some()) {
        let words = programs.entry(row.program_name()).or_default();
        assert_eq!(row.dword, Some(words.len()), "{}", row.says);
        words.push(row.hexadecimal().expect("a word in hexadecimal"));
    }
    let words = |row: &Row| programs.get(row.program_name()).map_or(&[][..], Vec::as_slice);
    list.judge(|row| (row.says.as_str(), row.departs.is_some(), row.check(&spec, words(row))));
}

impl Row {
    fn program_name(&self) -> &str {
        self.of.as_deref().unwrap_or_default()
    }

    fn hexadecimal(&self) -> Option<u32> {
        u32::from_str_radix(self.word.as_deref()?, 16).ok()
    }

    fn check(&self, spec: &Spec, words: &[u32]) -> Result<(), String> {
        if let Some(printed) = &self.printed {
            equal("word", self.hexadecimal(), Some(expand(spec, printed)?))?;
        }
        if let Some(name) = &self.absent {
            equal("presence", false, spec.field(name).is_some())?;
        }
        for name in &self.ops {
            equal("operation", true, operation(name).is_some())?;
        }
        if let Some((at, name, want)) = &self.field {
            let field = spec.field(name).ok_or(format!("there is no {name}"))?;
            let word = words.get(*at).ok_or("the program is shorter")?;
            equal(name, *want, word >> field.lo & u32::MAX >> (31 - (field.hi - field.lo)))?;
        }
        if let Some(want) = &self.listing {
            let listing = Program::decode(words, Generation::R600).to_string();
            if !listing.contains(want.as_str()) {
                return Err(listing);
            }
        }
        self.check_runs(words)?;
        self.asm.as_ref().map_or(Ok(()), |text| self.check_assembly(text))
    }

    fn check_runs(&self, words: &[u32]) -> Result<(), String> {
        if let Some((name, lanes)) = &self.outputs {
            let answer = self.simulate(words)?;
            for (lane, want) in lanes.iter().enumerate() {
                let got = vector(&answer["outputs"][name][lane]);
                agree(want, &got).map_err(|fault| format!("lane {lane}: {fault}"))?;
            }
        }
        if let Some((counter, want)) = &self.ran {
            equal(counter, &json!(want), &self.simulate(words)?["counters"][counter])?;
        }
        if let Some(shader) = &self.shader {
            let mut args = vec!["compile", "-", "--chip", "rv610", "--emit", "words"];
            args.extend(self.layout.iter().flat_map(|one| ["--attribute", one]));
            let hex = printed(tgsi_with(&args, shader.as_bytes()))?;
            let compiled: Result<Vec<u32>, _> =
                hex.split_whitespace().map(|word| u32::from_str_radix(word, 16)).collect();
            let compiled = compiled.map_err(|error| error.to_string())?;
            let (want, got) = (self.simulate(words)?, self.simulate(&compiled)?);
            equal("outputs", &want["outputs"], &got["outputs"])?;
        }
        Ok(())
    }

    fn check_assembly(&self, text: &str) -> Result<(), String> {
        let assembled = asm::assemble(text, Generation::R600);
        if let Some(reason) = &self.refused {
            let found = assembled.err().ok_or("it is not refused")?;
            let is_reported = found.iter().any(|one| one.message.contains(reason.as_str()));
            return if is_reported { Ok(()) } else { Err(format!("{found:?}")) };
        }
        let words = assembled.map_err(|found| format!("{found:?}"))?;
        if let Some(rule) = &self.breaks {
            let found = Program::decode(&words, Generation::R600).verify();
            let codes: Vec<&str> = found.iter().map(|one| one.rule.code()).collect();
            equal("rule", true, codes.contains(&rule.as_str()))?;
        }
        equal("dwords", self.dwords, self.dwords.map(|_| words.len()))
    }

    /// What the program exports on [`inputs`].
    fn simulate(&self, words: &[u32]) -> Result<Value, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("inputs.json");
        std::fs::write(&path, inputs().to_string()).map_err(|error| error.to_string())?;
        let path = path.to_string_lossy();
        let args = ["sim", "-", "--hex", "--generation", "r600", "--stage", self.program_name()];
        let hex: String = words.iter().map(|word| format!("{word:08x}\n")).collect();
        let ran = tgsi_with(&[&args[..], &["--inputs", &path]].concat(), hex.as_bytes());
        serde_json::from_str(&printed(ran)?).map_err(|error| error.to_string())
    }
}

fn printed(ran: Ran) -> Result<String, String> {
    if ran.code == 0 { Ok(ran.out) } else { Err(ran.err) }
}

/// Two vertices of 16 bytes, as fetch resource 0 and as the first attribute buffer of compiled programs; R0.x has
/// their numbers, in two quarters of the quad each.
fn inputs() -> Value {
    let vertices = json!([7.0, 8.0, 0.25, 0.5, 9.0, 10.0, 0.75, 1.0]);
    let numbers = json!([["0x0", 0, 0, 0], ["0x1", 0, 0, 0], ["0x0", 0, 0, 0], ["0x1", 0, 0, 0]]);
    json!({
        "gprs": {"0": numbers},
        "buffers": {"0": vertices, "160": vertices},
        "strides": {"0": 16, "160": 16},
    })
}

/// Four words of an answer; 0 for those that were not exported.
fn vector(lane: &Value) -> Vec<u32> {
    let word = |at: usize| lane[at].as_str()?.strip_prefix("0x").map(str::to_owned);
    let word = |at| u32::from_str_radix(&word(at)?, 16).ok();
    (0..4).map(|at| word(at).unwrap_or(0)).collect()
}

/// Macros of the document, and the formats of their words.
const MACROS: [(&str, &str); 10] = [
    ("CF_DWORD0", "CF_WORD0"),
    ("CF_DWORD1", "CF_WORD1"),
    ("CF_ALLOC_IMP_EXP_DWORD0", "CF_ALLOC_EXPORT_WORD0"),
    ("CF_ALLOC_IMP_EXP_DWORD1_SWIZ", "CF_ALLOC_EXPORT_WORD1_SWIZ"),
    ("VTX_DWORD0", "VTX_WORD0"),
    ("VTX_DWORD1_GPR", "VTX_WORD1_GPR"),
    ("VTX_DWORD2", "VTX_WORD2"),
    ("TEX_DWORD0", "TEX_WORD0"),
    ("TEX_DWORD1", "TEX_WORD1"),
    ("TEX_DWORD2", "TEX_WORD2"),
];

/// Arguments that are stored less one, where they are not 0.
const LESS_ONE: [&str; 4] = ["I_COUNT", "BURST_COUNT", "ELEM_SIZE", "MEGA_FETCH_COUNT"];

/// The word that a macro call stands for. The printed text has its letters' case and some blanks wrong.
fn expand(spec: &Spec, printed: &str) -> Result<u32, String> {
    let text: String = printed.split_whitespace().collect::<String>().to_ascii_uppercase();
    if let Some(digits) = text.strip_prefix("0X") {
        return u32::from_str_radix(digits, 16).map_err(|error| error.to_string());
    }
    if text.ends_with("_PAD") {
        return Ok(0);
    }
    let (name, rest) = text.split_once('(').ok_or("no arguments")?;
    let (_, format) = MACROS.iter().find(|(own, _)| *own == name).ok_or(format!("no {name}"))?;
    let arguments = rest.strip_suffix("))").ok_or("the call is open")?;
    let mut word = 0;
    for argument in arguments.split("),") {
        let (name, value) = argument.split_once('(').ok_or(format!("`{argument}`"))?;
        let value = constant(value).ok_or(format!("no constant {value}"))?;
        let value = if LESS_ONE.contains(&name) { value.saturating_sub(1) } else { value };
        let name = format!("{format}.{}", field_name(format, name));
        match spec.field(&name) {
            Some(field) => word |= value << field.lo,
            None if value == 0 => {}
            None => return Err(format!("there is no {name}")),
        }
    }
    Ok(word)
}

fn field_name<'a>(format: &str, macro_name: &'a str) -> &'a str {
    match macro_name {
        "I_COUNT" => "COUNT",
        "R6XX_ELEM_LOOP" => "ELEM_LOOP",
        "R7XX_ALT_CONST" => "ALT_CONST",
        _ if format == "CF_ALLOC_EXPORT_WORD1_SWIZ" => {
            macro_name.strip_prefix("SRC_").unwrap_or(macro_name)
        }
        _ => macro_name,
    }
}

fn constant(name: &str) -> Option<u32> {
    if let Some(name) = name.strip_prefix("SQ_CF_INST_") {
        return operation(name)?.opcode(Generation::R600).map(u32::from);
    }
    if let Some(name) = name.strip_prefix("SQ_SEL_") {
        return ["X", "Y", "Z", "W", "0", "1"]
            .iter()
            .position(|own| *own == name)
            .map(|at| at as u32);
    }
    Some(match name {
        "ABSOLUTE" | "CF_PIXEL_MRT0" | "SQ_CF_COND_ACTIVE" | "SQ_ENDIAN_NONE" => 0,
        "SQ_EXPORT_PIXEL" | "SQ_VTX_FETCH_VERTEX_DATA" | "TEX_UNNORMALIZED" => 0,
        "SRF_MODE_ZERO_CLAMP_MINUS_ONE" => 0,
        "SQ_EXPORT_POS" | "SQ_FORMAT_COMP_SIGNED" => 1,
        "SQ_EXPORT_PARAM" | "SQ_NUM_FORMAT_SCALED" | "SQ_ENDIAN_8IN32" => 2,
        "CF_POS0" => 60,
        "FMT_32_32_FLOAT" => 30,
        "SQ_VTX_INST_FETCH" => FetchOp::Vfetch.opcode(Generation::R600)?.into(),
        "SQ_TEX_INST_SAMPLE" => FetchOp::Sample.opcode(Generation::R600)?.into(),
        number => number.parse().ok()?,
    })
}

fn operation(name: &str) -> Option<CfOp> {
    CfOp::ALL.iter().copied().find(|op| op.name() == name)
}
