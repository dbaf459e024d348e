//! The barycentric pairs that a fragment shader needs (Evergreen and Cayman).

use tgsi_ir::{
    Declaration, Declarations, File, Interpolation, Location, Opcode, Processor, Shader,
};

use super::{Delivery, is_preloaded};

/// Which pairs are used, in the order in which the hardware packs them: perspective ones, then linear ones, each at
/// sample, centre and centroid.
#[derive(Clone, Copy, Debug)]
pub(super) struct BarycentricPairs {
    pub(super) used: [bool; 6],
}

impl BarycentricPairs {
    pub(super) fn of(shader: &Shader, declarations: &Declarations<'_>) -> Self {
        let mut used = [false; 6];
        if shader.processor != Processor::Fragment {
            return Self { used };
        }
        let declared = declarations.of_file(File::Input);
        declared.filter_map(Self::index).for_each(|at| used[at] = true);
        for inst in &shader.instructions {
            let place = match inst.opcode {
                Opcode::InterpCentroid => Location::Centroid,
                Opcode::InterpSample | Opcode::InterpOffset => Location::Center,
                _ => continue,
            };
            let input = inst.src.first().filter(|src| src.reg.file == File::Input);
            let Some(input) = input else { continue };
            let declared = declarations.first(File::Input, input.reg.index.into());
            if let Some(at) = declared.and_then(|d| Self::index_at(d, place)) {
                used[at] = true;
            }
        }
        // The hardware requires one pair even if none is read.
        if used == [false; 6] {
            used[0] = true;
        }
        Self { used }
    }

    /// Position in the packing order; `None` for inputs that are not interpolated.
    fn index(declaration: &Declaration) -> Option<usize> {
        Self::index_at(declaration, declaration.interp?.location)
    }

    /// The same at another location in the pixel.
    pub(super) fn index_at(declaration: &Declaration, location: Location) -> Option<usize> {
        if is_preloaded(declaration) {
            return None;
        }
        let base = match declaration.interp?.mode {
            Interpolation::Perspective | Interpolation::Color => 0,
            Interpolation::Linear => 3,
            Interpolation::Constant | Interpolation::Unknown(_) => return None,
        };
        let place = match location {
            Location::Sample => 0,
            Location::Center | Location::Unknown(_) => 1,
            Location::Centroid => 2,
        };
        Some(base + place)
    }

    pub(super) fn count(self) -> u8 {
        self.used.iter().filter(|used| **used).count() as u8
    }

    /// The number among the pairs in use of the one at `index` of the packing order.
    pub(super) fn rank(self, index: usize) -> u8 {
        self.used[..index].iter().filter(|used| **used).count() as u8
    }

    pub(super) fn delivery(self, declaration: &Declaration) -> Delivery {
        match Self::index(declaration) {
            _ if is_preloaded(declaration) => Delivery::Preloaded,
            None => Delivery::Flat,
            Some(at) => Delivery::Interpolated(self.rank(at)),
        }
    }
}
