//! The machine code around a failure.

use r600_isa::Generation;
use r600_sim::ExportKind;

use crate::case::{Failure, Program};
use crate::compare::{Difference, Mismatch};

/// Maximum number of lines of a listing that is shown whole.
const SHORT: usize = 60;
/// Number of lines shown before and after each marked line.
const CONTEXT: usize = 12;

/// The listing of `program`, or its part around the failure. For a wrong result, `>` marks the export and the
/// instruction that writes the exported register. For a broken rule, it marks the instruction.
#[must_use]
pub fn around(program: &Program, generation: Generation, failure: &Failure) -> String {
    let listing = r600_isa::Program::decode(&program.words, generation).to_string();
    let lines: Vec<&str> = listing.lines().collect();
    let marked = match failure {
        Failure::Differs(Mismatch::Value(difference)) => export_of(program, &lines, difference),
        Failure::Rule(why) => step_of(&lines, why).into_iter().collect(),
        _ => Vec::new(),
    };
    let is_near = |line: usize| marked.iter().any(|at| at.abs_diff(line) <= CONTEXT);
    let mut text = String::new();
    let mut is_open = false;
    for (number, line) in lines.iter().enumerate() {
        let is_shown = lines.len() <= SHORT || is_near(number);
        if is_shown {
            let mark = if marked.contains(&number) { '>' } else { ' ' };
            text += &format!("{mark} {line}\n");
        } else if is_open {
            text += "  …\n";
        }
        is_open = is_shown;
    }
    text
}

/// The lines of an output's export, and of the preceding instruction that writes the exported channel.
fn export_of(program: &Program, lines: &[&str], difference: &Difference) -> Vec<usize> {
    let places = program.placement.outputs.iter();
    let mut of_register = places.filter(|place| place.register == difference.register);
    let Some(place) = of_register.next() else { return Vec::new() };
    let kind = match place.kind {
        ExportKind::Pixel => "PIX",
        ExportKind::Position => "POS",
        ExportKind::Parameter => "PARAM",
    };
    let target = format!(": {kind}{}, ", place.base);
    let found =
        lines.iter().enumerate().find_map(|(n, line)| Some((n, line.split_once(&target)?.1)));
    let Some((export, shown)) = found else { return Vec::new() };
    let from = place.channels.iter().position(|to| *to == Some(difference.channel));
    let (gpr, swizzle) = shown.split_once('.').unwrap_or_default();
    let channel = from.and_then(|from| swizzle.chars().nth(from)).unwrap_or('?');
    let writer = lines[..export].iter().rposition(|line| writes(line, gpr, channel));
    writer.into_iter().chain([export]).collect()
}

/// Whether a line of a listing writes a channel of a register. The destination follows the opcode, or is in `DST(…)`.
fn writes(line: &str, gpr: &str, channel: char) -> bool {
    let is_it = |operand: &str| {
        let (register, channels) = operand.split_once('.').unwrap_or_default();
        register == gpr && channels.contains(channel)
    };
    let first = line.split_once(", ").and_then(|(head, _)| head.rsplit(' ').next());
    let scalar = line.split_once("DST(").and_then(|(_, rest)| rest.split(')').next());
    first.into_iter().chain(scalar).any(is_it)
}

/// The line of the control flow instruction that an error names: `CF n`.
fn step_of(lines: &[&str], why: &str) -> Option<usize> {
    let number = why.strip_prefix("CF ")?.split([',', ':']).next()?;
    let number: usize = number.parse().ok()?;
    lines.iter().position(|line| line.starts_with(&format!("{number:02} ")))
}

#[cfg(test)]
mod tests {
    use super::{step_of, writes};

    #[test]
    fn lines_are_found_by_the_register_they_write() {
        assert!(writes("      3 y: MULADD_IEEE R1.y, -R0.w, 0.25, -PV.x CLAMP", "R1", 'y'));
        assert!(writes("        t: UINT_TO_FLT ____, R0.z DST(R0.w)", "R0", 'w'));
        assert!(!writes("        t: UINT_TO_FLT ____, R0.z DST(R0.w)", "R0", 'z'));
        assert!(writes("      0 SAMPLE R2.xyz_, R0.xyzw, RID:18, SID:0", "R2", 'z'));
        let lines = ["00 CALL_FS", "01 ALU:", "      0 x: MOV R0.x, 0"];
        assert_eq!(step_of(&lines, "CF 1, step 0: the group cannot be issued"), Some(1));
    }
}
