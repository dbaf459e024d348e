//! How bad a user counts a rule: `--allow`, `--warn`, `--deny`; and how often each was broken.

use std::collections::BTreeMap;

use clap::Args;
use tgsi_ir::validate::Code;

use super::explain;
use crate::problem::{Problems, Severity};

/// Severities that the user overrides; for one rule, `--allow` wins over the others and `--deny` over `--warn`.
#[derive(Args, Debug)]
#[command(next_help_heading = "Rules")]
pub(super) struct Levels {
    /// Ignores a rule, given by its number or name; repeatable. Errors of the parser stay.
    #[arg(long, value_name = "RULE", value_parser = explain::rule)]
    allow: Vec<Code>,
    /// Counts a rule as a warning.
    #[arg(long, value_name = "RULE", value_parser = explain::rule)]
    warn: Vec<Code>,
    /// Counts a rule as an error.
    #[arg(long, value_name = "RULE", value_parser = explain::rule)]
    deny: Vec<Code>,
}

impl Levels {
    /// The problems as the user counts them; none when nothing is left.
    pub(super) fn apply(&self, mut problems: Problems) -> Option<Problems> {
        let names = |codes: &[Code], own: &Option<String>| {
            codes.iter().any(|code| own.as_deref() == Some(code.name()))
        };
        problems.findings.retain(|finding| !names(&self.allow, &finding.code));
        for finding in &mut problems.findings {
            if names(&self.warn, &finding.code) {
                finding.severity = Severity::Warning;
            }
            if names(&self.deny, &finding.code) {
                finding.severity = Severity::Error;
            }
        }
        (!problems.findings.is_empty()).then_some(problems)
    }
}

/// How often each rule was broken by warnings.
#[derive(Debug, Default)]
pub(super) struct Tally(BTreeMap<String, usize>);

impl Tally {
    pub(super) fn add(&mut self, problems: &Problems) {
        let warnings = problems.findings.iter().filter(|one| one.severity == Severity::Warning);
        for code in warnings.filter_map(|one| one.code.clone()) {
            *self.0.entry(code).or_default() += 1;
        }
    }

    /// `5 warnings: 3 never-used, 2 unread-output`; nothing where there were none.
    pub(super) fn line(&self) -> Option<String> {
        let sum: usize = self.0.values().sum();
        let mut rules: Vec<_> = self.0.iter().collect();
        rules.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let rules: Vec<_> = rules.iter().map(|(code, count)| format!("{count} {code}")).collect();
        let noun = if sum == 1 { "warning" } else { "warnings" };
        (sum > 0).then(|| format!("{sum} {noun}: {}", rules.join(", ")))
    }
}
