//! Draws with linked files, in the simulator and in the interpreter.

mod draws;
mod pairs;
mod parameters;
mod support;
