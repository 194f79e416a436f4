//! Rust's view of `cuvec/abi.h` is that of a C compiler.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::mem::offset_of;
use std::path::Path;
use std::process::Command;

use declared::{DType, Value, c};

/// What C calls a number, and what it is in Rust.
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
        cuvec_extent = c::RowExtent { first, count }
        cuvec_term = c::RowTerm { operation, value }
        cuvec_number = c::RowNumber { is_integer, integer, real }
        cuvec_argument = c::RowArgument {
            name, role, dtype, rank, keyword_only, has_default, is_number, shape, value
        }
        cuvec_dimension = c::RowDimension { name, scalar }
        cuvec_variable = c::RowVariable { name, count, dtypes }
        cuvec_value = Value { data, shape, size }
        cuvec_call = c::Call { stream, gpu, scratch, parallel, interrupted, error }
        cuvec_variant = c::Variant { cpu, gpu }
        cuvec_function = c::Row {
            abi, n_arguments, n_dimensions, n_variables, n_variants, name, signature, doc, file,
            arguments, dimensions, variables, terms, variants
        }
    };
    numbers.extend([
        ("CUVEC_ABI", c::ABI as usize),
        ("CUVEC_MAX_ARGUMENTS", declared::MAX_ARGUMENTS),
        ("CUVEC_MAX_DIMENSIONS", declared::MAX_DIMENSIONS),
        ("CUVEC_MAX_VARIABLES", declared::MAX_VARIABLES),
        ("CUVEC_MAX_RANK", declared::MAX_RANK),
        ("CUVEC_DTYPES", DType::ALL.len()),
        ("CUVEC_BOOL", DType::Bool as usize),
        ("CUVEC_INT64", DType::I64 as usize),
        ("CUVEC_FLOAT16", DType::F16 as usize),
        ("CUVEC_COMPLEX128", DType::C128 as usize),
        ("CUVEC_SCALAR", 0),
        ("CUVEC_IN", 1),
        ("CUVEC_INOUT", 2),
        ("CUVEC_OUT", 3),
        ("CUVEC_RESULT", 4),
        ("CUVEC_OK", 0),
        ("CUVEC_TYPE_ERROR", 1),
        ("CUVEC_VALUE_ERROR", 2),
        ("CUVEC_OVERFLOW_ERROR", 3),
        ("CUVEC_MEMORY_ERROR", 4),
        ("CUVEC_RUNTIME_ERROR", 5),
        ("CUVEC_INTERRUPTED", 6),
    ]);
    numbers
}

/// Every number as an assertion of C; the compiler names those that do not hold.
#[test]
fn rows_are_laid_out_as_in_c() {
    let mut source = String::from("#include <cuvec/abi.h>\n");
    for (name, value) in numbers() {
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
