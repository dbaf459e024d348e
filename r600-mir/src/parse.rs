//! Reads the text of functions back. [`parse()`] accepts whatever the printer writes for a function that the compiler
//! makes.
//!
//! Registers, vectors, arrays and blocks keep their numbers; operations are numbered in text order. The parser checks
//! that every name is declared, every operation has its operands, and regions nest. Callers check whether the code is
//! meaningful.

mod cursor;
mod error;
mod operand;
mod operation;
mod outside;
#[cfg(test)]
mod tests;

use arrayvec::ArrayVec;
use cranelift_entity::{EntityRef as _, EntitySet};
use r600_isa::{Chip, Hazard};

use crate::{
    Array, ArrayInfo, Block, Function, Node, Op, OpId, Origin, Region, VReg, VRegInfo, Vector,
    VectorInfo, for_each_read, for_each_write,
};

use self::cursor::{Cursor, Reading};
use self::operation::operation;

pub use self::error::{ParseError, ParseFault};

/// The deepest nesting of branches and loops.
const MAX_DEPTH: usize = 256;

/// Parses `text` as a function for `chip`. Lines that begin with `;` are comments.
///
/// # Errors
/// The first error in the text.
pub fn parse(text: &str, chip: Chip) -> Result<Function, ParseError> {
    let mut reader = Reader {
        function: Function::new(chip),
        open: vec![Open::default()],
        block: None,
        begun: EntitySet::new(),
    };
    let mut last = Cursor::new(1, "");
    for (number, line) in text.lines().enumerate() {
        last = Cursor::new(number + 1, line);
        if !last.is_at_end() && !last.rest().starts_with(';') {
            reader.line(last)?;
        }
    }
    match (reader.open.pop(), reader.open.is_empty()) {
        (Some(Open { region, kind: Kind::Body }), true) => {
            reader.function.body = region;
            Ok(reader.function)
        }
        _ => Err(last.fault(ParseFault::Unbalanced)),
    }
}

/// The construct that owns an open region.
#[derive(Debug, Default)]
enum Kind {
    #[default]
    Body,
    Then,
    /// The second arm; holds the first.
    Otherwise(Region),
    Loop,
}

/// A region that is still open.
#[derive(Debug, Default)]
struct Open {
    region: Region,
    kind: Kind,
}

struct Reader {
    function: Function,
    open: Vec<Open>,
    /// The block that is being filled.
    block: Option<Block>,
    /// Blocks that have been started.
    begun: EntitySet<Block>,
}

impl Reader {
    fn line(&mut self, mut at: Cursor<'_>) -> Reading<()> {
        if self.control(&mut at)? || self.declaration(&mut at)? {
            return at.end();
        }
        let start = at;
        let op = operation(&mut at)?;
        let origin = origin(&mut at)?;
        at.end()?;
        let Some(block) = self.block else { return Err(start.fault(ParseFault::NoBlock)) };
        let id = self.add(&start, op)?;
        self.function.origins[id] = origin;
        self.function.blocks[block].push(id);
        Ok(())
    }

    fn node(&mut self, at: &Cursor<'_>, node: Node) -> Reading<()> {
        self.block = None;
        let open = self.open.last_mut().ok_or_else(|| at.fault(ParseFault::Unbalanced))?;
        open.region.nodes.push(node);
        Ok(())
    }

    fn open(&mut self, at: &Cursor<'_>, kind: Kind) -> Reading<()> {
        self.block = None;
        if self.open.len() > MAX_DEPTH {
            return Err(at.fault(ParseFault::TooDeep));
        }
        self.open.push(Open { region: Region::default(), kind });
        Ok(())
    }

    /// Parses the start or end of a block or region; false if the line has none.
    fn control(&mut self, at: &mut Cursor<'_>) -> Reading<bool> {
        let start = *at;
        if at.eat("if {") {
            self.open(&start, Kind::Then)?;
        } else if at.eat("loop {") {
            self.open(&start, Kind::Loop)?;
        } else if at.eat("} else {") {
            self.other_arm(&start)?;
        } else if at.eat("}") {
            self.close(&start)?;
        } else if at.eat("break") {
            self.node(&start, Node::Break)?;
        } else if at.eat("continue") {
            self.node(&start, Node::Continue)?;
        } else if let Some(block) = at.find_entity("block")? {
            at.expect(":")?;
            self.begin(&start, block)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn begin(&mut self, at: &Cursor<'_>, block: Block) -> Reading<()> {
        if !self.begun.insert(block) {
            return Err(at.fault(ParseFault::Repeated(block.to_string())));
        }
        while self.function.blocks.len() <= block.index() {
            self.function.blocks.push(Vec::new());
        }
        self.node(at, Node::Block(block))?;
        self.block = Some(block);
        Ok(())
    }

    fn other_arm(&mut self, at: &Cursor<'_>) -> Reading<()> {
        match self.open.pop() {
            Some(Open { region, kind: Kind::Then }) => self.open(at, Kind::Otherwise(region)),
            _ => Err(at.fault(ParseFault::Unbalanced)),
        }
    }

    fn close(&mut self, at: &Cursor<'_>) -> Reading<()> {
        let closed = self.open.pop().ok_or_else(|| at.fault(ParseFault::Unbalanced))?;
        let node = match closed.kind {
            Kind::Body => return Err(at.fault(ParseFault::Unbalanced)),
            Kind::Then => Node::If { then: closed.region, otherwise: Region::default() },
            Kind::Otherwise(then) => Node::If { then, otherwise: closed.region },
            Kind::Loop => Node::Loop { body: closed.region },
        };
        self.node(at, node)
    }

    /// Parses a declaration; false if the line has none.
    fn declaration(&mut self, at: &mut Cursor<'_>) -> Reading<bool> {
        let start = *at;
        if at.eat("ignores ") {
            self.ignores(at)?;
        } else if at.eat("scratch ") {
            self.function.scratch = at.number()?;
        } else if at.eat("live in ") {
            while !at.is_at_end() {
                let vreg = self.vreg(at)?;
                self.function.live_in.push(vreg);
                at.eat(" ");
            }
        } else if at.eat("channels ") {
            while !at.is_at_end() {
                self.placed(at, None)?;
                at.eat(" ");
            }
        } else if let Some(vector) = at.find_entity::<Vector>("vec")? {
            self.vector(at, &start, vector)?;
        } else if let Some(array) = self.find_array(at)? {
            let len = at.number()?;
            if self.function.arrays.push(ArrayInfo { len }) != array {
                return Err(start.fault(ParseFault::Repeated(array.to_string())));
            }
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Parses `array0 = ` before a length. An element of the array is left alone.
    fn find_array(&self, at: &mut Cursor<'_>) -> Reading<Option<Array>> {
        let start = *at;
        let array = at.find_entity("array")?;
        let is_declared = at.eat(" = ");
        if !is_declared {
            *at = start;
        }
        Ok(array.filter(|_| is_declared))
    }

    fn ignores(&mut self, at: &mut Cursor<'_>) -> Reading<()> {
        while !at.is_at_end() {
            let start = *at;
            let name = at.word();
            let Some(hazard) = Hazard::from_name(name) else {
                let name = name.to_owned();
                return Err(start.fault(ParseFault::Unknown { kind: "hazard", name }));
            };
            self.function.ignored = self.function.ignored.with(hazard);
            at.eat(" ");
        }
        Ok(())
    }

    fn vector(&mut self, at: &mut Cursor<'_>, start: &Cursor<'_>, vector: Vector) -> Reading<()> {
        if self.function.vectors.next_key() != vector {
            return Err(start.fault(ParseFault::Repeated(vector.to_string())));
        }
        self.function.vectors.push(VectorInfo { members: ArrayVec::new(), gpr: None });
        at.expect(" =")?;
        while !at.is_at_end() {
            at.expect(" ")?;
            if at.eat("in R") {
                let gpr = at.number()?;
                self.function.vectors[vector].gpr = Some(gpr);
                return Ok(());
            }
            let member = self.placed(at, Some(vector))?;
            let members = &mut self.function.vectors[vector].members;
            if members.try_push(member).is_err() {
                return at.expected("at most four members");
            }
        }
        Ok(())
    }

    /// Parses a register with its channel, as a member of `vector` if there is one.
    fn placed(&mut self, at: &mut Cursor<'_>, vector: Option<Vector>) -> Reading<VReg> {
        let start = *at;
        let vreg = self.vreg(at)?;
        let chan =
            if vector.is_none() || at.rest().starts_with('.') { Some(at.channel()?) } else { None };
        let is_known = self.function.vregs[vreg] != VRegInfo::default();
        let members = vector.map(|vector| &self.function.vectors[vector].members);
        if is_known || members.is_some_and(|members| members.contains(&vreg)) {
            return Err(start.fault(ParseFault::Repeated(vreg.to_string())));
        }
        self.function.vregs[vreg] = VRegInfo { vector, chan };
        Ok(vreg)
    }

    fn vreg(&mut self, at: &mut Cursor<'_>) -> Reading<VReg> {
        let vreg = at.entity("r", "a register `rN`")?;
        self.know(vreg);
        Ok(vreg)
    }

    /// Creates registers up to `vreg`.
    fn know(&mut self, vreg: VReg) {
        while self.function.vregs.len() <= vreg.index() {
            self.function.vregs.push(VRegInfo::default());
        }
    }

    /// Adds an operation; its arrays must be declared.
    fn add(&mut self, at: &Cursor<'_>, op: Op) -> Reading<OpId> {
        for_each_read(&op, |vreg| self.know(vreg));
        for_each_write(&op, |vreg| self.know(vreg));
        let arrays = &self.function.arrays;
        if let Some(array) = operation::arrays(&op).into_iter().find(|&a| !arrays.is_valid(a)) {
            return Err(at.fault(ParseFault::Undeclared(array.to_string())));
        }
        Ok(self.function.ops.push(op))
    }
}

/// `@5` at the end of an operation.
fn origin(at: &mut Cursor<'_>) -> Reading<Option<Origin>> {
    at.eat(" ");
    at.find_entity("@")
}
