//! Names in files.

use std::fmt;

/// A name: bytes up to a NUL, in any encoding.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(Vec<u8>);

impl Text {
    /// The bytes up to the first NUL.
    #[must_use]
    pub fn new(text: impl AsRef<[u8]>) -> Self {
        let bytes = text.as_ref();
        let len = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        Self(bytes[..len].to_vec())
    }

    /// The bytes, without the NUL.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl fmt::Display for Text {
    /// As UTF-8, with replacement characters for invalid bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        String::from_utf8_lossy(&self.0).fmt(f)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&String::from_utf8_lossy(&self.0), f)
    }
}

/// A string if the name is UTF-8, else a list of bytes.
#[cfg(feature = "serde")]
mod json {
    use super::Text;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(untagged)]
    enum Form {
        /// Of a name in UTF-8.
        Text(String),
        /// Of any other.
        Bytes(Vec<u8>),
    }

    #[cfg(feature = "schema")]
    impl schemars::JsonSchema for Text {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Text".into()
        }

        fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
            Form::json_schema(generator)
        }
    }

    impl Serialize for Text {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            match std::str::from_utf8(&self.0) {
                Ok(text) => to.serialize_str(text),
                Err(_) => self.0.serialize(to),
            }
        }
    }

    impl<'d> Deserialize<'d> for Text {
        fn deserialize<D: Deserializer<'d>>(from: D) -> Result<Self, D::Error> {
            Ok(match Form::deserialize(from)? {
                Form::Text(text) => Self::new(text),
                Form::Bytes(bytes) => Self::new(bytes),
            })
        }
    }
}
