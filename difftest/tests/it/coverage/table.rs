//! The table of what is taken.

use std::fmt;

use super::{GENERATIONS, STAGES};

/// What becomes of an opcode in one stage and generation, better ones first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cell {
    /// Compiled; the code does what the interpreter does.
    Equal,
    /// Compiled; no scene has what it reads or changes.
    NotCompared,
    /// TGSI does not have it in this stage.
    NotInStage,
    /// Not compiled.
    Refused(String),
}

/// Rows of opcodes.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<(String, [[Cell; 6]; 4])>,
    reasons: Vec<String>,
}

impl Table {
    pub(crate) fn add(&mut self, name: String, cells: [[Cell; 6]; 4]) {
        for cell in cells.iter().flatten() {
            if let Cell::Refused(reason) = cell
                && !self.reasons.contains(reason)
            {
                self.reasons.push(reason.clone());
            }
        }
        self.rows.push((name, cells));
    }

    pub(crate) fn num_rows(&self) -> usize {
        self.rows.len()
    }

    fn count(&self, wanted: impl Fn(&Cell) -> bool) -> usize {
        self.rows.iter().flat_map(|(_, cells)| cells.iter().flatten()).filter(|c| wanted(c)).count()
    }

    /// How many cells say what.
    pub(crate) fn summary(&self) -> String {
        format!(
            "{} rows; of {} cells {} compiled and equal, {} compiled and not compared, {} refused, {} \
             not in the stage",
            self.rows.len(),
            24 * self.rows.len(),
            self.count(|c| *c == Cell::Equal),
            self.count(|c| *c == Cell::NotCompared),
            self.count(|c| matches!(c, Cell::Refused(_))),
            self.count(|c| *c == Cell::NotInStage),
        )
    }

    fn mark(&self, cell: &Cell) -> String {
        match cell {
            Cell::Equal => "=".to_owned(),
            Cell::NotCompared => "c".to_owned(),
            Cell::NotInStage => "–".to_owned(),
            Cell::Refused(reason) => {
                let at = self.reasons.iter().position(|known| known == reason);
                at.map_or_else(String::new, |at| (at + 1).to_string())
            }
        }
    }
}

const HEAD: &str = "\
# What is compiled
Every opcode of TGSI, each in small programs of its own, by generation and stage; opcodes of memory also with counters
(`HWATOMIC`) in place of buffers. This page is made by a test of
`difftest` (`UPDATE_GOLDEN=1 cargo test -p difftest --test it coverage`).

- `=`: compiled, and the simulator gets what the interpreter gets, at every level of optimisation
- `c`: compiled; nothing is compared, because the program shows nothing or the test has no such resource
- `–`: TGSI does not have the opcode in this stage
- a number: refused, for the reason of that number below

";

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HEAD)?;
        writeln!(f, "{}.\n", self.summary())?;
        f.write_str("| opcode |")?;
        let chips = ["R600", "R700", "Evergreen", "Cayman"];
        for (chip, _) in chips.iter().zip(GENERATIONS) {
            for stage in STAGES {
                write!(f, " {chip} {} |", stage.name().unwrap_or("?"))?;
            }
        }
        writeln!(f, "\n|---|{}", "---|".repeat(24))?;
        for (name, cells) in &self.rows {
            write!(f, "| {name} |")?;
            for cell in cells.iter().flatten() {
                write!(f, " {} |", self.mark(cell))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "\n## Reasons")?;
        for (n, reason) in self.reasons.iter().enumerate() {
            writeln!(f, "{}. {reason}", n + 1)?;
        }
        Ok(())
    }
}
