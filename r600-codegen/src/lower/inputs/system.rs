//! System values.

use r600_isa::{AluOp, Chan, FetchOp, Generation, VtxInst};
use tgsi_ir::{Component, File, Location, Register, Semantic, Shader};

use crate::abi::{DRIVER_BUFFER, ShaderKey};
use crate::refusal::Refusal;
use crate::ssa::{FetchInst, FetchKind, FetchStep, InstData, Operand};

use super::super::error::refused_value;
use super::super::stage::InputSource;
use super::super::{LowerError, Lowering, chan};
use super::Inputs;

/// The system values that a shader declares.
fn declared(shader: &Shader) -> impl Iterator<Item = Semantic> {
    let declared = shader.declarations.iter().filter(|d| d.file == File::SystemValue);
    declared.filter_map(|d| d.semantic).map(|semantic| semantic.name)
}

impl Inputs {
    /// Assigns the registers that system values of a fragment shader need. A shader that runs for each sample needs its
    /// sample number to find its own sample in the coverage.
    pub(super) fn place_system_values(&mut self, shader: &Shader, key: &ShaderKey) {
        let wants = |names: &[Semantic]| declared(shader).any(|name| names.contains(&name));
        let names_sample = wants(&[Semantic::Sampleid, Semantic::Samplepos]);
        let is_covered = wants(&[Semantic::Samplemask]);
        let mut take = |is_wanted: bool| {
            is_wanted.then(|| {
                self.next_gpr += 1;
                self.next_gpr - 1
            })
        };
        self.entry.position = take(wants(&[Semantic::Position]));
        self.entry.face = take(is_covered || wants(&[Semantic::Face]));
        self.entry.sample = take(names_sample || is_covered && interpolates_at_sample(shader, key));
    }
}

/// Whether a fragment shader runs for each sample because the key or the location of an input requires it.
fn interpolates_at_sample(shader: &Shader, key: &ShaderKey) -> bool {
    let inputs = shader.declarations.iter().filter(|d| d.file == File::Input);
    let mut places = inputs.filter_map(|d| d.interp).map(|interp| interp.location);
    key.sample_shading || places.any(|place| place == Location::Sample)
}

impl Lowering<'_> {
    /// Whether the fragment shader runs for each sample.
    pub(super) fn runs_for_samples(&self) -> bool {
        self.inputs.entry.sample.is_some() || interpolates_at_sample(self.shader, self.key)
    }

    pub(super) fn system_value(
        &mut self,
        reg: &Register,
        component: Component,
    ) -> Result<Operand, LowerError> {
        let declared = self.declarations.first(File::SystemValue, reg.index.into());
        let semantic = declared
            .and_then(|d| d.semantic)
            .ok_or_else(|| LowerError::new("SV", Refusal::Undeclared))?;
        self.stage_value(semantic.name, component)
    }

    pub(in super::super) fn vertex_value(&mut self, name: Semantic) -> Result<Operand, LowerError> {
        // A copy shader starts with a place in the ring. Only the stage before it has the numbers.
        if matches!(self.stage.source, InputSource::Copy(_)) {
            return Err(refused_value(name));
        }
        match name {
            Semantic::Vertexid => Ok(self.entry_value(Some(0), Chan::X)),
            Semantic::Instanceid => Ok(self.entry_value(Some(0), Chan::W)),
            other => Err(refused_value(other)),
        }
    }

    pub(in super::super) fn fragment_value(
        &mut self,
        name: Semantic,
        component: Component,
    ) -> Result<Operand, LowerError> {
        let entry = self.inputs.entry;
        Ok(match name {
            Semantic::Position => {
                let value = self.entry_value(entry.position, chan(component));
                self.window_position(component, value)
            }
            Semantic::Face => {
                let face = self.entry_value(entry.face, Chan::X);
                self.alu(AluOp::SetgtDx10, &[face, Operand::ZERO])
            }
            Semantic::Sampleid => self.entry_value(entry.sample, Chan::W),
            Semantic::Samplepos => {
                let sample = self.entry_value(entry.sample, Chan::W);
                let place = self.sample_place(sample);
                place[component.index() % 2]
            }
            Semantic::Samplemask => self.coverage(),
            Semantic::HelperInvocation => self.helper_lane()?,
            other => return Err(refused_value(other)),
        })
    }

    /// Whether the lane was a helper from the start. Only a fetch that helper lanes skip reveals this: where it runs,
    /// it writes 0. Any query will do, here that of the size of the driver's buffer.
    fn helper_lane(&mut self) -> Result<Operand, LowerError> {
        if matches!(self.generation, Generation::R600 | Generation::R700) {
            return Err(refused_value(Semantic::HelperInvocation));
        }
        if let Some(known) = self.inputs.is_helper {
            return Ok(known);
        }
        let mut query = VtxInst::buffer_fetch(DRIVER_BUFFER);
        query.op = FetchOp::GetBufferResinfo;
        let step = FetchStep { kind: FetchKind::Covering(query), address: [None; 4] };
        let fetch = FetchInst::new([step].into_iter().collect());
        let results = self.prologue_inst(InstData::Fetch(Box::new(fetch)));
        let is_helper = Operand::value(results[0]);
        self.inputs.is_helper = Some(is_helper);
        Ok(is_helper)
    }

    /// The covered samples. A shader that runs for each sample receives those of the whole pixel, but only its own
    /// counts.
    fn coverage(&mut self) -> Operand {
        let entry = self.inputs.entry;
        let mask = self.entry_value(entry.face, Chan::Z);
        if entry.sample.is_none() {
            return mask;
        }
        let sample = self.entry_value(entry.sample, Chan::W);
        let own = self.alu(AluOp::LshlInt, &[Operand::int(1), sample]);
        self.alu(AluOp::AndInt, &[mask, own])
    }

    pub(super) fn entry_value(&mut self, gpr: Option<u8>, chan: Chan) -> Operand {
        match gpr {
            Some(gpr) => Operand::value(self.function.live_in_value(gpr, chan)),
            None => self.broken("the entry registers", "a value that is read was given none"),
        }
    }
}
