//! Text of SSA functions, for dumps and tests.

use std::fmt::{self, Display, Write as _};

use r600_isa::{MemoryAccess, Omod};

use super::{
    Arm, ArrayAccess, ArrayPlace, Event, ExitKind, FetchKind, Function, Inst, InstData, InterpPart,
    MemoryInst, Operand, Source,
};

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
            writeln!(f, "{}", InstText(&function.insts[inst]))
        }
        Event::Condition(branch) => {
            indent(f, depth)?;
            let [a, b] = branch.condition.src;
            writeln!(f, "if {} {a}, {b} {{", branch.condition.op.name())
        }
        // The arm is inside the branch, the line between the arms is not.
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
struct InstText<'a>(&'a Inst);

impl Display for InstText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, value) in self.0.results.iter().enumerate() {
            write!(f, "{}{value}", if n == 0 { "" } else { ", " })?;
        }
        if !self.0.results.is_empty() {
            write!(f, " = ")?;
        }
        write!(f, "{}", Mnemonic(&self.0.data))?;
        if let InstData::Export(export) = &self.0.data {
            return write_components(f, &export.src);
        }
        let mut result = Ok(());
        let mut first = true;
        self.0.data.for_each_operand(|operand| {
            let comma = if first { " " } else { ", " };
            first = false;
            result = result.and_then(|()| write!(f, "{comma}{operand}"));
        });
        result
    }
}

/// Components, masked ones as `_`.
fn write_components(f: &mut fmt::Formatter<'_>, src: &[Option<Operand>; 4]) -> fmt::Result {
    for (n, component) in src.iter().enumerate() {
        f.write_str(if n == 0 { " " } else { ", " })?;
        match component {
            Some(operand) => write!(f, "{operand}")?,
            None => f.write_char('_')?,
        }
    }
    Ok(())
}

/// What stands before the operands.
struct Mnemonic<'a>(&'a InstData);

impl Display for Mnemonic<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
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
            InstData::Fetch(fetch) => fetch.steps.iter().try_for_each(|step| match &step.kind {
                FetchKind::Tex(tex) => {
                    write!(f, "{:?} t{} s{}", tex.op, tex.resource_id, tex.sampler_id)
                }
                FetchKind::Vtx(vtx) => write!(f, "{:?} b{}", vtx.op, vtx.buffer_id),
                FetchKind::Covering(vtx) => {
                    write!(f, "{:?} b{} (covering)", vtx.op, vtx.buffer_id)
                }
                FetchKind::Gds(gds) => write!(f, "{}", gds.op.name()),
            }),
            InstData::Export(export) => write!(f, "export {:?}", export.target),
            InstData::Counter(counter) => write!(f, "counter {counter:?}"),
            InstData::Load(access) => write!(f, "load {}", ElementText(access)),
            InstData::Store(access, _) => write!(f, "store {}", ElementText(access)),
            InstData::Memory(memory) => write_memory(f, memory),
            InstData::Event(flow) => write!(f, "{} {}", flow.op.name(), flow.count),
            InstData::Local(local) => write!(f, "{}", local.access.op.name()),
            InstData::Barrier => write!(f, "barrier"),
        }
    }
}

fn write_memory(f: &mut fmt::Formatter<'_>, memory: &MemoryInst) -> fmt::Result {
    write!(f, "{}", memory.template.op.name())?;
    match memory.template.access {
        MemoryAccess::Base(base) => write!(f, " {base}"),
        MemoryAccess::Rat(rat) => write!(f, " {} {}", rat.id, rat.op),
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
