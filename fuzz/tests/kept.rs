//! Every target on its seeds, on what is kept of inputs and findings, and on a second of changes.

use std::path::Path;
use std::time::Duration;

use tgsi_fuzz::campaign::Plan;
use tgsi_fuzz::{files, shader_texts, targets};

#[test]
fn no_target_fails_within_a_second() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts = shader_texts(&here.join("../examples"));
    assert!(texts.len() >= 4, "{} shaders", texts.len());
    for target in targets::all() {
        if let Err(why) = (target.needs)() {
            println!("{}: not present: {why}", target.name);
            continue;
        }
        let mut seeds = (target.seeds)(&texts);
        for kind in ["corpus", "findings"] {
            seeds.extend(files(&here.join(kind).join(target.name)));
        }
        assert!(!seeds.is_empty(), "{} has nothing to start from", target.name);
        let plan =
            Plan { target, seeds: &seeds, time: Duration::from_secs(1), seed: 1, threads: 1 };
        let outcome = plan.run();
        if let Some((input, why)) = outcome.finding {
            panic!("{}: {why}\ninput: {:?}", target.name, String::from_utf8_lossy(&input));
        }
        println!("{}: {} inputs from {} seeds", target.name, outcome.executions, seeds.len());
    }
}
