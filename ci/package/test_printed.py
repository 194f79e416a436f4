"""Output of `cuvec-new completions powershell`; `tests/shell_help.rs` has the shells that run here."""

import re

import pytest
import tree_sitter_pwsh
from generator import EXECUTABLE
from shell import run
from tree_sitter import Language, Parser


@pytest.fixture(scope="module")
def script() -> str:
    return run(EXECUTABLE, "completions", "powershell")


def test_powershell_can_read_it(script: str) -> None:
    tree = Parser(Language(tree_sitter_pwsh.language())).parse(script.encode())
    assert not tree.root_node.has_error, tree.root_node


@pytest.mark.parametrize("command", [(), ("export",)], ids=["cuvec-new", "cuvec-new export"])
def test_powershell_is_told_every_option(command: tuple[str, ...], script: str) -> None:
    name = ";".join(("cuvec-new", *command))
    (clause,) = re.findall(rf"^ +'{name}' \{{\n(.*?)^ +break", script, re.MULTILINE | re.DOTALL)
    completed = re.findall(r"\[CompletionResult\]::new\('(--[\w-]+)", clause)
    options = re.findall(r"^ +(?:-\w, )?(--[\w-]+)", run(EXECUTABLE, *command, "--help"), re.MULTILINE)
    assert sorted(options) == sorted(completed)


def test_powershell_takes_the_name_of_a_package_for_no_command(script: str) -> None:
    subcommands = "', '".join(re.findall(r"^ +'cuvec-new;([\w-]+)' \{", script, re.MULTILINE))
    assert f"if ($element.Value -in '{subcommands}') {{ $element.Value }}" in script
