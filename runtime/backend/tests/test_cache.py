"""The build backend and the user's cache: what it takes from it, puts into it, and removes. No package is built."""

import errno
import fcntl
import os
import shutil
import time
import zipfile
from collections.abc import Callable
from importlib.metadata import DistributionFinder, distributions
from pathlib import Path

import cuvec_build
import pytest
from cuvec_build import bound, cache, folder, machine, sources, tools
from cuvec_build.wheel import VARIABLE, expected_modules

DAY = 86_400
TEXT = {"_core.abi3.so": b"\x7fELF core", "deps/lib.rlib": b"crate"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache, and a package in the current folder."""
    (tmp_path / "cache").mkdir()
    (tmp_path / "mypkg/kernels").mkdir(parents=True)
    (tmp_path / "mypkg/kernels/axpy.cu").write_text("axpy")
    (tmp_path / "mypkg/pyproject.toml").write_text(
        '[project]\nname = "mypkg"\n[tool.scikit-build]\n'
    )
    monkeypatch.chdir(tmp_path / "mypkg")
    monkeypatch.setenv("CUVEC_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def fill(entry: Path) -> None:
    for name, text in TEXT.items():
        (entry / name).parent.mkdir(exist_ok=True)
        (entry / name).write_bytes(text)


def age(path: Path, days: float) -> None:
    os.utime(path, times=(time.time() - days * DAY,) * 2)


def damage_by(how: str, entry: Path) -> None:
    file = entry / "_core.abi3.so"
    if how == "truncated":
        file.write_bytes(TEXT[file.name][:3])
    elif how == "zeros":
        file.write_bytes(bytes(len(TEXT[file.name])))
    elif how == "missing":
        file.unlink()
    elif how == "no list":
        (entry / "files.json").unlink()
    else:
        (entry / "files.json").write_text(how)


DAMAGES = ["truncated", "zeros", "missing", "no list", "[]", "{", '{"_core.abi3.so": 9}']


def test_a_key_names_all_that_is_compiled() -> None:
    core = sources.of_crates(sources.RUNTIME, "core", "python")
    assert {"Cargo.lock", "core/src/gpu/gather.ptx", "python/build.rs"} <= {*core}
    assert {path.split("/")[0] for path in core if path.endswith("/lib.rs")} == {
        *("core", "declare", "python", "spec")
    }
    compiled = sources.of_crates(sources.RUNTIME, "compile")
    assert {path.split("/")[0] for path in compiled if "/src/" in path} == {"compile", "declare"}


@pytest.mark.parametrize("how", ["", *DAMAGES])
def test_an_entry_is_verified_when_it_is_taken(
    how: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cache.store(home, "core-1", fill)
    age(home / "core-1", 2)
    if how:
        damage_by(how, home / "core-1")
    assert cache.take(home, "core-1", home.parent / "taken") == (not how)
    said = capsys.readouterr().err
    if how:
        assert said == "build cache (CUVEC_CACHE): core-1 is damaged, and is made again\n"
        assert [*home.iterdir(), *home.parent.glob("taken*")] == []
    else:
        assert said == ""
        assert {name: (home.parent / "taken" / name).read_bytes() for name in TEXT} == TEXT
        assert time.time() - (home / "core-1").stat().st_mtime < DAY  # it was used


@pytest.mark.parametrize(
    "problem", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()]
)
def test_what_fails_leaves_nothing(
    problem: BaseException, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(entry: Path) -> None:
        fill(entry)
        raise problem

    if isinstance(problem, OSError):
        cache.store(home, "core-1", fail)
        assert "core-1 is not stored: [Errno 28] No space left on device" in capsys.readouterr().err
    else:
        with pytest.raises(KeyboardInterrupt):
            cache.store(home, "core-1", fail)
    assert [*home.iterdir()] == []


def test_an_entry_is_on_the_disk_before_it_has_its_name(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, before, rename = list[Path](), list[Path](), Path.rename
    monkeypatch.setattr(cache, "synchronize", written.append)
    monkeypatch.setattr(Path, "rename", lambda self, to: before.extend(written) or rename(self, to))
    cache.store(home, "core-1", fill)
    found = {path.relative_to(home).as_posix().partition("/")[2] for path in before}
    assert found == {"", "deps", "files.json", *TEXT}
    assert home in written


def test_another_build_was_faster(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cache.store(home, "core-1", fill)
    cache.store(home, "core-1", fill)
    assert [path.name for path in home.iterdir()] == ["core-1"]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("variable", "value", "path"),
    [
        ("CUVEC_CACHE", "cache", "HERE/cache"),
        ("CUVEC_CACHE", "~/cache", "HOME/cache"),
        ("XDG_CACHE_HOME", "cache", "HERE/cache/cuvec"),
        ("XDG_CACHE_HOME", "~/cache", "HOME/cache/cuvec"),
        ("XDG_CACHE_HOME", "", "HOME/.cache/cuvec"),
    ],
)
def test_the_path_is_absolute(
    variable: str, value: str, path: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CUVEC_CACHE")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv(variable, value)
    expected = path.replace("HERE", str(Path.cwd())).replace("HOME", str(home))
    assert str(cache.cache_folder()) == expected
    assert folder.with_cache({"a": "b"}) == {"a": "b", "cmake.define.CUVEC_CACHE": expected}


def test_without_a_cache(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUVEC_CACHE", "0")
    assert cache.cache_folder() is None
    assert folder.with_cache(None) == {"cmake.define.CUVEC_CACHE": "0"}
    assert [*home.iterdir()] == []


@pytest.mark.parametrize("problem", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_cache_that_cannot_be_written_is_done_without(
    problem: int, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the start."""
    fail = raiser(OSError(problem, os.strerror(problem)))
    monkeypatch.setattr(cache.tempfile, "TemporaryFile", fail)
    assert cache.cache_folder() is None
    assert cache.cache_folder() is None, "and it is said once"
    said = f"build cache (CUVEC_CACHE): {home} cannot be written, and the build does without: {os.strerror(problem)}\n"
    assert capsys.readouterr().err == said


def raiser(error: BaseException) -> Callable[..., None]:
    def fail(*_arguments: object, **_options: object) -> None:
        raise error

    return fail


def test_a_cache_that_cannot_be_written_any_more(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the middle: the frontend installs the tools, the folder is another one, what was compiled stays where it is."""
    fail = raiser(OSError(errno.EROFS, "Read-only file system"))
    monkeypatch.setattr(Path, "mkdir", fail)
    cache.store(home, "core-1", fill)
    monkeypatch.setattr(cache, "can_be_written", lambda _: True)
    with folder.build_folder(None, []) as settings:
        assert settings == {"cmake.define.CUVEC_CACHE": str(home)}
    said = capsys.readouterr().err
    assert "core-1 is not stored: [Errno 30]" in said
    assert "the last build cannot be used: [Errno 30]" in said


def wheel_of(place: Path, *names: str) -> Path:
    with zipfile.ZipFile(place / "mypkg-0.whl", "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return place / "mypkg-0.whl"


@pytest.fixture
def scikit(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[..., str]], None]:
    """Puts something in the place of scikit-build-core's build, and of the tools that it needs."""

    def replace(build: Callable[..., str]) -> None:
        monkeypatch.setattr(cuvec_build.build, "build_wheel", build)
        monkeypatch.setattr(cuvec_build, "Tools", lambda _: tools.Tools.__new__(tools.Tools))
        monkeypatch.setattr(tools.Tools, "use", lambda _: None)
        monkeypatch.setattr(tools.Tools, "versions", lambda _: [])
        monkeypatch.setattr(cuvec_build.rust, "use", lambda: None)

    return replace


@pytest.mark.parametrize("full", [True, False])
def test_a_build_that_fills_the_disk_of_the_cache_begins_again(
    full: bool, home: Path, scikit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Elsewhere; a build that fails otherwise does not."""
    calls = []

    def build(folder: str, settings: dict[str, str], _metadata: object) -> str:
        calls.append({**settings, "CUVEC_CACHE": os.environ["CUVEC_CACHE"]})
        if len(calls) == 1:
            monkeypatch.setattr(cuvec_build, "can_be_written", lambda _: not full)
            raise SystemExit(1)
        install(tmp_path, "mypkg/cuvec/_core.so", "mypkg/cuvec/_functions.so")
        return wheel_of(Path(folder), "mypkg/cuvec/_core.so", "mypkg/cuvec/_functions.so").name

    scikit(build)
    if full:
        assert cuvec_build.build_wheel(str(tmp_path)) == "mypkg-0.whl"
        assert calls[1:] == [{"cmake.define.CUVEC_CACHE": "0", "CUVEC_CACHE": "0"}]
    else:
        with pytest.raises(SystemExit):
            cuvec_build.build_wheel(str(tmp_path))
        assert len(calls) == 1
    assert Path(calls[0]["build-dir"]).parent.parent == home / "builds"


def install(place: Path, *names: str) -> None:
    """As `list_module` of CMake says it."""
    lines = [f"{place}/wheel/platlib/{name}\n" for name in names]
    Path(os.environ[VARIABLE]).write_text("".join(lines))


BOTH = ["mypkg/cuvec/_core.abi3.so", "mypkg/cuvec/_functions.so"]


@pytest.mark.parametrize(
    ("told", "found", "lacks"),
    [
        (BOTH, BOTH, ""),
        ([*BOTH, "mypkg/cuvec/../ext.abi3.so"], [*BOTH, "mypkg/ext.abi3.so"], ""),
        (BOTH, [], "_core.abi3.so, _functions.so"),
        (BOTH, BOTH[:1], "_functions.so"),
        ([*BOTH, "mypkg/cuvec/../ext.abi3.so"], BOTH, "ext.abi3.so"),
        (BOTH[:1], BOTH, "_functions"),
        ([], [], "_core, _functions"),
    ],
)
def test_a_wheel_without_its_modules_is_refused(
    told: list[str], found: list[str], lacks: str, scikit, home: Path, tmp_path: Path, capsys
) -> None:
    def build(folder: str, *_: object) -> str:
        install(tmp_path, *told)
        return wheel_of(Path(folder), *found).name

    assert home.is_dir()
    scikit(build)
    if lacks:
        with pytest.raises(SystemExit):
            cuvec_build.build_wheel(str(tmp_path))
        assert f"the wheel lacks {lacks}, which" in capsys.readouterr().err
        assert not [*tmp_path.glob("*.whl")]
    else:
        assert cuvec_build.build_wheel(str(tmp_path)) == "mypkg-0.whl"


def test_modules_of_an_editable_install_with_rebuild(tmp_path: Path) -> None:
    """They are where the next import builds them anew. And packagers' DESTDIR is not heeded."""
    os.environ["DESTDIR"] = "/elsewhere"
    with expected_modules() as refuse:
        assert "DESTDIR" not in os.environ
        install(tmp_path, *BOTH)
        for name in BOTH:
            (tmp_path / "wheel/platlib" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "wheel/platlib" / name).touch()
        refuse(wheel_of(tmp_path, "_mypkg_editable.py"))
    assert VARIABLE not in os.environ


def test_tools_are_verified_by_size_and_once_a_day_by_hash(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = home / "tools-1"
    cache.store(home, "tools-1", fill)
    damage_by("zeros", entry)
    assert tools.are_whole(entry)
    age(entry / "files.json", 2)
    assert not tools.are_whole(entry)
    assert capsys.readouterr().err.endswith("tools-1 is damaged, and is made again\n")
    cache.store(home, "tools-1", fill)
    age(entry / "files.json", 2)
    assert tools.are_whole(entry)
    assert time.time() - (entry / "files.json").stat().st_mtime < DAY
    damage_by("truncated", entry)
    assert not tools.are_whole(entry)
    assert not entry.exists()


def test_a_distribution_without_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone-1.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert len([*distributions(context=DistributionFinder.Context(path=[str(tmp_path)]))]) == 1
    assert not tools.is_made_for([])
    assert tools.required(["gone"]) == {}


def built(home: Path, source: Path, *, cut: bool = False) -> bool:
    """Builds, in the one folder; whether in the folder of the last build."""
    place = home / "builds/mypkg-1"
    place.mkdir(parents=True, exist_ok=True)
    folder.begin(place, source, [])
    (place / "build").mkdir(exist_ok=True)
    again = (place / "build/_core.abi3.so").exists()
    fill(place / "build")
    if not cut:
        folder.end(place)
    return again


def test_the_last_build_is_used_again(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, kernel = Path.cwd(), Path("kernels/axpy.cu")
    assert not built(home, source)
    assert built(home, source)
    later = time.time() + 10
    kernel.write_text("edited")
    os.utime(kernel, (later, later))
    assert built(home, source), "Ninja sees that"
    os.utime(kernel, (1, 1))
    assert not built(home, source), "it is another file now, and an older one"
    os.utime(kernel, (1, 1))
    kernel.write_text("EDITED")
    os.utime(kernel, (1, 1))
    assert not built(home, source), "of the same size and time"
    Path("pyproject.toml").write_text("# edited")
    assert not built(home, source), "it says how to build"
    assert built(home, source)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_build_is_made_again(
    how: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built(home, Path.cwd())
    damage_by(how, home / "builds/mypkg-1/build")
    assert not built(home, Path.cwd())
    assert "is damaged or was not finished, and is made again" in capsys.readouterr().err
    assert built(home, Path.cwd())


def test_a_build_that_was_killed_is_made_again(home: Path) -> None:
    built(home, Path.cwd())
    assert built(home, Path.cwd(), cut=True)
    assert not built(home, Path.cwd())


def test_another_runtime_is_another_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Wherever it is: in the package, in the cache, in an environment."""
    before = folder.circumstances()
    shutil.copytree(sources.RUNTIME / "cmake", tmp_path / "elsewhere/cmake")
    monkeypatch.setattr(folder, "RUNTIME", tmp_path / "elsewhere")
    other = folder.circumstances()
    assert other != before
    (tmp_path / "elsewhere/cmake/Core.cmake").write_text("edited")
    assert folder.circumstances() != other


def test_data_of_a_package_is_not_read(home: Path) -> None:
    """A terabyte, of which nothing is written; and what belongs to somebody else."""
    Path("data").mkdir()
    with Path("data/file").open("wb") as file:
        file.truncate(1 << 40)
    os.mkfifo("data/pipe")
    Path("data/nowhere").symlink_to("/nowhere")
    assert not built(home, Path.cwd())
    assert built(home, Path.cwd())
    assert "data/file" in sources.files(Path.cwd())


def test_what_is_not_used_is_removed(home: Path) -> None:
    kept = ["runtime-1", "tools-1", "builds/mypkg-1", "core-2", "compile-1.0123456789abcdef"]
    gone = [
        "runtime-0",
        "tools-0",
        "builds/my.pkg-0",
        "core-1",
        "core-0.0123456789abcdef",
        "core-0.lock",
    ]
    for name in [*kept, *gone]:
        (home / name).mkdir(parents=True)
        (home / name / "file").touch()
    for name in gone:
        age(home / name, 2 if "core-0" in name else 31)
    for name in kept[:-1]:
        age(home / name, 29)
    (home / "compile-0").touch()  # a file, as versions before had it
    age(home / "compile-0", 31)
    bound.tidy(home)
    found = {
        path.relative_to(home).as_posix() for path in (*home.glob("*-*"), *home.glob("builds/*"))
    }
    assert found == {*kept}


def test_the_cache_has_a_limit(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond it goes what was not used for longest, and nothing of today."""
    monkeypatch.setattr(bound, "LIMIT", 2500)
    for days in range(5):
        (home / f"core-{days}").mkdir()
        (home / f"core-{days}/file").write_bytes(bytes(1000))
        age(home / f"core-{days}", days)
    bound.tidy(home)
    assert {path.name for path in home.glob("core-*")} == {"core-0", "core-1"}
    monkeypatch.setattr(bound, "LIMIT", 0)
    bound.tidy(home)
    assert len([*home.glob("core-*")]) == 2, "it was looked at today"
    bound.tidy(home, time.time() + 1.5 * DAY)
    assert not [*home.glob("core-*")]


@pytest.mark.parametrize(
    "elsewhere", ["", "another machine", "another container", "an earlier version"]
)
@pytest.mark.parametrize("locked", [True, False])
def test_builds_of_gone_packages(elsewhere: str, locked: bool, home: Path) -> None:
    """Only this machine's are removed, while no build is in them: on another one the package may be where it was."""
    node, *space = bound.here()
    there = {
        "": [node, *space],
        "another machine": ["another", *space],
        "another container": [node, "mnt:[0]"],
        "an earlier version": None,
    }
    built(home, Path.cwd())
    note = home / "builds/mypkg-1/note.json"
    here = folder.json.loads(note.read_text())
    note.write_text(
        folder.json.dumps({**here, "here": there[elsewhere], "source": "/nowhere/mypkg"})
    )
    with (note.parent / "lock").open("w") as lock:
        if locked:
            fcntl.flock(lock, fcntl.LOCK_EX)
        bound.tidy(home)
        assert note.exists() == (locked or bool(elsewhere))
        if not note.exists():
            return
        age(note.parent, 31)
        bound.tidy(home, time.time() + 2 * DAY)
        assert note.exists() == locked


def test_a_lock_in_a_folder_that_was_removed(home: Path) -> None:
    """Between the opening of the file and the lock."""
    with (home / "lock").open("w") as file:
        assert folder.is_mine(file)
    with (home / "lock").open("w") as file:
        (home / "lock").unlink()
        assert not folder.is_mine(file)


NATIVE = [
    "-march=native",
    "-mcpu=native",
    "-Ctarget-cpu=native",
    "-C target-cpu=native",
    "-C\x1ftarget-cpu=native",
]


@pytest.mark.parametrize("flags", NATIVE)
@pytest.mark.parametrize("where", ["text", "CFLAGS", "CXXFLAGS", "config.toml"])
def test_flags_for_this_cpu_are_for_no_other(
    where: str, flags: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARGO_HOME", str(tmp_path / "home"))

    def decides(cpu: str, flags: str) -> str:
        monkeypatch.setattr(machine, "of_cpu", lambda: [cpu])
        if where == "config.toml":
            (tmp_path / ".cargo").mkdir(exist_ok=True)
            config = f"[build]\nrustflags = {folder.json.dumps(flags)}\n"
            (tmp_path / ".cargo/config.toml").write_text(config)
        elif where != "text":
            monkeypatch.setenv(where, flags)
        return folder.key_of(
            machine.decides(flags if where == "text" else "", tmp_path / "runtime")
        )

    assert decides("one", flags) == decides("one", flags) != decides("other", flags)
    assert decides("one", "-O2") == decides("other", "-O2") != decides("one", "-O3")


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ('[build]\nrustflags = ["-Cforce-frame-pointers"]', True),
        ('[target.x86_64-unknown-linux-gnu]\nrustflags = "-Cdebuginfo=1"', True),
        ("[target.'cfg(unix)']\nlinker = \"clang\"", True),
        ("[profile.release]\nopt-level = 1", True),
        ('[env]\nCFLAGS = "-O0"', True),
        ('[build]\ntarget-dir = "elsewhere"\njobs = 1', False),
        ("[net]\noffline = true", False),
    ],
)
@pytest.mark.parametrize("place", [".cargo/config.toml", ".cargo/config", "home/config.toml"])
def test_settings_of_cargo(
    text: str, counts: bool, place: str, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setenv("CARGO_HOME", str(tmp_path / "home"))
    before = machine.decides("", tmp_path / "runtime")
    (tmp_path / place).parent.mkdir()
    (tmp_path / place).write_text(text)
    assert (machine.decides("", tmp_path / "runtime") != before) == counts


def test_the_nearest_settings_of_cargo_come_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As cargo joins lists of flags; a string is the whole of it."""
    monkeypatch.setenv("CARGO_HOME", str(tmp_path / "home"))
    places = {"home": '["-Ca"]', ".cargo": '["-Cb"]', "near/.cargo": '["-Cc"]'}
    for place, flags in places.items():
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "config.toml").write_text(f"[build]\nrustflags = {flags}\n")
    assert machine.flags_of_cargo(tmp_path / "near") == ["-Ca", "-Cb", "-Cc"]
    (tmp_path / ".cargo/config.toml").write_text('[build]\nrustflags = "-Cb -Cd"\n')
    assert machine.flags_of_cargo(tmp_path / "near") == ["-Cb", "-Cd", "-Cc"]
    (tmp_path / "home/config.toml").write_text("[target.'cfg(unix)']\nrustflags = ['-Ce']\n")
    assert machine.flags_of_cargo(tmp_path / "near") == [], "the target has flags"


@pytest.mark.parametrize("stream", ["", ">&2"], ids=["glibc", "musl"])
def test_the_c_library_counts(stream: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ldd").write_text(f"#!/bin/sh\necho C 1.2 {stream}\n")
    (tmp_path / "ldd").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert machine.c_library() == "C 1.2\n"
    assert "C 1.2\n" in machine.decides("", tmp_path)
    assert "C 1.2\n" in folder.circumstances()


@pytest.mark.parametrize("place", ["CACHE", "", "0"])
def test_what_cmake_asks_for(
    place: str, for_cmake: Callable[..., str], home: Path, tmp_path: Path
) -> None:
    """It makes what is not there; the folder has it with the list of its files last. PYTHONSAFEPATH hides no module."""
    place = place.replace("CACHE", str(home))
    command = ("make", place, "core-1")
    make = (tmp_path / "cargo", f"{tmp_path}/cargo/lib.so=_core.so", "--", "sh", "-c")
    script = f"mkdir -p {tmp_path}/cargo && echo made >{tmp_path}/cargo/lib.so && echo >{tmp_path}/cargo/libcuvec.rlib"
    for_cmake("take", place, "core-1", tmp_path / "taken", ok=False)
    for_cmake(*command, tmp_path / "one", *make, "exit 1", ok=False)
    assert not [*tmp_path.glob("one/*"), *home.iterdir()]
    for_cmake(*command, tmp_path / "one", *make, script, PYTHONSAFEPATH="1")
    assert (tmp_path / "one/_core.so").read_text() == "made\n"
    assert (tmp_path / "one/files.json").exists()
    if place in {"", "0"}:
        assert not [*home.iterdir()]
        return
    assert {path.name for path in home.iterdir()} == {"core-1", "crates-1"}
    assert {path.name for path in (home / "crates-1").iterdir()} == {"files.json", "lib.so"}
    # Another build has made it meanwhile.
    shutil.rmtree(tmp_path / "cargo")
    for_cmake(*command, tmp_path / "two", *make, "exit 1")
    assert (tmp_path / "two/_core.so").read_text() == "made\n"
    assert (tmp_path / "cargo/lib.so").exists()


def test_a_key_is_of_files_and_flags(for_cmake: Callable[..., str], tmp_path: Path) -> None:
    for crate, needed in {"a": 'b = { path = "../b" }', "b": ""}.items():
        (tmp_path / crate / "src").mkdir(parents=True)
        (tmp_path / crate / "Cargo.toml").write_text(f"[dependencies]\n{needed}")
    source = tmp_path / "b/src/lib.rs"
    source.write_text("a")

    def key(text: str, **env: str) -> str:
        said = for_cmake("key", tmp_path, text, "a", CARGO_HOME=str(tmp_path), **env)
        found, *files = said.split(";")
        assert files == ["a/Cargo.toml", "b/Cargo.toml", "b/src/lib.rs"]
        return found

    keys = [key("rustc 1"), key("rustc 2"), key("rustc 1", LDFLAGS="-O1")]
    source.write_text("b")
    keys.append(key("rustc 1"))
    assert len({*keys}) == 4
    assert {len(it) for it in keys} == {16}
