//! Rules of whole programs: control flow, exports, fetches, what surrounds a run.

use super::*;

#[test]
fn the_stack_is_as_deep_as_declared() {
    let fault = program_fault(|program| {
        (1..=3).for_each(|next| program.cf.push(flow(CfOp::Push, next, 0)))
    });
    assert_eq!(fault, Fault::StackOverflow { needed: 2, declared: 1 });
}

#[test]
fn control_flow_nests() {
    for (op, fault) in [
        (CfOp::Else, Fault::ElseWithoutPush),
        (CfOp::LoopEnd, Fault::LoopEndWithoutStart),
        (CfOp::LoopBreak, Fault::BreakOutsideLoop),
        (CfOp::LoopContinue, Fault::BreakOutsideLoop),
    ] {
        assert_eq!(program_fault(|program| program.cf.push(flow(op, 1, 0))), fault);
    }
    let pop = program_fault(|program| program.cf.push(flow(CfOp::Pop, 1, 1)));
    assert_eq!(pop, Fault::PopWithoutPush);
}

#[test]
fn loops_end() {
    let fault = program_fault(|program| {
        program.cf.push(flow(CfOp::LoopStartDx10, 2, 0));
        program.cf.push(flow(CfOp::LoopEnd, 1, 0));
    });
    assert_eq!(fault, Fault::StepLimit(1000));
    let recursion = |program: &mut Program| program.cf.push(flow(CfOp::Call, 0, 0));
    // A call takes an element, and a unit of the stack is four.
    let overflow = Fault::StackOverflow { needed: 2, declared: 1 };
    assert_eq!(program_fault(recursion), overflow);
    assert_eq!(program_fault_with(9, recursion), Fault::CallTooDeep(32));
}

/// A program does not go on to an address that an instruction holds but never goes to.
#[test]
fn an_instruction_that_does_not_jump_may_hold_any_address() {
    for op in [CfOp::EmitVertex, CfOp::EmitCutVertex, CfOp::CutVertex, CfOp::Kill] {
        let mut program = Program::new(GENERATION);
        program.cf.push(flow(op, 9, 0));
        export(&mut program, support::RESULT);
        end(&mut program);
        let kernel = kernel(&program, CHIP, 0);
        assert!(kernel.is_ok(), "{op:?}: {:?}", kernel.err());
    }
}

#[test]
fn counted_loops_have_their_constant() {
    let fault = program_fault(|program| {
        program.cf.push(flow(CfOp::LoopStart, 2, 0));
        program.cf.push(flow(CfOp::LoopEnd, 1, 0));
    });
    assert_eq!(fault, Fault::NoFlowConstant("loop", 0));
}

fn vertex_fault(kinds: &[ExportKind]) -> Fault {
    let mut program = Program::new(GENERATION);
    for &kind in kinds {
        program.cf.push(Cf::Export(CfExport {
            sel: [ComponentSel::X; 4],
            ..CfExport::new(
                CfOp::ExportDone,
                kind,
                if kind == ExportKind::Position { 60 } else { 0 },
                0,
            )
        }));
    }
    end(&mut program);
    let declaration =
        Declaration { chip: CHIP, stage: Stage::Vertex, num_gprs: NUM_GPRS, stack_entries: 0 };
    Kernel::from_words(&program.encode().unwrap(), declaration)
        .unwrap()
        .run(&Entry::new(1), &Options::default(), &mut NoResources)
        .unwrap_err()
        .fault
}

#[test]
fn stages_export_what_they_owe_and_nothing_after() {
    assert_eq!(vertex_fault(&[]), Fault::MissingExport("POS"));
    assert_eq!(vertex_fault(&[ExportKind::Position]), Fault::MissingExport("PARAM"));
    assert_eq!(vertex_fault(&[ExportKind::Parameter]), Fault::MissingExport("POS"));
    assert_eq!(
        vertex_fault(&[ExportKind::Position, ExportKind::Position]),
        Fault::ExportAfterDone("POS")
    );
    let mut pixel = Program::new(GENERATION);
    end(&mut pixel);
    assert_eq!(fault_of_program(&pixel, &mut NoResources), Fault::MissingExport("PIXEL"));
}

struct OneBuffer {
    words: [u32; 4],
}

impl Resources for OneBuffer {
    fn buffer(&self, resource: u32) -> Option<Buffer<'_>> {
        let format = BufferFormat { data: 0x23, number: 2, is_signed: true };
        (resource == 0).then_some(Buffer::new(&self.words, 16, format))
    }
}

fn fetch(program: &mut Program, op: CfOp, fetches: Vec<FetchInst>) {
    let clause = program.add_clause(Clause::Fetch(fetches));
    program.cf.push(Cf::Fetch(r600_isa::CfFetch::new(op, clause)));
}

fn buffer_fault(index: u32, buffer_id: u8) -> Option<Fault> {
    let mut program = Program::new(GENERATION);
    let read = VtxInst { src_gpr: 1, ..VtxInst::buffer_fetch(buffer_id) };
    fetch(&mut program, CfOp::Vtx, vec![FetchInst::Vtx(read)]);
    export(&mut program, support::RESULT);
    end(&mut program);
    let kernel = kernel(&program, CHIP, 0).unwrap();
    let mut resources = OneBuffer { words: [0; 4] };
    let outcome = kernel.run(&entry(&[index]), &Options::default(), &mut resources);
    outcome.err().map(|error| error.fault)
}

#[test]
fn buffers_exist_and_are_not_overrun() {
    assert_eq!(buffer_fault(0, 0), None);
    let outside = Fault::AddressOutOfRange { memory: "a buffer", address: 16, size: 16 };
    assert_eq!(buffer_fault(1, 0), Some(outside));
    assert_eq!(buffer_fault(0, 5), Some(Fault::NoResource("buffer", 5)));
}

#[test]
fn textures_exist_and_have_their_gradients() {
    let sample = |op| FetchInst::Tex(TexInst::sample(op, 7, 0));
    let plain = program_fault(|program| fetch(program, CfOp::Tex, vec![sample(FetchOp::Sample)]));
    assert_eq!(plain, Fault::NoResource("texture", 7));
    let gradients =
        program_fault(|program| fetch(program, CfOp::Tex, vec![sample(FetchOp::SampleG)]));
    assert_eq!(gradients, Fault::NoFetchState("SET_GRADIENTS_H"));
}

#[test]
fn scratch_memory_is_read_after_the_acknowledged_write() {
    let write =
        |kind| Cf::Memory(CfMemory { kind, elem_size: 3, ..CfMemory::new(CfOp::MemScratch, 0) });
    let read = MemInst { elem_size: 3, ..MemInst::new(FetchOp::ReadScratch) };
    let fault = |kind, waits: bool| {
        program_fault(|program| {
            program.cf.push(write(kind));
            if waits {
                program.cf.push(flow(CfOp::WaitAck, 0, 0));
            }
            fetch(program, CfOp::Vtx, vec![FetchInst::Mem(read.clone())]);
            fetch(program, CfOp::Tex, vec![FetchInst::Tex(TexInst::sample(FetchOp::Ld, 7, 0))]);
        })
    };
    assert_eq!(fault(MemoryType::WriteAck, false), Fault::NotAcknowledged(0));
    assert_eq!(fault(MemoryType::Write, true), Fault::NotAcknowledged(0));
    // The program gets as far as the texture that is not there.
    assert_eq!(fault(MemoryType::WriteAck, true), Fault::NoResource("texture", 7));
}

#[test]
fn a_fetch_does_not_read_what_its_clause_writes() {
    let mut first = TexInst::sample(FetchOp::Sample, 0, 0);
    first.dst_sel = [ComponentSel::X; 4];
    let mut second = TexInst::sample(FetchOp::Sample, 0, 0);
    second.src_sel[0] = ComponentSel::Z;
    let fetches = vec![FetchInst::Tex(first), FetchInst::Tex(second)];
    let fault = program_fault(|program| fetch(program, CfOp::Tex, fetches));
    assert_eq!(fault, Fault::FetchOrder { gpr: 0, channel: 2 });
}

#[test]
fn words_hold_the_whole_program() {
    let declaration =
        Declaration { chip: CHIP, stage: Stage::Pixel, num_gprs: 1, stack_entries: 0 };
    let fault = |words: &[u32]| Kernel::from_words(words, declaration).unwrap_err().fault;
    assert_eq!(fault(&[]), Fault::NoInstruction(0));
    // An ALU clause of one slot at the end of the words.
    assert_eq!(fault(&[1, 0xa000_0000]), Fault::ClauseOverrun);
    // A group whose last instruction is missing.
    assert_eq!(fault(&[1, 0xa000_0000, 0, 0x0000_0c90]), Fault::ClauseOverrun);
}

/// The fault of a program of `instructions` that run 128 slots each, `apart` slots after those of the one before.
fn fault_of_clauses(instructions: u32, apart: u32) -> Option<Fault> {
    let declaration =
        Declaration { chip: CHIP, stage: Stage::Pixel, num_gprs: 1, stack_entries: 0 };
    let alu = |number| [instructions + 1 + number * apart, 0xa000_0000 | 127 << 18];
    let mut words: Vec<u32> = (0..instructions).flat_map(alu).collect();
    words.extend([0, 0x8020_0000]);
    let slots = 128 + instructions * apart;
    words.extend([0x8000_0001, 0x0000_0c90].repeat(slots as usize));
    Kernel::from_words(&words, declaration).err().map(|error| error.fault)
}

/// Many instructions may run one clause, but a small program does not become a large plan by it.
#[test]
fn clauses_that_overlap_have_a_limit() {
    assert_eq!(fault_of_clauses(9000, 0), None);
    assert_eq!(fault_of_clauses(64, 1), None);
    let num_words = 2 * (9000 + 1 + 128 + 9000);
    assert_eq!(fault_of_clauses(9000, 1), Some(Fault::ClausesOverlap(2 * num_words)));
}

/// What one clause reads of the constant cache depends on the instruction that runs it.
#[test]
fn a_clause_that_two_instructions_run_has_the_locks_of_each() {
    let constant = AluSrc::new(AluSel::Kcache { set: 0, index: 0 }, Chan::X);
    let fault = program_fault(|program| {
        let clause = program.add_clause(Clause::Alu(vec![group(&[mov(Chan::X, constant)])]));
        for (bank, has_lines) in [(0, true), (3, false)] {
            let mut kcache = [KcacheWindow::default(); 4];
            let mode = if has_lines { KcacheMode::Lock1 } else { KcacheMode::None };
            kcache[0] = KcacheWindow { mode, bank, ..KcacheWindow::default() };
            program.cf.push(Cf::Alu(CfAlu { kcache, ..CfAlu::new(CfOp::Alu, clause) }));
        }
    });
    assert_eq!(fault, Fault::ConstantNotLocked(128));
}

/// Headers of R600 name a loop over elements, and no document says what it does.
#[test]
fn loops_over_elements_are_refused() {
    let write = CfMemory { elem_loop: true, ..CfMemory::new(CfOp::MemScratch, 0) };
    let export = CfExport {
        elem_loop: true,
        ..CfExport::new(CfOp::ExportDone, ExportKind::Pixel, support::RESULT.into(), 0)
    };
    for cf in [Cf::Memory(write), Cf::Export(export)] {
        let fault = program_fault(|program| program.cf.push(cf));
        assert!(matches!(&fault, Fault::NotExecuted(what, _) if what == "ELEM_LOOP"), "{fault}");
    }
}

#[test]
fn instructions_of_other_generations_are_refused() {
    let mut words = support::program(GENERATION, vec![group(&[mov(Chan::X, gpr(0, Chan::X))])])
        .encode()
        .unwrap();
    let declaration =
        Declaration { chip: CHIP, stage: Stage::Pixel, num_gprs: NUM_GPRS, stack_entries: 0 };
    assert!(Kernel::from_words(&words, declaration).is_ok());
    // Opcode 0x51 is DOT4_IEEE here and BFREV_INT later; 0x7f is nothing.
    let instruction = words.len() - 1;
    words[instruction] |= 0x7f << 7;
    let error = Kernel::from_words(&words, declaration).unwrap_err();
    assert!(matches!(error.fault, Fault::NotExecuted(..)), "{error}");
}

#[test]
fn an_interpolation_names_its_parameter() {
    let slot = |chan| AluInst {
        bank_swizzle: 5,
        ..inst(AluOp::InterpXy, chan, &[gpr(0, Chan::X), gpr(1, Chan::X)])
    };
    let fault = run(Chip::Cypress, vec![group(&Chan::ALL.map(slot))], &entry(&[])).unwrap_err();
    assert_eq!(fault.fault, Fault::BadLaunch("an interpolation does not name a parameter"));
}

#[test]
fn lanes_agree_on_the_index_of_a_resource() {
    let mut program = Program::new(Generation::Evergreen);
    let load =
        AluInst { dst: Default::default(), ..inst(AluOp::MovaInt, Chan::X, &[gpr(1, Chan::X)]) };
    let copy = AluInst { dst: Default::default(), ..inst(AluOp::SetCfIdx0, Chan::X, &[]) };
    alu(&mut program, CfOp::Alu, vec![group(&[load]), group(&[copy])]);
    let sample = TexInst::sample(FetchOp::Sample, 7, 0);
    fetch(&mut program, CfOp::Tex, vec![FetchInst::Tex(sample)]);
    export(&mut program, support::RESULT);
    end(&mut program);
    let mut words = program.encode().unwrap();
    let fetch = words.len() - 4;
    words[fetch] |= 1 << RESOURCE_INDEX_MODE.on(Generation::Evergreen).unwrap().lo;
    let declaration =
        Declaration { chip: Chip::Cypress, stage: Stage::Pixel, num_gprs: 8, stack_entries: 0 };
    let kernel = Kernel::from_words(&words, declaration).unwrap();
    let fault = |entry: &Entry<'_>| {
        let result = kernel.run(entry, &Options::default(), &mut NoResources);
        result.unwrap_err().fault
    };
    assert_eq!(fault(&entry(&[2])), Fault::NoResource("texture", 9));
    let mut apart = entry(&[2]);
    apart.set_gpr(1, 0, 3, 1);
    assert_eq!(fault(&apart), Fault::IndexNotUniform(0));
}

/// Lanes beside each other are pixels of a quad, or vertices in no order.
#[test]
fn vertices_have_no_derivatives() {
    let fault = |op| {
        let mut program = Program::new(GENERATION);
        fetch(&mut program, CfOp::Tex, vec![FetchInst::Tex(TexInst::sample(op, 0, 0))]);
        end(&mut program);
        let declaration =
            Declaration { chip: CHIP, stage: Stage::Vertex, num_gprs: NUM_GPRS, stack_entries: 0 };
        let kernel = Kernel::from_words(&program.encode().unwrap(), declaration).unwrap();
        kernel.run(&Entry::new(4), &Options::default(), &mut NoResources).unwrap_err().fault
    };
    assert_eq!(fault(FetchOp::Sample), Fault::NoDerivatives("SAMPLE"));
    assert_eq!(fault(FetchOp::SampleCLb), Fault::NoDerivatives("SAMPLE_C_LB"));
    assert_eq!(fault(FetchOp::GetGradientsH), Fault::NoDerivatives("GET_GRADIENTS_H"));
    for op in [FetchOp::SampleL, FetchOp::GetLod] {
        assert_eq!(fault(op), Fault::NoResource("texture", 0));
    }
}

/// What is filled before a program begins is in its own registers.
#[test]
fn entry_registers_are_the_programs_own() {
    let mut program = Program::new(GENERATION);
    end(&mut program);
    let declaration =
        Declaration { chip: CHIP, stage: Stage::Other, num_gprs: 2, stack_entries: 0 };
    let kernel = Kernel::from_words(&program.encode().unwrap(), declaration).unwrap();
    let mut entry = Entry::new(4);
    entry.set_gpr(1, 0, 0, 7);
    assert!(kernel.run(&entry, &Options::default(), &mut NoResources).is_ok());
    entry.set_gpr(2, 0, 0, 7);
    let fault = kernel.run(&entry, &Options::default(), &mut NoResources).unwrap_err().fault;
    assert_eq!(fault, Fault::GprOutOfRange { gpr: 2, declared: 2 });
}
