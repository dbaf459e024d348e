//! `SWITCH`: every lane chooses its label at the start, runs from there, and leaves once.

use super::{Flow, Next};
use crate::error::ExecError;
use crate::lanes::{ALL, LANES};
use crate::machine::Machine;
use crate::program::{Step, SwitchStep};

/// A switch block that is open.
#[derive(Clone, Debug)]
pub(super) struct OpenSwitch {
    /// The lanes that the enclosing blocks enable.
    outer: u8,
    /// The step of the target label of each lane.
    labels: [usize; LANES],
}

impl Flow {
    fn begin_switch(&mut self, labels: [usize; LANES]) {
        self.switches.push(OpenSwitch { outer: self.masks.in_switch, labels });
        self.change(|masks| masks.in_switch = 0);
    }

    /// Enables the lanes that chose the label at `position`.
    pub(super) fn join_at(&mut self, position: usize) {
        let Some(open) = self.switches.last() else { return };
        let chosen = (0..LANES).filter(|&lane| open.labels[lane] == position);
        let joining = chosen.fold(0, |mask, lane| mask | 1 << lane) & open.outer;
        self.change(|masks| masks.in_switch |= joining);
    }

    pub(super) fn end_switch(&mut self) {
        let outer = self.switches.pop().map_or(ALL, |open| open.outer);
        self.change(|masks| masks.in_switch = outer);
    }
}

impl Machine<'_> {
    /// Compares the selector with the values of all labels.
    pub(super) fn begin_switch(
        &mut self,
        step: &Step,
        switch: &SwitchStep,
    ) -> Result<Next, ExecError> {
        if self.active() == 0 {
            self.state.flow.begin_switch([switch.end; LANES]);
            return Ok(Next::Index(switch.end));
        }
        self.load_sources(step)?;
        let selectors = self.operands[0][0];
        let mut labels = [switch.default; LANES];
        for (label, value) in switch.cases.iter().rev() {
            let values = self.read(step.at, value)?[0];
            let matching = (0..LANES).filter(|&lane| values[lane] == selectors[lane]);
            matching.for_each(|lane| labels[lane] = *label);
        }
        self.state.flow.begin_switch(labels);
        Ok(Next::Following)
    }
}
