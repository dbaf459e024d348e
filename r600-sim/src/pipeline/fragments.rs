//! The SPI: initial registers of fragments.

use r600_isa::registers::{
    spi_baryc_cntl as baryc, spi_input_z as input_z, spi_interp_control_0 as interp,
    spi_ps_in_control_0 as control_0, spi_ps_in_control_1 as control_1, spi_ps_input_cntl as input,
};
use r600_isa::{FieldSet, WordReader};

use crate::entry::Entry;
use crate::lanes::MAX_LANES;
use crate::parameter::Parameter;

use super::UNDEFINED;
use super::fault::{StateFault, demand};
use super::registers::StateRegisters;

/// A vector for each lane.
type Vectors = [[u32; MAX_LANES]; 4];

/// A value at the three locations of a pixel.
#[derive(Clone, Debug)]
pub struct Places<T> {
    /// At the sample.
    pub sample: T,
    /// In the centre.
    pub center: T,
    /// At the centroid of the covered samples.
    pub centroid: T,
}

/// A parameter as the previous stage exported it.
#[derive(Clone, Debug)]
pub struct Varying {
    /// The values at the three vertices of each lane's primitive.
    pub vertices: Parameter,
    /// The value at the provoking vertex.
    pub provoking: Vectors,
}

/// Fragments as the rasteriser delivers them.
#[derive(Clone, Debug)]
pub struct Fragments {
    /// Number of quads of the wavefront.
    pub num_quads: usize,
    /// Parameters with their ids.
    pub parameters: Vec<(u8, Varying)>,
    /// Barycentric coordinates i and j with perspective, by lane.
    pub perspective: Places<[[f32; 2]; MAX_LANES]>,
    /// The same without perspective.
    pub linear: Places<[[f32; 2]; MAX_LANES]>,
    /// Position in the window, with the w of clip space.
    pub position: Places<Vectors>,
    /// Lanes that see a front face.
    pub is_front: [bool; MAX_LANES],
    /// Samples covered.
    pub coverage: [u32; MAX_LANES],
    /// Number of the sample for which a lane runs.
    pub sample: [u32; MAX_LANES],
    /// The position of the fragment within its point: a parameter that the fixed unit computes.
    pub point: Parameter,
}

impl Fragments {
    /// The state on entry of the fragment shader.
    ///
    /// # Errors
    /// A register with a value that is not allowed.
    pub fn start(&self, state: &StateRegisters) -> Result<Entry<'static>, StateFault> {
        let mut start = Start { fragments: self, state, entry: Entry::new(self.num_quads) };
        if state.interpolates() {
            start.interpolated()?;
        } else {
            start.barycentrics()?;
            start.parameters()?;
        }
        start.position()?;
        start.face_and_sample()?;
        Ok(start.entry)
    }
}

/// The state on entry under construction.
struct Start<'a> {
    fragments: &'a Fragments,
    state: &'a StateRegisters,
    entry: Entry<'static>,
}

impl Start<'_> {
    fn set(&mut self, gpr: u32, value: &Vectors) {
        for (channel, lanes) in (0..).zip(value) {
            for (lane, &bits) in lanes.iter().enumerate() {
                self.entry.set_gpr(gpr, channel, lane, bits);
            }
        }
    }

    /// R600 and R700: listed input k goes to R(k).
    fn interpolated(&mut self) -> Result<(), StateFault> {
        let control = self.state.word(control_0::REGISTER, 0)?;
        for index in 0..control.get(&control_0::NUM_INTERP) {
            let word = self.state.word(input::REGISTER, index)?;
            let value = self.listed_value(word, control)?;
            self.set(index, &value);
        }
        Ok(())
    }

    fn listed_value(&self, word: WordReader, control: WordReader) -> Result<Vectors, StateFault> {
        if word.flag(&input::PT_SPRITE_TEX) {
            return Ok(interpolate(&self.fragments.point, &self.fragments.perspective.center));
        }
        let Some(varying) = self.matching(word) else { return Ok(default_value(word)) };
        if self.is_flat(word)? {
            return Ok(varying.provoking);
        }
        let (pairs, gradient) = match word.flag(&input::SEL_LINEAR) {
            true => (&self.fragments.linear, &control_0::LINEAR_GRADIENT_ENA),
            false => (&self.fragments.perspective, &control_0::PERSP_GRADIENT_ENA),
        };
        demand(control.flag(gradient), (gradient, 0), "an input uses this interpolation")?;
        let pair = match (word.flag(&input::SEL_SAMPLE), word.flag(&input::SEL_CENTROID)) {
            (true, _) => {
                let field = &control_0::BARYC_AT_SAMPLE_ENA;
                demand(control.flag(field), (field, 0), "an input is interpolated at samples")?;
                &pairs.sample
            }
            (false, true) => &pairs.centroid,
            (false, false) => &pairs.center,
        };
        Ok(interpolate(&varying.vertices, pair))
    }

    /// The parameter with the id that an input names.
    fn matching(&self, word: WordReader) -> Option<&Varying> {
        let id = word.get(&input::SEMANTIC);
        let mut parameters = self.fragments.parameters.iter();
        parameters.find(|(own, _)| u32::from(*own) == id).map(|(_, varying)| varying)
    }

    fn is_flat(&self, word: WordReader) -> Result<bool, StateFault> {
        let enabled = self.state.word(interp::REGISTER, 0)?.flag(&interp::FLAT_SHADE_ENA);
        Ok(enabled && word.flag(&input::FLAT_SHADE))
    }

    /// Evergreen and Cayman: enabled pairs are stored from R0 on, two per register.
    fn barycentrics(&mut self) -> Result<(), StateFault> {
        let control = self.state.word(control_0::REGISTER, 0)?;
        let word = self.state.word(baryc::REGISTER, 0)?;
        let fragments = self.fragments;
        let (persp, linear) = (&fragments.perspective, &fragments.linear);
        let by_persp = &control_0::PERSP_GRADIENT_ENA;
        let by_linear = &control_0::LINEAR_GRADIENT_ENA;
        let pairs: [(&FieldSet, &FieldSet, &[[f32; 2]; MAX_LANES]); 6] = [
            (&baryc::PERSP_SAMPLE_ENA, by_persp, &persp.sample),
            (&baryc::PERSP_CENTER_ENA, by_persp, &persp.center),
            (&baryc::PERSP_CENTROID_ENA, by_persp, &persp.centroid),
            (&baryc::LINEAR_SAMPLE_ENA, by_linear, &linear.sample),
            (&baryc::LINEAR_CENTER_ENA, by_linear, &linear.center),
            (&baryc::LINEAR_CENTROID_ENA, by_linear, &linear.centroid),
        ];
        let mut rank = 0_u32;
        for (enable, gradient, pair) in pairs {
            match word.get(enable) {
                0 => continue,
                1 => demand(control.flag(gradient), (gradient, 0), "a coordinate pair needs it")?,
                other => {
                    demand(false, (enable, other), "only 1 is known to enable a coordinate pair")?
                }
            }
            for (lane, ij) in pair.iter().enumerate() {
                for (channel, value) in (2 * (rank % 2) as u8..).zip(ij) {
                    self.entry.set_gpr(rank / 2, channel, lane, value.to_bits());
                }
            }
            rank += 1;
        }
        demand(
            rank > 0,
            (&baryc::PERSP_SAMPLE_ENA, 0),
            "the hardware needs at least one coordinate pair",
        )
    }

    /// Evergreen and Cayman: parameters are stored in the order of their list, and the program interpolates them.
    fn parameters(&mut self) -> Result<(), StateFault> {
        let field = &control_0::NUM_INTERP;
        let count = self.state.word(control_0::REGISTER, 0)?.get(field);
        demand(count > 0, (field, count), "the hardware needs at least one parameter")?;
        for index in 0..count {
            let word = match self.state.optional_word(input::REGISTER, index) {
                Some(word) => word,
                // The field counts at least one parameter, even if there is none.
                None if count == 1 => return Ok(()),
                None => self.state.word(input::REGISTER, index)?,
            };
            let parameter = match self.matching(word) {
                _ if word.flag(&input::PT_SPRITE_TEX) => self.fragments.point.clone(),
                None => Parameter::flat(default_value(word)),
                Some(varying) if self.is_flat(word)? => Parameter::flat(varying.provoking),
                Some(varying) => varying.vertices.clone(),
            };
            self.entry.push_parameter(parameter);
        }
        Ok(())
    }

    fn position(&mut self) -> Result<(), StateFault> {
        let control = self.state.word(control_0::REGISTER, 0)?;
        if !control.flag(&control_0::POSITION_ENA) {
            return Ok(());
        }
        let places = &self.fragments.position;
        let at_sample = control.flag(&control_0::POSITION_SAMPLE);
        let mut position = match control.flag(&control_0::POSITION_CENTROID) {
            _ if at_sample => places.sample,
            true => places.centroid,
            false => places.center,
        };
        if !self.state.word(input_z::REGISTER, 0)?.flag(&input_z::PROVIDE_Z_TO_SPI) {
            position[2] = [UNDEFINED; MAX_LANES];
        }
        self.set(control.get(&control_0::POSITION_ADDR), &position);
        Ok(())
    }

    fn face_and_sample(&mut self) -> Result<(), StateFault> {
        let control = self.state.word(control_1::REGISTER, 0)?;
        if control.flag(&control_1::FRONT_FACE_ENA) {
            let is_integer = control.flag(&control_1::FRONT_FACE_ALL_BITS);
            let face = |is_front: bool| match (is_integer, is_front) {
                (true, front) => u32::from(front),
                (false, true) => 1.0_f32.to_bits(),
                (false, false) => (-1.0_f32).to_bits(),
            };
            let mut value = [[UNDEFINED; MAX_LANES]; 4];
            value[2] = self.fragments.coverage;
            value[control.get(&control_1::FRONT_FACE_CHAN) as usize % 4] =
                self.fragments.is_front.map(face);
            self.set(control.get(&control_1::FRONT_FACE_ADDR), &value);
        }
        if control.flag(&control_1::FIXED_PT_POSITION_ENA) {
            let mut value = [[UNDEFINED; MAX_LANES]; 4];
            value[3] = self.fragments.sample;
            self.set(control.get(&control_1::FIXED_PT_POSITION_ADDR), &value);
        }
        Ok(())
    }
}

/// The value of an input whose id matches no parameter.
fn default_value(word: WordReader) -> Vectors {
    let [xyz, w] = match word.get(&input::DEFAULT_VAL) {
        0 => [0.0, 0.0],
        1 => [0.0, 1.0],
        2 => [1.0, 0.0],
        _ => [1.0_f32, 1.0],
    };
    [xyz, xyz, xyz, w].map(|value| [value.to_bits(); MAX_LANES])
}

/// The value of a parameter with a pair of barycentric coordinates.
fn interpolate(parameter: &Parameter, pair: &[[f32; 2]; MAX_LANES]) -> Vectors {
    let Parameter { p0, p10, p20 } = parameter;
    std::array::from_fn(|channel| {
        std::array::from_fn(|lane| {
            let parts = [p0, p10, p20].map(|part| f32::from_bits(part[channel][lane]));
            Parameter::at(parts, pair[lane])
        })
    })
}
