//! Agreement with the vendor's disassembler: words, texts and refusals in `maxwell-tex.jsonl`.

use maxwell_tex::{
    Control, Instruction, Op, Severity, Slot, Sm, Syntax, Tex, Texture, asm, check, check_control,
    decode, encode,
};
use serde_json::Value;

/// A line of the vectors.
struct Case {
    sm: Sm,
    word: u64,
    control: Control,
    text: Option<String>,
    /// Whether the text gives the word back; bits without effect are not in it.
    canonical: bool,
    /// Whether it keeps to the rules: made so, or made by the vendor's compiler.
    legal: bool,
}

impl Case {
    fn parse(line: &str) -> Self {
        let json: Value = serde_json::from_str(line).expect("a line is JSON");
        let hex = |key: &str| {
            let text = json[key].as_str()?.strip_prefix("0x")?;
            u64::from_str_radix(text, 16).ok()
        };
        let sm = json["sm"].as_str().expect("a line has an SM");
        Self {
            sm: Sm::ALL.into_iter().find(|known| known.text() == sm).expect("the SM is known"),
            word: hex("word").expect("a line has a word"),
            control: hex("ctrl").map_or(Control::NONE, |group| Control::from_group(group as u32)),
            text: json["text"].as_str().map(str::to_owned),
            canonical: json["canonical"] != false,
            legal: ["legal", "ptxas"].iter().any(|kind| json["kind"] == *kind),
        }
    }
}

fn cases() -> Vec<Case> {
    let text = test_support::shared_text("vectors/maxwell-tex.jsonl");
    text.iter().flat_map(|text| text.lines()).map(Case::parse).collect()
}

fn print(word: u64, control: Control, sm: Sm) -> Option<String> {
    let op = Op::Texture(decode(word, sm).ok()?);
    Some(Slot { op, control }.listing(Syntax::Vendor).to_string())
}

#[test]
fn words_print_as_the_vendor_prints_them() {
    let cases = cases();
    let refused = cases.iter().filter(|case| case.text.is_none()).count();
    for case in &cases {
        let printed = print(case.word, case.control, case.sm);
        assert_eq!(printed, case.text, "{:#018x} for {}", case.word, case.sm);
    }
    println!(
        "{} words print alike, {refused} of {} are refused alike",
        cases.len() - refused,
        cases.len()
    );
}

#[test]
fn texts_assemble_to_their_words() {
    let mut compared = 0;
    for case in cases() {
        let Some(text) = case.text else { continue };
        let assembly = asm::parse(&text);
        assert_eq!(assembly.errors, [], "{text}");
        let [statement] = &assembly.statements[..] else { panic!("one statement: {text}") };
        let Op::Texture(instruction) = statement.slot.op else { panic!("a texture: {text}") };
        let word = encode(&instruction, case.sm).expect("the vendor's disassembler prints it");
        let want = if case.canonical { case.word } else { without_ignored_bits(case.word) };
        assert_eq!(word, want, "{text}");
        assert_eq!(statement.slot.control.phase, case.control.phase, "{text}");
        compared += 1;
    }
    println!("{compared} texts assemble to their words");
}

fn without_ignored_bits(word: u64) -> u64 {
    match Instruction::from_word(word) {
        Some(Instruction::Tex(tex)) => {
            let clean = Tex { texture: Texture::Bindless { ignored: 0 }, ..tex };
            Instruction::Tex(clean).to_word().expect("a TEX has a word")
        }
        Some(Instruction::Tlds(_)) | None => word,
    }
}

#[test]
fn words_are_unchanged_after_decoding_and_encoding() {
    let cases = cases();
    for case in &cases {
        let instruction = Instruction::from_word(case.word).expect("they are texture instructions");
        assert_eq!(instruction.to_word(), Ok(case.word));
        assert_eq!(Control::from_group(case.control.to_group()), case.control);
    }
    println!("{} words survive decoding", cases.len());
}

/// The rules find nothing in words that keep to them, which were made without this crate.
#[test]
fn legal_words_break_no_rule() {
    let legal: Vec<_> = cases().into_iter().filter(|case| case.legal).collect();
    for case in &legal {
        let instruction = decode(case.word, case.sm).expect("a legal word is not refused");
        let mut broken = check(&instruction, case.sm);
        broken.extend(check_control(&case.control));
        broken.retain(|finding| finding.rule.severity() == Severity::Error);
        assert_eq!(broken, [], "{instruction}");
    }
    println!("{} legal words break no rule", legal.len());
}
