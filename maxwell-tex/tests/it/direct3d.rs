//! Direct3D's instructions, both ways.

#![expect(clippy::panic, reason = "a text that does not assemble fails the test")]

use maxwell_tex::{D3dOp, Equivalent, Instruction, Lod, Op, State, asm, tlds_overrides};

fn instruction(text: &str) -> Instruction {
    match asm::parse(text).slots()[..] {
        [slot] => match slot.op {
            Op::Texture(instruction) => instruction,
            Op::Other(word) => panic!("{word:#x} is not a texture instruction"),
        },
        _ => panic!("one instruction: {text}"),
    }
}

#[test]
fn instructions_have_their_names_in_direct3d() {
    for (text, op) in [
        ("TEX R0, R4, 0x0, 2D, 0xf;", Some("sample")),
        ("TEX.LB R0, R4, R8, 0x0, 2D, 0xf;", Some("sample_b")),
        ("TEX.LL R0, R4, R8, 0x0, 2D, 0xf;", Some("sample_l")),
        ("TEX.LZ R0, R4, 0x0, 2D, 0xf;", Some("sample_lz")),
        ("TEX.DC R0, R4, R8, 0x0, 2D, 0xf;", Some("sample_c")),
        ("TEX.LZ.DC R0, R4, R8, 0x0, 2D, 0xf;", Some("sample_c_lz")),
        ("TLDS.LZ RZ, R0, R4, R5, 0x0, 2D, R;", Some("ld")),
        ("TLDS.LL RZ, R0, R4, R6, 0x0, 2D, R;", Some("ld")),
        ("TLDS.LZ.MS RZ, R0, R4, R6, 0x0, 2D, R;", Some("ld2dms")),
        ("TEX.LBA R0, R4, R8, 0x0, 2D, 0xf;", None),
        ("TEX.LL.DC R0, R4, R8, 0x0, 2D, 0xf;", None),
    ] {
        assert_eq!(D3dOp::of(&instruction(text)).map(D3dOp::text), op, "{text}");
    }
}

#[test]
fn direct3d_has_one_instruction_without_an_equivalent() {
    let without: Vec<_> = D3dOp::ALL
        .into_iter()
        .filter(|op| op.equivalent() == Equivalent::None)
        .map(D3dOp::text)
        .collect();
    assert_eq!(without, ["sample_d"]);
    assert_eq!(D3dOp::SampleL.equivalent(), Equivalent::Tex { lod: Lod::Ll, compare: false });
    let unlisted: Vec<_> = D3dOp::ALL.into_iter().filter(|op| !op.is_listed()).collect();
    assert_eq!(unlisted, [D3dOp::SampleCLz]);
}

#[test]
fn loads_neither_filter_nor_compare() {
    let value = |field| tlds_overrides().iter().find(|row| row.field == field).map(|row| row.value);
    assert_eq!(value("MagFilter"), Some("MAG_POINT"));
    assert_eq!(value("DepthCompare"), Some("FALSE"));
    assert_eq!(tlds_overrides().iter().filter(|row| row.state == State::Header).count(), 2);
}
