//! Streams that are larger than they may be.

use tgsi_binary::{DecodeReason, decode, decode_within, dump, dump_within, encode};
use tgsi_ir::limits::{Limit, Limits};
use tgsi_ir::{Dialect, Shader};

const TEXT: &str = "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL OUT[0], COLOR\nDCL TEMP[0..9]\n\
                    IMM[0] FLT32 { 1, 2, 3, 4 }\nMOV OUT[0], IMM[0]\nEND\n";

fn words() -> Vec<u32> {
    let parsed = tgsi_text::parse(TEXT);
    assert_eq!(parsed.diagnostics, []);
    let shader: Shader = parsed.shader;
    encode(&shader, Dialect::default()).expect("it can be encoded")
}

#[test]
fn each_limit_holds_where_it_is_and_one_below() {
    let words = words();
    let exact = Limits {
        tokens: words.len() as u32,
        instructions: 2,
        declarations: 2,
        immediates: 1,
        properties: 1,
        registers: 11,
        word: 0,
    };
    assert!(decode_within(&words, Dialect::default(), exact).is_ok());
    let tighter = [
        (Limit::Tokens, Limits { tokens: exact.tokens - 1, ..exact }),
        (Limit::Instructions, Limits { instructions: 1, ..exact }),
        (Limit::Declarations, Limits { declarations: 1, ..exact }),
        (Limit::Immediates, Limits { immediates: 0, ..exact }),
        (Limit::Properties, Limits { properties: 0, ..exact }),
        (Limit::Registers, Limits { registers: 10, ..exact }),
    ];
    for (limit, limits) in tighter {
        let error = decode_within(&words, Dialect::default(), limits).expect_err("it is too large");
        assert!(
            matches!(error.reason, DecodeReason::Limit(exceeded) if exceeded.limit == limit),
            "{error}"
        );
        assert!(error.to_string().contains(&format!("--max-{}", limit.name())), "{error}");
        assert_eq!(dump_within(&words, Dialect::default(), limits), Err(error));
    }
    let listing = dump(&words, Dialect::default());
    assert_eq!(dump_within(&words, Dialect::default(), exact), Ok(listing));
    // What cannot be read is listed all the same.
    let broken = dump_within(&[0x0102, 0, 15], Dialect::default(), exact).expect("a listing");
    assert!(broken.ends_with("error: there is no item of kind 15, only 0 to 3\n"), "{broken}");
}

#[test]
fn a_stream_of_too_many_declarations_is_refused_by_default() {
    let one = encode(&tgsi_text::parse("FRAG\nDCL TEMP[0]").shader, Dialect::default());
    let item = one.expect("it can be encoded")[2..].to_vec();
    let count = Limits::default().declarations as usize + 1;
    let size = (item.len() * count) as u32;
    let stream: Vec<u32> = [2 | size << 8, 0].into_iter().chain(item.repeat(count)).collect();
    let error = decode(&stream, Dialect::default()).expect_err("it is too large");
    assert_eq!(
        error.to_string(),
        format!(
            "word {}: there are more than 65536 declarations: `Limits::declarations` sets the limit, \
             `--max-declarations` in `tgsi`",
            2 + item.len() * (count - 1)
        )
    );
}
