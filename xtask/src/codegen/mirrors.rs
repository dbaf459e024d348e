//! The enumerations that tables are parsed with match those of the product, variant by variant. The generator has its
//! own, since it builds without the product.

use syn::Item;

use super::r600::Generation;
use super::tgsi::DIALECTS;

/// The variants of an enumeration in a source file, in order.
fn variants(path: &str, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(crate::workspace::root().join(path)).unwrap();
    let items = syn::parse_file(&text).unwrap().items;
    let found = items.into_iter().find_map(|item| match item {
        Item::Enum(item) if item.ident == name => Some(item.variants),
        _ => None,
    });
    found.unwrap().iter().map(|variant| variant.ident.to_string()).collect()
}

#[test]
fn generations_are_those_of_the_product() {
    let own = Generation::ALL.map(|generation| format!("{generation:?}"));
    assert_eq!(variants("r600-isa/src/chip.rs", "Generation"), own);
}

#[test]
fn dialects_are_those_of_the_product() {
    let own = DIALECTS.map(|dialect| dialect.variant.to_owned());
    assert_eq!(variants("tgsi-ir/src/dialect.rs", "Dialect"), own);
}
