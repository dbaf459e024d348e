//! Calls an installed glslang.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::FrontEnd;
use crate::input::{Input, display_name};
use crate::problem::{Finding, Place, Problems};

/// Names that the compiler goes by.
const NAMES: [&str; 2] = ["glslang", "glslangValidator"];

/// The module that glslang makes of the source at `path`.
pub(super) fn compile(path: &Path, options: &FrontEnd) -> Result<Input, Problems> {
    let name = display_name(path);
    let failed = |message: String| Problems::whole(&name, message);
    // A missing file is not the compiler's to report.
    std::fs::metadata(path).map_err(|error| failed(format!("cannot be read: {error}")))?;
    let folder = tempfile::tempdir().map_err(|error| failed(format!("no folder: {error}")))?;
    let module = folder.path().join("module.spv");
    let source = with_includes(path, folder.path()).map_err(|error| failed(error.to_string()))?;
    let mut arguments = arguments(source.as_deref().unwrap_or(path), &module, options);
    if source.is_some() {
        let mut include = OsString::from("-I");
        include.push(
            path.parent().filter(|one| !one.as_os_str().is_empty()).unwrap_or(Path::new(".")),
        );
        arguments.insert(1, include);
    }
    let programs: Vec<PathBuf> = match &options.glslang {
        Some(program) => vec![program.clone()],
        None => NAMES.iter().map(PathBuf::from).collect(),
    };
    for program in &programs {
        match Command::new(program).args(&arguments).output() {
            Ok(output) if output.status.success() => {
                let bytes = std::fs::read(&module);
                let bytes =
                    bytes.map_err(|error| failed(format!("glslang wrote nothing: {error}")))?;
                return Ok(Input { name, bytes });
            }
            Ok(output) => {
                let text = complaints(&output.stdout, &output.stderr);
                let copy = source.as_deref().unwrap_or(path).display().to_string();
                return Err(failed(text.replace(&copy, &name)));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(failed(format!("{} cannot run: {error}", program.display()))),
        }
    }
    let names: Vec<String> = programs.iter().map(|one| format!("`{}`", one.display())).collect();
    let message = format!("is a source, and no {} is found", names.join(" or "));
    let finding = Finding::error(message, Place::Whole)
        .with_help("install the package `glslang-tools` (`glslang` elsewhere), or name one with `--glslang PATH`");
    Err(Problems::one(&name, None, finding))
}

/// A copy of a GLSL source that asks for `#include`, where it uses it and does not ask; lines keep their numbers.
fn with_includes(path: &Path, folder: &Path) -> std::io::Result<Option<PathBuf>> {
    let text = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
    let is_glsl = path.extension().is_none_or(|ending| ending != "hlsl");
    let asks = text.contains("GL_GOOGLE_include_directive")
        || text.contains("GL_ARB_shading_language_include");
    let lines: Vec<&str> = text.lines().collect();
    let uses = lines.iter().any(|line| line.trim_start().starts_with("#include"));
    let version = lines.iter().position(|line| line.trim_start().starts_with("#version"));
    let (true, false, true, Some(version), Some(name)) =
        (is_glsl, asks, uses, version, path.file_name())
    else {
        return Ok(None);
    };
    let (head, rest) = lines.split_at(version + 1);
    let asking = "#extension GL_GOOGLE_include_directive : require";
    let text =
        format!("{}\n{asking}\n#line {}\n{}\n", head.join("\n"), version + 2, rest.join("\n"));
    let copy = folder.join(name);
    std::fs::write(&copy, text)?;
    Ok(Some(copy))
}

fn arguments(path: &Path, module: &Path, options: &FrontEnd) -> Vec<OsString> {
    let mut list: Vec<OsString> = vec![if options.opengl { "-G" } else { "-V" }.into()];
    // Sources without locations and bindings get some.
    list.extend(["--aml", "--amb"].map(OsString::from));
    if path.extension().is_some_and(|ending| ending == "hlsl") {
        list.extend(["-D", "-e", options.entry.as_deref().unwrap_or("main")].map(OsString::from));
    }
    if let Some(stage) = &options.source_stage {
        list.extend(["-S", stage].map(OsString::from));
    }
    list.extend(options.define.iter().map(|define| format!("-D{define}").into()));
    for folder in &options.include {
        let mut argument = OsString::from("-I");
        argument.push(folder);
        list.push(argument);
    }
    list.push("-o".into());
    list.push(module.into());
    list.push(path.into());
    list
}

/// What glslang says is wrong, without its summary.
fn complaints(out: &[u8], err: &[u8]) -> String {
    let text = [String::from_utf8_lossy(out), String::from_utf8_lossy(err)].concat();
    let is_error =
        |line: &&str| line.starts_with("ERROR: ") && !line.contains("compilation errors");
    let lines: Vec<&str> = text.lines().filter(is_error).take(8).collect();
    if lines.is_empty() {
        return format!(
            "glslang fails: {}",
            text.trim().lines().last().unwrap_or("without a word")
        );
    }
    lines.iter().map(|line| line.trim_start_matches("ERROR: ")).collect::<Vec<_>>().join("\n")
}
