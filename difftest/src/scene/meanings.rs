//! Registers with the same meaning: the hardware has one value for them, whatever their names. Inputs of fragment
//! shaders with the same meaning are one parameter, which each may interpolate differently.

use std::collections::BTreeMap;

use tgsi_ir::{File, Processor, Semantic, Shader};

use crate::link::declared;

use super::{Scene, chooses_places, coordinate, pair_of};

/// The external name of a register: a semantic and its index.
type Meaning = (Semantic, u16);

/// Ways in which a lane evaluates a parameter: by i or by j, as [`coordinate`] numbers them, and flat.
const NUM_WAYS: usize = 3;
const FLAT: usize = 2;

impl Scene {
    /// Gives registers of one meaning the value of the first. Vertex attributes have no meaning, and stages are linked
    /// by meaning anyway.
    pub(super) fn agree_on_meanings(&mut self, shader: &Shader) {
        for pair in repeated(shader, File::SystemValue) {
            copy(&mut self.system_values, pair);
        }
        match shader.processor {
            Processor::Fragment => self.agree_on_parameters(shader),
            Processor::TessEval => {
                for pair in repeated(shader, File::Input) {
                    self.vertices.iter_mut().for_each(|vertex| copy(vertex, pair));
                }
            }
            _ => {}
        }
    }

    /// Gives inputs of one meaning values that a single parameter can deliver, each in its own way. In lanes that
    /// evaluate two inputs in the same way, the value of the first applies.
    fn agree_on_parameters(&mut self, shader: &Shader) {
        let chooses = chooses_places(shader);
        for inputs in parameters(shader).values().filter(|inputs| inputs.len() > 1) {
            for lane in 0..4 {
                // With explicit places, all coordinates are the same.
                self.agree_in_lane(inputs, lane, |pair| match pair {
                    None => FLAT,
                    Some(_) if chooses => 0,
                    Some(pair) => coordinate(pair, lane),
                });
            }
        }
    }

    fn agree_in_lane(
        &mut self,
        inputs: &[(usize, Option<usize>)],
        lane: usize,
        way: impl Fn(Option<usize>) -> usize,
    ) {
        let mut values: [Option<[u32; 4]>; NUM_WAYS] = [None; NUM_WAYS];
        for &(register, pair) in inputs {
            let value = &mut values[way(pair)];
            *value = value.or_else(|| self.inputs.get(register).map(|quad| quad[lane]));
        }
        if let [Some(by_i), Some(by_j), _] = &mut values {
            by_i.iter_mut().chain(by_j).for_each(|bits| *bits = beside_another(*bits));
        }
        for &(register, pair) in inputs {
            if let (Some(quad), Some(value)) = (self.inputs.get_mut(register), values[way(pair)]) {
                quad[lane] = value;
            }
        }
    }
}

/// A number that can stand beside another one when the lane multiplies it by 0: a non-finite number would spoil the
/// other one, and a zero would change its sign.
fn beside_another(bits: u32) -> u32 {
    let value = f32::from_bits(bits);
    match value.is_finite() {
        true if value == 0.0 => 0,
        true => bits,
        false => 1.0_f32.to_bits(),
    }
}

/// The inputs of a fragment shader by meaning, with their coordinate pairs. The point coordinate does not depend on its
/// interpolation mode.
fn parameters(shader: &Shader) -> BTreeMap<Meaning, Vec<(usize, Option<usize>)>> {
    let mut parameters: BTreeMap<Meaning, Vec<_>> = BTreeMap::new();
    for declaration in shader.declarations.iter().filter(|d| d.file == File::Input) {
        let Some(semantic) = declaration.semantic else { continue };
        let pair = pair_of(declaration).filter(|_| semantic.name != Semantic::Pcoord);
        for register in declaration.range.first..=declaration.range.last.min(255) {
            let index = semantic.index.saturating_add(register - declaration.range.first);
            parameters.entry((semantic.name, index)).or_default().push((register.into(), pair));
        }
    }
    parameters
}

/// Registers that repeat the meaning of an earlier one, with the first of that meaning.
fn repeated(shader: &Shader, file: File) -> Vec<[usize; 2]> {
    let mut first_of: BTreeMap<Meaning, usize> = BTreeMap::new();
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
