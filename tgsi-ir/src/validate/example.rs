//! An example shader for each rule that a short text can break.

use super::Code;

macro_rules! examples {
    ($($number:literal)*) => {
        impl Code {
            /// A small shader, as text, that breaks this rule; `None` for the few rules that only token streams,
            /// long texts or programs can break.
            pub fn example(self) -> Option<&'static str> {
                match self.number() {
                    $($number => Some(include_str!(concat!("examples/", $number, ".tgsi"))),)*
                    _ => None,
                }
            }
        }
    };
}

examples! {
    "V001" "V002" "V005" "V006" "V007" "V008" "V010" "V011" "V012" "V014"
    "V101" "V102" "V103" "V104" "V105" "V106" "V107" "V108" "V109" "V110"
    "V201" "V202" "V203" "V204" "V205" "V206" "V207" "V208" "V209" "V210"
    "V301" "V302" "V303" "V304" "V305" "V306" "V307" "V308" "V310" "V311" "V312"
    "V401" "V402" "V403" "V404" "V405" "V406"
    "V501" "V502" "V503" "V504" "V505" "V506" "V508"
    "V601" "V602" "V603" "V604" "V605" "V606"
}
