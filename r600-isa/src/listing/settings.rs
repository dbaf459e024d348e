//! Settings of an instruction: its listing without operation and registers, for text forms that have values in place of
//! registers. [`crate::asm::settings`] reads them back.

use crate::{CfFlow, CfMemory, FetchInst, Generation};

use super::{Text, cf, fetch};

impl FetchInst {
    /// Numbers of resources, and properties: `t0, s0 XOFFSET(1.0)`.
    pub fn settings(&self, generation: Generation) -> String {
        written(|text| fetch::write_settings(text, generation, self))
    }
}

impl CfMemory {
    /// Kind, place and properties: `WRITE_IND 3 ELEM_SIZE(3)`.
    pub fn settings(&self, generation: Generation) -> String {
        written(|text| cf::write_memory_settings(text, generation, self))
    }
}

impl CfFlow {
    /// Properties: `COUNT(1)`.
    pub fn settings(&self, generation: Generation) -> String {
        written(|text| cf::write_flow_settings(text, generation, self))
    }
}

/// The text without its leading space.
fn written(write: impl FnOnce(&mut Text)) -> String {
    let mut text = Text::default();
    write(&mut text);
    text.into_string().trim_start().to_owned()
}
