//! The initial registers of the lanes: inputs by semantic id, and the values from fixed-function units.

use r600_codegen::abi::spi_id;
use r600_sim::pipeline::{Fragments, Places, StateFault, Varying, VertexStart, Vertices};
use r600_sim::{Entry, LaneMask, Parameter};
use tgsi_exec::{Inputs, Quad};
use tgsi_ir::{File, PixelCenter, Processor, PropertyName, Semantic, Shader};

use super::slopes::{PLACES, Slopes};
use super::{OnChip, find, lanes, named, samples};

/// The state on entry.
pub(super) fn entry(on_chip: &OnChip<'_>, inputs: &Inputs) -> Result<Entry<'static>, StateFault> {
    let given = Given { shader: &on_chip.shader, inputs };
    let mut entry = match on_chip.shader.processor {
        Processor::Fragment => given.fragments().start(&on_chip.state)?,
        Processor::Compute => given.invocations(),
        _ => given.vertices(num_attributes(on_chip)).start(&on_chip.state),
    };
    entry.set_valid_lanes(LaneMask::select(4, |lane| !given.is_helper(lane)));
    Ok(entry)
}

/// Attributes loaded by the fetch shader, up to the program's last one.
fn num_attributes(on_chip: &OnChip<'_>) -> usize {
    let inputs = on_chip.compiled.inputs.iter();
    inputs.map(|slot| usize::from(slot.register) + 1).max().unwrap_or(0)
}

/// The values given to the lanes.
pub(super) struct Given<'a> {
    pub(super) shader: &'a Shader,
    pub(super) inputs: &'a Inputs,
}

impl Given<'_> {
    fn input(&self, register: usize) -> Quad {
        self.inputs.registers.get(register).copied().unwrap_or_default()
    }

    /// A system value, if the shader declares it and the caller gives it.
    fn system(&self, name: Semantic) -> Option<Quad> {
        let register = find(self.shader, File::SystemValue, name)?;
        self.inputs.system_values.get(register).copied()
    }

    fn is_helper(&self, lane: usize) -> bool {
        self.inputs.helpers >> lane & 1 == 1
    }

    /// Pixels with every input as given, wherever it is interpolated.
    fn fragments(&self) -> Fragments {
        let coverage = self.system(Semantic::Samplemask).unwrap_or_default();
        let samples = samples::numbers(self.shader, self.inputs);
        let pair = std::array::from_fn(|lane| PLACES[lane % 4]);
        let position = lanes(&self.position());
        let slopes = Slopes::of(self.shader, self.inputs);
        let point = find(self.shader, File::Input, Semantic::Pcoord);
        Fragments {
            num_quads: 1,
            parameters: self.parameters(&slopes),
            perspective: Places { sample: pair, center: pair, centroid: pair },
            linear: Places { sample: pair, center: pair, centroid: pair },
            position: Places { sample: position, center: position, centroid: position },
            is_front: std::array::from_fn(|lane| self.is_front(lane % 4)),
            coverage: std::array::from_fn(|lane| coverage[lane % 4][0]),
            sample: std::array::from_fn(|lane| samples[lane % 4]),
            point: point.map_or(Parameter::flat(lanes(&Quad::default())), |register| {
                self.parameter(&slopes, register)
            }),
        }
    }

    /// An input as the primitive has it.
    fn parameter(&self, slopes: &Slopes, register: usize) -> Parameter {
        let flat = || Parameter::flat(lanes(&self.input(register)));
        slopes.parameter(register).unwrap_or_else(flat)
    }

    fn parameters(&self, slopes: &Slopes) -> Vec<(u8, Varying)> {
        let parameter = |(register, name, index)| {
            let id = spi_id(name, index).filter(|id| *id != 0)?;
            let provoking = lanes(&self.input(register));
            Some((id, Varying { vertices: self.parameter(slopes, register), provoking }))
        };
        named(self.shader, File::Input).filter_map(parameter).collect()
    }

    /// The position in hardware form: with w if the shader reads 1/w, and with pixels counted from their centres.
    pub(super) fn position(&self) -> Quad {
        let input = find(self.shader, File::Input, Semantic::Position);
        let said = input.map(|register| self.input(register));
        let quad = said.or_else(|| self.system(Semantic::Position)).unwrap_or_default();
        let center = if counts_from_corners(self.shader) { 0.5 } else { 0.0 };
        quad.map(|vector| {
            let [x, y, z, w] = vector.map(f32::from_bits);
            [x + center, y + center, z, 1.0 / w].map(f32::to_bits)
        })
    }

    /// A front face is positive as an input, and nonzero as a system value.
    pub(super) fn is_front(&self, lane: usize) -> bool {
        let input = find(self.shader, File::Input, Semantic::Face);
        match (input, self.system(Semantic::Face)) {
            (Some(register), _) => f32::from_bits(self.input(register)[lane][0]) > 0.0,
            (None, said) => said.is_none_or(|quad| quad[lane][0] != 0),
        }
    }

    fn vertices(&self, num_attributes: usize) -> Vertices {
        let of = |name, lane: usize| self.system(name).map_or(0, |quad| quad[lane][0]);
        let attributes = self.inputs.registers.iter().take(num_attributes);
        let vertex = |lane: usize| VertexStart {
            vertex: of(Semantic::Vertexid, lane),
            instance: of(Semantic::Instanceid, lane),
            relative: 0,
            attributes: attributes.clone().map(|quad| quad[lane]).collect(),
        };
        Vertices((0..4).map(vertex).collect())
    }

    /// R0 holds an invocation's position in its group, R1 the position of the group.
    fn invocations(&self) -> Entry<'static> {
        let mut entry = Entry::new(1);
        for (register, name) in [(0, Semantic::ThreadId), (1, Semantic::BlockId)] {
            let quad = self.system(name).unwrap_or_default();
            for (lane, vector) in quad.iter().enumerate() {
                for (channel, &bits) in (0..).zip(vector) {
                    entry.set_gpr(register, channel, lane, bits);
                }
            }
        }
        entry
    }
}

/// Whether a shader's positions are those of pixel corners rather than centres.
pub(super) fn counts_from_corners(shader: &Shader) -> bool {
    let integer = u32::from(PixelCenter::Integer.number());
    shader.property(PropertyName::FsCoordPixelCenter) == Some(integer)
}

/// Sizes of the work group and of the grid: as given in the first lane, unless the shader fixes them.
pub(super) fn sizes(shader: &Shader, inputs: &Inputs) -> [[u32; 4]; 2] {
    let given = Given { shader, inputs };
    let size = |name, default: [u32; 4]| {
        let [x, y, z, _] = given.system(name).map_or(default, |quad| quad[0]);
        [x, y, z, 0]
    };
    let mut block = size(Semantic::BlockSize, [4, 1, 1, 0]);
    let fixed = [
        PropertyName::CsFixedBlockWidth,
        PropertyName::CsFixedBlockHeight,
        PropertyName::CsFixedBlockDepth,
    ];
    for (axis, name) in block.iter_mut().zip(fixed) {
        *axis = shader.property(name).filter(|&size| size != 0).unwrap_or(*axis);
    }
    [block, size(Semantic::GridSize, [1, 1, 1, 0])]
}
