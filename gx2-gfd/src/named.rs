//! Enumerations that are open: numbers, most of which have a name.

/// Makes an open enumeration; called by generated code.
macro_rules! named {
    (
        $(#[$doc:meta])* pub $name:ident;
        $($value:ident = $number:literal, $text:literal, [$($also:literal),*];)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(
            /// The number.
            pub u32,
        );

        impl $name {
            $(#[doc = concat!("`", $text, "`.")] pub const $value: Self = Self($number);)*

            /// Every value that has a name, in order.
            pub const ALL: &[Self] = &[$(Self::$value),*];

            /// The name.
            #[must_use]
            pub fn name(self) -> Option<&'static str> {
                match self {
                    $(Self::$value => Some($text),)*
                    Self(_) => None,
                }
            }

            /// The value of a name, in upper or lower case; names that other tools use are read as well.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                const NAMES: &[($name, &[&str])] = &[$(($name::$value, &[$text, $($also),*])),*];
                let has = |names: &[&str]| names.iter().any(|own| own.eq_ignore_ascii_case(name));
                NAMES.iter().find(|(_, names)| has(names)).map(|(value, _)| *value)
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
    };
}

pub(crate) use named;

/// A value as files for people have it.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(untagged)]
pub(crate) enum NameOrNumber {
    Name(String),
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
