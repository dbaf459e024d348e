//! Detects the language of a text.

use std::fmt;

/// Languages that the page distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// TGSI, and any text that is none of the others.
    Tgsi,
    /// SPIR-V assembly as `spirv-dis` prints it.
    SpirvAssembly,
    /// GLSL, recognised by its version directive.
    Glsl,
    /// WGSL, recognised by the stage attributes of its functions.
    Wgsl,
}

impl Language {
    /// The language of `text`, judged by lines that cannot occur in the others.
    pub fn of(text: &str) -> Self {
        text.lines().find_map(|line| Self::of_line(line.trim())).unwrap_or(Self::Tgsi)
    }

    fn of_line(line: &str) -> Option<Self> {
        let is_stage = |word: &str| line.starts_with(word);
        let words = || line.split_whitespace();
        match () {
            () if line == "; SPIR-V" || words().next() == Some("OpCapability") => {
                Some(Self::SpirvAssembly)
            }
            () if line.starts_with('#') && line[1..].trim_start().starts_with("version ") => {
                Some(Self::Glsl)
            }
            () if ["@fragment", "@vertex", "@compute"].into_iter().any(is_stage) => {
                Some(Self::Wgsl)
            }
            () => None,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tgsi => "TGSI",
            Self::SpirvAssembly => "SPIR-V",
            Self::Glsl => "GLSL",
            Self::Wgsl => "WGSL",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn the_language_of_a_text_is_detected() {
        let check =
            |text: &str, language: Language| assert_eq!(Language::of(text), language, "{text}");
        check("", Language::Tgsi);
        check("; a comment\nFRAG\nEND\n", Language::Tgsi);
        check("# dialect: 2012\nFRAG\nEND\n", Language::Tgsi);
        check("; SPIR-V\n; Version: 1.0\n OpCapability Shader\n", Language::SpirvAssembly);
        check("               OpCapability Shader\n", Language::SpirvAssembly);
        check("// what it does\n # version 450\nvoid main() {}\n", Language::Glsl);
        check("struct A { x: f32 }\n@fragment fn main() {}\n", Language::Wgsl);
        check("@compute @workgroup_size(1)\nfn main() {}\n", Language::Wgsl);
    }
}
