//! `tgsi schema`: JSON schemas of the files that the program reads and writes.

use clap::{Args, ValueEnum};
use gx2_gfd::File;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, schema_for};
use tgsi_api::RunJson;
use tgsi_api::launch::Launch;
use tgsi_spirv::interface::Interface;

use crate::commands::compile::Line;
use crate::commands::disasm::maxwell;
use crate::commands::disasm::r600::ListingJson;
use crate::commands::info::InfoJson;
use crate::commands::run::Comparison;
use crate::commands::run::gfd::Launch as GfdLaunch;
use crate::failure::{Failure, Outcome};
use crate::output::Destination;
use crate::report::DiagnosticJson;

/// Prints the JSON schema of a file that the program reads or writes
///
/// docs/inputs.md and docs/outputs.md describe each key.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi schema inputs -o inputs.schema.json
  tgsi schema compiled -o compiled.schema.json")]
pub(crate) struct Options {
    /// The kind of file.
    of: Kind,
    #[command(flatten)]
    destination: Destination,
}

/// Kinds of JSON files.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// `--inputs` of `tgsi run` and `tgsi sim`.
    Inputs,
    /// `--inputs` of `tgsi run` on a shader file of the Wii U.
    GshInputs,
    /// A line of `tgsi compile --emit json`.
    Compiled,
    /// The output of `tgsi run --json` and `tgsi sim`.
    Run,
    /// The output of `tgsi run --compare --json`.
    Comparison,
    /// The output of `tgsi disasm --json` for chips of the R600 family.
    Listing,
    /// The output of `tgsi disasm --json` for Maxwell.
    MaxwellListing,
    /// `--interface` of `tgsi convert`.
    Interface,
    /// The output of `tgsi unlink --emit json`.
    Gfd,
    /// A line of `tgsi info --json`.
    Info,
    /// A line of `--message-format json`.
    Diagnostic,
}

impl Kind {
    fn schema(self) -> Schema {
        match self {
            Self::Inputs => schema_for!(Launch),
            Self::GshInputs => schema_for!(GfdLaunch),
            Self::Compiled => of_written::<Line<'_>>(),
            Self::Run => of_written::<RunJson>(),
            Self::Comparison => of_written::<Comparison>(),
            Self::Listing => of_written::<ListingJson<'_>>(),
            Self::MaxwellListing => of_written::<maxwell::ListingJson<'_>>(),
            Self::Interface => of_written::<Interface>(),
            Self::Gfd => of_written::<File>(),
            Self::Info => of_written::<InfoJson<'_>>(),
            Self::Diagnostic => of_written::<DiagnosticJson<'_>>(),
        }
    }
}

/// The schema for writing: keys that may be left out are not required.
fn of_written<T: JsonSchema>() -> Schema {
    SchemaSettings::default().for_serialize().into_generator().into_root_schema_for::<T>()
}

pub(crate) fn run(options: &Options) -> Result<Outcome, Failure> {
    let text = format!("{:#}\n", options.of.schema().as_value());
    options.destination.write(text.as_bytes())?;
    Ok(Outcome::Good)
}
