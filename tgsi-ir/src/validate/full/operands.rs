//! Rules about operands: counts, files, declarations, subscripts, usage masks.

use super::super::context::{Cx, Written, file_name};
use super::super::registers::Subscript;
use super::super::{Code, Diagnostic, Place};
use crate::{
    Dimension, Dst, File, Indirect, Instruction, InstructionId, Processor, Register, Semantic, Src,
    SrcRole, WriteMask,
};

pub(super) fn check(cx: &mut Cx<'_>) {
    for (id, instruction) in cx.instructions() {
        if cx.is_full() {
            return;
        }
        counts_are_right(cx, id, instruction);
        for (operand, dst) in (0u8..).zip(&instruction.dst) {
            check_dst(cx, instruction, dst, Place::Dst(id, operand));
        }
        for (operand, src) in (0u8..).zip(&instruction.src) {
            check_src(cx, instruction, src, Place::Src(id, operand), operand.into());
        }
    }
}

/// V003, V004. Old dialects took fewer sources in places.
fn counts_are_right(cx: &mut Cx<'_>, id: InstructionId, instruction: &Instruction) {
    let info = instruction.opcode.info();
    let place = Place::Instruction(id);
    let (dst, src) = (instruction.dst.len(), instruction.src.len());
    if dst != usize::from(info.num_dst) {
        let message =
            format!("`{}` has {}, not {dst}", info.name, plural(info.num_dst, "destination"));
        let help = format!("write {} before the sources", plural(info.num_dst, "destination"));
        cx.report(Diagnostic::new(Code::NumDst, place, message).help(help));
    }
    let fits = instruction.opcode.takes_sources(src);
    if !fits {
        let message = format!("`{}` has {}, not {src}", info.name, plural(info.num_src, "source"));
        let help = format!("write {} after the destinations", plural(info.num_src, "source"));
        cx.report(Diagnostic::new(Code::NumSrc, place, message).help(help));
    }
}

fn plural(count: u8, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn check_dst(cx: &mut Cx<'_>, instruction: &Instruction, dst: &Dst, place: Place) {
    mask_is_not_empty(cx, dst, place);
    if !file_is_known(cx, &dst.reg, place) {
        return;
    }
    // A result may be thrown away.
    if dst.reg.file == File::Null {
        return;
    }
    file_is_writable(cx, instruction, dst, place);
    if register_is_declared(cx, &dst.reg, place, Code::UndeclaredDst) {
        writes_stay_in_usage(cx, dst, place);
    }
    subscripts_are_sound(cx, &dst.reg, place);
}

fn check_src(cx: &mut Cx<'_>, instruction: &Instruction, src: &Src, place: Place, index: usize) {
    if !file_is_known(cx, &src.reg, place) {
        return;
    }
    let role = instruction.opcode.info().src_roles.get(index).copied();
    if role == Some(SrcRole::Unused) {
        return;
    }
    file_suits_role(cx, instruction, src, place, role.unwrap_or(SrcRole::Value));
    if role == Some(SrcRole::Resource) && is_constant_buffer(src.reg.file) {
        return buffer_is_declared(cx, &src.reg, place);
    }
    if register_is_declared(cx, &src.reg, place, Code::UndeclaredSrc) {
        reads_stay_in_usage(cx, src, place, cx.read_mask(instruction, index));
    }
    subscripts_are_sound(cx, &src.reg, place);
}

/// V009.
fn mask_is_not_empty(cx: &mut Cx<'_>, dst: &Dst, place: Place) {
    if dst.mask.is_empty() {
        let message = format!("no channel of `{}` is written", Written(&dst.reg));
        let finding = Diagnostic::new(Code::EmptyWriteMask, place, message)
            .help("write to `NULL` to throw a result away");
        cx.report(finding);
    }
}

/// V005.
fn file_is_known(cx: &mut Cx<'_>, reg: &Register, place: Place) -> bool {
    let (message, help) = match (reg.file, place) {
        (File::Unknown(number), _) => {
            (format!("there is no register file {number}"), "files are numbered from 1")
        }
        (File::Null, Place::Src(..)) => {
            ("`NULL` cannot be read".to_owned(), "read an immediate of zeros")
        }
        _ => return true,
    };
    cx.report(Diagnostic::new(Code::InvalidFile, place, message).help(help));
    false
}

/// Files that hold no values but things to sample, load from and store to.
const fn is_resource_file(file: File) -> bool {
    matches!(
        file,
        File::Sampler
            | File::SamplerView
            | File::Image
            | File::Buffer
            | File::Memory
            | File::Constbuf
            | File::HwAtomic
            | File::Resource
    )
}

/// V201, and V202 for destinations.
fn file_is_writable(cx: &mut Cx<'_>, instruction: &Instruction, dst: &Dst, place: Place) {
    let file = dst.reg.file;
    let info = instruction.opcode.info();
    let stores = info.is_store && info.num_src == 2 || info.flow == crate::FlowRole::Barrier;
    if is_resource_file(file) {
        let readable_only = matches!(file, File::Sampler | File::SamplerView | File::Constbuf);
        if !stores || readable_only {
            let message = format!("`{}` cannot write to `{}`", info.name, Written(&dst.reg));
            let finding = Diagnostic::new(Code::OperandFile, place, message);
            cx.report(finding.help("memory is written with `STORE` and the atomics"));
        }
        return;
    }
    if matches!(
        file,
        File::Constant | File::Input | File::Immediate | File::SystemValue | File::ImmediateArray
    ) {
        let message = format!("`{}` is read only", Written(&dst.reg));
        let finding = Diagnostic::new(Code::ReadOnlyFile, place, message);
        cx.report(finding.help("write to a temporary"));
    }
}

/// V202 for sources. A register of values may hold a bindless handle of a sampler, image or buffer.
fn file_suits_role(
    cx: &mut Cx<'_>,
    instruction: &Instruction,
    src: &Src,
    place: Place,
    role: SrcRole,
) {
    let file = src.reg.file;
    let (fits, want) = match role {
        SrcRole::Sampler => {
            (file == File::Sampler || !is_resource_file(file), "a sampler or a handle")
        }
        SrcRole::View => {
            (matches!(file, File::SamplerView | File::Resource | File::Sampler), "a sampler view")
        }
        SrcRole::Resource => {
            let other = matches!(file, File::Sampler | File::SamplerView | File::Address);
            (!other, "a buffer, image, memory or a handle")
        }
        SrcRole::Input => (matches!(file, File::Input | File::Temporary), "an input"),
        SrcRole::Output => (file == File::Output, "an output"),
        SrcRole::Value
        | SrcRole::Channels(_)
        | SrcRole::ByChannel(_)
        | SrcRole::Test
        | SrcRole::PairCounts
        | SrcRole::Unused
        | SrcRole::Coordinates
        | SrcRole::CoordinatesAndW
        | SrcRole::Derivatives
        | SrcRole::Address => (!is_resource_file(file), "a value"),
    };
    if !fits {
        let opcode = instruction.opcode;
        let message = format!("`{opcode}` wants {want} here, not `{}`", Written(&src.reg));
        let finding = Diagnostic::new(Code::OperandFile, place, message);
        cx.report(match is_resource_file(file) {
            true => finding.help("textures are read with `TEX`, buffers and images with `LOAD`"),
            false => finding,
        });
    }
}

/// V006, V007, V108, V109. True if the declaration is known, or the operand may reach the whole file.
fn register_is_declared(cx: &mut Cx<'_>, reg: &Register, place: Place, code: Code) -> bool {
    if reg.indirect.is_some() {
        if !cx.declared.has_file(reg.file) {
            let message = format!("no register of `{}` is declared", file_name(reg.file));
            let finding = Diagnostic::new(code, place, message);
            let name = file_name(reg.file);
            cx.report(finding.help(format!("declare what is subscripted: `DCL {name}[0..n]`")));
        } else if let Some(finding) = subscripts_of_none(cx, reg, place) {
            cx.report(finding);
        }
        return false;
    }
    if cx.find(reg).is_some() || is_of_primitive(cx, reg) {
        return true;
    }
    if let Some((meant, origin)) = constant_of_buffer_0(cx, reg) {
        let message = format!("`{}` is declared as `{}`", Written(reg), Written(&meant));
        let finding = Diagnostic::new(Code::ConstantSubscript, place, message)
            .related(origin, "declared here")
            .help(format!("write `{}`", Written(&meant)));
        cx.report(finding);
        return true;
    }
    let finding = match cx.declared.find_any(reg.file, reg.index.into()) {
        Some((subscript, origin)) if (subscript != Subscript::None) != reg.dimension.is_some() => {
            let want =
                if subscript == Subscript::None { "one subscript" } else { "two subscripts" };
            let message = format!("`{}` is declared with {want}", Written(reg));
            let finding = Diagnostic::new(Code::SubscriptCount, place, message)
                .related(origin, "declared here");
            match reg.dimension {
                Some(_) => {
                    let meant = Register { dimension: None, ..*reg };
                    finding.help(format!("write `{}`", Written(&meant)))
                }
                None => finding.help("name the vertex or buffer first: `IN[vertex][0]`"),
            }
        }
        _ => undeclared(cx, reg, place, code),
    };
    cx.report(finding);
    false
}

/// V108 for a register with a run-time index: no declaration of its file has as many subscripts.
fn subscripts_of_none(cx: &Cx<'_>, reg: &Register, place: Place) -> Option<Diagnostic> {
    let has_one = cx.declared.has_subscript(reg.file, Subscript::None);
    let want = match reg.dimension {
        Some(_) if !cx.declared.has_second_subscript(reg.file) => "one subscript",
        None if !has_one => "two subscripts",
        _ => return None,
    };
    if is_of_first_buffer(cx, reg) || may_be_of_primitive(cx, reg) {
        return None;
    }
    let message = format!("each `{}` is declared with {want}", file_name(reg.file));
    Some(Diagnostic::new(Code::SubscriptCount, place, message))
}

/// Whether a constant is, or may be, of buffer 0 and that is declared the other way: `CONST[n]` and `CONST[0][n]` are
/// the same constant.
fn is_of_first_buffer(cx: &Cx<'_>, reg: &Register) -> bool {
    let other_way = match reg.dimension {
        None => Subscript::Exact(0),
        Some(Dimension { index: 0, .. } | Dimension { indirect: Some(_), .. }) => Subscript::None,
        Some(_) => return false,
    };
    reg.file == File::Constant && cx.declared.has_subscript(reg.file, other_way)
}

/// As a resource, `CONST[n]` is the n-th constant buffer, not a constant.
pub(super) const fn is_constant_buffer(file: File) -> bool {
    matches!(file, File::Constant | File::Constbuf)
}

/// V007 for constant buffers, which are declared by their constants.
fn buffer_is_declared(cx: &mut Cx<'_>, reg: &Register, place: Place) {
    let number = u16::try_from(reg.index).unwrap_or(u16::MAX);
    let constants = |subscript| cx.declared.has_subscript(File::Constant, subscript);
    let known = constants(Subscript::Exact(number))
        || number == 0 && constants(Subscript::None)
        || reg.indirect.is_some() && cx.declared.has_file(File::Constant)
        || cx.find(reg).is_some();
    if !known {
        let message = format!("constant buffer `{}` is not declared", Written(reg));
        let finding = Diagnostic::new(Code::UndeclaredSrc, place, message);
        cx.report(finding.help(format!("declare its constants: `DCL CONST[{number}][0..n]`")));
    }
}

/// V109: `CONST[n]` and `CONST[0][n]` are the same constant, which is declared the other way.
pub(super) fn constant_of_buffer_0(cx: &Cx<'_>, reg: &Register) -> Option<(Register, Place)> {
    if reg.file != File::Constant {
        return None;
    }
    let meant = match reg.dimension {
        None => Register::new_2d(File::Constant, 0, reg.index),
        Some(Dimension { index: 0, indirect: None }) => Register::new(File::Constant, reg.index),
        Some(_) => return None,
    };
    Some((meant, cx.find(&meant)?))
}

fn undeclared(cx: &Cx<'_>, reg: &Register, place: Place, code: Code) -> Diagnostic {
    let message = format!("`{}` is not declared", Written(reg));
    let finding = Diagnostic::new(code, place, message);
    if reg.file == File::Immediate {
        let count = cx.shader.immediates.len();
        return finding.help(format!("immediates are numbered from 0; there are {count}"));
    }
    /// A longer list is not searched for the nearest declaration.
    const MAX_SEARCHED: usize = 4096;
    let nearest = cx
        .declarations()
        .take(MAX_SEARCHED)
        .filter(|(_, declaration)| declaration.file == reg.file)
        .min_by_key(|(_, one)| i32::from(one.range.last).abs_diff(reg.index.into()));
    let finding = finding.help(format!("declare it: `DCL {}`", Written(reg)));
    match nearest {
        Some((id, _)) => finding.related(Place::Declaration(id), "the nearest of its file"),
        None => finding,
    }
}

/// Whether an input of a geometry shader is the primitive's own number, which may be read without a vertex.
fn is_of_primitive(cx: &Cx<'_>, reg: &Register) -> bool {
    if (reg.file, reg.dimension, cx.shader.processor) != (File::Input, None, Processor::Geometry) {
        return false;
    }
    let declared = cx.declared.find_any(reg.file, reg.index.into());
    let Some((_, Place::Declaration(id))) = declared else { return false };
    let semantic = cx.shader.declarations[id.index()].semantic;
    semantic.is_some_and(|semantic| semantic.name == Semantic::Primid)
}

/// Whether an index of a geometry shader may reach the primitive's own number, which is read without a vertex.
fn may_be_of_primitive(cx: &Cx<'_>, reg: &Register) -> bool {
    let is_read_so = (reg.file, cx.shader.processor) == (File::Input, Processor::Geometry);
    is_read_so && reg.dimension.is_none() && cx.has_primitive_input
}

/// V203.
fn writes_stay_in_usage(cx: &mut Cx<'_>, dst: &Dst, place: Place) {
    let Some((id, declaration)) = cx.declaration_of(&dst.reg) else { return };
    let usage = cx.usage_of(&dst.reg, declaration);
    if dst.mask.bits() & !usage.bits() != 0 {
        let message = format!(
            "`{}{:?}` is written, but declared as `{usage:?}`",
            Written(&dst.reg),
            dst.mask
        );
        let finding = Diagnostic::new(Code::WriteBeyondUsage, place, message)
            .related(Place::Declaration(id), "declared here")
            .help(format!("write `{usage:?}` only, or declare the other channels too"));
        cx.report(finding);
    }
}

/// V204.
fn reads_stay_in_usage(cx: &mut Cx<'_>, src: &Src, place: Place, read: WriteMask) {
    let Some((id, declaration)) = cx.declaration_of(&src.reg) else { return };
    let usage = cx.usage_of(&src.reg, declaration);
    if read.bits() & !usage.bits() != 0 {
        let message =
            format!("`{}{read:?}` is read, but declared as `{usage:?}`", Written(&src.reg));
        let finding = Diagnostic::new(Code::ReadBeyondUsage, place, message)
            .related(Place::Declaration(id), "declared here")
            .help(format!("read `{usage:?}` only, or declare the other channels too"));
        cx.report(finding);
    }
}

fn subscripts_are_sound(cx: &mut Cx<'_>, reg: &Register, place: Place) {
    let dimension = reg.dimension.and_then(|dimension| dimension.indirect);
    for indirect in reg.indirect.iter().chain(&dimension) {
        index_register_is_declared(cx, indirect, place);
    }
    if let Some(indirect) = &reg.indirect {
        array_is_declared(cx, reg, indirect, place);
    }
}

/// V008.
fn index_register_is_declared(cx: &mut Cx<'_>, indirect: &Indirect, place: Place) {
    let reg = Register::new(indirect.file, indirect.index);
    if cx.find(&reg).is_none() {
        let message = format!("the index register `{}` is not declared", Written(&reg));
        let finding = Diagnostic::new(Code::UndeclaredIndirect, place, message);
        cx.report(finding.help(format!("declare it: `DCL {}`", Written(&reg))));
    }
}

/// V102, V104.
fn array_is_declared(cx: &mut Cx<'_>, reg: &Register, indirect: &Indirect, place: Place) {
    let array = indirect.array_id;
    if array == 0 {
        return;
    }
    let name = file_name(reg.file);
    let Some(&id) = cx.arrays.get(&(reg.file, array)) else {
        let message = format!("`{name}` has no array {array}");
        let finding = Diagnostic::new(Code::UnknownArray, place, message);
        return cx.report(finding.help(format!("declare it: `DCL {name}[0..n], ARRAY({array})`")));
    };
    let range = cx.shader.declarations[id.index()].range;
    if !range.contains(reg.index.into()) {
        let message = format!(
            "the subscript starts at {}, outside of array {array} ({name}[{}..{}])",
            reg.index, range.first, range.last
        );
        let finding = Diagnostic::new(Code::OutsideArray, place, message)
            .related(Place::Declaration(id), "declared here")
            .help("start within the array, or drop the array number: the index register must then bring the subscript back");
        cx.report(finding);
    }
}
