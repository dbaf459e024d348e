//! Modules from elsewhere, where they lie beside the repository.

use test_support::{files, shared};
use tgsi_ir::validate::{Profile, is_valid, validate};
use tgsi_spirv::{ErrorKind, Options, translate};

#[test]
fn modules_from_elsewhere_become_valid_shaders() {
    let Some(folder) = shared("spirv/modules") else { return };
    let (mut num, mut refused) = (0, Vec::new());
    for path in files(&folder, "spv") {
        let bytes = std::fs::read(&path).expect("the file can be read");
        num += 1;
        match translate(&bytes, &Options::default()) {
            Ok(list) => {
                for one in list {
                    let findings = validate(&one.shader, Profile::Full);
                    assert!(is_valid(&findings), "{}: {findings:?}", path.display());
                }
            }
            Err(error) => {
                assert_eq!(error.kind, ErrorKind::Unsupported, "{}: {error}", path.display());
                refused.push(format!("{}: {error}", path.display()));
            }
        }
    }
    assert!(refused.len() * 100 <= num * 2, "{} of {num} refused: {refused:#?}", refused.len());
}
