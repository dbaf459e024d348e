//! Files that are gone run as what took their place.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::common;

use common::run;

#[test]
fn arrays_of_constants_are_picked_by_number_and_by_register() {
    let text = "VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL ADDR[0]
DCL TEMP[0]
DCL IMMX[0][0..2] { {1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12} }
DCL IMMX[1][0..1] { {100, 200, 300, 400}, {0.5, 0.5, 0.5, 0.5} }
ARL ADDR[0].x, IN[0].xxxx
MOV TEMP[0], IMMX[0][ADDR[0].x]
ADD OUT[0], TEMP[0], IMMX[1][0]
END
";
    let lanes = [0.0f32, 1.0, 2.0, 1.0].map(|lane| [lane.to_bits(); 4]);
    let outcome = run(text, vec![lanes]);
    let want =
        [[101.0, 202.0, 303.0, 404.0], [105.0, 206.0, 307.0, 408.0], [109.0, 210.0, 311.0, 412.0]];
    let got = outcome.outputs[0].map(|vector| vector.map(f32::from_bits));
    assert_eq!(got, [want[0], want[1], want[2], want[1]]);
}
