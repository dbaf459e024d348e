//! Rule about declarations that nothing uses.

use std::collections::BTreeSet;

use super::super::context::{Cx, Written};
use super::super::{Code, Diagnostic, Place};
use super::operands::{constant_of_buffer_0, is_constant_buffer};
use crate::{File, Indirect, Register, SrcRole};

/// Declarations that are used, and files of which any register may be.
#[derive(Default)]
struct Used {
    places: BTreeSet<Place>,
    files: BTreeSet<File>,
}

impl Used {
    fn note(&mut self, cx: &Cx<'_>, reg: &Register) {
        let dimension = reg.dimension.and_then(|dimension| dimension.indirect);
        for indirect in reg.indirect.iter().chain(&dimension) {
            self.note_index(cx, indirect);
        }
        match (&reg.indirect, dimension) {
            (Some(indirect), _) => match cx.arrays.get(&(reg.file, indirect.array_id)) {
                Some(&id) => drop(self.places.insert(Place::Declaration(id))),
                None => drop(self.files.insert(reg.file)),
            },
            // Any buffer or vertex may be meant.
            (None, Some(_)) => drop(self.files.insert(reg.file)),
            (None, None) => {
                let other_way = || constant_of_buffer_0(cx, reg).map(|(_, place)| place);
                self.places.extend(cx.find(reg).or_else(other_way));
            }
        }
    }

    fn note_index(&mut self, cx: &Cx<'_>, indirect: &Indirect) {
        self.places.extend(cx.find(&Register::new(indirect.file, indirect.index)));
    }
}

/// V014: a declaration is reported when none of its registers is used.
pub(super) fn check(cx: &mut Cx<'_>) {
    let used = collect(cx);
    for (id, declaration) in cx.declarations() {
        // Outputs and inputs are an interface, and a view describes what its sampler reads.
        let file = declaration.file;
        if matches!(file, File::SamplerView | File::Input | File::Output | File::Null)
            || declaration.range.is_empty()
            || cx.declared_twice.contains(&id)
            || used.files.contains(&file)
            || used.places.contains(&Place::Declaration(id))
        {
            continue;
        }
        let first = i16::try_from(declaration.range.first).unwrap_or(i16::MAX);
        let reg = match declaration.dimension {
            Some(number) => {
                Register::new_2d(file, i16::try_from(number).unwrap_or(i16::MAX), first)
            }
            None => Register::new(file, first),
        };
        let more = if declaration.range.len() > 1 { " and those after it are" } else { " is" };
        let message = format!("`{}`{more} never used", Written(&reg));
        let finding = Diagnostic::new(Code::NeverUsed, Place::Declaration(id), message);
        cx.report(finding.help("leave the declaration out"));
    }
}

fn collect(cx: &Cx<'_>) -> Used {
    let mut used = Used::default();
    for (_, instruction) in cx.instructions() {
        for dst in &instruction.dst {
            used.note(cx, &dst.reg);
        }
        let roles = instruction.opcode.info().src_roles;
        for (index, src) in instruction.src.iter().enumerate() {
            used.note(cx, &src.reg);
            let is_resource = roles.get(index) == Some(&SrcRole::Resource);
            if is_resource && is_constant_buffer(src.reg.file) {
                used.files.insert(File::Constant);
            }
        }
        if let Some(texture) = &instruction.texture {
            for offset in &texture.offsets {
                used.note(cx, &Register::new(offset.file, offset.index));
            }
        }
        if let Some(predicate) = &instruction.predicate {
            used.note(cx, &Register::new(File::Predicate, predicate.index));
        }
    }
    used
}
