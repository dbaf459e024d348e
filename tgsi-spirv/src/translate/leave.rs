//! Exits from loops and switches, functions and fragments.

use tgsi_ir::Opcode;

use crate::binary::Id;
use crate::code::{Operand, Target};
use crate::error::{Fault, invalid};

use super::flow::{Construct, Next, Reach};
use super::{Translator, mask};

/// Maximum number of iterations of nested loops together that a discarded lane may run.
const MAX_ALL_ITERATIONS: usize = 1 << 16;

/// How discarded lanes reach a loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Whether they must not enter the loop.
    keeps_out: bool,
    /// The number of times that they may reach the loop, from the surrounding loops.
    iterations_before: usize,
}

impl<'m> Translator<'m> {
    /// A branch that leaves the region or the iteration.
    pub(super) fn exit(&mut self, from: Id, to: Id, stop: Option<Id>) -> Result<Reach, Fault> {
        self.phi_edge(from, to)?;
        if stop == Some(to) {
            return Ok(Reach::FALLS);
        }
        let constructs = self.frame()?.constructs.clone();
        let mut switches = Vec::new();
        for construct in constructs.iter().rev() {
            match *construct {
                Construct::Switch { merge, leave } => {
                    if merge == to && switches.is_empty() {
                        self.code.bare(Opcode::Brk, &[]);
                        return Ok(Reach::LEFT);
                    }
                    switches.push(leave);
                }
                Construct::Loop { header, merge, cont } => {
                    return self.exit_loop(to, [header, merge, cont], &switches);
                }
            }
        }
        Err(invalid(format!("a branch to {to} leaves its construct by no allowed exit")))
    }

    /// A branch to a block of the innermost loop. It also leaves the switches inside that loop.
    pub(super) fn exit_loop(
        &mut self,
        to: Id,
        [header, merge, cont]: [Id; 3],
        switches: &[Option<u32>],
    ) -> Result<Reach, Fault> {
        if to == merge {
            for leave in switches.iter().flatten() {
                self.set(*leave, u32::MAX);
            }
            self.code.bare(Opcode::Brk, &[]);
            return Ok(Reach::LEFT);
        }
        let to_header = to == header;
        let mut reach = Reach::LEFT;
        if to == cont && !to_header {
            reach = self.continuing(header, cont)?;
        }
        if to_header || to == cont {
            if to_header || reach.falls {
                self.code.bare(Opcode::Cont, &[]);
            }
            return Ok(Reach { falls: false, ..reach });
        }
        Err(invalid(format!("a branch to {to} leaves more than one loop")))
    }

    /// The code that a loop runs between iterations.
    pub(super) fn continuing(&mut self, header: Id, cont: Id) -> Result<Reach, Fault> {
        if header == cont {
            return Ok(Reach::FALLS);
        }
        let is_shared = self.paths()?.sources(cont).nth(1).is_some();
        let frame = self.frame()?;
        let is_outer = frame.settled.is_none() && is_shared;
        if is_outer {
            frame.settled = Some(std::mem::take(&mut frame.settled_before));
        }
        let reach = self.region(cont, Some(header))?;
        let frame = self.frame()?;
        if is_outer {
            frame.settled_before = frame.settled.take().unwrap_or_default();
        }
        Ok(reach)
    }

    /// The flag that is all ones until the function returns early.
    pub(super) fn running(&mut self) -> Result<Operand, Fault> {
        let running = self
            .frame()?
            .running
            .ok_or_else(|| invalid("an instruction is outside of functions"))?;
        Ok(Operand::temp(running).channel(0))
    }

    /// Opens a block for the lanes that have not returned. Closes the previous such block first, so that they do not
    /// nest.
    pub(super) fn guard(&mut self, is_guarded: bool) -> Result<(), Fault> {
        if is_guarded {
            self.code.bare(Opcode::Endif, &[]);
        } else {
            self.nest()?;
        }
        let running = self.running()?;
        self.code.bare(Opcode::Uif, &[running]);
        Ok(())
    }

    pub(super) fn set(&mut self, temp: u32, word: u32) {
        self.code.emit(Opcode::Mov, Target::temp(temp, mask(1)), &[Operand::word(word)]);
    }

    /// Opens a loop or switch; returns the state for [`close_construct`](Self::close_construct).
    pub(super) fn open_construct(&mut self, construct: Construct) -> Result<bool, Fault> {
        let frame = self.frame()?;
        frame.constructs.push(construct);
        Ok(std::mem::take(&mut frame.kills))
    }

    /// Excludes discarded lanes, if there are any, from a loop that is not a counted loop. Their values differ from
    /// those of other lanes, so they might never leave it. Returns the state for [`readmit_discarded`](Self::readmit_discarded).
    pub(super) fn exclude_discarded(&mut self, header: Id, merge: Id) -> Result<Entry, Fault> {
        let entry = Entry { keeps_out: false, iterations_before: self.discarded_iterations };
        let Some(discarded) = self.discarded.filter(|_| self.discarded_go_on) else {
            return Ok(entry);
        };
        let all = self.iterations(header, merge)?.map(|num| num * self.discarded_iterations);
        if let Some(num) = all.filter(|&num| num <= MAX_ALL_ITERATIONS) {
            self.discarded_iterations = num;
            return Ok(entry);
        }
        self.discarded_go_on = false;
        self.nest()?;
        let is_live = self.compute(Opcode::Not, 1, &[Operand::temp(discarded).channel(0)]);
        self.code.bare(Opcode::Uif, &[is_live]);
        Ok(Entry { keeps_out: true, ..entry })
    }

    /// Continues after a loop with the lanes that were excluded from it. If no lane leaves the loop for its merge
    /// block, the excluded lanes leave the surrounding construct, since they must not run the code that follows.
    pub(super) fn readmit_discarded(&mut self, entry: Entry, merge: Id) -> Result<(), Fault> {
        self.discarded_iterations = entry.iterations_before;
        if entry.keeps_out {
            self.code.bare(Opcode::Endif, &[]);
            self.depth -= 1;
            self.discarded_go_on = true;
            let frame = self.frame()?;
            frame.kills |= !frame.reached.contains(&merge);
        }
        Ok(())
    }

    /// Closes the innermost loop or switch. Lanes that returned or were discarded in it continue by leaving the
    /// enclosing one. `killed` tells whether lanes may have been discarded before it.
    pub(super) fn close_construct(&mut self, reach: Reach, killed: bool) -> Result<(), Fault> {
        self.frame()?.constructs.pop();
        if reach.returns && !self.frame()?.constructs.is_empty() {
            let running = self.running()?;
            let has_left = self.compute(Opcode::Useq, 1, &[running, Operand::word(0)]);
            self.leave_where(has_left);
        }
        if self.frame()?.kills {
            self.leave_discarded()?;
        }
        self.frame()?.kills |= killed;
        Ok(())
    }

    /// Makes lanes that were discarded in a construct or a call leave the enclosing loop or switch, if any.
    pub(super) fn leave_discarded(&mut self) -> Result<(), Fault> {
        let frame = self.frame()?;
        frame.kills = true;
        if frame.constructs.is_empty() {
            self.discarded_go_on = true;
        } else if let Some(discarded) = self.discarded {
            self.leave_where(Operand::temp(discarded).channel(0));
        }
        Ok(())
    }

    /// Makes the lanes in which a condition holds leave the innermost loop or switch.
    pub(super) fn leave_where(&mut self, condition: Operand) {
        self.code.bare(Opcode::Uif, &[condition]);
        self.code.bare(Opcode::Brk, &[]);
        self.code.bare(Opcode::Endif, &[]);
    }

    pub(super) fn leave_function(&mut self, value: Option<Id>) -> Result<Next, Fault> {
        if let Some(id) = value {
            let value = self.value(id)?;
            let result = self.frame()?.result.clone();
            if let Some(result) = result {
                self.assign(&result, &value)?;
            }
        }
        let frame = self.frame()?;
        let is_inside = !frame.constructs.is_empty();
        if let Some(running) = frame.running {
            self.set(running, 0);
        }
        if is_inside {
            self.code.bare(Opcode::Brk, &[]);
        }
        Ok(Next::End(Reach::RETURNED))
    }

    /// Discards a fragment. Its lane keeps running, so that its neighbours have derivatives. It leaves all loops, and
    /// enters only counted ones, since it might never leave others.
    pub(super) fn kill(&mut self) -> Result<Next, Fault> {
        self.code.bare(Opcode::Kill, &[]);
        if let Some(discarded) = self.discarded {
            // A jump leaves only one construct of this function. The code after each surrounding construct reads the
            // flag.
            self.set(discarded, u32::MAX);
            self.frame()?.kills = true;
        }
        if self.frame()?.constructs.is_empty() {
            self.discarded_go_on = true;
            return Ok(Next::End(Reach::FALLS));
        }
        self.code.bare(Opcode::Brk, &[]);
        Ok(Next::End(Reach::LEFT))
    }
}
