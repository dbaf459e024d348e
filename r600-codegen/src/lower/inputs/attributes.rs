//! Vertex attributes: preloaded in registers, or fetched by the program itself.

use r600_isa::{Chan, ComponentSel, Generation, NumFormat, VtxInst};
use tgsi_ir::{Declarations, File};

use crate::abi::{ShaderKey, Step, VertexFetch, inlined_buffer_resource};
use crate::fetch_shader::{FetchShaderError, judge, vertex_fetch};
use crate::quotient::way;
use crate::refusal::Refusal;
use crate::ssa::{AluInst, FetchInst, FetchKind, FetchStep, InstData, Operand};

use super::super::declared::registers;
use super::super::{LowerError, Lowering};
use super::{Delivery, Inputs, gpr_number};

/// Number of registers that semantic fetches can fill.
const SEMANTIC_FETCHES: u16 = 32;

impl Inputs {
    /// Places the attributes: attribute n is preloaded in R(n + 1), or fetched as the layout says.
    pub(super) fn place_attributes(
        &mut self,
        declarations: &Declarations<'_>,
        fetch: &VertexFetch,
        generation: Generation,
    ) -> Result<(), LowerError> {
        for (register, _) in registers(declarations, File::Input)? {
            let gpr = gpr_number(usize::from(register) + 1)?;
            self.add(register, gpr, delivery(register, fetch, generation)?, None)?;
        }
        Ok(())
    }
}

impl Inputs {
    /// Refuses attributes that a semantic fetch cannot deliver. A fetch that names its register can fill any.
    pub(in super::super) fn judge_semantic_fetches(
        &self,
        key: &ShaderKey,
    ) -> Result<(), LowerError> {
        if key.vertex_fetch != VertexFetch::FetchShader {
            return Ok(());
        }
        match self.slots.iter().find(|slot| slot.register >= SEMANTIC_FETCHES) {
            Some(slot) => {
                Err(LowerError::new(format!("IN[{}]", slot.register), Refusal::AttributeNumber))
            }
            None => Ok(()),
        }
    }
}

fn delivery(
    register: u16,
    fetch: &VertexFetch,
    generation: Generation,
) -> Result<Delivery, LowerError> {
    let VertexFetch::Inlined(layout) = fetch else { return Ok(Delivery::Preloaded) };
    let refused = |reason| LowerError::new(format!("IN[{register}]"), reason);
    let mut elements = layout.iter();
    let element = elements.find(|element| u16::from(element.attribute) == register);
    let element = *element.ok_or_else(|| refused(Refusal::NoVertexElement))?;
    judge(&element).map_err(|error| refused(reason(&error)))?;
    let resource = inlined_buffer_resource(element.buffer, generation);
    let template = vertex_fetch(&element, resource);
    let template = template.map_err(|error| refused(reason(&error)))?;
    Ok(Delivery::Fetched(template, element.step))
}

fn reason(error: &FetchShaderError) -> Refusal {
    match error {
        FetchShaderError::Buffer(_) => Refusal::VertexBuffer,
        FetchShaderError::Divisor(_) => Refusal::VertexDivisor,
        FetchShaderError::Attribute(_) => Refusal::TooManyInputs,
        FetchShaderError::Format(_) | FetchShaderError::Encode(_) => Refusal::VertexFormat,
    }
}

impl Lowering<'_> {
    /// The channels of an attribute, fetched before everything else. If the format is an integer one, the component
    /// that the layout sets to one is the integer 1.
    pub(super) fn attribute(&mut self, template: VtxInst, step: Step) -> [Operand; 4] {
        let index = self.element_number(step);
        let selects = template.dst_sel;
        let one = match template.num_format == NumFormat::Int as u8 {
            true => Operand::int(1),
            false => Operand::ONE,
        };
        let address = [Some(index), None, None, None];
        let step = FetchStep { kind: FetchKind::Vtx(template), address };
        let fetch = FetchInst::new([step].into_iter().collect());
        let results = self.prologue_inst(InstData::Fetch(Box::new(fetch)));
        selects.map(|select| match select {
            ComponentSel::X | ComponentSel::Y | ComponentSel::Z | ComponentSel::W => {
                Operand::value(results[select as usize])
            }
            ComponentSel::One => one,
            _ => Operand::ZERO,
        })
    }

    /// The number of the element that an attribute takes from its buffer.
    fn element_number(&mut self, step: Step) -> Operand {
        match step {
            Step::Vertex => self.entry_value(Some(0), Chan::X),
            Step::Instances(1) => self.entry_value(Some(0), Chan::W),
            Step::Instances(divisor) => {
                let instance = self.entry_value(Some(0), Chan::W);
                let Some(way) = way(divisor) else { return instance };
                way.emit(instance, Operand::constant, |op, src| {
                    let inst = InstData::Alu(AluInst::new(op, &src));
                    Operand::value(self.prologue_inst(inst)[0])
                })
            }
        }
    }
}
