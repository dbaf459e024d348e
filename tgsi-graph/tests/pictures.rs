//! What pictures say, and that they can be drawn.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::collections::BTreeSet;

use r600_codegen::{Compiler, OptLevel, Options, compile};
use r600_isa::Chip;
use tgsi_graph::{
    CellKind, Chart, Edge, EdgeKind, Graph, MAX_NODES, Node, Row, Theme, TooLarge,
    dependence_graph, flow_graph, largest_block, machine_code, pass_graph,
};
use tgsi_ir::Shader;

const LOOP: &str = include_str!("../../examples/loop.frag.tgsi");
const SHADOW: &str = include_str!("../../examples/shadow.frag.tgsi");

fn shader(text: &str) -> Shader {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    parsed.shader
}

/// The edges of a graph in words.
fn edges(graph: &Graph) -> Vec<(usize, usize, EdgeKind)> {
    let mut edges: Vec<_> = graph.edges.iter().map(|e| (e.from, e.to, e.kind)).collect();
    edges.sort_unstable();
    edges
}

#[test]
fn the_flow_of_a_loop_has_its_exit_and_its_way_back() {
    let graph = flow_graph(&shader(LOOP));
    let first: Vec<_> = graph.nodes.iter().map(|node| node.lines[1].trim().to_owned()).collect();
    let opcodes = ["0: MOV", "4: BGNLOOP", "7: BRK", "9: TEX", "14: MUL"];
    for (line, opcode) in first.iter().zip(opcodes) {
        assert!(line.starts_with(opcode), "{line}");
    }
    assert_eq!(
        edges(&graph),
        [
            (0, 1, EdgeKind::Plain),
            (1, 2, EdgeKind::Yes),
            (1, 3, EdgeKind::No),
            (2, 4, EdgeKind::Plain),
            (3, 1, EdgeKind::Back),
        ]
    );
}

#[test]
fn switches_fall_through_and_leave() {
    let graph = flow_graph(&shader(
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nIMM[0] INT32 {0, 1, 0, 0}\n\
         SWITCH IN[0].xxxx\nCASE IMM[0].xxxx\nMOV OUT[0], IMM[0]\nCASE IMM[0].yyyy\n\
         MOV OUT[0], IMM[0].yyyy\nBRK\nENDSWITCH\nEND\n",
    ));
    let plain: Vec<_> = edges(&graph).into_iter().map(|(from, to, _)| (from, to)).collect();
    assert_eq!(plain, [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3)]);
}

#[test]
fn the_pass_graph_keeps_what_is_not_implied() {
    let compiler = Compiler::new(Options::default()).unwrap();
    let graph = pass_graph(&compiler.pass_drawing(), None);
    let names: BTreeSet<_> = compiler.passes().collect();
    let titles: Vec<&str> = graph.nodes.iter().map(|node| node.lines[0].as_str()).collect();
    assert!(names.iter().all(|name| titles.iter().any(|title| title.ends_with(name.name()))));
    // A pass that runs again is one node, and analyses are nodes, too.
    let simplify: Vec<_> = titles.iter().filter(|title| title.ends_with(". simplify")).collect();
    assert!(simplify.len() == 1 && simplify[0].contains(", "), "{titles:?}");
    assert!(titles.contains(&"use-counts"), "{titles:?}");
    let follows = graph.edges.iter().all(|edge| edge.from < edge.to);
    assert!(follows && graph.edges.len() < 2 * graph.nodes.len(), "{:?}", graph.edges);
}

#[test]
fn the_critical_path_is_as_long_as_the_scheduler_says() {
    let function = machine_code(&shader(SHADOW), Chip::Rv770, &Options::default()).unwrap();
    let block = largest_block(&function).unwrap();
    let graph = dependence_graph(&function, block).unwrap();
    let critical: Vec<_> =
        graph.nodes.iter().filter(|node| node.kind == tgsi_graph::NodeKind::Hot).collect();
    assert!(critical.len() >= 8, "{critical:?}");
    assert!(critical.last().unwrap().lines[0].starts_with("EXPORT"));
}

#[test]
fn charts_agree_with_the_statistics() {
    for chip in [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman] {
        for level in [OptLevel::O0, OptLevel::O2] {
            let options = Options::default().level(level);
            let compiled = compile(&shader(LOOP), chip, &options).unwrap();
            let stats = compiled.program.stats();
            let chart = Chart::new(&compiled.program, &compiled.origins);
            let (groups, used, slots) = chart.occupancy();
            assert_eq!((groups, used), (stats.groups, stats.alu_slots));
            assert_eq!(slots, groups * if chip == Chip::Cayman { 4 } else { 5 });
            let fetches = chart.rows.iter().filter(|row| matches!(row, Row::Fetch { .. }));
            assert_eq!(fetches.count(), stats.tex + stats.vtx);
            assert!(chart.rows.iter().any(|row| matches!(row, Row::Stall { .. })));
        }
    }
}

#[test]
fn cells_know_their_sort_and_their_instructions() {
    let compiled = compile(&shader(SHADOW), Chip::Rv770, &Options::default()).unwrap();
    let chart = Chart::new(&compiled.program, &compiled.origins);
    let cells = chart.rows.iter().filter_map(|row| match row {
        Row::Group { cells, .. } => Some(cells.iter().flatten()),
        _ => None,
    });
    let reciprocal = cells.flatten().find(|cell| cell.operation == "RECIP_IEEE").unwrap();
    assert_eq!(reciprocal.kind, CellKind::Trans);
    assert_eq!(reciprocal.origins.iter().map(|id| id.index()).collect::<Vec<_>>(), [0]);
}

#[test]
fn pictures_have_both_formats_and_both_backgrounds() {
    let picture = flow_graph(&shader(LOOP)).draw().unwrap();
    assert!(picture.to_svg(Theme::Auto).contains("prefers-color-scheme"));
    assert!(!picture.to_svg(Theme::Dark).contains("prefers-color-scheme"));
    let png = picture.to_png(Theme::Light).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let width = u32::from_be_bytes(png[16..20].try_into().unwrap());
    assert_eq!(f64::from(width), picture.size().0);
    assert_ne!(png, picture.to_png(Theme::Dark).unwrap());
}

/// The pixels of a PNG: width, and red, green, blue and alpha of each.
fn pixels(png: &[u8]) -> (usize, Vec<[u8; 4]>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgba, png::BitDepth::Eight));
    (info.width as usize, bytes.as_chunks().0.to_vec())
}

/// How many pixels of a PNG have a colour.
fn count(png: &[u8], [red, green, blue]: [u8; 3]) -> usize {
    pixels(png).1.iter().filter(|&&pixel| pixel == [red, green, blue, 255]).count()
}

#[test]
fn a_png_has_boxes_letters_and_arrows_where_the_svg_has_them() {
    let boxes = |text: &str| {
        let node = Node { lines: vec![text.to_owned()], ..Node::default() };
        let edge = Edge { from: 0, to: 1, kind: EdgeKind::Yes };
        Graph { nodes: vec![node.clone(), node], edges: vec![edge], ..Graph::default() }
    };
    let blank = boxes("      ").draw().unwrap();
    let words = boxes("MMMMMM").draw().unwrap();
    assert_eq!(blank.size(), words.size());
    let [blank, words] = [blank, words].map(|picture| picture.to_png(Theme::Light).unwrap());
    let (width, all) = pixels(&words);
    let (page, inside, arrow) = ([0xff; 3], [0xf4, 0xf6, 0xf8], [0x00, 0x72, 0xb2]);
    assert_eq!(all[0], [255; 4], "a corner shows the page");
    assert!(count(&words, page) > all.len() / 4, "most of {width} pixels a line is page");
    // Both boxes are filled, and only the letters cover what is inside.
    assert!(count(&blank, inside) > 2 * 40 * 20);
    let letters = count(&blank, inside) - count(&words, inside);
    assert!((2 * 6 * 20..2 * 6 * 100).contains(&letters), "{letters} pixels of twelve letters");
    assert!(count(&words, arrow) > 20, "the head of the arrow is solid");
    assert_eq!(count(&words, arrow), count(&blank, arrow));
    // What the font does not have is a box, as wide as a letter.
    let unknown = boxes("\u{10ffff}").draw().unwrap().to_png(Theme::Light).unwrap();
    let space = boxes(" ").draw().unwrap().to_png(Theme::Light).unwrap();
    assert!(count(&unknown, inside) < count(&space, inside));
}

#[test]
fn what_nobody_could_read_is_refused() {
    let graph = Graph { nodes: vec![Node::default(); MAX_NODES + 1], ..Graph::default() };
    match graph.draw() {
        Err(error) => {
            assert_eq!(error, TooLarge(MAX_NODES + 1));
            assert_eq!(
                error.to_string(),
                "the graph has 201 boxes, more than the 200 that a picture can show"
            );
        }
        Ok(_) => panic!("the graph was drawn"),
    }
}

#[test]
fn dependences_that_nobody_could_read_are_refused_at_once() {
    let mut text = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0]\n\
                    MOV TEMP[0], IN[0]\n"
        .to_owned();
    text.push_str(&"POW TEMP[0], TEMP[0].xxxx, TEMP[0].yyyy\n".repeat(300));
    text.push_str("MOV OUT[0], TEMP[0]\nEND\n");
    let options = Options::default().level(OptLevel::O0);
    let function = machine_code(&shader(&text), Chip::Cypress, &options).unwrap();
    let block = largest_block(&function).unwrap();
    let count = function.blocks[block].len();
    assert!(count > 4 * MAX_NODES, "{count}");
    assert_eq!(dependence_graph(&function, block), Err(TooLarge(count)));
}
