//! Everything that `tgsi-exec` promises from outside, in one program, since each costs a link: a module for each topic.

mod arbitrary;
mod common;
mod flow;
mod legacy;
mod not_finite;
mod opcodes;
mod random;
mod sampler;
mod stages;
mod traps;
mod vectors;
