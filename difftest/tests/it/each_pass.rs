//! No pass changes what a function does, and one that would is named.

mod memory;

use std::path::{Path, PathBuf};

use difftest::case::{NoProgram, Target};
use difftest::each_pass::{Count, EachPass, EachPassCompiler};
use pass_manager::{Observer, PassId};
use r600_codegen::internals::ssa::{Function, InstData, InstId, Node, Operand, Region};
use r600_codegen::{Compilation, Compiler, OptLevel, Options, Snapshot};
use r600_isa::{AluOp, Chip, Omod};

const CHIPS: [Chip; 3] = [Chip::Rv770, Chip::Cypress, Chip::Cayman];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every n-th shader of a folder.
fn shaders(folder: &Path, n: usize) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_shader = |path: &PathBuf| path.extension().is_some_and(|end| end == "tgsi");
    let mut files: Vec<PathBuf> = entries.filter(is_shader).collect();
    files.sort();
    assert!(!files.is_empty(), "{} has shaders", folder.display());
    files.into_iter().step_by(n).collect()
}

fn check(files: &[PathBuf]) -> Count {
    let mut sum = Count::default();
    for file in files {
        let parsed = tgsi_text::parse(&std::fs::read_to_string(file).unwrap());
        assert_eq!(parsed.diagnostics, [], "{}", file.display());
        for chip in CHIPS {
            for precise in [true, false] {
                let target = Target { chip, level: OptLevel::O2, precise };
                match (EachPassCompiler { seed: 1 }).check(&parsed.shader, target) {
                    Ok(count) => {
                        sum.whole += count.whole;
                        sum.partial += count.partial;
                    }
                    Err(NoProgram::Refused(_)) => {}
                    Err(NoProgram::Failed(why)) => panic!("{} {target}: {why}", file.display()),
                }
            }
        }
    }
    println!("{sum:?}");
    sum
}

#[test]
fn passes_preserve_the_behaviour_of_our_shaders() {
    let mut files = shaders(&root().join("examples"), 1);
    files.extend(shaders(&root().join("difftest/tests/features"), 1));
    files.extend(shaders(&root().join("difftest/tests/findings"), 5));
    let count = check(&files);
    assert!(count.whole > 4 * count.partial, "most runs are compared to their ends: {count:?}");
}

#[test]
fn counter_reads_may_be_removed_and_moved() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL HWATOMIC[0][0..1]\nDCL BUFFER[0]\n\
                DCL TEMP[0..1]\nIMM[0] UINT32 {0, 0, 0, 0}\nUIF IN[0].xxxx\n\
                LOAD TEMP[0].x, HWATOMIC[0][0], IMM[0].xxxx\nENDIF\nLOAD TEMP[1].x, HWATOMIC[0][1], IMM[0].xxxx\n\
                STORE BUFFER[0].x, IMM[0].xxxx, IN[0].xxxx\nLOAD TEMP[0].x, HWATOMIC[0][0], IMM[0].xxxx\n\
                UADD OUT[0], IN[0], TEMP[0].xxxx\nEND\n";
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    for chip in [Chip::Cypress, Chip::Cayman] {
        let target = Target { chip, level: OptLevel::O2, precise: true };
        let checked = EachPassCompiler { seed: 1 }.check(&parsed.shader, target);
        assert!(checked.is_ok(), "{target}: {checked:?}");
    }
}

/// A read that nobody needs shows nobody what was written before it.
#[test]
fn dead_reads_after_stores_may_be_removed() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL HWATOMIC[0][0..1]\nDCL BUFFER[0]\n\
                DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 2, 3}\n\
                STORE IMAGE[0], IN[0], IMM[0], 2D, PIPE_FORMAT_R32_UINT\n\
                LOAD TEMP[0].x, HWATOMIC[0][1], IMM[0].xxxx\nLOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx\n\
                MOV OUT[0], IN[0]\nEND\n";
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    for (chip, precise) in [(Chip::Cypress, true), (Chip::Cayman, true), (Chip::Cayman, false)] {
        let target = Target { chip, level: OptLevel::O2, precise };
        let checked = EachPassCompiler { seed: 1 }.check(&parsed.shader, target);
        assert!(checked.is_ok(), "{target}: {checked:?}");
    }
}

/// A product of two NaNs is either, so exchanging the factors may change the half of one. Words that are no product
/// keep their halves: a wrong constant beside them is found.
#[test]
fn halves_of_nan_may_be_those_of_another() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL CONST[0..1]\nDCL TEMP[0]\n\
                MAD TEMP[0], CONST[0], IN[0], CONST[1]\nPK2H OUT[0], TEMP[0]\nEND\n";
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    let target = Target { chip: Chip::Cypress, level: OptLevel::O2, precise: true };
    for seed in 0..200 {
        let checked = EachPassCompiler { seed }.check(&parsed.shader, target);
        assert!(checked.is_ok(), "{seed}: {checked:?}");
    }
    let doubled = text.replace(
        "PK2H OUT[0], TEMP[0]\n",
        "F2D TEMP[1].xy, TEMP[0].xxxx\nF2D TEMP[1].zw, TEMP[0].yyyy\nMOV OUT[0], TEMP[1]\n",
    );
    let doubled = tgsi_text::parse(&doubled.replace("DCL TEMP[0]", "DCL TEMP[0..1]"));
    assert_eq!(doubled.diagnostics, []);
    for seed in 0..100 {
        let checked = EachPassCompiler { seed }.check(&doubled.shader, target);
        assert!(checked.is_ok(), "{seed}: {checked:?}");
    }
    let stages = stages_of(text, true);
    let (pass, whole) = &stages[stages.len() - 1];
    let swaps = |data: &mut InstData| match data {
        InstData::Alu(alu) if alu.op == AluOp::MuladdIeee => {
            alu.src.swap(1, 2);
            true
        }
        _ => false,
    };
    let mut broken = whole.clone();
    let found = insts(whole).into_iter().find(|&inst| swaps(&mut broken.insts[inst].data));
    assert!(found.is_some());
    let wrong = verdict(&stages, stages.len() - 1, &broken, true).unwrap_err();
    assert!(wrong.contains(&format!("`{pass}`")), "{wrong}");
}

#[test]
fn passes_preserve_the_behaviour_of_the_corpus() {
    let Some(folder) = test_support::shared("corpus/tgsi") else { return };
    check(&shaders(&folder, 60));
}

/// A shader of branches, loops, arrays, fetches and sums, so that every pass finds something.
const SHADER: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0..3]
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0..3]
DCL TEMP[4..7], ARRAY(1), LOCAL
DCL ADDR[0]
IMM[0] FLT32 {0.0, 1.0, 3.0, 0.5}
IMM[1] INT32 {0, 1, 3, 9}
DP4 TEMP[0].x, IN[0], CONST[0]
MAD TEMP[0].y, IN[0].xxxx, IN[1].yyyy, -CONST[1].zzzz
MUL TEMP[0].zw, IN[0], |IN[1].wzyx|
MOV TEMP[4], TEMP[0]
MOV TEMP[5], IN[1]
SLT TEMP[1].x, IN[0].xxxx, CONST[2].yyyy
IF TEMP[1].xxxx
  ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz
ELSE
  TEX TEMP[2], IN[1], SAMP[0], 2D
  ADD TEMP[0], TEMP[0], TEMP[2]
ENDIF
MOV TEMP[3].x, IMM[1].xxxx
BGNLOOP
  USGE TEMP[1].x, TEMP[3].xxxx, IMM[1].zzzz
  UIF TEMP[1].xxxx
    BRK
  ENDIF
  MAD TEMP[0].y, TEMP[0].yyyy, IMM[0].wwww, TEMP[0].xxxx
  UADD TEMP[3].x, TEMP[3].xxxx, IMM[1].yyyy
ENDLOOP
AND TEMP[3].y, CONST[3].xxxx, IMM[1].yyyy
UARL ADDR[0].x, TEMP[3].yyyy
ADD TEMP[0].z, TEMP[0].zzzz, TEMP[ADDR[0].x+4](1).wwww
MOV_SAT OUT[0].x, TEMP[0]
MOV OUT[0].yzw, TEMP[0]
END
";

/// The function after each pass.
#[derive(Default)]
struct Stages(Vec<(PassId, Function)>);

impl Observer<Compilation> for Stages {
    fn verify(&mut self, pass: PassId, form: Snapshot<'_>) -> Result<(), String> {
        if let Some(function) = form.function() {
            self.0.push((pass, function.clone()));
        }
        Ok(())
    }
}

fn stages(precise: bool) -> Vec<(PassId, Function)> {
    let stages = stages_of(SHADER, precise);
    assert!(stages.len() > 4, "most passes change something");
    stages
}

/// The function of a shader after each pass.
fn stages_of(text: &str, precise: bool) -> Vec<(PassId, Function)> {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    let mut options = Options::default().precise(precise);
    options.passes.verify_each = true;
    let mut stages = Stages::default();
    let compiler = Compiler::new(options).unwrap();
    compiler.compile_observed(&parsed.shader, Chip::Cypress, &mut stages).unwrap();
    stages.0
}

#[test]
fn a_pass_that_hides_its_changes_is_named() {
    let stages = stages(true);
    let [(first, before), (second, after), ..] = &stages[..] else {
        panic!("there are fewer than two passes")
    };
    let mut honest = EachPass::new(true, 1);
    honest.after(*first, before).unwrap();
    honest.seen(*second, after);
    honest.after(*second, after).unwrap();
    honest.seen(*first, after);
    assert!(honest.finish().is_ok());
    let mut silent = EachPass::new(true, 1);
    silent.after(*first, before).unwrap();
    silent.seen(*second, after);
    let why = silent.finish().unwrap_err();
    assert_eq!(why, format!("`{second}` changes the function and does not say so"));
}

/// A change of one instruction; false where it has nothing to change.
type Mistake = fn(&mut InstData) -> bool;

/// What passes get wrong: operands, modifiers, constants, operations, clamps, places.
const MISTAKES: &[(&str, Mistake)] = &[
    ("a sign is lost", |data| change_operand(data, |o| o.neg, |o| o.neg = false)),
    ("a sign is added", |data| {
        change_operand(data, |o| o.as_value().is_some(), |o| o.neg = !o.neg)
    }),
    ("a magnitude is lost", |data| change_operand(data, |o| o.abs, |o| o.abs = false)),
    ("a constant is another", |data| {
        change_operand(data, |o| o.as_const().is_some(), |o| *o = Operand::float(0.75))
    }),
    ("operands change places", |data| match data {
        InstData::Alu(alu) if alu.op == AluOp::Muladd || alu.op == AluOp::MuladdIeee => {
            alu.src.swap(1, 2);
            alu.src[1] != alu.src[2]
        }
        _ => false,
    }),
    ("a sum is a product", |data| match data {
        InstData::Alu(alu) if alu.op == AluOp::Add => {
            alu.op = AluOp::MulIeee;
            true
        }
        _ => false,
    }),
    ("a clamp is lost", |data| match data {
        InstData::Alu(alu) => std::mem::take(&mut alu.clamp),
        _ => false,
    }),
    ("a result is halved", |data| match data {
        InstData::Alu(alu) if alu.op == AluOp::Add && alu.omod == Omod::None => {
            alu.omod = Omod::Half;
            true
        }
        _ => false,
    }),
    ("an element is another", |data| match data {
        InstData::Load(access) => {
            access.chan = r600_isa::Chan::X;
            true
        }
        _ => false,
    }),
    ("an export is another", |data| match data {
        InstData::Export(export) => {
            export.src.swap(0, 1);
            true
        }
        _ => false,
    }),
];

/// Changes the first operand of an ALU operation on floats that is `meant`.
fn change_operand(
    data: &mut InstData,
    meant: fn(&Operand) -> bool,
    change: fn(&mut Operand),
) -> bool {
    match data {
        InstData::Alu(alu) if alu.op.takes_source_modifiers() && !alu.op.is_kill() => {
            alu.src.iter_mut().find(|operand| meant(operand)).map(change).is_some()
        }
        _ => false,
    }
}

fn insts(function: &Function) -> Vec<InstId> {
    let mut insts = Vec::new();
    function.body.for_each_inst(&mut |inst| insts.push(inst));
    insts
}

/// What the check says of a pipeline of which the stage `at` is `broken`.
fn verdict(
    stages: &[(PassId, Function)],
    at: usize,
    broken: &Function,
    precise: bool,
) -> Result<(), String> {
    let mut passes = EachPass::new(precise, 3);
    for (n, (pass, function)) in stages[..=at].iter().enumerate() {
        passes.after(*pass, if n == at { broken } else { function })?;
    }
    Ok(())
}

#[test]
fn whole_pipelines_pass() {
    for precise in [true, false] {
        let stages = stages(precise);
        let last = stages.len() - 1;
        assert_eq!(verdict(&stages, last, &stages[last].1, precise), Ok(()));
    }
}

#[test]
fn planted_faults_are_found_and_named() {
    for precise in [true, false] {
        let stages = stages(precise);
        for (what, mistake) in MISTAKES {
            let (mut planted, mut found) = (0, 0);
            for at in 1..stages.len() {
                let (pass, whole) = &stages[at];
                for inst in insts(whole) {
                    let mut broken = whole.clone();
                    if !mistake(&mut broken.insts[inst].data) {
                        continue;
                    }
                    planted += 1;
                    if let Err(why) = verdict(&stages, at, &broken, precise) {
                        assert!(why.contains(&format!("`{pass}`")), "{why}");
                        found += 1;
                    }
                }
            }
            // Some make no difference: what nobody reads, or what the other modifier undoes.
            assert!(planted > 0 && 2 * found >= planted, "{what}: {found} of {planted}");
        }
    }
}

/// Calls `change` for the first node for which it answers true.
fn change_node(region: &mut Region, change: &mut dyn FnMut(&mut Node) -> bool) -> bool {
    region.nodes.iter_mut().any(|node| {
        change(node)
            || match node {
                Node::If(branch) => {
                    change_node(&mut branch.then, change)
                        || change_node(&mut branch.otherwise, change)
                }
                Node::Loop(body) => change_node(&mut body.body, change),
                Node::Inst(_) | Node::Break(_) | Node::Continue(_) => false,
            }
    })
}

/// A change of one node; false where it has nothing to change.
type FlowMistake = fn(&mut Node) -> bool;

/// What passes get wrong about control flow.
const FLOW_MISTAKES: &[(&str, FlowMistake)] = &[
    ("arms are exchanged", |node| match node {
        Node::If(branch) => {
            std::mem::swap(&mut branch.then, &mut branch.otherwise);
            true
        }
        _ => false,
    }),
    ("sources of a phi are exchanged", |node| match node {
        Node::If(branch) if !branch.phis.is_empty() => {
            let phi = &mut branch.phis[0];
            std::mem::swap(&mut phi.then, &mut phi.otherwise);
            true
        }
        _ => false,
    }),
    ("a parameter keeps its value", |node| match node {
        Node::Loop(body) => {
            let first = Operand::value(body.params[0].value);
            let Some(Node::Continue(args)) = body.body.nodes.last_mut() else { return false };
            args[0] = first;
            true
        }
        _ => false,
    }),
    ("a result is another", |node| match node {
        Node::Break(args) if !args.is_empty() => {
            args[0] = Operand::float(0.3);
            true
        }
        _ => false,
    }),
];

#[test]
fn planted_control_flow_faults_are_found() {
    let stages = stages(true);
    // Before the loop is unrolled and the branch converted.
    let at = stages.iter().position(|(pass, _)| pass.name() == "simplify").unwrap();
    let (pass, whole) = &stages[at];
    for (what, change) in FLOW_MISTAKES {
        let mut broken = whole.clone();
        assert!(change_node(&mut broken.body, &mut |node| change(node)), "{what}");
        let why = verdict(&stages, at, &broken, true).expect_err(what);
        assert!(why.contains(&format!("`{pass}`")), "{what}: {why}");
    }
}
