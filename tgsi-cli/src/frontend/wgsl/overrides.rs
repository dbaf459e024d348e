//! Overrides. naga cannot write them as SPIR-V, so they become constants first.

use std::borrow::Cow;

use naga::back::PipelineConstants;
use naga::back::pipeline_constants::{PipelineConstantError, process_overrides};
use naga::valid::ModuleInfo;
use naga::{Module, Override, Scalar, ScalarKind, Span, TypeInner};
use tgsi_spirv::Specialization;

use super::{causes, finding};
use crate::problem::{Finding, Place};

/// The module with constants in place of its overrides. An override gets the value given for its `@id`, or else its own
/// value. A module without overrides stays as it is.
pub(super) fn settled<'a>(
    module: &'a Module,
    info: &'a ModuleInfo,
    given: &[(u32, Specialization)],
) -> Result<(Cow<'a, Module>, Cow<'a, ModuleInfo>), Box<Finding>> {
    let mut values = PipelineConstants::default();
    for &(number, value) in given {
        let mut all = module.overrides.iter();
        let found = all.find(|(_, one)| one.id.map(u32::from) == Some(number));
        let Some((handle, one)) = found else { continue };
        let TypeInner::Scalar(scalar) = module.types[one.ty].inner else { continue };
        let Some(value) = number_of(value, scalar) else {
            let message = format!("the override `@id({number})` cannot be {value}");
            return Err(at(module.overrides.get_span(handle), message));
        };
        values.insert(number.to_string(), value);
    }
    process_overrides(module, info, None, &values).map_err(|error| complaint(module, error))
}

/// A value as naga takes it; `None` if the type cannot represent it.
fn number_of(value: Specialization, scalar: Scalar) -> Option<f64> {
    let bits = 8 * u32::from(scalar.width);
    let highest = |bits: u32| (2.0f64).powi(bits as i32) - 1.0;
    let (lowest, highest) = match scalar.kind {
        ScalarKind::Bool => (0.0, 1.0),
        ScalarKind::Uint => (0.0, highest(bits)),
        ScalarKind::Sint => (-highest(bits - 1) - 1.0, highest(bits - 1)),
        ScalarKind::Float if bits == 32 => (f64::from(f32::MIN), f64::from(f32::MAX)),
        _ => (f64::MIN, f64::MAX),
    };
    let number = match (value, scalar.kind) {
        (Specialization::Bool(value), ScalarKind::Bool) => f64::from(u8::from(value)),
        (Specialization::Int(value), _) => value as f64,
        (Specialization::Float(value), ScalarKind::Float) => value,
        (Specialization::Float(value), ScalarKind::Sint | ScalarKind::Uint)
            if value.fract() == 0.0 =>
        {
            value
        }
        (Specialization::Bits(raw), kind) if bits <= 32 && raw >> bits == 0 => match kind {
            ScalarKind::Float if bits == 32 => f64::from(f32::from_bits(raw as u32)),
            ScalarKind::Sint if bits == 32 => f64::from((raw as u32).cast_signed()),
            ScalarKind::Uint | ScalarKind::Bool => raw as f64,
            _ => return None,
        },
        _ => return None,
    };
    (lowest..=highest).contains(&number).then_some(number)
}

fn complaint(module: &Module, error: PipelineConstantError) -> Box<Finding> {
    match error {
        PipelineConstantError::MissingValue(key) => {
            let is_it = |one: &Override| match one.id {
                Some(id) => id.to_string() == key,
                None => one.name.as_ref() == Some(&key),
            };
            let found = module.overrides.iter().find(|(_, one)| is_it(one));
            let span = found.map(|(handle, _)| module.overrides.get_span(handle));
            let finding =
                at(span.unwrap_or_default(), format!("the override `{key}` has no value"));
            let help = "give it one in the source, or an `@id` and `--specialize ID=VALUE`";
            Box::new(finding.with_help(help))
        }
        PipelineConstantError::ValidationError(error) => {
            let labels = error.spans().map(|(span, said)| (span.to_range(), said.clone()));
            Box::new(finding(causes(error.as_inner()), labels))
        }
        error => at(Span::UNDEFINED, causes(&error)),
    }
}

/// A finding at a place of the source.
fn at(span: Span, message: String) -> Box<Finding> {
    let place = span.to_range().map_or(Place::Whole, Place::Span);
    Box::new(Finding::error(message, place))
}
