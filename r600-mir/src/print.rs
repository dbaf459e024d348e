//! Text of machine IR, for dumps and pictures; what is public serves the text of what is made of it.

mod operation;

use std::fmt::{self, Display};

use crate::{Block, Function, Node, Region};

pub use self::operation::write_operation;

impl Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (vector, info) in &self.vectors {
            write!(f, "{vector} =")?;
            info.members.iter().try_for_each(|vreg| write!(f, " {vreg}"))?;
            match info.gpr {
                Some(gpr) => writeln!(f, " in R{gpr}")?,
                None => writeln!(f)?,
            }
        }
        write_region(f, &self.body, 0, &mut |f, block, depth| {
            writeln!(f, "{:depth$}{block}:", "")?;
            let ops = self.blocks[block].iter();
            ops.map(|&op| &self.ops[op]).try_for_each(|op| writeln!(f, "{:depth$}  {op}", ""))
        })
    }
}

/// Writes the tree under `region`, its blocks by `write_block`, which is given their indentation.
///
/// # Errors
/// When writing fails.
pub fn write_region(
    f: &mut fmt::Formatter<'_>,
    region: &Region,
    depth: usize,
    write_block: &mut dyn FnMut(&mut fmt::Formatter<'_>, Block, usize) -> fmt::Result,
) -> fmt::Result {
    for node in &region.nodes {
        match node {
            Node::Block(block) => write_block(f, *block, depth)?,
            Node::If { then, otherwise } => {
                writeln!(f, "{:depth$}if {{", "")?;
                write_region(f, then, depth + 2, write_block)?;
                if !otherwise.nodes.is_empty() {
                    writeln!(f, "{:depth$}}} else {{", "")?;
                    write_region(f, otherwise, depth + 2, write_block)?;
                }
                writeln!(f, "{:depth$}}}", "")?;
            }
            Node::Loop { body } => {
                writeln!(f, "{:depth$}loop {{", "")?;
                write_region(f, body, depth + 2, write_block)?;
                writeln!(f, "{:depth$}}}", "")?;
            }
            Node::Break => writeln!(f, "{:depth$}break", "")?,
            Node::Continue => writeln!(f, "{:depth$}continue", "")?,
        }
    }
    Ok(())
}
