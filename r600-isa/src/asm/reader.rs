//! Reading a listing line by line.

use std::collections::HashMap;
use std::ops::Range;

use crate::{Cf, CfFlow, CfOp, Clause, ClauseId, FetchInst, Generation, Program, Slot};

use super::alu::{self, AluContext};
use super::cf::{CfContext, CfLine, ClauseProperties, Target};
use super::cursor::Cursor;
use super::group::PendingGroup;
use super::layout::{Data, Wanted};
use super::names::{self, Op};
use super::{Assembly, Code, Diagnostic, Parsed, SourceMap, StateVariable, fetch};

/// Slots that an ALU clause counts.
const MAX_SLOTS: usize = 128;

/// Reads a listing.
pub(super) fn read(text: &str, generation: Generation) -> Assembly {
    let mut reader = Reader::new(text, generation);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        reader.line(start, line);
        start += line.len();
    }
    reader.finish()
}

/// The clause whose lines are read.
struct OpenClause {
    cf: usize,
    properties: ClauseProperties,
    is_fetch: bool,
    /// Whether numbers begin groups; before the first group it is not known.
    is_numbered: Option<bool>,
    group: PendingGroup,
    parts: Vec<Part>,
    spans: Vec<Range<usize>>,
    span: Range<usize>,
    /// Whether a line of it could not be read.
    is_broken: bool,
}

/// A part of a clause.
enum Part {
    Group(crate::AluGroup),
    Fetch(FetchInst),
    Words(Vec<u32>),
}

struct Reader<'t> {
    text: &'t str,
    generation: Generation,
    program: Program,
    source_map: SourceMap,
    state: Vec<StateVariable>,
    diagnostics: Vec<Diagnostic>,
    labels: HashMap<&'t str, (usize, Range<usize>)>,
    jumps: Vec<(usize, Target<'t>, Range<usize>)>,
    /// Instructions that run a clause of another line, by its address.
    shared: Vec<(usize, u32, Range<usize>)>,
    defines: HashMap<&'t str, &'t str>,
    wanted: Wanted,
    clause: Option<OpenClause>,
    end: Option<Range<usize>>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, generation: Generation) -> Self {
        Self {
            text,
            generation,
            program: Program::new(generation),
            source_map: SourceMap { len: text.len(), ..SourceMap::default() },
            state: Vec::new(),
            diagnostics: Vec::new(),
            labels: HashMap::new(),
            jumps: Vec::new(),
            shared: Vec::new(),
            defines: HashMap::new(),
            wanted: Wanted::default(),
            clause: None,
            end: None,
        }
    }

    /// A mistake in a line is told, and the next line is read.
    fn tell(&mut self, result: Parsed<()>) {
        if let Err(diagnostic) = result {
            self.diagnostics.push(diagnostic);
        }
    }

    fn line(&mut self, start: usize, line: &'t str) {
        let (code, comment) = line.split_once(';').unwrap_or((line, ""));
        self.state.extend(StateVariable::read(comment));
        let cursor = Cursor::new(self.text, start..start + code.trim_end().len());
        if !cursor.is_at_end() {
            let result = self.statement(cursor);
            self.tell(result);
        }
    }

    fn statement(&mut self, mut cursor: Cursor<'t>) -> Parsed<()> {
        let start = cursor.at();
        let number = cursor.number();
        if number.is_some() && cursor.is_at_end() {
            return Err(cursor.unexpected("an instruction"));
        }
        if cursor.peek() == Some('.') {
            return self.directive(cursor, start);
        }
        if let Some(slot) = slot_of(&mut cursor) {
            return self.slot(cursor, (slot, number.is_some()), start);
        }
        let name_at = cursor.next_span();
        let Some(name) = cursor.name() else { return Err(cursor.unexpected("an instruction")) };
        if name == "END_OF_PROGRAM" {
            self.close_clause();
            self.end.get_or_insert(name_at);
            return cursor.finish();
        }
        match names::op(name) {
            Some(Op::Cf(op)) => self.control_flow(op, cursor, name_at),
            Some(Op::Fetch(op)) => self.fetch(op, cursor, (name_at, start)),
            _ if number.is_none() && cursor.eat(":") && cursor.is_at_end() => {
                self.label(name, name_at)
            }
            Some(Op::Alu(_) | Op::Lds(_)) => {
                let message = format!("{name} needs a slot");
                let help = format!("write `x: {name}`, or y, z, w or t");
                Err(Diagnostic::new(Code::Unexpected, name_at, message).help(help))
            }
            None => {
                let message = format!("there is no instruction `{name}`");
                let help = names::nearest_op(name, |op| matches!(op, Op::Cf(_) | Op::Fetch(_)));
                Err(Diagnostic::new(Code::UnknownInstruction, name_at, message).help_if(help))
            }
        }
    }

    fn label(&mut self, name: &'t str, span: Range<usize>) -> Parsed<()> {
        self.close_clause();
        let place = (self.program.cf.len(), span.clone());
        if self.labels.insert(name, place).is_some() {
            let message = format!("there are two labels `{name}`");
            return Err(Diagnostic::new(Code::DuplicateLabel, span, message));
        }
        Ok(())
    }

    fn control_flow(&mut self, op: CfOp, mut cursor: Cursor<'t>, name: Range<usize>) -> Parsed<()> {
        self.close_clause();
        if self.end.is_some() {
            let message = "an instruction follows END_OF_PROGRAM";
            let help = "move END_OF_PROGRAM behind the last instruction";
            return Err(Diagnostic::new(Code::AfterEnd, name, message).help(help));
        }
        let cx = CfContext { text: self.text, generation: self.generation };
        let span = name.start..cursor.at() + cursor.rest().trim_end().len();
        let read = cx.read(op, &mut cursor, name);
        let line = match read {
            Ok(line) => line,
            Err(error) => {
                // The lines of its clause are read all the same: one mistake is told once.
                if matches!(op.info().kind, crate::CfKind::Alu | crate::CfKind::Fetch) {
                    self.open_clause(op, ClauseProperties::default(), span);
                }
                return Err(error);
            }
        };
        let CfLine { cf, target, clause } = line;
        if let Some((target, span)) = target {
            self.jumps.push((self.program.cf.len(), target, span));
        }
        self.push_cf(cf, span.clone());
        if matches!(cf, Cf::Alu(_) | Cf::Fetch(_)) {
            self.open_clause(op, clause, span);
        }
        Ok(())
    }

    fn push_cf(&mut self, cf: Cf, span: Range<usize>) {
        self.program.cf.push(cf);
        self.source_map.cf.push(span);
    }

    fn open_clause(&mut self, op: CfOp, properties: ClauseProperties, span: Range<usize>) {
        self.clause = Some(OpenClause {
            cf: self.program.cf.len().saturating_sub(1),
            properties,
            is_fetch: op.info().kind == crate::CfKind::Fetch,
            is_numbered: None,
            group: PendingGroup::default(),
            parts: Vec::new(),
            spans: Vec::new(),
            span,
            is_broken: false,
        });
    }

    /// An instruction of a group; `numbered` says whether a number stands before it.
    fn slot(
        &mut self,
        mut cursor: Cursor<'t>,
        (slot, numbered): (Option<Slot>, bool),
        start: usize,
    ) -> Parsed<()> {
        let cx =
            AluContext { text: self.text, generation: self.generation, defines: &self.defines };
        let span = start..cursor.at() + cursor.rest().trim_end().len();
        let pending = alu::read(cx, &mut cursor, slot, start);
        let clause = match &mut self.clause {
            Some(clause) if !clause.is_fetch => clause,
            _ => return Err(no_clause(span, "ALU")),
        };
        let first_is_numbered = *clause.is_numbered.get_or_insert(numbered);
        let starts = if first_is_numbered {
            numbered
        } else {
            let last = clause.group.insts.last();
            last.is_some_and(|last| slot <= last.slot)
        };
        clause.is_broken |= pending.is_err();
        if starts {
            self.close_group();
        }
        let pending = pending?;
        if let Some(clause) = &mut self.clause {
            clause.group.insts.push(pending);
        }
        Ok(())
    }

    fn fetch(
        &mut self,
        op: crate::FetchOp,
        mut cursor: Cursor<'t>,
        (name, start): (Range<usize>, usize),
    ) -> Parsed<()> {
        let inst = fetch::read((self.text, self.generation), op, &mut cursor, name.clone());
        let span = cursor.span_from(start);
        match &mut self.clause {
            Some(clause) if clause.is_fetch => {
                clause.is_broken |= inst.is_err();
                clause.spans.push(span);
                clause.parts.push(Part::Fetch(inst?));
                Ok(())
            }
            _ => Err(no_clause(name, "TEX")),
        }
    }

    fn close_group(&mut self) {
        let generation = self.generation;
        let Some(clause) = &mut self.clause else { return };
        let group = std::mem::take(&mut clause.group);
        let (Some(first), Some(last)) = (group.insts.first(), group.insts.last()) else { return };
        clause.spans.push(first.span.start..last.span.end);
        match group.finish(generation) {
            Ok(group) => clause.parts.push(Part::Group(group)),
            Err(error) => {
                clause.parts.push(Part::Group(crate::AluGroup::default()));
                self.diagnostics.push(error);
            }
        }
    }

    /// Ends the clause whose lines were read.
    fn close_clause(&mut self) {
        self.close_group();
        let Some(clause) = self.clause.take() else { return };
        if self.program.cf.get(clause.cf).is_none() {
            return;
        }
        if clause.parts.is_empty() {
            if !clause.is_broken {
                let result = self.share_clause(clause);
                self.tell(result);
            }
            return;
        }
        let OpenClause { cf, properties, is_fetch, parts, spans, span, .. } = clause;
        let body = joined(parts, self.generation, is_fetch);
        let (count, max) = if is_fetch {
            (body.count() as usize, self.generation.max_fetches().max(MAX_FETCHES))
        } else {
            (body.count() as usize, MAX_SLOTS)
        };
        let max = if is_fetch && self.generation <= Generation::R700 {
            self.generation.max_fetches()
        } else {
            max
        };
        if count > max {
            let message = format!("the clause has {count} entries, and {max} can be");
            let help = "split it: begin a second clause";
            self.diagnostics
                .push(Diagnostic::new(Code::ClauseTooLong, span.clone(), message).help(help));
        }
        if let Some((said, at)) = &properties.count
            && *said as usize != count
        {
            let message = format!("the clause has {count} entries, not {said}");
            let help = "leave CNT out: the assembler counts";
            self.diagnostics
                .push(Diagnostic::new(Code::WrongCount, at.clone(), message).help(help));
        }
        let id = self.program.add_clause(body);
        self.wanted.clauses.push((properties, span));
        self.source_map.bodies.push(spans);
        set_clause(&mut self.program.cf[cf], id);
    }

    /// A line without a clause of its own runs the clause at the address that it names.
    fn share_clause(&mut self, clause: OpenClause) -> Parsed<()> {
        match clause.properties.address {
            Some((address, span)) => {
                self.shared.push((clause.cf, address, span));
                Ok(())
            }
            None => {
                let message = "the clause is empty";
                let help = "write its instructions below, or ADDR(…) for a clause of another line";
                Err(Diagnostic::new(Code::EmptyClause, clause.span, message).help(help))
            }
        }
    }

    fn directive(&mut self, mut cursor: Cursor<'t>, start: usize) -> Parsed<()> {
        cursor.expect(".")?;
        let name_at = start..cursor.next_span().end;
        let name = cursor.name().unwrap_or("");
        match name {
            "cf" => {
                self.close_clause();
                let words = words(&mut cursor)?;
                let span = cursor.span_from(start);
                let [a, b] = words[..] else { return Err(word_count(span, "two words")) };
                self.push_cf(Cf::Raw([a, b]), span);
                Ok(())
            }
            "word" => self.raw_words(cursor, start),
            "literal" => self.literals(cursor, start),
            "data" => {
                self.close_clause();
                let at = cursor.number().ok_or_else(|| cursor.unexpected("a place, in words"))?;
                cursor.expect(":")?;
                let words = words(&mut cursor)?;
                self.wanted.data.push(Data { at, words, span: cursor.span_from(start) });
                Ok(())
            }
            "size" => {
                self.close_clause();
                let size = cursor.number().ok_or_else(|| cursor.unexpected("a number of words"))?;
                self.wanted.size = Some((size, cursor.span_from(start)));
                cursor.finish()
            }
            "generation" => self.check_generation(cursor),
            "define" => self.define(cursor),
            _ => {
                let known =
                    ["cf", "word", "literal", "data", "size", "generation", "define"].into_iter();
                let help =
                    names::nearest(name, known).map(|near| format!("did you mean `.{near}`?"));
                let message = format!("there is no directive `.{name}`");
                Err(Diagnostic::new(Code::UnknownDirective, name_at, message).help_if(help))
            }
        }
    }

    fn raw_words(&mut self, mut cursor: Cursor<'t>, start: usize) -> Parsed<()> {
        let words = words(&mut cursor)?;
        let span = cursor.span_from(start);
        self.close_group();
        let Some(clause) = &mut self.clause else { return Err(no_clause(span, "ALU")) };
        clause.spans.push(span.clone());
        match words[..] {
            [a, b, c, d] if clause.is_fetch => {
                clause.parts.push(Part::Fetch(FetchInst::Raw([a, b, c, d])));
            }
            _ if clause.is_fetch => return Err(word_count(span, "four words")),
            [_, _] => clause.parts.push(Part::Words(words)),
            _ => return Err(word_count(span, "two words")),
        }
        Ok(())
    }

    /// The literals of the group before.
    fn literals(&mut self, mut cursor: Cursor<'t>, start: usize) -> Parsed<()> {
        let words = words(&mut cursor)?;
        let span = cursor.span_from(start);
        let Some(clause) = self.clause.as_mut().filter(|clause| !clause.group.insts.is_empty())
        else {
            return Err(no_clause(span, "ALU"));
        };
        match words.as_slice().try_into() {
            Ok(words) => {
                clause.group.literals = Some(words);
                Ok(())
            }
            Err(_) => Err(word_count(span, "up to four words")),
        }
    }

    fn check_generation(&self, mut cursor: Cursor<'t>) -> Parsed<()> {
        let span = cursor.next_span();
        let unknown = cursor.unexpected("r600, r700, evergreen, cayman or a chip");
        let name = cursor.name().unwrap_or("");
        let own = Generation::from_name(name).ok_or(unknown)?;
        if own != self.generation {
            let (own, other) = (own.name(), self.generation.name());
            let message = format!("the listing is for {own}, and it is assembled for {other}");
            let help = format!("assemble it for {own}");
            return Err(Diagnostic::new(Code::OtherGeneration, span, message).help(help));
        }
        cursor.finish()
    }

    /// `.define NAME OPERAND`.
    fn define(&mut self, mut cursor: Cursor<'t>) -> Parsed<()> {
        let Some(name) = cursor.name() else { return Err(cursor.unexpected("a name")) };
        let text = cursor.rest().trim();
        if text.is_empty() {
            return Err(cursor.unexpected("an operand"));
        }
        self.defines.insert(name, text);
        Ok(())
    }

    fn finish(mut self) -> Assembly {
        self.close_clause();
        self.end_program();
        self.resolve_jumps();
        match std::mem::take(&mut self.wanted).layout(&self.program) {
            Ok(layout) => self.program.layout = layout,
            Err(error) => self.diagnostics.push(error),
        }
        self.resolve_shared();
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        Assembly {
            program: self.program,
            source_map: self.source_map,
            state: self.state,
            diagnostics: self.diagnostics,
        }
    }

    /// Marks the last instruction, or adds one that can be marked.
    fn end_program(&mut self) {
        let Some(span) = self.end.clone() else { return };
        let is_cayman = self.generation == Generation::Cayman;
        let marked = self.program.cf.last_mut().is_some_and(|cf| mark_end(cf, is_cayman));
        if !marked {
            let op = if is_cayman { CfOp::CfEnd } else { CfOp::Nop };
            self.push_cf(Cf::Flow(CfFlow { end_of_program: !is_cayman, ..CfFlow::new(op) }), span);
        }
    }

    fn resolve_jumps(&mut self) {
        for (cf, target, span) in std::mem::take(&mut self.jumps) {
            let resolved = self.resolve(cf, &target, span);
            match (resolved, self.program.cf.get_mut(cf)) {
                (Ok(target), Some(Cf::Flow(flow))) => flow.target = target,
                (Err(error), _) => self.diagnostics.push(error),
                (Ok(_), _) => {}
            }
        }
    }

    fn resolve(&self, cf: usize, target: &Target<'t>, span: Range<usize>) -> Parsed<u32> {
        match target {
            Target::Next => Ok(cf as u32 + 1),
            Target::Label(name) => match self.labels.get(name) {
                Some((at, _)) => Ok(*at as u32),
                None => {
                    let near = names::nearest(name, self.labels.keys().copied());
                    let help = near.map_or_else(
                        || format!("put a line `{name}:` before the instruction it goes to"),
                        |near| format!("did you mean `{near}`?"),
                    );
                    let message = format!("there is no label `{name}`");
                    Err(Diagnostic::new(Code::UnknownLabel, span, message).help(help))
                }
            },
            Target::Address(address) => {
                let mut next = 0;
                let mut starts = self.program.cf.iter().map(|cf| {
                    let start = next;
                    next += cf.num_units();
                    start
                });
                if let Some(at) = starts.position(|start| start == *address) {
                    return Ok(at as u32);
                }
                if next == *address {
                    return Ok(self.program.cf.len() as u32);
                }
                let message = format!("no control-flow instruction lies at {address}");
                Err(Diagnostic::new(Code::Address, span, message))
            }
        }
    }

    fn resolve_shared(&mut self) {
        if self.shared.is_empty() {
            return;
        }
        let addresses = self.program.clause_addresses();
        for (cf, address, span) in std::mem::take(&mut self.shared) {
            let is_fetch = matches!(self.program.cf[cf], Cf::Fetch(_));
            let found = addresses.iter().zip(&self.program.clauses).position(|(own, clause)| {
                *own == address && matches!(clause, Clause::Fetch(_)) == is_fetch
            });
            match found {
                Some(id) => set_clause(&mut self.program.cf[cf], ClauseId(id as u32)),
                None => {
                    let message = format!("no clause of this kind lies at {address}");
                    self.diagnostics.push(Diagnostic::new(Code::Address, span, message));
                }
            }
        }
    }
}

/// Fetches that the instruction of a clause can count on Evergreen and Cayman; hardware runs fewer.
const MAX_FETCHES: usize = 64;

/// The slot before a colon; the inner option is `None` for `?`.
fn slot_of(cursor: &mut Cursor<'_>) -> Option<Option<Slot>> {
    let mut ahead = cursor.clone();
    let slot = if ahead.eat("?") {
        None
    } else {
        let letter = ahead.name()?;
        let own = Slot::ALL
            .into_iter()
            .find(|slot| letter.len() == 1 && letter.starts_with(slot.letter()));
        Some(own?)
    };
    if !ahead.eat(":") {
        return None;
    }
    *cursor = ahead;
    Some(slot)
}

fn set_clause(cf: &mut Cf, id: ClauseId) {
    match cf {
        Cf::Alu(alu) => alu.clause = id,
        Cf::Fetch(fetch) => fetch.clause = id,
        Cf::Flow(_) | Cf::Export(_) | Cf::Memory(_) | Cf::Sync(_) | Cf::Raw(_) => {}
    }
}

/// Sets the bit that ends a program; false where the instruction cannot have it.
fn mark_end(cf: &mut Cf, is_cayman: bool) -> bool {
    if is_cayman {
        return matches!(cf, Cf::Flow(flow) if flow.op == CfOp::CfEnd);
    }
    let end = match cf {
        Cf::Fetch(fetch) => &mut fetch.end_of_program,
        Cf::Flow(flow) => &mut flow.end_of_program,
        Cf::Export(export) => &mut export.end_of_program,
        Cf::Memory(memory) => &mut memory.end_of_program,
        Cf::Sync(sync) => &mut sync.end_of_program,
        Cf::Alu(_) | Cf::Raw(_) => return false,
    };
    *end = true;
    true
}

/// The clause of its parts; words where any part is.
fn joined(parts: Vec<Part>, generation: Generation, is_fetch: bool) -> Clause {
    if is_fetch {
        let fetches = parts.into_iter().filter_map(|part| match part {
            Part::Fetch(fetch) => Some(fetch),
            Part::Group(_) | Part::Words(_) => None,
        });
        return Clause::Fetch(fetches.collect());
    }
    let has_words = parts.iter().any(|part| matches!(part, Part::Words(_)));
    let mut groups = Vec::new();
    let mut words = Vec::new();
    for part in parts {
        match part {
            // What cannot be encoded was told when it was read.
            Part::Group(group) if has_words => {
                let _ = group.encode(generation, &mut words);
            }
            Part::Group(group) => groups.push(group),
            Part::Words(own) => words.extend(own),
            Part::Fetch(_) => {}
        }
    }
    if has_words { Clause::Raw(words) } else { Clause::Alu(groups) }
}

/// `0x1, 0x2` to the end of the line.
fn words(cursor: &mut Cursor<'_>) -> Parsed<Vec<u32>> {
    let mut words = vec![cursor.word()?];
    while cursor.eat(",") {
        words.push(cursor.word()?);
    }
    cursor.finish()?;
    Ok(words)
}

fn word_count(span: Range<usize>, wanted: &str) -> Diagnostic {
    Diagnostic::new(Code::OperandCount, span, format!("the line needs {wanted}"))
}

fn no_clause(span: Range<usize>, kind: &str) -> Diagnostic {
    let message = format!("the line stands in no {kind} clause");
    let help = format!("put a line `{kind}:` before it");
    Diagnostic::new(Code::NoClause, span, message).help(help)
}
