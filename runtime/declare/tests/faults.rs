//! Faults of declarations. A declaration is followed by the fault, with a mark under its place.

use cuvec_declare::literal::INTEGERS;
use cuvec_declare::read::{Known, head, structure, whole};
use cuvec_declare::{Declaration, Fault, check};

/// Compares each fault with its problem and its hint, or with parts of them.
fn compare(faults: &str, known: &Known, read: impl Fn(&str) -> Result<Declaration, Fault>) {
    let lines: Vec<_> = faults.lines().collect();
    for pair in lines.chunks(2) {
        let [text, told] = pair else {
            panic!("{pair:?}")
        };
        let read = read(text).and_then(|it| check(&it, known, &INTEGERS));
        let Err(fault) = read else {
            panic!("no fault: {text}")
        };
        let (mark, parts) = told.split_once("^ ").unwrap();
        let said = format!("{}; {}", fault.problem, fault.hint);
        assert_eq!(fault.at, mark.len(), "{text}: {said}");
        assert!(
            parts.split('…').all(|it| said.contains(it)),
            "{text}: {said}"
        );
    }
}

#[test]
fn in_cuda_cpp() {
    let known = Known {
        is_cpp: true,
        ..Known::default()
    };
    compare(IN_CPP, &known, |text| whole(text, &known));
}

#[test]
fn of_structs() {
    let structs: Vec<_> = structure("Pair(a: float32, b: float64(2))")
        .into_iter()
        .collect();
    let known = Known {
        structs: &structs,
        is_cpp: true,
        ..Known::default()
    };
    compare(OF_STRUCTS, &known, |text| whole(text, &known));
}

#[test]
fn in_rust() {
    let known = Known {
        other_structs: true,
        ..Known::default()
    };
    compare(IN_RUST, &known, |text| Ok(head(text, &known)?.0));
}

const IN_CPP: &str = "\
f
 ^ it ends where `(` is expected
f(x: int8(n),)
             ^ `)` where the name of an argument is expected
f(x: &float32[n])
     ^ `&` where a dtype is expected
f<T: int8 | int16>(x: inout T(n))
          ^ `|` where `,` or `>` is expected
f(x: inout int8(n), a: {'b '})
                         ^ a text with a blank
f(x: inout int8(n)) and more
                    ^ unexpected `a`
f(x: int8(n)) ->
                ^ it ends where a result is expected
f(out: inout int8(n))
  ^ `out` cannot be an argument: functions have it by themselves
f(x: inout int8(n), stream: int8)
                    ^ `stream` cannot be an argument: functions have it by themselves
f(x: inout float23(n))
           ^ `float23` is not a dtype; there is none of 23 bits; float dtypes are `float16`, `float32`, `float64`
f(x: int8(n)) -> y: int8(m)
                         ^ `m` is not a dimension of any argument
f(x: inout int8(n), a: {'1d'})
                         ^ `1` where a text of letters, digits and `_` is expected
f(x: int8(n)) -> y: int8(n) rows
                            ^ a result is `strided` or `rows`, which arguments may be
f(x: int8(n)) -> real(int8)(n)
                      ^ `real` is of a dtype variable
f<T: right>(x: inout T(n))
     ^ `right` is not a dtype
f(x: inout flaot64(n))
           ^ `flaot64` is not a dtype; did you mean `float64`?
f(x: inout half(n))
           ^ `half` is not a dtype; did you mean `float16`?
f(x: inout double(n))
           ^ `double` is not a dtype; did you mean `float64`?
f(x: inout f32(n))
           ^ `f32` is not a dtype; did you mean `float32`?
f(x: inout bfloat(n))
           ^ `bfloat` is not a dtype; did you mean `bfloat16`?
f(x: inout Float32(n))
           ^ `Float32` is not a dtype; did you mean `float32`?
f(x: inout K(n))
           ^ `K` is not a dtype; a variable is declared before the arguments: `<K: float32, float64>(`
f(x: inout Particle(n))
           ^ `Particle` is not a dtype; a struct is declared with CUVEC_STRUCT, in the file or in what it includes
f(x: inout particle(n))
           ^ `particle` is not a dtype; … `float8_e8m0fnu`; a struct is declared with CUVEC_STRUCT, in the file or in what it includes
f(x: inout text(n))
           ^ `text` is not a dtype; an option is one of several texts: `mode: {'a', 'b'} = 'a'`
f<T: flaot64, float32>(x: inout T(n))
     ^ `flaot64` is not a dtype
f<T: float32, flaot64, float16>(x: inout T(n))
              ^ `flaot64` is not a dtype
f<T: float32, flaot64>(x: inout T(n))
              ^ `flaot64` is not a dtype
f<T: float32, flaot64, U: int32>(x: inout T(n))
              ^ `flaot64` is not a dtype
f<flaot64, float32>(x: inout T(n))
  ^ `flaot64` is not a dtype; did you mean `float64`?
f<T: half>(x: inout T(n))
     ^ `half` is not a dtype
f(x: int8(n), x: inout int8(n))
              ^ `x` is there twice
f<D: int8>(x: int8(n), d: D = int16) -> D(n)
                              ^ `int16` is not a dtype of `D`
f<D: int8>(x: D(n), d: D = int8) -> D(n)
                    ^ `d` chooses `D`, which an array or another argument decides
f(x: inout int8(n), a: float64 = 1/0)
                                  ^ this cannot be calculated
f(x: inout int8(n), a: float64 = 1 + sqrt(-2))
                                     ^ this cannot be calculated
f(x: inout int8(n), a: float64 = 2*4**0.5)
                                    ^ this cannot be calculated
f<D: int8>(x: inout int8(n), d: dtype(int8))
                                      ^ `dtype` is of a dtype variable
f<D: int8>(x: D(n), d: dtype(D)) -> D(n)
                    ^ `d` chooses `D`, which an array or another argument decides
f<T: int8>(y: T(n), x: real(T)(n)) -> T(n)
                       ^ `real` is the dtype of results alone
f(x: int8(at most n))
          ^ `at most` is of results
f(x: int8(n)) -> int8(at most k)
                              ^ `k` is not a dimension of any argument";

const OF_STRUCTS: &str = "\
f(x: inout int8(n), a: Pair = 0)
                    ^ `a` is a struct, which has no default
f(x: inout int8(n), a: Pair[2])
                    ^ `a` is a tuple of `Pair`, which is a struct
f(x: int8(n)) -> Pair
                 ^ a result that is a struct has a shape
f(n: Pair) -> int8(n)
                   ^ `n` is a size and no integer";

const IN_RUST: &str = "\
f(x: &f64[n]) -> y: f64[m]
                        ^ `m` is not a dimension of any argument
f(x: &f80[n]) -> y: f64[n]
      ^ `f80` is not a dtype
f(x: &char[n]) -> y: f64[n]
      ^ `char` is not a dtype
f(x: &f64[n], k: &f64[n % 2]) -> y: f64[n]
                        ^ `%` where `,` or `]` is expected
f(a: f64 = 1.0, b: f64, x: &f64[n]) -> y: f64[n]
                ^ `b` has no default and follows `a`, which has one
f(out: &f64[n]) -> y: f64[n]
  ^ `out` cannot be an argument: functions have it by themselves
f(x: &f64[n]) -> y: f64[...]
                 ^ the result has any shape, and no argument has one to take it from
f(x: &i64[at most n]) -> y: i64[3]
          ^ `at most` is of results
f<T: f32 | complex64>(x: &T[n], z: &real(T)[n]) -> y: T[n]
                                    ^ `real` is the dtype of results alone
f<T: f32 | complex64>(x: &T[n], a: real(T)) -> y: T[n]
                                   ^ `real` is the dtype of results alone
f(x: &f64[n]) -> index: i64[at most k]
                                    ^ `k` is not a dimension of any argument
f(x: &f64[n]) -> (y: saved f64[n])
                  ^ a saved result is behind those that are not, and has a name and a shape
f<T: f32 | f64>(a: T, x: &f64[n]) -> y: f64[n]
  ^ `T` is the dtype of no array that every call has
f<T: f32 | f64>(a: Option<&T[n]>, x: &f64[n]) -> y: T[n]
  ^ `T` is the dtype of no array that every call has
f(x: &f64[n], a: Option<&f64[m]>) -> y: f64[m]
                             ^ `m` is a dimension of optional arrays alone
f(x: &f64[n], a: {left, right} = middle) -> y: f64[n]
                                 ^ `middle` is none of the choices
f<D: f32 | f16>(x: &f32[n], *, dtype: D = f64) -> y: D[n]
                                          ^ `f64` is not a dtype of `D`
f(x: &f32[n], a: f32 = f32) -> y: f32[n]
                       ^ here a number is expected
f(x: &f32[n], a: dtype(f32)) -> y: f32[n]
                       ^ `dtype` is of a dtype variable
f(x: &f64[n], a: f64 = sqrt(-2.0)) -> y: f64[n]
                       ^ this cannot be calculated
f(x: &f64[n], a: f64 = pow(10.0, 400)) -> y: f64[n]
                       ^ this cannot be calculated
f<D: f32 | f16>(x: &D[n], *, dtype: D = f16) -> y: D[n]
                             ^ `dtype` chooses `D`, which an array or another argument decides
f(x: &f64[n], a: [f64; 3] = [1, 2]) -> y: f64[n]
                            ^ 2 items, and the tuple has 3
f(x: &f64[n], a: [usize; 2]) -> y: f64[n]
                  ^ the items of a tuple have a dtype";
