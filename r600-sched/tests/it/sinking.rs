//! Operations that come later take what they need with them.

use r600_isa::{AluOp, Chan, Chip, KcacheMode};
use r600_mir::{Src, SrcKind};
use r600_sched::{AluClause, Clause, Options, PlacedSel, Schedule, Scheduler, check};

use super::code::{CHIPS, function_of, schedule};

/// Whether each clause reads every line of constants that it locks.
pub(crate) fn locks_what_it_reads(schedule: &Schedule) -> bool {
    let mut clauses = schedule.blocks.values().flatten().filter_map(|clause| match clause {
        Clause::Alu(alu) => Some(alu),
        Clause::Fetch(_) | Clause::Export(_) => None,
    });
    clauses.all(|alu| (0..4).all(|set| lines_locked(alu, set) == lines_read(alu, set)))
}

fn lines_locked(alu: &AluClause, set: u8) -> [bool; 2] {
    match alu.kcache[usize::from(set)].mode {
        KcacheMode::None | KcacheMode::LockLoopIndex => [false; 2],
        KcacheMode::Lock1 => [true, false],
        KcacheMode::Lock2 => [true; 2],
    }
}

fn lines_read(alu: &AluClause, set: u8) -> [bool; 2] {
    let mut is_read = [false; 2];
    for src in alu.groups.iter().flat_map(|group| group.iter()).flat_map(|(_, placed)| &placed.src)
    {
        if let PlacedSel::Kcache { set: own, index, .. } = src.sel
            && own == set
        {
            is_read[usize::from(index / 16)] = true;
        }
    }
    is_read
}

/// A product of an input and each constant of `indices`, a fetch, and sums of the products and twice what was fetched.
fn schedule_of_products(chip: Chip, indices: &[u16]) -> [Schedule; 2] {
    let function = function_of(chip, |builder| {
        let input = Src::new(SrcKind::VReg(builder.values[0]));
        let products: Vec<Src> = indices
            .iter()
            .map(|&index| {
                let constant = Src::new(SrcKind::Uniform { bank: 0, index, chan: Chan::X });
                builder.defining(AluOp::MulIeee, &[input, constant]);
                Src::new(SrcKind::VReg(builder.register(0)))
            })
            .collect();
        // At the input.
        let at = 8 * builder.values.len() as u8;
        builder.fetch(at - 6, at + 2);
        let fetched = Src::new(SrcKind::VReg(builder.register(0)));
        builder.defining(AluOp::Add, &[fetched, fetched]);
        let twice = Src::new(SrcKind::VReg(builder.register(0)));
        // The input does not end before the sums.
        for addend in products.into_iter().chain([input]) {
            builder.defining(AluOp::Add, &[addend, twice]);
        }
    });
    let before = schedule(&function, Options::SHORT);
    let mut after = before.clone();
    assert!(Scheduler::new(&function).sink(&mut after), "{chip:?}");
    assert_eq!(check(&function, &after), Ok(()), "{chip:?}");
    [before, after]
}

#[test]
fn constants_are_locked_where_they_are_read() {
    for chip in CHIPS {
        // One window, two, and both lines of one.
        for indices in [&[40][..], &[40, 80], &[8, 20]] {
            let schedules = schedule_of_products(chip, indices);
            let is_exact = schedules.each_ref().map(locks_what_it_reads);
            assert_eq!(is_exact, [true; 2], "{chip:?} {indices:?}");
        }
    }
}
