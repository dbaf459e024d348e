//! Observes every result, and changes it in runs with deliberate errors.

use crate::functions::{pair, set_pair};
use crate::lanes::{ALL, LANES, Operands, Vector};
use crate::perturb::{Error, Perturbation};
use crate::program::{Kind, Step};

/// What a run records or changes besides computing results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    /// Lanes with a float result that was infinite or NaN, or with a comparison with a NaN, and lanes that have read
    /// those.
    pub(crate) not_finite: u8,
    pub(crate) perturbation: Option<Perturbation>,
}

impl Watch {
    /// Whether errors are made.
    pub(crate) fn perturbs(&self) -> bool {
        self.perturbation.is_some()
    }

    /// Observes the operands of an instruction.
    pub(crate) fn prepare(&mut self, step: &Step, active: u8, operands: &mut Operands) {
        if let (Some(perturbation), Error::Derivative) = (&mut self.perturbation, step.error) {
            perturbation.forget_idle(active, &mut operands[0]);
        }
    }

    /// Observes the results of an instruction.
    pub(crate) fn see(
        &mut self,
        step: &Step,
        operands: &Operands,
        active: u8,
        results: &mut Vector,
    ) {
        if let Some(perturbation) = &mut self.perturbation {
            perturb(perturbation, step, operands, results);
        }
        if self.not_finite != 0 && step.looks_at_other_lanes() {
            self.not_finite = ALL;
        }
        let Some(destination) = &step.destination else { return };
        let is_odd = |channel: usize, bits: u32| match step.result {
            Kind::Float => !f32::from_bits(bits).is_finite(),
            // The exponent is in the high half.
            Kind::Double => channel % 2 == 1 && bits >> 20 & 0x7ff == 0x7ff,
            Kind::Integer | Kind::Integer64 => false,
        };
        let compared = &operands[..step.error.num_compared()];
        let compares_nan = |channel: usize, lane: usize| {
            let is_nan = |operand: &Vector| f32::from_bits(operand[channel][lane]).is_nan();
            compared.iter().any(is_nan)
        };
        for channel in (0..4).filter(|channel| destination.mask >> channel & 1 == 1) {
            let from = usize::from(destination.pick[channel] & 3);
            let odd = (0..LANES)
                .filter(|&lane| is_odd(from, results[from][lane]) || compares_nan(from, lane));
            self.not_finite |= odd.fold(0, |mask, lane| mask | 1 << lane) & active;
        }
    }
}

fn perturb(
    perturbation: &mut Perturbation,
    step: &Step,
    operands: &Operands,
    results: &mut Vector,
) {
    if step.error.is_of_doubles() {
        return perturb_doubles(perturbation, step.error, operands, results);
    }
    for lane in 0..LANES {
        for (channel, values) in results.iter_mut().enumerate() {
            let from = if step.is_componentwise { channel } else { 0 };
            let own = operands.map(|operand| operand[from][lane]);
            values[lane] = perturbation.apply(step.error, own, values[lane]);
        }
    }
}

fn perturb_doubles(
    perturbation: &mut Perturbation,
    error: Error,
    operands: &Operands,
    results: &mut Vector,
) {
    for (number, lane) in (0..2).flat_map(|number| (0..LANES).map(move |lane| (number, lane))) {
        let own = [0, 1, 2].map(|operand: usize| pair(&operands[operand], number, lane));
        let result = perturbation.apply_to_double(error, own, pair(results, number, lane));
        set_pair(results, number, lane, result);
    }
}
