//! Rust as tokens becomes text, laid out as `cargo fmt` wants it.

use std::io::Write as _;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use proc_macro2::TokenStream;

/// The text of a module: `note` and the module's own documentation, then its items.
pub(super) fn print(note: &str, tokens: TokenStream) -> Result<String> {
    let mut file: syn::File = syn::parse2(tokens).context("the generated tokens are no Rust")?;
    let mut header = format!("//! {note}\n");
    if !file.attrs.is_empty() {
        let attrs = std::mem::take(&mut file.attrs);
        let about = syn::File { shebang: None, frontmatter: None, attrs, items: Vec::new() };
        header += &format!("//!\n{}", prettyplease::unparse(&about));
    }
    let items = rustfmt(&prettyplease::unparse(&file))?;
    Ok(format!("{header}\n{}", with_blank_lines(&items)))
}

/// Puts a blank line between items of more than one line, which neither printer does.
fn with_blank_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut previous = "";
    for line in text.lines() {
        if is_apart(previous, line) {
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
        previous = line;
    }
    out
}

/// Whether a blank line belongs between two lines.
fn is_apart(previous: &str, line: &str) -> bool {
    let begins_with = |line: &str, starts: &[&str]| {
        starts.iter().any(|start| line.trim_start().starts_with(start))
    };
    let indent = |line: &str| line.len() - line.trim_start().len();
    let items = ["///", "#[", "pub ", "pub(crate) ", "fn ", "const ", "static ", "impl "];
    if previous.is_empty() || indent(previous) != indent(line) {
        return false;
    }
    let after_use = begins_with(previous, &["use "]);
    let belongs_together = begins_with(previous, &["///", "#["])
        || after_use && begins_with(line, &["use "])
        || line.trim_start().starts_with(['}', ']', ')']);
    let after_block = matches!(previous.trim(), "}" | "];");
    let begins_item = begins_with(line, &items) && (after_use || after_block);
    !belongs_together && (indent(line) == 0 || begins_item)
}

/// Formats Rust source with the toolchain's own formatter, as `cargo fmt` will.
fn rustfmt(source: &str) -> Result<String> {
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--config", "max_width=100,use_small_heuristics=Max"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("rustfmt cannot be started; `rustup component add rustfmt` installs it")?;
    let mut stdin = child.stdin.take().context("rustfmt has no standard input")?;
    let text = source.to_owned();
    let feeder = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output()?;
    feeder.join().map_err(|_| anyhow::anyhow!("the thread that feeds rustfmt stopped"))??;
    if !output.status.success() {
        bail!("rustfmt refuses the generated source");
    }
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::print;

    #[test]
    fn items_stand_apart_and_documentation_stays_with_them() {
        let tokens = quote! {
            #![doc = " About."]
            use a::B;
            use c::D;
            /// A kind.
            pub enum Kind { /** One. */ One, Two }
            impl Kind {
                /// Every one.
                pub const ALL: [Self; 2] = [Self::One, Self::Two];
                /// A number.
                pub fn number(self) -> u8 { match self { Self::One => { 1 } Self::Two => 2 } }
                fn other() {}
            }
        };
        let want = "//! note\n//!\n//! About.\n\nuse a::B;\nuse c::D;\n\n/// A kind.\n\
            pub enum Kind {\n    /// One.\n    One,\n    Two,\n}\n\nimpl Kind {\n    /// Every one.\n    \
            pub const ALL: [Self; 2] = [Self::One, Self::Two];\n    /// A number.\n    \
            pub fn number(self) -> u8 {\n        match self {\n            Self::One => 1,\n            \
            Self::Two => 2,\n        }\n    }\n\n    fn other() {}\n}\n";
        assert_eq!(print("note", tokens).unwrap(), want);
    }

    #[test]
    fn tokens_that_are_no_module_are_refused() {
        assert!(print("note", quote!(pub const 3D: u8 = 1;)).is_err());
    }
}
