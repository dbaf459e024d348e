//! `tgsi explore`: a web page that shows how the compiler translates a shader.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use tgsi_explore::{Explorer, Limits};
use tgsi_ir::Dialect;
use tokio::runtime::Runtime;

use crate::failure::{Failure, Outcome};
use crate::frontend::{PageTranslator, text_for_page};
use crate::output::write_stdout;
use crate::problem::Problems;

/// Serves a page on this machine that shows what the compiler makes of a shader, as it is typed
///
/// The page can be reached from this machine only, and works without internet access. It accepts TGSI. If the compilers
/// are installed, it also accepts GLSL, WGSL, and SPIR-V as printed by `spirv-dis`. Stop it with Ctrl-C.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi explore
  tgsi explore shader.tgsi --port 8000
  tgsi explore shader.frag")]
pub(crate) struct Options {
    /// The shader to start with; `-` is standard input.
    file: Option<PathBuf>,
    /// Dialect of the shader, to be stated in its text: 2010, 2012 or 21.2.
    #[arg(long, value_name = "DIALECT", requires = "file")]
    dialect: Option<Dialect>,
    /// Port on 127.0.0.1; 0 selects any free one.
    #[arg(long, default_value = "7770")]
    port: u16,
}

pub(crate) fn run(options: &Options) -> Result<Outcome, Failure> {
    let text = options.file.as_deref().map(text_for_page).transpose()?;
    let text = text.map(|text| match options.dialect {
        Some(dialect) => format!("# dialect: {dialect}\n{text}"),
        None => text,
    });
    let name = format!("127.0.0.1:{}", options.port);
    let failed =
        |error: std::io::Error| Problems::whole(&name, format!("cannot be served: {error}"));
    let runtime = Runtime::new().map_err(failed)?;
    let serve = async {
        let explorer = Explorer::bind(options.port, text, Limits::default()).await?;
        let explorer = explorer.with_translator(Arc::new(PageTranslator::installed()));
        let url = explorer.url();
        Ok((explorer, url))
    };
    let (explorer, url) = runtime.block_on(serve).map_err(failed)?;
    write_stdout(format!("{url}\n").as_bytes())?;
    runtime.block_on(explorer.serve(std::future::pending())).map_err(failed)?;
    Ok(Outcome::Good)
}
