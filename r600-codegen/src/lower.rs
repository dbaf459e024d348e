//! TGSI to scalar SSA, for one generation and stage.
//!
//! Each TGSI instruction becomes hardware operations on single channels. Temporaries, outputs and address registers are
//! replaced by the values written to them. There is no further optimisation here. Moves vanish because a register is
//! only a name for the last value written.

mod arithmetic;
mod arrays;
mod bits;
mod control;
mod declared;
mod division;
mod doubles;
pub(crate) mod error;
mod growth;
mod inputs;
mod integer;
mod operands;
mod outputs;
mod packing;
mod pairs;
mod properties;
mod resources;
mod scalar;
mod stage;
mod texture;
mod trigonometry;
mod variables;
mod wide;

use std::collections::BTreeSet;
use std::fmt::Display;

use arrayvec::ArrayVec;
use r600_isa::{AluOp, Chan, Chip, Generation, Hazard, HazardSet};
use tgsi_ir::{
    Component, Declaration, Declarations, File, Indirect, Instruction, InstructionId, Opcode,
    PropertyName, Shader,
};

use crate::abi::{
    CounterSlot, DRIVER_BUFFER, DriverConstant, OutputSlot, ShaderKey, Uniforms, counter_slots,
};
use crate::error::CompileError;
use crate::forms::{Interface, Ssa};
use crate::internal::Broken;
use crate::legal;
use crate::limits::Limits;
use crate::names;
use crate::refusal::Refusal;
use crate::ssa::{AluInst, FetchKind, Function, InstData, Node, Operand, Value};

pub use self::error::LowerError;

use self::arrays::Arrays;
use self::control::{ControlStack, WrittenByCalls};
use self::growth::Growth;
use self::inputs::Inputs;
use self::stage::Stage;
use self::variables::Variables;

/// Lowers `shader` for `chip`, avoiding the chip's hazards except for `ignored`. The shader must have no legacy
/// constructs and must declare the inputs that `key` requires.
///
/// # Errors
/// The first unsupported construct, or an internal error of lowering.
pub fn lower(
    shader: &Shader,
    chip: Chip,
    key: &ShaderKey,
    limits: Limits,
    ignored: HazardSet,
) -> Result<Ssa, CompileError> {
    let mut cx = Lowering::new(shader, chip, key)?;
    cx.ignored = ignored;
    cx.fill_arrays();
    cx.list_outputs()?;
    cx.begin_stage();
    cx.instructions(limits)?;
    cx.finish()
}

/// Expected instructions per TGSI instruction, for reserving space.
const INSTS_PER_INSTRUCTION: usize = 2;

/// The state of lowering one shader.
struct Lowering<'a> {
    shader: &'a Shader,
    declarations: Declarations<'a>,
    generation: Generation,
    key: &'a ShaderKey,
    /// Hardware bugs that are deliberately not avoided.
    ignored: HazardSet,
    function: Function,
    /// Instructions that run before all others, such as input interpolation.
    prologue: Vec<Node>,
    control: ControlStack,
    written_by_calls: WrittenByCalls,
    variables: Variables,
    arrays: Arrays,
    inputs: Inputs,
    outputs: Vec<OutputSlot>,
    counters: Vec<CounterSlot>,
    driver_constants: BTreeSet<DriverConstant>,
    /// Whether the driver's buffer is read.
    reads_driver: bool,
    stage: Stage,
    /// Sizes of patches and vertices, once they are fetched.
    sizes: [Option<[Operand; 4]>; 2],
    /// The lane's place in return buffers, once needed.
    return_slot: Option<Operand>,
    /// The dynamic indices of the current instruction's destinations.
    dst_indices: ArrayVec<(Indirect, Operand), 4>,
    /// Whether zero times anything is zero (`MUL_ZERO_WINS`).
    zero_wins: bool,
    /// Total number of values that loop exits pass.
    handed_on: usize,
    /// Number of phis of all branches.
    phis: usize,
    /// Position of the next instruction.
    next: usize,
    /// Whether `END` was reached at the outermost level.
    ended: bool,
    /// The first broken invariant, reported at the end.
    broken: Option<Broken>,
}

impl<'a> Lowering<'a> {
    fn new(shader: &'a Shader, chip: Chip, key: &'a ShaderKey) -> Result<Self, LowerError> {
        inputs::require_origin(shader)?;
        properties::judge(shader)?;
        properties::judge_key(shader, key)?;
        let mut function = Function::new(chip);
        function.uniforms = key.uniforms;
        function.reserve(INSTS_PER_INSTRUCTION * shader.instructions.len());
        let mut variables = Variables::new(shader)?;
        let stage = Stage::of(shader, chip.generation(), key, &mut variables)?;
        let declarations = Declarations::of(shader);
        let inputs = Inputs::new(shader, &declarations, &stage, key, chip.generation())?;
        if chip == Chip::Latte && stage.has_attributes() {
            inputs.judge_semantic_fetches(key)?;
        }
        let arrays = Arrays::new(shader, &declarations, &mut function)?;
        Ok(Self {
            shader,
            declarations,
            generation: chip.generation(),
            key,
            ignored: HazardSet::NONE,
            function,
            prologue: Vec::new(),
            control: ControlStack::new(shader, &mut variables)?,
            written_by_calls: WrittenByCalls::default(),
            variables,
            arrays,
            inputs,
            outputs: Vec::new(),
            counters: counter_slots(shader, key.first_counter),
            driver_constants: BTreeSet::new(),
            reads_driver: false,
            stage,
            sizes: [None; 2],
            return_slot: None,
            dst_indices: ArrayVec::new(),
            zero_wins: shader.is_set(PropertyName::MulZeroWins),
            handed_on: 0,
            phis: 0,
            next: 0,
            ended: false,
            broken: None,
        })
    }

    /// Lowers from the first instruction to `END`, inlining subroutines at their calls. Nested calls could grow the
    /// program without bound; the limit prevents that.
    fn instructions(&mut self, limits: Limits) -> Result<(), LowerError> {
        let shader = self.shader;
        let most = shader.instructions.len().max(limits.instructions);
        let mut growth = Growth::up_to(most);
        for _ in 0..most {
            let n = self.next;
            let Some(inst) = shader.instructions.get(n).filter(|_| !self.ended) else {
                return Ok(());
            };
            let at = InstructionId::from_index(n);
            self.next = n + 1;
            self.arrays.next_instruction();
            self.dst_indices.clear();
            self.function.origin = Some(at);
            self.instruction(at, inst)
                .map_err(|error| LowerError { at: error.at.or(Some(at)), ..error })?;
            if !growth.allows(&self.function) {
                let error = LowerError::new(inst.opcode.info().name, Refusal::OperationGrowth);
                return Err(LowerError { at: Some(at), ..error });
            }
        }
        let is_done = self.ended || self.next >= shader.instructions.len();
        if is_done { Ok(()) } else { Err(LowerError::new("CAL", Refusal::ProgramGrowth)) }
    }

    fn instruction(&mut self, at: InstructionId, inst: &Instruction) -> Result<(), LowerError> {
        if inst.predicate.is_some() {
            return Err(LowerError::new("predicate", Refusal::NotModernised));
        }
        if self.control_flow(at, inst)? || self.control.is_unreachable() {
            return Ok(());
        }
        self.read_dst_indices(inst)?;
        if let Some(form) = arithmetic::form(inst.opcode) {
            return self.arithmetic(inst, form);
        }
        if let Some(function) = doubles::function(inst.opcode) {
            self.require_doubles(inst.opcode)?;
            return self.on_pairs(inst, function);
        }
        if is_texture(inst.opcode) {
            return self.texture(inst);
        }
        if self.stage_instruction(inst)? {
            return Ok(());
        }
        if resources::is_access(inst) {
            return self.resource(inst);
        }
        match inst.opcode {
            Opcode::Nop => Ok(()),
            Opcode::Membar => self.memory_barrier(),
            Opcode::Clock => self.clock(inst),
            Opcode::Dfracexp => {
                self.require_doubles(inst.opcode)?;
                self.fraction_and_exponent(inst)
            }
            Opcode::Fma => self.fused(inst),
            Opcode::InterpCentroid | Opcode::InterpSample | Opcode::InterpOffset => {
                self.reinterpolate(inst)
            }
            Opcode::Kill | Opcode::Demote => self.kill(Operand::float(-1.0)),
            Opcode::KillIf => self.kill_if(inst),
            Opcode::Ddx | Opcode::Ddy | Opcode::DdxFine | Opcode::DdyFine => self.derivative(inst),
            opcode if inst.src.len() < usize::from(opcode.info().num_src) => {
                Err(LowerError::new(opcode.info().name, Refusal::MissingSource))
            }
            opcode => Err(unsupported(opcode)),
        }
    }

    fn finish(mut self) -> Result<Ssa, CompileError> {
        if !self.ended {
            return Err(LowerError::new("END", Refusal::NoEnd).into());
        }
        // Without an origin of its own, an export takes that of its value.
        self.function.origin = None;
        self.finish_stage()?;
        self.require_driver_buffer()?;
        self.bind();
        if let Some(broken) = self.broken {
            return Err(broken.found_by(names::LOWER).into());
        }
        let mut body = self.control.into_body().map_err(|broken| broken.found_by(names::LOWER))?;
        body.nodes.splice(0..0, self.prologue);
        self.function.body = body;
        let mut interface = Interface {
            processor: self.shader.processor,
            inputs: self.inputs.slots,
            outputs: self.outputs,
            counters: self.counters,
            driver_constants: self.driver_constants,
            streams: self.stage.streams(),
            entry: self.inputs.entry,
            has_attributes: self.stage.has_attributes(),
            num_filled: 0,
        };
        interface.count_filled(self.generation, self.key);
        Ok(Ssa { function: self.function, interface })
    }

    /// Refuses a shader that reads driver constants but declares buffer 15 itself, or has its constants in the constant
    /// file.
    fn require_driver_buffer(&self) -> Result<(), LowerError> {
        let is_own = |d: &Declaration| match d.file {
            File::Constant => d.dimension == Some(u16::from(DRIVER_BUFFER)),
            File::Constbuf => d.range.contains(i32::from(DRIVER_BUFFER)),
            _ => false,
        };
        if self.reads_driver && self.key.uniforms == Uniforms::Registers {
            return Err(LowerError::new("CONST", Refusal::ConstantFileDriver));
        }
        if self.reads_driver && self.shader.declarations.iter().any(is_own) {
            return Err(LowerError::new("CONST[15]", Refusal::DriverBuffer));
        }
        Ok(())
    }

    /// Renumbers fetch resources according to the bindings; up to here they have the open driver's numbers.
    fn bind(&mut self) {
        let (bindings, chip) = (self.key.bindings, self.function.chip);
        for inst in self.function.insts.values_mut() {
            let InstData::Fetch(fetch) = &mut inst.data else { continue };
            for step in &mut fetch.steps {
                match &mut step.kind {
                    FetchKind::Tex(tex) => {
                        tex.resource_id = bindings.resource(chip, tex.resource_id)
                    }
                    FetchKind::Vtx(vtx) | FetchKind::Covering(vtx) => {
                        vtx.buffer_id = bindings.resource(chip, vtx.buffer_id)
                    }
                    FetchKind::Gds(_) => {}
                }
            }
        }
    }

    /// Appends an instruction to the region being built; returns its results.
    fn emit(&mut self, data: InstData) -> ArrayVec<Value, 4> {
        let id = self.function.make_inst(data);
        self.control.push(Node::Inst(id));
        self.function.insts[id].results.clone()
    }

    /// Appends an ALU operation. Operands with unsupported modifiers are moved first.
    fn alu(&mut self, op: AluOp, src: &[Operand]) -> Operand {
        let mut legal = AluInst::new(op, src);
        for operand in &mut legal.src {
            if !legal::accepts(op, *operand) {
                *operand = self.copy(*operand);
            }
        }
        Operand::value(self.emit(InstData::Alu(legal))[0])
    }

    /// `operand` with its modifiers applied, as a value of its own.
    fn copy(&mut self, operand: Operand) -> Operand {
        let mov = AluInst::new(AluOp::Mov, &[operand]);
        Operand::value(self.emit(InstData::Alu(mov))[0])
    }

    /// `operand` without modifiers, as integer operations require.
    fn plain(&mut self, operand: Operand) -> Operand {
        if operand.has_modifier() { self.copy(operand) } else { operand }
    }

    /// Records a broken invariant, which [`finish`](Self::finish) reports; returns a placeholder operand.
    fn broken(&mut self, place: impl Display, what: &str) -> Operand {
        self.broken.get_or_insert_with(|| Broken::new(place, what));
        Operand::ZERO
    }

    /// A channel of a driver constant.
    fn driver_constant(&mut self, constant: DriverConstant, chan: Chan) -> Operand {
        self.reads_driver = true;
        self.driver_constants.insert(constant);
        Operand::uniform(DRIVER_BUFFER, constant.vector(), chan)
    }

    /// Whether code must avoid this known or suspected hardware bug.
    fn avoids(&self, hazard: Hazard) -> bool {
        self.function.chip.has(hazard) && !self.ignored.contains(hazard)
    }

    /// Whether the chip has this bug and code deliberately does not avoid it.
    fn ignores(&self, hazard: Hazard) -> bool {
        self.function.chip.has(hazard) && self.ignored.contains(hazard)
    }

    /// Whether the chip has instructions for bit fields, counts and halves.
    fn has_bit_ops(&self) -> bool {
        matches!(self.generation, Generation::Evergreen | Generation::Cayman)
    }

    fn fused(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        if !legal::has_doubles(self.function.chip) {
            let reason = Refusal::NoFusedMultiply;
            return Err(LowerError::new("FMA", reason));
        }
        self.arithmetic(inst, arithmetic::Form::PerChannel(AluOp::Fma))
    }

    fn require_doubles(&self, opcode: Opcode) -> Result<(), LowerError> {
        if legal::has_doubles(self.function.chip) {
            return Ok(());
        }
        let reason = Refusal::NoDoubles;
        Err(LowerError::new(opcode.info().name, reason))
    }

    /// The multiplication that the shader requires.
    fn mul_op(&self) -> AluOp {
        if self.zero_wins { AluOp::Mul } else { AluOp::MulIeee }
    }

    /// The multiply-add that the shader requires.
    fn muladd_op(&self) -> AluOp {
        if self.zero_wins { AluOp::Muladd } else { AluOp::MuladdIeee }
    }

    fn kill(&mut self, value: Operand) -> Result<(), LowerError> {
        self.alu(AluOp::Killgt, &[Operand::ZERO, value]);
        Ok(())
    }

    /// Kills lanes in which any channel is below zero; each distinct channel is tested once.
    fn kill_if(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let mut tested = Vec::with_capacity(4);
        for component in Component::ALL {
            let value = self.source(inst, 0, component)?;
            if !tested.contains(&value) {
                tested.push(value);
                self.kill(value)?;
            }
        }
        Ok(())
    }
}

/// Whether an opcode reads a texture. Queries of views do, although they have no texture word. `SAMP2HND` does not,
/// although it has one.
fn is_texture(opcode: Opcode) -> bool {
    let is_query =
        matches!(opcode, Opcode::Sviewinfo | Opcode::SamplePos | Opcode::SampleInfo | Opcode::Lod);
    is_query || opcode.info().has_texture_word() && opcode != Opcode::Samp2hnd
}

/// The refusal of an unsupported opcode.
fn unsupported(opcode: Opcode) -> LowerError {
    let reason = match opcode {
        Opcode::Fbfetch => Refusal::NoColorReads,
        Opcode::Img2hnd | Opcode::Samp2hnd => Refusal::NoHandles,
        Opcode::VoteAny
        | Opcode::VoteAll
        | Opcode::VoteEq
        | Opcode::Ballot
        | Opcode::ReadInvoc
        | Opcode::ReadFirst => Refusal::LanesApart,
        Opcode::ReadHelper => Refusal::DemotedLanes,
        _ => Refusal::UnsupportedOpcode,
    };
    LowerError::new(opcode.info().name, reason)
}

/// The hardware's name for a TGSI channel.
fn chan(component: Component) -> Chan {
    match component {
        Component::X => Chan::X,
        Component::Y => Chan::Y,
        Component::Z => Chan::Z,
        Component::W => Chan::W,
    }
}
