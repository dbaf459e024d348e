//! Image instructions: gathers what the provider needs.

use tgsi_ir::{Format, TextureTarget};

use super::Machine;
use super::units::groups;
use crate::error::ExecError;
use crate::lanes::{Vector, ZERO, first, has, lanes, transposed};
use crate::program::{MemoryAction, MemoryStep, Step};
use crate::resources::{AtomicOp, ImageAccess, ImageOperation};

impl Machine<'_> {
    pub(super) fn image(
        &mut self,
        step: &Step,
        memory: &MemoryStep,
        (target, format): (TextureTarget, Format),
    ) -> Result<(), ExecError> {
        let (values, comparands) = self.memory_values(memory);
        let mut answer = ZERO;
        for (mask, [unit]) in groups(self.effective(memory), [self.units(&memory.unit)]) {
            let access = ImageAccess {
                unit,
                target,
                format,
                operation: operation(memory.action),
                coordinates: transposed(&self.operands[0]),
                values: transposed(&values),
                comparands: transposed(&comparands),
                active: [0, 1, 2, 3].map(|lane| has(mask, lane)),
            };
            let missing = ExecError::Image { at: step.at, lane: first(mask), unit };
            let texels = transposed(&self.resources.image(&access).ok_or(missing)?);
            for (number, channel) in answer.iter_mut().enumerate() {
                // An atomic operation has one word, the old one, in all channels.
                let is_atomic = matches!(memory.action, MemoryAction::Atomic(_));
                let texel = &texels[if is_atomic { 0 } else { number }];
                lanes(mask).for_each(|lane| channel[lane] = texel[lane]);
            }
        }
        self.fill_open(memory, &mut answer);
        self.finish(step, &mut answer)
    }

    /// Fills the results of an atomic operation in the lanes that take no part in it.
    pub(super) fn fill_open(&mut self, memory: &MemoryStep, results: &mut Vector) {
        if !matches!(memory.action, MemoryAction::Atomic(_)) {
            return;
        }
        for lane in lanes(self.active() & !self.effective(memory)) {
            let result = self.resources.open_result();
            results.iter_mut().for_each(|channel| channel[lane] = result);
        }
    }

    /// The value to store or combine, and the comparand.
    pub(super) fn memory_values(&self, memory: &MemoryStep) -> (Vector, Vector) {
        let [_, second, third, _] = self.operands;
        match memory.action {
            MemoryAction::Atomic(AtomicOp::Compare) => (third, second),
            MemoryAction::Atomic(_) | MemoryAction::Store => (second, ZERO),
            MemoryAction::Load | MemoryAction::Size => (ZERO, ZERO),
        }
    }

    /// The lanes that take part: killed and helper lanes change nothing.
    pub(super) fn effective(&self, memory: &MemoryStep) -> u8 {
        match memory.action {
            MemoryAction::Load | MemoryAction::Size => self.active(),
            MemoryAction::Store | MemoryAction::Atomic(_) => {
                self.active() & !self.state.killed & !self.state.helpers
            }
        }
    }
}

fn operation(action: MemoryAction) -> ImageOperation {
    match action {
        MemoryAction::Load => ImageOperation::Load,
        MemoryAction::Store => ImageOperation::Store,
        MemoryAction::Atomic(op) => ImageOperation::Atomic(op),
        MemoryAction::Size => ImageOperation::Size,
    }
}
