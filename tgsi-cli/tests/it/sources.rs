//! SPIR-V modules and sources as inputs.

use crate::common;

use common::{root, tgsi, tgsi_with};

const MODULE: &str = "tgsi-spirv/tests/shaders/stages.vert.spv";

#[test]
fn modules_are_taken_where_shaders_are() {
    let text = std::fs::read_to_string(root().join("tgsi-spirv/tests/shaders/stages.vert.tgsi"));
    let text = text.expect("the text is next to the module");
    assert_eq!(tgsi(&["convert", MODULE]).out, text);
    let bytes = std::fs::read(root().join(MODULE)).expect("the module can be read");
    assert_eq!(tgsi_with(&["convert", "-"], &bytes).out, text);
    assert_eq!(tgsi(&["check", MODULE]).code, 0);
    let listing = tgsi(&["compile", MODULE, "--chip", "latte"]);
    assert_eq!((listing.code, listing.err.as_str()), (0, ""));
    assert_eq!(tgsi_with(&["compile", "-", "--chip", "latte"], text.as_bytes()).out, listing.out);
}

/// Attributes of three doubles take one location or two: what is at a location is another register.
#[test]
fn modules_of_opengl_are_taken_by_its_rules() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("interface.json");
    let attributes = |options: &[&str]| {
        let module = "tgsi-spirv/tests/shaders/attributes.vert.spv";
        let file = path.to_str().expect("a path");
        let ran = tgsi(&[&["convert", module, "--interface", file], options].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let text = std::fs::read_to_string(&path).expect("the interface is written");
        let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let inputs = json["inputs"].as_array().expect("a list").clone();
        let b = inputs.iter().find(|one| one["name"] == "b").expect("`b` is read").clone();
        (b["location"].as_u64(), b["register"].as_u64())
    };
    assert_eq!(attributes(&[]), (Some(1), Some(1)));
    assert_eq!(attributes(&["--opengl"]), (Some(1), Some(2)));
}

#[test]
fn broken_modules_and_wrong_names_are_errors() {
    let ran = tgsi(&["convert", MODULE, "--entry", "other"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("the module's entry points are `main`"), "{}", ran.err);
    let ran = tgsi(&["convert", MODULE, "--source-stage", "vertex"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("`vertex` is not a stage"), "{}", ran.err);
    let ran = tgsi_with(&["check", "-"], &[3, 2, 35, 7, 0, 0, 1, 0]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("invalid SPIR-V: the header is shorter than five words"),
        "{}",
        ran.err
    );
    assert_eq!(tgsi(&["convert", MODULE, "--specialize", "x"]).code, 2);
}

/// Names are enough to ask for one of several: what cannot be translated is not tried.
#[test]
fn entry_points_are_named_before_any_is_translated() {
    const KERNEL: u32 = 6;
    let mut words = tgsi_spirv::testing::RED.to_vec();
    let mut entry = words[10..16].to_vec();
    entry[1] = KERNEL;
    words.splice(10..10, entry);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let ran = tgsi_with(&["convert", "-"], &bytes);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("the module's entry points are `main`, `main`"), "{}", ran.err);
    let ran = tgsi_with(&["convert", "-", "--source-stage", "frag"], &bytes);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

/// What the interpreter shows of the constants of a module is the value of the command line, in the constant's type.
#[test]
fn constants_are_specialized_by_their_types() {
    let module = "tgsi-spirv/tests/shaders/specialized.frag.spv";
    let ran = tgsi(&["convert", module, "--specialize", "1=1.5"]);
    assert_eq!(ran.code, 1);
    let text = "specialisation constant 1 is a signed integer of 32 bits and cannot be 1.5";
    assert!(ran.err.contains(text), "{}", ran.err);
    let ran = tgsi(&["convert", module, "--specialize", "4=0.1", "--specialize", "6=-1"]);
    let text = "specialisation constant 6 is an unsigned integer of 64 bits and cannot be -1";
    assert!(ran.err.contains(text), "{}", ran.err);
    let values = ["--specialize", "4=0.1", "--specialize", "5=-2"];
    let text = tgsi(&[["convert", module].as_slice(), &values].concat()).out;
    // The two words of 0.1, then those of -2.
    assert!(text.contains("UINT32 {2576980378, 1069128089, 4294967294, 4294967295}"), "{text}");
}

#[test]
fn a_missing_compiler_is_named_with_its_package() {
    let source = "tgsi-spirv/tests/shaders/stages.vert";
    let ran = tgsi(&["convert", source, "--glslang", "no-such-glslang"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("no `no-such-glslang` is found"), "{}", ran.err);
    assert!(ran.err.contains("install the package `glslang-tools`"), "{}", ran.err);
}

#[test]
fn sources_become_what_their_modules_do() {
    let ran = tgsi(&["convert", "tgsi-spirv/tests/shaders/stages.vert"]);
    // Without the compiler, the error says so; the test of that is above.
    if ran.err.contains("glslang-tools") {
        println!("no glslang is installed");
        return;
    }
    assert_eq!(ran.out, tgsi(&["convert", MODULE]).out, "{}", ran.err);
}

/// A folder with these GLSL sources; `None` where no compiler for them is installed.
fn sources(files: &[(&str, &str)]) -> Option<tempfile::TempDir> {
    if tgsi(&["convert", "tgsi-spirv/tests/shaders/stages.vert"]).err.contains("glslang-tools") {
        println!("no glslang is installed");
        return None;
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("the path has a parent"))
            .expect("the folder can be created");
        std::fs::write(path, text).expect("the file can be written");
    }
    Some(folder)
}

#[test]
fn a_depfile_names_what_sources_include() {
    let main = "#version 450\n#include \"near.h\"\nlayout(location = 0) out vec4 color;\n\
                void main() { color = vec4(FAR); }\n";
    let files = [
        ("main.frag", main),
        ("near.h", "#include \"a b/far.h\"\n#if 0\n#include \"none.h\"\n#endif\n"),
        ("a b/far.h", "#define FAR 0.25\n"),
    ];
    let Some(folder) = sources(&files) else { return };
    let [path, out, dep] = ["main.frag", "main.s", "main.d"]
        .map(|name| folder.path().join(name).to_str().expect("paths are UTF-8").to_owned());
    let ran = tgsi(&["compile", "--chip", "cedar", &path, "-o", &out, "--depfile", &dep]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let rule = std::fs::read_to_string(&dep).expect("the rule is there");
    let folder = folder.path().display();
    // In the order of names.
    let want = format!("{out}: {path} {folder}/a\\ b/far.h {folder}/near.h\n");
    assert_eq!(rule, want);
}

#[test]
fn sources_include_others_and_take_macros() {
    let main = "#version 450\n#include \"near.h\"\n#include \"far.h\"\nlayout(location = 0) out vec4 color;\n\
                #ifdef GIVEN\n#define LAST 1.0\n#endif\n\
                void main() { color = vec4(NEAR, FAR, VALUE, LAST); }\n";
    let files = [
        ("main.frag", main),
        ("near.h", "#define NEAR 0.125\n"),
        ("other/far.h", "#define FAR 0.25\n"),
    ];
    let Some(folder) = sources(&files) else { return };
    let path = folder.path().join("main.frag");
    let other = folder.path().join("other");
    let [path, other] =
        [path, other].map(|path| path.to_str().expect("paths are UTF-8").to_owned());
    let ran = tgsi(&["convert", &path, "-I", &other, "-D", "VALUE=0.5", "-D", "GIVEN"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    for number in ["0.1250", "0.2500", "0.5000", "1.0000"] {
        assert!(ran.out.contains(number), "{number}: {}", ran.out);
    }
    // Without the folder, the header is missing, and the line is that of the source.
    let ran = tgsi(&["convert", &path, "-D", "VALUE=0.5", "-D", "GIVEN"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("far.h") && ran.err.contains(":3:"), "{}", ran.err);
}

#[test]
fn stages_that_do_not_fit_are_warned_of_and_names_are_in_the_json() {
    let vertex = "#version 450\nlayout(location = 0) in vec3 place;\nlayout(location = 0) out vec2 uv;\n\
                  layout(binding = 0) uniform Camera { mat4 view; vec2 size[3]; };\n\
                  void main() { uv = place.xy + size[1]; gl_Position = view * vec4(place, 1.0); }\n";
    let pixel = "#version 450\nlayout(location = 0) in vec3 uv;\nlayout(location = 2) in vec4 tint;\n\
                 layout(location = 0) out vec4 color;\nvoid main() { color = tint + vec4(uv, 1.0); }\n";
    let Some(folder) = sources(&[("a.vert", vertex), ("b.frag", pixel)]) else { return };
    let [vertex, pixel] = ["a.vert", "b.frag"]
        .map(|name| folder.path().join(name).to_str().expect("paths are UTF-8").to_owned());
    let ran = tgsi(&["compile", &vertex, &pixel, "--chip", "cedar", "--emit", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for message in ["GENERIC[0].z is read, but", "GENERIC[2] is read, but", "a.vert"] {
        assert!(ran.err.contains(message), "{message}: {}", ran.err);
    }
    let first: serde_json::Value =
        serde_json::from_str(ran.out.lines().next().unwrap_or_default()).expect("a line of JSON");
    let block = &first["interface"]["constants"][0];
    assert_eq!((&block["block_name"], &block["size"]), (&"Camera".into(), &112.into()));
    let size = &block["members"][1];
    assert_eq!((&size["name"], &size["type"]["elements"]), (&"size".into(), &3.into()));
    let twice = tgsi(&["compile", &pixel, &pixel, "--chip", "cedar"]);
    assert!(!twice.err.contains("GENERIC"), "{}", twice.err);
}

#[test]
fn options_of_sources_are_those_of_no_command() {
    // Every command has them, so that a name in use twice would stop the command from starting.
    for command in
        ["sim", "asm", "disasm", "compile", "run", "info", "graph", "encode", "decode", "fmt"]
    {
        let ran = tgsi(&[
            command,
            "no-such-file",
            "--entry",
            "x",
            "-D",
            "A=1",
            "-I",
            "folder",
            "--opengl",
        ]);
        assert!(matches!(ran.code, 1 | 2), "{command}: {ran:?}");
        assert!(!ran.err.contains("panicked"), "{command}: {}", ran.err);
    }
}

/// Both stages of a textured quad.
const WGSL: &str = "
struct Uniforms { transform: mat4x4<f32>, tint: vec4<f32> }
@group(0) @binding(0) var<uniform> uniforms: Uniforms;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var linear: sampler;

struct Corner { @builtin(position) position: vec4<f32>, @location(0) uv: vec2<f32> }

@vertex
fn corner(@location(0) position: vec3<f32>, @location(1) uv: vec2<f32>) -> Corner {
    return Corner(uniforms.transform * vec4(position, 1.0), uv);
}

@fragment
fn color(at: Corner) -> @location(0) vec4<f32> {
    var sum = uniforms.tint;
    for (var n = 0; n < 3; n++) { sum += vec4(f32(n)); }
    return sum * textureSample(picture, linear, at.uv);
}
";

#[test]
fn wgsl_is_a_source() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("quad.wgsl");
    std::fs::write(&path, WGSL).expect("the source can be written");
    let path = path.to_str().expect("paths of tests are UTF-8");
    let ran = tgsi(&["convert", path]);
    assert!(ran.err.contains("the module's entry points are `corner`, `color`"), "{}", ran.err);
    let vertex = tgsi(&["convert", path, "--entry", "corner"]);
    assert_eq!((vertex.code, vertex.err.as_str()), (0, ""));
    for chip in ["latte", "cedar"] {
        let listing = tgsi(&["compile", path, "--entry", "corner", "--chip", chip]);
        assert_eq!((listing.code, listing.err.as_str()), (0, ""), "{chip}");
        let listing = tgsi(&["compile", path, "--entry", "color", "--chip", chip]);
        assert!(listing.code == 0 && listing.out.contains("SAMPLE"), "{chip} {}", listing.err);
    }
    let given = folder.path().join("in.json");
    let inputs = r#"{"inputs": [[[0.25,0.5,0,1],[0.25,0.5,0,1],[0.25,0.5,0,1],[0.25,0.5,0,1]]],
        "consts": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1],[1,2,3,4]],
        "const_buffers": {"0": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1],[1,2,3,4]],
                          "1": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1],[1,2,3,4]]}}"#;
    std::fs::write(&given, inputs).expect("the inputs can be written");
    let given = given.to_str().expect("paths of tests are UTF-8");
    let ran = tgsi(&["run", path, "--entry", "color", "--inputs", given]);
    // A sample has 100·(c+1)+l in channel c of lane l, and the sum of tint and loop is 4 5 6 7.
    assert!(ran.out.contains("lane 0: 400.0 1000.0 1800.0 2800.0"), "{}{}", ran.out, ran.err);
}

/// One module with both stages becomes a file, and both ways to draw it give the same picture.
#[test]
fn both_stages_of_a_module_become_a_file() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = |name: &str| folder.path().join(name).to_str().expect("it is text").to_owned();
    let [source, file, chip, reference] =
        ["quad.wgsl", "quad.gsh", "chip.png", "reference.png"].map(path);
    std::fs::write(&source, WGSL).expect("the source can be written");
    for args in [
        &["link", &source, "-o", &file][..],
        &["check", &file],
        &["render", &file, "--mesh", "quad", "-o", &chip],
        &["render", &source, "--mesh", "quad", "--interpreter", "-o", &reference],
    ] {
        let ran = tgsi(args);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
    }
    assert!(std::fs::read(&chip).unwrap() == std::fs::read(&reference).unwrap());
    let ran = tgsi(&["link", &source, "--entry", "color", "-o", &file]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(
        !tgsi(&["unlink", &file]).out.contains("vertex"),
        "the file also has the vertex shader"
    );
}

/// A matrix that lies in memory row by row means the same: the camera's is turned round, and GX2 knows it as its transpose.
#[test]
fn rows_of_matrices_are_distinguished_from_columns() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = |name: &str| folder.path().join(name).to_str().expect("it is text").to_owned();
    let module = |name: &str| format!("tgsi-spirv/tests/shaders/{name}.spv");
    let (by_row, by_column) = (module("row_major.vert"), module("column_major.vert"));
    let pixel = module("shown.frag");
    let [row, column, file, json] = ["row.png", "column.png", "row.gsh", "row.json"].map(path);
    for args in [
        &["render", &by_row, &pixel, "--mesh", "cube", "--size", "32x32", "-o", &row][..],
        &["render", &by_column, &pixel, "--mesh", "cube", "--size", "32x32", "-o", &column],
        &["link", &by_row, &pixel, "-o", &file],
        &["convert", &by_row, "--interface", &json],
    ] {
        let ran = tgsi(args);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
    }
    assert!(std::fs::read(&row).unwrap() == std::fs::read(&column).unwrap());
    let listing = tgsi(&["unlink", &file]).out;
    assert!(listing.contains("uniform odd: FLOAT2X3, count 1, offset 16"), "{listing}");
    let json = std::fs::read_to_string(&json).expect("the interface is written");
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let odd = &json["constants"][0]["members"][1];
    assert_eq!((&odd["is_row_major"], &odd["type"]["columns"]), (&true.into(), &3.into()));
}

/// What a uniform begins with is in the file, where an application finds it.
#[test]
fn initial_values_of_uniforms_reach_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("initialized.gsh").to_string_lossy().into_owned();
    let module = "tgsi-spirv/tests/shaders/initialized.frag.spv";
    for uniforms in ["blocks", "registers"] {
        let ran = tgsi(&["link", module, "--opengl", "--uniforms", uniforms, "-o", &file]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{uniforms}");
        let listing = tgsi(&["unlink", &file]).out;
        assert!(listing.contains("initial value at 0: [2.0, 0.0, 0.0, 0.0]"), "{listing}");
        assert!(listing.contains("initial value at 8: [1.0, 2.0, 0.0, 0.0]"), "{listing}");
    }
}

#[test]
fn overrides_of_wgsl_become_constants() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("override.wgsl");
    let converted = |overrides: &str, options: &[&str]| {
        let text =
            format!("{overrides}\n@fragment fn f() -> @location(0) vec4f {{ return vec4f(N); }}\n");
        std::fs::write(&path, text).expect("the source can be written");
        tgsi(&[&["convert", path.to_str().expect("paths of tests are UTF-8")], options].concat())
    };
    let source = "@id(7) override M: i32 = 2;\noverride N = f32(M * 2) + 0.25;";
    let ran = converted(source, &[]);
    assert!(ran.code == 0 && ran.out.contains("4.2500"), "{}{}", ran.out, ran.err);
    let ran = converted(source, &["--specialize", "7=-3"]);
    assert!(ran.code == 0 && ran.out.contains("-5.7500"), "{}{}", ran.out, ran.err);
    let ran = converted(source, &["--specialize", "7=1.5"]);
    let text = "the override `@id(7)` cannot be 1.5";
    assert!(ran.code == 1 && ran.err.contains(text), "{}", ran.err);
    assert!(ran.err.contains("override.wgsl:1:"), "{}", ran.err);
    let ran = converted("@id(7) override N: f32;", &[]);
    assert!(ran.code == 1 && ran.err.contains("the override `7` has no value"), "{}", ran.err);
    assert!(
        ran.err.contains("override.wgsl:1:") && ran.err.contains("--specialize"),
        "{}",
        ran.err
    );
}

#[test]
fn mistakes_in_wgsl_have_their_place() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("bad.wgsl");
    let place = |text: &str| {
        std::fs::write(&path, text).expect("the source can be written");
        let ran = tgsi(&["check", path.to_str().expect("paths of tests are UTF-8")]);
        assert_eq!(ran.code, 1);
        ran.err
    };
    let said = place("@fragment\nfn f() -> @location(0) vec4<f32> { return vec4(colour); }\n");
    assert!(said.contains("bad.wgsl:2:48"), "{said}");
    let said = place("@fragment\nfn f() -> @location(0) vec4<f32> { return vec3(1.0); }\n");
    assert!(said.contains("bad.wgsl:2:43") && said.contains("this expression has type"), "{said}");
    let said = place("\u{feff}\u{0}{{{{\n");
    assert!(said.contains("bad.wgsl:"), "{said}");
}

#[test]
fn a_uniform_outside_of_blocks_names_the_flag_for_it() {
    let text = "#version 450\nuniform vec4 tint;\nlayout(location = 0) out vec4 color;\n\
                void main() { color = tint; }\n";
    let Some(folder) = sources(&[("loose.frag", text)]) else { return };
    let path = folder.path().join("loose.frag").to_string_lossy().into_owned();
    let ran = tgsi(&["convert", &path]);
    assert!(ran.code == 1 && ran.err.contains("help: `--opengl`"), "{}", ran.err);
    assert_eq!(tgsi(&["convert", &path, "--opengl"]).code, 0);
}

/// The first commands of the page on the Wii U's files, in a folder with the sources that it shows.
#[test]
fn the_page_on_the_wii_u_can_be_followed() {
    let read = |path: &str| test_support::read(&root().join(path));
    let [vertex, pixel] = ["examples/quad.vert", "examples/quad.frag"].map(read);
    let Some(folder) = sources(&[("quad.vert", &vertex), ("quad.frag", &pixel)]) else { return };
    let wood = folder.path().join("wood.png").to_string_lossy().into_owned();
    let picture = "examples/pictures/plasma.frag.tgsi";
    assert_eq!(tgsi(&["run", "--image", &wood, "--size", "8x8", picture]).code, 0);
    let page = read("docs/wii-u.md");
    let block = page.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next());
    let block = block.expect("the page has commands");
    assert!(block.contains("tgsi link") && block.contains("tgsi render"), "{block}");
    for line in block.lines() {
        let args = line.strip_prefix("tgsi ").expect("each line is a command").split_whitespace();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tgsi"));
        let ran = command.args(args).current_dir(folder.path()).output().expect("it runs");
        assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
    }
}
