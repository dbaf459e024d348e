//! Tables generated from `spec/`.

pub(crate) mod layout;
