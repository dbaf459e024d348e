//! Bytes to bytes: what each export computes.

use pass_manager::Clock;
use serde::Serialize;
use tgsi_explore::{Limits, Question, Setup, answer_by};

/// Answers a `Question` in JSON with an `Answer` in JSON, or with an object that has `error`.
pub fn answer(question: &[u8], clock: Clock) -> Vec<u8> {
    match serde_json::from_slice::<Question>(question) {
        Ok(question) => to_json(&answer_by(&question, &Limits::default(), clock)),
        Err(error) => to_json(&Failure { error: error.to_string() }),
    }
}

/// The `Setup` of a page that begins with an example, in JSON.
pub fn setup() -> Vec<u8> {
    to_json(&Setup::new(None, &Limits::default()))
}

/// The answer to what is no question.
#[derive(Serialize)]
struct Failure {
    error: String,
}

/// Values of the page have no keys but texts, so that each becomes JSON.
fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_else(|_| UNWRITABLE.to_owned())
}

const UNWRITABLE: &[u8] = br#"{"error":"the answer cannot be written as JSON"}"#;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use pass_manager::Clock;
    use serde_json::Value;

    fn reply_to(question: &str) -> Value {
        serde_json::from_slice(&super::answer(question.as_bytes(), Clock::default())).unwrap()
    }

    #[test]
    fn a_question_is_answered() {
        let text = "FRAG\\nDCL OUT[0], COLOR\\nDCL CONST[0]\\nMOV OUT[0], CONST[0]\\nEND\\n";
        let answer = reply_to(&format!(r#"{{"text":"{text}","chip":"latte"}}"#));
        assert_eq!(answer["shown"]["kind"], "text");
        assert!(answer["costs"]["dwords"].as_u64().unwrap() > 0);
    }

    #[test]
    fn garbage_is_answered_with_an_error() {
        for garbage in ["", "{", "[]", r#"{"text":1}"#, r#"{"text":"","chip":"latte","x":1}"#] {
            assert!(reply_to(garbage)["error"].is_string(), "{garbage}");
        }
        assert!(super::answer(&[0xff, 0xfe], Clock::default()).starts_with(b"{\"error\""));
    }

    #[test]
    fn the_setup_names_chips_and_examples() {
        let setup: Value = serde_json::from_slice(&super::setup()).unwrap();
        assert!(setup["chips"].as_array().unwrap().iter().any(|chip| chip["name"] == "latte"));
        assert!(!setup["examples"].as_array().unwrap().is_empty());
    }
}
