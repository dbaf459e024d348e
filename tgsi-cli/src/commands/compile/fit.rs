//! Checks whether inputs that may be the stages of one draw fit together.

use tgsi_ir::{Processor, Shader};

use crate::problem::{Finding, Place, Problems, Severity};

/// The stages in the order of a draw.
const ORDER: [Processor; 5] = [
    Processor::Vertex,
    Processor::TessCtrl,
    Processor::TessEval,
    Processor::Geometry,
    Processor::Fragment,
];

/// Number of stages of a draw.
pub(super) const NUM_STAGES: usize = ORDER.len();

/// Reports values that a stage reads and the previous stage does not write. They are warnings, since inputs of
/// different stages need not belong together. Nothing is reported if a stage occurs twice, or if some of the
/// `num_inputs` are not modules.
pub(super) fn misfits(mut stages: Vec<(String, Shader)>, num_inputs: usize) -> Vec<Problems> {
    let place = |shader: &Shader| ORDER.iter().position(|stage| *stage == shader.processor);
    stages.sort_by_key(|(_, shader)| place(shader));
    let places: Vec<_> = stages.iter().map(|(_, shader)| place(shader)).collect();
    let are_distinct = places.windows(2).all(|pair| pair[0] != pair[1]);
    if stages.len() != num_inputs || !are_distinct || places.contains(&None) {
        return Vec::new();
    }
    let problems = |pair: &[(String, Shader)]| {
        let [(before, producer), (name, consumer)] = pair else { return None };
        let finding = |misfit: &tgsi_ir::fit::Misfit| {
            let help = format!("the stage before is `{before}`");
            let finding = Finding::error(misfit.to_string(), Place::Whole).with_help(help);
            Finding { severity: Severity::Warning, ..finding }
        };
        let found = tgsi_ir::fit::misfits(producer, consumer);
        let findings: Vec<Finding> = found.iter().map(finding).collect();
        (!findings.is_empty()).then(|| Problems { name: name.clone(), text: None, findings })
    };
    stages.windows(2).filter_map(problems).collect()
}
