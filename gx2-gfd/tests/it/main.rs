//! What `gx2-gfd` promises from outside: a module for each topic.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

mod broken;
#[cfg(feature = "serde")]
mod json;
mod odd;
mod published;
mod settings;
mod support;
mod whole;
