"""`--docs sphinx`: what CI of a package does with its documentation, done to the letter with the package as it is installed."""

import html
import re
from pathlib import Path

import pytest
import yaml
from environment import Environment, groups
from generator import EXECUTABLE, scaffold
from recipe import section
from shell import run
from workflow import jobs, runs

pytestmark = pytest.mark.night


@pytest.fixture
def documented(kernels: str, tmp_path: Path) -> Path:
    return scaffold(tmp_path / "mypkg", kernels=kernels, docs="sphinx")


def steps(package: Path, on_313: Environment) -> None:
    """Runs the step that tests the sessions, and the one that builds the site."""
    on_313.install(*groups(package, "docs"))
    test, build = runs(jobs(package, "ci")["docs"])[-2:]
    env = {"PATH": on_313.path, "CUVEC_DEVICE": "cpu"}
    shown = run("bash", "-c", test, cwd=package, env=env)
    assert re.search(r"^=+ \d+ passed", shown, re.MULTILINE)
    assert "--fail-on-warning" in build
    run("bash", "-c", build, cwd=package, env=env)


def test_the_site_is_the_readme_and_a_page_of_functions(documented: Path, on_313: Environment) -> None:
    steps(documented, on_313)
    assert [path for path in (documented / "build/docs").rglob("*.txt") if "{include}" in path.read_text()] == []
    pages = {
        path.stem: html.unescape(re.sub(r"<[^>]*>", "", path.read_text()))
        for path in (documented / "build/docs").glob("*.html")
    }
    for line in section((documented / "README.md").read_text(), "Use").splitlines():
        if line.startswith(">>> "):
            assert line in pages["index"]
    installed = on_313.python("-c", "import mypkg; print(*(mypkg.__all__))").split()
    for name in set(installed) - {"__version__", "cuvec"}:
        declared = on_313.python("-c", f"import mypkg; print(mypkg.{name}.__doc__)")
        assert f"mypkg.{name}(" in pages["functions"]
        assert re.search(r"Declared as ``(.*)``", declared)[1] in pages["functions"]
    assert "x (array of T, any shape) – what is added" in pages["functions"]
    assert "y (array of T, any shape, written in place) – what it is added to" in pages["functions"]


def test_a_page_with_a_wrong_session_or_a_dead_link_fails(documented: Path, on_313: Environment) -> None:
    page = documented / "docs/functions.md"
    for wrong in ("\n```python\n>>> 1 + 1\n3\n\n```\n", "\n[gone](gone.md)\n"):
        before = page.read_text()
        page.write_text(before + wrong)
        with pytest.raises(AssertionError):
            steps(documented, on_313)
        page.write_text(before)


def test_documentation_can_be_added_later(kernels: str, copy: Path, tmp_path: Path) -> None:
    """The package is then what it would be if it had been made so."""
    run(EXECUTABLE, "update", copy, "--docs", "sphinx")
    fresh = scaffold(tmp_path / "fresh", kernels=kernels, docs="sphinx")
    changed = run("diff", "--recursive", "--brief", "--exclude=__pycache__", copy, fresh)
    assert changed == ""


def test_gitlab_and_read_the_docs_do_the_same(documented: Path, tmp_path: Path) -> None:
    gitlab = yaml.safe_load((scaffold(tmp_path / "gitlab", ci="gitlab", docs="sphinx") / ".gitlab-ci.yml").read_text())
    done = [*runs(jobs(documented, "ci")["docs"])[1:]]
    assert gitlab["docs"]["script"] == [line.replace("build/docs", "public") for line in done]
    read_the_docs = yaml.safe_load((documented / ".readthedocs.yaml").read_text())
    assert read_the_docs["build"]["jobs"]["install"][-1] == f"CUDA=OFF {done[0].removeprefix('python -m ')}"
    assert read_the_docs["sphinx"]["fail_on_warning"]
    run("check-jsonschema", "--builtin-schema", "vendor.readthedocs", documented / ".readthedocs.yaml")
