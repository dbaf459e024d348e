//! What the compiler takes: every opcode of today for every stage and generation, in a small program of its
//! own. A program that compiles runs in the simulator, at every level and on every kind of values, and is
//! compared with the interpreter. The table is `docs/coverage.md`; `UPDATE_GOLDEN=1` rewrites it.

mod modifiers;
mod programs;
mod table;

use difftest::case::{Compile, OurCompiler, Target};
use difftest::harness::{Harness, Trial, trials};
use r600_codegen::OptLevel;
use r600_isa::{Chip, Generation};
use tgsi_exec::Kernel;
use tgsi_ir::{Opcode, Processor, Shader};

use self::table::{Cell, Table};

/// One chip of each generation, with doubles where some have them.
const CHIPS: [Chip; 4] = [Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman];

/// The stages in the order of the table.
const STAGES: [Processor; 6] = [
    Processor::Vertex,
    Processor::Fragment,
    Processor::Geometry,
    Processor::TessCtrl,
    Processor::TessEval,
    Processor::Compute,
];

/// Seed of the scenes, and how many there are of each flavor.
const SEED: u64 = 8;
const SCENES: u64 = 1;

/// What makes the programs of an opcode for a stage.
type Programs = fn(Opcode, Processor) -> Vec<String>;

#[test]
fn every_opcode_compiles_correctly_or_is_refused_with_a_reason() {
    let mut table = Table::default();
    let mut wrong = Vec::new();
    for opcode in Opcode::ALL.into_iter().filter(|opcode| !opcode.is_legacy()) {
        let name = opcode.info().name;
        let mut row = |programs: Programs| {
            transposed(&STAGES.map(|stage| cells(opcode, (stage, programs), &mut wrong)))
        };
        table.add(name.to_owned(), row(programs::of));
        if !programs::of_counters(opcode, Processor::Fragment).is_empty() {
            table.add(format!("{name} HWATOMIC"), row(programs::of_counters));
        }
    }
    assert!(wrong.is_empty(), "{} programs:\n{}", wrong.len(), wrong.join("\n"));
    assert!(table.num_rows() >= 240, "{} opcodes", table.num_rows());
    println!("{}", table.summary());
    check_golden(&table.to_string());
}

/// The cells of each chip.
fn transposed(
    of_stages: &[[Cell; CHIPS.len()]; STAGES.len()],
) -> [[Cell; STAGES.len()]; CHIPS.len()] {
    std::array::from_fn(|chip| of_stages.each_ref().map(|of_chips| of_chips[chip].clone()))
}

/// What becomes of an opcode in one stage for each chip.
fn cells(
    opcode: Opcode,
    (stage, programs): (Processor, Programs),
    wrong: &mut Vec<String>,
) -> [Cell; CHIPS.len()] {
    let stages = opcode.info().stages;
    if !stages.is_empty() && !stages.contains(&stage) {
        return CHIPS.map(|_| Cell::NotInStage);
    }
    let mut worst = CHIPS.map(|_| Cell::Equal);
    for text in programs(opcode, stage) {
        let parsed = tgsi_text::parse(&text);
        if let Some(error) = parsed.diagnostics.first() {
            wrong.push(format!("{}: {error:?}\n{text}", opcode.info().name));
            continue;
        }
        for (worst, outcome) in worst.iter_mut().zip(outcomes(opcode, &parsed.shader)) {
            match outcome {
                Ok(cell) => *worst = worst.clone().max(cell),
                Err(report) => wrong.push(format!("{}: {report}", opcode.info().name)),
            }
        }
    }
    worst
}

/// What becomes of a shader on each chip. It is interpreted once for all of them.
fn outcomes(opcode: Opcode, shader: &Shader) -> [Result<Cell, String>; CHIPS.len()] {
    let kernel = Kernel::new(shader);
    let kernel = kernel.as_ref().ok();
    let trials: Vec<Trial<'_>> =
        kernel.into_iter().flat_map(|kernel| trials(shader, kernel, SEED, SCENES)).collect();
    CHIPS.map(|chip| outcome(opcode, (shader, &trials), chip))
}

fn outcome(
    opcode: Opcode,
    (shader, trials): (&Shader, &[Trial<'_>]),
    chip: Chip,
) -> Result<Cell, String> {
    let target = Target { chip, level: OptLevel::O2, precise: false };
    if let Err(why) = OurCompiler.compile(shader, target) {
        return Ok(Cell::Refused(reason(&why.to_string(), opcode)));
    }
    // The last level searches longer, for which programs of an instruction or two give no occasion. What precise code may not
    // do, lower levels hardly do.
    let is_wanted = |target: &Target| {
        target.level < OptLevel::O2 && !target.precise || target.level == OptLevel::O2
    };
    let targets = Target::all(&[chip]).into_iter().filter(is_wanted);
    let harness = Harness {
        compiler: &OurCompiler,
        targets: targets.collect(),
        seed: SEED,
        must_compile: true,
    };
    match harness.check_trials(shader, trials) {
        Ok(summary) if summary.tally.exact + summary.tally.near > 0 => Ok(Cell::Equal),
        Ok(_) => Ok(Cell::NotCompared),
        Err(report) => Err(report.to_string()),
    }
}

/// An error without the pass, the place and the opcode in front.
fn reason(why: &str, opcode: Opcode) -> String {
    let text = why.rsplit_once("inst").map_or(why, |(_, rest)| rest);
    let text = text.split_once(": ").map_or(text, |(_, rest)| rest);
    text.strip_prefix(&format!("{}: ", opcode.info().name)).unwrap_or(text).to_owned()
}

fn check_golden(table: &str) {
    let path = test_support::root().join("docs/coverage.md");
    assert_eq!(test_support::check_golden(&path, table), Ok(()));
}

/// The generation of each column.
const GENERATIONS: [Generation; 4] = Generation::ALL;
