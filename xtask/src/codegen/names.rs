//! Table names as Rust identifiers.

/// `RECIP_IEEE` as `RecipIeee`; `2D_ARRAY` as `D2Array`, since no identifier starts with a digit.
pub(crate) fn camel_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for word in name.split(['_', '-', ' ']).filter(|word| !word.is_empty()) {
        let mut chars = word.chars();
        if let Some(first) = chars.next() {
            out.extend(first.to_uppercase());
            out.push_str(&chars.as_str().to_lowercase());
        }
    }
    if out.starts_with(|c: char| c.is_ascii_digit()) {
        let digits: String = out.chars().take_while(char::is_ascii_digit).collect();
        let rest = &out[digits.len()..];
        let (head, tail) = rest.split_at(rest.chars().next().map_or(0, char::len_utf8));
        out = format!("{}{digits}{}", head.to_uppercase(), capitalise(tail));
    }
    out
}

fn capitalise(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::camel_case;

    #[test]
    fn table_names_become_identifiers() {
        assert_eq!(camel_case("RECIP_IEEE"), "RecipIeee");
        assert_eq!(camel_case("2D_ARRAY"), "D2Array");
        assert_eq!(camel_case("2D"), "D2");
        assert_eq!(camel_case("MULADD_IEEE_M2"), "MuladdIeeeM2");
    }
}
