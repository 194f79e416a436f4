"""`cargo generate` makes of `cuvec-new export` what `cuvec-new` itself makes, byte for byte."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import pytest
from generator import LICENSES, PROVIDERS, Combination, combinations, executable, scaffold
from shell import ROOT, run

CARGO_GENERATE = ROOT / "target/ci/cargo-generate/bin/cargo-generate"
PLAIN = {"description": "Sums", "author": "Ada Lovelace", "email": "ada@example.org", "python": "3.11"}
# Quotes, backslashes and both languages' braces, no email address, another Python.
ODD = {
    "description": r'A "b" \ {{name}} {% if %} ${{ x }} é',
    "author": 'O\'Ada "L" {{x}}',
    "email": "",
    "python": "3.13",
}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "templates"
    run(executable(), "export", folder)
    return folder


def generate(template: Path, folder: Path, name: str, **answers: str) -> dict[str, bytes]:
    """Files of the package that cargo-generate makes in the new folder `folder`."""
    folder.mkdir(parents=True)
    defined = [word for key, value in answers.items() for word in ("--define", f"{key}={value}")]
    run(
        CARGO_GENERATE,
        "generate",
        "--silent",
        "--vcs=none",
        "--no-workspace",
        f"--path={template}",
        f"--name={name}",
        f"--destination={folder}",
        *defined,
    )
    return contents(folder / name)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file and, as nothing, every folder in it."""
    paths = sorted(folder.rglob("*"))
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"" for path in paths}


@pytest.mark.parametrize("combination", combinations(), ids=str)
def test_cargo_generate_makes_the_same_package(combination: Combination, exported: Path, tmp_path: Path) -> None:
    def compare(number: int, license: str, ci: str) -> None:
        # Names that come first, last and in the middle of a Cargo.lock.
        name = ("my-pkg", "a0", "zz-top")[number % 3]
        answers = {**(ODD if number % 2 else PLAIN), "license": license, "ci": ci}
        made = generate(exported / str(combination), tmp_path / f"theirs-{number}", name, **answers)
        ours = scaffold(tmp_path / f"ours-{number}", name, **combination._asdict(), **answers)
        wanted = contents(ours)
        assert sorted(made) == sorted(wanted)
        different = [path for path in wanted if made[path] != wanted[path]]
        assert not different, f"{different} of {name} with {answers}"

    choices = list(product(LICENSES, PROVIDERS))
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        done = [threads.submit(compare, number, *choice) for number, choice in enumerate(choices)]
    for comparison in done:
        comparison.result()


def test_there_is_a_template_for_every_combination(exported: Path) -> None:
    folders = {path.name for path in exported.iterdir() if path.is_dir()}
    assert folders == {str(combination) for combination in combinations()}


def test_what_is_said_of_a_package_is_refused(tmp_path: Path) -> None:
    said = run(executable(), "mypkg", "export", tmp_path / "templates", ok=False)
    assert "cannot be used with" in said
    assert not any(tmp_path.iterdir())


def test_nothing_is_written_into_a_folder_that_holds_something(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    said = run(executable(), "export", tmp_path, ok=False)
    assert said == f"error: `{tmp_path}` already exists\nhint: export into a folder that does not exist yet\n"
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
