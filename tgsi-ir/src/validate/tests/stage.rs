//! What each stage has.

use super::*;
use crate::Primitive;

use PropertyName as N;

/// A shader of this stage with what it has to state.
fn of_stage(processor: Processor) -> Shader {
    let mut shader = Shader::new(processor);
    let required: &[(N, u32)] = match processor {
        Processor::Geometry => &[
            (N::GsInputPrim, Primitive::Triangles.number().into()),
            (N::GsOutputPrim, Primitive::Points.number().into()),
            (N::GsMaxOutputVertices, 1),
        ],
        Processor::TessCtrl => &[(N::TcsVerticesOut, 3)],
        _ => &[],
    };
    for &(name, value) in required {
        shader.properties.push(Property { name, values: [value].into_iter().collect() });
    }
    shader.instructions.push(bare(Opcode::End));
    shader
}

const STAGES: [Processor; 6] = [
    Processor::Vertex,
    Processor::Fragment,
    Processor::Geometry,
    Processor::TessCtrl,
    Processor::TessEval,
    Processor::Compute,
];

/// Stages in which the finding with this code is made of a shader changed so.
fn reporting_stages(code: &str, change: impl Fn(&mut Shader)) -> Vec<Processor> {
    let reports = |processor: &Processor| {
        let mut shader = of_stage(*processor);
        change(&mut shader);
        full(&shader).iter().any(|finding| finding.starts_with(code))
    };
    STAGES.into_iter().filter(reports).collect()
}

#[test]
fn a_stage_with_what_it_needs_has_no_findings() {
    for processor in STAGES {
        assert_eq!(full(&of_stage(processor)), [""; 0], "{processor:?}");
    }
    let unknown = Shader { processor: Processor::Unknown(9), ..of_stage(Processor::Vertex) };
    assert_eq!(full(&unknown), ["V507 there is no stage 9"]);
}

#[test]
fn each_required_property_is_asked_for() {
    for (processor, count) in [(Processor::Geometry, 3), (Processor::TessCtrl, 1)] {
        for missing in 0..count {
            let mut shader = of_stage(processor);
            let name = shader.properties.remove(missing).name;
            let findings = full(&shader);
            assert_eq!(findings.len(), 1, "{findings:?}");
            let name = name.name().unwrap_or_default();
            let want = format!("shader without `{name}`");
            assert!(findings[0].ends_with(&want), "{findings:?}");
        }
    }
}

fn stated(processor: Processor, name: N, values: &[u32]) -> Vec<String> {
    let mut shader = of_stage(processor);
    shader.properties.retain(|property| property.name != name);
    shader.properties.push(Property { name, values: values.iter().copied().collect() });
    full(&shader)
}

#[test]
fn unknown_properties_are_named_by_number() {
    assert_eq!(stated(Processor::Vertex, N::Unknown(99), &[1]), ["V507 there is no property 99"]);
}

#[test]
fn values_of_properties_have_limits() {
    let primitive = |primitive: Primitive| u32::from(primitive.number());
    let (fragment, geometry) = (Processor::Fragment, Processor::Geometry);
    let cases: &[(Processor, N, &[u32], &[u32])] = &[
        (
            geometry,
            N::GsInputPrim,
            &[primitive(Primitive::Points), primitive(Primitive::TrianglesAdjacency)],
            &[primitive(Primitive::Quads), primitive(Primitive::Patches), 99, 256],
        ),
        (
            geometry,
            N::GsOutputPrim,
            &[
                primitive(Primitive::Points),
                primitive(Primitive::LineStrip),
                primitive(Primitive::TriangleStrip),
            ],
            &[primitive(Primitive::Lines), primitive(Primitive::Triangles), 99],
        ),
        (
            Processor::TessEval,
            N::TesPrimMode,
            &[
                primitive(Primitive::Lines),
                primitive(Primitive::Triangles),
                primitive(Primitive::Quads),
            ],
            &[primitive(Primitive::Points), primitive(Primitive::LineStrip), 99],
        ),
        (Processor::TessEval, N::TesSpacing, &[0, 1, 2], &[3, 256]),
        (Processor::TessCtrl, N::TcsVerticesOut, &[1, 32], &[0, 33, 256]),
        (geometry, N::GsInvocations, &[1, 32], &[0]),
        (geometry, N::GsMaxOutputVertices, &[1, 1024], &[0]),
        (fragment, N::FsCoordOrigin, &[0, 1], &[2, 256]),
        (fragment, N::FsCoordPixelCenter, &[0, 1], &[2, 256]),
        (fragment, N::FsDepthLayout, &[0, 4], &[5, 256]),
        (Processor::Vertex, N::NextShader, &[0, 5], &[6, 256]),
        (Processor::Vertex, N::NumClipdistEnabled, &[0, 8], &[9]),
        (Processor::Vertex, N::NumCulldistEnabled, &[0, 8], &[9]),
        (fragment, N::FsColor0WritesAllCbufs, &[0, 1, 7], &[]),
    ];
    for &(processor, name, possible, impossible) in cases {
        for &value in possible {
            assert_eq!(stated(processor, name, &[value]), [""; 0], "{value}");
        }
        let text = name.name().unwrap_or_default();
        for &value in impossible {
            let findings = stated(processor, name, &[value]);
            assert_eq!(findings, [format!("V504 `{text}` cannot be {value}")]);
        }
        let findings = stated(processor, name, &[]);
        assert!(findings.contains(&format!("V504 `{text}` has no value")), "{findings:?}");
    }
}

#[test]
fn the_first_value_of_a_property_counts() {
    assert_eq!(stated(Processor::Fragment, N::FsCoordOrigin, &[0, 7]), [""; 0]);
    assert_eq!(
        stated(Processor::Fragment, N::FsCoordOrigin, &[7, 0]),
        ["V504 `FS_COORD_ORIGIN` cannot be 7"]
    );
}

#[test]
fn properties_belong_to_the_stage_of_their_name() {
    let others = |stage| STAGES.into_iter().filter(|&one| one != stage).collect::<Vec<_>>();
    for (name, value, stage) in [
        (N::VsProhibitUcps, 1, Processor::Vertex),
        (N::FsCoordOrigin, 0, Processor::Fragment),
        (N::GsInvocations, 1, Processor::Geometry),
        (N::TesSpacing, 0, Processor::TessEval),
        (N::CsFixedBlockWidth, 1, Processor::Compute),
    ] {
        let reported = reporting_stages("V502", |shader| {
            shader.properties.push(Property { name, values: [value].into_iter().collect() });
        });
        assert_eq!(reported, others(stage), "{name:?}");
    }
    let everywhere = reporting_stages("V502", |shader| {
        let values = [0].into_iter().collect();
        shader.properties.push(Property { name: N::NumClipdistEnabled, values });
    });
    assert_eq!(everywhere, []);
}

/// The stages in which a file has such a semantic.
fn stages_with(file: File, semantic: Semantic) -> Vec<Processor> {
    let without = reporting_stages("V107", |shader| {
        shader.declarations.push(with_semantic(file, 0, semantic));
    });
    STAGES.into_iter().filter(|stage| !without.contains(stage)).collect()
}

#[test]
fn system_values_belong_to_stages() {
    use Processor::{Compute, Fragment, Geometry, TessCtrl, TessEval, Vertex};
    use Semantic as S;
    let cases: &[(&[Processor], &[Semantic])] = &[
        (&[Vertex], &[S::Vertexid, S::Basevertex, S::Instanceid, S::Drawid]),
        (&[Fragment], &[S::Sampleid, S::Samplepos, S::Samplemask, S::Face, S::Position]),
        (&[Geometry, TessCtrl], &[S::Invocationid]),
        (&[TessEval], &[S::Tesscoord]),
        (&[TessCtrl, TessEval], &[S::Tessouter, S::Tessinner, S::Verticesin]),
        (&[TessCtrl], &[S::TessDefaultOuterLevel]),
        (&[Compute], &[S::GridSize, S::BlockId, S::ThreadId]),
        (&[], &[S::Color, S::Generic, S::Patch, S::Fog]),
        (&STAGES, &[S::SubgroupSize, S::SubgroupInvocation, S::Primid]),
    ];
    for &(stages, semantics) in cases {
        for &semantic in semantics {
            assert_eq!(stages_with(File::SystemValue, semantic), stages, "{semantic:?}");
        }
    }
}

#[test]
fn inputs_and_outputs_have_semantics_by_stage() {
    use Processor::{Fragment, Geometry, TessCtrl, TessEval, Vertex};
    use Semantic as S;
    let (input, output) = (File::Input, File::Output);
    let cases: &[(File, Semantic, &[Processor])] = &[
        (input, S::Generic, &[Vertex, Fragment, Geometry, TessCtrl, TessEval]),
        (output, S::Generic, &[Vertex, Geometry, TessCtrl, TessEval]),
        (output, S::Position, &[Vertex, Fragment, Geometry, TessCtrl, TessEval]),
        (output, S::Stencil, &[Vertex, Fragment, Geometry, TessCtrl, TessEval]),
        (output, S::Psize, &[Vertex, Geometry, TessCtrl, TessEval]),
        (input, S::Patch, &[TessEval]),
        (output, S::Patch, &[TessCtrl]),
        (input, S::Tessouter, &[TessEval]),
        (output, S::Tessinner, &[TessCtrl]),
        (input, S::Vertexid, &[]),
        (output, S::Tesscoord, &[]),
        (File::Temporary, S::Generic, &STAGES),
    ];
    for &(file, semantic, stages) in cases {
        assert_eq!(stages_with(file, semantic), stages, "{file:?} {semantic:?}");
    }
}

#[test]
fn opcodes_belong_to_stages() {
    let with_opcode = |opcode| {
        reporting_stages("V501", move |shader| shader.instructions.insert(0, bare(opcode)))
    };
    let others: Vec<_> = STAGES.into_iter().filter(|&stage| stage != Processor::Geometry).collect();
    assert_eq!(with_opcode(Opcode::Emit), others);
    assert_eq!(with_opcode(Opcode::Nop), []);
}

#[test]
fn legacy_opcodes_come_with_what_is_written_today() {
    let of = |opcode: Opcode| {
        let sources = vec![imm0(); opcode.info().num_src.into()];
        let findings = validate(&with([op(opcode, &[temp0()], &sources)]), Profile::Full);
        let legacy = findings.into_iter().find(|one| one.code == Code::LegacyOpcode);
        legacy.and_then(|one| one.help)
    };
    for (opcode, help) in [
        (Opcode::Sub, "write `ADD` with a negated second source"),
        (Opcode::Abs, "write `MOV` with the source between bars"),
        (Opcode::Dot3, "write `DP3`"),
        // Another name of a legacy opcode.
        (Opcode::Crs, "`tgsi modernise` rewrites it with today's opcodes"),
        (Opcode::Xpd, "`tgsi modernise` rewrites it with today's opcodes"),
    ] {
        assert_eq!(of(opcode).as_deref(), Some(help), "{opcode}");
    }
    assert_eq!(of(Opcode::Add), None);
}
