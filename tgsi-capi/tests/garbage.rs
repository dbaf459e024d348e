//! Every call with NULL, garbage and mutated input: an error or a value, never a crash.

#![allow(unsafe_code, reason = "the calls are those of C")]
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::ffi::{CStr, CString};
use std::ptr;
use std::time::{Duration, Instant};

use tgsi_capi::*;

const SHADER: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..3]\nDCL TEMP[0]\n\
                      MAD TEMP[0], IN[0], CONST[1], CONST[2]\nIF CONST[0].xxxx\n  ADD TEMP[0], TEMP[0], CONST[3]\nENDIF\nMOV OUT[0], TEMP[0]\nEND\n";

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below.max(1)
    }

    /// `bytes` with some of them changed, dropped or doubled.
    fn mutated(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut made = bytes.to_vec();
        for _ in 0..self.next(6) {
            let at = self.next(made.len());
            match self.next(3) {
                0 if !made.is_empty() => made[at] = self.next(256) as u8,
                1 => made.truncate(at),
                _ => made.extend_from_within(at..(at + 9).min(bytes.len().min(made.len())).max(at)),
            }
        }
        made
    }
}

/// Looks at every part of an error and frees it.
///
/// # Safety
/// `error` is NULL or a live error.
unsafe fn look(error: *mut tgsi_error) {
    // SAFETY: the error is live until the last line.
    unsafe {
        for index in 0..tgsi_error_count(error) + 1 {
            let message = tgsi_error_message(error, index);
            assert_eq!(message.is_null(), index == tgsi_error_count(error));
            let (mut begin, mut end) = (0, 0);
            if tgsi_error_span(error, index, &mut begin, &mut end) {
                assert!(begin <= end);
            }
            assert_eq!(tgsi_error_line(error, index) == 0, tgsi_error_column(error, index) == 0);
            tgsi_error_help(error, index);
            tgsi_error_code(error, index);
        }
        if !error.is_null() {
            assert!(CStr::from_ptr(tgsi_error_json(error)).to_str().unwrap().starts_with('['));
        }
        tgsi_error_free(error);
    }
}

/// Takes a shader through every call.
///
/// # Safety
/// `shader` is NULL or a live shader, which is freed.
unsafe fn use_up(shader: *mut tgsi_shader, chip: &CStr, inputs: &CStr) {
    let mut error = ptr::null_mut();
    // SAFETY: each handle is live until it is freed; NULL is allowed everywhere.
    unsafe {
        tgsi_text_free(tgsi_shader_text(shader, ptr::null_mut()));
        tgsi_text_free(tgsi_shader_warnings(shader, ptr::null_mut()));
        let tokens = tgsi_shader_tokens(shader, ptr::null_mut());
        let again =
            tgsi_shader_from_tokens(tgsi_words_data(tokens), tgsi_words_count(tokens), &mut error);
        look(error);
        tgsi_shader_free(again);
        tgsi_words_free(tokens);
        tgsi_text_free(tgsi_shader_run(shader, inputs.as_ptr(), &mut error));
        look(error);
        let program = tgsi_compile(shader, chip.as_ptr(), 2, false, &mut error);
        look(error);
        let linked = tgsi_link(&shader.cast_const(), 1, 2, false, false, &mut error);
        look(error);
        assert_eq!(tgsi_bytes_data(linked).is_null(), tgsi_bytes_count(linked) == 0);
        tgsi_bytes_free(linked);
        tgsi_text_free(tgsi_program_simulate(program, inputs.as_ptr(), &mut error));
        look(error);
        let words = tgsi_program_words(program, ptr::null_mut());
        let listing = tgsi_program_listing(program, ptr::null_mut());
        tgsi_words_free(tgsi_assemble(tgsi_text_data(listing), chip.as_ptr(), &mut error));
        look(error);
        tgsi_text_free(listing);
        tgsi_text_free(tgsi_program_json(program, ptr::null_mut()));
        let (data, count) = (tgsi_words_data(words), tgsi_words_count(words));
        let ran = tgsi_simulate(
            data,
            count,
            chip.as_ptr(),
            c"pixel".as_ptr(),
            inputs.as_ptr(),
            &mut error,
        );
        look(error);
        tgsi_text_free(ran);
        tgsi_words_free(words);
        tgsi_program_free(program);
        tgsi_shader_free(shader);
    }
}

#[test]
fn null_is_an_error_everywhere() {
    let mut error = ptr::null_mut();
    // SAFETY: NULL is allowed everywhere.
    unsafe {
        assert!(tgsi_shader_read(ptr::null(), 4, &mut error).is_null());
        assert_eq!(CStr::from_ptr(tgsi_error_message(error, 0)), c"data is NULL");
        look(error);
        use_up(ptr::null_mut(), c"latte", c"{}");
        assert!(tgsi_assemble(ptr::null(), ptr::null(), &mut error).is_null());
        look(error);
        assert!(tgsi_disassemble(ptr::null(), 3, c"latte".as_ptr(), &mut error).is_null());
        look(error);
        assert!(tgsi_shader_from_spirv(ptr::null(), 0, ptr::null(), &mut error).is_null());
        look(error);
        assert!(tgsi_link(ptr::null(), 2, 2, false, false, &mut error).is_null());
        look(error);
        assert!(tgsi_link(&ptr::null(), 1, 2, false, false, &mut error).is_null());
        assert_eq!(CStr::from_ptr(tgsi_error_message(error, 0)), c"a shader is NULL");
        look(error);
        look(ptr::null_mut());
    }
}

/// Mutated shaders through every call. `FUZZ_SECONDS` makes it a campaign.
#[test]
fn garbage_is_an_error_or_a_value() {
    let seconds =
        std::env::var("FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut random = Random(seconds);
    let mut count = 0_u64;
    let chips = [c"latte", c"rv610", c"cedar", c"cayman", c"voodoo"];
    while Instant::now() < end {
        count += 1;
        let text = random.mutated(SHADER.as_bytes());
        let inputs = random.mutated(
            br#"{"inputs": [[[1,2,3,4],[0,0,0,1],[0,0,0,1],[0,0,0,1]]], "consts": [[1,1,1,1]]}"#,
        );
        let inputs =
            CString::new(inputs.iter().copied().filter(|&byte| byte != 0).collect::<Vec<_>>())
                .unwrap();
        let mut error = ptr::null_mut();
        // SAFETY: the bytes are there, and the handles are live.
        unsafe {
            let shader = tgsi_shader_read(text.as_ptr(), text.len(), &mut error);
            look(error);
            use_up(shader, chips[random.next(chips.len())], &inputs);
            let words: Vec<u32> =
                (0..random.next(40)).map(|_| random.next(usize::MAX) as u32).collect();
            let listing =
                tgsi_disassemble(words.as_ptr(), words.len(), c"rv770".as_ptr(), &mut error);
            look(error);
            tgsi_text_free(listing);
            let ran = tgsi_simulate(
                words.as_ptr(),
                words.len(),
                c"rv770".as_ptr(),
                c"vertex".as_ptr(),
                inputs.as_ptr(),
                &mut error,
            );
            look(error);
            tgsi_text_free(ran);
        }
    }
    println!("garbage: {count} rounds");
}
