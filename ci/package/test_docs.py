"""The documentation: its functions are compiled, its Python sessions are run. `tests/docs.rs` types the console sessions."""

import doctest
import json
import math
import os
import re
import runpy
import shlex
import shutil
import sysconfig
import tomllib
from pathlib import Path

import pytest
from colors import contrast
from environment import Environment, groups
from generator import BRIDGES, KERNELS, scaffold
from pages import DOCS, SESSIONS, WRITTEN_BY_HAND, functions, programs, read
from pygments.styles import get_style_by_name
from pygments.token import Whitespace
from recipe import session
from shell import ROOT, run

FENCE = re.compile(r"^```(?P<language>.*)\n(?P<code>(?:.*\n)*?)```$", re.MULTILINE)
READ = {"json": json.loads, "toml": tomllib.loads}
SHOWN = {"cmake", "cpp", "cuda", "python", "rust", "swig"}
COMPILED = {".cpp", ".cu", ".h", ".i", ".py", ".rs", ".txt"}
WHOLE = re.compile(r"^```\{literalinclude\} (\S+)\n(?!(?::.*\n)*:(?:start|end|py))", re.MULTILINE)
MESSAGE = re.compile(r"^### `(.+)`$", re.MULTILINE)
FAULT = re.compile(r"^### (?P<message>.+)\n(?P<text>(?:(?!##).*\n?)*)", re.MULTILINE)


def name(page: Path) -> str:
    return str(page.relative_to(DOCS))


@pytest.fixture(scope="module", params=KERNELS)
def environment(request: pytest.FixtureRequest, folder: Path) -> Environment:
    """Python with a package of the functions that pages show, for the CPU alone, and libraries with adapters."""
    folder = folder / request.param
    package = scaffold(folder / "mypkg", kernels=request.param)
    shutil.rmtree(package / "src")
    shutil.rmtree(package / "kernels")
    (package / "kernels").mkdir()
    for function in functions(request.param):
        shutil.copy(function, package / "kernels")
    environment = Environment(
        folder / "python", "3.11", *groups(package, "build"), "--requirement", ROOT / "ci/adapters.txt", "dask[array]"
    )
    environment.install_package(package, CUDA="OFF")
    return environment


@pytest.mark.night
@pytest.mark.parametrize("page", SESSIONS, ids=name)
def test_sessions(page: Path, environment: Environment, tmp_path: Path) -> None:
    text = page.read_text()
    if "\n>>> import torch\n" in text and not list(environment.bin.parent.glob("lib/*/site-packages/torch")):
        pytest.skip("needs PyTorch, which CI without a GPU has not")
    shown = tmp_path / page.name
    shown.write_text(session(text))
    environment.python("-m", "doctest", "-o", "ELLIPSIS", shown, cwd=tmp_path, env={"CUVEC_DEVICE": "cpu"})


def test_the_notebook_has_the_session_of_the_first_tutorial() -> None:
    text = (DOCS / "tutorials/first-package.md").read_text()
    notebook = runpy.run_path(str(DOCS / "notebook.py"))["notebook"](text, "## Use it", "## Next")
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 4)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    cells = {"code": [], "markdown": []}
    for cell in json.loads(json.dumps(notebook["cells"])):
        cells[cell["cell_type"]].append(cell)
        in_code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert cell.keys() == {"cell_type", "metadata", "source"} | in_code
    typed = doctest.DocTestParser().get_examples(session(text))
    assert "\n".join(cell["source"] for cell in cells["code"]) == "".join(it.source for it in typed).rstrip("\n")
    raising = [cell["source"] for cell in cells["code"] if cell["metadata"] == {"tags": ["raises-exception"]}]
    assert raising == [it.source.rstrip("\n") for it in typed if it.exc_msg]
    assert not [cell["source"] for cell in cells["markdown"] if re.search(r"\{\w+\}`|\]\(|```", cell["source"])]


@pytest.mark.parametrize("page", WRITTEN_BY_HAND, ids=name)
def test_code_on_a_page_is_run_or_compiled(page: Path) -> None:
    """Code in other languages is included from files that a test compiles. Settings are at least read; text is what programs print."""
    for block in FENCE.finditer(page.read_text()):
        language = block["language"]
        # By test_rust_api.py, with what the crate documents.
        is_compared = language == "rust" and page.stem == "rust-api"
        assert (
            is_compared or language in {"sh", "console", "python", "md", "text", *READ} or language.startswith("{")
        ), block[0]
        if language == "python":
            assert ">>> " in block["code"], block[0]
        if language in READ:
            READ[language](block["code"])


def test_what_the_runtimes_readme_shows_is_compiled() -> None:
    """Line by line in sources that tests compile; in Python, parts of the module of ctypes. Programs are run by `ci/gpu`."""
    folders = ("templates/base", "templates/bridge", "bench/kernels/cu", "bench/kernels/rust", "docs/library")
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in COMPILED]
    lines = {line.strip() for path in sources for line in path.read_text().splitlines()}
    examples = (ROOT / "runtime/rust/src/lib.rs").read_text().splitlines()  # by test_rust_api.py
    lines |= {line.removeprefix("//!").strip() for line in examples}
    text = (ROOT / "runtime/README.md").read_text()
    blocks = [it for it in FENCE.finditer(text) if it["language"] in SHOWN and it["code"] not in programs().values()]
    assert {it["language"] for it in blocks} == SHOWN
    shown = [line.strip() for it in blocks for line in it["code"].splitlines()]
    assert [line for line in shown if line not in lines] == []


def test_what_the_runtimes_readme_shows_in_c_is_compiled(tmp_path: Path) -> None:
    blocks = [it["code"] for it in FENCE.finditer((ROOT / "runtime/README.md").read_text()) if it["language"] == "c"]
    (code,) = (block.replace("...", "return 1;") for block in blocks)
    source = tmp_path / "load.c"
    source.write_text(f"#include <Python.h>\n#include <cuvec/api.h>\nint load(void) {{\n{code}return 0;\n}}\n")
    include = [f"-I{folder}" for folder in (sysconfig.get_path("include"), ROOT / "runtime/include")]
    run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *include, source)


@pytest.mark.night
def test_each_page_is_plain_markdown_too() -> None:
    """With what it includes, and links that lead to other such pages."""
    site = ROOT / "target/docs"
    run(ROOT / "ci/docs.sh")
    listed = re.findall(r"^- \[.*\]\((.*)\)$", (site / "llms.txt").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(map(name, DOCS.rglob("*.md")))
    for path in listed:
        source, plain = DOCS / path, (site / path).read_text()
        assert not re.search(r"^[ `:]*[`:]{3}\{|\{(?:doc|ref)\}`", plain, re.MULTILINE)
        for included in WHOLE.findall(source.read_text()):
            assert (source.parent / included).read_text().strip("\n") in plain
        for link in re.findall(r"\]\(([^()\s:#]+)(?:#[\w-]+)?\)", FENCE.sub("", plain)):
            assert (site / path).parent.joinpath(link).is_file(), (path, link)
    assert "struct csr_product {" in (site / "reference/signature.md").read_text()
    assert "\n| `generator/` | the tool, in Rust" in (site / "explanation/calls.md").read_text()


@pytest.fixture(scope="module")
def sources() -> str:
    """With tests, which have what is put together of parts."""
    endings = ("cmake", "cpp", "h", "py", "rs")
    return read(*(f"{folder}/*.{ending}" for folder in ("generator", "runtime") for ending in endings))


@pytest.mark.parametrize("message", MESSAGE.findall((DOCS / "errors.md").read_text()))
def test_messages_are_in_the_sources(message: str, sources: str) -> None:
    assert message in sources


@pytest.mark.parametrize("fault", list(FAULT.finditer((DOCS / "errors.md").read_text())), ids=lambda it: it["message"])
def test_messages_have_their_cause_and_fix(fault: re.Match[str]) -> None:
    """The cause is told in words; the fix is a sentence or a row more, with what to type or where to get it."""
    prose = FENCE.sub("", fault["text"])
    said = re.findall(r"[.:](?=\s)|^\|(?! \||---)", prose, re.MULTILINE)
    assert len(said) >= 2
    assert re.search(r"`[^`]+`|\]\(http", prose) or "```sh" in fault["text"]


def test_scaling_takes_the_launch_that_was_measured() -> None:
    scaling = (ROOT / "examples/cluster/SCALING.md").read_text()
    (launch,) = re.findall(r"^takes ([\d.]+) µs however little it does", scaling, re.MULTILINE)
    measured = re.search(
        r"^\| a small call, asynchronous \| ([\d.]+) µs", (DOCS / "performance.md").read_text(), re.MULTILINE
    )
    assert launch == measured[1]
    assert f"launches * {launch}e-6" in scaling


def test_code_has_contrast_in_both_themes() -> None:
    names = re.findall(r'^pygments_(?:dark_)?style = "(.*)"', (DOCS / "conf.py").read_text(), re.MULTILINE)
    assert len(names) == 2
    for style in map(get_style_by_name, names):
        for token, look in style:
            behind = look["bgcolor"] or style.background_color.removeprefix("#")
            assert token is Whitespace or not look["color"] or contrast(look["color"], behind) >= 4.5, (style, token)


def test_links_of_the_readme_of_a_release_are_absolute(tmp_path: Path) -> None:
    package = "templates/common/README.md.hbs"
    for path in ("README.md", "ci/absolute_links.py", package):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    run("python", tmp_path / "ci/absolute_links.py", "https://example.org/a/b", "1234")
    links = re.findall(r"\]\(([^)\s]+)\)", (tmp_path / "README.md").read_text())
    assert len(links) > 20
    for link in links:
        assert link.startswith(("https://", "#"))
        path = re.fullmatch(r"https://example.org/a/b/(?:blob|raw)/1234/([^#]*)(?:#.*)?", link)
        assert path is None or (ROOT / path[1]).exists(), link
    assert "https://example.org/a/b/raw/1234/docs/round-trip.svg" in links
    assert "(https://example.org/a/b/blob/1234/docs/index.md)" in (tmp_path / package).read_text()


def test_the_readme_shows_the_samples() -> None:
    blocks = {block["language"]: block["code"] for block in FENCE.finditer((ROOT / "README.md").read_text())}
    assert blocks["cuda"] == (ROOT / "templates/kernels/cu/kernels/axpy.cu").read_text()
    assert blocks["rust"] == (ROOT / "templates/kernels/rust/kernels/axpy.rs").read_text()


def test_the_readme_is_short() -> None:
    text = (ROOT / "README.md").read_text()
    assert len(text.split()) <= 900
    assert len(text.splitlines()) <= 150


def test_the_page_names_every_choice_that_update_changes() -> None:
    update = (DOCS / "how-to/update.md").read_text()
    choices = re.findall(r'folder: "(\w+)"', (ROOT / "generator/catalog/kind.rs").read_text())
    assert len(choices) == len(set(choices)) >= 7
    assert [choice for choice in choices if f"--{choice}" not in update] == []


def test_linters_that_the_page_names_are_run() -> None:
    page = " ".join((DOCS / "reference/files.md").read_text().split())
    (names,) = re.findall(r"CI runs these on new packages: (.*?)\.", page)
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__))
    assert [name for name in re.split(r", | and ", names) if not re.search(rf"\b{name.split()[0]}\b", tests)] == []


def compatibility() -> list[list[str]]:
    """The rows of the tables: what, result, command, commit."""
    rows = re.findall(r"^\| (.*) \|$", (DOCS / "reference/compatibility.md").read_text(), re.MULTILINE)
    return [row.split(" | ") for row in rows if row != "what | result | command | commit"]


@pytest.mark.parametrize("row", compatibility(), ids=lambda row: row[0])
def test_compatibility_was_shown_by_a_command_or_is_not_run(row: list[str]) -> None:
    _, result, command, commit = row
    if command == "not run":
        assert commit == "–"
        return
    commands = re.findall(r"(?<!})`(.*?)`", command)
    assert commands
    assert result
    for words in map(shlex.split, commands):
        program = next(word for word in words if not re.match("[A-Z_]+=", word))
        assert program in {"pip", "pytest", "python"} or os.access(ROOT / program, os.X_OK), program
    on_a_page = re.fullmatch(r"`.*`: {doc}`../([\w-]+)`", command)
    if on_a_page:
        assert re.search(r"\n- commit: | seen \|\n", (DOCS / f"{on_a_page[1]}.md").read_text())
        assert commit == "on that page"
    else:
        assert re.fullmatch(r"each change|each night|[0-9a-f]{8}(, [0-9a-f]{8})*", commit)


def test_compatibility_names_all_bindings() -> None:
    named = ", ".join(f"`{bridge}`" for bridge in sorted(BRIDGES))
    assert [row[3] for row in compatibility() if row[0] == named] == ["each night"]


def test_compatibility_counts_the_tests_that_ran_on_a_gpu() -> None:
    (said,) = re.findall(
        r"the (\d+) tests of the package `cuda12` pass", (DOCS / "reference/compatibility.md").read_text()
    )
    ran = re.search(r"^\| `cuda12` \| [^|]* \| (\d+) \|", (DOCS / "gpu.md").read_text(), re.MULTILINE)
    assert said == ran[1]


def test_limits_match_the_headers() -> None:
    abi, signature = ((ROOT / f"runtime/include/cuvec/{name}.h").read_text() for name in ("abi", "signature"))
    limits = {name: int(value) for name, value in re.findall(r"\bCUVEC_MAX_(\w+) = (\d+)", abi)}
    for file in ("check", "read"):
        reader = (ROOT / f"runtime/declare/src/{file}.rs").read_text()
        limits |= {
            name: int(value)
            for name, value in re.findall(r"^(?:pub )?const (\w+): usize = (\d+)", reader, re.MULTILINE)
        }
    limits |= {name.upper(): int(value) for name, value in re.findall(r"[ *](dtypes|structs)\[(\d+)\]", signature)}
    (of_a_kernel,) = re.findall(r"\n  char text\[(\d+)\];\n[^}]*} cuvec_report;", abi)
    members = re.findall(r"define CUVEC_FIELDS_(\d+)\(", (ROOT / "runtime/include/cuvec/struct.h").read_text())
    table = (DOCS / "reference/cuvec-h.md").read_text().partition("\n## Limits\n")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| (.*?) \| (.*?) \|", table, re.MULTILINE)[1:])
    assert rows == {
        "arguments and results together; names of dimensions": f"{limits['ARGUMENTS']}; {limits['DIMENSIONS']}",
        "letters of a name": f"{limits['LENGTH']}",
        "variables of dtypes, and dtypes of each": f"{limits['VARIABLES']}, {limits['DTYPES']}",
        "dimensions of an array, without the leading ones": f"{limits['RANK']}",
        "choices of all its options, numbers of all its tuples": f"{limits['CHOICES']}, {limits['ITEMS']}",
        "structs that it names; members of one": f"{limits['STRUCTS']}; {max(map(int, members))}",
        "a message of an error": f"{limits['ERROR'] - 1} bytes, of a kernel's {of_a_kernel}",
    }


def test_the_product_on_tensor_cores_has_the_lines_that_are_counted() -> None:
    counted = re.search(r"\| `matrix_product` \| – \| (\d+), ", (DOCS / "reference/shown.md").read_text())[1]
    for page in (ROOT / "bench/table.py", DOCS / "performance.md"):
        assert re.findall(r"`matrix_product` of \[.*?\]\(.*?\), (\d+) lines", page.read_text()) == [counted], page


MODEL = ("rms_norm", "add_rms_norm", "layer_norm", "softmax", "cross_entropy", "silu_and_mul")


def span(parts: list[float]) -> str:
    return f"{min(parts):.2f}–{max(parts):.2f}"


def test_the_summary_and_the_readme_have_the_measurements_of_the_pages() -> None:
    summary = " ".join((DOCS / "explanation/measurements.md").read_text().split())
    readme = (ROOT / "README.md").read_text()
    calls, work = ((DOCS / f"{page}.md").read_text() for page in ("frameworks", "performance"))

    def row(page: str, start: str, pattern: str) -> list[str]:
        return re.findall(pattern, re.search(rf"^\| {re.escape(start)} .*", page, re.MULTILINE)[0])

    def milliseconds(what: str) -> list[str]:
        return sorted({f"{float(it):.1f}" for it in row(work, f"64 MiB: {what}", r"([\d.]+)(?= \|)")})

    ratio, time = r"\*\*([\d.]+)\*\*", r"([\d.]+) µs \|$"
    launch, tensors, cupy = (
        row(calls, f"a small call{what}", ratio) for what in (", asynchronous", " on PyTorch's", " on CuPy's")
    )
    in_jax = calls.partition("| in `jax.jit` |")[2]
    cu, rust, graph = (
        f"{float(*row(in_jax, start, time)):.1f}" for start in ("`cu`", "`rust`", "jax-tvm-ffi, `allow_cuda_graph`")
    )
    managed, copied = milliseconds("alternating, managed, no hint"), milliseconds("NumPy arrays in and out")
    speeds = [row(work, f"{name} of", ratio) for name in ("axpy", "dot", "gemv")]
    axpy, dot, gemv = map(min, speeds)
    rows = re.findall(r"^\| .* `vmap` of .*\|$", calls, re.MULTILINE)
    batched = [float(it) for line in rows for it in line.split("|")[-3:-1]]
    assert len(batched) == 8
    commits = [re.search(r"^- commit: (.*)", page, re.MULTILINE)[1] for page in (calls, work)]
    in_summary = [
        f"A small asynchronous call takes {' and '.join(launch)} times a launch in C",
        f"on PyTorch's tensors takes {' and '.join(tensors)} times what tvm-ffi takes, on CuPy's arrays {' and '.join(cupy)} times",
        f"takes {cu} and {rust} µs, jax-tvm-ffi's in a CUDA graph {graph} µs",
        f"take {' to '.join(managed)} ms in managed memory, without a hint, and {' to '.join(copied)} ms as",
        f"run at {axpy}, {dot} and {gemv} times the speed of a copy or better",
        f"over 1,000 rows take {min(batched):.2f} to {max(batched):.2f} times as long as one call on all of them",
        *commits,
    ]
    in_readme = [
        f"| `axpy`, `dot`, `gemv` on 1 GiB | {' | '.join(', '.join(column) for column in zip(*speeds, strict=True))} |",
        f"| a small asynchronous call | {' | '.join(launch)} |",
        f"| the same call on PyTorch tensors | {' | '.join(tensors)} |",
        f"| 64 MiB: host writes, GPU works, host reads | {managed[0]} | {managed[0]} | ms; {copied[0]} as NumPy arrays |",
        *commits,
    ]
    seen = json.loads((DOCS / "rows.json").read_text())
    rows = [it for it in seen["figures"] if it["function"] in MODEL and (it["dtype"], it["n"]) == ("bfloat16", 4096)]
    assert len(rows) == len(MODEL)
    model = [[it["copy"] / it["ours"] for it in rows], [it["rust"] for it in rows]]
    best = [it["copy"] / min(it["eager"], it["compiled"]) for it in rows]
    alike = [[it["axpy"] / it["add_"] for it in seen["alike"][language]] for language in ("cu", "rust")]
    in_readme += [
        f"| {' | '.join(map(span, model))} | × a copy; PyTorch {span(best)} |",
        f"| {' | '.join(map(span, alike))} | × PyTorch's time |",
        seen["about"]["commit"],
    ]
    assert len(managed) == len(copied) == 1
    assert [said for said in in_summary if said not in summary] == []
    assert [said for said in in_readme if said not in readme] == []


def test_compatibility_names_the_gpus_and_the_driver_of_the_pages() -> None:
    for page in ("gpu", "two-gpus"):
        seen = re.findall(r"NVIDIA (\w+)[^,|]*, ([\d.]*\d)", (DOCS / f"{page}.md").read_text())
        (what,) = [row[0] for row in compatibility() if f"{{doc}}`../{page}`" in row[2] and "with driver" in row[0]]
        assert {gpu for gpu, _ in seen} <= set(re.findall(r"\w+", what))
        assert {what.rpartition("driver ")[2]} == {driver for _, driver in seen}


def test_the_summary_has_the_times_of_both_languages() -> None:
    summary = " ".join((DOCS / "explanation/measurements.md").read_text().split())
    languages = json.loads((DOCS / "languages.json").read_text())
    longer = {name: math.ceil(100 * (rust[0] / cu[0] - 1)) for name, (cu, rust) in languages["seconds"].items()}
    slower = [name for name in sorted(longer, key=longer.get, reverse=True) if longer[name] > 10]
    gpu = re.match(r"NVIDIA (\w+)", languages["about"]["GPU and driver"])[1]
    others = [f"`{name}` takes {longer[name]} % longer." for name in slower]
    assert (
        f"At {languages['about']['commit']}, on an {gpu}, {len(longer) - len(slower)} of {len(longer)} functions that are written in both "
        f"languages take at most 10 % longer in Rust than in CUDA C++. {' '.join(others)}"
    ).rstrip() in summary
