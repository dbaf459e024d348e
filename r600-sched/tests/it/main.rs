//! Machine code is scheduled legally, and broken schedules are found out.

mod arrays;
mod code;
mod kills;
mod memory;
mod placement;
mod random;
mod sinking;
mod urgency;
mod values;
