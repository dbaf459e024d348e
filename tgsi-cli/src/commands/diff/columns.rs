//! Two texts in columns, with equal lines side by side.

use std::fmt::Write as _;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Both texts in columns of this width, and whether they are the same. Lines are the same if their `key` is.
pub(super) fn side_by_side(
    texts: &[String; 2],
    width: usize,
    key: impl Fn(&str) -> String,
) -> (String, bool) {
    let lines = texts.each_ref().map(|text| text.lines().collect::<Vec<_>>());
    let keys = lines.each_ref().map(|lines| lines.iter().map(|line| key(line)).collect::<Vec<_>>());
    let mut shown = String::new();
    let mut is_same = true;
    for op in capture_diff_slices(Algorithm::Myers, &keys[0], &keys[1]) {
        let (mark, [left, right]) = match op {
            DiffOp::Equal { old_index, new_index, len } => {
                (' ', [old_index..old_index + len, new_index..new_index + len])
            }
            DiffOp::Delete { old_index, old_len, new_index } => {
                ('<', [old_index..old_index + old_len, new_index..new_index])
            }
            DiffOp::Insert { old_index, new_index, new_len } => {
                ('>', [old_index..old_index, new_index..new_index + new_len])
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                ('|', [old_index..old_index + old_len, new_index..new_index + new_len])
            }
        };
        is_same &= mark == ' ';
        for row in 0..left.len().max(right.len()) {
            let [a, b] = [(&left, &lines[0]), (&right, &lines[1])]
                .map(|(range, lines)| range.clone().nth(row).and_then(|at| lines.get(at)));
            let mark = match (a, b) {
                (Some(_), None) => '<',
                (None, Some(_)) => '>',
                _ => mark,
            };
            let [a, b] = [a, b].map(|line| line.copied().unwrap_or_default());
            let row = format!("{a:width$} {mark} {b}");
            // Writing to a string cannot fail.
            let _ = writeln!(shown, "{}", row.trim_end());
        }
    }
    (shown, is_same)
}

#[cfg(test)]
mod tests {
    use super::side_by_side;

    #[test]
    fn equal_lines_stand_beside_each_other() {
        let texts = ["a\nb\nc\n", "a\nc\nd\n"].map(str::to_owned);
        let (shown, is_same) = side_by_side(&texts, 3, str::to_owned);
        assert_eq!(shown, "a     a\nb   <\nc     c\n    > d\n");
        assert!(!is_same);
        assert!(side_by_side(&["a".to_owned(), "a".to_owned()], 3, str::to_owned).1);
    }

    #[test]
    fn lines_that_differ_are_paired_by_what_counts() {
        let texts = ["1 x\ny\n", "2 x\nz\nw\n"].map(str::to_owned);
        let key = |line: &str| line.trim_start_matches(['1', '2', ' ']).to_owned();
        let (shown, _) = side_by_side(&texts, 4, key);
        assert_eq!(shown, "1 x    2 x\ny    | z\n     > w\n");
    }
}
