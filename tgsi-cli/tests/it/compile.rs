//! `tgsi compile`, `check` and `fmt`: forms of output, batches, passes.

use crate::common;

use std::fs;
use std::process::Command;

use common::{root, tgsi, tgsi_with};
use serde_json::Value;

const PHONG: &str = "examples/phong.frag.tgsi";
const LOOP: &str = "examples/loop.frag.tgsi";
const BAD: &str = "tgsi-cli/tests/malformed/unknown-opcode.tgsi";

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

fn text(path: &std::path::Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

#[test]
fn the_object_has_what_scripts_rely_on() {
    let ran = tgsi(&["compile", "--chip", "RV770", "--emit", "json", PHONG]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("{\"file\":"));
    let object = &json_lines(&ran.out)[0];
    assert_eq!(object["file"], PHONG);
    assert_eq!((&object["chip"], &object["generation"]), (&"rv770".into(), &"r700".into()));
    assert_eq!(object["stage"], "FRAG");
    let words = object["words"].as_array().expect("words are a list");
    assert!(words.iter().all(|word| word.as_str().is_some_and(|word| word.len() == 8)));
    assert_eq!(object["stats"]["dwords"], words.len());
    for key in ["groups", "alu_slots", "literals", "clauses", "tex", "vtx", "cf"] {
        assert!(object["stats"][key].is_u64(), "{key}");
    }
    for key in ["gprs", "stack", "compile_us", "parse_us"] {
        assert!(object[key].is_u64(), "{key}");
    }
    assert_eq!(object["inputs"].as_array().map(Vec::len), Some(2));
    assert_eq!(object["outputs"][0]["semantic"], "COLOR");
    assert!(object["passes"].as_array().is_some_and(|passes| {
        !passes.is_empty() && passes.iter().all(|p| p["name"].is_string() && p["us"].is_number())
    }));
}

#[test]
fn a_batch_reports_bad_files_and_goes_on_in_order() {
    let ran = tgsi(&["compile", "--chip", "cedar", "--emit", "json", PHONG, BAD, LOOP]);
    assert_eq!(ran.code, 1);
    let objects = json_lines(&ran.out);
    let names: Vec<_> = objects.iter().map(|object| object["file"].as_str()).collect();
    assert_eq!(names, [Some(PHONG), Some(BAD), Some(LOOP)]);
    assert_eq!(objects[1]["error"], "4:1: unknown opcode `MVO`");
    assert!(ran.err.contains("error[unknown-statement]"), "{}", ran.err);
    assert!(ran.err.ends_with("3 files, 2 good, 1 bad\n"), "{}", ran.err);
}

#[test]
fn every_form_has_the_same_words() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let bin = folder.path().join("out.bin");
    let ran = tgsi(&["compile", "--chip", "latte", "--emit", "bin", "-o", text(&bin), PHONG]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    let bytes = fs::read(&bin).expect("the file is there");
    let (chunks, rest) = bytes.as_chunks::<4>();
    assert!(rest.is_empty());
    let from_bin: Vec<_> =
        chunks.iter().map(|&word| format!("{:08x}", u32::from_le_bytes(word))).collect();
    let words = tgsi(&["compile", "--chip", "latte", "--emit", "words", PHONG]);
    assert_eq!(from_bin, words.out.split_whitespace().collect::<Vec<_>>());
    let json = tgsi(&["compile", "--chip", "latte", "--emit", "json", PHONG]);
    assert_eq!(json_lines(&json.out)[0]["words"], serde_json::json!(from_bin));
}

#[test]
fn the_same_shader_from_standard_input_is_the_same_program() {
    let shader = fs::read(root().join(LOOP)).expect("the example is there");
    let piped = tgsi_with(&["compile", "--chip", "cayman", "-"], &shader);
    assert_eq!(piped, tgsi(&["compile", "--chip", "cayman", LOOP]));
}

#[test]
fn several_inputs_need_a_folder_or_json() {
    let args = ["compile", "--chip", "cedar", PHONG, LOOP];
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let one = folder.path().join("out.s");
    let ran = tgsi(&[&args[..], &["-o", text(&one)]].concat());
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--out-dir"), "{}", ran.err);
    let ran = tgsi(&[&args[..], &["--out-dir", text(folder.path())]].concat());
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert!(folder.path().join("phong.frag.s").exists());
    assert!(folder.path().join("loop.frag.s").exists());
}

#[test]
fn names_can_come_from_a_list() {
    let args = ["compile", "--chip", "cedar", "--emit", "json", "--files-from", "-"];
    let ran = tgsi_with(&args, format!("{PHONG}\n{LOOP}\n").as_bytes());
    assert_eq!((ran.code, json_lines(&ran.out).len()), (0, 2));
}

#[test]
fn a_depfile_lists_what_the_output_is_made_from() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let (out, dep) = (folder.path().join("out.s"), folder.path().join("out.d"));
    let args = ["compile", "--chip", "cedar", PHONG, "-o", text(&out), "--depfile", text(&dep)];
    assert_eq!(tgsi(&args).code, 0);
    let rule = fs::read_to_string(&dep).expect("the rule is there");
    assert_eq!(rule, format!("{}: {PHONG}\n", text(&out)));
}

/// In the names of targets, make has uses of its own for colons and percent signs.
#[test]
fn a_depfile_keeps_names_of_any_letters() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let [shader, out, list, dep] =
        ["a:b%.tgsi", "o:u%.s", "list", "d"].map(|name| folder.path().join(name));
    fs::copy(root().join(PHONG), &shader).expect("the file can be written");
    fs::write(&list, text(&shader)).expect("the file can be written");
    let args = ["compile", "--chip", "cedar", "-o", text(&out), "--depfile", text(&dep)];
    assert_eq!(tgsi(&[&args[..], &["--files-from", text(&list)]].concat()).code, 0);
    let rule = fs::read_to_string(&dep).expect("the rule is there");
    let folder = text(folder.path());
    assert_eq!(rule, format!("{folder}/o\\:u\\%.s: {folder}/a\\:b%.tgsi {folder}/list\n"));
}

#[test]
fn an_empty_variable_names_no_cache() {
    let args = ["compile", "--chip", "cedar", PHONG];
    let mut command = Command::new(env!("CARGO_BIN_EXE_tgsi"));
    command.args(args).current_dir(root()).env("TGSI_CACHE", "");
    let output = command.output().expect("the program starts");
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
    let ran = tgsi(&[&args[..], &["--cache", ""]].concat());
    assert!(ran.code == 2 && ran.err.contains("`--cache` is empty"), "{}", ran.err);
}

#[test]
fn passes_can_be_watched_and_left_out() {
    let args = ["compile", "--chip", "cedar", PHONG];
    let dumped = tgsi(&[&args[..], &["--print-after", "lower", "--stop-after", "lower"]].concat());
    assert_eq!((dumped.code, dumped.out.as_str()), (0, ""));
    assert!(dumped.err.starts_with("; after lower\n"), "{}", dumped.err);
    let timed = tgsi(&[&args[..], &["--time-passes"]].concat());
    assert!(timed.err.lines().any(|line| line.ends_with("  schedule")), "{}", timed.err);
    let verified = tgsi(&[&args[..], &["--verify-each"]].concat());
    assert_eq!((verified.code, verified.err.as_str()), (0, ""));
    let unfuelled = tgsi(&[&args[..], &["--fuel", "0"]].concat());
    assert_eq!(unfuelled.code, 0);
    assert_ne!(unfuelled.out, verified.out);
}

#[test]
fn bad_requests_are_bad_command_lines() {
    for (flags, words) in [
        (&["--chip", "rv771"][..], "rv770"),
        (&["--chip", "cedar", "--disable-pass", "no-such"], "no pass is called `no-such`"),
        (&["--chip", "cedar", "--disable-pass", "lower"], "cannot be disabled"),
        (&["--chip", "cedar", "--emit", "elf"], "possible values"),
        (&["--chip", "cedar", "--depfile", "x"], "--output"),
        (&[], "--chip"),
    ] {
        let ran = tgsi(&[&["compile", PHONG][..], flags].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{flags:?}");
        assert!(ran.err.contains(words), "{flags:?}: {}", ran.err);
    }
}

#[test]
fn the_pass_graph_is_drawn() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let dot = folder.path().join("passes.dot");
    let args = ["compile", "--chip", "cedar", PHONG, "--pass-graph", text(&dot)];
    assert_eq!(tgsi(&args).code, 0);
    let drawing = fs::read_to_string(&dot).expect("the drawing is there");
    assert!(drawing.starts_with("digraph passes {") && drawing.contains("\"lower\""));
}

#[test]
fn fmt_writes_canonical_text() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("x.tgsi");
    fs::write(&path, "vert\n dcl in[0]\ndcl out[0],position\nmov out[0],in[0]\nend")
        .expect("the file can be written");
    assert_eq!(tgsi(&["fmt", "--check", text(&path)]).code, 1);
    assert_eq!(tgsi(&["fmt", text(&path)]).code, 0);
    let canonical = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";
    assert_eq!(fs::read_to_string(&path).expect("the file is there"), canonical);
    assert_eq!(tgsi(&["fmt", "--check", text(&path)]).code, 0);
    assert_eq!(tgsi_with(&["fmt", "-"], canonical.as_bytes()).out, canonical);
}

#[test]
fn a_trace_is_json() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("trace.json");
    assert_eq!(tgsi(&["compile", "--chip", "cedar", PHONG, "--trace-json", text(&path)]).code, 0);
    let trace = fs::read_to_string(&path).expect("the trace is there");
    let trace: Value = serde_json::from_str(&trace).expect("the trace is JSON");
    let events = trace.as_array().expect("a trace is a list");
    assert!(events.iter().any(|event| event["name"] == "pass"));
}

#[test]
fn a_cached_result_warns_as_the_first_one_did() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let cache = text(folder.path());
    let args = ["compile", "--chip", "cedar", "--tess-domain", "quads", "--cache", cache, PHONG];
    let first = tgsi(&args);
    assert!(first.err.contains("`--tess-domain` has no effect on FRAG shaders"), "{}", first.err);
    assert_eq!(tgsi(&args), first);
    // A place in the text.
    let old = "tgsi-cli/tests/old/kill_after_lookup.tgsi";
    let args = ["compile", "--chip", "cedar", "--dialect", "2012", "--cache", cache, old];
    let first = tgsi(&args);
    assert!(first.code == 0 && first.err.contains("kill_after_lookup.tgsi:"), "{}", first.err);
    assert_eq!(tgsi(&args), first);
}

#[test]
fn a_cached_result_is_the_same_result() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let cache = text(folder.path());
    for emit in ["json", "asm", "words"] {
        let args = ["compile", "--chip", "cedar", "--emit", emit, "--cache", cache, PHONG];
        let (first, second) = (tgsi(&args), tgsi(&args));
        assert_eq!((first.code, first.err.as_str()), (0, ""));
        assert_eq!(first, second, "{emit}");
    }
    // The same shader by another name has the same entry and its own name.
    let shader = fs::read(root().join(PHONG)).expect("the example is there");
    let args = ["compile", "--chip", "cedar", "--emit", "json", "--cache", cache, "-"];
    let piped = tgsi_with(&args, &shader);
    let entries = folder.path().read_dir().expect("the folder is there").count();
    assert_eq!(json_lines(&piped.out)[0]["file"], "<stdin>");
    assert!(entries <= 3, "{entries}");
}

/// A module is text of today whatever the dialect; the same text by itself is read as the options say.
#[test]
fn the_cache_refuses_what_the_options_refuse() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let cache = &["--cache", text(folder.path())][..];
    let module = "tgsi-spirv/tests/shaders/counted.frag.spv";
    let own = tgsi(&["convert", module]).out;
    let compile = &["compile", "--chip", "cedar", "--dialect", "2012"][..];
    assert_eq!(tgsi(&[compile, cache, &[module]].concat()).code, 0);
    let ran = tgsi_with(&[compile, cache, &["-"]].concat(), own.as_bytes());
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("dialect 2012 has no opcode FSLT"), "{}", ran.err);
    let compile = &["compile", "--chip", "cedar", PHONG][..];
    assert_eq!(tgsi(&[compile, cache].concat()).code, 0);
    let ran = tgsi(&[compile, cache, &["--max-instructions", "1"]].concat());
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("--max-instructions"), "{}", ran.err);
}

#[test]
fn a_program_lists_the_same_from_its_words() {
    for (chip, isa) in
        [("rv610", "r600"), ("latte", "r700"), ("cedar", "evergreen"), ("cayman", "cayman")]
    {
        for shader in [PHONG, LOOP, "examples/textured.vert.tgsi"] {
            let listing = tgsi(&["compile", "--chip", chip, shader]);
            let words = tgsi(&["compile", "--chip", chip, "--emit", "words", shader]);
            let args = ["disasm", "-", "--hex", "--isa", isa];
            assert_eq!(tgsi_with(&args, words.out.as_bytes()), listing, "{shader} for {chip}");
        }
    }
}

#[test]
fn anything_can_be_listed() {
    for words in ["", "0", "ffffffff ffffffff", "00000002 a0d80000", "c0008000 94200688 1 2 3"] {
        let ran = tgsi_with(&["disasm", "-", "--hex", "--isa", "r700"], words.as_bytes());
        assert_eq!(ran.code, 0, "{words}: {}", ran.err);
        assert!(ran.err.is_empty() || ran.err.starts_with("warning: "), "{words}: {}", ran.err);
    }
}

#[test]
fn the_object_lists_state_scratch_and_origins() {
    let ran = tgsi(&["compile", "--chip", "rv770", "--emit", "json", PHONG]);
    let object = &json_lines(&ran.out)[0];
    assert_eq!(object["scratch"], 0);
    let state = object["state"].as_array().expect("state is a list");
    let exports = state.iter().find(|one| one["name"] == "SQ_PGM_EXPORTS_PS").expect("it exports");
    assert_eq!((&exports["address"], &exports["value"]), (&"28854".into(), &"00000002".into()));
    let listing = tgsi(&["compile", "--chip", "rv770", PHONG]).out;
    let origins = object["origins"].as_array().expect("origins are a list");
    assert_eq!(origins.len(), listing.lines().count());
    for (line, origin) in listing.lines().zip(origins) {
        let is_fetch = line.contains("SAMPLE");
        assert!(!is_fetch || origin.as_array().is_some_and(|ids| ids.len() == 1), "{line}");
    }
    assert!(origins.iter().any(|origin| origin != &serde_json::json!([])));
}

#[test]
fn flags_state_what_shaders_are_compiled_for() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("the folder can be written");
        path
    };
    let vertex = write(
        "vertex.tgsi",
        "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[0]\nEND\n",
    );
    let geometry = write(
        "geometry.tgsi",
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
         PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], GENERIC[0]\nDCL OUT[0], POSITION\n\
         IMM[0] UINT32 {0, 0, 0, 0}\nMOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n",
    );
    let listed = |flags: &[&str]| {
        let ran = tgsi(&[&["compile", "--chip", "cedar", text(&vertex)], flags].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{flags:?}");
        ran.out
    };
    assert!(listed(&[]).contains("CALL_FS"));
    assert!(!listed(&["--no-fetch-shader"]).contains("CALL_FS"));
    assert!(listed(&["--before-geometry", text(&geometry)]).contains("MEM_RING"));
    assert!(listed(&["--vertex-as", "local"]).contains("LDS_WRITE"));
    assert!(listed(&["--stream-output", "1.yz:2:4"]).contains("MEM_STREAM0_BUF2"));
    for bad in ["1:0:0", "1.xz:0:0", "1.x:4:0", "1.x:0:0:0:0", "x"] {
        let ran = tgsi(&["compile", "--chip", "cedar", text(&vertex), "--stream-output", bad]);
        assert_eq!(ran.code, 2, "{bad}");
    }
    let ran = tgsi(&["compile", "--chip", "cedar", text(&vertex), "--before-geometry", BAD]);
    assert_eq!(ran.code, 1);
}
