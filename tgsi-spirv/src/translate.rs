//! Translates one entry point to one shader.

mod access;
mod arithmetic;
mod atomic;
mod built_in;
mod call;
mod composite;
mod convert;
mod counted;
mod declare;
mod dots;
mod flow;
mod glsl;
mod images;
mod inputs;
mod instruction;
mod join;
pub(crate) mod layout;
mod leave;
mod load;
mod locations;
mod matrix;
mod members;
mod modes;
mod outputs;
mod pack;
mod paths;
mod phi;
mod qualifiers;
mod registers;
mod resources;
mod sample;
mod sample_operands;
mod settle;
mod shared;
mod store;
mod switch;
mod targets;
mod trigonometry;
pub(crate) mod value;
mod wide;
mod wide_glsl;
mod wide_matrix;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use tgsi_ir::{Opcode, Processor, Shader, WriteMask};

use crate::binary::{Id, Inst};
use crate::code::{Code, Operand, Spent, Target};
use crate::constant::Const;
use crate::error::{Fault, invalid, too_large, unsupported};
use crate::interface::Interface;
use crate::module::{EntryPoint, Function, Module};
use crate::options::Options;
use crate::types::{Shape, Type};

pub(crate) use self::declare::processor;
use self::flow::Construct;
use self::registers::Registers;
use self::resources::Resources;
use self::value::{Handle, Pointer, Value};

/// Maximum depth of nested inlining.
const MAX_CALLS: usize = 64;

/// Number of module words whose scan counts as the work of one instruction.
const WORDS_OF_STEP: usize = 16;

/// The shader under construction.
pub(crate) struct Translator<'m> {
    pub(crate) module: &'m Module<'m>,
    entry: &'m EntryPoint,
    options: &'m Options,
    processor: Processor,
    code: Code,
    /// Pointers to variables outside functions.
    globals: HashMap<Id, Value>,
    /// Cached constants with parts.
    constants: RefCell<HashMap<Id, Value>>,
    /// Cached first registers of structure members.
    member_slots: HashMap<Id, Vec<u32>>,
    /// Cached first bytes of structure members, without decorations.
    member_offsets: HashMap<(value::Layout, Id), Vec<u32>>,
    used: call::Used,
    registers: Registers,
    resources: Resources,
    outputs: Vec<outputs::Shadow>,
    /// The register of `CONST[0]` that holds the direction of rows.
    y_transform: Option<u32>,
    /// The register of `CONST[0]` that holds the number of the first instance.
    base_instance: Option<u32>,
    /// Number of clip distances, and of cull distances.
    num_clip: [u32; 2],
    interface: Interface,
    frames: Vec<Frame<'m>>,
    /// The paths through each function, computed for its first loop.
    paths: HashMap<Id, Rc<paths::Paths<'m>>>,
    /// First temporaries of function variables. Calls share those of a variable that takes more than one.
    locals: HashMap<Id, u32>,
    /// The current place, for errors.
    place: Option<Inst<'m>>,
    /// Number of open blocks in the TGSI.
    depth: usize,
    /// Whether the operations of the current instruction must be exact.
    is_precise: bool,
    /// The flag of discarded lanes: a temporary that holds all ones in each of them.
    discarded: Option<u32>,
    /// Whether discarded lanes may still be running here.
    discarded_go_on: bool,
    /// Maximum number of times that a discarded lane gets here: the product of the iterations of the surrounding loops
    /// that it may enter.
    discarded_iterations: usize,
}

/// A function that is being inlined.
struct Frame<'m> {
    function: &'m Function<'m>,
    values: HashMap<Id, (Id, Value)>,
    /// Targets of the branches translated so far.
    reached: HashSet<Id>,
    constructs: Vec<Construct>,
    /// The temporary that holds all ones until the function returns early.
    running: Option<u32>,
    /// The destination of the result.
    result: Option<Value>,
    /// The registers of values that duplicated code defines. `None` outside such code.
    settled: Option<HashMap<Id, Value>>,
    /// The same registers, kept here outside duplicated code.
    settled_before: HashMap<Id, Value>,
    /// Whether lanes may have been discarded that still have to leave the surrounding constructs.
    kills: bool,
}

/// A translated shader with its interface.
pub(crate) struct Translated {
    pub(crate) shader: Shader,
    pub(crate) interface: Interface,
    /// For each instruction, the offset in words of the module instruction that it comes from.
    pub(crate) words: Vec<Option<usize>>,
    /// The share of the limits used so far.
    pub(crate) spent: Spent,
}

/// An error with its place.
pub(crate) struct Failure<'m> {
    pub(crate) fault: Fault,
    pub(crate) place: Option<Inst<'m>>,
    pub(crate) function: Option<Id>,
}

/// Translates an entry point. `spent` is the share of the limits that earlier entry points have used.
pub(crate) fn translate<'m>(
    module: &'m Module<'m>,
    entry: &'m EntryPoint,
    options: &'m Options,
    spent: Spent,
) -> Result<Translated, Failure<'m>> {
    let processor = processor(entry.model);
    let mut translator = Translator {
        module,
        entry,
        options,
        processor: processor.clone().unwrap_or(Processor::Vertex),
        code: Code::after(spent, options.max_instructions),
        globals: HashMap::new(),
        constants: RefCell::default(),
        member_slots: HashMap::new(),
        member_offsets: HashMap::new(),
        used: call::Used::default(),
        registers: Registers::default(),
        resources: Resources::default(),
        outputs: Vec::new(),
        y_transform: None,
        base_instance: None,
        num_clip: [0; 2],
        interface: Interface::default(),
        frames: Vec::new(),
        paths: HashMap::new(),
        locals: HashMap::new(),
        place: None,
        depth: 0,
        is_precise: false,
        discarded: None,
        discarded_go_on: false,
        discarded_iterations: 1,
    };
    let done = processor.and_then(|_| translator.run());
    let (place, function) = (translator.place, translator.frames.last().map(|f| f.function.id));
    done.and_then(|()| translator.finish()).map_err(|fault| Failure { fault, place, function })
}

impl<'m> Translator<'m> {
    fn run(&mut self) -> Result<(), Fault> {
        let module = self.module;
        let missing = || invalid("the entry point's function is missing");
        let main = module.functions.get(&self.entry.function).ok_or_else(missing)?;
        self.used = call::used(module, main)?;
        if self.code.is_shared() {
            // Each entry point scans all of this again, even if it does little itself.
            let words = self.used.num_words + module.variables.len() + module.constants.len();
            self.code.add_work(self.entry.modes.len() + words / WORDS_OF_STEP);
            self.check_size()?;
        }
        self.judge_modes()?;
        self.declare_all()?;
        if self.processor == Processor::Fragment {
            let discarded = self.code.temp();
            self.set(discarded, 0);
            self.discarded = Some(discarded);
        }
        self.inline(main, &[], None)?;
        // A geometry shader has already emitted its outputs.
        if self.processor != Processor::Geometry {
            self.write_outputs();
        }
        Ok(())
    }

    /// Makes an instruction the current place.
    fn go_to(&mut self, inst: Inst<'m>) {
        self.place = Some(inst);
        self.code.word = Some(inst.at);
    }

    /// Rejects a shader that exceeds the limits.
    fn check_size(&self) -> Result<(), Fault> {
        let others = match self.code.is_shared() {
            true => ", all entry points together: translate one at a time",
            false => "",
        };
        if self.code.is_full() {
            let limit = self.options.max_instructions;
            let text = format!("the shader grows beyond {limit} instructions{others}");
            return Err(too_large(text));
        }
        if let Some(most) = self.code.overwork() {
            let text = "calls and branches repeat more than";
            let text = format!("{text} {most} instructions of the module{others}");
            return Err(too_large(text));
        }
        Ok(())
    }

    fn frame(&mut self) -> Result<&mut Frame<'m>, Fault> {
        self.frames.last_mut().ok_or_else(|| invalid("an instruction is outside of functions"))
    }

    /// The value of an id, with its type.
    fn typed_value(&self, id: Id) -> Result<(Id, Value), Fault> {
        if let Some(found) = self.frames.last().and_then(|frame| frame.values.get(&id)) {
            return Ok(found.clone());
        }
        if let Some(pointer) = self.globals.get(&id) {
            return Ok((id, pointer.clone()));
        }
        let constant = self.module.constants.get(&id);
        let constant = constant.ok_or_else(|| invalid(format!("{id} is not defined here")))?;
        if let Some(known) = self.constants.borrow().get(&id) {
            return Ok((constant.ty, known.clone()));
        }
        let value = self.constant_value(constant.ty, &constant.value)?;
        if value.parts().is_some() {
            self.constants.borrow_mut().insert(id, value.clone());
        }
        Ok((constant.ty, value))
    }

    /// The value of an id.
    fn value(&self, id: Id) -> Result<Value, Fault> {
        self.typed_value(id).map(|(_, value)| value)
    }

    /// A scalar or vector, with its shape.
    fn operand(&self, id: Id) -> Result<(Operand, Shape), Fault> {
        match self.typed_value(id)? {
            (ty, Value::Vector(operand)) => Ok((operand, self.module.shape(ty)?)),
            _ => Err(invalid(format!("{id} is neither a scalar nor a vector of 32 bits"))),
        }
    }

    /// A scalar or vector that operand `n` of an instruction names.
    fn source(&self, inst: Inst<'m>, n: usize) -> Result<Operand, Fault> {
        self.operand(inst.id(n)?).map(|(operand, _)| operand)
    }

    fn pointer(&self, id: Id) -> Result<Rc<Pointer>, Fault> {
        match self.value(id)? {
            Value::Pointer(pointer) => Ok(pointer),
            _ => Err(invalid(format!("{id} is not a pointer"))),
        }
    }

    fn handle(&self, id: Id) -> Result<Rc<Handle>, Fault> {
        match self.value(id)? {
            Value::Handle(handle) => Ok(handle),
            _ => Err(invalid(format!("{id} is neither an image nor a sampler"))),
        }
    }

    /// Sets the value of an instruction's result.
    fn define(&mut self, inst: Inst<'m>, value: Value) -> Result<(), Fault> {
        let (ty, id) = (inst.id(0)?, inst.id(1)?);
        let has_form = match &value {
            Value::Vector(_) => self.module.find_shape(ty)?.is_some(),
            Value::Composite(parts) => self.module.num_parts(ty)? == Some(parts.len() as u32),
            Value::Pointer(_) | Value::Handle(_) => true,
        };
        if !has_form {
            return Err(invalid(format!("{id} has a value of another type than its own")));
        }
        let value = self.settle(id, value)?;
        self.frame()?.values.insert(id, (ty, value));
        Ok(())
    }

    /// The value of a constant of type `ty`.
    fn constant_value(&self, ty: Id, constant: &Const) -> Result<Value, Fault> {
        let module = self.module;
        let broken = || invalid("a constant does not match its type");
        if let Some(shape) = module.find_shape(ty)?
            && !(shape.is_wide() && shape.len > 1)
        {
            return constant_vector(shape, constant).map(Value::Vector).ok_or_else(broken);
        }
        module.slots(ty)?;
        let num = module.num_parts(ty)?.ok_or_else(broken)?;
        let parts: Result<Vec<Value>, Fault> = (0..num)
            .map(|n| {
                let part = constant.part(n as usize).ok_or_else(broken)?;
                self.constant_value(module.part_type(ty, n)?, &part)
            })
            .collect();
        self.composite(parts?)
    }

    /// A composite of the given parts. They count against the limits although they emit no code.
    fn composite(&self, parts: Vec<Value>) -> Result<Value, Fault> {
        self.code.add_parts(parts.len());
        self.check_size()?;
        Ok(Value::Composite(parts.into()))
    }

    /// Emits an operation into channels of a new temporary.
    fn compute(&mut self, opcode: Opcode, len: u8, src: &[Operand]) -> Operand {
        let temp = self.code.temp();
        self.emit(opcode, Target::temp(temp, mask(len)), src);
        Operand::temp(temp).first(len.into())
    }

    /// Emits an operation.
    fn emit(&mut self, opcode: Opcode, dst: Target, src: &[Operand]) {
        let is_precise = self.is_precise || self.keeps_kinds();
        self.code.emit(opcode, dst, src).precise = is_precise;
    }

    /// A copy of `len` channels in a temporary of its own.
    fn copy(&mut self, operand: Operand, len: u8) -> Operand {
        self.compute(Opcode::Mov, len, &[operand.first(len.into())])
    }

    /// An error for a feature that TGSI lacks.
    fn refuse<T>(&self, what: &str) -> Result<T, Fault> {
        Err(unsupported(what.to_owned()))
    }

    /// The image that an image or sampled image type has.
    fn image_type(&self, ty: Id) -> Result<crate::types::ImageType, Fault> {
        match *self.module.ty(ty)? {
            Type::Image(image) => Ok(image),
            Type::SampledImage { image } => self.image_type(image),
            _ => Err(invalid(format!("{ty} is not an image"))),
        }
    }
}

/// A mask of the first `len` channels.
fn mask(len: u8) -> WriteMask {
    WriteMask::from_bits(((1u16 << len.min(4)) - 1) as u8)
}

/// A scalar or vector constant as an operand. Booleans are all ones or zero.
fn constant_vector(shape: Shape, constant: &Const) -> Option<Operand> {
    let word = |bits: u64| match shape.kind {
        crate::types::Kind::Bool if bits & 1 != 0 => u32::MAX,
        crate::types::Kind::Bool => 0,
        _ => bits as u32,
    };
    if shape.is_wide() {
        let bits = constant.bits()?;
        let (low, high) = (bits as u32, (bits >> 32) as u32);
        return Some(Operand::words([low, high, low, high]));
    }
    if shape.len == 1 {
        return Some(Operand::word(word(constant.bits()?)));
    }
    let mut words = [0; 4];
    for (n, slot) in words.iter_mut().enumerate() {
        let n = n.min(usize::from(shape.len) - 1);
        *slot = word(constant.part(n)?.bits()?);
    }
    Some(Operand::words(words))
}
