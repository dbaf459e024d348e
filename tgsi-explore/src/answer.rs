//! Answers to the page.

use std::ops::Range;

use pass_manager::{Clock, Outcome, PassSet};
use r600_codegen::{CompileError, Compiled, Compiler, Options};
use r600_isa::Chip;
use serde::Serialize;
use tgsi_graph::{
    Chart, Graph, Picture, Theme, TooLarge, block_of, dependence_graph, flow_graph, largest_block,
    machine_code, pass_graph,
};
use tgsi_ir::validate::Place;
use tgsi_ir::{InstructionId, Shader};

use crate::deadline::{Deadline, Watch};
use crate::foreign::Translator;
use crate::limits::Limits;
use crate::lines::LineIndex;
use crate::problem::Problem;
use crate::question::{Question, View};
use crate::source::{Source, Unread};

/// The answer to a request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Answer {
    /// The findings on the shader.
    pub problems: Vec<Problem>,
    /// The line of each instruction, from 0, if known.
    pub instruction_lines: Vec<Option<usize>>,
    /// The cost of the program; `None` if there is no program.
    pub costs: Option<Costs>,
    /// The effect of each pass.
    pub passes: Vec<PassDeed>,
    /// The requested view; `None` if there is nothing to show.
    pub shown: Option<Shown>,
}

/// The cost of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Costs {
    /// ALU groups.
    pub groups: usize,
    /// Slots in use.
    pub slots: usize,
    /// Literals.
    pub literals: usize,
    /// Clauses.
    pub clauses: usize,
    /// Texture and vertex fetches.
    pub fetches: usize,
    /// GPRs.
    pub gprs: usize,
    /// Branch stack entries.
    pub stack: u32,
    /// Words.
    pub dwords: usize,
    /// Compile time in microseconds.
    pub compile_us: u64,
}

/// The effect of a pass.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PassDeed {
    /// Its name.
    pub name: &'static str,
    /// Its time in microseconds.
    pub us: u64,
    /// Whether it changed anything.
    pub changed: bool,
}

/// The contents of the right side.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Shown {
    /// Text, with the instructions that each line comes from.
    Text {
        /// The text.
        text: String,
        /// Instructions by line; empty if unknown.
        origins: Vec<Vec<u32>>,
    },
    /// A picture.
    Picture {
        /// As SVG.
        svg: String,
    },
    /// A message instead of a view.
    Message {
        /// The message.
        text: String,
    },
}

/// Answers `question`. Gives up when the time limit has passed on the system clock.
pub fn answer(question: &Question, limits: &Limits) -> Answer {
    answer_by(question, limits, Clock::default())
}

/// Answers `question`. Gives up when the time limit has passed on `clock`.
pub fn answer_by(question: &Question, limits: &Limits, clock: Clock) -> Answer {
    answer_until(question, limits, None, &Deadline::after(limits.time, clock))
}

/// Answers `question`, whose text may be in any language that `translator` accepts.
pub fn answer_with(question: &Question, limits: &Limits, translator: &dyn Translator) -> Answer {
    let deadline = Deadline::after(limits.time, Clock::default());
    answer_until(question, limits, Some(translator), &deadline)
}

/// Answers `question` before `deadline`.
pub(crate) fn answer_until(
    question: &Question,
    limits: &Limits,
    translator: Option<&dyn Translator>,
    deadline: &Deadline,
) -> Answer {
    let lines = LineIndex::new(&question.text);
    let source = match Source::read(&question.text, &lines, translator, deadline.left()) {
        Ok(source) => source,
        Err(Unread::Nobody(message)) => return Answer::default().with_message(message),
        Err(Unread::Wrong(problems)) => return Answer { problems, ..Answer::default() },
    };
    let num = source.shader.instructions.len();
    if num > limits.instructions {
        let max = limits.instructions;
        return Answer::default().with_message(format!(
            "The shader has {num} instructions. This page compiles up to {max}; `tgsi compile` takes any."
        ));
    }
    let mut answer = Answer {
        instruction_lines: source.instruction_lines(&lines),
        problems: source.problems.clone(),
        ..Answer::default()
    };
    let Some(chip) = Chip::from_name(&question.chip) else {
        return answer.with_message(format!("There is no chip called {}.", question.chip));
    };
    if question.view == View::Cfg {
        answer.shown = Some(drawn(&flow_graph(&source.shader)));
    } else if !source.has_errors() {
        let at_cursor: Vec<InstructionId> = (0..)
            .map(InstructionId)
            .zip(&answer.instruction_lines)
            .filter(|(_, row)| row.is_some() && question.row == **row)
            .map(|(id, _)| id)
            .collect();
        let shader = &source.shader;
        let work = Work { question, chip, deadline, shader, at_cursor: &at_cursor };
        work.compile(&mut answer, |error, answer| {
            let at = error.place().and_then(Place::instruction);
            let span = at.map_or(0..0, |id| source.span(id));
            answer.problems.push(refusal(error, &lines, span));
        });
    }
    answer
}

impl Answer {
    fn with_message(mut self, text: String) -> Self {
        self.shown = Some(Shown::Message { text });
        self
    }
}

/// A shader to compile.
struct Work<'a> {
    question: &'a Question,
    chip: Chip,
    deadline: &'a Deadline,
    shader: &'a Shader,
    /// The instructions in the cursor's row.
    at_cursor: &'a [InstructionId],
}

impl Work<'_> {
    fn options(&self) -> Options {
        let mut options =
            Options::default().level(self.question.level).precise(self.question.precise);
        // Verification checks the clock.
        options.passes.verify_each = true;
        options.passes.clock = self.deadline.clock();
        if let (View::Pass, Some(pass)) = (self.question.view, &self.question.pass) {
            options.passes.print_after = PassSet::Named(vec![pass.clone()]);
        }
        options
    }

    fn compile(&self, answer: &mut Answer, refuse: impl FnOnce(&CompileError, &mut Answer)) {
        let compiler = match Compiler::new(self.options()) {
            Ok(compiler) => compiler,
            Err(error) => {
                answer.shown = Some(Shown::Message { text: format!("{error}.") });
                return;
            }
        };
        let mut watch = Watch { deadline: self.deadline.clone(), dump: String::new() };
        match compiler.compile_observed(self.shader, self.chip, &mut watch) {
            Ok(compiled) => {
                answer.costs = Some(costs(&compiled));
                answer.passes = deeds(&compiled);
                answer.shown = self.show(&compiler, &compiled, watch.dump);
            }
            Err(CompileError::Rejected { .. }) => {
                answer.shown = Some(Shown::Message {
                    text: "Compiling takes too long for this page; `tgsi compile` has no limit."
                        .to_owned(),
                });
            }
            Err(error) => {
                refuse(&error, answer);
                // The output of the earlier passes is still worth showing.
                if !watch.dump.is_empty() {
                    answer.shown = Some(Shown::Text { text: watch.dump, origins: Vec::new() });
                }
            }
        }
    }

    fn show(&self, compiler: &Compiler, compiled: &Compiled, dump: String) -> Option<Shown> {
        Some(match self.question.view {
            View::Listing => listing(compiled),
            View::Pass => Shown::Text { text: dump, origins: Vec::new() },
            View::Schedule => picture(&Chart::new(&compiled.program, &compiled.origins).draw()),
            View::Passes => drawn(&pass_graph(&compiler.pass_drawing(), Some(&compiled.report))),
            View::Deps => self.dependences()?,
            View::Cfg | View::Costs => return None,
        })
    }

    fn dependences(&self) -> Option<Shown> {
        let function = machine_code(self.shader, self.chip, &self.options()).ok()?;
        let block = block_of(&function, self.at_cursor).or_else(|| largest_block(&function))?;
        Some(match dependence_graph(&function, block) {
            Ok(graph) => drawn(&graph),
            Err(error) => too_large(error),
        })
    }
}

fn listing(compiled: &Compiled) -> Shown {
    let places = compiled.program.listing_places().into_iter();
    let numbers = |ids: Vec<InstructionId>| ids.into_iter().map(|id| id.0).collect();
    Shown::Text {
        text: compiled.program.to_string(),
        origins: places.map(|place| numbers(compiled.origins.at(place))).collect(),
    }
}

fn drawn(graph: &Graph) -> Shown {
    match graph.draw() {
        Ok(drawn) => picture(&drawn),
        Err(error) => too_large(error),
    }
}

fn too_large(error: TooLarge) -> Shown {
    Shown::Message { text: format!("{error}.") }
}

fn picture(picture: &Picture) -> Shown {
    Shown::Picture { svg: picture.to_svg(Theme::Auto) }
}

fn costs(compiled: &Compiled) -> Costs {
    let stats = compiled.program.stats();
    Costs {
        groups: stats.groups,
        slots: stats.alu_slots,
        literals: stats.literals,
        clauses: stats.clauses,
        fetches: stats.tex + stats.vtx,
        gprs: usize::from(compiled.num_gprs),
        stack: compiled.stack_size,
        dwords: compiled.words.len(),
        compile_us: compiled.compile_us,
    }
}

fn deeds(compiled: &Compiled) -> Vec<PassDeed> {
    let passes = compiled.report.passes.iter();
    let deed = |pass: &pass_manager::PassReport| PassDeed {
        name: pass.id.name(),
        us: pass.time.as_micros() as u64,
        changed: pass.outcome == Outcome::Changed,
    };
    passes.map(deed).collect()
}

fn refusal(error: &CompileError, lines: &LineIndex, span: Range<usize>) -> Problem {
    Problem {
        severity: "error",
        code: None,
        message: error.complaint(),
        help: None,
        start: lines.position(span.start),
        end: lines.position(span.end),
    }
}
