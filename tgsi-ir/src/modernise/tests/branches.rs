//! Jumps and the blocks that replace them take the same paths.

use super::*;
use crate::flow::{FlowError, FlowTree};
use crate::modernise::branches::structure;
use crate::{FlowRole, InstructionId};

/// Instructions that a way may have.
const MAX_STEPS: usize = 40;
/// Stands behind all steps of a way that comes to an end.
const END: usize = usize::MAX;

/// A shader from a short text: letters without effect, `>n` for a jump, `?n` and `!n` for one with a predicate, and
/// `i e d` for a block, `l k c m` for a loop with its jumps, `s a z` for a switch, `b r u` for a subroutine, `.` for the
/// end.
fn shader(text: &str) -> Shader {
    let mut shader = Shader::new(Processor::Fragment);
    for word in text.split_whitespace() {
        let (kind, label) = word.split_at(1);
        let opcode = match kind {
            ">" | "?" | "!" => Opcode::Bra,
            "i" => Opcode::Uif,
            "e" => Opcode::Else,
            "d" => Opcode::Endif,
            "l" => Opcode::Bgnloop,
            "k" => Opcode::Brk,
            "c" => Opcode::Cont,
            "m" => Opcode::Endloop,
            "s" => Opcode::Switch,
            "a" => Opcode::Case,
            "z" => Opcode::Endswitch,
            "b" => Opcode::Bgnsub,
            "r" => Opcode::Ret,
            "u" => Opcode::Endsub,
            "." => Opcode::End,
            _ => Opcode::Nop,
        };
        let mut one = Instruction::new(opcode);
        one.label = label.parse().ok();
        one.predicate = matches!(kind, "?" | "!").then(|| Predicate {
            index: 0,
            swizzle: Swizzle::XYZW,
            negate: kind == "!",
        });
        if matches!(opcode, Opcode::Uif | Opcode::Switch | Opcode::Case) {
            one.src.push(Src::new(temp(0)));
        }
        shader.instructions.push(one);
    }
    shader
}

/// A lane that goes through a shader, jumps included. Each question, of a predicate or a block, gets the next bit.
struct Way<'a> {
    shader: &'a Shader,
    flow: FlowTree,
    bits: u32,
}

impl Way<'_> {
    fn ask(&mut self) -> bool {
        let bit = self.bits & 1 == 1;
        self.bits = self.bits.rotate_right(1);
        bit
    }

    fn end_of(&self, at: usize) -> usize {
        let mut end = at;
        while let Some(next) = self.flow.partner(InstructionId::from_index(end)) {
            if next.index() <= end {
                break;
            }
            end = next.index();
        }
        end
    }

    /// Where the innermost block of a kind that is around `at` begins.
    fn around(&self, at: usize, roles: &[FlowRole]) -> Option<usize> {
        let is_it = |begin: &usize| {
            roles.contains(&self.shader.instructions[*begin].opcode.info().flow)
                && self.end_of(*begin) >= at
        };
        (0..at).rev().find(is_it)
    }

    /// What has an effect, by `name`, in the order of the way, and its end.
    fn run(mut self, name: impl Fn(usize) -> usize) -> Vec<usize> {
        let (mut names, mut at) = (Vec::new(), 0);
        for _ in 0..100 * MAX_STEPS {
            let Some(one) = self.shader.instructions.get(at) else {
                names.push(END);
                break;
            };
            let holds = one.predicate.is_none_or(|predicate| self.ask() != predicate.negate);
            let breakable = [FlowRole::LoopBegin, FlowRole::SwitchBegin];
            at = match one.opcode.info().flow {
                _ if !holds => at + 1,
                FlowRole::Branch => one.label.expect("a label") as usize,
                FlowRole::If if self.ask() => at + 1,
                FlowRole::If => {
                    self.flow.partner(InstructionId::from_index(at)).expect("an end").index() + 1
                }
                FlowRole::Else => self.end_of(at) + 1,
                FlowRole::LoopEnd | FlowRole::Continue => {
                    self.around(at, &[FlowRole::LoopBegin]).expect("a loop")
                }
                FlowRole::Break => self.end_of(self.around(at, &breakable).expect("a block")) + 1,
                // Behind everything.
                FlowRole::Return | FlowRole::SubEnd | FlowRole::End => {
                    self.shader.instructions.len()
                }
                FlowRole::None => {
                    names.push(name(at));
                    at + 1
                }
                _ => at + 1,
            };
            if names.len() >= MAX_STEPS {
                break;
            }
        }
        names
    }
}

fn ways(shader: &Shader, bits: u32, name: impl Fn(usize) -> usize) -> Vec<usize> {
    let (flow, _) = FlowTree::build(&shader.instructions);
    Way { shader, flow, bits }.run(name)
}

/// Whether blocks stand for the jumps; if so, all ways through them must be those of the jumps.
fn has_block_form(text: &str) -> bool {
    let shader = shader(text);
    let Ok((blocks, origins)) = structure(&shader) else { return false };
    FlowTree::new(&blocks.instructions).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let from = |at: usize| {
        origins.instruction(InstructionId::from_index(at)).expect("it comes from somewhere").index()
    };
    for bits in (0..64).map(|bits| bits | bits << 6 | !bits << 12 | bits << 18 | !bits << 24) {
        let (want, got) = (ways(&shader, bits, |at| at), ways(&blocks, bits, from));
        // One without an end is as long as there are steps for.
        let len = got.len().min(want.len());
        assert_eq!(got[..len], want[..len], "{text}, {bits:#b}: {:?}", opcodes(&blocks));
    }
    true
}

fn opcodes(shader: &Shader) -> Vec<&'static str> {
    shader.instructions.iter().map(|one| one.opcode.name()).collect()
}

#[test]
fn jumps_are_expressed_with_blocks() {
    for text in [
        // Ahead, from blocks or not, and with a condition on either side.
        "x ?3 x x .",
        "x !4 x x x .",
        "x >3 x x .",
        "i ?4 x d x .",
        "i x e ?5 x d x .",
        "i i >8 d x e x d x .",
        // Both sides of a condition, and several ways to one place.
        "?3 x >4 x x .",
        "!4 x x >5 x x .",
        "?4 x ?4 x x .",
        "?3 x >6 ?5 x >6 x .",
        // Loops, with the test at either end, or in the middle, and one in another.
        "x x ?0 x .",
        "?3 x >0 x .",
        "x ?4 x >0 x .",
        "x i >6 d x >0 x .",
        "x ?6 x ?2 x >0 x .",
        "?6 ?4 x >1 x >0 x .",
        "x ?3 x x ?1 .",
        "x x ?1 ?0 x .",
        // What a word says already.
        "l x ?6 x >0 m x .",
        "l l ?5 x m x m x .",
        "l s a x >6 z m x .",
        "l s a ?4 z k m x .",
        "l ?4 x m x .",
        "l x >3 m x .",
        "s a i >6 d x z x .",
        "l i >4 d k m x .",
        "x ?4 x r x .",
        "i ?4 x d r x .",
        // To the end, from anywhere.
        "x ?3 x .",
        "x ?4 x .",
        "l ?4 x m . b u",
        "l l i >8 d m m x .",
        // Within a subroutine.
        "x . b ?5 x x u",
        "x . b i >6 d u",
        "x . b x >3 u",
        "x . b l >6 m r u",
    ] {
        assert!(has_block_form(text), "{text}");
    }
}

#[test]
fn jumps_that_no_block_stands_for_are_refused() {
    for text in [
        // Into a block.
        "?2 i x d .",
        "i x d ?1 .",
        "i >3 e x d .",
        // Into a loop that others enter at its begin.
        "?2 x x ?1 x .",
        // Out of two loops.
        "l l ?6 x m m x .",
        "l l ?6 x m x x m x .",
        // To nowhere, into a subroutine, and out of one.
        "x ?9 x .",
        "x ?4 x . b x u",
        "x ?3 . b u",
        "x . b ?5 u",
        "x . b ?0 u",
        "x . b x u b ?4 u",
    ] {
        assert!(!has_block_form(text), "{text}");
    }
}

/// Whatever is said takes the same ways.
#[test]
fn random_jumps_take_their_ways() {
    let mut state = 1_u32;
    let mut pick = |count: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % count
    };
    let mut said = 0;
    for _ in 0..12_000 {
        let len = 3 + pick(7);
        let words = (0..len).map(|_| match pick(9) {
            0..3 => format!("{}{}", [">", "?", "!"][pick(3)], pick(len + 2)),
            3 => ["i", "l"][pick(2)].to_owned(),
            4 => ["d", "m"][pick(2)].to_owned(),
            5 => ["e", "k", "c", "r", "i", "d"][pick(6)].to_owned(),
            6 => ["s", "a", "z", "b", "u", "."][pick(6)].to_owned(),
            _ => "x".to_owned(),
        });
        let text = words.chain([".".to_owned()]).collect::<Vec<_>>().join(" ");
        let (_, errors) = FlowTree::build(&shader(&text).instructions);
        let is_sound = errors.iter().all(|error| matches!(error, FlowError::Branch { .. }));
        said += usize::from(is_sound && !errors.is_empty() && has_block_form(&text));
    }
    assert!(said > 700, "{said}");
}
