//! Instructions as text.

use tgsi_ir::Shader;
use tgsi_text::Style;

/// The text of each instruction, without its number and indentation.
pub fn instruction_texts(shader: &Shader) -> Vec<String> {
    let text = tgsi_text::print(shader, Style::Mesa);
    let numbered = text.lines().filter_map(|line| line.split_once(':'));
    let instructions = numbered.filter(|(number, _)| number.trim().parse::<u32>().is_ok());
    instructions.map(|(_, text)| text.trim().to_owned()).collect()
}
