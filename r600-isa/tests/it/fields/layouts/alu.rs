//! Instructions of the ALU.

use super::*;

/// An instruction of `op` whose fields are all 0.
fn alu_inst(op: AluOp) -> AluInst {
    AluInst {
        op,
        dst: AluDst::default(),
        src: [AluSrc::new(AluSel::Gpr(0), Chan::X); 3],
        index_mode: IndexMode::ArX,
        pred_sel: PredSel::Off,
        bank_swizzle: 0,
        update_exec_mask: false,
        update_pred: false,
    }
}

/// Sets a source's selector. A literal that is read needs more words.
fn select(inst: &mut AluInst, at: usize, sel: AluSel) -> Option<()> {
    let needs_words = sel == AluSel::Literal && at < inst.num_src();
    inst.src[at].sel = sel;
    (!needs_words).then_some(())
}

/// Sources' selectors, which differ by generation.
fn selectors(generations: &[Generation]) -> Vec<(&'static str, Set)> {
    if generations == FROM_EVERGREEN || generations == CAYMAN {
        rows![Inst::Alu(alu), v;
            "SRC0_SEL" => select(alu, 0, with_four_windows(v))?,
            "SRC1_SEL" => select(alu, 1, with_four_windows(v))?,
            "SRC2_SEL" => select(alu, 2, with_four_windows(v))?,
        ]
    } else {
        rows![Inst::Alu(alu), v;
            "SRC0_SEL" => select(alu, 0, with_constant_file(v))?,
            "SRC1_SEL" => select(alu, 1, with_constant_file(v))?,
            "SRC2_SEL" => select(alu, 2, with_constant_file(v))?,
        ]
    }
}

fn alu_rows(generations: &[Generation]) -> Vec<(&'static str, Set)> {
    let rest = rows![Inst::Alu(alu), v;
        "SRC0_REL" => alu.src[0].rel = v == 1,
        "SRC0_CHAN" => alu.src[0].chan = chan(v)?,
        "SRC0_NEG" => alu.src[0].neg = v == 1,
        "SRC0_ABS" => alu.src[0].abs = v == 1,
        "SRC1_REL" => alu.src[1].rel = v == 1,
        "SRC1_CHAN" => alu.src[1].chan = chan(v)?,
        "SRC1_NEG" => alu.src[1].neg = v == 1,
        "SRC1_ABS" => alu.src[1].abs = v == 1,
        "SRC2_REL" => alu.src[2].rel = v == 1,
        "SRC2_CHAN" => alu.src[2].chan = chan(v)?,
        "SRC2_NEG" => alu.src[2].neg = v == 1,
        "INDEX_MODE" => alu.index_mode = index_mode(v)?,
        "PRED_SEL" => alu.pred_sel = predicate(v)?,
        "UPDATE_EXECUTE_MASK" => alu.update_exec_mask = v == 1,
        "UPDATE_PRED" => alu.update_pred = v == 1,
        "WRITE_MASK" => alu.dst.write = v == 1,
        "FOG_MERGE" => alu.dst.fog_merge = v == 1,
        "OMOD" => alu.dst.omod = omod(v)?,
        "EXECUTE_MASK_OP" => alu.dst.omod = omod(v)?,
        "BANK_SWIZZLE" => alu.bank_swizzle = v as u8,
        "DST_GPR" => alu.dst.gpr = v as u8,
        "MOVA_DST" => alu.dst.gpr = v as u8,
        "DST_REL" => alu.dst.rel = v == 1,
        "DST_CHAN" => alu.dst.chan = chan(v)?,
        "CLAMP" => alu.dst.clamp = v == 1,
    ];
    joined([selectors(generations), rest])
}

/// Sets a bit of an access's offset.
fn offset(alu: &mut AluInst, bit: u32, value: u32) {
    if let Some(access) = alu.lds() {
        alu.set_lds(LdsAccess { offset: (value << bit) as u8, ..access });
    }
}

pub(super) fn alu() -> Vec<Layout> {
    let access = rows![Inst::Alu(alu), v;
        "IDX_OFFSET_0" => offset(alu, 0, v),
        "IDX_OFFSET_1" => offset(alu, 1, v),
        "IDX_OFFSET_2" => offset(alu, 2, v),
        "IDX_OFFSET_3" => offset(alu, 3, v),
        "IDX_OFFSET_4" => offset(alu, 4, v),
        "IDX_OFFSET_5" => offset(alu, 5, v),
        "LDS_OP" => match LdsOp::from_opcode(v as u8) {
            Some(op) => alu.set_lds(LdsAccess { op, offset: 0 }),
            None => alu.dst.gpr = v as u8,
        },
    ];
    const BEFORE: &[Generation] = &[Generation::R600, Generation::R700];
    let layout = |name, op, formats, generations, rows| Layout {
        name,
        inst: Inst::Alu(alu_inst(op)),
        formats,
        generations,
        rows,
        opcode: &["ALU_INST"],
        computed: &["LAST"],
    };
    let two: &[&str] = &["ALU_WORD0", "ALU_WORD1_OP2"];
    let three: &[&str] = &["ALU_WORD0", "ALU_WORD1_OP3"];
    let moves: &[&str] = &["ALU_WORD0", "ALU_WORD1_OP2_MOVA"];
    let masks: &[&str] = &["ALU_WORD0", "ALU_WORD1_OP2_EXEC_MASK"];
    let local: &[&str] = &["ALU_WORD0_LDS_IDX_OP", "ALU_WORD1_LDS_IDX_OP"];
    vec![
        layout("ADD", AluOp::Add, two, BEFORE, alu_rows(BEFORE)),
        layout("ADD", AluOp::Add, two, FROM_EVERGREEN, alu_rows(FROM_EVERGREEN)),
        layout("MULADD", AluOp::Muladd, three, BEFORE, alu_rows(BEFORE)),
        layout("MULADD", AluOp::Muladd, three, FROM_EVERGREEN, alu_rows(FROM_EVERGREEN)),
        layout("MOVA_INT", AluOp::MovaInt, moves, CAYMAN, alu_rows(CAYMAN)),
        layout("PRED_SETE", AluOp::PredSete, masks, CAYMAN, alu_rows(CAYMAN)),
        layout(
            "LDS_IDX_OP",
            AluOp::LdsIdxOp,
            local,
            FROM_EVERGREEN,
            joined([alu_rows(FROM_EVERGREEN), access]),
        ),
    ]
}
