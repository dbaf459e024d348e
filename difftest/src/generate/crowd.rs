//! Values that live throughout a shader, more than there are registers.

use tgsi_ir::build::Temp;
use tgsi_ir::{Component, Opcode, Src, Swizzle};

use super::{Generator, NUM_CONSTANTS};

/// Bound on members before they are added up, so that no overflow hides the others.
const LARGEST: f32 = 64.0;

impl Generator<'_> {
    /// Gives each member a value and reads all of them, so that each is live from then on.
    pub(super) fn fill_crowd(&mut self) {
        for (number, temp) in (0..NUM_CONSTANTS).cycle().zip(self.values.crowd.clone()) {
            let constant = self.builder.constant(0, number);
            // Random channels, since equal members would share a register.
            let sources = [self.initial_float(), constant, self.initial_float()];
            let sources = sources.map(|source| self.swizzled(source));
            self.builder.emit(Opcode::Mad, temp, sources);
        }
        let sum = self.values.floats[0];
        for temp in self.values.crowd.clone() {
            self.builder.emit(Opcode::Add, sum, [sum.into(), temp.into()]);
        }
    }

    /// Adds all members to `sum`, each with a different swizzle than before.
    pub(super) fn fold_crowd(&mut self, sum: Temp) {
        use Component::{W, X, Y, Z};
        for temp in self.values.crowd.clone() {
            let (least, largest) = (self.builder.f32(-LARGEST), self.builder.f32(LARGEST));
            self.builder.emit(Opcode::Max, temp, [temp.into(), least]);
            self.builder.emit(Opcode::Min, temp, [temp.into(), largest]);
            let turned = Src { swizzle: Swizzle::new([W, Z, Y, X]), ..temp.into() };
            self.builder.emit(Opcode::Add, sum, [sum.into(), turned]);
        }
    }
}
