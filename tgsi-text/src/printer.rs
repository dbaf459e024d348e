//! The printer.

mod float;

use std::fmt::Write as _;

use tgsi_ir::{
    Declaration, File, FileAttributes, Immediate, ImmediateType, Indirect, Instruction, Interp,
    ItemKind, LabelUse, Location, Memory, MemoryQualifier, Opcode, Processor, Property,
    PropertyName, Register, ReturnType, Saturate, Semantic, SemanticName, Shader, Src, Texture,
    TextureTarget, WriteMask,
};

/// How to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// As Mesa 21.2 dumps shaders, byte for byte: floats with four decimals.
    Mesa,
    /// As Mesa's dumps with the bits of floats in hexadecimal.
    MesaHex,
    /// Like Mesa, but floats that four decimals do not give back are printed with as many digits as they
    /// need.
    #[default]
    Lossless,
}

/// The text of `shader`.
pub fn print(shader: &Shader, style: Style) -> String {
    let mut printer = Printer {
        out: String::with_capacity(64 + 48 * shader.instructions.len()),
        processor: shader.processor,
        style,
        indent: 0,
    };
    printer.name_or_number(shader.processor.name(), shader.processor.number());
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

struct Printer {
    out: String,
    processor: Processor,
    style: Style,
    indent: i32,
}

impl Printer {
    /// Writing to a string cannot fail.
    fn put(&mut self, args: std::fmt::Arguments<'_>) {
        let _ = self.out.write_fmt(args);
    }

    fn name_or_number(&mut self, name: Option<&str>, number: impl Into<Option<u8>>) {
        match (name, number.into()) {
            (Some(name), _) => self.out.push_str(name),
            (None, Some(number)) => self.put(format_args!("{number}")),
            (None, None) => self.out.push_str("(null)"),
        }
    }

    fn property(&mut self, property: &Property) {
        self.out.push_str("PROPERTY ");
        self.name_or_number(property.name.name(), property.name.number());
        for (n, &value) in property.values.iter().enumerate() {
            self.out.push_str(if n > 0 { ", " } else { " " });
            match property_value(property.name, value) {
                Some(name) => self.out.push_str(name),
                None => self.put(format_args!("{}", value.cast_signed())),
            }
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        self.out.push_str("DCL ");
        self.file(declaration.file);
        if self.is_per_vertex(declaration) {
            self.out.push_str("[]");
        }
        if let Some(dimension) = declaration.dimension {
            self.put(format_args!("[{dimension}]"));
        }
        let range = declaration.range;
        if range.first == range.last {
            self.put(format_args!("[{}]", range.first));
        } else {
            self.put(format_args!("[{}..{}]", range.first, range.last));
        }
        self.write_mask(declaration.usage_mask);
        if let Some(id) = declaration.array_id {
            self.put(format_args!(", ARRAY({id})"));
        }
        if declaration.local {
            self.out.push_str(", LOCAL");
        }
        if let Some(semantic) = &declaration.semantic {
            self.semantic(semantic);
        }
        self.attributes(&declaration.attributes);
        if let Some(interp) = &declaration.interp {
            self.interp(declaration.file, interp);
        }
        if declaration.invariant {
            self.out.push_str(", INVARIANT");
        }
    }

    fn is_per_vertex(&self, declaration: &Declaration) -> bool {
        let name = declaration.semantic.map_or(Semantic::Position, |semantic| semantic.name);
        let per_patch = matches!(
            name,
            Semantic::Patch | Semantic::Tessinner | Semantic::Tessouter | Semantic::Primid
        );
        match (self.processor, declaration.file) {
            (Processor::Geometry, File::Input) => true,
            (Processor::TessCtrl | Processor::TessEval, File::Input)
            | (Processor::TessCtrl, File::Output) => !per_patch,
            _ => false,
        }
    }

    fn semantic(&mut self, semantic: &SemanticName) {
        self.out.push_str(", ");
        let number =
            semantic.name.number().filter(|_| matches!(semantic.name, Semantic::Unknown(_)));
        self.name_or_number(semantic.name.name(), number);
        let always = matches!(semantic.name, Semantic::Generic | Semantic::Texcoord);
        if semantic.index != 0 || always {
            self.put(format_args!("[{}]", semantic.index));
        }
        let [a, b, c, d] = semantic.streams.0;
        if [a, b, c, d] != [0; 4] {
            self.put(format_args!(", STREAM({a}, {b}, {c}, {d})"));
        }
    }

    fn attributes(&mut self, attributes: &FileAttributes) {
        match attributes {
            FileAttributes::None => {}
            FileAttributes::Image(image) | FileAttributes::Resource(image) => {
                self.out.push_str(", ");
                self.target(image.target);
                self.out.push_str(", ");
                match image.format.name() {
                    Some(name) => self.out.push_str(name),
                    None => self.put(format_args!("{}", image.format.number())),
                }
                self.out.push_str(if image.writable { ", WR" } else { "" });
                self.out.push_str(if image.raw { ", RAW" } else { "" });
            }
            FileAttributes::SamplerView(view) => {
                self.out.push_str(", ");
                self.target(view.target);
                let same = view.return_types.iter().all(|kind| *kind == view.return_types[0]);
                for kind in &view.return_types[..if same { 1 } else { 4 }] {
                    self.out.push_str(", ");
                    self.return_type(*kind);
                }
            }
            FileAttributes::Atomic => self.out.push_str(", ATOMIC"),
            FileAttributes::Values(_) => {}
            FileAttributes::Memory(kind) => {
                self.out.push_str(", ");
                self.out.push_str(kind.name().unwrap_or("GLOBAL"));
            }
        }
    }

    fn return_type(&mut self, kind: ReturnType) {
        // The one type that is known and has no name prints as C's null.
        let number = Some(kind.number()).filter(|_| kind != ReturnType::Unknown);
        self.name_or_number(kind.name(), number);
    }

    fn target(&mut self, target: TextureTarget) {
        self.name_or_number(target.name(), target.number());
    }

    fn interp(&mut self, file: File, interp: &Interp) {
        if self.processor == Processor::Fragment && file == File::Input {
            self.out.push_str(", ");
            self.name_or_number(interp.mode.name(), interp.mode.number());
        }
        if interp.location != Location::Center {
            self.out.push_str(", ");
            self.name_or_number(interp.location.name(), interp.location.number());
        }
        if !interp.cylindrical_wrap.is_empty() {
            self.out.push_str(", CYLWRAP_");
            for component in interp.cylindrical_wrap.iter() {
                self.out.push(component.letter().to_ascii_uppercase());
            }
        }
    }

    fn immediate(&mut self, n: usize, immediate: &Immediate) {
        self.put(format_args!("IMM[{n}] "));
        self.name_or_number(immediate.kind.name(), immediate.kind.number());
        self.out.push_str(" {");
        let words = &immediate.words;
        match immediate.kind {
            ImmediateType::Float32 => {
                self.list(words, |p, &bits| float::put32(&mut p.out, bits, p.style))
            }
            ImmediateType::Int32 => {
                self.list(words, |p, &bits| p.put(format_args!("{}", bits.cast_signed())));
            }
            ImmediateType::Uint32 => {
                self.list(words, |p, &bits| p.put(format_args!("{bits}")));
            }
            ImmediateType::Float64 => {
                self.list(&wide(words), |p, &bits| float::put64(&mut p.out, bits, p.style));
            }
            ImmediateType::Uint64 => {
                self.list(&wide(words), |p, &bits| p.put(format_args!("{bits}")));
            }
            ImmediateType::Int64 => {
                self.list(&wide(words), |p, &bits| p.put(format_args!("{}", bits.cast_signed())));
            }
        }
        self.out.push('}');
    }

    fn list<T>(&mut self, values: &[T], show: impl Fn(&mut Self, &T)) {
        for (n, value) in values.iter().enumerate() {
            if n > 0 {
                self.out.push_str(", ");
            }
            show(self, value);
        }
    }

    fn instruction(&mut self, n: usize, inst: &Instruction) {
        let info = inst.opcode.info();
        self.indent -= i32::from(info.pre_dedent);
        self.number(n);
        self.out.push_str(": ");
        for _ in 0..self.indent.max(0) {
            self.out.push_str("  ");
        }
        self.indent += i32::from(info.post_indent);
        self.out.push_str(info.name);
        match inst.saturate {
            Saturate::None | Saturate::Reserved => {}
            Saturate::ZeroOne => self.out.push_str("_SAT"),
            Saturate::MinusPlusOne => self.out.push_str("_SATNV"),
        }
        if inst.precise {
            self.out.push_str("_PRECISE");
        }
        self.operands(inst);
        if let Some(label) = inst.label.filter(|_| info.label != LabelUse::None) {
            self.put(format_args!(" :{label}"));
        }
    }

    fn operands(&mut self, inst: &Instruction) {
        let mut separator = " ";
        for dst in &inst.dst {
            self.out.push_str(std::mem::replace(&mut separator, ", "));
            self.register(&dst.reg);
            self.write_mask(dst.mask);
        }
        for src in &inst.src {
            self.out.push_str(std::mem::replace(&mut separator, ", "));
            self.source(src);
        }
        if let Some(texture) = &inst.texture {
            self.texture(inst.opcode, texture);
        }
        if let Some(memory) = &inst.memory {
            self.memory(memory);
        }
    }

    fn texture(&mut self, opcode: Opcode, texture: &Texture) {
        let takes_it_from_view =
            (Opcode::Sample as u16..=Opcode::Gather4 as u16).contains(&(opcode as u16));
        if !takes_it_from_view {
            self.out.push_str(", ");
            self.target(texture.target);
        }
        for offset in &texture.offsets {
            self.out.push_str(", ");
            self.file(offset.file);
            self.put(format_args!("[{}].", offset.index));
            for component in &offset.swizzle.components()[..3] {
                self.out.push(component.letter());
            }
        }
    }

    fn memory(&mut self, memory: &Memory) {
        for bit in (0..4).map(|n| 1 << n).filter(|bit| memory.qualifiers.bits() & bit != 0) {
            if let Some(name) = MemoryQualifier::from_number(bit).and_then(|q| q.name()) {
                self.out.push_str(", ");
                self.out.push_str(name);
            }
        }
        if memory.target != TextureTarget::Buffer {
            self.out.push_str(", ");
            self.target(memory.target);
        }
        if memory.format.number() != 0 {
            self.out.push_str(", ");
            match memory.format.name() {
                Some(name) => self.out.push_str(name),
                None => self.put(format_args!("{}", memory.format.number())),
            }
        }
    }

    fn file(&mut self, file: File) {
        self.out.push_str(file.name().unwrap_or("invalid file"));
    }

    fn register(&mut self, reg: &Register) {
        self.file(reg.file);
        if let Some(dimension) = &reg.dimension {
            self.subscript(dimension.index, dimension.indirect.as_ref());
        }
        self.subscript(reg.index, reg.indirect.as_ref());
    }

    fn subscript(&mut self, index: i16, indirect: Option<&Indirect>) {
        self.out.push('[');
        let Some(indirect) = indirect else {
            self.integer(index);
            self.out.push(']');
            return;
        };
        self.file(indirect.file);
        self.put(format_args!("[{}].{}", indirect.index, indirect.component.letter()));
        match index {
            0 => {}
            1.. => self.put(format_args!("+{index}")),
            _ => self.put(format_args!("{index}")),
        }
        self.out.push(']');
        if indirect.array_id != 0 {
            self.put(format_args!("({})", indirect.array_id));
        }
    }

    /// A small number without the formatting machinery, which dominates otherwise.
    fn integer(&mut self, value: i16) {
        match u8::try_from(value) {
            Ok(digit @ 0..=9) => self.out.push(char::from(b'0' + digit)),
            _ => self.put(format_args!("{value}")),
        }
    }

    /// An instruction's number, to width 3.
    fn number(&mut self, n: usize) {
        self.put(format_args!("{n:3}"));
    }

    fn write_mask(&mut self, mask: WriteMask) {
        if mask == WriteMask::XYZW {
            return;
        }
        self.out.push('.');
        for component in mask.iter() {
            self.out.push(component.letter());
        }
    }

    fn source(&mut self, src: &Src) {
        if src.negate {
            self.out.push('-');
        }
        if src.absolute {
            self.out.push('|');
        }
        self.register(&src.reg);
        if !src.swizzle.is_identity() {
            self.out.push('.');
            for component in src.swizzle.components() {
                self.out.push(component.letter());
            }
        }
        if src.absolute {
            self.out.push('|');
        }
    }
}

/// Pairs of words, low half first.
fn wide(words: &[u32]) -> Vec<u64> {
    words
        .chunks(2)
        .map(|pair| u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32)
        .collect()
}

/// The name of a property's value, where text has one.
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
