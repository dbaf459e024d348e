//! Plots of ratios, as SVG.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use plotters::prelude::*;

use super::Figure;
use super::compare::{Comparison, TIMED};

const SIZE: (u32, u32) = (800, 450);

/// The range of the plotted ratios; others are drawn at the border.
const RANGE: std::ops::Range<f64> = 0.4..2.0;

/// One colour for each chip.
const COLOURS: [RGBColor; 4] =
    [RGBColor(27, 120, 55), RGBColor(31, 80, 160), RGBColor(200, 90, 20), RGBColor(150, 40, 130)];

/// Draws the ratios of every shader, sorted, a line for each chip.
pub(super) fn ratios(path: &Path, figure: Figure, comparisons: &[Comparison]) -> Result<()> {
    draw(path, figure, comparisons).map_err(|error| anyhow!("{}: {error}", path.display()))
}

fn draw(
    path: &Path,
    figure: Figure,
    comparisons: &[Comparison],
) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let most = comparisons.iter().map(|c| c.rows(figure).len()).max().unwrap_or(1);
    let mut chart = ChartBuilder::on(&area)
        .caption(format!("{}: ours over the best peer's", figure.name()), ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(30)
        .y_label_area_size(45)
        .build_cartesian_2d(0..most, RANGE.log_scale())?;
    chart.configure_mesh().x_desc("shaders, the worst first").draw()?;
    chart.draw_series(LineSeries::new([(0, 1.0), (most, 1.0)], &BLACK))?;
    for (comparison, colour) in comparisons.iter().zip(COLOURS) {
        let ratios = comparison.rows(figure).iter().map(|row| row.ratio());
        let points = ratios.map(|ratio| ratio.clamp(RANGE.start, RANGE.end)).enumerate();
        chart
            .draw_series(LineSeries::new(points, &colour))?
            .label(format!("{} ×{:.3}", comparison.chip, comparison.mean(figure)))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour));
    }
    chart.configure_series_labels().border_style(BLACK).background_style(WHITE).draw()?;
    area.present()?;
    Ok(())
}

/// Maximum number of shaders in the time plot. Of more, every second, third, and so on is drawn.
const MAX_TIMED: usize = 500;

/// The chip of the time plot.
const TIMED_CHIP: &str = "cedar";

/// Plots compile time against the size of each shader, for us and the peers.
pub(super) fn times(path: &Path, comparisons: &[Comparison]) -> Result<()> {
    let of_chip = comparisons.iter().find(|comparison| comparison.chip == TIMED_CHIP);
    let comparison = of_chip.with_context(|| format!("{TIMED_CHIP} is not compared"))?;
    draw_times(path, comparison).map_err(|error| anyhow!("{}: {error}", path.display()))
}

fn draw_times(path: &Path, comparison: &Comparison) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let step = comparison.timed.len().div_ceil(MAX_TIMED).max(1);
    let timed = || comparison.timed.iter().step_by(step).filter(|one| one.instructions > 0);
    let ours: Vec<(u64, u64)> = timed().map(|one| (one.instructions, one.ours.max(1))).collect();
    let mut series = vec![("ours", ours)];
    for (number, peer) in TIMED.iter().enumerate() {
        let theirs = timed().filter_map(|one| Some((one.instructions, one.theirs[number]?)));
        series.push((*peer, theirs.collect()));
    }
    let points = || series.iter().flat_map(|(_, points)| points);
    let (longest, slowest) = points().fold((1, 1), |(x, y), (size, us)| (x.max(*size), y.max(*us)));
    let mut chart = ChartBuilder::on(&area)
        .caption(format!("{TIMED_CHIP}: time to compile a shader"), ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d((1..2 * longest).log_scale(), (1..2 * slowest).log_scale())?;
    chart.configure_mesh().x_desc("instructions of TGSI").y_desc("microseconds").draw()?;
    for ((name, points), colour) in series.iter().zip(COLOURS) {
        let dots = points.iter().map(|point| Circle::new(*point, 1, colour.filled()));
        chart
            .draw_series(dots)?
            .label(*name)
            .legend(move |(x, y)| Circle::new((x + 9, y), 3, colour.filled()));
    }
    chart.configure_series_labels().border_style(BLACK).background_style(WHITE).draw()?;
    area.present()?;
    Ok(())
}
