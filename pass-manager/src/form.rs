//! Forms: the successive representations of a compiler's input.

use crate::Undeclared;

/// What all forms of a compiler share.
pub trait Forms: Sized + 'static {
    /// The observer's view of a form, usually an enum of references.
    type View<'a>: Copy;
    /// State that outlives a pass but belongs to no form: options, tables, the chip.
    type Context;
    /// The error of a failed pass.
    type Error: From<Undeclared>;
}

/// One form. Passes change it; a step consumes it and produces the next.
pub trait Form: Sized + 'static {
    /// The compiler that it belongs to.
    type Forms: Forms;

    /// A cheap size measure for reports, such as the number of instructions.
    fn size(&self) -> usize;

    /// The form as observers see it.
    fn view(&self) -> <Self::Forms as Forms>::View<'_>;
}

/// The error type of a form's passes.
pub type ErrorOf<F> = <<F as Form>::Forms as Forms>::Error;

/// The context type of a form's passes.
pub type ContextOf<F> = <<F as Form>::Forms as Forms>::Context;
