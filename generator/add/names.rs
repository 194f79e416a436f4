//! Names that mean something else already, in one of the languages that see them.
//!
//! A function may be called as one of C or CUDA, such as `norm`: `CUVEC_EXPORT` asks for the struct of that name.

use cuvec_declare::DType;
pub use cuvec_declare::check::LENGTH;

use crate::answers::keyword;

/// Keywords of Python that have an uppercase letter.
const PYTHON_KEYWORDS: &str = "False None True";

/// Python keywords that Rust does not have.
const PYTHON_ALONE: &str = "
    and assert case class def del elif except finally from global import is lambda lazy nonlocal not or pass raise with
";

/// Python keywords that C++ has, too.
const PYTHON_AND_CPP: &str = "and class not or";

/// Keywords of C++ that are none of Python or Rust, and GNU's.
const CPP: &str = "
    alignas alignof and_eq asm auto bitand bitor bool case catch char char16_t char32_t char8_t class co_await co_return
    co_yield compl concept consteval constexpr constinit const_cast decltype default delete double dynamic_cast explicit
    export float friend goto inline int long mutable namespace new noexcept not_eq nullptr operator or_eq private
    protected public register reinterpret_cast requires short signed sizeof static_assert static_cast switch template
    this thread_local throw typedef typeid typename typeof union unsigned using void volatile wchar_t xor xor_eq
";

/// Types and macros of C and CUDA that do not end in `_t`, and vectors such as `float4` apart.
const TYPES: &str = "
    cl_context_flags cl_context_flags_enum cl_event_flags cl_event_flags_enum cuda cuuint32_t dim3 drand48_data errno
    fd_mask fd_set itimerspec lconv linux math_errhandling nv random_data std timespec timeval timex tm u_char u_int
    u_long u_short uint ulong unix ushort va_list
";

/// Names of the runtime that functions use as they are first written.
const RUNTIME: &str = "
    int64 parallel real_t thread_count thread_index threads_for
    Atom AtMost Call Complex Element Err Failure Float Grid In None Ok Option Out Part Rows Shuffle Some Status Strided Sum Total Tuple View Warp
    blockDim blockIdx gridDim threadIdx warpSize
";

/// Names that they use later: a struct of that name would hide them.
const KERNELS: &str = "
    atomic_add block_sum check_interrupt complex conj for_block for_each parallel_sum shared_memory sum warp_sum
";

/// Types that the macro of kernels in Rust writes, which an enum would hide.
const MACRO: &str = "
    Extents Typed f32 f64 i128 i16 i32 i64 i8 isize lanes row str u128 u16 u32 u64 u8 usize
";

/// Other types of the runtime, with which an enum would be ambiguous; what is no kernel's is in `cuvec::detail`.
const TYPES_OF_RUNTIME: &str = "Buffer CallFailed Contiguous CudaError Edge ExpSum Interrupted KernelCall Methods Place Row RowIn RowOut RowSum Texture2 Texture3 Tile Wrap";

/// Names of every function in C++, and the files that kernels in Rust are compiled with.
const MEMBERS: &str = "cpu doc each functions gpu lib passes prelude row signature";

/// Modules of a package, and names in the stub of its functions.
const MODULES: &str = "cuvec dask ext jax torch object overload str tuple";

/// Names that the module and its tests use.
const PYTHON: &str = "
    expected np numpy pytest request setup_function setup_module teardown_function teardown_module
";

/// Names of other things in tests, and of parts of every function.
const LOCAL: &str = "dtype i leading out rng rtol shape stream body call core crate kernel";

fn is_in(words: &str, name: &str) -> bool {
    words.split_ascii_whitespace().any(|word| word == name)
}

/// Checks whether a dtype that no language has is called this.
fn is_dtype(name: &str) -> bool {
    let of_runtime = |it: &DType| it.is_inexact() && it.cpp() == it.numpy();
    DType::all()
        .filter(of_runtime)
        .any(|it| [it.rust(), it.cpp()].contains(&name))
}

/// Checks whether the runtime has something of this name.
fn is_of_runtime(name: &str) -> bool {
    is_in(RUNTIME, name) || is_dtype(name)
}

/// Why nothing in code may be called this.
fn of_word(name: &str) -> Option<String> {
    if let Some(reason) = keyword(name) {
        return Some(reason);
    }
    if is_in(PYTHON_KEYWORDS, name) {
        return Some(format!("`{name}` is a Python keyword"));
    }
    if is_in(CPP, name) {
        return Some(format!("`{name}` is a C++ keyword"));
    }
    if name.len() > LENGTH {
        return Some(format!("it has more than {LENGTH} letters"));
    }
    let used = [PYTHON, LOCAL].iter().any(|it| is_in(it, name));
    if used
        || is_of_runtime(name)
        || name == "std"
        || name == "cuvec"
        || name.starts_with("dtype_")
        || name.starts_with('_')
    {
        return Some("the code around it uses that name".to_owned());
    }
    None
}

/// Why no size may be called this: those are in no code in C++.
pub fn of_dimension(name: &str) -> Option<String> {
    of_word(name)
}

/// Why no argument, result or dtype variable may be called this.
pub fn of_argument(name: &str) -> Option<String> {
    of_word(name).or_else(|| {
        let uppercase = name.chars().filter(char::is_ascii_uppercase);
        let may_be = uppercase.count() > 1 || is_macro(name);
        may_be.then(|| "macros of C have such names".to_owned())
    })
}

fn is_macro(name: &str) -> bool {
    matches!(name, "errno" | "linux" | "unix" | "math_errhandling")
}

/// Why no option may be called this: in Rust its enum is.
pub fn of_option(name: &str) -> Option<String> {
    is_in(MACRO, name).then(|| "it is a type in Rust".to_owned())
}

/// Why no option may have this choice: in Rust it is an enumerator.
pub fn of_choice(choice: &str) -> Option<String> {
    if choice.len() > LENGTH {
        return Some(format!("it has more than {LENGTH} letters"));
    }
    let is_keyword = keyword(choice).is_some() && !is_in(PYTHON_ALONE, choice);
    (is_keyword || choice == "Self").then(|| format!("`{choice}` is a Rust keyword"))
}

/// Checks whether no enumerator may be called this in C++.
pub fn is_taken_in_cpp(choice: &str) -> bool {
    [CPP, PYTHON_AND_CPP].iter().any(|it| is_in(it, choice)) || may_be_macro(choice)
}

/// Checks whether an enum in C++ would hide something else, or be ambiguous.
pub fn is_type_in_cpp(name: &str) -> bool {
    is_of_runtime(name) || is_in(TYPES_OF_RUNTIME, name) || may_be_macro(name)
}

fn may_be_macro(name: &str) -> bool {
    let uppercase = name.chars().filter(char::is_ascii_uppercase).count();
    uppercase > 1 && !name.contains(|it: char| it.is_ascii_lowercase()) || is_macro(name)
}

pub fn of_struct(name: &str) -> Option<String> {
    if !name.starts_with(|it: char| it.is_ascii_uppercase()) {
        return Some("a struct begins with an uppercase letter".to_owned());
    }
    of_word(name).or_else(|| {
        let is_used = [TYPES_OF_RUNTIME, MACRO, KERNELS]
            .iter()
            .any(|it| is_in(it, name));
        let is_used = is_used || may_be_macro(name);
        is_used.then(|| "the code around it uses that name, or C does".to_owned())
    })
}

pub fn of_function(name: &str) -> Option<String> {
    let letters = |it: char| it.is_ascii_alphanumeric() || it == '_';
    if !name.starts_with(|it: char| it.is_ascii_alphabetic()) || !name.chars().all(letters) {
        return Some("a name has letters, digits and `_`, a letter first".to_owned());
    }
    if name.len() <= LENGTH && name.chars().any(|it| it.is_ascii_uppercase()) {
        let reason = "it has uppercase letters, which some file systems lose; a class is written by hand, \
                      as the README of the runtime says";
        return Some(reason.to_owned());
    }
    if name.starts_with("test") {
        return Some("pytest takes it for a test".to_owned());
    }
    if is_in(MODULES, name) {
        return Some("the package has a module or a type of that name".to_owned());
    }
    of_word(name).or_else(|| {
        let is_type = is_in(TYPES, name)
            || is_vector(name)
            || name.ends_with("_t")
            || name.starts_with("cuvec_");
        if is_type {
            return Some("C, C++ or CUDA have a type or a macro of that name".to_owned());
        }
        let is_used = is_in(MEMBERS, name) || is_in(KERNELS, name);
        is_used.then(|| "the code around it uses that name".to_owned())
    })
}

/// Checks whether CUDA has vectors that are called so: `float4`, `uchar2`, `double4_16a`.
fn is_vector(name: &str) -> bool {
    let name = ["_16a", "_32a"]
        .iter()
        .find_map(|it| name.strip_suffix(it))
        .unwrap_or(name);
    let Some(element) = name.strip_suffix(['1', '2', '3', '4']) else {
        return false;
    };
    let signed = element.strip_prefix('u').unwrap_or(element);
    ["char", "short", "int", "long", "longlong"].contains(&signed)
        || ["float", "double"].contains(&element)
}
