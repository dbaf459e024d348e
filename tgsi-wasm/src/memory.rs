//! The exports: room for texts, and calls that take and give them.
#![allow(unsafe_code, reason = "memory goes over the border as addresses")]
#![allow(unreachable_pub, reason = "the page reaches the exports")]

use crate::clock::clock;
use crate::reply;

/// Room for `length` bytes, which a call takes or [`tgsi_free`] gives back.
#[unsafe(no_mangle)]
pub extern "C" fn tgsi_alloc(length: usize) -> *mut u8 {
    leak(vec![0; length])
}

/// Gives back room of `length` bytes at `place`.
///
/// # Safety
/// `place` comes from [`tgsi_alloc`] with the same length, or is an answer of that length with its first four bytes, and
/// has not been given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_free(place: *mut u8, length: usize) {
    // SAFETY: as the caller promises.
    drop(unsafe { take(place, length) });
}

/// Answers the question of `length` bytes at `place`, which is given back.
///
/// # Safety
/// As for [`tgsi_free`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_answer(place: *mut u8, length: usize) -> *mut u8 {
    // SAFETY: as the caller promises.
    let question = unsafe { take(place, length) };
    framed(&reply::answer(&question, clock()))
}

/// What the page has to know at its start; the text of `length` bytes at `place` is given back unread.
///
/// # Safety
/// As for [`tgsi_free`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_setup(place: *mut u8, length: usize) -> *mut u8 {
    // SAFETY: as the caller promises.
    drop(unsafe { take(place, length) });
    framed(&reply::setup())
}

/// An answer after its length.
fn framed(answer: &[u8]) -> *mut u8 {
    // Addresses have 32 bits here, and so has every length.
    let length = answer.len() as u32;
    leak([&length.to_le_bytes(), answer].concat())
}

fn leak(bytes: Vec<u8>) -> *mut u8 {
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

/// # Safety
/// `place` comes from [`leak`] with `length` bytes, and is not used again.
unsafe fn take(place: *mut u8, length: usize) -> Box<[u8]> {
    // SAFETY: the slice is the one that `leak` let go, by the caller's promise.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(place, length)) }
}
