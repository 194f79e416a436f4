"""A wrong declaration of a kernel in Rust is an error when building, and names the file and the fault."""

import json
import re
import shutil
from pathlib import Path

import pytest
from generator import scaffold, unpack
from shell import run

pytestmark = pytest.mark.night

GOOD = "wrong<T: f32 | f64>(x: &T[n], *, by: T = 1.0) -> y: T[n]\n    each y[i] { by * x[i] }"

# Declarations in `kernels/wrong.rs`, each followed by the compiler's message. `runtime/declare/tests/faults.rs` has more, which
# `kernel!` tells in the same way.
WRONG = r"""
# another name
right(x: &f64[n]) -> y: f64[n] each y[i] { x[i] }
! kernels/wrong.rs must declare a function of that name
functions! { wrong } pub mod wrong { use crate::prelude::*; kernel! { right(x: &f64[n]) -> y: f64[n] each y[i] { x[i]
    } } }
! must declare a function of that name
# a module that is not there
functions! { wrong, absent }
! absent
wrong(x: &f64[n]) -> y: f64[m] each y[i] { x[i] }
! `m` is not a dimension of any argument
wrong(x: &f64[n], k: &f64[n % 2]) -> y: f64[n] each y[i] { x[i] }
! whose sizes are made of names, whole numbers, + - * / and parentheses
wrong(x: &f64[n]) -> (y: f64[n], z: f64[n]) each y[i] { x[i] }
! no pass writes the result `z`
wrong(x: &f64[n]) -> y: f64[n] scratch s: f64[n]; each y[i] { s[i] + x[i] }
! no pass writes the scratch memory `s`
wrong(x: &f64[n]) each x[i] { 1.0 }
! a pass cannot write to an argument that is declared with `&`
wrong(x: &f64[n], y: &mut f64[...]) { *y = x }
! a body of one expression is for arrays of one shape
wrong(x: &f64[n]) -> y: f64[n] each y[i] { y[i] = x[i]; }
! cannot be read or assigned to in the body that makes its elements
wrong(x: &f64[n]) -> y: f64[n] { each y[i] { x[i] } }
! passes are not in braces: `… each y[i] { … }`
# another type than the result's
wrong(x: &f64[n]) -> y: f32[n] each y[i] { x[i] }
! expected `f32`, found `f64`
# too few indices
wrong(x: &f64[m, n]) -> y: f64[n] each y[i] { x[i] }
! `usize` is not an index of an array of 2 dimensions
wrong(x: &f64[n], a: f64) -> y: f64[n] where a > 0.0, "a must be positive" each y[i] { a * x[i] }
! conditions are written as in `where n > 1,
wrong(x: &f64[n]) -> y: f64[n] architectures "90a"; each y[i] { x[i] }
! a function for some alone is written in CUDA C++, NAME.cu
wrong(x: &f64[n]) -> y: f64[n] scratch s: f64; each s[i] { x[i] } each y[i] { s[i] }
! scratch memory is written as in `scratch rows: f64[h, w],
wrong(x: &f64[n], bins: usize) -> y: f64[n] shared s: u32[bins, 2]; each y[i] { x[i] }
! shared memory is written as in `shared counts: u32[bins];`
# a collective inside of another
wrong(x: &f64[n]) -> y: f64[n] each y[i] by warp { warp.sum_of(n, |j| x[j] + warp.sum_of(n, |k| x[k])) }
! cannot borrow `*warp` as mutable, as it is a captured variable in a `Fn` closure
# what one thread of a team knows
wrong(x: &f64[n]) -> y: f64[n] each y[i] by block { let s = core::cell::Cell::new(0.0); block.sum_of(n, |j|
    s.replace(x[j])) }
! `Cell<f64>` cannot be shared between threads safely
# a barrier in the code for one thread
wrong(x: &f64[n]) -> y: f64[n] block over x { block.each_index(n, |i| { block.wait(); y.add(i, x[i]) }) }
! cannot borrow `*block` as mutable, as it is a captured variable in a `Fn` closure
# which block this is
wrong(x: &f64[n]) -> y: f64[n] block over x { y.add(block.block(), 1.0) }
! no method named `block` found
# shared memory that others write
wrong(x: &f64[n]) -> y: f64[n] shared s: f64[n]; block over x { y.add(0, s.get(0)) }
! no method named `get` found
# shared memory that one thread fills
wrong(x: &f64[n]) -> y: f64[n] shared s: f64[32]; each y[i] by block of [32] { block.own(|_| { s.fill(block, |_| 1.0);
    s[0] }) }
! cannot borrow `s` as mutable, as it is a captured variable in a `Fn` closure
# shared memory that is read while it is filled
wrong(x: &f64[n]) -> y: f64[n] shared s: f64[32]; each y[i] by block of [32] { s.fill(block, |at| s[at] + 1.0);
    block.own(|[at]| s[at]) }
! as mutable because it is also borrowed as immutable
# a barrier where only some threads come by
wrong(x: &f64[n]) -> y: f64[n] each y[i] by block of [32] { let mine = block.own(|[at]| x[i + at]); if mine > 0.0 {
    mine } else { mine } }
! binary operation `>` cannot be applied to type `Own<f64, 32>`
# a collective of the threads in the code for one
wrong(x: &f64[n]) -> y: f64[n] each y[i] by block of [32] { let mine = block.own(|[at]| x[i + at]); block.own(|_|
    mine.reduce(block, |a, b| a + b)) }
! as it is a captured variable in a `Fn` closure
# a block of two dimensions for an array of one
wrong(x: &f64[n]) -> y: f64[n] each y[i] by block of [8, 8] { block.own(|_| 0.0) }
! expected an array with a size of 1, found one with a size of 2
wrong(x: &f32[m, n]) -> (y: f32[m, n], z: f32[m, n]) each (y[i, j], z[i, j]) by tile of [128, 128] {
    tile.map(tile.zeros(), |_, sum, _| sum) }
! `by tile of` writes one array: `each c[i, j] by tile of [128, 128] { … }`
wrong(x: &f64[n, n]) -> (y: f64[n, n], z: f64[n, n]) each (y[i, j], z[j, i]) by block of [8, 8] { (block.own(|_| 0.0),
    block.own(|_| 1.0)) }
! the indices of all that a pass writes are the same
# values of threads for one of two arrays
wrong(x: &f64[n]) -> (y: f64[n], z: f64[n]) each (y[i], z[i]) by block of [32] { block.own(|[at]| x[i + at]) }
! expected `(Own<f64, 32>, Own<f64, 32>)`, found `Own<f64, 32>`
# a collective in a collective of threads
wrong(x: &f64[n]) -> y: f64[n] each y[i] by block of [32] { let s = block.sum_of(n, |_| block.sum_of(n, |j| x[j]));
    block.own(|_| s) }
! cannot borrow `*block` as mutable, as it is a captured variable in a `Fn` closure
wrong(x: &f64[n]) -> y: f64[n] each y[i] by block of [100] { block.own(|_| 0.0) }
! a block has 32, 64 and so on to 1024 threads
wrong(x: &f32[n]) -> y: f32[n] each y[i] by tile of [128] { tile.map(tile.zeros(), |_, sum, _| sum) }
! a tile has rows and columns, as in `each c[i, j] by tile of [128, 128]
wrong(x: &f32[m, n]) -> y: f32[m, n] each y[i, j] by tile of [16, 16] { tile.map(tile.zeros(), |_, sum, _| sum) }
! the sides of a tile are multiples of 64
wrong(x: &f32[m, n]) -> y: f32[m, n] each y[i, j] by tile of [256, 256] { tile.map(tile.zeros(), |_, sum, _| sum) }
! a tile has 128 by 256 elements at most
wrong(x: &f64[n, n]) -> y: f32[n, n] each y[i, j] by tile of [64, 64] { let mut sums = tile.zeros();
    sums.add_product(tile, n, x.panel([i, 0]), x.panel([0, j])); tile.map(sums, |_, sum, _| sum) }
! tensor cores do not multiply `f64`
wrong(x: &f16[n, n], z: &f32[n, n]) -> y: f32[n, n] each y[i, j] by tile of [64, 64] { let mut sums = tile.zeros();
    sums.add_product(tile, n, x.panel([i, 0]), z.panel([0, j])); tile.map(sums, |_, sum, _| sum) }
! no factor of a product
# a factor that the pass writes
wrong(y: &mut f32[n, n]) each y[i, j] by tile of [64, 64] { let mut sums = tile.zeros(); sums.add_product(tile, n,
    y.panel([i, 0]), y.panel([0, j])); tile.map(sums, |_, sum, _| sum) }
! no method named `panel` found for struct `Unwritten`
# a factor that nobody has written
wrong(x: &f32[n, n]) -> y: f32[n, n] scratch s: f32[n, n]; each y[i, j] by tile of [64, 64] { let mut sums =
    tile.zeros(); sums.add_product(tile, n, s.panel([i, 0]), x.panel([0, j])); tile.map(sums, |_, sum, _| sum) } each
    s[i, j] { x[[i, j]] }
! the method `panel` exists for struct `View<'_, f32, 2, Out>`, but its trait bounds were not satisfied
# a product in the code for one element
wrong(x: &f32[n, n]) -> y: f32[n, n] each y[i, j] by tile of [64, 64] { let mut sums = tile.zeros(); let mut more =
    tile.zeros(); tile.map(sums, |_, sum, _| { more.add_product(tile, n, x.panel([i, 0]), x.panel([0, j])); sum }) }
! as it is a captured variable in a `Fn` closure
# a product in a factor
wrong(x: &f32[n, n]) -> y: f32[n, n] each y[i, j] by tile of [64, 64] { let mut sums = tile.zeros(); let mut more =
    tile.zeros(); sums.add_product(tile, n, x.panel([i, 0]), computed(|_| { more.add_product(tile, n, x.panel([i, 0]),
    x.panel([0, j])); 0.0 })); tile.map(sums, |_, sum, _| sum) }
! as it is a captured variable in a `Fn` closure
# what one thread makes of the sums
wrong(x: &f32[n, n]) -> y: f32[n, n] each y[i, j] by tile of [64, 64] { let s = core::cell::Cell::new(0.0);
    tile.map(tile.zeros(), |_, sum, _| s.replace(sum)) }
! `Cell<f32>` cannot be shared between threads safely
# sums that are looked at
wrong(x: &f32[n, n]) -> y: f32[n, n] each y[i, j] by tile of [64, 64] { let sums = tile.zeros(); if sums.0[0] > 0.0 {}
    tile.map(sums, |_, sum, _| sum) }
! field `0` of struct `grid::tensor::cpu::Sums` is private
wrong(x: &mut f64[n]) for i in 0..n { for j in 0..n { each x[k] { x + 1.0 } } }
! passes that are repeated cannot be repeated in turn
wrong(x: &f64[n]) -> y: f64[n] scratch s: f64[n]; for step in 0..3 { each s[i] { y[i] } each y[i] { s[i] + step as f64
    } }
! the elements of this array cannot be read here
wrong(x: &f64[n]) -> y: f64[n] for step in 0..n { each y[i] { x[i] } }
! no pass writes the result `y`, unless in a loop, which may have no steps
wrong(x: &f64[n]) -> y: f64[n] scratch s: f64[n]; for step in 0..n { each s[i] { x[i] } } each y[i] { s[i] }
! the elements of this array cannot be read here
wrong(x: &mut i64[n]) for step in 0..x[0] as usize { each x[k] { x + 1 } }
! the elements of this array cannot be read here
wrong(x: &f64[n]) -> y: f64[n] each y[i] { kernel_print!("here", i); x[i] }
! a line has a `{}` for each value
wrong(x: &f64[n]) -> y: f64[n] each y[i] { kernel_print!("{:?}", i); x[i] }
! a kernel prints values as `{}`, without a format
wrong(x: &f64[n]) -> y: f64[n] scratch s: f64[n]; each y[i] { s[i] } each s[i] { x[i] }
! the elements of this array cannot be read here
wrong(x: &f64[n]) -> y: f64[n] where x[0] > 0.0; each y[i] { x[i] }
! the elements of this array cannot be read here
wrong(x: &f64[n]) -> y: f64[n] scratch s: f64[x[0] as usize]; each s[i] { 1.0 } each y[i] { s[i] }
! the elements of this array cannot be read here
# too few indices of what threads change
wrong(x: &f64[n]) -> y: f64[n, n] block over x { y.add(n, 1.0) }
! `usize` is not an index of an array of 2 dimensions
# unsafe code
wrong(x: &f64[n]) -> y: f64[n] each y[i] { unsafe { *(&raw const x[i]) } }
! usage of an `unsafe` block
wrong(x: &f64[n, m]) -> y: f64[m, n] each y[i, j] with x.edge(1) { x.near(0, 1) }
! `x` does not have the sizes of `y`, or is the same
wrong(x: &mut f64[m, n]) each x[i, j] with x.edge(1) { x.near(0, 1) }
! `x` does not have the sizes of `x`, or is the same
# an edge that is none
wrong(x: &f64[m, n]) -> y: f64[m, n] each y[i, j] with x.mirror(1) { x.near(0, 1) }
! cannot find type `mirror`
wrong(x: &f64[n] strided, y: &mut f64[n]) { *y = x }
! a body of one expression takes any strides
# a default that is no choice
wrong(x: &f64[n], a: {left, right} = middle) -> y: f64[n] each y[i] { x[i] }
! `middle` is none of the choices; they are `left`, `right`
# a default that is a quotient of integers
wrong(x: &f64[n], a: f64 = 1 / 3) -> y: f64[n] each y[i] { a * x[i] }
! `/` rounds the quotient of integers; write `1.0 / 3.0`
# an optional array that is written without a look
wrong(x: &f64[n], y: Option<&mut f64[n]>) { *y = x }
! cannot be dereferenced
# a choice that is not looked at
wrong(x: &f64[n], a: {left, right}) -> y: f64[n] each y[i] { match a { a::left => x[i] } }
! pattern `a::right` not covered
class! { wrong(n: usize) fn add(x: &f64[n]) }
! a class is written as in `Sum(n: usize) state sum: f64[n];
class! { wrong(n: usize) state sum: f64[n]; each sum[i] { 1.0 } }
! a class has a method at least
class! { wrong<T: f32 | f64>(n: usize) state sum: T[n]; fn add(x: &T[n]) each sum[i] { sum + x[i] } }
! `T` is the dtype of no array that every call has
class! { wrong<T: f32 | f64>(x: &T[n]) state sum: T[n]; fn add(x: &T[n], d: T = f32) each sum[i] { x[i] } }
! `d` chooses `T`, which an array or another argument decides
class! { wrong<T: f32 | f64>(x: &T[n]) state sum: T[n]; fn add<T: f32 | f64>(x: &T[n]) each sum[i] { x[i] } }
! `T` is there twice
# a method with an array of another dtype
class! { wrong<T: f32 | f64>(x: &T[n]) state sum: T[n]; fn add(x: &f64[n]) each sum[i] { x[i] } }
! expected `f32`, found `f64`
class! { wrong(n: usize) -> y: f64[n] state sum: f64[n]; fn add(x: &f64[n]) each sum[i] { sum + x[i] } }
! a class is written as in `Sum(n: usize) state sum: f64[n];
# state of an unknown dimension
class! { wrong(n: usize) state sum: f64[m]; fn add(x: &f64[n]) each sum[i] { sum + x[i] } }
! cannot find value `m`
class! { wrong(n: usize) state sum: f64[n]; fn total() -> y: f64[k] each y[i] { sum[i] } }
! `k` is not a dimension of any argument
class! { wrong(n: usize) state sum: f64[n]; fn add(x: &f64[n]) where sum[0] > 0.0; each sum[i] { sum + x[i] } }
! the elements of this array cannot be read here
wrong(x: &f64[m, n]) -> y: f64[m, n] each y[i, ..] { move |j| x[[i, j]] }
! a row is written by a warp or a block: `each y[row, ..] by block { … }`
wrong(x: &f64[n]) -> (y: f64[n], z: f64[n]) each (y[i], z[i]) { (x[i], x[i]) }
! several arrays are written by warps or blocks: `each (y[row, ..], mean[row]) by block { … }`
wrong(x: &f64[n, n]) -> (y: f64[n, n], s: f64[n]) each (y[i, ..], s[j]) by block { (move |j| x[[i, j]], 1.0) }
! the indices of all that a pass writes are the same
# a row without a function
wrong(x: &f64[m, n]) -> y: f64[m, n] each y[i, ..] by block { x[[i, 0]] }
! expected a `Fn(usize)` closure, found `f64`
wrong(x: &f64[m, n]) -> s: f64[m] each s[i, ..] by block { move |j| x[[i, j]] }
! a pass that writes rows ends with a function for each `y[i, ..]`, `move |j| …`, and a value for each `m[i]`
wrong(x: &f64[m, n]) -> y: f64[m, n] each y[i, ..] by block { move |j| x[[i, j]] + y[[i, 0]] }
! cannot be read or assigned to in the body that makes its elements
# previous elements where others have written
wrong(x: &mut f64[m, n]) each x[i, ..] by block { x.write(move |j, _| x[n - 1 - j]) }
! lifetime may not live long enough
# a scan of a row whose previous elements another row is made of
wrong(x: &mut f64[m, n], y: &mut f64[m, n]) each (x[i, ..], y[i, ..]) by block { (x.scan(0.0, |_, (x, _)| x, |a, b| a
    + b), y.write(|_, (x, y)| x + y)) }
! a row that is a scan of its previous elements is all that a pass writes
# a function of a row that borrows
wrong(x: &f64[m, n]) -> y: f64[m, n] each y[i, ..] by warp { let k = i + 1; |j| x[[k, j]] }
! to force the closure to take ownership of
# a reduction in the function of a row
wrong(x: &f64[m, n]) -> y: f64[m, n] each y[i, ..] by warp { move |j| warp.sum_of(n, |j| x[[i, j]]) }
! closure is `FnMut` because it mutates the variable `*warp` here
# what one thread of a block has
wrong(x: &f64[m, n]) -> y: f64[m] each y[i] by block { block.share(n, |_| {}); x[[i, 0]] }
! no method named `share` found
wrong(x: f64(n)) -> y: f64[n] each y[i] { x[i] }
! an array is written as in Rust: `x: &T[n]`
# an optional array without a look
wrong(x: &f64[n], a: Option<&f64[n]> = None) -> y: f64[n] each y[i] { a[i] }
! cannot index into a value of type `Option<
"""
FAULTS = re.findall(r"((?:^[^!#\n].*\n)+)! (.*)", WRONG, re.MULTILINE)


@pytest.fixture(scope="module")
def workspace(folder: Path) -> Path:
    package = scaffold(folder / "mypkg", kernels="rust")
    unpack(package)
    return package


@pytest.fixture
def check(workspace: Path, tmp_path: Path):
    """Compiles files for the CPU; returns what the compiler says, as JSON in lines."""

    def check(files: dict[str, str], ok: bool = True) -> str:
        folder = tmp_path / "kernels"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, text in files.items():
            declared = text if text.startswith(("class! ", "functions! ")) else f"kernel! {{\n    {text}\n}}"
            (folder / f"{name}.rs").write_text(f"use crate::prelude::*;\n\n{declared}\n")
        env = {"KERNELS": str(folder), "KERNELS_IMAGES": "none"}
        command = ("cargo", "check", "--locked", "--package=kernels", "--message-format=json")
        return run(*command, cwd=workspace, env=env, ok=ok)

    return check


def errors(said: str) -> list[str]:
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    messages = [line["message"] for line in lines if line["reason"] == "compiler-message"]
    return [" ".join(it["rendered"].split()) for it in messages if it["level"] == "error"]


def test_wrong_declarations_do_not_compile(check) -> None:
    """All at once. The compiler gets as far as to types only where the rest is right, so what it has told of is taken away."""
    texts = {
        f"wrong{turn}": [re.sub(r"\bwrong\b", f"wrong{turn}", text) for text in fault]
        for turn, fault in enumerate(FAULTS)
    }
    while texts:
        said = errors(check({name: declaration for name, (declaration, _) in texts.items()}, ok=False))
        told = [
            name for name, (_, message) in texts.items() if any(f"/{name}.rs" in it and message in it for it in said)
        ]
        assert told, texts
        for name in told:
            del texts[name]


def test_the_same_without_a_fault_compiles(check) -> None:
    assert '"level":"warning"' not in check({"wrong": GOOD})


# Names that the macro itself uses.
NAMES = (
    *("row", "lanes", "Extents", "Typed", "Part", "Lanes", "NAME", "PIPELINE", "LANES", "WIDE", "KERNEL", "body"),
    *("wide", "range", "target", "taken"),
)
FORMS = {
    "option": "(x: &f64[n], NAME: {a, b} = a) -> y: f64[n] each y[i] { if NAME == NAME::a { x[i] } else { 0.0 } }",
    "option_of_elements": "(x: &f64[...], NAME: {a, b}) -> y: f64[...] { *y = if NAME == NAME::a { x } else { 0.0 } }",
    "option_over": "(x: &u8[n], NAME: {a, b}) -> c: i64[2] block over x { if NAME == NAME::a { c.add(0, 1) } }",
    "scalar": "(x: &f64[n], NAME: f64 = 1.0) -> y: f64[n] each y[i] { x[i] * NAME }",
    "scalar_of_elements": "<T: f32 | f64>(x: &T[...], NAME: T) -> y: T[...] { *y = x * NAME }",
    "array": "(x: &f64[m, n], NAME: &f64[n]) -> y: f64[m] each y[i] by warp { warp.sum(x.row(i), NAME, |a, b| a * b) }",
    "folded": "(NAME: &f64[...]) -> f64 fold (NAME) "
    "{ start: 0.0, add: |s, v| s + v, merge: |a, b| a + b, value: |v| v }",
    "result": "(x: &f64[n]) -> NAME: f64[n] each NAME[i] { x[i] }",
    "own": "(x: &f64[n], NAME: f64) -> y: f64[n] each y[i] by block of [32] "
    "{ block.own(|[at]| if i + at < n { NAME * x[i + at] } else { 0.0 }) }",
    "repeated": "(NAME: &mut f64[n], steps: usize) for step in 0..steps { each NAME[i] { NAME + step as f64 } }",
    "tile": "(x: &f32[n, n], NAME: f32) -> y: f32[n, n] each y[i, j] by tile of [64, 64] "
    "{ tile.map(tile.zeros(), |_, sum, _| NAME + sum) }",
    "dimension": "(x: &f64[NAME]) -> y: f64[NAME] each y[i] { x[i] + NAME as f64 }",
}


def test_arguments_may_be_called_like_what_the_macro_uses(check) -> None:
    declared = {f"{form}_{name}": text.replace("NAME", name) for form, text in FORMS.items() for name in NAMES}
    check({name: f"{name}{text}" for name, text in declared.items()})
