//! Compiles TGSI to R600-family machine code.
