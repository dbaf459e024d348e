//! What stops a run, or keeps it from starting, says where and why.

use crate::common;

use common::{fragment, parse};
use tgsi_exec::{ExecError, Inputs, Kernel, Limits, NoResources, Resources, STEP_LIMIT, Space};

fn refused(text: &str) -> String {
    Kernel::new(&parse(text)).unwrap_err().to_string()
}

/// The error of a run in which lane 0 is idle and `IN[0]` counts lanes.
fn stopped(text: &str) -> ExecError {
    let kernel = Kernel::new(&parse(text)).unwrap();
    let lanes = [0, 1, 2, 3].map(|lane| [lane; 4]);
    let inputs = Inputs { registers: vec![lanes], idle: 0b0001, ..Inputs::default() };
    kernel.run(&inputs, STEP_LIMIT, &mut NoResources).unwrap_err()
}

#[test]
fn shaders_that_cannot_run_are_refused() {
    assert_eq!(refused("FRAG\nIF IMM[0].xxxx\nEND\n"), "1 fault in the nesting of blocks");
    let legacy = refused("VERT\nDCL OUT[0], POSITION\nNOISE1 OUT[0], OUT[0]\nEND\n");
    assert!(legacy.contains("no release ever defined what `NOISE1` does"), "{legacy}");
    assert_eq!(refused("FRAG\nUNK165\nEND\n"), "instruction 0: unsupported opcode UNK165");
    let operand =
        "instruction 0: an operand is missing or names a register that cannot be used there";
    assert_eq!(refused("FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], IMM[7]\nEND\n"), operand);
    let small = parse("FRAG\nDCL TEMP[0..99]\nEND\n");
    let error = Kernel::with_limits(&small, Limits { memory: 1000, ..Limits::default() })
        .unwrap_err()
        .to_string();
    assert_eq!(error, "its registers take 6400 bytes, more than the limit of 1000");
    let patch = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 32\nDCL OUT[][0..65535], GENERIC[0]\nEND\n";
    let want = "its registers take 34603008 bytes, more than the limit of 16777216";
    assert_eq!(refused(patch), want);
}

#[test]
fn addresses_outside_name_the_lane() {
    let body = "UARL ADDR[0].x, IN[0]\nMOV OUT[0], TEMP[ADDR[0].x+2]";
    let text = fragment(body).replace("DCL TEMP", "DCL ADDR[0]\nDCL TEMP");
    let error = stopped(&text);
    assert_eq!(error.to_string(), "instruction 1, lane 2: register 4 lies outside its file");
    // Of an array with a name, the neighbours are outside, too.
    let text = text.replace("DCL TEMP[0..3]", "DCL TEMP[0..2], ARRAY(1)\nDCL TEMP[3]");
    let error = stopped(&text.replace("+2]", "+2](1)"));
    assert_eq!(error.to_string(), "instruction 1, lane 1: register 3 lies outside its file");
    let text = fragment("UARL ADDR[0].x, IN[0]\nMOV TEMP[ADDR[0].x+2], IN[0]");
    let error = stopped(&text.replace("DCL TEMP", "DCL ADDR[0]\nDCL TEMP"));
    assert_eq!(error.to_string(), "instruction 1, lane 2: register 4 lies outside its file");
}

#[test]
fn missing_resources_name_their_unit() {
    let text =
        fragment("TEX OUT[0], IN[0], SAMP[3], 2D").replace("DCL TEMP", "DCL SAMP[3]\nDCL TEMP");
    assert_eq!(stopped(&text).to_string(), "instruction 0, lane 1: texture 3 does not exist");
    let text = fragment("LOAD OUT[0], IMAGE[2], IN[0], 2D")
        .replace("DCL TEMP", "DCL IMAGE[2], 2D\nDCL TEMP");
    assert_eq!(stopped(&text).to_string(), "instruction 0, lane 1: image 2 does not exist");
}

#[test]
fn endless_work_meets_its_limit() {
    let error = stopped(&fragment("BGNLOOP\nADD TEMP[0], TEMP[0], IN[0]\nENDLOOP"));
    let text = error.to_string();
    assert!(text.ends_with(", lane 1: the limit of 1000000 steps is reached"), "{text}");
    let text = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nDCL OUT[0], POSITION\n\
                IMM[0] UINT32 {0, 0, 0, 0}\nBGNLOOP\nEMIT IMM[0].xxxx\nENDLOOP\nEND\n";
    let kernel = Kernel::new(&parse(text)).unwrap();
    let error = kernel.run(&Inputs::default(), STEP_LIMIT, &mut NoResources).unwrap_err();
    let want = "instruction 1, lane 0: the limit of 65536 emitted vertices is reached";
    assert_eq!(error.to_string(), want);
}

#[test]
fn calls_nest_to_a_fixed_depth() {
    // Subroutine n calls subroutine n + 1; there are 40.
    let mut text = "VERT\nDCL OUT[0], POSITION\nCAL :2\nEND\n".to_owned();
    for n in 0..40 {
        let call = format!("CAL :{}\n", 2 + 3 * (n + 1));
        text += &format!("BGNSUB\n{}ENDSUB\n", if n < 39 { call } else { "NOP\n".to_owned() });
    }
    let error = stopped(&text).to_string();
    assert!(error.ends_with(", lane 1: calls nest deeper than 32"), "{error}");
}

/// Memory of two words, with nothing outside.
struct Words([u8; 8]);

impl Resources for Words {
    fn memory(&mut self, _: Space) -> Option<&mut [u8]> {
        Some(&mut self.0)
    }

    fn goes_on_outside(&self, _: Space, _: u64) -> bool {
        false
    }
}

#[test]
fn accesses_beside_whole_words_stop_where_nothing_is_known_of_them() {
    let run = |access: &str, addresses: [u32; 4], resources: &mut dyn Resources| {
        let text = format!("COMP\nDCL MEMORY[0], SHARED\nDCL IN[0]\nDCL OUT[0]\n{access}\nEND\n");
        let inputs =
            Inputs { registers: vec![addresses.map(|address| [address; 4])], ..Inputs::default() };
        let kernel = Kernel::new(&parse(&text)).unwrap();
        kernel.run(&inputs, STEP_LIMIT, resources).map(|_| ()).map_err(|error| error.to_string())
    };
    let where_it_stops = |access: &str, addresses| run(access, addresses, &mut Words([0; 8]));
    let stopped = |lane: u32, address: u32| {
        Err(format!(
            "instruction 0, lane {lane}: address {address} is not that of a whole word in memory"
        ))
    };
    let load = "LOAD OUT[0].x, MEMORY[0], IN[0]";
    assert_eq!(where_it_stops(load, [0, 4, 0, 4]), Ok(()));
    assert_eq!(where_it_stops(load, [0, 4, 6, 8]), stopped(2, 6));
    assert_eq!(where_it_stops("LOAD OUT[0].xy, MEMORY[0], IN[0]", [0, 4, 0, 0]), stopped(1, 4));
    assert_eq!(where_it_stops("STORE MEMORY[0].xy, IN[0], IN[0]", [0, 0, 0, 4]), stopped(3, 4));
    assert_eq!(
        where_it_stops("ATOMUADD OUT[0].x, MEMORY[0], IN[0], IN[0]", [8, 0, 0, 0]),
        stopped(0, 8)
    );
    // The language goes on.
    assert_eq!(run(load, [1, 8, 9, 100], &mut NoResources), Ok(()));
}

/// Nobody knows what is not declared.
struct DeclaredOnly;

impl Resources for DeclaredOnly {
    fn goes_on_undeclared(&self) -> bool {
        false
    }
}

#[test]
fn indices_to_what_is_not_declared_stop_where_nothing_is_known_of_it() {
    let run = |code: &str, picks: [u32; 4], resources: &mut dyn Resources| {
        let text = format!(
            "COMP\nDCL IN[0]\nDCL OUT[0]\nDCL CONST[1][0..3]\nDCL BUFFER[0]\nDCL BUFFER[2]\nDCL BUFFER[4..5], ARRAY(1)\n\
             DCL IMAGE[0..1], 2D, PIPE_FORMAT_R32_UINT\nDCL SAMP[0..1]\nDCL SAMP[2], ARRAY(2)\nDCL SVIEW[1..2], 2D, FLOAT\n\
             DCL ADDR[0]\nUARL ADDR[0].x, IN[0].xxxx\n{code}\nEND\n"
        );
        let registers = vec![picks.map(|pick| [pick; 4])];
        let kernel = Kernel::new(&parse(&text)).unwrap();
        let run = kernel.run(&Inputs { registers, ..Inputs::default() }, STEP_LIMIT, resources);
        run.map(|_| ()).map_err(|error| error.to_string())
    };
    let stopped = |lane: u32, name: &str| {
        Err(format!("instruction 1, lane {lane}: the index leads to {name}, which is not declared"))
    };
    let texel = |code, picks| run(code, picks, &mut DeclaredOnly);
    for (code, picks, lane, name) in [
        ("TEX OUT[0], IN[0], SAMP[ADDR[0].x], 2D", [0, 1, 2, 3], 3, "SAMP[3]"),
        ("TEX OUT[0], IN[0], SAMP[ADDR[0].x+1], 2D", [0, u32::MAX - 1, 0, 0], 1, "SAMP[-1]"),
        ("SAMPLE OUT[0], IN[0], SVIEW[ADDR[0].x], SAMP[0]", [1, 2, 0, 1], 2, "SVIEW[0]"),
        ("SAMPLE OUT[0], IN[0], SVIEW[1], SAMP[ADDR[0].x]", [1, 2, 5, 1], 2, "SAMP[5]"),
        ("LOAD OUT[0], IMAGE[ADDR[0].x], IN[0], 2D", [1, 2, 5, 1], 1, "IMAGE[2]"),
    ] {
        assert_eq!(texel(code, picks), stopped(lane, name), "{code}");
    }
    // Numbers that are declared, but not in the array.
    for (code, picks, lane, name) in [
        ("TEX OUT[0], IN[0], SAMP[ADDR[0].x](2), 2D", [2, 1, 2, 2], 1, "SAMP[1]"),
        ("LOAD OUT[0], BUFFER[ADDR[0].x](1), IN[0]", [4, 5, 2, 4], 2, "BUFFER[2]"),
    ] {
        let array = if name.starts_with('S') { 2 } else { 1 };
        let want =
            stopped(lane, name).map_err(|error: String| format!("{error} in ARRAY({array})"));
        assert_eq!(texel(code, picks), want, "{code}");
    }
    let constant = "MOV OUT[0], CONST[ADDR[0].x+1][0]";
    assert_eq!(run(constant, [0; 4], &mut DeclaredOnly), Ok(()));
    assert_eq!(run(constant, [0, 0, 3, 0], &mut DeclaredOnly), stopped(2, "CONST[4]"));
    assert_eq!(run(constant, [0, 0, 3, 0], &mut NoResources), Ok(()));
    let load = "LOAD OUT[0], BUFFER[ADDR[0].x], IN[0]";
    assert_eq!(run(load, [0, 2, 0, 2], &mut DeclaredOnly), Ok(()));
    assert_eq!(run(load, [0, 1, 0, 2], &mut DeclaredOnly), stopped(1, "BUFFER[1]"));
    assert_eq!(
        run("LOAD OUT[0], CONSTBUF[ADDR[0].x], IN[0]", [1, 1, 1, 0], &mut DeclaredOnly),
        stopped(3, "CONST[0]")
    );
}
