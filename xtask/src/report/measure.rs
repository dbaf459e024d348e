//! Figures of our compiler for the corpus.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::Measured;

/// A shader of the corpus.
#[derive(Clone, Debug)]
pub(super) struct Shader {
    pub(super) name: String,
    path: PathBuf,
    has_loop: bool,
}

/// Figures of a shader; `None` for an unsupported one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ours {
    pub(super) measured: Option<Measured>,
    pub(super) has_loop: bool,
}

/// The shaders in `folder`, sorted by name.
pub(super) fn shaders(folder: &Path) -> Result<Vec<Shader>> {
    let mut shaders = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
        if path.extension().is_some_and(|extension| extension == "tgsi") {
            let has_loop = fs::read_to_string(&path)?.contains("BGNLOOP");
            shaders.push(Shader { name: name.to_owned(), path: path.clone(), has_loop });
        }
    }
    shaders.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(shaders)
}

/// Compiles `shaders` for `chip` on one core.
pub(super) fn compile(
    program: &Path,
    chip: &str,
    shaders: &[Shader],
) -> Result<BTreeMap<String, Ours>> {
    let output = Command::new(program)
        .args(["compile", "--emit", "json", "--chip", chip])
        .args(shaders.iter().map(|shader| &shader.path))
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .with_context(|| format!("{}: build it first", program.display()))?;
    let mut made: BTreeMap<String, Ours> = shaders
        .iter()
        .map(|s| (s.name.clone(), Ours { measured: None, has_loop: s.has_loop }))
        .collect();
    for line in String::from_utf8(output.stdout)?.lines() {
        let answer: Value = serde_json::from_str(line)?;
        let file = Path::new(answer["file"].as_str().context("an answer without its file")?);
        let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        if let Some(ours) = made.get_mut(name) {
            ours.measured = measured(&answer);
        }
    }
    Ok(made)
}

fn measured(answer: &Value) -> Option<Measured> {
    Some(Measured {
        instructions: 0,
        groups: answer["stats"]["groups"].as_u64()?,
        dwords: answer["stats"]["dwords"].as_u64()?,
        gprs: answer["gprs"].as_u64()?,
        compile_us: answer["compile_us"].as_u64()?,
    })
}
