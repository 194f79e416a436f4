//! Messages, and which of several faults is told first.

use std::sync::Arc;

use super::*;
use crate::error::Kind;
use crate::functions::docstring;

/// The call is refused, with this message.
#[track_caller]
fn refused(function: &Function, arrays: &Arrays, scalars: &Scalars, message: &str) {
    match check(function, arrays, scalars) {
        Err(error) if matches!(error.kind(), Kind::Type(_) | Kind::Value(_)) => {
            assert_eq!(error.to_string(), message);
        }
        other => panic!("{other:?}, not {message:?}"),
    }
}

/// a: T, x: T(...), y: inout T(...)
fn axpy() -> Function {
    const ARGUMENTS: &[Argument] = &[
        Argument::scalar("a", T),
        Argument::input("x", T, Shape::ANY),
        Argument::inout("y", T, Shape::ANY),
    ];
    function(ARGUMENTS, None)
}

/// a: T(m, n), x: T(n) -> y: T(m)
fn gemv() -> Function {
    const ARGUMENTS: &[Argument] = &[
        Argument::input("a", T, shape(&[M, N])),
        Argument::input("x", T, shape(&[N])),
        Argument::result("y", T, shape(&[M])),
    ];
    function(ARGUMENTS, None)
}

/// x: T(n) -> T(n-1)
fn differences() -> Function {
    const ARGUMENTS: &[Argument] = &[
        Argument::input("x", T, shape(&[N])),
        Argument::result("", T, shape(&[N_LESS_1])),
    ];
    function(ARGUMENTS, None)
}

/// n: int32 -> counts: float64(n)
fn counts() -> Function {
    const ARGUMENTS: &[Argument] = &[
        Argument::scalar("n", COUNT),
        Argument::result("counts", REAL, shape(&[N])),
    ];
    function(ARGUMENTS, Some(0))
}

fn size(n: i128) -> [Scalar; MAX_ARGUMENTS] {
    let mut scalars = no_scalars();
    scalars[0] = Scalar::integer(n, DType::I32).unwrap();
    scalars
}

#[test]
fn dtypes_are_those_that_are_declared() {
    let mut xy = arrays(&[&[3], &[3]]);
    xy[0].dtype = DType::I32;
    let message = "x has dtype int32, but must have float32 or float64";
    refused(&axpy(), &given(1, &xy), &no_scalars(), message);

    xy[1].dtype = DType::I32;
    refused(&axpy(), &given(1, &xy), &no_scalars(), message);

    const FIXED: &[Argument] = &[Argument::input("x", REAL, Shape::ANY)];
    let message = "x has dtype int32, but must have float64";
    refused(
        &function(FIXED, None),
        &given(0, &xy),
        &no_scalars(),
        message,
    );
}

#[test]
fn a_dtype_that_is_no_choice_is_told_before_one_that_differs() {
    const THREE_ARRAYS: &[Argument] = &[
        Argument::input("x", T, Shape::ANY),
        Argument::input("y", T, Shape::ANY),
        Argument::input("z", T, Shape::ANY),
    ];
    let mut xyz = arrays(&[&[3], &[3], &[3]]);
    xyz[1].dtype = DType::F64;
    let f = function(THREE_ARRAYS, None);
    let message = "x and y must have the same dtype, not float32 and float64";
    refused(&f, &given(0, &xyz), &no_scalars(), message);
    xyz[2].dtype = DType::Bool;
    let message = "z has dtype bool, but must have float32 or float64";
    refused(&f, &given(0, &xyz), &no_scalars(), message);
}

#[test]
fn every_variable_is_one_dtype() {
    const TWO_VARIABLES: &[Argument] = &[
        Argument::input("x", T, Shape::ANY),
        Argument::input("i", U, Shape::ANY),
        Argument::input("j", U, Shape::ANY),
    ];
    let mut xij = arrays(&[&[3], &[3], &[3]]);
    xij[1].dtype = DType::I32;
    let f = function(TWO_VARIABLES, None);
    let message = "j has dtype float32, but must have int32";
    refused(&f, &given(0, &xij), &no_scalars(), message);
    xij[2].dtype = DType::I32;
    assert!(check(&f, &given(0, &xij), &no_scalars()).is_ok());
    xij.swap(1, 2);
    xij[1].dtype = DType::F64;
    let message = "i has dtype float64, but must have int32";
    refused(&f, &given(0, &xij), &no_scalars(), message);
}

#[test]
fn the_variant_follows_from_the_dtypes() {
    let mut xy = arrays(&[&[3], &[3]]);
    let (function, mut dtypes) = (axpy(), Dtypes::default());
    function.dtypes(&given(1, &xy), &mut dtypes).unwrap();
    assert_eq!(dtypes.variant, 0);
    xy[0].dtype = DType::F64;
    xy[1].dtype = DType::F64;
    function.dtypes(&given(1, &xy), &mut dtypes).unwrap();
    assert_eq!(dtypes.variant, 1);
    assert_eq!(dtypes.of(&axpy().spec.arguments[0]), DType::F64);
}

#[test]
fn layouts_come_before_shapes() {
    let mut xy = arrays(&[&[3], &[4]]);
    xy[1].strides = Some([8].into());
    let message = "y is not C-contiguous; pass a copy that is and copy it back into y, or declare the argument `strided`";
    refused(&axpy(), &given(1, &xy), &no_scalars(), message);
    xy[1].strides = None;
    xy[1].address += 2;
    let message = "y is not aligned; pass a copy that is and copy it back into y";
    refused(&axpy(), &given(1, &xy), &no_scalars(), message);
}

#[test]
fn element_wise_arguments_are_not_declared_strided() {
    let mut xy = arrays(&[&[4], &[4]]);
    xy[1].strides = Some([8].into());
    let function = Function::new(Spec {
        loops: true,
        ..axpy().spec
    });
    let message = "y is not C-contiguous; pass a copy that is and copy it back into y";
    refused(&function, &given(1, &xy), &no_scalars(), message);
}

#[test]
fn results_are_not_declared_strided() {
    let mut axy = arrays(&[&[2, 4], &[4], &[2]]);
    axy[2].strides = Some([8].into());
    let message = "out is not C-contiguous; pass an array that is and copy it into out";
    refused(&gemv(), &given(0, &axy), &no_scalars(), message);
    axy[2].strides = None;
    axy[2].address += 2;
    let message = "out is not aligned; pass an array that is and copy it into out";
    refused(&gemv(), &given(0, &axy), &no_scalars(), message);
}

#[test]
fn arrays_of_any_shape_have_the_same() {
    let xy = arrays(&[&[3], &[4]]);
    let message = "x and y must have the same shape, not (3,) and (4,)";
    refused(&axpy(), &given(1, &xy), &no_scalars(), message);
}

#[test]
fn ranks_are_those_that_are_declared() {
    let message = "a must have 2 dimensions (m, n), not shape (3,)";
    let vectors = arrays(&[&[3], &[3]]);
    refused(&gemv(), &given(0, &vectors), &no_scalars(), message);
    let message = "x has shape (4, 1), but n is 4 in a of shape (2, 4)";
    let matrices = arrays(&[&[2, 4], &[4, 1]]);
    refused(&gemv(), &given(0, &matrices), &no_scalars(), message);
}

#[test]
fn dimensions_agree() {
    let ax = arrays(&[&[2, 4], &[3]]);
    let message = "x has shape (3,), but n is 4 in a of shape (2, 4)";
    refused(&gemv(), &given(0, &ax), &no_scalars(), message);
    let axy = arrays(&[&[2, 4], &[4], &[4]]);
    let message = "out has shape (4,), but m is 2 in a of shape (2, 4)";
    refused(&gemv(), &given(0, &axy), &no_scalars(), message);
    let mut out = arrays(&[&[3]]);
    out[0].dtype = DType::F64;
    let message = "out has shape (3,), but n is 64";
    refused(&counts(), &given(1, &out), &size(64), message);
}

#[test]
fn results_are_named_as_the_caller_gives_them() {
    const SEVERAL: &[Argument] = &[
        Argument::input("x", T, shape(&[N])),
        Argument::result("low", T, shape(&[N])),
        Argument::result("", T, shape(&[N])),
        Argument::result("seen", T, shape(&[N])).saved(),
    ];
    let f = function(SEVERAL, None);
    for (place, name) in [(1, "out[0]"), (2, "out[1]"), (3, "seen")] {
        let mut given_arrays = arrays(&[&[4][..]; 4]);
        given_arrays[place] = arrays(&[&[3]])[0].clone();
        let message = format!("{name} has shape (3,), but n is 4 in x of shape (4,)");
        refused(&f, &given(0, &given_arrays), &no_scalars(), &message);
    }
    const ONE: &[Argument] = &[SEVERAL[0], SEVERAL[1], SEVERAL[3]];
    let x_out = arrays(&[&[4], &[3]]);
    let message = "out has shape (3,), but n is 4 in x of shape (4,)";
    refused(
        &function(ONE, None),
        &given(0, &x_out),
        &no_scalars(),
        message,
    );
}

#[test]
fn the_array_that_another_disagrees_with_is_named() {
    const SAME: &[Argument] = &[
        Argument::input("a", T, shape(&[M])),
        Argument::input("x", T, shape(&[N])),
        Argument::input("y", T, shape(&[N])),
    ];
    let axy = arrays(&[&[2], &[4], &[3]]);
    let message = "y has shape (3,), but n is 4 in x of shape (4,)";
    refused(
        &function(SAME, None),
        &given(0, &axy),
        &no_scalars(),
        message,
    );
}

#[test]
fn leading_dimensions_are_the_same() {
    const ROWS: &[Argument] = &[
        Argument::input("x", T, Shape::leading(&[N])),
        Argument::input("y", T, Shape::leading(&[M])),
    ];
    let f = function(ROWS, None);
    let message = "x and y must have the same leading dimensions, not (5, 2) and (2,)";
    let xy = arrays(&[&[5, 2, 4], &[2, 3]]);
    refused(&f, &given(0, &xy), &no_scalars(), message);
    let xy = arrays(&[&[5, 2, 4], &[5, 2, 3]]);
    assert!(check(&f, &given(0, &xy), &no_scalars()).is_ok());
}

#[test]
fn expressions_and_numbers_hold() {
    let xy = arrays(&[&[5], &[4]]);
    assert!(check(&differences(), &given(0, &xy), &no_scalars()).is_ok());
    let xy = arrays(&[&[5], &[3]]);
    let message = "out has shape (3,), but must have (n-1,) = (4,)";
    refused(&differences(), &given(0, &xy), &no_scalars(), message);
    const PAIRS: &[Argument] = &[Argument::input("x", T, shape(&[THREE, N]))];
    let x = arrays(&[&[2, 7]]);
    let message = "x has shape (2, 7), but must have (3, n) = (3, 7)";
    refused(
        &function(PAIRS, None),
        &given(0, &x),
        &no_scalars(),
        message,
    );
}

#[test]
fn sizes_are_not_negative() {
    let none = given(0, &[]);
    refused(&counts(), &none, &size(-1), "n is a size and cannot be -1");
    let empty = arrays(&[&[0]]);
    let message = "the size n-1 of out is negative";
    refused(&differences(), &given(0, &empty), &no_scalars(), message);
}

#[test]
fn results_fit_into_the_address_space() {
    const LARGE: &[Argument] = &[
        Argument::scalar("n", Type::Fixed(DType::I64)),
        Argument::result("y", REAL, shape(&[N, N])),
    ];
    let mut scalars = no_scalars();
    scalars[0] = Scalar::integer(1 << 40, DType::I64).unwrap();
    let message = "an array of shape (1099511627776, 1099511627776) and dtype float64 is larger \
                   than the address space";
    refused(&function(LARGE, Some(0)), &given(0, &[]), &scalars, message);
}

#[test]
fn results_have_the_shapes_that_are_declared() {
    let ax = arrays(&[&[2, 4], &[4]]);
    fn shapes(f: &Function, arrays: &Arrays, scalars: &Scalars) -> Vec<Vec<usize>> {
        check(f, arrays, scalars).unwrap()
    }
    assert_eq!(shapes(&gemv(), &given(0, &ax), &no_scalars()), [[2]]);
    assert_eq!(
        shapes(&differences(), &given(0, &ax[1..]), &no_scalars()),
        [[3]]
    );
    assert_eq!(shapes(&counts(), &given(0, &[]), &size(7)), [[7]]);
    const LIKE: &[Argument] = &[
        Argument::input("x", T, Shape::ANY),
        Argument::result("", T, Shape::ANY),
    ];
    let like = function(LIKE, None);
    let xy = arrays(&[&[2, 4], &[2, 4]]);
    assert_eq!(shapes(&like, &given(0, &xy[..1]), &no_scalars()), [[2, 4]]);
    let none_is_missing = check(&like, &given(0, &xy), &no_scalars()).unwrap();
    assert!(none_is_missing.is_empty());
}

#[test]
fn what_is_written_is_writable_and_apart() {
    let mut xy = arrays(&[&[3], &[3]]);
    xy[1].writable = false;
    xy[1].address = xy[0].address + 8;
    let message = "y is written to, but it is read-only";
    refused(&axpy(), &given(1, &xy), &no_scalars(), message);
    xy[1].writable = true;
    let message = "x and y overlap in memory; pass a copy of one of them";
    refused(&axpy(), &given(1, &xy), &no_scalars(), message);
    xy[0].writable = false;
    xy[0].address -= 8;
    assert!(check(&axpy(), &given(1, &xy), &no_scalars()).is_ok());
}

#[test]
fn arrays_that_are_read_may_be_the_same() {
    const TWO: &[Argument] = &[
        Argument::input("x", T, Shape::ANY),
        Argument::input("y", T, Shape::ANY),
    ];
    let x = arrays(&[&[3]]);
    let both = [x[0].clone(), x[0].clone()];
    assert!(check(&function(TWO, None), &given(0, &both), &no_scalars()).is_ok());
}

#[test]
fn defaults_fit_into_all_dtypes() {
    use cuvec_spec::Number;
    const SOUND: &[Argument] = &[Argument::scalar("a", T).or(Number::Real(0.5))];
    const TOO_LARGE: &[Argument] = &[Argument::scalar("a", T).or(Number::Real(1e300))];
    const NO_INTEGER: &[Argument] = &[Argument::scalar("k", COUNT).or(Number::Real(0.5))];
    let message = |arguments| function(arguments, None).check_defaults();
    assert_eq!(message(SOUND), Ok(()));
    for (arguments, text) in [
        (
            TOO_LARGE,
            "kernels/f.rs: the default a = 1e300 does not fit into float32",
        ),
        (
            NO_INTEGER,
            "kernels/f.rs: the default k = 0.5 does not fit into int32",
        ),
    ] {
        let error = Kind::Unavailable(text.to_owned()).into();
        assert_eq!(message(arguments), Err(error));
    }
}

#[test]
fn names_that_python_or_the_package_has() {
    const IN: &[Argument] = &[Argument::scalar("in", T)];
    const RAW: &[Argument] = &[Argument::scalar("r#in", T)];
    const SOUND: &[Argument] = &[Argument::scalar("torch", T)];
    let message = |name, arguments| {
        let spec = Spec {
            name,
            ..function(arguments, None).spec
        };
        names::check(&spec)
    };
    assert_eq!(message("norm", SOUND), Ok(()));
    for (name, arguments, text) in [
        ("f", IN, "`in` is a keyword of Python"),
        ("f", RAW, "`r#in` is a keyword of Python"),
        ("lambda", SOUND, "`lambda` is a keyword of Python"),
        (
            "torch",
            SOUND,
            "`torch` is a module or a type of the package",
        ),
    ] {
        let text = format!("kernels/f.rs: {text}; choose another name");
        assert_eq!(
            message(name, arguments),
            Err(Kind::Unavailable(text).into())
        );
    }
}

#[test]
fn an_argument_chooses_a_dtype() {
    const ARGUMENTS: &[Argument] = &[
        Argument::input("x", REAL, shape(&[N])),
        Argument::dtype("dtype", 0, &["float32", "float64"]),
        Argument::result("y", T, shape(&[N])),
    ];
    let f = function(ARGUMENTS, None);
    let x = array(4096, DType::F64, &[3]);
    let y = array(1 << 20, DType::F32, &[3]);
    let mut arrays = given(0, std::slice::from_ref(&x));
    for (index, dtype) in [DType::F32, DType::F64].into_iter().enumerate() {
        let mut dtypes = Dtypes::default();
        f.choose_dtype(1, index, &mut dtypes).unwrap();
        f.dtypes(&arrays, &mut dtypes).unwrap();
        let plan = f.plan(&arrays, &no_scalars(), dtypes).unwrap();
        assert_eq!((dtypes.variant, plan.pending[0].dtype), (index, dtype));
    }
    let mut dtypes = Dtypes::default();
    assert_eq!(f.choose_dtype(1, 2, &mut dtypes), None);
    assert_eq!(f.choose_dtype(0, 0, &mut dtypes), None);
    f.choose_dtype(1, 1, &mut dtypes).unwrap();
    arrays[2] = Some(&y);
    let error = f.dtypes(&arrays, &mut dtypes).unwrap_err();
    assert_eq!(
        error.to_string(),
        "out has dtype float32, but must have float64; dtype='float32' chooses float32"
    );
}

#[test]
fn an_optional_array_decides_a_dtype_if_it_is_given() {
    const ARGUMENTS: &[Argument] = &[
        Argument::input("x", REAL, shape(&[N])),
        Argument::input("y", T, shape(&[N])).optional(),
    ];
    let f = function(ARGUMENTS, None);
    let xy = |dtype| [array(4096, DType::F64, &[3]), array(1 << 20, dtype, &[3])];
    let variant = |given_arrays: &[Array]| {
        let mut dtypes = Dtypes::default();
        f.dtypes(&given(0, given_arrays), &mut dtypes).unwrap();
        (dtypes.variant, dtypes.of(&ARGUMENTS[1]))
    };
    assert_eq!(variant(&xy(DType::F64)[..1]), (0, DType::F32));
    assert_eq!(variant(&xy(DType::F32)), (0, DType::F32));
    assert_eq!(variant(&xy(DType::F64)), (1, DType::F64));
}

#[test]
fn optional_arrays_that_are_written_are_checked_if_they_are_given() {
    const ARGUMENTS: &[Argument] = &[
        Argument::input("x", T, shape(&[N])),
        Argument::inout("y", T, shape(&[N])).optional(),
    ];
    let f = function(ARGUMENTS, None);
    let mut xy = arrays(&[&[3], &[3]]);
    assert!(check(&f, &given(0, &xy[..1]), &no_scalars()).is_ok());
    assert!(check(&f, &given(0, &xy), &no_scalars()).is_ok());
    xy[1].address = xy[0].address + 4;
    let message = "x and y overlap in memory; pass a copy of one of them";
    refused(&f, &given(0, &xy), &no_scalars(), message);
    xy[1].writable = false;
    let message = "y is written to, but it is read-only";
    refused(&f, &given(0, &xy), &no_scalars(), message);
}

#[test]
fn no_function_is_called_as_the_results_of_another() {
    const TWO: &[Argument] = &[
        Argument::result("y", T, shape(&[N])),
        Argument::result("z", T, shape(&[N])),
    ];
    let named = |name, arguments| {
        let spec = function(arguments, None).spec;
        Function::new(Spec { name, ..spec })
    };
    let two = named("f", TWO);
    let result = names::check_result_types(&[two, named("g", &[])]);
    assert_eq!(result, Ok(()));
    let taken = [named("f", TWO), named("f_result", &[])];
    let error = names::check_result_types(&taken).unwrap_err().to_string();
    assert_eq!(
        error,
        "kernels/f.rs: `f_result` names the results of another function; choose another name"
    );
}

#[test]
fn results_that_nobody_wants_are_no_new_ones() {
    const ARGUMENTS: &[Argument] = &[
        Argument::input("x", T, shape(&[N])),
        Argument::result("y", T, shape(&[N])),
        Argument::result("s", T, shape(&[N])).saved(),
    ];
    let f = function(ARGUMENTS, None);
    let all = arrays(&[&[3]]);
    let arrays = given(0, &all);
    let mut dtypes = Dtypes::default();
    f.dtypes(&arrays, &mut dtypes).unwrap();
    let plan = f.plan(&arrays, &no_scalars(), dtypes).unwrap();
    assert_eq!([0, 1, 2].map(|it| plan.is_new(it)), [false, true, false]);
    assert_eq!(
        [0, 1, 2].map(|it| plan.is_unsaved(it)),
        [false, false, true]
    );
}

#[test]
fn each_result_has_its_own_expectation() {
    const ARGUMENTS: &[Argument] = &[
        Argument::input("x", T, shape(&[N])),
        Argument::result("y", T, shape(&[N])),
        Argument::result("z", T, shape(&[N])),
    ];
    let f = function(ARGUMENTS, None);
    assert!(Arc::ptr_eq(f.expectation(1), f.expectation(1)));
    assert!(!Arc::ptr_eq(f.expectation(1), f.expectation(2)));
}

#[test]
fn a_function_knows_which_arguments_are_structs() {
    const SMALL: Type = Type::Fixed(DType::Struct(&cuvec_spec::Struct {
        name: "Small",
        size: 4,
        alignment: 4,
        fields: &[],
    }));
    const TAKES: &[Argument] = &[
        Argument::scalar("s", SMALL),
        Argument::input("x", T, shape(&[N])),
        Argument::result("y", T, shape(&[N])),
    ];
    const RETURNS: &[Argument] = &[
        Argument::input("x", T, shape(&[N])),
        Argument::result("y", SMALL, shape(&[N])),
    ];
    let [takes, returns] = [TAKES, RETURNS].map(|it| function(it, None));
    assert!(takes.is_struct(0) && !takes.is_struct(1) && !takes.returns_structs());
    assert!(!returns.is_struct(0) && returns.is_struct(1) && returns.returns_structs());
}

#[test]
fn a_line_of_the_documentation_for_no_argument_is_shown() {
    const X: &[Argument] = &[Argument::input("x", T, shape(&[N]))];
    let spec = function(X, None).spec;
    let doc = "Größe.\n\n    x: it\n    sample: volts\n";
    let error = docstring::read(&Spec { doc, ..spec }).unwrap_err();
    let text = "kernels/f.rs: in the documentation of `f`, `sample` is no argument or result; those are \
                `x`\n        sample: volts\n        ^";
    assert_eq!(error, Kind::Unavailable(text.to_owned()).into(), "{error}");
}
