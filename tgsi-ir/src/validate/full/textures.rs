//! Rules about textures: targets, sampler views, texel offsets.

use std::collections::BTreeMap;

use super::super::context::{Cx, Written};
use super::super::{Code, Diagnostic, Place};
use crate::{
    DeclarationId, Dialect, File, FileAttributes, Format, Instruction, InstructionId, Opcode,
    Register, SrcRole, Texture, TextureTarget,
};

/// Sampler views by their first register: last register, target, declaration.
type Views = BTreeMap<u16, (u16, TextureTarget, DeclarationId)>;

/// Images likewise, with target and format.
type Images = BTreeMap<u16, (u16, (TextureTarget, Format), DeclarationId)>;

pub(super) fn check(cx: &mut Cx<'_>) {
    let views = collect_views(cx);
    let images = collect_images(cx);
    for (id, instruction) in cx.instructions() {
        if cx.is_full() {
            return;
        }
        let info = instruction.opcode.info();
        if info.is_tex {
            target_is_there(cx, id, instruction);
        }
        image_matches_declaration(cx, &images, (id, instruction));
        if let Some(target) = target_of_view(&views, instruction).filter(|_| !info.is_tex) {
            target_suits_opcode(cx, id, instruction.opcode, target);
        }
        let Some(texture) = instruction.texture.as_deref() else { continue };
        if info.is_tex {
            target_matches_view(cx, &views, (id, instruction), texture.target);
            target_suits_opcode(cx, id, instruction.opcode, texture.target);
        }
        offsets_suit_target(cx, id, instruction.opcode, texture);
        offsets_are_declared(cx, id, texture);
    }
}

fn collect_images(cx: &Cx<'_>) -> Images {
    cx.declarations()
        .filter_map(|(id, one)| match one.attributes {
            FileAttributes::Image(image) if one.file == File::Image => {
                Some((one.range.first, (one.range.last, (image.target, image.format), id)))
            }
            _ => None,
        })
        .collect()
}

fn collect_views(cx: &Cx<'_>) -> Views {
    cx.declarations()
        .filter_map(|(id, one)| match one.attributes {
            FileAttributes::SamplerView(view) => {
                Some((one.range.first, (one.range.last, view.target, id)))
            }
            _ => None,
        })
        .collect()
}

/// The declared target of the view that an instruction reads through.
fn target_of_view(views: &Views, instruction: &Instruction) -> Option<TextureTarget> {
    let roles = instruction.opcode.info().src_roles;
    let (view, _) = instruction.src.iter().zip(roles).find(|(_, role)| **role == SrcRole::View)?;
    let index = u16::try_from(view.reg.index).ok()?;
    let (_, &(last, target, _)) = views.range(..=index).next_back()?;
    (index <= last && view.reg.indirect.is_none()).then_some(target)
}

/// V401.
fn target_is_there(cx: &mut Cx<'_>, id: InstructionId, instruction: &Instruction) {
    let target = instruction.texture.as_ref().map(|texture| texture.target);
    let message = match target {
        None => format!("`{}` has no texture target", instruction.opcode),
        Some(TextureTarget::Unknown) => {
            format!("`{}` reads a texture of unknown kind", instruction.opcode)
        }
        Some(TextureTarget::Other(number)) => format!("there is no texture target {number}"),
        Some(_) => return,
    };
    let finding = Diagnostic::new(Code::MissingTarget, Place::Instruction(id), message);
    cx.report(finding.help("name one after the sampler: `, 2D`"));
}

/// V402: the view that has the sampler's number.
fn target_matches_view(
    cx: &mut Cx<'_>,
    views: &Views,
    (id, instruction): (InstructionId, &Instruction),
    target: TextureTarget,
) {
    let roles = instruction.opcode.info().src_roles;
    let Some(operand) = roles.iter().position(|&role| role == SrcRole::Sampler) else { return };
    let Some(sampler) = instruction.src.get(operand) else { return };
    let Ok(unit) = u16::try_from(sampler.reg.index) else { return };
    if sampler.reg.file != File::Sampler || sampler.reg.indirect.is_some() {
        return;
    }
    let Some((_, &(last, declared, view))) = views.range(..=unit).next_back() else { return };
    if unit > last || declared == target {
        return;
    }
    let name = |target: TextureTarget| target.name().unwrap_or("?");
    let message = format!(
        "`{}` reads `SAMP[{unit}]` as {}, but `SVIEW[{unit}]` is {}",
        instruction.opcode,
        name(target),
        name(declared)
    );
    let finding = Diagnostic::new(Code::TargetMismatch, Place::Instruction(id), message)
        .related(Place::Declaration(view), "declared here")
        .help(format!("write `{}` as the target", name(declared)));
    cx.report(finding);
}

/// V406.
fn image_matches_declaration(
    cx: &mut Cx<'_>,
    images: &Images,
    (id, instruction): (InstructionId, &Instruction),
) {
    let Some(memory) = &instruction.memory else { return };
    let registers = instruction.dst.iter().map(|dst| &dst.reg);
    let mut registers = registers.chain(instruction.src.iter().map(|src| &src.reg));
    let Some(image) = registers.find(|reg| reg.file == File::Image) else { return };
    let Ok(unit) = u16::try_from(image.index) else { return };
    let Some((_, &(last, declared, declaration))) = images.range(..=unit).next_back() else {
        return;
    };
    // A size has no format.
    let has_format = instruction.opcode != Opcode::Resq;
    let own = (memory.target, if has_format { memory.format } else { declared.1 });
    if image.indirect.is_some() || unit > last || own == declared {
        return;
    }
    let words = |(target, format): (TextureTarget, Format)| {
        format!("{} of {}", target.name().unwrap_or("?"), format.name().unwrap_or("?"))
    };
    let message = format!(
        "`{}` sees `IMAGE[{unit}]` as {}, but it is {}",
        instruction.opcode,
        words(own),
        words(declared)
    );
    let finding = Diagnostic::new(Code::ImageMismatch, Place::Instruction(id), message)
        .related(Place::Declaration(declaration), "declared here")
        .help("write kind and format as they are declared");
    cx.report(finding);
}

/// V403.
fn target_suits_opcode(cx: &mut Cx<'_>, id: InstructionId, opcode: Opcode, target: TextureTarget) {
    let documented = cx.dialect.refused_target(opcode, target);
    let Some((why, help)) = documented.or_else(|| unsuitable(cx.dialect, opcode, target)) else {
        return;
    };
    let name = target.name().unwrap_or("?");
    let message = format!("`{opcode}` cannot read {name}: {why}");
    let finding = Diagnostic::new(Code::UnsuitableTarget, Place::Instruction(id), message);
    cx.report(finding.help(help));
}

/// Why `opcode` cannot read a texture of this kind, if so, and what can.
fn unsuitable(
    dialect: Dialect,
    opcode: Opcode,
    target: TextureTarget,
) -> Option<(&'static str, &'static str)> {
    use TextureTarget as T;
    let is_msaa = matches!(target, T::D2Msaa | T::D2ArrayMsaa);
    let is_cube = matches!(target, T::Cube | T::CubeArray | T::Shadowcube | T::ShadowcubeArray);
    match opcode {
        Opcode::Tex
        | Opcode::Txp
        | Opcode::Txb
        | Opcode::Txl
        | Opcode::Txd
        | Opcode::TexLz
        | Opcode::Tex2
        | Opcode::Txb2
        | Opcode::Txl2
        | Opcode::Tg4
        | Opcode::Lodq => match target {
            T::Buffer => Some(("buffers have no filtering", "use `TXF`")),
            _ if is_msaa => Some(("samples are not filtered", "use `TXF`")),
            // A gather has it in the second source, too, and a level of detail needs none.
            T::ShadowcubeArray if !matches!(opcode, Opcode::Tex2 | Opcode::Tg4 | Opcode::Lodq) => {
                Some(("it has no room for the fifth coordinate", "use `TEX2`"))
            }
            T::CubeArray | T::Shadowcube | T::ShadowcubeArray | T::Shadow2dArray => {
                needs_w(dialect, opcode)
            }
            T::D3 | T::D1 | T::D1Array if opcode == Opcode::Tg4 => {
                Some(("four texels are gathered in two dimensions", "use `TEX` or `TXF`"))
            }
            _ => None,
        },
        Opcode::Sample | Opcode::SampleB | Opcode::SampleD | Opcode::SampleL
            if target == T::ShadowcubeArray =>
        {
            Some(("it has no room for the fifth coordinate", "use `SAMPLE_C`"))
        }
        Opcode::Gather4 if target == T::ShadowcubeArray => {
            Some(("it has no room for the fifth coordinate", "use `TG4`"))
        }
        Opcode::Txf | Opcode::TxfLz if is_cube => {
            Some(("cubes have no integer coordinates", "use `TXL` with a direction"))
        }
        Opcode::Txqs if !is_msaa => Some(("it has one sample only", "use an immediate 1")),
        _ => None,
    }
}

/// Why `opcode` cannot read a texture with four coordinates, if its own operand is in w.
fn needs_w(dialect: Dialect, opcode: Opcode) -> Option<(&'static str, &'static str)> {
    let has_second = Opcode::Txb2.number_in(dialect).is_some();
    let of = |why, second, view| Some((why, if has_second { second } else { view }));
    match opcode {
        Opcode::Txb => {
            of("w is a coordinate, so it has no room for the bias", "use `TXB2`", "use `SAMPLE_B`")
        }
        Opcode::Txl => {
            of("w is a coordinate, so it has no room for the level", "use `TXL2`", "use `SAMPLE_L`")
        }
        Opcode::Txp => of("w is a coordinate, so it cannot divide", "use `TEX`", "use `TEX`"),
        _ => None,
    }
}

/// V404.
fn offsets_suit_target(cx: &mut Cx<'_>, id: InstructionId, opcode: Opcode, texture: &Texture) {
    use TextureTarget as T;
    if texture.offsets.is_empty() {
        return;
    }
    let is_query = matches!(opcode, Opcode::Txq | Opcode::Txqs | Opcode::Lodq | Opcode::TxqLz);
    let message = match texture.target {
        _ if is_query => format!("`{opcode}` has no texel offsets"),
        T::Cube | T::CubeArray | T::Shadowcube | T::ShadowcubeArray | T::Buffer => {
            format!("{} has no texel offsets", texture.target.name().unwrap_or("?"))
        }
        _ if texture.offsets.len() > 1 && opcode != Opcode::Tg4 => {
            format!("`{opcode}` takes one texel offset, not {}", texture.offsets.len())
        }
        _ => return,
    };
    let finding = Diagnostic::new(Code::UnsuitableOffset, Place::Offset(id, 0), message);
    cx.report(finding.help("leave the offset out, or add it to the coordinates"));
}

/// V405.
fn offsets_are_declared(cx: &mut Cx<'_>, id: InstructionId, texture: &Texture) {
    for (operand, offset) in (0u8..).zip(&texture.offsets) {
        let reg = Register::new(offset.file, offset.index);
        if cx.find(&reg).is_none() {
            let message = format!("the offset register `{}` is not declared", Written(&reg));
            let place = Place::Offset(id, operand);
            let help = format!("declare `{}`, or write an immediate", Written(&reg));
            cx.report(Diagnostic::new(Code::UndeclaredOffset, place, message).help(help));
        }
    }
}
