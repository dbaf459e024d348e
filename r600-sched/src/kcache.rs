//! Constant cache windows of a clause.
//!
//! A window holds one or two lines of 16 vec4 of one buffer. A clause has two windows, four on Evergreen and
//! Cayman. Windows grow while the clause is filled; selectors are numbered when it is closed.

use r600_isa::{Generation, KcacheMode, KcacheWindow};

use crate::schedule::{Group, PlacedSel};

/// Vec4 in a line.
const LINE: u16 = 16;

/// The windows of a clause under construction.
#[derive(Clone, Debug)]
pub(crate) struct Windows {
    windows: [KcacheWindow; 4],
    available: usize,
}

impl Windows {
    pub(crate) fn new(generation: Generation) -> Self {
        let available = match generation {
            Generation::R600 | Generation::R700 => 2,
            Generation::Evergreen | Generation::Cayman => 4,
        };
        Self { windows: [KcacheWindow::default(); 4], available }
    }

    /// The windows of a finished clause.
    pub(crate) fn locked(generation: Generation, windows: [KcacheWindow; 4]) -> Self {
        Self { windows, ..Self::new(generation) }
    }

    /// Bank and index of vec4 `within` of window `set`.
    pub(crate) fn named(&self, set: u8, within: u8) -> (u8, u16) {
        let window = &self.windows[usize::from(set)];
        (window.bank, LINE * u16::from(window.line) + u16::from(within))
    }

    /// Unlocks whole windows and single lines that `groups` do not read.
    pub(crate) fn keep_read(&mut self, groups: &[Group]) {
        let mut is_read = [[false; 2]; 4];
        for (_, placed) in groups.iter().flat_map(Group::iter) {
            for src in &placed.src {
                if let PlacedSel::Uniform { bank, index, .. } = src.sel
                    && let Some((set, within)) = self.select(bank, index)
                {
                    is_read[usize::from(set)][usize::from(u16::from(within) / LINE)] = true;
                }
            }
        }
        let all = std::mem::take(&mut self.windows);
        let kept =
            all.into_iter().zip(is_read).filter_map(|(window, lines)| narrowed(window, lines));
        self.windows.iter_mut().zip(kept).for_each(|(place, window)| *place = window);
    }

    /// Replaces the constants of `groups` by their places in the windows.
    pub(crate) fn number(&self, groups: &mut [Group]) {
        for placed in groups.iter_mut().flat_map(|group| &mut group.slots).flatten() {
            for src in &mut placed.src {
                if let PlacedSel::Uniform { bank, index, chan } = src.sel
                    && let Some((set, within)) = self.select(bank, index)
                {
                    src.sel = PlacedSel::Kcache { set, index: within, chan };
                }
            }
        }
    }

    /// Makes vec4 `index` of `bank` readable; false, with nothing changed, if no window is left.
    pub(crate) fn lock(&mut self, bank: u8, index: u16) -> bool {
        // A line number beyond the field's range has no window.
        let Ok(line) = u8::try_from(index / LINE) else { return false };
        if self.find(bank, line).is_some() {
            return true;
        }
        let grown = self.windows[..self.available].iter_mut().find(|window| {
            window.mode == KcacheMode::Lock1
                && window.bank == bank
                && (window.line.checked_add(1) == Some(line)
                    || line.checked_add(1) == Some(window.line))
        });
        if let Some(window) = grown {
            window.mode = KcacheMode::Lock2;
            window.line = window.line.min(line);
            return true;
        }
        let free = self.windows[..self.available].iter_mut().find(|w| w.mode == KcacheMode::None);
        match free {
            Some(window) => {
                *window = KcacheWindow { mode: KcacheMode::Lock1, bank, line, ..*window };
                true
            }
            None => false,
        }
    }

    /// Makes vec4 readable, each given by bank and index; false if windows run out, with some of them locked.
    pub(crate) fn lock_all(&mut self, uniforms: &[(u8, u16)]) -> bool {
        uniforms.iter().all(|&(bank, index)| self.lock(bank, index))
    }

    fn find(&self, bank: u8, line: u8) -> Option<usize> {
        self.windows.iter().position(|window| {
            let lines = match window.mode {
                KcacheMode::None | KcacheMode::LockLoopIndex => return false,
                KcacheMode::Lock1 => 1,
                KcacheMode::Lock2 => 2,
            };
            window.bank == bank && line.checked_sub(window.line).is_some_and(|line| line < lines)
        })
    }

    /// Window and vec4 within it of a locked constant.
    pub(crate) fn select(&self, bank: u8, index: u16) -> Option<(u8, u8)> {
        let set = self.find(bank, u8::try_from(index / LINE).ok()?)?;
        let within = index - LINE * u16::from(self.windows[set].line);
        Some((u8::try_from(set).ok()?, u8::try_from(within).ok()?))
    }

    pub(crate) fn finish(&self) -> [KcacheWindow; 4] {
        self.windows
    }
}

/// `window` reduced to the lines that are read; `None` if there are none.
fn narrowed(window: KcacheWindow, is_read: [bool; 2]) -> Option<KcacheWindow> {
    let mode = KcacheMode::Lock1;
    match is_read {
        [true, true] => Some(window),
        [true, false] => Some(KcacheWindow { mode, ..window }),
        [false, true] => Some(KcacheWindow { mode, line: window.line + 1, ..window }),
        [false, false] => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_grow_to_a_neighbour_line_and_run_out() {
        let mut windows = Windows::new(Generation::R700);
        assert!(windows.lock(0, 20) && windows.lock(0, 3) && windows.lock(1, 0));
        assert_eq!(windows.select(0, 20), Some((0, 20)));
        assert_eq!(windows.finish()[0].mode, KcacheMode::Lock2);
        assert!(!windows.lock(2, 0));
    }

    #[test]
    fn the_last_line_of_a_buffer_is_locked_alone_and_beside_its_neighbour() {
        for (neighbour, within) in [(None, 15), (Some(4079), 31)] {
            let mut windows = Windows::new(Generation::R700);
            assert!(neighbour.is_none_or(|index| windows.lock(0, index)));
            assert!(windows.lock(0, 4095) && windows.lock(0, 4080));
            assert_eq!(windows.select(0, 4095), Some((0, within)));
        }
        let mut windows = Windows::new(Generation::R700);
        assert!(!windows.lock(0, 4096) && windows.lock(0, 0));
        assert_eq!(windows.select(0, 4096), None);
    }
}
