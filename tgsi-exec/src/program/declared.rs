//! The declared registers, resources and counters. A shader has up to tens of thousands of declarations, and each lane
//! that uses an index looks one up.

use std::collections::BTreeMap;

use tgsi_ir::File;

use super::ResourceFile;

/// Numbers, as ranges in order that neither overlap nor touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ranges(Vec<(i64, i64)>);

impl FromIterator<(i64, i64)> for Ranges {
    /// Takes first and last number of each range, in any order.
    fn from_iter<I: IntoIterator<Item = (i64, i64)>>(ranges: I) -> Self {
        let mut sorted: Vec<(i64, i64)> =
            ranges.into_iter().filter(|(first, last)| first <= last).collect();
        sorted.sort_unstable();
        let mut joined: Vec<(i64, i64)> = Vec::new();
        for (first, last) in sorted {
            match joined.last_mut() {
                Some((_, end)) if first <= *end + 1 => *end = last.max(*end),
                _ => joined.push((first, last)),
            }
        }
        Self(joined)
    }
}

impl Ranges {
    /// Whether a number is in one of them.
    pub(crate) fn contains(&self, number: i64) -> bool {
        let num_before = self.0.partition_point(|&(first, _)| first <= number);
        self.0[..num_before].last().is_some_and(|&(_, last)| number <= last)
    }
}

/// Declared inputs and outputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeclaredRegisters {
    of_files: [OfFile; 2],
}

/// Registers of one file.
#[derive(Clone, Debug, Default)]
struct OfFile {
    /// Those that belong to a patch as a whole.
    of_patch: Ranges,
    others: Ranges,
}

impl DeclaredRegisters {
    /// Those of the declarations of inputs and outputs; `is_of_patch` comes with each.
    pub(crate) fn new(declared: &[(File, bool, (i64, i64))]) -> Self {
        let ranges = |file: File, is_of_patch: bool| -> Ranges {
            let of_file = declared.iter().filter(|one| (one.0, one.1) == (file, is_of_patch));
            of_file.map(|&(_, _, range)| range).collect()
        };
        let of_file = |file| OfFile { of_patch: ranges(file, true), others: ranges(file, false) };
        Self { of_files: [of_file(File::Input), of_file(File::Output)] }
    }

    /// Whether an input or output is declared; with `is_of_patch`, as one that belongs to a patch or does not.
    pub(crate) fn contains(&self, file: File, is_of_patch: Option<bool>, index: i64) -> bool {
        let OfFile { of_patch, others } = &self.of_files[usize::from(file == File::Output)];
        (is_of_patch != Some(false) && of_patch.contains(index))
            || (is_of_patch != Some(true) && others.contains(index))
    }
}

/// Declared things with numbers by `K`, and by the array that they are in.
#[derive(Clone, Debug)]
pub(crate) struct ByArray<K> {
    ranges: BTreeMap<(K, u16), Ranges>,
}

/// Declared constant buffers, buffers, images, samplers and views.
pub(crate) type DeclaredResources = ByArray<ResourceFile>;

/// Declared counters, by buffer.
pub(crate) type Counters = ByArray<u32>;

/// The array number of declarations without an array, and of queries for any array.
const NO_ARRAY: u16 = 0;

impl<K: Copy + Ord> ByArray<K> {
    /// Those of declarations: what they are of, their array, and first and last number.
    pub(crate) fn new(declared: impl IntoIterator<Item = (K, u16, (i64, i64))>) -> Self {
        let mut lists: BTreeMap<(K, u16), Vec<(i64, i64)>> = BTreeMap::new();
        for (of, array, range) in declared {
            lists.entry((of, NO_ARRAY)).or_default().push(range);
            if array != NO_ARRAY {
                lists.entry((of, array)).or_default().push(range);
            }
        }
        let ranges =
            lists.into_iter().map(|(key, list)| (key, list.into_iter().collect::<Ranges>()));
        Self { ranges: ranges.collect() }
    }

    /// Whether a number is declared, in `array` where that is not 0.
    pub(crate) fn contains(&self, of: K, array: u16, number: i64) -> bool {
        self.ranges.get(&(of, array)).is_some_and(|ranges| ranges.contains(number))
    }
}

#[cfg(test)]
mod tests {
    use tgsi_ir::File;

    use super::{ByArray, DeclaredRegisters, Ranges};

    #[test]
    fn ranges_are_joined_and_found() {
        let given = [(7, 9), (0, 0), (20, 30), (1, 2), (8, 12), (22, 23), (5, 4)];
        let ranges: Ranges = given.into_iter().collect();
        assert_eq!(ranges, Ranges(vec![(0, 2), (7, 12), (20, 30)]));
        for number in -2..40 {
            let want = given.iter().any(|&(first, last)| (first..=last).contains(&number));
            assert_eq!(ranges.contains(number), want, "{number}");
        }
        assert!(!Ranges::default().contains(0));
        // Declarations without gaps take one comparison, however many they are.
        let many: Ranges = (0..65536).rev().map(|n| (n, n)).collect();
        assert_eq!(many, Ranges(vec![(0, 65535)]));
    }

    #[test]
    fn what_belongs_to_a_patch_is_apart() {
        let declared = DeclaredRegisters::new(&[
            (File::Input, false, (0, 1)),
            (File::Output, true, (2, 2)),
            (File::Output, false, (3, 4)),
        ]);
        let found = |file, is_of_patch| {
            (0..6).filter(|&n| declared.contains(file, is_of_patch, n)).collect::<Vec<i64>>()
        };
        assert_eq!(found(File::Input, None), [0, 1]);
        assert_eq!(found(File::Output, None), [2, 3, 4]);
        assert_eq!(found(File::Output, Some(true)), [2]);
        assert_eq!(found(File::Output, Some(false)), [3, 4]);
    }

    #[test]
    fn arrays_hold_only_their_own() {
        let declared = ByArray::new([(5u32, 0, (0, 1)), (5, 2, (4, 6)), (6, 0, (9, 9))]);
        let found =
            |of, array| (0..10).filter(|&n| declared.contains(of, array, n)).collect::<Vec<i64>>();
        assert_eq!(found(5, 0), [0, 1, 4, 5, 6]);
        assert_eq!(found(5, 2), [4, 5, 6]);
        assert_eq!(found(5, 1), [0; 0]);
        assert_eq!(found(6, 0), [9]);
    }
}
