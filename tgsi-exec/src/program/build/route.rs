//! Which channel of a result goes where.

use tgsi_ir::Opcode;

/// Every channel to itself.
const STRAIGHT: [u8; 4] = [0, 1, 2, 3];
const XY: u8 = 0b0011;
const ZW: u8 = 0b1100;

/// The channels that an instruction writes, and for each the channel of the result.
pub(super) fn route(opcode: Opcode, mask: u8) -> (u8, [u8; 4]) {
    let info = opcode.info();
    let is_wide = |types: &[tgsi_ir::OpcodeType]| types.first().is_some_and(|ty| ty.is_64_bit());
    match (is_wide(info.dst_types), is_wide(info.src_types)) {
        (true, _) => (whole_pairs(mask), STRAIGHT),
        (false, true) if info.num_src == 1 => narrowed(mask),
        (false, true) => (first_of_pair(mask & XY) | first_of_pair(mask & ZW), STRAIGHT),
        (false, false) if writes_one_pair(opcode) => (mask & XY, STRAIGHT),
        (false, false) => (mask, STRAIGHT),
    }
}

/// Pairs are written whole.
fn whole_pairs(mask: u8) -> u8 {
    let pair = |pair: u8| if mask & pair == 0 { 0 } else { pair };
    pair(XY) | pair(ZW)
}

/// A comparison of pairs has one channel for each.
fn first_of_pair(mask: u8) -> u8 {
    mask & mask.wrapping_neg()
}

/// The first result goes to the lowest channel of the mask, the second to the next one.
fn narrowed(mask: u8) -> (u8, [u8; 4]) {
    let mut pick = STRAIGHT;
    let mut kept = 0;
    for (result, channel) in (0..4).filter(|channel| mask >> channel & 1 == 1).take(2).enumerate() {
        pick[channel] = result as u8;
        kept |= 1 << channel;
    }
    (kept, pick)
}

/// A 64-bit result that the table calls something else.
fn writes_one_pair(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Ballot | Opcode::Clock | Opcode::Img2hnd | Opcode::Samp2hnd)
}
