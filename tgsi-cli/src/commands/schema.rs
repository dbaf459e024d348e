//! `tgsi schema`: what JSON the program reads.

use clap::{Args, ValueEnum};
use schemars::{Schema, schema_for};
use tgsi_api::launch::Launch;

use crate::commands::run::gfd::Launch as GfdLaunch;
use crate::failure::{Failure, Outcome};
use crate::output::Destination;

/// Prints the JSON schema of a file that the program reads, made from the types that read it
///
/// docs/inputs.md says in words what each key is.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi schema inputs -o inputs.schema.json")]
pub(crate) struct Options {
    /// Which file.
    of: Kind,
    #[command(flatten)]
    destination: Destination,
}

/// Files of JSON.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// `--inputs` of `tgsi run` and `tgsi sim`.
    Inputs,
    /// `--inputs` of `tgsi run` on a shader file of the Wii U.
    GshInputs,
}

impl Kind {
    fn schema(self) -> Schema {
        match self {
            Self::Inputs => schema_for!(Launch),
            Self::GshInputs => schema_for!(GfdLaunch),
        }
    }
}

pub(crate) fn run(options: &Options) -> Result<Outcome, Failure> {
    let text = format!("{:#}\n", options.of.schema().as_value());
    options.destination.write(text.as_bytes())?;
    Ok(Outcome::Good)
}
