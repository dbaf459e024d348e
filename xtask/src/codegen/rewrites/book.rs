//! Reads the rows: expands `each`, parses terms, and rejects everything that cannot be a row.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::super::r600::{Operation, operations};
use super::super::spec::{SpecError, SpecFile};
use super::terms::{Inst, Output, Term};

/// The spec file.
pub(super) const SPEC: &str = "r600-codegen/spec/rewrites.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    facts: Vec<FactRow>,
    tests: Vec<TestRow>,
    rows: Vec<RowTemplate>,
    code: Vec<CodeRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FactRow {
    name: String,
    holds: String,
    given_by: Vec<String>,
    #[serde(default)]
    through: Vec<String>,
    #[serde(default)]
    keeps_signs: bool,
    doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TestRow {
    name: String,
    holds: String,
    doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RowTemplate {
    name: String,
    group: String,
    #[serde(default)]
    each: Vec<String>,
    from: String,
    to: String,
    #[serde(default)]
    when: Vec<String>,
    #[serde(default)]
    worth: Vec<String>,
    #[serde(default)]
    takes: Vec<Freedom>,
    #[serde(default)]
    under: Option<Under>,
    why: String,
}

/// Requirement on the output of the matched instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum Under {
    /// It is clamped.
    Clamp,
}

/// Freedoms that a row needs besides its guards; `--precise` grants none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(crate) enum Freedom {
    /// Nothing that the pattern computes or reads as a float is NaN.
    NoNan,
    /// Nothing that the pattern computes or reads as a float is infinite.
    NoInfinity,
    /// A zero may come out with the other sign.
    ZeroSign,
    /// Nothing that pattern or result compute is denormal.
    Denormals,
    /// Results may differ by intermediate rounding or approximation.
    Rounding,
}

/// An optimisation that is code instead of a row.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CodeRow {
    /// The optimisation.
    pub(crate) name: String,
    /// The file.
    pub(crate) place: String,
    /// Why it is not a row.
    pub(crate) why: String,
}

/// A fact about a value that follows from the instruction that defines it.
pub(crate) struct Fact {
    pub(crate) name: String,
    /// The claim about `a`.
    pub(crate) holds: Term,
    /// Operations whose unmodified results have it.
    pub(crate) given_by: Vec<String>,
    /// Operations whose unmodified results have it if all operands do.
    pub(crate) through: Vec<String>,
    /// Whether it survives a change of sign.
    pub(crate) keeps_signs: bool,
    pub(crate) doc: String,
}

/// A condition on a constant `a`.
pub(crate) struct Test {
    pub(crate) name: String,
    pub(crate) holds: Term,
    pub(crate) doc: String,
}

/// A fact or test, and the name that it applies to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guard {
    pub(crate) name: String,
    pub(crate) of: String,
}

/// A row; one of several if it uses `each`.
#[derive(Clone)]
pub(crate) struct Row {
    /// The name, with the substitutions of `each`.
    pub(crate) name: String,
    /// Names of the row in the spec and of its group.
    pub(crate) family: String,
    pub(crate) group: String,
    pub(crate) from: Inst,
    pub(crate) to: Term,
    /// Conditions for correctness.
    pub(crate) when: Vec<Guard>,
    /// Conditions for profit.
    pub(crate) worth: Vec<Guard>,
    pub(crate) takes: Vec<Freedom>,
    pub(crate) under: Option<Under>,
    pub(crate) why: String,
    /// Pattern and result as they are written.
    pub(crate) texts: [String; 2],
}

impl Row {
    /// Whether it depends on the number of uses of a value.
    pub(crate) fn is_fusion(&self) -> bool {
        let mut found = false;
        self.from.args.iter().for_each(|arg| {
            arg.walk(&mut |term| {
                found |=
                    matches!(term, Term::Any(_)) || matches!(term, Term::Inst(inst) if inst.alone);
            });
        });
        found
    }

    /// The pattern as a term.
    pub(crate) fn pattern(&self) -> Term {
        Term::Inst(self.from.clone())
    }
}

/// The contents of the specs.
pub(crate) struct Book {
    pub(crate) operations: BTreeMap<String, Operation>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) tests: Vec<Test>,
    pub(crate) rows: Vec<Row>,
    pub(crate) code: Vec<CodeRow>,
    /// The lines of the spec with the names of facts, tests and rows.
    lines: BTreeMap<String, usize>,
}

impl Book {
    /// Reads and checks the specs under `root`.
    pub(crate) fn read(root: &Path) -> Result<Self, SpecError> {
        let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
        Self::new(spec, operations(root)?, root)
    }

    fn new(
        spec: SpecFile<Table>,
        operations: BTreeMap<String, Operation>,
        root: &Path,
    ) -> Result<Self, SpecError> {
        let mut book = Self {
            operations,
            facts: Vec::new(),
            tests: Vec::new(),
            rows: Vec::new(),
            code: Vec::new(),
            lines: BTreeMap::new(),
        };
        let facts = spec.table.facts.iter().map(|row| &row.name);
        let tests = spec.table.tests.iter().map(|row| &row.name);
        let rows = spec.table.rows.iter().map(|row| &row.name);
        for name in facts.chain(tests).chain(rows) {
            book.lines.insert(name.clone(), spec.line_of(name));
        }
        for row in &spec.table.facts {
            let fact = book.fact(row).map_err(|message| spec.row_error(&row.name, message))?;
            book.facts.push(fact);
        }
        for row in &spec.table.tests {
            let holds = claim(&row.holds).map_err(|message| spec.row_error(&row.name, message))?;
            book.tests.push(Test { name: row.name.clone(), holds, doc: row.doc.clone() });
        }
        for template in &spec.table.rows {
            let rows = book.instances(template);
            book.rows.extend(rows.map_err(|message| spec.row_error(&template.name, message))?);
        }
        for row in &spec.table.code {
            if !root.join(&row.place).exists() {
                return Err(spec.row_error(&row.name, format!("there is no {}", row.place)));
            }
        }
        book.code = spec.table.code;
        Ok(book)
    }

    /// An error about the fact, test or row of this name in the spec.
    pub(super) fn error(&self, name: &str, message: String) -> SpecError {
        let line = self.lines.get(name).copied().unwrap_or(0);
        SpecError::Row { path: SPEC.to_owned(), line, row: name.to_owned(), message }
    }

    /// An operation that has semantics.
    pub(crate) fn operation(&self, name: &str) -> Result<&Operation, String> {
        self.operations.get(name).ok_or_else(|| format!("{name} is unknown, or has no semantics"))
    }

    /// The claim of a fact or test about `a`.
    pub(crate) fn holds(&self, name: &str) -> Result<&Term, String> {
        let facts = self.facts.iter().map(|fact| (&fact.name, &fact.holds));
        let tests = self.tests.iter().map(|test| (&test.name, &test.holds));
        let mut all = facts.chain(tests).filter(|(known, _)| *known == name);
        all.next().map(|(_, holds)| holds).ok_or_else(|| format!("{name} is neither fact nor test"))
    }

    fn fact(&self, row: &FactRow) -> Result<Fact, String> {
        for op in row.given_by.iter().chain(&row.through) {
            self.operation(op)?;
        }
        Ok(Fact {
            name: row.name.clone(),
            holds: claim(&row.holds)?,
            given_by: row.given_by.clone(),
            through: row.through.clone(),
            keeps_signs: row.keeps_signs,
            doc: row.doc.clone(),
        })
    }

    /// The rows that a template expands to.
    fn instances(&self, template: &RowTemplate) -> Result<Vec<Row>, String> {
        if template.why.trim().is_empty() {
            return Err("does not say why".to_owned());
        }
        if self.rows.iter().any(|row| row.family == template.name) {
            return Err("has a name that is taken".to_owned());
        }
        if template.each.is_empty() {
            return Ok(vec![self.instance(template, &[])?]);
        }
        let one = |words: &String| {
            let pairs: Option<Vec<(&str, &str)>> =
                words.split_whitespace().map(|word| word.split_once('=')).collect();
            let pairs = pairs.ok_or_else(|| format!("`{words}` is not NAME=TEXT"))?;
            self.instance(template, &pairs)
        };
        template.each.iter().map(one).collect()
    }

    fn instance(&self, template: &RowTemplate, pairs: &[(&str, &str)]) -> Result<Row, String> {
        let fill = |text: &str| {
            pairs
                .iter()
                .fold(text.to_owned(), |text, (name, by)| text.replace(&format!("${name}"), by))
        };
        let texts = [fill(&template.from), fill(&template.to)];
        let Term::Inst(from) = Term::parse(&texts[0])? else {
            return Err("the pattern is not an operation".to_owned());
        };
        let guard = |text: &String| {
            let text = fill(text);
            let (name, rest) = text.split_once('(').ok_or("a guard is NAME(OF)")?;
            let of = rest.strip_suffix(')').ok_or("a guard is NAME(OF)")?;
            Ok::<_, String>(Guard { name: name.to_owned(), of: of.to_owned() })
        };
        let values: Vec<&str> = pairs.iter().map(|(_, by)| *by).collect();
        let row = Row {
            name: [&[template.name.as_str()], values.as_slice()].concat().join(" "),
            family: template.name.clone(),
            group: template.group.clone(),
            from,
            to: Term::parse(&texts[1])?,
            when: template.when.iter().map(guard).collect::<Result<_, _>>()?,
            worth: template.worth.iter().map(guard).collect::<Result<_, _>>()?,
            takes: template.takes.clone(),
            under: template.under,
            why: template.why.clone(),
            texts,
        };
        self.check(&row)?;
        Ok(row)
    }

    /// Checks that the matcher and the proof support a row.
    fn check(&self, row: &Row) -> Result<(), String> {
        let pattern = row.pattern();
        let known = pattern.names();
        if let Some((name, _)) = row.to.names().iter().find(|(name, _)| !is_known(&known, name)) {
            return Err(format!("the result has `{name}`, which the pattern has not"));
        }
        for guard in row.when.iter().chain(&row.worth) {
            self.holds(&guard.name)?;
            if !is_known(&known, &guard.of) {
                return Err(format!("{} is asked of nothing", guard.name));
            }
        }
        self.check_pattern(&pattern)?;
        self.check_operations(&row.to)?;
        if row.is_fusion() && !matches!(row.to, Term::Inst(_) | Term::Any(_)) {
            return Err("what two operations become is an operation".to_owned());
        }
        let is_approximate = |term: &Term| self.is_approximate(term);
        let approximate = is_approximate(&pattern) || is_approximate(&row.to);
        if approximate != row.takes.contains(&Freedom::Rounding) {
            return Err("Rounding is for what the hardware approximates".to_owned());
        }
        self.check_kills(row)
    }

    fn is_approximate(&self, term: &Term) -> bool {
        let mut found = false;
        term.walk(&mut |term| {
            if let Term::Inst(inst) = term {
                found |= self.operations.get(&inst.op).is_some_and(|op| op.is_approximate);
            }
        });
        found
    }

    fn check_pattern(&self, pattern: &Term) -> Result<(), String> {
        let mut fault = None;
        pattern.walk(&mut |term| {
            let wrong = match term {
                Term::Call { .. } => Some("a pattern has no functions"),
                Term::Inst(inst) if inst.output != Output::default() => {
                    Some("what a pattern has inside carries no modifier")
                }
                Term::Any(any) if any.output != Output::default() => {
                    Some("what a pattern has inside carries no modifier")
                }
                Term::Abs(_) => Some("a pattern asks for no absolute value"),
                _ => None,
            };
            fault = fault.or(wrong);
        });
        fault.map_or_else(|| self.check_operations(pattern), |fault| Err(fault.to_owned()))
    }

    /// Checks that operations have semantics and the right number of operands.
    fn check_operations(&self, term: &Term) -> Result<(), String> {
        let mut fault = Ok(());
        term.walk(&mut |term| {
            if let Term::Inst(inst) = term {
                let good = self.operation(&inst.op).and_then(|op| {
                    let fits = op.num_src == inst.args.len();
                    fits.then_some(())
                        .ok_or_else(|| format!("{} has {} sources", inst.op, op.num_src))
                });
                if fault.is_ok() {
                    fault = good;
                }
            }
        });
        fault
    }
}

fn is_known(names: &[(String, usize)], name: &str) -> bool {
    names.iter().any(|(known, _)| known == name)
}

/// A claim about `a`.
fn claim(text: &str) -> Result<Term, String> {
    let term = Term::parse_function(text)?;
    match term.names().as_slice() {
        [(name, _)] if name == "a" => Ok(term),
        _ => Err(format!("`{text}` is not about `a` alone")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::matcher;
    use super::*;

    /// The error in a table with a single row.
    fn fault(from: &str, to: &str) -> String {
        let row =
            format!("(name: \"r\", group: \"g\", from: \"{from}\", to: \"{to}\", why: \"w\")");
        let text = format!("(facts: [], tests: [],\nrows: [{row}],\ncode: [])");
        let root = crate::workspace::root();
        let book = SpecFile::parse(SPEC, text)
            .and_then(|spec| Book::new(spec, operations(&root)?, &root))
            .and_then(|book| matcher::tokens(&book));
        book.map_or_else(|error| error.to_string(), |_| "nothing".to_owned())
    }

    #[test]
    fn terms_that_no_matcher_can_have_are_errors_of_their_row() {
        let place = format!("{SPEC}:2: row `r`: ");
        let sign = "in a pattern, a sign stands before an operation or what is known";
        assert_eq!(fault("ADD(x, -x)", "0.0"), "nothing");
        assert_eq!(fault("ADD(-x, x)", "0.0"), format!("{place}{sign}"));
        assert_eq!(fault("ADD(-#c, x)", "x"), format!("{place}{sign}"));
        let made = "in a result, a sign stands before a value";
        assert_eq!(fault("ADD(x, 0.0)", "-ADD(x, x)"), format!("{place}{made}"));
        let absolute = "the absolute value is that of a value";
        assert_eq!(fault("ADD(x, 0.0)", "|ADD(x, x)|"), format!("{place}{absolute}"));
    }

    #[test]
    fn rows_map_kills_to_kills() {
        let fault = |from, to| fault(from, to).contains("a kill becomes a kill");
        assert!(!fault("KILLNE_INT(x, 0)", "OR_INT(KILLE_INT(x, 0), KILLE_INT(x, 1))"));
        assert!(fault("KILLNE_INT(x, 0)", "OR_INT(KILLE_INT(x, 0), x)"));
        assert!(fault("KILLNE_INT(x, 0)", "SETE(x, x)"));
        assert!(fault("KILLNE_INT(x, 0)", "KILLNE_INT(KILLNE_INT(x, 0), 0)"));
        assert!(fault("SETE(x, x)", "KILLE(x, x)"));
        assert!(fault("ADD(KILLE(x, x), x)", "x"));
    }
}
