//! Declarations and immediates among themselves, at their limits.

use super::*;
use crate::{Interp, Interpolation, Location, Streams};

fn with_declarations(declarations: impl IntoIterator<Item = Declaration>) -> Shader {
    let mut shader = good();
    shader.declarations.extend(declarations);
    shader
}

fn ranged(file: File, first: u16, last: u16) -> Declaration {
    Declaration::new(file, first, last)
}

#[test]
fn immediates_end_where_the_list_ends() {
    assert_eq!(full_of([mov(temp0(), imm0())]), [""; 0]);
    let findings = full_of([mov(temp0(), src(File::Immediate, 1))]);
    assert_eq!(findings, ["V007 `IMM[1]` is not declared"]);
    let findings = full_of([mov(temp0(), src(File::Immediate, i16::MAX))]);
    assert_eq!(findings, ["V007 `IMM[32767]` is not declared"]);
}

#[test]
fn unused_registers_are_reported_as_one_or_many() {
    let reported = |first, last| full(&with_declarations([ranged(File::Temporary, first, last)]));
    assert_eq!(reported(2, 2), ["V014 `TEMP[2]` is never used"]);
    assert_eq!(reported(2, 3), ["V014 `TEMP[2]` and those after it are never used"]);
}

#[test]
fn one_use_of_a_range_is_enough() {
    let shader = |index| {
        let mut shader = with([mov(dst(File::Temporary, index), imm0())]);
        shader.declarations.push(ranged(File::Temporary, 5, 7));
        full(&shader)
    };
    assert_eq!(shader(5), [""; 0]);
    assert_eq!(shader(7), [""; 0]);
    assert_eq!(shader(1), ["V014 `TEMP[5]` and those after it are never used"]);
}

#[test]
fn ranges_that_meet_are_declared_twice_where_they_do() {
    let reported = |first, last| {
        let mut findings = full(&with_declarations([ranged(File::Temporary, first, last)]));
        findings.retain(|finding| !finding.starts_with("V014"));
        findings
    };
    assert_eq!(reported(2, 4), [""; 0]);
    assert_eq!(reported(1, 4), ["V012 `TEMP[1]` is declared already"]);
    assert_eq!(reported(0, 4), ["V012 `TEMP[0..1]` is declared already"]);
    assert_eq!(reported(4, 4), [""; 0]);
    assert_eq!(reported(4, 3), ["V101 the range 4..3 is empty"]);
}

#[test]
fn inputs_may_be_declared_in_parts() {
    let reported = |first, mask| {
        let whole = Declaration { file: File::Input, ..generic(20, 4, 20, WriteMask::XY) };
        let part = Declaration { file: File::Input, ..generic(first, 4, first, mask) };
        let mut findings = full(&with_declarations([whole, part]));
        findings.retain(|finding| finding.starts_with("V012"));
        findings
    };
    let yz = WriteMask::from_bits(6);
    assert_eq!(reported(21, WriteMask::W), [""; 0]);
    assert_eq!(reported(22, yz), ["V012 `IN[22..23]` is declared already"]);
    assert_eq!(reported(24, yz), [""; 0]);
}

#[test]
fn the_number_of_a_primitive_is_read_with_or_without_a_vertex() {
    let reported = |semantic, dimension| {
        let mut shader = with_declarations([Declaration {
            file: File::Input,
            semantic: Some(crate::SemanticName {
                name: semantic,
                index: 0,
                streams: crate::Streams::default(),
            }),
            ..ranged(File::Input, 1, 1)
        }]);
        shader.processor = crate::Processor::Geometry;
        let mut reg = crate::Register::new(File::Input, 1);
        reg.dimension = dimension;
        shader.instructions.insert(0, mov(dst(File::Temporary, 0), crate::Src::new(reg)));
        let mut findings = full(&shader);
        findings.retain(|finding| finding.starts_with("V108"));
        findings
    };
    let vertex = Some(crate::Dimension { index: 0, indirect: None });
    assert_eq!(reported(crate::Semantic::Primid, None), [""; 0]);
    assert_eq!(reported(crate::Semantic::Primid, vertex), [""; 0]);
    assert_eq!(
        reported(crate::Semantic::Generic, None),
        ["V108 `IN[1]` is declared with two subscripts"]
    );
}

#[test]
fn interfaces_have_semantics() {
    let reported = |processor, file| {
        let mut shader = Shader::new(processor);
        shader.declarations.push(ranged(file, 3, 3));
        full(&shader).iter().any(|finding| finding.starts_with("V105"))
    };
    for processor in [Processor::Vertex, Processor::Compute] {
        assert!(!reported(processor, File::Input), "{processor:?}");
    }
    for processor in [Processor::Fragment, Processor::Geometry, Processor::TessEval] {
        assert!(reported(processor, File::Input), "{processor:?}");
    }
    for file in [File::Output, File::SystemValue] {
        assert!(reported(Processor::Vertex, file), "{file:?}");
    }
    assert!(!reported(Processor::Fragment, File::Temporary));
}

fn generic(register: u16, count: u16, index: u16, mask: WriteMask) -> Declaration {
    let mut declaration = with_semantic(File::Input, register, Semantic::Generic);
    declaration.range.last = register + count - 1;
    declaration.usage_mask = mask;
    if let Some(semantic) = &mut declaration.semantic {
        semantic.index = index;
    }
    declaration
}

/// The findings about inputs with generic semantics.
fn of_generics(declarations: impl IntoIterator<Item = Declaration>) -> Vec<String> {
    full(&with_declarations(declarations))
}

#[test]
fn ranges_take_as_many_semantics_as_registers() {
    let all = WriteMask::XYZW;
    let first = || generic(0, 3, 4, all);
    let twice = |index| [format!("V106 `GENERIC[{index}]` is the semantic of two declarations")];
    assert_eq!(of_generics([first(), generic(3, 1, 7, all)]), [""; 0]);
    assert_eq!(of_generics([first(), generic(3, 1, 6, all)]), twice(6));
    assert_eq!(of_generics([first(), generic(3, 1, 3, all)]), [""; 0]);
    assert_eq!(of_generics([first(), generic(3, 2, 3, all)]), twice(3));
    assert_eq!(of_generics([first(), generic(3, 1, 4, all)]), twice(4));
}

#[test]
fn declarations_share_a_semantic_by_channels() {
    let (xy, zw) = (WriteMask::XY, WriteMask::ZW);
    let halves = || [generic(0, 1, 0, xy), generic(1, 1, 0, zw)];
    assert_eq!(of_generics(halves()), [""; 0]);
    let twice = ["V106 `GENERIC[0]` is the semantic of two declarations"];
    for mask in [WriteMask::X, WriteMask::W] {
        assert_eq!(of_generics(halves().into_iter().chain([generic(2, 1, 0, mask)])), twice);
    }
    // A shorter range in between does not hide a longer one.
    let long = [generic(0, 6, 0, xy), generic(6, 1, 3, zw), generic(7, 1, 4, xy)];
    let findings = validate(&with_declarations(long), Profile::Full);
    assert_eq!(findings[0].message, "`GENERIC[4]` is the semantic of two declarations");
    assert_eq!(findings[0].related[0].place.to_string(), "declaration 4");
    assert_eq!(findings.len(), 1);
}

/// Outputs cannot share a semantic by channels: what helps is said for each file.
#[test]
fn the_help_suits_the_file() {
    let outputs = [0, 1].map(|register| with_semantic(File::Output, register, Semantic::Color));
    let inputs = [0, 1].map(|register| generic(register, 1, 0, WriteMask::XYZW));
    let help = |declarations: [Declaration; 2]| {
        let findings = validate(&with_declarations(declarations), Profile::Full);
        let of_rule = findings.into_iter().find(|one| one.code == Code::SemanticTwice);
        of_rule.and_then(|one| one.help)
    };
    let text = "give one of them another index, or write both in one register";
    assert_eq!(help(outputs).as_deref(), Some(text));
    assert_eq!(help(inputs).as_deref(), Some("give one of them another index, or other channels"));
}

#[test]
fn each_stream_has_outputs_of_its_own() {
    let of_streams = |streams: [u8; 2]| {
        let outputs = [0, 1].map(|register| {
            let mut output = with_semantic(File::Output, register, Semantic::Position);
            let own = streams[usize::from(register)];
            output.semantic.as_mut().expect("an output has a semantic").streams = Streams([own; 4]);
            output
        });
        let findings = validate(&with_declarations(outputs), Profile::Full);
        findings.into_iter().filter(|one| one.code == Code::SemanticTwice).count()
    };
    assert_eq!([of_streams([0, 1]), of_streams([1, 1])], [0, 1]);
}

#[test]
fn the_first_semantic_that_is_met_is_pointed_at() {
    let all = WriteMask::XYZW;
    let three = [generic(0, 1, 0, all), generic(1, 1, 1, all), generic(2, 2, 0, all)];
    let findings = validate(&with_declarations(three), Profile::Full);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].related[0].place.to_string(), "declaration 4");
}

#[test]
fn semantics_of_two_files_do_not_meet() {
    let mut shader = Shader::new(Processor::Vertex);
    shader.declarations.push(with_semantic(File::Input, 0, Semantic::Generic));
    shader.declarations.push(with_semantic(File::Output, 0, Semantic::Generic));
    shader.instructions.push(bare(Opcode::End));
    assert_eq!(full(&shader), [""; 0]);
}

#[test]
fn array_numbers_are_of_a_file() {
    let array =
        |file, first, number| Declaration { array_id: Some(number), ..ranged(file, first, first) };
    let reported = |file, number| {
        let mut findings =
            full(&with_declarations([array(File::Temporary, 20, 3), array(file, 30, number)]));
        findings.retain(|finding| !finding.starts_with("V014"));
        findings
    };
    assert_eq!(reported(File::Temporary, 3), ["V103 array 3 of `TEMP` is declared already"]);
    assert_eq!(reported(File::Temporary, 4), [""; 0]);
    assert_eq!(reported(File::Constant, 3), [""; 0]);
    let none = [array(File::Temporary, 20, 0), array(File::Temporary, 30, 0)];
    let findings = full(&with_declarations(none));
    assert!(findings.iter().all(|finding| finding.starts_with("V014")), "{findings:?}");
}

#[test]
fn items_after_the_first_instruction_are_late() {
    let reported = |order: &[ItemKind]| {
        let mut shader = good();
        for &kind in order {
            shader.note_order(kind);
        }
        full(&shader)
    };
    use ItemKind::{Declaration as D, Immediate as I, Instruction as N, Property as P};
    assert_eq!(reported(&[I, D, D, D, D, N, N, N]), [""; 0]);
    assert_eq!(reported(&[P, D, D, D, D, I, N]), [""; 0]);
    let (declaration, immediate) =
        ("V010 declaration after an instruction", "V011 immediate after an instruction");
    assert_eq!(reported(&[D, D, D, N, D, I]), [declaration, immediate]);
    assert_eq!(reported(&[D, D, N, D, D, N, I]), [declaration, declaration, immediate]);
    let mut shader = good();
    for kind in [D, D, D, N, D] {
        shader.note_order(kind);
    }
    let findings = validate(&shader, Profile::Full);
    assert_eq!(findings[0].place.to_string(), "declaration 3");
}

#[test]
fn numbers_of_declarations_mean_something() {
    let reported = |change: &dyn Fn(&mut Declaration)| {
        let mut declaration = with_semantic(File::Input, 0, Semantic::Generic);
        declaration.interp = Some(Interp {
            mode: Interpolation::Linear,
            location: Location::Center,
            cylindrical_wrap: WriteMask::NONE,
        });
        change(&mut declaration);
        let mut findings = full(&with_declarations([declaration]));
        findings.retain(|finding| finding.starts_with("V507"));
        findings
    };
    assert_eq!(reported(&|_| {}), [""; 0]);
    let interp = |mode, location| {
        move |one: &mut Declaration| {
            one.interp = Some(Interp { mode, location, cylindrical_wrap: WriteMask::NONE });
        }
    };
    assert_eq!(
        reported(&interp(Interpolation::Unknown(9), Location::Unknown(8))),
        ["V507 there is no interpolation mode 9", "V507 there is no location 8"]
    );
    assert_eq!(
        reported(&|one| *one = with_semantic(File::Input, 0, Semantic::Unknown(99))),
        ["V507 there is no semantic 99"]
    );
    assert_eq!(
        reported(&|one| {
            *one = ranged(File::SamplerView, 9, 9);
            one.attributes = FileAttributes::SamplerView(SamplerViewAttributes {
                target: TextureTarget::Other(77),
                return_types: [ReturnType::Float; 4],
            });
        }),
        ["V507 there is no kind of texture 77"]
    );
}

#[test]
fn indices_of_a_semantic_count_up_to_the_last() {
    let reported = |last| {
        let mut declaration = with_semantic(File::Input, 4, Semantic::Generic);
        declaration.range.last = last;
        declaration.semantic.as_mut().unwrap().index = u16::MAX - 1;
        let mut findings = full(&with_declarations([declaration]));
        findings.retain(|finding| finding.starts_with("V507"));
        findings
    };
    assert_eq!(reported(5), [""; 0]);
    assert_eq!(reported(6), ["V507 there is no semantic with the index 65536"]);
}

#[test]
fn what_cannot_be_declared_is_named() {
    let reported = |file| full(&with_declarations([ranged(file, 0, 0)]));
    assert_eq!(reported(File::Null), ["V005 `NULL` cannot be declared"]);
    assert_eq!(reported(File::Unknown(77))[0], "V005 there is no register file 77");
}

#[test]
fn a_buffer_that_a_register_picks_may_be_any() {
    let mut picked = Register::new_2d(File::Constant, 1, 0);
    picked.dimension =
        Some(Dimension { index: 1, indirect: indirect(reg(File::Constant, 0), 0).indirect });
    let mut shader = with([
        op(Opcode::Arl, &[dst(File::Address, 0)], &[imm0()]),
        mov(temp0(), Src::new(picked)),
    ]);
    shader.declarations.push(Declaration::new(File::Address, 0, 0));
    for buffer in 1..4 {
        let constants = Declaration::new(File::Constant, 0, 1);
        shader.declarations.push(Declaration { dimension: Some(buffer), ..constants });
    }
    assert_eq!(full(&shader), [""; 0]);
}
