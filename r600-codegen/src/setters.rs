//! Builders: one method per option, so options can be added without breaking callers.

/// Declares for each field a method of the same name that sets it and returns the whole.
macro_rules! setters {
    ($($field:ident: $value:ty,)*) => {$(
        #[doc = concat!("The same with another [`", stringify!($field), "`](field@Self::", stringify!($field), ").")]
        #[must_use]
        pub fn $field(mut self, $field: $value) -> Self {
            self.$field = $field;
            self
        }
    )*};
}

pub(crate) use setters;
