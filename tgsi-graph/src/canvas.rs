//! The drawing surface: shapes with classes, text of known width.

use tgsi_ir::InstructionId;

/// Height of a line of text.
pub(crate) const LINE: f64 = 16.0;

/// Size of text.
pub(crate) const FONT_SIZE: f64 = 12.0;

/// Width of a character; the font is monospaced.
pub(crate) const CHAR: f64 = FONT_SIZE * 0.602;

/// Radius of the corners of rectangles.
pub(crate) const CORNER: f64 = 3.0;

/// Lengths of dashes and of the gaps between them.
pub(crate) const DASHES: [f64; 2] = [4.0, 3.0];

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

/// A part of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Segment {
    /// Starts a new line.
    Move(Point),
    /// A straight line.
    Line(Point),
    /// A cubic curve: two control points and the end.
    Curve([Point; 3]),
    /// Back to the start of the line.
    Close,
}

/// What an item looks like.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// A rectangle with rounded corners.
    Rect(Area),
    /// Text that starts at a point of its baseline.
    Text(Point, String),
    /// Lines and curves.
    Path(Vec<Segment>),
}

/// A shape with its class and what pages show of it.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Words separated by spaces; a [`Theme`](crate::Theme) has their colours.
    pub(crate) class: String,
    pub(crate) shape: Shape,
    /// Whether the outline is dashed.
    pub(crate) is_dashed: bool,
    /// The text of a tooltip.
    pub(crate) title: Option<String>,
    /// The instructions that the shape represents.
    pub(crate) origins: Vec<InstructionId>,
}

/// A drawn picture.
#[derive(Clone, Debug)]
pub struct Picture {
    width: f64,
    height: f64,
    items: Vec<Item>,
}

impl Picture {
    /// An empty picture.
    pub(crate) fn new(width: f64, height: f64) -> Self {
        Self { width: width.ceil(), height: height.ceil(), items: Vec::new() }
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (f64, f64) {
        (self.width, self.height)
    }

    /// All shapes, in the order in which they are painted.
    pub(crate) fn items(&self) -> &[Item] {
        &self.items
    }

    /// A rectangle with rounded corners.
    pub(crate) fn rect(&mut self, class: &str, area: Area) -> Drawn<'_> {
        self.push(class, Shape::Rect(area))
    }

    /// Text with its left end and the middle of its height at `at`.
    pub(crate) fn text(&mut self, class: &str, at: Point, text: &str) -> Drawn<'_> {
        // Half the height of a capital letter, since not every viewer can centre text.
        let baseline = Point { x: at.x, y: at.y + 0.36 * FONT_SIZE };
        self.push(class, Shape::Text(baseline, text.to_owned()))
    }

    /// Text with its right end and the middle of its height at `at`.
    pub(crate) fn text_right(&mut self, class: &str, at: Point, text: &str) -> Drawn<'_> {
        let x = at.x - width_of(text);
        self.text(class, Point { x, y: at.y }, text)
    }

    /// Lines and curves.
    pub(crate) fn path(&mut self, class: &str, segments: Vec<Segment>) -> Drawn<'_> {
        self.push(class, Shape::Path(segments))
    }

    fn push(&mut self, class: &str, shape: Shape) -> Drawn<'_> {
        let at = self.items.len();
        self.items.push(Item {
            class: class.to_owned(),
            shape,
            is_dashed: false,
            title: None,
            origins: Vec::new(),
        });
        Drawn(&mut self.items[at])
    }
}

/// A shape that was just drawn.
pub(crate) struct Drawn<'a>(&'a mut Item);

impl Drawn<'_> {
    /// Dashes the outline.
    pub(crate) fn dashed(self) -> Self {
        self.0.is_dashed = true;
        self
    }

    /// Adds a tooltip with the full text.
    pub(crate) fn title(self, text: &str) -> Self {
        self.0.title = Some(text.to_owned());
        self
    }

    /// Records the instructions that the shape represents, so that pages can highlight them.
    pub(crate) fn origins(self, ids: &[InstructionId]) -> Self {
        self.0.origins = ids.to_vec();
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
