//! Our figures against those of the best peer of each shader.

use std::collections::BTreeMap;

use super::measure::Ours;
use super::peers::Peers;
use super::{Figure, Measured};

/// The peers. The one that does not optimise is left out.
const RIVALS: [&str; 2] = ["mesa21-sb", "mesa24-sfn"];

/// The compilers whose time is compared with ours, one for each generation of Mesa's compiler.
pub(super) const TIMED: [&str; 2] = ["mesa21-sb", "mesa24-sfn"];

/// One shader: our figure, and the smallest of a peer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) shader: String,
    pub(super) ours: u64,
    pub(super) best: u64,
}

impl Row {
    /// Our figure over the best. Both are increased by one to avoid division by zero.
    pub(super) fn ratio(&self) -> f64 {
        (self.ours + 1) as f64 / (self.best + 1) as f64
    }
}

/// The compile time of a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timed {
    /// Size of the shader, in TGSI instructions.
    pub(super) instructions: u64,
    /// Microseconds.
    pub(super) ours: u64,
    /// Microseconds of each of [`TIMED`], if measured.
    pub(super) theirs: [Option<u64>; TIMED.len()],
}

/// Our times against those of one peer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Times {
    /// Shaders that were timed for both.
    pub(super) num_shaders: usize,
    /// Geometric mean of the ratios of ours to theirs.
    pub(super) mean: f64,
    /// Fraction of the shaders for which we take longer.
    pub(super) slower: f64,
    /// The sum of ours over the sum of theirs.
    pub(super) total: f64,
}

/// A chip's comparison.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    pub(super) chip: &'static str,
    /// Shaders that were compiled, and those that were not.
    pub(super) num_compiled: usize,
    pub(super) num_refused: usize,
    rows: BTreeMap<Figure, Vec<Row>>,
    /// Every shader with a peer, including those with loops.
    pub(super) timed: Vec<Timed>,
}

impl Comparison {
    pub(super) fn new(chip: &'static str, ours: &BTreeMap<String, Ours>, peers: &Peers) -> Self {
        let mut comparison = Self {
            chip,
            num_compiled: ours.values().filter(|ours| ours.measured.is_some()).count(),
            num_refused: ours.values().filter(|ours| ours.measured.is_none()).count(),
            rows: BTreeMap::new(),
            timed: Vec::new(),
        };
        for (shader, ours) in ours {
            let theirs = peers.get(&(chip.to_owned(), shader.clone()));
            if let (Some(measured), Some(theirs)) = (ours.measured, theirs) {
                comparison.shader(shader, (measured, ours.has_loop), theirs);
            }
        }
        for rows in comparison.rows.values_mut() {
            rows.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
        }
        comparison
    }

    fn shader(
        &mut self,
        shader: &str,
        (ours, has_loop): (Measured, bool),
        theirs: &BTreeMap<String, Measured>,
    ) {
        let timed = |rival| theirs.get(rival).map(|one| one.compile_us).filter(|us| *us > 0);
        self.timed.push(Timed {
            instructions: theirs.values().map(|one| one.instructions).max().unwrap_or(0),
            ours: ours.compile_us,
            theirs: TIMED.map(timed),
        });
        if has_loop {
            return;
        }
        for figure in Figure::ALL {
            let rivals = RIVALS.iter().filter_map(|rival| theirs.get(*rival));
            let Some(best) = rivals.map(|rival| rival.get(figure)).min() else { continue };
            let row = Row { shader: shader.to_owned(), ours: ours.get(figure), best };
            self.rows.entry(figure).or_default().push(row);
        }
    }

    /// Every shader without loops, the worst ratio first.
    pub(super) fn rows(&self, figure: Figure) -> &[Row] {
        self.rows.get(&figure).map_or(&[], Vec::as_slice)
    }

    /// Our times against those of peer `number` of [`TIMED`]; `None` if it was not timed.
    pub(super) fn times(&self, number: usize) -> Option<Times> {
        let pairs =
            self.timed.iter().filter_map(|one| Some((one.ours.max(1), one.theirs[number]?)));
        let pairs: Vec<(u64, u64)> = pairs.collect();
        let count = pairs.len();
        let sum: f64 =
            pairs.iter().map(|(ours, theirs)| (*ours as f64 / *theirs as f64).ln()).sum();
        let slower = pairs.iter().filter(|(ours, theirs)| ours > theirs).count();
        let [ours, theirs] = pairs.iter().fold([0, 0], |[a, b], (x, y)| [a + x, b + y]);
        (count > 0).then(|| Times {
            num_shaders: count,
            mean: (sum / count as f64).exp(),
            slower: slower as f64 / count as f64,
            total: ours as f64 / theirs as f64,
        })
    }

    /// Whether a peer compiled any shader.
    pub(super) fn has_peers(&self) -> bool {
        Figure::ALL.iter().any(|figure| !self.rows(*figure).is_empty())
    }

    /// The geometric mean of the ratios.
    pub(super) fn mean(&self, figure: Figure) -> f64 {
        let rows = self.rows(figure);
        let sum: f64 = rows.iter().map(|row| row.ratio().ln()).sum();
        (sum / rows.len().max(1) as f64).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_geometric_and_loops_are_left_out() {
        let measured = |groups| Measured { groups, ..Measured::default() };
        let ours = |groups, has_loop| Ours { measured: Some(measured(groups)), has_loop };
        let made: BTreeMap<String, Ours> = [("a", ours(7, false)), ("b", ours(0, false))]
            .into_iter()
            .chain([("c", ours(99, true))])
            .map(|(name, ours)| (name.to_owned(), ours))
            .collect();
        let rival = |groups| BTreeMap::from([(RIVALS[0].to_owned(), measured(groups))]);
        let peers: Peers = [("a", 3), ("b", 1), ("c", 1)]
            .into_iter()
            .map(|(name, groups)| (("cedar".to_owned(), name.to_owned()), rival(groups)))
            .collect();
        let comparison = Comparison::new("cedar", &made, &peers);
        assert_eq!(comparison.rows(Figure::Groups).len(), 2);
        assert_eq!(comparison.rows(Figure::Groups)[0].shader, "a");
        assert!((comparison.mean(Figure::Groups) - 1.0).abs() < 1e-9);
        assert_eq!(comparison.times(0), None);
    }

    #[test]
    fn times_are_compared_where_both_were_taken() {
        let timed = |ours, theirs| Timed { instructions: 9, ours, theirs: [Some(theirs), None] };
        let comparison = Comparison {
            chip: "cedar",
            num_compiled: 2,
            num_refused: 0,
            timed: vec![timed(20, 10), timed(10, 80)],
            rows: BTreeMap::new(),
        };
        let times = comparison.times(0).expect("two were timed");
        assert_eq!((times.num_shaders, times.slower), (2, 0.5));
        assert!((times.mean - 0.5).abs() < 1e-9 && (times.total - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(comparison.times(1), None);
    }
}
