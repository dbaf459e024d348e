//! Control flow of the flat form.

use super::Source;

/// An instruction that changes which lanes run, or what runs next.
#[derive(Clone, Debug)]
pub(crate) enum FlowStep {
    /// Goes to the step where nothing is left to run.
    If {
        is_float: bool,
        otherwise: usize,
    },
    Else {
        end: usize,
    },
    EndIf,
    LoopBegin {
        end: usize,
    },
    LoopEnd {
        begin: usize,
    },
    BreakLoop,
    BreakSwitch,
    Continue,
    Switch(Box<SwitchStep>),
    /// A label: lanes that chose this step join.
    Case,
    EndSwitch,
    Call {
        target: usize,
    },
    Return,
    SubEnd,
    End,
}

/// The labels of a switch. A lane goes to the first one with its value, wherever `DEFAULT` stands.
#[derive(Clone, Debug)]
pub(crate) struct SwitchStep {
    /// Each `CASE`: its step and its value.
    pub(crate) cases: Vec<(usize, Source)>,
    /// The step of `DEFAULT`, or of the end.
    pub(crate) default: usize,
    pub(crate) end: usize,
}
