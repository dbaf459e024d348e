//! Texture and buffer fetches.
//!
//! The texture unit takes four components of one register: coordinates, layer, reference, level or bias in
//! places that depend on the target (recipes: the driver's, checked against its machine code). Resource ids
//! 0 to 17 are buffers; the view of sampler s is resource 18 + s.

use arrayvec::ArrayVec;
use r600_isa::{AluOp, FetchOp, TexInst, VtxInst};
use tgsi_ir::{Component, Indirect, Instruction, Opcode, Register, TextureTarget};

use crate::ssa::{CubeInst, FetchInst, FetchKind, FetchStep, InstData, Operand, Value};

use super::{LowerError, Lowering, chan};

/// Resource id of the view of sampler 0.
const FIRST_VIEW: u8 = 18;

/// Samplers that a stage has.
const NUM_SAMPLERS: i16 = 18;

/// The address of a fetch, by component.
type Address = [Option<Operand>; 4];

/// What a texture opcode adds to the coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// The level follows from the derivatives.
    Implicit,
    /// So it does, plus a bias.
    Bias,
    /// The level is given.
    Explicit,
}

/// How the coordinates of a target are laid out.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// Coordinates that are filtered, 1 to 3.
    num_coordinates: u8,
    is_array: bool,
    is_shadow: bool,
    is_cube: bool,
    is_rect: bool,
}

impl Layout {
    fn of(target: TextureTarget) -> Result<Self, LowerError> {
        use TextureTarget as T;
        let (num_coordinates, is_array) = match target {
            T::D1 | T::Shadow1d => (1, false),
            T::D1Array | T::Shadow1dArray => (1, true),
            T::D2 | T::Rect | T::Shadow2d | T::Shadowrect => (2, false),
            T::D2Array | T::Shadow2dArray => (2, true),
            T::D3 | T::Cube | T::Shadowcube => (3, false),
            other => {
                let name = other.name().unwrap_or("unknown target");
                return Err(LowerError::new(name, "this texture target is not compiled"));
            }
        };
        Ok(Self {
            num_coordinates,
            is_array,
            is_shadow: matches!(
                target,
                T::Shadow1d
                    | T::Shadow2d
                    | T::Shadowrect
                    | T::Shadow1dArray
                    | T::Shadow2dArray
                    | T::Shadowcube
            ),
            is_cube: matches!(target, T::Cube | T::Shadowcube),
            is_rect: matches!(target, T::Rect | T::Shadowrect),
        })
    }

    /// Component of the source that holds the reference value.
    fn reference_component(self) -> Component {
        if self.num_coordinates == 2 && self.is_array || self.is_cube {
            Component::W
        } else {
            Component::Z
        }
    }
}

impl Lowering<'_> {
    /// Lowers a texture instruction.
    pub(super) fn texture(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let texture = inst.texture.as_ref().ok_or_else(|| {
            LowerError::new(inst.opcode.info().name, "the texture target is missing")
        })?;
        match inst.opcode {
            Opcode::Tex => self.sample(inst, texture.target, Level::Implicit),
            Opcode::Txp => self.projected(inst, texture.target),
            Opcode::Txb => self.sample(inst, texture.target, Level::Bias),
            Opcode::Txl => self.sample(inst, texture.target, Level::Explicit),
            Opcode::TexLz => self.sample_level_zero(inst, texture.target),
            Opcode::Txd => self.with_gradients(inst, texture.target),
            Opcode::Txf | Opcode::TxfLz => self.texel(inst, texture.target),
            Opcode::Txq => self.size(inst, texture.target),
            other => Err(super::unsupported(other)),
        }
    }

    fn sample(
        &mut self,
        inst: &Instruction,
        target: TextureTarget,
        level: Level,
    ) -> Result<(), LowerError> {
        let mut coordinates = [Operand::ZERO; 4];
        for component in Component::ALL {
            coordinates[component.index()] = self.float_source(inst, 0, component)?;
        }
        self.sample_at(inst, target, level, coordinates)
    }

    fn sample_level_zero(
        &mut self,
        inst: &Instruction,
        target: TextureTarget,
    ) -> Result<(), LowerError> {
        let mut coordinates = [Operand::ZERO; 4];
        for component in [Component::X, Component::Y, Component::Z] {
            coordinates[component.index()] = self.float_source(inst, 0, component)?;
        }
        self.sample_at(inst, target, Level::Explicit, coordinates)
    }

    fn projected(&mut self, inst: &Instruction, target: TextureTarget) -> Result<(), LowerError> {
        let w = self.float_source(inst, 0, Component::W)?;
        let reciprocal = self.alu(AluOp::RecipIeee, &[w]);
        let mut coordinates = [Operand::ONE; 4];
        for component in [Component::X, Component::Y, Component::Z] {
            let coordinate = self.float_source(inst, 0, component)?;
            coordinates[component.index()] = self.alu(AluOp::Mul, &[coordinate, reciprocal]);
        }
        self.sample_at(inst, target, Level::Implicit, coordinates)
    }

    fn sample_at(
        &mut self,
        inst: &Instruction,
        target: TextureTarget,
        level: Level,
        coordinates: [Operand; 4],
    ) -> Result<(), LowerError> {
        let layout = Layout::of(target)?;
        let mut tex = self.texture_inst(inst, 1, sample_op(level, layout.is_shadow))?;
        self.offsets(inst, &mut tex)?;
        let address = self.address(layout, level, coordinates, &mut tex)?;
        self.fetch_to(inst, FetchKind::Tex(tex), address)
    }

    /// Coordinates, layer, reference and level where the texture unit wants them.
    fn address(
        &mut self,
        layout: Layout,
        level: Level,
        source: [Operand; 4],
        tex: &mut TexInst,
    ) -> Result<Address, LowerError> {
        let mut address =
            if layout.is_cube { self.cube_address(source) } else { plain_address(layout, source) };
        if layout.is_rect {
            tex.coord_type[0] = r600_isa::CoordType::Unnormalized;
            tex.coord_type[1] = r600_isa::CoordType::Unnormalized;
        }
        if layout.is_array {
            let at = usize::from(layout.num_coordinates);
            // The layer of a one-dimensional array goes to z, but to y where z holds the reference.
            let place = if at == 1 && layout.is_shadow && level != Level::Implicit { 1 } else { 2 };
            let layer = self.alu(AluOp::Rndne, &[source[at]]);
            address[place] = Some(layer);
            tex.coord_type[place] = r600_isa::CoordType::Unnormalized;
        }
        if layout.is_shadow {
            let reference = source[layout.reference_component().index()];
            let place = if level == Level::Implicit { 3 } else { 2 };
            if place == 2 && address[2].is_some() {
                return Err(LowerError::new(
                    "level or bias with shadow",
                    "the texture unit has no component left for this target",
                ));
            }
            address[place] = Some(reference);
        }
        if level != Level::Implicit {
            address[3] = Some(source[3]);
        }
        Ok(address)
    }

    /// Projects a direction on the cube's faces: s, t in 1…2, face.
    fn cube_address(&mut self, source: [Operand; 4]) -> Address {
        let direction = [source[0], source[1], source[2]];
        let results = self.emit(InstData::Cube(CubeInst { src: direction }));
        let [t, s, major, face] = [0, 1, 2, 3].map(|n| Operand::value(results[n]));
        let reciprocal = self.alu(AluOp::RecipIeee, &[major.absolute()]);
        let middle = Operand::float(1.5);
        let s = self.alu(AluOp::MuladdIeee, &[s, reciprocal, middle]);
        let t = self.alu(AluOp::MuladdIeee, &[t, reciprocal, middle]);
        [Some(s), Some(t), Some(face), None]
    }

    /// Explicit derivatives: set first, then sampled with.
    fn with_gradients(
        &mut self,
        inst: &Instruction,
        target: TextureTarget,
    ) -> Result<(), LowerError> {
        let layout = Layout::of(target)?;
        if layout.is_cube {
            return Err(LowerError::new(
                "TXD on a cube",
                "derivatives of directions are not compiled",
            ));
        }
        let op = if layout.is_shadow { FetchOp::SampleCG } else { FetchOp::SampleG };
        let mut coordinates = [Operand::ZERO; 4];
        for component in Component::ALL {
            coordinates[component.index()] = self.float_source(inst, 0, component)?;
        }
        let mut tex = self.texture_inst(inst, 3, op)?;
        self.offsets(inst, &mut tex)?;
        let address = self.address(layout, Level::Implicit, coordinates, &mut tex)?;
        let mut steps = ArrayVec::new();
        for (n, op) in [(1, FetchOp::SetGradientsH), (2, FetchOp::SetGradientsV)] {
            let mut set = tex.clone();
            set.op = op;
            set.offset = [0; 3];
            let mut gradient = [None; 4];
            for component in Component::ALL.into_iter().take(usize::from(layout.num_coordinates)) {
                gradient[component.index()] = Some(self.float_source(inst, n, component)?);
            }
            steps.push(FetchStep { kind: FetchKind::Tex(set), address: gradient });
        }
        steps.push(FetchStep { kind: FetchKind::Tex(tex), address });
        self.steps_to(inst, steps)
    }

    /// A texel by integer coordinates. Offsets are added here: the unit ignores them for loads.
    fn texel(&mut self, inst: &Instruction, target: TextureTarget) -> Result<(), LowerError> {
        if target == TextureTarget::Buffer {
            return self.buffer_texel(inst);
        }
        let layout = Layout::of(target)?;
        let tex = self.texture_inst(inst, 1, FetchOp::Ld)?;
        let count = usize::from(layout.num_coordinates);
        let mut address = [None; 4];
        for component in Component::ALL.into_iter().take(count) {
            let coordinate = self.int_source(inst, 0, component)?;
            address[component.index()] = Some(self.with_offset(inst, component, coordinate)?);
        }
        if layout.is_array {
            let component = if count == 1 { Component::Y } else { Component::Z };
            address[2] = Some(self.int_source(inst, 0, component)?);
        }
        address[3] = Some(match inst.opcode {
            Opcode::TxfLz => Operand::ZERO,
            _ => self.int_source(inst, 0, Component::W)?,
        });
        self.fetch_to(inst, FetchKind::Tex(tex), address)
    }

    fn with_offset(
        &mut self,
        inst: &Instruction,
        component: Component,
        coordinate: Operand,
    ) -> Result<Operand, LowerError> {
        let offset = inst.texture.as_ref().and_then(|texture| texture.offsets.first());
        let Some(offset) = offset.copied().filter(|_| component != Component::W) else {
            return Ok(coordinate);
        };
        let reg = Register::new(offset.file, offset.index);
        let by = self.register(&reg, offset.swizzle.get(component))?;
        Ok(self.alu(AluOp::AddInt, &[coordinate, by]))
    }

    fn buffer_texel(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let unit = sampler_unit(inst, 1)?;
        let vtx = VtxInst::buffer_fetch(FIRST_VIEW + unit).with_resource_format();
        let index = self.int_source(inst, 0, Component::X)?;
        self.fetch_to(inst, FetchKind::Vtx(vtx), [Some(index), None, None, None])
    }

    /// Width, height, depth or layers, and number of levels.
    fn size(&mut self, inst: &Instruction, target: TextureTarget) -> Result<(), LowerError> {
        Layout::of(target)?;
        let tex = self.texture_inst(inst, 1, FetchOp::GetTextureResinfo)?;
        let level = self.scalar_int(inst, 0)?;
        self.fetch_to(inst, FetchKind::Tex(tex), [Some(level), None, None, None])
    }

    /// Screen-space derivatives.
    pub(super) fn derivative(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let op = if inst.opcode == Opcode::Ddx {
            FetchOp::GetGradientsH
        } else {
            FetchOp::GetGradientsV
        };
        let tex = TexInst::sample(op, FIRST_VIEW, 0);
        let mut address = [None; 4];
        for component in super::arithmetic::mask(inst).iter() {
            address[component.index()] = Some(self.float_source(inst, 0, component)?);
        }
        self.fetch_to(inst, FetchKind::Tex(tex), address)
    }

    /// A channel of a constant buffer at a register number known at run time.
    pub(super) fn indexed_constant(
        &mut self,
        bank: u8,
        offset: i16,
        indirect: &Indirect,
        component: Component,
    ) -> Result<Operand, LowerError> {
        let reg = Register::new(indirect.file, indirect.index);
        let index = self.register(&reg, indirect.component)?;
        let index = match offset {
            0 => index,
            _ => self.alu(AluOp::AddInt, &[index, Operand::int(i32::from(offset))]),
        };
        let vtx = VtxInst::buffer_fetch(bank);
        let results = self.fetch(FetchKind::Vtx(vtx), [Some(index), None, None, None]);
        Ok(Operand::value(results[chan(component) as usize]))
    }

    /// A texture instruction on the unit that source `sampler` names.
    fn texture_inst(
        &self,
        inst: &Instruction,
        sampler: usize,
        op: FetchOp,
    ) -> Result<TexInst, LowerError> {
        let unit = sampler_unit(inst, sampler)?;
        Ok(TexInst::sample(op, FIRST_VIEW + unit, unit))
    }

    /// Immediate texel offsets, in the unit's half texels.
    fn offsets(&mut self, inst: &Instruction, tex: &mut TexInst) -> Result<(), LowerError> {
        let Some(offset) = inst.texture.as_ref().and_then(|texture| texture.offsets.first()) else {
            return Ok(());
        };
        let offset = *offset;
        for (component, slot) in Component::ALL.into_iter().zip(&mut tex.offset) {
            let reg = Register::new(offset.file, offset.index);
            let value = self.register(&reg, offset.swizzle.get(component))?;
            let texels = value.as_const().map(u32::cast_signed).filter(|t| (-8..8).contains(t));
            let Some(texels) = texels else {
                return Err(LowerError::new(
                    "texture offset",
                    "an offset must be an immediate from -8 to 7",
                ));
            };
            *slot = (texels * 2) as i8;
        }
        Ok(())
    }

    fn fetch(&mut self, kind: FetchKind, address: Address) -> ArrayVec<Value, 4> {
        let mut steps = ArrayVec::new();
        steps.push(FetchStep { kind, address });
        self.emit(InstData::Fetch(Box::new(FetchInst { steps })))
    }

    fn fetch_to(
        &mut self,
        inst: &Instruction,
        kind: FetchKind,
        address: Address,
    ) -> Result<(), LowerError> {
        let mut steps = ArrayVec::new();
        steps.push(FetchStep { kind, address });
        self.steps_to(inst, steps)
    }

    fn steps_to(
        &mut self,
        inst: &Instruction,
        steps: ArrayVec<FetchStep, 4>,
    ) -> Result<(), LowerError> {
        let results = self.emit(InstData::Fetch(Box::new(FetchInst { steps })));
        let values = std::array::from_fn(|n| Some(Operand::value(results[n])));
        self.write(inst, 0, values)
    }
}

fn plain_address(layout: Layout, source: [Operand; 4]) -> Address {
    let mut address = [None; 4];
    for n in 0..usize::from(layout.num_coordinates) {
        address[n] = Some(source[n]);
    }
    address
}

fn sample_op(level: Level, is_shadow: bool) -> FetchOp {
    match (level, is_shadow) {
        (Level::Implicit, false) => FetchOp::Sample,
        (Level::Implicit, true) => FetchOp::SampleC,
        (Level::Bias, false) => FetchOp::SampleLb,
        (Level::Bias, true) => FetchOp::SampleCLb,
        (Level::Explicit, false) => FetchOp::SampleL,
        (Level::Explicit, true) => FetchOp::SampleCL,
    }
}

/// The sampler that source `n` names.
fn sampler_unit(inst: &Instruction, n: usize) -> Result<u8, LowerError> {
    let src = inst.src.get(n).ok_or_else(|| {
        LowerError::new(inst.opcode.info().name, "the sampler operand is missing")
    })?;
    if src.reg.is_indirect() {
        return Err(LowerError::new(
            "SAMP[…] with a run-time subscript",
            "the sampler must be known",
        ));
    }
    u8::try_from(src.reg.index)
        .ok()
        .filter(|_| src.reg.index < NUM_SAMPLERS)
        .ok_or_else(|| LowerError::new("SAMP", "samplers are numbered 0 to 17"))
}
