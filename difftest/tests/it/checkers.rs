//! The checks of finished code are held to broken code: good programs are changed in many ways, and every
//! change that the simulator can see has to be found without running anything.

use crate::mutants;

use std::collections::BTreeMap;

use difftest::case::{Compile, OurCompiler, Program as Subject, Target};
use difftest::generate::{Shape, shader};
use difftest::random::Random;
use difftest::scene::{Flavor, Scene};
use pass_manager::{Observer, PassId};
use r600_codegen::internals::Allocated;
use r600_codegen::internals::alloc::Allocation;
use r600_codegen::internals::check::{Code, Declared};
use r600_codegen::{Compilation, Compiler, OptLevel, Options, Snapshot};
use r600_isa::{Chip, Generation, Program};
use r600_mir::Function;
use r600_sched::Schedule;
use tgsi_ir::build::ShaderBuilder;
use tgsi_ir::{Opcode, Processor, Semantic, Shader};

use mutants::kinds;

/// Shaders of each stage, and changes of each kind to each.
const SHADERS: u64 = 14;
const TRIES: usize = 3;
/// One in so many has more values than there are registers, and how many.
const CROWDED: u64 = 7;
const CROWD: usize = 150;
/// All stages, and whether chips before Evergreen have them.
const STAGES: [(Processor, bool); 6] = [
    (Processor::Vertex, true),
    (Processor::Fragment, true),
    (Processor::Geometry, true),
    (Processor::TessCtrl, false),
    (Processor::TessEval, false),
    (Processor::Compute, false),
];
const OLD_CHIPS: [Chip; 2] = [Chip::Rv670, Chip::Rv770];
const MODERN_CHIPS: [Chip; 2] = [Chip::Cypress, Chip::Cayman];
/// The levels that differ in more than how long the schedule is searched.
const LEVELS: [OptLevel; 3] = [OptLevel::O0, OptLevel::O1, OptLevel::O2];

/// What a shader becomes, and how many registers are filled before it begins.
type Made = (Function, Schedule, Allocation, u8);

/// Keeps the forms of a shader that its code is checked against.
#[derive(Default)]
struct Forms(Option<Made>);

impl Observer<Compilation> for Forms {
    fn verify(&mut self, _: PassId, form: Snapshot<'_>) -> Result<(), String> {
        if let Some(form) = form.allocated() {
            let Allocated { machine, schedule, allocation, .. } = form.clone();
            self.0 = Some((machine, schedule, allocation, form.num_filled()));
        }
        Ok(())
    }
}

/// A good program with all that is needed to judge and to run changed ones.
struct Good {
    shader: Shader,
    target: Target,
    forms: Made,
    program: Program,
    subject: Subject,
}

impl Good {
    /// A random shader of a stage, with what has to run around it.
    fn compile(stage: Processor, target: Target, seed: u64) -> Self {
        let is_modern = target.chip.generation() >= Generation::Evergreen;
        let crowd = if seed.is_multiple_of(CROWDED) { CROWD } else { 0 };
        let shape = Shape { processor: stage, depth: 2, crowd, is_modern, ..Shape::of(seed) };
        Self::of(shader(seed, shape).unwrap(), target)
    }

    fn of(shader: Shader, target: Target) -> Self {
        let subject = OurCompiler.compile(&shader, target).unwrap();
        let forms = forms(&shader, target, &subject.words);
        let program = Program::decode(&subject.words, target.chip.generation());
        // What is longer than before needs places anew.
        let program = Program { layout: None, ..program };
        Self { shader, target, forms, program, subject }
    }

    fn is_accepted(&self, words: &[u32], declared: Declared) -> bool {
        let (machine, schedule, allocation, filled) = &self.forms;
        let program = Program::decode(words, machine.chip.generation());
        let has_helper_lanes = self.shader.processor == Processor::Fragment;
        let code = Code { machine, schedule, allocation, filled: *filled, has_helper_lanes };
        code.verify(&program, declared).is_ok()
    }

    /// What the program does on two scenes, or the rule that it breaks.
    fn behaviour(&self, subject: &Subject) -> Vec<Result<String, String>> {
        let scenes = [(1, Flavor::Ordinary), (2, Flavor::Edges)];
        let run = |(seed, flavor)| {
            let scene = Scene::new(&self.shader, seed, flavor);
            let results =
                subject.run(&self.shader, self.target, &scene).map_err(|stop| stop.to_string())?;
            Ok(format!("{results:?}"))
        };
        scenes.into_iter().map(run).collect()
    }
}

/// The forms of a shader on its way to these words.
fn forms(shader: &Shader, target: Target, words: &[u32]) -> Made {
    let Target { level, precise, .. } = target;
    let mut options = Options::default().level(level).precise(precise);
    options.passes.verify_each = true;
    let mut forms = Forms::default();
    let compiler = Compiler::new(options).unwrap();
    let compiled = compiler.compile_observed(shader, target.chip, &mut forms).unwrap();
    assert_eq!(compiled.words, words, "the stage compiles to other words");
    forms.0.unwrap()
}

/// Random shaders of all stages; chips and levels take turns.
fn goods() -> impl Iterator<Item = Good> {
    STAGES.into_iter().flat_map(|(stage, is_old)| {
        let old: &[Chip] = if is_old { &OLD_CHIPS } else { &[] };
        let chips = [old, &MODERN_CHIPS].concat();
        (0..SHADERS).map(move |seed| {
            let turn = seed as usize;
            let level = LEVELS[turn / chips.len() % LEVELS.len()];
            let target = Target { chip: chips[turn % chips.len()], level, precise: false };
            Good::compile(stage, target, seed)
        })
    })
}

/// What became of the changes of one kind.
#[derive(Debug, Default)]
struct Fate {
    caught: usize,
    harmless: usize,
}

fn declared(subject: &Subject) -> Declared {
    let declaration = subject.state.declaration(subject.stage).unwrap();
    Declared { gprs: declaration.num_gprs, stack: declaration.stack_entries }
}

#[test]
fn every_observable_change_is_caught() {
    let kinds = kinds();
    let mut fates: BTreeMap<&str, Fate> =
        kinds.iter().map(|kind| (kind.0, Fate::default())).collect();
    assert_eq!(fates.len(), kinds.len(), "two kinds have the same name");
    let mut random = Random::new(7);
    for good in goods() {
        let declared = declared(&good.subject);
        assert!(good.is_accepted(&good.subject.words, declared));
        let before = good.behaviour(&good.subject);
        let (stage, target) = (good.shader.processor, good.target);
        assert!(before.iter().all(Result::is_ok), "a {stage:?} shader on {target}: {before:?}");
        for (name, change) in &kinds {
            for _ in 0..TRIES {
                let mut changed = (good.program.clone(), declared);
                if !change(&mut changed, &mut random) {
                    continue;
                }
                let (program, declared) = changed;
                // What has no words is no program.
                let Ok(words) = program.encode() else { continue };
                let fate = fates.get_mut(name).unwrap();
                if !good.is_accepted(&words, declared) {
                    fate.caught += 1;
                    continue;
                }
                fate.harmless += 1;
                let mut subject = Subject { words, ..good.subject.clone() };
                subject.state.declare(subject.stage, declared.gprs, declared.stack);
                let after = good.behaviour(&subject);
                assert_eq!(before, after, "{name} of a {stage:?} shader on {target} is not caught");
            }
        }
    }
    for (name, fate) in &fates {
        println!("{name}: {} caught, {} without effect", fate.caught, fate.harmless);
        assert!(fate.caught > 0, "no change of kind {name} was caught");
    }
    println!("{} kinds", fates.len());
}

/// The random shaders compute in their highest registers; this one only exports from it.
#[test]
fn registers_that_are_only_exported_are_declared() {
    let mut builder = ShaderBuilder::new(Processor::Vertex);
    let inputs = [builder.vertex_input(), builder.vertex_input()];
    for (semantic, input) in [Semantic::Position, Semantic::Generic].into_iter().zip(inputs) {
        let output = builder.output(semantic, 0);
        builder.emit(Opcode::Mov, output, [input.into()]);
    }
    let shader = builder.finish().unwrap();
    for chip in [OLD_CHIPS, MODERN_CHIPS].concat() {
        let target = Target { chip, level: OptLevel::O2, precise: false };
        let good = Good::of(shader.clone(), target);
        let words = &good.subject.words;
        let declared = declared(&good.subject);
        assert!(good.is_accepted(words, declared), "{target}");
        let fewer = Declared { gprs: declared.gprs - 1, ..declared };
        assert!(!good.is_accepted(words, fewer), "{target}");
    }
}

/// A fetch shader fills what nothing reads, too, and another wavefront's registers with it where there are too few.
#[test]
fn preloaded_registers_that_are_not_read_are_declared() {
    let mut builder = ShaderBuilder::new(Processor::Vertex);
    let [input, _] = [builder.vertex_input(), builder.vertex_input()];
    let output = builder.output(Semantic::Position, 0);
    builder.emit(Opcode::Mov, output, [input.into()]);
    let shader = builder.finish().unwrap();
    for chip in [OLD_CHIPS, MODERN_CHIPS].concat() {
        let target = Target { chip, level: OptLevel::O2, precise: false };
        let good = Good::of(shader.clone(), target);
        let words = &good.subject.words;
        let declared = declared(&good.subject);
        assert_eq!(declared.gprs, 3, "{target}");
        assert!(good.is_accepted(words, declared), "{target}");
        let fewer = Declared { gprs: declared.gprs - 1, ..declared };
        assert!(!good.is_accepted(words, fewer), "{target}");
    }
}
