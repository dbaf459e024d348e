//! Registers of fragment shaders.

use r600_isa::registers::{
    cb_color_control as cb_color, cb_shader_control as cb_control, cb_shader_mask as cb_mask,
    db_render_control as db_render, db_shader_control as db, spi_baryc_cntl as baryc,
    spi_input_z as input_z, spi_interp_control_0 as interp, spi_ps_in_control_0 as control_0,
    spi_ps_in_control_1 as control_1, spi_ps_input_cntl as input, sq_pgm_exports_ps as exports,
    sq_pgm_resources_ps as resources,
};
use r600_isa::{Chip, FieldSet, Generation, WordBuilder};
use r600_mir::ExportTarget;
use tgsi_ir::{DepthLayout, File, Interpolation, Location, Opcode, PropertyName, Semantic};

use crate::abi::{Colors, InputSlot};

use super::builder::{Facts, State, StateError};

/// `DEFAULT_VAL` of all ones.
const ONES: u32 = 3;
/// Where depth, stencil and coverage are exported.
const DEPTH_EXPORT: ExportTarget = ExportTarget::Pixel(61);
/// `Z_ORDER` of a depth test after the shader.
const LATE: u32 = 0;
/// `Z_ORDER` of an early depth test if nothing forbids it.
const EARLY_THEN_LATE: u32 = 1;
/// `DB_SOURCE_FORMAT` of exports of two pixels at once.
const TWO_PIXELS: u32 = 2;

pub(super) fn registers(facts: &Facts<'_>, state: &mut State) -> Result<(), StateError> {
    let mut word = state.word();
    word.put(&resources::NUM_GPRS, facts.num_gprs)?
        .put(&resources::STACK_SIZE, facts.stack_size)?
        .put(&resources::DX10_CLAMP, 1_u32)?
        .put(&resources::PRIME_CACHE_ON_DRAW, state.interpolates())?
        .put(&resources::UNCACHED_FIRST_INST, facts.chip == Chip::R600)?;
    state.set(resources::REGISTER, word)?;
    super::resources::set_fragment_scratch(facts, state)?;
    input_registers(facts, state)?;
    controls(facts, state)?;
    barycentrics(facts, state)?;
    color_registers(facts, state)?;
    depth_registers(facts, state)
}

/// Number of entries in the input list: registers from R0 on if the hardware interpolates, else parameters.
fn num_listed(facts: &Facts<'_>, state: &State) -> u32 {
    if state.interpolates() {
        return facts.inputs.iter().filter(|slot| slot.parameter.is_some()).count() as u32;
    }
    let entry = facts.entry;
    let hidden = [entry.position, entry.face, entry.sample].into_iter().flatten();
    let gprs = facts.inputs.iter().map(|slot| slot.gpr).chain(hidden);
    gprs.map(|gpr| u32::from(gpr) + 1).max().unwrap_or(0)
}

/// Sets the entries of the input list. If the hardware interpolates, entry k describes R(k), even if that holds no
/// parameter.
fn input_registers(facts: &Facts<'_>, state: &mut State) -> Result<(), StateError> {
    for index in 0..num_listed(facts, state) {
        let is_it = |slot: &&InputSlot| match state.interpolates() {
            true => slot.parameter.map(u32::from) == Some(index),
            false => u32::from(slot.gpr) == index,
        };
        let word = match facts.inputs.iter().find(is_it) {
            Some(slot) => input_word(slot, facts, state)?,
            None => {
                let mut hidden = state.word();
                hidden.put(&input::FLAT_SHADE, 1_u32)?;
                hidden
            }
        };
        state.set_at(input::REGISTER, index, word)?;
    }
    Ok(())
}

/// The components of an input that wrap around, one bit each.
fn wrapped(slot: &InputSlot, facts: &Facts<'_>) -> u8 {
    let mut declared = facts.shader.declarations.iter().filter(|d| d.file == File::Input);
    let declared = declared.find(|d| d.range.contains(i32::from(slot.register)));
    declared.and_then(|d| d.interp).map_or(0, |interp| interp.cylindrical_wrap.bits())
}

fn input_word(
    slot: &InputSlot,
    facts: &Facts<'_>,
    state: &State,
) -> Result<WordBuilder, StateError> {
    let semantic = slot.semantic;
    let default = if semantic == Some((Semantic::Color, 0)) { ONES } else { 0 };
    let mode = slot.interpolation.map(|(mode, _)| mode);
    let location = slot.interpolation.map(|(_, location)| location);
    let is_interpolated = matches!(
        mode,
        Some(Interpolation::Perspective | Interpolation::Linear | Interpolation::Color)
    );
    let is_supplied = matches!(semantic, Some((Semantic::Position | Semantic::Face, _)));
    let is_point = matches!(semantic, Some((Semantic::Pcoord, _)));
    let mut word = state.word();
    word.put(&input::SEMANTIC, slot.spi_id)?
        .put(&input::DEFAULT_VAL, default)?
        .put(&input::FLAT_SHADE, is_supplied || !is_interpolated)?
        .put(&input::CYL_WRAP, wrapped(slot, facts))?
        .put(&input::PT_SPRITE_TEX, is_point)?;
    if !state.interpolates() {
        word.put(&input::SEL_LINEAR, mode == Some(Interpolation::Linear))?
            .put(&input::SEL_CENTROID, location == Some(Location::Centroid))?
            .put(&input::SEL_SAMPLE, location == Some(Location::Sample))?;
    }
    Ok(word)
}

fn controls(facts: &Facts<'_>, state: &mut State) -> Result<(), StateError> {
    let entry = facts.entry;
    let position_at = position_at(facts);
    let mut first = state.word();
    put_entry(&mut first, &control_0::POSITION_ENA, &control_0::POSITION_ADDR, entry.position)?;
    first
        .put(&control_0::POSITION_CENTROID, position_at == Some(Location::Centroid))?
        .put(&control_0::POSITION_SAMPLE, position_at == Some(Location::Sample))?;
    interpolation(facts, state, &mut first)?;
    state.set(control_0::REGISTER, first)?;
    let mut second = state.word();
    let (enable, address) = (&control_1::FRONT_FACE_ENA, &control_1::FRONT_FACE_ADDR);
    put_entry(&mut second, enable, address, entry.face)?;
    let (enable, address) = (&control_1::FIXED_PT_POSITION_ENA, &control_1::FIXED_PT_POSITION_ADDR);
    put_entry(&mut second, enable, address, entry.sample)?;
    state.set(control_1::REGISTER, second)?;
    state.set_field(interp::REGISTER, &interp::FLAT_SHADE_ENA, 1_u32)?;
    state.set_field(input_z::REGISTER, &input_z::PROVIDE_Z_TO_SPI, entry.position.is_some())
}

/// Enables a value that the hardware writes to a register on entry, and sets that register.
fn put_entry(
    word: &mut WordBuilder,
    enable: &FieldSet,
    address: &FieldSet,
    gpr: Option<u8>,
) -> Result<(), StateError> {
    if let Some(gpr) = gpr {
        word.put(enable, 1_u32)?.put(address, gpr)?;
    }
    Ok(())
}

/// Sets the number of interpolated inputs and the kinds of interpolation.
fn interpolation(
    facts: &Facts<'_>,
    state: &State,
    word: &mut WordBuilder,
) -> Result<(), StateError> {
    let entry = facts.entry;
    let listed = num_listed(facts, state);
    if state.interpolates() {
        let is_linear = entry.pairs[3..].contains(&true);
        let is_perspective = entry.pairs[..3].contains(&true) || !is_linear;
        word.put(&control_0::NUM_INTERP, listed.max(1))?
            .put(&control_0::PERSP_GRADIENT_ENA, is_perspective)?
            .put(&control_0::LINEAR_GRADIENT_ENA, is_linear)?;
        return Ok(());
    }
    let is_linear = facts
        .inputs
        .iter()
        .any(|slot| slot.interpolation.is_some_and(|(mode, _)| mode == Interpolation::Linear));
    word.put(&control_0::NUM_INTERP, listed)?
        .put(&control_0::BARYC_SAMPLE_CNTL, entry.position.is_some())?
        .put(&control_0::PERSP_GRADIENT_ENA, 1_u32)?
        .put(&control_0::LINEAR_GRADIENT_ENA, is_linear)?
        .put(&control_0::BARYC_AT_SAMPLE_ENA, interpolates_at_sample(facts))?;
    Ok(())
}

fn interpolates_at_sample(facts: &Facts<'_>) -> bool {
    let mut locations = facts.inputs.iter().filter_map(|slot| slot.interpolation);
    locations.any(|(_, location)| location == Location::Sample)
}

/// Where in the pixel the position is evaluated: at the sample if the shader runs per sample, unless it is declared
/// centroid.
fn position_at(facts: &Facts<'_>) -> Option<Location> {
    facts.entry.position?;
    let is_position = |slot: &&InputSlot| matches!(slot.semantic, Some((Semantic::Position, _)));
    let declared = facts.inputs.iter().find(is_position).and_then(|slot| slot.interpolation);
    let runs_for_samples =
        facts.key.sample_shading || facts.entry.sample.is_some() || interpolates_at_sample(facts);
    match declared {
        Some((_, Location::Centroid)) => Some(Location::Centroid),
        _ if runs_for_samples => Some(Location::Sample),
        _ => declared.map(|(_, location)| location),
    }
}

/// Enables the barycentric pairs, in the order of [`EntryRegisters::pairs`](crate::abi::EntryRegisters::pairs).
fn barycentrics(facts: &Facts<'_>, state: &mut State) -> Result<(), StateError> {
    let fields = [
        &baryc::PERSP_SAMPLE_ENA,
        &baryc::PERSP_CENTER_ENA,
        &baryc::PERSP_CENTROID_ENA,
        &baryc::LINEAR_SAMPLE_ENA,
        &baryc::LINEAR_CENTER_ENA,
        &baryc::LINEAR_CENTROID_ENA,
    ];
    let mut word = state.word();
    for (field, is_used) in fields.into_iter().zip(facts.entry.pairs) {
        word.put(field, is_used)?;
    }
    state.set(baryc::REGISTER, word)
}

fn color_registers(facts: &Facts<'_>, state: &mut State) -> Result<(), StateError> {
    let colors = Colors::of(facts.shader, facts.key, facts.outputs, state.generation);
    state.set_field(cb_color::REGISTER, &cb_color::MULTIWRITE_ENABLE, colors.is_copied())?;
    // Without any colour, one masked export remains. The first chips need an export for each colour up to the highest.
    let num_colors = (32 - colors.exports().leading_zeros()).max(1);
    let depth = facts.outputs.iter().any(|slot| slot.export == Some(DEPTH_EXPORT));
    let mut word = state.word();
    word.put(&exports::EXPORT_Z, depth)?.put(&exports::EXPORT_COLORS, num_colors)?;
    state.set(exports::REGISTER, word)?;
    let mask = channel_mask(colors.buffers(), state.generation);
    state.set_field(cb_mask::REGISTER, &cb_mask::OUTPUTS, mask)?;
    let bound = u32::from(facts.key.num_color_buffers.max(1));
    state.set_field(cb_control::REGISTER, &cb_control::RT_ENABLE, (1_u32 << bound) - 1)
}

/// Four bits per buffer. A buffer without a colour below the highest one still needs one bit. Buffer 0 has all bits on
/// R600 and R700, where alpha tests need them, and if there is no colour at all. Later chips hang if the mask covers
/// more than the exports.
fn channel_mask(buffers: u32, generation: Generation) -> u32 {
    let is_early = matches!(generation, Generation::R600 | Generation::R700);
    let first = if is_early || buffers == 0 { 0xF } else { 0 };
    let highest = 32 - buffers.leading_zeros();
    (0..highest).fold(first, |mask, target| {
        mask | if buffers >> target & 1 == 1 { 0xF << (4 * target) } else { 1 << (4 * target) }
    })
}

fn depth_registers(facts: &Facts<'_>, state: &mut State) -> Result<(), StateError> {
    let writes = |semantic: Semantic| facts.outputs.iter().any(|slot| slot.semantic.0 == semantic);
    let kills = facts
        .shader
        .instructions
        .iter()
        .any(|inst| matches!(inst.opcode, Opcode::Kill | Opcode::KillIf | Opcode::Demote));
    let exports_depth = facts.outputs.iter().any(|slot| slot.export == Some(DEPTH_EXPORT));
    let two_pixels = facts.key.narrow_color_buffers && !exports_depth;
    let z_order = if must_run(facts, state) { LATE } else { EARLY_THEN_LATE };
    let mut word = state.word();
    word.put(&db::Z_EXPORT_ENABLE, writes(Semantic::Position))?
        .put(&db::STENCIL_REF_EXPORT_ENABLE, writes(Semantic::Stencil))?
        .put(&db::MASK_EXPORT_ENABLE, writes(Semantic::Samplemask))?
        .put(&db::DUAL_EXPORT_ENABLE, two_pixels)?
        .put(&db::Z_ORDER, z_order)?
        .put(&db::KILL_ENABLE, kills)?;
    if state.interpolates() {
        late_depth(facts, state, two_pixels, &mut word)?;
    }
    state.set(db::REGISTER, word)?;
    let layout = conservative_depth(facts)?;
    state.set_field(db_render::REGISTER, &db_render::CONSERVATIVE_Z_EXPORT, layout)
}

/// Sets the fields that Evergreen adds.
fn late_depth(
    facts: &Facts<'_>,
    state: &State,
    two_pixels: bool,
    word: &mut WordBuilder,
) -> Result<(), StateError> {
    let must_run = must_run(facts, state);
    word.put(&db::EXEC_ON_HIER_FAIL, must_run)?
        .put(&db::EXEC_ON_NOOP, must_run || writes_memory(facts, state))?
        .put(&db::DB_SOURCE_FORMAT, if two_pixels { TWO_PIXELS } else { 0 })?
        .put(&db::DEPTH_BEFORE_SHADER, tests_early(facts))?
        .put(&db::CONSERVATIVE_Z_EXPORT, conservative_depth(facts)?)?;
    Ok(())
}

/// Whether the shader must run even for invisible fragments: it writes memory and does not request early tests.
fn must_run(facts: &Facts<'_>, state: &State) -> bool {
    writes_memory(facts, state) && !tests_early(facts)
}

fn tests_early(facts: &Facts<'_>) -> bool {
    facts.shader.is_set(PropertyName::FsEarlyDepthStencil)
}

fn writes_memory(facts: &Facts<'_>, state: &State) -> bool {
    let mut opcodes = facts.shader.instructions.iter().map(|inst| inst.opcode);
    state.interpolates() && opcodes.any(|opcode| opcode.info().is_store)
}

/// The promise that the shader makes about its exported depth, as the register encodes it.
fn conservative_depth(facts: &Facts<'_>) -> Result<u32, StateError> {
    Ok(match facts.known(PropertyName::FsDepthLayout, DepthLayout::from_number)? {
        Some(DepthLayout::Less) => 1,
        Some(DepthLayout::Greater) => 2,
        None | Some(DepthLayout::None | DepthLayout::Any | DepthLayout::Unchanged) => 0,
    })
}
