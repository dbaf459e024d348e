//! The documents of 2010 and 2012, statement by statement.
//!
//! | column | meaning |
//! |---|---|
//! | `says` | the statement in few words |
//! | `code` | instructions of a fragment shader with the registers below, or of another `stage` |
//! | `declare` | more declarations and immediates |
//! | `text` | a whole shader instead |
//! | `inputs` | `IN[0]`…, in compute shaders `CONST[0]`…; as words of the notation below |
//! | `consts` | `CONST[0]`… of other shaders |
//! | `out` | what `OUT[0]` ends with; in compute shaders `TEMP[0]` |
//! | `lanes` | the same for each lane |
//! | `memory` | first words of buffer 0 after the run |
//! | `killed` | lanes that are killed, a bit each |
//! | `refused` | the rule of `tgsi check` that the shader breaks |
//! | `warned` | the same, of a rule that only warns |
//! | `inexpressible` | part of the reason why it cannot be said today |
//! | `unnumbered` | part of the advice where a token stream has no number for it |
//! | `known` | opcodes that the dialect must know, with or without number |
//! | `components` | components of a texel and what it holds: `out` is what a lookup gives, nothing where that is open |
//! | `departs` | why the statement is not followed; the rest of the row shows what holds instead |
//!
//! A word is a float (`1.5`, `-0.0`, `inf`), an integer (`7`, `-1`, `0xff`), a double in two channels (`d1.5`), a
//! float within a millionth (`~0.5`), or anything (`?`). There are `IN[0..3]`, where `IN[3]` is the place of the
//! lane in its quad, `CONST[0..3]`, `TEMP[0..7]`, `ADDR[0]`, `OUT[0]`, `SAMP[0..7]`; units 0 to 7 hold textures and
//! images of the kinds in [`KINDS`], whose texel n has n, n + 100, n + 200 and n + 300; buffer 0 has the words
//! 10, 11, ….

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use serde::Deserialize;
use tgsi_exec::sampler::{Components, Convention, Texture, TextureShape};
use tgsi_exec::{Bindings, Inputs, Kernel, Outcome, Quad, STEP_LIMIT, Space};
use tgsi_ir::{Authority, Dialect, Opcode, Shader};
use tgsi_text::{ParseOptions, Parsed, Severity, parse_with};

use super::{List, agree, bits, read_list};

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Row {
    says: String,
    stage: Option<String>,
    code: Vec<String>,
    declare: Vec<String>,
    text: Option<String>,
    inputs: Vec<String>,
    consts: Vec<String>,
    out: Option<String>,
    lanes: Vec<String>,
    memory: Option<String>,
    killed: Option<u8>,
    refused: Option<String>,
    warned: Option<String>,
    inexpressible: Option<String>,
    unnumbered: Option<String>,
    known: Vec<String>,
    components: Option<(String, String)>,
    departs: Option<String>,
}

/// Kind, shape, size and layers of each unit.
const KINDS: [(&str, TextureShape, [u32; 3], u32); 8] = [
    ("2D", TextureShape::D2, [4, 4, 1], 1),
    ("1D", TextureShape::D1, [4, 1, 1], 1),
    ("3D", TextureShape::D3, [2, 2, 2], 1),
    ("CUBE", TextureShape::Cube, [1, 1, 1], 1),
    ("1D_ARRAY", TextureShape::D1, [4, 1, 1], 3),
    ("2D_ARRAY", TextureShape::D2, [2, 2, 1], 3),
    ("BUFFER", TextureShape::D1, [8, 1, 1], 1),
    ("RECT", TextureShape::D2, [4, 4, 1], 1),
];

/// The buffer that a compute shader's result goes to.
const RESULT: u32 = 9;

/// Words of buffer 0.
const BUFFER_WORDS: u32 = 32;

/// The lists of both documents.
fn documents() -> [List<Row>; 2] {
    ["tgsi-2010.ron", "tgsi-2012.ron"].map(read_list)
}

fn dialect(list: &List<Row>) -> Dialect {
    list.dialect.as_deref().expect("the list has a dialect").parse().expect("a dialect")
}

#[test]
fn every_statement_holds_or_departs_with_its_reason() {
    for list in documents() {
        let dialect = dialect(&list);
        list.judge(|row| (row.says.as_str(), row.departs.is_some(), check(row, dialect)));
    }
}

/// The example rows compile for a chip of each generation that has what they use.
#[test]
fn what_runs_compiles_for_four_chips() {
    use r600_codegen::{Compiler, Options};
    use r600_isa::Chip;
    let chips = ["rv610", "rv770", "cypress", "cayman"];
    let chips = chips.map(|name| Chip::from_name(name).expect("a chip"));
    let compiler = Compiler::new(Options::default()).expect("the pipeline is valid");
    let mut refusals: BTreeMap<String, usize> = BTreeMap::new();
    let mut compiled = 0;
    for document in documents() {
        let dialect = dialect(&document);
        let rows = document.sections.iter().flat_map(|section| &section.rows);
        for row in rows.filter(|row| row.is_run()) {
            let shader = row.today(dialect).unwrap_or_else(|why| panic!("{}: {why}", row.says));
            for chip in chips {
                match compiler.compile(&shader, chip) {
                    Ok(_) => compiled += 1,
                    Err(error) => {
                        let text = error.to_string();
                        assert!(!text.contains("report"), "{}: {text}", row.says);
                        *refusals.entry(format!("{}: {text}", chip.name())).or_default() += 1;
                    }
                }
            }
        }
    }
    println!("{compiled} compiled, refused: {refusals:#?}");
    assert!(compiled > 0);
}

fn check(row: &Row, dialect: Dialect) -> Result<(), String> {
    if let Some((name, texel)) = &row.components {
        return check_components(name, texel, row.out.as_deref());
    }
    for name in &row.known {
        let opcode = Opcode::from_name(name).ok_or(format!("there is no opcode {name}"))?;
        let is_known =
            opcode.number_in(dialect).is_some() || dialect.written_instead(opcode).is_some();
        if !is_known {
            return Err(format!("dialect {dialect} does not know {name}"));
        }
    }
    if row.code.is_empty() && row.text.is_none() {
        return match row.known.is_empty() {
            true => Err("the row has nothing to show".to_owned()),
            false => Ok(()),
        };
    }
    if let Some(rule) = &row.refused {
        return row.breaks(rule, Severity::Error, dialect);
    }
    if let Some(rule) = &row.warned {
        row.breaks(rule, Severity::Warning, dialect)?;
    }
    if let Some(reason) = &row.inexpressible {
        return match row.today(dialect) {
            Err(why) if why.contains(reason) => Ok(()),
            Err(why) => Err(why),
            Ok(_) => Err("it can be said".to_owned()),
        };
    }
    if let Some(advice) = &row.unnumbered {
        let parsed = row.parsed(dialect)?;
        let error = tgsi_binary::encode(&parsed.shader, dialect).err().ok_or("it is encoded")?;
        let help = error.reason.help().unwrap_or_default();
        if !help.contains(advice) {
            return Err(format!("{error}: {help}"));
        }
    } else {
        row.encodes(dialect)?;
    }
    if row.is_run() { row.run(dialect) } else { row.today(dialect).map(|_| ()) }
}

/// What a lookup gives for a texel that has just these components.
fn check_components(name: &str, texel: &str, want: Option<&str>) -> Result<(), String> {
    let components = Components::ALL.iter().find(|components| components.name() == name);
    let components = components.ok_or(format!("there are no components {name}"))?;
    let texel: Vec<f32> =
        texel.split_whitespace().map(|word| word.parse().expect("a float")).collect();
    match (components.expand(Convention::Gallium, &texel), want) {
        (Some(got), Some(want)) => agree(want, &got.map(f32::to_bits)),
        (None, None) => Ok(()),
        (got, _) => Err(format!("{got:?}")),
    }
}

impl Row {
    fn is_run(&self) -> bool {
        if self.components.is_some() {
            return false;
        }
        self.out.is_some()
            || !self.lanes.is_empty()
            || self.memory.is_some()
            || self.killed.is_some()
    }

    fn is_compute(&self) -> bool {
        self.stage.as_deref() == Some("COMP")
    }

    fn text(&self) -> String {
        if let Some(text) = &self.text {
            return text.clone();
        }
        let mut text = match self.stage.as_deref() {
            None | Some("FRAG") => {
                "FRAG\nDCL IN[0..3], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n".to_owned()
            }
            Some("COMP") => format!("COMP\nDCL RES[{RESULT}], BUFFER, RAW, WR\n"),
            Some("VERT") => "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\n".to_owned(),
            Some(other) => format!("{other}\n"),
        };
        text += "DCL CONST[0..3]\nDCL TEMP[0..7]\nDCL ADDR[0]\n";
        for line in &self.declare {
            let _ = writeln!(text, "{line}");
        }
        for line in &self.code {
            let line = if self.is_compute() { line.replace("IN[", "CONST[") } else { line.clone() };
            let _ = writeln!(text, "{line}");
        }
        if self.is_compute() && self.out.is_some() {
            let _ = writeln!(text, "STORE RES[{RESULT}], CONST[3].xxxx, TEMP[0]");
        }
        text + "END\n"
    }

    fn parsed(&self, dialect: Dialect) -> Result<Parsed, String> {
        let text = self.text();
        let parsed = parse_with(&text, ParseOptions::from(dialect));
        let mistakes: Vec<&String> =
            parsed.diagnostics.iter().map(|mistake| &mistake.message).collect();
        if mistakes.is_empty() { Ok(parsed) } else { Err(format!("{mistakes:?}\n{text}")) }
    }

    /// The rules that the shader breaks.
    fn broken_rules(&self, severity: Severity, dialect: Dialect) -> Vec<(String, String)> {
        let text = self.text();
        let findings = parse_with(&text, ParseOptions::from(dialect)).findings(&text);
        let of_severity = findings.into_iter().filter(|finding| finding.severity == severity);
        of_severity.map(|finding| (finding.code.to_owned(), finding.message)).collect()
    }

    fn breaks(&self, rule: &str, severity: Severity, dialect: Dialect) -> Result<(), String> {
        let found = self.broken_rules(severity, dialect);
        let is_broken = found.iter().any(|(code, _)| code == rule);
        if is_broken { Ok(()) } else { Err(format!("{rule} is not broken: {found:?}")) }
    }

    /// The shader in today's words; it breaks no rule.
    fn today(&self, dialect: Dialect) -> Result<Shader, String> {
        let text = self.text();
        let parsed = self.parsed(dialect)?;
        let broken = self.broken_rules(Severity::Error, dialect);
        if !broken.is_empty() {
            return Err(format!("{broken:?}\n{text}"));
        }
        let today = parsed.to_today(&text, Authority::Document);
        today.map(|today| today.shader).map_err(|problems| {
            problems.iter().map(|one| one.message.clone()).collect::<Vec<_>>().join(", ")
        })
    }

    /// The shader has a token stream, which gives it back.
    fn encodes(&self, dialect: Dialect) -> Result<(), String> {
        let mut shader = self.parsed(dialect)?.shader;
        let words = tgsi_binary::encode(&shader, dialect).map_err(|error| error.to_string())?;
        let decoded = tgsi_binary::decode(&words, dialect).map_err(|error| error.to_string())?;
        shader.order.clone_from(&decoded.shader.order);
        if decoded.shader == shader { Ok(()) } else { Err("words give another shader".to_owned()) }
    }

    fn run(&self, dialect: Dialect) -> Result<(), String> {
        let shader = self.today(dialect)?;
        let kernel = Kernel::new(&shader).map_err(|error| error.to_string())?;
        let mut bindings = bindings(self)?;
        let inputs = Inputs { registers: inputs(self)?, ..Inputs::default() };
        let outcome =
            kernel.run(&inputs, STEP_LIMIT, &mut bindings).map_err(|error| error.to_string())?;
        self.compare(&outcome, &bindings)
    }

    fn compare(&self, outcome: &Outcome, bindings: &Bindings) -> Result<(), String> {
        let memory = |number| bindings.memory.get(&Space::Buffer(number)).map_or(&[][..], |b| b);
        let word = |bytes: &[u8], n: usize| {
            bytes.get(4 * n..4 * n + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        };
        if let Some(want) = &self.out {
            let got = match self.is_compute() {
                true => [0, 1, 2, 3].map(|n| word(memory(RESULT), n)),
                false => outcome.outputs.first().ok_or("there is no output")?[0],
            };
            agree(want, &got)?;
        }
        for (lane, want) in self.lanes.iter().enumerate() {
            let outputs = outcome.outputs.first().ok_or("there is no output")?;
            agree(want, &outputs[lane]).map_err(|fault| format!("lane {lane}: {fault}"))?;
        }
        if let Some(want) = &self.memory {
            let got: Vec<u32> = (0..BUFFER_WORDS as usize).map(|n| word(memory(0), n)).collect();
            agree(want, &got)?;
        }
        match self.killed {
            Some(want) if want != outcome.killed => {
                Err(format!("killed {:#x}, not {want:#x}", outcome.killed))
            }
            _ => Ok(()),
        }
    }
}

/// The registers that a quad starts with.
fn inputs(row: &Row) -> Result<Vec<Quad>, String> {
    let mut registers = vec![Quad::default(); 4];
    registers[3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
        .map(|[x, y]: [f32; 2]| [x.to_bits(), y.to_bits(), 0, 0]);
    for (register, text) in registers.iter_mut().zip(&row.inputs) {
        *register = [vector(text)?; 4];
    }
    Ok(registers)
}

fn bindings(row: &Row) -> Result<Bindings, String> {
    let mut bindings = Bindings::default();
    for (unit, (_, shape, size, layers)) in (0..).zip(KINDS) {
        let faces = if shape == TextureShape::Cube { 6 } else { 1 };
        let count = size.iter().product::<u32>() * layers * faces;
        let texel = |n: u32| [0, 100, 200, 300].map(|more| (n + more) as f32);
        let texels: Vec<[f32; 4]> = (0..count).map(texel).collect();
        let texture = Texture::from_floats(shape, size, layers, texels);
        let texture = texture.map_err(|error| error.to_string())?;
        bindings.images.insert(unit, texture.clone());
        bindings.textures.insert(unit, Arc::new(texture));
    }
    let words = (0..BUFFER_WORDS).flat_map(|n| (10 + n).to_le_bytes());
    bindings.memory.insert(Space::Buffer(0), words.collect());
    bindings.memory.insert(Space::Buffer(RESULT), vec![0; 16]);
    let mut constants = vec![[0; 4]; 4];
    let given = if row.is_compute() { &row.inputs } else { &row.consts };
    for (constant, text) in constants.iter_mut().zip(given) {
        *constant = vector(text)?;
    }
    bindings.constants.insert(0, constants);
    Ok(bindings)
}

/// Four words of the notation.
fn vector(text: &str) -> Result<[u32; 4], String> {
    let words: Vec<u32> = text.split_whitespace().flat_map(bits).collect();
    words.try_into().map_err(|words| format!("`{text}` is not four words: {words:?}"))
}
