//! The specs that declarations make.

use std::vec::Vec;

use super::spec as spec_of;
use cuvec_spec::{DefaultValue, Number, Role, Shape};

mod everything {
    use crate::prelude::*;

    kernel! {
        /// Does a little of everything.
        ///
        ///     with an example
        everything<T: f32 | complex128, I: i8 | u64>(
            a: T,
            x: &T[m, 2 * n],
            y: &mut I[n, m],
            bins: usize = 10,
            *,
            low: f64 = -1.5,
            flag: bool = true,
        ) -> (z: T[m, n + 1], counts: i64[bins])
        each z[i, j] { a * x[[i, j]] }
        each counts[i] { (i + y[[0, 0]] as usize) as i64 }
    }
}

mod total {
    use crate::prelude::*;

    kernel! {
        total<T: f64>(x: &T[...]) -> T
        fold (x) { start: 0.0, add: |sum, x| sum + x, merge: |a, b| a + b, value: |sum| sum }
    }
}

mod product {
    use crate::prelude::*;

    kernel! {
        product<T: f16 | f32>(a: &T[m, k], b: &T[k, n]) -> c: T[m, n]
        each c[i, j] by tile of [128, 128] {
            let mut sums = tile.zeros();
            sums.add_product(tile, k, a.panel([i, 0]), b.panel([0, j]));
            tile.map(sums, |_index, sum, _| T::from(sum))
        }
    }
}

mod nameless {
    use crate::prelude::*;

    kernel! {
        nameless(x: &f64[n], _unused: i64 = 0) -> (_first: f64, rest: f64[n - 1], _half: f64[n / 2])
        each _first[] { x[0] }
        each rest[i] { x[i + 1] }
        each _half[i] { x[2 * i] }
    }
}

#[test]
fn results_without_names() {
    let spec = spec_of(&nameless::FUNCTION);
    let declared =
        "nameless(x: float64(n), _unused: int64 = 0) -> float64, rest: float64(n-1), float64(n/2)";
    assert_eq!(spec.signature, declared);
    assert_eq!(spec.arguments[1].name, "_unused");
    let names: Vec<_> = spec
        .results()
        .iter()
        .map(|result| (result.name, result.is_number))
        .collect();
    assert_eq!(names, [("", true), ("rest", false), ("", false)]);
}

#[test]
fn signatures_are_in_the_words_of_numpy() {
    assert_eq!(
        everything::FUNCTION.signature,
        "everything<T: float32, complex128, I: int8, uint64>(a: T, x: T(m,2*n), y: inout I(n,m), \
         bins: int64 = 10, *, low: float64 = -1.5, flag: bool = True) -> z: T(m,n+1), counts: int64(bins)"
    );
    assert_eq!(
        total::FUNCTION.signature,
        "total<T: float64>(x: T(...)) -> T"
    );
}

#[test]
fn rows_have_it_all() {
    let spec = spec_of(&everything::FUNCTION);
    assert_eq!((spec.name, spec.file), ("everything", "kernels/it.rs"));
    assert_eq!(
        spec.doc,
        "Does a little of everything.\n\n    with an example"
    );
    let names: Vec<_> = spec
        .arguments
        .iter()
        .map(|argument| argument.name)
        .collect();
    assert_eq!(names, ["a", "x", "y", "bins", "low", "flag", "z", "counts"]);
    let roles: Vec<_> = spec
        .arguments
        .iter()
        .map(|argument| argument.role)
        .collect();
    let (scalar, result) = (Role::Scalar, Role::Result);
    assert_eq!(
        roles,
        [
            scalar,
            Role::In,
            Role::InOut,
            scalar,
            scalar,
            scalar,
            result,
            result
        ]
    );
    let defaults: Vec<_> = spec.arguments[3..6]
        .iter()
        .map(|argument| argument.default.unwrap())
        .collect();
    assert_eq!(
        defaults,
        [Number::Integer(10), Number::Real(-1.5), Number::Integer(1)].map(DefaultValue::Number)
    );
    assert!(!spec.arguments[3].keyword_only && spec.arguments[4].keyword_only);
    let dimensions: Vec<_> = spec
        .dimensions
        .iter()
        .map(|it| (it.name, it.scalar))
        .collect();
    assert_eq!(dimensions, [("m", None), ("n", None), ("bins", Some(3))]);
    let Shape {
        leading: false,
        extents,
    } = spec.arguments[6].shape
    else {
        panic!("extents")
    };
    assert_eq!(extents[1].text(spec.dimensions), "n+1");
    assert_eq!(spec.variants.len(), 4);
    let total = spec_of(&total::FUNCTION);
    let number = &total.arguments[1];
    assert_eq!(
        (number.name, number.is_number, number.shape),
        ("", true, Shape::of(&[]))
    );
    assert_eq!(total.arguments[0].shape, Shape::ANY);
}

#[test]
fn tiles_are_for_gpus_with_such_tensor_cores() {
    let architectures = [&product::FUNCTION, &total::FUNCTION].map(|it| it.architectures);
    assert_eq!(architectures, [Some("80+"), None]);
}
