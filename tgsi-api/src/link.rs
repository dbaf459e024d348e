//! Shaders of a draw in a file of the Wii U.

use gx2_gfd::{File, Style};
use gx2_link::{LinkError, Missing, Options, Stage, StageError, Uniforms};

use crate::problem::{Problem, Problems};
use crate::settings::CompileSettings;
use crate::shader::Shader;

/// How shaders are linked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkSettings {
    /// How each is compiled.
    pub compile: CompileSettings,
    /// Whether uniforms are in registers; else they are in blocks, those outside blocks in block 0.
    pub uniform_registers: bool,
}

/// Compiles vertex, geometry and pixel shader of a draw, at most one of each and in any order, into the bytes of a `.gsh` file.
///
/// # Errors
/// A shader that does not compile or that the console has no place for, and shaders that do not fit. Messages about one of several
/// shaders begin with its number, from 0; places are those of its text.
pub fn link(shaders: &[&Shader], settings: &LinkSettings) -> Result<Vec<u8>, Problems> {
    if shaders.is_empty() {
        return Err(Problems::one("there is no shader to link"));
    }
    let uniforms = match settings.uniform_registers {
        true => Uniforms::Registers,
        false => Uniforms::Blocks,
    };
    let CompileSettings { precise, .. } = settings.compile;
    let options =
        Options::default().level(settings.compile.level()?).precise(precise).uniforms(uniforms);
    let stages: Vec<Stage> = shaders.iter().map(|shader| stage(shader)).collect();
    let linked = gx2_link::link(&stages, &options).map_err(|error| problems(shaders, &error))?;
    let bytes = File::build(&Style::ALIGNED, linked).and_then(|file| file.write());
    bytes.map_err(|error| Problems::one(error.to_string()))
}

fn stage(shader: &Shader) -> Stage {
    match &shader.interface {
        Some(interface) => Stage::translated(shader.shader.clone(), interface),
        None => Stage::new(shader.shader.clone()),
    }
}

fn problems(shaders: &[&Shader], error: &LinkError) -> Problems {
    let numbered = |number: usize, problem: Problem| match shaders.len() {
        1 => problem,
        _ => Problem { message: format!("shader {number}: {}", problem.message), ..problem },
    };
    match error {
        LinkError::Stage { number, error: StageError::Compile(error) } => {
            let refused = shaders.get(*number).map(|shader| shader.refused(error));
            numbered(*number, refused.unwrap_or_else(|| Problem::error(error.to_string()))).into()
        }
        LinkError::Stage { number, .. } | LinkError::NoSuchStage { number, .. } => {
            numbered(*number, Problem::error(error.to_string())).into()
        }
        LinkError::Twice { first, second } => {
            let message = format!("is of the same stage as shader {first}");
            numbered(*second, Problem::error(message)).into()
        }
        LinkError::Misfit { producer, consumer, missing } => {
            let problem = |one: &Missing| {
                let help = Some(format!("the stage before is shader {producer}"));
                numbered(*consumer, Problem { help, ..Problem::error(one.to_string()) })
            };
            Problems(missing.iter().map(problem).collect())
        }
        _ => Problems::one(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::{LinkSettings, link};
    use crate::settings::CompileSettings;
    use crate::shader::Shader;

    const VERTEX: &str = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
    const PIXEL: &str = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\nMOV OUT[0], CONST[0]\nEND\n";
    const NEEDY: &str =
        "FRAG\nDCL IN[0], GENERIC[3], LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";

    fn linked(texts: &[&str], settings: &LinkSettings) -> Result<Vec<u8>, String> {
        let shaders: Vec<_> =
            texts.iter().map(|text| Shader::read(text.as_bytes()).unwrap()).collect();
        let shaders: Vec<_> = shaders.iter().collect();
        link(&shaders, settings).map_err(|problems| problems.to_string())
    }

    #[test]
    fn shaders_that_fit_become_a_file() {
        for uniform_registers in [false, true] {
            let settings = LinkSettings { uniform_registers, ..LinkSettings::default() };
            let bytes = linked(&[PIXEL, VERTEX], &settings).unwrap();
            let file = gx2_gfd::File::read(&bytes).unwrap();
            assert_eq!(file.shaders().len(), 2);
        }
    }

    #[test]
    fn errors_name_the_shader() {
        let wrong = |texts: &[&str]| linked(texts, &LinkSettings::default()).unwrap_err();
        assert_eq!(wrong(&[]), "there is no shader to link");
        assert_eq!(wrong(&[PIXEL, PIXEL]), "shader 1: is of the same stage as shader 0");
        assert!(wrong(&[VERTEX, NEEDY]).starts_with("shader 1: "), "{}", wrong(&[VERTEX, NEEDY]));
        let compile = CompileSettings { level: 9, precise: false };
        let settings = LinkSettings { compile, ..LinkSettings::default() };
        let message = linked(&[PIXEL], &settings).unwrap_err();
        assert_eq!(message, "there is no level 9: levels are 0 to 3");
    }
}
