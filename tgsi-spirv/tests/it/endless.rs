//! What would go on without end, or grow with each step: blocks, composites within composites, groups of decorations.

use spirv::Op;

use super::large::{FLOAT, INT, Module, ONE};

#[test]
fn a_block_that_follows_itself() {
    let mut module = Module::new();
    let [block, rest] = module.ids();
    module.op(Op::Branch, &[block]);
    module.op(Op::Label, &[block]);
    module.op(Op::Branch, &[block]);
    module.op(Op::Label, &[rest]);
    module.refused("follows itself, but heads no loop");
}

#[test]
fn constants_that_nest_deeper_than_their_types() {
    let mut module = Module::new();
    let structure = module.structure();
    let [one, two] = module.ids();
    module.declare(Op::ConstantComposite, &[structure, one, ONE]);
    module.declare(Op::ConstantComposite, &[structure, two, one]);
    module.refused(&format!("the constant %{one} is of type %{structure}, not of type %{FLOAT}"));
    let mut module = Module::new();
    let structure = module.structure();
    let [one, two] = module.ids();
    module.declare(Op::ConstantComposite, &[structure, one, ONE]);
    module.declare(Op::SpecConstantOp, &[structure, two, Op::CompositeInsert as u32, one, one, 0]);
    module.refused("not of type");
    let mut module = Module::new();
    let structure = module.structure();
    let [one, two] = module.ids();
    module.declare(Op::ConstantComposite, &[structure, one, ONE]);
    module.declare(Op::SpecConstantOp, &[FLOAT, two, Op::CompositeExtract as u32, one]);
    module.refused("from a part of another type");
}

/// What becomes of a structure of a float, and of another one that holds it, each with its type.
fn composed(then: impl Fn(&mut Module, [u32; 2], [u32; 2])) -> Module {
    let mut module = Module::new();
    let inner = module.structure();
    let [outer, one, two] = module.ids();
    module.declare(Op::TypeStruct, &[outer, inner]);
    module.op(Op::CompositeConstruct, &[inner, one, ONE]);
    module.op(Op::CompositeConstruct, &[outer, two, one]);
    then(&mut module, [inner, one], [outer, two]);
    module
}

#[test]
fn composites_that_nest_deeper_than_their_types() {
    type Then = fn(&mut Module, [u32; 2], [u32; 2]);
    let list: [Then; 5] = [
        |module, [inner, one], _| {
            let id = module.id();
            module.op(Op::CompositeConstruct, &[inner, id, one]);
        },
        |module, [inner, one], _| {
            let id = module.id();
            module.op(Op::CompositeInsert, &[inner, id, one, one, 0]);
        },
        |module, [inner, _], [_, two]| {
            let id = module.id();
            module.op(Op::CompositeExtract, &[inner, id, two]);
        },
        |module, [inner, _], [_, two]| {
            let id = module.id();
            module.op(Op::CopyLogical, &[inner, id, two]);
        },
        |module, [inner, _], [_, two]| {
            let [_, is_it] = module.loaded();
            let id = module.id();
            module.op(Op::Select, &[inner, id, is_it, two, two]);
        },
    ];
    for then in list {
        composed(then).refused("is not of type");
    }
}

#[test]
fn composites_of_types_that_are_alike() {
    let module = composed(|module, _, [_, two]| {
        let inner = module.structure();
        let [outer, id, part] = module.ids();
        module.declare(Op::TypeStruct, &[outer, inner]);
        module.op(Op::CopyLogical, &[outer, id, two]);
        module.op(Op::CompositeExtract, &[inner, part, id, 0]);
    });
    assert!(module.translated() > 0);
}

#[test]
fn operations_that_copy_constants() {
    let mut module = Module::new();
    let ty = module.array(4096);
    let mut last = module.id();
    module.declare(Op::ConstantNull, &[ty, last]);
    for n in 0..200 {
        let next = module.id();
        let words = [ty, next, Op::CompositeInsert as u32, ONE, last, n];
        module.declare(Op::SpecConstantOp, &words);
        last = next;
    }
    module.refused("operations on constants copy more than 524288 parts");
}

#[test]
fn groups_of_decorations() {
    const INVARIANT: u32 = 18;
    let mut module = Module::new();
    let group = module.id();
    module.declare(Op::Decorate, &[group, INVARIANT]);
    module.declare(Op::DecorationGroup, &[group]);
    module.declare(Op::GroupDecorate, &[group, group]);
    module.refused("decorates a group");
    // A group that is given to many is kept once.
    let mut module = Module::new();
    let group = module.id();
    for _ in 0..1000 {
        module.declare(Op::Decorate, &[group, INVARIANT]);
    }
    module.declare(Op::DecorationGroup, &[group]);
    let targets: Vec<u32> = (0..1000).map(|_| module.id()).collect();
    let operands: Vec<u32> = [group].into_iter().chain(targets).collect();
    module.declare(Op::GroupDecorate, &operands);
    assert!(module.translated() > 0);
}

#[test]
fn dot_products_that_saturate() {
    for op in [Op::UDotAccSat, Op::SDotAccSat, Op::SUDotAccSat] {
        let mut module = Module::new();
        let [number, sum] = module.ids();
        let [value, _] = module.loaded();
        module.op(Op::ConvertFToS, &[INT, number, value]);
        module.op(op, &[INT, sum, number, number, number, 0]);
        module.refused("unsupported: sums of dot products that saturate");
    }
}
