//! Text of SSA functions, for dumps and tests; [`parse`](super::parse()) reads it back.

mod memory;

use std::fmt::{self, Display, Write as _};

use r600_isa::{Generation, Omod};

use super::{
    Arm, ArrayAccess, ArrayPlace, Event, ExitKind, Function, Inst, InstData, InterpPart, Operand,
    Source,
};
use crate::abi::Uniforms;

impl Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.neg { "-" } else { "" };
        let bar = if self.abs { "|" } else { "" };
        write!(f, "{sign}{bar}{}{bar}", self.source)
    }
}

impl Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(value) => write!(f, "{value}"),
            Self::Const(bits) => write!(f, "{bits:#x}"),
            Self::Uniform { bank, index, chan } => {
                write!(f, "c{bank}[{index}].{}", chan.letter())
            }
        }
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.uniforms == Uniforms::Registers {
            writeln!(f, "uniforms in registers")?;
        }
        for (array, info) in &self.arrays {
            match info.place {
                ArrayPlace::Registers => writeln!(f, "{array} = {} in registers", info.len)?,
                ArrayPlace::Scratch(first) => {
                    writeln!(f, "{array} = {} in scratch from {first}", info.len)?;
                }
            }
        }
        for live in &self.live_in {
            writeln!(f, "{} = live in R{}.{}", live.value, live.gpr, live.chan.letter())?;
        }
        let mut walk = self.body.walk();
        while let Some(event) = walk.next() {
            write_event(f, self, event, walk.depth())?;
        }
        Ok(())
    }
}

fn write_event(
    f: &mut fmt::Formatter<'_>,
    function: &Function,
    event: Event<'_>,
    depth: usize,
) -> fmt::Result {
    match event {
        Event::Inst(inst) => {
            indent(f, depth)?;
            let generation = function.chip.generation();
            writeln!(f, "{}", InstText { inst: &function.insts[inst], generation })
        }
        Event::Condition(branch) => {
            indent(f, depth)?;
            let [a, b] = branch.condition.src;
            writeln!(f, "if {} {a}, {b} {{", branch.condition.op.name())
        }
        // The depth at this event is that of the arm. The line between the arms is one level further out.
        Event::Arm(branch, Arm::Otherwise) if !branch.otherwise.nodes.is_empty() => {
            indent(f, depth.saturating_sub(1))?;
            writeln!(f, "}} else {{")
        }
        Event::Branch(_) | Event::Arm(..) | Event::ArmEnd(..) => Ok(()),
        Event::Join(branch) => {
            indent(f, depth)?;
            f.write_char('}')?;
            for phi in &branch.phis {
                write!(f, " {} = ({}, {})", phi.value, phi.then, phi.otherwise)?;
            }
            writeln!(f)
        }
        Event::Loop(body) => {
            indent(f, depth)?;
            write!(f, "loop")?;
            for param in &body.params {
                write!(f, " {} = {}", param.value, param.init)?;
            }
            writeln!(f, " {{")
        }
        Event::LoopEnd(body) => {
            indent(f, depth)?;
            f.write_char('}')?;
            body.results.iter().try_for_each(|value| write!(f, " {value}"))?;
            writeln!(f)
        }
        Event::Exit(exit) => {
            indent(f, depth)?;
            f.write_str(match exit.kind {
                ExitKind::Break => "break",
                ExitKind::Continue => "continue",
            })?;
            exit.args.iter().try_for_each(|arg| write!(f, " {arg}"))?;
            writeln!(f)
        }
    }
}

fn indent(f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
    write!(f, "{:1$}", "", 2 * depth)
}

/// An instruction on one line.
struct InstText<'a> {
    inst: &'a Inst,
    generation: Generation,
}

impl Display for InstText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inst { data, results } = self.inst;
        for (n, value) in results.iter().enumerate() {
            write!(f, "{}{value}", if n == 0 { "" } else { ", " })?;
        }
        if !results.is_empty() {
            write!(f, " = ")?;
        }
        match data {
            InstData::Fetch(fetch) => memory::write_fetch(f, fetch, self.generation),
            InstData::Memory(memory) => memory::write_memory(f, memory, self.generation),
            InstData::Event(flow) => memory::write_event(f, flow, self.generation),
            InstData::Local(local) => memory::write_local(f, local),
            InstData::Export(export) => {
                write!(f, "export {:?} ", export.target)?;
                write_components(f, &export.src)
            }
            InstData::Alu(_)
            | InstData::Dot(_)
            | InstData::Cube(_)
            | InstData::Double(_)
            | InstData::Interp(_)
            | InstData::Load(_)
            | InstData::Store(..)
            | InstData::Barrier
            | InstData::Counter(_) => write_plain(f, data),
        }
    }
}

/// A mnemonic and a list of operands.
fn write_plain(f: &mut fmt::Formatter<'_>, data: &InstData) -> fmt::Result {
    write_mnemonic(f, data)?;
    let mut result = Ok(());
    let mut comma = " ";
    data.for_each_operand(|operand| {
        result = result.and_then(|()| write!(f, "{comma}{operand}"));
        comma = ", ";
    });
    result
}

/// Components, masked ones as `_`.
fn write_components(f: &mut fmt::Formatter<'_>, src: &[Option<Operand>; 4]) -> fmt::Result {
    for (n, component) in src.iter().enumerate() {
        f.write_str(if n == 0 { "" } else { ", " })?;
        match component {
            Some(operand) => write!(f, "{operand}")?,
            None => f.write_char('_')?,
        }
    }
    Ok(())
}

/// The mnemonic of an instruction whose operands are a plain list.
fn write_mnemonic(f: &mut fmt::Formatter<'_>, data: &InstData) -> fmt::Result {
    match data {
        InstData::Alu(alu) => {
            write!(f, "{}{}{}", alu.op.name(), omod_suffix(alu.omod), sat_suffix(alu.clamp))
        }
        InstData::Dot(dot) => {
            let zero = if dot.ieee { "" } else { "_zero" };
            write!(f, "dot{}{zero}{}", dot.pairs.len(), sat_suffix(dot.clamp))
        }
        InstData::Cube(_) => write!(f, "cube"),
        InstData::Double(double) => write!(f, "{}", double.op.name()),
        InstData::Interp(interp) => {
            let part = match interp.part {
                InterpPart::Xy => "xy",
                InterpPart::Zw => "zw",
                InterpPart::Flat => "flat",
            };
            write!(f, "interp.{part} p{}", interp.param)
        }
        InstData::Load(access) => write!(f, "load {}", ElementText(access)),
        InstData::Store(access, _) => write!(f, "store {}", ElementText(access)),
        InstData::Barrier => write!(f, "barrier"),
        InstData::Counter(counter) => write!(f, "counter {counter:?}"),
        // Their operands are not a plain list.
        InstData::Fetch(_)
        | InstData::Export(_)
        | InstData::Memory(_)
        | InstData::Event(_)
        | InstData::Local(_) => Ok(()),
    }
}

struct ElementText<'a>(&'a ArrayAccess);

impl Display for ElementText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}].{}", self.0.array, self.0.offset, self.0.chan.letter())
    }
}

fn omod_suffix(omod: Omod) -> &'static str {
    match omod {
        Omod::None => "",
        Omod::Times2 => "*2",
        Omod::Times4 => "*4",
        Omod::Half => "/2",
    }
}

fn sat_suffix(clamp: bool) -> &'static str {
    if clamp { "_sat" } else { "" }
}
