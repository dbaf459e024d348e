//! Files that are gone run as what took their place.

use crate::common;

use common::{doubles, floats, parse, run, run_with};
use tgsi_exec::{Bindings, Inputs, Kernel, NoResources, STEP_LIMIT, Space};
use tgsi_ir::InstructionId;

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

/// `OUT[0]` of a fragment shader with predicates and the inputs 0 and 1.
fn predicated(body: &str, inputs: [[f32; 4]; 2]) -> [f32; 4] {
    let text = format!(
        "FRAG\nDCL IN[0..1], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL PRED[0]\nDCL TEMP[0..3]\n\
         DCL ADDR[0]\nIMM[0] FLT32 {{1.0, 2.0, 3.0, 4.0}}\n{body}\nEND\n"
    );
    let inputs = inputs.map(|vector| [vector.map(f32::to_bits); 4]);
    run(&text, inputs.to_vec()).outputs[0][0].map(f32::from_bits)
}

#[test]
fn every_result_is_predicated() {
    // Neither half of the answer is taken over: not the fraction, not the exponent.
    let body = "MOV PRED[0], IN[0]\nMOV TEMP[0], IMM[0]\nMOV TEMP[1], IMM[0]\n\
                (PRED[0].xyzw) DFRACEXP TEMP[0].xy, TEMP[1].x, IN[1].xyxy\n\
                MOV OUT[0].xy, TEMP[0]\nMOV OUT[0].zw, TEMP[1].xxxx";
    assert_eq!(predicated(body, [[0.0; 4], [1.0; 4]]), [1.0, 2.0, 1.0, 1.0]);
    // An address register.
    let body = "MOV PRED[0], IN[0]\nMOV TEMP[0], IN[1]\nMOV TEMP[1], IMM[0]\n\
                ARL ADDR[0].x, IN[0].yyyy\n(!PRED[0].x) ARL ADDR[0].x, IMM[0].xxxx\n\
                MOV OUT[0], TEMP[ADDR[0].x]";
    assert_eq!(predicated(body, [[0.0; 4], [9.0; 4]]), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(predicated(body, [[1.0, 0.0, 0.0, 0.0], [9.0; 4]]), [9.0; 4]);
}

/// The subscript lies outside of its file where no channel is taken over.
#[test]
fn lanes_that_write_nothing_do_not_evaluate_subscripts() {
    let begin =
        "MOV PRED[0], IN[0]\nMOV TEMP[0], IMM[0]\nMOV TEMP[1], IMM[0]\nARL ADDR[0].x, IN[1].xxxx\n";
    for (one, taken) in [
        ("(PRED[0].xyzw) MOV TEMP[0].yz, TEMP[ADDR[0].x]", [1.0, 2.0, 3.0, 4.0]),
        ("(!PRED[0].wwww) MOV TEMP[ADDR[0].x], IMM[0]", [1.0, 2.0, 3.0, 4.0]),
    ] {
        let body = format!("{begin}{one}\nMOV OUT[0], TEMP[0]");
        assert_eq!(predicated(&body, [[1.0, 0.0, 0.0, 1.0], [99.0; 4]]), taken, "{one}");
    }
    let body =
        format!("{begin}(PRED[0].xyzw) MOV TEMP[0].yz, TEMP[ADDR[0].x].wwww\nMOV OUT[0], TEMP[0]");
    assert_eq!(predicated(&body, [[0.0, 1.0, 0.0, 0.0], [1.0; 4]]), [1.0, 4.0, 3.0, 4.0]);
    // The lane runs by the channel that is tested: y for x.
    for (predicate, taken) in
        [("PRED[0].yxzw", 4.0), ("!PRED[0].yxzw", 1.0), ("!PRED[0].zwxy", 4.0)]
    {
        let body = format!(
            "{begin}({predicate}) MOV TEMP[0].x, TEMP[ADDR[0].x].wwww\nMOV OUT[0], TEMP[0]"
        );
        let got = predicated(&body, [[0.0, 1.0, 0.0, 0.0], [1.0; 4]]);
        assert_eq!(got, [taken, 2.0, 3.0, 4.0], "{predicate}");
    }
}

/// A comparison of doubles writes the first channel of each pair, a narrow result one channel for each pair.
#[test]
fn channels_without_a_result_keep_what_they_hold() {
    let [two, three] = [doubles([2.0, 3.0]); 2].map(|words| words.map(f32::from_bits));
    let result = |one: &str| {
        let body = format!(
            "MOV PRED[0], IN[0]\nMOV TEMP[0], IMM[0]\n{one} IN[1].xyxy\nMOV OUT[0], TEMP[0]"
        );
        predicated(&body, [two, three])
    };
    let yes = f32::from_bits(u32::MAX);
    for (one, want) in [
        ("(PRED[0].y) DSEQ TEMP[0].xy, IN[1].xyxy,", [yes, 2.0, 3.0, 4.0]),
        ("(PRED[0].y) DSEQ TEMP[0].yzw, IN[1].xyxy,", [1.0, yes, yes, 4.0]),
        ("(PRED[0].y) D2F TEMP[0].yzw,", [1.0, 2.0, 2.0, 4.0]),
        ("D2F_SATNV TEMP[0].yzw,", [1.0, 1.0, 1.0, 4.0]),
        ("(PRED[0].y) D2F_SATNV TEMP[0].xzw,", [1.0, 2.0, 1.0, 4.0]),
    ] {
        assert_eq!(result(one).map(f32::to_bits), want.map(f32::to_bits), "{one}");
    }
}

/// What is clamped is the old value; what is stored is not.
#[test]
fn atomic_operations_are_clamped_to_minus_one() {
    let text = "COMP\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 4, 8, 12}\nIMM[1] FLT32 {-7.5, 9.0, 0.5, 0.0}\n\
                ATOMXCHG_SATNV TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[1].xxxx\n\
                STORE_SATNV BUFFER[0].x, IMM[0].yyyy, TEMP[0]\nSTORE_SATNV BUFFER[0].x, IMM[0].zzzz, IMM[1].yyyy\nEND\n";
    let mut bindings = Bindings::default();
    bindings.memory.insert(Space::Buffer(0), vec![0; 12]);
    run_with(text, Vec::new(), &mut bindings);
    let words: Vec<f32> = bindings.memory[&Space::Buffer(0)]
        .chunks_exact(4)
        .map(|word| f32::from_le_bytes(word.try_into().unwrap()))
        .collect();
    assert_eq!(words, [-7.5, -1.0, 9.0]);
}

/// The label is read from the channel that it names, and from both subscripts, whatever number of labels there is.
#[test]
fn labels_with_a_loop_counter_are_what_they_name() {
    let label = |n: usize| {
        format!(
            "CASE CONST[LOOP[0].y][LOOP[0].x+{n}].yyyy\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nBRK\n"
        )
    };
    let labels: String = (0..20).map(label).collect();
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL LOOP[0]\nDCL CONST[1][0..20]\nDCL TEMP[0]\n\
         IMM[0] FLT32 {{1.0, 0.0, 0.0, 0.0}}\nMOV TEMP[0], IMM[0].yyyy\nBGNFOR LOOP[0], IMM[0].xxyy\n\
         SWITCH IN[0].xxxx\n{labels}ENDSWITCH\nENDFOR LOOP[0]\nMOV OUT[0], TEMP[0].xxxx\nEND\n"
    );
    let mut bindings = Bindings::default();
    bindings.constants.insert(1, (0..21).map(|n| [100, n, 100, 100]).collect());
    for wanted in [1, 16, 20] {
        let outcome = run_with(&text, vec![[[wanted; 4]; 4]], &mut bindings);
        assert_eq!(outcome.outputs[0][0], floats([1.0; 4]), "{wanted}");
    }
}

/// The first result goes to the subscript of the second, or to the predicate.
#[test]
fn results_are_predicated_by_what_was_before() {
    // 6 is 0.75 · 2³: the fraction's words are 0 and 0x3fe80000.
    let double = 6.0f64.to_bits();
    let words = [double as u32, (double >> 32) as u32, 1, 0].map(f32::from_bits);
    let result = |predicate: &str, first: &str, second: &str, shown: &str| {
        let body = format!(
            "MOV PRED[0], IN[0]\nMOV TEMP[0], IN[1].wzww\nMOV TEMP[1], IMM[0].xxxx\nMOV TEMP[2], IMM[0].xxxx\n\
             ARL ADDR[0].x, IMM[0].yyyy\n({predicate}) DFRACEXP {first}, {second}, IN[1].xyxy\nMOV OUT[0], {shown}"
        );
        predicated(&body, [[1.0, 1.0, 0.0, 0.0], words]).map(f32::to_bits)
    };
    let one = 1.0f32.to_bits();
    for (second, written) in [
        ("TEMP[TEMP[0].y+1].x", "TEMP[2]"),
        ("TEMP[TEMP[0].x+1].x", "TEMP[1]"),
        ("TEMP[ADDR[0].x].x", "TEMP[2]"),
    ] {
        let shown = result("PRED[0].xyzw", "TEMP[0].xy", second, written);
        assert_eq!(shown, [3, one, one, one], "{second}");
        let shown = result("!PRED[0].xyzw", "TEMP[0].xy", second, written);
        assert_eq!(shown, [one; 4], "{second}, with the predicate off");
    }
    let shown = result("PRED[0].x", "PRED[0].xy", "TEMP[2].x", "TEMP[2]");
    assert_eq!(shown, [3, one, one, one]);
}

/// What `_SATNV` clamps is a double where the result is one, and goes where the destination was before.
#[test]
fn doubles_are_clamped_to_minus_one_as_doubles() {
    let result = |double: f64, body: &str| {
        let [low, high] = [double.to_bits() as u32, (double.to_bits() >> 32) as u32];
        let body = format!(
            "MOV PRED[0], IN[0]\nMOV TEMP[0], IMM[0].xyzw\nMOV TEMP[1], IN[0].xxxx\n{body}"
        );
        predicated(&body, [[1.0, 1.0, 0.0, 0.0], [low, high, 0, 0].map(f32::from_bits)])
            .map(f32::to_bits)
    };
    let words = |double: f64| [double.to_bits() as u32, (double.to_bits() >> 32) as u32];
    for (double, clamped) in [(6.0, 1.0), (-6.0, -1.0), (0.3, 0.6), (-0.3, -0.6), (-0.0, -0.0)] {
        let [low, high] = words(clamped);
        let shown = "MOV OUT[0], TEMP[0]";
        let sum = |mask: &str| format!("DADD_SATNV TEMP[0]{mask}, IN[1].xyxy, IN[1].xyxy\n{shown}");
        assert_eq!(result(double, &sum("")), [low, high, low, high]);
        let [three, four] = [3.0f32, 4.0].map(f32::to_bits);
        for mask in [".x", ".y", ".xy"] {
            assert_eq!(result(double, &sum(mask)), [low, high, three, four], "{mask}");
        }
    }
    let not_a_number =
        result(f64::NAN, "DADD_SATNV TEMP[0], IN[1].xyxy, IN[1].xyxy\nMOV OUT[0], TEMP[0]");
    assert_eq!(not_a_number[1] & 0x7FF8_0000, 0x7FF8_0000);
    let [low, high] = words(0.75);
    let split = "MOV TEMP[0].x, IN[1].zzzz\nDFRACEXP_SATNV TEMP[TEMP[0].x+1].xy, TEMP[0].x, IN[1].xyxy\n\
                 MOV OUT[0].xy, TEMP[1]\nMOV OUT[0].zw, TEMP[0].xxxx";
    assert_eq!(result(6.0, split), [low, high, 3, 3]);
    // Both results go to one register: the second one stays.
    let both = "DFRACEXP_SATNV TEMP[0].xy, TEMP[0].x, IN[1].xyxy\nMOV OUT[0], TEMP[0].xyxy";
    assert_eq!(result(6.0, both), [3, high, 3, high]);
    let half = "(PRED[0]) DADD TEMP[0].x, IN[1].xyxy, IN[1].xyxy\nMOV OUT[0], TEMP[0].xyxy";
    let [low, high] = words(12.0);
    assert_eq!(result(6.0, half), [low, high, low, high]);
}

/// The first channels that are written hold the subscript.
#[test]
fn all_channels_of_a_vector_go_to_one_register() {
    let result = |instruction: &str| {
        let body = format!("MOV TEMP[0], IN[0]\n{instruction}\nMOV OUT[0], TEMP[0]");
        predicated(&body, [[0.0; 4], [3.0, 0.0, 4.0, 9.0]])
    };
    let cross = result("XPD TEMP[TEMP[0].x], IMM[0].yzxx, IMM[0].zxyy");
    assert_eq!(cross, [5.0, -1.0, -7.0, 1.0]);
    // −(2, 3, 1) where the first vector is at right angles to it.
    let reflected = result("RFL_SAT TEMP[TEMP[0].x].yw, IN[0].xxxx, IN[1]");
    assert!(reflected[0] == 0.0 && reflected[3] == 1.0);
    let along = result("RFL TEMP[TEMP[0].x].xw, IN[1], IN[1]");
    assert_eq!(along, [3.0, 0.0, 0.0, 1.0]);
    assert_eq!(result("NRM TEMP[TEMP[0].x], IN[1]"), [0.6, 0.0, 0.8, 1.0]);
    assert_eq!(result("NRM TEMP[TEMP[0].x].w, IN[1]"), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn blocks_cannot_be_predicated() {
    let text = "FRAG\nDCL OUT[0], COLOR\nDCL PRED[0]\nDCL LOOP[0]\nDCL CONST[0]\n\
                (PRED[0].x) BGNFOR LOOP[0], CONST[0]\nENDFOR LOOP[0]\nEND\n";
    let error = tgsi_exec::Kernel::new(&common::parse(text)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "instruction 0: an instruction that opens or closes a block is predicated"
    );
}

/// Errors while the shader is prepared, and while it runs.
#[test]
fn errors_name_instructions_of_the_shader_that_was_given() {
    let begin = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL ADDR[0]\nDCL TEMP[0..1]\n\
                 DCL IMMX[0][0..1] { {1, 2, 3, 4}, {5, 6, 7, 8} }\nARL ADDR[0].x, IN[0]\nMOV TEMP[0], IMMX[0][ADDR[0].x]\n\
                 XPD TEMP[0], TEMP[0], IN[0].yzxw\n";
    let kernel = Kernel::new(&parse(&format!("{begin}MOV OUT[0], TEMP[ADDR[0].x-900]\nEND\n")));
    let stopped = kernel.unwrap().run(&Inputs::default(), STEP_LIMIT, &mut NoResources);
    assert_eq!(stopped.unwrap_err().at(), Some(InstructionId(3)));
    let refused = Kernel::new(&parse(&format!("{begin}MOV OUT[0], SAMP[0]\nEND\n")));
    assert_eq!(refused.unwrap_err().at(), Some(InstructionId(3)));
    let undefined = Kernel::new(&parse(&format!("{begin}MOV OUT[0], TEMPX[0][1]\nEND\n")));
    assert_eq!(undefined.unwrap_err().at(), Some(InstructionId(3)));
}
