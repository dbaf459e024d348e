use std::collections::HashMap;

use tgsi_ir::Processor;

use super::*;

/// Each subscript of an instruction's operands is in an address register of its own when the instruction executes.
#[test]
fn subscripts_of_one_operand_do_not_share_an_address() {
    let mut code = Code::new(1000);
    let temp = code.temp();
    let result = code.temp();
    let components = Component::ALL;
    for component in components {
        let mask = WriteMask::from_bits(1 << component.index());
        let word = Operand::words([component.index() as u32; 4]);
        code.emit(Opcode::Mov, Target::temp(temp, mask), &[word]);
    }
    let index = |n: usize| Some(Index { temp, component: components[n % 4] });
    for n in 0..64 {
        let inputs = [n, n / 4, n / 16].map(|n| Operand {
            index: index(n),
            outer: index(n + 1),
            ..Operand::new(Base::Register2(File::Input, 0, 0))
        });
        code.emit(Opcode::Mov, Target::temp(result, WriteMask::XYZW), &inputs[..1]);
        code.emit(Opcode::Mad, Target::temp(result, WriteMask::XYZW), &inputs);
    }
    let (shader, _) =
        finish(code, Shader::new(Processor::Geometry), false).expect("it is finished");
    // In each operand the first subscript holds the component after that of the last.
    let mut held = HashMap::new();
    let mut seen = 0;
    for inst in &shader.instructions {
        if inst.opcode == Opcode::Uarl {
            held.insert(inst.dst[0].reg.index, inst.src[0].swizzle.components()[0].index());
        }
        for src in inst.src.iter().filter(|src| src.reg.file == File::Input) {
            let last = src.reg.indirect.expect("it has a subscript").index;
            let first = src.reg.dimension.and_then(|one| one.indirect).expect("it has two").index;
            assert_eq!(held[&first], (held[&last] + 1) % 4, "{inst:?}");
            seen += 1;
        }
    }
    assert_eq!(seen, 4 * 64);
}
