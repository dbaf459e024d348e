//! Estimates the cost of a run on hardware from its counters, for comparing programs.
//!
//! The figures are round numbers based on the architecture, not measurements. A SIMD has sixteen lanes, so a group
//! takes one cycle per sixteen lanes of a wavefront, and two wavefronts take turns. Clauses of other kinds run
//! elsewhere; while a wavefront waits for one, others run, as many as the register file holds. So the longer of
//! arithmetic and fetching counts in full, plus the waiting that the other wavefronts do not hide.

use r600_isa::Chip;

use crate::counters::Counters;

/// Lanes that a SIMD runs in a cycle.
const SIMD_LANES: u32 = 16;
/// Registers of a SIMD for each lane.
const REGISTER_FILE: u32 = 256;
/// The most wavefronts that a SIMD holds.
const MAX_WAVES: u32 = 16;
/// Cycles from one clause to the next of the same wavefront.
const CLAUSE_SWITCH: u64 = 40;
/// Cycles until a fetch clause has its results.
const FETCH_LATENCY: u64 = 200;
/// Cycles that a fetch instruction occupies its unit for each group of lanes.
const FETCH_CYCLES: u64 = 4;

/// Estimated cost of a run on one SIMD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Cycles of arithmetic.
    pub alu_cycles: u64,
    /// Cycles of the fetch units.
    pub fetch_cycles: u64,
    /// Cycles of waiting for clauses, before other wavefronts hide any of it.
    pub latency: u64,
    /// Wavefronts that fit in the register file.
    pub waves: u32,
    /// Cycles per wavefront, on a SIMD filled with identical wavefronts.
    pub cycles: u64,
}

impl Counters {
    /// Estimates the cost of the run on `chip`.
    #[must_use]
    pub fn estimate(&self, chip: Chip) -> Estimate {
        let lanes = u32::from(chip.info().wavefront_size);
        let passes = u64::from(lanes.div_ceil(SIMD_LANES));
        let alu_cycles = self.groups * passes;
        let fetch_cycles = (self.texture_fetches + self.buffer_fetches) * passes * FETCH_CYCLES;
        let clauses = self.alu_clauses + self.fetch_clauses + self.exports;
        let latency = clauses * CLAUSE_SWITCH + self.fetch_clauses * FETCH_LATENCY;
        let waves = (REGISTER_FILE / self.gprs.max(1)).clamp(1, MAX_WAVES);
        let busy = alu_cycles.max(fetch_cycles);
        let cycles = busy.max((busy + latency) / u64::from(waves));
        Estimate { alu_cycles, fetch_cycles, latency, waves, cycles }
    }
}

#[cfg(test)]
mod tests {
    use r600_isa::Chip;

    use crate::counters::Counters;

    fn counters(groups: u64, fetches: u64, gprs: u32) -> Counters {
        Counters {
            groups,
            alu_clauses: 1,
            texture_fetches: fetches,
            fetch_clauses: u64::from(fetches > 0),
            gprs,
            ..Counters::default()
        }
    }

    #[test]
    fn fewer_registers_hide_more_of_the_waiting() {
        let estimate = |gprs| counters(4, 1, gprs).estimate(Chip::Rv770);
        assert_eq!((estimate(4).waves, estimate(64).waves), (16, 4));
        assert!(estimate(64).cycles > estimate(4).cycles);
        assert_eq!(estimate(1000).waves, 1);
    }

    #[test]
    fn arithmetic_counts_by_the_length_of_the_wavefront() {
        let estimate = |chip| counters(1000, 0, 4).estimate(chip).cycles;
        assert_eq!(estimate(Chip::Rv770), 4000);
        assert_eq!(estimate(Chip::Rv730), 2000);
        // The size of a stack entry does not tell it.
        assert_eq!([Chip::Rv610, Chip::Rs780].map(estimate), [1000; 2]);
        assert_eq!(estimate(Chip::Latte), 4000);
    }
}
