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
# Calls libraries on a machine without a GPU, too.
ASKS = """#include <cuvec.h>
#ifdef CUVEC_CUDA
{includes}
#endif

using namespace cuvec;

struct {name} {{
  static constexpr auto signature = "{name}(wrong: bool = False) -> found: int32({count})";
  static constexpr auto doc = "Return versions of libraries, or fail as they do.";

#ifdef CUVEC_CUDA
  static void gpu(Call &call, bool wrong, Out<std::int32_t> found) {{
    std::int32_t host[{count}];
    cpu(call, wrong, {{host, {{{count}}}}});
    call.check(cudaMemcpyAsync(found.data, host, sizeof host, cudaMemcpyHostToDevice, call.stream()));
    call.check(cudaStreamSynchronize(call.stream()));
  }}
#endif
  static void cpu(Call &call, bool wrong, Out<std::int32_t> found) {{
    (void)wrong;
#ifdef CUVEC_CUDA
    {calls}
#endif
  }}
}};
CUVEC_EXPORT({name});
"""


def add_function(package: Path, name: str, headers: tuple[str, ...], *calls: str) -> None:
    """A call of each library writes an element of `found`, or returns an error if `wrong` is true."""
    text = ASKS.format(
        name=name,
        count=len(calls),
        includes="\n".join(f"#include <{header}.h>" for header in headers),
        calls="\n    ".join(calls),
    )
    (package / f"kernels/{name}.cu").write_text(text)


def insert(file: Path, *edits: tuple[str, str]) -> None:
    """Puts texts before others, which are in the file once."""
    for before, new in edits:
        replace(file, before, new + before)


IN_MODULE = """    #[cfg(cuda)]
    #[pymodule_export]
    use super::version;
"""


def call_it_in_src(package: Path, bridge: str) -> str:
    """A call of a function in `src/` that calls the library: of Rust with pyo3, else of C++."""
    if bridge == "pyo3":
        version = ("/// Functions and classes written by hand.", (FFT / "version.rs").read_text() + "\n")
        insert(package / "src/lib.rs", version, ("    #[pymodule_export]", IN_MODULE))
        return "ext.version()"
    body = "  const Out<double> first{" if bridge == "cxx" else "  if (!buffer_) {"
    insert(
        package / "src/smooth.cu",
        ("using namespace cuvec;", "#ifdef CUVEC_CUDA\n#include <cufft.h>\n#endif\n\n"),
        (body, "#ifdef CUVEC_CUDA\n  int version = 0;\n  cufftGetVersion(&version);\n#endif\n"),
    )
    return "ext.Smoother(5).apply(numpy.ones(5))"


def install(project: Path, *requirements: str, cuda: str = "ON") -> Environment:
    environment = Environment(
        project.parent / "python-3.13", "3.13", "numpy", *groups(project, "build", "test"), *requirements
    )
    environment.install_package(project, CUDA=cuda)
    return environment


@pytest.fixture(scope="module")
def project(folder: Path) -> Path:
    """A package with functions that call the library, which it says in two lines."""
    package = scaffold(folder / "mypkg", bridge="nanobind", kernels="cu")
    shutil.copytree(FFT, package, dirs_exist_ok=True)
    version = "call.check(wrong ? cufftDestroy(99) : cufftGetVersion(&found[0]));"
    add_function(package, "fft_version", ("cufft",), version)
    replace(package / "pyproject.toml", NUMPY, f'{NUMPY[:-1]}, "{REQUIREMENT}"]')
    return package


@pytest.fixture(scope="module")
def installed(project: Path) -> Environment:
    return install(project, REQUIREMENT)


def uninstall(environment: Environment) -> None:
    run("uv", "pip", "uninstall", "--quiet", "--python", environment.bin / "python", "nvidia-cufft")


def doctor(environment: Environment) -> str:
    shown = environment.python("-m", "mypkg.doctor", cwd=environment.bin)
    (line,) = [line for line in shown.splitlines() if "libcufft.so.12:" in line]
    return line


def needs_it_when_it_calls_it(project: Path, installed: Environment, call: str) -> str:
    """Without the library all else works. Returns the result of the call."""
    code = f"import mypkg, numpy; from mypkg import ext; print({call})"
    found = installed.python("-c", code, cwd=installed.bin)
    assert doctor(installed).startswith("ok ")
    uninstall(installed)
    try:
        assert doctor(installed).startswith("warning ")
        assert doctor(installed).endswith(f"pip install '{REQUIREMENT}'")
        assert installed.pytest(project, tests=["tests"])["passed"] >= 10
        said = installed.python("-c", code, cwd=installed.bin, ok=False)
        assert f"RuntimeError: {'fft_version(): ' if 'fft_' in call else ''}{MISSING}" in said
    finally:
        installed.install(REQUIREMENT)
    return found


def test_a_library_is_needed_when_it_is_called(project: Path, installed: Environment) -> None:
    assert 12000 <= int(needs_it_when_it_calls_it(project, installed, "*mypkg.fft_version()")) < 13000


@pytest.mark.parametrize("bridge", BRIDGES)
def test_src_calls_it_with_every_binding_tool(bridge: str, tmp_path: Path) -> None:
    package = scaffold(tmp_path / "mypkg", bridge=bridge, kernels="cu")
    for path in (package / "kernels/dot.cu", package / "tests/test_dot.py"):
        path.unlink()
    shutil.copy(FFT / "CMakeLists.txt", package)
    call = call_it_in_src(package, bridge)
    needs_it_when_it_calls_it(package, install(package, REQUIREMENT), call)


EVERY = ("cufft", "cublas", "cublasLt", "curand", "cusolver", "cusparse")
EXTRAS = [name for name in EVERY if name != "cublasLt"]  # which comes with cublas
HEADERS = ("cublasLt", "cublas_v2", "cufft", "curand", "cusolver_common", "cusparse")
CALLS = (
    "call.check(cufftGetProperty(MAJOR_VERSION, &found[0]));",
    "call.check(cublasGetProperty(MAJOR_VERSION, &found[1]));",
    "found[2] = std::int32_t(cublasLtGetVersion() / 10000);",
    "call.check(curandGetProperty(MAJOR_VERSION, &found[3]));",
    "call.check(cusolverGetProperty(MAJOR_VERSION, &found[4]));",
    "call.check(cusparseGetProperty(MAJOR_VERSION, &found[5]));",
)


def test_every_library_that_is_documented(tmp_path: Path) -> None:
    """Each is called, and named by what installs it where it is not."""
    package = scaffold(tmp_path / "mypkg", kernels="cu", bridge="cpython")
    add_function(package, "versions", HEADERS, *CALLS)
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


def test_what_it_returns_is_told_by_its_name(installed: Environment) -> None:
    said = installed.python("-c", "import mypkg; mypkg.fft_version(True)", cwd=installed.bin, ok=False)
    assert "RuntimeError: fft_version(): CUFFT_INVALID_PLAN (kernels/fft_version.cu:" in said


def test_no_module_names_it(installed: Environment) -> None:
    """So that auditwheel has nothing to exclude, and nothing to copy."""
    for module in installed.bin.parent.glob("lib/python*/site-packages/mypkg/**/*.so"):
        assert "libcufft" not in run("readelf", "--dynamic", module)


def test_without_cuda_nothing_is_linked(project: Path, tmp_path: Path) -> None:
    package = copied(project, tmp_path / "mypkg")
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
