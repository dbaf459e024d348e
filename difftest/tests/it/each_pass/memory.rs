//! Reads between stores: one that nobody needs may go, and one that is needed stays on its side of each store.

use super::*;

/// Two stores to one word, and a read of it after each, the first of which goes to `first`; then another buffer gets
/// `shown`.
fn shader(first: &str, shown: &str) -> String {
    format!(
        "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 1
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL BUFFER[0]
DCL BUFFER[1]
DCL TEMP[0..1]
IMM[0] UINT32 {{16, 0, 4, 1}}
STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].zzzz
LOAD {first}, BUFFER[0], IMM[0].xxxx
STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].wwww
LOAD TEMP[0].y, BUFFER[0], IMM[0].xxxx
STORE BUFFER[1].xy, IMM[0].xxxx, {shown}
END
"
    )
}

#[test]
fn dead_reads_between_stores_to_one_word_may_be_removed() {
    let parsed = tgsi_text::parse(&shader("TEMP[1].x", "TEMP[0].yyyy"));
    assert_eq!(parsed.diagnostics, []);
    for (chip, precise) in [(Chip::Cypress, true), (Chip::Cayman, true), (Chip::Cayman, false)] {
        let target = Target { chip, level: OptLevel::O2, precise };
        let checked = EachPassCompiler { seed: 1 }.check(&parsed.shader, target);
        assert!(checked.is_ok(), "{target}: {checked:?}");
    }
}

/// Positions of plain accesses to buffers in straight code.
fn accesses(function: &Function) -> Vec<usize> {
    let is_plain = |inst: InstId| match &function.insts[inst].data {
        InstData::Fetch(fetch) => fetch.place.is_some(),
        InstData::Memory(memory) => memory.place.is_some(),
        _ => false,
    };
    let is_access = |node: &Node| matches!(node, Node::Inst(inst) if is_plain(*inst));
    let nodes = &function.body.nodes;
    (0..nodes.len()).filter(|&at| is_access(&nodes[at])).collect()
}

#[test]
fn swapped_reads_and_stores_are_found() {
    for precise in [true, false] {
        let stages = stages_of(&shader("TEMP[0].x", "TEMP[0].xyyy"), precise);
        let (pass, whole) = stages.last().unwrap();
        let at = accesses(whole);
        assert_eq!(at.len(), 6, "{whole}");
        // The first read over the store after it, and that store over the second read.
        for moved in [1, 2] {
            let mut broken = whole.clone();
            let node = broken.body.nodes.remove(at[moved]);
            broken.body.nodes.insert(at[moved + 1], node);
            let mut passes = EachPass::new(precise, 1);
            passes.after(*pass, whole).unwrap();
            let why = passes.after(*pass, &broken).unwrap_err();
            assert!(why.contains("word "), "{why}");
        }
    }
}
