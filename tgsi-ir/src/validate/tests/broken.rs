//! For each rule the smallest shader that breaks it.

use super::*;

/// A shader that breaks this rule of declarations and the like.
fn broken_interface(code: Code) -> Option<Shader> {
    let mut shader = good();
    match code {
        Code::MissingEnd => drop(shader.instructions.pop()),
        Code::TooManyEnds => shader.instructions.push(bare(Opcode::End)),
        Code::InvalidFile => return Some(with_declaration(Declaration::new(File::Null, 0, 0))),
        Code::LateDeclaration | Code::LateImmediate => {
            shader.note_order(ItemKind::Instruction);
            shader.note_order(match code {
                Code::LateImmediate => ItemKind::Immediate,
                _ => ItemKind::Declaration,
            });
        }
        Code::DeclaredTwice => {
            return Some(with_declaration(Declaration::new(File::Temporary, 1, 5)));
        }
        Code::NeverUsed => {
            return Some(with_declaration(Declaration::new(File::Temporary, 2, 2)));
        }
        Code::ReversedRange => {
            return Some(with_declaration(Declaration::new(File::Temporary, 5, 3)));
        }
        Code::ArrayTwice => {
            for first in [20, 30] {
                let mut declaration = Declaration::new(File::Temporary, first, first);
                declaration.array_id = Some(3);
                shader.declarations.push(declaration);
            }
        }
        Code::MissingSemantic => {
            return Some(with_declaration(Declaration::new(File::Input, 0, 0)));
        }
        Code::SemanticTwice => {
            return Some(with_declaration(with_semantic(File::Output, 1, Semantic::Color)));
        }
        Code::SemanticStage => {
            return Some(with_declaration(with_semantic(File::Output, 1, Semantic::Psize)));
        }
        Code::SemanticIndex => {
            let mut position = with_semantic(File::Output, 1, Semantic::Position);
            position.semantic.as_mut()?.index = 1;
            return Some(with_declaration(position));
        }
        Code::PropertyStage => {
            return Some(with_property(Processor::Fragment, PropertyName::VsProhibitUcps, 1));
        }
        Code::MissingProperty => shader.processor = Processor::Geometry,
        Code::PropertyValue => {
            return Some(with_property(Processor::Fragment, PropertyName::FsCoordOrigin, 7));
        }
        Code::PropertyTwice => {
            shader = with_property(Processor::Fragment, PropertyName::FsCoordOrigin, 0);
            let again = shader.properties[0].clone();
            shader.properties.push(again);
        }
        Code::UnknownNumber => shader.processor = Processor::Unknown(9),
        _ => return None,
    }
    Some(shader)
}

/// A shader that breaks this rule of operands.
fn broken_operand(code: Code) -> Option<Shader> {
    let double = |mask| temp0().masked(mask);
    let one = match code {
        Code::NumDst => op(Opcode::Mov, &[], &[imm0()]),
        Code::NumSrc => op(Opcode::Mov, &[temp0()], &[]),
        Code::UndeclaredDst => mov(dst(File::Temporary, 9), imm0()),
        Code::UndeclaredSrc => mov(temp0(), src(File::Input, 3)),
        Code::EmptyWriteMask => mov(temp0().masked(WriteMask::NONE), imm0()),
        Code::SubscriptCount => mov(temp0(), Src::new(Register::new_2d(File::Immediate, 0, 0))),
        Code::ReadOnlyFile => mov(dst(File::Immediate, 0), imm0()),
        Code::OperandFile => mov(temp0(), src(File::Sampler, 0)),
        Code::AbsoluteInteger => op(Opcode::Ineg, &[temp0()], &[Src { absolute: true, ..imm0() }]),
        Code::WideModifier => op(Opcode::Drcp, &[temp0()], &[imm0().negated()]),
        Code::SaturateInteger => {
            let mut one = op(Opcode::Ineg, &[temp0()], &[imm0()]);
            one.saturate = Saturate::ZeroOne;
            one
        }
        Code::SplitPair => op(Opcode::Drcp, &[double(WriteMask::X)], &[imm0()]),
        Code::SplitSwizzle => {
            let source = Src { swizzle: Swizzle::splat(Component::X), ..imm0() };
            op(Opcode::Drcp, &[double(WriteMask::XY)], &[source])
        }
        Code::ReadBeforeWrite => mov(temp0(), src(File::Temporary, 1)),
        Code::OpcodeStage => bare(Opcode::Emit),
        Code::LegacyOpcode => op(Opcode::Sub, &[temp0()], &[imm0(), imm0()]),
        _ => return None,
    };
    Some(with([one]))
}

/// A shader that breaks this rule of arrays and usage masks.
fn broken_register(code: Code) -> Option<Shader> {
    Some(match code {
        Code::UndeclaredIndirect => {
            with([mov(temp0(), Src::new(indirect(reg(File::Temporary, 0), 0)))])
        }
        Code::UnknownArray => array(8, 2),
        Code::OutsideArray => array(12, 1),
        Code::ConstantSubscript => {
            let mut shader = with([mov(temp0(), src(File::Constant, 2))]);
            let mut declaration = Declaration::new(File::Constant, 0, 3);
            declaration.dimension = Some(0);
            shader.declarations.push(declaration);
            shader
        }
        Code::WriteBeyondUsage => {
            let mut shader = good();
            shader.declarations[0].usage_mask = WriteMask::XYZ;
            shader
        }
        Code::ReadBeyondUsage => {
            let mut shader = good();
            shader.declarations[1].usage_mask = WriteMask::XYZ;
            shader
        }
        _ => return None,
    })
}

/// A shader that breaks this rule of control flow.
fn broken_flow(code: Code) -> Option<Shader> {
    let sub = [bare(Opcode::Bgnsub), labelled(bare(Opcode::Cal), 3), bare(Opcode::Endsub)];
    let shader = match code {
        Code::UnopenedBlock => with([bare(Opcode::Endif)]),
        Code::UnclosedBlock => with([bare(Opcode::If)]),
        Code::RepeatedBranch => {
            with([Opcode::If, Opcode::Else, Opcode::Else, Opcode::Endif].map(bare))
        }
        Code::JumpOutside => with([bare(Opcode::Cont)]),
        Code::NestedSubroutine => {
            with([Opcode::If, Opcode::Bgnsub, Opcode::Endsub, Opcode::Endif].map(bare))
        }
        Code::BadCall => with([labelled(bare(Opcode::Cal), 0)]),
        Code::Recursion => {
            let mut shader = good();
            shader.instructions.extend(sub);
            shader
        }
        Code::UnstructuredBranch => with([bare(Opcode::Bra)]),
        Code::NestingDepth => with(vec![bare(Opcode::Bgnloop); crate::flow::MAX_NESTING + 1]),
        Code::WrongLabel => with([labelled(bare(Opcode::If), 5), bare(Opcode::Endif)]),
        Code::Unreachable => {
            with([Opcode::Bgnloop, Opcode::Brk, Opcode::Nop, Opcode::Endloop].map(bare))
        }
        Code::UncalledSubroutine => {
            let mut shader = good();
            shader.instructions.extend([Opcode::Bgnsub, Opcode::Endsub].map(bare));
            shader
        }
        _ => return None,
    };
    Some(shader)
}

/// A shader that breaks this rule of textures.
fn broken_texture(code: Code) -> Option<Shader> {
    let offset = |file, index| TextureOffset { file, index, swizzle: Swizzle::XYZW };
    let mut one = textured(Opcode::Tex, TextureTarget::D2);
    match code {
        Code::MissingTarget => one.texture = None,
        Code::TargetMismatch => one = textured(Opcode::Tex, TextureTarget::D3),
        Code::UnsuitableTarget => one = textured(Opcode::Tex, TextureTarget::D2Msaa),
        Code::UnsuitableOffset => {
            one = textured(Opcode::Txq, TextureTarget::D2);
            one.texture.as_mut()?.offsets.push(offset(File::Immediate, 0));
        }
        Code::ImageMismatch => return Some(with_image(TextureTarget::D2Array)),
        Code::UndeclaredOffset => {
            one.texture.as_mut()?.offsets.push(offset(File::Temporary, 7));
        }
        _ => return None,
    }
    Some(with([one]))
}

/// A shader that reads a plain image as one of this kind.
pub(super) fn with_image(target: TextureTarget) -> Shader {
    let mut one = op(Opcode::Load, &[dst(File::Temporary, 0)], &[src(File::Image, 0), imm0()]);
    let (qualifiers, format) = (crate::MemoryQualifiers::default(), crate::Format(0));
    one.memory = Some(crate::Memory { qualifiers, target, format });
    let mut shader = with([one]);
    let mut image = Declaration::new(File::Image, 0, 0);
    let target = TextureTarget::D2;
    image.attributes = FileAttributes::Image(crate::ImageAttributes {
        target,
        format,
        raw: false,
        writable: false,
    });
    shader.declarations.push(image);
    shader
}

/// A shader of an old dialect that breaks this rule of its document.
pub(super) fn broken_document(code: Code) -> Option<(Shader, Dialect)> {
    let newer = |shader| Some((shader, Dialect::Y2012));
    match code {
        Code::NotInDialect => newer(with([op(Opcode::Uif, &[], &[imm0()]), bare(Opcode::Endif)])),
        Code::SemanticChannels => {
            let mut shader = with([mov(dst(File::Output, 1), imm0())]);
            shader.processor = Processor::Fragment;
            shader.declarations.push(with_semantic(File::Output, 1, Semantic::Stencil));
            newer(shader)
        }
        Code::ReadOnlyResource => {
            let mut shader =
                with([op(Opcode::Store, &[dst(File::Resource, 0)], &[imm0(), imm0()])]);
            shader.declarations.push(resource(TextureTarget::D2));
            newer(shader)
        }
        Code::ResourceKind => {
            let mut shader = good();
            shader.declarations.push(resource(TextureTarget::Shadow2d));
            newer(shader)
        }
        Code::LoopOperands => {
            let begin = op(Opcode::Bgnfor, &[temp0()], &[imm0()]);
            Some((with([begin, op(Opcode::Endfor, &[temp0()], &[])]), Dialect::Y2010))
        }
        Code::ScalarOperand => {
            let sampler = src(File::Sampler, 0);
            let view = src(File::SamplerView, 0);
            newer(with([op(Opcode::SampleC, &[temp0()], &[imm0(), view, sampler, imm0()])]))
        }
        Code::InterpolatedFile => {
            let mut declaration = Declaration::new(File::Temporary, 7, 7);
            declaration.interp = Some(Interp {
                mode: Interpolation::Linear,
                location: Location::Center,
                cylindrical_wrap: WriteMask::NONE,
            });
            newer(with_declaration(declaration))
        }
        _ => None,
    }
}

fn resource(target: TextureTarget) -> Declaration {
    let image = ImageAttributes { target, format: Format::NONE, raw: false, writable: false };
    let attributes = FileAttributes::Resource(image);
    Declaration { attributes, ..Declaration::new(File::Resource, 0, 0) }
}

pub(super) fn broken(code: Code) -> Option<Shader> {
    broken_interface(code)
        .or_else(|| broken_operand(code))
        .or_else(|| broken_register(code))
        .or_else(|| broken_flow(code))
        .or_else(|| broken_texture(code))
}
