//! The printer.

mod declaration;
mod float;
mod immediate;
mod instruction;
mod operand;

use std::fmt::Write as _;

use tgsi_ir::{ItemKind, Processor, Property, PropertyName, Shader};

use crate::PrintOptions;

/// The text of `shader`.
pub fn print(shader: &Shader, options: impl Into<PrintOptions>) -> String {
    let mut printer = Printer {
        out: String::with_capacity(64 + 48 * shader.instructions.len()),
        processor: shader.processor,
        options: options.into(),
        indent: 0,
    };
    let stage = shader.processor;
    printer.named("PROCESSOR", stage.name(), stage.number_in(printer.options.dialect));
    printer.out.push('\n');
    let mut next = [0usize; 4];
    for run in shader.runs() {
        for _ in 0..run.len {
            let at = next[run.kind as usize];
            next[run.kind as usize] += 1;
            match run.kind {
                ItemKind::Property => printer.property(&shader.properties[at]),
                ItemKind::Declaration => printer.declaration(&shader.declarations[at]),
                ItemKind::Immediate => printer.immediate(at, &shader.immediates[at]),
                ItemKind::Instruction => printer.instruction(at, &shader.instructions[at]),
            }
            printer.out.push('\n');
        }
    }
    printer.out
}

/// A text being written.
struct Printer {
    out: String,
    processor: Processor,
    options: PrintOptions,
    indent: i32,
}

impl Printer {
    /// Writing to a string cannot fail.
    fn put(&mut self, args: std::fmt::Arguments<'_>) {
        let _ = self.out.write_fmt(args);
    }

    fn is_lossless(&self) -> bool {
        self.options.style.is_lossless()
    }

    /// A name, or a number if there is none: bare as in Mesa, or in a form that reads back.
    fn named(&mut self, kind: &str, name: Option<&str>, number: impl Into<Option<u8>>) {
        match (name, number.into()) {
            (Some(name), _) => self.out.push_str(name),
            (None, Some(number)) if self.is_lossless() => {
                self.put(format_args!("{kind}({number})"))
            }
            (None, Some(number)) => self.put(format_args!("{number}")),
            (None, None) => self.out.push_str("(null)"),
        }
    }

    fn property(&mut self, property: &Property) {
        self.out.push_str("PROPERTY ");
        let name = property.name;
        self.named("NAME", name.name(), name.number_in(self.options.dialect));
        if property.values.is_empty() && self.is_lossless() {
            self.out.push_str(" NONE");
        }
        for (n, &value) in property.values.iter().enumerate() {
            self.out.push_str(if n > 0 { ", " } else { " " });
            match property_value(property.name, value) {
                Some(name) => self.out.push_str(name),
                None if self.is_lossless() => self.put(format_args!("{value}")),
                None => self.put(format_args!("{}", value.cast_signed())),
            }
        }
    }
}

/// The name of a property's value, if the text form has one.
fn property_value(name: PropertyName, value: u32) -> Option<&'static str> {
    let value = u8::try_from(value).ok()?;
    match name {
        PropertyName::GsInputPrim | PropertyName::GsOutputPrim => {
            tgsi_ir::Primitive::from_number(value)?.name()
        }
        PropertyName::FsCoordOrigin => tgsi_ir::CoordOrigin::from_number(value)?.name(),
        PropertyName::FsCoordPixelCenter => tgsi_ir::PixelCenter::from_number(value)?.name(),
        PropertyName::NextShader => Processor::from_number(value).name(),
        _ => None,
    }
}
