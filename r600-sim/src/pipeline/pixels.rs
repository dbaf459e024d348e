//! Decodes a fragment's exports: colours by buffer, depth, stencil and coverage.

use std::collections::BTreeMap;

use r600_isa::registers::{
    cb_color_control as cb_color, cb_shader_control as cb_control, cb_shader_mask as cb_mask,
    db_shader_control as db, sq_pgm_exports_ps as exports,
};
use r600_isa::{Generation, WordReader};

use crate::lanes::LaneMask;
use crate::outcome::{ExportKind, Exported, Outcome};

use super::fault::{StateFault, demand};
use super::registers::StateRegisters;
use super::{LaneScalars, LaneVectors};

/// The export of depth, stencil and coverage; colours are below.
const DEPTH_EXPORT: u32 = 61;
const MAX_COLORS: u32 = 8;
/// `Z_ORDER` of a depth test after the shader.
const LATE: u32 = 0;
/// `DB_SOURCE_FORMAT` of exports of two pixels at once.
const TWO_PIXELS: u32 = 2;

/// Output of a wavefront of fragments.
#[derive(Clone, Debug, Default)]
pub struct Pixels {
    /// Values written to each colour buffer.
    pub colors: BTreeMap<u32, LaneVectors>,
    /// Depth, if the shader writes it.
    pub depth: Option<LaneScalars>,
    /// Stencil, if the shader writes it.
    pub stencil: Option<LaneScalars>,
    /// Coverage, if the shader writes it.
    pub coverage: Option<LaneScalars>,
    /// Lanes that are killed.
    pub killed: LaneMask,
}

impl Pixels {
    /// Applies the state to the exports of a fragment shader.
    ///
    /// # Errors
    /// If state and exports disagree.
    pub fn of(state: &StateRegisters, outcome: &Outcome) -> Result<Self, StateFault> {
        let colors = |number: u32| outcome.export(ExportKind::Pixel, number);
        let exported = (0..MAX_COLORS).filter(|&number| colors(number).is_some());
        let exported = exported.fold(0_u32, |mask, number| mask | 1 << number);
        let depth = outcome.export(ExportKind::Pixel, DEPTH_EXPORT);
        check_counts(state, exported, depth.is_some())?;
        let mut pixels = Self { colors: colored(state, outcome, exported)?, ..Self::default() };
        let control = state.word(db::REGISTER, 0)?;
        check_depth(control, depth.is_some())?;
        check_memory(state, control, outcome)?;
        let scalar = |is_taken: bool, channel: usize| {
            let all = depth.filter(|_| is_taken)?;
            Some(all.lanes.iter().map(|lane| lane[channel]).collect())
        };
        pixels.depth = scalar(control.flag(&db::Z_EXPORT_ENABLE), 0);
        pixels.stencil = scalar(control.flag(&db::STENCIL_REF_EXPORT_ENABLE), 1);
        pixels.coverage = scalar(control.flag(&db::MASK_EXPORT_ENABLE), 2);
        if control.flag(&db::KILL_ENABLE) {
            pixels.killed = outcome.killed;
        }
        Ok(pixels)
    }
}

/// Checks that the program makes as many exports as the state names, since the hardware waits for them.
fn check_counts(state: &StateRegisters, exported: u32, has_depth: bool) -> Result<(), StateFault> {
    let word = state.word(exports::REGISTER, 0)?;
    let (field, depth) = (&exports::EXPORT_Z, word.get(&exports::EXPORT_Z));
    demand((depth == 1) == has_depth, (field, depth), "the program's depth export disagrees")?;
    let count = match state.interpolates() {
        true => exported.count_ones(),
        false => 32 - exported.leading_zeros(),
    };
    let (field, colors) = (&exports::EXPORT_COLORS, word.get(&exports::EXPORT_COLORS));
    demand(colors == count, (field, colors), "the program exports another number of colours")
}

/// The values that reach each buffer.
fn colored(
    state: &StateRegisters,
    outcome: &Outcome,
    exported: u32,
) -> Result<BTreeMap<u32, LaneVectors>, StateFault> {
    let mask = state.word(cb_mask::REGISTER, 0)?.get(&cb_mask::OUTPUTS);
    let is_copied = state.late_field(cb_color::REGISTER, &cb_color::MULTIWRITE_ENABLE)? == Some(1);
    let bound = state.late_field(cb_control::REGISTER, &cb_control::RT_ENABLE)?.unwrap_or(0xFF);
    check_mask(state, mask, if is_copied { bound } else { exported })?;
    let mut colors = BTreeMap::new();
    for buffer in (0..MAX_COLORS).filter(|buffer| bound >> buffer & 1 == 1) {
        let number = if is_copied { 0 } else { buffer };
        if let Some(export) = outcome.export(ExportKind::Pixel, number) {
            colors.insert(buffer, masked(export, mask >> (4 * buffer) & 0xF));
        }
    }
    Ok(colors)
}

fn masked(export: &Exported, mask: u32) -> LaneVectors {
    let of_lane = |lane: &[Option<u32>; 4]| {
        [0, 1, 2, 3].map(|channel: usize| lane[channel].filter(|_| mask >> channel & 1 == 1))
    };
    export.lanes.iter().map(of_lane).collect()
}

/// Checks that the mask leaves out no buffer below the highest. On later chips it must also not exceed the exports.
fn check_mask(state: &StateRegisters, mask: u32, written: u32) -> Result<(), StateFault> {
    let field = (&cb_mask::OUTPUTS, mask);
    let highest = MAX_COLORS - mask.leading_zeros() / 4;
    let nibble = |buffer: u32| mask >> (4 * buffer) & 0xF;
    let is_complete = (0..highest).all(|buffer| nibble(buffer) != 0);
    demand(is_complete, field, "a buffer below the highest is left out")?;
    if matches!(state.generation(), Generation::Evergreen | Generation::Cayman) {
        let is_asked = |buffer: u32| written >> buffer & 1 == 1 || nibble(buffer) <= 1;
        demand((0..highest).all(is_asked), field, "the program exports fewer colours")?;
    }
    Ok(())
}

/// Checks that depth is not exported together with two pixels at once, which leave no space for it.
fn check_depth(control: WordReader, has_depth: bool) -> Result<(), StateFault> {
    let dual = control.flag(&db::DUAL_EXPORT_ENABLE);
    let why = "depth uses the space of the second pixel";
    demand(!(dual && has_depth), (&db::DUAL_EXPORT_ENABLE, 1), why)?;
    let format = control.get(&db::DB_SOURCE_FORMAT);
    let why = "two pixels per export also need DUAL_EXPORT_ENABLE";
    demand(format != TWO_PIXELS || dual, (&db::DB_SOURCE_FORMAT, format), why)
}

/// Checks that a shader which writes memory runs for all fragments, unless it requests an early test.
fn check_memory(
    state: &StateRegisters,
    control: WordReader,
    outcome: &Outcome,
) -> Result<(), StateFault> {
    if state.interpolates() || outcome.changed_targets.is_empty() {
        return Ok(());
    }
    let field = &db::EXEC_ON_NOOP;
    demand(control.flag(field), (field, 0), "the program writes memory")?;
    if control.flag(&db::DEPTH_BEFORE_SHADER) {
        return Ok(());
    }
    let order = control.get(&db::Z_ORDER);
    demand(order == LATE, (&db::Z_ORDER, order), "fragments that write memory would be left out")?;
    let field = &db::EXEC_ON_HIER_FAIL;
    demand(control.flag(field), (field, 0), "fragments that write memory would be left out")
}
