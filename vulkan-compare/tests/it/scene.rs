//! What both ways read: the same words in uniforms, the same texels in textures.

use std::sync::Arc;

use gx2_draw::{Bound, Stage};
use tgsi_exec::sampler::{Sampler, Texture, TextureShape, Wrap};
use tgsi_ir::scan::{Io, scan};
use tgsi_ir::{Semantic, TextureTarget};
use tgsi_spirv::Translation;
use tgsi_spirv::interface::{ConstantBuffer, ConstantKind, Scalar};
use vulkan_compare::{Picture, Resource};

/// The uniforms and textures of a fragment shader.
#[derive(Debug, Default)]
pub(crate) struct Scene {
    pub(crate) blocks: Vec<Resource<Vec<u32>>>,
    pub(crate) push_constants: Vec<u32>,
    pub(crate) textures: Vec<Resource<Picture>>,
    /// The same by register.
    pub(crate) stage: Stage,
}

/// Bytes of push constants that every implementation has.
const MAX_PUSHED: usize = 128;
/// Width and height of textures.
const EDGE: u32 = 16;

impl Scene {
    pub(crate) fn of(one: &Translation) -> Result<Self, String> {
        let mut scene = Self::default();
        let interface = &one.interface;
        let info = scan(&one.shader);
        let is_color = |io: &&Io| io.semantic.is_some_and(|own| own.name == Semantic::Color);
        if info.outputs.iter().filter(is_color).all(|io| io.used.is_empty()) {
            return Err("writes no colour, so that every channel is undefined".to_owned());
        }
        if !interface.buffers.is_empty() || !interface.images.is_empty() {
            return Err("reads storage buffers or images".to_owned());
        }
        for constants in &interface.constants {
            let words = words(constants);
            match (constants.kind, constants.set, constants.binding) {
                (ConstantKind::Block, set, Some(binding)) => {
                    let set = set.unwrap_or(0);
                    scene.blocks.push(Resource { set, binding, contents: words.clone() });
                }
                (ConstantKind::PushConstants, ..) if 4 * words.len() <= MAX_PUSHED => {
                    scene.push_constants.clone_from(&words);
                }
                (ConstantKind::PushConstants, ..) => {
                    return Err("has more push constants than all implementations".to_owned());
                }
                _ => return Err("has uniforms that Vulkan has not".to_owned()),
            }
            scene.stage.memory.blocks.insert(constants.buffer.into(), words);
        }
        let targets = info.textures;
        for texture in &interface.textures {
            let unit = i16::try_from(texture.unit).unwrap_or(i16::MAX);
            let target = targets.get(&unit).and_then(|own| own.targets.first().copied());
            if !matches!(target, Some(TextureTarget::D2)) {
                return Err(format!("reads a texture of another kind: {target:?}"));
            }
            let (set, binding) = (texture.image.set.unwrap_or(0), texture.image.binding);
            let (Some(binding), None) = (binding, &texture.sampler) else {
                return Err("has separate textures and samplers".to_owned());
            };
            let pattern =
                Texture::pattern(TextureShape::D2, [EDGE, EDGE, 1], 1, texture.unit.into());
            let pattern = pattern.map_err(|error| error.to_string())?;
            scene.textures.push(Resource { set, binding, contents: picture(&pattern) });
            let sampler = Sampler { wrap: [Wrap::ClampToEdge; 3], ..Sampler::default() };
            let bound = Bound { texture: Arc::new(pattern), sampler };
            scene.stage.memory.textures.insert(texture.unit.into(), bound);
        }
        Ok(scene)
    }
}

/// A number between 0 and 1 that depends on the key alone.
fn number(key: u32) -> f32 {
    let mixed = key.wrapping_mul(0x9e37_79b9).wrapping_add(0x7f4a_7c15);
    (((mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b) >> 8) as f32) / 16_777_216.0
}

/// Floats between 0.25 and 1.25; small integers where a member is one, since loops count by them; and what RetroArch gives
/// for a size: width, height and their reciprocals.
fn words(constants: &ConstantBuffer) -> Vec<u32> {
    let count = constants.size.div_ceil(16) * 4;
    let key = 1000 * u32::from(constants.buffer);
    let mut words: Vec<u32> = (0..count).map(|n| (0.25 + number(key + n)).to_bits()).collect();
    for member in &constants.members {
        let first = (member.offset / 4) as usize;
        if matches!(member.ty.scalar, Scalar::Float) {
            let size = [EDGE as f32, EDGE as f32, 1.0 / EDGE as f32, 1.0 / EDGE as f32];
            if let Some(own) = words.get_mut(first..first + size.len())
                && member.name.ends_with("Size")
                && member.ty.rows == 4
            {
                own.copy_from_slice(&size.map(f32::to_bits));
            }
            continue;
        }
        let len = usize::from(member.ty.rows) * usize::from(member.ty.columns);
        let len = len * member.ty.elements.unwrap_or(1) as usize;
        let end = (first + len).min(words.len());
        words[first.min(end)..end].fill(3);
    }
    words
}

fn picture(texture: &Texture) -> Picture {
    let texel = |n: u32| texture.texel(0, 0, [n % EDGE, n / EDGE, 0]).unwrap_or_default();
    let pixels = (0..EDGE * EDGE).map(|n| texel(n).map(f32::from_bits)).collect();
    Picture { size: [EDGE, EDGE], pixels }
}
