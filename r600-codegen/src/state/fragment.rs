//! Registers of fragment shaders.

use r600_isa::{Chip, Generation};
use r600_sched::machine::ExportTarget;
use tgsi_ir::{DepthLayout, Interpolation, Location, Opcode, PropertyName, Semantic};

use crate::abi::InputSlot;
use crate::generated::registers::{
    cb_color_control as cb_color, cb_shader_control as cb_control, cb_shader_mask as cb_mask,
    db_render_control as db_render, db_shader_control as db, spi_baryc_cntl as baryc,
    spi_input_z as input_z, spi_interp_control_0 as interp, spi_ps_in_control_0 as control_0,
    spi_ps_in_control_1 as control_1, spi_ps_input_cntl as input, sq_pgm_exports_ps as exports,
    sq_pgm_resources_ps as resources,
};

use super::{Facts, State};

/// `DEFAULT_VAL` of all ones.
const ONES: u32 = 3;
/// Where depth, stencil and coverage are exported.
const DEPTH_EXPORT: ExportTarget = ExportTarget::Pixel(61);
/// `Z_ORDER` of a test behind the shader.
const LATE: u32 = 0;
/// `Z_ORDER` of an early test where nothing speaks against it.
const EARLY_THEN_LATE: u32 = 1;
/// `DB_SOURCE_FORMAT` of two pixels at once.
const TWO_PIXELS: u32 = 2;

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
            | control_0::LINEAR_GRADIENT_ENA.of(uses(Interpolation::Linear))
            | control_0::BARYC_AT_SAMPLE_ENA.of(interpolates_at_sample(facts));
    }
    state.set(control_0::REGISTER, first);
    state.set(
        control_1::REGISTER,
        control_1::FRONT_FACE_ENA.of(entry.face.is_some())
            | control_1::FRONT_FACE_ADDR.of(entry.face.unwrap_or(0))
            | control_1::FIXED_PT_POSITION_ENA.of(entry.sample.is_some())
            | control_1::FIXED_PT_POSITION_ADDR.of(entry.sample.unwrap_or(0)),
    );
    state.set(interp::REGISTER, interp::FLAT_SHADE_ENA.of(1_u32));
    state.set(input_z::REGISTER, input_z::PROVIDE_Z_TO_SPI.of(entry.position.is_some()));
}

fn interpolates_at_sample(facts: &Facts<'_>) -> bool {
    let locations = facts.inputs.iter().filter_map(|slot| slot.interpolation);
    locations.into_iter().any(|(_, location)| location == Location::Sample)
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
    state.set(cb_color::REGISTER, cb_color::MULTIWRITE_ENABLE.of(to_all && buffers > 1));
    if to_all && exported & 1 == 1 && state.interpolates() {
        exported |= (1 << num_targets) - 1;
    }
    // Without any colour a masked one is exported.
    let num_colors = match state.generation {
        Generation::R600 | Generation::R700 => exported.count_ones().max(1),
        Generation::Evergreen | Generation::Cayman => (32 - exported.leading_zeros()).max(1),
    };
    let depth = facts.outputs.iter().any(|slot| slot.export == Some(DEPTH_EXPORT));
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
    let exports_depth = facts.outputs.iter().any(|slot| slot.export == Some(DEPTH_EXPORT));
    let two_pixels = facts.key.narrow_color_buffers && !exports_depth;
    let z_order = if must_run(facts, state) { LATE } else { EARLY_THEN_LATE };
    let mut value = db::Z_EXPORT_ENABLE.of(writes(Semantic::Position))
        | db::STENCIL_REF_EXPORT_ENABLE.of(writes(Semantic::Stencil))
        | db::MASK_EXPORT_ENABLE.of(writes(Semantic::Samplemask))
        | db::DUAL_EXPORT_ENABLE.of(two_pixels)
        | db::Z_ORDER.of(z_order)
        | db::KILL_ENABLE.of(kills);
    if state.interpolates() {
        value |= late_depth(facts, state, two_pixels);
    }
    state.set(db::REGISTER, value);
    let layout = conservative_depth(facts);
    state.set(db_render::REGISTER, db_render::CONSERVATIVE_Z_EXPORT.of(layout));
}

/// The fields that Evergreen adds.
fn late_depth(facts: &Facts<'_>, state: &State, two_pixels: bool) -> u32 {
    let must_run = must_run(facts, state);
    db::EXEC_ON_HIER_FAIL.of(must_run)
        | db::EXEC_ON_NOOP.of(must_run || writes_memory(facts, state))
        | db::DB_SOURCE_FORMAT.of(if two_pixels { TWO_PIXELS } else { 0 })
        | db::DEPTH_BEFORE_SHADER.of(tests_early(facts))
        | db::CONSERVATIVE_Z_EXPORT.of(conservative_depth(facts))
}

/// Whether the shader runs even for fragments that nobody will see: it writes memory, and says nothing of early tests.
fn must_run(facts: &Facts<'_>, state: &State) -> bool {
    writes_memory(facts, state) && !tests_early(facts)
}

fn tests_early(facts: &Facts<'_>) -> bool {
    facts.shader.property(PropertyName::FsEarlyDepthStencil) == Some(1)
}

fn writes_memory(facts: &Facts<'_>, state: &State) -> bool {
    let mut opcodes = facts.shader.instructions.iter().map(|inst| inst.opcode);
    state.interpolates() && opcodes.any(|opcode| opcode.info().is_store)
}

/// What the shader says of the depth that it exports, as registers have it.
fn conservative_depth(facts: &Facts<'_>) -> u32 {
    let layout = facts.shader.property(PropertyName::FsDepthLayout);
    match layout.and_then(|number| DepthLayout::from_number(number.try_into().ok()?)) {
        Some(DepthLayout::Less) => 1,
        Some(DepthLayout::Greater) => 2,
        _ => 0,
    }
}
