//! Values of specialisation constants on the command line.

use tgsi_spirv::Specialization;

/// Parses `NUMBER=VALUE`.
pub(super) fn parse(word: &str) -> Result<(u32, Specialization), String> {
    let (number, value) = word.split_once('=').ok_or("write NUMBER=VALUE")?;
    let number = number.parse().map_err(|_| format!("`{number}` is not a number"))?;
    Ok((number, find_value(value).ok_or_else(|| format!("`{value}` is not a value"))?))
}

fn find_value(text: &str) -> Option<Specialization> {
    if let Some(hex) = text.strip_prefix("0x") {
        let is_hex = hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        return is_hex.then(|| u64::from_str_radix(hex, 16).ok().map(Specialization::Bits))?;
    }
    let truth = || text.parse().ok().map(Specialization::Bool);
    // Only a float has a negative zero.
    let integer = || text.parse().ok().filter(|_| text != "-0").map(Specialization::Int);
    truth().or_else(integer).or_else(|| find_float(text).map(Specialization::Float))
}

/// A finite double, or infinity or NaN if written as such. A number that overflows is rejected.
fn find_float(text: &str) -> Option<f64> {
    let is_finite = text.contains(|c: char| c.is_ascii_digit());
    text.parse().ok().filter(|value: &f64| value.is_finite() || !is_finite)
}

#[cfg(test)]
mod tests {
    use super::parse;
    use tgsi_spirv::Specialization::{Bits, Bool, Float, Int};

    #[test]
    fn values_of_every_kind() {
        assert_eq!(parse("3=true"), Ok((3, Bool(true))));
        assert_eq!(parse("3=-1"), Ok((3, Int(-1))));
        assert_eq!(parse("3=18446744073709551615"), Ok((3, Int(u64::MAX.into()))));
        assert_eq!(parse("0=1.0"), Ok((0, Float(1.0))));
        assert_eq!(parse("0=-0").map(|(_, value)| value.to_string()), Ok("-0.0".to_owned()));
        assert_eq!(parse("0=-inf"), Ok((0, Float(f64::NEG_INFINITY))));
        assert_eq!(parse("7=0x10"), Ok((7, Bits(16))));
        assert_eq!(parse("7=0xffffffffffffffff"), Ok((7, Bits(u64::MAX))));
        assert_eq!(parse("7"), Err("write NUMBER=VALUE".to_owned()));
        for none in ["x", "1e999", "0x10000000000000000", ""] {
            assert_eq!(parse(&format!("7={none}")), Err(format!("`{none}` is not a value")));
        }
    }
}
