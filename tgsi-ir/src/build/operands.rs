//! Operands by name: temporaries, inputs, outputs, address registers, and their channels.

use crate::{Component, Dst, File, Indirect, Register, Src, Swizzle, WriteMask};

impl Src {
    /// Channel x in every channel.
    #[must_use]
    pub const fn x(self) -> Self {
        self.splat(Component::X)
    }

    /// Channel y in every channel.
    #[must_use]
    pub const fn y(self) -> Self {
        self.splat(Component::Y)
    }

    /// Channel z in every channel.
    #[must_use]
    pub const fn z(self) -> Self {
        self.splat(Component::Z)
    }

    /// Channel w in every channel.
    #[must_use]
    pub const fn w(self) -> Self {
        self.splat(Component::W)
    }

    /// One channel, after the current swizzle, in every channel.
    #[must_use]
    pub const fn splat(self, component: Component) -> Self {
        self.swizzled([component; 4])
    }

    /// Reads channel `components[c]`, after the current swizzle, for channel `c`.
    #[must_use]
    pub const fn swizzled(mut self, components: [Component; 4]) -> Self {
        self.swizzle = Swizzle::new([
            self.swizzle.get(components[0]),
            self.swizzle.get(components[1]),
            self.swizzle.get(components[2]),
            self.swizzle.get(components[3]),
        ]);
        self
    }

    /// The negated value; negating twice gives the value back.
    #[must_use]
    pub const fn negated(mut self) -> Self {
        self.negate = !self.negate;
        self
    }

    /// The absolute value.
    #[must_use]
    pub const fn abs(mut self) -> Self {
        self.absolute = true;
        self.negate = false;
        self
    }
}

impl Dst {
    /// Only the channels of `mask`.
    #[must_use]
    pub const fn masked(mut self, mask: WriteMask) -> Self {
        self.mask = mask;
        self
    }
}

/// Names of a writable register's channels, and conversions to operands.
macro_rules! writable {
    ($name:ident, $file:expr) => {
        impl $name {
            /// The register.
            pub const fn register(self) -> Register {
                Register::new($file, self.0)
            }

            /// The register, as a source.
            pub const fn src(self) -> Src {
                Src::new(self.register())
            }

            /// The channels of `mask`, as a destination.
            pub const fn mask(self, mask: WriteMask) -> Dst {
                Dst::new(self.register()).masked(mask)
            }

            /// Channel x, as a destination.
            pub const fn x(self) -> Dst {
                self.mask(WriteMask::X)
            }

            /// Channel y, as a destination.
            pub const fn y(self) -> Dst {
                self.mask(WriteMask::Y)
            }

            /// Channel z, as a destination.
            pub const fn z(self) -> Dst {
                self.mask(WriteMask::Z)
            }

            /// Channel w, as a destination.
            pub const fn w(self) -> Dst {
                self.mask(WriteMask::W)
            }

            /// Channels x and y, as a destination.
            pub const fn xy(self) -> Dst {
                self.mask(WriteMask::XY)
            }

            /// Channels z and w, as a destination.
            pub const fn zw(self) -> Dst {
                self.mask(WriteMask::ZW)
            }

            /// Channels x, y and z, as a destination.
            pub const fn xyz(self) -> Dst {
                self.mask(WriteMask::XYZ)
            }
        }

        impl From<$name> for Dst {
            fn from(value: $name) -> Self {
                value.mask(WriteMask::XYZW)
            }
        }

        impl From<$name> for Src {
            fn from(value: $name) -> Self {
                value.src()
            }
        }
    };
}

/// A temporary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Temp(pub(super) i16);

/// An output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Output(pub(super) i16);

/// An address register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address(pub(super) i16);

writable!(Temp, File::Temporary);
writable!(Output, File::Output);
writable!(Address, File::Address);

/// An input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Input(pub(super) i16);

impl Input {
    /// The register, as a source.
    pub const fn src(self) -> Src {
        Src::new(Register::new(File::Input, self.0))
    }

    /// The input of one vertex of a primitive or patch.
    pub const fn of_vertex(self, vertex: i16) -> Src {
        Src::new(Register::new_2d(File::Input, vertex, self.0))
    }
}

impl From<Input> for Src {
    fn from(input: Input) -> Self {
        input.src()
    }
}

/// Temporaries that an address register can subscript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TempArray {
    pub(super) first: i16,
    pub(super) len: u16,
    pub(super) id: u16,
}

impl TempArray {
    /// Number of temporaries.
    pub const fn len(self) -> usize {
        self.len as usize
    }

    /// Whether there is none; always false.
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// One of the temporaries; `None` beyond the last.
    pub fn at(self, index: u16) -> Option<Temp> {
        (index < self.len).then(|| Temp(self.first.saturating_add_unsigned(index)))
    }

    /// The temporary that channel `component` of `address` numbers, from 0.
    pub const fn indexed(self, address: Address, component: Component) -> Register {
        let mut register = Register::new(File::Temporary, self.first);
        register.indirect =
            Some(Indirect { file: File::Address, index: address.0, component, array_id: self.id });
        register
    }
}
