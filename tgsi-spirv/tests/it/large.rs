//! Large modules: the time that they take grows as they do. Where it grew with the square, these would take minutes.

use spirv::Op;
use tgsi_spirv::testing::RED;
use tgsi_spirv::{Options, translate_words};

/// Ids beyond those of the example: types, numbers, a variable. The example has a float as 5, and 1.0 and 0.0 as 8 and 9.
const FLOAT: u32 = 5;
const ONE: u32 = 8;
const ZERO: u32 = 9;
const BOOL: u32 = 20;
const INT: u32 = 21;
const POINTER: u32 = 22;
const START: u32 = 23;
const LIMIT: u32 = 24;
const VARIABLE: u32 = 25;
const FIRST_FREE: u32 = 26;

/// The example with more in its function.
struct Module {
    words: Vec<u32>,
    tail: Vec<u32>,
    next: u32,
}

impl Module {
    fn new() -> Self {
        let at = |op: Op| {
            let is_it = |&word: &u32| word & 0xffff == op as u32 && word >> 16 > 0;
            let label = RED.iter().rposition(|&word| word == 2 << 16 | Op::Label as u32);
            let found = if op == Op::Label { label } else { RED.iter().rposition(is_it) };
            found.expect("the example has a function")
        };
        let (function, label) = (at(Op::Function), at(Op::Label));
        let words = RED[..function].to_vec();
        let mut module = Self { words, tail: RED[label + 2..].to_vec(), next: FIRST_FREE };
        module.op(Op::TypeBool, &[BOOL]);
        module.op(Op::TypeInt, &[INT, 32, 1]);
        module.op(Op::TypePointer, &[POINTER, 7, FLOAT]);
        module.op(Op::Constant, &[INT, START, 0]);
        module.op(Op::Constant, &[INT, LIMIT, 4]);
        module.words.extend(&RED[function..label + 2]);
        module.op(Op::Variable, &[POINTER, VARIABLE, 7]);
        module.op(Op::Store, &[VARIABLE, ONE]);
        module
    }

    fn op(&mut self, op: Op, operands: &[u32]) {
        self.words.push((operands.len() as u32 + 1) << 16 | op as u32);
        self.words.extend(operands);
    }

    fn id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn ids<const N: usize>(&mut self) -> [u32; N] {
        std::array::from_fn(|_| self.id())
    }

    /// A value, and whether it is above 0.
    fn loaded(&mut self) -> [u32; 2] {
        let [value, is_it] = self.ids();
        self.op(Op::Load, &[FLOAT, value, VARIABLE]);
        self.op(Op::FOrdGreaterThan, &[BOOL, is_it, value, ZERO]);
        [value, is_it]
    }

    /// What runs where the variable is above 0: all but the branch to the block that is returned, which follows.
    fn selection(&mut self) -> u32 {
        let [_, is_it] = self.loaded();
        let [side, merge] = self.ids();
        self.op(Op::SelectionMerge, &[merge, 0]);
        self.op(Op::BranchConditional, &[is_it, side, merge]);
        self.op(Op::Label, &[side]);
        merge
    }

    /// Changes the variable where it is above 0.
    fn change(&mut self) {
        let merge = self.selection();
        let [value, _] = self.loaded();
        let new = self.id();
        self.op(Op::FMul, &[FLOAT, new, value, value]);
        self.op(Op::Store, &[VARIABLE, new]);
        self.op(Op::Branch, &[merge]);
        self.op(Op::Label, &[merge]);
    }

    fn discard(&mut self) {
        let merge = self.selection();
        self.op(Op::Kill, &[]);
        self.op(Op::Label, &[merge]);
    }

    /// A loop that counts, from the block `before` on; the block after it.
    fn counting(&mut self, before: u32) -> u32 {
        let [header, body, cont, merge] = self.ids();
        let [counter, next, stays] = self.ids();
        self.op(Op::Branch, &[header]);
        self.op(Op::Label, &[header]);
        self.op(Op::Phi, &[INT, counter, START, before, next, cont]);
        self.op(Op::SLessThan, &[BOOL, stays, counter, LIMIT]);
        self.op(Op::LoopMerge, &[merge, cont, 0]);
        self.op(Op::BranchConditional, &[stays, body, merge]);
        self.op(Op::Label, &[body]);
        self.op(Op::Branch, &[cont]);
        self.op(Op::Label, &[cont]);
        self.op(Op::IAdd, &[INT, next, counter, LIMIT]);
        self.op(Op::Branch, &[header]);
        self.op(Op::Label, &[merge]);
        merge
    }

    /// Instructions of the shader that it becomes.
    fn translated(self) -> usize {
        self.outcome().expect("it is translated")
    }

    /// The same, or why there is none.
    fn outcome(mut self) -> Result<usize, tgsi_spirv::Error> {
        self.words.extend(&self.tail);
        self.words[3] = self.next;
        let list = translate_words(&self.words, &Options::default())?;
        Ok(list[0].shader.instructions.len())
    }

    /// Something before the functions.
    fn declare(&mut self, op: Op, operands: &[u32]) {
        let is_function = |&word: &u32| word == 5 << 16 | Op::Function as u32;
        let at = self.words.iter().rposition(is_function).expect("there is a function");
        let inst = [(operands.len() as u32 + 1) << 16 | op as u32];
        self.words.splice(at..at, inst.iter().chain(operands).copied());
    }
}

#[test]
fn selections_one_after_the_other() {
    let mut module = Module::new();
    (0..6000).for_each(|_| module.change());
    assert!(module.translated() > 6000);
}

#[test]
fn loops_after_a_discard() {
    let mut module = Module::new();
    module.discard();
    let mut block = module.next;
    module.next += 1;
    module.op(Op::Branch, &[block]);
    module.op(Op::Label, &[block]);
    (0..2000).for_each(|_| block = module.counting(block));
    assert!(module.translated() > 2000);
}

#[test]
fn cases_before_a_long_default() {
    const CASES: u32 = 1000;
    let mut module = Module::new();
    let [selector, default, merge] = module.ids();
    let labels: Vec<u32> = (0..CASES).map(|_| module.id()).collect();
    let [value, _] = module.loaded();
    module.op(Op::ConvertFToS, &[INT, selector, value]);
    module.op(Op::SelectionMerge, &[merge, 0]);
    let pairs = (0..).zip(&labels).flat_map(|(n, &label)| [n, label]);
    let operands: Vec<u32> = [selector, default].into_iter().chain(pairs).collect();
    module.op(Op::Switch, &operands);
    for label in labels {
        module.op(Op::Label, &[label]);
        module.op(Op::Branch, &[merge]);
    }
    module.op(Op::Label, &[default]);
    (0..CASES).for_each(|_| module.change());
    module.op(Op::Branch, &[merge]);
    module.op(Op::Label, &[merge]);
    assert!(module.translated() > CASES as usize);
}

#[test]
fn sides_of_a_loop_header_that_meet() {
    let mut module = Module::new();
    let [header, merge, cont, one, other, meeting, stays] = module.ids();
    let [value, _] = module.loaded();
    module.op(Op::Branch, &[header]);
    module.op(Op::Label, &[header]);
    module.op(Op::FOrdLessThan, &[BOOL, stays, value, ONE]);
    module.op(Op::LoopMerge, &[merge, cont, 0]);
    module.op(Op::BranchConditional, &[stays, one, other]);
    for side in [one, other] {
        module.op(Op::Label, &[side]);
        module.op(Op::Branch, &[meeting]);
    }
    module.op(Op::Label, &[meeting]);
    for _ in 0..30_000 {
        let next = module.id();
        module.op(Op::Branch, &[next]);
        module.op(Op::Label, &[next]);
    }
    module.op(Op::Branch, &[merge]);
    module.op(Op::Label, &[cont]);
    module.op(Op::Branch, &[header]);
    module.op(Op::Label, &[merge]);
    assert!(module.translated() > 0);
}

#[test]
fn composites_that_emit_nothing() {
    let array = |module: &mut Module| {
        let [len, array] = module.ids();
        module.declare(Op::Constant, &[INT, len, 4096]);
        module.declare(Op::TypeArray, &[array, FLOAT, len]);
        array
    };
    // Without a limit, it would take two gigabytes.
    let mut module = Module::new();
    let undefined = array(&mut module);
    for _ in 0..10_000 {
        let id = module.id();
        module.op(Op::Undef, &[undefined, id]);
    }
    let outcome = module.outcome();
    assert!(
        matches!(&outcome, Err(error) if error.to_string().contains("grows beyond")),
        "{outcome:?}"
    );
    // One constant is made once.
    let mut module = Module::new();
    let ty = array(&mut module);
    let zeros = module.id();
    module.declare(Op::ConstantNull, &[ty, zeros]);
    for element in 0..50_000 {
        let id = module.id();
        module.op(Op::CompositeExtract, &[FLOAT, id, zeros, element % 4096]);
    }
    assert!(module.translated() > 0);
}

#[test]
fn many_storage_buffers() {
    let mut module = Module::new();
    let [block, pointer] = module.ids();
    module.declare(Op::TypeStruct, &[block, FLOAT]);
    module.declare(Op::TypePointer, &[pointer, 2, block]);
    for _ in 0..16_000 {
        let [variable, part] = module.ids();
        module.declare(Op::Variable, &[pointer, variable, 2]);
        module.op(Op::CopyObject, &[pointer, part, variable]);
    }
    // There are not so many registers.
    assert!(module.outcome().is_err());
}
