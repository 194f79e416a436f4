"""How the runtime reaches a build: from the archive in the package, by every frontend; from a folder in its place; from PyPI."""

import hashlib
import os
import re
import shutil
import subprocess
import tarfile
from email import message_from_bytes
from pathlib import Path

import pytest
from developer import Developer
from environment import Environment, copy_of_cache, groups
from files import append, contents, copied, members, metadata, replace
from generator import EXECUTABLE, scaffold
from shell import ROOT, run
from workflow import jobs, runs

pytestmark = pytest.mark.night

# Prints [2.0] after an `edit` of `axpy`.
CALL = "import mypkg; x, y = mypkg.cuvec.zeros((2, 1)); mypkg.axpy(2, x, y); print(y.tolist())"
ARCHIVE = "runtime/cuvec_runtime-0.1.0.tar.gz"
UNPACKED = "build/cuvec_runtime"
DAMAGED = "is damaged; restore it: git checkout -- runtime, or cuvec-new update"
OFF = {"CUDA": "OFF"}
MODULES = {
    f"mypkg/{it}" for it in ("cuvec/_core.abi3.so", "cuvec/_functions.so", "cuvec/__init__.py", "dask/__init__.py")
}
# The README, which says where the runtime is, and the sums of all files.
OTHER = {"mypkg-0.1.0.dist-info/METADATA", "mypkg-0.1.0.dist-info/RECORD"}


def edit(package: Path) -> None:
    replace(package / "kernels/axpy.cu", "y += a * x", "y += a * x + a")


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def source(folder: Path) -> Path:
    """A package without Rust in src/, which takes longer."""
    return scaffold(folder / "mypkg", kernels="cu", bridge="cpython")


@pytest.fixture
def mine(source: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change, in a folder of the same name."""
    return copied(source, tmp_path / "mypkg")


@pytest.fixture(scope="module")
def tools(folder: Path, source: Path) -> Environment:
    """Python 3.11 with the build requirements in it."""
    return Environment(folder / "tools", "3.11", *groups(source, "build"), "build")


@pytest.fixture
def unpacked(mine: Path) -> dict[str, bytes]:
    """Files in the archive of `mine`, which is unpacked."""
    run("python", mine / "runtime/backend.py")
    return members(mine / ARCHIVE)


def test_it_is_unpacked_by_one_command(mine: Path, unpacked: dict[str, bytes]) -> None:
    assert tree(mine / UNPACKED) == unpacked
    assert (ROOT / "runtime/include/cuvec.h").read_bytes() == unpacked["include/cuvec.h"]
    before = {path: path.stat().st_mtime_ns for path in (mine / UNPACKED).rglob("*") if path.is_file()}
    run("python", mine / "runtime/backend.py")
    assert before == {path: path.stat().st_mtime_ns for path in before}, "nothing is written that is there already"


def test_an_unpack_that_was_killed_is_finished(mine: Path, unpacked: dict[str, bytes]) -> None:
    """Files that are missing, halves of files, and files that another version had."""
    folder = mine / UNPACKED
    shutil.rmtree(folder / "core")
    (folder / "cmake/Core.cmake").write_text("half of")
    (folder / "cmake/Old.cmake").write_text("message(FATAL_ERROR)")
    (folder / "include/cuvec.h.4711").write_text("half")
    run("python", mine / "runtime/backend.py")
    assert tree(folder) == unpacked


@pytest.mark.parametrize("kind", ["truncated", "exchanged", "missing"])
def test_a_damaged_archive_is_named(kind: str, mine: Path, tools: Environment) -> None:
    """And nothing is unpacked; an unpacked runtime of before is not built either."""
    archive = mine / ARCHIVE
    good = archive.read_bytes()
    if kind == "truncated":
        archive.write_bytes(good[: len(good) // 2])
    elif kind == "exchanged":
        archive.write_bytes(good + b"\0")
    else:
        archive.unlink()
    said = tools.pip("wheel", "--no-build-isolation", "--no-deps", mine, cwd=mine.parent, ok=False)
    assert f"{archive} {DAMAGED}" in said
    assert not (mine / UNPACKED).exists()
    assert not list(mine.parent.glob("*.whl"))


@pytest.fixture(scope="module")
def plain(folder: Path, source: Path) -> dict[str, bytes]:
    """The files of its wheel as pip builds it, in isolation."""
    environment = Environment(folder / "plain", "3.11")
    wheel = environment.wheel(source, folder / "plain-wheel", env=OFF)
    found = contents(wheel)
    assert found.keys() >= MODULES
    return found


def test_build_makes_the_wheel_of_the_sdist(mine: Path, plain: dict[str, bytes], tmp_path: Path) -> None:
    """And the sdist carries the archive, not what was unpacked of it, whatever git ignores."""
    append(mine / ".gitignore", "*.tar.gz\n")
    environment = Environment(tmp_path / "venv", "3.11", "build")
    environment.python("-m", "build", "--outdir", tmp_path / "dist", mine, env=OFF)
    (sdist,) = (tmp_path / "dist").glob("*.tar.gz")
    carried = members(sdist)
    assert {"runtime/backend.py", ARCHIVE} == {name for name in carried if name.startswith("runtime/")}
    assert not [name for name in carried if name.startswith("build/")]
    assert len(carried) <= 36
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert contents(wheel) == plain


def test_uv_builds_and_syncs(mine: Path, plain: dict[str, bytes], tmp_path: Path) -> None:
    run("uv", "build", "--python", "3.11", "--out-dir", tmp_path / "dist", mine, env=OFF)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert contents(wheel).keys() == plain.keys()
    env = {**OFF, "UV_PROJECT_ENVIRONMENT": str(tmp_path / "venv")}
    run("uv", "sync", "--python", "3.11", "--no-dev", cwd=mine, env=env)
    call = ("python", "-c", CALL)
    assert run("uv", "run", "--no-dev", *call, cwd=mine, env=env).splitlines()[-1] == "[0.0]"
    edit(mine)
    assert run("uv", "run", "--no-dev", *call, cwd=mine, env=env).splitlines()[-1] == "[2.0]", "uv saw no edit"


def test_without_a_cache(mine: Path, plain: dict[str, bytes], tmp_path: Path) -> None:
    """Nothing is written outside of the package and of folders for temporary files."""
    home = tmp_path / "home"
    home.mkdir()
    rust = {
        name: os.environ.get(name, str(Path.home() / f".{name[:-5].lower()}")) for name in ("CARGO_HOME", "RUSTUP_HOME")
    }
    environment = Environment(tmp_path / "venv", "3.11")
    env = {**OFF, **rust, "CUVEC_CACHE": "0", "HOME": str(home)}
    wheel = environment.wheel(mine, tmp_path / "wheel", "--no-cache-dir", env=env)
    assert contents(wheel).keys() == plain.keys()
    assert not [path for path in home.rglob("*") if path.is_file()]


def test_offline_after_a_first_build(mine: Path, plain: dict[str, bytes], tools: Environment, tmp_path: Path) -> None:
    """Crates are there, and pip is told that there is no index."""
    env = {**OFF, "CARGO_NET_OFFLINE": "true", "PIP_NO_INDEX": "1", "PATH": tools.path}
    wheel = tools.wheel(mine, tmp_path / "wheel", "--no-build-isolation", env=env)
    assert contents(wheel).keys() == plain.keys()


def test_two_builds_at_once(mine: Path, plain: dict[str, bytes], tools: Environment, tmp_path: Path) -> None:
    """The package was never built, so both unpack its archive."""
    command = [tools.bin / "python", "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", mine, "--wheel-dir"]
    env = {**os.environ, **OFF, "PATH": tools.path}
    builds = [
        subprocess.Popen(
            [*command, tmp_path / name], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for name in ("one", "other")
    ]
    said = [build.communicate()[0] for build in builds]
    assert [build.returncode for build in builds] == [0, 0], said
    for name in ("one", "other"):
        (wheel,) = (tmp_path / name).iterdir()
        assert contents(wheel).keys() == plain.keys()
    assert not [path for path in (mine / UNPACKED).rglob("*") if re.search(r"\.\d+$", path.name)]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("writable", [True, False], ids=["a container", "a read-only package"])
def test_another_user_with_a_home_that_is_read_only(writable: bool, source: Path, plain: dict[str, bytes]) -> None:
    """As in the container of cibuildwheel: nothing but the project and what is installed."""
    place = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    try:
        project = copied(source, place / "project")
        environment = Environment(place / "venv", "3.11", *groups(project, "build"))
        (place / "out").mkdir()
        home = place / "home"
        home.mkdir(mode=0o555)
        place.chmod(0o755)
        others = [place / "out", *([project, *project.rglob("*")] if writable else [])]
        for path in others:
            os.chown(path, 65534, 65534)
        rustc = Path(os.environ.get("RUSTC") or str(shutil.which("rustc")))
        cargo = place / "cargo"
        registry = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "registry"
        shutil.copytree(registry, cargo / "registry", symlinks=True)
        for path in [cargo, *cargo.rglob("*")]:
            os.chown(path, 65534, 65534, follow_symlinks=False)
        cache = place / "cache"
        if not writable:
            copy_of_cache(cache, "core")
            for path in [cache, *cache.rglob("*")]:
                os.chown(path, 65534, 65534, follow_symlinks=False)
        env = {
            "HOME": str(home),
            "PATH": f"{environment.bin}:{rustc.parent}:/usr/bin:/bin",
            "CARGO_HOME": str(cargo),
            "CARGO_NET_OFFLINE": "true",
            "RUSTC": str(rustc),
            **OFF,
            **({} if writable else {"CUVEC_CACHE": str(cache)}),
        }
        names = [f"{name}={value}" for name, value in env.items()]
        user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "-i", *names]
        if subprocess.run([*user, "cargo", "--version"], capture_output=True, check=False).returncode != 0:
            pytest.skip("another user cannot run this machine's cargo")
        pip = [environment.bin / "python", "-m", "pip", "wheel", "--no-cache-dir", "--no-build-isolation", "--no-deps"]
        run(*user, *pip, "--wheel-dir", place / "out", project, cwd=place)
        (wheel,) = (place / "out").iterdir()
        assert contents(wheel).keys() == plain.keys()
        assert (project / UNPACKED).exists() == writable
    finally:
        shutil.rmtree(place)


def test_a_folder_takes_the_place_of_the_archive(mine: Path, tools: Environment, tmp_path: Path) -> None:
    """Unpacked by the commands of the README, and changed."""
    shown = re.findall(r"^mkdir runtime.*\n^tar .*$", (mine / "README.md").read_text(), re.MULTILINE)
    assert len(shown) == 1
    run("bash", "-euc", shown[0], cwd=mine)
    changed = mine / "runtime/cuvec_runtime/cuvec/__init__.py"
    append(changed, "\nCHANGED = True\n")
    (mine / ARCHIVE).unlink()
    wheel = tools.wheel(mine, tmp_path / "wheel", "--no-build-isolation", env={**OFF, "PATH": tools.path})
    assert b"\nCHANGED = True\n" in contents(wheel)["mypkg/cuvec/__init__.py"]
    assert (mine / UNPACKED / "cuvec/__init__.py").read_bytes() == changed.read_bytes()


def test_the_next_runtime_is_built_in_place_of_the_last(mine: Path, tools: Environment, tmp_path: Path) -> None:
    """In the folder of the last build, though files of an archive are older than what was built of the last ones."""
    env = {**OFF, "PATH": tools.path}
    tools.wheel(mine, tmp_path / "first", "--no-build-isolation", env=env)
    files = members(mine / ARCHIVE)
    with tarfile.open(mine / ARCHIVE, "w:gz") as tar:
        for name, text in files.items():
            text += b"\nNEXT = True\n" if name == "cuvec/__init__.py" else b""
            (tmp_path / "file").write_bytes(text)
            tar.add(tmp_path / "file", f"cuvec_runtime-0.1.0/{name}")
    backend = mine / "runtime/backend.py"
    sha = hashlib.sha256((mine / ARCHIVE).read_bytes()).hexdigest()
    backend.write_text(re.sub(r'SHA256 = "\w+"', f'SHA256 = "{sha}"', backend.read_text()))
    wheel = tools.wheel(mine, tmp_path / "second", "--no-build-isolation", env=env)
    assert b"\nNEXT = True\n" in contents(wheel)["mypkg/cuvec/__init__.py"]


@pytest.fixture(scope="module")
def index(folder: Path, source: Path) -> Path:
    """sdist and wheel of the runtime, made by the commands of the workflow that publishes them."""
    make, *commands = [line for line in runs(jobs(ROOT, "release")["runtime"]) if "cargo publish" not in line]
    work = folder / "release"
    work.mkdir()
    for command in (make.replace("cargo run --locked --quiet --", str(EXECUTABLE)), *commands):
        run("bash", "-euc", command, cwd=work)
    (archive,) = work.glob("dist/*.tar.gz")
    assert archive.read_bytes() == (source / ARCHIVE).read_bytes(), "packages carry another one"
    return work / "dist"


def test_the_sdist_and_its_wheel_can_be_published(index: Path) -> None:
    (wheel,) = index.glob("cuvec_runtime-*-py3-none-any.whl")
    (sdist,) = index.glob("*.tar.gz")
    inside, packed = contents(wheel), members(sdist)
    information = packed.pop("PKG-INFO")
    found = {name.partition("/")[2]: text for name, text in inside.items() if ".dist-info/" not in name}
    assert found == packed
    made, given = metadata(wheel), message_from_bytes(information)
    assert sorted(made.items()) == sorted(given.items())
    assert made.get_payload().strip() == given.get_payload().strip()


def test_its_crates_can_be_published(source: Path, tmp_path: Path) -> None:
    """As the workflow does, of the sdist, but for their addresses, of which there are none yet. Both are compiled as they are packaged."""
    shutil.unpack_archive(source / ARCHIVE, tmp_path)
    (tmp_path / "cuvec_runtime-0.1.0").rename(tmp_path / "runtime")
    (command,) = [line for line in runs(jobs(ROOT, "release")["runtime"]) if "cargo publish" in line]
    said = run("bash", "-euc", f"{command} --allow-dirty --target-dir target", cwd=tmp_path)
    assert said.count("aborting upload due to dry run") == 2
    for crate in ("cuvec-spec", "cuvec-runtime"):
        assert re.search(rf"Compiling {crate} \S+ \({tmp_path}/target/package/", said), crate


@pytest.fixture
def pypi(index: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A package of `--runtime pypi`, and pip and uv that find the runtime."""
    monkeypatch.setenv("PIP_FIND_LINKS", index.as_uri())  # blanks separate several
    monkeypatch.setenv("UV_FIND_LINKS", index.as_uri())
    return scaffold(tmp_path / "mypkg", kernels="cu", bridge="cpython", runtime="pypi")


def test_from_an_index_it_is_the_same_wheel(pypi: Path, plain: dict[str, bytes], tmp_path: Path) -> None:
    """By pip of its sdist, and by uv."""
    environment = Environment(tmp_path / "venv", "3.11", "build")
    environment.python("-m", "build", "--sdist", "--outdir", tmp_path / "sdist", pypi)
    (sdist,) = (tmp_path / "sdist").iterdir()
    assert not [name for name in members(sdist) if name.startswith("runtime/")]
    made = contents(environment.wheel(sdist, tmp_path / "wheel", env=OFF))
    assert list(made) == list(plain)
    assert {name for name in made if made[name] != plain[name]} <= OTHER
    run("uv", "build", "--python", "3.11", "--wheel", "--out-dir", tmp_path / "uv", pypi, env=OFF)
    (wheel,) = (tmp_path / "uv").glob("*.whl")
    assert contents(wheel).keys() == plain.keys()


def test_from_an_index_an_edit_is_built(pypi: Path, tmp_path: Path) -> None:
    """Isolated, and so with another place of the installed runtime each time."""
    environment = Environment(tmp_path / "venv", "3.11", "numpy")
    said = environment.pip("install", "--verbose", pypi, env=OFF)
    assert "The core was compiled before" in said, "it is the one of all packages"
    edit(pypi)
    said = environment.pip("install", "--verbose", pypi, env=OFF)
    assert "Detecting C compiler ABI info" not in said, "CMake has examined it again"
    assert environment.python("-c", CALL, cwd=tmp_path) == "[2.0]\n"


def test_from_an_index_it_is_developed(pypi: Path) -> None:
    """An editable install, by the commands of the page."""
    developer = Developer(pypi, to_the_letter=False)
    edit(developer.package)
    assert developer.python(CALL).endswith("[2.0]\n")  # after a line that it builds


def test_a_runtime_that_is_in_no_index_is_named(pypi: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_FIND_LINKS")
    version = (ROOT / "runtime/VERSION").read_text().strip()
    environment = Environment(tmp_path / "alone", "3.11")
    said = environment.pip("wheel", "--no-deps", pypi, cwd=tmp_path, ok=False)
    assert f"No matching distribution found for cuvec-runtime=={version}" in said
    said = environment.pip("wheel", "--no-deps", "--no-build-isolation", pypi, cwd=tmp_path, ok=False)
    assert "Cannot import build backend 'cuvec_runtime." in said
