//! Breaks shaders and programs at random, as input that parsers and decoders must survive.

use crate::random::Random;

/// Maximum number of changes to a text or a stream.
const MAX_CHANGES: usize = 4;
/// Maximum number of words of a random stream.
const MAX_RANDOM_WORDS: usize = 96;
/// Numbers that are likely limits.
const NUMBERS: [&str; 8] =
    ["-1", "0", "127", "256", "4095", "65536", "2147483648", "99999999999999999999"];

/// A text with random changes: bytes are flipped, lines are cut, swapped or repeated, and numbers are replaced.
#[must_use]
pub fn mutated_text(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<Vec<u8>> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
    for _ in 0..=random.below(MAX_CHANGES) {
        change_lines(&mut lines, random);
    }
    String::from_utf8_lossy(&lines.join(&b'\n')).into_owned()
}

fn change_lines(lines: &mut Vec<Vec<u8>>, random: &mut Random) {
    let (at, other) = (random.below(lines.len()), random.below(lines.len()));
    if lines.is_empty() {
        return;
    }
    match random.below(6) {
        0 => drop(lines.remove(at)),
        1 => lines.swap(at, other),
        2 => lines.insert(other, lines[at].clone()),
        3 => lines.truncate(at + 1),
        4 => enlarge_number(&mut lines[at], random),
        _ => flip_byte(&mut lines[at], random),
    }
}

fn flip_byte(line: &mut [u8], random: &mut Random) {
    let at = random.below(line.len());
    if let Some(byte) = line.get_mut(at) {
        *byte = if random.once_in(2) { *byte ^ 1 << random.below(8) } else { random.bits() as u8 };
    }
}

/// Replaces a number in a line.
fn enlarge_number(line: &mut Vec<u8>, random: &mut Random) {
    let starts: Vec<usize> = (0..line.len())
        .filter(|&at| line[at].is_ascii_digit() && (at == 0 || !line[at - 1].is_ascii_digit()))
        .collect();
    if starts.is_empty() {
        return;
    }
    let start = random.pick(&starts);
    let length = line[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    line.splice(start..start + length, random.pick(&NUMBERS).bytes());
}

/// A stream with a few words changed, removed, swapped or repeated.
#[must_use]
pub fn mutated_words(words: &[u32], random: &mut Random) -> Vec<u32> {
    let mut words = words.to_vec();
    for _ in 0..=random.below(MAX_CHANGES) {
        let (at, other) = (random.below(words.len()), random.below(words.len()));
        if words.is_empty() {
            break;
        }
        match random.below(8) {
            0 => drop(words.remove(at)),
            1 => words.swap(at, other),
            2 => words.insert(other, words[at]),
            3 if random.once_in(4) => words.truncate(at + 1),
            4 => words[at] = random.bits() as u32,
            _ => words[at] ^= 1 << random.below(32),
        }
    }
    words
}

/// Random words.
#[must_use]
pub fn random_words(random: &mut Random) -> Vec<u32> {
    (0..random.below(MAX_RANDOM_WORDS)).map(|_| random.bits() as u32).collect()
}
