//! Programs of another compiler, beside the repository where they are: decoded and encoded again.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a vector file that cannot be read fails the test"
)]

use std::collections::{BTreeMap, BTreeSet};

use r600_isa::verify::{Setting, Severity, Stage};
use r600_isa::{AluPart, Cf, Chip, Clause, FetchInst, Generation, Hazard, Program, Syntax, asm};
use test_support::shared_text;

/// The text between `"key": ` and the end of its value, for the flat objects of the vector files.
fn field<'l>(line: &'l str, key: &str) -> &'l str {
    let start = line.find(&format!("\"{key}\": ")).map(|at| at + key.len() + 4);
    let start = start.expect("every line has the key");
    let rest = &line[start..];
    let end = if rest.starts_with('[') { rest.find(']') } else { rest.find(',') };
    rest[..end.expect("the value is terminated")].trim_matches(['"', '['])
}

fn words_of(line: &str) -> Vec<u32> {
    field(line, "words")
        .split(", ")
        .map(|word| {
            let word = word.trim_matches('"');
            u32::from_str_radix(word.trim_start_matches("0x"), 16).expect("words are hexadecimal")
        })
        .collect()
}

fn generation_of(line: &str) -> Generation {
    match field(line, "generation") {
        "r600" => Generation::R600,
        "r700" => Generation::R700,
        "evergreen" => Generation::Evergreen,
        "cayman" => Generation::Cayman,
        other => panic!("unknown generation {other}"),
    }
}

fn number(line: &str, key: &str) -> usize {
    field(line, key).trim_matches(['}', ' ']).parse().unwrap()
}

/// What the record says of the program, beside what the crate says: stack, registers and statistics.
fn recorded_and_own(line: &str, program: &Program) -> [(&'static str, usize, usize); 9] {
    let chip = Chip::from_name(field(line, "chip")).unwrap();
    let stats = program.stats();
    [
        ("stack", program.stack_size(chip) as usize),
        ("gprs", stats.gprs),
        ("cf", stats.cf),
        ("clauses", stats.clauses),
        ("groups", stats.groups),
        ("alu", stats.alu_slots),
        ("lit", stats.literals),
        ("tex", stats.tex),
        ("vtx", stats.vtx),
    ]
    .map(|(key, own)| (key, number(line, key), own))
}

#[test]
fn statistics_and_stack_sizes_are_those_recorded() {
    for file in [RECORDED, RECORDED_LOOPS] {
        let Some(text) = shared_text(file) else { continue };
        let (mut count, mut deeper) = (0, 0);
        for line in text.lines() {
            let program = Program::decode(&words_of(line), generation_of(line));
            for (key, recorded, own) in recorded_and_own(line, &program) {
                if key == "stack" && own == recorded + 1 && is_known_to_be_shallow(line) {
                    let chip = Chip::from_name(field(line, "chip")).unwrap();
                    assert_eq!(program.least_stack_size(chip) as usize, recorded);
                    deeper += 1;
                    continue;
                }
                assert_eq!(
                    own,
                    recorded,
                    "{key} of {} {}",
                    field(line, "shader"),
                    field(line, "chip")
                );
            }
            count += 1;
        }
        println!("{file}: {count} programs, {deeper} with a stack size one larger than recorded");
        assert!(file.contains("loops") || deeper == 0);
    }
}

/// The recorded compiler's optimiser adds nothing for a first push on Cayman, as its plain generator does;
/// the larger size is the safe one, and the optimiser's is [`Program::least_stack_size`].
fn is_known_to_be_shallow(line: &str) -> bool {
    field(line, "generation") == "cayman" && field(line, "compiler").ends_with("-sb")
}

/// What a program's listing says assembles to its words.
fn check_text(program: &Program, words: &[u32]) {
    for text in [program.to_string(), program.listing_in(Syntax::Amd)] {
        match asm::assemble(&text, program.generation) {
            Ok(assembled) => assert_eq!(assembled, words, "{:?}\n{text}", program.generation),
            Err(found) => panic!("{:?} {words:x?}\n{text}\n{:#?}", program.generation, found[0]),
        }
    }
}

/// Instructions that are kept as raw words only.
fn num_raw(program: &Program) -> usize {
    let cfs = program.cf.iter().filter(|cf| matches!(cf, Cf::Raw(_))).count();
    let clauses = program.clauses.iter().map(|clause| match clause {
        Clause::Mixed(parts) => parts.iter().filter(|part| matches!(part, AluPart::Raw(_))).count(),
        Clause::Fetch(fetches) => {
            fetches.iter().filter(|fetch| matches!(fetch, FetchInst::Raw(_))).count()
        }
        Clause::Alu(_) => 0,
    });
    cfs + clauses.sum::<usize>()
}

/// What the record says of the state that a program runs with.
fn setting_of(line: &str) -> Setting {
    let is_pixel = field(line, "shader").starts_with("frag");
    Setting {
        stage: Some(if is_pixel { Stage::Pixel } else { Stage::Vertex }),
        chip: Chip::from_name(field(line, "chip")),
        num_gprs: u8::try_from(number(line, "gprs")).ok(),
        stack_size: u32::try_from(number(line, "stack")).ok(),
    }
}

#[test]
fn recorded_programs_decode_and_encode_to_the_same_words() {
    for (file, at_least) in [(RECORDED, 1840), (RECORDED_LOOPS, 100)] {
        let Some(text) = shared_text(file) else { continue };
        let (mut count, mut raw) = (0, 0);
        let mut warnings = BTreeMap::<&str, usize>::new();
        let mut refused = Vec::new();
        for line in text.lines() {
            let words = words_of(line);
            let program = Program::decode(&words, generation_of(line));
            assert_eq!(program.encode().unwrap(), words, "{}", field(line, "shader"));
            check_text(&program, &words);
            for found in program.verify_as(setting_of(line)) {
                match found.rule.severity() {
                    Severity::Error => refused.push(format!("{}: {found}", field(line, "shader"))),
                    Severity::Warning => *warnings.entry(found.rule.code()).or_default() += 1,
                }
            }
            raw += num_raw(&program);
            count += 1;
        }
        println!("{file}: {count} programs, {raw} instructions kept as raw words");
        println!("none refused; warnings by rule: {warnings:?}");
        assert!(
            refused.is_empty(),
            "{} findings, {:#?}",
            refused.len(),
            &refused[..refused.len().min(10)]
        );
        assert!(count >= at_least);
        assert_eq!(raw, 0, "every instruction of the recorded programs has a type");
    }
}

/// The main file of recorded programs: 230 shaders for four chips, by Mesa's plain generator (`nosb`) and its optimiser
/// (`sb`); and that of loops.
const RECORDED: &str = "vectors/r600-mesa.jsonl";
const RECORDED_LOOPS: &str = "vectors/r600-mesa-loops.jsonl";

/// Recorded programs that do not avoid a hazard as the verifier demands: file; compiler, rule and chip; how many.
///
/// - `V508`: the plain generator counts the stack in one of the two ways that are known to be safe, the verifier and the
///   optimiser want both: the outermost branch of a loop is at a border by one of them only.
/// - `V121`: in a few programs the optimiser reads an array by an index and directly in one group. Nobody has reported them
///   to fail; the rule stays a suspicion.
/// - `V214`: the optimiser reads an array by an index in the group after it has written an element by its number. Mesa's
///   NIR back end keeps those apart, but on chips of the first generation alone.
/// - `V130`: the plain generator puts multiply-adds into the trans slot; only the optimiser was found to keep them out.
/// - `V309`: the optimiser splits clauses of fetches by channels of registers, everyone else by registers.
///
/// No recorded shader kills, has local memory or barriers, or is a vertex shader that computes nothing.
const EXCEPTIONS: &[(&str, (&str, &str, &str), usize)] = &[
    (RECORDED, ("mesa21-nosb", "V130", "RV610"), 18),
    (RECORDED, ("mesa21-nosb", "V130", "RV770"), 18),
    (RECORDED, ("mesa21-nosb", "V508", "CEDAR"), 3),
    (RECORDED, ("mesa21-sb", "V121", "RV610"), 1),
    (RECORDED, ("mesa21-sb", "V121", "RV770"), 1),
    (RECORDED, ("mesa21-sb", "V214", "RV770"), 1),
    (RECORDED, ("mesa21-sb", "V309", "RV610"), 10),
    (RECORDED, ("mesa21-sb", "V309", "RV770"), 10),
    (RECORDED, ("mesa21-sb", "V309", "CEDAR"), 8),
    (RECORDED, ("mesa21-sb", "V309", "CAYMAN"), 8),
    (RECORDED_LOOPS, ("mesa21-sb", "V121", "CAYMAN"), 1),
    (RECORDED_LOOPS, ("mesa21-sb", "V121", "RV770"), 1),
    (RECORDED_LOOPS, ("mesa21-sb", "V309", "CAYMAN"), 1),
    (RECORDED_LOOPS, ("mesa21-sb", "V309", "RV770"), 2),
];

/// A rule that shipped drivers break on a large scale is no rule of the hardware: who breaks which is known.
#[test]
fn recorded_programs_avoid_hazards_but_for_known_ones() {
    let codes: Vec<&str> =
        Hazard::ALL.iter().flat_map(|hazard| hazard.info().checked_by).copied().collect();
    for file in [RECORDED, RECORDED_LOOPS] {
        let Some(text) = shared_text(file) else { continue };
        let mut programs = BTreeMap::<&str, usize>::new();
        let mut found = BTreeMap::<(&str, &str, &str), usize>::new();
        for line in text.lines() {
            let compiler = field(line, "compiler");
            *programs.entry(compiler).or_default() += 1;
            let findings =
                Program::decode(&words_of(line), generation_of(line)).verify_as(setting_of(line));
            let broken: BTreeSet<&str> = findings
                .iter()
                .map(|finding| finding.rule.code())
                .filter(|code| codes.contains(code))
                .collect();
            for code in broken {
                *found.entry((compiler, code, field(line, "chip"))).or_default() += 1;
            }
        }
        println!("{file}: {programs:?}, of which break {found:?}");
        let known = EXCEPTIONS.iter().filter(|(own, ..)| *own == file);
        let known: BTreeMap<(&str, &str, &str), usize> = known
            .map(|&(_, (compiler, code, chip), count)| ((compiler, code, chip), count))
            .collect();
        assert_eq!(found, known, "{file}");
    }
}

/// Recorded programs that set a predicate beside other operations of its group, by compiler: so many ran for years that
/// the suspicion against such groups ([`Hazard::PredicateInGroup`]) has no remedy.
const FILLED_PREDICATES: &[(&str, usize)] = &[("mesa21-sb", 12)];

#[test]
fn recorded_programs_set_predicates_in_filled_groups() {
    let Some(text) = shared_text(RECORDED) else { return };
    let mut found = BTreeMap::<&str, usize>::new();
    for line in text.lines() {
        let program = Program::decode(&words_of(line), generation_of(line));
        let groups = program.clauses.iter().flat_map(|clause| match clause {
            Clause::Alu(groups) => groups.as_slice(),
            Clause::Mixed(_) | Clause::Fetch(_) => &[],
        });
        let mut groups = groups.map(|group| &group.insts);
        let is_filled = groups.any(|insts| {
            let sets = insts.iter().filter(|inst| inst.op.sets_predicate()).count();
            sets > 0 && sets < insts.len()
        });
        *found.entry(field(line, "compiler")).or_default() += usize::from(is_filled);
    }
    found.retain(|_, count| *count > 0);
    assert_eq!(found, FILLED_PREDICATES.iter().copied().collect());
}

/// Makes the words one ALU clause, its groups ending often, and a list that runs it and then ends.
fn start_with_a_clause(words: &mut Vec<u32>) {
    words.extend([0x8000_0000, 0]);
    words.truncate(words.len() & !1);
    for (at, word) in words.iter_mut().enumerate() {
        // Without the top bits of the opcode every instruction has the two-source form.
        *word &= if at % 2 == 0 { u32::MAX } else { 0xFFFC_3FFF };
    }
    let count = words.len() as u32 / 2 - 1;
    // Cayman ends at the second instruction, the others at the third.
    words.splice(0..0, [3, 0xA000_0000 | count << 18, 0, 0x8800_0000, 0, 0x8020_0000]);
}

/// Words that the random test decodes; `R600_ISA_RANDOM_WORDS` asks for more.
fn num_random_words() -> usize {
    let asked = std::env::var("R600_ISA_RANDOM_WORDS").ok();
    asked.map_or(500_000, |asked| asked.parse().unwrap())
}

#[test]
fn any_words_decode_and_encode_to_the_same_words() {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as u32
    };
    let mut count = 0usize;
    for round in 0.. {
        if count >= num_random_words() {
            break;
        }
        let len = next() % 64;
        // Small numbers in the first words make addresses that lie within the program.
        let mask = if round % 2 == 0 { u32::MAX } else { 0xFFE0_003F };
        let mut words: Vec<u32> = (0..len).map(|_| next() & mask).collect();
        if round % 3 == 0 {
            start_with_a_clause(&mut words);
        }
        for generation in Generation::ALL {
            let program = Program::decode(&words, generation);
            assert_eq!(program.encode().unwrap(), words, "{generation:?} {words:x?}");
            check_text(&program, &words);
            let _ = program.verify();
            count += words.len();
        }
    }
    println!("{count} words");
}

#[test]
fn truncated_programs_are_data() {
    let words = [0xC000_8000, 0x9420_0688];
    let whole = Program::decode(&words, Generation::R700);
    assert!(matches!(whole.cf[..], [Cf::Export(_)]));
    for len in 0..2 {
        let program = Program::decode(&words[..len], Generation::R700);
        assert!(program.cf.is_empty());
        assert_eq!(program.encode().unwrap(), words[..len]);
    }
}

/// An unknown operation costs its own group only.
#[test]
fn groups_around_unknown_words_are_known() {
    let mov = [0x8000_0000, 0x0020_0C90];
    // Opcode 0x7F of a literal, with its pair of words.
    let unknown = [0x8000_00FD, 0x0000_3F90, 1, 0];
    let cf = [2, 0xA00C_0000, 0, 0x8020_0000];
    let words = [&cf[..], &mov, &unknown, &mov].concat();
    let program = Program::decode(&words, Generation::R700);
    let Clause::Mixed(parts) = &program.clauses[0] else { panic!("{program}") };
    assert!(
        matches!(&parts[..], [AluPart::Group(_), AluPart::Raw(raw), AluPart::Group(_)] if raw[..] == unknown),
        "{program}"
    );
    assert_eq!(program.encode().unwrap(), words);
    assert_eq!(program.stats().groups, 2);
    check_text(&program, &words);
}

#[test]
fn a_clause_out_of_range_stays_raw() {
    // An ALU clause of one slot at address 1000, then the end.
    let words = [1000, 0xA000_0000, 0, 0x8020_0000];
    let program = Program::decode(&words, Generation::R700);
    assert!(matches!(program.cf[0], Cf::Raw(_)));
    assert_eq!(program.encode().unwrap(), words);
}

/// An extended ALU instruction without clause stays raw, as two instructions: jumps go past both.
#[test]
fn jumps_pass_raw_extensions() {
    let words = [0, 0xB000_0000, 1000, 0xA000_0000, 3, 0x8280_0000, 0, 0x8020_0000];
    let program = Program::decode(&words, Generation::Evergreen);
    assert_eq!(program.cf.len(), 4, "{program}");
    assert_eq!(program.encode().unwrap(), words);
    check_text(&program, &words);
}
