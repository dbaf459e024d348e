//! TEX: filtered access to a texture.

use crate::component::ComponentMask;
use crate::field::{Decoder, Encoder, FieldIo, Layout, bits_of_codes};
use crate::generated::enums::{Lod, ParamA};
use crate::generated::packing::{TEX_RA, TEX_RB};
use crate::generated::words::{tex, tex_b};
use crate::index::TexIndex;
use crate::modes::TexModes;
use crate::register::{Guard, Pred, Reg};
use crate::tables::Values;

bits_of_codes!(ParamA, Lod);

/// `{@{!}Pg} TEX{.B}{.lod}{.LC}{.AOFFI}{.DC}{.NDV}{.NODEP} {Ps,} Rd, Ra{, Rb}, #index, #paramA{, #wmsk}`
///
/// The phase is not part of the word: it is in the [`Control`](crate::Control) group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tex {
    /// The guard.
    pub guard: Guard,
    /// Where header and sampler come from (`.B`).
    pub texture: Texture,
    /// How the level of detail is chosen.
    pub lod: Lod,
    /// Whether the level of detail is clamped (`.LC`); the clamp shares a register with the layer.
    ///
    /// Without a layer, that register still exists, with layer 0. No document says so; the order of the packing table
    /// suggests it.
    pub lc: bool,
    /// Whether there are texel offsets (`.AOFFI`).
    pub aoffi: bool,
    /// Whether depth is compared (`.DC`).
    ///
    /// For [`Lod::Implicit`] and [`Lod::Lz`] this forces the comparison; otherwise the sampler must
    /// enable it too, see [`Tex::compares`].
    pub dc: bool,
    /// Whether the quad counts as not divergent (`.NDV`), for every type of thread.
    pub ndv: bool,
    /// Whether no derivative of the result is taken, so killed threads may be idle (`.NODEP`).
    pub nodep: bool,
    /// Destination of the sparse texture status; PT for none.
    pub ps: Pred,
    /// First register of the result. The components of `wmsk` are consecutive.
    pub rd: Reg,
    /// First register of layer and coordinates.
    pub ra: Reg,
    /// First register of handle, level, offsets and reference; RZ if there are none.
    pub rb: Reg,
    /// The shape.
    pub param: ParamA,
    /// The components that are written.
    pub wmsk: ComponentMask,
}

/// Where TEX gets header and sampler from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Texture {
    /// A word of the constant bank.
    Indexed(TexIndex),
    /// A register of Rb (`.B`).
    Bindless {
        /// Bits without effect in the place of the other form's index. Assemblers write 0. An index given with `.B`, as
        /// in an example of the document, is dropped.
        ignored: u8,
    },
}

impl TexModes {
    /// The values in Ra.
    pub fn ra_values(&self) -> Values {
        Values::present(&TEX_RA, self)
    }

    /// The values in Rb; if empty, Rb is RZ.
    pub fn rb_values(&self) -> Values {
        Values::present(&TEX_RB, self)
    }
}

// Both layouts agree on these fields, so that one description serves both.
const _: () = assert!(
    tex::RD.is_at(tex_b::RD)
        && tex::RA.is_at(tex_b::RA)
        && tex::PG.is_at(tex_b::PG)
        && tex::PG_NOT.is_at(tex_b::PG_NOT)
        && tex::RB.is_at(tex_b::RB)
        && tex::PARAM_A.is_at(tex_b::PARAM_A)
        && tex::WMSK.is_at(tex_b::WMSK)
        && tex::NDV.is_at(tex_b::NDV)
        && tex::NODEP.is_at(tex_b::NODEP)
        && tex::DC.is_at(tex_b::DC)
        && tex::PS.is_at(tex_b::PS)
);

impl Tex {
    /// A plain access: no modifier, all components, Rb RZ.
    pub const fn new(rd: Reg, ra: Reg, index: TexIndex, param: ParamA) -> Self {
        Self {
            guard: Guard::ALWAYS,
            texture: Texture::Indexed(index),
            lod: Lod::Implicit,
            lc: false,
            aoffi: false,
            dc: false,
            ndv: false,
            nodep: false,
            ps: Pred::PT,
            rd,
            ra,
            rb: Reg::RZ,
            param,
            wmsk: ComponentMask::ALL,
        }
    }

    /// The modes that determine the values that it reads.
    pub const fn modes(&self) -> TexModes {
        let Self { param, lod, lc, aoffi, dc, .. } = *self;
        TexModes { param, lod, lc, aoffi, dc, bindless: self.is_bindless() }
    }

    /// Whether header and sampler come from a register.
    pub const fn is_bindless(&self) -> bool {
        matches!(self.texture, Texture::Bindless { .. })
    }

    /// Whether depth is compared when the sampler does or does not enable comparison.
    ///
    /// `.DC` overrules the sampler for [`Lod::Implicit`] and [`Lod::Lz`] only.
    pub fn compares(&self, sampler_enables: bool) -> bool {
        self.dc && (sampler_enables || !self.lod.has_value())
    }

    pub(crate) fn from_word(word: u64) -> Option<Self> {
        let texture = if tex_b::LAYOUT.matches(word) {
            Texture::Bindless { ignored: 0 }
        } else if tex::LAYOUT.matches(word) {
            Texture::Indexed(TexIndex::default())
        } else {
            return None;
        };
        let mut tex = Self::new(Reg::RZ, Reg::RZ, TexIndex::default(), ParamA::D1);
        tex.texture = texture;
        tex.describe(&mut Decoder { word });
        Some(tex)
    }

    pub(crate) fn to_word(mut self) -> u64 {
        let mut encoder = Encoder { word: self.layout().opcode() };
        self.describe(&mut encoder);
        encoder.word
    }

    fn layout(&self) -> &'static Layout {
        if self.is_bindless() { &tex_b::LAYOUT } else { &tex::LAYOUT }
    }

    fn describe(&mut self, io: &mut impl FieldIo) {
        io.field(tex::RD, &mut self.rd);
        io.field(tex::RA, &mut self.ra);
        io.field(tex::PG, &mut self.guard.pred);
        io.field(tex::PG_NOT, &mut self.guard.negated);
        io.field(tex::RB, &mut self.rb);
        io.field(tex::PARAM_A, &mut self.param);
        io.field(tex::WMSK, &mut self.wmsk);
        io.field(tex::NDV, &mut self.ndv);
        io.field(tex::NODEP, &mut self.nodep);
        io.field(tex::DC, &mut self.dc);
        io.field(tex::PS, &mut self.ps);
        match &mut self.texture {
            Texture::Indexed(index) => {
                io.field(tex::INDEX, index);
                io.field(tex::AOFFI, &mut self.aoffi);
                io.field(tex::LOD, &mut self.lod);
                io.field(tex::LC, &mut self.lc);
            }
            Texture::Bindless { ignored } => {
                io.field(tex_b::IGNORED, ignored);
                io.field(tex_b::AOFFI, &mut self.aoffi);
                io.field(tex_b::LOD, &mut self.lod);
                io.field(tex_b::LC, &mut self.lc);
            }
        }
    }
}
