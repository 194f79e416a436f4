"""Where type checkers and editors find an editable install.

They follow the paths in its file `.pth` alone, and not the module in that, which imports a package from several folders. For
those scikit-build-core names the folders of the sources, where the stubs are not.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
from pathlib import Path
from zipfile import ZipFile


def point_to_types(wheel: Path) -> None:
    """Name the one folder in which a build has linked all Python files, instead of the sources."""
    types = Path.cwd() / "build" / "types"
    with ZipFile(wheel) as archive:
        entries = {info: archive.read(info) for info in archive.infolist()}
    (pth,) = (it for it in entries if it.filename.endswith(".pth"))
    (record,) = (it for it in entries if it.filename.endswith(".dist-info/RECORD"))
    lines = entries[pth].decode().splitlines()
    hooks = [line for line in lines if line.startswith("import ")]
    if not hooks or not types.is_dir():  # the package is imported from where it is
        return
    entries[pth] = "".join(f"{line}\n" for line in [*hooks, types]).encode()
    rows = [*csv.reader(io.StringIO(entries[record].decode()))]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [row[0], *hash_and_size(entries[pth])] if row[0] == pth.filename else row for row in rows
    )
    entries[record] = text.getvalue().encode()
    with ZipFile(wheel, "w") as archive:
        for info, content in entries.items():
            archive.writestr(info, content)


def hash_and_size(content: bytes) -> tuple[str, str]:
    """Return them as a wheel records them."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
    return f"sha256={digest.decode()}", str(len(content))
