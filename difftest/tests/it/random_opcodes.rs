//! Random shaders have every opcode of today, except for those that are named here with the reason.

use std::collections::BTreeSet;

use test_support::{files, read, root};
use tgsi_ir::Opcode;

use Opcode as O;

/// What random shaders lack, by reason. `docs/coverage.md` has small programs of each.
const LACKING: [(&str, &[Opcode]); 7] = [
    ("the builder writes them", &[O::Cal, O::Bgnsub, O::Endsub, O::End]),
    ("they compute nothing", &[O::Nop, O::Membar]),
    ("`KILL_IF` stands for them", &[O::Kill, O::Demote]),
    ("it gives another result each time", &[O::Clock]),
    (
        "the compiler refuses them for every chip",
        &[
            O::ReadHelper,
            O::ReadInvoc,
            O::ReadFirst,
            O::Ballot,
            O::VoteAny,
            O::VoteAll,
            O::VoteEq,
            O::Fbfetch,
            O::Atomfadd,
            O::SamplePos,
            O::Img2hnd,
            O::Samp2hnd,
        ],
    ),
    (
        "random shaders declare samplers without views",
        &[
            O::Sample,
            O::SampleI,
            O::SampleIMs,
            O::SampleB,
            O::SampleC,
            O::SampleCLz,
            O::SampleD,
            O::SampleL,
            O::Gather4,
            O::Sviewinfo,
            O::SampleInfo,
            O::Lod,
        ],
    ),
    (
        "so far they are compared alone",
        &[
            O::Log,
            O::Div,
            O::Ldexp,
            O::DdxFine,
            O::DdyFine,
            O::TexLz,
            O::Resq,
            O::F2u64,
            O::F2i64,
            O::D2u64,
            O::D2i64,
            O::U642d,
            O::I642d,
            O::Dldexp,
            O::Dfracexp,
        ],
    ),
];

/// The variants that a text names: `Mov` of `Opcode::Mov` and of `O::Mov`.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let rests = ["Opcode::", "O::"].into_iter().flat_map(move |head| text.split(head).skip(1));
    rests.filter_map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric()).next())
}

#[test]
fn the_generator_knows_every_opcode() {
    let source = root().join("difftest/src");
    let mut paths = files(&source.join("generate"), "rs");
    paths.push(source.join("generate.rs"));
    let texts: Vec<String> = paths.iter().map(|path| read(path)).collect();
    let known: BTreeSet<&str> = texts.iter().flat_map(|text| named(text)).collect();
    // The gaps of the numbering mean nothing.
    let is_today = |opcode: &Opcode| !opcode.is_legacy() && !opcode.name().starts_with("UNK");
    for opcode in Opcode::ALL.into_iter().filter(is_today) {
        let reason = LACKING.iter().find(|(_, opcodes)| opcodes.contains(&opcode));
        match (known.contains(format!("{opcode:?}").as_str()), reason) {
            (false, None) => {
                panic!("random shaders lack {opcode}: add it to a list under `generate/`")
            }
            (true, Some((reason, _))) => panic!("random shaders have {opcode} though {reason}"),
            (true, None) | (false, Some(_)) => {}
        }
    }
}
