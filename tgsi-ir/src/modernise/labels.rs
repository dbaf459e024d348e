//! Labels of switches that a loop counter subscripts.
//!
//! Such a subscript goes through an address register. It cannot be loaded between `SWITCH` and its labels, nor in the
//! code before a label, which not every lane runs. So the label is read before the switch begins.

use std::collections::BTreeMap;

use super::files;
use super::rewriter::Rewriter;
use crate::{Component, Dst, File, Instruction, Opcode, Register, Shader, Src, Swizzle, WriteMask};

/// The labels of a shader that are read before their switch.
#[derive(Default)]
pub(super) struct Labels {
    /// The positions of such labels, by the position of their switch.
    of_switch: BTreeMap<usize, Vec<usize>>,
    /// What holds the label at a position, once its switch is reached.
    values: BTreeMap<usize, Src>,
}

impl Labels {
    pub(super) fn new(shader: &Shader) -> Self {
        let mut labels = Self::default();
        let mut open = Vec::new();
        for (at, one) in shader.instructions.iter().enumerate() {
            match one.opcode {
                Opcode::Switch => open.push(at),
                Opcode::Endswitch => {
                    open.pop();
                }
                Opcode::Case if one.src.iter().any(|src| is_subscripted_by_loop(&src.reg)) => {
                    if let Some(&switch) = open.last() {
                        labels.of_switch.entry(switch).or_default().push(at);
                    }
                }
                _ => {}
            }
        }
        labels
    }

    /// Reads the labels of the switch at `at`, which is about to begin.
    pub(super) fn read(&mut self, rw: &mut Rewriter<'_>, at: usize) {
        for position in self.of_switch.remove(&at).unwrap_or_default() {
            let Some(src) = rw.shader.instructions[position].src.first().copied() else { continue };
            let reg = files::rewrite(rw, &src.reg);
            let value = rw.persistent();
            let dst = Dst::new(value).masked(WriteMask::X);
            // Modifiers of a label act on an integer, and stay with the label.
            let plain = Src { reg, negate: false, absolute: false, ..src };
            rw.op(Opcode::Mov, Some(dst), &[plain]);
            let label = Src { reg: value, swizzle: Swizzle::splat(Component::X), ..src };
            self.values.insert(position, label);
            rw.reuse_addresses();
        }
    }

    /// The instruction at `at` with the value of its label, where it was read before.
    pub(super) fn apply(&mut self, at: usize, one: &Instruction) -> Option<Instruction> {
        let mut one = one.clone();
        *one.src.first_mut()? = self.values.remove(&at)?;
        Some(one)
    }
}

fn is_subscripted_by_loop(reg: &Register) -> bool {
    let of_dimension = reg.dimension.and_then(|dimension| dimension.indirect);
    reg.indirect.iter().chain(&of_dimension).any(|indirect| indirect.file == File::Loop)
}
