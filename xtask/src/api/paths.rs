//! The paths that a `use` names.

/// A path and its local name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) path: Vec<String>,
    pub(super) name: String,
}

/// The paths of a tree such as `a::{b::C, d::E as F}`.
pub(super) fn named(tree: &str) -> Vec<Named> {
    let mut out = Vec::new();
    collect(&[], tree.trim(), &mut out);
    out
}

fn collect(prefix: &[String], tree: &str, out: &mut Vec<Named>) {
    if let Some((before, inner)) = tree.split_once('{') {
        let mut prefix = prefix.to_vec();
        prefix.extend(before.split("::").filter(|part| !part.is_empty()).map(str::to_owned));
        let inner = inner.strip_suffix('}').unwrap_or(inner);
        parts(inner).into_iter().for_each(|part| collect(&prefix, part, out));
        return;
    }
    let (path, alias) =
        tree.split_once(" as ").map_or((tree, None), |(path, name)| (path, Some(name)));
    let mut full = prefix.to_vec();
    full.extend(path.split("::").map(|part| part.trim().to_owned()));
    let last = full.last().cloned().unwrap_or_default();
    out.push(Named { name: alias.map_or(last, str::to_owned), path: full });
}

/// The parts between commas outside of braces.
fn parts(inner: &str) -> Vec<&str> {
    let (mut depth, mut start, mut out) = (0, 0, Vec::new());
    for (at, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                out.push(inner[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(inner[start..].trim());
    out.retain(|part| !part.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn trees_are_taken_apart() {
        let all = named("a::{b::{C, D}, e::F as G,}");
        let texts: Vec<String> =
            all.iter().map(|n| format!("{} {}", n.path.join("::"), n.name)).collect();
        assert_eq!(texts, ["a::b::C C", "a::b::D D", "a::e::F G"]);
    }
}
