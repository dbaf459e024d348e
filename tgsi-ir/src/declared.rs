//! Looks up the declarations that operands refer to. A shader has up to tens of thousands of them, and far more
//! operands.

use std::collections::BTreeMap;

use crate::image::kind_among;
use crate::{Declaration, File, Indirect, Register, RegisterRange, Shader};

/// The declarations of a shader by file, register and array.
///
/// If several cover one register, or share an array number, the first counts. First subscripts are ignored:
/// `CONST[0][3]` and `CONST[1][3]` are one register here.
///
/// ```
/// use tgsi_ir::build::ShaderBuilder;
/// use tgsi_ir::{Declarations, File, Processor, Semantic};
///
/// let mut b = ShaderBuilder::new(Processor::Fragment);
/// b.output(Semantic::Color, 0);
/// let shader = b.finish()?;
/// let declarations = Declarations::of(&shader);
/// assert_eq!(declarations.first(File::Output, 0), Some(&shader.declarations[0]));
/// assert_eq!(declarations.first(File::Output, 1), None);
/// # Ok::<(), tgsi_ir::build::BuildError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Declarations<'a> {
    /// In the order of first declarations. A shader uses a handful of files, so lookups search the list.
    files: Vec<(File, OfFile<'a>)>,
}

/// The registers of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeclaredArray {
    /// The registers of its first declaration.
    pub first: RegisterRange,
    /// From the lowest to the highest register of all declarations with its number.
    pub whole: RegisterRange,
}

#[derive(Clone, Debug, Default)]
struct OfFile<'a> {
    all: Vec<&'a Declaration>,
    /// Disjoint ranges by first register, each with its last register and the first declaration that covers it.
    ranges: BTreeMap<u16, (u16, &'a Declaration)>,
    /// Arrays by number: a file has at most 1023.
    arrays: Vec<(u16, DeclaredArray)>,
}

impl<'a> OfFile<'a> {
    fn array(&self, number: u16) -> Option<&DeclaredArray> {
        self.arrays.iter().find(|(own, _)| *own == number).map(|(_, array)| array)
    }

    fn note_array(&mut self, declaration: &Declaration) {
        let Some(number) = declaration.array_id.filter(|&number| number != 0) else { return };
        let range = declaration.range;
        match self.arrays.iter_mut().find(|(own, _)| *own == number) {
            Some((_, array)) => array.whole = array.whole.hull(range),
            None => self.arrays.push((number, DeclaredArray { first: range, whole: range })),
        }
    }
}

impl<'a> Declarations<'a> {
    /// The declarations of `shader`.
    pub fn of(shader: &'a Shader) -> Self {
        let mut declarations = Self::default();
        for declaration in &shader.declarations {
            let of_file = declarations.file_mut(declaration.file);
            of_file.all.push(declaration);
            of_file.note_array(declaration);
        }
        for (_, of_file) in &mut declarations.files {
            // From the last to the first: each takes its registers from later declarations.
            for declaration in of_file.all.iter().rev() {
                take(&mut of_file.ranges, declaration);
            }
        }
        declarations
    }

    fn file(&self, file: File) -> Option<&OfFile<'a>> {
        self.files.iter().find(|(own, _)| *own == file).map(|(_, of_file)| of_file)
    }

    fn file_mut(&mut self, file: File) -> &mut OfFile<'a> {
        let known = self.files.iter().position(|(own, _)| *own == file);
        let at = known.unwrap_or_else(|| {
            self.files.push((file, OfFile::default()));
            self.files.len() - 1
        });
        &mut self.files[at].1
    }

    /// The declarations of a file, in order.
    pub fn of_file(&self, file: File) -> impl Iterator<Item = &'a Declaration> + '_ {
        self.file(file).into_iter().flat_map(|of_file| of_file.all.iter().copied())
    }

    /// The first declaration that covers register `index` of a file.
    pub fn first(&self, file: File, index: i32) -> Option<&'a Declaration> {
        let index = u16::try_from(index).ok()?;
        let ranges = &self.file(file)?.ranges;
        let (_, &(last, declaration)) = ranges.range(..=index).next_back()?;
        (index <= last).then_some(declaration)
    }

    /// The declarations of a file that an index may reach: those of its array if it names one, else all.
    pub fn meant(&self, file: File, index: Indirect) -> impl Iterator<Item = &'a Declaration> + '_ {
        self.of_file(file).filter(move |declaration| index.can_mean(declaration))
    }

    /// As [`Shader::kind_of`].
    pub fn kind_of(&self, register: &Register) -> Option<&'a Declaration> {
        match register.indirect {
            None => self.first(register.file, register.index.into()),
            Some(_) => kind_among(|| self.of_file(register.file), register),
        }
    }

    /// Array `number` of a file, 1 to 1023; 0 is no array.
    pub fn array(&self, file: File, number: u16) -> Option<DeclaredArray> {
        self.file(file)?.array(number).copied()
    }
}

/// Assigns the registers of `taker` to it, whoever owned them.
fn take<'a>(ranges: &mut BTreeMap<u16, (u16, &'a Declaration)>, taker: &'a Declaration) {
    let RegisterRange { first, last } = taker.range;
    if first > last {
        return;
    }
    let before = ranges.range(..first).next_back();
    if let Some((&start, &(end, owner))) = before.filter(|(_, (end, _))| *end >= first) {
        ranges.insert(start, (first - 1, owner));
        keep_rest(ranges, last, end, owner);
    }
    while let Some((&start, &(end, owner))) = ranges.range(first..=last).next() {
        ranges.remove(&start);
        keep_rest(ranges, last, end, owner);
    }
    ranges.insert(first, (last, taker));
}

/// The part after `last` of a range that ends at `end` stays with its owner.
fn keep_rest<'a>(
    ranges: &mut BTreeMap<u16, (u16, &'a Declaration)>,
    last: u16,
    end: u16,
    owner: &'a Declaration,
) {
    if let Some(next) = last.checked_add(1).filter(|&next| next <= end) {
        ranges.insert(next, (end, owner));
    }
}

#[cfg(test)]
mod tests {
    use super::{Declarations, DeclaredArray};
    use crate::{Declaration, File, Processor, RegisterRange, Shader};

    fn shader(declarations: Vec<Declaration>) -> Shader {
        let mut shader = Shader::new(Processor::Fragment);
        shader.declarations = declarations;
        shader
    }

    /// As a search from the first declaration on finds them.
    #[test]
    fn a_register_has_the_first_declaration_that_covers_it() {
        let orders = [
            [(3, 4), (2, 6), (9, 8), (0, 4), (6, 7), (5, 5)],
            [(5, 5), (6, 7), (0, 4), (9, 8), (2, 6), (3, 4)],
            [(0, 9), (2, 6), (3, 4), (3, 7), (8, 9), (0, 0)],
            [(3, 4), (0, 2), (5, 5), (0, 9), (4, 3), (2, 8)],
            [(0, 0), (u16::MAX, u16::MAX), (7, u16::MAX), (2, 3), (1, 9), (0, u16::MAX)],
        ];
        for order in orders {
            let inputs = order.map(|(first, last)| Declaration::new(File::Input, first, last));
            let mut all = inputs.to_vec();
            all.insert(2, Declaration::new(File::Output, 0, 9));
            let shader = shader(all);
            let declarations = Declarations::of(&shader);
            let of_file = || shader.declarations.iter().filter(|d| d.file == File::Input);
            assert!(of_file().eq(declarations.of_file(File::Input)));
            for index in (-2..14).chain([65_534, 65_535, 65_536]) {
                let want = of_file().find(|d| d.range.contains(index));
                assert_eq!(declarations.first(File::Input, index), want, "{order:?} {index}");
            }
            assert_eq!(declarations.first(File::Memory, 0), None);
        }
    }

    #[test]
    fn an_array_has_its_first_declaration_and_all_that_have_its_number() {
        let array = |first, last, number| {
            let plain = Declaration::new(File::Temporary, first, last);
            Declaration { array_id: Some(number), ..plain }
        };
        let shader = shader(vec![array(0, 5, 0), array(6, 7, 1), array(8, 9, 2), array(2, 3, 1)]);
        let declarations = Declarations::of(&shader);
        let range = |first, last| RegisterRange { first, last };
        let want = DeclaredArray { first: range(6, 7), whole: range(2, 7) };
        assert_eq!(declarations.array(File::Temporary, 1), Some(want));
        assert_eq!(declarations.array(File::Temporary, 0), None);
        assert_eq!(declarations.array(File::Input, 1), None);
    }

    /// A search for each number would compare 65,536 times 65,535 of them.
    #[test]
    fn many_declarations_that_overlap_take_no_time_for_each_register() {
        for down in [true, false] {
            let all = (0..u16::MAX).map(|n| if down { u16::MAX - 1 - n } else { n });
            let inputs = all.map(|n| Declaration::new(File::Input, n, u16::MAX));
            let shader = shader(inputs.collect());
            let declarations = Declarations::of(&shader);
            let first = |n| declarations.first(File::Input, n).map(|d| d.range.first);
            let want = if down { [0, 77, 65_534, 65_534] } else { [0; 4] };
            assert_eq!([0, 77, 65_534, 65_535].map(first), want.map(Some));
        }
    }
}
