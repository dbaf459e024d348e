//! Registers that mean the same: hardware has one value for them, whatever they are called.

use std::collections::BTreeMap;

use tgsi_ir::{File, Processor, Semantic, Shader};

use crate::link::declared;

use super::Scene;

impl Scene {
    /// Gives registers of one meaning the value of the first. Attributes of vertices have no meaning, and what stages give
    /// each other goes by meanings anyway.
    pub(super) fn agree_on_meanings(&mut self, shader: &Shader) {
        for pair in repeated(shader, File::SystemValue) {
            copy(&mut self.system_values, pair);
        }
        for pair in repeated(shader, File::Input) {
            match shader.processor {
                Processor::Fragment => copy(&mut self.inputs, pair),
                Processor::TessEval => {
                    self.vertices.iter_mut().for_each(|vertex| copy(vertex, pair));
                }
                _ => {}
            }
        }
    }
}

/// Registers whose meaning another one has before them, with the first of it.
fn repeated(shader: &Shader, file: File) -> Vec<[usize; 2]> {
    let mut first_of: BTreeMap<(Semantic, u16), usize> = BTreeMap::new();
    let meant = declared(shader, file).into_iter();
    let pairs = meant.filter_map(|(register, meaning)| {
        let first = *first_of.entry(meaning?).or_insert(register);
        (first != register).then_some([register, first])
    });
    pairs.collect()
}

fn copy<T: Copy>(values: &mut [T], [to, from]: [usize; 2]) {
    if let Some(value) = values.get(from).copied()
        && let Some(own) = values.get_mut(to)
    {
        *own = value;
    }
}
