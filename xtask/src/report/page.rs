//! The page of tables.

use std::fmt::Write as _;

use super::Figure;
use super::compare::{Comparison, TIMED};

/// Shaders listed for a figure of a chip.
const NUM_WORST: usize = 10;

/// The page, in Markdown.
pub(super) fn figures(comparisons: &[Comparison], with_time: bool) -> String {
    let mut page = String::from(
        "# Figures\n\nWritten by `cargo xtask report`. Each figure is ours over the least of sb (Mesa 21.2) and \
         sfn (Mesa 24.1) for\nthe same shader, as a geometric mean over the shaders without loops.\n\n",
    );
    means(comparisons, &mut page);
    if with_time {
        times(comparisons, &mut page);
    }
    for figure in Figure::ALL {
        let _ = writeln!(page, "\n![{0} against the best peer]({0}.svg)", figure.name());
    }
    for figure in Figure::ALL {
        worst(figure, comparisons, &mut page);
    }
    page
}

fn means(comparisons: &[Comparison], page: &mut String) {
    page.push_str(
        "| chip | compiled | refused | groups | dwords | GPRs |\n|---|---|---|---|---|---|\n",
    );
    for comparison in comparisons {
        let [groups, dwords, gprs] = Figure::ALL.map(|figure| comparison.mean(figure));
        let _ = writeln!(
            page,
            "| {} | {} | {} | {groups:.3} | {dwords:.3} | {gprs:.3} |",
            comparison.chip, comparison.num_compiled, comparison.num_refused,
        );
    }
}

fn times(comparisons: &[Comparison], page: &mut String) {
    page.push_str(
        "\nMicroseconds of compiling one shader, ours over the peer's, which were taken on another machine: of two versions \
         of ours\ntheir ratio says something.\n\n| chip | peer | shaders | geometric mean | slower than the peer | sum \
         |\n|---|---|---|---|---|---|\n",
    );
    for comparison in comparisons {
        for (number, peer) in TIMED.iter().enumerate() {
            let Some(times) = comparison.times(number) else { continue };
            let _ = writeln!(
                page,
                "| {} | {peer} | {} | {:.3} | {:.1} % | {:.3} |",
                comparison.chip,
                times.num_shaders,
                times.mean,
                100.0 * times.slower,
                times.total
            );
        }
    }
    page.push_str("\n![time against size](time.svg)\n");
}

fn worst(figure: Figure, comparisons: &[Comparison], page: &mut String) {
    let _ = writeln!(page, "\n## Most {} more than the best peer\n", figure.name());
    page.push_str("| chip | shader | ours | best peer | ratio |\n|---|---|---|---|---|\n");
    for comparison in comparisons {
        for row in comparison.rows(figure).iter().take(NUM_WORST) {
            let (chip, ratio) = (comparison.chip, row.ratio());
            let _ = writeln!(
                page,
                "| {chip} | {} | {} | {} | {ratio:.2} |",
                row.shader, row.ours, row.best
            );
        }
    }
}
