//! The rings between a geometry shader and the stages around it.

use tgsi_ir::{
    Declaration, Dst, File, Instruction, Opcode, Processor, PropertyName, Register, Semantic,
    Shader, Src,
};

use super::LAST_REGISTER;

/// The hardware stage as which a vertex-producing shader runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum VertexAs {
    /// The last stage before the rasteriser, which exports positions and parameters.
    #[default]
    Vertex,
    /// The stage before a geometry shader: its outputs go to the ring that the geometry shader reads.
    Export(RingLayout),
    /// The stage before tessellation: its outputs go to the local data share.
    Local,
    /// The stage after a geometry shader: it reads its inputs from the ring that the geometry shader fills and exports
    /// them; see [`copy_shader`].
    Copy,
}

/// The layout of a vertex in the ring before a geometry shader: a vec4 per input, in order of register numbers from the
/// lowest declared one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RingLayout {
    first: u16,
    slots: Vec<Option<(Semantic, u16)>>,
}

/// Dwords of one vec4.
pub(crate) const SLOT_DWORDS: u16 = 4;

impl RingLayout {
    /// The layout for the inputs of `geometry`.
    #[must_use]
    pub fn of_inputs(geometry: &Shader) -> Self {
        let inputs: Vec<&Declaration> =
            geometry.declarations.iter().filter(|d| is_vertex_input(d)).collect();
        let first = inputs.iter().map(|d| d.range.first).min().unwrap_or(0);
        let mut slots = Vec::new();
        for input in inputs {
            let Some(semantic) = input.semantic else { continue };
            for register in input.range.first..=input.range.last.min(LAST_REGISTER) {
                let at = usize::from(register - first);
                if slots.len() <= at {
                    slots.resize(at + 1, None);
                }
                let index = semantic.index.saturating_add(register - input.range.first);
                slots[at] = Some((semantic.name, index));
            }
        }
        Self { first, slots }
    }

    /// The input register of the first vec4.
    #[must_use]
    pub fn first_register(&self) -> u16 {
        self.first
    }

    /// The vec4 index of an input register.
    #[must_use]
    pub fn slot_of_register(&self, register: i16) -> Option<u16> {
        let at = u16::try_from(i32::from(register) - i32::from(self.first)).ok()?;
        self.slots.get(usize::from(at)).copied().flatten().map(|_| at)
    }

    /// The vec4 indices of an output's semantic: none if the geometry shader does not read it, several if it reads it
    /// through several inputs.
    pub fn slots_of(&self, semantic: (Semantic, u16)) -> impl Iterator<Item = u16> {
        let places = (0..).zip(&self.slots);
        places.filter(move |(_, slot)| **slot == Some(semantic)).map(|(at, _)| at)
    }

    /// Dwords per vertex.
    #[must_use]
    pub fn num_dwords(&self) -> u32 {
        self.slots.len() as u32 * u32::from(SLOT_DWORDS)
    }
}

/// Whether a declaration declares per-vertex inputs.
fn is_vertex_input(declaration: &Declaration) -> bool {
    let is_whole = declaration.semantic.is_none_or(|s| s.name == Semantic::Primid);
    declaration.file == File::Input && !is_whole
}

/// The program that the hardware runs as the vertex shader after `geometry`, for [`VertexAs::Copy`]. It copies each
/// output of the geometry shader unchanged.
#[must_use]
pub fn copy_shader(geometry: &Shader) -> Shader {
    let mut copy = Shader::new(Processor::Vertex);
    for output in geometry.declarations.iter().filter(|d| d.file == File::Output) {
        copy.declarations.push(Declaration { file: File::Input, ..output.clone() });
        copy.declarations.push(output.clone());
        for register in output.range.first..=output.range.last.min(LAST_REGISTER) {
            let number = register.cast_signed();
            copy.instructions.push(move_register(number));
        }
    }
    let is_kept = |name: PropertyName| {
        matches!(name, PropertyName::NumClipdistEnabled | PropertyName::NumCulldistEnabled)
    };
    copy.properties =
        geometry.properties.iter().filter(|property| is_kept(property.name)).cloned().collect();
    copy.instructions.push(Instruction::new(Opcode::End));
    copy
}

/// `MOV OUT[number], IN[number]`.
fn move_register(number: i16) -> Instruction {
    let mut mov = Instruction::new(Opcode::Mov);
    mov.dst.push(Dst::new(Register::new(File::Output, number)));
    mov.src.push(Src::new(Register::new(File::Input, number)));
    mov
}

#[cfg(test)]
mod tests {
    use super::*;

    const GEOMETRY: &str = "GEOM
PROPERTY GS_INPUT_PRIMITIVE POINTS
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 1
DCL IN[], PRIM_ID
DCL IN[][1], POSITION
DCL IN[][3..4], GENERIC[2]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
MOV OUT[0], IN[0][1]
MOV OUT[1], IN[0][4]
EMIT
END
";

    #[test]
    fn inputs_are_laid_out_in_register_order() {
        let geometry =
            tgsi_text::parse(&GEOMETRY.replace("IN[], PRIM_ID", "IN[0], PRIM_ID")).shader;
        let layout = RingLayout::of_inputs(&geometry);
        assert_eq!((layout.first_register(), layout.num_dwords()), (1, 16));
        assert!(layout.slots_of((Semantic::Generic, 3)).eq([3]));
        assert!(layout.slots_of((Semantic::Generic, 4)).eq([]));
        assert_eq!([0, 2, 3].map(|n| layout.slot_of_register(n)), [None, None, Some(2)]);
    }

    #[test]
    fn indices_do_not_wrap_around() {
        let text = GEOMETRY.replace("IN[], PRIM_ID", "IN[0], PRIM_ID").replace("[2]", "[65535]");
        let layout = RingLayout::of_inputs(&tgsi_text::parse(&text).shader);
        assert!(layout.slots_of((Semantic::Generic, u16::MAX)).eq([2, 3]));
    }

    #[test]
    fn a_copy_shader_moves_each_output() {
        let geometry =
            tgsi_text::parse(&GEOMETRY.replace("IN[], PRIM_ID", "IN[0], PRIM_ID")).shader;
        let copy = copy_shader(&geometry);
        let text = tgsi_text::print(&copy, tgsi_text::Style::Lossless);
        assert!(text.contains("MOV OUT[1], IN[1]"), "{text}");
    }
}
