//! Declared inputs and outputs, register by register.

use tgsi_ir::{Declaration, Declarations, File, Semantic};

use crate::abi::LAST_REGISTER;
use crate::refusal::Refusal;

use crate::lower::error::LowerError;

/// The registers of `file` in the order of their declarations, each with its first declaration. Declarations may cover
/// a register several times, by channels or by overlapping ranges, if they agree.
pub(super) fn registers<'a>(
    declarations: &Declarations<'a>,
    file: File,
) -> Result<Vec<(u16, &'a Declaration)>, LowerError> {
    let mut registers: Vec<(u16, &Declaration)> = Vec::new();
    for declaration in declarations.of_file(file) {
        if declaration.range.last > LAST_REGISTER {
            return Err(LowerError::new(
                named(file, declaration.range.last),
                Refusal::RegisterNumber,
            ));
        }
        for register in declaration.range.first..=declaration.range.last {
            let first = declarations.first(file, register.into());
            if first.is_some_and(|first| std::ptr::eq(first, declaration)) {
                registers.push((register, declaration));
            } else if !first.is_some_and(|first| agree(first, declaration, register)) {
                return Err(LowerError::new(named(file, register), Refusal::DeclaredTwice));
            }
        }
    }
    Ok(registers)
}

/// The name of a register in messages.
fn named(file: File, register: u16) -> String {
    format!("{}[{register}]", file.name().unwrap_or("register"))
}

/// Whether two declarations agree about a register.
fn agree(first: &Declaration, second: &Declaration, register: u16) -> bool {
    element_semantic(first, register) == element_semantic(second, register)
        && first.interp == second.interp
        && first.dimension == second.dimension
}

/// The semantic of one register of a declaration. The index counts up over the range and saturates.
pub(super) fn element_semantic(
    declaration: &Declaration,
    register: u16,
) -> Option<(Semantic, u16)> {
    let semantic = declaration.semantic?;
    Some((semantic.name, semantic.index.saturating_add(register - declaration.range.first)))
}
