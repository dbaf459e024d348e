//! Some words may occur only in a few files, as the architecture says; this check searches for them.

use std::fs;

use anyhow::{Context as _, Result, bail};

use super::Scope;
use super::size::{all_sources, is_test};

/// A rule that confines a word to a few places.
struct Confined {
    /// The crates, by name prefix.
    crates: &'static str,
    /// The word.
    words: &'static [&'static str],
    /// Whether the rule also applies to tests.
    concerns_tests: bool,
    /// Path prefixes of the allowed places.
    allowed: &'static [&'static str],
    /// The message for any other file.
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
            // The shader's inputs and outputs.
            "r600-codegen/src/lower/stage",
            // The hardware stage that runs it, and its outputs.
            "r600-codegen/src/state",
            "r600-codegen/src/abi/",
            // The reference for checking a finished program.
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
    /// Lines of code that contain the word in a file that is not allowed to.
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
