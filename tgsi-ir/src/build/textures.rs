//! Textures.

use crate::{
    Declaration, Dst, File, FileAttributes, Opcode, Register, ReturnType, SamplerViewAttributes,
    Src, Texture, TextureTarget,
};

use super::{Emitted, ShaderBuilder};

/// A sampler with the kind of its texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sampler {
    unit: u16,
    target: TextureTarget,
}

impl Sampler {
    /// The kind of its texture.
    pub const fn target(self) -> TextureTarget {
        self.target
    }

    /// The sampler, as a source.
    pub const fn src(self) -> Src {
        Src::new(Register::new(File::Sampler, self.unit as i16))
    }
}

impl ShaderBuilder {
    /// Texture unit `unit`, whose texels are floats.
    pub fn sampler(&mut self, unit: u16, target: TextureTarget) -> Sampler {
        self.typed_sampler(unit, target, ReturnType::Float)
    }

    /// Texture unit `unit`, whose texels have a type.
    pub fn typed_sampler(
        &mut self,
        unit: u16,
        target: TextureTarget,
        texel: ReturnType,
    ) -> Sampler {
        let unit = self.next_index(File::Sampler, unit.into());
        self.declare(Declaration::new(File::Sampler, unit, unit));
        let mut view = Declaration::new(File::SamplerView, unit, unit);
        view.attributes =
            FileAttributes::SamplerView(SamplerViewAttributes { target, return_types: [texel; 4] });
        self.declare(view);
        Sampler { unit, target }
    }

    /// Reads a texture with any opcode that has a texture target; `src` holds the operands before the sampler.
    pub fn texture(
        &mut self,
        opcode: Opcode,
        dst: impl Into<Dst>,
        src: impl IntoIterator<Item = Src>,
        sampler: Sampler,
    ) -> Emitted<'_> {
        let sources: Vec<Src> = src.into_iter().chain([sampler.src()]).collect();
        let emitted = self.emit(opcode, dst, sources);
        emitted.0.texture = Some(Box::new(Texture {
            target: sampler.target,
            return_type: ReturnType::Unknown,
            offsets: Default::default(),
        }));
        emitted
    }

    /// `TEX`: reads a texture with implicit level of detail.
    pub fn tex(
        &mut self,
        dst: impl Into<Dst>,
        coordinates: impl Into<Src>,
        sampler: Sampler,
    ) -> Emitted<'_> {
        self.texture(Opcode::Tex, dst, [coordinates.into()], sampler)
    }

    /// `TXL`: reads a texture at the level of detail in w.
    pub fn txl(
        &mut self,
        dst: impl Into<Dst>,
        coordinates: impl Into<Src>,
        sampler: Sampler,
    ) -> Emitted<'_> {
        self.texture(Opcode::Txl, dst, [coordinates.into()], sampler)
    }

    /// `TXF`: reads the texel at integer coordinates, at the level in w.
    pub fn txf(
        &mut self,
        dst: impl Into<Dst>,
        coordinates: impl Into<Src>,
        sampler: Sampler,
    ) -> Emitted<'_> {
        self.texture(Opcode::Txf, dst, [coordinates.into()], sampler)
    }
}
