//! Trees and nesting errors of short lists of opcodes.

use super::*;
use crate::Opcode;

/// Instructions of the mnemonics in `text`; `CAL:4` has a label.
fn instructions(text: &str) -> Vec<Instruction> {
    text.split_whitespace()
        .map(|word| {
            let (name, label) = word.split_once(':').unwrap_or((word, ""));
            let mut instruction = Instruction::new(Opcode::from_name(name).expect("a mnemonic"));
            instruction.label = label.parse().ok();
            instruction
        })
        .collect()
}

/// The tree as nested words: `if(3 else 5)`, blocks as their first and last instruction.
fn show(tree: &FlowTree, nodes: &[NodeId]) -> String {
    let words: Vec<String> = nodes
        .iter()
        .map(|&id| match tree.node(id) {
            Node::Block(range) => format!("{}-{}", range.start, range.end - 1),
            Node::If(node) if node.middle.is_none() => format!("if({})", show(tree, &node.then)),
            Node::If(node) => {
                format!("if({} else {})", show(tree, &node.then), show(tree, &node.otherwise))
            }
            Node::Loop(node) => format!("loop({})", show(tree, &node.body)),
            Node::Switch(node) => {
                let cases: Vec<String> = node
                    .cases
                    .iter()
                    .map(|case| format!("{}: {}", case.label.0, show(tree, &case.body)))
                    .collect();
                format!("switch({})", cases.join("; "))
            }
        })
        .collect();
    words.join(" ")
}

fn check(text: &str, tree: &str, errors: &[&str]) {
    let (built, found) = FlowTree::build(&instructions(text));
    assert_eq!(show(&built, built.main()), tree, "{text}");
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found, errors, "{text}");
}

#[test]
fn blocks_nest() {
    check("MOV ADD END", "0-2", &[]);
    check("IF MOV ENDIF END", "if(1-1) 3-3", &[]);
    check("IF MOV ELSE ADD MUL ENDIF END", "if(1-1 else 3-4) 6-6", &[]);
    check("BGNLOOP IF BRK ENDIF ENDLOOP END", "loop(if(2-2)) 5-5", &[]);
    check(
        "SWITCH CASE MOV BRK CASE ADD DEFAULT MUL ENDSWITCH END",
        "switch(1: 2-3; 4: 5-5; 6: 7-7) 9-9",
        &[],
    );
}

#[test]
fn subroutines_stand_apart() {
    let (tree, errors) = FlowTree::build(&instructions("CAL:2 END BGNSUB MOV RET ENDSUB"));
    assert_eq!(errors, []);
    assert_eq!(show(&tree, tree.main()), "0-1");
    let sub = tree.find_subroutine(InstructionId(2)).expect("the subroutine");
    assert_eq!(show(&tree, &sub.body), "3-4");
}

#[test]
fn partners_are_where_control_goes() {
    let (tree, _) = FlowTree::build(&instructions("IF MOV ELSE ADD ENDIF BGNLOOP ENDLOOP"));
    let partner = |id| tree.partner(InstructionId(id)).map(|id| id.0);
    assert_eq!(partner(0), Some(2));
    assert_eq!(partner(2), Some(4));
    assert_eq!(partner(4), Some(0));
    assert_eq!(partner(5), Some(6));
    assert_eq!(partner(6), Some(5));
    assert_eq!(partner(1), None);
}

#[test]
fn faults_name_the_instructions() {
    check("MOV ENDIF", "0-1", &["`ENDIF` of instruction 1 belongs to no open block"]);
    check("IF MOV", "if(1-1)", &["the `IF` of instruction 0 is never closed"]);
    check(
        "BGNLOOP IF ENDLOOP",
        "loop(if())",
        &["the `IF` of instruction 1 is still open at instruction 2, which ends a block around it"],
    );
    check(
        "IF ELSE ELSE ENDIF",
        "if( else )",
        &["`ELSE` of instruction 2 repeats that of instruction 1 in the same block"],
    );
    check("IF BRK ENDIF", "if(1-1)", &["`BRK` of instruction 1 is in no loop and no switch"]);
    check(
        "SWITCH CASE CONT ENDSWITCH",
        "switch(1: 2-2)",
        &["`CONT` of instruction 2 is in no loop"],
    );
    check("CASE", "0-0", &["`CASE` of instruction 0 belongs to no open block"]);
    check("CAL END", "0-1", &["the call of instruction 0 has no label"]);
    check(
        "CAL:1 END",
        "0-1",
        &["the call of instruction 0 goes to instruction 1, which is not a `BGNSUB`"],
    );
    check(
        "END BGNSUB CAL:1 ENDSUB",
        "0-0",
        &["the call of instruction 2 leads back into the subroutine of instruction 1"],
    );
    check(
        "IF BGNSUB ENDSUB ENDIF",
        "if()",
        &["the subroutine of instruction 1 starts within the block of instruction 0"],
    );
    check("BRA:0", "0-0", &["the branch of instruction 0 has no structure"]);
}

#[test]
fn depth_is_bounded() {
    let mut list = vec![Instruction::new(Opcode::Bgnloop); 100_000];
    list.extend(vec![Instruction::new(Opcode::Endloop); 100_000]);
    let (tree, errors) = FlowTree::build(&list);
    assert_eq!(tree.depth(), MAX_NESTING);
    assert_eq!(errors, [FlowError::TooDeep { at: InstructionId(MAX_NESTING as u32) }]);
}
