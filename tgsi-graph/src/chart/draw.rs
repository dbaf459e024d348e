//! Draws charts: one column per slot, one row per group.

use super::{Cell, CellKind, Chart, Row};
use crate::canvas::{Area, CHAR, LINE, Picture, Point, Segment, shorten, width_of};

/// Space around everything.
const MARGIN: f64 = 16.0;

/// Width of the column of numbers.
const NUMBERS: f64 = 5.0 * CHAR;

/// Width of the column that counts literals.
const LITERALS: f64 = 12.0 * CHAR;

/// Space between a cell's outline and its text.
const PADDING: f64 = 5.0;

/// Space between rows.
const GAP: f64 = 3.0;

/// Rows that are drawn; a longer chart ends with a note about the rest.
const MAX_ROWS: usize = 600;

/// Characters shown of an operation's operands.
const MAX_CHARS: usize = 30;

/// Minimum width of a column, in characters.
const MIN_CHARS: usize = 8;

const SLOTS: [&str; 5] = ["x", "y", "z", "w", "t"];

pub(super) fn draw(chart: &Chart) -> Picture {
    let columns = Columns::new(chart);
    let rows = &chart.rows[..chart.rows.len().min(MAX_ROWS)];
    let num_more = chart.rows.len() - rows.len();
    let height: f64 = rows.iter().map(row_height).sum();
    let head = MARGIN + 3.0 * (LINE + GAP) + GAP;
    let tail = if num_more > 0 { LINE + GAP } else { 0.0 } + MARGIN;
    let width = columns.right.max(legend_width(chart)) + MARGIN;
    let mut picture = Picture::new(width, head + height + tail);
    draw_head(&mut picture, chart, &columns);
    let mut y = head;
    for row in rows {
        draw_row(&mut picture, row, &columns, y);
        y += row_height(row);
    }
    if num_more > 0 {
        let text = format!("… {num_more} more rows; see the listing");
        picture.text("quiet", Point { x: MARGIN, y: y + LINE / 2.0 }, &text);
    }
    picture
}

/// Where the columns of the slots are.
struct Columns {
    /// Left edges.
    left: Vec<f64>,
    width: Vec<f64>,
    /// Right edge of the last.
    end: f64,
    /// Right edge of everything.
    right: f64,
}

impl Columns {
    fn new(chart: &Chart) -> Self {
        let num = if chart.has_trans_slot { 5 } else { 4 };
        let mut chars = vec![MIN_CHARS; num];
        for row in &chart.rows {
            let Row::Group { cells, .. } = row else { continue };
            for (widest, cell) in chars.iter_mut().zip(cells.iter()) {
                let needed = cell.as_ref().map_or(0, |cell| {
                    cell.operation.chars().count().max(cell.short_operands().chars().count())
                });
                *widest = (*widest).max(needed.min(MAX_CHARS));
            }
        }
        let width: Vec<f64> =
            chars.iter().map(|&chars| chars as f64 * CHAR + 2.0 * PADDING).collect();
        let mut left = Vec::with_capacity(num);
        let mut x = MARGIN + NUMBERS;
        for width in &width {
            left.push(x);
            x += width + GAP;
        }
        let has_literals = chart
            .rows
            .iter()
            .any(|row| matches!(row, Row::Group { num_literals, .. } if *num_literals > 0));
        let end = x - GAP;
        Self { left, width, end, right: if has_literals { x + LITERALS } else { end } }
    }

    /// All slot columns as one area.
    fn all(&self, y: f64, height: f64) -> Area {
        let x = MARGIN + NUMBERS;
        Area { x, y, width: self.end - x, height }
    }
}

fn row_height(row: &Row) -> f64 {
    match row {
        Row::Group { .. } => 2.0 * LINE + 2.0 * GAP + GAP,
        Row::Cf { .. } | Row::Fetch { .. } | Row::Stall { .. } => LINE + 2.0 * GAP + GAP,
    }
}

/// Title, legend, names of the columns.
fn draw_head(picture: &mut Picture, chart: &Chart, columns: &Columns) {
    let mut y = MARGIN + LINE / 2.0;
    let (groups, used, slots) = chart.occupancy();
    let percent = (100 * used).checked_div(slots).unwrap_or(0);
    let plural = if groups == 1 { "" } else { "s" };
    let title =
        format!("Schedule: {groups} group{plural}, {used} of {slots} slots in use ({percent} %)");
    picture.text("", Point { x: MARGIN, y }, &title);
    y += LINE + GAP;
    draw_legend(picture, chart, y);
    y += LINE + GAP;
    for (name, (left, width)) in SLOTS.iter().zip(columns.left.iter().zip(&columns.width)) {
        let x = left + width / 2.0 - CHAR / 2.0;
        picture.text("quiet", Point { x, y }, name);
    }
}

/// The legend: class and text of each colour that occurs.
fn legend(chart: &Chart) -> Vec<(&'static str, &'static str)> {
    let kinds = [
        (CellKind::Vector, "any slot"),
        (CellKind::Trans, "trans only"),
        (CellKind::Reduction, "several slots"),
        (CellKind::Move, "move"),
        (CellKind::Test, "test"),
    ];
    let occurs = |kind: CellKind| {
        let mut groups = chart.rows.iter().filter_map(|row| match row {
            Row::Group { cells, .. } => Some(cells),
            Row::Cf { .. } | Row::Fetch { .. } | Row::Stall { .. } => None,
        });
        groups.any(|cells| cells.iter().flatten().any(|cell| cell.kind == kind))
    };
    let kinds = kinds.into_iter().filter(|(kind, _)| occurs(*kind));
    let mut legend: Vec<_> = kinds.map(|(kind, words)| (class(kind), words)).collect();
    if chart.rows.iter().any(|row| matches!(row, Row::Group { .. })) {
        legend.push(("empty", "empty slot"));
    }
    if chart.rows.iter().any(|row| matches!(row, Row::Fetch { .. })) {
        legend.push(("fetch", "fetch"));
    }
    legend
}

fn legend_width(chart: &Chart) -> f64 {
    MARGIN + legend(chart).iter().map(|(_, words)| LINE + width_of(words) + 3.0 * CHAR).sum::<f64>()
}

fn draw_legend(picture: &mut Picture, chart: &Chart, y: f64) {
    let mut x = MARGIN;
    for (class, words) in legend(chart) {
        let side = LINE - 4.0;
        let area = Area { x, y: y - side / 2.0, width: side, height: side };
        let outlined = if class == "empty" || class == "fetch" { "" } else { " slot" };
        let shape = picture.rect(&format!("{class}{outlined}"), area);
        if class == "empty" {
            shape.dashed();
        }
        picture.text("quiet", Point { x: x + LINE, y }, words);
        x += LINE + width_of(words) + 3.0 * CHAR;
    }
}

fn class(kind: CellKind) -> &'static str {
    match kind {
        CellKind::Vector => "vector",
        CellKind::Trans => "trans",
        CellKind::Reduction => "reduction",
        CellKind::Move => "move",
        CellKind::Test => "test",
        CellKind::Stall => "empty",
    }
}

fn draw_row(picture: &mut Picture, row: &Row, columns: &Columns, y: f64) {
    let height = row_height(row) - GAP;
    let middle = y + height / 2.0;
    match row {
        Row::Cf { text, is_export, origins } => {
            let class = if *is_export { "export" } else { "band" };
            let all = columns.all(y, height);
            let area = Area { x: MARGIN, width: all.x + all.width - MARGIN, ..all };
            picture.rect(class, area).origins(origins);
            picture.text("", Point { x: MARGIN + PADDING, y: middle }, text);
        }
        Row::Fetch { number, text, origins } => {
            draw_number(picture, *number, middle);
            let area = columns.all(y, height);
            let text = fitting(text, area.width);
            picture.rect("fetch", area).origins(origins);
            picture.text("", Point { x: area.x + PADDING, y: middle }, &text);
        }
        Row::Group { number, cells, num_literals } => {
            draw_number(picture, *number, middle);
            for (n, (left, width)) in columns.left.iter().zip(&columns.width).enumerate() {
                let area = Area { x: *left, y, width: *width, height };
                draw_cell(picture, cells[n].as_ref(), area);
            }
            draw_literals(picture, *num_literals, Point { x: columns.end + GAP, y: middle });
        }
        Row::Stall { text } => draw_stall(picture, text, columns.all(y, height)),
    }
}

/// As much of `text` as fits the width.
fn fitting(text: &str, width: f64) -> String {
    // Half a character more, since widths are sums of fractions.
    shorten(text, ((width - 2.0 * PADDING) / CHAR + 0.5) as usize)
}

fn draw_number(picture: &mut Picture, number: usize, y: f64) {
    let x = MARGIN + NUMBERS - CHAR;
    picture.text_right("quiet", Point { x, y }, &number.to_string());
}

fn draw_literals(picture: &mut Picture, count: usize, at: Point) {
    match count {
        0 => {}
        1 => drop(picture.text("quiet", at, "1 literal")),
        _ => drop(picture.text("quiet", at, &format!("{count} literals"))),
    }
}

fn draw_cell(picture: &mut Picture, cell: Option<&Cell>, area: Area) {
    let Some(cell) = cell else {
        picture.rect("empty", area).dashed();
        return;
    };
    let full = format!("{} {}", cell.operation, cell.operands);
    picture.rect(&format!("{} slot", class(cell.kind)), area).origins(&cell.origins).title(&full);
    if cell.kind == CellKind::Stall {
        draw_hatching(picture, area);
        return;
    }
    let x = area.x + PADDING;
    let first = area.y + GAP + LINE / 2.0;
    picture.text("", Point { x, y: first }, &fitting(&cell.operation, area.width));
    let operands = fitting(&cell.short_operands(), area.width);
    picture.text("quiet", Point { x, y: first + LINE }, &operands);
}

fn draw_stall(picture: &mut Picture, text: &str, area: Area) {
    let width = width_of(text) + 2.0 * PADDING;
    let words = Area { width, ..area };
    picture.text("stallword", Point { x: area.x, y: area.y + area.height / 2.0 }, text);
    let rest = Area { x: area.x + words.width, width: area.width - words.width, ..area };
    draw_hatching(picture, rest);
}

/// Slanted lines for an idle slot.
fn draw_hatching(picture: &mut Picture, area: Area) {
    let step = 8.0;
    let (top, bottom) = (area.y + GAP, area.y + area.height - GAP);
    let slant = (bottom - top) / 2.0;
    let num = ((area.width - slant) / step).floor().max(0.0) as usize;
    let lines = (0..num).flat_map(|n| {
        let x = area.x + n as f64 * step;
        let end = Point { x: x + slant, y: top };
        [Segment::Move(Point { x, y: bottom }), Segment::Line(end)]
    });
    picture.path("stall", lines.collect());
}
