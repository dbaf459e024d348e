//! Executes R600-family machine code on a wavefront of lanes.
