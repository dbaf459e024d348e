//! Declarations.

use tgsi_ir::{
    Declaration, File, FileAttributes, ImageAttributes, Interp, Interpolation, Location, Processor,
    ReturnType, SamplerViewAttributes, Semantic, SemanticName, TextureTarget,
};

use super::Printer;
use super::float;
use crate::parser::has_no_semantic;

impl Printer {
    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        self.out.push_str("DCL ");
        self.file(declaration.file);
        if self.has_empty_bracket(declaration) {
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
            self.semantic(declaration.file, semantic);
        }
        self.attributes(&declaration.attributes);
        if let Some(interp) = &declaration.interp {
            self.interp(declaration, interp);
        }
        if declaration.invariant {
            self.out.push_str(", INVARIANT");
        }
        if let FileAttributes::Values(values) = &declaration.attributes {
            self.values(values);
        }
    }

    fn has_empty_bracket(&self, declaration: &Declaration) -> bool {
        let name = declaration.semantic.map_or(Semantic::Position, |semantic| semantic.name);
        let is_per_patch = matches!(
            name,
            Semantic::Patch | Semantic::Tessinner | Semantic::Tessouter | Semantic::Primid
        );
        match (self.processor, declaration.file) {
            (Processor::Geometry, File::Input) => true,
            (Processor::TessCtrl | Processor::TessEval, File::Input)
            | (Processor::TessCtrl, File::Output) => {
                // Readers take the first of two brackets as the vertex dimension.
                !is_per_patch || self.is_lossless() && declaration.dimension.is_some()
            }
            _ => false,
        }
    }

    fn semantic(&mut self, file: File, semantic: &SemanticName) {
        self.out.push_str(", ");
        // Mesa prints known semantics without a name as C's null.
        let is_unknown = matches!(semantic.name, Semantic::Unknown(_));
        let number = semantic
            .name
            .number_in(self.options.dialect)
            .filter(|_| is_unknown || self.is_lossless());
        // In files without semantics, COLOR is a interpolation mode.
        let is_plain =
            !self.is_lossless() || semantic.name != Semantic::Color || !has_no_semantic(file);
        self.named("SEMANTIC", semantic.name.name().filter(|_| is_plain), number);
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
            FileAttributes::None | FileAttributes::Values(_) => {}
            FileAttributes::Image(image) => self.image(image, true),
            FileAttributes::Resource(image) => self.image(image, image.format.number() != 0),
            FileAttributes::SamplerView(view) => self.sampler_view(view),
            FileAttributes::Atomic => self.out.push_str(", ATOMIC"),
            FileAttributes::Memory(kind) => {
                self.out.push_str(", ");
                self.out.push_str(kind.name().unwrap_or("GLOBAL"));
            }
        }
    }

    fn image(&mut self, image: &ImageAttributes, has_format: bool) {
        self.out.push_str(", ");
        self.target(image.target);
        if has_format {
            self.out.push_str(", ");
            self.format(image.format);
        }
        self.out.push_str(if image.writable { ", WR" } else { "" });
        self.out.push_str(if image.raw { ", RAW" } else { "" });
    }

    /// Mesa's reader applies the first of several types to all channels, so four types need another notation.
    fn sampler_view(&mut self, view: &SamplerViewAttributes) {
        self.out.push_str(", ");
        self.target(view.target);
        self.out.push_str(", ");
        let [first, rest @ ..] = view.return_types;
        if rest == [first; 3] {
            return self.return_type(first);
        }
        let is_mesa = self.is_lossless() && !self.options.dialect.is_documented();
        let (open, close) = if is_mesa { ("(", ")") } else { ("", "") };
        self.out.push_str(open);
        self.list(&view.return_types, |printer, &kind| printer.return_type(kind));
        self.out.push_str(close);
    }

    pub(super) fn return_type(&mut self, kind: ReturnType) {
        match kind {
            ReturnType::Unknown if self.is_lossless() => self.out.push_str("UNKNOWN"),
            // The one known type without a name prints as C's null.
            ReturnType::Unknown => self.named("TYPE", None, None),
            _ => self.named("TYPE", kind.name(), kind.number()),
        }
    }

    pub(super) fn target(&mut self, target: TextureTarget) {
        self.named("TARGET", target.name(), target.number_in(self.options.dialect));
    }

    /// The values of an immediate array, as floats.
    fn values(&mut self, values: &[[u32; 4]]) {
        self.out.push_str(" {");
        let style = self.options.style;
        self.list(values, |printer, value| {
            printer.out.push('{');
            printer.list(value, |printer, &bits| float::put32(&mut printer.out, bits, style));
            printer.out.push('}');
        });
        self.out.push('}');
    }

    fn interp(&mut self, declaration: &Declaration, interp: &Interp) {
        let is_interpolated =
            self.processor == Processor::Fragment && declaration.file == File::Input;
        if is_interpolated || self.is_lossless() {
            self.out.push_str(", ");
            // Without a semantic before it, COLOR would be parsed as one.
            let is_plain = declaration.semantic.is_some()
                || interp.mode != Interpolation::Color
                || has_no_semantic(declaration.file)
                || !self.is_lossless();
            let name = interp.mode.name().filter(|_| is_plain);
            self.named("INTERPOLATION", name, interp.mode.number_in(self.options.dialect));
        }
        if interp.location != Location::Center {
            self.out.push_str(", ");
            self.named("LOCATION", interp.location.name(), interp.location.number());
        }
        if !interp.cylindrical_wrap.is_empty() {
            self.out.push_str(", CYLWRAP_");
            for component in interp.cylindrical_wrap.iter() {
                self.out.push(component.letter().to_ascii_uppercase());
            }
        }
    }
}
