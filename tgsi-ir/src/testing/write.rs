//! Steps become instructions.

use super::steps::{Op, Operand, Place};
use super::{NUM_CONSTANTS, NUM_INPUTS, NUM_OUTPUTS, NUM_TEMPS, Step};
use crate::{
    Component, Declaration, Dialect, Dst, File, FileAttributes, Immediate, ImmediateType, Indirect,
    Instruction, Interp, Interpolation, ItemKind, Location, Opcode, Processor, Register,
    ReturnType, SamplerViewAttributes, Saturate, Semantic, SemanticName, Shader, Src, Streams,
    Swizzle, Texture, TextureTarget, WriteMask,
};

/// Writes a whole shader, with the order that a reader would note.
pub(super) fn shader(
    dialect: Dialect,
    processor: Processor,
    immediates: Vec<(ImmediateType, [u32; 4])>,
    steps: &[Step],
) -> Shader {
    let mut shader = Shader::new(processor);
    declare_interface(&mut shader);
    declare_rest(&mut shader, dialect);
    shader.immediates = immediates
        .into_iter()
        .map(|(kind, words)| Immediate { kind, words: words.into() })
        .collect();
    let mut writer = Writer { shader, dialect };
    writer.load_address();
    writer.steps(steps);
    writer.shader.instructions.push(Instruction::new(Opcode::End));
    note_order(&mut writer.shader);
    writer.shader
}

fn note_order(shader: &mut Shader) {
    for kind in ItemKind::CONVENTIONAL_ORDER {
        for _ in 0..shader.num_items(kind) {
            shader.note_order(kind);
        }
    }
}

fn semantic(name: Semantic, index: u16) -> Option<SemanticName> {
    Some(SemanticName { name, index, streams: Streams::default() })
}

fn declare_interface(shader: &mut Shader) {
    let is_fragment = shader.processor == Processor::Fragment;
    for index in 0..NUM_INPUTS {
        let mut declaration = Declaration::new(File::Input, index, index);
        if is_fragment {
            declaration.semantic = semantic(Semantic::Generic, index);
            declaration.interp = Some(Interp {
                mode: Interpolation::Perspective,
                location: Location::Center,
                cylindrical_wrap: WriteMask::NONE,
            });
        }
        shader.declarations.push(declaration);
    }
    for index in 0..NUM_OUTPUTS {
        let mut declaration = Declaration::new(File::Output, index, index);
        let name = match (is_fragment, index) {
            (true, _) => Semantic::Color,
            (false, 0) => Semantic::Position,
            (false, _) => Semantic::Generic,
        };
        declaration.semantic = semantic(name, index);
        shader.declarations.push(declaration);
    }
}

fn declare_rest(shader: &mut Shader, dialect: Dialect) {
    let mut add = |declaration| shader.declarations.push(declaration);
    add(Declaration::new(File::Constant, 0, NUM_CONSTANTS - 1));
    add(Declaration::new(File::Temporary, 0, NUM_TEMPS - 1));
    add(Declaration::new(File::Address, 0, 0));
    add(Declaration::new(File::Sampler, 0, 0));
    if dialect == Dialect::Y2021 {
        let mut view = Declaration::new(File::SamplerView, 0, 0);
        view.attributes = FileAttributes::SamplerView(SamplerViewAttributes {
            target: TextureTarget::D2,
            return_types: [ReturnType::Float; 4],
        });
        add(view);
    }
}

struct Writer {
    shader: Shader,
    dialect: Dialect,
}

impl Writer {
    fn push(&mut self, opcode: Opcode, dst: Option<Dst>, src: &[Src]) -> &mut Instruction {
        let mut one = Instruction::new(opcode);
        one.dst.extend(dst);
        one.src.extend(src.iter().copied());
        let list = &mut self.shader.instructions;
        list.push(one);
        let last = list.len() - 1;
        &mut list[last]
    }

    /// `ADDR[0].x` holds something from the start.
    fn load_address(&mut self) {
        let address = Dst { mask: WriteMask::X, ..Dst::new(Register::new(File::Address, 0)) };
        self.push(Opcode::Arl, Some(address), &[Src::new(Register::new(File::Immediate, 0))]);
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Op(op) => self.op(op),
                Step::Texture(coordinate) => self.texture(coordinate),
                Step::If(condition, then, otherwise) => {
                    self.conditional(condition, then, otherwise.as_deref());
                }
                Step::Loop(body) => {
                    self.push(Opcode::Bgnloop, None, &[]);
                    self.steps(body);
                    self.push(Opcode::Brk, None, &[]);
                    self.push(Opcode::Endloop, None, &[]);
                }
            }
        }
    }

    fn op(&mut self, op: &Op) {
        let file = if op.to_output { File::Output } else { File::Temporary };
        let dst = Dst { mask: op.mask, ..Dst::new(Register::new(file, op.register as i16)) };
        let count = usize::from(op.opcode.num_src_in(self.dialect));
        let sources: Vec<Src> = op.sources[..count].iter().map(source).collect();
        let one = self.push(op.opcode, Some(dst), &sources);
        one.precise = op.precise;
        if op.saturate {
            one.saturate = Saturate::ZeroOne;
        }
    }

    fn texture(&mut self, coordinate: &Operand) {
        let dst = Dst::new(Register::new(File::Temporary, 0));
        let sampler = Src::new(Register::new(File::Sampler, 0));
        let one = self.push(Opcode::Tex, Some(dst), &[source(coordinate), sampler]);
        one.texture = Some(Box::new(Texture {
            target: TextureTarget::D2,
            return_type: ReturnType::Unknown,
            offsets: Default::default(),
        }));
    }

    fn conditional(&mut self, condition: &Operand, then: &[Step], otherwise: Option<&[Step]>) {
        self.push(Opcode::If, None, &[source(condition)]);
        self.steps(then);
        if let Some(otherwise) = otherwise {
            self.push(Opcode::Else, None, &[]);
            self.steps(otherwise);
        }
        self.push(Opcode::Endif, None, &[]);
    }
}

fn source(operand: &Operand) -> Src {
    let reg = match operand.place {
        Place::Temp(index) => Register::new(File::Temporary, index as i16),
        Place::Input(index) => Register::new(File::Input, index as i16),
        Place::Constant(index) => Register::new(File::Constant, index as i16),
        Place::Immediate(index) => Register::new(File::Immediate, index as i16),
        Place::Indirect(index) => Register {
            indirect: Some(Indirect {
                file: File::Address,
                index: 0,
                component: Component::X,
                array_id: 0,
            }),
            ..Register::new(File::Constant, index as i16)
        },
    };
    Src {
        swizzle: Swizzle::from_bits(operand.swizzle),
        negate: operand.negate,
        absolute: operand.absolute,
        ..Src::new(reg)
    }
}
