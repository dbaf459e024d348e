//! Where the inputs of a scene are on entry, and where outputs are exported, as a list of places. It serves programs of
//! other compilers, which come without state registers, and messages.

use r600_codegen::Compiled;
use r600_isa::{Chip, Generation};
use r600_mir::ExportTarget;
use r600_sim::{Entry, ExportKind, MAX_LANES, Outcome, Parameter};
use tgsi_ir::{File, Processor, Semantic, Shader};

use crate::compare::Exported;
use crate::scene::{Quad, Scene, hardware_position};

/// The value of all registers that may hold barycentric coordinates. It is not negative, so that flat parameters are
/// exact.
const BARYCENTRIC: f32 = 0.25;
/// Number of registers that may hold barycentric coordinates: six pairs, two in each register.
const NUM_BARYCENTRIC_GPRS: u32 = 3;

/// How an input reaches the shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// In a register.
    Gpr(u32),
    /// In a register, with 1/w in place of w.
    Position(u32),
    /// As a parameter of the primitive.
    Parameter(usize),
}

/// The inputs and outputs of a compiled shader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Input register and how it is delivered.
    pub inputs: Vec<(usize, Delivery)>,
    /// Output register and where it is exported.
    pub outputs: Vec<OutputPlace>,
}

/// Where an output is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputPlace {
    /// The output register.
    pub register: usize,
    /// Type of the export.
    pub kind: ExportKind,
    /// Its target.
    pub base: u32,
    /// The channel of the output that each exported channel holds; `None` for exported channels that hold none.
    pub channels: [Option<usize>; 4],
}

const WHOLE: [Option<usize>; 4] = [Some(0), Some(1), Some(2), Some(3)];

impl Placement {
    /// The placement of our compiler's code.
    #[must_use]
    pub fn of(compiled: &Compiled, shader: &Shader, chip: Chip) -> Self {
        let has_parameters = chip.generation() >= Generation::Evergreen;
        let is_pixel = shader.processor == Processor::Fragment;
        let inputs = compiled.inputs.iter().map(|slot| {
            let gpr = u32::from(slot.gpr);
            let delivery = match (slot.semantic, slot.parameter) {
                (Some((Semantic::Position, _)), _) => Delivery::Position(gpr),
                (_, Some(number)) if is_pixel && has_parameters => {
                    Delivery::Parameter(usize::from(number))
                }
                _ => Delivery::Gpr(gpr),
            };
            (usize::from(slot.register), delivery)
        });
        let outputs = compiled.outputs.iter().filter_map(|slot| {
            let (kind, base) = match slot.export? {
                ExportTarget::Pixel(base) => (ExportKind::Pixel, base),
                ExportTarget::Position(base) => (ExportKind::Position, base),
                ExportTarget::Parameter(base) => (ExportKind::Parameter, base),
            };
            output_place(usize::from(slot.register), slot.semantic, (kind, u32::from(base)))
        });
        Self { inputs: inputs.collect(), outputs: outputs.collect() }
    }

    /// Number of inputs up to the last one that the program reads.
    pub(crate) fn num_inputs(&self) -> usize {
        self.inputs.iter().map(|(register, _)| register + 1).max().unwrap_or(0)
    }

    /// The state on entry for `scene`, for a program with this many registers.
    #[must_use]
    pub fn entry(&self, shader: &Shader, scene: &Scene, num_gprs: u32) -> Entry<'static> {
        let mut entry = Entry::new(1);
        let has_parameters =
            self.inputs.iter().any(|(_, delivery)| matches!(delivery, Delivery::Parameter(_)));
        if has_parameters {
            // The pairs that the program uses are unknown, so all possible ones are set.
            for gpr in 0..NUM_BARYCENTRIC_GPRS.min(num_gprs) {
                set_vector(&mut entry, gpr, [[BARYCENTRIC.to_bits(); 4]; 4]);
            }
        }
        place_system_values(&mut entry, shader, scene);
        let mut parameters = Vec::new();
        for &(register, delivery) in &self.inputs {
            let value = scene.inputs.get(register).copied().unwrap_or_default();
            match delivery {
                Delivery::Gpr(gpr) => set_vector(&mut entry, gpr, value),
                Delivery::Position(gpr) => {
                    set_vector(&mut entry, gpr, hardware_position(shader, &value));
                }
                Delivery::Parameter(number) => {
                    if parameters.len() <= number {
                        parameters.resize(number + 1, Quad::default());
                    }
                    parameters[number] = value;
                }
            }
        }
        parameters.iter().for_each(|value| entry.push_parameter(flat(value)));
        entry
    }

    /// The exported values of each output, by lane; `None` where nothing was exported.
    #[must_use]
    pub fn results(&self, outcome: &Outcome) -> Vec<(usize, Exported)> {
        let of = |place: &OutputPlace| {
            let mut values = [[None; 4]; 4];
            if let Some(exported) = outcome.export(place.kind, place.base) {
                for (value, lane) in values.iter_mut().zip(&exported.lanes) {
                    for (from, to) in place.channels.iter().enumerate() {
                        if let Some(to) = *to {
                            value[to] = lane[from];
                        }
                    }
                }
            }
            (place.register, values)
        };
        self.outputs.iter().map(of).collect()
    }
}

/// Maps an export to the channels of its output. `None` for an edge flag that does not reach the rasteriser.
#[must_use]
pub fn output_place(
    register: usize,
    (semantic, _): (Semantic, u16),
    (kind, base): (ExportKind, u32),
) -> Option<OutputPlace> {
    let channels = match (semantic, kind) {
        (Semantic::Position, ExportKind::Pixel) => [Some(2), None, None, None],
        (Semantic::Stencil, ExportKind::Pixel) => [None, Some(1), None, None],
        (Semantic::Psize, ExportKind::Position) | (Semantic::Fog, _) => [Some(0), None, None, None],
        (Semantic::Edgeflag, ExportKind::Position) => [None, Some(0), None, None],
        (Semantic::Edgeflag, _) => return None,
        _ => WHOLE,
    };
    Some(OutputPlace { register, kind, base, channels })
}

fn place_system_values(entry: &mut Entry<'_>, shader: &Shader, scene: &Scene) {
    if shader.processor != Processor::Vertex {
        return;
    }
    for declaration in shader.declarations.iter().filter(|d| d.file == File::SystemValue) {
        let channel = match declaration.semantic.map(|semantic| semantic.name) {
            Some(Semantic::Vertexid) => 0,
            Some(Semantic::Instanceid) => 3,
            _ => continue,
        };
        let Some(value) = scene.system_values.get(usize::from(declaration.range.first)) else {
            continue;
        };
        for (lane, vector) in value.iter().enumerate() {
            entry.set_gpr(0, channel, lane, vector[0]);
        }
    }
}

fn set_vector(entry: &mut Entry<'_>, gpr: u32, value: Quad) {
    for (lane, vector) in value.iter().enumerate() {
        for (channel, &bits) in (0..).zip(vector) {
            entry.set_gpr(gpr, channel, lane, bits);
        }
    }
}

fn flat(value: &Quad) -> Parameter {
    let mut p0 = [[0; MAX_LANES]; 4];
    for (lane, vector) in value.iter().enumerate() {
        for (channel, &bits) in vector.iter().enumerate() {
            p0[channel][lane] = bits;
        }
    }
    Parameter::flat(p0)
}
