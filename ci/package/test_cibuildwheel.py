"""cibuildwheel makes, of what is in pyproject.toml, the wheels that README.md promises."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from cibuildwheel.util.packaging import find_compatible_wheel
from shell import run

PLATFORMS = {  # what README.md and wheels.yml name, as cibuildwheel and as the name of a wheel say it
    ("linux", "x86_64"): "manylinux_x86_64",
    ("linux", "aarch64"): "manylinux_aarch64",
    ("windows", "AMD64"): "win_amd64",
    ("macos", "arm64"): "macosx_arm64",
}


def python_and_abi(package: Path, python: str) -> str:
    """What scikit-build-core puts into the name of a wheel that Python `python`, such as "cp313", builds."""
    with (package / "pyproject.toml").open("rb") as file:
        stable = tomllib.load(file)["tool"]["scikit-build"]["wheel"].get("py-api", "")
    if stable == "py3":
        return "py3-none"
    if stable and int(stable[2:]) <= int(python[2:]):
        return f"{stable}-abi3"
    return f"{python}-{python}"


@pytest.mark.parametrize("platform", PLATFORMS, ids="-".join)
def test_wheels(package: Path, platform: tuple[str, str]) -> None:
    system, machine = platform
    tail = PLATFORMS[platform]
    shown = run("cibuildwheel", "--print-build-identifiers", "--platform", system, "--archs", machine, package)
    identifiers = re.findall(r"^cp.*$", shown, re.MULTILINE)
    pythons = [identifier.removesuffix(f"-{tail}") for identifier in identifiers]
    # Every Python has its turn, once, in which the wheel is tested, and nothing else has: no musllinux, no cp313t.
    assert pythons == [f"cp3{minor}" for minor in range(11, 11 + len(pythons))]
    assert len(pythons) >= 4

    wheels: list[Path] = []
    for python, identifier in zip(pythons, identifiers, strict=True):
        if find_compatible_wheel(wheels, identifier) is None:  # else cibuildwheel only tests that one again
            wheels.append(Path(f"mypkg-0.1.0-{python_and_abi(package, python)}-{tail}.whl"))
    built = [wheel.name.removeprefix("mypkg-0.1.0-").removesuffix(f"-{tail}.whl") for wheel in wheels]

    readme = (package / "README.md").read_text()
    promises = {
        "One wheel serves all versions of Python from 3.11 on.": ["cp311-abi3"],
        "One wheel a platform serves all versions of Python from 3.11 on.": ["py3-none"],
        "One wheel serves all versions of Python from 3.12 on; 3.11 has one of its own.": ["cp311-cp311", "cp312-abi3"],
        "Every version of Python has a wheel of its own, from 3.11 to the newest.": [f"{p}-{p}" for p in pythons],
    }
    assert [wheels for promise, wheels in promises.items() if promise in readme] == [built]
