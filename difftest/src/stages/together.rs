//! Counters that the invocations of a wavefront change together: accesses of one interleave with those of the others.

use std::collections::BTreeSet;

use tgsi_ir::{File, FlowRole, Instruction, Opcode, Register, Shader, WriteMask};

use super::dependence::{dependents, registers};
use crate::scene::{CounterSet, Scene};

/// Bytes of a counter.
const COUNTER: u32 = 4;

/// The use of counters that others change, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CounterUse {
    /// Counters that an invocation accesses again, and may find changed by others.
    pub(super) met_again: CounterSet,
    /// Those of them that it changes by several operations that do not commute: the final value depends on the
    /// interleaving.
    mixed: CounterSet,
    /// Counters with changes that depend on what another one gives, which others may have changed.
    dependent: CounterSet,
}

impl CounterUse {
    /// The counter use of a shader's invocations.
    pub(super) fn of(shader: &Shader) -> Self {
        let accesses = accesses(shader);
        let mut found = Self::default();
        let mut open = BTreeSet::new();
        for (n, one) in accesses.iter().enumerate() {
            let itself = accesses[n..=n].iter().filter(|one| one.is_repeated);
            let others = accesses[n + 1..].iter().chain(itself);
            for other in others.filter(|other| one.may_meet(other)) {
                let changes = [one, other].map(|access| access.opcode.info().is_store);
                let is_one_kind = one.opcode == other.opcode && commutes(one.opcode);
                if changes != [false; 2] {
                    found.met_again.add(one.meeting(other));
                    open.extend([one.at, other.at]);
                }
                if changes == [true; 2] && !is_one_kind {
                    found.mixed.add(one.meeting(other));
                }
            }
        }
        let dependent = dependents(shader, &open);
        let changes = accesses.iter().filter(|access| access.opcode.info().is_store);
        for access in changes.filter(|access| dependent.contains(&access.at)) {
            found.dependent.add([access.buffer.map(i64::from), access.number]);
        }
        found
    }

    /// Final values of the counters of a scene, from a run among others and one without. Others that change a counter
    /// by commutative operations do not affect its final value, unless these depend on what another counter gives.
    /// A counter that they leave alone may still hold a value computed from the other counters.
    pub(super) fn ends_among_others(
        &self,
        scene: &Scene,
        [among, without]: [&[u32]; 2],
    ) -> Vec<u32> {
        let counters = scene.counters().iter();
        let places = counters
            .flat_map(|(&buffer, words)| (0..words.len()).map(move |number| (buffer, number)));
        let end = |((buffer, number), (&among, &without)): ((u32, usize), (&u32, &u32))| {
            let is_changed = self.met_again.contains(buffer, number);
            let is_open =
                [&self.mixed, &self.dependent].iter().any(|set| set.contains(buffer, number));
            if is_changed && !is_open { without } else { among }
        };
        places.zip(among.iter().zip(without)).map(end).collect()
    }
}

/// An access of a counter, with its buffer and number if they are known.
struct Access {
    /// The number of its instruction.
    at: usize,
    opcode: Opcode,
    buffer: Option<i16>,
    number: Option<i64>,
    /// Whether it is in a loop or a subroutine.
    is_repeated: bool,
}

impl Access {
    /// Whether two accesses may be to the same counter.
    fn may_meet(&self, other: &Self) -> bool {
        let is_apart = |a: Option<i64>, b: Option<i64>| a.zip(b).is_some_and(|(a, b)| a != b);
        let [own, its] = [self, other].map(|access| access.buffer.map(i64::from));
        !is_apart(own, its) && !is_apart(self.number, other.number)
    }

    /// The buffer and number of the counters that both may access, if either is known.
    fn meeting(&self, other: &Self) -> [Option<i64>; 2] {
        [self.buffer.or(other.buffer).map(i64::from), self.number.or(other.number)]
    }
}

fn accesses(shader: &Shader) -> Vec<Access> {
    let mut accesses = Vec::new();
    let mut depth = 0_usize;
    for (at, inst) in shader.instructions.iter().enumerate() {
        match inst.opcode.info().flow {
            FlowRole::LoopBegin | FlowRole::SubBegin => depth += 1,
            FlowRole::LoopEnd | FlowRole::SubEnd => depth = depth.saturating_sub(1),
            _ => {}
        }
        for reg in registers(inst).filter(|reg| reg.file == File::HwAtomic) {
            let buffer = reg.dimension.map_or(Some(0), |dimension| {
                Some(dimension.index).filter(|_| dimension.indirect.is_none())
            });
            accesses.push(Access {
                at,
                opcode: inst.opcode,
                buffer,
                number: number(shader, inst, &reg),
                is_repeated: depth > 0,
            });
        }
    }
    accesses
}

/// The only counter number that an instruction with this register can access.
fn number(shader: &Shader, inst: &Instruction, reg: &Register) -> Option<i64> {
    let address = inst.src.iter().find(|src| src.reg.file != File::HwAtomic)?;
    let is_atomic = inst.opcode.info().is_store && inst.opcode != Opcode::Store;
    let is_single = is_atomic || inst.dst.first().is_some_and(|dst| dst.mask == WriteMask::X);
    let is_plain = !address.reg.is_indirect() && !address.has_modifier();
    if !is_single || !is_plain || reg.indirect.is_some() || address.reg.file != File::Immediate {
        return None;
    }
    let immediate = shader.immediates.get(usize::try_from(address.reg.index).ok()?)?;
    let bytes = immediate.word(address.swizzle.components()[0].index());
    Some(i64::from(reg.index) + i64::from(bytes / COUNTER))
}

/// Whether the result of updates of a word by several invocations is the same in any order.
pub(super) fn commutes(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Atomuadd
            | Opcode::Atomand
            | Opcode::Atomor
            | Opcode::Atomxor
            | Opcode::Atomumin
            | Opcode::Atomumax
            | Opcode::Atomimin
            | Opcode::Atomimax
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(body: &str) -> Shader {
        let text = format!(
            "COMP\nDCL MEMORY[0], SHARED\nDCL HWATOMIC[0][0..1]\nDCL HWATOMIC[1][0]\nDCL TEMP[0]\n\
             IMM[0] UINT32 {{0, 4, 0, 0}}\n{body}END\n"
        );
        let parsed = tgsi_text::parse(&text);
        assert_eq!(parsed.diagnostics, [], "{text}");
        parsed.shader
    }

    #[test]
    fn operations_that_do_not_commute_mix_a_counter() {
        let found = |places: [(&str, &str); 2], is_looped: bool| {
            let lines = places.map(|(op, place)| {
                let rest = if op == "LOAD" { "" } else { ", IMM[0].yyyy" };
                format!("{op} TEMP[0].x, HWATOMIC{place}{rest}\n")
            });
            let text = lines.concat();
            let all = match is_looped {
                true => format!("BGNLOOP\n{text}BRK\nENDLOOP\n"),
                false => text,
            };
            let CounterUse { met_again, mixed, .. } = CounterUse::of(&parse(&all));
            [!met_again.is_empty(), !mixed.is_empty()]
        };
        let [first, second] = ["[0][0], IMM[0].xxxx", "[0][1], IMM[0].xxxx"];
        let (also_second, other) = ("[0][0], IMM[0].yyyy", "[1][0], IMM[0].xxxx");
        assert_eq!(found([("ATOMUMIN", first), ("ATOMUADD", first)], false), [true, true]);
        assert_eq!(found([("ATOMUADD", first), ("ATOMUADD", first)], false), [true, false]);
        assert_eq!(found([("LOAD", first), ("ATOMUADD", first)], false), [true, false]);
        assert_eq!(found([("LOAD", first), ("LOAD", first)], false), [false, false]);
        assert_eq!(found([("ATOMUMIN", first), ("ATOMUADD", second)], false), [false, false]);
        assert_eq!(found([("ATOMUMIN", also_second), ("ATOMUADD", second)], false), [true, true]);
        assert_eq!(found([("ATOMUMIN", first), ("ATOMUADD", other)], false), [false, false]);
        assert_eq!(found([("ATOMXCHG", first), ("ATOMUADD", second)], true), [true, true]);
    }

    /// Counters 0 and 1 of the first buffer, and that of the second.
    #[test]
    fn only_counters_with_several_operations_are_changed_by_others() {
        let found = |lines: &[&str]| {
            let CounterUse { met_again, mixed, .. } = CounterUse::of(&parse(&lines.concat()));
            let places = [(0, 0), (0, 1), (1, 0)];
            [met_again, mixed].map(|set| places.map(|(buffer, at)| set.contains(buffer, at)))
        };
        let sum = "ATOMUADD TEMP[0].x, HWATOMIC[0][0], IMM[0].xxxx, IMM[0].yyyy\n";
        let anywhere = "ATOMUADD TEMP[0].x, HWATOMIC[0][0], TEMP[0].xxxx, IMM[0].yyyy\n";
        let minimum = "ATOMUMIN TEMP[0].x, HWATOMIC[0][1], IMM[0].xxxx, IMM[0].yyyy\n";
        let read = "LOAD TEMP[0].x, HWATOMIC[0][1], IMM[0].xxxx\n";
        let read_both = "LOAD TEMP[0].xy, HWATOMIC[0][0], IMM[0].xxxx\n";
        let [none, first, second] = [[false; 3], [true, false, false], [false, true, false]];
        assert_eq!(found(&[sum, sum, read]), [first, none]);
        assert_eq!(found(&[sum, read_both]), [first, none]);
        assert_eq!(found(&[anywhere, sum]), [first, none]);
        assert_eq!(found(&[anywhere, minimum]), [second, second]);
        assert_eq!(found(&[anywhere, anywhere]), [[true, true, false], none]);
    }
}
