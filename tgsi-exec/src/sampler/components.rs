//! Images whose texels lack components.

use super::{Components, Texture, TextureError, TextureShape};

/// The value of a channel of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// 0.
    Zero,
    /// 1.
    One,
    /// This component of the texel.
    Given(usize),
}

/// The convention for missing components.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Convention {
    /// Gallium's, which TGSI shaders see.
    #[default]
    Gallium,
    /// OpenGL's; for depth textures the default one.
    OpenGl,
    /// Direct3D 9's.
    Direct3d9,
}

impl Components {
    /// The result of a lookup for a texel with these components; `None` if the convention leaves it undefined, or
    /// `texel` has too few.
    #[must_use]
    pub fn expand(self, convention: Convention, texel: &[f32]) -> Option<[f32; 4]> {
        let channels = match convention {
            Convention::Gallium => self.gallium(),
            Convention::OpenGl => self.opengl(),
            Convention::Direct3d9 => self.direct3d9(),
        };
        if texel.len() != self.num_channels() {
            return None;
        }
        Some(channels?.map(|channel| match channel {
            Channel::Zero => 0.0,
            Channel::One => 1.0,
            // The generator checks that there is such a component.
            Channel::Given(n) => texel.get(n).copied().unwrap_or(f32::NAN),
        }))
    }
}

impl Texture {
    /// A texture of one level whose texels have just these components, stored consecutively.
    ///
    /// # Errors
    /// As [`Texture::new`], and when the convention leaves the result of such texels undefined.
    pub fn from_components(
        (shape, size, layers): (TextureShape, [u32; 3], u32),
        components: Components,
        convention: Convention,
        values: &[f32],
    ) -> Result<Self, TextureError> {
        let texels = values.chunks(components.num_channels());
        let texels: Option<Vec<[f32; 4]>> =
            texels.map(|texel| components.expand(convention, texel)).collect();
        let texels = texels.ok_or(TextureError::Components { components, convention })?;
        Self::from_floats(shape, size, layers, texels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the document, as it is printed.
    #[test]
    fn missing_components_follow_the_convention() {
        use Convention::{Direct3d9, Gallium, OpenGl};
        let texel = [0.1, 0.2, 0.3, 0.4];
        let of = |components: Components, convention| {
            components.expand(convention, &texel[..components.num_channels()])
        };
        let rows = [
            (Components::R, [0.1, 0.0, 0.0, 1.0], [0.1, 1.0, 1.0, 1.0]),
            (Components::Rg, [0.1, 0.2, 0.0, 1.0], [0.1, 0.2, 1.0, 1.0]),
            (Components::Rgb, [0.1, 0.2, 0.3, 1.0], [0.1, 0.2, 0.3, 1.0]),
            (Components::Rgba, texel, texel),
            (Components::A, [0.0, 0.0, 0.0, 0.1], [0.0, 0.0, 0.0, 0.1]),
            (Components::L, [0.1, 0.1, 0.1, 1.0], [0.1, 0.1, 0.1, 1.0]),
            (Components::La, [0.1, 0.1, 0.1, 0.2], [0.1, 0.1, 0.1, 0.2]),
        ];
        for (components, gallium, direct3d9) in rows {
            assert_eq!(of(components, Gallium), Some(gallium), "{}", components.name());
            assert_eq!(of(components, OpenGl), Some(gallium), "{}", components.name());
            assert_eq!(of(components, Direct3d9), Some(direct3d9), "{}", components.name());
        }
        assert_eq!(of(Components::I, Gallium), Some([0.1; 4]));
        assert_eq!(of(Components::I, OpenGl), Some([0.1; 4]));
        assert_eq!(of(Components::I, Direct3d9), None);
        assert_eq!(of(Components::Uv, Gallium), None);
        assert_eq!(of(Components::Uv, OpenGl), Some([0.0, 0.0, 0.0, 1.0]));
        assert_eq!(of(Components::Uv, Direct3d9), Some([0.1, 0.2, 1.0, 1.0]));
        assert_eq!(of(Components::Z, Gallium), None);
        assert_eq!(of(Components::Z, OpenGl), Some([0.1, 0.1, 0.1, 1.0]));
        assert_eq!(of(Components::Z, Direct3d9), Some([0.0, 0.1, 0.0, 1.0]));
        assert_eq!(of(Components::S, Gallium), Some([0.1; 4]));
        assert_eq!(of(Components::S, OpenGl), None);
    }

    #[test]
    fn textures_are_made_of_their_components() {
        let shape = (TextureShape::D1, [2, 1, 1], 1);
        let made = |values: &[f32]| {
            Texture::from_components(shape, Components::La, Convention::Gallium, values)
        };
        let texture = made(&[0.5, 0.25, 1.0, 0.0]);
        let want = [[0.5, 0.5, 0.5, 0.25], [1.0, 1.0, 1.0, 0.0]];
        assert_eq!(texture, Texture::from_floats(shape.0, shape.1, shape.2, want.to_vec()));
        assert!(made(&[0.5, 0.25, 1.0]).is_err());
        let open = Texture::from_components(shape, Components::Z, Convention::Gallium, &[0.5, 0.5]);
        assert_eq!(
            open.map_err(|error| error.to_string()),
            Err("what texels of Z give is open in Gallium".to_owned())
        );
    }
}
