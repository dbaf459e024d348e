//! A vertex shader that gives a fragment shader whatever it reads.

use std::process::Command;

use tgsi_spirv::interface::{Interface, Scalar, ValueType, Varying};

/// Names that the compiler goes by.
const NAMES: [&str; 2] = ["glslang", "glslangValidator"];

/// Whether a compiler is installed.
pub(crate) fn has_compiler() -> bool {
    compiler().is_some()
}

fn compiler() -> Option<&'static str> {
    let runs = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
    NAMES.iter().find(runs).copied()
}

/// GLSL that draws a square over the window and writes each location that `interface` reads.
pub(crate) fn source(interface: &Interface) -> Result<String, String> {
    let read = interface.inputs.iter().filter(|one| one.location.is_some());
    let (mut declared, mut written) = (String::new(), String::new());
    for (number, varying) in read.enumerate() {
        let ty = varying.ty.ok_or("a varying is a structure")?;
        let (name, is_float) = type_name(varying, ty)?;
        let flat = if is_float { "" } else { "flat " };
        let location = varying.location.unwrap_or(0);
        declared += &format!("layout(location = {location}) {flat}out {name} v{number};\n");
        let shift = 0.125 * number as f32;
        let value = format!("vec4(uv * {}, {shift} + 0.25, 1.0)", 1.0 - shift / 4.0);
        let channels = &"xyzw"[..usize::from(ty.rows)];
        written += &match is_float {
            true => format!("    v{number} = {value}.{channels};\n"),
            false => format!("    v{number} = {name}({});\n", number + 1),
        };
    }
    Ok(format!(
        "#version 450\n{declared}\
         void main() {{\n    int corner = int[6](0, 1, 2, 2, 1, 3)[gl_VertexIndex];\n\
         \x20   vec2 place = vec2((corner & 1) * 2 - 1, (corner & 2) - 1);\n\
         \x20   vec2 uv = place * 0.5 + 0.5;\n{written}\
         \x20   gl_Position = vec4(place, 0.0, 1.0);\n}}\n"
    ))
}

/// The type of a varying in GLSL, and whether it is interpolated.
fn type_name(varying: &Varying, ty: ValueType) -> Result<(String, bool), String> {
    if ty.columns > 1 || ty.elements.is_some() || varying.component != 0 || varying.is_patch {
        return Err("a varying is a matrix, an array or a part of a location".to_owned());
    }
    let (scalar, vector) = match ty.scalar {
        Scalar::Float => ("float", "vec"),
        Scalar::Int => ("int", "ivec"),
        Scalar::Uint => ("uint", "uvec"),
        _ => return Err("a varying has no type of 32 bits".to_owned()),
    };
    let name = match ty.rows {
        1 => scalar.to_owned(),
        rows => format!("{vector}{rows}"),
    };
    Ok((name, ty.scalar == Scalar::Float))
}

/// The module of a vertex shader.
pub(crate) fn compile(source: &str) -> Result<Vec<u32>, String> {
    let program = compiler().ok_or("no glslang is installed")?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let [text, module] = ["a.vert", "a.spv"].map(|name| folder.path().join(name));
    std::fs::write(&text, source).map_err(|error| error.to_string())?;
    let ran = Command::new(program).arg("-V").arg("-o").arg(&module).arg(&text).output();
    let ran = ran.map_err(|error| error.to_string())?;
    if !ran.status.success() {
        return Err(format!("{}\n{source}", String::from_utf8_lossy(&ran.stdout)));
    }
    let bytes = std::fs::read(&module).map_err(|error| error.to_string())?;
    Ok(bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
}
