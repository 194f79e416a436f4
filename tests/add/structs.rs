//! Functions of structs, which are declared with them.

use snapbox::str;

use super::{add, package, refused};

const PARTICLE: &str = "Particle(pos: float32(3), energy: float32, id: int32)";
const GRID: &str = "Grid3(spacing: float64(3), rotation: float32(2,2), periodic: bool)";

#[test]
fn a_struct_is_written_with_its_function() {
    let signature = "spawn(energy: float32(n), grid: Grid3) -> p: Particle(n)";
    let outcome = add(
        package("cu"),
        &[signature, "--struct", PARTICLE, "--struct", GRID],
    );
    let outcome = outcome.success();
    snapbox::assert_data_eq!(
        outcome.read("p/kernels/spawn.cu"),
        str![[r##"
#include <cuvec.h>

using namespace cuvec;

struct Grid3 {
  double spacing[3];
  float rotation[2][2];
  bool periodic;
};
CUVEC_STRUCT(Grid3, spacing, rotation, periodic);

struct Particle {
  float pos[3];
  float energy;
  std::int32_t id;
};
CUVEC_STRUCT(Particle, pos, energy, id);

struct spawn {
  static constexpr auto signature = "spawn(energy: float32(n), grid: Grid3) -> p: Particle(n)";
  static constexpr auto doc = R"(Say here what `spawn` does.

energy: say here what it is
grid: say here what it is
p: say here what it is)";

  static __host__ __device__ void each(float energy, Grid3 grid, Particle &p) {
    // An element, which is zero in this stub: write it here, and in the test.
    (void)energy;
    (void)grid;
    p = Particle();
  }
};
CUVEC_EXPORT(spawn);

"##]]
    );
    snapbox::assert_data_eq!(
        outcome.read("p/tests/test_spawn.py"),
        str![[r#"
"""`spawn`, compared with NumPy. On a GPU if there is one."""

import numpy as np
import pytest

from mypkg import Particle, cuvec, spawn


@pytest.mark.parametrize("n", [2, 7, 33])
def test_spawn(n):
    rng = np.random.default_rng(0)
    energy = cuvec.asarray(rng.standard_normal((n,)), "float32")
    grid = {"spacing": [2] * 3, "rotation": np.full((2, 2), 2), "periodic": True}
    # Write here what the function is in NumPy; the stub of the kernel does the same.
    expected = np.zeros((n,), Particle)
    p = spawn(energy, grid)
    assert p.shape == (n,)
    assert p.dtype == Particle
    np.testing.assert_array_equal(p, expected)

"#]]
    );
}

#[test]
fn in_rust_too() {
    let signature = "push(p: inout Particle(...), dt: float32)";
    let outcome = add(package("rust"), &[signature, "--struct", PARTICLE]).success();
    snapbox::assert_data_eq!(
        outcome.read("p/kernels/push.rs"),
        str![[r#"
use crate::prelude::*;

structure! {
    /// Say here what it is.
    pub struct Particle {
        pos: [f32; 3],
        energy: f32,
        id: i32,
    }
}

kernel! {
    /// Say here what `push` does.
    ///
    /// p: say here what it is
    /// dt: say here what it is
    push(p: &mut Particle[...], dt: f32) {
        // An element, which stays as it is in this stub: write it here, and in the test.
        *p = *p;
    }
}

"#]]
    );
    snapbox::assert_data_eq!(
        outcome.read("p/tests/test_push.py"),
        str![[r#"
"""`push`, compared with NumPy. On a GPU if there is one."""

import numpy as np
import pytest

from mypkg import Particle, cuvec, push


@pytest.mark.parametrize("shape", [(0,), (1,), (1000,), (3, 4)])
def test_push(shape):
    rng = np.random.default_rng(0)
    p = cuvec.zeros(shape, Particle)
    p["pos"] = rng.standard_normal(p["pos"].shape)
    p["energy"] = rng.standard_normal(p["energy"].shape)
    p["id"] = rng.integers(0, 10, p["id"].shape)
    dt = 2
    # Write here what the function is in NumPy; the stub of the kernel does the same.
    expected = p.copy()
    push(p, dt)
    np.testing.assert_array_equal(p, expected)

"#]]
    );
}

#[test]
fn structs_that_cannot_be_are_refused() {
    let signature = "f(p: inout Particle(n))";
    for (structure, stderr) in [
        (
            "Particle(a int8)",
            "error: `--struct` is wrong: `i` where `:` is expected\n\
             hint: such as 'Particle(pos: float32(3), energy: float32, id: int32)'\n",
        ),
        (
            "Particle(a: int7)",
            "error: `--struct` is wrong: `int7` is not a dtype\nhint: there is none of 7 bits; int dtypes are `int8`, `int16`, `int32`, `int64`\n",
        ),
        (
            "Particle(a: bfloat16)",
            "error: `--struct` has the member `a` of bfloat16\n\
             hint: members are of the dtypes that NumPy has by itself\n",
        ),
        (
            "Particle(a: int8, a: int8)",
            "error: `--struct` has the member `a` twice\nhint: give each a name of its own\n",
        ),
        (
            "Particle(a: int8(2,0))",
            "error: `--struct` has the member `a` of a wrong shape\n\
             hint: it has at most 7 dimensions, and no size of 0\n",
        ),
        (
            "Particle(for: int8)",
            "error: `--struct` has the member `for`: `for` is a Python keyword\n\
             hint: choose another name\n",
        ),
        (
            "Grid(a: int8)",
            "error: `--struct` cannot declare `Grid`: the code around it uses that name\n\
             hint: choose another name\n",
        ),
        (
            "Other(a: int8)",
            "error: wrong signature: `Particle` is not a dtype\n  f(p: inout Particle(n))\n             ^\n\
             hint: a struct is declared with `--struct 'Particle(x: float32, id: int32)'`\n",
        ),
    ] {
        refused(&[signature, "--struct", structure], stderr);
    }
}

#[test]
fn what_no_struct_may_be_is_refused() {
    let rust = [
        "f(p: inout P1(n))",
        "--struct=P1(a: bool)",
        "--kernels",
        "rust",
    ];
    refused(
        &rust,
        str![[r#"
error: `--struct` has the member `a` of bool
hint: kernels in Rust take any byte: let it be an uint8

"#]],
    );
    refused(
        &[
            "f(p: inout P1(n))",
            "--struct=P1(a: int8)",
            "--struct=P2(a: int8)",
        ],
        str![[r#"
error: `--struct` declares `P2`, which the signature does not name
hint: such as `x: inout P2(n)`

"#]],
    );
    refused(
        &[
            "f(p: inout P1(n))",
            "--struct=P1(a: int8)",
            "--struct=P1(a: int8)",
        ],
        str![[r#"
error: `--struct` declares `P1` twice
hint: remove one of them

"#]],
    );
    refused(
        &[
            "f(x: float32(n), p: P1 = 1) -> float32(n)",
            "--struct=P1(a: int8)",
        ],
        str![[r#"
error: wrong signature: `p` is a struct, which has no default
  f(x: float32(n), p: P1 = 1) -> float32(n)
                   ^
hint: write `p: P1`, or an array, `p: P1(n)`

"#]],
    );
    refused(
        &[
            "f(x: float32(n), p: P1[2]) -> float32(n)",
            "--struct=P1(a: int8)",
        ],
        str![[r#"
error: wrong signature: `p` is a tuple of `P1`, which is a struct
  f(x: float32(n), p: P1[2]) -> float32(n)
                   ^
hint: write `p: P1`, or an array, `p: P1(n)`

"#]],
    );
    refused(
        &["f(x: float32(n)) -> P1", "--struct=P1(a: int8)"],
        str![[r#"
error: wrong signature: a result that is a struct has a shape
  f(x: float32(n)) -> P1
                      ^
hint: such as `-> y: P1()`

"#]],
    );
    refused(
        &[
            "f(x: float32(n)) -> y: float32(n), p: P1(n)",
            "--struct=P1(a: int8)",
            "--derivative",
        ],
        str![[r#"
error: `--derivative` is for arrays of numbers
hint: leave it out: PyTorch and JAX have no arrays of structs

"#]],
    );
    refused(
        &[
            "f(x: float64(n), p: P1) -> y: float64(n)",
            "--struct=P1(a: int8)",
            "--derivative",
        ],
        str![[r#"
error: `--derivative` would declare the struct `P1` in two files
hint: declare it by hand: what functions share is in a header, or in `kernels/lib.rs`

"#]],
    );
}

const ADVANCE: &str = "advance(p: inout Event(n), dt: float64)";

const EVENT: &str =
    "struct Event {\n  float x[2];\n  std::int32_t id;\n};\nCUVEC_STRUCT(Event, x, id);\n";

#[test]
fn a_struct_of_a_header_is_included() {
    let outcome = package("cu");
    let header = format!("#pragma once\n\n#include <cuvec.h>\n\n// An event.\n{EVENT}");
    std::fs::write(outcome.path("p/kernels/event.cuh"), header).unwrap();
    let outcome = add(outcome, &[ADVANCE]).success();
    snapbox::assert_data_eq!(
        outcome.read("p/kernels/advance.cu"),
        str![[r##"
#include <cuvec.h>

#include "event.cuh"

using namespace cuvec;

struct advance {
  static constexpr auto signature = "advance(p: inout Event(n), dt: float64)";
  static constexpr auto doc = R"(Say here what `advance` does.

p: say here what it is
dt: say here what it is)";

  static __host__ __device__ void each(Event &p, double dt) {
    // An element, which stays as it is in this stub: write it here, and in the test.
    (void)p;
    (void)dt;
  }
};
CUVEC_EXPORT(advance);

"##]]
    );
    let test = outcome.read("p/tests/test_advance.py");
    assert!(
        test.contains("from mypkg import Event, advance, cuvec"),
        "{test}"
    );
    assert!(
        test.contains("p[\"x\"] = rng.standard_normal(p[\"x\"].shape)"),
        "{test}"
    );
}

#[test]
fn a_struct_of_lib_rs_is_used() {
    let outcome = package("rust");
    let lib = "use crate::prelude::*;\n\nstructure! {\n    pub struct Event {\n        x: [f32; 2],\n        id: i32,\n    }\n}\n";
    std::fs::write(outcome.path("p/kernels/lib.rs"), lib).unwrap();
    let outcome = add(outcome, &[ADVANCE]).success();
    let kernel = outcome.read("p/kernels/advance.rs");
    let start = "use super::lib::Event;\nuse crate::prelude::*;\n\nkernel! {\n";
    assert!(kernel.starts_with(start), "{kernel}");
}

#[test]
fn a_struct_of_another_kernel_is_named_with_its_place() {
    let outcome = package("cu");
    let kernel = outcome.path("p/kernels/first.cu");
    std::fs::write(&kernel, format!("#include <cuvec.h>\n\n{EVENT}")).unwrap();
    let outcome = add(outcome, &[ADVANCE]).failure(
        2,
        str![[r#"
error: wrong signature: `Event` is declared in `kernels/first.cu`
  advance(p: inout Event(n), dt: float64)
                   ^
hint: move it to a header, such as `kernels/event.cuh`, which both include: `#include "event.cuh"`

"#]],
    );
    std::fs::write(&kernel, "").unwrap();
    let header = EVENT.replace("float x[2]", "Place x");
    std::fs::write(outcome.path("p/kernels/event.cuh"), header).unwrap();
    let outcome = add(outcome, &[ADVANCE]).failure(
        2,
        str![[r#"
error: wrong signature: `Event` is declared in `kernels/event.cuh`
  advance(p: inout Event(n), dt: float64)
                   ^
hint: its members could not be read: give them with `--struct`, and include `kernels/event.cuh` in the new file in place of the struct

"#]],
    );
    let event = "Event(x: float32(2), id: int32)";
    add(outcome, &[ADVANCE, "--struct", event]).success();
    let outcome = package("rust");
    let kernel = "structure! {\n    pub struct Event {\n        id: i32,\n    }\n}\n";
    std::fs::write(outcome.path("p/kernels/first.rs"), kernel).unwrap();
    add(outcome, &[ADVANCE]).failure(
        2,
        str![[r#"
error: wrong signature: `Event` is declared in `kernels/first.rs`
  advance(p: inout Event(n), dt: float64)
                   ^
hint: move it to `kernels/lib.rs`, as `pub struct`, and name it in both files: `use super::lib::Event;`

"#]],
    );
}
