//! Calls an installed glslang.

mod included;

use std::ffi::OsString;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::FrontEnd;
use super::program::{self, Said};
use crate::input::{Input, display_name};
use crate::problem::{Finding, Place, Problems};

pub(super) use included::included;

/// Names of the compiler.
const NAMES: [&str; 2] = ["glslang", "glslangValidator"];

/// Advice if none is installed.
pub(super) const HELP: &str =
    "install the package `glslang-tools` (`glslang` elsewhere), or name one with `--glslang PATH`";

/// glslang's message about a source that is written for OpenGL.
const BEYOND_VULKAN: &str = "not allowed when using GLSL for Vulkan";

/// The remedy for that.
const OPENGL_HELP: &str = "`--opengl` follows the rules of OpenGL";

/// A source to compile.
pub(super) struct Job<'a> {
    pub(super) path: &'a Path,
    /// A folder for temporary files.
    pub(super) folder: &'a Path,
    /// Whether the module contains line information.
    pub(super) is_traced: bool,
    /// The file in which glslang lists the files that it reads.
    pub(super) depfile: Option<&'a Path>,
    pub(super) time: Duration,
}

/// Why there is no module.
pub(super) enum Failure {
    /// The source has mistakes; one message each.
    Wrong(Vec<String>),
    /// No compiler is installed.
    Missing(String),
    /// Something else failed.
    Other(String),
}

/// Compiles the source at `path` with glslang.
pub(super) fn compile(path: &Path, options: &FrontEnd) -> Result<Input, Problems> {
    let name = display_name(path);
    let failed = |message: String| Problems::whole(&name, message);
    // A missing file is reported here, not by the compiler.
    std::fs::metadata(path).map_err(|error| failed(format!("cannot be read: {error}")))?;
    let folder = tempfile::tempdir().map_err(|error| failed(format!("no folder: {error}")))?;
    let job = Job::new(path, folder.path());
    match job.run(options) {
        Ok(bytes) => Ok(Input { name, bytes }),
        Err(Failure::Wrong(messages)) => {
            let copy = path.file_name().map(|own| folder.path().join(own).display().to_string());
            let text = messages.join("\n").replace(&path.display().to_string(), &name);
            let text = copy.map_or(text.clone(), |copy| text.replace(&copy, &name));
            let help = text.contains(BEYOND_VULKAN).then(|| OPENGL_HELP.to_owned());
            let finding = Finding { help, ..Finding::error(text, Place::Whole) };
            Err(Problems::one(&name, None, finding))
        }
        Err(Failure::Missing(message)) => {
            let finding = Finding::error(message, Place::Whole).with_help(HELP);
            Err(Problems::one(&name, None, finding))
        }
        Err(Failure::Other(message)) => Err(failed(message)),
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong(messages) => f.write_str(&messages.join("; ")),
            Self::Missing(message) | Self::Other(message) => f.write_str(message),
        }
    }
}

impl<'a> Job<'a> {
    /// A job without a time limit that produces only a module.
    fn new(path: &'a Path, folder: &'a Path) -> Self {
        Self { path, folder, is_traced: false, depfile: None, time: Duration::MAX }
    }

    /// Runs the compiler and returns the module.
    pub(super) fn run(&self, options: &FrontEnd) -> Result<Vec<u8>, Failure> {
        let module = self.folder.join("module.spv");
        let source = with_includes(self.path, self.folder)
            .map_err(|error| Failure::Other(error.to_string()))?;
        let mut arguments = arguments(source.as_deref().unwrap_or(self.path), &module, options);
        if source.is_some() {
            let mut include = OsString::from("-I");
            let around = self.path.parent().filter(|one| !one.as_os_str().is_empty());
            include.push(around.unwrap_or(Path::new(".")));
            arguments.insert(1, include);
        }
        if self.is_traced {
            arguments.insert(1, "-g".into());
        }
        if let Some(depfile) = self.depfile {
            arguments.splice(1..1, ["--depfile".into(), depfile.into()]);
        }
        let programs: Vec<PathBuf> = match &options.glslang {
            Some(program) => vec![program.clone()],
            None => NAMES.iter().map(PathBuf::from).collect(),
        };
        for program in &programs {
            let mut command = Command::new(program);
            match program::run(command.args(&arguments), self.folder, self.time) {
                Ok(said) => return self.module_of(&said, &module),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => {
                    let message = format!("{} cannot run: {error}", program.display());
                    return Err(Failure::Other(message));
                }
            }
        }
        let names: Vec<String> =
            programs.iter().map(|one| format!("`{}`", one.display())).collect();
        Err(Failure::Missing(format!("is a source, and no {} is found", names.join(" or "))))
    }

    fn module_of(&self, said: &Said, module: &Path) -> Result<Vec<u8>, Failure> {
        match said.status {
            Some(status) if status.success() => std::fs::read(module)
                .map_err(|error| Failure::Other(format!("glslang wrote nothing: {error}"))),
            Some(_) => Err(Failure::Wrong(complaints(&said.text))),
            None => Err(Failure::Other(format!("glslang takes longer than {:?}", self.time))),
        }
    }
}

/// A copy of a GLSL source that enables `#include`, if the source uses it without enabling it. Line numbers stay the
/// same.
fn with_includes(path: &Path, folder: &Path) -> std::io::Result<Option<PathBuf>> {
    let text = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
    let is_glsl = path.extension().is_none_or(|ending| ending != "hlsl");
    let asks = text.contains("GL_GOOGLE_include_directive")
        || text.contains("GL_ARB_shading_language_include");
    let lines: Vec<&str> = text.lines().collect();
    let uses = uses_include(&text);
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

/// Whether a source includes other files.
fn uses_include(text: &str) -> bool {
    let directives = text.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
    directives.map(str::trim_start).any(|directive| directive.starts_with("include"))
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

/// The error messages of glslang, without its summary.
fn complaints(text: &str) -> Vec<String> {
    let is_error = |line: &&str| {
        line.starts_with("ERROR: ")
            && !line.contains("compilation errors")
            && !line.contains("'' : compilation terminated")
    };
    let lines: Vec<&str> = text.lines().filter(is_error).take(8).collect();
    if lines.is_empty() {
        let last = text.trim().lines().last().unwrap_or("without a word");
        return vec![format!("glslang fails: {last}")];
    }
    lines.iter().map(|line| line.trim_start_matches("ERROR: ").to_owned()).collect()
}
