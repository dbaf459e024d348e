//! What depends on results that the order of invocations decides.

use std::collections::BTreeSet;

use tgsi_ir::{File, FlowRole, Indirect, Instruction, Register, Shader, Src};

use super::together::registers;

/// The instructions that read what those at `sources` give, or run only where it has some value; in both cases also by
/// way of other instructions.
pub(super) fn dependents(shader: &Shader, sources: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut spread = Spread::default();
    loop {
        let before = spread.len();
        spread.pass(shader, sources);
        if spread.len() == before {
            return spread.instructions;
        }
    }
}

/// What is known to depend on the sources. Registers are never taken back, whatever is written to them later.
#[derive(Default)]
struct Spread {
    /// Channels of registers.
    channels: BTreeSet<(File, i16, usize)>,
    /// Files in which any register may depend on them.
    files: BTreeSet<File>,
    /// Instructions, and of blocks in which all depend on them the first.
    instructions: BTreeSet<usize>,
}

impl Spread {
    fn len(&self) -> usize {
        self.channels.len() + self.files.len() + self.instructions.len()
    }

    /// Goes through the shader once.
    fn pass(&mut self, shader: &Shader, sources: &BTreeSet<usize>) {
        let mut open: Vec<usize> = Vec::new();
        for (at, inst) in shader.instructions.iter().enumerate() {
            let role = inst.opcode.info().flow;
            if is_end(role) {
                open.pop();
            }
            if open.iter().any(|begin| self.instructions.contains(begin)) || self.is_read(inst) {
                self.instructions.insert(at);
                self.jump(shader, role, &open);
            }
            if sources.contains(&at) || self.instructions.contains(&at) {
                self.write(inst);
            }
            if is_begin(role) {
                open.push(at);
            }
        }
    }

    /// A jump decides what runs after it: all of its innermost block, or all of the shader.
    fn jump(&mut self, shader: &Shader, role: FlowRole, open: &[usize]) {
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
            | FlowRole::Demote => self.instructions.extend(0..shader.instructions.len()),
            _ => {}
        }
    }

    fn write(&mut self, inst: &Instruction) {
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

    /// Whether an operand or a subscript depends on the sources.
    fn is_read(&self, inst: &Instruction) -> bool {
        let of_source = |src: &Src| {
            let mut channels = src.swizzle.components().into_iter();
            channels.any(|one| self.holds(&src.reg, one.index()))
        };
        let of_subscript = |one: Indirect| self.has((one.file, one.index, one.component.index()));
        inst.src.iter().any(of_source) || registers(inst).flat_map(subscripts).any(of_subscript)
    }

    fn holds(&self, reg: &Register, channel: usize) -> bool {
        let is_any = reg.indirect.is_some() && self.channels.iter().any(|one| one.0 == reg.file);
        is_any || self.has((reg.file, reg.index, channel))
    }

    fn has(&self, place: (File, i16, usize)) -> bool {
        self.files.contains(&place.0) || self.channels.contains(&place)
    }
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
    use super::dependents;

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
        assert_eq!(found(&format!("{branch}RET\nENDIF\n")), [0, 1, 2, 3, 4]);
    }
}
