//! Reads and writes TGSI token streams in the layouts of three Mesa eras.
