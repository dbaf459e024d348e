//! Forms: what a compiler makes of its input, one after the other.

use crate::Undeclared;

/// A compiler's forms taken together: what they share.
pub trait Forms: Sized + 'static {
    /// What an observer sees of a form, usually an enum of references.
    type View<'a>: Copy;
    /// State that outlives a pass but belongs to no form: options, tables, the chip.
    type Context;
    /// Why a pass can fail.
    type Error: From<Undeclared>;
}

/// One form. Passes change it; a step consumes it and gives the next.
pub trait Form: Sized + 'static {
    /// The compiler that it belongs to.
    type Forms: Forms;

    /// A cheap measure for reports, such as the number of instructions.
    fn size(&self) -> usize;

    /// The form as observers see it.
    fn view(&self) -> <Self::Forms as Forms>::View<'_>;
}

/// What the passes of a form can fail with.
pub type ErrorOf<F> = <<F as Form>::Forms as Forms>::Error;

/// What the passes of a form share.
pub type ContextOf<F> = <<F as Form>::Forms as Forms>::Context;
