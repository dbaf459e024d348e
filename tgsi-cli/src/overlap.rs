//! Checks that no flag writes a file that another one reads or writes, and that standard input is read only once.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, ValueHint};

use crate::failure::Failure;
use crate::input::is_dash;

/// Arguments that name a file to write. All other arguments with a path name a file to read.
const OUTPUTS: [&str; 6] = ["output", "image", "interface", "depfile", "pass_graph", "trace_json"];

/// A file on the command line.
struct Named {
    /// The flag, or the name of the argument.
    flag: String,
    path: PathBuf,
    is_output: bool,
}

/// Rejects a command line if an argument writes a file that another argument names. Files named inside other files are
/// not checked.
pub(crate) fn check(program: &Command, matches: &ArgMatches) -> Result<(), Failure> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(()) };
    let Some(command) = program.find_subcommand(name) else { return Ok(()) };
    let files: Vec<Named> = command.get_arguments().flat_map(|arg| named(arg, matches)).collect();
    check_standard_input(&files)?;
    for (place, out) in files.iter().enumerate().filter(|(_, file)| file.is_output) {
        let Some(own) = written(&out.path) else { continue };
        let mut others = files.iter().enumerate().filter(|(other, _)| *other != place);
        if let Some((_, other)) = others.find(|(_, other)| is_same(&own, &other.path)) {
            return Err(Failure::Usage(spoilt(out, other)));
        }
    }
    Ok(())
}

fn spoilt(out: &Named, other: &Named) -> String {
    let (path, flag) = (other.path.display(), &out.flag);
    match other.is_output {
        true => format!("`{}` and `{flag}` would both write `{path}`", other.flag),
        false => {
            format!("`{path}` would be overwritten with the result: give `{flag}` another file")
        }
    }
}

fn check_standard_input(files: &[Named]) -> Result<(), Failure> {
    let readers: Vec<_> =
        files.iter().filter(|file| !file.is_output && is_dash(&file.path)).collect();
    match readers[..] {
        [] | [_] => Ok(()),
        [first, second, ..] => Err(Failure::Usage(format!(
            "`-` is given for `{}` and for `{}`: standard input can be read only once",
            first.flag, second.flag
        ))),
    }
}

/// The files that an argument names.
fn named(arg: &Arg, matches: &ArgMatches) -> Vec<Named> {
    let id = arg.get_id().as_str();
    if !matches!(arg.get_value_hint(), ValueHint::AnyPath | ValueHint::FilePath) {
        return Vec::new();
    }
    let values = matches.try_get_raw(id).ok().flatten().into_iter().flatten();
    let is_pair =
        arg.get_value_names().is_some_and(|names| names.iter().any(|name| name.contains('=')));
    let named = |value: &OsStr| Named {
        flag: flag(arg),
        path: if is_pair { after_equals(value) } else { PathBuf::from(value) },
        is_output: OUTPUTS.contains(&id),
    };
    values.map(named).collect()
}

/// The file of `NAME=FILE`.
fn after_equals(value: &OsStr) -> PathBuf {
    let text = value.to_string_lossy();
    text.split_once('=').map_or_else(|| PathBuf::from(value), |(_, file)| PathBuf::from(file))
}

/// The name of an argument in messages.
fn flag(arg: &Arg) -> String {
    match (arg.get_short(), arg.get_long()) {
        (Some(short), _) => format!("-{short}"),
        (None, Some(long)) => format!("--{long}"),
        (None, None) => {
            let names = arg.get_value_names().unwrap_or_default();
            names.first().map_or_else(|| arg.get_id().to_string(), ToString::to_string)
        }
    }
}

/// The canonical name of a file that is written; `None` for standard output and devices, which are not replaced.
fn written(path: &Path) -> Option<PathBuf> {
    if is_dash(path) {
        return None;
    }
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => None,
        Ok(_) => fs::canonicalize(path).ok(),
        Err(_) => std::path::absolute(path).ok().map(to_be_made),
    }
}

/// The canonical name of a file that does not exist yet, from the canonical name of its folder.
fn to_be_made(path: PathBuf) -> PathBuf {
    let folder = path.parent().and_then(|folder| fs::canonicalize(folder).ok());
    let made = folder.zip(path.file_name()).map(|(folder, name)| folder.join(name));
    made.unwrap_or(path)
}

fn is_same(file: &Path, other: &Path) -> bool {
    written(other).is_some_and(|other| other == file)
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, ValueHint};

    use super::OUTPUTS;
    use crate::cli::Cli;

    /// The ids in `OUTPUTS` repeat those of the arguments.
    #[test]
    fn every_output_is_an_argument_that_takes_a_path() {
        let mut program = Cli::command();
        program.build();
        for id in OUTPUTS {
            let mut args = program.get_subcommands().flat_map(|command| command.get_arguments());
            assert!(args.any(|arg| arg.get_id() == id), "no command has `{id}`");
        }
    }

    /// An argument whose help says that it writes a file must be in `OUTPUTS`.
    #[test]
    fn every_argument_that_writes_a_file_is_an_output() {
        let mut program = Cli::command();
        program.build();
        for command in program.get_subcommands() {
            for arg in command.get_arguments() {
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                let takes_file = arg.get_value_names().is_some_and(|names| {
                    names.iter().any(|name| name.starts_with("OUT") || name == "FILE")
                        && arg.get_value_hint() == ValueHint::AnyPath
                });
                let writes = help.starts_with("Writes ") || help.starts_with("Draws ");
                let id = arg.get_id().as_str();
                assert!(!(takes_file && writes) || OUTPUTS.contains(&id), "{id}: {help}");
            }
        }
    }
}
