//! Whether a shader uses legacy constructs: one answer for everything that runs or compiles shaders.

use crate::{Declaration, File, Instruction, Register, Saturate, Shader};

impl File {
    /// Whether Mesa 21.2 lacks it: `LOOP`, `PRED`, `TEMPX`, `IMMX` and `RES`.
    pub const fn is_legacy(self) -> bool {
        !matches!(self, Self::Unknown(_)) && self.number().is_none()
    }
}

impl Instruction {
    /// Whether it has an opcode, a predicate, a saturation or operands that Mesa 21.2 lacks.
    pub fn is_legacy(&self) -> bool {
        let registers = self.dst.iter().map(|dst| &dst.reg);
        let mut registers = registers.chain(self.src.iter().map(|src| &src.reg));
        self.opcode.is_legacy()
            || self.predicate.is_some()
            || matches!(self.saturate, Saturate::MinusPlusOne | Saturate::Reserved)
            || registers.any(names_legacy_file)
    }
}

impl Shader {
    /// Whether it uses legacy constructs. [`modernise`](crate::modernise::modernise) changes no other shader.
    pub fn is_legacy(&self) -> bool {
        let is_declared = |one: &Declaration| one.file.is_legacy();
        self.instructions.iter().any(Instruction::is_legacy)
            || self.declarations.iter().any(is_declared)
    }
}

/// Whether a register or one of its subscripts uses a legacy file.
fn names_legacy_file(reg: &Register) -> bool {
    let of_dimension = reg.dimension.and_then(|dimension| dimension.indirect);
    let mut subscripts = reg.indirect.iter().chain(&of_dimension);
    reg.file.is_legacy() || subscripts.any(|indirect| indirect.file.is_legacy())
}

#[cfg(test)]
mod tests {
    use crate::modernise::modernise;
    use crate::{
        Component, Declaration, Dst, File, Indirect, Instruction, Opcode, Predicate, Processor,
        Register, Saturate, Shader, Src, Swizzle,
    };

    /// A shader with one instruction.
    fn with(change: impl FnOnce(&mut Instruction)) -> Shader {
        let mut one = Instruction::new(Opcode::Mov);
        one.dst.push(Dst::new(Register::new(File::Temporary, 0)));
        one.src.push(Src::new(Register::new(File::Temporary, 0)));
        change(&mut one);
        let mut shader = Shader::new(Processor::Vertex);
        shader.instructions.push(one);
        shader
    }

    /// `reg` with a subscript of a file.
    fn subscripted(file: File) -> Register {
        let indirect = Indirect { file, index: 0, component: Component::X, array_id: 0 };
        Register { indirect: Some(indirect), ..Register::new(File::Temporary, 0) }
    }

    #[test]
    fn each_legacy_construct_alone_is_found() {
        let predicate = Predicate { index: 0, swizzle: Swizzle::XYZW, negate: false };
        assert!(!with(|_| {}).is_legacy());
        assert!(with(|one| one.opcode = Opcode::Xpd).is_legacy());
        assert!(with(|one| one.predicate = Some(predicate)).is_legacy());
        assert!(with(|one| one.saturate = Saturate::MinusPlusOne).is_legacy());
        assert!(with(|one| one.src[0].reg = subscripted(File::Loop)).is_legacy());
        assert!(!with(|one| one.src[0].reg = subscripted(File::Address)).is_legacy());
    }

    #[test]
    fn files_that_are_gone_are_found() {
        let gone = ["LOOP", "PRED", "IMMX", "TEMPX", "RES"].map(|word| (word, true));
        let kept = ["NULL", "CONST", "TEMP", "IMAGE", "MEMORY"].map(|word| (word, false));
        for (word, is_gone) in gone.into_iter().chain(kept) {
            let file = File::from_name(word).expect("it is a file");
            let register = Register::new(file, 0);
            let mut declared = with(|_| {});
            declared.declarations.push(Declaration::new(file, 0, 0));
            assert_eq!(declared.is_legacy(), is_gone, "{word}");
            assert_eq!(with(|one| one.src[0].reg = register).is_legacy(), is_gone, "{word}");
            assert_eq!(with(|one| one.dst[0].reg = register).is_legacy(), is_gone, "{word}");
        }
        assert!(!File::Unknown(20).is_legacy());
    }

    #[test]
    fn what_is_not_legacy_stays_as_it_is() {
        for opcode in Opcode::ALL {
            let shader = with(|one| one.opcode = opcode);
            if !shader.is_legacy() {
                assert_eq!(modernise(&shader).as_ref(), Ok(&shader), "{opcode}");
            }
        }
    }
}
