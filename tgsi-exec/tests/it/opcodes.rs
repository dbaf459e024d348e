//! Opcodes that Mesa's interpreter does not execute, by their documented formulas.

use crate::common;

use std::collections::BTreeSet;

use common::{all, doubles, floats, fragment, parse, run, run_with};
use tgsi_exec::{Bindings, Inputs, Kernel, NoResources, Quad, Resources, STEP_LIMIT, Space};
use tgsi_exec::{TextureAccess, TextureQuery};
use tgsi_ir::Opcode;

/// What `OUT[0]` holds in lane 0 after `body`, the sources being the same in every lane.
fn uniform(body: &str, sources: &[[u32; 4]]) -> [u32; 4] {
    let registers = sources.iter().map(|&source| all(source)).collect();
    let outcome = run(&fragment(body), registers);
    assert!(outcome.outputs[0].iter().all(|lane| *lane == outcome.outputs[0][0]), "{body}");
    outcome.outputs[0][0]
}

/// What `OUT[0].x` holds in each lane after `body`, `IN[0].x` being `x`.
fn lanes(body: &str, x: [u32; 4]) -> [u32; 4] {
    run(&fragment(body), vec![x.map(|x| [x; 4])]).outputs[0].map(|lane| lane[0])
}

const TRUE: u32 = u32::MAX;

#[test]
fn a_fused_product_rounds_once() {
    let x = 1.0 + f32::EPSILON;
    let sources = [floats([x; 4]), floats([x; 4]), floats([-1.0; 4])];
    // x² − 1 = 2ε + ε², which a rounded product loses.
    let want = 2.0 * f32::EPSILON + f32::EPSILON * f32::EPSILON;
    assert_eq!(uniform("FMA OUT[0], IN[0], IN[1], IN[2]", &sources), floats([want; 4]));
    let unfused = uniform("MAD OUT[0], IN[0], IN[1], IN[2]", &sources);
    assert_eq!(unfused, floats([2.0 * f32::EPSILON; 4]));
}

#[test]
fn a_fused_double_product_rounds_once() {
    let x = 1.0 + f64::EPSILON;
    let sources = [doubles([x, 3.0]), doubles([x, 4.0]), doubles([-1.0, 5.0])];
    let want = doubles([2.0 * f64::EPSILON + f64::EPSILON * f64::EPSILON, 17.0]);
    assert_eq!(uniform("DFMA OUT[0], IN[0], IN[1], IN[2]", &sources), want);
}

#[test]
fn doubles_are_rounded_in_four_ways_and_have_signs() {
    let check = |name: &str, source: [f64; 2], want: [f64; 2]| {
        let body = format!("{name} OUT[0], IN[0]");
        assert_eq!(uniform(&body, &[doubles(source)]), doubles(want), "{name}");
    };
    check("DTRUNC", [2.75, -2.75], [2.0, -2.0]);
    check("DCEIL", [2.25, -2.75], [3.0, -2.0]);
    check("DROUND", [2.5, -3.5], [2.0, -4.0]);
    check("DSSG", [7.5, -1e300], [1.0, -1.0]);
    check("DSSG", [-0.0, f64::NAN], [0.0, 0.0]);
}

#[test]
fn small_numbers_are_packed_and_unpacked() {
    let check = |body: &str, source: [u32; 4], want: [u32; 4]| {
        assert_eq!(uniform(body, &[source]), want, "{body}");
    };
    let packed = |source: [f32; 4], name: &str, want: u32| {
        check(&format!("{name} OUT[0], IN[0]"), floats(source), [want; 4]);
    };
    packed([1.0, 0.5, 9.0, 9.0], "PK2US", 0x8000_ffff);
    packed([2.0, -1.0, 0.0, 0.0], "PK2US", 0x0000_ffff);
    packed([1.0, 0.0, 0.2, f32::NAN], "PK4UB", 0x0033_00ff);
    packed([1.0, -1.0, 0.5, -2.0], "PK4B", 0x8140_817f);
    let half = 32768.0 / 65535.0;
    check("UP2US OUT[0], IN[0]", [0x8000_ffff; 4], floats([1.0, half, 1.0, half]));
    check("UP4UB OUT[0], IN[0]", [0x0033_00ff; 4], floats([1.0, 0.0, 0.2, 0.0]));
    let want = floats([1.0, -1.0, 64.0 / 127.0, -1.0]);
    check("UP4B OUT[0], IN[0]", [0x8040_817f; 4], want);
}

#[test]
fn lanes_vote() {
    assert_eq!(lanes("VOTE_ANY OUT[0], IN[0]", [0, 0, 5, 0]), [TRUE; 4]);
    assert_eq!(lanes("VOTE_ANY OUT[0], IN[0]", [0; 4]), [0; 4]);
    assert_eq!(lanes("VOTE_ALL OUT[0], IN[0]", [1, 2, 3, 4]), [TRUE; 4]);
    assert_eq!(lanes("VOTE_ALL OUT[0], IN[0]", [1, 0, 3, 4]), [0; 4]);
    assert_eq!(lanes("VOTE_EQ OUT[0], IN[0]", [7; 4]), [TRUE; 4]);
    assert_eq!(lanes("VOTE_EQ OUT[0], IN[0]", [7, 7, 7, 8]), [0; 4]);
}

#[test]
fn only_lanes_that_run_vote() {
    let body = |name: &str| format!("UIF IN[0].xxxx\n{name} OUT[0], IN[0]\nENDIF");
    assert_eq!(lanes(&body("VOTE_ALL"), [1, 0, 3, 4]), [TRUE, 0, TRUE, TRUE]);
    assert_eq!(lanes(&body("VOTE_EQ"), [0, 3, 3, 3]), [0, TRUE, TRUE, TRUE]);
    assert_eq!(lanes(&body("READ_FIRST"), [0, 7, 8, 9]), [0, 7, 7, 7]);
    assert_eq!(lanes(&body("BALLOT"), [1, 0, 1, 1]), [0b1101, 0, 0b1101, 0b1101]);
}

#[test]
fn lanes_read_each_other() {
    assert_eq!(lanes("READ_FIRST OUT[0], IN[0]", [5, 6, 7, 8]), [5; 4]);
    let body = "READ_INVOC OUT[0], IN[0], IMM[0].zzzz";
    assert_eq!(lanes(body, [5, 6, 7, 8]), [7; 4]);
    let ballot = uniform("BALLOT OUT[0].xy, IN[0].xxxx", &[[1; 4]]);
    assert_eq!(ballot, [0b1111, 0, 0, 0]);
}

#[test]
fn a_demoted_lane_goes_on_as_a_helper() {
    let body = "UIF IN[0].xxxx\nDEMOTE\nENDIF\nMOV OUT[0], IMM[0].yyyy\nREAD_HELPER OUT[1]";
    let outcome = run(&fragment(body), vec![[0, 1, 0, 0].map(|x| [x; 4])]);
    assert_eq!(outcome.killed, 0b0010);
    assert_eq!(outcome.outputs[0], all([1; 4]));
    assert_eq!(outcome.outputs[1].map(|lane| lane[3]), [0, TRUE, 0, 0]);
}

#[test]
fn helpers_are_known_from_the_start() {
    let kernel = Kernel::new(&parse(&fragment("READ_HELPER OUT[0]"))).unwrap();
    let inputs = Inputs { helpers: 0b1000, ..Inputs::default() };
    let outcome = kernel.run(&inputs, STEP_LIMIT, &mut NoResources).unwrap();
    assert_eq!(outcome.outputs[0].map(|lane| lane[0]), [0, 0, 0, TRUE]);
    assert_eq!(outcome.killed, 0);
}

/// Gives sevens where the language leaves results open.
struct Open;

impl Resources for Open {
    fn open_result(&mut self) -> u32 {
        7
    }
}

#[test]
fn results_of_atomic_operations_are_open_in_lanes_that_take_no_part() {
    let body = "UIF IN[0].xxxx\nDEMOTE\nENDIF\nATOMUADD OUT[0].x, HWATOMIC[0], IMM[0].xxxx, IMM[0].yyyy\n\
                LOAD OUT[1].x, HWATOMIC[0], IMM[0].xxxx";
    let text = fragment(body).replace("DCL TEMP", "DCL HWATOMIC[0]\nDCL TEMP");
    let kernel = Kernel::new(&parse(&text)).unwrap();
    let registers = vec![[0, 1, 0, 0].map(|x| [x; 4])];
    let inputs = Inputs { registers, helpers: 0b1000, ..Inputs::default() };
    let outcome = kernel.run(&inputs, STEP_LIMIT, &mut Open).unwrap();
    assert_eq!(outcome.outputs[0].map(|lane| lane[0]), [0, 7, 0, 7]);
    assert_eq!(outcome.outputs[1].map(|lane| lane[0]), [0; 4]);
}

/// Answers what was asked, so that tests see it.
#[derive(Default)]
struct Asked {
    accesses: Vec<TextureAccess>,
    counters: Vec<u8>,
}

impl Resources for Asked {
    fn texture(&mut self, access: &TextureAccess) -> Option<Quad> {
        self.accesses.push(access.clone());
        Some([[10, 11, 12, 13]; 4])
    }

    fn framebuffer(&mut self, output: u32) -> Option<Quad> {
        Some([0, 1, 2, 3].map(|lane| [output, lane, 8, 9]))
    }

    fn interpolate(&mut self, _: u32, offsets: [[f32; 2]; 4]) -> Option<Quad> {
        Some(offsets.map(|[x, y]| floats([x, y, 5.0, 6.0])))
    }

    fn sample_offset(&self, sample: u32) -> [f32; 2] {
        [sample as f32 / 8.0, 0.25]
    }

    fn memory(&mut self, space: Space) -> Option<&mut [u8]> {
        (space == Space::HardwareAtomic(1)).then_some(&mut self.counters)
    }

    fn clock(&mut self) -> Option<u64> {
        Some(0x1_0000_0005)
    }
}

fn asked(body: &str, source: [u32; 4]) -> (TextureAccess, [u32; 4]) {
    let mut resources = Asked::default();
    let text =
        fragment(body).replace("DCL TEMP", "DCL SAMP[0..3]\nDCL SVIEW[0..3], 2D, FLOAT\nDCL TEMP");
    let outcome = run_with(&text, vec![all(source)], &mut resources);
    (resources.accesses.remove(0), outcome.outputs[0][0])
}

#[test]
fn all_texture_opcodes_request_texels() {
    let source = [1, 2, 3, 4];
    let (access, _) = asked("TEX_LZ OUT[0], IN[0], SAMP[2], 2D", source);
    assert_eq!((access.query, access.unit, access.lod), (TextureQuery::SampleLevel, 2, [0; 4]));
    assert_eq!(access.coordinates[1], [1, 2, 0, 0]);
    let (access, _) = asked("TXF_LZ OUT[0], IN[0], SAMP[1], 3D", source);
    assert_eq!((access.query, access.unit, access.lod), (TextureQuery::Fetch, 1, [0; 4]));
    assert_eq!(access.coordinates[3], [1, 2, 3, 0]);
    let (access, answer) = asked("TXQS OUT[0], SAMP[3], 2D_MSAA", source);
    assert_eq!((access.query, access.unit, answer[0]), (TextureQuery::SampleCount, 3, 10));
    let (access, answer) = asked("SAMPLE_POS OUT[0], SVIEW[1], IN[0].yyyy", source);
    assert_eq!((access.query, access.lod), (TextureQuery::SamplePosition, [2; 4]));
    assert_eq!(answer, [10, 11, 12, 13]);
    let (access, _) = asked("SAMPLE_INFO OUT[0], SVIEW[2], IN[0]", source);
    assert_eq!((access.query, access.unit), (TextureQuery::SampleCount, 2));
}

#[test]
fn shadow_maps_compare_at_level_0() {
    let (access, _) = asked("TEX_LZ OUT[0], IN[0], SAMP[0], SHADOW2D", [1, 2, 3, 4]);
    assert_eq!(access.reference, Some([3; 4]));
}

#[test]
fn handles_stand_for_units() {
    let handle = asked("SAMP2HND TEMP[0].xy, SAMP[3], 2D\nTEX OUT[0], IN[0], TEMP[0], 2D", [1; 4]);
    assert_eq!((handle.0.unit, handle.0.sampler), (3, 3));
    let text = fragment("IMG2HND OUT[0].xy, IMAGE[2]")
        .replace("DCL TEMP", "DCL IMAGE[2], 2D, WR\nDCL TEMP");
    assert_eq!(run(&text, Vec::new()).outputs[0][0], [2, 0, 0, 0]);
}

#[test]
fn units_may_differ_by_lane() {
    let body = "UARL ADDR[0].x, IN[0]\nTEX OUT[0], IN[0], SAMP[ADDR[0].x], 2D";
    let text = fragment(body).replace("DCL TEMP", "DCL SAMP[0..3]\nDCL ADDR[0]\nDCL TEMP");
    let mut resources = Asked::default();
    run_with(&text, vec![[2, 1, 2, 1].map(|x| [x; 4])], &mut resources);
    let asked: Vec<_> = resources.accesses.iter().map(|a| (a.unit, a.active)).collect();
    assert_eq!(asked, [(2, [true, false, true, false]), (1, [false, true, false, true])]);
}

#[test]
fn colours_below_and_time_come_from_outside() {
    let mut resources = Asked::default();
    let outcome =
        run_with(&fragment("FBFETCH OUT[0], OUT[1]\nCLOCK OUT[1].xy"), vec![], &mut resources);
    assert_eq!(outcome.outputs[0][2], [1, 2, 8, 9]);
    assert_eq!(outcome.outputs[1][2], [5, 1, 0, 0]);
    // Without a clock, steps are counted.
    assert_eq!(run(&fragment("NOP\nCLOCK OUT[0].xy"), vec![]).outputs[0][0], [2, 0, 0, 0]);
}

#[test]
fn inputs_are_interpolated_anew() {
    let lanes = [1.0, 2.0, 4.0, 8.0].map(|x: f32| floats([x, 10.0 * x, 0.0, 0.0]));
    let offset = all(floats([0.5, 0.25, 0.0, 0.0]));
    let text = fragment(
        "INTERP_OFFSET OUT[0], IN[0].yxzw, IN[1]\nINTERP_SAMPLE OUT[1], IN[0].yxzw, IMM[0].zzzz",
    );
    // By the differences of the quad: x + 0.5 (2 − 1) + 0.25 (4 − 1) in the first lane.
    let outcome = run(&text, vec![lanes, offset]);
    assert_eq!(outcome.outputs[0][0], floats([22.5, 2.25, 0.0, 0.0]));
    assert_eq!(outcome.outputs[0][3], floats([115.0, 11.5, 0.0, 0.0]));
    assert_eq!(outcome.outputs[1][1], floats([20.0, 2.0, 0.0, 0.0]));
    let outcome = run_with(&text, vec![lanes, offset], &mut Asked::default());
    assert_eq!(outcome.outputs[0][0], floats([0.25, 0.5, 5.0, 6.0]));
    assert_eq!(outcome.outputs[1][0], floats([0.25, 0.25, 5.0, 6.0]));
}

#[test]
fn flat_inputs_are_the_same_wherever_they_are_interpolated() {
    let lanes = [1.0, 2.0, 4.0, 8.0].map(|x: f32| floats([x; 4]));
    let text = fragment("INTERP_OFFSET OUT[0], -IN[0], IMM[1].zzzz");
    // Constant is also what a declaration without an interpolation means.
    for flat in [", CONSTANT", ""] {
        let outcome = run(&text.replace(", PERSPECTIVE", flat), vec![lanes]);
        assert_eq!(outcome.outputs[0], [-1.0, -2.0, -4.0, -8.0].map(|x| floats([x; 4])), "{flat}");
    }
}

#[test]
fn counters_wrap() {
    let check = |name: &str, start: u32, limit: u32, want: [u32; 5]| {
        let text = format!(
            "COMP\nDCL HWATOMIC[1][0..3]\nDCL OUT[0]\nDCL IN[0..1]\n{name} OUT[0].x, HWATOMIC[1][2], IN[0], IN[1]\nEND\n"
        );
        let mut resources = Asked { counters: vec![0; 16], ..Asked::default() };
        resources.counters[8..12].copy_from_slice(&start.to_le_bytes());
        let outcome = run_with(&text, vec![all([0; 4]), all([limit; 4])], &mut resources);
        let after = u32::from_le_bytes(resources.counters[8..12].try_into().unwrap());
        let [a, b, c, d] = outcome.outputs[0].map(|lane| lane[0]);
        assert_eq!([a, b, c, d, after], want, "{name}");
    };
    check("ATOMINC_WRAP", 1, 3, [1, 2, 3, 0, 1]);
    check("ATOMDEC_WRAP", 1, 3, [1, 0, 3, 2, 1]);
    check("ATOMDEC_WRAP", 9, 3, [9, 3, 2, 1, 0]);
}

/// Opcodes that occur in texts here, in those of Mesa's results, or in the test of stages.
#[test]
fn every_opcode_is_tested() {
    let Some(vectors) = test_support::shared_text("vectors/tgsi-exec.jsonl") else { return };
    let here = concat!(include_str!("opcodes.rs"), include_str!("flow.rs"));
    let words = vectors.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    // In JSON a line begins with the n of its \n.
    let words = words.flat_map(|word| [word, word.strip_prefix('n').unwrap_or(word)]);
    let own = here.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    // A line that begins in a Rust text begins with an n, too.
    let own = own.flat_map(|word| [word, word.strip_prefix('n').unwrap_or(word)]);
    let tested: BTreeSet<Opcode> = words.chain(own).filter_map(named).collect();
    // The gaps of the numbering mean nothing.
    let is_today = |opcode: &Opcode| !opcode.is_legacy() && !opcode.name().starts_with("UNK");
    let today = Opcode::ALL.into_iter().filter(is_today);
    let (with, without): (Vec<_>, Vec<_>) = today.partition(|opcode| tested.contains(opcode));
    println!("{} opcodes are tested", with.len());
    assert!(without.is_empty(), "{without:?}");
}

/// Upper-case words only: `and` is no opcode.
fn named(word: &str) -> Option<Opcode> {
    Opcode::from_name(word).filter(|opcode| opcode.name() == word)
}

/// Any file may tell a number, also that of the constants.
#[test]
fn constants_pick_registers() {
    let text = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0..3]\nDCL TEMP[0..2]\nMOV TEMP[1], CONST[3]\n\
                MOV TEMP[CONST[3].x], CONST[CONST[3].y+1]\nMOV OUT[0], TEMP[2]\nEND\n";
    let mut bindings = Bindings::default();
    bindings.constants.insert(0, vec![[1; 4], [5; 4], [9; 4], [2, 1, 0, 0]]);
    assert_eq!(run_with(text, Vec::new(), &mut bindings).outputs[0][0], [9; 4]);
}

#[test]
fn each_lane_picks_its_counter() {
    let text = "COMP\nDCL HWATOMIC[1][0..3]\nDCL OUT[0]\nDCL IN[0..1]\nDCL ADDR[0]\nUARL ADDR[0].x, IN[1].xxxx\n\
                ATOMUADD OUT[0].x, HWATOMIC[1][ADDR[0].x+1], IN[0], IN[0].yyyy\nEND\n";
    let mut resources = Asked { counters: vec![0; 16], ..Asked::default() };
    let picks = [0, 1, 1, u32::MAX].map(|n| [n; 4]);
    let outcome = run_with(text, vec![all([0, 5, 0, 0]), picks], &mut resources);
    assert_eq!(outcome.outputs[0].map(|lane| lane[0]), [0, 0, 5, 0]);
    let counters: Vec<u8> = resources.counters.iter().copied().step_by(4).collect();
    assert_eq!(counters, [5, 5, 10, 0]);
    // What lies before the first counter is not there.
    let picks = [u32::MAX - 1; 4].map(|n| [n; 4]);
    let outcome = run_with(text, vec![all([0, 5, 0, 0]), picks], &mut resources);
    assert_eq!(outcome.outputs[0], [[0; 4]; 4]);
}

#[test]
fn counters_that_are_not_declared_are_zero_and_keep_nothing() {
    let check = |access: &str, picks: [u32; 4], want: [u32; 4]| {
        let text = format!(
            "COMP\nDCL HWATOMIC[1][0..1], ARRAY(1)\nDCL HWATOMIC[1][3], ARRAY(2)\nDCL OUT[0]\nDCL IN[0..1]\nDCL ADDR[0]\n\
             UARL ADDR[0].x, IN[1].xxxx\n{access}\nEND\n"
        );
        let counters = (1_u32..=4).flat_map(u32::to_le_bytes).collect();
        let mut resources = Asked { counters, ..Asked::default() };
        let inputs = vec![all([4, 9, 0, 0]), picks.map(|n| [n; 4])];
        let outcome = run_with(&text, inputs, &mut resources);
        assert_eq!(outcome.outputs[0].map(|lane| lane[0]), want, "{access}");
        assert_eq!(resources.counters[8], 3, "{access}");
    };
    check("ATOMXCHG OUT[0], HWATOMIC[1][1], IN[0], IN[0].yyyy", [0; 4], [0; 4]);
    check("ATOMUADD OUT[0], HWATOMIC[1][ADDR[0].x], IN[0].zzzz, IN[0].yyyy", [2; 4], [0; 4]);
    check("LOAD OUT[0], HWATOMIC[1][ADDR[0].x], IN[0].zzzz", [0, 1, 2, 3], [1, 2, 0, 4]);
    // An index stays in the array that is named; from there an address and the channels lead on.
    check("LOAD OUT[0], HWATOMIC[1][ADDR[0].x](2), IN[0].zzzz", [0, 1, 2, 3], [0, 0, 0, 4]);
    check("LOAD OUT[0].xyz, HWATOMIC[1][1].zxyw, IN[0].zzzz", [0; 4], [2; 4]);
}

#[test]
fn zero_wins_over_everything_where_the_shader_says_so() {
    let bodies = [
        "MUL OUT[0], IN[0], IMM[1].xxxx",
        "MAD OUT[0], IMM[1].xxxx, IN[0], IMM[1].xxxx",
        "LRP OUT[0], IMM[1].xxxx, IN[0], IMM[1].xxxx",
        "DP2 OUT[0], IN[0], IMM[1].xxxx",
        "DP3 OUT[0], IMM[1].xxxx, IN[0]",
        "DP4 OUT[0], IN[0], IMM[1].xxxx",
        "DST OUT[0].y, IN[0], IMM[1].xxxx",
    ];
    for special in [f32::INFINITY, f32::NAN] {
        let lanes = vec![all([special.to_bits(); 4]); 4];
        for body in bodies {
            let text = fragment(body);
            let plain = run(&text, lanes.clone());
            assert!(f32::from_bits(plain.outputs[0][0][1]).is_nan(), "{body}");
            let text = text.replacen("FRAG\n", "FRAG\nPROPERTY MUL_ZERO_WINS 1\n", 1);
            assert_eq!(run(&text, lanes.clone()).outputs[0][0][1], 0, "{body}");
        }
    }
}
