//! The answers of Mesa's sanity checker, at their limits.

use super::*;
use crate::Primitive;

/// A shader with an input, every `count` vertices of which are read.
fn reads_vertices(
    processor: Processor,
    property: Option<(PropertyName, u32)>,
    count: i16,
) -> Shader {
    let mut shader = Shader::new(processor);
    if let Some((name, value)) = property {
        shader.properties.push(Property { name, values: [value].into_iter().collect() });
    }
    shader.declarations.push(with_semantic(File::Input, 0, Semantic::Generic));
    shader.declarations.push(Declaration::new(File::Temporary, 0, 0));
    for vertex in 0..count {
        shader.instructions.push(mov(temp0(), Src::new(Register::new_2d(File::Input, vertex, 0))));
    }
    shader.instructions.push(bare(Opcode::End));
    shader
}

#[test]
fn a_primitive_has_as_many_vertices_as_it_has() {
    let unused = "IN[0]: Register never used";
    let undeclared = |vertex| format!("IN[0][{vertex}]: Undeclared source register");
    for (primitive, vertices) in [
        (Primitive::Points.number(), 1),
        (Primitive::Lines.number(), 2),
        (Primitive::Triangles.number(), 3),
        (Primitive::TrianglesAdjacency.number(), 6),
        // What no geometry shader takes counts as a triangle.
        (Primitive::Polygon.number(), 3),
        (99, 3),
    ] {
        let property = Some((PropertyName::GsInputPrim, primitive.into()));
        let said = |count| mesa(&reads_vertices(Processor::Geometry, property, count));
        assert_eq!(said(vertices), [""; 0]);
        assert_eq!(said(vertices - 1)[0], unused);
        assert_eq!(said(vertices - 1).len(), 1 + usize::from(vertices == 1));
        assert_eq!(said(vertices + 1), [undeclared(vertices)]);
    }
}

#[test]
fn the_first_value_of_a_property_counts() {
    let points = Primitive::Points.number().into();
    let mut shader =
        reads_vertices(Processor::Geometry, Some((PropertyName::GsInputPrim, points)), 1);
    shader.properties[0].values.push(Primitive::Triangles.number().into());
    assert_eq!(mesa(&shader), [""; 0]);
    shader.properties[0].values.clear();
    // Without a value there are no vertices at all.
    assert_eq!(mesa(&shader), ["IN[0][0]: Undeclared source register"]);
}

#[test]
fn patches_have_32_vertices() {
    for processor in [Processor::TessCtrl, Processor::TessEval] {
        let said = |count| mesa(&reads_vertices(processor, None, count));
        assert_eq!(said(32), [""; 0]);
        assert_eq!(said(30), ["IN[0]: Register never used"; 2]);
        assert_eq!(said(33), ["IN[0][32]: Undeclared source register"]);
        let full_said = |count| {
            let mut findings = full(&reads_vertices(processor, None, count));
            findings.retain(|finding| !finding.starts_with("V503"));
            findings
        };
        assert_eq!(full_said(32), [""; 0]);
        assert_eq!(full_said(33), ["V007 `IN[32][0]` is not declared"]);
    }
}

#[test]
fn the_full_profile_counts_vertices_by_primitive_and_property() {
    let property = |primitive: u32| Some((PropertyName::GsInputPrim, primitive));
    let said = |primitive: Primitive, count| {
        let property = property(primitive.number().into());
        let findings = full(&reads_vertices(Processor::Geometry, property, count));
        findings.into_iter().filter(|one| one.starts_with("V007")).collect::<Vec<_>>()
    };
    assert_eq!(said(Primitive::Triangles, 3), [""; 0]);
    assert_eq!(said(Primitive::Triangles, 4), ["V007 `IN[3][0]` is not declared"]);
    assert_eq!(said(Primitive::Points, 2), ["V007 `IN[1][0]` is not declared"]);
    // The property is that of another stage.
    let mut other = reads_vertices(Processor::TessEval, property(0), 2);
    other.properties[0].name = PropertyName::GsInputPrim;
    assert!(!full(&other).iter().any(|one| one.starts_with("V007")));
}

#[test]
fn the_last_file_that_mesa_knows_is_the_fourteenth() {
    let said = |file| {
        let mut shader = Shader::new(Processor::Fragment);
        shader.declarations.push(Declaration::new(file, 0, 0));
        shader.instructions.push(bare(Opcode::End));
        mesa(&shader)
    };
    assert_eq!(said(File::HwAtomic), ["(null)[0]: Register never used"]);
    assert_eq!(said(File::Unknown(15)), ["(15): Invalid register file name"]);
    assert_eq!(said(File::Unknown(200)), ["(200): Invalid register file name"]);
    assert_eq!(said(File::Null), ["(0): Invalid register file name"]);
    // Files of older releases have no number today.
    assert_eq!(said(File::Predicate), ["(-1): Invalid register file name"]);
    assert_eq!(said(File::Constant), ["CONST[0]: Register never used"]);
    assert_eq!(said(File::Image), ["RES[0]: Register never used"]);
    assert_eq!(said(File::SamplerView), ["(null)[0]: Register never used"]);
}

#[test]
fn a_file_subscripted_by_a_register_is_used_as_a_whole() {
    let said = |from: Register| {
        let mut shader = Shader::new(Processor::Vertex);
        shader.declarations.push(Declaration::new(File::Constant, 0, 3));
        shader.declarations.push(Declaration::new(File::Temporary, 0, 0));
        shader.declarations.push(Declaration::new(File::Address, 0, 0));
        shader.instructions.push(op(
            Opcode::Arl,
            &[dst(File::Address, 0)],
            &[Src::new(reg(File::Constant, 0))],
        ));
        shader.instructions.push(mov(temp0(), Src::new(from)));
        shader.instructions.push(bare(Opcode::End));
        mesa(&shader)
    };
    assert_eq!(said(indirect(reg(File::Constant, 9), 0)), [""; 0]);
    assert_eq!(
        said(reg(File::Constant, 1)),
        ["CONST[2]: Register never used", "CONST[3]: Register never used"]
    );
    assert_eq!(
        said(indirect(reg(File::Input, 0), 0)),
        [
            "IN: Undeclared source register",
            "CONST[1]: Register never used",
            "CONST[2]: Register never used",
            "CONST[3]: Register never used",
        ]
    );
    assert_eq!(said(indirect(reg(File::Null, 0), 0))[0], "(0): Invalid register file name");
    assert_eq!(said(indirect(reg(File::Null, 0), 0))[1], "CONST[1]: Register never used");
    let mut other = indirect(reg(File::Constant, 0), 0);
    other.indirect = other.indirect.map(|one| Indirect { index: 1, ..one });
    assert_eq!(said(other), ["ADDR[1]: Undeclared indirect register"]);
}

#[test]
fn ends_counts_and_order_are_asked_of_each_instruction() {
    let mut shader = good();
    shader.instructions.push(bare(Opcode::End));
    assert_eq!(mesa(&shader)[0], "Too many END instructions");
    shader.instructions.clear();
    shader.instructions.push(op(Opcode::Add, &[], &[imm0()]));
    assert_eq!(
        mesa(&shader)[..3],
        [
            "ADD: Invalid number of destination operands, should be 1",
            "ADD: Invalid number of source operands, should be 2",
            "Missing END instruction",
        ]
    );
    let mut shader = good();
    for kind in [ItemKind::Declaration, ItemKind::Instruction, ItemKind::Declaration] {
        shader.note_order(kind);
    }
    let late = |shader: &Shader, what: &str| {
        let message = format!("Instruction expected but {what} found");
        mesa(shader).iter().filter(|one| **one == message).count()
    };
    // One declaration before the first instruction, the other three and the immediate after it.
    assert_eq!((late(&shader, "declaration"), late(&shader, "immediate")), (3, 1));
    assert_eq!((late(&good(), "declaration"), late(&good(), "immediate")), (0, 0));
}

#[test]
fn a_destination_has_channels() {
    let said = mesa(&with([mov(temp0().masked(WriteMask::NONE), imm0())]));
    assert_eq!(said[0], "Destination register has empty writemask");
}

#[test]
fn findings_end_at_their_limit() {
    let mut shader = Shader::new(Processor::Vertex);
    shader.declarations.push(Declaration::new(File::Temporary, 0, u16::MAX));
    for profile in [Profile::Mesa, Profile::Full] {
        shader.instructions.clear();
        let wrong = mov(dst(File::Output, 0), src(File::Input, 0));
        shader.instructions.extend(vec![wrong; MAX_DIAGNOSTICS]);
        assert_eq!(validate(&shader, profile).len(), MAX_DIAGNOSTICS, "{profile:?}");
    }
}
