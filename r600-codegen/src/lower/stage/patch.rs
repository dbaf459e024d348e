//! Tessellation stages: vertices, control points and patches in the local data share.
//!
//! Addresses follow from the sizes in the driver's buffer and the numbers of patch and vertex. Slots are those of
//! [`abi::vertex_slot`](crate::abi::vertex_slot).

use r600_isa::{AluOp, Chan, FetchOp, GdsInst, LdsAccess, LdsOp, VtxInst};
use tgsi_ir::{
    Component, Declaration, Dst, File, Indirect, Primitive, PropertyName, Register, RegisterRange,
    Semantic,
};

use crate::abi::{DriverConstant, patch_slot, vertex_slot};
use crate::refusal::Refusal;
use crate::ssa::{
    Condition, FetchInst, FetchKind, FetchStep, If, InstData, LocalEffect, LocalInst, Node,
    Operand, Region,
};

use super::super::declared::element_semantic;
use super::super::{LowerError, Lowering, chan};

/// The fetch resource with the sizes of patches and vertices.
const SIZES_BUFFER: u8 = 16;
/// Bytes of a slot.
const SLOT_BYTES: u16 = 16;

/// A stage of tessellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Tessellation {
    /// Makes control points. It reads vertices, and reads and writes control points and values of the patch.
    Control,
    /// Makes vertices from control points.
    Evaluation,
}

/// What a register's slot belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// A vertex before the control shader.
    Vertex,
    /// A control point.
    Point,
    /// The patch.
    Patch,
}

/// The sizes in the driver's buffer, by vec4 and channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    InputPatch,
    InputVertex,
    InputPoints,
    OutputPoints,
    OutputPatch,
    OutputVertex,
    FirstPoint,
    FirstOfPatch,
}

impl<'a> Lowering<'a> {
    /// A size from the driver's buffer, fetched once, before everything else.
    fn patch_size(&mut self, size: Size) -> Operand {
        let (vector, channel) = (size as usize / 4, size as usize % 4);
        if let Some(known) = self.sizes[vector] {
            return known[channel];
        }
        let mut vtx = VtxInst::buffer_fetch(SIZES_BUFFER);
        vtx.offset = SLOT_BYTES * vector as u16;
        let address = [Some(Operand::ZERO), None, None, None];
        let step = FetchStep { kind: FetchKind::Vtx(vtx), address };
        let fetch = FetchInst::new([step].into_iter().collect());
        let results = self.prologue_inst(InstData::Fetch(Box::new(fetch)));
        let values: [Operand; 4] = std::array::from_fn(|n| Operand::value(results[n]));
        self.sizes[vector] = Some(values);
        values[channel]
    }

    fn entry(&mut self, chan: Chan) -> Operand {
        Operand::value(self.function.live_in_value(0, chan))
    }

    /// The number of the patch in its group.
    fn patch_number(&mut self, stage: Tessellation) -> Operand {
        self.entry(match stage {
            Tessellation::Control => Chan::Y,
            Tessellation::Evaluation => Chan::Z,
        })
    }

    fn multiply_add(&mut self, number: Operand, size: Operand, base: Operand) -> Operand {
        self.alu(AluOp::MuladdUint24, &[number, size, base])
    }

    /// The address of the first slot of an owner.
    fn base_of(&mut self, stage: Tessellation, owner: Owner, vertex: Operand) -> Operand {
        let number = self.patch_number(stage);
        match owner {
            Owner::Vertex => {
                let size = self.patch_size(Size::InputPatch);
                let patch = self.multiply_add(number, size, Operand::ZERO);
                let size = self.patch_size(Size::InputVertex);
                self.multiply_add(vertex, size, patch)
            }
            Owner::Point => {
                let (first, size) =
                    (self.patch_size(Size::FirstPoint), self.patch_size(Size::OutputPatch));
                let patch = self.multiply_add(number, size, first);
                let size = self.patch_size(Size::OutputVertex);
                self.multiply_add(vertex, size, patch)
            }
            Owner::Patch => {
                let (first, size) =
                    (self.patch_size(Size::FirstOfPatch), self.patch_size(Size::OutputPatch));
                self.multiply_add(number, size, first)
            }
        }
    }

    fn index_of(&mut self, indirect: &Indirect, base: i32) -> Result<Operand, LowerError> {
        let index = self.index(indirect)?;
        Ok(match base {
            0 => index,
            _ => self.alu(AluOp::AddInt, &[index, Operand::int(base)]),
        })
    }

    /// The declaration of a register. For an indexed register it is one within reach, preferably one whose registers
    /// have slots: the one that contains the register's own number, else the first.
    fn declaration_of(
        &self,
        stage: Tessellation,
        reg: &Register,
    ) -> Result<&'a Declaration, LowerError> {
        let (found, reason) = match &reg.indirect {
            None => (self.declarations.first(reg.file, reg.index.into()), Refusal::Undeclared),
            Some(indirect) => {
                let reason = match (reg.dimension, reg.file) {
                    (None, _) => Refusal::PatchVertexMissing,
                    (Some(_), File::Input) => Refusal::NoInputInReach,
                    (Some(_), _) => Refusal::Undeclared,
                };
                let of_file = self.declarations.of_file(reg.file);
                let in_reach: Vec<_> =
                    of_file.filter(|d| can_reach(stage, (reg, indirect), d)).collect();
                let with_slots = || in_reach.iter().copied().filter(|d| has_slots(d));
                let nearest = with_slots().find(|d| d.range.contains(i32::from(reg.index)));
                let found = nearest.or_else(|| with_slots().next());
                (found.or(in_reach.first().copied()), reason)
            }
        };
        found.ok_or_else(|| LowerError::new(reg.file.name().unwrap_or("register"), reason))
    }

    /// The byte address of a register's channel x.
    fn slot_address(&mut self, stage: Tessellation, reg: &Register) -> Result<Operand, LowerError> {
        let declaration = self.declaration_of(stage, reg)?;
        let owner = owner_of(declaration, stage);
        let name = reg.file.name().unwrap_or("register");
        let vertex = match (owner, reg.dimension) {
            (Owner::Patch, _) => Operand::ZERO,
            (_, None) => return Err(LowerError::new(name, Refusal::PatchVertexMissing)),
            (_, Some(dimension)) => match dimension.indirect {
                None => Operand::int(i32::from(dimension.index)),
                Some(indirect) => self.index_of(&indirect, i32::from(dimension.index))?,
            },
        };
        let base = self.base_of(stage, owner, vertex);
        let Some(indirect) = reg.indirect else {
            let slot = slot_of(declaration, reg.index.cast_unsigned())?;
            let bytes = Operand::constant(u32::from(slot * SLOT_BYTES));
            return Ok(self.alu(AluOp::AddInt, &[base, bytes]));
        };
        let slot = self.any_slot(stage, (reg, &indirect), declaration)?;
        Ok(self.multiply_add(slot, Operand::int(i32::from(SLOT_BYTES)), base))
    }

    /// The slot of a dynamically indexed register. Within a declaration, slots are as far apart as registers. Other
    /// declarations within reach may have their slots elsewhere, because slots follow semantics.
    fn any_slot(
        &mut self,
        stage: Tessellation,
        (reg, indirect): (&Register, &Indirect),
        declaration: &Declaration,
    ) -> Result<Operand, LowerError> {
        let first = declaration.range.first;
        let slot = i32::from(slot_of(declaration, first)?);
        let from_first = i32::from(reg.index) - i32::from(first);
        let of_file = self.declarations.of_file(reg.file);
        let in_reach: Vec<_> = of_file.filter(|d| can_reach(stage, (reg, indirect), d)).collect();
        // A write to a register without a slot would overwrite the slot of another one.
        if reg.file == File::Output
            && let Some(without) = in_reach.iter().find(|d| !has_slots(d))
        {
            slot_of(without, without.range.first)?;
            slot_of(without, without.range.last)?;
        }
        let mut chosen = self.index_of(indirect, slot + from_first)?;
        for other in in_reach {
            let Ok(slot_of_other) = slot_of(other, other.range.first) else { continue };
            let (first_of_other, slot_of_other) =
                (i32::from(other.range.first), i32::from(slot_of_other));
            if slot_of_other - first_of_other == slot - i32::from(first) {
                continue;
            }
            let distance = self.index_of(indirect, i32::from(reg.index) - first_of_other)?;
            let len = Operand::int(i32::from(other.range.last) - first_of_other + 1);
            let is_it = self.alu(AluOp::SetgtUint, &[len, distance]);
            let there = self.alu(AluOp::AddInt, &[distance, Operand::int(slot_of_other)]);
            chosen = self.select_bits(is_it, there, chosen);
        }
        Ok(chosen)
    }

    /// Reads a channel of a register of a vertex, a control point or the patch.
    pub(in super::super) fn load_patch(
        &mut self,
        stage: Tessellation,
        reg: &Register,
        component: Component,
    ) -> Result<Operand, LowerError> {
        let slot = self.slot_address(stage, reg)?;
        let address = self.dword_address(slot, component.index());
        Ok(self.load_local(address))
    }

    /// Writes a channel of a register of a control point or the patch.
    pub(in super::super) fn store_patch(
        &mut self,
        dst: &Dst,
        component: Component,
        value: Operand,
    ) -> Result<(), LowerError> {
        let slot = self.slot_address(Tessellation::Control, &dst.reg)?;
        let address = self.dword_address(slot, component.index());
        let value = self.plain(value);
        self.store_local(address, value);
        Ok(())
    }

    pub(super) fn tessellation_value(
        &mut self,
        stage: Tessellation,
        name: Semantic,
        component: Component,
    ) -> Result<Operand, LowerError> {
        use Tessellation::{Control, Evaluation};
        Ok(match (stage, name) {
            (Control, Semantic::Primid) => self.entry(Chan::X),
            (Evaluation, Semantic::Primid) => self.entry(Chan::W),
            (Control, Semantic::Invocationid) => self.entry(Chan::Z),
            (Control, Semantic::Verticesin) => self.patch_size(Size::InputPoints),
            (Evaluation, Semantic::Verticesin) => self.patch_size(Size::OutputPoints),
            (Control, Semantic::TessDefaultOuterLevel) => {
                self.driver_constant(DriverConstant::OuterLevels, chan(component))
            }
            (Control, Semantic::TessDefaultInnerLevel) => {
                self.driver_constant(DriverConstant::InnerLevels, chan(component))
            }
            (Evaluation, Semantic::Tesscoord) => self.tess_coord(component),
            (Evaluation, Semantic::Tessouter | Semantic::Tessinner) => {
                match patch_slot((name, 0)) {
                    Some(slot) => self.tess_level(stage, slot, component.index()),
                    None => self.broken("the levels of a patch", "they have no slot"),
                }
            }
            (_, other) => return Err(super::super::error::refused_value(other)),
        })
    }

    /// A channel of the tessellation levels in slot `slot`.
    fn tess_level(&mut self, stage: Tessellation, slot: u16, channel: usize) -> Operand {
        let base = self.base_of(stage, Owner::Patch, Operand::ZERO);
        let bytes = i32::from(slot * SLOT_BYTES) + 4 * channel as i32;
        let address = self.alu(AluOp::AddInt, &[base, Operand::int(bytes)]);
        self.load_local(address)
    }

    /// A coordinate in the domain. The third one of a triangle is 1 minus the other two; squares and lines have none.
    fn tess_coord(&mut self, component: Component) -> Operand {
        let (u, v) = (self.entry(Chan::X), self.entry(Chan::Y));
        match component {
            Component::X => u,
            Component::Y => v,
            Component::Z if self.is_square() => Operand::ZERO,
            Component::Z => {
                let rest = self.alu(AluOp::Add, &[Operand::ONE, u.negated()]);
                self.alu(AluOp::Add, &[rest, v.negated()])
            }
            Component::W => Operand::ZERO,
        }
    }

    /// Whether the domain has two coordinates.
    fn is_square(&self) -> bool {
        let domain = self.shader.property(PropertyName::TesPrimMode);
        let domain = domain.and_then(|number| u8::try_from(number).ok());
        let domain = domain.and_then(Primitive::from_number);
        matches!(domain, Some(Primitive::Lines | Primitive::Quads))
    }

    /// Writes the outputs of a vertex to its slots, two dwords at a time.
    pub(super) fn write_vertex_slots(&mut self) -> Result<(), LowerError> {
        let number = self.entry(Chan::Y);
        let size = self.patch_size(Size::InputVertex);
        for output in self.outputs.clone() {
            let name = || output.semantic.0.name().unwrap_or("OUT");
            let slot = vertex_slot(output.semantic)
                .ok_or_else(|| LowerError::new(name(), Refusal::NoPatchSlot))?;
            let bytes = Operand::int(i32::from(slot * SLOT_BYTES));
            let address = self.multiply_add(number, size, bytes);
            let vector = self.output_vector(output.register).map(|v| v.unwrap_or(Operand::ZERO));
            let vector = vector.map(|value| self.plain(value));
            for half in 0..2 {
                let address = self.dword_address(address, 2 * half);
                let src = [address, vector[2 * half], vector[2 * half + 1]];
                let access = LdsAccess { op: LdsOp::LdsWriteRel, offset: 1 };
                let src = src.into_iter().collect();
                self.emit(InstData::Local(LocalInst { access, src, effect: LocalEffect::Writes }));
            }
        }
        Ok(())
    }

    /// After all invocations of a patch have finished, the first one passes the factors to the tessellator.
    pub(super) fn write_factors(&mut self) {
        let stage = Tessellation::Control;
        self.emit(InstData::Barrier);
        let invocation = self.entry(Chan::Z);
        self.control.open_region();
        let domain = self.key.tess_domain;
        let number = self.patch_number(stage);
        let first = self.entry(Chan::W);
        let bytes = Operand::constant(domain.num_bytes());
        let base = self.multiply_add(number, bytes, first);
        let (outer, inner) = domain.factors();
        let outer = outer.iter().map(|&channel| (0, channel));
        let levels = outer.chain(inner.iter().map(|&channel| (1, channel)));
        for (n, (slot, channel)) in levels.enumerate() {
            let value = self.tess_level(stage, slot, channel);
            let address = self.dword_address(base, n);
            self.write_factor(address, value);
        }
        let then = self.control.close_region();
        let condition = Condition { op: AluOp::PredSeteInt, src: [invocation, Operand::ZERO] };
        let branch = If { condition, then, otherwise: Region::default(), phis: Vec::new() };
        self.control.push(Node::If(Box::new(branch)));
    }

    fn write_factor(&mut self, address: Operand, value: Operand) {
        let kind = FetchKind::Gds(GdsInst::new(FetchOp::TfWrite));
        let step = FetchStep { kind, address: [Some(address), Some(value), None, None] };
        let fetch = FetchInst::new([step].into_iter().collect());
        self.emit(InstData::Fetch(Box::new(fetch)));
    }
}

/// Whether an index can lead to the registers of a declaration. The register number that it is added to does not
/// matter: the vertex subscript decides between control points and the patch.
fn can_reach(
    stage: Tessellation,
    (reg, indirect): (&Register, &Indirect),
    declaration: &Declaration,
) -> bool {
    let is_of_patch = owner_of(declaration, stage) == Owner::Patch;
    indirect.can_mean(declaration) && is_of_patch == reg.dimension.is_none()
}

/// The owner of the registers of a declaration.
fn owner_of(declaration: &Declaration, stage: Tessellation) -> Owner {
    // Index 0 stands for all: patch semantics with a large index have no slot.
    let is_of_patch = declaration.semantic.is_some_and(|one| patch_slot((one.name, 0)).is_some());
    match (is_of_patch, declaration.file, stage) {
        (true, ..) => Owner::Patch,
        (false, File::Input, Tessellation::Control) => Owner::Vertex,
        (false, ..) => Owner::Point,
    }
}

/// Whether the registers of a declaration have the slots that they need. An input without a slot is undefined, so only
/// the first of a range of inputs needs one.
fn has_slots(declaration: &Declaration) -> bool {
    let has_slot = |register| slot_of(declaration, register).is_ok();
    let RegisterRange { first, last } = declaration.range;
    has_slot(first) && (declaration.file == File::Input || has_slot(last))
}

/// The slot of one register of a declaration.
fn slot_of(declaration: &Declaration, register: u16) -> Result<u16, LowerError> {
    let file = declaration.file.name().unwrap_or("register");
    let meaning = element_semantic(declaration, register)
        .ok_or_else(|| LowerError::new(file, Refusal::PatchSemanticMissing))?;
    patch_slot(meaning)
        .or_else(|| vertex_slot(meaning))
        .ok_or_else(|| LowerError::new(meaning.0.name().unwrap_or(file), Refusal::NoPatchSlot))
}
