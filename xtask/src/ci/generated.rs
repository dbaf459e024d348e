//! The generated files are what the specs give.

use anyhow::Result;

use super::Scope;
use crate::codegen;

pub(super) fn check(_scope: &Scope) -> Result<()> {
    codegen::run(&codegen::Options { check: true })
}
