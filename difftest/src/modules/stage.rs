//! The stages of modules, and their interfaces.

use spirv::{BuiltIn, ExecutionMode, ExecutionModel, Op, StorageClass};

use super::generate::{Variable, Writer};
use super::module::Id;
use super::types::Ty;

/// Number of vertices of a patch, and of invocations of a control shader.
pub(super) const VERTICES: usize = 4;

/// The stage of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Fragment,
    /// Each invocation writes a vertex of its own.
    Control,
    Evaluation,
}

impl Stage {
    pub(super) const ALL: [Self; 3] = [Self::Fragment, Self::Control, Self::Evaluation];

    /// The execution model.
    pub(super) fn model(self) -> ExecutionModel {
        match self {
            Self::Fragment => ExecutionModel::Fragment,
            Self::Control => ExecutionModel::TessellationControl,
            Self::Evaluation => ExecutionModel::TessellationEvaluation,
        }
    }

    /// The execution modes of the entry point, with their operands.
    pub(super) fn modes(self) -> &'static [(ExecutionMode, &'static [u32])] {
        use ExecutionMode as M;
        match self {
            Self::Fragment => &[(M::OriginUpperLeft, &[])],
            Self::Control => &[(M::OutputVertices, &[VERTICES as u32])],
            Self::Evaluation => {
                &[(M::Triangles, &[]), (M::SpacingEqual, &[]), (M::VertexOrderCcw, &[])]
            }
        }
    }
}

impl Writer {
    /// Adds the inputs and outputs of the stage. Returns the inputs that are whole values.
    pub(super) fn add_interface(&mut self, globals: &mut Vec<Variable>) -> Vec<(Ty, Id)> {
        let outputs = match self.stage {
            Stage::Control => [(Ty::Floats, Ty::PatchFloats), (Ty::Ints, Ty::PatchInts)],
            Stage::Fragment | Stage::Evaluation => [Ty::Floats, Ty::Ints].map(|ty| (ty, ty)),
        };
        for (location, (ty, declared)) in (0..).zip(outputs) {
            let id = self.module.interface(StorageClass::Output, declared, location);
            let is_of_lane = ty != declared;
            globals.push(Variable { ty, id, class: StorageClass::Output, is_of_lane });
        }
        if self.stage == Stage::Fragment {
            self.lane = self.module.flat_input(Ty::Int, 2);
            return [(0, Ty::Ints), (1, Ty::Floats)]
                .map(|(location, ty)| (ty, self.module.flat_input(ty, location)))
                .to_vec();
        }
        for (location, ty) in [(0, Ty::PatchInts), (1, Ty::PatchFloats), (2, Ty::PatchVectors)] {
            let class = StorageClass::Input;
            let id = self.module.interface(class, ty, location);
            globals.push(Variable { ty, id, class, is_of_lane: false });
        }
        self.lane = match self.stage {
            Stage::Control => self.module.built_in(Ty::Int, BuiltIn::InvocationId),
            _ => self.module.variable(StorageClass::Private, Ty::Int, None),
        };
        Vec::new()
    }

    /// Sets the number of the lane where no input holds it. It is the first coordinate of the point in the patch.
    pub(super) fn begin_stage(&mut self) {
        if self.stage != Stage::Evaluation {
            return;
        }
        let place = self.module.built_in(Ty::Triple, BuiltIn::TessCoord);
        let point = self.result(Op::Load, Ty::Triple, &[place]);
        let first = self.result(Op::CompositeExtract, Ty::Float, &[point, 0]);
        let lane = self.result(Op::ConvertFToU, Ty::Int, &[first]);
        self.function.push(Op::Store, &[self.lane, lane]);
    }

    /// Ends the block: discards a fragment, and returns in other stages.
    pub(super) fn kill(&mut self) {
        match self.stage {
            Stage::Fragment => self.function.push(Op::Kill, &[]),
            Stage::Control | Stage::Evaluation => self.return_from(),
        }
    }
}
