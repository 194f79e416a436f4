"""The files of every package, whatever was chosen, pass the linters that their owner will run."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from generator import COMBINATIONS, CUDA, DOCS, KERNELS, LICENSES, PROVIDERS, scaffold, unpack
from packaging.licenses import canonicalize_license_expression
from pins import pin
from shell import ROOT, run
from validate_pyproject.api import Validator

# The length and the place in the alphabet of a name decide how formatters lay out the lines it is in.
NAMES = ("a", "zz9", "my-pkg", "a-distribution-with-quite-a-long-name")

ANSWERS = [("mypkg", {"license": license, "ci": ci}) for license in LICENSES for ci in PROVIDERS]
ANSWERS += [("mypkg", {"docs": docs}) for docs in DOCS[1:]]
ANSWERS += [("mypkg", {"cuda": cuda, "ci": ci}) for cuda in CUDA[1:] for ci in PROVIDERS]
ANSWERS += [("mypkg", {"cuda": cuda, "kernels": kernels}) for cuda in CUDA[1:] for kernels in KERNELS[1:]]
ANSWERS += [
    (NAMES[turn % len(NAMES)], {"bridge": bridge, "kernels": kernels})
    for turn, (bridge, kernels) in enumerate([*COMBINATIONS, *COMBINATIONS[1:]])
]

PLACEHOLDER = re.compile(r"(?<!\$)\{\{[{>]? ?[a-z][^{},\n]*\}\}")  # of Handlebars; `${{` is GitHub's


@pytest.fixture(scope="module", params=ANSWERS, ids=lambda answers: "-".join([answers[0], *answers[1].values()]))
def tree(request: pytest.FixtureRequest, folder: Path) -> Path:
    name, answers = request.param
    return scaffold(folder / str(request.param_index) / name, name, **answers)


def owners(tree: Path) -> list[Path]:
    """All files without the runtime's, which `ci/lint.sh` lints."""
    files = (path for path in sorted(tree.rglob("*")) if path.is_file())
    return [path for path in files if not {"build", "runtime"} & {*path.relative_to(tree).parts}]


def test_rustfmt(tree: Path) -> None:
    if (tree / "Cargo.toml").exists():
        unpack(tree)
        run("cargo", "fmt", "--check", cwd=tree)
    if sources := sorted((tree / "kernels").glob("*.rs")):
        run("rustfmt", "--edition", "2024", "--check", *sources)


def test_clang_format(tree: Path) -> None:
    sources = [path for path in owners(tree) if path.suffix in {".cu", ".cuh", ".cpp", ".hpp", ".c", ".h"}]
    if not sources:
        pytest.skip("no C++ in it")
    run("clang-format", "--dry-run", "-Werror", *sources)


def test_ruff(tree: Path) -> None:
    run("ruff", "check", "--no-cache", tree)
    run("ruff", "format", "--check", "--no-cache", tree)


@pytest.fixture(scope="session")
def validator() -> Validator:
    """As the command `validate-pyproject` uses it, which takes most of its time to start."""
    return Validator()


def test_pyproject(tree: Path, validator: Validator) -> None:
    validator(tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8")))


def test_every_file_ends_with_one_newline_and_no_line_with_a_blank(tree: Path) -> None:
    for path in owners(tree):
        if path.name not in {"LICENSE", ".cuvec-new.lock"}:  # the one is in the other
            text = path.read_text(encoding="utf-8")
            assert not text or (text.endswith("\n") and not text.endswith("\n\n")), path
            assert not [line for line in text.splitlines() if line != line.rstrip()], path
            assert not PLACEHOLDER.search(text), f"{path}: a placeholder was left"


def test_license(tree: Path) -> None:
    with (tree / "pyproject.toml").open("rb") as file:
        expression = tomllib.load(file)["project"]["license"]
    assert canonicalize_license_expression(expression) == expression  # of SPDX, as PEP 639 asks
    license = (tree / "LICENSE").read_text()
    assert ("Ada Lovelace" in license) == license.startswith(("MIT", "BSD"))


def test_a_release_has_exact_tools_and_an_address_for_faults(tree: Path) -> None:
    tools = tomllib.loads((tree / "pyproject.toml").read_text())["dependency-groups"]["release"]
    assert all(re.fullmatch(r"[\w-]+==[\d.]+", tool) for tool in tools)
    locked = (ROOT / "runtime/release.txt").read_text()
    assert all(re.search(rf"^{re.escape(tool)} \\$", locked, re.MULTILINE) for tool in tools)
    requirements = re.findall(r"^[\w-]+==(?:.*\\\n)+.*\n", locked, re.MULTILINE)
    assert len(requirements) == locked.count("==") - locked.count(" == '") > len(tools)
    assert all("--hash=sha256:" in requirement for requirement in requirements)
    assert "vulnerabilit" in (tree / "SECURITY.md").read_text()


@pytest.fixture
def hooks(tree: Path) -> list[dict]:
    """The repositories of .pre-commit-config.yaml."""
    return yaml.safe_load((tree / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]


def test_nobody_can_change_a_hook(hooks: list[dict]) -> None:
    """A tag can be moved, and what is installed for a hook can have a later version. Hooks of the system are its owner's."""
    for repository in hooks:
        local = repository["repo"] == "local"
        assert local or re.fullmatch(r"[0-9a-f]{40}", str(repository["rev"])), repository
        for hook in repository["hooks"]:
            needs = hook.get("additional_dependencies", [])
            assert all(re.fullmatch(r"[\w.\[\]-]+==[\w.]+", requirement) for requirement in needs), hook
            assert needs or not local or hook["language"] == "system", hook


REVISION = re.compile(r"repo: \S+/(\S+)\n +rev: [0-9a-f]{40} # frozen: v([\d.]+)\n")


def test_pre_commit_has_the_versions_that_we_lint_with(tmp_path: Path) -> None:
    text = (scaffold(tmp_path / "mypkg", ci="github") / ".pre-commit-config.yaml").read_text()
    revisions = dict(REVISION.findall(text))
    assert len(revisions) == text.count("rev: ")
    for repository, tool in (
        ("ruff-pre-commit", "ruff"),
        ("mirrors-clang-format", "clang-format"),
        ("pre-commit-hooks", "pre-commit-hooks"),
        ("codespell", "codespell"),
        ("zizmor-pre-commit", "zizmor"),
    ):
        assert f"{tool}=={revisions[repository]}" == pin(tool)


def test_packages_have_the_cibuildwheel_that_we_check_with(tree: Path) -> None:
    assert pin("cibuildwheel") in (tree / "pyproject.toml").read_text()


def test_our_releases_have_the_versions_that_we_check_with() -> None:
    text = (ROOT / ".github/workflows/release.yml").read_text()
    assert {*re.findall(r"twine==[\d.]+", text)} == {pin("twine")}
    assert re.findall(r"maturin-version: v([\d.]+)", text) == [pin("maturin").removeprefix("maturin==")]


def test_our_workflows_run_what_there_is() -> None:
    texts = [path.read_text() for path in (ROOT / ".github/workflows").glob("*.yml")]
    scripts = {script for text in texts for script in re.findall(r"\bci/\w+(?=[ \n])", text)}
    assert {"ci/sanitize", "ci/test"} <= scripts
    assert not [script for script in scripts if not (ROOT / script).exists()]


def test_long_sentences_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    words = " ".join(["word"] * 20)
    code = f"`{words}`"
    page.write_text(
        f"# {words} {words}\n\n| {words} | {words} |\n\n```\n{words} {words}\n```\n\n{words}. {words} {code} {code}.\n"
    )
    run("python", ROOT / "ci/words.py", page)
    page.write_text(f"Short.\n\n- {words}.\n- {words},\n  {words}. Short.\n")
    message = "sentence of 40 words, 35 at most: write shorter sentences"
    assert run("python", ROOT / "ci/words.py", page, ok=False) == f"{page}:4: {message}\n"
    page.write_text(f"{words}.\n" * 6)
    assert f"{page}:1: paragraph of 120 words, 100 at most" in run("python", ROOT / "ci/words.py", page, ok=False)


@pytest.mark.parametrize("mark", ['"""', "# ", "// ", "/// ", "//! ", "/* ", "* "])
def test_comments_without_a_noun_first_are_found(mark: str, tmp_path: Path) -> None:
    file = tmp_path / "code"
    file.write_text(f'x {mark}Whatever.\nx {mark}Offset.\nx {mark}The same.\nx = "{mark}What\n')
    run("python", ROOT / "ci/words.py", file)
    words = ("What", "Whether", "That", "Of", "The same of")
    file.write_text("".join(f"x {mark}{word} it.\n" for word in words))
    better = "write the noun, `Returns …` or `True if …`"
    expected = [f"{file}:{line}: `{mark}{word}`: {better}\n" for line, word in enumerate(words, 1)]
    assert run("python", ROOT / "ci/words.py", file, ok=False) == "".join(expected)
