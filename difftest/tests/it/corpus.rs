//! Runs over a folder: a file that is not read fails the run.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

const GOOD: &str = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 1, 1, 1}\nMOV OUT[0], IMM[0]\nEND\n";
const REFUSED: &str =
    "FRAG\nDCL SV[0], HELPER_INVOCATION\nDCL OUT[0], COLOR\nMOV OUT[0], SV[0].xxxx\nEND\n";
const BROKEN: &str = "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0] IMM[0]\nEND\n";

/// What the program says of a folder with these files, and whether it is content.
fn run(name: &str, files: &[(&str, &str)], options: &[&str]) -> (String, bool) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    for (file, text) in files {
        fs::write(folder.join(file), text).unwrap();
    }
    let mut program = Command::new(env!("CARGO_BIN_EXE_difftest"));
    let program = program.arg("--corpus").arg(&folder).args(["--chip", "rv770", "--level", "0"]);
    let output = program.args(options).output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (said.concat(), output.status.success())
}

#[test]
fn a_syntax_error_fails_the_run_and_the_rest_is_compared() {
    let files = [("broken.tgsi", BROKEN), ("good.tgsi", GOOD)];
    let (said, is_content) = run("unread", &files, &[]);
    assert!(!is_content, "{said}");
    assert!(said.contains("broken.tgsi:3:12: not read: expected `,`"), "{said}");
    assert!(said.contains("1 shaders, 0 failed, 1 not read"), "{said}");

    let (said, is_content) = run("unread", &files, &["--subsets", "1"]);
    assert!(!is_content, "{said}");
    assert!(said.contains("0 failed, 1 not read"), "{said}");
}

#[test]
fn a_readable_folder_passes() {
    let (said, is_content) = run("read", &[("good.tgsi", GOOD)], &[]);
    assert!(is_content, "{said}");
    assert!(said.contains("1 shaders, 0 failed, 0 not read"), "{said}");
}

#[test]
fn a_folder_without_shaders_fails() {
    let (said, is_content) = run("empty", &[], &[]);
    assert!(!is_content && said.contains("holds no `.tgsi` file"), "{said}");
}

#[test]
fn a_run_that_compares_nothing_fails() {
    let (said, is_content) = run("refused", &[("refused.tgsi", REFUSED)], &[]);
    assert!(!is_content && said.contains("nothing was compared"), "{said}");
    let (said, is_content) = run("refused", &[], &["--subsets", "0"]);
    assert!(!is_content && said.contains("nothing was compiled"), "{said}");
    let (said, is_content) = run("unlimited", &[("good.tgsi", GOOD)], &["--failures", "0"]);
    assert!(!is_content && said.contains("nothing was compared"), "{said}");
}

/// Of a hundred shaders a share says something; one more has to be compared.
#[test]
fn shaders_for_a_missing_stage_do_not_count_as_refused() {
    const GROUP: &str = "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 1
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL BUFFER[0]
IMM[0] UINT32 {16, 1, 4, 1}
STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy
END
";
    const PATCH: &str = "TESS_CTRL
PROPERTY TCS_VERTICES_OUT 4
DCL IN[][0], GENERIC[0]
DCL SV[0], INVOCATIONID
DCL OUT[][0], GENERIC[0]
DCL OUT[1], TESSOUTER
DCL OUT[2], TESSINNER
DCL ADDR[0]
IMM[0] FLT32 {1, 1, 1, 1}
UARL ADDR[0].x, SV[0].xxxx
MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]
MOV OUT[1], IMM[0]
MOV OUT[2], IMM[0]
END
";
    let names: Vec<String> = (0..100).map(|number| format!("{number}.tgsi")).collect();
    let run_many = |folder: &str, text: &str| {
        let many = names.iter().map(|name| (name.as_str(), text));
        run(folder, &many.chain([("good.tgsi", GOOD)]).collect::<Vec<_>>(), &[])
    };
    for (folder, text) in [("groups", GROUP), ("patches", PATCH)] {
        let (said, is_content) = run_many(folder, text);
        assert!(is_content && said.contains("refused 200 times: this chip has no"), "{said}");
    }
    let (said, is_content) = run_many("refusals", REFUSED);
    let grown = "more than ever before: shaders of the corpus that the compiler refuses";
    assert!(!is_content && said.contains(grown), "{said}");
}

/// Time is for random shaders where nothing else has a number.
#[test]
fn modules_run_within_a_time_limit() {
    let options = ["--minutes", "10", "--modules", "3"];
    let (said, is_content) = run("timed", &[("good.tgsi", GOOD)], &options);
    assert!(is_content && said.contains("3 modules and their translations"), "{said}");
}
