//! Rust's view of `cuvec/abi.h` is the same as a C compiler's.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::mem::offset_of;
use std::path::Path;
use std::process::Command;

use cuvec_spec::{DType, Problem, Status, Value, c};

/// Name of a number in C, and its value in Rust.
type Number = (&'static str, usize);

macro_rules! layout {
    ($($c:ident = $rust:ty { $($member:ident),* })*) => {
        vec![$(
            (concat!("sizeof(", stringify!($c), ")"), size_of::<$rust>()),
            $((
                concat!("offsetof(", stringify!($c), ", ", stringify!($member), ")"),
                offset_of!($rust, $member),
            ),)*
        )*]
    };
}

fn numbers() -> Vec<Number> {
    let mut numbers: Vec<Number> = layout! {
        cuvec_value = Value { data, shape, strides, size, count }
        cuvec_parameter = c::Parameter { offset, size }
        cuvec_kernel = c::Kernel { name, function, file, index, n_parameters, parameters }
        cuvec_launch = c::Launch { kernel, blocks, threads, shared, bytes, parameters }
        cuvec_report = c::Report {
            state, problem, line, length, left, right, text, function
        }
        cuvec_report_slot = c::ReportSlot { report, taken, printed, prints }
        cuvec_print = c::Print { state, length, kinds, values, text }
        cuvec_call = c::Call {
            stream, report, gpu, scratch, parallel, interrupted, launch, error, object,
            allocate, release, keep, adds_to, run, walk
        }
        cuvec_operand = c::Operand { value, dtype, rank, is_writable }
        cuvec_variant = c::Variant { cpu, gpu, lanes }
        cuvec_walk = c::Walk { rank, packs, counts, threads, tiles, width, height, is_packed }
        cuvec_function = c::Row {
            features, n_variants, n_structs, name, signature, doc, file, derivative, architectures,
            variants, structs, constructs
        }
        cuvec_field = c::RowField { name, dtype, offset, shape }
        cuvec_struct = c::RowStruct { name, size, alignment, n_fields, fields }
        cuvec_class = c::RowClass { n_methods, methods, destroy }
        cuvec_library = c::Library {
            abi, driver, n_functions, n_kernels, functions, image, kernels, next
        }
    };
    numbers.extend([
        ("CUVEC_ABI", c::ABI as usize),
        ("CUVEC_PRINTS", cuvec_spec::print::PRINTS),
        ("CUVEC_MAX_ARGUMENTS", cuvec_spec::MAX_ARGUMENTS),
        ("CUVEC_MAX_VARIABLES", cuvec_spec::MAX_VARIABLES),
        ("CUVEC_MAX_RANK", cuvec_spec::MAX_RANK),
        ("CUVEC_MAX_ERROR", c::MAX_ERROR),
        ("CUVEC_EACH", c::EACH as usize),
        ("CUVEC_NO_GRAPH", c::NO_GRAPH as usize),
        ("CUVEC_SCALAR", 0),
        ("CUVEC_IN", 1),
        ("CUVEC_INOUT", 2),
        ("CUVEC_OUT", 3),
        ("CUVEC_RESULT", 4),
        ("CUVEC_NO_ELEMENT", Problem::NoElement as usize),
        ("CUVEC_LENGTHS", Problem::Lengths as usize),
        ("CUVEC_PANIC", Problem::Panic as usize),
        ("CUVEC_FAR", Problem::Far as usize),
        ("CUVEC_FAILED", Problem::Failed as usize),
        ("CUVEC_FAILED_WITH", Problem::FailedWith as usize),
        ("CUVEC_MESSAGE", Problem::Message as usize),
        ("CUVEC_OK", 0),
        ("CUVEC_TYPE_ERROR", Status::Type.code() as usize),
        ("CUVEC_VALUE_ERROR", Status::Value.code() as usize),
        ("CUVEC_OVERFLOW_ERROR", Status::Overflow.code() as usize),
        ("CUVEC_MEMORY_ERROR", Status::Memory.code() as usize),
        ("CUVEC_RUNTIME_ERROR", Status::Runtime.code() as usize),
        ("CUVEC_INTERRUPTED", Status::Interrupted.code() as usize),
    ]);
    numbers
}

/// The dtypes by the names that C has for them.
fn dtypes() -> impl Iterator<Item = (String, usize)> {
    DType::ALL.into_iter().map(|dtype| {
        (
            format!("CUVEC_{}", dtype.name().to_uppercase()),
            dtype.value() as usize,
        )
    })
}

/// Every number as an assertion of C; the compiler names those that do not hold.
#[test]
fn rows_are_laid_out_as_in_c() {
    let mut source = String::from("#include <cuvec/abi.h>\n");
    let numbers = numbers().into_iter();
    let numbers = numbers.map(|(name, value)| (name.to_owned(), value));
    for (name, value) in numbers.chain(dtypes()) {
        writeln!(
            source,
            "_Static_assert({name} == {value}, \"in Rust it is {value}\");"
        )
        .unwrap();
    }
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../include");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("layout.c");
    fs::write(&file, source).unwrap();
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let output = Command::new(compiler)
        .args(["-std=c11", "-fsyntax-only", "-I"])
        .args([&include, &file])
        .output()
        .expect("a C compiler is needed, which CC names");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}
