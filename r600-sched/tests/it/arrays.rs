//! Accesses to arrays keep their order, and indices are loaded.

use r600_isa::{AluOp, Chan, Chip, Hazard, HazardSet};
use r600_mir::{ArrayInfo, Dst, Element, Function, Src, SrcKind, VRegInfo};
use r600_sched::{CheckError, Group, Options, Placed, PlacedDst, PlacedSel, check};

use super::code::{
    CHIPS, broken_code, first_groups, function_of, move_to_end, op_at, schedule, unforward,
};

#[test]
fn an_array_that_is_read_before_its_write_is_found() {
    let error = broken_code(Chip::Cedar, &[(3, 1, 1, 0), (4, 1, 1, 0)], |function, schedule| {
        unforward(function, schedule);
        first_groups(schedule).reverse();
    });
    assert!(matches!(error, CheckError::Value(_)), "{error}");
}

#[test]
fn an_index_that_is_not_loaded_is_found() {
    let error = broken_code(Chip::Rv770, &[(3, 0, 0, 0), (4, 0, 0, 0)], |_, schedule| {
        let mut count = 0;
        for slot in first_groups(schedule).iter_mut().flat_map(|group| &mut group.slots) {
            if slot.as_ref().is_some_and(|placed| placed.node.is_none() && !placed.src.is_empty()) {
                count += usize::from(slot.take().is_some());
            }
        }
        assert!(count > 0, "no index is loaded");
    });
    assert!(matches!(error, CheckError::Array(_)), "{error}");
}

#[test]
fn an_array_that_is_read_right_after_its_write_is_found_on_old_chips() {
    let error = broken_code(Chip::Rv770, &[(3, 0, 0, 0), (4, 0, 0, 0)], |_, schedule| {
        let groups = first_groups(schedule);
        let is_write = |group: &Group| {
            group.iter().any(|(_, placed)| matches!(placed.dst, PlacedDst::Element(_)))
        };
        let is_read = |group: &Group| {
            let mut sources = group.iter().flat_map(|(_, placed)| &placed.src);
            sources.any(|src| matches!(src.sel, PlacedSel::Element(_)))
        };
        let write = groups.iter().position(is_write).expect("the array is written");
        let read = groups.iter().position(is_read).expect("the array is read");
        assert!(write + 1 < read, "no group is between them");
        groups.drain(write + 1..read);
    });
    assert!(matches!(error, CheckError::Array(_)), "{error}");
}

/// An access to an array: whether it writes, and whether it is indexed at run time.
type ArrayAccess = (bool, bool);

/// A function of these accesses to the array, of which any two may meet.
fn array_accesses(chip: Chip, accesses: &[ArrayAccess]) -> Function {
    function_of(chip, |builder| {
        builder.function.arrays.push(ArrayInfo { len: 4 });
        for &(writes, relative) in accesses {
            let array = cranelift_entity::EntityRef::new(0);
            let offset = if relative { 0 } else { 1 };
            let element = Element { array, offset, chan: Chan::Y, relative };
            let index = relative.then_some(builder.values[0]);
            let (dst, src) = match writes {
                true => (Dst::Element(element), SrcKind::VReg(builder.values[1])),
                // Nothing reads what is loaded: the order of accesses alone is at stake.
                false => {
                    let loaded = builder.function.vregs.push(VRegInfo::default());
                    (Dst::VReg(loaded), SrcKind::Element(element))
                }
            };
            builder.alu(AluOp::Mov, dst, &[Src::new(src)], index);
        }
    })
}

/// Every pair of accesses.
fn access_pairs() -> impl Iterator<Item = (ArrayAccess, ArrayAccess)> {
    let ways = [(false, false), (false, true), (true, false), (true, true)];
    ways.into_iter().flat_map(move |first| ways.map(|second| (first, second)))
}

#[test]
fn accesses_to_an_array_out_of_order_are_found() {
    let mut count = 0;
    for (chip, (first, second)) in
        CHIPS.iter().flat_map(|chip| access_pairs().map(move |pair| (*chip, pair)))
    {
        let function = array_accesses(chip, &[first, second]);
        let mut schedule = schedule(&function, Options::SHORT);
        unforward(&function, &mut schedule);
        move_to_end(&mut schedule, op_at(&function, 0));
        let found = check(&function, &schedule);
        let is_found = matches!(found, Err(CheckError::Value(_) | CheckError::Contents(_)));
        assert_eq!(is_found, first.0 || second.0, "{first:?} {second:?}: {found:?}");
        count += usize::from(is_found);
    }
    assert_eq!(count, 48);
}

#[test]
fn an_array_that_is_written_before_all_have_read_it_is_found() {
    let function = array_accesses(Chip::Cedar, &[(false, true), (false, true), (true, false)]);
    let [first, second] = [0, 1].map(|at| op_at(&function, at));
    for late in [first, second] {
        let mut schedule = schedule(&function, Options::SHORT);
        unforward(&function, &mut schedule);
        move_to_end(&mut schedule, late);
        assert_eq!(check(&function, &schedule), Err(CheckError::Value(late)));
    }
}

#[test]
fn only_a_read_shares_its_group_with_a_later_write_of_an_array() {
    for (first, second) in access_pairs() {
        let function = array_accesses(Chip::Rv770, &[first, second]);
        let mut schedule = schedule(&function, Options::SHORT);
        unforward(&function, &mut schedule);
        let (earlier, later) = (op_at(&function, 0), op_at(&function, 1));
        move_to_end(&mut schedule, later);
        move_to_end(&mut schedule, earlier);
        // The second one's result could go through the trans slot, too.
        let groups = first_groups(&mut schedule);
        let own =
            groups.pop().expect("both groups are at the end").slots.into_iter().flatten().next();
        let slots = &mut groups.last_mut().expect("both groups are at the end").slots;
        let free = slots.iter_mut().rfind(|slot| slot.is_none());
        *free.expect("a group of one operation has free slots") = own;
        let found = check(&function, &schedule);
        let is_found = matches!(found, Err(CheckError::Value(_) | CheckError::Conflict(_)));
        assert_eq!(is_found, first.0, "{first:?} {second:?}: {found:?}");
    }
}

/// Whether a group reads both ways.
fn reads_both_ways(group: &Group) -> bool {
    let sources = group.iter().flat_map(|(_, placed)| &placed.src);
    let ways = sources.filter_map(|src| match src.sel {
        PlacedSel::Element(element) => Some(element.relative),
        _ => None,
    });
    let ways: Vec<bool> = ways.collect();
    ways.contains(&true) && ways.contains(&false)
}

#[test]
fn a_group_reads_an_array_by_an_index_or_directly() {
    for chip in CHIPS {
        // More than fits beside the load of the index.
        let accesses = [[(false, true); 3], [(false, false); 3], [(false, false); 3]].concat();
        let mut function = array_accesses(chip, &accesses);
        for pack in [false, true] {
            let mut kept = schedule(&function, Options::SHORT.pack(pack));
            assert_eq!(check(&function, &kept), Ok(()), "{chip:?}");
            assert!(!first_groups(&mut kept).iter().any(reads_both_ways), "{chip:?}");
        }
        function.ignored = HazardSet::NONE.with(Hazard::IndexKinds);
        let mut careless = schedule(&function, Options::SHORT);
        assert_eq!(check(&function, &careless), Ok(()), "{chip:?}");
        assert!(first_groups(&mut careless).iter().any(reads_both_ways), "{chip:?}");
        function.ignored = HazardSet::NONE;
        let found = check(&function, &careless);
        assert!(matches!(found, Err(CheckError::IndexKinds(_))), "{chip:?}: {found:?}");
    }
}

#[test]
fn accesses_to_other_elements_may_be_swapped() {
    let function = function_of(Chip::Cedar, |builder| {
        builder.function.arrays.push(ArrayInfo { len: 4 });
        for (offset, chan) in [(0, Chan::X), (1, Chan::X), (1, Chan::Y)] {
            let array = cranelift_entity::EntityRef::new(0);
            let element = Element { array, offset, chan, relative: false };
            let src = [Src::new(SrcKind::VReg(builder.values[0]))];
            builder.alu(AluOp::Mov, Dst::Element(element), &src, None);
        }
    });
    let good = schedule(&function, Options::SHORT);
    for at in 0..3 {
        let mut changed = good.clone();
        move_to_end(&mut changed, op_at(&function, at));
        assert_eq!(check(&function, &changed), Ok(()), "{at}");
    }
}

/// `a[i]; i = i + 1; a[i]`, with one register for the index.
fn index_that_is_rewritten(chip: Chip) -> Function {
    function_of(chip, |builder| {
        builder.function.arrays.push(ArrayInfo { len: 4 });
        let index = builder.values[0];
        let array = cranelift_entity::EntityRef::new(0);
        let element = Element { array, offset: 0, chan: Chan::X, relative: true };
        let read = [Src::new(SrcKind::Element(element))];
        for again in [true, false] {
            let dst = Dst::VReg(builder.value());
            builder.alu(AluOp::Mov, dst, &read, Some(index));
            if again {
                let step = [Src::new(SrcKind::VReg(index)), Src::new(SrcKind::Const(1))];
                builder.alu(AluOp::AddInt, Dst::VReg(index), &step, None);
            }
        }
    })
}

#[test]
fn an_index_that_is_rewritten_is_loaded_again() {
    for chip in CHIPS {
        let function = index_that_is_rewritten(chip);
        for pack in [false, true] {
            let mut schedule = schedule(&function, Options::SHORT.pack(pack));
            assert_eq!(check(&function, &schedule), Ok(()), "{chip:?}");
            let is_load = |slot: &Option<Placed>| {
                slot.as_ref().is_some_and(|placed| placed.node.is_none() && !placed.src.is_empty())
            };
            let slots = first_groups(&mut schedule).iter_mut().flat_map(|group| &mut group.slots);
            let mut loads: Vec<_> = slots.filter(|slot| is_load(slot)).collect();
            assert_eq!(loads.len(), 2, "{chip:?}");
            // The register has the same name, and another value.
            *loads[1] = None;
            let second = op_at(&function, 2);
            assert_eq!(check(&function, &schedule), Err(CheckError::Array(second)), "{chip:?}");
        }
    }
}

#[test]
fn an_index_that_is_loaded_before_its_last_write_is_found() {
    let function = index_that_is_rewritten(Chip::Cedar);
    let mut schedule = schedule(&function, Options::SHORT);
    let groups = first_groups(&mut schedule);
    let loads = |group: &Group| {
        group.iter().any(|(_, placed)| placed.node.is_none() && !placed.src.is_empty())
    };
    let writes = |group: &Group| group.iter().any(|(_, placed)| placed.op == AluOp::AddInt);
    let (last, write) = (groups.iter().rposition(loads), groups.iter().position(writes));
    let (last, write) = (last.expect("it is loaded"), write.expect("it is written"));
    assert!(write < last);
    // The load reads the register, which still holds the value before.
    for placed in groups[last].slots.iter_mut().flatten().filter(|placed| placed.node.is_none()) {
        placed.src[0].sel = PlacedSel::VReg(function.live_in[0], Chan::X);
    }
    groups.swap(write, last);
    assert!(check(&function, &schedule).is_err());
}
