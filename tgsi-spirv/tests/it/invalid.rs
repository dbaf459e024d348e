//! Broken modules: an error, and the right one.

use tgsi_spirv::testing::RED;
use tgsi_spirv::{ErrorKind, Options, translate, translate_words};

/// The error of the example with `words` in place of those from word `at` on.
#[track_caller]
fn check(at: usize, words: &[u32], kind: ErrorKind, text: &str) {
    let mut module = RED.to_vec();
    module[at..at + words.len()].copy_from_slice(words);
    let error = translate_words(&module, &Options::default()).expect_err("the module is broken");
    assert_eq!((error.kind, error.to_string().as_str()), (kind, text));
}

#[test]
fn headers() {
    check(0, &[7], ErrorKind::Invalid, "invalid SPIR-V: the magic number of SPIR-V is missing");
    let text = "unsupported: SPIR-V 2.0 is newer than 1.6";
    check(1, &[0x0002_0000], ErrorKind::Unsupported, text);
    let error =
        translate(&[3, 2, 35, 7, 0], &Options::default()).expect_err("there is an extra byte");
    assert_eq!(error.to_string(), "invalid SPIR-V: 5 bytes are not a whole number of words");
}

#[test]
fn both_byte_orders_are_read() {
    for bytes in [
        RED.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>(),
        RED.iter().flat_map(|word| word.to_be_bytes()).collect(),
    ] {
        assert!(tgsi_spirv::is_spirv(&bytes));
        assert_eq!(translate(&bytes, &Options::default()).expect("a module").len(), 1);
    }
}

#[test]
fn capabilities_and_models() {
    let text = "unsupported: kernels of OpenCL have pointers as numbers, in OpCapability at word 5";
    check(6, &[6], ErrorKind::Unsupported, text);
    let text = "unsupported: the hardware has no stage RayGenerationKHR";
    check(11, &[5313], ErrorKind::Unsupported, text);
}

/// What the language lets be, and neither TGSI nor the hardware has.
#[test]
fn forms_without_an_equivalent() {
    for (name, text) in [
        (
            "refused_blocks.frag",
            "unsupported: arrays of arrays of blocks: declare one array, and compute its index",
        ),
        ("refused_number.frag", "unsupported: structs with both textures and numbers, in OpLoad %"),
        (
            "refused_level.spvasm",
            "unsupported: a comparison with a cube array at a level of detail, for which TGSI has no operand left: \
             sample without comparing, and compare in the shader, in OpImageSampleDrefExplicitLod %19",
        ),
        (
            "refused_gradients.spvasm",
            "unsupported: a comparison with a cube array by gradients, for which TGSI has no operand left: sample \
             without comparing, and compare in the shader, in OpImageSampleDrefExplicitLod %21",
        ),
        (
            "refused_product.spvasm",
            "unsupported: the upper half of a product of 64 bits: multiply halves of 32 bits, and add the products up, \
             in OpUMulExtended %",
        ),
        (
            "refused_store.spvasm",
            "unsupported: atomic operations on 64 bits: use numbers of 32 bits, in OpAtomicStore",
        ),
        (
            "refused_cull.spvasm",
            "unsupported: cull distances of the previous stage, which share registers with its clip distances: declare \
             gl_ClipDistance with the same size in both stages, in OpLoad %",
        ),
        (
            "refused_both.spvasm",
            "unsupported: a texture that is sampled both with and without comparing, but its sampler does only one: declare \
             a second texture at its own binding, in OpImageSampleDrefImplicitLod %",
        ),
    ] {
        let error = translate(&super::module(name), &Options::default()).expect_err("no such form");
        assert_eq!(error.kind, ErrorKind::Unsupported, "{name}");
        assert!(error.to_string().starts_with(text), "{name}: {error}");
    }
}

#[test]
fn ids_that_nothing_defines() {
    let store = RED.iter().position(|&word| word == 0x0003_003e).expect("the example stores");
    let text = format!("invalid SPIR-V: %77 is not defined here, in OpStore at word {store}");
    check(store + 2, &[77], ErrorKind::Invalid, &text);
}

#[test]
fn what_outgrows_limits() {
    let error = translate(&super::module("huge.comp"), &Options::default()).expect_err("too large");
    assert_eq!(error.kind, ErrorKind::Limit);
    assert_eq!(error.to_string(), "a group shares more than 65536 bytes");
    let few = Options::default().max_instructions(10);
    let error = translate(&super::module("flow.frag"), &few).expect_err("too long");
    assert_eq!(error.kind, ErrorKind::Limit);
    assert!(error.to_string().starts_with("the shader grows beyond 10 instructions"), "{error}");
    for (name, text) in [
        (
            "refused_types.spvasm",
            "a type has more than 16384 members within members, in OpTypeStruct at word",
        ),
        (
            "refused_elements.spvasm",
            "a type has more than 16384 members within members, in OpTypeArray at word",
        ),
        ("refused_location.spvasm", "location 65536: locations end at 65535"),
        (
            "refused_counter.spvasm",
            "an atomic counter at offset 0 of binding 4096: bindings end at 4095, offsets at 16380",
        ),
    ] {
        let error = translate(&super::module(name), &Options::default()).expect_err("too large");
        assert_eq!(error.kind, ErrorKind::Limit, "{name}");
        assert!(error.to_string().starts_with(text), "{name}: {error}");
    }
}

#[test]
fn every_truncation_is_an_error() {
    for len in 0..RED.len() - 1 {
        translate_words(&RED[..len], &Options::default())
            .expect_err("a truncated module is invalid");
    }
}

/// What no check of the module names is found in the shader that it becomes.
#[test]
fn a_store_to_an_input_is_no_shader() {
    const INPUT: u32 = 1;
    let mut module = RED.to_vec();
    for (first, storage_class) in [(0x0004_0020, 2), (0x0004_003b, 3)] {
        let at = module
            .iter()
            .position(|&word| word == first)
            .expect("the example has such an instruction");
        module[at + storage_class] = INPUT;
    }
    let error = translate_words(&module, &Options::default()).expect_err("it stores to an input");
    assert_eq!(error.kind, ErrorKind::Broken);
    assert!(error.to_string().contains("`IN[0]` is read only"), "{error}");
}

#[test]
fn arithmetic_and_variables_that_the_hardware_lacks() {
    let text = "unsupported: the hardware has no variables decorated PerVertexKHR";
    check(21, &[5285], ErrorKind::Unsupported, text);
    let strict = super::module("strict.spvasm");
    let words = strict.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
    // In place of `SignedZeroInfNanPreserve`.
    for (mode, text) in [
        (4459, "unsupported: the hardware flushes denormals of 32 bits"),
        (4463, "unsupported: the hardware rounds to nearest only"),
    ] {
        let changed: Vec<u32> =
            words.clone().map(|word| if word == 4461 { mode } else { word }).collect();
        let error = translate_words(&changed, &Options::default()).expect_err("it is refused");
        assert_eq!((error.kind, error.to_string().as_str()), (ErrorKind::Unsupported, text));
    }
}
