//! The meaning of a target's coordinates.

use tgsi_ir::TextureTarget;

use crate::refusal::Refusal;

use crate::lower::error::LowerError;

/// How the coordinates of a target are laid out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Coordinates that are filtered, 1 to 3.
    pub(super) num_coordinates: usize,
    /// Whether a layer follows them.
    pub(super) is_array: bool,
    pub(super) is_cube: bool,
    pub(super) is_rect: bool,
    pub(super) is_buffer: bool,
}

impl Layout {
    /// Directions in which a sample can be offset: not from layer to layer, nor on the faces of a cube.
    pub(super) fn num_offsets(self) -> usize {
        if self.is_cube { 0 } else { self.num_coordinates }
    }

    pub(super) fn of(target: TextureTarget) -> Result<Self, LowerError> {
        use TextureTarget as T;
        let (num_coordinates, is_array) = match target {
            T::Buffer | T::D1 | T::Shadow1d => (1, false),
            T::D1Array | T::Shadow1dArray => (1, true),
            T::D2 | T::Rect | T::Shadow2d | T::Shadowrect | T::D2Msaa => (2, false),
            T::D2Array | T::Shadow2dArray | T::D2ArrayMsaa => (2, true),
            T::D3 | T::Cube | T::Shadowcube => (3, false),
            T::CubeArray | T::ShadowcubeArray => (3, true),
            T::Unknown | T::Other(_) => {
                let name = target.name().unwrap_or("unknown target");
                return Err(LowerError::new(name, Refusal::UnknownTarget));
            }
        };
        Ok(Self {
            num_coordinates,
            is_array,
            is_cube: matches!(target, T::Cube | T::Shadowcube | T::CubeArray | T::ShadowcubeArray),
            is_rect: matches!(target, T::Rect | T::Shadowrect),
            is_buffer: target == T::Buffer,
        })
    }
}
