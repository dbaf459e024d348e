//! An interrupt leaves nothing half-written.
#![cfg(unix)]

use crate::common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::root;

/// Names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().expect("the folder exists");
    entries
        .map(|entry| {
            entry.expect("the folder can be read").file_name().to_string_lossy().into_owned()
        })
        .collect()
}

#[test]
fn an_interrupted_batch_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list");
    // Far more work than can be done before the signal arrives.
    fs::write(&list, "examples/phong.frag.tgsi\n".repeat(200_000)).unwrap();
    let mut batch = Command::new(env!("CARGO_BIN_EXE_tgsi"))
        .args(["compile", "--chip", "rv770", "--emit", "json", "--files-from"])
        .arg(&list)
        .arg("-o")
        .arg(folder.path().join("out.json"))
        .current_dir(root())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while names(folder.path()).len() < 2 {
        assert!(start.elapsed() < Duration::from_secs(60), "no output was started");
        sleep(Duration::from_millis(5));
    }
    let signal = Command::new("kill").args(["-INT", &batch.id().to_string()]).status().unwrap();
    assert!(signal.success());
    assert_eq!(batch.wait().unwrap().code(), Some(130));
    assert_eq!(names(folder.path()), ["list"]);
}
