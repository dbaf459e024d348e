//! Reads and prints TGSI text, with spans and diagnostics.
