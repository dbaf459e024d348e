//! Rows of kills: their side effects.

use super::book::{Book, Row};
use super::terms::{Inst, Term};

impl Book {
    /// A row's results are proved equal. That also means the same killed lanes if the result is that of a kill, or of
    /// several joined, and the operations contain no other kill.
    pub(super) fn check_kills(&self, row: &Row) -> Result<(), String> {
        let is_kept = match self.kills(&row.from.op) {
            true => self.is_kill(&row.to),
            false => !self.has_kill(&row.to),
        };
        if !is_kept || row.from.args.iter().any(|arg| self.has_kill(arg)) {
            return Err("a kill becomes a kill, or several joined by OR_INT".to_owned());
        }
        Ok(())
    }

    fn kills(&self, op: &str) -> bool {
        self.operations.get(op).is_some_and(|op| op.kills)
    }

    /// Whether the result of `term` determines the lanes that its kills kill.
    fn is_kill(&self, term: &Term) -> bool {
        let Term::Inst(Inst { op, args, .. }) = term else { return false };
        match op.as_str() {
            "OR_INT" => args.iter().all(|arg| self.is_kill(arg)),
            _ => self.kills(op) && !args.iter().any(|arg| self.has_kill(arg)),
        }
    }

    fn has_kill(&self, term: &Term) -> bool {
        let mut found = false;
        term.walk(&mut |term| {
            found |= matches!(term, Term::Inst(inst) if self.kills(&inst.op));
        });
        found
    }
}
