//! Every modifier on every source of every opcode: it acts on the numbers that the opcode takes there, whatever the
//! lowering makes of them. And every result of every opcode that goes nowhere.

use difftest::case::{Compile, OurCompiler, Target};
use difftest::harness::Harness;
use r600_codegen::OptLevel;
use r600_isa::Chip;
use tgsi_ir::{Opcode, Processor, Shader, SrcRole};

use super::programs;

/// What stands around an operand, or in place of its register.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// Before and after it.
    Around(&'static str, &'static str),
    /// A register with a run-time subscript, negated.
    Subscript,
    /// No register: what is written goes nowhere.
    Nowhere,
}

/// Changes of a source.
const CHANGES: [Change; 4] = [
    Change::Around("-", ""),
    Change::Around("|", "|"),
    Change::Around("-|", "|"),
    Change::Subscript,
];

/// Fragment shaders have all resources but shared memory, which work groups have.
const STAGES: [Processor; 2] = [Processor::Fragment, Processor::Compute];

/// Old chips lack integer operations, new ones have doubles; modifiers are lowered alike on others.
const TARGETS: [Target; 2] = [
    Target { chip: Chip::Rv770, level: OptLevel::O2, precise: true },
    Target { chip: Chip::Cypress, level: OptLevel::O0, precise: true },
];

#[test]
fn modifiers_act_on_each_number_of_a_source() {
    let (mut compared, mut wrong) = (0, Vec::new());
    for opcode in Opcode::ALL.into_iter().filter(|opcode| !opcode.is_legacy()) {
        for stage in STAGES.into_iter().filter(|&stage| is_of_interest(opcode, stage)) {
            let texts = plain_programs(opcode, stage);
            for (n, text) in texts.iter().enumerate() {
                // Of a result that two programs show in halves each target shows one.
                let targets = if texts.len() == 2 { &TARGETS[n..=n] } else { &TARGETS };
                for (changed, change) in changed_programs(opcode, text) {
                    match check((text, targets), &changed, change) {
                        Ok(programs) => compared += programs,
                        Err(why) => wrong.push(why),
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} programs:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 10_000, "{compared} programs");
}

/// Work groups add what other stages have no resource for.
fn is_of_interest(opcode: Opcode, stage: Processor) -> bool {
    let is_memory = opcode.info().has_memory_word || opcode.info().is_store;
    opcode.info().stages.is_empty() && (stage == Processor::Fragment || is_memory)
        || opcode.info().stages.contains(&stage)
}

/// The programs of an opcode: of those that differ by texture target the first, and those with counters.
fn plain_programs(opcode: Opcode, stage: Processor) -> Vec<String> {
    let mut texts = programs::of(opcode, stage);
    if opcode.info().is_tex {
        texts.truncate(1);
    }
    if stage == Processor::Fragment {
        texts.extend(programs::of_counters(opcode, stage));
    }
    texts
}

/// The program with each value that the opcode reads changed in each way, and each that it writes going nowhere.
fn changed_programs(opcode: Opcode, text: &str) -> Vec<(String, Change)> {
    let head = format!("{} ", opcode.info().name);
    let num_dst = usize::from(opcode.info().num_dst);
    let mut lines = text.lines().enumerate();
    let found = lines.find_map(|(at, line)| Some((at, line.strip_prefix(&head)?)));
    let Some((at, operands)) = found else { return Vec::new() };
    let operands: Vec<&str> = operands.split(", ").collect();
    let mut programs: Vec<(String, Change)> = Vec::new();
    for (n, operand) in operands.iter().enumerate().take(num_dst) {
        let Some(mask) = operand.strip_prefix("TEMP[").and_then(|rest| rest.split_once(']')) else {
            continue;
        };
        let (mut operands, nowhere) = (operands.clone(), format!("NULL[0]{}", mask.1));
        operands[n] = &nowhere;
        let changed = format!("MOV {operand}, IMM[2]\n{head}{}", operands.join(", "));
        programs.push((with_line(text, at, &changed, Change::Nowhere), Change::Nowhere));
    }
    for (n, operand) in operands.iter().enumerate().skip(num_dst) {
        for change in CHANGES.into_iter().filter(|change| suits(*change, opcode, n - num_dst)) {
            let mut operands = operands.clone();
            let Some(operand) = changed_operand(operand, change) else { continue };
            operands[n] = &operand;
            let changed = format!("{head}{}", operands.join(", "));
            programs.push((with_line(text, at, &changed, change), change));
        }
    }
    programs
}

/// Whether source `n` may be any number, where a change makes it one.
fn suits(change: Change, opcode: Opcode, n: usize) -> bool {
    let role = opcode.info().src_roles.get(n);
    match change {
        // The component that is gathered is an immediate from 0 to 3.
        Change::Around(..) => opcode != Opcode::Tg4 || !matches!(role, Some(SrcRole::Channels(_))),
        // Memory ends, and inputs of a scene are no planes: they have a value in the centre only.
        Change::Subscript => role != Some(&SrcRole::Address) && opcode != Opcode::InterpOffset,
        Change::Nowhere => false,
    }
}

/// The operand changed; `None` where it is no value.
fn changed_operand(operand: &str, change: Change) -> Option<String> {
    if !["IN[", "TEMP[", "IMM[", "CONST["].iter().any(|file| operand.starts_with(file)) {
        return None;
    }
    Some(match change {
        Change::Around(before, after) => format!("{before}{operand}{after}"),
        Change::Subscript => {
            let swizzle = operand.rsplit_once(']').map_or("", |(_, swizzle)| swizzle);
            format!("-CONST[ADDR[0].x+1]{swizzle}")
        }
        Change::Nowhere => return None,
    })
}

/// `text` with another line `at`, and what a subscript needs.
fn with_line(text: &str, at: usize, changed: &str, change: Change) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines[at] = changed;
    if !matches!(change, Change::Subscript) {
        return lines.join("\n");
    }
    let first = lines.iter().position(|line| line.starts_with("IMM[2]")).unwrap() + 1;
    lines.insert(first, "UARL ADDR[0].x, IMM[0].yyyy");
    let first = lines.iter().position(|line| line.starts_with("DCL TEMP")).unwrap();
    lines.insert(first, "DCL ADDR[0]");
    if !text.contains("DCL CONST") {
        lines.insert(first, "DCL CONST[0..3]");
    }
    lines.join("\n")
}

/// Compares the changed program on the targets that take the plain one; gives the number of runs.
fn check(
    (plain, targets): (&str, &[Target]),
    changed: &str,
    change: Change,
) -> Result<u32, String> {
    let plain = parsed(plain);
    let changed = parsed(changed);
    let takes = |target: &Target| OurCompiler.compile(&plain, *target).is_ok();
    let harness = Harness {
        compiler: &OurCompiler,
        targets: targets.iter().copied().filter(takes).collect(),
        seed: 11,
        // Some operands must be immediates.
        must_compile: !matches!(change, Change::Subscript),
    };
    harness.check(&changed).map(|summary| summary.programs).map_err(|report| report.to_string())
}

#[track_caller]
fn parsed(text: &str) -> Shader {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    parsed.shader
}
