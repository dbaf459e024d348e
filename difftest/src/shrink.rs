//! Reduces a failing shader.

use std::ops::Range;

use tgsi_ir::flow::FlowTree;
use tgsi_ir::validate::{Code, Profile, validate};
use tgsi_ir::{FlowRole, InstructionId, Shader, Src, Swizzle};

/// Maximum number of candidates.
const MAX_TRIALS: usize = 600;

/// The smallest shader found for which `fails` still holds. It has no more reads of unwritten registers than `shader`.
pub fn shrink(shader: Shader, fails: impl FnMut(&Shader) -> bool) -> Shader {
    let open_reads = num_open_reads(&shader);
    let mut search = Search { shader, fails, trials: 0, open_reads };
    while search.drop_instructions() | search.adopt_any(unwrapped) | search.adopt_any(simplified) {}
    search.shader
}

/// The smallest shader so far.
struct Search<F> {
    shader: Shader,
    fails: F,
    trials: usize,
    /// Maximum number of reads of unwritten registers.
    open_reads: usize,
}

impl<F: FnMut(&Shader) -> bool> Search<F> {
    /// Adopts a candidate if it still fails.
    fn adopt(&mut self, candidate: Shader) -> bool {
        self.trials += 1;
        let still_fails = self.trials <= MAX_TRIALS
            && is_nested(&candidate)
            && num_open_reads(&candidate) <= self.open_reads
            && (self.fails)(&candidate);
        if still_fails {
            self.shader = candidate;
        }
        still_fails
    }

    /// Removes runs of instructions, long ones first.
    fn drop_instructions(&mut self) -> bool {
        let mut has_changed = false;
        let mut length = self.shader.instructions.len() / 2;
        while length > 0 {
            let mut start = 0;
            while start + length < self.shader.instructions.len() {
                if self.adopt(without(&self.shader, start..start + length)) {
                    has_changed = true;
                } else {
                    start += length;
                }
            }
            length /= 2;
        }
        has_changed
    }

    /// Adopts candidates one by one, until no more of them fail.
    fn adopt_any(&mut self, candidates: fn(&Shader) -> Vec<Shader>) -> bool {
        let mut has_changed = false;
        while candidates(&self.shader).into_iter().any(|candidate| self.adopt(candidate)) {
            has_changed = true;
        }
        has_changed
    }
}

fn is_nested(shader: &Shader) -> bool {
    FlowTree::new(&shader.instructions).is_ok()
}

/// Number of reads of unwritten registers. A shader with such reads has undefined results.
fn num_open_reads(shader: &Shader) -> usize {
    let findings = validate(shader, Profile::Full);
    findings.iter().filter(|finding| finding.code == Code::ReadBeforeWrite).count()
}

fn without(shader: &Shader, range: Range<usize>) -> Shader {
    keeping(shader, |index| !range.contains(&index))
}

/// The shader with only the instructions for which `keeps` returns true. The labels of calls are adjusted.
fn keeping(shader: &Shader, keeps: impl Fn(usize) -> bool) -> Shader {
    let mut smaller = shader.clone();
    smaller.order.clear();
    let num_kept_before = |at: u32| (0..at as usize).filter(|index| keeps(*index)).count() as u32;
    for inst in &mut smaller.instructions {
        inst.label = inst.label.map(num_kept_before);
    }
    let mut index = 0;
    smaller.instructions.retain(|_| {
        index += 1;
        keeps(index - 1)
    });
    smaller
}

/// The candidates that result from removing the delimiters of one block.
fn unwrapped(shader: &Shader) -> Vec<Shader> {
    let Ok(tree) = FlowTree::new(&shader.instructions) else { return Vec::new() };
    let mut candidates = Vec::new();
    for (index, inst) in shader.instructions.iter().enumerate() {
        let brackets = match inst.opcode.info().flow {
            FlowRole::If | FlowRole::LoopBegin => partners(&tree, index),
            FlowRole::SwitchBegin => {
                let mut brackets = partners(&tree, index);
                let last = brackets.last().copied().unwrap_or(index);
                brackets.extend(cases(shader, index + 1..last));
                brackets
            }
            _ => continue,
        };
        candidates.push(keeping(shader, |index| !brackets.contains(&index)));
    }
    candidates
}

/// The delimiters of the block that begins at `index`.
fn partners(tree: &FlowTree, index: usize) -> Vec<usize> {
    let mut brackets = vec![index];
    let mut at = index;
    while let Some(next) = tree.partner(InstructionId::from_index(at)) {
        if next.index() <= at {
            break;
        }
        at = next.index();
        brackets.push(at);
    }
    brackets
}

/// The cases and breaks of a switch with this body, without those of inner switches and loops.
fn cases(shader: &Shader, body: Range<usize>) -> Vec<usize> {
    let mut depth = 0_u32;
    let mut found = Vec::new();
    for index in body {
        match shader.instructions[index].opcode.info().flow {
            FlowRole::SwitchBegin | FlowRole::LoopBegin => depth += 1,
            FlowRole::SwitchEnd | FlowRole::LoopEnd => depth = depth.saturating_sub(1),
            FlowRole::Case | FlowRole::Default | FlowRole::Break if depth == 0 => found.push(index),
            _ => {}
        }
    }
    found
}

/// The candidates that result from removing swizzle and modifiers of one operand.
fn simplified(shader: &Shader) -> Vec<Shader> {
    let mut candidates = Vec::new();
    for (index, inst) in shader.instructions.iter().enumerate() {
        for (number, src) in inst.src.iter().enumerate() {
            let plain = Src { swizzle: Swizzle::XYZW, absolute: false, negate: false, ..*src };
            if plain != *src {
                let mut candidate = shader.clone();
                candidate.instructions[index].src[number] = plain;
                candidates.push(candidate);
            }
        }
    }
    candidates
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use tgsi_ir::build::ShaderBuilder;
    use tgsi_ir::{Opcode, Processor, Semantic};

    use super::*;

    #[test]
    fn writes_to_registers_that_are_read_are_kept() {
        let mut b = ShaderBuilder::new(Processor::Vertex);
        let (input, output) = (b.vertex_input(), b.output(Semantic::Position, 0));
        let temps: Vec<_> = (0..4).map(|_| b.temp()).collect();
        for temp in &temps {
            b.mov(*temp, input);
        }
        b.emit(Opcode::Flr, output, [temps[2].into()]);
        let shader = b.finish().unwrap();
        let keeps = |s: &Shader| s.instructions.iter().any(|inst| inst.opcode == Opcode::Flr);
        let small = shrink(shader, keeps);
        assert_eq!(small.instructions.len(), 3, "{:?}", small.instructions);
    }
}
