//! Severities of rules by the user's choice (`--allow`, `--warn`, `--deny`), and the number of warnings of each rule.

use std::collections::BTreeMap;

use clap::Args;
use tgsi_ir::validate::Code;

use super::explain;
use crate::problem::{Finding, Problems, Severity};

/// Severities that the user overrides; for one rule, `--allow` wins over the others and `--deny` over `--warn`.
#[derive(Args, Debug)]
#[command(next_help_heading = "Rules")]
pub(super) struct Levels {
    /// Ignores a rule, given by its number or name; repeatable. Errors of the parser cannot be ignored.
    #[arg(long, value_name = "RULE", value_parser = explain::rule)]
    allow: Vec<Code>,
    /// Reports a rule as a warning.
    #[arg(long, value_name = "RULE", value_parser = explain::rule)]
    warn: Vec<Code>,
    /// Reports a rule as an error.
    #[arg(long, value_name = "RULE", value_parser = explain::rule)]
    deny: Vec<Code>,
}

impl Levels {
    /// The problems with the user's severities; `None` if none are left.
    pub(super) fn apply(&self, mut problems: Problems) -> Option<Problems> {
        problems.findings.retain(|finding| !names(&self.allow, finding));
        for finding in &mut problems.findings {
            if names(&self.warn, finding) {
                finding.severity = Severity::Warning;
            }
            if names(&self.deny, finding) {
                finding.severity = Severity::Error;
            }
        }
        (!problems.findings.is_empty()).then_some(problems)
    }

    /// Whether an error is left that is one by default, not only by the user's choice.
    pub(super) fn has_error_left(&self, problems: &Problems) -> bool {
        let is_lowered = |finding: &Finding| {
            let is_warning = names(&self.warn, finding) && !names(&self.deny, finding);
            names(&self.allow, finding) || is_warning
        };
        let mut errors = problems.findings.iter().filter(|one| one.severity == Severity::Error);
        errors.any(|finding| !is_lowered(finding))
    }
}

/// Whether a finding is of one of these rules.
fn names(codes: &[Code], finding: &Finding) -> bool {
    codes.iter().any(|code| finding.code.as_deref() == Some(code.name()))
}

/// The number of warnings of each rule.
#[derive(Debug, Default)]
pub(super) struct Tally(BTreeMap<String, usize>);

impl Tally {
    pub(super) fn add(&mut self, problems: &Problems) {
        let warnings = problems.findings.iter().filter(|one| one.severity == Severity::Warning);
        for code in warnings.filter_map(|one| one.code.clone()) {
            *self.0.entry(code).or_default() += 1;
        }
    }

    /// `5 warnings: 3 never-used, 2 unread-output`; `None` if there were none.
    pub(super) fn line(&self) -> Option<String> {
        let sum: usize = self.0.values().sum();
        let mut rules: Vec<_> = self.0.iter().collect();
        rules.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let rules: Vec<_> = rules.iter().map(|(code, count)| format!("{count} {code}")).collect();
        let noun = if sum == 1 { "warning" } else { "warnings" };
        (sum > 0).then(|| format!("{sum} {noun}: {}", rules.join(", ")))
    }
}
