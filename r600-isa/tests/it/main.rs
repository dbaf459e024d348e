//! Everything that `r600-isa` promises from outside, in one program, since each costs a link: a module for each topic.

mod fields;
mod listings;
mod vectors;
mod worked_examples;
