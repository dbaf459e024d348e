//! Orders in which hardware may run unordered work.

/// Maximum number of rotations that are tried.
const MOST: usize = 16;

/// Orders of `num` quads or lanes other than the usual one: reversed, and rotated, so that if there are few, each comes
/// last in one order.
pub(super) fn orders(num: usize) -> Vec<Vec<usize>> {
    if num < 2 {
        return Vec::new();
    }
    let turns = (1..num).step_by(num.div_ceil(MOST));
    let turns = turns.map(|first| (0..num).map(|n| (first + n) % num).collect::<Vec<usize>>());
    // For two, the rotation is the reversal.
    let backwards = (num > 2).then(|| (0..num).rev().collect());
    turns.chain(backwards).collect()
}

#[cfg(test)]
mod tests {
    use super::orders;

    #[test]
    fn each_element_of_a_short_list_comes_last_once() {
        assert!(orders(0).is_empty() && orders(1).is_empty());
        assert_eq!(orders(2), [[1, 0]]);
        assert_eq!(orders(3), [[1, 2, 0], [2, 0, 1], [2, 1, 0]]);
        assert_eq!(orders(512).len(), 17);
    }
}
