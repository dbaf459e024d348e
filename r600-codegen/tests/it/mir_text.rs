//! Machine IR as text: what is printed is read back, with everything that a pass can read.

use std::path::Path;

use pass_manager::{Observer, PassId};
use r600_codegen::{Compilation, Compiler, Options, Snapshot};
use r600_isa::Chip;
use r600_mir::{Function, Node, Op, Origin, Region, VRegInfo, parse};
use test_support::{files, read, root, shared};

/// One chip of each generation.
const CHIPS: [Chip; 4] = [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman];

/// Blocks of a region in the order of the text.
fn blocks(region: &Region, out: &mut Vec<r600_mir::Block>) {
    for node in &region.nodes {
        match node {
            Node::Block(block) => out.push(*block),
            Node::If { then, otherwise } => {
                blocks(then, out);
                blocks(otherwise, out);
            }
            Node::Loop { body } => blocks(body, out),
            Node::Break | Node::Continue => {}
        }
    }
}

/// Operations with their origins in the order of the text: their numbers are not told.
fn operations(function: &Function) -> Vec<(&Op, Option<Origin>)> {
    let mut order = Vec::new();
    blocks(&function.body, &mut order);
    let ids = order.iter().flat_map(|&block| &function.blocks[block]);
    ids.map(|&id| (&function.ops[id], function.origins[id])).collect()
}

/// What is known of registers; those that nothing mentions are not told.
fn registers(function: &Function, num: usize) -> Vec<VRegInfo> {
    let known = function.vregs.values().copied();
    known.chain(std::iter::repeat(VRegInfo::default())).take(num).collect()
}

/// Reads back what `function` prints as.
fn check(function: &Function) -> Result<(), String> {
    let text = function.to_string();
    let again = parse(&text, function.chip).map_err(|error| error.to_string())?;
    let num = function.vregs.len().max(again.vregs.len());
    let is_same = again.to_string() == text
        && again.body == function.body
        && again.ignored == function.ignored
        && again.scratch == function.scratch
        && again.live_in == function.live_in
        && again.vectors == function.vectors
        && again.arrays == function.arrays
        && registers(&again, num) == registers(function, num)
        && operations(&again) == operations(function);
    if is_same { Ok(()) } else { Err(format!("another function is read\n{text}\n{again}")) }
}

/// Checks the machine IR after each pass, and counts.
#[derive(Default)]
struct ReadBack(u32);

impl Observer<Compilation> for ReadBack {
    fn verify(&mut self, _: PassId, form: Snapshot<'_>) -> Result<(), String> {
        form.machine().map_or(Ok(()), |machine| {
            self.0 += 1;
            check(machine)
        })
    }
}

/// Reads back what every n-th shader of a folder becomes; shaders that are refused have no machine IR.
fn read_back(folder: &Path, n: usize) {
    let mut options = Options::default();
    options.passes.verify_each = true;
    let compiler = Compiler::new(options).unwrap();
    let (mut functions, mut shaders) = (ReadBack::default(), 0);
    for path in files(folder, "tgsi").iter().step_by(n) {
        let shader = tgsi_text::parse(&read(path)).shader;
        for chip in CHIPS {
            match compiler.compile_observed(&shader, chip, &mut functions) {
                Ok(_) => shaders += 1,
                Err(error) if error.is_refusal() => {}
                Err(error) => panic!("{} for {}: {error}", path.display(), chip.name()),
            }
        }
    }
    println!("{}: {shaders} shaders, {} functions read back", folder.display(), functions.0);
    assert!(functions.0 > 0, "{}: nothing is read back", folder.display());
}

#[test]
fn machine_ir_of_our_shaders_is_read_back() {
    read_back(&root().join("examples"), 1);
    read_back(&root().join("difftest/tests/features"), 2);
    read_back(&root().join("difftest/tests/findings"), 8);
}

#[test]
fn machine_ir_of_the_corpus_is_read_back() {
    if let Some(folder) = shared("corpus/tgsi") {
        read_back(&folder, 20);
    }
}

#[test]
fn machine_ir_of_wild_shaders_is_read_back() {
    if let Some(folder) = shared("wild/tgsi") {
        read_back(&folder, 60);
    }
}
