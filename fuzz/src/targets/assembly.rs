//! The assembler of the R600 family.

use r600_isa::asm::check_assembling;
use r600_isa::{Generation, Program};

use super::machine_code;
use crate::target::{Form, Target};
use crate::words::words;

pub(super) const TARGET: Target =
    Target { name: "assembly", form: Form::Text, seeds, check, needs: Target::NOTHING };

/// The listings of the shaders' programs, as whatever generation they list best.
fn seeds(texts: &[String]) -> Vec<Vec<u8>> {
    let programs = machine_code::seeds(texts);
    let listed = |(program, generation): (&Vec<u8>, &Generation)| {
        Program::decode(&words(program), *generation).to_string().into_bytes()
    };
    programs.iter().zip(Generation::ALL.iter().cycle()).map(listed).collect()
}

fn check(input: &[u8]) -> Option<String> {
    check_assembling(&String::from_utf8_lossy(input));
    None
}
