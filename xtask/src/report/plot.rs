//! Plots of ratios, as SVG.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use super::Figure;
use super::compare::Comparison;

const SIZE: (u32, u32) = (800, 450);

/// The ratios shown: what lies beyond is drawn at the border.
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
