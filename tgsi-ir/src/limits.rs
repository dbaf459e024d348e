//! Size limits for shaders: readers reject larger ones before they exhaust memory.
//!
//! The formats themselves allow more than any driver takes, so a small file of a few bytes per item can ask for
//! gigabytes. One set of limits serves every reader. Limits fixed by the format (four offsets of a texture instruction,
//! two subscripts of a register) are not listed here. Neither is the nesting depth of blocks
//! ([`flow::MAX_NESTING`](crate::flow::MAX_NESTING)), which bounds the recursion of all later stages.

use std::error::Error;
use std::fmt;

use crate::{ItemKind, Shader};

/// Size limits for a shader that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Words of a token stream; 16,777,470 by default, the most that a header can announce.
    pub tokens: u32,
    /// Instructions; 1,048,576 by default.
    pub instructions: u32,
    /// Declarations; 65,536 by default.
    pub declarations: u32,
    /// Immediates; 65,536 by default.
    pub immediates: u32,
    /// Properties; 4,096 by default.
    pub properties: u32,
    /// Registers that all declarations together declare; 1,048,576 by default.
    pub registers: u32,
    /// Characters of a word of text; 255 by default.
    pub word: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Limits {
    /// More than any driver takes.
    pub const DEFAULT: Self = Self {
        tokens: (1 << 24) - 1 + 255,
        instructions: 1 << 20,
        declarations: 1 << 16,
        immediates: 1 << 16,
        properties: 1 << 12,
        registers: 1 << 20,
        word: 255,
    };

    /// No limits but those of the formats.
    pub const NONE: Self = Self {
        tokens: u32::MAX,
        instructions: u32::MAX,
        declarations: u32::MAX,
        immediates: u32::MAX,
        properties: u32::MAX,
        registers: u32::MAX,
        word: u32::MAX,
    };

    /// The value of one limit.
    pub const fn most(&self, limit: Limit) -> u32 {
        match limit {
            Limit::Tokens => self.tokens,
            Limit::Instructions => self.instructions,
            Limit::Declarations => self.declarations,
            Limit::Immediates => self.immediates,
            Limit::Properties => self.properties,
            Limit::Registers => self.registers,
            Limit::Word => self.word,
        }
    }

    /// Rejects a count above a limit.
    ///
    /// # Errors
    /// When the count is larger.
    #[inline]
    pub fn check(&self, limit: Limit, count: u64) -> Result<(), Exceeded> {
        let most = self.most(limit);
        if count > u64::from(most) { Err(Exceeded { limit, most }) } else { Ok(()) }
    }
}

/// One of [`Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// [`Limits::tokens`].
    Tokens,
    /// [`Limits::instructions`].
    Instructions,
    /// [`Limits::declarations`].
    Declarations,
    /// [`Limits::immediates`].
    Immediates,
    /// [`Limits::properties`].
    Properties,
    /// [`Limits::registers`].
    Registers,
    /// [`Limits::word`].
    Word,
}

impl Limit {
    /// Every limit.
    pub const ALL: [Self; 7] = [
        Self::Tokens,
        Self::Instructions,
        Self::Declarations,
        Self::Immediates,
        Self::Properties,
        Self::Registers,
        Self::Word,
    ];

    /// The name of the field; prefixed with `--max-`, the option of the `tgsi` program.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Instructions => "instructions",
            Self::Declarations => "declarations",
            Self::Immediates => "immediates",
            Self::Properties => "properties",
            Self::Registers => "registers",
            Self::Word => "word",
        }
    }

    /// What is counted.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Tokens => "words of tokens",
            Self::Registers => "declared registers",
            Self::Word => "letters in a word",
            _ => self.name(),
        }
    }
}

/// A shader is larger than a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceeded {
    /// The limit that is exceeded.
    pub limit: Limit,
    /// Its value.
    pub most: u32,
}

impl Error for Exceeded {}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there are more than {} {}", self.most, self.limit.unit())
    }
}

impl Exceeded {
    /// How to get past the limit.
    pub fn help(&self) -> String {
        let name = self.limit.name();
        format!("`Limits::{name}` sets the limit, `--max-{name}` in `tgsi`")
    }
}

/// Counts the items that are read.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    limits: Limits,
    registers: u64,
}

impl Meter {
    /// A counter before the first item.
    pub const fn new(limits: Limits) -> Self {
        Self { limits, registers: 0 }
    }

    /// Counts the last item of this kind in the shader.
    ///
    /// # Errors
    /// When there are now too many.
    #[inline]
    pub fn count(&mut self, shader: &Shader, kind: ItemKind) -> Result<(), Exceeded> {
        let check = |limit, count| self.limits.check(limit, count as u64);
        match kind {
            ItemKind::Instruction => check(Limit::Instructions, shader.instructions.len()),
            ItemKind::Immediate => check(Limit::Immediates, shader.immediates.len()),
            ItemKind::Property => check(Limit::Properties, shader.properties.len()),
            ItemKind::Declaration => {
                check(Limit::Declarations, shader.declarations.len())?;
                let last = shader.declarations.last();
                self.registers += last.map_or(0, |declaration| declaration.range.len() as u64);
                self.limits.check(Limit::Registers, self.registers)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Limit, Limits, Meter};
    use crate::{Declaration, File, ItemKind, Processor, Shader};

    #[test]
    fn each_limit_is_named_with_what_raises_it() {
        let limits = Limits::default();
        for limit in Limit::ALL {
            let most = u64::from(limits.most(limit));
            assert_eq!(limits.check(limit, most), Ok(()));
            let exceeded = limits.check(limit, most + 1).unwrap_err();
            let said = format!("{exceeded}: {}", exceeded.help());
            assert!(said.contains(&most.to_string()), "{said}");
            assert!(said.contains(&format!("--max-{}", limit.name())), "{said}");
            assert_eq!(Limits::NONE.check(limit, most + 1), Ok(()));
        }
    }

    #[test]
    fn registers_add_up_over_declarations() {
        let mut shader = Shader::new(Processor::Fragment);
        let mut meter = Meter::new(Limits { registers: 25, ..Limits::default() });
        let mut declare = |first, last| {
            shader.declarations.push(Declaration::new(File::Temporary, first, last));
            meter.count(&shader, ItemKind::Declaration)
        };
        assert_eq!(declare(0, 9), Ok(()));
        assert_eq!(declare(10, 24), Ok(()));
        assert_eq!(declare(25, 25).unwrap_err().limit, Limit::Registers);
    }
}
