//! Shape and coordinates of a target.

use tgsi_ir::{Component, TextureTarget};

use crate::generated::enums::ParamA;

/// The shape of a target, and which channels hold more than coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) shape: ParamA,
    /// The channel with the layer.
    pub(super) layer: Option<Component>,
    /// Whether depth is compared.
    pub(super) is_shadow: bool,
    /// The channel with the value to compare with; none when there is no channel left.
    pub(super) reference: Option<Component>,
    /// Whether texels have samples.
    pub(super) has_samples: bool,
    /// Whether coordinates are in texels, and there is one level.
    pub(super) is_rect: bool,
}

impl Target {
    pub(super) fn find(target: TextureTarget) -> Option<Self> {
        use Component::{W, Y, Z};
        use TextureTarget as T;
        let plain = |shape, layer| Self {
            shape,
            layer,
            is_shadow: false,
            reference: None,
            has_samples: false,
            is_rect: false,
        };
        let shadow =
            |shape, layer, reference| Self { is_shadow: true, reference, ..plain(shape, layer) };
        Some(match target {
            T::D1 => plain(ParamA::D1, None),
            T::D2 => plain(ParamA::D2, None),
            T::D3 => plain(ParamA::D3, None),
            T::Cube => plain(ParamA::Cube, None),
            T::Rect => Self { is_rect: true, ..plain(ParamA::D2, None) },
            T::D1Array => plain(ParamA::Array1d, Some(Y)),
            T::D2Array => plain(ParamA::Array2d, Some(Z)),
            T::CubeArray => plain(ParamA::ArrayCube, Some(W)),
            // The value to compare with is in z here too, although y is unused.
            T::Shadow1d => shadow(ParamA::D1, None, Some(Z)),
            T::Shadow2d => shadow(ParamA::D2, None, Some(Z)),
            T::Shadowrect => Self { is_rect: true, ..shadow(ParamA::D2, None, Some(Z)) },
            T::Shadow1dArray => shadow(ParamA::Array1d, Some(Y), Some(Z)),
            T::Shadow2dArray => shadow(ParamA::Array2d, Some(Z), Some(W)),
            T::Shadowcube => shadow(ParamA::Cube, None, Some(W)),
            T::ShadowcubeArray => shadow(ParamA::ArrayCube, Some(W), None),
            T::D2Msaa => Self { has_samples: true, ..plain(ParamA::D2, None) },
            T::D2ArrayMsaa => Self { has_samples: true, ..plain(ParamA::Array2d, Some(Z)) },
            // A buffer has its own kind of header, and the documents have no shape for it.
            T::Buffer | T::Unknown | T::Other(_) => return None,
        })
    }

    /// Whether w holds a layer or the value to compare with.
    pub(super) fn takes_w(&self) -> bool {
        self.layer == Some(Component::W) || self.reference == Some(Component::W)
    }
}
