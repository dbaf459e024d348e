//! The C library: shared and static, its header, and the files for pkg-config and CMake.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::Path;

use anyhow::Result;

/// System libraries that the static library needs, in pkg-config syntax.
const SYSTEM: &str = if cfg!(target_os = "linux") { "-lm -lpthread -ldl" } else { "" };

/// Fills `lib` and `include` of `folder`.
pub(super) fn fill(root: &Path, built: &Path, folder: &Path, version: &str) -> Result<()> {
    let shared = format!("{DLL_PREFIX}tgsi_capi{DLL_SUFFIX}");
    let archive =
        if cfg!(target_env = "msvc") { "tgsi_capi.lib" } else { "libtgsi_capi.a" }.to_owned();
    for file in [&shared, &archive] {
        super::copy(&built.join(file), &folder.join("lib").join(file))?;
    }
    super::copy(&root.join("tgsi-capi/include/tgsi.h"), &folder.join("include/tgsi.h"))?;
    let files = [
        ("lib/pkgconfig/tgsi.pc", pkg_config(version)),
        ("lib/cmake/tgsi/tgsi-config.cmake", cmake(&shared, &archive)),
        ("lib/cmake/tgsi/tgsi-config-version.cmake", cmake_version(version)),
    ];
    for (path, text) in files {
        super::write(&folder.join(path), text.as_bytes())?;
    }
    Ok(())
}

/// The archive may be unpacked anywhere, so paths are relative to the file.
fn pkg_config(version: &str) -> String {
    format!(
        "prefix=${{pcfiledir}}/../..
libdir=${{prefix}}/lib
includedir=${{prefix}}/include

Name: tgsi
Description: Shaders for AMD's R600 family: read, check, run, compile, simulate, link
Version: {version}
Libs: -L${{libdir}} -ltgsi_capi
Libs.private: {SYSTEM}
Cflags: -I${{includedir}}
"
    )
}

fn cmake(shared: &str, archive: &str) -> String {
    let system = SYSTEM.replace("-l", "").replace(' ', ";");
    format!(
        "# Targets: tgsi::tgsi, the shared library, and tgsi::static.
get_filename_component(TGSI_ROOT \"${{CMAKE_CURRENT_LIST_DIR}}/../../..\" ABSOLUTE)
if(NOT TARGET tgsi::tgsi)
  add_library(tgsi::tgsi SHARED IMPORTED)
  set_target_properties(tgsi::tgsi PROPERTIES
    IMPORTED_LOCATION \"${{TGSI_ROOT}}/lib/{shared}\"
    IMPORTED_NO_SONAME TRUE
    INTERFACE_INCLUDE_DIRECTORIES \"${{TGSI_ROOT}}/include\")
  add_library(tgsi::static STATIC IMPORTED)
  set_target_properties(tgsi::static PROPERTIES
    IMPORTED_LOCATION \"${{TGSI_ROOT}}/lib/{archive}\"
    INTERFACE_LINK_LIBRARIES \"{system}\"
    INTERFACE_INCLUDE_DIRECTORIES \"${{TGSI_ROOT}}/include\")
endif()
"
    )
}

/// Before 1.0 a new minor version may break the API.
fn cmake_version(version: &str) -> String {
    let compatible = version.rsplit_once('.').map_or(version, |(compatible, _)| compatible);
    format!(
        "set(PACKAGE_VERSION \"{version}\")
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION OR NOT PACKAGE_FIND_VERSION MATCHES \"^{}(\\\\.|$)\")
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
",
        compatible.replace('.', "\\\\.")
    )
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::process::{Command, Output};

    const MAIN: &str = "#include \"tgsi.h\"\nint main(void) { return tgsi_answer() - 42; }\n";
    const PROJECT: &str = "cmake_minimum_required(VERSION 3.10)\nproject(use C)\nfind_package(tgsi 1.2 REQUIRED)\n\
                           add_executable(shared main.c)\ntarget_link_libraries(shared tgsi::tgsi)\n\
                           add_executable(whole main.c)\ntarget_link_libraries(whole tgsi::static)\n";

    /// Runs a program with these arguments; `None` if there is no such program.
    fn run(folder: &Path, program: &str, args: &[&str]) -> Option<Output> {
        let output = Command::new(program)
            .args(args)
            .current_dir(folder)
            .env("PKG_CONFIG_PATH", folder.join("archive/lib/pkgconfig"))
            .env("LD_LIBRARY_PATH", folder.join("archive/lib"))
            .output();
        if output.is_err() {
            println!("dist: there is no `{program}` here");
        }
        output.ok()
    }

    fn done(output: &Output) -> String {
        let said = [&output.stdout[..], &output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(output.status.success(), "{said}");
        said
    }

    /// A static library with one function; `None` if there is no compiler.
    fn archive(folder: &Path) -> Option<()> {
        let header = folder.join("tgsi-capi/include");
        fs::create_dir_all(&header).unwrap();
        fs::write(header.join("tgsi.h"), "int tgsi_answer(void);\n").unwrap();
        fs::write(folder.join("answer.c"), "int tgsi_answer(void) { return 42; }\n").unwrap();
        fs::write(folder.join("main.c"), MAIN).unwrap();
        let shared = ["-shared", "-fPIC", "answer.c", "-o", "libtgsi_capi.so"];
        done(&run(folder, "cc", &shared)?);
        done(&run(folder, "cc", &["-c", "answer.c"])?);
        done(&run(folder, "ar", &["rcs", "libtgsi_capi.a", "answer.o"])?);
        super::fill(folder, folder, &folder.join("archive"), "1.2.3").unwrap();
        Some(())
    }

    #[test]
    fn pkg_config_finds_the_library() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let Some(()) = archive(folder) else { return };
        let Some(flags) = run(folder, "pkg-config", &["--cflags", "--libs", "tgsi"]) else {
            return;
        };
        let flags = done(&flags);
        let args: Vec<_> =
            ["main.c", "-o", "main"].into_iter().chain(flags.split_whitespace()).collect();
        done(&run(folder, "cc", &args).unwrap());
        done(&run(folder, "./main", &[]).unwrap());
        let version = done(&run(folder, "pkg-config", &["--modversion", "tgsi"]).unwrap());
        assert_eq!(version.trim(), "1.2.3");
    }

    #[test]
    fn cmake_finds_the_library() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let Some(()) = archive(folder) else { return };
        fs::write(folder.join("CMakeLists.txt"), PROJECT).unwrap();
        let prefix = format!("-DCMAKE_PREFIX_PATH={}", folder.join("archive").display());
        let Some(made) = run(folder, "cmake", &["-B", "made", ".", &prefix]) else { return };
        done(&made);
        done(&run(folder, "cmake", &["--build", "made"]).unwrap());
        for program in ["made/shared", "made/whole"] {
            done(&run(folder, folder.join(program).to_str().unwrap(), &[]).unwrap());
        }
        fs::write(folder.join("CMakeLists.txt"), PROJECT.replace("tgsi 1.2", "tgsi 1.3")).unwrap();
        let other = run(folder, "cmake", &["-B", "other", ".", &prefix]).unwrap();
        assert!(!other.status.success(), "1.2.3 is accepted as 1.3");
    }
}
