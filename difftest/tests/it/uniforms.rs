//! Constants in the registers of the constant file, as the Wii U's uniform registers are.

use difftest::case::{Companions, Compile, NoProgram, Program, Target, key_of, stage};
use difftest::fired::Fired;
use difftest::harness::Harness;
use difftest::link;
use difftest::placement::Placement;
use r600_codegen::abi::Uniforms;
use r600_codegen::{Compiled, Compiler, OptLevel, Options};
use r600_isa::{AluSel, Chip, Clause};
use tgsi_ir::Shader;

struct WithRegisters;

impl WithRegisters {
    fn compiled(shader: &Shader, target: Target) -> Compiled {
        let key = key_of(shader).uniforms(Uniforms::Registers);
        let mut options = Options::default().level(target.level).precise(target.precise).key(key);
        options.passes.verify_each = true;
        Compiler::new(options).unwrap().compile(shader, target.chip).unwrap()
    }
}

impl Compile for WithRegisters {
    fn compile(&self, shader: &Shader, target: Target) -> Result<Program, NoProgram> {
        let compiled = Self::compiled(shader, target);
        Ok(Program {
            stage: stage(shader.processor, &key_of(shader)),
            state: link::registers(&compiled, target.chip),
            placement: Placement::of(&compiled, shader, target.chip),
            fired: Fired::of(&compiled),
            words: compiled.words,
            counters: compiled.counters,
            companions: Companions::None,
        })
    }
}

/// More constants in one operation than a group can read, modifiers, the last register, and a branch on one.
const SHADERS: [&str; 2] = [
    "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0..255]
DCL TEMP[0..1]
MAD TEMP[0], CONST[0], CONST[1].wzyx, -CONST[2]
MAD TEMP[0], TEMP[0], |CONST[7].xxyy|, CONST[255]
DP4 TEMP[1].x, CONST[3], CONST[4]
IF CONST[9].xxxx
ADD TEMP[0], TEMP[0], CONST[10].yyyy
ELSE
MUL TEMP[0], TEMP[0], TEMP[1].xxxx
ENDIF
MUL OUT[0], TEMP[0], IN[0]
END
",
    "VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL CONST[0][0..7]
DP4 OUT[0].x, IN[0], CONST[0][0]
DP4 OUT[0].y, IN[0], CONST[0][1]
DP4 OUT[0].z, IN[0], CONST[0][2]
DP4 OUT[0].w, IN[0], CONST[0][3]
RSQ OUT[1].x, |CONST[0][4].xxxx|
MOV OUT[1].yzw, CONST[0][5]
END
",
];

#[test]
fn constants_of_the_file_are_read_as_those_of_a_buffer() {
    let chips = [Chip::Rv610, Chip::Rv770, Chip::Latte];
    for text in SHADERS {
        let parsed = tgsi_text::parse(text);
        assert_eq!(parsed.diagnostics, []);
        let harness = Harness {
            compiler: &WithRegisters,
            targets: Target::all(&chips),
            seed: 1,
            must_compile: true,
        };
        let summary = harness.check(&parsed.shader).unwrap_or_else(|report| panic!("{report}"));
        assert!(summary.programs > 0 && summary.unfinished() == 0, "{text}");
    }
}

/// A program has one or the other.
#[test]
fn no_line_of_a_buffer_is_locked() {
    for text in SHADERS {
        let shader = tgsi_text::parse(text).shader;
        let target = Target { chip: Chip::Latte, level: OptLevel::O2, precise: false };
        let program = WithRegisters::compiled(&shader, target).program;
        let groups = program.clauses.iter().flat_map(|clause| match clause {
            Clause::Alu(groups) => groups.as_slice(),
            _ => &[],
        });
        let sources: Vec<AluSel> = groups
            .flat_map(|group| &group.insts)
            .flat_map(|inst| inst.src[..inst.num_src()].iter().map(|src| src.sel))
            .collect();
        assert!(sources.iter().any(|sel| matches!(sel, AluSel::ConstFile(_))), "{program}");
        assert!(!sources.iter().any(|sel| matches!(sel, AluSel::Kcache { .. })), "{program}");
    }
}
