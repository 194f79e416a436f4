"""Additions to an editable install: where type checkers and editors find it, and its messages on import.

Type checkers follow the paths in its file `.pth` alone, and not the module in that, which imports a package from several folders. For
those scikit-build-core names the folders of the sources, where the stubs are not.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
from pathlib import Path
from zipfile import ZipFile


def complete(wheel: Path) -> None:
    """Name the one folder in which a build has linked all Python files, and explain builds on import."""
    types = Path.cwd() / "build" / "types"
    with ZipFile(wheel) as archive:
        entries = {info: archive.read(info) for info in archive.infolist()}
    (pth,) = (it for it in entries if it.filename.endswith(".pth"))
    (record,) = (it for it in entries if it.filename.endswith(".dist-info/RECORD"))
    lines = entries[pth].decode().splitlines()
    hooks = [line for line in lines if line.startswith("import ")]
    if not hooks:  # the package is imported from where it is
        return
    changed = {}
    if types.is_dir():
        changed[pth] = "".join(f"{line}\n" for line in [*hooks, types]).encode()
    finders = {f"{hook.split()[1]}.py" for hook in hooks}
    messages = Path(__file__).with_name("on_import.py").read_bytes()
    changed |= {
        it: content + b"\n" + messages for it, content in entries.items() if it.filename in finders
    }
    entries |= changed
    hashes = {it.filename: hash_and_size(content) for it, content in changed.items()}
    rows = [*csv.reader(io.StringIO(entries[record].decode()))]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [row[0], *hashes[row[0]]] if row[0] in hashes else row for row in rows
    )
    entries[record] = text.getvalue().encode()
    with ZipFile(wheel, "w") as archive:
        for info, content in entries.items():
            archive.writestr(info, content)


def hash_and_size(content: bytes) -> tuple[str, str]:
    """Return them as a wheel records them."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
    return f"sha256={digest.decode()}", str(len(content))
