//! Control-flow instructions.

use crate::codec::FieldIo;
use crate::names::rat_op_name;
use crate::{
    Cf, CfAlu, CfExport, CfFlow, CfIndex, CfMemory, CfOp, CfSync, ExportKind, Generation,
    KcacheMode, KcacheWindow, MemoryAccess,
};

use super::Text;
use super::properties::PropertyWriter;

/// Writes the instruction, without its number and the end of its line. `explicit` is the address of its clause, if the
/// assembler would choose another.
pub(super) fn write(text: &mut Text, generation: Generation, cf: &Cf, explicit: Option<u32>) {
    match cf {
        Cf::Alu(alu) => write_alu(text, generation, alu, explicit),
        Cf::Fetch(fetch) => {
            text.str(fetch.op.name());
            text.char(':');
            write_address(text, explicit);
            properties(text, generation, |io| fetch.clone().describe(io, &mut 0, &mut 0));
        }
        Cf::Flow(flow) => write_flow(text, generation, flow),
        Cf::Export(export) => write_export(text, generation, export),
        Cf::Memory(memory) => write_memory(text, generation, memory),
        Cf::Sync(sync) => write_sync(text, generation, sync),
        Cf::Raw(words) => {
            text.str(".cf ");
            text.words(words);
            return;
        }
    }
    if !cf.has_barrier() {
        text.str(" NO_BARRIER");
    }
}

/// Runs a description to write its properties. Writing cannot fail, since every value is already typed.
fn properties(
    text: &mut Text,
    generation: Generation,
    describe: impl FnOnce(&mut PropertyWriter<'_>) -> Result<(), crate::FieldError>,
) {
    let mut writer = PropertyWriter::new(generation, text);
    let _ = describe(&mut writer);
}

fn write_address(text: &mut Text, address: Option<u32>) {
    if let Some(address) = address {
        text.str(" ADDR(");
        text.u32(address);
        text.char(')');
    }
}

fn write_alu(text: &mut Text, generation: Generation, alu: &CfAlu, explicit: Option<u32>) {
    text.str(alu.op.name());
    text.char(':');
    write_address(text, explicit);
    for (set, window) in alu.kcache.iter().enumerate() {
        write_window(text, set, window);
    }
    if alu.extended && !(CfAlu { extended: false, ..*alu }).is_extended() {
        text.str(" EXTENDED");
    }
    properties(text, generation, |io| alu.clone().describe(io, &mut 0, &mut 0));
}

/// Writes the vec4s that a window covers, counted in its constant buffer.
pub(crate) fn write_window(text: &mut Text, set: usize, window: &KcacheWindow) {
    if *window == KcacheWindow::default() {
        return;
    }
    text.str(" KCACHE");
    text.u32(set as u32);
    text.str("(CB");
    text.u32(u32::from(window.bank));
    match window.index {
        CfIndex::None => {}
        CfIndex::Index0 => text.str("+CF_IDX0"),
        CfIndex::Index1 => text.str("+CF_IDX1"),
    }
    text.char(':');
    let first = 16 * u32::from(window.line);
    let loop_index = if window.mode == KcacheMode::LockLoopIndex { "AL+" } else { "" };
    text.str(loop_index);
    text.u32(first);
    if window.mode == KcacheMode::None {
        text.str(" OFF)");
        return;
    }
    text.char('-');
    text.str(loop_index);
    text.u32(first + u32::from(window.mode.num_vec4()) - 1);
    text.char(')');
}

fn write_flow(text: &mut Text, generation: Generation, flow: &CfFlow) {
    text.str(flow.op.name());
    if flow.op.has_target() {
        text.str(" L");
        text.u32(flow.target);
    }
    let mut addr = if flow.op.has_target() { 0 } else { flow.target };
    properties(text, generation, |io| flow.clone().describe(io, &mut addr));
}

/// The first position export in the encoding; listings count from 0.
pub(crate) const FIRST_POSITION: u16 = 60;

/// The name of an export in listings.
pub(crate) fn export_name(op: CfOp) -> &'static str {
    match op {
        CfOp::Export => "EXP",
        CfOp::ExportDone => "EXP_DONE",
        _ => op.name(),
    }
}

fn write_export(text: &mut Text, generation: Generation, export: &CfExport) {
    text.str(export_name(export.op));
    text.str(": ");
    let base = u32::from(export.array_base);
    match export.kind {
        ExportKind::Pixel => text.str("PIX"),
        ExportKind::Position if export.array_base >= FIRST_POSITION => text.str("POS"),
        ExportKind::Position => text.str("POS_BASE"),
        ExportKind::Parameter => text.str("PARAM"),
        ExportKind::Reserved => text.str("SX"),
    }
    let has_positions = export.kind == ExportKind::Position && export.array_base >= FIRST_POSITION;
    text.u32(if has_positions { base - u32::from(FIRST_POSITION) } else { base });
    text.str(", ");
    write_gpr(text, export.gpr, export.relative);
    text.char('.');
    for sel in export.sel {
        text.char(sel.letter());
    }
    properties(text, generation, |io| export.clone().describe(io));
}

/// Writes a GPR, to whose number the loop index may be added.
pub(crate) fn write_gpr(text: &mut Text, gpr: u8, relative: bool) {
    text.str(if relative { "R[AL+" } else { "R" });
    text.u32(u32::from(gpr));
    if relative {
        text.char(']');
    }
}

fn write_memory(text: &mut Text, generation: Generation, memory: &CfMemory) {
    text.str(memory.op.name());
    text.str(": ");
    write_place(text, generation, memory);
    if memory.kind.is_indexed() || memory.index_gpr != 0 {
        text.str("[R");
        text.u32(u32::from(memory.index_gpr));
        text.char(']');
    }
    text.str(", ");
    write_gpr(text, memory.gpr, memory.relative);
    text.char('.');
    for (bit, letter) in ['x', 'y', 'z', 'w'].into_iter().enumerate() {
        text.char(if memory.comp_mask >> bit & 1 != 0 { letter } else { '_' });
    }
    properties(text, generation, |io| memory.clone().describe(io));
}

/// Writes `WRITE_IND 3`, or a target and the operation on it.
fn write_place(text: &mut Text, generation: Generation, memory: &CfMemory) {
    text.str(crate::MemoryType::words(generation)[memory.kind as usize]);
    text.char(' ');
    write_access(text, generation, memory);
}

/// Writes the same, and the properties.
pub(super) fn write_memory_settings(text: &mut Text, generation: Generation, memory: &CfMemory) {
    write_place(text, generation, memory);
    properties(text, generation, |io| memory.clone().describe(io));
    write_ends(text, (memory.end_of_program, memory.barrier));
}

/// Writes the properties of an instruction without registers or a target.
pub(super) fn write_flow_settings(text: &mut Text, generation: Generation, flow: &CfFlow) {
    let mut addr = if flow.op.has_target() { 0 } else { flow.target };
    properties(text, generation, |io| flow.clone().describe(io, &mut addr));
    write_ends(text, (flow.end_of_program, flow.barrier));
}

fn write_ends(text: &mut Text, (end_of_program, barrier): (bool, bool)) {
    text.str(if end_of_program { " EOP" } else { "" });
    text.str(if barrier { "" } else { " NO_BARRIER" });
}

fn write_access(text: &mut Text, generation: Generation, memory: &CfMemory) {
    match memory.access {
        MemoryAccess::Base(base) => text.u32(u32::from(base)),
        MemoryAccess::Rat(rat) => {
            match rat_op_name(generation, rat.op) {
                Some(name) => text.str(name),
                None => {
                    text.str("RAT_OP");
                    text.u32(u32::from(rat.op));
                }
            }
            text.str(" RAT");
            text.u32(u32::from(rat.id));
            match rat.index {
                CfIndex::None => {}
                CfIndex::Index0 => text.str("+CF_IDX0"),
                CfIndex::Index1 => text.str("+CF_IDX1"),
            }
        }
    }
}

fn write_sync(text: &mut Text, generation: Generation, sync: &CfSync) {
    use crate::codec::{Form, TextValue};
    text.str(CfOp::WaveSync.name());
    text.str(": ");
    if let Form::Words(words) = <crate::SyncOp as TextValue>::FORM {
        text.str(words[sync.op as usize]);
    }
    properties(text, generation, |io: &mut PropertyWriter<'_>| {
        debug_assert_eq!(io.generation(), generation);
        sync.clone().describe(io)
    });
}
