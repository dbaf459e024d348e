//! Everything that `tgsi-text` promises from outside, in one program, since each costs a link: a module for each topic.

mod corpus;
mod fuzzed;
mod generated;
mod limits;
mod sanity;
mod strict;
