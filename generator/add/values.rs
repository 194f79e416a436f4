//! Values of arrays in a test.

use cuvec_declare::DType;
use cuvec_declare::declaration::{Argument, Extent, Kind, Name};

use super::declaration::Declaration;
use super::sizes::{dtype_shown, sizes};

/// The values of an argument of this shape.
pub fn random(d: &Declaration, argument: &Argument, shape: &str) -> String {
    let dtypes = d.dtypes_of(argument.dtype);
    if !dtypes.iter().all(|it| it.is_inexact()) {
        let (start, end) = match index_limit(d, argument) {
            Some(limit) => (0, limit),
            None => integers(d, argument, &dtypes),
        };
        return format!("rng.integers({start}, {end}, {shape})");
    }
    let real = format!("rng.standard_normal({shape})");
    match dtypes.iter().filter(|it| it.is_complex()).count() {
        0 => real,
        all if all == dtypes.len() => format!("{real} * (1 + 2j)"),
        _ => {
            let dtype = dtype_shown(d, argument.dtype);
            format!("{real} * (1 + 2j if \"complex\" in {dtype} else 1)")
        }
    }
}

/// From where to where integers are: all of 8 bits, so that a wrong sign and a byte that is too short are seen, and sums do
/// not overflow.
fn integers(d: &Declaration, argument: &Argument, dtypes: &[DType]) -> (i32, String) {
    let has = |is_it: fn(DType) -> bool| dtypes.iter().any(|it| is_it(*it));
    let is_unsigned = |it: DType| it.is_integer() && *it.range().start() == 0;
    let (start, end) = match () {
        () if dtypes.iter().all(|it| it.is_bool()) => (0, 2),
        () if d.is_index(argument) && !is_with_its_like(d, argument) => (0, 10),
        // Sums in float16 stay exact.
        () if has(DType::is_inexact) => (-10, 10),
        () if dtypes.iter().copied().all(is_unsigned) => (0, 256),
        () => (-128, 128),
    };
    let start = if has(is_unsigned) { 0 } else { start };
    (start, end.to_string())
}

/// Checks whether all arrays have its shape, and those read its dtype: then it does not hold
/// indices, or bins.
fn is_with_its_like(d: &Declaration, argument: &Argument) -> bool {
    let mut arguments = d.arguments.iter();
    d.shapes().all(|it| Some(it) == argument.shape())
        && arguments.all(|it| !it.is_array() || !it.is_read() || it.dtype == argument.dtype)
}

/// The least extent that an array of indices may be for: the first ones of other arrays.
fn index_limit(d: &Declaration, argument: &Argument) -> Option<String> {
    let own = argument.shape().filter(|_| d.is_index(argument))?;
    let known = sizes(d);
    let mut limits: Vec<&str> = Vec::new();
    for shape in d.shapes().filter(|it| !it.leading) {
        if let Some(first @ Extent::Name(Name { text: name, .. })) = shape.extents.first()
            && !own.extents.contains(first)
            && !limits.contains(&name.as_str())
            && (known.contains(name) || d.is_number_without_default(name))
        {
            limits.push(name);
        }
    }
    match limits.as_slice() {
        [] => None,
        [one] => Some((*one).to_owned()),
        all => Some(format!("min({})", all.join(", "))),
    }
}

impl Declaration {
    fn is_number_without_default(&self, name: &str) -> bool {
        let is_it =
            |it: &Argument| it.name == name && it.kind == Kind::Number && it.default.is_none();
        self.arguments.iter().any(is_it)
    }
}
