"""The Python sessions of a page as a Jupyter notebook, `<page>.ipynb` next to `<page>.html`. A cell ends where a session has output."""

from __future__ import annotations

import doctest
import re

SESSION = re.compile(r"^```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
PYTHON = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def code(source: str, raises: bool = False) -> dict[str, object]:
    tags = {"tags": ["raises-exception"]} if raises else {}  # "Run all" goes on after it
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": tags,
        "outputs": [],
        "source": source.rstrip("\n"),
    }


def notebook(page: str, start: str, end: str) -> dict[str, object]:
    """The part of the page from one heading up to another one, after its title."""
    title = page.partition("\n")[0]
    part = page[page.index(f"\n{start}\n") : page.index(f"\n{end}\n")]
    cells: list[dict[str, object]] = []
    for index, text in enumerate(SESSION.split(f"{title}\n{part}")):
        if index % 2 == 0:
            cells.append({"cell_type": "markdown", "metadata": {}, "source": text.strip("\n")})
            continue
        source = ""
        for example in doctest.DocTestParser().get_examples(text):
            source += example.source
            if example.want:
                cells.append(code(source, example.exc_msg is not None))
                source = ""
        if source:
            cells.append(code(source))
    cells = [cell for cell in cells if cell["source"]]
    return {"cells": cells, "metadata": PYTHON, "nbformat": 4, "nbformat_minor": 4}
