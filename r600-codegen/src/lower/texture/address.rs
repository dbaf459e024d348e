//! Places coordinates, layer, reference and level where the texture unit expects them.

use r600_isa::{AluOp, CoordType, FetchOp, Generation, TexInst};

use crate::ssa::Operand;

use super::{Access, Address, Level, LowerError, Lowering, Steps, step};

/// A sample's address except for reference and level.
pub(super) struct Place {
    /// Coordinates and layer.
    pub(super) address: Address,
    /// The layer of a cube array, if a separate instruction sets it.
    pub(super) cube_layer: Option<Operand>,
}

impl Lowering<'_> {
    /// The instructions of a sample.
    pub(super) fn sampling_steps(
        &mut self,
        access: &Access<'_>,
        level: Level,
        coordinates: [Operand; 4],
        reference: Option<Operand>,
    ) -> Result<Steps, LowerError> {
        // The reference takes z and the level takes w, so no coordinate may need z.
        let needs_z = access.layout.is_cube
            || access.layout.num_coordinates + usize::from(access.layout.is_array) > 2;
        if reference.is_some() && needs_z && level != Level::Implicit {
            return self.crowded_steps(access, level, coordinates, reference);
        }
        let mut tex = access.tex(sample_op(level, reference.is_some()));
        self.offsets(access, &mut tex)?;
        let mut place = self.place(access, coordinates, &mut tex);
        match level {
            Level::Implicit => place.address[3] = reference.or(place.address[3]),
            Level::Bias(level) | Level::Explicit(level) => {
                if reference.is_some() {
                    self.make_room(&mut place.address, &mut tex);
                    place.address[2] = reference;
                }
                place.address[3] = Some(level);
            }
        }
        let mut steps = layer_steps(&tex, &place);
        steps.push(step(tex, place.address));
        Ok(steps)
    }

    /// Places coordinates and layer. The types of coordinates are set in `tex`.
    pub(super) fn place(
        &mut self,
        access: &Access<'_>,
        coordinates: [Operand; 4],
        tex: &mut TexInst,
    ) -> Place {
        let layout = access.layout;
        let mut address = [None; 4];
        if layout.is_cube {
            let face = self.face_of([coordinates[0], coordinates[1], coordinates[2]]);
            address = [Some(face.s), Some(face.t), Some(face.number), None];
        } else {
            for n in 0..layout.num_coordinates {
                address[n] = Some(coordinates[n]);
            }
        }
        if layout.is_rect {
            tex.coord_type[0] = CoordType::Unnormalized;
            tex.coord_type[1] = CoordType::Unnormalized;
        }
        let mut cube_layer = None;
        if layout.is_array {
            let layer = self.alu(AluOp::Rndne, &[coordinates[layout.num_coordinates]]);
            match (layout.is_cube, self.generation) {
                (true, Generation::R600 | Generation::R700) => cube_layer = Some(layer),
                (true, Generation::Evergreen | Generation::Cayman) => {
                    let face = match address[2] {
                        Some(face) => face,
                        None => self.broken("a cube array", "its coordinates name no face"),
                    };
                    address[2] = Some(self.layered_face(face, layer));
                    tex.coord_type[2] = CoordType::Unnormalized;
                }
                (false, _) => {
                    address[2] = Some(layer);
                    tex.coord_type[2] = CoordType::Unnormalized;
                }
            }
        }
        Place { address, cube_layer }
    }

    /// The face number of a cube array. Each layer has eight numbers, of which faces take six.
    fn layered_face(&mut self, face: Operand, layer: Operand) -> Operand {
        let layer = self.alu(AluOp::MaxDx10, &[layer, Operand::ZERO]);
        self.alu(AluOp::MuladdIeee, &[layer, Operand::float(8.0), face])
    }

    /// Moves the layer of a one-dimensional array from z to y, so that the reference can take z.
    fn make_room(&mut self, address: &mut Address, tex: &mut TexInst) {
        if address[1].is_none() && address[2].is_some() {
            address[1] = address[2].take();
            tex.coord_type[1] = CoordType::Unnormalized;
            tex.coord_type[2] = CoordType::Normalized;
        }
    }
}

/// The instruction that sets the layer of a cube array, if it is needed.
pub(super) fn layer_steps(tex: &TexInst, place: &Place) -> Steps {
    let mut steps = Steps::new();
    if let Some(layer) = place.cube_layer {
        let mut set = tex.clone();
        set.op = FetchOp::SetCubemapIndex;
        set.offset = [0; 3];
        steps.push(step(set, [Some(layer); 4]));
    }
    steps
}

fn sample_op(level: Level, compares: bool) -> FetchOp {
    match (level, compares) {
        (Level::Implicit, false) => FetchOp::Sample,
        (Level::Implicit, true) => FetchOp::SampleC,
        (Level::Bias(_), false) => FetchOp::SampleLb,
        (Level::Bias(_), true) => FetchOp::SampleCLb,
        (Level::Explicit(_), false) => FetchOp::SampleL,
        (Level::Explicit(_), true) => FetchOp::SampleCL,
    }
}
