//! Targets of jumps, of which a listing may have many.

use super::{Code, check_on, parse};
use crate::Cf;
use crate::Generation::{Evergreen, R700};

/// Each unknown label is compared with all labels, which would be slow for many mistakes.
#[test]
fn near_labels_are_named_for_the_first_few() {
    let labels: String = (0..20_000).map(|n| format!("label{n}:\n")).collect();
    let found = parse(&format!("{labels}NOP\n{}", "JUMP labl7\n".repeat(20_000)), R700).diagnostics;
    let near = found.iter().filter(|one| one.help.as_deref() == Some("did you mean `label7`?"));
    assert_eq!((found.len(), near.count()), (20_000, 16));
}

/// If each jump searched the list, this would be slow.
#[test]
fn addresses_are_found_at_once() {
    let count = 50_000;
    let jumps = format!("JUMP ADDR({count})\n").repeat(count);
    assert_eq!(parse(&format!("{jumps}NOP\nEND_OF_PROGRAM"), R700).diagnostics, []);
    // An extended clause takes two units. The last address is that of the end.
    let extended = "ALU: KCACHE2(CB0:0-15)\nx: MOV R0.x, R1.x\n";
    let text = |at: u32| format!("{extended}JUMP ADDR({at})\nNOP\nEND_OF_PROGRAM");
    for (address, index) in [(0, 0), (2, 1), (3, 2), (4, 3)] {
        let program = parse(&text(address), Evergreen).program;
        assert!(matches!(program.cf[1], Cf::Flow(flow) if flow.target == index), "{address}");
    }
    for address in [1, 5] {
        let at = format!("ADDR({address})");
        check_on(Evergreen, &text(address), Code::Address, &at);
    }
}
