//! Reads the text of SSA functions back, so that a pass test can be a text file.
//!
//! It accepts the output of [`Display`](std::fmt::Display) and keeps everything that a pass depends on, including the
//! numbers of values. Instructions are renumbered in order and have no origin in a TGSI shader.

mod cursor;
mod error;
mod inst;
mod memory;

use cranelift_entity::EntitySet;
use r600_isa::{Chip, Generation};

use self::cursor::{Cursor, Reading};
pub use self::error::{ParseError, ParseErrorKind};

use super::{
    ArrayInfo, ArrayPlace, Condition, Function, If, Inst, InstData, LiveIn, Loop, LoopParam, Node,
    Operand, Phi, Region, Value, ValueDef,
};
use crate::abi::Uniforms;

/// The deepest nesting of branches and loops; a shader has a few dozen levels at most.
const MAX_DEPTH: usize = 256;

/// Parses `text` as a function for `chip`. Lines that begin with `;` are comments.
///
/// # Errors
/// At the first line that does not parse, or at the first use of a value that nothing defines.
pub fn parse(text: &str, chip: Chip) -> Result<Function, ParseError> {
    let mut reader = Reader::new(chip);
    let mut end = Cursor::new("", 1);
    for (number, line) in (1..).zip(text.lines()) {
        let mut cursor = Cursor::new(line, number);
        if !cursor.is_at_end() && !cursor.rest().starts_with(';') {
            reader.note_values(cursor);
            reader.line(&mut cursor)?;
            cursor.finish()?;
        }
        end = Cursor::new("", number);
    }
    reader.finish(end)
}

/// The construct that an open region belongs to.
#[derive(Default)]
enum Block {
    #[default]
    Body,
    /// The first arm of a branch.
    Then(Condition),
    /// The second arm of a branch, with its first arm.
    Otherwise(Condition, Region),
    Loop(Vec<LoopParam>),
}

/// A region that is not closed yet.
#[derive(Default)]
struct Open {
    region: Region,
    block: Block,
}

struct Reader {
    generation: Generation,
    function: Function,
    /// The innermost region, and those around it.
    inner: Open,
    outer: Vec<Open>,
    defined: EntitySet<Value>,
    noted: EntitySet<Value>,
    /// The error for each value if nothing defines it, at its first mention.
    mentions: Vec<(Value, ParseError)>,
}

impl Reader {
    fn new(chip: Chip) -> Self {
        Self {
            generation: chip.generation(),
            function: Function::new(chip),
            inner: Open::default(),
            outer: Vec::new(),
            defined: EntitySet::new(),
            noted: EntitySet::new(),
            mentions: Vec::new(),
        }
    }

    fn finish(mut self, end: Cursor<'_>) -> Reading<Function> {
        if !self.outer.is_empty() {
            return Err(end.error(ParseErrorKind::Unclosed));
        }
        let is_undefined = |(value, _): &(Value, ParseError)| !self.defined.contains(*value);
        if let Some(at) = self.mentions.iter().position(is_undefined) {
            return Err(self.mentions.swap_remove(at).1);
        }
        self.function.body = self.inner.region;
        Ok(self.function)
    }

    /// Records the values of a line that no earlier line mentions.
    fn note_values(&mut self, mut cursor: Cursor<'_>) {
        while !cursor.is_at_end() {
            cursor.up_to(&["%"]);
            let at = cursor;
            // If this is not a value, parsing the line reports it.
            let Ok(value) = cursor.value() else { return };
            if self.noted.insert(value) {
                self.mentions.push((value, at.error(ParseErrorKind::Undefined(value))));
            }
        }
    }

    fn line(&mut self, cursor: &mut Cursor<'_>) -> Reading<()> {
        let start = *cursor;
        if cursor.rest().starts_with('%') {
            return self.definition(cursor);
        }
        if cursor.rest().starts_with("array") {
            return self.array(cursor);
        }
        if cursor.eat("}") {
            return self.close(cursor, start);
        }
        let is_exit = |word| matches!(word, "break" | "continue");
        match cursor.word() {
            "uniforms" => {
                cursor.expect("in registers")?;
                self.function.uniforms = Uniforms::Registers;
            }
            "if" => {
                let (op, src) = inst::condition(cursor)?;
                cursor.expect("{")?;
                self.open(start, Block::Then(Condition { op, src }))?;
            }
            "loop" => self.repeat(cursor, start)?,
            exit if is_exit(exit) => {
                let mut args = Vec::new();
                while !cursor.is_at_end() {
                    args.push(cursor.operand()?);
                }
                let is_break = exit == "break";
                self.push(if is_break { Node::Break(args) } else { Node::Continue(args) });
            }
            _ => {
                *cursor = start;
                self.inst(cursor, &[])?;
            }
        }
        Ok(())
    }

    fn push(&mut self, node: Node) {
        self.inner.region.nodes.push(node);
    }

    /// Opens the region of `block`, which begins at `start`.
    fn open(&mut self, start: Cursor<'_>, block: Block) -> Reading<()> {
        if self.outer.len() == MAX_DEPTH {
            return Err(start.error(ParseErrorKind::TooDeep(MAX_DEPTH)));
        }
        let inner = Open { region: Region::default(), block };
        self.outer.push(std::mem::replace(&mut self.inner, inner));
        Ok(())
    }

    /// Parses the definition of a value. All lower numbers then exist, too; those that stay undefined are phis without
    /// sources.
    fn define(&mut self, cursor: &mut Cursor<'_>, def: ValueDef) -> Reading<Value> {
        let start = *cursor;
        let value = cursor.value()?;
        if !self.defined.insert(value) {
            return Err(start.error(ParseErrorKind::DefinedTwice(value)));
        }
        while self.function.values.len() <= value.as_u32() as usize {
            self.function.values.push(ValueDef::Phi);
        }
        self.function.values[value] = def;
        Ok(value)
    }

    /// `%0 = live in R0.x`, or the results of an instruction.
    fn definition(&mut self, cursor: &mut Cursor<'_>) -> Reading<()> {
        let mut results = vec![*cursor];
        cursor.value()?;
        while cursor.eat(",") {
            results.push(*cursor);
            cursor.value()?;
        }
        cursor.expect("=")?;
        if !cursor.eat("live in R") {
            return self.inst(cursor, &results);
        }
        const LAST_GPR: u8 = 127;
        let (gpr, chan) = (cursor.number_u8(LAST_GPR)?, cursor.chan()?);
        for mut result in results {
            let value = self.define(&mut result, ValueDef::LiveIn)?;
            self.function.live_in.push(LiveIn { value, gpr, chan });
        }
        Ok(())
    }

    /// Parses an instruction. Its results were written at `results`.
    fn inst(&mut self, cursor: &mut Cursor<'_>, results: &[Cursor<'_>]) -> Reading<()> {
        let start = *cursor;
        let data = inst::read(cursor, self.generation)?;
        if data.num_results() != results.len() {
            let (gives, has) = (data.num_results(), results.len());
            return Err(start.error(ParseErrorKind::Results { gives, has }));
        }
        self.check_element(&data, start)?;
        let id = self.function.insts.next_key();
        let define = |(n, mut at): (u8, Cursor<'_>)| self.define(&mut at, ValueDef::Inst(id, n));
        let results = (0..).zip(results.iter().copied()).map(define).collect::<Reading<_>>()?;
        self.function.add_inst(Inst { data, results }, None);
        self.push(Node::Inst(id));
        Ok(())
    }

    /// Checks that an array access is to an element of a declared array.
    fn check_element(&self, data: &InstData, start: Cursor<'_>) -> Reading<()> {
        let (InstData::Load(access) | InstData::Store(access, _)) = data else { return Ok(()) };
        let array = access.array;
        match self.function.arrays.get(array) {
            None => Err(start.error(ParseErrorKind::UnknownArray(array))),
            Some(info) if access.offset >= info.len => {
                Err(start.error(ParseErrorKind::NoElement { array, len: info.len }))
            }
            Some(_) => Ok(()),
        }
    }

    /// `array0 = 4 in registers`, `array1 = 300 in scratch from 2`.
    fn array(&mut self, cursor: &mut Cursor<'_>) -> Reading<()> {
        let start = *cursor;
        let name = inst::array(cursor)?;
        let next = self.function.arrays.next_key();
        if name != next {
            return Err(start.error(ParseErrorKind::ArrayOrder(next)));
        }
        cursor.expect("=")?;
        let len = cursor.number_u16()?;
        cursor.expect("in ")?;
        let place = if cursor.eat("scratch from ") {
            ArrayPlace::Scratch(cursor.number_u16()?)
        } else {
            cursor.expect("registers")?;
            ArrayPlace::Registers
        };
        self.function.arrays.push(ArrayInfo { len, place });
        Ok(())
    }

    /// `loop %1 = %0 %3 = 0x0 {`
    fn repeat(&mut self, cursor: &mut Cursor<'_>, start: Cursor<'_>) -> Reading<()> {
        let mut params = Vec::new();
        while !cursor.eat("{") {
            let value = self.define(cursor, ValueDef::Phi)?;
            cursor.expect("=")?;
            params.push(LoopParam { value, init: cursor.operand()? });
        }
        self.open(start, Block::Loop(params))
    }

    /// Parses the end of a region after its `}`.
    fn close(&mut self, cursor: &mut Cursor<'_>, start: Cursor<'_>) -> Reading<()> {
        let outer = self.outer.pop().ok_or_else(|| start.error(ParseErrorKind::NothingOpen))?;
        let Open { region, block } = std::mem::replace(&mut self.inner, outer);
        let is_else = cursor.eat("else");
        let (condition, then, otherwise) = match block {
            Block::Then(condition) if is_else => {
                cursor.expect("{")?;
                return self.open(start, Block::Otherwise(condition, region));
            }
            Block::Then(condition) => (condition, region, Region::default()),
            Block::Otherwise(condition, then) if !is_else => (condition, then, region),
            Block::Loop(params) if !is_else => {
                let mut results = Vec::new();
                while !cursor.is_at_end() {
                    results.push(self.define(cursor, ValueDef::Phi)?);
                }
                let body = Loop { params, body: region, results };
                self.push(Node::Loop(Box::new(body)));
                return Ok(());
            }
            Block::Body | Block::Otherwise(..) | Block::Loop(_) => {
                return Err(start.error(ParseErrorKind::NothingOpen));
            }
        };
        let mut phis = Vec::new();
        while !cursor.is_at_end() {
            let value = self.define(cursor, ValueDef::Phi)?;
            let (then, otherwise) = arms(cursor)?;
            phis.push(Phi { value, then, otherwise });
        }
        self.push(Node::If(Box::new(If { condition, then, otherwise, phis })));
        Ok(())
    }
}

/// `= (%1, %2)`
fn arms(cursor: &mut Cursor<'_>) -> Reading<(Operand, Operand)> {
    cursor.expect("=")?;
    cursor.expect("(")?;
    let then = cursor.operand()?;
    cursor.expect(",")?;
    let otherwise = cursor.operand()?;
    cursor.expect(")")?;
    Ok((then, otherwise))
}
