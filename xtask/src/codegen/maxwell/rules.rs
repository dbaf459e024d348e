//! Rules that instructions keep to.

use std::collections::BTreeSet;
use std::path::Path;

use quote::quote;
use serde::Deserialize;

use crate::codegen::output::GeneratedFile;
use crate::codegen::rust::{same, table};
use crate::codegen::spec::{SpecError, SpecFile};

use super::{Variant, enumeration, file, spec_path};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    rules: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    on: Vec<Opcode>,
    severity: Severity,
    section: String,
    says: String,
    remedy: String,
    doc: String,
}

#[derive(Debug, Deserialize)]
enum Opcode {
    Tex,
    Tlds,
}

#[derive(Debug, Deserialize)]
enum Severity {
    Error,
    Warning,
}

pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, &spec_path("rules"))?;
    check(&spec)?;
    let rules = &spec.table.rules;
    let docs: Vec<_> = rules.iter().map(doc).collect();
    let variants: Vec<_> = rules
        .iter()
        .zip(&docs)
        .map(|(rule, doc)| Variant { name: &rule.name, text: &rule.name, doc })
        .collect();
    let definition = enumeration("Rule", "A rule that texture instructions keep to.", &variants);
    let row = |row: &Row| {
        let Row { section, says, remedy, .. } = row;
        let severity = same("Severity", &row.severity);
        quote! {
            RuleInfo { severity: #severity, section: #section, says: #says, remedy: #remedy }
        }
    };
    let rows: Vec<_> = rules.iter().map(row).collect();
    let table = table("RULES", quote!(RuleInfo), &rows);
    Ok(file("rules", quote!(use crate::diagnostic::{RuleInfo, Severity}; #definition #table)))
}

fn check(spec: &SpecFile<Table>) -> Result<(), SpecError> {
    let mut names = BTreeSet::new();
    for rule in &spec.table.rules {
        let texts = [&rule.section, &rule.says, &rule.remedy, &rule.doc];
        if texts.iter().any(|text| text.is_empty()) || rule.on.is_empty() {
            return Err(spec.row_error(&rule.name, "has an empty column"));
        }
        if !names.insert(&rule.name) {
            return Err(spec.row_error(&rule.name, "is there already"));
        }
    }
    Ok(())
}

fn doc(rule: &Row) -> String {
    let on: Vec<_> = rule.on.iter().map(|opcode| format!("{opcode:?}").to_uppercase()).collect();
    format!("{}: {}. {}", on.join(" and "), rule.says, rule.doc)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_text(rows: &str) -> Result<(), String> {
        let spec = SpecFile::parse("rules.ron", format!("(rules: [\n{rows}])")).unwrap();
        check(&spec).map_err(|error| error.to_string())
    }

    #[test]
    fn rules_have_a_name_and_all_columns() {
        let row = "(name: \"a\", on: [Tex], severity: Error, section: \"s\", says: \"x\", \
                   remedy: \"r\", doc: \"d\"),\n";
        assert_eq!(check_text(row), Ok(()));
        assert_eq!(
            check_text(&row.repeat(2)).unwrap_err(),
            "rules.ron:2: row `a`: is there already"
        );
        assert_eq!(
            check_text(&row.replace("\"r\"", "\"\"")).unwrap_err(),
            "rules.ron:2: row `a`: has an empty column"
        );
    }
}
