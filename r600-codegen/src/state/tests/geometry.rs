//! The ring after a geometry shader.

use r600_isa::Chip;

use super::{NEW, value};

const STREAMS: &str = "GEOM
PROPERTY GS_INPUT_PRIMITIVE POINTS
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 4
DCL IN[][0], POSITION
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
IMM[0] UINT32 {0, 1, 2, 3}
MOV OUT[0], IN[0][0]
MOV OUT[1], IN[0][0]
EMIT IMM[0].xxxx
MOV OUT[0], IN[0][0]
EMIT IMM[0].zzzz
ENDPRIM IMM[0].zzzz
END
";

#[test]
fn each_stream_has_its_room_in_the_ring() {
    // Four vertices of two outputs, in the first and the third stream.
    let stream = 4 * 2 * 4;
    for chip in NEW {
        let get = |name: &str| value(STREAMS, chip, name, 0);
        assert_eq!(get("SQ_GSVS_RING_ITEMSIZE"), Some(2 * stream), "{chip:?}");
        let sizes = ["", "_1", "_2", "_3"].map(|n| get(&format!("SQ_GS_VERT_ITEMSIZE{n}")));
        assert_eq!(sizes, [Some(8), Some(0), Some(8), Some(0)], "{chip:?}");
        let offsets = ["1", "2", "3"].map(|n| get(&format!("SQ_GSVS_RING_OFFSET_{n}")));
        assert_eq!(offsets, [Some(stream), Some(stream), Some(2 * stream)], "{chip:?}");
    }
    let one = STREAMS.replace("EMIT IMM[0].zzzz\nENDPRIM IMM[0].zzzz\n", "");
    assert_eq!(value(&one, Chip::Rv770, "SQ_GSVS_RING_ITEMSIZE", 0), Some(stream));
    assert_eq!(value(&one, Chip::Rv770, "SQ_GS_VERT_ITEMSIZE_1", 0), None);
}
