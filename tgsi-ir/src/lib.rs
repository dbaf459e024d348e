//! The TGSI shader IR: token model, opcode tables, builder, scan and validator.
