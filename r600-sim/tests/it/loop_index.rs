//! Fetches to whose registers a loop adds its index: only a run tells which registers they use.

use crate::support::{NUM_GPRS, entry};

use r600_isa::{Chip, Hazard, HazardSet, asm};
use r600_sim::{Declaration, Fault, Kernel, LoopConstant, Options, Resources, Stage};

/// Loops of two iterations, with the indices 1 and 2.
struct Loops;

impl Resources for Loops {
    fn loop_constant(&self, _index: u8) -> Option<LoopConstant> {
        Some(LoopConstant { count: 2, first: 1, step: 1 })
    }
}

/// How a run of a loop over a clause of these fetches ends.
fn run(fetches: [&str; 2], hazards: HazardSet) -> Result<(), Fault> {
    let [first, second] = fetches;
    let text = format!(
        "LOOP_START L1 CF_CONST(0)\nL0:\nTEX:\nPASS {first}, t0, s0\nPASS {second}, t0, s0\n\
         LOOP_END L0\nL1:\nEXP_DONE: PIX0, R4.xyzw\nEND_OF_PROGRAM\n"
    );
    let chip = Chip::Rv770;
    let words = asm::assemble(&text, chip.generation()).unwrap();
    let declaration =
        Declaration { chip, stage: Stage::Pixel, num_gprs: NUM_GPRS, stack_entries: 4 };
    let kernel = Kernel::from_words(&words, declaration).map_err(|error| error.fault)?;
    let options = Options::default().hazards(hazards);
    let outcome = kernel.run(&entry(&[1, 2, 3]), &options, &mut Loops);
    outcome.map(|_| ()).map_err(|error| error.fault)
}

#[test]
fn a_fetch_reads_no_result_of_its_clause_at_any_loop_index() {
    let stops = |fetches, gpr| {
        let found = run(fetches, HazardSet::NONE);
        assert_eq!(found, Err(Fault::FetchOrder { gpr, channel: 0 }), "{fetches:?}");
    };
    // At the second index.
    stops(["R[AL+1].xyzw, R0.xyzw", "R5.xyzw, R3.xyzw"], 3);
    stops(["R3.xyzw, R0.xyzw", "R5.xyzw, R[AL+1].xyzw"], 3);
    // At every index.
    stops(["R[AL+1].xyzw, R0.xyzw", "R5.xyzw, R[AL+1].xyzw"], 1);
    let goes_on = |fetches| assert_eq!(run(fetches, HazardSet::ALL), Ok(()), "{fetches:?}");
    // No index is 0 or 3.
    goes_on(["R[AL+1].xyzw, R0.xyzw", "R5.xyzw, R1.xyzw"]);
    goes_on(["R[AL+1].xyzw, R0.xyzw", "R5.xyzw, R4.xyzw"]);
    goes_on(["R[AL+1].xyzw, R0.xyzw", "R5.xyzw, R[AL+2].xyzw"]);
}

#[test]
fn a_fetch_reads_no_register_that_its_clause_writes_in_part_at_a_loop_index() {
    let fetches = ["R[AL+1].x___, R0.xyzw", "R5.xyzw, R3.yyyy"];
    assert_eq!(run(fetches, HazardSet::ALL), Err(Fault::Exposed(Hazard::FetchOfFetched)));
    assert_eq!(run(fetches, HazardSet::NONE), Ok(()));
}
