//! Files with geometry and compute shaders: what is said of them, and of values that were changed.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{PLAIN_VERTEX, TempDir, good, linked, linked_shaders, text, written};
use crate::common::tgsi;

const GEOMETRY: &str = "GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 3
DCL IN[][0], POSITION
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
IMM[0] UINT32 {0, 0, 0, 0}
MOV OUT[0], IN[0][0]
MOV OUT[1], IN[1][0]
EMIT IMM[0].xxxx
END
";
const PIXEL: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
MOV OUT[0], IN[0]
END
";

/// What is said of a file of three stages after its blocks were changed.
fn judged(change: impl FnOnce(&mut Vec<Value>)) -> String {
    let folder = TempDir::new().unwrap();
    let vertex = written(folder.path(), "a.vert.tgsi", PLAIN_VERTEX);
    let geometry = written(folder.path(), "a.geom.tgsi", GEOMETRY);
    let pixel = written(folder.path(), "a.frag.tgsi", PIXEL);
    let out = folder.path().join("a.gsh");
    good(&["link", text(&vertex), text(&geometry), text(&pixel), "--align", "-o", text(&out)]);
    good(&["check", text(&out)]);
    judged_file(&out, change)
}

/// What is said of a file after its blocks were changed.
fn judged_file(path: &Path, change: impl FnOnce(&mut Vec<Value>)) -> String {
    let json = path.with_extension("json");
    good(&["unlink", text(path), "--emit", "json", "-o", text(&json)]);
    let mut file: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    change(file["blocks"].as_array_mut().unwrap());
    fs::write(&json, file.to_string()).unwrap();
    tgsi(&["link", text(&json), "-o", text(path)]).err + &tgsi(&["check", text(path)]).err
}

/// The first block of a kind.
fn of_kind(blocks: &mut [Value], kind: u32) -> &mut Value {
    blocks.iter_mut().find(|block| block["number"] == json!(kind)).unwrap()
}

#[test]
fn a_pixel_shader_reads_what_the_geometry_shader_gives() {
    // What it does not give is still named.
    let said = judged(|blocks| {
        let shader = &mut of_kind(blocks, 6)["content"]["PixelShader"]["shader"];
        shader["registers"]["SPI_PS_INPUT_CNTL"][0] = json!(9);
    });
    let message = "pixel shader 0 reads parameter id 9, which geometry shader 0 lacks";
    assert!(said.contains(message), "{said}");
}

#[test]
fn geometry_and_copy_programs_fit_their_registers() {
    for (register, value, want) in [
        ("SQ_PGM_RESOURCES_GS", 0x101, "shader 2 (geometry): its code uses"),
        ("SQ_PGM_RESOURCES_VS", 0x100, "shader 2 (copy): its code uses"),
        ("NUM_SPI_VS_OUT_ID", 0, "shader 2 (copy): it exports parameter 0, which has no id"),
    ] {
        let said = judged(|blocks| {
            let shader = &mut of_kind(blocks, 8)["content"]["GeometryShader"]["shader"];
            shader["registers"][register] = json!(value);
        });
        assert!(said.contains(want), "{register}: {said}");
    }
}

/// Nothing is drawn without the program that copies.
#[test]
fn a_geometry_shader_has_two_programs() {
    for (kind, what) in [(9, "programs"), (10, "copy programs")] {
        let said = judged(|blocks| blocks.retain(|block| block["number"] != json!(kind)));
        let message = format!("1 geometry shaders have 0 {what}");
        assert!(said.contains(&message) && said.contains("[pairs]"), "{said}");
    }
}

#[test]
fn blocks_that_hardware_does_not_read_to_their_end_are_named() {
    for size in [80_000_u32, 0xFFFF_FFF0] {
        let (folder, path) = linked_shaders(&["--align"]);
        let said = judged_file(&path, |blocks| {
            let shader = &mut of_kind(blocks, 3)["content"]["VertexShader"]["shader"];
            shader["tables"]["uniform_blocks"][0]["size"] = json!(size);
        });
        let message = format!("uniform block 0 has {size} bytes");
        assert!(said.contains(&message) && said.contains("[block]"), "{said}");
        let picture = folder.path().join("a.png");
        let ran = tgsi(&["render", text(&path), "--size", "8x8", "-o", text(&picture)]);
        assert!(ran.code == 1 && ran.err.contains(&message), "{}", ran.err);
    }
}

/// Fills the first words of a program with ones.
fn break_program(program: &mut Value) {
    let bytes = &mut program["content"]["Bytes"];
    *bytes = json!("ff".repeat(64) + &bytes.as_str().unwrap()[128..]);
}

#[track_caller]
fn assert_names_a_rule(said: &str, stage: &str) {
    let is_named = |line: &str| line.contains(&format!("({stage}): ")) && line.contains("[V");
    assert!(said.lines().any(is_named), "{said}");
}

#[test]
fn geometry_and_copy_programs_are_verified() {
    for (kind, stage) in [(9, "geometry"), (10, "copy")] {
        assert_names_a_rule(&judged(|blocks| break_program(of_kind(blocks, kind))), stage);
    }
}

/// Makes the pixel shader of a file one that computes: no tool at hand makes files with any.
fn compute(blocks: &mut [Value]) -> &mut Value {
    let header = of_kind(blocks, 6);
    let pixel = header["content"]["PixelShader"]["shader"].take();
    let layout = header["content"]["PixelShader"]["layout"].take();
    let registers = json!({"SQ_PGM_RESOURCES": 0, "REGISTER": vec![0; 11]});
    let shader = json!({
        "registers": registers, "program_size": pixel["program_size"], "program": 0,
        "tables": pixel["tables"], "work_group_size": [1, 1, 1], "over_64_mode": 0,
        "waves_per_simd": 1, "buffer": pixel["buffer"],
    });
    header["content"] = json!({"ComputeShader": {"shader": shader, "layout": layout}});
    header["number"] = json!(14);
    let program = of_kind(blocks, 7);
    program["number"] = json!(15);
    program
}

#[test]
fn compute_programs_fit_their_registers_and_are_verified() {
    let (_folder, path) = linked(&["--align"]);
    let said = judged_file(&path, |blocks| _ = compute(blocks));
    assert!(said.contains("(compute): its code uses"), "{said}");
    let (_folder, path) = linked(&["--align"]);
    let said = judged_file(&path, |blocks| break_program(compute(blocks)));
    assert_names_a_rule(&said, "compute");
}
