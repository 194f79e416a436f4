//! Library of the functions in Rust, for `_functions`: rows and kernel images of each file.

use core::ffi::c_char;
use core::{iter, ptr};
use std::sync::OnceLock;
use std::vec::Vec;

pub use cuvec_spec::c::Library;
use cuvec_spec::c::{
    ABI, Functions, Kernel, LOOPS, MAX_DTYPES, MAX_NAME, NO_GRAPH, Name, Parameter, Row,
    RowArgument, RowChoice, RowClass, RowDimension, RowExtent, RowNumber, RowTerm, RowVariable,
};
use cuvec_spec::{
    Argument, Class, DefaultValue, Dimension, Extent, Number, Shape, Spec, Term, Variable,
};

use crate::plan::{Mode, Plan, Runs, ZERO, keep_messages};
use crate::structs::{self, text};

/// A function, or a class by its constructor.
pub struct Declared {
    pub spec: &'static Spec,
    /// How it runs.
    pub plans: &'static [Runs],
    /// How the methods run, if it is a class.
    pub methods: &'static [&'static [Runs]],
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
        functions.sort_by_key(|it| it.spec.name);
        let row = |it: &&Declared| ptr::from_ref(leaked_one(row(it.spec, file.path)));
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
    for (spec, plans) in with_methods(of) {
        let (function, file) = (text(spec.name), text(of.path));
        for plan in plans.iter().map(|runs| runs.plan) {
            let parameters = parameters(plan);
            for pass in plan.passes {
                kernels.push(kernel(pass.kernel.name, function, file, parameters));
                declared.push(pass.kernel);
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

/// The functions and their methods, and how they run.
fn with_methods(of: &File) -> impl Iterator<Item = (&'static Spec, &'static [Runs])> {
    of.functions.iter().flat_map(|it| {
        let methods = it.spec.class.into_iter().flat_map(|class| class.methods);
        iter::once((it.spec, it.plans)).chain(methods.zip(it.methods.iter().copied()))
    })
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

/// Where a kernel has the slots of a plan: a number is one parameter, and an array is its address and what else it has,
/// which `grid/parameter.rs` puts together.
fn parameters(plan: &Plan) -> &'static [Parameter] {
    let mut parameters = Vec::new();
    for slot in plan.slots {
        let mut add = |start, bytes| {
            parameters.push(Parameter {
                offset: start as u32,
                size: bytes as u32,
            });
        };
        if matches!(slot.mode, Mode::scalar | Mode::counter) {
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

/// The row of a function in this file.
fn row(spec: &Spec, file: &str) -> Row {
    let (mut terms, mut choices, mut items) = (Vec::new(), Vec::new(), Vec::new());
    let mut structs = Vec::new();
    let arguments: Vec<_> = spec
        .arguments
        .iter()
        .map(|it| RowArgument {
            dtype: structs::value(it.dtype, &mut structs),
            ..argument(it, &mut terms, &mut choices, &mut items)
        })
        .collect();
    let dimensions: Vec<_> = spec.dimensions.iter().map(dimension).collect();
    let variables: Vec<_> = spec.variables.iter().map(variable).collect();
    Row {
        features: if spec.loops { LOOPS } else { 0 }
            | if spec.allow_cuda_graph { 0 } else { NO_GRAPH },
        n_arguments: arguments.len() as i32,
        n_dimensions: dimensions.len() as i32,
        n_variables: variables.len() as i32,
        n_variants: spec.variants.len() as i32,
        name: text(spec.name),
        signature: text(spec.signature),
        doc: text(spec.doc),
        file: text(file),
        derivative: match spec.derivative {
            "" => ptr::null(),
            derivative => text(derivative),
        },
        arguments: arguments.leak().as_ptr(),
        dimensions: dimensions.leak().as_ptr(),
        variables: variables.leak().as_ptr(),
        terms: terms.leak().as_ptr(),
        variants: spec.variants.as_ptr(),
        choices: choices.leak().as_ptr(),
        items: items.leak().as_ptr(),
        architectures: spec.architectures.map_or(ptr::null(), text),
        constructs: spec.class.as_ref().map_or(ptr::null(), class),
        n_structs: structs.len() as i32,
        structs: structs::rows(structs),
    }
}

/// The row of a class, whose methods have no files of their own.
fn class(class: &Class) -> *const RowClass {
    let methods = class.methods.iter().map(|spec| Row {
        file: ptr::null(),
        ..row(spec, "")
    });
    let methods: Vec<_> = methods.collect();
    leaked_one(RowClass {
        n_methods: methods.len() as i32,
        methods: methods.leak().as_ptr(),
        destroy: class.destroy,
    })
}

fn argument(
    argument: &Argument,
    terms: &mut Vec<RowTerm>,
    choices: &mut Vec<RowChoice>,
    items: &mut Vec<RowNumber>,
) -> RowArgument {
    let first_item = items.len() as i16;
    if let Some(DefaultValue::Items(given)) = argument.default {
        items.extend(given.iter().copied().map(number));
    }
    let first_choice = choices.len() as i16;
    let own = match argument.chooses {
        Some(_) => &[][..], // the dtypes of its variable
        None => argument.choices,
    };
    let all = own.iter();
    choices.extend(all.map(|choice| RowChoice { name: name(choice) }));
    let none = RowExtent { first: 0, count: 0 };
    let mut shape = [none; cuvec_spec::MAX_RANK];
    let Shape { leading, extents } = argument.shape;
    for (slot, extent) in shape.iter_mut().zip(extents) {
        *slot = expression(extent, terms);
    }
    let count = extents.len() as i8;
    RowArgument {
        name: name(argument.name),
        dtype: 0, // as yet
        role: argument.role as i8,
        rank: if leading { -1 - count } else { count },
        keyword_only: argument.keyword_only.into(),
        has_default: argument.default.is_some().into(),
        is_number: argument.is_number.into(),
        shape,
        value: number(match argument.default {
            Some(DefaultValue::Number(number)) => number,
            Some(DefaultValue::Nothing | DefaultValue::Items(_)) | None => Number::Integer(0),
        }),
        at_most: argument.at_most.into(),
        is_optional: argument.is_optional.into(),
        first_choice,
        n_choices: own.len() as i16,
        is_saved: argument.is_saved.into(),
        layout: argument.layout as i8,
        first_item,
        n_items: argument.items as i16,
        chooses: argument.chooses.map_or(0, |variable| 1 + variable as i8),
    }
}

fn number(number: Number) -> RowNumber {
    match number {
        Number::Integer(integer) => RowNumber {
            is_integer: 1,
            integer,
            real: integer as f64,
        },
        Number::Real(real) => RowNumber {
            is_integer: 0,
            integer: 0,
            real,
        },
    }
}

fn expression(extent: &Extent, terms: &mut Vec<RowTerm>) -> RowExtent {
    let first = terms.len() as i16;
    terms.extend(extent.0.iter().map(|term| {
        let (operation, value) = match *term {
            Term::Number(number) => (b'#', number),
            Term::Dimension(index) => (b'd', index as i64),
            Term::Add => (b'+', 0),
            Term::Subtract => (b'-', 0),
            Term::Multiply => (b'*', 0),
            Term::Divide => (b'/', 0),
        };
        RowTerm { operation, value }
    }));
    let count = extent.0.len() as i16;
    RowExtent { first, count }
}

fn dimension(dimension: &Dimension) -> RowDimension {
    RowDimension {
        name: name(dimension.name),
        scalar: dimension.scalar.map_or(-1, |index| index as i8),
    }
}

fn variable(variable: &Variable) -> RowVariable {
    let mut dtypes = [0; MAX_DTYPES];
    for (slot, dtype) in dtypes.iter_mut().zip(variable.dtypes) {
        *slot = dtype.value();
    }
    RowVariable {
        name: name(variable.name),
        count: variable.dtypes.len() as i8,
        dtypes,
    }
}

/// A name, of which a declaration is checked to have fewer letters.
fn name(text: &str) -> Name {
    let mut name = [0; MAX_NAME];
    name[..text.len()].copy_from_slice(text.as_bytes());
    name
}

fn leaked_one<T>(value: T) -> &'static T {
    std::boxed::Box::leak(std::boxed::Box::new(value))
}
