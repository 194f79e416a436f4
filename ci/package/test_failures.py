"""A build that cannot do what was asked for fails, says what to do, and leaves no wheel: never one without CUDA."""

import os
import re
import shutil
from pathlib import Path

import pytest
from environment import SUGGESTED, WHEEL, Environment
from files import append, program, replace
from functions_alone import TEMPLATES, Library
from generator import scaffold, unpack

COMPILERS = r"(.*-)?(cc|c\+\+|gcc|g\+\+|clang|clang\+\+|c89|c99)(-[\d.]+)?(-gcc)?"
COMPILERS_OF_CPP = r"(.*-)?(c\+\+|g\+\+|clang\+\+)(-[\d.]+)?"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory):
    """Makes a PATH without the programs whose names match a pattern."""

    def without(pattern: str) -> str:
        folder = tmp_path_factory.mktemp("bin")
        for entry in (entry for path in ("/usr/bin", "/bin") for entry in Path(path).iterdir()):
            link = folder / entry.name
            if not re.fullmatch(pattern, entry.name) and not link.is_symlink():
                link.symlink_to(entry)
        return str(folder)

    return without


@pytest.fixture
def fails(package: Path, build_tools: Environment, tmp_path: Path):
    """Builds under other environment variables; returns what pip printed while failing."""

    def build(source: Path = package, **env: str) -> str:
        # CMake looks into /usr/bin whatever PATH says
        hidden = {"SKBUILD_CMAKE_DEFINE": "CMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF"}
        env = {"PATH": os.environ["PATH"], **hidden, **env}
        env["PATH"] = f"{build_tools.bin}{os.pathsep}{env['PATH']}"
        wheels = tmp_path / "wheels"
        output = build_tools.pip(
            "wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", wheels, source, env=env, ok=False
        )
        assert not list(wheels.glob("*.whl"))
        return output

    return build


@pytest.mark.parametrize(
    ("missing", "env", "said"),
    [
        (COMPILERS, {"CC": ""}, r"no C(\+\+)? compiler.*\s*.*apt\s+install"),
        (COMPILERS_OF_CPP, {"CUDA": "OFF"}, r"no C\+\+ compiler found.*\s*.*apt\s+install\s+g\+\+"),
    ],
    ids=["any", "for C++"],
)
def test_no_compiler(missing: str, env: dict[str, str], said: str, fails, programs, package: Path) -> None:
    if missing == COMPILERS_OF_CPP and not list((package / "kernels").glob("*.cu")):
        pytest.skip("needs no C++ compiler")
    cargo = Path(os.environ["RUSTC"]).parent if "RUSTC" in os.environ else Path.home() / ".cargo/bin"
    assert re.search(said, fails(PATH=f"{programs(missing)}{os.pathsep}{cargo}", CXX="", **env))


@pytest.mark.parametrize("kind", ["missing", "failing", "not nvcc"])
def test_broken_nvcc(kind: str, fails, package: Path, tmp_path: Path) -> None:
    if not list((package / "kernels").glob("*.cu")):
        pytest.skip("needs no nvcc")
    nvcc = tmp_path / "nvcc"
    if kind != "missing":
        program(nvcc, {"failing": "echo nvcc: out of order >&2; exit 1", "not nvcc": "echo hello"}[kind])
    output = fails(CUDACXX=str(nvcc))
    assert "nvcc" in output.split("was not built")[0]
    assert "CUDACXX" in output
    assert "CUDA=OFF pip install" in output


def test_a_compiler_that_is_too_new_for_nvcc(programs, library: Library, tmp_path: Path) -> None:
    """An older one is called if there is one."""
    library.add(*TEMPLATES.glob("*.cu"))
    newer = tmp_path / "newer"
    newer.mkdir()
    for name in ("gcc", "g++"):
        program(newer / name, f'exec {shutil.which(name)} -U__GNUC__ -D__GNUC__=99 "$@"')
    path = os.pathsep.join(map(str, (newer, library.tools.bin, programs(r"(.*-)?(gcc|g\+\+)(-\d+)?"))))
    settings = {"setting": "set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)", "PATH": path, "CXX": str(shutil.which("c++"))}
    said = library.configure(ok=False, **settings)
    assert "g++ is too new: this nvcc takes GCC up to 15. Install g++-15" in said
    (newer / "g++-14").symlink_to(str(shutil.which("g++")))
    assert f"g++ is too new for this nvcc, which will call {newer}/g++-14" in library.configure(**settings)


def test_edited_kernels_without_their_compiler(fails, copy: Path) -> None:
    if not (copy / "kernels/ptx").exists():
        pytest.skip("nvcc compiles the kernels")
    append(copy / "kernels/axpy.rs", "// edited\n")
    output = fails(copy, KERNELS_RUSTC="/nowhere/rustc")
    assert SUGGESTED in output


def test_a_body_that_does_not_compile(fails, copy: Path) -> None:
    """The compiler's own lines, the first of which is ours, are followed by no traceback of the build."""
    file = copy / "kernels/axpy.cu"
    if not file.exists():
        pytest.skip("rustc says what is wrong")
    replace(file, "T a, T x", "int a, T x")
    output = fails(copy, CUDA="OFF")
    errors = [line for line in output.splitlines() if "error: " in line and "subprocess" not in line]
    first = r"axpy: parameter 1 of `each` is `int`, but `a: T` in the signature must be `\w+`$"
    assert re.search(first, errors[0])
    assert re.search(rf"FAILED: .*\n.*cuvec-compile run .*\n.*axpy\.cu:\d+:\d+: error: {first}", output, re.MULTILINE)
    assert "Traceback" not in output
    assert "was not built. The first error above says why.\n" in output
    assert not re.search(r"rustup|apt install|unset CUDA", output)  # hints at what is not wrong


def test_a_kernel_in_rust_that_does_not_compile(fails, copy: Path) -> None:
    file = copy / "kernels/axpy.rs"
    if not file.exists():
        pytest.skip("there is a test of C++ for it")
    replace(file, "a * x }", "a * nosuch }")
    shutil.rmtree(copy / "src")
    output = fails(copy, CUDA="OFF")
    assert re.search(r"error\[E0425\]: cannot find value `nosuch`.*\n *--> .*kernels/axpy\.rs:\d+:\d+", output)
    assert "Traceback" not in output


NAMES = {"cu": ("lambda", "a keyword of Python"), "rust": ("torch", "a module or a type of the package")}


def test_a_name_that_python_cannot_have(kernels: str, fails, copy: Path, tmp_path: Path) -> None:
    """There is no stub then, which would be no Python."""
    name, what = NAMES[kernels]
    (axpy,) = (copy / "kernels").glob("axpy.*")
    text = axpy.read_text()
    axpy.with_stem(name).write_text(re.sub(r"\baxpy\b", name, text))
    shutil.rmtree(copy / "src")
    output = fails(copy, CUDA="OFF", SKBUILD_BUILD_DIR=str(tmp_path / "build"))
    assert f"kernels/{name}{axpy.suffix}: `{name}` is {what}; choose another name" in output
    assert (tmp_path / "build/build.ninja").exists()
    assert not list(tmp_path.rglob("functions.pyi"))
    assert "Traceback" not in output


def test_without_cuda_nothing_is_fetched_for_it(package: Path, build_tools: Environment) -> None:
    asks = "from scikit_build_core.build import get_requires_for_build_wheel as asks; print(asks())"
    for cuda in ("ON", "OFF"):
        requires = build_tools.python("-c", asks, cwd=package, env={"CUDA": cuda})
        assert ("cuda-toolkit" in requires) == (cuda == "ON" and bool(list(package.glob("kernels/*.cu"))))


@pytest.mark.usefixtures("one_language")
def test_brackets_in_a_path_are_no_pattern(build_tools: Environment, tmp_path: Path) -> None:
    """Which finds no kernels, and a package without functions would be built; nor any sources that decide what of the cache is taken."""
    cached = []
    for place in ("[work]", "work"):
        package, build = scaffold(tmp_path / place / "mypkg"), tmp_path / place / "build"
        unpack(package)
        build_tools.cmake(package, build, CUDA="OFF", **WHEEL)
        functions = (build / "functions.c").read_text()
        assert all(f"&cuvec_function_{file.stem}" in functions for file in (package / "kernels").glob("*.cu"))
        cached.append({*re.findall(r"(?:core|compile)-[0-9a-f]{16}", (build / "build.ninja").read_text())})
    assert cached[0] == cached[1] != set()
