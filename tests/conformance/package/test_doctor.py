"""`python -m mypkg.doctor`: inspection of the package and of wheels, without importing them."""

import json
import os
import platform
import re
import shlex
import shutil
import struct
import subprocess
import sys
import sysconfig
import zipfile
from importlib import import_module
from pathlib import Path

import pytest
from package import NAME

doctor = f"{NAME}.cuvec.doctor"
command, images, machine, module, libraries, wheel = (
    import_module(f"{doctor}.{name}")
    for name in ("command", "images", "machine", "module", "libraries", "wheel")
)
HERE = f"cp3{sys.version_info[1]}"
PTX = b"\n.version 6.3\n.target sm_75\n"
RELEASE = b"Cuda compilation tools, release 12.9, V12.9.86\0"


def start(*arguments):
    """Start the doctor; return its exit code, what it found, and which modules were imported."""
    line = [sys.executable, "-X", "importtime", "-m", f"{NAME}.doctor", *map(str, arguments)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout, re.findall(r"\| +(\S+)$", done.stderr, re.MULTILINE)


def fat_binary(*entries):
    """Return a fat binary with these images, of eight bytes each."""
    body = b"".join(
        struct.pack("<HHIQIIHHI8xQ16x", kind, 0x101, 64, 8, 0, 0, 8, 1, architecture, *flags)
        + b"contents"
        for kind, architecture, *flags in ((*it, 0x8011)[:3] for it in entries)
    )
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body


class Installed:
    name = "distribution"  # of a package that is called otherwise

    def __init__(self, *tags, **direct):
        self.files = {"WHEEL": "".join(f"Tag: {tag}\n" for tag in tags)}
        if direct:
            self.files["direct_url.json"] = json.dumps(direct)

    def read_text(self, name):
        return self.files.get(name)


# ---- the command


def test_it_never_imports_the_native_module():
    code, said, imported = start("--json")
    assert "argparse" in imported
    assert not [name for name in imported if name == "numpy" or name.endswith("_core")]
    findings = json.loads(said)
    assert {"Python", "native modules", "libraries", "GPU code", "disk"} <= {
        finding["check"] for finding in findings
    }
    (code_for_gpus,) = (it for it in findings if it["check"] == "GPU code")
    asked = any(it["check"] == "libcuda" for it in findings)
    assert asked == (code_for_gpus["status"] == "ok")
    for finding in findings:
        assert list(finding) == ["check", "status", "found", "hint"]
        assert finding["status"] == "ok" or finding["hint"]
    assert code == int(any(finding["status"] == "problem" for finding in findings))


def test_it_prints_a_line_for_each_check(tmp_path):
    code, said, _ = start(tmp_path / "none.whl")
    assert code == 1
    assert re.fullmatch(
        r"problem  wheel: .*none\.whl: .*; build it again: pip wheel --no-deps \.\n", said
    )


def test_a_reader_that_has_read_enough_is_no_fault():
    """As `| head -1`."""
    line = [sys.executable, "-m", f"{NAME}.doctor"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        started.stdout.close()
        assert started.stderr.read() == b""
    assert started.returncode in (0, 1)


def test_importing_without_arguments_of_a_command(run_python):
    """An interpreter inside of another program has none."""
    for absent in ("sys.argv = []", "del sys.argv"):
        assert run_python(f"import sys; {absent}; import {NAME}; print('on')") == "on"


def test_a_package_inside_of_another(tmp_path):
    source = Path(sys.modules[NAME].__file__).parent
    shutil.copytree(source, tmp_path / "app" / "vendored" / NAME)
    line = [sys.executable, "-m", f"app.vendored.{NAME}.doctor", "--json"]
    done = subprocess.run(
        line, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode in (0, 1), done.stderr) == (True, "")
    found = {finding["check"]: finding["found"] for finding in json.loads(done.stdout)}
    assert str(tmp_path) in found["native modules"]


def test_importing_it_is_not_starting_it():
    line = [sys.executable, "-c", f"import {NAME}; print('on')", f"{NAME}.doctor"]
    assert subprocess.check_output(line, text=True, timeout=300) == "on\n"


# ---- the native module


def look(tmp_path, contents):
    files = {name: tmp_path / f"{name}.so" for name in module.NAMES}
    files["_core"].write_bytes(b"elf")
    files["_functions"].write_bytes(contents)
    return {finding.check: finding for finding in module.look(NAME, files, Installed())}


def test_gpu_code(tmp_path):
    found = look(tmp_path, RELEASE + fat_binary((2, 75), (1, 90)))["GPU code"]
    assert str(found) == "ok       GPU code: sm_75, PTX of sm_90, CUDA 12.9"
    found = look(tmp_path, b"elf" + PTX)["GPU code"]
    assert str(found) == "ok       GPU code: PTX of sm_75, CUDA 12.0"
    later = b"elf" + fat_binary((2, 75)).replace(b"\1", b"\7", 1)
    found = look(tmp_path, later)["GPU code"]
    assert str(found) == (
        "warning  GPU code: none; it was built with CUDA=OFF: "
        "pip install --force-reinstall --no-cache-dir distribution"
    )


def test_code_for_one_architecture(tmp_path):
    """As nvcc marks it; other GPUs of the major version do not run it."""
    entries = (2, 80), (2, 90, 0x108011), (2, 100, 0x1208011)
    declared = b"\0cuvec architectures of product: 90a, 100f, 120+\0"
    code = RELEASE + fat_binary(*entries)
    assert images.described(images.images(code)) == "sm_80, sm_90a, sm_100f"
    found = look(tmp_path, code + declared)["GPU code of product"]
    assert found.found == "sm_90a, sm_100f, PTX of sm_120, of the GPUs that it declares"
    gpus = (7, 5), (8, 6), (9, 0), (10, 0), (10, 3), (12, 1)
    runs = {gpu: str(images.covering(images.images(code), *gpu)) for gpu in gpus}
    assert list(runs.values()) == ["None", "sm_80", "sm_90a", "sm_100f", "sm_100f", "None"]
    assert images.described(images.of_all(code)) == "sm_80, sm_90a, sm_100f"
    assert images.described(images.of_all(code + declared)) == "sm_80"


@pytest.mark.parametrize(
    ("code", "needed"),
    [
        (fat_binary((2, 75)), (13, 0)),
        (RELEASE + fat_binary((2, 75)), (12, 0)),
        (PTX, (12, 0)),
    ],
    ids=["nvcc 13", "nvcc 12.9", "Rust"],
)
def test_the_required_driver(code, needed):
    assert images.needs(b"elf" + code) == needed


def test_truncated_images_are_ignored():
    whole = fat_binary((2, 75), (2, 90))
    for end in range(len(whole)):
        assert set(images.images(whole[:end])) <= set(images.images(whole))


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", images.ALL_MAJOR),
        ("native", images.ALL_MAJOR),
        ("75", [(False, 75, ""), (True, 75, "")]),
        ("75-real;90a-virtual", [(False, 75, ""), (True, 90, "a")]),
    ],
)
def test_requested_architectures(asked, found):
    assert images.asked_for(asked) == found


def test_no_native_module(tmp_path):
    again = "pip install --force-reinstall --no-cache-dir distribution"
    (finding,) = module.look("mine", module.native([tmp_path, tmp_path / "none"]), Installed())
    assert str(finding) == f"problem  native modules: mine has no _core, _functions; {again}"
    (tmp_path / "_core.abi3.so").touch()
    (finding,) = module.look("mine", module.native([tmp_path]), Installed())
    assert str(finding) == f"problem  native modules: mine has no _functions; {again}"
    (finding,) = module.look("mine", module.native([tmp_path]), None)
    assert finding.hint == "pip install ."


FOLDER = {"url": "file:///home/me/my%20package", "dir_info": {}}
REPOSITORY = {"url": "https://example.org/a.git", "vcs_info": {"vcs": "git", "commit_id": "12ab"}}


@pytest.mark.parametrize(
    ("direct", "source"),
    [
        (FOLDER, "'/home/me/my package'"),
        (FOLDER | {"dir_info": {"editable": True}}, "--editable '/home/me/my package'"),
        (REPOSITORY, "git+https://example.org/a.git@12ab"),
        (
            REPOSITORY | {"subdirectory": "python"},
            "'git+https://example.org/a.git@12ab#subdirectory=python'",
        ),
    ],
)
def test_a_package_is_installed_again_from_where_it_was(direct, source):
    command = f"pip install --force-reinstall --no-cache-dir {source}"
    assert module.reinstalling(Installed(**direct)) == command
    assert module.reinstalling(Installed(**direct), from_source=True) == command


@pytest.mark.parametrize("file", ["/a/mine-1.whl", "/a b/mine-1.whl"])
def test_a_wheel_is_not_built(file):
    installed = Installed(url=Path(file).as_uri(), archive_info={})
    assert module.reinstalling(installed).endswith(shlex.quote(file))
    assert module.reinstalling(installed, from_source=True) == "pip install ."


def test_the_native_modules_of_an_editable_install(tmp_path, monkeypatch):
    build = tmp_path / "build"
    build.mkdir()
    (tmp_path / "_core.pyi").touch()
    expected = {"_core": build / "_core.abi3.so", "_functions": build / "_functions.so"}
    for file in expected.values():
        file.touch()
    paths = [str(tmp_path), str(build)]
    monkeypatch.setattr(sys.modules[f"{NAME}.cuvec"], "__path__", paths)
    assert module.native(module.folders_of(NAME)) == expected


def test_distributions_without_metadata_of_packages(monkeypatch):
    monkeypatch.setattr(module, "packages_distributions", dict)
    assert module.distribution_of("pytest").metadata["Name"] == "pytest"
    assert module.distribution_of("no-such-distribution") is None


@pytest.mark.skipif(not shutil.which("cc") or not shutil.which("ldd"), reason="needs cc and ldd")
def test_missing_libraries(tmp_path):
    def compiled(name, *options):
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-x", "c", "/dev/null", "-x", "none", "-o", name, *options],
            cwd=tmp_path,
            check=True,
        )
        return tmp_path / name

    needed = compiled("libneeded-by-it.so", "-Wl,-soname,libneeded-by-it.so")
    file = compiled("_core.so", "-Wl,--no-as-needed", needed)
    needed.unlink()
    finding = module.libraries(Installed(), file)
    assert str(finding) == (
        "problem  libraries: not found: libneeded-by-it.so; build it on this system: "
        "pip install --force-reinstall --no-cache-dir --no-binary distribution distribution"
    )
    assert module.libraries(Installed(), compiled("other.so")).status == "ok"
    file.write_bytes(b"")
    assert module.libraries(Installed(), file).status == "problem"


@pytest.mark.skipif(not shutil.which("cc") or not shutil.which("ldd"), reason="needs cc and ldd")
def test_missing_symbols(tmp_path):
    code = "extern int PyLong_Type, of_another_library; int *a = &PyLong_Type{};\n"
    for name, more in (("good.so", ""), ("bad.so", ", *b = &of_another_library")):
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", name],
            cwd=tmp_path,
            input=code.replace("{}", more),
            text=True,
            check=True,
        )
    assert module.libraries(Installed(), tmp_path / "good.so").status == "ok"
    finding = module.libraries(Installed(), tmp_path / "good.so", tmp_path / "bad.so")
    assert str(finding) == (
        "problem  libraries: bad.so needs of_another_library, which no library has; name the library "
        "behind LIBRARIES in CMakeLists.txt, and build it again: pip install ."
    )


def test_modules_of_src_are_looked_at(tmp_path, monkeypatch):
    for name in ("ext.abi3.so", "ext.pyi", "ext.py"):
        (tmp_path / name).touch()
    monkeypatch.setattr(sys.modules[NAME], "__path__", [str(tmp_path)])
    assert module.extensions(NAME) == [tmp_path / "ext.abi3.so"]


def test_libraries_cannot_be_inspected(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert str(module.libraries(Installed(), tmp_path)) == (
        "warning  libraries: not looked at: there is no `ldd`; on Debian and Ubuntu: apt install libc-bin"
    )


def test_the_wheel_must_fit_the_interpreter():
    assert module.interpreter("mine", Installed("py3-none-any")).status == "ok"
    other = module.interpreter("mine", Installed("cp39-cp39-any"))
    assert other.status == "problem"
    assert other.found.endswith(f"of the wheel, it is for cp39, this is {sysconfig_tag()}")
    assert other.hint == "pip install --force-reinstall --no-cache-dir distribution"
    unknown = module.interpreter("mine", None)
    assert (unknown.status, unknown.hint) == ("warning", "pip install .")


def sysconfig_tag():
    return HERE + ("t" if sysconfig.get_config_var("Py_GIL_DISABLED") else "")


@pytest.mark.parametrize(
    ("tag", "why"),
    [
        (f"{HERE}-{sysconfig_tag()}-any", ""),
        ("py3-none-any", ""),
        ("cp399-abi3-any", "it is for Python 3.99 or later|abi3 is not for free-threaded Python"),
        ("cp311-abi3t-any", ""),
        ("cp399-abi3t-any", "it is for Python 3.99 or later"),
        ("cp39-cp39-any", "it is for cp39, this is"),
        ("cp39-none-win32", "it is for win32, this is"),
        ("py2-none-any", "it is for py2"),
        ("py3-none-manylinux_2_99_x86_64", "it is for glibc 2.99 or later|it is for manylinux"),
        ("py3-none-linux_sparc", "it is for linux_sparc"),
        (f"py3-none-plan9_{platform.machine()}", "it is for plan9_"),
    ],
)
def test_tags(tag, why):
    assert re.match(why or "$", wheel.misfit(tag)), wheel.misfit(tag)


# ---- wheels


def look_at_wheel(tmp_path, name="mine-1-py3-none-any.whl", limit=100, **files):
    path = tmp_path / name
    with zipfile.ZipFile(path, "w") as archive:
        for file, contents in files.items():
            archive.writestr(file.replace("__", "/"), contents)
    return {finding.check: str(finding) for finding in wheel.look(path, limit)}


def test_a_wheel(tmp_path):
    contents = RELEASE + fat_binary((2, 75), (1, 75))
    said = look_at_wheel(
        tmp_path, **{"mine__cuvec___core.abi3.so": contents, "mine.libs__a.so.1": PTX}
    )
    assert list(said.values()) == [
        "ok       tags: py3-none-any",
        "ok       size: 0.0 MiB, PyPI takes 100",
        "ok       GPU code: sm_75, PTX of sm_75, CUDA 12.9",
        "ok       libraries: bundled: mine.libs/a.so.1",
    ]


@pytest.mark.parametrize(
    ("abi", "why"),
    [("abi3.abi3t", ""), ("cp39.none", ""), ("cp39", "; not for this Python: it is for cp39")],
)
def test_a_wheel_of_several_abis(tmp_path, abi, why):
    said = look_at_wheel(tmp_path, f"mine-1-cp311-{abi}-any.whl", mine__a=b"")["tags"]
    assert said.startswith(f"ok       tags: cp311-{abi}-any{why}")
    assert (";" in said) == bool(why)


@pytest.mark.parametrize(
    ("versions", "named"), [((), ""), ((12,), ""), ((13,), ""), ((11, 12), "11")]
)
def test_code_of_a_later_cuda_than_the_metadata_say(tmp_path, versions, named):
    code = RELEASE + fat_binary((2, 75), (1, 75))
    metadata = "".join(
        f"Classifier: Environment :: GPU :: NVIDIA CUDA :: {it}\n" for it in versions
    )
    said = look_at_wheel(tmp_path, **{"mine__a.so": code, "mine-1.dist-info__METADATA": metadata})
    assert ("problem" in said["GPU code"]) == bool(named)
    assert not named or "CUDA 12.9, but the metadata say CUDA 11; set" in said["GPU code"]


@pytest.mark.parametrize("driver", ["libcuda.so.1", "libcuda-1a2b3c4d.so.1"])
def test_a_wheel_that_cannot_be_uploaded(driver, tmp_path):
    """The driver is in it; auditwheel gives it another name."""
    name = "mine-1-cp39-cp39-linux_x86_64.whl"
    files = {"mine___core.so": fat_binary((2, 90)), f"mine.libs__{driver}": b""}
    said = look_at_wheel(tmp_path, name, limit=0, **files)
    tag = "warning  tags: cp39-cp39-linux_x86_64, which PyPI does not take; for PyPI: auditwheel repair"
    assert said["tags"].startswith(tag)
    assert said["size"].startswith("problem  size: 0.0 MiB, PyPI takes 0; compile for fewer GPUs")
    assert said["GPU code"].startswith(
        "warning  GPU code: sm_90, CUDA 13.0, and no PTX; for later GPUs"
    )
    assert said["libraries"].startswith("problem  libraries: the driver is in it")
    assert "auditwheel repair --exclude 'libcuda.so.*'" in said["libraries"]


def test_a_wheel_without_gpu_code(tmp_path):
    said = look_at_wheel(tmp_path, "mine.whl", mine___core="")
    assert said["tags"].startswith("problem  tags: mine.whl has no tags; name it")
    assert said["GPU code"].startswith("problem  GPU code: the wheel has no native module;")
    said = look_at_wheel(tmp_path, "mine-1-cp39-cp39-any.whl", **{"mine___core.pyd": ""})
    assert "not for this Python: it is for cp39" in said["tags"]
    assert said["GPU code"].startswith(
        "warning  GPU code: none: it runs on the CPU alone; it was built"
    )


def function(name, promised, *entries):
    """Return the code of a function in CUDA C++, with the note that is beside it."""
    return fat_binary(*entries) + noted(name, promised, back=len(fat_binary(*entries)))


def noted(name, promised, back):
    return struct.pack("<q", -back) + f"cuvec code of {name}: {promised}\0".encode()


@pytest.mark.parametrize(
    ("code", "lacking"),
    [
        (function("f", "80, 90, 90+", (2, 80), (2, 90), (1, 90)), []),
        (function("f", "75, 90, 90+", (1, 75)), []),  # which drivers compile
        (function("f", "", (2, 80)), []),
        (function("f", "80, 90", (2, 80)), ["f: no code for sm_90"]),
        (function("f", "86", (2, 80)), []),
        (function("f", "80", (2, 86)), ["f: no code for sm_80"]),
        (function("f", "90, 90+", (2, 90), (1, 100)), ["f: no code for PTX of sm_90"]),
        (function("f", "90, 90+", (2, 90), (1, 90, 0x108011)), ["f: no code for PTX of sm_90"]),
        (function("f", "90a", (2, 90, 0x108011)), []),
        (function("f", "90a", (2, 90)), ["f: no code for sm_90a"]),
        (function("f", "90", (2, 90, 0x108011)), ["f: no code for sm_90"]),
        (function("f", "100f", (2, 100, 0x108011)), ["f: no code for sm_100f"]),
        (noted("f", "80", back=8), ["f: no code for sm_80"]),  # and no fat binary
        (noted("f", "80", back=-(1 << 40)), ["f: no code for sm_80"]),
        (
            function("f", "80, 90", (2, 80)) + function("g", "90", (2, 80)),
            ["f, g: no code for sm_90"],
        ),
        (PTX + b".visible .entry f_f32(\ncuvec kernel f_f32\0", []),
        (
            PTX + b".visible .entry f_f64(\ncuvec kernel f_f32\0",
            ["f_f32: no code for PTX of sm_75"],
        ),
        (
            b"\n.target sm_90\n.visible .entry f(\ncuvec kernel f\0",
            ["f: no code for PTX of sm_75"],
        ),
        (
            PTX
            + b".visible .entry f(\n.target sm_80\n.visible .entry g_f16(\ncuvec kernel f\0"
            + b"cuvec kernel g_f16\0cuvec architectures of g: 80+\0",
            [],
        ),
        (
            (
                b"\n.target sm_90\n.visible .entry g_f16(\n"
                b"cuvec kernel g_f16\0cuvec architectures of g: 80+\0"
            ),
            ["g_f16: no code for PTX of sm_80"],
        ),
        (
            function("g", "80", (2, 80)) + b"cuvec kernel f\0",
            ["f: no code for PTX of sm_75"],
        ),
        (b"cuvec kernel f\0", []),  # for the CPU alone
    ],
)
def test_functions_without_code_for_a_promised_gpu(tmp_path, code, lacking):
    path = tmp_path / "mine-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mine/cuvec/_functions.so", code)
    found = [it for it in wheel.look(path) if it.check == "GPU code of functions"]
    assert [it.found for it in found] == [f"{it}, which the wheel is to have" for it in lacking]
    assert all(it.status == "problem" and it.hint for it in found)


@pytest.mark.skipif(not shutil.which("cc") or sys.platform != "linux", reason="needs cc and ELF")
def test_libraries_that_no_machine_has(tmp_path):
    def compiled(name, *options):
        line = ["cc", "-shared", "-fPIC", "-xc", "/dev/null", "-xnone", "-o", name, *options]
        subprocess.run(line, cwd=tmp_path, check=True)
        return (tmp_path / name).read_bytes()

    library = compiled("libours.so.1", "-Wl,-soname,libours.so.1")
    linked = ("-Wl,--no-as-needed", "libours.so.1", "-lm")
    lost = compiled("a.so", *linked)
    found = compiled("b.so", *linked, "-Wl,-rpath,/nowhere:$ORIGIN/../mine.libs")
    assert libraries.needed(lost)[0] == ["libours.so.1", "libm.so.6", "libc.so.6"]
    missing = "problem  libraries: not in the wheel, and not in every Linux: libours.so.1; auditwheel repair WHEEL"
    said = look_at_wheel(tmp_path, **{"mine__a.so": lost})
    assert said["libraries"] == missing
    files = {"mine.libs__libours.so.1": library}
    assert look_at_wheel(tmp_path, **files, **{"mine__a.so": lost})["libraries"] == missing
    assert look_at_wheel(tmp_path, **files, **{"mine__b.so": found})["libraries"].startswith("ok")


def test_libraries_of_cuda_that_nothing_installs(tmp_path):
    called = (
        b"libcufft.so.12 cannot be loaded. To install it: pip install 'cuda-toolkit[cufft]==13.*'"
    )
    files = {"mine__a.so": called, "mine-1.dist-info__METADATA": "Requires-Dist: numpy"}
    assert look_at_wheel(tmp_path, **files)["libraries"] == (
        "problem  libraries: mine/a.so calls libcufft.so.12, which nothing installs; "
        "add to `dependencies` in pyproject.toml what it is in: pip install 'cuda-toolkit[cufft]==13.*'"
    )
    for requirement in ("cuda-toolkit[cublas,cufft]==13.*", "nvidia-cufft>=12"):
        files["mine-1.dist-info__METADATA"] = f"Name: a\nRequires-Dist: {requirement}\n"
        assert look_at_wheel(tmp_path, **files)["libraries"].startswith("ok")


def test_the_limit_may_be_another(tmp_path):
    with zipfile.ZipFile(tmp_path / "mine-1-py3-none-any.whl", "w") as archive:
        archive.writestr("a.so", b"\0" * (2 << 20))
    for limit, status in (("1", "problem"), ("3", "ok     ")):
        _, said, _ = start(tmp_path / "mine-1-py3-none-any.whl", "--limit", limit)
        assert f"{status}  size: 2.0 MiB, PyPI takes {limit}" in said


# ---- malformed wheels


def test_damaged_wheels_are_a_problem(tmp_path):
    """Every byte of the headers has several wrong values; the directory is at the end."""
    path = tmp_path / "mine-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mine/_core.so", b"elf" + PTX * 9 + fat_binary((2, 75)))
    whole = path.read_bytes()
    found = []
    for at in range(len(whole)):
        for value in (0, 1, 9, 12, 14, 0x7F, 0x80, 0xFF):
            path.write_bytes(whole[:at] + bytes([value]) + whole[at + 1 :])
            found.append(wheel.look(path)[0].status)
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        found.append(wheel.look(path)[0].status)
    assert {"ok", "problem"} == set(found)


def test_an_encrypted_wheel(tmp_path):
    path = tmp_path / "mine-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.so", b"abc")
    data = bytearray(path.read_bytes())
    data[6] |= 1
    data[data.find(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    (finding,) = wheel.look(path)
    assert "encrypted" in finding.found


def test_a_wheel_that_unpacks_to_too_much(tmp_path, monkeypatch):
    monkeypatch.setattr(wheel, "UNPACKED", 3 << 20)
    bomb = {"a.so": b"\0" * (2 << 20), "b.so": b"\0" * (2 << 20)}
    said = look_at_wheel(tmp_path, **bomb)
    assert "its libraries are larger than 3 MiB" in said["wheel"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_waited_for(tmp_path):
    path = tmp_path / "mine-1-py3-none-any.whl"
    os.mkfifo(path)
    (finding,) = wheel.look(path)
    assert finding.found.endswith("there is no such file")


def test_names_in_a_wheel_are_escaped(tmp_path):
    forged = "mine.libs__a\nok       GPU code: sm_90\x1b[31m.so"
    said = look_at_wheel(tmp_path, **{"mine___core.so": PTX, forged: b""})
    assert said["libraries"] == (
        r"ok       libraries: bundled: mine.libs/a\nok       GPU code: sm_90\x1b[31m.so"
    )


def test_numbers_of_many_digits_are_no_architecture(tmp_path):
    digits = b"9" * 5000
    code = b"\n.target sm_" + digits + b"\nrelease " + digits + b".1, V1"
    said = look_at_wheel(tmp_path, **{"mine___core.so": code})
    assert said["GPU code"].startswith("warning  GPU code: none")


# ---- memory and disk


def files_below(root, **files):
    for path, text in files.items():
        file = root / path.replace("__", "/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return machine.Machine(root, {})


def test_memory(tmp_path):
    assert machine.memory(machine.Machine(tmp_path, {})) == []
    enough = "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\nHugePages_Total: 0\n"
    (finding,) = machine.memory(files_below(tmp_path, proc__meminfo=enough))
    assert str(finding) == "ok       memory: 4.0 GiB available"
    groups = {"proc__self__cgroup": "0::/a/b\n", "sys__fs__cgroup__a__b__memory.max": "max\n"}
    groups["sys__fs__cgroup__a__memory.max"] = f"{1 << 29}\n"
    (finding,) = machine.memory(files_below(tmp_path, **groups))
    assert str(finding) == (
        "warning  memory: 4.0 GiB available, the container may use 0.5 GiB; "
        "compilers may be killed: CMAKE_BUILD_PARALLEL_LEVEL=1"
    )


def test_memory_limit_of_cgroup_v1(tmp_path):
    groups = {"proc__self__cgroup": "5:cpu:/x\n4:hugetlb,memory:/a\n"}
    groups |= {"sys__fs__cgroup__memory__memory.limit_in_bytes": "7\n"}
    assert machine.limit_of_container(files_below(tmp_path, **groups)) == 7


def test_disk(tmp_path, monkeypatch):
    assert machine.disk(tmp_path).status in ("ok", "warning")
    monkeypatch.setattr(machine, "LOW_DISK", 1 << 80)
    assert str(machine.disk(tmp_path)).endswith(
        f"free in {tmp_path}; free some, or let TMPDIR name a folder of another disk"
    )
    assert machine.disk(Path("/")).status == "warning"


@pytest.mark.parametrize("kernels", ["cu", "rust"])
def test_the_machine_is_checked_for_every_kernel_language(tmp_path, kernels):
    here = machine.Machine(tmp_path, {"CUVEC_DEVICE": "nonsense"}, "libcuda-none.so.1")
    checks = [finding.check for finding in command.of_machine(here, kernels)]
    assert checks == ["libcuda", "CUVEC_DEVICE", "disk"]
