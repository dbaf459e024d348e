//! Everything that `r600-sim` promises from outside, in one program, since each costs a link: a module for each topic.

mod alu_ops;
mod effects;
mod listings;
mod mesa_programs;
mod strictness;
mod support;
