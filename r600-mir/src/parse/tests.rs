//! Small texts, valid and broken.

use r600_isa::Chip;

use super::{ParseError, ParseFault, parse};

/// Operations of every kind.
const TEXT: &str = "ignores mova_gpr
scratch 3
live in r0 r1
vec0 = r0.x r1.y in R0
vec1 = r2 r3
vec2 =
channels r9.z r10.x
array0 = 4
array1 = 2
block0:
  r2 = MOV -|r0| @3
  r3 = MUL_IEEE*2_sat -(1.5), -1.5 @3
  r4 = MULADD_IEEE c0[12].w, -r1, 0x7fc00000
  r4 = ADD/2 CONST7.y, |array1[1].z|
  array0[AR+1].y = MOV r4 AR=r3
  r5 = MOV array0[AR+0].x AR=r3
  r9 = DOT4_IEEE_sat r0 * r1, r2 * -r3, 0.5 * 2.0, 0.0 * 0.0
  r6 = RECIP_IEEE r5 in xyz
  r7 = MULLO_INT r5, r6 in xyzw
  x: r10 = INTERP_XY r1, PARAM2.x | y: INTERP_XY r0, PARAM2.x VEC_210
  KILLGT 0.0, r5
  LDS_WRITE_REL r5, r6, r7 offset:4
  LDS_READ_RET r5 returns
  r8 = MOV SEL221.x
  GROUP_BARRIER
  PRED_SETNE_INT r8, 0.0 UPDATE_EXEC_MASK
if {
  block1:
    SET_GRADIENTS_H t2 s0 (r2 r3 _ _) then r2, _, r3 = SAMPLE_G t2 s0 (r2 r3 0 1) offset:2/0/-2 reads shared
    r5 = VFETCH b3 (r6 _ _ _) mega_fetch_count:3 data_format:13
    r5 = GET_BUFFER_RESINFO b3 (covering) (r5 _ _ _)
    r5 = READ_SCRATCH [2] (_ _ _ _) uncached:true reads [2]
} else {
  loop {
    block2:
      MEM_SCRATCH [2] (r2 _ r3 _) kind:write_ack
      (r2 _ _ _) = MEM_SCRATCH [2] at (r9 _ _ _) array_size:3
      MEM_RAT shared at (r2 r3 _ _) (r5 _ _ _) access:rat/1/none/2 mark:true
      r5 = GDS_ADD_RET (r6 r7 _ _) uav_id:1 reads counters
      EMIT_VERTEX count:1
    if {
      break
    }
    continue
  }
}
block3:
  EXPORT PIX0 (r2 r3 0 1) @12
  EXPORT POS1 (r2 _ _ _)
  EXPORT PARAM3 (_ _ _ _)
";

#[test]
fn every_kind_of_operation_is_read_back() {
    let function = parse(TEXT, Chip::Cayman).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(function.to_string(), TEXT);
}

#[test]
fn comments_and_empty_lines_have_no_effect() {
    let text = "; what it is about\n\nblock0:\n   ; before\n  r0 = MOV 1.0\n\n";
    assert_eq!(parse(text, Chip::Rv770).unwrap().to_string(), "block0:\n  r0 = MOV 1.0\n");
}

/// Parsing must succeed or give an error whose place is in the text.
fn try_parse(text: &str) {
    if let Err(ParseError { line, column, .. }) = parse(text, Chip::Cayman) {
        let lines: Vec<&str> = text.lines().collect();
        assert!(line >= 1 && line <= lines.len().max(1), "{text}");
        let len = lines.get(line - 1).map_or(0, |line| line.chars().count());
        assert!(column >= 1 && column <= len + 1, "{line}:{column}\n{text}");
    }
}

#[test]
fn texts_that_are_broken_anywhere_are_read_or_refused() {
    for (at, _) in TEXT.char_indices() {
        let (before, after) = TEXT.split_at(at);
        try_parse(before);
        try_parse(after);
        for wrong in [" ", "9", "}", "r99999999", "é", "("] {
            try_parse(&format!("{before}{wrong}{after}"));
        }
        try_parse(&format!("{before}{}", &after[1..]));
    }
}

#[test]
fn faults_have_a_place_and_a_remedy() {
    for (text, message) in [
        (
            "block0:\n  r0 = MOVE r1",
            "line 2, column 8: unknown operation `MOVE`; check the spelling: names are those that the printer writes",
        ),
        (
            "block0:\n  r0 = MOV r1, r2",
            "line 2, column 11: number of operands of `MOV`: expected 1, found 2; write as many as it has, with commas between",
        ),
        (
            "r0 = MOV r1",
            "line 1, column 1: an operation stands outside of any block; begin a block with `blockN:`",
        ),
        (
            "block0:\n  r0 = MOV array0[1].x",
            "line 2, column 3: `array0` is not declared; declare it before the code",
        ),
        (
            "block0:\n  r0 = MOV r1.x",
            "line 2, column 14: unexpected `.x`; remove it, or move it to a line of its own",
        ),
        ("block0:\nif {", "line 2, column 1: braces do not match; give each `{` its `}`"),
        (
            "block0:\nblock0:",
            "line 2, column 1: `block0` is repeated or out of order; write it once, and number from 0 without gaps",
        ),
        (
            "vec1 = r0",
            "line 1, column 1: `vec1` is repeated or out of order; write it once, and number from 0 without gaps",
        ),
        (
            "vec0 = r0.x r0.y",
            "line 1, column 13: `r0` is repeated or out of order; write it once, and number from 0 without gaps",
        ),
        (
            "block0:\n  r4294967296 = MOV 0.0",
            "line 2, column 3: `4294967296` is out of range; use a smaller number",
        ),
        (
            "block0:\n  r0 = SAMPLE t0 s0 (r1 _ _ _) swizzle:1",
            "line 2, column 32: `swizzle:1` is not a field of the instruction, or has no such value; write `field:value`, with a field that the printer writes",
        ),
        (
            "block0:\n  EXPORT MRT0 (r0 _ _ _)",
            "line 2, column 10: expected a target: `PIXn`, `POSn` or `PARAMn`; write it here, or remove what stands here",
        ),
        (
            "ignores nothing",
            "line 1, column 9: unknown hazard `nothing`; check the spelling: names are those that the printer writes",
        ),
    ] {
        let error = parse(text, Chip::Rv770).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn regions_nest_only_so_deep() {
    let text = "loop {\n".repeat(300);
    let error = parse(&text, Chip::Rv770).unwrap_err();
    assert_eq!(error.fault, ParseFault::TooDeep);
}
