//! The register file: general registers, clause temporaries, address registers.

use crate::error::Fault;
use crate::lanes::{LaneMask, MAX_LANES};
use crate::plan::alu::IndexRegister;

/// One value for each lane.
pub(crate) type LaneValues = [u32; MAX_LANES];

/// The first clause temporary. The four registers from here on exist only within one clause.
pub(crate) const FIRST_TEMPORARY: u32 = 124;
/// Number of registers that an instruction can name.
const NUM_NAMES: u32 = 128;
const NUM_CHANNELS: usize = 4;
/// The lowest and the highest value that the address registers hold.
const ADDRESS_RANGE: (i32, i32) = (-256, 255);

/// The registers of a wavefront, by register, channel and lane.
#[derive(Clone, Debug)]
pub(crate) struct Registers {
    values: Vec<u32>,
    num_lanes: usize,
    declared: u32,
    /// Channels of clause temporaries that the current clause has written.
    temporaries: u16,
    address: [Option<[i32; MAX_LANES]>; NUM_CHANNELS],
    /// Index registers of control flow.
    index: [Option<[i32; MAX_LANES]>; 2],
}

impl Registers {
    /// A file of `declared` registers that all hold `fill`.
    pub(crate) fn new(num_lanes: usize, declared: u32, fill: u32) -> Self {
        Self {
            values: vec![fill; NUM_NAMES as usize * NUM_CHANNELS * num_lanes],
            num_lanes,
            declared,
            temporaries: 0,
            address: [None; NUM_CHANNELS],
            index: [None; 2],
        }
    }

    /// The number of lanes.
    pub(crate) fn num_lanes(&self) -> usize {
        self.num_lanes
    }

    /// Clears the state that does not survive an ALU clause, at its start and at its end.
    pub(crate) fn forget_clause(&mut self) {
        self.temporaries = 0;
        self.address = [None; NUM_CHANNELS];
    }

    /// The values of a register channel, one for each lane.
    pub(crate) fn read(&self, gpr: u32, channel: u8) -> Result<&[u32], Fault> {
        self.check(i64::from(gpr))?;
        if gpr >= FIRST_TEMPORARY && self.temporaries & temporary_bit(gpr, channel) == 0 {
            return Err(Fault::TemporaryNotSet { gpr, channel });
        }
        let start = self.offset(gpr, channel);
        Ok(&self.values[start..start + self.num_lanes])
    }

    /// The value of a register in one lane, for relative addressing and fetches.
    pub(crate) fn read_lane(&self, gpr: i64, channel: u8, lane: usize) -> Result<u32, Fault> {
        let gpr = self.check(gpr)?;
        if gpr >= FIRST_TEMPORARY && self.temporaries & temporary_bit(gpr, channel) == 0 {
            return Err(Fault::TemporaryNotSet { gpr, channel });
        }
        Ok(self.values[self.offset(gpr, channel) + lane])
    }

    /// Writes one lane of a register channel.
    pub(crate) fn write_lane(
        &mut self,
        (gpr, channel): (i64, u8),
        lane: usize,
        bits: u32,
    ) -> Result<(), Fault> {
        let gpr = self.check(gpr)?;
        if gpr >= FIRST_TEMPORARY {
            self.temporaries |= temporary_bit(gpr, channel);
        }
        let offset = self.offset(gpr, channel);
        self.values[offset + lane] = bits;
        Ok(())
    }

    /// Writes a register channel of the lanes in `mask`.
    pub(crate) fn write(
        &mut self,
        (gpr, channel): (u32, u8),
        mask: LaneMask,
        values: &LaneValues,
    ) -> Result<(), Fault> {
        let gpr = self.check(i64::from(gpr))?;
        if gpr >= FIRST_TEMPORARY {
            self.temporaries |= temporary_bit(gpr, channel);
        }
        let start = self.offset(gpr, channel);
        let file = &mut self.values[start..start + self.num_lanes];
        if mask == LaneMask::first(self.num_lanes) {
            file.copy_from_slice(&values[..self.num_lanes]);
        } else {
            mask.iter().for_each(|lane| file[lane] = values[lane]);
        }
        Ok(())
    }

    /// Loads a channel of the address register, within its range.
    pub(crate) fn set_address(&mut self, channel: u8, mask: LaneMask, values: &LaneValues) {
        let (least, most) = ADDRESS_RANGE;
        let register = self.address[usize::from(channel & 3)].get_or_insert([0; MAX_LANES]);
        for lane in mask.iter() {
            register[lane] = (values[lane] as i32).clamp(least, most);
        }
    }

    /// Loads an index register of control flow.
    pub(crate) fn set_index(&mut self, which: u8, mask: LaneMask, values: &LaneValues) {
        let register = self.index[usize::from(which & 1)].get_or_insert([0; MAX_LANES]);
        mask.iter().for_each(|lane| register[lane] = values[lane] as i32);
    }

    /// Copies AR.x to an index register of control flow.
    pub(crate) fn copy_address_to_index(&mut self, which: u8) -> Result<(), Fault> {
        self.index[usize::from(which & 1)] = Some(self.address[0].ok_or(Fault::NoAddress)?);
        Ok(())
    }

    /// The value of an index register, which must be the same for all lanes in `mask`.
    pub(crate) fn uniform_index(&self, which: u8, mask: LaneMask) -> Result<i32, Fault> {
        let not_uniform = Fault::IndexNotUniform(which);
        let Some(register) = &self.index[usize::from(which & 1)] else { return Err(not_uniform) };
        let mut lanes = mask.iter().map(|lane| register[lane]);
        let first = lanes.next().unwrap_or(0);
        if lanes.all(|value| value == first) { Ok(first) } else { Err(not_uniform) }
    }

    /// The index that relative addressing adds in each lane; `loop_index` is that of the innermost counted loop.
    pub(crate) fn offsets(
        &self,
        index: IndexRegister,
        loop_index: Option<u32>,
    ) -> Result<[i32; MAX_LANES], Fault> {
        match index {
            IndexRegister::Address(channel) => {
                self.address[usize::from(channel & 3)].ok_or(Fault::NoAddress)
            }
            IndexRegister::Loop => Ok([loop_index.ok_or(Fault::NoLoopIndex)? as i32; MAX_LANES]),
        }
    }

    fn check(&self, gpr: i64) -> Result<u32, Fault> {
        let out_of_range = Fault::GprOutOfRange { gpr, declared: self.declared };
        let index = u32::try_from(gpr).map_err(|_| out_of_range.clone())?;
        let exists = index < self.declared || (FIRST_TEMPORARY..NUM_NAMES).contains(&index);
        if exists { Ok(index) } else { Err(out_of_range) }
    }

    fn offset(&self, gpr: u32, channel: u8) -> usize {
        (gpr as usize * NUM_CHANNELS + usize::from(channel & 3)) * self.num_lanes
    }
}

fn temporary_bit(gpr: u32, channel: u8) -> u16 {
    1 << ((gpr - FIRST_TEMPORARY) * 4 + u32::from(channel & 3))
}
