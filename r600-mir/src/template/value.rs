//! Field values as text: numbers, booleans, words, and lists of them separated by slashes.

use r600_isa::{
    CfCondition, CfIndex, CfModes, CfRat, ComponentSel, CoordType, MemoryAccess, MemoryType,
    RelMode,
};

/// A value that has a text form.
pub(crate) trait Value: Sized {
    /// Its text, without spaces.
    fn text(&self) -> String;

    /// The value that `text` describes.
    fn read(text: &str) -> Option<Self>;
}

/// Implements [`Value`] for types that print and parse by themselves.
macro_rules! plain {
    ($($type:ty),*) => {
        $(impl Value for $type {
            fn text(&self) -> String {
                self.to_string()
            }

            fn read(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        })*
    };
}

plain!(bool, u8, u16, u32, i8);

/// Implements [`Value`] for enums whose values are words.
macro_rules! words {
    ($type:ident { $($name:ident = $word:literal),* $(,)? }) => {
        impl Value for $type {
            fn text(&self) -> String {
                match self {
                    $(Self::$name => $word.to_owned(),)*
                }
            }

            fn read(text: &str) -> Option<Self> {
                match text {
                    $($word => Some(Self::$name),)*
                    _ => None,
                }
            }
        }
    };
}

words!(CfIndex { None = "none", Index0 = "idx0", Index1 = "idx1" });
words!(CoordType { Unnormalized = "texels", Normalized = "normalised" });
words!(RelMode { None = "none", Loop = "loop", Global = "global" });
words!(MemoryType {
    Write = "write",
    WriteIndexed = "write_indexed",
    WriteAck = "write_ack",
    WriteIndexedAck = "write_indexed_ack",
});
words!(CfCondition { Active = "active", False = "false", Bool = "bool", NotBool = "not_bool" });
words!(ComponentSel {
    X = "x",
    Y = "y",
    Z = "z",
    W = "w",
    Zero = "0",
    One = "1",
    Mask = "_",
});

impl<T: Value, const N: usize> Value for [T; N] {
    fn text(&self) -> String {
        self.each_ref().map(T::text).join("/")
    }

    fn read(text: &str) -> Option<Self> {
        let all: Option<Vec<T>> = text.split('/').map(T::read).collect();
        all?.try_into().ok()
    }
}

impl Value for MemoryAccess {
    fn text(&self) -> String {
        match self {
            Self::Base(base) => base.text(),
            Self::Rat(CfRat { id, index, op }) => {
                format!("rat/{}/{}/{}", id.text(), index.text(), op.text())
            }
        }
    }

    fn read(text: &str) -> Option<Self> {
        match parts(text).as_slice() {
            [base] => Value::read(base).map(Self::Base),
            ["rat", id, index, op] => Some(Self::Rat(CfRat {
                id: Value::read(id)?,
                index: Value::read(index)?,
                op: Value::read(op)?,
            })),
            _ => None,
        }
    }
}

impl Value for CfModes {
    fn text(&self) -> String {
        let Self { condition, cf_const, call_count, valid_pixel_mode, whole_quad_mode } = self;
        let flags = [valid_pixel_mode, whole_quad_mode].map(Value::text).join("/");
        format!("{}/{}/{}/{flags}", condition.text(), cf_const.text(), call_count.text())
    }

    fn read(text: &str) -> Option<Self> {
        match parts(text).as_slice() {
            [condition, cf_const, call_count, valid_pixel_mode, whole_quad_mode] => Some(Self {
                condition: Value::read(condition)?,
                cf_const: Value::read(cf_const)?,
                call_count: Value::read(call_count)?,
                valid_pixel_mode: Value::read(valid_pixel_mode)?,
                whole_quad_mode: Value::read(whole_quad_mode)?,
            }),
            _ => None,
        }
    }
}

fn parts(text: &str) -> Vec<&str> {
    text.split('/').collect()
}
