"""Output of `cuvec-new list` and `cuvec-new completions powershell`; `tests/shell_help.rs` has the shells that run here."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import tree_sitter_pwsh
from generator import EXECUTABLE, scaffold
from shell import ROOT, run
from tree_sitter import Language, Node, Parser


def test_new_bindings_are_a_new_folder(tmp_path: Path) -> None:
    """As templates/README.md says; test_bindings.py judges those that there are."""
    templates = tmp_path / "templates"
    shutil.copytree(ROOT / "templates", templates)
    layer = Path(shutil.copytree(templates / "bridge/nanobind", templates / "bridge/example")) / "layer.toml"
    layer.write_text(layer.read_text().replace("nanobind", "example", 1))
    assert "\n  example " in run(EXECUTABLE, "list", "--templates", templates)
    example = scaffold(tmp_path / "example", bridge="example", templates=str(templates))
    nanobind = scaffold(tmp_path / "nanobind", bridge="nanobind")
    run("diff", "--recursive", "--exclude=.cuvec-new.*", "--exclude=README.md", example, nanobind)


def nodes(node: Node, kind: str) -> Iterator[Node]:
    if node.type == kind:
        yield node
    for child in node.children:
        yield from nodes(child, kind)


def text(node: Node) -> str:
    return node.text.decode().strip("'")


@pytest.fixture(scope="module")
def clauses() -> dict[str, Node]:
    """Completions after each command, such as "cuvec-new;export"."""
    script = run(EXECUTABLE, "completions", "powershell").encode()
    tree = Parser(Language(tree_sitter_pwsh.language())).parse(script)
    assert not tree.root_node.has_error, tree.root_node
    (register,) = [node for node in nodes(tree.root_node, "command_name") if text(node) == "Register-ArgumentCompleter"]
    return {text(clause.children[0]): clause for clause in nodes(register.parent, "switch_clause")}


@pytest.mark.parametrize("command", [(), ("export",)], ids=["cuvec-new", "cuvec-new export"])
def test_powershell_is_told_every_option(command: tuple[str, ...], clauses: dict[str, Node]) -> None:
    clause = clauses[";".join(("cuvec-new", *command))]
    calls = [
        call for call in nodes(clause, "invocation_expression") if text(call).startswith("[CompletionResult]::new(")
    ]
    completed = [text(next(nodes(call, "string_literal"))) for call in calls]
    options = re.findall(r"^ +(?:-\w, )?(--[\w-]+)", run(EXECUTABLE, *command, "--help"), re.MULTILINE)
    assert sorted(options) == sorted(word for word in completed if word.startswith("--"))


def test_powershell_takes_the_name_of_a_package_for_no_command(clauses: dict[str, Node]) -> None:
    script = run(EXECUTABLE, "completions", "powershell")
    subcommands = "', '".join(name.removeprefix("cuvec-new;") for name in clauses if name.count(";") == 1)
    assert f"if ($element.Value -in '{subcommands}') {{ $element.Value }}" in script
