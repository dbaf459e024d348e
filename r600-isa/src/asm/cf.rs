//! Lines of the control-flow list.

use std::ops::Range;

use crate::codec::{FieldValue, Form, TextValue};
use crate::listing::FIRST_POSITION;
use crate::names::rat_op;
use crate::{
    Cf, CfAlu, CfExport, CfFetch, CfFlow, CfIndex, CfKind, CfMemory, CfOp, CfRat, CfSync, ClauseId,
    ExportKind, Generation, KcacheMode, KcacheWindow, MemoryAccess, MemoryType, SyncOp,
};

use super::cursor::Cursor;
use super::gpr::{al_plus, register, selects, too_large};
use super::names;
use super::property::Property;
use super::{Code, Diagnostic, Parsed};

/// The target of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target<'t> {
    /// A label.
    Label(&'t str),
    /// An address, in 64-bit units.
    Address(u32),
    /// The instruction after it.
    Next,
}

/// Clause placement given on a line.
#[derive(Clone, Debug, Default)]
pub(super) struct ClauseProperties {
    /// Its address.
    pub(super) address: Option<(u32, Range<usize>)>,
    /// Alignment of its address.
    pub(super) align: Option<u32>,
    /// Its length.
    pub(super) count: Option<(u32, Range<usize>)>,
}

/// A line of the list.
#[derive(Clone, Debug)]
pub(super) struct CfLine<'t> {
    pub(super) cf: Cf,
    pub(super) target: Option<(Target<'t>, Range<usize>)>,
    pub(super) clause: ClauseProperties,
}

/// Context for reading lines.
#[derive(Clone, Copy)]
pub(super) struct CfContext<'t> {
    pub(super) text: &'t str,
    pub(super) generation: Generation,
}

impl<'t> CfContext<'t> {
    /// Reads the rest of a line after the name of its operation, which is at `name`.
    pub(super) fn read(
        self,
        op: CfOp,
        cursor: &mut Cursor<'t>,
        name: Range<usize>,
    ) -> Parsed<CfLine<'t>> {
        self.exists(op, name.clone())?;
        cursor.eat(":");
        match op.info().kind {
            CfKind::Alu => self.alu(op, cursor),
            CfKind::Fetch => self.fetch(op, cursor),
            CfKind::Export => self.export(op, cursor),
            CfKind::Mem | CfKind::Stream | CfKind::Rat => self.memory(op, cursor),
            CfKind::Plain if op == CfOp::WaveSync => self.sync(cursor),
            CfKind::Plain | CfKind::Loop | CfKind::Branch | CfKind::Call | CfKind::Geom => {
                self.flow(op, cursor, name)
            }
            CfKind::AluExtended => {
                let message = "this instruction belongs to the ALU clause that follows";
                let help = "lock windows 2 and 3 in the line of the clause, as in \
                            `ALU: KCACHE2(CB1:0-15)`, or write EXTENDED there";
                Err(Diagnostic::new(Code::Unexpected, name, message).help(help))
            }
        }
    }

    /// Checks that the generation has the operation, whose name is at `name`.
    pub(super) fn exists(self, op: CfOp, name: Range<usize>) -> Parsed<()> {
        if op.opcode(self.generation).is_some() {
            return Ok(());
        }
        let message = format!("{} has no {}", self.generation.name(), op.name());
        let help = names::generations(op.info().opcode);
        Err(Diagnostic::new(Code::NotOnGeneration, name, message).help(help))
    }

    fn properties(
        self,
        cursor: &mut Cursor<'t>,
        mut apply: impl FnMut(&Property<'t>) -> Parsed<()>,
    ) -> Parsed<()> {
        let mut seen = Vec::new();
        while let Some(property) = Property::read_new(cursor, self.text, &mut seen)? {
            apply(&property)?;
        }
        Ok(())
    }

    fn alu(self, op: CfOp, cursor: &mut Cursor<'t>) -> Parsed<CfLine<'t>> {
        let mut alu = CfAlu::new(op, ClauseId(0));
        let mut clause = ClauseProperties::default();
        self.properties(cursor, |property| {
            if clause.take(property)? {
                return Ok(());
            }
            if let Some(set) = property.name.strip_prefix("KCACHE") {
                return self.window(property, set, &mut alu);
            }
            match property.name {
                "NO_BARRIER" => alu.barrier = property.without_argument().map(|()| false)?,
                "EXTENDED" => alu.extended = property.without_argument().map(|()| true)?,
                _ => {
                    return property.apply(self.generation, |io| alu.describe(io, &mut 0, &mut 0));
                }
            }
            Ok(())
        })?;
        Ok(CfLine { cf: Cf::Alu(alu), target: None, clause })
    }

    /// Reads `KCACHE0(CB2:16-31)`.
    fn window(self, property: &Property<'t>, set: &str, alu: &mut CfAlu) -> Parsed<()> {
        let has_four = matches!(self.generation, Generation::Evergreen | Generation::Cayman);
        let num_sets = if has_four { 4 } else { 2 };
        let set = set.parse::<usize>().ok().filter(|set| *set < num_sets).ok_or_else(|| {
            let message = format!("{} has {num_sets} windows", self.generation.name());
            Diagnostic::new(Code::NotOnGeneration, property.span.clone(), message)
        })?;
        let Some(mut argument) = property.argument.clone() else {
            let message = "a window needs a range to lock, as in KCACHE0(CB1:0-15)";
            return Err(Diagnostic::new(Code::Unexpected, property.span.clone(), message));
        };
        alu.kcache[set] = read_window(&mut argument, property.span.clone())?;
        argument.finish()
    }

    fn fetch(self, op: CfOp, cursor: &mut Cursor<'t>) -> Parsed<CfLine<'t>> {
        let mut fetch = CfFetch::new(op, ClauseId(0));
        let mut clause = ClauseProperties::default();
        self.properties(cursor, |property| {
            if clause.take(property)? {
                return Ok(());
            }
            if ends(property, [&mut fetch.end_of_program, &mut fetch.barrier])? {
                return Ok(());
            }
            property.apply(self.generation, |io| fetch.describe(io, &mut 0, &mut 0))
        })?;
        Ok(CfLine { cf: Cf::Fetch(fetch), target: None, clause })
    }

    fn flow(self, op: CfOp, cursor: &mut Cursor<'t>, name: Range<usize>) -> Parsed<CfLine<'t>> {
        let mut flow = CfFlow::new(op);
        let mut target = None;
        self.properties(cursor, |property| {
            if ends(property, [&mut flow.end_of_program, &mut flow.barrier])? {
                return Ok(());
            }
            let is_address = matches!(property.name, "ADDR" | "FAIL_JUMP_ADDR" | "PASS_JUMP_ADDR");
            match property.name {
                _ if op.has_target() && is_address => {
                    let address = Target::Address(property.number()?);
                    target = Some((address, property.span.clone()));
                }
                label if op.has_target() && target.is_none() && is_label(property) => {
                    target = Some((Target::Label(label), property.span.clone()));
                }
                _ => {
                    let mut addr = flow.target;
                    property.apply(self.generation, |io| flow.describe(io, &mut addr))?;
                    flow.target = addr;
                }
            }
            Ok(())
        })?;
        if op.has_target() && target.is_none() {
            if op != CfOp::Pop {
                let message = format!("{} needs a target", op.name());
                let help = format!("name a label, as in `{} L4`, with a line `L4:`", op.name());
                return Err(Diagnostic::new(Code::MissingLabel, name, message).help(help));
            }
            target = Some((Target::Next, name));
        }
        Ok(CfLine { cf: Cf::Flow(flow), target, clause: ClauseProperties::default() })
    }

    fn export(self, op: CfOp, cursor: &mut Cursor<'t>) -> Parsed<CfLine<'t>> {
        let (kind, base) = export_target(cursor)?;
        cursor.expect(",")?;
        let (gpr, relative) = register(cursor)?;
        let mut export = CfExport { relative, ..CfExport::new(op, kind, base, gpr) };
        if cursor.eat(".") {
            export.sel = selects(cursor)?;
        }
        self.properties(cursor, |property| {
            if ends(property, [&mut export.end_of_program, &mut export.barrier])? {
                return Ok(());
            }
            property.apply(self.generation, |io| export.describe(io))
        })?;
        Ok(CfLine { cf: Cf::Export(export), target: None, clause: ClauseProperties::default() })
    }

    fn memory(self, op: CfOp, cursor: &mut Cursor<'t>) -> Parsed<CfLine<'t>> {
        let mut memory = self.place(op, cursor)?;
        if cursor.eat("[") {
            memory.index_gpr = register(cursor)?.0;
            cursor.expect("]")?;
        }
        cursor.expect(",")?;
        (memory.gpr, memory.relative) = register(cursor)?;
        cursor.expect(".")?;
        memory.comp_mask = mask(cursor)?;
        self.memory_properties(cursor, &mut memory)?;
        Ok(CfLine { cf: Cf::Memory(memory), target: None, clause: ClauseProperties::default() })
    }

    /// Reads `WRITE_IND 3`, or a target and the operation on it.
    pub(super) fn place(self, op: CfOp, cursor: &mut Cursor<'t>) -> Parsed<CfMemory> {
        let mut memory = CfMemory::new(op, 0);
        memory.kind = one_of(cursor, MemoryType::words(self.generation))?;
        memory.access = match memory.access {
            MemoryAccess::Base(_) => {
                let at = cursor.next_span();
                let base = cursor.number().ok_or_else(|| cursor.unexpected("a number"))?;
                let base = u16::try_from(base).map_err(|_| too_large(at, u32::from(u16::MAX)))?;
                MemoryAccess::Base(base)
            }
            MemoryAccess::Rat(_) => MemoryAccess::Rat(self.rat(cursor)?),
        };
        Ok(memory)
    }

    pub(super) fn memory_properties(
        self,
        cursor: &mut Cursor<'t>,
        memory: &mut CfMemory,
    ) -> Parsed<()> {
        self.properties(cursor, |property| {
            if ends(property, [&mut memory.end_of_program, &mut memory.barrier])? {
                return Ok(());
            }
            property.apply(self.generation, |io| memory.describe(io))
        })
    }

    /// Reads the properties of an instruction without a target.
    pub(super) fn flow_properties(self, cursor: &mut Cursor<'t>, flow: &mut CfFlow) -> Parsed<()> {
        self.properties(cursor, |property| {
            if ends(property, [&mut flow.end_of_program, &mut flow.barrier])? {
                return Ok(());
            }
            let mut addr = flow.target;
            property.apply(self.generation, |io| flow.describe(io, &mut addr))?;
            flow.target = addr;
            Ok(())
        })
    }

    /// Reads `STORE_RAW RAT1`, with or without an index.
    fn rat(self, cursor: &mut Cursor<'t>) -> Parsed<CfRat> {
        let unknown = cursor.unexpected("an operation such as STORE_RAW");
        let name = cursor.name().unwrap_or("");
        let own = name.strip_prefix("RAT_OP").and_then(|number| number.parse::<u8>().ok());
        let op = rat_op(self.generation, name).or(own.filter(|op| *op < 64)).ok_or(unknown)?;
        let unknown = cursor.unexpected("a target such as RAT0");
        let target = cursor.name().and_then(|name| name.strip_prefix("RAT")?.parse().ok());
        let id = target.filter(|id| *id < 16).ok_or(unknown)?;
        Ok(CfRat { id, index: index(cursor)?, op })
    }

    fn sync(self, cursor: &mut Cursor<'t>) -> Parsed<CfLine<'t>> {
        let mut sync = CfSync { barrier: true, op: word::<SyncOp>(cursor)?, ..CfSync::default() };
        self.properties(cursor, |property| {
            if ends(property, [&mut sync.end_of_program, &mut sync.barrier])? {
                return Ok(());
            }
            property.apply(self.generation, |io| sync.describe(io))
        })?;
        Ok(CfLine { cf: Cf::Sync(sync), target: None, clause: ClauseProperties::default() })
    }
}

impl ClauseProperties {
    /// Takes a property if it is part of the placement of the clause.
    fn take(&mut self, property: &Property<'_>) -> Parsed<bool> {
        let span = property.span.clone();
        match property.name {
            "ADDR" => self.address = Some((property.number()?, span)),
            "CNT" => self.count = Some((property.number()?, span)),
            "ALIGN" => match property.number()? {
                0 => {
                    let message = "the multiple cannot be 0";
                    return Err(Diagnostic::new(Code::OutOfRange, span, message));
                }
                align => self.align = Some(align),
            },
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Flags of instructions with a target. Any other word is the label.
const FLAGS: &[&str] = &["ELEM_LOOP", "VALID_PIX", "VPM", "WHOLE_QUAD_MODE", "WHOLE_QUAD", "WQM"];

fn is_label(property: &Property<'_>) -> bool {
    property.argument.is_none() && !FLAGS.contains(&property.name)
}

/// Reads `CB2+CF_IDX0:16-31`, `CB2:AL+16-AL+47` or `CB2:16 OFF`.
fn read_window(cursor: &mut Cursor<'_>, span: Range<usize>) -> Parsed<KcacheWindow> {
    let unknown = cursor.unexpected("a constant buffer such as CB0");
    let bank = cursor.name().and_then(|name| name.strip_prefix("CB")?.parse().ok());
    let bank = bank.filter(|bank| *bank < 16).ok_or(unknown)?;
    let index = index(cursor)?;
    cursor.expect(":")?;
    let in_loop = al_plus(cursor)?;
    let first = cursor.number().ok_or_else(|| cursor.unexpected("a number"))?;
    let mode = if cursor.eat("OFF") {
        KcacheMode::None
    } else {
        cursor.expect("-")?;
        al_plus(cursor)?;
        let last = cursor.number().ok_or_else(|| cursor.unexpected("a number"))?;
        match (last.checked_sub(first), in_loop) {
            (Some(31), true) => KcacheMode::LockLoopIndex,
            (Some(15), false) => KcacheMode::Lock1,
            (Some(31), false) => KcacheMode::Lock2,
            _ => {
                let message = "a window holds 16 or 32 vec4";
                let help = format!(
                    "lock {first}-{} or {first}-{}",
                    first.wrapping_add(15),
                    first.wrapping_add(31)
                );
                return Err(Diagnostic::new(Code::OutOfRange, span, message).help(help));
            }
        }
    };
    if first % 16 != 0 || first / 16 > 255 {
        let message = "a window begins at a multiple of 16 up to 4080";
        return Err(Diagnostic::new(Code::OutOfRange, span, message));
    }
    Ok(KcacheWindow { mode, bank, line: (first / 16) as u8, index })
}

/// Reads `+CF_IDX0`, if it is present.
fn index(cursor: &mut Cursor<'_>) -> Parsed<CfIndex> {
    if cursor.eat("+") { word::<CfIndex>(cursor) } else { Ok(CfIndex::None) }
}

/// Reads one of the words of an enum.
fn word<V: FieldValue + TextValue>(cursor: &mut Cursor<'_>) -> Parsed<V> {
    let Form::Words(words) = V::FORM else { return Err(cursor.unexpected("a word")) };
    one_of(cursor, words)
}

/// Reads one of `words`, which are in the order of their codes.
fn one_of<V: FieldValue>(cursor: &mut Cursor<'_>, words: &[&str]) -> Parsed<V> {
    let unknown = cursor.unexpected(&format!("one of {}", words.join(", ")));
    let name = cursor.name().unwrap_or("");
    let at = words.iter().position(|word| *word == name).filter(|_| !name.is_empty());
    at.and_then(|at| V::from_bits(at as u32)).ok_or(unknown)
}

/// Reads `PIX0`, `POS0`, `PARAM0`, or a target number that has none of these names.
fn export_target(cursor: &mut Cursor<'_>) -> Parsed<(ExportKind, u16)> {
    let span = cursor.next_span();
    let unknown = cursor.unexpected("a target such as PIX0, POS0 or PARAM0");
    let name = cursor.name().unwrap_or("");
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = name[letters.len()..].parse::<u16>().ok();
    let (kind, number) = match (letters, number) {
        ("PIX", Some(number)) => (ExportKind::Pixel, number),
        ("POS", Some(number)) => (ExportKind::Position, number.saturating_add(FIRST_POSITION)),
        ("POS_BASE", Some(number)) => (ExportKind::Position, number),
        ("PARAM", Some(number)) => (ExportKind::Parameter, number),
        ("SX", Some(number)) => (ExportKind::Reserved, number),
        _ => return Err(unknown),
    };
    let max = u32::from(MAX_TARGET);
    if number > MAX_TARGET { Err(too_large(span, max)) } else { Ok((kind, number)) }
}

/// The largest target number that fits in its field.
const MAX_TARGET: u16 = 0x1FFF;

/// Takes a property that ends the program or removes the barrier.
fn ends(property: &Property<'_>, [end_of_program, barrier]: [&mut bool; 2]) -> Parsed<bool> {
    match property.name {
        "NO_BARRIER" => *barrier = false,
        "EOP" => *end_of_program = true,
        _ => return Ok(false),
    }
    property.without_argument().map(|()| true)
}

/// Reads a mask such as `xy__`, each component in its own place.
fn mask(cursor: &mut Cursor<'_>) -> Parsed<u8> {
    let unknown = cursor.unexpected("a mask such as xy__");
    let text = cursor.components();
    let letters = ['x', 'y', 'z', 'w'];
    let fits = text.len() == 4 && text.chars().zip(letters).all(|(c, own)| c == own || c == '_');
    if !fits {
        return Err(unknown);
    }
    let bits = text.chars().enumerate().filter(|(_, c)| *c != '_');
    Ok(bits.fold(0, |mask, (bit, _)| mask | 1 << bit))
}
