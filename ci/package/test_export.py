"""`cargo generate` makes of `cuvec-new export` what `cuvec-new` itself makes, byte for byte."""

import json
import subprocess
from itertools import product
from pathlib import Path

import pytest
from generator import COMBINATIONS, CUDA, DOCS, EXECUTABLE, LICENSES, PROVIDERS, scaffold
from shell import ROOT, run

pytestmark = pytest.mark.night

CARGO_GENERATE = ROOT / "target/ci/cargo-generate/bin/cargo-generate"
PLAIN = {"description": "Sums", "author": "Ada Lovelace", "email": "ada@example.org"}
# Quotes, backslashes and both languages' braces, no email address.
ODD = {"description": r'A "b" \ {{name}} {% if %} ${{ x }} é', "author": 'O\'Ada "L" {{x}}', "email": ""}
NAMES = ("my-pkg", "a0", "zz-top")
CHOSEN = {"cuda": CUDA[0], "license": LICENSES[0], "ci": PROVIDERS[0], "docs": DOCS[0], "python": "3.11"}
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")


@pytest.fixture(scope="module")
def exported(folder: Path) -> Path:
    run(ROOT / "ci/cargo-generate.sh")
    run(EXECUTABLE, "export", folder / "templates")
    return folder / "templates"


def generating(templates: Path, folder: Path, name: str, *more: str, **answers: str) -> list[str | Path]:
    """A command that makes a package in `folder`. From the folder with all templates, it copies all of them."""
    options = ("--silent", "--vcs=none", "--no-workspace", f"--path={templates}", f"--name={name}")
    defined = [f"--define={key}={value}" for key, value in answers.items()]
    return [CARGO_GENERATE, "generate", *options, f"--destination={folder}", *defined, *more]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file and, as nothing, every folder in it."""
    paths = sorted(folder.rglob("*"))
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"" for path in paths}


@pytest.mark.parametrize(("bridge", "kernels"), COMBINATIONS)
def test_cargo_generate_makes_the_same_package(bridge: str, kernels: str, exported: Path, tmp_path: Path) -> None:
    """With every license and every provider of CI once, and each provider with and without documentation."""
    turn = COMBINATIONS.index((bridge, kernels))
    choices = list(product(LICENSES, PROVIDERS))
    assert len(choices) <= len(COMBINATIONS)
    license, ci = choices[turn % len(choices)]
    docs, cuda = DOCS[turn // 2 % len(DOCS)], CUDA[turn // 3 % len(CUDA)]
    name, python = NAMES[turn % len(NAMES)], PYTHONS[turn % len(PYTHONS)]
    answers = {
        **(ODD if turn % 2 else PLAIN),
        "cuda": cuda,
        "license": license,
        "ci": ci,
        "docs": docs,
        "python": python,
    }
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    run(*generating(exported / f"{bridge}-{kernels}", theirs, name, **answers))
    made = contents(theirs / name)
    wanted = contents(scaffold(tmp_path / "ours", name, bridge=bridge, kernels=kernels, **answers))
    assert sorted(made) == sorted(wanted)
    assert not [path for path in wanted if made[path] != wanted[path]], answers


def test_there_is_a_template_for_every_combination(exported: Path, tmp_path: Path) -> None:
    """One is chosen by its name."""
    folders = {path.name for path in exported.iterdir() if path.is_dir()}
    assert folders == {f"{bridge}-{kernels}" for bridge, kernels in COMBINATIONS}
    run(*generating(exported, tmp_path, "mypkg", "-".join(COMBINATIONS[0]), **PLAIN, **CHOSEN))
    assert (tmp_path / "mypkg/pyproject.toml").exists()


REFUSED = (
    *({"name": name} for name in ("numpy", "class", "con", "update", "3d", "a--b", "x" * 65)),
    *({"description": text} for text in ("one\ntwo", "x" * 513, "see <!-- this")),
    *({"author": text} for text in ("Ada, Bob", " ", "a\u202eb")),
    *({"email": text} for text in ("ada", "a@b..c")),
)
# Words of the script, or what cargo-generate itself says of a name or a pattern.
REASONS = ("the name ", "description ", "author ", "email ", "regex", "valid")


@pytest.mark.parametrize("answers", REFUSED, ids=repr)
def test_answers_that_cuvec_new_refuses(answers: dict[str, str], exported: Path, tmp_path: Path) -> None:
    """Neither makes a package of a values file that says this."""
    values = {"name": "mypkg", **PLAIN, **CHOSEN, **answers}
    name = values.pop("name")
    table = "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
    (tmp_path / "values.toml").write_text(f"[values]\n{table}")
    file = f"--template-values-file={tmp_path / 'values.toml'}"
    command = generating(exported / "-".join(COMBINATIONS[0]), tmp_path, name, file)
    theirs = subprocess.run(command, check=False, capture_output=True, text=True)
    assert theirs.returncode != 0
    assert any(reason in theirs.stderr for reason in REASONS), theirs.stderr
    assert not [path for path in tmp_path.rglob("*") if path.name not in {"values.toml", name}]
    flags = [f"--{key}={value}" for key, value in values.items()]
    ours = (EXECUTABLE, *flags, "--no-git", "--", name)
    assert subprocess.run(ours, cwd=tmp_path, check=False).returncode == 2
