//! Instructions as data for other programs (feature `serde`).

#![cfg(feature = "serde")]

use maxwell_tex::{Bundle, Guard, TexIndex, asm, bundles};

#[test]
fn bundles_survive() {
    let text = "@!P2 TEX.B.LL.AOFFI P1, R4, R8, R12, 0x0, ARRAY_2D, 0x7 &req=0x3 &wr0 ?stall2;\n\
                TLDS.F16.LZ.MS.T R3, R2, R8, R12, 0x7, 2D, RGBA;\n.quad 0x123;";
    for bundle in bundles(&asm::parse(text).slots()) {
        let json = serde_json::to_string(&bundle).expect("a bundle can be serialised");
        assert_eq!(
            serde_json::from_str::<Bundle>(&json).expect("the JSON can be read back"),
            bundle
        );
    }
}

#[test]
fn values_that_do_not_fit_their_field_are_refused() {
    let guard =
        |pred| serde_json::from_str::<Guard>(&format!("{{\"pred\":{pred},\"negated\":false}}"));
    assert!(guard(7).is_ok());
    assert!(guard(8).is_err());
    assert!(serde_json::from_str::<TexIndex>("8191").is_ok());
    assert!(serde_json::from_str::<TexIndex>("8192").is_err());
}
