//! What the compiler takes: every opcode of today for every stage and generation, in a small program of its
//! own. A program that compiles runs in the simulator, at every level and on every kind of values, and is
//! compared with the interpreter. The table is `docs/coverage.md`; `UPDATE_GOLDEN=1` rewrites it.

mod modifiers;
mod programs;
mod table;

use difftest::case::{Compile, OurCompiler, Target};
use difftest::harness::Harness;
use r600_codegen::OptLevel;
use r600_isa::{Chip, Generation};
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

/// What makes the programs of an opcode for a stage.
type Programs = fn(Opcode, Processor) -> Vec<String>;

#[test]
fn every_opcode_is_compiled_and_equal_or_refused_with_a_reason() {
    let mut table = Table::default();
    let mut wrong = Vec::new();
    for opcode in Opcode::ALL.into_iter().filter(|opcode| !opcode.is_legacy()) {
        let name = opcode.info().name;
        let mut row = |programs: Programs| {
            CHIPS.map(|chip| STAGES.map(|stage| cell(opcode, (stage, programs), chip, &mut wrong)))
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

/// What becomes of an opcode in one stage for one chip.
fn cell(
    opcode: Opcode,
    (stage, programs): (Processor, Programs),
    chip: Chip,
    wrong: &mut Vec<String>,
) -> Cell {
    let stages = opcode.info().stages;
    if !stages.is_empty() && !stages.contains(&stage) {
        return Cell::NotInStage;
    }
    let mut worst = Cell::Equal;
    for text in programs(opcode, stage) {
        let parsed = tgsi_text::parse(&text);
        if let Some(error) = parsed.diagnostics.first() {
            wrong.push(format!("{}: {error:?}\n{text}", opcode.info().name));
            continue;
        }
        match outcome(opcode, &parsed.shader, chip) {
            Ok(cell) => worst = worst.max(cell),
            Err(report) => wrong.push(format!("{}: {report}", opcode.info().name)),
        }
    }
    worst
}

fn outcome(opcode: Opcode, shader: &Shader, chip: Chip) -> Result<Cell, String> {
    let target = Target { chip, level: OptLevel::O2, precise: false };
    if let Err(why) = OurCompiler.compile(shader, target) {
        return Ok(Cell::Refused(reason(&why.to_string(), opcode)));
    }
    // The last level searches longer, for which programs of an instruction or two give no occasion.
    let targets = Target::all(&[chip]).into_iter().filter(|target| target.level < OptLevel::O3);
    let harness =
        Harness { compiler: &OurCompiler, targets: targets.collect(), seed: 7, must_compile: true };
    match harness.check(shader) {
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
