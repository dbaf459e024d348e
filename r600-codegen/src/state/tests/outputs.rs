//! Colours and clip distances.

use r600_isa::{Cf, CfExport, Chip, ComponentSel, ExportKind};
use r600_mir::ExportTarget;

use super::{CHIPS, NEW, OLD, value, value_with};
use crate::abi::ShaderKey;
use crate::{Compiler, Options};

const TWO_COLORS: &str = "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], GENERIC[0], PERSPECTIVE\n\
                          DCL IN[1], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\n\
                          MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n";

/// The export instructions of `text`.
fn exports(key: ShaderKey, text: &str, chip: Chip) -> Vec<CfExport> {
    let shader = tgsi_text::parse(text).shader;
    let options = Options::default().key(key);
    let compiled = Compiler::new(options).expect("good options").compile(&shader, chip);
    let cf = compiled.expect("the shader compiles").program.cf;
    let export = |cf: Cf| if let Cf::Export(export) = cf { Some(export) } else { None };
    cf.into_iter().filter_map(export).collect()
}

/// How often a target is exported.
fn count(exports: &[CfExport], kind: ExportKind, number: u16) -> usize {
    let covers = |export: &&CfExport| {
        let end = export.array_base + u16::from(export.burst);
        export.kind == kind && (export.array_base..end).contains(&number)
    };
    exports.iter().filter(covers).count()
}

fn pixels(exports: &[CfExport]) -> [usize; 3] {
    [0, 1, 2].map(|n| count(exports, ExportKind::Pixel, n))
}

#[test]
fn a_broadcast_colour_skips_buffers_with_a_colour_of_their_own() {
    let dual = ShaderKey::default().dual_source(true);
    let three = ShaderKey::default().num_color_buffers(3);
    for chip in CHIPS {
        let all = exports(dual.clone(), TWO_COLORS, chip);
        assert_eq!(pixels(&all), [1, 1, 0], "{chip:?} {all:?}");
        let all = exports(three.clone(), TWO_COLORS, chip);
        assert_eq!(pixels(&all), [1, 1, 1], "{chip:?} {all:?}");
        let mask = value_with(three.clone(), TWO_COLORS, chip, "CB_SHADER_MASK", 0);
        assert_eq!(mask, Some(0xFFF), "{chip:?}");
    }
    for chip in OLD {
        // Copies would overwrite the second colour.
        let copies = value_with(three.clone(), TWO_COLORS, chip, "CB_COLOR_CONTROL", 0);
        assert_eq!(copies, Some(0), "{chip:?}");
    }
}

#[test]
fn buffers_below_the_highest_colour_are_not_left_out() {
    let text =
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR[1]\nMOV OUT[0], IN[0]\nEND\n";
    let key = ShaderKey::default().num_color_buffers(2);
    for chip in CHIPS {
        let mask = value_with(key.clone(), text, chip, "CB_SHADER_MASK", 0);
        assert_eq!(mask, Some(if NEW.contains(&chip) { 0xF1 } else { 0xFF }), "{chip:?}");
        // If no buffer is bound, only a masked export remains.
        assert_eq!(value(text, chip, "CB_SHADER_MASK", 0), Some(0xF), "{chip:?}");
    }
}

fn distances(properties: &str, outputs: [&str; 2]) -> String {
    let [first, second] = outputs;
    format!(
        "VERT\n{properties}DCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], {first}\nDCL OUT[2], {second}\n\
         MOV OUT[0], IN[0]\nMOV OUT[1], IN[1].xxxx\nMOV OUT[2], IN[1].yyyy\nEND\n"
    )
}

#[test]
fn clip_distances_are_exported_in_their_own_order() {
    let text = distances("PROPERTY NUM_CLIPDIST_ENABLED 8\n", ["CLIPDIST[1]", "CLIPDIST[0]"]);
    for chip in CHIPS {
        let all = exports(ShaderKey::default(), &text, chip);
        let first_source = |number: u16| {
            let is_it = |export: &&CfExport| {
                export.kind == ExportKind::Position && export.array_base == number
            };
            all.iter().find(is_it).map(|export| export.sel[0])
        };
        // CLIPDIST[0] is the second input's y.
        let want = [Some(ComponentSel::Y), Some(ComponentSel::X)];
        assert_eq!([61, 62].map(first_source), want, "{chip:?} {all:?}");
    }
}

#[test]
fn distances_clip_and_cull_as_the_properties_say() {
    let vectors = 3 << 22;
    for (properties, want) in [
        ("", 0xFF | vectors),
        ("PROPERTY NUM_CLIPDIST_ENABLED 8\n", 0xFF | vectors),
        // Distances that nothing uses are not exported: only the first vector is announced.
        ("PROPERTY NUM_CLIPDIST_ENABLED 3\n", 0x07 | 1 << 22),
        ("PROPERTY NUM_CULLDIST_ENABLED 4\n", 0x0F << 8 | 1 << 22),
        (
            "PROPERTY NUM_CLIPDIST_ENABLED 3\nPROPERTY NUM_CULLDIST_ENABLED 2\n",
            0x07 | 0x18 << 8 | vectors,
        ),
    ] {
        let text = distances(properties, ["CLIPDIST[0]", "CLIPDIST[1]"]);
        for chip in CHIPS {
            let got = value(&text, chip, "PA_CL_VS_OUT_CNTL", 0);
            assert_eq!(got, Some(want), "{chip:?} {properties}");
            let all = exports(ShaderKey::default(), &text, chip);
            let announced = (want >> 22_u32 & 3).count_ones() as usize;
            let exported = [61, 62].map(|n| count(&all, ExportKind::Position, n));
            assert_eq!(exported.iter().sum::<usize>(), announced, "{chip:?} {properties} {all:?}");
        }
    }
}

#[test]
fn the_second_distance_vector_comes_first_if_it_is_the_only_one() {
    let text = distances("PROPERTY NUM_CLIPDIST_ENABLED 8\n", ["CLIPDIST[1]", "GENERIC[0]"]);
    for chip in CHIPS {
        assert_eq!(value(&text, chip, "PA_CL_VS_OUT_CNTL", 0), Some(0xF0 | 1 << 23), "{chip:?}");
        let all = exports(ShaderKey::default(), &text, chip);
        let exported = [61, 62].map(|n| count(&all, ExportKind::Position, n));
        assert_eq!(exported, [1, 0], "{chip:?} {all:?}");
    }
}

#[test]
fn slots_name_the_first_export() {
    let shader = tgsi_text::parse(TWO_COLORS).shader;
    let key = ShaderKey::default().num_color_buffers(4);
    let options = Options::default().key(key);
    let compiled = Compiler::new(options).expect("good options").compile(&shader, Chip::Cedar);
    let outputs = compiled.expect("the shader compiles").outputs;
    let targets: Vec<_> = outputs.iter().map(|slot| slot.export).collect();
    assert_eq!(targets, [Some(ExportTarget::Pixel(0)), Some(ExportTarget::Pixel(1))]);
}

#[test]
fn every_kill_is_enabled() {
    for (kill, expected) in
        [("KILL", 1), ("KILL_IF IN[0]", 1), ("KILP", 1), ("KIL IN[0]", 1), ("NOP", 0)]
    {
        let text = format!(
            "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\n{kill}\nEND\n"
        );
        for chip in CHIPS {
            let enabled = value(&text, chip, "DB_SHADER_CONTROL", 0).map(|word| word >> 6 & 1);
            assert_eq!(enabled, Some(expected), "{kill} {chip:?}");
        }
    }
}
