//! The `tgsi` program.

fn main() {}
