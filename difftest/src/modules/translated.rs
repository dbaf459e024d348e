//! Compares a random module with its translation in the interpreter.

use tgsi_exec::{Bindings, Kernel, Outcome, Space};
use tgsi_ir::{Processor, Shader};
use tgsi_spirv::{Options, Translation, translate_words};

use crate::random::Random;

use super::evaluate::{Inputs, Lane, Stop, Vertex, evaluate};
use super::generate::{LANE_STRIDE, STORAGE, UNIFORMS, module};
use super::stage::VERTICES;

/// Maximum number of interpreted instructions. It allows for a few per instruction of the evaluator.
const STEP_LIMIT: u64 = 4_000_000;

/// The result of comparing one module.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The translation, for further comparisons. `None` if the module takes too many steps, or if lanes could write to
    /// the same bytes given other inputs.
    pub shader: Option<Shader>,
    /// Number of lanes that were not discarded.
    pub lanes: usize,
}

/// Evaluates the module of `seed`, and runs its translation with and without copies.
///
/// # Errors
/// How they differ.
pub fn compare(seed: u64) -> Result<Compared, String> {
    let words = module(seed);
    let inputs = inputs(seed);
    let lanes: Result<Vec<Lane>, Stop> = inputs.iter().map(|one| evaluate(&words, one)).collect();
    let lanes = match lanes {
        Ok(lanes) => lanes,
        Err(Stop::Steps) => return Ok(Compared { shader: None, lanes: 0 }),
        Err(stop) => return Err(format!("module {seed}: {stop:?}")),
    };
    let mut shader = None;
    for is_tidy in [false, true] {
        let options = Options::default().tidy(is_tidy);
        let list =
            translate_words(&words, &options).map_err(|why| format!("module {seed}: {why}"))?;
        for one in list {
            let ran = run(&one, &inputs).map_err(|why| format!("module {seed}: {why}"))?;
            if let Some(why) = difference(&one, &ran, (&inputs, &lanes)) {
                let text = tgsi_text::print(&one.shader, tgsi_text::Style::Lossless);
                return Err(format!("module {seed}: {why}\n{text}"));
            }
            let writes = !one.interface.buffers.is_empty();
            shader = (!writes).then_some(one.shader);
        }
    }
    Ok(Compared { shader, lanes: lanes.iter().filter(|lane| !lane.killed).count() })
}

/// Inputs, most of them small numbers.
fn inputs(seed: u64) -> [Inputs; 4] {
    let mut random = Random::new(!seed);
    let [uniforms, storage] = [1, 4].map(|parts| contents(&mut random, parts * LANE_STRIDE));
    let patch: [Vertex; VERTICES] = std::array::from_fn(|_| Vertex {
        ints: std::array::from_fn(|_| number(&mut random)),
        floats: std::array::from_fn(|_| float(&mut random)),
        vectors: std::array::from_fn(|_| std::array::from_fn(|_| float(&mut random))),
    });
    std::array::from_fn(|lane| Inputs {
        lane: lane as u32,
        patch: patch.clone(),
        uniforms: uniforms.clone(),
        storage: storage.clone(),
        ints: std::array::from_fn(|_| number(&mut random)),
        floats: std::array::from_fn(|_| float(&mut random)),
    })
}

fn number(random: &mut Random) -> u32 {
    match random.below(6) {
        0 => random.bits() as u32,
        _ => random.below(9) as u32,
    }
}

fn float(random: &mut Random) -> f32 {
    match random.below(20) {
        0 => f32::NAN,
        _ => random.below(9) as f32 - 2.0,
    }
}

/// This many bytes of small numbers: integers, floats and doubles.
fn contents(random: &mut Random, len: u32) -> Vec<u8> {
    let mut words = Vec::new();
    while words.len() < len as usize / 4 {
        let n = random.below(9) as u32;
        match random.below(4) {
            0 => words.push(n),
            1 => words.push((n as f32 - 2.0).to_bits()),
            // The high word of a double or of a 64-bit integer.
            2 => words.push((f64::from(n).to_bits() >> 32) as u32),
            _ => words.push(0),
        }
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The blocks of a module, as bound for its translation.
fn bindings(one: &Translation, inputs: &Inputs) -> Bindings {
    let mut bindings = Bindings::default();
    for buffer in one.interface.constants.iter().filter(|it| it.binding == Some(UNIFORMS)) {
        let word = |four: &[u8]| u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        let row = |row: &[u8]| [0, 4, 8, 12].map(|at| word(&row[at..at + 4]));
        let rows = inputs.uniforms.chunks_exact(16).map(row).collect();
        bindings.constants.insert(buffer.buffer.into(), rows);
    }
    if let Some(space) = storage(one) {
        bindings.memory.insert(space, inputs.storage.clone());
    }
    bindings
}

/// The storage buffer.
fn storage(one: &Translation) -> Option<Space> {
    let buffer = one.interface.buffers.iter().find(|it| it.binding == Some(STORAGE))?;
    Some(Space::Buffer(buffer.register.into()))
}

/// The initial state for the shader.
fn given(one: &Translation, inputs: &[Inputs; 4]) -> tgsi_exec::Inputs {
    let mut given = tgsi_exec::Inputs::default();
    for varying in &one.interface.inputs {
        let at = usize::from(varying.register);
        if one.shader.processor == Processor::Fragment {
            *place(&mut given.registers, at) =
                inputs.each_ref().map(|lane| match varying.location {
                    Some(0) => [lane.ints[0], lane.ints[1], lane.ints[2], 0],
                    Some(1) => lane.floats.map(f32::to_bits),
                    _ => [lane.lane, 0, 0, 0],
                });
        } else if varying.is_system_value {
            let is_number = varying.built_in.as_deref() == Some("InvocationId");
            *place(&mut given.system_values, at) = inputs.each_ref().map(|lane| match is_number {
                true => [lane.lane; 4],
                false => [(lane.lane as f32).to_bits(), 0, 0, 0],
            });
        } else {
            given.vertices.resize(VERTICES, Vec::new());
            for (of, vertex) in given.vertices.iter_mut().zip(&inputs[0].patch) {
                for n in 0..usize::from(varying.num_registers) {
                    *place(of, at + n) = match varying.location.map(|first| first as usize + n) {
                        Some(0) => [vertex.ints[0], vertex.ints[1], vertex.ints[2], 0],
                        Some(1) => vertex.floats.map(f32::to_bits),
                        Some(later) => vertex.vectors[later - 2].map(f32::to_bits),
                        None => continue,
                    };
                }
            }
        }
    }
    given
}

/// Element `at` of a list, which grows if necessary.
fn place<T: Clone + Default>(list: &mut Vec<T>, at: usize) -> &mut T {
    list.resize(list.len().max(at + 1), T::default());
    &mut list[at]
}

/// The results of a run.
struct Ran {
    outcome: Outcome,
    /// The buffer.
    storage: Option<Vec<u8>>,
}

fn run(one: &Translation, inputs: &[Inputs; 4]) -> Result<Ran, String> {
    let kernel = Kernel::new(&one.shader).map_err(|why| format!("{why:?}"))?;
    let given = given(one, inputs);
    let mut bindings = bindings(one, &inputs[0]);
    let outcome = kernel.run(&given, STEP_LIMIT, &mut bindings).map_err(|why| why.to_string())?;
    let storage = storage(one).and_then(|space| bindings.memory.remove(&space));
    Ok(Ran { outcome, storage })
}

/// The first difference between a run and the evaluated module.
fn difference(
    one: &Translation,
    Ran { outcome, storage }: &Ran,
    (inputs, lanes): (&[Inputs; 4], &[Lane]),
) -> Option<String> {
    for (n, lane) in lanes.iter().enumerate() {
        if (outcome.killed >> n & 1 == 1) != lane.killed {
            return Some(format!("whether lane {n} is discarded"));
        }
        if let Some(want) = &lane.storage {
            // A translation without the buffer leaves it unchanged.
            let bytes = storage.as_ref().unwrap_or(&inputs[n].storage);
            let Some(own) = bytes.chunks_exact(LANE_STRIDE as usize).nth(n) else {
                return Some(format!("the buffer, which has no part for lane {n}"));
            };
            if let Some(at) = (0..own.len() / 4).find(|at| !is_same_word(own, want, *at)) {
                return Some(format!("byte {} of lane {n}'s part of the buffer", 4 * at));
            }
        }
        let outputs = one.interface.outputs.iter().filter(|_| !lane.killed);
        for (register, location) in outputs.filter_map(|one| Some((one.register, one.location?))) {
            let want = lane.outputs.get(location as usize).into_iter().flatten();
            for (channel, &want) in want.enumerate() {
                let got = match one.shader.processor {
                    Processor::TessCtrl => outcome.vertices[n][usize::from(register)][channel],
                    _ => outcome.outputs[usize::from(register)][n][channel],
                };
                if !is_same(got, want, location == 0) {
                    let place = format!("lane {n}, output {location}, channel {channel}");
                    return Some(format!("{place} is {got:#x} and not {want:#x}"));
                }
            }
        }
    }
    None
}

/// Whether a word of a buffer is the same. It may be part of a float or a double. As for outputs, NaNs are all the
/// same, and so are zeros of both signs.
fn is_same_word(a: &[u8], b: &[u8], at: usize) -> bool {
    let [a, b] = [a, b].map(|bytes| {
        let four = &bytes[4 * at..4 * at + 4];
        u32::from_le_bytes([four[0], four[1], four[2], four[3]])
    });
    is_same(a, b, true)
}

/// Whether bits are the same. For floats, NaNs are all the same, and so are zeros of both signs.
fn is_same(a: u32, b: u32, is_float: bool) -> bool {
    let [x, y] = [a, b].map(f32::from_bits);
    a == b || is_float && (x == y || x.is_nan() && y.is_nan())
}
