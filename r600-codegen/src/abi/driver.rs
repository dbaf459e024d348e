//! The constant buffer in which the driver passes what the hardware does not supply, in the open driver's layout.

use r600_isa::Chan;

/// The number of that buffer, both as a constant buffer and as a fetch resource.
pub const DRIVER_BUFFER: u8 = 15;

/// The first vector that describes views.
const FIRST_VIEW_VECTOR: u16 = 8;

/// A vector of the driver's constant buffer that a program may read. Stages without clip planes use that space for
/// other data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum DriverConstant {
    /// The coefficients of a user clip plane.
    ClipPlane(u8),
    /// The size of a work group, x to z.
    BlockSize,
    /// The number of work groups, x to z.
    GridSize,
    /// The outer levels of patches without a user's control shader.
    OuterLevels,
    /// The inner levels of such patches.
    InnerLevels,
    /// For R600 and R700, whose buffer fetches have no swizzle: all ones for each channel that the format of the view's
    /// texel buffer has, 0 for the others.
    ViewMask(u8),
    /// Facts about a view for R600 and R700. x: the value for a missing alpha of a texel buffer, else 0; y: its number
    /// of elements; z: the number of layers of a cube array.
    ViewInfo(u8),
    /// Sample positions, one vector per sample, starting at this one. x and y: within the pixel, 0 to 1; z and w: the
    /// distance from the pixel's centre. They are read by fetches.
    SamplePlaces,
    /// Layer counts of cube arrays on Evergreen and Cayman: one channel each for four views, starting at this view.
    CubeLayers(u8),
}

impl DriverConstant {
    /// The vector and channel that hold the layer count of a view's cube array (Evergreen and Cayman).
    #[must_use]
    pub fn cube_layers(view: u8) -> (Self, Chan) {
        (Self::CubeLayers(view / 4 * 4), Chan::ALL[usize::from(view % 4)])
    }

    /// Its vector index in the buffer.
    #[must_use]
    pub fn vector(self) -> u16 {
        match self {
            Self::ClipPlane(plane) => plane.into(),
            Self::BlockSize | Self::OuterLevels | Self::SamplePlaces => 0,
            Self::GridSize | Self::InnerLevels => 1,
            Self::ViewMask(view) => FIRST_VIEW_VECTOR + 2 * u16::from(view),
            Self::ViewInfo(view) => FIRST_VIEW_VECTOR + 2 * u16::from(view) + 1,
            Self::CubeLayers(view) => FIRST_VIEW_VECTOR + u16::from(view) / 4,
        }
    }

    /// Its name for scripts, and the plane or view that it belongs to.
    #[must_use]
    pub fn name(self) -> (&'static str, Option<u8>) {
        match self {
            Self::ClipPlane(plane) => ("clip_plane", Some(plane)),
            Self::BlockSize => ("block_size", None),
            Self::GridSize => ("grid_size", None),
            Self::OuterLevels => ("outer_levels", None),
            Self::InnerLevels => ("inner_levels", None),
            Self::SamplePlaces => ("sample_places", None),
            Self::ViewMask(view) => ("view_mask", Some(view)),
            Self::ViewInfo(view) => ("view_info", Some(view)),
            Self::CubeLayers(view) => ("cube_layers", Some(view)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_follow_the_clip_planes() {
        assert_eq!(DriverConstant::ClipPlane(7).vector(), 7);
        assert_eq!(DriverConstant::ViewMask(0).vector(), 8);
        assert_eq!(DriverConstant::ViewInfo(2).vector(), 13);
        let (layers, chan) = DriverConstant::cube_layers(6);
        assert_eq!((layers.vector(), chan), (9, Chan::Z));
    }
}
