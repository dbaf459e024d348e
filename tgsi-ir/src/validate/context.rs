//! Facts that all rules of the full profile share, computed once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::registers::{DeclaredRegisters, Subscript, VertexCounts, subscript_of};
use super::{Diagnostic, MAX_DIAGNOSTICS, Place};
use crate::dialect::wording::Wording;
use crate::flow::{FlowError, FlowTree};
use crate::{
    Authority, Component, Declaration, DeclarationId, Dialect, Dimension, File, Indirect,
    Instruction, InstructionId, Primitive, PropertyName, Register, Semantic, Shader, WriteMask,
};

/// Vertices of a patch, unless a property says otherwise.
const PATCH_VERTICES: u32 = 32;

/// A shader with its facts, and the findings so far.
pub(super) struct Cx<'a> {
    pub(super) shader: &'a Shader,
    /// The dialect whose rules apply.
    pub(super) dialect: Dialect,
    pub(super) declared: DeclaredRegisters,
    /// The same for each channel of inputs and outputs, which several declarations may share.
    pub(super) declared_channels: [DeclaredRegisters; 4],
    /// The declaration of each array number.
    pub(super) arrays: BTreeMap<(File, u16), DeclarationId>,
    /// Declarations that repeat a register of an earlier one.
    pub(super) declared_twice: BTreeSet<DeclarationId>,
    /// Whether an input is the primitive's own number.
    pub(super) has_primitive_input: bool,
    pub(super) flow: FlowTree,
    pub(super) flow_errors: Vec<FlowError>,
    findings: Vec<Diagnostic>,
}

impl<'a> Cx<'a> {
    pub(super) fn new(shader: &'a Shader, dialect: Dialect) -> Self {
        let (flow, flow_errors) = FlowTree::build(&shader.instructions);
        let declared = DeclaredRegisters::default();
        let mut cx = Self {
            shader,
            dialect,
            declared,
            declared_channels: Default::default(),
            arrays: BTreeMap::new(),
            declared_twice: BTreeSet::new(),
            has_primitive_input: shader.declarations.iter().any(is_primitive_input),
            flow,
            flow_errors,
            findings: Vec::new(),
        };
        cx.declared.set_vertices(vertex_counts(shader));
        cx
    }

    /// Records a finding, unless there are too many already.
    pub(super) fn report(&mut self, finding: Diagnostic) {
        if !self.is_full() {
            self.findings.push(finding);
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.findings.len() >= MAX_DIAGNOSTICS
    }

    pub(super) fn into_findings(self) -> Vec<Diagnostic> {
        self.findings
    }

    /// The declarations with their ids.
    pub(super) fn declarations(
        &self,
    ) -> impl Iterator<Item = (DeclarationId, &'a Declaration)> + use<'a> {
        let list = self.shader.declarations.iter().enumerate();
        list.map(|(index, declaration)| (DeclarationId::from_index(index), declaration))
    }

    /// The instructions with their ids.
    pub(super) fn instructions(
        &self,
    ) -> impl Iterator<Item = (InstructionId, &'a Instruction)> + use<'a> {
        let list = self.shader.instructions.iter().enumerate();
        list.map(|(index, instruction)| (InstructionId::from_index(index), instruction))
    }

    /// The first subscript that a declaration means in this stage.
    pub(super) fn subscript_of(&self, declaration: &Declaration) -> Subscript {
        subscript_of(self.shader.processor, declaration)
    }

    /// The channels that a source reads, by the document of the dialect.
    pub(super) fn read_mask(&self, instruction: &Instruction, index: usize) -> WriteMask {
        let wording = self.wording(instruction);
        self.shader.src_read_mask_as(instruction, index, wording)
    }

    /// What the opcode of an instruction means by the document of the dialect.
    pub(super) fn wording(&self, instruction: &Instruction) -> Wording {
        self.dialect.wording(instruction.opcode, Authority::Document)
    }

    /// Where a register is declared; registers added to its subscripts are ignored.
    pub(super) fn find(&self, reg: &Register) -> Option<Place> {
        let dimension = match reg.dimension {
            // The subscript may reach any vertex or buffer.
            Some(Dimension { indirect: Some(_), .. }) => {
                let (subscript, place) = self.declared.find_any(reg.file, reg.index.into())?;
                return (subscript != Subscript::None).then_some(place);
            }
            dimension => dimension.map(|dimension| dimension.index),
        };
        self.declared.find(reg.file, dimension, reg.index.into())
    }

    /// The declaration of a register, for what it says besides.
    pub(super) fn declaration_of(
        &self,
        reg: &Register,
    ) -> Option<(DeclarationId, &'a Declaration)> {
        match self.find(reg)? {
            Place::Declaration(id) => Some((id, &self.shader.declarations[id.index()])),
            _ => None,
        }
    }

    /// The usage mask of a register, over all declarations that share it.
    pub(super) fn usage_of(&self, reg: &Register, declaration: &Declaration) -> WriteMask {
        let subscript = self.subscript_of(declaration);
        let is_declared = |channel: &Component| {
            let channel = &self.declared_channels[channel.index()];
            channel.find_exact(reg.file, subscript, reg.index.into()).is_some()
        };
        let shared = Component::ALL.into_iter().filter(is_declared);
        shared.fold(declaration.usage_mask, |mask, channel| mask.union(WriteMask::only(channel)))
    }
}

fn is_primitive_input(declaration: &Declaration) -> bool {
    let is_number = declaration.semantic.is_some_and(|semantic| semantic.name == Semantic::Primid);
    is_number && declaration.file == File::Input
}

/// Vertices that per-vertex inputs and outputs exist for.
fn vertex_counts(shader: &Shader) -> VertexCounts {
    let inputs = match shader.property(PropertyName::GsInputPrim) {
        Some(value) if shader.processor == crate::Processor::Geometry => u8::try_from(value)
            .ok()
            .and_then(Primitive::from_number)
            .and_then(Primitive::vertices)
            .map_or(PATCH_VERTICES, u32::from),
        _ => PATCH_VERTICES,
    };
    let outputs = shader.property(PropertyName::TcsVerticesOut).unwrap_or(PATCH_VERTICES);
    VertexCounts { inputs, outputs }
}

/// A register as text writes it.
pub(super) struct Written<'a>(pub(super) &'a Register);

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(file_name(self.0.file))?;
        if let Some(Dimension { index, indirect }) = &self.0.dimension {
            write_subscript(f, *index, indirect.as_ref())?;
        }
        write_subscript(f, self.0.index, self.0.indirect.as_ref())
    }
}

fn write_subscript(
    f: &mut fmt::Formatter<'_>,
    index: i16,
    indirect: Option<&Indirect>,
) -> fmt::Result {
    let Some(indirect) = indirect else { return write!(f, "[{index}]") };
    write!(f, "[{}[{}].{}", file_name(indirect.file), indirect.index, indirect.component.letter())?;
    if index != 0 {
        write!(f, "{index:+}")?;
    }
    f.write_str("]")
}

/// The name of a file in messages.
pub(super) fn file_name(file: File) -> &'static str {
    file.name().unwrap_or("?")
}
