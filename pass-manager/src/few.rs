//! A map for few entries.

/// A map with linear search: smaller and faster than a tree for tens of entries.
pub(crate) struct FewMap<K, V> {
    entries: Vec<(K, V)>,
}

impl<K, V> Default for FewMap<K, V> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<K: Copy + PartialEq, V> FewMap<K, V> {
    pub(crate) fn get(&self, key: K) -> Option<&V> {
        self.entries.iter().find(|(own, _)| *own == key).map(|(_, value)| value)
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        self.remove(key);
        self.entries.push((key, value));
    }

    pub(crate) fn remove(&mut self, key: K) {
        self.retain(|own| own != key);
    }

    /// Keeps the entries whose keys satisfy `kept`.
    pub(crate) fn retain(&mut self, kept: impl Fn(K) -> bool) {
        self.entries.retain(|(own, _)| kept(*own));
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Each entry, in no particular order.
    pub(crate) fn into_entries(self) -> Vec<(K, V)> {
        self.entries
    }
}
