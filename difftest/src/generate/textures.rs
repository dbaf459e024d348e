//! Random texture accesses.

use tgsi_ir::build::{Sampler, ShaderBuilder};
use tgsi_ir::{Dst, Instruction, Opcode, ReturnType, Src, Texture, TextureOffset, TextureTarget};

use super::Generator;
use crate::random::Random;

use TextureTarget as T;

/// Shapes of textures; common ones are more frequent.
const TARGETS: [TextureTarget; 22] = [
    T::D2,
    T::D2,
    T::D2,
    T::D1,
    T::D3,
    T::Rect,
    T::Cube,
    T::Cube,
    T::D1Array,
    T::D2Array,
    T::D2Array,
    T::CubeArray,
    T::Shadow1d,
    T::Shadow2d,
    T::Shadowrect,
    T::Shadowcube,
    T::Shadow1dArray,
    T::Shadow2dArray,
    T::ShadowcubeArray,
    T::D2Msaa,
    T::D2ArrayMsaa,
    T::Buffer,
];

/// Declares up to two textures.
pub(super) fn samplers(b: &mut ShaderBuilder, random: &mut Random) -> Vec<Sampler> {
    (0..random.below(3)).map(|unit| b.sampler(unit as u16, random.pick(&TARGETS))).collect()
}

/// Accesses that any stage can make, even where lanes of the quad diverge.
fn opcodes(target: TextureTarget) -> &'static [Opcode] {
    use Opcode as O;
    match target {
        T::Buffer => &[O::Txf, O::Txf, O::Txq],
        T::D2Msaa | T::D2ArrayMsaa => &[O::Txf, O::Txf, O::Txqs],
        T::D1 | T::D2 | T::D3 | T::D1Array | T::D2Array => {
            &[O::Txl, O::Txl, O::Txd, O::Txf, O::TxfLz, O::Txq]
        }
        T::Rect => &[O::Txf, O::Txd, O::Txq],
        T::Cube => &[O::Txl, O::Txd, O::Txq],
        T::CubeArray => &[O::Txl2, O::Txd, O::Txq],
        T::Shadow1d | T::Shadow2d | T::Shadow1dArray => &[O::Txl, O::Txd],
        T::Shadowcube | T::Shadow2dArray => &[O::Txl2, O::Txd],
        _ => &[],
    }
}

/// Accesses that need the derivatives of the quad.
fn implicit(target: TextureTarget) -> &'static [Opcode] {
    use Opcode as O;
    match target {
        T::D1 | T::D2 | T::D3 | T::Shadow1d | T::Shadow2d => &[O::Tex, O::Tex, O::Txb, O::Txp],
        T::Rect | T::Shadowrect => &[O::Tex, O::Txp],
        T::Cube | T::D1Array | T::D2Array | T::Shadow1dArray => &[O::Tex, O::Txb],
        T::CubeArray => &[O::Tex, O::Txb2],
        T::Shadowcube | T::Shadow2dArray => &[O::Tex],
        T::ShadowcubeArray => &[O::Tex2],
        _ => &[],
    }
}

/// Accesses that also expose the derivatives, so that all lanes must be active.
fn uniform(target: TextureTarget) -> &'static [Opcode] {
    match target {
        T::Shadowcube | T::Shadow2dArray => &[Opcode::Txb2],
        _ => &[],
    }
}

/// Accesses that only later generations have.
fn modern(target: TextureTarget) -> &'static [Opcode] {
    match target {
        T::D2 | T::Cube | T::D2Array | T::CubeArray | T::Shadow2d | T::Shadow2dArray => {
            &[Opcode::Tg4, Opcode::Lodq]
        }
        T::Rect => &[Opcode::Tg4],
        _ => &[],
    }
}

impl Generator<'_> {
    /// A texture access, if there is a texture.
    pub(super) fn texture_access(&mut self) {
        let Some((sampler, opcode)) = self.pick_access() else { return self.float_operation() };
        let sources = self.texture_sources(opcode);
        let dst = match opcode {
            Opcode::Txq | Opcode::Txqs => self.integer_destination(),
            _ => self.float_destination(),
        };
        self.emit_texture(opcode, dst, sources, sampler);
    }

    fn pick_access(&mut self) -> Option<(Sampler, Opcode)> {
        if self.values.samplers.is_empty() {
            return None;
        }
        let samplers = self.values.samplers.clone();
        let sampler = self.random.pick(&samplers);
        let target = sampler.target();
        let mut choices = opcodes(target).to_vec();
        if self.values.is_fragment {
            choices.extend(implicit(target));
            if self.place.is_uniform {
                choices.extend(uniform(target));
            }
        }
        if self.values.is_modern {
            let takes = |opcode: &&Opcode| **opcode != Opcode::Lodq || self.values.is_fragment;
            choices.extend(modern(target).iter().filter(takes));
        }
        (!choices.is_empty()).then(|| (sampler, self.random.pick(&choices)))
    }

    /// The operands before the sampler.
    fn texture_sources(&mut self, opcode: Opcode) -> Vec<Src> {
        match opcode {
            Opcode::Txf | Opcode::TxfLz | Opcode::Txq => vec![self.integer_source()],
            Opcode::Txqs => Vec::new(),
            Opcode::Tex2 | Opcode::Txb2 | Opcode::Txl2 => {
                vec![self.float_source(), self.float_source()]
            }
            Opcode::Txd => vec![self.float_source(), self.float_source(), self.float_source()],
            Opcode::Tg4 => {
                let channel = self.random.below(4) as u32;
                vec![self.float_source(), self.builder.u32(channel)]
            }
            _ => vec![self.float_source()],
        }
    }

    fn emit_texture(&mut self, opcode: Opcode, dst: Dst, sources: Vec<Src>, sampler: Sampler) {
        let target = sampler.target();
        let mut texture =
            Texture { target, return_type: ReturnType::Unknown, offsets: Default::default() };
        if takes_offsets(opcode, target) && self.random.once_in(3) {
            texture.offsets.push(self.texel_offset());
        }
        let mut inst = Instruction::new(opcode);
        inst.dst.push(dst);
        inst.src.extend(sources);
        inst.src.push(sampler.src());
        inst.texture = Some(Box::new(texture));
        self.builder.push(inst);
    }

    fn texel_offset(&mut self) -> TextureOffset {
        let words = [(); 4].map(|()| (self.random.below(15) as i32 - 7).cast_unsigned());
        let source = self.builder.immediate(tgsi_ir::ImmediateType::Int32, words);
        TextureOffset { file: source.reg.file, index: source.reg.index, swizzle: source.swizzle }
    }
}

/// Whether an access supports texel offsets.
fn takes_offsets(opcode: Opcode, target: TextureTarget) -> bool {
    let is_asked = matches!(opcode, Opcode::Txq | Opcode::Txqs | Opcode::Lodq);
    let is_flat = matches!(
        target,
        T::D1 | T::D2 | T::D3 | T::Rect | T::D1Array | T::D2Array | T::Shadow1d | T::Shadow2d
    );
    is_flat && !is_asked
}
