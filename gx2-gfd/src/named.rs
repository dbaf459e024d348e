//! Open enumerations: numbers, most of which have names.

/// Methods for the names of an open enumeration; used by generated code, which lists them as `NAMES`.
macro_rules! named {
    ($name:ident) => {
        impl $name {
            /// The name.
            #[must_use]
            pub fn name(self) -> Option<&'static str> {
                let own = Self::NAMES.iter().find(|(value, _)| *value == self);
                own.and_then(|(_, names)| names.first().copied())
            }

            /// The value with this name, in upper or lower case; also accepts the names of other tools.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                let has = |names: &[&str]| names.iter().any(|own| own.eq_ignore_ascii_case(name));
                Self::NAMES.iter().find(|(_, names)| has(names)).map(|(value, _)| *value)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self.name() {
                    Some(name) => f.write_str(name),
                    None => write!(f, "{}", self.0),
                }
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                match self.name() {
                    Some(name) => to.serialize_str(name),
                    None => to.serialize_u32(self.0),
                }
            }
        }

        #[cfg(feature = "serde")]
        impl<'d> serde::Deserialize<'d> for $name {
            fn deserialize<D: serde::Deserializer<'d>>(from: D) -> Result<Self, D::Error> {
                let value = crate::named::NameOrNumber::deserialize(from)?;
                value.find(Self::from_name, Self).map_err(serde::de::Error::custom)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                crate::named::NameOrNumber::json_schema(generator)
            }
        }
    };
}

pub(crate) use named;

/// A value as files for people have it.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum NameOrNumber {
    /// The name.
    Name(String),
    /// The number, where it has no name.
    Number(u32),
}

#[cfg(feature = "serde")]
impl NameOrNumber {
    pub(crate) fn find<T>(
        self,
        by_name: fn(&str) -> Option<T>,
        by_number: fn(u32) -> T,
    ) -> Result<T, String> {
        match self {
            Self::Number(number) => Ok(by_number(number)),
            Self::Name(name) => by_name(&name).ok_or_else(|| format!("unknown name `{name}`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::VarType;

    #[test]
    fn values_have_their_own_name_and_are_found_by_those_of_other_tools() {
        assert_eq!(VarType::FLOAT2X2.name(), Some("FLOAT2X2"));
        for name in ["FLOAT2X2", "mat2", "Matrix2x2"] {
            assert_eq!(VarType::from_name(name), Some(VarType::FLOAT2X2), "{name}");
        }
        assert_eq!(VarType::from_name("mat5"), None);
        assert_eq!(VarType(4096).name(), None);
        assert_eq!(
            [VarType::FLOAT, VarType(4096)].map(|value| value.to_string()),
            ["FLOAT", "4096"]
        );
        assert!(VarType::ALL.iter().all(|value| value.name().is_some()));
    }
}
