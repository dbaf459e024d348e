//! The JSON that the program writes: `docs/outputs.md` has every key, and what is written fits the schemas.
//!
//! `UPDATE_GOLDEN=1 cargo test -p tgsi-cli --test it schemas` rewrites the page.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::common::{check_golden, root, tgsi, tgsi_with};
use crate::gfd::{linked, text};

/// What there is a schema of, with the headline of its part of the page.
const WRITTEN: [(&str, &str); 9] = [
    ("compiled", "A compiled shader: a line of `tgsi compile --emit json`"),
    ("run", "A run: `tgsi run --json` and `tgsi sim`"),
    ("comparison", "A comparison: `tgsi run --chip CHIP --compare --json`"),
    ("listing", "A listing: `tgsi disasm --json`"),
    ("maxwell-listing", "A listing of Maxwell's code: `tgsi disasm --chip maxwell --json`"),
    ("interface", "The interface of a module: `tgsi convert --interface`"),
    ("gfd", "A shader file of the Wii U: `tgsi unlink --emit json`"),
    ("info", "What a shader uses: a line of `tgsi info --json`"),
    ("diagnostic", "A diagnostic: a line of `--message-format json`"),
];

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn schema(of: &str) -> Value {
    let ran = tgsi(&["schema", of]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{of}");
    parsed(&ran.out)
}

/// The type that a `$ref` names, or the value itself.
fn resolved<'a>(whole: &'a Value, kind: &'a Value) -> &'a Value {
    let name = kind["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
    name.map_or(kind, |name| &whole["$defs"][name])
}

/// The key and the type of each form of an object that has one key, which says the form.
fn variants(kind: &Value) -> Option<impl Iterator<Item = (&str, &Value)>> {
    let all = kind["oneOf"].as_array()?;
    all.iter().all(|one| one["properties"].is_object()).then(|| {
        all.iter().filter_map(|one| {
            let (name, about) = one["properties"].as_object()?.iter().next()?;
            Some((name.as_str(), about))
        })
    })
}

/// A type in a few words.
fn words(whole: &Value, kind: &Value) -> String {
    if let Some(path) = kind["$ref"].as_str() {
        let name = path.rsplit('/').next().unwrap_or_default();
        let target = resolved(whole, kind);
        return match target["properties"].is_object() {
            true => format!("[{name}](#{})", name.to_lowercase()),
            false => words(whole, target),
        };
    }
    if let Some(all) = kind["anyOf"].as_array() {
        let all: Vec<_> = all.iter().map(|kind| words(whole, kind)).collect();
        return all.join(" or ");
    }
    if let Some(variants) = variants(kind) {
        let one = |(name, about): (&str, &Value)| format!("`{name}`: {}", words(whole, about));
        return format!("object with one of {}", variants.map(one).collect::<Vec<_>>().join("; "));
    }
    if let Some(values) = kind["oneOf"].as_array().or(kind["enum"].as_array()) {
        let value =
            |one: &Value| one["const"].as_str().or(one.as_str()).map(|one| format!("`{one}`"));
        let values: Vec<_> = values.iter().filter_map(value).collect();
        return values.join(", ");
    }
    let kinds: Vec<&str> = match &kind["type"] {
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    };
    let one = |name: &&str| match *name {
        "array" => format!("list of {}", words(whole, &kind["items"])),
        "object" if kind["additionalProperties"].is_object() => {
            format!("object of {}", words(whole, &kind["additionalProperties"]))
        }
        name => name.to_owned(),
    };
    kinds.iter().map(one).collect::<Vec<_>>().join(" or ")
}

/// A table of the keys of an object.
fn table(page: &mut String, whole: &Value, object: &Value) {
    let empty = Vec::new();
    let required = object["required"].as_array().unwrap_or(&empty);
    page.push_str("\n| key | type | what it is |\n|---|---|---|\n");
    for (key, about) in object["properties"].as_object().into_iter().flatten() {
        let description =
            about["description"].as_str().unwrap_or_else(|| panic!("{key} is not described"));
        let description = description.replace('\n', " ").replace('|', "\\|");
        let description = description.replace("[`", "`").replace("`]", "`");
        let mark = if required.iter().any(|one| one == key) { "" } else { ", optional" };
        let _ = writeln!(page, "| `{key}` | {}{mark} | {description} |", words(whole, about));
    }
}

#[test]
fn the_page_has_every_key_that_is_written() {
    let mut page = "\
# JSON that the program writes
`tgsi schema KIND` prints the JSON schema of each, which this page is made from by a test of `tgsi-cli`. Keys may be added; those that
are there keep their names and meanings. Words are hexadecimal in quotes. An *optional* key is left out where it says nothing.
"
    .to_owned();
    let mut types = BTreeMap::new();
    let mut rest = String::new();
    for (of, headline) in WRITTEN {
        let schema = schema(of);
        let _ = writeln!(page, "\n## {headline}\n`tgsi schema {of}`");
        let roots: Vec<&Value> = match schema["anyOf"].as_array() {
            Some(all) => all.iter().map(|one| resolved(&schema, one)).collect(),
            None => vec![&schema],
        };
        for object in &roots {
            let _ = writeln!(page, "\n{}", object["description"].as_str().unwrap_or_default());
            table(&mut page, &schema, object);
        }
        for (name, kind) in schema["$defs"].as_object().into_iter().flatten() {
            let is_object = kind["properties"].is_object() && !roots.contains(&kind);
            let known = is_object.then(|| types.insert(name.clone(), kind.clone())).flatten();
            assert!(
                known.as_ref().is_none_or(|known| known == kind),
                "two types are called {name}"
            );
            if is_object && known.is_none() {
                let about = kind["description"].as_str().unwrap_or_default();
                let _ = writeln!(rest, "\n### {name}\n{about}");
                table(&mut rest, &schema, kind);
            }
        }
    }
    page.push_str("\n## Parts\n");
    page.push_str(&rest);
    check_golden(&root().join("docs/outputs.md"), &page).expect("the page is up to date");
}

/// Whether a value has the keys that a type asks for, and no others, all the way down.
fn check(whole: &Value, kind: &Value, value: &Value, place: &str) {
    let kind = resolved(whole, kind);
    if let Some(all) = kind["anyOf"].as_array() {
        let fits = |one: &&Value| {
            let one = resolved(whole, one);
            match one["required"].as_array() {
                Some(keys) => {
                    keys.iter().all(|key| value.get(key.as_str().unwrap_or("")).is_some())
                }
                None => value.is_null() == (one["type"] == "null"),
            }
        };
        let one = all.iter().find(fits).unwrap_or_else(|| panic!("{place} matches no type"));
        return check(whole, one, value, place);
    }
    if let Some(mut variants) = variants(kind) {
        let object = value.as_object().filter(|object| object.len() == 1);
        let (key, value) = object.and_then(|object| object.iter().next()).expect(place);
        let (_, kind) = variants.find(|(name, _)| name == key).expect(place);
        return check(whole, kind, value, &format!("{place}.{key}"));
    }
    if let (Some(properties), Some(object)) = (kind["properties"].as_object(), value.as_object()) {
        for (key, value) in object {
            let Some(kind) = properties.get(key) else {
                panic!("{place}.{key} is not in the schema")
            };
            check(whole, kind, value, &format!("{place}.{key}"));
        }
        for key in kind["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            assert!(object.contains_key(key), "{place}.{key} is missing");
        }
    } else if let Some(items) = value.as_array() {
        items.iter().for_each(|item| check(whole, &kind["items"], item, place));
    } else if let Some(object) = value.as_object() {
        object.values().for_each(|value| check(whole, &kind["additionalProperties"], value, place));
    } else {
        let actual = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::String(_) => "string",
            _ => {
                if value.is_f64() {
                    "number"
                } else {
                    "integer"
                }
            }
        };
        let kinds = match &kind["type"] {
            Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
            one => one.as_str().into_iter().collect::<Vec<_>>(),
        };
        let is_open = kinds.is_empty();
        let fits = kinds.contains(&actual) || actual == "integer" && kinds.contains(&"number");
        assert!(is_open || fits, "{place} is {actual}, not {kinds:?}");
    }
}

#[test]
fn what_is_written_fits_its_schema() {
    let phong = "examples/phong.frag.tgsi";
    let module = "tgsi-spirv/tests/shaders/tint.frag.spv";
    let runs: [(&str, &[&str]); 9] = [
        ("compiled", &["compile", "--emit", "json", "--chip", "rv770", phong]),
        (
            "compiled",
            &["compile", "--emit", "json", "--chip", "cayman", "examples/phong.vert.tgsi"],
        ),
        ("compiled", &["compile", "--emit", "json", "--chip", "latte", module]),
        (
            "compiled",
            &[
                "compile",
                "--emit",
                "json",
                "--chip",
                "rv770",
                "tgsi-cli/tests/malformed/immediate-order.tgsi",
            ],
        ),
        ("run", &["run", "--json", phong]),
        ("run", &["run", "--json", "--chip", "cedar", phong]),
        ("comparison", &["run", "--json", "--chip", "cedar", "--compare", phong]),
        ("info", &["info", "--json", "examples/loop.frag.tgsi"]),
        (
            "diagnostic",
            &["check", "--message-format", "json", "tgsi-cli/tests/malformed/immediate-order.tgsi"],
        ),
    ];
    for (of, args) in runs {
        let ran = tgsi(args);
        let text = if of == "diagnostic" { &ran.err } else { &ran.out };
        let schema = schema(of);
        assert!(!text.is_empty(), "{args:?}: {}", ran.err);
        for line in text.lines() {
            check(&schema, &schema, &parsed(line), of);
        }
    }
    let (folder, file) = linked(&[]);
    fits("gfd", &tgsi(&["unlink", "--emit", "json", text(&file)]).out);
    let interface = folder.path().join("tint.json");
    assert_eq!(tgsi(&["convert", module, "--interface", text(&interface)]).code, 0);
    fits("interface", &std::fs::read_to_string(&interface).expect("the interface was written"));
    let words =
        tgsi(&["asm", "examples/textures.maxwell.s", "--chip", "maxwell", "--emit", "words"]).out;
    let listing =
        tgsi_with(&["disasm", "--chip", "maxwell", "--hex", "--json", "-"], words.as_bytes());
    fits("maxwell-listing", &listing.out);
    let words = tgsi(&["compile", "--chip", "rv770", "--emit", "words", phong]).out;
    let listing =
        tgsi_with(&["disasm", "--chip", "rv770", "--hex", "--json", "-"], words.as_bytes());
    fits("listing", &listing.out);
}

/// Holds one value against the schema of its kind.
fn fits(of: &str, text: &str) {
    let schema = schema(of);
    check(&schema, &schema, &parsed(text), of);
}
