//! The control flow of a TGSI shader as a graph of basic blocks.

use std::ops::Range;

use tgsi_ir::flow::{FlowTree, If, Loop, Node as FlowNode, NodeId, Switch};
use tgsi_ir::{InstructionId, Opcode, Shader};

use crate::canvas::shorten;
use crate::graph::{Edge, EdgeKind, Graph, Node};
use crate::source::instruction_texts;

/// Lines shown of a block; longer blocks are cut in the middle.
const MAX_LINES: usize = 16;

/// Characters shown of a line.
const MAX_CHARS: usize = 56;

/// The control flow of `shader`. Blocks that do not nest are drawn as far as they were understood.
pub fn flow_graph(shader: &Shader) -> Graph {
    let (tree, _) = FlowTree::build(&shader.instructions);
    let mut walk = Walk {
        shader,
        tree: &tree,
        blocks: Vec::new(),
        edges: Vec::new(),
        open: None,
        arriving: Vec::new(),
        loops: Vec::new(),
    };
    walk.sequence(tree.main());
    for subroutine in tree.subroutines() {
        walk.arriving.clear();
        walk.start_block();
        walk.push(subroutine.begin.index());
        walk.sequence(&subroutine.body);
        walk.push(subroutine.end.index());
    }
    let (blocks, edges) = (walk.blocks, walk.edges);
    let texts = instruction_texts(shader);
    let stage = shader.processor.name().unwrap_or("shader");
    let legend = vec![
        (EdgeKind::Yes, "taken where the condition holds"),
        (EdgeKind::No, "where it does not"),
        (EdgeKind::Back, "next iteration of a loop"),
    ];
    let nodes = blocks.iter().enumerate().map(|(n, block)| node(n, block, &texts)).collect();
    Graph { title: format!("Control flow, {stage}"), nodes, edges, legend }
}

/// A predecessor of a block that does not exist yet.
type Arrival = (usize, EdgeKind);

struct Walk<'a> {
    shader: &'a Shader,
    tree: &'a FlowTree,
    /// Instructions of each block.
    blocks: Vec<Vec<usize>>,
    edges: Vec<Edge>,
    /// The block that the next instruction goes into.
    open: Option<usize>,
    /// The edges to the next block.
    arriving: Vec<Arrival>,
    /// For each open loop or switch, its first block if `CONT` can lead there, and the edges that leave it.
    loops: Vec<(Option<usize>, Vec<Arrival>)>,
}

impl Walk<'_> {
    fn sequence(&mut self, nodes: &[NodeId]) {
        for &id in nodes {
            match self.tree.node(id) {
                FlowNode::Block(range) => self.straight(range.clone()),
                FlowNode::If(branch) => self.branch(branch),
                FlowNode::Loop(node) => self.loop_node(node),
                FlowNode::Switch(switch) => self.switch(switch),
            }
        }
    }

    /// Ends the open block: control goes on from it to whatever comes next.
    fn end_block(&mut self) {
        if let Some(block) = self.open.take() {
            self.arriving.push((block, EdgeKind::Plain));
        }
    }

    /// Begins a block.
    fn start_block(&mut self) -> usize {
        self.end_block();
        let block = self.blocks.len();
        self.blocks.push(Vec::new());
        let arriving = std::mem::take(&mut self.arriving);
        self.edges.extend(arriving.into_iter().map(|(from, kind)| Edge { from, to: block, kind }));
        self.open = Some(block);
        block
    }

    fn push(&mut self, instruction: usize) -> usize {
        let block = match self.open {
            Some(block) => block,
            None => self.start_block(),
        };
        self.blocks[block].push(instruction);
        block
    }

    fn straight(&mut self, range: Range<usize>) {
        for at in range {
            let block = self.push(at);
            match self.shader.instructions[at].opcode {
                Opcode::Brk => self.leave_loop(block),
                Opcode::Cont => self.next_iteration(block),
                Opcode::Ret | Opcode::End => self.open = None,
                _ => {}
            }
        }
    }

    fn leave_loop(&mut self, block: usize) {
        self.open = None;
        if let Some((_, leaving)) = self.loops.last_mut() {
            leaving.push((block, EdgeKind::Plain));
        }
    }

    fn next_iteration(&mut self, block: usize) {
        self.open = None;
        let header = self.loops.iter().rev().find_map(|(header, _)| *header);
        if let Some(to) = header {
            self.edges.push(Edge { from: block, to, kind: EdgeKind::Back });
        }
    }

    fn branch(&mut self, branch: &If) {
        let test = self.push(branch.begin.index());
        self.open = None;
        self.arriving = vec![(test, EdgeKind::Yes)];
        self.sequence(&branch.then);
        self.end_block();
        let mut joined = std::mem::replace(&mut self.arriving, vec![(test, EdgeKind::No)]);
        self.sequence(&branch.otherwise);
        self.end_block();
        self.arriving.append(&mut joined);
    }

    fn loop_node(&mut self, node: &Loop) {
        let header = self.start_block();
        self.push(node.begin.index());
        self.loops.push((Some(header), Vec::new()));
        self.sequence(&node.body);
        self.end_block();
        let back = std::mem::take(&mut self.arriving);
        self.edges.extend(back.into_iter().map(|(from, kind)| Edge {
            from,
            to: header,
            // An edge from a branch keeps its colour, which shows the condition.
            kind: if kind == EdgeKind::Plain { EdgeKind::Back } else { kind },
        }));
        if let Some((_, leaving)) = self.loops.pop() {
            self.arriving = leaving;
        }
    }

    fn switch(&mut self, switch: &Switch) {
        let test = self.push(switch.begin.index());
        self.open = None;
        self.loops.push((None, Vec::new()));
        let mut has_default = false;
        for case in &switch.cases {
            has_default |= self.shader.instructions[case.label.index()].opcode == Opcode::Default;
            self.end_block();
            self.arriving.push((test, EdgeKind::Plain));
            self.push(case.label.index());
            self.sequence(&case.body);
        }
        self.end_block();
        if !has_default {
            self.arriving.push((test, EdgeKind::Plain));
        }
        if let Some((_, leaving)) = self.loops.pop() {
            self.arriving.extend(leaving);
        }
    }
}

fn node(number: usize, block: &[usize], texts: &[String]) -> Node {
    let line = |&at: &usize| {
        let text = texts.get(at).map_or("", String::as_str);
        shorten(&format!("{at:3}: {text}"), MAX_CHARS)
    };
    let mut lines = vec![format!("block {number}")];
    if block.len() <= MAX_LINES {
        lines.extend(block.iter().map(line));
    } else {
        let (head, tail) = (&block[..MAX_LINES - 5], &block[block.len() - 4..]);
        lines.extend(head.iter().map(line));
        lines.push(format!("     … {} more …", block.len() - head.len() - tail.len()));
        lines.extend(tail.iter().map(line));
    }
    let origins = block.iter().map(|&at| InstructionId::from_index(at)).collect();
    Node { lines, origins, ..Node::default() }
}
