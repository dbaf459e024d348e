//! Why a request cannot be packed.

use alloc::vec::Vec;
use core::fmt;

use crate::diagnostic::Diagnostic;
use crate::generated::enums::ParamA;

/// Why a request has no instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PackError {
    /// There are too few coordinates for the shape, or too many.
    Coordinates {
        /// The shape.
        shape: ParamA,
        /// The number it needs, without the layer.
        wanted: usize,
        /// The number given.
        given: usize,
    },
    /// A layer is given for a shape without layers, or none for one with them.
    Layer {
        /// The shape.
        shape: ParamA,
    },
    /// Filtered access does not support something.
    SampleCannot(&'static str),
    /// Access by position does not support something.
    LoadCannot(&'static str),
    /// The mask is empty: nothing would be written.
    EmptyMask,
    /// The instruction would break these rules.
    Rules(Vec<Diagnostic>),
}

impl From<Diagnostic> for PackError {
    fn from(finding: Diagnostic) -> Self {
        Self::Rules([finding].into())
    }
}

impl PackError {
    /// How to fix it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Coordinates { .. } => "give as many coordinates as the shape has",
            Self::Layer { .. } => {
                "use the shape with or without ARRAY_ that goes with the coordinates"
            }
            Self::SampleCannot(_) => "use access by position (TLDS)",
            Self::LoadCannot(_) => "use filtered access (TEX)",
            Self::EmptyMask => "name a component, or drop the access",
            Self::Rules(findings) => findings.first().map_or("", |finding| finding.rule.remedy()),
        }
    }
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Coordinates { shape, wanted, given } => {
                write!(f, "{} has {wanted} coordinates, not {given}", shape.text())
            }
            Self::Layer { shape } if shape.is_array() => {
                write!(f, "{} needs a layer", shape.text())
            }
            Self::Layer { shape } => write!(f, "{} has no layers", shape.text()),
            Self::SampleCannot(what) => write!(f, "TEX has no {what}"),
            Self::LoadCannot(what) => write!(f, "TLDS has no {what}"),
            Self::EmptyMask => f.write_str("no component is requested"),
            Self::Rules(findings) => {
                for (at, finding) in findings.iter().enumerate() {
                    write!(f, "{}{finding}", if at > 0 { "; " } else { "" })?;
                }
                Ok(())
            }
        }
    }
}

impl core::error::Error for PackError {}
