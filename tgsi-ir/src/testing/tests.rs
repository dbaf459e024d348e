//! What holds for every generated shader, and so for the generator.

use super::*;
use crate::flow::FlowTree;
use crate::modernise::modernise;
use crate::scan::scan;
use crate::translate::{check_dialect, translate};
use crate::validate::{Diagnostic, Profile, Severity, validate};

fn dialects() -> impl Strategy<Value = Dialect> {
    proptest::sample::select(Dialect::ALL.to_vec())
}

fn any_shader() -> impl Strategy<Value = (Dialect, Shader)> {
    dialects().prop_flat_map(|dialect| (Just(dialect), shaders(dialect)))
}

fn errors(shader: &Shader, profile: Profile) -> Vec<Diagnostic> {
    let mut findings = validate(shader, profile);
    findings.retain(|finding| finding.severity() == Severity::Error);
    findings
}

/// Whether two shaders have the same parts, however these interleave.
fn same_parts(one: &Shader, other: &Shader) -> bool {
    Shader { order: Vec::new(), ..one.clone() } == Shader { order: Vec::new(), ..other.clone() }
}

proptest! {
    #[test]
    fn generated_shaders_are_valid((dialect, shader) in any_shader()) {
        prop_assert_eq!(errors(&shader, Profile::Full), []);
        prop_assert_eq!(check_dialect(&shader, dialect), []);
        prop_assert!(FlowTree::new(&shader.instructions).is_ok());
        prop_assert!(scan(&shader).is_structured);
    }

    #[test]
    fn old_shaders_can_be_modernised((dialect, shader) in any_shader()) {
        let modern = modernise(&shader).map_err(|problems| format!("{problems:?}"));
        // What was never defined is refused; all else is lowered.
        if let Ok(modern) = modern {
            prop_assert!(!modern.is_legacy());
            prop_assert!(shader.is_legacy() || same_parts(&shader, &modern));
            prop_assert!(modern.instructions.iter().all(|one| !one.opcode.is_legacy()));
            prop_assert_eq!(errors(&modern, Profile::Full), []);
        }
        if let Ok(today) = translate(&shader, dialect, Dialect::Y2021) {
            prop_assert_eq!(check_dialect(&today.shader, Dialect::Y2021), []);
            prop_assert_eq!(errors(&today.shader, Profile::Full), []);
        }
    }

    #[test]
    fn translations_hold_what_the_dialect_has((from, shader) in any_shader(), to in dialects()) {
        match translate(&shader, from, to) {
            Ok(done) => prop_assert_eq!(check_dialect(&done.shader, to), []),
            Err(problems) => prop_assert!(!problems.is_empty()),
        }
    }
}

#[cfg(feature = "serde")]
proptest! {
    #[test]
    fn shaders_survive_json_and_ron((_, shader) in any_shader()) {
        let json = serde_json::to_string(&shader).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Shader>(&json).unwrap(), &shader);
        let text = ron::to_string(&shader).unwrap();
        prop_assert_eq!(&ron::from_str::<Shader>(&text).unwrap(), &shader);
    }
}
