//! Reads of scratch memory by fetches.

use crate::support::{entry, result, run_text};

use r600_isa::Chip;
use r600_sim::Fault;

/// R1 and R2 go to scratch memory, then `fetches` run.
fn body(fetches: &str) -> String {
    let write = "MEM_SCRATCH: WRITE_ACK 0, R1.xyzw ELEM_SIZE(3) BURSTCNT(1)";
    format!("{write}\nWAIT_ACK\nTEX:\n{fetches}")
}

#[test]
fn a_burst_reads_one_vector_after_the_other() {
    let burst = "READ_SCRATCH R3.xyzw, R5.x, 0 ELEM_SIZE(3) UNCACHED BURSTCNT(1)\n";
    let entry = entry(&[21, 22]);
    assert_eq!(result(&run_text(Chip::Rv770, &body(burst), &entry).unwrap())[0], 22);
    // All of its registers are written for the rest of the clause.
    let next = "READ_SCRATCH R5.xyzw, R4.x, 0 ELEM_SIZE(3) INDEXED UNCACHED\n";
    let both = body(&format!("{burst}{next}"));
    let fault = run_text(Chip::Rv770, &both, &entry).unwrap_err().fault;
    assert_eq!(fault, Fault::FetchOrder { gpr: 4, channel: 0 });
}
