//! What pages of the documentation say that the program prints is what it prints.
//!
//! A block after a line `<!-- run: ARGUMENTS -->` is what `tgsi ARGUMENTS` prints, errors first; one after
//! `<!-- file: PATH -->` is what the file holds.
//! `UPDATE_GOLDEN=1 cargo test -p tgsi-cli --test it pages` rewrites the blocks.

use crate::common;

use common::{check_golden, files, root, tgsi};

/// What announces a block, and what fills it.
type Source = (&'static str, fn(&str) -> String);

const SOURCES: [Source; 2] = [("<!-- run: ", printed), ("<!-- file: ", contents)];

/// What the program prints when it is given `args`.
fn printed(args: &str) -> String {
    let ran = tgsi(&args.split(' ').collect::<Vec<_>>());
    ran.err + &ran.out
}

/// What the file at `path`, from the root, holds.
fn contents(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("a file that a page shows can be read")
}

#[test]
fn blocks_of_pages_are_what_the_program_prints() {
    let mut pages = files("docs", ".md");
    pages.push(root().join("README.md"));
    let (mut blocks, mut faults) = (0, Vec::new());
    for path in pages {
        let page = std::fs::read_to_string(&path).expect("a page can be read");
        blocks += SOURCES.iter().map(|(mark, _)| page.matches(mark).count()).sum::<usize>();
        let want = SOURCES.iter().fold(page, |page, source| with_blocks(&page, source));
        faults.extend(check_golden(&path, &want).err());
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(blocks > 0, "no page shows a run");
    println!("{blocks} blocks");
}

/// The page with every block of one source filled anew.
fn with_blocks(page: &str, (mark, fill): &Source) -> String {
    let mut parts = page.split(mark);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(" -->\n```text\n").expect("a block follows");
        let (_, after) = rest.split_once("```\n").expect("the block ends");
        out += &format!("{mark}{name} -->\n```text\n{}```\n{after}", fill(name));
    }
    out
}

#[test]
fn blocks_are_replaced_and_text_between_them_is_kept() {
    let page = "a\n<!-- run: --version -->\n```text\nold\n```\nb\n";
    let version = tgsi(&["--version"]).out;
    let want = format!("a\n<!-- run: --version -->\n```text\n{version}```\nb\n");
    assert_eq!(with_blocks(page, &SOURCES[0]), want);
}
