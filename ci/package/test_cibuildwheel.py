"""cibuildwheel makes, of what is in pyproject.toml and on the runners of CI, the wheels that the documentation promises."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from cibuildwheel.options import CommandLineArguments, compute_options
from cibuildwheel.util.packaging import find_compatible_wheel
from environment import Environment, groups
from generator import BRIDGES, CUDA, PROVIDERS, scaffold, unpack
from packaging.requirements import Requirement
from pins import pin
from shell import ROOT, run
from workflow import jobs, runs

Platform = tuple[str, str]

PLATFORMS: dict[Platform, str] = {  # as cibuildwheel and as the name of a wheel say it
    ("linux", "x86_64"): "manylinux_x86_64",
    ("linux", "aarch64"): "manylinux_aarch64",
    ("windows", "AMD64"): "win_amd64",
    ("macos", "arm64"): "macosx_arm64",
}
RUNNERS: dict[str, Platform] = {  # of GitHub
    "ubuntu-24.04": ("linux", "x86_64"),
    "ubuntu-24.04-arm": ("linux", "aarch64"),
    "windows-2022": ("windows", "AMD64"),
    "macos-15": ("macos", "arm64"),
}


def pyproject(package: Path) -> dict:
    return tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))


def settings(package: Path) -> dict[str, object]:
    return pyproject(package)["tool"]["cibuildwheel"]


def versions(package: Path) -> list[str]:
    """The Pythons, such as "3.13", that the package says it is for."""
    classifiers = pyproject(package)["project"]["classifiers"]
    start = "Programming Language :: Python :: "
    return [line.removeprefix(start) for line in classifiers if re.fullmatch(rf"{start}3\.\d+", line)]


def python_and_abi(package: Path, python: str) -> str:
    """The Python and ABI tags of a wheel that scikit-build-core builds with `python`, such as "cp313"."""
    stable, _, threaded = pyproject(package)["tool"]["scikit-build"]["wheel"].get("py-api", "").partition(".")
    if python.endswith("t"):  # its ABI is one of two of its wheel, which Pythons with a GIL take as well
        may = threaded and int(threaded[2:-1]) <= int(python[2:-1])
        return f"{threaded[:-1]}-abi3.abi3t" if may else f"{python.removesuffix('t')}-{python}"
    if stable and int(stable[2:]) <= int(python[2:]):
        return f"{stable}-abi3"
    return f"{python}-{python}"


IDENTIFIERS: dict[str, list[str]] = {}  # from earlier calls: cibuildwheel takes most of its time to start


def build_identifiers(package: Path, system: str, machine: str) -> list[str]:
    """Such as "cp311-manylinux_x86_64", of every wheel that cibuildwheel would build or test."""
    known = repr((system, machine, settings(package), pyproject(package)["project"]["requires-python"]))
    if known not in IDENTIFIERS:
        shown = run("cibuildwheel", "--print-build-identifiers", "--platform", system, "--archs", machine, package)
        IDENTIFIERS[known] = re.findall(r"^cp.*$", shown, re.MULTILINE)
    return IDENTIFIERS[known]


@pytest.fixture(scope="module", params=BRIDGES)
def package(request: pytest.FixtureRequest, folder: Path) -> Path:
    """Its bindings say which Pythons a wheel is for."""
    return scaffold(folder / request.param / "mypkg", bridge=request.param)


@pytest.mark.parametrize("platform", PLATFORMS, ids="-".join)
def test_wheels(package: Path, platform: Platform, request: pytest.FixtureRequest) -> None:
    system, machine = platform
    tail = PLATFORMS[platform]
    identifiers = build_identifiers(package, system, machine)
    pythons = [identifier.removesuffix(f"-{tail}") for identifier in identifiers]
    # Every Python has its turn, once, in which the wheel is tested. Nothing else has: no musllinux, and of free-threaded ones no
    # cp313t, which no tool makes wheels for any more.
    assert [it for it in pythons if not it.endswith("t")] == [f"cp{it.replace('.', '')}" for it in versions(package)]
    assert [it for it in pythons if it.endswith("t")] == ["cp314t", "cp315t"]

    wheels: list[Path] = []
    for python, identifier in zip(pythons, identifiers, strict=True):
        if find_compatible_wheel(wheels, identifier) is None:  # else cibuildwheel only tests that one again
            wheels.append(Path(f"mypkg-0.1.0-{python_and_abi(package, python)}-{tail}.whl"))
    built = [wheel.name.removeprefix("mypkg-0.1.0-").removesuffix(f"-{tail}.whl") for wheel in wheels]

    bridge = request.node.callspec.params["package"]
    wanted = {
        # its own Python has functions that are not in the stable ABI before
        "nanobind": ["cp311-cp311", "cp312-abi3"],
        # it includes more than the stable ABI
        "pybind11": [f"cp{version.replace('.', '')}-cp{version.replace('.', '')}" for version in versions(package)],
    }
    last = "cp315-abi3.abi3t" if bridge in ("cxx", "ctypes", "pyo3") else "cp315-cp315t"
    assert sorted(built) == sorted([*wanted.get(bridge, ["cp311-abi3"]), "cp314-cp314t", last])


@pytest.mark.parametrize("platform", PLATFORMS, ids="-".join)
def test_every_wheel_is_looked_into(package: Path, platform: Platform) -> None:
    """By abi3audit only those that it knows: it refuses `PyModExport_ext`, by which modules of abi3t are loaded."""
    system, machine = platform
    arguments = CommandLineArguments.defaults()
    arguments.package_dir, arguments.platform, arguments.archs = package, system, machine
    options = compute_options(system, arguments, {})
    for identifier in build_identifiers(package, system, machine):
        *abi3audit, doctor = options.build_options(identifier).audit_command
        assert doctor == "python {project}/build/cuvec_runtime/cuvec/doctor {wheel}", identifier
        threaded = identifier.partition("-")[0].endswith("t")
        assert abi3audit == ([] if threaded else ["abi3audit --strict --report {abi3_wheel}"]), identifier


def test_ci_runs_the_newest_python(tmp_path: Path) -> None:
    package = scaffold(tmp_path / "mypkg", ci="github")
    matrix = jobs(package, "ci")["test"]["strategy"]["matrix"]
    assert matrix["python"] == ["lowest", versions(package)[-1]]


def promised(provider: str) -> set[Platform]:
    """The systems in its row of the table of releases."""
    page = (ROOT / "docs/tutorials/publish.md").read_text()
    (sentence,) = re.findall(rf"^\| `{provider}` \|.*\| (.*) \|$", page, re.MULTILINE)
    machines = re.findall(r"Linux \(([^)]+)\)", sentence)
    found = {("linux", machine) for machine in ", ".join(machines).split(", ")}
    if "Windows" in sentence:
        found.add(("windows", "AMD64"))
    if "macOS (Apple silicon)" in sentence:
        found.add(("macos", "arm64"))
    return found


def built(package: Path, provider: str) -> set[Platform]:
    """The systems that CI has runners for; without CI, those that the package has settings for."""
    if provider == "github":
        return {RUNNERS[runner] for runner in jobs(package, "wheels")["wheels"]["strategy"]["matrix"]["os"]}
    if provider == "gitlab":
        job = yaml.safe_load((package / ".gitlab-ci.yml").read_text())["wheels"]
        assert "tags" not in job, "on GitLab.com, a job without tags has a runner with Linux on x86_64"
        return {(system, "x86_64") for line in job["script"] for system in re.findall(r"--platform (\w+)", line)}
    return set(PLATFORMS)


@pytest.mark.parametrize("cuda", CUDA)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_ci_builds_for_the_systems_that_the_documentation_promises(provider: str, cuda: str, tmp_path: Path) -> None:
    package = scaffold(tmp_path / "mypkg", ci=provider, cuda=cuda)
    # GitHub's machines with Windows have no toolkit of CUDA 12, as the page says.
    unavailable = {("windows", "AMD64")} if (provider, cuda) == ("github", "12") else set()
    assert promised(provider) - unavailable == built(package, provider)
    # `test_wheels` is about packages with CI of GitHub.
    assert settings(package) == settings(scaffold(tmp_path / "github" / "mypkg", cuda=cuda))


def test_a_package_for_cuda_12_is_built_where_there_is_a_toolkit(tmp_path: Path) -> None:
    default, package = (scaffold(tmp_path / cuda / "mypkg", cuda=cuda) for cuda in CUDA)
    assert build_identifiers(package, "linux", "x86_64") == build_identifiers(default, "linux", "x86_64")
    assert settings(package)["manylinux-x86_64-image"].endswith("x86_64_cuda12_9")
    assert settings(package)["linux"]["environment"]["CUDA_HOME"] == "/usr/local/cuda"
    assert yaml.safe_load((package / ".github/workflows/ci.yml").read_text())["env"]["CUDA"] == "OFF"


def test_releases_are_built_with_exact_tools(package: Path) -> None:
    name, (option, path) = settings(package)["build-frontend"].values()
    assert (name, option) == ("build", "--dependency-constraints-txt")
    unpack(package)
    locked = re.findall(r"^([\w-]+)==(\S+) .*\\\n +--hash=sha256:", (package / path).read_text(), re.MULTILINE)
    assert len(locked) == len(re.findall(r"^\w.*", (package / path).read_text(), re.MULTILINE))
    versions = dict(locked)
    assert f"scikit-build-core=={versions['scikit-build-core']}" == pin("scikit-build-core")
    for tool in map(Requirement, pyproject(package)["dependency-groups"]["build"]):
        assert versions[tool.name] in tool.specifier, tool


@pytest.mark.night
def test_a_release_needs_nothing_without_a_hash(tmp_path: Path) -> None:
    """pip, told that all of it has one, finds all of it in the two files."""
    packages = [scaffold(tmp_path / bridge / "mypkg", bridge=bridge) for bridge in BRIDGES]
    package, needed = packages[0], [word for package in packages for word in groups(package, "build")]
    (pip,) = [tool for tool in pyproject(package)["dependency-groups"]["release"] if tool.startswith("pip==")]
    environment = Environment(tmp_path / "environment", "3.11", pip)
    install = ("install", "--quiet", "--dry-run", "--require-hashes")
    environment.pip(*install, "--constraint", ROOT / "runtime/constraints.txt", *needed)
    environment.pip(*install, "--requirement", ROOT / "runtime/release.txt")


def test_every_system_has_the_same_rust(package: Path) -> None:
    """Linux gets it in the container: `before-all`."""
    found = runs(jobs(package, "wheels")["wheels"])
    assert found.index("sh build/cuvec_runtime/install-rust.sh") < found.index("cibuildwheel")
