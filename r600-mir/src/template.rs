//! The fields of an instruction other than its operands, which the printer writes and the parser reads.
//!
//! Only fields that differ from the operation's default instruction are printed. Register and select fields have no
//! meaning before allocation but are treated like the others.

mod value;

use r600_isa::{CfFlow, CfMemory, GdsInst, LdsAccess, MemInst, TexInst, VtxInst};

use self::value::Value;

/// An instruction with named fields.
pub(crate) trait Template: Clone {
    /// The default instruction with the same operation and the same fields in front of the operands.
    fn plain(&self) -> Self;

    /// Visits each field whose value may differ from the default.
    fn visit(&mut self, visitor: &mut impl Visitor);
}

/// A visitor that reads or changes fields.
pub(crate) trait Visitor {
    /// Visits the field of this name.
    fn field(&mut self, name: &'static str, value: &mut impl Value);
}

/// The fields of `template` that differ from the default, with their values.
pub(crate) fn properties(template: &impl Template) -> Vec<(&'static str, String)> {
    let texts = |mut template| {
        let mut all = Texts(Vec::new());
        Template::visit(&mut template, &mut all);
        all.0
    };
    let (own, plain) = (texts(template.clone()), texts(template.plain()));
    own.into_iter().zip(plain).filter(|(own, plain)| own != plain).map(|(own, _)| own).collect()
}

/// The result of setting a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// The field is set.
    Done,
    /// No field has this name.
    Unknown,
    /// The field has no such value.
    NoValue,
}

/// Sets the field `name` to the value that `text` describes.
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

/// The fields of an instruction: the named ones and those in front of the operands. Every field must be listed, so a
/// new one cannot be forgotten.
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
