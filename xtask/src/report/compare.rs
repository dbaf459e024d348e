//! Our figures against those of the best peer of each shader.

use std::collections::BTreeMap;

use super::measure::Ours;
use super::peers::Peers;
use super::{Figure, Measured};

/// The compilers that are compared with; the one that does not optimise is not.
const RIVALS: [&str; 2] = ["mesa21-sb", "mesa24-sfn"];

/// The compiler whose time is compared with ours.
const TIMED: &str = "mesa21-sb";

/// One shader: what we made of it, and the least that a rival did.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) shader: String,
    pub(super) ours: u64,
    pub(super) best: u64,
}

impl Row {
    /// Ours to the best, each counted one higher so that nothing is divided by zero.
    pub(super) fn ratio(&self) -> f64 {
        (self.ours + 1) as f64 / (self.best + 1) as f64
    }
}

/// A chip's comparison.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    pub(super) chip: &'static str,
    /// Shaders that were compiled, and those that were not.
    pub(super) num_compiled: usize,
    pub(super) num_refused: usize,
    rows: BTreeMap<Figure, Vec<Row>>,
    /// Microseconds that we and the timed rival took for shaders that both compile.
    pub(super) compile_us: [u64; 2],
}

impl Comparison {
    pub(super) fn new(chip: &'static str, ours: &BTreeMap<String, Ours>, peers: &Peers) -> Self {
        let mut comparison = Self {
            chip,
            num_compiled: ours.values().filter(|ours| ours.measured.is_some()).count(),
            num_refused: ours.values().filter(|ours| ours.measured.is_none()).count(),
            rows: BTreeMap::new(),
            compile_us: [0; 2],
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
        if let Some(timed) = theirs.get(TIMED) {
            self.compile_us[0] += ours.compile_us;
            self.compile_us[1] += timed.compile_us;
        }
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

    /// Every shader without loops, the one that lags most first.
    pub(super) fn rows(&self, figure: Figure) -> &[Row] {
        self.rows.get(&figure).map_or(&[], Vec::as_slice)
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
    }
}
