//! Finds constructs that a dialect cannot express.

use crate::modernise::{Inexpressible, Reason};
use crate::place::Place;
use crate::{
    Declaration, DeclarationId, Dialect, Feature, File, FileAttributes, ImmediateId, Instruction,
    InstructionId, Location, PropertyId, Register, Saturate, Shader,
};

/// Every construct in `shader` that a token stream of `dialect` cannot hold.
pub fn check_dialect(shader: &Shader, dialect: Dialect) -> Vec<Inexpressible> {
    find(shader, Check { dialect, is_text: false, place: Place::Shader, problems: Vec::new() })
}

/// Every construct in `shader` that `dialect` cannot express. Opcodes that its document names count as known, though
/// they may have no number.
pub(crate) fn missing_words(shader: &Shader, dialect: Dialect) -> Vec<Inexpressible> {
    find(shader, Check { dialect, is_text: true, place: Place::Shader, problems: Vec::new() })
}

fn find(shader: &Shader, mut check: Check) -> Vec<Inexpressible> {
    let dialect = check.dialect;
    check.need(shader.processor.number_in(dialect), "stage", shader.processor.name());
    for (index, property) in shader.properties.iter().enumerate() {
        check.place = Place::Property(PropertyId::from_index(index));
        check.need(property.name.number_in(dialect), "property", property.name.name());
    }
    for (index, declaration) in shader.declarations.iter().enumerate() {
        check.place = Place::Declaration(DeclarationId::from_index(index));
        check.declaration(declaration);
    }
    for (index, immediate) in shader.immediates.iter().enumerate() {
        check.place = Place::Immediate(ImmediateId::from_index(index));
        check.need(immediate.kind.number_in(dialect), "immediate type", immediate.kind.name());
    }
    for (index, instruction) in shader.instructions.iter().enumerate() {
        check.place = Place::Instruction(InstructionId::from_index(index));
        check.instruction(instruction);
    }
    check.problems
}

struct Check {
    dialect: Dialect,
    /// Whether the shader need not have a token stream.
    is_text: bool,
    place: Place,
    problems: Vec<Inexpressible>,
}

impl Check {
    /// Records that the dialect lacks a construct, if it has no number for it.
    fn need(&mut self, number: Option<u8>, what: &str, name: Option<&str>) {
        if number.is_none() {
            self.missing(format!("{what} {}", name.unwrap_or("without a name")));
        }
    }

    fn missing(&mut self, what: impl Into<String>) {
        let reason = Reason::Missing { what: what.into(), dialect: self.dialect };
        self.problems.push(Inexpressible { place: self.place, reason });
    }

    fn file(&mut self, file: File) {
        self.need(file.number_in(self.dialect), "file", file.name());
    }

    fn declaration(&mut self, declaration: &Declaration) {
        self.file(declaration.file);
        if let Some(semantic) = declaration.semantic {
            self.need(semantic.name.number_in(self.dialect), "semantic", semantic.name.name());
            if semantic.streams.0 != [0; 4] {
                self.feature(Feature::VertexStreams);
            }
        }
        if let Some(interp) = declaration.interp {
            self.need(interp.mode.number_in(self.dialect), "interpolation", interp.mode.name());
            if !matches!(interp.location, Location::Center | Location::Centroid) {
                self.feature(Feature::SampleInterpolation);
            }
        }
        if declaration.array_id.is_some_and(|id| id != 0) {
            self.feature(Feature::ArrayNumbers);
        }
        if declaration.local {
            self.feature(Feature::LocalRegisters);
        }
        self.attributes(&declaration.attributes);
    }

    fn attributes(&mut self, attributes: &FileAttributes) {
        let target = match attributes {
            FileAttributes::Image(image) | FileAttributes::Resource(image) => image.target,
            FileAttributes::SamplerView(view) => view.target,
            FileAttributes::None
            | FileAttributes::Atomic
            | FileAttributes::Memory(_)
            | FileAttributes::Values(_) => return,
        };
        self.need(target.number_in(self.dialect), "texture target", target.name());
    }

    fn instruction(&mut self, one: &Instruction) {
        let is_named = self.is_text && self.dialect.written_instead(one.opcode).is_some();
        if !is_named {
            self.need(one.opcode.number_in(self.dialect), "opcode", Some(one.opcode.name()));
        }
        let (src, (least, most)) = (one.src.len(), one.opcode.src_counts_in(self.dialect));
        let fits = src == usize::from(least) || src == usize::from(most);
        if !fits && one.opcode.takes_sources(src) {
            self.missing(format!("opcode {} with {src} sources", one.opcode));
        }
        for reg in one.dst.iter().map(|dst| &dst.reg).chain(one.src.iter().map(|src| &src.reg)) {
            self.register(reg);
        }
        self.modifiers(one);
        if let Some(texture) = &one.texture {
            let target = texture.target;
            self.need(target.number_in(self.dialect), "texture target", target.name());
            if !texture.offsets.is_empty() {
                self.feature(Feature::TexelOffsets);
            }
        }
    }

    /// Records that the dialect lacks a language feature, if it does.
    fn feature(&mut self, feature: Feature) {
        if !self.dialect.has(feature) {
            self.missing(feature.text());
        }
    }

    fn modifiers(&mut self, one: &Instruction) {
        let used = [
            (Feature::Precise, one.precise),
            (Feature::MemoryWords, one.memory.is_some()),
            (Feature::Predication, one.predicate.is_some()),
            (
                Feature::SignedSaturation,
                !matches!(one.saturate, Saturate::None | Saturate::ZeroOne),
            ),
        ];
        for (feature, _) in used.into_iter().filter(|(_, is_used)| *is_used) {
            self.feature(feature);
        }
    }

    fn register(&mut self, reg: &Register) {
        self.file(reg.file);
        let dimension = reg.dimension.and_then(|dimension| dimension.indirect);
        for indirect in reg.indirect.iter().chain(&dimension) {
            self.file(indirect.file);
            if indirect.array_id != 0 {
                self.feature(Feature::ArrayNumbers);
            }
        }
    }
}
