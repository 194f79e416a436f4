//! Library of the functions in Rust, for `_functions`: rows and kernel images of each file.

use core::ffi::c_char;
use core::{iter, ptr};
use std::string::String;
use std::sync::OnceLock;
use std::vec::Vec;

pub use cuvec_spec::c::Library;
use cuvec_spec::c::{ABI, EACH, Functions, Kernel, Parameter, Row, RowClass, RowField, RowStruct};
use cuvec_spec::{DType, Field, MAX_RANK};

use crate::pipeline::{self, Pipeline, Runs, ZERO, keep_messages};

/// A function, a method, or a class by its constructor.
pub struct Declared {
    /// `Class.method`, of a method.
    pub name: &'static str,
    /// In the notation of NumPy.
    pub signature: &'static str,
    /// Its comments, with the blanks that they begin with.
    pub doc: &'static [&'static str],
    /// Empty if it declares none.
    pub derivative: &'static str,
    /// Those that its code is for, if not for all.
    pub architectures: Option<&'static str>,
    /// True if its body is one of elements.
    pub is_each: bool,
    /// Those that the signature names.
    pub structs: &'static [DType],
    /// How it runs, for each choice of dtypes.
    pub runs: &'static [Runs],
    /// Methods, of a class.
    pub methods: &'static [&'static Self],
}

/// Declarations of a file.
pub struct File {
    /// Where it is in the package.
    pub path: &'static str,
    pub functions: &'static [&'static Declared],
    /// The PTX of its kernels, which ends with a zero; none in a build for the CPU alone.
    pub image: Option<&'static str>,
    /// The library of the next file.
    pub next: Option<Functions>,
}

/// The library of one of the package's files. What it is made of is never freed.
#[must_use]
pub fn library(files: &'static [File], index: usize) -> &'static Library {
    static LIBRARIES: OnceLock<Vec<Library>> = OnceLock::new();
    &LIBRARIES.get_or_init(|| libraries(files))[index]
}

fn libraries(files: &'static [File]) -> Vec<Library> {
    keep_messages();
    let mut count = 0;
    let library = |file: &File| {
        let mut functions = file.functions.to_vec();
        functions.sort_by_key(|it| it.name);
        let row = |it: &&Declared| ptr::from_ref(leaked_one(it.row(text(file.path))));
        let rows: &[_] = functions.iter().map(row).collect::<Vec<_>>().leak();
        let kernels = kernels(file, count);
        count += kernels.len();
        Library {
            abi: ABI,
            driver: file.image.map_or(0, driver),
            n_functions: rows.len() as i32,
            n_kernels: kernels.len() as i32,
            functions: rows.as_ptr(),
            image: file
                .image
                .map_or(ptr::null(), |image| image.as_ptr().cast()),
            kernels: kernels.as_ptr(),
            next: file.next,
        }
    };
    files.iter().map(library).collect()
}

/// The version of CUDA whose driver compiles PTX: 6.3 came with CUDA 10.0, and 7.0, for tensor cores, with 11.0.
fn driver(image: &str) -> i32 {
    match image.lines().any(|line| line == ".version 7.0") {
        true => 11000,
        false => 10000,
    }
}

/// All kernels that the image of a file must have, behind the `count` kernels before. The kernels of the declarations learn
/// where they are in the list.
fn kernels(of: &File, count: usize) -> &'static [Kernel] {
    let mut kernels = Vec::new();
    let mut declared = Vec::new();
    let methods = |it: &&'static Declared| it.methods.iter().copied();
    let with_methods = |it: &&'static Declared| iter::once(*it).chain(methods(it));
    for declared_one in of.functions.iter().flat_map(with_methods) {
        let (function, file) = (text(declared_one.name), text(of.path));
        for pipeline in declared_one.runs.iter().map(|runs| runs.pipeline) {
            for pass in pipeline.passes {
                for (place, one) in pass.kernels.iter().enumerate() {
                    let walk = pass.walk_before(place, pipeline.slots);
                    kernels.push(kernel(one.name, function, file, parameters(pipeline, walk)));
                    declared.push(one);
                }
            }
        }
    }
    if count == 0 {
        // All images have it.
        let parameters = [(0, 8), (8, 8)].map(|(offset, size)| Parameter { offset, size });
        let file = text("runtime/kernels/src/grid/gpu/access.rs");
        kernels.push(kernel(
            ZERO.name,
            text(ZERO.name),
            file,
            parameters.to_vec().leak(),
        ));
        declared.push(&ZERO);
    }
    for (index, kernel) in kernels.iter_mut().enumerate() {
        kernel.index = (count + index) as i32;
    }
    let kernels = kernels.leak();
    for (kernel, row) in declared.into_iter().zip(&*kernels) {
        kernel.set(row);
    }
    kernels
}

fn kernel(
    name: &str,
    function: *const c_char,
    file: *const c_char,
    parameters: &'static [Parameter],
) -> Kernel {
    Kernel {
        name: text(name),
        function,
        file,
        index: 0, // as yet
        n_parameters: parameters.len() as i32,
        parameters: parameters.as_ptr(),
    }
}

/// Where a kernel has the slots of a pipeline: a number is one parameter, and an array is its address and what else it has,
/// which `grid/parameter.rs` puts together. A walk of so many bytes is before them.
fn parameters(pipeline: &Pipeline, walk: usize) -> &'static [Parameter] {
    let mut parameters = Vec::new();
    if walk > 0 {
        parameters.push(Parameter {
            offset: 0,
            size: walk as u32,
        });
    }
    for slot in pipeline.slots {
        let mut add = |start, bytes| {
            parameters.push(Parameter {
                offset: (walk + start) as u32,
                size: bytes as u32,
            });
        };
        if !slot.mode.is_array() {
            add(slot.start, slot.bytes);
            continue;
        }
        let address = size_of::<usize>();
        add(slot.start, address);
        if slot.bytes > address {
            add(slot.start + address, slot.bytes - address);
        }
    }
    parameters.leak()
}

impl Declared {
    /// Its row, in this file; null for a method.
    #[must_use]
    pub fn row(&self, file: *const c_char) -> Row {
        let variants: Vec<_> = self.runs.iter().map(|it| it.variant).collect();
        Row {
            features: if self.is_each { EACH } else { 0 },
            n_variants: variants.len() as i32,
            n_structs: self.structs.len() as i32,
            name: text(self.name),
            signature: text(self.signature),
            doc: text(&self.docstring()),
            file,
            derivative: match self.derivative {
                "" => ptr::null(),
                derivative => text(derivative),
            },
            architectures: self.architectures.map_or(ptr::null(), text),
            variants: variants.leak().as_ptr(),
            structs: struct_rows(self.structs),
            constructs: match self.methods {
                [] => ptr::null(),
                methods => class(methods),
            },
        }
    }

    /// The comments without the blank that each line begins with.
    fn docstring(&self) -> String {
        let written = self.doc.join("\n");
        let lines = written.lines().map(|it| it.strip_prefix(' ').unwrap_or(it));
        lines.collect::<Vec<_>>().join("\n")
    }
}

fn class(methods: &[&Declared]) -> *const RowClass {
    let methods: Vec<_> = methods.iter().map(|it| it.row(ptr::null())).collect();
    leaked_one(RowClass {
        n_methods: methods.len() as i32,
        methods: methods.leak().as_ptr(),
        destroy: pipeline::destroy,
    })
}

fn leaked_one<T>(value: T) -> &'static T {
    std::boxed::Box::leak(std::boxed::Box::new(value))
}

/// The rows of these structs, which are never freed.
fn struct_rows(structs: &[DType]) -> *const *const RowStruct {
    let structs = structs.iter().filter_map(|it| it.structure());
    let rows = structs.map(|it| -> *const RowStruct {
        let fields: Vec<_> = it.fields.iter().map(field).collect();
        leaked_one(RowStruct {
            name: text(it.name),
            size: it.size as u32,
            alignment: it.alignment as u32,
            n_fields: fields.len() as i32,
            fields: fields.leak().as_ptr(),
        })
    });
    rows.collect::<Vec<_>>().leak().as_ptr()
}

fn field(field: &Field) -> RowField {
    let mut shape = [0; MAX_RANK];
    for (slot, size) in shape.iter_mut().zip(field.shape) {
        *slot = *size as u32;
    }
    RowField {
        name: text(field.name),
        dtype: field.dtype.value(),
        offset: field.offset as u32,
        shape,
    }
}

/// A string of C that lives as long as the process.
pub(crate) fn text(text: &str) -> *const c_char {
    std::ffi::CString::new(text).unwrap_or_default().into_raw()
}
