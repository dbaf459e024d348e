//! Textures with their samplers.

use gx2_gfd::SamplerType;
use tgsi_ir::scan::scan;
use tgsi_ir::{Indirect, Instruction, Register, Shader, SrcRole, TextureTarget};
use tgsi_spirv::interface::{Resource, Texture};

use super::Sampler;

/// The textures that the shader may read, with their names from `textures`.
pub(super) fn samplers(shader: &Shader, textures: &[Texture]) -> Vec<Sampler> {
    let read = scan(shader).textures.into_iter();
    let sampler = |(unit, texture): (i16, tgsi_ir::scan::TextureUse)| {
        let unit = u16::try_from(unit).ok()?;
        let kind = texture.targets.first().copied().map_or(SamplerType::SAMPLER_2D, shape);
        let name = textures.iter().position(|one| one.unit == unit);
        let name = name.and_then(|at| name_of(&textures[at], &textures[..at]));
        Some(Sampler { name: name.unwrap_or_else(|| format!("SAMP[{unit}]")), kind, unit })
    };
    read.filter_map(sampler).collect()
}

/// The name of a texture's image. If one of the `earlier` textures has the same image, the name of the sampler follows
/// it. `None` if the image, or that sampler, has no name.
fn name_of(texture: &Texture, earlier: &[Texture]) -> Option<String> {
    // All elements of arrays without names would go by their numbers alone.
    let name = |one: &Resource| (!one.name.is_empty()).then(|| element(&one.name, one.element));
    let image = name(&texture.image)?;
    let is_taken = earlier.iter().any(|one| name(&one.image).as_ref() == Some(&image));
    match texture.sampler.as_ref().filter(|_| is_taken) {
        Some(sampler) => Some(format!("{image}.{}", name(sampler)?)),
        None => Some(image),
    }
}

/// The name of a texture or block, which may be an element of an array. Element 0 has the name of the array.
pub(super) fn element(name: &str, element: u32) -> String {
    match element {
        0 => name.to_owned(),
        element => format!("{name}[{element}]"),
    }
}

/// The view and the sampler of an instruction whose numbers differ, or may differ at run time.
pub(crate) fn split_units(shader: &Shader) -> Option<[String; 2]> {
    let units = |one: &Instruction| {
        let find = |wanted: SrcRole| {
            let mut operands = one.src.iter().zip(one.opcode.info().src_roles);
            operands.find(|(_, role)| **role == wanted).map(|(src, _)| src.reg)
        };
        Some([find(SrcRole::View)?, find(SrcRole::Sampler)?])
    };
    let place = |reg: &Register| {
        let index = reg.indirect.map(|one| (one.file, one.index, one.component));
        (reg.index, index)
    };
    let mut all = shader.instructions.iter().filter_map(units);
    let found = all.find(|[view, sampler]| place(view) != place(sampler));
    found.map(|units| units.map(|reg| text(&reg)))
}

/// A texture or a sampler in the shader's syntax.
fn text(reg: &Register) -> String {
    let name = reg.file.name().unwrap_or("unit");
    match reg.indirect {
        None => format!("{name}[{}]", reg.index),
        Some(Indirect { file, index, component, .. }) => {
            let file = file.name().unwrap_or("register");
            format!("{name}[{file}[{index}].{}{:+}]", component.letter(), reg.index)
        }
    }
}

fn shape(target: TextureTarget) -> SamplerType {
    use TextureTarget as T;
    match target {
        T::D1 | T::Shadow1d | T::D1Array | T::Shadow1dArray | T::Buffer => SamplerType::SAMPLER_1D,
        T::D3 => SamplerType::SAMPLER_3D,
        T::Cube | T::Shadowcube | T::CubeArray | T::ShadowcubeArray => SamplerType::SAMPLER_CUBE,
        _ => SamplerType::SAMPLER_2D,
    }
}
