//! Registers of fragment shaders.

use r600_isa::{Chip, Generation};
use r600_sched::machine::ExportTarget;
use tgsi_ir::{Interpolation, Location, Opcode, PropertyName, Semantic};

use crate::abi::InputSlot;
use crate::generated::registers::{
    cb_shader_control as cb_control, cb_shader_mask as cb_mask, db_shader_control as db,
    spi_baryc_cntl as baryc, spi_input_z as input_z, spi_ps_in_control_0 as control_0,
    spi_ps_in_control_1 as control_1, spi_ps_input_cntl as input, sq_pgm_exports_ps as exports,
    sq_pgm_resources_ps as resources,
};

use super::{Facts, State};

/// `DEFAULT_VAL` of all ones.
const ONES: u32 = 3;
/// `Z_ORDER` of an early test where nothing speaks against it.
const EARLY_THEN_LATE: u32 = 1;

pub(super) fn registers(facts: &Facts<'_>, state: &mut State) {
    state.set(
        resources::REGISTER,
        resources::NUM_GPRS.of(facts.num_gprs)
            | resources::STACK_SIZE.of(facts.stack_size)
            | resources::DX10_CLAMP.of(1_u32)
            | resources::PRIME_CACHE_ON_DRAW.of(state.interpolates())
            | resources::UNCACHED_FIRST_INST.of(facts.chip == Chip::R600),
    );
    super::resources::set_fragment_scratch(facts, state);
    input_registers(facts, state);
    controls(facts, state);
    barycentrics(facts, state);
    color_registers(facts, state);
    depth_registers(facts, state);
}

/// The inputs that have a register of their own: all where the hardware interpolates, else the parameters.
fn listed<'a>(facts: &'a Facts<'_>, state: &State) -> Vec<&'a InputSlot> {
    let is_listed = |slot: &&InputSlot| !state.interpolates() || slot.parameter.is_some();
    facts.inputs.iter().filter(is_listed).collect()
}

/// What stands before the inputs in GPRs and has a place in the list where the hardware interpolates.
fn num_hidden(facts: &Facts<'_>, state: &State) -> u32 {
    let is_input = |gpr: Option<u8>| facts.inputs.iter().any(|slot| Some(slot.gpr) == gpr);
    let entry = facts.entry;
    let hidden = [entry.position, entry.face, entry.sample];
    let count = hidden.iter().filter(|gpr| gpr.is_some() && !is_input(**gpr)).count() as u32;
    if state.interpolates() { 0 } else { count }
}

fn input_registers(facts: &Facts<'_>, state: &mut State) {
    let hidden = num_hidden(facts, state);
    for index in 0..hidden {
        state.set_at(input::REGISTER, index, input::FLAT_SHADE.of(1_u32));
    }
    for (index, slot) in (hidden..).zip(listed(facts, state)) {
        state.set_at(input::REGISTER, index, input_value(slot, state.generation));
    }
}

fn input_value(slot: &InputSlot, generation: Generation) -> u32 {
    let semantic = slot.semantic;
    let default = if semantic == Some((Semantic::Color, 0)) { ONES } else { 0 };
    let mode = slot.interpolation.map(|(mode, _)| mode);
    let location = slot.interpolation.map(|(_, location)| location);
    let is_flat = mode == Some(Interpolation::Constant)
        || matches!(semantic, Some((Semantic::Position | Semantic::Face, _)));
    let is_point = matches!(semantic, Some((Semantic::Pcoord, _)));
    let mut value = input::SEMANTIC.of(slot.spi_id)
        | input::DEFAULT_VAL.of(default)
        | input::FLAT_SHADE.of(is_flat)
        | input::PT_SPRITE_TEX.of(is_point);
    if matches!(generation, Generation::R600 | Generation::R700) {
        value |= input::SEL_LINEAR.of(mode == Some(Interpolation::Linear))
            | input::SEL_CENTROID.of(location == Some(Location::Centroid))
            | input::SEL_SAMPLE.of(location == Some(Location::Sample));
    }
    value
}

fn controls(facts: &Facts<'_>, state: &mut State) {
    let entry = facts.entry;
    let listed = listed(facts, state).len() as u32 + num_hidden(facts, state);
    let uses = |mode: Interpolation| {
        facts.inputs.iter().any(|slot| slot.interpolation.is_some_and(|(own, _)| own == mode))
    };
    let mut first = control_0::POSITION_ENA.of(entry.position.is_some())
        | control_0::POSITION_ADDR.of(entry.position.unwrap_or(0))
        | control_0::POSITION_CENTROID.of(position_at(facts) == Some(Location::Centroid))
        | control_0::POSITION_SAMPLE.of(position_at(facts) == Some(Location::Sample));
    if state.interpolates() {
        let is_linear = entry.pairs[3..].contains(&true);
        first |= control_0::NUM_INTERP.of(listed.max(1))
            | control_0::PERSP_GRADIENT_ENA.of(entry.pairs[..3].contains(&true) || !is_linear)
            | control_0::LINEAR_GRADIENT_ENA.of(is_linear);
    } else {
        first |= control_0::NUM_INTERP.of(listed)
            | control_0::BARYC_SAMPLE_CNTL.of(entry.position.is_some())
            | control_0::PERSP_GRADIENT_ENA.of(1_u32)
            | control_0::LINEAR_GRADIENT_ENA.of(uses(Interpolation::Linear));
    }
    state.set(control_0::REGISTER, first);
    state.set(
        control_1::REGISTER,
        control_1::FRONT_FACE_ENA.of(entry.face.is_some())
            | control_1::FRONT_FACE_ADDR.of(entry.face.unwrap_or(0))
            | control_1::FIXED_PT_POSITION_ENA.of(entry.sample.is_some())
            | control_1::FIXED_PT_POSITION_ADDR.of(entry.sample.unwrap_or(0)),
    );
    state.set(input_z::REGISTER, input_z::PROVIDE_Z_TO_SPI.of(entry.position.is_some()));
}

/// Where in the pixel the shader wants its position.
fn position_at(facts: &Facts<'_>) -> Option<Location> {
    facts.entry.position?;
    let is_position = |slot: &&InputSlot| matches!(slot.semantic, Some((Semantic::Position, _)));
    match facts.inputs.iter().find(is_position) {
        Some(slot) => slot.interpolation.map(|(_, location)| location),
        None => Some(Location::Sample).filter(|_| facts.key.sample_shading),
    }
}

/// In the order of [`EntryRegisters::pairs`](crate::abi::EntryRegisters::pairs).
fn barycentrics(facts: &Facts<'_>, state: &mut State) {
    let fields = [
        baryc::PERSP_SAMPLE_ENA,
        baryc::PERSP_CENTER_ENA,
        baryc::PERSP_CENTROID_ENA,
        baryc::LINEAR_SAMPLE_ENA,
        baryc::LINEAR_CENTER_ENA,
        baryc::LINEAR_CENTROID_ENA,
    ];
    let pairs = fields.into_iter().zip(facts.entry.pairs);
    let value = pairs.fold(0, |value, (field, is_used)| value | field.of(is_used));
    state.set(baryc::REGISTER, value);
}

fn color_registers(facts: &Facts<'_>, state: &mut State) {
    let buffers = u32::from(facts.key.num_color_buffers.max(1));
    let mut exported = 0_u32;
    for slot in facts.outputs {
        if let (Semantic::Color, Some(ExportTarget::Pixel(number))) = (slot.semantic.0, slot.export)
        {
            exported |= 1 << (number & 7);
        }
    }
    let num_targets = u32::from(facts.key.num_colors());
    let to_all = facts.shader.property(PropertyName::FsColor0WritesAllCbufs) == Some(1);
    if to_all && exported & 1 == 1 && state.interpolates() {
        exported |= (1 << num_targets) - 1;
    }
    // Without any colour a masked one is exported.
    let num_colors = match state.generation {
        Generation::R600 | Generation::R700 => exported.count_ones().max(1),
        Generation::Evergreen | Generation::Cayman => (32 - exported.leading_zeros()).max(1),
    };
    let depth = facts.outputs.iter().any(|slot| slot.export == Some(ExportTarget::Pixel(61)));
    state.set(
        exports::REGISTER,
        exports::EXPORT_Z.of(depth) | exports::EXPORT_COLORS.of(num_colors),
    );
    state.set(cb_mask::REGISTER, cb_mask::OUTPUTS.of(channel_mask(exported)));
    state.set(cb_control::REGISTER, cb_control::RT_ENABLE.of((1_u32 << buffers) - 1));
}

/// Four bits for each colour; targets below the highest that are not written need one bit all the same, and the
/// first one has all.
fn channel_mask(exported: u32) -> u32 {
    let highest = 32 - exported.leading_zeros();
    (0..highest).fold(0xF, |mask, target| {
        mask | if exported >> target & 1 == 1 { 0xF << (4 * target) } else { 1 << (4 * target) }
    })
}

fn depth_registers(facts: &Facts<'_>, state: &mut State) {
    let writes = |semantic: Semantic| facts.outputs.iter().any(|slot| slot.semantic.0 == semantic);
    let kills = facts
        .shader
        .instructions
        .iter()
        .any(|inst| matches!(inst.opcode, Opcode::Kill | Opcode::KillIf | Opcode::Demote));
    state.set(
        db::REGISTER,
        db::Z_EXPORT_ENABLE.of(writes(Semantic::Position))
            | db::STENCIL_REF_EXPORT_ENABLE.of(writes(Semantic::Stencil))
            | db::MASK_EXPORT_ENABLE.of(writes(Semantic::Samplemask))
            | db::Z_ORDER.of(EARLY_THEN_LATE)
            | db::KILL_ENABLE.of(kills),
    );
}
