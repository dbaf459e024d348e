//! What a shader is run with, as JSON: the same file serves interpreter and simulator.

mod surfaces;

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use tgsi_ir::{Declaration, File, Processor, PropertyName, Semantic, Shader};

use crate::problem::{Problem, Problems};

pub use surfaces::{
    Bound, CompareName, FilterName, MipName, SamplerState, Shape, Surface, WrapName, texel_words,
};

/// Four channels.
pub type Vector = [Word; 4];

/// A register of the four lanes of a quad: top left, top right, bottom left, bottom right.
pub type Quad = [Vector; 4];

/// 32 bits: `"0x3f800000"`, an integer in quotes such as `"7"` or `"-1"`, or a number, which stands for a float of that
/// value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word(pub u32);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(
            untagged,
            expecting = "expected bits such as \"0x3f800000\", an integer such as \"7\", or a number"
        )]
        enum Form {
            Bits(String),
            Value(f64),
        }
        match Form::deserialize(deserializer)? {
            Form::Bits(text) => parse_bits(&text).map(Self).ok_or_else(|| {
                D::Error::custom(format!(
                    "`{text}` is neither `0x` and up to 8 hex digits nor an integer of 32 bits"
                ))
            }),
            Form::Value(value) => Ok(Self((value as f32).to_bits())),
        }
    }
}

fn parse_vertex(name: &str) -> Option<(usize, usize)> {
    let (vertex, register) = name.strip_prefix("IN[")?.strip_suffix(']')?.split_once("][")?;
    Some((vertex.parse().ok()?, register.parse().ok()?))
}

fn parse_bits(text: &str) -> Option<u32> {
    let Some(digits) = text.strip_prefix("0x") else {
        let is_unsigned = text.starts_with(|first: char| first.is_ascii_digit());
        let unsigned = || text.parse().ok();
        return if is_unsigned {
            unsigned()
        } else {
            text.parse::<i32>().ok().map(i32::cast_unsigned)
        };
    };
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| u32::from_str_radix(digits, 16).ok())?
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Word {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Word".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "32 bits: \"0x3f800000\", an integer in quotes such as \"7\" or \"-1\", or a number, which \
                            stands for a float of that value.",
            "anyOf": [
                { "type": "number" },
                { "type": "string", "pattern": "^(0x[0-9a-fA-F]{1,8}|[+-]?[0-9]{1,10})$" },
            ],
        })
    }
}

/// Everything a run can be given; what is left out is empty.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Launch {
    /// `IN[n]`, as the shader sees it.
    pub inputs: Vec<Quad>,
    /// `CONST[0][n]`, which `const_buffers` may have under 0 instead.
    pub consts: Vec<Vector>,
    /// Constant buffers by number. [`from_json`](Self::from_json) makes buffer 0 of them `consts`.
    pub const_buffers: BTreeMap<u32, Vec<Vector>>,
    /// `SV[n]`.
    pub sysvals: Vec<Quad>,
    /// `BUFFER[n]`; for the simulator, the buffer behind fetch resource n.
    pub buffers: BTreeMap<u32, Vec<Word>>,
    /// Bytes from one element of a buffer to the next, for the simulator; 16 for those that are not given.
    pub strides: BTreeMap<u32, u32>,
    /// Textures by unit, for the simulator of machine code by fetch resource; units that are not given answer by rule.
    pub textures: BTreeMap<u32, Surface>,
    /// Samplers by unit.
    pub samplers: BTreeMap<u32, SamplerState>,
    /// `IMAGE[n]`; those that are not given answer by rule.
    pub images: BTreeMap<u32, Surface>,
    /// Shared memory, whatever number it is declared with.
    pub memory: Vec<Word>,
    /// Geometry inputs by name: `IN[vertex][register]`.
    pub gs_inputs: BTreeMap<String, Vector>,
    /// Registers by number, for the simulator.
    pub gprs: BTreeMap<u32, Quad>,
}

impl Launch {
    /// Reads JSON.
    ///
    /// # Errors
    /// What is wrong, with the byte where it stands.
    pub fn from_json(text: &str) -> Result<Self, Problems> {
        let mut launch: Self = serde_json::from_str(text).map_err(|error| {
            let at = offset(text, error.line(), error.column());
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            let help = match unknown_key(message) {
                Some(key) => nearest(key, message),
                None => shape(message).map(str::to_owned),
            };
            let is_json = !error.is_syntax();
            let message = if is_json { message.to_owned() } else { format!("not JSON: {message}") };
            Problems::from(Problem { help, ..Problem::error(message).at(at..at, text) })
        })?;
        if let Some(first) = launch.const_buffers.remove(&0) {
            let is_same = launch.consts.iter().map(bits).eq(first.iter().map(bits));
            if !launch.consts.is_empty() && !is_same {
                let message = "`consts` and buffer 0 of `const_buffers` are one buffer, and differ";
                let help = Some("give one of them".to_owned());
                return Err(Problem { help, ..Problem::error(message) }.into());
            }
            launch.consts = first;
        }
        Ok(launch)
    }

    /// The initial registers of a shader in the interpreter, with its idle and helper lanes.
    ///
    /// # Errors
    /// A name in `gs_inputs` that is not of its form, or whose numbers are too large.
    pub fn inputs(&self, shader: &Shader) -> Result<tgsi_exec::Inputs, String> {
        let quad = |quad: &Quad| quad.map(|vector| bits(&vector));
        let vertices = self.vertices()?;
        let mut registers: Vec<_> = self.inputs.iter().map(quad).collect();
        number_primitive(shader, &vertices, &mut registers);
        Ok(tgsi_exec::Inputs {
            registers,
            system_values: self.sysvals.iter().map(quad).collect(),
            vertices,
            idle: self.lanes(shader, Semantic::Invocationid, |number| {
                let count = shader.property(PropertyName::TcsVerticesOut);
                shader.processor == Processor::TessCtrl
                    && count.is_some_and(|count| number >= count)
            }),
            helpers: self.lanes(shader, Semantic::HelperInvocation, |said| said != 0),
        })
    }

    /// The lanes that a system value selects.
    fn lanes(&self, shader: &Shader, name: Semantic, tells: impl Fn(u32) -> bool) -> u8 {
        let mut declared = shader.declarations.iter().filter(|one| one.file == File::SystemValue);
        let own = declared.find(|one| one.semantic.is_some_and(|semantic| semantic.name == name));
        let given = own.and_then(|one| self.sysvals.get(usize::from(one.range.first)));
        let lanes = given.into_iter().flatten().enumerate();
        lanes.fold(0, |mask, (lane, vector)| mask | u8::from(tells(vector[0].0)) << lane)
    }
}

impl Launch {
    /// Vector `index` of constant buffer `buffer`.
    pub fn constant(&self, buffer: u32, index: u32) -> Option<[u32; 4]> {
        let buffer = match buffer {
            0 => &self.consts,
            _ => self.const_buffers.get(&buffer)?,
        };
        buffer.get(index as usize).map(bits)
    }

    /// The words of every constant buffer.
    pub fn constant_words(&self) -> BTreeMap<u32, Vec<u32>> {
        let buffers = self.const_buffers.iter().map(|(&number, vectors)| (number, vectors));
        let words = |vectors: &Vec<Vector>| vectors.iter().flat_map(bits).collect();
        // `consts` is buffer 0, whatever `const_buffers` has there.
        buffers.chain([(0, &self.consts)]).map(|(number, own)| (number, words(own))).collect()
    }

    /// `IN[vertex][register]`; what is left out between two is zero.
    ///
    /// # Errors
    /// A name that is not of that form, or whose numbers are too large.
    pub fn vertices(&self) -> Result<Vec<Vec<[u32; 4]>>, String> {
        /// Vertices of a primitive or patch, and registers of each.
        const MOST: usize = 128;
        let mut vertices: Vec<Vec<[u32; 4]>> = Vec::new();
        for (name, value) in &self.gs_inputs {
            let (vertex, register) = parse_vertex(name)
                .ok_or_else(|| format!("`{name}` in gs_inputs is not like `IN[2][0]`"))?;
            if vertex >= MOST || register >= MOST {
                let last = MOST - 1;
                return Err(format!(
                    "`{name}` in gs_inputs is out of range: vertices and registers go up to {last}"
                ));
            }
            vertices.resize(vertices.len().max(vertex + 1), Vec::new());
            let registers = &mut vertices[vertex];
            registers.resize(registers.len().max(register + 1), [0; 4]);
            registers[register] = bits(value);
        }
        Ok(vertices)
    }
}

/// The message for a value in the wrong form for its key.
fn shape(message: &str) -> Option<&'static str> {
    let is_shape = message.starts_with("invalid type") || message.starts_with("invalid length");
    is_shape.then_some(
        "a register has four lanes, and a lane four channels; docs/inputs.md has every key",
    )
}

/// The unknown key that a message names.
fn unknown_key(message: &str) -> Option<&str> {
    message.strip_prefix("unknown field `")?.split('`').next()
}

/// The key that was probably meant, among those that the message lists.
fn nearest(key: &str, message: &str) -> Option<String> {
    let (_, known) = message.split_once(", expected one of ")?;
    let known = known.split(", ").map(|name| name.trim_matches('`'));
    let scored = known.map(|name| (strsim::damerau_levenshtein(key, name), name));
    let (distance, name) = scored.min()?;
    (distance <= key.len().div_ceil(3)).then(|| format!("did you mean `{name}`?"))
}

/// The byte at a line and column, both from 1, the column in bytes.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let at = (start + column.saturating_sub(1)).min(text.len());
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// The raw bits of a vector.
pub fn bits(vector: &Vector) -> [u32; 4] {
    vector.map(|word| word.0)
}

/// Takes the primitive number of a geometry shader from the vertices if `inputs` lacks it.
fn number_primitive(
    shader: &Shader,
    vertices: &[Vec<[u32; 4]>],
    registers: &mut Vec<[[u32; 4]; 4]>,
) {
    if shader.processor != Processor::Geometry {
        return;
    }
    let is_number = |d: &&Declaration| {
        d.file == File::Input && d.semantic.is_some_and(|s| s.name == Semantic::Primid)
    };
    for declaration in shader.declarations.iter().filter(is_number) {
        let register = usize::from(declaration.range.first);
        let given = vertices.iter().find_map(|vertex| vertex.get(register));
        if let Some(&number) = given.filter(|_| registers.len() <= register) {
            registers.resize(register + 1, Default::default());
            registers[register] = [number; 4];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Word, parse_bits};

    #[test]
    fn words_are_bits_or_floats() {
        let words: Vec<Word> = serde_json::from_str(r#"["0x3f800000", 1, 1.0, -0.5]"#).unwrap();
        assert_eq!(words.map_bits(), [0x3f80_0000, 0x3f80_0000, 0x3f80_0000, 0xbf00_0000]);
        let words: Vec<Word> = serde_json::from_str(r#"["7", "-1", "4294967295"]"#).unwrap();
        assert_eq!(words.map_bits(), [7, u32::MAX, u32::MAX]);
        assert_eq!(parse_bits("4294967296"), None);
        assert_eq!(parse_bits("+1"), Some(1));
        assert_eq!(parse_bits("3f"), None);
        assert_eq!(parse_bits("0x123456789"), None);
    }

    trait MapBits {
        fn map_bits(&self) -> Vec<u32>;
    }

    impl MapBits for Vec<Word> {
        fn map_bits(&self) -> Vec<u32> {
            self.iter().map(|word| word.0).collect()
        }
    }
}
