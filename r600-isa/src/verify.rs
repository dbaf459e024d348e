//! The verifier: checks a program against the hardware rules that its words alone can break.
//!
//! Each rule is a row of the table in [`Rule`]: a stable code, a severity and a requirement. One function checks one
//! rule. Rule families, by the hundreds digit of the code:
//! - **1xx**, one group: operations, slots, read ports, constants, literals, writes;
//! - **2xx**, a clause of groups: `PV` and `PS`, predicates, the address register, constant windows, length;
//! - **3xx**, a clause of fetches: place, length, kinds, dependences, gradients;
//! - **4xx**, control flow: end of program, targets, branch stack, exports, registers, waits;
//! - **5xx**, rules that depend on stage, chip or state, as given by [`Setting`].
//!
//! Raw words cannot be checked; rules `V001` and `V002` report each place once. A clause that several instructions run
//! is checked for the first one, and again only where a rule distinguishes the others.
//!
//! ```
//! use r600_isa::{Generation, Program};
//!
//! // A program of one export that ends itself, but leaves out the mark of the last export.
//! let program = Program::decode(&[0xC000_8000, 0x93A0_0688], Generation::R700);
//! let findings = program.verify();
//! assert_eq!(findings[0].rule.code(), "V405");
//! ```

mod address;
mod arms;
mod clause;
mod export;
mod fetch;
mod flow;
mod forward;
mod group;
mod hazard;
mod last;
mod loop_index;
mod modifier;
mod nesting;
mod order;
mod pending;
mod placed;
mod queue;
mod raw;
mod rule;
mod run;
mod setting;
mod spread;
mod stage;
mod temporary;
#[cfg(test)]
mod tests;
mod ways;

use std::fmt::{self, Display};

use crate::{Cf, Clause, ClauseId, Generation, Program};

use crate::alu::FIRST_TEMPORARY;

use self::run::Run;

pub use rule::{Rule, Severity};
pub use setting::{Setting, Stage};

/// Maximum number of errors collected, and likewise of warnings. It keeps a hostile program from exhausting memory.
pub const MAX_FINDINGS: usize = 4096;

/// Where a rule is broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Position in the control-flow list.
    pub cf: Option<usize>,
    /// The clause.
    pub clause: Option<ClauseId>,
    /// Position of the group or fetch in its clause.
    pub body: Option<usize>,
}

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// Where.
    pub place: Place,
    /// What is wrong, with names as a listing prints them.
    pub message: String,
}

impl Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.rule.severity(), self.rule.code())?;
        if let Some(cf) = self.place.cf {
            write!(f, ", control flow {cf}")?;
        }
        if let Some(body) = self.place.body {
            write!(f, ", line {body} of its clause")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Context shared by the rules: the program, the position in it and the findings.
struct Verifier<'p> {
    program: &'p Program,
    setting: Setting,
    /// Loops open at the current position.
    open_loops: u32,
    place: Place,
    findings: Vec<Finding>,
    /// Findings of each severity.
    num_findings: [usize; 2],
    /// The kinds of run for which each clause has been checked; there are few.
    judged: Vec<Vec<Run>>,
}

impl<'p> Verifier<'p> {
    fn generation(&self) -> Generation {
        self.program.generation
    }

    /// Records a finding unless its severity has reached the limit. Warnings do not displace errors.
    fn report(&mut self, rule: Rule, message: impl Into<String>) {
        let num_known = &mut self.num_findings[rule.severity() as usize];
        if *num_known == MAX_FINDINGS {
            return;
        }
        *num_known += 1;
        self.findings.push(Finding { rule, place: self.place, message: message.into() });
    }

    /// The clause that an instruction runs.
    fn clause_of(&self, cf: &Cf) -> Option<&'p Clause> {
        cf.clause().and_then(|id| self.program.clauses.get(id.0 as usize))
    }

    /// Checks the clause that `cf` runs, unless it has been checked for this kind of run.
    fn clause(&mut self, cf: &Cf, id: u32) {
        let Some(clause) = self.program.clauses.get(id as usize) else {
            self.report(Rule::NoClause, format!("there is no clause {id}"));
            return;
        };
        let run = Run::of(cf, self.open_loops > 0);
        let Some(judged) = self.judged.get_mut(id as usize) else { return };
        if judged.contains(&run) {
            return;
        }
        judged.push(run);
        self.place.clause = Some(ClauseId(id));
        match (cf, clause) {
            (Cf::Alu(alu), Clause::Alu(groups)) => clause::check(self, alu, groups),
            (Cf::Alu(_), Clause::Mixed(parts)) => clause::check_parts(self, parts),
            (Cf::Fetch(run), Clause::Fetch(fetches)) => fetch::check(self, run, fetches),
            _ => self.report(Rule::NoClause, "the clause is of another kind"),
        }
        self.place = Place { cf: self.place.cf, ..Place::default() };
    }
}

impl Program {
    /// All violations that the words alone reveal, those of the whole list first. At most [`MAX_FINDINGS`] errors and
    /// as many warnings.
    pub fn verify(&self) -> Vec<Finding> {
        self.verify_as(Setting::default())
    }

    /// Like [`verify`](Self::verify), with facts that the words do not state.
    ///
    /// ```
    /// use r600_isa::verify::{Setting, Stage};
    /// use r600_isa::{Generation, Program};
    ///
    /// // A pixel is exported, which says nothing to the stage after a vertex shader.
    /// let program = Program::decode(&[0xC000_8000, 0x9420_0688], Generation::R700);
    /// let setting = Setting { stage: Some(Stage::Vertex), ..Setting::default() };
    /// assert_eq!(program.verify_as(setting)[0].rule.code(), "V501");
    /// ```
    pub fn verify_as(&self, setting: Setting) -> Vec<Finding> {
        let mut cx = Verifier {
            program: self,
            setting,
            open_loops: 0,
            place: Place::default(),
            findings: Vec::new(),
            num_findings: [0; 2],
            judged: self.clauses.iter().map(|_| Vec::new()).collect(),
        };
        flow::check_program(&mut cx);
        stage::check(&mut cx);
        for (at, cf) in self.cf.iter().enumerate() {
            cx.place = Place { cf: Some(at), ..Place::default() };
            cx.open_loops = cx.open_loops.saturating_add_signed(crate::stack::loops_opened(cf));
            flow::check_instruction(&mut cx, cf);
            if let Some(id) = cf.clause().map(|id| id.0) {
                cx.clause(cf, id);
            }
        }
        cx.findings
    }
}
