//! What shaders become, as text beside them.

use tgsi_ir::validate::{Profile, is_valid, validate};
use tgsi_spirv::{Options, translate};
use tgsi_text::Style;

#[track_caller]
fn check(name: &str) {
    let list = translate(&super::module(name), &Options::default()).expect("it is translated");
    let mut text = String::new();
    for one in &list {
        let findings = validate(&one.shader, Profile::Full);
        assert!(is_valid(&findings), "{name}: {findings:?}");
        text += &tgsi_text::print(&one.shader, Style::Lossless);
    }
    let path = format!("{}/tests/shaders/{name}.tgsi", env!("CARGO_MANIFEST_DIR"));
    assert_eq!(test_support::check_golden(path.as_ref(), &text), Ok(()));
}

#[test]
fn vertex() {
    check("stages.vert");
    check("pushed.vert");
    check("instances.vert");
}

#[test]
fn geometry() {
    check("stages.geom");
}

#[test]
fn tessellation() {
    check("stages.tesc");
    check("stages.tese");
    check("patches.tesc");
    check("patches.tese");
    check("patch_modes.spvasm");
}

#[test]
fn textures() {
    check("textures.frag");
    check("offsets.frag");
    check("units.frag");
    check("queries.frag");
    check("blocks.frag");
    check("covered.frag");
    check("strict.spvasm");
    check("structs.frag");
}

#[test]
fn arrays_of_inputs() {
    check("arrays.frag");
}

#[test]
fn loops_after_a_discard() {
    check("counted.frag");
}

#[test]
fn single_elements_take_no_subscript() {
    check("single.frag");
}

#[test]
fn the_example_of_the_readme() {
    check("tint.frag");
}

#[test]
fn compute() {
    check("compute.comp");
    check("qualified.comp");
    check("chosen.comp");
    check("waves.comp");
}

#[test]
fn distances_and_streams() {
    check("distances.vert");
    check("distances.geom");
    check("split_streams.geom");
}

#[test]
fn stores_to_channels_known_at_run_time() {
    check("levels.tesc");
}

#[test]
fn components_known_at_run_time() {
    check("subscripts.frag");
    check("subscripts.tesc");
}

#[test]
fn what_control_points_and_patch_start_with() {
    check("initial_patch.spvasm");
}

#[test]
fn rows_counted_from_below() {
    check("below.frag");
}

#[test]
fn another_sampler_of_a_texture_that_has_one() {
    check("sampled_anew.spvasm");
}

/// A literal that looks like the id of the other entry point's input does not bring that in.
#[test]
fn entry_points_with_other_inputs_at_a_location() {
    check("two_entries.spvasm");
}

#[test]
fn blocks_of_numbers_that_take_instructions_to_find() {
    check("block_ids.spvasm");
}

#[test]
fn copies_with_memory_operands_of_source_and_target() {
    check("copied.spvasm");
}
