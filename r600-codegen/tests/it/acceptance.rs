//! What another compiler takes is taken, except for what docs/refusals.md lists: beside the repository, if its shaders
//! and the other compiler's figures are.

use std::collections::{BTreeMap, BTreeSet};

use r600_codegen::abi::ShaderKey;
use r600_codegen::internals::lower::lower;
use r600_codegen::{Limits, Refusal};
use r600_isa::{Chip, HazardSet};
use test_support::{read, root, shared};

/// Chips of the figures, and those of the same generation that the same compiler would treat alike.
const CHIPS: [(&str, &[Chip]); 3] = [
    ("RV770", &[Chip::Rv610, Chip::Rv770]),
    ("CEDAR", &[Chip::Cedar, Chip::Cypress]),
    ("CAYMAN", &[Chip::Cayman]),
];

/// Why shaders are refused that the other compiler takes, for the chip of the figures; how many.
const LISTED: [(&str, Refusal, usize); 3] = [
    ("RV770", Refusal::GeometryInvocations, 1),
    ("CEDAR", Refusal::ImageSamples, 2),
    ("CAYMAN", Refusal::ImageSamples, 2),
];

/// The shaders that the other compiler takes for each chip.
fn taken_elsewhere(figures: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut taken: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in figures.lines().skip(1) {
        let mut fields = line.split('\t');
        let (shader, chip) = (fields.next(), fields.nth(2));
        taken.entry(chip.unwrap()).or_default().insert(shader.unwrap());
    }
    taken
}

#[test]
fn what_another_compiler_accepts_is_accepted_except_listed_shaders() {
    let Some(folder) = shared("wild") else { return };
    let figures = read(&folder.join("peers.tsv"));
    let taken = taken_elsewhere(&figures);
    for (name, chips) in CHIPS {
        for &chip in chips {
            let mut refused: BTreeMap<Refusal, Vec<&str>> = BTreeMap::new();
            for shader in &taken[name] {
                let path = folder.join(format!("tgsi/{shader}.tgsi"));
                let parsed = tgsi_text::parse(&read(&path));
                let (key, limits) = (ShaderKey::default(), Limits::DEFAULT);
                if let Err(error) = lower(&parsed.shader, chip, &key, limits, HazardSet::NONE) {
                    let reason = error.refusal().expect("it is a refusal, not an internal error");
                    refused.entry(reason).or_default().push(shader);
                }
            }
            println!("{}: {} shaders, refused {refused:?}", chip.name(), taken[name].len());
            let found: Vec<_> =
                refused.iter().map(|(reason, shaders)| (name, *reason, shaders.len())).collect();
            let listed: Vec<_> = LISTED.iter().filter(|(own, ..)| *own == name).copied().collect();
            assert_eq!(found, listed, "{}", chip.name());
        }
    }
}

/// An index means registers that have places, whichever are declared first.
#[test]
fn an_index_skips_inputs_without_registers() {
    let declarations = ["DCL IN[][0..3], GENERIC[34]", "DCL IN[][4..7], GENERIC[0]"];
    // The last inputs of a declaration need no place either.
    let partly = "DCL IN[][0..7], GENERIC[30]";
    let both = [declarations[0], "DCL IN[][4..7], GENERIC[30]"];
    for [first, second] in [declarations, [declarations[1], declarations[0]], [partly, ""], both] {
        let text = format!(
            "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\n{first}\n{second}\nDCL SV[0], INVOCATIONID\nDCL CONST[0]\n\
             DCL ADDR[0]\nDCL OUT[][0], POSITION\nUARL ADDR[0].x, CONST[0].xxxx\nUARL ADDR[0].y, SV[0].xxxx\n\
             MOV OUT[ADDR[0].y][0], IN[ADDR[0].y][ADDR[0].x+4]\nEND\n"
        );
        let shader = tgsi_text::parse(&text).shader;
        let (key, limits) = (ShaderKey::default(), Limits::DEFAULT);
        let lowered = lower(&shader, Chip::Cedar, &key, limits, HazardSet::NONE);
        assert!(lowered.is_ok(), "{first}: {:?}", lowered.err());
    }
}

/// The page says why, in the words of the refusal.
#[test]
fn the_page_lists_every_reason() {
    let page = read(&root().join("docs/refusals.md"));
    for (_, reason, _) in LISTED {
        assert!(page.contains(reason.text()), "{reason}");
    }
}
