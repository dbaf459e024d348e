//! Temporaries and immediates with dynamic indices: arrays in registers, or in scratch memory if registers do not
//! suffice.

use std::collections::BTreeSet;

use tgsi_ir::{
    Component, Declarations, DeclaredArray, File, Indirect, Register, RegisterRange, Shader,
};

use crate::alloc::MAX_GPRS;
use crate::refusal::Refusal;
use crate::scratch::MAX_SCRATCH;
use crate::ssa::{
    ArrayAccess, ArrayId, ArrayInfo, ArrayPlace, Function, InstData, Operand, Source,
};

use super::stage::registers_of_inputs;
use super::{LowerError, Lowering, chan};

/// GPRs that arrays may take together: the rest of the program needs some too.
const MAX_IN_REGISTERS: u16 = 96;

/// The fewest GPRs left beside arrays and inputs, for values and for other registers that are filled on entry. Spilling
/// can work with so few. If inputs take too many registers, arrays go to memory.
const MIN_BESIDE: u8 = 12;

/// The most elements of an array in scratch memory: the last element that an index may reach is a twelve-bit field of
/// instructions.
const MAX_INDEXED: u16 = 1 << 12;

/// An array: a range of temporaries, or all immediates.
#[derive(Clone, Copy, Debug)]
struct Range {
    file: File,
    array: ArrayId,
    first: u16,
    last: u16,
}

/// An element whose channels were all loaded.
#[derive(Clone, Copy, Debug)]
struct Loaded {
    access: ArrayAccess,
    values: [Operand; 4],
    /// The stretch of straight-line code in which the values are known.
    stretch: u32,
}

/// The array id of an operand that names no array and so may reach all temporaries.
const ANY: u16 = 0;

/// The arrays of a shader.
#[derive(Debug, Default)]
pub(super) struct Arrays {
    ranges: Vec<Range>,
    /// The last element that the current instruction loaded.
    loaded: Option<Loaded>,
}

impl Arrays {
    /// Finds the ranges of temporaries that operands index at run time: the declared array if the operand names one,
    /// else all temporaries. Overlapping ranges are merged. If operands index immediates, all immediates form one
    /// array, which nothing writes after the start. Immediates that are read directly stay literals.
    pub(super) fn new(
        shader: &Shader,
        declarations: &Declarations<'_>,
        function: &mut Function,
    ) -> Result<Self, LowerError> {
        let mut temporaries: Vec<(u16, u16)> = Vec::new();
        let mut met = BTreeSet::new();
        let mut immediates = None;
        for inst in &shader.instructions {
            let regs = inst.dst.iter().map(|d| d.reg).chain(inst.src.iter().map(|s| s.reg));
            for reg in regs {
                match (reg.file, reg.indirect) {
                    (File::Temporary, Some(indirect)) if met.insert(indirect.array_id) => {
                        add_span(&mut temporaries, covered(declarations, indirect)?);
                    }
                    (File::Immediate, Some(_)) => immediates = Some(all_immediates(shader)?),
                    _ => {}
                }
            }
        }
        let files = temporaries.iter().map(|_| File::Temporary);
        let files: Vec<File> = files.chain(immediates.map(|_| File::Immediate)).collect();
        let spans: Vec<(u16, u16)> = temporaries.into_iter().chain(immediates).collect();
        let places = places(&spans, &files, registers_beside_inputs(shader))?;
        let ranges =
            files.into_iter().zip(spans).zip(places).map(|((file, (first, last)), place)| {
                let array = function.arrays.push(ArrayInfo { len: last - first + 1, place });
                Range { file, array, first, last }
            });
        Ok(Self { ranges: ranges.collect(), loaded: None })
    }

    /// Forgets the element that the previous instruction loaded.
    pub(super) fn next_instruction(&mut self) {
        self.loaded = None;
    }

    /// Whether `register` of the temporaries is part of an array.
    pub(super) fn contains(&self, register: i16) -> bool {
        let temporaries = self.ranges.iter().filter(|r| r.file == File::Temporary);
        let mut spans = temporaries.map(|r| i32::from(r.first)..=i32::from(r.last));
        spans.any(|span| span.contains(&register.into()))
    }

    /// The array that an operand reaches: the one that it names, else the one that contains its register number. An
    /// index may start outside any array; without a name it may reach any temporary.
    fn range_of(&self, reg: &Register, declarations: &Declarations<'_>) -> Option<Range> {
        let index = i32::from(reg.index);
        let holds = |r: &&Range| {
            r.file == reg.file && (i32::from(r.first)..=i32::from(r.last)).contains(&index)
        };
        let at_number = || self.ranges.iter().find(holds).copied();
        if reg.file == File::Immediate {
            return at_number().or_else(|| self.of_file(File::Immediate).next());
        }
        let id = reg.indirect.map(|indirect| indirect.array_id);
        let of_id = |id| self.holding(declared_temporaries(declarations, id)?.first);
        let named = id.filter(|&id| id != ANY).and_then(of_id);
        named.or_else(at_number).or_else(|| id.and_then(|_| of_id(ANY)))
    }

    fn of_file(&self, file: File) -> impl Iterator<Item = Range> + '_ {
        self.ranges.iter().filter(move |r| r.file == file).copied()
    }

    /// The array that contains declared temporaries.
    fn holding(&self, declared: RegisterRange) -> Option<Range> {
        let holds = |r: &Range| r.first <= declared.first && declared.last <= r.last;
        self.of_file(File::Temporary).find(holds)
    }
}

/// The temporaries of a declared array, or all of them for [`ANY`].
fn declared_temporaries(declarations: &Declarations<'_>, array_id: u16) -> Option<DeclaredArray> {
    if array_id != ANY {
        return declarations.array(File::Temporary, array_id);
    }
    let mut ranges = declarations.of_file(File::Temporary).map(|declaration| declaration.range);
    let first = ranges.next()?;
    Some(DeclaredArray { first, whole: ranges.fold(first, RegisterRange::hull) })
}

/// The temporaries that an indirect operand may reach.
fn covered(declarations: &Declarations<'_>, indirect: Indirect) -> Result<(u16, u16), LowerError> {
    let meant =
        declared_temporaries(declarations, indirect.array_id).map(|of_array| of_array.whole);
    let meant = meant.map(|whole| (whole.first, whole.last));
    meant.ok_or_else(|| LowerError::new("TEMP[ADDR[…]]", Refusal::NoArrayInReach))
}

/// The range of all immediates, any of which an indexing operand may reach.
fn all_immediates(shader: &Shader) -> Result<(u16, u16), LowerError> {
    let count = u16::try_from(shader.immediates.len()).ok();
    let last = count.and_then(|count| count.checked_sub(1));
    last.map(|last| (0, last))
        .ok_or_else(|| LowerError::new("IMM[ADDR[…]]", Refusal::NoArrayInReach))
}

/// Adds a span, merged with those that it overlaps.
fn add_span(spans: &mut Vec<(u16, u16)>, (mut first, mut last): (u16, u16)) {
    spans.retain(|span| {
        let overlaps = span.0 <= last && first <= span.1;
        if overlaps {
            (first, last) = (first.min(span.0), last.max(span.1));
        }
        !overlaps
    });
    let at = spans.partition_point(|span| span.0 < first);
    spans.insert(at, (first, last));
}

/// GPRs that arrays may take beside the inputs. Inputs are in registers before the program begins, and arrays keep
/// their registers from its start to its end.
fn registers_beside_inputs(shader: &Shader) -> u16 {
    let left = usize::from(MAX_GPRS - MIN_BESIDE).saturating_sub(registers_of_inputs(shader));
    u16::try_from(left).map_or(MAX_IN_REGISTERS, |left| left.min(MAX_IN_REGISTERS))
}

/// The place of each array. The shortest ones are in registers, as long as `available` suffice.
fn places(
    spans: &[(u16, u16)],
    files: &[File],
    available: u16,
) -> Result<Vec<ArrayPlace>, LowerError> {
    let len = |at: usize| (spans[at].1 - spans[at].0).saturating_add(1);
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.sort_by_key(|&at| len(at));
    let mut places = vec![ArrayPlace::Registers; spans.len()];
    let (mut registers, mut scratch) = (0_u16, 0_u16);
    for at in order {
        if registers.saturating_add(len(at)) <= available {
            registers += len(at);
            continue;
        }
        places[at] = ArrayPlace::Scratch(scratch);
        scratch = scratch.saturating_add(len(at));
        if len(at) > MAX_INDEXED || scratch > MAX_SCRATCH {
            return Err(LowerError::new(subscripted(files[at]), Refusal::ArraysTooLarge));
        }
    }
    Ok(places)
}

impl Lowering<'_> {
    /// Initialises arrays. Elements of temporaries become zero, as all temporaries are at the start, so that nothing of
    /// another program shows. Elements of immediates get their values.
    pub(super) fn fill_arrays(&mut self) {
        let shader = self.shader;
        for Range { file, array, first, last } in self.arrays.ranges.clone() {
            for offset in 0..=last - first {
                let immediate = match file {
                    File::Immediate => shader.immediates.get(usize::from(offset)),
                    _ => None,
                };
                for component in Component::ALL {
                    let access = ArrayAccess { array, offset, chan: chan(component), index: None };
                    let word = immediate.map(|words| words.word(component.index()));
                    let value = word.map_or(Operand::ZERO, Operand::constant);
                    self.emit(InstData::Store(access, value));
                }
            }
        }
    }

    /// Whether an operand is an element of an array.
    pub(super) fn is_array_element(&self, reg: &Register) -> bool {
        reg.file == File::Temporary && (reg.indirect.is_some() || self.arrays.contains(reg.index))
    }

    /// Reads a channel of an array element.
    pub(super) fn load_element(
        &mut self,
        reg: &Register,
        component: Component,
    ) -> Result<Operand, LowerError> {
        // An element outside the array reads as zero: a lane that gets here has no claim to another value.
        let Some(access) = self.element(reg, component)? else { return Ok(Operand::ZERO) };
        if self.function.arrays[access.array].place == ArrayPlace::Registers {
            return Ok(Operand::value(self.emit(InstData::Load(access))[0]));
        }
        let whole = ArrayAccess { chan: chan(Component::X), ..access };
        let stretch = self.control.stretch();
        let is_known = |loaded: &Loaded| loaded.access == whole && loaded.stretch == stretch;
        let known = self.arrays.loaded.filter(is_known);
        let values = known.map_or_else(|| self.load_whole(whole), |loaded| loaded.values);
        Ok(values[component.index()])
    }

    /// Loads all channels of an element in memory, which come with one fetch.
    fn load_whole(&mut self, access: ArrayAccess) -> [Operand; 4] {
        let values = Component::ALL.map(|component| {
            let access = ArrayAccess { chan: chan(component), ..access };
            Operand::value(self.emit(InstData::Load(access))[0])
        });
        self.arrays.loaded = Some(Loaded { access, values, stretch: self.control.stretch() });
        values
    }

    /// Writes a channel of an array element.
    pub(super) fn store_element(
        &mut self,
        reg: &Register,
        component: Component,
        value: Operand,
    ) -> Result<(), LowerError> {
        let Some(access) = self.element(reg, component)? else { return Ok(()) };
        self.arrays.loaded = None;
        self.emit(InstData::Store(access, value));
        Ok(())
    }

    /// The element that an operand names; `None` if it is known to lie outside its array. Only code that no lane
    /// reaches may have such operands.
    fn element(
        &mut self,
        reg: &Register,
        component: Component,
    ) -> Result<Option<ArrayAccess>, LowerError> {
        let range = self
            .arrays
            .range_of(reg, &self.declarations)
            .ok_or_else(|| LowerError::new(subscripted(reg.file), Refusal::NoArrayInReach))?;
        let len = i32::from(range.last - range.first) + 1;
        let mut offset = i32::from(reg.index) - i32::from(range.first);
        let mut index = match reg.indirect {
            None => None,
            Some(indirect) => Some(self.index(&indirect)?),
        };
        if let Some(Operand { source: Source::Const(bits), .. }) = index {
            offset = offset.saturating_add(bits.cast_signed());
            index = None;
        }
        if !(0..len).contains(&offset) {
            let Some(dynamic) = index else { return Ok(None) };
            index = Some(self.alu(r600_isa::AluOp::AddInt, &[dynamic, Operand::int(offset)]));
            offset = 0;
        }
        let (array, chan) = (range.array, chan(component));
        Ok(Some(ArrayAccess { array, offset: offset as u16, chan, index }))
    }
}

/// The name of such an operand in messages.
fn subscripted(file: File) -> &'static str {
    if file == File::Immediate { "IMM[ADDR[…]]" } else { "TEMP[ADDR[…]]" }
}
