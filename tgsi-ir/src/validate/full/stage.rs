//! Rules about what each stage has: opcodes, semantics, properties.

use std::collections::BTreeMap;

use super::super::context::{Cx, file_name};
use super::super::{Code, Diagnostic, Place};
use crate::{
    CoordOrigin, Declaration, DeclarationId, DepthLayout, File, Instruction, InstructionId, Opcode,
    PixelCenter, Primitive, Processor, Property, PropertyId, PropertyName, Semantic, TessSpacing,
};

pub(super) fn check(cx: &mut Cx<'_>) {
    processor_is_known(cx);
    check_properties(cx);
    required_properties_are_there(cx);
    for (id, declaration) in cx.declarations() {
        semantic_suits_stage(cx, id, declaration);
        semantic_index_exists(cx, id, declaration);
    }
    for (id, instruction) in cx.instructions() {
        if cx.is_full() {
            return;
        }
        opcode_suits_stage(cx, id, instruction);
        opcode_is_current(cx, id, instruction);
    }
}

/// The stage in messages.
fn stage_name(processor: Processor) -> &'static str {
    match processor {
        Processor::Vertex => "a vertex shader",
        Processor::Fragment => "a fragment shader",
        Processor::Geometry => "a geometry shader",
        Processor::TessCtrl => "a tessellation control shader",
        Processor::TessEval => "a tessellation evaluation shader",
        Processor::Compute => "a compute shader",
        Processor::Unknown(_) => "a shader of unknown kind",
    }
}

/// V507 for the stage.
fn processor_is_known(cx: &mut Cx<'_>) {
    if let Processor::Unknown(number) = cx.shader.processor {
        let message = format!("there is no stage {number}");
        cx.report(Diagnostic::new(Code::UnknownNumber, Place::Shader, message));
    }
}

/// V501.
fn opcode_suits_stage(cx: &mut Cx<'_>, id: InstructionId, instruction: &Instruction) {
    let documented = cx.dialect.only_stage(instruction.opcode);
    let stages = match &documented {
        Some(stage) => std::slice::from_ref(stage),
        None => instruction.opcode.info().stages,
    };
    if stages.is_empty() || stages.contains(&cx.shader.processor) {
        return;
    }
    let stage = stage_name(cx.shader.processor);
    let message = format!("`{}` has no meaning in {stage}", instruction.opcode);
    let wanted: Vec<&str> = stages.iter().map(|&stage| stage_name(stage)).collect();
    let finding = Diagnostic::new(Code::OpcodeStage, Place::Instruction(id), message)
        .help(format!("it belongs in {}", wanted.join(" or ")));
    cx.report(finding);
}

/// V506: in today's dialect.
fn opcode_is_current(cx: &mut Cx<'_>, id: InstructionId, instruction: &Instruction) {
    let opcode = instruction.opcode;
    if !opcode.is_legacy() || cx.dialect.is_documented() {
        return;
    }
    let last = opcode.info().last_release;
    let message = format!("`{opcode}` was removed after Mesa {last}");
    let help = match opcode.modern_name() {
        Opcode::Sub => "write `ADD` with a negated second source".to_owned(),
        Opcode::Abs => "write `MOV` with the source between bars".to_owned(),
        modern if modern != opcode && !modern.is_legacy() => format!("write `{modern}`"),
        _ => "`tgsi modernise` rewrites it with today's opcodes".to_owned(),
    };
    let finding = Diagnostic::new(Code::LegacyOpcode, Place::Instruction(id), message);
    cx.report(finding.help(help));
}

/// V107.
fn semantic_suits_stage(cx: &mut Cx<'_>, id: DeclarationId, declaration: &Declaration) {
    let Some(semantic) = declaration.semantic else { return };
    let place = (cx.shader.processor, declaration.file);
    let fits = match cx.dialect.semantic_places(semantic.name) {
        Some(places) => places.contains(&place),
        None => has_semantic(place.0, place.1, semantic.name),
    };
    if fits {
        return;
    }
    let stage = stage_name(cx.shader.processor);
    let name = semantic.name.name().unwrap_or("?");
    let file = file_name(declaration.file);
    let message = format!("`{name}` has no meaning as `{file}` of {stage}");
    let names = semantics_of(cx, declaration.file);
    let help = match names.as_slice() {
        [] => format!("{stage} has none that the hardware tells: leave the semantic out"),
        names => format!("{stage} has {} there", names.join(", ")),
    };
    let finding = Diagnostic::new(Code::SemanticStage, Place::Declaration(id), message).help(help);
    cx.report(finding);
}

/// V110.
fn semantic_index_exists(cx: &mut Cx<'_>, id: DeclarationId, declaration: &Declaration) {
    let Some(semantic) = declaration.semantic else { return };
    let Some(last) = last_index(semantic.name) else { return };
    let range = declaration.range;
    let index = semantic.index.saturating_add(range.last.saturating_sub(range.first));
    if index <= last {
        return;
    }
    let name = semantic.name.name().unwrap_or("?");
    let message = format!("there is no `{name}[{index}]`");
    let help = match last {
        0 => format!("write `{name}`, of which there is one"),
        _ => format!("the last is `{name}[{last}]`"),
    };
    cx.report(Diagnostic::new(Code::SemanticIndex, Place::Declaration(id), message).help(help));
}

/// The last index of a semantic that has a place of its own in the hardware.
const fn last_index(name: Semantic) -> Option<u16> {
    match name {
        Semantic::Position
        | Semantic::Psize
        | Semantic::Face
        | Semantic::Edgeflag
        | Semantic::Primid
        | Semantic::Stencil
        | Semantic::Clipvertex
        | Semantic::Layer
        | Semantic::ViewportIndex
        | Semantic::Samplemask => Some(0),
        Semantic::Clipdist | Semantic::Culldist => Some(1),
        _ => None,
    }
}

/// The semantics that a file of the shader's stage has in its dialect.
fn semantics_of(cx: &Cx<'_>, file: File) -> Vec<&'static str> {
    let place = (cx.shader.processor, file);
    let is_there = |semantic: Semantic| match cx.dialect.semantic_places(semantic) {
        Some(places) => places.contains(&place),
        None => has_semantic(place.0, file, semantic),
    };
    (0..=u8::MAX)
        .map(|number| Semantic::from_number_in(cx.dialect, number))
        .filter(|&semantic| is_there(semantic))
        .filter_map(Semantic::name)
        .collect()
}

/// Whether a file of a stage has such a semantic. Semantics that stages pass on freely fit both ends.
fn has_semantic(processor: Processor, file: File, semantic: Semantic) -> bool {
    use Semantic as S;
    match (file, processor) {
        (File::SystemValue, _) => has_system_value(processor, semantic),
        (File::Output, Processor::Fragment) => {
            matches!(semantic, S::Position | S::Color | S::Stencil | S::Samplemask)
        }
        (File::Output, Processor::Compute) | (File::Input, Processor::Compute) => false,
        (File::Output, Processor::TessCtrl) => !is_system_only(semantic),
        (File::Output | File::Input, _) => {
            let patch = matches!(semantic, S::Patch | S::Tessouter | S::Tessinner);
            !is_system_only(semantic)
                && (!patch || file == File::Input && processor == Processor::TessEval)
        }
        _ => true,
    }
}

/// Semantics that are system values only.
const fn is_system_only(semantic: Semantic) -> bool {
    use Semantic as S;
    matches!(
        semantic,
        S::Instanceid
            | S::Vertexid
            | S::VertexidNobase
            | S::Basevertex
            | S::Baseinstance
            | S::Drawid
            | S::GridSize
            | S::BlockId
            | S::BlockSize
            | S::ThreadId
            | S::Sampleid
            | S::Samplepos
            | S::Invocationid
            | S::HelperInvocation
            | S::Tesscoord
            | S::Verticesin
            | S::WorkDim
            | S::SubgroupSize
            | S::SubgroupInvocation
    )
}

/// Whether a stage has such a system value.
fn has_system_value(processor: Processor, semantic: Semantic) -> bool {
    use Processor as P;
    use Semantic as S;
    let stages: &[P] = match semantic {
        S::Vertexid
        | S::VertexidNobase
        | S::Basevertex
        | S::Baseinstance
        | S::Drawid
        | S::Instanceid => &[P::Vertex],
        S::GridSize | S::BlockId | S::BlockSize | S::ThreadId | S::WorkDim | S::CsUserDataAmd => {
            &[P::Compute]
        }
        S::Sampleid
        | S::Samplepos
        | S::Samplemask
        | S::HelperInvocation
        | S::Pcoord
        | S::Face
        | S::Position => &[P::Fragment],
        S::Invocationid => &[P::Geometry, P::TessCtrl],
        S::Tesscoord => &[P::TessEval],
        S::Tessouter | S::Tessinner => &[P::TessEval, P::TessCtrl],
        S::TessDefaultOuterLevel | S::TessDefaultInnerLevel => &[P::TessCtrl],
        S::Verticesin => &[P::TessCtrl, P::TessEval],
        S::Color
        | S::Bcolor
        | S::Fog
        | S::Psize
        | S::Generic
        | S::Normal
        | S::Edgeflag
        | S::Texcoord
        | S::Clipvertex
        | S::Patch => &[],
        _ => return true,
    };
    stages.contains(&processor)
}

fn check_properties(cx: &mut Cx<'_>) {
    let mut seen = BTreeMap::new();
    for (index, property) in cx.shader.properties.iter().enumerate() {
        if cx.is_full() {
            return;
        }
        let id = PropertyId::from_index(index);
        property_is_known(cx, id, property);
        property_suits_stage(cx, id, property);
        value_is_possible(cx, id, property);
        if let Some(first) = seen.insert(property.name, id) {
            let message = format!("`{}` is stated twice", property_name(property.name));
            let finding = Diagnostic::new(Code::PropertyTwice, Place::Property(id), message)
                .related(Place::Property(first), "stated here")
                .help("leave one of them out");
            cx.report(finding);
        }
    }
}

fn property_name(name: PropertyName) -> &'static str {
    name.name().unwrap_or("?")
}

/// V507 for properties.
fn property_is_known(cx: &mut Cx<'_>, id: PropertyId, property: &Property) {
    if let PropertyName::Unknown(number) = property.name {
        let message = format!("there is no property {number}");
        cx.report(Diagnostic::new(Code::UnknownNumber, Place::Property(id), message));
    }
}

/// V502: the first letters of a property's name say what stage it is for.
fn property_suits_stage(cx: &mut Cx<'_>, id: PropertyId, property: &Property) {
    let name = property_name(property.name);
    let stage = match name.split('_').next() {
        Some("VS") => Processor::Vertex,
        Some("FS") => Processor::Fragment,
        Some("GS") => Processor::Geometry,
        Some("TCS") => Processor::TessCtrl,
        Some("TES") => Processor::TessEval,
        Some("CS") => Processor::Compute,
        _ => return,
    };
    if stage != cx.shader.processor {
        let message = format!("`{name}` has no effect in {}", stage_name(cx.shader.processor));
        let finding = Diagnostic::new(Code::PropertyStage, Place::Property(id), message)
            .help(format!("it belongs in {}", stage_name(stage)));
        cx.report(finding);
    }
}

/// V504.
fn value_is_possible(cx: &mut Cx<'_>, id: PropertyId, property: &Property) {
    let name = property_name(property.name);
    let Some(&value) = property.values.first() else {
        let message = format!("`{name}` has no value");
        return cx.report(Diagnostic::new(Code::PropertyValue, Place::Property(id), message));
    };
    if !is_possible(property.name, value) {
        let message = format!("`{name}` cannot be {value}");
        let finding = Diagnostic::new(Code::PropertyValue, Place::Property(id), message);
        cx.report(finding.help(possible(property.name)));
    }
}

/// What a property can be, in words.
fn possible(name: PropertyName) -> &'static str {
    use PropertyName as P;
    match name {
        P::GsInputPrim => "name a primitive with a fixed number of vertices",
        P::GsOutputPrim => "write POINTS, LINE_STRIP or TRIANGLE_STRIP",
        P::TesPrimMode => "write 1 for lines, 4 for triangles, 7 for quads",
        P::TesSpacing => "write 0, 1 or 2",
        P::FsDepthLayout => "write 0 to 4",
        P::TcsVerticesOut => "a patch has 1 to 32 vertices",
        P::GsInvocations | P::GsMaxOutputVertices => "write 1 or more",
        P::NumClipdistEnabled | P::NumCulldistEnabled => "there are 8 at most",
        _ => "write one of its names",
    }
}

fn is_possible(name: PropertyName, value: u32) -> bool {
    use PropertyName as P;
    let number = u8::try_from(value).ok();
    let primitive = number.and_then(Primitive::from_number);
    match name {
        P::GsInputPrim => primitive.and_then(Primitive::vertices).is_some(),
        P::GsOutputPrim => matches!(
            primitive,
            Some(Primitive::Points | Primitive::LineStrip | Primitive::TriangleStrip)
        ),
        P::TesPrimMode => {
            matches!(primitive, Some(Primitive::Lines | Primitive::Triangles | Primitive::Quads))
        }
        P::FsCoordOrigin => number.and_then(CoordOrigin::from_number).is_some(),
        P::FsCoordPixelCenter => number.and_then(PixelCenter::from_number).is_some(),
        P::FsDepthLayout => number.and_then(DepthLayout::from_number).is_some(),
        P::TesSpacing => number.and_then(TessSpacing::from_number).is_some(),
        P::NextShader => number
            .is_some_and(|number| !matches!(Processor::from_number(number), Processor::Unknown(_))),
        P::TcsVerticesOut => (1..=32).contains(&value),
        P::GsInvocations | P::GsMaxOutputVertices => value > 0,
        P::NumClipdistEnabled | P::NumCulldistEnabled => value <= 8,
        _ => true,
    }
}

/// V503.
fn required_properties_are_there(cx: &mut Cx<'_>) {
    let required: &[PropertyName] = match cx.shader.processor {
        Processor::Geometry => &[
            PropertyName::GsInputPrim,
            PropertyName::GsOutputPrim,
            PropertyName::GsMaxOutputVertices,
        ],
        Processor::TessCtrl => &[PropertyName::TcsVerticesOut],
        _ => &[],
    };
    for &name in required {
        let is_known = name.number_in(cx.dialect).is_some();
        if is_known && cx.shader.property(name).is_none() {
            let stage = stage_name(cx.shader.processor);
            let message = format!("{stage} without `{}`", property_name(name));
            let finding = Diagnostic::new(Code::MissingProperty, Place::Shader, message).help(
                format!("write `PROPERTY {} …` before the declarations", property_name(name)),
            );
            cx.report(finding);
        }
    }
}
