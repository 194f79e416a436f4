//! Tests the sizes, dtypes and grids that `cuvec-new adopt` declares, and those that it leaves to
//! whoever knows the code.

use super::adopt;

/// The declaration of the only function of a source, on one line, and its marks.
#[track_caller]
fn declared(path: &str, source: &str) -> (String, String, String) {
    let outcome = adopt(&[(path, source)], &[&format!("p/{path}"), "-q"]).success();
    let files = crate::project::files(&outcome.path("p/kernels"));
    let new = files
        .iter()
        .find(|it| !["axpy.cu", "dot.cu"].contains(&it.as_str()));
    let text = outcome.read(&format!("p/kernels/{}", new.unwrap()));
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let start = line.split_once("signature = ").unwrap().1;
    let start = start.trim_start_matches("R\"(").trim_start_matches('"');
    let end = start.find([';']).unwrap();
    let signature = start[..end].trim_end_matches(['"', ')']).to_owned() + ")";
    let marks = text.lines().filter(|it| it.contains("// adopt: "));
    (signature, marks.collect::<Vec<_>>().join("\n"), text)
}

/// A body with the arguments `const float *x, float *y, int n, int m, int k`.
fn body(text: &str) -> String {
    format!("void f(const float *x, float *y, const int *i, int n, int m, int k) {{ {text} }}\n")
}

/// Where all of an index is understood, its size is declared without a mark.
#[test]
fn sizes_that_loops_tell() {
    for (text, shape) in [
        ("for (int a = 0; a < n; ++a) y[a] = 0;", "n"),
        ("int a; for (a = 0; a < n; a++) y[a] = 0;", "n"),
        ("for (int a = 2; n > a; a += 2) y[a] = 0;", "n"),
        ("int a = 0; while (a < n) { y[a] = 0; a++; }", "n"),
        (
            "for (int a = 0; a < n; a++) { if (a > 0 && x[a]) y[a] = 0; }",
            "n",
        ),
        (
            "for (int a = 0; a < n; a++) for (int b = 0; b < m; b++) y[a * m + b] = 0;",
            "n,m",
        ),
        (
            "for (int a = 0; a < n; a++) { y[3 * a] = 0; y[3 * a + 1] = 1; y[3 * a + 2] = 2; }",
            "n,3",
        ),
    ] {
        let (signature, marks, _) = declared("lib/f.cpp", &body(text));
        assert!(
            signature.contains(&format!("y: inout float32({shape})")),
            "{text}: {signature}"
        );
        let unknown = marks.lines().find(|it| it.contains("what sizes"));
        assert!(
            !unknown.unwrap_or_default().contains("`y`"),
            "{text}: {marks}"
        );
    }
}

/// A size that is guessed wrong refuses calls that are right, and lets others write past the end.
#[test]
fn sizes_that_are_not_known_are_marked() {
    for text in [
        "for (int a = 0; a < n; a++) y[a + 1] = y[a];",
        "for (int a = 0; a < n; a++) { y[a] = 0; y[2 * a] = 0; }",
        "for (int a = 0; a < n; a++) y[i[a]] = y[a];",
        "for (int a = 0; a < n; a++) y[a * k] = 0;",
        "for (int a = m; a < n; a++) y[a] = 0;",
        "for (int a = i[0]; a < i[1]; a++) y[a] = 0;",
        "int a; for (a = 0; a < n; a++) y[a] = 0; for (a = 0; a < m; a++) y[a] = 0;",
        "for (int a = 0; a < n; a++) y[a] = 0; for (int a = 0; a < m; a++) y[a] = 0;",
        "for (int a = 0; a <= n; a++) y[a] = 0;",
        "for (int a = 0; a < n; a++) { a += k; y[a] = 0; }",
        "n *= 2; for (int a = 0; a < n; a++) y[a] = 0;",
        "for (int a = 0; a < n; a++) { int a = k; y[a] = 0; }",
        "for (int a = 0; a < n; a++) y[a] = 0; other(y, n);",
        "for (int a = 0; a < n; a++) { y[a] = 0; *y = 1; }",
        "for (int a = 0; a < n; a++) if (a < m) y[a] = 0;",
        "for (int a = 0; a < n; a++) if (a == 0) y[a] = 0;",
        "for (int a = 0; a < n; a++) y[(unsigned char)a] = 0;",
        "for (int a = 0; a < n; a++) y[a] = 0; y[n] = 1;",
        "int a = 0; while (a < n) { a++; y[a] = 0; }",
    ] {
        let (signature, marks, _) = declared("lib/f.cpp", &body(text));
        assert!(
            signature.contains("y: inout float32(y_size)"),
            "{text}: {signature}"
        );
        let unknown = marks.lines().find(|it| it.contains("what sizes"));
        assert!(
            unknown.unwrap_or_default().contains("`y`"),
            "{text}: {marks}"
        );
    }
}

/// Which definitions a build has is not known here.
#[test]
fn what_the_preprocessor_chooses_is_marked() {
    let function = "void f(real *x, int n) { for (int i = 0; i < n; i++) x[i] = 1; }\n";
    let guarded = "#ifndef LIB_H\n#define LIB_H\ntypedef double real;\n#endif\n";
    let chosen = "the dtype of `x` depends on `real`, which the preprocessor chooses";
    for (definitions, dtype, is_marked) in [
        ("typedef double real;\n", "float64", false),
        (guarded, "float64", false),
        (
            "#ifdef __cplusplus\ntypedef double real;\n#endif\n",
            "float64",
            false,
        ),
        (
            "#if 0\ntypedef float real;\n#else\ntypedef double real;\n#endif\n",
            "float64",
            false,
        ),
        (
            "#ifdef SINGLE\n#define real float\n#else\n#define real double\n#endif\n",
            "float64",
            true,
        ),
        (
            "#ifndef real\n#define real double\n#endif\n",
            "float64",
            true,
        ),
        (
            "typedef double real;\n#ifdef SINGLE\n#define real float\n#endif\n",
            "float",
            true,
        ),
    ] {
        let (signature, marks, _) = declared("lib/f.cpp", &format!("{definitions}{function}"));
        assert!(
            signature.contains(&format!("x: inout {dtype}")),
            "{definitions}: {signature}"
        );
        assert_eq!(marks.contains(chosen), is_marked, "{definitions}: {marks}");
    }
    let (_, marks, _) = declared(
        "lib/f.cpp",
        &format!("typedef double real;\n#ifdef OWN\n{function}#endif\n"),
    );
    assert!(
        marks.contains("whether it is there depends on `#ifdef OWN`"),
        "{marks}"
    );
    let header = "typedef float real;\n";
    let source = format!("#ifdef SINGLE\n#include \"single.h\"\n#endif\n{function}");
    let sources = [("lib/single.h", header), ("lib/f.cpp", &*source)];
    let outcome = adopt(&sources, &["p/lib/f.cpp"]).success();
    assert!(outcome.stdout.contains(chosen), "{}", outcome.stdout);
}

#[test]
fn a_size_is_never_cut_to_fewer_bits() {
    let source = |size: &str| {
        format!("void f(float *x, {size} n) {{ for ({size} i = 0; i < n; i++) x[i] = 1; }}\n")
    };
    for size in ["int", "unsigned", "short", "size_t"] {
        let (_, _, text) = declared("lib/f.cpp", &source(size));
        let call = format!("::f(x.data, cuvec::narrow<{size}>(x.size()));");
        assert!(text.contains(&call), "{text}");
    }
    let (_, _, text) = declared("lib/f.cpp", &source("long long"));
    assert!(text.contains("::f(x.data, x.size());"), "{text}");
    let kernel =
        "__global__ void f(float *x, int n) { int i = threadIdx.x; if (i < n) x[i] = 1; }\n";
    let (_, _, text) = declared("lib/f.cu", kernel);
    assert!(
        text.contains("(grid, x.data, cuvec::narrow<int>(x.size()));"),
        "{text}"
    );
}

#[test]
fn the_grid_of_a_launch_in_the_file_is_taken() {
    let kernel = "__global__ void f(const float *x, float *y, int rows, int cols) {
      int r = blockIdx.x; if (r >= rows) return;
      for (int c = threadIdx.x; c < cols; c += blockDim.x) y[r * cols + c] = x[r * cols + c]; }\n";
    for (host, grid) in [
        (
            "f<<<rows, 128>>>(x, y, rows, cols);",
            "grid(y.size(0), 128);",
        ),
        (
            "f<<<h, T, T * sizeof(float), s>>>(x, y, h, w);",
            "grid(y.size(0), 64, 64 * sizeof(float));",
        ),
        (
            "const int b = (h + 7) / 8; dim3 t(32, 8); f<<<b, t>>>(x, y, h, w);",
            "grid((y.size(0) + 7) / 8, dim3(32, 8));",
        ),
        (
            "dim3 t(w, h); f<<<1, t>>>(x, y, h, w);",
            "grid(1, dim3(y.size(1), y.size(0)));",
        ),
    ] {
        let host = format!(
            "#define T 64\nvoid run(float *x, float *y, int rows, int cols, int h, int w, cudaStream_t s) {{ {host} }}\n"
        );
        let outcome = adopt(
            &[("lib/f.cu", &format!("{kernel}{host}"))],
            &["p/lib/f.cu", "--only", "f"],
        )
        .success();
        let text = outcome.read("p/kernels/f.cu").replace("y.data, ", "");
        let shape = text.replace("x.size(", "y.size(");
        assert!(shape.contains(grid), "{host}: {text}");
        assert!(
            text.contains("// adopt: the grid is of lib/f.cu:"),
            "{text}"
        );
    }
    let unknown = "int pick(); void run(float *x, float *y, int r, int c) { int b = pick(); f<<<b, 1>>>(x, y, r, c); }\n";
    let outcome = adopt(
        &[("lib/f.cu", &format!("{kernel}{unknown}"))],
        &["p/lib/f.cu", "--only", "f"],
    )
    .success();
    assert!(
        outcome
            .read("p/kernels/f.cu")
            .contains("the grid is a guess; lib/f.cu:4 has <<<b, 1>>>")
    );
}

/// Blocks of sixteen threads along it would do all sixteen times.
#[test]
fn an_axis_without_threads_has_blocks_of_one() {
    let kernel = "__global__ void f(float *x, float *y, int rows, int cols) {
      int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
      if (c < cols && r < rows) atomicAdd(&y[r * cols + c], x[c]); }\n";
    let (signature, _, text) = declared("lib/f.cu", kernel);
    assert!(
        signature.contains("y: inout float32(rows,cols)"),
        "{signature}"
    );
    assert!(
        text.contains("dim3((x.size() + 255) / 256, y.size(0)), dim3(256, 1)"),
        "{text}"
    );
}

/// More blocks than rows would write past the end.
#[test]
fn a_block_for_each_row_is_understood() {
    let kernel = |head: &str, end: &str| {
        format!(
            "__global__ void f(const float *x, float *y, {head}, int cols) {{
      float sum = 0; {end} }}\n"
        )
    };
    let of_row = "for (int j = threadIdx.x; j < cols; j += blockDim.x) sum += x[row * cols + j];
      atomicAdd(&y[row], sum);";
    for (source, grid) in [
        // A row of an array that has one element for each.
        (
            kernel("int other", &format!("int row = blockIdx.x; {of_row}")),
            "grid(y.size(), 256);",
        ),
        (
            kernel("int other", &of_row.replace("row", "blockIdx.x")),
            "grid(y.size(), 256);",
        ),
        // The limit of a row.
        (
            kernel(
                "int rows",
                &format!("int row = blockIdx.x; if (row >= rows) return; {of_row}"),
            ),
            "grid(x.size(0), 256);",
        ),
        (
            kernel(
                "int rows",
                &format!("for (int row = blockIdx.x; row < rows; row += gridDim.x) {{ {of_row} }}"),
            ),
            "grid(x.size(0), 256);",
        ),
        (
            kernel(
                "int rows",
                "int r = blockIdx.x; if (r < rows) x += r * cols; y[r] = x[0] + threadIdx.x;",
            ),
            "grid(rows, 256);",
        ),
        // Nothing tells how many.
        (
            kernel("int other", "y[blockIdx.x * cols + threadIdx.x] = 0;"),
            "grid(1, 256);",
        ),
        // The threads of a launch whose blocks are not known.
        (
            format!(
                "{}void g(float *x, float *y, int r, int c) {{ f<<<r, 128>>>(x, y, 0, c); }}\n",
                kernel("int other", &format!("int row = blockIdx.x; {of_row}"))
            ),
            "grid(y.size(), 128);",
        ),
        // No row: a thread for each element.
        (
            kernel(
                "int other",
                "int b = blockIdx.x, i = b * blockDim.x + threadIdx.x; if (i < cols) y[i] = x[b];",
            ),
            "grid = cuvec::threads_for(y.size());",
        ),
        (
            kernel(
                "int other",
                "int i = blockIdx.x * 256 + threadIdx.x; if (i < cols) y[i] = x[blockIdx.x];",
            ),
            "grid = cuvec::threads_for(y.size());",
        ),
    ] {
        let outcome = adopt(&[("lib/f.cu", &source)], &["p/lib/f.cu", "--only", "f"]).success();
        let text = outcome.read("p/kernels/f.cu");
        assert!(text.contains(grid), "{source}{text}");
        assert!(text.contains("// adopt: the grid is a guess"), "{text}");
    }
}

#[test]
fn scalars_keep_what_they_are_by_default() {
    let body = "{ for (int i = 0; i < n; i++) x[i] = a; }\n";
    let (signature, ..) = declared(
        "lib/f.cpp",
        &format!("void f(float *x, int n, float a = 2.f, bool b = true) {body}"),
    );
    assert_eq!(
        signature,
        "f(x: inout float32(n), a: float32 = 2.0, b: bool = True)"
    );
    let (signature, marks, _) = declared(
        "lib/f.cpp",
        &format!("void f(float *x, int n, float a = PI, int b = 3) {body}"),
    );
    assert_eq!(
        signature,
        "f(x: inout float32(n), a: float32, b: int32 = 3)"
    );
    assert!(
        marks.contains("`a` is `PI` by default in C++, and must be given here"),
        "{marks}"
    );
}

/// A definition cannot repeat what its declaration in a header has.
#[test]
fn scalars_have_the_defaults_of_headers() {
    let source = "#include \"f.h\"\nnamespace lib {
      void f(float *x, int n, real a, bool b) { for (int i = 0; i < n; i++) x[i] = a; }\n}\n";
    let signature = |header: &str| {
        let sources = [("lib/f.h", header), ("lib/f.cpp", source)];
        let outcome = adopt(&sources, &["p/lib/f.cpp", "-q"]).success();
        let text = outcome.read("p/kernels/f.cu");
        let start = text.split_once("signature = \"").unwrap().1;
        (start.split('"').next().unwrap().to_owned(), text)
    };
    let header = |text: &str| format!("typedef double real;\nnamespace lib {{\n{text}\n}}\n");
    let both = "f(x: inout float32(n), a: float64 = 2.5, b: bool = True)";
    let none = "f(x: inout float32(n), a: float64, b: bool)";
    let declared = "void f(float *x, int n, real a = 2.5, bool b = true);";
    assert_eq!(signature(&header(declared)).0, both);
    // Defaults of another function, and in another namespace.
    let other = "void f(float *x, int n, float a = 1, bool b = true); void f(int n = 3);";
    assert_eq!(signature(&header(&format!("{other} {declared}"))).0, both);
    let outside = "typedef double real;\nvoid f(float *x, int n, real a = 2.5, bool b = true);\n";
    assert_eq!(signature(outside).0, none);
    let chosen = format!("#ifdef FAST\n{declared}\n#endif\n");
    let (found, text) = signature(&header(&chosen));
    assert_eq!(found, none);
    assert!(
        text.contains(
            "`a` is `2.5` by default in C++ with some definitions, and must be given here"
        ),
        "{text}"
    );
}

#[test]
fn what_the_cpu_does_is_not_taken_for_work_of_the_gpu() {
    let source = "#include <cuda_runtime.h>\nvoid f(float *x, int n) { for (int i = 0; i < n; i++) x[i] *= 2; }\n\
                  void g(const float *x, int n, cudaStream_t s);\nvoid h(float *x, int n) { g(x, n, 0); }\n";
    let outcome = adopt(&[("lib/f.cpp", source)], &["p/lib/f.cpp"]).success();
    let left_out = "  lib/f.cpp:2: `f`: the CPU reads or writes `x`, and its file needs CUDA: move it into a file that does not\n";
    assert!(outcome.stdout.contains(left_out), "{}", outcome.stdout);
    assert!(outcome.path("p/kernels/h.cu").exists());
}
