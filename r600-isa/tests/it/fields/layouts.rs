//! For each layout of an instruction its words' formats, and what each of their fields is called in the type.

use r600_isa::{
    AluDst, AluInst, AluOp, AluSel, AluSrc, Cf, CfAlu, CfCondition, CfExport, CfFetch, CfFlow,
    CfIndex, CfMemory, CfOp, CfSync, Chan, ClauseId, ComponentSel, CoordType, ExportKind,
    FetchInst, FetchOp, Generation, IndexMode, InlineConst, KcacheMode, LdsAccess, LdsOp,
    MemoryAccess, MemoryType, Omod, PredSel, RelMode, SyncIndex, SyncOp,
};

/// An instruction of any kind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Inst {
    Cf(Cf),
    Fetch(FetchInst),
    Alu(AluInst),
}

/// Gives a field of an instruction this value; `None` for values that no instruction holds.
pub(crate) type Set = fn(&mut Inst, u32) -> Option<()>;

/// A layout.
pub(crate) struct Layout {
    pub(crate) name: &'static str,
    /// An instruction of it.
    pub(crate) inst: Inst,
    /// Formats of its words.
    pub(crate) formats: &'static [&'static str],
    pub(crate) generations: &'static [Generation],
    /// Fields by name.
    pub(crate) rows: Vec<(&'static str, Set)>,
    /// The fields that tell the operation.
    pub(crate) opcode: &'static [&'static str],
    /// Fields that the program around it tells; tests of their own are about them.
    pub(crate) computed: &'static [&'static str],
}

const ALL: &[Generation] = &Generation::ALL;
const R700: &[Generation] = &[Generation::R700];
const FROM_R700: &[Generation] = &[Generation::R700, Generation::Evergreen, Generation::Cayman];
const FROM_EVERGREEN: &[Generation] = &[Generation::Evergreen, Generation::Cayman];
const CAYMAN: &[Generation] = &[Generation::Cayman];

/// Rows of a layout: an instruction's pattern, the value's name, and for each field what it sets.
macro_rules! rows {
    ($inst:pat, $value:ident; $($field:literal => $set:expr),* $(,)?) => {
        vec![$((
            $field,
            (|any: &mut Inst, $value: u32| {
                let $inst = any else { return None };
                $set;
                Some(())
            }) as Set,
        )),*]
    };
}

mod alu;
mod fetches;
mod values;

use alu::alu;
use fetches::{fetches, shares};
use values::*;

/// What instructions of the plain format share.
macro_rules! plain_rows {
    ($variant:path) => {
        rows![Inst::Cf($variant(cf)), v;
            "COND" => cf.modes.condition = condition(v)?,
            "CF_CONST" => cf.modes.cf_const = v as u8,
            "CALL_COUNT" => cf.modes.call_count = v as u8,
            "VALID_PIXEL_MODE" => cf.modes.valid_pixel_mode = v == 1,
            "WHOLE_QUAD_MODE" => cf.modes.whole_quad_mode = v == 1,
            "END_OF_PROGRAM" => cf.end_of_program = v == 1,
            "BARRIER" => cf.barrier = v == 1,
        ]
    };
}

/// What exports and writes to memory share.
macro_rules! output_rows {
    ($variant:path) => {
        rows![Inst::Cf($variant(cf)), v;
            "RW_GPR" => cf.gpr = v as u8,
            "RW_REL" => cf.relative = v == 1,
            "INDEX_GPR" => cf.index_gpr = v as u8,
            "ELEM_SIZE" => cf.elem_size = v as u8,
            "ELEM_LOOP" => cf.elem_loop = v == 1,
            "BURST_COUNT" => cf.burst = v as u8 + 1,
            "VALID_PIXEL_MODE" => cf.valid_pixel_mode = v == 1,
            "WHOLE_QUAD_MODE" => cf.whole_quad_mode = v == 1,
            "MARK" => cf.mark = v == 1,
            "END_OF_PROGRAM" => cf.end_of_program = v == 1,
            "BARRIER" => cf.barrier = v == 1,
        ]
    };
}

fn joined(parts: [Vec<(&'static str, Set)>; 2]) -> Vec<(&'static str, Set)> {
    parts.into_iter().flatten().collect()
}

/// Every layout.
pub(crate) fn all() -> Vec<Layout> {
    [plain(), clauses(), outputs(), fetches(), shares(), alu()].into_iter().flatten().collect()
}

fn plain() -> Vec<Layout> {
    let flow = joined([
        plain_rows![Cf::Flow],
        rows![Inst::Cf(Cf::Flow(cf)), v;
            "ADDR" => cf.target = v,
            "JUMPTABLE_SEL" => cf.jump_table = v as u8,
            "POP_COUNT" => cf.pop_count = v as u8,
            "COUNT" => cf.count = v as u8,
            "COUNT_3" => cf.count = v as u8 * 8,
        ],
    ]);
    let sync = joined([
        plain_rows![Cf::Sync],
        rows![Inst::Cf(Cf::Sync(cf)), v;
            "VALUE" => cf.value = v as u16,
            "RESOURCE" => cf.resource = v as u8,
            "SIGN" => cf.is_signed = v == 1,
            "VAL_INDEX_MODE" => cf.value_index = sync_index(v)?,
            "RSRC_INDEX_MODE" => cf.resource_index = sync_index(v)?,
            "GWS_OPCODE" => cf.op = pick(
                &[SyncOp::SemaphoreRelease, SyncOp::SemaphoreTake, SyncOp::Barrier, SyncOp::Init],
                v,
            )?,
            "POP_COUNT" => nothing(cf, v)?,
            "COUNT" => nothing(cf, v)?,
        ],
    ]);
    vec![
        Layout {
            name: "NOP",
            inst: Inst::Cf(Cf::Flow(CfFlow::new(CfOp::Nop))),
            formats: &["CF_WORD0", "CF_WORD1"],
            generations: ALL,
            rows: flow,
            opcode: &["CF_INST"],
            computed: &[],
        },
        Layout {
            name: "WAVE_SYNC",
            inst: Inst::Cf(Cf::Sync(CfSync::default())),
            formats: &["CF_GWS_WORD0", "CF_WORD1"],
            generations: FROM_EVERGREEN,
            rows: sync,
            opcode: &["CF_INST"],
            computed: &[],
        },
    ]
}

fn clauses() -> Vec<Layout> {
    let fetch = joined([
        plain_rows![Cf::Fetch],
        rows![Inst::Cf(Cf::Fetch(cf)), v;
            "JUMPTABLE_SEL" => nothing(cf, v)?,
            "POP_COUNT" => nothing(cf, v)?,
        ],
    ]);
    let alu = || {
        rows![Inst::Cf(Cf::Alu(cf)), v;
            "KCACHE_BANK0" => cf.kcache[0].bank = v as u8,
            "KCACHE_BANK1" => cf.kcache[1].bank = v as u8,
            "KCACHE_MODE0" => cf.kcache[0].mode = window(v)?,
            "KCACHE_MODE1" => cf.kcache[1].mode = window(v)?,
            "KCACHE_ADDR0" => cf.kcache[0].line = v as u8,
            "KCACHE_ADDR1" => cf.kcache[1].line = v as u8,
            "USES_WATERFALL" => cf.uses_waterfall = v == 1,
            "ALT_CONST" => cf.alt_const = v == 1,
            "WHOLE_QUAD_MODE" => cf.whole_quad_mode = v == 1,
        ]
    };
    let barrier = rows![Inst::Cf(Cf::Alu(cf)), v; "BARRIER" => cf.barrier = v == 1];
    let extended = rows![Inst::Cf(Cf::Alu(cf)), v;
        "KCACHE_BANK_INDEX_MODE0" => {
            cf.kcache[0].index = index(v)?;
            cf.extended = v == 0;
        },
        "KCACHE_BANK_INDEX_MODE1" => {
            cf.kcache[1].index = index(v)?;
            cf.extended = v == 0;
        },
        "KCACHE_BANK_INDEX_MODE2" => {
            cf.kcache[2].index = index(v)?;
            cf.extended = v == 0;
        },
        "KCACHE_BANK_INDEX_MODE3" => {
            cf.kcache[3].index = index(v)?;
            cf.extended = v == 0;
        },
        "KCACHE_BANK2" => {
            cf.kcache[2].bank = v as u8;
            cf.extended = v == 0;
        },
        "KCACHE_BANK3" => {
            cf.kcache[3].bank = v as u8;
            cf.extended = v == 0;
        },
        "KCACHE_MODE2" => {
            cf.kcache[2].mode = window(v)?;
            cf.extended = v == 0;
        },
        "KCACHE_MODE3" => {
            cf.kcache[3].mode = window(v)?;
            cf.extended = v == 0;
        },
        "KCACHE_ADDR2" => {
            cf.kcache[2].line = v as u8;
            cf.extended = v == 0;
        },
        "KCACHE_ADDR3" => {
            cf.kcache[3].line = v as u8;
            cf.extended = v == 0;
        },
        // One barrier for both instructions: where they differ, they are kept as words.
        "BARRIER" => nothing(cf, 1 - v)?,
    ];
    let clause = CfAlu::new(CfOp::Alu, ClauseId(0));
    vec![
        Layout {
            name: "TEX",
            inst: Inst::Cf(Cf::Fetch(CfFetch::new(CfOp::Tex, ClauseId(0)))),
            formats: &["CF_WORD0", "CF_WORD1"],
            generations: ALL,
            rows: fetch,
            opcode: &["CF_INST"],
            computed: &["ADDR", "COUNT", "COUNT_3"],
        },
        Layout {
            name: "ALU",
            inst: Inst::Cf(Cf::Alu(clause)),
            formats: &["CF_ALU_WORD0", "CF_ALU_WORD1"],
            generations: ALL,
            rows: joined([alu(), barrier]),
            opcode: &["CF_INST"],
            computed: &["ADDR", "COUNT"],
        },
        Layout {
            name: "ALU_EXTENDED",
            inst: Inst::Cf(Cf::Alu(CfAlu { extended: true, ..clause })),
            formats: &["CF_ALU_WORD0_EXT", "CF_ALU_WORD1_EXT", "CF_ALU_WORD0", "CF_ALU_WORD1"],
            generations: FROM_EVERGREEN,
            rows: joined([alu(), extended]),
            opcode: &["CF_INST"],
            computed: &["ADDR", "COUNT"],
        },
    ]
}

fn outputs() -> Vec<Layout> {
    let export = joined([
        output_rows![Cf::Export],
        rows![Inst::Cf(Cf::Export(cf)), v;
            "ARRAY_BASE" => cf.array_base = v as u16,
            "TYPE" => cf.kind = pick(
                &[
                    ExportKind::Pixel,
                    ExportKind::Position,
                    ExportKind::Parameter,
                    ExportKind::Reserved,
                ],
                v,
            )?,
            "SEL_X" => cf.sel[0] = sel(v)?,
            "SEL_Y" => cf.sel[1] = sel(v)?,
            "SEL_Z" => cf.sel[2] = sel(v)?,
            "SEL_W" => cf.sel[3] = sel(v)?,
        ],
    ]);
    let memory = || {
        joined([
            output_rows![Cf::Memory],
            rows![Inst::Cf(Cf::Memory(cf)), v;
                "TYPE" => cf.kind = pick(
                    &[
                        MemoryType::Write,
                        MemoryType::WriteIndexed,
                        MemoryType::WriteAck,
                        MemoryType::WriteIndexedAck,
                    ],
                    v,
                )?,
                "ARRAY_SIZE" => cf.array_size = v as u16,
                "COMP_MASK" => cf.comp_mask = v as u8,
            ],
        ])
    };
    let base = rows![Inst::Cf(Cf::Memory(cf)), v;
        "ARRAY_BASE" => cf.access = MemoryAccess::Base(v as u16),
    ];
    let target = rows![Inst::Cf(Cf::Memory(cf)), v;
        "RAT_ID" => {
            let MemoryAccess::Rat(target) = &mut cf.access else { return None };
            target.id = v as u8;
        },
        "RAT_INST" => {
            let MemoryAccess::Rat(target) = &mut cf.access else { return None };
            target.op = v as u8;
        },
        "RAT_INDEX_MODE" => {
            let MemoryAccess::Rat(target) = &mut cf.access else { return None };
            target.index = index(v)?;
        },
    ];
    vec![
        Layout {
            name: "EXPORT",
            inst: Inst::Cf(Cf::Export(CfExport::new(CfOp::Export, ExportKind::Pixel, 0, 0))),
            formats: &["CF_ALLOC_EXPORT_WORD0", "CF_ALLOC_EXPORT_WORD1_SWIZ"],
            generations: ALL,
            rows: export,
            opcode: &["CF_INST"],
            computed: &[],
        },
        Layout {
            name: "MEM_SCRATCH",
            inst: Inst::Cf(Cf::Memory(CfMemory::new(CfOp::MemScratch, 0))),
            formats: &["CF_ALLOC_EXPORT_WORD0", "CF_ALLOC_EXPORT_WORD1_BUF"],
            generations: ALL,
            rows: joined([memory(), base]),
            opcode: &["CF_INST"],
            computed: &[],
        },
        Layout {
            name: "MEM_RAT",
            inst: Inst::Cf(Cf::Memory(CfMemory::new(CfOp::MemRat, 0))),
            formats: &["CF_ALLOC_EXPORT_WORD0_RAT", "CF_ALLOC_EXPORT_WORD1_BUF"],
            generations: FROM_EVERGREEN,
            rows: joined([memory(), target]),
            opcode: &["CF_INST"],
            computed: &[],
        },
    ]
}
