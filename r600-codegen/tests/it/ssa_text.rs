//! SSA as text: what is printed is read back, and what says nothing is refused.

use std::path::{Path, PathBuf};

use r600_codegen::internals::ssa::{
    Event, FetchKind, FetchStep, Function, InstData, InterpPart, MemoryInst, ParseErrorKind, parse,
    verify,
};
use r600_codegen::{Compilation, Compiler, Options, Snapshot};
use r600_isa::{CfMemory, Chip, ComponentSel, FetchInst, GdsInst, TexInst, VtxInst};
use test_support::{files, read, root, shared};

/// What was read back of the functions after each pass.
struct RoundTrips<'p> {
    path: &'p Path,
    chip: Chip,
    functions: usize,
    instructions: usize,
}

impl pass_manager::Observer<Compilation> for RoundTrips<'_> {
    fn verify(&mut self, pass: pass_manager::PassId, form: Snapshot<'_>) -> Result<(), String> {
        let Some(function) = form.function() else { return Ok(()) };
        let text = function.to_string();
        let place = format!("{} on {:?} after {pass}", self.path.display(), self.chip);
        let again =
            parse(&text, self.chip).unwrap_or_else(|error| panic!("{place}: {error}\n{text}"));
        assert_eq!(again.to_string(), text, "{place}");
        assert_eq!(verify(&again), Ok(()), "{place}\n{text}");
        assert_eq!(again.uniforms, function.uniforms, "{place}");
        let (old, new) = (instructions(function), instructions(&again));
        assert_eq!(old.len(), new.len(), "{place}\n{text}");
        for (old, new) in old.into_iter().zip(new) {
            assert!(is_same(old, new, self.chip), "{place}: {old:?} is read as {new:?}");
            self.instructions += 1;
        }
        self.functions += 1;
        Ok(())
    }
}

/// The instructions in program order.
fn instructions(function: &Function) -> Vec<&InstData> {
    let events = function.body.walk().filter_map(|event| match event {
        Event::Inst(inst) => Some(&function.insts[inst].data),
        _ => None,
    });
    events.collect()
}

/// Whether two instructions are the same, except for fields that mean nothing before registers are allocated.
fn is_same(a: &InstData, b: &InstData, chip: Chip) -> bool {
    match (a, b) {
        (InstData::Fetch(a), InstData::Fetch(b)) => {
            let words = |step: &FetchStep| words(&step.kind, chip);
            a.steps.iter().map(words).eq(b.steps.iter().map(words))
                && a.steps
                    .iter()
                    .map(|step| step.address)
                    .eq(b.steps.iter().map(|step| step.address))
                && (a.reads, a.place) == (b.reads, b.place)
        }
        (InstData::Memory(a), InstData::Memory(b)) => {
            let template = |memory: &MemoryInst| CfMemory {
                gpr: 0,
                relative: false,
                index_gpr: 0,
                comp_mask: 0,
                ..memory.template
            };
            template(a) == template(b)
                && (a.storage, a.place, a.src, a.index) == (b.storage, b.place, b.src, b.index)
        }
        (InstData::Interp(a), InstData::Interp(b)) if a.part == InterpPart::Flat => {
            (a.part, a.param) == (b.part, b.param)
        }
        _ => a == b,
    }
}

/// The words of a fetch without registers, and whether only covered lanes run it.
fn words(kind: &FetchKind, chip: Chip) -> ([u32; 4], bool) {
    let (src_gpr, dst_gpr, dst_sel) = (0, 0, [ComponentSel::X; 4]);
    let inst = match kind.clone() {
        FetchKind::Tex(tex) => {
            let (src_sel, src_rel, dst_rel) = ([ComponentSel::X; 4], false, false);
            FetchInst::Tex(TexInst { src_gpr, src_rel, src_sel, dst_gpr, dst_rel, dst_sel, ..tex })
        }
        FetchKind::Vtx(vtx) | FetchKind::Covering(vtx) => {
            let (src_sel, src_rel, dst_rel) = (ComponentSel::X, false, false);
            FetchInst::Vtx(VtxInst { src_gpr, src_rel, src_sel, dst_gpr, dst_rel, dst_sel, ..vtx })
        }
        FetchKind::Gds(gds) => {
            let src_sel = [ComponentSel::X; 3];
            FetchInst::Gds(GdsInst { src_gpr, src_sel, dst_gpr, dst_sel, ..gds })
        }
    };
    (inst.encode(chip.generation()).unwrap(), matches!(kind, FetchKind::Covering(_)))
}

/// Shaders of the repository, and of the corpora beside it every fiftieth; `ALL_SHADERS` takes all of them.
#[test]
fn printed_text_is_read_back() {
    let is_whole = std::env::var_os("ALL_SHADERS").is_some();
    let step = |n| if is_whole { 1 } else { n };
    let own =
        [("examples", 1), ("difftest/tests/findings", step(4)), ("difftest/tests/features", 1)];
    let own = own.map(|(folder, step)| (Some(root().join(folder)), step));
    let beside = ["corpus/tgsi", "wild/tgsi"].map(|folder| (shared(folder), step(50)));
    let folders = own.into_iter().chain(beside);
    let of_folder = |(folder, step): (Option<PathBuf>, usize)| {
        let all = folder.map(|folder| files(&folder, "tgsi")).unwrap_or_default();
        all.into_iter().step_by(step)
    };
    let files: Vec<PathBuf> = folders.flat_map(of_folder).collect();
    let (mut compiled, mut functions, mut instructions) = (0, 0, 0);
    for path in &files {
        let parsed = tgsi_text::parse(&read(path));
        assert_eq!(parsed.diagnostics, [], "{}", path.display());
        for chip in [Chip::Rv670, Chip::Rv770, Chip::Cedar, Chip::Cayman] {
            let mut options = Options::default();
            options.passes.verify_each = true;
            let mut trips = RoundTrips { path, chip, functions: 0, instructions: 0 };
            let compiler = Compiler::new(options).unwrap();
            let result = compiler.compile_observed(&parsed.shader, chip, &mut trips);
            compiled += usize::from(result.is_ok());
            functions += trips.functions;
            instructions += trips.instructions;
        }
    }
    let shaders = files.len();
    println!(
        "{shaders} shaders, {compiled} programs, {functions} functions, {instructions} instructions"
    );
    assert!(compiled > 2 * shaders, "{compiled} programs of {shaders} shaders");
}

/// One line of each kind, for each a chip that has it.
#[test]
fn every_kind_of_line_is_read_as_it_is_written() {
    let head = "array0 = 4 in registers\narray1 = 300 in scratch from 2\n%0 = live in R0.x\n";
    for (chip, line) in [
        (Chip::Rv770, "%1 = MULADD_IEEE*2_sat %0, c15[4095].w, -0x3f800000"),
        (Chip::Rv770, "%1 = MOV -|%0|"),
        (Chip::Cypress, "%1, %2 = ADD_64 %0, -|%0|, %0, -%0"),
        (Chip::Cypress, "%1, %2 = RECIP_64 %0, -%0"),
        (Chip::Cayman, "%1, %2, %3 = FREXP_64 %0, |%0|"),
        (Chip::Rv770, "%1 = dot4_zero_sat %0, %0, %0, %0, %0, %0, %0, -|%0|"),
        (Chip::Rv770, "%1 = dot0"),
        (Chip::Rv770, "%1, %2, %3, %4 = cube %0, %0, |%0|"),
        (Chip::Cayman, "%1, %2, %3, %4 = interp.flat p31"),
        (Chip::Cayman, "%1, %2 = interp.zw p0 %0, %0"),
        (Chip::Rv770, "%1 = load array1[299].w %0"),
        (Chip::Rv770, "store array0[3].y %0, -%0"),
        (Chip::Rv770, "export Position(60) %0, _, 0x0, 0x3f800000"),
        (Chip::Cayman, "%1, %2 = counter Time"),
        (Chip::Cayman, "barrier"),
        (
            Chip::Rv770,
            "%1, %2, %3, %4 = SET_GRADIENTS_H (%0, %0, %0, _), t3, s0 then SET_GRADIENTS_V (%0, %0, %0, _), t3, s0 \
             then SAMPLE_C_G (%0, %0, _, -%0), t3, s2 DENORM(xy) LOD(-1.5) XOFFSET(1.5)",
        ),
        (
            Chip::Cypress,
            "%1, %2, %3, %4 = VFETCH (%0, _, _, _), b3 FORMAT(32_32_32_32) NUM_FORMAT(INT) MEGA_FETCH \
             MEGA_FETCH_COUNT(15) OFFSET(16) reads shared at resource 3 shared with other names",
        ),
        (
            Chip::Rv770,
            "%1, %2, %3, %4 = covering VFETCH (_, _, _, _), b1 FORMAT(32_32_32_32_FLOAT) NUM_FORMAT(SCALED) SIGNED",
        ),
        (Chip::Cypress, "%1, %2, %3, %4 = GDS_ADD_RET (%0, %0, _, _), UAV(3) reads counters"),
        (Chip::Cypress, "%1, %2, %3, %4 = TF_WRITE (%0, 0x0, %0, _)"),
        (
            Chip::Rv770,
            "MEM_RING (%0, _, 0x0, %0) at (%0, _, _, _), WRITE_IND 12 ELEM_SIZE(3) to stream",
        ),
        (
            Chip::Cypress,
            "MEM_STREAM0_BUF0 (%0, _, _, _), WRITE 0 ARRAY_SIZE(4095) BURSTCNT(2) NO_BARRIER to [7]",
        ),
        (
            Chip::Cayman,
            "MEM_RAT (%0, %0, _, _) at (%0, _, _, _), WRITE_IND_ACK STORE_TYPED RAT3+CF_IDX1 MARK to shared at \
             resource 3 shared with anyone",
        ),
        (Chip::Cypress, "EMIT_VERTEX COUNT(3)"),
        (Chip::Cayman, "WAIT_ACK"),
        (Chip::Cypress, "%1 = LDS_ADD_RET %0, %0 reads and writes"),
        (Chip::Cypress, "%1 = LDS_READ_RET %0 OFFSET(63) reads"),
        (Chip::Cypress, "LDS_WRITE_REL %0, %0, -%0 OFFSET(1) writes"),
    ] {
        let text = format!("{head}{line}\n");
        let function = parse(&text, chip).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(function.to_string(), text);
    }
    let uniforms = "uniforms in registers\n";
    assert_eq!(parse(uniforms, Chip::Rv770).unwrap().to_string(), uniforms);
}

#[test]
fn invalid_texts_are_refused_with_position_and_remedy() {
    let near = "did you mean `MULADD`?";
    for (text, message, help) in [
        ("%0 = MOV", "line 1, column 6: number of operands of `MOV`: expected 1, found 0", ""),
        ("\n%0 = MULLADD 0x0", "line 2, column 6: there is no instruction `MULLADD`", near),
        ("%0 = ", "line 1, column 5: expected an instruction, found the end of the line", ""),
        (
            "%0 = dot5 0x0, 0x0",
            "line 1, column 6: expected a dot product of up to four components, found `dot5`",
            "",
        ),
        (
            "%0 = BFREV_INT 0x0",
            "line 1, column 6: r700 has no BFREV_INT",
            "it exists on evergreen, cayman",
        ),
        (
            "%0, %1 = ADD_64 0x0, 0x0",
            "line 1, column 10: number of operands of `ADD_64`: expected 4, found 2",
            "",
        ),
        (
            "  JUMP %0",
            "line 1, column 3: `JUMP` does not occur in SSA",
            "write control flow as `if`, `loop`, `break` and `continue`, exports as `export`",
        ),
        (
            "if ADD 0x0, 0x0 {",
            "line 1, column 4: `ADD` is not a comparison",
            "write the test as an operation such as PRED_SETNE_INT",
        ),
        (
            "if PRED_SETE 0x0, 0x0 {",
            "line 1, column 1: a `}` is missing",
            "close each branch and each loop by a line of its own",
        ),
        ("}", "line 1, column 1: nothing is open that this could close", ""),
        ("loop {\n} else {", "line 2, column 1: nothing is open that this could close", ""),
        ("%0, %1 = MOV 0x0", "line 1, column 10: number of results: expected 1, found 2", ""),
        ("%0 = MOV %x", "line 1, column 11: expected a number, found `x`", ""),
        ("%0 = MOV %1048576", "line 1, column 11: `1048576` is more than 1048575", ""),
        ("%0 = MOV c0[99999].x", "line 1, column 13: `99999` is more than 65535", ""),
        ("%0 = MOV c16[0].x", "line 1, column 11: `16` is more than 15", ""),
        (
            "%0 = MOV 0x",
            "line 1, column 10: expected a constant such as 0x3f800000, found `0x`",
            "",
        ),
        ("%0 = MOV 0x0 0x0", "line 1, column 14: expected the end of the line, found `0x0`", ""),
        (
            "export Pixel(0) 0x0, _",
            "line 1, column 23: expected `,`, found the end of the line",
            "",
        ),
        (
            "%0 = MOV %7",
            "line 1, column 10: %7 is not defined",
            "define it first, or make it live on entry: `%7 = live in R0.x`",
        ),
        (
            "%0 = MOV 0x0\n%0 = MOV 0x0",
            "line 2, column 1: %0 is defined before",
            "give each definition a number of its own",
        ),
        ("array1 = 4 in registers", "line 1, column 1: array0 comes next", ""),
        (
            "store array0[0].x 0x0",
            "line 1, column 1: array0 is not known",
            "state its length at the top: `array0 = 4 in registers`",
        ),
        (
            "array0 = 4 in registers\nstore array0[4].x 0x0",
            "line 2, column 1: array0 has 4 elements",
            "",
        ),
        ("%0 = live in R128.x", "line 1, column 15: `128` is more than 127", ""),
        (
            "EMIT_VERTEX COUNTS(1)",
            "line 1, column 13: the instruction has no property `COUNTS`",
            "did you mean `COUNT`?",
        ),
        (
            "MEM_RAT (0x0, _, _, _), WRITE_IND STORE_RAW RAT0 to shared",
            "line 1, column 1: r700 has no MEM_RAT",
            "it exists on evergreen, cayman",
        ),
        (
            "%0, %1, %2, %3 = VFETCH (_, _, _, _), b0 OFSET(16)",
            "line 1, column 42: the instruction has no property `OFSET`",
            "did you mean `OFFSET`?",
        ),
        (
            "MEM_RING (_, _, _, _), WRITE 0",
            "line 1, column 31: expected `to`, found the end of the line",
            "",
        ),
        (
            "%0 = LDS_READ_RET 0x0",
            "line 1, column 22: expected reads or writes, found the end of the line",
            "",
        ),
    ] {
        let error = parse(text, Chip::Rv770).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.help().unwrap_or_default(), help, "{text}");
    }
    let deep = "loop {\n".repeat(300);
    let error = parse(&deep, Chip::Rv770).unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::TooDeep(256));
}

/// What is no operand is shown whole and in its place, also where it is the first.
#[test]
fn an_invalid_operand_is_named_at_its_position() {
    for (text, column, found) in [
        ("%0 = MUL_IEEE C0[1].x, 0x0", 15, "`C0[1].x`"),
        ("%0 = MUL_IEEE 0x0, C0[1].x", 20, "`C0[1].x`"),
        ("%0 = MUL_IEEE 2.0, 0x0", 15, "`2.0`"),
        ("%0 = MUL_IEEE , 0x0", 15, "`,`"),
        ("%0 = MUL_IEEE 0x0,", 19, "the end of the line"),
        ("%0 = LDS_READ_RET reads", 19, "`reads`"),
    ] {
        let wanted = "an operand such as %1, 0x3f800000 or c0[1].x";
        let want = format!("line 1, column {column}: expected {wanted}, found {found}");
        assert_eq!(parse(text, Chip::Cypress).unwrap_err().to_string(), want, "{text}");
    }
}

/// Lines that are cut short, or have a character too many or another one, are read or refused.
#[test]
fn broken_texts_do_no_harm() {
    let mut seen = 0;
    for path in super::passes::files() {
        let text = read(&path);
        // The places of one kind of line differ between texts.
        for (at, c) in text.char_indices().skip(text.len() % 7).step_by(7) {
            let (before, after) = (&text[..at], &text[at + c.len_utf8()..]);
            for other in ["", "%", "}", "9", "|ä"] {
                let refused = parse(&format!("{before}{other}{after}"), Chip::Cedar).is_err();
                seen += usize::from(refused);
            }
            let _ = parse(before, Chip::Cedar);
        }
    }
    assert!(seen > 1000, "{seen} texts were refused");
}
