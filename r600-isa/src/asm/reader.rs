//! Reading a listing line by line.

mod clause;
mod directive;
mod finish;
mod open;

use std::collections::HashMap;
use std::ops::Range;

use crate::{Cf, CfOp, Generation, Program, Slot};

use self::open::{OpenClause, Part};

use super::Dialect;
use super::alu::{self, AluContext};
use super::cf::{CfContext, CfLine, ClauseProperties, Target};
use super::cursor::Cursor;
use super::layout::Wanted;
use super::names::{self, Op};
use super::{Assembly, Code, Diagnostic, Parsed, SourceMap, StateVariable, fetch};

/// Reads a listing.
pub(super) fn read(text: &str, generation: Generation, dialect: Dialect) -> Assembly {
    let mut reader = Reader::new(text, generation, dialect);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        reader.line(start, line);
        start += line.len();
    }
    reader.finish()
}

struct Reader<'t> {
    text: &'t str,
    generation: Generation,
    dialect: Dialect,
    program: Program,
    source_map: SourceMap,
    state: Vec<StateVariable>,
    diagnostics: Vec<Diagnostic>,
    labels: HashMap<&'t str, (usize, Range<usize>)>,
    jumps: Vec<(usize, Target<'t>, Range<usize>)>,
    /// Instructions that share the clause of another line, with its address.
    shared: Vec<(usize, u32, Range<usize>)>,
    defines: HashMap<&'t str, &'t str>,
    wanted: Wanted,
    clause: Option<OpenClause>,
    end: Option<Range<usize>>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, generation: Generation, dialect: Dialect) -> Self {
        Self {
            text,
            generation,
            dialect,
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

    /// Records the error of a line, if any, so that reading goes on with the next.
    fn tell(&mut self, result: Parsed<()>) {
        if let Err(diagnostic) = result {
            self.diagnostics.push(diagnostic);
        }
    }

    fn line(&mut self, start: usize, line: &'t str) {
        let (code, comment) = line.split_once(';').unwrap_or((line, ""));
        self.state.extend(StateVariable::read(comment, start + line.len() - comment.len()));
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
            let help = "move END_OF_PROGRAM after the last instruction";
            return Err(Diagnostic::new(Code::AfterEnd, name, message).help(help));
        }
        let cx = CfContext { text: self.text, generation: self.generation };
        let span = name.start..cursor.at() + cursor.rest().trim_end().len();
        let read = cx.read(op, &mut cursor, name);
        let line = match read {
            Ok(line) => line,
            Err(error) => {
                // The lines of its clause are still read, so that one mistake gives one error.
                if matches!(op.info().kind, crate::CfKind::Alu | crate::CfKind::Fetch) {
                    self.open_clause(op, ClauseProperties::default(), span);
                }
                return Err(error);
            }
        };
        let CfLine { mut cf, target, clause } = line;
        if let Cf::Export(export) = &mut cf
            && self.dialect == Dialect::Latte
            && !self.text[span.clone()].contains("ELEM_SIZE")
        {
            export.elem_size = 0;
        }
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

    /// Reads an instruction of a group; `numbered` tells whether a number precedes it.
    fn slot(
        &mut self,
        mut cursor: Cursor<'t>,
        (slot, numbered): (Option<Slot>, bool),
        start: usize,
    ) -> Parsed<()> {
        let cx = AluContext {
            text: self.text,
            generation: self.generation,
            dialect: self.dialect,
            defines: &self.defines,
        };
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
                clause.lines.push(vec![span]);
                clause.parts.push(Part::Fetch(inst?));
                Ok(())
            }
            _ => Err(no_clause(name, "TEX")),
        }
    }
}

/// Reads the slot before a colon; the inner option is `None` for `?`.
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

fn no_clause(span: Range<usize>, kind: &str) -> Diagnostic {
    let message = format!("the line stands in no {kind} clause");
    let help = format!("put a line `{kind}:` before it");
    Diagnostic::new(Code::NoClause, span, message).help(help)
}
