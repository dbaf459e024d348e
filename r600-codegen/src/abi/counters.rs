//! Where the counters of a shader lie in the global data share.

use tgsi_ir::{Declaration, File, Shader};

/// Number of counters. Evergreen has one for each of `GDS_APPEND_COUNT_0` to `_11`. Cayman could have more, but shaders
/// are the same for both.
pub const MAX_COUNTERS: u32 = 12;

/// Consecutive declared counters: `DCL HWATOMIC[buffer][first..last]`.
///
/// Declarations are laid out in order, starting at [`first_counter`](super::ShaderKey::first_counter). Evergreen names
/// a counter by its number; the state loads it from its buffer before a draw and stores it afterwards. On Cayman
/// counter n is dword n of the global data share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct CounterSlot {
    /// The buffer that holds them between draws.
    pub buffer: u16,
    /// The first counter, as a dword index in the buffer.
    pub first: u16,
    /// The last counter, likewise.
    pub last: u16,
    /// Id of the array they form; 0 for none.
    pub array: u16,
    /// The hardware counter of the first one.
    pub counter: u32,
}

impl CounterSlot {
    /// The hardware counter of dword `index` of the buffer; may be out of range.
    pub(crate) fn counter_of(self, index: i32) -> i32 {
        self.counter.cast_signed() + index - i32::from(self.first)
    }

    /// Whether dword `index` of the buffer is one of them.
    pub(crate) fn contains(self, index: i32) -> bool {
        (i32::from(self.first)..=i32::from(self.last)).contains(&index)
    }
}

/// The counters of a shader. `first` is the hardware counter of the first one.
pub(crate) fn counter_slots(shader: &Shader, first: u8) -> Vec<CounterSlot> {
    let mut next = u32::from(first);
    let slot = |declaration: &Declaration| {
        let (first, last) = (declaration.range.first, declaration.range.last);
        let counter = next;
        next = next.saturating_add(u32::from(last.saturating_sub(first)) + 1);
        let array = declaration.array_id.unwrap_or(0);
        CounterSlot { buffer: declaration.dimension.unwrap_or(0), first, last, array, counter }
    };
    shader.declarations.iter().filter(|d| d.file == File::HwAtomic).map(slot).collect()
}
