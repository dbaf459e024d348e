//! Compares values within what the tags of a program allow.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde_json::Value;

use super::{stub, words};

/// Units in the last place that functions of the C library may be off.
const LIBM_ULPS: i64 = 4;

/// What has been compared so far.
pub(crate) struct Comparison {
    pub(crate) is_exact: bool,
    /// The first difference that is not allowed.
    pub(crate) fault: Option<String>,
    libm: bool,
    any_nan: bool,
    any_nan64: bool,
    any_zero: bool,
}

impl Comparison {
    pub(crate) fn new(tags: &[&str]) -> Self {
        let has = |tag| tags.contains(&tag);
        Self {
            is_exact: true,
            fault: None,
            libm: has("libm"),
            any_nan: has("nan_out"),
            any_nan64: has("nan64"),
            any_zero: has("zero_sign"),
        }
    }

    pub(crate) fn differs(why: String) -> Self {
        Self { is_exact: false, fault: Some(why), ..Self::new(&[]) }
    }

    pub(crate) fn fault(&mut self, why: String) {
        self.is_exact = false;
        self.fault.get_or_insert(why);
    }

    pub(crate) fn same<T: PartialEq + Debug>(&mut self, what: &str, got: &T, want: &T) {
        if got != want {
            self.fault(format!("{what}: {got:x?} instead of {want:x?}"));
        }
    }

    pub(crate) fn vector(&mut self, what: &str, got: Option<[u32; 4]>, want: [u32; 4]) {
        let Some(got) = got else { return self.fault(format!("{what} is missing")) };
        if got == want {
            return;
        }
        self.is_exact = false;
        let is_allowed = (0..4).all(|channel| self.is_close(&got, &want, channel));
        if !is_allowed {
            self.fault(format!("{what}: {got:08x?} instead of {want:08x?}"));
        }
    }

    fn is_close(&self, got: &[u32; 4], want: &[u32; 4], channel: usize) -> bool {
        let (a, b) = (got[channel], want[channel]);
        if a == b {
            return true;
        }
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        let pair = |v: &[u32; 4]| {
            let low = channel & 2;
            f64::from_bits(u64::from(v[low]) | u64::from(v[low + 1]) << 32)
        };
        (self.any_nan && x.is_nan() && y.is_nan())
            || (self.any_nan64 && pair(got).is_nan() && pair(want).is_nan())
            || (self.any_zero && x == 0.0 && y == 0.0)
            || (self.any_zero && pair(got) == 0.0 && pair(want) == 0.0)
            || (self.libm && (ordered(a) - ordered(b)).abs() <= LIBM_ULPS)
            || (self.libm && x.is_nan() && y.is_nan())
    }

    pub(crate) fn bytes(&mut self, what: &str, got: &BTreeMap<u32, Vec<u8>>, want: &Value) {
        for (number, want) in want.as_object().into_iter().flatten() {
            let got = got.get(&number.parse().unwrap()).map(|bytes| stub::to_words(bytes));
            self.same(&format!("{what} {number}"), &got, &Some(words(want)));
        }
    }
}

/// The place of a float among all floats.
fn ordered(bits: u32) -> i64 {
    let magnitude = i64::from(bits & 0x7fff_ffff);
    if bits >> 31 == 1 { -magnitude } else { magnitude }
}
