//! `--trace`: prints each line of the listing as it executes, with its result in each lane.

use std::collections::BTreeMap;
use std::ops::Range;

use r600_isa::{AluOp, Generation, ListingOptions, ListingPlace, Program, ResultType};
use r600_sim::{GroupTrace, LaneMask, Observer, Place};

/// Column of the results. Longer instructions shift them to the right.
const WIDTH: usize = 44;

/// Magnitudes that are shown as a float if the operation does not determine the type.
const LIKELY_FLOATS: Range<f32> = 1e-9..1e9;

/// Prints a line of a listing when its instruction executes.
pub(crate) struct Trace {
    lines: BTreeMap<Line, String>,
    num_lanes: usize,
}

/// A line: its control-flow instruction, the step of the clause, and the instruction of the group.
type Line = (usize, Option<usize>, usize);

impl Trace {
    /// A trace of the program in `words`, run on `num_lanes` lanes.
    pub(crate) fn new(words: &[u32], generation: Generation, num_lanes: usize) -> Self {
        let program = Program::decode(words, generation);
        let (text, places) = program.listing_with_places(ListingOptions::default());
        let mut lines = BTreeMap::new();
        let mut current = 0;
        for (line, place) in text.lines().zip(places) {
            let (step, inst) = match place {
                ListingPlace::Cf { cf, .. } => {
                    current = cf;
                    (None, 0)
                }
                ListingPlace::Slot { group, inst, .. } => (Some(group), inst),
                ListingPlace::Fetch { fetch, .. } => (Some(fetch), 0),
                ListingPlace::Words | ListingPlace::Label { .. } | ListingPlace::End => continue,
            };
            lines.insert((current, step, inst), line.to_owned());
        }
        Self { lines, num_lanes }
    }

    /// The line of an executing instruction. A clause that two instructions share is listed after the first one.
    fn line(&self, place: Place, inst: usize, name: &str) -> String {
        let line = self.lines.get(&(place.cf, place.step, inst));
        line.cloned().unwrap_or_else(|| format!("      {place}: {name}"))
    }

    /// The numbers of the lanes in `active`.
    fn lanes(&self, active: LaneMask) -> String {
        let numbers: Vec<_> = active.iter().map(|lane| lane.to_string()).collect();
        match numbers.len() {
            0 => "no lane".to_owned(),
            all if all == self.num_lanes => "all lanes".to_owned(),
            _ => format!("lanes {}", numbers.join(" ")),
        }
    }
}

#[expect(clippy::print_stderr, reason = "a trace goes to standard error, beside the answer")]
impl Observer for Trace {
    fn wants_groups(&self) -> bool {
        true
    }

    fn control(&mut self, place: Place, active: LaneMask) {
        let line = self.line(place, 0, "");
        eprintln!("{line:WIDTH$} | {}", self.lanes(active));
    }

    fn fetch(&mut self, place: Place, name: &'static str, active: LaneMask) {
        let line = self.line(place, 0, name);
        eprintln!("{line:WIDTH$} | {}", self.lanes(active));
    }

    fn group(&mut self, trace: &GroupTrace<'_>) {
        for (inst, slot) in trace.slots.iter().enumerate() {
            let line = self.line(trace.place, inst, slot.op);
            let result = result_type(slot.op);
            let mut values = String::new();
            for (lane, &bits) in slot.values.iter().enumerate() {
                let is_active = trace.active.iter().any(|active| active == lane);
                let value = if is_active { readable(bits, result) } else { "-".to_owned() };
                values += &format!(" {value:>10}");
            }
            eprintln!("{line:WIDTH$} ={values}");
        }
    }
}

/// The type of an operation's result.
fn result_type(name: &str) -> ResultType {
    let op = AluOp::ALL.into_iter().find(|op| op.name() == name);
    op.map_or(ResultType::Any, |op| op.info().result)
}

/// A result as the number that it most likely is.
fn readable(bits: u32, result: ResultType) -> String {
    let float = f32::from_bits(bits);
    let is_float = match result {
        ResultType::Float => true,
        ResultType::Any => LIKELY_FLOATS.contains(&float.abs()),
        _ => false,
    };
    let integer = bits.cast_signed();
    match result {
        _ if is_float => format!("{float:?}"),
        ResultType::Uint if integer < 0 => format!("{bits:#x}"),
        ResultType::Any | ResultType::Int | ResultType::Uint => integer.to_string(),
        _ => format!("{bits:#x}"),
    }
}

#[cfg(test)]
mod tests {
    use r600_isa::ResultType;

    use super::readable;

    #[test]
    fn bits_are_shown_as_what_the_operation_makes() {
        assert_eq!(readable(0x3F80_0000, ResultType::Float), "1.0");
        assert_eq!(readable(0x7FC0_0000, ResultType::Float), "NaN");
        assert_eq!(readable(0x3F80_0000, ResultType::Int), "1065353216");
        assert_eq!(readable(0xFFFF_FFFF, ResultType::Int), "-1");
        assert_eq!(readable(0xFFFF_FFFF, ResultType::Uint), "0xffffffff");
        assert_eq!(readable(0x3F80_0000, ResultType::Any), "1.0");
        assert_eq!(readable(3, ResultType::Any), "3");
        assert_eq!(readable(0x3FF0_0000, ResultType::F64), "0x3ff00000");
    }
}
