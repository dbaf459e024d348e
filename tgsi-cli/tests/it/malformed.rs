//! What the program says about malformed shaders: a shader each in `tests/malformed`, its diagnostics
//! beside it.

use crate::common;

use common::{check_golden, files, root, tgsi};

#[test]
fn malformed_shaders_get_these_diagnostics() {
    let mut faults = Vec::new();
    let shaders = files("tgsi-cli/tests/malformed", ".tgsi");
    for path in &shaders {
        let name = path.strip_prefix(root()).expect("it is in the workspace");
        let ran = tgsi(&["check", &name.to_string_lossy()]);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{}: {}", name.display(), ran.err);
        faults.extend(check_golden(&path.with_extension("stderr"), &ran.err).err());
    }
    println!("{} malformed shaders", shaders.len());
    assert!(shaders.len() >= 10);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
