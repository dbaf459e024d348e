//! Maxwell's assembler.

use maxwell_tex::asm::parse;
use maxwell_tex::{Sm, Syntax};

use crate::target::{Form, Target};

pub(super) const TARGET: Target =
    Target { name: "maxwell-assembly", form: Form::Text, seeds, check, needs: Target::NOTHING };

fn seeds(_: &[String]) -> Vec<Vec<u8>> {
    const TEXT: &str = "\
@!P0 TEX.B.LL.AOFFI P1, R4, R8, R12, 0x0, ARRAY_2D, 0xf &req=0x3 &wr0 ?stall2;
TLDS.LZ R0, R4, R9, R11, 7, 2D, RGBA;   // the mask and all after it may be absent
.quad 0x50b0000000070f00;
";
    TEXT.lines().map(|line| line.as_bytes().to_vec()).chain([TEXT.as_bytes().to_vec()]).collect()
}

fn check(input: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(input);
    let assembly = parse(&text);
    let findings = assembly.check(Sm::Sm53);
    let places = assembly.errors.iter().map(|error| error.span.clone());
    let mut places = places.chain(findings.into_iter().map(|(place, _)| place));
    if let Some(stray) = places.find(|place| text.get(place.clone()).is_none()) {
        return Some(format!("a finding points out of the text: {stray:?}"));
    }
    assembly.slots().iter().find_map(|slot| {
        let listing = slot.listing(Syntax::Document).to_string();
        let again = parse(&listing);
        (again.slots() != [*slot]).then(|| format!("another instruction comes back from {listing}"))
    })
}
