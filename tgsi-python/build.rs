//! A module of Python takes the interpreter's symbols from the process that loads it; some linkers want to be told.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
