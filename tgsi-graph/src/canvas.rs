//! The drawing surface: shapes with classes, text of known width.

use svg::node::element::{Element, Path, Rectangle, Style, Title};
use svg::{Document, Node as _};
use tgsi_ir::InstructionId;

use crate::theme::Theme;

/// Height of a line of text.
pub(crate) const LINE: f64 = 16.0;

/// Size of text.
const FONT_SIZE: f64 = 12.0;

/// Width of a character; the font is monospaced.
pub(crate) const CHAR: f64 = FONT_SIZE * 0.602;

/// A point, in pixels from the upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Area {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A drawn picture.
#[derive(Clone, Debug)]
pub struct Picture {
    width: f64,
    height: f64,
    elements: Vec<Element>,
}

impl Picture {
    /// An empty picture.
    pub(crate) fn new(width: f64, height: f64) -> Self {
        Self { width: width.ceil(), height: height.ceil(), elements: Vec::new() }
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (f64, f64) {
        (self.width, self.height)
    }

    /// The picture as SVG.
    pub fn to_svg(&self, theme: Theme) -> String {
        let page = Rectangle::new()
            .set("class", "page")
            .set("width", self.width)
            .set("height", self.height);
        let mut document = Document::new()
            .set("viewBox", (0, 0, self.width, self.height))
            .set("width", self.width)
            .set("height", self.height)
            .set("font-size", FONT_SIZE)
            // For readers that do not know the style sheet's `white-space`.
            .set("xml:space", "preserve")
            .add(Style::new(theme.style()))
            .add(page);
        for element in &self.elements {
            document.append(element.clone());
        }
        document.to_string()
    }

    /// A rectangle with rounded corners.
    pub(crate) fn rect(&mut self, class: &str, area: Area) -> Shape<'_> {
        let rect = Rectangle::new()
            .set("class", class)
            .set("x", round(area.x))
            .set("y", round(area.y))
            .set("width", round(area.width))
            .set("height", round(area.height))
            .set("rx", 3);
        self.push(rect)
    }

    /// Text with its left end and the middle of its height at `at`.
    pub(crate) fn text(&mut self, class: &str, at: Point, text: &str) -> Shape<'_> {
        let text = svg::node::element::Text::new(text)
            .set("class", class)
            .set("x", round(at.x))
            // Half the height of a capital letter, since not every viewer can centre text.
            .set("y", round(at.y + 0.36 * FONT_SIZE));
        self.push(text)
    }

    /// Text with its right end and the middle of its height at `at`.
    pub(crate) fn text_right(&mut self, class: &str, at: Point, text: &str) -> Shape<'_> {
        let x = at.x - width_of(text);
        self.text(class, Point { x, y: at.y }, text)
    }

    /// A path in the language of SVG.
    pub(crate) fn path(&mut self, class: &str, data: String) -> Shape<'_> {
        self.push(Path::new().set("class", class).set("d", data))
    }

    fn push(&mut self, element: impl Into<Element>) -> Shape<'_> {
        let at = self.elements.len();
        self.elements.push(element.into());
        Shape(&mut self.elements[at])
    }
}

/// A shape that was just drawn.
pub(crate) struct Shape<'a>(&'a mut Element);

impl Shape<'_> {
    /// Dashes the outline.
    pub(crate) fn dashed(self) -> Self {
        self.0.assign("stroke-dasharray", "4 3");
        self
    }

    /// Adds a tooltip with the full text.
    pub(crate) fn title(self, text: &str) -> Self {
        self.0.append(Title::new(text));
        self
    }

    /// Records the instructions that the shape represents, so that pages can highlight them.
    pub(crate) fn origins(self, ids: &[InstructionId]) -> Self {
        if !ids.is_empty() {
            let ids: Vec<_> = ids.iter().map(|id| id.index().to_string()).collect();
            self.0.assign("data-origins", ids.join(" "));
        }
        self
    }
}

/// Width of `text` when drawn.
pub(crate) fn width_of(text: &str) -> f64 {
    text.chars().count() as f64 * CHAR
}

/// `text`, cut with an ellipsis if it has more than `max` characters.
pub(crate) fn shorten(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(max.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// Rounds to a tenth of a pixel.
pub(crate) fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
