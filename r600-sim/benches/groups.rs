//! How many ALU groups the simulator runs, counted once for each lane.
//!
//! `cargo bench -p r600-sim` prints items a second; an item is one group of one lane.

#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first surprise")]

#[path = "../tests/it/support.rs"]
#[allow(dead_code, reason = "tests use the rest of it")]
mod support;

use divan::Bencher;
use divan::counter::ItemsCount;
use r600_isa::{AluGroup, AluInst, AluOp, Chan, Chip};
use r600_sim::{Entry, Kernel, NoResources, Options};
use support::{gpr, group, inst, kernel, program};

const NUM_GROUPS: usize = 24;

fn main() {
    divan::main();
}

/// Five slots: four multiply-adds and a reciprocal.
fn full_group() -> AluGroup {
    let muladd = |chan| inst(AluOp::MuladdIeee, chan, &[gpr(1, chan), gpr(2, chan), gpr(3, chan)]);
    let mut insts: Vec<AluInst> = Chan::ALL.map(muladd).to_vec();
    let mut recip = inst(AluOp::RecipIeee, Chan::X, &[gpr(1, Chan::X)]);
    recip.dst.gpr = 5;
    insts.iter_mut().for_each(|inst| inst.bank_swizzle = 5);
    insts.push(recip);
    group(&insts)
}

fn prepare(groups: Vec<AluGroup>) -> Kernel {
    let chip = Chip::Rv770;
    kernel(&program(chip.generation(), groups), chip, 0).unwrap()
}

fn run(bencher: Bencher, group: &AluGroup, num_quads: usize) {
    let kernel = prepare(vec![group.clone(); NUM_GROUPS]);
    let entry = Entry::new(num_quads);
    let options = Options::default().local_memory_size(0).global_share_size(0);
    bencher
        .counter(ItemsCount::new(NUM_GROUPS * entry.num_lanes()))
        .bench(|| kernel.run(&entry, &options, &mut NoResources).unwrap());
}

#[divan::bench(args = [1, 4, 16])]
fn five_slots(bencher: Bencher, num_quads: usize) {
    run(bencher, &full_group(), num_quads);
}

#[divan::bench(args = [1, 4, 16])]
fn one_slot(bencher: Bencher, num_quads: usize) {
    let add = inst(AluOp::Add, Chan::X, &[gpr(1, Chan::X), gpr(2, Chan::X)]);
    run(bencher, &group(&[add]), num_quads);
}
