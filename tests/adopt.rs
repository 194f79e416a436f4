//! `cuvec-new adopt`. That what it writes builds is shown by `ci/package/test_adopt.py`.

mod guesses;
mod sources;

use std::fs;
use std::process::Command;

use snapbox::str;

use crate::project::{Outcome, Project, files};

/// Heads of all kinds.
const OPS: &str = r#"
#include "ops.h"

// __global__ void in_a_comment(float *x);
const char *text = "__global__ void in_a_text(float *x) {";

__global__ void blur(const real *x, real *y, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || col >= cols)
    return;
  y[row * cols + col] = x[row * cols + (col + 1) % cols];
}

extern "C" __global__ void __launch_bounds__(256)
vecAdd(const double *__restrict__ a, double *b, double *sum, unsigned long long n) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x)
    sum[i] = a[i] + b[i];
}

namespace physics {
namespace detail {
__device__ float helper(float x) { return x; }
} // namespace detail
__global__ void push(float3 *points, float3 by, char *mask, __half weight) {
  extern __shared__ float cache[];
  points[threadIdx.x].x += by.x;
}
} // namespace physics

__global__ void part(float *x, int n) {
  x += blockIdx.x * n;
  for (int i = 0; i < n; ++i)
    x[i] = 0;
}

cudaError_t blurTwice(const real *x, real *y, int rows, int cols, cudaStream_t stream) {
  dim3 threads(16, 16), blocks((cols + 15) / 16, (rows + 15) / 16);
  blur<<<blocks, threads, 0, stream>>>(x, y, rows, cols);
  blur<<<blocks, threads, 0, stream>>>(x, y, rows, cols);
  return cudaGetLastError();
}

int count(const int *flags, size_t n) { return 3; }

__global__ void gather(float **rows, int n) {}
void project(Geometry geometry, float *x) {}
void upload(const float *host, int n) { cudaMemcpy(buffer, host, 4 * n, cudaMemcpyHostToDevice); }
template <typename T> __global__ void scale(T *x, T by) { x[threadIdx.x] *= by; }
template <int N> __global__ void fixed(float *x) {}
static int counter(int a) { return a; }
float *table(int n) { return 0; }
#if 0
void left_out(int n) {}
#endif
int main(int argc, char **argv) { return 0; }
"#;

const HEADER: &str = "#pragma once\n#include <cuda_runtime.h>\ntypedef float real;\n";

/// A package with sources, some of which are adopted.
fn adopt(sources: &[(&str, &str)], arguments: &[&str]) -> Outcome {
    let project = Project::new("mypkg").kernels("cu").output("p");
    let outcome = project.arg("--no-git").run().success();
    for (path, text) in sources {
        let path = outcome.path("p").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    outcome
        .again("adopt")
        .args(["--package", "p"])
        .args(arguments)
        .run()
}

/// Checks that it is refused, and nothing is written.
#[track_caller]
fn refused(
    sources: &[(&str, &str)],
    arguments: &[&str],
    code: i32,
    stderr: impl snapbox::IntoData,
) {
    let outcome = adopt(sources, arguments);
    let kernels = files(&outcome.path("p/kernels"));
    assert_eq!(kernels, ["axpy.cu", "dot.cu"]);
    outcome.failure(code, stderr);
}

#[test]
fn heads_of_all_kinds() {
    let sources = [("lib/ops.cu", OPS), ("lib/ops.h", HEADER)];
    let outcome = adopt(&sources, &["p/lib/ops.cu"]).success();
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
adopted 6 functions:
  kernels/blur.cu: blur(x: float32(x_size), y: inout float32(rows,cols))
  kernels/vec_add.cu: vec_add(a: float64(n), b: float64(n), sum: inout float64(n))
  kernels/push.cu: push(points: inout float32(points_size,3), by: float32[3], mask: int8(mask_size), weight: float16)
  kernels/part.cu: part(x: inout float32(x_size), n: int32)
  kernels/blur_twice.cu: blur_twice(x: float32(x_size), y: inout float32(rows,cols))
  kernels/count.cu: count(flags: int32(n)) -> int32
  CMakeLists.txt: kernel_sources
left out:
  lib/ops.cu:46: `gather`: `rows` is a pointer to pointers
  lib/ops.cu:47: `project`: `geometry` has the type `Geometry`, which is not a dtype
  lib/ops.cu:48: `upload`: `host` is in memory of the CPU, from where it copies: adopt its kernels
  lib/ops.cu:49: `scale`: only what includes its file can use a template or a static kernel, and other functions of the file are linked: move it into a header
  lib/ops.cu:50: `fixed`: only what includes its file can use a template or a static kernel, and other functions of the file are linked: move it into a header
  lib/ops.cu:51: `counter`: it is static: its own file calls it
  lib/ops.cu:52: `table`: it returns an address
  lib/ops.cu:56: `main`: it is a program
not known:
  kernels/blur.cu:9: what sizes `x` must have is not known
  kernels/blur.cu:10: `y`: `out`, or a result behind `->`, where all of it is written and none is read
  kernels/blur.cu:16: the grid is of lib/ops.cu:39, <<<blocks, threads, 0, stream>>>, and 1 more
  kernels/vec_add.cu:9: `vecAdd` is called `vec_add` in Python
  kernels/vec_add.cu:10: `sum`: `out`, or a result behind `->`, where all of it is written and none is read
  kernels/vec_add.cu:11: not const, and only read: `b`
  kernels/vec_add.cu:18: the grid is a guess
  kernels/push.cu:12: what sizes `points`, `mask` must have is not known
  kernels/push.cu:13: `points`: `out`, or a result behind `->`, where all of it is written and none is read
  kernels/push.cu:14: not const, and only read: `mask`
  kernels/push.cu:22: the grid is a guess
  kernels/push.cu:23: it has `extern` shared memory: its bytes are the last argument of the grid
  kernels/part.cu:9: what sizes `x` must have is not known
  kernels/part.cu:10: `x`: `out`, or a result behind `->`, where all of it is written and none is read
  kernels/part.cu:16: the grid is a guess
  kernels/blur_twice.cu:9: `blurTwice` is called `blur_twice` in Python
  kernels/blur_twice.cu:10: what sizes `x` must have is not known
  kernels/blur_twice.cu:11: `y`: `out`, or a result behind `->`, where all of it is written and none is read
  kernels/count.cu:9: that `n` is the size of `flags` is a guess
  kernels/count.cu:10: its `int` may be an error code: throw an exception for that
  kernels/count.cu:11: taken for memory of the GPU: `flags`
  kernels/count.cu:19: it takes no stream, so that the call waits for the GPU
next:
  pip install .
  settle what is not known, and remove its mark: grep -n 'adopt:' kernels/*.cu

"#]]
    );
    snapbox::assert_data_eq!(
        outcome.read("p/kernels/blur.cu"),
        str![[r##"
#include <cuvec.h>

#ifdef CUVEC_CUDA
// Defined in lib/ops.cu.
__global__ void blur(const float *x, float *y, int rows, int cols);
#endif

struct blur {
  // adopt: what sizes `x` must have is not known
  // adopt: `y`: `out`, or a result behind `->`, where all of it is written and none is read
  static constexpr auto signature = "blur(x: float32(x_size), y: inout float32(rows,cols))";
  static constexpr auto doc = "Run the kernel `blur` of lib/ops.cu.";

#ifdef CUVEC_CUDA
  static void gpu(cuvec::Call &call, cuvec::In<float> x, cuvec::Out<float, 2> y) {
    // adopt: the grid is of lib/ops.cu:39, <<<blocks, threads, 0, stream>>>, and 1 more
    const cuvec::Grid grid(dim3((y.size(1) + 15) / 16, (y.size(0) + 15) / 16), dim3(16, 16));
    call.launch<::blur>(grid, x.data, y.data, cuvec::narrow<int>(y.size(0)),
                        cuvec::narrow<int>(y.size(1)));
  }
#endif
  static constexpr auto cpu = cuvec::gpu_only;
};
CUVEC_EXPORT(blur);

"##]]
    );
    snapbox::assert_data_eq!(
        outcome.read("p/kernels/push.cu"),
        str![[r##"
#include <cuvec.h>

#ifdef CUVEC_CUDA
#include <cuda_fp16.h>
// Defined in lib/ops.cu.
namespace physics {
__global__ void push(float3 *points, float3 by, char *mask, __half weight);
} // namespace physics
#endif

struct push {
  // adopt: what sizes `points`, `mask` must have is not known
  // adopt: `points`: `out`, or a result behind `->`, where all of it is written and none is read
  // adopt: not const, and only read: `mask`
  static constexpr auto signature = R"(push(points: inout float32(points_size,3), by: float32[3],
      mask: int8(mask_size), weight: float16))";
  static constexpr auto doc = "Run the kernel `push` of lib/ops.cu.";

#ifdef CUVEC_CUDA
  static void gpu(cuvec::Call &call, cuvec::Out<float, 2> points, cuvec::Tuple<float, 3> by,
                  cuvec::In<std::int8_t> mask, cuvec::float16 weight) {
    // adopt: the grid is a guess
    // adopt: it has `extern` shared memory: its bytes are the last argument of the grid
    const cuvec::Grid grid((points.size() + 255) / 256, 256, 0);
    call.launch<::physics::push>(grid, reinterpret_cast<float3 *>(points.data),
                                 float3{by[0], by[1], by[2]},
                                 reinterpret_cast<char *>(const_cast<std::int8_t *>(mask.data)),
                                 cuvec::same_bytes<__half>(weight));
  }
#endif
  static constexpr auto cpu = cuvec::gpu_only;
};
CUVEC_EXPORT(push);

"##]]
    );
    snapbox::assert_data_eq!(
        outcome.read("p/kernels/count.cu"),
        str![[r##"
#include <cuvec.h>

#ifdef CUVEC_CUDA
// Defined in lib/ops.cu.
int count(const int *flags, size_t n);
#endif

struct count {
  // adopt: that `n` is the size of `flags` is a guess
  // adopt: its `int` may be an error code: throw an exception for that
  // adopt: taken for memory of the GPU: `flags`
  static constexpr auto signature = "count(flags: int32(n)) -> int32";
  static constexpr auto doc = "Run the function `count` of lib/ops.cu.";
  static constexpr bool allow_cuda_graph = false;

#ifdef CUVEC_CUDA
  static void gpu(cuvec::Call &call, cuvec::In<std::int32_t> flags,
                  cuvec::Out<std::int32_t, 0> result) {
    // adopt: it takes no stream, so that the call waits for the GPU
    call.check(cudaStreamSynchronize(call.stream()));
    const std::int32_t value = ::count(flags.data, cuvec::narrow<size_t>(flags.size()));
    call.copy(cuvec::In<std::int32_t, 0>{&call.keep(value), {}}, result);
    call.check(cudaDeviceSynchronize());
  }
#endif
  static constexpr auto cpu = cuvec::gpu_only;
};
CUVEC_EXPORT(count);

"##]]
    );
    snapbox::assert_data_eq!(
        outcome.read("p/CMakeLists.txt"),
        str![[r##"
# Builds the Python package. What is there to build is in kernels/; how it is done, in the runtime, which a build unpacks.
cmake_minimum_required(VERSION 3.27...4.4)
project(${SKBUILD_PROJECT_NAME} LANGUAGES NONE)

include(build/cuvec_runtime/cmake/Package.cmake)
kernel_sources(lib/ops.cu SYSTEM)
if(EXISTS "${PROJECT_SOURCE_DIR}/src/CMakeLists.txt") # functions written by hand
  add_subdirectory(src)
endif()

"##]]
    );
}

const NORM: &str = "#include <cmath>
double norm(const double *x, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}
";

#[test]
fn a_function_of_the_cpu() {
    let outcome = adopt(&[("lib/norm.cpp", NORM)], &["p/lib/norm.cpp", "-q"]).success();
    assert_eq!(outcome.stdout, "");
    snapbox::assert_data_eq!(
        outcome.read("p/kernels/norm.cu"),
        str![[r##"
#include <cuvec.h>

// Defined in lib/norm.cpp.
double norm(const double *x, std::size_t n);

struct norm {
  static constexpr auto signature = "norm(x: float64(n)) -> float64";
  static constexpr auto doc = "Run the function `norm` of lib/norm.cpp.";

  static void cpu(cuvec::In<double> x, cuvec::Out<double, 0> result) {
    *result = ::norm(x.data, cuvec::narrow<std::size_t>(x.size()));
  }

#ifdef CUVEC_CUDA
  // adopt: it works on the CPU alone
  static void gpu(cuvec::In<double> /*x*/, cuvec::Out<double, 0> /*result*/) {
    throw std::runtime_error("it has no code for the GPU; CUVEC_DEVICE=cpu runs it");
  }
#endif
};
CUVEC_EXPORT(norm);

"##]]
    );
}

#[test]
fn a_template_in_a_header_is_included() {
    let header = "template <class T> __global__ void scale(T *x, T by, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) x[i] *= by;
    }";
    let arguments = ["p/lib/scale.cuh", "--include", "p/lib"];
    let outcome = adopt(&[("lib/scale.cuh", header)], &arguments).success();
    snapbox::assert_data_eq!(
        outcome.read("p/kernels/scale.cu"),
        str![[r##"
#include <cuvec.h>

#ifdef CUVEC_CUDA
#include "../lib/scale.cuh"
#endif

struct scale {
  // adopt: `T` is float32 alone: add the dtypes that it is for
  // adopt: `x`: `out`, or a result behind `->`, where all of it is written and none is read
  static constexpr auto signature = "scale<T: float32>(x: inout T(n), by: T)";
  static constexpr auto doc = "Run the kernel `scale` of lib/scale.cuh.";

#ifdef CUVEC_CUDA
  template <class T> static void gpu(cuvec::Call &call, cuvec::Out<T> x, T by) {
    // adopt: the grid is a guess
    const cuvec::Grid grid = cuvec::threads_for(x.size());
    call.launch<::scale<T>>(grid, x.data, by, cuvec::narrow<int>(x.size()));
  }
#endif
  static constexpr auto cpu = cuvec::gpu_only;
};
CUVEC_EXPORT(scale);

"##]]
    );
    let cmake = outcome.read("p/CMakeLists.txt");
    assert!(cmake.contains("\nkernel_sources(INCLUDE lib)\n"), "{cmake}");
    let again = outcome.again("adopt").args(["--package", "p", "--force"]);
    let outcome = again.args(arguments).run().success();
    assert_eq!(outcome.read("p/CMakeLists.txt"), cmake);
}

#[test]
fn a_kernel_in_a_header_that_a_source_includes_is_linked() {
    let header = "__global__ void fill(float *x) { x[threadIdx.x] = 1; }";
    let source = "#include \"fill.cuh\"\nvoid run(float *x) { fill<<<1, 32>>>(x); }";
    let sources = [("lib/fill.cuh", header), ("lib/run.cu", source)];
    let outcome = adopt(&sources, &["p/lib/fill.cuh", "p/lib/run.cu"]).success();
    let text = outcome.read("p/kernels/fill.cu");
    assert!(
        text.contains("\n__global__ void fill(float *x);\n"),
        "{text}"
    );
    assert!(!text.contains("fill.cuh\""), "{text}");
}

/// Functions that a header only declares are named, and where to look for them.
#[test]
fn functions_that_are_only_declared_are_named() {
    let header = r#"
#pragma once
typedef float real;
namespace lib {
void smooth(const real *x, real *y, int n);
template <class T> T *table(int n);
} // namespace lib
extern "C" {
int count(const int *flags, int n);
}
struct Plan {
  void apply(float *x);
};
using Callback = void (*)(int);
extern int verbosity;
inline double twice(double x) { return 2 * x; }
"#;
    let source =
        "#include \"lib.h\"\nint count(const int *flags, int n) { return flags[0] + n; }\n";
    let sources = [("lib/lib.h", header), ("lib/lib.cpp", source)];
    // A dry run tells what it would do.
    let arguments = ["p/lib/lib.h", "p/lib/lib.cpp", "--dry-run"];
    let outcome = adopt(&sources, &arguments).success();
    let left_out = outcome
        .stdout
        .split("left out:\n")
        .nth(1)
        .unwrap_or(&outcome.stdout);
    snapbox::assert_data_eq!(
        left_out.to_owned(),
        str![[r#"
  lib/lib.h:5: `smooth`: it is only declared here: what its code reads and writes is where it is defined; adopt that file too
  lib/lib.h:6: `table`: it is only declared here: what its code reads and writes is where it is defined; adopt that file too
not known:
  kernels/twice.cu:14: it works on the CPU alone
  kernels/count.cu:7: that `n` is the size of `flags` is a guess
  kernels/count.cu:8: its `int` may be an error code: throw an exception for that
  kernels/count.cu:17: it works on the CPU alone
nothing was written

"#]]
    );
    refused(
        &sources,
        &["p/lib/lib.h", "--only", "smooth"],
        2,
        str![[r#"
error: there is no function to adopt:
  lib/lib.h:5: `smooth`: it is only declared here: what its code reads and writes is where it is defined; adopt that file too
hint: give files that define kernels, or functions of the host that take pointers and scalars

"#]],
    );
}

/// Their functions are linked together, and so would be each `main`.
#[test]
fn of_several_programs_one_is_adopted() {
    let program = |name: &str| {
        format!("int {name}(int n) {{ return n; }}\nint main() {{ return {name}(0); }}\n")
    };
    let (first, second) = (program("first"), program("second"));
    let sources = [("lib/a.cpp", &*first), ("lib/b.cpp", &*second)];
    let arguments = ["p/lib/a.cpp", "p/lib/b.cpp", "--dry-run"];
    let outcome = adopt(&sources, &arguments).success();
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
would adopt 1 function:
  kernels/first.cu: first(n: int32) -> int32
  CMakeLists.txt: kernel_sources
left out:
  lib/a.cpp:2: `main`: it is a program
  lib/b.cpp:2: `main` and all others of the file: `lib/a.cpp` defines `main`, too, and both would be linked; adopt one of them, or move what is no program into a file of its own
not known:
  kernels/first.cu:15: it works on the CPU alone
nothing was written

"#]]
    );
}

/// Only what is static, inline, a template or of other types may be there twice.
#[test]
fn of_sources_that_define_the_same_function_one_is_adopted() {
    let own = "static int shift(int n) { return n; }\ninline int scale(int n) { return n; }\n";
    let source = |name: &str, helper: &str| {
        format!("{own}{helper} {{ return 0; }}\nint {name}(int n) {{ return n; }}\n")
    };
    let sources = [
        ("lib/a.cpp", source("first", "int helper(int n)")),
        ("lib/b.cpp", source("second", "float helper(float x)")),
        ("lib/c.cpp", source("third", "int helper(int k)")),
        (
            "lib/d.cpp",
            source("fourth", "template <class T> T helper(T n)"),
        ),
    ];
    let files = sources.each_ref().map(|(path, text)| (*path, &**text));
    let paths = files.map(|(path, _)| format!("p/{path}"));
    let mut arguments: Vec<_> = paths.iter().map(String::as_str).collect();
    arguments.extend(["--only", "first,second,third,fourth", "--dry-run"]);
    let outcome = adopt(&files, &arguments).success();
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
would adopt 3 functions:
  kernels/first.cu: first(n: int32) -> int32
  kernels/second.cu: second(n: int32) -> int32
  kernels/fourth.cu: fourth(n: int32) -> int32
  CMakeLists.txt: kernel_sources
left out:
  lib/c.cpp:3: `helper` and all others of the file: `lib/a.cpp` defines `helper`, too, and both would be linked; adopt one of them, or make it static in both
not known:
  kernels/first.cu:15: it works on the CPU alone
  kernels/second.cu:15: it works on the CPU alone
  kernels/fourth.cu:15: it works on the CPU alone
nothing was written

"#]]
    );
}

#[test]
fn it_is_done_again_with_force() {
    let sources = [("lib/norm.cpp", NORM)];
    let outcome = adopt(&sources, &["p/lib/norm.cpp", "-q"]).success();
    let before = outcome.read("p/CMakeLists.txt");
    let again = ["--package", "p", "p/lib/norm.cpp", "-q"];
    let outcome = outcome.again("adopt").args(again).run();
    snapbox::assert_data_eq!(
        outcome.stderr.clone(),
        str![[r#"
error: there is no function to adopt:
  lib/norm.cpp:2: `norm`: function `norm` already exists: `kernels/norm.cu`
hint: `--force` declares them again, without your edits, which a commit must have

"#]]
    );
    let outcome = outcome
        .again("adopt")
        .args(again)
        .arg("--force")
        .run()
        .success();
    assert_eq!(outcome.read("p/CMakeLists.txt"), before);

    let edited = outcome.read("p/kernels/norm.cu") + "// mine\n";
    fs::write(outcome.path("p/kernels/norm.cu"), &edited).unwrap();
    let outcome = outcome.again("adopt").args(again).arg("--force").run();
    snapbox::assert_data_eq!(
        outcome.stderr.clone(),
        str![[r#"
error: `--force` would overwrite files in `p` that no commit has:
  kernels/norm.cu
hint: commit them, or move them away

"#]]
    );
    assert_eq!(outcome.read("p/kernels/norm.cu"), edited);
}

/// Existing files may have been edited.
#[test]
fn what_is_new_is_adopted_beside_what_is_there() {
    let outcome = adopt(&[("lib/norm.cpp", NORM)], &["p/lib/norm.cpp", "-q"]).success();
    let edited = outcome.read("p/kernels/norm.cu") + "// mine\n";
    fs::write(outcome.path("p/kernels/norm.cu"), &edited).unwrap();
    let twice = "double twice(double x) { return 2 * x; }\n";
    fs::write(outcome.path("p/lib/norm.cpp"), format!("{NORM}{twice}")).unwrap();
    let again = outcome.again("adopt").args(["--package", "p"]);
    let outcome = again.arg("p/lib/norm.cpp").run().success();
    assert!(outcome.path("p/kernels/twice.cu").exists());
    assert_eq!(outcome.read("p/kernels/norm.cu"), edited);
}

#[test]
fn a_dry_run_writes_nothing() {
    let outcome = adopt(&[("lib/norm.cpp", NORM)], &["p/lib/norm.cpp", "--dry-run"]).success();
    assert_eq!(files(&outcome.path("p/kernels")), ["axpy.cu", "dot.cu"]);
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
would adopt 1 function:
  kernels/norm.cu: norm(x: float64(n)) -> float64
  CMakeLists.txt: kernel_sources
not known:
  kernels/norm.cu:15: it works on the CPU alone
nothing was written

"#]]
    );
}

/// An extension of PyTorch, and its kernels in a file of their own.
#[test]
fn an_extension_of_a_framework_is_adopted_without_its_headers() {
    let kernels = "__global__ void relu(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] < 0 ? 0 : x[i];
}
";
    let wrapper = "torch::Tensor relu_(torch::Tensor x) {
  const at::cuda::CUDAGuard guard(x.device());
  relu<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), x.numel());
  return x;
}
";
    let includes = "#include <torch/extension.h>\n#include <c10/cuda/CUDAGuard.h>\n";
    let whole = format!("{includes}{kernels}{wrapper}");
    refused(
        &[("lib/relu_ext.cu", &whole)],
        &["p/lib/relu_ext.cu"],
        2,
        str![[r#"
error: there is no function to adopt:
  lib/relu_ext.cu:3: `relu` and all others of the file: <c10/cuda/CUDAGuard.h> is from a library that packages are built without: move the kernels and what they call into a file without that library, and adopt that file
hint: give files that define kernels, or functions of the host that take pointers and scalars

"#]],
    );
    let outcome = adopt(&[("lib/relu.cu", kernels)], &["p/lib/relu.cu"]).success();
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
adopted 1 function:
  kernels/relu.cu: relu(x: inout float32(n))
  CMakeLists.txt: kernel_sources
not known:
  kernels/relu.cu:9: `x`: `out`, or a result behind `->`, where all of it is written and none is read
  kernels/relu.cu:15: the grid is a guess
next:
  pip install .
  settle what is not known, and remove its mark: grep -n 'adopt:' kernels/*.cu

"#]]
    );
    for header in [
        "ATen/ATen.h",
        "pybind11/pybind11.h",
        "nanobind/nanobind.h",
        "Python.h",
    ] {
        let source = format!("#include <{header}>\n{kernels}");
        let outcome = adopt(&[("lib/relu.cu", &source)], &["p/lib/relu.cu"]);
        let said = format!("<{header}> is from a library that packages are built without: move");
        assert!(outcome.stderr.contains(&said), "{}", outcome.stderr);
    }
}

#[test]
fn what_cannot_be_adopted() {
    let elsewhere = "#include <elsewhere/x.h>\nvoid f(float *x, int n) {}\n";
    refused(
        &[("lib/t.cu", elsewhere)],
        &["p/lib/t.cu"],
        2,
        str![[r#"
error: there is no function to adopt:
  lib/t.cu:2: `f` and all others of the file: <elsewhere/x.h> was not found: `--include DIR` names its folder
hint: give files that define kernels, or functions of the host that take pointers and scalars

"#]],
    );
    refused(
        &[("lib/norm.cpp", NORM)],
        &["p/lib/norm.cpp", "--only", "nrm"],
        2,
        str![[r#"
error: there is no function to adopt
hint: give files that define kernels, or functions of the host that take pointers and scalars

"#]],
    );
    refused(
        &[("README.txt", "")],
        &["p/README.txt"],
        2,
        str![[r#"
error: `README.txt` is not a source that can be adopted
hint: give files of C, C++ and CUDA, sources or headers, outside of `kernels/`

"#]],
    );
    refused(
        &[("../else.cu", NORM)],
        &["else.cu"],
        2,
        str![[r#"
error: `else.cu` is not in the package
hint: copy it there, such as into `lib/`, or add it as a submodule of git: builds read nothing else

"#]],
    );
    refused(
        &[],
        &["p/nosuch.cu"],
        2,
        str![[r#"
error: `p/nosuch.cu` does not exist
hint: give files and folders that are in the package

"#]],
    );
}

/// Nothing is waited for, and nothing that takes all memory is read.
#[test]
#[cfg(unix)]
fn what_is_no_file_that_can_be_read() {
    let outcome = adopt(
        &[("lib/norm.cpp", &format!("#include \"long.h\"\n{NORM}"))],
        &["p/none"],
    );
    let lib = outcome.path("p/lib");
    for name in ["long.cpp", "long.h"] {
        let file = fs::File::create(lib.join(name)).unwrap();
        file.set_len(1 << 40).unwrap();
    }
    let pipe = Command::new("mkfifo").arg(lib.join("pipe.cpp")).status();
    assert!(pipe.unwrap().success());
    let adopt = |outcome: Outcome, path| {
        let again = outcome.again("adopt").args(["--package", "p"]);
        again.arg(path).run()
    };
    let outcome = adopt(outcome, "p/lib/pipe.cpp").failure(
        2,
        str![[r#"
error: `lib/pipe.cpp` is no regular file
hint: give files of C, C++ and CUDA

"#]],
    );
    let outcome = adopt(outcome, "p/lib/long.cpp").failure(
        2,
        str![[r#"
error: `lib/long.cpp` has more than 16 MiB
hint: give files of C, C++ and CUDA

"#]],
    );
    adopt(outcome, "p/lib/norm.cpp").failure(
        2,
        str![[r#"
error: there is no function to adopt:
  lib/norm.cpp:3: `norm` and all others of the file: "long.h" cannot be read: it has more than 16 MiB
hint: give files that define kernels, or functions of the host that take pointers and scalars

"#]],
    );
}
