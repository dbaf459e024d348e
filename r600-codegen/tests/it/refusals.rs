//! What the compiler refuses: a shader for each reason, and no reason without one.

mod interpolation;
mod limits;
mod malformed;
mod operands;
mod operations;
mod resources;
mod stages;

use std::collections::BTreeSet;

use r600_codegen::abi::ShaderKey;
use r600_codegen::{Compiler, Options, Refusal};
use r600_isa::Chip;
use tgsi_ir::Shader;

const ALL: [Chip; 4] = [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman];
const OLD: [Chip; 2] = [Chip::Rv610, Chip::Rv770];

/// The reasons met so far.
#[derive(Default)]
struct Met(BTreeSet<Refusal>);

impl Met {
    /// Checks that `body`, in a fragment shader with the usual declarations, is refused for `chip` with `want`.
    #[track_caller]
    fn refuses(&mut self, chip: Chip, body: &str, want: &str) {
        self.refuses_text(chip, &in_fragment_shader(body), want);
    }

    #[track_caller]
    fn refuses_text(&mut self, chip: Chip, text: &str, want: &str) {
        assert_eq!(tgsi_text::parse(text).diagnostics, [], "{text}");
        self.refuses_unchecked(chip, text, want);
    }

    /// The same for a text of which the parser has something to say.
    #[track_caller]
    fn refuses_unchecked(&mut self, chip: Chip, text: &str, want: &str) {
        self.refuses_shader(chip, &tgsi_text::parse(text).shader, want);
    }

    #[track_caller]
    fn refuses_shader(&mut self, chip: Chip, shader: &Shader, want: &str) {
        self.refuses_with(ShaderKey::default(), chip, shader, want);
    }

    #[track_caller]
    fn refuses_with(&mut self, key: ShaderKey, chip: Chip, shader: &Shader, want: &str) {
        let compiler = Compiler::new(Options::default().key(key)).unwrap();
        let error = compiler.compile(shader, chip).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), want);
        let reason = error.refusal().unwrap_or_else(|| panic!("not a refusal: {error}"));
        self.0.insert(reason);
    }

    /// Checks that `text`, a near miss of what is refused, is compiled.
    #[track_caller]
    fn takes(&self, chip: Chip, text: &str) {
        let compiler = Compiler::new(Options::default()).unwrap();
        let compiled = compiler.compile(&tgsi_text::parse(text).shader, chip);
        assert!(compiled.is_ok(), "{:?}", compiled.map(|_| ()));
    }
}

/// `body` in a fragment shader with the usual declarations.
fn in_fragment_shader(body: &str) -> String {
    format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..3]\nDCL SAMP[0]\n\
         DCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0..3]\nDCL ADDR[0]\nIMM[0] FLT32 {{0.5, 1.0, 2.0, 20.0}}\n\
         IMM[1] UINT32 {{0, 1, 2, 20}}\n{body}\nEND\n"
    )
}

/// A test for each group, and one that all groups together meet every reason.
macro_rules! groups {
    ($($module:ident::$name:ident,)*) => {
        $(#[test]
        fn $name() {
            $module::$name(&mut Met::default());
        })*

        #[test]
        fn every_reason_is_met() {
            let mut met = Met::default();
            $($module::$name(&mut met);)*
            let is_met = |one: &&Refusal| met.0.contains(one) || OUT_OF_REACH.contains(one);
            let unmet: Vec<_> = Refusal::ALL.iter().filter(|one| !is_met(one)).collect();
            assert!(unmet.is_empty(), "no test for {unmet:?}");
        }
    };
}

/// Reasons that no shader is known to meet: since arrays make room for inputs, spilling does for everything else.
const OUT_OF_REACH: [Refusal; 1] = [Refusal::OutOfRegisters];

groups! {
    stages::stages_that_chips_lack,
    stages::stages_before_what_a_chip_lacks,
    stages::what_evaluation_shaders_do_not_run_as,
    interpolation::positions_that_do_not_come_from_the_centre,
    interpolation::colours_whose_sides_are_interpolated_apart,
    stages::state_that_chips_do_not_have,
    stages::numbers_that_only_parameters_need,
    stages::numbers_that_a_copy_shader_lacks,
    stages::what_patches_have_no_place_for,
    stages::what_geometry_shaders_cannot_name,
    stages::system_values_that_nothing_provides,
    stages::inputs_and_outputs_that_a_stage_lacks,
    stages::stream_output_that_there_is_not,
    stages::vertex_layouts_that_cannot_be_fetched,
    stages::what_a_ring_has_no_room_for,
    stages::groups_that_cannot_be_counted,
    stages::inputs_that_cannot_be_listed,
    stages::parameters_that_look_alike,
    stages::parameters_without_an_id,
    stages::parameters_that_are_none,
    stages::inputs_without_semantics,
    stages::outputs_of_one_semantic,
    operations::what_chips_lack,
    operations::what_no_chip_of_the_family_can,
    operands::operands_out_of_range,
    operands::constants_where_the_driver_has_its_own,
    operands::constants_that_the_file_does_not_hold,
    operands::registers_that_nothing_declares,
    operands::registers_that_are_named_directly_only,
    operands::files_that_are_no_operands,
    resources::what_work_groups_do_not_share,
    resources::images_and_buffers_that_cannot_be_reached,
    resources::counters_that_cannot_be_reached,
    limits::control_flow_that_does_not_nest,
    limits::control_flow_that_nests_too_deeply,
    limits::exits_of_loops_that_change_much,
    limits::branches_that_change_much_in_many_calls,
    limits::early_returns_in_nested_branches,
    limits::writes_by_an_index_to_many_outputs,
    limits::lookups_in_any_texture_by_any_sampler,
    limits::calls_without_end,
    limits::arrays_that_do_not_fit,
    limits::values_that_do_not_fit,
    limits::attributes_that_fill_all_registers,
    malformed::operands_that_are_missing,
    malformed::numbers_without_a_meaning,
    malformed::what_is_old,
}

#[test]
fn each_reason_has_words_of_its_own() {
    let texts: BTreeSet<&str> = Refusal::ALL.iter().map(|reason| reason.text()).collect();
    assert_eq!(texts.len(), Refusal::ALL.len());
}
