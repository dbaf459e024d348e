//! Layouts of blocks of memory.

use crate::random::Random;

use super::types::Ty;

/// The contents of a part of memory.
#[derive(Clone, Debug)]
pub(super) enum Laid {
    Leaf(Ty),
    Array { of: Box<Laid>, len: u32, stride: u32 },
    Struct(Vec<Member>),
}

/// A member of a structure.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) laid: Laid,
    pub(super) offset: u32,
    /// The layout of the matrices in it, if there are any.
    pub(super) matrix: Rows,
}

/// The layout of matrices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    /// Bytes from column to column, or from row to row.
    pub(super) stride: u32,
    pub(super) is_row_major: bool,
}

/// A step of the path to a leaf, or to a part of one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Member(u32),
    /// Any element of an array of this length.
    Element(u32),
}

/// Maximum nesting depth of structures and arrays.
const MAX_DEPTH: usize = 3;

/// The types of leaves.
const LEAVES: [Ty; 6] = [Ty::Int, Ty::Float, Ty::Ints, Ty::Pair, Ty::Floats, Ty::Matrix];
const WIDE_LEAVES: [Ty; 4] = [Ty::Long, Ty::Double, Ty::Longs, Ty::Doubles];

/// The rules for a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// Minimum alignment in bytes of arrays, structures and the vectors of matrices.
    pub(super) least: u32,
    /// Whether it may contain 64-bit numbers.
    pub(super) is_wide: bool,
}

impl Rules {
    /// A structure of a few members.
    pub(super) fn block(self, random: &mut Random) -> Laid {
        self.structure(random, 0)
    }

    /// Number of bytes of a block.
    pub(super) fn size(self, block: &Laid) -> u32 {
        self.extent(block, Rows { stride: 0, is_row_major: false }).0
    }

    fn structure(self, random: &mut Random, depth: usize) -> Laid {
        let mut end = 0_u32;
        let mut members = Vec::new();
        for _ in 0..2 + random.below(3) {
            let is_row_major = random.once_in(2);
            let vector = if is_row_major { 8 } else { 16 }.max(self.least);
            let matrix = Rows { stride: vector * (1 + random.below(2) as u32), is_row_major };
            let laid = self.any(random, matrix, depth + 1);
            let (size, align) = self.extent(&laid, matrix);
            let offset = end.next_multiple_of(align) + align * random.below(2) as u32;
            end = offset + size;
            members.push(Member { laid, offset, matrix });
        }
        Laid::Struct(members)
    }

    fn any(self, random: &mut Random, matrix: Rows, depth: usize) -> Laid {
        match random.below(if depth < MAX_DEPTH { 6 } else { 3 }) {
            3 | 4 => {
                let of = self.any(random, matrix, depth + 1);
                let (size, align) = self.extent(&of, matrix);
                let align = align.max(self.least);
                let stride = size.next_multiple_of(align) + align * random.below(2) as u32;
                Laid::Array { of: Box::new(of), len: 2 + random.below(3) as u32, stride }
            }
            5 => self.structure(random, depth),
            _ if self.is_wide && random.once_in(2) => Laid::Leaf(random.pick(&WIDE_LEAVES)),
            _ => Laid::Leaf(random.pick(&LEAVES)),
        }
    }

    /// The size and the alignment in bytes.
    fn extent(self, laid: &Laid, matrix: Rows) -> (u32, u32) {
        match laid {
            Laid::Leaf(Ty::Matrix) => {
                let vectors = if matrix.is_row_major { 4 } else { 2 };
                let align = if matrix.is_row_major { 8 } else { 16 };
                (vectors * matrix.stride, align.max(self.least))
            }
            Laid::Leaf(ty) => {
                let (len, width) =
                    (ty.parts().len() as u32, ty.parts().first().unwrap_or(ty).width());
                match len {
                    0 => (width, width),
                    2 => (2 * width, 2 * width),
                    _ => (len * width, 4 * width),
                }
            }
            Laid::Array { of, len, stride } => {
                (len * stride, self.extent(of, matrix).1.max(self.least))
            }
            Laid::Struct(members) => {
                let extents = members.iter().map(|one| {
                    let (size, align) = self.extent(&one.laid, one.matrix);
                    (one.offset + size, align)
                });
                let whole = |a: (u32, u32), b: (u32, u32)| (a.0.max(b.0), a.1.max(b.1));
                let (end, align) = extents.fold((0, self.least), whole);
                (end.next_multiple_of(align), align)
            }
        }
    }
}

impl Laid {
    /// The paths to all values of a type.
    pub(super) fn ways_to(&self, ty: Ty) -> Vec<Vec<Step>> {
        let mut found = Vec::new();
        self.find(ty, &mut Vec::new(), &mut found);
        found
    }

    fn find(&self, ty: Ty, way: &mut Vec<Step>, found: &mut Vec<Vec<Step>>) {
        match self {
            Self::Leaf(own) => find_part(*own, ty, way, found),
            Self::Array { of, len, .. } => {
                way.push(Step::Element(*len));
                of.find(ty, way, found);
                way.pop();
            }
            Self::Struct(members) => {
                for (n, member) in (0..).zip(members) {
                    way.push(Step::Member(n));
                    member.laid.find(ty, way, found);
                    way.pop();
                }
            }
        }
    }

    pub(super) fn has_matrix(&self) -> bool {
        match self {
            Self::Leaf(ty) => *ty == Ty::Matrix,
            Self::Array { of, .. } => of.has_matrix(),
            // The decorations are on its own members.
            Self::Struct(_) => false,
        }
    }
}

fn find_part(own: Ty, ty: Ty, way: &mut Vec<Step>, found: &mut Vec<Vec<Step>>) {
    if own == ty {
        found.push(way.clone());
    } else if let Some(&part) = own.parts().first() {
        way.push(Step::Element(own.parts().len() as u32));
        find_part(part, ty, way, found);
        way.pop();
    }
}
