//! What depends on results that the order of invocations decides.

use std::collections::BTreeSet;

use tgsi_ir::{Dst, File, FlowRole, Indirect, Instruction, Opcode, Register, Shader, Src};

/// The instructions that read what those at `sources` give, or run only where it has some value; in both cases also by
/// way of other instructions.
pub(super) fn dependents(shader: &Shader, sources: &BTreeSet<usize>) -> BTreeSet<usize> {
    let has_calls =
        shader.instructions.iter().any(|inst| inst.opcode.info().flow == FlowRole::Call);
    let mut spread = Spread { rest: usize::MAX, has_calls, ..Spread::default() };
    for _ in 0..MAX_PASSES {
        let before = spread.known();
        spread.pass(shader, sources);
        if spread.known() == before {
            return spread.instructions;
        }
    }
    (0..shader.instructions.len()).collect()
}

/// The most times that a shader is gone through. What values do in so many iterations of a loop is not followed: all
/// instructions may depend on the sources then.
const MAX_PASSES: usize = 16;

/// What is known to depend on the sources.
#[derive(Default)]
struct Spread {
    /// Channels of registers that depend on them at this point. Without calls, a register is taken back where an
    /// instruction outside all blocks writes something else to it.
    channels: BTreeSet<(File, i16, usize)>,
    /// Those at the ends of loops, for their next iterations.
    looped: BTreeSet<(File, i16, usize)>,
    /// Files in which any register may depend on them.
    files: BTreeSet<File>,
    /// Instructions, and of blocks in which all depend on them the first.
    instructions: BTreeSet<usize>,
    /// The instruction from which on all depend on them.
    rest: usize,
    /// Whether there are calls, which lead from anywhere to a subroutine and back.
    has_calls: bool,
}

impl Spread {
    /// What a pass starts from, which only grows from pass to pass.
    fn known(&self) -> [usize; 4] {
        let channels = if self.has_calls { &self.channels } else { &self.looped };
        [channels.len(), self.files.len(), self.instructions.len(), self.rest]
    }

    /// Goes through the shader once.
    fn pass(&mut self, shader: &Shader, sources: &BTreeSet<usize>) {
        let mut open: Vec<usize> = Vec::new();
        if !self.has_calls {
            self.channels.clear();
        }
        for (at, inst) in shader.instructions.iter().enumerate() {
            let role = inst.opcode.info().flow;
            if is_end(role) {
                open.pop();
            }
            let is_in_rest = at >= self.rest;
            let is_inside = open.iter().any(|begin| self.instructions.contains(begin));
            if is_in_rest || is_inside || self.is_read(inst) {
                self.instructions.insert(at);
                self.jump(shader, (at, role), &open);
            }
            if sources.contains(&at) || self.instructions.contains(&at) {
                self.write(inst);
            } else if open.is_empty() && !self.has_calls {
                self.take_back(inst);
            }
            if is_begin(role) {
                if role == FlowRole::LoopBegin {
                    self.channels.extend(&self.looped);
                }
                open.push(at);
            }
            if role == FlowRole::LoopEnd {
                self.looped.extend(&self.channels);
            }
        }
    }

    /// A jump decides what runs after it: all of its innermost block, or the rest of the shader with the loops around
    /// the jump. With calls, it decides all.
    fn jump(&mut self, shader: &Shader, (at, role): (usize, FlowRole), open: &[usize]) {
        let innermost = |roles: &[FlowRole]| {
            let is_it =
                |begin: usize| roles.contains(&shader.instructions[begin].opcode.info().flow);
            open.iter().copied().rev().find(|&begin| is_it(begin))
        };
        match role {
            FlowRole::Break | FlowRole::Case | FlowRole::Default => {
                self.instructions.extend(innermost(&[FlowRole::LoopBegin, FlowRole::SwitchBegin]));
            }
            FlowRole::Continue => self.instructions.extend(innermost(&[FlowRole::LoopBegin])),
            FlowRole::Call
            | FlowRole::Return
            | FlowRole::Branch
            | FlowRole::Kill
            | FlowRole::KillIf
            | FlowRole::Demote => {
                let is_loop = |&begin: &usize| {
                    shader.instructions[begin].opcode.info().flow == FlowRole::LoopBegin
                };
                let outermost = open.iter().copied().find(is_loop);
                let is_everywhere = self.has_calls || role == FlowRole::Branch;
                let first = if is_everywhere { 0 } else { outermost.unwrap_or(at) };
                self.rest = self.rest.min(first);
            }
            _ => {}
        }
    }

    fn write(&mut self, inst: &Instruction) {
        // An emitted vertex takes the outputs with it.
        if inst.opcode == Opcode::Emit {
            self.files.insert(File::Output);
        }
        for dst in &inst.dst {
            let (file, index) = (dst.reg.file, dst.reg.index);
            match dst.reg.indirect {
                Some(_) => {
                    self.files.insert(file);
                }
                None => self.channels.extend(dst.mask.iter().map(|one| (file, index, one.index()))),
            }
        }
    }

    /// Takes back the channels that an instruction writes in any case.
    fn take_back(&mut self, inst: &Instruction) {
        if inst.predicate.is_some() {
            return;
        }
        for dst in inst.dst.iter().filter(|dst| dst.reg.indirect.is_none()) {
            for one in dst.mask.iter() {
                self.channels.remove(&(dst.reg.file, dst.reg.index, one.index()));
            }
        }
    }

    /// Whether an operand or a subscript depends on the sources.
    fn is_read(&self, inst: &Instruction) -> bool {
        let of_source = |src: &Src| {
            let mut channels = src.swizzle.components().into_iter();
            channels.any(|one| self.holds(&src.reg, one.index()))
        };
        let of_subscript = |one: Indirect| self.has((one.file, one.index, one.component.index()));
        let of_predicate = inst.predicate.is_some_and(|predicate| {
            let mut channels = predicate.swizzle.components().into_iter();
            channels.any(|one| self.has((File::Predicate, predicate.index, one.index())))
        });
        of_predicate
            || inst.src.iter().any(of_source)
            || registers(inst).flat_map(subscripts).any(of_subscript)
    }

    fn holds(&self, reg: &Register, channel: usize) -> bool {
        let is_any = reg.indirect.is_some() && self.channels.iter().any(|one| one.0 == reg.file);
        is_any || self.has((reg.file, reg.index, channel))
    }

    fn has(&self, place: (File, i16, usize)) -> bool {
        self.files.contains(&place.0) || self.channels.contains(&place)
    }
}

/// The registers of an instruction.
pub(super) fn registers(inst: &Instruction) -> impl Iterator<Item = Register> {
    let written = inst.dst.iter().map(|dst: &Dst| dst.reg);
    written.chain(inst.src.iter().map(|src: &Src| src.reg))
}

/// The registers that are added to the subscripts of another one.
fn subscripts(reg: Register) -> impl Iterator<Item = Indirect> {
    [reg.indirect, reg.dimension.and_then(|one| one.indirect)].into_iter().flatten()
}

fn is_begin(role: FlowRole) -> bool {
    matches!(role, FlowRole::If | FlowRole::LoopBegin | FlowRole::SwitchBegin | FlowRole::SubBegin)
}

fn is_end(role: FlowRole) -> bool {
    matches!(role, FlowRole::EndIf | FlowRole::LoopEnd | FlowRole::SwitchEnd | FlowRole::SubEnd)
}

#[cfg(test)]
mod tests {
    use tgsi_ir::{Component, File, Instruction, Opcode, Predicate, Swizzle};

    use super::{Spread, dependents};

    /// The instructions that depend on the first one, of a body that follows it.
    fn found(body: &str) -> Vec<usize> {
        let text = format!(
            "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
             PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL HWATOMIC[0..1]\nDCL TEMP[0..3]\nDCL ADDR[0]\n\
             IMM[0] UINT32 {{0, 4, 1, 0}}\nATOMUADD TEMP[0].x, HWATOMIC[0], IMM[0].xxxx, IMM[0].zzzz\n\
             {body}END\n"
        );
        let parsed = tgsi_text::parse(&text);
        assert_eq!(parsed.diagnostics, [], "{text}");
        dependents(&parsed.shader, &[0].into()).into_iter().collect()
    }

    #[test]
    fn operands_and_subscripts_depend_on_what_they_read() {
        let add =
            |amount: &str| format!("ATOMUADD TEMP[0].y, HWATOMIC[1], IMM[0].xxxx, {amount}\n");
        assert_eq!(found(&add("TEMP[0].xxxx")), [1]);
        assert!(found(&add("TEMP[0].yyyy")).is_empty());
        let moved = format!("MOV TEMP[1].zw, TEMP[0].xxxx\n{}", add("TEMP[1].wwww"));
        assert_eq!(found(&moved), [1, 2]);
        let indexed = "UARL ADDR[0].x, TEMP[0].xxxx\nMOV TEMP[ADDR[0].x].x, IMM[0].xxxx\n";
        assert_eq!(found(&format!("{indexed}{}", add("TEMP[3].yyyy"))), [1, 2, 3]);
    }

    #[test]
    fn blocks_depend_on_their_conditions() {
        let (branch, read) = ("UIF TEMP[0].xxxx\n", "MOV TEMP[1].x, IMM[0].xxxx\n");
        assert_eq!(found(&format!("{branch}{read}ENDIF\nMOV TEMP[2].x, IMM[0].xxxx\n")), [1, 2]);
        assert!(found(&format!("UIF IMM[0].xxxx\n{read}ENDIF\n")).is_empty());
        // Whether the loop goes on decides whether its first instruction runs again.
        let endless =
            format!("BGNLOOP\n{read}{branch}BRK\nENDIF\nENDLOOP\nMOV TEMP[2].x, IMM[0].xxxx\n");
        assert_eq!(found(&endless), [1, 2, 3, 4, 5]);
        let before = "MOV TEMP[2].x, IMM[0].xxxx\n";
        assert_eq!(found(&format!("{before}{branch}RET\nENDIF\n{read}")), [2, 3, 4, 5, 6]);
        let looped = format!("{before}BGNLOOP\n{read}{branch}RET\nENDIF\nENDLOOP\n");
        assert_eq!(found(&looped), [2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn registers_that_are_written_anew_no_longer_depend_on_it() {
        let add = "ATOMUADD TEMP[0].y, HWATOMIC[1], IMM[0].xxxx, TEMP[0].xxxx\n";
        let anew = "MOV TEMP[0].x, IMM[0].xxxx\n";
        assert!(found(&format!("{anew}{add}")).is_empty());
        assert_eq!(found(&format!("{add}{anew}{add}")), [1]);
        let sometimes = format!("UIF IMM[0].xxxx\n{anew}ENDIF\n{add}");
        assert_eq!(found(&sometimes), [4]);
        // The value of one iteration is read in the next.
        let carried = format!(
            "{anew}BGNLOOP\n{add}MOV TEMP[0].x, TEMP[1].xxxx\n\
                               ATOMUADD TEMP[1].x, HWATOMIC[0], IMM[0].xxxx, TEMP[0].yyyy\nENDLOOP\n"
        );
        assert!(found(&carried).is_empty());
        let carried = format!("MOV TEMP[1].x, TEMP[0].xxxx\n{carried}");
        assert_eq!(found(&carried), [1, 4, 5, 6]);
    }

    #[test]
    fn loops_in_branches_carry_values_to_their_next_iteration() {
        let body = "UIF IMM[0].xxxx\nBGNLOOP\n\
                    ATOMUADD TEMP[3].x, HWATOMIC[1], IMM[0].xxxx, TEMP[1].xxxx\n\
                    MOV TEMP[1].x, TEMP[0].xxxx\nENDLOOP\nENDIF\n";
        assert_eq!(found(body), [3, 4]);
    }

    #[test]
    fn predicated_instructions_depend_on_their_predicate() {
        let mut inst = Instruction::new(Opcode::Mov);
        inst.predicate =
            Some(Predicate { index: 0, swizzle: Swizzle::splat(Component::X), negate: false });
        let mut spread = Spread::default();
        assert!(!spread.is_read(&inst));
        spread.channels.insert((File::Predicate, 0, 0));
        assert!(spread.is_read(&inst));
    }

    /// In reverse order, each pass finds one more of them.
    #[test]
    fn long_chains_through_iterations_are_given_up() {
        let moves: String =
            (0..60).rev().map(|n| format!("MOV TEMP[{}].x, TEMP[{n}].xxxx\n", n + 1)).collect();
        let text = format!(
            "COMP\nDCL HWATOMIC[0..1]\nDCL TEMP[0..60]\nIMM[0] UINT32 {{0, 4, 1, 0}}\n\
             ATOMUADD TEMP[0].x, HWATOMIC[0], IMM[0].xxxx, IMM[0].zzzz\nBGNLOOP\n{moves}ENDLOOP\nEND\n"
        );
        let parsed = tgsi_text::parse(&text);
        assert_eq!(parsed.diagnostics, [], "{text}");
        assert_eq!(dependents(&parsed.shader, &[0].into()).len(), 64);
    }
}
