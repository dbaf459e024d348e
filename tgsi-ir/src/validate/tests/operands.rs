//! Counts, files, declarations and subscripts of operands, at their limits.

use super::*;

/// The good shader with index register, buffer and these declarations, and these instructions in front.
fn addressed(
    declarations: impl IntoIterator<Item = Declaration>,
    instructions: impl IntoIterator<Item = Instruction>,
) -> Shader {
    let mut shader = with(instructions);
    shader.instructions.insert(0, op(Opcode::Arl, &[dst(File::Address, 0)], &[imm0()]));
    shader.declarations.push(Declaration::new(File::Address, 0, 0));
    shader.declarations.extend(declarations);
    shader
}

fn constants(dimension: Option<u16>, first: u16, last: u16) -> Declaration {
    Declaration { dimension, ..Declaration::new(File::Constant, first, last) }
}

/// Findings about constants, read by `instruction`, of which these are declared.
fn of_constants(declaration: Declaration, instruction: Instruction) -> Vec<String> {
    let mut shader = addressed([declaration], [instruction]);
    let uses_address = shader.instructions[1].src.iter().any(|src| src.reg.is_indirect());
    if !uses_address {
        shader.instructions.remove(0);
        shader.declarations.remove(4);
    }
    full(&shader)
}

fn load(index: i16) -> Instruction {
    op(Opcode::Load, &[temp0()], &[src(File::Constant, index), imm0()])
}

#[test]
fn counts_are_reported_in_words() {
    let of = |instruction| {
        let findings = validate(&with([instruction]), Profile::Full);
        assert_eq!(findings.len(), 1, "{findings:?}");
        (findings[0].message.clone(), findings[0].help.clone().unwrap_or_default())
    };
    let expected = |message: &str, help: &str| (message.to_owned(), help.to_owned());
    assert_eq!(
        of(op(Opcode::Mov, &[], &[imm0()])),
        expected("`MOV` has 1 destination, not 0", "write 1 destination before the sources")
    );
    assert_eq!(
        of(op(Opcode::Add, &[temp0()], &[imm0()])),
        expected("`ADD` has 2 sources, not 1", "write 2 sources after the destinations")
    );
    assert_eq!(
        of(op(Opcode::Nop, &[], &[imm0()])),
        expected("`NOP` has 0 sources, not 1", "write 0 sources after the destinations")
    );
}

#[test]
fn only_stores_and_fences_have_resources_as_destinations() {
    let of = |one| {
        let mut shader = with([one]);
        shader.declarations.push(Declaration::new(File::Buffer, 0, 0));
        shader.declarations.push(Declaration::new(File::Constbuf, 0, 0));
        let mut findings = full(&shader);
        findings.retain(|finding| !finding.contains("never used"));
        findings
    };
    let two = [imm0(), imm0()];
    let buffer = dst(File::Buffer, 0);
    assert_eq!(of(op(Opcode::Store, &[buffer], &two)), [""; 0]);
    assert_eq!(
        of(op(Opcode::Mfence, &[buffer], &[])),
        ["V506 `MFENCE` was removed after Mesa 17.2"],
    );
    assert_eq!(of(op(Opcode::Add, &[buffer], &two)), ["V202 `ADD` cannot write to `BUFFER[0]`"]);
    // An atomic gives back what was there.
    let atomic = |to| op(Opcode::Atomuadd, &[to], &[src(File::Buffer, 0), imm0(), imm0()]);
    assert_eq!(of(atomic(temp0())), [""; 0]);
    assert_eq!(of(atomic(buffer)), ["V202 `ATOMUADD` cannot write to `BUFFER[0]`"]);
    for (file, name) in
        [(File::Sampler, "SAMP"), (File::SamplerView, "SVIEW"), (File::Constbuf, "CONSTBUF")]
    {
        let stored = of(op(Opcode::Store, &[dst(file, 0)], &two));
        assert_eq!(stored, [format!("V202 `STORE` cannot write to `{name}[0]`")]);
    }
}

#[test]
fn a_file_that_does_not_exist_is_all_that_is_said() {
    let unknown = File::Unknown(77);
    assert_eq!(full_of([mov(dst(unknown, 0), imm0())]), ["V005 there is no register file 77"]);
    assert_eq!(full_of([mov(temp0(), src(unknown, 0))]), ["V005 there is no register file 77"]);
    assert_eq!(full_of([mov(temp0(), src(File::Null, 0))]), ["V005 `NULL` cannot be read"]);
    assert_eq!(full_of([mov(dst(File::Null, 0), imm0())]), [""; 0]);
    let nowhere = full_of([mov(dst(File::Null, 0).masked(WriteMask::NONE), imm0())]);
    assert_eq!(nowhere, ["V009 no channel of `NULL[0]` is written"]);
}

#[test]
fn a_register_that_is_not_declared_comes_with_what_is() {
    let of = |source| {
        let mut shader = with([mov(temp0(), source)]);
        shader.declarations.push(Declaration::new(File::Constant, 0, 3));
        shader.declarations.push(Declaration::new(File::Constant, 20, 20));
        let findings = validate(&shader, Profile::Full);
        let place = findings[0].related.first().map(|related| related.place.to_string());
        (findings[0].message.clone(), findings[0].help.clone().unwrap_or_default(), place)
    };
    let expected = |message: &str, help: &str, place: Option<&str>| {
        (message.to_owned(), help.to_owned(), place.map(str::to_owned))
    };
    assert_eq!(
        of(src(File::Immediate, 1)),
        expected("`IMM[1]` is not declared", "immediates are numbered from 0; there are 1", None)
    );
    let far = "declare it: `DCL CONST[15]`";
    assert_eq!(
        of(src(File::Constant, 15)),
        expected("`CONST[15]` is not declared", far, Some("declaration 5"))
    );
    let near = "declare it: `DCL CONST[4]`";
    assert_eq!(
        of(src(File::Constant, 4)),
        expected("`CONST[4]` is not declared", near, Some("declaration 4"))
    );
    let none = "declare it: `DCL IN[0]`";
    assert_eq!(of(src(File::Input, 0)), expected("`IN[0]` is not declared", none, None));
}

#[test]
fn a_register_that_is_not_known_has_no_usage_mask() {
    let narrow =
        Declaration { usage_mask: WriteMask::X, ..Declaration::new(File::Temporary, 2, 2) };
    let wide = Declaration::new(File::Temporary, 3, 3);
    let written = mov(Dst::new(indirect(reg(File::Temporary, 2), 0)), imm0());
    let read = mov(temp0(), Src::new(indirect(reg(File::Temporary, 2), 0)));
    assert_eq!(full(&addressed([narrow.clone(), wide], [written, read])), [""; 0]);
    let direct = |mask| with([mov(dst(File::Temporary, 2).masked(mask), imm0())]);
    for (mask, codes) in [(WriteMask::X, 0), (WriteMask::XY, 1), (WriteMask::Y, 1)] {
        let mut shader = direct(mask);
        shader.declarations.push(narrow.clone());
        let findings = full(&shader);
        assert_eq!(findings.len(), codes, "{findings:?}");
        let usage = format!("V203 `TEMP[2]{mask:?}` is written, but declared as `.x`");
        assert!(findings.iter().all(|finding| *finding == usage), "{findings:?}");
    }
}

#[test]
fn constants_are_read_with_as_many_subscripts_as_they_are_declared_with() {
    let of = |declared, reg| {
        let mut shader = with([mov(temp0(), Src::new(reg))]);
        shader.declarations.push(declared);
        let findings = validate(&shader, Profile::Full);
        let shown = |one: &Diagnostic| {
            format!("{} {}: {}", one.code, one.message, one.help.as_deref().unwrap_or_default())
        };
        findings.iter().map(shown).collect::<Vec<_>>()
    };
    let one = || constants(None, 1, 2);
    let two = |buffer| constants(Some(buffer), 1, 2);
    let (plain, of_buffer) =
        (reg(File::Constant, 1), |buffer| Register::new_2d(File::Constant, buffer, 1));
    assert_eq!(of(one(), plain), [""; 0]);
    assert_eq!(of(two(3), of_buffer(3)), [""; 0]);
    assert_eq!(
        of(one(), of_buffer(0)),
        ["V109 `CONST[0][1]` is declared as `CONST[1]`: write `CONST[1]`"]
    );
    assert_eq!(
        of(two(0), plain),
        ["V109 `CONST[1]` is declared as `CONST[0][1]`: write `CONST[0][1]`"]
    );
    let unused = |buffer: &str| {
        format!(
            "V014 `CONST{buffer}[1]` and those after it are never used: leave the declaration out"
        )
    };
    assert_eq!(
        of(one(), of_buffer(1)),
        ["V108 `CONST[1][1]` is declared with one subscript: write `CONST[1]`", &unused("")]
    );
    assert_eq!(
        of(two(1), plain),
        [
            "V108 `CONST[1]` is declared with two subscripts: \
             name the vertex or buffer first: `IN[vertex][0]`",
            &unused("[1]"),
        ]
    );
    assert_eq!(
        of(two(1), of_buffer(2))[0],
        "V007 `CONST[2][1]` is not declared: declare it: `DCL CONST[2][1]`"
    );
}

#[test]
fn constants_are_not_taken_for_registers_of_other_files() {
    let findings = of_constants(constants(Some(0), 1, 2), mov(temp0(), src(File::Input, 1)));
    assert_eq!(findings[0], "V007 `IN[1]` is not declared");
}

#[test]
fn a_constant_buffer_is_known_by_any_of_its_constants() {
    let unknown = |number| format!("V007 constant buffer `CONST[{number}]` is not declared");
    // Constants with one subscript are those of buffer 0, wherever they start.
    assert_eq!(of_constants(constants(None, 4, 7), load(0)), [""; 0]);
    assert_eq!(of_constants(constants(None, 4, 7), load(1)), [unknown(1)]);
    assert_eq!(of_constants(constants(Some(2), 4, 7), load(2)), [""; 0]);
    assert_eq!(of_constants(constants(Some(2), 4, 7), load(0)), [unknown(0)]);
    assert_eq!(of_constants(constants(Some(2), 4, 7), load(-1)), [unknown(-1)]);
    let any = Src::new(indirect(reg(File::Constant, 9), 0));
    let any = op(Opcode::Load, &[temp0()], &[any, imm0()]);
    assert_eq!(of_constants(constants(Some(2), 4, 7), any.clone()), [""; 0]);
    let none = full(&addressed([], [any]));
    assert_eq!(none, ["V007 constant buffer `CONST[ADDR[0].x+9]` is not declared"]);
}

#[test]
fn any_vertex_may_be_meant_of_registers_that_have_vertices() {
    let of = |index, declared: Declaration| {
        let mut from = Src::new(Register::new_2d(File::Input, 0, index));
        let address = indirect(reg(File::Input, 0), 0).indirect;
        from.reg.dimension = Some(Dimension { index: 0, indirect: address });
        let mut shader = addressed([declared], [mov(temp0(), from)]);
        shader.processor = Processor::TessEval;
        let mut findings = full(&shader);
        findings.retain(|finding| !finding.starts_with("V107"));
        findings
    };
    let generic = |index| with_semantic(File::Input, index, Semantic::Generic);
    assert_eq!(of(3, generic(3)), [""; 0]);
    assert_eq!(of(2, generic(3)), ["V007 `IN[ADDR[0].x][2]` is not declared"]);
    let patch = with_semantic(File::Input, 3, Semantic::Patch);
    assert_eq!(of(3, patch), ["V108 `IN[ADDR[0].x][3]` is declared with one subscript"]);
}

#[test]
fn arrays_have_a_first_and_a_last_register() {
    assert_eq!(full(&array(8, 1)), [""; 0]);
    assert_eq!(full(&array(11, 1)), [""; 0]);
    let outside =
        |index| format!("V104 the subscript starts at {index}, outside of array 1 (TEMP[8..11])");
    assert_eq!(full(&array(7, 1)), [outside(7)]);
    assert_eq!(full(&array(12, 1)), [outside(12)]);
    assert_eq!(full(&array(12, 0)), [""; 0]);
    assert_eq!(full(&array(8, 2)), ["V102 `TEMP` has no array 2"]);
}

#[test]
fn what_is_added_to_either_subscript_is_declared() {
    let address = indirect(reg(File::Constant, 0), 0).indirect;
    let mut both = Register::new_2d(File::Constant, 1, 0);
    both.dimension = Some(Dimension { index: 1, indirect: address });
    let mut shader = with([mov(temp0(), Src::new(both))]);
    shader.declarations.push(constants(Some(1), 0, 3));
    let codes = |shader: &Shader| -> Vec<String> {
        full(shader).iter().filter(|one| one.starts_with("V008")).cloned().collect()
    };
    assert_eq!(codes(&shader), ["V008 the index register `ADDR[0]` is not declared"]);
    shader.instructions[0].src[0].reg = indirect(Register::new_2d(File::Constant, 1, 0), 0);
    assert_eq!(codes(&shader), ["V008 the index register `ADDR[0]` is not declared"]);
    shader.declarations.push(Declaration::new(File::Address, 0, 0));
    assert_eq!(codes(&shader), [""; 0]);
}

#[test]
fn a_file_nothing_of_which_is_declared_cannot_be_subscripted() {
    let read = mov(temp0(), Src::new(indirect(reg(File::Input, 0), 0)));
    let findings = full(&addressed([], [read.clone()]));
    assert_eq!(findings, ["V007 no register of `IN` is declared"]);
    let declared = with_semantic(File::Input, 5, Semantic::Generic);
    assert_eq!(full(&addressed([declared.clone()], [read])), [""; 0]);
    let of_vertex = indirect(Register::new_2d(File::Input, 0, 0), 0);
    let mut shader = addressed([declared], [mov(temp0(), Src::new(of_vertex))]);
    shader.processor = Processor::TessEval;
    let findings = full(&shader);
    assert!(!findings.iter().any(|finding| finding.starts_with("V007")), "{findings:?}");
}

#[test]
fn roles_take_the_files_that_suit_them() {
    let sampled = |file| {
        let mut one = textured(Opcode::Tex, TextureTarget::D2);
        one.src[1] = src(file, 0);
        let mut shader = with([one]);
        shader.declarations.push(Declaration::new(File::Buffer, 0, 0));
        let mut findings = full(&shader);
        findings.retain(|finding| !finding.contains("never used"));
        findings
    };
    assert_eq!(sampled(File::Sampler), [""; 0]);
    // A handle.
    assert_eq!(sampled(File::Immediate), [""; 0]);
    let wanted = |name: &str| format!("V202 `TEX` wants a sampler or a handle here, not `{name}`");
    assert_eq!(sampled(File::Buffer), [wanted("BUFFER[0]")]);
    assert_eq!(sampled(File::SamplerView), [wanted("SVIEW[0]")]);
    let loaded = |file| {
        let mut shader = with([op(Opcode::Load, &[temp0()], &[src(file, 0), imm0()])]);
        shader.declarations.push(Declaration::new(File::Buffer, 0, 0));
        let mut findings = full(&shader);
        findings.retain(|finding| !finding.contains("never used"));
        findings
    };
    assert_eq!(loaded(File::Buffer), [""; 0]);
    assert_eq!(loaded(File::Immediate), [""; 0]);
    assert_eq!(
        loaded(File::Sampler),
        ["V202 `LOAD` wants a buffer, image, memory or a handle here, not `SAMP[0]`"]
    );
    let fetched = |file| full_of([op(Opcode::Fbfetch, &[temp0()], &[src(file, 0)])]);
    assert!(!fetched(File::Output).iter().any(|finding| finding.starts_with("V202")));
    assert_eq!(fetched(File::Immediate), ["V202 `FBFETCH` wants an output here, not `IMM[0]`"]);
    let interpolated = |file| full_of([op(Opcode::InterpCentroid, &[temp0()], &[src(file, 0)])]);
    assert_eq!(
        interpolated(File::Output)[0],
        "V202 `INTERP_CENTROID` wants an input here, not `OUT[0]`"
    );
    assert!(!interpolated(File::Temporary).iter().any(|finding| finding.starts_with("V202")));
    // What is not looked at may be anything.
    let unused = op(Opcode::Sfl, &[temp0()], &[src(File::Input, 3), src(File::Sampler, 0)]);
    assert_eq!(full_of([unused]), ["V506 `SFL` was removed after Mesa 10.4"]);
    assert_eq!(
        full_of([mov(temp0(), src(File::Sampler, 0))]),
        ["V202 `MOV` wants a value here, not `SAMP[0]`"]
    );
}

#[test]
fn registers_that_an_index_reaches_have_as_many_subscripts_as_it() {
    let one = |file| indirect(reg(file, 0), 0);
    let two = |file| indirect(Register::new_2d(file, 0, 0), 0);
    let of = |register, declared: Declaration| {
        let read = mov(temp0(), Src::new(register));
        let mut findings = full(&addressed([declared], [read]));
        findings.retain(|finding| !finding.contains("never used"));
        findings
    };
    let temporary = Declaration::new(File::Temporary, 20, 24);
    let want = ["V108 each `TEMP` is declared with one subscript"];
    assert_eq!(of(one(File::Temporary), temporary.clone()), [""; 0]);
    assert_eq!(of(two(File::Temporary), temporary), want);
    // `CONST[n]` is a constant of buffer 0.
    for (declared, is_one_good) in [(None, true), (Some(0), true), (Some(1), false)] {
        let want = match is_one_good {
            true => vec![],
            false => vec!["V108 each `CONST` is declared with two subscripts".to_owned()],
        };
        assert_eq!(of(one(File::Constant), constants(declared, 0, 3)), want, "{declared:?}");
        assert_eq!(of(two(File::Constant), constants(declared, 0, 3)), [""; 0]);
    }
    let other_buffer = indirect(Register::new_2d(File::Constant, 7, 0), 0);
    let want = ["V108 each `CONST` is declared with one subscript"];
    assert_eq!(of(other_buffer, constants(None, 0, 3)), want);
}

/// After more declarations than are searched for anything.
#[test]
fn an_index_without_a_vertex_may_reach_the_number_of_the_primitive() {
    let read = mov(temp0(), Src::new(indirect(reg(File::Input, 0), 0)));
    let of = |file| {
        let many = (10..5000).map(|n| Declaration::new(File::Temporary, n, n));
        let position = with_semantic(File::Input, 3, Semantic::Position);
        let number = with_semantic(file, 4, Semantic::Primid);
        let mut shader = addressed(many.chain([position, number]), [read.clone()]);
        shader.processor = Processor::Geometry;
        shader.declarations.retain(|d| d.file != File::Input || d.range.first >= 3);
        full(&shader).into_iter().filter(|finding| finding.starts_with("V108")).count()
    };
    assert_eq!(of(File::Input), 0);
    assert_eq!(of(File::SystemValue), 1);
    assert_eq!(of(File::Output), 1);
}
