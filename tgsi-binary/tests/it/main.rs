//! Everything that `tgsi-binary` promises from outside, in one program, since each costs a link: a module for each topic.

mod dialects;
mod generated;
mod limits;
mod through_text;
mod vectors;
