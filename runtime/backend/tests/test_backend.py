"""Questions of CMake to the build backend (`cuvec_build/for_cmake.py`), asked directly."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cuvec_build import crate, cuda, nvcc, rust, sbom, wheel

RUNTIME = Path(__file__).parents[2]
EXPORTS = "\nCUVEC_EXPORT({});\n"


def check(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.cu").write_text(text + EXPORTS.format(name) * ("CUVEC_" not in text))
    cuda.check(sorted(folder.glob("*.cu")))


def test_a_file_that_exports_nothing(tmp_path: Path) -> None:
    (tmp_path / "helper.cu").write_text("#include <cuvec.h>\n")
    with pytest.raises(SystemExit) as refused:
        check(tmp_path, axpy="")
    assert str(refused.value) == (
        "kernels/helper.cu exports no function `helper`. End it with: CUVEC_EXPORT(helper); or, if it is a class: "
        "CUVEC_CLASS(helper);\nCode that several functions share belongs into a header, kernels/helper.cuh"
    )


def test_a_file_that_exports_another_name(tmp_path: Path) -> None:
    with pytest.raises(
        SystemExit,
        match=r"axpy.cu exports `axpi`, and no function `axpy`.*rename the file to axpi.cu",
    ):
        check(tmp_path, axpy=EXPORTS.format("axpi"))


KERNEL_HEADS = {
    "plain": "__global__ void rows(In<float> x) {}",
    "template": "template <class T> __global__ void rows(In<T> x) {}",
    "static": "static __global__ void rows(In<float> x) {}",
    "bounds": "__global__ void __launch_bounds__(256) rows(In<float> x) {}",
    "on two lines": "template <class T>\n__global__ void\nrows(In<T> x) {}",
}


@pytest.mark.parametrize("head", KERNEL_HEADS)
def test_one_kernel_in_two_files(head: str, tmp_path: Path) -> None:
    """The linker would take one of them for both."""
    with pytest.raises(
        SystemExit, match=r"`rows` is in kernels/first.cu and in kernels/second.cu.*`second_rows`"
    ):
        check(tmp_path, first=KERNEL_HEADS["plain"], second=KERNEL_HEADS[head])


def test_kernels_with_bounds_have_names_of_their_own(tmp_path: Path) -> None:
    bounds = KERNEL_HEADS["bounds"]
    check(tmp_path, first=bounds, second=bounds.replace("rows", "columns"))


@pytest.mark.parametrize(
    "enum", ["enum Mode { A };", "enum class Mode { A };", "enum struct Mode : int { A };"]
)
def test_one_enum_in_two_files(enum: str, tmp_path: Path) -> None:
    with pytest.raises(
        SystemExit, match=r"`Mode` is in kernels/first.cu and in kernels/second.cu.*`second_Mode`"
    ):
        check(tmp_path, first=f"\n{enum}", second=f"\n{enum}")


def test_marks_of_adopt_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(tmp_path, axpy="// adopt: a size\n// adopt: a dtype\n")
    assert "kernels/axpy.cu: 2 marks `// adopt:`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "declared"),
    [
        ('  static constexpr auto architectures = "90a, 100f, 120+";', "90a, 100f, 120+"),
        ('  // static constexpr auto architectures = "90a";', ""),
        ('  static constexpr auto architectures =\n    "90a";', ""),
    ],
)
def test_architectures_are_declared_in_a_line(line: str, declared: str, tmp_path: Path) -> None:
    (tmp_path / "axpy.cu").write_text(f"struct axpy {{\n{line}\n}};\n")
    assert cuda.declared_architectures(tmp_path / "axpy.cu") == declared


@pytest.mark.parametrize("listed", ["sm_90a", "90a,100", "90x"])
def test_what_names_no_gpus(listed: str, tmp_path: Path) -> None:
    (tmp_path / "axpy.cu").write_text(f'static constexpr auto architectures = "{listed}";\n')
    with pytest.raises(
        SystemExit, match=f'"{listed}" is no list of GPUs. It is written as in "90a, 100f, 120\\+"'
    ):
        cuda.declared_architectures(tmp_path / "axpy.cu")


LOCK = """
[[package]]
name = "mine"
version = "0.1.0"

[[package]]
name = "half"
version = "2.7.1+build"
checksum = "abc"
"""


def test_a_wheel_lists_each_part_once(tmp_path: Path) -> None:
    """Crates of the package itself have no checksum."""
    (tmp_path / "Cargo.lock").write_text(LOCK)
    locks = [tmp_path / name for name in ("Cargo.lock", "Cargo.lock", "none")]
    file = sbom.write(
        tmp_path, "My_Pkg@1.0", locks, ["generic/cuda-toolkit@13.0", "pypi/nanobind@3.1"]
    )
    assert file.name == "my-pkg.cdx.json"
    about = json.loads(file.read_text())
    assert about["metadata"]["component"]["purl"] == "pkg:pypi/my-pkg@1.0"
    names = {it["purl"]: it.get("hashes") for it in about["components"]}
    hashes = [{"alg": "SHA-256", "content": "abc"}]
    assert names == {
        "pkg:cargo/half@2.7.1%2Bbuild": hashes,
        "pkg:generic/cuda-toolkit@13.0": None,
        "pkg:pypi/nanobind@3.1": None,
    }
    assert len(about["components"]) == 3


def test_types_of_an_editable_install_are_in_one_folder(tmp_path: Path) -> None:
    """Files that the build has made are copied, the others are linked, and deleted ones go."""
    source, installed = tmp_path / "[mypkg]", tmp_path / "site/mypkg"
    made = {
        "cuvec/functions.pyi": "def axpy(): ...",
        "cuvec/memory.py": "installed",
        "py.typed": "",
        "ext.so": "ELF",
    }
    for folder, files in (
        (source / "python/mypkg", {"__init__.py": "", "notes.txt": ""}),
        (installed, made),
    ):
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
    types = source / "build/types/mypkg"
    types.mkdir(parents=True)
    (types / "gone.py").touch()
    wheel.link_types(source, installed)
    links = {
        path.relative_to(types).as_posix(): path.is_symlink()
        for path in types.rglob("*")
        if path.is_file()
    }
    assert "gone.py" not in links
    assert not {"ext.so", "notes.txt"} & links.keys()
    assert {name for name, is_link in links.items() if not is_link} == {
        "cuvec/functions.pyi",
        "py.typed",
    }
    assert (types / "cuvec/memory.py").resolve() == RUNTIME / "cuvec/memory.py"
    assert (types / "__init__.py").resolve() == source / "python/mypkg/__init__.py"


DEPENDENCIES = {
    "": True,
    'cuvec-kernels = { path = "." }\n': True,
    'half = "2" # a crate\n': False,
    "# none\n[profile.release]\n": True,
}


@pytest.mark.parametrize("line", DEPENDENCIES, ids=range(len(DEPENDENCIES)))
def test_a_crate_that_names_no_more_crates_is_locked(line: str, tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text(
        f'workspace = {{}}\n[package]\nname = "kernels"\n[lib]\npath = "a"\n[dependencies]\n{line}'
    )
    assert crate.kernels_crate(tmp_path, tmp_path / "build") == tmp_path
    assert (tmp_path / "Cargo.lock").exists() == DEPENDENCIES[line]
    assert crate.locked(tmp_path) == ["--locked"] * DEPENDENCIES[line]
    (tmp_path / "Cargo.lock").write_text("version = 4\n")  # of an earlier runtime
    crate.lock(tmp_path)
    assert ("cuvec-kernels" in (tmp_path / "Cargo.lock").read_text()) == DEPENDENCIES[line]


def test_kernels_without_a_manifest_get_one(tmp_path: Path) -> None:
    """It is written once, so that cargo compiles nothing again."""
    made = crate.kernels_crate(tmp_path, tmp_path / "build")
    before = (made / "Cargo.toml").stat().st_mtime_ns
    assert f'path = "{RUNTIME}/kernels"' in (made / "Cargo.toml").read_text()
    assert crate.kernels_crate(tmp_path, tmp_path / "build") == made
    assert (made / "Cargo.toml").stat().st_mtime_ns == before


def programs(folder: Path, monkeypatch: pytest.MonkeyPatch, **scripts: str) -> None:
    """Puts programs where Rust is looked for."""
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("CARGO_HOME", str(folder))


def test_without_cargo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs(tmp_path, monkeypatch)
    with pytest.raises(
        SystemExit,
        match=r"^cargo not found, which builds the core.*\n.*-sSf https://sh.rustup.rs \| sh",
    ):
        rust.find_rust()


@pytest.mark.parametrize(
    ("release", "ok"),
    [("1.9.0", False), ("1.87.0-nightly", False), ("1.88.0", True), ("1.100.1", True)],
)
def test_rust_that_is_too_old(
    release: str, ok: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = f"echo 'rustc {release}\nhost: x86_64-unknown-linux-gnu\nrelease: {release}'"
    programs(tmp_path, monkeypatch, cargo="", rustc=said)
    if ok:
        cargo, rustc, version, target = rust.find_rust()
        assert (cargo, rustc, target) == (
            f"{tmp_path}/cargo",
            f"{tmp_path}/rustc",
            "x86_64-unknown-linux-gnu",
        )
        assert release in version
    else:
        with pytest.raises(
            SystemExit,
            match=f"^Rust {release.partition('-')[0]} is too old: .* needs 1.88.*rustup update",
        ):
            rust.find_rust()


@pytest.mark.parametrize("name", ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", ""])
def test_flags_of_the_user_come_first(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs(
        tmp_path, monkeypatch, rustc='[ "$1" = -vV ] && echo "commit-hash: 1234" || echo /rust'
    )
    for variable in ("RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"):
        monkeypatch.delenv(variable, raising=False)
    flag = "-Ctarget-cpu=native"
    if name:
        monkeypatch.setenv(name, flag)
    else:
        (tmp_path / "config.toml").write_text(f'build.rustflags = "{flag}"\n')
    ours = [f"{tmp_path}/registry/src=crates", "/rust/lib/rustlib/src/rust=/rustc/1234", "a=b"]
    expected = [flag, *(f"--remap-path-prefix={it}" for it in ours)]
    *variables, last = rust.flags(f"{tmp_path}/rustc", tmp_path, ["a=b"])
    if name:
        assert [*variables, last] == ["CARGO_ENCODED_RUSTFLAGS=" + "\x1f".join(expected)]
    else:
        assert variables == ["--unset=RUSTFLAGS", "--unset=CARGO_ENCODED_RUSTFLAGS"]
        assert last == f"target.'cfg(all())'.rustflags=[{', '.join(map(quoted, expected))}]"


def quoted(text: str) -> str:
    return f"'''{text}'''"


def test_nothing_is_needed_but_python(for_cmake: Callable[..., str], tmp_path: Path) -> None:
    """scikit-build-core need not be there, as in a build of CMake alone."""
    (tmp_path / "axpy.cu").write_text("")
    shown = for_cmake("check-cuda", tmp_path / "axpy.cu", flags=("-I", "-S"), ok=False)
    assert shown.startswith("kernels/axpy.cu exports no function `axpy`.")


REFUSES = "#error -- unsupported GNU version! gcc versions later than 15 are not supported!"
OF_GLIBC = "extern double rsqrt (double __x) noexcept (true);"


def test_an_older_compiler_for_nvcc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest one that nvcc takes; nobody's choice is overruled."""
    nvcc_program = f'case "$*" in *-ccbin=*) ;; *) echo "{REFUSES}" >&2; exit 1;; esac'
    programs(tmp_path, monkeypatch, nvcc=nvcc_program)
    for variable in ("CUDAHOSTCXX", "NVCC_CCBIN"):
        monkeypatch.delenv(variable, raising=False)
    program = str(tmp_path / "nvcc")
    with pytest.raises(
        SystemExit, match=r"^g\+\+ is too new: this nvcc takes GCC up to 15. Install g\+\+-15"
    ):
        nvcc.host(program, "")
    programs(tmp_path, monkeypatch, **{"g++-16": "", "g++-14": "", "g++-9": ""})
    assert nvcc.host(program, "") == (str(tmp_path / "g++-14"), False)
    assert nvcc.host(program, "g++-99") == ("", False)
    monkeypatch.setenv("CUDAHOSTCXX", "clang++")
    assert nvcc.host(program, "") == ("", False)


@pytest.mark.parametrize(
    ("of_cuda", "hides"),
    [(" rsqrt(double x);", True), (" rsqrt(double x) noexcept (true);", False)],
)
def test_what_nvcc_does_not_know_of_glibc(
    of_cuda: str, hides: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs(tmp_path, monkeypatch, nvcc=f"echo '{OF_GLIBC}\nextern double{of_cuda}'")
    assert nvcc.host(str(tmp_path / "nvcc"), "g++") == ("", hides)


KNOWN = [75, 80, 86, 89, 90, 100, 103, 110, 120, 121]  # of nvcc 13.0


@pytest.mark.parametrize(
    ("build", "declared", "compiled"),
    [
        ("all-major", "90a", "90a"),
        ("all-major", "90a, 103f, 999a", "90a, 103f"),
        ("all-major", "100+", "100, 110, 120, 120+"),
        ("all", "120+", "120, 121, 121+"),
        ("all-major", "90a, 90+", "90a, 100, 110, 120, 120+"),
        ("native", "90a, 100a", "90a"),
        ("80-real", "90a, 90+", ""),
        ("80-real;90", "89, 90+", "89, 90, 90+"),
        ("75", "90a, 100+", "90a, 100+"),
        ("75-virtual;100-real", "90+", "100, 90+"),
    ],
)
def test_the_gpus_that_both_are_for(build: str, declared: str, compiled: str) -> None:
    built = ["90-real"] if build == "native" else build.split(";")
    chosen = nvcc.choose(declared, nvcc.of_build(built, KNOWN, "13.0"))
    assert nvcc.described(chosen) == compiled
    assert [it.removesuffix("-real").replace("-virtual", "+") for it in chosen] == [
        *filter(None, compiled.split(", "))
    ]


@pytest.mark.parametrize(
    ("build", "promised"),
    [
        ("all-major", "75, 80, 90, 100, 110, 120, 120+"),
        ("80-real;90", "80, 90, 90+"),
        ("90a-real", "90a"),
        ("75-virtual", "75+"),
    ],
)
def test_what_a_build_is_for(build: str, promised: str) -> None:
    assert nvcc.of_build(build.split(";"), KNOWN, "13.0").promised == promised


def test_an_older_nvcc_has_no_families() -> None:
    built = ["all-major"]
    assert nvcc.choose("100f", nvcc.of_build(built, KNOWN, "12.9")) == ["100f-real"]
    assert nvcc.choose("100f", nvcc.of_build(built, KNOWN, "12.8")) == []
