//! Programs as JSON.

use r600_isa::{Generation, Program};

#[test]
fn a_program_round_trips_through_json() {
    // A fetch and an ALU clause, and words that no type holds.
    let words = [
        0x0000_0004,
        0x0040_0000,
        0x2000_0006,
        0xA000_0000,
        0xC000_8000,
        0x9420_0688,
        0,
        0,
        0x0000_0010,
        0xF00D_1000,
        0xFC80_0000,
        0,
        0x801F_0400,
        0x0000_0C90,
        0,
        0,
    ];
    for generation in Generation::ALL {
        let program = Program::decode(&words, generation);
        let json = serde_json::to_string(&program).unwrap();
        let back: Program = serde_json::from_str(&json).unwrap();
        assert_eq!(back, program);
        assert_eq!(back.encode().unwrap(), words);
    }
}
