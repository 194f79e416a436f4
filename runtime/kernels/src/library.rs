//! What `_functions` gets of the functions in Rust: their rows, and the image of their kernels.

use core::ffi::c_char;
use core::{iter, ptr};
use std::ffi::CString;
use std::sync::OnceLock;
use std::vec::Vec;

use cuvec_spec::c::{
    ABI, Kernel, LOOPS, Library, MAX_DTYPES, MAX_NAME, NO_GRAPH, Name, Parameter, Row, RowArgument,
    RowChoice, RowClass, RowDimension, RowExtent, RowNumber, RowTerm, RowVariable,
};
use cuvec_spec::{
    Argument, Class, DefaultValue, Dimension, Extent, Number, Shape, Spec, Term, Variable,
};

use crate::files::{ALL, METHODS, PLANS};
use crate::plan::{Plan, Runs, ZERO, keep_messages};
use crate::structs;

/// The PTX of the kernels, which ends with a zero.
#[cfg(image)]
static IMAGE: &str = concat!(include_str!(env!("KERNELS_IMAGE")), "\0");
#[cfg(not(image))]
static IMAGE: &str = "";

/// The functions in Rust. What they are made of is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn cuvec_rust_functions() -> *const Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(library)
}

fn library() -> Library {
    keep_messages();
    let rows = ALL.iter().map(|spec| ptr::from_ref(leaked_one(row(spec))));
    let rows: &[_] = rows.collect::<Vec<_>>().leak();
    let kernels = kernels();
    let image = match cfg!(image) {
        true => IMAGE.as_ptr().cast(),
        false => ptr::null(),
    };
    Library {
        abi: ABI,
        driver: driver(IMAGE),
        n_functions: rows.len() as i32,
        n_kernels: kernels.len() as i32,
        functions: rows.as_ptr(),
        image,
        kernels: kernels.as_ptr(),
        next: None,
    }
}

/// The version of CUDA whose driver compiles PTX: 6.3 came with CUDA 10.0, and 7.0, for tensor cores, with 11.0.
fn driver(image: &str) -> i32 {
    let is_of = |version| image.lines().any(|line| line == version);
    match (cfg!(image), is_of(".version 7.0")) {
        (false, _) => 0,
        (true, true) => 11000,
        (true, false) => 10000,
    }
}

/// All kernels that the image must have. Those of the declarations learn where they are in the list.
fn kernels() -> &'static [Kernel] {
    let mut kernels = Vec::new();
    let mut declared = Vec::new();
    for (spec, plans) in with_methods() {
        let (function, file) = (text(spec.name), text(spec.file));
        for plan in plans.iter().map(|runs| runs.plan) {
            let parameters = parameters(plan);
            for pass in plan.passes {
                kernels.push(kernel(pass.kernel.name, function, file, parameters));
                declared.push(pass.kernel);
            }
        }
    }
    let parameters = [(0, 8), (8, 8)].map(|(offset, size)| Parameter { offset, size });
    let file = text("runtime/kernels/src/grid/gpu/access.rs");
    kernels.push(kernel(
        ZERO.name,
        text(ZERO.name),
        file,
        parameters.to_vec().leak(),
    ));
    declared.push(&ZERO);
    for (index, kernel) in kernels.iter_mut().enumerate() {
        kernel.index = index as i32;
    }
    let kernels = kernels.leak();
    for (kernel, row) in declared.into_iter().zip(&*kernels) {
        kernel.set(row);
    }
    kernels
}

/// All functions and methods, and how they run.
fn with_methods() -> impl Iterator<Item = (&'static Spec, &'static [Runs])> {
    let functions = ALL.iter().copied().zip(PLANS.iter().copied());
    functions.zip(METHODS).flat_map(|(function, plans)| {
        let class = function.0.class;
        let methods = class.into_iter().flat_map(|class| class.methods);
        iter::once(function).chain(methods.zip(plans.iter().copied()))
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

fn parameters(plan: &Plan) -> &'static [Parameter] {
    let slots = plan.slots.iter();
    let parameters = slots.map(|slot| Parameter {
        offset: slot.start as u32,
        size: slot.bytes as u32,
    });
    parameters.collect::<Vec<_>>().leak()
}

/// The row of a function.
fn row(spec: &Spec) -> Row {
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
        file: text(spec.file),
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
        ..row(spec)
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

pub(crate) fn text(text: &str) -> *const c_char {
    CString::new(text).unwrap_or_default().into_raw()
}

fn leaked_one<T>(value: T) -> &'static T {
    std::boxed::Box::leak(std::boxed::Box::new(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of each parameter of an entry of the image, as `.param .align 8 .b8 x[16]` or `.param .f32 x`.
    fn parameters(name: &str) -> Option<Vec<usize>> {
        let (_, entry) = IMAGE.split_once(&std::format!(".visible .entry {name}("))?;
        let lines = entry.split_once(')')?.0.lines().map(str::trim);
        let size = |line: &str| match line.split_once('[') {
            Some((_, size)) => size.trim_end_matches([']', ',']).parse::<usize>().ok(),
            None => {
                let bits = line
                    .split(' ')
                    .nth(1)?
                    .trim_start_matches(|c: char| !c.is_ascii_digit());
                Some(bits.parse::<usize>().ok()? / 8)
            }
        };
        lines.filter(|line| !line.is_empty()).map(size).collect()
    }

    #[test]
    #[allow(unsafe_code)]
    fn the_image_has_every_kernel_with_these_parameters() {
        // SAFETY: made above.
        let library = unsafe { &*cuvec_rust_functions() };
        // SAFETY: as above.
        for kernel in unsafe { library.kernels() }.iter().filter(|_| cfg!(image)) {
            // SAFETY: as above.
            let ([name, _, file], declared) =
                unsafe { (kernel.names().unwrap(), kernel.parameters()) };
            let bytes = declared.iter().map(|parameter| parameter.size as usize);
            assert_eq!(parameters(name), Some(bytes.collect()), "{file}: {name}");
        }
    }

    #[test]
    #[allow(unsafe_code)]
    fn rows_are_read_as_they_were_declared() {
        // SAFETY: made above.
        let specs = unsafe { (*cuvec_rust_functions()).specs() }.unwrap();
        assert_eq!(specs.len(), ALL.len());
        let methods = |spec: &Spec| spec.class.map_or(&[][..], |class| class.methods);
        let with_methods = |(read, declared)| {
            assert_eq!(methods(read).len(), methods(declared).len());
            iter::once((read, declared)).chain(methods(read).iter().zip(methods(declared)))
        };
        let all = specs.iter().zip(ALL.iter().copied());
        for (read, declared) in all.flat_map(with_methods) {
            assert_eq!(read.file, declared.file);
            assert_eq!(read.name, declared.name);
            assert_eq!(read.signature, declared.signature);
            assert_eq!(read.doc, declared.doc);
            assert_eq!(read.derivative, declared.derivative);
            assert_eq!(read.arguments, declared.arguments);
            assert_eq!(read.dimensions, declared.dimensions);
            assert_eq!(read.variables, declared.variables);
            assert_eq!(read.variants.len(), declared.variants.len());
        }
    }
}
