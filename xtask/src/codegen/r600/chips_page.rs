//! The page about chips: figures and hazards.

use std::fmt::Write as _;

use super::chips_row::{HazardRow, Row};

const INTRODUCTION: &str = "# Chips
Facts about each chip, from `r600-isa/spec/chips.ron`. Scheduler, emission, verifier and simulator ask this table; nothing
else knows a chip by its name. `loop` is the branch stack that a loop takes, in elements; `lanes` is how many run together.

| chip | generation | also | loop | SIMDs | lanes | vertex cache | doubles | hazards |
|---|---|---|---|---|---|---|---|---|
";

const HAZARDS: &str = "
# Hazards
Faults that tables of instructions do not show. Confidence A: two or more independent code bases that ran on the chips avoid it.
B: one does, another does not, so that it may work, or fail rarely. C: one hints at it. Each remedy can be switched off by name
(`tgsi compile --ignore-hazard NAME`), for measuring and for tests; what is safe is the default. Costs were measured at -O2 over
1,845 shaders of games, tests and demos (1,737 on R600 and R700). `difftest/tests/hazards/` has a shader for each remedy: with
the remedy verifier and simulator find nothing on any level, and without it they find what the second line of the file says.

";

/// The page.
pub(super) fn page(chips: &[Row], hazards: &[HazardRow]) -> String {
    let mut out = String::from(INTRODUCTION);
    for chip in chips {
        let own = hazards.iter().filter(|hazard| hazard.is_of(chip));
        let own: Vec<_> = own.map(|hazard| format!("`{}`", hazard.name)).collect();
        let _ = writeln!(
            out,
            "| `{}` | {:?} | {} | {} | {} | {} | {} | {} | {} |",
            chip.name,
            chip.generation,
            chip.aliases.join(", "),
            chip.stack_entry,
            chip.simds,
            chip.wavefront,
            yes_or_no(chip.vertex_cache),
            yes_or_no(chip.doubles),
            own.join(", ")
        );
    }
    out.push_str(HAZARDS);
    for hazard in hazards {
        write_hazard(&mut out, chips, hazard);
    }
    out
}

fn yes_or_no(holds: bool) -> &'static str {
    if holds { "yes" } else { "no" }
}

fn write_hazard(out: &mut String, chips: &[Row], hazard: &HazardRow) {
    let own = chips.iter().filter(|chip| hazard.is_of(chip));
    let own: Vec<_> = own.map(|chip| chip.name.as_str()).collect();
    let _ = writeln!(out, "## `{}`\n{}\n", hazard.name, hazard.doc);
    let _ = writeln!(out, "- **Chips**: {}", own.join(", "));
    let _ = writeln!(out, "- **Confidence**: {:?}. {}", hazard.confidence, hazard.source);
    let _ = writeln!(out, "- **Remedy**: {}", hazard.remedy);
    if !hazard.cost.is_empty() {
        let _ = writeln!(out, "- **Cost**: {}", hazard.cost);
    }
    if !hazard.checked_by.is_empty() {
        let _ = writeln!(out, "- **Rules**: {}", hazard.checked_by.join(", "));
    }
    out.push('\n');
}
