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

/// Classes with their colours: name, property, light, dark.
type Rule = (&'static str, &'static str, &'static str, &'static str);

/// Fills carry black text when light and white text when dark, so that both keep a contrast of 7 to 1.
const RULES: &[Rule] = &[
    (".page", "fill", "#ffffff", "#14171a"),
    (".box", "fill", "#f4f6f8", "#22272c"),
    (".box", "stroke", "#5b6670", "#8b98a5"),
    (".dim", "fill", "#ffffff", "#14171a"),
    (".dim", "stroke", "#9aa5ae", "#5b6670"),
    (".key", "fill", "#fbe3cf", "#4d2600"),
    (".key", "stroke", "#d55e00", "#ff9d4d"),
    ("text", "fill", "#111417", "#f2f5f7"),
    (".quiet", "fill", "#48525b", "#b4bec7"),
    (".edge", "stroke", "#5b6670", "#8b98a5"),
    (".tip", "fill", "#5b6670", "#8b98a5"),
    (".edge.yes", "stroke", "#0072b2", "#56b4e9"),
    (".tip.yes", "fill", "#0072b2", "#56b4e9"),
    (".edge.no", "stroke", "#d55e00", "#ff9d4d"),
    (".tip.no", "fill", "#d55e00", "#ff9d4d"),
    (".edge.hot", "stroke", "#d55e00", "#ff9d4d"),
    (".tip.hot", "fill", "#d55e00", "#ff9d4d"),
    (".edge.weak", "stroke", "#7b858e", "#7b858e"),
    (".tip.weak", "fill", "#7b858e", "#7b858e"),
    (".band", "fill", "#e3e8ec", "#2c333a"),
    (".band", "stroke", "#c3ccd3", "#3d464f"),
    (".slot", "stroke", "#5b6670", "#8b98a5"),
    (".empty", "fill", "none", "none"),
    (".empty", "stroke", "#c3ccd3", "#3d464f"),
    (".vector", "fill", "#cfe8f8", "#0b3f5c"),
    (".trans", "fill", "#fbe1a8", "#5c3d00"),
    (".reduction", "fill", "#bfe9db", "#00503a"),
    (".move", "fill", "#e6e8ea", "#343a40"),
    (".test", "fill", "#f9d3e5", "#5c2143"),
    (".fetch", "fill", "#f6f1a5", "#4a4600"),
    (".fetch", "stroke", "#8a8200", "#b5ac2e"),
    (".export", "fill", "#d5dcf9", "#232f66"),
    (".export", "stroke", "#44549c", "#8797e0"),
    (".stall", "stroke", "#d55e00", "#ff9d4d"),
    (".stallword", "fill", "#a34700", "#ffb37a"),
];

impl Theme {
    /// The style sheet.
    pub(crate) fn style(self) -> String {
        let mut css = format!(
            "text{{font-family:{FONTS};white-space:pre}}.edge{{fill:none;stroke-width:1.5}}\
             .box,.dim,.key,.slot,.band,.empty,.fetch,.export{{stroke-width:1}}\
             .edge.hot{{stroke-width:2.5}}.stall{{stroke-width:1.5}}"
        );
        match self {
            Self::Light => css.push_str(&colours(|rule| rule.2)),
            Self::Dark => css.push_str(&colours(|rule| rule.3)),
            Self::Auto => {
                css.push_str(&colours(|rule| rule.2));
                // Writing to a string cannot fail.
                let _ = write!(
                    css,
                    "@media (prefers-color-scheme: dark){{{}}}",
                    colours(|rule| rule.3)
                );
            }
        }
        css
    }
}

fn colours(pick: impl Fn(&Rule) -> &'static str) -> String {
    let rules = RULES.iter();
    rules.map(|rule| format!("{}{{{}:{}}}", rule.0, rule.1, pick(rule))).collect()
}
