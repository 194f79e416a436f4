"""Words that this project does not use, in prose, messages, comments and identifiers, each with the one to use.

`python ci/words.py` looks at all text that git tracks. A term has one word here, the one that users know from the field; GLOSSARY.md
explains those that remain. In Markdown a sentence has at most 35 words, and a paragraph at most 100. In code a comment begins with a noun
or a verb.
"""

import re
import subprocess
import sys
from pathlib import Path

# In any case, as whole words. `code` in backticks and options such as `--bridge` are not looked at.
WORDS = {
    r"(?:an?|the|this|each|every|another|all|no|of|whatever) bridges?": "bindings, binding tool",
    r"figures? of|(?:no|these|those|its|their) figures": "measurements, results",
    r"first forms?": "stub",
    r"(?:at most|more than|too many|number of|\d) axes": "dimensions",
    r"hand(?:s|ed|ing) (?:on|over)": "re-export, pass",
    r"in a row": "consecutive calls",
    r"kernel kinds?": "kernel language",
    r"ratio to the limit|the limit is (?:plain|the launch|tvm-ffi)": "baseline",
    r"liars?|hostile": "malformed, missing",
    r"licences?|licenced": "license",
    r"mend(?:s|ed|ing)?": "fix",
    r"(?:owner'?s?|host|runtime|vendored|other) half|(?:both|two) halves": "your code; the runtime; backend, core",
    r"(?:is|was|be) no (?:address|dtype|path)": "is not a",
    r"its sums": "checksums",
    r"safety: as (?:above|for|below)": "the reason itself",
    r"(?:never|not) taken back": "not undone, not supported",
    r"lends?|lent|lending|loans?|let(?:s|ting)? go": "borrow, own; retain, release",
    r"(?:that|those) of": "the noun itself",
}
# In code an extent is what a dimension is written as: a name, a number or a formula; and axes are counted.
ON_PAGES = {
    r"extents?|(?<!_)ax[ei]s(?!: | of (?:rotation|the mesh))": "dimensions, size",
    r"\| limit \|": "baseline",
    r"(?:all|other) figures": "measurements, results",
    r"# beside|beside (?:other|it is)": "compared with",
    r"what is no": "the noun itself",
}
# How a comment or docstring begins, exactly.
OPENINGS = {
    r'(?<!\S)(?:(?://[/!]?|#|/?\*+)\s|""")(?:What|Whether|That|Of|The same of)': "the noun, `Returns …` or `True if …`"
}
# As they were written in code, exactly.
NAMES = {
    r"Said|Asked|Wish|Conversation": "RawAnswers, PromptResult, AddRequest, PythonCall",
    r"with_room": "call_sized",
}

SKIPPED = re.compile(r"(^|/)(LICENSE.*|.*\.(json|lock|svg|ptx|patch)|SHA256SUMS)$|^ci/words\.py$|^templates/license/")
CODE = re.compile(r"`[^`]*`|--?\w[\w-]*")


def rules(words: dict[str, str], flags: int) -> list[tuple[re.Pattern[str], str]]:
    """As words of prose, or as a part of a name: `kernel kind` is `kernel_kind` too."""
    edge = r"[^\W_]"
    return [
        (re.compile(rf"(?<!{edge})(?<![./])(?:{word.replace(' ', '[ _]')})(?!{edge})", flags), better)
        for word, better in words.items()
    ]


RULES = rules(WORDS, re.IGNORECASE) + rules(NAMES, 0)
RULES_OF_PAGES = RULES + rules(ON_PAGES, re.IGNORECASE)
RULES_OF_CODE = RULES + rules(OPENINGS, 0)


def rules_of(path: str) -> list[tuple[re.Pattern[str], str]]:
    return RULES_OF_PAGES if path.endswith(".md") else RULES_OF_CODE


def found(path: str) -> list[str]:
    try:
        text = Path(path).read_text()
    except UnicodeDecodeError:
        return []
    hits = long_parts(path, text) if path.endswith((".md", ".md.hbs")) else []
    for number, line in enumerate(text.splitlines(), 1):
        for word, better in rules_of(path):
            hits += [f"{path}:{number}: `{hit[0]}`: write {better}" for hit in word.finditer(CODE.sub("", line))]
    return hits


# Code is one word of a sentence, a link its text.
SENTENCE, PARAGRAPH = 35, 100
NOT_PROSE = re.compile(
    r"^ *(?P<fence>`{3,}|~{3,}).*\n(?:.*\n)*? *(?P=fence)$|<!--[\s\S]*?-->|^ *(?:\||#|<|:{3,}|:[\w-]+:|\([\w-]+\)=).*$",
    re.MULTILINE,
)
ONE_WORD = re.compile(r"(`+)[^`](?:[^`]|(?!\1)`)*\1|\{\{.*?\}\}")
TARGET = re.compile(r"(?<=\])\([^()\s]*\)")
ITEM = re.compile(r"\s*(?:[-*+>]|\d+\.)\s")
END = re.compile(r"(?<!e\.g)(?<!i\.e)[.!?][\"')*\]]*$")


def without(pattern: re.Pattern[str], text: str, word: str = "") -> str:
    """Replaces each match with `word`, and keeps its line breaks."""
    return pattern.sub(lambda match: word + "\n" * match[0].count("\n"), text)


def long_parts(path: str, text: str) -> list[str]:
    """Sentences and paragraphs of Markdown, but not code blocks, tables, headings, HTML and options of directives."""
    hits = []
    lengths = {"sentence": (0, 0), "paragraph": (0, 0)}  # words, and the line of the first one

    def close(*parts: str) -> None:
        for part in parts:
            (words, line), most = lengths[part], {"sentence": SENTENCE, "paragraph": PARAGRAPH}[part]
            if words > most:
                hits.append(f"{path}:{line}: {part} of {words} words, {most} at most: write shorter sentences")
            lengths[part] = (0, 0)

    text = without(TARGET, without(ONE_WORD, without(NOT_PROSE, text), "code"))
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or ITEM.match(line):
            close("sentence", "paragraph")
        for word in line.split():
            if re.search(r"\w", word):
                for part, (words, first) in lengths.items():
                    lengths[part] = (words + 1, first or number)
            if END.search(word):
                close("sentence")
    close("sentence", "paragraph")
    return hits


def main() -> None:
    listed = subprocess.check_output(["git", "ls-files"], text=True).splitlines()
    paths = sys.argv[1:] or [path for path in listed if not SKIPPED.search(path)]
    hits = [hit for path in paths if Path(path).is_file() for hit in found(path)]
    print(*hits, sep="\n", end="\n" if hits else "")
    sys.exit(bool(hits))


if __name__ == "__main__":
    main()
