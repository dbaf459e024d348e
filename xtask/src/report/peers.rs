//! The table of other compilers' figures for the corpus.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};

use super::Measured;

/// The figures by chip, shader and compiler.
pub(super) type Peers = BTreeMap<(String, String), BTreeMap<String, Measured>>;

/// Reads tab-separated values with a header line.
pub(super) fn parse(text: &str) -> Result<Peers> {
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().context("the table is empty")?.split('\t').collect();
    let mut peers = Peers::new();
    for (number, line) in lines.enumerate() {
        let row: BTreeMap<&str, &str> = head.iter().copied().zip(line.split('\t')).collect();
        let cell = |name: &str| {
            row.get(name).copied().with_context(|| format!("line {}: no {name}", number + 2))
        };
        let count = |name: &str| -> Result<u64> {
            cell(name)?.parse().with_context(|| format!("line {}: {name}", number + 2))
        };
        let measured = Measured {
            instructions: count("instructions")?,
            groups: count("groups")?,
            dwords: count("dwords")?,
            gprs: count("gprs")?,
            // Fractions of a microsecond are noise; one peer was not timed everywhere.
            compile_us: cell("compile_us")?.parse().map_or(0, |us: f64| us.ceil() as u64),
        };
        let key = (cell("chip")?.to_lowercase(), cell("shader")?.to_owned());
        peers.entry(key).or_default().insert(cell("compiler")?.to_owned(), measured);
    }
    Ok(peers)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn rows_are_found_by_chip_shader_and_compiler() {
        let text = "shader\tinstructions\tchip\tcompiler\tgroups\tdwords\tgprs\tcompile_us\n\
                    a\t5\tCEDAR\tone\t7\t90\t3\t11.2\n";
        let peers = parse(text).expect("the table is whole");
        let one = peers[&("cedar".to_owned(), "a".to_owned())]["one"];
        assert_eq!((one.dwords, one.compile_us), (90, 12));
        let error = parse("shader\tchip\na\tCEDAR\n").expect_err("columns are missing");
        assert_eq!(error.to_string(), "line 2: no instructions");
    }
}
