"""The documentation site: `ci/docs.sh` builds it."""

import json
import sys
import tomllib
from pathlib import Path
from types import ModuleType

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs"))
sys.dont_write_bytecode = True
import plain_pages
from notebook import notebook

CRATE = tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]

project = CRATE["name"]
author = copyright = "The cuvec-new authors"
version = release = CRATE["version"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton", "sphinx_design"]
exclude_patterns = ["requirements.txt"]

# `cuvec` as every package has it; the stub stands for the native module.
sys.path.insert(0, str(ROOT / "runtime"))
stub = ModuleType("cuvec._core")
text = (ROOT / "runtime/cuvec/_core.pyi").read_text()
text = text.replace("from .array import CuVec\n", "")  # whose module imports this one; only types name it
exec("from __future__ import annotations\n" + text, stub.__dict__)  # noqa: S102  # our own
stub.__dict__.update(structs={}, dtypes={})  # of no package
sys.modules[stub.__name__] = stub
autodoc_typehints = "none"
autodoc_class_signature = "mixed"
default_role = "code"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
myst_html_meta = {"description": CRATE["description"]}

html_theme = "furo"
html_title = f"cuvec-new {release}"
html_favicon = "_static/favicon.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False  # plain_pages.py writes the Markdown of each page, with what it includes
# The copy button copies what a person types in a session: no prompts, output or tracebacks.
copybutton_exclude = ".linenos"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
highlight_language = "text"
pygments_style = "a11y-light"  # contrast of 4.5:1 and more
pygments_dark_style = "github-dark"
html_theme_options = {"navigation_with_keys": True}
if repository := CRATE.get("repository"):  # for links to it, and "Edit this page"
    html_theme_options |= {"source_repository": repository, "source_branch": "main", "source_directory": "docs/"}

# Files of the repository that pages include, and those that they link: where a link to one leads on the site. What is
# on no page is named without a link.
PAGES = {
    "ARCHITECTURE.md": "explanation/calls",
    "CHANGELOG.md": "changelog",
    "GLOSSARY.md": "glossary",
    "include/cuvec/api.h": "reference/api-h",
    "include/cuvec/api.hpp": "reference/api-h",
    "runtime/CHANGELOG.md": "changelog",
    "runtime/README.md": "explanation/runtime",
    "tests/conformance/README.md": "explanation/runtime",
}
for readme in (ROOT / "examples").glob("*/README.md"):
    PAGES |= dict.fromkeys(
        [f"{folder}{readme.parent.name}/README.md" for folder in ("", "examples/")], f"examples/{readme.parent.name}"
    )
OTHERS = {"bench/README.md", "ci/gpu", "cmake/Extension.cmake", "templates/README.md"}


def link_files(app: Sphinx, doctree: nodes.document) -> None:
    is_example = app.env.docname.startswith("examples/")
    for link in list(doctree.findall(addnodes.pending_xref)):
        target = link["reftarget"].removeprefix(f"{ROOT}/").removeprefix("../")
        target = f"{target}.md" if link.get("refdomain") == "doc" else target
        if target in PAGES:
            link.attributes |= {"refdomain": "doc", "reftarget": PAGES[target], "reftargetid": None}
        elif target in OTHERS or (is_example and (ROOT / app.env.docname / target).is_file()):
            link.replace_self(link.children)


PLOTS = {"bandwidth", "calls", "memory", "placement", "round-trip"}


def mark_plots(_app: Sphinx, doctree: nodes.document) -> None:
    """Gives plots, which are drawn on white, the class that site.css inverts in dark mode."""
    for image in doctree.findall(nodes.image):
        if Path(image["uri"]).stem in PLOTS:
            image["classes"].append("plot")


def page_of(file: Path) -> str | None:
    """The page of the site that a file of the repository is on, if any."""
    if file.is_relative_to(ROOT / "docs") and file.suffix == ".md":
        return str(file.relative_to(ROOT / "docs").with_suffix(""))
    path = str(file.relative_to(ROOT))
    return PAGES.get(path, PAGES.get(path.removeprefix("runtime/")))


def write_plain_pages(app: Sphinx, failure: Exception | None) -> None:
    if failure is None and app.builder.name == "html":
        plain_pages.write(app, page_of)


def write_notebook(app: Sphinx, failure: Exception | None) -> None:
    if failure is None and app.builder.name == "html":
        page = "tutorials/first-package"
        made = notebook(Path(app.srcdir, f"{page}.md").read_text(), "## Use it", "## Next")
        Path(app.outdir, f"{page}.ipynb").write_text(json.dumps(made, indent=1) + "\n")


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", link_files)
    app.connect("doctree-read", mark_plots)
    app.connect("build-finished", write_plain_pages)
    app.connect("build-finished", write_notebook)
