//! Images, buffers and shared memory that cannot be reached.

use r600_codegen::abi::ShaderKey;
use r600_isa::Chip;

use super::{ALL, Met};

pub(crate) fn what_work_groups_do_not_share(met: &mut Met) {
    let text = |memory: &str, body: &str| {
        format!(
            "COMP\nDCL MEMORY[0..1]{memory}\nDCL IN[0]\nDCL TEMP[0]\nIMM[0] UINT32 {{0, 1, 2, 3}}\n{body}\nEND\n"
        )
    };
    let chip = Chip::Cayman;
    let load = "LOAD TEMP[0], MEMORY[0], IMM[0].xxxx";
    let want = "instruction 0: MEMORY: private memory is unsupported; use temporaries";
    met.refuses_text(chip, &text(", PRIVATE", load), want);
    let want = "instruction 0: MEMORY: global memory is unsupported; use BUFFER";
    met.refuses_text(chip, &text(", GLOBAL", load), want);
    let want = "instruction 0: MEMORY: only compute shaders share memory";
    let shared = "DCL MEMORY[0], SHARED\nLOAD TEMP[0], MEMORY[0], IMM[0].xxxx";
    for chip in ALL {
        met.refuses(chip, shared, want);
    }
    let want = "instruction 0: MEMORY: shared memory cannot be indexed";
    let indirect = "DCL ADDR[0]\nLOAD TEMP[0], MEMORY[ADDR[0].x], IMM[0].xxxx";
    met.refuses_unchecked(chip, &text(", SHARED", indirect), want);
    let want = "instruction 0: ATOMFADD: shared memory has no float addition; use ATOMCAS";
    met.refuses_text(
        chip,
        &text(", SHARED", "ATOMFADD TEMP[0], MEMORY[0], IMM[0].xxxx, IMM[0].yyyy"),
        want,
    );
    let want = "instruction 0: RESQ: the size of shared memory cannot be queried";
    met.refuses_text(chip, &text(", SHARED", "RESQ TEMP[0], MEMORY[0]"), want);
    let want = "instruction 0: IN: this stage has no inputs";
    met.refuses_text(chip, &text(", SHARED", "MOV TEMP[0], IN[0]"), want);
    let want = "instruction 0: KILL_IF: shared memory does not have this operation";
    met.refuses_unchecked(chip, &text(", SHARED", "KILL_IF MEMORY[0]"), want);
}

pub(crate) fn images_and_buffers_that_cannot_be_reached(met: &mut Met) {
    let text = |stage: &str, code: &str| {
        format!(
            "{stage}\nDCL OUT[0], POSITION\nDCL BUFFER[0..12]\nDCL IMAGE[0], 2D_MSAA, PIPE_FORMAT_R32_UINT, WR\n\
             DCL TEMP[0]\nIMM[0] UINT32 {{0, 0, 0, 0}}\n{code}\nMOV OUT[0], TEMP[0]\nEND\n"
        )
    };
    let load = "LOAD TEMP[0], BUFFER[0], IMM[0].xxxx";
    let want = "instruction 0: LOAD: this chip has no images or storage buffers";
    met.refuses_text(Chip::Rv770, &text("FRAG", load), want);
    let want =
        "instruction 0: LOAD: only fragment and compute shaders have images and storage buffers";
    met.refuses_text(Chip::Cedar, &text("VERT", load), want);
    let far = "LOAD TEMP[0], BUFFER[12], IMM[0].xxxx";
    let want = "instruction 0: LOAD: the chip has 8 images and buffers, and 12 targets including colour buffers";
    met.refuses_text(Chip::Cedar, &text("FRAG", far), want);
    let add = "ATOMFADD TEMP[0], BUFFER[0], IMM[0].xxxx, IMM[0].xxxx";
    let want = "instruction 0: ATOMFADD: the memory units have no float addition";
    met.refuses_text(Chip::Cedar, &text("FRAG", add), want);
    let samples = "STORE IMAGE[0], IMM[0].xxxx, IMM[0], 2D_MSAA";
    let want = "instruction 0: STORE: this chip cannot write multisampled images: its random access targets have one sample per texel";
    met.refuses_text(Chip::Cedar, &text("FRAG", samples), want);
    let samples = "ATOMUADD TEMP[0], IMAGE[0], IMM[0].xxxx, IMM[0].xxxx, 2D_ARRAY_MSAA";
    let want = "instruction 0: ATOMUADD: this chip cannot write multisampled images: its random access targets have one sample per texel";
    met.refuses_unchecked(Chip::Cayman, &text("FRAG", samples), want);
    let shadow = "LOAD TEMP[0], IMAGE[0], IMM[0].xxxx, SHADOW2D";
    let want = "instruction 0: LOAD: images have no shadow comparison; use SAMP and SVIEW";
    met.refuses_unchecked(Chip::Cedar, &text("FRAG", shadow), want);
    let unknown = "LOAD TEMP[0], IMAGE[0], IMM[0].xxxx, UNKNOWN";
    let want = "instruction 0: LOAD: unknown texture target";
    met.refuses_unchecked(Chip::Cedar, &text("FRAG", unknown), want);
    let want = "instruction 0: CLOCK: this chip has no shader clock";
    met.refuses_text(Chip::Rv670, &text("FRAG", "CLOCK TEMP[0]"), want);
    let subscripts = "LOAD TEMP[0], BUFFER[0][0], IMM[0].xxxx";
    let want = "instruction 0: LOAD: an image or a buffer has one subscript";
    met.refuses_unchecked(Chip::Cedar, &text("FRAG", subscripts), want);
    let indirect = text("FRAG", "LOAD TEMP[0], BUFFER[TEMP[0].x], IMM[0].xxxx");
    let indirect = indirect.replace("DCL BUFFER[0..12]\n", "");
    let want = "instruction 0: LOAD: the index reaches no declared image or buffer";
    met.refuses_unchecked(Chip::Cedar, &indirect, want);
    let many = text("FRAG", load).replace("DCL IMAGE[0]", "DCL IMAGE[0..299]");
    let want = "instruction 0: DCL IMAGE: more images are declared than the chip has targets";
    met.refuses_unchecked(Chip::Cedar, &many, want);
    let constant = "ATOMUADD TEMP[0], CONSTBUF[0], IMM[0].xxxx, IMM[0].xxxx";
    let want = "instruction 0: ATOMUADD: constant buffers are read-only";
    met.refuses_unchecked(Chip::Cedar, &text("FRAG", constant), want);
}

pub(crate) fn counters_that_cannot_be_reached(met: &mut Met) {
    let text = |code: &str| {
        format!(
            "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL HWATOMIC[1][2..5]\nDCL HWATOMIC[2][0..8]\nDCL TEMP[0]\n\
             DCL ADDR[0]\nIMM[0] UINT32 {{0, 4, 2, 12}}\n{code}\nMOV OUT[0], TEMP[0]\nEND\n"
        )
    };
    let load = |counter: &str| text(&format!("LOAD TEMP[0].x, {counter}, IMM[0].xxxx"));
    let want = "instruction 0: LOAD: this chip has no counters";
    met.refuses_text(Chip::Rv770, &load("HWATOMIC[1][2]"), want);
    let want = "instruction 0: LOAD: a counter's buffer cannot be indexed";
    met.refuses_text(Chip::Cayman, &load("HWATOMIC[ADDR[0].x+1][2]"), want);
    let want = "instruction 0: LOAD: the register is not declared";
    met.refuses_unchecked(Chip::Cayman, &load("HWATOMIC[1][6]"), want);
    let address = text("LOAD TEMP[0].x, HWATOMIC[1][2], IN[0].xxxx");
    let want = "instruction 0: LOAD: a counter is named by its subscripts; the address is an immediate multiple of 4";
    met.refuses_text(Chip::Cedar, &address, want);
    met.refuses_text(Chip::Cedar, &address.replace("IN[0].xxxx", "IMM[0].zzzz"), want);
    let store = text("STORE HWATOMIC[1][2].x, IMM[0].xxxx, IMM[0].yyyy");
    let want = "instruction 0: STORE: counters support only loads and atomic operations";
    met.refuses_unchecked(Chip::Cedar, &store, want);
    let add = text("ATOMFADD TEMP[0].x, HWATOMIC[1][2], IMM[0].xxxx, IMM[0].yyyy");
    let want = "instruction 0: ATOMFADD: the memory units have no float addition";
    met.refuses_text(Chip::Cedar, &add, want);
    // Thirteen are declared.
    for counter in ["HWATOMIC[2][8]", "HWATOMIC[2][ADDR[0].x]"] {
        for chip in [Chip::Cedar, Chip::Cayman] {
            let want = "instruction 0: LOAD: the chip has 12 counters";
            met.refuses_text(chip, &load(counter), want);
        }
    }
    let key = ShaderKey::default().first_counter(9);
    let want = "instruction 0: LOAD: the chip has 12 counters";
    met.refuses_with(key, Chip::Cayman, &tgsi_text::parse(&load("HWATOMIC[1][5]")).shader, want);
}
