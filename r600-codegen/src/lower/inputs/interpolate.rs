//! Interpolation by the shader (Evergreen and Cayman), at the default or another position of the pixel.

use r600_isa::{AluOp, Chan, CoordType, FetchOp, Generation, TexInst, VtxInst};
use tgsi_ir::{
    Component, Declaration, File, Instruction, Location, Opcode, Register, Semantic, SemanticName,
    Src,
};

use crate::abi::{DRIVER_BUFFER, DriverConstant};
use crate::refusal::Refusal;
use crate::ssa::{
    FetchInst, FetchKind, FetchStep, InstData, InterpInst, InterpPart, Operand, Value,
};

use super::super::texture::FIRST_VIEW;
use super::super::{LowerError, Lowering};
use super::{BarycentricPairs, Input};

impl Lowering<'_> {
    pub(super) fn interpolate_parameter(
        &mut self,
        input: &Input,
        part: InterpPart,
        ij: [Operand; 2],
    ) -> arrayvec::ArrayVec<Value, 4> {
        let interp = InterpInst { param: input.parameter, part, ij };
        self.prologue_inst(InstData::Interp(interp))
    }

    /// Two pairs share a register, from R0 on: one in xy, one in zw.
    pub(super) fn barycentric_pair(&mut self, pair: u8) -> [Operand; 2] {
        let chans = if pair.is_multiple_of(2) { [Chan::X, Chan::Y] } else { [Chan::Z, Chan::W] };
        chans.map(|chan| Operand::value(self.function.live_in_value(pair / 2, chan)))
    }

    /// `INTERP_*`: an input at the centroid, at a sample or at an offset from the centre.
    pub(in super::super) fn reinterpolate(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let name = inst.opcode.info().name;
        if matches!(self.generation, Generation::R600 | Generation::R700) {
            let reason = Refusal::EarlyInterpolation;
            return Err(LowerError::new(name, reason));
        }
        let src = super::super::operands::source(inst, 0)?;
        if src.reg.file != File::Input || src.reg.is_indirect() || src.reg.dimension.is_some() {
            return Err(LowerError::new(name, Refusal::IndirectInterpolation));
        }
        let place = match inst.opcode {
            Opcode::InterpCentroid => Location::Centroid,
            _ => Location::Center,
        };
        let declaration = self.declarations.first(File::Input, src.reg.index.into());
        let pair = declaration.and_then(|d| BarycentricPairs::index_at(d, place));
        if self
            .back_declaration(&src.reg)
            .is_some_and(|back| BarycentricPairs::index_at(back, place) != pair)
        {
            return Err(LowerError::new(name, Refusal::MovedBackColor));
        }
        let Some(pair) = pair else {
            let semantic = declaration.and_then(|d| d.semantic).map(|semantic| semantic.name);
            if semantic != Some(Semantic::Position) {
                return self.flat_as_ever(inst);
            }
            let offset = self.offset_of_place(inst)?;
            // The position arrives for one location in the pixel, which the shader cannot choose.
            let from = declaration
                .and_then(|d| d.interp)
                .map_or(Location::Center, |interp| interp.location);
            let is_at_center = from == Location::Center && !self.runs_for_samples();
            return match offset {
                Some(offset) if is_at_center => self.moved_position(inst, offset),
                None if from == Location::Centroid => self.flat_as_ever(inst),
                _ => Err(LowerError::new(name, Refusal::MovedPosition)),
            };
        };
        let ij = self.barycentric_pair(self.inputs.pairs.rank(pair));
        let ij = match self.offset_of_place(inst)? {
            Some(offset) => self.moved(ij, offset),
            None => ij,
        };
        self.write_interpolated(inst, ij)
    }

    /// The declaration of the back colour for a colour, if the key asks for it.
    fn back_declaration(&self, reg: &Register) -> Option<&Declaration> {
        let front = self.inputs.registers.get(usize::try_from(reg.index).ok()?)?.as_ref()?;
        let (name, index) = self.back_color(front)?.semantic?;
        self.declarations.of_file(File::Input).find(|d| {
            let count = d.range.last.saturating_sub(d.range.first);
            let is_it = |s: &SemanticName| {
                s.name == name && (s.index..=s.index.saturating_add(count)).contains(&index)
            };
            d.semantic.as_ref().is_some_and(is_it)
        })
    }

    /// Writes an input that does not depend on the location, or that already arrives for the requested one.
    fn flat_as_ever(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let mut values = [None; 4];
        for component in super::super::arithmetic::mask(inst).iter() {
            values[component.index()] = Some(self.source(inst, 0, component)?);
        }
        self.write(inst, 0, values)
    }

    /// The position, which arrives without barycentric coordinates, moved along its own derivatives.
    fn moved_position(
        &mut self,
        inst: &Instruction,
        offset: [Operand; 2],
    ) -> Result<(), LowerError> {
        let src = *super::super::operands::source(inst, 0)?;
        let mut position = [Operand::ZERO; 4];
        for component in Component::ALL {
            position[component.index()] = self.input(&src.reg, component)?;
        }
        let moved = self.moved(position, offset);
        self.write_channels(inst, &src, moved)
    }

    /// Writes the channels that `src` selects, with its modifiers applied.
    fn write_channels(
        &mut self,
        inst: &Instruction,
        src: &Src,
        channels: [Operand; 4],
    ) -> Result<(), LowerError> {
        let picked = src.swizzle.components();
        let values = picked.map(|c| Some(channels[c.index()].modified(src.negate, src.absolute)));
        self.write(inst, 0, values)
    }

    /// The requested location, as an offset from the pixel's centre; `None` for the centroid.
    fn offset_of_place(&mut self, inst: &Instruction) -> Result<Option<[Operand; 2]>, LowerError> {
        Ok(match inst.opcode {
            Opcode::InterpCentroid => None,
            Opcode::InterpSample => {
                let sample = self.source(inst, 1, Component::X)?;
                let [_, _, x, y] = self.sample_place(sample);
                Some([x, y])
            }
            _ => {
                let x = self.source(inst, 1, Component::X)?;
                Some([x, self.source(inst, 1, Component::Y)?])
            }
        })
    }

    /// The position of a sample, from the driver's buffer: from the pixel's corner in xy, from its centre in zw.
    pub(super) fn sample_place(&mut self, sample: Operand) -> [Operand; 4] {
        self.reads_driver = true;
        self.driver_constants.insert(DriverConstant::SamplePlaces);
        let kind = FetchKind::Vtx(VtxInst::buffer_fetch(DRIVER_BUFFER));
        let results = self.emit(single_fetch(kind, [Some(sample), None, None, None]));
        std::array::from_fn(|n| Operand::value(results[n]))
    }

    /// Values moved along their derivatives. The derivatives are taken before everything else: later, a neighbouring
    /// lane may have left and may hold something else in the registers of the values.
    fn moved<const N: usize>(
        &mut self,
        values: [Operand; N],
        offset: [Operand; 2],
    ) -> [Operand; N] {
        let mut moved = values;
        for (op, by) in
            [FetchOp::GetGradientsHFine, FetchOp::GetGradientsVFine].into_iter().zip(offset)
        {
            let mut tex = TexInst::sample(op, FIRST_VIEW, 0);
            tex.coord_type = [CoordType::Unnormalized; 4];
            let address = std::array::from_fn(|n| values.get(n).copied());
            let change = self.prologue_inst(single_fetch(FetchKind::Tex(tex), address));
            moved = std::array::from_fn(|n| {
                self.alu(AluOp::MuladdIeee, &[Operand::value(change[n]), by, moved[n]])
            });
        }
        moved
    }

    fn write_interpolated(
        &mut self,
        inst: &Instruction,
        ij: [Operand; 2],
    ) -> Result<(), LowerError> {
        let src = *super::super::operands::source(inst, 0)?;
        let at = usize::try_from(src.reg.index).unwrap_or(usize::MAX);
        let Some(input) = self.inputs.registers.get(at).cloned().flatten() else {
            return Err(LowerError::new("IN", Refusal::Undeclared));
        };
        let mut channels = self.interpolated(&input, ij);
        if let Some(back) = self.back_color(&input) {
            let back = self.interpolated(&back, ij);
            let face = self.entry_value(self.inputs.entry.face, Chan::X);
            let fronts = channels;
            for (channel, (front, back)) in channels.iter_mut().zip(fronts.into_iter().zip(back)) {
                *channel = self.alu(AluOp::Cndgt, &[face, front, back]);
            }
        }
        self.write_channels(inst, &src, channels)
    }

    /// All channels of a parameter.
    fn interpolated(&mut self, input: &Input, ij: [Operand; 2]) -> [Operand; 4] {
        let mut channels = [Operand::ZERO; 4];
        for (part, first) in [(InterpPart::Xy, 0), (InterpPart::Zw, 2)] {
            let interp = InterpInst { param: input.parameter, part, ij };
            let results = self.emit(InstData::Interp(interp));
            for (channel, value) in channels[first..].iter_mut().zip(results) {
                *channel = Operand::value(value);
            }
        }
        channels
    }
}

/// One fetch.
fn single_fetch(kind: FetchKind, address: [Option<Operand>; 4]) -> InstData {
    let mut steps = arrayvec::ArrayVec::new();
    steps.push(FetchStep { kind, address });
    InstData::Fetch(Box::new(FetchInst::new(steps)))
}
