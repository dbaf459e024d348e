//! TLDS: unfiltered access to one texel by position, with scalar and two-element vectors only.

use alloc::format;
use core::fmt;

use crate::component::{Component, ComponentMask};
use crate::diagnostic::{Diagnostic, Part};
use crate::field::{Decoder, Encoder, FieldIo};
use crate::generated::enums::Lod;
use crate::generated::packing::{TLDS_FORMS, TLDS_MASKS, TldsForm, TldsMask, Value};
use crate::generated::rules::Rule;
use crate::generated::words::tlds;
use crate::index::TexIndex;
use crate::modes::TldsModes;
use crate::register::{Guard, Reg};
use crate::tables::{MaskInfo, TldsFormInfo};

/// `{@{!}Pg} TLDS{.F16}.lod{.AOFFI}{.MS}{.NODEP} Rd1, Rd0, Ra{, Rb}, #index, #paramA, #mask`
///
/// Coordinates and level are integers. The document calls the coordinates fp32, but the vendor's compiler passes
/// integers in every form, and texel positions have no fractions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tlds {
    /// The guard.
    pub guard: Guard,
    /// Whether results are halves, two per register (`.F16`).
    pub f16: bool,
    /// Shape, level of detail and modifier.
    pub form: TldsForm,
    /// Whether no derivative of the result is taken, so killed threads may be idle (`.NODEP`).
    pub nodep: bool,
    /// First register of the second result; RZ for masks of one and two components.
    pub rd1: Reg,
    /// First register of the first result.
    pub rd0: Reg,
    /// First register of the first parameters.
    pub ra: Reg,
    /// First register of the second parameters; RZ if there are none.
    pub rb: Reg,
    /// The texture; only the header of its entry is used.
    pub index: TexIndex,
    /// The components that are written.
    pub mask: TldsMask,
}

impl TldsModes {
    /// The form with these modifiers.
    ///
    /// # Errors
    /// The rule that explains why the table has no row for them.
    pub fn form(&self) -> Result<TldsForm, Diagnostic> {
        let found = TldsForm::ALL.into_iter().find(|form| form.modes().as_ref() == Some(self));
        found.ok_or_else(|| self.why_not())
    }

    fn why_not(&self) -> Diagnostic {
        let lod = if self.lod == Lod::Implicit { "nothing" } else { self.lod.text() };
        let shape = self.param.text();
        let (rule, case) = if !matches!(self.lod, Lod::Lz | Lod::Ll) {
            (Rule::LodNeeded, format!("{lod} as level-of-detail mode"))
        } else if self.ms {
            (Rule::Ms, format!(".MS with .{lod}, {shape}"))
        } else {
            let offsets = if self.aoffi { " and .AOFFI" } else { "" };
            (Rule::Form, format!("{shape} with .{lod}{offsets}"))
        };
        Diagnostic::new(rule, Part::Modifiers, case)
    }
}

impl TldsForm {
    fn info(self) -> &'static TldsFormInfo {
        &TLDS_FORMS[self as usize]
    }

    /// Its code in a word (`tld2d_4`).
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The form with this code; only the low four bits are used.
    pub const fn from_code(code: u8) -> Self {
        Self::ALL[(code & 0xf) as usize]
    }

    /// The modifiers; `None` for reserved codes.
    pub fn modes(self) -> Option<TldsModes> {
        self.info().modes
    }

    /// Whether it is reserved: the documents give it no meaning.
    pub fn is_reserved(self) -> bool {
        self.info().modes.is_none()
    }

    /// The values in Ra.
    pub fn ra_values(self) -> &'static [Value] {
        self.info().ra
    }

    /// The values in Rb; if empty, Rb is RZ.
    pub fn rb_values(self) -> &'static [Value] {
        self.info().rb
    }
}

impl TldsMask {
    fn info(self) -> &'static MaskInfo {
        &TLDS_MASKS[self as usize]
    }

    /// The mask with this code in a word; Rd1 selects one of two tables.
    pub fn from_code(code: u8, rd1: Reg) -> Self {
        let is_it = |mask: &Self| mask.info().code == code && mask.fits(rd1);
        Self::ALL.into_iter().find(is_it).unwrap_or(Self::R)
    }

    /// Its code in a word.
    pub fn code(self) -> u8 {
        self.info().code
    }

    /// Whether it needs a register in Rd1; otherwise Rd1 is RZ.
    pub fn needs_rd1(self) -> bool {
        self.info().long
    }

    /// Whether it is in the table that `rd1` selects.
    pub fn fits(self, rd1: Reg) -> bool {
        self.needs_rd1() != rd1.is_rz()
    }

    /// Whether it is reserved: the documents give it no meaning.
    pub fn is_reserved(self) -> bool {
        self.info().reserved
    }

    /// The components in Rd0, in order.
    ///
    /// For GBA with `.F16` the document's table says R and G; the mask's name and the 32-bit table say G and B, as
    /// here.
    pub fn rd0_components(self) -> &'static [Component] {
        self.info().rd0
    }

    /// The components in Rd1, in order.
    pub fn rd1_components(self) -> &'static [Component] {
        self.info().rd1
    }

    /// All components.
    pub fn components(self) -> ComponentMask {
        self.rd0_components().iter().chain(self.rd1_components()).copied().collect()
    }
}

crate::field::bits_of_codes!(TldsForm);

impl Tlds {
    /// A plain access with 32-bit results: Rb and Rd1 RZ.
    pub const fn new(form: TldsForm, rd0: Reg, ra: Reg, index: TexIndex, mask: TldsMask) -> Self {
        Self {
            guard: Guard::ALWAYS,
            f16: false,
            form,
            nodep: false,
            rd1: Reg::RZ,
            rd0,
            ra,
            rb: Reg::RZ,
            index,
            mask,
        }
    }

    /// The number of registers that `components` take in one of its results.
    pub fn num_registers(&self, components: &[Component]) -> usize {
        if self.f16 { components.len().div_ceil(2) } else { components.len() }
    }

    pub(crate) fn from_word(word: u64) -> Option<Self> {
        if !tlds::LAYOUT.matches(word) {
            return None;
        }
        let mut tlds =
            Self::new(TldsForm::D1Lz, Reg::RZ, Reg::RZ, TexIndex::default(), TldsMask::R);
        tlds.describe(&mut Decoder { word });
        Some(tlds)
    }

    pub(crate) fn to_word(mut self) -> Result<u64, MaskError> {
        if !self.mask.fits(self.rd1) {
            return Err(MaskError { mask: self.mask, rd1: self.rd1 });
        }
        let mut encoder = Encoder { word: tlds::LAYOUT.opcode() };
        self.describe(&mut encoder);
        Ok(encoder.word)
    }

    fn describe(&mut self, io: &mut impl FieldIo) {
        io.field(tlds::RD0, &mut self.rd0);
        io.field(tlds::RA, &mut self.ra);
        io.field(tlds::PG, &mut self.guard.pred);
        io.field(tlds::PG_NOT, &mut self.guard.negated);
        io.field(tlds::RB, &mut self.rb);
        io.field(tlds::RD1, &mut self.rd1);
        io.field(tlds::INDEX, &mut self.index);
        io.field(tlds::NODEP, &mut self.nodep);
        let mut code = self.mask.code();
        io.field(tlds::WMSK, &mut code);
        self.mask = TldsMask::from_code(code, self.rd1);
        io.field(tlds::FORM, &mut self.form);
        let mut not_f16 = !self.f16;
        io.field(tlds::NOT_F16, &mut not_f16);
        self.f16 = !not_f16;
    }
}

/// A mask that Rd1 excludes: the word has no code for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaskError {
    /// The mask.
    pub mask: TldsMask,
    /// The register in Rd1.
    pub rd1: Reg,
}

impl fmt::Display for MaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wanted = if self.mask.needs_rd1() { "a register" } else { "RZ" };
        write!(f, "mask {} needs {wanted} in Rd1, not {}", self.mask.text(), self.rd1)
    }
}

impl core::error::Error for MaskError {}
