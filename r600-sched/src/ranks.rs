//! Orders of urgency.

/// Noise steps per group of height.
const NOISE_STEPS: u32 = 4;
/// Noise range in steps: two groups. One group finds fewer of the better schedules; four groups find fewer of those
/// with few registers.
const NOISE: u32 = 2 * NOISE_STEPS;

/// Operations in an order of urgency.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranks {
    /// The operations, the most urgent first.
    pub(crate) order: Vec<u32>,
    /// The place of each in the order.
    pub(crate) rank: Vec<u32>,
}

impl Ranks {
    /// Sorts operations by their keys, equal ones in program order.
    pub(crate) fn by_key(keys: &[u32]) -> Self {
        let num_ops = keys.len();
        let num_keys = keys.iter().max().map_or(0, |&max| max as usize + 1);
        let starts = starts(keys.iter().copied(), num_keys);
        let in_order: Vec<u32> = (0..num_ops as u32).collect();
        let order = sorted(&in_order, &starts, |&at| keys[at as usize]);
        let mut rank = vec![0; num_ops];
        for (&at, place) in order.iter().zip(0..) {
            rank[at as usize] = place;
        }
        Self { order, rank }
    }

    /// Sorts operations by urgency, the most urgent first. Among equals, operations that can take any slot come last,
    /// because they find room where others do not.
    pub(crate) fn by_urgency(urgency: &[u32], is_flexible: impl Fn(usize) -> bool) -> Self {
        let most = urgency.iter().copied().max().unwrap_or(0);
        let key = |(at, own): (usize, &u32)| 2 * (most - own) + u32::from(is_flexible(at));
        Self::by_key(&urgency.iter().enumerate().map(key).collect::<Vec<u32>>())
    }

    /// Sorts operations by height plus noise drawn from `seed`, the highest first.
    pub(crate) fn by_noisy_height(heights: &[u32], seed: u32) -> Self {
        let highest = heights.iter().copied().max().unwrap_or(0);
        let mut noise = Noise::new(seed);
        let key = |height: &u32| (highest - height) * NOISE_STEPS + noise.below(NOISE);
        Self::by_key(&heights.iter().map(key).collect::<Vec<u32>>())
    }
}

/// Pseudorandom numbers, determined by the seed (SplitMix64).
struct Noise(u64);

impl Noise {
    fn new(seed: u32) -> Self {
        Self(u64::from(seed))
    }

    /// A number below `end`.
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((mixed >> 32) * u64::from(end)) >> 32) as u32
    }
}

/// Where the run of each number begins in sorted `keys`, and where the last ends.
pub(crate) fn starts(keys: impl Iterator<Item = u32>, num_keys: usize) -> Vec<u32> {
    let mut starts = vec![0; num_keys + 1];
    for key in keys {
        starts[key as usize + 1] += 1;
    }
    for at in 0..num_keys {
        starts[at + 1] += starts[at];
    }
    starts
}

/// `items` stably sorted by key; the run of each key begins at its entry in `starts`.
pub(crate) fn sorted<T: Copy>(items: &[T], starts: &[u32], key: impl Fn(&T) -> u32) -> Vec<T> {
    let mut next = starts.to_vec();
    let mut sorted = items.to_vec();
    for item in items {
        let place = &mut next[key(item) as usize];
        sorted[*place as usize] = *item;
        *place += 1;
    }
    sorted
}
