//! What emits nothing, or hardly anything, and takes memory or time: names, branches, phis, decorations, entry points.

use spirv::Op;
use tgsi_spirv::testing::RED;
use tgsi_spirv::{ErrorKind, Options, entry_points, translate_words};

use super::large::{FLOAT, INPUT, INT, Module, ONE, START, UNIFORM};

/// Decorations.
const BLOCK: u32 = 2;
const BUFFER_BLOCK: u32 = 3;
const ARRAY_STRIDE: u32 = 6;
const OFFSET: u32 = 35;

/// A name of so many letters.
fn name(letters: usize) -> Vec<u32> {
    let mut words = vec![u32::from_le_bytes(*b"xxxx"); letters / 4];
    words.push(0);
    words
}

impl Module {
    /// Uses a variable outside functions.
    fn uses(&mut self, [variable, pointer]: [u32; 2]) {
        let id = self.id();
        self.op(Op::CopyObject, &[pointer, id, variable]);
    }

    /// Refused where it may have so many instructions, of which it has fewer.
    #[track_caller]
    fn takes_too_long(self, max_instructions: usize) {
        let options = Options::default().max_instructions(max_instructions);
        let error = self.outcome_within(&options).expect_err("it takes too long").to_string();
        assert!(error.contains("calls and branches repeat more than"), "{error}");
    }
}

#[test]
fn names_of_members_of_each_element() {
    let block = |letters| {
        let mut module = Module::new();
        let inner = module.structure();
        let [len, elements, block] = module.ids();
        module.declare(Op::Constant, &[INT, len, 4000]);
        module.declare(Op::TypeArray, &[elements, inner, len]);
        module.declare(Op::TypeStruct, &[block, elements]);
        module.declare(Op::Decorate, &[block, BLOCK]);
        module.declare(Op::Decorate, &[elements, ARRAY_STRIDE, 16]);
        for ty in [inner, block] {
            module.declare(Op::MemberDecorate, &[ty, 0, OFFSET, 0]);
        }
        module.declare(Op::MemberName, &[&[block, 0][..], &name(letters)].concat());
        let variable = module.global(UNIFORM, block);
        module.uses(variable);
        module
    };
    block(20_000).refused("grows beyond");
    assert!(block(40).translated() > 0);
}

#[test]
fn names_of_each_block_of_an_array() {
    for kind in [BLOCK, BUFFER_BLOCK] {
        let blocks = |letters| {
            let mut module = Module::new();
            let block = module.structure();
            let [len, blocks] = module.ids();
            module.declare(Op::Constant, &[INT, len, 256]);
            module.declare(Op::TypeArray, &[blocks, block, len]);
            module.declare(Op::Decorate, &[block, kind]);
            module.declare(Op::MemberDecorate, &[block, 0, OFFSET, 0]);
            module.declare(Op::Name, &[&[block][..], &name(letters)].concat());
            let variable = module.global(UNIFORM, blocks);
            module.uses(variable);
            module
        };
        blocks(80_000).refused("grows beyond");
        assert!(blocks(40).translated() > 0);
    }
}

#[test]
fn names_of_each_part_of_an_input() {
    const VECTOR: u32 = 6;
    const LOCATION: u32 = 30;
    let input = |letters| {
        let mut module = Module::new();
        let ty = module.id();
        let members = [FLOAT, VECTOR].repeat(100);
        module.declare(Op::TypeStruct, &[&[ty][..], &members].concat());
        let [variable, pointer] = module.global(INPUT, ty);
        module.declare(Op::Decorate, &[variable, LOCATION, 0]);
        module.declare(Op::Name, &[&[variable][..], &name(letters)].concat());
        module.uses([variable, pointer]);
        module
    };
    input(100_000).refused("grows beyond");
    assert!(input(40).translated() > 0);
}

/// The example's entry point, so many times, under names from `maiA` on.
fn entries(num: u8) -> Vec<u32> {
    const ENTRY: usize = 10;
    let mut words = RED[..ENTRY].to_vec();
    for n in 0..num {
        let mut entry = RED[ENTRY..ENTRY + 6].to_vec();
        entry[3] = u32::from_le_bytes([b'm', b'a', b'i', b'A' + n]);
        words.extend(entry);
    }
    words.extend(&RED[ENTRY + 6..]);
    words
}

#[test]
fn entry_points_share_the_limits() {
    let words = entries(26);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let few = Options::default().max_instructions(50);
    let names = entry_points(&bytes, &few).expect("nothing is translated");
    assert_eq!((names.len(), names[1].as_str()), (26, "maiB"));
    let error = translate_words(&words, &few).expect_err("all of them exceed the limit");
    assert_eq!(error.kind, ErrorKind::Limit);
    let text = "the shader grows beyond 50 instructions, all entry points together: translate one at a time";
    assert!(error.to_string().starts_with(text), "{error}");
    for name in names {
        let one = few.clone().entry(name.clone());
        assert_eq!(entry_points(&bytes, &one), Ok(vec![name]));
        assert_eq!(translate_words(&words, &one).map(|list| list.len()), Ok(1));
    }
    assert_eq!(translate_words(&words, &Options::default()).map(|list| list.len()), Ok(26));
    let none = entry_points(&bytes, &few.entry("main")).expect_err("there is none");
    assert_eq!(none.kind, ErrorKind::EntryPoint);
}

/// Each instruction of a function that is called 4096 times has 2000 groups, of which none has any decoration.
#[test]
fn groups_of_what_is_called_often() {
    let mut module = Module::new();
    let targets: Vec<u32> = (0..30).map(|_| module.id()).collect();
    for _ in 0..2000 {
        let group = module.id();
        module.declare(Op::GroupDecorate, &[&[group][..], &targets].concat());
        module.declare(Op::DecorationGroup, &[group]);
    }
    module.call(12, |module| {
        for id in targets {
            module.op(Op::CopyObject, &[FLOAT, id, ONE]);
        }
    });
    assert!(module.translated() > 0);
}

/// A loop around what `body` writes, which is given a condition and the block where the iteration goes on. What `between`
/// writes runs between iterations, from that block on.
fn repeat(
    module: &mut Module,
    body: impl FnOnce(&mut Module, [u32; 2]),
    between: impl FnOnce(&mut Module, u32),
) {
    let [header, first, cont, merge] = module.ids();
    module.op(Op::Branch, &[header]);
    module.op(Op::Label, &[header]);
    module.op(Op::LoopMerge, &[merge, cont, 0]);
    module.op(Op::Branch, &[first]);
    module.op(Op::Label, &[first]);
    let [_, is_it] = module.loaded();
    body(module, [is_it, cont]);
    module.op(Op::BranchConditional, &[is_it, cont, merge]);
    module.op(Op::Label, &[cont]);
    between(module, cont);
    module.op(Op::Branch, &[header]);
    module.op(Op::Label, &[merge]);
}

#[test]
fn branches_without_a_merge_instruction() {
    let branches = |num: u32| {
        let mut module = Module::new();
        let body = |module: &mut Module, [is_it, _]: [u32; 2]| {
            for _ in 0..num {
                let [side, meeting] = module.ids();
                module.op(Op::BranchConditional, &[is_it, side, meeting]);
                module.op(Op::Label, &[side]);
                module.op(Op::Branch, &[meeting]);
                module.op(Op::Label, &[meeting]);
            }
        };
        repeat(&mut module, body, |_, _| {});
        module
    };
    branches(300).takes_too_long(2000);
    assert!(branches(300).translated() > 0);
}

/// So many ways to the block where the iteration goes on: what [`repeat`] takes as the body.
fn ways(num: u32) -> impl FnOnce(&mut Module, [u32; 2]) {
    move |module, [is_it, cont]| {
        for _ in 0..num {
            let [side, rest] = module.ids();
            module.op(Op::SelectionMerge, &[rest, 0]);
            module.op(Op::BranchConditional, &[is_it, side, rest]);
            module.op(Op::Label, &[side]);
            module.op(Op::Branch, &[cont]);
            module.op(Op::Label, &[rest]);
        }
    }
}

/// A thousand phis of a number that a block defines that never runs; each way to the next iteration sets them.
#[test]
fn phis_of_what_never_runs() {
    let phis = |num_ways: u32, num_unused: u32| {
        let mut module = Module::new();
        let [late, unused, second, last] = module.ids();
        repeat(&mut module, ways(num_ways), |module, cont| {
            module.op(Op::Branch, &[second]);
            module.op(Op::Label, &[unused]);
            for _ in 0..num_unused {
                let id = module.id();
                module.op(Op::CopyObject, &[INT, id, START]);
            }
            module.op(Op::CopyObject, &[INT, late, START]);
            module.op(Op::Unreachable, &[]);
            module.op(Op::Label, &[second]);
            for _ in 0..1000 {
                let id = module.id();
                module.op(Op::Phi, &[INT, id, late, cont]);
            }
            module.op(Op::Branch, &[last]);
            module.op(Op::Label, &[last]);
        });
        module
    };
    phis(20, 0).takes_too_long(1000);
    // Where each phi is looked for in the whole function, this takes minutes.
    assert!(phis(100, 20_000).translated() > 0);
}

/// Sixty phis of an array of 8192 floats. Where each float is looked for among all registers of the phis, this takes
/// minutes.
#[test]
fn phis_of_long_arrays() {
    const PRIVATE: u32 = 6;
    let mut module = Module::new();
    let ty = module.array(8192);
    let [variable, _] = module.global(PRIVATE, ty);
    let [array, side, merge] = module.ids();
    module.op(Op::Load, &[ty, array, variable]);
    let [_, is_it] = module.loaded();
    module.op(Op::SelectionMerge, &[merge, 0]);
    module.op(Op::BranchConditional, &[is_it, side, merge]);
    module.op(Op::Label, &[side]);
    module.op(Op::Branch, &[merge]);
    module.op(Op::Label, &[merge]);
    for _ in 0..60 {
        let id = module.id();
        module.op(Op::Phi, &[ty, id, array, side]);
    }
    module.refused("grows beyond");
}

/// An array of 4000 empty structures takes no registers. Its copies between iterations take memory all the same, and time
/// on each way there.
#[test]
fn copies_of_parts_without_registers() {
    let copies = |op: Op, num: u32, num_ways: u32| {
        let mut module = Module::new();
        let [empty, len, ty, null, second] = module.ids();
        module.declare(Op::TypeStruct, &[empty]);
        module.declare(Op::Constant, &[INT, len, 4000]);
        module.declare(Op::TypeArray, &[ty, empty, len]);
        module.declare(Op::ConstantNull, &[ty, null]);
        repeat(&mut module, ways(num_ways), |module, cont| {
            module.op(Op::Branch, &[second]);
            module.op(Op::Label, &[second]);
            for _ in 0..num {
                let operands = [ty, module.id(), null, cont];
                module.op(op, if op == Op::Phi { &operands } else { &operands[..3] });
            }
        });
        module
    };
    for op in [Op::Phi, Op::CopyObject] {
        copies(op, 200, 2).refused("grows beyond");
        copies(op, 2, 300).takes_too_long(4000);
        assert!(copies(op, 2, 2).translated() > 0);
    }
}
