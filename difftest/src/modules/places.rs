//! Loads and stores.

use spirv::{Op, StorageClass};

use super::generate::{Buffer, Variable, Writer};
use super::layout::Step;
use super::module::Id;
use super::stage::VERTICES;
use super::types::Ty;

impl Writer {
    /// A pointer to a value of a type, which is a whole variable or a part of one; `None` if no variable contains any.
    fn place(&mut self, ty: Ty, is_write: bool) -> Option<Id> {
        let mut places = Vec::new();
        let is_taken = |one: &&Variable| !is_write || one.class != StorageClass::Input;
        for &variable in self.variables.iter().filter(is_taken) {
            if variable.ty == ty {
                places.push((variable, vec![]));
            }
            for (n, &part) in variable.ty.parts().iter().enumerate() {
                if part == ty {
                    places.push((variable, vec![n]));
                }
                for (m, _) in part.parts().iter().enumerate().filter(|&(_, &inner)| inner == ty) {
                    places.push((variable, vec![n, m]));
                }
            }
        }
        if places.is_empty() {
            return None;
        }
        let at = self.random.below(places.len());
        let (variable, path) = places.swap_remove(at);
        if path.is_empty() {
            return Some(self.whole(variable));
        }
        Some(self.chain(variable, &path, ty))
    }

    /// A pointer to a whole variable, or to the lane's element of it.
    pub(super) fn whole(&mut self, variable: Variable) -> Id {
        match variable.is_of_lane {
            true => self.chain(variable, &[], variable.ty),
            false => variable.id,
        }
    }

    /// An access chain. Half the time, a subscript that may be dynamic is dynamic.
    fn chain(&mut self, variable: Variable, path: &[usize], ty: Ty) -> Id {
        let mut operands = vec![variable.id];
        if variable.is_of_lane {
            let lane = self.lane;
            operands.push(self.result(Op::Load, Ty::Int, &[lane]));
        }
        let mut of = variable.ty;
        for &n in path {
            let is_known = !of.is_indexed() || self.random.once_in(2);
            operands.push(match is_known {
                true => self.module.constant(Ty::Int, n as u32),
                false => self.subscript(of),
            });
            of = of.parts()[n];
        }
        let (pointer, result) = (self.module.pointer(variable.class, ty), self.module.id());
        let mut all = vec![pointer, result];
        all.extend(operands);
        self.function.push(Op::AccessChain, &all);
        result
    }

    /// Loads elements of nested arrays in sequence, by a few dynamic indices in random order.
    pub(super) fn elements(&mut self) {
        let is_array = |one: &&Variable| one.ty == Ty::PatchVectors;
        let Some(&array) = self.variables.iter().rfind(is_array) else { return };
        // There are more indices than address registers in rotation.
        let numbers: [Id; 5] = std::array::from_fn(|_| self.new_below(VERTICES as u32));
        let pointer = self.module.pointer(array.class, Ty::Floats);
        for _ in 0..4 + self.random.below(8) {
            let [of, at] = [(); 2].map(|()| self.random.pick(&numbers));
            let place = self.module.id();
            self.function.push(Op::AccessChain, &[pointer, place, array.id, of, at]);
            let value = self.result(Op::Load, Ty::Floats, &[place]);
            self.values.push((Ty::Floats, value));
        }
    }

    pub(super) fn load(&mut self, ty: Ty) -> Id {
        let place = self.block_place(ty, false).or_else(|| self.place(ty, false));
        match place {
            Some(place) => self.result(Op::Load, ty, &[place]),
            None => self.pick(ty),
        }
    }

    /// A pointer to a value of a type in a block. Returns `None` if no block contains any, and at random.
    fn block_place(&mut self, ty: Ty, is_write: bool) -> Option<Id> {
        if self.random.once_in(3) {
            return None;
        }
        let of = |(n, buffer): (usize, &Buffer)| {
            let ways =
                if buffer.is_storage || !is_write { buffer.laid.ways_to(ty) } else { Vec::new() };
            ways.into_iter().map(move |way| (n, way))
        };
        let mut ways: Vec<(usize, Vec<Step>)> =
            self.buffers.iter().enumerate().flat_map(of).collect();
        if ways.is_empty() {
            return None;
        }
        let at = self.random.below(ways.len());
        let (buffer, way) = ways.swap_remove(at);
        let Buffer { id, is_storage, .. } = self.buffers[buffer];
        let mut operands = vec![id];
        if is_storage {
            let lane = self.lane;
            operands.push(self.module.constant(Ty::Int, 0));
            operands.push(self.result(Op::Load, Ty::Int, &[lane]));
        }
        for step in way {
            operands.push(match step {
                Step::Member(n) => self.module.constant(Ty::Int, n),
                Step::Element(len) if self.random.once_in(2) => {
                    let n = self.random.below(len as usize) as u32;
                    self.module.constant(Ty::Int, n)
                }
                Step::Element(len) => self.below(len),
            });
        }
        let pointer = self.module.pointer(StorageClass::Uniform, ty);
        let result = self.module.id();
        let mut all = vec![pointer, result];
        all.extend(operands);
        self.function.push(Op::AccessChain, &all);
        Some(result)
    }

    /// Stores a random value somewhere.
    pub(super) fn store(&mut self) {
        let types = [Ty::Int, Ty::Float, Ty::Floats, Ty::Ints, Ty::Matrix, Ty::Struct];
        let ty = if self.random.once_in(3) { self.any_type() } else { self.random.pick(&types) };
        self.store_of(ty);
    }

    /// Stores a value of a type somewhere.
    pub(super) fn store_of(&mut self, ty: Ty) {
        let place = self.block_place(ty, true).or_else(|| self.place(ty, true));
        if let Some(place) = place {
            let value = self.pick(ty);
            self.function.push(Op::Store, &[place, value]);
        }
    }
}
