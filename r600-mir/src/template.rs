//! What instructions that operations carry say besides their operands, field by field: the printer writes it, and the
//! parser reads it.
//!
//! An instruction prints the fields in which it differs from the plainest one of its operation. Those of registers
//! and selects mean nothing before allocation, but are fields like others.

mod value;

use r600_isa::{CfFlow, CfMemory, GdsInst, LdsAccess, MemInst, TexInst, VtxInst};

use self::value::Value;

/// An instruction whose fields have names.
pub(crate) trait Template: Clone {
    /// The one that has the same operation, the same of what is written before operands, and nothing else.
    fn plain(&self) -> Self;

    /// Shows each field that `plain` may lack.
    fn visit(&mut self, visitor: &mut impl Visitor);
}

/// Something that looks at fields, or changes them.
pub(crate) trait Visitor {
    /// Meets the field of this name.
    fn field(&mut self, name: &'static str, value: &mut impl Value);
}

/// The fields in which `template` is not plain, with their values.
pub(crate) fn properties(template: &impl Template) -> Vec<(&'static str, String)> {
    let texts = |mut template| {
        let mut all = Texts(Vec::new());
        Template::visit(&mut template, &mut all);
        all.0
    };
    let (own, plain) = (texts(template.clone()), texts(template.plain()));
    own.into_iter().zip(plain).filter(|(own, plain)| own != plain).map(|(own, _)| own).collect()
}

/// What came of setting a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// It is set.
    Done,
    /// There is none of the name.
    Unknown,
    /// It has no such value.
    NoValue,
}

/// Sets the field `name` to the value that `text` says.
pub(crate) fn set(template: &mut impl Template, name: &str, text: &str) -> Setting {
    let mut setter = Setter { name, text, came_to: Setting::Unknown };
    template.visit(&mut setter);
    setter.came_to
}

struct Texts(Vec<(&'static str, String)>);

impl Visitor for Texts {
    fn field(&mut self, name: &'static str, value: &mut impl Value) {
        self.0.push((name, value.text()));
    }
}

struct Setter<'a> {
    name: &'a str,
    text: &'a str,
    came_to: Setting,
}

impl Visitor for Setter<'_> {
    fn field(&mut self, name: &'static str, value: &mut impl Value) {
        if name == self.name {
            self.came_to = match Value::read(self.text) {
                Some(read) => {
                    *value = read;
                    Setting::Done
                }
                None => Setting::NoValue,
            };
        }
    }
}

/// The fields of an instruction: those that go by their names, and those that stand before operands. Each has to be
/// among them, so that none is forgotten that is added later.
macro_rules! template {
    ($type:ident: $plain:expr, besides { $($written:ident),* }, { $($field:ident),* $(,)? }) => {
        impl Template for $type {
            fn plain(&self) -> Self {
                let plain: fn(&Self) -> Self = $plain;
                plain(self)
            }

            fn visit(&mut self, visitor: &mut impl Visitor) {
                let Self { $($written: _,)* $($field),* } = self;
                $(visitor.field(stringify!($field), $field);)*
            }
        }
    };
}

template!(TexInst: |tex| Self::sample(tex.op, tex.resource_id, tex.sampler_id),
    besides { op, resource_id, sampler_id },
    {
        component, resource_index, sampler_index, offset, lod_bias, coord_type, src_gpr, src_rel, src_sel, dst_gpr,
        dst_rel, dst_sel, whole_quad, bc_frac_mode, alt_const,
    }
);

template!(VtxInst: |vtx| Self { op: vtx.op, ..Self::buffer_fetch(vtx.buffer_id) },
    besides { op, buffer_id },
    {
        buffer_index, use_const_fields, fetch_type, mega_fetch_count, mega_fetch, offset, data_format, num_format,
        signed, no_zero, endian_swap, no_stride, alt_const, whole_quad, src_gpr, src_rel, src_sel, second_sel,
        structured_read, lds_req, coalesced_read, dst_gpr, dst_rel, dst_sel,
    }
);

template!(MemInst: |mem| Self { array_base: mem.array_base, ..Self::new(mem.op) },
    besides { op, array_base },
    {
        elem_size, whole_quad, uncached, indexed, request_size, src_gpr, src_rel, src_sel, second_sel, burst, lds_req,
        coalesced_read, dst_gpr, dst_rel, dst_sel, data_format, num_format, signed, no_zero, array_size, endian_swap,
        mega_fetch,
    }
);

template!(GdsInst: |gds| Self::new(gds.op), besides { op },
    {
        src_gpr, src_rel, src_sel, second_gpr, dst_gpr, dst_rel, dst_sel, uav_id, uav_index, alloc_consume, broadcast,
    }
);

template!(CfMemory: |memory| Self::new(memory.op, 0), besides { op },
    {
        access, kind, gpr, relative, index_gpr, elem_size, array_size, comp_mask, elem_loop, burst, valid_pixel_mode,
        whole_quad_mode, mark, end_of_program, barrier,
    }
);

template!(CfFlow: |flow| Self::new(flow.op), besides { op },
    { target, pop_count, count, jump_table, modes, end_of_program, barrier }
);

template!(LdsAccess: |access| Self { op: access.op, offset: 0 }, besides { op }, { offset });
