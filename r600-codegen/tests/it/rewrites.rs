//! Which rewrites a shader meets is part of its result.

use r600_codegen::{Compiler, Options};
use r600_isa::Chip;

/// The rewrites that were used for a shader, with how often.
fn used(text: &str, options: Options) -> Vec<(&'static str, u64)> {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    let compiler = Compiler::new(options).unwrap();
    let compiled = compiler.compile(&parsed.shader, Chip::Rv770).unwrap();
    compiled.rewrites.iter().filter(|(_, count)| *count > 0).collect()
}

const MEAN: &str = "FRAG
DCL IN[0], GENERIC[0], CONSTANT
DCL OUT[0], COLOR
DCL TEMP[0..1]
IMM[0] FLT32 {0.25, -0.0, 1.0, 0.0}
ADD TEMP[0].x, IN[0].xxxx, IN[0].yyyy
ADD TEMP[0].y, IN[0].zzzz, IN[0].wwww
ADD TEMP[1].x, TEMP[0].xxxx, -|TEMP[0].yyyy|
MUL TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx
ADD OUT[0], TEMP[1].xxxx, IMM[0].yyyy
END
";

#[test]
fn uses_are_counted_by_row() {
    let used = used(MEAN, Options::default());
    assert_eq!(used, [("add-negative-zero", 4), ("quarter-of-sum", 1)]);
}

#[test]
fn precise_code_uses_exact_rows_only() {
    let used = used(MEAN, Options::default().precise(true));
    assert_eq!(used, [("add-negative-zero", 4)]);
}

#[test]
fn every_row_has_a_name_of_its_own() {
    let all = r600_codegen::RewriteCounts::default();
    let mut names: Vec<&str> = all.iter().map(|(name, _)| name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
