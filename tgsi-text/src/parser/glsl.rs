//! Advice for texts that say things in the words of GLSL.

/// What stands for a word of GLSL at the beginning of a statement.
pub(super) fn statement(word: &str) -> Option<&'static str> {
    Some(match word {
        "uniform" => "a uniform is a constant: declare `DCL CONST[0]` and read `CONST[0]`",
        "in" | "attribute" | "varying" => {
            "an input has a number: declare `DCL IN[0]`, in fragment shaders with what it is, as in `DCL IN[0], GENERIC[0], PERSPECTIVE`"
        }
        "out" => "an output has a number and what it is: `DCL OUT[0], COLOR`",
        "sampler2D" | "sampler3D" | "samplerCube" => {
            "declare `DCL SAMP[0]` and `DCL SVIEW[0], 2D, FLOAT`"
        }
        "float" | "int" | "uint" | "bool" | "vec2" | "vec3" | "vec4" | "ivec4" | "uvec4"
        | "const" => {
            "a variable is a temporary of four channels: declare `DCL TEMP[0]`, and write it with `MOV TEMP[0], IN[0]`"
        }
        "mat3" | "mat4" => {
            "a matrix is a constant for each row: `DCL CONST[0..3]`, and a `DP4` for each channel"
        }
        "if" => "write `UIF TEMP[0].xxxx`, and `ENDIF` after the block",
        "for" | "while" | "do" => "write `BGNLOOP` and `ENDLOOP`, with `BRK` in an `UIF` to leave",
        "return" => "write `RET`; the program ends with `END`",
        "discard" => "write `KILL`, or `KILL_IF` for lanes with a negative channel",
        "void" | "precision" | "layout" | "struct" | "highp" | "mediump" | "lowp" => GLSL,
        "*" | "+" | "-" | "/" | "=" => {
            "an instruction does one operation, as in `MUL TEMP[0], IN[0], CONST[0]`"
        }
        _ => return built_in(word),
    })
}

/// What stands for a built-in variable.
pub(super) fn built_in(word: &str) -> Option<&'static str> {
    word.starts_with("gl_").then_some(
        "built-in variables are inputs, outputs and system values with a semantic, as in `DCL OUT[0], POSITION`",
    )
}

/// What to do with a whole shader in GLSL.
pub(super) const GLSL: &str = "this looks like GLSL: give `tgsi` a file that is named after its stage, such as \
                               shader.frag, or the SPIR-V that a compiler made of it";

/// What stands for a number in the place of an operand.
pub(super) fn literal(word: &str, next_immediate: usize) -> Option<String> {
    let is_number = word.starts_with(|first: char| first.is_ascii_digit());
    is_number.then(|| {
        format!(
            "numbers are immediates: declare `IMM[{next_immediate}] FLT32 {{{word}, 0.0, 0.0, 0.0}}` and write \
             `IMM[{next_immediate}].xxxx`"
        )
    })
}

/// The swizzle of four channels that reads what a shorter one does.
pub(super) fn swizzle(word: &str) -> Option<String> {
    let last = word.chars().last()?;
    let is_short = (2..4).contains(&word.len());
    let is_swizzle = word.bytes().all(|byte| b"xyzwrgbaXYZWRGBA".contains(&byte));
    let filled = || word.chars().chain(std::iter::repeat(last)).take(4).collect::<String>();
    (is_short && is_swizzle).then(|| format!("a source names four channels: write `.{}`", filled()))
}
