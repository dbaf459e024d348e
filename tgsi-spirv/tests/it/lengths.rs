//! Lengths of arrays at the ends of buffers.

use tgsi_exec::{Bindings, Kernel, STEP_LIMIT, Space, WorkGroup};
use tgsi_spirv::{Options, Translation};

use super::run::only;

/// A buffer may end before its array, which then has no elements.
#[test]
fn arrays_beyond_their_buffers_are_empty() {
    let Translation { shader, interface, .. } = only("lengths.comp", &Options::default());
    let space = |binding: u32| {
        let buffer = interface.buffers.iter().find(|one| one.binding == Some(binding));
        Space::Buffer(buffer.expect("the shader has the buffer").register.into())
    };
    let kernel = Kernel::new(&shader).expect("the interpreter supports it");
    let group = WorkGroup { size: [1; 3], id: [0; 3], grid: [1; 3] };
    for (num_bytes, len) in [(0, 0), (4, 0), (12, 0), (15, 0), (16, 1), (20, 2)] {
        let mut bindings = Bindings::default();
        bindings.memory.insert(space(0), vec![0xEE; num_bytes]);
        bindings.memory.insert(space(1), vec![0xEE; 8]);
        kernel.run_group(&group.quads(&shader), STEP_LIMIT, &mut bindings).expect("it terminates");
        let lengths = &bindings.memory[&space(1)];
        assert_eq!(*lengths, [len, 0, 0, 0, 2, 0, 0, 0], "{num_bytes} bytes");
    }
}
