//! Positions of boxes and routes of arrows, by the `layout-rs` crate.
//!
//! The crate takes any graph, but searches for cycles along every path. It gets acyclic graphs only, with edges sorted
//! by their start, which keeps that search short. Back edges are reversed before and after.

use layout::core::base::Orientation;
use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry;
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;

use super::route::{GAP, Router};
use super::{Edge, Graph, Node};
use crate::canvas::{Area, LINE, Point, width_of};

/// Space between a box's outline and its text.
pub(super) const PADDING: f64 = 9.0;

/// The layout.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// The area of each box.
    pub(super) boxes: Vec<Area>,
    /// The curve of each arrow: a start, then two control points and an end for each piece.
    pub(super) curves: Vec<Vec<Point>>,
    /// The centres of the words on arrows.
    pub(super) words: Vec<Point>,
}

/// Lays out `graph`.
pub(super) fn layout(graph: &Graph) -> Places {
    let mut recorder = Recorder {
        places: Places {
            boxes: vec![Area::default(); graph.nodes.len()],
            curves: vec![Vec::new(); graph.edges.len()],
            words: vec![Point::default(); graph.edges.len()],
        },
        stops: vec![Vec::new(); graph.edges.len()],
    };
    if graph.nodes.is_empty() {
        return recorder.places;
    }
    let mut visual = VisualGraph::new(Orientation::TopToBottom);
    visual.dag.set_validate(false);
    let look = StyleAttr::simple();
    let handles: Vec<_> = (graph.nodes.iter().enumerate())
        .map(|(n, node)| visual.add_node(element(node, n, &look)))
        .collect();
    let order = depth_first_order(graph);
    for (n, edge) in sorted_edges(graph, &order) {
        let (from, to) = if order[edge.from] < order[edge.to] {
            (edge.from, edge.to)
        } else {
            (edge.to, edge.from)
        };
        visual.add_edge(arrow(n, edge, &look), handles[from], handles[to]);
    }
    visual.do_it(false, false, false, &mut recorder);
    let Recorder { mut places, stops } = recorder;
    let boxes = places.boxes.clone();
    let router = Router::new(&boxes);
    for (n, (edge, stops)) in graph.edges.iter().zip(stops).enumerate() {
        let leads_back = order[edge.from] > order[edge.to];
        let (upper, lower) = if leads_back { (edge.to, edge.from) } else { (edge.from, edge.to) };
        let word = edge.word().map(|word| (places.words[n], width_of(word)));
        let mut route = router.route(upper, lower, stops, word);
        if leads_back {
            route.curve.reverse();
        }
        places.curves[n] = route.curve;
        places.words[n] = route.word;
    }
    places
}

/// A box of the size of its text. Its number travels as a property.
fn element(node: &Node, number: usize, look: &StyleAttr) -> Element {
    let widest = node.lines.iter().map(|line| width_of(line)).fold(0.0, f64::max);
    let size = geometry::Point {
        x: widest + 2.0 * PADDING,
        y: node.lines.len() as f64 * LINE + 2.0 * PADDING,
    };
    let shape = ShapeKind::new_box("");
    let mut element = Element::create_with_properties(
        shape,
        look.clone(),
        Orientation::TopToBottom,
        size,
        number.to_string(),
    );
    let zero = geometry::Point::zero();
    let gap = geometry::Point { x: GAP.x, y: GAP.y };
    element.pos = geometry::Position::new(zero, size, zero, gap);
    element
}

/// An arrow; a word on it gets a place in a row of its own.
fn arrow(number: usize, edge: &Edge, look: &StyleAttr) -> Arrow {
    let mut arrow = Arrow::new(
        LineEndKind::None,
        LineEndKind::Arrow,
        LineStyleKind::Normal,
        &placeholder(number, edge),
        look,
        &None,
        &None,
    );
    arrow.properties = Some(number.to_string());
    arrow
}

/// A placeholder for the word of an arrow: the arrow's number, padded to the word's width.
fn placeholder(number: usize, edge: &Edge) -> String {
    edge.word().map_or_else(String::new, |word| format!("{number:>0$}", word.len()))
}

/// The edges in the order of their upper ends; self-loops are not drawn.
fn sorted_edges<'a>(graph: &'a Graph, order: &[usize]) -> Vec<(usize, &'a Edge)> {
    let mut edges: Vec<_> =
        graph.edges.iter().enumerate().filter(|(_, edge)| edge.from != edge.to).collect();
    edges.sort_by_key(|(_, edge)| order[edge.from].min(order[edge.to]));
    edges
}

/// The place of each box in an order that all arrows follow, except back edges.
fn depth_first_order(graph: &Graph) -> Vec<usize> {
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for edge in graph.edges.iter().rev() {
        successors[edge.from].push(edge.to);
    }
    let mut order = vec![0; graph.nodes.len()];
    let mut seen = vec![false; graph.nodes.len()];
    let mut place = graph.nodes.len();
    for root in 0..graph.nodes.len() {
        finish_after_successors(root, &successors, &mut seen, |node| {
            place -= 1;
            order[node] = place;
        });
    }
    order
}

/// Visits the unseen boxes reachable from `root` in postorder.
fn finish_after_successors(
    root: usize,
    successors: &[Vec<usize>],
    seen: &mut [bool],
    mut finish: impl FnMut(usize),
) {
    if std::mem::replace(&mut seen[root], true) {
        return;
    }
    let mut stack = vec![(root, 0)];
    while let Some((node, next)) = stack.last_mut() {
        let Some(&successor) = successors[*node].get(*next) else {
            finish(*node);
            stack.pop();
            continue;
        };
        *next += 1;
        if !std::mem::replace(&mut seen[successor], true) {
            stack.push((successor, 0));
        }
    }
}

/// Records where the crate would draw.
struct Recorder {
    places: Places,
    /// Where each arrow passes the rows between its ends.
    stops: Vec<Vec<Point>>,
}

impl RenderBackend for Recorder {
    fn draw_rect(
        &mut self,
        xy: geometry::Point,
        size: geometry::Point,
        _look: &StyleAttr,
        properties: Option<String>,
        _clip: Option<ClipHandle>,
    ) {
        if let Some(area) = number(properties).and_then(|n| self.places.boxes.get_mut(n)) {
            *area = Area { x: xy.x, y: xy.y, width: size.x, height: size.y };
        }
    }

    fn draw_arrow(
        &mut self,
        path: &[(geometry::Point, geometry::Point)],
        _dashed: bool,
        _head: (bool, bool),
        _look: &StyleAttr,
        properties: Option<String>,
        _text: &str,
    ) {
        if let Some(stops) = number(properties).and_then(|n| self.stops.get_mut(n))
            && let [_, between @ .., _] = path
        {
            // Each is a control point and the stop itself.
            *stops = between.iter().map(|(_, stop)| Point { x: stop.x, y: stop.y }).collect();
        }
    }

    fn draw_line(
        &mut self,
        _: geometry::Point,
        _: geometry::Point,
        _: &StyleAttr,
        _: Option<String>,
    ) {
    }

    fn draw_circle(
        &mut self,
        _: geometry::Point,
        _: geometry::Point,
        _: &StyleAttr,
        _: Option<String>,
    ) {
    }

    fn draw_text(&mut self, xy: geometry::Point, text: &str, _: &StyleAttr) {
        let number = text.trim().parse::<usize>().ok();
        if let Some(word) = number.and_then(|n| self.places.words.get_mut(n)) {
            *word = Point { x: xy.x, y: xy.y };
        }
    }

    fn create_clip(&mut self, _: geometry::Point, _: geometry::Point, _: usize) -> ClipHandle {
        0
    }
}

fn number(properties: Option<String>) -> Option<usize> {
    properties?.parse().ok()
}

#[cfg(test)]
mod tests;
