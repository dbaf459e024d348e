//! Everything that `maxwell-tex` promises from outside, in one program, since each costs a link: a module for each topic.

mod combinations;
mod common;
mod direct3d;
mod lower;
mod model;
mod random;
mod rules;
mod serialise;
mod syntax;
mod vectors;
