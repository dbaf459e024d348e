//! Compiled shaders as JSON.

use r600_codegen::{Options, compile};
use r600_isa::{Chip, Program};

#[test]
fn json_holds_the_program_and_its_interface() {
    let text =
        "FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\nADD OUT[0].x, IN[0], IN[0]\nEND\n";
    let shader = tgsi_text::parse(text).shader;
    let compiled = compile(&shader, Chip::Cedar, &Options::default()).unwrap();
    let json = serde_json::to_value(&compiled).unwrap();
    assert_eq!(json["num_gprs"], compiled.num_gprs);
    assert_eq!(json["words"].as_array().unwrap().len(), compiled.words.len());
    assert_eq!(json["inputs"][0]["register"], 0);
    let program: Program = serde_json::from_value(json["program"].clone()).unwrap();
    assert_eq!(program, compiled.program);
}
