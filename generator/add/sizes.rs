//! The sizes, and the names of dtypes, in the test of a function.

use super::declaration::{Declaration, Shape, Type};

/// Sizes that axes have in tests: none is another's, and the last is more than a block of threads has.
const SIZES: [[i64; 8]; 3] = [
    [2, 3, 4, 5, 6, 7, 8, 9],
    [7, 5, 3, 2, 4, 6, 3, 2],
    [33, 40, 21, 5, 4, 3, 2, 6],
];

/// What a number is in tests, if it has no default.
pub const SIZE: i64 = 5;

/// What the test calls the dtype of a variable.
pub fn dtype_of(d: &Declaration, number: usize) -> String {
    match d.variables.len() {
        1 => "dtype".to_owned(),
        _ => format!("dtype_{}", d.variables[number].name.to_lowercase()),
    }
}

/// A dtype in the code of the test.
pub fn dtype_shown(d: &Declaration, dtype: Type) -> String {
    match dtype {
        Type::Fixed(dtype) => format!("\"{}\"", dtype.numpy()),
        Type::Variable(number) | Type::Real(number) => dtype_of(d, number),
        Type::Struct(number) => d.structs[number].name.clone(),
    }
}

/// Sizes that arrays give, not numbers.
pub fn sizes(d: &Declaration) -> Vec<String> {
    let numbers = |name: &str| d.arguments.iter().any(|it| it.name == name);
    let names = d.dimensions().into_iter().filter(|it| !numbers(it));
    names.map(str::to_owned).collect()
}

/// Values of them with which all extents are sizes.
pub fn rows(d: &Declaration) -> Vec<Vec<i64>> {
    let names = sizes(d);
    let fits = |row: &Vec<i64>| {
        let size = |name: &str| {
            let place = names.iter().position(|it| it == name);
            place.map_or_else(|| number(d, name), |place| row[place])
        };
        let mut extents = d.shapes().flat_map(|it| &it.extents);
        extents.all(|it| it.value(&size).is_some())
    };
    let rows = SIZES
        .iter()
        .map(|row| (0..names.len()).map(|it| row[it % row.len()]).collect());
    rows.filter(fits).collect()
}

/// The number that a size is in tests.
fn number(d: &Declaration, name: &str) -> i64 {
    let argument = d.arguments.iter().find(|it| it.name == name);
    let default = argument.and_then(|it| it.default.as_ref()?.number());
    default.map_or(SIZE, |it| it.text.parse().unwrap_or(-1))
}

/// A shape with the first sizes that there are.
pub fn first_shape(d: &Declaration, shape: &Shape) -> String {
    let (names, rows) = (sizes(d), rows(d));
    let size = |name: &str| match names.iter().position(|it| it == name) {
        Some(place) => rows[0][place],
        None => number(d, name),
    };
    let leading = if shape.leading { "2, 3, " } else { "" };
    let extents = shape.extents.iter().filter_map(|it| it.value(&size));
    let extents: String = extents.map(|it| format!("{it}, ")).collect();
    match (
        leading.len() + extents.len(),
        format!("({leading}{extents}"),
    ) {
        (0, _) => "()".to_owned(),
        (_, all) if all.matches(',').count() == 1 => format!("{})", all.trim_end()),
        (_, all) => format!("{})", all.trim_end_matches(", ")),
    }
}
