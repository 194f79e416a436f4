"""`cuda_libraries`, docs/fft: libraries of CUDA's from PyPI are linked, found when they are called, and not needed by an import."""

import shutil
from pathlib import Path

import pytest
from environment import Environment, groups
from files import copied, replace
from generator import BRIDGES, scaffold
from shell import ROOT, run

pytestmark = pytest.mark.night

FFT = ROOT / "docs/fft"
REQUIREMENT = "cuda-toolkit[cufft]==13.*"
MISSING = f"libcufft.so.12 cannot be loaded. To install it: pip install '{REQUIREMENT}'"
NUMPY = 'dependencies = ["numpy>=1.26"]'
# calls the library on a machine without a GPU, too
VERSION = """#include <cuvec.h>
#ifdef CUVEC_CUDA
#include <cufft.h>
#endif

using namespace cuvec;

struct fft_version {
  static constexpr auto signature = "fft_version(wrong: bool = False) -> int32";
  static constexpr auto doc = "Return the version of cuFFT, or fail as it does.";

#ifdef CUVEC_CUDA
  static void gpu(Call &call, bool wrong, Out<std::int32_t, 0> version) {
    std::int32_t found = 0;
    cpu(call, wrong, {&found, {}});
    call.check(cudaMemcpyAsync(version.data, &found, sizeof found, cudaMemcpyHostToDevice, call.stream()));
  }
#endif
  static void cpu(Call &call, bool wrong, Out<std::int32_t, 0> version) {
#ifdef CUVEC_CUDA
    call.check(wrong ? cufftDestroy(99) : cufftGetVersion(version.data));
#endif
  }
};
CUVEC_EXPORT(fft_version);
"""
IN_CPP = """#ifdef CUVEC_CUDA
static int version() {
  int found = 0;
  cufftGetVersion(&found);
  return found;
}
#endif

"""
IN_MODULE = """    #[cfg(cuda)]
    #[pymodule_export]
    use super::version;
"""


def insert(file: Path, *edits: tuple[str, str]) -> None:
    """Puts texts before others, which are in the file once."""
    for before, new in edits:
        replace(file, before, new + before)


def call_it_in_src(package: Path, bridge: str) -> None:
    """`ext.version()`, in the binding tool."""
    if bridge == "pyo3":
        module = "/// Functions and classes written by hand."
        insert(
            package / "src/lib.rs",
            (module, (FFT / "version.rs").read_text() + "\n"),
            ("    #[pymodule_export]", IN_MODULE),
        )
    else:
        insert(
            package / "src/ext.cpp",
            ("#include <cuvec/nanobind.h>", "#ifdef CUVEC_CUDA\n#include <cufft.h>\n#endif\n"),
            ("NB_MODULE(", IN_CPP),
            ("  module.attr(", '#ifdef CUVEC_CUDA\n  module.def("version", version);\n#endif\n'),
        )


def made(folder: Path, bridge: str) -> Path:
    """A package with the functions, which says in two lines that it calls the library."""
    package = scaffold(folder / "mypkg", bridge=bridge, kernels="cu")
    shutil.copytree(FFT, package, dirs_exist_ok=True)
    (package / "kernels/fft_version.cu").write_text(VERSION)
    replace(package / "pyproject.toml", NUMPY, f'{NUMPY[:-1]}, "{REQUIREMENT}"]')
    call_it_in_src(package, bridge)
    return package


def install(project: Path, *requirements: str, cuda: str = "ON") -> Environment:
    environment = Environment(
        project.parent / "python-3.13", "3.13", "numpy", *groups(project, "build", "test"), *requirements
    )
    environment.install_package(project, CUDA=cuda)
    return environment


@pytest.fixture(scope="module")
def project(folder: Path) -> Path:
    return made(folder, "nanobind")


@pytest.fixture(scope="module")
def installed(project: Path) -> Environment:
    return install(project, REQUIREMENT)


def uninstall(environment: Environment) -> None:
    run("uv", "pip", "uninstall", "--quiet", "--python", environment.bin / "python", "nvidia-cufft")


def doctor(environment: Environment) -> str:
    shown = environment.python("-m", "mypkg.doctor", cwd=environment.bin)
    (line,) = [line for line in shown.splitlines() if "libcufft.so.12:" in line]
    return line


def needs_it_when_it_calls_it(project: Path, installed: Environment) -> None:
    code = "import mypkg; from mypkg import ext; print(mypkg.fft_version(), ext.version())"
    first, second = installed.python("-c", code, cwd=installed.bin).split()
    assert first == second
    assert 12000 <= int(first) < 13000
    assert doctor(installed).startswith("ok ")
    uninstall(installed)
    try:
        assert doctor(installed).startswith("warning ")
        assert doctor(installed).endswith(f"pip install '{REQUIREMENT}'")
        assert installed.pytest(project)["passed"] >= 15
        for call in ("mypkg.fft_version()", "ext.version()"):
            said = installed.python("-c", f"import mypkg; from mypkg import ext; {call}", cwd=installed.bin, ok=False)
            assert f"RuntimeError: {'fft_version(): ' if 'fft_' in call else ''}{MISSING}" in said
    finally:
        installed.install(REQUIREMENT)


def test_a_library_is_needed_when_it_is_called(project: Path, installed: Environment) -> None:
    needs_it_when_it_calls_it(project, installed)


EVERY = ("cufft", "cublas", "cublasLt", "curand", "cusolver", "cusparse")
EXTRAS = [name for name in EVERY if name != "cublasLt"]  # which comes with cublas
VERSIONS = """#include <cuvec.h>

#include <vector>

#ifdef CUVEC_CUDA
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusolver_common.h>
#include <cusparse.h>
#endif

using namespace cuvec;

struct versions {
  static constexpr auto signature = "versions() -> major: int32(6)";
  static constexpr auto doc = "Return the major version of each library, of which none needs a GPU.";

#ifdef CUVEC_CUDA
  static void gpu(Call &call, Out<std::int32_t> major) {
    std::int32_t found[6];
    cpu(call, {found, {6}});
    call.check(cudaMemcpyAsync(major.data, found, sizeof found, cudaMemcpyHostToDevice, call.stream()));
    call.check(cudaStreamSynchronize(call.stream()));
  }
#endif
  static void cpu(Call &call, Out<std::int32_t> major) {
#ifdef CUVEC_CUDA
    call.check(cufftGetProperty(MAJOR_VERSION, &major[0]));
    call.check(cublasGetProperty(MAJOR_VERSION, &major[1]));
    major[2] = std::int32_t(cublasLtGetVersion() / 10000);
    call.check(curandGetProperty(MAJOR_VERSION, &major[3]));
    call.check(cusolverGetProperty(MAJOR_VERSION, &major[4]));
    call.check(cusparseGetProperty(MAJOR_VERSION, &major[5]));
#endif
  }
};
CUVEC_EXPORT(versions);
"""


def test_every_library_that_is_documented(tmp_path: Path) -> None:
    """Each is called, and named by what installs it where it is not."""
    package = scaffold(tmp_path / "mypkg", kernels="cu", bridge="cpython")
    (package / "kernels/versions.cu").write_text(VERSIONS)
    shutil.copy(FFT / "CMakeLists.txt", package)
    replace(package / "CMakeLists.txt", "cuda_libraries(cufft)", f"cuda_libraries({' '.join(EVERY)})")
    environment = install(package, f"cuda-toolkit[{','.join(EXTRAS)}]==13.0.*")
    call = "import mypkg; print(*mypkg.versions())"
    assert environment.python("-c", call, cwd=tmp_path) == "12 13 13 10 12 12\n"
    run("uv", "pip", "uninstall", "--quiet", "--python", environment.bin / "python", *(f"nvidia-{it}" for it in EXTRAS))
    shown = environment.python("-m", "mypkg.doctor", cwd=tmp_path)
    for name in EVERY:
        (line,) = (line for line in shown.splitlines() if f"lib{name}.so." in line)
        assert line.endswith(f"pip install 'cuda-toolkit[{name.lower().removesuffix('lt')}]==13.*'")
    assert MISSING in environment.python("-c", call, cwd=tmp_path, ok=False)


def test_from_rust(tmp_path: Path) -> None:
    package = made(tmp_path, "pyo3")
    needs_it_when_it_calls_it(package, install(package, REQUIREMENT))


@pytest.mark.parametrize("bridge", [bridge for bridge in BRIDGES if bridge not in {"nanobind", "pyo3"}])
def test_with_every_other_binding_tool(bridge: str, tmp_path: Path) -> None:
    """A method of `src/` calls the library, in C++."""
    package = scaffold(tmp_path / "mypkg", bridge=bridge, kernels="cu")
    (package / "kernels/dot.cu").unlink()
    shutil.copy(FFT / "CMakeLists.txt", package)
    body = "  const Out<double> first{" if bridge == "cxx" else "  if (!buffer_) {"
    insert(
        package / "src/smooth.cu",
        ("using namespace cuvec;", "#ifdef CUVEC_CUDA\n#include <cufft.h>\n#endif\n\n"),
        (body, "#ifdef CUVEC_CUDA\n  int version = 0;\n  cufftGetVersion(&version);\n#endif\n"),
    )
    environment = install(package, REQUIREMENT)
    call = "import numpy; from mypkg import ext; ext.Smoother(5).apply(numpy.ones(5))"
    environment.python("-c", call, cwd=tmp_path)
    assert doctor(environment).startswith("ok ")
    uninstall(environment)
    assert f"RuntimeError: {MISSING}" in environment.python("-c", call, cwd=tmp_path, ok=False)


def test_what_it_returns_is_told_by_its_name(installed: Environment) -> None:
    said = installed.python("-c", "import mypkg; mypkg.fft_version(True)", cwd=installed.bin, ok=False)
    assert "RuntimeError: fft_version(): CUFFT_INVALID_PLAN (kernels/fft_version.cu:" in said


def test_no_module_names_it(installed: Environment) -> None:
    """So that auditwheel has nothing to exclude, and nothing to copy."""
    for module in installed.bin.parent.glob("lib/python*/site-packages/mypkg/**/*.so"):
        assert "libcufft" not in run("readelf", "--dynamic", module)


def test_without_cuda_nothing_is_linked(tmp_path: Path) -> None:
    package = made(tmp_path, "nanobind")
    (package / "kernels/fft_version.cu").unlink()
    assert install(package, cuda="OFF").pytest(package)["passed"] >= 15


def test_a_library_that_no_toolkit_has(project: Path, tmp_path: Path, installed: Environment) -> None:
    copy = copied(project, tmp_path / "mypkg")
    replace(copy / "CMakeLists.txt", "cufft", "cusparse")
    said = installed.install_package(copy, ok=False)
    assert 'Add "cuda-toolkit[cusparse]==13.*" to `dependencies`' in " ".join(said.split())


def test_an_isolated_build_asks_for_it(project: Path, installed: Environment) -> None:
    """In the version that goes with nvcc; not where there is another toolkit, and not without CUDA."""
    code = "import sys; sys.path.insert(0, 'runtime'); import backend as cuvec_build; print(cuvec_build.get_requires_for_build_{}())"
    for hook in ("wheel", "editable"):
        for env, asks in (({}, True), ({"CUDA": "OFF"}, False), ({"CUDA_HOME": "/opt/cuda"}, False)):
            asked = installed.python("-c", code.format(hook), cwd=project, env={"CUVEC_CACHE": "0", **env})
            assert (REQUIREMENT in asked) == asks
