//! A result for each input: a single one on standard output or in a file, several in a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::batch::Inputs;
use crate::failure::{Failure, Outcome};
use crate::output::{Destination, Spared, create_folder, existing, write_file};
use crate::problem::Problems;
use crate::report::Reporter;

/// The destination of results.
#[derive(Args, Clone, Debug)]
pub(crate) struct Results {
    #[command(flatten)]
    pub(crate) destination: Destination,
    /// Writes a file for each input into this folder, named after the input; creates the folder.
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub(crate) out_dir: Option<PathBuf>,
}

/// The result for one input.
pub(crate) struct Made {
    pub(crate) bytes: Vec<u8>,
    /// Warnings for the user.
    pub(crate) warnings: Option<Problems>,
}

impl Results {
    /// The output file for an input, in the folder of results; `None` if results go elsewhere.
    pub(crate) fn file_of(&self, input: &Path, extension: &str) -> Option<PathBuf> {
        let folder = self.out_dir.as_ref()?;
        let name = input.file_name().unwrap_or(input.as_os_str());
        Some(folder.join(name).with_extension(extension))
    }

    /// Rejects destinations that are inputs, and two results for the same file.
    pub(crate) fn check(&self, inputs: &[PathBuf], extension: &str) -> Result<(), Failure> {
        self.destination.check_spares(inputs.iter().map(PathBuf::as_path))?;
        let mut input_by_name = BTreeMap::new();
        // Computed once, and only if the folder has files, since there may be a hundred thousand inputs.
        let mut spared = None;
        for input in inputs {
            let Some(file) = self.file_of(input, extension) else { return Ok(()) };
            if let Some(other) = input_by_name.insert(file.clone(), input) {
                return Err(Failure::Usage(format!(
                    "`{}` and `{}` would both become `{}`: rename one, or use two calls",
                    other.display(),
                    input.display(),
                    file.display()
                )));
            }
            if let Some(file) = existing(&file) {
                let of_inputs = || Spared::new(inputs.iter().map(PathBuf::as_path));
                spared.get_or_insert_with(of_inputs).check(&file)?;
            }
        }
        Ok(())
    }

    /// Runs `job` on each input and writes the results. A bad input is reported; the others are processed nevertheless.
    pub(crate) fn write_each(
        &self,
        (inputs, extension): (&Inputs, &str),
        reporter: Reporter,
        job: impl Fn(&Path) -> Result<Made, Problems> + Sync,
    ) -> Result<Outcome, Failure> {
        let paths = inputs.paths()?;
        self.check(&paths, extension)?;
        match &self.out_dir {
            Some(folder) => create_folder(folder)?,
            None if paths.len() > 1 => return Err(too_many()),
            None => {}
        }
        inputs.run(&paths, reporter, job, |path, made| match made {
            Ok(Made { bytes, warnings }) => {
                warnings.iter().for_each(|warnings| reporter.show(warnings));
                match self.file_of(path, extension) {
                    Some(file) => write_file(&file, &bytes)?,
                    None => self.destination.write(&bytes)?,
                }
                Ok(Outcome::Good)
            }
            Err(problems) => {
                reporter.show(&problems);
                Ok(Outcome::Bad)
            }
        })
    }
}

/// The error for several inputs with a single destination.
pub(crate) fn too_many() -> Failure {
    Failure::Usage("several inputs cannot go into one file: give `--out-dir DIR`".to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::Results;
    use crate::failure::Failure;
    use crate::output::Destination;

    /// All results exist already.
    #[test]
    fn results_that_exist_are_replaced_unless_they_are_inputs() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        fs::create_dir(&out).unwrap();
        let path = |number: usize, name: &str| folder.path().join(format!("{name}{number}"));
        let inputs: Vec<PathBuf> = (0..20).map(|number| path(number, "a")).collect();
        for (number, input) in inputs.iter().enumerate() {
            fs::write(input, "").unwrap();
            fs::write(path(number, "out/a").with_extension("s"), "").unwrap();
        }
        let destination = Destination { output: None };
        let results = Results { destination, out_dir: Some(out.clone()) };
        assert!(results.check(&inputs, "s").is_ok());
        // A result is also an input, under another name.
        let spoilt = [&inputs[..], &[out.join("../out/a19.s")]].concat();
        let Err(Failure::Usage(message)) = results.check(&spoilt, "s") else {
            panic!("an input would be overwritten");
        };
        assert!(message.contains("would be overwritten"), "{message}");
    }
}
