//! Pictures as PNG.

use epaint_default_fonts::HACK_REGULAR;
use thiserror::Error;
use tiny_skia::{
    Color, FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};
use ttf_parser::{Face, OutlineBuilder};

use crate::canvas::{Area, CHAR, CORNER, DASHES, FONT_SIZE, Item, Point, Segment, Shape};
use crate::{Picture, Theme};

/// The longest side of a PNG.
const MAX_SIDE: f64 = 16_000.0;

/// How far the control points of a quarter of a circle are from its ends, for a radius of 1.
const QUARTER: f32 = 0.552_285;

/// Why a picture has no PNG.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PngError {
    /// The picture is larger than a bitmap should be.
    #[error("the picture is {0} by {1} pixels, too large for PNG; use SVG")]
    TooLarge(u32, u32),
    /// The font of this crate cannot be read: a bug in this crate.
    #[error("the built-in font is broken, please report it: {0}")]
    Font(String),
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
        // The only font, which makes pictures the same everywhere.
        let face =
            Face::parse(HACK_REGULAR, 0).map_err(|error| PngError::Font(error.to_string()))?;
        let mut pixmap = Pixmap::new(width as u32, height as u32).ok_or(too_large)?;
        if let Some(page) = theme.paint("page", false).fill {
            pixmap.fill(colour(page));
        }
        for item in self.items() {
            paint(&mut pixmap, item, &face, theme);
        }
        pixmap.encode_png().map_err(|error| PngError::Encode(error.to_string()))
    }
}

fn paint(pixmap: &mut Pixmap, item: &Item, face: &Face<'_>, theme: Theme) {
    let is_text = matches!(item.shape, Shape::Text(..));
    let path = match &item.shape {
        Shape::Rect(area) => rectangle(*area),
        Shape::Text(at, text) => letters(*at, text, face),
        Shape::Path(segments) => line(segments),
    };
    // Nothing to see, such as a space.
    let Some(path) = path else { return };
    let style = theme.paint(&item.class, is_text);
    let place = Transform::identity();
    if let Some(fill) = style.fill {
        pixmap.fill_path(&path, &ink(fill), FillRule::Winding, place, None);
    }
    if let Some(stroke) = style.stroke {
        let dash = item.is_dashed.then(|| DASHES.map(|length| length as f32).to_vec());
        let dash = dash.and_then(|lengths| StrokeDash::new(lengths, 0.0));
        let outline = Stroke { width: style.width as f32, dash, ..Stroke::default() };
        pixmap.stroke_path(&path, &ink(stroke), &outline, place, None);
    }
}

fn colour(rgb: u32) -> Color {
    let [_, red, green, blue] = rgb.to_be_bytes();
    Color::from_rgba8(red, green, blue, u8::MAX)
}

fn ink(rgb: u32) -> Paint<'static> {
    let mut ink = Paint::default();
    ink.set_color(colour(rgb));
    ink
}

/// A rectangle with rounded corners.
fn rectangle(area: Area) -> Option<Path> {
    let [x, y, width, height] = [area.x, area.y, area.width, area.height].map(|side| side as f32);
    let rect = Rect::from_xywh(x, y, width, height)?;
    let (left, top, right, bottom) = (rect.left(), rect.top(), rect.right(), rect.bottom());
    let radius = (CORNER as f32).min(width / 2.0).min(height / 2.0);
    // From a corner to the control points beside it.
    let near = radius * (1.0 - QUARTER);
    let mut path = PathBuilder::new();
    path.move_to(left + radius, top);
    path.line_to(right - radius, top);
    path.cubic_to(right - near, top, right, top + near, right, top + radius);
    path.line_to(right, bottom - radius);
    path.cubic_to(right, bottom - near, right - near, bottom, right - radius, bottom);
    path.line_to(left + radius, bottom);
    path.cubic_to(left + near, bottom, left, bottom - near, left, bottom - radius);
    path.line_to(left, top + radius);
    path.cubic_to(left, top + near, left + near, top, left + radius, top);
    path.close();
    path.finish()
}

fn line(segments: &[Segment]) -> Option<Path> {
    let mut path = PathBuilder::new();
    let pair = |point: &Point| (point.x as f32, point.y as f32);
    for segment in segments {
        match segment {
            Segment::Move(to) => {
                let (x, y) = pair(to);
                path.move_to(x, y);
            }
            Segment::Line(to) => {
                let (x, y) = pair(to);
                path.line_to(x, y);
            }
            Segment::Curve(points) => {
                let [(x1, y1), (x2, y2), (x, y)] = points.each_ref().map(pair);
                path.cubic_to(x1, y1, x2, y2, x, y);
            }
            Segment::Close => path.close(),
        }
    }
    path.finish()
}

/// The outlines of the letters of a text that starts at a point of its baseline.
fn letters(at: Point, text: &str, face: &Face<'_>) -> Option<Path> {
    let scale = FONT_SIZE as f32 / f32::from(face.units_per_em());
    let mut pen = Pen { path: PathBuilder::new(), x: 0.0, y: at.y as f32, scale };
    for (n, letter) in text.chars().enumerate() {
        pen.x = (at.x + n as f64 * CHAR) as f32;
        // The font's first glyph stands for all that it does not have.
        let glyph = face.glyph_index(letter).unwrap_or_default();
        // A space has no outline.
        let _ = face.outline_glyph(glyph, &mut pen);
    }
    pen.path.finish()
}

/// Draws letters: the font measures upwards from the baseline, in its own units.
struct Pen {
    path: PathBuilder,
    /// Where the letter's origin is, in pixels.
    x: f32,
    y: f32,
    /// Pixels in a unit of the font.
    scale: f32,
}

impl Pen {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + self.scale * x, self.y - self.scale * y)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) =
            (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
