//! Invariants that hold for any text, in one function for fuzz targets, tests and campaigns.

use crate::mesa::judge;
use crate::{ParseOptions, Style, format, parse, print};

/// The first invariant that `text` violates; `None` if there is none.
///
/// Any text can be read. The resulting shader prints in every style, and reads back equal from the lossless one.
/// Whatever Mesa accepts is accepted. Formatting twice changes nothing.
pub fn find_fault(text: &str) -> Option<String> {
    let parsed = parse(text);
    for style in [Style::Mesa, Style::MesaHex] {
        print(&parsed.shader, style);
    }
    let printed = print(&parsed.shader, Style::Lossless);
    let again = parse(&printed);
    if again.has_errors() || again.shader != parsed.shader {
        return Some(format!("the shader does not come back from\n{printed}"));
    }
    if let Some(diagnostic) =
        parsed.diagnostics.iter().find(|one| text.get(one.primary.span.range()).is_none())
    {
        return Some(format!("a finding points between characters: {diagnostic:?}"));
    }
    let end = text.find('\0').unwrap_or(text.len());
    if judge(text).is_accepted && parse(&text[..end]).has_errors() {
        return Some("Mesa accepts what is refused here".to_owned());
    }
    let formatted = format(text, ParseOptions::default(), Style::Lossless).ok()?;
    let twice = format(&formatted, ParseOptions::default(), Style::Lossless).ok();
    (twice.as_ref() != Some(&formatted)).then(|| format!("formatting again changes\n{formatted}"))
}
