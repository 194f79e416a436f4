//! Names that mean something else already, in one of the languages that see them.

use crate::answers::keyword;

/// Keywords of C++ that are none of Python or Rust.
const CPP: &str = "
    alignas alignof asm auto bool case catch char class compl concept constexpr const_cast decltype default delete
    double dynamic_cast explicit export float friend goto inline int long mutable namespace new noexcept nullptr
    operator or_eq private protected public register reinterpret_cast requires short signed sizeof static_assert
    static_cast switch template this thread_local throw typedef typeid typename union unsigned using void volatile
    wchar_t xor xor_eq
";

/// Functions of C's library, and names of the runtime: a struct would hide or be hidden by them.
const TAKEN: &str = "
    abs acos asin atan atan2 atoi cbrt ceil cos cosh div erf exp exp2 expm1 fabs floor fmax fmin fmod free gamma hypot
    index j0 j1 jn labs ldexp lgamma log log10 log1p log2 logb main malloc memcpy memset modf nan pow printf qsort
    rand remainder rint round signal sin sinh sqrt tan tanh tgamma time trunc y0 y1 yn
    atomic_add block_sum check_interrupt complex complex128 complex64 conj for_block for_each int64 parallel
    parallel_sum shared_memory sum thread_count thread_index threads_for warp_sum
";

/// What the module and its tests use.
const PYTHON: &str = "cuvec ext expected np numpy pytest";

/// What tests call other things, and every function has.
const LOCAL: &str = "dtype got i it out rng shape stream wanted call T std core crate kernel";

fn is_in(words: &str, name: &str) -> bool {
    words.split_ascii_whitespace().any(|word| word == name)
}

/// Why no argument may be called this.
pub fn of_argument(name: &str) -> Option<String> {
    if let Some(reason) = keyword(name) {
        return Some(reason);
    }
    if is_in(CPP, name) {
        return Some(format!("`{name}` is a C++ keyword"));
    }
    let used = is_in(PYTHON, name) || is_in(LOCAL, name) || name.starts_with("dtype_");
    if used || name.starts_with('_') {
        return Some("the code around it uses that name".to_owned());
    }
    None
}

/// Why no function may be called this.
pub fn of_function(name: &str) -> Option<String> {
    let letters = |it: char| it.is_ascii_alphanumeric() || it == '_';
    if !name.starts_with(|it: char| it.is_ascii_alphabetic()) || !name.chars().all(letters) {
        return Some("a name has letters, digits and `_`, a letter first".to_owned());
    }
    if name.len() > 31 {
        return Some("it has more than 31 letters".to_owned());
    }
    if name.chars().any(|it| it.is_ascii_uppercase()) {
        return Some("it has uppercase letters, which some file systems lose".to_owned());
    }
    if is_in(TAKEN, name) || matches!(name, "lib" | "functions") {
        return Some("the libraries that kernels are compiled with have that name".to_owned());
    }
    of_argument(name)
}
