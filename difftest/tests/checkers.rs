//! The checks of finished code are held to broken code: good programs are changed in many ways, and every
//! change that the simulator can see has to be found without running anything.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

mod mutants;

use std::collections::BTreeMap;

use difftest::case::{Companions, Program as Subject, Target};
use difftest::generate::{Shape, shader};
use difftest::placement::Placement;
use difftest::random::Random;
use difftest::scene::{Flavor, Scene};
use pass_manager::{Observer, PassId};
use r600_codegen::alloc::Allocation;
use r600_codegen::check::{Code, Declared};
use r600_codegen::{Compilation, Compiler, OptLevel, Options};
use r600_isa::{Chip, Generation, Program};
use r600_sched::Schedule;
use r600_sched::machine::Function;
use tgsi_ir::Shader;

use mutants::KINDS;

/// Shaders, and changes of each kind to each.
const SHADERS: u64 = 40;
const TRIES: usize = 3;
const CHIPS: [Chip; 4] = [Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman];

/// Keeps the forms of a shader that its code is checked against.
#[derive(Default)]
struct Forms(Option<(Function, Schedule, Allocation)>);

impl Observer<Compilation> for Forms {
    fn verify(&mut self, _: PassId, unit: &Compilation) -> Result<(), String> {
        if let (Some(machine), Some(schedule), Some(allocation)) =
            (&unit.machine, &unit.schedule, &unit.allocation)
        {
            self.0 = Some((machine.clone(), schedule.clone(), allocation.clone()));
        }
        Ok(())
    }
}

/// A good program with all that is needed to judge and to run changed ones.
struct Good {
    shader: Shader,
    target: Target,
    forms: (Function, Schedule, Allocation),
    program: Program,
    subject: Subject,
}

impl Good {
    fn compile(seed: u64) -> Self {
        let chip = CHIPS[seed as usize % CHIPS.len()];
        let is_modern = chip.generation() >= Generation::Evergreen;
        let shader = shader(seed, Shape { depth: 2, is_modern, ..Shape::of_quad(seed) }).unwrap();
        let target = Target { chip, level: OptLevel::O2, precise: false };
        let mut options = Options { level: target.level, ..Options::default() };
        options.passes.verify_each = true;
        let mut forms = Forms::default();
        let compiler = Compiler::new(options).unwrap();
        let compiled = compiler.compile_observed(&shader, chip, &mut forms).unwrap();
        let subject = Subject {
            placement: Placement::of(&compiled, &shader, chip),
            num_gprs: compiled.num_gprs.into(),
            stack_entries: compiled.stack_size,
            scratch_size: usize::from(compiled.scratch_size),
            counters: compiled.counters,
            words: compiled.words,
            companions: Companions::None,
        };
        let program = Program::decode(&subject.words, chip.generation());
        Self { shader, target, forms: forms.0.unwrap(), program, subject }
    }

    fn is_accepted(&self, words: &[u32], declared: Declared) -> bool {
        let (machine, schedule, allocation) = &self.forms;
        let program = Program::decode(words, machine.chip.generation());
        Code { machine, schedule, allocation }.verify(&program, declared).is_ok()
    }

    /// What the program does on two scenes, or the rule that it breaks.
    fn behaviour(&self, subject: &Subject) -> Vec<String> {
        let scenes = [(1, Flavor::Ordinary), (2, Flavor::Edges)];
        let run = |(seed, flavor)| {
            let scene = Scene::new(&self.shader, seed, flavor);
            match subject.run(&self.shader, self.target, &scene) {
                Ok(results) => format!("{results:?}"),
                Err(why) => why,
            }
        };
        scenes.into_iter().map(run).collect()
    }
}

/// What became of the changes of one kind.
#[derive(Debug, Default)]
struct Fate {
    caught: usize,
    harmless: usize,
}

#[test]
fn every_change_that_shows_is_caught() {
    let mut fates: BTreeMap<&str, Fate> =
        KINDS.iter().map(|kind| (kind.0, Fate::default())).collect();
    let mut random = Random::new(7);
    for good in (0..SHADERS).map(Good::compile) {
        let declared = Declared { gprs: good.subject.num_gprs, stack: good.subject.stack_entries };
        assert!(good.is_accepted(&good.subject.words, declared));
        let before = good.behaviour(&good.subject);
        for (name, change) in KINDS {
            for _ in 0..TRIES {
                let mut changed = (good.program.clone(), declared);
                if !change(&mut changed, &mut random) {
                    continue;
                }
                let fate = fates.get_mut(name).unwrap();
                let (program, declared) = changed;
                let Ok(words) = program.encode() else {
                    fate.caught += 1;
                    continue;
                };
                if !good.is_accepted(&words, declared) {
                    fate.caught += 1;
                    continue;
                }
                fate.harmless += 1;
                let subject = Subject {
                    words,
                    num_gprs: declared.gprs,
                    stack_entries: declared.stack,
                    ..good.subject.clone()
                };
                let after = good.behaviour(&subject);
                assert_eq!(before, after, "{name} on {:?} is not caught", good.target.chip);
            }
        }
    }
    for (name, fate) in &fates {
        println!("{name}: {} caught, {} without effect", fate.caught, fate.harmless);
        assert!(fate.caught > 0, "nothing was caught of {name}");
    }
    println!("{} kinds", fates.len());
    assert!(fates.len() >= 20);
}
