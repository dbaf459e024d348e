//! Textures, images and samplers of a launch: PNG files, or texels in the file itself.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use tgsi_exec::Bindings;
use tgsi_exec::sampler::{Compare, Filter, MipFilter, Sampler, Texture, TextureShape, Wrap};

use super::{Launch, Vector, bits};

/// A texture or an image: a PNG file, or its texels.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Surface {
    /// A PNG file of two dimensions, whose first row is at v = 0; it stands for shape, size and texels.
    pub file: Option<PathBuf>,
    /// What the size is of.
    pub shape: Shape,
    /// Width, height and depth, as many as the shape has; those left out are 1.
    pub size: Vec<u32>,
    /// Layers of an array; 1 where it is left out.
    pub layers: Option<u32>,
    /// Texels, x fastest, then y, z, face and layer; channels are bits, integers in quotes or floats.
    pub texels: Vec<Vector>,
    /// Whether smaller levels follow down to one texel, each the mean of the one before.
    pub mipmaps: bool,
}

/// Shapes of textures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Shape {
    /// A line.
    #[serde(rename = "1d")]
    D1,
    /// A picture, also of several layers; all samples of a texel are the same.
    #[default]
    #[serde(rename = "2d")]
    D2,
    /// A volume.
    #[serde(rename = "3d")]
    D3,
    /// Six square pictures a layer: +x, -x, +y, -y, +z, -z.
    #[serde(rename = "cube")]
    Cube,
    /// A buffer of texels.
    #[serde(rename = "buffer")]
    Buffer,
}

/// How a texture is looked up; what is left out repeats, takes the nearest texel, and compares by "less or equal".
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct SamplerState {
    /// What happens outside 0 to 1, for all coordinates.
    pub wrap: Option<WrapName>,
    /// The same for one coordinate each, where they differ.
    pub wrap_each: Option<[WrapName; 3]>,
    /// The filter where texels are smaller, and where they are larger than pixels.
    pub filter: FilterName,
    /// How levels of detail are chosen.
    pub mip: MipName,
    /// Added to the level of detail.
    pub lod_bias: f32,
    /// The least level of detail.
    pub min_lod: Option<f32>,
    /// The greatest level of detail.
    pub max_lod: Option<f32>,
    /// The colour outside.
    pub border: Vector,
    /// How a reference is compared with texels.
    pub compare: Option<CompareName>,
}

/// Ways to go on outside a texture.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are those of `Wrap`")]
pub enum WrapName {
    Repeat,
    Clamp,
    ClampToEdge,
    ClampToBorder,
    MirrorRepeat,
    MirrorClamp,
    MirrorClampToEdge,
    MirrorClampToBorder,
}

/// Filters of texels.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are those of `Filter`")]
pub enum FilterName {
    #[default]
    Nearest,
    Linear,
}

/// Filters of levels.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are those of `MipFilter`")]
pub enum MipName {
    #[default]
    None,
    Nearest,
    Linear,
}

/// Comparisons of a reference with texels.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are those of `Compare`")]
pub enum CompareName {
    Never,
    Less,
    Equal,
    LessOrEqual,
    Greater,
    NotEqual,
    GreaterOrEqual,
    Always,
}

/// What a launch binds to texture, sampler and image units.
#[derive(Clone, Debug, Default)]
pub struct Bound {
    /// Textures, samplers and images by unit; nothing else.
    pub bindings: Bindings,
}

impl Bound {
    /// The words of images, by unit.
    pub fn image_words(&self) -> BTreeMap<u32, Vec<u32>> {
        self.bindings.images.iter().map(|(&unit, image)| (unit, words(image))).collect()
    }
}

/// The words of each texture's first row, by unit, which are what the texture is as a buffer.
pub fn texel_words(bindings: &Bindings) -> BTreeMap<u32, Vec<u32>> {
    let row = |texture: &Texture| -> Vec<u32> {
        let [width, ..] = texture.size(0).unwrap_or_default();
        let texel = |x: u32| texture.texel(0, 0, [x, 0, 0]).unwrap_or_default();
        (0..width).flat_map(texel).collect()
    };
    bindings.textures.iter().map(|(&unit, texture)| (unit, row(texture))).collect()
}

/// The words of a texture's first level.
fn words(texture: &Texture) -> Vec<u32> {
    const FACES: u32 = 6;
    let [width, height, depth] = texture.size(0).unwrap_or_default();
    let faces = if texture.shape() == TextureShape::Cube { FACES } else { 1 };
    let mut words = Vec::new();
    for picture in 0..texture.num_layers() * faces {
        for place in 0..width * height * depth {
            let at = [place % width, place / width % height, place / width / height];
            words.extend(texture.texel(0, picture, at).unwrap_or_default());
        }
    }
    words
}

impl Launch {
    /// Makes the textures, images and samplers; `read` reads PNG files.
    ///
    /// # Errors
    /// Which texture or image cannot be made, and why.
    pub fn bind(
        &self,
        mut read: impl FnMut(&Path) -> Result<Texture, String>,
    ) -> Result<Bound, String> {
        let mut bound = Bound::default();
        for (&unit, surface) in &self.textures {
            let texture = surface.texture(&mut read);
            let texture = texture.map_err(|why| format!("texture {unit}: {why}"))?;
            bound.bindings.textures.insert(unit, Arc::new(texture));
        }
        for (&unit, surface) in &self.images {
            let image = surface.texture(&mut read);
            let image = image.map_err(|why| format!("image {unit}: {why}"))?;
            bound.bindings.images.insert(unit, image);
        }
        let samplers = self.samplers.iter();
        bound.bindings.samplers = samplers.map(|(&unit, state)| (unit, state.sampler())).collect();
        Ok(bound)
    }

    /// The same for whoever reads no files.
    ///
    /// # Errors
    /// As for [`Launch::bind`], and for each file.
    pub fn bind_inline(&self) -> Result<Bound, String> {
        self.bind(|path| Err(format!("`{}` is a file, which only `tgsi` reads", path.display())))
    }
}

impl Surface {
    fn texture(
        &self,
        read: &mut impl FnMut(&Path) -> Result<Texture, String>,
    ) -> Result<Texture, String> {
        let plain = match &self.file {
            Some(file) if self.texels.is_empty() && self.size.is_empty() => read(file)?,
            Some(_) => return Err("a file has its own size and texels".to_owned()),
            None => self.inline()?,
        };
        Ok(if self.mipmaps { plain.with_levels() } else { plain })
    }

    fn inline(&self) -> Result<Texture, String> {
        let shape = match self.shape {
            Shape::D1 | Shape::Buffer => TextureShape::D1,
            Shape::D2 => TextureShape::D2,
            Shape::D3 => TextureShape::D3,
            Shape::Cube => TextureShape::Cube,
        };
        let axis = |n: usize| self.size.get(n).copied().unwrap_or(1);
        // Cubes are square: one number says it.
        let height =
            if shape == TextureShape::Cube && self.size.len() == 1 { axis(0) } else { axis(1) };
        if self.size.is_empty() || self.size.len() > 3 {
            return Err("`size` has one to three numbers".to_owned());
        }
        let texels = self.texels.iter().map(bits).collect();
        let texture =
            Texture::new(shape, [axis(0), height, axis(2)], self.layers.unwrap_or(1), texels);
        texture.map_err(|error| error.to_string())
    }
}

impl SamplerState {
    fn sampler(&self) -> Sampler {
        let default = Sampler::default();
        let all = self.wrap.map_or(default.wrap, |name| [name.wrap(); 3]);
        let filter = match self.filter {
            FilterName::Nearest => Filter::Nearest,
            FilterName::Linear => Filter::Linear,
        };
        Sampler {
            wrap: self.wrap_each.map_or(all, |each| each.map(WrapName::wrap)),
            min: filter,
            mag: filter,
            mip: match self.mip {
                MipName::None => MipFilter::None,
                MipName::Nearest => MipFilter::Nearest,
                MipName::Linear => MipFilter::Linear,
            },
            lod_bias: self.lod_bias,
            min_lod: self.min_lod.unwrap_or(default.min_lod),
            max_lod: self.max_lod.unwrap_or(default.max_lod),
            border: bits(&self.border),
            compare: self.compare.map_or(default.compare, CompareName::compare),
            ..default
        }
    }
}

impl WrapName {
    fn wrap(self) -> Wrap {
        match self {
            Self::Repeat => Wrap::Repeat,
            Self::Clamp => Wrap::Clamp,
            Self::ClampToEdge => Wrap::ClampToEdge,
            Self::ClampToBorder => Wrap::ClampToBorder,
            Self::MirrorRepeat => Wrap::MirrorRepeat,
            Self::MirrorClamp => Wrap::MirrorClamp,
            Self::MirrorClampToEdge => Wrap::MirrorClampToEdge,
            Self::MirrorClampToBorder => Wrap::MirrorClampToBorder,
        }
    }
}

impl CompareName {
    fn compare(self) -> Compare {
        match self {
            Self::Never => Compare::Never,
            Self::Less => Compare::Less,
            Self::Equal => Compare::Equal,
            Self::LessOrEqual => Compare::LessOrEqual,
            Self::Greater => Compare::Greater,
            Self::NotEqual => Compare::NotEqual,
            Self::GreaterOrEqual => Compare::GreaterOrEqual,
            Self::Always => Compare::Always,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(text: &str) -> Result<Bound, String> {
        Launch::from_json(text).map_err(|problems| problems.0[0].message.clone())?.bind_inline()
    }

    #[test]
    fn texels_in_the_file_are_a_texture() {
        let text = r#"{"textures": {"3": {"size": [2, 1], "texels": [[1, 0, 0, 1], ["7", "-1", "0x10", 0.5]]}}}"#;
        let bound = bound(text).unwrap();
        let texture = &bound.bindings.textures[&3];
        assert_eq!(texture.texel(0, 0, [1, 0, 0]), Some([7, u32::MAX, 16, 0.5_f32.to_bits()]));
        // As a buffer it is its first row.
        let width = texture.size(0).unwrap()[0];
        assert_eq!(texel_words(&bound.bindings)[&3].len(), 4 * width as usize);
    }

    #[test]
    fn what_is_wrong_names_the_unit() {
        let short = r#"{"textures": {"2": {"size": [2, 2], "texels": [[1, 0, 0, 1]]}}}"#;
        assert_eq!(
            bound(short).unwrap_err(),
            "texture 2: 1 texels are given, but the size needs 4"
        );
        let none = r#"{"images": {"0": {}}}"#;
        assert_eq!(bound(none).unwrap_err(), "image 0: `size` has one to three numbers");
        let file = r#"{"textures": {"0": {"file": "a.png"}}}"#;
        assert!(bound(file).unwrap_err().contains("`a.png` is a file"));
        let key = r#"{"samplers": {"0": {"warp": "clamp"}}}"#;
        assert!(bound(key).unwrap_err().starts_with("unknown field `warp`"));
    }

    #[test]
    fn buffers_are_words_and_samplers_have_names() {
        let text = r#"{"textures": {"0": {"shape": "buffer", "size": [2], "texels": [["1", "2", "3", "4"], ["5", "6", "7", "8"]]}},
                       "samplers": {"0": {"wrap": "clamp-to-edge", "filter": "linear", "compare": "greater"}}}"#;
        let bound = bound(text).unwrap();
        assert_eq!(texel_words(&bound.bindings)[&0], [1, 2, 3, 4, 5, 6, 7, 8]);
        let sampler = bound.bindings.samplers[&0];
        assert_eq!((sampler.wrap, sampler.mag), ([Wrap::ClampToEdge; 3], Filter::Linear));
        assert_eq!((sampler.compare, sampler.mip), (Compare::Greater, MipFilter::None));
    }
}
