//! Shaders that check themselves, run by the interpreter.

use tgsi_exec::{Bindings, Inputs, Kernel, STEP_LIMIT, Space, WorkGroup};
use tgsi_ir::validate::{Profile, is_valid, validate};
use tgsi_ir::{Component, File, Semantic, SemanticName, Shader, WriteMask};
use tgsi_spirv::interface::ConstantKind;
use tgsi_spirv::{Environment, ErrorKind, Options, Specialization, Translation, translate};

pub(super) fn only(name: &str, options: &Options) -> Translation {
    let mut list = translate(&super::module(name), options).expect("the module is translated");
    let shader = list.pop().expect("it has an entry point");
    let findings = validate(&shader.shader, Profile::Full);
    assert!(is_valid(&findings), "{name}: {findings:?}");
    shader
}

/// `zero`, `one`, `half_`, `two`.
const PUSH: [u32; 4] = [0, 1, 0x3f00_0000, 0x4000_0000];

#[track_caller]
pub(super) fn check(name: &str) {
    let Translation { shader, interface, .. } = only(name, &Options::default());
    let mut bindings = Bindings::default();
    for buffer in &interface.constants {
        // A block's words count on, from -8 on: as the checks expect them.
        let word = |n: u32| ((n as f32) - 8.0).to_bits();
        let block =
            (0..u32::from(buffer.num_registers)).map(|n| [0, 1, 2, 3].map(|m| word(4 * n + m)));
        let contents = match buffer.kind {
            ConstantKind::PushConstants => vec![PUSH],
            _ => block.collect(),
        };
        bindings.constants.insert(buffer.buffer.into(), contents);
    }
    let kernel = Kernel::new(&shader).expect("the interpreter supports it");
    let outcome = kernel.run(&Inputs::default(), STEP_LIMIT, &mut bindings).expect("it terminates");
    let failed = f32::from_bits(outcome.outputs[0][0][0]);
    assert_eq!(failed, 0.0, "{name}: check {failed} failed");
    assert_eq!(f32::from_bits(outcome.outputs[0][0][3]), 1.0);
}

#[test]
fn control_flow_of_every_form() {
    check("flow.frag");
}

#[test]
fn arithmetic_and_functions() {
    check("arithmetic.frag");
}

#[test]
fn vectors_and_matrices_of_64_bits() {
    check("wide.frag");
}

#[test]
fn arrays_structs_matrices_and_blocks() {
    check("memory.frag");
}

#[test]
fn lanes_that_leave_keep_what_they_held() {
    check("exits.frag");
}

#[test]
fn more_early_returns_than_blocks_nest() {
    check("returns.frag");
}

#[test]
fn phis_that_glslang_does_not_write() {
    check("edges.spvasm");
}

#[test]
fn sides_that_meet_without_a_merge_instruction() {
    check("joins.spvasm");
}

#[test]
fn dot_products_of_bytes() {
    check("packed.spvasm");
}

#[test]
fn ends_that_constants_cut_off() {
    check("unreached.spvasm");
}

/// A lane that goes on where it was discarded, to lend its neighbours what derivatives need, must come to an end.
#[test]
fn discarded_lanes_leave_all_loops_and_enter_none() {
    let Translation { shader, .. } = only("kills.frag", &Options::default());
    let kernel = Kernel::new(&shader).expect("the interpreter supports it");
    for which in 0..14 {
        let mut bindings = Bindings::default();
        bindings.constants.insert(0, vec![[0, which, 0, 0]]);
        let outcome = kernel.run(&Inputs::default(), STEP_LIMIT, &mut bindings);
        let outcome = outcome.unwrap_or_else(|error| panic!("loop {which}: {error}"));
        assert_eq!(outcome.killed, if which > 0 { 15 } else { 0 });
    }
}

#[test]
fn outputs_that_nothing_names_start_as_they_say() {
    let list = translate(&super::module("initial.spvasm"), &Options::default());
    let [main, other] = <[Translation; 2]>::try_from(list.expect("it is translated")).unwrap();
    let run = |one: &Translation| {
        let kernel = Kernel::new(&one.shader).expect("the interpreter supports it");
        let outcome = kernel.run(&Inputs::default(), STEP_LIMIT, &mut Bindings::default());
        outcome
            .expect("it terminates")
            .outputs
            .iter()
            .map(|quad| quad[0].map(f32::from_bits))
            .collect::<Vec<_>>()
    };
    let (first, second) = ([1.0; 4], [2.0, 2.0, 2.0, 1.0]);
    assert_eq!(run(&main), Vec::from([first, second]));
    assert_eq!(run(&other), Vec::from([first]));
}

/// The buffer after a group of four has run, with a specialised constant.
fn run_group(factor: Option<u32>) -> Vec<u32> {
    let mut options = Options::default();
    options.specialization.extend(factor.map(|n| (3, Specialization::Int(n.into()))));
    let Translation { shader, interface, .. } = only("compute.comp", &options);
    assert_eq!(interface.specialization[0].value, u64::from(factor.unwrap_or(5)));
    assert_eq!(interface.buffers[0].binding, Some(1));
    let words: Vec<u32> =
        [10].into_iter().chain([1.0f32, 2.0, 3.0, 4.0].map(f32::to_bits)).collect();
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.resize(80, 0);
    let mut bindings = Bindings::default();
    bindings.memory.insert(Space::Buffer(interface.buffers[0].register.into()), bytes);
    bindings.memory.insert(Space::Shared, vec![0; interface.shared_bytes as usize]);
    let kernel = Kernel::new(&shader).expect("the interpreter supports it");
    let group = WorkGroup { size: [4, 1, 1], id: [0; 3], grid: [1; 3] };
    kernel.run_group(&group.quads(&shader), STEP_LIMIT, &mut bindings).expect("it terminates");
    let bytes = &bindings.memory[&Space::Buffer(interface.buffers[0].register.into())];
    bytes
        .chunks_exact(4)
        .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
        .collect()
}

#[test]
fn groups_share_memory_and_count() {
    let floats = |words: &[u32]| words.iter().map(|&word| f32::from_bits(word)).collect::<Vec<_>>();
    let words = run_group(None);
    assert_eq!(words[0], 18);
    assert_eq!(floats(&words[1..5]), [20.0, 15.0, 10.0, 5.0]);
    assert_eq!(floats(&words[8..11]), [1.0, 0.0, 0.0]);
    assert_eq!(words[12..20], [10, 4, 10, 4, 10, 4, 10, 4]);
    assert_eq!(floats(&run_group(Some(1))[1..5]), [4.0, 3.0, 2.0, 1.0]);
}

/// What `specialized.frag` shows of its constants 0 to 6: their words, low ones first.
fn constants(values: &[(u32, Specialization)]) -> Vec<u32> {
    let options = Options::default().specialization(values.iter().copied().collect());
    let Translation { shader, .. } = only("specialized.frag", &options);
    let kernel = Kernel::new(&shader).expect("the interpreter supports it");
    let outcome = kernel.run(&Inputs::default(), STEP_LIMIT, &mut Bindings::default());
    let outputs = outcome.expect("it terminates").outputs;
    outputs.iter().flat_map(|quad| quad[0]).take(10).collect()
}

#[test]
fn specialized_constants_have_the_bits_of_their_types() {
    let words = |bits: u64| [bits as u32, (bits >> 32) as u32];
    let shown = |narrow: [u32; 4], wide: [u64; 3]| -> Vec<u32> {
        narrow.into_iter().chain(wide.into_iter().flat_map(words)).collect()
    };
    let usual = shown([0, 1, 2, 3.0f32.to_bits()], [4.0f64.to_bits(), 5, 6]);
    assert_eq!(constants(&[]), usual);
    use Specialization::{Bits, Bool, Float, Int};
    let asked = [Bool(true), Int(-1), Int(-1 + (1 << 32)), Float(0.1), Float(0.1), Int(-1)];
    let asked: Vec<_> = (0..).zip(asked.into_iter().chain([Int(-1 + (1 << 64))])).collect();
    let wide = [0.1f64.to_bits(), u64::MAX, u64::MAX];
    assert_eq!(constants(&asked), shown([1, u32::MAX, u32::MAX, 0.1f32.to_bits()], wide));
    let asked = [Int(1), Float(-7.0), Bits(9), Int(3), Int(1 << 60), Float(-1e10), Bits(1 << 63)];
    let asked: Vec<_> = (0..).zip(asked).collect();
    let narrow = [1, -7i32 as u32, 9, 3.0f32.to_bits()];
    let wide = [((1u64 << 60) as f64).to_bits(), -10_000_000_000_i64 as u64, 1 << 63];
    assert_eq!(constants(&asked), shown(narrow, wide));
}

#[test]
fn values_that_a_constant_cannot_have_are_refused() {
    let module = super::module("specialized.frag");
    for (number, value, id, text) in [
        (0, Specialization::Int(2), 11, "a truth value and cannot be 2"),
        (1, Specialization::Float(1.5), 16, "a signed integer of 32 bits and cannot be 1.5"),
        (2, Specialization::Int(-1), 18, "an unsigned integer of 32 bits and cannot be -1"),
        (3, Specialization::Float(1e300), 20, "a float of 32 bits and cannot be 1e300"),
        (4, Specialization::Bool(true), 25, "a float of 64 bits and cannot be true"),
        (
            5,
            Specialization::Int(1 << 63),
            29,
            "a signed integer of 64 bits and cannot be 9223372036854775808",
        ),
    ] {
        let options = Options::default().specialization([(number, value)].into());
        let error = translate(&module, &options).expect_err("the value does not fit");
        assert_eq!(error.kind, ErrorKind::Specialization);
        let text = format!("specialisation constant {number} is {text}, in OpSpecConstant");
        assert!(error.to_string().starts_with(&text), "{error}");
        assert_eq!(error.place.id, Some(id));
    }
}

#[test]
fn locations_that_nothing_writes_move_no_others() {
    let Translation { interface, .. } = only("gaps.vert", &Options::default());
    let outputs = interface.outputs.iter().filter(|one| one.location.is_some());
    let list: Vec<_> = outputs.map(|one| (one.location, one.register, one.num_registers)).collect();
    assert_eq!(list, [(Some(4), 1, 1), (Some(6), 2, 1)]);
}

/// A line of the interface has one location after the other, in one register after the other, of the same shape.
#[test]
fn members_of_blocks_keep_their_locations_and_shapes() {
    let Translation { interface, .. } = only("members.vert", &Options::default());
    let outputs = interface.outputs.iter().filter_map(|one| Some((one.location?, one)));
    let mut list: Vec<_> =
        outputs.map(|(at, one)| (at, one.num_registers, one.num_components)).collect();
    list.sort_unstable();
    let of_one = [(0, 1, 4), (1, 1, 2), (2, 1, 1), (3, 1, 1), (4, 3, 4)];
    assert_eq!(list, [&of_one[..], &[(9, 1, 4), (10, 1, 4), (13, 1, 4)]].concat());
}

/// The registers of a shader's attributes by their locations, and its position from registers that hold `n` in
/// narrow attributes and in the doubles of wide ones.
fn attributes(environment: Environment, narrow: &[usize]) -> (Vec<(u32, u16)>, [f32; 4]) {
    let options = Options::default().environment(environment);
    let Translation { shader, interface, .. } = only("attributes.vert", &options);
    let mut places: Vec<(u32, u16)> = interface
        .inputs
        .iter()
        .flat_map(|one| (0..one.num_registers).map(|n| (one.location, one.register + n, n)))
        .filter_map(|(first, register, n)| Some((first? + u32::from(n), register)))
        .collect();
    places.sort_unstable();
    places.dedup();
    let registers = (0..places.len()).map(|n| {
        let double = (n as f64).to_bits();
        let [low, high] = [double as u32, (double >> 32) as u32];
        let single = [(n as f32).to_bits(); 4];
        [if narrow.contains(&n) { single } else { [low, high, low, high] }; 4]
    });
    let inputs = Inputs { registers: registers.collect(), ..Inputs::default() };
    let kernel = Kernel::new(&shader).expect("the interpreter supports it");
    let outcome = kernel.run(&inputs, STEP_LIMIT, &mut Bindings::default()).expect("it terminates");
    (places, outcome.outputs[0][0].map(f32::from_bits))
}

#[test]
fn wide_attributes_take_one_location_of_opengl() {
    let (places, position) = attributes(Environment::OpenGl, &[2, 5]);
    // Of each column of the matrix, one register is read.
    assert_eq!(places, [(0, 0), (0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]);
    assert_eq!(position, [11.0, 11.0, 13.0, 14.0]);
}

/// Whatever was in memory, shared variables that have an initializer begin as zero; the others stay as they are.
#[test]
fn shared_variables_begin_as_zero_where_they_say_so() {
    let Translation { shader, interface, .. } = only("zeroed.comp", &Options::default());
    let mut bindings = Bindings::default();
    bindings.memory.insert(Space::Buffer(0), vec![0xEE; 80]);
    bindings.memory.insert(Space::Shared, vec![0xEE; interface.shared_bytes as usize]);
    let kernel = Kernel::new(&shader).expect("the interpreter supports it");
    let group = WorkGroup { size: [2, 3, 1], id: [0; 3], grid: [1; 3] };
    kernel.run_group(&group.quads(&shader), STEP_LIMIT, &mut bindings).expect("it terminates");
    let words = bindings.memory[&Space::Buffer(0)].chunks_exact(4);
    let words: Vec<u32> = words.map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    let want = (0..20).map(|n| {
        if n == 1 {
            5
        } else if n < 17 {
            0
        } else {
            7
        }
    });
    assert_eq!(words, want.collect::<Vec<u32>>());
}

#[test]
fn shared_blocks_lie_over_each_other() {
    let Translation { shader, interface, .. } = only("aliased.spvasm", &Options::default());
    assert_eq!(interface.shared_bytes, 48);
    let mut bindings = Bindings::default();
    bindings.memory.insert(Space::Buffer(0), vec![0xEE; 12]);
    bindings.memory.insert(Space::Shared, vec![0xEE; 48]);
    let kernel = Kernel::new(&shader).expect("the interpreter supports it");
    let group = WorkGroup { size: [1; 3], id: [0; 3], grid: [1; 3] };
    kernel.run_group(&group.quads(&shader), STEP_LIMIT, &mut bindings).expect("it terminates");
    assert_eq!(bindings.memory[&Space::Buffer(0)], [9, 0, 0, 0, 7, 0, 0, 0, 5, 0, 0, 0]);
}

#[test]
fn initial_values_of_uniforms_lie_where_the_shader_reads_them() {
    let options = Options::default().environment(Environment::OpenGl);
    let Translation { shader, interface, .. } = only("initialized.frag", &options);
    let [uniforms] = interface.constants.as_slice() else { panic!("{:?}", interface.constants) };
    let mut contents = vec![[0; 4]; uniforms.num_registers.into()];
    for value in &uniforms.initial_values {
        contents[usize::from(value.register)] = value.words;
    }
    // All but `unset` have one.
    assert_eq!(uniforms.initial_values.len() + 1, contents.len());
    let mut bindings = Bindings::default();
    bindings.constants.insert(0, contents);
    let kernel = Kernel::new(&shader).expect("the interpreter supports it");
    let outcome = kernel.run(&Inputs::default(), STEP_LIMIT, &mut bindings).expect("it terminates");
    assert_eq!(outcome.outputs[0][0].map(f32::from_bits), [15.0, 18.0, 7.0, 3.0]);
}

/// The outputs of a fragment shader's lanes, of which each has four words in the one input.
pub(super) fn lanes(shader: &Shader, given: [[u32; 4]; 4]) -> Vec<[[u32; 4]; 4]> {
    let inputs = Inputs { registers: vec![given], ..Inputs::default() };
    let kernel = Kernel::new(shader).expect("the interpreter supports it");
    let outcome = kernel.run(&inputs, STEP_LIMIT, &mut Bindings::default()).expect("it terminates");
    outcome.outputs
}

#[test]
fn sums_and_differences_of_64_bits_carry() {
    let Translation { shader, .. } = only("carries.spvasm", &Options::default());
    let numbers = [(0xffff_ffff, 1), (u64::MAX, 1), (1, 1 << 32), (7 << 32, 7 << 32)];
    let words = |low: u64, high: u64| [low, low >> 32, high, high >> 32].map(|word| word as u32);
    let outputs = lanes(&shader, numbers.map(|(a, b)| words(a, b)));
    let [sums, differences, borrows] =
        <[[[u32; 4]; 4]; 3]>::try_from(outputs).expect("there are three outputs");
    for (lane, (a, b)) in numbers.into_iter().enumerate() {
        let (sum, carry) = a.overflowing_add(b);
        assert_eq!(sums[lane], words(sum, carry.into()), "{a} + {b}");
        let [(one, borrow), (other, other_borrow)] = [a.overflowing_sub(b), b.overflowing_sub(a)];
        assert_eq!(differences[lane], words(one, other), "{a} - {b}");
        assert_eq!(borrows[lane], words(borrow.into(), other_borrow.into()), "{a} - {b}");
    }
}

#[test]
fn counts_of_64_bits_for_numbers_of_32() {
    let Translation { shader, .. } = only("counts.spvasm", &Options::default());
    let given = [[1, 2, 3, 4], [0x123, 0x456, 4, 0], [7, 9, 0, 31], [0xffff_ffff, 0, 1, 2]];
    let want = given.map(|[x, y, z, w]| [x << z, y << w, x >> z & 15, y >> z & 15]);
    assert_eq!(lanes(&shader, given), [want]);
}

#[test]
fn lanes_read_both_halves_of_64_bits() {
    let Translation { shader, .. } = only("lanes.spvasm", &Options::default());
    let given = [[1, 2, 3, 4], [5, 6, 7, 8], [0, 10, 11, 12], [13, 14, 15, 16]];
    let outputs = lanes(&shader, given);
    assert_eq!(outputs[0], [given[0]; 4]);
    assert_eq!(outputs[1], given.map(|[.., z, w]| [z, w, 0, 10]));
}

#[test]
fn ballots_have_no_lanes_beyond_64() {
    let Translation { shader, .. } = only("ballot.spvasm", &Options::default());
    let given = [[1, 2, 3, 4], [5, 6, 7, 8], [0, 10, 11, 12], [13, 14, 15, 16]];
    assert_eq!(lanes(&shader, given), [[[0b1011, 0, 0, 0]; 4]]);
}

/// What is too small for a normal number of 16 bits becomes zero, and keeps its sign.
#[test]
fn floats_are_quantized_to_normal_numbers() {
    let Translation { shader, .. } = only("quantized.spvasm", &Options::default());
    let given = [
        [0x3380_0000, 0x3500_0000, 0x387f_c000, 0x3880_0000],
        [0xb380_0000, 0xb500_0000, 0xb87f_ffff, 0xb880_0000],
        [0, 0x8000_0000, 0x7f80_0000, 0xff80_0000],
        [0x3f80_0fff, 0x3f80_3000, 0x477f_f000, 0x1],
    ];
    let want = [
        [0, 0, 0, 0x3880_0000],
        [0x8000_0000, 0x8000_0000, 0x8000_0000, 0xb880_0000],
        [0, 0x8000_0000, 0x7f80_0000, 0xff80_0000],
        [0x3f80_0000, 0x3f80_4000, 0x7f80_0000, 0],
    ];
    assert_eq!(lanes(&shader, given), [want]);
}

/// Clip distances that are only declared keep their places before cull distances, in both stages alike.
#[test]
fn cull_distances_meet_after_declared_clip_distances() {
    let list = translate(&super::module("culled.spvasm"), &Options::default());
    let [vertex, fragment] = <[Translation; 2]>::try_from(list.expect("it is translated")).unwrap();
    let distances = |one: &Translation, file: File| -> Vec<WriteMask> {
        let list = one.shader.declarations.iter().filter(|one| one.file == file);
        let is_distance =
            |semantic: SemanticName| (semantic.name, semantic.index) == (Semantic::Clipdist, 0);
        let list = list.filter(|one| one.semantic.is_some_and(is_distance));
        list.map(|one| one.usage_mask).collect()
    };
    assert!(distances(&vertex, File::Output)[0].contains(Component::Z));
    assert_eq!(distances(&fragment, File::Input), [WriteMask::Z]);
    let value = 0.25f32.to_bits();
    assert_eq!(lanes(&fragment.shader, [[1, 2, value, 4]; 4]), [[[value; 4]; 4]]);
}

/// The pointer is that of the last iteration, whichever branch led to the block that makes it.
#[test]
fn pointers_outlast_the_loop_that_makes_them() {
    let Translation { shader, .. } = only("pointed.spvasm", &Options::default());
    let given = [1, 2, 3, 4].map(|num_iterations| [num_iterations; 4]);
    let got = lanes(&shader, given)[0].map(|[x, ..]| f32::from_bits(x));
    assert_eq!(got, [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn blocks_of_an_array_are_numbered() {
    let Translation { interface, .. } = only("arrays.frag", &Options::default());
    let blocks = interface.constants.iter();
    let blocks: Vec<_> = blocks.map(|one| (one.block_name.as_str(), one.element)).collect();
    assert_eq!(blocks, [("Numbers", 0), ("Scale", 0), ("Scale", 1), ("Scale", 2)]);
}

#[test]
fn members_of_uniforms_have_locations_of_their_own() {
    let options = Options::default().environment(Environment::OpenGl);
    let Translation { interface, .. } = only("located.frag", &options);
    let members = interface.constants[0].members.iter();
    let members: Vec<_> = members.map(|one| (one.name.as_str(), one.location)).collect();
    let want = [
        ("turn", 2),
        ("lights[0].far", 12),
        ("lights[0].colours", 13),
        ("lights[1].far", 15),
        ("lights[1].colours", 16),
        ("grid[0]", 20),
        ("grid[1]", 23),
        ("last", 30),
    ];
    assert_eq!(members, want.map(|(name, location)| (name, Some(location))));
}
