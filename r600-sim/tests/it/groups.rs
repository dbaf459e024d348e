//! Wavefronts of a work group, which wait for each other.

use crate::support::{NUM_GPRS, entry};

use r600_isa::{Chip, asm};
use r600_sim::{Declaration, Kernel, NoResources, Options, Stage};

/// A barrier is part of its clause: what waits there does not run the clause twice.
#[test]
fn a_wavefront_that_waits_counts_as_one_that_does_not() {
    let text = "ALU:\n0 x: MOV R4.x, 1.0\n1 x: GROUP_BARRIER ____\nALU:\n0 x: GROUP_BARRIER ____\n\
                EXP_DONE: PIX0, R4.xyzw\nEND_OF_PROGRAM\n";
    let chip = Chip::Cypress;
    let words = asm::assemble(text, chip.generation()).unwrap();
    let declaration =
        Declaration { chip, stage: Stage::Pixel, num_gprs: NUM_GPRS, stack_entries: 0 };
    let kernel = Kernel::from_words(&words, declaration).unwrap();
    let options = Options::default();
    let alone = kernel.run(&entry(&[1]), &options, &mut NoResources).unwrap();
    let entries = [entry(&[1]), entry(&[1])];
    let together = kernel.run_group(&entries, &options, &mut NoResources).unwrap();
    assert_eq!(alone.counters.alu_clauses, 2);
    for outcome in together {
        assert_eq!(outcome.counters, alone.counters);
    }
}
