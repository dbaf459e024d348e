//! Hashes of instructions, for finding equal ones.

use std::hash::{Hash as _, Hasher as _};

use crate::hash::FastHasher;
use crate::ssa::InstData;

/// A hash of what an instruction computes; `None` for an instruction that is not numbered.
pub(super) fn hash_of(data: &InstData) -> Option<u64> {
    let mut hasher = FastHasher::default();
    match data {
        InstData::Alu(alu) if !alu.op.is_kill() => alu.hash(&mut hasher),
        InstData::Dot(dot) => (1_u8, dot).hash(&mut hasher),
        InstData::Cube(cube) => (2_u8, cube).hash(&mut hasher),
        InstData::Interp(interp) => (3_u8, interp).hash(&mut hasher),
        InstData::Fetch(fetch) if data.may_be_shared() => (4_u8, fetch).hash(&mut hasher),
        _ => return None,
    }
    Some(hasher.finish())
}
