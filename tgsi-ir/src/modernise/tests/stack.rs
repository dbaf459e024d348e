//! The stack of addresses has a depth that is known everywhere, or the shader is refused.

use super::*;

/// A shader of instructions without labels; a push, a pop, a condition and a number of a switch get the operands they take.
fn shader(opcodes: &[Opcode]) -> Shader {
    let mut shader = Shader::new(Processor::Fragment);
    for &opcode in opcodes {
        let mut one = Instruction::new(opcode);
        let info = opcode.info();
        one.dst.extend((0..info.num_dst).map(|_| Dst::new(Register::new(File::Address, 0))));
        one.src.extend((0..info.num_src.into()).map(|index| Src::new(temp(index))));
        shader.instructions.push(one);
    }
    shader
}

/// The instructions at which the stack's depth is not known.
fn uneven_at(shader: &Shader) -> Vec<Option<u32>> {
    let problems = modernise(shader).err().unwrap_or_default();
    let at = |one: Inexpressible| {
        assert_eq!(one.reason, Reason::AddressStack, "{one}");
        match one.place {
            Place::Instruction(id) => Some(id.index() as u32),
            _ => None,
        }
    };
    problems.into_iter().map(at).collect()
}

#[test]
fn a_jump_leaves_the_stack_as_its_target_finds_it() {
    use Opcode::{
        Bgnloop, Bgnsub, Breakc, Brk, Cont, End, Endif, Endloop, Endsub, Endswitch, Popa, Pusha,
        Ret, Switch, Uif,
    };
    for jump in [Brk, Cont, Breakc] {
        let even = [Bgnloop, Uif, Pusha, Popa, jump, Endif, Brk, Endloop, End];
        assert_eq!(uneven_at(&shader(&even)), [], "{jump}");
        let uneven = [Bgnloop, Uif, Pusha, jump, Popa, Endif, Brk, Endloop, End];
        assert_eq!(uneven_at(&shader(&uneven)), [Some(3)], "{jump}");
        // The level was pushed outside: what matters is the depth at the loop, not 0.
        let outside = [Pusha, Bgnloop, Uif, jump, Endif, Brk, Endloop, Popa, End];
        assert_eq!(uneven_at(&shader(&outside)), [], "{jump}");
    }
    let switch = [Bgnloop, Pusha, Switch, Brk, Endswitch, Popa, Brk, Endloop, End];
    assert_eq!(uneven_at(&shader(&switch)), []);
    let beyond = [Bgnloop, Pusha, Switch, Cont, Endswitch, Popa, Brk, Endloop, End];
    assert_eq!(uneven_at(&shader(&beyond)), [Some(3)]);
    let subroutine = [End, Bgnsub, Pusha, Uif, Ret, Endif, Popa, Ret, Endsub];
    assert_eq!(uneven_at(&shader(&subroutine)), [Some(4)]);
    let program = [Pusha, Uif, Ret, Endif, Popa, End];
    assert_eq!(
        uneven_at(&shader(&program)),
        [],
        "the stack has no effect after the end of the shader"
    );
}

#[test]
fn a_push_or_pop_under_a_predicate_has_no_known_depth() {
    for at in [0, 1] {
        let mut shader = shader(&[Opcode::Pusha, Opcode::Popa, Opcode::End]);
        let swizzle = Swizzle::XYZW;
        shader.instructions[at].predicate = Some(Predicate { index: 0, swizzle, negate: false });
        assert_eq!(uneven_at(&shader), [Some(at as u32)]);
    }
}
