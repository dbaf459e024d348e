//! Counts how often the compiler used each rewrite and each pass. A comparison says nothing about those that it never
//! used.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

use pass_manager::Outcome;
use r600_codegen::{Compiled, RewriteCounts};

/// How often each rewrite was used, and for how many programs each pass changed something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fired {
    rows: RewriteCounts,
    passes: BTreeMap<&'static str, u64>,
}

impl Fired {
    /// The counts of one program.
    #[must_use]
    pub fn of(compiled: &Compiled) -> Self {
        let mut passes = BTreeMap::new();
        for pass in &compiled.report.passes {
            let changed = u64::from(pass.outcome == Outcome::Changed);
            *passes.entry(pass.id.name()).or_default() |= changed;
            for member in &pass.members {
                *passes.entry(member.id.name()).or_default() |= u64::from(member.rewrites > 0);
            }
        }
        Self { rows: compiled.rewrites.clone(), passes }
    }

    /// Every rewrite by name, with the number of its uses.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.rows.iter()
    }

    /// Every pass of the compiled levels, with the number of programs in which it changed something.
    pub fn passes(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.passes.iter().map(|(&name, &count)| (name, count))
    }

    /// The rewrites that were never used.
    #[must_use]
    pub fn idle_rows(&self) -> Vec<&'static str> {
        self.rows().filter(|&(_, count)| count == 0).map(|(name, _)| name).collect()
    }
}

impl AddAssign<&Self> for Fired {
    fn add_assign(&mut self, other: &Self) {
        self.rows.add(&other.rows);
        for (name, count) in &other.passes {
            *self.passes.entry(name).or_default() += count;
        }
    }
}

impl fmt::Display for Fired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, count) in self.passes() {
            writeln!(f, "pass {name} changed {count} programs")?;
        }
        for (name, count) in self.rows() {
            writeln!(f, "rewrite {name} was used {count} times")?;
        }
        let idle = self.idle_rows();
        write!(f, "{} of {} rewrites were never used", idle.len(), self.rows().count())?;
        idle.iter().try_for_each(|name| write!(f, "\nnever used: {name}"))
    }
}
