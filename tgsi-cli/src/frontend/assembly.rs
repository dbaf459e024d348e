//! SPIR-V as text: the line of each instruction, and the messages of the assembler.

use tgsi_explore::{Complaint, ComplaintPlace};

/// Number of words in a module's header.
const HEADER: usize = 5;

/// The line of `text`, counted from 0, with the instruction whose first word in `module` is `word`.
pub(super) fn line(text: &str, module: &[u8], word: usize) -> Option<usize> {
    let words = module.as_chunks::<4>().0;
    let (mut at, mut number) = (HEADER, 0);
    while at < word {
        // The length is in the upper half.
        at += (u32::from_le_bytes(*words.get(at)?) >> 16).max(1) as usize;
        number += 1;
    }
    let begins = text.lines().enumerate().filter(|(_, line)| begins_instruction(line));
    begins.map(|(line, _)| line).nth(number)
}

/// Whether an instruction begins in a line. It may continue in the next one.
fn begins_instruction(line: &str) -> bool {
    let mut words = line.split_whitespace();
    match words.next() {
        Some(word) if word.starts_with("Op") => true,
        Some(word) => word.starts_with('%') && words.next() == Some("="),
        None => false,
    }
}

/// Parses a message of the assembler, such as `error: 3: 6: Invalid Opcode name 'OpFoo'`.
pub(super) fn complaint(said: &str, text: &str) -> Complaint {
    let error = said.lines().find_map(|line| line.strip_prefix("error: "));
    let Some(error) = error else {
        return Complaint::new(format!("spirv-as fails: {}", said.trim()), ComplaintPlace::Whole);
    };
    let mut parts = error.splitn(3, ": ");
    let number = |part: Option<&str>| part?.parse::<usize>().ok()?.checked_sub(1);
    let (line, column) = (number(parts.next()), number(parts.next()));
    let (Some(line), Some(column), Some(message)) = (line, column, parts.next()) else {
        return Complaint::new(error, ComplaintPlace::Whole);
    };
    let start = text.split_inclusive('\n').take(line).map(str::len).sum::<usize>();
    let rest = text.get(start + column..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let word = rest.split_whitespace().next().filter(|_| !rest.starts_with(' '));
    let place = match word {
        Some(word) => ComplaintPlace::Span(start + column..start + column + word.len()),
        None => ComplaintPlace::Line(line),
    };
    Complaint::new(message, place)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "; SPIR-V\nOpCapability Shader\n\n%1 = OpFoo\n     Bar\n OpNop ; end\n";

    #[test]
    fn words_are_found_in_lines() {
        let lens = [2_u32, 3, 1];
        let mut module = vec![0_u8; 4 * HEADER];
        for len in lens {
            let words = (0..len).map(|n| if n == 0 { len << 16 } else { 0 });
            module.extend(words.flat_map(u32::to_le_bytes));
        }
        assert_eq!([5, 7, 10].map(|word| line(TEXT, &module, word)), [Some(1), Some(3), Some(5)]);
        assert_eq!(line(TEXT, &module, 99), None);
    }

    #[test]
    fn errors_of_the_assembler_get_positions() {
        let place = |said: &str| complaint(said, TEXT).place;
        let wrong = "error: 4: 6: Invalid Opcode name 'OpFoo'";
        assert_eq!(place(wrong), ComplaintPlace::Span(35..40));
        assert_eq!(complaint(wrong, TEXT).message, "Invalid Opcode name 'OpFoo'");
        assert_eq!(place("error: 4: 90: Expected operand"), ComplaintPlace::Line(3));
        assert_eq!(place("error: out of memory"), ComplaintPlace::Whole);
    }
}
