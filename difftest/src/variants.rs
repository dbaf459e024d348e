//! Variants of real shaders: the same program with a few operands, operations and blocks changed at random.
//!
//! Random shaders seldom look like real ones, and real shaders seldom contain the forms that fail. A variant has the
//! shape of a real shader and random details.

mod change;

use tgsi_ir::validate::{Code, Profile, is_valid, validate};
use tgsi_ir::{File, Shader};

use crate::random::Random;
use change::{CHANGES, Site};

/// Maximum number of changes in a variant.
const MOST_CHANGES: usize = 6;
/// Number of attempts for each change. Many changes do not fit their place.
const TRIALS: usize = 8;

/// Variant `number` of a shader. It is valid and has no more reads of unwritten registers than the shader. `None` if no
/// change fits, and for a shader with shared memory, since a change may make its result depend on the order of lanes.
#[must_use]
pub fn variant(shader: &Shader, number: u64) -> Option<Shader> {
    if has_shared_memory(shader) {
        return None;
    }
    let open_reads = num_open_reads(shader)?;
    let mut site = Site { shader: shader.clone(), random: Random::new(number) };
    site.shader.order.clear();
    let wanted = 1 + site.random.below(MOST_CHANGES);
    let mut made = 0;
    for _ in 0..wanted * TRIALS {
        let before = site.shader.clone();
        let change = site.random.pick(&CHANGES);
        let is_made = change(&mut site).is_some()
            && site.shader != before
            && num_open_reads(&site.shader).is_some_and(|reads| reads <= open_reads);
        if is_made {
            made += 1;
        } else {
            site.shader = before;
        }
        if made == wanted {
            break;
        }
    }
    (made > 0).then_some(site.shader)
}

fn has_shared_memory(shader: &Shader) -> bool {
    shader.declarations.iter().any(|declaration| declaration.file == File::Memory)
}

/// Number of reads of unwritten registers; `None` if the shader is invalid.
fn num_open_reads(shader: &Shader) -> Option<usize> {
    let findings = validate(shader, Profile::Full);
    let open = findings.iter().filter(|finding| finding.code == Code::ReadBeforeWrite).count();
    is_valid(&findings).then_some(open)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use std::collections::BTreeSet;

    use super::*;

    const TEXT: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..3]\nDCL TEMP[0..1]\n\
        IMM FLT32 {0.5, 1.0, 0.0, 2.0}\nMUL TEMP[0], IN[0], CONST[1]\nADD TEMP[1], TEMP[0], IMM[0]\n\
        IF TEMP[1].xxxx\n  MAX TEMP[0], TEMP[0], CONST[2]\nENDIF\nMAD OUT[0], TEMP[0], TEMP[1], CONST[3]\nEND\n";

    #[test]
    fn variants_are_valid_and_many() {
        let shader = tgsi_text::parse(TEXT).shader;
        let texts: BTreeSet<String> = (0..200)
            .map(|number| {
                tgsi_text::print(&variant(&shader, number).unwrap(), tgsi_text::Style::Lossless)
            })
            .collect();
        assert!(texts.len() > 190, "{}", texts.len());
        for text in &texts {
            let parsed = tgsi_text::parse(text);
            assert!(parsed.diagnostics.is_empty(), "{:?}\n{text}", parsed.diagnostics);
            assert_eq!(num_open_reads(&parsed.shader), Some(0), "{text}");
        }
    }

    #[test]
    fn a_number_gives_the_same_variant() {
        let shader = tgsi_text::parse(TEXT).shader;
        assert_eq!(variant(&shader, 7), variant(&shader, 7));
    }

    #[test]
    fn a_shader_that_cannot_be_changed_has_no_variants() {
        let shader = tgsi_text::parse("FRAG\nEND\n").shader;
        assert_eq!(variant(&shader, 1), None);
    }
}
