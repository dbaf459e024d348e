//! Golden data from elsewhere, which lies beside the repository where it lies at all.

#![expect(clippy::print_stdout, reason = "a test says when it has nothing to compare with")]

use std::fs;
use std::path::Path;

/// The text of `../shared/<path>`, seen from the root of the workspace; says so when it is not there.
pub(crate) fn shared(path: &str) -> Option<String> {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in a workspace");
    let text = fs::read_to_string(root.join("../shared").join(path)).ok();
    if text.is_none() {
        println!("{path}: not present, nothing was compared");
    }
    text
}
