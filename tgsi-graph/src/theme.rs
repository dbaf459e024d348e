//! Colours, as style sheets.

use std::fmt::Write as _;

/// The background that colours are chosen for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// The viewer's preference.
    #[default]
    Auto,
    /// A light one.
    Light,
    /// A dark one.
    Dark,
}

/// The fonts of all text. All but the last are at most as wide as the font used for measuring.
const FONTS: &str = "Hack, 'DejaVu Sans Mono', Menlo, Consolas, monospace";

/// A colour, red, green and blue from the top byte down; `None` paints nothing.
type Colour = Option<u32>;

/// What of a shape a rule paints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Fill,
    Stroke,
}

use Part::{Fill, Stroke};

/// Colours of shapes that have all classes of the selector: selector, part, light, dark. A later rule wins.
type Rule = (&'static str, Part, Colour, Colour);

/// Fills carry black text when light and white text when dark, so that both keep a contrast of 7 to 1.
const RULES: &[Rule] = &[
    (".page", Fill, Some(0xffffff), Some(0x14171a)),
    (".box", Fill, Some(0xf4f6f8), Some(0x22272c)),
    (".box", Stroke, Some(0x5b6670), Some(0x8b98a5)),
    (".dim", Fill, Some(0xffffff), Some(0x14171a)),
    (".dim", Stroke, Some(0x9aa5ae), Some(0x5b6670)),
    (".key", Fill, Some(0xfbe3cf), Some(0x4d2600)),
    (".key", Stroke, Some(0xd55e00), Some(0xff9d4d)),
    ("text", Fill, Some(0x111417), Some(0xf2f5f7)),
    (".quiet", Fill, Some(0x48525b), Some(0xb4bec7)),
    (".edge", Fill, None, None),
    (".edge", Stroke, Some(0x5b6670), Some(0x8b98a5)),
    (".tip", Fill, Some(0x5b6670), Some(0x8b98a5)),
    (".edge.yes", Stroke, Some(0x0072b2), Some(0x56b4e9)),
    (".tip.yes", Fill, Some(0x0072b2), Some(0x56b4e9)),
    (".edge.no", Stroke, Some(0xd55e00), Some(0xff9d4d)),
    (".tip.no", Fill, Some(0xd55e00), Some(0xff9d4d)),
    (".edge.hot", Stroke, Some(0xd55e00), Some(0xff9d4d)),
    (".tip.hot", Fill, Some(0xd55e00), Some(0xff9d4d)),
    (".edge.weak", Stroke, Some(0x7b858e), Some(0x7b858e)),
    (".tip.weak", Fill, Some(0x7b858e), Some(0x7b858e)),
    (".band", Fill, Some(0xe3e8ec), Some(0x2c333a)),
    (".band", Stroke, Some(0xc3ccd3), Some(0x3d464f)),
    (".slot", Stroke, Some(0x5b6670), Some(0x8b98a5)),
    (".empty", Fill, None, None),
    (".empty", Stroke, Some(0xc3ccd3), Some(0x3d464f)),
    (".vector", Fill, Some(0xcfe8f8), Some(0x0b3f5c)),
    (".trans", Fill, Some(0xfbe1a8), Some(0x5c3d00)),
    (".reduction", Fill, Some(0xbfe9db), Some(0x00503a)),
    (".move", Fill, Some(0xe6e8ea), Some(0x343a40)),
    (".test", Fill, Some(0xf9d3e5), Some(0x5c2143)),
    (".fetch", Fill, Some(0xf6f1a5), Some(0x4a4600)),
    (".fetch", Stroke, Some(0x8a8200), Some(0xb5ac2e)),
    (".export", Fill, Some(0xd5dcf9), Some(0x232f66)),
    (".export", Stroke, Some(0x44549c), Some(0x8797e0)),
    (".stall", Fill, None, None),
    (".stall", Stroke, Some(0xd55e00), Some(0xff9d4d)),
    (".stallword", Fill, Some(0xa34700), Some(0xffb37a)),
];

/// Widths of outlines, in pixels: selector and width. A later rule wins.
const WIDTHS: &[(&str, f64)] = &[
    (".edge", 1.5),
    (".box", 1.0),
    (".dim", 1.0),
    (".key", 1.0),
    (".slot", 1.0),
    (".band", 1.0),
    (".empty", 1.0),
    (".fetch", 1.0),
    (".export", 1.0),
    (".edge.hot", 2.5),
    (".stall", 1.5),
];

/// What a shape is painted with.
#[cfg(feature = "png")]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Paint {
    /// The colour inside.
    pub(crate) fill: Colour,
    /// The colour of the outline.
    pub(crate) stroke: Colour,
    /// The width of the outline, in pixels.
    pub(crate) width: f64,
}

impl Theme {
    /// The style sheet.
    pub(crate) fn style(self) -> String {
        let mut css = format!("text{{font-family:{FONTS};white-space:pre}}");
        for (selector, width) in WIDTHS {
            // Writing to a string cannot fail.
            let _ = write!(css, "{selector}{{stroke-width:{width}}}");
        }
        match self {
            Self::Light => css.push_str(&colours(|rule| rule.2)),
            Self::Dark => css.push_str(&colours(|rule| rule.3)),
            Self::Auto => {
                css.push_str(&colours(|rule| rule.2));
                let dark = colours(|rule| rule.3);
                let _ = write!(css, "@media (prefers-color-scheme: dark){{{dark}}}");
            }
        }
        css
    }

    /// What the style sheet says of a shape with these classes. A bitmap cannot ask the viewer: [`Theme::Auto`] is light.
    #[cfg(feature = "png")]
    pub(crate) fn paint(self, class: &str, is_text: bool) -> Paint {
        let mut paint = Paint::default();
        for (selector, part, light, dark) in RULES {
            if !selects(selector, class, is_text) {
                continue;
            }
            let colour = if self == Self::Dark { *dark } else { *light };
            match part {
                Fill => paint.fill = colour,
                Stroke => paint.stroke = colour,
            }
        }
        let mut widths = WIDTHS.iter().filter(|(selector, _)| selects(selector, class, is_text));
        paint.width = widths.next_back().map_or(1.0, |(_, width)| *width);
        paint
    }
}

/// Whether a shape with these classes meets the selector.
#[cfg(feature = "png")]
fn selects(selector: &str, class: &str, is_text: bool) -> bool {
    match selector.strip_prefix('.') {
        None => is_text && selector == "text",
        Some(names) => names.split('.').all(|name| class.split(' ').any(|word| word == name)),
    }
}

fn colours(pick: impl Fn(&Rule) -> Colour) -> String {
    let text = |colour: Colour| match colour {
        Some(colour) => format!("#{colour:06x}"),
        None => "none".to_owned(),
    };
    let part = |part: Part| match part {
        Fill => "fill",
        Stroke => "stroke",
    };
    let rules = RULES.iter();
    rules.map(|rule| format!("{}{{{}:{}}}", rule.0, part(rule.1), text(pick(rule)))).collect()
}

#[cfg(all(test, feature = "png"))]
mod tests {
    use super::*;

    #[test]
    fn a_bitmap_has_the_colours_of_the_style_sheet() {
        let plain = Paint { fill: None, stroke: Some(0x5b6670), width: 1.5 };
        let hot = Paint { fill: None, stroke: Some(0xd55e00), width: 2.5 };
        assert_eq!(Theme::Light.paint("edge", false), plain);
        assert_eq!(Theme::Auto.paint("edge hot", false), hot);
        assert_eq!(Theme::Dark.paint("edge hot", false), Paint { stroke: Some(0xff9d4d), ..hot });
        let slot = Paint { fill: Some(0xcfe8f8), stroke: Some(0x5b6670), width: 1.0 };
        assert_eq!(Theme::Light.paint("vector slot", false), slot);
    }

    #[test]
    fn classes_of_text_win_over_text() {
        assert_eq!(Theme::Light.paint("", true).fill, Some(0x111417));
        assert_eq!(Theme::Light.paint("quiet", true).fill, Some(0x48525b));
        assert_eq!(Theme::Light.paint("", false).fill, None);
    }
}
