//! Instruction selection.

use alloc::vec::Vec;

use crate::component::ComponentMask;
use crate::diagnostic::{Diagnostic, Part};
use crate::generated::packing::{TldsForm, TldsMask, Value};
use crate::generated::rules::Rule;
use crate::index::TexIndex;
use crate::instruction::Instruction;
use crate::modes::TldsModes;
use crate::register::Reg;
use crate::tables::Values;
use crate::tex::{Tex, Texture};
use crate::tlds::Tlds;

use super::error::PackError;
use super::packed::{Content, Packed, Source};
use super::request::{Access, Data, Request, TextureArg};

pub(super) fn choose<T: Clone>(request: &Request<T>) -> Result<Packed<T>, PackError> {
    match request.access {
        Access::Sample => sample(request),
        Access::Load => load(request),
        Access::Nearest => match (load(request), sample(request)) {
            (Ok(load), Ok(sample)) if load.size() <= sample.size() => Ok(load),
            (load, Err(_)) => load,
            (_, sample) => sample,
        },
    }
}

fn sample<T: Clone>(request: &Request<T>) -> Result<Packed<T>, PackError> {
    if request.sample.is_some() {
        return Err(PackError::SampleCannot("sample number"));
    }
    if request.data != Data::Word {
        return Err(PackError::SampleCannot(".F16"));
    }
    let tex = Tex {
        guard: request.guard,
        texture: match request.texture {
            TextureArg::Indexed(index) => Texture::Indexed(index),
            TextureArg::Bindless(_) => Texture::Bindless { ignored: 0 },
        },
        lod: request.lod.lod(),
        lc: request.clamp.is_some(),
        aoffi: request.offsets.is_some(),
        dc: request.reference.is_some(),
        ndv: request.ndv,
        nodep: request.nodep,
        ps: request.status,
        wmsk: request.mask,
        ..Tex::new(Reg::RZ, Reg::RZ, TexIndex::default(), request.shape)
    };
    Ok(arrange(request, tex.into()))
}

fn load<T: Clone>(request: &Request<T>) -> Result<Packed<T>, PackError> {
    let index = loadable(request)?;
    let modes = TldsModes {
        param: request.shape,
        lod: request.lod.lod(),
        aoffi: request.offsets.is_some(),
        ms: request.sample.is_some(),
    };
    let form = modes.form()?;
    let tlds = Tlds {
        guard: request.guard,
        f16: request.data == Data::Half,
        nodep: request.nodep,
        ..Tlds::new(form, Reg::RZ, Reg::RZ, index, smallest_mask(request, form, index))
    };
    Ok(arrange(request, tlds.into()))
}

/// Rejects TEX-only features by name.
fn loadable<T>(request: &Request<T>) -> Result<TexIndex, PackError> {
    let lacking = [
        (request.reference.is_some(), "depth comparison"),
        (request.clamp.is_some(), "level-of-detail clamp"),
        (!request.status.is_pt(), "sparse status"),
        (request.ndv, ".NDV"),
    ];
    if let Some((_, what)) = lacking.into_iter().find(|(is_wanted, _)| *is_wanted) {
        return Err(PackError::LoadCannot(what));
    }
    if request.data == Data::HalfOfInteger {
        let rule = Rule::F16Int;
        return Err(Diagnostic::new(rule, Part::Modifiers, ".F16").into());
    }
    match request.texture {
        TextureArg::Indexed(index) => Ok(index),
        TextureArg::Bindless(_) => Err(PackError::LoadCannot("bindless form")),
    }
}

/// The mask that writes the requested components to the fewest registers; not every set of components has one.
fn smallest_mask<T>(request: &Request<T>, form: TldsForm, index: TexIndex) -> TldsMask {
    let wanted = request.mask;
    let covers = |mask: &&TldsMask| {
        !mask.is_reserved() && wanted.iter().all(|component| mask.components().contains(component))
    };
    let size = |mask: &&TldsMask| {
        let f16 = request.data == Data::Half;
        let tlds = Tlds { f16, ..Tlds::new(form, Reg::RZ, Reg::RZ, index, **mask) };
        let extra = mask.components().len() - ComponentMask::len(wanted);
        (
            tlds.num_registers(mask.rd0_components()) + tlds.num_registers(mask.rd1_components()),
            extra,
        )
    };
    let smallest = TldsMask::ALL.iter().filter(covers).min_by_key(size);
    smallest.copied().unwrap_or(TldsMask::Rgba)
}

/// The request's values in the order of the instruction's.
fn arrange<T: Clone>(request: &Request<T>, instruction: Instruction) -> Packed<T> {
    let sources = |values: Values| -> Vec<_> {
        let sources = values
            .iter()
            .filter_map(|&value| Some(Source { value, content: content(request, value)? }));
        sources.collect()
    };
    let (ra, rb) = (sources(instruction.ra_values()), sources(instruction.rb_values()));
    Packed::in_lowest(ra, rb, instruction)
}

/// The content for a value. The request has every value that the instruction reads, since the instruction was selected
/// for it.
fn content<T: Clone>(request: &Request<T>, value: Value) -> Option<Content<T>> {
    let whole = match value {
        Value::ArrayClamp | Value::Clamp => {
            let clamp = request.clamp.clone()?;
            return Some(Content::ArrayClamp { array: request.array.clone(), clamp });
        }
        Value::Array => request.array.as_ref(),
        Value::S => request.coords.first(),
        Value::T => request.coords.get(1),
        Value::R => request.coords.get(2),
        Value::Lod => request.lod.value(),
        Value::Offsets => request.offsets.as_ref(),
        Value::Reference => request.reference.as_ref(),
        Value::Sample => request.sample.as_ref(),
        Value::Handle => match &request.texture {
            TextureArg::Bindless(handle) => Some(handle),
            TextureArg::Indexed(_) => None,
        },
    };
    whole.cloned().map(Content::Whole)
}
