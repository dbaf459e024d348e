//! What declarations say of an operand. A shader has up to tens of thousands of them, and far more operands.

use std::collections::{BTreeMap, BTreeSet};

use tgsi_ir::{Declaration, File, Shader};

/// The declarations of a shader by what they are asked for. Where several declare one thing, the first counts.
pub(super) struct Lookup<'a> {
    /// First and last register of each array, by its file and number.
    arrays: BTreeMap<(File, u16), (i64, i64)>,
    /// The declaration of each input.
    inputs: BTreeMap<u16, &'a Declaration>,
    /// The declaration of each `MEMORY[n]`.
    memories: BTreeMap<u16, &'a Declaration>,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(shader: &'a Shader) -> Self {
        Self {
            arrays: arrays(shader),
            inputs: first_of_each(shader, File::Input),
            memories: first_of_each(shader, File::Memory),
        }
    }

    /// First and last register of an array; 0 numbers none.
    pub(super) fn array(&self, file: File, number: u16) -> Option<(i64, i64)> {
        self.arrays.get(&(file, number)).copied()
    }

    /// The declaration of an input.
    pub(super) fn input(&self, number: u32) -> Option<&'a Declaration> {
        u16::try_from(number).ok().and_then(|number| self.inputs.get(&number).copied())
    }

    /// The declaration of `MEMORY[number]`.
    pub(super) fn memory(&self, number: i16) -> Option<&'a Declaration> {
        u16::try_from(number).ok().and_then(|number| self.memories.get(&number).copied())
    }
}

/// The arrays that have a number other than 0.
fn arrays(shader: &Shader) -> BTreeMap<(File, u16), (i64, i64)> {
    let mut arrays = BTreeMap::new();
    for declaration in &shader.declarations {
        if let Some(number) = declaration.array_id.filter(|&number| number != 0) {
            let range = declaration.range;
            let ends = (i64::from(range.first), i64::from(range.last));
            arrays.entry((declaration.file, number)).or_insert(ends);
        }
    }
    arrays
}

/// The first declaration of each register of a file.
fn first_of_each(shader: &Shader, file: File) -> BTreeMap<u16, &Declaration> {
    let of_file = || shader.declarations.iter().filter(move |declared| declared.file == file);
    let Some(most) = of_file().map(|declared| declared.range.last).max() else {
        return BTreeMap::new();
    };
    let mut firsts = BTreeMap::new();
    // Each number is taken once, however many declarations overlap.
    let mut free: BTreeSet<u16> = (0..=most).collect();
    for declared in of_file() {
        let range = declared.range;
        let next = |free: &BTreeSet<u16>| {
            free.range(range.first..).next().copied().filter(|&number| number <= range.last)
        };
        while let Some(number) = next(&free) {
            free.remove(&number);
            firsts.insert(number, declared);
        }
    }
    firsts
}

#[cfg(test)]
mod tests {
    use tgsi_ir::{Declaration, File, Processor, Shader};

    use super::Lookup;

    fn shader(declarations: Vec<Declaration>) -> Shader {
        let mut shader = Shader::new(Processor::Fragment);
        shader.declarations = declarations;
        shader
    }

    #[test]
    fn the_first_declaration_counts() {
        let array = |first, last, number| {
            let plain = Declaration::new(File::Temporary, first, last);
            Declaration { array_id: Some(number), ..plain }
        };
        let input = |first, last| Declaration::new(File::Input, first, last);
        let shader = shader(vec![
            Declaration::new(File::Memory, 1, 1),
            input(3, 4),
            input(2, 6),
            input(9, 8),
            input(0, 4),
            array(0, 5, 0),
            array(6, 7, 1),
            array(8, 9, 1),
        ]);
        let lookup = Lookup::new(&shader);
        for number in 0..12 {
            let is_it = |d: &&Declaration| d.file == File::Input && d.range.contains(number);
            let want = shader.declarations.iter().find(is_it);
            assert_eq!(lookup.input(number.cast_unsigned()), want, "{number}");
        }
        assert_eq!(lookup.input(1 << 16), None);
        assert_eq!(lookup.memory(1), Some(&shader.declarations[0]));
        assert_eq!((lookup.memory(0), lookup.memory(-1)), (None, None));
        let found = [0, 1, 2].map(|number| lookup.array(File::Temporary, number));
        assert_eq!(found, [None, Some((6, 7)), None]);
        assert_eq!(lookup.array(File::Input, 1), None);
    }

    /// A search for each number would compare 65,536 times 65,535 of them.
    #[test]
    fn many_declarations_that_overlap_take_no_time_for_each_register() {
        let inputs = (0..u16::MAX).rev().map(|n| Declaration::new(File::Input, n, u16::MAX));
        let shader = shader(inputs.collect());
        let lookup = Lookup::new(&shader);
        let first = |number| lookup.input(number).map(|declared| declared.range.first);
        let firsts = [0, 77, 65_534, 65_535].map(first);
        assert_eq!(firsts, [Some(0), Some(77), Some(65_534), Some(65_534)]);
        assert!((0..=65_535).all(|number| first(number).is_some()));
    }
}
