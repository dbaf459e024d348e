//! Fetches.

use crate::{ComponentSel, CoordType, FetchInst, FetchOp, Generation};

use super::Text;
use super::cf::write_gpr;
use super::properties::PropertyWriter;

/// Writes the instruction, without its number and the end of its line.
pub(super) fn write(text: &mut Text, generation: Generation, fetch: &FetchInst) {
    let Some(op) = fetch.op() else {
        if let FetchInst::Raw(words) = fetch {
            text.str(".word ");
            text.words(words);
        }
        return;
    };
    text.str(op.name());
    text.char(' ');
    write_registers(text, fetch);
    if !matches!(fetch, FetchInst::Gds(_) | FetchInst::LocalWrite(_) | FetchInst::LocalRead(_)) {
        text.str(", ");
    }
    write_settings(text, generation, fetch);
}

/// Writes what follows the registers: numbers of resources, and properties.
pub(super) fn write_settings(text: &mut Text, generation: Generation, fetch: &FetchInst) {
    match fetch {
        FetchInst::Tex(tex) => {
            write_numbered(text, 't', tex.resource_id);
            text.str(", ");
            write_numbered(text, 's', tex.sampler_id);
            write_coord_types(text, &tex.coord_type);
        }
        FetchInst::Vtx(vtx) => write_numbered(text, 'b', vtx.buffer_id),
        FetchInst::Mem(mem) => text.u32(u32::from(mem.array_base)),
        FetchInst::Gds(_)
        | FetchInst::LocalWrite(_)
        | FetchInst::LocalRead(_)
        | FetchInst::Raw(_) => {}
    }
    let mut writer = PropertyWriter::new(generation, text);
    // Writing cannot fail, since every value is already typed.
    let _ = fetch.clone().describe(&mut writer);
}

fn write_registers(text: &mut Text, fetch: &FetchInst) {
    match fetch {
        FetchInst::Tex(tex) => {
            write_vector(text, (tex.dst_gpr, tex.dst_rel), &tex.dst_sel);
            text.str(", ");
            write_vector(text, (tex.src_gpr, tex.src_rel), &tex.src_sel);
        }
        FetchInst::Vtx(vtx) => {
            if vtx.op == FetchOp::Semfetch {
                text.str("SEM[");
                text.u32(u32::from(vtx.dst_gpr));
                text.str("].");
                write_sels(text, &vtx.dst_sel);
            } else {
                write_vector(text, (vtx.dst_gpr, vtx.dst_rel), &vtx.dst_sel);
            }
            text.str(", ");
            write_vector(text, (vtx.src_gpr, vtx.src_rel), &[vtx.src_sel]);
        }
        FetchInst::Mem(mem) => {
            write_vector(text, (mem.dst_gpr, mem.dst_rel), &mem.dst_sel);
            text.str(", ");
            write_vector(text, (mem.src_gpr, mem.src_rel), &[mem.src_sel]);
        }
        FetchInst::Gds(gds) => {
            write_vector(text, (gds.dst_gpr, false), &gds.dst_sel);
            text.str(", ");
            write_vector(text, (gds.src_gpr, false), &gds.src_sel);
        }
        FetchInst::LocalWrite(local) => {
            write_vector(text, (local.src_gpr, false), &local.src_sel);
        }
        FetchInst::LocalRead(local) => {
            let letters = [ComponentSel::X, ComponentSel::Y, ComponentSel::Z, ComponentSel::W];
            let mut written = letters.iter().zip(local.dst_write);
            let sels: [ComponentSel; 4] = std::array::from_fn(|_| match written.next() {
                Some((letter, true)) => *letter,
                _ => ComponentSel::Mask,
            });
            write_vector(text, (local.dst_gpr, false), &sels);
            text.str(", ");
            write_vector(text, (local.src_gpr, false), &local.src_sel);
        }
        FetchInst::Raw(_) => {}
    }
}

fn write_vector(text: &mut Text, (gpr, relative): (u8, bool), sels: &[ComponentSel]) {
    write_gpr(text, gpr, relative);
    text.char('.');
    write_sels(text, sels);
}

fn write_sels(text: &mut Text, sels: &[ComponentSel]) {
    for sel in sels {
        text.char(sel.letter());
    }
}

fn write_numbered(text: &mut Text, letter: char, number: u8) {
    text.char(letter);
    text.u32(u32::from(number));
}

/// Writes the coordinates that are in texels.
fn write_coord_types(text: &mut Text, kinds: &[CoordType; 4]) {
    if kinds.contains(&CoordType::Unnormalized) {
        text.str(" DENORM(");
        let letters = kinds.iter().zip(['x', 'y', 'z', 'w']);
        for (_, letter) in letters.filter(|(kind, _)| **kind == CoordType::Unnormalized) {
            text.char(letter);
        }
        text.char(')');
    }
}
