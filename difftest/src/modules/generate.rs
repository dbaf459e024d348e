//! A random module from a seed.

use std::collections::BTreeMap;

use spirv::{Op, StorageClass};

use crate::random::Random;

use super::layout::{Laid, Rules};
use super::module::{Function, Id, Module};
use super::stage::Stage;
use super::types::Ty;

/// Maximum nesting depth of constructs.
const MAX_DEPTH: usize = 4;

/// The state of the generator.
pub(super) struct Writer {
    pub(super) stage: Stage,
    pub(super) random: Random,
    pub(super) module: Module,
    pub(super) function: Function,
    /// The values that are available at this point: those of dominating blocks.
    pub(super) values: Vec<(Ty, Id)>,
    /// Exclusive upper bounds of integers for which one is known.
    pub(super) bounds: BTreeMap<Id, u32>,
    pub(super) variables: Vec<Variable>,
    pub(super) callees: Vec<Callee>,
    /// The surrounding loops and switches, the innermost last.
    pub(super) around: Vec<Around>,
    pub(super) buffers: Vec<Buffer>,
    /// The variable that holds the number of the lane.
    pub(super) lane: Id,
    /// The types of values that expressions produce.
    pub(super) types: Vec<Ty>,
    /// The result type of the function; `None` for the entry point.
    pub(super) returned: Option<Ty>,
    /// Number of statements left to generate for the function.
    budget: usize,
    depth: usize,
}

/// A variable, or a parameter that points to one.
#[derive(Clone, Copy)]
pub(super) struct Variable {
    pub(super) ty: Ty,
    pub(super) id: Id,
    pub(super) class: StorageClass,
    /// Whether it is an array with an element for each lane.
    pub(super) is_of_lane: bool,
}

/// A variable in memory outside the shader.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    pub(super) id: Id,
    pub(super) laid: Laid,
    /// Whether it is a storage buffer: writable, with a separate part for each lane.
    pub(super) is_storage: bool,
}

/// A function with three parameters: an integer, a vector, and a pointer to an integer.
#[derive(Clone, Copy)]
pub(super) struct Callee {
    pub(super) id: Id,
    pub(super) result: Ty,
}

/// A construct that can be left from inside, with the number of exits so far.
#[derive(Clone, Copy)]
pub(super) enum Around {
    Loop {
        merge: Id,
        cont: Id,
        breaks: usize,
        continues: usize,
    },
    /// A sealed switch is left only from the end of one case.
    Switch {
        merge: Id,
        breaks: usize,
        is_sealed: bool,
    },
}

/// The words of the module for `seed`.
#[must_use]
pub fn module(seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed);
    let mut writer = Writer {
        stage: random.pick(&Stage::ALL),
        random,
        module: Module::default(),
        function: Function::default(),
        values: Vec::new(),
        bounds: BTreeMap::new(),
        variables: Vec::new(),
        callees: Vec::new(),
        around: Vec::new(),
        buffers: Vec::new(),
        lane: 0,
        types: Ty::VALUES.to_vec(),
        returned: None,
        budget: 0,
        depth: 0,
    };
    let is_wide = writer.random.once_in(2);
    if is_wide {
        writer.types.extend(Ty::WIDE);
    }
    writer.add_buffers(is_wide);
    let mut globals = Vec::new();
    for (ty, class) in [(Ty::Int, StorageClass::Private), (Ty::Vectors, StorageClass::Private)] {
        let start = writer.module.constant(ty, 2);
        let id = writer.module.variable(class, ty, Some(start));
        globals.push(Variable { ty, id, class, is_of_lane: false });
    }
    let inputs = writer.add_interface(&mut globals);
    for _ in 0..writer.random.below(3) {
        writer.helper(&globals);
    }
    let main = writer.main(&globals, &inputs);
    writer.module.finish(main, writer.stage)
}

/// Bindings of the blocks.
pub(super) const UNIFORMS: u32 = 0;
pub(super) const STORAGE: u32 = 1;

/// Bytes from one lane's part of a buffer to the next, and the maximum size of a block.
pub(super) const LANE_STRIDE: u32 = 1 << 12;

impl Writer {
    /// Adds a uniform block and a storage buffer, each to half of the modules.
    fn add_buffers(&mut self, is_wide: bool) {
        if self.random.once_in(2) {
            let laid = self.block(Rules { least: 16, is_wide });
            let id = self.module.uniforms(&laid, UNIFORMS);
            self.buffers.push(Buffer { id, laid, is_storage: false });
        }
        if self.random.once_in(2) {
            let laid = self.block(Rules { least: 4, is_wide });
            let id = self.module.storage(&laid, LANE_STRIDE, STORAGE);
            self.buffers.push(Buffer { id, laid, is_storage: true });
        }
    }

    /// A block that is not too large.
    fn block(&mut self, rules: Rules) -> Laid {
        loop {
            let laid = rules.block(&mut self.random);
            if rules.size(&laid) <= LANE_STRIDE {
                return laid;
            }
        }
    }

    fn helper(&mut self, globals: &[Variable]) {
        let result = self.random.pick(&[Ty::Int, Ty::Floats, Ty::Struct]);
        let params = [Ty::Int, Ty::Floats].map(|ty| (self.module.ty(ty), self.module.id()));
        let pointer = (self.module.pointer(StorageClass::Function, Ty::Int), self.module.id());
        self.values = vec![(Ty::Int, params[0].1), (Ty::Floats, params[1].1)];
        self.variables = globals.to_vec();
        let class = StorageClass::Function;
        self.variables.push(Variable { ty: Ty::Int, id: pointer.1, class, is_of_lane: false });
        self.returned = Some(result);
        self.budget = 8 + self.random.below(10);
        let id = self.module.id();
        self.begin_function();
        if self.statements() {
            self.return_from();
        }
        let body = std::mem::take(&mut self.function);
        self.module.function(id, Some(result), &[params[0], params[1], pointer], body);
        self.callees.push(Callee { id, result });
    }

    fn main(&mut self, globals: &[Variable], inputs: &[(Ty, Id)]) -> Id {
        self.values.clear();
        self.variables = globals.to_vec();
        self.returned = None;
        self.budget = 12 + self.random.below(24);
        let id = self.module.id();
        self.begin_function();
        self.begin_stage();
        for &(ty, input) in inputs {
            let value = self.result(Op::Load, ty, &[input]);
            self.values.push((ty, value));
            for n in 0..2 {
                let part = self.result(Op::CompositeExtract, ty.parts()[0], &[value, n]);
                self.values.push((ty.parts()[0], part));
            }
        }
        for &variable in globals.iter().filter(|one| one.class == StorageClass::Output) {
            let start = self.module.constant(variable.ty, 1);
            let place = self.whole(variable);
            self.function.push(Op::Store, &[place, start]);
        }
        if self.statements() {
            if self.random.once_in(2) {
                self.show_all(globals);
            }
            self.return_from();
        }
        let body = std::mem::take(&mut self.function);
        self.module.function(id, None, &[], body);
        id
    }

    /// A type for variables and phis.
    pub(super) fn any_type(&mut self) -> Ty {
        let at = self.random.below(self.types.len());
        self.types[at]
    }

    /// Begins a function with a few variables, all of them initialised.
    fn begin_function(&mut self) {
        let entry = self.module.id();
        self.function.begin(entry);
        for n in 0..2 + self.random.below(3) {
            let ty = match self.random.below(3) {
                _ if n == 0 => Ty::Int,
                0 => self.any_type(),
                _ => self.random.pick(&Ty::VARIABLES),
            };
            let class = StorageClass::Function;
            let (pointer, id) = (self.module.pointer(class, ty), self.module.id());
            self.function.variable(pointer, id);
            let start = self.module.constant(ty, n as u32);
            self.function.push(Op::Store, &[id, start]);
            self.variables.push(Variable { ty, id, class, is_of_lane: false });
        }
    }

    /// Generates statements. Returns whether control reaches their end.
    pub(super) fn statements(&mut self) -> bool {
        for _ in 0..2 + self.random.below(4) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            if !self.statement() {
                return false;
            }
        }
        true
    }

    fn statement(&mut self) -> bool {
        if self.random.once_in(3) {
            self.elements();
        }
        for _ in 0..1 + self.random.below(4) {
            self.expression();
        }
        if self.depth >= MAX_DEPTH {
            self.store();
            return true;
        }
        self.depth += 1;
        let goes_on = match self.random.below(12) {
            0..=2 => self.selection(),
            3..=5 => self.any_loop(),
            6 | 7 => self.switch(),
            8 => self.way_out(),
            9 => {
                self.call();
                true
            }
            _ => {
                self.store();
                true
            }
        };
        self.depth -= 1;
        goes_on
    }

    /// Gives the phis of a block values for the edge from the current block.
    pub(super) fn edge(&mut self, to: Id) {
        for phi in self.function.phis(to) {
            let value = self.pick(phi.ty);
            self.function.flow(to, phi.id, value);
        }
    }

    /// Branches to a block.
    pub(super) fn branch(&mut self, to: Id) {
        self.edge(to);
        self.function.push(Op::Branch, &[to]);
    }

    /// A label whose block has a few phis.
    pub(super) fn label_with_phis(&mut self) -> Id {
        let label = self.module.id();
        for _ in 0..self.random.below(3) {
            let (id, ty) = (self.module.id(), self.any_type());
            self.function.add_phi(label, id, ty);
        }
        label
    }

    /// Begins a block. Its phis become available.
    pub(super) fn begin(&mut self, label: Id) {
        self.function.begin(label);
        let phis = self.function.phis(label);
        self.values.extend(phis.iter().map(|phi| (phi.ty, phi.id)));
    }

    /// The condition or its negation, and whether it is negated. It is computed here because a merge instruction must
    /// directly precede its branch.
    pub(super) fn flipped(&mut self, condition: Id) -> (Id, bool) {
        let is_flipped = self.random.once_in(2);
        let condition = match is_flipped {
            true => self.result(Op::LogicalNot, Ty::Bool, &[condition]),
            false => condition,
        };
        (condition, is_flipped)
    }

    /// Branches on a condition, which may be negated.
    pub(super) fn branch_on(
        &mut self,
        (condition, is_flipped): (Id, bool),
        if_true: Id,
        if_false: Id,
    ) {
        let [a, b] = if is_flipped { [if_false, if_true] } else { [if_true, if_false] };
        self.function.push(Op::BranchConditional, &[condition, a, b]);
    }

    pub(super) fn return_from(&mut self) {
        match self.returned {
            Some(ty) => {
                let value = self.pick(ty);
                self.function.push(Op::ReturnValue, &[value]);
            }
            None => self.function.push(Op::Return, &[]),
        }
    }
}
