//! A summary of what a shader uses: interface, files, textures, control flow, opcode counts.
//!
//! ```
//! use tgsi_ir::scan::scan;
//! use tgsi_ir::{Instruction, Opcode, Processor, Shader};
//!
//! let mut shader = Shader::new(Processor::Fragment);
//! shader.instructions.push(Instruction::new(Opcode::Kill));
//! shader.instructions.push(Instruction::new(Opcode::End));
//! let info = scan(&shader);
//! assert!(info.uses_kill);
//! assert_eq!(info.opcode_counts[&Opcode::End], 1);
//! ```

mod textures;
mod used;

use std::collections::{BTreeMap, BTreeSet};

use crate::flow::FlowTree;
use crate::{
    Declaration, Dialect, File, FlowRole, Indirect, Instruction, Interp, Opcode, Processor,
    Property, Register, RegisterRange, SemanticName, Shader, TextureTarget, WriteMask,
};

pub(crate) use used::Used;

/// A register of the interface: an input, output or system value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Io {
    /// Number of the register.
    pub index: u16,
    /// Semantic; for ranges, that of this register.
    pub semantic: Option<SemanticName>,
    /// Interpolation.
    pub interp: Option<Interp>,
    /// Channels declared.
    pub declared: WriteMask,
    /// Channels read or written; all declared ones if an operand may reach any register of the file.
    pub used: WriteMask,
}

/// More registers than any stage has.
pub(crate) const MAX_REGISTERS: usize = 4096;

/// The use of one register file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FileUse {
    /// Declared ranges, with the first of two subscripts, in the order of declaration.
    pub declared: Vec<(Option<u16>, RegisterRange)>,
    /// Number of registers declared.
    pub num_declared: u64,
    /// Highest subscript of an operand.
    pub highest_used: Option<i16>,
    /// Whether operands read it.
    pub is_read: bool,
    /// Whether operands write it.
    pub is_written: bool,
    /// Whether a subscript is computed.
    pub is_indirect: bool,
    /// Whether the first of two subscripts is computed.
    pub is_dimension_indirect: bool,
}

/// How a texture unit is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TextureUse {
    /// Kinds of textures that instructions read through it; one in a correct shader.
    pub targets: BTreeSet<TextureTarget>,
    /// Instructions that read through it, or may: the unit can come from a register.
    pub num_reads: u32,
}

/// What a shader uses.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ShaderInfo {
    /// The stage.
    pub processor: Processor,
    /// The properties.
    pub properties: Vec<Property>,
    /// Inputs by number.
    pub inputs: Vec<Io>,
    /// Outputs by number.
    pub outputs: Vec<Io>,
    /// System values by number.
    pub system_values: Vec<Io>,
    /// The use of each file that occurs.
    pub files: BTreeMap<File, FileUse>,
    /// Texture units by number.
    pub textures: BTreeMap<i16, TextureUse>,
    /// Whether a sampler is subscripted by a register.
    pub uses_indirect_samplers: bool,
    /// How often each opcode occurs.
    pub opcode_counts: BTreeMap<Opcode, u32>,
    /// Number of instructions.
    pub num_instructions: u32,
    /// Number of immediates.
    pub num_immediates: u32,
    /// Whether fragments may be discarded.
    pub uses_kill: bool,
    /// Whether derivative opcodes occur.
    pub uses_derivatives: bool,
    /// Whether textures are read with a level of detail derived from neighbouring invocations.
    pub uses_implicit_derivatives: bool,
    /// Whether a 64-bit type occurs.
    pub uses_64_bit: bool,
    /// Whether memory is written.
    pub writes_memory: bool,
    /// Whether a barrier occurs.
    pub uses_barrier: bool,
    /// Number of loops.
    pub num_loops: u32,
    /// Deepest nesting of loops.
    pub loop_depth: u32,
    /// Deepest nesting of blocks of any kind.
    pub block_depth: u32,
    /// Number of subroutines.
    pub num_subroutines: u32,
    /// Whether the blocks nest properly; if not, depths cover the part that was understood.
    pub is_structured: bool,
}

/// Scans a shader.
pub fn scan(shader: &Shader) -> ShaderInfo {
    scan_in(shader, Dialect::Y2021)
}

/// As [`scan`], for a shader whose opcodes have the meaning of a dialect's document.
pub fn scan_in(shader: &Shader, dialect: Dialect) -> ShaderInfo {
    let (flow, errors) = FlowTree::build(&shader.instructions);
    let mut info = empty(shader);
    info.loop_depth = flow.loop_depth() as u32;
    info.block_depth = flow.depth() as u32;
    info.num_subroutines = flow.subroutines().len() as u32;
    info.is_structured = errors.is_empty();
    for declaration in &shader.declarations {
        scan_declaration(&mut info, declaration);
    }
    let units = textures::Units::of(shader);
    for instruction in &shader.instructions {
        units.scan(&mut info, instruction);
        scan_instruction(&mut info, instruction);
        scan_operands(&mut info, instruction);
    }
    scan_immediates(&mut info);
    let used = Used::of(shader, dialect);
    info.inputs = interface(shader, File::Input, &used);
    info.outputs = interface(shader, File::Output, &used);
    info.system_values = interface(shader, File::SystemValue, &used);
    info
}

fn empty(shader: &Shader) -> ShaderInfo {
    ShaderInfo {
        processor: shader.processor,
        properties: shader.properties.clone(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        system_values: Vec::new(),
        files: BTreeMap::new(),
        textures: BTreeMap::new(),
        uses_indirect_samplers: false,
        opcode_counts: BTreeMap::new(),
        num_instructions: shader.instructions.len() as u32,
        num_immediates: shader.immediates.len() as u32,
        uses_kill: false,
        uses_derivatives: false,
        uses_implicit_derivatives: false,
        uses_64_bit: false,
        writes_memory: false,
        uses_barrier: false,
        num_loops: 0,
        loop_depth: 0,
        block_depth: 0,
        num_subroutines: 0,
        is_structured: true,
    }
}

fn scan_declaration(info: &mut ShaderInfo, declaration: &Declaration) {
    let file = info.files.entry(declaration.file).or_default();
    file.declared.push((declaration.dimension, declaration.range));
    file.num_declared += declaration.range.len() as u64;
}

/// Immediates declare themselves, each with its contents.
fn scan_immediates(info: &mut ShaderInfo) {
    if let Some(file) = info.files.get_mut(&File::Immediate) {
        file.num_declared = u64::from(info.num_immediates);
    }
}

fn scan_instruction(info: &mut ShaderInfo, one: &Instruction) {
    let opcode = one.opcode;
    let properties = opcode.info();
    *info.opcode_counts.entry(opcode).or_insert(0) += 1;
    info.uses_kill |=
        matches!(properties.flow, FlowRole::Kill | FlowRole::KillIf | FlowRole::Demote);
    info.uses_barrier |= properties.flow == FlowRole::Barrier;
    info.num_loops += u32::from(properties.flow == FlowRole::LoopBegin);
    info.uses_derivatives |= opcode.is_derivative();
    info.uses_implicit_derivatives |= opcode.has_implicit_derivatives();
    info.writes_memory |= properties.is_store;
    let types = properties.dst_types.iter().chain(properties.src_types);
    info.uses_64_bit |= types.into_iter().any(|ty| ty.is_64_bit());
}

fn scan_operands(info: &mut ShaderInfo, one: &Instruction) {
    for dst in &one.dst {
        scan_register(info, &dst.reg).is_written = true;
    }
    for src in &one.src {
        scan_register(info, &src.reg).is_read = true;
    }
    for offset in one.texture.iter().flat_map(|texture| &texture.offsets) {
        scan_register(info, &Register::new(offset.file, offset.index)).is_read = true;
    }
}

/// Records the use of a register's file and of the files of its subscripts. Returns the former, for the rest.
fn scan_register<'a>(info: &'a mut ShaderInfo, reg: &Register) -> &'a mut FileUse {
    let dimension = reg.dimension.and_then(|dimension| dimension.indirect);
    for Indirect { file, index, .. } in reg.indirect.into_iter().chain(dimension) {
        let file = info.files.entry(file).or_default();
        file.is_read = true;
        file.highest_used = file.highest_used.max(Some(index));
    }
    let file = info.files.entry(reg.file).or_default();
    file.highest_used = file.highest_used.max(Some(reg.index));
    file.is_indirect |= reg.indirect.is_some();
    file.is_dimension_indirect |= dimension.is_some();
    file
}

/// Registers of one file of the interface. A declaration never counts for more registers than operands can number, so a
/// small shader has a short list.
fn interface(shader: &Shader, file: File, used: &Used) -> Vec<Io> {
    let mut list: Vec<Io> = shader
        .declarations
        .iter()
        .filter(|declaration| declaration.file == file)
        .flat_map(|declaration| registers(declaration, used))
        .take(MAX_REGISTERS)
        .collect();
    list.sort_by_key(|io| io.index);
    list
}

fn registers<'a>(
    declaration: &'a Declaration,
    used: &'a Used,
) -> impl Iterator<Item = Io> + use<'a> {
    let RegisterRange { first, last } = declaration.range;
    let of_array = used.of_array(declaration);
    (first..=last).map(move |index| Io {
        index,
        semantic: declaration.semantic.map(|semantic| SemanticName {
            index: semantic.index.saturating_add(index - first),
            ..semantic
        }),
        interp: declaration.interp,
        declared: declaration.usage_mask,
        used: used.named(declaration, index).union(of_array),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::ShaderBuilder;
    use crate::{Component, Interpolation, Semantic, Src};

    #[test]
    fn a_shader_is_summed_up() {
        let mut b = ShaderBuilder::new(Processor::Fragment);
        let uv = b.interpolated_input(Semantic::Generic, 3, Interpolation::Perspective);
        let colour = b.output(Semantic::Color, 0);
        let sampler = b.sampler(2, TextureTarget::D2);
        let array = b.temp_array(4);
        let address = b.address();
        b.arl(address.x(), uv.src().z());
        b.repeat(|b| {
            b.if_float(uv.src().x(), |b| b.kill());
            b.tex(colour, Src::new(array.indexed(address, Component::X)), sampler);
            b.break_loop();
        });
        let info = scan(&b.finish().expect("there are few registers"));

        assert_eq!(info.inputs.len(), 1);
        assert_eq!(
            info.inputs[0].semantic.map(|s| (s.name, s.index)),
            Some((Semantic::Generic, 3))
        );
        assert_eq!(format!("{:?}", info.inputs[0].used), ".xz");
        assert_eq!(info.outputs[0].used, WriteMask::XYZW);
        let unit = &info.textures[&2];
        assert_eq!((unit.num_reads, unit.targets.first()), (1, Some(&TextureTarget::D2)));
        assert!(info.files[&File::Temporary].is_indirect);
        assert!(info.uses_kill && info.uses_implicit_derivatives && !info.uses_derivatives);
        assert_eq!((info.num_loops, info.loop_depth, info.block_depth), (1, 1, 2));
        assert_eq!(info.opcode_counts[&Opcode::Tex], 1);
        assert!(info.is_structured && !info.uses_64_bit && !info.writes_memory);
    }

    #[test]
    fn units_are_those_that_may_be_read() {
        let mut b = ShaderBuilder::new(Processor::Fragment);
        let uv = b.interpolated_input(Semantic::Generic, 0, Interpolation::Perspective);
        let colour = b.output(Semantic::Color, 0);
        let samplers = [1, 2, 5].map(|unit| b.sampler(unit, TextureTarget::Cube));
        b.tex(colour, uv, samplers[0]);
        let mut shader = b.finish().expect("there are few registers");
        let array = |shader: &mut Shader, id| {
            let mut samplers =
                shader.declarations.iter_mut().filter(|one| one.file == File::Sampler);
            samplers.next_back().expect("there are three").array_id = Some(id);
        };
        array(&mut shader, 3);
        let units = |shader: &Shader| scan(shader).textures.into_keys().collect::<Vec<_>>();
        assert_eq!(units(&shader), [1]);
        for (array_id, want) in [(0, &[1, 2, 5][..]), (3, &[5])] {
            let mut indirect = shader.clone();
            let (file, component) = (File::Address, Component::X);
            let index = Some(Indirect { file, index: 0, component, array_id });
            let instructions = indirect.instructions.iter_mut();
            let src = instructions.flat_map(|one| &mut one.src);
            src.filter(|src| src.reg.file == File::Sampler)
                .for_each(|src| src.reg.indirect = index);
            assert_eq!(units(&indirect), want);
        }
    }

    #[test]
    fn views_determine_the_kind_of_texture() {
        let mut b = ShaderBuilder::new(Processor::Fragment);
        let uv = b.interpolated_input(Semantic::Generic, 0, Interpolation::Perspective);
        let colour = b.output(Semantic::Color, 0);
        let sampler = b.sampler(2, TextureTarget::Cube);
        b.tex(colour, uv, sampler);
        let mut shader = b.finish().expect("there are few registers");
        let tex = shader.instructions.iter_mut().find(|one| one.opcode == Opcode::Tex);
        let tex = tex.expect("it reads a texture");
        (tex.opcode, tex.texture) = (Opcode::Sample, None);
        tex.src.insert(1, Src::new(Register::new(File::SamplerView, 2)));
        let targets = &scan(&shader).textures[&2].targets;
        assert_eq!(targets.iter().copied().collect::<Vec<_>>(), [TextureTarget::Cube]);
    }

    #[test]
    fn broken_blocks_are_reported() {
        let mut shader = Shader::new(Processor::Vertex);
        shader.instructions.push(Instruction::new(Opcode::Endif));
        assert!(!scan(&shader).is_structured);
    }
}
