//! Which accesses to memory stay: what nobody could miss goes, and only that.

use r600_codegen::internals::check::Checks;
use r600_codegen::{Compiler, OptLevel, Options};
use r600_isa::{AluSel, Cf, Chip, Clause, MemoryAccess, selectors};

/// Writes to targets, and fetches, that are left of `body`.
fn left(body: &str) -> (usize, usize) {
    let text = format!(
        "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 1
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL BUFFER[0]
DCL BUFFER[1]
DCL TEMP[0..3]
IMM[0] UINT32 {{16, 0, 4, 1}}
{body}
END
"
    );
    let parsed = tgsi_text::parse(&text);
    assert_eq!(parsed.diagnostics, []);
    let compiler = Compiler::new(Options::default()).unwrap();
    let program = compiler.compile(&parsed.shader, Chip::Cedar).unwrap().program;
    let is_write = |cf: &&Cf| matches!(cf, Cf::Memory(memory) if matches!(memory.access, MemoryAccess::Rat(_)));
    let stats = program.stats();
    (program.cf.iter().filter(is_write).count(), stats.tex + stats.vtx)
}

#[test]
fn an_overwritten_store_is_removed() {
    let twice = "STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].zzzz
STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].wwww";
    assert_eq!(left(twice), (1, 0));
    let elsewhere = "STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].zzzz
STORE BUFFER[0].x, IMM[0].yyyy, IMM[0].wwww";
    assert_eq!(left(elsewhere), (2, 0));
    let of_another = "STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].zzzz
STORE BUFFER[1].x, IMM[0].xxxx, IMM[0].wwww";
    assert_eq!(left(of_another), (2, 0));
    let partly = "STORE BUFFER[0].xy, IMM[0].xxxx, IMM[0].zzzz
STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].wwww";
    assert_eq!(left(partly), (2, 0));
}

#[test]
fn an_observable_store_is_kept() {
    for between in [
        "MEMBAR IMM[0].wwww",
        "BARRIER",
        "LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx\nSTORE BUFFER[0].x, IMM[0].yyyy, TEMP[0]",
        "UIF IMM[0].wwww\nENDIF\nKILL",
    ] {
        let text = format!(
            "STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].zzzz\n{between}\nSTORE BUFFER[0].x, IMM[0].xxxx, IMM[0].wwww"
        );
        let (writes, _) = left(&text);
        assert!(writes >= 2, "{between}: {writes}");
    }
    for word in ["VOLATILE", "COHERENT"] {
        let text = format!(
            "STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].zzzz, {word}
STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].wwww, {word}"
        );
        assert_eq!(left(&text), (2, 0), "{word}");
    }
}

/// Reads, a write in between, the same reads again, and what was read is written somewhere else.
fn read_around(between: &str, word: &str) -> (usize, usize) {
    left(&format!(
        "LOAD TEMP[0].xy, BUFFER[1], IMM[0].xxxx{word}
{between}
LOAD TEMP[1].xy, BUFFER[1], IMM[0].xxxx{word}
UADD TEMP[0].x, TEMP[0].xxxx, TEMP[1].xxxx
STORE BUFFER[0].x, IMM[0].zzzz, TEMP[0]{word}"
    ))
}

#[test]
fn repeated_reads_are_merged() {
    assert_eq!(read_around("", ""), (1, 1));
    assert_eq!(read_around("", ", VOLATILE"), (1, 2));
    assert_eq!(read_around("BARRIER", ""), (1, 2));
    // The two buffers may be one piece of memory, unless the shader says that they are not.
    let other = "STORE BUFFER[0].x, IMM[0].yyyy, IMM[0].zzzz";
    assert_eq!(read_around(other, ""), (2, 2));
    assert_eq!(read_around(&format!("{other}, RESTRICT"), ", RESTRICT"), (2, 1));
    let own = "STORE BUFFER[1].x, IMM[0].yyyy, IMM[0].zzzz, RESTRICT";
    assert_eq!(read_around(own, ", RESTRICT"), (2, 2));
}

#[test]
fn equal_texels_are_fetched_once() {
    let text = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0..1]
DCL SVIEW[0..1], 2D, FLOAT
DCL TEMP[0..2]
TEX TEMP[0], IN[0], SAMP[0], 2D
TEX TEMP[1], IN[0], SAMP[0], 2D
TEX TEMP[2], IN[0], SAMP[1], 2D
ADD TEMP[0].xy, TEMP[0].zwww, TEMP[1].xyyy
ADD OUT[0], TEMP[0].xyxy, TEMP[2]
END
";
    let parsed = tgsi_text::parse(text);
    let compiler = Compiler::new(Options::default()).unwrap();
    for chip in [Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman] {
        let program = compiler.compile(&parsed.shader, chip).unwrap().program;
        assert_eq!(program.stats().tex, 2, "{}", chip.name());
    }
}

/// A later time is not the smaller one, and the two tell what the read between them takes, whichever is wanted first.
#[test]
fn the_clock_is_read_around_a_read_of_memory() {
    for (minuend, subtrahend) in [(0, 1), (1, 0)] {
        let text = format!(
            "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 1
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL BUFFER[0]
DCL TEMP[0..2]
IMM[0] UINT32 {{16, 0, 4, 1}}
CLOCK TEMP[0].xy
LOAD TEMP[2].x, BUFFER[0], IMM[0].xxxx
CLOCK TEMP[1].xy
UADD TEMP[0].x, TEMP[{minuend}].xxxx, -TEMP[{subtrahend}].xxxx
STORE BUFFER[0].x, IMM[0].xxxx, TEMP[0].xxxx
STORE BUFFER[0].x, IMM[0].yyyy, TEMP[2].xxxx
END
"
        );
        let shader = tgsi_text::parse(&text).shader;
        for (chip, level) in
            [Chip::Cypress, Chip::Cayman].into_iter().flat_map(|c| OptLevel::ALL.map(|l| (c, l)))
        {
            let mut options = Options::default().level(level);
            options.passes.verify_each = true;
            let compiler = Compiler::new(options).unwrap();
            let program = compiler.compile_observed(&shader, chip, &mut Checks).unwrap().program;
            let is_time = |sel: AluSel| sel == AluSel::Other(selectors::TIME_LO);
            let parts = program.cf.iter().filter_map(|cf| match cf {
                Cf::Alu(alu) => Some(&program.clauses[alu.clause.0 as usize]),
                _ => None,
            });
            let num_reads = |clause: &Clause| {
                let sources =
                    clause.groups().flat_map(|group| &group.insts).flat_map(|inst| inst.src);
                sources.filter(|src| is_time(src.sel)).count()
            };
            let times: Vec<usize> = parts.map(num_reads).filter(|count| *count > 0).collect();
            assert_eq!(times, [1, 1], "{chip:?} {level:?}");
        }
    }
}
