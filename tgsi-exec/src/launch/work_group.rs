//! The invocations of a compute shader's work group.

use tgsi_ir::{File, Semantic, Shader};

use super::Inputs;
use crate::error::ExecError;
use crate::lanes::LANES;
use crate::resources::Quad;

/// A work group of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkGroup {
    /// Invocations of a group along each axis.
    pub size: [u32; 3],
    /// Which group of the grid it is.
    pub id: [u32; 3],
    /// Groups of the grid along each axis.
    pub grid: [u32; 3],
}

/// The most invocations of a group, as in every API.
const MAX_INVOCATIONS: u32 = 2048;

impl WorkGroup {
    /// The number of invocations of the group.
    ///
    /// # Errors
    /// When there are more than 2048. Such a group has no quads.
    pub fn num_invocations(&self) -> Result<u32, ExecError> {
        let all = self.size.into_iter().map(u64::from).fold(1, u64::saturating_mul);
        let few = u32::try_from(all).ok().filter(|&count| count <= MAX_INVOCATIONS);
        few.ok_or(ExecError::Group { invocations: all, limit: MAX_INVOCATIONS })
    }

    /// The inputs of each quad of the group, for [`Kernel::run_group`](crate::Kernel::run_group): the system values
    /// that `shader` declares. Four consecutive invocations along x, then y, then z form a quad; lanes beyond the last
    /// invocation are idle. A group without invocations, or with more than 2048, has no quads.
    #[must_use]
    pub fn quads(&self, shader: &Shader) -> Vec<Inputs> {
        let count = self.num_invocations().unwrap_or(0);
        let firsts = (0..count).step_by(LANES);
        firsts.map(|first| self.quad(shader, first, count)).collect()
    }

    fn quad(&self, shader: &Shader, first: u32, count: u32) -> Inputs {
        let lanes = [0, 1, 2, 3].map(|lane| first + lane);
        let idle = (0..LANES).filter(|&lane| lanes[lane] >= count);
        let mut inputs =
            Inputs { idle: idle.fold(0, |mask, lane| mask | 1 << lane), ..Inputs::default() };
        for declaration in &shader.declarations {
            let index = usize::from(declaration.range.first);
            let value = declaration.semantic.and_then(|semantic| self.value(semantic.name, lanes));
            if let (File::SystemValue, Some(value)) = (declaration.file, value) {
                let len = inputs.system_values.len().max(index + 1);
                inputs.system_values.resize(len, Quad::default());
                inputs.system_values[index] = value;
            }
        }
        inputs
    }

    /// A system value of four invocations.
    fn value(&self, semantic: Semantic, lanes: [u32; LANES]) -> Option<Quad> {
        let [width, height, _] = self.size;
        let vector = |[x, y, z]: [u32; 3]| [x, y, z, 0];
        Some(match semantic {
            Semantic::ThreadId => {
                lanes.map(|n| vector([n % width, n / width % height, n / width / height]))
            }
            Semantic::BlockId => [vector(self.id); LANES],
            Semantic::BlockSize => [vector(self.size); LANES],
            Semantic::GridSize => [vector(self.grid); LANES],
            _ => return None,
        })
    }
}
