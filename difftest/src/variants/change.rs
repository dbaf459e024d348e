//! The changes that make a variant. Each returns `None` if it does not apply. The caller checks whether the result is
//! valid.

use tgsi_ir::{
    Component, FlowRole, Instruction, Opcode, Register, Saturate, Shader, Src, SrcRole, Swizzle,
    WriteMask,
};

use crate::random::Random;

/// A change at a random place of a shader.
pub(super) type Change = fn(&mut Site) -> Option<()>;

/// All changes. The more effective ones are repeated.
pub(super) const CHANGES: [Change; 16] = [
    Site::change_opcode,
    Site::change_opcode,
    Site::change_modifier,
    Site::change_modifier,
    Site::change_swizzle,
    Site::change_swizzle,
    Site::change_source,
    Site::change_source,
    Site::change_mask,
    Site::change_destination,
    Site::change_saturate,
    Site::change_immediate,
    Site::copy_instruction,
    Site::swap_instructions,
    Site::drop_instruction,
    Site::wrap_in_branch,
];

/// Edge cases of all types: both zeros, ones, denormals, the greatest and smallest values, infinities, NaN.
const EDGES: [u32; 20] = [
    0,
    0x8000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0x4000_0000,
    0x4080_0000,
    1,
    2,
    31,
    32,
    0xff,
    0xffff,
    0xffff_ffff,
    0x7fff_ffff,
    0x0000_0100,
    0x007f_ffff,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7fc0_0000,
];
/// Maximum number of instructions moved into a branch.
const MOST_WRAPPED: usize = 6;

/// A shader that is changed, and the random numbers for it.
pub(super) struct Site {
    pub(super) shader: Shader,
    pub(super) random: Random,
}

impl Site {
    /// Replaces an opcode. Usually the new one has the same operand types.
    fn change_opcode(&mut self) -> Option<()> {
        let of_same_types = !self.random.once_in(4);
        let at = self.instruction()?;
        let old = self.shader.instructions[at].opcode.info();
        let fits = |opcode: &Opcode| {
            let new = opcode.info();
            is_arithmetic(*opcode)
                && new.num_dst == old.num_dst
                && new.num_src == old.num_src
                && (!of_same_types
                    || (new.dst_types, new.src_types) == (old.dst_types, old.src_types))
        };
        let choices: Vec<Opcode> = Opcode::ALL.into_iter().filter(fits).collect();
        if choices.is_empty() || !is_arithmetic(self.shader.instructions[at].opcode) {
            return None;
        }
        self.shader.instructions[at].opcode = self.random.pick(&choices);
        Some(())
    }

    fn change_modifier(&mut self) -> Option<()> {
        let negates = !self.random.once_in(3);
        let src = self.source()?;
        match negates {
            true => src.negate = !src.negate,
            false => src.absolute = !src.absolute,
        }
        Some(())
    }

    fn change_swizzle(&mut self) -> Option<()> {
        let (channel, component) = (self.random.below(4), self.random.pick(&Component::ALL));
        let is_splat = self.random.once_in(3);
        let src = self.source()?;
        let mut components = src.swizzle.components();
        components[channel] = component;
        src.swizzle = if is_splat { Swizzle::splat(component) } else { Swizzle::new(components) };
        Some(())
    }

    /// Makes a source read the register of another one.
    fn change_source(&mut self) -> Option<()> {
        let other = *self.source()?;
        let keeps_swizzle = self.random.once_in(2);
        let src = self.source()?;
        *src = match keeps_swizzle {
            true => Src { reg: other.reg, ..*src },
            false => other,
        };
        Some(())
    }

    fn change_mask(&mut self) -> Option<()> {
        let mask = WriteMask::from_bits(1 + self.random.below(15) as u8);
        let at = self.instruction()?;
        self.shader.instructions[at].dst.first_mut()?.mask = mask;
        Some(())
    }

    /// Makes a result go to the destination of another instruction.
    fn change_destination(&mut self) -> Option<()> {
        let other = self.instruction()?;
        let reg: Register = self.shader.instructions[other].dst.first()?.reg;
        let at = self.instruction()?;
        self.shader.instructions[at].dst.first_mut()?.reg = reg;
        Some(())
    }

    fn change_saturate(&mut self) -> Option<()> {
        let at = self.instruction()?;
        let inst = &mut self.shader.instructions[at];
        inst.saturate = match inst.saturate {
            Saturate::None => Saturate::ZeroOne,
            _ => Saturate::None,
        };
        Some(())
    }

    fn change_immediate(&mut self) -> Option<()> {
        let count = self.shader.immediates.len();
        let (at, channel, edge) =
            (self.random.below(count), self.random.below(4), self.random.pick(&EDGES));
        *self.shader.immediates.get_mut(at)?.words.get_mut(channel)? = edge;
        Some(())
    }

    fn copy_instruction(&mut self) -> Option<()> {
        let (from, to) = (self.instruction()?, self.instruction()?);
        let inst = self.shader.instructions[from].clone();
        self.insert(to, inst);
        Some(())
    }

    fn swap_instructions(&mut self) -> Option<()> {
        let (one, other) = (self.instruction()?, self.instruction()?);
        self.shader.instructions.swap(one, other);
        Some(())
    }

    fn drop_instruction(&mut self) -> Option<()> {
        let at = self.instruction()?;
        self.shader.instructions.remove(at);
        self.move_labels(at, |label| label - 1);
        Some(())
    }

    /// Moves a few instructions into a conditional branch. Half the time, some of them go to its `ELSE`.
    fn wrap_in_branch(&mut self) -> Option<()> {
        let start = self.instruction()?;
        let rest = &self.shader.instructions[start..];
        let most = rest.iter().take_while(|inst| is_straight(inst)).count().min(MOST_WRAPPED);
        let len = 1 + self.random.below(most);
        let mut condition = *self.source()?;
        condition.swizzle = Swizzle::splat(self.random.pick(&Component::ALL));
        let mut opening = Instruction::new(self.random.pick(&[Opcode::If, Opcode::Uif]));
        opening.src.push(condition);
        self.insert(start + len, Instruction::new(Opcode::Endif));
        if len > 1 && self.random.once_in(2) {
            let half = 1 + self.random.below(len - 1);
            self.insert(start + half, Instruction::new(Opcode::Else));
        }
        self.insert(start, opening);
        Some(())
    }

    /// The position of a random instruction without control flow.
    fn instruction(&mut self) -> Option<usize> {
        let instructions = &self.shader.instructions;
        let places: Vec<usize> =
            (0..instructions.len()).filter(|at| is_straight(&instructions[*at])).collect();
        (!places.is_empty()).then(|| self.random.pick(&places))
    }

    /// A random source that is a value.
    fn source(&mut self) -> Option<&mut Src> {
        let at = self.instruction()?;
        let inst = &mut self.shader.instructions[at];
        let roles = inst.opcode.info().src_roles;
        let is_value = |n: &usize| {
            matches!(
                roles.get(*n),
                Some(
                    SrcRole::Value
                        | SrcRole::Channels(_)
                        | SrcRole::ByChannel(_)
                        | SrcRole::Test
                        | SrcRole::Coordinates
                )
            )
        };
        let values: Vec<usize> = (0..inst.src.len()).filter(is_value).collect();
        let chosen = (!values.is_empty()).then(|| self.random.pick(&values))?;
        inst.src.get_mut(chosen)
    }

    fn insert(&mut self, at: usize, inst: Instruction) {
        self.shader.instructions.insert(at, inst);
        self.move_labels(at, |label| label + 1);
    }

    /// Adjusts labels beyond an instruction that was inserted or removed.
    fn move_labels(&mut self, at: usize, to: impl Fn(u32) -> u32) {
        for inst in &mut self.shader.instructions {
            inst.label =
                inst.label.map(|label| if label as usize > at { to(label) } else { label });
        }
    }
}

/// Whether an instruction has no effect on control flow.
fn is_straight(inst: &Instruction) -> bool {
    inst.opcode.info().flow == FlowRole::None
}

/// Whether an operation computes a result from values alone.
fn is_arithmetic(opcode: Opcode) -> bool {
    let info = opcode.info();
    let takes_values = |role: &SrcRole| {
        matches!(
            role,
            SrcRole::Value | SrcRole::Channels(_) | SrcRole::ByChannel(_) | SrcRole::Test
        )
    };
    info.flow == FlowRole::None
        && !info.has_texture_word()
        && !info.has_memory_word
        && !opcode.is_legacy()
        && info.num_src > 0
        && info.src_roles.iter().take(usize::from(info.num_src)).all(takes_values)
}
