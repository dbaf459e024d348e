//! Tables, encoder, decoder, assembler and disassembler of the R600 family of GPUs.
