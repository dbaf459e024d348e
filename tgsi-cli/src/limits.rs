//! Limits on inputs that the user can raise.

use std::sync::OnceLock;

use clap::Args;

/// Options for limits, shared by all subcommands.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Maximum size of an input, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = MAX_INPUT, global = true, hide_short_help = true, help_heading = "Limits")]
    pub(crate) max_input: u64,
    /// Maximum number of words in a token stream.
    #[arg(long, value_name = "N", default_value_t = DEFAULT.tokens, global = true, hide_short_help = true, help_heading = "Limits")]
    max_tokens: u32,
    /// Maximum number of instructions in a shader.
    #[arg(long, value_name = "N", default_value_t = DEFAULT.instructions, global = true, hide_short_help = true, help_heading = "Limits")]
    max_instructions: u32,
    /// Maximum number of declarations in a shader.
    #[arg(long, value_name = "N", default_value_t = DEFAULT.declarations, global = true, hide_short_help = true, help_heading = "Limits")]
    max_declarations: u32,
    /// Maximum number of immediates in a shader.
    #[arg(long, value_name = "N", default_value_t = DEFAULT.immediates, global = true, hide_short_help = true, help_heading = "Limits")]
    max_immediates: u32,
    /// Maximum number of properties in a shader.
    #[arg(long, value_name = "N", default_value_t = DEFAULT.properties, global = true, hide_short_help = true, help_heading = "Limits")]
    max_properties: u32,
    /// Maximum number of registers that a shader declares.
    #[arg(long, value_name = "N", default_value_t = DEFAULT.registers, global = true, hide_short_help = true, help_heading = "Limits")]
    max_registers: u32,
    /// Maximum length of a word of text, in characters.
    #[arg(long, value_name = "N", default_value_t = DEFAULT.word, global = true, hide_short_help = true, help_heading = "Limits")]
    max_word: u32,
}

/// The default limits of the libraries.
const DEFAULT: tgsi_ir::Limits = tgsi_ir::Limits::DEFAULT;

/// Default maximum size of an input. The token format cannot express a shader of a quarter of this size.
const MAX_INPUT: u64 = 256 << 20;

/// The limits of the command line, for readers that do not get them as arguments.
static IN_FORCE: OnceLock<Limits> = OnceLock::new();

impl Limits {
    /// Puts these limits into force. Only the first call has an effect.
    pub(crate) fn install(self) {
        let _ = IN_FORCE.set(self);
    }
}

/// Maximum size of an input, in bytes.
pub(crate) fn max_input() -> u64 {
    IN_FORCE.get().map_or(MAX_INPUT, |limits| limits.max_input)
}

/// The limits on shaders.
pub(crate) fn of_shaders() -> tgsi_ir::Limits {
    let Some(limits) = IN_FORCE.get() else { return DEFAULT };
    tgsi_ir::Limits {
        tokens: limits.max_tokens,
        instructions: limits.max_instructions,
        declarations: limits.max_declarations,
        immediates: limits.max_immediates,
        properties: limits.max_properties,
        registers: limits.max_registers,
        word: limits.max_word,
    }
}
