//! Reads settings of instructions: listings without operation and registers.
//!
//! Text forms that have values in place of registers embed them. [`FetchInst::settings`], [`CfMemory::settings`] and
//! [`CfFlow::settings`] write them. Positions in diagnostics count from the start of the text.

use crate::{CfFlow, CfMemory, CfOp, FetchInst, FetchOp, Generation};

use super::cf::CfContext;
use super::cursor::Cursor;
use super::{Diagnostic, fetch};

/// The fetch of `op` with these settings, its registers 0 and nothing selected.
///
/// # Errors
/// If the text is not valid, or the generation lacks the operation or a field.
pub fn fetch(op: FetchOp, text: &str, generation: Generation) -> Result<FetchInst, Diagnostic> {
    fetch::exists(op, generation, 0..0)?;
    let mut inst = FetchInst::new(op);
    fetch::settings((text, generation), &mut Cursor::new(text, 0..text.len()), &mut inst)?;
    Ok(inst)
}

/// The memory instruction of `op` with these settings, its registers 0 and all components selected.
///
/// # Errors
/// If the text is not valid, or the generation lacks the operation or a field.
pub fn memory(op: CfOp, text: &str, generation: Generation) -> Result<CfMemory, Diagnostic> {
    let context = CfContext { text, generation };
    context.exists(op, 0..0)?;
    let mut cursor = Cursor::new(text, 0..text.len());
    let mut inst = context.place(op, &mut cursor)?;
    context.memory_properties(&mut cursor, &mut inst)?;
    Ok(inst)
}

/// The control-flow instruction of `op`, which has no target, with these settings.
///
/// # Errors
/// If the text is not valid, or the generation lacks the operation or a field.
pub fn flow(op: CfOp, text: &str, generation: Generation) -> Result<CfFlow, Diagnostic> {
    let context = CfContext { text, generation };
    context.exists(op, 0..0)?;
    let mut inst = CfFlow::new(op);
    context.flow_properties(&mut Cursor::new(text, 0..text.len()), &mut inst)?;
    Ok(inst)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::{Code, Op};

    const GENERATION: Generation = Generation::Evergreen;

    /// Reads the settings in `text` for the operation `name`, and writes them again.
    fn again(name: &str, text: &str) -> Result<String, Diagnostic> {
        match Op::from_name(name) {
            Some(Op::Fetch(op)) => {
                fetch(op, text, GENERATION).map(|inst| inst.settings(GENERATION))
            }
            Some(Op::Cf(op)) if op == CfOp::EmitVertex => {
                flow(op, text, GENERATION).map(|inst| inst.settings(GENERATION))
            }
            Some(Op::Cf(op)) => memory(op, text, GENERATION).map(|inst| inst.settings(GENERATION)),
            _ => panic!("{name} has no settings"),
        }
    }

    #[test]
    fn settings_are_read_as_they_are_written() {
        for (name, text) in [
            ("SAMPLE", "t3, s1"),
            (
                "SAMPLE_LB",
                "t159, s17 DENORM(xyw) LOD(-0.125) XOFFSET(-8.0) RESOURCE_INDEX(CF_IDX1)",
            ),
            ("VFETCH", "b3 FETCH_TYPE(NO_INDEX_OFFSET) USE_CONST_FIELDS OFFSET(16)"),
            ("READ_SCRATCH", "12 ELEM_SIZE(3)"),
            ("GDS_ADD_RET", ""),
            ("GDS_ADD_RET", "UAV(3) ALLOC_CONSUME"),
            ("MEM_RING", "WRITE_IND 12 ELEM_SIZE(3) BURSTCNT(1)"),
            ("MEM_RAT", "WRITE_IND_ACK STORE_TYPED RAT3+CF_IDX1 MARK EOP NO_BARRIER"),
            ("EMIT_VERTEX", ""),
            ("EMIT_VERTEX", "COUNT(3) NO_BARRIER"),
        ] {
            assert_eq!(again(name, text).as_deref(), Ok(text), "{name}");
        }
    }

    #[test]
    fn an_invalid_setting_is_reported_with_its_position() {
        for (name, text, code, at) in [
            ("SAMPLE", "t3", Code::Unexpected, 2),
            ("SAMPLE", "t3, s1 LODD(1)", Code::UnknownProperty, 7),
            ("VFETCH", "b3 OFFSET(65536)", Code::OutOfRange, 3),
            ("MEM_RING", "WROTE 0", Code::Unexpected, 0),
            ("MEM_STREAM0", "WRITE 0", Code::NotOnGeneration, 0),
            ("EMIT_VERTEX", "R0", Code::UnknownProperty, 0),
        ] {
            let found = again(name, text).expect_err(text);
            assert_eq!(
                (found.code, found.span.start),
                (code, at),
                "{name} {text}: {}",
                found.message
            );
        }
    }
}
