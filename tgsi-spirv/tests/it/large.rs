//! Large modules: the time that they take grows as they do. Where it grew with the square, these would take minutes.

use spirv::Op;
use tgsi_spirv::testing::RED;
use tgsi_spirv::{Options, translate_words};

/// Ids beyond those of the example: types, numbers, a variable. The example has a float as 5, and 1.0 and 0.0 as 8 and 9.
pub(super) const FLOAT: u32 = 5;
pub(super) const ONE: u32 = 8;
const ZERO: u32 = 9;
const BOOL: u32 = 20;
pub(super) const INT: u32 = 21;
const POINTER: u32 = 22;
pub(super) const START: u32 = 23;
const LIMIT: u32 = 24;
const VARIABLE: u32 = 25;
const FIRST_FREE: u32 = 26;

/// The example with more in its function.
pub(super) struct Module {
    words: Vec<u32>,
    tail: Vec<u32>,
    next: u32,
}

impl Module {
    pub(super) fn new() -> Self {
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

    pub(super) fn op(&mut self, op: Op, operands: &[u32]) {
        self.words.push((operands.len() as u32 + 1) << 16 | op as u32);
        self.words.extend(operands);
    }

    pub(super) fn id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    pub(super) fn ids<const N: usize>(&mut self) -> [u32; N] {
        std::array::from_fn(|_| self.id())
    }

    /// A value, and whether it is above 0.
    pub(super) fn loaded(&mut self) -> [u32; 2] {
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
    pub(super) fn translated(self) -> usize {
        self.outcome().expect("it is translated")
    }

    /// The same, or why there is none.
    pub(super) fn outcome(self) -> Result<usize, tgsi_spirv::Error> {
        self.outcome_within(&Options::default())
    }

    /// The same, within other limits.
    pub(super) fn outcome_within(mut self, options: &Options) -> Result<usize, tgsi_spirv::Error> {
        self.words.extend(&self.tail);
        self.words[3] = self.next;
        let list = translate_words(&self.words, options)?;
        Ok(list[0].shader.instructions.len())
    }

    /// It is refused, in such words.
    #[track_caller]
    pub(super) fn refused(self, text: &str) {
        let outcome = self.outcome();
        assert!(matches!(&outcome, Err(error) if error.to_string().contains(text)), "{outcome:?}");
    }

    /// An array of so many floats.
    pub(super) fn array(&mut self, num: u32) -> u32 {
        let [len, array] = self.ids();
        self.declare(Op::Constant, &[INT, len, num]);
        self.declare(Op::TypeArray, &[array, FLOAT, len]);
        array
    }

    /// A structure that holds a float.
    pub(super) fn structure(&mut self) -> u32 {
        let id = self.id();
        self.declare(Op::TypeStruct, &[id, FLOAT]);
        id
    }

    /// A variable outside functions, and its pointer's type.
    pub(super) fn global(&mut self, class: u32, ty: u32) -> [u32; 2] {
        let [pointer, variable] = self.ids();
        self.declare(Op::TypePointer, &[pointer, class, ty]);
        self.declare(Op::Variable, &[pointer, variable, class]);
        [variable, pointer]
    }

    /// Calls what `body` writes, 2 to the power of `doublings` times: each function calls the one before twice.
    pub(super) fn call(&mut self, doublings: usize, body: impl FnOnce(&mut Self)) {
        const VOID: u32 = 3;
        let result = self.id();
        let functions: Vec<u32> = (0..=doublings).map(|_| self.id()).collect();
        self.op(Op::FunctionCall, &[VOID, result, functions[doublings]]);
        // The functions follow the main one.
        let words = std::mem::replace(&mut self.words, std::mem::take(&mut self.tail));
        self.function(functions[0], body);
        for pair in functions.windows(2) {
            self.function(pair[1], |module| {
                for id in module.ids::<2>() {
                    module.op(Op::FunctionCall, &[VOID, id, pair[0]]);
                }
            });
        }
        self.tail = std::mem::replace(&mut self.words, words);
    }

    fn function(&mut self, id: u32, body: impl FnOnce(&mut Self)) {
        let label = self.id();
        self.op(Op::Function, &[3, id, 0, 4]);
        self.op(Op::Label, &[label]);
        body(self);
        self.op(Op::Return, &[]);
        self.op(Op::FunctionEnd, &[]);
    }

    /// Something before the functions.
    pub(super) fn declare(&mut self, op: Op, operands: &[u32]) {
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
    // Without a limit, it would take two gigabytes.
    let mut module = Module::new();
    let undefined = module.array(4096);
    for _ in 0..10_000 {
        let id = module.id();
        module.op(Op::Undef, &[undefined, id]);
    }
    module.refused("grows beyond");
    // One constant is made once.
    let mut module = Module::new();
    let ty = module.array(4096);
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

/// Classes of storage.
const UNIFORM_CONSTANT: u32 = 0;
pub(super) const INPUT: u32 = 1;
pub(super) const UNIFORM: u32 = 2;

#[test]
fn loads_that_emit_nothing() {
    for class in [UNIFORM_CONSTANT, INPUT] {
        let mut module = Module::new();
        let ty = module.array(4000);
        let [variable, _] = module.global(class, ty);
        for _ in 0..200 {
            let id = module.id();
            module.op(Op::Load, &[ty, id, variable]);
        }
        module.refused("grows beyond");
    }
}

#[test]
fn inputs_at_one_location() {
    const LOCATION: u32 = 30;
    let mut module = Module::new();
    let ty = module.array(4000);
    for _ in 0..200 {
        let [variable, pointer] = module.global(INPUT, ty);
        module.declare(Op::Decorate, &[variable, LOCATION, 0]);
        let id = module.id();
        module.op(Op::CopyObject, &[pointer, id, variable]);
    }
    module.refused("grows beyond");
}

#[test]
fn members_of_arrays_of_blocks() {
    const BLOCK: u32 = 2;
    const ARRAY_STRIDE: u32 = 6;
    const OFFSET: u32 = 35;
    let mut module = Module::new();
    let inner = module.structure();
    let [members, num, elements, block, blocks] = module.ids();
    module.declare(Op::Constant, &[INT, members, 4096]);
    module.declare(Op::TypeArray, &[elements, inner, members]);
    module.declare(Op::TypeStruct, &[block, elements]);
    module.declare(Op::Constant, &[INT, num, 256]);
    module.declare(Op::TypeArray, &[blocks, block, num]);
    module.declare(Op::Decorate, &[block, BLOCK]);
    module.declare(Op::Decorate, &[elements, ARRAY_STRIDE, 16]);
    for ty in [inner, block] {
        module.declare(Op::MemberDecorate, &[ty, 0, OFFSET, 0]);
    }
    let [variable, pointer] = module.global(UNIFORM, blocks);
    let id = module.id();
    module.op(Op::CopyObject, &[pointer, id, variable]);
    module.refused("grows beyond");
}

#[test]
fn members_of_a_long_uniform() {
    const MEMBERS: u32 = 4000;
    let mut module = Module::new();
    let [ty, last, pointer] = module.ids();
    let members = std::iter::repeat_n(FLOAT, MEMBERS as usize);
    module.declare(Op::TypeStruct, &[ty].into_iter().chain(members).collect::<Vec<_>>());
    module.declare(Op::TypePointer, &[pointer, UNIFORM_CONSTANT, FLOAT]);
    module.declare(Op::Constant, &[INT, last, MEMBERS - 1]);
    let [variable, _] = module.global(UNIFORM_CONSTANT, ty);
    for _ in 0..20_000 {
        let id = module.id();
        module.op(Op::AccessChain, &[pointer, id, variable, last]);
    }
    assert!(module.translated() > 0);
}

#[test]
fn calls_of_what_emits_nothing() {
    let mut module = Module::new();
    module.call(7, |module| {
        for _ in 0..200 {
            let id = module.id();
            module.op(Op::CopyObject, &[FLOAT, id, ZERO]);
        }
    });
    let error = module.outcome_within(&Options::default().max_instructions(1000));
    let error = error.expect_err("it takes too long").to_string();
    assert!(error.contains("calls and branches repeat more than 16000 instructions"), "{error}");
}

#[test]
fn textures_beyond_what_operands_number() {
    let arrays = |num: u32| {
        let mut module = Module::new();
        let [image, sampled, len, array] = module.ids();
        module.declare(Op::TypeImage, &[image, FLOAT, 1, 0, 0, 0, 1, 0]);
        module.declare(Op::TypeSampledImage, &[sampled, image]);
        module.declare(Op::Constant, &[INT, len, 256]);
        module.declare(Op::TypeArray, &[array, sampled, len]);
        for _ in 0..num {
            let [variable, pointer] = module.global(UNIFORM_CONSTANT, array);
            let id = module.id();
            module.op(Op::CopyObject, &[pointer, id, variable]);
        }
        module
    };
    assert!(arrays(128).translated() > 0);
    arrays(129).refused("more than 32768 registers for the textures");
}
