//! A lane that runs what lowering makes.

use super::*;
use crate::flow::FlowTree;

/// A single lane that knows just the opcodes that lowerings use.
#[derive(Default)]
pub(super) struct Lane {
    pub(super) regs: std::collections::BTreeMap<(File, i16), Vec4>,
}

impl Lane {
    fn read(&self, shader: &Shader, src: &Src) -> Vec4 {
        let value = match src.reg.file {
            File::Immediate => {
                let immediate = &shader.immediates[src.reg.index as usize];
                [0, 1, 2, 3].map(|channel| immediate.word(channel))
            }
            file => self.regs.get(&(file, src.reg.index)).copied().unwrap_or_default(),
        };
        src.swizzle.components().map(|component| {
            let mut bits = value[component.index()];
            if src.absolute {
                bits &= 0x7fff_ffff;
            }
            if src.negate { bits ^ 0x8000_0000 } else { bits }
        })
    }

    pub(super) fn run(&mut self, shader: &Shader) {
        let flow = FlowTree::new(&shader.instructions).expect("sound blocks");
        let mut pc = 0;
        for _ in 0..10_000 {
            let one = &shader.instructions[pc];
            let condition = one.src.first().map(|src| self.read(shader, src)[0]);
            let partner = flow.partner(InstructionId::from_index(pc)).map(InstructionId::index);
            pc += 1;
            match one.opcode {
                Opcode::End => return,
                Opcode::Uif if condition == Some(0) => pc = partner.expect("an end") + 1,
                Opcode::If if condition.map(f32::from_bits) == Some(0.0) => {
                    pc = partner.expect("an end") + 1;
                }
                Opcode::Endloop => pc = partner.expect("a begin") + 1,
                Opcode::Else => pc = partner.expect("an end") + 1,
                Opcode::Brk => {
                    let end = shader.instructions[pc..]
                        .iter()
                        .position(|one| one.opcode == Opcode::Endloop);
                    pc += end.expect("an end") + 1;
                }
                Opcode::If | Opcode::Uif | Opcode::Endif | Opcode::Bgnloop => {}
                _ => self.execute(shader, one),
            }
        }
        panic!("the shader does not end");
    }

    fn execute(&mut self, shader: &Shader, one: &Instruction) {
        let src: Vec<Vec4> = one.src.iter().map(|src| self.read(shader, src)).collect();
        let f = |s: usize, c: usize| f32::from_bits(src[s][c]);
        let dot = |n: usize| (1..n).fold(f(0, 0) * f(1, 0), |sum, c| f(0, c) * f(1, c) + sum);
        let mask = |holds: bool| if holds { u32::MAX } else { 0 };
        let dst = one.dst[0];
        let old = self.regs.get(&(dst.reg.file, dst.reg.index)).copied().unwrap_or_default();
        let mut new = old;
        for c in dst.mask.iter().map(Component::index) {
            let bits = match one.opcode {
                Opcode::Mov | Opcode::Uarl => src[0][c],
                Opcode::Ucmp if src[0][c] != 0 => src[1][c],
                Opcode::Ucmp => src[2][c],
                Opcode::Fslt => mask(f(0, c) < f(1, c)),
                Opcode::Fsge => mask(f(0, c) >= f(1, c)),
                Opcode::Useq => mask(src[0][c] == src[1][c]),
                Opcode::Add => (f(0, c) + f(1, c)).to_bits(),
                Opcode::Mul => (f(0, c) * f(1, c)).to_bits(),
                Opcode::Mad => (f(0, c) * f(1, c) + f(2, c)).to_bits(),
                Opcode::Div => (f(0, c) / f(1, c)).to_bits(),
                Opcode::Rcp => (1.0 / f(0, 0)).to_bits(),
                Opcode::Rsq => (1.0 / f(0, 0).sqrt()).to_bits(),
                Opcode::Cos => f(0, 0).cos().to_bits(),
                Opcode::Sin => f(0, 0).sin().to_bits(),
                Opcode::Dp2 => dot(2).to_bits(),
                Opcode::Dp3 => dot(3).to_bits(),
                Opcode::Dp4 => dot(4).to_bits(),
                Opcode::Arl => (f(0, c).floor() as i32).cast_unsigned(),
                opcode => panic!("the test does not implement {opcode}"),
            };
            new[c] = match one.saturate {
                Saturate::ZeroOne => f32::from_bits(bits).clamp(0.0, 1.0).to_bits(),
                _ => bits,
            };
        }
        self.regs.insert((dst.reg.file, dst.reg.index), new);
    }
}
