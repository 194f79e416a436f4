//! The sizes, and the names of dtypes, in the test of a function.

use cuvec_declare::declaration::{Argument, Shape, Type};

use super::declaration::Declaration;

/// Sizes that axes have in tests: none is another's, and the last is more than a block of threads has.
const SIZES: [[i64; 8]; 3] = [
    [2, 3, 4, 5, 6, 7, 8, 9],
    [7, 5, 3, 2, 4, 6, 3, 2],
    [33, 40, 21, 5, 4, 3, 2, 6],
];

/// Size of the first axis of results that the function finds, in one more test: on a GPU several
/// blocks find something at once there, and a reference that compares all pairs still takes a
/// second at most.
const FOUND: i64 = 3_000;

/// Value in tests of the first scalar that is a size, if it has no default.
const SIZE: i64 = 5;

/// Returns the name of a variable's dtype in the test.
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
    rows_with(d, &scalars(d))
}

fn rows_with(d: &Declaration, scalars: &[(&str, i64)]) -> Vec<Vec<i64>> {
    let names = sizes(d);
    let fits = |row: &Vec<i64>| {
        let size = |name: &str| {
            let place = names.iter().position(|it| it == name);
            place.map_or_else(|| value(scalars, name), |place| row[place])
        };
        let mut extents = d.shapes().flat_map(|it| &it.extents);
        extents.all(|it| it.value(&size).is_some())
    };
    let rows = SIZES
        .iter()
        .map(|row| (0..names.len()).map(|it| row[it % row.len()]).collect());
    let mut rows: Vec<_> = rows.filter(fits).collect();
    if let (Some(place), Some(first)) = (place_of_found(d, &names), rows.first()) {
        let mut more = first.clone();
        more[place] = FOUND;
        rows.extend(Some(more).filter(fits));
    }
    rows
}

/// The first size of what the function finds, among these names.
fn place_of_found(d: &Declaration, names: &[String]) -> Option<usize> {
    let mut found = d.shapes().filter(|it| it.at_most);
    let mut sizes = found.next()?.extents.first()?.names().into_iter();
    sizes.find_map(|it| names.iter().position(|name| name == it))
}

/// The scalars that are sizes, and what they are in tests: their defaults, and others than one another, so that two that
/// are swapped are seen, if all extents are sizes then.
pub fn scalars(d: &Declaration) -> Vec<(&str, i64)> {
    let sizes: Vec<_> = d.arguments.iter().filter(|it| d.is_size(it)).collect();
    let default = |it: &Argument| Some(it.default.as_ref()?.number()?.text.parse().unwrap_or(-1));
    let with = |value: &dyn Fn(usize) -> i64| -> Vec<_> {
        let value = |place: usize| default(sizes[place]).unwrap_or_else(|| value(place));
        let all = 0..sizes.len();
        all.map(|place| (&*sizes[place].name, value(place)))
            .collect()
    };
    let last = SIZE + sizes.len() as i64 - 1;
    let different = [
        with(&|place| SIZE + place as i64),
        with(&|place| last - place as i64),
    ];
    let mut fitting = different.into_iter();
    let fitting = fitting.find(|it| !rows_with(d, it).is_empty());
    fitting.unwrap_or_else(|| with(&|_| SIZE))
}

fn value(scalars: &[(&str, i64)], name: &str) -> i64 {
    let scalar = scalars.iter().find(|it| it.0 == name);
    scalar.map_or(SIZE, |it| it.1)
}

/// A shape with the first sizes that there are.
pub fn first_shape(d: &Declaration, shape: &Shape) -> String {
    let (names, scalars, rows) = (sizes(d), scalars(d), rows(d));
    let size = |name: &str| match names.iter().position(|it| it == name) {
        Some(place) => rows[0][place],
        None => value(&scalars, name),
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
