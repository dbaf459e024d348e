//! Some words stand in few files only: what the architecture says of them is looked up.

use std::fs;

use anyhow::{Context as _, Result, bail};

use super::Scope;
use super::size::{all_sources, is_test};

/// What a crate's code says in few places.
struct Confined {
    /// The crates, by the beginning of their names.
    crates: &'static str,
    /// What is looked for.
    words: &'static [&'static str],
    /// Whether tests are to keep to it, too.
    concerns_tests: bool,
    /// The beginnings of the paths that may say it.
    allowed: &'static [&'static str],
    /// What a file is told that says it elsewhere.
    reason: &'static str,
}

const CONFINED: &[Confined] = &[
    Confined {
        crates: "r600-codegen",
        words: &[
            "Processor::Vertex",
            "Processor::Geometry",
            "Processor::TessCtrl",
            "Processor::TessEval",
        ],
        concerns_tests: false,
        allowed: &[
            // What the shader reads and writes.
            "r600-codegen/src/lower/stage",
            // Which hardware stage runs it, and what that one fills.
            "r600-codegen/src/state",
            "r600-codegen/src/abi/",
            // What a finished program is checked against.
            "r600-codegen/src/compiler/steps.rs",
        ],
        reason: "lowering asks for a stage in `lower/stage.rs`",
    },
    Confined {
        crates: "",
        words: &["/shared/", "join(\"shared\")", "UPDATE_GOLDEN\")"],
        concerns_tests: true,
        allowed: &["test-support/", "xtask/"],
        reason: "`test-support` finds the files of tests and compares golden files",
    },
];

pub(super) fn check(scope: &Scope) -> Result<()> {
    let mut faults = Vec::new();
    for package in scope.packages() {
        let rules: Vec<_> =
            CONFINED.iter().filter(|rule| package.name.starts_with(rule.crates)).collect();
        for file in all_sources(package)? {
            let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
            let path = file.strip_prefix(&scope.root).unwrap_or(&file);
            let rules = rules.iter().filter(|rule| rule.concerns_tests || !is_test(path));
            faults.extend(rules.flat_map(|rule| rule.faults(&path.to_string_lossy(), &text)));
        }
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

impl Confined {
    /// Lines of code in a file that may not say it.
    fn faults(&self, name: &str, text: &str) -> Vec<String> {
        if self.allowed.iter().any(|start| name.starts_with(start)) {
            return Vec::new();
        }
        let lines = (1..).zip(text.lines());
        let code = lines.filter(|(_, line)| !line.trim_start().starts_with("//"));
        let says = code.filter(|(_, line)| self.words.iter().any(|word| line.contains(word)));
        says.map(|(number, _)| format!("{name}:{number}: {}", self.reason)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::CONFINED;

    #[test]
    fn only_code_of_other_files_is_at_fault() {
        let [stages, _] = CONFINED else { unreachable!("there are two rules") };
        let text = "// Processor::Vertex\nif a == Processor::Vertex {}\n";
        assert_eq!(stages.faults("r600-codegen/src/lower/stage/vertex.rs", text), [""; 0]);
        assert_eq!(
            stages.faults("r600-codegen/src/lower/loads.rs", text),
            ["r600-codegen/src/lower/loads.rs:2: lowering asks for a stage in `lower/stage.rs`"]
        );
    }
}
