//! Every legal combination, from request to word and back; then each with one thing wrong.

use std::collections::BTreeMap;

use maxwell_tex::pack::{Access, Content, Data, LodArg, Packed, Request, TextureArg, pack};
use maxwell_tex::{
    ComponentMask, Instruction, Lod, Op, ParamA, Reg, Rule, Slot, Sm, Syntax, TexIndex, TexModes,
    TldsForm, TldsMask, TldsModes, Value, asm, check, decode, encode,
};

/// All combinations of TEX that the documents allow.
fn tex_modes() -> Vec<TexModes> {
    let mut all = Vec::new();
    for param in ParamA::ALL.into_iter().filter(|param| !param.is_reserved()) {
        for lod in Lod::ALL.into_iter().filter(|lod| !lod.is_reserved()) {
            for bits in 0..16u8 {
                let [lc, aoffi, dc, bindless] = [8, 4, 2, 1].map(|bit| bits & bit != 0);
                all.push(TexModes { param, lod, lc, aoffi, dc, bindless });
            }
        }
    }
    all.retain(|modes| {
        !(modes.aoffi && modes.param.is_cube() || modes.dc && modes.param == ParamA::D3)
    });
    all
}

fn lod_arg(lod: Lod) -> LodArg<&'static str> {
    match lod {
        Lod::Lz => LodArg::Zero,
        Lod::Lb => LodArg::Bias("lod"),
        Lod::Ll => LodArg::Level("lod"),
        Lod::Lba => LodArg::AveragedBias("lod"),
        Lod::Lla => LodArg::AveragedLevel("lod"),
        Lod::Implicit | Lod::Reserved4 | Lod::Reserved5 => LodArg::Implicit,
    }
}

fn base(param: ParamA, lod: Lod) -> Request<&'static str> {
    let coords = ["s", "t", "r"][..param.num_coords()].to_vec();
    let array = param.is_array().then_some("array");
    let index = TexIndex::new(0x50).expect("it is small");
    Request { array, lod: lod_arg(lod), ..Request::new(param, index, coords) }
}

fn tex_request(modes: &TexModes) -> Request<&'static str> {
    let mut request = base(modes.param, modes.lod);
    request.clamp = modes.lc.then_some("clamp");
    request.offsets = modes.aoffi.then_some("aoffi");
    request.reference = modes.dc.then_some("dc");
    if modes.bindless {
        request.texture = TextureArg::Bindless("handle");
    }
    request
}

fn tlds_request(modes: &TldsModes, mask: TldsMask, data: Data) -> Request<&'static str> {
    let mut request = base(modes.param, modes.lod);
    request.access = Access::Load;
    request.offsets = modes.aoffi.then_some("aoffi");
    request.sample = modes.ms.then_some("ms");
    request.mask = mask.components();
    request.data = data;
    request
}

fn contents(sources: &[maxwell_tex::pack::Source<&'static str>]) -> String {
    let names: Vec<_> = sources
        .iter()
        .map(|source| match &source.content {
            Content::Whole(name) => (*name).to_owned(),
            Content::ArrayClamp { array, .. } => format!("lodclamp|{}", array.unwrap_or("0")),
        })
        .collect();
    if names.is_empty() { "RZ".to_owned() } else { names.join(",") }
}

/// Assembles, packs, judges, encodes, decodes and prints back.
fn check_all_ways(instruction: Instruction, sm: Sm) {
    assert_eq!(check(&instruction, sm), [], "{instruction}");
    let word = encode(&instruction, sm).expect("it is legal");
    assert_eq!(decode(word, sm), Ok(instruction), "{instruction}");
    for syntax in [Syntax::Document, Syntax::Vendor] {
        let text = Slot::plain(Op::Texture(instruction)).listing(syntax).to_string();
        let assembly = asm::parse(&text);
        assert_eq!(assembly.errors, [], "{text}");
        assert_eq!(assembly.slots(), [Slot::plain(Op::Texture(instruction))], "{text}");
    }
}

/// Whether `sm` has all that the modes ask for.
fn exists(modes: &TexModes, sm: Sm) -> bool {
    sm.has_sparse() || !modes.lc
}

#[test]
fn every_combination_of_tex_round_trips() {
    let mut count = 0;
    for modes in tex_modes() {
        for bits in 1..16 {
            let mut request = tex_request(&modes);
            request.mask = ComponentMask::new(bits).expect("four bits");
            for sm in Sm::ALL.into_iter().filter(|&sm| exists(&modes, sm)) {
                let packed = pack(&request, sm).expect("it is legal");
                let Instruction::Tex(tex) = packed.instruction else { panic!("TEX only") };
                assert_eq!((tex.modes(), tex.wmsk), (modes, request.mask));
                check_all_ways(packed.instruction, sm);
                count += 1;
            }
        }
    }
    assert_eq!(tex_modes().len(), 528);
    println!("{count} combinations of TEX, mask and SM");
}

#[test]
fn every_combination_of_tlds_round_trips() {
    let mut count = 0;
    for form in TldsForm::ALL {
        let Some(modes) = form.modes() else { continue };
        for mask in TldsMask::ALL.into_iter().filter(|mask| !mask.is_reserved()) {
            for (data, sm) in
                [(Data::Word, Sm::Sm50), (Data::Word, Sm::Sm53), (Data::Half, Sm::Sm52)]
            {
                let packed = pack(&tlds_request(&modes, mask, data), sm).expect("it is legal");
                let Instruction::Tlds(tlds) = packed.instruction else { panic!("TLDS only") };
                assert_eq!((tlds.form, tlds.mask, tlds.f16), (form, mask, data == Data::Half));
                check_all_ways(packed.instruction, sm);
                count += 1;
            }
        }
    }
    assert_eq!(count, 9 * 13 * 3);
    println!("{count} combinations of TLDS, mask, width and SM");
}

#[test]
fn packing_is_that_of_the_reference() {
    let Some(table) = test_support::shared_text("reference/maxwell/tex_packing.tsv") else {
        return;
    };
    let mut by_modes = BTreeMap::new();
    for row in table.lines().skip(1) {
        let columns: Vec<_> = row.split('\t').collect();
        let key = [0, 2, 4, 5, 6, 7].map(|at| columns[at].to_owned());
        by_modes.insert(key, (columns[10].to_owned(), columns[13].to_owned()));
    }
    let digit = |flag: bool| u8::from(flag).to_string();
    for modes in tex_modes() {
        let packed = pack(&tex_request(&modes), Sm::Sm52).expect("it is legal");
        let lod = if modes.lod == Lod::Implicit { "-" } else { modes.lod.text() };
        let TexModes { param, lc, aoffi, dc, bindless, .. } = modes;
        let flags = [lc, aoffi, dc, bindless].map(digit);
        let [lc, aoffi, dc, bindless] = flags;
        let key = [param.text().to_owned(), lod.to_owned(), lc, aoffi, dc, bindless];
        let want = by_modes.remove(&key).expect("the reference has the row");
        assert_eq!((contents(&packed.ra), contents(&packed.rb)), want, "{key:?}");
    }
    assert!(by_modes.is_empty(), "{by_modes:?}");
    println!("528 rows of packing agree");
}

#[test]
fn results_are_those_of_the_reference() {
    let Some(table) = test_support::shared_text("reference/maxwell/tlds_dest.tsv") else { return };
    let mut rows = 0;
    for row in table.lines().skip(1) {
        let columns: Vec<_> = row.split('\t').collect();
        let mask = TldsMask::ALL
            .into_iter()
            .find(|mask| mask.text() == columns[2])
            .expect("the mask is known");
        assert_eq!(
            (mask.code(), mask.needs_rd1()),
            (columns[3].parse().expect("a code"), columns[1] != "RZ")
        );
        let data = if columns[0] == "1" { Data::Half } else { Data::Word };
        let modes = TldsForm::D2Lz.modes().expect("the form is not reserved");
        let packed = pack(&tlds_request(&modes, mask, data), Sm::Sm52).expect("it is legal");
        let all = described(&packed);
        let want = [columns[6], columns[9]].map(|text| text.replace("RZ", "")).join("/");
        assert_eq!(all, want, "{row}");
        rows += 1;
    }
    println!("{rows} rows of results agree");
}

/// What TLDS writes, in the reference's words: `+0=R +1=G` or `lo=R hi=0`, Rd1 after a slash.
fn described(packed: &Packed<&str>) -> String {
    use maxwell_tex::Written::{Halves, Word};
    let Instruction::Tlds(tlds) = packed.instruction else { return String::new() };
    let mut parts = [Vec::new(), Vec::new()];
    for write in packed.writes() {
        let is_second = tlds.mask.needs_rd1() && write.reg >= tlds.rd1;
        let first = if is_second { tlds.rd1 } else { tlds.rd0 };
        parts[usize::from(is_second)].push(match write.result {
            Word(component) => format!("+{}={component}", write.reg.code() - first.code()),
            Halves(low, None) => format!("lo={low} hi=0"),
            Halves(low, Some(high)) => format!("lo={low} hi={high}"),
        });
    }
    parts.map(|parts| parts.join(" ")).join("/")
}

/// The instruction with one register changed, and the rule that this breaks.
fn spoiled(instruction: Instruction, rb_values: usize) -> Vec<(Instruction, Rule)> {
    let mut all = Vec::new();
    let mut spoil = |change: &dyn Fn(&mut Instruction), rule| {
        let mut changed = instruction;
        change(&mut changed);
        all.push((changed, rule));
    };
    spoil(&|inst| *ra(inst) = Reg::RZ, Rule::RaRz);
    if rb_values > 0 {
        spoil(&|inst| *rb(inst) = Reg::RZ, Rule::RbRz);
    }
    if rb_values > 1 {
        spoil(&|inst| *rb(inst) = Reg::from_code(101), Rule::RbAlign);
    }
    if instruction.ra_values().len() > 1 {
        spoil(&|inst| *ra(inst) = Reg::from_code(101), Rule::RaAlign);
    }
    if instruction.ra_values().len() == 4 {
        spoil(&|inst| *ra(inst) = Reg::from_code(252), Rule::VecRange);
    }
    if rb_values == 0 {
        let rule = match instruction {
            Instruction::Tex(_) => Rule::RbUnused,
            Instruction::Tlds(_) => Rule::RbMustBeRz,
        };
        spoil(&|inst| *rb(inst) = Reg::from_code(100), rule);
    }
    all
}

fn ra(instruction: &mut Instruction) -> &mut Reg {
    match instruction {
        Instruction::Tex(tex) => &mut tex.ra,
        Instruction::Tlds(tlds) => &mut tlds.ra,
    }
}

fn rb(instruction: &mut Instruction) -> &mut Reg {
    match instruction {
        Instruction::Tex(tex) => &mut tex.rb,
        Instruction::Tlds(tlds) => &mut tlds.rb,
    }
}

#[test]
fn one_wrong_register_breaks_one_rule() {
    let mut requests: Vec<_> = tex_modes().iter().map(tex_request).collect();
    for form in TldsForm::ALL {
        let Some(modes) = form.modes() else { continue };
        let masks = TldsMask::ALL.into_iter().filter(|mask| !mask.is_reserved());
        requests.extend(masks.map(|mask| tlds_request(&modes, mask, Data::Word)));
    }
    let mut count = 0;
    for request in &requests {
        let packed = pack(request, Sm::Sm53).expect("it is legal");
        for (changed, rule) in spoiled(packed.instruction, packed.rb.len()) {
            let found: Vec<_> =
                check(&changed, Sm::Sm53).iter().map(|finding| finding.rule).collect();
            assert_eq!(found, [rule], "{changed}");
            count += 1;
        }
    }
    println!("{count} breaches of {} combinations", requests.len());
}

#[test]
fn nearest_chooses_the_form_with_fewer_registers() {
    let chosen = |param, lod, mask: &str| {
        let mut request = base(param, lod);
        request.access = Access::Nearest;
        request.mask = maxwell_tex::Component::ALL
            .into_iter()
            .filter(|component| mask.contains(&component.to_string()))
            .collect();
        pack(&request, Sm::Sm52).expect("TEX supports every mask").instruction.to_string()
    };
    assert_eq!(chosen(ParamA::D2, Lod::Lz, "RGBA"), "TLDS.LZ R2, R0, R4, R5, 0x50, 2D, RGBA;");
    // No mask of TLDS has R and B alone, so that it would write a third register.
    assert_eq!(chosen(ParamA::D2, Lod::Lz, "RB"), "TEX.LZ R0, R2, 0x50, 2D, 0x5;");
    // TLDS has no row for it.
    assert_eq!(chosen(ParamA::D3, Lod::Ll, "R"), "TEX.LL R0, R4, R7, 0x50, 3D, 0x1;");
}

#[test]
fn loads_without_a_mask_of_their_own_write_more() {
    let mut request = base(ParamA::D2, Lod::Lz);
    request.access = Access::Load;
    request.mask = [maxwell_tex::Component::R, maxwell_tex::Component::B].into_iter().collect();
    let packed = pack(&request, Sm::Sm50).expect("a longer mask covers it");
    assert_eq!(packed.instruction.to_string(), "TLDS.LZ R2, R0, R3, R4, 0x50, 2D, RGB;");
    assert_eq!(packed.ra[0].value, Value::S);
}
