//! Variables that are one resource.

use tgsi_exec::{Bindings, Kernel, STEP_LIMIT, Space, WorkGroup};
use tgsi_spirv::{ErrorKind, Mapping, Options, Translation, translate};

use super::run::only;

const BUFFERS: &str = "aliased_buffers.comp";

#[test]
fn blocks_of_one_binding_are_one_buffer() {
    let Translation { shader, interface, .. } = only(BUFFERS, &Options::default());
    let registers = interface.buffers.iter();
    let registers: Vec<_> = registers.map(|one| (one.name.as_str(), one.register)).collect();
    assert_eq!(registers, [("a", 0), ("b", 0), ("one", 1), ("two", 1), ("two", 2), ("c", 3)]);
    let mut bindings = Bindings::default();
    for n in 0..4 {
        bindings.memory.insert(Space::Buffer(n), [1, 0, 0, 0].repeat(8));
    }
    let kernel = Kernel::new(&shader).expect("the interpreter supports it");
    let group = WorkGroup { size: [1; 3], id: [0; 3], grid: [1; 3] };
    kernel.run_group(&group.quads(&shader), STEP_LIMIT, &mut bindings).expect("it terminates");
    let bytes = |n: u32, at: usize| bindings.memory[&Space::Buffer(n)][4 * at];
    // The load between the store and the end sees the store.
    assert_eq!([bytes(3, 0), bytes(3, 1)], [1, 8]);
    assert_eq!(bytes(2, 0), 6);
}

#[test]
fn images_of_one_binding_and_type_are_one_image() {
    let Translation { interface, .. } = only("aliased_images.comp", &Options::default());
    let registers = interface.images.iter();
    let registers: Vec<_> = registers.map(|one| (one.name.as_str(), one.register)).collect();
    assert_eq!(registers, [("whole", 0), ("others", 1)]);
}

#[test]
fn a_mapping_leaves_room_for_the_longer_array() {
    let mapping = Mapping { buffers: [((0, 0), 1)].into(), ..Mapping::default() };
    let options = Options::default().mapping(mapping);
    let error =
        translate(&super::module(BUFFERS), &options).expect_err("the mapping leaves no room");
    assert_eq!(error.kind, ErrorKind::Unsupported);
    let want =
        "arrays of one binding differ in length, and the mapping leaves no room for the longer one";
    assert!(error.to_string().contains(want), "{error}");
}
