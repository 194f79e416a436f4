//! Names that Python, or the package, has for something else: its stub would be no Python, or the function not be found.

use cuvec_spec::Spec;

use crate::error::{Kind, Result};

const KEYWORDS: &str = "
    False None True and as assert async await break class continue def del elif else except finally for from global if
    import in is lambda nonlocal not or pass raise return try while with yield
";

/// Modules of a package, and types that the stub of its functions uses.
const TAKEN: &str = "bool complex cuvec dask ext float int jax object overload str torch tuple";

/// # Errors
/// `Kind::Unavailable`, which is an error of the build: the stub is written then.
pub fn check(spec: &Spec) -> Result<()> {
    let is_in = |words: &str, name: &str| words.split_ascii_whitespace().any(|word| word == name);
    let refused = |name: &str, what: &str| {
        let file = spec.file;
        Err(Kind::Unavailable(format!("{file}: `{name}` is {what}; choose another name")).into())
    };
    let arguments = spec.arguments.iter().map(|argument| argument.name);
    let mut names = arguments.chain([spec.name]);
    // What Rust writes `r#in` is called so.
    let is_keyword = |name: &&str| is_in(KEYWORDS, name) || name.starts_with("r#");
    if let Some(name) = names.find(is_keyword) {
        return refused(name, "a keyword of Python");
    }
    match is_in(TAKEN, spec.name) {
        true => refused(spec.name, "a module or a type of the package"),
        false => Ok(()),
    }
}
