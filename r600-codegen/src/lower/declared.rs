//! Declared inputs and outputs, register by register, and declarations to be found by register.

use std::collections::HashMap;

use tgsi_ir::{Declaration, File, Semantic, Shader};

use crate::abi::LAST_REGISTER;
use crate::refusal::Refusal;

use crate::lower::error::LowerError;

/// The files whose declarations instructions look for by register.
const BY_REGISTER: [File; 5] =
    [File::Input, File::Output, File::SystemValue, File::Memory, File::SamplerView];

/// The declarations of a shader by file. There are up to tens of thousands, and any instruction may ask for one.
pub(super) struct Declared<'a>(HashMap<File, OfFile<'a>>);

#[derive(Default)]
struct OfFile<'a> {
    all: Vec<&'a Declaration>,
    /// For each register the first that has it; only of the files above.
    first_of: Vec<Option<&'a Declaration>>,
}

impl<'a> Declared<'a> {
    pub(super) fn new(shader: &'a Shader) -> Self {
        let mut files: HashMap<File, OfFile<'a>> = HashMap::new();
        for declaration in &shader.declarations {
            let of_file = files.entry(declaration.file).or_default();
            of_file.all.push(declaration);
            if BY_REGISTER.contains(&declaration.file) {
                of_file.note(declaration);
            }
        }
        Self(files)
    }

    /// Those of a file, in their order.
    pub(super) fn of_file(&self, file: File) -> impl Iterator<Item = &'a Declaration> + '_ {
        self.0.get(&file).into_iter().flat_map(|of_file| of_file.all.iter().copied())
    }

    /// The first that has a register.
    pub(super) fn find(&self, file: File, index: i16) -> Option<&'a Declaration> {
        if !BY_REGISTER.contains(&file) {
            return self.of_file(file).find(|d| d.range.contains(i32::from(index)));
        }
        let at = usize::try_from(index).ok()?;
        self.0.get(&file)?.first_of.get(at).copied().flatten()
    }
}

impl<'a> OfFile<'a> {
    /// Counts a declaration as the first of its registers that none before has.
    fn note(&mut self, declaration: &'a Declaration) {
        let (first, end) =
            (usize::from(declaration.range.first), usize::from(declaration.range.last) + 1);
        self.first_of.resize(self.first_of.len().max(end), None);
        for own in self.first_of.get_mut(first..end).into_iter().flatten() {
            own.get_or_insert(declaration);
        }
    }
}

/// The registers of `file` in the order of their declarations, each with the first that has it: declarations may say
/// channel by channel, or by ranges that meet, what one register is, as long as they agree.
pub(super) fn registers(
    shader: &Shader,
    file: File,
) -> Result<Vec<(u16, &Declaration)>, LowerError> {
    let mut registers: Vec<(u16, &Declaration)> = Vec::new();
    let mut first_of: Vec<Option<&Declaration>> = Vec::new();
    for declaration in shader.declarations.iter().filter(|d| d.file == file) {
        if declaration.range.last > LAST_REGISTER {
            return Err(LowerError::new(
                named(file, declaration.range.last),
                Refusal::RegisterNumber,
            ));
        }
        for register in declaration.range.first..=declaration.range.last {
            let at = usize::from(register);
            first_of.resize(first_of.len().max(at + 1), None);
            match first_of[at] {
                None => {
                    first_of[at] = Some(declaration);
                    registers.push((register, declaration));
                }
                Some(first) if agree(first, declaration, register) => {}
                Some(_) => {
                    return Err(LowerError::new(named(file, register), Refusal::DeclaredTwice));
                }
            }
        }
    }
    Ok(registers)
}

/// How messages call a register.
fn named(file: File, register: u16) -> String {
    format!("{}[{register}]", file.name().unwrap_or("register"))
}

/// Whether two declarations say the same of a register.
fn agree(first: &Declaration, second: &Declaration, register: u16) -> bool {
    element_semantic(first, register) == element_semantic(second, register)
        && first.interp == second.interp
        && first.dimension == second.dimension
}

/// The meaning of one register of a declaration: the index counts up over the range, as far as it goes.
pub(super) fn element_semantic(
    declaration: &Declaration,
    register: u16,
) -> Option<(Semantic, u16)> {
    let semantic = declaration.semantic?;
    Some((semantic.name, semantic.index.saturating_add(register - declaration.range.first)))
}

#[cfg(test)]
mod tests {
    use tgsi_ir::File;

    use super::Declared;

    /// As a search from the first declaration on finds them.
    #[test]
    fn a_register_has_the_first_declaration_that_covers_it() {
        let text = "TESS_EVAL\nDCL IN[][2..4], GENERIC[2]\nDCL TEMP[0]\n\
                    DCL IN[][0..3], GENERIC[0]\nDCL SV[1], PRIM_ID\nDCL IN[6], PATCH[0]\n\
                    DCL OUT[0], POSITION\nDCL TEMP[2..5]\nEND\n";
        let shader = tgsi_text::parse(text).shader;
        assert_eq!(shader.declarations.len(), 7);
        let declared = Declared::new(&shader);
        for file in [File::Input, File::SystemValue, File::Output, File::Temporary, File::Memory] {
            let of_file = || shader.declarations.iter().filter(|d| d.file == file);
            assert!(declared.of_file(file).eq(of_file()), "{file:?}");
            for index in -2..9 {
                let want = of_file().find(|d| d.range.contains(i32::from(index)));
                assert_eq!(declared.find(file, index), want, "{file:?} {index}");
            }
        }
    }
}
