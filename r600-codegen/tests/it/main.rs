//! Everything that `r600-codegen` promises from outside, in one program, since each costs a link: a module for each topic.

mod corpus;
mod origins;
mod passes;
mod refusals;
