//! `cuvec-new doctor`, on machines whose programs and toolkits only claim to be some.

use std::path::Path;

use snapbox::str;

use crate::project::{Outcome, Project, make_executable, write};

/// The real one, but for its version and its headers.
const PYTHON: &str = r#"
case "$*" in
    *ensurepip*) echo "3 12" ;;
    *cuvec_build*)
        shift 3
        code=$1
        shift
        exec "$PYTHON" -I -B -c "
import platform, sysconfig
platform.python_version = lambda: '3.12.1'
sysconfig.get_path = lambda *_: '$INCLUDE'
$code" "$@" ;;
    *) exit 1 ;;
esac"#;
const GCC: &str = "echo 'g++ (Debian 12.2.0-14) 12.2.0'";
const CLANG: &str = "echo 'Debian clang version 21.1.0'";
const NVCC: &str = "echo 'Cuda compilation tools, release 13.1, V13.1.80'";
const LIMITS: &str = "#if __GNUC__ > 11\n#if (__clang_major__ >= 19) || (__clang_major__ < 3)\n";

/// Checks of the machine that the tests run on.
const OF_MACHINE: [&str; 5] = ["libcuda: ", "driver: ", "GPU ", "memory: ", "disk: "];

/// A machine with these programs and no others.
struct Machine(Project);

impl Machine {
    fn new(programs: &[(&str, &str)]) -> Self {
        let project = Project::bare().arg("doctor");
        let (folder, cache) = (project.path("programs"), project.path("cache"));
        let mut machine = Self(project.env("PATH", folder).env("CUVEC_CACHE", cache));
        for (name, script) in programs {
            machine = machine.program(&format!("programs/{name}"), script);
        }
        machine
    }

    /// All that the default package needs.
    fn complete() -> Self {
        Self::new(&[
            ("python3", PYTHON),
            ("cmake", "echo cmake version 3.31.2"),
            ("c++", GCC),
            ("g++", GCC),
            ("cargo", "echo cargo 1.95.0"),
            ("rustc", "echo rustc 1.95.0"),
        ])
        .file("include/Python.h", "")
    }

    fn program(self, path: &str, script: &str) -> Self {
        let path = self.0.path(path);
        write(&path, &format!("#!/bin/sh\n{script}\n"));
        make_executable(&path);
        self
    }

    fn file(self, path: &str, text: &str) -> Self {
        Self(self.0.file(path, text))
    }

    fn env(self, key: &str, value: &str) -> Self {
        Self(self.0.env(key, value))
    }

    /// A variable with a path below the root.
    fn path(self, key: &str, path: &str) -> Self {
        let path = self.0.path(path);
        Self(self.0.env(key, path))
    }

    /// A toolkit in the folder `cuda`.
    fn toolkit(self, nvcc: &str) -> Self {
        self.program("cuda/bin/nvcc", nvcc)
            .file("cuda/include/cccl/nv/target", "")
            .file("cuda/include/crt/host_config.h", LIMITS)
    }

    /// A package that was made for kernels of a language, with more files.
    fn package(self, kernels: &str, files: &[&str]) -> Self {
        let record =
            format!("[answers]\nname = \"mine\"\nbridge = \"some\"\nkernels = \"{kernels}\"\n");
        let machine = self.file(".cuvec-new.toml", &record);
        files
            .iter()
            .fold(machine, |machine, path| machine.file(path, ""))
    }

    fn arg(self, argument: &str) -> Self {
        Self(self.0.arg(argument))
    }

    /// Its output, without what is found of this machine; `ROOT` is the folder that all is in.
    fn run(self) -> (Outcome, String) {
        let search = std::env::var("PATH").unwrap();
        let mut pythons = search.split(':').map(|it| format!("{it}/python3"));
        let python = pythons.find(|it| Path::new(it).exists()).unwrap();
        let outcome = self.path("INCLUDE", "include").env("PYTHON", &python);
        let outcome = outcome.0.run();
        let root = outcome.path("");
        let root = root.to_str().unwrap().trim_end_matches('/');
        let shown = outcome.stdout.replace(root, "ROOT");
        let shown = shown.replace(&python, "PYTHON");
        let is_own = |it: &&str| {
            let check = it.get(9..).unwrap_or_default();
            !OF_MACHINE.iter().any(|of| check.starts_with(of))
        };
        let lines = shown.split_inclusive('\n').filter(is_own);
        (outcome, lines.collect())
    }

    /// Says this of a check, with an exit code that fits.
    #[track_caller]
    fn says(self, line: &str) {
        let (outcome, shown) = self.run();
        assert!(
            shown.lines().any(|it| it == line),
            "{shown}{}",
            outcome.stderr
        );
        let mut lines = outcome.stdout.lines();
        let is_problem = lines.any(|it| it.starts_with("problem"));
        assert_eq!(outcome.code, i32::from(is_problem), "{shown}");
    }

    /// Says this of a check, whatever it says of others.
    #[track_caller]
    fn says_among(self, line: &str) {
        let (_, shown) = self.run();
        assert!(shown.lines().any(|it| it == line), "{shown}");
    }

    #[track_caller]
    fn says_nothing_of(self, check: &str) {
        let (_, shown) = self.run();
        assert!(!shown.contains(&format!("  {check}: ")), "{shown}");
    }
}

#[test]
fn a_machine_that_has_everything() {
    let (outcome, shown) = Machine::complete().run();
    snapbox::assert_data_eq!(
        shown,
        str![[r#"
ok       package: none in `.`: checks what the default package needs
ok       cargo: 1.95 at ROOT/programs/cargo
ok       rustc: 1.95 at ROOT/programs/rustc
ok       core: none in ROOT/cache yet: the first build compiles it
ok       Python: 3.12.1 at PYTHON
ok       CMake: 3.31 at ROOT/programs/cmake
ok       nvcc: 13.0, which pip fetches for the build
ok       C++ compiler: GCC 12.2 at ROOT/programs/c++
ok       compiler of nvcc: GCC 12.2 at ROOT/programs/g++; nvcc takes GCC up to 15

"#]]
    );
    outcome.success();
}

#[test]
fn cores_that_are_compiled() {
    let machine = || Machine::complete().file("cache/core-1/_core.abi3.so", &"a".repeat(2_000_000));
    machine().says("ok       core: one compiled in ROOT/cache");
    let another = machine().file("cache/core-2/_core.abi3.so", "");
    another.says("ok       core: 2 compiled in ROOT/cache");
    let without = machine().env("CUVEC_CACHE", "0");
    without.says("ok       core: none, for CUVEC_CACHE is 0: every build compiles all");
}

/// As a build has it, whose current folder is the package's; and the command that empties it.
#[test]
fn the_size_of_the_cache() {
    let machine = || {
        let file = "my cache/builds/mypkg-1/build/axpy.o";
        Machine::complete().file(file, &"a".repeat(3_000_000))
    };
    let line = "ok       cache: 3 MB in ROOT/my cache; `rm -r 'ROOT/my cache'` empties it";
    machine().env("CUVEC_CACHE", "my cache").says(line);
    machine().env("CUVEC_CACHE", "./my cache").says(line);
    let machine_with_home = machine();
    let home = machine_with_home
        .0
        .path("my cache")
        .parent()
        .map(Path::to_owned);
    let of_home = machine_with_home.env("HOME", &home.unwrap_or_default().display().to_string());
    of_home.env("CUVEC_CACHE", "~/my cache").says(line);
    Machine::complete().says_nothing_of("cache");
}

#[test]
fn a_machine_that_has_python_only() {
    let (outcome, shown) = Machine::new(&[("python3", PYTHON)]).run();
    snapbox::assert_data_eq!(
        shown,
        str![[r#"
ok       package: none in `.`: checks what the default package needs
problem  cargo: none on the PATH, none in ~/.cargo/bin; install Rust: https://rustup.rs
ok       core: none in ROOT/cache yet: the first build compiles it
ok       Python: 3.12.1 at PYTHON
ok       CMake: none: pip fetches one for the build
ok       nvcc: 13.0, which pip fetches for the build
problem  C++ compiler: none on the PATH; install one, for instance with: apt install g++

"#]]
    );
    assert_eq!(outcome.code, 1);
}

#[test]
fn a_machine_that_has_nothing() {
    let (outcome, shown) = Machine::new(&[]).run();
    snapbox::assert_data_eq!(
        shown,
        str![[r#"
ok       package: none in `.`: checks what the default package needs
problem  Python: no Python 3.11 or later found; install one from https://www.python.org/downloads
problem  cargo, compilers, driver, memory, disk: not looked at: no Python 3.11 or later found; install one from https://www.python.org/downloads

"#]]
    );
    assert_eq!(outcome.stderr, "2 problems\n");
    assert_eq!(outcome.code, 1);
}

#[test]
fn json_has_the_same() {
    let machine = Machine::complete().env("CXX", "nowhere/g++").arg("--json");
    let (outcome, shown) = machine.run();
    let found: serde_json::Value = serde_json::from_str(&shown).unwrap();
    let found = found.as_array().unwrap();
    let expected = serde_json::json!({
        "check": "C++ compiler",
        "status": "problem",
        "found": "CXX is `nowhere/g++`, which is no program",
        "hint": "unset CXX",
    });
    assert!(found.contains(&expected), "{shown}");
    assert_eq!(outcome.stderr, "1 problem\n");
    assert_eq!(outcome.code, 1);
}

#[test]
fn python() {
    let old = PYTHON.replace("3 12", "3 9");
    Machine::complete().program("programs/python3", &old).says(
        "problem  Python: no Python 3.11 or later found, only `python3` (3.9); \
         install one from https://www.python.org/downloads",
    );
    let record = "[answers]\nname = \"mine\"\npython = \"3.13\"";
    Machine::complete().file(".cuvec-new.toml", record).says(
        "problem  Python: no Python 3.13 or later found, only `python3` (3.12); \
         install one from https://www.python.org/downloads",
    );
    let bare = PYTHON.replace("3 12", "3 12 bare");
    let machine = || Machine::complete().program("programs/python3", &bare);
    machine().says(
        "warning  Python: `python3` (3.12 without venv); on Debian and Ubuntu: apt install python3-venv",
    );
    // It does for what is asked.
    machine().says("ok       cargo: 1.95 at ROOT/programs/cargo");
}

#[test]
fn headers_of_python_are_for_bindings_in_cpp() {
    let with = |machine: Machine, tool: &str| {
        let text = format!("cuvec_extension(ext BINDINGS {tool} SOURCES ext.cpp)\n");
        machine.package("cu", &[]).file("src/CMakeLists.txt", &text)
    };
    for tool in ["cpython", "nanobind", "pybind11", "swig"] {
        with(Machine::complete(), tool).says("ok       headers of Python: ROOT/include/Python.h");
    }
    with(Machine::new(&[("python3", PYTHON)]), "swig").says_among(
        "problem  headers of Python: there is no ROOT/include/Python.h; on Debian and Ubuntu: apt install python3-dev",
    );
    for tool in ["ctypes", "cargo"] {
        with(Machine::complete(), tool).says_nothing_of("headers of Python");
    }
    Machine::complete().says_nothing_of("headers of Python");
}

/// A package whose lock says what its archive and its backend were made as.
fn with_runtime() -> Machine {
    let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let lock = format!("\u{c}runtime/a.tar.gz sha256:{sum}\n\u{c}runtime/backend.py\nimport a\n");
    Machine::complete()
        .package("cu", &[])
        .file(".cuvec-new.lock", &lock)
        .file("runtime/a.tar.gz", "abc")
        .file("runtime/backend.py", "import a\n")
}

#[test]
fn a_runtime_that_is_as_it_was_made() {
    with_runtime().says_nothing_of("runtime");
}

#[test]
fn a_runtime_that_is_damaged() {
    let fix = "; `git checkout -- runtime` restores it, or without git `cuvec-new update`";
    with_runtime().file("runtime/a.tar.gz", "ab").says(&format!(
        "problem  runtime: `runtime/a.tar.gz` is damaged{fix}"
    ));
    with_runtime()
        .file("runtime/backend.py", "import b\n")
        .says(&format!(
            "problem  runtime: `runtime/backend.py` is damaged{fix}"
        ));
    for path in ["runtime/a.tar.gz", "runtime/backend.py"] {
        let machine = with_runtime();
        std::fs::remove_file(machine.0.path(path)).unwrap();
        machine.says(&format!("problem  runtime: `{path}` is missing{fix}"));
    }
}

#[test]
fn a_runtime_that_its_owner_unpacked() {
    let line = "ok       runtime: `runtime/cuvec_runtime` is built, not the archive beside it";
    let machine = with_runtime().file("runtime/cuvec_runtime/VERSION", "");
    machine.file("runtime/a.tar.gz", "ab").says(line);
}

#[test]
fn the_doctor_of_packages_is_asked_too() {
    Machine::complete()
        .env("CUVEC_DEVICE", "none")
        .says("problem  CUVEC_DEVICE: `none` is neither auto, cuda nor cpu; unset CUVEC_DEVICE");
}

#[test]
fn cmake() {
    Machine::complete()
        .program("programs/cmake", "echo cmake version 3.25.1")
        .says("ok       CMake: 3.25 at ROOT/programs/cmake is older than 3.27: pip fetches one for the build");
    Machine::complete()
        .program("programs/cmake", "exit 1")
        .says("problem  CMake: ROOT/programs/cmake does not run; take it off the PATH, and pip fetches one");
}

#[test]
fn what_cannot_be_run_is_no_program() {
    let none = "ok       CMake: none: pip fetches one for the build";
    let machine = || Machine::new(&[("python3", PYTHON), ("c++", GCC), ("g++", GCC)]);
    machine()
        .file("programs/cmake", "no permission")
        .says_among(none);
    machine().file("programs/cmake/file", "").says_among(none);
}

#[test]
fn the_nvcc_that_is_used() {
    let with_toolkit = || Machine::complete().toolkit(NVCC);
    with_toolkit()
        .path("CUDA_HOME", "cuda")
        .says("ok       nvcc: 13.1 at ROOT/cuda/bin/nvcc of CUDA_HOME");
    with_toolkit()
        .path("CUDACXX", "cuda/bin/nvcc")
        .path("CUDA_HOME", "cuda")
        .says("ok       nvcc: 13.1 at ROOT/cuda/bin/nvcc of CUDACXX");
    with_toolkit()
        .path("CUDAToolkit_ROOT", "cuda")
        .says("ok       CCCL: ROOT/cuda/include/cccl/nv/target");
    Machine::complete().program("programs/nvcc", NVCC).says(
        "ok       nvcc: 13.0, which pip fetches for the build; ROOT/programs/nvcc is not used",
    );
    Machine::complete().env("CUDA", "OFF").says(
        "warning  nvcc: CUDA=OFF: the package will work on the CPU alone; for the GPU: unset CUDA",
    );
    Machine::complete()
        .package("rust", &["kernels/axpy.rs"])
        .says_nothing_of("nvcc");
    for (kernels, file) in [
        ("cu", "kernels/axpy.rs"),
        ("rust", "kernels/axpy.cu"),
        ("rust", "src/axpy.cu"),
    ] {
        Machine::complete()
            .package(kernels, &[file])
            .says("ok       nvcc: 13.0, which pip fetches for the build");
    }
}

#[test]
fn an_nvcc_that_will_not_do() {
    let with_nvcc = |script| {
        Machine::complete()
            .toolkit(script)
            .path("CUDACXX", "cuda/bin/nvcc")
    };
    with_nvcc("echo release 11.8, V11.8.1").says(
        "problem  nvcc: 11.8 at ROOT/cuda/bin/nvcc of CUDACXX is older than 12.0; \
         unset CUDACXX, and pip fetches nvcc 13.0",
    );
    with_nvcc("echo release 12.0, V12.0.76")
        .says("ok       nvcc: 12.0 at ROOT/cuda/bin/nvcc of CUDACXX");
    with_nvcc("exit 1").says_nothing_of("CCCL");
    with_nvcc("exit 1").says(
        "problem  nvcc: ROOT/cuda/bin/nvcc of CUDACXX does not run; unset CUDACXX, and pip fetches nvcc 13.0",
    );
    Machine::complete().env("CUDACXX", "/nowhere/nvcc").says(
        "problem  nvcc: there is no /nowhere/nvcc of CUDACXX; unset CUDACXX, and pip fetches nvcc 13.0",
    );
}

/// PyPI has none: a build takes one from the PATH, as it does from a variable.
#[test]
fn an_nvcc_for_cuda_12() {
    let machine = || {
        let record = "[answers]\nname = \"mine\"\nkernels = \"cu\"\ncuda = \"12\"\n";
        Machine::complete().file(".cuvec-new.toml", record)
    };
    let hint = "set CUDA_HOME to a toolkit of CUDA 12";
    machine().says(&format!(
        "problem  nvcc: none, and PyPI has none of CUDA 12; {hint}"
    ));
    let with = |release: &str| {
        let nvcc = format!("echo release {release}, V{release}.1");
        machine().toolkit(&nvcc).path("CUDA_HOME", "cuda")
    };
    with("12.9").says("ok       nvcc: 12.9 at ROOT/cuda/bin/nvcc of CUDA_HOME");
    with("13.0").says(&format!(
        "problem  nvcc: 13.0 at ROOT/cuda/bin/nvcc of CUDA_HOME, but the package is for CUDA 12; {hint}"
    ));
    let on_path = machine().program("programs/nvcc", "echo release 12.4, V12.4.131");
    on_path.says_among("ok       nvcc: 12.4 at ROOT/programs/nvcc of PATH");
}

#[test]
fn stale_variables() {
    Machine::complete()
        .env("CUDA_HOME", "/nowhere")
        .says("problem  CUDA_HOME: /nowhere is no toolkit; unset CUDA_HOME");
    Machine::complete()
        .toolkit(NVCC)
        .path("CUDA_HOME", "cuda")
        .env("CUDA_PATH", "/nowhere")
        .says("problem  CUDA_PATH: /nowhere is no toolkit; unset CUDA_PATH");
    Machine::complete()
        .toolkit(NVCC)
        .program("other/bin/nvcc", NVCC)
        .path("CUDA_HOME", "cuda")
        .path("CUDA_PATH", "other")
        .says("warning  CUDA_PATH: ROOT/other is not used, for CUDA_HOME is set; unset CUDA_PATH");
}

#[test]
fn a_toolkit_without_cccl() {
    Machine::complete()
        .program("cuda/bin/nvcc", NVCC)
        .path("CUDA_HOME", "cuda")
        .says(
            "problem  CCCL: the toolkit of CUDA_HOME has no nv/target among its headers; install its CCCL, \
             such as `apt install cuda-cccl-13-0`, or unset CUDA_HOME",
        );
}

#[test]
fn wherever_a_toolkit_has_its_headers() {
    let of_target = format!("targets/{}-linux/include", std::env::consts::ARCH);
    for folder in ["include", "include/cccl", &of_target] {
        Machine::complete()
            .program("cuda/bin/nvcc", NVCC)
            .file(&format!("cuda/{folder}/nv/target"), "")
            .path("CUDA_HOME", "cuda")
            .says(&format!("ok       CCCL: ROOT/cuda/{folder}/nv/target"));
    }
}

#[test]
fn compilers_that_nvcc_accepts() {
    let toolkit = || Machine::complete().toolkit(NVCC).path("CUDA_HOME", "cuda");
    toolkit().says(
        "problem  compiler of nvcc: GCC 12.2 at ROOT/programs/g++; nvcc takes GCC up to 11; \
         apt install g++-11; export CUDAHOSTCXX=g++-11 CXX=g++-11",
    );
    toolkit()
        .program("older/g++", "echo g++ 11.4.0")
        .path("CUDAHOSTCXX", "older/g++")
        .says("ok       compiler of nvcc: GCC 11.4 at ROOT/older/g++; nvcc takes GCC up to 11");
    toolkit()
        .program("programs/clang++", CLANG)
        .env("CUDAHOSTCXX", "clang++")
        .says(
            "problem  compiler of nvcc: Clang 21.1 at ROOT/programs/clang++; nvcc takes Clang up to 18; \
             apt install clang-18; export CUDAHOSTCXX=clang++-18 CXX=clang++-18",
        );
    Machine::complete().program("programs/g++", "exit 1").says(
        "problem  compiler of nvcc: no g++ that runs; apt install g++, or export CUDAHOSTCXX=/path/to/clang++",
    );
}

#[test]
fn without_nvcc_its_compiler_is_not_looked_at() {
    Machine::complete()
        .env("CUDA", "OFF")
        .says_nothing_of("compiler of nvcc");
    Machine::complete()
        .package("rust", &[])
        .says_nothing_of("compiler of nvcc");
    Machine::complete()
        .package("cu", &[])
        .says("ok       compiler of nvcc: GCC 12.2 at ROOT/programs/g++; nvcc takes GCC up to 15");
}

#[test]
fn compilers() {
    Machine::complete()
        .program("programs/c++", "echo g++ 8.5.0")
        .says(
            "problem  C++ compiler: GCC 8.5 at ROOT/programs/c++ is older than 9, without C++17; \
         install one, for instance with: apt install g++",
        );
    Machine::complete()
        .program("programs/c++", "echo g++ 9.1.0")
        .says("ok       C++ compiler: GCC 9.1 at ROOT/programs/c++");
    Machine::complete().program("programs/c++", "exit 1").says(
        "problem  C++ compiler: ROOT/programs/c++ does not run; install one, for instance with: apt install g++",
    );
    Machine::complete()
        .package("rust", &["src/lib.rs"])
        .program("programs/cc", "echo cc 4.8")
        .says("ok       C compiler: GCC 4.8 at ROOT/programs/cc");
    for (kernels, file) in [("cu", "src/lib.rs"), ("rust", "src/ext.cpp")] {
        Machine::complete()
            .package(kernels, &[file])
            .says("ok       C++ compiler: GCC 12.2 at ROOT/programs/c++");
    }
}

#[test]
fn rust() {
    Machine::complete()
        .program("programs/rustc", "echo rustc 1.79.0")
        .says(
            "problem  rustc: 1.79 at ROOT/programs/rustc is older than 1.88; rustup update stable",
        );
    Machine::complete()
        .program("programs/rustc", "exit 1")
        .says("problem  rustc: ROOT/programs/rustc does not run; install Rust: https://rustup.rs");
    Machine::complete()
        .program("programs/cargo", "exit 1")
        .says("problem  cargo: ROOT/programs/cargo does not run; rustup default stable");
    Machine::new(&[("python3", PYTHON)])
        .program("home/.cargo/bin/cargo", "echo cargo 1.90.0")
        .says("ok       cargo: 1.90 at ROOT/home/.cargo/bin/cargo");
    Machine::complete()
        .package("cu", &["kernels/axpy.cu"])
        .says("ok       cargo: 1.95 at ROOT/programs/cargo");
}

#[test]
fn kernels_in_rust() {
    let package = || {
        let machine = Machine::complete().package("cu", &["kernels/axpy.rs", "kernels/lib.rs"]);
        machine.file("kernels/ptx/axpy.ptx", "")
    };
    let install = "rustup component add rust-src";
    let rust = "install Rust: https://rustup.rs";
    let cannot = "kernels that are edited cannot be compiled";
    let rustup = |script| package().program("programs/rustup", script);
    package().file("kernels/dot.rs", "").says(&format!(
        "problem  compiler of kernels: there is no rustup; kernels/dot.rs cannot be compiled; {rust}"
    ));
    package()
        .env("CUDA", "OFF")
        .says_nothing_of("compiler of kernels");
    package().says(&format!(
        "warning  compiler of kernels: there is no rustup; {cannot}; {rust}"
    ));
    rustup("exit 1").says(&format!(
        "warning  compiler of kernels: rustup has no compiler; {cannot}; rustup default stable"
    ));
    let sysroot = r#"echo "$HOME/../sysroot""#;
    let nightly = || rustup(r#"echo "$HOME/../nightly/rustc""#).program("nightly/rustc", sysroot);
    nightly().says(&format!(
        "warning  compiler of kernels: ROOT/home/../nightly/rustc has no sources of its library; {cannot}; {install}"
    ));
    nightly()
        .file("sysroot/lib/rustlib/src/rust/library/core/src/lib.rs", "")
        .says("ok       compiler of kernels: ROOT/home/../nightly/rustc");
    package()
        .path("KERNELS_RUSTC", "old/rustc")
        .program("old/rustc", "echo rustc 1.85.0")
        .says(&format!(
            "warning  compiler of kernels: ROOT/old/rustc is 1.85, and kernels need 1.92 or later; {cannot}; \
             rustup update stable, or name another one: KERNELS_RUSTC=/path/to/rustc"
        ));
    package()
        .path("KERNELS_RUSTC", "nightly/rustc")
        .program("nightly/rustc", sysroot)
        .file("sysroot/lib/rustlib/src/rust/library/core/src/lib.rs", "")
        .says("ok       compiler of kernels: ROOT/nightly/rustc");
    package().says("ok       assembler of kernels: none; a build gets one from PyPI after an edit");
    package()
        .program("programs/ptxas", "")
        .says("ok       assembler of kernels: ROOT/programs/ptxas");
    let of_python = || {
        let about = "site/nvidia_cuda_nvcc-13.0.dist-info";
        package()
            .file(&format!("{about}/METADATA"), "Name: nvidia-cuda-nvcc\n")
            .file(&format!("{about}/RECORD"), "nvidia/cu13/bin/ptxas,,\n")
            .program("site/nvidia/cu13/bin/ptxas", "")
            .path("PYTHONPATH", "site")
    };
    let found = "ok       assembler of kernels: ROOT/site/nvidia/cu13/bin/ptxas";
    of_python().says(found);
    of_python().program("programs/ptxas", "").says(found);
    package()
        .program("cuda/bin/ptxas", "")
        .path("CUDA_PATH", "cuda")
        .says("ok       assembler of kernels: ROOT/cuda/bin/ptxas");
    let named = || package().path("KERNELS_PTXAS", "named/ptxas");
    named()
        .program("named/ptxas", "")
        .program("programs/ptxas", "")
        .says("ok       assembler of kernels: ROOT/named/ptxas");
    named().program("programs/ptxas", "").says(
        "warning  assembler of kernels: KERNELS_PTXAS: there is no ROOT/named/ptxas; unset KERNELS_PTXAS",
    );
    Machine::complete().says_nothing_of("compiler of kernels");
    Machine::complete()
        .package("cu", &["kernels/axpy.cu"])
        .says_nothing_of("compiler of kernels");
}

#[test]
fn what_is_made_here() {
    let outcome = Project::new("mine").bridge("nanobind").run().success();
    let outcome = outcome.again("doctor").arg("mine").run();
    let line = "ok       package: `mine` in `mine`: bindings `nanobind`, kernels `cu`\n";
    assert!(outcome.stdout.starts_with(line), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("  nvcc: "), "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains("  headers of Python: "),
        "{}",
        outcome.stdout
    );
    assert!(outcome.stdout.contains("  cargo: "), "{}", outcome.stdout);
    // This was really asked, of the Python that is here.
    assert!(outcome.stdout.contains("  disk: "), "{}", outcome.stdout);
}

#[test]
fn no_such_path_and_no_record() {
    Project::bare().args(["doctor", "nowhere"]).run().failure(
        2,
        str![[r#"
error: `nowhere` does not exist
hint: give the folder of a package, or a wheel

"#]],
    );
    Machine::complete()
        .file(".cuvec-new.toml", "[answers]\nnmae = \"x\"")
        .says(
            "problem  package: .cuvec-new.toml in `.`: unknown key `nmae`, did you mean `name`?; \
         git checkout .cuvec-new.toml",
        );
}

/// They build, and what they guess is not what their owner meant perhaps.
#[test]
fn marks_of_adopt_that_nobody_settled() {
    let mark = "  // adopt: the grid is a guess\n";
    Machine::complete()
        .package("cu", &["kernels/axpy.cu"])
        .file("kernels/blur.cu", &mark.repeat(2))
        .says(
            "warning  declarations: kernels/blur.cu has 2 marks of `cuvec-new adopt`; settle what is not known, \
             and remove its mark: grep -n 'adopt:' kernels/blur.cu",
        );
}

#[test]
fn an_sdist_is_no_wheel() {
    let project = Project::bare().args(["doctor", "x.tar.gz"]);
    let outcome = project.file("x.tar.gz", "").run();
    outcome.failure(
        2,
        str![[r#"
error: `x.tar.gz` is not a wheel
hint: give the folder of a package, or a wheel: `pip wheel --no-deps FILE.tar.gz` makes one of an sdist

"#]],
    );
}

#[test]
fn a_file_that_is_no_wheel() {
    let outcome = Project::bare()
        .args(["doctor", "x.whl"])
        .file("x.whl", "no")
        .run();
    assert_eq!(
        outcome.stdout,
        "problem  wheel: x.whl: File is not a zip file; build it again: pip wheel --no-deps .\n"
    );
    assert_eq!(outcome.code, 1);
}
