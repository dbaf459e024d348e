//! Nothing in a laid-out graph overlaps.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::path::Path;

use r600_codegen::{Compiler, Options};
use r600_isa::Chip;
use tgsi_ir::Shader;

use super::{Places, layout};
use crate::canvas::{Area, CHAR, LINE, Point, width_of};
use crate::graph::{Edge, EdgeKind, Graph, Node};
use crate::{dependence_graph, flow_graph, machine_code, pass_graph};

fn examples() -> Vec<(String, Shader)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let shaders = paths.filter(|path| path.extension().is_some_and(|e| e == "tgsi"));
    let parse = |text: String| tgsi_text::parse(&text).shader;
    shaders
        .map(|path| (path.display().to_string(), parse(fs::read_to_string(path).unwrap())))
        .collect()
}

fn overlap(a: Area, b: Area) -> bool {
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/// Whether a curve runs through a box, its ends aside, by points along it.
fn crosses(curve: &[Point], area: Area) -> bool {
    let inside = |p: Point| {
        let inner = 1.0;
        (area.x + inner..area.x + area.width - inner).contains(&p.x)
            && (area.y + inner..area.y + area.height - inner).contains(&p.y)
    };
    let mut start = curve[0];
    for piece in curve[1..].chunks(3) {
        for step in 0..=20 {
            let t = f64::from(step) / 20.0;
            let mix = |a: f64, b: f64, c: f64, d: f64| {
                let s = 1.0 - t;
                s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
            };
            let x = mix(start.x, piece[0].x, piece[1].x, piece[2].x);
            let y = mix(start.y, piece[0].y, piece[1].y, piece[2].y);
            if inside(Point { x, y }) {
                return true;
            }
        }
        start = piece[2];
    }
    false
}

fn word_area(edge: &Edge, middle: Point) -> Option<Area> {
    let width = width_of(edge.word()?) + CHAR;
    Some(Area { x: middle.x - width / 2.0, y: middle.y - LINE / 2.0, width, height: LINE })
}

fn check(name: &str, graph: &Graph) {
    let Places { boxes, curves, words } = layout(graph);
    for (n, (area, node)) in boxes.iter().zip(&graph.nodes).enumerate() {
        for line in &node.lines {
            assert!(width_of(line) < area.width, "{name}: {line} leaves its box");
        }
        assert!(boxes[..n].iter().all(|other| !overlap(*area, *other)), "{name}: box {n}");
        for (curve, edge) in curves.iter().zip(&graph.edges) {
            assert!(
                edge.from == edge.to || !crosses(curve, *area),
                "{name}: {edge:?} over {n} {area:?}\n{curve:?}"
            );
        }
    }
    let words: Vec<Area> =
        words.iter().zip(&graph.edges).filter_map(|(at, edge)| word_area(edge, *at)).collect();
    for (n, word) in words.iter().enumerate() {
        assert!(words[..n].iter().chain(&boxes).all(|other| !overlap(*word, *other)), "{name}");
    }
}

#[test]
fn pictures_of_the_examples_do_not_overlap() {
    let options = Options::default();
    let compiler = Compiler::new(options.clone()).unwrap();
    let mut count = 0;
    for (name, shader) in examples() {
        check(&name, &flow_graph(&shader));
        for chip in [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman] {
            let compiled = compiler.compile(&shader, chip).unwrap();
            check(&name, &pass_graph(&compiler.pass_drawing(), Some(&compiled.report)));
            let function = machine_code(&shader, chip, &options).unwrap();
            for block in function.blocks.keys() {
                check(&name, &dependence_graph(&function, block).unwrap());
                count += 1;
            }
        }
    }
    println!("{count} blocks");
    assert!(count >= 24);
}

fn graph(num_nodes: usize, edges: &[(usize, usize)]) -> Graph {
    let node = |n| Node { lines: vec![format!("node {n}")], ..Node::default() };
    let edge = |&(from, to)| Edge { from, to, kind: EdgeKind::Plain };
    Graph {
        nodes: (0..num_nodes).map(node).collect(),
        edges: edges.iter().map(edge).collect(),
        ..Graph::default()
    }
}

#[test]
fn many_paths_take_no_time() {
    // Sixty diamonds in a row inside a loop, and after it sixty more: 2^60 paths twice.
    let mut edges = Vec::new();
    for n in 0..60 {
        edges.extend([(3 * n, 3 * n + 1), (3 * n, 3 * n + 2)]);
        edges.extend([(3 * n + 1, 3 * n + 3), (3 * n + 2, 3 * n + 3)]);
    }
    edges.push((90, 3));
    check("diamonds", &graph(181, &edges));
}

#[test]
fn arrows_that_lead_back_and_to_themselves_are_drawn() {
    check("loop", &graph(3, &[(0, 1), (1, 1), (1, 0), (1, 2), (2, 1)]));
    check("nothing", &graph(0, &[]));
}
