//! Laid-out graphs as pictures.

use super::layout::{PADDING, Places};
use super::{EdgeKind, Graph, Node, NodeKind};
use crate::canvas::{Area, CHAR, LINE, Picture, Point, Segment, width_of};

/// Space around everything.
const MARGIN: f64 = 16.0;

/// Length of an arrow in the legend.
const SAMPLE: f64 = 36.0;

pub(super) fn draw(graph: &Graph, places: &Places) -> Picture {
    let shift = offset(places);
    let (right, bottom) = extent(places, shift);
    let top = MARGIN + LINE + MARGIN;
    let legend_height = if legend(graph).is_empty() { 0.0 } else { LINE + MARGIN };
    let width = right.max(width_of(&graph.title)).max(legend_width(graph)) + 2.0 * MARGIN;
    let mut picture = Picture::new(width, top + bottom + legend_height + MARGIN);
    picture.text("", Point { x: MARGIN, y: MARGIN + LINE / 2.0 }, &graph.title);
    let shift = Point { x: shift.x + MARGIN, y: shift.y + top };
    let arrows = graph.edges.iter().zip(&places.curves);
    let (hot, plain): (Vec<_>, Vec<_>) = arrows.partition(|(edge, _)| edge.kind == EdgeKind::Hot);
    // Emphasised edges are drawn over the others.
    for (edge, curve) in plain.into_iter().chain(hot) {
        let curve: Vec<Point> = curve.iter().map(|point| moved(*point, shift)).collect();
        draw_arrow(&mut picture, edge.kind, &curve);
    }
    for (node, area) in graph.nodes.iter().zip(&places.boxes) {
        let place = moved(Point { x: area.x, y: area.y }, shift);
        draw_node(&mut picture, node, Area { x: place.x, y: place.y, ..*area });
    }
    for (edge, place) in graph.edges.iter().zip(&places.words) {
        if let Some(word) = edge.word() {
            draw_word(&mut picture, moved(*place, shift), word);
        }
    }
    draw_legend(&mut picture, graph, top + bottom + MARGIN / 2.0);
    picture
}

fn moved(point: Point, by: Point) -> Point {
    Point { x: point.x + by.x, y: point.y + by.y }
}

fn corners(places: &Places) -> impl Iterator<Item = Point> {
    let boxes = places.boxes.iter().flat_map(|area| {
        let far = Point { x: area.x + area.width, y: area.y + area.height };
        [Point { x: area.x, y: area.y }, far]
    });
    boxes.chain(places.curves.iter().flatten().copied())
}

/// The offset that makes all coordinates positive.
fn offset(places: &Places) -> Point {
    let lowest = |coordinate: fn(&Point) -> f64| {
        let lowest = corners(places).map(|point| coordinate(&point)).fold(f64::INFINITY, f64::min);
        if lowest.is_finite() { -lowest } else { 0.0 }
    };
    Point { x: lowest(|point| point.x), y: lowest(|point| point.y) }
}

/// Width and height of everything.
fn extent(places: &Places, shift: Point) -> (f64, f64) {
    let highest = |coordinate: fn(&Point) -> f64| {
        corners(places).map(|point| coordinate(&point)).fold(0.0, f64::max)
    };
    (highest(|point| point.x) + shift.x, highest(|point| point.y) + shift.y)
}

fn draw_node(picture: &mut Picture, node: &Node, area: Area) {
    let class = match node.kind {
        NodeKind::Plain => "box",
        NodeKind::Optional => "dim",
        NodeKind::Hot => "key",
    };
    let shape = picture.rect(class, area).origins(&node.origins);
    if node.kind == NodeKind::Optional {
        shape.dashed();
    }
    for (n, line) in node.lines.iter().enumerate() {
        let y = area.y + PADDING + (n as f64 + 0.5) * LINE;
        picture.text("", Point { x: area.x + PADDING, y }, line);
    }
}

fn class(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Plain => "",
        EdgeKind::Yes => " yes",
        EdgeKind::No => " no",
        EdgeKind::Weak | EdgeKind::Back => " weak",
        EdgeKind::Hot => " hot",
    }
}

/// Draws a word on a patch of background, so that no line crosses it.
fn draw_word(picture: &mut Picture, middle: Point, word: &str) {
    let (width, height) = (width_of(word), LINE);
    let x = middle.x - width / 2.0;
    let patch = Area { x: x - 3.0, y: middle.y - height / 2.0, width: width + 6.0, height };
    picture.rect("page", patch);
    picture.text("quiet", Point { x, y: middle.y }, word);
}

fn draw_arrow(picture: &mut Picture, kind: EdgeKind, curve: &[Point]) {
    let [first, rest @ ..] = curve else { return };
    let curves = rest.as_chunks().0.iter().copied().map(Segment::Curve);
    let line = [Segment::Move(*first)].into_iter().chain(curves).collect();
    let shape = picture.path(&format!("edge{}", class(kind)), line);
    if matches!(kind, EdgeKind::Weak | EdgeKind::Back) {
        shape.dashed();
    }
    if let [.., control, end] = curve {
        draw_tip(picture, kind, *control, *end);
    }
}

/// The head of an arrow that comes from the direction of `control`.
fn draw_tip(picture: &mut Picture, kind: EdgeKind, control: Point, end: Point) {
    let (dx, dy) = (end.x - control.x, end.y - control.y);
    let length = dx.hypot(dy).max(1e-6);
    let (dx, dy) = (dx / length, dy / length);
    let base = Point { x: end.x - 9.0 * dx, y: end.y - 9.0 * dy };
    let side = Point { x: -4.0 * dy, y: 4.0 * dx };
    let corner = |side: Point| Segment::Line(moved(base, side));
    let back = Point { x: -side.x, y: -side.y };
    let tip = vec![Segment::Move(end), corner(side), corner(back), Segment::Close];
    picture.path(&format!("tip{}", class(kind)), tip);
}

/// The kinds of the legend that occur.
fn legend(graph: &Graph) -> Vec<(EdgeKind, &'static str)> {
    let occurs = |kind| graph.edges.iter().any(|edge| edge.kind == kind);
    graph.legend.iter().copied().filter(|(kind, _)| occurs(*kind)).collect()
}

fn legend_width(graph: &Graph) -> f64 {
    legend(graph).iter().map(|(_, text)| SAMPLE + width_of(text) + 4.0 * CHAR).sum()
}

fn draw_legend(picture: &mut Picture, graph: &Graph, y: f64) {
    let mut x = MARGIN;
    let y = y + LINE / 2.0;
    for (kind, text) in legend(graph) {
        let end = x + SAMPLE;
        let line = [x, x + SAMPLE / 3.0, x + 2.0 * SAMPLE / 3.0, end].map(|x| Point { x, y });
        draw_arrow(picture, kind, &line);
        picture.text("quiet", Point { x: end + CHAR, y }, text);
        x = end + width_of(text) + 4.0 * CHAR;
    }
}
