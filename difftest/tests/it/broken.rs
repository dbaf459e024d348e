//! A short campaign of broken input: what the repository holds, and the corpus where it is present.

use difftest::broken::Plan;
use test_support::{files, read, root, shared};

#[test]
fn broken_input_is_answered() {
    let mut shaders = files(&root().join("difftest/tests/findings"), "tgsi");
    if let Some(corpus) = shared("corpus/tgsi") {
        shaders.extend(files(&corpus, "tgsi"));
    }
    let texts = shaders.iter().map(|path| read(path)).collect();
    let plan = Plan { texts, mutated: 200, streams: 2500, seed: 11, threads: 2 };
    let report = plan.run();
    println!("{report}");
    assert!(report.is_clean(), "{report}");
}
