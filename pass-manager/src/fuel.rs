//! The budget of rewrites.

/// Counts rewrites and stops them at a limit.
#[derive(Clone, Debug)]
pub struct Fuel {
    left: u64,
    burnt: u64,
}

/// More than any run makes.
const UNLIMITED: u64 = u64::MAX;

impl Default for Fuel {
    fn default() -> Self {
        Self::new(None)
    }
}

impl Fuel {
    /// Fuel for `limit` rewrites; `None` is unlimited.
    pub fn new(limit: Option<u64>) -> Self {
        Self { left: limit.unwrap_or(UNLIMITED), burnt: 0 }
    }

    /// Requests one rewrite and counts it. Returns whether it is allowed.
    pub fn burn(&mut self) -> bool {
        let is_left = self.left > 0;
        self.left -= u64::from(is_left);
        self.burnt += u64::from(is_left);
        is_left
    }

    /// Whether no further rewrite is allowed.
    pub fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Rewrites made.
    pub fn burnt(&self) -> u64 {
        self.burnt
    }

    /// Counts rewrites that were made without a request.
    pub(crate) fn count(&mut self, rewrites: u64) {
        self.burnt += rewrites;
    }
}

#[cfg(test)]
mod tests {
    use super::Fuel;

    #[test]
    fn fuel_limits_and_counts_rewrites() {
        let mut fuel = Fuel::new(Some(2));
        assert_eq!([(); 3].map(|()| fuel.burn()), [true, true, false]);
        assert!(fuel.is_spent() && fuel.burnt() == 2);
    }
}
