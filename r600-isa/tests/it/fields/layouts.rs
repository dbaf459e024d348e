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

fn pick<T: Copy>(all: &[T], value: u32) -> Option<T> {
    all.get(value as usize).copied()
}

fn sel(value: u32) -> Option<ComponentSel> {
    use ComponentSel::{Mask, One, W, X, Y, Z, Zero};
    pick(&[Some(X), Some(Y), Some(Z), Some(W), Some(Zero), Some(One), None, Some(Mask)], value)?
}

fn index(value: u32) -> Option<CfIndex> {
    pick(&[CfIndex::None, CfIndex::Index0, CfIndex::Index1], value)
}

fn sync_index(value: u32) -> Option<SyncIndex> {
    pick(&[SyncIndex::None, SyncIndex::Index0, SyncIndex::Index1, SyncIndex::Mix], value)
}

fn relative(value: u32) -> Option<RelMode> {
    pick(&[RelMode::None, RelMode::Loop, RelMode::Global], value)
}

fn window(value: u32) -> Option<KcacheMode> {
    use KcacheMode::{Lock1, Lock2, LockLoopIndex, None};
    pick(&[None, Lock1, Lock2, LockLoopIndex], value)
}

fn condition(value: u32) -> Option<CfCondition> {
    use CfCondition::{Active, Bool, False, NotBool};
    pick(&[Active, False, Bool, NotBool], value)
}

fn chan(value: u32) -> Option<Chan> {
    pick(&Chan::ALL, value)
}

fn coordinate(value: u32) -> Option<CoordType> {
    pick(&[CoordType::Unnormalized, CoordType::Normalized], value)
}

fn index_mode(value: u32) -> Option<IndexMode> {
    use IndexMode::{ArW, ArX, ArY, ArZ, Global, GlobalArX, Loop};
    pick(&[ArX, ArY, ArZ, ArW, Loop, Global, GlobalArX], value)
}

fn predicate(value: u32) -> Option<PredSel> {
    pick(&[Some(PredSel::Off), None, Some(PredSel::Zero), Some(PredSel::One)], value)?
}

fn omod(value: u32) -> Option<Omod> {
    pick(&[Omod::None, Omod::Times2, Omod::Times4, Omod::Half], value)
}

/// Nothing holds it: an instruction with anything here is kept as words.
fn nothing<T>(_: &T, value: u32) -> Option<()> {
    (value == 0).then_some(())
}

/// A signed number of `width` bits.
fn signed(value: u32, width: u32) -> i8 {
    let shift = 32 - width;
    ((value << shift).cast_signed() >> shift) as i8
}

/// What a number selects, where all generations agree.
fn selector(value: u32) -> AluSel {
    match value {
        0..=127 => AluSel::Gpr(value as u8),
        128..=159 => AluSel::Kcache { set: 0, index: value as u8 - 128 },
        160..=191 => AluSel::Kcache { set: 1, index: value as u8 - 160 },
        248 => AluSel::Inline(InlineConst::Zero),
        249 => AluSel::Inline(InlineConst::One),
        250 => AluSel::Inline(InlineConst::IntOne),
        251 => AluSel::Inline(InlineConst::IntMinusOne),
        252 => AluSel::Inline(InlineConst::Half),
        253 => AluSel::Literal,
        254 => AluSel::Pv,
        255 => AluSel::Ps,
        _ => AluSel::Other(value as u16),
    }
}

/// The same as R600 and R700 have it.
fn with_constant_file(value: u32) -> AluSel {
    match value {
        256..=511 => AluSel::ConstFile((value - 256) as u8),
        _ => selector(value),
    }
}

/// The same as Evergreen and Cayman have it.
fn with_four_windows(value: u32) -> AluSel {
    match value {
        256..=287 => AluSel::Kcache { set: 2, index: (value - 256) as u8 },
        288..=319 => AluSel::Kcache { set: 3, index: (value - 288) as u8 },
        448..=479 => AluSel::Param((value - 448) as u8),
        _ => selector(value),
    }
}

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

fn fetches() -> Vec<Layout> {
    let texture = || {
        rows![Inst::Fetch(FetchInst::Tex(tex)), v;
            "FETCH_WHOLE_QUAD" => tex.whole_quad = v == 1,
            "BC_FRAC_MODE" => tex.bc_frac_mode = v == 1,
            "RESOURCE_ID" => tex.resource_id = v as u8,
            "SRC_GPR" => tex.src_gpr = v as u8,
            "SRC_REL" => tex.src_rel = v == 1,
            "ALT_CONST" => tex.alt_const = v == 1,
            "RESOURCE_INDEX_MODE" => tex.resource_index = index(v)?,
            "SAMPLER_INDEX_MODE" => tex.sampler_index = index(v)?,
            "DST_GPR" => tex.dst_gpr = v as u8,
            "DST_REL" => tex.dst_rel = v == 1,
            "DST_SEL_X" => tex.dst_sel[0] = sel(v)?,
            "DST_SEL_Y" => tex.dst_sel[1] = sel(v)?,
            "DST_SEL_Z" => tex.dst_sel[2] = sel(v)?,
            "DST_SEL_W" => tex.dst_sel[3] = sel(v)?,
            "LOD_BIAS" => tex.lod_bias = signed(v, 7),
            "COORD_TYPE_X" => tex.coord_type[0] = coordinate(v)?,
            "COORD_TYPE_Y" => tex.coord_type[1] = coordinate(v)?,
            "COORD_TYPE_Z" => tex.coord_type[2] = coordinate(v)?,
            "COORD_TYPE_W" => tex.coord_type[3] = coordinate(v)?,
            "OFFSET_X" => tex.offset[0] = signed(v, 5),
            "OFFSET_Y" => tex.offset[1] = signed(v, 5),
            "OFFSET_Z" => tex.offset[2] = signed(v, 5),
            "SAMPLER_ID" => tex.sampler_id = v as u8,
            "SRC_SEL_X" => tex.src_sel[0] = sel(v)?,
            "SRC_SEL_Y" => tex.src_sel[1] = sel(v)?,
            "SRC_SEL_Z" => tex.src_sel[2] = sel(v)?,
            "SRC_SEL_W" => tex.src_sel[3] = sel(v)?,
            "PAD" => nothing(tex, v)?,
        ]
    };
    let component =
        rows![Inst::Fetch(FetchInst::Tex(tex)), v; "INST_MOD" => tex.component = v as u8];
    let buffer = || {
        rows![Inst::Fetch(FetchInst::Vtx(vtx)), v;
            "FETCH_TYPE" => vtx.fetch_type = v as u8,
            "FETCH_WHOLE_QUAD" => vtx.whole_quad = v == 1,
            "BUFFER_ID" => vtx.buffer_id = v as u8,
            "SRC_GPR" => vtx.src_gpr = v as u8,
            "SRC_REL" => vtx.src_rel = v == 1,
            "SRC_SEL_X" => vtx.src_sel = sel(v)?,
            "SRC_SEL_Y" => vtx.second_sel = sel(v)?,
            "MEGA_FETCH_COUNT" => vtx.mega_fetch_count = v as u8,
            "STRUCTURED_READ" => vtx.structured_read = v as u8,
            "LDS_REQ" => vtx.lds_req = v == 1,
            "COALESCED_READ" => vtx.coalesced_read = v == 1,
            "DST_SEL_X" => vtx.dst_sel[0] = sel(v)?,
            "DST_SEL_Y" => vtx.dst_sel[1] = sel(v)?,
            "DST_SEL_Z" => vtx.dst_sel[2] = sel(v)?,
            "DST_SEL_W" => vtx.dst_sel[3] = sel(v)?,
            "USE_CONST_FIELDS" => vtx.use_const_fields = v == 1,
            "DATA_FORMAT" => vtx.data_format = v as u8,
            "NUM_FORMAT_ALL" => vtx.num_format = v as u8,
            "FORMAT_COMP_ALL" => vtx.signed = v == 1,
            "SRF_MODE_ALL" => vtx.no_zero = v == 1,
            "OFFSET" => vtx.offset = v as u16,
            "ENDIAN_SWAP" => vtx.endian_swap = v as u8,
            "CONST_BUF_NO_STRIDE" => vtx.no_stride = v == 1,
            "MEGA_FETCH" => vtx.mega_fetch = v == 1,
            "ALT_CONST" => vtx.alt_const = v == 1,
            "BUFFER_INDEX_MODE" => vtx.buffer_index = index(v)?,
            "PAD" => nothing(vtx, v)?,
        ]
    };
    let by_register = rows![Inst::Fetch(FetchInst::Vtx(vtx)), v;
        "DST_GPR" => vtx.dst_gpr = v as u8,
        "DST_REL" => vtx.dst_rel = v == 1,
    ];
    let by_semantic =
        rows![Inst::Fetch(FetchInst::Vtx(vtx)), v; "SEMANTIC_ID" => vtx.dst_gpr = v as u8];
    let memory = rows![Inst::Fetch(FetchInst::Mem(mem)), v;
        "ELEM_SIZE" => mem.elem_size = v as u8,
        "FETCH_WHOLE_QUAD" => mem.whole_quad = v == 1,
        "UNCACHED" => mem.uncached = v == 1,
        "INDEXED" => mem.indexed = v == 1,
        "MEM_REQ_SIZE" => mem.request_size = v as u8,
        "SRC_GPR" => mem.src_gpr = v as u8,
        "SRC_REL" => mem.src_rel = v == 1,
        "SRC_SEL_X" => mem.src_sel = sel(v)?,
        "SRC_SEL_Y" => mem.second_sel = sel(v)?,
        "BURST_COUNT" => mem.burst = v as u8 + 1,
        "LDS_REQ" => mem.lds_req = v == 1,
        "COALESCED_READ" => mem.coalesced_read = v == 1,
        "DST_GPR" => mem.dst_gpr = v as u8,
        "DST_REL" => mem.dst_rel = v == 1,
        "DST_SEL_X" => mem.dst_sel[0] = sel(v)?,
        "DST_SEL_Y" => mem.dst_sel[1] = sel(v)?,
        "DST_SEL_Z" => mem.dst_sel[2] = sel(v)?,
        "DST_SEL_W" => mem.dst_sel[3] = sel(v)?,
        "DATA_FORMAT" => mem.data_format = v as u8,
        "NUM_FORMAT_ALL" => mem.num_format = v as u8,
        "FORMAT_COMP_ALL" => mem.signed = v == 1,
        "SRF_MODE_ALL" => mem.no_zero = v == 1,
        "ARRAY_BASE" => mem.array_base = v as u16,
        "ENDIAN_SWAP" => mem.endian_swap = v as u8,
        "MEGA_FETCH" => mem.mega_fetch = v == 1,
        "ARRAY_SIZE" => mem.array_size = v as u16,
        "PAD" => nothing(mem, v)?,
    ];
    vec![
        Layout {
            name: "SAMPLE",
            inst: Inst::Fetch(FetchInst::new(FetchOp::Sample)),
            formats: &["TEX_WORD0", "TEX_WORD1", "TEX_WORD2", "TEX_WORD3"],
            generations: ALL,
            rows: texture(),
            opcode: &["TEX_INST", "INST_MOD"],
            computed: &[],
        },
        Layout {
            name: "GATHER4",
            inst: Inst::Fetch(FetchInst::new(FetchOp::Gather4)),
            formats: &["TEX_WORD0", "TEX_WORD1", "TEX_WORD2", "TEX_WORD3"],
            generations: FROM_EVERGREEN,
            rows: joined([texture(), component]),
            opcode: &["TEX_INST"],
            computed: &[],
        },
        Layout {
            name: "VFETCH",
            inst: Inst::Fetch(FetchInst::new(FetchOp::Vfetch)),
            formats: &["VTX_WORD0", "VTX_WORD1_GPR", "VTX_WORD2", "VTX_WORD3"],
            generations: ALL,
            rows: joined([buffer(), by_register]),
            opcode: &["VTX_INST"],
            computed: &[],
        },
        Layout {
            name: "SEMFETCH",
            inst: Inst::Fetch(FetchInst::new(FetchOp::Semfetch)),
            formats: &["VTX_WORD0", "VTX_WORD1_SEM", "VTX_WORD2", "VTX_WORD3"],
            generations: ALL,
            rows: joined([buffer(), by_semantic]),
            opcode: &["VTX_INST"],
            computed: &[],
        },
        Layout {
            name: "READ_SCRATCH",
            inst: Inst::Fetch(FetchInst::new(FetchOp::ReadScratch)),
            formats: &["MEM_RD_WORD0", "MEM_RD_WORD1", "MEM_RD_WORD2", "MEM_RD_WORD3"],
            generations: FROM_R700,
            rows: memory,
            opcode: &["MEM_INST", "MEM_OP"],
            computed: &[],
        },
    ]
}

fn shares() -> Vec<Layout> {
    let global = rows![Inst::Fetch(FetchInst::Gds(gds)), v;
        "SRC_REL_MODE" => gds.src_rel = relative(v)?,
        "SRC_SEL_X" => gds.src_sel[0] = sel(v)?,
        "SRC_SEL_Y" => gds.src_sel[1] = sel(v)?,
        "SRC_SEL_Z" => gds.src_sel[2] = sel(v)?,
        "MEM_GDS_WORD0.SRC_GPR" => gds.src_gpr = v as u8,
        "MEM_GDS_WORD1.SRC_GPR" => gds.second_gpr = v as u8,
        "DST_GPR" => gds.dst_gpr = v as u8,
        "DST_REL_MODE" => gds.dst_rel = relative(v)?,
        "UAV_INDEX_MODE" => gds.uav_index = index(v)?,
        "UAV_ID" => gds.uav_id = v as u8,
        "ALLOC_CONSUME" => gds.alloc_consume = v == 1,
        "BCAST_FIRST_REQ" => gds.broadcast = v == 1,
        "DST_SEL_X" => gds.dst_sel[0] = sel(v)?,
        "DST_SEL_Y" => gds.dst_sel[1] = sel(v)?,
        "DST_SEL_Z" => gds.dst_sel[2] = sel(v)?,
        "DST_SEL_W" => gds.dst_sel[3] = sel(v)?,
        "PAD" => nothing(gds, v)?,
    ];
    let write = rows![Inst::Fetch(FetchInst::LocalWrite(local)), v;
        "SRC_GPR" => local.src_gpr = v as u8,
        "SRC_REL_MODE" => local.src_rel = relative(v)?,
        "SRC_SEL_X" => local.src_sel[0] = sel(v)?,
        "SRC_SEL_Y" => local.src_sel[1] = sel(v)?,
        "SRC_SEL_Z" => local.src_sel[2] = sel(v)?,
        "SRC_SEL_W" => local.src_sel[3] = sel(v)?,
        "DST_INDEX" => local.dst_index = v as u16,
        "DST_INDEX_EXT" => local.dst_index = v as u16 * 64,
        "DST_STRIDE" => local.dst_stride = v as u16,
        "DST_STRIDE_EXT" => local.dst_stride = v as u16 * 128,
        "SIMD_WAVE_REL" => local.wave_relative = v == 1,
        "BURST_COUNT" => local.burst = v as u8 + 1,
    ];
    let read = rows![Inst::Fetch(FetchInst::LocalRead(local)), v;
        "SRC_GPR" => local.src_gpr = v as u8,
        "SRC_REL_MODE" => local.src_rel = relative(v)?,
        "SRC_SEL_X" => local.src_sel[0] = sel(v)?,
        "SRC_SEL_Y" => local.src_sel[1] = sel(v)?,
        "RD_OFFSET" => local.offset = v as u8,
        "DST_GPR" => local.dst_gpr = v as u8,
        "DST_REL_MODE" => local.dst_rel = relative(v)?,
        "DST_WR_X" => local.dst_write[0] = v == 1,
        "DST_WR_Y" => local.dst_write[1] = v == 1,
        "DST_WR_Z" => local.dst_write[2] = v == 1,
        "DST_WR_W" => local.dst_write[3] = v == 1,
        "BROADCAST" => local.broadcast = v == 1,
        "WATERFALL" => local.waterfall = v == 1,
        "MUX_CNTL" => local.mux = v as u8,
        "BURST_COUNT" => local.burst = v as u8 + 1,
    ];
    vec![
        Layout {
            name: "GDS_ADD",
            inst: Inst::Fetch(FetchInst::new(FetchOp::GdsAdd)),
            formats: &["MEM_GDS_WORD0", "MEM_GDS_WORD1", "MEM_GDS_WORD2", "MEM_GDS_WORD3"],
            generations: FROM_EVERGREEN,
            rows: global,
            opcode: &["MEM_INST", "MEM_OP", "GDS_OP"],
            computed: &[],
        },
        Layout {
            name: "DS_LOCAL_WRITE",
            inst: Inst::Fetch(FetchInst::new(FetchOp::DsLocalWrite)),
            formats: &["MEM_DSW_WORD0", "MEM_DSW_WORD1", "MEM_DSW_WORD2", "no fourth word"],
            generations: R700,
            rows: write,
            opcode: &["MEM_INST", "MEM_OP"],
            computed: &[],
        },
        Layout {
            name: "DS_LOCAL_READ",
            inst: Inst::Fetch(FetchInst::new(FetchOp::DsLocalRead)),
            formats: &["MEM_DSR_WORD0", "MEM_DSR_WORD1", "MEM_DSR_WORD2", "no fourth word"],
            generations: R700,
            rows: read,
            opcode: &["MEM_INST", "MEM_OP"],
            computed: &[],
        },
    ]
}

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

fn alu() -> Vec<Layout> {
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
