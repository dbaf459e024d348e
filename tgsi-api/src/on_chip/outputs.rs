//! What the fixed-function units receive of a program's exports, output by output.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use r600_codegen::abi::{CounterSlot, spi_id};
use r600_sim::Outcome;
use r600_sim::pipeline::{Drawn, LaneScalars, LaneVectors, Pixels, StateFault};
use tgsi_ir::{File, Processor, PropertyName, Semantic, Shader};

use super::{Exported, OnChip, Ran, named, num_colors};

pub(super) fn of(on_chip: &OnChip<'_>, outcome: Outcome) -> Result<Ran, StateFault> {
    let shader: &Shader = &on_chip.shader;
    let mut ran = Ran::default();
    let killed = match shader.processor {
        Processor::Fragment => {
            let pixels = Pixels::of(&on_chip.state, &outcome)?;
            collect(&mut ran, shader, |meaning| of_pixels(shader, meaning, &pixels));
            pixels.killed.bits()
        }
        Processor::Compute => 0,
        _ => {
            let drawn = Drawn::of(&on_chip.state, &outcome)?;
            collect(&mut ran, shader, |meaning| of_vertices(shader, meaning, &drawn));
            outcome.killed.bits()
        }
    };
    ran.killed = (killed & 0xF) as u8;
    ran.hardware_counters = counters_of(&on_chip.compiled.counters, &outcome.global_share);
    let Outcome { counters, local_memory, .. } = outcome;
    Ok(Ran { counters, local_memory, ..ran })
}

/// The counters of each buffer, read from the global data share.
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

/// A destination of an output, and what it receives.
struct Place {
    /// The channels that belong there, one bit each.
    channels: u8,
    value: Option<Exported>,
}

impl Place {
    fn vector(vectors: Option<&LaneVectors>) -> Self {
        Self { channels: 0b1111, value: vectors.map(whole) }
    }

    /// A scalar, taken from `channel` of the output.
    fn scalar(scalars: Option<&LaneScalars>, channel: usize) -> Self {
        Self { channels: 1 << channel, value: scalars.map(|all| in_channel(all, channel)) }
    }
}

/// Records the received and the missing channels of each declared output.
fn collect(ran: &mut Ran, shader: &Shader, places: impl Fn((Semantic, u16)) -> Vec<Place>) {
    // Declarations may give a register channel by channel.
    let mut outputs = BTreeMap::new();
    for (register, name, index) in named(shader, File::Output) {
        outputs.entry(register).or_insert((name, index));
    }
    for (register, meaning) in outputs {
        places(meaning).into_iter().for_each(|place| note(ran, register, place));
    }
}

fn note(ran: &mut Ran, register: usize, Place { channels, value }: Place) {
    let there = |vector: &[Option<u32>; 4]| {
        (0..4).filter(|&n: &usize| vector[n].is_some()).fold(0_u8, |bits, n| bits | 1 << n)
    };
    let lacking = value.unwrap_or_default().map(|vector| channels & !there(&vector));
    if lacking != [0; 4] {
        let missing = ran.missing.entry(register).or_default();
        missing.iter_mut().zip(lacking).for_each(|(all, own)| *all |= own);
    }
    let Some(value) = value else { return };
    match ran.outputs.entry(register) {
        Entry::Vacant(first) => {
            first.insert(value);
        }
        Entry::Occupied(_) => ran.copies.push((register, value)),
    }
}

/// What the colour, depth and other buffers receive. Outputs that the hardware ignores have no destination.
fn of_pixels(shader: &Shader, (name, index): (Semantic, u16), pixels: &Pixels) -> Vec<Place> {
    let color = |buffer: u32| Place::vector(pixels.colors.get(&buffer));
    match name {
        Semantic::Color => buffers_of(shader, index).map(color).collect(),
        Semantic::Position => vec![Place::scalar(pixels.depth.as_ref(), 2)],
        Semantic::Stencil => vec![Place::scalar(pixels.stencil.as_ref(), 1)],
        Semantic::Samplemask => vec![Place::scalar(pixels.coverage.as_ref(), 0)],
        _ => Vec::new(),
    }
}

/// The buffers of a colour: its own. The first colour also gets those without a colour, if the shader asks for that.
fn buffers_of(shader: &Shader, index: u16) -> impl Iterator<Item = u32> {
    let is_spread = index == 0 && shader.is_set(PropertyName::FsColor0WritesAllCbufs);
    let has_color = move |buffer: u16| {
        named(shader, File::Output).any(|(_, name, own)| (name, own) == (Semantic::Color, buffer))
    };
    let buffers = 0..u16::from(num_colors(shader));
    let own = buffers.filter(move |&buffer| buffer == index || is_spread && !has_color(buffer));
    own.map(u32::from)
}

/// What the rasteriser receives. Outputs that it turns into plane distances have no destination.
fn of_vertices(shader: &Shader, (name, index): (Semantic, u16), drawn: &Drawn) -> Vec<Place> {
    let id = spi_id(name, index);
    let mut parameters = drawn.parameters.iter();
    let parameter = parameters.find(|(own, _)| Some(*own) == id).map(|(_, vectors)| vectors);
    let first = |scalars: &Option<LaneScalars>| Place::scalar(scalars.as_ref(), 0);
    let whole = Place::vector(parameter);
    match name {
        Semantic::Position => vec![Place::vector(Some(&drawn.position))],
        Semantic::Psize => vec![first(&drawn.point_size)],
        Semantic::Edgeflag => vec![first(&drawn.edge_flag)],
        Semantic::Layer => vec![first(&drawn.layer), whole],
        Semantic::ViewportIndex => vec![first(&drawn.viewport), whole],
        Semantic::Clipvertex => Vec::new(),
        Semantic::Clipdist => vec![distances(shader, index, drawn), whole],
        Semantic::Fog => vec![only_first(whole)],
        _ => vec![whole],
    }
}

/// Only the first channel of fog belongs to the shader.
fn only_first(place: Place) -> Place {
    let first = |[x, ..]: [Option<u32>; 4]| [x, None, None, None];
    Place { channels: 1, value: place.value.map(|lanes| lanes.map(first)) }
}

/// Four distances, as far as enabled: clip distances first, then cull distances.
fn distances(shader: &Shader, vector: u16, drawn: &Drawn) -> Place {
    let clips = shader.property(PropertyName::NumClipdistEnabled);
    let culls = shader.property(PropertyName::NumCulldistEnabled);
    let clips = clips.unwrap_or(if culls.is_none() { 8 } else { 0 });
    let end = clips.saturating_add(culls.unwrap_or(0));
    let number = |channel: usize| 4 * usize::from(vector) + channel;
    let is_heeded = |&channel: &usize| (number(channel) as u32) < end;
    let value: Exported = std::array::from_fn(|lane| {
        std::array::from_fn(|channel| {
            let number = number(channel);
            let heeded = if (number as u32) < clips { &drawn.clip } else { &drawn.cull };
            let scalars = heeded.get(number)?.as_ref()?;
            scalars.get(lane).copied().flatten()
        })
    });
    let channels = (0..4).filter(is_heeded).fold(0_u8, |bits, channel| bits | 1 << channel);
    Place { channels, value: Some(value) }
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

#[cfg(test)]
mod tests {
    use r600_codegen::{Compiler, Options};
    use r600_isa::{Cf, Chip, ComponentSel, ExportKind};
    use tgsi_exec::Inputs;

    use super::*;
    use crate::launch::{Bound, Launch};
    use crate::on_chip::key_of;
    use crate::provided::Loaded;

    /// The results of a shader's code with the exports to a target masked.
    fn masked(text: &str, chip: Chip, target: (ExportKind, u16)) -> Ran {
        let shader = tgsi_text::parse(text).shader;
        let options = Options::default().key(key_of(&shader));
        let mut compiled = Compiler::new(options).unwrap().compile(&shader, chip).unwrap();
        for cf in &mut compiled.program.cf {
            if let Cf::Export(export) = cf
                && (export.kind, export.array_base) == target
            {
                export.sel = [ComponentSel::Mask; 4];
            }
        }
        compiled.words = compiled.program.encode().unwrap();
        let on_chip = OnChip::new(&shader, &compiled, chip, 1000).unwrap();
        let mut loaded = Loaded::new(Launch::default(), Bound::default());
        on_chip.run(&Inputs::default(), &mut loaded.surroundings()).unwrap()
    }

    /// Asserts that exactly these channels of a register are missing without the exports to a target.
    #[track_caller]
    fn check(text: &str, chips: &[Chip], target: (ExportKind, u16), missing: (usize, u8)) {
        for &chip in chips {
            let (register, channels) = missing;
            let want = BTreeMap::from([(register, [channels; 4])]);
            assert_eq!(masked(text, chip, target).missing, want, "{chip:?}");
            let whole = masked(text, chip, (target.0, 99));
            assert_eq!(whole.missing, BTreeMap::new(), "{chip:?}");
        }
    }

    #[test]
    fn outputs_that_do_not_arrive_are_missed() {
        const CHIPS: [Chip; 2] = [Chip::Rv770, Chip::Cypress];
        let depth = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\n\
                     MOV OUT[0], IN[0]\nMOV OUT[1].z, IN[0].xxxx\nEND\n";
        check(depth, &CHIPS, (ExportKind::Pixel, 61), (1, 0b0100));
        let vertex = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], PSIZE\nDCL OUT[2], GENERIC[0]\n\
                      MOV OUT[0], IN[0]\nMOV OUT[1].x, IN[0].yyyy\nMOV OUT[2], IN[0]\nEND\n";
        check(vertex, &CHIPS, (ExportKind::Position, 60), (0, 0b1111));
        check(vertex, &CHIPS, (ExportKind::Position, 61), (1, 0b0001));
        check(vertex, &CHIPS, (ExportKind::Parameter, 0), (2, 0b1111));
    }

    /// The rasteriser and the next stage both get the layer; a colour written to all goes to each buffer.
    #[test]
    fn every_place_of_an_output_is_looked_at() {
        let layer = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], LAYER\nMOV OUT[0], IN[0]\n\
                     MOV OUT[1].x, IN[0].yyyy\nEND\n";
        check(layer, &[Chip::Rv770, Chip::Cypress], (ExportKind::Parameter, 0), (1, 0b1111));
        let color = "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], GENERIC[0], LINEAR\n\
                     DCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
        check(color, &[Chip::Cypress], (ExportKind::Pixel, 1), (0, 0b1111));
    }
}
