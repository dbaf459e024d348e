//! The attributes, parameters, textures and constants that a console program uses.

use std::collections::BTreeSet;

use r600_isa::{
    AluSel, Cf, CfOp, Clause, ComponentSel, ExportKind, FetchInst, FetchOp, KcacheMode, Program,
};

/// What a program reads and writes beside its own registers.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// Registers that are read before the program writes them, in listing order.
    pub inputs: BTreeSet<u8>,
    /// Number of registers, up to the highest.
    pub num_gprs: u32,
    /// Parameters that are exported.
    pub parameters: BTreeSet<u16>,
    /// Textures that are sampled.
    pub textures: BTreeSet<u8>,
    /// Samplers they are sampled with.
    pub samplers: BTreeSet<u8>,
    /// Uniform blocks: banks of the constant cache, and fetched buffers.
    pub banks: BTreeSet<u8>,
    /// Whether the constant file is read.
    pub reads_constant_file: bool,
    /// Whether a result goes to the dump register, which no program allocates or reads.
    pub writes_dump: bool,
    /// Whether the fetch shader is called.
    pub calls_fetch_shader: bool,
}

/// The first fetch resource of uniform blocks.
const FIRST_BLOCK: u8 = 128;
const NUM_BLOCKS: u8 = 16;
/// Registers from here on only live within a clause.
const FIRST_TEMPORARY: u8 = 124;
/// The dump register, for operations that must write but whose result is unused. No program allocates it, and writes to
/// unallocated registers have no effect.
pub(crate) const DUMP: u8 = 123;

impl Uses {
    /// Analyses a whole program.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut walk = Walk { uses: Self::default(), written: BTreeSet::new() };
        for cf in &program.cf {
            walk.control_flow(program, cf);
        }
        walk.uses
    }
}

struct Walk {
    uses: Uses,
    written: BTreeSet<u8>,
}

impl Walk {
    fn read(&mut self, gpr: u8) {
        self.count(gpr);
        if gpr < FIRST_TEMPORARY && !self.written.contains(&gpr) {
            self.uses.inputs.insert(gpr);
        }
    }

    fn write(&mut self, gpr: u8) {
        if gpr == DUMP {
            self.uses.writes_dump = true;
        } else {
            self.count(gpr);
        }
        self.written.insert(gpr);
    }

    fn count(&mut self, gpr: u8) {
        if gpr < FIRST_TEMPORARY {
            self.uses.num_gprs = self.uses.num_gprs.max(u32::from(gpr) + 1);
        }
    }

    fn control_flow(&mut self, program: &Program, cf: &Cf) {
        match cf {
            Cf::Alu(alu) => {
                let locked = alu.kcache.iter().filter(|window| window.mode != KcacheMode::None);
                self.uses.banks.extend(locked.map(|window| window.bank));
                self.clause(program.clauses.get(alu.clause.0 as usize));
            }
            Cf::Fetch(fetch) => self.clause(program.clauses.get(fetch.clause.0 as usize)),
            Cf::Export(export) => {
                let reads = |sel: &ComponentSel| (*sel as u8) < ComponentSel::Zero as u8;
                // The hardware requires an export; an empty one writes no channel.
                let is_empty = export.sel.iter().all(|sel| *sel == ComponentSel::Mask);
                for burst in 0..export.burst {
                    if export.kind == ExportKind::Parameter && !is_empty {
                        self.uses.parameters.insert(export.array_base + u16::from(burst));
                    }
                    if export.sel.iter().any(reads) {
                        self.read(export.gpr.saturating_add(burst));
                    }
                }
            }
            Cf::Flow(flow) => self.uses.calls_fetch_shader |= flow.op == CfOp::CallFs,
            Cf::Memory(memory) => {
                (0..memory.burst.max(1)).for_each(|n| self.read(memory.gpr.saturating_add(n)));
                if memory.kind.is_indexed() {
                    self.read(memory.index_gpr);
                }
            }
            Cf::Sync(_) | Cf::Raw(_) => {}
        }
    }

    fn clause(&mut self, clause: Option<&Clause>) {
        match clause {
            Some(Clause::Fetch(fetches)) => fetches.iter().for_each(|fetch| self.fetch(fetch)),
            Some(clause) => clause.groups().for_each(|group| self.group(group)),
            None => {}
        }
    }

    fn group(&mut self, group: &r600_isa::AluGroup) {
        for inst in &group.insts {
            for src in inst.src.iter().take(inst.num_src()) {
                match src.sel {
                    AluSel::Gpr(gpr) => self.read(gpr),
                    AluSel::ConstFile(_) => self.uses.reads_constant_file = true,
                    _ => {}
                }
            }
        }
        let written = group.insts.iter().filter(|inst| inst.writes_gpr());
        written.for_each(|inst| self.write(inst.dst.gpr));
    }

    fn fetch(&mut self, fetch: &FetchInst) {
        if let Some(accesses) = fetch.accesses() {
            if accesses.read.channels != 0 {
                (accesses.read.gpr..=accesses.read.last()).for_each(|gpr| self.read(gpr));
            }
            if let Some(written) = accesses.written {
                (written.gpr..=written.last()).for_each(|gpr| self.write(gpr));
            }
        }
        match fetch {
            FetchInst::Tex(tex) => {
                let has_sampler = takes_sampler(tex.op);
                if has_sampler || matches!(tex.op, FetchOp::Ld | FetchOp::GetTextureResinfo) {
                    self.uses.textures.insert(tex.resource_id);
                }
                if has_sampler {
                    self.uses.samplers.insert(tex.sampler_id);
                }
            }
            FetchInst::Vtx(vtx) => {
                let block = vtx.buffer_id.checked_sub(FIRST_BLOCK);
                self.uses.banks.extend(block.filter(|block| *block < NUM_BLOCKS));
            }
            _ => {}
        }
    }
}

/// Whether the result depends on a sampler: filtered or gathered texels, and queries about filtering.
fn takes_sampler(op: FetchOp) -> bool {
    let is_filtered = ["SAMPLE", "GATHER"].iter().any(|start| op.name().starts_with(start));
    // Older chips gather with the first of these.
    is_filtered || matches!(op, FetchOp::Fetch4 | FetchOp::GetLod | FetchOp::GetLerp)
}

#[cfg(test)]
mod tests {
    use r600_isa::{CfMemory, MemoryType, TexInst};

    use super::*;

    #[test]
    fn writes_to_memory_read_registers() {
        let mut program = Program::new(r600_isa::Generation::R700);
        let memory = CfMemory {
            kind: MemoryType::WriteIndexed,
            gpr: 3,
            burst: 2,
            index_gpr: 7,
            ..CfMemory::new(CfOp::MemRing, 0)
        };
        program.cf.push(Cf::Memory(memory));
        let uses = Uses::of(&program);
        assert_eq!((uses.num_gprs, uses.inputs), (8, [3, 4, 7].into()));
    }

    #[test]
    fn gathering_takes_a_texture_and_a_sampler() {
        for (op, samplers) in [
            (FetchOp::Sample, &[7][..]),
            (FetchOp::Fetch4, &[7]),
            (FetchOp::GetLod, &[7]),
            (FetchOp::Ld, &[]),
        ] {
            let mut walk = Walk { uses: Uses::default(), written: BTreeSet::new() };
            walk.fetch(&FetchInst::Tex(TexInst::sample(op, 5, 7)));
            assert_eq!(walk.uses.textures, BTreeSet::from([5]), "{op:?}");
            let samplers: BTreeSet<u8> = samplers.iter().copied().collect();
            assert_eq!(walk.uses.samplers, samplers, "{op:?}");
        }
    }

    #[test]
    fn a_register_of_which_no_channel_is_read_is_no_input() {
        for (select, inputs) in [(ComponentSel::X, 1), (ComponentSel::Zero, 0)] {
            let mut walk = Walk { uses: Uses::default(), written: BTreeSet::new() };
            let mut tex = TexInst::sample(FetchOp::Sample, 5, 7);
            (tex.src_gpr, tex.src_sel) = (119, [select; 4]);
            walk.fetch(&FetchInst::Tex(tex));
            assert_eq!(walk.uses.inputs.len(), inputs);
        }
    }
}
