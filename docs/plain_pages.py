"""Each page as plain Markdown, `<page>.md` next to `<page>.html`: what it includes stands in it. `llms.txt` lists these pages."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.directives.code import LiteralIncludeReader
from sphinx.errors import ExtensionError

FENCE = re.compile(
    r"^(?P<indent> *)(?P<mark>`{3,})(?P<info>.*)\n(?P<body>(?:.*\n)*?)(?P=indent)(?P=mark)[ \t]*$", re.MULTILINE
)
DIRECTIVE = re.compile(r"\{([\w-]+)\} *(.*)")
OPTION = re.compile(r":([\w-]+): ?(.*)\n")
TITLED = re.compile(r"^:{3,}\{(?:tab-item|grid-item-card)\} (.*)\n(?::[\w-]+:.*\n)*", re.MULTILINE)
UNTITLED = re.compile(r"^:{3,}(?:\{.*)?(?:\n|\Z)(?::[\w-]+:.*\n)*", re.MULTILINE)
LABEL = re.compile(r"^\([\w-]+\)=\n", re.MULTILINE)
ROLE = re.compile(r"(?<!`)\{(doc|ref)\}`(?:([^`<]*?)\s*<([^`>]*)>|([^`]*))`")
LINK = re.compile(r"(?P<is_image>!?)\[(?P<text>(?:!\[[^\]]*\]\([^)]*\)|[^\[\]])*)\]\((?P<target>[^()\s]+)\)")
LEFT = re.compile(r"^ *(?:`{3,}|:{3,})\{.*|(?<!`)\{[a-z]+\}`.*", re.MULTILINE)
IGNORED = ("relative-docs", "relative-images")  # links are always resolved


@dataclass(frozen=True)
class Source:
    """A file, and how deep its headings are moved where it is included."""

    path: Path
    heading_offset: int = 0


def part(text: str, options: dict[str, str]) -> str:
    """Part of a file that an `include` selects."""
    unknown = options.keys() - {"start-line", "start-after", "end-before", "heading-offset", *IGNORED}
    if unknown:
        raise ExtensionError(f"options of `include` that plain pages do not know: {', '.join(sorted(unknown))}")
    text = "".join(text.splitlines(keepends=True)[int(options.get("start-line", 0)) :])
    if "start-after" in options:
        text = text.split(options["start-after"], 1)[1]
    if "end-before" in options:
        text = text.split(options["end-before"], 1)[0]
    return text


class Writer:
    """Writes one page. `pages` says on which page a file of the repository is, None if on none."""

    def __init__(self, app: Sphinx, page: str, pages: Callable[[Path], str | None]) -> None:
        self.app, self.page, self.pages = app, page, pages
        self.folder = Path(page).parent

    def text(self) -> str:
        path = Path(self.app.env.doc2path(self.page))
        text = "".join(self.expand(path.read_text(), Source(path)))
        if left := LEFT.search(text):
            raise ExtensionError(f"{self.page}.md: `{left[0]}` is not plain Markdown: {__file__} does not expand it")
        return text.strip() + "\n"

    def expand(self, text: str, source: Source) -> Iterator[str]:
        end = 0
        for fence in FENCE.finditer(text):
            yield self.prose(text[end : fence.start()], source)
            yield self.block(fence, source)
            end = fence.end()
        yield self.prose(text[end:], source)

    def block(self, fence: re.Match[str], source: Source) -> str:
        directive = DIRECTIVE.fullmatch(fence["info"])
        if not directive:
            return fence[0]
        name, argument = directive.groups()
        options = {}
        body = fence["body"]
        while option := OPTION.match(body):
            options[option[1]] = option[2].strip().strip('"')
            body = body[option.end() :]
        if name in {"toctree", "index"}:
            return ""
        if name == "include":
            path = (source.path.parent / argument).resolve()
            return "".join(
                self.expand(part(path.read_text(), options), Source(path, int(options.get("heading-offset", 0))))
            )
        if name == "literalinclude":
            path = source.path.parent / argument
            body = LiteralIncludeReader(str(path), options, self.app.config).read()[0]
            argument = options.get("language", "")
        elif name == "eval-rst":
            argument = "rst"
        elif name != "code-block":
            raise ExtensionError(f"{source.path}: `{name}` has no form in plain Markdown: {__file__}")
        caption = f"`{options['caption']}`:\n\n" if "caption" in options else ""
        body = body.strip("\n")
        return f"{caption}{fence['mark']}{argument}\n{body}\n{fence['mark']}"

    def prose(self, text: str, source: Source) -> str:
        text = LABEL.sub("", UNTITLED.sub("\n", TITLED.sub(r"**\1**\n\n", text)))
        text = re.sub(r"^(?=#+ )", "#" * source.heading_offset, text, flags=re.MULTILINE)
        text = LINK.sub(lambda link: self.link(link, source.path), text)
        return ROLE.sub(self.role, re.sub(r"\n{3,}", "\n\n", text))

    def role(self, role: re.Match[str]) -> str:
        kind, text, target, alone = role.groups()
        label = ""
        if kind == "ref":
            page, label, title = self.app.env.domaindata["std"]["labels"][target or alone]
        else:
            page = os.path.normpath(self.folder / (target or alone)).removeprefix("/")
            title = self.app.env.titles[page].astext()
        return f"[{text or title}]({self.to(page + '.md')}{label and '#' + label})"

    def link(self, link: re.Match[str], path: Path) -> str:
        """Files that are on no page are named without a link, as on the site."""
        text = LINK.sub(lambda inner: self.link(inner, path), link["text"])
        target, _, anchor = link["target"].partition("#")
        file = (path.parent / target).resolve()
        if not target or "://" in target or not file.is_file():
            return link[0]
        if link["is_image"]:
            image = self.app.env.images[os.path.relpath(file, self.app.srcdir)][1]
            return f"![{text}]({self.to(f'_images/{image}')})"
        page = self.pages(file)
        return f"[{text}]({self.to(page + '.md')}{anchor and '#' + anchor})" if page else text

    def to(self, path: str) -> str:
        return os.path.relpath(path, self.folder)


def write(app: Sphinx, pages: Callable[[Path], str | None]) -> None:
    titles = {page: app.env.titles[page].astext() for page in sorted(app.env.found_docs)}
    for page in titles:
        plain = Path(app.outdir, f"{page}.md")
        plain.parent.mkdir(parents=True, exist_ok=True)
        plain.write_text(Writer(app, page, pages).text())
    lines = [f"- [{title}]({page}.md)" for page, title in titles.items()]
    Path(app.outdir, "llms.txt").write_text("\n".join([f"# {app.config.project}", "", *lines, ""]))
