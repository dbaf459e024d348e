//! The vendor's format, as decaf's disassembler prints it: running numbers, literals with their bits, the number of the
//! group after `PV` and `PS`.

use crate::listing::{ListingOptions, Text, write_vendor_slot};
use crate::{AluGroup, AluPart, Cf, CfOp, Clause, ListingPlace, Program};

use super::Addresses;

/// Control-flow and fetch lines follow the canonical syntax, with addresses and counts. Groups have their own format.
pub(super) fn list(program: &Program) -> String {
    let (canonical, places) = program.listing_with_places(ListingOptions::default());
    let addresses = Addresses::of(program);
    let mut text = Text::with_capacity(canonical.len() * 2);
    let mut number = 0;
    for (line, place) in canonical.lines().zip(places) {
        match place {
            ListingPlace::Cf { cf, .. } => {
                text.char('\n');
                control_flow(&mut text, program, (cf, line), &addresses);
            }
            ListingPlace::Slot { clause, group, inst } => {
                let clause = program.clauses.get(clause.0 as usize);
                if let Some(group) = clause.and_then(|clause| group_of(clause, group)) {
                    number += u32::from(inst == 0);
                    slot(&mut text, program, (group, inst), number - 1);
                }
            }
            ListingPlace::Fetch { .. } => {
                number += 1;
                text.str("\n  ");
                text.padded(number - 1, 3);
                text.str("    ");
                fetch(&mut text, line.trim_start().split_once(' ').map_or("", |(_, rest)| rest));
            }
            ListingPlace::Label { .. } => {}
            ListingPlace::Words => {
                text.str(line);
                text.char('\n');
            }
            ListingPlace::End => text.str("\nEND_OF_PROGRAM\n"),
        }
    }
    text.into_string()
}

/// The name of an instruction's target.
fn address_name(op: CfOp) -> &'static str {
    match op {
        CfOp::LoopStart | CfOp::LoopStartDx10 | CfOp::LoopStartNoAl => "FAIL_JUMP_ADDR",
        CfOp::LoopEnd => "PASS_JUMP_ADDR",
        _ => "ADDR",
    }
}

/// A fetch under the vendor's name.
fn fetch(text: &mut Text, line: &str) {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    text.str(match name {
        "VFETCH" => "VTX_FETCH",
        "SEMFETCH" => "VTX_SEMANTIC",
        _ => name,
    });
    text.char(' ');
    text.str(rest);
    text.char('\n');
}

fn control_flow(
    text: &mut Text,
    program: &Program,
    (at, line): (usize, &str),
    addresses: &Addresses,
) {
    let clause = match &program.cf[at] {
        Cf::Alu(alu) => Some(alu.clause),
        Cf::Fetch(fetch) => Some(fetch.clause),
        Cf::Flow(flow) if flow.op.has_target() => {
            // Other tools have no labels and print the address.
            let address = addresses.target(flow.target);
            let label = format!(" L{}", flow.target);
            let place = format!(" {}({address})", address_name(flow.op));
            text.str(&line.replacen(&label, &place, 1));
            text.char('\n');
            return;
        }
        Cf::Flow(flow) if flow.op == CfOp::Ret => {
            text.str(&line.replacen(flow.op.name(), "RETURN", 1));
            text.char('\n');
            return;
        }
        Cf::Flow(_) | Cf::Export(_) | Cf::Memory(_) | Cf::Sync(_) | Cf::Raw(_) => None,
    };
    let body =
        clause.and_then(|id| Some((addresses.clause(id)?, program.clauses.get(id.0 as usize)?)));
    let Some((address, body)) = body else {
        text.str(line);
        text.char('\n');
        return;
    };
    let (name, rest) = line.split_once(':').unwrap_or((line, ""));
    text.str(name);
    text.str(": ADDR(");
    text.u32(address);
    text.str(") CNT(");
    text.u32(body.count());
    text.char(')');
    let own = format!(" ADDR({address})");
    text.str(rest.strip_prefix(own.as_str()).unwrap_or(rest));
    text.char('\n');
}

fn slot(text: &mut Text, program: &Program, (group, at): (&AluGroup, usize), number: u32) {
    if at == 0 {
        text.str("\n  ");
        text.padded(number, 3);
    } else {
        text.str("     ");
    }
    text.char(' ');
    write_vendor_slot(text, (group, at), program.generation, number);
    text.char('\n');
}

/// A group of a clause, by its number among the parts there.
fn group_of(clause: &Clause, number: usize) -> Option<&AluGroup> {
    match clause {
        Clause::Alu(groups) => groups.get(number),
        Clause::Mixed(parts) => match parts.get(number)? {
            AluPart::Group(group) => Some(group),
            AluPart::Raw(_) => None,
        },
        Clause::Fetch(_) => None,
    }
}
