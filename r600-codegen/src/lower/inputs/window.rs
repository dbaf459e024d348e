//! The position of a fragment in its window.
//!
//! The hardware counts rows from the top, and pixels from their centres.

use r600_isa::AluOp;
use tgsi_ir::{
    Component, CoordOrigin, Declaration, File, PixelCenter, Processor, PropertyName, Semantic,
    Shader,
};

use crate::refusal::Refusal;
use crate::ssa::{AluInst, InstData, Operand};

use super::super::{LowerError, Lowering};

/// Refuses a shader that reads the position with rows counted from the bottom: the height of the window is not known.
pub(in super::super) fn require_origin(shader: &Shader) -> Result<(), LowerError> {
    let is_position = |d: &Declaration| {
        let reads = matches!(d.file, File::Input | File::SystemValue);
        reads && d.semantic.is_some_and(|semantic| semantic.name == Semantic::Position)
    };
    let lower_left = u32::from(CoordOrigin::LowerLeft.number());
    if shader.processor == Processor::Fragment
        && shader.property(PropertyName::FsCoordOrigin) == Some(lower_left)
        && shader.declarations.iter().any(is_position)
    {
        return Err(LowerError::new("FS_COORD_ORIGIN LOWER_LEFT", Refusal::WindowHeight));
    }
    Ok(())
}

impl Lowering<'_> {
    /// A channel of the position, from the channel on entry. w arrives as the clip coordinate, and TGSI requires its
    /// reciprocal. If the shader counts pixels from their corners, x and y are half a pixel less.
    pub(super) fn window_position(&mut self, component: Component, value: Operand) -> Operand {
        let alu = match component {
            Component::W => AluInst::new(AluOp::RecipIeee, &[value]),
            Component::X | Component::Y if self.has_integer_centers() => {
                AluInst::new(AluOp::Add, &[value, Operand::HALF.negated()])
            }
            _ => return value,
        };
        Operand::value(self.prologue_inst(InstData::Alu(alu))[0])
    }

    fn has_integer_centers(&self) -> bool {
        let integer = u32::from(PixelCenter::Integer.number());
        self.shader.property(PropertyName::FsCoordPixelCenter) == Some(integer)
    }
}
