//! Programs: compiled or assembled, listed, judged, simulated.

use r600_codegen::Compiled;
use r600_isa::{Chip, asm};
use r600_sim::{Declaration, Kernel, Stage};
use tgsi_ir::Processor;
use tgsi_ir::translate::Origins;
use tgsi_spirv::interface::Interface;

use crate::compiled::CompiledJson;
use crate::launch::Launch;
use crate::problem::{Problem, Problems};
use crate::settings::chip_of_name;
use crate::simulated::{self, Memory};

/// A compiled shader.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) compiled: Compiled,
    pub(crate) processor: Processor,
    pub(crate) chip: Chip,
    /// What the parts of the shader come from in that of its text.
    pub(crate) origins: Origins,
    pub(crate) interface: Option<Interface>,
}

impl Program {
    /// Its words.
    pub fn words(&self) -> &[u32] {
        &self.compiled.words
    }

    /// Its listing.
    pub fn listing(&self) -> String {
        self.compiled.program.to_string()
    }

    /// Words, costs, inputs, outputs and state registers, as `tgsi compile --emit json` prints them.
    pub fn to_json(&self) -> String {
        let (interface, shader) = (self.interface.as_ref(), (self.processor, &self.origins));
        let json = CompiledJson::new(&self.compiled, self.chip, shader, interface);
        // String keys only, so nothing can keep it from being JSON.
        serde_json::to_string(&json).unwrap_or_default()
    }

    /// Simulates it on a quad, with the registers and the stack that it declares. `inputs` and the result are the JSON of `tgsi sim`.
    ///
    /// # Errors
    /// What is wrong with the inputs, and faults of the program.
    pub fn simulate(&self, inputs: &str) -> Result<String, Problems> {
        let stage = match self.processor {
            Processor::Vertex => "vertex",
            Processor::Fragment => "pixel",
            _ => "other",
        };
        let (gprs, stack) = (u32::from(self.compiled.num_gprs), self.compiled.stack_size);
        Simulation { gprs, stack, ..Simulation::new(self.chip.name(), stage) }
            .run(self.words(), inputs)
    }
}

/// Assembles a listing for the chip of this name.
///
/// # Errors
/// A name that no chip has, or every mistake of the listing.
pub fn assemble(text: &str, chip: &str) -> Result<Vec<u32>, Problems> {
    let chip = chip_of_name(chip)?;
    let mistakes = match asm::parse(text, chip.generation()).words() {
        Ok(words) => return Ok(words),
        Err(mistakes) => mistakes,
    };
    let problem = |mistake: &asm::Diagnostic| {
        let (code, help) = (Some(mistake.code.name().to_owned()), mistake.help.clone());
        Problem { code, help, ..Problem::error(mistake.message.clone()) }
            .at(mistake.span.clone(), text)
    };
    Err(Problems(mistakes.iter().map(problem).collect()))
}

/// The listing of words for the chip of this name. Every word is listed, whatever it holds.
///
/// # Errors
/// A name that no chip has.
pub fn disassemble(words: &[u32], chip: &str) -> Result<String, Problems> {
    let chip = chip_of_name(chip)?;
    Ok(r600_isa::Program::decode(words, chip.generation()).to_string())
}

/// How a program is simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// The name of the chip.
    pub chip: String,
    /// `vertex`, `pixel` or `other`.
    pub stage: String,
    /// GPRs that the program declares.
    pub gprs: u32,
    /// Branch stack entries that the program declares.
    pub stack: u32,
}

impl Simulation {
    /// A simulation with as many registers as a program can have.
    pub fn new(chip: &str, stage: &str) -> Self {
        Self { chip: chip.to_owned(), stage: stage.to_owned(), gprs: 124, stack: 64 }
    }

    /// Runs `words` on a quad. `inputs` and the result are the JSON of `tgsi sim`.
    ///
    /// # Errors
    /// Names that mean nothing, what is wrong with the inputs, and faults of the program.
    pub fn run(&self, words: &[u32], inputs: &str) -> Result<String, Problems> {
        let chip = chip_of_name(&self.chip)?;
        let stage = match self.stage.as_str() {
            "vertex" => Stage::Vertex,
            "pixel" => Stage::Pixel,
            "other" => Stage::Other,
            other => {
                let message = format!("unknown stage `{other}`: expected vertex, pixel or other");
                return Err(Problems::one(message));
            }
        };
        let launch = Launch::from_json(inputs)?;
        let declaration =
            Declaration { chip, stage, num_gprs: self.gprs, stack_entries: self.stack };
        let failed = |error: r600_sim::SimError| Problems::one(error.to_string());
        let kernel = Kernel::from_words(words, declaration).map_err(failed)?;
        let entry = simulated::entry(chip.generation(), stage, &launch);
        let bound = launch.bind_inline().map_err(Problems::one)?;
        let mut memory = Memory::new(launch, bound, chip.generation());
        let outcome = kernel.run(&entry, &r600_sim::Options::default(), &mut memory);
        Ok(simulated::to_json(&outcome.map_err(failed)?, chip).to_string())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::{Simulation, assemble};

    /// What a sample of a texture with levels gives, with this bias in the instruction and this one in the register.
    fn biased(property: &str, bias: &str) -> String {
        let text = format!(
            "TEX:\nSAMPLE_LB R0.xyzw, R0.xyzw, t0, s0 {property}\nEXP_DONE: PIX0, R0.xyzw\nEND_OF_PROGRAM\n"
        );
        let at = ["0.05,0.05", "0.30,0.05", "0.05,0.30", "0.30,0.30"];
        let at = at.map(|place| format!("[{place},0,{bias}]")).join(",");
        let rest = ",[0,0,0,1]".repeat(15);
        let inputs = format!(
            "{{\"inputs\":[[{at}]],\"samplers\":{{\"0\":{{\"mip\":\"nearest\"}}}},\
             \"textures\":{{\"0\":{{\"size\":[4,4],\"texels\":[[16,0,0,1]{rest}],\"mipmaps\":true}}}}}}"
        );
        let words = assemble(&text, "rv770").unwrap();
        Simulation::new("rv770", "pixel").run(&words, &inputs).unwrap()
    }

    #[test]
    fn a_bias_is_the_same_in_the_instruction_and_in_the_register() {
        let (none, second_level) = (biased("", "0.0"), biased("", "1.0"));
        assert_ne!(none, second_level);
        assert_eq!(biased("LOD(1.0)", "0.0"), second_level);
        assert_eq!(biased("LOD(-1.0)", "1.0"), none);
    }
}
