//! Every program that another compiler made for the four generations runs without breaking a rule.
//!
//! What the programs compute is compared with the TGSI interpreter in `difftest`, which may see
//! both sides.

use r600_isa::Chip;
use r600_sim::{
    Bounds, Buffer, BufferFormat, Declaration, Entry, Fault, Kernel, MAX_LANES, Options, Parameter,
    Resources, Stage, TextureRequest,
};
use serde_json::Value;

/// Some value for everything that a program may read.
struct Anything {
    words: Vec<u32>,
}

impl Resources for Anything {
    fn constant(&self, bank: u32, index: u32) -> Option<[u32; 4]> {
        let value = (bank as f32 + 1.0) * 0.25 + index as f32 * 0.01;
        Some([value.to_bits(); 4])
    }

    fn buffer(&self, _: u32) -> Option<Buffer<'_>> {
        let format = BufferFormat { data: 0x23, number: 2, is_signed: true };
        Some(Buffer::new(&self.words, 16, format))
    }

    fn texture(&mut self, _: &TextureRequest) -> Option<[[u32; 4]; 4]> {
        Some([[0.5_f32.to_bits(); 4]; 4])
    }
}

fn number(program: &Value, key: &str) -> u32 {
    program[key].as_u64().unwrap() as u32
}

fn kernel(program: &Value) -> Result<Kernel, r600_sim::SimError> {
    let name = program["chip"].as_str().unwrap().to_lowercase();
    let chip = *Chip::ALL.iter().find(|chip| chip.name() == name).unwrap();
    let is_pixel = program["shader"].as_str().unwrap().starts_with("frag");
    let words: Vec<u32> = program["words"]
        .as_array()
        .unwrap()
        .iter()
        .map(|word| u32::from_str_radix(word.as_str().unwrap(), 16).unwrap())
        .collect();
    let declaration = Declaration {
        chip,
        stage: if is_pixel { Stage::Pixel } else { Stage::Vertex },
        num_gprs: number(program, "gprs"),
        stack_entries: number(program, "stack"),
    };
    Kernel::from_words(&words, declaration)
}

fn entry(num_gprs: u32) -> Entry<'static> {
    let mut entry = Entry::new(1);
    for gpr in 0..num_gprs {
        for lane in 0..4 {
            for channel in 0..4_u8 {
                let value = 0.1 + gpr as f32 * 0.3 + lane as f32 * 0.07 + f32::from(channel) * 0.2;
                entry.set_gpr(gpr, channel, lane, value.to_bits());
            }
        }
    }
    for _ in 0..32 {
        entry.push_parameter(Parameter::flat([[0.75_f32.to_bits(); MAX_LANES]; 4]));
    }
    entry
}

#[test]
fn programs_of_another_compiler_break_no_rule() {
    let Some(text) = test_support::shared_text("vectors/r600-mesa.jsonl") else { return };
    let options = Options::default().bounds(Bounds::Zero).step_limit(100_000);
    let mut resources = Anything { words: vec![0; 4096] };
    let (mut count, mut endless, mut failures) = (0, 0, Vec::new());
    for line in text.lines() {
        let program: Value = serde_json::from_str(line).unwrap();
        let name = format!("{} {} {}", program["shader"], program["chip"], program["compiler"]);
        count += 1;
        let outcome = kernel(&program).and_then(|kernel| {
            let num_gprs = kernel.declaration().num_gprs;
            kernel.run(&entry(num_gprs), &options, &mut resources)
        });
        match outcome {
            Ok(_) => {}
            // These inputs need not let every loop end.
            Err(error) if matches!(error.fault, Fault::StepLimit(_)) => endless += 1,
            Err(error) => failures.push(format!("{name}: {error}")),
        }
    }
    println!("{count} programs ran, {endless} of them into the step limit");
    assert!(failures.is_empty(), "{} of {count} failed:\n{}", failures.len(), failures.join("\n"));
    assert!(endless * 20 < count, "{endless} of {count} did not end");
}
