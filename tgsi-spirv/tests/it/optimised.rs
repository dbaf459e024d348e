//! Modules before and after `spirv-opt -O` give the same results: two ways through control flow, memory and phis.
//! Runs where that program is installed and the modules lie beside the repository. So do shaders with copies in them
//! and without, bit for bit.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use test_support::{files, shared};
use tgsi_exec::sampler::{Texture, TextureShape};
use tgsi_exec::{Bindings, Inputs, Kernel};
use tgsi_ir::{Component, File, Shader};
use tgsi_spirv::{Options, Translation, translate};

/// Modules that are left out between two that are tried, unless `ALL_MODULES` is set.
const STEP: usize = 12;

/// A number between 0 and 1 that depends on the key alone.
fn number(key: u32) -> f32 {
    let mixed = key.wrapping_mul(0x9e37_79b9).wrapping_add(0x7f4a_7c15);
    (((mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b) >> 8) as f32) / 16_777_216.0
}

fn bindings(one: &Translation) -> Bindings {
    let mut bindings = Bindings::default();
    for buffer in &one.interface.constants {
        let key = 100 * buffer.binding.unwrap_or(77);
        let vector = |n: u32| [0, 1, 2, 3].map(|m| number(key + 4 * n + m).to_bits());
        let mut contents: Vec<[u32; 4]> = (0..buffer.num_registers.into()).map(vector).collect();
        for member in buffer.members.iter().filter(|member| member.location.is_some()) {
            let first = (member.offset / 16) as usize;
            for (n, slot) in contents[first..].iter_mut().enumerate() {
                *slot = vector(1000 * member.location.unwrap_or(0) + n as u32);
            }
        }
        bindings.constants.insert(buffer.buffer.into(), contents);
    }
    for texture in &one.interface.textures {
        let seed = texture.image.binding.unwrap_or(0);
        let picture = Texture::pattern(TextureShape::D2, [16, 16, 1], 1, seed).expect("a size");
        bindings.textures.insert(texture.unit.into(), Arc::new(picture));
    }
    bindings
}

/// Outputs by location or built-in; nothing where the shader does not run to its end.
fn outputs(one: &Translation) -> Option<BTreeMap<String, Vec<f32>>> {
    let kernel = Kernel::new(&one.shader).ok()?;
    let mut inputs = Inputs::default();
    for varying in one.interface.inputs.iter().filter(|one| !one.is_system_value) {
        for n in 0..u32::from(varying.num_registers) {
            let key = 7 * (varying.location.unwrap_or(50) + n);
            let lane = |lane: u32| [0, 1, 2, 3].map(|m| number(key + 1000 * lane + m).to_bits());
            let at = usize::from(varying.register) + n as usize;
            inputs.registers.resize(inputs.registers.len().max(at + 1), Default::default());
            inputs.registers[at] = [0, 1, 2, 3].map(lane);
        }
    }
    let outcome = kernel.run(&inputs, 100_000, &mut bindings(one)).ok()?;
    let mut results = BTreeMap::new();
    for varying in &one.interface.outputs {
        let register = varying.register;
        let quad = outcome.outputs.get(usize::from(register))?;
        for channel in usize::from(varying.component)..4 {
            if is_written(&one.shader, register, channel) {
                let name = format!("{:?} {:?} {channel}", varying.location, varying.built_in);
                results
                    .insert(name, quad.iter().map(|lane| f32::from_bits(lane[channel])).collect());
            }
        }
    }
    Some(results)
}

/// Whether an output's declaration has a channel: nothing writes the others.
fn is_written(shader: &Shader, register: u16, channel: usize) -> bool {
    let mut declared = shader.declarations.iter().filter(|one| one.file == File::Output);
    let own = declared.find(|one| one.range.contains(register.into()));
    own.is_some_and(|one| one.usage_mask.contains(Component::ALL[channel]))
}

fn is_near(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits()
        || !a.is_finite()
        || !b.is_finite()
        || (a - b).abs() <= 2e-3 * (1.0 + a.abs())
}

#[test]
fn optimised_modules_give_the_same_results() {
    let Some(folder) = shared("spirv/modules") else { return };
    if Command::new("spirv-opt").arg("--version").output().is_err() {
        println!("spirv-opt cannot be started, nothing checked");
        return;
    }
    let paths = files(&folder, "spv");
    let step = if std::env::var_os("ALL_MODULES").is_some() { 1 } else { STEP };
    let temporary = std::env::temp_dir().join(format!("tgsi-spirv-{}.spv", std::process::id()));
    let (mut num, mut differ) = (0, Vec::new());
    for path in paths.iter().step_by(step) {
        let made = Command::new("spirv-opt").arg("-O").arg(path).arg("-o").arg(&temporary).output();
        if !made.is_ok_and(|output| output.status.success()) {
            continue;
        }
        let [before, after] = [path.as_path(), &temporary].map(|path| {
            let bytes = std::fs::read(path).expect("the module can be read");
            translate(&bytes, &Options::default()).ok().and_then(|mut list| list.pop())
        });
        let (Some(before), Some(after)) = (before, after) else { continue };
        let (Some(before), Some(after)) = (outputs(&before), outputs(&after)) else { continue };
        num += 1;
        let is_same = before.iter().all(|(name, values)| {
            let other = after.get(name);
            other.is_none_or(|other| values.iter().zip(other).all(|(&a, &b)| is_near(a, b)))
        });
        if !is_same {
            differ.push(format!("{}: {before:?} {after:?}", path.display()));
        }
    }
    let _ = std::fs::remove_file(&temporary);
    println!("{num} modules run, {} differ", differ.len());
    assert!(differ.is_empty(), "{} of {num} differ:\n{}", differ.len(), differ.join("\n"));
}

#[test]
fn tidy_shaders_give_the_same_results() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shaders");
    let step = if std::env::var_os("ALL_MODULES").is_some() { 1 } else { STEP };
    let mut paths = files(&own, "spv");
    if let Some(elsewhere) = shared("spirv/modules") {
        paths.extend(files(&elsewhere, "spv").into_iter().step_by(step));
    }
    let mut differ = Vec::new();
    for path in paths {
        let bytes = std::fs::read(&path).expect("the module can be read");
        let [untidy, tidy] = [false, true].map(|is_tidy| {
            let options = Options::default().tidy(is_tidy);
            let one = translate(&bytes, &options).ok().and_then(|mut list| list.pop())?;
            outputs(&one)
        });
        let (Some(untidy), Some(tidy)) = (untidy, tidy) else { continue };
        let is_same = tidy.iter().all(|(name, values)| {
            let bits = |values: &[f32]| values.iter().map(|one| one.to_bits()).collect::<Vec<_>>();
            untidy.get(name).is_some_and(|other| bits(other) == bits(values))
        });
        if !is_same {
            differ.push(format!("{}: {untidy:?} {tidy:?}", path.display()));
        }
    }
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ.join("\n"));
}
