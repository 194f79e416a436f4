//! Structs, as elements and as arguments.

use core::ffi::c_char;
use std::boxed::Box;
use std::ffi::CString;
use std::vec::Vec;

use cuvec_spec::c::{RowField, RowStruct};
use cuvec_spec::{DType, Field, MAX_RANK};

/// The rows of these structs, which are never freed.
pub(crate) fn rows(structs: &[DType]) -> *const *const RowStruct {
    let structs = structs.iter().filter_map(|it| it.structure());
    let rows = structs.map(|it| -> *const RowStruct {
        let fields: Vec<_> = it.fields.iter().map(field).collect();
        Box::leak(Box::new(RowStruct {
            name: text(it.name),
            size: it.size as u32,
            alignment: it.alignment as u32,
            n_fields: fields.len() as i32,
            fields: fields.leak().as_ptr(),
        }))
    });
    rows.collect::<Vec<_>>().leak().as_ptr()
}

fn field(field: &Field) -> RowField {
    let mut shape = [0; MAX_RANK];
    for (slot, size) in shape.iter_mut().zip(field.shape) {
        *slot = *size as u32;
    }
    let name: *const c_char = text(field.name);
    RowField {
        name,
        dtype: field.dtype.value(),
        offset: field.offset as u32,
        shape,
    }
}

/// A string of C that lives as long as the process.
pub(crate) fn text(text: &str) -> *const c_char {
    CString::new(text).unwrap_or_default().into_raw()
}
