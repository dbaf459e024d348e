//! Samples with explicit derivatives, and operations built on them.

use r600_isa::{AluOp, FetchOp};

use crate::ssa::Operand;

use super::address::{Place, layer_steps};
use super::{Access, Address, Level, LowerError, Lowering, Steps, Texels, step};

/// The change of the coordinates to the right and downwards.
type Gradients = [Address; 2];

impl Lowering<'_> {
    /// A sample with explicit derivatives, which separate instructions set first.
    pub(super) fn with_gradients(&mut self, access: &Access<'_>) -> Result<Texels, LowerError> {
        let coordinates = self.coordinates(access)?;
        let reference = self.reference(access, &coordinates)?;
        let mut changes = [[Operand::ZERO; 4]; 2];
        for (n, change) in changes.iter_mut().enumerate() {
            *change = self.float_vector(access.inst, access.value(n + 1)?)?;
        }
        let steps = self.gradient_steps(access, coordinates, reference, changes)?;
        Ok(self.fetch(steps))
    }

    fn gradient_steps(
        &mut self,
        access: &Access<'_>,
        coordinates: [Operand; 4],
        reference: Option<Operand>,
        changes: [[Operand; 4]; 2],
    ) -> Result<Steps, LowerError> {
        let gradients = self.gradients(access, coordinates, changes);
        self.steps_with(access, coordinates, reference, gradients)
    }

    /// Derivatives in the form that the unit expects. Those of a direction are taken on the face that it meets.
    fn gradients(
        &mut self,
        access: &Access<'_>,
        coordinates: [Operand; 4],
        changes: [[Operand; 4]; 2],
    ) -> Gradients {
        if !access.layout.is_cube {
            let count = access.layout.num_coordinates;
            let used =
                |change: [Operand; 4]| std::array::from_fn(|n| (n < count).then(|| change[n]));
            return changes.map(used);
        }
        let face = self.face_of([coordinates[0], coordinates[1], coordinates[2]]);
        changes.map(|[x, y, z, _]| {
            let [s, t] = self.on_face(&face, [x, y, z]);
            [Some(s), Some(t), Some(Operand::ZERO), None]
        })
    }

    fn steps_with(
        &mut self,
        access: &Access<'_>,
        coordinates: [Operand; 4],
        reference: Option<Operand>,
        gradients: Gradients,
    ) -> Result<Steps, LowerError> {
        let op = if reference.is_some() { FetchOp::SampleCG } else { FetchOp::SampleG };
        let mut tex = access.tex(op);
        self.offsets(access, &mut tex)?;
        let Place { mut address, cube_layer } = self.place(access, coordinates, &mut tex);
        address[3] = reference;
        let mut steps = layer_steps(&tex, &Place { address, cube_layer });
        for (op, gradient) in
            [FetchOp::SetGradientsH, FetchOp::SetGradientsV].into_iter().zip(gradients)
        {
            let mut set = tex.clone();
            set.op = op;
            set.offset = [0; 3];
            steps.push(step(set, gradient));
        }
        steps.push(step(tex, address));
        Ok(steps)
    }

    /// A comparing sample whose address has no component left for its level. Explicit derivatives determine the level
    /// instead.
    pub(super) fn crowded_steps(
        &mut self,
        access: &Access<'_>,
        level: Level,
        coordinates: [Operand; 4],
        reference: Option<Operand>,
    ) -> Result<Steps, LowerError> {
        match level {
            Level::Explicit(level) => {
                let gradients = self.gradients_of_level(access, level);
                self.steps_with(access, coordinates, reference, gradients)
            }
            Level::Bias(bias) => {
                let changes = self.scaled_changes(access, coordinates, bias);
                self.gradient_steps(access, coordinates, reference, changes)
            }
            Level::Implicit => {
                self.gradient_steps(access, coordinates, reference, [[Operand::ZERO; 4]; 2])
            }
        }
    }

    /// Derivatives for which the unit computes `level`.
    fn gradients_of_level(&mut self, access: &Access<'_>, level: Operand) -> Gradients {
        let texels = self.alu(AluOp::ExpIeee, &[level]);
        let query = access.tex(FetchOp::GetTextureResinfo);
        let size = self.fetch_one(query, [Some(Operand::ZERO), None, None, None]);
        let [s, t] = [0, 1].map(|n| {
            let size = self.alu(AluOp::IntToFlt, &[size[n]]);
            let reciprocal = self.alu(AluOp::RecipIeee, &[size]);
            self.alu(AluOp::MulIeee, &[texels, reciprocal])
        });
        let zero = Some(Operand::ZERO);
        [[Some(s), zero, zero, None], [zero, Some(t), zero, None]]
    }

    /// The derivatives of the quad, scaled by 2 to the power of `bias`.
    fn scaled_changes(
        &mut self,
        access: &Access<'_>,
        coordinates: [Operand; 4],
        bias: Operand,
    ) -> [[Operand; 4]; 2] {
        let scale = self.alu(AluOp::ExpIeee, &[bias]);
        let count = access.layout.num_coordinates;
        let address = std::array::from_fn(|n| (n < count).then(|| coordinates[n]));
        [FetchOp::GetGradientsH, FetchOp::GetGradientsV].map(|op| {
            let change = self.fetch_one(access.tex(op), address);
            std::array::from_fn(|n| match n < count {
                true => self.alu(AluOp::MulIeee, &[change[n], scale]),
                false => Operand::ZERO,
            })
        })
    }
}
