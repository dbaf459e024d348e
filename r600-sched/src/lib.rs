//! Groups, clauses, bank swizzles, literals and constant caches for R600-family code.
pub mod machine;
