//! PNG of pictures.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Options, Tree, fontdb};
use thiserror::Error;

use crate::{Picture, Theme};

/// The longest side of a PNG.
const MAX_SIDE: f64 = 16_000.0;

/// Why a picture has no PNG.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PngError {
    /// The picture is larger than a bitmap should be.
    #[error("the picture is {0} by {1} pixels, too large for PNG; use SVG")]
    TooLarge(u32, u32),
    /// The picture cannot be read back: a bug in this crate.
    #[error("the picture is broken, please report it: {0}")]
    Broken(#[from] usvg::Error),
    /// The bitmap cannot be written.
    #[error("PNG cannot be written: {0}")]
    Encode(String),
}

impl Picture {
    /// The picture as PNG, one pixel per unit. PNG cannot query the viewer's preference: [`Theme::Auto`] is light.
    ///
    /// # Errors
    /// When the picture is too large for a bitmap.
    pub fn to_png(&self, theme: Theme) -> Result<Vec<u8>, PngError> {
        let (width, height) = self.size();
        let too_large = PngError::TooLarge(width as u32, height as u32);
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(too_large);
        }
        let theme = if theme == Theme::Auto { Theme::Light } else { theme };
        let options = Options { fontdb: fonts(), ..Options::default() };
        let tree = Tree::from_str(&self.to_svg(theme), &options)?;
        let mut pixmap = Pixmap::new(width as u32, height as u32).ok_or(too_large)?;
        resvg::render(&tree, Transform::default(), &mut pixmap.as_mut());
        pixmap.encode_png().map_err(|error| PngError::Encode(error.to_string()))
    }
}

/// The only font, which makes pictures the same everywhere.
fn fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let load = || {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(epaint_default_fonts::HACK_REGULAR.to_vec());
        Arc::new(fonts)
    };
    Arc::clone(FONTS.get_or_init(load))
}
