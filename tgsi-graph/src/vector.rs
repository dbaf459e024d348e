//! Pictures as SVG.

use std::fmt::Write as _;

use svg::node::element::{Element, Path, Rectangle, Style, Text, Title};
use svg::{Document, Node as _};

use crate::canvas::{Area, CORNER, DASHES, FONT_SIZE, Item, Point, Segment, Shape};
use crate::{Picture, Theme};

impl Picture {
    /// The picture as SVG.
    pub fn to_svg(&self, theme: Theme) -> String {
        let (width, height) = self.size();
        let page = Rectangle::new().set("class", "page").set("width", width).set("height", height);
        let mut document = Document::new()
            .set("viewBox", (0, 0, width, height))
            .set("width", width)
            .set("height", height)
            .set("font-size", FONT_SIZE)
            // For readers that do not know the style sheet's `white-space`.
            .set("xml:space", "preserve")
            .add(Style::new(theme.style()))
            .add(page);
        for item in self.items() {
            document.append(element(item));
        }
        document.to_string()
    }
}

fn element(item: &Item) -> Element {
    let mut element = match &item.shape {
        Shape::Rect(area) => rectangle(*area),
        Shape::Text(at, text) => {
            Text::new(text.as_str()).set("x", round(at.x)).set("y", round(at.y)).into()
        }
        Shape::Path(segments) => Path::new().set("d", data(segments)).into(),
    };
    element.assign("class", item.class.as_str());
    if item.is_dashed {
        element.assign("stroke-dasharray", DASHES.map(|length| length.to_string()).join(" "));
    }
    if let Some(title) = &item.title {
        element.append(Title::new(title.as_str()));
    }
    if !item.origins.is_empty() {
        let ids: Vec<_> = item.origins.iter().map(|id| id.index().to_string()).collect();
        element.assign("data-origins", ids.join(" "));
    }
    element
}

fn rectangle(area: Area) -> Element {
    Rectangle::new()
        .set("x", round(area.x))
        .set("y", round(area.y))
        .set("width", round(area.width))
        .set("height", round(area.height))
        .set("rx", CORNER)
        .into()
}

/// A path in the language of SVG.
fn data(segments: &[Segment]) -> String {
    let mut data = String::new();
    for segment in segments {
        // Writing to a string cannot fail.
        let _ = match segment {
            Segment::Move(to) => write!(data, "M{}", numbers(&[*to])),
            Segment::Line(to) => write!(data, "L{}", numbers(&[*to])),
            Segment::Curve(points) => write!(data, "C{}", numbers(points)),
            Segment::Close => write!(data, "Z"),
        };
    }
    data
}

fn numbers(points: &[Point]) -> String {
    let numbers = points.iter().flat_map(|point| [round(point.x), round(point.y)]);
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

/// Rounds to a tenth of a pixel.
fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
