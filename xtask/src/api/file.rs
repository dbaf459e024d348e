//! The items of a source file. The text is formatted by `cargo fmt`: an item begins and ends in the first column.

/// An item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// Its name. For an `impl`, that of the type; empty for a `use`.
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Whether it is `pub`.
    pub(super) is_public: bool,
    /// The text in a listing: attributes, the item, and its public members.
    pub(super) lines: Vec<String>,
}

/// The kind of an item, as far as a listing needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A module in a separate file.
    Module,
    /// A module in this file.
    Inline(Vec<Item>),
    /// Imported names.
    Use(String),
    /// An implementation.
    Impl,
    /// Anything else.
    Other,
}

/// Features and configurations whose items are not part of the public API.
const HIDDEN: [&str; 2] = ["#[cfg(feature = \"internals\")]", "#[cfg(test)]"];

/// The items of a text.
pub(super) fn items(text: &str) -> Vec<Item> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//") && !line.is_empty();
    let lines: Vec<&str> = text.lines().filter(is_code).collect();
    let (mut items, mut attributes, mut at) = (Vec::new(), Vec::new(), 0);
    while at < lines.len() {
        let len = item_len(&lines[at..]);
        let block = &lines[at..at + len];
        at += len;
        if block[0].starts_with("#[") {
            attributes.push(joined(block));
            continue;
        }
        let own = std::mem::take(&mut attributes);
        if !own.iter().any(|attribute| HIDDEN.contains(&attribute.as_str())) {
            items.extend(item(block, own));
        }
    }
    items
}

/// Lines of the item that begins with the first one.
fn item_len(lines: &[&str]) -> usize {
    let ends = |line: &&str| line.ends_with([';', '}', ']', ')']) && !line.starts_with(' ');
    lines.iter().position(ends).map_or(lines.len(), |at| at + 1)
}

/// The item in these lines, if a listing needs it.
fn item(block: &[&str], attributes: Vec<String>) -> Option<Item> {
    let first = block[0];
    if first.starts_with("impl") {
        return implementation(block);
    }
    let is_public = first.starts_with("pub ");
    let rest = after_visibility(first)?;
    let mut words = rest.split(|c: char| !c.is_alphanumeric() && c != '_');
    let keyword =
        words.find(|word| !["const", "async", "unsafe"].contains(word) || is_constant(rest))?;
    let name = words.next().unwrap_or_default().to_owned();
    let shown = attributes.into_iter().filter(|own| is_shown(own));
    let (kind, lines) = match keyword {
        "use" => {
            let all = joined(block);
            let path = all.split_once("use ")?.1.trim_end_matches(';').to_owned();
            return Some(Item {
                name: String::new(),
                kind: Kind::Use(path),
                is_public,
                lines: Vec::new(),
            });
        }
        "mod" if first.ends_with(';') => (Kind::Module, Vec::new()),
        "mod" => {
            let dedented: Vec<&str> =
                block[1..block.len() - 1].iter().map(|line| line.get(4..).unwrap_or("")).collect();
            (Kind::Inline(items(&dedented.join("\n"))), Vec::new())
        }
        "struct" | "enum" | "union" | "trait" => {
            let members = members(block, keyword);
            (Kind::Other, shown.chain([head(block)]).chain(members).collect())
        }
        "fn" | "const" | "static" | "type" => (Kind::Other, shown.chain([head(block)]).collect()),
        _ => return None,
    };
    Some(Item { name, kind, is_public, lines })
}

/// Whether `const` begins a constant, not a function.
fn is_constant(rest: &str) -> bool {
    rest.starts_with("const ") && !rest.starts_with("const fn")
}

/// The text after `pub`, `pub(crate)` or nothing.
fn after_visibility(line: &str) -> Option<&str> {
    match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ").map(|(_, rest)| rest),
        Some(rest) => rest.strip_prefix(' '),
        None => Some(line),
    }
}

fn is_shown(attribute: &str) -> bool {
    ["#[derive", "#[non_exhaustive", "#[cfg(", "#[must_use"]
        .iter()
        .any(|own| attribute.starts_with(own))
}

/// An `impl`: one line for a trait, else its public members.
fn implementation(block: &[&str]) -> Option<Item> {
    let head = head(block);
    let (of, lines) = match head.split_once(" for ") {
        Some((_, of)) => (of, vec![head.clone()]),
        None => (without_generics(head.strip_prefix("impl")?), members(block, "impl")),
    };
    let name: String =
        of.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    Some(Item { name, kind: Kind::Impl, is_public: true, lines })
}

/// The text after leading `<…>`, if any.
fn without_generics(text: &str) -> &str {
    let mut depth = 0;
    let end = text.char_indices().find(|&(_, c)| {
        depth += i32::from(c == '<') - i32::from(c == '>');
        depth == 0
    });
    match end {
        Some((at, '>')) => &text[at + 1..],
        _ => text,
    }
}

/// The public members of a block, one per line.
fn members(block: &[&str], keyword: &str) -> Vec<String> {
    let mut out = Vec::new();
    let inner = block.get(1..block.len().saturating_sub(1)).unwrap_or(&[]);
    let mut at = 0;
    while at < inner.len() {
        let len = member_len(&inner[at..]);
        let member = &inner[at..at + len];
        at += len;
        let line = member[0].trim_start();
        let is_member = match keyword {
            "enum" | "trait" => !line.starts_with("#["),
            _ => line.starts_with("pub ") || line.starts_with("setters!"),
        };
        if is_member {
            let whole = keyword == "enum" || line.starts_with("setters!");
            let text = if whole { joined(member) } else { head(member) };
            out.push(format!("    {}", text.trim_end_matches(',')));
        }
    }
    out
}

/// Lines of the member that begins with the first one.
fn member_len(lines: &[&str]) -> usize {
    let is_own = |line: &&str| line.len() > 4 && !line.starts_with("     ");
    let ends = |line: &&str| is_own(line) && line.ends_with([',', ';', '}', ']']);
    lines.iter().position(ends).map_or(lines.len(), |at| at + 1)
}

/// An item without its body.
fn head(block: &[&str]) -> String {
    let end = block.iter().position(|line| line.ends_with('{')).unwrap_or(block.len() - 1);
    let whole = joined(&block[..=end]);
    let whole = whole.strip_suffix(" {").unwrap_or(&whole);
    let rest = after_visibility(whole).unwrap_or(whole);
    let has_value = is_constant(rest) || rest.starts_with("static ");
    let value = whole.find(" = ").filter(|_| has_value);
    let text = value.map_or(whole, |at| &whole[..at]);
    text.trim_end_matches([';', ',', ' ']).to_owned()
}

/// Joins lines into one.
fn joined(block: &[&str]) -> String {
    let mut out = String::new();
    for line in block {
        let line = line.trim();
        let glued = out.is_empty()
            || out.ends_with(['(', '<', '['])
            || line.starts_with([')', ']', '>', '.']);
        if !glued {
            out.push(' ');
        } else if line.starts_with([')', ']', '>']) && out.ends_with(',') {
            out.pop();
        }
        out.push_str(line);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Kind, items};

    fn lines(text: &str) -> Vec<String> {
        items(text).into_iter().flat_map(|item| item.lines).collect()
    }

    #[test]
    fn types_show_their_public_members() {
        let text = "/// Doc.\n#[derive(Clone)]\n#[non_exhaustive]\npub struct A {\n    /// Doc.\n    pub b: u8,\n    c: u8,\n}\n";
        assert_eq!(
            lines(text),
            ["#[derive(Clone)]", "#[non_exhaustive]", "pub struct A", "    pub b: u8"]
        );
        assert_eq!(
            lines("pub enum E {\n    A,\n    B {\n        x: u8,\n    },\n}\n"),
            ["pub enum E", "    A", "    B { x: u8, }"]
        );
    }

    #[test]
    fn functions_are_listed_without_their_bodies() {
        let text = "impl A {\n    pub fn f(\n        &self,\n        x: u8,\n    ) -> u8 {\n        pub_x\n    }\n\n    fn g(&self) {}\n}\n";
        assert_eq!(lines(text), ["    pub fn f(&self, x: u8) -> u8"]);
        assert_eq!(
            lines("pub const X: [u8; 2] = [\n    1,\n];\npub const fn f() -> u8 {\n    1\n}\n"),
            ["pub const X: [u8; 2]", "pub const fn f() -> u8"]
        );
        assert_eq!(
            lines("impl<'a> Iterator for A<'a> {\n    type Item = u8;\n}\n"),
            ["impl<'a> Iterator for A<'a>"]
        );
    }

    #[test]
    fn hidden_items_are_left_out() {
        assert_eq!(
            items(
                "#[cfg(test)]\nmod tests {\n    pub fn f() {}\n}\n#[cfg(feature = \"internals\")]\npub mod internals;\n"
            ),
            []
        );
        let all =
            items("pub(crate) use a::{\n    B, c::D,\n};\npub mod m {\n    pub use n::*;\n}\n");
        assert_eq!(all[0].kind, Kind::Use("a::{ B, c::D, }".to_owned()));
        assert!(!all[0].is_public);
        assert!(
            matches!(&all[1].kind, Kind::Inline(inner) if inner[0].kind == Kind::Use("n::*".to_owned()))
        );
    }
}
