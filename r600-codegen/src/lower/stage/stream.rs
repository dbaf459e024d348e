//! Stream output: writes outputs of the last vertex-producing stage to buffers.

use r600_isa::{AluOp, CfMemory, CfOp, Chan, Generation, MemoryAccess};
use r600_mir::Storage;

use crate::abi::StreamOutput;
use crate::refusal::Refusal;
use crate::ssa::{Condition, If, InstData, MemoryInst, Node, Operand, Region};

use super::super::{LowerError, Lowering};
use super::InputSource;

/// Position of the stream's number in the entry register of a copy shader.
const STREAM_SHIFT: i32 = 30;
/// Elements that a buffer can hold, less one.
const ARRAY_SIZE: u16 = 0xFFF;

/// The operations of R600 and R700, which have one stream, by buffer.
const EARLY: [CfOp; 4] = [CfOp::MemStream0, CfOp::MemStream1, CfOp::MemStream2, CfOp::MemStream3];

/// The operations of Evergreen and Cayman, by stream, then buffer.
const LATE: [[CfOp; 4]; 4] = [
    [CfOp::MemStream0Buf0, CfOp::MemStream0Buf1, CfOp::MemStream0Buf2, CfOp::MemStream0Buf3],
    [CfOp::MemStream1Buf0, CfOp::MemStream1Buf1, CfOp::MemStream1Buf2, CfOp::MemStream1Buf3],
    [CfOp::MemStream2Buf0, CfOp::MemStream2Buf1, CfOp::MemStream2Buf2, CfOp::MemStream2Buf3],
    [CfOp::MemStream3Buf0, CfOp::MemStream3Buf1, CfOp::MemStream3Buf2, CfOp::MemStream3Buf3],
];

impl Lowering<'_> {
    /// Writes the outputs that the key asks for to their buffers.
    pub(in super::super) fn write_streams(&mut self) -> Result<(), LowerError> {
        let outputs = self.key.stream_outputs.clone();
        outputs.iter().try_for_each(|output| self.judge_stream(output))?;
        if !self.has_streams() {
            outputs.iter().for_each(|output| self.write_stream(output));
            return Ok(());
        }
        for stream in 0..4 {
            let of_stream: Vec<_> = outputs.iter().filter(|one| one.stream == stream).collect();
            if !of_stream.is_empty() {
                self.write_where_stream_is(stream, &of_stream);
            }
        }
        Ok(())
    }

    /// Whether vertices come from different streams.
    fn has_streams(&self) -> bool {
        let is_late = matches!(self.generation, Generation::Evergreen | Generation::Cayman);
        is_late && matches!(self.stage.source, InputSource::Copy(_))
    }

    fn judge_stream(&self, output: &StreamOutput) -> Result<(), LowerError> {
        let name = || format!("stream output of OUT[{}]", output.register);
        let is_declared = self.outputs.iter().any(|slot| slot.register == output.register);
        if !is_declared {
            return Err(LowerError::new(name(), Refusal::Undeclared));
        }
        if !output.is_valid() {
            return Err(LowerError::new(name(), Refusal::StreamOutputRange));
        }
        if output.stream != 0 && !self.has_streams() {
            return Err(LowerError::new(name(), Refusal::StreamOutputOther));
        }
        Ok(())
    }

    fn write_where_stream_is(&mut self, stream: u8, outputs: &[&StreamOutput]) {
        let packed = Operand::value(self.function.live_in_value(0, Chan::X));
        let number = self.alu(AluOp::LshrInt, &[packed, Operand::int(STREAM_SHIFT)]);
        self.control.open_region();
        outputs.iter().for_each(|output| self.write_stream(output));
        let then = self.control.close_region();
        let wanted = Operand::int(i32::from(stream));
        let condition = Condition { op: AluOp::PredSeteInt, src: [number, wanted] };
        let branch = If { condition, then, otherwise: Region::default(), phis: Vec::new() };
        self.control.push(Node::If(Box::new(branch)));
    }

    /// Channel n goes to dword n after the base. If the base would lie before the vertex, components move down instead.
    fn write_stream(&mut self, output: &StreamOutput) {
        let vector = self.output_vector(output.register);
        let first = usize::from(output.first_component);
        let lead = first.min(usize::from(output.offset));
        let mut src = [None; 4];
        let count = usize::from(output.num_components);
        src[lead..lead + count].copy_from_slice(&vector[first..first + count]);
        let op = match self.generation {
            Generation::R600 | Generation::R700 => EARLY[usize::from(output.buffer & 3)],
            Generation::Evergreen | Generation::Cayman => {
                LATE[usize::from(output.stream & 3)][usize::from(output.buffer & 3)]
            }
        };
        let template = CfMemory {
            access: MemoryAccess::Base(output.offset - lead as u16),
            elem_size: if output.num_components == 3 { 3 } else { output.num_components - 1 },
            array_size: ARRAY_SIZE,
            ..CfMemory::new(op, 0)
        };
        let index = [None; 4];
        self.emit(InstData::Memory(Box::new(MemoryInst {
            template,
            storage: Storage::Stream,
            place: None,
            src,
            index,
        })));
    }
}
