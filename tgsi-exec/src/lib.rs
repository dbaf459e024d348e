//! The reference interpreter of TGSI.
