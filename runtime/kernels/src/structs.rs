//! Structs, as elements and as arguments.

use core::ffi::c_char;
use std::boxed::Box;
use std::ffi::CString;
use std::vec::Vec;

use cuvec_spec::c::{RowField, RowStruct};
use cuvec_spec::{DType, Field, MAX_RANK, MAX_VARIABLES, Struct, Type};

/// Returns a row's value for an argument's dtype, in a function that has these structs so far.
pub(crate) fn value(dtype: Type, structs: &mut Vec<&'static Struct>) -> i16 {
    match dtype {
        Type::Fixed(DType::Struct(structure)) => {
            let known = structs.iter().position(|it| *it == structure);
            let index = known.unwrap_or_else(|| {
                structs.push(structure);
                structs.len() - 1
            });
            DType::STRUCT + index as i16
        }
        Type::Fixed(dtype) => dtype.value(),
        Type::Variable(index) => -1 - index as i16,
        Type::Real(index) => -1 - (MAX_VARIABLES + index) as i16,
    }
}

/// The rows of these structs, which are never freed.
pub(crate) fn rows(structs: Vec<&'static Struct>) -> *const *const RowStruct {
    let row = |it: &'static Struct| -> *const RowStruct {
        let fields: Vec<_> = it.fields.iter().map(field).collect();
        Box::leak(Box::new(RowStruct {
            name: text(it.name),
            size: it.size as u32,
            alignment: it.alignment as u32,
            n_fields: fields.len() as i32,
            fields: fields.leak().as_ptr(),
        }))
    };
    let rows: Vec<*const RowStruct> = structs.into_iter().map(row).collect();
    rows.leak().as_ptr()
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
