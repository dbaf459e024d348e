//! Shaders that read and change images and buffers, on the chips that have them: what they see is what the
//! interpreter says.

use crate::support;

use difftest::case::{Compile as _, OurCompiler, Target};
use r600_codegen::OptLevel;
use r600_isa::{AluInst, AluOp, Chip, Clause, FetchInst, Program};

const CHIPS: [Chip; 3] = [Chip::Cedar, Chip::Cypress, Chip::Cayman];

/// Fetches of buffers in the code of `text` for Cayman.
fn num_fetches(text: &str) -> usize {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    let target = Target { chip: Chip::Cayman, level: OptLevel::O2, precise: false };
    let words = OurCompiler.compile(&parsed.shader, target).unwrap().words;
    let program = Program::decode(&words, target.chip.generation());
    let fetches = program.clauses.iter().map(|clause| match clause {
        Clause::Fetch(fetches) => {
            fetches.iter().filter(|fetch| matches!(fetch, FetchInst::Vtx(_))).count()
        }
        Clause::Alu(_) | Clause::Mixed(_) => 0,
    });
    fetches.sum()
}

/// Compares a fragment shader of this code, which leaves integers in `TEMP[0]`.
fn check(code: &str) {
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\n\
         DCL BUFFER[0]\nDCL BUFFER[1]\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32G32B32A32_UINT, WR\n\
         DCL IMAGE[1], 1D_ARRAY, PIPE_FORMAT_R32_UINT, WR\n\
         DCL IMAGE[2], CUBEARRAY, PIPE_FORMAT_R32_UINT, WR\n\
         DCL IMAGE[3], 2D_MSAA, PIPE_FORMAT_R32G32B32A32_UINT\nDCL IMAGE[4], 2D_ARRAY_MSAA, PIPE_FORMAT_R32_UINT\n\
         DCL IMAGE[5], BUFFER, PIPE_FORMAT_R32G32B32A32_UINT, WR\nDCL TEMP[0..7]\nDCL ADDR[0]\n\
         IMM[0] UINT32 {{0, 4, 8, 12}}\nIMM[1] UINT32 {{1, 3, 5, 1000}}\nIMM[2] FLT32 {{0.0, 3.0, 0.5, 1.0}}\n\
         IMM[3] UINT32 {{65535, 0, 0, 0}}\nMIN TEMP[7], |IN[0]|, IMM[2].yyyy\nMAX TEMP[7], TEMP[7], IMM[2].xxxx\nF2U TEMP[7], TEMP[7]\n\
         {code}AND TEMP[0], TEMP[0], IMM[3].xxxx\nU2F OUT[0], TEMP[0]\nEND\n"
    );
    support::agrees(&text, &CHIPS);
}

#[test]
fn words_of_buffers() {
    check("LOAD TEMP[0], BUFFER[0], IMM[0].zzzz\n");
    check("SHL TEMP[1].x, TEMP[7].xxxx, IMM[1].yyyy\nLOAD TEMP[0].xy, BUFFER[1], TEMP[1].xxxx\n");
    // Outside there are zeros.
    check("LOAD TEMP[0], BUFFER[0], IMM[1].wwww\n");
    check(
        "STORE BUFFER[0].xz, IMM[0].yyyy, TEMP[7]\nMEMBAR IMM[0].yyyy\nLOAD TEMP[0], BUFFER[0], IMM[0].yyyy\n",
    );
    check(
        "LOAD TEMP[1].x, BUFFER[0], IMM[0].yyyy\nSTORE BUFFER[0].x, IMM[0].yyyy, TEMP[7].xxxx\n\
           LOAD TEMP[2].x, BUFFER[0], IMM[0].yyyy\nMOV TEMP[0], TEMP[1].xxxx\nMOV TEMP[0].y, TEMP[2].xxxx\n",
    );
    check("RESQ TEMP[0].x, BUFFER[0]\n");
}

#[test]
fn texels_of_images() {
    check("LOAD TEMP[0], IMAGE[0], TEMP[7], 2D\n");
    check(
        "STORE IMAGE[0].xyzw, TEMP[7].xxxx, TEMP[7].yzwx, 2D\nLOAD TEMP[0], IMAGE[0], TEMP[7].xxxx, 2D\n",
    );
    check(
        "STORE IMAGE[1].xyzw, TEMP[7].xyyy, TEMP[7].yzwx, 1D_ARRAY\n\
           LOAD TEMP[0], IMAGE[1], TEMP[7].xyyy, 1D_ARRAY\n",
    );
    check("RESQ TEMP[0].xyz, IMAGE[0], 2D\n");
    check("RESQ TEMP[0].xyz, IMAGE[2], CUBEARRAY\n");
    check("RESQ TEMP[0], IMAGE[5], BUFFER\n");
    check(
        "STORE IMAGE[5].xyzw, TEMP[7].xxxx, TEMP[7].yzwx, BUFFER\nLOAD TEMP[0], IMAGE[5], TEMP[7].xxxx, BUFFER\n",
    );
}

#[test]
fn samples_of_images() {
    check("LOAD TEMP[0], IMAGE[3], TEMP[7], 2D_MSAA\n");
    check("LOAD TEMP[0], IMAGE[4], TEMP[7].wxyz, 2D_ARRAY_MSAA\n");
    // Outside there are zeros.
    check("MOV TEMP[7].w, IMM[0].yyyy\nLOAD TEMP[0], IMAGE[3], TEMP[7], 2D_MSAA\n");
    check("RESQ TEMP[0], IMAGE[3], 2D_MSAA\n");
    check("RESQ TEMP[0], IMAGE[4], 2D_ARRAY_MSAA\n");
    check("RESQ TEMP[0], IMAGE[0], 2D\n");
}

#[test]
fn atomic_operations() {
    let both = [
        "ATOMUADD", "ATOMXCHG", "ATOMAND", "ATOMOR", "ATOMXOR", "ATOMUMIN", "ATOMUMAX", "ATOMIMIN",
        "ATOMIMAX",
    ];
    for op in both {
        check(&format!(
            "{op} TEMP[1].x, BUFFER[1], IMM[0].yyyy, TEMP[7].xxxx\n\
             {op} TEMP[2].x, IMAGE[0], TEMP[7].yyyy, TEMP[7].xxxx, 2D\nMOV TEMP[0], TEMP[1].xxxx\n\
             MOV TEMP[0].y, TEMP[2].xxxx\nLOAD TEMP[3].xy, BUFFER[1], IMM[0].yyyy\n\
             MOV TEMP[0].zw, TEMP[3].xxxy\n"
        ));
    }
    // The text of these takes no shape, so that they change buffers only.
    for op in ["ATOMINC_WRAP", "ATOMDEC_WRAP"] {
        check(&format!(
            "{op} TEMP[0], BUFFER[1], IMM[0].yyyy, TEMP[7].xxxx\n\
             LOAD TEMP[3].xy, BUFFER[1], IMM[0].yyyy\nMOV TEMP[0].zw, TEMP[3].xxxy\n"
        ));
    }
    check(
        "LOAD TEMP[4].x, BUFFER[1], IMM[0].zzzz\n\
           ATOMCAS TEMP[0], BUFFER[1], IMM[0].zzzz, TEMP[4].xxxx, TEMP[7].xxxx\n\
           ATOMCAS TEMP[1].x, BUFFER[1], IMM[0].wwww, IMM[1].yyyy, TEMP[7].xxxx\n\
           LOAD TEMP[2].xy, BUFFER[1], IMM[0].zzzz\nMOV TEMP[0].yz, TEMP[2].xxyy\n",
    );
}

#[test]
fn accesses_in_branches_and_loops_and_after_kills() {
    check(
        "SLT TEMP[1].x, IN[0].xxxx, IN[1].xxxx\nIF TEMP[1].xxxx\nATOMUADD TEMP[0], BUFFER[0], IMM[0].xxxx, \
           IMM[1].xxxx\nELSE\nSTORE BUFFER[0].x, IMM[0].zzzz, IMM[1].yyyy\nENDIF\n\
           LOAD TEMP[2].xyz, BUFFER[0], IMM[0].xxxx\nMOV TEMP[0].yzw, TEMP[2].xxyz\n",
    );
    check(
        "BGNLOOP\nUSGE TEMP[1].x, TEMP[1].yyyy, IMM[1].zzzz\nUIF TEMP[1].xxxx\nBRK\nENDIF\n\
           UADD TEMP[1].y, TEMP[1].yyyy, IMM[1].xxxx\nLOAD TEMP[2].x, BUFFER[0], IMM[0].yyyy\n\
           UADD TEMP[0], TEMP[0], TEMP[2].xxxx\nSTORE BUFFER[0].x, IMM[0].yyyy, TEMP[1].yyyy\nENDLOOP\n",
    );
    check(
        "SLT TEMP[1].x, IN[0].xxxx, IN[1].xxxx\nIF TEMP[1].xxxx\nKILL\nENDIF\n\
           ATOMUADD TEMP[0], BUFFER[0], IMM[0].xxxx, IMM[1].xxxx\n",
    );
}

#[test]
fn indexed_resources() {
    let number = "AND TEMP[6].x, TEMP[7].xxxx, IMM[1].xxxx\nUARL ADDR[0].x, TEMP[6].xxxx\n";
    check(&format!("{number}LOAD TEMP[0], BUFFER[ADDR[0].x], IMM[0].zzzz\n"));
    check(&format!(
        "{number}STORE BUFFER[ADDR[0].x].xz, IMM[0].yyyy, TEMP[7]\nLOAD TEMP[0], BUFFER[0], IMM[0].yyyy\n\
         LOAD TEMP[1], BUFFER[1], IMM[0].yyyy\nXOR TEMP[0], TEMP[0], TEMP[1]\n"
    ));
    check(&format!(
        "{number}ATOMUADD TEMP[0], BUFFER[ADDR[0].x], IMM[0].yyyy, TEMP[7].xxxx\n\
         LOAD TEMP[1], BUFFER[1], IMM[0].yyyy\nXOR TEMP[0], TEMP[0], TEMP[1].xxxx\n"
    ));
    check(&format!(
        "{number}STORE IMAGE[ADDR[0].x].xyzw, TEMP[7].xyyy, TEMP[7].yzwx, 1D_ARRAY\n\
         LOAD TEMP[0], IMAGE[1], TEMP[7].xyyy, 1D_ARRAY\nRESQ TEMP[1].x, BUFFER[ADDR[0].x]\n\
         XOR TEMP[0], TEMP[0], TEMP[1].xxxx\n"
    ));
}

/// Compares the words of constant buffers on all chips, in fragment and vertex shaders.
fn check_constants(code: &str) {
    let body = format!(
        "DCL CONST[0][0..15]\nDCL CONST[1][0..15]\nDCL TEMP[0..3]\nDCL ADDR[0]\nDCL CONSTBUF[0..1]\n\
         IMM[0] UINT32 {{0, 4, 24, 44}}\nIMM[1] UINT32 {{1, 63, 2, 255}}\n\
         MIN TEMP[3].x, |IN[0].xxxx|, CONST[0][0].yyyy\nF2U TEMP[3], TEMP[3].xxxx\n\
         AND TEMP[3].x, TEMP[3].xxxx, IMM[1].yyyy\n{code}MOV OUT[0], TEMP[0]\nEND\n"
    );
    let fragment = format!("FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n{body}");
    let vertex = format!("VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n{body}");
    for text in [fragment, vertex] {
        support::agrees(&text, &[Chip::Rv610, Chip::Rv770, Chip::Cedar, Chip::Cayman]);
    }
}

#[test]
fn words_of_constant_buffers() {
    check_constants("LOAD TEMP[0], CONSTBUF[0], IMM[0].xxxx\n");
    for address in ["IMM[0].yyyy", "IMM[0].zzzz", "IMM[0].wwww"] {
        check_constants(&format!("LOAD TEMP[0], CONSTBUF[1], {address}\n"));
    }
    check_constants(
        "SHL TEMP[1].x, TEMP[3].xxxx, IMM[1].zzzz\nLOAD TEMP[0].xyz, CONSTBUF[0], TEMP[1].xxxx\n",
    );
    check_constants(
        "AND TEMP[2].x, TEMP[3].xxxx, IMM[1].xxxx\nUARL ADDR[0].x, TEMP[2].xxxx\n\
         LOAD TEMP[0], CONSTBUF[ADDR[0].x], IMM[0].zzzz\n",
    );
}

#[test]
fn qualifiers_keep_accesses_apart() {
    // A restricted buffer is nobody else's: what nothing here writes is read once.
    for (qualifier, fetches) in [("COHERENT", 2), ("VOLATILE", 2), ("RESTRICT", 1)] {
        check(&format!(
            "STORE BUFFER[0].x, IMM[0].yyyy, TEMP[7].xxxx, {qualifier}\n\
             LOAD TEMP[0], BUFFER[0], IMM[0].yyyy, {qualifier}\n"
        ));
        let load = format!("LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx, {qualifier}\n");
        let text = format!(
            "FRAG\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nDCL TEMP[0..1]\nIMM[0] UINT32 {{0, 4, 8, 12}}\n{load}\
             MOV TEMP[1].x, TEMP[0].xxxx\n{load}MOV TEMP[1].y, TEMP[0].xxxx\nMOV OUT[0], TEMP[1].xyxy\nEND\n"
        );
        assert_eq!(num_fetches(&text), fetches, "{text}");
    }
}

/// What a group waits for, and fetches, in the order of the code of `body` for `chip`: `B` and `F`.
fn barriers_and_fetches(chip: Chip, body: &str) -> String {
    let text = format!(
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nDCL SV[0], THREAD_ID\nDCL MEMORY[0], SHARED\nDCL BUFFER[0]\n\
         DCL HWATOMIC[0][0]\nDCL TEMP[0..3]\nIMM[0] UINT32 {{0, 4, 2, 252}}\nSHL TEMP[0].x, SV[0].xxxx, IMM[0].zzzz\n\
         {body}STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[2].xxxx\nEND\n"
    );
    let parsed = tgsi_text::parse(&text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    let target = Target { chip, level: OptLevel::O2, precise: false };
    let words = OurCompiler.compile(&parsed.shader, target).unwrap().words;
    let program = Program::decode(&words, chip.generation());
    let is_barrier = |inst: &AluInst| inst.op == AluOp::GroupBarrier;
    let mut order = String::new();
    for clause in &program.clauses {
        match clause {
            Clause::Alu(groups) => {
                order.extend(groups.iter().filter(|g| g.insts.iter().any(is_barrier)).map(|_| 'B'));
            }
            Clause::Fetch(fetches) => order.extend(fetches.iter().map(|_| 'F')),
            Clause::Mixed(_) => {}
        }
    }
    order
}

#[test]
fn loads_do_not_cross_a_barrier() {
    for chip in CHIPS {
        for load in ["LOAD TEMP[2].x, BUFFER[0]", "LOAD TEMP[2].x, HWATOMIC[0][0]"] {
            let after = format!("MEMBAR IMM[0].yyyy\nBARRIER\n{load}, IMM[0].xxxx\n");
            assert_eq!(barriers_and_fetches(chip, &after), "BF", "{chip:?} {load}");
            let before = format!("{load}, IMM[0].xxxx\nBARRIER\n");
            assert_eq!(barriers_and_fetches(chip, &before), "FB", "{chip:?} {load}");
        }
    }
}
