//! Work deferred to the last line: the end of the program, jumps, and shared clauses.

use std::collections::HashMap;
use std::ops::Range;

use crate::asm::cf::Target;
use crate::asm::{Assembly, Code, Diagnostic, Parsed, names};
use crate::{Cf, CfFlow, CfOp, Clause, ClauseId, Generation};

use super::Reader;
use super::clause::set_clause;

/// Number of unknown labels for which a similar one is sought. Each must be compared with all labels of the program.
const MAX_COMPARED: usize = 16;

impl<'t> Reader<'t> {
    pub(super) fn finish(mut self) -> Assembly {
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

    /// Sets the end-of-program bit of the last instruction, or adds an instruction that can have it.
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
        let addresses = self.program.cf_addresses();
        let mut unknown = 0;
        for (cf, target, span) in std::mem::take(&mut self.jumps) {
            let resolved = match target {
                Target::Next => Ok(cf as u32 + 1),
                Target::Label(name) => match self.labels.get(name) {
                    Some((at, _)) => Ok(*at as u32),
                    None => {
                        unknown += 1;
                        Err(self.unknown_label(name, span, unknown))
                    }
                },
                Target::Address(address) => find_address(&addresses, address, span),
            };
            match (resolved, self.program.cf.get_mut(cf)) {
                (Ok(target), Some(Cf::Flow(flow))) => flow.target = target,
                (Err(error), _) => self.diagnostics.push(error),
                (Ok(_), _) => {}
            }
        }
    }

    /// The diagnostic for the unknown label `name`; `number` counts unknown labels from 1.
    fn unknown_label(&self, name: &str, span: Range<usize>, number: usize) -> Diagnostic {
        let near = match number {
            0..=MAX_COMPARED => names::nearest(name, self.labels.keys().copied()),
            _ => None,
        };
        let help = near.map_or_else(
            || format!("put a line `{name}:` before the instruction it goes to"),
            |near| format!("did you mean `{near}`?"),
        );
        let message = format!("there is no label `{name}`");
        Diagnostic::new(Code::UnknownLabel, span, message).help(help)
    }

    fn resolve_shared(&mut self) {
        if self.shared.is_empty() {
            return;
        }
        // If clauses share an address, the first one is used.
        let mut clauses = HashMap::new();
        let addresses = self.program.clause_addresses();
        for (id, (address, clause)) in (0..).zip(addresses.iter().zip(&self.program.clauses)) {
            let is_fetch = matches!(clause, Clause::Fetch(_));
            clauses.entry((*address, is_fetch)).or_insert(ClauseId(id));
        }
        for (cf, address, span) in std::mem::take(&mut self.shared) {
            let is_fetch = matches!(self.program.cf[cf], Cf::Fetch(_));
            match clauses.get(&(address, is_fetch)) {
                Some(id) => set_clause(&mut self.program.cf[cf], *id),
                None => {
                    let message = format!("no clause of this kind lies at {address}");
                    self.diagnostics.push(Diagnostic::new(Code::Address, span, message));
                }
            }
        }
    }
}

/// The index of the instruction at `address`. `addresses` holds the addresses of all instructions, in order, and that
/// of the end.
fn find_address(addresses: &[u32], address: u32, span: Range<usize>) -> Parsed<u32> {
    addresses.binary_search(&address).map(|at| at as u32).map_err(|_| {
        let message = format!("no control-flow instruction lies at {address}");
        Diagnostic::new(Code::Address, span, message)
    })
}

/// Sets the end-of-program bit; false if the instruction cannot have it.
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
