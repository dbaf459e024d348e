//! Which entry points of a module are translated.

use tgsi_ir::Processor;
use tgsi_spirv::testing::RED;
use tgsi_spirv::{ErrorKind, Options, translate_words};

/// Where the example's entry point stands, and how many words it has.
const ENTRY: usize = 10;
const ENTRY_WORDS: usize = 6;

/// The example, and before its entry point another one of the same name: its words are the same but for the model.
fn module(model: u32) -> Vec<u32> {
    let mut words = RED.to_vec();
    let mut entry = words[ENTRY..ENTRY + ENTRY_WORDS].to_vec();
    entry[1] = model;
    words.splice(ENTRY..ENTRY, entry);
    words
}

#[test]
fn entry_points_with_the_same_name_are_distinguished_by_their_stage() {
    const VERTEX: u32 = 0;
    let words = module(VERTEX);
    let stages = |options: &Options| -> Vec<Processor> {
        let list = translate_words(&words, options).expect("it is translated");
        list.into_iter().map(|one| one.shader.processor).collect()
    };
    let all = Options::default();
    assert_eq!(stages(&all), [Processor::Vertex, Processor::Fragment]);
    let fragment = all.clone().entry("main").stage(Processor::Fragment);
    assert_eq!(stages(&fragment), [Processor::Fragment]);
    for none in [all.clone().entry("other"), all.stage(Processor::Compute)] {
        let error = translate_words(&words, &none).expect_err("there is none");
        assert_eq!(error.kind, ErrorKind::EntryPoint);
        assert_eq!(error.to_string(), "the module's entry points are `main`, `main`");
    }
}

/// What nobody asks for may be what cannot be translated.
#[test]
fn an_entry_point_that_is_not_wanted_is_not_judged() {
    const KERNEL: u32 = 6;
    let words = module(KERNEL);
    assert!(translate_words(&words, &Options::default()).is_err());
    let fragment = Options::default().stage(Processor::Fragment);
    assert_eq!(translate_words(&words, &fragment).map(|list| list.len()), Ok(1));
}
