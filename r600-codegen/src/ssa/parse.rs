//! Reads the text of SSA functions back, so that a pass test is a text.
//!
//! What [`Display`](std::fmt::Display) writes is read: values keep their numbers. Fetches, writes to memory, accesses to
//! shared memory and events are printed for people, with less than they hold, and are not read.

use arrayvec::ArrayVec;
use r600_isa::{AluFlags, AluOp, Chan, Chip, Omod};
use r600_mir::ExportTarget;
use thiserror::Error;

use super::{
    AluInst, ArrayAccess, ArrayId, ArrayInfo, ArrayPlace, Condition, Counter, CubeInst, DotInst,
    DoubleInst, ExportInst, Function, If, Inst, InstData, InterpInst, InterpPart, LiveIn, Loop,
    LoopParam, Node, Operand, Phi, Region, Value, ValueDef,
};

/// Why a text is no function.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

/// The function for `chip` that `text` says; lines that begin with `;` are comments.
///
/// # Errors
/// At the first line that says nothing known.
pub fn parse(text: &str, chip: Chip) -> Result<Function, ParseError> {
    let mut reader = Reader { function: Function::new(chip), open: vec![Open::default()] };
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with(';') {
            let at = |message| ParseError { line: number + 1, message };
            reader.line(line).map_err(at)?;
        }
    }
    let last = text.lines().count();
    match reader.open.as_mut_slice() {
        [Open { region, block: Block::Body }] => {
            reader.function.body = std::mem::take(region);
            Ok(reader.function)
        }
        _ => Err(ParseError { line: last, message: "a `}` is missing".to_owned() }),
    }
}

/// What reading a part of a line comes to.
type Reading<T> = Result<T, String>;

/// What a region that is still open belongs to.
#[derive(Default)]
enum Block {
    #[default]
    Body,
    /// The first arm of a branch.
    Then(Condition),
    /// The second, with the first.
    Otherwise(Condition, Region),
    Loop(Vec<LoopParam>),
}

/// A region that is still open.
#[derive(Default)]
struct Open {
    region: Region,
    block: Block,
}

struct Reader {
    function: Function,
    open: Vec<Open>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Reading<()> {
        if let Some((value, place)) = line.split_once(" = live in R") {
            return self.live_in(value, place);
        }
        if line.starts_with("array") && line.contains(" = ") {
            return self.array(line);
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "if" => self.branch(rest),
            "loop" => self.repeat(rest),
            "break" => {
                let args = operands(rest, " ").collect::<Reading<_>>()?;
                self.push(Node::Break(args))
            }
            "continue" => {
                let args = operands(rest, " ").collect::<Reading<_>>()?;
                self.push(Node::Continue(args))
            }
            "}" if rest == "else {" => self.other_arm(),
            "}" => self.close(rest),
            _ => self.inst(line),
        }
    }

    fn push(&mut self, node: Node) -> Reading<()> {
        let open = self.open.last_mut().ok_or("nothing is open")?;
        open.region.nodes.push(node);
        Ok(())
    }

    /// The value of this number, with all below it; what nothing defines stays a merge of nothing.
    fn value(&mut self, text: &str, def: ValueDef) -> Reading<Value> {
        let value = value(text)?;
        while self.function.values.len() <= value.as_u32() as usize {
            self.function.values.push(ValueDef::Merge);
        }
        self.function.values[value] = def;
        Ok(value)
    }

    fn live_in(&mut self, name: &str, place: &str) -> Reading<()> {
        let (gpr, letter) = place.split_once('.').ok_or("a register has a channel")?;
        let gpr = gpr.parse().map_err(|_| format!("`{gpr}` is no register"))?;
        let value = self.value(name, ValueDef::LiveIn)?;
        self.function.live_in.push(LiveIn { value, gpr, chan: chan(letter)? });
        Ok(())
    }

    /// `array0 = 4 in registers`, `array1 = 300 in scratch from 2`.
    fn array(&mut self, line: &str) -> Reading<()> {
        let (name, rest) = line.split_once(" = ").ok_or("an array has a length")?;
        let (len, place) = rest.split_once(" in ").ok_or("an array has a place")?;
        let place = match place.strip_prefix("scratch from ") {
            Some(first) => ArrayPlace::Scratch(number(first)?),
            None if place == "registers" => ArrayPlace::Registers,
            None => return Err(format!("`{place}` is no place for an array")),
        };
        let id = self.function.arrays.push(ArrayInfo { len: number(len)?, place });
        if id.to_string() == name { Ok(()) } else { Err(format!("{id} comes before `{name}`")) }
    }

    fn branch(&mut self, text: &str) -> Reading<()> {
        let text = text.strip_suffix('{').ok_or("a branch opens with `{`")?.trim();
        let (name, rest) = text.split_once(' ').ok_or("a condition has operands")?;
        let src: Vec<Operand> = operands(rest, ", ").collect::<Reading<_>>()?;
        let src = src.try_into().map_err(|_| "a condition has two operands")?;
        let condition = Condition { op: alu_op(name)?, src };
        self.open.push(Open { region: Region::default(), block: Block::Then(condition) });
        Ok(())
    }

    fn other_arm(&mut self) -> Reading<()> {
        match self.open.pop() {
            Some(Open { region, block: Block::Then(condition) }) => {
                let block = Block::Otherwise(condition, region);
                self.open.push(Open { region: Region::default(), block });
                Ok(())
            }
            _ => Err("no branch is open".to_owned()),
        }
    }

    /// `loop %1 = %0 %3 = 0x0 {`
    fn repeat(&mut self, text: &str) -> Reading<()> {
        let text = text.strip_suffix('{').ok_or("a loop opens with `{`")?;
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut params = Vec::new();
        for param in words.chunks(3) {
            let [name, "=", init] = param else {
                return Err("a parameter is `VALUE = OPERAND`".to_owned());
            };
            let value = self.value(name, ValueDef::Merge)?;
            params.push(LoopParam { value, init: operand(init)? });
        }
        self.open.push(Open { region: Region::default(), block: Block::Loop(params) });
        Ok(())
    }

    fn close(&mut self, rest: &str) -> Reading<()> {
        let closed = self.open.pop().ok_or("nothing is open")?;
        let (condition, then, otherwise) = match closed.block {
            Block::Body => return Err("nothing is open".to_owned()),
            Block::Loop(params) => {
                let names = rest.split_whitespace();
                let results =
                    names.map(|name| self.value(name, ValueDef::Merge)).collect::<Reading<_>>()?;
                let body = Loop { params, body: closed.region, results };
                return self.push(Node::Loop(Box::new(body)));
            }
            Block::Then(condition) => (condition, closed.region, Region::default()),
            Block::Otherwise(condition, then) => (condition, then, closed.region),
        };
        let mut phis = Vec::new();
        for text in rest.split(')').map(str::trim).filter(|text| !text.is_empty()) {
            let (name, arms) = text.split_once(" = (").ok_or("a phi is `VALUE = (A, B)`")?;
            let (a, b) = arms.split_once(", ").ok_or("a phi has two arms")?;
            let value = self.value(name, ValueDef::Merge)?;
            phis.push(Phi { value, then: operand(a)?, otherwise: operand(b)? });
        }
        self.push(Node::If(Box::new(If { condition, then, otherwise, phis })))
    }

    fn inst(&mut self, line: &str) -> Reading<()> {
        let (names, text) = match line.split_once(" = ") {
            Some((names, text)) => (names.split(", ").collect(), text),
            None => (Vec::new(), line),
        };
        let data = data(text)?;
        if data.num_results() != names.len() {
            return Err(format!("it has {} results", data.num_results()));
        }
        let id = self.function.insts.next_key();
        let results = (0..).zip(&names);
        let results = results
            .map(|(n, name)| self.value(name, ValueDef::Inst(id, n)))
            .collect::<Reading<_>>()?;
        self.function.insts.push(Inst { data, results });
        self.push(Node::Inst(id))
    }
}

/// An instruction without its results.
fn data(text: &str) -> Reading<InstData> {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    match name {
        "barrier" => return Ok(InstData::Barrier),
        "export" => return export(rest),
        "load" | "store" => return element(name, rest),
        "counter" => return Ok(InstData::Counter(counter(rest)?)),
        _ => {}
    }
    if let Some(part) = name.strip_prefix("interp.") {
        return interp(part, rest);
    }
    if name == "cube" {
        let src: Vec<Operand> = operands(rest, ", ").collect::<Reading<_>>()?;
        let src = src.try_into().map_err(|_| "a direction has three components")?;
        return Ok(InstData::Cube(CubeInst { src }));
    }
    if let Some(form) = name.strip_prefix("dot") {
        return dot(form, &operands(rest, ", ").collect::<Reading<Vec<_>>>()?);
    }
    let (name, clamp) = suffix(name, "_sat");
    let (name, omod) = scaled(name);
    let op = alu_op(name)?;
    let src: Vec<Operand> = operands(rest, ", ").collect::<Reading<_>>()?;
    if op.has(AluFlags::DOUBLE) {
        let pairs =
            src.chunks(2).map(|pair| pair.try_into().map_err(|_| "half a double is missing"));
        let src = pairs.collect::<Result<ArrayVec<[Operand; 2], 3>, _>>()?;
        return Ok(InstData::Double(Box::new(DoubleInst { op, src })));
    }
    if src.len() != usize::from(op.info().num_src) {
        return Err(format!("{name} has {} operands", op.info().num_src));
    }
    Ok(InstData::Alu(AluInst { op, src: src.into_iter().collect(), omod, clamp }))
}

fn dot(text: &str, src: &[Operand]) -> Reading<InstData> {
    let (text, clamp) = suffix(text, "_sat");
    let (text, zero_wins) = suffix(text, "_zero");
    let len: usize = text.parse().map_err(|_| format!("`dot{text}` is no operation"))?;
    if len > 4 || src.len() != 2 * len {
        return Err(format!("it has {} factors", 2 * len));
    }
    let pairs = src.chunks(2).map(|pair| [pair[0], pair[1]]).collect();
    Ok(InstData::Dot(Box::new(DotInst { pairs, ieee: !zero_wins, clamp })))
}

fn interp(part: &str, rest: &str) -> Reading<InstData> {
    let part = match part {
        "xy" => InterpPart::Xy,
        "zw" => InterpPart::Zw,
        "flat" => InterpPart::Flat,
        _ => return Err(format!("`{part}` is no part of a parameter")),
    };
    let (param, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let param = number(param.strip_prefix('p').ok_or("a parameter is `pN`")?)?;
    let ij: Vec<Operand> = operands(rest, ", ").collect::<Reading<_>>()?;
    let ij = match (part, ij.as_slice()) {
        (InterpPart::Flat, []) => [Operand::ZERO; 2],
        (InterpPart::Xy | InterpPart::Zw, [i, j]) => [*i, *j],
        _ => return Err("coordinates are two, and a flat parameter has none".to_owned()),
    };
    Ok(InstData::Interp(InterpInst { param, part, ij }))
}

/// `Pixel(0) %1, _, %2, 0x0`
fn export(text: &str) -> Reading<InstData> {
    let (target, rest) = text.split_once(' ').ok_or("an export has components")?;
    let (kind, index) =
        target.strip_suffix(')').and_then(|t| t.split_once('(')).unwrap_or_default();
    let target = match kind {
        "Pixel" => ExportTarget::Pixel(number(index)?),
        "Position" => ExportTarget::Position(number(index)?),
        "Parameter" => ExportTarget::Parameter(number(index)?),
        _ => return Err(format!("`{target}` is no target")),
    };
    let component = |text: &str| if text == "_" { Ok(None) } else { operand(text).map(Some) };
    let src: Vec<_> = rest.split(", ").map(component).collect::<Reading<_>>()?;
    let src = src.try_into().map_err(|_| "an export has four components")?;
    Ok(InstData::Export(Box::new(ExportInst { target, src })))
}

/// `array0[2].x %index`, and the value where it is a store.
fn element(name: &str, text: &str) -> Reading<InstData> {
    let (place, rest) = text.split_once(' ').unwrap_or((text, ""));
    let parts =
        place.split_once('[').and_then(|(array, rest)| Some((array, rest.split_once("].")?)));
    let (array, (offset, letter)) = parts.ok_or("an element is `arrayN[OFFSET].CHANNEL`")?;
    let array = number(array.strip_prefix("array").ok_or("an array is `arrayN`")?)?;
    let src: Vec<Operand> = operands(rest, ", ").collect::<Reading<_>>()?;
    let access = |index: Option<Operand>| {
        let (array, offset, chan) = (ArrayId::from_u32(array), number(offset)?, chan(letter)?);
        Ok::<_, String>(ArrayAccess { array, offset, chan, index })
    };
    match (name, src.as_slice()) {
        ("load", []) => Ok(InstData::Load(access(None)?)),
        ("load", [index]) => Ok(InstData::Load(access(Some(*index))?)),
        ("store", [value]) => Ok(InstData::Store(access(None)?, *value)),
        ("store", [index, value]) => Ok(InstData::Store(access(Some(*index))?, *value)),
        _ => Err(format!("a {name} has another number of operands")),
    }
}

fn counter(name: &str) -> Reading<Counter> {
    let all = [Counter::Lane, Counter::Wave, Counter::Engine, Counter::Time];
    let found = all.into_iter().find(|counter| format!("{counter:?}") == name);
    found.ok_or_else(|| format!("`{name}` is no counter"))
}

fn suffix<'a>(name: &'a str, suffix: &str) -> (&'a str, bool) {
    name.strip_suffix(suffix).map_or((name, false), |name| (name, true))
}

fn scaled(name: &str) -> (&str, Omod) {
    let suffixes = [("*2", Omod::Times2), ("*4", Omod::Times4), ("/2", Omod::Half)];
    let found = suffixes.iter().find_map(|(text, omod)| Some((name.strip_suffix(text)?, *omod)));
    found.unwrap_or((name, Omod::None))
}

fn alu_op(name: &str) -> Reading<AluOp> {
    let found = AluOp::ALL.into_iter().find(|op| op.name() == name);
    found.ok_or_else(|| format!("`{name}` is no operation, or is not read back"))
}

fn operands<'a>(text: &'a str, separator: &'a str) -> impl Iterator<Item = Reading<Operand>> + 'a {
    text.split(separator).map(str::trim).filter(|text| !text.is_empty()).map(operand)
}

fn operand(text: &str) -> Reading<Operand> {
    let (text, neg) = text.strip_prefix('-').map_or((text, false), |text| (text, true));
    let inner = text.strip_prefix('|').and_then(|text| text.strip_suffix('|'));
    let plain = inner.unwrap_or(text);
    let unmodified = if plain.starts_with('%') {
        Operand::value(value(plain)?)
    } else if let Some(digits) = plain.strip_prefix("0x") {
        let bits = u32::from_str_radix(digits, 16);
        Operand::constant(bits.map_err(|_| format!("`{plain}` is no constant"))?)
    } else {
        uniform(plain)?
    };
    Ok(Operand { neg, abs: inner.is_some(), ..unmodified })
}

/// `c0[3].x`
fn uniform(text: &str) -> Reading<Operand> {
    let parts = text.strip_prefix('c').and_then(|text| text.split_once('['));
    let parts = parts.and_then(|(bank, rest)| Some((bank, rest.split_once("].")?)));
    let (bank, (index, letter)) = parts.ok_or_else(|| format!("`{text}` is no operand"))?;
    Ok(Operand::uniform(number(bank)?, number(index)?, chan(letter)?))
}

fn value(text: &str) -> Reading<Value> {
    // Far more than any shader has; a number from a text is not to be believed.
    const MAX_VALUES: u32 = 1 << 20;
    let number = text.strip_prefix('%').and_then(|digits| digits.parse::<u32>().ok());
    let number = number.filter(|number| *number < MAX_VALUES);
    number.map(Value::from_u32).ok_or_else(|| format!("`{text}` is no value"))
}

fn chan(letter: &str) -> Reading<Chan> {
    let found = Chan::ALL.into_iter().find(|chan| chan.letter().to_string() == letter);
    found.ok_or_else(|| format!("`{letter}` is no channel"))
}

fn number<T: std::str::FromStr>(text: &str) -> Reading<T> {
    text.parse().map_err(|_| format!("`{text}` is no number that fits"))
}
