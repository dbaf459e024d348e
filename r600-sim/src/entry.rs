//! Initial state of a wavefront.

use std::collections::BTreeMap;

use crate::kernel::Kernel;
use crate::lanes::{LaneMask, MAX_LANES};
use crate::parameter::Parameter;

/// The state on entry: registers, parameters of the primitive and the fetch shader.
#[derive(Clone, Debug)]
pub struct Entry<'k> {
    num_lanes: usize,
    gprs: BTreeMap<(u32, u8), [u32; MAX_LANES]>,
    parameters: Vec<Parameter>,
    valid: LaneMask,
    started: LaneMask,
    fetch_shader: Option<&'k Kernel>,
    local_memory: Vec<u32>,
    global_share: Vec<u32>,
}

impl<'k> Entry<'k> {
    /// A wavefront of `num_quads` quads, at least 1 and at most 16.
    #[must_use]
    pub fn new(num_quads: usize) -> Self {
        let num_lanes = num_quads.clamp(1, MAX_LANES / 4) * 4;
        Self {
            num_lanes,
            gprs: BTreeMap::new(),
            parameters: Vec::new(),
            valid: LaneMask::first(num_lanes),
            started: LaneMask::first(num_lanes),
            fetch_shader: None,
            local_memory: Vec::new(),
            global_share: Vec::new(),
        }
    }

    /// Sets one lane of a register channel; lanes outside the wavefront are ignored.
    pub fn set_gpr(&mut self, gpr: u32, channel: u8, lane: usize, bits: u32) {
        if channel < 4 && lane < self.num_lanes {
            self.gprs.entry((gpr, channel)).or_insert([0; MAX_LANES])[lane] = bits;
        }
    }

    /// Adds a parameter of the primitive; the first one is number 0.
    pub fn push_parameter(&mut self, parameter: Parameter) {
        self.parameters.push(parameter);
    }

    /// Sets the lanes that cover the primitive; the others only serve derivatives.
    pub fn set_valid_lanes(&mut self, lanes: LaneMask) {
        self.valid = lanes & LaneMask::first(self.num_lanes);
    }

    /// Sets the lanes that run at all; a work group need not fill its last quad.
    pub fn set_started_lanes(&mut self, lanes: LaneMask) {
        self.started = lanes & LaneMask::first(self.num_lanes);
    }

    /// Sets the program that a call of the fetch shader runs. Without one, such a call does nothing, and the attributes
    /// must already be in their registers.
    pub fn set_fetch_shader(&mut self, kernel: &'k Kernel) {
        self.fetch_shader = Some(kernel);
    }

    /// Sets the initial contents of local memory, as an earlier stage left them; the rest is zero.
    pub fn set_local_memory(&mut self, words: Vec<u32>) {
        self.local_memory = words;
    }

    /// Sets the initial contents of the global data share; the rest is zero. Append counter n is dword n.
    pub fn set_global_share(&mut self, words: Vec<u32>) {
        self.global_share = words;
    }

    /// The number of lanes.
    #[must_use]
    pub fn num_lanes(&self) -> usize {
        self.num_lanes
    }

    pub(crate) fn gprs(&self) -> &BTreeMap<(u32, u8), [u32; MAX_LANES]> {
        &self.gprs
    }

    pub(crate) fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    pub(crate) fn valid_lanes(&self) -> LaneMask {
        self.valid
    }

    pub(crate) fn started_lanes(&self) -> LaneMask {
        self.started
    }

    pub(crate) fn local_memory(&self) -> &[u32] {
        &self.local_memory
    }

    pub(crate) fn global_share(&self) -> &[u32] {
        &self.global_share
    }

    pub(crate) fn fetch_shader(&self) -> Option<&'k Kernel> {
        self.fetch_shader
    }
}
