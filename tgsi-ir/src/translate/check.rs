//! What a dialect has no words for.

use crate::modernise::{Inexpressible, Reason};
use crate::validate::Place;
use crate::{
    Declaration, DeclarationId, Dialect, File, FileAttributes, ImmediateId, Instruction,
    InstructionId, Location, PropertyId, Register, Saturate, Shader,
};

/// Everything in `shader` that a token stream of `dialect` cannot hold.
pub fn check_dialect(shader: &Shader, dialect: Dialect) -> Vec<Inexpressible> {
    let mut check = Check { dialect, place: Place::Shader, problems: Vec::new() };
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
    place: Place,
    problems: Vec<Inexpressible>,
}

impl Check {
    /// Notes that the dialect lacks something, when it has no number for it.
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
            if self.is_old() && semantic.streams.0 != [0; 4] {
                self.missing("vertex streams");
            }
        }
        if let Some(interp) = declaration.interp {
            self.need(interp.mode.number_in(self.dialect), "interpolation", interp.mode.name());
            if self.is_old() && !matches!(interp.location, Location::Center | Location::Centroid) {
                self.missing("interpolation at samples");
            }
        }
        if self.is_old() && declaration.array_id.is_some_and(|id| id != 0) {
            self.missing("array numbers");
        }
        if self.dialect == Dialect::Y2010 && declaration.local {
            self.missing("local registers");
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
        self.need(one.opcode.number_in(self.dialect), "opcode", Some(one.opcode.name()));
        let (src, want) = (one.src.len(), one.opcode.num_src_in(self.dialect));
        if src != usize::from(want) && src == usize::from(one.opcode.info().num_src) {
            self.missing(format!("opcode {} with {src} sources", one.opcode));
        }
        for reg in one.dst.iter().map(|dst| &dst.reg).chain(one.src.iter().map(|src| &src.reg)) {
            self.register(reg);
        }
        self.modifiers(one);
        if let Some(texture) = &one.texture {
            let target = texture.target;
            self.need(target.number_in(self.dialect), "texture target", target.name());
            if self.dialect == Dialect::Y2010 && !texture.offsets.is_empty() {
                self.missing("texel offsets");
            }
        }
    }

    fn modifiers(&mut self, one: &Instruction) {
        if self.is_old() {
            if one.precise {
                self.missing("_PRECISE");
            }
            if one.memory.is_some() {
                self.missing("attributes of memory operations");
            }
            return;
        }
        if one.predicate.is_some() {
            self.missing("predication");
        }
        if !matches!(one.saturate, Saturate::None | Saturate::ZeroOne) {
            self.missing("saturation to −1…1");
        }
    }

    fn register(&mut self, reg: &Register) {
        self.file(reg.file);
        let dimension = reg.dimension.and_then(|dimension| dimension.indirect);
        for indirect in reg.indirect.iter().chain(&dimension) {
            self.file(indirect.file);
            if self.is_old() && indirect.array_id != 0 {
                self.missing("array numbers");
            }
        }
    }

    const fn is_old(&self) -> bool {
        !matches!(self.dialect, Dialect::Y2021)
    }
}
