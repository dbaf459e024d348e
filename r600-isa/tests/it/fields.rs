//! Every field of every layout: which bits hold it, what it is called in the types, and how listings show it.
//!
//! One description serves encoder, decoder and listings, so round trips cannot tell a field that is read from
//! the wrong word or not at all. Here bits are set in words where `spec/fields.ron` puts them, and what the
//! decoder makes of them is compared with a second table of the types' fields, and with `fields.golden`.
//! `UPDATE_GOLDEN=1 cargo test -p r600-isa --test it fields` rewrites the latter.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a program that cannot be encoded, or a table that cannot be read, fails the test"
)]

mod golden;
mod layouts;
mod spec;

use r600_isa::{
    AluDst, AluGroup, AluInst, AluOp, AluSel, AluSrc, Cf, CfAlu, CfFetch, CfFlow, CfOp, Chan,
    Clause, ClauseId, FetchInst, FetchOp, Generation, IndexMode, Layout as Places, PredSel,
    Program,
};

use self::layouts::{Inst, Layout, Set};
use self::spec::{Place, Spec};

/// `MOV R0.w, R0.x`.
fn mov() -> AluInst {
    AluInst {
        op: AluOp::Mov,
        dst: AluDst { chan: Chan::W, write: true, ..AluDst::default() },
        src: [AluSrc::new(AluSel::Gpr(0), Chan::X); 3],
        index_mode: IndexMode::ArX,
        pred_sel: PredSel::Off,
        bank_swizzle: 0,
        update_exec_mask: false,
        update_pred: false,
    }
}

fn end(generation: Generation) -> Cf {
    match generation {
        Generation::Cayman => Cf::Flow(CfFlow::new(CfOp::CfEnd)),
        _ => Cf::Flow(CfFlow { end_of_program: true, ..CfFlow::new(CfOp::Nop) }),
    }
}

fn group(insts: &[AluInst]) -> AluGroup {
    AluGroup { insts: insts.iter().copied().collect(), literals: Default::default() }
}

/// A program around an instruction, and the word where the instruction begins.
fn program(inst: &Inst, generation: Generation) -> (Program, usize) {
    let mut program = Program::new(generation);
    let (cf, clause, at) = match inst {
        Inst::Cf(cf @ Cf::Alu(_)) => (*cf, Some(Clause::Alu(vec![group(&[mov()])])), 0),
        Inst::Cf(cf @ Cf::Fetch(_)) => {
            (*cf, Some(Clause::Fetch(vec![FetchInst::new(FetchOp::Vfetch)])), 0)
        }
        Inst::Cf(cf) => (*cf, None, 0),
        Inst::Fetch(fetch) => {
            let cf = Cf::Fetch(CfFetch::new(CfOp::Tex, ClauseId(0)));
            (cf, Some(Clause::Fetch(vec![fetch.clone()])), 4)
        }
        Inst::Alu(alu) => {
            let cf = Cf::Alu(CfAlu::new(CfOp::Alu, ClauseId(0)));
            (cf, Some(Clause::Alu(vec![group(&[*alu, mov()])])), 4)
        }
    };
    program.cf = vec![cf, end(generation)];
    program.clauses.extend(clause);
    (program, at)
}

/// The instruction that stands where one like `base` is expected; `None` where there are words.
fn decoded(words: &[u32], base: &Inst, generation: Generation) -> Option<Inst> {
    let program = Program::decode(words, generation);
    Some(match base {
        Inst::Cf(_) => Inst::Cf(*program.cf.first().filter(|cf| !matches!(cf, Cf::Raw(_)))?),
        Inst::Fetch(_) => match program.clauses.first()? {
            Clause::Fetch(fetches) => {
                let fetch = fetches.first()?;
                Inst::Fetch(Some(fetch).filter(|own| !matches!(own, FetchInst::Raw(_)))?.clone())
            }
            _ => return None,
        },
        Inst::Alu(_) => match program.clauses.first()? {
            Clause::Alu(groups) => Inst::Alu(*groups.first()?.insts.first()?),
            _ => return None,
        },
    })
}

/// A layout on a generation: the words of a program with it, and the fields of each of its words.
struct Case<'l> {
    layout: &'l Layout,
    generation: Generation,
    words: Vec<u32>,
    /// The first word of the instruction.
    at: usize,
    /// The fields, with the word that they lie in.
    places: Vec<(usize, Place)>,
}

impl Case<'_> {
    /// What a field is in the type; `None` where other tests are about it.
    fn row(&self, place: &Place) -> Option<Set> {
        let field = place.field.as_str();
        if self.layout.opcode.contains(&field) || self.layout.computed.contains(&field) {
            return None;
        }
        let full = format!("{}.{field}", place.format);
        let mut own = self.layout.rows.iter().filter(|(name, _)| *name == field || *name == full);
        let row = own.next().unwrap_or_else(|| panic!("{}: no row for {full}", self.layout.name));
        assert!(own.next().is_none(), "{}: two rows for {full}", self.layout.name);
        Some(row.1)
    }

    fn with(&self, at: usize, place: &Place, value: u32) -> Vec<u32> {
        let mut words = self.words.clone();
        words[at] = place.put(words[at], value);
        words
    }
}

fn cases<'l>(spec: &Spec, layouts: &'l [Layout]) -> Vec<Case<'l>> {
    let each =
        layouts.iter().flat_map(|layout| layout.generations.iter().map(move |g| (layout, *g)));
    each.map(|(layout, generation)| {
        let (program, at) = program(&layout.inst, generation);
        let formats = layout.formats.iter().enumerate();
        let places = formats.flat_map(|(word, format)| {
            spec.places_of(format, generation).into_iter().map(move |place| (at + word, place))
        });
        Case { layout, generation, words: program.encode().unwrap(), at, places: places.collect() }
    })
    .collect()
}

/// Setting the bits of a field changes what the type calls it, and setting that changes these bits.
#[test]
fn each_field_is_where_the_table_puts_it() {
    let layouts = layouts::all();
    let mut count = 0;
    for case in cases(&Spec::read(), &layouts) {
        for (at, place) in &case.places {
            let Some(set) = case.row(place) else { continue };
            for value in place.values() {
                let words = case.with(*at, place, value);
                let mut expected = case.layout.inst.clone();
                let expected = set(&mut expected, value).map(|()| expected);
                let found = decoded(&words, &case.layout.inst, case.generation);
                assert_eq!(found, expected, "{} {place:?} {value}", case.layout.name);
                if let Some(inst) = expected {
                    let encoded = program(&inst, case.generation).0.encode().unwrap();
                    assert_eq!(encoded, words, "{} {place:?} {value}", case.layout.name);
                }
                count += 1;
            }
        }
    }
    println!("{count} values");
    assert!(count > 15_000);
}

/// A bit that belongs to no field is kept: as words.
#[test]
fn unused_bits_are_not_stored() {
    let layouts = layouts::all();
    let mut count = 0;
    for case in cases(&Spec::read(), &layouts) {
        for at in case.at..case.at + case.layout.formats.len() {
            let own = case.places.iter().filter(|(word, _)| *word == at);
            let taken = own.fold(0, |bits, (_, place)| bits | place.mask());
            for bit in (0..32).filter(|bit| taken >> bit & 1 == 0) {
                let mut words = case.words.clone();
                words[at] |= 1 << bit;
                let found = decoded(&words, &case.layout.inst, case.generation);
                let name = case.layout.name;
                assert_eq!(found, None, "{name} {:?}: bit {bit} of word {at}", case.generation);
                assert_eq!(Program::decode(&words, case.generation).encode().unwrap(), words);
                count += 1;
            }
        }
    }
    println!("{count} bits");
    assert!(count > 500);
}

/// The opcode of an instruction, whose fields tests of single fields leave alone.
#[test]
fn opcodes_are_where_the_table_puts_them() {
    let layouts = layouts::all();
    for case in cases(&Spec::read(), &layouts) {
        let inst = &case.layout.inst;
        let opcode = match inst {
            Inst::Cf(Cf::Export(export)) => export.op.opcode(case.generation),
            Inst::Cf(Cf::Memory(memory)) => memory.op.opcode(case.generation),
            Inst::Cf(Cf::Flow(flow)) => flow.op.opcode(case.generation),
            Inst::Cf(Cf::Fetch(fetch)) => fetch.op.opcode(case.generation),
            Inst::Cf(Cf::Alu(alu)) => alu.op.opcode(case.generation),
            Inst::Cf(_) => CfOp::WaveSync.opcode(case.generation),
            Inst::Fetch(fetch) => fetch.op().unwrap().opcode(case.generation),
            Inst::Alu(alu) => alu.op.opcode(case.generation),
        };
        let of = |name: &str| case.places.iter().rev().find(|(_, place)| place.field == name);
        let (at, place) = of(case.layout.opcode[0]).unwrap();
        let found = place.of(case.words[*at]);
        assert_eq!(Some(found), opcode.map(u32::from), "{} {place:?}", case.layout.name);
        assert_eq!(decoded(&case.words, inst, case.generation).as_ref(), Some(inst));
    }
}

/// Formats that no instruction of its own has: literals that drivers put after an access to local memory.
const LITERALS: [&str; 2] = ["ALU_WORD1_LDS_DIRECT_LITERAL_LO", "ALU_WORD1_LDS_DIRECT_LITERAL_HI"];

#[test]
fn every_format_is_part_of_a_layout() {
    let spec = Spec::read();
    let layouts = layouts::all();
    for place in spec.places() {
        let holds = |layout: &Layout| {
            layout.formats.contains(&place.format.as_str())
                && layout.generations.contains(&place.generation)
        };
        let is_literal = LITERALS.contains(&place.format.as_str());
        assert!(is_literal || layouts.iter().any(holds), "{place:?}");
    }
    assert!(spec.formats().count() > 40);
}

/// The words of a list whose first instruction is `cf`, with a clause at an address.
fn with_clause_at(cf: Cf, clause: Clause, addr: u32, generation: Generation) -> Vec<u32> {
    let program = Program {
        cf: vec![cf, end(generation)],
        clauses: vec![clause],
        layout: Some(Places { clauses: vec![addr], ..Places::default() }),
        ..Program::new(generation)
    };
    program.encode().unwrap()
}

/// Where a clause lies and how long it is: the instruction that runs it says both.
#[test]
fn places_and_lengths_of_clauses_are_where_the_table_puts_them() {
    let spec = Spec::read();
    for generation in Generation::ALL {
        let place = |format: &str, field: &str| spec.place(format, field, generation).unwrap();
        let alu = Cf::Alu(CfAlu::new(CfOp::Alu, ClauseId(0)));
        let fetch = Cf::Fetch(CfFetch::new(CfOp::Tex, ClauseId(0)));
        let groups = |count: u32| Clause::Alu(vec![group(&[mov()]); count as usize]);
        let fetches =
            |count: u32| Clause::Fetch(vec![FetchInst::new(FetchOp::Vfetch); count as usize]);
        for addr in [2, 4, 6, 8, 16, 32, 1 << 10, 1 << 15] {
            let words = with_clause_at(alu, groups(1), addr, generation);
            assert_eq!(place("CF_ALU_WORD0", "ADDR").of(words[0]), addr);
            let words = with_clause_at(fetch, fetches(1), addr, generation);
            assert_eq!(place("CF_WORD0", "ADDR").of(words[0]), addr);
            let decoded = Program::decode(&words, generation);
            assert_eq!(decoded.layout.map(|layout| layout.clauses), Some(vec![addr]));
        }
        for count in 1..=128 {
            let words = with_clause_at(alu, groups(count), 2, generation);
            assert_eq!(place("CF_ALU_WORD1", "COUNT").of(words[1]), count - 1);
            assert_eq!(Program::decode(&words, generation).clauses, [groups(count)]);
        }
        let low = place("CF_WORD1", "COUNT");
        let high = spec.place("CF_WORD1", "COUNT_3", generation);
        let max = match &high {
            Some(high) => (low.largest() + 1) * (high.largest() + 1),
            None => low.largest() + 1,
        };
        for count in 1..=max {
            let words = with_clause_at(fetch, fetches(count), 2, generation);
            let above = high.as_ref().map_or(0, |high| high.of(words[1]) << low.width);
            assert_eq!(low.of(words[1]) + above, count - 1, "{generation:?}");
            assert_eq!(Program::decode(&words, generation).clauses, [fetches(count)]);
        }
        let too_long = Program {
            cf: vec![fetch, end(generation)],
            clauses: vec![fetches(max + 1)],
            ..Program::new(generation)
        };
        assert!(too_long.encode().is_err(), "{generation:?}");
    }
}

/// Jumps say the address of an instruction, which an extended ALU instruction before it moves on.
#[test]
fn targets_are_addresses() {
    let spec = Spec::read();
    for generation in Generation::ALL {
        let place = spec.place("CF_WORD0", "ADDR", generation).unwrap();
        for target in 0..9 {
            let jump = Cf::Flow(CfFlow { target, ..CfFlow::new(CfOp::Jump) });
            let cf = [vec![jump], vec![Cf::Flow(CfFlow::new(CfOp::Nop)); 7], vec![end(generation)]];
            let program = Program { cf: cf.concat(), ..Program::new(generation) };
            let words = program.encode().unwrap();
            assert_eq!(place.of(words[0]), target);
            assert_eq!(Program::decode(&words, generation).cf, program.cf);
        }
    }
}

/// The last instruction of a group says so, and nothing else changes.
#[test]
fn the_last_of_a_group_has_its_bit() {
    let spec = Spec::read();
    for generation in Generation::ALL {
        let last = spec.place("ALU_WORD0", "LAST", generation).unwrap();
        for op in [AluOp::Mov, AluOp::Muladd] {
            let inst = AluInst { op, dst: AluDst::default(), ..mov() };
            let inner = inst.encode(generation, false).unwrap();
            let outer = inst.encode(generation, true).unwrap();
            assert_eq!(outer, [inner[0] | last.mask(), inner[1]]);
            assert_ne!(outer, inner);
        }
    }
}

/// Both instructions of an extended ALU clause have the barrier of the one.
#[test]
fn extensions_share_the_barrier() {
    for generation in [Generation::Evergreen, Generation::Cayman] {
        let alu = CfAlu { extended: true, barrier: false, ..CfAlu::new(CfOp::Alu, ClauseId(0)) };
        let inst = Inst::Cf(Cf::Alu(alu));
        let words = program(&inst, generation).0.encode().unwrap();
        assert_eq!([words[1] >> 31, words[3] >> 31], [0, 0]);
        assert_eq!(decoded(&words, &inst, generation), Some(inst));
    }
}

/// Bits that the reference's table calls unused, since Mesa reserves them, but older headers name.
const NAMED_ELSEWHERE: [&str; 1] = ["ELEM_LOOP"];

/// `spec/fields.ron` has the fields of the reference and those of [`NAMED_ELSEWHERE`], no more and no fewer.
#[test]
fn the_table_is_that_of_the_reference() {
    let Some(table) = test_support::shared_text("reference/r600/fields.tsv") else { return };
    let mut expected = Vec::new();
    for row in table.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [format, _, generations, field, lo, width, ..] = columns[..] else {
            panic!("too few columns: {row}")
        };
        if field == "(unused)" {
            continue;
        }
        for generation in generations.split(',') {
            expected.push(Place {
                format: format.to_owned(),
                field: field.to_owned(),
                generation: Generation::from_name(generation).unwrap(),
                lo: lo.parse().unwrap(),
                width: width.parse().unwrap(),
            });
        }
    }
    let mut places = Spec::read().places();
    places.retain(|place| !NAMED_ELSEWHERE.contains(&place.field.as_str()));
    places.sort();
    expected.sort();
    for (own, expected) in places.iter().zip(&expected) {
        assert_eq!(own, expected);
    }
    assert_eq!(places.len(), expected.len());
    println!("{} fields of a generation", places.len());
}
