//! Advice for texts written in GLSL terms.

/// The replacement for a GLSL word at the beginning of a statement.
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

/// The replacement for a built-in variable.
pub(super) fn built_in(word: &str) -> Option<&'static str> {
    word.starts_with("gl_").then_some(
        "built-in variables are inputs, outputs and system values with a semantic, as in `DCL OUT[0], POSITION`",
    )
}

/// Advice for a whole shader in GLSL.
pub(super) const GLSL: &str = "this looks like GLSL: give `tgsi` a file that is named after its stage, such as \
                               shader.frag, or the SPIR-V that a compiler made of it";

/// The replacement for a number used as an operand.
pub(super) fn literal(word: &str, next_immediate: usize) -> Option<String> {
    let is_number = word.starts_with(|first: char| first.is_ascii_digit());
    is_number.then(|| {
        format!(
            "numbers are immediates: declare `IMM[{next_immediate}] FLT32 {{{word}, 0.0, 0.0, 0.0}}` and write \
             `IMM[{next_immediate}].xxxx`"
        )
    })
}

/// A channel, by its letter in any of GLSL's sets.
fn channel(letter: char) -> Option<char> {
    Some(match letter.to_ascii_lowercase() {
        'x' | 'r' | 's' => 'x',
        'y' | 'g' | 't' => 'y',
        'z' | 'b' | 'p' => 'z',
        'w' | 'a' | 'q' => 'w',
        _ => return None,
    })
}

/// The four-channel swizzle equivalent to a shorter one or to one with other letters.
pub(super) fn swizzle(word: &str) -> Option<String> {
    let channels: String = word.chars().map(channel).collect::<Option<_>>()?;
    let last = channels.chars().last().filter(|_| channels.len() <= 4)?;
    let filled: String = channels.chars().chain(std::iter::repeat(last)).take(4).collect();
    Some(match channels.len() {
        4 => format!("channels are x, y, z and w: write `.{filled}`"),
        _ => format!("a source names four channels: write `.{filled}`"),
    })
}

/// The write mask equivalent to channels with other letters or in another order.
pub(super) fn write_mask(word: &str) -> Option<String> {
    let channels: String = word.chars().map(channel).collect::<Option<_>>()?;
    let ordered: String = "xyzw".chars().filter(|&one| channels.contains(one)).collect();
    (!ordered.is_empty())
        .then(|| format!("channels are x, y, z and w, in order: write `.{ordered}`"))
}
