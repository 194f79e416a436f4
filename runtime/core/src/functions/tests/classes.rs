//! Classes: what their parts are called, and how long an object lives.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use cuvec_spec::Class;

use super::*;
use crate::error::Kind;
use crate::functions::Object;

#[test]
fn names_that_classes_have() {
    unsafe extern "C" fn destroy(_: *mut c_void) {}
    const SELF: &[Argument] = &[Argument::scalar("self", T)];
    let message = |methods: &[(&'static str, &'static [Argument])]| {
        let method = |&(name, arguments)| Spec {
            name,
            ..function(arguments, None).spec
        };
        let methods = methods.iter().map(method).collect::<Vec<_>>().leak();
        names::check(&Spec {
            class: Some(Class { methods, destroy }),
            ..function(&[], None).spec
        })
    };
    assert_eq!(message(&[("C.apply", &[]), ("C.total", &[])]), Ok(()));
    for (methods, text) in [
        (
            &[("C.close", &[][..])][..],
            "`close` is a member of all classes",
        ),
        (&[("C._x", &[])], "`_x` is private, which no method is"),
        (&[("C.f", &[]), ("C.f", &[])], "`f` is a method twice"),
        (&[("C.lambda", &[])], "`lambda` is a keyword of Python"),
        (
            &[("C.f", SELF)],
            "`f` is a method with an argument `self`, as Python calls its object",
        ),
    ] {
        let text = format!("kernels/f.rs: {text}; choose another name");
        assert_eq!(message(methods), Err(Kind::Unavailable(text).into()));
    }
}

static ENDED: AtomicUsize = AtomicUsize::new(0);

/// C(n: int32), whose objects are a number, and C.add() -> int32(n), which adds to it.
fn class() -> Function {
    const SIZE: &[Argument] = &[Argument::scalar("n", COUNT)];
    const SUM: &[Argument] = &[Argument::result(
        "y",
        COUNT,
        Shape::of(&[Extent(&[Term::Dimension(0)])]),
    )];

    unsafe extern "C" fn construct(call: *mut c::Call, _: *const Value) -> c_int {
        // SAFETY: the call of this run.
        unsafe { (*call).object = Box::into_raw(Box::new(0_i32)).cast() };
        0
    }
    unsafe extern "C" fn add(call: *mut c::Call, values: *const Value) -> c_int {
        // SAFETY: the call of this run, its object, and its one result, of some elements.
        unsafe {
            let sum = &mut *(*call).object.cast::<i32>();
            *sum += 1;
            *(*values).data.cast::<i32>() = *sum;
        }
        0
    }
    unsafe extern "C" fn destroy(object: *mut c_void) {
        // SAFETY: what `construct` has made, once.
        drop(unsafe { Box::from_raw(object.cast::<i32>()) });
        ENDED.fetch_add(1, SeqCst);
    }
    let add = Spec {
        name: "C.add",
        dimensions: &[Dimension {
            name: "n",
            scalar: None,
        }],
        ..with_body(SUM, None, add).spec
    };
    Function::new(Spec {
        name: "C",
        dimensions: &[],
        class: Some(Class {
            methods: vec![add].leak(),
            destroy,
        }),
        ..with_body(SIZE, None, construct).spec
    })
}

fn construct(class: &Function, n: i128) -> Arc<Object> {
    let scalars = [Scalar::integer(n, DType::I32).unwrap()];
    let plan = class.plan(&[None], &scalars, Dtypes::default()).unwrap();
    plan.run(&[None], &scalars, None).unwrap();
    plan.made().unwrap()
}

/// The shape that a result is to have, or the message.
fn planned(method: &Function, object: &Arc<Object>) -> Result<Vec<usize>, String> {
    let mut scalars = vec![Scalar::default(); method.scalar_count()];
    let plan = method.plan_on(object, &[None], &mut scalars, Dtypes::default());
    plan.map(|plan| plan.pending[0].shape.clone())
        .map_err(|error| error.to_string())
}

#[test]
fn an_object_knows_the_integers_of_its_constructor_and_ends_once() {
    let class = class();
    let method = &class.methods[0];
    let object = construct(&class, 3);
    assert_eq!(planned(method, &object), Ok(vec![3]));
    let other = construct(&class, 4);
    assert_eq!(planned(method, &other), Ok(vec![4]));
    let negative = [Scalar::integer(-1, DType::I32).unwrap()];
    let refused = class.plan(&[None], &negative, Dtypes::default());
    assert_eq!(
        refused.map(|_| ()).map_err(|error| error.to_string()),
        Err("n is a size and cannot be -1".to_owned())
    );
    let mut scalars = vec![Scalar::default(); method.scalar_count()];
    let plan = method
        .plan_on(&object, &[None], &mut scalars, Dtypes::default())
        .unwrap();
    drop(other);
    assert_eq!(ENDED.load(SeqCst), 1);
    object.finish().unwrap();
    drop(object);
    assert_eq!(ENDED.load(SeqCst), 1); // the plan has it
    let elements = [0_i32; 3];
    let array = array(elements.as_ptr() as usize, DType::I32, &[3]);
    for count in 1..=2 {
        plan.run(&[Some(&array)], &scalars, None).unwrap();
        // SAFETY: the body has written it through the array.
        assert_eq!(unsafe { elements.as_ptr().read_volatile() }, count);
    }
    drop(plan);
    assert_eq!(ENDED.load(SeqCst), 2);
}

#[test]
fn methods_know_the_dimensions_and_the_single_integers_of_a_constructor() {
    const ARGUMENTS: &[Argument] = &[
        Argument::scalar("count", COUNT),
        Argument::scalar("factor", REAL),
        Argument::scalar("any", T),
        Argument::option("how", &["up", "down"]),
        Argument::tuple("pair", COUNT, 2),
        Argument::input("indices", COUNT, shape(&[N])),
    ];
    let known = crate::functions::function::known(&function(ARGUMENTS, None).spec);
    assert_eq!(known, ["m", "n", "count"]);
}

/// D(x: T(n)) with a method D.f(a: T); its objects are nothing.
fn class_of_dtypes() -> Function {
    const X: &[Argument] = &[Argument::input("x", T, Shape::of(&[N]))];
    const A: &[Argument] = &[Argument::scalar("a", T)];

    unsafe extern "C" fn construct(call: *mut c::Call, _: *const Value) -> c_int {
        // SAFETY: the call of this run.
        unsafe { (*call).object = std::ptr::dangling_mut() };
        0
    }
    unsafe extern "C" fn destroy(_: *mut c_void) {}
    let method = Spec {
        name: "D.f",
        ..function(A, None).spec
    };
    Function::new(Spec {
        name: "D",
        class: Some(Class {
            methods: vec![method].leak(),
            destroy,
        }),
        ..with_body(X, None, construct).spec
    })
}

#[test]
fn calls_of_an_object_have_its_dtypes_and_take_turns() {
    let class = class_of_dtypes();
    let method = &class.methods[0];
    assert_eq!(method.class(), "D");
    let x = array(4096, DType::F64, &[3]);
    let arrays = [Some(&x)];
    let mut dtypes = Dtypes::default();
    class.dtypes(&arrays, &mut dtypes).unwrap();
    let plan = class.plan(&arrays, &no_scalars(), dtypes).unwrap();
    plan.run(&arrays, &no_scalars(), None).unwrap();
    let object = plan.made().unwrap();
    assert_eq!((object.dtypes(), object.gpu()), (vec!["float64"], None));

    let mut dtypes = Dtypes::default();
    method.fix_dtypes(&object, &mut dtypes);
    method.dtypes(&[None], &mut dtypes).unwrap();
    assert_eq!(dtypes.of(&method.spec.arguments[0]), DType::F64);
    let mut scalars = vec![Scalar::default(); method.scalar_count()];
    let plan = method.plan_on(&object, &[None], &mut scalars, dtypes);
    let plan = plan.unwrap();
    let turn = plan.turn().unwrap();
    for again in [plan.turn().map(drop), object.finish()] {
        let error = again.unwrap_err().to_string();
        assert!(error.contains("in the middle of a call"), "{error}");
    }
    drop(turn);
    assert_eq!(object.finish(), Ok(()));
}

#[test]
fn methods_find_dimensions_that_their_object_does_not_know() {
    const ONE_LESS: Extent = Extent(&[Term::Dimension(0), Term::Number(1), Term::Subtract]);
    const SIZE: &[Argument] = &[Argument::scalar("n", COUNT)];
    const X: &[Argument] = &[Argument::input("x", COUNT, Shape::of(&[ONE_LESS]))];
    unsafe extern "C" fn destroy(_: *mut c_void) {}
    let method = |dimension| Spec {
        name: "E.f",
        dimensions: vec![Dimension {
            name: dimension,
            scalar: None,
        }]
        .leak(),
        ..function(X, None).spec
    };
    let class = Function::new(Spec {
        name: "E",
        dimensions: &[],
        class: Some(Class {
            methods: vec![method("n"), method("other")].leak(),
            destroy,
        }),
        ..function(SIZE, None).spec
    });
    let found = class.methods.iter().map(|it| it.solved.clone());
    assert_eq!(found.collect::<Vec<_>>(), [vec![], vec![(0, 0)]]);
}
