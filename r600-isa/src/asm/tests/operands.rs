//! The meaning of every form of operand under every combination of signs, written out or as a definition.
//!
//! Round trips of words cannot find text that is read with a wrong meaning. So these texts are generated together with
//! their expected meaning.

use super::words;
use crate::Generation::{self, Cayman, Evergreen, R600, R700};
use crate::{AluInst, AluSel, Chan, Clause, IndexMode, InlineConst, Program};

/// The value of an operand before its signs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Read {
    /// A value, however it is encoded.
    Value(u32),
    /// A selector, a channel and perhaps an index.
    Selected(AluSel, Chan, Option<IndexMode>),
}

/// A form of an operand without signs.
struct Form {
    text: &'static str,
    read: Read,
    /// Generations that have the form.
    on: &'static [Generation],
}

const ALL: &[Generation] = &Generation::ALL;
const EARLY: &[Generation] = &[R600, R700];
const LATE: &[Generation] = &[Evergreen, Cayman];

const fn value(text: &'static str, bits: u32) -> Form {
    Form { text, read: Read::Value(bits), on: ALL }
}

const fn plain(text: &'static str, sel: AluSel, chan: Chan, on: &'static [Generation]) -> Form {
    Form { text, read: Read::Selected(sel, chan, None), on }
}

const fn indexed(
    text: &'static str,
    sel: AluSel,
    chan: Chan,
    index: IndexMode,
    on: &'static [Generation],
) -> Form {
    Form { text, read: Read::Selected(sel, chan, Some(index)), on }
}

const ONE: u32 = 0x3F80_0000;

const FORMS: &[Form] = &[
    value("0", 0),
    value("0.0", 0),
    value("1", 1),
    value("1.0", ONE),
    value("1.0f", ONE),
    value("0.5", 0x3F00_0000),
    value("1.5", 0x3FC0_0000),
    value("2.5e-3", 0x3B23_D70A),
    value("1e30", 0x7149_F2CA),
    value("(1.0)", ONE),
    value("(-1.0)", ONE | 1 << 31),
    value("(-0.5)", 0xBF00_0000),
    value("(-0.0)", 1 << 31),
    value("(1.5)", 0x3FC0_0000),
    value("(-1.5)", 0xBFC0_0000),
    value("(0x3f800000)", ONE),
    value("(0x3fc00000, 1.5)", 0x3FC0_0000),
    value("(0xbfc00000, -1.5).x", 0xBFC0_0000),
    value("(0x3f800000, 1.0).w", ONE),
    value("(0x80000000, -0.0).z", 1 << 31),
    value("(0x7fc00000, NaN).y", 0x7FC0_0000),
    plain("R1.y", AluSel::Gpr(1), Chan::Y, ALL),
    indexed("R1[AR.x].y", AluSel::Gpr(1), Chan::Y, IndexMode::ArX, ALL),
    indexed("R[AR.x+5].z", AluSel::Gpr(5), Chan::Z, IndexMode::ArX, ALL),
    indexed("R[5+AR].z", AluSel::Gpr(5), Chan::Z, IndexMode::ArX, ALL),
    indexed("R[AL+5].z", AluSel::Gpr(5), Chan::Z, IndexMode::Loop, ALL),
    plain("T2.w", AluSel::Gpr(126), Chan::W, ALL),
    plain("KC0[3].x", AluSel::Kcache { set: 0, index: 3 }, Chan::X, ALL),
    indexed("KC1[AR.x+31].w", AluSel::Kcache { set: 1, index: 31 }, Chan::W, IndexMode::ArX, ALL),
    plain("KC3[0].y", AluSel::Kcache { set: 3, index: 0 }, Chan::Y, LATE),
    plain("C5.x", AluSel::ConstFile(5), Chan::X, EARLY),
    plain("C255.w", AluSel::ConstFile(255), Chan::W, EARLY),
    indexed("C[AR.y+7].z", AluSel::ConstFile(7), Chan::Z, IndexMode::ArY, EARLY),
    plain("PV.z", AluSel::Pv, Chan::Z, ALL),
    plain("PV12.w", AluSel::Pv, Chan::W, ALL),
    plain("PS", AluSel::Ps, Chan::X, ALL),
    plain("PS3", AluSel::Ps, Chan::X, ALL),
    plain("PARAM3.y", AluSel::Param(3), Chan::Y, LATE),
    plain("LDS_OQ_A_POP", AluSel::Other(221), Chan::X, LATE),
    plain("SEL240.z", AluSel::Other(240), Chan::Z, ALL),
];

/// Signs around an operand: before it, before the bars, and within them.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Signs {
    outer: bool,
    bars: bool,
    inner: bool,
}

impl Signs {
    const ALL: [Self; 6] = [
        Self { outer: false, bars: false, inner: false },
        Self { outer: true, bars: false, inner: false },
        Self { outer: false, bars: true, inner: false },
        Self { outer: true, bars: true, inner: false },
        Self { outer: false, bars: true, inner: true },
        Self { outer: true, bars: true, inner: true },
    ];

    fn around(self, operand: &str) -> String {
        let minus = |has| if has { "-" } else { "" };
        let bar = if self.bars { "|" } else { "" };
        format!("{}{bar}{}{operand}{bar}", minus(self.outer), minus(self.inner))
    }

    /// The resulting modifiers: an absolute value, then a negation.
    fn meaning(self) -> Meaning {
        Meaning { abs: self.bars, neg: self.outer }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Meaning {
    abs: bool,
    neg: bool,
}

impl Meaning {
    /// These modifiers applied to an operand that already has others.
    fn around(self, inner: Self) -> Self {
        if self.abs { self } else { Self { abs: inner.abs, neg: inner.neg ^ self.neg } }
    }

    fn of(self, bits: u32) -> u32 {
        let magnitude = if self.abs { bits & !(1 << 31) } else { bits };
        magnitude ^ u32::from(self.neg) << 31
    }
}

/// The first instruction of `text` and the literals of its group. Also checks that the listing reads back as the same
/// words.
fn first_inst(text: &str, generation: Generation) -> (AluInst, Vec<u32>) {
    let found = words(text, generation);
    let program = Program::decode(&found, generation);
    let listing = program.to_string();
    assert_eq!(words(&listing, generation), found, "{text}{listing}");
    let Some(Clause::Alu(groups)) = program.clauses.first() else { unreachable!("{text}") };
    (groups[0].insts[0], groups[0].literals.to_vec())
}

/// Checks that `text` reads as `read` with the modifiers `meaning`.
fn check_source(text: &str, generation: Generation, read: Read, meaning: Meaning) {
    let (inst, literals) = first_inst(text, generation);
    let src = inst.src[0];
    let own = Meaning { abs: src.abs, neg: src.neg };
    let bits = match src.sel {
        AluSel::Literal => Some(literals[src.chan as usize]),
        AluSel::Inline(InlineConst::Zero) => Some(0),
        AluSel::Inline(InlineConst::One) => Some(ONE),
        AluSel::Inline(InlineConst::IntOne) => Some(1),
        AluSel::Inline(InlineConst::IntMinusOne) => Some(u32::MAX),
        AluSel::Inline(InlineConst::Half) => Some(0x3F00_0000),
        _ => None,
    };
    match read {
        Read::Value(want) => {
            assert_eq!(bits.map(|bits| own.of(bits)), Some(meaning.of(want)), "{text}");
        }
        Read::Selected(sel, chan, index) => {
            assert_eq!((src.sel, src.chan, own), (sel, chan, meaning), "{text}");
            assert_eq!(src.rel.then_some(inst.index_mode), index, "{text}");
        }
    }
}

/// Whether the signs leave the bits of the form's number alone: the sign of an integer is part of it and changes them.
fn is_plain_sign(form: &Form, signs: Signs) -> bool {
    !matches!(form.text, "0" | "1") || !(signs.inner || signs.outer && !signs.bars)
}

fn program(define: &str, operand: &str) -> String {
    format!("{define}ALU:\nx: ADD R0.x, {operand}, R2.x\nEND_OF_PROGRAM\n")
}

#[test]
fn operands_mean_what_they_say() {
    for form in FORMS {
        for signs in Signs::ALL.into_iter().filter(|signs| is_plain_sign(form, *signs)) {
            for &generation in form.on {
                let text = program("", &signs.around(form.text));
                check_source(&text, generation, form.read, signs.meaning());
            }
        }
    }
}

#[test]
fn definitions_keep_their_signs() {
    for form in FORMS {
        for own in Signs::ALL.into_iter().filter(|signs| is_plain_sign(form, *signs)) {
            let define = format!(".define it {}\n", own.around(form.text));
            for signs in Signs::ALL {
                let text = program(&define, &signs.around("it"));
                let meaning = signs.meaning().around(own.meaning());
                check_source(&text, form.on[0], form.read, meaning);
            }
        }
    }
}

/// A definition without a channel takes the channel given at its use, as source and as destination.
#[test]
fn definitions_take_a_channel() {
    let text = ".define it R1\nALU:\ny: ADD it.y, -it.z, |it.w|\nEND_OF_PROGRAM\n";
    let (inst, _) = first_inst(text, R700);
    assert_eq!((inst.dst.gpr, inst.dst.chan), (1, Chan::Y));
    assert_eq!((inst.src[0].chan, inst.src[0].neg), (Chan::Z, true));
    assert_eq!((inst.src[1].chan, inst.src[1].abs), (Chan::W, true));
    let text = ".define it R3.y\nALU:\ny: MOV it, it\nEND_OF_PROGRAM\n";
    let (inst, _) = first_inst(text, R700);
    assert_eq!((inst.dst.gpr, inst.src[0].chan), (3, Chan::Y));
    let text = ".define it R3.y\nALU:\nx: MOV it, 1.0\nEND_OF_PROGRAM\n";
    super::check(text, super::Code::Destination, "it");
    let text = ".define it -R3\nALU:\nx: MOV it.x, 1.0\nEND_OF_PROGRAM\n";
    assert_eq!(super::parse(text, R700).diagnostics.len(), 1);
}

/// A minus before hexadecimal digits negates by the type of the source. Each pair of operands gives the same words.
#[test]
fn signs_of_hexadecimal_numbers_are_those_of_the_source() {
    for (line, hexadecimal, other) in [
        ("MOV R0.x, {}", "|-0x40200000|", "|-2.5|"),
        ("MOV R0.x, {}", "-|-0x40200000|", "-|-2.5|"),
        ("MOV R0.x, {}", "|(-0x40200000)|", "|-2.5|"),
        ("CNDGT R0.x, {}, R1.x, R2.x", "-0x40200000", "-2.5"),
        ("CNDE R0.x, {}, R1.x, R2.x", "-0x3f800000", "-1.0"),
        ("CNDGE_INT R0.x, {}, R1.x, R2.x", "-0x10", "-16"),
        ("MOVA_FLOOR R0.x, {}", "-0x40200000", "-2.5"),
        ("MULADD R0.x, R1.x, {}, R2.x", "-0x40200000", "-2.5"),
        ("ADD_INT R0.x, R1.x, {}", "-0x10", "-16"),
        // Both negations of this number have the same bits.
        ("MOV R0.x, {}", "-0x40000000", "-2.0"),
    ] {
        let text = |operand: &str| format!("ALU:\nx: {}", line.replace("{}", operand));
        super::same(&text(hexadecimal), &text(other));
    }
    let define = ".define it -0x40200000\nALU:\nx: MOV R0.x, |it|";
    super::same(define, "ALU:\nx: MOV R0.x, |-2.5|");
}

#[test]
fn signs_that_can_mean_two_numbers_are_refused() {
    let message = "-0x3f800000 in MOV can mean a float or an integer";
    let help = "write 0xbf800000 for the float, or 0xc0800000 for the integer";
    let found = super::parse("ALU:\nx: MOV R0.x, -0x3f800000\nEND_OF_PROGRAM", R700).diagnostics;
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((&*found[0].message, found[0].help.as_deref()), (message, Some(help)));
    for line in [
        "x: MOV R0.x, -0x3f800000",
        "x: MOV R0.x, (-0x3f800000)",
        "x: CNDGT R0.x, R1.x, -0x3f800000, R2.x",
        "x: CNDE_INT R0.x, R1.x, R2.x, -0x3f800000",
    ] {
        super::check_slot(line, super::Code::Modifier, "0x3f800000");
    }
    let line = "x: LDS_WRITE R1.x, -0x3f800000";
    let text = format!("ALU:\n{line}\nEND_OF_PROGRAM");
    super::check_on(Evergreen, &text, super::Code::Modifier, "0x3f800000");
}
