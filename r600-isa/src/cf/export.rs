//! Exports to pixels, positions and parameters.

use crate::codec::{At, FieldIo, Form, Shown, field_enum};
use crate::fields::{cf_alloc_export_word0 as w0, cf_alloc_export_word1_swiz as w1};
use crate::{CfOp, ComponentSel, FieldError};

use super::tail::{EndFields, Output, OutputFields};

/// The kind of export target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum ExportKind {
    /// Colours and depth.
    Pixel,
    /// Positions and other rasteriser inputs.
    Position,
    /// Parameters of a pixel shader.
    Parameter,
    /// Reserved; headers of R600 call it `SX`.
    Reserved,
}

field_enum!(ExportKind { Pixel = "PIX", Position = "POS", Parameter = "PARAM", Reserved = "SX" });

impl ExportKind {
    /// All four, by number.
    pub const ALL: [Self; 4] = [Self::Pixel, Self::Position, Self::Parameter, Self::Reserved];
}

/// An export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CfExport {
    /// `EXPORT` or `EXPORT_DONE`.
    pub op: CfOp,
    /// Kind of target.
    pub kind: ExportKind,
    /// First target.
    pub array_base: u16,
    /// First GPR.
    pub gpr: u8,
    /// Whether the loop index is added to the GPR.
    pub relative: bool,
    /// GPR of an index; exports ignore it.
    pub index_gpr: u8,
    /// `R6xx_ELEM_LOOP`, which drivers leave off; R600 and R700.
    pub elem_loop: bool,
    /// Consecutive GPRs and targets, at least 1.
    pub burst: u8,
    /// Sources of the components.
    pub sel: [ComponentSel; 4],
    /// Dwords of an element less one; exports ignore it.
    pub elem_size: u8,
    /// Whether helper lanes are left out.
    pub valid_pixel_mode: bool,
    /// Whether all lanes of a quad run if one does; R600 and R700.
    pub whole_quad_mode: bool,
    /// Whether it must be acknowledged; Evergreen and Cayman.
    pub mark: bool,
    /// Whether the program ends with it.
    pub end_of_program: bool,
    /// Whether it waits for earlier clauses.
    pub barrier: bool,
}

/// The element size that drivers write into exports.
const USUAL_ELEM_SIZE: u8 = 3;

/// The end of its second word.
const OUTPUT: OutputFields = OutputFields {
    elem_loop: &w1::ELEM_LOOP,
    burst: &w1::BURST_COUNT,
    valid_pixel_mode: &w1::VALID_PIXEL_MODE,
    whole_quad_mode: &w1::WHOLE_QUAD_MODE,
    mark: &w1::MARK,
    end: EndFields { op: &w1::CF_INST, end_of_program: &w1::END_OF_PROGRAM, barrier: &w1::BARRIER },
};

impl CfExport {
    /// Exports all of `gpr` to one target, after a barrier.
    pub const fn new(op: CfOp, kind: ExportKind, array_base: u16, gpr: u8) -> Self {
        Self {
            op,
            kind,
            array_base,
            gpr,
            relative: false,
            index_gpr: 0,
            elem_loop: false,
            burst: 1,
            sel: [ComponentSel::X, ComponentSel::Y, ComponentSel::Z, ComponentSel::W],
            elem_size: USUAL_ELEM_SIZE,
            valid_pixel_mode: false,
            whole_quad_mode: false,
            mark: false,
            end_of_program: false,
            barrier: true,
        }
    }

    pub(crate) fn describe(&mut self, io: &mut impl FieldIo) -> Result<(), FieldError> {
        io.field(At(0, &w0::ARRAY_BASE), &mut self.array_base)?;
        io.field(At(0, &w0::TYPE), &mut self.kind)?;
        io.field(At(0, &w0::RW_GPR), &mut self.gpr)?;
        io.field(At(0, &w0::RW_REL), &mut self.relative)?;
        io.property("INDEX_GPR", At(0, &w0::INDEX_GPR), &mut self.index_gpr)?;
        let elem_size =
            Shown { name: "ELEM_SIZE", form: Form::Number, default: USUAL_ELEM_SIZE.into() };
        io.shown(elem_size, At(0, &w0::ELEM_SIZE), &mut self.elem_size)?;
        for (field, sel) in
            [&w1::SEL_X, &w1::SEL_Y, &w1::SEL_Z, &w1::SEL_W].into_iter().zip(&mut self.sel)
        {
            io.field(At(1, field), sel)?;
        }
        OUTPUT.describe(
            io,
            Output {
                op: self.op,
                elem_loop: &mut self.elem_loop,
                burst: &mut self.burst,
                valid_pixel_mode: &mut self.valid_pixel_mode,
                whole_quad_mode: &mut self.whole_quad_mode,
                mark: &mut self.mark,
                ends: [&mut self.end_of_program, &mut self.barrier],
            },
        )
    }
}
