//! A case of nested exits as text.

use std::fmt::Write as _;

use super::{Construct, Exit, Flow};

const CHECKSUM: &str = "TEMP[0].x";
const TEST: &str = "TEMP[1].x";
/// The number of iterations of all loops so far. Conditions and labels change with it.
const ROUNDS: &str = "TEMP[2].x";
const SELECTOR: &str = "TEMP[3].x";
/// Labels of switches.
const LABELS: [&str; 2] = ["TEMP[4].x", "TEMP[4].y"];
/// Counters of the loops; that of the outer one comes first.
const COUNTERS: [&str; 2] = ["TEMP[5].x", "TEMP[5].y"];
/// Number of iterations of a loop.
const NUM_ITERATIONS: usize = 3;
/// Limit of the counted exit of a loop that also has an exit at its end. The exit at the end is reached first.
const COUNTED_EXIT_LIMIT: usize = 5;

/// The text of a case.
pub(super) fn of(flow: &Flow) -> String {
    let mut writer = Writer { flow, functions: vec![Vec::new()], current: 0, points: 0 };
    writer.line("UADD TEMP[0].x, IMM[0].x, IMM[0].y");
    for register in [ROUNDS, SELECTOR] {
        writer.line(&format!("MOV {register}, IMM[0].x"));
    }
    for (label, source) in LABELS.into_iter().zip(["IN[1].y", "IN[1].z"]) {
        writer.line(&format!("AND {label}, {source}, IMM[0].w"));
    }
    writer.within(0);
    writer.point();
    writer.line("END");
    writer.finish()
}

struct Writer<'a> {
    flow: &'a Flow,
    /// Lines of the program and its subroutines.
    functions: Vec<Vec<String>>,
    current: usize,
    /// Number of checksum points so far.
    points: usize,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.functions[self.current].push(line.to_owned());
    }

    /// Records in the checksum that a lane is at this point.
    fn point(&mut self) {
        self.points += 1;
        let number = self.points;
        self.line(&format!("UMAD {CHECKSUM}, {CHECKSUM}, IMM[1].y, IMM[2].{}", channel(number)));
        self.line(&format!("UADD {CHECKSUM}, {CHECKSUM}, IMM[{}].x", 3 + number / 4));
        self.line(&format!("MOV OUT[0].x, {CHECKSUM}"));
    }

    /// Tests a bit of an input. Each iteration tests another bit.
    fn test(&mut self, input: &str) {
        self.line(&format!("USHR {TEST}, {input}, {ROUNDS}"));
        self.line(&format!("AND {TEST}, {TEST}, IMM[0].y"));
        self.line(&format!("UIF {TEST}"));
    }

    fn exit(&mut self, exit: Exit) {
        self.point();
        match exit {
            Exit::None => {}
            Exit::Break => self.line("BRK"),
            Exit::Continue => self.line("CONT"),
            Exit::Return => self.line("RET"),
            Exit::Kill => self.line("KILL"),
        }
    }

    /// The construct at a nesting level, with its contents.
    fn within(&mut self, level: usize) {
        let Some(&around) = self.flow.around.get(level) else { return self.branches() };
        match around {
            Construct::Plain => self.inside(level),
            Construct::LoopThen | Construct::LoopElse => self.repeated(level, around),
            Construct::LoopBoth | Construct::LoopEnd => self.repeated(level, around),
            Construct::Switch => self.switch(level, ["IMM[0].x", "IMM[0].y", "IMM[0].z"]),
            Construct::Labels => self.switch(level, [LABELS[0], LABELS[1], "IMM[0].z"]),
            Construct::Call => self.called(level, 1),
            Construct::Calls => self.called(level, 2),
        }
    }

    fn inside(&mut self, level: usize) {
        self.point();
        self.within(level + 1);
        self.point();
    }

    fn branches(&mut self) {
        let [first, second, third, _] = self.flow.exits;
        self.test("IN[0].x");
        self.test("IN[0].y");
        self.exit(first);
        self.line("ELSE");
        self.exit(second);
        self.line("ENDIF");
        self.point();
        self.line("ELSE");
        self.exit(third);
        self.line("ENDIF");
    }

    fn repeated(&mut self, level: usize, around: Construct) {
        let counter = COUNTERS[level];
        self.line(&format!("MOV {counter}, IMM[0].x"));
        self.line("BGNLOOP");
        let num_iterations =
            if around == Construct::LoopEnd { COUNTED_EXIT_LIMIT } else { NUM_ITERATIONS };
        let (opcode, limit) = match around {
            Construct::LoopElse => ("USLT", num_iterations),
            _ => ("USGE", num_iterations),
        };
        self.line(&format!("{opcode} {TEST}, {counter}, IMM[{limit}].x"));
        self.line(&format!("UIF {TEST}"));
        if around == Construct::LoopElse {
            self.point();
            self.line("ELSE");
        }
        self.line("BRK");
        if around == Construct::LoopBoth {
            self.line("ELSE");
            self.test("IN[0].z");
            // In the outer of two such loops, this arm has no exit.
            let exit = if level == 1 { self.flow.exits[3] } else { Exit::None };
            self.count(counter);
            self.exit(exit);
            self.line("ENDIF");
        }
        self.line("ENDIF");
        self.count(counter);
        self.inside(level);
        if around == Construct::LoopEnd {
            self.line(&format!("USGE {TEST}, {counter}, IMM[2].x"));
            self.line(&format!("UIF {TEST}"));
            self.line("BRK");
            self.line("ENDIF");
        }
        self.line("ENDLOOP");
    }

    /// Counts an iteration and changes the labels of switches.
    fn count(&mut self, counter: &str) {
        self.line(&format!("UADD {counter}, {counter}, IMM[0].y"));
        self.line(&format!("UADD {ROUNDS}, {ROUNDS}, IMM[0].y"));
        for label in LABELS {
            self.line(&format!("UADD {label}, {label}, IMM[0].y"));
            self.line(&format!("AND {label}, {label}, IMM[0].w"));
        }
    }

    /// A switch with two cases that fall through, and its default between other labels.
    fn switch(&mut self, level: usize, labels: [&str; 3]) {
        self.line(&format!("UADD {SELECTOR}, IN[1].x, {ROUNDS}"));
        self.line(&format!("AND {SELECTOR}, {SELECTOR}, IMM[0].w"));
        self.line(&format!("SWITCH {SELECTOR}"));
        self.line(&format!("CASE {}", labels[0]));
        self.point();
        self.line("BRK");
        self.line(&format!("CASE {}", labels[1]));
        self.inside(level);
        self.line("DEFAULT");
        self.point();
        self.line(&format!("CASE {}", labels[2]));
        self.point();
        self.line("BRK");
        self.line("ENDSWITCH");
    }

    fn called(&mut self, level: usize, times: usize) {
        let subroutine = self.functions.len();
        self.functions.push(Vec::new());
        for _ in 0..times {
            self.line(&format!("CAL {subroutine}"));
            self.point();
        }
        let caller = std::mem::replace(&mut self.current, subroutine);
        self.line("BGNSUB");
        self.inside(level);
        self.line("RET");
        self.line("ENDSUB");
        self.current = caller;
    }

    fn finish(self) -> String {
        let mut text = String::from(
            "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL IN[1], GENERIC[1], CONSTANT\nDCL OUT[0], COLOR\n\
             DCL TEMP[0..5]\nIMM UINT32 {0, 1, 2, 3}\nIMM UINT32 {1, 5, 7, 11}\nIMM UINT32 {2, 3, 5, 7}\n",
        );
        for number in 3..=3 + self.points / 4 {
            let _ = writeln!(text, "IMM UINT32 {{{number}, 0, 0, 0}}");
        }
        let mut starts = Vec::new();
        let mut start = 0;
        for function in &self.functions {
            starts.push(start);
            start += function.len();
        }
        for line in self.functions.iter().flatten() {
            match line.strip_prefix("CAL ").and_then(|number| number.parse::<usize>().ok()) {
                Some(number) => {
                    let _ = writeln!(text, "CAL :{}", starts[number]);
                }
                None => {
                    let _ = writeln!(text, "{line}");
                }
            }
        }
        text
    }
}

fn channel(number: usize) -> char {
    ['x', 'y', 'z', 'w'][number % 4]
}
