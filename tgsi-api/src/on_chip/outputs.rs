//! What the fixed units after a program take of its exports, output by output.

use std::collections::BTreeMap;

use r600_codegen::abi::{CounterSlot, OutputSlot};
use r600_sim::Outcome;
use r600_sim::pipeline::{Drawn, LaneScalars, LaneVectors, Pixels, StateFault};
use tgsi_ir::{Processor, PropertyName, Semantic, Shader};

use super::{Exported, OnChip, Ran};

pub(super) fn of(on_chip: &OnChip<'_>, outcome: Outcome) -> Result<Ran, StateFault> {
    let slots = &on_chip.compiled.outputs;
    let (outputs, killed) = match on_chip.shader.processor {
        Processor::Fragment => {
            let pixels = Pixels::of(&on_chip.state, &outcome)?;
            let value = |slot: &OutputSlot| of_pixels(slot.semantic, &pixels);
            (collect(slots, value), pixels.killed.bits())
        }
        Processor::Compute => (BTreeMap::new(), 0),
        _ => {
            let drawn = Drawn::of(&on_chip.state, &outcome)?;
            let value = |slot: &OutputSlot| of_vertices(&on_chip.shader, slot, &drawn);
            (collect(slots, value), outcome.killed.bits())
        }
    };
    let hardware_counters = counters_of(&on_chip.compiled.counters, &outcome.global_share);
    let Outcome { counters, local_memory, .. } = outcome;
    Ok(Ran { outputs, killed: (killed & 0xF) as u8, counters, local_memory, hardware_counters })
}

/// The counters of each buffer, from where they lie in the global data share.
fn counters_of(slots: &[CounterSlot], share: &[u32]) -> BTreeMap<u32, Vec<u32>> {
    let mut buffers: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for slot in slots {
        let words = buffers.entry(slot.buffer.into()).or_default();
        let (first, last) = (usize::from(slot.first), usize::from(slot.last));
        words.resize(words.len().max(last + 1), 0);
        for (word, place) in words[first..=last].iter_mut().zip(slot.counter as usize..) {
            *word = share.get(place).copied().unwrap_or_default();
        }
    }
    buffers
}

fn collect(
    slots: &[OutputSlot],
    value: impl Fn(&OutputSlot) -> Option<Exported>,
) -> BTreeMap<usize, Exported> {
    let value = |slot: &OutputSlot| Some((usize::from(slot.register), value(slot)?));
    slots.iter().filter_map(value).collect()
}

/// What the buffers get; `None` for what the hardware has no place for.
fn of_pixels((name, index): (Semantic, u16), pixels: &Pixels) -> Option<Exported> {
    match name {
        Semantic::Color => pixels.colors.get(&u32::from(index)).map(whole),
        Semantic::Position => pixels.depth.as_ref().map(|depth| in_channel(depth, 2)),
        Semantic::Stencil => pixels.stencil.as_ref().map(|stencil| in_channel(stencil, 1)),
        Semantic::Samplemask => pixels.coverage.as_ref().map(|mask| in_channel(mask, 0)),
        _ => None,
    }
}

/// What the rasteriser gets; `None` for what it makes planes' distances of.
fn of_vertices(shader: &Shader, slot: &OutputSlot, drawn: &Drawn) -> Option<Exported> {
    let (name, index) = slot.semantic;
    let mut parameters = drawn.parameters.iter();
    let parameter = parameters.find(|(id, _)| *id == slot.spi_id).map(|(_, vectors)| vectors);
    let first = |scalars: &Option<LaneScalars>| scalars.as_ref().map(|all| in_channel(all, 0));
    match name {
        Semantic::Position => Some(whole(&drawn.position)),
        Semantic::Psize => first(&drawn.point_size),
        Semantic::Layer => first(&drawn.layer),
        Semantic::ViewportIndex => first(&drawn.viewport),
        Semantic::Edgeflag => first(&drawn.edge_flag),
        Semantic::Clipvertex => None,
        Semantic::Clipdist => Some(distances(shader, index, drawn)),
        Semantic::Fog => parameter.map(|all| whole(all).map(|[x, ..]| [x, None, None, None])),
        _ => parameter.map(whole),
    }
}

/// Four distances: clipping ones come first, culling ones after them.
fn distances(shader: &Shader, vector: u16, drawn: &Drawn) -> Exported {
    let clips = shader.property(PropertyName::NumClipdistEnabled);
    let culls = shader.property(PropertyName::NumCulldistEnabled);
    let clips = clips.unwrap_or(if culls.is_none() { 8 } else { 0 });
    std::array::from_fn(|lane| {
        std::array::from_fn(|channel| {
            let number = 4 * usize::from(vector) + channel;
            let heeded = if (number as u32) < clips { &drawn.clip } else { &drawn.cull };
            let scalars = heeded.get(number)?.as_ref()?;
            scalars.get(lane).copied().flatten()
        })
    })
}

fn whole(vectors: &LaneVectors) -> Exported {
    std::array::from_fn(|lane| vectors.get(lane).copied().unwrap_or_default())
}

fn in_channel(scalars: &LaneScalars, channel: usize) -> Exported {
    std::array::from_fn(|lane| {
        let mut vector = [None; 4];
        vector[channel] = scalars.get(lane).copied().flatten();
        vector
    })
}
