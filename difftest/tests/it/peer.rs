//! The machine code that another compiler made of the corpus gives what the interpreter gives: that
//! proves simulator, tables and interpreter against each other without our compiler.
//!
//! What differs, of 1,840: `frag-a133e0fb0af1` as optimised for Cedar. Its two arrays share R0 to R3, and group 12
//! writes z of the second one's first element before group 13 reads that of the first one by its index.

use std::collections::BTreeMap;

use difftest::case::Target;
use difftest::compare::{OneQuad, Reference, Results, Tally};
use difftest::placement::{Delivery, Placement, output_place};
use difftest::scene::{Flavor, Scene, Simulated};
use r600_codegen::OptLevel;
use r600_isa::{Chip, Generation};
use r600_sim::{Bounds, Declaration, ExportKind, Kernel, Options, Stage};
use serde_json::Value;
use test_support::{read, shared, shared_text};
use tgsi_ir::{File, Processor, Semantic, Shader};

const STEP_LIMIT: u64 = 200_000;

/// The shader of that name.
fn source(name: &str) -> String {
    let file = shared("corpus/tgsi").expect("the recorded programs are next to their shaders");
    read(&file.join(format!("{name}.tgsi")))
}

fn number(value: &Value, key: &str) -> u32 {
    value[key].as_u64().unwrap() as u32
}

fn chip(program: &Value) -> Chip {
    let name = program["chip"].as_str().unwrap().to_lowercase();
    *Chip::ALL.iter().find(|chip| chip.name() == name).unwrap()
}

fn kernel(program: &Value, stage: Stage) -> Kernel {
    let words: Vec<u32> = program["words"]
        .as_array()
        .unwrap()
        .iter()
        .map(|word| u32::from_str_radix(word.as_str().unwrap(), 16).unwrap())
        .collect();
    let declaration = Declaration {
        chip: chip(program),
        stage,
        num_gprs: number(program, "gprs"),
        stack_entries: number(program, "stack"),
    };
    Kernel::from_words(&words, declaration).unwrap()
}

/// Registers of a file with their semantics, in order of declaration.
fn declared(shader: &Shader, file: File) -> Vec<(usize, Option<(Semantic, u16)>)> {
    let mut registers = Vec::new();
    for declaration in shader.declarations.iter().filter(|d| d.file == file) {
        for register in declaration.range.first..=declaration.range.last {
            let offset = register - declaration.range.first;
            let semantic = declaration.semantic.map(|s| (s.name, s.index + offset));
            registers.push((usize::from(register), semantic));
        }
    }
    registers
}

fn placement(program: &Value, shader: &Shader) -> Placement {
    let is_pixel = shader.processor == Processor::Fragment;
    let has_parameters = is_pixel && chip(program).generation() >= Generation::Evergreen;
    let inputs = program["inputs"].as_array().unwrap();
    let inputs = declared(shader, File::Input).into_iter().zip(inputs).map(
        |((register, semantic), input)| {
            let gpr = number(input, "gpr");
            let delivery = match semantic {
                Some((Semantic::Position, _)) if is_pixel => Delivery::Position(gpr),
                Some((Semantic::Face, _)) => Delivery::Gpr(gpr),
                _ if has_parameters => Delivery::Parameter(number(input, "lds_pos") as usize),
                _ => Delivery::Gpr(gpr),
            };
            (register, delivery)
        },
    );
    let mut next = BTreeMap::new();
    let outputs = declared(shader, File::Output).into_iter().filter_map(|(register, semantic)| {
        let (name, index) = semantic?;
        let target = match (is_pixel, name) {
            (true, Semantic::Color) if index > 0 => return None,
            (true, Semantic::Color) => (ExportKind::Pixel, 0),
            (true, _) => (ExportKind::Pixel, 61),
            (false, Semantic::Position) => (ExportKind::Position, 60),
            (false, Semantic::Psize) => (ExportKind::Position, 61),
            (false, _) => {
                let number = next.entry(ExportKind::Parameter).or_insert(0);
                *number += 1;
                (ExportKind::Parameter, *number - 1)
            }
        };
        output_place(register, (name, index), target)
    });
    Placement { inputs: inputs.collect(), outputs: outputs.collect() }
}

/// What comparing one program on one scene came to.
enum Verdict {
    Same,
    /// The interpreter does not finish, or not without a fault, on these inputs.
    NotRun,
    Differs(String),
}

fn compare(program: &Value, shader: &Shader, scene: Scene, tally: &mut Tally) -> Verdict {
    let stage = match shader.processor {
        Processor::Fragment => Stage::Pixel,
        _ => Stage::Vertex,
    };
    let interpreter = tgsi_exec::Kernel::new(shader).unwrap();
    let quad = OneQuad { kernel: &interpreter, scene, limit: STEP_LIMIT };
    let Ok(reference) = Reference::new(quad) else {
        return Verdict::NotRun;
    };
    let placement = placement(program, shader);
    let options = Options::default().bounds(Bounds::Zero).step_limit(10 * STEP_LIMIT);
    let scene = reference.scene();
    let mut resources = Simulated::of(scene, chip(program));
    let kernel = kernel(program, stage);
    let entry = placement.entry(shader, scene, kernel.declaration().num_gprs);
    let outcome = kernel.run(&entry, &options, &mut resources);
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return Verdict::Differs(error.to_string()),
    };
    let results = Results {
        killed: outcome.killed.bits(),
        outputs: placement.results(&outcome),
        counters: Vec::new(),
        changes: resources.changes(),
    };
    let target = Target { chip: chip(program), level: OptLevel::O2, precise: false };
    match reference.check(&results, (target.strictness(), target.angles()), tally) {
        Ok(()) => Verdict::Same,
        Err(mismatch) => Verdict::Differs(mismatch.to_string()),
    }
}

/// ALU groups that a wavefront executes; `None` where the run does not end.
fn executed(
    kernel: &Kernel,
    placement: &Placement,
    shader: &Shader,
    mut resources: Simulated<'_>,
) -> Option<u64> {
    let options = Options::default().bounds(Bounds::Zero).step_limit(10 * STEP_LIMIT);
    let entry = placement.entry(shader, resources.scene, kernel.declaration().num_gprs);
    let outcome = kernel.run(&entry, &options, &mut resources).ok()?;
    Some(outcome.counters.groups)
}

/// Our groups over those of the peer's program, both executed on the same scenes.
fn loop_ratio(program: &Value, shader: &Shader) -> Option<f64> {
    let chip = chip(program);
    let stage = match shader.processor {
        Processor::Fragment => Stage::Pixel,
        _ => Stage::Vertex,
    };
    let compiled = r600_codegen::compile(shader, chip, &r600_codegen::Options::default()).ok()?;
    let declaration = Declaration {
        chip,
        stage,
        num_gprs: u32::from(compiled.num_gprs),
        stack_entries: compiled.stack_size,
    };
    let ours = Kernel::from_words(&compiled.words, declaration).ok()?;
    let theirs = kernel(program, stage);
    let (mut sum_ours, mut sum_theirs) = (0, 0);
    for seed in 1..=4 {
        let scene = Scene::new(shader, seed, Flavor::Ordinary);
        let placed = Placement::of(&compiled, shader, chip);
        let resources = Simulated::of(&scene, chip);
        let pair = (
            executed(&ours, &placed, shader, resources.clone()),
            executed(&theirs, &placement(program, shader), shader, resources.clone()),
        );
        if let (Some(ours), Some(theirs)) = pair {
            (sum_ours, sum_theirs) = (sum_ours + ours, sum_theirs + theirs);
        }
    }
    (sum_theirs > 0).then(|| (sum_ours + 1) as f64 / (sum_theirs + 1) as f64)
}

#[test]
fn shaders_with_loops_execute_fewer_groups_than_the_optimised_code_of_the_peer() {
    let mut ratios = Vec::new();
    for vectors in ["vectors/r600-mesa.jsonl", "vectors/r600-mesa-loops.jsonl"] {
        let Some(text) = shared_text(vectors) else { continue };
        for line in text.lines() {
            let program: Value = serde_json::from_str(line).unwrap();
            let name = program["shader"].as_str().unwrap();
            let source = source(name);
            if program["compiler"] != "mesa21-sb" || !source.contains("BGNLOOP") {
                continue;
            }
            let shader = tgsi_text::parse(&source).shader;
            let label = format!("{name} {}", program["chip"]);
            ratios.extend(loop_ratio(&program, &shader).map(|ratio| (ratio, label)));
        }
    }
    if ratios.is_empty() {
        return;
    }
    let mean =
        (ratios.iter().map(|(ratio, _)| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    ratios.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("{} programs with loops: {mean:.3} times the peer's groups", ratios.len());
    ratios.iter().take(5).for_each(|(ratio, name)| println!("{ratio:.2} {name}"));
    assert!(mean < 0.79, "{mean:.3} times the groups of the peer");
}

#[test]
fn code_of_another_compiler_agrees_with_the_interpreter() {
    let Some(text) = shared_text("vectors/r600-mesa.jsonl") else { return };
    let (mut programs, mut same, mut not_run) = (0, 0, Vec::new());
    let mut differing = Vec::new();
    let mut tally = Tally::default();
    for line in text.lines() {
        let program: Value = serde_json::from_str(line).unwrap();
        let name = program["shader"].as_str().unwrap();
        let shader = tgsi_text::parse(&source(name)).shader;
        programs += 1;
        let label = format!("{name} {} {}", program["chip"], program["compiler"]);
        let mut has_run = false;
        let mut failure = None;
        for (seed, flavor) in [
            (1, Flavor::Ordinary),
            (2, Flavor::Ordinary),
            (3, Flavor::Integers),
            (4, Flavor::Edges),
        ] {
            let scene = Scene::new(&shader, seed, flavor);
            match compare(&program, &shader, scene, &mut tally) {
                Verdict::Same => has_run = true,
                Verdict::NotRun => {}
                Verdict::Differs(why) => {
                    has_run = true;
                    failure.get_or_insert(format!("{label}: {flavor:?}: {why}"));
                }
            }
        }
        match failure {
            Some(why) => differing.push(why),
            None if has_run => same += 1,
            None => not_run.push(label),
        }
    }
    println!(
        "{programs} programs: {same} agree, {} differ, {} did not run",
        differing.len(),
        not_run.len()
    );
    println!(
        "{} channels exact, {} near, {} unconstrained",
        tally.exact,
        tally.near,
        tally.open.unconstrained()
    );
    differing.iter().take(60).for_each(|why| println!("{why}"));
    not_run.iter().take(5).for_each(|name| println!("not run: {name}"));
    assert!(same * 100 >= programs * 99, "{same} of {programs} agree");
}
