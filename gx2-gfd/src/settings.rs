//! Shader settings in the syntax of `latte-assembler` sources: comments such as `; $SPI_VS_OUT_ID[0].SEMANTIC_0 = 3`.

mod apply;
mod list;

use thiserror::Error;

use crate::registers::RegisterFile;

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The target in upper case: a register, a table, or `MODE`.
    pub name: String,
    /// The element of an array.
    pub index: Option<usize>,
    /// The field or member, in upper case.
    pub member: Option<String>,
    /// The value, without quotes.
    pub value: String,
}

/// Why a setting is rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SettingError {
    /// The target is not of the form `NAME`, `NAME[0]` or `NAME[0].MEMBER`.
    #[error("`{0}` is not the name of a setting")]
    Name(String),
    /// An unknown name.
    #[error("shaders of this stage have no `{0}`")]
    Unknown(String),
    /// An unknown field or member.
    #[error("`{name}` has no `{member}`")]
    Member {
        /// The target.
        name: String,
        /// The member.
        member: String,
    },
    /// The target has members, but none is named.
    #[error("`{0}` is set member by member")]
    NoMember(String),
    /// An array without an index, or an index out of range.
    #[error("`{name}` has elements 0 to {last}")]
    Index {
        /// The target.
        name: String,
        /// The last index.
        last: usize,
    },
    /// A value that cannot be read.
    #[error("`{value}` is not a {wanted}")]
    Value {
        /// The value.
        value: String,
        /// The expected kind of value.
        wanted: &'static str,
    },
    /// A value too large for its field.
    #[error("`{name}` is at most {max}")]
    TooLarge {
        /// The field.
        name: String,
        /// The largest value.
        max: u32,
    },
}

impl Setting {
    /// Reads `name`, as in `SPI_VS_OUT_ID[0].SEMANTIC_0`.
    ///
    /// # Errors
    /// If the name has another form.
    pub fn new(name: &str, value: &str) -> Result<Self, SettingError> {
        let error = || SettingError::Name(name.to_owned());
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
        };
        let len = name.find(['[', '.']).unwrap_or(name.len());
        let (own, mut rest) = name.split_at(len);
        let mut index = None;
        if let Some(inner) = rest.strip_prefix('[') {
            let (number, tail) = inner.split_once(']').ok_or_else(error)?;
            index = Some(number.trim().parse().map_err(|_| error())?);
            rest = tail;
        }
        let member = match rest.strip_prefix('.') {
            Some(member) => Some(member.to_ascii_uppercase()),
            None if rest.is_empty() => None,
            None => return Err(error()),
        };
        if !is_word(own) {
            return Err(error());
        }
        Ok(Self { name: own.to_ascii_uppercase(), index, member, value: value.to_owned() })
    }

    /// The value as a number: decimal (also negative), hexadecimal, or a boolean.
    fn number(&self) -> Result<u32, SettingError> {
        let text = self.value.as_str();
        let number = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None if text.eq_ignore_ascii_case("true") => Some(1),
            None if text.eq_ignore_ascii_case("false") => Some(0),
            None => {
                let signed = text.parse::<i32>().ok().map(i32::cast_unsigned);
                text.parse::<u32>().ok().or(signed)
            }
        };
        number.ok_or_else(|| self.bad("number"))
    }

    fn bad(&self, wanted: &'static str) -> SettingError {
        SettingError::Value { value: self.value.clone(), wanted }
    }

    fn named<T>(
        &self,
        by_name: fn(&str) -> Option<T>,
        by_number: fn(u32) -> T,
        wanted: &'static str,
    ) -> Result<T, SettingError> {
        let found = by_name(&self.value).or_else(|| self.number().ok().map(by_number));
        found.ok_or_else(|| self.bad(wanted))
    }

    fn member(&self) -> Result<&str, SettingError> {
        self.member.as_deref().ok_or_else(|| SettingError::NoMember(self.name.clone()))
    }

    /// Checks that no member is named.
    fn without_member(&self) -> Result<(), SettingError> {
        self.member.as_deref().map_or(Ok(()), |member| Err(self.no_member(member)))
    }

    /// Checks that no member and no index above 0 is given.
    fn single(&self) -> Result<(), SettingError> {
        let is_other = self.index.is_some_and(|index| index > 0);
        if is_other {
            return Err(SettingError::Index { name: self.name.clone(), last: 0 });
        }
        self.without_member()
    }

    fn no_member(&self, member: &str) -> SettingError {
        SettingError::Member { name: self.name.clone(), member: member.to_owned() }
    }

    /// An element of a list, which grows to hold it, up to `max` elements.
    fn element<'l, T>(
        &self,
        list: &'l mut Vec<T>,
        max: usize,
        new: impl Fn(usize) -> T,
    ) -> Result<&'l mut T, SettingError> {
        let error = SettingError::Index { name: self.name.clone(), last: max - 1 };
        let index = self.index.filter(|index| *index < max).ok_or(error.clone())?;
        while list.len() <= index {
            list.push(new(list.len()));
        }
        list.get_mut(index).ok_or(error)
    }

    fn register(&self, registers: &mut dyn RegisterFile) -> Result<(), SettingError> {
        let Some(register) = registers.find_register(&self.name) else {
            return Err(SettingError::Unknown(self.name.clone()));
        };
        let last = register.count - 1;
        let index = match self.index {
            None if register.count == 1 => 0,
            Some(index) if index <= last => index,
            _ => return Err(SettingError::Index { name: self.name.clone(), last }),
        };
        let value = self.number()?;
        let Some(member) = &self.member else {
            registers.set_word(register, index, value);
            return Ok(());
        };
        let field = register.field(member).ok_or_else(|| self.no_member(member))?;
        let word = field.put(registers.word(register, index), value);
        let error = SettingError::TooLarge { name: member.clone(), max: field.max() };
        registers.set_word(register, index, word.ok_or(error)?);
        Ok(())
    }
}
