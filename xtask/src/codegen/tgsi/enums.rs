//! The enumerations.

use std::collections::BTreeMap;
use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use super::super::names::camel_case;
use super::super::output::GeneratedFile;
use super::super::rust::{derives, docs, length, number, serde, token, variant};
use super::super::spec::{SpecError, SpecFile};
use super::super::word::Word;
use super::release::{DIALECTS, NumberSpan, check_spans, in_dialects, numbers_by_dialect};

const SPEC: &str = "tgsi-ir/spec/enums.ron";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[expect(dead_code, reason = "for the reader of the table")]
    source: String,
    enums: Vec<Enum>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Enum {
    name: String,
    doc: String,
    open: Option<String>,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    doc: String,
    text: Option<String>,
    #[serde(default)]
    spellings: Vec<String>,
    numbers: Vec<NumberSpan>,
    coords: Option<u8>,
    compare: Option<u8>,
    vertices: Option<u8>,
    names: Option<String>,
}

impl Row {
    fn variant(&self) -> TokenStream {
        variant(&self.name)
    }

    /// The documentation of its variant.
    fn about(&self) -> String {
        let mut facts = match &self.text {
            Some(text) => format!("Text: `{text}`. "),
            None => String::new(),
        };
        if !self.spellings.is_empty() {
            let old: Vec<String> = self.spellings.iter().map(|one| format!("`{one}`")).collect();
            facts += &format!("Old releases print {}. ", old.join(", "));
        }
        let numbers: Vec<String> = self.numbers.iter().map(NumberSpan::to_string).collect();
        facts += &match numbers.is_empty() {
            true => "It never had a number in a release.".to_owned(),
            false => format!("Number {}.", numbers.join(", ")),
        };
        format!("{}\n\n{facts}", self.doc)
    }
}

impl Enum {
    /// The integer type that holds every number.
    fn number_type(&self) -> TokenStream {
        let wide = self.rows.iter().flat_map(|row| &row.numbers).any(|span| span.0 > 255);
        if wide { quote!(u16) } else { quote!(u8) }
    }

    /// The variant for numbers without a meaning.
    fn open(&self) -> Option<TokenStream> {
        self.open.as_deref().map(token)
    }

    /// The variants of all rows.
    fn variants(&self) -> Vec<TokenStream> {
        self.rows.iter().map(Row::variant).collect()
    }

    /// Whether no dialect has it: only releases between or before them do.
    fn is_historic(&self) -> bool {
        self.rows.iter().all(|row| numbers_by_dialect(&row.numbers) == [None; 3])
    }

    /// Whether every row has a number today.
    fn is_current(&self) -> bool {
        self.rows.iter().all(|row| numbers_by_dialect(&row.numbers)[2].is_some())
    }
}

/// Generates every enumeration.
pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec = SpecFile::<Table>::read(root, SPEC)?;
    spec.table.enums.iter().try_for_each(|item| check(&spec, item))?;
    let items = spec.table.enums.iter().map(enumeration);
    let tokens = quote!(use crate::Dialect; use crate::names::NameTable; #(#items)*);
    Ok(GeneratedFile::rust("tgsi-ir/src/generated/enums.rs", tokens, &[SPEC]))
}

/// The variants of one enumeration of this table, for words of other tables that name them.
pub(super) struct Variants {
    name: String,
    /// The variants, each with its explanation.
    known: BTreeMap<String, String>,
}

impl Variants {
    /// The variants of the enumeration `name`.
    pub(super) fn read(root: &Path, name: &str) -> Result<Self, SpecError> {
        let spec = SpecFile::<Table>::read(root, SPEC)?;
        let rows = spec.table.enums.into_iter().filter(|item| item.name == name);
        let known = rows.flat_map(|item| item.rows).map(|row| (camel_case(&row.name), row.doc));
        Ok(Self { name: name.to_owned(), known: known.collect() })
    }

    /// The explanation of a variant.
    pub(super) fn doc(&self, word: &Word) -> Result<&str, String> {
        let doc = self.known.get(word.as_str()).map(String::as_str);
        doc.ok_or_else(|| format!("{} has no {word:?}", self.name))
    }
}

/// Checks that no number stands for two rows in one dialect, and that each row is documented.
fn check(spec: &SpecFile<Table>, item: &Enum) -> Result<(), SpecError> {
    let mut seen = BTreeMap::new();
    for row in &item.rows {
        check_spans(&row.numbers).map_err(|message| spec.row_error(&row.name, message))?;
        if row.doc.is_empty() {
            return Err(spec.row_error(&row.name, "`doc` is empty"));
        }
        for (dialect, number) in numbers_by_dialect(&row.numbers).into_iter().enumerate() {
            let Some(number) = number else { continue };
            if let Some(other) = seen.insert((dialect, number), &row.name) {
                let message = format!("number {number} is also `{other}` of {}", item.name);
                return Err(spec.row_error(&row.name, message));
            }
        }
    }
    Ok(())
}

fn enumeration(item: &Enum) -> TokenStream {
    let (name, definition) = (token(&item.name), definition(item));
    let mut fns = match item.is_historic() {
        true => vec![historic_fns(item)],
        false => vec![numbers_fn(item), number_fn(item), number_in_fn(item), from_number_fns(item)],
    };
    fns.push(name_fns(item));
    let about =
        "Components of the coordinate, with the layer; `None` where the target is not known.";
    fns.extend(property_fn(item, "coordinates", about, |row| row.coords));
    let about = "Component of the coordinate that holds the depth to compare with, for shadow targets; 4 \
                 is the first component of the second source.";
    fns.extend(property_fn(item, "reference", about, |row| row.compare));
    let about = "Vertices of a geometry shader's input; `None` for primitives it cannot take.";
    fns.extend(property_fn(item, "vertices", about, |row| row.vertices));
    fns.extend(value_names_fns(item));
    quote!(#definition impl #name { #(#fns)* })
}

fn definition(item: &Enum) -> TokenStream {
    let (name, about, derives, serde) = (token(&item.name), docs(&item.doc), derives(), serde());
    let variants = item.variants();
    let abouts = item.rows.iter().map(|row| docs(&row.about()));
    let names = item.rows.iter().map(|row| &row.name);
    let open = item.open().map(|open| {
        let ty = item.number_type();
        quote! {
            /// A number without a meaning, as a token stream held it.
            #[cfg_attr(feature = "serde", serde(rename = "number"))]
            #open(#ty),
        }
    });
    quote! {
        #about
        #derives
        #serde
        pub enum #name {
            #(#abouts #[cfg_attr(feature = "serde", serde(rename = #names))] #variants,)*
            #open
        }
    }
}

fn numbers_fn(item: &Enum) -> TokenStream {
    let (ty, variants) = (item.number_type(), item.variants());
    let numbers = item.rows.iter().map(|row| in_dialects(&row.numbers));
    let open = item.open().map(|open| quote!(Self::#open(number) => [Some(number); 3],));
    quote! {
        /// The number in each dialect.
        const fn numbers(self) -> [Option<#ty>; 3] {
            match self { #(Self::#variants => #numbers,)* #open }
        }
    }
}

fn number_fn(item: &Enum) -> TokenStream {
    let ty = item.number_type();
    if !item.is_current() {
        return quote! {
            /// The number in Mesa 21.2, if it still has one.
            #[inline]
            pub const fn number(self) -> Option<#ty> {
                self.number_in(Dialect::Y2021)
            }
        };
    }
    let arms = item.rows.iter().filter_map(|row| {
        let (name, number) = (row.variant(), number(numbers_by_dialect(&row.numbers)[2]?));
        Some(quote!(Self::#name => #number,))
    });
    let open = item.open().map(|open| quote!(Self::#open(number) => number,));
    quote! {
        /// The number in Mesa 21.2.
        #[inline]
        pub const fn number(self) -> #ty {
            match self { #(#arms)* #open }
        }
    }
}

/// The numbers of an enumeration that no dialect has, in the releases that had it.
fn historic_fns(item: &Enum) -> TokenStream {
    let ty = item.number_type();
    let numbered = item.rows.iter().filter_map(|row| Some((row, row.numbers.last()?.0)));
    let (variants, numbers): (Vec<_>, Vec<_>) =
        numbered.map(|(row, value)| (row.variant(), number(value))).unzip();
    quote! {
        /// The number in the releases that had it.
        pub const fn number(self) -> #ty {
            match self { #(Self::#variants => #numbers,)* }
        }
        /// What a number meant in the releases that had it.
        pub const fn from_number(number: #ty) -> Option<Self> {
            match number { #(#numbers => Some(Self::#variants),)* _ => None }
        }
    }
}

fn number_in_fn(item: &Enum) -> TokenStream {
    let ty = item.number_type();
    quote! {
        /// The number in a dialect, if it has one there.
        #[inline]
        pub const fn number_in(self, dialect: Dialect) -> Option<#ty> {
            self.numbers()[dialect.index()]
        }
    }
}

fn from_number_fns(item: &Enum) -> TokenStream {
    let ty = item.number_type();
    let (result, rest) = match item.open() {
        Some(open) => (quote!(Self), quote!(Self::#open(number))),
        None => (quote!(Option<Self>), quote!(None)),
    };
    let arm = |row: &Row, dialect: usize| {
        let (name, number) = (row.variant(), number(numbers_by_dialect(&row.numbers)[dialect]?));
        Some(match item.open {
            Some(_) => quote!(#number => Self::#name,),
            None => quote!(#number => Some(Self::#name),),
        })
    };
    let dialects = DIALECTS.into_iter().enumerate().map(|(index, dialect)| {
        let name = token(dialect.variant);
        let arms: Vec<_> = item.rows.iter().filter_map(|row| arm(row, index)).collect();
        match arms.as_slice() {
            [] => quote!(Dialect::#name => #rest,),
            arms => quote!(Dialect::#name => match number { #(#arms)* _ => #rest },),
        }
    });
    quote! {
        /// What a number means in Mesa 21.2.
        #[inline]
        pub const fn from_number(number: #ty) -> #result {
            Self::from_number_in(Dialect::Y2021, number)
        }
        /// What a number means in a dialect.
        #[inline]
        pub const fn from_number_in(dialect: Dialect, number: #ty) -> #result {
            match dialect { #(#dialects)* }
        }
    }
}

fn name_fns(item: &Enum) -> TokenStream {
    let named: Vec<_> =
        item.rows.iter().filter_map(|row| Some((row, row.text.as_ref()?))).collect();
    let arms = named.iter().map(|(row, text)| {
        let variant = row.variant();
        quote!(Self::#variant => Some(#text),)
    });
    let has_others = item.open.is_some() || named.len() < item.rows.len();
    let rest = has_others.then(|| quote!(_ => None,));
    let body = match named.as_slice() {
        [] => quote!(None),
        _ => quote!(match self { #(#arms)* #rest }),
    };
    let from_name = (!named.is_empty()).then(|| from_name_fns(item, &named));
    quote! {
        /// The spelling in text; `None` where text has none.
        #[inline]
        pub const fn name(self) -> Option<&'static str> { #body }
        #from_name
    }
}

fn from_name_fns(item: &Enum, named: &[(&Row, &String)]) -> TokenStream {
    let name = token(&item.name);
    let spelled = |&(row, text): &(&Row, &String)| {
        let spellings: Vec<String> = [text].into_iter().chain(&row.spellings).cloned().collect();
        let variant = row.variant();
        spellings.into_iter().map(move |spelling| (spelling, variant.clone()))
    };
    let (spellings, variants): (Vec<_>, Vec<_>) = named.iter().flat_map(spelled).unzip();
    let slots = length((spellings.len() * 4).next_power_of_two());
    quote! {
        /// What a word of text means, in upper or lower case.
        #[inline]
        pub fn from_name(word: &str) -> Option<Self> {
            Self::from_name_bytes(word.as_bytes())
        }
        /// What a word of text means, in upper or lower case.
        #[inline]
        pub fn from_name_bytes(word: &[u8]) -> Option<Self> {
            static NAMES: NameTable<#name, #slots> =
                NameTable::new(&[#((#spellings, #name::#variants)),*]);
            NAMES.find(word)
        }
    }
}

fn property_fn(
    item: &Enum,
    name: &str,
    about: &str,
    value: impl Fn(&Row) -> Option<u8>,
) -> Option<TokenStream> {
    let known: Vec<_> =
        item.rows.iter().filter_map(|row| Some((row.variant(), number(value(row)?)))).collect();
    if known.is_empty() {
        return None;
    }
    let (variants, values): (Vec<_>, Vec<_>) = known.into_iter().unzip();
    let (name, about) = (token(name), docs(about));
    Some(quote! {
        #about
        pub const fn #name(self) -> Option<u8> {
            match self { #(Self::#variants => Some(#values),)* _ => None }
        }
    })
}

/// For properties: spellings of the values, both ways.
fn value_names_fns(item: &Enum) -> Option<TokenStream> {
    let named: Vec<_> =
        item.rows.iter().filter_map(|row| Some((row.variant(), row.names.as_ref()?))).collect();
    if named.is_empty() {
        return None;
    }
    let (variants, names): (Vec<_>, Vec<_>) = named.into_iter().unzip();
    let kinds: Vec<_> = names.iter().map(|names| token(names)).collect();
    let to_text = names.iter().zip(&kinds).map(|(names, kind)| match names.as_str() {
        "Processor" => quote!(#kind::from_number(number).name()),
        _ => quote!(#kind::from_number(number).and_then(#kind::name)),
    });
    Some(quote! {
        /// Whether text writes values of this property as words.
        pub const fn has_named_values(self) -> bool {
            matches!(self, #(Self::#variants)|*)
        }
        /// The word that text writes for a value; `None` where it writes the number.
        pub fn value_name(self, value: u32) -> Option<&'static str> {
            let number = u8::try_from(value).ok()?;
            match self { #(Self::#variants => #to_text,)* _ => None }
        }
        /// The value that a word of text stands for.
        pub fn value_from_name(self, word: &str) -> Option<u32> {
            match self {
                #(Self::#variants => #kinds::from_name(word).map(|value| value.number().into()),)*
                _ => None,
            }
        }
    })
}
