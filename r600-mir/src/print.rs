//! Text of machine IR, which [`parse`](crate::parse()) reads back. Public items serve the text of forms derived from
//! it.
//!
//! Declarations come first, each on a line of its own and only if there are any: ignored hazards, allocated scratch
//! memory, registers live on entry, vectors, registers outside vectors with a fixed channel, arrays. The code follows.
//! An operation of known origin ends with `@` and its number.

mod operation;

use std::fmt::{self, Display};

use crate::{Block, Function, Node, Region, VReg, VRegInfo};

pub use self::operation::write_operation;

impl Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_line(f, "ignores", self.ignored.iter().map(|hazard| hazard.name()))?;
        if self.scratch != 0 {
            writeln!(f, "scratch {}", self.scratch)?;
        }
        write_line(f, "live in", &self.live_in)?;
        for (vector, info) in &self.vectors {
            write!(f, "{vector} =")?;
            info.members.iter().try_for_each(|&vreg| write!(f, " {}", self.placed(vreg)))?;
            match info.gpr {
                Some(gpr) => writeln!(f, " in R{gpr}")?,
                None => writeln!(f)?,
            }
        }
        let is_bound = |(_, info): &(VReg, &VRegInfo)| info.vector.is_none() && info.chan.is_some();
        let bound = self.vregs.iter().filter(is_bound);
        write_line(f, "channels", bound.map(|(vreg, _)| self.placed(vreg)))?;
        for (array, info) in &self.arrays {
            writeln!(f, "{array} = {}", info.len)?;
        }
        write_region(f, &self.body, 0, &mut |f, block, depth| {
            writeln!(f, "{:depth$}{block}:", "")?;
            self.blocks[block].iter().try_for_each(|&id| {
                write!(f, "{:depth$}  {}", "", self.ops[id])?;
                self.origins[id].map_or(Ok(()), |origin| write!(f, " {origin}"))?;
                writeln!(f)
            })
        })
    }
}

impl Function {
    /// A register, with its channel if that is fixed.
    fn placed(&self, vreg: VReg) -> String {
        let chan = self.vregs[vreg].chan;
        chan.map_or_else(|| vreg.to_string(), |chan| format!("{vreg}.{}", chan.letter()))
    }
}

/// A line with `word` and all `items`; no line if there are none.
fn write_line<T: Display>(
    f: &mut fmt::Formatter<'_>,
    word: &str,
    items: impl IntoIterator<Item = T>,
) -> fmt::Result {
    let mut items = items.into_iter().peekable();
    if items.peek().is_none() {
        return Ok(());
    }
    f.write_str(word)?;
    items.try_for_each(|item| write!(f, " {item}"))?;
    writeln!(f)
}

/// Writes the tree under `region`. `write_block` writes each block and receives its indentation.
///
/// # Errors
/// If writing fails.
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
