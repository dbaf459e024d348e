//! Compares compiled code with the interpreter, over a corpus and over generated shaders.
