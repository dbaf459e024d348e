//! NVIDIA Maxwell's TEX and TLDS instructions: rules, encoder, decoder, assembler.
