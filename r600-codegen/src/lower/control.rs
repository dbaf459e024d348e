//! Structured control flow: regions, phis of branches, parameters and results of loops, switches and subroutines.
//!
//! SSA has only branches and loops. A loop is left by its own exits. Other jumps (`RET`, `BRK` of a switch) set a flag
//! of the construct that they leave, which guards the code up to the construct's end ([`branches`]). If one arm of a
//! branch leaves and the other does not, the code after the branch simply becomes part of the other arm. Subroutines
//! are inlined.

mod branches;
mod loops;
mod subroutines;
mod switches;
mod written;

use r600_isa::AluOp;
use tgsi_ir::flow::FlowTree;
use tgsi_ir::{Instruction, InstructionId, Opcode, Shader};

use crate::internal::Broken;
use crate::refusal::Refusal;
use crate::ssa::{Condition, LoopParam, Node, Operand, Region};

use super::variables::{Variable, Variables};
use super::{LowerError, Lowering};

use self::switches::Switch;

pub(super) use self::written::WrittenByCalls;

/// The most open constructs; the hardware's stack holds far fewer.
const MAX_NESTING: usize = 256;

/// Assignments to variables within an arm.
type Writes = Vec<(Variable, Operand)>;

/// How lanes may have left a region other than by its end or a loop's exit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Exits {
    /// By a jump to the end of some construct.
    any: bool,
    /// By a jump to the end of the subroutine or program.
    returns: bool,
}

impl Exits {
    fn merge(&mut self, other: Self) {
        self.any |= other.any;
        self.returns |= other.returns;
    }
}

/// An arm of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Then,
    Otherwise,
}

/// A finished arm of a branch.
#[derive(Debug, Default)]
struct Arm {
    region: Region,
    writes: Writes,
    /// Whether any lane reaches its end.
    reached: bool,
    exits: Exits,
}

/// A branch under construction.
#[derive(Debug)]
struct Branch {
    condition: Condition,
    mark: usize,
    /// The arm being built.
    side: Side,
    /// The other arm, if it is finished.
    finished: Option<Arm>,
    role: Role,
}

/// The origin of a branch, which determines where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// An `IF`, which has an end of its own. All others end with the enclosing construct.
    Source,
    /// The code after a label of a switch.
    Label,
    /// A guard for lanes that have not left the enclosing construct.
    Guard,
    /// A source branch that goes on in one arm, because all lanes have left the other.
    Survivor,
}

/// A loop under construction.
#[derive(Debug)]
struct OpenLoop {
    params: Vec<(Variable, LoopParam)>,
    mark: usize,
    /// Whether a `BRK` leaves it.
    has_break: bool,
    /// Whether a `RET` leaves it.
    has_return: bool,
}

/// The program or a subroutine being inlined.
#[derive(Debug)]
struct Body {
    /// Its `BGNSUB`; `None` for the program.
    label: Option<usize>,
    /// Set for lanes that have returned.
    left: Variable,
    /// Where lowering goes on after it.
    return_to: usize,
}

#[derive(Debug)]
enum Kind {
    Branch(Branch),
    Loop(OpenLoop),
    Switch(Switch),
    Body(Body),
}

/// An open construct.
#[derive(Debug)]
struct Frame {
    kind: Kind,
    /// Jumps in the region being built.
    exits: Exits,
}

/// The open constructs and the regions under construction.
#[derive(Debug)]
pub(super) struct ControlStack {
    frames: Vec<Frame>,
    /// The region being built.
    region: Region,
    /// The enclosing regions, innermost last.
    outer: Vec<Region>,
    /// Whether a region was closed that was never opened.
    is_unbalanced: bool,
    /// Counts starts and ends of regions; an equal number means the same stretch of straight-line code.
    stretch: u32,
    tree: FlowTree,
    /// Number of constructs opened since the code became unreachable; `None` if it is reachable.
    unreachable: Option<usize>,
}

impl ControlStack {
    pub(super) fn new(shader: &Shader, variables: &mut Variables) -> Result<Self, LowerError> {
        let tree = FlowTree::new(&shader.instructions).map_err(|errors| {
            let text = errors.first().map(ToString::to_string).unwrap_or_default();
            LowerError::new(text, Refusal::Unstructured)
        })?;
        let body = Body { label: None, left: variables.new_flag(), return_to: usize::MAX };
        let program = Frame { kind: Kind::Body(body), exits: Exits::default() };
        Ok(Self {
            frames: vec![program],
            region: Region { nodes: Vec::with_capacity(shader.instructions.len()) },
            outer: Vec::new(),
            is_unbalanced: false,
            stretch: 0,
            tree,
            unreachable: None,
        })
    }

    /// Appends to the region being built.
    pub(super) fn push(&mut self, node: Node) {
        self.region.nodes.push(node);
    }

    /// Whether no lane reaches the current point.
    pub(super) fn is_unreachable(&self) -> bool {
        self.unreachable.is_some()
    }

    /// The finished program.
    pub(super) fn into_body(self) -> Result<Region, Broken> {
        match self.outer.is_empty() && !self.is_unbalanced {
            true => Ok(self.region),
            false => Err(Broken::new("the program", "regions are not closed as they were begun")),
        }
    }

    fn open(&mut self, kind: Kind) -> Result<(), LowerError> {
        self.open_with(kind, Region::default())
    }

    /// Opens a construct that begins with `region`.
    fn open_with(&mut self, kind: Kind, region: Region) -> Result<(), LowerError> {
        if self.frames.len() >= MAX_NESTING {
            return Err(LowerError::new("nesting", Refusal::NestingDepth));
        }
        self.frames.push(Frame { kind, exits: Exits::default() });
        self.begin_region(region);
        Ok(())
    }

    fn begin_region(&mut self, region: Region) {
        self.stretch += 1;
        self.outer.push(std::mem::replace(&mut self.region, region));
    }

    /// The current stretch of straight-line code: values computed in it are only known until its end.
    pub(super) fn stretch(&self) -> u32 {
        self.stretch
    }

    /// Opens a separate region.
    pub(super) fn open_region(&mut self) {
        self.begin_region(Region::default());
    }

    /// Closes the region that was opened last.
    pub(super) fn close_region(&mut self) -> Region {
        self.stretch += 1;
        let outer = self.outer.pop();
        self.is_unbalanced |= outer.is_none();
        std::mem::replace(&mut self.region, outer.unwrap_or_default())
    }

    fn note_exits(&mut self, exits: Exits) {
        if let Some(frame) = self.frames.last_mut() {
            frame.exits.merge(exits);
        }
    }

    /// Follows the nesting of unreachable code; false if `opcode` is reachable or ends the unreachable part.
    fn skips(&mut self, opcode: Opcode) -> bool {
        let Some(open) = &mut self.unreachable else { return false };
        match opcode {
            Opcode::If | Opcode::Uif | Opcode::Bgnloop | Opcode::Switch => *open += 1,
            Opcode::Endif | Opcode::Endloop | Opcode::Endswitch if *open > 0 => *open -= 1,
            Opcode::Endif | Opcode::Endloop | Opcode::Endswitch | Opcode::Endsub | Opcode::End => {
                return false;
            }
            Opcode::Else | Opcode::Case | Opcode::Default => return *open > 0,
            _ => {}
        }
        true
    }
}

/// The refusal of a word whose counterpart is missing.
fn misplaced(word: &str) -> LowerError {
    LowerError::new(word, Refusal::Unstructured)
}

impl Lowering<'_> {
    /// Lowers control flow; false if `inst` is something else.
    pub(super) fn control_flow(
        &mut self,
        at: InstructionId,
        inst: &Instruction,
    ) -> Result<bool, LowerError> {
        if self.control.is_unreachable() && inst.opcode == Opcode::Bgnsub {
            let end = self.control.tree.partner(at).ok_or_else(|| misplaced("BGNSUB"))?;
            self.next = end.index() + 1;
            return Ok(true);
        }
        if self.control.skips(inst.opcode) {
            return Ok(true);
        }
        match inst.opcode {
            Opcode::If => self.open_if(inst, AluOp::PredSetne)?,
            Opcode::Uif => self.open_if(inst, AluOp::PredSetneInt)?,
            Opcode::Else => self.open_else()?,
            Opcode::Endif => self.close_if()?,
            Opcode::Bgnloop => self.open_loop(at)?,
            Opcode::Endloop => self.close_loop()?,
            Opcode::Brk => self.break_out()?,
            Opcode::Cont => self.continue_loop()?,
            Opcode::Switch => self.open_switch(at, inst)?,
            Opcode::Case | Opcode::Default => self.switch_label(at, inst)?,
            Opcode::Endswitch => self.close_switch()?,
            Opcode::Cal => self.call(at, inst)?,
            Opcode::Ret => self.return_from_body()?,
            Opcode::Bgnsub => {}
            Opcode::Endsub => self.close_body("ENDSUB")?,
            Opcode::End => {
                self.close_body("END")?;
                self.ended = true;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
