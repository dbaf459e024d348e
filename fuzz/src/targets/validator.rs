//! The validator.

use tgsi_ir::flow::FlowTree;
use tgsi_ir::validate::{MAX_DIAGNOSTICS, Profile, is_valid, validate};
use tgsi_text::{parse, violations};

use super::as_they_are;
use crate::target::{Form, Target};

pub(super) const TARGET: Target = Target {
    name: "validator",
    form: Form::Text,
    seeds: as_they_are,
    check,
    needs: Target::NOTHING,
};

fn check(input: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(input);
    let parsed = parse(&text);
    for profile in [Profile::Mesa, Profile::Full] {
        let count = validate(&parsed.shader, profile).len();
        if count > MAX_DIAGNOSTICS {
            return Some(format!("{count} findings of {profile:?}"));
        }
    }
    let findings = violations(&parsed.shader, &parsed.source_map, &text, parsed.dialect);
    if let Some(stray) = findings.iter().find(|one| text.get(one.primary.span.range()).is_none()) {
        return Some(format!("a finding points out of the text: {stray:?}"));
    }
    let is_valid = is_valid(&validate(&parsed.shader, Profile::Full));
    let flow = FlowTree::new(&parsed.shader.instructions);
    flow.err().filter(|_| is_valid).map(|error| format!("a valid shader has bad blocks: {error:?}"))
}
