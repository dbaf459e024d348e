//! Mistakes planted in compiled programs are found, and shrink to small shaders.

use difftest::case::{Companions, Compile, Failure, NoProgram, Program, Target, key_of};
use difftest::fired::Fired;
use difftest::generate::{Shape, shader};
use difftest::harness::{Harness, Report};
use difftest::link;
use difftest::placement::Placement;
use r600_codegen::{Compiled, Compiler, OptLevel, Options};
use r600_isa::{AluInst, AluSel, Chan, Chip, Clause};
use r600_sim::pipeline::HardwareStage;
use tgsi_ir::{Processor, Shader};

/// Random shaders that are tried before a mistake counts as unseen.
const MAX_SHADERS: u64 = 300;

/// A mistake of a compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mistake {
    None,
    /// The first source of an instruction is read in another channel.
    Swizzle,
    /// A result is not clamped.
    Clamp,
    /// Operands are read in other cycles.
    BankSwizzle,
    /// The declared stack is one entry too small.
    Stack,
}

impl Mistake {
    /// Makes the mistake, once; answers whether there was a place for it.
    fn plant(self, compiled: &mut Compiled) -> bool {
        match self {
            Self::None => true,
            Self::Stack => {
                let has_stack = compiled.stack_size > 0;
                compiled.stack_size = compiled.stack_size.saturating_sub(1);
                has_stack
            }
            Self::Swizzle => first(compiled, |inst| {
                let reads_gpr = matches!(inst.src[0].sel, AluSel::Gpr(_)) && inst.op.num_src() > 0;
                reads_gpr.then(|| inst.src[0].chan = other(inst.src[0].chan)).is_some()
            }),
            Self::Clamp => first(compiled, |inst| std::mem::take(&mut inst.dst.clamp)),
            Self::BankSwizzle => crowded(compiled),
        }
    }
}

fn other(chan: Chan) -> Chan {
    if chan == Chan::X { Chan::Y } else { Chan::X }
}

fn first(compiled: &mut Compiled, mut change: impl FnMut(&mut AluInst) -> bool) -> bool {
    compiled
        .program
        .clauses
        .iter_mut()
        .filter_map(|clause| match clause {
            Clause::Alu(groups) => Some(groups),
            _ => None,
        })
        .flatten()
        .flat_map(|group| &mut group.insts)
        .any(&mut change)
}

/// Resets every bank swizzle: groups whose registers need different cycles no longer get them.
fn crowded(compiled: &mut Compiled) -> bool {
    let mut has_changed = false;
    first(compiled, |inst| {
        has_changed |= std::mem::take(&mut inst.bank_swizzle) != 0;
        false
    });
    has_changed
}

/// The compiler with a mistake.
struct Planted(Mistake);

impl Compile for Planted {
    fn compile(&self, shader: &Shader, target: Target) -> Result<Program, NoProgram> {
        let refused = |why: &dyn std::fmt::Display| NoProgram::Refused(why.to_string());
        let options =
            Options::default().level(target.level).precise(target.precise).key(key_of(shader));
        let compiler = Compiler::new(options).map_err(|error| refused(&error))?;
        let mut compiled =
            compiler.compile(shader, target.chip).map_err(|error| refused(&error))?;
        if !self.0.plant(&mut compiled) {
            return Err(refused(&"there is no place for the mistake"));
        }
        let mut state = link::registers(&compiled, target.chip);
        state.declare(HardwareStage::Pixel, compiled.num_gprs.into(), compiled.stack_size);
        Ok(Program {
            words: compiled.program.encode().map_err(|error| refused(&error))?,
            stage: HardwareStage::Pixel,
            state,
            placement: Placement::of(&compiled, shader, target.chip),
            fired: Fired::of(&compiled),
            counters: compiled.counters,
            companions: Companions::None,
        })
    }
}

fn harness(compiler: &Planted) -> Harness<'_> {
    let target = Target { chip: Chip::Rv770, level: OptLevel::O2, precise: true };
    Harness { compiler, targets: vec![target], seed: 5, must_compile: false }
}

/// The first random shader on which `mistake` shows in the way that is expected, and which passes without it.
fn find(mistake: Mistake, is_expected: impl Fn(&Failure) -> bool) -> Box<Report> {
    let (planted, sound) = (Planted(mistake), Planted(Mistake::None));
    for seed in 0..MAX_SHADERS {
        let shape = Shape {
            processor: Processor::Fragment,
            size: 8 + seed as usize % 24,
            depth: 2,
            crowd: 0,
            is_modern: false,
        };
        let shader = shader(seed, shape).unwrap();
        if harness(&sound).check(&shader).is_err() {
            continue;
        }
        match harness(&planted).check_and_shrink(&shader) {
            Err(report) if is_expected(&report.failure) => return report,
            _ => {}
        }
    }
    panic!("{mistake:?} was not found in {MAX_SHADERS} shaders");
}

fn check(mistake: Mistake, is_expected: impl Fn(&Failure) -> bool, max_instructions: usize) {
    let report = find(mistake, is_expected);
    let marks = report.listing.lines().filter(|line| line.starts_with('>')).count();
    assert!(marks > 0, "{mistake:?} is not shown in the machine code: {report}");
    let size = report.shader.instructions.len();
    assert!(size <= max_instructions, "{mistake:?} shrinks to {size} instructions only");
}

fn is_rule(failure: &Failure, words: &str) -> bool {
    matches!(failure, Failure::Rule(why) if why.contains(words))
}

#[test]
fn a_wrong_swizzle_is_found() {
    check(Mistake::Swizzle, |failure| matches!(failure, Failure::Differs(_)), 12);
}

#[test]
fn a_dropped_clamp_is_found() {
    check(Mistake::Clamp, |failure| matches!(failure, Failure::Differs(_)), 20);
}

#[test]
fn a_bank_swizzle_that_does_not_fit_is_found() {
    check(
        Mistake::BankSwizzle,
        |failure| is_rule(failure, "port") || is_rule(failure, "cycle"),
        25,
    );
}

#[test]
fn a_stack_that_is_one_too_small_is_found() {
    check(Mistake::Stack, |failure| is_rule(failure, "stack needs"), 12);
}
