//! The order of passes at each level, which follows from what they declare: `tests/passes/order.txt` has it.
//! `UPDATE_GOLDEN=1` rewrites that file.

use std::fmt::Write as _;
use std::path::Path;

use r600_codegen::{Compiler, OptLevel, Options};

#[test]
fn the_order_of_each_level_is_the_expected_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes/order.txt");
    let mut got = String::new();
    for level in OptLevel::ALL {
        let compiler = Compiler::new(Options::default().level(level)).unwrap();
        let order: Vec<&str> = compiler.passes().map(|pass| pass.name()).collect();
        writeln!(got, "{level:?}: {}", order.join(" ")).unwrap();
    }
    assert_eq!(test_support::check_golden(&path, &got), Ok(()));
}
