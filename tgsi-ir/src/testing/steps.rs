//! What a generated shader does, step by step, before it becomes instructions.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::{Dialect, FlowRole, Opcode, OutputMode, SrcRole, WriteMask};

use super::{NUM_CONSTANTS, NUM_IMMEDIATES, NUM_INPUTS, NUM_OUTPUTS, NUM_TEMPS};

/// One step.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// An instruction with one result and plain sources.
    Op(Op),
    /// A texture read.
    Texture(Operand),
    /// A conditional block, with an `ELSE` where there is a second list.
    If(Operand, Vec<Step>, Option<Vec<Step>>),
    /// A loop that ends with a break.
    Loop(Vec<Step>),
}

/// An instruction with one result and plain sources.
#[derive(Clone, Debug)]
pub(super) struct Op {
    pub(super) opcode: Opcode,
    pub(super) to_output: bool,
    pub(super) register: u16,
    pub(super) mask: WriteMask,
    pub(super) sources: [Operand; 4],
    pub(super) saturate: bool,
    pub(super) precise: bool,
}

/// A source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) place: Place,
    pub(super) swizzle: u8,
    pub(super) negate: bool,
    pub(super) absolute: bool,
}

/// What a source reads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Temp(u16),
    Input(u16),
    Constant(u16),
    Immediate(u16),
    /// A constant with `ADDR[0].x` added.
    Indirect(u16),
}

/// Lists of steps, nested a little.
pub(super) fn steps(dialect: Dialect) -> impl Strategy<Value = Vec<Step>> {
    let leaf = prop_oneof![
        6 => op(dialect).prop_map(Step::Op),
        1 => operand().prop_map(Step::Texture),
    ];
    let step = leaf.prop_recursive(3, 24, 4, |inner| {
        let list = vec(inner, 0..4);
        prop_oneof![
            (operand(), list.clone(), proptest::option::of(list.clone()))
                .prop_map(|(condition, then, otherwise)| Step::If(condition, then, otherwise)),
            list.prop_map(Step::Loop),
        ]
    });
    vec(step, 0..10)
}

fn op(dialect: Dialect) -> impl Strategy<Value = Op> {
    let sources = [operand(), operand(), operand(), operand()];
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (select(plain_opcodes(dialect)), 0..NUM_TEMPS, 1..16u8, sources, flags).prop_map(
        move |(opcode, register, mask, sources, (to_output, saturate, precise))| Op {
            opcode,
            to_output,
            register: register % if to_output { NUM_OUTPUTS } else { NUM_TEMPS },
            mask: whole_pairs(opcode, WriteMask::from_bits(mask)),
            sources,
            saturate,
            precise: precise && dialect == Dialect::Y2021,
        },
    )
}

/// 64-bit results take whole pairs of channels.
fn whole_pairs(opcode: Opcode, mask: WriteMask) -> WriteMask {
    let wide = opcode.info().dst_types.iter().any(|ty| ty.is_64_bit());
    match (wide, mask.bits()) {
        (false, _) => mask,
        (true, bits) if bits & 3 != 0 && bits & 12 != 0 => WriteMask::XYZW,
        (true, bits) if bits & 3 != 0 => WriteMask::XY,
        (true, _) => WriteMask::ZW,
    }
}

fn operand() -> impl Strategy<Value = Operand> {
    let place = prop_oneof![
        3 => (0..NUM_TEMPS).prop_map(Place::Temp),
        1 => (0..NUM_INPUTS).prop_map(Place::Input),
        1 => (0..NUM_CONSTANTS).prop_map(Place::Constant),
        1 => (0..NUM_IMMEDIATES as u16).prop_map(Place::Immediate),
        1 => (0..NUM_CONSTANTS).prop_map(Place::Indirect),
    ];
    (place, any::<u8>(), any::<bool>(), any::<bool>())
        .prop_map(|(place, swizzle, negate, absolute)| Operand { place, swizzle, negate, absolute })
}

/// Opcodes of a dialect with one result, plain sources and a known meaning.
fn plain_opcodes(dialect: Dialect) -> Vec<Opcode> {
    Opcode::ALL.into_iter().filter(|&opcode| is_plain(dialect, opcode)).collect()
}

fn is_plain(dialect: Dialect, opcode: Opcode) -> bool {
    let info = opcode.info();
    opcode.number_in(dialect).is_some()
        && info.num_dst == 1
        && info.num_src > 0
        && info.stages.is_empty()
        && info.flow == FlowRole::None
        && !matches!(info.output_mode, OutputMode::Other | OutputMode::None)
        && info.src_roles.iter().all(|role| {
            matches!(
                role,
                SrcRole::Value
                    | SrcRole::Test
                    | SrcRole::Channels(_)
                    | SrcRole::ByChannel(_)
                    | SrcRole::PairCounts
                    | SrcRole::Unused
            )
        })
}
